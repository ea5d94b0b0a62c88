"""Formulas as they stand in a book, as Python text: normal forms, read as products of matrices.

The text is printed as that of any formula is, from one that has the same value and the steps that
are to be read: powers collected, products from the left, matrices and vectors multiplied by `@`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import sympy
from sympy import Basic

from symgrad.differentiate.sweeps import with_derivative_rewrites
from symgrad.expr.atoms import ArrayConst, Const, is_const
from symgrad.expr.display import as_read
from symgrad.expr.dtypes import Category, dtype
from symgrad.expr.graph import rebuild, replace_nodes, toposort
from symgrad.expr.named_sizes import NamedSize, size_of_formula
from symgrad.expr.node import ArrayExpr
from symgrad.expr.printing import TEXT, text, write
from symgrad.expr.shapes import Shape, size_of
from symgrad.expr.sizing import size_names
from symgrad.expr.sources import is_derived
from symgrad.forms.conditions import (
    said_once,
    with_choices,
    with_masks_joined,
    with_one_order,
    with_plain_choices,
    with_ties_apart,
)
from symgrad.forms.constants import with_known_constants, without_sure_choices
from symgrad.forms.fractions import fractions_of, with_fractions
from symgrad.forms.joints import without_joints
from symgrad.forms.places import with_places_read
from symgrad.normal_form.algebra import Chain
from symgrad.normal_form.coefficients import Number, ratio
from symgrad.normal_form.labels import UNIT, Labels
from symgrad.normal_form.reading import Reader, Reading
from symgrad.ops.arithmetic import add, div, mul, neg, sub
from symgrad.ops.broadcasting import broadcast_to, zeros
from symgrad.ops.casting import cast
from symgrad.ops.contraction import contract, delta
from symgrad.ops.elementwise import Elementwise
from symgrad.ops.equations import equation
from symgrad.ops.permuting import permute
from symgrad.ops.powers import pow
from symgrad.ops.reduction import sum as sum_over
from symgrad.ops.reshaping import reshape
from symgrad.ops.triangular import diagonal


class Value(NamedTuple):
    """A formula that is read.

    Attributes
    ----------
    node : ArrayExpr
    led : callable, optional
        Returns the formula with a function applied to the factor that it begins with, where it is
        a product.
    quotient : tuple, optional
        The powers above and below the bar of a quotient.
    applied : tuple, optional
        The matrix and the vector of their product.
    """

    node: ArrayExpr
    led: Callable[[Lead], Value] | None = None
    quotient: tuple[Powers, Powers] | None = None
    applied: tuple[Value, Value] | None = None


Lead = Callable[[Value], Value]
Factor = tuple[Value, int]
Powers = Sequence[Factor]


def lead(v: Value, f: Lead) -> Value:
    """Return a product whose first factor a function is applied to."""
    return f(v) if v.led is None else v.led(f)


class Formulas:
    """The algebra of formulas that are printed (`symgrad.normal_form.algebra.Algebra`)."""

    def node(self, x: ArrayExpr) -> Value:
        inner: Any = x.operands[0] if type(x) is cast else x
        if type(inner) is not div or not inner.weak:
            return Value(x)
        above, below = [[(Value(y), 1)] for y in inner.operands]  # as of the logarithm of a number
        return Value(x, None, ([] if is_const(inner.operands[0], 1) else above, below))

    # ---------------------------------------------------------------- numbers and elements

    def times(self, c: Number, v: Value) -> Value:
        if c == 1:
            return v
        above, below = abs(c.numerator), c.denominator
        if below & below - 1 and max(above, below) < 1 << 20:
            whole = self.times(above if c > 0 else -above, v)
            return self.ratio([(whole, 1)], [(Value(Const(below)), 1)])
        if c == -1:
            return lead(v, lambda x: Value(neg(x.node)))
        if c > 0 and max(above, below) < 1 << 20 and _has_exact_constant(v):
            return self.ratio([(Value(Const(sympy.Rational(above, below))), 1), (v, 1)], [])
        number, divisor = _number(c), ratio(1, c)
        if number != c and float(divisor) == divisor:
            quotient = self.ratio([(v, 1)], [(Value(Const(_number(abs(divisor)))), 1)])
            return quotient if c > 0 else self.times(-1, quotient)
        return lead(v, lambda x: Value(_multiplied(number, x.node)))

    def ratio(self, above: Powers, below: Powers) -> Value:
        tops: list[Factor] = []
        bottoms: list[Factor] = []
        for given, over, under in ((above, tops, bottoms), (below, bottoms, tops)):
            for v, n in given:
                if v.quotient is not None and n == 1:
                    over += v.quotient[0]
                    under += v.quotient[1]
                else:
                    over.append((v, n))
        tops, bottoms = _with_one_size(*_with_one_constant(tops, bottoms))
        if not bottoms:
            return self._product(tops) if tops else Value(Const(1))
        bottoms.sort(key=lambda t: not isinstance(t[0].node, Const))

        def over_them(top: Value | None, factors: Powers) -> Value:
            node = div(Const(1) if top is None else top.node, self._product(bottoms).node)
            return Value(node, led, (factors, bottoms))

        def led(f: Lead) -> Value:
            top = lead(self._product(tops) if tops else Value(Const(1)), f)
            return over_them(top, [(top, 1)])

        return over_them(self._product(tops) if tops else None, tops)

    def _product(self, factors: Powers) -> Value:
        values = []
        for v, n in factors:
            if isinstance(v.node, Const):  # Python raises an error where a power is infinite
                values += [v] * n
            else:
                values.append(v if n == 1 else Value(pow(v.node, Const(n))))
        *first, last = values
        if first and last.led and all(v.node.shape == () for v in first):
            number = _joined(first)
            return _led_by(number, last)
        return _joined(values)

    # ---------------------------------------------------------------- axes

    def moved(self, v: Value, labels: Labels, target: Sequence[int]) -> Value:
        if labels == tuple(target[len(target) - len(labels) :]):
            return v
        x, own = v.node, tuple([k for k in labels if k != UNIT])
        order = [k for k in target if k in own and k != UNIT]
        sizes = {k: n for k, n in zip(labels, x.shape, strict=True) if k != UNIT}
        if list(own) != order:
            if own != labels:
                x = reshape.of(x, tuple([sizes[k] for k in own]))
            x = permute.of(x, tuple([own.index(k) for k in order]))
        first = next((i for i, k in enumerate(target) if k in order), len(target))
        shape = tuple([sizes.get(k, 1) for k in target[first:]])
        return Value(x if x.shape == shape else reshape.of(x, shape))

    def summed(self, v: Value, labels: Labels, over: Sequence[int]) -> Value:
        axes = tuple([a for a, k in enumerate(labels) if k in over])
        return Value(sum_over(v.node, None if len(axes) == len(labels) else axes, False))

    def embedded(self, v: Value, labels: Labels, output: Labels) -> Value:
        return Value(contract(v.node, equation([labels], output)))

    def einsum(self, parts: Sequence[tuple[Value, Labels]], output: Labels) -> Value:
        spec = equation([labels for _, labels in parts], output)
        return Value(contract(*[v.node for v, _ in parts], spec))

    # ---------------------------------------------------------------- vectors and matrices

    def chain(self, factors: Chain) -> Value:
        weights = []
        while factors[0][1] is None:
            weights.append((factors[0][0], 1))
            factors = factors[1:]
        (first, is_turned), *rest = factors
        if is_turned:
            first = Value(_transposed(first.node))
        if weights:
            first = self._with_rows_scaled(self.ratio(weights, []), first)
        return _chained(first, tuple(rest)) if rest else first

    def _with_rows_scaled(self, weights: Value, matrix: Value) -> Value:
        """Return a matrix whose rows are multiplied by the elements of a vector, or divided."""
        if weights.quotient is not None and not weights.quotient[0]:
            column = self.moved(self._product(weights.quotient[1]), (0,), (0, UNIT))
            return _divided(matrix, column)
        return _joined([self.moved(weights, (0,), (0, UNIT)), matrix])

    def apply(self, factors: Chain, vector: Value | None) -> Value:
        if vector is None:
            if len(factors) == 1:
                ((v, is_turned),) = factors
                return Value(sum_over(v.node, (0 if is_turned else 1,), False))
            return Value(sum_over(self.chain(factors).node, (1,), False))
        return _applied(self.chain(factors), vector)

    def dot(self, factors: Powers) -> Value:
        values = [v for v, n in factors for _ in range(min(n, 3))]
        if len(values) != 2:
            return Value(sum_over(self._product(factors).node, None, False))
        u, v = values
        if u.applied and not v.applied:
            u, v = v, u
        if v.applied and not u.applied:
            matrix, v = v.applied
            u = Value(contract(u.node, matrix.node, "a,ab->b"))
        return Value(contract(u.node, v.node, "a,a->"))

    def outer(self, u: Value, v: Value) -> Value:
        return Value(contract(u.node, v.node, "a,b->ab"))

    def trace(self, factors: Chain) -> Value:
        return Value(contract(self.chain(factors).node, "aa->"))

    def diagonal(self, matrix: Value) -> Value:
        return Value(diagonal(matrix.node, 0, 0, 1))

    def diag(self, vector: Value) -> Value:
        return Value(contract(vector.node, "a->aa"))

    def identity(self, n: int, kind: dtype) -> Value:
        return Value(delta((n,), kind))

    # ---------------------------------------------------------------- sums

    def total(
        self, terms: Sequence[tuple[Number, Value | None]], shape: Shape, kind: dtype
    ) -> Value:
        if not terms:
            return Value(zeros(shape, kind) if shape else Const(0, kind))
        if len(terms) == 1:
            ((c, v),) = terms
            if v is None:
                return _of_shape(Value(Const(_number(c), kind)), shape)
            v = _of_dtype(v, kind)
            if size_of(v.node.shape) == size_of(shape):
                return self.times(c, _of_shape(v, shape))
            return _of_shape(self.times(c, v), shape)
        common = abs(terms[0][0])
        if any(abs(c) != common for c, _ in terms):
            common = 1
        sign = -1 if all(c < 0 for c, _ in terms) else 1
        place = next(i for i, (c, _) in enumerate(terms) if sign * c > 0)
        ordered = [terms[place], *terms[:place], *terms[place + 1 :]]
        node: Any = None
        for c, v in ordered:
            size = ratio(abs(c), common)
            x = Const(_number(size)) if v is None else self.times(size, v).node
            node = x if node is None else (add if sign * c > 0 else sub)(node, x)
        return _of_shape(self.times(sign * common, Value(node)), shape)


def _number(c: Number) -> int | float:
    """Return a number for a text; a product of several, which is rounded, with few digits."""
    if c.denominator == 1 and abs(c) < 1 << 53:
        return int(c)
    made = float(c)
    short = float(f"{made:.15g}")
    return short if made != c and abs(short - c) <= 2 * math.ulp(made) else made


def _multiplied(c: int | float, x: ArrayExpr) -> ArrayExpr:
    """Return a number times a factor, which is one number where the factor is an exact one."""
    is_exact = isinstance(x, Const) and x.weak and isinstance(x.value, (int, Basic))
    return Const(c * x.value) if is_exact else mul(Const(c), x)


def _is_exact(x: Any) -> bool:
    """Return whether a node is a number like the root of pi, or a whole one that is not 0."""
    value = x.value if isinstance(x, Const) else None
    return isinstance(value, Basic) or (type(value) is int and value != 0)


def _has_exact_constant(v: Value) -> bool:
    """Return whether a product has a factor like the root of pi, which takes an exact number."""
    above, below = v.quotient or ([(v, 1)], [])
    return any(
        isinstance(x.node, Const) and isinstance(x.node.value, Basic) for x, _ in (*above, *below)
    )


def _operations(parts: Iterable[Any]) -> tuple[int, bool, int]:
    """Return what is least of the shortest quotient: its operations, a bar, and those above it."""
    above, below = parts
    sizes = [int(sympy.count_ops(x)) for x in (above, below)]
    has_bar = above != 1 and below != 1
    return sum(sizes) + has_bar, has_bar, sizes[0]


def _with_one_constant(tops: list[Factor], bottoms: list[Factor]) -> tuple[list[Factor], ...]:
    """Return the factors of a quotient, of which those like the root of pi are one on each side."""
    whole: Any = 1
    sides: list[list[Factor]] = [[], []]
    nodes = [v.node for v, _ in (*tops, *bottoms)]
    kinds = {x.dtype for x in nodes if not isinstance(x, Const)}
    own = None
    if not kinds and len(typed := {x.dtype for x in nodes if not x.weak}) == 1:
        kinds, (own,) = typed, typed
    for kept, factors, sign in ((sides[0], tops, 1), (sides[1], bottoms, -1)):
        for v, n in factors:
            c = v.node
            if _is_exact(c) and (c.weak or c.dtype in kinds):
                whole *= sympy.sympify(c.value) ** (sign * n)
            else:
                kept.append((v, n))
    # SymPy takes roots out of denominators.
    halves = [sympy.fraction(whole), sympy.fraction(1 / whole)[::-1]]
    halves = [(-a, -b) if b.could_extract_minus_sign() else (a, b) for a, b in halves]
    for factors, c in zip(sides, min(halves, key=_operations), strict=True):
        if c != 1:
            factors.insert(0, (Value(Const(int(c) if c.is_Integer else c, own)), 1))
    return sides[0], sides[1]


def _with_one_size(tops: list[Factor], bottoms: list[Factor]) -> tuple[list[Factor], ...]:
    """Return the factors of a quotient, of which the named sizes are one on each side."""
    whole: Any = 1
    sides: list[list[Factor]] = [[], []]
    for kept, factors, sign in ((sides[0], tops, 1), (sides[1], bottoms, -1)):
        for v, n in factors:
            if isinstance(v.node, Const) and type(v.node.value) is NamedSize:
                whole *= v.node.value.formula ** (sign * n)
            else:
                kept.append((v, n))
    for factors, part in zip(sides, sympy.fraction(sympy.cancel(whole)), strict=True):
        if part != 1:
            factors.insert(0, (Value(Const(size_of_formula(part))), 1))
    return sides[0], sides[1]


def _of_dtype(v: Value, kind: dtype) -> Value:
    """Return a formula of named sizes and numbers alone as one of a dtype."""
    if not (v.node.weak and size_names([v.node])):
        return v
    constants = [x for x in toposort([v.node]) if isinstance(x, Const)]
    typed: dict[ArrayExpr, ArrayExpr] = {x: Const(x.value, kind) for x in constants}
    return Value(replace_nodes([v.node], typed)[0])


def _joined(values: Sequence[Value]) -> Value:
    first, *rest = values
    if not rest:
        return first
    x = first.node
    for v in rest:
        x = mul(x, v.node)
    return Value(x, lambda f: _joined([lead(first, f), *rest]))


def _divided(v: Value, w: Value) -> Value:
    return Value(div(v.node, w.node), lambda f: _divided(lead(v, f), w))


def _chained(first: Value, rest: Chain) -> Value:
    """Return a product of matrices and of diagonal ones, of which the first is a matrix."""
    x = first.node
    for v, is_turned in rest:
        if is_turned is None:
            x = mul(x, v.node)
        else:
            x = contract(x, _transposed(v.node) if is_turned else v.node, "ab,bc->ac")
    return Value(x, lambda f: _chained(lead(first, f), rest))


def _applied(matrix: Value, vector: Value) -> Value:
    """Return the product of a matrix and a vector."""
    node = contract(matrix.node, vector.node, "ab,b->a")
    return Value(node, lambda f: _applied(lead(matrix, f), vector), None, (matrix, vector))


def _led_by(number: Value, v: Value) -> Value:
    """Return a number times a product, before its first factor."""
    made = lead(v, lambda x: _joined([number, x]))
    return made._replace(led=lambda f: _led_by(lead(number, f), v))


def _transposed(x: ArrayExpr) -> ArrayExpr:
    return permute.of(x, (1, 0))


def _of_shape(v: Value, shape: Shape) -> Value:
    x = v.node
    if x.shape == shape:
        return v
    if size_of(x.shape) == size_of(shape) and not isinstance(x, Const):
        return Value(reshape.of(x, shape))
    return Value(broadcast_to.of(x, shape))


# ------------------------------------------------------------------ text


@with_derivative_rewrites
def readings(es: Sequence[ArrayExpr], written: Sequence[ArrayExpr] = ()) -> list[ArrayExpr]:
    """Return formulas with the values of others, as they are read.

    Parameters
    ----------
    es : sequence of ArrayExpr
    written : sequence of ArrayExpr
        Formulas whose nodes stay as a user wrote them.

    Examples
    --------
    >>> import symgrad
    >>> x, y = symgrad.symbols("x y")
    >>> readings([x * y * 2 * x])
    [2 * x**2 * y]
    """
    known, written = with_known_constants(es, written)
    stays = set(toposort(written))
    known = with_places_read(without_sure_choices(known, stays), stays)
    known = with_choices(with_ties_apart(known, stays), stays)
    known = with_one_order(_opened(known, stays), stays)
    plain = without_joints([said_once(e, stays) for e in known], stays)
    builder = Reading(plain, stays)
    reader = Reader(builder, Formulas())
    made = builder.run_with(
        lambda form: reader.form(form).node, lambda form: reader.whole(form).node
    )
    made = with_masks_joined(without_casts(made), stays)
    return without_casts(with_plain_choices(made, stays))


def without_casts(es: Sequence[ArrayExpr]) -> list[ArrayExpr]:
    """Return formulas without the conversions that operations do by themselves.

    Examples
    --------
    >>> import symgrad
    >>> x = symgrad.leaf("x")
    >>> without_casts([x.to(symgrad.complex128) * 1j])
    [x * 1j]
    """

    def visit(x: ArrayExpr, operands: tuple[ArrayExpr, ...]) -> ArrayExpr:
        made = x if operands == x.operands else x.func(*operands, *x.args[len(operands) :])
        if not (isinstance(x, Elementwise) and any(type(y) is cast for y in operands)):
            return made
        plain = [y.operands[0] if type(y) is cast else y for y in operands]
        if not x.promotes(*[y.dtype for y in plain]):
            return made
        try:
            other = x.func(*plain, *x.args[len(operands) :])
        except RuntimeError:  # as a truth value has no negative
            return made
        alike = (other.shape, other.dtype, other.weak) == (x.shape, x.dtype, x.weak)
        return other if alike else made

    return rebuild(es, visit)


@as_read.state
def derivatives_as_read(
    es: Sequence[ArrayExpr], written: Sequence[ArrayExpr] = ()
) -> list[ArrayExpr]:
    """Return formulas, of which the derivatives are as they are read."""
    derived = [e for e in es if is_derived(e)]
    read = dict(zip(derived, not_longer(derived, written), strict=True))
    return [read.get(e, e) for e in es]


def not_longer(es: Sequence[ArrayExpr], written: Sequence[ArrayExpr] = ()) -> list[ArrayExpr]:
    """Return formulas as they are read, or as they are where these have much shorter texts.

    Those of numbers may be fractions, where these have the shortest texts.
    """
    made, plain = readings(es, written), _opened(es, set(toposort(written)))
    made = made if _length(made) <= _LONGER * _length(plain) + _MORE else plain
    return [_with_fractions(e, x) for e, x in zip(plain, made, strict=True)]


@with_derivative_rewrites
def _opened(es: Sequence[ArrayExpr], stays: Collection[ArrayExpr]) -> list[ArrayExpr]:
    """Return formulas without operations on elements that have no name where an equal one has.

    Nodes of those that `stays` has stay.
    """

    def visit(x: ArrayExpr, operands: tuple[ArrayExpr, ...]) -> ArrayExpr:
        made: Any = x if operands == x.operands else x.func(*operands, *x.args[len(operands) :])
        is_nameless = x not in stays and isinstance(made, Elementwise) and made.internal
        other = made.as_read() if is_nameless else None
        return made if other is None else other  # type: ignore[no-any-return]

    return rebuild(es, visit)


def _with_fractions(e: ArrayExpr, read: ArrayExpr) -> ArrayExpr:
    """Return a formula as it is read, or as fractions where these have the shortest text."""
    if e.shape:
        return _shortest([read, with_fractions(read, _shortest)])
    (known,), _ = with_known_constants([e], [])
    return _shortest([read, *fractions_of(known)])


def _shortest(es: Sequence[ArrayExpr]) -> ArrayExpr:
    """Return the first of formulas, or the reading of another one that has the shortest text."""
    read = [x for e in es[1:] for x in readings([e])]  # each alone: what is shared keeps its sign
    return min([es[0], *read], key=lambda x: _length([x]))


def _length(es: Sequence[ArrayExpr]) -> int:
    let = write(es, TEXT)
    return len("\n".join([*let.before, *let.results]))


def formula(self: ArrayExpr, digits: int | None = None) -> str:
    """Return the formula as it stands in a book, in Python that computes it.

    Like terms are added up, powers collected, and products of vectors and matrices are written with
    `@`; those of arrays of more axes with `einsum`. Parts that occur several times have names,
    defined in lines before the result. So are derivatives printed by `str`; other formulas are
    printed as they were written. Where that is much shorter, it is returned.

    Parameters
    ----------
    digits : int, optional
        The number of significant digits of the floats that are shown; by default all.

    Raises
    ------
    ValueError
        If `digits` is no positive integer.

    Examples
    --------
    >>> import symgrad
    >>> X, v, y = symgrad.leaf("X", (5, 3)), symgrad.leaf("v", (3,)), symgrad.leaf("y", (5,))
    >>> print((2 * (X @ v - y) @ X).formula())
    2 * X.T @ (X @ v - y)
    >>> print((v / 0.123456).formula(digits=3))
    v / 0.123
    """
    is_number = isinstance(digits, (int, np.integer)) and not isinstance(digits, bool)
    if digits is not None and not (is_number and digits > 0):
        raise ValueError(
            f"formula(): digits must be a positive integer, not {digits!r}; "
            "without it all digits are shown"
        )
    return text(*rounded(not_longer([self]), digits))


FORMULA_TEXT: dict[str, Any] = {"formula": formula}

#: How much longer than the usual text that of a formula in normal form may be: a factor, and the
#: number of letters of two identity matrices.
_LONGER, _MORE = 1.5, 60


def rounded(es: Sequence[ArrayExpr], digits: int | None) -> list[ArrayExpr]:
    """Return formulas with floats of so many significant digits; None keeps all of them.

    Examples
    --------
    >>> import symgrad
    >>> rounded([symgrad.leaf("x") * 0.30000000000000004], 3)
    [x * 0.3]
    """
    if digits is None:
        return list(es)
    count = digits

    def visit(x: ArrayExpr, operands: tuple[ArrayExpr, ...]) -> ArrayExpr:
        if operands:
            return x.func(*operands, *x.args[len(operands) :])  # type: ignore[no-any-return]
        if isinstance(x, Const) and isinstance(x.value, (float, complex)):
            return Const(_rounded(x.value, count), None if x.weak else x.dtype)
        if isinstance(x, ArrayConst) and x.dtype.category >= Category.FLOAT:
            values = [_rounded(c, count) for c in x.value.ravel().tolist()]
            return ArrayConst(np.array(values, x.value.dtype).reshape(x.shape))
        return x

    return rebuild(es, visit)


def _rounded(c: Any, digits: int) -> Any:
    if isinstance(c, complex):
        return complex(_rounded(c.real, digits), _rounded(c.imag, digits))
    return float(f"{c:.{digits}g}")
