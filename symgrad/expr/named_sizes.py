"""`NamedSize`: the length of an axis that is a name, or computed from names, as `n` and `3 * n`.

It computes as an integer does, in exact polynomials, and is no integer: what would read its number
(`range(n)`, `float(n)`, an array of that length) raises an error which names it. So a name cannot
get lost on the way to a formula, and a formula that has it holds for every size.
"""

from __future__ import annotations

import functools
import operator
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy
from sympy.printing.precedence import PRECEDENCE
from sympy.printing.pycode import PythonCodePrinter

from numeric.identifiers import identifier
from symgrad.support.above import FromAbove

#: Returns a number or a size as an expression.
as_expression: FromAbove[Callable[[Any], Any]] = FromAbove("symgrad.expr.atoms")

# In annotations, a size is an integer.
_Integer: Any = int if TYPE_CHECKING else object

# Where sizes are compared, a name is longer than any plain number: one of these, by its letters.
_LONG = 1 << 61
_TELLING = (1 << 59) - 55


class UnknownSize(TypeError):  # noqa: N818 - it says what is missing
    """The error where the number of a size is needed that is a name."""


def _quotient(a: sympy.Expr, b: sympy.Expr) -> sympy.Expr:
    """Return the whole quotient of sizes, exact where there is no remainder for any size."""
    quotient = sympy.cancel(a / b)
    below = sympy.fraction(sympy.together(quotient))[1]
    return quotient if below == 1 else sympy.floor(a / b)


_NUMBERS = (int, float, complex, np.number, np.ndarray)


def _operators(compute: Callable[..., Any], exact: Callable[..., Any]) -> tuple[Any, Any]:
    """Return an operator, and the one for a size on the right-hand side.

    Of sizes and integers `exact` gives a size, of a size and other numbers `compute` a formula.
    """

    def computed(self: NamedSize, other: Any) -> Any:
        if isinstance(other, (int, np.integer, NamedSize)):
            return size_of_formula(exact(self.formula, as_formula(other)))
        return (
            compute(as_expression.call(self), other) if _is_beside(self, other) else NotImplemented
        )

    def reflected(self: NamedSize, other: Any) -> Any:
        if isinstance(other, (int, np.integer)):
            return size_of_formula(exact(as_formula(other), self.formula))
        return (
            compute(other, as_expression.call(self)) if _is_beside(self, other) else NotImplemented
        )

    return computed, reflected


def _is_beside(self: NamedSize, other: Any) -> bool:
    """Return whether a size computes with it as a formula; a list is not repeated so often."""
    if isinstance(other, Sequence):
        _unknown(self)
    return isinstance(other, _NUMBERS)


def _compared(compare: Callable[[int, int], bool]) -> Callable[[Any, Any], Any]:
    def comparison(self: NamedSize, other: Any) -> Any:
        if isinstance(other, NamedSize):
            return compare(self.typical, other.typical)
        is_number = isinstance(other, (int, float, np.integer, np.floating))
        return compare(self.typical, other) if is_number else NotImplemented

    return comparison


def _unknown(self: NamedSize) -> Any:
    raise UnknownSize(
        f"the size {self} is a name, and what reads its number holds for one size alone: give the "
        f"size first, as in e.sized({min(self.names)}=5), or give the leaf a shape of integers"
    )


