"""Where formulas are not smooth: poles, jumps, kinks and roots, found from those of operations.

What an operation computes of each element is a formula of SymPy; it is not smooth where one of its
parts is zero, such as the argument of an absolute value.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
import sympy
from sympy.core.relational import Relational

from symgrad.expr.atoms import Const, as_expr, is_const
from symgrad.expr.graph import toposort
from symgrad.expr.node import ArrayExpr
from symgrad.forms.from_sympy import from_sympy
from symgrad.lower.evaluate import of_leaves
from symgrad.ops.composite import written_out
from symgrad.ops.elementwise import Elementwise
from symgrad.ops.primitive import Primitive


class Singularity(NamedTuple):
    """A part of a formula that is not smooth where another formula is zero.

    Attributes
    ----------
    kind : str
        "pole", where values are infinite; "jump"; "kink", where values are continuous and
        derivatives are not; or "root", where derivatives are infinite.
    part : ArrayExpr
        The part of the formula.
    left, right : ArrayExpr
        The formulas that are equal there, for each element.
    """

    kind: str
    part: ArrayExpr
    left: ArrayExpr
    right: ArrayExpr

    @property
    def zero(self) -> ArrayExpr:
        """The formula that is zero there."""
        return self.left if is_const(self.right, 0) else self.left - self.right

    def __str__(self) -> str:
        return f"{self.kind} of {short(self.part)} where {short(self.left)} == {short(self.right)}"


def singularities(e: Any, values: Mapping[Any, Any] | None = None) -> list[Singularity]:
    """Return where a formula is not smooth, by its parts.

    Parameters
    ----------
    e : Tensor or ArrayExpr
        The formula.
    values : mapping, optional
        Values of the leaves, as `evaluate` takes them: only the singularities that some element
        meets there are returned.

    Returns
    -------
    list of Singularity
        In the order of the parts. A part that is masked out is named as well.

    Examples
    --------
    >>> import symgrad
    >>> x, y = symgrad.symbols("x y")
    >>> for s in symgrad.singularities(abs(x) + 1 / y):
    ...     print(s)
    kink of abs(x) where x == 0
    pole of 1 / y where y == 0
    >>> symgrad.singularities(abs(x) + 1 / y, {"x": 2.0, "y": 1.0})
    []
    """
    formula = as_expr(getattr(e, "expr", e))
    found = list(dict.fromkeys(_all(formula)))
    if values is None or not found:
        return found
    tried = _evaluated([s.zero for s in found], values)
    return [s for s, zero in zip(found, tried, strict=True) if np.any(zero == 0)]


def _evaluated(es: list[ArrayExpr], values: Mapping[Any, Any]) -> list[Any]:
    named = {getattr(k, "name", k): v for k, v in values.items()}
    executable = of_leaves(es)
    given = [np.asarray(named[label]) for label in executable._labels]
    return executable.arrays(given)


def _all(formula: ArrayExpr) -> Iterator[Singularity]:
    (plain,) = written_out([formula])
    for x in toposort([plain]):
        if isinstance(x, Elementwise):
            for kind, left, right in _of_elements(x):
                yield Singularity(kind, x, left, right)
        elif isinstance(x, Primitive):
            for kind, zero in x.singular():
                yield Singularity(kind, x, zero, Const(0))


def _of_elements(x: Elementwise) -> Iterator[tuple[str, ArrayExpr, ArrayExpr]]:
    of = {sympy.Dummy(f"x{i}", real=True): y for i, y in enumerate(x.operands)}
    try:
        shape = x.element(*[_number(y) or s for s, y in of.items()])
    except (ValueError, TypeError, NotImplementedError):
        return  # SymPy has no function for it
    for kind, left, right in _of_scalars(sympy.sympify(shape)):
        if left.free_symbols and not (left - right).is_nonzero:
            yield kind, _formula(left, of), _formula(right, of)


def _number(x: ArrayExpr) -> Any:
    """Return a number of a formula that is not zero, in SymPy."""
    return sympy.sympify(x.value) if isinstance(x, Const) and x.value else None


def _formula(side: Any, of: Mapping[Any, ArrayExpr]) -> ArrayExpr:
    if side in of:
        return of[side]
    if side.is_Integer:
        return Const(int(side))
    made: ArrayExpr = from_sympy(side, {s: of[s] for s in side.free_symbols})
    return made


def _of_scalars(e: Any) -> Iterator[tuple[str, Any, Any]]:
    """Yield the kinds of singularities of a formula of SymPy, and what is equal there."""
    for part in sympy.preorder_traversal(e):
        if isinstance(part, sympy.Pow):
            kind = _of_power(*part.args)
            if kind:
                yield kind, part.base, sympy.S.Zero
        elif isinstance(part, (sympy.Max, sympy.Min)):
            first, *rest = sorted(part.args, key=_numbers_last)
            for other in rest:
                yield "kink", first, other
        elif isinstance(part, Relational):
            yield "jump", part.lhs, part.rhs
        else:
            for cls, (kind, zero) in _zeros().items():
                if isinstance(part, cls):
                    yield kind, zero(part.args[0]), sympy.S.Zero


def _numbers_last(x: Any) -> Any:
    return x.is_number, sympy.default_sort_key(x)


def _of_power(base: Any, exponent: Any) -> str:
    """Return the kind of singularity of a power where its base is zero."""
    if exponent.is_number and (exponent.is_integer or exponent > 1) and exponent >= 0:
        return ""
    if base.is_number:
        return ""
    return "root" if exponent.is_number and exponent > 0 else "pole"


@functools.cache
def _zeros() -> dict[Any, tuple[str, Callable[[Any], Any]]]:
    """Return, for functions of SymPy, the kind of their singularity and what is zero there."""
    itself: Callable[[Any], Any] = lambda a: a  # noqa: E731
    at_one: Callable[[Any], Any] = lambda a: 1 - a**2  # noqa: E731
    whole: Callable[[Any], Any] = lambda a: a - sympy.floor(a)  # noqa: E731
    return {
        sympy.Abs: ("kink", itself),
        sympy.sign: ("jump", itself),
        sympy.Heaviside: ("jump", itself),
        sympy.floor: ("jump", whole),
        sympy.ceiling: ("jump", whole),
        sympy.log: ("pole", itself),
        sympy.tan: ("pole", sympy.cos),
        sympy.sec: ("pole", sympy.cos),
        sympy.cot: ("pole", sympy.sin),
        sympy.csc: ("pole", sympy.sin),
        sympy.asin: ("root", at_one),
        sympy.acos: ("root", at_one),
        sympy.acosh: ("root", lambda a: a - 1),
        sympy.atanh: ("pole", at_one),
    }


def short(e: ArrayExpr, most: int = 80) -> str:
    """Return the text of a formula in one line, cut where it is long."""
    text = str(e).replace("\n", "; ")
    return text if len(text) <= most else text[: most - 1] + "…"
