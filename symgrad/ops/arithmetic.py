"""Sums, differences, products and quotients, also where one term has a factor.

Powers are in `powers`, rounded quotients and remainders in `rounding`, sums of products that are
one operation in `fused`.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
import sympy

from numeric.kernel import Kernel
from symgrad.expr.dtypes import Category, bool_, dtype
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import ODOT, OSLASH, TRANSPOSED, Latex, Notation, Precedence
from symgrad.expr.shapes import Shape, size_of
from symgrad.ops.composite import Pointwise
from symgrad.ops.elementwise import Elementwise
from symgrad.ops.index_notation import MOST_TERMS, Summand, with_letters
from symgrad.ops.primitive import Primitive
from symgrad.ops.samples import ANY, COLUMN
from symgrad.ops.series import Recurrence, product, quotient, signed_sum
from symgrad.ops.zeros import Zeros


def _sum_notation(sign: str, opposite: str) -> Notation:
    """Return the notation of a sum or a difference."""
    text, turned = [f"{{0}} {s} {{1}}" for s in (sign, opposite)]
    levels = (Precedence.SUM, Precedence.SUM + 1)
    typeset = Latex(text, Precedence.SUM, (Precedence.SUM, Precedence.LARGE))
    return Notation(text, text, Precedence.SUM, levels, typeset, turned=(1, turned, turned))


#: The most divisors that are written in one fraction.
_MOST_DIVISORS = 6
_PRODUCT = (Precedence.PRODUCT, Precedence.PRODUCT + 1)


def _summands(e: ArrayExpr) -> list[Summand] | None:
    """Return a sum, also of multiples, as products of elements; None if a term is no such one."""
    found: list[Summand] = []
    stack: list[tuple[ArrayExpr, int, tuple[ArrayExpr, ...]]] = [(e, 1, ())]
    while stack:
        x, sign, numbers = stack.pop()
        operands = x.operands
        if len(found) + len(stack) >= MOST_TERMS or not isinstance(x, Primitive):
            return None
        if type(x) in (add, sub) and operands[0].shape == operands[1].shape:
            stack.append((operands[1], sign if type(x) is add else -sign, numbers))
            stack.append((operands[0], sign, numbers))
        elif type(x) is neg:
            stack.append((operands[0], -sign, numbers))
        elif type(x) is mul and not operands[0].shape:
            stack.append((operands[1], sign, (*numbers, operands[0])))
        else:
            terms = x.by_letters()
            if terms is None:
                return None
            found += [t._replace(sign=sign * t.sign, numbers=numbers) for t in terms]
    return found


class _Sum(Elementwise, abstract=True):
    """An operation that stands in one bracket where arrays are written by their elements."""

    keeps_repeated = True

    def notation(self) -> Notation:
        if len(self.shape) < 3:
            return super().notation()
        return with_letters(super().notation(), _summands(self), len(self.shape))

    def recurrence(self, moving: Sequence[bool]) -> Recurrence | None:
        moved = [x for x, moves in zip(self.operands, moving, strict=True) if moves]
        if any(x.shape != self.shape or x.dtype is not self.dtype for x in moved):
            return None
        assert self.joined is not None
        return signed_sum(self.joined[1])


class add(_Sum):
    nonnegative = "operands"
    operator = "add"
    keeps_zeros = Zeros.TERMS
    poles = ()
    ulps = 0
    scalar = lambda x, y: x + y  # noqa: E731
    joined = sympy.Add, (1, 1)
    kernel = Kernel.from_ufunc(np.add, "{0} + {1}")
    printed = _sum_notation("+", "-")

    def partials(self, x: ArrayExpr, y: ArrayExpr) -> Sequence[Any]:
        return 1, 1

    samples = [(np.array([0.3, -1.2, 2.0]), np.array([[1.5], [-0.4]])), (np.array(0.7), 2)]


class sub(_Sum):
    operator = "sub"
    keeps_zeros = Zeros.TERMS
    poles = ()
    ulps = 0
    scalar = lambda x, y: x - y  # noqa: E731
    joined = sympy.Add, (1, -1)
    kernel = Kernel.from_ufunc(np.subtract, "{0} - {1}", name="sub")
    printed = _sum_notation("-", "+")

    @classmethod
    def promotes(cls, *kinds: dtype) -> bool:
        return bool_ not in kinds

    @classmethod
    def infer(cls, *operands: Any) -> tuple[Shape, dtype]:
        shape, kind = super().infer(*operands)
        x, y = operands
        if x.dtype is bool_ or y.dtype is bool_:
            both = x.dtype is y.dtype
            raise RuntimeError(
                "Subtraction, the `-` operator, with two bool tensors is not supported. Use the "
                "`^` or `logical_xor()` operator instead."
                if both
                else "Subtraction, the `-` operator, with a bool tensor is not supported. If you "
                "are trying to invert a mask, use the `~` or `logical_not()` operator instead."
            )
        return shape, kind

    aliases = ("subtract",)

    def partials(self, x: ArrayExpr, y: ArrayExpr) -> Sequence[Any]:
        return 1, -1

    samples = [(np.array([0.3, -1.2, 2.0]), np.array([[1.5], [-0.4]])), (3.0, np.array(0.7))]


def beside_diagonal(x: Any, power: str = "") -> Latex | None:
    """Return a matrix whose rows or columns are scaled as a product with a diagonal matrix.

    That may be to a power, as the inverse of one by which a matrix is divided.
    """
    shapes = [y.shape for y in x.operands]
    if len(x.shape) != 2 or x.shape not in shapes or 1 in x.shape:
        return None
    matrix = shapes.index(x.shape)
    vector = shapes[1 - matrix]
    if size_of(vector) in (1, size_of(x.shape)):
        return None
    scales_rows = vector == (x.shape[0], 1)
    column = f"{{{1 - matrix}}}" + TRANSPOSED * (len(vector) == 2 and not scales_rows)
    diagonal = rf"\operatorname{{{{diag}}}}\left({column}\right){power}"
    template = f"{diagonal} {{{matrix}}}" if scales_rows else f"{{{matrix}}} {diagonal}"
    needed = [0, 0]
    needed[matrix] = Precedence.PRODUCT
    return Latex(template, Precedence.PRODUCT, tuple(needed), repeats=False)


def _is_number_of_arrays(x: ArrayExpr) -> bool:
    """Return whether a number is computed from arrays, as a product of vectors.

    One of the results of an operation is not: it is written as a part of these.
    """
    return not x.shape and any(getattr(y, "shape", ()) for y in x.operands)


class mul(Elementwise):
    """Return `input * other`, broadcast.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> y = torch.tensor([[3.0], [4.0]])
    >>> torch.mul(x, y).sum().backward()
    >>> x.grad
    tensor([7., 7.])
    """

    nonnegative = "operands"
    operator = "mul"
    keeps_zeros = Zeros.PRODUCT
    multilinear = True
    poles = ()
    ulps = 0
    scalar = lambda x, y: x * y  # noqa: E731
    joined = sympy.Mul, (1, 1)
    kernel = Kernel.from_ufunc(np.multiply, "{0} * {1}", name="mul")
    printed = Notation(
        "{0} * {1}",
        r"{0} \, {1}",
        Precedence.PRODUCT,
        _PRODUCT,
        of_arrays=(((0, 1), ODOT),),
        carries_sign=True,
    )

    def notation(self) -> Notation:
        if len(self.shape) > 2:
            return with_letters(self.printed, _summands(self), len(self.shape))
        printed = self.printed
        if self.shape and _is_number_of_arrays(self.operands[0]):
            printed = printed._replace(operands=(Precedence.PRODUCT + 1,) * 2)
        typeset = beside_diagonal(self) or self._scaled()
        return printed if typeset is None else printed._replace(typeset=typeset, of_arrays=())

    def _scaled(self) -> Latex | None:
        """Return a number times a product as one product, if that is what it is."""
        x, y = self.operands
        if size_of(x.shape) != 1 or size_of(y.shape) == 1:
            return None
        first = Precedence.PRODUCT + _is_number_of_arrays(x)
        return Latex(self.printed.latex, Precedence.PRODUCT, (first, Precedence.PRODUCT))

    def partials(self, x: ArrayExpr, y: ArrayExpr) -> Sequence[Any]:
        return y, x

    def recurrence(self, moving: Sequence[bool]) -> Recurrence | None:
        if not all(moving):
            return None
        return lambda k, operands, own: product(operands[0], operands[1], k)

    samples = [(np.array([0.3, -1.2, 2.0]), np.array([[1.5], [-0.4]])), (np.array(0.7), 0.37)]


class div(Elementwise):
    nonnegative = "operands"
    operator = "truediv"
    keeps_zeros = Zeros.QUOTIENT
    rounds = True  # as the logistic function it may be
    poles = (1,)
    ulps = 0
    result = "float"
    scalar = lambda x, y: x / y  # noqa: E731
    joined = sympy.Mul, (1, -1)
    kernel = Kernel.from_ufunc(np.true_divide, "{0} / {1}", name="div")
    printed = Notation(
        "{0} / {1}",
        r"\frac{{{0}}}{{{1}}}",
        Precedence.PRODUCT,
        _PRODUCT,
        Latex(r"\frac{{{0}}}{{{1}}}", Precedence.UNARY),
        of_arrays=(((1,), OSLASH),),
        carries_sign=True,
    )

    def notation(self) -> Notation:
        typeset = self._of_rows()
        if typeset is not None:
            return self.printed._replace(typeset=typeset, of_arrays=())
        above: ArrayExpr = self
        below: list[ArrayExpr] = []
        # Quotients by one number after the other are one fraction, up to a bound, since a part of
        # them may be written elsewhere as well.
        while type(above) is div and size_of(above.operands[1].shape) == 1:
            above, divisor = above.operands
            below.append(divisor)
            if len(below) == _MOST_DIVISORS:
                break
        if len(below) < 2:
            return self.printed
        shown, factors = [above], []
        for y, equal in itertools.groupby(reversed(below)):
            count = len([*equal])
            factors.append(f"{{{len(shown)}}}" + (f"^{{{{{count}}}}}" if count > 1 else ""))
            shown.append(y)
        level = Precedence.PRODUCT + (len(factors) > 1)
        needed = (0, *(level,) * (len(factors) if len(factors) > 1 else 0))
        fraction = r"\frac{{{0}}}{{" + r" \, ".join(factors) + "}}"
        typeset = Latex(fraction, Precedence.UNARY, needed, tuple(shown))
        return self.printed._replace(typeset=typeset, of_arrays=())

    def _of_rows(self) -> Latex | None:
        """Return a matrix whose rows or columns are divided as a product, after its number."""
        top, below = self.operands
        typeset = beside_diagonal(self, "^{{-1}}") if top.shape == self.shape else None
        if typeset is None or type(top) is not mul or size_of(top.operands[0].shape) != 1:
            return typeset
        template = typeset.template.replace("{1}", "{2}").replace("{0}", "{1}")
        needed = (Precedence.PRODUCT, Precedence.PRODUCT, 0)
        shown = (*top.operands, below)
        return typeset._replace(template=rf"{{0}} \, {template}", operands=needed, shown=shown)

    def partials(self, x: ArrayExpr, y: ArrayExpr) -> Sequence[Any]:
        # This node itself, or the form that a rewrite gave it, such as `masked`.
        return lambda: 1 / y, lambda: -(x / y / y)

    def recurrence(self, moving: Sequence[bool]) -> Recurrence | None:
        return quotient if moving[1] else None

    samples = [(np.array([0.3, -1.2, 2.0]), np.array([[1.5], [-0.4]])), (2.0, np.array(0.7))]


class neg(_Sum):
    """Return `-input`; of bools, RuntimeError.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.neg(torch.tensor([1.0, -2.0]))
    tensor([-1.,  2.])
    """

    operator = "neg"
    keeps_zeros = Zeros.FIRST
    passes_factors = True
    poles = ()
    ulps = 0
    aliases = ("negative",)
    refuses = (Category.BOOL,)
    scalar = lambda x: -x  # noqa: E731
    joined = sympy.Add, (-1,)
    kernel = Kernel.from_ufunc(np.negative, "-{0}", name="neg")
    printed = Notation(
        "-{0}",
        "- {0}",
        Precedence.UNARY,
        (Precedence.UNARY,),
        Latex("- {0}", Precedence.SIGN, (Precedence.LARGE,)),
        turned=(0, "{0}", "{0}"),
    )

    @classmethod
    def refused(cls, kind: dtype) -> Exception:
        return RuntimeError(
            "Negation, the `-` operator, on a bool tensor is not supported. If you are trying "
            "to invert a mask, use the `~` or `logical_not()` operator instead."
        )

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (-1,)

    samples = [(np.array([0.3, -1.2, 2.0]),), (np.array(-0.4),)]


class _Scaled(Pointwise, abstract=True):
    """A sum or difference whose second operand has a factor, recorded as one operation.

    The factor is an operand, so that programs in which it varies are one structure.
    """

    ulps = 0
    arity = 3
    internal = True
    #: The operation without a factor.
    plain: ClassVar[type[Elementwise]]

    @classmethod
    def infer(cls, *operands: Any) -> tuple[Shape, dtype]:
        x, y, alpha = operands
        shape, kind = cls.plain.infer(x, y)
        given = alpha.dtype.category
        if given == Category.BOOL and kind is not bool_:
            raise RuntimeError("Boolean alpha only supported for Boolean results.")
        if given > kind.category and given >= Category.FLOAT:
            raise RuntimeError(
                "For integral input tensors, argument alpha must not be a floating point number."
                if kind.category < Category.FLOAT
                else "For non-complex input tensors, argument alpha must not be a complex number."
            )
        return shape, kind

    samples = [(ANY, COLUMN, 2.5), (np.array(0.7), ANY, -3)]


def _scaled_notation(sign: str, opposite: str) -> Notation:
    levels = (Precedence.SUM, Precedence.PRODUCT + 1, Precedence.PRODUCT)
    text, turned_text = [f"{{0}} {s} {{2}} * {{1}}" for s in (sign, opposite)]
    latex, turned = [rf"{{0}} {s} {{2}} \, {{1}}" for s in (sign, opposite)]
    return Notation(text, latex, Precedence.SUM, levels, turned=(2, turned_text, turned))


class add_scaled(_Scaled):
    """`x + alpha*y`."""

    plain = add
    printed = _scaled_notation("+", "-")

    @classmethod
    def composed(cls, x: ArrayExpr, y: ArrayExpr, alpha: ArrayExpr) -> ArrayExpr:
        return x + alpha * y


class sub_scaled(_Scaled):
    """`x - alpha*y`."""

    plain = sub
    printed = _scaled_notation("-", "+")

    @classmethod
    def composed(cls, x: ArrayExpr, y: ArrayExpr, alpha: ArrayExpr) -> ArrayExpr:
        return x - alpha * y
