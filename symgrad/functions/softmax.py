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
from symgrad.support.refusals import warn

shows(steady_logsumexp, name="Logsumexp")
shows(log_softmax, name="LogSoftmax")


@public(
    "logsumexp(Tensor self, int[1] dim, bool keepdim=False, *, Tensor? out=None) -> Tensor",
    aliases=("special.logsumexp",),
)
def _log_sum_exp(input: Any, dim: Any, keepdim: bool = False) -> Any:
    """Return the logarithm of the sum of exponentials over axes, without overflow.

    Parameters
    ----------
    dim : int or tuple of int
        The axes.

    Notes
    -----
    A result beside 0, where exponentials add up to nearly 1, has up to 1 ulp of the largest element.

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


@public(
    "softmax(Tensor self, int dim, ScalarType? dtype=None, *, Tensor? out=None) -> Tensor",
    aliases=("special.softmax",),
)
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

    Notes
    -----
    What is d below the largest element has up to d ulps, more than 8 from a distance of 8 on, since
    the difference is rounded.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.softmax(torch.tensor([0.0, 1000.0, -float("inf")]), dim=0)
    tensor([0., 1., 0.])
    """
    return _normalised(softmax, input, dim, dtype)


@public(
    "log_softmax(Tensor self, int dim, ScalarType? dtype=None, *, Tensor? out=None) -> Tensor",
    aliases=("special.log_softmax",),
)
def _log_soft_max(input: Any, dim: int, dtype: dtype | None = None) -> Any:
    """Return the logarithm of `softmax`, also where that is 0; see there.

    Notes
    -----
    Beside 0, where one element is far above all others, results have up to 1 ulp of 1: from a distance of
    37 on, that of the largest is 0.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.log_softmax(torch.tensor([0.0, 1000.0]), dim=0)
    tensor([-1000.,     0.])
    """
    return _normalised(log_softmax, input, dim, dtype)


def _of_layers(name: str, input: Any, dim: Any, dtype: Any) -> Any:
    """Return what a method computes along an axis, or along the one that PyTorch once chose."""
    if dim is None:
        warn(
            f"Implicit dimension choice for {name} has been deprecated. "
            "Change the call to include dim=X as an argument."
        )
        dim = 0 if input.ndim in (0, 1, 3) else 1
    given = {} if dtype is None else {"dtype": dtype}
    if name == "softmin":
        return (-input).softmax(dim, **given)
    return getattr(input, name)(dim, **given)


_ARGUMENTS = "(Tensor input, object dim=None, object _stacklevel=3, object dtype=None) -> Tensor"


@public(f"nn.functional.softmax{_ARGUMENTS}", python=True, reads="softmax")
def _softmax_of_layers(input: Any, dim: Any = None, _stacklevel: Any = 3, dtype: Any = None) -> Any:
    """Return exponentials divided by their sum along `dim`, without overflow.

    Parameters
    ----------
    dim : int
        The axis along which the result sums to one. Without it PyTorch chooses one, and warns.
    _stacklevel : int
        Accepted: the warning names the line of the call.
    dtype : dtype, optional
        What `input` is converted to first.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.functional.softmax(torch.tensor([0.0, 1000.0]), dim=0)
    tensor([0., 1.])
    """
    return _of_layers("softmax", input, dim, dtype)


@public(f"nn.functional.log_softmax{_ARGUMENTS}", python=True, reads="log_softmax")
def _log_softmax_of_layers(
    input: Any, dim: Any = None, _stacklevel: Any = 3, dtype: Any = None
) -> Any:
    """Return the logarithm of `softmax`, with full relative accuracy.

    Parameters
    ----------
    dim, _stacklevel, dtype
        As those of `softmax`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.functional.log_softmax(torch.tensor([0.0, 1000.0]), dim=0)
    tensor([-1000.,     0.])
    """
    return _of_layers("log_softmax", input, dim, dtype)


@public(f"nn.functional.softmin{_ARGUMENTS}", python=True, reads="softmax")
def _softmin(input: Any, dim: Any = None, _stacklevel: Any = 3, dtype: Any = None) -> Any:
    """Return `softmax` of the negative.

    Parameters
    ----------
    dim, _stacklevel, dtype
        As those of `softmax`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.functional.softmin(torch.tensor([0.0, 1000.0]), dim=0)
    tensor([1., 0.])
    """
    return _of_layers("softmin", input, dim, dtype)
