"""Subscripts: `x[key]`, what each kind of key means, and writing at a key out of place.

A key is resolved as PyTorch does: integers, slices and None give views, one after the other; then
arrays of indices and masks, all at once. `part` and `updated` read and write what views can reach,
`index` and `index_put` what arrays of indices name.
"""

from __future__ import annotations

import operator
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np

from numeric.kernel import Kernel
from symgrad.expr.dtypes import bool_, dtype, int32, int64, uint8
from symgrad.expr.node import ArrayExpr, Const, as_expr
from symgrad.expr.shapes import Shape, broadcast_shapes, canonical_axis
from symgrad.ops.broadcasting import _expand, broadcast_to, lifted, zeros
from symgrad.ops.identity import alias
from symgrad.ops.permuting import permute
from symgrad.ops.reshaping import _unsqueeze, reshape
from symgrad.ops.values import data_of
from symgrad.primitive import Level, Linear, Notation, Primitive, bind, braces
from symgrad.public import public

#: One entry of a basic key: an index, or (start, stop, step) of a slice with start <= stop.
Entry = int | tuple[int, int, int]
Key = tuple[Entry, ...]

_X = np.arange(6.0).reshape(2, 3)
_CUBE = np.arange(24.0).reshape(3, 4, 2)
_J = np.array([1, 0, 1])
_MASK = np.array([[True, False, True], [False, False, True]])


