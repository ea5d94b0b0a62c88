"""Elements in order: sort, the k largest, the k-th smallest, medians and quantiles.

A nan counts as larger than every number, as in PyTorch; equal elements stay in their order.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from numeric.kernel import Kernel
from symgrad.expr.dtypes import Category, dtype, int64
from symgrad.expr.node import ArrayExpr
from symgrad.expr.shapes import canonical_axis, reduced_shape
from symgrad.functions import return_types
from symgrad.ops.arguments import plain_number
from symgrad.ops.axes import (
    NOT_GIVEN,
    Reduction,
    along,
)
from symgrad.ops.broadcasting import zeros
from symgrad.ops.extrema import Located, OneExtreme, attains
from symgrad.ops.gathering import INDEX_SELECT, gather, scatter_add
from symgrad.ops.indexing import index
from symgrad.ops.primitive import bind
from symgrad.ops.reduction import sum
from symgrad.ops.results import one_of
from symgrad.ops.samples import TABLE
from symgrad.ops.selection import KTH, TOPK, definitions, settled_kth, settled_topk
from symgrad.ops.values import data_of
from symgrad.ops.where import where
from symgrad.schema.public import FUNCTIONS, public
from symgrad.support.untraceable import UntraceableValue

__all__ = ["kthvalue", "median", "median_dim", "sort", "topk"]

_TIES = np.array([[1.0, 3.0, 3.0], [3.0, 2.0, 3.0]])


def _order(x, *, axis, descending):  # type: ignore[no-untyped-def]
    if not x.ndim:
        return np.zeros((), np.int64)
    if descending:
        back = np.flip(np.argsort(np.flip(x, axis), axis=axis, kind="stable"), axis)
        return x.shape[axis] - 1 - back
    return np.argsort(x, axis=axis, kind="stable")


def _first_of_order(x, *, axis, descending, k):  # type: ignore[no-untyped-def]
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
    return (np.take_along_axis(x, places, axis) if x.ndim else np.array(x)), places


def _first(x, *, axis, descending, k):  # type: ignore[no-untyped-def]
    places = _first_of_order(x, axis=axis, descending=descending, k=k)  # type: ignore[no-untyped-call]
    return (np.take_along_axis(x, places, axis) if x.ndim else np.array(x)), places


class Ordering(Located, abstract=True):
    """Elements along one axis in order, each of which passes its cotangent on to its place."""

    axis: int
    descending: bool
    #: What PyTorch's errors call it.
    public_name: ClassVar[str]

    @classmethod
    def infer(cls, x: Any, axis: int, *rest: Any) -> tuple[Any, Any]:
        if x.dtype.is_complex:
            raise RuntimeError(f" {cls.public_name} does not support complex dtypes on CPU")
        return (x.shape, x.shape), (x.dtype, int64)

    def vjp(
        self, cts: Sequence[ArrayExpr | None], needs: Sequence[bool]
    ) -> Sequence[ArrayExpr | None]:
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


class sort(Ordering):
    """The elements in order."""

    params = ("axis", "descending")
    layout = "first"
    kernel = Kernel.from_function(_sorted, prelude=definitions(_order), rows=along)
    values_kernel = Kernel.from_function(_in_order, rows=along)
    places_kernel = Kernel.from_function(_order, rows=along)
    public_name = "Sort"

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(TABLE, 1, False), (_TIES, 0, True), (np.array(1.5), 0, False)]


class topk(Ordering):
    """The first `k` of the elements in order."""

    params = ("axis", "descending", "k")
    kernel = Kernel.from_function(
        _first, prelude=definitions(_order, _first_of_order, prelude=TOPK), rows=along
    )
    public_name = "topk"

    @classmethod
    def infer(cls, x: Any, axis: int, *rest: Any) -> tuple[Any, Any]:
        (shape, _), kinds = super().infer(x, axis)
        _, k = rest
        shape = (*shape[:axis], k, *shape[axis + 1 :]) if shape else shape
        return (shape, shape), kinds

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(TABLE, 1, True, 2), (_TIES, 0, False, 1), (np.array(1.5), 0, False, 1)]


@public(
    "sort(Tensor self, *, bool? stable, int dim=-1, bool descending=False, Tensor? out=None) -> (Tensor values, Tensor indices)",
    "sort(Tensor self, int dim=-1, bool descending=False, *, Tensor? out=None) -> (Tensor values, Tensor indices)",
)
def _sort(input: Any, dim: int = -1, descending: bool = False, stable: bool = False) -> Any:
    """Return the elements along `dim` in order, and where they stood.

    Parameters
    ----------
    input : Tensor or ArrayExpr
    dim : int
    descending : bool
        The largest first.
    stable : bool
        Equal elements keep their order in any case.

    Returns
    -------
    (values, indices)

    Raises
    ------
    IndexError
        If the axis is out of range.

    Examples
    --------
    >>> import symgrad as torch
    >>> values, indices = torch.sort(torch.tensor([3.0, 1.0, 2.0]), descending=True)
    >>> values
    tensor([3., 2., 1.])
    >>> indices
    tensor([0, 2, 1])
    """
    axis = canonical_axis(dim, len(input.shape))
    return return_types.sort(*bind(sort, (input,), (axis, bool(descending))))


@public(
    "argsort(Tensor self, *, bool stable, int dim=-1, bool descending=False, Tensor? out=None) -> Tensor",
    "argsort(Tensor self, int dim=-1, bool descending=False) -> Tensor",
)
def _argsort(input: Any, dim: int = -1, descending: bool = False, stable: bool = False) -> Any:
    """Return where the elements along `dim` stand that `sort` puts in order.

    Parameters
    ----------
    descending : bool
        The largest first.
    stable : bool
        Equal elements keep their order in any case.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.argsort(torch.tensor([3.0, 1.0, 2.0]))
    tensor([1, 2, 0])
    """
    axis = canonical_axis(dim, len(input.shape))
    return one_of(sort, 1, input, (axis, bool(descending)))


@public(
    "msort(Tensor self, *, Tensor? out=None) -> Tensor",
)
def _msort(input: Any) -> Any:
    """Return the elements along the first axis in order.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.msort(torch.tensor([[3, 1], [2, 4]]))
    tensor([[2, 1],
            [3, 4]])
    """
    return one_of(sort, 0, input, (canonical_axis(0, len(input.shape)), False))


@public(
    "topk(Tensor self, int k, int dim=-1, bool largest=True, bool sorted=True, *, Tensor? out=None) -> (Tensor values, Tensor indices)",
)
def _topk(input: Any, k: int, dim: int = -1, largest: bool = True, sorted: bool = True) -> Any:
    """Return the `k` largest (or smallest) elements along `dim` in order, and where they stand.

    Parameters
    ----------
    largest, sorted : bool
        Whether the largest are meant; the result is in order in any case.

    Returns
    -------
    (values, indices)

    Raises
    ------
    RuntimeError
        If there are fewer than `k` elements.

    Examples
    --------
    >>> import symgrad as torch
    >>> values, indices = torch.topk(torch.tensor([3.0, 1.0, 2.0]), 2)
    >>> values
    tensor([3., 2.])
    >>> indices
    tensor([0, 2])
    """
    shape = input.shape
    axis = canonical_axis(dim, len(shape))
    if not 0 <= k <= (shape[axis] if shape else 1):
        raise RuntimeError("selected index k out of range")
    return return_types.topk(*bind(topk, (input,), (axis, bool(largest), int(k))))


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


class kthvalue(OneExtreme):
    """The k-th smallest element along an axis, and where it stands."""

    params = ("axis", "keepdims", "k")
    kernel = Kernel.from_function(
        _kth_and_place, prelude=definitions(_kth_place, prelude=KTH), rows=along
    )
    values_kernel = Kernel.from_function(_kth, rows=along)
    places_kernel = Kernel.from_function(_kth_place, prelude=KTH, rows=along)
    public_name = "kthvalue"
    complex_kernel = "kthvalue_cpu"
    k: int

    def described(self) -> list[str]:
        return [f"k={self.k}", *super().described()]

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(TABLE, 1, False, 2), (_TIES, 0, True, 1), (np.array(1.5), 0, False, 1)]


class median_dim(OneExtreme):
    """The median along an axis, of two in the middle the smaller, and where it stands."""

    kernel = Kernel.from_function(_median_and_place, prelude=definitions(_median_place), rows=along)
    values_kernel = Kernel.from_function(_median_along, rows=along)
    places_kernel = Kernel.from_function(_median_place, rows=along)
    public_name = "median"
    complex_kernel = "median_out"


def _median(x, *, axis, keepdims):  # type: ignore[no-untyped-def]
    in_order = np.sort(x, axis=None)
    if not in_order.size:
        return np.array(np.nan, x.dtype)
    last = in_order[-1]
    return np.array(last if last != last else in_order[(in_order.size - 1) // 2])


class median(Reduction):
    """The median of all elements; equal ones share the cotangent, as in PyTorch."""

    kernel = Kernel.from_function(_median)

    @classmethod
    def result_kind(cls, kind: dtype) -> dtype:
        if kind.is_complex:
            raise NotImplementedError(f"\"median_cpu\" not implemented for '{kind.scalar_name}'")
        return kind

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Sequence[ArrayExpr | None]:
        (x,) = self.operands
        mask = attains.of(x, self)
        return (where.of(mask, ct / sum.of(mask, self.axes, False), 0),)

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        (x,) = operands
        lines = x.reshape((size, x.size // max(size, 1)))
        made: Any = median_dim.of(lines, 1, False)
        found: ArrayExpr = made[0]
        return found

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(TABLE, None, False), (_TIES, None, False)]


@public(
    "median(Tensor self) -> Tensor",
    "median(Tensor self, int dim, bool keepdim=False, *, Tensor? out=None) -> (Tensor values, Tensor indices)",
)
def _median_function(input: Any, dim: Any = NOT_GIVEN, keepdim: bool = False) -> Any:
    """Return the median of all elements, or along an axis; of two in the middle the smaller.

    Parameters
    ----------
    dim : int, optional
        The axis; without it all elements.

    Returns
    -------
    Tensor or (values, indices)
        With an axis also where the median stands, which then gets all the gradient.

    Raises
    ------
    IndexError
        If the axis is out of range, or has length zero.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([4.0, 1.0, 3.0, 2.0], requires_grad=True)
    >>> torch.median(x)
    tensor(2., grad_fn=<MedianBackward0>)
    >>> torch.median(x, dim=0).indices
    tensor(3)
    """
    if dim is NOT_GIVEN:
        return bind(median, (input,), (None, False))
    params = (canonical_axis(dim, len(input.shape)), keepdim)
    return return_types.median(*bind(median_dim, (input,), params))


@public(
    "kthvalue(Tensor self, int k, int dim=-1, bool keepdim=False, *, Tensor? out=None) -> (Tensor values, Tensor indices)",
)
def _kthvalue(input: Any, k: int, dim: int = -1, keepdim: bool = False) -> Any:
    """Return the `k`-th smallest element along `dim`, and where it stands.

    Returns
    -------
    (values, indices)

    Raises
    ------
    RuntimeError
        If there are fewer than `k` elements.

    Examples
    --------
    >>> import symgrad as torch
    >>> value, index = torch.kthvalue(torch.tensor([30.0, 10.0, 20.0]), 2)
    >>> value, index
    (tensor(20.), tensor(2))
    """
    shape = input.shape
    axis = canonical_axis(dim, len(shape))
    if shape and not shape[axis]:
        raise IndexError(f"kthvalue(): Expected reduction dim {axis} to have non-zero size.")
    if not 1 <= k <= (shape[axis] if shape else 1):
        raise RuntimeError(f"kthvalue(): selected number k out of range for dimension {axis}")
    params = (axis, keepdim, int(k))
    return return_types.kthvalue(*bind(kthvalue, (input,), params))


_INTERPOLATIONS = ("linear", "lower", "higher", "midpoint", "nearest")


@public(
    'quantile(Tensor self, Tensor q, int? dim=None, bool keepdim=False, *, str interpolation="linear", Tensor? out=None) -> Tensor',
    'quantile(Tensor self, float q, int? dim=None, bool keepdim=False, *, str interpolation="linear", Tensor? out=None) -> Tensor',
)
def _quantile(
    input: Any, q: Any, dim: int | None = None, keepdim: bool = False, *,
    interpolation: str = "linear",
) -> Any:  # fmt: skip
    """Return the `q`-quantiles of all elements, or along an axis.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        Floating numbers.
    q : float or tensor
        Numbers from 0 to 1; those of a 1-D tensor make a new first axis.
    dim : int, optional
    keepdim : bool
        Whether the reduced axes stay, with length one.
    interpolation : "linear", "lower", "higher", "midpoint" or "nearest"
        What stands between two elements.

    Raises
    ------
    RuntimeError
        If a number is outside [0, 1], there are no elements, or they are no floats.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([1.0, 2.0, 4.0])
    >>> torch.quantile(x, 0.75)
    tensor(3.)
    >>> torch.quantile(x, torch.tensor([0.0, 0.75]), interpolation="lower")
    tensor([1., 2.])
    """
    if interpolation not in _INTERPOLATIONS:
        raise RuntimeError(
            "quantile() interpolation must be one of linear, lower, higher, midpoint or nearest, "
            f"but got {interpolation}"
        )
    if input.dtype.category != Category.FLOAT:
        raise RuntimeError("quantile() input tensor must be either float or double dtype")
    shape = input.shape
    axis = 0 if dim is None else canonical_axis(dim, len(shape))
    kept = reduced_shape(shape, tuple(range(len(shape))) if dim is None else (axis,), True)
    if dim is None or not shape:
        input = input.reshape(-1)
    count = input.shape[axis]
    if 0 in shape:
        raise RuntimeError("quantile() input tensor must be non-empty")
    q = q if hasattr(type(q), "_record") else plain_number(q)
    if isinstance(q, ArrayExpr) and data_of(q) is None:
        raise UntraceableValue("quantile(): the values of q must be known")
    numbers = np.asarray(q if isinstance(q, (int, float)) else data_of(q), float)
    if numbers.ndim > 1:
        raise RuntimeError("quantile() q must be a scalar or 1D tensor")
    if not ((numbers >= 0) & (numbers <= 1)).all():
        raise RuntimeError("quantile() q values must be in the range [0, 1]")
    in_order = one_of(sort, 0, input, (axis, False))
    unknown = FUNCTIONS["isnan"](input).any(axis, True)
    # Places and shares are arrays, so that numbers which vary are one structure.
    ranks = numbers.reshape(-1).astype(input.dtype.numpy) * (count - 1)
    low, high = np.floor(ranks), np.ceil(ranks)
    share = np.full_like(ranks, 0.5) if interpolation == "midpoint" else ranks - low
    if interpolation == "nearest":
        low = high = np.round(ranks)
    elif interpolation in ("lower", "higher"):
        low = high = low if interpolation == "lower" else high
    params = ((False,) * axis + (True,), (0,))
    below = bind(index, (in_order, low.astype(np.int64)), params, INDEX_SELECT)
    above = bind(index, (in_order, high.astype(np.int64)), params, INDEX_SELECT)
    along = (-1,) + (1,) * (len(input.shape) - axis - 1)
    exact = (low == high).reshape(along)  # between an infinite element and itself is nan
    between = below.lerp(above, share.reshape(along))
    value = bind(where, (exact, below, between))
    # nan stands last in order.
    last = bind(index, (in_order, np.array([count - 1])), params, INDEX_SELECT)
    value = bind(where, (unknown, last, value)).to(input.dtype)
    rest = kept if keepdim else tuple(
        n for a, n in enumerate(shape) if dim is not None and a != axis)  # fmt: skip
    found = value.movedim(axis, 0).reshape((numbers.size, *rest))
    return found if numbers.ndim else found.squeeze(0)