class NamedSize(_Integer):  # type: ignore[misc]
    """A size that is a name, or a polynomial of names.

    Parameters
    ----------
    formula : sympy.Expr
        The size, of the symbols of `size_symbol`.

    Attributes
    ----------
    typical : int
        A number in its place where sizes are compared: larger than all that are numbers.

    Examples
    --------
    >>> n = named_size("n")
    >>> (n, 3 * n - 1, n * n // n, n - n)
    (n, 3 * n - 1, n, 0)
    >>> n == named_size("n"), n == 3, n > 3
    (True, False, True)
    """

    __slots__ = ("formula", "typical")
    formula: sympy.Expr
    typical: int
    # NumPy's numbers leave operators with a size to the size.
    __array_ufunc__ = None

    def __new__(cls, formula: sympy.Expr) -> NamedSize:
        self: Any = object.__new__(cls)
        self.formula = formula
        self.typical = int(formula.subs({s: _typical(s.name) for s in formula.free_symbols}))
        return self  # type: ignore[no-any-return]

    def __reduce__(self) -> tuple[Any, ...]:
        return NamedSize, (self.formula,)

    @property
    def names(self) -> frozenset[str]:
        """The names that it is computed from."""
        return frozenset([s.name for s in self.formula.free_symbols])

    def at(self, sizes: Mapping[str, int]) -> Any:
        """Return the size where names have the values of a mapping; others stay names."""
        known = {s: sizes[s.name] for s in self.formula.free_symbols if s.name in sizes}
        return size_of_formula(self.formula.subs(known)) if known else self

    def __repr__(self) -> str:
        return _text(self.formula)

    __str__ = __repr__

    def _sympy_(self) -> sympy.Expr:
        return self.formula

    def __hash__(self) -> int:
        return hash(self.formula)

    def __eq__(self, other: object) -> Any:
        return self is other or (isinstance(other, NamedSize) and self.formula == other.formula)

    def __ne__(self, other: object) -> Any:
        return not self == other

    __lt__, __le__ = _compared(operator.lt), _compared(operator.le)
    __gt__, __ge__ = _compared(operator.gt), _compared(operator.ge)

    def __bool__(self) -> bool:
        return True  # what is zero for all sizes is the integer 0

    __add__, __radd__ = _operators(operator.add, operator.add)
    __sub__, __rsub__ = _operators(operator.sub, operator.sub)
    __mul__, __rmul__ = _operators(operator.mul, operator.mul)
    __floordiv__, __rfloordiv__ = _operators(operator.floordiv, _quotient)

    def __mod__(self, other: Any) -> Any:
        """Return an index from 0, for one from the end as well; else the remainder."""
        if isinstance(other, NamedSize) and abs(self.typical) < other.typical:
            return self if self.typical >= 0 else self + other
        return self - other * (self // other)

    def __rmod__(self, other: Any) -> Any:
        """Return an index from 0, for one from the end as well."""
        if not isinstance(other, (int, np.integer)):
            return NotImplemented
        return int(other) if other >= 0 else self + other

    def __truediv__(self, other: Any) -> Any:
        return as_expression.call(self) / other

    def __rtruediv__(self, other: Any) -> Any:
        return as_expression.call(other) / as_expression.call(self)

    def __pow__(self, other: Any) -> Any:
        if isinstance(other, (int, np.integer)) and other >= 0:
            return size_of_formula(self.formula ** int(other))
        return as_expression.call(self) ** other

    def __neg__(self) -> Any:
        return size_of_formula(-self.formula)

    def __pos__(self) -> NamedSize:
        return self

    def __abs__(self) -> Any:
        return self if self.typical >= 0 else -self

    __index__ = __int__ = __float__ = __complex__ = __round__ = __trunc__ = _unknown
    __floor__ = __ceil__ = _unknown


def _typical(name: str) -> int:
    """Return a number for a name that depends on its letters alone."""
    return _LONG + int.from_bytes(name.encode(), "big") % _TELLING


def size_symbol(name: str) -> sympy.Symbol:
    """Return the symbol of a size in formulas of SymPy."""
    return sympy.Symbol(name, integer=True, nonnegative=True)


def named_size(name: str) -> NamedSize:
    """Return the size of a name; raise ValueError for what is no identifier."""
    return NamedSize(size_symbol(identifier(name, "the name of a size")))


def size_of_formula(formula: sympy.Expr) -> Any:
    """Return a formula of sizes as a size; an integer where it has no names."""
    formula = sympy.expand(formula)
    return int(formula) if formula.is_Integer else NamedSize(formula)


def size_of_symbols(formula: Any) -> Any:
    """Return a formula of any symbols as the size of their names; None if it can be no size."""
    formula = sympy.sympify(formula)
    symbols = formula.free_symbols
    if not all(type(s) is sympy.Symbol for s in symbols) or not formula.is_polynomial(*symbols):
        return None
    made = sympy.expand(formula.xreplace({s: size_symbol(s.name) for s in symbols}))
    whole = all(c.is_Integer for c in made.as_coefficients_dict().values())
    return size_of_formula(made) if whole else None


def as_formula(n: Any) -> sympy.Expr:
    """Return a size, or an integer, as a formula of SymPy."""
    return n.formula if isinstance(n, NamedSize) else sympy.Integer(int(n))


class _Printer(PythonCodePrinter):  # type: ignore[misc]
    def _print_floor(self, expr: sympy.Expr) -> str:
        parts = sympy.fraction(sympy.together(expr.args[0]))
        above, below = [self.parenthesize(x, PRECEDENCE["Mul"], strict=True) for x in parts]
        return f"({above} // {below})"


@functools.lru_cache(maxsize=4096)
def _text(formula: sympy.Expr) -> str:
    """Return Python source of a size, with the spaces that texts of formulas have."""
    shown = sympy.factor(formula)
    text = str(_Printer({"fully_qualified_modules": True}).doprint(shown))
    return re.sub(r"(?<![* ])\*(?![* ])", " * ", text)


def whole(x: Any) -> int:
    """Return an integer or a size as it is computed with; TypeError for anything else."""
    if not isinstance(x, NamedSize):
        return operator.index(x)
    return x if type(x) is NamedSize else NamedSize(x.formula)


def is_named(shape: Iterable[Any]) -> bool:
    """Return whether a size of a shape is a name, or is computed from one."""
    return NamedSize in map(type, shape)


def names_in(value: Any) -> frozenset[str]:
    """Return the names of the sizes in a parameter: in tuples and slices, as deep as they go."""
    if type(value) is NamedSize:
        return value.names
    return frozenset[str]().union(*map(names_in, _parts(value)))


def at_sizes(value: Any, sizes: Mapping[str, int]) -> Any:
    """Return a parameter where the names of sizes have the values of a mapping."""
    if type(value) is NamedSize:
        return value.at(sizes)
    parts = _parts(value)
    if not parts or not names_in(value):
        return value
    made = [at_sizes(x, sizes) for x in parts]
    return slice(*made) if type(value) is slice else type(value)(made)


def _parts(value: Any) -> tuple[Any, ...]:
    if isinstance(value, slice):
        return value.start, value.stop, value.step
    return tuple(value) if isinstance(value, (tuple, list)) else ()
