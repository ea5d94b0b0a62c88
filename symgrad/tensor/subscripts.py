"""Subscripts: `x[key]`, what each kind of key means, and writing at a key out of place.

A key is resolved as PyTorch does: integers, slices and None give views, one after the other, which
are in `slicing`; then arrays of indices and masks, all at once, which are in `indexing`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from symgrad.expr.atoms import Const
from symgrad.expr.dtypes import bool_, dtype, int32, int64, number_as, uint8
from symgrad.expr.named_sizes import NamedSize
from symgrad.expr.node import ArrayExpr
from symgrad.expr.shapes import Shape, size_of
from symgrad.ops.broadcasting import broadcast_to, expanded_shape
from symgrad.ops.identity import alias
from symgrad.ops.indexing import (
    check_mask,
    check_put,
    index,
    index_put,
    indexed_shape,
    layout_of,
    unlike,
)
from symgrad.ops.operand_values import counted_values, data_of, every_value
from symgrad.ops.primitive import bind
from symgrad.ops.reshaping import reshape
from symgrad.ops.slicing import (
    Entry,
    Key,
    check_writable,
    part,
    part_shape,
    slice_entry,
    slice_length,
    updated,
)
from symgrad.record.face import Face, sizes, stated
from symgrad.support.refusals import warn
from symgrad.support.untraceable import UntraceableShape


def _selected(node: Any) -> dict[str, Any]:
    """Return the axis of a key with one integer, and the integer."""
    dim = next(i for i, k in enumerate(node.key) if isinstance(k, int))
    return {"dim": dim, "index": node.key[dim]}


#: What PyTorch's graph shows of an element along an axis.
SELECT = Face(name="Select", facts=stated(_selected, sizes))


@lru_cache(maxsize=64)
def unsqueezed(axis: int) -> Face:
    """Return what PyTorch's graph shows of a new axis."""
    return Face(name="Unsqueeze", facts=lambda node: {"dim": axis})


class Subscript(NamedTuple):
    """A resolved key.

    Attributes
    ----------
    steps : tuple
        What PyTorch does first, view by view: `("select", axis, i)`, `("slice", axis, entry)`,
        `("none", axis)`.
    basic : tuple
        The same integers and slices as one key of `part`, over the axes of the array.
    expanded : tuple of int
        The shape that these views give.
    indices : tuple
        Arrays of indices and masks, then applied to it.
    spec : tuple of bool
        Which of its axes they index.
    """

    steps: tuple[tuple[Any, ...], ...]
    basic: Key
    expanded: Shape
    indices: tuple[Any, ...]
    spec: tuple[bool, ...]


_INVALID = (
    "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid "
    "indices (got {})"
)


def _is_array(x: Any) -> bool:
    return isinstance(x, (np.ndarray, ArrayExpr)) or hasattr(x, "_data")


def _as_item(item: Any) -> Any:
    """Return one item of a key: an int, slice, None, Ellipsis or an array of indices."""
    if isinstance(item, type):  # a class has the attributes of its instances
        raise IndexError(_INVALID.format("type"))
    if item is None or item is Ellipsis or isinstance(item, (bool, np.bool_, slice)):
        return np.array(item) if isinstance(item, (bool, np.bool_)) else item
    if isinstance(item, (int, np.integer)):
        return int(item)
    if type(item) is NamedSize:
        return item
    if _is_array(item):
        kind = getattr(item, "dtype", None)
        values = data_of(item)
        if not item.shape and isinstance(values, np.ndarray) and values.dtype.kind in "iu":
            if values.dtype == np.uint8:  # PyTorch takes bytes for a mask, also one alone
                return np.array(bool(values))
            return int(values)
        if isinstance(item, Const) and type(item.value) in (int, NamedSize):
            return item.value
        if (values is not None and values.dtype.kind not in "iub") or (
            isinstance(kind, dtype) and kind not in (int64, int32, uint8, bool_)
        ):
            raise IndexError("tensors used as indices must be long, int, byte or bool tensors")
        if isinstance(item, np.ndarray):
            return np.array(item, dtype=bool if item.dtype == bool else np.int64)
        return item
    if isinstance(item, (list, tuple, range)):
        return _array_of_list(item)
    if isinstance(item, str):
        raise TypeError(f"new(): invalid data type '{type(item).__name__}'")
    if hasattr(item, "__index__"):
        return operator.index(item)
    raise IndexError(_INVALID.format(_type_text(item)))


