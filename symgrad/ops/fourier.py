"""Discrete Fourier transforms over some axes: of complex numbers, of real ones, and to real ones.

The spectrum of real numbers is half of a whole one, of which the other half is conjugate to it:
entries `0` to `n // 2` along the last of the axes. The functions of `symgrad.fft` are written with
these three.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import sympy

from numeric.kernel import Kernel
from symgrad.expr.dtypes import Category, dtype, float16, to_complex, to_float, to_real
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import Notation, axes_latex, braces
from symgrad.expr.shapes import Shape
from symgrad.ops.axes import along
from symgrad.ops.entries import Index, Indices, Reading, between, indicator, sum_over, with_entry
from symgrad.ops.primitive import Linear
from symgrad.ops.zeros import Zeros

#: The norm of the transpose of a transform, which runs in the other direction.
TURNED = {"backward": "forward", "forward": "backward", "ortho": "ortho"}

_TABLE = np.array([[0.3, -1.2, 2.0, 0.5, 1.5], [1.0, 0.25, -0.5, 0.75, -2.0]])
_CUBE = np.cos(np.arange(24.0)).reshape(2, 3, 4)
_SPECTRUM = _TABLE[:, :3] + 1j * _TABLE[:, 2:]


class Transform(Linear, abstract=True):
    """A transform over the axes `axis`, none of which is empty.

    `scaling` says by what the sums are divided, in the words of NumPy's functions: "backward" divides
    the inverse transform by the number of terms, "forward" the other one, "ortho" both by its root.
    """

    keeps_zeros = Zeros.ALONG
    axis: tuple[int, ...]
    scaling: str

    @classmethod
    def kind_of(cls, x: Any) -> dtype:
        """Return the floating or complex dtype in which an operand is transformed."""
        if x.dtype is float16:
            raise RuntimeError(f"Unsupported dtype {x.dtype.scalar_name}")
        return to_float(x.dtype)

    def compute_dtype(self) -> dtype | None:
        kind = self.operands[0].dtype
        return to_float(kind) if kind.category < Category.FLOAT else None

    @property
    def is_inverse(self) -> bool:
        """Whether `i` stands with a plus sign in the exponents."""
        raise NotImplementedError(f"{type(self).__name__} states no is_inverse")

    @property
    def lengths(self) -> Shape:
        """The number of terms along each axis."""
        return tuple([self.operands[0].shape[a] for a in self.axis])

    def entry(self, index: Index, b: Indices) -> Reading:
        (x,) = self.operands
        over = b.bound(*[x.shape[a] for a in self.axis])
        inner, turns = list(index), sympy.S.Zero
        for a, k, n in zip(self.axis, over, self.lengths, strict=True):
            inner, turns = with_entry(inner, a, k), turns + sympy.Rational(1, n) * k * index[a]
        turn = sympy.exp((1 if self.is_inverse else -1) * 2 * sympy.pi * sympy.I * turns)
        term = self.of_term(turn * (yield x, inner), over[-1])
        return _divided(
            sum_over(term, *over), self.lengths, self.is_inverse, self.scaling, sympy.sqrt
        )

    def of_term(self, term: Any, k: Any) -> Any:
        """Return the terms that stand for a term of an operand at place `k` of the last axis."""
        return term

    def sizes(self) -> Shape | None:
        """Return the numbers of places that a call names; None where they follow from the operand."""
        return None

    def notation(self) -> Notation:
        rank, sizes = self.operands[0].ndim, self.sizes()
        axes = tuple(range(rank))
        single = len(self.axis) == 1
        name, usual = (self.public_name, axes[-1:]) if single else (f"{self.public_name}n", axes)
        if self.axis == axes[-2:] and not single:
            name, usual = f"{self.public_name}2", self.axis
        size = [] if sizes is None else [f"n={sizes[0]}" if single else f"s={sizes}"]
        dim = [] if self.axis == usual else [f"dim={self.axis[0] if single else self.axis}"]
        norm = [] if self.scaling == "backward" else [f"norm='{self.scaling}'"]
        said = [axes_latex(self.axis)] * (rank > 1) + size
        said += [rf"\mathrm{{{self.scaling}}}"] * len(norm)
        below = f"_{{{', '.join(said)}}}" if said else ""
        return Notation(
            f"fft.{name}({', '.join(['{0}', *size, *dim, *norm])})",
            braces(rf"\operatorname{{{name}}}{below}") + r"\left({0}\right)",
        )


def _divided(
    x: Any, lengths: Shape, inverse: bool, scaling: str, root: Callable[[int], Any]
) -> Any:
    """Return sums, divided as a norm says."""
    count = int(np.prod(lengths))
    if scaling == "ortho":
        return x / root(count)
    return x / count if scaling == ("backward" if inverse else "forward") else x


def _by_sums(
    x: Any,
    axis: Any,
    rows: Shape,
    lengths: Shape,
    inverse: bool,
    scaling: str,
    turn: Any,
    root: Any,
) -> Any:
    """Return a transform by its definition, of which along each axis `rows` places are asked for."""
    sign = 1 if inverse else -1
    for a, m, n in zip(axis, rows, lengths, strict=True):
        turns = [[turn(sign * j * k, n) for k in range(x.shape[a])] for j in range(m)]
        x = np.moveaxis(np.tensordot(np.array(turns, object), x, (1, a)), 0, a)
    return _divided(x, lengths, inverse, scaling, root)


#: For each number system `exp(2*pi*i*p/q)`, the square root and the real part.
_EXACT: dict[str, tuple[Any, Any, Any]] = {
    "sympy": (
        lambda p, q: sympy.exp(2 * sympy.pi * sympy.I * sympy.Rational(p, q)),
        sympy.sqrt,
        np.frompyfunc(sympy.re, 1, 1),
    ),
    "mpmath": (
        lambda p, q: mpmath.expjpi(mpmath.mpf(2 * p) / q),
        mpmath.sqrt,
        np.frompyfunc(mpmath.re, 1, 1),
    ),
}


def _exact(make: Callable[..., Any]) -> dict[str, Any]:
    return {name: make(*functions) for name, functions in _EXACT.items()}


def _fourier(x, *, axis, inverted, scaling):  # type: ignore[no-untyped-def]
    return (np.fft.ifftn if inverted else np.fft.fftn)(x, axes=axis, norm=scaling)


def _fourier_of(turn: Any, root: Any, re: Any) -> Any:
    def compute(x: Any, *, axis: Any, inverted: bool, scaling: str) -> Any:
        lengths = tuple([x.shape[a] for a in axis])
        return _by_sums(x, axis, lengths, lengths, inverted, scaling, turn, root)

    return compute


class fourier(Transform):
    """The transform `sum_k x[k] * exp(-2*pi*i*j*k/n)`, or with the other sign where `inverted`."""

    internal = True
    params = ("axis", "inverted", "scaling")
    inverted: bool
    kernel = Kernel.from_function(_fourier, rows=along, number_systems=_exact(_fourier_of))

    @classmethod
    def infer(cls, x: Any, axis: Any, inverted: bool, scaling: str) -> tuple[Shape, dtype]:
        return x.shape, to_complex(cls.kind_of(x))

    @property
    def is_inverse(self) -> bool:
        return self.inverted

    @property
    def public_name(self) -> str:
        return "ifft" if self.inverted else "fft"

    def transposed(self, ct: ArrayExpr) -> ArrayExpr:
        return fourier.of(ct, self.axis, not self.inverted, TURNED[self.scaling])

    samples = [
        (_SPECTRUM, (1,), False, "backward"), (_SPECTRUM, (1, 0), True, "ortho"),
        (_SPECTRUM, (0,), True, "forward"), (_TABLE, (1,), True, "backward"),
        (_CUBE, (0, 2), False, "forward"), (_CUBE, (0, 1, 2), False, "backward"),
    ]  # fmt: skip


def _rfourier(x, *, axis, scaling):  # type: ignore[no-untyped-def]
    return np.fft.rfftn(x, axes=axis, norm=scaling)


def _rfourier_of(turn: Any, root: Any, re: Any) -> Any:
    def compute(x: Any, *, axis: Any, scaling: str) -> Any:
        lengths = tuple([x.shape[a] for a in axis])
        rows = (*lengths[:-1], lengths[-1] // 2 + 1)
        return _by_sums(x, axis, rows, lengths, False, scaling, turn, root)

    return compute


class rfourier(Transform):
    """The half of the spectrum of real numbers that says the whole."""

    internal = True
    public_name = "rfft"
    is_inverse = False
    params = ("axis", "scaling")
    kernel = Kernel.from_function(_rfourier, rows=along, number_systems=_exact(_rfourier_of))

    @classmethod
    def check(cls, call: str, kind: dtype) -> None:
        """Raise PyTorch's error of a call on complex numbers."""
        if kind.is_complex:
            raise RuntimeError(f"{call} expects a real input tensor, but got {kind.scalar_name}")

    @classmethod
    def infer(cls, x: Any, axis: Any, scaling: str) -> tuple[Shape, dtype]:
        cls.check(cls.public_name, x.dtype)
        shape = list(x.shape)
        shape[axis[-1]] = shape[axis[-1]] // 2 + 1
        return tuple(shape), to_complex(cls.kind_of(x))

    def transposed(self, ct: ArrayExpr) -> ArrayExpr:
        # The transform back counts each entry that has a mirror image twice, once for the image.
        last, length = self.axis[-1], self.lengths[-1]
        half = mirrored.of(ct, last, length, False)
        return irfourier.of(half, self.axis, length, TURNED[self.scaling])

    samples = [
        (_TABLE, (1,), "backward"), (_TABLE, (1, 0), "ortho"), (_CUBE, (0, 2), "forward"),
        (_CUBE, (1, 2), "backward"),
    ]  # fmt: skip


