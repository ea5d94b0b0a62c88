"""What users call of `symgrad.ops.softmax`, and what PyTorch's graph shows of it."""

from __future__ import annotations

from typing import Any

from symgrad.expr.dtypes import dtype
from symgrad.expr.shapes import canonical_axis
from symgrad.functions.axes import axes_of
from symgrad.ops.primitive import bind
from symgrad.ops.softmax import Normalised, log_softmax, logsumexp, softmax, steady_logsumexp
from symgrad.record.face import shows
from symgrad.schema.public import public

shows(steady_logsumexp, name="Logsumexp")
shows(log_softmax, name="LogSoftmax")


@public("logsumexp(Tensor self, int[1] dim, bool keepdim=False, *, Tensor? out=None) -> Tensor")
def _log_sum_exp(input: Any, dim: Any, keepdim: bool = False) -> Any:
    """Return the logarithm of the sum of exponentials over axes, without overflow.

    Parameters
    ----------
    dim : int or tuple of int
        The axes.

    Examples
    --------
    >>> import symgrad
    >>> x = symgrad.leaf("x", (2,))
    >>> float(symgrad.logsumexp(x, 0).evaluate({"x": [1000.0, 1000.0]}))  # doctest: +SKIP
    1000.6931471805599
    """
    axes = axes_of(dim, len(input.shape))
    return bind(logsumexp, (input,), (axes, keepdim))


def _normalised(cls: type[Normalised], input: Any, dim: Any, dtype: dtype | None) -> Any:
    if dtype is not None:
        input = input.to(dtype)
    return bind(cls, (input,), (canonical_axis(dim, len(input.shape)),))


@public("softmax(Tensor self, int dim, ScalarType? dtype=None, *, Tensor? out=None) -> Tensor")
def _soft_max(input: Any, dim: int, dtype: dtype | None = None) -> Any:
    """Return exponentials divided by their sum along `dim`, without overflow.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        Elements that are -inf get weight zero and no derivative.
    dim : int
        The axis along which the result sums to one.

    Raises
    ------
    NotImplementedError
        If `input` holds integers or complex numbers.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.softmax(torch.tensor([0.0, 1000.0, -float("inf")]), dim=0)
    tensor([0., 1., 0.])
    """
    return _normalised(softmax, input, dim, dtype)


@public("log_softmax(Tensor self, int dim, ScalarType? dtype=None, *, Tensor? out=None) -> Tensor")
def _log_soft_max(input: Any, dim: int, dtype: dtype | None = None) -> Any:
    """Return the logarithm of `softmax`, with full relative accuracy; see there.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.log_softmax(torch.tensor([0.0, 1000.0]), dim=0)
    tensor([-1000.,     0.])
    """
    return _normalised(log_softmax, input, dim, dtype)
