"""How many digits of a derivative are right, and which operation loses those that are not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import mpmath
import numpy as np

from symgrad.checks.exactly import DIGITS, NotExact, values_of
from symgrad.checks.singular import short
from symgrad.differentiate.sweeps import with_derivative_rewrites
from symgrad.expr.atoms import Leaf
from symgrad.expr.graph import rebuild, toposort
from symgrad.expr.node import ArrayExpr
from symgrad.lower.evaluate import of_leaves
from symgrad.ops.primitive import Primitive
from symgrad.ops.results import Several

#: A derivative loses digits where its error is so many times that of rounded inputs, or more.
_LOST = 64.0


#: What is smaller is zero, but for the last of the digits in which it is computed.
_NOTHING = mpmath.mpf(10) ** (20 - DIGITS)


class Precision(NamedTuple):
    """The error of a computed formula.

    Attributes
    ----------
    ulps : float
        The largest error of an element, in units of the last digit of the largest one's dtype.
    condition : float
        By how much more than an input a value changes, relative to each.
    note : str
        The operation that loses digits, with its operands; "" where none does.
    """

    ulps: float
    condition: float
    note: str = ""


def precision_of(e: ArrayExpr, point: Mapping[Leaf, Any]) -> Precision | None:
    """Return the error of a formula as it is computed at a point; None where it is not known."""
    try:
        (exact,) = values_of([e], point)
        moved = {x: _moved(v) for x, v in point.items()}
        (beside,) = values_of([e], moved)
    except NotExact:
        return None
    found = _computed([e], point)[0]
    eps = np.finfo(found.dtype).eps
    size = max([abs(x) for x in exact.flat if mpmath.isfinite(x)], default=mpmath.mpf(0))
    if size < _NOTHING or not np.all(np.isfinite(found)):
        return None
    ulps = _worst(found, exact, size) / eps
    change = max([abs(a - b) for a, b in zip(beside.flat, exact.flat, strict=True)])
    condition = float(change / size / eps)
    note = ""
    if ulps > _LOST * max(1.0, condition):
        note = _where_lost(e, point)
    return Precision(float(ulps), condition, note)


def _worst(found: Any, exact: Any, size: Any) -> Any:
    errors = [abs(mpmath.mpf(float(a)) - b) for a, b in zip(found.flat, exact.flat, strict=True)]
    return float(max(errors) / size)


def _moved(value: Any) -> Any:
    """Return values that are one unit of the last digit further, one up and one down."""
    array = np.asarray(value)
    if array.dtype.kind != "f":
        return array
    signs = np.where(np.arange(array.size).reshape(array.shape) % 2, -1, 1)
    return np.nextafter(array, np.inf * signs, dtype=array.dtype)


def _computed(es: Sequence[ArrayExpr], point: Mapping[Leaf, Any]) -> list[Any]:
    executable = of_leaves(es)
    named = {x.name: v for x, v in point.items()}
    return [np.asarray(x) for x in executable.arrays([named[k] for k in executable._labels])]


def _where_lost(e: ArrayExpr, point: Mapping[Leaf, Any]) -> str:
    """Return the operation whose error is most larger than those of its operands."""
    nodes: list[ArrayExpr] = [
        x for x in toposort([e])
        if isinstance(x, Primitive) and not isinstance(x, Several) and x.dtype.is_floating_point
    ]  # fmt: skip
    try:
        exact = dict(zip(nodes, values_of(nodes, point), strict=True))
    except NotExact:
        return ""
    found = dict(zip(nodes, _computed(nodes, point), strict=True))
    errors = {x: _relative(found[x], exact[x]) for x in nodes}
    eps = float(np.finfo(found[e].dtype).eps)

    def growth(x: ArrayExpr) -> float:
        before = max([errors[y].max(initial=0) for y in x.operands if y in errors], default=0.0)
        return float(errors[x].max(initial=0) / max(before, eps))

    worst = max(nodes, key=growth)
    place = np.unravel_index(int(np.argmax(errors[worst])), errors[worst].shape)
    operands = [
        f"{float(np.broadcast_to(v, found[worst].shape)[place]):.12g}"
        for v in (_value(y, found, point) for y in worst.operands)
        if v is not None and np.broadcast_shapes(np.shape(v), worst.shape) == worst.shape
    ]
    text = f"{short(worst)} loses digits"
    if operands:
        text += f" at {', '.join(operands)}"
    stable = _stable(worst)
    return text + (f"; {short(stable)} keeps them" if stable is not worst else "")


def _relative(found: Any, exact: Any) -> Any:
    out = np.zeros(found.shape)
    for i in np.ndindex(found.shape):
        a, b = mpmath.mpf(float(found[i])), exact[i]
        if mpmath.isfinite(a) and mpmath.isfinite(b):
            out[i] = float(min(abs(a - b) / abs(b), mpmath.mpf(1)) if b else abs(a) > 0)
    return out


def _value(x: ArrayExpr, found: Mapping[ArrayExpr, Any], point: Mapping[Any, Any]) -> Any:
    return point[x] if x in point else getattr(x, "value", None) if x not in found else found[x]


@with_derivative_rewrites
def _stable(e: ArrayExpr) -> ArrayExpr:
    """Return a formula as derivatives are computed: with the forms that keep digits."""

    def visit(x: ArrayExpr, operands: tuple[ArrayExpr, ...]) -> ArrayExpr:
        made: ArrayExpr = x.func(*operands, *x.args[len(operands) :]) if operands else x
        return made

    made: ArrayExpr = rebuild([e], visit)[0]
    return made
