"""Records PyTorch's behaviour for every case into `data/`.

    python -m tests.oracle.record [family ...]

Deterministic: a second run writes the same bytes.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from tests.recording import Recorded, run

from . import observe, storage
from .cases import CASES
from .cases_errors import CASES as BAD
from .forward import tangents
from .table import Case


def record(torch: Any, case: Case) -> dict[str, Any]:
    results = observe.outputs(torch, case)
    entry: dict[str, Any] = {"outputs": results}
    if isinstance(results, observe.Failure):
        return entry
    entry["first"], freed = observe.first(torch, case)
    if isinstance(entry["first"], observe.Failure):
        return entry
    entry["second"] = observe.second(torch, case)
    entry["freed"] = freed
    return entry


def files(torch: Any, chosen: Sequence[str]) -> Recorded:
    families = {case.family: None for case in CASES}
    for family in chosen or (*families, "errors", "forward"):
        if family == "forward":
            made: dict[str, Any] = {case.id: tangents(torch, case) for case in CASES}
        elif family == "errors":
            made = {case.id: observe.failure(torch, case) for case in BAD}
            yield from (f"PyTorch accepts {name}" for name, found in made.items() if found is None)
        else:
            made = {case.id: record(torch, case) for case in CASES if case.family == family}
        yield storage.path_of(family), storage.text_of(made)


if __name__ == "__main__":
    sys.exit(run(files))
