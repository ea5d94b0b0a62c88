"""Derivatives of formulas found by another way: by SymPy, and by differences of many digits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import mpmath
import numpy as np
import sympy

from symgrad.checks.directions import (
    fixed_direction,
    gradients_by_order,
    names_of_directions,
    scalar_of,
)
from symgrad.checks.exactly import DIGITS, STEP, NotExact, difference, values_of
from symgrad.checks.subject import Array, Subject, traced_at
from symgrad.expr.atoms import Leaf
from symgrad.expr.graph import toposort
from symgrad.expr.node import ArrayExpr
from symgrad.expr.shapes import size_of

#: The most elements of the inputs, and operations of a formula of SymPy, that it differentiates.
_MOST_ELEMENTS, _MOST_OPERATIONS = 24, 4_000
#: How far derivatives of many digits may be apart, relative to the largest element.
_CLOSE = mpmath.mpf(10) ** -(STEP + 3)


class Outcome(NamedTuple):
    """What another way says of a derivative.

    Attributes
    ----------
    agrees : bool or None
        None where it cannot tell.
    how : str
        The way.
    detail : str
        Where they differ, or why it cannot tell.
    """

    agrees: bool | None
    how: str
    detail: str = ""


Outcomes = list[list[Outcome]]


def by_sympy(subject: Subject, count: int) -> Outcomes | None:
    """Return what SymPy says of the derivatives of the function's own formula, by order and input.

    The formula of each element is differentiated by SymPy at small shapes, and the values of both
    are compared in many digits. None where the function or SymPy has no such formula.
    """
    small = _smaller(subject)
    if small is None:
        return None
    results, inputs, values = small
    moving = [inputs[i] for i in subject.moving]
    elements = sum([size_of(x.shape) for x in moving])
    scalar = scalar_of(results, fixed_direction)
    if elements > _MOST_ELEMENTS or _written_size(scalar) > _MOST_OPERATIONS:
        return None
    try:
        plain = scalar.to_sympy("explicit", exact=False)
        symbols = [x.to_sympy("explicit") for x in moving]
    except (ValueError, TypeError, NotImplementedError):
        return None
    point = {**subject.captured, **dict(zip(inputs, values, strict=True))}
    rows: Outcomes = []
    for gradients in gradients_by_order(scalar, moving, count, fixed_direction):
        flat = [_elements(s) for s in symbols]
        found = [[sympy.diff(plain, s) for s in of] for of in flat]
        if sum([e.count_ops() for of in found for e in of]) > _MOST_OPERATIONS * elements:
            return rows or None
        try:
            ours = values_of(gradients, point)
            theirs = _at(found, point)
        except NotExact:
            return rows or None
        rows.append([_compared(a, b, "SymPy") for a, b in zip(ours, theirs, strict=True)])
        k = len(rows)
        plain = _moved(found, moving, k, count)
    return rows


def _written_size(e: ArrayExpr) -> int:
    """Return how many operations a formula has where shared parts are written again."""
    sizes: dict[ArrayExpr, int] = {}
    for x in toposort([e]):
        sizes[x] = 1 + sum([sizes[y] for y in x.operands])
    return sizes[e]


def _moved(found: list[list[Any]], moving: Sequence[Leaf], k: int, count: int) -> Any:
    """Return the derivative along the fixed directions of an order, of gradients by elements."""
    if len(moving) == 1 and not moving[0].shape:
        return found[0][0]
    total = sympy.S.Zero
    names = names_of_directions(moving, k, count)
    for of, x, name in zip(found, moving, names, strict=True):
        direction = fixed_direction(name, x).ravel().tolist()
        total += sum([e * sympy.Rational(v) for e, v in zip(of, direction, strict=True)])
    return total


def _elements(s: Any) -> list[Any]:
    return list(sympy.flatten(s)) if isinstance(s, sympy.NDimArray) else [s]


def _at(found: list[list[Any]], point: Mapping[Leaf, Any]) -> list[Any]:
    """Return the values of SymPy's formulas at a point, in many digits."""
    symbols: dict[Any, Any] = {}
    for x, value in point.items():
        numbers = np.asarray(value).ravel().tolist()
        symbols |= dict(zip(_elements(x.to_sympy("explicit")), numbers, strict=True))
    with mpmath.workdps(DIGITS):
        f = sympy.lambdify(list(symbols), found, "mpmath", cse=True)
        try:
            made = f(*[mpmath.mpf(v) for v in symbols.values()])
        except Exception as error:  # SymPy's own code of a formula may fail in any way
            raise NotExact(str(error)) from error
    return [np.array([mpmath.mpmathify(v) for v in of], object) for of in made]


