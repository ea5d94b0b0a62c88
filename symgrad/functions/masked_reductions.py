"""Reductions, scans and normalisations of the elements that a mask keeps: PyTorch's `masked`.

Each is a formula of public functions: what the mask leaves out is replaced by what changes nothing.
So no element that is left out has a part in a gradient, whatever it is.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from symgrad.expr.dtypes import Category, bool_, dtype, float32, int64, to_real
from symgrad.expr.node import ArrayExpr
from symgrad.expr.shapes import canonical_axes, size_of
from symgrad.functions import (  # noqa: F401 - enters what is called
    extrema,
    norms,
    ordering,
    reduction,
    scans,
    softmax,
    where,
)
from symgrad.functions.creation.making import CREATION
from symgrad.ops.operand_values import data_of
from symgrad.schema.public import FUNCTIONS, SPACES, public
from symgrad.support.untraceable import UntraceableValue

# What the schemas of reductions end in.
_KEPT = "*, bool? keepdim=False, ScalarType? dtype=None, Tensor? mask=None) -> Tensor"
_REST = "*, ScalarType? dtype=None, Tensor? mask=None) -> Tensor"


def _axes(dim: Any, rank: int) -> tuple[int, ...]:
    """Return the axes in order; those of no axis are all, as in PyTorch."""
    if dim is None or dim == ():
        return tuple(range(rank))
    return tuple(sorted(canonical_axes([dim] if isinstance(dim, int) else list(dim), max(rank, 1))))


def _mask(input: Any, mask: Any) -> Any:
    """Return the mask in the shape of `input`, as truth values."""
    shape = tuple(input.shape)
    if tuple(mask.shape) != shape:
        if len(mask.shape) > len(shape):
            raise IndexError(
                f"expected a mask that broadcasts to the input's shape {list(shape)}, but got one of "
                f"shape {list(mask.shape)}, which has more axes"
            )
        mask = mask.broadcast_to(shape)
    return mask if mask.dtype is bool_ else mask.to(bool_)


def _kept(input: Any, mask: Any, otherwise: Any) -> Any:
    """Return `input` with a number in place of what the mask leaves out."""
    return input if mask is None else FUNCTIONS["where"](_mask(input, mask), input, otherwise)


def _extremes(call: str, kind: dtype) -> tuple[Any, Any]:
    """Return the numbers that no element of a dtype is below, and above."""
    if kind is bool_:
        raise NotImplementedError(f"identity of {call} on {kind} input")
    if kind.is_complex:
        raise TypeError(f"masked.{call}(): complex numbers have no order, but got {kind}")
    if kind.is_floating_point:
        return -math.inf, math.inf
    limits = np.iinfo(kind.numpy)
    return limits.min, limits.max


def _above(call: str, input: Any, mask: Any) -> Any:
    """Return `input` with the least number in place of what the mask leaves out."""
    return input if mask is None else _kept(input, mask, _extremes(call, input.dtype)[0])


def _below(call: str, input: Any, mask: Any) -> Any:
    """Return `input` with the greatest number in place of what the mask leaves out."""
    return input if mask is None else _kept(input, mask, _extremes(call, input.dtype)[1])


def _summed(kind: dtype) -> dtype:
    """Return the dtype of sums and products: of integers, long ones."""
    return int64 if kind.category < Category.FLOAT else kind


# ------------------------------------------------------------------ sums and products


def _total(input: Any, dim: Any, keepdim: Any, kind: dtype, mask: Any) -> Any:
    axes = _axes(dim, len(input.shape))
    return _kept(input, mask, 0).sum(axes, bool(keepdim), dtype=kind)


@public(f"masked.sum(Tensor input, int[1]? dim=None, {_KEPT}", python=True)
def _masked_sum(
    input: Any, dim: Any = None, *, keepdim: Any = False, dtype: Any = None, mask: Any = None
) -> Any:
    """Return the sum of the elements that the mask keeps; of none of them 0.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([[1.0, 2.0], [3.0, float("nan")]])
    >>> torch.masked.sum(x, 1, mask=torch.tensor([[True, True], [True, False]]))
    tensor([3., 3.])
    """
    return _total(input, dim, keepdim, dtype or _summed(input.dtype), mask)


@public(f"masked.prod(Tensor input, int[1]? dim=None, {_KEPT}", python=True)
def _masked_prod(
    input: Any, dim: Any = None, *, keepdim: Any = False, dtype: Any = None, mask: Any = None
) -> Any:
    """Return the product of the elements that the mask keeps; of none of them 1.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.masked.prod(torch.tensor([2.0, 0.0, 3.0]), mask=torch.tensor([True, False, True]))
    tensor(6.)
    """
    found = _kept(input, mask, 1).to(dtype or _summed(input.dtype))
    for axis in reversed(_axes(dim, len(input.shape))):
        found = found.prod(axis, bool(keepdim))
    return found


@public(f"masked.cumsum(Tensor input, int dim, {_REST}", python=True)
def _masked_cumsum(input: Any, dim: int, *, dtype: Any = None, mask: Any = None) -> Any:
    """Return running sums of the elements that the mask keeps.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.masked.cumsum(torch.tensor([1.0, 5.0, 2.0]), 0, mask=torch.tensor([1, 0, 1]))
    tensor([1., 1., 3.])
    """
    return _kept(input, mask, 0).cumsum(dim, dtype=dtype or input.dtype)


@public(f"masked.cumprod(Tensor input, int dim, {_REST}", python=True)
def _masked_cumprod(input: Any, dim: int, *, dtype: Any = None, mask: Any = None) -> Any:
    """Return running products of the elements that the mask keeps.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.masked.cumprod(torch.tensor([2.0, 5.0, 3.0]), 0, mask=torch.tensor([1, 0, 1]))
    tensor([2., 2., 6.])
    """
    return _kept(input, mask, 1).cumprod(dim, dtype=dtype or input.dtype)


# ------------------------------------------------------------------ extremes and places


@public(f"masked.amax(Tensor input, int[1]? dim=None, {_KEPT}", python=True)
def _masked_amax(
    input: Any, dim: Any = None, *, keepdim: Any = False, dtype: Any = None, mask: Any = None
) -> Any:
    """Return the largest of the elements that the mask keeps; of none the least number of the dtype.

    Parameters
    ----------
    dtype : dtype, optional
        That of the result.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.masked.amax(torch.tensor([1.0, 5.0, 2.0]), mask=torch.tensor([True, False, True]))
    tensor(2.)
    """
    found = _above("amax", input, mask).amax(_axes(dim, len(input.shape)), bool(keepdim))
    return found.to(dtype or input.dtype)


@public(f"masked.amin(Tensor input, int[1]? dim=None, {_KEPT}", python=True)
def _masked_amin(
    input: Any, dim: Any = None, *, keepdim: Any = False, dtype: Any = None, mask: Any = None
) -> Any:
    """Return the smallest of the elements that the mask keeps; of none the greatest number of the dtype.

    Parameters
    ----------
    dtype : dtype, optional
        That of the result.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.masked.amin(torch.tensor([1.0, 5.0, 2.0]), mask=torch.tensor([False, True, True]))
    tensor(2.)
    """
    found = _below("amin", input, mask).amin(_axes(dim, len(input.shape)), bool(keepdim))
    return found.to(dtype or input.dtype)


@public(f"masked.argmax(Tensor input, int? dim=None, {_KEPT}", python=True)
def _masked_argmax(
    input: Any, dim: Any = None, *, keepdim: Any = False, dtype: Any = None, mask: Any = None
) -> Any:
    """Return where the largest of the elements that the mask keeps stands.

    Parameters
    ----------
    dtype : dtype, optional
        That of the result; by default that of `input`, as in PyTorch.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.masked.argmax(torch.tensor([1, 5, 2]), mask=torch.tensor([True, False, True]))
    tensor(2)
    """
    return _above("argmax", input, mask).argmax(dim, bool(keepdim)).to(dtype or input.dtype)


@public(f"masked.argmin(Tensor input, int? dim=None, {_KEPT}", python=True)
def _masked_argmin(
    input: Any, dim: Any = None, *, keepdim: Any = False, dtype: Any = None, mask: Any = None
) -> Any:
    """Return where the smallest of the elements that the mask keeps stands.

    Parameters
    ----------
    dtype : dtype, optional
        That of the result; by default that of `input`, as in PyTorch.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.masked.argmin(torch.tensor([1, 5, 2]), mask=torch.tensor([False, True, True]))
    tensor(2)
    """
    return _below("argmin", input, mask).argmin(dim, bool(keepdim)).to(dtype or input.dtype)


# ------------------------------------------------------------------ statistics


def _count(input: Any, dim: Any, keepdim: Any, mask: Any) -> Any:
    """Return how many elements are kept: a number, or a tensor where a mask says it."""
    axes = _axes(dim, len(input.shape))
    if mask is None:
        return size_of([input.shape[a] for a in axes if input.shape])
    return _mask(input, mask).sum(axes, bool(keepdim))


@public(f"masked.mean(Tensor input, int[1]? dim=None, {_KEPT}", python=True)
def _masked_mean(
    input: Any, dim: Any = None, *, keepdim: Any = False, dtype: Any = None, mask: Any = None
) -> Any:
    """Return the mean of the elements that the mask keeps; of none of them nan.

    Raises
    ------
    ValueError
        If the result is no float.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.masked.mean(torch.tensor([1.0, 5.0, 2.0]), mask=torch.tensor([True, False, True]))
    tensor(1.5000)
    """
    kind = dtype or input.dtype
    if kind.category < Category.FLOAT:
        source = "Input" if dtype is None else "Optional"
        raise ValueError(
            f"mean(): Could not infer output dtype. {source} dtype must be either a floating point "
            f"or complex dtype. Got: {kind}"
        )
    total = _total(input, dim, keepdim, kind, mask)
    return total / _count(input, dim, keepdim, mask)


@public(
    "masked.median(Tensor input, int dim=-1, *, bool keepdim=False, ScalarType? dtype=None, Tensor? mask=None) -> Tensor",
    python=True,
)
def _masked_median(
    input: Any, dim: int = -1, *, keepdim: bool = False, dtype: Any = None, mask: Any = None
) -> Any:
    """Return the lower median of the elements that the mask keeps; of none of them nan.

    Parameters
    ----------
    dtype : dtype, optional
        That of the result, where `input` holds no floats.

    Raises
    ------
    ValueError
        If `input` holds no floats and no element of a row is kept.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.masked.median(torch.tensor([1.0, 5.0, 2.0]), mask=torch.tensor([True, False, True]))
    tensor(1.)
    """
    (axis,) = _axes(dim, len(input.shape))
    is_float = input.dtype.is_floating_point
    x = input if is_float else input.to(float32)
    found = _kept(x, mask, math.nan).nanmedian(axis, keepdim)[0]
    if is_float:
        return found
    empty = data_of(FUNCTIONS["isnan"](found).any())
    if empty is None and isinstance(found, ArrayExpr) and mask is not None:
        raise UntraceableValue("masked.median(): the mask of integers must be known")
    if empty:
        raise ValueError(
            "masked median expects no fully masked out rows if dtype is not floating point"
        )
    return found.to(dtype or input.dtype)


def _spread(
    input: Any, dim: Any, unbiased: Any, correction: Any, keepdim: Any, kind: Any, mask: Any
) -> Any:
    """Return the variance, in a float dtype."""
    if unbiased is not None and correction is not None:
        raise AssertionError("Only one of unbiased and correction may be given")
    if correction is None:
        correction = 0 if unbiased is not None and not unbiased else 1
    kind = kind or (float32 if input.dtype.category < Category.FLOAT else input.dtype)
    wide = float32 if kind.category < Category.FLOAT else kind
    center = _total(input, dim, True, kind, mask) / _count(input, dim, True, mask)
    x = input - center
    total = _total(x * x.conj(), dim, keepdim, wide, mask)
    count = _count(input, dim, keepdim, mask)
    if mask is None:
        count = max(count - correction, 0)
    elif correction:
        count = (count.to(to_real(wide)) - correction).clamp_min(0)
    return (total / count).to(kind)


_SPREAD = f"(Tensor input, int[1]? dim=None, bool? unbiased=None, *, Scalar? correction=None, {_KEPT.removeprefix('*, ')}"


@public(f"masked.var{_SPREAD}", python=True)
def _masked_var(
    input: Any, dim: Any = None, unbiased: Any = None, *, correction: Any = None,
    keepdim: Any = False, dtype: Any = None, mask: Any = None,
) -> Any:  # fmt: skip
    """Return the variance of the elements that the mask keeps.

    Parameters
    ----------
    unbiased : bool, optional
        Whether the number of elements is taken less one, which is the default.
    correction : number, optional
        What it is taken less, instead.

    Raises
    ------
    AssertionError
        If both are given.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([1.0, 9.0, 2.0, 3.0])
    >>> torch.masked.var(x, mask=torch.tensor([True, False, True, True]))
    tensor(1.)
    """
    return _spread(input, dim, unbiased, correction, keepdim, dtype, mask)


@public(f"masked.std{_SPREAD}", python=True)
def _masked_std(
    input: Any, dim: Any = None, unbiased: Any = None, *, correction: Any = None,
    keepdim: Any = False, dtype: Any = None, mask: Any = None,
) -> Any:  # fmt: skip
    """Return the standard deviation of the elements that the mask keeps.

    Parameters
    ----------
    unbiased : bool, optional
        Whether the number of elements is taken less one, which is the default.
    correction : number, optional
        What it is taken less, instead.

    Raises
    ------
    AssertionError
        If both are given.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([1.0, 9.0, 3.0, 5.0])
    >>> torch.masked.std(x, mask=torch.tensor([True, False, True, True]))
    tensor(2.)
    """
    return _spread(input, dim, unbiased, correction, keepdim, dtype, mask).sqrt()


# ------------------------------------------------------------------ lengths


def _length(input: Any, ord: Any, dim: Any, keepdim: Any, kind: Any, mask: Any) -> Any:
    # A number of infinite size changes no length of negative order, as 0 changes no other.
    x = _kept(input, mask, math.inf if ord is not None and ord < 0 else 0)
    axes = _axes(dim, len(input.shape))
    return SPACES["linalg"]["vector_norm"](x, ord, axes, bool(keepdim), dtype=kind or input.dtype)


@public(
    f"masked.norm(Tensor input, float? ord=2.0, int[1]? dim=None, {_KEPT}",
    python=True,
)
def _masked_norm(
    input: Any, ord: Any = 2.0, dim: Any = None, *, keepdim: Any = False, dtype: Any = None,
    mask: Any = None,
) -> Any:  # fmt: skip
    """Return the length of the vector of the elements that the mask keeps.

    Parameters
    ----------
    ord : float
        The order, as that of `linalg.vector_norm`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.masked.norm(torch.tensor([3.0, 5.0, 4.0]), mask=torch.tensor([True, False, True]))
    tensor(5.)
    """
    return _length(input, ord, dim, keepdim, dtype, mask)


@public(
    f"masked.normalize(Tensor input, float ord, int dim, *, float eps=1e-12, {_REST[3:]}",
    python=True,
)
def _masked_normalize(
    input: Any, ord: float, dim: int, *, eps: float = 1e-12, dtype: Any = None, mask: Any = None
) -> Any:
    """Return the elements that the mask keeps, divided by their length along an axis; 0 for others.

    Parameters
    ----------
    ord : float
        The order of the length, as that of `linalg.vector_norm`.
    eps : float
        What the length is at least.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([3.0, 5.0, 4.0])
    >>> torch.masked.normalize(x, 2, 0, mask=torch.tensor([True, False, True]))
    tensor([0.6000, 0.0000, 0.8000])
    """
    length = _length(input, ord, dim, True, dtype, mask)
    least = CREATION["full"]((), eps, dtype=length.dtype)
    return _kept(input, mask, 0) / FUNCTIONS["maximum"](length, least)


# ------------------------------------------------------------------ exponentials


@public(
    "masked.logsumexp(Tensor input, int[1]? dim=None, *, bool keepdim=False, ScalarType? dtype=None, Tensor? mask=None) -> Tensor",
    python=True,
)
def _masked_logsumexp(
    input: Any, dim: Any = None, *, keepdim: bool = False, dtype: Any = None, mask: Any = None
) -> Any:
    """Return the logarithm of the sum of the exponentials of the elements that the mask keeps.

    Parameters
    ----------
    dtype : dtype, optional
        That of the result.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.masked.logsumexp(
    ...     torch.tensor([1.0, 5.0, 1.0]), mask=torch.tensor([True, False, True])
    ... )
    tensor(1.6931)
    """
    kind = input.dtype
    kept = _kept(input, mask, -math.inf) if kind.is_complex else _above("logsumexp", input, mask)
    found = kept.logsumexp(_axes(dim, len(input.shape)), keepdim)
    return found.to(dtype or kind)


@public(
    "masked.logaddexp(Tensor input, Tensor other, *, ScalarType? dtype=None, Tensor? input_mask=None, Tensor? other_mask=None) -> Tensor",
    python=True,
)
def _masked_logaddexp(
    input: Any, other: Any, *, dtype: Any = None, input_mask: Any = None, other_mask: Any = None
) -> Any:
    """Return the logarithm of the sum of the exponentials of those of two elements that are kept.

    Parameters
    ----------
    dtype : dtype, optional
        That of the result.
    input_mask, other_mask : Tensor or ArrayExpr, optional
        Which elements of `input` and of `other` count; where not given, all.

    Examples
    --------
    >>> import symgrad as torch
    >>> x, y = torch.zeros(2), torch.tensor([0.0, 5.0])
    >>> torch.masked.logaddexp(x, y, other_mask=torch.tensor([True, False]))
    tensor([0.6931, 0.0000])
    """
    x, y = [_above("logaddexp", z, m) for z, m in ((input, input_mask), (other, other_mask))]
    return FUNCTIONS["logaddexp"](x, y).to(dtype or input.dtype)


@public(f"masked.softmax(Tensor input, int dim, {_REST}", python=True)
def _masked_softmax(input: Any, dim: int, *, dtype: Any = None, mask: Any = None) -> Any:
    """Return the shares of the exponentials of the elements that the mask keeps; 0 for others.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.masked.softmax(
    ...     torch.tensor([1.0, 5.0, 1.0]), 0, mask=torch.tensor([True, False, True])
    ... )
    tensor([0.5000, 0.0000, 0.5000])
    """
    return _above("softmax", input, mask).softmax(dim, dtype=dtype or input.dtype)


@public(f"masked.log_softmax(Tensor input, int dim, {_REST}", python=True)
def _masked_log_softmax(input: Any, dim: int, *, dtype: Any = None, mask: Any = None) -> Any:
    """Return the logarithms of what `masked.softmax` gives.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([1.0, 5.0, 1.0])
    >>> torch.masked.log_softmax(x, 0, mask=torch.tensor([True, False, True]))
    tensor([-0.6931,    -inf, -0.6931])
    """
    return _above("log_softmax", input, mask).log_softmax(dim, dtype=dtype or input.dtype)


@public(f"masked.softmin(Tensor input, int dim, {_REST}", python=True)
def _masked_softmin(input: Any, dim: int, *, dtype: Any = None, mask: Any = None) -> Any:
    """Return the shares of the exponentials of the negative elements that the mask keeps.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.masked.softmin(
    ...     torch.tensor([1.0, 5.0, 1.0]), 0, mask=torch.tensor([True, False, True])
    ... )
    tensor([0.5000, 0.0000, 0.5000])
    """
    return (-_below("softmin", input, mask)).softmax(dim, dtype=dtype or input.dtype)
