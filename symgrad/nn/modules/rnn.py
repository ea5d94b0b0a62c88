"""Recurrent layers: `RNN`, `LSTM` and `GRU`, of several layers and directions."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from symgrad.expr.dtypes import float32
from symgrad.expr.node import ArrayExpr
from symgrad.functions.creation import CREATION
from symgrad.nn import functional as F  # noqa: N812 - as programs write it
from symgrad.nn import init
from symgrad.nn.modules.layer import parameter
from symgrad.nn.modules.module import Module
from symgrad.nn.modules.steps import KINDS
from symgrad.nn.utils.rnn import PackedSequence
from symgrad.ops.identity import contiguous
from symgrad.ops.primitive import bind
from symgrad.record.face import Face
from symgrad.schema.public import FUNCTIONS
from symgrad.support.refusals import warn

#: Outputs of all steps: PyTorch stacks them, or has an operation of oneDNN's for single precision.
_OUTPUTS = Face(name="Stack")
_LSTM_OUTPUTS = Face(name=lambda node: "MkldnnRnnLayer" if node.dtype is float32 else "Stack")


class RNNBase(Module):
    """The base of recurrent layers.

    Parameters
    ----------
    mode : str
        "RNN_TANH", "RNN_RELU", "LSTM" or "GRU".
    input_size, hidden_size : int
        The lengths of what is read and of the state.
    num_layers : int
        How many layers there are: each reads the states of the one before.
    bias : bool
        Whether there are biases.
    batch_first : bool
        Whether axis 0 of sequences, not axis 1, is that of the batch.
    dropout : float
        With what probability an element is left out between layers, in training.
    bidirectional : bool
        Whether each layer reads backwards as well.
    proj_size : int
        The length that states are projected to; 0 for none.
    device, dtype : optional
        Of the parameters.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.RNNBase("GRU", 2, 3)
    RNNBase(2, 3)
    """

    def __init__(
        self, mode: str, input_size: int, hidden_size: int, num_layers: int = 1,
        bias: bool = True, batch_first: bool = False, dropout: float = 0.0,
        bidirectional: bool = False, proj_size: int = 0, device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        _check_sizes(input_size, hidden_size, num_layers, bias, batch_first, dropout, proj_size)
        self.mode, self.input_size, self.hidden_size = mode, input_size, hidden_size
        self.num_layers, self.bias, self.batch_first = num_layers, bias, batch_first
        self.dropout, self.bidirectional = float(dropout), bidirectional
        self.proj_size = proj_size
        found = KINDS.get(mode)
        if found is None:
            raise ValueError(f"Unrecognized RNN mode: {mode}")
        self._gates = found.gates
        options = {"device": device, "dtype": dtype}
        out = proj_size or hidden_size
        self._all_weights: list[list[str]] = []
        for layer in range(num_layers):
            read = input_size if layer == 0 else out * self._directions
            for end in ("", "_reverse")[: self._directions]:
                rows = self._gates * hidden_size
                shapes: dict[str, tuple[int, ...]] = {
                    "weight_ih": (rows, read),
                    "weight_hh": (rows, out),
                }
                if bias:
                    shapes |= {"bias_ih": (rows,), "bias_hh": (rows,)}
                if proj_size:
                    shapes["weight_hr"] = (proj_size, hidden_size)
                names = {f"{name}_l{layer}{end}": shape for name, shape in shapes.items()}
                for name, shape in names.items():
                    self.register_parameter(name, parameter(*shape, **options))
                self._all_weights.append(list(names))
        self.reset_parameters()

    @property
    def _directions(self) -> int:
        return 2 if self.bidirectional else 1

    @property
    def all_weights(self) -> list[list[Any]]:
        """The parameters of each layer and direction.

        Examples
        --------
        >>> import symgrad as torch
        >>> [tuple(w.shape) for w in torch.nn.GRU(2, 3).all_weights[0]]
        [(9, 2), (9, 3), (9,), (9,)]
        """
        return [[getattr(self, name) for name in names] for names in self._all_weights]

    @property
    def _flat_weights_names(self) -> list[str]:
        """The names of all parameters, by which courses draw them anew."""
        return [name for names in self._all_weights for name in names]

    @property
    def _flat_weights(self) -> list[Any]:
        return [getattr(self, name) for name in self._flat_weights_names]

    def flatten_parameters(self) -> None:
        """Do nothing: it is of use on GPUs alone.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.nn.GRU(2, 3).flatten_parameters()
        """

    def reset_parameters(self) -> None:
        """Draw the parameters anew, uniformly from ±1/sqrt(hidden_size).

        Examples
        --------
        >>> import symgrad as torch
        >>> layer = torch.nn.RNN(1, 1)
        >>> _ = torch.manual_seed(0)
        >>> layer.reset_parameters()
        >>> layer.weight_ih_l0.detach()
        tensor([[-0.0075]])
        """
        bound = 1.0 / math.sqrt(self.hidden_size)
        for weight in self.parameters():
            init.uniform_(weight, -bound, bound)

    def forward(self, input: Any, hx: Any = None) -> Any:
        """Return the states of the last layer at all places, and the last states of all layers.

        Parameters
        ----------
        input : Tensor, ArrayExpr or PackedSequence
            Of shape (L, N, input_size), with N first where `batch_first`, or (L, input_size).
            States of packed sequences are packed, too.
        hx : Tensor, ArrayExpr or tuple, optional
            The first states, of shape (layers * directions, N, hidden_size), zeros where not given;
            of an `LSTM` a pair, with the cells.

        Examples
        --------
        >>> import symgrad as torch
        >>> states, last = torch.nn.GRU(2, 3).forward(torch.ones(5, 4, 2))
        >>> states.shape, last.shape
        (torch.Size([5, 4, 3]), torch.Size([1, 4, 3]))
        """
        if isinstance(input, PackedSequence):
            return self._forward_packed(input, hx)
        rank = len(input.shape)
        if rank not in (2, 3):
            what = "D tensor" if self.mode.startswith("RNN") else "D"
            raise ValueError(
                f"{self._get_name()}: Expected input to be 2D or 3D, got {rank}{what} instead"
            )
        alone = rank == 2
        batch = 0 if self.batch_first else 1
        input = input.unsqueeze(batch) if alone else input
        count = input.shape[0 if self.batch_first else 1]
        states = self._first_states(input, hx, alone, count)
        self._check_dtype(input)
        self._check(input, states, count)
        read = input.transpose(0, 1) if self.batch_first else input
        output, last = self._run(read, states)
        if self.batch_first:
            in_place = self.mode != "LSTM" and not isinstance(output, ArrayExpr)  # as PyTorch's
            output = output.transpose_(0, 1) if in_place else output.transpose(0, 1)
        if alone:
            output, last = output.squeeze(batch), tuple([x.squeeze(1) for x in last])
        return output, last if len(last) > 1 else last[0]

    def _forward_packed(self, packed: PackedSequence, hx: Any) -> Any:
        """Return what `forward` does; the states at all places are packed."""
        read, sizes, order, back = packed
        if len(read.shape) != 2:
            raise RuntimeError(f"input must have 2 dimensions, got {len(read.shape)}")
        counts = tuple(sizes.tolist())
        if hx is None:
            states = self._first_states(read, None, False, counts[0])
        else:
            states = tuple(hx) if self.mode == "LSTM" else (hx,)
            states = tuple([_in_order(x, order) for x in states])
        if self.mode != "LSTM":  # there the first product refuses it
            self._check_dtype(read)
        self._check(read, states, counts[0])
        output, last = self._run(read, states, counts)
        last = tuple([_in_order(x, back) for x in last])
        return PackedSequence(output, sizes, order, back), last if len(last) > 1 else last[0]

    def _first_states(self, input: Any, hx: Any, alone: bool, n: int) -> tuple[Any, ...]:
        """Return the first states of `n` sequences, all with an axis of the batch."""
        count = 2 if self.mode == "LSTM" else 1
        if hx is None:
            rows = self.num_layers * self._directions
            sizes = (self.proj_size or self.hidden_size, self.hidden_size)
            return tuple(
                [CREATION["zeros"](rows, n, size, dtype=input.dtype) for size in sizes[:count]]
            )
        states: tuple[Any, ...] = (hx[0], hx[1]) if count == 2 else (hx,)
        ranks = [len(x.shape) for x in states]
        if ranks != [2 if alone else 3] * count:
            which, size = ("unbatched 2-D", "2-D") if alone else ("batched 3-D", "3-D")
            if count == 2:
                got = f"({ranks[0]}-D, {ranks[1]}-D) tensors"
                raise RuntimeError(
                    f"For {which} input, hx and cx should also be {size} but got {got}"
                )
            raise RuntimeError(
                f"For {which} input, hx should also be {size} but got {ranks[0]}-D tensor"
            )
        return tuple([x.unsqueeze(1) for x in states]) if alone else states

    def _check_dtype(self, input: Any) -> None:
        kind = getattr(self, self._all_weights[0][0]).dtype
        if input.dtype is not kind:
            raise ValueError(
                f"RNN input dtype ({input.dtype}) does not match weight dtype ({kind}). Convert "
                f"input: input.to({kind}), or convert model: model.to({input.dtype})"
            )

    def _check(self, input: Any, states: tuple[Any, ...], n: int) -> None:
        if input.shape[-1] != self.input_size:
            raise RuntimeError(
                "input.size(-1) must be equal to input_size. Expected "
                f"{self.input_size}, got {input.shape[-1]}"
            )
        rows = self.num_layers * self._directions
        sizes = (self.proj_size or self.hidden_size, self.hidden_size)
        for i, (x, size) in enumerate(zip(states, sizes, strict=False)):
            if tuple(x.shape) != (rows, n, size):
                what = f"hidden[{i}]" if len(states) > 1 else "hidden"
                raise RuntimeError(f"Expected {what} size {(rows, n, size)}, got {list(x.shape)}")

    def _run(
        self, read: Any, states: tuple[Any, ...], counts: Sequence[int] | None = None
    ) -> tuple[Any, tuple[Any, ...]]:
        """Run all layers over sequences, whose axis comes first.

        `counts` says how many of packed sequences have each of the places.
        """
        if counts is None and not read.shape[0]:
            raise RuntimeError("Expected sequence length to be larger than 0 in RNN")
        ends: list[tuple[Any, ...]] = []
        for layer in range(self.num_layers):
            if layer:
                read = F.dropout(read, self.dropout, self.training and self.dropout > 0)
            made = []
            for direction in range(self._directions):
                row = layer * self._directions + direction
                first = tuple([x[row] for x in states])
                outputs, end = self._pass(
                    read, first, self._all_weights[row], direction == 1, counts
                )
                made.append(outputs)
                ends.append(end)
            read = made[0] if len(made) == 1 else FUNCTIONS["cat"](made, -1)
        stacked = [FUNCTIONS["stack"](list(parts)) for parts in zip(*ends, strict=True)]
        return read, tuple(stacked)

    def _pass(
        self, read: Any, state: tuple[Any, ...], names: list[str], backwards: bool,
        counts: Sequence[int] | None,
    ) -> tuple[Any, tuple[Any, ...]]:  # fmt: skip
        """Run one layer in one direction: return the outputs, and the last state."""
        weights = [getattr(self, name) for name in names]
        project = weights.pop() if self.proj_size else None
        w, v, b, c = weights if self.bias else (*weights, None, None)
        kind = KINDS[self.mode]
        if counts is None and project is None and _is_one_kind(read, *state, v):
            return self._pass_at_once(F.linear(read, w, b), state, v, c, backwards)
        step = kind.step

        def moved(read: Any, state: tuple[Any, ...]) -> tuple[Any, ...]:
            state = step(read, state, lambda h: F.linear(h, v, c))
            return state if project is None else (F.linear(state[0], project), *state[1:])

        weighed = F.linear(read, w, b)  # at all places at once
        if counts is not None:
            return _over_packed(weighed, state, moved, counts, backwards)
        count = read.shape[0]
        outputs: list[Any] = [None] * count
        for i in reversed(range(count)) if backwards else range(count):
            state = moved(weighed[i], state)
            outputs[i] = state[0]
        return FUNCTIONS["stack"](outputs), state

    def _pass_at_once(
        self, weighed: Any, state: tuple[Any, ...], v: Any, c: Any, backwards: bool
    ) -> tuple[Any, tuple[Any, ...]]:
        """Run one layer in one direction as one operation."""
        kind, size = KINDS[self.mode], self.hidden_size
        if c is None:
            c = CREATION["zeros"](v.shape[0], dtype=v.dtype)
        weighed = weighed.flip(0) if backwards else weighed
        steps = bind(kind.whole, (weighed, *state, v, c), kind.params)
        last = tuple([steps[-1, i * size : (i + 1) * size].mT for i in range(len(state))])
        outputs = steps[:, :size].mT
        outputs = outputs.flip(0) if backwards else outputs
        if not isinstance(outputs, ArrayExpr):  # so lie PyTorch's, in whose order dropout draws
            face = _LSTM_OUTPUTS if self.mode == "LSTM" else _OUTPUTS
            outputs = bind(contiguous, (outputs,), (), face)
        return outputs, last

    def extra_repr(self) -> str:
        usual = {
            "proj_size": 0, "num_layers": 1, "bias": True, "batch_first": False, "dropout": 0,
            "bidirectional": False,
        }  # fmt: skip
        given = [
            f"{name}={getattr(self, name)}"
            for name, value in usual.items()
            if getattr(self, name) != value
        ]
        return ", ".join([str(self.input_size), str(self.hidden_size), *given])


def _is_one_kind(read: Any, *others: Any) -> bool:
    """Return whether arrays have one real dtype, as the operations of all steps ask for."""
    kind = read.dtype
    return kind.is_floating_point and read.shape[0] and all(x.dtype is kind for x in others)


def _in_order(x: Any, order: Any) -> Any:
    """Return states of the sequences in another order."""
    return x if order is None else x.index_select(1, order)


def _over_packed(
    weighed: Any, first: tuple[Any, ...], moved: Callable[..., tuple[Any, ...]],
    counts: Sequence[int], backwards: bool,
) -> tuple[Any, tuple[Any, ...]]:  # fmt: skip
    """Run a step over packed sequences, which end one after the other, the longest last.

    Forwards, a sequence that has ended leaves its state; backwards, it comes in with its first one.
    """
    cat = FUNCTIONS["cat"]
    parts = weighed.split(list(counts))
    outputs: list[Any] = [None] * len(parts)
    order = range(len(parts))
    n = counts[-1] if backwards else counts[0]
    state = tuple([x[:n] for x in first])
    left: list[tuple[Any, ...]] = []
    for i in reversed(order) if backwards else order:
        if counts[i] > n:
            state = tuple([cat([x, y[n : counts[i]]]) for x, y in zip(state, first, strict=True)])
        elif counts[i] < n:
            left.append(tuple([x[counts[i] :] for x in state]))
            state = tuple([x[: counts[i]] for x in state])
        n = counts[i]
        state = moved(parts[i], state)
        outputs[i] = state[0]
    if left:
        state = tuple([cat([x, *ended]) for x, *ended in zip(state, *reversed(left), strict=True)])
    return cat(outputs), state


def _check_sizes(
    input_size: Any, hidden_size: Any, num_layers: Any, bias: Any, batch_first: Any, dropout: Any,
    proj_size: Any,
) -> None:  # fmt: skip
    """Raise PyTorch's error for sizes and flags that no recurrent layer has."""
    if isinstance(dropout, bool) or not isinstance(dropout, (int, float)) or not 0 <= dropout <= 1:
        raise ValueError(
            "dropout should be a number in range [0, 1] representing the probability of an element "
            "being zeroed"
        )
    if dropout > 0 and num_layers == 1:
        warn(
            "dropout option adds dropout after all but last recurrent layer, so non-zero dropout "
            f"expects num_layers greater than 1, but got dropout={dropout} and "
            f"num_layers={num_layers}"
        )
    for name, flag in (("bias", bias), ("batch_first", batch_first)):
        if not isinstance(flag, bool):
            raise TypeError(f"{name} should be of type bool, got: {type(flag).__name__}")
    for name, size in (("input_size", input_size), ("hidden_size", hidden_size)):
        if not isinstance(size, int):
            raise TypeError(f"{name} should be of type int, got: {type(size).__name__}")
        if size <= 0:
            raise ValueError(f"{name} must be greater than zero")
    if num_layers <= 0:
        raise ValueError("num_layers must be greater than zero")
    if proj_size < 0:
        raise ValueError("proj_size should be a positive integer or zero to disable projections")
    if proj_size >= hidden_size:
        raise ValueError("proj_size has to be smaller than hidden_size")


