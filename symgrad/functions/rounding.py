"""What users call of `symgrad.ops.rounding`, and what PyTorch's graph shows of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from symgrad.ops.primitive import Primitive, bind
from symgrad.ops.rounding import floor_divide, fmod, quotient, remainder, round
from symgrad.record.face import Face, numbered, renamed, shows, stated
from symgrad.schema.numpy_calls import numpy_call
from symgrad.schema.public import in_place, public
from symgrad.tensor.numpy_interop import bind_universal, operand


def _round_name(node: Primitive) -> str:
    return "RoundBackward0" if node.decimals is None else "RoundBackward1"


shows(round, name=_round_name)
shows(
    quotient,
    name="DivBackward2",
    numbers="each",
    frees=True,
    facts=stated(renamed(rounding_mode="rounding"), lambda node: {"self": None, "other": None}),
    # The divisor is read for both gradients, the dividend for that of the divisor.
    keeps=lambda needs: (0, 1) if needs[1] else (1,),
)
shows(remainder, name=numbered("Remainder", 1, number=0, tensor=1))
shows(fmod, name=numbered("Fmod", 1, number=0, tensor=1))


@public(
    "round(Tensor self, *, Tensor? out=None) -> Tensor",
    "round(Tensor self, *, int decimals, Tensor? out=None) -> Tensor",
    aliases=("special.round",),
    in_place="function",
)
def _round(input: Any, *, decimals: int | None = None) -> Any:
    """Round to the nearest multiple of `10**-decimals`, halves to even.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.round(torch.tensor([0.5, 1.5, 2.5]))
    tensor([0., 2., 2.])
    >>> torch.round(torch.tensor([1.2345]), decimals=2)
    tensor([1.2300])
    """
    return bind(round, (input,), (None if decimals is None else int(decimals),))


@public(
    "floor_divide(Tensor self, Tensor other, *, Tensor? out=None) -> Tensor",
    "floor_divide(Tensor self, Scalar other) -> Tensor",
    numbers=True,
    in_place="method",
)
def _floor_divide(input: Any, other: Any) -> Any:
    """Return `input // other`, rounded down and broadcast; it has no derivative.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.floor_divide(torch.tensor([7, -7]), 2)
    tensor([ 3, -4])
    """
    return bind(floor_divide, (input, other))


_IN_PLACE = Face(refusal="derivative for aten::floor_divide_ is not implemented")


@in_place("floor_divide")
def _floor_divide_in_place(self: Any, other: Any) -> Any:
    return bind(floor_divide, (self, other), face=_IN_PLACE)


@numpy_call("round", "around")
def _numpy_round(a: Any, decimals: int = 0, out: None = None) -> Any:
    return operand(a).round(decimals=decimals) if decimals else operand(a).round()


@numpy_call("divmod")
def _numpy_divmod(x1: Any, x2: Any, /) -> Any:
    return bind_universal(np.floor_divide, x1, x2), bind_universal(np.remainder, x1, x2)
