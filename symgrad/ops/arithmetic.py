"""Addition, multiplication, powers and their kin.

Functions with a graph of their own (exp, sin) and everything that moves data stand elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import sympy

from numeric.kernel import Kernel
from numeric.rows import local
from symgrad.expr.dtypes import Category, bool_, dtype, int64, to_float, to_real
from symgrad.expr.node import ArrayExpr, Const, as_expr
from symgrad.expr.shapes import Shape
from symgrad.ops.arguments import number_argument, number_as
from symgrad.ops.axes import cpp_name
from symgrad.ops.kinds import Choosing
from symgrad.ops.where import where
from symgrad.primitive import Elementwise, Level, Notation, bind
from symgrad.public import public, public_property


def _infix(
    symbol: str, latex: str, level: int, left: int | None = None, right: int | None = None
) -> Notation:
    """A binary operator; by default the left operand may bind equally tightly."""
    return Notation(
        f"{{0}} {symbol} {{1}}" if level < Level.POWER else f"{{0}}{symbol}{{1}}",
        latex,
        level,
        (left if left is not None else level, right if right is not None else level + 1),
    )


class add(Elementwise):
    arity = 2
    numbers_are_edges = "all"
    scalar = lambda x, y: x + y  # noqa: E731
    kernel = Kernel.from_ufunc(np.add, "{0} + {1}")

    def partials(self, x: ArrayExpr, y: ArrayExpr) -> Sequence[Any]:
        return 1, 1

    def notation(self) -> Notation:
        return _infix("+", "{0} + {1}", Level.SUM)

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(np.array([0.3, -1.2, 2.0]), np.array([[1.5], [-0.4]])), (np.array(0.7), 2)]


class sub(Elementwise):
    arity = 2
    numbers_are_edges = "last"
    scalar = lambda x, y: x - y  # noqa: E731
    kernel = Kernel.from_ufunc(np.subtract, "{0} - {1}", name="sub")

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

    def grad_fn_name(self) -> str:
        return "RsubBackward1" if self.operands[0].weak else "SubBackward0"

    def notation(self) -> Notation:
        return _infix("-", "{0} - {1}", Level.SUM)

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(np.array([0.3, -1.2, 2.0]), np.array([[1.5], [-0.4]])), (3.0, np.array(0.7))]


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

    arity = 2
    numbers_are_edges = "all"
    aliases = ("multiply",)
    frees = True
    scalar = lambda x, y: x * y  # noqa: E731
    kernel = Kernel.from_ufunc(np.multiply, "{0} * {1}", name="mul")

    def partials(self, x: ArrayExpr, y: ArrayExpr) -> Sequence[Any]:
        return y, x

    def notation(self) -> Notation:
        return _infix("*", r"{0} \, {1}", Level.PRODUCT)

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(np.array([0.3, -1.2, 2.0]), np.array([[1.5], [-0.4]])), (np.array(0.7), 0.37)]


class div(Elementwise):
    arity = 2
    numbers_are_edges = "last"
    frees = True
    saves_result = False
    result = "float"
    scalar = lambda x, y: x / y  # noqa: E731
    kernel = Kernel.from_ufunc(np.true_divide, "{0} / {1}", name="div")

    def partials(self, x: ArrayExpr, y: ArrayExpr) -> Sequence[Any]:
        # The quotient is this node again, or what is known of it, as that it is masked.
        return lambda: 1 / y, lambda: -(x / y / y)

    def grad_fn_name(self) -> str:
        # PyTorch multiplies a number by the reciprocal.
        return "MulBackward0" if self.operands[0].weak else "DivBackward0"

    def notation(self) -> Notation:
        return Notation("{0} / {1}", r"\frac{{{0}}}{{{1}}}", Level.PRODUCT, (Level.PRODUCT, 41))

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(np.array([0.3, -1.2, 2.0]), np.array([[1.5], [-0.4]])), (2.0, np.array(0.7))]


class div_unrounded(div):
    """The quotient where a rounding mode was given as None: PyTorch's graph has another name."""

    internal = True
    scalar = lambda x, y: x / y  # noqa: E731
    kernel = div.kernel
    torch_name = "DivBackward2"

    def grad_fn_name(self) -> str:
        return self.torch_name


class neg(Elementwise):
    """Return `-input`; of bools, RuntimeError.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.neg(torch.tensor([1.0, -2.0]))
    tensor([-1.,  2.])
    """

    aliases = ("negative",)
    scalar = lambda x: -x  # noqa: E731
    kernel = Kernel.from_ufunc(np.negative, "-{0}", name="neg")

    @classmethod
    def infer(cls, *operands: Any) -> tuple[Shape, dtype]:
        if operands[0].dtype.category == Category.BOOL:
            raise RuntimeError(
                "Negation, the `-` operator, on a bool tensor is not supported. If you are trying "
                "to invert a mask, use the `~` or `logical_not()` operator instead."
            )
        return super().infer(*operands)

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (-1,)

    def notation(self) -> Notation:
        return Notation("-{0}", "- {0}", Level.UNARY, (Level.UNARY,))

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(np.array([0.3, -1.2, 2.0]),), (np.array(-0.4),)]


