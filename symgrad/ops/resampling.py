"""Images of another size: `resample`, and its transpose.

Along each axis, an element of the result is a weighted sum of a few elements of the input, the taps.
Which elements and which weights follow from the sizes alone, and from the way to choose them:
"nearest", "nearest of few", "middle", "linear", "cubic"; "tent", "bump" and "lanczos" are means over
all that an element of a smaller image stands for. A scale of 0 is none that was given.

The sums of many rows are products with matrices, which are kept for the sizes used last. Elements that
are far apart share no tap, so that a matrix consists of blocks around its diagonal; where few elements are
read at all, the others are left out before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
import sympy

from numeric.kernel import Kernel
from numeric.rows import local
from symgrad.expr.dtypes import Category, dtype
from symgrad.expr.escaping import latex_text
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import Notation, braces
from symgrad.expr.shapes import Shape
from symgrad.ops.primitive import Linear
from symgrad.ops.selection import definitions

_IMAGE = np.cos(1.7 * np.arange(24.0)).reshape(1, 2, 3, 4).round(2)

# ------------------------------------------------------------------ taps


def _step(length: int, made: int, scale: float, corners: bool, kind: Any) -> Any:
    # How far apart the elements of the result lie in the input, as PyTorch rounds it.
    if corners:
        return kind(length - 1) / kind(made - 1) if made > 1 else kind(0)
    return kind(1.0 / scale) if scale > 0 else kind(length) / kind(made)


def _nearest(length: int, made: int, scale: float, shift: float, kind: Any) -> Any:
    each = np.arange(made).astype(kind) + kind(shift)
    step = _step(length, made, scale, False, kind)
    found = np.floor((each * step).astype(np.float32)).astype(np.int64)
    return np.minimum(found, length - 1)


def _nearest_of_few(length: int, made: int, scale: float) -> Any:
    # What PyTorch takes in small images, where the lengths count more than the scale.
    if made in (length, 2 * length):
        return np.arange(made) // (made // length)
    return _nearest(length, made, scale, 0.0, np.float32)


def _parted(length: int, made: int, scale: float, corners: bool, kind: Any, low: float) -> Any:
    # The elements before the places of those of the result, and how far these lie beyond, up to 1.
    each = np.arange(made).astype(kind)
    step = _step(length, made, scale, corners, kind)
    if corners:
        places = step * each
    else:  # as processors do, and PyTorch with them: rounded once
        half = np.longdouble(0.5)
        places = np.longdouble(step) * (each + kind(0.5)).astype(np.longdouble) - half
    places = np.maximum(places.astype(kind), kind(low))
    before = np.minimum(np.floor(places).astype(np.int64), length - 1)
    return before, np.clip(places - before.astype(kind), 0, 1).astype(kind)


def cubic_weights(part: Any) -> list[Any]:
    """Return the weights of four neighbours, of which the place lies `part` beyond the second.

    References
    ----------
    R. Keys, "Cubic convolution interpolation for digital image processing" (1981), with a = -3/4.
    """
    a = -0.75

    def near(x: Any) -> Any:
        return ((a + 2) * x - (a + 3)) * x * x + 1

    def far(x: Any) -> Any:
        return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a

    return [far(part + 1), near(part), near(1 - part), far(2 - part)]


def _bump(way: str, x: Any) -> Any:
    x = np.abs(x)
    if way == "tent":
        return np.maximum(1 - x, 0)
    if way == "lanczos":
        return np.where(x < 3, np.sinc(x) * np.sinc(x / 3), 0)
    near = (1.5 * x - 2.5) * x * x + 1
    far = (((x - 5) * x + 8) * x - 4) * -0.5
    return np.where(x < 1, near, np.where(x < 2, far, 0))


def _means(length: int, made: int, scale: float, corners: bool, way: str, kind: Any) -> Any:
    # The taps of means under a bump, which is as wide as what an element stands for.
    step = _step(length, made, scale, corners, kind)
    reach = kind({"tent": 1, "bump": 2, "lanczos": 3}[way]) * max(step, kind(1))
    middle = step * (np.arange(made).astype(kind) + kind(0.5))
    first = np.maximum((middle - reach + kind(0.5)).astype(np.int64), 0)
    last = np.minimum((middle + reach + kind(0.5)).astype(np.int64), length)
    counts = np.clip(last - first, 0, int(np.ceil(reach)) * 2 + 1)
    places = first[:, None] + np.arange(max(counts, default=0))
    inside = places < (first + counts)[:, None]
    over = kind(1) / max(step, kind(1))
    weights = _bump(way, (places - middle[:, None] + kind(0.5)).astype(kind) * over)
    weights = np.where(inside, weights, 0).astype(kind)
    weights /= weights.sum(1, keepdims=True)
    return [(np.where(inside, places, -1)[:, k], weights[:, k]) for k in range(places.shape[1])]


def _taps(length: int, made: int, scale: float, corners: bool, way: str, kind: Any) -> Any:
    # For each tap: the element that each one of the result has there, -1 for none, and its weight;
    # a weight of None is 1.
    if way == "nearest":
        return [(_nearest(length, made, scale, 0.0, kind), None)]
    if way == "nearest of few":
        return [(_nearest_of_few(length, made, scale), None)]
    if way == "middle":
        return [(_nearest(length, made, scale, 0.5, kind), None)]
    if way == "linear":
        if length == made:
            return [(np.arange(made), None)]
        before, part = _parted(length, made, scale, corners, kind, 0.0)
        return [(before, 1 - part), (np.minimum(before + 1, length - 1), part)]
    if way == "cubic":
        before, part = _parted(length, made, scale, corners, kind, -np.inf)
        places = [np.clip(before + k, 0, length - 1) for k in (-1, 0, 1, 2)]
        return list(zip(places, cubic_weights(part), strict=True))
    return _means(length, made, scale, corners, way, kind)


def _read(length: int, made: int, scale: float, corners: bool, way: str, kind: Any) -> Any:
    # The elements that are read at all, where they are less than half, else None; and the taps, whose
    # places are among these.
    taps = _taps(length, made, scale, corners, way, kind)
    read = np.unique(np.concatenate([place for place, _ in taps]))
    read = read[read >= 0]
    if 2 * len(read) > length or taps[0][1] is None:
        return None, taps
    among = np.full(length + 1, -1)
    among[read] = np.arange(len(read))
    return read, [(among[place], weight) for place, weight in taps]


@lru_cache(maxsize=128)
def _blocks(length: int, made: int, scale: float, corners: bool, way: str, kind: Any, back: bool) -> Any:  # fmt: skip
    # The elements that are read, as above, and a list of (begin, end, first, last, matrix): elements
    # from `begin` to `end` of the result are the product of those from `first` to `last` with the
    # matrix. Where each is an element of the input, the places of these instead. `back` is the
    # transpose.
    chosen, taps = _read(length, made, scale, corners, way, kind)
    if taps[0][1] is None and not back:
        return chosen, taps[0][0]
    places = np.concatenate([place for place, _ in taps])
    ones = np.ones(made, kind)
    weights = np.concatenate([ones if weight is None else weight for _, weight in taps])
    results = np.tile(np.arange(made), len(taps))
    known = places >= 0
    read, write, weights = places[known], results[known], weights[known]
    sizes = (length if chosen is None else len(chosen), made)
    if back:
        read, write, sizes = write, read, sizes[::-1]
    # Where a result is shorter, an element of it reads more.
    wide, found = max(8, min(64, 64 * sizes[1] // sizes[0])), []
    for begin in range(0, sizes[1], wide):
        end = min(begin + wide, sizes[1])
        inside = (write >= begin) & (write < end)
        own = read[inside]
        first, last = (int(own.min()), int(own.max()) + 1) if own.size else (0, 0)
        matrix = np.zeros((last - first, end - begin), kind)
        np.add.at(matrix, (own - first, write[inside] - begin), weights[inside])
        found.append((begin, end, first, last, matrix))
    return chosen, found


# ------------------------------------------------------------------ kernels


def _product(x: Any, axis: int, blocks: Any) -> Any:
    # The product along an axis with a matrix that is given in blocks.
    outer, inner = int(np.prod(x.shape[:axis])), int(np.prod(x.shape[axis + 1 :]))
    made = blocks[-1][1]
    out = np.empty((*x.shape[:axis], made, *x.shape[axis + 1 :]), x.dtype)
    planes, to = x.reshape(outer, x.shape[axis], inner), out.reshape(outer, made, inner)
    for begin, end, first, last, matrix in blocks:
        if inner == 1:
            np.matmul(planes[:, first:last, 0], matrix, out=to[:, begin:end, 0])
        else:
            np.matmul(matrix.T, planes[:, first:last], out=to[:, begin:end])
    return out


def _sums(x: Any, axis: int, taps: Any) -> Any:
    # The weighted sums of elements along an axis, one tap after the other.
    shape, total = (-1,) + (1,) * (x.ndim - axis - 1), None
    for places, weights in taps:
        part = x.take(np.maximum(places, 0), axis)
        if weights is not None:
            part = part * weights.astype(x.dtype).reshape(shape)
        if (places < 0).any():
            part = np.where((places < 0).reshape(shape), np.zeros((), x.dtype), part)
        total = part if total is None else total + part
    return total


def _sums_back(x: Any, axis: int, length: int, taps: Any) -> Any:
    # Its transpose: each element of `x`, times its weight, is added at the place of the tap.
    out = np.zeros((length, *x.shape[:axis], *x.shape[axis + 1 :]), x.dtype)
    lines = np.moveaxis(x, axis, 0)
    for places, weights in taps:
        factors = np.ones(len(lines), int) if weights is None else weights.astype(x.dtype)
        for place, line, factor in zip(places, lines, factors, strict=True):
            if place >= 0:
                out[place] += line * factor
    return np.moveaxis(out, 0, axis)


def _runs_back(x: Any, axis: int, length: int, places: Any) -> Any:
    # The same of one element each, which stand in order: the sum of each run of `x`.
    before: Any = (slice(None),) * axis
    counts = np.bincount(places, minlength=length)
    begins, most = np.cumsum(counts) - counts, int(counts.max(initial=0))
    if (counts == most).all():
        total = x[(*before, slice(0, None, most))].copy()
        for k in range(1, most):
            total += x[(*before, slice(k, None, most))]
        return total
    end = np.zeros((*x.shape[:axis], 1, *x.shape[axis + 1 :]), x.dtype)
    x = np.concatenate([x, end], axis)
    total = x.take(np.where(counts > 0, begins, -1), axis)
    for k in range(1, most):
        total += x.take(np.where(counts > k, begins + k, -1), axis)
    return total


def _spread(x: Any, axis: int, length: int, chosen: Any) -> Any:
    # The elements at places that are chosen, among zeros.
    places = np.full(length, -1)
    places[chosen] = np.arange(len(chosen))
    zero = np.zeros((*x.shape[:axis], 1, *x.shape[axis + 1 :]), x.dtype)
    return np.concatenate([x, zero], axis).take(places, axis)


def _resample(x, *, sizes, scales, align_corners, way, to):  # type: ignore[no-untyped-def]
    kind, lead = np.float64 if to == np.float64 else np.float32, x.ndim - len(sizes)
    given = [
        (x.shape[lead + k], made, scales[k], align_corners, way, kind)
        for k, made in enumerate(sizes)
    ]
    y = x.astype(kind, copy=False)
    for k, how in enumerate(given):
        chosen, _ = _blocks(*how, False)
        y = y if chosen is None else y.take(chosen, lead + k)
    for k in reversed(range(len(sizes))):
        _, blocks = _blocks(*given[k], False)
        if isinstance(blocks, np.ndarray):
            y = y.take(blocks, lead + k)
        elif np.isfinite(y).all():
            y = _product(y, lead + k, blocks)
        else:  # an infinite element times zero is no number
            y = _sums(y, lead + k, _read(*given[k])[1])
    return y.astype(to, copy=False)


def _resample_back(x, *, lengths, scales, align_corners, way, to):  # type: ignore[no-untyped-def]
    kind, lead = np.float64 if to == np.float64 else np.float32, x.ndim - len(lengths)
    given = [
        (length, x.shape[lead + k], scales[k], align_corners, way, kind)
        for k, length in enumerate(lengths)
    ]
    y = x.astype(kind, copy=False)
    for k, length in enumerate(lengths):
        chosen, blocks = _blocks(*given[k], False)
        if isinstance(blocks, np.ndarray):
            y = _runs_back(y, lead + k, length, blocks)
        elif np.isfinite(y).all():
            y = _product(y, lead + k, _blocks(*given[k], True)[1])
        else:
            count = length if chosen is None else len(chosen)
            y = _sums_back(y, lead + k, count, _read(*given[k])[1])
    for k, length in enumerate(lengths):
        chosen, _ = _blocks(*given[k], False)
        y = y if chosen is None else _spread(y, lead + k, length, chosen)
    return y.astype(to, copy=False)


def _of_numbers(number: Callable[[float], Any]) -> Callable[..., Any]:
    """Return the kernel on arrays of other numbers, of which weights are made by `number`."""

    def compute(x: Any, *, sizes: Any, to: Any, **given: Any) -> Any:
        for k in reversed(range(len(sizes))):
            axis = x.ndim - len(sizes) + k
            x = _sums(x, axis, _exact_taps(x.shape[axis], sizes[k], k, to, number, **given))
        return x

    return compute


def _of_numbers_back(number: Callable[[float], Any]) -> Callable[..., Any]:
    def compute(x: Any, *, lengths: Any, to: Any, **given: Any) -> Any:
        for k, length in enumerate(lengths):
            axis = x.ndim - len(lengths) + k
            taps = _exact_taps(length, x.shape[axis], k, to, number, **given)
            x = _sums_back(x, axis, length, taps)
        return x

    return compute


def _exact_taps(
    length: int, made: int, k: int, to: Any, number: Callable[[float], Any], *,
    scales: Any, align_corners: bool, way: str,
) -> Any:  # fmt: skip
    kind = np.float64 if to == np.float64 else np.float32
    taps = _taps(length, made, scales[k], align_corners, way, kind)
    exact = np.frompyfunc(lambda weight: number(float(weight)), 1, 1)
    return [(place, None if weight is None else exact(weight)) for place, weight in taps]


def _fraction(weight: float) -> Any:
    """Return the simplest fraction that a weight, of single precision at least, is rounded from."""
    simple = Fraction(weight).limit_denominator(10**4)
    is_near = abs(float(simple) - weight) <= 2**-22 * abs(weight)
    return sympy.Rational(*(simple if is_near else Fraction(weight)).as_integer_ratio())


_IMPORT = ("from functools import lru_cache",)
_TAPS = definitions(
    _step, _nearest, _nearest_of_few, _parted, cubic_weights, _bump, _means, _taps, _read
)
_PRELUDE = definitions(
    _product, _sums, _sums_back, _runs_back, _spread,
    prelude=Kernel.from_function(_blocks, prelude=_TAPS, imports=_IMPORT).prelude,
)  # fmt: skip


# ------------------------------------------------------------------ operations


def is_unchanged(
    plane: Shape, sizes: Shape, scales: Any, align_corners: bool, way: str, to: Any
) -> bool:
    """Return whether the elements are those of the input, each in its place."""
    kind = np.float64 if to == np.float64 else np.float32
    for n, made, scale in zip(plane, sizes, scales, strict=True):
        _, blocks = _blocks(n, made, scale, align_corners, way, kind, False)
        if not isinstance(blocks, np.ndarray) or not np.array_equal(blocks, np.arange(n)):
            return False
    return True


def _mode(way: str, rank: int) -> str:
    """Return the mode of the public function that a way to choose taps is for."""
    return {
        "nearest": "nearest", "nearest of few": "nearest", "middle": "nearest-exact",
        "linear": ("linear", "bilinear", "trilinear")[rank - 1], "cubic": "bicubic",
        "tent": "bilinear", "bump": "bicubic", "lanczos": "lanczos",
    }[way]  # fmt: skip


class _Resampling(Linear, abstract=True):
    """Weighted sums along the last axes of images, of shape (samples, channels, *axes)."""

    internal = True
    real_params = ("scales",)
    kernel_takes_dtype = True
    refuses = (Category.BOOL, Category.INT, Category.COMPLEX)

    @classmethod
    def infer(cls, x: Any, *params: Any) -> tuple[Shape, dtype]:
        cls.refuse(x.dtype)
        lengths = params[0]
        return (*x.shape[: len(x.shape) - len(lengths)], *lengths), x.dtype

    def latex_call(self, above: str) -> str:
        """Return the template of the call in LaTeX, with what stands above its name."""
        lengths, *_, way = self.param_values
        below = f"{', '.join(map(str, lengths))}, {_mode(way, len(lengths))}"
        name = rf"\operatorname{{interpolate}}{above}_{{\mathrm{{{latex_text(below)}}}}}"
        return braces(name) + r"\left({0}\right)"

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        (x,) = operands
        made = self.of(x.reshape((size * x.shape[1], *x.shape[2:])), *self.param_values)
        return made.reshape((size, *self.shape))


class resample(_Resampling):
    """Images of another size, the elements of which are weighted sums of elements nearby."""

    params = ("sizes", "scales", "align_corners", "way")
    sizes: Shape
    scales: tuple[float, ...]
    align_corners: bool
    way: str
    kernel = Kernel.from_function(
        _resample, prelude=_PRELUDE, imports=_IMPORT, rows=local,
        number_systems={"sympy": _of_numbers(_fraction), "mpmath": _of_numbers(float)},
    )  # fmt: skip

    def transposed(self, ct: ArrayExpr) -> ArrayExpr:
        lengths = self.operands[0].shape[-len(self.sizes) :]
        return resample_back.of(ct, lengths, self.scales, self.align_corners, self.way)

    def notation(self) -> Notation:
        mode = _mode(self.way, len(self.sizes))
        size = f"scale_factor={self.scales}" if all(self.scales) else f"size={self.sizes}"
        said = [size, f"mode='{mode}'"]
        if self.align_corners:
            said.append("align_corners=True")
        if self.way in ("tent", "bump", "lanczos"):
            said.append("antialias=True")
        return Notation(f"interpolate({{0}}, {', '.join(said)})", self.latex_call(""))

    samples = [
        (_IMAGE, (5, 3), (0.0, 0.0), False, "linear"),
        (_IMAGE, (6, 8), (0.0, 0.0), True, "cubic"),
        (_IMAGE[0], (6,), (1.7,), False, "nearest"),
        (_IMAGE, (6, 7), (2.1, 1.9), False, "nearest of few"),
        (_IMAGE, (2, 3), (0.0, 0.0), False, "tent"),
        (_IMAGE[0], (3,), (0.0,), False, "middle"),
    ]  # fmt: skip


class resample_back(_Resampling):
    """The elements of resampled images added, times their weights, where they were taken from."""

    params = ("lengths", "scales", "align_corners", "way")
    lengths: Shape
    scales: tuple[float, ...]
    align_corners: bool
    way: str
    kernel = Kernel.from_function(
        _resample_back, prelude=_PRELUDE, imports=_IMPORT, rows=local,
        number_systems={"sympy": _of_numbers_back(_fraction), "mpmath": _of_numbers_back(float)},
    )  # fmt: skip

    def notation(self) -> Notation:
        return Notation(self.call_text(), self.latex_call(r"^{\mathsf{T}}"))

    def transposed(self, ct: ArrayExpr) -> ArrayExpr:
        sizes = self.operands[0].shape[-len(self.lengths) :]
        return resample.of(ct, sizes, self.scales, self.align_corners, self.way)

    samples = [
        (_IMAGE, (2, 3), (0.0, 0.0), False, "linear"),
        (_IMAGE, (5, 6), (0.0, 0.0), True, "cubic"),
        (_IMAGE, (2, 3), (1.7, 1.6), False, "nearest"),
        (_IMAGE, (5, 6), (0.0, 0.0), False, "bump"),
        (_IMAGE[0], (7,), (0.0,), False, "middle"),
    ]  # fmt: skip
