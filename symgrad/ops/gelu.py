"""The Gaussian error linear unit, exact and approximated by a hyperbolic tangent."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import sympy

from numeric.kernel import Kernel
from numeric.rows import local
from symgrad.expr.dtypes import Category, dtype, float16, float32
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import Notation, Precedence, of_elements
from symgrad.ops.half import halved
from symgrad.ops.kinds import OfMany
from symgrad.ops.selection import definitions
from symgrad.ops.sigmoid import logistic_slope, sigmoid
from symgrad.ops.special import _ROOT_PI, Special, gauss_hermite, scipy_special
from symgrad.ops.where import where

#: Where the slope is 0, less the sign.
_ROOT = 0.7517915246935645


def _nodes(first: float, order: int) -> Any:
    # The derivative of an order of gelu at -z, without the sign, near nodes of 1/256 from `first` to
    # 15, beyond which it is 0 in single precision: the coefficients of 1, t, t**2 and t**3, where t
    # is the distance to the node in units of 1/256. The term of t**4 is read as 0.2071*t**2, which
    # is nearest to it for t between -1/2 and 1/2: the error is 3e-9 of the value at z = 13, and falls
    # with the fourth power of z. Where the value is 0, there is none.
    step = 1 / 256
    z = first + step * np.arange(3842)
    tail = np.array([math.erfc(x) for x in z * 0.5**0.5]) / 2
    fall = np.exp(z * z / -2) * 0.3989422804014327
    square = z * z
    derivatives = (
        z * tail,
        tail - z * fall,
        (square - 2) * fall,
        z * (4 - square) * fall,
        (4 + square * (square - 7)) * fall,
        z * (square * (11 - square) - 18) * fall,
    )
    one, two, three, four, five = derivatives[order : order + 5]
    single = [(three + five * step**2 * 0.2071 / 12) * step**2 / 2, four * step**3 / 6]
    return (one, two * step, *[np.asarray(x, np.float32) for x in single])


def _near_node(nodes: Any, near: Any, t: Any) -> Any:
    # Twice as quick as a formula with an exponential. What the square of the distance multiplies is
    # at most 4e-4 of the value, and single precision is enough for that.
    one, two, three, four = nodes
    place = np.asarray(near, np.intp)
    single = np.asarray(t, np.float32)
    some = four.take(place, mode="clip")
    np.multiply(some, single, out=some)
    np.add(some, three.take(place, mode="clip"), out=some)
    np.multiply(some, single, out=some)
    made = np.asarray(some, np.float64)
    np.add(made, two.take(place, mode="clip"), out=made)
    np.multiply(made, t, out=made)
    np.add(made, one.take(place, mode="clip"), out=made)
    return made


def _in_pieces(x: Any) -> Any:
    # Pieces that stay in the cache, and where their results are written.
    return np.nditer(
        [x, None],
        ["external_loop", "buffered", "zerosize_ok"],
        [["readonly"], ["writeonly", "allocate"]],
        buffersize=16384,
    )


def _gelu_single(x: Any, ndtr: Any) -> Any:
    near = np.maximum(x, -100, dtype=np.float64)
    return np.asarray(near * ndtr(near), np.float32)


def _gelu_of_many(x: Any, nodes: Any) -> Any:
    with _in_pieces(x) as pieces:
        for some, result in pieces:
            t = np.fmin(np.abs(some), 15)
            np.multiply(t, 256, out=t)
            near = np.rint(t)
            np.subtract(t, near, out=t)
            made = _near_node(nodes, near, np.asarray(t, np.float64))
            np.subtract(np.maximum(some, 0, out=t), made, out=made)
            result[...] = made
            np.copysign(result, some, out=result)
        return pieces.operands[1]


def _gelu_slope_single(x: Any, ndtr: Any) -> Any:
    near = np.minimum(np.maximum(x, -100, dtype=np.float64), 100)
    slope = ndtr(near) + near * np.exp(near * near / -2) * 0.3989422804014327
    return np.asarray(slope, np.float32)


def _gelu_slope_of_many(x: Any, nodes: Any) -> Any:
    with _in_pieces(x) as pieces:
        for some, result in pieces:
            # A node lies at the root, so that the value there is the distance to it.
            t = np.multiply(np.fmin(np.abs(some), 15), 256, dtype=np.float64)
            np.subtract(t, 0.7517915246935645 * 256, out=t)
            near = np.rint(t)
            np.subtract(t, near, out=t)
            np.add(near, 193, out=near)
            made = _near_node(nodes, near, t)
            # The slope at -z, and 1 - that at z.
            sign = np.sign(some)
            np.multiply(made, sign, out=made)
            np.add(sign, 1, out=sign)
            np.multiply(sign, 0.5, out=sign)
            np.subtract(sign, made, out=made)
            result[...] = made
        return pieces.operands[1]


def _gelu(x: Any) -> Any:
    return np.maximum(x, -1e4) * scipy_special("gelu").ndtr(x)


def _in_single(name: str, made: Callable[..., Any]) -> dict[dtype | int, Kernel]:
    """Return the kernels of single and half precision."""

    def ndtr(x: Any) -> Any:  # to load SciPy takes longer than the first run of most programs
        return scipy_special(name).ndtr(x)

    single = Kernel(
        name,
        lambda x: made(x, ndtr),
        f"{made.__name__}({{0}}, scipy.special.ndtr)",
        definitions(made),
        ("import scipy.special",),
        rows=local,
    )
    return {float32: single, float16: halved(single)}


def _in_single_of_many(made: Callable[..., Any], first: float, order: int) -> dict[dtype, Kernel]:
    """Return the kernels of single and half precision that are quick on many elements.

    The last digits of an element may be others than those of the kernels of few elements.
    """
    nodes = f"_NODES_{order}"
    single = Kernel(
        made.__name__,
        lambda x: made(x, _known_nodes(first, order)),
        f"{made.__name__}({{0}}, {nodes})",
        (
            *definitions(_nodes, imports=_IMPORTS),
            f"{nodes} = _nodes({first}, {order})",
            *definitions(_near_node, _in_pieces, made),
        ),
        _IMPORTS,
        rows=local,
    )
    return {float32: single, float16: halved(single)}


_IMPORTS = ("import math",)
_known_nodes = functools.lru_cache(maxsize=2)(_nodes)


class gelu(OfMany, Special):
    """`x` times the standard normal distribution function."""

    ulps = 4
    internal = True
    refuses = (Category.BOOL, Category.INT, Category.COMPLEX)
    kernel_name = "GeluKernelImpl"
    scalar = lambda x: x * (1 + sympy.erf(x / sympy.sqrt(2))) / 2  # noqa: E731
    # The limits at infinity, 0 on the left.
    kernel = Kernel(
        "gelu",
        _gelu,
        "np.maximum({0}, -1e4) * scipy.special.ndtr({0})",
        imports=("import scipy.special",),
        rows=local,
    )
    kernels = _in_single("gelu", _gelu_single)
    of_many = _in_single_of_many(_gelu_of_many, 0.0, 0)
    printed = Notation("gelu({0})", r"\operatorname{{gelu}}\left({0}\right)")

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: gelu_slope.of(x),)


def _gelu_slope(x: Any) -> Any:
    near = np.clip(x, -100, 100)
    fall = np.exp(np.square(near) / -2)
    return scipy_special("the derivative of gelu").ndtr(x) + near * fall * 0.3989422804014327


class gelu_slope(OfMany, Special):
    """The derivative of `gelu`: 0 and 1 at -inf and inf."""

    ulps = 8
    internal = True
    scalar = lambda x: (  # noqa: E731
        (1 + sympy.erf(x / sympy.sqrt(2))) / 2
        + x * sympy.exp(-(x**2) / 2) / sympy.sqrt(2 * sympy.pi)
    )
    kernel = Kernel(
        "gelu_slope",
        _gelu_slope,
        "scipy.special.ndtr({0}) + np.clip({0}, -100, 100)"
        " * np.exp(np.square(np.clip({0}, -100, 100)) / -2) * 0.3989422804014327",
        imports=("import scipy.special",),
        rows=local,
    )
    kernels = _in_single("gelu_slope", _gelu_slope_single)
    of_many = _in_single_of_many(_gelu_slope_of_many, _ROOT - 193 / 256, 1)
    printed = Notation(
        "erfc(-{0} / 2**0.5) / 2 + {0} * exp(-{0}**2 / 2) / (2 * pi)**0.5",
        r"\frac{{1}}{{2}} \operatorname{{erfc}}\left(- \frac{{{0}}}{{\sqrt{{2}}}}\right)"
        r" + \frac{{{0} \, \mathrm{{e}}^{{-{0}^{{2}} / 2}}}}{{\sqrt{{2 \pi}}}}",
        Precedence.SUM,
        (Precedence.POWER + 1,),
        of_arrays=of_elements(
            r"\frac{{1}}{{2}} \operatorname{{erfc}}\left(- \frac{{{0}}}{{\sqrt{{2}}}}\right)"
            r" + \frac{{{0} \odot \mathrm{{e}}^{{\odot \left(-{0}^{{\odot 2}} / 2\right)}}}}"
            r"{{\sqrt{{2 \pi}}}}",
            Precedence.SUM,
            Precedence.POWER + 1,
        ),
    )

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: gauss_hermite.of(x, (2, 0, -1), 0.5) / (sympy.sqrt(2) * _ROOT_PI),)


def _gelu_tanh(x):  # type: ignore[no-untyped-def]
    # (1 + tanh(u)) / 2 is the logistic function of 2*u, which keeps the tail. Beyond 30 it is 0 or
    # 1 in every precision.
    near = np.clip(x, -30, 30)
    steep = near * (1.5957691216057308 + 0.07135481627260025 * np.square(near))
    e = np.exp(-abs(steep))
    return np.maximum(x, -30) * (np.maximum(e, steep >= 0) / (1 + e))


def _gelu_tanh_slope(x):  # type: ignore[no-untyped-def]
    near = np.clip(x, -30, 30)
    square = np.square(near)
    steep = near * (1.5957691216057308 + 0.07135481627260025 * square)
    rise = near * (1.5957691216057308 + 0.21406444881780073 * square)
    e = np.exp(-abs(steep))
    rising, falling = np.maximum(e, steep >= 0), np.maximum(e, steep <= 0)
    return rising * (1 + rise * falling / (1 + e)) / (1 + e)


_CUBIC = sympy.Rational(44715, 1000000)


def _inner(x: Any) -> Any:
    return sympy.sqrt(2 / sympy.pi) * (x + _CUBIC * x**3)


class gelu_tanh(Special):
    """`gelu` with a hyperbolic tangent in the place of the error function."""

    ulps = 8
    internal = True
    result = "promote"
    refuses = (Category.BOOL, Category.INT, Category.COMPLEX)
    kernel_name = "GeluKernelImpl"
    scalar = lambda x: x * (1 + sympy.tanh(_inner(x))) / 2  # noqa: E731
    kernel = Kernel.from_function(_gelu_tanh, rows=local)
    printed = Notation(
        "gelu({0}, approximate='tanh')", r"\operatorname{{gelu}}_{{\tanh}}\left({0}\right)"
    )

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: gelu_tanh_slope.of(x),)


def _gelu_tanh_slope_of(x: Any) -> Any:
    t = sympy.Dummy("t")
    return sympy.diff(t * (1 + sympy.tanh(_inner(t))) / 2, t).subs(t, x)


_LINE, _CUBE = 1.5957691216057308, 0.07135481627260025


class gelu_tanh_slope(Special):
    """The derivative of `gelu_tanh`: 0 and 1 at -inf and inf, and accurate in the left tail."""

    ulps = 16
    internal = True
    scalar = _gelu_tanh_slope_of
    kernel = Kernel.from_function(_gelu_tanh_slope, rows=local)

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        def slope() -> ArrayExpr:
            # With l the logistic function of the cubic w: (x*l(w))'' = (2*w' + x*w'')*l'(w)
            # + x*w'**2*l''(w), and l'' = -l'*tanh(w/2). Where x is large, l' is 0.
            far = 8 if self.dtype is float16 else 30  # the powers of this bound do not overflow
            near = where.of(x.abs() > far, far, x)
            square = near * near
            w = near * (_LINE + _CUBE * square)
            rise: Any = _LINE + 3 * _CUBE * square
            bend: ArrayExpr = 2 * rise + 6 * _CUBE * square
            total: ArrayExpr = bend - near * rise * rise * (w / 2).tanh()
            return logistic_slope.of(w) * total

        return (slope,)

    def as_read(self) -> ArrayExpr:
        (x,) = self.operands
        w, rise = [x * (_LINE + c * _CUBE * x**2) for c in (1, 3)]
        return sigmoid.of(w) * (1 + rise * sigmoid.of(-w))
