"""What users call of `symgrad.ops.fused`, and what PyTorch's graph shows of it."""

from __future__ import annotations

from typing import Any

from symgrad.ops.fused import addcdiv, addcmul, lerp
from symgrad.ops.primitive import bind
from symgrad.record.face import numbered, shows
from symgrad.schema.public import public

shows(addcdiv, addcmul, saved=("self", "tensor1", "tensor2", "value"))
shows(lerp, name=numbered("Lerp", 2, number=0, tensor=1), saved=("self", "end", "weight"))


@public(
    "lerp(Tensor self, Tensor end, Tensor weight, *, Tensor? out=None) -> Tensor",
    "lerp(Tensor self, Tensor end, Scalar weight, *, Tensor? out=None) -> Tensor",
    in_place="method",
)
def _lerp_public(input: Any, end: Any, weight: Any) -> Any:
    """Return `input + weight * (end - input)`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.lerp(torch.tensor([0.0, 10.0]), torch.tensor([1.0, 20.0]), 0.25)
    tensor([ 0.2500, 12.5000])
    """
    if not hasattr(weight, "shape"):
        weight = _plainest(weight)
        weight = int(weight) if isinstance(weight, bool) else weight
    return bind(lerp, (input, end, weight))


def _plainest(value: Any) -> Any:
    """Return a complex number that is real as a real one, which real operands admit."""
    return value.real if isinstance(value, complex) and not value.imag else value


@public(
    "addcmul(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1, Tensor? out=None) -> Tensor",
    "-addcmul(Tensor self, Scalar value, Tensor tensor1, Tensor tensor2) -> Tensor",
    in_place="method",
)
def _addcmul(input: Any, tensor1: Any, tensor2: Any, *, value: Any = 1) -> Any:
    """Return `input + value * tensor1 * tensor2`.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([1.0, 1.0])
    >>> torch.addcmul(x, torch.tensor([2.0, 3.0]), torch.tensor([4.0, 5.0]), value=0.5)
    tensor([5.0000, 8.5000])
    """
    value = _plainest(value)
    return bind(addcmul, (input, tensor1, tensor2, value))


@public(
    "addcdiv(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1, Tensor? out=None) -> Tensor",
    "-addcdiv(Tensor self, Scalar value, Tensor tensor1, Tensor tensor2) -> Tensor",
    in_place="method",
)
def _addcdiv(input: Any, tensor1: Any, tensor2: Any, *, value: Any = 1) -> Any:
    """Return `input + value * tensor1 / tensor2`.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([1.0, 1.0])
    >>> torch.addcdiv(x, torch.tensor([2.0, 3.0]), torch.tensor([4.0, 6.0]), value=2)
    tensor([2., 2.])
    """
    value = _plainest(value)
    return bind(addcdiv, (input, tensor1, tensor2, value))
