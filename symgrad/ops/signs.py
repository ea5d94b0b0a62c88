"""The modulus and the sign of real and complex numbers, and functions of a sign."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import sympy

from numeric.kernel import Kernel
from numeric.rows import local
from symgrad.expr.dtypes import Category, dtype, to_real
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import Notation, Precedence, of_elements
from symgrad.expr.shapes import Shape
from symgrad.ops.elementwise import Elementwise
from symgrad.ops.kinds import Passing, Steady
from symgrad.ops.lengths import along, conjugate, radial_sign
from symgrad.ops.primitive import Computation, Cotangents, no_derivative_but
from symgrad.ops.samples import ANY, COLUMN
from symgrad.ops.where import where


def _along_sign(x: Any, c: ArrayExpr, y: ArrayExpr) -> ArrayExpr:
    """Return `c * sgn(x)`, the cotangent of `x` for that of its modulus `y`, or the tangent of `y`."""
    sign = x.sgn()
    return along(radial_sign, lambda: c * sign, c, lambda: sign, x, y, y)


class abs(Passing):
    """Return the modulus of each element of `input`; its derivative at 0 is 0.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([-2.0, 0.0, 3.0], requires_grad=True)
    >>> torch.abs(x).sum().backward()
    >>> x.grad
    tensor([-1.,  0.,  1.])
    """

    nonnegative = "always"
    ufuncs = ("fabs",)
    operator = "abs"
    poles = ()
    ulps = 0
    aliases = ("absolute",)
    aliases_in_place = "method"
    refuses = (Category.BOOL,)
    scalar = sympy.Abs
    kernel = Kernel.from_ufunc(np.abs, "np.abs({0})", name="abs")
    keeps = (0, 1)  # abs(x)**2 is differentiated as x*x, and a second derivative by the length
    printed = Notation(
        "abs({0})",
        r"\left|{0}\right|",
        of_arrays=of_elements(r"\operatorname{{abs}}\left({0}\right)", Precedence.ATOM),
    )
    converts = False

    @classmethod
    def result_kind(cls, promoted: dtype) -> dtype:
        return to_real(promoted)

    def passed(self, i: int, t: ArrayExpr) -> Any:
        product = _along_sign(conjugate(self.operands[0]), t, self)
        return product.real if product.dtype.is_complex else product

    def pulled(self, i: int, ct: ArrayExpr) -> Any:
        return _along_sign(self.operands[0], ct, self)

    samples = [(ANY,), (np.array(-2.5),), (np.array([0.3 - 0.4j, -1.0 + 2j]),)]


class root_modulus(Steady, abstract=True):
    """The modulus of real `x`, differentiated in place of `root`, the square root of its square."""

    by_result = False

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        x, root = self.operands
        return _along_sign(x, ct, root), None

    def jvp(self, tangents: Sequence[ArrayExpr | None]) -> ArrayExpr | None:
        (x, root), t = self.operands, tangents[0]
        return None if t is None else _along_sign(x, t, root)


class same_modulus(Steady, abstract=True):
    """Real `x`, which is never negative, differentiated in place of `modulus`, which it equals."""

    by_result = False

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        return ct, None

    def jvp(self, tangents: Sequence[ArrayExpr | None]) -> ArrayExpr | None:
        return tangents[0]


_SIGN = Kernel(
    "sign",
    lambda x, to: np.subtract(np.greater(x, 0), np.less(x, 0), dtype=to),
    "np.subtract(np.greater({0}, 0), np.less({0}, 0), dtype={to})",
    rows=local,
    number_systems={
        s: lambda x, to: np.frompyfunc(sympy.sign, 1, 1)(x) for s in ("sympy", "mpmath")
    },
)


def _real_sign(node: Any) -> tuple[Kernel, Mapping[str, Any], tuple[ArrayExpr, ...]]:
    """Return how the sign of real numbers is computed: 0 for nan, and a bool for a bool."""
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

    in_place = "method"
    ulps = 0
    refuses = (Category.COMPLEX,)
    cut = no_derivative_but("tanh()")
    scalar = sympy.sign

    @classmethod
    def refused(cls, kind: dtype) -> Exception:
        return NotImplementedError(
            "Unlike NumPy, torch.sign is not intended to support complex numbers. Please use "
            "torch.sgn instead."
        )

    def implementation(self) -> Computation:
        return _real_sign(self)

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (0,)

    samples = [(ANY,), (np.array(0.0),)]


class sgn(Passing):
    """Return the sign `x / |x|` of each element of `input`, and 0 of 0.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.sgn(torch.tensor([3 + 4j, 0j]))
    tensor([0.6000+0.8000j, 0.0000+0.0000j])
    """

    in_place = "method"
    ulps = 0
    scalar = of_sympy = sympy.sign
    kernel = Kernel.from_ufunc(np.sign, name="sgn")

    def implementation(self) -> Computation:
        return (self.kernel, {}, self.operands) if self.dtype.is_complex else _real_sign(self)

    def passed(self, i: int, t: ArrayExpr) -> ArrayExpr | None:
        # The part of t across the direction of x, over the modulus of x. The map is symmetric.
        if not self.dtype.is_complex:
            return None
        (x,) = self.operands
        across = self * ((self.conj() * t).imag * 1j) / x.abs()
        return where.of(x.eq(0), 0, across)

    samples = [(ANY,), (np.array([0.3 - 0.4j, -1.0 + 2j]),)]


class copysign(Elementwise):
    """Return `input` with the sign of `other`, broadcast; a zero has a sign, too.

    The derivative where `input` is zero is 0, and that with respect to `other` is 0 everywhere.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([1.0, -2.0, 0.0], requires_grad=True)
    >>> y = torch.copysign(x, torch.tensor([-3.0, 3.0, -0.0]))
    >>> y
    tensor([-1.,  2., -0.], grad_fn=<CopysignBackward0>)
    >>> y.sum().backward()
    >>> x.grad
    tensor([-1., -1.,  0.])
    """

    ulps = 0
    result = "float"
    numbers = "last"
    refuses = (Category.COMPLEX,)
    scalar = lambda x, y: sympy.Abs(x) * sympy.Piecewise((-1, y < 0), (1, True))  # noqa: E731
    kernel = Kernel.from_ufunc(np.copysign)

    def partials(self, x: ArrayExpr, y: ArrayExpr) -> Sequence[Any]:
        return lambda: x.sgn() * self.sgn(), 0

    samples = [(ANY, COLUMN), (np.array(0.7), -2.0), (ANY, np.array(-0.5))]


class heaviside(Elementwise):
    """The step function, with the value at zero."""

    ulps = 0
    internal = True
    scalar = sympy.Heaviside
    kernel = Kernel(
        "heaviside",
        lambda x, v: np.where(np.equal(x, 0), v, np.greater(x, 0)),
        "np.where(np.equal({0}, 0), {1}, np.greater({0}, 0))",
        rows=local,
    )
    printed = Notation("heaviside({0}, {1})", r"\theta\left({0}, {1}\right)")

    @classmethod
    def infer(cls, *operands: Any) -> tuple[Shape, dtype]:
        x, values = operands
        if x.dtype.is_complex or values.dtype.is_complex:
            raise RuntimeError("heaviside is not yet implemented for complex tensors.")
        if x.dtype is not values.dtype and not x.weak and not values.weak:
            raise RuntimeError(
                "heaviside is not yet implemented for tensors with different dtypes."
            )
        return super().infer(*operands)

    def missing_derivative(self) -> str:
        return "aten::heaviside"

    samples = [(np.array([0.3, -1.2, 0.0]), COLUMN), (np.array([3, 0]), np.array(7))]
