"""Parts of arrays that integers and slices name: read as views, or replaced.

`part` reads and `updated` writes, out of place; a key of them is a tuple, one entry for each axis.
Other keys of subscripts are in `subscripts`.
"""

from __future__ import annotations

import functools
import itertools
import operator
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import sympy

from numeric.kernel import Kernel
from numeric.rows import RowUse
from symgrad.expr.atoms import Const
from symgrad.expr.dtypes import dtype
from symgrad.expr.escaping import latex_text
from symgrad.expr.named_sizes import NamedSize
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import Notation, Precedence, braces
from symgrad.expr.shapes import Shape
from symgrad.ops import transforms
from symgrad.ops.broadcasting import broadcast_to, expanded_shape, is_zeros, lifted, zeros
from symgrad.ops.entries import Index, Indices, Reading, between, chosen, divided, fitted
from symgrad.ops.matrices import Matrices, MatrixReading
from symgrad.ops.operand_values import data_of
from symgrad.ops.primitive import Computation, Cotangents, Linear, Rows, bind
from symgrad.ops.reshaping import reshape
from symgrad.ops.results import Several
from symgrad.ops.samples import GRID
from symgrad.ops.zeros import Fill, Zeros

#: One entry of a basic key: an index, or (start, stop, step) of a slice with start <= stop.
Entry = int | tuple[int, int, int]
Key = tuple[Entry, ...]