def _length(entry: tuple[int, int, int]) -> int:
    start, stop, step = entry
    return max(0, -((start - stop) // step))


def part_shape(shape: Shape, key: Key) -> Shape:
    """Return the shape of `x[key]`."""
    kept = [_length(e) for e in key if isinstance(e, tuple)]
    return (*kept, *shape[len(key) :])


def basic_key(key: Key, shape: Shape) -> tuple[Any, ...]:
    """Return a key as NumPy takes it; full slices at the end are left out."""
    items: list[Any] = []
    for entry, n in zip(key, shape, strict=False):
        if isinstance(entry, int):
            items.append(entry)
        else:
            start, stop, step = entry
            items.append(
                slice(
                    start if start else None,
                    stop if stop < n else None,
                    step if step != 1 else None,
                )
            )
    while items and items[-1] == slice(None):
        items.pop()
    if len(items) == len(shape) and all(isinstance(i, int) for i in items):
        items.append(...)  # a view, where NumPy would give a scalar
    return tuple(items) or (...,)


def _subscript_text(key: Key, shape: Shape) -> str:
    words = []
    for item in basic_key(key, shape):
        if isinstance(item, slice):
            start, stop, step = (
                "" if v is None else str(v) for v in (item.start, item.stop, item.step)
            )
            words.append(f"{start}:{stop}" + (f":{step}" if step else ""))
        elif item is not ...:
            words.append(str(item))
    return ", ".join(words) or "..."


class part(Linear):
    """The part of an array that integers and slices name; a view."""

    params = ("key",)
    kernel = Kernel("part", lambda x, key: x[key], "{0}[{key}]", view=True)
    is_view = True
    torch_name = "Slice"

    @classmethod
    def infer(cls, x: Any, key: Key) -> tuple[Shape, dtype]:
        return part_shape(x.shape, key), x.dtype

    def implementation(self) -> tuple[Kernel, Mapping[str, Any], tuple[ArrayExpr, ...]]:
        key = basic_key(self.key, self.operands[0].shape)
        return self.kernel, {"key": key}, self.operands

    def transpose(self, ct: ArrayExpr) -> ArrayExpr:
        (x,) = self.operands
        return updated.of(zeros(x.shape, ct.dtype), ct, self.key)

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        return part.of(operands[0], ((0, size, 1), *self.key))

    def notation(self) -> Notation:
        text = _subscript_text(self.key, self.operands[0].shape)
        return Notation(f"{{0}}[{text}]", f"{{0}}\\left[{text}\\right]", Level.ATOM, (Level.ATOM,))

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(_X, (1,)), (_X, ((0, 2, 1), (0, 3, 2))), (_X, (0, 2)), (_X, ((1, 1, 1),))]


# `part` under the names of PyTorch's graph; `of` makes the plain operation.


class select(part):
    """One index along an axis."""

    torch_name = "Select"


class split(part):
    """One of the pieces of `split`."""

    torch_name = "Split"


class split_with_sizes(part):
    """One of the pieces of `split` into given lengths."""

    torch_name = "SplitWithSizes"


class unbind(part):
    """One of the slices of `unbind`."""

    torch_name = "Unbind"


def _updated(x, value, *, key):  # type: ignore[no-untyped-def]
    out = np.array(x)
    out[key] = value
    return out


class updated(Linear):
    """An array with other values at a basic key; `updated(zeros, ct, key)` is `part` transposed.

    The value is broadcast to the part.
    """

    params = ("key",)
    kernel = Kernel.from_function(_updated)
    torch_name = "SliceScatter"

    @classmethod
    def infer(cls, x: Any, value: Any, key: Key) -> tuple[Shape, dtype]:
        inner = part_shape(x.shape, key)
        if value.shape != inner:
            check_writable(value.shape, inner)
        return x.shape, x.dtype

    def compute_dtype(self) -> dtype | None:
        return self.dtype

    def implementation(self) -> tuple[Kernel, Mapping[str, Any], tuple[ArrayExpr, ...]]:
        key = basic_key(self.key, self.operands[0].shape)
        return self.kernel, {"key": key}, self.operands

    def transpose(self, ct: ArrayExpr) -> Sequence[ArrayExpr]:
        return updated.of(ct, Const(0), self.key), part.of(ct, self.key)

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        x, value = operands
        rank = len(part_shape(self.shape, self.key))
        if batched[1]:
            inner = value.shape[1:]
            value = reshape.of(value, (size, *(1,) * (rank - len(inner)), *inner))
        return updated.of(lifted(x, size, batched[0]), value, ((0, size, 1), *self.key))

    def notation(self) -> Notation:
        text = _subscript_text(self.key, self.shape)
        return Notation(
            f"updated({{0}}, {{1}}, {braces(repr(self.key))})",
            rf"\left. {{0}} \right|_{{{{\left[{text}\right] = {{1}}}}}}",
        )

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        row = np.array([0.5, -1.0, 2.0])
        return [
            (_X, row, (1,)),
            (_X, np.array(0.5), ((0, 2, 1), (0, 3, 2))),
            (_X, np.array([[1.5], [0.2]]), ((0, 2, 1), (1, 3, 1))),
        ]


class select_scatter(updated):
    """`updated` at one index of an axis."""

    torch_name = "SelectScatter"


def check_writable(shape: Shape, inner: Shape) -> None:
    """Raise PyTorch's error where a value of a shape cannot be written to a part."""
    trimmed = shape
    while len(trimmed) > len(inner) and trimmed[0] == 1:
        trimmed = trimmed[1:]
    lead = len(inner) - len(trimmed)
    if lead < 0 or any(n not in (1, inner[lead + i]) for i, n in enumerate(trimmed)):
        for i in range(1, min(len(trimmed), len(inner)) + 1):
            if trimmed[-i] not in (1, inner[-i]):
                raise RuntimeError(
                    f"The expanded size of the tensor ({inner[-i]}) must match the existing size "
                    f"({trimmed[-i]}) at non-singleton dimension {len(inner) - i}.  Target sizes: "
                    f"{list(inner)}.  Tensor sizes: {list(shape)}"
                )
        raise RuntimeError(
            f"shape mismatch: value tensor of shape {list(shape)} cannot be broadcast to indexing "
            f"result of shape {list(inner)}"
        )


# -- arrays of indices ---------------------------------------------------------------------------


class Layout(NamedTuple):
    """Where the axes of `index`'s result come from.

    Attributes
    ----------
    common : tuple of int
        The shape to which the indices are broadcast.
    position : int
        Where these axes stand in the result.
    kept : tuple of int
        The axes of the array that are not indexed.
    """

    common: Shape
    position: int
    kept: tuple[int, ...]


def layout_of(shape: Shape, indices: Sequence[Any], spec: Sequence[bool], counts: Any) -> Layout:
    """Return how `x[indices]` is laid out; IndexError where the indices do not fit."""
    kept: list[int] = []
    shapes: list[Shape] = []
    starts: list[int] = []
    ends: list[int] = []
    axis = 0
    remaining = iter(zip(indices, counts, strict=True))
    for taken in spec:
        if not taken:
            kept.append(axis)
            axis += 1
            continue
        x, count = next(remaining)
        starts.append(axis)
        if x.dtype is bool_:
            _check_mask(x.shape, shape, axis)
            shapes.append((count,))
            axis += len(x.shape)
        else:
            shapes.append(x.shape)
            axis += 1
        ends.append(axis)
    if axis > len(shape):
        raise IndexError(f"too many indices for tensor of dimension {len(shape)}")
    kept += range(axis, len(shape))
    try:
        common = broadcast_shapes(*shapes)
    except RuntimeError:
        listed = ", ".join(str(list(s)) for s in shapes)
        raise IndexError(
            f"shape mismatch: indexing tensors could not be broadcast together with shapes {listed}"
        ) from None
    adjacent = all(a == b for a, b in zip(ends, starts[1:], strict=False))
    position = sum(1 for a in kept if a < starts[0]) if adjacent else 0
    return Layout(common, position, tuple(kept))


def _check_mask(mask: Shape, shape: Shape, axis: int) -> None:
    for i, n in enumerate(mask):
        if axis + i >= len(shape):
            raise IndexError(f"too many indices for tensor of dimension {len(shape)}")
        if n != shape[axis + i]:
            raise IndexError(
                f"The shape of the mask {list(mask)} at index {i} does not match the shape of the "
                f"indexed tensor {list(shape)} at index {axis + i}"
            )


def _indexed_shape(shape: Shape, layout: Layout) -> Shape:
    rest = tuple([shape[a] for a in layout.kept])
    return (*rest[: layout.position], *layout.common, *rest[layout.position :])


def _index(x, *indices, spec):  # type: ignore[no-untyped-def]
    given = iter(indices)
    # NumPy lays the indexed axes out first in memory, wherever they stand.
    return np.asarray(x[tuple(next(given) if taken else slice(None) for taken in spec)], order="C")


def _index_put(x, value, *indices, spec, accumulate):  # type: ignore[no-untyped-def]
    out = np.array(x, order="C")
    given = iter(indices)
    key = tuple(next(given) if taken else slice(None) for taken in spec)
    if not accumulate:
        out[key] = value
    elif out.dtype == object:
        np.add.at(out, key, value)  # type: ignore[arg-type]
    else:
        # Positions in flat memory: where they are one-dimensional, NumPy adds at full speed.
        places = np.arange(out.size).reshape(out.shape)[key]
        np.add.at(
            out.reshape(-1), places.reshape(-1), np.broadcast_to(value, places.shape).reshape(-1)
        )
    return out


class Fixed(Primitive, abstract=True):
    """An operation that is linear in its first operands; the others are indices."""

    #: How many operands it is linear in.
    linear: ClassVar[int] = 1

    def jvp(self, tangents: Sequence[ArrayExpr | None]) -> ArrayExpr | None:
        moved = list(zip(tangents, self.operands, strict=True))[: self.linear]
        if all(t is None for t, _ in moved):
            return None
        filled = [zeros(x.shape, x.dtype) if t is None else t for t, x in moved]
        return self.with_operands([*filled, *self.operands[self.linear :]])


def _is_masks(indices: Sequence[Any]) -> bool:
    return all(x.dtype is bool_ for x in indices)


class index(Fixed):
    """The elements that arrays of indices and masks name.

    `spec` says which axes are indexed, `counts` how many elements each mask chooses (0 for an
    array of integers): shapes do not depend on values.
    """

    params = ("spec", "counts")
    kernel = Kernel.from_function(_index)

    @classmethod
    def infer(cls, x: Any, *rest: Any) -> tuple[Shape, dtype]:
        *indices, spec, counts = rest
        return _indexed_shape(x.shape, layout_of(x.shape, indices, spec, counts)), x.dtype

    def implementation(self) -> tuple[Kernel, Mapping[str, Any], tuple[ArrayExpr, ...]]:
        return self.kernel, {"spec": self.spec}, self.operands

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Sequence[ArrayExpr | None]:
        x, *indices = self.operands
        if not needs[0]:
            return (None,) * len(needs)
        back = index_put.of(
            zeros(x.shape, ct.dtype), ct, *indices, self.spec, self.counts, not _is_masks(indices)
        )
        return (back, *[None] * len(indices))

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        layout = layout_of(self.operands[0].shape, self.operands[1:], self.spec, self.counts)
        new = _batched(size, operands, batched, self.spec, self.counts, layout)
        made = index.of(new.x, *new.indices, new.spec, new.counts)
        return permute.of(made, tuple(int(a) for a in np.argsort(new.axes)))

    def notation(self) -> Notation:
        words = _key_words(self.spec, 1)
        return Notation(
            f"{{0}}[{words}]",
            f"{{0}}\\left[{words}\\right]",
            Level.ATOM,
            (Level.ATOM,) + (0,) * (len(self.operands) - 1),
        )

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        two = np.array([[0], [2]])
        return [
            (_X, _J, (True,), (0,)),
            (_X, np.array([2, 0, 0, 1]), (False, True), (0,)),
            (_CUBE, two, np.array([3, 0, 1]), (True, True), (0, 0)),
            (_CUBE, np.array([2, 0]), np.array([1, 0]), (True, False, True), (0, 0)),
            (_X, _MASK, (True,), (3,)),
            (_CUBE, np.array([True, False, True]), np.array([3, 0]), (True, True), (2, 0)),
        ]


def _key_words(spec: Sequence[bool], first: int) -> str:
    words, operand = [], first
    for taken in spec:
        words.append(f"{{{operand}}}" if taken else ":")
        operand += taken
    return ", ".join(words)


class Batched(NamedTuple):
    """An `index` over a new leading axis.

    Attributes
    ----------
    x, indices, spec, counts
        Its operands and parameters.
    axes : list of int
        For each axis of its result, which axis of the wanted result it is.
    """

    x: ArrayExpr
    indices: list[ArrayExpr]
    spec: tuple[bool, ...]
    counts: tuple[int, ...]
    axes: list[int]


def _batched(
    size: int,
    operands: Sequence[ArrayExpr],
    batched: Sequence[bool],
    spec: tuple[bool, ...],
    counts: tuple[int, ...],
    layout: Layout,
) -> Batched:
    x, *indices = operands
    has = batched[1:]
    x = lifted(x, size, batched[0])
    common, rest, p = len(layout.common), len(layout.kept), layout.position
    inner = [*range(1, 1 + p), *range(1 + p + common, 1 + rest + common)]
    places = [*range(1 + p, 1 + p + common)]
    if not any(has):
        full = (False, *spec)
        q = layout_of(x.shape, indices, full, counts).position
        kept = [0, *inner]
        return Batched(x, indices, full, counts, [*kept[:q], *places, *kept[q:]])
    # The rows of the batch are one more index, and each mask that has rows names its places.
    arrays: list[ArrayExpr] = [as_expr(np.arange(size).reshape((size,) + (1,) * common))]
    sizes = [0]
    full = (True,)
    remaining = iter(zip(indices, has, counts, strict=True))
    for taken in spec:
        if not taken:
            full += (False,)
            continue
        i, own, count = next(remaining)
        found = [i]
        if i.dtype is bool_ and own:
            found = [true_places.of(i, a, count, 1) for a in range(i.ndim - 1)]
            count = 0  # they are integers now
        for j in found:
            if own:
                shape = (size, *(1,) * (common - j.ndim + 1), *j.shape[1:])
                j = reshape.of(j, shape)
            arrays.append(j)
            sizes.append(count)
            full += (True,)
    q = layout_of(x.shape, arrays, full, sizes).position
    return Batched(x, arrays, full, tuple(sizes), [*inner[:q], 0, *places, *inner[q:]])


def _true_places(mask, *, axis, number, lead):  # type: ignore[no-untyped-def]
    return np.nonzero(mask)[lead + axis].reshape((*mask.shape[:lead], number))


class true_places(Primitive):
    """Where a mask holds: the indices along one of its axes.

    The first `lead` axes are rows, in each of which the mask holds `number` times.
    """

    params = ("axis", "number", "lead")
    kernel = Kernel.from_function(_true_places)
    internal = True
    differentiable = False

    @classmethod
    def infer(cls, mask: Any, axis: int, number: int, lead: int) -> tuple[Shape, dtype]:
        return (*mask.shape[:lead], number), int64

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Sequence[ArrayExpr | None]:
        return (None,)

    def jvp(self, tangents: Sequence[ArrayExpr | None]) -> ArrayExpr | None:
        return None

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        return true_places.of(operands[0], self.axis, self.number, self.lead + 1)

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(_MASK, 1, 3, 0), (_MASK[:, ::-1], 0, 3, 0), (np.array([[True], [True]]), 0, 1, 1)]


