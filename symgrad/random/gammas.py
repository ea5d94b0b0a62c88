"""Draws from gamma, Dirichlet and binomial distributions, bit for bit those of PyTorch on a CPU."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from symgrad.random.draw_types import from_double
from symgrad.random.streams import Generator

Array: TypeAlias = npt.NDArray[Any]

_Take: TypeAlias = Callable[[], float]


def _by_takes(
    generator: Generator, shape: tuple[int, ...], draw: Callable[[int, _Take, _Take], float]
) -> Array:
    """Return numbers that are drawn one by one, each of some uniforms and normals.

    Parameters
    ----------
    generator
        The stream.
    shape
        The shape of the result.
    draw
        Is given the place of a number in order, and what returns the next uniform and the next
        normal.
    """
    ready: list[float] = []

    def make(take: _Take) -> Array:
        def normal() -> float:
            if ready:
                return ready.pop()
            angle = 2 * math.pi * take()
            radius = math.sqrt(-2 * math.log1p(-take()))
            ready.append(radius * math.sin(angle))
            return radius * math.cos(angle)

        return np.array([draw(i, take, normal) for i in range(math.prod(shape))])

    with generator._lock:
        stream = generator._stream
        ready += [] if stream.next_normal is None else [stream.next_normal]
        found = generator.one_by_one(make)
        stream.next_normal = ready[0] if ready else None
    return found.reshape(shape)


def standard_gamma(generator: Generator, concentrations: Array) -> Array:
    """Draw gamma numbers of rate 1, one for each concentration.

    They are drawn by rejection (G. Marsaglia and W. W. Tsang, A simple method for generating gamma
    variables, ACM Transactions on Mathematical Software 26, 2000).

    Parameters
    ----------
    generator
        The stream.
    concentrations
        Floats that are not negative.

    Examples
    --------
    >>> standard_gamma(Generator(0), np.array([0.5, 3.0])).round(4)
    array([8.0000e-04, 1.2728e+00])
    """
    kind = concentrations.dtype.type
    given = concentrations.ravel()

    def draw(i: int, uniform: _Take, normal: _Take) -> float:
        return _gamma(given[i], uniform, normal, kind)

    found = from_double(_by_takes(generator, concentrations.shape, draw), concentrations.dtype)
    bounded: Array = np.maximum(found, np.finfo(kind).tiny)
    return bounded


#: The constants of PyTorch's, which are of single precision.
_THIRD, _SQUEEZE = np.float32(1) / np.float32(3), float(np.float32(0.0331))


def _gamma(concentration: Any, uniform: _Take, normal: _Take, kind: Any) -> float:
    scale, alpha = 1.0, concentration
    if alpha < 1:
        if alpha == 0:
            return 0.0
        scale *= math.pow(1 - uniform(), float(kind(1) / alpha))
        alpha = alpha + kind(1)
    d = float(alpha - kind(_THIRD))
    c = 1 / math.sqrt(9 * d)
    while True:
        x = normal()
        y = 1 + c * x
        if y <= 0:
            continue
        v = y * y * y
        u = 1 - uniform()
        xx = x * x
        if u < 1 - _SQUEEZE * xx * xx or math.log(u) < 0.5 * xx + d * (1 - v + math.log(v)):
            return scale * d * v


def standard_dirichlet(generator: Generator, concentrations: Array) -> Array:
    """Draw positive numbers whose sum along the last axis is 1.

    Parameters
    ----------
    generator
        The stream.
    concentrations
        Positive floats.

    Examples
    --------
    >>> standard_dirichlet(Generator(0), np.array([0.5, 3.0])).sum().round(12)
    np.float64(1.0)
    """
    kind = concentrations.dtype
    given = concentrations.astype(np.float64).ravel()  # each gamma number is one of these

    def draw(i: int, uniform: _Take, normal: _Take) -> float:
        return max(_gamma(given[i], uniform, normal, np.float64), np.finfo(np.float64).tiny)

    gammas = _by_takes(generator, concentrations.shape, draw)
    shares = gammas / gammas.sum(-1, keepdims=True)
    one = np.nextafter(kind.type(1), kind.type(0))
    return np.clip(from_double(shares, kind), np.finfo(kind).tiny, one)


def binomial(generator: Generator, counts: Array, probabilities: Array) -> Array:
    """Draw how often something happens in some trials, one number for each probability.

    Many are drawn by transformed rejection (W. Hörmann, The generation of binomial random variates,
    Journal of Statistical Computation and Simulation 46, 1993), few by waiting times.

    Parameters
    ----------
    generator
        The stream.
    counts
        How many trials there are, as floats.
    probabilities
        Floats of the same shape.

    Examples
    --------
    >>> binomial(Generator(0), np.array([4.0, 100.0]), np.array([0.5, 0.25]))
    array([ 3., 27.])
    """
    numbers, chances = np.broadcast_to(counts, probabilities.shape).ravel(), probabilities.ravel()
    kind = probabilities.dtype

    def draw(i: int, uniform: _Take, normal: _Take) -> float:
        return _binomial(numbers[i], chances[i], uniform)

    return from_double(_by_takes(generator, probabilities.shape, draw), kind)


#: How many successes are expected where rejection begins.
_MANY = 10


def _binomial(n: Any, p: Any, uniform: _Take) -> float:
    if not math.isfinite(n):  # of which no number of draws is enough
        return math.inf if n > 0 and p > 0 else 0.0 if n < 0 or p <= 0 else math.nan
    if n <= 0 or p <= 0:
        return 0.0
    if p >= 1:
        return float(n)
    if p <= 0.5:
        return (_rejected if n * p >= _MANY else _waited)(n, p, uniform)
    if p > 0.5:
        q = p.dtype.type(1) - p
        return float(n) - (_rejected if n * q >= _MANY else _waited)(n, q, uniform)
    return math.nan


def _waited(n: Any, p: Any, uniform: _Take) -> float:
    log_failure, trials, successes = math.log1p(-p), 0.0, 0
    while True:
        u = uniform()
        trials += math.ceil(math.log(u) / log_failure) if u else math.inf
        if trials > n:
            return float(successes)
        successes += 1


def _rejected(n: Any, p: Any, uniform: _Take) -> float:
    one = p.dtype.type(1)
    deviation = math.sqrt(n * p * (one - p))
    n, ratio, middle = float(n), float(p / (one - p)), math.floor((n + one) * p)
    b = 1.15 + 2.53 * deviation
    a = -0.0873 + 0.0248 * b + 0.01 * float(p)
    c, accepted = float(n * p) + 0.5, 0.92 - 4.2 / b
    alpha = (2.83 + 5.1 / b) * deviation
    m = float(middle)
    while True:
        u, v = uniform() - 0.5, uniform()
        near = 0.5 - abs(u)
        if not near:
            continue
        k = float(math.floor((2 * a / near + b) * u + c))
        if near >= 0.07 and v <= accepted:
            return k
        if k < 0 or k > n or not v:
            continue
        height = math.log(v * alpha / (a / (near * near) + b))
        bound = (
            (m + 0.5) * math.log((m + 1) / (ratio * (n - m + 1)))
            + (n + 1) * math.log((n - m + 1) / (n - k + 1))
            + (k + 0.5) * math.log(ratio * (n - k + 1) / (k + 1))
            + _stirling(m) + _stirling(n - m) - _stirling(k) - _stirling(n - k)
        )  # fmt: skip
        if height <= bound:
            return k


#: What Stirling's approximation of the logarithms of small factorials lacks.
_LACKING = (
    0.0810614667953272, 0.0413406959554092, 0.0276779256849983, 0.02079067210376509,
    0.0166446911898211, 0.0138761288230707, 0.0118967099458917, 0.0104112652619720,
    0.00925546218271273, 0.00833056343336287,
)  # fmt: skip


def _stirling(k: float) -> float:
    if k <= 9:
        return _LACKING[int(k)]
    square = (k + 1) * (k + 1)
    return (1 / 12 - (1 / 360 - 1 / 1260 / square) / square) / (k + 1)
