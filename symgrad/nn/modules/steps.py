"""One step of recurrent layers: the state from what is read and the state before."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symgrad.nn import functional as F  # noqa: N812 - as programs write it
from symgrad.schema.public import FUNCTIONS

#: Takes what is read, times its weights, the state, and the function that multiplies a state by its
#: weights; returns the next state.
Step = Callable[[Any, tuple[Any, ...], Callable[[Any], Any]], tuple[Any, ...]]


def tanh_step(read: Any, state: tuple[Any, ...], weigh: Callable[[Any], Any]) -> tuple[Any, ...]:
    """Return `tanh(read + weigh(h))`."""
    return (FUNCTIONS["tanh"](read + weigh(state[0])),)


def relu_step(read: Any, state: tuple[Any, ...], weigh: Callable[[Any], Any]) -> tuple[Any, ...]:
    """Return `relu(read + weigh(h))`."""
    return (F.relu(read + weigh(state[0])),)


def gru_step(read: Any, state: tuple[Any, ...], weigh: Callable[[Any], Any]) -> tuple[Any, ...]:
    """Return the state of a gated recurrent unit: a mean of the state before and a new one."""
    (h,) = state
    reset, keep, new = read.chunk(3, -1)
    reset_of, keep_of, new_of = weigh(h).chunk(3, -1)
    reset, keep = (reset + reset_of).sigmoid(), (keep + keep_of).sigmoid()
    candidate = (new + reset * new_of).tanh()
    return (candidate + keep * (h - candidate),)


def lstm_step(read: Any, state: tuple[Any, ...], weigh: Callable[[Any], Any]) -> tuple[Any, ...]:
    """Return the output and the cell of a long short-term memory."""
    h, c = state
    take, keep, new, show = (read + weigh(h)).chunk(4, -1)
    c = keep.sigmoid() * c + take.sigmoid() * new.tanh()
    return show.sigmoid() * c.tanh(), c
