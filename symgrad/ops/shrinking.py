"""Activations in pieces, most of them straight: `hardshrink`, `hardswish`, `prelu`; and `mish`."""

from __future__ import annotations

from typing import Any

import numpy as np

from symgrad.expr.dtypes import Category
from symgrad.ops.activations import Choice
from symgrad.ops.composite import Pointwise
from symgrad.ops.samples import ANY
from symgrad.ops.sigmoid import log1pexp
from symgrad.ops.where import where

_REFUSED = (Category.BOOL, Category.INT, Category.COMPLEX)


class hardshrink(Choice):
    """`x` where its modulus is above the bound, else 0."""

    ulps = 0
    arity = 2
    refuses = _REFUSED
    kernel_name = "hardshrink_cpu"

    @classmethod
    def composed(cls, x: Any, bound: Any) -> Any:
        return where.of((x >= -bound) & (x <= bound), 0, x)

    samples = [(ANY, 0.5), (np.array(-0.7), 0.25)]


class softshrink(Choice):
    """`x` moved by the bound towards 0, and 0 where it would pass that."""

    ulps = 1
    arity = 2
    refuses = _REFUSED
    kernel_name = "softshrink_check"

    @classmethod
    def composed(cls, x: Any, bound: Any) -> Any:
        inside = (x >= -bound) & (x <= bound)
        return where.of(inside, 0, x - bound * x.sign())

    samples = [(ANY, 0.5), (np.array(-0.7), 0.25)]


def _slope(x: Any) -> Any:
    return where.of(x <= -3, 0, where.of(x >= 3, 1, (x + 3) / 6))


class hardsigmoid(Pointwise):
    """`(x + 3)/6` between -3 and 3, 0 below and 1 above."""

    ulps = 2
    internal = True
    refuses = _REFUSED
    kernel_name = "hardsigmoid_cpu"

    @classmethod
    def composed(cls, x: Any) -> Any:
        return _slope(x)

    samples = [(ANY,), (np.array([-4.0, 0.5, 7.0]),)]


class hardswish(Pointwise):
    """`x*(x + 3)/6` between -3 and 3, 0 below and `x` above."""

    ulps = 3
    internal = True
    refuses = _REFUSED
    kernel_name = "hardswish_cpu"

    @classmethod
    def composed(cls, x: Any) -> Any:
        return x * _slope(x)  # so that nothing overflows

    samples = [(ANY,), (np.array([-4.0, 0.5, 7.0]),)]


class mish(Pointwise):
    """`x*tanh(log(1 + exp(x)))`."""

    ulps = (4, 8, 32, 128, 256)
    why_ulps = (
        "derivatives are sums of products of a tanh and a sigmoid, which cancel near their zeros"
    )
    internal = True
    refuses = _REFUSED
    kernel_name = "mish_cpu"

    @classmethod
    def composed(cls, x: Any) -> Any:
        return x * log1pexp.of(x).tanh()

    samples = [(ANY,), (np.array(0.7),)]


class prelu(Pointwise):
    """`x` for positive `x`, else `slope*x`."""

    ulps = 0
    arity = 2
    internal = True
    refuses = _REFUSED
    kernel_name = "prelu_cpu"

    @classmethod
    def composed(cls, x: Any, slope: Any) -> Any:
        return x * where.of(x > 0, 1, slope)  # so that nothing overflows

    samples = [(ANY, np.array([0.25])), (np.array(-0.7), np.array(0.1))]
