"""Records PyTorch's behaviour for every case into `data/`.

    python -m tests.oracle.record [family ...]

Deterministic: a second run writes the same bytes.
"""

from __future__ import annotations

import sys
from typing import Any

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
    entry["first"] = observe.first(torch, case)
    if isinstance(entry["first"], observe.Failure):
        return entry
    entry["second"] = observe.second(torch, case)
    entry["freed"] = observe.freed(torch, case)
    return entry


def main(families: list[str]) -> None:
    import torch

    assert torch.__version__.startswith("2.13."), f"the reference is 2.13, not {torch.__version__}"
    torch.set_num_threads(1)  # sums in one fixed order
    by_family: dict[str, dict[str, Any]] = {}
    for case in CASES:
        if not families or case.family in families:
            by_family.setdefault(case.family, {})[case.id] = record(torch, case)
    if not families or "errors" in families:
        by_family["errors"] = {case.id: observe.failure(torch, case) for case in BAD}
        silent = [case_id for case_id, failure in by_family["errors"].items() if failure is None]
        assert not silent, f"PyTorch accepts {silent}"
    storage.write("forward", {case.id: tangents(torch, case) for case in CASES})
    for family, records in by_family.items():
        storage.write(family, records)
        print(f"{family}: {len(records)} cases")
        if family == "errors":
            continue
        for case_id, entry in records.items():
            for part in ("outputs", "first", "second"):
                if isinstance(entry.get(part), observe.Failure):
                    print(f"  {case_id} {part}: {entry[part].error}: {entry[part].message[:90]}")


if __name__ == "__main__":
    main(sys.argv[1:])