def slice_length(entry: tuple[int, int, int]) -> int:
    """Return how many elements a slice names."""
    start, stop, step = entry
    return max(0, -((start - stop) // step))


def part_shape(shape: Shape, key: Key) -> Shape:
    """Return the shape of `x[key]`."""
    lengths = [slice_length(e) for e in key if isinstance(e, tuple)]
    return (*lengths, *shape[len(key) :])


def basic_key(key: Key, shape: Shape) -> tuple[Any, ...]:
    """Return a key as NumPy takes it; full slices at the end are left out."""
    items: list[Any] = []
    for entry, n in zip(key, shape, strict=False):
        if not isinstance(entry, tuple):
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


def check_key(key: Key, shape: Shape) -> None:
    """Raise ValueError for a key with places that an array of a shape has not."""
    for entry, n in zip(key, shape, strict=False):
        start, stop = entry[:2] if isinstance(entry, tuple) else (entry, entry + 1)
        if not 0 <= start <= stop <= n:
            raise ValueError(f"the part from {start} to {stop} lies outside an axis of size {n}")


def without_places(shape: Shape, key: Key) -> tuple[Any, tuple[int, ...]] | None:
    """Return what is left of a key without the places that it names, and these.

    An index leaves None, a slice its length and step; a whole axis stays. None where arrays of
    indices cannot say the same: those that name places stand beside each other, and at most one of
    them is a slice.
    """
    pattern: list[Any] = []
    places: list[int] = []
    axes: list[int] = []
    for axis, (entry, n) in enumerate(zip(key, shape, strict=False)):
        if not isinstance(entry, tuple):
            pattern.append(None)
            places.append(entry)
        elif entry == (0, n, 1):
            pattern.append(entry)
            continue
        else:
            pattern.append((slice_length(entry), entry[2]))
            places.append(entry[0])
        axes.append(axis)
    slices = [x for x in pattern if isinstance(x, tuple) and len(x) == 2]
    if not axes or axes[-1] - axes[0] >= len(axes) or len(slices) > 1:
        return None
    if not all(type(k) is int for k in places):  # a named size
        return None
    return tuple(pattern), tuple(places)


def _subscript_text(key: Key, shape: Shape) -> str:
    words = []
    for item, n in zip(basic_key(key, shape), (*shape, 0), strict=False):
        if isinstance(item, slice):
            start, stop = _place_text(item.start, n), _place_text(item.stop, n)
            words.append(f"{start}:{stop}" + (f":{item.step}" if item.step else ""))
        elif item is not ...:
            words.append(_place_text(item, n))
    return ", ".join(words) or "..."


def _place_text(place: Any, n: Any) -> str:
    """Return a place along an axis; near the end of a named one as it is counted from there."""
    if type(place) is NamedSize and type(place - n) is int:
        place = place - n
    return "" if place is None else str(place)


def _rows(operand_shapes: Sequence[Shape], params: Mapping[str, Any]) -> RowUse:
    """The row rule of a part: it has rows where it is one of each."""
    key = params["key"]
    return RowUse.LOCAL if type(key[0]) is slice and key[0] == slice(None) else RowUse.WHOLE


class part(Linear):
    """The part of an array that integers and slices name; a view."""

    nonnegative = "operands"
    keeps_zeros = Zeros.MOVED
    passes_factors = selects = True
    params = ("key",)
    kernel = Kernel("part", lambda x, key: x[key], "{0}[{key}]", view=True, rows=_rows)
    is_view = True
    without_places = staticmethod(without_places)

    @classmethod
    def infer(cls, x: Any, key: Key) -> tuple[Shape, dtype]:
        return part_shape(x.shape, key), x.dtype

    def check_sizes(self) -> None:
        check_key(self.key, self.operands[0].shape)

    def implementation(self) -> Computation:
        key = basic_key(self.key, self.operands[0].shape)
        return self.kernel, {"key": key}, self.operands

    def entry(self, index: Index, b: Indices) -> Reading:
        (x,) = self.operands
        rest = iter(index)
        inner = [k[0] + k[2] * next(rest) if isinstance(k, tuple) else k for k in self.key]
        return (yield x, [*inner, *rest])

    def matrix(self, m: Matrices) -> MatrixReading:
        (x,) = self.operands
        key = [*self.key, *[(0, n, 1) for n in x.shape[len(self.key) :]]]
        return m.sliced((yield x), key, self.shape)

    def transposed(self, ct: ArrayExpr) -> ArrayExpr:
        (x,) = self.operands
        return updated.of(zeros(x.shape, ct.dtype), ct, self.key)

    @classmethod
    def vjp_of_all(cls, nodes: Sequence[Any], cts: Sequence[ArrayExpr]) -> ArrayExpr:
        found: ArrayExpr = transforms.assembled.call(
            nodes[0].operands[0].shape, [y.key for y in nodes], cts
        )
        return found

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        return part.of(operands[0], ((0, size, 1), *self.key))

    def notation(self) -> Notation:
        text = _subscript_text(self.key, self.operands[0].shape)
        shown = braces(latex_text(text))
        return Notation(
            f"{{0}}[{text}]", f"{{0}}\\left[{shown}\\right]", Precedence.ATOM, (Precedence.ATOM,)
        )

    samples = [(GRID, (1,)), (GRID, ((0, 2, 1), (0, 3, 2))), (GRID, (0, 2)), (GRID, ((1, 1, 1),))]


class Pieces(Several, abstract=True):
    """The pieces of an array along one axis: views, each of which is a `part` in formulas."""

    is_view = True
    is_one_of_views = True
    axis: int

    @classmethod
    def keys(cls, shape: Shape, *params: Any) -> list[Key]:
        """Return the key of each piece of an array of a shape."""
        raise NotImplementedError(f"{cls.__name__} states no keys()")

    @classmethod
    def infer(cls, x: Any, *params: Any) -> tuple[Any, Any]:
        keys = _keys(cls, x.shape, params)
        return tuple([part_shape(x.shape, key) for key in keys]), (x.dtype,) * len(keys)

    def __getitem__(self, index: Any) -> ArrayExpr:
        (x,) = self.operands
        return part(x, _keys(type(self), x.shape, self.param_values)[index])

    def implementation(self) -> Computation:
        (x,) = self.operands
        keys = [basic_key(key, x.shape) for key in _keys(type(self), x.shape, self.param_values)]
        return _PIECES, {"keys": tuple(keys)}, self.operands

    def vjp(self, cts: Cotangents, needs: Sequence[bool]) -> Cotangents:
        (x,) = self.operands
        keys = _keys(type(self), x.shape, self.param_values)
        found = [(key, ct) for key, ct in zip(keys, cts, strict=True) if ct is not None]
        return (transforms.assembled.call(x.shape, *zip(*found, strict=True)),)

    def batch(
        self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]
    ) -> Sequence[ArrayExpr]:
        return [y.batch(size, operands, batched) for y in self]


def _keys(cls: Any, shape: Shape, params: tuple[Any, ...]) -> list[Key]:
    """Return the keys of all pieces, remembered, since each result asks for them."""
    return _found_keys(cls, shape, params)


@functools.lru_cache(maxsize=64)
def _found_keys(cls: Any, shape: Shape, params: tuple[Any, ...]) -> list[Key]:
    found: list[Key] = cls.keys(shape, *params)
    return found


_PIECES = Kernel(
    "pieces", lambda x, keys: tuple([x[key] for key in keys]),
    "tuple({0}[key] for key in {keys})", view=True,
)  # fmt: skip


class split(Pieces):
    """Pieces of one length along an axis, of which the last may be shorter."""

    params = ("split_size", "axis")

    @classmethod
    def keys(cls, shape: Shape, *params: Any) -> list[Key]:
        size, axis = params
        n = shape[axis]
        begins = range(0, n, size or 1) if n else [0]
        return [entry_key(shape, axis, (i, min(i + size, n), 1)) for i in begins]

    samples = [(GRID, 2, 1), (GRID, 1, 0), (GRID, 5, 1)]


class split_with_sizes(Pieces):
    """Pieces of given lengths along an axis."""

    params = ("split_sizes", "axis")

    @classmethod
    def keys(cls, shape: Shape, *params: Any) -> list[Key]:
        sizes, axis = params
        ends = list(itertools.accumulate(sizes))
        return [
            entry_key(shape, axis, (end - n, end, 1)) for n, end in zip(sizes, ends, strict=True)
        ]

    samples = [(GRID, (1, 2), 1), (GRID, (2, 0), 0)]


class unbind(Pieces):
    """The slices along an axis, without that axis."""

    params = ("axis",)

    @classmethod
    def keys(cls, shape: Shape, *params: Any) -> list[Key]:
        (axis,) = params
        return [entry_key(shape, axis, i) for i in range(shape[axis])]

    samples = [(GRID, 0), (GRID, 1)]


def pieces(cls: type[Pieces], x: Any, params: tuple[Any, ...], face: Any = None) -> tuple[Any, ...]:
    """Return the pieces of a tensor or an expression."""
    found = bind(cls, (x,), params, face)
    if isinstance(found, Several):
        return tuple([part.of(*y.operands, *y.param_values) for y in found])
    return tuple(found)


def _updated(x, value, *, key):  # type: ignore[no-untyped-def]
    out = np.array(x)
    out[key] = value
    return out


def _set_part(x, value, *, key):  # type: ignore[no-untyped-def]
    x[key] = value
    return x


class updated(Linear):
    """An array with other values at a basic key; `updated(zeros, ct, key)` is `part` transposed.

    The value is broadcast to the part.
    """

    keeps_zeros = Zeros.MOVED
    params = ("key",)
    layout = "first"
    kernel = Kernel.from_function(_updated, overwriting=_set_part)
    converts = True

    @classmethod
    def infer(cls, x: Any, value: Any, key: Key) -> tuple[Shape, dtype]:
        inner = part_shape(x.shape, key)
        if value.shape != inner:
            check_writable(value, inner)
        return x.shape, x.dtype

    def check_sizes(self) -> None:
        check_key(self.key, self.operands[0].shape)

    def implementation(self) -> Computation:
        key = basic_key(self.key, self.operands[0].shape)
        return self.kernel, {"key": key}, self.operands

    @property
    def has_blocks(self) -> bool:
        return bool(self.operands[1].shape == part_shape(self.shape, self.key))

    def as_fill(self) -> Fill | None:
        (base, value), key, shape = self.operands, self.key, self.shape
        if is_zeros(base) and value.shape == part_shape(shape, key):
            return Fill(
                1,
                lambda b: part.of(broadcast_to.of(b, shape), key),
                lambda v: updated.of(zeros(shape, v.dtype), v, key),
            )
        return Fill(0, None, lambda v: updated.of(v, Const(0), key)) if is_zeros(value) else None

    def rows(self, of: Rows) -> Sequence[ArrayExpr] | None:
        x, value = self.operands
        found, (first, *rest) = of(x), self.key
        if found is None or value.shape != part_shape(self.shape, self.key):
            return None
        is_one = not isinstance(first, tuple)
        parts = [value] if is_one else of(value)
        if parts is None:
            return None
        made = list(found)
        for i, row in zip([first] if is_one else range(*first), parts, strict=True):
            made[i] = updated.of(made[i], row, tuple(rest)) if rest else row
        return made

    def entry(self, index: Index, b: Indices) -> Reading:
        x, value = self.operands
        conditions, inner = [], []
        for k, i in zip(self.key, index, strict=False):
            if not isinstance(k, tuple):
                conditions.append(sympy.Eq(i, k))
                continue
            start, stop, step = k
            place, left = divided(i - start, step)
            conditions += [between(start, i, stop), sympy.Eq(left, 0)]
            inner.append(place)
        inner += index[len(self.key) :]
        there = sympy.And(*conditions), value, fitted(inner, value.shape)
        return (yield from chosen([there, (True, None if is_zeros(x) else x, index)]))

    def transposed(self, ct: ArrayExpr) -> Sequence[ArrayExpr]:
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
        pads = self._pads()
        if pads:
            shown = braces(rf"\operatorname{{pad}}_{{{', '.join(map(str, pads))}}}")
            return Notation(f"pad({{1}}, {pads})", shown + r"\left({1}\right)")
        return Notation(self._text(), rf"\left. {{0}} \right|_{{{{\left[{text}\right] = {{1}}}}}}")

    def _one_axis(self) -> int | None:
        """Return the axis along which a whole part is put in one place; None if it is not so."""
        value, key = self.operands[1], self.key
        changed = [a for a, k in enumerate(key) if k != (0, self.shape[a], 1)]
        is_whole = value.shape == part_shape(self.shape, key) and value.dtype is self.dtype
        return changed[0] if len(changed) == 1 and is_whole else None

    def _pads(self) -> tuple[int, ...] | None:
        """Return the widths of the zeros around a value, from the last axis on; None if elsewhere."""
        base, value = self.operands
        is_whole = value.shape == part_shape(self.shape, self.key) and value.dtype is self.dtype
        if not is_whole or not is_zeros(base):
            return None
        widths: list[int] = []
        for n, k in zip(self.shape, self.key, strict=False):
            if not isinstance(k, tuple) or k[2] != 1:
                return None
            if widths or k != (0, n, 1):
                widths = [k[0], n - k[1], *widths]
        return (*(0, 0) * (len(self.shape) - len(self.key)), *widths) if widths else None

    def _text(self) -> str:
        """Return a template of a public call, which puts a whole part at one place of one axis."""
        axis = self._one_axis()
        if axis is None:
            return self.call_text()
        place = self.key[axis]
        if not isinstance(place, tuple):
            return f"select_scatter({{0}}, {{1}}, {axis}, {place})"
        start, stop, step = place
        by = f", {step}" * (step != 1)
        return f"slice_scatter({{0}}, {{1}}, {axis}, {start}, {stop}{by})"

    samples = [
        (GRID, np.array([0.5, -1.0, 2.0]), (1,)),
        (GRID, np.array(0.5), ((0, 2, 1), (0, 3, 2))),
        (GRID, np.array([[1.5], [0.2]]), ((0, 2, 1), (1, 3, 1))),
    ]


def check_writable(value: Any, inner: Shape) -> None:
    """Raise PyTorch's error where a value cannot be written to a part of a shape."""
    shape = value.shape
    lead = next((i for i, n in enumerate(shape) if n != 1), len(shape))
    expanded_shape(shape[lead:], value.dtype, inner)


def as_index(value: Any, default: int) -> int:
    """Return an index as a Python number; `default` for None."""
    if value is None:
        return default
    if value.__class__ is int or value.__class__ is NamedSize:
        return value
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
    step = as_index(item.step, 1)
    if step == 0:
        raise ValueError("slice step cannot be zero")
    if step < 0:
        raise ValueError("step must be greater than zero")
    start, stop = as_index(item.start, 0), as_index(item.stop, n)
    if NamedSize in (type(start), type(stop), type(n)):
        start, stop = [min(max(k + n if k < 0 else k, 0), n) for k in (start, stop)]
    else:
        start, stop, _ = slice(start, stop, step).indices(n)
    return start, max(start, stop), step


def entry_key(shape: Shape, axis: int, entry: Entry) -> Key:
    """Return the key of an entry along one axis."""
    return (*[(0, n, 1) for n in shape[:axis]], entry)


def unbound(x: Any, axis: int) -> tuple[Any, ...]:
    """Return the slices along an axis, one view each."""
    return pieces(unbind, x, (axis,)) if x.shape[axis] else ()
