"""The derivatives of functions of matrices, of any order and where eigenvalues are equal.

A function f takes a Hermitian matrix `V diag(w) Vh` to `V diag(f(w)) Vh`. Its derivative of order k
along the matrices E1, …, Ek is, with `P = Vh E V`, the sum over all orders of the directions of

    V [sum over i1, …, i(k-1) of f[w[i0], …, w[ik]] * P1[i0, i1] * … * Pk[i(k-1), ik]] Vh,

where f[…] are the divided differences of f. (Yu. L. Daleckii and S. G. Krein, 1951; N. J. Higham,
"Functions of Matrices", 2008, section 3.2.) They are quotients where the values are apart, and
derivatives where these are equal; in between, an expansion about one of the values keeps the digits
that a quotient loses. For the expansion the Taylor coefficients of f are operands.

An odd function of the singular values is one of the Hermitian matrix `[[0, X], [Xh, 0]]`, whose
eigenvalues are s, -s, and zeros.
"""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple

from numeric.kernel import Kernel
from symgrad.differentiate.jet import NeedsFactors, as_array, jet
from symgrad.expr.atoms import ArrayConst, Const, Leaf
from symgrad.expr.dtypes import dtype
from symgrad.expr.graph import replace_nodes, toposort
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import Notation, Precedence
from symgrad.expr.shapes import Shape, broadcast_shapes
from symgrad.ops.broadcasting import broadcast_to, sum_to
from symgrad.ops.composite import Composite, StandIn, is_expanded
from symgrad.ops.divided_differences import (
    OF_HERMITIAN,
    OF_SINGULAR,
    frechet_of_hermitian,
    frechet_of_singular,
)
from symgrad.ops.identity import clone, forward_value
from symgrad.ops.joining import stack
from symgrad.ops.kinds import Beside
from symgrad.ops.masks import formula_of, unmasked
from symgrad.ops.primitive import Computation, Cotangents
from symgrad.ops.reduction import sum
from symgrad.ops.reshaping import reshape
from symgrad.ops.results import Result, Several
from symgrad.ops.slopes import can_be_computed, grown, is_by_element
from symgrad.ops.softmax import BesideSums

# ------------------------------------------------------------------ functions of each value alone


class held(Beside):
    """The same values, through which no derivative leads: it is one by the matrix."""

    poles = ()
    unreached: ClassVar[tuple[int, ...]] = (0,)
    ends_formulas = True
    kernel = forward_value.kernel
    printed = Notation("{0}", "{0}", Precedence.ATOM, (Precedence.ATOM,))

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        return (None,)

    def jvp(self, tangents: Sequence[ArrayExpr | None]) -> ArrayExpr | None:
        return None

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        return self.of(*operands)


class constant(Beside, Composite):
    """A function whose derivative by each value of a spectrum is 0, such as which is the largest."""

    unreached: ClassVar[tuple[int, ...]] = (1,)
    printed = Notation("{0}", "{0}", Precedence.ATOM, (Precedence.ATOM, Precedence.ATOM))

    @classmethod
    def composed(cls, c: Any, values: Any) -> Any:
        return c.broadcast_to(broadcast_shapes(c.shape, values.shape))

    @classmethod
    def as_function(cls, c: ArrayExpr, values: ArrayExpr) -> ArrayExpr:
        """Return a formula of values; one whose derivative is zero as such a function."""
        slope, _ = grown(c, values, alone=True)
        if slope is not None:
            return c
        return cls.of(of_rank(c.operands[0] if type(c) is broadcast_to else c, values), values)

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        return ct.sum_to(self.operands[0].shape), None

    def jvp(self, tangents: Sequence[ArrayExpr | None]) -> ArrayExpr | None:
        t, values = tangents[0], self.operands[1]
        return None if t is None else self.of(t, values)

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        return self.of(*operands)


def of_rank(x: ArrayExpr, values: ArrayExpr) -> ArrayExpr:
    """Return an array with as many axes as a spectrum has, so that more axes may come before."""
    missing = 0 if isinstance(x, Const) else len(values.shape) - len(x.shape)
    return x.reshape((*(1,) * missing, *x.shape)) if missing > 0 else x