def _objects(f: Any) -> dict[str, Any]:
    """An elementwise function on arrays of other numbers, whatever the system."""
    return {system: np.frompyfunc(f, 1, 1) for system in ("sympy", "mpmath")}


# PyTorch computes these exponents without `pow`, to other last bits than `pow` gives.
_POWERS: dict[Any, Kernel] = {
    p: Kernel("pow", call, source, rows=local, numbers=_objects(lambda x, p=exact: x**p))
    for p, exact, call, source in (
        (0.5, sympy.Rational(1, 2), np.sqrt, "np.sqrt({0})"),
        (1, 1, np.positive, "np.positive({0})"),
        (2, 2, np.square, "np.square({0})"),
        (3, 3, lambda x: x * x * x, "{0} * {0} * {0}"),
        (-1, -1, lambda x: 1 / x, "1 / {0}"),
        (-2, -2, lambda x: 1 / (x * x), "1 / ({0} * {0})"),
        (-0.5, sympy.Rational(-1, 2), lambda x: 1 / np.sqrt(x), "1 / np.sqrt({0})"),
    )
}


def _integer_power(x, y):  # type: ignore[no-untyped-def]
    # Where the exponent is negative the exact power is 0 unless the base is 1 or -1.
    x = np.asarray(x, dtype=np.result_type(x, y))
    sign = np.where(y % 2 == 0, 1, x)
    return np.where(y < 0, np.where(np.abs(x) == 1, sign, 0), np.power(x, np.maximum(y, 0)))


_INTEGER_POWER = Kernel.from_function(
    _integer_power,
    rows=local,
    numbers={"sympy": np.frompyfunc(lambda x, y: sympy.Integer(x) ** y, 2, 1)},
)


class pow(Elementwise):
    arity = 2
    frees = True
    overloaded = True
    scalar = lambda x, y: x**y  # noqa: E731
    kernel = Kernel.from_ufunc(np.power, name="pow")

    @classmethod
    def is_structural(
        cls, i: int, number: Any, operands: Sequence[Any], params: tuple[Any, ...]
    ) -> bool:
        return i == 1

    @classmethod
    def infer(cls, *operands: Any) -> tuple[Shape, dtype]:
        shape, kind = super().infer(*operands)
        if kind.category == Category.BOOL and not operands[1].weak:
            raise NotImplementedError("\"pow\" not implemented for 'Bool'")
        y = operands[1]
        if kind.category == Category.BOOL and isinstance(y, Const):
            return shape, kind
        if kind.category == Category.INT and isinstance(y, Const) and y.value < 0:
            raise RuntimeError("Integers to negative integer powers are not allowed.")
        return shape, kind

    def partials(self, x: ArrayExpr, y: ArrayExpr) -> Sequence[Any]:
        # In the precision of the result, which a logarithm of the operand would not have.
        x, y = (a if a.weak or a.dtype is self.dtype else a.to(self.dtype) for a in (x, y))
        return lambda: self._in_base(x, y), lambda: self._in_exponent(x, y)

    def _in_base(self, x: ArrayExpr, y: ArrayExpr) -> ArrayExpr | int:
        if isinstance(y, Const):
            p = y.value
            if p == 0 or p == 1:
                return 1 if p == 1 else 0
            power: ArrayExpr = p * x ** (p - 1)
            return power
        # x**0 is constant in x, also where x**(-1) is infinite. Elsewhere y*x**(y-1) vanishes by
        # itself, and its own derivative with respect to y does not.
        constant = y.eq(0).logical_and((x.abs() > 0).logical_not())
        return where.of(constant, 0, y * x ** (y - 1))

    def _in_exponent(self, x: ArrayExpr, y: ArrayExpr) -> ArrayExpr:
        if isinstance(x, Const) and x.value != 0:
            return self * self._logarithm(x)
        # 0**y is constant for y >= 0.
        real = y.real if y.dtype.is_complex else y
        return where.of(x.eq(0).logical_and(real >= 0), 0, self * self._logarithm(x))

    def _logarithm(self, x: ArrayExpr) -> ArrayExpr:
        """The logarithm of the base, complex where the power is: negative numbers have one."""
        return as_expr(x.to(self.dtype) if self.dtype.is_complex else x).log()

    def implementation(self) -> tuple[Kernel, Mapping[str, Any], tuple[ArrayExpr, ...]]:
        x, y = self.operands
        if self.dtype.category == Category.BOOL:
            return _TRUTH_POWER, {}, self.operands
        if self.dtype.category < Category.FLOAT:
            return (self.kernel if isinstance(y, Const) else _INTEGER_POWER), {}, self.operands
        special = _POWERS.get(y.number) if isinstance(y, Const) else None
        return (self.kernel, {}, self.operands) if special is None else (special, {}, (x,))

    def grad_fn_name(self) -> str:
        x, y = self.operands
        return f"PowBackward{0 if y.weak else 2 if x.weak else 1}"

    def notation(self) -> Notation:
        return Notation("{0}**{1}", "{0}^{{{1}}}", Level.POWER, (Level.POWER + 1, Level.UNARY))

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        base = np.array([0.3, 1.2, 2.0])
        return [(base, np.array([[1.5], [-0.4]])), (base, 2), (base, 3), (base, 0.5), (2.0, base)]


