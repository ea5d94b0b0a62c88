"""PyTorch's face of `symgrad.ops.bessel`, and what users call beside it."""

from __future__ import annotations

from typing import Any

from symgrad.ops.bessel import i1
from symgrad.ops.primitive import bind
from symgrad.ops.trigonometric import unscaled_sinc
from symgrad.record.face import shows
from symgrad.schema.public import public

shows(i1, name="SpecialI1")


@public("special.spherical_bessel_j0(Tensor x, *, Tensor? out=None) -> Tensor")
def _spherical_bessel_j0(x: Any) -> Any:
    """Return the spherical Bessel function of order 0, `sin(x) / x`, of each element of `x`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.special.spherical_bessel_j0(torch.tensor([0.0, 1.0]))
    tensor([1.0000, 0.8415])
    """
    return bind(unscaled_sinc, (x,))
