"""How nodes are written as calls: of public functions, or of operations by their names.

What is written otherwise states its `notation`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy

from symgrad.expr.atoms import Const
from symgrad.expr.escaping import latex_text
from symgrad.expr.named_sizes import NamedSize
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import Notation, axes_latex, braces, public_parameters, with_text
from symgrad.expr.written import parameter_text, scalar_latex, size_latex

#: Names of parameters of public functions, where operations call them otherwise.
_PUBLIC_NAMES = {
    "axis": "dim", "axes": "dims", "axis1": "dim1", "axis2": "dim2", "keepdims": "keepdim",
}  # fmt: skip

#: Parameters of these names are axes, or tuples of axes.
AXIS_PARAMETERS = frozenset(("axis", "axes", "axis1", "axis2"))


def call_notation(node: Any) -> Notation:
    """Return the printed form of a node as a call, with parameters by keyword."""
    holes = [f"{{{i}}}" for i in range(len(node.operands))]
    name = latex_text(type(node).__name__.rstrip("_"))
    pairs = zip(node.params, node.param_values, strict=True)
    public = public_parameters(type(node).__name__)
    # The shape of a result is not written on paper, nor what is not asked for.
    given = ", ".join(
        [
            _parameter_latex(n, v)
            for n, v in pairs
            if n.rstrip("_") != "shape" and v is not None and v is not False
            if n not in public or not _is_default(v, public[n])
        ]
    )
    called = rf"\operatorname{{{name}}}" + (f"_{{{given}}}" if given else "")
    found = Notation(node.call_text(), rf"{braces(called)}\left({', '.join(holes)}\right)")
    text = node.public_text()
    return found if text is None else with_text(found, text)


def call_template(node: Any, operation: bool = False) -> str:
    """Return a template of a call: of the public function where it has these parameters.

    `operation` says whether to call the operation itself, whatever is public.
    """
    name = type(node).__name__
    public = public_parameters(node.public_name or name)
    spelled = {n: n if n in public else _PUBLIC_NAMES.get(n, n) for n in node.params}
    count = len(node.operands)
    # What is given by keyword must not stand among what is given by position.
    free = set(list(public)[count:])
    path = node.public_name or name
    if operation or not free.issuperset(spelled.values()):
        path = f"op.{name}" if operation or public else name
        spelled, public = {n: n for n in node.params}, {}
    defaults = [*public.values()]
    while count > 1 and _is_default_number(node.operands[count - 1], defaults, count - 1):
        count -= 1
    parts = [f"{{{i}}}" for i in range(count)]
    for param, value in zip(node.params, node.param_values, strict=True):
        if not _is_default(value, public.get(spelled[param], "")):
            parts.append(f"{spelled[param]}={braces(parameter_text(value))}")
    return f"{path}({', '.join(parts)})"


def _parameter_latex(name: str, value: Any) -> str:
    """Return a parameter as it stands below the name of an operation, in LaTeX.

    An axis is its index letter, what is true is its name, and any other value is itself.
    """
    if name in AXIS_PARAMETERS:
        return axes_latex(value if isinstance(value, tuple) else (value,))
    if value is True:
        return rf"\mathrm{{{latex_text(name)}}}"
    if isinstance(value, tuple):
        listed = ", ".join([_parameter_latex("", v) for v in value])
        return listed if len(value) == 1 else f"({listed})"
    if isinstance(value, NamedSize):
        return size_latex(value)
    if isinstance(value, (int, float)):
        return scalar_latex(sympy.sympify(value, strict=True))
    return rf"\mathrm{{{latex_text(str(getattr(value, 'name', value)))}}}"


def _is_default(value: Any, default: str) -> bool:
    """Return whether a parameter has the value of which a signature states the text."""
    text = parameter_text(value)
    return default in (text, text.strip("'"))


def _is_default_number(x: ArrayExpr, defaults: Sequence[str], place: int) -> bool:
    """Return whether an operand is the number that a signature has in its place."""
    given = type(x) is Const and x.weak and place < len(defaults)
    return given and _is_default(x.value, defaults[place])
