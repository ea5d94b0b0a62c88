"""Record what PyTorch makes of tensors without axes.

    python -m tests.data.record_scalars [cat …]

For each public name, the lists of arguments of `tests.ops.scalar_cases` for which PyTorch gives a
result; none where it has no such name.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import symgrad
from tests.ops.layout_cases import function, public_names
from tests.ops.scalar_cases import ARGUMENTS, Given, outcome
from tests.recording import PerOperation, Recorded, operation_of, run

#: Numbers that differ from draw to draw.
RANDOM = {"bernoulli", "multinomial", "nn.functional.dropout"}

RECORDS = PerOperation(
    Path(__file__).with_name("scalars"),
    operation_of,
    lambda: [name for name in sorted(public_names(symgrad)) if name not in RANDOM],
)


def observed(torch: Any, name: str) -> dict[str, str]:
    found: dict[str, str] = {}
    try:
        call = function(torch, name)
    except AttributeError:
        return found
    for arguments, make in ARGUMENTS.items():
        try:
            text = outcome(call, make, Given(torch))
        except Exception:  # its own backward fails
            continue
        if "[" in text:
            found[arguments] = text
    return found


def files(torch: Any, chosen: Sequence[str]) -> Recorded:
    yield from RECORDS.files(lambda name: observed(torch, name), chosen)


if __name__ == "__main__":
    sys.exit(run(files))
