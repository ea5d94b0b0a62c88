"""What users call of `symgrad.ops.complex_parts`, and what PyTorch's graph shows of it."""

from __future__ import annotations

from typing import Any

from symgrad.ops.complex_parts import angle, conj, imag, real
from symgrad.ops.primitive import bind
from symgrad.record.face import Face, shows
from symgrad.schema.numpy_calls import nearest, numpy_call
from symgrad.schema.public import in_place, public, public_property
from symgrad.tensor.numpy_interop import operand

# PyTorch selects them from a view as pairs.
shows(real, imag, name="Select", inner=(("ViewAsReal", 0),))
shows(angle, frees=True)


_AT_ONCE, _IN_PLACE = Face(name="ConjPhysical"), Face(name="ConjPhysicalBackward1")


@public("conj(Tensor self) -> Tensor", aliases=("conjugate",))
def _conj(input: Any) -> Any:
    """Return the complex conjugate; real tensors themselves.

    Examples
    --------
    >>> import symgrad as torch
    >>> z = torch.tensor([1 + 2j, 3j])
    >>> (z * torch.conj(z)).real
    tensor([5., 9.])
    """
    return bind(conj, (input,)) if input.dtype.is_complex else input


@public("conj_physical(Tensor self, *, Tensor? out=None) -> Tensor", in_place="function")
def _conj_physical(input: Any) -> Any:
    """Return the complex conjugate, in memory of its own; real tensors themselves.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.conj_physical(torch.tensor([1 + 2j, 3j]))
    tensor([1.-2.j, 0.-3.j])
    """
    return bind(conj, (input,), face=_AT_ONCE) if input.dtype.is_complex else input


@in_place("conj_physical")
def _conj_physical_in_place(input: Any) -> Any:
    return bind(conj, (input,), face=_IN_PLACE)


@public("real(Tensor self) -> Tensor", method=False)
@public_property("real")
def _real(input: Any) -> Any:
    """Return the real part; real tensors themselves.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.tensor([1 + 2j, 3j]).real
    tensor([1., 0.])
    """
    return bind(real, (input,)) if input.dtype.is_complex else input


@public("imag(Tensor self) -> Tensor", method=False)
@public_property("imag")
def _imag(input: Any) -> Any:
    """Return the imaginary part of a complex tensor.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.tensor([1 + 2j, 3j]).imag
    tensor([2., 3.])
    """
    if not input.dtype.is_complex:
        raise RuntimeError("imag is not implemented for tensors with non-complex dtypes.")
    return bind(imag, (input,))


nearest("real", "real_if_close")


@numpy_call("real")
def _numpy_real(val: Any) -> Any:
    return operand(val).real


@numpy_call("imag")
def _numpy_imag(val: Any) -> Any:
    x = operand(val)
    return x.imag if x.dtype.is_complex else 0 * x


@numpy_call("angle")
def _numpy_angle(z: Any, deg: bool = False) -> Any:
    return operand(z).angle().rad2deg() if deg else operand(z).angle()


@numpy_call("iscomplex")
def _numpy_iscomplex(x: Any) -> Any:
    return operand(x).isreal().logical_not()


@numpy_call("iscomplexobj")
def _numpy_iscomplexobj(x: Any) -> Any:
    return x.dtype.is_complex


@numpy_call("isrealobj")
def _numpy_isrealobj(x: Any) -> Any:
    return not x.dtype.is_complex
