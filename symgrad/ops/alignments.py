"""How unlikely sequences are over all ways to align them with what is read: `alignment_loss`.

The states of a sequence are its classes with blanks around each. At each time one state is read; it
is reached from itself, from the one before, and past a blank between two classes that differ.
Kernels compute with logarithms in double precision.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from numeric.kernel import Kernel
from symgrad.expr.atoms import ArrayConst, as_expr
from symgrad.expr.dtypes import dtype, float32, float64, no_kernel
from symgrad.expr.graph import replace_nodes
from symgrad.expr.node import ArrayExpr
from symgrad.expr.shapes import Shape
from symgrad.ops import symbols, transforms
from symgrad.ops.axes import number_systems
from symgrad.ops.broadcasting import broadcast_to
from symgrad.ops.composite import StandIn
from symgrad.ops.gathering import gather
from symgrad.ops.joining import cat, stack
from symgrad.ops.primitive import Cotangents, Primitive
from symgrad.ops.rearranging import constant_pad_nd
from symgrad.ops.selection import definitions
from symgrad.ops.where import where

_NEVER = float("-inf")
_LOGS = np.log(0.2 + np.cos(1.7 * np.arange(24.0)).reshape(4, 2, 3).round(2) ** 2)

# ------------------------------------------------------------------ kernels


def _states_of(labels: Any, lengths: Any, blank: int) -> Any:
    # The classes of states, and what bars the way past a blank: 0, or minus infinity where it is
    # barred. Both have the shape (states, sequences).
    count, width = labels.shape
    states = np.full((2 * width + 1, count), blank)
    states[1::2] = np.where(np.arange(width)[:, None] < lengths, labels.T, blank)
    bars = np.full(states.shape, -np.inf)
    bars[2:][states[2:] != states[:-2]] = 0
    return states, bars


def _ends_of(count: int, lengths: Any) -> Any:
    # What bars the end of each sequence in each of so many states.
    beyond = np.arange(count)[:, None] - 2 * lengths
    return np.where((beyond == 0) | (beyond == -1), 0.0, -np.inf)


def _log_sum(ways: Any, most: Any, out: Any) -> None:
    # The logarithm of the sum of exponentials, in the memory that is given.
    # The least of all numbers, from which minus infinity differs, where there is no way at all.
    np.maximum.reduce(ways, 0, out=most, initial=-1.7976931348623157e308)
    np.subtract(ways, most, out=ways)
    np.exp(ways, out=ways)
    np.add.reduce(ways, 0, out=out)
    np.log(out, out=out)
    np.add(out, most, out=out)


def _reached(read: Any, bars: Any) -> Any:
    # For each time and state, the logarithm of the probability of what was read up to there.
    times, count, batch = read.shape
    found = np.full((times, count + 2, batch), -np.inf)
    found[0, 2:4] = read[0, :2]
    ways, most = np.empty((3, count, batch)), np.empty((count, batch))
    for before, after, now in zip(found, found[1:, 2:], read[1:], strict=False):
        ways[0], ways[1] = before[2:], before[1:-1]
        np.add(before[:-2], bars, out=ways[2])
        _log_sum(ways, most, after)
        np.add(after, now, out=after)
    return found[:, 2:]


def _ahead(read: Any, bars: Any, inputs: Any, lengths: Any) -> Any:
    # For each time and state, that of what is read later, up to the end of each sequence.
    times, count, batch = read.shape
    found = np.full((times, count, batch), -np.inf)
    ends = _ends_of(count, lengths)
    ways, most = np.empty((3, count, batch)), np.empty((count, batch))
    after = np.full((count + 2, batch), -np.inf)
    later = np.full((count, batch), -np.inf)
    later[:-2] = bars[2:]
    stops = set(inputs.tolist())
    for t in range(times - 1, -1, -1):
        if t < times - 1:
            np.add(found[t + 1], read[t + 1], out=after[:-2])
            ways[0], ways[1] = after[:-2], after[1:-1]
            np.add(after[2:], later, out=ways[2])
            _log_sum(ways, most, found[t])
        if t + 1 in stops:
            np.copyto(found[t], ends, where=inputs == t + 1)
    return found


def _found(reached: Any, inputs: Any, lengths: Any) -> Any:
    # The loss of each sequence. Without input an empty one is certain.
    each, last = np.arange(len(inputs)), 2 * lengths
    ways = reached[inputs - 1, np.stack([last, np.maximum(last - 1, 0)]), each]
    ways[1, lengths == 0] = -np.inf
    out, most = np.empty(len(inputs)), np.empty(len(inputs))
    _log_sum(ways, most, out)
    return np.where(inputs > 0, -out, np.where(lengths > 0, np.inf, 0.0))


def _alignment_loss(x, labels, inputs, lengths, *, blank):  # type: ignore[no-untyped-def]
    states, bars = _states_of(labels, lengths, blank)
    read = x.astype(np.float64)[:, np.arange(len(inputs)), states]
    return _found(_reached(read, bars), inputs, lengths).astype(x.dtype)


def _alignment_slope(x, labels, inputs, lengths, *, blank):  # type: ignore[no-untyped-def]
    states, bars = _states_of(labels, lengths, blank)
    each = np.arange(len(inputs))
    read = x.astype(np.float64)[:, each, states]
    reached = _reached(read, bars)
    losses = _found(reached, inputs, lengths)
    chances = _ahead(read, bars, inputs, lengths)
    chances += reached
    chances += np.where(losses == np.inf, 0, losses)
    np.exp(chances, out=chances)
    chances[:, :, losses == np.inf] = 0
    places = np.arange(len(x))[:, None, None] * (x.shape[1] * x.shape[2]) + (
        each * x.shape[2] + states
    )
    found = np.bincount(places.ravel(), chances.ravel(), x.size)
    return -found.reshape(x.shape).astype(x.dtype)


_PRELUDE = definitions(_states_of, _ends_of, _log_sum, _reached, _ahead, _found)


def _of_numbers(exp: Any, log: Any, sqrt: Any) -> Callable[..., Any]:
    """Return the kernel of the loss on arrays of other numbers."""

    def compute(x: Any, labels: Any, inputs: Any, lengths: Any, *, blank: int) -> Any:
        ways, _ = _paths(exp(x), labels, inputs, lengths, blank)
        return -log(ways)

    return compute


def _of_numbers_slope(exp: Any, log: Any, sqrt: Any) -> Callable[..., Any]:
    def compute(x: Any, labels: Any, inputs: Any, lengths: Any, *, blank: int) -> Any:
        chances = exp(x)
        ways, passing = _paths(chances, labels, inputs, lengths, blank)
        return -passing / ways[:, None]

    return compute


def _paths(chances: Any, labels: Any, inputs: Any, lengths: Any, blank: int) -> Any:
    """Return the probability of each sequence, and that of it by a class read at a time."""
    labels, inputs, lengths = [_whole(i) for i in (labels, inputs, lengths)]
    total = np.zeros(len(inputs), object)
    passing = np.zeros(chances.shape, object)
    for n, (row, last, length) in enumerate(zip(labels, inputs, lengths, strict=True)):
        states = [blank] * (2 * length + 1)
        states[1::2] = row[:length].tolist()
        steps = [
            [j for j in (k, k - 1, k - 2) if j >= 0 and (k - j < 2 or states[k] != states[j])]
            for k in range(len(states))
        ]
        ends = [0] * len(states)
        ends[-2:] = [1] * len(ends[-2:])
        reached = [[chances[0, n, c] if k < 2 else 0 for k, c in enumerate(states)]]
        for t in range(1, last):
            came = [sum([reached[-1][j] for j in js]) for js in steps]
            reached.append([p * chances[t, n, c] for p, c in zip(came, states, strict=True)])
        ahead = ends
        for t in range(last - 1, -1, -1):
            for k, c in enumerate(states):
                passing[t, n, c] += reached[t][k] * ahead[k]
            onward = [p * chances[t, n, c] for p, c in zip(ahead, states, strict=True)]
            ahead = [
                sum([onward[i] for i, js in enumerate(steps) if k in js])
                for k in range(len(states))
            ]
        if last:
            total[n] = sum([p * q for p, q in zip(reached[-1], ends, strict=True)])
        else:
            total[n] = int(not length)
    return total, passing


def _whole(x: Any) -> Any:
    """Return integers that are given as other numbers."""
    if x.dtype != object:
        return x
    found = symbols.known([x])
    if found is None:
        raise TypeError("classes and lengths have to be known")
    return found[0]


# ------------------------------------------------------------------ the formula


def _log_of_sum(x: Any, axis: int) -> ArrayExpr:
    """Return `log(sum(exp(x)))` along an axis, whose derivative is 0 where all are minus infinity."""
    most = x.detach().amax(axis)
    most = where.of(most.eq(_NEVER), 0.0, most)
    total = (x - most.unsqueeze(axis)).exp().sum(axis)
    none = total.eq(0)
    return where.of(none, _NEVER, where.of(none, 1.0, total).log() + most)


def loss_formula(*args: Any) -> ArrayExpr:
    """Return the loss of each sequence as a formula of operations on arrays.

    References
    ----------
    A. Graves et al., "Connectionist temporal classification" (2006), equations 6 to 8.
    """
    x, labels, inputs, lengths, blank = args
    times, batch, _ = x.shape
    states, bars, ends = _states_formula(labels, lengths, blank)
    count = states.shape[1]
    read = gather.of(x, broadcast_to.of(states, (times, batch, count)), 2)
    reached = where.of(as_expr(np.arange(count) < 2), read[0], _NEVER)
    for t in range(1, times):
        ways = [reached]
        if count > 1:
            ways.append(_shifted(reached[:, :-1], 1))
            ways.append(_shifted(reached[:, :-2] + bars.to(x.dtype), 2))
        moved = _log_of_sum(stack.of(*ways, 0), 0) + read[t]
        reached = where.of((inputs > t).unsqueeze(1), moved, reached)
    found = -_log_of_sum(reached + ends.to(x.dtype), 1)
    certain = where.of(lengths > 0, as_expr(np.inf), 0.0).to(x.dtype)
    return where.of(inputs > 0, found, certain)


def _states_formula(labels: Any, lengths: Any, blank: int) -> Any:
    """Return the classes of states, what bars the way past each, and what bars the end in each."""
    if type(labels) is ArrayConst and type(lengths) is ArrayConst:
        states, bars = _states_of(labels.value, lengths.value, blank)
        ends = _ends_of(len(states), lengths.value)
        return [as_expr(x.T.copy()) for x in (states, bars[2:], ends)]
    batch, width = labels.shape
    kept = where.of(as_expr(np.arange(width)) < lengths.unsqueeze(1), labels, blank)
    blanks = as_expr(np.full((batch, width + 1), blank))
    pairs = stack.of(blanks[:, :width], kept, 2).reshape((batch, 2 * width))
    made: Any = cat.of(pairs, blanks[:, width:], 1)
    barred = where.of(made[:, 2:].eq(made[:, :-2]), _NEVER, 0.0)
    beyond: Any = as_expr(np.arange(2 * width + 1)) - 2 * lengths.unsqueeze(1)
    last = beyond.eq(0).logical_or(beyond.eq(-1))
    return made, barred, where.of(last, 0.0, _NEVER)


def _shifted(x: ArrayExpr, by: int) -> ArrayExpr:
    return constant_pad_nd.of(x, as_expr(_NEVER), ((0, 0), (by, 0)))


# ------------------------------------------------------------------ operations


class _Alignment(Primitive, abstract=True):
    """A function of logarithms of probabilities, and of sequences and the lengths of both."""

    internal = True
    params = ("blank",)
    blank: int

    def folded(
        self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]
    ) -> ArrayExpr:
        """Return the operation on the sequences of all entries of a batch, one after the other."""
        made = []
        for i, (x, given, has) in enumerate(zip(operands, self.operands, batched, strict=True)):
            y = x if has else broadcast_to.of(x, (size, *given.shape))
            if i:
                made.append(y.reshape((size * given.shape[0], *given.shape[1:])))
            else:
                times, batch, classes = given.shape
                made.append(y.transpose(0, 1).reshape((times, size * batch, classes)))
        return self.of(*made, self.blank)

    samples = [
        (_LOGS[:2, :1], np.array([[1]]), np.array([2]), np.array([1]), 0),
        (_LOGS, np.array([[1, 2], [2, 2]]), np.array([4, 4]), np.array([2, 2]), 0),
        (_LOGS, np.array([[1], [0]]), np.array([3, 4]), np.array([1, 0]), 2),
        (_LOGS[:, :1], np.array([[1, 1]]), np.array([3]), np.array([2]), 0),
    ]


class alignment_loss(_Alignment):
    """The negative logarithm of the probability to read a sequence, over all ways to align it."""

    kernel = Kernel.from_function(
        _alignment_loss, prelude=_PRELUDE, number_systems=number_systems(_of_numbers)
    )

    @classmethod
    def infer(cls, *args: Any) -> tuple[Shape, dtype]:
        x = args[0]
        if x.dtype not in (float32, float64):
            raise no_kernel("ctc_loss_cpu", x.dtype)
        return (x.shape[1],), x.dtype

    def equal_formula(self) -> ArrayExpr:
        return loss_formula(*self.operands, self.blank)

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        slope = alignment_slope.of(*self.operands, self.blank)
        return (ct.unsqueeze(1) * slope, None, None, None)

    def jvp(self, tangents: Sequence[ArrayExpr | None]) -> ArrayExpr | None:
        t = tangents[0]
        if t is None:
            return None
        made: ArrayExpr = (t * alignment_slope.of(*self.operands, self.blank)).sum((0, 2))
        return made

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        made: ArrayExpr = self.folded(size, operands, batched).reshape((size, *self.shape))
        return made


class alignment_slope(_Alignment):
    """The derivative of the loss by logarithms: minus how probable it is to read a class at a time.

    It is 0 where a sequence cannot be aligned. Its own derivative is that of the formula.
    """

    kernel = Kernel.from_function(
        _alignment_slope, prelude=_PRELUDE, number_systems=number_systems(_of_numbers_slope)
    )

    @classmethod
    def infer(cls, *args: Any) -> tuple[Shape, dtype]:
        _, kind = alignment_loss.infer(*args)
        return args[0].shape, kind

    def _formula(self, x: ArrayExpr) -> ArrayExpr:
        total: Any = loss_formula(x, *self.operands[1:], self.blank).sum()
        (made,) = transforms.vjp.call([total], [as_expr(1).to(self.dtype)], [x])
        found: ArrayExpr = made
        return found

    def equal_formula(self) -> ArrayExpr:
        x = StandIn.of(self.operands[0])
        (made,) = replace_nodes([self._formula(x)], {x: self.operands[0]})
        return made

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        x = StandIn.of(self.operands[0])
        (second,) = transforms.vjp.call([self._formula(x)], [ct], [x])
        (made,) = replace_nodes([second], {x: self.operands[0]})
        return (made, None, None, None)

    def jvp(self, tangents: Sequence[ArrayExpr | None]) -> ArrayExpr | None:
        # Second derivatives are symmetric.
        return None if tangents[0] is None else self.vjp(tangents[0], ())[0]

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        times, batch, classes = self.shape
        found: Any = self.folded(size, operands, batched).reshape((times, size, batch, classes))
        made: ArrayExpr = found.transpose(0, 1)
        return made