class OfEach(NamedTuple):
    """A function of each value of a spectrum alone.

    Attributes
    ----------
    formula : ArrayExpr
        Its values, a formula of `values` and of what is alike for a whole spectrum.
    values : held
        The spectrum.
    params : list of ArrayExpr
        What else the formula reads that derivatives lead through.
    """

    formula: ArrayExpr
    values: ArrayExpr
    params: list[ArrayExpr]


def of_each(g: ArrayExpr, w: ArrayExpr) -> OfEach | None:
    """Return `g` as a function of each element of a spectrum `w` alone; None where it is none.

    What it reads beside the element is alike for all of a spectrum, such as its norm.
    """
    values = held.of(w)
    formulas: dict[ArrayExpr, ArrayExpr] = {}

    def below(x: ArrayExpr) -> Sequence[ArrayExpr]:
        if isinstance(x, BesideSums) and x.axis == len(x.shape) - 1:
            formulas[x] = x.beside_sums()
        elif isinstance(x, Composite) and is_expanded(x):
            formulas[x] = x.expanded()
        else:
            return x.operands
        return (formulas[x],)

    moving: set[ArrayExpr] = {w}  # what depends on the spectrum
    found = _Parts(w, values)
    for x in toposort([g], moving.__contains__, below):
        parts = (formulas[x],) if x in formulas else x.operands
        if x is w or moving.isdisjoint(parts):
            continue
        moving.add(x)
        if x in formulas:
            found.follow(x, formulas[x])
        elif not found.made.keys().isdisjoint(parts):
            found.enter(x)
    formula = found.part(g)
    if formula is None or not all(map(can_be_computed, (formula, *found.params))):
        return None
    slope, alone = grown(formula, values)
    if slope is not None and not alone:
        return None
    return OfEach(constant.as_function(formula, values), values, list(found.params))


class _Parts:
    """The nodes that are functions of each element of a spectrum, and what these are made of."""

    def __init__(self, w: ArrayExpr, values: ArrayExpr) -> None:
        self.made: dict[ArrayExpr, ArrayExpr] = {w: values}
        self.params: dict[ArrayExpr, None] = {}
        self._values = values
        self._last = w.shape[-1]

    def follow(self, x: ArrayExpr, formula: ArrayExpr) -> None:
        """Enter a node whose formula was looked at."""
        if formula in self.made:
            self.made[x] = self.made[formula]

    def enter(self, x: Any) -> None:
        """Enter a node if it is such a function."""
        if type(x) is forward_value:
            formula_of(x)
            self.made[x] = self.made[x.operands[0]]
            return
        moves = isinstance(x, (clone, broadcast_to, reshape)) or _sums_one(x)
        if not moves and not is_by_element(x):
            return
        if not moves and any(y.shape[-1:] != (self._last,) for y in x.operands if y in self.made):
            return
        parts = [self.part(y) for y in x.operands]
        if None not in parts:
            self.made[x] = x.with_operands(parts)

    def part(self, x: ArrayExpr) -> ArrayExpr | None:
        """Return an operand as the formula has it; None where it is not alike for a spectrum."""
        if x in self.made:
            return self.made[x]
        if isinstance(x, ArrayConst):
            return x if not x.shape or bool((x.value == x.value[..., :1]).all()) else None
        inner: Any = x
        while type(inner) is forward_value:
            inner = inner.operands[0]
        if type(inner) is broadcast_to:
            if inner is not x:
                formula_of(x)
            repeated = self.part(inner.operands[0])
            return None if repeated is None else broadcast_to.of(repeated, x.shape)
        if isinstance(x, Const):
            return x
        if x.shape[-1:] not in ((), (1,)) or len(x.shape) > len(self._values.shape):
            return None  # one for each value, or of more axes, as a matrix of one row
        if x.weak:  # a number of Python's, which has no derivative
            return x
        x = of_rank(x, self._values)
        if x.dtype.differentiable:
            self.params[x] = None
        return x


