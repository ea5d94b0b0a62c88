"""PyTorch's face of `symgrad.ops.bessel`, and what users call of that and `symgrad.ops.airy`."""

from __future__ import annotations

import math
from collections.abc import Callable
from numbers import Real
from typing import Any

from symgrad.functions.degrees import whole, widened
from symgrad.ops.airy import airy_ai, airy_ai_slope, airy_bi, airy_bi_slope
from symgrad.ops.bessel import bessel_slope, i1, iv, jv, kv, yv
from symgrad.ops.complexes import from_parts
from symgrad.ops.primitive import bind
from symgrad.ops.spherical import spherical_in, spherical_jn, spherical_kn, spherical_yn
from symgrad.ops.trigonometric import cos, sin, unscaled_sinc
from symgrad.record.face import shows
from symgrad.schema.public import public

shows(i1, name="SpecialI1")


@public("special.spherical_bessel_j0(Tensor x, *, Tensor? out=None) -> Tensor")
def _spherical_bessel_j0(x: Any) -> Any:
    """Return the spherical Bessel function of order 0, `sin(x) / x`, of each element of `x`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.special.spherical_bessel_j0(torch.tensor([0.0, 1.0]))
    tensor([1.0000, 0.8415])
    """
    return bind(unscaled_sinc, (x,))


def _derivative_of(cls: Any, kind: str, value: str) -> Callable[..., Any]:
    """Enter the function that is the derivative of a Bessel function: DLMF 10.6.7 and 10.29.5."""
    name = f"{cls.__name__}p"

    def f(v: Any, z: Any, n: int = 1) -> Any:
        if n < 0:
            raise ValueError(f"{name}() takes an order of the derivative of 0 or more, got n={n}")
        if n and cls in (jv, yv):
            return bind(bessel_slope, (v, z), (cls is yv, n))
        total: Any = None
        for k in range(n + 1):
            term = bind(cls, (widened(v) + (2 * k - n), z))
            term = term * math.comb(n, k) if 0 < k < n else term
            minus = cls.below ** (n - k) * cls.above**k < 0
            if total is None:
                total = -term if minus else term
            else:
                total = total - term if minus else total + term
        return total / 2**n if n else total

    f.__doc__ = f"""Return the derivative of order `n` of `{cls.__name__}` in its argument.

    Parameters
    ----------
    v, z : Tensor or ArrayExpr
        The order and the argument of the {kind}.
    n : int
        The order of the derivative.

    Raises
    ------
    ValueError
        If `n` is negative.

    Notes
    -----
    It is a sum of values of `{cls.__name__}`, and has as many digits as these.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.special.{name}(0, torch.tensor([1.0, 2.0]))
    tensor({value})
    """
    return public(f"special.{name}(Tensor v, Tensor z, int n=1) -> Tensor", numbers=True)(f)


_derivative_of(jv, "Bessel function of the first kind", "[-0.4401, -0.5767]")
_derivative_of(yv, "Bessel function of the second kind", "[0.7812, 0.1070]")
_derivative_of(iv, "modified Bessel function of the first kind", "[0.5652, 1.5906]")
_derivative_of(kv, "modified Bessel function of the second kind", "[-0.6019, -0.1399]")


def _hankel(name: str, sign: int, value: str) -> Callable[..., Any]:
    def f(v: Any, z: Any) -> Any:
        second = bind(yv, (v, z))
        return bind(from_parts, (bind(jv, (v, z)), second if sign > 0 else -second))

    f.__doc__ = f"""Return the Hankel function `jv(v, z) {"+" if sign > 0 else "-"} 1j*yv(v, z)`.

    The order and the argument are real, the result is complex. There is no derivative with respect to
    the order. Values have as many digits as those of `jv` and `yv`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.special.{name}(0, torch.tensor([1.0]))
    tensor({value})
    """
    return public(f"special.{name}(Tensor v, Tensor z) -> Tensor", numbers=True)(f)


_hankel("hankel1", 1, "[0.7652+0.0883j]")
_hankel("hankel2", -1, "[0.7652-0.0883j]")


def _scaled_hankel(name: str, sign: int, value: str) -> Callable[..., Any]:
    def f(v: Any, z: Any) -> Any:
        first, second = bind(jv, (v, z)), bind(yv, (v, z))
        if isinstance(z, Real):
            angle = z if math.isfinite(z) else math.nan  # of infinity Python raises
            turned, across = math.cos(angle), math.sin(angle)
        else:
            turned, across = bind(cos, (z,)), bind(sin, (z,))
        real = first * turned + second * across
        imaginary = second * turned - first * across
        return bind(from_parts, (real, imaginary if sign > 0 else -imaginary))

    f.__doc__ = f"""Return the Hankel function `{name[:-1]}(v, z) * exp({"-" if sign > 0 else ""}1j*z)`.

    The order and the argument are real, the result is complex. There is no derivative with respect to
    the order. Values have as many digits as those of `jv` and `yv`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.special.{name}(0, torch.tensor([1.0]))
    tensor({value})
    """
    return public(f"special.{name}(Tensor v, Tensor z) -> Tensor", numbers=True)(f)


_scaled_hankel("hankel1e", 1, "[0.4877-0.5962j]")
_scaled_hankel("hankel2e", -1, "[0.4877+0.5962j]")


def _spherical(cls: Any, kind: str, values: str, most: int, beside: str = "") -> Callable[..., Any]:
    name = cls.__name__

    def f(n: Any, z: Any) -> Any:
        return bind(cls, (whole(name, "n", n), z))

    f.__doc__ = f"""Return the {kind} of order `n` at each `z`.

    Values and derivatives of orders up to 3 have up to {cls.ulps} ulps; those of larger orders have up to
    {most}.{beside}

    Raises
    ------
    TypeError
        If `n` is no whole number, nor a tensor of integers.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.special.{name}(1, torch.tensor([1.0, 2.0]))
    tensor({values})
    """
    return public(f"special.{name}(Tensor n, Tensor z) -> Tensor", numbers=True)(f)


_spherical(spherical_jn, "spherical Bessel function of the first kind", "[0.3012, 0.4354]", 800)
_spherical(
    spherical_yn,
    "spherical Bessel function of the second kind",
    "[-1.3818, -0.3506]",
    32,
    " Next to 0, where the functions of the orders beside it are infinite, derivatives are nan.",
)
_spherical(
    spherical_in, "modified spherical Bessel function of the first kind", "[0.3679, 0.9744]", 1200
)
_spherical(
    spherical_kn,
    "modified spherical Bessel function of the second kind",
    "[1.1557, 0.1594]",
    1200,
    " What is above 1e290 may be infinite.",
)


@public("special.airy(Tensor z) -> (Tensor ai, Tensor aip, Tensor bi, Tensor bip)")
def _airy(z: Any) -> Any:
    """Return the Airy functions Ai and Bi and their derivatives at each `z`.

    `ai` has as many digits as `airy_ai`; the others have up to 30 ulps, left of -1 of the modulus of Ai and
    Bi, or of that of their derivatives.

    Returns
    -------
    tuple of Tensor or ArrayExpr
        Ai and its derivative, Bi and its derivative, as `ai`, `aip`, `bi` and `bip`.

    Examples
    --------
    >>> import symgrad as torch
    >>> ai, aip, bi, bip = torch.special.airy(torch.tensor([0.0, 1.0]))
    >>> ai, bip
    (tensor([0.3550, 0.1353]), tensor([0.4483, 0.9324]))
    """
    return tuple([bind(cls, (z,)) for cls in (airy_ai, airy_ai_slope, airy_bi, airy_bi_slope)])
