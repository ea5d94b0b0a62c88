"""Comparisons, logic and `where`, which chooses between values and between their derivatives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
import sympy

from numeric.kernel import Kernel
from numeric.rows import local
from symgrad.expr.dtypes import Category, bool_, dtype, result_dtype, uint8
from symgrad.expr.node import ArrayExpr
from symgrad.expr.shapes import Shape, broadcast_shapes
from symgrad.ops.axes import cpp_name
from symgrad.primitive import Elementwise, Level, Notation, argument_error, bind
from symgrad.public import public

__all__ = [
    "Choosing",
    "Comparison",
    "Tuned",
    "bitwise_and",
    "bitwise_left_shift",
    "bitwise_not",
    "bitwise_or",
    "bitwise_right_shift",
    "bitwise_xor",
    "eq",
    "ge",
    "gt",
    "invert",
    "isfinite",
    "isinf",
    "isnan",
    "isreal",
    "le",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "lt",
    "masked_fill",
    "ne",
    "number_argument",
    "number_as",
    "where",
]

_A = np.array([0.3, -1.2, 2.0])
_B = np.array([[0.3], [-0.4]])
_P = np.array([True, False, True])
_Q = np.array([[True], [False]])


class Comparison(Elementwise, abstract=True):
    """A relation between two arrays; its value is bool and has no derivative."""

    arity = 2
    result = "bool"
    differentiable = False
    overloaded = True
    refuses: ClassVar[tuple[int, ...]] = (Category.COMPLEX,)
    symbol = ""
    latex_symbol = ""

    def partials(self, x: ArrayExpr, y: ArrayExpr) -> Sequence[Any]:
        return 0, 0

    def notation(self) -> Notation:
        # Between expressions == and != ask for identity, as SymPy needs them to.
        called = self.symbol in ("==", "!=")
        return Notation(
            f"{type(self).__name__}({{0}}, {{1}})" if called else f"{{0}} {self.symbol} {{1}}",
            f"{{0}} {self.latex_symbol} {{1}}",
            Level.COMPARE,
            (Level.COMPARE + 1, Level.COMPARE + 1),
        )

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(_A, _B), (np.array(0.3), 1), (np.zeros((0, 3)), _A)]


class lt(Comparison):
    """Return where `input` is less than `other`, broadcast.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.lt(torch.tensor([1.0, 2.0, 3.0]), 2)
    tensor([ True, False, False])
    """

    scalar = sympy.Lt
    kernel = Kernel.from_ufunc(np.less, "{0} < {1}")
    symbol = latex_symbol = "<"
    aliases = ("less",)


class le(Comparison):
    """Return where `input` is at most `other`, broadcast.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.le(torch.tensor([1.0, 2.0, 3.0]), 2)
    tensor([ True,  True, False])
    """

    scalar = sympy.Le
    kernel = Kernel.from_ufunc(np.less_equal, "{0} <= {1}")
    symbol, latex_symbol = "<=", r"\le"
    aliases = ("less_equal",)


class gt(Comparison):
    """Return where `input` is greater than `other`, broadcast.

    Examples
    --------
    >>> import symgrad as torch
    >>> column = torch.tensor([[1], [3]])
    >>> torch.gt(torch.tensor([1, 2, 3]), column)
    tensor([[False,  True,  True],
            [False, False, False]])
    """

    scalar = sympy.Gt
    kernel = Kernel.from_ufunc(np.greater, "{0} > {1}")
    symbol = latex_symbol = ">"
    aliases = ("greater",)


class ge(Comparison):
    """Return where `input` is at least `other`, broadcast.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.ge(torch.tensor([1.0, 2.0, 3.0]), 2)
    tensor([False,  True,  True])
    """

    scalar = sympy.Ge
    kernel = Kernel.from_ufunc(np.greater_equal, "{0} >= {1}")
    symbol, latex_symbol = ">=", r"\ge"
    aliases = ("greater_equal",)


class eq(Comparison):
    """Return where `input` and `other` are equal, broadcast; nan equals nothing.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([1.0, 2.0, float("nan")])
    >>> torch.eq(x, x)
    tensor([ True,  True, False])
    """

    scalar = sympy.Eq
    kernel = Kernel.from_ufunc(np.equal, "{0} == {1}")
    symbol, latex_symbol = "==", "="
    refuses = ()


class ne(Comparison):
    """Return where `input` and `other` differ, broadcast; nan differs from everything.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([1.0, 2.0, float("nan")])
    >>> torch.ne(x, x)
    tensor([False, False,  True])
    """

    scalar = sympy.Ne
    kernel = Kernel.from_ufunc(np.not_equal, "{0} != {1}")
    symbol, latex_symbol = "!=", r"\ne"
    aliases = ("not_equal",)
    refuses = ()


class Choosing(Elementwise, abstract=True):
    """A function whose derivative lets a cotangent through or gives an exact zero.

    States `passed(i, t)`: what operand `i` contributes for `t`, which stands for the cotangent of
    the result in the pullback and for the operand's tangent in the pushforward.
    """

    def passed(self, i: int, t: ArrayExpr) -> ArrayExpr | None:
        """Return `t` where operand `i` counts, zero elsewhere; None for zero everywhere."""
        raise NotImplementedError(f"{type(self).__name__} states no passed()")

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Sequence[ArrayExpr | None]:
        return [self.passed(i, ct) if need else None for i, need in enumerate(needs)]

    def jvp(self, tangents: Sequence[ArrayExpr | None]) -> ArrayExpr | None:
        total: ArrayExpr | None = None
        for i, t in enumerate(tangents):
            term = None if t is None else self.passed(i, t)
            if term is not None:
                total = term if total is None else total + term
        return total


class Tuned(Elementwise, abstract=True):
    """A function of one array and of numbers that tune it; states `weighed(t)`.

    The numbers are operands, so that programs in which they vary are one structure. They never
    decide the dtype, and have no derivative.
    """

    internal = True

    @classmethod
    def infer(cls, *args: Any) -> tuple[Shape, dtype]:
        return super().infer(args[0])

    def weighed(self, t: ArrayExpr) -> ArrayExpr:
        """Return `t` times the derivative."""
        raise NotImplementedError(f"{type(self).__name__} states no weighed()")

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Sequence[ArrayExpr | None]:
        return (self.weighed(ct) if needs[0] else None, *[None] * len(needs[1:]))

    def jvp(self, tangents: Sequence[ArrayExpr | None]) -> ArrayExpr | None:
        t = tangents[0]
        return None if t is None else self.weighed(t)


def number_argument(function: str, argument: str, value: Any, position: int = 0) -> Any:
    """Return an argument that must be a number as a Python number, else raise PyTorch's error."""
    if isinstance(value, np.generic) or _holds_number(value):
        value = value.item()
    if not isinstance(value, (int, float, complex)):
        place = f" (position {position})" if position else ""
        raise TypeError(
            f"{function}(): argument '{argument}'{place} must be Number, not {type(value).__name__}"
        )
    return value


