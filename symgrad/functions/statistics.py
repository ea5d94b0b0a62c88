"""What users call of `symgrad.ops.statistics`, and what PyTorch's graph shows of it."""

from __future__ import annotations

from typing import Any

from symgrad.expr.shapes import size_of
from symgrad.functions.axes import axes_of
from symgrad.ops.primitive import bind
from symgrad.ops.statistics import Spread, std, std_mean, var, var_mean
from symgrad.record.face import given, shows
from symgrad.schema.numpy_calls import numpy_call
from symgrad.schema.public import public
from symgrad.schema.text import NOT_GIVEN
from symgrad.support.refusals import warn
from symgrad.tensor.numpy_interop import as_float, operand, over_axes

shows(Spread, frees=True, saved=("self", "correction"))
shows(var_mean, name="VarMean")
shows(std_mean, name="StdMean")


def _correction(unbiased: Any, correction: Any) -> float:
    """Return what is taken from the number of elements: 1 for an unbiased estimate."""
    if correction is None:
        return int(unbiased is NOT_GIVEN or unbiased)
    if isinstance(correction, complex) and correction.imag:
        raise RuntimeError("value cannot be converted to type double without overflow")
    return correction.real if isinstance(correction, complex) else correction


def _spread(
    cls: type[Spread], input: Any, dim: Any, unbiased: Any, keepdim: Any, correction: Any
) -> Any:
    name = cls.__name__
    facts: dict[str, Any] = {"dim": ()} if dim == () else {}
    if correction is None and unbiased is NOT_GIVEN:
        facts["correction"] = None
    correction = _correction(unbiased, correction)
    axes = axes_of(NOT_GIVEN if dim is None else dim, len(input.shape))
    shape = input.shape
    count = size_of(shape if axes is None else [shape[a] for a in axes])
    face = given(cls, **facts) if facts else None
    result = bind(cls, (input, correction), (axes, keepdim), face)
    if count - correction <= 0 and 0 not in [
        n for i, n in enumerate(shape) if axes is not None and i not in axes
    ]:
        warn(
            f"{name}(): degrees of freedom is <= 0. Correction should be strictly less than the "
            "reduction factor (input numel divided by output numel)."
        )
    return result


@public(
    "var(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False, *, Tensor? out=None) -> Tensor",
    "var(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False, Tensor? out=None) -> Tensor",
    "var(Tensor self, bool unbiased=True) -> Tensor",
)
def _var(
    input: Any,
    dim: Any = NOT_GIVEN,
    unbiased: Any = NOT_GIVEN,
    keepdim: bool = False,
    *,
    correction: float | None = None,
) -> Any:
    """Return the variance over axes.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        Real or complex numbers.
    dim : int or tuple of int, optional
        The axes; all of them where not given.
    unbiased : bool
        Whether to divide by one less than the number of elements.
    correction : number, optional
        What to take off the number of elements, in the place of `unbiased`.

    Warns
    -----
    UserWarning
        If the correction leaves nothing to divide by; the result is then nan or inf.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([1.0, 2.0, 6.0])
    >>> torch.var(x)
    tensor(7.)
    >>> torch.var(x, correction=0)
    tensor(4.6667)
    """
    return _spread(var, input, dim, unbiased, keepdim, correction)


@public(
    "std(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False, *, Tensor? out=None) -> Tensor",
    "std(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False, Tensor? out=None) -> Tensor",
    "std(Tensor self, bool unbiased=True) -> Tensor",
)
def _std(
    input: Any,
    dim: Any = NOT_GIVEN,
    unbiased: Any = NOT_GIVEN,
    keepdim: bool = False,
    *,
    correction: float | None = None,
) -> Any:
    """Return the standard deviation over axes; its gradient at a constant is 0. As `var`.

    Parameters
    ----------
    unbiased, correction
        As those of `var`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.std(torch.tensor([[1.0, 3.0], [5.0, 5.0]]), dim=1)
    tensor([1.4142, 0.0000])
    """
    return _spread(std, input, dim, unbiased, keepdim, correction)


@public(
    "var_mean(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> (Tensor, Tensor)",
    "var_mean(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False) -> (Tensor, Tensor)",
    "var_mean(Tensor self, bool unbiased=True) -> (Tensor, Tensor)",
)
def _var_mean(
    input: Any,
    dim: Any = NOT_GIVEN,
    unbiased: Any = NOT_GIVEN,
    keepdim: bool = False,
    *,
    correction: float | None = None,
) -> Any:
    """Return the variance and the mean over axes, as `var` and `mean` do.

    Parameters
    ----------
    unbiased, correction
        As those of `var`.

    Examples
    --------
    >>> import symgrad as torch
    >>> var, mean = torch.var_mean(torch.tensor([1.0, 2.0, 6.0]))
    >>> var, mean
    (tensor(7.), tensor(3.))
    """
    return tuple(_spread(var_mean, input, dim, unbiased, keepdim, correction))


@public(
    "std_mean(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> (Tensor, Tensor)",
    "std_mean(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False) -> (Tensor, Tensor)",
    "std_mean(Tensor self, bool unbiased=True) -> (Tensor, Tensor)",
)
def _std_mean(
    input: Any,
    dim: Any = NOT_GIVEN,
    unbiased: Any = NOT_GIVEN,
    keepdim: bool = False,
    *,
    correction: float | None = None,
) -> Any:
    """Return the standard deviation and the mean over axes, as `std` and `mean` do.

    Parameters
    ----------
    unbiased, correction
        As those of `var`.

    Examples
    --------
    >>> import symgrad as torch
    >>> std, mean = torch.std_mean(torch.tensor([1.0, 2.0, 6.0]), correction=0)
    >>> std, mean
    (tensor(2.1602), tensor(3.))
    """
    return tuple(_spread(std_mean, input, dim, unbiased, keepdim, correction))


@numpy_call("var")
def _numpy_var(
    a: Any, axis: Any = None, dtype: None = None, out: None = None, ddof: Any = 0,
    keepdims: bool = False, *, correction: Any = 0,
) -> Any:  # fmt: skip
    return over_axes("var", as_float(a), axis, keepdims is True, correction=ddof or correction)


@numpy_call("std")
def _numpy_std(
    a: Any, axis: Any = None, dtype: None = None, out: None = None, ddof: Any = 0,
    keepdims: bool = False, *, correction: Any = 0,
) -> Any:  # fmt: skip
    return over_axes("std", as_float(a), axis, keepdims is True, correction=ddof or correction)


@numpy_call("average")
def _numpy_average(
    a: Any, axis: Any = None, weights: Any = None, returned: bool = False, *, keepdims: bool = False
) -> Any:
    x = as_float(a)
    if returned:
        return NotImplemented
    if weights is None:
        return over_axes("mean", x, axis, keepdims is True)
    w = operand(weights)
    if w.ndim != x.ndim:
        if not isinstance(axis, int) or w.ndim != 1:
            return NotImplemented
        w = w.reshape([-1 if i == axis % x.ndim else 1 for i in range(x.ndim)])
    w = w.broadcast_to(tuple(x.shape))
    keep = keepdims is True
    return over_axes("sum", x * w, axis, keep) / over_axes("sum", w, axis, keep)
