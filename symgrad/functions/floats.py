"""What users call of `symgrad.ops.floats`, and what PyTorch's graph shows of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from symgrad.expr.dtypes import Category, complex128, dtype, float64
from symgrad.functions import return_types
from symgrad.ops.floats import frexp, ldexp
from symgrad.ops.powers import pow
from symgrad.ops.primitive import bind
from symgrad.record.face import shows
from symgrad.schema.public import in_place, public

shows(ldexp, keeps=(1, 2))
shows(frexp, saved=(), keeps=(2,))


@in_place("ldexp", sharing="any")
def _ldexp_in_place(self: Any, other: Any) -> Any:
    if self.dtype.category < Category.FLOAT:
        kind = self.dtype.scalar_name
        raise RuntimeError(f"ldexp can't be cast to the desired output type {kind}")
    return bind(ldexp, (self, other))


@public(
    "float_power(Tensor self, Tensor exponent, *, Tensor? out=None) -> Tensor",
    "float_power(Scalar self, Tensor exponent, *, Tensor? out=None) -> Tensor",
    "float_power(Tensor self, Scalar exponent, *, Tensor? out=None) -> Tensor",
    in_place="method",
)
def _float_power(input: Any, exponent: Any) -> Any:
    """Return `input` to the power `exponent`, computed in float64, or complex128 of complex ones.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.float_power(torch.tensor([1, 2, 3]), -2)
    tensor([1.0000, 0.2500, 0.1111], dtype=torch.float64)
    """
    kind = _wide_kind(input, exponent)
    return bind(pow, (_widened(input, kind), _widened(exponent, kind)))


@in_place("float_power")
def _float_power_in_place(self: Any, exponent: Any) -> Any:
    kind = _wide_kind(self, exponent)
    if self.dtype is not kind:
        raise RuntimeError(
            f"the base given to float_power_ has dtype {self.dtype.scalar_name} but the "
            f"operation's result requires dtype {kind.scalar_name}"
        )
    return _float_power(self, exponent)


def _wide_kind(*operands: Any) -> dtype:
    kinds = [_is_complex(x) for x in operands]
    return complex128 if any(kinds) else float64


def _has_dtype(x: Any) -> bool:
    """Whether an operand is a tensor or a formula, and no NumPy number, which has a dtype, too."""
    return hasattr(x, "dtype") and not isinstance(x, (np.generic, np.ndarray))


def _is_complex(x: Any) -> bool:
    if _has_dtype(x):
        return bool(x.dtype.is_complex)
    return isinstance(x, complex)


def _widened(x: Any, kind: dtype) -> Any:
    if _has_dtype(x):
        return x.to(kind)
    return complex(x) if kind is complex128 else float(x)


@public("frexp(Tensor self, *, Tensor[2]? out=None) -> (Tensor mantissa, Tensor exponent)")
def _frexp(input: Any) -> Any:
    """Return `mantissa` and `exponent`, of which `input` is `mantissa * 2**exponent`.

    Returns
    -------
    (mantissa, exponent)
        Floats from a half up to but without one in size, and integers.

    Raises
    ------
    RuntimeError
        If `input` does not hold real floats.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.frexp(torch.tensor([1.0, -3.0])).mantissa
    tensor([ 0.5000, -0.7500])
    >>> torch.frexp(torch.tensor([1.0, -3.0])).exponent
    tensor([1, 2], dtype=torch.int32)
    """
    return return_types.frexp(*bind(frexp, (input,)))
