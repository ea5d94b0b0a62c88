"""Record what PyTorch's tensors show while random programs share, exchange and write their memory.

    python -m tests.data.record_memory

Of each step there is a checksum of the text that `tests.autograd.memory_programs` makes of it;
what PyTorch shows in full is compared where it is installed.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from zlib import crc32

from tests.autograd.memory_programs import run as outcomes
from tests.recording import Recorded, lines, run

PATH = Path(__file__).with_name("memory.json")
PROGRAMS = 400


def checksums(torch: Any, seed: int) -> list[str]:
    """Return a checksum of what is seen at each step of a program."""
    return [f"{crc32(step.encode()):08x}" for step in outcomes(torch, seed)]


def files(torch: Any, chosen: Sequence[str]) -> Recorded:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        yield PATH, lines({str(seed): checksums(torch, seed) for seed in range(PROGRAMS)})


if __name__ == "__main__":
    sys.exit(run(files))
