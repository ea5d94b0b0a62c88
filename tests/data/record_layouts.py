"""Record how PyTorch's results lie in memory, for operands that lie in every way.

    python -m tests.data.record_layouts [cat …]

For each public name, each list of arguments that PyTorch takes; null where PyTorch has the name
elsewhere, or not at all.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import symgrad
from tests.ops.layout_cases import ARGUMENTS, SHAPES, Given, function, public_names, seen
from tests.recording import PerOperation, Recorded, operation_of, run

RECORDS = PerOperation(
    Path(__file__).with_name("layouts"), operation_of, lambda: sorted(public_names(symgrad))
)


def observed(torch: Any, name: str) -> dict[str, dict[str, str]]:
    """Return what is seen for each list of arguments, by the shape and layout of the operands.

    The operands are made for this name alone: some calls write into them (`inplace`).
    """
    given = tensors(torch)
    table: dict[str, dict[str, str]] = {}
    for arguments, make in ARGUMENTS.items():
        for label, operands in given.items():
            found = seen(torch, function(torch, name), make, operands)
            if found is not None:
                table.setdefault(arguments, {})[label] = found
    return table


def tensors(torch: Any) -> dict[str, Given]:
    return {
        f"{len(shape)}{layout}": Given(torch, shape, layout)
        for shape, layouts in SHAPES.items()
        for layout in layouts
    }


def files(torch: Any, chosen: Sequence[str]) -> Recorded:
    yield from RECORDS.files(lambda n: observed(torch, n) if has(torch, n) else None, chosen)


def has(torch: Any, name: str) -> bool:
    try:
        function(torch, name)
    except AttributeError:
        return False
    return True


if __name__ == "__main__":
    sys.exit(run(files))
