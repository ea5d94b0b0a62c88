"""Record what PyTorch makes of tensors without axes.

    python -m tests.data.record_scalars

For each name that both libraries have, the lists of arguments of `tests.ops.scalar_cases` for which
PyTorch gives a result.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import symgrad
from tests.ops.layout_cases import function, public_names
from tests.ops.scalar_cases import ARGUMENTS, Given, outcome
from tests.recording import Recorded, lines, run

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


def files(torch: Any, chosen: Sequence[str]) -> Recorded:
    table = {}
    for name in sorted(public_names(symgrad)):
        try:
            function(torch, name)
        except AttributeError:
            continue
        if name not in RANDOM:
            table[name] = observed(torch, name)
    yield PATH, lines({name: found for name, found in table.items() if found})


if __name__ == "__main__":
    sys.exit(run(files))