class RNN(RNNBase):
    """A recurrent layer: `h = tanh(W x + b + V h + c)`.

    Parameters
    ----------
    input_size, hidden_size : int
        The lengths of what is read and of the state.
    num_layers : int
        How many layers there are.
    nonlinearity : "tanh" or "relu"
        The function.
    bias, batch_first, dropout, bidirectional, device, dtype
        As those of `RNNBase`.

    Examples
    --------
    >>> import symgrad as torch
    >>> states, last = torch.nn.RNN(10, 20, 2)(torch.randn(5, 3, 10))
    >>> states.shape, last.shape
    (torch.Size([5, 3, 20]), torch.Size([2, 3, 20]))
    """

    def __init__(
        self, input_size: int, hidden_size: int, num_layers: int = 1, nonlinearity: str = "tanh",
        bias: bool = True, batch_first: bool = False, dropout: float = 0.0,
        bidirectional: bool = False, device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        if nonlinearity not in ("tanh", "relu"):
            raise ValueError(
                f"Unknown nonlinearity '{nonlinearity}'. Select from 'tanh' or 'relu'."
            )
        super().__init__(
            f"RNN_{nonlinearity.upper()}", input_size, hidden_size, num_layers, bias, batch_first,
            dropout, bidirectional, 0, device, dtype,
        )  # fmt: skip
        self.nonlinearity = nonlinearity


class LSTM(RNNBase):
    """A long short-term memory: beside the state it has a cell, which gates open and close.

    Parameters
    ----------
    input_size, hidden_size : int
        The lengths of what is read and of the state.
    num_layers : int
        How many layers there are.
    bias, batch_first, dropout, bidirectional, proj_size, device, dtype
        As those of `RNNBase`.

    References
    ----------
    S. Hochreiter and J. Schmidhuber, "Long short-term memory" (1997).

    Examples
    --------
    >>> import symgrad as torch
    >>> states, (last, cells) = torch.nn.LSTM(10, 20)(torch.randn(5, 3, 10))
    >>> states.shape, cells.shape
    (torch.Size([5, 3, 20]), torch.Size([1, 3, 20]))
    """

    def __init__(
        self, input_size: int, hidden_size: int, num_layers: int = 1, bias: bool = True,
        batch_first: bool = False, dropout: float = 0.0, bidirectional: bool = False,
        proj_size: int = 0, device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(
            "LSTM", input_size, hidden_size, num_layers, bias, batch_first, dropout, bidirectional,
            proj_size, device, dtype,
        )  # fmt: skip


class GRU(RNNBase):
    """A gated recurrent unit: the state is a mean of the one before and a new one.

    Parameters
    ----------
    input_size, hidden_size : int
        The lengths of what is read and of the state.
    num_layers : int
        How many layers there are.
    bias, batch_first, dropout, bidirectional, device, dtype
        As those of `RNNBase`.

    References
    ----------
    K. Cho et al., "Learning phrase representations using RNN encoder-decoder" (2014).

    Examples
    --------
    >>> import symgrad as torch
    >>> states, last = torch.nn.GRU(10, 20, bidirectional=True)(torch.randn(5, 3, 10))
    >>> states.shape, last.shape
    (torch.Size([5, 3, 40]), torch.Size([2, 3, 20]))
    """

    def __init__(
        self, input_size: int, hidden_size: int, num_layers: int = 1, bias: bool = True,
        batch_first: bool = False, dropout: float = 0.0, bidirectional: bool = False,
        device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(
            "GRU", input_size, hidden_size, num_layers, bias, batch_first, dropout, bidirectional,
            0, device, dtype,
        )  # fmt: skip