def _sums_one(x: Any) -> bool:
    """Return whether a sum is over axes of length 1 before the last, as those of a `vmap`."""
    whole = x.operands[0].shape if type(x) in (sum, sum_to) else ()
    return bool(whole) and x.shape[-1:] == whole[-1:] and x.size == math.prod(whole)


def slopes_of(c: ArrayExpr, values: ArrayExpr, order: int, known: ArrayExpr | None) -> Any:
    """Return the Taylor coefficients of a function from order 1 on, along a last axis.

    None where they are zero. `known` are those for a derivative of one order less, which have some
    to spare: they stand where the formula of the function is not known, and nan if there are none.
    """
    values = value_of(values)
    one = Const(1, c.dtype).broadcast_to(values.shape)
    coefficients: list[ArrayExpr | None] = []
    try:
        [found] = jet([c], [values], [[one]], order)
        coefficients += [None if x is None else as_array(x, c) for x in found[1:]]
    except NeedsFactors:
        x: ArrayExpr | None = c
        for k in range(1, order + 1):
            slope = None if x is None else grown(x, values, alone=True)[0]
            x = None if slope is None else slope / k
            coefficients.append(x)
    while coefficients and coefficients[-1] is None:
        coefficients.pop()
    if not coefficients:
        return (c * math.nan).unsqueeze(-1) if known is None and _is_unknown(c) else known
    zero = Const(0, c.dtype)
    whole = [(zero if x is None else x).broadcast_to(c.shape) for x in coefficients]
    return stack.of(*whole, len(c.shape))


def value_of(x: ArrayExpr) -> ArrayExpr:
    """Return the node that computed a value of the forward pass, which may stand in several."""
    while type(x := unmasked(x)) is forward_value:
        x = x.operands[0]
    return x


def _is_number(c: ArrayExpr) -> bool:
    """Return whether a function of a spectrum is one number for all of it."""
    c = value_of(c)
    return isinstance(c, constant) and c.operands[0].shape[-1:] in ((), (1,))


def _no_slopes(c: ArrayExpr) -> ArrayExpr:
    return Const(0, c.dtype).broadcast_to((*c.shape, 1))


def _zeros_like(x: ArrayExpr) -> ArrayExpr:
    return Const(0, x.dtype).broadcast_to(x.shape)


def _is_unknown(c: ArrayExpr) -> bool:
    """Return whether a formula reads values, one for each element, that it does not compute."""
    size = c.shape[-1:]

    def computes(x: ArrayExpr) -> bool:
        return isinstance(x, (Several, Result, constant)) or x.shape[-1:] != size

    read = toposort([c], computes)
    return any(isinstance(x, Leaf) and x.shape[-1:] == size for x in read)


# ------------------------------------------------------------------ functions of a matrix


#: How many Taylor coefficients an expansion has beyond that of the order of the derivative.
_FURTHER = 3