class index_put(Fixed):
    """An array with other values, or values added, where arrays of indices and masks say.

    The value is broadcast to the shape that indexing gives. Where an index is repeated without
    `accumulate`, the last value stays.
    """

    params = ("spec", "counts", "accumulate")
    kernel = Kernel.from_function(_index_put)
    linear = 2

    @classmethod
    def infer(cls, x: Any, value: Any, *rest: Any) -> tuple[Shape, dtype]:
        *indices, spec, counts, _ = rest
        if value.dtype.is_complex and not x.dtype.is_complex:
            raise RuntimeError(
                "Index put requires the source and destination dtypes match, got "
                f"{x.dtype.scalar_name} for the destination and {value.dtype.scalar_name} for the "
                "source."
            )
        inner = _indexed_shape(x.shape, layout_of(x.shape, indices, spec, counts))
        if value.shape != inner:
            _check_put(value.shape, inner)
        return x.shape, x.dtype

    def implementation(self) -> tuple[Kernel, Mapping[str, Any], tuple[ArrayExpr, ...]]:
        return self.kernel, {"spec": self.spec, "accumulate": self.accumulate}, self.operands

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Sequence[ArrayExpr | None]:
        indices = self.operands[2:]
        in_x: ArrayExpr | None = ct
        if needs[0] and not self.accumulate:
            in_x = index_put.of(ct, Const(0), *indices, self.spec, self.counts, False)
        in_value = index.of(ct, *indices, self.spec, self.counts) if needs[1] else None
        return (in_x, in_value, *[None] * len(indices))

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        x, value, *indices = operands
        base = self.operands[0].shape
        layout = layout_of(base, self.operands[2:], self.spec, self.counts)
        inner = _indexed_shape(base, layout)
        if batched[1]:
            value = reshape.of(
                value, (size, *(1,) * (len(inner) - value.ndim + 1), *value.shape[1:])
            )
        value = broadcast_to.of(value, (size, *inner))
        new = _batched(
            size, (x, *indices), (batched[0], *batched[2:]), self.spec, self.counts, layout
        )
        value = permute.of(value, tuple(new.axes))
        return index_put.of(new.x, value, *new.indices, new.spec, new.counts, self.accumulate)

    def notation(self) -> Notation:
        holes = ", ".join(f"{{{i}}}" for i in range(len(self.operands)))
        sign = "+=" if self.accumulate else "="
        words = _key_words(self.spec, 2)
        return Notation(
            f"index_put({holes}, spec={self.spec!r}, counts={self.counts!r}, "
            f"accumulate={self.accumulate!r})",
            rf"\left. {{0}} \right|_{{{{\left[{words}\right] {sign} {{1}}}}}}",
        )

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        row = np.array([0.5, -1.0, 2.0])
        return [
            (_X, row, np.array([1]), (True,), (0,), False),
            (_X, row, np.array([1, 1, 0]), (True,), (0,), True),
            (_X, row, _MASK, (True,), (3,), False),
            (_X, np.array(0.5), np.array([2, 0]), (False, True), (0,), False),
            (_CUBE, np.ones((2, 4)), np.array([2, 0]), np.array([1, 1]), (True, False, True),
             (0, 0), True),
        ]  # fmt: skip


