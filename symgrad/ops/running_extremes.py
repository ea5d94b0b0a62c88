"""Running extremes along an axis: `cummax` and `cummin`, with the places where they are attained."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from numeric.kernel import Kernel
from symgrad.expr.dtypes import Category, dtype, int64
from symgrad.ops import symbols
from symgrad.ops.axes import along
from symgrad.ops.broadcasting import zeros
from symgrad.ops.extrema import Located
from symgrad.ops.gathering import scatter_add
from symgrad.ops.primitive import Cotangents
from symgrad.ops.samples import TABLE
from symgrad.ops.scans import Scan, fitted
from symgrad.ops.selection import definitions


def _running_max(x, *, axis):  # type: ignore[no-untyped-def]
    return np.maximum.accumulate(x, axis=axis) if x.ndim else x.copy()


def _running_min(x, *, axis):  # type: ignore[no-untyped-def]
    return np.minimum.accumulate(x, axis=axis) if x.ndim else x.copy()


def _latest(x, best, *, axis):  # type: ignore[no-untyped-def]
    if not x.ndim:
        return np.zeros((), np.int64)
    shape = [1] * x.ndim
    shape[axis] = x.shape[axis]
    places = np.arange(x.shape[axis]).reshape(shape)
    here = (x == best) | ((x != x) & (best != best))
    return np.maximum.accumulate(np.where(here, places, 0), axis=axis)


def _running_max_and_latest(x, *, axis):  # type: ignore[no-untyped-def]
    best = _running_max(x, axis=axis)  # type: ignore[no-untyped-call]
    return best, _latest(x, best, axis=axis)  # type: ignore[no-untyped-call]


def _running_min_and_latest(x, *, axis):  # type: ignore[no-untyped-def]
    best = _running_min(x, axis=axis)  # type: ignore[no-untyped-call]
    return best, _latest(x, best, axis=axis)  # type: ignore[no-untyped-call]


def _running(f: Any) -> dict[str, Any]:
    return symbols.running(lambda xs: [f(xs[: i + 1]) for i in range(len(xs))])


_MAX_SO_FAR, _MIN_SO_FAR = _running(symbols.largest), _running(symbols.smallest)


class RunningExtreme(Located, Scan, abstract=True):
    """The extreme so far along an axis, and the index of the last element that attains it."""

    params = ("axis",)
    refuses = (Category.COMPLEX,)

    @classmethod
    def infer(cls, x: Any, axis: int, *rest: Any) -> tuple[Any, Any]:
        if x.shape and 0 not in x.shape:  # PyTorch calls no kernel otherwise
            cls.refuse(x.dtype)
        return (x.shape, x.shape), (x.dtype, int64)

    def compute_dtype(self) -> dtype | None:
        return None

    def vjp(self, cts: Cotangents, needs: Sequence[bool]) -> Cotangents:
        values, index = self
        (ct,) = cts[:1]
        assert ct is not None, "places have no derivative"
        if not values.shape:
            return (ct,)
        there = zeros(values.shape, values.dtype)
        return (scatter_add.of(there, fitted(ct, values), index, self.axis),)

    samples = [(TABLE, 1), (np.array([1.0, 3.0, 2.0, 3.0]), 0), (np.array(1.5), 0)]


class cummax(RunningExtreme):
    kernel = Kernel.from_function(
        _running_max_and_latest,
        prelude=definitions(_running_max, _latest),
        rows=along,
        number_systems=symbols.together(_MAX_SO_FAR, _running(symbols.last_largest)),
    )
    values_kernel = Kernel.from_function(_running_max, rows=along, number_systems=_MAX_SO_FAR)


class cummin(RunningExtreme):
    kernel = Kernel.from_function(
        _running_min_and_latest,
        prelude=definitions(_running_min, _latest),
        rows=along,
        number_systems=symbols.together(_MIN_SO_FAR, _running(symbols.last_smallest)),
    )
    values_kernel = Kernel.from_function(_running_min, rows=along, number_systems=_MIN_SO_FAR)
