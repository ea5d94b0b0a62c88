"""Record what PyTorch makes of tensors without axes.

    python -m tests.data.record_scalars

For each name that both libraries have, the lists of arguments of `tests.ops.scalar_cases` for which
PyTorch gives a result.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import symgrad
from tests.ops.layout_cases import function, public_names
from tests.ops.scalar_cases import ARGUMENTS, Given, outcome

PATH = Path(__file__).with_name("scalars.json")

#: Numbers that differ from draw to draw.
RANDOM = {"bernoulli", "multinomial", "nn.functional.dropout"}


def observed(torch: Any, name: str) -> dict[str, str]:
    found = {}
    for arguments, make in ARGUMENTS.items():
        try:
            text = outcome(function(torch, name), make, Given(torch))
        except Exception:  # its own backward fails
            continue
        if "[" in text:
            found[arguments] = text
    return found


def main() -> None:
    import torch

    assert torch.__version__.startswith("2.13."), f"the reference is 2.13, not {torch.__version__}"
    table = {}
    for name in public_names(symgrad):
        try:
            function(torch, name)
        except AttributeError:
            continue
        if name not in RANDOM:
            table[name] = observed(torch, name)
    lines = [f"{json.dumps(name)}: {json.dumps(found)}" for name, found in table.items() if found]
    PATH.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    print(f"{len(lines)} names")


if __name__ == "__main__":
    main()
