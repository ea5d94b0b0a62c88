"""Reading and writing the elements that arrays of indices and masks name, out of place.

How a subscript is read, which may have slices beside them, is in `subscripts`; what takes indices
along one axis is in `gathering`.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any, NamedTuple

import numpy as np
import sympy
from sympy.logic.boolalg import Boolean

from numeric.kernel import Kernel
from symgrad.expr.atoms import ArrayConst, Const, as_expr
from symgrad.expr.dtypes import bool_, dtype, int64
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import Notation, Precedence
from symgrad.expr.shapes import Shape, broadcast_shapes, size_of
from symgrad.ops import symbols
from symgrad.ops.arithmetic import add
from symgrad.ops.broadcasting import broadcast_to, is_zeros, lifted, repeated_text, zeros
from symgrad.ops.entries import Index, Indices, NoEntry, Reading, delta, fitted, sum_over
from symgrad.ops.kinds import Fixed
from symgrad.ops.permuting import inverted, permute
from symgrad.ops.primitive import Computation, Cotangents, Primitive
from symgrad.ops.reshaping import reshape
from symgrad.ops.samples import GRID
from symgrad.ops.totals import ACCUMULATED, _accumulated
from symgrad.ops.zeros import Fill, Zeros

_CUBE = np.arange(24.0).reshape(3, 4, 2)
_J = np.array([1, 0, 1])
_MASK = np.array([[True, False, True], [False, False, True]])


class Layout(NamedTuple):
    """Where the axes of `index`'s result come from.

    Attributes
    ----------
    common : tuple of int
        The shape to which the indices are broadcast.
    position : int
        Where these axes stand in the result.
    unindexed : tuple of int
        The axes of the array that are not indexed.
    """

    common: Shape
    position: int
    unindexed: tuple[int, ...]


def layout_of(shape: Shape, indices: Sequence[Any], spec: Sequence[bool], counts: Any) -> Layout:
    """Return how `x[indices]` is laid out; IndexError where the indices do not fit."""
    unindexed: list[int] = []
    shapes: list[Shape] = []
    starts: list[int] = []
    ends: list[int] = []
    axis = 0
    remaining = iter(zip(indices, counts, strict=True))
    for taken in spec:
        if not taken:
            unindexed.append(axis)
            axis += 1
            continue
        x, count = next(remaining)
        starts.append(axis)
        if x.dtype.name == "bool":  # of a constant mask it is NumPy's
            check_mask(x.shape, shape, axis)
            shapes.append((count,))
            axis += len(x.shape)
        else:
            shapes.append(x.shape)
            axis += 1
        ends.append(axis)
    if axis > len(shape):
        raise IndexError(f"too many indices for tensor of dimension {len(shape)}")
    unindexed += range(axis, len(shape))
    try:
        common = broadcast_shapes(*shapes)
    except RuntimeError:
        listed = ", ".join(str(list(s)) for s in shapes)
        raise IndexError(
            f"shape mismatch: indexing tensors could not be broadcast together with shapes {listed}"
        ) from None
    adjacent = all(a == b for a, b in zip(ends, starts[1:], strict=False))
    position = sum(1 for a in unindexed if a < starts[0]) if adjacent else 0
    return Layout(common, position, tuple(unindexed))


def check_mask(mask: Shape, shape: Shape, axis: int) -> None:
    """Raise PyTorch's error where a mask does not fit the axes from `axis` on."""
    for i, n in enumerate(mask):
        if axis + i >= len(shape):
            raise IndexError(f"too many indices for tensor of dimension {len(shape)}")
        if n != shape[axis + i]:
            raise IndexError(
                f"The shape of the mask {list(mask)} at index {i} does not match the shape of the "
                f"indexed tensor {list(shape)} at index {axis + i}"
            )


def indexed_shape(shape: Shape, layout: Layout) -> Shape:
    """Return the shape of what indices name in an array of a shape."""
    rest = tuple([shape[a] for a in layout.unindexed])
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
        # NumPy adds fastest at one-dimensional positions, those in flat memory.
        places = np.arange(out.size).reshape(out.shape)[key]
        _accumulated(out, places, value)
    return out


