"""What users call of `symgrad.ops.integrals` that has two results."""

from __future__ import annotations

from typing import Any

from symgrad.ops.integrals import cosine_integral, sine_integral
from symgrad.ops.primitive import bind
from symgrad.schema.public import public


@public("special.sici(Tensor x) -> (Tensor si, Tensor ci)")
def _sici(x: Any) -> Any:
    """Return the sine integral and the cosine integral of each element of `x`.

    Of a negative number the cosine integral is its real part, that of `abs(x)`. It has up to 16 ulps.

    Returns
    -------
    tuple of Tensor or ArrayExpr
        The integral of `sin(t) / t` from 0 to `x`, and minus that of `cos(t) / t` from `x` on, as
        `si` and `ci`.

    Examples
    --------
    >>> import symgrad as torch
    >>> si, ci = torch.special.sici(torch.tensor([1.0, 2.0]))
    >>> si, ci
    (tensor([0.9461, 1.6054]), tensor([0.3374, 0.4230]))
    """
    return bind(sine_integral, (x,)), bind(cosine_integral, (x,))
