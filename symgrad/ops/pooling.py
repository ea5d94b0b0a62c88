"""Pooling over windows of the last axes: sums, means, and largest elements with their places.

How windows lie along an axis is a tuple: of (length, count, stride, padding, dilation), or of the
count alone for windows that divide the axis as evenly as may be (adaptive pooling), the i-th of
`count` from `i*n // count` up to `(i+1)*n / count`, rounded up.
"""

from __future__ import annotations

import functools
import math
from typing import Any, ClassVar

import numpy as np
import sympy

from numeric.kernel import Kernel
from symgrad.expr.dtypes import Category, dtype, int64, no_kernel, to_real
from symgrad.expr.escaping import latex_text
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import Notation, braces
from symgrad.expr.shapes import Shape
from symgrad.ops import symbols
from symgrad.ops.broadcasting import zeros
from symgrad.ops.composite import Composite
from symgrad.ops.convolution import keyword_latex
from symgrad.ops.gathering import gather, scatter_add
from symgrad.ops.primitive import Computation, Cotangents, Linear
from symgrad.ops.results import Several
from symgrad.ops.selection import definitions
from symgrad.ops.zeros import Zeros

#: How windows lie along each of the last axes.
Ways = tuple[tuple[int, ...], ...]

_LINE = np.array([[0.5, -1.0, 2.0, 0.25, 3.0], [1.0, 1.0, -2.0, 0.0, 0.75]])
_PLANE = np.cos(1.7 * np.arange(40.0)).reshape(2, 4, 5).round(2)


def counts(ways: Ways) -> Shape:
    """Return the number of windows along each axis."""
    return tuple([way[0] if len(way) == 1 else way[1] for way in ways])


