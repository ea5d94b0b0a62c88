"""Record what PyTorch makes of every scenario: `python -m tests.scenarios.record [family …]`.

The files are the same, byte for byte, from run to run. Scenarios that fail to run, raise
nothing where they say they do, or declare a difference that is none, are listed at the end.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from tests.recording import Recorded, run

from . import _harness


def files(torch: Any, chosen: Sequence[str]) -> Recorded:
    version = torch.__version__.partition("+")[0]
    for family in chosen or _harness.families():
        recorded = {}
        for scenario in _harness.scenarios(family):
            try:
                found = recorded[scenario.name] = _harness.run(scenario, torch)
            except Exception as error:
                yield f"{scenario.id}: {type(error).__name__}: {error}"
                continue
            yield from _harness.check_declared(scenario, found)
            yield from _harness.check_recorded(scenario, found)
        yield _harness.path_of(family), _harness.dump(recorded, version)


if __name__ == "__main__":
    sys.exit(run(files))