def _check_put(shape: Shape, inner: Shape) -> None:
    lead = len(inner) - len(shape)
    if lead < 0:
        if all(n == 1 for n in shape[:-lead]) and not lead > 0:
            shape, lead = shape[-lead:], 0
        else:
            lead = -1
    if lead < 0 or any(n not in (1, inner[lead + i]) for i, n in enumerate(shape)):
        raise RuntimeError(
            f"shape mismatch: value tensor of shape {list(shape)} cannot be broadcast to indexing "
            f"result of shape {list(inner)}"
        )


# -- reading a subscript -------------------------------------------------------------------------


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
    if item is None or item is Ellipsis or isinstance(item, (bool, np.bool_, slice)):
        return np.array(item) if isinstance(item, (bool, np.bool_)) else item
    if isinstance(item, (int, np.integer)):
        return int(item)
    if _is_array(item):
        kind = getattr(item, "dtype", None)
        values = data_of(item)
        if not item.shape and values is not None and values.dtype.kind in "iu":
            return int(values)
        if isinstance(item, Const) and type(item.value) is int:
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

    def plain(x: Any) -> Any:
        if isinstance(x, (list, tuple, range)):
            return [plain(y) for y in x]
        values = data_of(x)
        return x if values is None else values

    found = np.array([plain(x) for x in stack])
    if not found.size:
        return found.astype(np.int64)
    if found.dtype.kind not in "iub":
        if found.dtype.kind in "US":
            raise TypeError("new(): invalid data type 'str'")
        raise IndexError("tensors used as indices must be long, int, byte or bool tensors")
    return found if found.dtype == bool else found.astype(np.int64)