def _index_formulas(x: Any, *indices: Any, spec: Any) -> Any:
    places = symbols.known(indices)
    if places is not None:
        return _index(x, *places, spec=spec)  # type: ignore[no-untyped-call]
    found = {
        place: symbols.chosen(x, options)
        for place, options in symbols.by_indices(x.shape, indices, spec, _index)
    }
    out = np.empty(np.add(list(found)[-1], 1) if found else (0,), object)
    for place, value in found.items():
        out[place] = value
    return out


def _index_put_formulas(x: Any, value: Any, *indices: Any, spec: Any, accumulate: bool) -> Any:
    places = symbols.known(indices)
    out = np.array(x)
    if places is not None and accumulate and any(map(_is_truth, [*out.flat, *np.ravel(value)])):
        given = iter(places)
        key = tuple([next(given) if taken else slice(None) for taken in spec])
        out, values = [np.frompyfunc(_truth, 1, 1)(np.asarray(v)) for v in (out, value)]
        np.bitwise_or.at(out, key, values)  # type: ignore[arg-type]
        return out
    if places is not None:
        return _index_put(x, value, *places, spec=spec, accumulate=accumulate)  # type: ignore[no-untyped-call]
    named = list(symbols.by_indices(x.shape, indices, spec, _index))
    shape = np.add(named[-1][0], 1) if named else (0,)
    values = np.broadcast_to(value, shape)
    for place, options in named:
        symbols.write(out, values[place], options, accumulate)
    return out


def _is_truth(x: Any) -> bool:
    """Return whether a formula is a condition; a symbol, of which SymPy does not say it, is none."""
    return isinstance(x, (bool, np.bool_, Boolean)) and not getattr(x, "is_Symbol", False)


def _truth(x: Any) -> Any:
    return x if _is_truth(x) else sympy.Ne(x, 0)


def names_each_once(indices: Sequence[Any]) -> bool:
    """Whether indices name no place twice: numbers, beside at most one array of known values."""
    if all(x.shape == () and x.dtype is not bool_ for x in indices):
        return True
    arrays = [x for x in indices if x.shape]
    (first, *others) = arrays
    if isinstance(first, add):  # all of them moved by one step
        found = [x for x in first.operands if x.shape]
        first = found[0] if len(found) == 1 else first
    if others or not isinstance(first, ArrayConst):
        return False
    places = first.value
    one_sign = not places.size or places.min() >= 0 or places.max() < 0
    return bool(places.ndim == 1 and one_sign and np.unique(places).size == places.size)


def _are_places(indices: Sequence[Any]) -> bool:
    """Whether indices are numbers, beside at most one range that begins at a number."""
    return names_each_once(indices) and all(not x.shape or isinstance(x, add) for x in indices)


def _has_mask(indices: Sequence[Any]) -> bool:
    return any(x.dtype is bool_ for x in indices)


def _is_masks(indices: Sequence[Any]) -> bool:
    return all(x.dtype is bool_ for x in indices)


def named_places(
    shape: Shape, indices: Sequence[ArrayExpr], spec: Sequence[bool], index: Index
) -> Generator[Any, Any, list[Any]]:
    """Return the place on each axis that arrays of integers name; None where an axis is whole.

    Yields what it reads of the arrays, as `Primitive.entry` does, at an index into all of them.
    """
    if _has_mask(indices):
        raise NoEntry  # which elements a mask chooses depends on its values
    inner: list[Any] = [None] * len(shape)
    remaining = iter(indices)
    for a, taken in enumerate(spec):
        if taken:
            x = next(remaining)
            place = yield x, fitted(index, x.shape)
            if not isinstance(x, ArrayConst) or (x.value.size and x.value.min() < 0):
                place = sympy.Mod(place, shape[a])  # those below zero count from the end
            inner[a] = place
    return inner


