"""Records PyTorch's behaviour for every case into `data/`, a file for each operation.

    python -m tests.oracle.record [tanh families/complex ...]

Deterministic: a second run writes the same bytes.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from tests.recording import Recorded, run

from . import observe
from .cases import CASES
from .cases_errors import CASES as BAD
from .forward import tangents
from .storage import RECORDS, encode
from .table import Case


def record(torch: Any, case: Case) -> dict[str, Any]:
    """Return all aspects of a case; of a call that fails, the error alone."""
    results = observe.outputs(torch, case)
    entry: dict[str, Any] = {"outputs": results}
    if isinstance(results, observe.Failure):
        return entry
    entry["tangents"] = tangents(torch, case)
    entry["first"], freed = observe.first(torch, case)
    if isinstance(entry["first"], observe.Failure):
        return entry
    entry["second"] = observe.second(torch, case)
    entry["freed"] = freed
    return entry


def files(torch: Any, chosen: Sequence[str]) -> Recorded:
    cases = {case.id: case for case in (*CASES, *BAD)}
    bad = {case.id for case in BAD}
    accepted = []

    def recorded(case_id: str) -> Any:
        case = cases[case_id]
        if case_id not in bad:
            return encode(record(torch, case))
        failure = observe.failure(torch, case)
        if failure is None:
            accepted.append(case_id)
        return encode(failure)

    yield from RECORDS.files(recorded, chosen)
    yield from (f"PyTorch accepts {case_id}" for case_id in accepted)


if __name__ == "__main__":
    sys.exit(run(files))