@public("pow")
def _pow(input: Any, exponent: Any) -> Any:
    """Return `input` to the power `exponent`, elementwise and broadcast.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.pow(torch.tensor([1.0, 2.0, 3.0]), 2)
    tensor([1., 4., 9.])
    >>> torch.pow(2, torch.tensor([1.0, 2.0, 3.0]))
    tensor([2., 4., 8.])
    """
    return bind(pow, (input, exponent))


# Of truth values only False to the power of True is false.
_TRUTH_POWER = Kernel(
    "pow", lambda x, y: x | np.logical_not(y), "{0} | np.logical_not({1})", rows=local
)


class sqrt(Elementwise):
    """Return the square root of each element of `input`; nan of negative numbers.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.sqrt(torch.tensor([4.0, 2.0, -1.0]))
    tensor([2.0000, 1.4142,    nan])
    """

    result = "float"
    scalar = sympy.sqrt
    kernel = Kernel.from_ufunc(np.sqrt)

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: 1 / (2 * self),)

    def notation(self) -> Notation:
        return Notation("sqrt({0})", r"\sqrt{{{0}}}")

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(_POSITIVE,), (np.array(2.5),), (_POSITIVE.reshape(3, 1),)]


_ANY = np.array([0.3, -1.2, 2.0])
_POSITIVE = np.array([0.3, 1.2, 2.0])
_COLUMN = np.array([[1.5], [-0.4]])


class rsqrt(Elementwise):
    """Return `1 / sqrt(x)` of each element of `input`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.rsqrt(torch.tensor([4.0, 0.25]))
    tensor([0.5000, 2.0000])
    """

    result = "float"
    scalar = lambda x: 1 / sympy.sqrt(x)  # noqa: E731
    kernel = Kernel("rsqrt", lambda x: 1 / np.sqrt(x), "1 / np.sqrt({0})", rows=local)

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: -(self**3) / 2,)

    def notation(self) -> Notation:
        return Notation("rsqrt({0})", r"\frac{{1}}{{\sqrt{{{0}}}}}")

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(_POSITIVE,), (np.array(2.5),)]


class square(Elementwise):
    """Return the square of each element of `input`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.square(torch.tensor([3.0, -4.0]))
    tensor([ 9., 16.])
    """

    torch_name = "Pow"
    scalar = lambda x: x**2  # noqa: E731
    kernel = Kernel.from_ufunc(np.square)

    @classmethod
    def result_kind(cls, promoted: dtype) -> dtype:
        return int64 if promoted.category == Category.BOOL else promoted

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: 2 * x,)

    def notation(self) -> Notation:
        return Notation("square({0})", "{0}^2", Level.POWER, (Level.POWER + 1,))

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(_ANY,), (np.array(-2.5),), (np.zeros((0, 2)),)]


class reciprocal(Elementwise):
    """Return `1 / x` of each element of `input`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.reciprocal(torch.tensor([2.0, 0.0]))
    tensor([0.5000,    inf])
    >>> x = torch.leaf("x")
    >>> torch.derive(torch.reciprocal(x), x)
    -(1 / x)**2
    """

    result = "float"
    scalar = lambda x: 1 / x  # noqa: E731
    kernel = Kernel("reciprocal", lambda x: 1 / x, "1 / {0}", rows=local)

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: -(self**2),)

    def notation(self) -> Notation:
        return Notation("1 / {0}", r"\frac{{1}}{{{0}}}", Level.PRODUCT, (Level.PRODUCT + 1,))

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(_ANY,), (np.array(-2.5),)]


@public("positive", operators=("__pos__",))
def _positive(input: Any) -> Any:
    """Return `input` itself; of bools, RuntimeError.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.positive(torch.tensor([1.0, -2.0]))
    tensor([ 1., -2.])
    """
    if input.dtype.category == Category.BOOL:
        raise RuntimeError("The `+` operator, on a bool tensor is not supported.")
    return input


class abs(Elementwise):
    """Return the modulus of each element of `input`; its derivative at 0 is 0.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([-2.0, 0.0, 3.0], requires_grad=True)
    >>> torch.abs(x).sum().backward()
    >>> x.grad
    tensor([-1.,  0.,  1.])
    """

    aliases = ("absolute",)
    refuses = (Category.BOOL,)
    scalar = sympy.Abs
    kernel = Kernel.from_ufunc(np.abs, "np.abs({0})", name="abs")
    keeps = (0,)  # abs(x)**2 is differentiated as x*x

    @classmethod
    def result_kind(cls, promoted: dtype) -> dtype:
        return to_real(promoted)

    def compute_dtype(self) -> dtype | None:
        return None

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Sequence[ArrayExpr | None]:
        return (ct * self.operands[0].sgn(),)

    def jvp(self, tangents: Sequence[ArrayExpr | None]) -> ArrayExpr | None:
        (t,) = tangents
        if t is None:
            return None
        turned: ArrayExpr = t * self.operands[0].sgn().conj()
        return turned.real if turned.dtype.is_complex else turned

    def notation(self) -> Notation:
        return Notation("abs({0})", r"\left|{0}\right|")

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(_ANY,), (np.array(-2.5),), (np.array([0.3 - 0.4j, -1.0 + 2j]),)]