# Types that messages about numbers name otherwise than `cpp_name`.
_NUMBER_TYPES = {"uint8": "uint8_t", "int8": "int8_t", "int16": "int16_t", "int64": "int64_t"}


def number_as(value: Any, kind: dtype) -> Any:
    """Return a number as PyTorch takes it beside elements of `kind`: real or whole where they are.

    Raises its error for an imaginary part that would be lost, and for what is no integer at all.
    """
    if isinstance(value, complex) and not kind.is_complex and not value.imag:
        value = value.real
    whole = not kind.differentiable
    if (isinstance(value, complex) and not kind.is_complex) or (whole and not np.isfinite(value)):
        name = _NUMBER_TYPES.get(kind.name) or cpp_name(kind)
        raise RuntimeError(f"value cannot be converted to type {name} without overflow")
    return int(value) if whole or isinstance(value, bool) else value


def _is_real_number(value: Any) -> bool:
    """Whether `value` is a complex tensor, 0-d and real: a formula would not know its value."""
    return hasattr(type(value), "_record") and value.shape == () and not value.item().imag


def _holds_number(value: Any) -> bool:
    """Whether `value` is a tensor that PyTorch takes for a number: 0-d, and with no gradient."""
    return hasattr(type(value), "_record") and value.shape == () and not value.requires_grad


_SELECT = Kernel("where", np.where, "np.where({0}, {1}, {2})", rows=local)
_SELECT_AS = Kernel(
    "where",
    lambda c, x, y, to: np.asarray(np.where(c, x, y)).astype(to),
    "np.where({0}, {1}, {2}).astype({to})",
    rows=local,
    numbers={s: lambda c, x, y, to: np.where(c.astype(bool), x, y) for s in ("sympy", "mpmath")},
)


