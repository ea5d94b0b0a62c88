"""What users call of `symgrad.ops.integrals` that has two results, or whole orders."""

from __future__ import annotations

from typing import Any

from symgrad.functions.degrees import whole
from symgrad.ops.integrals import (
    cosine_integral,
    exponential_integral,
    fresnel_cosine,
    fresnel_sine,
    hyperbolic_cosine_integral,
    hyperbolic_sine_integral,
    sine_integral,
)
from symgrad.ops.primitive import bind
from symgrad.schema.public import public


@public("special.sici(Tensor x) -> (Tensor si, Tensor ci)")
def _sici(x: Any) -> Any:
    """Return the sine integral and the cosine integral of each element of `x`.

    Of a negative number the cosine integral is its real part, that of `abs(x)`. Next to its roots it has
    up to 16 ulps of 1 or, right of 1, of `1/x`.

    Returns
    -------
    tuple of Tensor or ArrayExpr
        The integral of `sin(t) / t` from 0 to `x`, and minus that of `cos(t) / t` from `x` on, as
        `si` and `ci`.

    Examples
    --------
    >>> import symgrad as torch
    >>> si, ci = torch.special.sici(torch.tensor([1.0, 2.0]))
    >>> si, ci
    (tensor([0.9461, 1.6054]), tensor([0.3374, 0.4230]))
    """
    return bind(sine_integral, (x,)), bind(cosine_integral, (x,))


@public("special.shichi(Tensor x) -> (Tensor shi, Tensor chi)")
def _shichi(x: Any) -> Any:
    """Return the hyperbolic sine integral and the hyperbolic cosine integral of each element of `x`.

    Of a negative number the cosine integral is its real part, that of `abs(x)`. Next to its root 0.5238
    it has up to 8 ulps of 1.

    Returns
    -------
    tuple of Tensor or ArrayExpr
        The integral of `sinh(t) / t` from 0 to `x`, and the logarithm of `x`, Euler's constant and the
        integral of `(cosh(t) - 1) / t` from 0 to `x` together, as `shi` and `chi`.

    Examples
    --------
    >>> import symgrad as torch
    >>> shi, chi = torch.special.shichi(torch.tensor([1.0, 2.0]))
    >>> shi, chi
    (tensor([1.0573, 2.5016]), tensor([0.8379, 2.4527]))
    """
    return bind(hyperbolic_sine_integral, (x,)), bind(hyperbolic_cosine_integral, (x,))


@public("special.fresnel(Tensor z) -> (Tensor s, Tensor c)")
def _fresnel(z: Any) -> Any:
    """Return the Fresnel integrals of each element of `z`.

    Returns
    -------
    tuple of Tensor or ArrayExpr
        The integrals of `sin(pi/2 * t**2)` and of `cos(pi/2 * t**2)` from 0 to `z`, as `s` and `c`.

    Examples
    --------
    >>> import symgrad as torch
    >>> s, c = torch.special.fresnel(torch.tensor([1.0, 2.0]))
    >>> s, c
    (tensor([0.4383, 0.3434]), tensor([0.7799, 0.4883]))
    """
    return bind(fresnel_sine, (z,)), bind(fresnel_cosine, (z,))


@public("special.expn(Tensor n, Tensor x) -> Tensor", numbers=True)
def _expn(n: Any, x: Any) -> Any:
    """Return the exponential integral of order `n`, that of `exp(-x*t) / t**n` from 1 on; nan below 0.

    There is no derivative with respect to `n`. Values and derivatives have up to 16 ulps, of orders above
    50 up to 100.

    Parameters
    ----------
    n : int or Tensor or ArrayExpr
        Whole numbers, which may be negative.

    Raises
    ------
    TypeError
        If `n` is no whole number, nor a tensor of integers.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.special.expn(2, torch.tensor([0.0, 1.0]))
    tensor([1.0000, 0.1485])
    """
    return bind(exponential_integral, (whole("expn", "n", n), x))
