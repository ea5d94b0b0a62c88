"""Named sizes of formulas: which numbers they have, read off the arrays given for leaves."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np
import sympy

from symgrad.expr.named_sizes import NamedSize, is_named, whole
from symgrad.expr.node import ArrayExpr
from symgrad.expr.shapes import Shape
from symgrad.expr.sizing import size_names, with_sizes


def sized(self: ArrayExpr, **sizes: int) -> ArrayExpr:
    """Return the formula where sizes that are names are numbers.

    Parameters
    ----------
    **sizes : int
        A number for each name, or for some of them.

    Raises
    ------
    ValueError
        For a name that the formula has not, a negative number, or numbers for which the formula was
        not written: it names the operation.
    TypeError
        For what is no integer.

    Examples
    --------
    >>> import symgrad
    >>> x = symgrad.leaf("x", ("n", "m"))
    >>> (x.sum() / x.numel()).sized(n=2, m=3)
    sum(x) / 6
    >>> x.sized(n=2).shape
    (2, m)
    """
    known = size_names([self])
    for name, n in sizes.items():
        if name not in known:
            raise ValueError(
                f"sized(): there is no size {name!r}; the formula has the sizes {_quoted(known)}"
            )
        checked_size(name, n)
    (made,) = with_sizes([self], {name: whole(n) for name, n in sizes.items()})
    return made


def checked_size(name: str, n: Any) -> int:
    """Return the number that is given for a size."""
    if isinstance(n, bool) or not hasattr(n, "__index__"):
        raise TypeError(f"the size {name!r} is an integer, not {n!r}")
    found = whole(n)
    if found < 0:
        raise ValueError(f"the size {name!r} is not negative, got {found}")
    return found


def fits(shape: Shape, given: Shape) -> bool:
    """Return whether an array of a shape may be the value of a leaf, whose sizes may be names."""
    return len(shape) == len(given) and all(
        type(n) is NamedSize or n == k for n, k in zip(shape, given, strict=True)
    )


class Sizes:
    """The numbers of named sizes, with what each is read off.

    Attributes
    ----------
    found : dict
        The numbers by the names.
    """

    def __init__(self, given: Mapping[str, int]) -> None:
        self.found = dict(given)
        self._source = {name: f"is given as {n}" for name, n in given.items()}
        self._open: list[tuple[NamedSize, int, str]] = []

    def read(self, name: str, shape: Shape, given: Shape) -> None:
        """Read the sizes in the shape of a leaf off the shape of an array for it.

        Raises
        ------
        ValueError
            If the shapes do not fit, or two arrays disagree.
        """
        if not fits(shape, given):
            raise ValueError(f"{name!r} has shape {shape}, but its value has shape {given}")
        source = f"the value of {name!r}, which has shape {given} for {shape}"
        for n, k in zip(shape, given, strict=True):
            if isinstance(n, NamedSize):
                self._open.append((n, k, source))

    def solve(self) -> None:
        """Find the names; one that stands alone as a size first.

        Raises
        ------
        ValueError
            If sizes disagree.
        """
        self._open.sort(key=lambda entry: not entry[0].formula.is_Symbol)
        for n, k, source in self._open:
            free = n.names.difference(self.found)
            if len(free) > 1:
                continue
            for name in free:
                self.found[name] = _solved(n.at(self.found), k, source)
                self._source[name] = f"is {self.found[name]} by {source}"
            if n.at(self.found) != k:
                known = ", ".join([f"{name!r} {self._source[name]}" for name in sorted(n.names)])
                raise ValueError(f"sizes disagree: {known}, and {n} is {k} by {source}")


def _solved(n: NamedSize, k: int, source: str) -> int:
    """Return the number of the only name in a size that is linear in it."""
    (symbol,) = n.formula.free_symbols
    slope, rest = n.formula.coeff(symbol, 1), n.formula.subs(symbol, 0)
    if slope.is_Integer and sympy.expand(slope * symbol + rest - n.formula) == 0:
        found, remainder = divmod(k - int(rest), int(slope))
        if not remainder and found >= 0:
            return found
    raise ValueError(f"no size {symbol.name!r} is found for which {n} is {k}, as by {source}")


def _quoted(names: Collection[str]) -> str:
    return ", ".join(map(repr, sorted(names))) or "(none)"


def bound(
    formula: ArrayExpr,
    given: Mapping[ArrayExpr, Any],
    sizes: Mapping[str, int],
) -> tuple[ArrayExpr, dict[ArrayExpr, Any]]:
    """Return a formula, and the values for its leaves, at the sizes that the values have.

    Parameters
    ----------
    formula : ArrayExpr
    given : mapping
        An array for each leaf.
    sizes : mapping
        The sizes that are given by their names.
    """
    found = Sizes(sizes)
    for x, value in given.items():
        if is_named(x.shape):
            found.read(str(x), x.shape, np.shape(value))
    found.solve()
    missing = size_names([formula]).difference(found.found)
    if missing:
        raise ValueError(
            f"no size {_quoted(missing)}: give it by its name, as in "
            f"e.evaluate({{{min(missing)!r}: 5}}), or the value of a leaf that has it"
        )
    (made,) = with_sizes([formula], found.found)
    leaves = with_sizes(list(given), found.found)
    return made, dict(zip(leaves, given.values(), strict=True))


def require_numbers(*roots: ArrayExpr) -> None:
    """Raise ValueError for formulas with named sizes, where each size must be a number."""
    names = size_names(roots)
    if names:
        sizes = ", ".join([f"{name}=5" for name in sorted(names)])
        raise ValueError(
            f"the formula has the sizes {_quoted(names)}, which are names, and here they must be "
            f"numbers: give them first, as in e.sized({sizes})"
        )


SIZED: dict[str, Any] = {"sized": sized}