def _type_text(item: Any) -> str:
    kind = type(item)
    module = "" if kind.__module__ == "builtins" else f"{kind.__module__}."
    return f"{module}{kind.__name__}"


def _array_of_list(item: Any) -> Any:
    """Return a list of indices as an array; it may hold tensors of one number each."""
    stack: list[Any] = list(item)
    if any(isinstance(x, ArrayExpr) and data_of(x) is None for x in stack):
        raise IndexError("a list of indices must hold numbers; index with one array expression")
    found = np.array([_plain_values(x) for x in stack])
    if not found.size:
        return found.astype(np.int64)
    if found.dtype.kind not in "iub":
        if found.dtype.kind in "US":
            raise TypeError("new(): invalid data type 'str'")
        raise IndexError("tensors used as indices must be long, int, byte or bool tensors")
    return found if found.dtype == bool else found.astype(np.int64)


def _plain_values(x: Any) -> Any:
    if isinstance(x, (list, tuple, range)):
        return [_plain_values(y) for y in x]
    values = data_of(x)
    return x if values is None else values


_LONGEST = 32  # from this length on PyTorch takes a list for one array of indices


def _sequence_as_tuple(key: Any) -> Any:
    """Read a short list that holds more than numbers as PyTorch does: as the key's parts."""
    if not isinstance(key, list) or len(key) >= _LONGEST:
        return key
    if not any(
        k is None or k is Ellipsis or isinstance(k, (slice, list, tuple, range)) or _is_array(k)
        for k in key
    ):
        return key
    warn(
        "Using a non-tuple sequence for multidimensional indexing is deprecated and will be "
        "changed in pytorch 2.9; use x[tuple(seq)] instead of x[seq]. In pytorch 2.9 this will be "
        "interpreted as tensor index, x[torch.tensor(seq)], which will result either in an error "
        "or a different result"
    )
    return tuple(key)


def resolve(key: Any, shape: Shape) -> Subscript:
    """Read a key of an array of the given shape as PyTorch does.

    Raises
    ------
    IndexError, TypeError, ValueError
        With PyTorch's messages.
    """
    key = _sequence_as_tuple(key)
    items = [_as_item(k) for k in (key if isinstance(key, tuple) else (key,))]
    rank = len(shape)
    if not shape and not isinstance(key, tuple) and isinstance(items[0], (int, slice, NamedSize)):
        if isinstance(items[0], slice):
            raise IndexError("slice() cannot be applied to a 0-dim tensor.")
        raise IndexError(
            "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or "
            "`tensor.item<T>()` in C++ to convert a 0-dim tensor to a number"
        )
    used = 0
    for i in items:
        if isinstance(i, (int, slice, NamedSize)):
            used += 1
        elif i is not None and i is not Ellipsis:
            mask = _is_mask(i)
            used += len(i.shape) if mask else 1
    if used > rank:
        raise IndexError(f"too many indices for tensor of dimension {rank}")
    steps: list[tuple[Any, ...]] = []
    basic: list[Entry] = []
    expanded: list[int] = []
    indices: list[Any] = []
    spec: list[bool] = []
    seen_ellipsis = False
    for place, i in enumerate(items):
        axis = len(basic)
        if i is Ellipsis:
            # A further ellipsis stands for no axes.
            count = 0 if seen_ellipsis else rank - used
            seen_ellipsis = True
            for n in shape[axis : axis + count]:
                basic.append((0, n, 1))
                expanded.append(n)
                spec.append(False)
        elif i is None:
            steps.append(("none", len(expanded)))
            expanded.append(1)
            spec.append(False)
        elif isinstance(i, (int, NamedSize)):
            n = shape[axis]
            if not -n <= i < n:
                # PyTorch names the place of the item in the key, whatever the others stand for.
                raise IndexError(f"index {i} is out of bounds for dimension {place} with size {n}")
            steps.append(("select", len(expanded), i % n))
            basic.append(i % n)
        elif isinstance(i, slice):
            n = shape[axis]
            entry = slice_entry(i, n)
            if entry != (0, n, 1) or not isinstance(key, tuple):
                steps.append(("slice", len(expanded), entry))
            basic.append(entry)
            expanded.append(slice_length(entry))
            spec.append(False)
        else:
            mask = _is_mask(i)
            if mask and not i.shape:  # a 0-d mask chooses along a new axis
                steps.append(("none", len(expanded)))
                expanded.append(1)
                i = i.reshape(1)
                spec.append(True)
            elif mask:
                check_mask(i.shape, (*expanded, *shape[axis:]), len(expanded))
                for n in shape[axis : axis + len(i.shape)]:
                    basic.append((0, n, 1))
                    expanded.append(n)
                spec.append(True)
            else:
                # A mask counts as one array of indices for each of its axes.
                before = sum(len(m.shape) if _is_mask(m) else 1 for m in indices)
                _check_bounds(i, shape[axis], before)
                basic.append((0, shape[axis], 1))
                expanded.append(shape[axis])
                spec.append(True)
            indices.append(i)
    left = shape[len(basic) :]
    while spec and not spec[-1]:
        spec.pop()
    while basic and basic[-1] == (0, shape[len(basic) - 1], 1):
        basic.pop()
    return Subscript(tuple(steps), tuple(basic), (*expanded, *left), tuple(indices), tuple(spec))


