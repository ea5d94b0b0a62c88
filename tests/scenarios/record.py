"""Record what PyTorch makes of every scenario: `python -m tests.scenarios.record [family …]`.

A family that has a file for each operation is recorded in part by `number_ranges/full`, say.
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
    for word in chosen or _harness.families():
        family, _, operation = word.partition("/")
        found = _harness.files_of(family)
        wanted = {_harness.path_of(word)} if operation else found.keys()
        if wanted - found.keys():
            yield f"nothing is recorded of {word}"
        for path, scenarios in found.items():
            if path not in wanted:
                continue
            recorded = {}
            for scenario in scenarios:
                try:
                    outcomes = recorded[scenario.name] = _harness.run(scenario, torch)
                except Exception as error:
                    yield f"{scenario.id}: {type(error).__name__}: {error}"
                    continue
                yield from _harness.check_declared(scenario, outcomes)
                yield from _harness.check_recorded(scenario, outcomes)
            yield path, _harness.dump(recorded, version)
        if not operation:
            yield from ((path, None) for path in _harness.paths_of(family) if path not in found)


if __name__ == "__main__":
    sys.exit(run(files))