class where(Choosing):
    """`x` where the condition holds, else `y`; the branch not taken contributes an exact zero."""

    arity = 3
    numbers_are_edges = "all"
    overloaded = True
    scalar = lambda c, x, y: sympy.Piecewise((x, c), (y, True))  # noqa: E731
    kernel = _SELECT

    @classmethod
    def infer(cls, *operands: Any) -> tuple[Shape, dtype]:
        condition, x, y = operands
        if condition.dtype is not bool_ and condition.dtype is not uint8:
            raise RuntimeError(
                "where expected condition to be a boolean tensor, but got a tensor with dtype "
                f"{condition.dtype.scalar_name}"
            )
        shape = broadcast_shapes(x.shape, y.shape)
        shape = broadcast_shapes(condition.shape, shape)
        return shape, x.dtype if x.dtype is y.dtype and not x.weak else result_dtype((x, y))

    @classmethod
    def passes_to(cls, i: int, kind: dtype) -> bool:
        return i > 0

    def compute_dtype(self) -> dtype | None:
        return None

    def implementation(self) -> Any:
        _, x, y = self.operands
        for a, b in ((x, y), (y, x)):
            if a.dtype is self.dtype and not a.weak and (b.weak or b.dtype is self.dtype):
                return self.kernel, {}, self.operands
        return _SELECT_AS, {"to": self.dtype.numpy}, self.operands

    def passed(self, i: int, t: ArrayExpr) -> ArrayExpr | None:
        if i == 0:
            return None
        condition = self.operands[0]
        return where.of(condition, t, 0) if i == 1 else where.of(condition, 0, t)

    def jvp(self, tangents: Sequence[ArrayExpr | None]) -> ArrayExpr | None:
        _, x, y = tangents
        if x is None and y is None:
            return None
        return where.of(self.operands[0], 0 if x is None else x, 0 if y is None else y)

    def notation(self) -> Notation:
        return Notation(
            "where({0}, {1}, {2})",
            r"\begin{{cases}} {1} & \text{{if }} {0} \\ {2} & \text{{otherwise}} \end{{cases}}",
        )

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(_A > 0, _A, _B), (_A > 0, _A, 0), (np.array(True), 0.5, np.array(2.0))]


@public("where", method=False)
def _where(condition: Any, input: Any = None, other: Any = None) -> Any:
    """Choose `input` where `condition` holds, else `other`.

    Parameters
    ----------
    condition : bool tensor or expression
    input, other : tensor, expression or number
        Broadcast with the condition. Without both, the indices where the condition is nonzero.

    Examples
    --------
    >>> import symgrad
    >>> x = symgrad.leaf("x", (3,))
    >>> symgrad.where(x > 0, x, 0).shape
    (3,)
    """
    if input is None and other is None:
        return condition.nonzero(as_tuple=True)
    if not hasattr(condition, "dtype"):  # a number is no condition, though it may be an operand
        raise argument_error(where, (condition, input, other), 0)
    return bind(where, (condition, input, other))


@public("where", function=False)
def _where_method(self: Any, condition: Any, other: Any) -> Any:
    """Keep the elements where `condition` holds; take `other` elsewhere.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([-1.0, 2.0])
    >>> x.where(x > 0, 0.0)
    tensor([0., 2.])
    """
    return bind(where, (condition, self, other))


