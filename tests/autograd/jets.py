"""Taylor polynomials of programs, in plain NumPy: derivatives by arithmetic that shares nothing.

A `Jet` is the value of a program along `x + t * ones + sum(e_i)`, where `t**3` and `e_i * e_j` are
zero. Its coefficients are what gradients of summed gradients are, to the third order. It has as
much of the interface of tensors as the programs of `tests.autograd.masked_programs` use.

What chooses elements (masks, orders, extremes, bounds) acts on every coefficient alike, with the
shares that PyTorch gives to ties. A coefficient that is zero stays so whatever it is multiplied by:
what a mask leaves out contributes nothing.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import sympy

Array = np.ndarray[Any, Any]

ORDER = 3


class Undecided(Exception):
    """PyTorch chooses among equal elements in a way that depends on its library."""


class Jet:
    """Coefficients of shape `(power of t, 1 + i, *shape)`; the first of the second axis is no e."""

    __array_ufunc__ = None

    def __init__(self, c: Array) -> None:
        self.c = c

    @classmethod
    def variable(cls, x: Array) -> Jet:
        c = np.zeros((ORDER, 1 + x.size, *x.shape), x.dtype)
        c[0, 0] = x
        c[1, 0] = 1
        c[0, 1:] = np.eye(x.size).reshape(x.size, *x.shape)
        return cls(c)

    @property
    def value(self) -> Array:
        return np.asarray(self.c[0, 0])

    @property
    def shape(self) -> tuple[int, ...]:
        return self.c.shape[2:]

    @property
    def ndim(self) -> int:
        return self.c.ndim - 2

    def derivatives(self) -> list[Array]:
        """Return the gradient of the sum, that of the sum of the gradient, and one more."""
        total = self.c.reshape(*self.c.shape[:2], -1).sum(-1)
        return [total[0, 1:], total[1, 1:], 2 * total[2, 1:]]

    def each(self, f: Callable[[Array], Array]) -> Jet:
        """Apply to each coefficient what is linear and chooses by none of them."""
        rows = [[f(y) for y in row] for row in self.c]
        return Jet(np.array(rows))

    # -- arithmetic

    def __neg__(self) -> Jet:
        return Jet(-self.c)

    def __add__(self, other: Any) -> Jet:
        if not isinstance(other, Jet):
            c = np.array(np.broadcast_arrays(self.c, np.zeros_like(other))[0])
            c[0, 0] += other
            return Jet(c)
        a, b = _aligned(self.c, other.c)
        return Jet(a + b)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Jet:
        return self + (-other)

    def __rsub__(self, other: Any) -> Jet:
        return -self + other

    def __mul__(self, other: Any) -> Jet:
        if not isinstance(other, Jet):
            other = np.asarray(other, self.c.dtype)
            made = Jet(_times(self.c, other))
            made.c[0, 0] = self.value * other
            return made
        a, b = _aligned(self.c, other.c)
        c = np.zeros(np.broadcast_shapes(a.shape, b.shape), self.c.dtype)
        for k in range(ORDER):
            for i in range(k + 1):
                p, q = a[i], b[k - i]
                c[k, 0] += _times(p[0], q[0])
                c[k, 1:] += _times(p[:1], q[1:]) + _times(p[1:], q[:1])
        c[0, 0] = a[0, 0] * b[0, 0]
        return Jet(c)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Jet:
        return self * (
            other**-1.0 if isinstance(other, Jet) else 1 / np.asarray(other, self.c.dtype)
        )

    def __rtruediv__(self, other: Any) -> Jet:
        return self**-1.0 * other

    def __pow__(self, exponent: Any) -> Jet:
        if isinstance(exponent, Jet):
            return (exponent * self.apply(sympy.log)).apply(sympy.exp)
        if exponent == 2:
            return self * self
        return self.apply(_power(exponent))

    def __matmul__(self, other: Array) -> Jet:
        return self.each(lambda y: y @ np.asarray(other))

    def apply(self, f: Any) -> Jet:
        """Apply a SymPy function, by its derivatives."""
        ds = [np.broadcast_to(d(self.value), self.shape) for d in _derivatives(f)]
        delta = Jet(self.c.copy())
        delta.c[0, 0] = 0
        out = Jet(np.zeros_like(self.c))
        power = delta
        for k in range(1, ORDER + 1):
            out.c += _times(power.c, ds[k] / (1, 1, 2, 6)[k])
            power = power * delta
        out.c[0, 0] = ds[0]
        return out

    # -- comparisons, of values

    def __gt__(self, other: Any) -> Array:
        return np.asarray(self.value > _value(other))

    def __lt__(self, other: Any) -> Array:
        return np.asarray(self.value < _value(other))

    def __ge__(self, other: Any) -> Array:
        return np.asarray(self.value >= _value(other))

    def __le__(self, other: Any) -> Array:
        return np.asarray(self.value <= _value(other))

    # -- elements

    def clone(self) -> Jet:
        return Jet(self.c.copy())

    def masked_fill(self, mask: Array, number: float) -> Jet:
        return where(mask, number, self)

    def masked_fill_(self, mask: Array, number: float) -> Jet:
        self.c = where(mask, number, self).c
        return self

    def masked_scatter(self, mask: Array, source: Jet) -> Jet:
        out = self.clone()
        out.c[:, :, mask] = source.c[:, :, : mask.sum()]
        return out

    def mul_(self, other: Any) -> Jet:
        self.c = (self * other).c
        return self

    def relu_(self) -> Jet:
        self.c = self.relu().c
        return self

    def clamp_(self, low: Any, high: Any) -> Jet:
        self.c = self.clamp(low, high).c
        return self

    def __getitem__(self, key: Any) -> Jet:
        return self.each(lambda y: np.array(y[key]))

    def __setitem__(self, key: Any, value: Any) -> None:
        for k, row in enumerate(self.c):
            for i, y in enumerate(row):
                if isinstance(value, Jet):
                    y[key] = value.c[k, i]
                else:
                    y[key] = value if k == i == 0 else 0

    def reshape(self, *shape: int) -> Jet:
        return self.each(lambda y: y.reshape(shape))

    def unsqueeze(self, dim: int) -> Jet:
        return self.each(lambda y: np.expand_dims(y, dim))

    def flip(self, dim: int) -> Jet:
        return self.each(lambda y: np.flip(y, dim))

    def roll(self, shifts: int, dims: int) -> Jet:
        return self.each(lambda y: np.roll(y, shifts, dims))

    def tril(self, diagonal: int = 0) -> Jet:
        return self.each(lambda y: np.tril(y, diagonal))

    def gather(self, dim: int, index: Array) -> Jet:
        return self.each(lambda y: np.take_along_axis(y, index, dim))

    def index_select(self, dim: int, index: Array) -> Jet:
        return self.each(lambda y: np.take(y, index, dim))

    def index_fill(self, dim: int, index: Array, number: float) -> Jet:
        out = self.clone()
        out[(slice(None),) * (dim % self.ndim) + (index,)] = number
        return out

    def index_add(self, dim: int, index: Array, source: Jet) -> Jet:
        def add(pair: tuple[Array, Array]) -> Array:
            out = np.array(pair[0])
            np.add.at(out, (slice(None),) * (dim % self.ndim) + (index,), pair[1])
            return out

        rows = [
            [add(p) for p in zip(a, b, strict=True)] for a, b in zip(self.c, source.c, strict=True)
        ]
        return Jet(np.array(rows))

    # -- sums

    def sum(self, dim: Any = None, keepdim: bool = False) -> Jet:
        return self.each(lambda y: np.sum(y, dim, keepdims=keepdim))

    def mean(self, dim: Any = None, keepdim: bool = False) -> Jet:
        return self.each(lambda y: np.mean(y, dim, keepdims=keepdim))

    def nansum(self, dim: Any = None, keepdim: bool = False) -> Jet:
        return where(np.isnan(self.value), 0.0, self).sum(dim, keepdim)

    def cumsum(self, dim: int) -> Jet:
        return self.each(lambda y: np.cumsum(y, dim))

    def prod(self, dim: int, keepdim: bool = False) -> Jet:
        out = self[_at(self, dim, 0)]
        for i in range(1, self.shape[dim]):
            out = out * self[_at(self, dim, i)]
        return out.unsqueeze(dim) if keepdim else out

    def softmax(self, dim: int) -> Jet:
        e = (self - _largest(self.value, dim)).apply(sympy.exp)
        return e / e.sum(dim, True)

    def log_softmax(self, dim: int) -> Jet:
        return self - self.logsumexp(dim, True)

    def logsumexp(self, dim: int, keepdim: bool = False) -> Jet:
        top = _largest(self.value, dim)
        return (self - top).apply(sympy.exp).sum(dim, keepdim).apply(sympy.log) + (
            top if keepdim else np.squeeze(top, dim)
        )

    # -- choices

    def relu(self) -> Jet:
        return where(self.value > 0, self, 0.0)

    def abs(self) -> Jet:
        return Jet(_times(self.c, np.sign(self.value)))

    def clamp(self, low: Any, high: Any) -> Jet:
        v = self.value
        return where(v < low, low, where(v > high, high, self))

    def _taken(self, dim: int, places: Array) -> Jet:
        return self.each(lambda y: np.take_along_axis(y, places, dim))

    def sort(self, dim: int = -1, descending: bool = False) -> tuple[Jet, None]:
        v = -self.value if descending else self.value
        return self._taken(dim, np.argsort(v, dim, kind="stable")), None

    def topk(self, k: int, dim: int = -1) -> tuple[Jet, None]:
        v = np.sort(-self.value, dim)
        if (np.diff(v, axis=dim) == 0).any():
            raise Undecided
        return self._taken(dim, np.take(np.argsort(-self.value, dim), range(k), dim)), None

    def kthvalue(self, k: int, dim: int = -1, keepdim: bool = False) -> tuple[Jet, None]:
        if (np.diff(np.sort(self.value, dim), axis=dim) == 0).any():
            raise Undecided
        made = self._taken(dim, np.take(np.argsort(self.value, dim), [k - 1], dim))
        return made if keepdim else made.each(lambda y: np.squeeze(y, dim)), None

    def cummax(self, dim: int) -> tuple[Jet, None]:
        return self._taken(dim, _running(self.value, dim)), None

    def cummin(self, dim: int) -> tuple[Jet, None]:
        return self._taken(dim, _running(-self.value, dim)), None

    def max(self, dim: int | None = None, keepdim: bool = False) -> Any:
        return self._extreme(np.max, np.argmax, dim, keepdim)

    def min(self, dim: int | None = None, keepdim: bool = False) -> Any:
        return self._extreme(np.min, np.argmin, dim, keepdim)

    def _extreme(self, f: Any, place: Any, dim: int | None, keepdim: bool) -> Any:
        if dim is None:
            return self._shared(self.value == f(self.value), None, False)
        made = self._taken(dim, np.expand_dims(place(self.value, dim), dim))
        return made if keepdim else made.each(lambda y: np.squeeze(y, dim)), None

    def amax(self, dim: int, keepdim: bool = False) -> Jet:
        return self._shared(self.value == np.max(self.value, dim, keepdims=True), dim, keepdim)

    def amin(self, dim: int, keepdim: bool = False) -> Jet:
        return self._shared(self.value == np.min(self.value, dim, keepdims=True), dim, keepdim)

    def _shared(self, chosen: Array, dim: Any, keepdim: bool) -> Jet:
        share = chosen / chosen.sum(dim, keepdims=True)
        return self.each(lambda y: np.sum(np.where(chosen, y * share, 0), dim, keepdims=keepdim))


def _value(x: Any) -> Any:
    return x.value if isinstance(x, Jet) else x


def _at(x: Jet, dim: int, i: int) -> Any:
    return (slice(None),) * (dim % x.ndim) + (i,)


def _aligned(a: Array, b: Array) -> tuple[Array, Array]:
    """Give coefficients trailing axes of the same number."""
    rank = max(a.ndim, b.ndim)
    return tuple(y.reshape(*y.shape[:2], *(1,) * (rank - y.ndim), *y.shape[2:]) for y in (a, b))  # type: ignore[return-value]


def _times(a: Array, b: Array) -> Array:
    return np.where((a == 0) | (b == 0), 0, a * b)


def _largest(v: Array, dim: int) -> Array:
    top = np.max(v, dim, keepdims=True)
    return np.where(np.isfinite(top), top, 0)


def _running(v: Array, dim: int) -> Array:
    """Return where the largest element so far stands, the last of equal ones."""
    v = np.moveaxis(v, dim, -1)
    out = np.zeros(v.shape, int)
    for place in np.ndindex(v.shape[:-1]):
        best = 0
        for i in range(v.shape[-1]):
            if v[(*place, i)] >= v[(*place, best)]:
                best = i
            out[(*place, i)] = best
    return np.moveaxis(out, -1, dim)


def is_regular(x: Jet, mask: Array) -> bool:
    """Whether the numbers that a mask lets through are finite, and off the singularity at 0."""
    through = x.value[mask]
    return bool((np.isfinite(through) & (np.abs(through) > 1e-3)).all())


def where(mask: Array, a: Any, b: Any) -> Jet:
    like = a if isinstance(a, Jet) else b
    parts = []
    for y in (a, b):
        if not isinstance(y, Jet):
            made = Jet(np.zeros((*like.c.shape[:2], *np.shape(y)), like.c.dtype))
            made.c[0, 0] = y
            y = made
        parts.append(y)
    p, q = _aligned(parts[0].c, parts[1].c)
    return Jet(np.where(mask, p, q))


_X = sympy.Symbol("x")


@functools.cache
def _derivatives(f: Any) -> list[Callable[[Array], Any]]:
    """Return a function and its derivatives."""
    return [sympy.lambdify(_X, sympy.diff(f(_X), _X, k), "numpy") for k in range(ORDER + 1)]


@functools.cache
def _power(exponent: float) -> Callable[[Any], Any]:
    return lambda x: x ** sympy.nsimplify(exponent)


def _function(f: Any) -> Callable[[Jet], Jet]:
    return lambda x: x.apply(f)


sqrt, log, exp, sin, cos, tanh, expm1 = (
    _function(f)
    for f in (
        sympy.sqrt,
        sympy.log,
        sympy.exp,
        sympy.sin,
        sympy.cos,
        sympy.tanh,
        lambda x: sympy.exp(x) - 1,
    )
)
rsqrt = _function(lambda x: 1 / sympy.sqrt(x))
reciprocal = _function(lambda x: 1 / x)
square = _function(lambda x: x**2)


def relu(x: Jet) -> Jet:
    return x.relu()


def maximum(a: Any, b: Any) -> Jet:
    return _larger(a, b, 1)


def minimum(a: Any, b: Any) -> Jet:
    return _larger(a, b, -1)


def _larger(a: Jet, b: Jet, sign: int) -> Jet:
    p, q = sign * a.value, sign * b.value
    return where(p == q, (a + b) * 0.5, where(p > q, a, b))


def zeros_like(x: Jet) -> Jet:
    return Jet(np.zeros_like(x.c))


def tensor(value: Any) -> Array:
    return np.asarray(value)


def cat(xs: Sequence[Jet], dim: int = 0) -> Jet:
    dim = dim if dim < 0 else dim + 2
    return Jet(np.concatenate([x.c for x in xs], dim))


def logical_and(a: Array, b: Array) -> Array:
    return a & b
