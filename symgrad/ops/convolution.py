"""Convolutions along any number of axes: one form in three arrays, of which each gives the other two.

Inputs `x` have the shape (samples, channels, *axes), outputs `y` the same with channels of their
own, and weights `w` the shape (channels of y, channels of x in a group, *axes). The number

    sum of y[n, o, i] * w[o, c, k] * x[n, c, stride * i + dilation * k - padding]

is linear in each of the three. The derivative with respect to `y` is `convolution`, with respect to
`x` is `convolution_transposed`, and with respect to `w` is `convolution_weight`. So the derivatives
of each of them are the other two. With `groups` the channels o and c are those of one group.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import sympy

from numeric.kernel import Kernel
from numeric.rows import RowUse
from symgrad.expr.dtypes import dtype, result_dtype
from symgrad.expr.escaping import latex_text
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import Notation, braces
from symgrad.expr.shapes import Shape
from symgrad.ops.broadcasting import zeros
from symgrad.ops.composite import Composite
from symgrad.ops.entries import (
    Index,
    Indices,
    Reading,
    between,
    chosen,
    delta,
    divided,
    sum_over,
)
from symgrad.ops.primitive import Cotangents, Primitive
from symgrad.ops.selection import definitions

# ------------------------------------------------------------------ kernels


def _product(numbers: Any) -> int:
    total = 1  # NumPy's takes longer for a few numbers
    for n in numbers:
        total *= n
    return total


def _windows(x: Any, kernel: Any, sizes: Any, stride: Any, padding: Any, dilation: Any) -> Any:
    # A view with the axes (samples, channels, *kernel, *sizes), of `x` among zeros where windows
    # reach beyond it; a negative padding cuts.
    steps = list(zip(kernel, sizes, stride, dilation, strict=True))
    lengths = [(m - 1) * s + (k - 1) * d + 1 for k, m, s, d in steps]
    if any(padding) or any(n < m for n, m in zip(x.shape[2:], lengths, strict=True)):
        given = list(zip(x.shape[2:], lengths, padding, strict=True))
        padded = np.zeros((*x.shape[:2], *lengths), x.dtype)
        inside = [slice(max(p, 0), max(p + n, 0)) for n, _, p in given]
        read = [slice(max(-p, 0), max(m - p, 0)) for _, m, p in given]
        padded[(..., *inside)] = x[(..., *read)]  # type: ignore[index]
        x = padded
    lead, rest = x.strides[:2], x.strides[2:]
    by_kernel = [r * d for r, d in zip(rest, dilation, strict=True)]
    by_place = [r * s for r, s in zip(rest, stride, strict=True)]
    shape, strides = (*x.shape[:2], *kernel, *sizes), (*lead, *by_kernel, *by_place)
    if x.flags.c_contiguous and x.size:  # five times as quick
        return np.ndarray(shape, x.dtype, x, 0, strides)
    return np.lib.stride_tricks.as_strided(x, shape, strides, writeable=False)


def _blocks(samples: int, lines: int, each: int) -> Any:
    # Slices of samples, and of lines along the first axis of the places, whose columns have about
    # 2**19 elements, `each` for a line: they stay in cache between the copy and the product.
    most = max(2**19 // max(each, 1), 1)
    some, few = max(most // max(lines, 1), 1), min(most, max(lines, 1))
    return [
        (slice(i, min(i + some, samples)), slice(j, min(j + few, lines)))
        for i in range(0, samples, some)
        for j in range(0, lines, few)
    ]


def _convolved(x: Any, w: Any, sizes: Any, stride: Any, padding: Any, dilation: Any, groups: int) -> Any:  # fmt: skip
    n, o, kernel = len(x), len(w), w.shape[2:]
    windows = _windows(x, kernel, sizes, stride, padding, dilation)
    rows, inner = _product(w.shape[1:]), _product(sizes[1:])
    weight = w.reshape(groups, o // groups, rows)
    out = np.empty((n, groups, o // groups, sizes[0] * inner), x.dtype)
    before = (slice(None),) * (1 + len(kernel))
    scratch = np.empty(0, x.dtype)
    for some, few in _blocks(n, sizes[0], groups * rows * inner):
        part = windows[(some, *before, few)]
        if scratch.size < part.size:
            scratch = np.empty(part.size, x.dtype)
        columns = scratch[: part.size].reshape(part.shape)
        np.copyto(columns, part)
        made = out[some, ..., few.start * inner : few.stop * inner]
        np.matmul(weight, columns.reshape(len(part), groups, rows, made.shape[-1]), out=made)
    return out.reshape((n, o, *sizes))


def _transposed(y: Any, w: Any, sizes: Any, stride: Any, padding: Any, dilation: Any, groups: int) -> Any:  # fmt: skip
    n, (o, per), kernel = len(y), w.shape[:2], w.shape[2:]
    # Where `y` has far more channels, its windows are more to copy than what columns add.
    if all(s == 1 for s in stride) and o <= 4 * groups * per:
        turned = w[(..., *[slice(None, None, -1)] * len(kernel))]
        turned = turned.reshape((groups, o // groups, per, *kernel)).swapaxes(1, 2)
        turned = turned.reshape((groups * per, o // groups, *kernel))
        low = [d * (k - 1) - p for k, d, p in zip(kernel, dilation, padding, strict=True)]
        return _convolved(y, turned, sizes, stride, low, dilation, groups)
    axes = list(zip(y.shape[2:], kernel, sizes, stride, padding, dilation, strict=True))
    lengths = [max((m - 1) * s + (k - 1) * d + 1, p + size) for m, k, size, s, p, d in axes]
    padded = np.zeros((n, groups * per, *lengths), y.dtype)
    rows, inner = per * _product(kernel), _product(y.shape[3:])
    weight = w.reshape(groups, o // groups, rows).swapaxes(1, 2)
    for some, few in _blocks(n, y.shape[2], groups * rows * inner):
        part = y[some, :, few]
        flat = part.reshape(len(part), groups, o // groups, part.shape[2] * inner)
        columns = np.matmul(weight, flat).reshape((len(part), groups * per, *kernel, *part.shape[2:]))  # fmt: skip
        first = [few.start, *[0] * (len(kernel) - 1)]
        for k in np.ndindex(*kernel):
            reached = [
                slice((a * s) + i * d, (a + m - 1) * s + i * d + 1, s)
                for a, m, i, s, d in zip(first, part.shape[2:], k, stride, dilation, strict=True)
            ]
            padded[(some, slice(None), *reached)] += columns[(slice(None), slice(None), *k)]
    inside = [slice(p, p + size) for p, size in zip(padding, sizes, strict=True)]
    return np.ascontiguousarray(padded[(..., *inside)])  # type: ignore[arg-type]


def _convolution(x, w, *, sizes, stride, padding, dilation, groups):  # type: ignore[no-untyped-def]
    return _convolved(x, w, sizes, stride, padding, dilation, groups)


def _convolution_transposed(y, w, *, sizes, stride, padding, dilation, groups):  # type: ignore[no-untyped-def]
    return _transposed(y, w, sizes, stride, padding, dilation, groups)


def _convolution_weight(x, y, *, sizes, stride, padding, dilation, groups):  # type: ignore[no-untyped-def]
    n, o, places = len(x), y.shape[1], y.shape[2:]
    windows = _windows(x, sizes, places, stride, padding, dilation)
    rows, inner = x.shape[1] // groups * _product(sizes), _product(places[1:])
    total = np.zeros((groups, o // groups, rows), x.dtype)
    before = (slice(None),) * (1 + len(sizes))
    for some, few in _blocks(n, places[0], groups * rows * inner):
        part = np.moveaxis(windows[(some, *before, few)], 0, 1 + len(sizes))
        columns = part.reshape(groups, rows, part.shape[1 + len(sizes)] * (few.stop - few.start) * inner)  # fmt: skip
        values = y[some, :, few].swapaxes(0, 1).reshape(groups, o // groups, columns.shape[-1])
        total += np.matmul(values, columns.swapaxes(1, 2))
    return total.reshape((o, x.shape[1] // groups, *sizes))


_FORWARD = definitions(_product, _windows, _blocks, _convolved)
_BACK = definitions(_product, _windows, _blocks, _convolved, _transposed)


def _by_samples(operand_shapes: Sequence[Shape], params: Mapping[str, Any]) -> RowUse:
    """The row rule of what is computed for each sample; the weight must not look like samples."""
    (n, *_), (m, *_), *_ = operand_shapes
    return RowUse.WHOLE if n == m else RowUse.LOCAL


def _over_samples(operand_shapes: Sequence[Shape], params: Mapping[str, Any]) -> RowUse:
    return RowUse.ACCUMULATE


# ------------------------------------------------------------------ primitives

#: The axes of inputs, outputs and weights before the others. A letter is a length: of the samples N,
#: of the groups g, of the channels C of inputs and O of outputs in each group.
_AXES = {"x": ("N", "gC"), "y": ("N", "gO"), "w": ("gO", "C")}


def _named(name: str, value: Any) -> str:
    """Return a parameter by keyword, of one number where this stands for all axes."""
    single = isinstance(value, tuple) and len(set(value)) == 1
    return f"{name}={value[0] if single else value}"


class Convolution(Primitive, abstract=True):
    """An operation on two of inputs, outputs and weights, which gives the third; see the module.

    `sizes` holds the lengths of the last axes of the result.
    """

    internal = True
    multilinear = True
    poles = ()
    converts = True
    params = ("sizes", "stride", "padding", "dilation", "groups")
    sizes: Shape
    stride: Shape
    padding: Shape
    dilation: Shape
    groups: int
    #: Which of `x`, `y` and `w` the operands are, and the result.
    roles: ClassVar[str]
    made: ClassVar[str]
    #: The operation that gives each of them.
    giving: ClassVar[dict[str, type[Convolution]]] = {}

    def __init_subclass__(cls, abstract: bool = False, **kwargs: Any) -> None:
        super().__init_subclass__(abstract=abstract, **kwargs)
        cls.giving.setdefault(cls.made, cls)

    @property
    def lengths(self) -> dict[str, int]:
        """The length that each letter of `_AXES` stands for."""
        shapes = {role: x.shape for role, x in zip(self.roles, self.operands, strict=True)}
        shapes[self.made] = self.shape
        found, g = {"g": self.groups}, self.groups
        for role, (first, second, *_) in shapes.items():
            parts = (first, second) if role != "w" else (first // g, second)
            names = (_AXES[role][0][-1], _AXES[role][1][-1])
            found |= dict(zip(names, parts, strict=True))
            if role != "w":
                found[names[1]] = second // g
        return found

    def _to(self, cls: type[Convolution], sizes: Shape, *operands: ArrayExpr) -> ArrayExpr:
        return cls.of(*operands, sizes, *self.param_values[1:])

    def _pulled(self, place: int, ct: ArrayExpr) -> ArrayExpr:
        """Return the cotangent of the operand at a place."""
        known = {role: _conj(x) for role, x in zip(self.roles, self.operands, strict=True)}
        wanted = self.roles[place]
        known[self.made] = ct
        cls = self.giving[wanted]
        operands = [known[role] for role in cls.roles]
        return self._to(cls, self.operands[place].shape[2:], *operands)

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        return [self._pulled(i, ct) if need else None for i, need in enumerate(needs)]

    def jvp(self, tangents: Sequence[ArrayExpr | None]) -> ArrayExpr | None:
        total: ArrayExpr | None = None
        for i, t in enumerate(tangents):
            if t is not None:
                term = self.with_operands([t if j == i else x for j, x in enumerate(self.operands)])
                total = term if total is None else total + term
        return total

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        if not size and all(batched):  # there are no groups, and the result is empty
            apart = [
                [x if i == j else zeros(y.shape, x.dtype) for j, x in enumerate(operands)]
                for i, y in enumerate(reversed(self.operands))
            ]
            parts = [self.batch(size, apart[i], [i == 0, i == 1]) for i in (0, 1)]
            return parts[0] + parts[1]
        # The new axis joins one of the letters. All arrays that have it also have that letter.
        having = {self.made, *[r for r, has in zip(self.roles, batched, strict=True) if has]}
        letters = [set("".join(_AXES[role])) for role in having]
        others = [set("".join(_AXES[role])) for role in _AXES if role not in having]
        (letter,) = set.intersection(*letters).difference(*others) if others else {"g"}
        lengths = self.lengths
        joined = [
            _joined(x, role, letter, size, lengths) if has else x
            for x, role, has in zip(operands, self.roles, batched, strict=True)
        ]
        sizes, *rest, groups = self.param_values
        made = self.of(*joined, sizes, *rest, groups * size if letter == "g" else groups)
        return _parted(made, self.made, letter, size, lengths, self.shape)

    # The index into an input that a place and an entry of the kernel meet at.
    def _met(self, place: Sequence[Any], k: Sequence[Any]) -> list[Any]:
        given = zip(place, k, self.stride, self.dilation, self.padding, strict=True)
        return [s * i + d * j - p for i, j, s, d, p in given]

    def _read_input(self, x: ArrayExpr, n: Any, c: Any, place: Sequence[Any]) -> Reading:
        """Return the element of an input at a place, which may lie outside."""
        inside = sympy.And(*[between(0, i, m) for i, m in zip(place, x.shape[2:], strict=True)])
        if not any(self.padding):
            inside = sympy.true
        return (yield from chosen([(inside, x, [n, c, *place]), (True, None, ())]))

    def _call(self) -> tuple[str, list[str]]:
        """Return the public function, and what is given by keyword."""
        given = {"stride": 1, "padding": 0, "dilation": 1}
        said = [
            _named(name, getattr(self, name))
            for name, usual in given.items()
            if any(value != usual for value in getattr(self, name))
        ]
        if self.groups != 1:
            said.append(f"groups={self.groups}")
        return f"conv{len(self.sizes)}d", said

    def notation(self) -> Notation:
        name, said = self._call()
        below = f"_{{{', '.join(map(keyword_latex, said))}}}" if said else ""
        operands = ", ".join([f"{{{i}}}" for i in range(len(self.operands))])
        called = braces(rf"\operatorname{{{latex_text(name)}}}{below}")
        text = ", ".join([operands, *map(braces, said)])
        return Notation(f"{name}({text})", rf"{called}\left({operands}\right)")


def keyword_latex(said: str) -> str:
    """Return what is given by keyword, or by place, as it stands below a name in LaTeX."""
    name, _, value = said.rpartition("=")
    word = rf"\mathrm{{{latex_text(name)}}}"
    if value in ("True", "False"):
        return word if value == "True" else rf"\neg {word}"
    return rf"{word} \, {value}" if name else value


def _conj(x: ArrayExpr) -> ArrayExpr:
    made: ArrayExpr = x.conj() if x.dtype.is_complex else x
    return made


def _joined(
    x: ArrayExpr, role: str, letter: str, size: int, lengths: Mapping[str, int]
) -> ArrayExpr:
    """Return an array whose first axis is joined to the axis of a letter, before it."""
    letters, rest = "".join(_AXES[role]), x.shape[3:]
    place = letters.index(letter)
    x = x.reshape((size, *[lengths[k] for k in letters], *rest))
    order = [*range(1, place + 1), 0, *range(place + 1, x.ndim)]
    first, second = [_length(ks, letter, size, lengths) for ks in _AXES[role]]
    made: ArrayExpr = x.permute(order).reshape((first, second, *rest))
    return made


def _parted(
    x: ArrayExpr, role: str, letter: str, size: int, lengths: Mapping[str, int], shape: Shape
) -> ArrayExpr:
    """Return what `_joined` gave for an array of a shape: that array."""
    letters = "".join(_AXES[role])
    place = letters.index(letter)
    split = [lengths[k] for k in letters]
    x = x.reshape((*split[:place], size, *split[place:], *shape[2:]))
    order = [place, *[i for i in range(x.ndim) if i != place]]
    made: ArrayExpr = x.permute(order).reshape((size, *shape))
    return made


def _length(letters: str, letter: str, size: int, lengths: Mapping[str, int]) -> int:
    return math.prod([lengths[k] for k in letters]) * (size if letter in letters else 1)


def _grid(*shape: int) -> Any:
    return np.cos(1.7 * np.arange(float(math.prod(shape)))).reshape(shape).round(2)


class convolution(Convolution):
    """Sums of products of windows of the input with each weight: the output."""

    roles, made = "xw", "y"
    kernel = Kernel.from_function(_convolution, prelude=_FORWARD, rows=_by_samples)

    @classmethod
    def infer(cls, x: Any, w: Any, sizes: Shape, *rest: Any) -> tuple[Shape, dtype]:
        return (x.shape[0], w.shape[0], *sizes), result_dtype((x, w))

    def entry(self, index: Index, b: Indices) -> Reading:
        x, w = self.operands
        n, o, *place = index
        c, *k = b.bound(*w.shape[1:])
        group, _ = divided(o, w.shape[0] // self.groups)
        inner = self._met(place, k)
        value = yield from self._read_input(x, n, group * w.shape[1] + c, inner)
        return sum_over(value * (yield w, [o, c, *k]), c, *k)

    samples = [
        (_grid(2, 2, 5), _grid(3, 2, 3), (3,), (1,), (0,), (1,), 1),
        (_grid(1, 4, 5), _grid(2, 2, 2), (4,), (2,), (2,), (2,), 2),
        (_grid(2, 1, 3, 4), _grid(2, 1, 2, 2), (2, 3), (1, 1), (0, 0), (1, 1), 1),
        (_grid(1, 1, 2, 3) + 1j, _grid(1, 1, 2, 2) - 2j, (3, 2), (1, 2), (1, 1), (1, 1), 1),
    ]


class convolution_transposed(Convolution):
    """Weights added where the windows of an input lie, each times an output: an input."""

    roles, made = "yw", "x"
    kernel = Kernel.from_function(_convolution_transposed, prelude=_BACK, rows=_by_samples)

    @classmethod
    def infer(cls, y: Any, w: Any, sizes: Shape, *rest: Any) -> tuple[Shape, dtype]:
        *_, groups = rest
        return (y.shape[0], w.shape[1] * groups, *sizes), result_dtype((y, w))

    def entry(self, index: Index, b: Indices) -> Reading:
        y, w = self.operands
        n, channel, *place = index
        rank, count = len(place), w.shape[0] // self.groups
        group, c = divided(channel, w.shape[1])
        o, *over = b.bound(count, *y.shape[2:], *w.shape[2:])
        i, k = over[:rank], over[rank:]
        o_in_all = group * count + o
        factors = [(yield y, [n, o_in_all, *i]), (yield w, [o_in_all, c, *k])]
        factors += [delta(m, j) for m, j in zip(self._met(i, k), place, strict=True)]
        return sum_over(sympy.Mul(*factors), o, *over)

    def _call(self) -> tuple[str, list[str]]:
        name, said = super()._call()
        return name.replace("conv", "conv_transpose"), [*said, *self._further()]

    def _further(self) -> list[str]:
        """Return what the public function is given beside, for a result of this size."""
        y, w = self.operands
        least = transposed_sizes(y.shape[2:], w.shape[2:], *self.param_values[1:4])
        further = tuple([n - m for n, m in zip(self.sizes, least, strict=True)])
        return [_named("output_padding", further)] if any(further) else []

    samples = [
        (_grid(2, 3, 3), _grid(3, 2, 3), (5,), (1,), (0,), (1,), 1),
        (_grid(1, 2, 4), _grid(2, 2, 2), (5,), (2,), (2,), (2,), 2),
        (_grid(2, 2, 2, 3), _grid(2, 1, 2, 2), (3, 4), (1, 1), (0, 0), (1, 1), 1),
        (_grid(1, 1, 2, 2) + 1j, _grid(1, 1, 2, 2) - 2j, (1, 3), (1, 2), (1, 1), (1, 1), 1),
    ]


class convolution_weight(Convolution):
    """Sums over samples and places of windows of the input, each times an output: a weight."""

    roles, made = "xy", "w"
    kernel = Kernel.from_function(
        _convolution_weight, prelude=definitions(_product, _windows, _blocks), rows=_over_samples
    )

    @classmethod
    def infer(cls, x: Any, y: Any, sizes: Shape, *rest: Any) -> tuple[Shape, dtype]:
        *_, groups = rest
        return (y.shape[1], x.shape[1] // groups, *sizes), result_dtype((x, y))

    def entry(self, index: Index, b: Indices) -> Reading:
        x, y = self.operands
        o, c, *k = index
        group, _ = divided(o, y.shape[1] // self.groups)
        n, *place = b.bound(y.shape[0], *y.shape[2:])
        inner, channel = self._met(place, k), group * (x.shape[1] // self.groups) + c
        value = yield from self._read_input(x, n, channel, inner)
        return sum_over(value * (yield y, [n, o, *place]), n, *place)

    def notation(self) -> Notation:
        found = super().notation()
        name = f"conv{len(self.sizes)}d"
        text = self.call_text()
        return found._replace(text=text, latex=found.latex.replace(name, rf"{name}\_weight"))

    samples = [
        (_grid(2, 2, 5), _grid(2, 3, 3), (3,), (1,), (0,), (1,), 1),
        (_grid(1, 4, 5), _grid(1, 2, 4), (2,), (2,), (2,), (2,), 2),
        (_grid(2, 1, 3, 4), _grid(2, 2, 2, 3), (2, 2), (1, 1), (0, 0), (1, 1), 1),
        (_grid(1, 1, 2, 3) + 1j, _grid(1, 1, 3, 2) - 2j, (2, 2), (1, 2), (1, 1), (1, 1), 1),
    ]


def transposed_sizes(
    outputs: Shape, kernel: Shape, stride: Shape, padding: Shape, dilation: Shape
) -> Shape:
    """Return the lengths of the shortest input of which a convolution gives so many outputs."""
    given = zip(outputs, kernel, stride, padding, dilation, strict=True)
    return tuple([(m - 1) * s - 2 * p + d * (k - 1) + 1 for m, k, s, p, d in given])


# ------------------------------------------------------------------ with a bias


class Biased(Composite, abstract=True):
    """A convolution to which a number is added for each of the channels of the result."""

    internal = True
    converts = True
    params = Convolution.params
    #: The convolution.
    without: ClassVar[type[Convolution]]

    @classmethod
    def composed(cls, *args: Any) -> Any:
        x, w, bias, *params = args
        made = cls.without.of(x, w, *params)
        return made + bias.reshape((-1,) + (1,) * len(params[0]))

    @classmethod
    def infer(cls, *args: Any) -> tuple[Shape, dtype]:
        x, w, bias, *params = args
        shape, _ = cls.without.infer(x, w, *params)
        return shape, result_dtype((x, w, bias))

    def notation(self) -> Notation:
        plain = self.without(*self.operands[:2], *self.param_values).notation()
        text, latex = [part.replace("{1}", "{1}, {2}") for part in (plain.text, plain.latex)]
        return Notation(text, latex)


class biased_convolution(Biased):
    """`convolution` and a bias."""

    without = convolution

    samples = [
        (x, w, _grid(w.shape[0]).astype(x.dtype), *params)
        for x, w, *params in convolution.samples[1:]
    ]


class biased_transposed(Biased):
    """`convolution_transposed` and a bias."""

    without = convolution_transposed

    samples = [
        (x, w, _grid(w.shape[1] * params[-1]).astype(x.dtype), *params)
        for x, w, *params in convolution_transposed.samples[1:]
    ]
