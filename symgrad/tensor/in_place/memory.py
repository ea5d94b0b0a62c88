"""Showing other memory, in place: `resize_`, `resize_as_`, `as_strided_` and `set_`.

What a tensor may show is the memory that it shares with its views, its *storage*: that of the array
which owns it. A tensor that shows another part of it stays a view, or becomes one where views of it
are still there, so that changes reach all of them under record, too.
"""

from __future__ import annotations

import operator
import weakref
from collections.abc import Sequence
from typing import Any

import numpy as np

from symgrad.backward.tangents import tangent_of
from symgrad.expr.shapes import Shape, size_of
from symgrad.ops.replacement import reseated
from symgrad.ops.strided import as_strided
from symgrad.record.aval import aval_of, inference_aval
from symgrad.record.inference import check_inference
from symgrad.record.modes import state
from symgrad.record.record import record, wrap
from symgrad.record.signature import named
from symgrad.record.versions import clock
from symgrad.record.views import Trail, trail_of
from symgrad.schema.arguments import check_shape
from symgrad.schema.public import METHODS, tensor_method
from symgrad.schema.text import NOT_GIVEN
from symgrad.support.locks import making
from symgrad.support.memory import check_window, overlaps_itself, storage_of, strides_in_order
from symgrad.tensor.in_place.allowed import check_reshapable
from symgrad.tensor.in_place.change import exchanged, new_identity, replace_vertex

_NO_FORWARD = (
    "Trying to use forward AD with set_ that does not support it because it has not been "
    "implemented yet."
)

_TOO_MANY = "numel: integer multiplication overflow"
# The most elements, or bytes, that PyTorch counts.
_MOST = 2**63 - 1


@tensor_method(
    "resize_(Tensor self, int[] size, *, MemoryFormat? memory_format=None) -> Tensor",
)
def resize_(self: Any, size: Shape) -> Any:
    """Give the tensor another shape, and show its memory in the order of the axes from then on.

    What is more than there is memory begins as zero, in memory that is the tensor's alone. For the
    shape that it has already, nothing is changed.

    Parameters
    ----------
    size : sequence of int
        The lengths of the axes, which may also be given one by one.

    Raises
    ------
    RuntimeError
        For a tensor that requires a gradient.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.arange(4)
    >>> x.resize_(2, 3)
    tensor([[0, 1, 2],
            [3, 0, 0]])
    >>> x.resize_(2)
    tensor([0, 1])
    """
    if any(n < 0 for n in size):
        raise RuntimeError(_TOO_MANY)
    check_shape("resize_", size)
    return _resized(self, size)


@tensor_method(
    "resize_as_(Tensor self, Tensor the_template, *, MemoryFormat? memory_format=None) -> Tensor",
    function=True,
)
def resize_as_(self: Any, the_template: Any) -> Any:
    """Give the tensor the shape of another one, as `resize_` does.

    Parameters
    ----------
    the_template : Tensor
        Of any dtype.

    Raises
    ------
    RuntimeError
        For a tensor that requires a gradient.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.arange(4).resize_as_(torch.zeros(2, 2))
    tensor([[0, 1],
            [2, 3]])
    """
    return _resized(self, the_template._aval.shape)