class masked_fill(Choosing):
    """`x` with `value` where the mask holds: `where` that keeps the dtype of `x`."""

    arity = 3
    scalar = lambda x, m, v: sympy.Piecewise((v, m), (x, True))  # noqa: E731
    kernel = Kernel(
        "masked_fill",
        lambda x, m, v, to: np.where(m, np.asarray(v).astype(to), x),
        "np.where({1}, np.asarray({2}).astype({to}), {0})",
        rows=local,
        numbers={
            s: lambda x, m, v, to: np.where(m.astype(bool), v, x) for s in ("sympy", "mpmath")
        },
    )

    @classmethod
    def infer(cls, *operands: Any) -> tuple[Shape, dtype]:
        x, mask, value = operands
        if value.shape:
            raise RuntimeError(
                "masked_fill_ only supports a 0-dimensional value tensor, but got tensor with "
                f"{len(value.shape)} dimension(s)."
            )
        if mask.dtype is not bool_:
            name = _MASK_NAMES.get(mask.dtype.name, mask.dtype.scalar_name.lower())
            raise RuntimeError(
                f"masked_fill_ only supports boolean masks, but got mask with dtype {name}"
            )
        if value.dtype.is_complex and not x.dtype.is_complex:
            number_as(1j, x.dtype)  # raises
        return broadcast_shapes(mask.shape, x.shape), x.dtype

    @classmethod
    def passes_to(cls, i: int, kind: dtype) -> bool:
        return i != 1

    def compute_dtype(self) -> dtype | None:
        return None

    def implementation(self) -> Any:
        return self.kernel, {"to": self.dtype.numpy}, self.operands

    def passed(self, i: int, t: ArrayExpr) -> ArrayExpr | None:
        mask = self.operands[1]
        if i == 1:
            return None
        return where.of(mask, 0, t) if i == 0 else where.of(mask, t, 0)

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        if not batched[2]:
            return super().batch(size, operands, batched)
        # A value for each entry of the new axis is no single value to fill with.
        x, mask, value = operands
        choice = where(self.operands[1], self.operands[2].to(self.dtype), self.operands[0])
        lifted = (mask, value.to(self.dtype), x)
        return choice.batch(size, lifted, (batched[1], True, batched[0]))

    def grad_fn_name(self) -> str:
        return f"MaskedFillBackward{0 if self.operands[2].weak else 1}"

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(_A, _A > 0, -1.0), (_B, _A > 0, np.array(0.5)), (np.array(2.0), np.array(True), 3)]


# How PyTorch names C++ types where it does not use its own names.
_MASK_NAMES = {
    "int64": "long int",
    "uint8": "unsigned char",
    "int8": "signed char",
    "int16": "short int",
    "float16": "c10::Half",
}


@public("masked_fill")
def _masked_fill(input: Any, mask: Any, value: Any) -> Any:
    """Return `input` with `value` where `mask` holds; the filled elements get no gradient.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    >>> mask = torch.tensor([False, True, False])
    >>> y = torch.masked_fill(x, mask, -1.0)
    >>> y
    tensor([ 1., -1.,  3.], grad_fn=<MaskedFillBackward0>)
    >>> y.sum().backward()
    >>> x.grad
    tensor([1., 0., 1.])
    """
    if isinstance(value, np.generic) or not hasattr(value, "shape"):
        value = number_as(number_argument("masked_fill", "value", value), input.dtype)
    elif value.dtype.is_complex and not input.dtype.is_complex and _is_real_number(value):
        value = value.real
    return bind(masked_fill, (input, mask, value))


class Logic(Elementwise, abstract=True):
    """A function of truth values: every number but zero is true."""

    arity = 2
    result = "bool"
    differentiable = False
    symbol = ""
    latex_symbol = ""

    def compute_dtype(self) -> dtype | None:
        return None

    def partials(self, *operands: ArrayExpr) -> Sequence[Any]:
        return (0,) * len(operands)

    def notation(self) -> Notation:
        return Notation(
            f"{type(self).__name__}({{0}}, {{1}})",
            f"{{0}} {self.latex_symbol} {{1}}",
            Level.LOGIC,
            (Level.LOGIC + 1, Level.LOGIC + 1),
        )

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(_P, _Q), (np.array([0.0, 1.5, -0.0]), np.array([[2.0], [0.0]]))]


def _true(x: Any) -> Any:
    """The truth value of a SymPy number or relation."""
    return x if isinstance(x, (bool, sympy.logic.boolalg.Boolean)) else sympy.Ne(x, 0)


class logical_and(Logic):
    """Return where both `input` and `other` are not zero, broadcast.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.logical_and(torch.tensor([0, 1, 2]), torch.tensor([1, 1, 0]))
    tensor([False,  True, False])
    """

    scalar = lambda x, y: sympy.And(_true(x), _true(y))  # noqa: E731
    kernel = Kernel.from_ufunc(np.logical_and)
    latex_symbol = r"\wedge"


class logical_or(Logic):
    """Return where `input`, `other` or both are not zero, broadcast.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.logical_or(torch.tensor([0, 1, 2]), torch.tensor([0, 1, 0]))
    tensor([False,  True,  True])
    """

    scalar = lambda x, y: sympy.Or(_true(x), _true(y))  # noqa: E731
    kernel = Kernel.from_ufunc(np.logical_or)
    latex_symbol = r"\vee"


