"""One step of recurrent layers: the state from what is read and the state before."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from symgrad.ops.recurrent import Pass, gru_states, lstm_states, rnn_states

#: Takes what is read, times its weights, the state, and the function that multiplies a state by its
#: weights; returns the next state.
Step = Callable[[Any, tuple[Any, ...], Callable[[Any], Any]], tuple[Any, ...]]


class Kind(NamedTuple):
    """What a kind of recurrent layer computes.

    Attributes
    ----------
    whole : type of Pass
        The operation of all steps.
    params : tuple
        The parameters of the operation.
    gates : int
        How many vectors of the length of the state are read in each step.
    states : int
        How many states there are.
    """

    whole: type[Pass]
    params: tuple[Any, ...]
    gates: int
    states: int = 1

    @property
    def step(self) -> Step:
        return partial(_step, self)


def _step(
    kind: Kind, read: Any, state: tuple[Any, ...], weigh: Callable[[Any], Any]
) -> tuple[Any, ...]:
    return kind.whole.step(read, state, weigh(state[0]), *kind.params)[0]


#: What each mode of recurrent layers computes.
KINDS = {
    "RNN_TANH": Kind(rnn_states, ("tanh",), 1),
    "RNN_RELU": Kind(rnn_states, ("relu",), 1),
    "LSTM": Kind(lstm_states, (), 4, 2),
    "GRU": Kind(gru_states, (), 3),
}
