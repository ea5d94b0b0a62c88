"""What users call of `symgrad.ops.powers`, and what PyTorch's graph shows of it."""

from __future__ import annotations

from typing import Any

from symgrad.ops.powers import pow, square
from symgrad.ops.primitive import Primitive, bind
from symgrad.record.face import shows
from symgrad.schema.public import public


def _pow_name(node: Primitive) -> str:
    x, y = node.operands
    return f"PowBackward{0 if y.weak else 2 if x.weak else 1}"


def _pow_names(node: Any) -> dict[str, Any]:
    """Return None for what PyTorch's nodes name, and no derivative here reads."""
    x, exponent = node.operands
    return dict.fromkeys(
        ["self"]
        if exponent.weak
        else ["exponent", "result"]
        if x.weak
        else ["exponent", "result", "self"]
    )


shows(pow, facts=_pow_names, name=_pow_name, frees=True, keeps=(1,), saved=("self", "exponent"))
shows(square, name="Pow", saved=("self",), facts=lambda node: {"exponent": 2})


@public(
    "pow(Tensor self, Tensor exponent, *, Tensor? out=None) -> Tensor",
    "pow(Scalar self, Tensor exponent, *, Tensor? out=None) -> Tensor",
    "pow(Tensor self, Scalar exponent, *, Tensor? out=None) -> Tensor",
    in_place="method",
)
def _pow(input: Any, exponent: Any) -> Any:
    """Return `input` to the power `exponent`, elementwise and broadcast.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.pow(torch.tensor([1.0, 2.0, 3.0]), 2)
    tensor([1., 4., 9.])
    >>> torch.pow(2, torch.tensor([1.0, 2.0, 3.0]))
    tensor([2., 4., 8.])
    """
    return bind(pow, (input, exponent))