def _is_mask(x: Any) -> bool:
    kind = getattr(x.dtype, "name", None)
    return kind in ("bool", "uint8")


def _check_bounds(x: Any, n: int, axis: int) -> None:
    values = every_value(x)
    if values is None or not values.size:
        return
    wrong = values[(values < -n) | (values >= n)]
    if wrong.size:
        raise IndexError(
            f"index {wrong.flat[0]} is out of bounds for dimension {axis} with size {n}"
        )


_MASK_IN_VMAP = (
    "vmap: We do not support batching operators that can support dynamic shape. Attempting to "
    "batch over indexing with a boolean mask."
)


def counted(indices: Sequence[Any]) -> tuple[list[Any], tuple[int, ...]]:
    """Return the indices as operands, and how many elements each mask chooses."""
    operands, counts = [], []
    for i in indices:
        if not _is_mask(i):
            operands.append(i)
            counts.append(0)
            continue
        values = counted_values(i, "index", _MASK_IN_VMAP)
        if values is None:
            raise UntraceableShape(
                "the shape of x[mask] depends on the values of the mask, which a formula does not "
                "have; choose with symgrad.where(mask, x, 0), or trace with a constant mask"
            )
        operands.append(i if values.dtype == bool else values.astype(bool))
        counts.append(int(np.count_nonzero(values)))
    return operands, tuple(counts)


def view_of(x: Any, found: Subscript) -> Any:
    """Return what the basic part of a key gives: view by view for tensors, at once for formulas."""
    if not isinstance(x, ArrayExpr):
        for step in found.steps:
            cls, params, face = step_of(x.shape, step)
            x = bind(cls, (x,), params, face)
        return x
    if found.basic:
        x = part.of(x, found.basic)
    return reshape.of(x, found.expanded)


def step_of(shape: Shape, step: tuple[Any, ...]) -> tuple[Any, tuple[Any, ...], Face | None]:
    """Return operation, parameters and face of a step of a key, on a tensor of a shape."""
    kind, axis, *rest = step
    if kind == "none":
        return reshape, ((*shape[:axis], 1, *shape[axis:]),), unsqueezed(axis)
    full = [(0, n, 1) for n in shape[:axis]] if axis else ()
    return part, ((*full, *rest),), SELECT if kind == "select" else None


def _getitem(self: Any, key: Any) -> Any:
    """Return the elements that `key` names, as PyTorch's tensors do."""
    found = resolve(key, tuple(self.shape))
    x = view_of(self, found)
    if not found.indices:
        return bind(alias, (self,)) if x is self else x
    operands, counts = counted(found.indices)
    return bind(index, (x, *operands), (found.spec, counts))


