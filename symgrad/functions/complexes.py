"""What users call of `symgrad.ops.complexes`, and what PyTorch's graph shows of it."""

from __future__ import annotations

from typing import Any

from symgrad.ops.complexes import from_parts, polar, view_as_complex, view_as_real
from symgrad.ops.operand_values import data_of
from symgrad.ops.primitive import bind
from symgrad.record.face import nothing, shows
from symgrad.schema.public import public

shows(
    from_parts,
    saved=("real", "imag"),
    facts=lambda node: {"real": None, "imag": None},
    name="Complex",
    frees=True,
)
shows(polar, saved=("abs",), facts=nothing, name="Polar")


@public("complex(Tensor real, Tensor imag, *, Tensor? out=None) -> Tensor", method=False)
def _complex(real: Any, imag: Any) -> Any:
    """Return the complex numbers with the given real and imaginary parts, broadcast.

    Parameters
    ----------
    real, imag : Tensor or ArrayExpr
        Of one floating dtype.

    Raises
    ------
    RuntimeError
        If the parts are not of one floating dtype.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.complex(torch.tensor([1.0, 2.0]), torch.tensor([0.0, -1.0]))
    tensor([1.+0.j, 2.-1.j])
    """
    return bind(from_parts, (real, imag))


@public("polar(Tensor abs, Tensor angle, *, Tensor? out=None) -> Tensor", method=False)
def _polar(abs: Any, angle: Any) -> Any:
    """Return the complex numbers of the given moduli and angles.

    The derivative with respect to a modulus is the direction of the angle, also where it is not
    positive.

    Parameters
    ----------
    abs, angle : Tensor or ArrayExpr
        Of one floating dtype; the angles in radians.

    Raises
    ------
    RuntimeError
        If they are not of one floating dtype.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.polar(torch.tensor([1.0, 2.0]), torch.tensor([0.0, 3.141592653589793])).real
    tensor([ 1., -2.])
    """
    return bind(polar, (abs, angle))


@public("view_as_real(Tensor self) -> Tensor", method=False)
def _view_as_real(input: Any) -> Any:
    """Return complex numbers as pairs of real ones along a new last axis.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.view_as_real(torch.tensor([1 + 2j, -1j]))
    tensor([[ 1.,  2.],
            [-0., -1.]])
    """
    return bind(view_as_real, (input,))


@public("view_as_complex(Tensor self) -> Tensor", method=False)
def _view_as_complex(input: Any) -> Any:
    """Return the pairs of real numbers along the last axis as complex ones.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.view_as_complex(torch.tensor([[1.0, 2.0], [0.0, -1.0]]))
    tensor([1.+2.j, 0.-1.j])
    """
    made = bind(view_as_complex, (input,))
    data = data_of(input)
    if data is not None and data.size:
        *outer, last = data.strides
        if last != data.itemsize:
            raise RuntimeError("Tensor must have a last dimension with stride 1")
        if any(s % (2 * last) for n, s in zip(data.shape, outer, strict=False) if n > 1):
            raise RuntimeError(
                "Tensor must have a stride divisible by 2 for all but last dimension"
            )
        if input.storage_offset() % 2:
            raise RuntimeError("Tensor must have a storage_offset divisible by 2")
    return made


@public("resolve_conj(Tensor self) -> Tensor")
def _resolve_conj(input: Any) -> Any:
    """Return `input`, of which every conjugation has been computed.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.tensor([1 + 2j]).conj().resolve_conj()
    tensor([1.-2.j])
    """
    return input


@public("resolve_neg(Tensor self) -> Tensor")
def _resolve_neg(input: Any) -> Any:
    """Return `input`, of which every negation has been computed.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.tensor([1 + 2j]).conj().imag.resolve_neg()
    tensor([-2.])
    """
    return input


@public("is_conj(Tensor self) -> bool")
def _is_conj(input: Any) -> Any:
    """Return False: no tensor waits to be conjugated.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.tensor([1 + 2j]).conj().is_conj()
    False
    """
    return False


@public("is_neg(Tensor self) -> bool")
def _is_neg(input: Any) -> Any:
    """Return False: no tensor waits to be negated.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.tensor([1 + 2j]).conj().imag.is_neg()
    False
    """
    return False