def _irfourier(x, *, axis, length, scaling):  # type: ignore[no-untyped-def]
    sizes = [x.shape[a] for a in axis[:-1]]
    return np.fft.irfftn(x, s=(*sizes, length), axes=axis, norm=scaling)


def _irfourier_of(turn: Any, root: Any, re: Any) -> Any:
    def compute(x: Any, *, axis: Any, length: int, scaling: str) -> Any:
        lengths = (*[x.shape[a] for a in axis[:-1]], length)
        whole: Any = _mirrored(x, axis=axis[-1], length=length, doubled=True)
        return re(_by_sums(whole, axis, lengths, lengths, True, scaling, turn, root))

    return compute


class irfourier(Transform):
    """The real numbers, `length` along the last axis, of half a spectrum.

    Of an entry that is its own mirror image only the real part counts, since the other part would
    make the result complex.
    """

    internal = True
    public_name = "irfft"
    is_inverse = True
    params = ("axis", "length", "scaling")
    length: int
    kernel = Kernel.from_function(_irfourier, rows=along, number_systems=_exact(_irfourier_of))

    @classmethod
    def infer(cls, x: Any, axis: Any, length: int, scaling: str) -> tuple[Shape, dtype]:
        shape = list(x.shape)
        assert shape[axis[-1]] == length // 2 + 1
        shape[axis[-1]] = length
        return tuple(shape), to_real(cls.kind_of(x))

    @property
    def lengths(self) -> Shape:
        return tuple([self.shape[a] for a in self.axis])

    def of_term(self, term: Any, k: Any) -> Any:
        return _weight(k, self.length, True) * sympy.re(term)

    def sizes(self) -> Shape | None:
        usual = self.length == 2 * (self.operands[0].shape[self.axis[-1]] - 1)
        return None if usual else self.lengths

    def transposed(self, ct: ArrayExpr) -> ArrayExpr:
        whole = rfourier.of(ct, self.axis, TURNED[self.scaling])
        return mirrored.of(whole, self.axis[-1], self.length, True)

    samples = [
        (_SPECTRUM, (1,), 5, "backward"), (_SPECTRUM, (1,), 4, "ortho"),
        (_SPECTRUM, (1, 0), 3, "forward"), (_SPECTRUM[:, :2], (0, 1), 2, "backward"),
        (_CUBE, (0, 2), 7, "backward"),
    ]  # fmt: skip


