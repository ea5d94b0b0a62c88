"""What users call of `symgrad.ops.ordering`, and what PyTorch's graph shows of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from symgrad.expr.dtypes import float32, float64, int64
from symgrad.expr.node import ArrayExpr
from symgrad.expr.shapes import canonical_axis, reduced_shape
from symgrad.functions import return_types
from symgrad.ops.gathering import gather
from symgrad.ops.operand_values import data_of
from symgrad.ops.ordering import (
    kthvalue,
    median,
    median_dim,
    mode,
    nanmedian,
    nanmedian_dim,
    sort,
    topk,
)
from symgrad.ops.primitive import bind
from symgrad.ops.reshaping import reshape
from symgrad.ops.results import one_of
from symgrad.ops.where import where
from symgrad.record.face import Face, axes, given, nothing, shows, sizes, stated
from symgrad.schema.arguments import plain_number
from symgrad.schema.numpy_calls import nearest, numpy_call
from symgrad.schema.public import FUNCTIONS, public
from symgrad.schema.text import NOT_GIVEN
from symgrad.support.untraceable import UntraceableValue
from symgrad.tensor.numpy_interop import as_float, last_axes_as_one, operand, with_unit_axes

shows(kthvalue, name="Kthvalue", facts=stated(axes, sizes))
shows(sort, topk, facts=stated(axes, sizes))
_STABLE_SORT = given(sort, name="SortBackward1")
shows(median_dim, name="MedianBackward1", facts=stated(axes, sizes))
shows(median, frees=True, facts=nothing)
shows(nanmedian_dim, name="NanmedianBackward1", facts=stated(axes, sizes))
shows(nanmedian, frees=True, facts=nothing)
shows(mode, facts=stated(axes, sizes))


@public(
    "sort(Tensor self, *, bool? stable, int dim=-1, bool descending=False, Tensor[2]? out=None) -> (Tensor values, Tensor indices)",
    "sort(Tensor self, int dim=-1, bool descending=False, *, Tensor[2]? out=None) -> (Tensor values, Tensor indices)",
)
def _sort(input: Any, dim: int = -1, descending: bool = False, stable: Any = NOT_GIVEN) -> Any:
    """Return the elements along `dim` in order, and where they stood.

    Parameters
    ----------
    dim : int
    descending : bool
        The largest first.
    stable : bool
        Equal elements keep their order in any case.

    Returns
    -------
    (values, indices)

    Raises
    ------
    IndexError
        If the axis is out of range.

    Examples
    --------
    >>> import symgrad as torch
    >>> values, indices = torch.sort(torch.tensor([3.0, 1.0, 2.0]), descending=True)
    >>> values
    tensor([3., 2., 1.])
    >>> indices
    tensor([0, 2, 1])
    """
    axis = canonical_axis(dim, len(input.shape))
    face = None if stable is NOT_GIVEN else _STABLE_SORT
    return return_types.sort(*bind(sort, (input,), (axis, bool(descending)), face))


@public(
    "argsort(Tensor self, *, bool stable, int dim=-1, bool descending=False, Tensor? out=None) -> Tensor",
    "argsort(Tensor self, int dim=-1, bool descending=False) -> Tensor",
)
def _argsort(input: Any, dim: int = -1, descending: bool = False, stable: bool = False) -> Any:
    """Return where the elements along `dim` stand that `sort` puts in order.

    Parameters
    ----------
    descending : bool
        The largest first.
    stable : bool
        Equal elements keep their order in any case.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.argsort(torch.tensor([3.0, 1.0, 2.0]))
    tensor([1, 2, 0])
    """
    axis = canonical_axis(dim, len(input.shape))
    return one_of(sort, 1, input, (axis, bool(descending)))


@public("msort(Tensor self, *, Tensor? out=None) -> Tensor")
def _msort(input: Any) -> Any:
    """Return the elements along the first axis in order.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.msort(torch.tensor([[3, 1], [2, 4]]))
    tensor([[2, 1],
            [3, 4]])
    """
    return one_of(sort, 0, input, (canonical_axis(0, len(input.shape)), False))


@public(
    "topk(Tensor self, int k, int dim=-1, bool largest=True, bool sorted=True, *, Tensor[2]? out=None) -> (Tensor values, Tensor indices)"
)
def _topk(input: Any, k: int, dim: int = -1, largest: bool = True, sorted: bool = True) -> Any:
    """Return the `k` largest (or smallest) elements along `dim` in order, and where they stand.

    Parameters
    ----------
    largest, sorted : bool
        Whether the largest are meant; the result is in order in any case.

    Returns
    -------
    (values, indices)

    Raises
    ------
    RuntimeError
        If there are fewer than `k` elements.

    Examples
    --------
    >>> import symgrad as torch
    >>> values, indices = torch.topk(torch.tensor([3.0, 1.0, 2.0]), 2)
    >>> values
    tensor([3., 2.])
    >>> indices
    tensor([0, 2])
    """
    shape = input.shape
    axis = canonical_axis(dim, len(shape))
    if not 0 <= k <= (shape[axis] if shape else 1):
        raise RuntimeError("selected index k out of range")
    return return_types.topk(*bind(topk, (input,), (axis, bool(largest), int(k))))


@public(
    "median(Tensor self) -> Tensor",
    "median(Tensor self, int dim, bool keepdim=False, *, Tensor[2]? out=None) -> (Tensor values, Tensor indices)",
)
def _median_function(input: Any, dim: Any = NOT_GIVEN, keepdim: bool = False) -> Any:
    """Return the median of all elements, or along an axis; of two in the middle the smaller.

    Parameters
    ----------
    dim : int, optional
        The axis; without it all elements.

    Returns
    -------
    Tensor or (values, indices)
        With an axis also where the median stands, which then gets all the gradient.

    Raises
    ------
    IndexError
        If the axis is out of range, or has length zero.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([4.0, 1.0, 3.0, 2.0], requires_grad=True)
    >>> torch.median(x)
    tensor(2., grad_fn=<MedianBackward0>)
    >>> torch.median(x, dim=0).indices
    tensor(3)
    """
    if dim is NOT_GIVEN:
        return bind(median, (input,), (None, False))
    params = (canonical_axis(dim, len(input.shape)), keepdim)
    return return_types.median(*bind(median_dim, (input,), params))


@public(
    "nanmedian(Tensor self) -> Tensor",
    "nanmedian(Tensor self, int dim, bool keepdim=False, *, Tensor[2]? out=None) -> (Tensor values, Tensor indices)",
)
def _nanmedian_function(input: Any, dim: Any = NOT_GIVEN, keepdim: bool = False) -> Any:
    """Return the median of the elements that are not nan, of all or along an axis, as `median` does.

    Parameters
    ----------
    dim : int, optional
        The axis; without it all elements.

    Returns
    -------
    Tensor or (values, indices)

    Raises
    ------
    IndexError
        If the axis is out of range, or has length zero.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nanmedian(torch.tensor([4.0, torch.nan, 3.0, 2.0]))
    tensor(3.)
    """
    if dim is NOT_GIVEN:
        return bind(nanmedian, (input,), (None, False))
    params = (canonical_axis(dim, len(input.shape)), keepdim)
    return return_types.nanmedian(*bind(nanmedian_dim, (input,), params))


@public(
    "mode(Tensor self, int dim=-1, bool keepdim=False, *, Tensor[2]? out=None) -> (Tensor values, Tensor indices)"
)
def _mode_function(input: Any, dim: int = -1, keepdim: bool = False) -> Any:
    """Return the element that is there most often along `dim`, the least of such, and its last index.

    Returns
    -------
    (values, indices)

    Raises
    ------
    IndexError
        If the axis is out of range, or has length zero.

    Examples
    --------
    >>> import symgrad as torch
    >>> value, index = torch.mode(torch.tensor([3.0, 1.0, 3.0, 2.0]))
    >>> value, index
    (tensor(3.), tensor(2))
    """
    params = (canonical_axis(dim, len(input.shape)), keepdim)
    return return_types.mode(*bind(mode, (input,), params))


@public(
    "kthvalue(Tensor self, int k, int dim=-1, bool keepdim=False, *, Tensor[2]? out=None) -> (Tensor values, Tensor indices)"
)
def _kthvalue(input: Any, k: int, dim: int = -1, keepdim: bool = False) -> Any:
    """Return the `k`-th smallest element along `dim`, and where it stands.

    Returns
    -------
    (values, indices)

    Raises
    ------
    RuntimeError
        If there are fewer than `k` elements.

    Examples
    --------
    >>> import symgrad as torch
    >>> value, index = torch.kthvalue(torch.tensor([30.0, 10.0, 20.0]), 2)
    >>> value, index
    (tensor(20.), tensor(2))
    """
    shape = input.shape
    axis = canonical_axis(dim, len(shape))
    if shape and not shape[axis]:
        raise IndexError(f"kthvalue(): Expected reduction dim {axis} to have non-zero size.")
    if not 1 <= k <= (shape[axis] if shape else 1):
        raise RuntimeError(f"kthvalue(): selected number k out of range for dimension {axis}")
    params = (axis, keepdim, int(k))
    return return_types.kthvalue(*bind(kthvalue, (input,), params))


_SQUEEZED = Face(name="SqueezeBackward4", facts=sizes)
_INTERPOLATIONS = ("linear", "lower", "higher", "midpoint", "nearest")


@public(
    'quantile(Tensor self, Tensor q, int? dim=None, bool keepdim=False, *, str interpolation="linear", Tensor? out=None) -> Tensor',
    'quantile(Tensor self, float q, int? dim=None, bool keepdim=False, *, str interpolation="linear", Tensor? out=None) -> Tensor',
)
def _quantile(
    input: Any, q: Any, dim: int | None = None, keepdim: bool = False, *,
    interpolation: str = "linear",
) -> Any:  # fmt: skip
    """Return the `q`-quantiles of all elements, or along an axis.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        Floating numbers.
    q : float or tensor
        Numbers from 0 to 1; those of a 1-D tensor make a new first axis.
    dim : int, optional
    keepdim : bool
        Whether the reduced axes stay, with length one.
    interpolation : "linear", "lower", "higher", "midpoint" or "nearest"
        What stands between two elements.

    Raises
    ------
    RuntimeError
        If a number is outside [0, 1], there are no elements, or they are no floats.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([1.0, 2.0, 4.0])
    >>> torch.quantile(x, 0.75)
    tensor(3.)
    >>> torch.quantile(x, torch.tensor([0.0, 0.75]), interpolation="lower")
    tensor([1., 2.])
    """
    return _quantiles_of(input, q, dim, keepdim, interpolation, False)


@public(
    'nanquantile(Tensor self, Tensor q, int? dim=None, bool keepdim=False, *, str interpolation="linear", Tensor? out=None) -> Tensor',
    'nanquantile(Tensor self, float q, int? dim=None, bool keepdim=False, *, str interpolation="linear", Tensor? out=None) -> Tensor',
)
def _nanquantile(
    input: Any, q: Any, dim: int | None = None, keepdim: bool = False, *,
    interpolation: str = "linear",
) -> Any:  # fmt: skip
    """Return the `q`-quantiles of the elements that are not nan, of all or along an axis.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        Floating numbers.
    q : float or tensor
        Numbers from 0 to 1; those of a 1-D tensor make a new first axis.
    dim : int, optional
    keepdim : bool
        Whether the reduced axes stay, with length one.
    interpolation : "linear", "lower", "higher", "midpoint" or "nearest"
        What stands between two elements.

    Raises
    ------
    RuntimeError
        If a number is outside [0, 1], there are no elements, or they are no floats.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nanquantile(torch.tensor([1.0, torch.nan, 2.0, 4.0]), 0.75)
    tensor(3.)
    """
    return _quantiles_of(input, q, dim, keepdim, interpolation, True)


def _quantiles_of(
    input: Any, q: Any, dim: int | None, keepdim: bool, interpolation: str, leaves_nan_out: bool
) -> Any:
    if interpolation not in _INTERPOLATIONS:
        raise RuntimeError(
            "quantile() interpolation must be one of linear, lower, higher, midpoint or nearest, "
            f"but got {interpolation}"
        )
    shape = input.shape
    if 0 in shape:
        raise RuntimeError("quantile() input tensor must be non-empty")
    if input.dtype not in (float32, float64):
        raise RuntimeError("quantile() input tensor must be either float or double dtype")
    axis = 0 if dim is None else canonical_axis(dim, len(shape))
    kept = reduced_shape(shape, tuple(range(len(shape))) if dim is None else (axis,), True)
    if dim is None or not shape:
        input = input.reshape(-1)
    count = input.shape[axis]
    q = q if hasattr(type(q), "_record") else plain_number(q)
    if isinstance(q, ArrayExpr) and data_of(q) is None:
        raise UntraceableValue("quantile(): the values of q must be known")
    numbers = np.asarray(q if isinstance(q, (int, float)) else data_of(q), float)
    if numbers.ndim > 1:
        raise RuntimeError("quantile() q must be a scalar or 1D tensor")
    if not ((numbers >= 0) & (numbers <= 1)).all():
        raise RuntimeError("quantile() q values must be in the range [0, 1]")
    in_order = one_of(sort, 0, input, (axis, False))
    along = (-1,) + (1,) * (len(input.shape) - axis - 1)
    rest = kept if keepdim else tuple(
        n for a, n in enumerate(shape) if dim is not None and a != axis)  # fmt: skip
    # Numbers in a tensor are read as that tensor, since the result depends on them, too.
    varying = not isinstance(q, (int, float))
    asked = q.reshape(-1).to(input.dtype) if varying else numbers.reshape(-1)
    if leaves_nan_out:
        counted = FUNCTIONS["isnan"](input).logical_not().sum(axis, keepdim=True)
        value = _at_shares(in_order, axis, counted, asked.reshape(along), interpolation)
        return _without_first(value.movedim(axis, 0), numbers, rest)
    unknown = FUNCTIONS["isnan"](input).any(axis, True)
    # Places and shares are arrays, so that calls with other numbers are the same structure.
    ranks = numbers.reshape(-1).astype(input.dtype.numpy) * (count - 1)
    low, high = np.floor(ranks), np.ceil(ranks)
    share = ranks - low
    if interpolation == "midpoint":
        share = np.full_like(ranks, 0.5)
    elif varying:
        share = asked * (count - 1) - low
    if interpolation == "nearest":
        low = high = np.round(ranks)
    elif interpolation in ("lower", "higher"):
        low = high = low if interpolation == "lower" else high

    def at(places: Any) -> Any:
        """Return the elements at these places, and nan, which is last in order, where there is one."""
        places = places.astype(np.int64).reshape(along)
        return bind(gather, (in_order, bind(where, (unknown, count - 1, places))), (axis,))

    value, between = at(low), low != high
    if between.any() or varying:
        mixed = value.lerp(at(high), share.reshape(along))
        # Interpolation between two equal infinities would give nan.
        exact = ~between.reshape(along)
        value = mixed if between.all() else bind(where, (exact, value, mixed))
    return _without_first(value.movedim(axis, 0), numbers, rest)


def _without_first(x: Any, numbers: Any, rest: Any) -> Any:
    """Return quantiles, whose first axis is that of the numbers, if there are several."""
    shape = (*numbers.shape, *rest)
    return bind(reshape, (x.reshape((numbers.size, *rest)),), (shape,), _SQUEEZED)


def _at_shares(in_order: Any, axis: int, counted: Any, q: Any, interpolation: str) -> Any:
    """Return what stands at shares `q` of the first `counted` elements along an axis in order."""
    kind = in_order.dtype
    q = q.astype(kind.numpy) if isinstance(q, np.ndarray) else q
    ranks = ((counted - 1).to(kind) * q).clamp(min=0)
    low, high = ranks.floor(), ranks.ceil()
    share = 0.5 if interpolation == "midpoint" else ranks - low
    if interpolation == "nearest":
        low = high = ranks.round()
    elif interpolation in ("lower", "higher"):
        low = high = low if interpolation == "lower" else high
    value, other = [bind(gather, (in_order, n.to(int64)), (axis,)) for n in (low, high)]
    # Interpolation between two equal infinities would give nan.
    return bind(where, (low.eq(high), value, value.lerp(other, share)))


nearest("sort", "partition", "lexsort", "sort_complex")
nearest("argsort", "argpartition")


@numpy_call("sort")
def _numpy_sort(
    a: Any, axis: int | None = -1, kind: str | None = None, order: None = None, *,
    stable: bool | None = None,
) -> Any:  # fmt: skip
    x = operand(a)
    return x.reshape(-1).sort(dim=0)[0] if axis is None else x.sort(dim=axis)[0]


@numpy_call("argsort")
def _numpy_argsort(
    a: Any, axis: int | None = -1, kind: str | None = None, order: None = None, *,
    stable: bool | None = None,
) -> Any:  # fmt: skip
    x = operand(a)
    flat, dim = (x.reshape(-1), 0) if axis is None else (x, axis)
    return flat.argsort(dim=dim, stable=True)


def _quantiles(
    a: Any, q: Any, axis: Any, keepdims: bool, method: str, name: str = "quantile"
) -> Any:
    """Return NumPy's quantiles; those of numbers `q` in an array stand along a new first axis."""
    if method not in ("linear", "lower", "higher", "midpoint") or isinstance(q, ArrayExpr):
        return NotImplemented
    x, wanted = as_float(a), np.asarray(plain_number(q))
    if wanted.ndim > 1:
        return NotImplemented
    axes = tuple(range(x.ndim)) if axis is None else (axis,) if isinstance(axis, int) else axis
    flat = last_axes_as_one(x, axes)
    if not wanted.ndim:
        found = getattr(flat, name)(float(wanted), -1, interpolation=method)
        return with_unit_axes(found, x.ndim, axes) if keepdims else found
    each = [getattr(flat, name)(float(p), -1, interpolation=method) for p in wanted]
    if keepdims:
        each = [with_unit_axes(found, x.ndim, axes) for found in each]
    return FUNCTIONS["stack"](each)


