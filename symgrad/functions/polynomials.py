"""Polynomials of `symgrad.special` that are others of a shifted argument, and SciPy's names."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from symgrad.functions.degrees import whole, widened
from symgrad.ops.polynomials import (
    associated_laguerre,
    chebyshev_polynomial_t,
    chebyshev_polynomial_u,
    chebyshev_polynomial_v,
    chebyshev_polynomial_w,
    gegenbauer_polynomial,
    hermite_polynomial_h,
    hermite_polynomial_he,
    jacobi_polynomial,
    laguerre_polynomial_l,
    legendre_polynomial_p,
)
from symgrad.ops.primitive import bind
from symgrad.schema.public import public


def _shifted(cls: Any, kind: str, values: str) -> Callable[..., Any]:
    name = f"shifted_{cls.__name__}"

    def f(x: Any, n: Any) -> Any:
        return bind(cls, (2 * widened(x) - 1, n))

    f.__doc__ = f"""Return the {kind} Chebyshev polynomial of degree `n` at `2*x - 1` of each `x`.

    Next to 0 and 1, where `2*x - 1` is rounded, it is off by about `5*n**2` ulps of its size.

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


def _evaluated(
    cls: Any, name: str, kind: str, value: str, most: int = 64, shifted: bool = False
) -> None:
    """Enter the function of SciPy's, whose degree stands before the argument."""
    parameters = cls.operand_names[2:]

    def f(n: Any, *rest: Any) -> Any:
        *more, x = rest
        return bind(cls, (2 * widened(x) - 1 if shifted else x, whole(name, "n", n), *more))

    names = ["n", *parameters, "x"]
    f.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [inspect.Parameter(n, inspect.Parameter.POSITIONAL_OR_KEYWORD) for n in names]
    )
    given = "".join(["1.5, " for _ in parameters])
    digits = (
        "Next to 0 and\n    1, where `2*x - 1` is rounded, it is off by about `5*n**2` ulps of its size."
        if shifted
        else f"Values of\n    degrees up to 10 have up to 32 ulps, up to 100 up to {most}; between roots these are ulps of the\n"
        "    polynomial's size there."
    )
    f.__doc__ = f"""Return the {kind} of degree `n` at each `x`.

    There is no derivative with respect to {" or ".join([f"`{n}`" for n in names[:-1]])}. {digits}

    Raises
    ------
    TypeError
        If `n` is no whole number, nor a tensor of integers.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.special.{name}(2, {given}torch.tensor([0.5, 2.0]))
    tensor({value})
    """
    taken = ", ".join([f"Tensor {n}" for n in names])
    public(f"special.{name}({taken}) -> Tensor", numbers=True)(f)


_evaluated(legendre_polynomial_p, "eval_legendre", "Legendre polynomial", "[-0.1250,  5.5000]")
_evaluated(hermite_polynomial_h, "eval_hermite", "physicist's Hermite polynomial", "[-1., 14.]")
_evaluated(
    hermite_polynomial_he,
    "eval_hermitenorm",
    "probabilist's Hermite polynomial",
    "[-0.7500,  3.0000]",
)
_evaluated(laguerre_polynomial_l, "eval_laguerre", "Laguerre polynomial", "[ 0.1250, -1.0000]", 200)
_evaluated(
    associated_laguerre,
    "eval_genlaguerre",
    "generalized Laguerre polynomial",
    "[ 2.7500, -0.6250]",
    160,
)
_evaluated(
    gegenbauer_polynomial, "eval_gegenbauer", "Gegenbauer polynomial", "[ 0.3750, 28.5000]", 128
)
_evaluated(jacobi_polynomial, "eval_jacobi", "Jacobi polynomial", "[ 0.4375, 20.1250]", 128)
_evaluated(
    chebyshev_polynomial_t, "eval_chebyt", "first Chebyshev polynomial", "[-0.5000,  7.0000]"
)
_evaluated(chebyshev_polynomial_u, "eval_chebyu", "second Chebyshev polynomial", "[ 0., 15.]")
_evaluated(
    chebyshev_polynomial_t,
    "eval_sh_chebyt",
    "shifted first Chebyshev polynomial",
    "[-1., 17.]",
    shifted=True,
)
_evaluated(
    chebyshev_polynomial_u,
    "eval_sh_chebyu",
    "shifted second Chebyshev polynomial",
    "[-1., 35.]",
    shifted=True,
)
_evaluated(
    legendre_polynomial_p,
    "eval_sh_legendre",
    "shifted Legendre polynomial",
    "[-0.5000, 13.0000]",
    shifted=True,
)