class FunctionOfMatrix(Beside, abstract=True):
    """A function of a matrix by its decomposition, or a derivative of it along other matrices.

    The operands are the values of the function; the Taylor coefficients, where it is a derivative;
    the results of the decomposition, of which the spectrum is `held`; the matrix; the directions; and
    what the function reads beside each value. Derivatives lead through those from the matrix on.
    """

    by_element: ClassVar[bool] = False
    read_as_formulas: ClassVar[tuple[int, ...]] = (0,)
    #: How many directions there are.
    order: int
    #: Where the operands have the spectrum, and the matrix.
    at_values: ClassVar[int]
    at_matrix: ClassVar[int]

    def knows_formula(self) -> bool:
        """Return whether the values of the function are a formula, and no array alone."""
        return not isinstance(unmasked(self.operands[0]), Leaf)

    def of_function(self, c: ArrayExpr) -> ArrayExpr | None:
        """Return the same of another function, given by its values; None for zero."""
        raise NotImplementedError(f"{type(self).__name__} states no of_function()")

    def along(self, direction: ArrayExpr) -> ArrayExpr | None:
        """Return the derivative along one more direction; None for zero."""
        raise NotImplementedError(f"{type(self).__name__} states no along()")

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        found: list[ArrayExpr | None] = [None] * len(needs)
        for i in range(self.at_matrix, len(needs)):
            if needs[i] and i > self.at_matrix + self.order:
                found[i] = self._pulled_back(i, ct)
            elif needs[i]:  # the map of a direction is its own adjoint
                found[i] = self._moved_by(i, ct)
        return found

    def moved_by_values(self, tangents: Sequence[ArrayExpr | None]) -> ArrayExpr | None:
        """Return the tangent for those of the operands that the function gives; None for zero."""
        raise NotImplementedError(f"{type(self).__name__} states no moved_by_values()")

    def moved_params(self, tangents: Sequence[ArrayExpr | None]) -> list[ArrayExpr]:
        """Return the tangents of what the function reads beside the spectrum: its own reads them."""
        return [t for t in tangents[self.at_matrix + self.order + 1 :] if t is not None]

    def jvp(self, tangents: Sequence[ArrayExpr | None]) -> ArrayExpr | None:
        moved = [self._moved_by(i, t) for i, t in enumerate(tangents) if t is not None]
        if not self.knows_formula():  # what it reads beside the spectrum moves its values alone
            moved.append(self.moved_by_values(tangents))
        terms = [x for x in moved if x is not None]
        return functools.reduce(operator.add, terms) if terms else None

    def _moved_by(self, i: int, t: Any) -> ArrayExpr | None:
        """Return the tangent for that of one operand; None for zero."""
        if i < self.at_matrix:
            return None
        if i == self.at_matrix:
            return self.along(t)
        if i <= self.at_matrix + self.order:
            return self.with_operands([*self.operands[:i], t, *self.operands[i + 1 :]])
        moved = self._by_number(i)
        return None if moved is None else t.unsqueeze(-1) * moved

    def _pulled_back(self, i: int, ct: Any) -> ArrayExpr | None:
        """Return the cotangent of what the function reads beside the spectrum."""
        known = self.knows_formula()
        # Where it is not, that is nan, of all that the formula is of: so the record keeps this.
        moved: Any = self._by_number(i) if known else self.of_function(self.operands[0] * math.nan)
        if moved is None:
            return None
        moved = (ct.conj() * moved).real if moved.dtype.is_complex else ct * moved
        shape = self.operands[i].shape
        if not known:
            total: ArrayExpr = moved.sum().broadcast_to(shape)
            return total
        each: ArrayExpr = moved.sum((-2, -1)).unsqueeze(-1)
        return each.sum_to(shape)

    def _by_number(self, i: int) -> ArrayExpr | None:
        """Return the derivative by what the function reads beside the spectrum, by that alone.

        Where several operands are one node, the first of them has it all.
        """
        c, first = self.operands[0], self.at_matrix + self.order + 1
        read = set(toposort([c]))
        # A value may stand in several nodes; then that is found which computed it.
        params = [x if x in read else value_of(x) for x in self.operands[first:]]
        x = params[i - first]
        if x in params[: i - first]:
            return None
        apart: dict[ArrayExpr, ArrayExpr] = {x: StandIn.of(x) for x in params}
        (alone,) = replace_nodes([c], apart)
        slope, _ = grown(alone, apart[x], alone=True)
        if slope is None:
            return None
        back = {apart[x]: y for x, y in zip(params, self.operands[first:], strict=True)}
        (found,) = replace_nodes([slope], back)
        values = self.operands[self.at_values]
        return self.of_function(constant.as_function(found.broadcast_to(c.shape), values))

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        # All operands have the leading axes of the matrices, so that one more broadcasts.
        return self.with_operands(operands)


