"""Derivatives of samples with respect to parameters that no formula inverts.

A sample is a function of the parameter and of its distribution function's value u, which is held
fixed: dx/da = -(dF/da) / f (M. Figurnov et al., Implicit reparameterization gradients, 2018). Both
are integrals of one density, of which the quotient is computed on the side where it is small:

    dx/da = -∫_0^x (f(t) / f(x)) s(t) dt = ∫_x^∞ (f(t) / f(x)) s(t) dt,

where s is the derivative of log f by a, whose mean is 0.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from symgrad.distributions.functions import tensor
from symgrad.support.quiet import quietly

Array: TypeAlias = npt.NDArray[Any]

# Double exponential quadrature on the half-line: distances y and their weights.
_STEPS = np.arange(-3.75, 7.25, 1 / 8)
_DISTANCES = np.exp(_STEPS - np.exp(-_STEPS))
_WEIGHTS = _DISTANCES * (1 + np.exp(-_STEPS)) / 8


def _digamma(x: Array) -> Array:
    found: Array = tensor(x).digamma().numpy()
    return found


def gamma_slopes(a: Array, x: Array) -> Array:
    """Return the derivatives of gamma numbers `x` by their concentrations `a`."""
    return _by_side(_gamma_slopes, a, x, a >= x)


def _by_side(f: Any, a: Array, x: Array, low: Array, *others: Array) -> Array:
    """Return the values of a function of many numbers, which it computes in double precision."""
    wide = [np.broadcast_to(v, x.shape).astype(np.float64).ravel() for v in (a, x, *others)]
    side, found = np.broadcast_to(low, x.shape).ravel(), np.empty(x.size)
    for below in (True, False):
        (places,) = np.nonzero(side == below)
        for some in np.array_split(places, 1 + places.size // 4096):
            found[some] = quietly(f, below, *[v[some, np.newaxis] for v in wide])
    return found.reshape(x.shape).astype(x.dtype)


def _gamma_slopes(below: bool, a: Array, x: Array) -> Any:
    middle = _digamma(a)
    if below:  # t = x exp(-y)
        y = _DISTANCES / a
        density = np.exp(-_DISTANCES - x * np.expm1(-y))
        total = np.sum(_WEIGHTS * density * (np.log(x) - y - middle), axis=-1)
        return -x[:, 0] / a[:, 0] * total
    y = _DISTANCES  # t = x + y
    density = np.exp((a - 1) * np.log1p(y / x) - y)
    return np.sum(_WEIGHTS * density * (np.log(x + y) - middle), axis=-1)


def dirichlet_slopes(a: Array, x: Array) -> Array:
    """Return the derivatives of Dirichlet numbers by their own concentrations, over ``1 - x``."""
    b = a.sum(-1, keepdims=True) - a
    return _by_side(_beta_slopes, a, x, x * (a + b) <= a, b)


def _beta_slopes(below: bool, a: Array, x: Array, b: Array) -> Any:
    middle = _digamma(a) - _digamma(a + b)
    rest = 1 - x
    if below:  # t = x exp(-y)
        y = _DISTANCES / a
        density = np.exp(-_DISTANCES + (b - 1) * np.log1p(-x * np.expm1(-y) / rest))
        total = np.sum(_WEIGHTS * density * (np.log(x) - y - middle), axis=-1)
        return -(x / a / rest)[:, 0] * total
    y = _DISTANCES / b  # 1 - t = (1 - x) exp(-y)
    t = 1 - rest * np.exp(-y)
    density = np.exp(-_DISTANCES + (a - 1) * np.log(t / x))
    return np.sum(_WEIGHTS * density * (np.log(t) - middle), axis=-1) / b[:, 0]