class logical_xor(Logic):
    """Return where just one of `input` and `other` is not zero, broadcast.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.logical_xor(torch.tensor([0, 1, 2]), torch.tensor([1, 1, 0]))
    tensor([ True, False,  True])
    """

    scalar = lambda x, y: sympy.Xor(_true(x), _true(y))  # noqa: E731
    kernel = Kernel.from_ufunc(np.logical_xor)
    latex_symbol = r"\oplus"


class logical_not(Logic):
    """Return where `input` is zero.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.logical_not(torch.tensor([0.0, -0.5, 2.0]))
    tensor([ True, False, False])
    """

    arity = 1
    scalar = lambda x: sympy.Not(_true(x))  # noqa: E731
    kernel = Kernel.from_ufunc(np.logical_not)

    def notation(self) -> Notation:
        return Notation("logical_not({0})", r"\neg {0}", Level.UNARY, (Level.UNARY,))

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(_P,), (_B,), (np.array(0.0),)]


class Bitwise(Elementwise, abstract=True):
    """A function of the bits of integers, or of truth values."""

    arity = 2
    differentiable = False
    refuses = (Category.FLOAT, Category.COMPLEX)
    symbol = ""
    latex_symbol = ""

    def partials(self, *operands: ArrayExpr) -> Sequence[Any]:
        return (0,) * len(operands)

    def notation(self) -> Notation:
        return Notation(
            f"{{0}} {self.symbol} {{1}}",
            f"{{0}} {self.latex_symbol} {{1}}",
            Level.LOGIC,
            (Level.SUM + 1, Level.SUM + 1),  # Python's `&` binds tighter than comparisons
        )

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(_P, _Q), (np.array([6, -3, 0]), np.array([[5], [12]])), (np.array([6, -3]), 4)]


def _bits(truth: Any, bits: Any) -> Any:
    """A SymPy function of two operands that are truth values, or integers."""

    def f(x: Any, y: Any) -> Any:
        logical = (bool, sympy.logic.boolalg.Boolean)
        if isinstance(x, logical) and isinstance(y, logical):
            return truth(x, y)
        return sympy.Integer(bits(int(x), int(y)))

    return f


class bitwise_and(Bitwise):
    """Return the bits set in both `input` and `other`, broadcast; of bools, where both hold.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.bitwise_and(torch.tensor([12, 5]), 6)
    tensor([4, 4])
    """

    scalar = _bits(sympy.And, lambda x, y: x & y)
    kernel = Kernel.from_ufunc(np.bitwise_and, "{0} & {1}")
    symbol, latex_symbol = "&", r"\wedge"


class bitwise_or(Bitwise):
    """Return the bits set in `input`, `other` or both, broadcast; of bools, where any holds.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.bitwise_or(torch.tensor([12, 5]), 6)
    tensor([14,  7])
    """

    scalar = _bits(sympy.Or, lambda x, y: x | y)
    kernel = Kernel.from_ufunc(np.bitwise_or, "{0} | {1}")
    symbol, latex_symbol = "|", r"\vee"


class bitwise_xor(Bitwise):
    """Return the bits set in just one of `input` and `other`, broadcast.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.bitwise_xor(torch.tensor([12, 5]), 6)
    tensor([10,  3])
    """

    scalar = _bits(sympy.Xor, lambda x, y: x ^ y)
    kernel = Kernel.from_ufunc(np.bitwise_xor, "{0} ^ {1}")
    symbol, latex_symbol = "^", r"\oplus"


def _shifted_left(x, y):  # type: ignore[no-untyped-def]
    x, y = np.asarray(x), np.asarray(y)
    inside = (y >= 0) & (y < 8 * x.dtype.itemsize)
    return np.where(inside, np.left_shift(x, np.where(inside, y, 0)), 0).astype(x.dtype)


def _shifted_right(x, y):  # type: ignore[no-untyped-def]
    # By all bits or more only the sign is left.
    x, y = np.asarray(x), np.asarray(y)
    bits = 8 * x.dtype.itemsize
    inside = (y >= 0) & (y < bits)
    most = bits - 1 if x.dtype.kind == "i" else 0
    shifted = np.right_shift(x, np.where(inside, y, most).astype(x.dtype))
    return (shifted if most else np.where(inside, shifted, 0)).astype(x.dtype)


