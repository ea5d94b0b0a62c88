"""One step of a recurrent layer as a layer: `RNNCell`, `LSTMCell`, `GRUCell`."""

from __future__ import annotations

import math
from typing import Any, ClassVar

from symgrad.functions.creation import CREATION
from symgrad.nn import functional as F  # noqa: N812 - as programs write it
from symgrad.nn import init
from symgrad.nn.modules.layer import parameter
from symgrad.nn.modules.module import Module
from symgrad.nn.modules.steps import KINDS, Step
from symgrad.record.record import Recorded
from symgrad.schema.messages import wrong_kind


class RNNCellBase(Module):
    """The base of cells.

    Parameters
    ----------
    input_size, hidden_size : int
        The lengths of what is read and of the state.
    bias : bool
        Whether there are biases.
    num_chunks : int
        How many gates there are.
    device, dtype : optional
        Of the parameters.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.RNNCellBase(2, 3, True, 1).weight_ih.shape
    torch.Size([3, 2])
    """

    #: How many arrays a state has.
    _parts: ClassVar[int] = 1

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool, num_chunks: int, device: Any = None,
        dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.input_size, self.hidden_size, self.bias = input_size, hidden_size, bias
        rows, options = num_chunks * hidden_size, {"device": device, "dtype": dtype}
        self.weight_ih: Any = parameter(rows, input_size, **options)
        self.weight_hh: Any = parameter(rows, hidden_size, **options)
        for name in ("bias_ih", "bias_hh"):
            self.register_parameter(name, parameter(rows, **options) if bias else None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw the parameters anew, uniformly from ±1/sqrt(hidden_size).

        Examples
        --------
        >>> import symgrad as torch
        >>> cell = torch.nn.GRUCell(1, 1)
        >>> _ = torch.manual_seed(0)
        >>> cell.reset_parameters()
        >>> cell.weight_ih.shape
        torch.Size([3, 1])
        """
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0
        for weight in self.parameters():
            init.uniform_(weight, -bound, bound)

    def _step(self) -> Step:
        raise NotImplementedError

    def forward(self, input: Any, hx: Any = None) -> Any:
        """Return the next state.

        Parameters
        ----------
        input : Tensor or ArrayExpr
            Of shape (N, input_size) or (input_size,).
        hx : Tensor, ArrayExpr or tuple, optional
            The state, zeros where not given; of an `LSTMCell` a pair, with the cell.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.nn.RNNCell(2, 3).forward(torch.ones(4, 2)).shape
        torch.Size([4, 3])
        """
        name, rank = self._get_name(), len(input.shape)
        if rank not in (1, 2):
            raise ValueError(f"{name}: Expected input to be 1D or 2D, got {rank}D instead")
        pair = self._parts == 2
        if pair and isinstance(hx, Recorded):
            raise TypeError(wrong_kind("lstm_cell", "hx", "tuple of Tensors", hx, 2))
        given = () if hx is None else (tuple(hx) if pair else (hx,))
        for i, x in enumerate(given):
            if len(x.shape) not in (1, 2):
                what = f"hx[{i}]" if pair else "hidden"
                raise ValueError(
                    f"{name}: Expected {what} to be 1D or 2D, got {len(x.shape)}D instead"
                )
        alone = rank == 1
        read = input.unsqueeze(0) if alone else input
        states = tuple([x.unsqueeze(0) for x in given]) if alone else given
        self._check_input(read)
        if hx is None:
            zeros = CREATION["zeros"](read.shape[0], self.hidden_size, dtype=input.dtype)
            states = (zeros,) * self._parts
        self._check_states(read, states)
        weighed = F.linear(read, self.weight_ih, self.bias_ih)
        out = self._step()(weighed, states, lambda h: F.linear(h, self.weight_hh, self.bias_hh))
        out = tuple([x.squeeze(0) for x in out]) if alone else out
        return out if pair else out[0]

    def _check_input(self, read: Any) -> None:
        if read.shape[1] != self.input_size:
            raise RuntimeError(
                f"input has inconsistent input_size: got {read.shape[1]} expected {self.input_size}"
            )

    def _check_states(self, read: Any, states: tuple[Any, ...]) -> None:
        if len(states) != self._parts:
            raise RuntimeError("lstm_cell expects two hidden states")
        for i, x in enumerate(states):
            if x.shape[0] != read.shape[0]:
                raise RuntimeError(
                    f"Input batch size {read.shape[0]} doesn't match hidden{i} batch size "
                    f"{x.shape[0]}"
                )
            if x.shape[1] != self.hidden_size:
                raise RuntimeError(
                    f"hidden{i} has inconsistent hidden_size: got {x.shape[1]}, expected "
                    f"{self.hidden_size}"
                )

    def extra_repr(self) -> str:
        parts = [str(self.input_size), str(self.hidden_size)]
        if self.bias is not True:
            parts.append(f"bias={self.bias}")
        if getattr(self, "nonlinearity", "tanh") != "tanh":
            parts.append(f"nonlinearity={self.nonlinearity}")
        return ", ".join(parts)


class RNNCell(RNNCellBase):
    """One step of an `RNN`.

    Parameters
    ----------
    input_size, hidden_size : int
        The lengths of what is read and of the state.
    bias : bool
        Whether there are biases.
    nonlinearity : "tanh" or "relu"
        The function.
    device, dtype : optional
        Of the parameters.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.RNNCell(10, 20)(torch.randn(3, 10), torch.randn(3, 20)).shape
    torch.Size([3, 20])
    """

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, nonlinearity: str = "tanh",
        device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(input_size, hidden_size, bias, 1, device, dtype)
        self.nonlinearity = nonlinearity

    def _step(self) -> Step:
        if self.nonlinearity == "tanh":
            return KINDS["RNN_TANH"].step
        if self.nonlinearity == "relu":
            return KINDS["RNN_RELU"].step
        raise RuntimeError(f"Unknown nonlinearity: {self.nonlinearity}")


class LSTMCell(RNNCellBase):
    """One step of an `LSTM`.

    Parameters
    ----------
    input_size, hidden_size : int
        The lengths of what is read and of the state.
    bias : bool
        Whether there are biases.
    device, dtype : optional
        Of the parameters.

    Examples
    --------
    >>> import symgrad as torch
    >>> h, c = torch.nn.LSTMCell(10, 20)(torch.randn(3, 10))
    >>> h.shape, c.shape
    (torch.Size([3, 20]), torch.Size([3, 20]))
    """

    _parts = 2

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, device: Any = None,
        dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(input_size, hidden_size, bias, 4, device, dtype)

    def _step(self) -> Step:
        return KINDS["LSTM"].step


class GRUCell(RNNCellBase):
    """One step of a `GRU`.

    Parameters
    ----------
    input_size, hidden_size : int
        The lengths of what is read and of the state.
    bias : bool
        Whether there are biases.
    device, dtype : optional
        Of the parameters.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.GRUCell(10, 20)(torch.randn(3, 10)).shape
    torch.Size([3, 20])
    """

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, device: Any = None,
        dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(input_size, hidden_size, bias, 3, device, dtype)

    def _step(self) -> Step:
        return KINDS["GRU"].step