_SIGN = Kernel(
    "sign",
    lambda x, to: np.subtract(np.greater(x, 0), np.less(x, 0), dtype=to),
    "np.subtract(np.greater({0}, 0), np.less({0}, 0), dtype={to})",
    rows=local,
    numbers={s: lambda x, to: np.frompyfunc(sympy.sign, 1, 1)(x) for s in ("sympy", "mpmath")},
)


def _real_sign(node: Any) -> tuple[Kernel, Mapping[str, Any], tuple[ArrayExpr, ...]]:
    """NumPy's sign of nan is nan, PyTorch's is 0; of bools there is none, they are their own."""
    if node.dtype.category == Category.BOOL:
        return _SAME, {}, node.operands
    return _SIGN, {"to": node.dtype.numpy}, node.operands


_SAME = Kernel("sign", lambda x: x | x, "{0} | {0}", rows=local)


class sign(Elementwise):
    """Return -1, 0 or 1 for each element of `input`; the derivative is zero, also at 0.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.sign(torch.tensor([-3.0, 0.0, 2.0]))
    tensor([-1.,  0.,  1.])
    """

    refuses = (Category.COMPLEX,)
    scalar = sympy.sign

    @classmethod
    def infer(cls, *operands: Any) -> tuple[Shape, dtype]:
        if operands[0].dtype.is_complex:
            raise NotImplementedError(
                "Unlike NumPy, torch.sign is not intended to support complex numbers. Please use "
                "torch.sgn instead."
            )
        return super().infer(*operands)

    def implementation(self) -> tuple[Kernel, Mapping[str, Any], tuple[ArrayExpr, ...]]:
        return _real_sign(self)

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (0,)

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(_ANY,), (np.array(0.0),)]


class sgn(Elementwise):
    """Return the sign `x / |x|` of each element of `input`, and 0 of 0.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.sgn(torch.tensor([3 + 4j, 0j]))
    tensor([0.6000+0.8000j, 0.0000+0.0000j])
    """

    scalar = sympy.sign
    guards = (0, 1)
    frees = True
    kernel = Kernel.from_ufunc(np.sign, name="sgn")

    def implementation(self) -> tuple[Kernel, Mapping[str, Any], tuple[ArrayExpr, ...]]:
        return (self.kernel, {}, self.operands) if self.dtype.is_complex else _real_sign(self)

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Sequence[ArrayExpr | None]:
        return (self._derivative(ct),)

    def jvp(self, tangents: Sequence[ArrayExpr | None]) -> ArrayExpr | None:
        (t,) = tangents
        return None if t is None else self._derivative(t)

    def _derivative(self, t: ArrayExpr) -> ArrayExpr | None:
        """The part of `t` across the direction of `x`, over its modulus: real-linear, symmetric."""
        if not self.dtype.is_complex:
            return None
        (x,) = self.operands
        across = self * ((self.conj() * t).imag * 1j) / x.abs()
        return where.of(x.eq(0), 0, across)

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(_ANY,), (np.array([0.3 - 0.4j, -1.0 + 2j]),)]


class conj(Elementwise):
    """The complex conjugate."""

    scalar = sympy.conjugate
    kernel = Kernel.from_ufunc(np.conjugate, name="conj")

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Sequence[ArrayExpr | None]:
        return (ct.conj(),)

    def jvp(self, tangents: Sequence[ArrayExpr | None]) -> ArrayExpr | None:
        (t,) = tangents
        return None if t is None else t.conj()

    def notation(self) -> Notation:
        return Notation("conj({0})", r"\overline{{{0}}}")

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(np.array([0.3 - 0.4j, -1.0 + 2j]),), (np.array(1j),)]


class conj_physical(conj):
    """The complex conjugate, under PyTorch's name for one that is computed at once."""

    internal = True
    scalar = sympy.conjugate
    kernel = conj.kernel


@public("conj", "conjugate")
def _conj(input: Any) -> Any:
    """Return the complex conjugate; real tensors themselves.

    Examples
    --------
    >>> import symgrad as torch
    >>> z = torch.tensor([1 + 2j, 3j])
    >>> (z * torch.conj(z)).real
    tensor([5., 9.])
    """
    return bind(conj, (input,)) if input.dtype.is_complex else input


@public("conj_physical")
def _conj_physical(input: Any) -> Any:
    """Return the complex conjugate, in memory of its own; real tensors themselves.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.conj_physical(torch.tensor([1 + 2j, 3j]))
    tensor([1.-2.j, 0.-3.j])
    """
    return bind(conj_physical, (input,)) if input.dtype.is_complex else input


class _Part(Elementwise, abstract=True):
    """A real function of complex numbers."""

    @classmethod
    def result_kind(cls, promoted: dtype) -> dtype:
        return to_real(promoted)

    def compute_dtype(self) -> dtype | None:
        return None

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(np.array([0.3 - 0.4j, -1.0 + 2j]),), (np.array(1 + 1j),)]


