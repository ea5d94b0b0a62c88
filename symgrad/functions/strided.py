"""What users call of `symgrad.ops.strided`, and what PyTorch's graph shows of it."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from symgrad.expr.node import ArrayExpr
from symgrad.expr.shapes import Shape, canonical_axis, size_of
from symgrad.functions.slicing import narrowed
from symgrad.ops.primitive import bind
from symgrad.ops.strided import as_strided, entries_strided, narrow_copy, unfold
from symgrad.record.face import renamed, shows, sizes, stated
from symgrad.schema.public import public
from symgrad.support.memory import check_window, order_in_memory, storage_of


def _narrowed(node: Any) -> dict[str, Any]:
    """Return the axis of a key that slices one, where the slice begins, and its length."""
    full = [(0, n, 1) for n in node.operands[0].shape]
    dim = next((i for i, k in enumerate(node.key) if k != full[i]), 0)
    return {"dim": dim, "start": node.key[dim][0], "length": node.shape[dim]}


_WINDOWS = renamed(size="lengths", stride="strides", storage_offset="first")

shows(as_strided, facts=_WINDOWS)
shows(
    entries_strided,
    name="AsStrided",
    facts=_WINDOWS,
)
shows(unfold, facts=stated(renamed(dimension="axis", size="length", step="step"), sizes))
shows(narrow_copy, name="NarrowCopy", facts=stated(_narrowed, sizes))


@public("unfold(Tensor self, int dimension, int size, int step) -> Tensor", function=False)
def _unfold_method(input: Any, dimension: int, size: int, step: int) -> Any:
    """Return windows along an axis as a new last axis; a view.

    Parameters
    ----------
    dimension : int
        The axis.
    size : int
        The length of a window.
    step : int
        The distance between the beginnings of windows.

    Raises
    ------
    RuntimeError
        If no window fits, or the step is not positive.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.arange(5).unfold(0, 3, 1)
    tensor([[0, 1, 2],
            [1, 2, 3],
            [2, 3, 4]])
    """
    axis = canonical_axis(dimension, len(input.shape))
    size, step = operator.index(size), operator.index(step)
    n = input.shape[axis] if input.shape else 1
    if size < 0:
        raise RuntimeError(f"size is {size} but must be >= 0")
    if size > n:
        raise RuntimeError(f"maximum size for tensor at dimension {axis} is {n} but size is {size}")
    if step <= 0:
        raise RuntimeError(f"step is {step} but must be > 0")
    return bind(unfold, (input,), (axis, size, step))


@public("as_strided(Tensor self, int[] size, int[] stride, int? storage_offset=None) -> Tensor")
def _as_strided_function(
    input: Any, size: Sequence[int], stride: Sequence[int], storage_offset: int | None = None
) -> Any:
    """Return a view of the memory of `input` with given lengths and strides of the axes.

    Parameters
    ----------
    size, stride : sequence of int
        The length of each axis, and how many elements apart its neighbours lie.
    storage_offset : int, optional
        Where the first element lies in the memory; by default that of `input`.

    Raises
    ------
    RuntimeError
        If the memory ends before the last element.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.as_strided(torch.arange(6), (2, 2), (1, 2), 1)
    tensor([[1, 3],
            [2, 4]])
    """
    shape, steps = tuple(map(operator.index, size)), tuple(map(operator.index, stride))
    own = 0 if isinstance(input, ArrayExpr) else input.storage_offset()
    offset = own if storage_offset is None else operator.index(storage_offset)
    whole, first = _memory_around(input, shape, steps, offset)
    return bind(as_strided, (whole,), (shape, steps, first))


def _memory_around(x: Any, shape: Shape, steps: Shape, offset: int) -> tuple[Any, int]:
    """Return an array without gaps that holds a window of the memory of `x`, and where it begins.

    That is `x` itself where it will do, or the tensor that it is a view of, with the axes in the
    order in which they lie in memory.
    """
    item = x.dtype.itemsize
    data = None if isinstance(x, ArrayExpr) else x._data
    if data is None:  # elements of a formula are in the order of axes
        check_window(shape, steps, offset, item, size_of(x.shape) * item)
        return x, offset if size_of(shape) else 0
    base = x if x._base is None else x._base
    pieces = [x] if x.requires_grad and not base.requires_grad else [x, base]
    end = max([piece.storage_offset() + piece.numel() for piece in (x, base)])
    check_window(shape, steps, offset, item, _storage_size(data, end * item))
    if 0 in shape:
        return x, 0
    reach = 1 + sum([s * (n - 1) for n, s in zip(shape, steps, strict=True)])
    for piece in pieces:
        first = piece.storage_offset()
        whole = _in_order(piece)
        if whole is not None and first <= offset and offset + reach <= first + piece.numel():
            return whole, offset - first
    raise RuntimeError(
        "as_strided(): elements of this tensor lie among those of others: clone() it first"
    )


def _storage_size(data: Any, known: int) -> int:
    """Return the bytes of the memory of a tensor, or those that are known of an entry in `vmap`."""
    return storage_of(data).size if isinstance(data, np.ndarray) else known


def _in_order(x: Any) -> Any:
    """Return `x` with its axes in the order of memory, None where its elements leave gaps there."""
    data = x._data
    if data.flags.c_contiguous:
        return x
    if not isinstance(data, np.ndarray):
        return None
    order = order_in_memory(data)
    return x.permute(order) if data.transpose(order).flags.c_contiguous else None


@public("narrow_copy(Tensor self, int dim, int start, int length, *, Tensor? out=None) -> Tensor")
def _narrow_copy(input: Any, dim: int, start: int, length: int) -> Any:
    """Return `length` elements along an axis from `start` on, in memory of their own.

    Parameters
    ----------
    start, length : int
        Of the elements.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.narrow_copy(torch.arange(5), 0, 1, 2)
    tensor([1, 2])
    """
    return narrowed(narrow_copy, input, dim, start, length)
