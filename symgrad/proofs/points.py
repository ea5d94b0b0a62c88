"""Points at which two formulas are compared: plain ones first, then edges and ties.

All numbers follow from the names of leaves by a hash function; each is one of the leaf's dtype.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import sympy

from symgrad.expr.atoms import ArrayConst, Const, Leaf
from symgrad.expr.dtypes import Category, bool_, dtype
from symgrad.expr.graph import toposort
from symgrad.expr.node import ArrayExpr
from symgrad.proofs.primes import drawn
from symgrad.support.quiet import quietly

#: A point: an array for each leaf.
Point = Mapping[Leaf, np.ndarray[Any, Any]]

#: How many binary digits plain numbers have after the point.
_DIGITS = 8
#: The most numbers of the formulas that are tried.
_MAX_NUMBERS = 8
#: The key of all points.
_KEY = b"points"


def points(formulas: Sequence[ArrayExpr], leaves: Sequence[Leaf]) -> Iterator[Point]:
    """Yield the points, in a fixed order.

    Examples
    --------
    >>> import symgrad
    >>> from symgrad.proofs.points import points
    >>> x = symgrad.leaf("x")
    >>> len(list(points([x * x], [x]))) > 20
    True
    """
    numbers = _numbers(formulas)
    plans = [_plain(i, low, high) for i, (low, high) in enumerate(_RANGES)]
    edges = [0.0, 1.0, -1.0, *numbers]
    plans += [_mixed(f"edges {i}", edges) for i in range(3)]
    plans += [_all_but_some(c, i) for i, c in enumerate(edges)]
    plans += [_plain(i + len(_RANGES), *_RANGES[i]) for i in range(len(_RANGES))]
    plans += [_tied, *[_all(c) for c in edges]]
    plans += [_mixed(f"sizes {i}", [*edges, *sizes]) for i, sizes in enumerate(_SIZES)]
    plans += [_all(c) for sizes in _SIZES for c in sizes]
    for plan in plans:
        point = {}
        for x in leaves:
            values = np.empty(x.shape, object)
            for place in np.ndindex(x.shape):
                values[place] = _as_assumed(x, plan(f"{x.name} {place}", place))
            point[x] = values.astype(x.dtype.numpy)
        yield point


#: Between which numbers plain ones lie: most functions are defined somewhere there.
_RANGES = ((-3, 3), (0, 1), (0, 4), (-1, 1), (1, 3), (-8, 8))

_TINY, _HUGE = 5e-324, 1e300
#: Numbers of unusual sizes.
_SIZES = ((20.0, -20.0, 1e-3), (200.0, -200.0, 1e-9), (_HUGE, -_HUGE), (_TINY, -_TINY, 1e-30))


def _numbers(formulas: Sequence[ArrayExpr]) -> list[float]:
    """Return numbers of the formulas, with their neighbours, at which they may have branches."""
    found: dict[float, None] = {}
    for x in toposort(formulas):
        if isinstance(x, (Const, ArrayConst)):
            for v in np.asarray(x.value).reshape(-1)[:_MAX_NUMBERS].tolist():
                if isinstance(v, (int, float)) and math.isfinite(v) and abs(v) < _HUGE:
                    found.update(dict.fromkeys([float(v), -float(v)]))
    kept = [v for v in found if v not in (0, 1, -1)][:_MAX_NUMBERS]
    return [y for v in kept for y in (v, math.nextafter(v, math.inf), v * (1 + 2.0**-12))]


# ------------------------------------------------------------------ plans of a point


def _plain(i: int, low: int, high: int) -> Any:
    """Return a plan of distinct numbers of a range."""
    count = (high - low) << _DIGITS
    return lambda text, place: low + drawn(_KEY, f"{i} {text}", count) / (1 << _DIGITS)


def _mixed(label: str, values: Sequence[float]) -> Any:
    """Return a plan of some numbers, by chance."""
    return lambda text, place: values[drawn(_KEY, f"{label} {text}", len(values) + 1) - 1]


def _all(value: float) -> Any:
    """Return a plan of one number."""
    return lambda text, place: value


def _all_but_some(value: float, i: int) -> Any:
    """Return a plan of plain numbers, of which some are one number."""
    plain = _plain(i, *_RANGES[0])
    return lambda text, place: (
        value if drawn(_KEY, f"some {i} {text}", 3) == 1 else plain(text, place)
    )


def _tied(text: str, place: tuple[int, ...]) -> float:
    """Return one of two numbers, which are then equal in many places."""
    return 0.75 + drawn(_KEY, f"tied {text}", 3) / 4


# ------------------------------------------------------------------ what leaves may be


def _as_assumed(x: Leaf, value: float) -> Any:
    """Return a number near `value` that is one of the dtype, and has what its symbol assumes."""
    number = _of_dtype(x.dtype, value)
    if x.dtype is not bool_ and x.symbol.assumptions0 and not _fits(x, number):
        for other in (abs(number), -abs(number), 1, 2, -1, -2, 0.5, -0.5, 0):
            if _fits(x, _of_dtype(x.dtype, other)):
                return _of_dtype(x.dtype, other)
    return number


def _of_dtype(kind: dtype, value: float) -> Any:
    if kind is bool_:
        return value > 0.5
    if kind.category == Category.INT:
        limits = np.iinfo(kind.numpy)
        return int(min(max(round(value), limits.min), limits.max))
    made = float(quietly(kind.numpy.type, value))
    return made if math.isfinite(made) else math.copysign(1.0, value)


def _fits(x: Leaf, value: Any) -> bool:
    number = sympy.Rational(*float(value).as_integer_ratio())
    known = x.symbol.assumptions0
    return all(getattr(number, f"is_{name}", held) is held for name, held in known.items())