def _resized(self: Any, shape: Shape) -> Any:
    check_inference(self)
    if self._rg and not state.state.inference:
        raise RuntimeError("cannot resize variables that require grad")
    if tangent_of(self) is not None:
        raise RuntimeError("cannot resize variables that has a forward grad")
    if shape == self._aval.shape:
        return self
    offset, item = self.storage_offset(), self._data.itemsize
    strides, count = strides_in_order(shape), size_of(shape)
    if count > _MOST:
        raise RuntimeError(_TOO_MANY)
    memory, needed = storage_of(self._data), (offset + count) * item
    if needed > _MOST:
        raise RuntimeError(f"Storage size calculation overflowed with sizes={list(shape)}")
    if count and needed > memory.size:
        more = np.zeros(-(-needed // item), self._data.dtype)
        grown = more.view(np.uint8)
        grown[: memory.size] = memory
        memory = grown
    self._storage().bump(clock())
    window = _window(memory, self._data.dtype, shape, strides, offset)
    if self._rg and self._node() is not None:
        exchanged(self, wrap(window))
    _show(self, window)
    return self


@tensor_method(
    "as_strided_(Tensor self, int[] size, int[] stride, int? storage_offset=None) -> Tensor",
    function=True,
)
def as_strided_(
    self: Any, size: Sequence[int], stride: Sequence[int], storage_offset: int | None = None
) -> Any:
    """Show the memory with other lengths and strides of the axes, in place.

    Parameters
    ----------
    size, stride : sequence of int
        The length of each axis, and how many elements apart its neighbours lie.
    storage_offset : int, optional
        Where the first element lies in the memory; by default where it does now.

    Raises
    ------
    RuntimeError
        If the memory ends before the last element, or the tensor may not be changed.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.arange(6).as_strided_((2, 2), (1, 2), 1)
    tensor([[1, 3],
            [2, 4]])
    """
    _check_changeable(self)
    shape, steps, offset = _geometry(self, size, stride, storage_offset)
    if any(n < 0 for n in shape):
        raise RuntimeError(_TOO_MANY)
    storage = self._storage()
    if self._rg and state.state.enabled:
        result = METHODS["as_strided"](self, shape, steps, offset)
        vertex = result._node()
        vertex.rename(named(vertex.sig, "AsStridedBackward1"))
        vertex.links = [self._vertex or self._leaf()]
        trail = result._steps, result._reshapes_done
        storage.bump(clock())
        self._dual = result._dual
        _show(self, result._data, trail)
        replace_vertex(self, vertex, storage)
    else:
        window = _in_storage(self, shape, steps, offset)
        storage.bump(clock())
        if self._dual is not None:
            self._dual = METHODS["as_strided"](self, shape, steps, offset)._dual
        _show(self, window)
    return self


@tensor_method(
    "set_(Tensor self) -> Tensor",
    "set_(Tensor self, Storage source) -> Tensor",
    "set_(Tensor self, Storage source, int storage_offset, int[] size, int[]? stride=None) -> Tensor",
    "set_(Tensor self, Tensor source) -> Tensor",
    "set_(Tensor self, Tensor source, int storage_offset, int[] size, int[]? stride=None) -> Tensor",
)
def set_(
    self: Any,
    source: Any = NOT_GIVEN,
    storage_offset: int = NOT_GIVEN,
    size: Shape = NOT_GIVEN,
    stride: Shape = (),
) -> Any:
    """Show the memory of another tensor from now on, in place; none without a `source`.

    Parameters
    ----------
    source : Tensor, optional
        Of the same dtype.
    storage_offset : int
        How many elements after the first of `source` to begin, if `size` is given.
    size, stride : sequence of int, optional
        The length of each axis, and how many elements apart its neighbours lie; by default those of
        `source`.

    Raises
    ------
    RuntimeError
        If the dtypes differ, the memory ends before the last element, or the tensor may not be
        changed.

    Examples
    --------
    >>> import symgrad as torch
    >>> x, y = torch.zeros(3), torch.tensor([1.0, 2.0])
    >>> x.set_(y)
    tensor([1., 2.])
    >>> x[0] = 7
    >>> y
    tensor([7., 2.])
    """
    _check_changeable(self)
    kind = self._aval.dtype
    if tangent_of(self) is not None or (source is not NOT_GIVEN and tangent_of(source) is not None):
        raise NotImplementedError(_NO_FORWARD)
    others = [self]
    if source is NOT_GIVEN:
        window = np.empty(0, kind.numpy)
    else:
        if source._aval.dtype is not kind:
            theirs, own = source._aval.dtype.cpp_name, kind.cpp_name
            raise RuntimeError(f"Could not set tensor of type {theirs} to a tensor of type {own}")
        window = source._data
        for x in (self, source):  # both share memory from now on, and count for themselves
            x._storage().expose()
        if size is NOT_GIVEN:
            others.append(source)
        else:
            shape, steps, offset = _geometry_for_set(size, stride or (), storage_offset)
            window = _in_storage(source, shape, steps, source.storage_offset() + offset)
    storage, old = self._storage(), [(x._vertex or x._leaf()) if x._rg else None for x in others]
    vertex = record(reseated, (wrap(window), *others), result=window)._node()
    leave(self)
    _place(self, window)
    if vertex is not None:
        vertex.links = old
        replace_vertex(self, vertex, storage)
    storage.bump(clock())
    return self


# ------------------------------------------------------------------ what may be shown


def _check_changeable(x: Any) -> None:
    """Raise where a tensor may not show other memory."""
    storage_of(x._data)  # raises inside `vmap`, where no storage exists
    check_reshapable(x)


def _geometry(x: Any, size: Any, stride: Any, offset: int | None) -> tuple[Shape, Shape, int]:
    """Return lengths, strides and the place of the first element, by default where it is now."""
    shape, steps = tuple(map(operator.index, size)), tuple(map(operator.index, stride))
    return shape, steps, x.storage_offset() if offset is None else operator.index(offset)


def _geometry_for_set(size: Any, stride: Any, offset: Any) -> tuple[Shape, Shape, int]:
    """Return lengths, strides and the place of the first element, checked as `set_` does."""
    shape, place = tuple(map(operator.index, size)), operator.index(offset)
    if place < 0:
        raise RuntimeError(f"Tensor: invalid storage offset {place}")
    if any(n < 0 for n in shape):
        raise RuntimeError(_TOO_MANY)
    if not stride:
        return shape, strides_in_order(shape), place
    steps = tuple(map(operator.index, stride))
    if len(shape) != len(steps):
        raise RuntimeError(f"unequal size length ({len(shape)}) and stride length ({len(steps)})")
    if any(s < 0 for s in steps):
        raise RuntimeError(
            f"Storage size calculation overflowed with sizes={list(shape)} and "
            f"strides={list(steps)}"
        )
    return shape, steps, place


def _in_storage(x: Any, shape: Shape, steps: Shape, offset: int) -> np.ndarray[Any, Any]:
    """Return an array of the memory that `x` shows a part of."""
    memory = storage_of(x._data)
    check_window(shape, steps, offset, x._data.itemsize, memory.size)
    return _window(memory, x._data.dtype, shape, steps, offset)


def _window(
    memory: np.ndarray[Any, Any], kind: np.dtype[Any], shape: Shape, steps: Shape, offset: int
) -> np.ndarray[Any, Any]:
    if 0 in shape:
        first = min(offset * kind.itemsize, memory.size)
        return memory[first:first].view(kind).reshape(shape)
    strides = tuple([s * kind.itemsize for s in steps])
    window: np.ndarray[Any, Any]
    window = np.ndarray(shape, kind, memory, offset * kind.itemsize, strides)
    if overlaps_itself(window):
        window.flags.writeable = False  # who writes into it, writes twice
    return window


# ------------------------------------------------------------------ showing it


def _show(x: Any, window: np.ndarray[Any, Any], trail: tuple[Trail, int] | None = None) -> None:
    """Let a tensor show another part of its memory, and views know it.

    Parameters
    ----------
    x : Tensor
        What is changed.
    window : numpy.ndarray
        What it shows from now on.
    trail : tuple, optional
        The operations that lead there from the base, where they have been recorded.
    """
    if x._base is None and _living_views(x):
        _hide_base(x)
    base = x._base
    if base is not None:
        if trail is None:
            step = _step(base._data, window)
            trail = (trail_of([step]), len(base._reshapes)) if step is not None else None
        if trail is None:
            leave(x)
        else:
            x._steps, x._reshapes_done = trail
    _place(x, window)


def _place(x: Any, window: np.ndarray[Any, Any]) -> None:
    """Exchange the value of a tensor, which is a new one for formulas where it has no history."""
    aval = aval_of(window.shape, x._aval.dtype)
    x._data, x._aval = window, inference_aval(aval) if x._aval.inference else aval
    if x._node() is None:
        new_identity(x)


def _hide_base(x: Any) -> None:
    """Put another tensor in the place of `x` as the base of its views, and make `x` one of them."""
    base = wrap(x._data, x._aval, x._vertex)
    base._rg, base._views, base._reshapes = x._rg, x._views, x._reshapes
    for view in _living_views(x):
        view._base = base
    x._views, x._reshapes = None, ()
    base._stands_for = weakref.ref(x)
    base._views.append(base._stands_for)
    x._required = x._rg and x._node() is None  # a leaf still gets its gradient
    x._base = base


def _living_views(x: Any) -> list[Any]:
    found = [r() for r in x._views or ()]
    return [view for view in found if view is not None]


def leave(x: Any) -> None:
    """Let a tensor, which is about to show other memory, be no view any more, and no base."""
    x._node()  # as a view it is brought up to date while it is one
    if x._base is None and _living_views(x):
        _hide_base(x)
    base = x._base
    if base is not None:
        with making:
            base._views = _without(x, base._views)
            base._refused = _without(x, base._refused)
    x._base, x._steps, x._reshapes_done = None, None, 0
    x._restricted, x._required = "", False


def _without(x: Any, noted: list[Any] | None) -> list[Any] | None:
    return noted and [r for r in noted if r() is not x]


def _step(base: np.ndarray[Any, Any], window: np.ndarray[Any, Any]) -> Any:
    """Return the operation by which `window` is a view of `base`; None where there is none."""
    if not base.flags.c_contiguous or base.dtype != window.dtype:
        return None
    first, last = np.lib.array_utils.byte_bounds(base)
    start, end = np.lib.array_utils.byte_bounds(window)
    if not (first <= start and end <= last):
        return None
    steps = tuple([s // window.itemsize for s in window.strides])
    return as_strided, (window.shape, steps, (start - first) // window.itemsize)
