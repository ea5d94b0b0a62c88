"""Passes of recurrent layers over sequences: `lstm_states`, `gru_states`, `rnn_states`.

A pass is one operation, whose formula is written step by step. Its result holds for each step the
states and the gates; from these another operation computes derivatives, from the last step to the
first. Derivatives of higher order follow from the formulas of both. Within the result the axis of the
batch comes last, so that each gate lies in one piece.

S. Hochreiter, J. Schmidhuber, "Long short-term memory", 1997. K. Cho et al., "Learning phrase
representations using RNN encoder-decoder", 2014; here its reset gate multiplies the weighed state.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from numeric.kernel import Kernel
from symgrad.expr.dtypes import dtype
from symgrad.expr.node import ArrayExpr
from symgrad.expr.shapes import Shape
from symgrad.ops.broadcasting import zeros
from symgrad.ops.comparison import gt
from symgrad.ops.composite import Composite
from symgrad.ops.contraction import contract
from symgrad.ops.equations import Mismatch
from symgrad.ops.joining import cat, stack
from symgrad.ops.primitive import Cotangents
from symgrad.ops.selection import definitions

#: Arrays of a step, or of all steps.
Parts = tuple[Any, ...]


class Slopes(Composite, abstract=True):
    """What the derivatives of a pass are made of, for each step.

    The operands are the cotangent of the pass, its result, the first state that is read, and the
    weights of states. The result has shape (L, parts * H, N).
    """

    internal = True
    poles = ()
    #: How many vectors of length H the result has for each step.
    parts: ClassVar[int]
    #: Which of the first states is read; None for none.
    reads: ClassVar[int | None] = None
    #: How many arrays each step leaves to the step before.
    carries: ClassVar[int] = 1

    @classmethod
    def back(cls, ct: Parts, y: Parts, before: Any, carried: Parts, v: Any, *params: Any) -> Any:
        """Return the parts of the result for a step, and what the step before it is given.

        Parameters
        ----------
        ct, y
            The parts of the cotangent and of the result of the pass for the step.
        before
            The state before the step that the class reads.
        carried
            What the step after it has left.
        v
            The weights of states.
        params
            The parameters of the pass.
        """
        raise NotImplementedError

    @classmethod
    def by_operands(cls, found: Any, size: int, v: Any) -> tuple[Any, Any, Parts]:
        """Return the derivatives by what is read, by weighed states and by the first states."""
        raise NotImplementedError

    @classmethod
    def infer(cls, *args: Any) -> tuple[Shape, dtype]:
        y = args[1]
        size = args[-1 - len(cls.params)].shape[1]
        return (y.shape[0], cls.parts * size, y.shape[2]), _one_kind(cls, args)

    @classmethod
    def composed(cls, *args: Any) -> ArrayExpr:
        ct, y, *first, v = args[: len(args) - len(cls.params)]
        params, size, count = args[len(args) - len(cls.params) :], v.shape[1], y.shape[0]
        carried: Parts = (zeros((size, y.shape[2]), y.dtype),) * cls.carries
        steps: list[Any] = []
        for i in reversed(range(count)):
            parts = _parts(y[i], size)
            before = None
            if cls.reads is not None:
                before = _parts(y[i - 1], size)[cls.reads] if i else first[0].mT
            made, carried = cls.back(_parts(ct[i], size), parts, before, carried, v, *params)
            steps.insert(0, cat.of(*made, 0))
        return stack.of(*steps, 0)


class Pass(Composite, abstract=True):
    """The states of a recurrent layer at all steps of sequences.

    The operands are what is read, times its weights, of shape (L, N, gates * H); the first states, of
    shape (N, H); the weights of states, of shape (gates * H, H), and what is added to their product.
    The result has shape (L, parts * H, N): at each step the states, then what derivatives read.
    """

    internal = True
    poles = ()
    #: How many vectors of length H the result has for each step.
    parts: ClassVar[int]
    slopes: ClassVar[type[Slopes]]

    @classmethod
    def step(cls, read: Any, state: Parts, weighed: Any, *params: Any) -> tuple[Parts, Parts]:
        """Return the next states, and what else the result has for the step.

        The arrays are formulas or tensors; their last axis is that of the gates.
        """
        raise NotImplementedError

    @classmethod
    def infer(cls, *args: Any) -> tuple[Shape, dtype]:
        read, h = args[:2]
        n, size = h.shape
        return (read.shape[0], cls.parts * size, n), _one_kind(cls, args)

    @classmethod
    def composed(cls, *args: Any) -> ArrayExpr:
        read, *first, v, b = args[: len(args) - len(cls.params)]
        params = args[len(args) - len(cls.params) :]
        state: Parts = tuple(first)
        steps: list[Any] = []
        for i in range(read.shape[0]):
            state, kept = cls.step(read[i], state, state[0] @ v.mT + b, *params)
            steps.append(cat.of(*state, *kept, 1).mT)
        return stack.of(*steps, 0)

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        _, *first, v, _ = self.operands
        h: Any = first[0]
        size = h.shape[1]
        reads = () if self.slopes.reads is None else (first[self.slopes.reads],)
        found = self.slopes.of(ct, self, *reads, v, *self.param_values)
        of_read, of_weighed, of_first = self.slopes.by_operands(found, size, v)
        of_weights = None
        if needs[-2]:
            whole: Any = self
            before = cat.of(h.mT[None], whole[:-1, :size], 0)
            of_weights = contract.of(of_weighed, before, "abc,adc->bd")
        of_bias = of_weighed.sum((0, 2)) if needs[-1] else None
        return [of_read.mT, *[x.mT for x in of_first], of_weights, of_bias]


def _one_kind(cls: type[Composite], args: Sequence[Any]) -> dtype:
    """Return the dtype that all operands have."""
    first, *rest = args[: len(args) - len(cls.params)]
    if any(x.dtype is not first.dtype for x in rest) or not first.dtype.is_floating_point:
        raise Mismatch(f"{cls.__name__}(): dtypes {[x.dtype for x in (first, *rest)]} do not fit")
    return first.dtype  # type: ignore[no-any-return]


def _parts(x: Any, size: int) -> Parts:
    """Return the vectors of length H that lie one after the other along the first axis."""
    return tuple([x[k : k + size] for k in range(0, x.shape[0], size)])


def _some(*shape: int, phase: float = 0) -> Any:
    return np.round(np.sin(np.arange(1.0, 1 + np.prod(shape)) * 1.7 + phase), 2).reshape(shape)


def _samples(states: int, gates: int) -> list[tuple[Any, ...]]:
    """Return operands of passes of two steps and of one."""
    return [
        (
            _some(count, n, gates * size, phase=3),
            *[_some(n, size, phase=k) for k in range(states)],
            _some(gates * size, size, phase=4),
            _some(gates * size, phase=5),
        )
        for count, n, size in _SIZES
    ]


def _samples_of_slopes(states: int, parts: int, gates: int) -> list[tuple[Any, ...]]:
    """Return operands of what the derivatives of such passes are made of."""
    found = []
    for (_, *first, v, _), (count, n, size) in zip(_samples(states, gates), _SIZES, strict=True):
        y = _some(count, parts * size, n)
        found.append((0.7 * y[::-1], 0.2 + 0.5 * y * y, *first, v))
    return found


#: The numbers of steps and sequences in samples, and the length of states.
_SIZES = ((2, 2, 1), (1, 2, 2))


# ------------------------------------------------------------------ LSTM


def _wide(*arrays):  # type: ignore[no-untyped-def]
    # Half precision is computed in single.
    return [x.astype(np.float32) if x.dtype == np.float16 else x for x in arrays]


_WIDE = definitions(_wide)


def _lstm_states(read, h, c, v, b):  # type: ignore[no-untyped-def]
    kind = read.dtype
    read, h, c, v, b = _wide(read, h, c, v, b)  # type: ignore[no-untyped-call]
    count, (n, size) = len(read), h.shape
    out = np.empty((count, 6 * size, n), read.dtype)
    given = np.empty((count, 4 * size, n), read.dtype)
    read = np.add(np.swapaxes(read, 1, 2), b[:, None], out=given)
    h, c = np.ascontiguousarray(h.T), c.T
    z = np.empty((4 * size, n), read.dtype)
    product = z[:size]
    for y, given in zip(out, read):  # noqa: B905 - the text runs on older Pythons, too
        take, keep = y[2 * size : 3 * size], y[3 * size : 4 * size]
        new, show = y[4 * size : 5 * size], y[5 * size :]
        np.matmul(v, h, out=z)
        np.add(z, given, out=z)
        np.tanh(z[2 * size : 3 * size], out=new)
        np.negative(z, out=z)
        np.exp(z, out=z)
        np.add(z, 1, out=z)
        np.divide(1, z[: 2 * size], out=y[2 * size : 4 * size])
        np.divide(1, z[3 * size :], out=show)
        h, before, c = y[:size], c, y[size : 2 * size]
        np.multiply(keep, before, out=c)
        np.multiply(take, new, out=product)
        np.add(c, product, out=c)
        np.tanh(c, out=product)
        np.multiply(show, product, out=h)
    return out.astype(kind, copy=False)


def _lstm_slopes(ct, y, c, v):  # type: ignore[no-untyped-def]
    kind = y.dtype
    ct, y, c, v = _wide(ct, y, c, v)  # type: ignore[no-untyped-call]
    (count, _, n), size = y.shape, v.shape[1]
    cells = y[:, size : 2 * size]
    gates = y[:, 2 * size :].reshape(count, 4, size, n)
    take, keep, new, show = [gates[:, k] for k in range(4)]
    out = np.empty((count, 5, size, n), y.dtype)
    # Of each gate the slope, then times what the gate is multiplied by.
    slope = np.subtract(1, gates, out=out[:, :4])
    slope *= gates
    np.subtract(1, new * new, out=slope[:, 2])
    own = ct[:, 2 * size :]
    own = own.reshape(count, 4, size, n) * slope if own.any() else None
    slope[:, 0] *= new
    slope[:1, 1] *= c.T
    slope[1:, 1] *= cells[:-1]
    slope[:, 2] *= take
    shown = np.tanh(cells)
    slope[:, 3] *= shown
    of_cell = np.subtract(1, shown * shown, out=shown)
    of_cell *= show
    weights = np.ascontiguousarray(v.T)
    dh, dc, product = [np.zeros((size, n), y.dtype) for _ in range(3)]
    for i in range(count - 1, -1, -1):
        part = out[i]
        np.add(dh, ct[i, :size], out=dh)
        np.multiply(dh, of_cell[i], out=product)
        np.add(dc, product, out=dc)
        np.add(dc, ct[i, size : 2 * size], out=dc)
        np.multiply(part[:3], dc, out=part[:3])
        np.multiply(part[3], dh, out=part[3])
        if own is not None:
            np.add(part[:4], own[i], out=part[:4])
        np.multiply(dc, keep[i], out=dc)
        part[4] = dc
        np.matmul(weights, part[:4].reshape(4 * size, n), out=dh)
    return out.reshape(count, 5 * size, n).astype(kind, copy=False)


class lstm_slopes(Slopes):
    parts = 5
    reads = 1
    carries = 2
    kernel = Kernel.from_function(_lstm_slopes, prelude=_WIDE)

    @classmethod
    def back(cls, ct: Parts, y: Parts, before: Any, carried: Parts, v: Any, *params: Any) -> Any:
        _, c, take, keep, new, show = y
        (dh, dc), shown = carried, c.tanh()
        dh = dh + ct[0]
        dc = dc + dh * ((1 - shown * shown) * show) + ct[1]
        slopes = ((1 - take) * take, (1 - keep) * keep, 1 - new * new, (1 - show) * show)
        given = ((new, dc), (before, dc), (take, dc), (shown, dh))
        gates = tuple(
            [s * by * of + own * s for s, (by, of), own in zip(slopes, given, ct[2:], strict=True)]
        )
        dc = dc * keep
        return (*gates, dc), (v.mT @ cat.of(*gates, 0), dc)

    @classmethod
    def by_operands(cls, found: Any, size: int, v: Any) -> tuple[Any, Any, Parts]:
        gates = found[:, : 4 * size]
        return gates, gates, (v.mT @ gates[0], found[0, 4 * size :])

    samples = _samples_of_slopes(1, 6, 4)


class lstm_states(Pass):
    parts = 6
    slopes = lstm_slopes
    kernel = Kernel.from_function(_lstm_states, prelude=_WIDE)

    @classmethod
    def step(cls, read: Any, state: Parts, weighed: Any, *params: Any) -> tuple[Parts, Parts]:
        take, keep, new, show = (read + weighed).chunk(4, -1)
        take, keep, new, show = take.sigmoid(), keep.sigmoid(), new.tanh(), show.sigmoid()
        c = keep * state[1] + take * new
        return (show * c.tanh(), c), (take, keep, new, show)

    samples = _samples(2, 4)


# ------------------------------------------------------------------ GRU


def _gru_states(read, h, v, b):  # type: ignore[no-untyped-def]
    kind = read.dtype
    read, h, v, b = _wide(read, h, v, b)  # type: ignore[no-untyped-call]
    count, (n, size) = len(read), h.shape
    out = np.empty((count, 5 * size, n), read.dtype)
    read = np.ascontiguousarray(np.swapaxes(read, 1, 2))
    h, b = np.ascontiguousarray(h.T), b[:, None]
    z = np.empty((3 * size, n), read.dtype)
    for y, given in zip(out, read):  # noqa: B905
        both, new = y[size : 3 * size], y[3 * size : 4 * size]
        np.matmul(v, h, out=z)
        np.add(z, b, out=z)
        y[4 * size :] = z[2 * size :]
        np.add(z[: 2 * size], given[: 2 * size], out=both)
        np.negative(both, out=both)
        np.exp(both, out=both)
        np.add(both, 1, out=both)
        np.divide(1, both, out=both)
        np.multiply(both[:size], z[2 * size :], out=new)
        np.add(new, given[2 * size :], out=new)
        np.tanh(new, out=new)
        before, h = h, y[:size]
        np.subtract(before, new, out=h)
        np.multiply(h, both[size:], out=h)
        np.add(h, new, out=h)
    return out.astype(kind, copy=False)


def _gru_slopes(ct, y, h, v):  # type: ignore[no-untyped-def]
    kind = y.dtype
    ct, y, h, v = _wide(ct, y, h, v)  # type: ignore[no-untyped-call]
    (count, _, n), size = y.shape, v.shape[1]
    parts = y.reshape(count, 5, size, n)
    reset, keep, new, weighed = [parts[:, k] for k in range(1, 5)]
    cts = ct.reshape(count, 5, size, n)
    out = np.empty((count, 5, size, n), y.dtype)
    change = np.empty((count, size, n), y.dtype)
    change[:1], change[1:] = h.T, parts[:-1, 0]
    change -= new
    slope = 1 - parts[:, 1:4]
    slope[:, :2] *= parts[:, 1:3]
    np.subtract(1, new * new, out=slope[:, 2])
    left = 1 - keep
    own = cts[:, 1:].any()
    weights = np.ascontiguousarray(v.T)
    gates = np.empty((3, size, n), y.dtype)
    dh = np.zeros((size, n), y.dtype)
    for i in range(count - 1, -1, -1):
        of_reset, of_keep, of_new, of_weighed, before = out[i]
        np.add(dh, cts[i, 0], out=dh)
        np.multiply(dh, left[i], out=of_new)
        np.multiply(dh, change[i], out=of_keep)
        if own:
            of_new += cts[i, 3]
            of_keep += cts[i, 2]
        of_new *= slope[i, 2]
        of_keep *= slope[i, 1]
        np.multiply(of_new, weighed[i], out=of_reset)
        np.multiply(of_new, reset[i], out=of_weighed)
        if own:
            of_reset += cts[i, 1]
            of_weighed += cts[i, 4]
        of_reset *= slope[i, 0]
        gates[:2], gates[2] = out[i, :2], of_weighed
        np.matmul(weights, gates.reshape(3 * size, n), out=before)
        np.multiply(dh, keep[i], out=dh)
        np.add(before, dh, out=before)
        dh[...] = before
    return out.reshape(count, 5 * size, n).astype(kind, copy=False)


class gru_slopes(Slopes):
    parts = 5
    reads = 0
    kernel = Kernel.from_function(_gru_slopes, prelude=_WIDE)

    @classmethod
    def back(cls, ct: Parts, y: Parts, before: Any, carried: Parts, v: Any, *params: Any) -> Any:
        _, reset, keep, new, weighed = y
        dh = carried[0] + ct[0]
        of_new = (dh * (1 - keep) + ct[3]) * (1 - new * new)
        of_keep = (dh * (before - new) + ct[2]) * (keep * (1 - keep))
        of_reset = (of_new * weighed + ct[1]) * (reset * (1 - reset))
        of_weighed = of_new * reset + ct[4]
        dh = dh * keep + v.mT @ cat.of(of_reset, of_keep, of_weighed, 0)
        return (of_reset, of_keep, of_new, of_weighed, dh), (dh,)

    @classmethod
    def by_operands(cls, found: Any, size: int, v: Any) -> tuple[Any, Any, Parts]:
        of_weighed = cat.of(found[:, : 2 * size], found[:, 3 * size : 4 * size], 1)
        return found[:, : 3 * size], of_weighed, (found[0, 4 * size :],)

    samples = _samples_of_slopes(1, 5, 3)


class gru_states(Pass):
    parts = 5
    slopes = gru_slopes
    kernel = Kernel.from_function(_gru_states, prelude=_WIDE)

    @classmethod
    def step(cls, read: Any, state: Parts, weighed: Any, *params: Any) -> tuple[Parts, Parts]:
        (h,) = state
        reset, keep, new = read.chunk(3, -1)
        reset_of, keep_of, new_of = weighed.chunk(3, -1)
        reset, keep = (reset + reset_of).sigmoid(), (keep + keep_of).sigmoid()
        new = (new + reset * new_of).tanh()
        return (new + keep * (h - new),), (reset, keep, new, new_of)

    samples = _samples(1, 3)


# ------------------------------------------------------------------ RNN


def _rnn_states(read, h, v, b, *, nonlinearity):  # type: ignore[no-untyped-def]
    kind = read.dtype
    read, h, v, b = _wide(read, h, v, b)  # type: ignore[no-untyped-call]
    out = np.ascontiguousarray(np.swapaxes(read, 1, 2)) + b[:, None]
    h, product = np.ascontiguousarray(h.T), np.empty(out.shape[1:], out.dtype)
    for y in out:
        np.matmul(v, h, out=product)
        np.add(y, product, out=y)
        h = np.tanh(y, out=y) if nonlinearity == "tanh" else np.maximum(y, 0, out=y)
    return out.astype(kind, copy=False)


def _rnn_slopes(ct, y, v, *, nonlinearity):  # type: ignore[no-untyped-def]
    kind = y.dtype
    ct, y, v = _wide(ct, y, v)  # type: ignore[no-untyped-call]
    out = 1 - y * y if nonlinearity == "tanh" else (y > 0).astype(y.dtype)
    weights, dh = np.ascontiguousarray(v.T), np.zeros(y.shape[1:], y.dtype)
    for i in range(len(y) - 1, -1, -1):
        np.add(dh, ct[i], out=dh)
        np.multiply(out[i], dh, out=out[i])
        np.matmul(weights, out[i], out=dh)
    return out.astype(kind, copy=False)


class rnn_slopes(Slopes):
    params = ("nonlinearity",)
    parts = 1
    kernel = Kernel.from_function(_rnn_slopes, prelude=_WIDE)

    @classmethod
    def back(cls, ct: Parts, y: Parts, before: Any, carried: Parts, v: Any, *params: Any) -> Any:
        (h,) = y
        slope = 1 - h * h if params == ("tanh",) else gt.of(h, 0).to(h.dtype)
        of_sum = (carried[0] + ct[0]) * slope
        return (of_sum,), (v.mT @ of_sum,)

    @classmethod
    def by_operands(cls, found: Any, size: int, v: Any) -> tuple[Any, Any, Parts]:
        return found, found, (v.mT @ found[0],)

    samples = [(*x, way) for x in _samples_of_slopes(0, 1, 1) for way in ("tanh", "relu")]


class rnn_states(Pass):
    params = ("nonlinearity",)
    parts = 1
    slopes = rnn_slopes
    kernel = Kernel.from_function(_rnn_states, prelude=_WIDE)

    @classmethod
    def step(cls, read: Any, state: Parts, weighed: Any, *params: Any) -> tuple[Parts, Parts]:
        total = read + weighed
        return (total.tanh() if params == ("tanh",) else total.relu(),), ()

    samples = [(*x, way) for x in _samples(1, 1) for way in ("tanh", "relu")]
