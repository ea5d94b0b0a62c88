"""Whether values are close: `isclose`, `allclose`."""

from __future__ import annotations

from typing import Any

import numpy as np

from symgrad.expr.dtypes import Category
from symgrad.expr.graph import leaves
from symgrad.expr.node import ArrayExpr
from symgrad.schema.numpy_calls import numpy_call
from symgrad.schema.public import public
from symgrad.support.untraceable import UntraceableValue
from symgrad.tensor.numpy_interop import of_one_kind, plain


@public(
    "isclose(Tensor self, Tensor other, float rtol=1.0000000000000001e-05, float atol=1e-08, bool equal_nan=False) -> Tensor",
)
def _isclose(
    input: Any, other: Any, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False
) -> Any:
    """Return where `|input - other| <= atol + rtol*|other|`.

    Parameters
    ----------
    input, other : Tensor or ArrayExpr
        Of one dtype.
    rtol, atol : float
    equal_nan : bool
        Whether nan is close to nan.

    Raises
    ------
    RuntimeError
        If the dtypes differ, or a tolerance is negative.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.isclose(torch.tensor([1.0, 2.0]), torch.tensor([1.000001, 2.1]))
    tensor([ True, False])
    """
    if input.dtype is not other.dtype:
        raise RuntimeError(f"{input.dtype.scalar_name} did not match {other.dtype.scalar_name}")
    for name, value in (("rtol", rtol), ("atol", atol)):
        if value < 0:
            raise RuntimeError(f"{name} must be greater than or equal to zero, but got {value:g}")
    close = input.eq(other)
    if equal_nan and input.dtype.category >= Category.FLOAT:
        close = close.logical_or(input.isnan().logical_and(other.isnan()))
    if not rtol and not atol:
        return close
    apart = (input - other).abs() if input.dtype.category > Category.BOOL else input.ne(other)
    near = apart <= atol + (rtol * other).abs()
    return close.logical_or(apart.isfinite().logical_and(near))


@public(
    "allclose(Tensor self, Tensor other, float rtol=1.0000000000000001e-05, float atol=1e-08, bool equal_nan=False) -> bool",
)
def _allclose(
    input: Any, other: Any, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False
) -> bool:
    """Return whether all elements are close, as `isclose` says.

    Parameters
    ----------
    input, other, rtol, atol, equal_nan
        As those of `isclose`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.allclose(torch.tensor([1.0, 2.0]), torch.tensor([1.0, 2.1]), atol=0.2)
    True
    """
    close = _isclose(input, other, rtol, atol, equal_nan)
    return _all("allclose", close, "symgrad.isclose(a, b).all()")


def _all(call: str, found: Any, formula: str) -> bool:
    """Return whether all elements of an array are true; raise for those of a formula."""
    if isinstance(found, ArrayExpr) and leaves(found):
        raise UntraceableValue(
            f"{call}() asks for values, which a formula has once its leaves have them: {formula} is "
            "the formula of the answer, and e.evaluate(...) gives the values to ask about"
        )
    return bool(found.all())


@numpy_call("isclose")
def _numpy_isclose(
    a: Any, b: Any, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False
) -> Any:
    x, y = of_one_kind(a, b)
    return x.isclose(y, rtol, atol, equal_nan)


@numpy_call("allclose")
def _numpy_allclose(
    a: Any, b: Any, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False
) -> Any:
    if isinstance(a, ArrayExpr) or isinstance(b, ArrayExpr):
        x, y = of_one_kind(a, b)
        return _allclose(x, y, rtol, atol, equal_nan)
    return np.allclose(plain(a), plain(b), rtol, atol, equal_nan)


@numpy_call("array_equal")
def _numpy_array_equal(a1: Any, a2: Any, equal_nan: bool = False) -> Any:
    if isinstance(a1, ArrayExpr) or isinstance(a2, ArrayExpr):
        x, y = of_one_kind(a1, a2)
        if equal_nan or x.shape != y.shape:
            return NotImplemented if equal_nan else False
        return _all("array_equal", x.eq(y), "symgrad.eq(a, b).all()")
    return np.array_equal(plain(a1), plain(a2), equal_nan)