class index(Fixed):
    """The elements that arrays of indices and masks name.

    `spec` says which axes are indexed, `counts` how many elements each mask chooses (0 for an
    array of integers): shapes do not depend on values.
    """

    keeps_zeros = Zeros.MOVED
    selects = True
    params = ("spec", "counts")
    kernel = Kernel.from_function(_index, number_systems={"sympy": _index_formulas})

    @classmethod
    def infer(cls, x: Any, *rest: Any) -> tuple[Shape, dtype]:
        *indices, spec, counts = rest
        return indexed_shape(x.shape, layout_of(x.shape, indices, spec, counts)), x.dtype

    def implementation(self) -> Computation:
        return self.kernel, {"spec": self.spec}, self.operands

    def result_layout(self) -> str | tuple[int, ...]:
        x, *indices = self.operands
        common, position, unindexed = layout_of(x.shape, indices, self.spec, self.counts)
        return (*unindexed[:position], *[-1 for _ in common], *unindexed[position:])

    def entry(self, index: Index, b: Indices) -> Reading:
        x, *indices = self.operands
        layout = layout_of(x.shape, indices, self.spec, self.counts)
        start, stop = layout.position, layout.position + len(layout.common)
        inner = yield from named_places(x.shape, indices, self.spec, index[start:stop])
        rest = iter([*index[:start], *index[stop:]])
        return (yield x, [next(rest) if i is None else i for i in inner])

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        x, *indices = self.operands
        if not needs[0]:
            return (None,) * len(needs)
        back = index_put.of(
            zeros(x.shape, ct.dtype), ct, *indices, self.spec, self.counts,
            not (_is_masks(indices) or _are_places(indices)),
        )  # fmt: skip
        return (back, *[None] * len(indices))

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        layout = layout_of(self.operands[0].shape, self.operands[1:], self.spec, self.counts)
        new = _batched(size, operands, batched, self.spec, self.counts, layout)
        made = index.of(new.x, *new.indices, new.spec, new.counts)
        return permute.of(made, inverted(new.axes))

    def notation(self) -> Notation:
        words = _key_words(self.spec, 1)
        # The text of a subscript cannot say how many elements a mask chooses.
        text = self.call_text(True) if _has_mask(self.operands[1:]) else f"{{0}}[{words}]"
        return Notation(
            text,
            f"{{0}}\\left[{words}\\right]",
            Precedence.ATOM,
            (Precedence.ATOM,) + (0,) * (len(self.operands) - 1),
        )

    samples = [
        (GRID, _J, (True,), (0,)),
        (GRID, np.array([2, 0, 0, 1]), (False, True), (0,)),
        (_CUBE, np.array([[0], [2]]), np.array([3, 0, 1]), (True, True), (0, 0)),
        (_CUBE, np.array([2, 0]), np.array([1, 0]), (True, False, True), (0, 0)),
        (GRID, _MASK, (True,), (3,)),
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
    common, rest, p = len(layout.common), len(layout.unindexed), layout.position
    inner = [*range(1, 1 + p), *range(1 + p + common, 1 + rest + common)]
    places = [*range(1 + p, 1 + p + common)]
    if not any(has):
        full = (False, *spec)
        q = layout_of(x.shape, indices, full, counts).position
        unindexed = [0, *inner]
        return Batched(x, indices, full, counts, [*unindexed[:q], *places, *unindexed[q:]])
    # The rows of the batch become one more index. A mask that is batched becomes the indices of its
    # true elements.
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
            count = 0  # the truth values have become integers
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
    return np.ascontiguousarray(np.nonzero(mask)[lead + axis]).reshape((*mask.shape[:lead], number))


def _true_place_formulas(mask: Any, *, axis: int, number: int, lead: int) -> Any:
    out = np.empty((*mask.shape[:lead], number), object)
    places = [place[axis] for place in np.ndindex(mask.shape[lead:])]
    for row in np.ndindex(mask.shape[:lead]):
        holds = [symbols.one_if(symbols.as_condition(c)) for c in mask[row].flat]
        before = [sympy.Add(*holds[:i]) for i in range(len(holds))]
        values = [i * c for i, c in zip(places, holds, strict=True)]
        for k in range(number):
            out[(*row, k)] = symbols.at_rank(values, before, k)
    return out


class true_places(Primitive):
    """The indices along one axis of the elements where a mask holds.

    The first `lead` axes are rows, in each of which the mask holds `number` times.
    """

    params = ("axis", "number", "lead")
    kernel = Kernel.from_function(_true_places, number_systems={"sympy": _true_place_formulas})
    internal = True
    differentiable = False

    @classmethod
    def infer(cls, mask: Any, axis: int, number: int, lead: int) -> tuple[Shape, dtype]:
        return (*mask.shape[:lead], number), int64

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        return true_places.of(operands[0], self.axis, self.number, self.lead + 1)

    samples = [(_MASK, 1, 3, 0), (_MASK[:, ::-1], 0, 3, 0), (np.array([[True], [True]]), 0, 1, 1)]


_ROW = np.array([0.5, -1.0, 2.0])


class index_put(Fixed):
    """An array with other values, or values added, where arrays of indices and masks say.

    The value is broadcast to the shape that indexing gives. Where an index is repeated without
    `accumulate`, the last value stays.
    """

    keeps_zeros = Zeros.MOVED
    params = ("spec", "counts", "accumulate")
    layout = "first"
    kernel = Kernel.from_function(
        _index_put, prelude=ACCUMULATED.prelude, number_systems={"sympy": _index_put_formulas}
    )
    linear = 2

    @classmethod
    def infer(cls, x: Any, value: Any, *rest: Any) -> tuple[Shape, dtype]:
        *indices, spec, counts, _ = rest
        if value.dtype.is_complex and not x.dtype.is_complex:
            raise unlike(x, value)
        inner = indexed_shape(x.shape, layout_of(x.shape, indices, spec, counts))
        if value.shape != inner:
            check_put(value.shape, inner)
        return x.shape, x.dtype

    def implementation(self) -> Computation:
        return self.kernel, {"spec": self.spec, "accumulate": self.accumulate}, self.operands

    def as_fill(self) -> Fill | None:
        base, value, *indices = self.operands
        spec, counts, accumulate = self.param_values
        if is_zeros(base):
            return Fill(
                1,
                lambda b: index.of(broadcast_to.of(b, self.shape), *indices, spec, counts),
                lambda v: index_put.of(
                    zeros(self.shape, v.dtype), v, *indices, spec, counts, accumulate
                ),
                accumulate and not names_each_once(indices),
            )
        if is_zeros(value) and not accumulate:
            return Fill(
                0, None, lambda v: index_put.of(v, Const(0), *indices, spec, counts, accumulate)
            )
        return None

    def entry(self, index: Index, b: Indices) -> Reading:
        x, value, *indices = self.operands
        layout = layout_of(x.shape, indices, self.spec, self.counts)
        alone = size_of(layout.common) == 1 or names_each_once(indices)
        if x.dtype is bool_ or not (self.accumulate or alone):
            raise NoEntry  # where a place is named twice, the last value counts
        over = b.bound(*layout.common)
        inner = yield from named_places(x.shape, indices, self.spec, over)
        here = sympy.Mul(*[delta(k, i) for k, i in zip(inner, index, strict=True) if k is not None])
        rest = [i for k, i in zip(inner, index, strict=True) if k is None]
        there = [*rest[: layout.position], *over, *rest[layout.position :]]
        total = sum_over((yield value, fitted(there, value.shape)) * here, *over)
        if is_zeros(x):
            return total
        base = yield x, index
        return total + (base if self.accumulate else base * (1 - sum_over(here, *over)))

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
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
        inner = indexed_shape(base, layout)
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
        sign = "+=" if self.accumulate else "="
        words = _key_words(self.spec, 2)
        value = repeated_text("{1}", self.operands[1], (), self.dtype)
        places = iter(range(2, len(self.operands)))
        given = [f"{{{next(places)}}}" if chosen else "None" for chosen in self.spec]
        listed = ", ".join(given) + "," * (len(given) == 1)
        return Notation(
            # The text of an index cannot say how many elements a mask chooses.
            self.call_text(True)
            if _has_mask(self.operands[2:])
            else f"index_put({{0}}, ({listed}), {value}{', accumulate=True' * self.accumulate})",
            rf"\left. {{0}} \right|_{{{{\left[{words}\right] {sign} {{1}}}}}}",
        )

    samples = [
        (GRID, _ROW, np.array([1]), (True,), (0,), False),
        (GRID, _ROW, np.array([1, 1, 0]), (True,), (0,), True),
        (GRID, _ROW, _MASK, (True,), (3,), False),
        (GRID, np.array(0.5), np.array([2, 0]), (False, True), (0,), False),
        (_CUBE, np.ones((2, 4)), np.array([2, 0]), np.array([1, 1]), (True, False, True),
         (0, 0), True),
    ]  # fmt: skip


def unlike(x: Any, value: Any) -> RuntimeError:
    """Return PyTorch's error for a value that has not the dtype of the array."""
    return RuntimeError(
        "Index put requires the source and destination dtypes match, got "
        f"{x.dtype.scalar_name} for the destination and {value.dtype.scalar_name} for the source."
    )


def check_put(shape: Shape, inner: Shape) -> None:
    """Raise PyTorch's error where a value of a shape cannot be put into what indices name."""
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