@numpy_call("quantile")
def _numpy_quantile(
    a: Any, q: Any, axis: Any = None, out: None = None, overwrite_input: bool = False,
    method: str = "linear", keepdims: bool = False,
) -> Any:  # fmt: skip
    return _quantiles(a, q, axis, keepdims is True, method)


@numpy_call("percentile")
def _numpy_percentile(
    a: Any, q: Any, axis: Any = None, out: None = None, overwrite_input: bool = False,
    method: str = "linear", keepdims: bool = False,
) -> Any:  # fmt: skip
    if isinstance(q, ArrayExpr):
        return NotImplemented
    return _quantiles(a, np.true_divide(plain_number(q), 100), axis, keepdims is True, method)


@numpy_call("median")
def _numpy_median(
    a: Any, axis: Any = None, out: None = None, overwrite_input: bool = False,
    keepdims: bool = False,
) -> Any:  # fmt: skip
    return _quantiles(a, 0.5, axis, keepdims is True, "midpoint")


@numpy_call("nanquantile")
def _numpy_nanquantile(
    a: Any, q: Any, axis: Any = None, out: None = None, overwrite_input: bool = False,
    method: str = "linear", keepdims: bool = False,
) -> Any:  # fmt: skip
    return _quantiles(a, q, axis, keepdims is True, method, "nanquantile")


@numpy_call("nanmedian")
def _numpy_nanmedian(
    a: Any, axis: Any = None, out: None = None, overwrite_input: bool = False,
    keepdims: bool = False,
) -> Any:  # fmt: skip
    return _quantiles(a, 0.5, axis, keepdims is True, "midpoint", "nanquantile")