class real(_Part):
    """The real part."""

    internal = True
    torch_name = "Select"  # PyTorch takes it from a view as pairs
    scalar = sympy.re
    kernel = Kernel("real", np.real, "np.real({0})", view=True, rows=local)
    is_view = True

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Sequence[ArrayExpr | None]:
        return (ct.to(self.operands[0].dtype),)

    def jvp(self, tangents: Sequence[ArrayExpr | None]) -> ArrayExpr | None:
        (t,) = tangents
        return None if t is None else t.real


class imag(_Part):
    """The imaginary part."""

    internal = True
    torch_name = "Select"
    scalar = sympy.im
    kernel = Kernel("imag", np.imag, "np.imag({0})", view=True, rows=local)
    is_view = True

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Sequence[ArrayExpr | None]:
        return (ct.to(self.operands[0].dtype) * 1j,)

    def jvp(self, tangents: Sequence[ArrayExpr | None]) -> ArrayExpr | None:
        (t,) = tangents
        return None if t is None else t.imag


@public("real", method=False)
@public_property("real")
def _real(input: Any) -> Any:
    """Return the real part; real tensors themselves.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.tensor([1 + 2j, 3j]).real
    tensor([1., 0.])
    """
    return bind(real, (input,)) if input.dtype.is_complex else input


@public("imag", method=False)
@public_property("imag")
def _imag(input: Any) -> Any:
    """Return the imaginary part of a complex tensor.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.tensor([1 + 2j, 3j]).imag
    tensor([2., 3.])
    """
    if not input.dtype.is_complex:
        raise RuntimeError("imag is not implemented for tensors with non-complex dtypes.")
    return bind(imag, (input,))


class angle(_Part):
    """Return the argument of each element of `input`; of real ones 0 or pi, nan for nan.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.angle(torch.tensor([1j, -1 + 0j, 1 - 1j]))
    tensor([ 1.5708,  3.1416, -0.7854])
    >>> torch.angle(torch.tensor([2.0, -2.0]))
    tensor([0.0000, 3.1416])
    """

    frees = True
    scalar = sympy.arg
    kernel = Kernel("angle", np.angle, "np.angle({0})", rows=local)

    @classmethod
    def result_kind(cls, promoted: dtype) -> dtype:
        return to_real(to_float(promoted))

    def implementation(self) -> tuple[Kernel, Mapping[str, Any], tuple[ArrayExpr, ...]]:
        if self.operands[0].dtype.is_complex:
            return self.kernel, {}, self.operands
        return _REAL_ANGLE, {"to": self.dtype.numpy}, self.operands

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Sequence[ArrayExpr | None]:
        (x,) = self.operands
        if not x.dtype.is_complex:
            return (None,)
        return (where.of(x.eq(0), 0, ct * 1j / x.conj()),)

    def jvp(self, tangents: Sequence[ArrayExpr | None]) -> ArrayExpr | None:
        (x,), (t,) = self.operands, tangents
        if t is None or not x.dtype.is_complex:
            return None
        return where.of(x.eq(0), 0, (t / x).imag)


_REAL_ANGLE = Kernel(
    "angle",
    lambda x, to: np.where(np.isnan(x), x, np.where(x < 0, np.pi, 0)).astype(to),
    "np.where(np.isnan({0}), {0}, np.where({0} < 0, np.pi, 0)).astype({to})",
    rows=local,
)


class _Scaled(Elementwise, abstract=True):
    """A sum or difference with a factor at the second operand, which PyTorch records as one.

    The factor is an operand, so that programs in which it varies are one structure.
    """

    arity = 3
    internal = True

    @classmethod
    def infer(cls, *operands: Any) -> tuple[Shape, dtype]:
        x, y, alpha = operands
        shape, kind = super().infer(x, y)
        if alpha.dtype.category > kind.category and alpha.dtype.category >= Category.FLOAT:
            raise RuntimeError(
                "For integral input tensors, argument alpha must not be a floating point number."
                if alpha.dtype.category == Category.FLOAT
                else "For non-complex input tensors, argument alpha must not be a complex number."
            )
        return shape, kind

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(_ANY, _COLUMN, 2.5), (np.array(0.7), _ANY, -3)]


class add_scaled(_Scaled):
    """`x + alpha*y`."""

    torch_name = "Add"
    scalar = lambda x, y, alpha: x + alpha * y  # noqa: E731
    kernel = Kernel("add", lambda x, y, alpha: x + alpha * y, "{0} + {2} * {1}", rows=local)

    def partials(self, x: ArrayExpr, y: ArrayExpr, alpha: ArrayExpr) -> Sequence[Any]:
        return 1, alpha, y

    def notation(self) -> Notation:
        return Notation("{0} + {2} * {1}", r"{0} + {2} \, {1}", Level.SUM, _SCALED_LEVELS)


class sub_scaled(_Scaled):
    """`x - alpha*y`."""

    torch_name = "Sub"
    scalar = lambda x, y, alpha: x - alpha * y  # noqa: E731
    kernel = Kernel("sub", lambda x, y, alpha: x - alpha * y, "{0} - {2} * {1}", rows=local)

    def partials(self, x: ArrayExpr, y: ArrayExpr, alpha: ArrayExpr) -> Sequence[Any]:
        return 1, lambda: -alpha, lambda: -y

    def notation(self) -> Notation:
        return Notation("{0} - {2} * {1}", r"{0} - {2} \, {1}", Level.SUM, _SCALED_LEVELS)


