"""What users call of `symgrad.ops.signs`, and what PyTorch's graph shows of it."""

from __future__ import annotations

from typing import Any

from symgrad.ops.primitive import bind
from symgrad.ops.signs import abs, copysign, heaviside, sgn
from symgrad.record.face import Face, numbered, shows
from symgrad.schema.numpy_calls import numpy_call
from symgrad.schema.public import in_place, public
from symgrad.tensor.numpy_interop import as_float, of_one_kind

shows(sgn, keeps=(0, 1), frees=True)
shows(copysign, name=numbered("Copysign", 1, number=1, tensor=0), keeps=(0,), frees=True)


@in_place("abs")
@in_place("absolute")
def _abs_in_place(input: Any) -> Any:
    if input.dtype.is_complex:
        raise RuntimeError("In-place abs is not supported for complex tensors.")
    return bind(abs, (input,))


@public("heaviside(Tensor self, Tensor values, *, Tensor? out=None) -> Tensor", in_place="method")
def _heaviside(input: Any, values: Any) -> Any:
    """Return 1 where `input` is positive, 0 where it is negative or nan, `values` where it is 0.

    It has no derivative.

    Parameters
    ----------
    values : Tensor or ArrayExpr
        What stands where `input` is zero; broadcast, of the same dtype.

    Raises
    ------
    RuntimeError
        For complex tensors, and for two different dtypes.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.heaviside(torch.tensor([-1.5, 0.0, 2.0]), torch.tensor(0.5))
    tensor([0.0000, 0.5000, 1.0000])
    """
    return _stepped(input, values)


@numpy_call("heaviside")
def _numpy_heaviside(x1: Any, x2: Any) -> Any:
    x, values = of_one_kind(x1, x2)
    return as_float(x).heaviside(as_float(values))


_IN_PLACE = Face(refusal="derivative for aten::heaviside_ is not implemented")


@in_place("heaviside")
def _heaviside_in_place(self: Any, values: Any) -> Any:
    return _stepped(self, values, _IN_PLACE)


def _stepped(input: Any, values: Any, face: Face | None = None) -> Any:
    return bind(heaviside, (input, values), face=face)
