"""The command `check`: the gradients of a function in a file of the user's."""

from __future__ import annotations

import argparse
import inspect
import re
from typing import Any

import numpy as np

from symgrad.checks.check import MOST_ORDERS, check_gradients
from symgrad.checks.report import RIGHT, WRONG
from symgrad.cli.loading import BadInput, blaming, load
from symgrad.expr.dtypes import DTYPES
from symgrad.functions.creation.data import tensor

_DTYPES = {kind.name: kind for kind in DTYPES if kind.is_floating_point}
#: A parameter with its shape: `x=3`, `y=(2,3)`.
_SHAPE = re.compile(r"\s*([^\W\d]\w*)\s*=\s*(\d+|\((?:\s*\d+\s*,?)*\))\s*(?:,|$)")


def add_check(commands: Any) -> None:
    """Add the command to a parser's commands."""
    command = commands.add_parser(
        "check",
        help="check the gradients of a function in a Python file",
        description=(
            "Check the derivatives of a function of yours: proved where they have formulas, else "
            "compared with differences. The status is 0 if all are right, 1 if one is wrong, and 2 "
            "if nothing decides or the input cannot be used."
        ),
    )
    command.set_defaults(command=_check)
    command.add_argument(
        "target", metavar="FILE.py:function", help="the file is imported; so it runs"
    )
    command.add_argument(
        "--order", type=_order, default=3, metavar="N", help="the highest order (default: 3)"
    )
    command.add_argument(
        "--against", metavar="FILE.py:gradient", help="a function that returns the gradients"
    )
    command.add_argument(
        "--shapes",
        type=_shapes,
        default={},
        metavar="x=3,y=(2,3)",
        help="shapes of parameters (default: scalars)",
    )
    command.add_argument(
        "--dtype", choices=_DTYPES, default="float64", help="of all parameters (default: float64)"
    )
    command.add_argument("--json", action="store_true", help="print the report as JSON")


def _order(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and 1 <= int(text) <= MOST_ORDERS):
        raise argparse.ArgumentTypeError(f"{text!r} is not an order: 1 to {MOST_ORDERS}")
    return int(text)


def _shapes(text: str) -> dict[str, tuple[int, ...]]:
    shapes: dict[str, tuple[int, ...]] = {}
    at = 0
    while at < len(text):
        found = _SHAPE.match(text, at)
        if found is None:
            raise argparse.ArgumentTypeError(f"{text!r} are no shapes such as x=3,y=(2,3)")
        shapes[found[1]] = tuple([int(n) for n in re.findall(r"\d+", found[2])])
        at = found.end()
    return shapes


def _check(arguments: argparse.Namespace) -> int:
    """Print the report, and return the status."""
    function, name = load(arguments.target)
    against = load(arguments.against)[0] if arguments.against else None
    shapes = arguments.shapes
    with blaming(name):
        parameters = [
            p
            for p in inspect.signature(function).parameters.values()
            if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)
        ]
    for unknown in sorted(shapes.keys() - {p.name for p in parameters}):
        has = ", ".join([p.name for p in parameters]) or "none"
        raise BadInput(f"{name} has no parameter {unknown!r}; its parameters are: {has}")
    taken = [p for p in parameters if p.name in shapes or p.default is p.empty]
    dtype = _DTYPES[arguments.dtype]
    inputs = [
        tensor(_values(shapes.get(p.name, ()), i), dtype=dtype, requires_grad=True, name=p.name)
        for i, p in enumerate(taken)
    ]
    with blaming(f"the check of {name}"):
        report = check_gradients(function, tuple(inputs), arguments.order, against)
    print(report.to_json() if arguments.json else report)
    return {RIGHT: 0, WRONG: 1}.get(report.verdict, 2)


def _values(shape: tuple[int, ...], i: int) -> Any:
    """Return positive numbers of which no two beside each other agree."""
    count = np.arange(np.prod(shape, dtype=int)) + 1 + 0.37 * i
    return (0.3 + 1.4 * ((count * 0.6180339887498949) % 1)).reshape(shape)
