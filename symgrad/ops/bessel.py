"""Bessel functions, computed by SciPy, and their derivatives.

The functions are those of Watson and of DLMF, chapters 9 and 10. With respect to the argument,
derivatives are functions of the neighbouring orders: DLMF 10.6.1 and 10.29.1.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import sympy

from numeric.kernel import Kernel
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import Notation, Precedence
from symgrad.ops.bessel_kernels import IV, IVE, SLOPE, of_low_order, oscillating_kernel
from symgrad.ops.hypergeometric import hyp1f1
from symgrad.ops.macdonald import KVE, scaled_macdonald
from symgrad.ops.samples import POSITIVE
from symgrad.ops.special import Special, known, lowered, scipy_kernels, with_index

_COLUMN = np.array([[1.5], [0.4]])


class _OnPositives(Special, abstract=True):
    space = "special"
    samples = [(POSITIVE,), (np.array(0.7),), (_COLUMN,)]


# ---------------------------------------------------------------- of any real order


class OfOrder(Special, abstract=True):
    """A Bessel function of the order `v` at `z`: the derivative by `z` reads the orders beside it."""

    arity = 2
    space = "special"
    operand_names = ("v", "z")
    underived: ClassVar[Mapping[int, str]] = {0: "v"}
    #: Twice the derivative is `below` times the function of the order below, and `above` times that
    #: of the order above.
    below: ClassVar[int] = 1
    above: ClassVar[int]

    def partials(self, v: ArrayExpr, z: ArrayExpr) -> Sequence[Any]:
        cls = type(self)

        def slope() -> Any:
            order = known(v)
            return (cls.below * cls.of(order - 1, z) + cls.above * cls.of(order + 1, z)) / 2

        return 0, slope

    samples = [(0, POSITIVE), (1.5, _COLUMN), (np.array([0.0, 1.0, 2.5]), POSITIVE)]


class _Oscillating(OfOrder, abstract=True):
    """That of the first or second kind, whose derivatives are of one operation, of any order."""

    above = -1
    second: ClassVar[bool]
    kernels: ClassVar[Mapping[Any, Kernel]] = {}
    kernel_takes_dtype = True

    def partials(self, v: ArrayExpr, z: ArrayExpr) -> Sequence[Any]:
        return 0, lambda: bessel_slope.of(v, z, self.second, 1)


class jv(_Oscillating):
    """Return the Bessel function of the first kind of the real order `v` at each `z`.

    There is no derivative with respect to the order. Where `z` is below 25 or `v**2/2` values are SciPy's:
    those of fractional orders have up to 300 ulps, those of orders above 10 up to 1500, and those of orders
    above 100 up to 25000; what is below 1e-290 may be 0. Where `z` is above `v` these are ulps of the
    modulus of J and Y. Where `z` is below 1e-3 fractional orders have up to 1000.

    Examples
    --------
    >>> import symgrad as torch
    >>> z = torch.tensor([0.0, 1.0, 2.0], requires_grad=True)
    >>> y = torch.special.jv(0, z)
    >>> y
    tensor([1.0000, 0.7652, 0.2239], grad_fn=<JvBackward0>)
    >>> y.sum().backward()
    >>> z.grad
    tensor([-0.0000, -0.4401, -0.5767])
    """

    ulps = (256, 64, 256, 128, 256)
    why_ulps = "the digits that SciPy's functions of fractional order have"
    second = False
    kernel = oscillating_kernel("jv", False)
    printed = with_index("jv", "J")
    scalar = sympy.besselj


class yv(_Oscillating):
    """Return the Bessel function of the second kind of the real order `v` at each `z`.

    There is no derivative with respect to the order. Where `z` is below 25 or `v**2/2` values are SciPy's,
    with up to 10 ulps of orders up to 10, 40 up to 30, 1000 up to 100 and 25000 above; what is above
    1e290 may be infinite; the derivatives have up to 64 ulps. Where `z` is above `v` these are ulps of the
    modulus of J and Y. Where `z` is below 1e-3 fractional orders have up to 128.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.special.yv(1, torch.tensor([1.0, 2.0]))
    tensor([-0.7812, -0.1070])
    """

    ulps = (8, 64, 64, 64, 64)
    why_ulps = "the digits that SciPy's functions of fractional order have"
    second = True
    kernel = oscillating_kernel("yv", True)
    printed = with_index("yv", "Y")
    scalar = sympy.bessely


class bessel_slope(Special):
    """The derivative of order `order` in `z` of `yv` if `second`, else of `jv`; infinite where that is."""

    ulps = 256
    why_ulps = "the digits that SciPy's functions of fractional order have"
    arity = 2
    internal = True
    operand_names = ("v", "z")
    underived: ClassVar[Mapping[int, str]] = {0: "yv: v"}
    params = ("second", "order")
    second: bool
    order: int
    decisive = 2
    kernel = SLOPE
    kernels: ClassVar[Mapping[Any, Kernel]] = {}
    kernel_takes_dtype = True
    scalar = None

    def partials(self, v: ArrayExpr, z: ArrayExpr) -> Sequence[Any]:
        return 0, lambda: bessel_slope.of(v, z, self.second, self.order + 1)

    def as_read(self) -> ArrayExpr:
        v, z = self.operands
        cls = yv if self.second else jv
        total: ArrayExpr = cls.of(known(v) - self.order, z)
        for k in range(1, self.order + 1):
            term = math.comb(self.order, k) * cls.of(known(v) - self.order + 2 * k, z)
            total = total - term if k % 2 else total + term
        mean: ArrayExpr = total / 2**self.order
        return mean

    def notation(self) -> Notation:
        text = latex = ""
        for k in range(self.order + 1):
            shown, typeset = lowered(self.operands[0], "{0}", self.order - 2 * k)
            times = math.comb(self.order, k)
            sign = (" - " if k % 2 else " + ") * bool(k)
            text += f"{sign}{f'{times} * ' * (times > 1)}{'yv' if self.second else 'jv'}({shown}, {{1}})"
            letter = "Y" if self.second else "J"
            part = rf"{letter}_{{{{{typeset}}}}}\left({{1}}\right)"
            latex += sign + rf"{times} \, " * (times > 1) + part
        return Notation(
            f"({text}) / {2**self.order}",
            rf"\frac{{{{{latex}}}}}{{{{{2**self.order}}}}}",
            Precedence.PRODUCT,
            (Precedence.SUM,),
        )

    samples = [
        (0, POSITIVE, True, 1),
        (np.array([0.0, 1.0, 2.5]), POSITIVE, True, 2),
        (1.5, _COLUMN, False, 1),
    ]


class iv(OfOrder):
    """Return the modified Bessel function of the first kind of the real order `v` at each `z`.

    There is no derivative with respect to the order. Values have up to 16 ulps, of orders above 50 up to
    1500.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.special.iv(1, torch.tensor([1.0, 2.0]))
    tensor([0.5652, 1.5906])
    """

    ulps = 16
    above = 1
    printed = with_index("iv", "I")
    scalar = sympy.besseli
    kernel, _ = scipy_kernels(
        "iv",
        lambda special, v, x, to: IV.call(v, x, special, to),
        "_iv({0}, {1}, scipy.special, {to})",
        prelude=IV.prelude,
    )
    kernel_takes_dtype = True


class ive(OfOrder):
    """Return `exp(-abs(z)) * iv(v, z)`.

    There is no derivative with respect to the order. Values have up to 16 ulps, of orders above 50, or
    right of 600 where the order is above 10, up to 1500, and what is below 1e-290 may be 0; derivatives
    lose as many digits beyond as `z` has before its point.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.special.ive(1, torch.tensor([1.0, 200.0]))
    tensor([0.2079, 0.0282])
    """

    ulps = (16, 2**17, 2**17, 2**17, 2**17)
    why_ulps = "the derivatives are differences of functions that are nearly the same"
    above = 1
    scalar = lambda v, z: sympy.exp(-sympy.Abs(z)) * sympy.besseli(v, z)  # noqa: E731
    kernel, _ = scipy_kernels(
        "ive",
        lambda special, v, x, to: IVE.call(
            v, x, special.ive(v, x), IV.call(v, x, special, np.float64), to
        ),
        "_ive({0}, {1}, scipy.special.ive({0}, {1}), _iv({0}, {1}, scipy.special, np.float64), {to})",
        prelude=IVE.prelude,
    )
    kernel_takes_dtype = True

    def partials(self, v: ArrayExpr, z: ArrayExpr) -> Sequence[Any]:
        _, slope = super().partials(v, z)
        return 0, lambda: slope() - z.sign() * self


class kv(OfOrder):
    """Return the modified Bessel function of the second kind of the real order `v` at each `z`.

    The derivative with respect to the order is that of `kve`, and has as many digits. Values of orders up
    to 10 have up to 16 ulps, up to 50 up to 130, and above up to 1100; above 1e290 they may be
    infinite, and below 1e-300 0. Where `z` is below 1e-3 fractional orders have up to 128.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.special.kv(1, torch.tensor([1.0, 2.0]))
    tensor([0.6019, 0.1399])
    """

    calculates_with_bools = True
    ulps = 8
    below = above = -1
    underived: ClassVar[Mapping[int, str]] = {}
    printed = with_index("kv", "K")
    scalar = sympy.besselk
    kernel, _ = scipy_kernels(
        "kv",
        lambda special, v, x, to: KVE.call(v, x, special.kv(v, x), to=to),
        "_kve({0}, {1}, scipy.special.kv({0}, {1}), to={to})",
        prelude=KVE.prelude,
    )
    kernels: ClassVar[Mapping[Any, Kernel]] = {}
    kernel_takes_dtype = True

    def partials(self, v: ArrayExpr, z: ArrayExpr) -> Sequence[Any]:
        _, slope = super().partials(v, z)
        return lambda: (-z).exp() * scaled_macdonald.of(v, z, 1, 0), slope


class kve(OfOrder):
    """Return `exp(z) * kv(v, z)`.

    Its derivatives are integrals, computed by the trapezoidal rule with an error below that of
    rounding: up to 8 ulps at orders below 3, where the result is huge about a third of its
    logarithm. Values of orders up to 10 have up to 16 ulps, up to 50 up to 140, and above up to 1000;
    above 1e290 they may be infinite. Where `z` is below 1e-3 fractional orders have up to 128.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.special.kve(1, torch.tensor([1.0, 200.0]))
    tensor([1.6362, 0.0888])
    """

    ulps = 8
    underived: ClassVar[Mapping[int, str]] = {}
    scalar = lambda v, z: sympy.exp(z) * sympy.besselk(v, z)  # noqa: E731
    kernel, _ = scipy_kernels(
        "kve",
        lambda special, v, x, to: KVE.call(v, x, special.kve(v, x), to=to),
        "_kve({0}, {1}, scipy.special.kve({0}, {1}), to={to})",
        prelude=KVE.prelude,
    )
    kernels: ClassVar[Mapping[Any, Kernel]] = {}
    kernel_takes_dtype = True

    def partials(self, v: ArrayExpr, z: ArrayExpr) -> Sequence[Any]:
        return (
            lambda: scaled_macdonald.of(v, z, 1, 0),
            lambda: scaled_macdonald.of(v, z, 0, 1),
        )


# ---------------------------------------------------------------- of order 0 and 1


class bessel_j0(Special):
    """Return the Bessel function of the first kind of order 0 of each element of `x`.

    Derivatives from the second on have up to 32 ulps where `x` is below 1e-4.

    Between 8 and 25 values have up to 9 ulps of the modulus of J and Y, so that next to a root other
    than 0 fewer digits of the small result are right.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([0.0, 1.0], requires_grad=True)
    >>> y = torch.special.bessel_j0(x)
    >>> y
    tensor([1.0000, 0.7652], grad_fn=<BesselJ0Backward0>)
    >>> y.sum().backward()
    >>> x.grad
    tensor([-0.0000, -0.4401])
    """

    ulps = 32
    why_ulps = "next to 0 SciPy's functions of orders above 1, in derivatives from the second on"
    of_order = (sympy.besselj, 0)
    space = "special"
    kernel = of_low_order("j0", 0, False)
    kernels: ClassVar[Mapping[Any, Kernel]] = {}
    kernel_takes_dtype = True
    printed = with_index("bessel_j0", "J", "0", "{0}", of="{0}")
    scalar = lambda x: sympy.besselj(0, x)  # noqa: E731

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: -bessel_j1.of(x),)


class bessel_j1(Special):
    """Return the Bessel function of the first kind of order 1 of each element of `x`.

    Derivatives from the second on have up to 32 ulps where `x` is below 1e-4.

    Between 8 and 25 values have up to 10 ulps of the modulus of J and Y, so that next to a root other
    than 0 fewer digits of the small result are right.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.special.bessel_j1(torch.tensor([0.0, 1.0]))
    tensor([0.0000, 0.4401])
    """

    ulps = 32
    why_ulps = "next to 0 SciPy's functions of orders above 1, in derivatives from the second on"
    of_order = (sympy.besselj, 1)
    space = "special"
    kernel = of_low_order("j1", 1, False)
    kernels: ClassVar[Mapping[Any, Kernel]] = {}
    kernel_takes_dtype = True
    printed = with_index("bessel_j1", "J", "1", "{0}", of="{0}")
    scalar = lambda x: sympy.besselj(1, x)  # noqa: E731

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: (bessel_j0.of(x) - jv.of(2, x)) / 2,)


class bessel_y0(_OnPositives):
    """Return the Bessel function of the second kind of order 0 of each element of `x`.

    Between 2 and 25 values have up to 20 ulps of the modulus of J and Y, so that next to a root fewer
    digits of the small result are right.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.special.bessel_y0(torch.tensor([0.0, 1.0]))
    tensor([  -inf, 0.0883])
    """

    ulps = 8
    of_order = (sympy.bessely, 0)
    kernel = of_low_order("y0", 0, True)
    kernels: ClassVar[Mapping[Any, Kernel]] = {}
    kernel_takes_dtype = True
    printed = with_index("bessel_y0", "Y", "0", "{0}", of="{0}")
    scalar = lambda x: sympy.bessely(0, x)  # noqa: E731

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: -bessel_y1.of(x),)


class bessel_y1(_OnPositives):
    """Return the Bessel function of the second kind of order 1 of each element of `x`.

    Between 3 and 25 values have up to 15 ulps of the modulus of J and Y, so that next to a root fewer
    digits of the small result are right.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.special.bessel_y1(torch.tensor([0.0, 1.0]))
    tensor([   -inf, -0.7812])
    """

    ulps = 8
    of_order = (sympy.bessely, 1)
    kernel = of_low_order("y1", 1, True)
    kernels: ClassVar[Mapping[Any, Kernel]] = {}
    kernel_takes_dtype = True
    printed = with_index("bessel_y1", "Y", "1", "{0}", of="{0}")
    scalar = lambda x: sympy.bessely(1, x)  # noqa: E731

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: bessel_slope.of(1, x, True, 1),)


class i0(Special, scipy="i0"):
    """Return the modified Bessel function of order 0 of each element of `input`.

    It is infinite beyond 709.7, where `exp` is.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.i0(torch.tensor([0.0, 1.0, -2.0]))
    tensor([1.0000, 1.2661, 2.2796])
    """

    aliases = ("special.i0", "special.modified_bessel_i0")
    ulps = 8
    kernel_name = "i0_vml_cpu"
    of_order = (sympy.besseli, 0)
    printed = with_index("i0", "I", "0", "{0}", of="{0}")
    scalar = lambda x: sympy.besseli(0, x)  # noqa: E731


class i1(Special, scipy="i1"):
    """Return the modified Bessel function of order 1 of each element of `input`.

    Values have up to 12 ulps, and are infinite beyond 709.7, where `exp` is.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.special.i1(torch.tensor([0.0, 1.0, -2.0]))
    tensor([ 0.0000,  0.5652, -1.5906])
    """

    space = "special"
    aliases = ("special.modified_bessel_i1",)
    ulps = 8
    kernel_name = "i1_cpu"
    of_order = (sympy.besseli, 1)
    printed = with_index("i1", "I", "1", "{0}", of="{0}")
    scalar = lambda x: sympy.besseli(1, x)  # noqa: E731


class modified_bessel_k0(_OnPositives, scipy="k0"):
    """Return the modified Bessel function of the second kind of order 0 of each element of `input`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.special.modified_bessel_k0(torch.tensor([0.0, 1.0]))
    tensor([   inf, 0.4210])
    """

    ulps = 8
    of_order = (sympy.besselk, 0)
    printed = with_index("modified_bessel_k0", "K", "0", "{0}", of="{0}")
    scalar = lambda x: sympy.besselk(0, x)  # noqa: E731

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: -modified_bessel_k1.of(x),)


# SciPy's is nan at the smallest number, where the function is infinite in double precision.
_ABOVE_LEAST = "np.where(({0} > 0) & ({0} < 1e-309), 1e-309, {0})"


def _above_least(x: Any) -> Any:
    return np.where((x > 0) & (x < 1e-309), 1e-309, x)


class modified_bessel_k1(_OnPositives):
    """Return the modified Bessel function of the second kind of order 1 of each element of `input`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.special.modified_bessel_k1(torch.tensor([0.0, 1.0]))
    tensor([   inf, 0.6019])
    """

    ulps = 8
    of_order = (sympy.besselk, 1)
    printed = with_index("modified_bessel_k1", "K", "1", "{0}", of="{0}")
    kernel, kernels = scipy_kernels(
        "modified_bessel_k1",
        lambda special, x: special.k1(_above_least(x)),
        f"scipy.special.k1({_ABOVE_LEAST})",
    )
    scalar = lambda x: sympy.besselk(1, x)  # noqa: E731

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: -(modified_bessel_k0.of(x) + kv.of(2, x)) / 2,)


class i0e(Special, scipy="i0e"):
    """Return `exp(-abs(x)) * i0(x)` of each element of `input`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.special.i0e(torch.tensor([0.0, 200.0]))
    tensor([1.0000, 0.0282])
    """

    ulps = 8
    space = "special"
    kernel_name = "i0e_vml_cpu"
    scalar = lambda x: sympy.exp(-sympy.Abs(x)) * sympy.besseli(0, x)  # noqa: E731

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        # By Kummer's function it is no difference of nearly equal terms: DLMF 10.39.5.
        return (lambda: -x.sign() * hyp1f1.of(1.5, 2, -2 * x.abs()),)


class i1e(Special, scipy="i1e"):
    """Return `exp(-abs(x)) * i1(x)` of each element of `input`.

    Values have up to 10 ulps, and derivatives up to 100: they are differences of functions of Kummer.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.special.i1e(torch.tensor([0.0, 200.0]))
    tensor([0.0000, 0.0282])
    """

    ulps = (8, 64, 128, 128, 128)
    why_ulps = "the derivatives are differences of functions of Kummer"
    space = "special"
    kernel_name = "i1e_cpu"
    scalar = lambda x: sympy.exp(-sympy.Abs(x)) * sympy.besseli(1, x)  # noqa: E731

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        def slope() -> Any:
            z = -2 * x.abs()
            return (3 * hyp1f1.of(2.5, 3, z) - hyp1f1.of(1.5, 3, z)) / 4

        return (slope,)


class scaled_modified_bessel_k0(_OnPositives, scipy="k0e"):
    """Return `exp(x) * modified_bessel_k0(x)` of each element of `x`.

    Its derivatives are computed as those of `kve`; values have up to 9 ulps.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.special.scaled_modified_bessel_k0(torch.tensor([0.0, 200.0]))
    tensor([   inf, 0.0886])
    """

    ulps = 16
    scalar = lambda x: sympy.exp(x) * sympy.besselk(0, x)  # noqa: E731

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: scaled_macdonald.of(0, x, 0, 1),)


class scaled_modified_bessel_k1(_OnPositives, scipy="k1e"):
    """Return `exp(x) * modified_bessel_k1(x)` of each element of `x`.

    Its derivatives are computed as those of `kve`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.special.scaled_modified_bessel_k1(torch.tensor([0.0, 200.0]))
    tensor([   inf, 0.0888])
    """

    ulps = 8
    scalar = lambda x: sympy.exp(x) * sympy.besselk(1, x)  # noqa: E731

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: scaled_macdonald.of(1, x, 0, 1),)