class KnownFunction(FunctionOfMatrix, abstract=True):
    """A function of a matrix.

    The last operand may be Taylor coefficients, for a tangent that is computed of arrays.
    """

    params = ("has_coefficients",)
    has_coefficients: bool
    order = 0
    #: The class of its derivatives.
    derivative: ClassVar[type[Frechet]]

    def of_function(self, c: ArrayExpr) -> ArrayExpr | None:
        return self.with_operands([c, *self.operands[1:]])

    def moved_by_arrays(self) -> ArrayExpr:
        c, values = self.operands[0], self.operands[self.at_values]
        known = self.derivative.coefficients(c, values, 1, None)
        if known is None:
            known = _no_slopes(c)
        made: ArrayExpr = self.of(*self.operands, known, True)
        return made

    def moved_by_values(self, tangents: Sequence[ArrayExpr | None]) -> ArrayExpr | None:
        moved = tangents[0]
        if moved is None or not self.has_coefficients:
            return None
        *known, coefficients = self.operands[1:]
        by = tangents[-1]
        by = _zeros_like(coefficients) if by is None else by
        return self.with_operands([moved, *known, *self.moved_params(tangents[:-1]), by])

    def along(self, direction: ArrayExpr) -> ArrayExpr | None:
        c, *rest = self.operands
        values = self.operands[self.at_values]
        known = None if self.knows_formula() or not self.has_coefficients else self.operands[-1]
        coefficients = self.derivative.coefficients(c, values, 1, known)
        if coefficients is None:
            return None
        at = self.at_matrix
        return self.derivative.of(c, coefficients, *rest[:at], direction, *rest[at:], 1)


class Frechet(FunctionOfMatrix, abstract=True):
    """A derivative of a function of a matrix along other matrices."""

    params = ("order",)
    poles = ()
    #: Whether a function that is one number has derivatives, as an odd one of singular values.
    of_numbers: ClassVar[bool] = False

    @classmethod
    def infer(cls, *args: Any) -> tuple[Shape, dtype]:
        c, x, directions = args[0], args[cls.at_matrix], args[cls.at_matrix + 1 :][: args[-1]]
        leads = [y.shape[:-2] for y in (x, *directions)]
        return (*broadcast_shapes(c.shape[:-1], *leads), *x.shape[-2:]), x.dtype

    def implementation(self) -> Computation:
        read = self.operands[: self.at_matrix + 1 + self.order]
        return self.kernel, {}, read[: self.at_matrix] + read[self.at_matrix + 1 :]

    @classmethod
    def coefficients(
        cls, c: ArrayExpr, values: ArrayExpr, order: int, known: ArrayExpr | None
    ) -> ArrayExpr | None:
        """Return the Taylor coefficients that a derivative reads; None where it is zero."""
        found: ArrayExpr | None = slopes_of(c, values, order + _FURTHER, known)
        if found is None and (cls.of_numbers or not _is_number(c)):
            return _no_slopes(c)
        return found

    def moved_by_values(self, tangents: Sequence[ArrayExpr | None]) -> ArrayExpr | None:
        if tangents[0] is None and tangents[1] is None:
            return None
        given = zip(self.operands[:2], tangents[:2], strict=True)
        moved = [_zeros_like(x) if t is None else t for x, t in given]
        return self.with_operands([*moved, *self.operands[2:], *self.moved_params(tangents)])

    def of_function(self, c: ArrayExpr) -> ArrayExpr | None:
        found = self.coefficients(c, self.operands[self.at_values], self.order, None)
        if found is None:
            return None
        return self.with_operands([c, found, *self.operands[2:]])

    def along(self, direction: ArrayExpr) -> ArrayExpr | None:
        c, known, *rest = self.operands
        order, at = self.order + 1, self.at_matrix - 1 + self.order
        found = self.coefficients(c, self.operands[self.at_values], order, known)
        if found is None:
            return None
        return self.of(c, found, *rest[:at], direction, *rest[at:], order)


class frechet(Frechet):
    """A derivative of a function of a Hermitian matrix along Hermitian parts of others."""

    at_values = 2
    at_matrix = 4
    unreached: ClassVar[tuple[int, ...]] = (0, 1, 2, 3)
    kernel = Kernel.from_function(
        frechet_of_hermitian,
        prelude=OF_HERMITIAN,
        imports=("import itertools",),
    )


class singular_frechet(Frechet):
    """A derivative of `U diag(f(s)) Vh` along other matrices."""

    of_numbers = True
    at_values = 3
    at_matrix = 5
    unreached: ClassVar[tuple[int, ...]] = (0, 1, 2, 3, 4)
    kernel = Kernel.from_function(
        frechet_of_singular,
        prelude=OF_SINGULAR,
        imports=("import itertools",),
    )