_SCALED_LEVELS = (Level.SUM, Level.PRODUCT + 1, Level.PRODUCT)


@public("add")
def _add(input: Any, other: Any, *, alpha: Any = 1) -> Any:
    """Return `input + alpha * other`, broadcast.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.add(torch.tensor([1.0, 2.0]), torch.tensor([[10.0], [20.0]]), alpha=2)
    tensor([[21., 22.],
            [41., 42.]])
    """
    alpha = number_argument("add", "alpha", alpha)
    if alpha == 1:
        return bind(add, (input, other))
    return bind(add_scaled, (input, other, alpha))


@public("sub", "subtract")
def _sub(input: Any, other: Any, *, alpha: Any = 1) -> Any:
    """Return `input - alpha * other`, broadcast.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.sub(torch.tensor([1.0, 2.0]), torch.tensor([10.0, 20.0]), alpha=0.5)
    tensor([-4., -8.])
    """
    alpha = number_argument("sub", "alpha", alpha)
    if alpha == 1:
        return bind(sub, (input, other))
    return bind(sub_scaled, (input, other, alpha))


class rsub(Elementwise):
    """`other - input`."""

    internal = True
    arity = 2
    scalar = lambda x, y: y - x  # noqa: E731
    kernel = Kernel("rsub", lambda x, y: y - x, "{1} - {0}", rows=local)

    @classmethod
    def infer(cls, *operands: Any) -> tuple[Shape, dtype]:
        return sub.infer(*operands)

    def partials(self, x: ArrayExpr, y: ArrayExpr) -> Sequence[Any]:
        return -1, 1

    def grad_fn_name(self) -> str:
        return f"RsubBackward{1 if self.operands[1].weak else 0}"

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(_ANY, _COLUMN), (np.array(0.7), 2)]


_NOT_GIVEN: Any = object()


@public("div", "divide")
def _div(input: Any, other: Any, *, rounding_mode: Any = _NOT_GIVEN) -> Any:
    """Return `input / other`, broadcast; a rounded quotient has zero derivatives.

    Parameters
    ----------
    rounding_mode : None, "trunc" or "floor"
        Round the quotient towards zero or down.

    Examples
    --------
    >>> import symgrad as torch
    >>> x, y = torch.tensor([7.0, -7.0]), torch.tensor([2.0, 2.0])
    >>> torch.div(x, y)
    tensor([ 3.5000, -3.5000])
    >>> torch.div(x, y, rounding_mode="floor")
    tensor([ 3., -4.])
    >>> torch.div(x, y, rounding_mode="trunc")
    tensor([ 3., -3.])
    """
    if rounding_mode is _NOT_GIVEN or rounding_mode is None:
        return bind(div if rounding_mode is _NOT_GIVEN else div_unrounded, (input, other))
    if rounding_mode not in ("trunc", "floor"):
        raise RuntimeError(
            "div expected rounding_mode to be one of None, 'trunc', or 'floor' but found "
            f"'{rounding_mode}'"
        )
    from symgrad.ops.rounding import quotient  # noqa: PLC0415 - rounding is written with this file

    return bind(quotient, (input, other), (rounding_mode,))


@public("true_divide")
def _true_divide(input: Any, other: Any) -> Any:
    """Return `input / other`, broadcast.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.true_divide(torch.tensor([7, 8]), 2)
    tensor([3.5000, 4.0000])
    """
    return bind(div, (input, other))


class rsub_scaled(_Scaled):
    """`other - alpha * input`."""

    scalar = lambda x, y, alpha: y - alpha * x  # noqa: E731
    kernel = Kernel("rsub", lambda x, y, alpha: y - alpha * x, "{1} - {2} * {0}", rows=local)

    def partials(self, x: ArrayExpr, y: ArrayExpr, alpha: ArrayExpr) -> Sequence[Any]:
        return lambda: -alpha, 1, lambda: -x

    def grad_fn_name(self) -> str:
        return f"RsubBackward{1 if self.operands[1].weak else 0}"

    def notation(self) -> Notation:
        return Notation("{1} - {2} * {0}", r"{1} - {2} \, {0}", Level.SUM, _RSUB_LEVELS)


_RSUB_LEVELS = (Level.PRODUCT + 1, Level.SUM, Level.PRODUCT)


@public("rsub")
def _rsub(input: Any, other: Any, *, alpha: Any = 1) -> Any:
    """Return `other - alpha * input`, broadcast.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.rsub(torch.tensor([1.0, 2.0]), 10)
    tensor([9., 8.])
    """
    alpha = number_argument("rsub", "alpha", alpha)
    if alpha == 1:
        return bind(rsub, (input, other))
    return bind(rsub_scaled, (input, other, alpha))