def _weight(k: Any, length: int, doubled: bool) -> Any:
    both = indicator(between(1, k, (length + 1) // 2))
    return 1 + both if doubled else 1 - both / sympy.Integer(2)


def _mirrored(x: Any, *, axis: int, length: int, doubled: bool) -> Any:
    out = np.array(x)
    both = (slice(None),) * axis + (slice(1, (length + 1) // 2),)
    out[both] = out[both] * 2 if doubled else out[both] / 2
    return out


#: The most places of which the weights are written out in texts.
_MOST_WRITTEN = 16


class mirrored(Linear):
    """Half a spectrum of `length` places, doubled or halved where an entry has a mirror image.

    The transforms of real numbers, and back, are transposes of each other but for this.
    """

    internal = True
    keeps_zeros = Zeros.FIRST
    params = ("axis", "length", "doubled")
    axis: int
    length: int
    doubled: bool
    kernel = Kernel.from_function(_mirrored, rows=along)

    def entry(self, index: Index, b: Indices) -> Reading:
        (x,) = self.operands
        return _weight(index[self.axis], self.length, self.doubled) * (yield x, index)

    def transposed(self, ct: ArrayExpr) -> ArrayExpr:
        return mirrored.of(ct, *self.param_values)

    def as_read(self) -> ArrayExpr | None:
        (x,) = self.operands
        count = x.shape[self.axis]
        if not (type(count) is type(self.length) is int and 0 < count <= _MOST_WRITTEN):
            return None
        kind = to_real(x.dtype).numpy
        weights = _mirrored(np.ones(count, kind), axis=0, length=self.length, doubled=self.doubled)
        return x * weights.reshape(-1, *[1] * (x.ndim - 1 - self.axis))  # type: ignore[no-any-return]

    def notation(self) -> Notation:
        axis = f"{axes_latex((self.axis,))}, " if self.ndim > 1 else ""
        power = "" if self.doubled else "^{-1}"
        name = rf"\operatorname{{mirrored}}{power}_{{{axis}n={self.length}}}"
        return Notation(self.call_text(), braces(name) + r"\left({0}\right)")

    samples = [
        (_SPECTRUM, 1, 5, True), (_SPECTRUM, 1, 4, False), (_SPECTRUM, 0, 2, True),
    ]  # fmt: skip
