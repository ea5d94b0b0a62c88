"""What users call of `symgrad.ops.slicing`, and what PyTorch's graph shows of it."""

from __future__ import annotations

import dataclasses
from typing import Any

from symgrad.expr.shapes import Shape, canonical_axis
from symgrad.ops.primitive import bind
from symgrad.ops.slicing import (
    Key,
    as_index,
    entry_key,
    part,
    slice_entry,
    split,
    split_with_sizes,
    unbind,
    unbound,
    updated,
)
from symgrad.record.face import axes, face_of, given, renamed, shows, sizes, stated
from symgrad.schema.public import OPERATORS, public
from symgrad.tensor.subscripts import SELECT


def _sliced(node: Any) -> dict[str, Any]:
    """Return the axis that a key slices, and the slice; of several, as PyTorch's last view does."""
    shown = _cut(node)
    beyond = 2**63 - 1  # the end of a slice that has none
    return (
        {**shown, "end": beyond} if shown["end"] == node.operands[0].shape[shown["dim"]] else shown
    )


def _cut(node: Any) -> dict[str, Any]:
    """Return the same of a slice whose end was given."""
    full = [(0, n, 1) for n in node.operands[0].shape]
    key = [(k, k + 1, 1) if isinstance(k, int) else k for k in node.key]
    cut = [i for i, k in enumerate(key) if k != full[i]]
    dim = cut[-1] if cut else 0
    start, end, step = key[dim]
    return {"dim": dim, "start": start, "end": end, "step": step}


shows(part, name="Slice", facts=stated(_sliced, sizes))
#: A slice whose end was given, also where that is the end of the axis.
CUT = dataclasses.replace(face_of(part), facts=stated(_cut, sizes))
shows(split, name="Split", facts=stated(axes, sizes, renamed(split_size="split_size")))
shows(
    split_with_sizes,
    name="SplitWithSizes",
    facts=stated(axes, sizes, renamed(split_sizes="split_sizes")),
)
shows(unbind, name="Unbind")
shows(updated, name="SliceScatter")


@public("select(Tensor self, int dim, int index) -> Tensor")
def _select(input: Any, dim: int, index: int) -> Any:
    """Return the slice at `index` of an axis; a view.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.select(torch.tensor([[1, 2], [3, 4]]), 1, 0)
    tensor([1, 3])
    """
    shape = tuple(input.shape)
    if not shape:
        raise IndexError("select() cannot be applied to a 0-dim tensor.")
    return bind(part, (input,), (_selecting(shape, dim, index),), SELECT)


def _selecting(shape: Shape, dim: int, index: Any) -> Key:
    """Return the key of one index along an axis; IndexError if the axis has no such index."""
    axis = canonical_axis(dim, len(shape))
    i = as_index(index, 0)
    if not -shape[axis] <= i < shape[axis]:
        raise IndexError(
            f"select(): index {i} out of range for tensor of size {list(shape)} at dimension {dim}"
        )
    return entry_key(shape, axis, i % shape[axis])


@public(
    "narrow(Tensor self, int dim, Tensor start, int length) -> Tensor",
    "narrow(Tensor self, int dim, int start, int length) -> Tensor",
)
def _narrow(input: Any, dim: int, start: int, length: int) -> Any:
    """Return `length` elements along an axis from `start` on; a view.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.narrow(torch.arange(10), 0, 3, 4)
    tensor([3, 4, 5, 6])
    """
    return narrowed(part, input, dim, start, length)


def narrowed(cls: type[part], input: Any, dim: int, start: int, length: int) -> Any:
    """Apply `cls`, a kind of `part`, to `length` elements along an axis from `start` on."""
    shape = tuple(input.shape)
    if not shape:
        raise RuntimeError("narrow() cannot be applied to a 0-dim tensor.")
    axis = canonical_axis(dim, len(shape))
    n, first = shape[axis], as_index(start, 0)
    if length < 0:
        raise RuntimeError("narrow(): length must be non-negative.")
    if not -n <= first <= n:
        raise IndexError(
            f"start out of range (expected to be in range of [-{n}, {n}], but got {first})"
        )
    first = first + n if first < 0 else first
    if first + length > n:
        raise RuntimeError(f"start ({first}) + length ({length}) exceeds dimension size ({n}).")
    key = entry_key(shape, axis, (first, first + length, 1))
    return bind(cls, (input,), (key,), CUT if cls is part else None)


@public("select_scatter(Tensor self, Tensor src, int dim, int index) -> Tensor")
def _select_scatter(input: Any, src: Any, dim: int, index: int) -> Any:
    """Return `input` with `src` at `index` of an axis.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.select_scatter(torch.zeros(2, 2), torch.tensor([1.0, 2.0]), 0, 1)
    tensor([[0., 0.],
            [1., 2.]])
    """
    shape = tuple(input.shape)
    if not shape:
        raise IndexError("select() cannot be applied to a 0-dim tensor.")
    axis = canonical_axis(dim, len(shape))
    face = given(updated, name="SelectScatter", dim=axis, index=index)
    return bind(updated, (input, src), (_selecting(shape, dim, index),), face)


@public(
    "slice_scatter(Tensor self, Tensor src, int dim=0, int? start=None, int? end=None, int step=1, *, Tensor? out=None) -> Tensor"
)
def _slice_scatter(
    input: Any, src: Any, dim: int = 0, start: Any = None, end: Any = None, step: int = 1
) -> Any:
    """Return `input` with `src` at a slice of an axis.

    Parameters
    ----------
    start, end : int, optional
        The bounds of the slice, as in a subscript.
    step : int
        The distance between its elements.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.slice_scatter(torch.zeros(5), torch.tensor([1.0, 2.0]), start=1, end=5, step=2)
    tensor([0., 1., 0., 2., 0.])
    """
    shape = tuple(input.shape)
    if not shape:
        raise IndexError("slice() cannot be applied to a 0-dim tensor.")
    axis = canonical_axis(dim, len(shape))
    entry = slice_entry(slice(start, end, step), shape[axis])
    face = given(updated, dim=axis, start=start, end=end, step=step)
    return bind(updated, (input, src), (entry_key(shape, axis, entry),), face)


def _iterate(self: Any) -> Any:
    if not self.shape:
        raise TypeError("iteration over a 0-d tensor")
    return iter(unbound(self, 0))


_iterate.__name__ = _iterate.__qualname__ = "__iter__"
OPERATORS["__iter__"] = _iterate


@public("unbind(Tensor self, int dim=0) -> Tensor[]", numpy="unstack(x, axis)")
def _unbind(input: Any, dim: int = 0) -> tuple[Any, ...]:
    """Return the slices along an axis, without that axis.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.unbind(torch.tensor([[1, 2], [3, 4]]), dim=1)
    (tensor([1, 3]), tensor([2, 4]))
    """
    if not input.shape:
        raise IndexError("Dimension specified as 0 but tensor has no dimensions")
    return unbound(input, canonical_axis(dim, len(input.shape)))
