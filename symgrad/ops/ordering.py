"""Elements in order: sort, the k largest, the k-th smallest, medians and quantiles.

A nan counts as larger than every number, as in PyTorch; equal elements stay in their order.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
import sympy

from numeric.kernel import Kernel
from symgrad.expr.dtypes import Category, dtype, int64
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import Notation
from symgrad.ops import symbols
from symgrad.ops.axes import Reduction, along
from symgrad.ops.broadcasting import zeros
from symgrad.ops.extrema import Located, OneExtreme, attains
from symgrad.ops.gathering import gather, scatter_add
from symgrad.ops.primitive import Cotangents
from symgrad.ops.reduction import sum
from symgrad.ops.samples import TABLE
from symgrad.ops.selection import KTH, TOPK, definitions, settled_kth, settled_topk
from symgrad.ops.where import where

_TIES = np.array([[1.0, 3.0, 3.0], [3.0, 2.0, 3.0]])


def _order(x, *, axis, descending):  # type: ignore[no-untyped-def]
    if not x.ndim:
        return np.zeros((), np.int64)
    if descending:
        back = np.flip(np.argsort(np.flip(x, axis), axis=axis, kind="stable"), axis)
        return x.shape[axis] - 1 - back
    return np.argsort(x, axis=axis, kind="stable")


def _nearest_few(x, *, descending, k):  # type: ignore[no-untyped-def]
    # The places of the first k + 1 of one row, in any order: all of them are at or before the last
    # of the first elements of k + 1 blocks.
    n, best = len(x), np.max if descending else np.min
    width = int(n**0.5)
    blocks = best(x[: n - n % width].reshape(-1, width), axis=1)
    some = None
    if len(blocks) > 2 * k and not np.isnan(blocks).any() and not np.isnan(x[-width:]).any():
        place = len(blocks) - k - 1 if descending else k
        bound = np.partition(blocks, place)[place]
        some = np.flatnonzero(x >= bound if descending else x <= bound)
        x, n = x[some], len(some)
    if descending:
        near = np.argpartition(x, n - k - 1)[n - k - 1 :]
    else:
        near = np.argpartition(x, k)[: k + 1]
    return near if some is None else some[near]


def _first_of_few(x, *, descending, k):  # type: ignore[no-untyped-def]
    # The places of the first k of long rows, and which rows have no ties among the first k + 1.
    n = x.shape[-1]
    if n > 2000:
        near = np.empty((len(x), k + 1), np.intp)
        for row, places in zip(x, near):  # noqa: B905 - the text runs on older Pythons, too
            places[...] = _nearest_few(row, descending=descending, k=k)  # type: ignore[no-untyped-call]
    elif descending:
        near = np.argpartition(x, n - k - 1, axis=-1)[:, n - k - 1 :]
    else:
        near = np.argpartition(x, k, axis=-1)[:, : k + 1]
    values = np.take_along_axis(x, near, -1)
    order = np.argsort(values, axis=-1)
    order = order[:, ::-1] if descending else order
    values = np.take_along_axis(values, order, -1)
    former, later = values[:, :-1], values[:, 1:]
    tied = (former == later) | ((former != former) & (later != later))
    return np.take_along_axis(near, order[:, :k], -1), ~tied.any(-1)


def _first_of_order(x, *, axis, descending, k):  # type: ignore[no-untyped-def]
    if x.ndim and x.shape[axis] > max(256, 16 * k):
        lines = np.moveaxis(x, axis, -1)
        shape, lines = (*lines.shape[:-1], k), lines.reshape(-1, x.shape[axis])
        found, settled = _first_of_few(lines, descending=descending, k=k)  # type: ignore[no-untyped-call]
        if not settled.all():
            rest = lines[~settled]
            places = _order(rest, axis=-1, descending=descending)  # type: ignore[no-untyped-call]
            found[~settled] = settled_topk(rest, places, k)
        return np.moveaxis(found.reshape(shape), -1, axis)
    places = _order(x, axis=axis, descending=descending)  # type: ignore[no-untyped-call]
    if not x.ndim or not x.size:
        return np.take(places, np.arange(k), axis=axis) if x.ndim else places
    lines, in_order = [np.moveaxis(y, axis, -1) for y in (x, places)]
    n = lines.shape[-1]
    found = settled_topk(lines.reshape(-1, n), in_order.reshape(-1, n), k)
    return np.moveaxis(found.reshape(*lines.shape[:-1], k), -1, axis)


def _in_order(x, *, axis, descending):  # type: ignore[no-untyped-def]
    if not x.ndim:
        return np.array(x)
    if descending:
        return np.array(np.flip(np.sort(np.flip(x, axis), axis=axis, kind="stable"), axis))
    return np.sort(x, axis=axis, kind="stable")


def _sorted(x, *, axis, descending):  # type: ignore[no-untyped-def]
    places = _order(x, axis=axis, descending=descending)  # type: ignore[no-untyped-call]
    if x.ndim < 2:
        return (x[places] if x.ndim else np.array(x)), places
    return np.take_along_axis(x, places, axis), places


def _first(x, *, axis, descending, k):  # type: ignore[no-untyped-def]
    places = _first_of_order(x, axis=axis, descending=descending, k=k)  # type: ignore[no-untyped-call]
    return (np.take_along_axis(x, places, axis) if x.ndim else np.array(x)), places


class Ordering(Located, abstract=True):
    """Elements along one axis in order; each result passes its cotangent to the place it came from."""

    axis: int
    descending: bool
    refuses: ClassVar[tuple[int, ...]] = (Category.COMPLEX,)
    #: What PyTorch's errors call the operation.
    error_name: ClassVar[str]

    @classmethod
    def refused(cls, kind: dtype) -> Exception:
        category, space = ("complex", " ") if kind.is_complex else ("bool", "")
        return RuntimeError(f"{space}{cls.error_name} does not support {category} dtypes on CPU")

    @classmethod
    def infer(cls, x: Any, axis: int, *rest: Any) -> tuple[Any, Any]:
        cls.refuse(x.dtype)
        return (x.shape, x.shape), (x.dtype, int64)

    def vjp(self, cts: Cotangents, needs: Sequence[bool]) -> Cotangents:
        (x,), ct = self.operands, cts[0]
        assert ct is not None, "places have no derivative"
        if not x.shape:
            return (ct,)
        return (scatter_add.of(zeros(x.shape, ct.dtype), ct, self[1], self.axis),)

    def jvp(self, tangents: Sequence[ArrayExpr | None]) -> Sequence[ArrayExpr | None]:
        (t,) = tangents
        if t is None or not self.operands[0].shape:
            return t, None
        return gather.of(t, self[1], self.axis), None


_IN_ORDER = symbols.running(symbols.in_order)
_ORDER = symbols.running(symbols.order_of)


class sort(Ordering):
    """The elements in order."""

    params = ("axis", "descending")
    layout = "first"
    kernel = Kernel.from_function(
        _sorted,
        prelude=definitions(_order),
        rows=along,
        number_systems=symbols.together(_IN_ORDER, _ORDER),
    )
    values_kernel = Kernel.from_function(_in_order, rows=along, number_systems=_IN_ORDER)
    places_kernel = Kernel.from_function(_order, rows=along, number_systems=_ORDER)
    error_name = "Sort"

    samples = [(TABLE, 1, False), (_TIES, 0, True), (np.array(1.5), 0, False)]


class topk(Ordering):
    """The first `k` of the elements in order."""

    params = ("axis", "descending", "k")
    kernel = Kernel.from_function(
        _first,
        prelude=definitions(_order, _nearest_few, _first_of_few, _first_of_order, prelude=TOPK),
        rows=along,
        number_systems=symbols.together(
            symbols.running(lambda xs, k, **way: symbols.in_order(xs, **way)[:k]),
            symbols.running(lambda xs, k, **way: symbols.order_of(xs, **way)[:k]),
        ),
    )
    refuses = (Category.BOOL, Category.COMPLEX)
    error_name = "topk"

    def notation(self) -> Notation:
        axis, descending, k = self.param_values
        text = f"topk({{0}}, {k}, dim={axis}{'' if descending else ', largest=False'})"
        return super().notation()._replace(text=text)

    @classmethod
    def infer(cls, x: Any, axis: int, *rest: Any) -> tuple[Any, Any]:
        (shape, _), kinds = super().infer(x, axis)
        _, k = rest
        shape = (*shape[:axis], k, *shape[axis + 1 :]) if shape else shape
        return (shape, shape), kinds

    samples = [(TABLE, 1, True, 2), (_TIES, 0, False, 1), (np.array(1.5), 0, False, 1)]


# ------------------------------------------------------------------ one element of the order


def _kth_place(x, *, axis, keepdims, k):  # type: ignore[no-untyped-def]
    if not x.ndim:
        return np.zeros((), np.int64)
    lines = np.moveaxis(x, axis, -1)
    n = lines.shape[-1]
    rows = lines.reshape(-1, n)
    found = settled_kth(rows, np.argsort(rows, axis=-1, kind="stable"), k)
    places = found.reshape(lines.shape[:-1])
    return np.expand_dims(places, axis) if keepdims else places


def _kth(x, *, axis, keepdims, k):  # type: ignore[no-untyped-def]
    if not x.ndim:
        return np.array(x)
    values = np.take(np.sort(x, axis=axis), k - 1, axis=axis)
    return np.expand_dims(values, axis) if keepdims else values


def _median_place(x, *, axis, keepdims):  # type: ignore[no-untyped-def]
    if not x.ndim:
        return np.zeros((), np.int64)
    middle = (x.shape[axis] - 1) // 2
    places = np.take(np.argsort(x, axis=axis, kind="stable"), middle, axis=axis)
    places = np.where((x != x).any(axis), np.argmax(x != x, axis=axis), places)
    return np.expand_dims(places, axis) if keepdims else places


def _median_along(x, *, axis, keepdims):  # type: ignore[no-untyped-def]
    if not x.ndim:
        return np.array(x)
    in_order = np.sort(x, axis=axis)
    last = np.take(in_order, -1, axis=axis)
    values = np.take(in_order, (x.shape[axis] - 1) // 2, axis=axis)
    values = np.where(last != last, last, values)
    return np.expand_dims(values, axis) if keepdims else values


def _kth_and_place(x, *, axis, keepdims, k):  # type: ignore[no-untyped-def]
    places = _kth_place(x, axis=axis, keepdims=True, k=k)  # type: ignore[no-untyped-call]
    values = np.take_along_axis(x, places, axis) if x.ndim else np.array(x)
    return (
        (values, places) if keepdims or not x.ndim else (values.squeeze(axis), places.squeeze(axis))
    )


def _median_and_place(x, *, axis, keepdims):  # type: ignore[no-untyped-def]
    places = _median_place(x, axis=axis, keepdims=True)  # type: ignore[no-untyped-call]
    values = np.take_along_axis(x, places, axis) if x.ndim else np.array(x)
    return (
        (values, places) if keepdims or not x.ndim else (values.squeeze(axis), places.squeeze(axis))
    )


def _kth_of(f: Any) -> dict[str, Any]:
    return symbols.reducing(lambda xs, k: f(xs)[k - 1])


def _middle_of(f: Any) -> dict[str, Any]:
    return symbols.reducing(lambda xs: f(xs)[(len(xs) - 1) // 2] if xs else sympy.nan)


def _nanmedian_place(x, *, axis, keepdims):  # type: ignore[no-untyped-def]
    if not x.ndim:
        return np.zeros((), np.int64)
    count = np.sum(x == x, axis=axis, keepdims=True)
    middle = np.maximum((count - 1) // 2, 0)
    places = np.take_along_axis(np.argsort(x, axis=axis, kind="stable"), middle, axis)
    return places if keepdims else places.squeeze(axis)


def _nanmedian_and_place(x, *, axis, keepdims):  # type: ignore[no-untyped-def]
    places = _nanmedian_place(x, axis=axis, keepdims=True)  # type: ignore[no-untyped-call]
    values = np.take_along_axis(x, places, axis) if x.ndim else np.array(x)
    return (
        (values, places) if keepdims or not x.ndim else (values.squeeze(axis), places.squeeze(axis))
    )


def _nanmedian_along(x, *, axis, keepdims):  # type: ignore[no-untyped-def]
    return _nanmedian_and_place(x, axis=axis, keepdims=keepdims)[0]  # type: ignore[no-untyped-call]


def _mode_place(x, *, axis, keepdims):  # type: ignore[no-untyped-def]
    if not x.ndim:
        return np.zeros((), np.int64)
    lines = np.moveaxis(x, axis, -1)
    order = np.argsort(lines, axis=-1, kind="stable")
    in_order = np.take_along_axis(lines, order, -1)
    # The place of each in the run of its equals; the first longest run ends where that is largest.
    at = np.arange(lines.shape[-1])
    begins = np.ones(lines.shape, bool)
    begins[..., 1:] = in_order[..., 1:] != in_order[..., :-1]
    length = at - np.maximum.accumulate(np.where(begins, at, 0), axis=-1)
    last = np.argmax(length, axis=-1)[..., None]
    places = np.take_along_axis(order, last, -1).squeeze(-1)
    return np.expand_dims(places, axis) if keepdims else places


def _mode_and_place(x, *, axis, keepdims):  # type: ignore[no-untyped-def]
    places = _mode_place(x, axis=axis, keepdims=True)  # type: ignore[no-untyped-call]
    values = np.take_along_axis(x, places, axis) if x.ndim else np.array(x)
    return (
        (values, places) if keepdims or not x.ndim else (values.squeeze(axis), places.squeeze(axis))
    )


def _mode_along(x, *, axis, keepdims):  # type: ignore[no-untyped-def]
    return _mode_and_place(x, axis=axis, keepdims=keepdims)[0]  # type: ignore[no-untyped-call]


_KTH, _KTH_PLACE = _kth_of(symbols.in_order), _kth_of(symbols.order_of)
_MIDDLE, _MIDDLE_PLACE = _middle_of(symbols.in_order), _middle_of(symbols.order_of)


class kthvalue(OneExtreme):
    """The k-th smallest element along an axis, and its index."""

    params = ("axis", "keepdims", "k")
    kernel = Kernel.from_function(
        _kth_and_place,
        prelude=definitions(_kth_place, prelude=KTH),
        rows=along,
        number_systems=symbols.together(_KTH, _KTH_PLACE),
    )
    values_kernel = Kernel.from_function(_kth, rows=along, number_systems=_KTH)
    places_kernel = Kernel.from_function(
        _kth_place, prelude=KTH, rows=along, number_systems=_KTH_PLACE
    )
    error_name = "kthvalue"
    refuses = (Category.BOOL, Category.COMPLEX)
    kernel_name = "kthvalue_cpu"
    k: int

    @classmethod
    def infer(cls, x: Any, *rest: Any) -> tuple[Any, Any]:
        # PyTorch calls no kernel for one number.
        return super().infer(x, *rest) if x.shape else (((), ()), (x.dtype, int64))

    def described(self) -> list[str]:
        return [f"k={self.k}", *super().described()]

    samples = [(TABLE, 1, False, 2), (_TIES, 0, True, 1), (np.array(1.5), 0, False, 1)]


class median_dim(OneExtreme):
    """The median along an axis, the smaller of two in the middle, and its index."""

    kernel = Kernel.from_function(
        _median_and_place,
        prelude=definitions(_median_place),
        rows=along,
        number_systems=symbols.together(_MIDDLE, _MIDDLE_PLACE),
    )
    values_kernel = Kernel.from_function(_median_along, rows=along, number_systems=_MIDDLE)
    places_kernel = Kernel.from_function(_median_place, rows=along, number_systems=_MIDDLE_PLACE)
    error_name = public_name = "median"
    refuses = (Category.BOOL, Category.COMPLEX)
    kernel_name = "median_out"


class nanmedian_dim(OneExtreme):
    """The median along an axis of the elements that are not nan, and its index."""

    kernel = Kernel.from_function(
        _nanmedian_and_place,
        prelude=definitions(_nanmedian_place),
        rows=along,
        number_systems=symbols.together(_MIDDLE, _MIDDLE_PLACE),
    )
    values_kernel = Kernel.from_function(
        _nanmedian_along,
        prelude=definitions(_nanmedian_place, _nanmedian_and_place),
        rows=along,
        number_systems=_MIDDLE,
    )
    places_kernel = Kernel.from_function(_nanmedian_place, rows=along, number_systems=_MIDDLE_PLACE)
    public_name = "nanmedian"
    error_name = "median"
    refuses = (Category.BOOL, Category.COMPLEX)
    kernel_name = "median_out"


class mode(OneExtreme):
    """The element that is there most often along an axis, the least of such, and its last index."""

    kernel = Kernel.from_function(_mode_and_place, prelude=definitions(_mode_place), rows=along)
    values_kernel = Kernel.from_function(
        _mode_along, prelude=definitions(_mode_place, _mode_and_place), rows=along
    )
    places_kernel = Kernel.from_function(_mode_place, rows=along)
    error_name = "mode"
    kernel_name = "mode_cpu"

    @classmethod
    def infer(cls, x: Any, *rest: Any) -> tuple[Any, Any]:
        # PyTorch calls no kernel for one number.
        return super().infer(x, *rest) if x.shape else (((), ()), (x.dtype, int64))


def _median(x, *, axis, keepdims):  # type: ignore[no-untyped-def]
    in_order = np.sort(x, axis=None)
    if not in_order.size:
        return np.array(np.nan).astype(x.dtype)  # of integers, as in PyTorch, what C makes of nan
    last = in_order[-1]
    return np.array(last if last != last else in_order[(in_order.size - 1) // 2])


class median(Reduction):
    """The median of all elements; elements that are equal to it share the cotangent, as in PyTorch."""

    kernel = Kernel.from_function(_median, number_systems=_MIDDLE)
    refuses = (Category.BOOL, Category.COMPLEX)

    @classmethod
    def infer(cls, x: Any, *rest: Any) -> tuple[Any, Any]:
        # PyTorch calls no kernel for no numbers.
        return ((), x.dtype) if 0 in x.shape else super().infer(x, *rest)

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        (x,) = self.operands
        mask = attains.of(x, self)
        return (where.of(mask, ct / sum.of(mask, self.axes, False), 0),)

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        (x,) = operands
        lines = x.reshape((size, x.size // max(size, 1)))
        made: Any = median_dim.of(lines, 1, False)
        found: ArrayExpr = made[0]
        return found

    samples = [(TABLE, None, False), (_TIES, None, False)]


def _nanmedian(x, *, axis, keepdims):  # type: ignore[no-untyped-def]
    in_order = np.sort(x, axis=None)
    count = np.sum(in_order == in_order)
    if not count:
        return np.array(np.nan).astype(x.dtype)
    return np.array(in_order[(count - 1) // 2])


class nanmedian(median):
    """The median of all elements that are not nan."""

    kernel = Kernel.from_function(_nanmedian, number_systems=_MIDDLE)
    kernel_name = "median_cpu"

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        (x,) = operands
        lines = x.reshape((size, x.size // max(size, 1)))
        made: Any = nanmedian_dim.of(lines, 1, False)
        found: ArrayExpr = made[0]
        return found