def _compared(ours: Any, theirs: Any, how: str) -> Outcome:
    """Return whether two arrays of numbers of many digits agree."""
    a, b = np.ravel(ours), np.ravel(theirs)
    with mpmath.workdps(DIGITS):
        scale = max([mpmath.mpf(1), *[abs(v) for v in b]])
        worst = max(range(a.size), key=lambda i: abs(a[i] - b[i]), default=None)
        if worst is None or abs(a[worst] - b[worst]) <= _CLOSE * scale:
            return Outcome(True, how)
        detail = f"element {worst} is {_digits(a[worst])}, and {how} has {_digits(b[worst])}"
    return Outcome(False, how, detail)


def _digits(x: Any) -> str:
    return str(mpmath.nstr(x, 8))


def _smaller(
    subject: Subject,
) -> tuple[tuple[ArrayExpr, ...], list[Leaf], list[Array]] | None:
    """Return the function's own formula at small shapes, or at the given ones, near the point.

    Different sizes stay different where the function can be traced so.
    """
    sizes = sorted({n for x in subject.inputs for n in x.shape if n > 1})
    for least in (2, 3):
        to = {n: min(n, least + i) for i, n in enumerate(sizes)}
        shapes = [tuple([to.get(n, n) for n in x.shape]) for x in subject.inputs]
        if any(shape != x.shape for shape, x in zip(shapes, subject.inputs, strict=True)):
            cut = [
                _near(v[tuple([slice(n) for n in shape])])
                for v, shape in zip(subject.values, shapes, strict=True)
            ]
            placed = [
                Leaf(x.name, shape, x.dtype)
                for x, shape in zip(subject.inputs, shapes, strict=True)
            ]
            results = traced_at(subject.call, placed)
            if results is not None:
                return results, placed, cut
    if subject.forwards is None:
        return None
    return subject.forwards, list(subject.inputs), [_near(v) for v in subject.values]


def _near(value: Array) -> Array:
    """Return a point near another one, where ties and zeros are left."""
    if value.dtype.kind != "f":
        return value
    steps = 1 + (np.arange(value.size).reshape(value.shape) * 7 % 11 - 5) / 256
    moved = np.where(value == 0, 1 / 32, value) * steps
    return moved.astype(np.float64)


def by_exact_differences(subject: Subject, count: int) -> Outcomes | None:
    """Return what differences of many digits say of the derivatives, by order and input."""
    if subject.forwards is None:
        return None
    moving = [subject.inputs[i] for i in subject.moving]
    scalar = scalar_of(subject.forwards, fixed_direction)
    values = [_near(v) for v in subject.values]
    point = {**subject.captured, **dict(zip(subject.inputs, values, strict=True))}
    alone = len(moving) == 1 and not moving[0].shape
    rows: Outcomes = []
    along: list[dict[Leaf, Any]] = []
    for k, gradients in enumerate(gradients_by_order(scalar, moving, count, fixed_direction), 1):
        row = []
        try:
            found = values_of(gradients, point)
            for x, g in zip(moving, found, strict=True):
                u = np.ones(()) if alone else fixed_direction(f"u_{x.name}", x).astype(float)
                value = difference(scalar, point, [*along, {x: u}])
                with mpmath.workdps(DIGITS):
                    terms = [a * float(b) for a, b in zip(g.flat, u.flat, strict=True)]
                    ours, scale = mpmath.fsum(terms), mpmath.fsum(map(abs, terms))
                    near = abs(ours - value) <= _CLOSE * max(1, scale)
                how = "differences in many digits"
                detail = (
                    "" if near else f"along a direction it is {_digits(ours)}, not {_digits(value)}"
                )
                row.append(Outcome(bool(near), how, detail))
        except NotExact:
            return rows or None
        rows.append(row)
        if k < count:
            names = names_of_directions(moving, k, count)
            along.append(
                {x: np.ones(()) if alone else fixed_direction(n, x).astype(float)
                 for x, n in zip(moving, names, strict=True)}
            )  # fmt: skip
    return rows
