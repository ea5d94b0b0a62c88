"""What an operation states the formula of one of its elements with (`Primitive.entry`).

An index is a sequence of SymPy's integers, `Idx`, and formulas of these, one for each axis. What is
read of operands is asked for by `yield`, so that nothing recurses along a formula. The names of
indices, and what becomes of an operation that states nothing, are in `symgrad.forms.indexed`.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Iterable, Sequence
from typing import Any, Protocol, TypeAlias

import sympy

from symgrad.expr.dtypes import bool_
from symgrad.expr.node import ArrayExpr
from symgrad.expr.shapes import Shape

#: An index into an array, an entry for each axis.
Index: TypeAlias = Sequence[Any]
#: Yields an operand and an index into it, is sent the formula of that element, returns its own.
Reading: TypeAlias = Generator[tuple[Any, Index], Any, Any]


#: SymPy may make so many cases at most of what is summed.
MAX_CASES = 64


class NoEntry(Exception):  # noqa: N818 - `to_sympy` raises an error that says where
    """Raised where the element of an operation has no formula with indices; says why, if known."""


class Indices(Protocol):
    """Makes what binds an index in the formula of an element."""

    def bound(self, *lengths: int | None) -> list[Any]:
        """Return new indices that run along axes of some lengths; along one of length one, 0.

        One of length None runs as far as the sum says in which it stands.
        """

    def applied(self, node: Any, operands: Sequence[Any]) -> Any:
        """Return an operation on each element, of formulas of elements of its operands."""

    def named(self, name: str, x: Any, over: Sequence[Any], *at: Any) -> Any:
        """Return a function of a name, of `x` as a function of the indices `over`.

        None where formulas are to be written out, and where `over` has no index.
        """


# ---------------------------------------------------------------- indices


def fitted(index: Index, shape: Shape) -> list[Any]:
    """Return an index into an operand that is broadcast, from that into the result."""
    own = index[len(index) - len(shape) :]
    return [0 if n == 1 else i for i, n in zip(own, shape, strict=True)]


def with_entry(index: Index, axis: int, entry: Any) -> list[Any]:
    """Return an index with another entry for one axis; an index of no axes as it is."""
    return [entry if a == axis else i for a, i in enumerate(index)]


def without(index: Index, axis: int) -> list[Any]:
    """Return an index without one axis."""
    return [*index[:axis], *index[axis + 1 :]]


def flat(index: Index, shape: Shape) -> Any:
    """Return the place in the order of memory that an index names."""
    place: Any = sympy.S.Zero
    for i, n in zip(index, shape, strict=True):
        place = place * n + i
    return place


def unravelled(place: Any, shape: Shape) -> list[Any]:
    """Return the index that names a place in the order of memory."""
    found: list[Any] = []
    for n in shape[:0:-1]:
        place, rest = divided(place, n)
        found.append(rest)
    return [*([place] if shape else []), *found[::-1]]


def divided(place: Any, n: int) -> tuple[Any, Any]:
    """Return the whole quotient of an integer, and what is left, which is not negative.

    Of `n*i + j` the quotient is `i`, where `j` is known to be smaller than `n`.
    """
    if n < 2:
        return place, sympy.S.Zero
    whole, rest, most = sympy.S.Zero, sympy.S.Zero, 0
    for x, c in sympy.sympify(place).as_coefficients_dict().items():
        if c % n == 0:
            whole += c // n * x
            continue
        rest += c * x
        last = 1 if x == 1 else getattr(x, "upper", None)
        if c < 0 or last is None:
            most = n
        else:
            most += c * last
    if sympy.sympify(most < n) is sympy.true:  # of named sizes it may not be known
        return whole, rest
    left = sympy.Mod(rest, n)
    # No floor: SymPy finds that of d/3 to be -1 at times, where d is a symbol that is known to be 0.
    return whole + (rest - left) / n, left


# ---------------------------------------------------------------- formulas


def delta(i: Any, j: Any) -> Any:
    """Return 1 where two indices are equal, else 0.

    SymPy sums a `KroneckerDelta` of `2*k + l` as if `k` might be a fraction, so sums of indices are
    compared in a `Piecewise`.
    """
    if any(isinstance(k, (sympy.Add, sympy.Mul, sympy.Mod)) for k in (i, j)):
        return sympy.Piecewise((1, sympy.Eq(i, j)), (0, True))
    known = all(isinstance(k, (int, sympy.Integer, sympy.Idx)) for k in (i, j))
    return sympy.KroneckerDelta(i, j, **{} if known else {"evaluate": False})


def indicator(truth: Any) -> Any:
    """Return 1 where a truth value holds, else 0, without a `Piecewise` where SymPy has another way.

    SymPy takes the cases of a `Piecewise` out of the sum in which they stand.
    """
    if truth in (True, False):
        return sympy.Integer(bool(truth))
    if isinstance(truth, sympy.Not):
        return 1 - indicator(truth.args[0])
    if isinstance(truth, sympy.And):
        return sympy.Mul(*map(indicator, truth.args))
    if isinstance(truth, sympy.Or):
        return 1 - sympy.Mul(*[1 - indicator(x) for x in truth.args])
    if isinstance(truth, (sympy.Eq, sympy.Ne)):
        same = sympy.KroneckerDelta(*truth.args, evaluate=False)
        return same if isinstance(truth, sympy.Eq) else 1 - same
    if isinstance(truth, (sympy.Gt, sympy.Ge, sympy.Lt, sympy.Le)):
        return sympy.Heaviside(truth.gts - truth.lts, int(isinstance(truth, (sympy.Ge, sympy.Le))))
    return sympy.Piecewise((1, truth), (0, True))


def sum_over(x: Any, *limits: Any) -> Any:
    """Return a sum over indices, or over `(index, first, last)`."""
    return _repeated(sympy.Sum, x, limits)


def product_over(x: Any, *limits: Any) -> Any:
    """Return a product over indices, or over `(index, first, last)`."""
    return _repeated(sympy.Product, x, limits)


def _repeated(kind: Any, x: Any, limits: Sequence[Any]) -> Any:
    found = [_limit(k) for k in limits if isinstance(k, (sympy.Idx, tuple))]
    if not found:
        return x
    _check_cases(x, {k for k, *_ in found})
    return kind(x, *found)


def _check_cases(x: Any, over: set[Any]) -> None:
    """Raise where SymPy's sum over indices would be wrong, or too long.

    SymPy takes every `Piecewise` of such an index out of what is summed, also out of a sum inside
    that binds an index of the conditions, and makes a case of all combinations.
    """
    if not x.has(sympy.Piecewise):
        return
    if math.prod([len(p.args) for p in x.atoms(sympy.Piecewise) if p.has(*over)]) > MAX_CASES:
        raise NoEntry(f"since SymPy makes more than {MAX_CASES} cases of it")
    for inner in x.atoms(sympy.Sum, sympy.Product, sympy.Lambda):
        for cases in inner.atoms(sympy.Piecewise):
            conditions = sympy.Tuple(*[condition for _, condition in cases.args])
            if cases.has(*over) and conditions.has(*inner.variables):
                own = ", ".join(map(str, inner.variables))
                raise NoEntry(
                    f"since SymPy takes the cases of a Piecewise out of the sum over {own} inside"
                )


def _limit(k: Any) -> tuple[Any, Any, Any]:
    return k if isinstance(k, tuple) else (k, k.lower, k.upper)


def named_function(name: str) -> Any:
    """Return a function that SymPy knows by its name alone.

    SymPy does not know whether a `Lambda` commutes, and so would not know it of a function of one.
    """
    return sympy.Function(name, commutative=True)


def read_at(x: ArrayExpr, index: Index) -> Reading:
    """Return the element of another formula."""
    return (yield x, index)


def given(value: Any) -> Reading:
    """Return a formula for which no operand is read."""
    yield from ()
    return value


def chosen(cases: Iterable[tuple[Any, ArrayExpr | None, Index]]) -> Reading:
    """Return the element that the first condition which holds asks for, of None 0.

    The condition of the last counts as true.

    No element is asked for where its condition is false, as of an index that is a number.
    """
    found: list[tuple[Any, Any]] = []
    truth = False
    *others, (_, x, index) = cases
    for condition, operand, place in [*others, (True, x, index)]:
        if condition == False:  # noqa: E712 - the truth value may be SymPy's
            continue
        truth |= operand is not None and operand.dtype is bool_
        value = sympy.S.Zero if operand is None else (yield operand, place)
        found.append((value, condition))
        if condition == True:  # noqa: E712
            break
    if not truth:
        return by_cases(found)
    made = sympy.false
    for value, condition in found[::-1]:
        made = sympy.Or(sympy.And(condition, value), sympy.And(sympy.Not(condition), made))
    return made


def by_cases(cases: Sequence[tuple[Any, Any]]) -> Any:
    """Return the value of the first condition that holds, of which the last is true."""
    return cases[0][0] if len(cases) == 1 else sympy.Piecewise(*cases)


def between(first: Any, i: Any, end: Any) -> Any:
    """Return whether an index lies in a range, of which `end` is behind the last."""
    return sympy.And(sympy.Ge(i, first), sympy.Lt(i, end))
