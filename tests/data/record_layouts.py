"""Record how PyTorch's results lie in memory, for operands that lie in every way.

    python -m tests.data.record_layouts

For each name that both libraries have, each list of arguments that PyTorch takes.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import symgrad
from tests.ops.layout_cases import ARGUMENTS, SHAPES, Given, function, public_names, seen

PATH = Path(__file__).with_name("layouts.json")


def observed(torch: Any, name: str, given: dict[str, Given]) -> dict[str, dict[str, str]]:
    """Return what is seen for each list of arguments, by the shape and layout of the operands."""
    table: dict[str, dict[str, str]] = {}
    for arguments, make in ARGUMENTS.items():
        for label, tensors in given.items():
            found = seen(torch, function(torch, name), make, tensors)
            if found is not None:
                table.setdefault(arguments, {})[label] = found
    return table


def tensors(torch: Any) -> dict[str, Given]:
    return {
        f"{len(shape)}{layout}": Given(torch, shape, layout)
        for shape, layouts in SHAPES.items()
        for layout in layouts
    }


def main() -> None:
    import torch

    assert torch.__version__.startswith("2.13."), f"the reference is 2.13, not {torch.__version__}"
    given = tensors(torch)
    names = [n for n in public_names(symgrad) if _has(torch, n)]
    lines = [f"{json.dumps(n)}: {json.dumps(observed(torch, n, given))}" for n in names]
    PATH.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    print(f"{len(names)} names")


def _has(torch: Any, name: str) -> bool:
    try:
        function(torch, name)
    except AttributeError:
        return False
    return True


if __name__ == "__main__":
    main()