class _Extreme(Choosing, abstract=True):
    """The larger or smaller of two; at a tie each gets half of the cotangent."""

    arity = 2
    frees = True

    @classmethod
    def infer(cls, *operands: Any) -> tuple[Shape, dtype]:
        shape, kind = super().infer(*operands)
        if kind.is_complex:
            raise RuntimeError(f"{cls.__name__} not implemented for complex tensors.")
        return shape, kind

    def loses(self, x: ArrayExpr, y: ArrayExpr) -> ArrayExpr:
        """Where `x` is not chosen over `y`."""
        raise NotImplementedError

    def passed(self, i: int, t: ArrayExpr) -> ArrayExpr | None:
        x, y = self.operands[i], self.operands[1 - i]
        return where.of(self.loses(x, y), 0, where.of(x.eq(y), t / 2, t))

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [
            (_ANY, _COLUMN),
            (np.array([1.0, 2.0]), np.array([1.0, 3.0])),
            (_ANY, np.array(0.1)),
        ]


class maximum(_Extreme):
    """Return the larger of `input` and `other`, nan where either is; equals share the gradient.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([1.0, 5.0], requires_grad=True)
    >>> torch.maximum(x, torch.tensor([1.0, 2.0])).sum().backward()
    >>> x.grad
    tensor([0.5000, 1.0000])
    """

    scalar = sympy.Max
    kernel = Kernel.from_ufunc(np.maximum)

    def loses(self, x: ArrayExpr, y: ArrayExpr) -> ArrayExpr:
        return x < y


class minimum(_Extreme):
    """Return the smaller of `input` and `other`, nan where either is; equals share the gradient.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.minimum(torch.tensor([1.0, float("nan")]), torch.tensor([3.0, 2.0]))
    tensor([1., nan])
    """

    scalar = sympy.Min
    kernel = Kernel.from_ufunc(np.minimum)

    def loses(self, x: ArrayExpr, y: ArrayExpr) -> ArrayExpr:
        return x > y


class _Preferred(Choosing, abstract=True):
    """The larger or smaller of two that is a number; a tie goes to the first."""

    arity = 2
    frees = True
    refuses = (Category.COMPLEX,)

    def passed(self, i: int, t: ArrayExpr) -> ArrayExpr | None:
        x, y = self.operands
        first = self.beats(x, y).logical_or(y.isnan())
        return where.of(first, t, 0) if i == 0 else where.of(first, 0, t)

    def beats(self, x: ArrayExpr, y: ArrayExpr) -> ArrayExpr:
        """Where `x` is chosen over `y`, neither being nan."""
        raise NotImplementedError

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(_ANY, _COLUMN), (np.array([1.0, 2.0]), np.array([1.0, 3.0]))]

    @classmethod
    def refused(cls, kind: dtype) -> Exception:
        return RuntimeError(f"{cls.__name__} not implemented for complex tensors.")


class fmax(_Preferred):
    """Return the larger of `input` and `other`, broadcast; the other one where one is nan.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.fmax(torch.tensor([1.0, float("nan")]), torch.tensor([3.0, 2.0]))
    tensor([3., 2.])
    """

    scalar = sympy.Max
    kernel = Kernel.from_ufunc(np.fmax)

    def beats(self, x: ArrayExpr, y: ArrayExpr) -> ArrayExpr:
        return x >= y


class fmin(_Preferred):
    """Return the smaller of `input` and `other`, broadcast; the other one where one is nan.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.fmin(torch.tensor([1.0, float("nan")]), torch.tensor([3.0, 2.0]))
    tensor([1., 2.])
    """

    scalar = sympy.Min
    kernel = Kernel.from_ufunc(np.fmin)

    def beats(self, x: ArrayExpr, y: ArrayExpr) -> ArrayExpr:
        return x <= y


class hypot(Elementwise):
    """Return `sqrt(input**2 + other**2)` without overflow; the derivative at the origin is 0.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.hypot(torch.tensor([3.0, 3e30]), torch.tensor([4.0, 4e30]))
    tensor([5.0000e+00, 5.0000e+30])
    """

    arity = 2
    refuses = (Category.BOOL, Category.INT, Category.COMPLEX)
    scalar = lambda x, y: sympy.sqrt(x**2 + y**2)  # noqa: E731
    kernel = Kernel.from_ufunc(np.hypot)

    def partials(self, x: ArrayExpr, y: ArrayExpr) -> Sequence[Any]:
        origin = self.eq(0)
        return lambda: where.of(origin, 0, x / self), lambda: where.of(origin, 0, y / self)

    def notation(self) -> Notation:
        return Notation("hypot({0}, {1})", r"\sqrt{{{0}^2 + {1}^2}}", Level.ATOM, (61, 61))

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(_ANY, _COLUMN), (np.array(3.0), np.array(4.0))]


class lerp(Elementwise):
    """`x + w*(y - x)`, all of one dtype."""

    arity = 3
    refuses = (Category.BOOL, Category.INT)
    kernel_name = "lerp_kernel_tensor"
    scalar = lambda x, y, w: x + w * (y - x)  # noqa: E731

    @classmethod
    def infer(cls, *operands: Any) -> tuple[Shape, dtype]:
        x, *rest = operands
        for name, y in zip(("end", "weight"), rest, strict=True):
            if not y.weak and y.dtype is not x.dtype and not x.weak:
                raise RuntimeError(
                    f"expected dtype {cpp_name(x.dtype)} for `{name}` but got dtype "
                    f"{cpp_name(y.dtype)}"
                )
        _refuse_lost(rest[1], x.dtype)
        return super().infer(*operands)

    def implementation(self) -> tuple[Kernel, Mapping[str, Any], tuple[ArrayExpr, ...]]:
        return _LERP, {}, self.operands

    def partials(self, x: ArrayExpr, y: ArrayExpr, w: ArrayExpr) -> Sequence[Any]:
        return lambda: 1 - w, w, lambda: y - x

    def grad_fn_name(self) -> str:
        return f"LerpBackward{0 if self.operands[2].weak else 1}"

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(_ANY, _COLUMN, 0.25), (_ANY, np.array(0.7), np.array([0.2, 0.5, 0.9]))]