def _members(n: int, way: Any) -> Any:
    # For each offset in windows of an axis of n elements, the windows that have it, and where.
    if len(way) == 1:
        (m,) = way
        begins = [i * n // m for i in range(m)]
        ends = [-(-(i + 1) * n // m) for i in range(m)]
        most = max([e - b for b, e in zip(begins, ends, strict=True)], default=0)
        pairs = [[(i, begins[i] + k) for i in range(m) if begins[i] + k < ends[i]] for k in range(most)]  # fmt: skip
    else:
        length, m, s, p, d = way
        pairs = [[(i, i * s + k * d - p) for i in range(m)] for k in range(length)]
        pairs = [[(i, j) for i, j in line if 0 <= j < n] for line in pairs]
    return [tuple(map(list, zip(*line, strict=True))) for line in pairs if line]


def _stepped(places: Any) -> Any:
    # A slice where places are evenly apart, which NumPy reads without a copy.
    step = places[1] - places[0] if len(places) > 1 else 1
    if step < 1 or places != list(range(places[0], places[-1] + 1, step)):
        return np.array(places)
    return slice(places[0], places[-1] + 1, step)


def _window_sum(x, *, ways):  # type: ignore[no-untyped-def]
    for a, way in enumerate(ways):
        axis = x.ndim - len(ways) + a
        before = (slice(None),) * axis
        m = way[0] if len(way) == 1 else way[1]
        total = np.zeros((*x.shape[:axis], m, *x.shape[axis + 1 :]), x.dtype)
        for windows, places in _members(x.shape[axis], way):
            total[(*before, _stepped(windows))] += x[(*before, _stepped(places))]
        x = total
    return x


def _window_spread(x, *, lengths, ways):  # type: ignore[no-untyped-def]
    for a, way in enumerate(ways):
        axis = x.ndim - len(ways) + a
        before = (slice(None),) * axis
        total = np.zeros((*x.shape[:axis], lengths[a], *x.shape[axis + 1 :]), x.dtype)
        for windows, places in _members(lengths[a], way):
            value, key = x[(*before, _stepped(windows))], (*before, _stepped(places))
            if len(set(places)) == len(places):
                total[key] += value
            else:
                np.add.at(total, key, value)
        x = total
    return x


class window_sum(Linear):
    """The sum of the elements in each window; what windows have outside counts as zero."""

    keeps_zeros = Zeros.ADDED
    internal = True
    params = ("ways",)
    ways: Ways
    kernel = Kernel.from_function(_window_sum, prelude=definitions(_members, _stepped))

    @classmethod
    def infer(cls, x: Any, ways: Ways) -> tuple[Shape, dtype]:
        return (*x.shape[: len(x.shape) - len(ways)], *counts(ways)), x.dtype

    def transposed(self, ct: ArrayExpr) -> ArrayExpr:
        return window_spread.of(ct, self.operands[0].shape[-len(self.ways) :], self.ways)

    samples = [
        (_LINE, ((2, 4, 1, 0, 1),)), (_LINE, ((3, 3, 2, 1, 2),)), (_LINE, ((3,),)),
        (_PLANE, ((2, 2, 2, 0, 1), (3, 3, 2, 1, 1))), (_PLANE, ((3,), (7,))),
    ]  # fmt: skip


class window_spread(Linear):
    """The number of each window added to all elements in it; `window_sum` transposed."""

    keeps_zeros = Zeros.ADDED
    internal = True
    params = ("lengths", "ways")
    lengths: Shape
    ways: Ways
    kernel = Kernel.from_function(_window_spread, prelude=definitions(_members, _stepped))

    @classmethod
    def infer(cls, x: Any, lengths: Shape, ways: Ways) -> tuple[Shape, dtype]:
        return (*x.shape[: len(x.shape) - len(ways)], *lengths), x.dtype

    def transposed(self, ct: ArrayExpr) -> ArrayExpr:
        return window_sum.of(ct, self.ways)

    samples = [
        (_LINE[:, :4], (5,), ((2, 4, 1, 0, 1),)), (_LINE[:, :3], (5,), ((3, 3, 2, 1, 2),)),
        (_LINE[:, :3], (5,), ((3,),)), (_PLANE[:, :2, :3], (4, 5), ((2, 2, 2, 0, 1), (3, 3, 2, 1, 1))),
        (_PLANE, (3, 3), ((4,), (5,))),
    ]  # fmt: skip


# ------------------------------------------------------------------ means


def _lengths(n: int, way: tuple[int, ...], padded: bool) -> list[int]:
    """Return how many elements each window of an axis has, those of the padding too if asked for."""
    found = [0] * (way[0] if len(way) == 1 else way[1])
    if len(way) > 1 and padded:
        length, m, s, p, d = way
        n, way = n + 2 * p, (length, m, s, 0, d)
    for windows, _ in _members(n, way):
        for i in windows:
            found[i] += 1
    return found


class Mean(Composite, abstract=True):
    """The mean of each window: its sum over the number of its elements."""

    @classmethod
    def taken(cls, x: Any, ways: Ways, padded: bool, divisor: int | None) -> Any:
        plane, total = x.shape[-len(ways) :], window_sum.of(x, ways)
        lengths = [_lengths(n, way, padded) for n, way in zip(plane, ways, strict=True)]
        count: Any = divisor
        if divisor is None and all(len(set(line)) < 2 for line in lengths):
            count = math.prod([line[0] for line in lengths if line])
        elif divisor is None:
            each = functools.reduce(np.multiply.outer, [np.array(line) for line in lengths])
            count = each if x.dtype is int64 else each.astype(to_real(x.dtype).numpy)
        if x.dtype.category < Category.FLOAT:
            return total.div(count, rounding_mode="trunc")
        return total / count


class avg_pool(Mean):
    """The mean of each window, with or without the zeros around, or the sum over a divisor."""

    internal = True
    params = ("ways", "padded", "divisor")
    ways: Ways
    padded: bool
    divisor: int | None

    @classmethod
    def composed(cls, x: Any, ways: Ways, padded: bool, divisor: int | None) -> Any:
        return cls.taken(x, ways, padded, divisor)

    @classmethod
    def infer(cls, x: Any, *rest: Any) -> tuple[Shape, dtype]:
        return window_sum.infer(x, rest[-3])

    def notation(self) -> Notation:
        said = list(_said(self.operands[0], self.ways))
        if not self.padded:
            said.append("count_include_pad=False")
        if self.divisor is not None:
            said.append(f"divisor_override={self.divisor}")
        return _called(f"avg_pool{len(self.ways)}d", said)

    samples = [
        (_LINE, ((2, 4, 1, 0, 1),), True, None), (_LINE, ((3, 3, 2, 1, 1),), False, None),
        (_PLANE, ((2, 3, 2, 1, 1), (3, 3, 2, 1, 1)), True, None),
        (_PLANE, ((2, 2, 2, 0, 1), (2, 3, 2, 0, 1)), True, 3),
    ]  # fmt: skip


class adaptive_avg_pool(Mean):
    """The mean of each of so many windows."""

    internal = True
    params = ("sizes",)
    sizes: Shape

    @classmethod
    def composed(cls, x: Any, sizes: Shape) -> Any:
        return cls.taken(x, tuple([(n,) for n in sizes]), False, None)

    @classmethod
    def infer(cls, x: Any, sizes: Shape) -> tuple[Shape, dtype]:
        return (*x.shape[: len(x.shape) - len(sizes)], *sizes), x.dtype

    def notation(self) -> Notation:
        return _called(f"adaptive_avg_pool{len(self.sizes)}d", [_joint(self.sizes)])

    samples = [(_LINE, (2,)), (_LINE, (5,)), (_PLANE, (2, 3))]


def _joint(value: tuple[int, ...]) -> str:
    return str(value[0] if len(set(value)) == 1 else value)


def _said(x: ArrayExpr, ways: Ways) -> list[str]:
    """Return how a call says how windows lie."""
    length, count, stride, padding, dilation = zip(*ways, strict=True)
    said = [_joint(length)]
    if stride != length:
        said.append(f"stride={_joint(stride)}")
    if any(padding):
        said.append(f"padding={_joint(padding)}")
    if any(d != 1 for d in dilation):
        said.append(f"dilation={_joint(dilation)}")
    plane = x.shape[-len(ways) :]
    if count != pooled_sizes(plane, length, stride, padding, dilation, False):
        said.append("ceil_mode=True")
    return said


def _called(name: str, said: list[str]) -> Notation:
    """Return the notation of a call of one array."""
    below = ", ".join(map(keyword_latex, said))
    latex = braces(rf"\operatorname{{{latex_text(name)}}}_{{{below}}}")
    return Notation(f"{name}({{0}}, {', '.join(said)})", latex + r"\left({0}\right)")


def pooled_sizes(
    plane: Shape, length: Shape, stride: Shape, padding: Shape, dilation: Shape, ceil: bool
) -> Shape:
    """Return the number of windows along each axis, with the last ones that reach beyond if asked."""
    found = []
    for n, k, s, p, d in zip(plane, length, stride, padding, dilation, strict=True):
        free = n + 2 * p - d * (k - 1) - 1
        count = free // s + 1
        if ceil:
            count = -(-free // s) + 1
            count -= (count - 1) * s >= n + p  # the last window begins inside, or before
        found.append(count)
    return tuple(found)


# ------------------------------------------------------------------ largest elements


def _windowed(x: Any, ways: Any) -> Any:
    # For each offset in windows, the elements there, and their places in the flattened plane. Where
    # a window has no such element, its nearest stands again.
    plane = x.shape[x.ndim - len(ways) :]
    lines = []
    for n, way in zip(plane, ways, strict=True):
        if len(way) == 1:
            (m,) = way
            begins = np.arange(m) * n // m
            ends = -(-(np.arange(m) + 1) * n // m)
            offsets = np.arange(max(ends - begins, default=0))[:, None]
            places = np.minimum(begins + offsets, ends - 1)
        else:
            length, m, s, p, d = way
            places = np.arange(m) * s - p + np.arange(length)[:, None] * d
            first = (np.arange(m) * s - p) % d  # the first one inside a window that begins before
            first = np.where(np.arange(m) * s - p < 0, first, np.arange(m) * s - p)
            reach = (n - 1 - places[0]) // d * d + places[0]
            places = np.clip(places, first, np.minimum(reach, places[-1]))
        lines.append(places)
    for offset in np.ndindex(*[len(line) for line in lines]):
        value, place = x, np.zeros((), np.int64)
        for a, (line, k) in enumerate(zip(lines, offset, strict=True)):
            chosen = line[k]
            before = (slice(None),) * (x.ndim - len(ways) + a)
            value = value[(*before, _stepped(chosen.tolist()))]
            place = place[..., None] * plane[a] + chosen
        yield value, place


def _largest_of_windows(x, *, ways):  # type: ignore[no-untyped-def]
    best = None
    for value, _ in _windowed(x, ways):
        best = np.array(value) if best is None else np.maximum(best, value, out=best)
    return best


def _located_in_windows(x, *, ways):  # type: ignore[no-untyped-def]
    best = places = None
    for value, place in _windowed(x, ways):
        if best is None:
            best, places = np.array(value), np.array(np.broadcast_to(place, value.shape))
            continue
        # As in PyTorch, the last nan is found, and the first of other equal elements.
        larger = ((value > best) | (value != value)).astype(bool)
        np.copyto(best, value, where=larger)
        np.copyto(places, np.broadcast_to(place, value.shape), where=larger)  # type: ignore[arg-type]
    return best, places


_SEARCH = definitions(_stepped, _windowed)


def _of_formulas(find: Any) -> Any:
    def compute(x: Any, *, ways: Any) -> Any:
        found = list(_windowed(x, ways))
        out = np.empty(found[0][0].shape, object)
        for index in np.ndindex(*out.shape):
            # The same element may stand several times, at the edge.
            own = {int(p[index[len(index) - p.ndim :]]): v[index] for v, p in found}
            out[index] = find(own)
        return out

    return compute


_LARGEST = {"sympy": _of_formulas(lambda own: symbols.largest([*own.values()]))}
_PLACES = {
    "sympy": _of_formulas(
        lambda own: sum(  # the place of the first that is largest
            [
                place * _is_at(symbols.first_largest([*own.values()]), i)
                for i, place in enumerate(own)
            ]
        )
    )
}


def _is_at(place: Any, i: int) -> Any:
    return sympy.Piecewise((1, sympy.Eq(place, i)), (0, True))


class Largest(Several, abstract=True):
    """The largest element of each window, and its place in the flattened plane of the last axes.

    The element at the place gets the whole gradient although others may be equal.
    """

    internal = True
    results = ("result0", "result1")
    refuses = (Category.BOOL, Category.COMPLEX)
    #: The parameters as they are for the kernels.
    kernel = Kernel.from_function(
        _located_in_windows, prelude=_SEARCH, number_systems=symbols.together(_LARGEST, _PLACES)
    )
    values_kernel: ClassVar[Kernel] = Kernel.from_function(
        _largest_of_windows, prelude=_SEARCH, number_systems=_LARGEST
    )

    @property
    def all_ways(self) -> Ways:
        """How windows lie along each axis."""
        raise NotImplementedError(f"{type(self).__name__} states no all_ways")

    @classmethod
    def located(cls, x: Any, ways: Ways) -> tuple[Any, Any]:
        """Return shapes and dtypes of the results."""
        if len(x.shape) <= len(ways):
            raise RuntimeError(
                f"{cls.__name__} takes at least {len(ways) + 1} axes, but got {list(x.shape)}"
            )
        shape = (*x.shape[: len(x.shape) - len(ways)], *counts(ways))
        return (shape, shape), (x.dtype, int64)

    def implementation(self) -> Computation:
        return self.kernel, {"ways": self.all_ways}, self.operands

    def alone(self, index: int) -> Computation | None:
        return None if index else (self.values_kernel, {"ways": self.all_ways}, self.operands)

    def _flat(self, x: ArrayExpr) -> ArrayExpr:
        """Return an array with the last axes flattened."""
        rank = len(self.all_ways)
        made: ArrayExpr = x.reshape((*x.shape[: x.ndim - rank], math.prod(x.shape[x.ndim - rank :])))  # fmt: skip
        return made

    def vjp(self, cts: Cotangents, needs: Any) -> Cotangents:
        (x,), ct = self.operands, cts[0]
        assert ct is not None, "places have no derivative"
        rank, axis = len(self.all_ways), x.ndim - len(self.all_ways)
        whole = zeros((*x.shape[:axis], math.prod(x.shape[x.ndim - rank :])), ct.dtype)
        made = scatter_add.of(whole, self._flat(ct), self._flat(self[1]), axis)
        return (made.reshape(x.shape),)

    def jvp(self, tangents: Any) -> Any:
        (t,) = tangents
        if t is None:
            return None, None
        axis = t.ndim - len(self.all_ways)
        found = gather.of(self._flat(t), self._flat(self[1]), axis)
        return found.reshape(self.shapes[0]), None

    def batch(self, size: int, operands: Any, batched: Any) -> Any:
        made: Any = self.of(operands[0], *self.param_values)
        return list(made)


class max_pool(Largest):
    """The largest element of each window."""

    params = ("ways",)
    ways: Ways

    @classmethod
    def refused(cls, kind: dtype) -> Exception:
        return no_kernel("max_pool2d", kind)

    @classmethod
    def infer(cls, x: Any, ways: Ways) -> tuple[Any, Any]:
        cls.refuse(x.dtype)
        return cls.located(x, ways)

    @property
    def all_ways(self) -> Ways:
        return self.ways

    def notation(self) -> Notation:
        name = f"max_pool{len(self.ways)}d"
        found = _called(name, _said(self.operands[0], self.ways))
        return found._replace(text=found.text.replace(name, f"{name}_with_indices", 1))

    samples = [
        (_LINE, ((2, 4, 1, 0, 1),)), (_PLANE, ((2, 3, 2, 1, 1), (1, 3, 2, 0, 1))),
        (_LINE, ((2, 3, 2, 1, 2),)),
    ]  # fmt: skip


class adaptive_max_pool(Largest):
    """The largest element of each of so many windows."""

    params = ("sizes",)
    sizes: Shape

    @classmethod
    def infer(cls, x: Any, sizes: Shape) -> tuple[Any, Any]:
        return cls.located(x, tuple([(n,) for n in sizes]))

    @property
    def all_ways(self) -> Ways:
        return tuple([(n,) for n in self.sizes])

    def notation(self) -> Notation:
        name = f"adaptive_max_pool{len(self.sizes)}d"
        found = _called(name, [_joint(self.sizes)])
        return found._replace(text=found.text.replace(name, f"{name}_with_indices", 1))

    samples = [(_LINE, (2,)), (_PLANE, (4, 4)), (_LINE, (5,))]