def _shifted(name: str, f: Any) -> dict[str, Any]:
    return {"sympy": lambda x, y: np.frompyfunc(
        lambda a, b: sympy.Integer(f(int(a), int(b))), 2, 1)(x, y)}  # fmt: skip


class _Shift(Bitwise, abstract=True):
    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(np.array([6, -3, 0]), np.array([[5], [1]])), (np.array([6, -3]), 4)]


class bitwise_left_shift(_Shift):
    """Return the bits of `input`, moved up by `other` places: times `2**other`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.bitwise_left_shift(torch.tensor([1, 3]), torch.tensor([4, 1]))
    tensor([16,  6])
    """

    kernel_name = "lshift_cpu"
    kernel = Kernel.from_function(
        _shifted_left, rows=local, numbers=_shifted("left", lambda a, b: a << b)
    )
    symbol, latex_symbol = "<<", r"\ll"


class bitwise_right_shift(_Shift):
    """Return the bits of `input`, moved down by `other` places; the sign stays.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.bitwise_right_shift(torch.tensor([16, -7]), 1)
    tensor([ 8, -4])
    """

    kernel_name = "rshift_cpu"
    kernel = Kernel.from_function(
        _shifted_right, rows=local, numbers=_shifted("right", lambda a, b: a >> b)
    )
    symbol, latex_symbol = ">>", r"\gg"


class bitwise_not(Bitwise):
    """Return the complement of the bits of `input`: `-x - 1` of signed integers; of bools, `not x`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.bitwise_not(torch.tensor([0, 5, -1]))
    tensor([-1, -6,  0])
    >>> torch.bitwise_not(torch.tensor([True, False]))
    tensor([False,  True])
    """

    arity = 1
    scalar = lambda x: (  # noqa: E731
        sympy.Not(x)
        if isinstance(x, (bool, sympy.logic.boolalg.Boolean))
        else -sympy.Integer(int(x)) - 1
    )
    kernel = Kernel.from_ufunc(np.invert, "~{0}")

    def notation(self) -> Notation:
        return Notation("~{0}", r"\neg {0}", Level.UNARY, (Level.UNARY,))

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(_P,), (np.array([[6], [-3]]),)]


def invert(input: Any) -> Any:
    """Return `~input`; PyTorch's operator refuses in words of its own."""
    if input.dtype.category in bitwise_not.refuses:
        raise TypeError(
            "~ (operator.invert) is only implemented on integer and Boolean-type tensors"
        )
    return bind(bitwise_not, (input,))


class Test(Elementwise, abstract=True):
    """A question to each element; the answer is bool and has no derivative."""

    result = "bool"
    differentiable = False

    def compute_dtype(self) -> dtype | None:
        return None

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (0,)

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(np.array([0.3, np.inf, -np.inf, np.nan]),), (np.array(2),)]


def _infinite(x: Any) -> Any:
    return sympy.Or(sympy.Eq(x, sympy.oo), sympy.Eq(x, -sympy.oo))


class isnan(Test):
    """Return where `input` is nan.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.isnan(torch.tensor([1.0, float("nan"), float("inf")]))
    tensor([False,  True, False])
    """

    scalar = lambda x: sympy.true if x is sympy.nan else sympy.false  # noqa: E731
    kernel = Kernel.from_ufunc(np.isnan)


class isinf(Test):
    """Return where `input` is inf or -inf.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.isinf(torch.tensor([1.0, float("nan"), -float("inf")]))
    tensor([False, False,  True])
    """

    scalar = lambda x: sympy.false if x is sympy.nan else _infinite(x)  # noqa: E731
    kernel = Kernel.from_ufunc(np.isinf)


class isreal(Test):
    """Return where `input` has no imaginary part.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.isreal(torch.tensor([1 + 2j, 3 + 0j]))
    tensor([False,  True])
    """

    scalar = lambda x: sympy.Eq(sympy.im(x), 0)  # noqa: E731
    kernel = Kernel("isreal", np.isreal, "np.isreal({0})", rows=local)


class isfinite(Test):
    """Return where `input` is neither infinite nor nan.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.isfinite(torch.tensor([1.0, float("nan"), float("inf")]))
    tensor([ True, False, False])
    """

    scalar = lambda x: sympy.false if x is sympy.nan else sympy.Not(_infinite(x))  # noqa: E731
    kernel = Kernel.from_ufunc(np.isfinite)
