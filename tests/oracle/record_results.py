"""Records what arrives at results when gradients are differentiated again, by operation.

python -m tests.oracle.record_results [pow …]
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Sequence
from typing import Any

from tests.recording import Recorded, run

from .results import RECORDS, recorded


def files(torch: Any, chosen: Sequence[str]) -> Recorded:
    yield from RECORDS.files(functools.partial(recorded, torch), chosen)


if __name__ == "__main__":
    sys.exit(run(files))
