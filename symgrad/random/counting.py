"""Draws of counts and of choices, bit for bit those of PyTorch on a CPU.

How often something happens (Poisson), and which of several categories comes (multinomial).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from symgrad.random.draw_types import from_double, not_implemented
from symgrad.random.sampling import exponential
from symgrad.random.streams import Generator
from symgrad.support.quiet import quietly

Array: TypeAlias = npt.NDArray[Any]

#: From this rate on, counts are drawn by rejection; below, uniforms are multiplied.
_LARGE_RATE = 10


def poisson(generator: Generator, rates: Array) -> Array:
    """Draw from Poisson distributions, one number for each rate.

    Large rates are drawn by Hörmann's transformed rejection (W. Hörmann, The transformed rejection
    method for generating Poisson random variables, Insurance: Mathematics and Economics 12, 1993).

    Parameters
    ----------
    generator
        The stream.
    rates
        The means, floats that are not negative.

    Raises
    ------
    RuntimeError
        If a rate is negative or nan.
    NotImplementedError
        If the rates are no real floating-point numbers.

    Examples
    --------
    >>> poisson(Generator(0), np.array([0.5, 3.0, 50.0]))
    array([ 2.,  4., 52.])
    """
    if not rates.size:
        return np.empty(rates.shape, rates.dtype)
    if rates.dtype.kind != "f":
        raise not_implemented("poisson_cpu", rates.dtype)
    if not np.all(rates >= 0):
        raise RuntimeError("invalid Poisson rate, expected rate to be non-negative")
    means = rates.astype(np.float64).ravel().tolist()
    counts = generator.one_by_one(lambda take: np.array([_poisson(rate, take) for rate in means]))
    return from_double(counts, rates.dtype).reshape(rates.shape)


def _poisson(rate: float, take: Callable[[], float]) -> float:
    if rate == 0:
        return 0.0
    if rate < _LARGE_RATE:
        bound, product, count = math.exp(-rate), take(), 0
        while product > bound:
            product *= take()
            count += 1
        return float(count)
    b = 0.931 + 2.53 * math.sqrt(rate)
    a = -0.059 + 0.02483 * b
    scale = 1.1239 + 1.1328 / (b - 3.4)
    accepted = 0.9277 - 3.6224 / (b - 2)
    while True:
        u, v = take() - 0.5, take()
        near = 0.5 - abs(u)
        if not near:  # the quotient is infinite, and so the count is refused
            continue
        count = math.floor((2 * a / near + b) * u + rate + 0.43)
        if near >= 0.07 and v <= accepted:
            return float(count)
        if count < 0 or (near < 0.013 and v > near):
            continue
        height = math.log(v) + math.log(scale) - math.log(a / (near * near) + b)
        if height <= -rate + count * math.log(rate) - math.lgamma(count + 1):
            return float(count)


def multinomial(generator: Generator, weights: Array, count: int, replacement: bool) -> Array:
    """Draw indices of the last axis, each with a probability in proportion to its weight.

    Parameters
    ----------
    generator
        The stream.
    weights
        Floats that are not negative; each row has a positive sum.
    count
        How many are drawn of each row.
    replacement
        Whether an index may be drawn again. As in PyTorch, a single one comes from the algorithm
        that draws none again.

    Raises
    ------
    RuntimeError
        If a weight is negative or not finite, or the weights of a row are all zero.

    Examples
    --------
    >>> multinomial(Generator(0), np.array([0.1, 0.2, 0.7]), 2, False)
    array([2, 1])
    """
    again = replacement and count > 1
    _check_weights(weights, again)
    if not weights.size:
        return np.empty((*weights.shape[:-1], count), np.int64)
    if again:
        return _drawn_again(generator, weights, count)
    # The first of several alarms that ring at random: each at a rate in proportion to its weight.
    early = quietly(np.divide, weights, exponential(generator, weights.shape, weights.dtype))
    order = np.argsort(-early, axis=-1, kind="stable")
    return np.ascontiguousarray(order[..., :count])


def _check_weights(weights: Array, again: bool) -> None:
    invalid = "invalid multinomial distribution"
    if again:
        for row in weights.reshape(-1, weights.shape[-1]):
            if not np.all(np.isfinite(row)):
                raise RuntimeError(f"{invalid} (encountering probability entry = infinity or NaN)")
            if not np.all(row >= 0):
                raise RuntimeError(f"{invalid} (encountering probability entry < 0)")
    elif not np.all((weights >= 0) & (weights < math.inf)):
        raise RuntimeError("probability tensor contains either `inf`, `nan` or element < 0")
    if not np.all(quietly(np.add.reduce, weights, -1) > 0):
        raise RuntimeError(f"{invalid} (sum of probabilities <= 0)")


def _drawn_again(generator: Generator, weights: Array, count: int) -> Array:
    """Look each uniform up in the running sums of the weights."""
    wide = weights.astype(np.float32) if weights.dtype == np.float16 else weights
    sums = np.cumsum(wide.reshape(-1, wide.shape[-1]), axis=-1)
    sums /= sums[:, -1:].copy()
    sums[:, -1] = 1
    uniforms = generator.uniform((len(sums), count), np.float64)
    found = [np.searchsorted(row, u) for row, u in zip(sums, uniforms, strict=True)]
    return np.array(found, np.int64).reshape(*weights.shape[:-1], count)