def _lerp(x, y, w):  # type: ignore[no-untyped-def]
    # From the nearer end, so that w = 1 gives y itself.
    return np.where(np.abs(w) < 0.5, x + w * (y - x), y - (y - x) * (1 - w))


_LERP = Kernel.from_function(
    _lerp,
    rows=local,
    numbers={s: np.frompyfunc(lambda x, y, w: x + w * (y - x), 3, 1) for s in ("sympy", "mpmath")},
)


@public("lerp")
def _lerp_public(input: Any, end: Any, weight: Any) -> Any:
    """Return `input + weight * (end - input)`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.lerp(torch.tensor([0.0, 10.0]), torch.tensor([1.0, 20.0]), 0.25)
    tensor([ 0.2500, 12.5000])
    """
    if not hasattr(weight, "shape"):
        weight = _plainest(number_argument("lerp", "weight", weight))
    return bind(lerp, (input, end, weight))


class _Fused(Elementwise, abstract=True):
    """A sum with a product or quotient and a factor, an operand since it may vary."""

    arity = 4

    @classmethod
    def infer(cls, *operands: Any) -> tuple[Shape, dtype]:
        shape, kind = super().infer(*operands[:3])
        _refuse_lost(operands[3], kind)
        return shape, kind

    def notation(self) -> Notation:
        form = super().notation()  # the public function takes it by keyword
        return form._replace(text=form.text.replace("{3}", "value={3}"))

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(_ANY, _COLUMN, _ANY, 2), (np.array(0.7), _ANY, np.array(1.5), 0.37)]


class addcmul(_Fused):
    """`x + value*y*z`."""

    scalar = lambda x, y, z, value: x + value * y * z  # noqa: E731
    kernel = Kernel(
        "addcmul", lambda x, y, z, value: x + value * y * z, "{0} + {3} * {1} * {2}", rows=local
    )

    def partials(self, x: ArrayExpr, y: ArrayExpr, z: ArrayExpr, value: ArrayExpr) -> Sequence[Any]:
        return 1, lambda: value * z, lambda: value * y, lambda: y * z


class addcdiv(_Fused):
    """`x + value*y/z`."""

    result = "float"
    scalar = lambda x, y, z, value: x + value * y / z  # noqa: E731
    kernel = Kernel(
        "addcdiv", lambda x, y, z, value: x + value * y / z, "{0} + {3} * {1} / {2}", rows=local
    )

    def partials(self, x: ArrayExpr, y: ArrayExpr, z: ArrayExpr, value: ArrayExpr) -> Sequence[Any]:
        return 1, lambda: value / z, lambda: -(value * y / z**2), lambda: y / z


def _plainest(value: Any) -> Any:
    """Return a complex number that is real as a real one, which real operands admit."""
    return value.real if isinstance(value, complex) and not value.imag else value


def _refuse_lost(number: Any, kind: dtype) -> None:
    """Raise PyTorch's error where a complex `number` meets operands of a real `kind`."""
    if number.weak and number.dtype.is_complex and not kind.is_complex:
        number_as(1j, kind)


@public("addcmul")
def _addcmul(input: Any, tensor1: Any, tensor2: Any, *, value: Any = 1) -> Any:
    """Return `input + value * tensor1 * tensor2`.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([1.0, 1.0])
    >>> torch.addcmul(x, torch.tensor([2.0, 3.0]), torch.tensor([4.0, 5.0]), value=0.5)
    tensor([5.0000, 8.5000])
    """
    value = _plainest(number_argument("addcmul", "value", value))
    return bind(addcmul, (input, tensor1, tensor2, value))


@public("addcdiv")
def _addcdiv(input: Any, tensor1: Any, tensor2: Any, *, value: Any = 1) -> Any:
    """Return `input + value * tensor1 / tensor2`.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([1.0, 1.0])
    >>> torch.addcdiv(x, torch.tensor([2.0, 3.0]), torch.tensor([4.0, 6.0]), value=2)
    tensor([2., 2.])
    """
    value = _plainest(number_argument("addcdiv", "value", value))
    return bind(addcdiv, (input, tensor1, tensor2, value))


__all__ = [
    "abs",
    "add",
    "add_scaled",
    "addcdiv",
    "addcmul",
    "angle",
    "conj",
    "div",
    "fmax",
    "fmin",
    "hypot",
    "imag",
    "lerp",
    "maximum",
    "minimum",
    "mul",
    "neg",
    "pow",
    "real",
    "reciprocal",
    "rsqrt",
    "rsub",
    "rsub_scaled",
    "sgn",
    "sign",
    "sqrt",
    "square",
    "sub",
    "sub_scaled",
]
