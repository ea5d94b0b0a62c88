"""Polynomials of `symgrad.special` that are others of a shifted argument."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symgrad.ops.polynomials import (
    chebyshev_polynomial_t,
    chebyshev_polynomial_u,
    chebyshev_polynomial_v,
    chebyshev_polynomial_w,
)
from symgrad.ops.primitive import bind
from symgrad.schema.public import public


def _shifted(cls: Any, kind: str, values: str) -> Callable[..., Any]:
    name = f"shifted_{cls.__name__}"

    def f(x: Any, n: Any) -> Any:
        return bind(cls, (2 * x - 1, n))

    f.__doc__ = f"""Return the {kind} Chebyshev polynomial of degree `n` at `2*x - 1` of each `x`.

    Next to 0 and 1, where `2*x - 1` is rounded, it is off by about `n**2` ulps of 1.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.special.{name}(torch.tensor([0.0, 0.75]), 2)
    tensor({values})
    """
    arguments = "*, Tensor? out=None) -> Tensor"
    return public(
        f"special.{name}(Tensor x, Tensor n, {arguments}",
        f"special.{name}(Scalar x, Tensor n, {arguments}",
        f"special.{name}(Tensor x, Scalar n, {arguments}",
    )(f)


_shifted(chebyshev_polynomial_t, "first", "[ 1.0000, -0.5000]")
_shifted(chebyshev_polynomial_u, "second", "[3., 0.]")
_shifted(chebyshev_polynomial_v, "third", "[ 5., -1.]")
_shifted(chebyshev_polynomial_w, "fourth", "[1., 1.]")