def _bound(value: Any, default: int) -> int:
    if value is None:
        return default
    values = data_of(value)
    if values is not None and values.size == 1 and values.dtype.kind in "iu":
        return int(values.reshape(())[()])
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(
            "slice indices must be integers or None or have an __index__ method"
        ) from None


def slice_entry(item: slice, n: int) -> tuple[int, int, int]:
    """Return a slice of `n` elements with its ends worked out; the step must be positive."""
    step = _bound(item.step, 1)
    if step == 0:
        raise ValueError("slice step cannot be zero")
    if step < 0:
        raise ValueError("step must be greater than zero")
    start, stop, _ = slice(_bound(item.start, 0), _bound(item.stop, n), step).indices(n)
    return start, max(start, stop), step


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
    warnings.warn(
        "Using a non-tuple sequence for multidimensional indexing is deprecated and will be "
        "changed in pytorch 2.9; use x[tuple(seq)] instead of x[seq]. In pytorch 2.9 this will be "
        "interpreted as tensor index, x[torch.tensor(seq)], which will result either in an error "
        "or a different result",
        UserWarning,
        stacklevel=4,
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
    if not shape and any(isinstance(i, (int, slice)) for i in items):
        if isinstance(next(i for i in items if isinstance(i, (int, slice))), slice):
            raise IndexError("slice() cannot be applied to a 0-dim tensor.")
        raise IndexError(
            "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or "
            "`tensor.item<T>()` in C++ to convert a 0-dim tensor to a number"
        )
    used = 0
    for i in items:
        if isinstance(i, (int, slice)):
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
    for i in items:
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
        elif isinstance(i, int):
            n = shape[axis]
            if not -n <= i < n:
                raise IndexError(f"index {i} is out of bounds for dimension {axis} with size {n}")
            steps.append(("select", len(expanded), i % n))
            basic.append(i % n)
        elif isinstance(i, slice):
            n = shape[axis]
            entry = slice_entry(i, n)
            if entry != (0, n, 1) or not isinstance(key, tuple):
                steps.append(("slice", len(expanded), entry))
            basic.append(entry)
            expanded.append(_length(entry))
            spec.append(False)
        else:
            mask = _is_mask(i)
            if mask and not i.shape:  # a 0-d mask chooses along a new axis
                steps.append(("none", len(expanded)))
                expanded.append(1)
                i = i.reshape(1)
                spec.append(True)
            elif mask:
                _check_mask(i.shape, (*expanded, *shape[axis:]), len(expanded))
                for n in shape[axis : axis + len(i.shape)]:
                    basic.append((0, n, 1))
                    expanded.append(n)
                spec.append(True)
            else:
                _check_bounds(i, shape[axis], len(indices))
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
    values = data_of(x)
    if values is None or not values.size:
        return
    wrong = values[(values < -n) | (values >= n)]
    if wrong.size:
        raise IndexError(
            f"index {wrong.flat[0]} is out of bounds for dimension {axis} with size {n}"
        )


def counted(indices: Sequence[Any]) -> tuple[list[Any], tuple[int, ...]]:
    """Return the indices as operands, and how many elements each mask chooses."""
    operands, counts = [], []
    for i in indices:
        if not _is_mask(i):
            operands.append(i)
            counts.append(0)
            continue
        values = data_of(i)
        if values is None:
            raise IndexError(
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
            kind, axis, *rest = step
            if kind == "none":
                x = _unsqueeze(x, axis)
            else:
                full = [(0, n, 1) for n in x.shape[:axis]]
                x = bind(select if kind == "select" else part, (x,), ((*full, *rest),))
        return x
    if found.basic:
        x = part.of(x, found.basic)
    return reshape.of(x, found.expanded)


def _getitem(self: Any, key: Any) -> Any:
    """Return the elements that `key` names, as PyTorch's tensors do."""
    found = resolve(key, tuple(self.shape))
    x = view_of(self, found)
    if not found.indices:
        return bind(alias, (self,)) if x is self else x
    operands, counts = counted(found.indices)
    return bind(index, (x, *operands), (found.spec, counts))


public("__getitem__", function=False, method=False, operators=("__getitem__",))(_getitem)


def check_value(shape: Shape, found: Subscript) -> None:
    """Raise PyTorch's error where a value of a shape cannot be written to what a key names."""
    if not found.indices:
        check_writable(shape, found.expanded)
        return
    operands, counts = counted(found.indices)
    layout = layout_of(found.expanded, operands, found.spec, counts)
    _check_put(shape, _indexed_shape(found.expanded, layout))


def setitem(base: Any, key: Any, value: Any, put: Callable[..., Any] = bind) -> Any:
    """Return `base` with `value` at `key`: what `base[key] = value` would leave, out of place.

    Parameters
    ----------
    base, value : Tensor or ArrayExpr
        The value is broadcast to what `base[key]` gives, and converted to the dtype of `base`.
    key
        Anything that may stand in a subscript.
    put : callable
        What is applied as `bind` is to the operation that writes.
    """
    found = resolve(key, tuple(base.shape))
    inner = part_shape(tuple(base.shape), found.basic)
    if not found.indices:
        value = fitted(value, found.expanded)
        if len(getattr(value, "shape", ())) and found.expanded != inner:
            spread = np.broadcast_to if isinstance(value, np.ndarray) else _expand
            value = spread(value, found.expanded).reshape(inner)
        return put(updated, (base, value), (found.basic,))
    operands, counts = counted(found.indices)
    if found.basic or found.expanded != tuple(base.shape):
        x = bind(part, (base,), (found.basic,)) if found.basic else base
        x = x.reshape(found.expanded)
        x = put(index_put, (x, value, *operands), (found.spec, counts, False))
        return put(updated, (base, x.reshape(inner)), (found.basic,))
    return put(index_put, (base, value, *operands), (found.spec, counts, False))


def fitted(value: Any, shape: Shape) -> Any:
    """Drop leading axes of length one that the target does not have."""
    own = tuple(getattr(value, "shape", ()))
    while len(own) > len(shape) and own[0] == 1:
        own = own[1:]
    return value if own == tuple(getattr(value, "shape", ())) else value.reshape(own)


# -- functions -----------------------------------------------------------------------------------


def _entry_key(shape: Shape, axis: int, entry: Entry) -> Key:
    return (*[(0, n, 1) for n in shape[:axis]], entry)


@public("select")
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
    axis = canonical_axis(dim, len(shape))
    i = _bound(index, 0)
    if not -shape[axis] <= i < shape[axis]:
        raise IndexError(
            f"select(): index {i} out of range for tensor of size {list(shape)} at dimension {dim}"
        )
    return bind(select, (input,), (_entry_key(shape, axis, i % shape[axis]),))


@public("narrow")
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
    n, first = shape[axis], _bound(start, 0)
    if length < 0:
        raise RuntimeError("narrow(): length must be non-negative.")
    if not -n <= first <= n:
        raise IndexError(
            f"start out of range (expected to be in range of [-{n}, {n}], but got {first})"
        )
    first = first + n if first < 0 else first
    if first + length > n:
        raise RuntimeError(f"start ({first}) + length ({length}) exceeds dimension size ({n}).")
    return bind(cls, (input,), (_entry_key(shape, axis, (first, first + length, 1)),))


@public("select_scatter")
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
    axis = canonical_axis(dim, len(shape))
    i = _bound(index, 0)
    if not -shape[axis] <= i < shape[axis]:
        raise IndexError(
            f"select(): index {i} out of range for tensor of size {list(shape)} at dimension {dim}"
        )
    return bind(select_scatter, (input, src), (_entry_key(shape, axis, i % shape[axis]),))


@public("slice_scatter")
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
    axis = canonical_axis(dim, len(shape))
    entry = slice_entry(slice(start, end, step), shape[axis])
    return bind(updated, (input, src), (_entry_key(shape, axis, entry),))


@public("index_put", method=True)
def _index_put_function(input: Any, indices: Any, values: Any, accumulate: bool = False) -> Any:
    """Return `input` with `values` where `indices` say; added with `accumulate`.

    Parameters
    ----------
    indices : tuple
        Integer or bool arrays; None for an axis that is not indexed.

    Examples
    --------
    >>> import symgrad as torch
    >>> where = (torch.tensor([0, 2, 0]),)
    >>> torch.index_put(torch.zeros(3), where, torch.tensor([1.0, 2.0, 3.0]), accumulate=True)
    tensor([4., 0., 2.])
    """
    shape = tuple(input.shape)
    if getattr(values, "dtype", input.dtype) is not input.dtype and hasattr(values, "shape"):
        raise RuntimeError(
            "Index put requires the source and destination dtypes match, got "
            f"{input.dtype.scalar_name} for the destination and {values.dtype.scalar_name} for the "
            "source."
        )
    found = resolve(tuple([slice(None) if i is None else i for i in indices]), shape)
    arrays = [np.array(s[2]) if s[0] == "select" else None for s in found.steps]
    if any(a is not None for a in arrays):  # 0-d tensors are indices here, not views
        indices = tuple([i if i is None or len(i.shape) else i.reshape(1) for i in indices])
        found = resolve(tuple([slice(None) if i is None else i for i in indices]), shape)
    operands, counts = counted(found.indices)
    return bind(index_put, (input, values, *operands), (found.spec, counts, bool(accumulate)))


def _iterate(self: Any) -> Any:
    if not self.shape:
        raise TypeError("iteration over a 0-d tensor")
    return iter(unbound(self, 0))


def unbound(x: Any, axis: int) -> tuple[Any, ...]:
    """Return the slices along an axis, one view each."""
    shape = tuple(x.shape)
    keys = [_entry_key(shape, axis, i) for i in range(shape[axis])]
    return numbered([bind(unbind, (x,), (key,)) for key in keys])


def numbered(results: Sequence[Any]) -> tuple[Any, ...]:
    """Let tensors know which result of one operation each is."""
    for i, x in enumerate(results):
        if not isinstance(x, ArrayExpr):
            x._output_nr = i
    return tuple(results)


public("__iter__", function=False, method=False, operators=("__iter__",))(_iterate)


@public("unbind")
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