# `__torch_function__` is given this function; these are the names by which users find it.
_getitem.__name__, _getitem.__qualname__ = "__getitem__", "Tensor.__getitem__"
_getitem.__module__ = "symgrad"


def check_value(value: Any, found: Subscript) -> None:
    """Raise PyTorch's error if the shape of a value does not fit what a key names."""
    if not found.indices:
        check_writable(value, found.expanded)
        return
    operands, counts = counted(found.indices)
    layout = layout_of(found.expanded, operands, found.spec, counts)
    check_put(value.shape, indexed_shape(found.expanded, layout))


def fills(value: Any, found: Subscript) -> bool:
    """Return whether PyTorch writes a value as a single number to the elements of a mask."""
    one = size_of(getattr(value, "shape", ())) == 1 and len(found.indices) == 1
    if not one or not _is_mask(found.indices[0]):
        return False
    return ("none", found.spec.index(True)) not in found.steps  # a 0-d mask is an index


def read_by_index(value: Any, found: Subscript) -> list[Any]:
    """Return the operands that a write by arrays of indices reads while it writes.

    They must not share the memory that is written. A mask is turned into indices before, and a
    single number is read before.
    """
    return [] if fills(value, found) else [value, *[i for i in found.indices if not _is_mask(i)]]


def check_conversion(x: Any, value: Any, found: Subscript) -> None:
    """Raise PyTorch's error for a value of another dtype than the tensor, where indices are arrays.

    A single number that is written to the elements of a mask is converted instead.
    """
    if not fills(value, found):
        raise unlike(x, value)
    if value.dtype.is_complex and x.dtype is not bool_:
        number_as(1j, x.dtype)


def written(base: Any, found: Subscript, value: Any, put: Callable[..., Any] = bind) -> Any:
    """Return `base` with `value` at a key: what `base[key] = value` would leave, out of place.

    Parameters
    ----------
    base, value : Tensor or ArrayExpr
        The value is broadcast to what the key names.
    found : Subscript
        The key.
    put : callable
        What is applied as `bind` is to the operation that writes.
    """
    shape = tuple(base.shape)
    inner = part_shape(shape, found.basic)
    if not found.indices:
        value = fitted(value, found.expanded)
        if found.expanded != inner and len(getattr(value, "shape", ())):
            if isinstance(value, np.ndarray):
                value = np.broadcast_to(value, found.expanded)
            else:
                spread = expanded_shape(value.shape, value.dtype, found.expanded)
                value = bind(broadcast_to, (value,), (spread,))
            value = value.reshape(inner)
        return put(updated, (base, value), (found.basic,))
    operands, counts = counted(found.indices)
    if found.basic or found.expanded != shape:
        x = bind(part, (base,), (found.basic,)) if found.basic else base
        x = x.reshape(found.expanded)
        x = put(index_put, (x, value, *operands), (found.spec, counts, False))
        return put(updated, (base, x.reshape(inner)), (found.basic,))
    return put(index_put, (base, value, *operands), (found.spec, counts, False))


def fitted(value: Any, shape: Shape) -> Any:
    """Drop leading axes of length one that the target does not have."""
    own = tuple(getattr(value, "shape", ()))
    left = own
    while len(left) > len(shape) and left[0] == 1:
        left = left[1:]
    return value if left is own else value.reshape(left)


def resolve_indices(indices: Any, shape: Shape) -> Subscript:
    """Read the indices of `index_put` as a key of an array of a shape."""
    if all(i is None for i in indices):
        raise IndexError("index_put(): at least one of the indices must be a tensor")
    found = resolve(tuple([slice(None) if i is None else i for i in indices]), shape)
    if any(s[0] == "select" for s in found.steps):  # 0-d tensors are indices here, not views
        indices = tuple([i if i is None or len(i.shape) else i.reshape(1) for i in indices])
        found = resolve(tuple([slice(None) if i is None else i for i in indices]), shape)
    return found
