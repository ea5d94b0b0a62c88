"""What users call to count elements: how often each occurs, which are distinct or among others."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from symgrad.expr.atoms import as_expr
from symgrad.expr.dtypes import (
    float32,
    float64,
    from_numpy_dtype,
    int64,
    no_kernel,
    result_dtype,
)
from symgrad.expr.node import ArrayExpr
from symgrad.expr.shapes import canonical_axis
from symgrad.functions import return_types
from symgrad.functions.casting import convert
from symgrad.functions.creation import CREATION
from symgrad.functions.creation.making import finish
from symgrad.functions.rearranging import integers_beside
from symgrad.ops.counting import histc, isin
from symgrad.ops.indexing import index
from symgrad.ops.logic import logical_not
from symgrad.ops.operand_values import counted_values, every_value, stands_for_many
from symgrad.ops.primitive import bind
from symgrad.ops.reshaping import reshape
from symgrad.record.face import Face, nothing
from symgrad.record.record import Recorded
from symgrad.schema.arguments import check_shape
from symgrad.schema.numpy_calls import nearest, numpy_call
from symgrad.schema.public import FUNCTIONS, METHODS, public
from symgrad.support.untraceable import UntraceableValue
from symgrad.tensor.numpy_interop import operand


def _values(call: str, x: Any) -> np.ndarray[Any, Any]:
    """Return the elements on which the shape of a result depends."""
    values = counted_values(x, call)
    if values is None:
        raise UntraceableValue(
            f"{call}(): the shape of the result depends on values, which a formula does not have"
        )
    return values


@public(
    "bincount(Tensor self, Tensor? weights=None, int minlength=0) -> Tensor",
)
def _bincount(input: Any, weights: Any = None, minlength: int = 0) -> Any:
    """Return how often each number from 0 on occurs, or the sum of the weights of where it does.

    Parameters
    ----------
    input : Tensor
        A vector of integers that are not negative.
    weights : Tensor or ArrayExpr, optional
        A number for each of them; sums of float32 are float32, all others float64.
    minlength : int
        How many numbers are counted at least.

    Raises
    ------
    RuntimeError
        If `input` is no vector, has a negative element, or `weights` another shape.
    NotImplementedError
        If the elements are no integers.
    TypeError
        For a formula in the place of `input`: the shape depends on values.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([0, 2, 2, 3])
    >>> torch.bincount(x)
    tensor([1, 0, 2, 1])
    >>> torch.bincount(x, torch.tensor([0.5, 1.0, 2.0, 4.0]))
    tensor([0.5000, 0.0000, 3.0000, 4.0000])
    """
    values = _values("bincount", input)
    kind = from_numpy_dtype(values.dtype)
    if minlength < 0:
        raise RuntimeError("minlength should be >= 0")
    if values.ndim == 1 and values.dtype.kind not in "iu":
        raise no_kernel("bincount_cpu", kind)
    if values.ndim != 1 or (values.size and values.min() < 0):
        raise RuntimeError("bincount only supports 1-d non-negative integral inputs.")
    if weights is not None and tuple(weights.shape) != values.shape:
        raise RuntimeError("weights should be 1-d and have the same length as input")
    if weights is None or not values.size:
        return integers_beside(input, np.bincount(values, minlength=minlength))
    weights = convert(weights, float32 if weights.dtype is float32 else float64)
    length = max(int(values.max()) + 1, minlength)
    return METHODS["index_add"](weights.new_zeros(length), 0, convert(input, int64), weights)


@public(
    "histc(Tensor self, int bins=100, Real min=0, Real max=0, *, Tensor? out=None) -> Tensor",
)
def _histc(input: Any, bins: int = 100, min: Any = 0, max: Any = 0) -> Any:
    """Return how many elements lie in each of equal parts of the line from `min` to `max`.

    What lies outside, and what is nan, is not counted.

    Parameters
    ----------
    bins : int
        The number of parts. A part begins at its lower bound; the last one has its upper bound, too.
    min, max : float
        The ends of the line; where they are equal, those are the least and the greatest element.

    Raises
    ------
    RuntimeError
        If there are no parts, or the ends are out of order or not finite.
    NotImplementedError
        If the elements are no real floating-point numbers.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.histc(torch.tensor([1.0, 2.0, 1.0, 4.0]), bins=4, min=0, max=4)
    tensor([0., 2., 1., 1.])
    """
    low, high = float(min), float(max)
    if bins <= 0:
        raise RuntimeError(f"torch.histogram(): bins must be > 0, but got {bins} for dimension 0")
    if not (np.isfinite(low) and np.isfinite(high)):
        raise RuntimeError(f"torch.histc: range of [{low:g}, {high:g}] is not finite")
    check_shape("histc", (bins,))
    if low > high:
        raise RuntimeError("torch.histc: max must be larger than min")
    return bind(histc, (input,), (int(bins), low, high))


@public(
    "histogram(Tensor self, Tensor bins, *, Tensor? weight=None, bool density=False, Tensor[2]? out=None) -> (Tensor hist, Tensor bin_edges)",
    "histogram(Tensor self, int bins=100, *, float[]? range=None, Tensor? weight=None, bool density=False, Tensor[2]? out=None) -> (Tensor hist, Tensor bin_edges)",
)
def _histogram(
    input: Any, bins: Any = 100, *, range: Any = None, weight: Any = None, density: bool = False
) -> Any:
    """Return how many elements lie between edges on a line, and the edges.

    A part begins at its lower edge; the last one has its upper edge, too. What lies outside is not
    counted. Nothing is differentiated.

    Parameters
    ----------
    bins : int or Tensor
        The number of equal parts, or the edges, which rise.
    range : sequence of float, optional
        The ends of the line; by default the least and the greatest element.
    weight : Tensor, optional
        What each element counts; by default 1.
    density : bool
        Whether to divide by the sum and by the lengths of the parts.

    Raises
    ------
    RuntimeError
        If there are no parts, or the ends or the weights do not fit.
    NotImplementedError
        If the elements are not of single or double precision.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([1.0, 2.0, 1.0])
    >>> torch.histogram(x, bins=4, range=(0.0, 3.0)).hist
    tensor([0., 2., 1., 0.])
    >>> torch.histogram(x, bins=2).bin_edges
    tensor([1.0000, 1.5000, 2.0000])
    """
    if input.dtype not in (float32, float64):
        raise no_kernel("histogramdd", input.dtype)
    x = input.detach().reshape(-1)
    if weight is not None and tuple(weight.shape) != tuple(input.shape):
        raise RuntimeError(
            "torch.histogramdd: if weight tensor is provided it should have the same shape as the "
            "input tensor excluding its innermost dimension, but got input with shape "
            f"{[*x.shape, 1]} and weight with shape {list(weight.shape)}"
        )
    edges = _edges(x, bins, range)
    parts = edges.shape[0] - 1
    counts = x.new_ones(x.shape) if weight is None else weight.detach().reshape(-1)
    inside = (x >= edges[0]) & (x <= edges[-1])
    places = FUNCTIONS["searchsorted"](edges, x, right=True) - 1
    kept = FUNCTIONS["where"](inside, counts, 0.0)
    found = METHODS["index_add"](x.new_zeros(parts), 0, places.clamp(0, parts - 1), kept)
    if density:
        found = found / found.sum() / (edges[1:] - edges[:-1])
    return return_types.histogram(found, edges)


def _check_finite(low: float, high: float) -> None:
    if not (math.isfinite(low) and math.isfinite(high)):
        raise RuntimeError(
            f"torch.histogramdd: dimension 0's range [{low:g}, {high:g}] is not finite"
        )


def _edges(x: Any, bins: Any, ends: Any) -> Any:
    """Return the edges of a histogram of a vector."""
    if not isinstance(bins, int):
        if bins.dtype is not x.dtype:
            raise RuntimeError(
                "torch.histogramdd: input tensor and bins tensors should have the same dtype, but "
                f"got input with dtype {x.dtype.cpp_name} and bins for dimension 0 with dtype "
                f"{bins.dtype.cpp_name}"
            )
        if len(bins.shape) != 1:
            raise RuntimeError(
                "torch.histogramdd: bins tensor should have one dimension, but got "
                f"{len(bins.shape)} dimensions in the bins tensor for dimension 0"
            )
        count = bins.shape[0] - 1
    else:
        count = bins
    if count <= 0:
        raise RuntimeError(f"torch.histogram(): bins must be > 0, but got {count} for dimension 0")
    if not isinstance(bins, int):
        return bins.detach().clone()
    if ends is not None and len(ends) != 2:
        raise RuntimeError(
            "torch.histogramdd: for a 1-dimensional histogram range should have 2 elements, but "
            f"got {len(ends)}"
        )
    if ends is not None:
        low, high = ends
    elif not x.numel():
        low, high = 0.0, 1.0
    elif isinstance(x, ArrayExpr) or stands_for_many(x):
        values = every_value(x)
        if values is not None:
            _check_finite(values.min(), values.max())
        least, most = x.min(), x.max()
        beside = FUNCTIONS["where"](least.eq(most), 0.5, 0.0)
        shares = CREATION["linspace"](0, 1, count + 1, dtype=x.dtype)
        return least - beside + (most - least + 2 * beside) * shares
    else:
        low, high = x.min().item(), x.max().item()
    _check_finite(low, high)
    if low > high:
        raise RuntimeError(
            f"torch.histogramdd: min should not exceed max, but got min {low:g} max {high:g} for "
            "dimension 0"
        )
    if low == high:
        low, high = low - 0.5, high + 0.5
    return CREATION["linspace"](low, high, count + 1, dtype=x.dtype)


@public(
    "isin(Tensor elements, Tensor test_elements, *, bool assume_unique=False, bool invert=False, Tensor? out=None) -> Tensor",
    "isin(Scalar element, Tensor test_elements, *, bool assume_unique=False, bool invert=False, Tensor? out=None) -> Tensor",
    "isin(Tensor elements, Scalar test_element, *, bool assume_unique=False, bool invert=False, Tensor? out=None) -> Tensor",
    method=False,
)
def _isin(
    elements: Any = None, test_elements: Any = None, *, element: Any = None,
    test_element: Any = None, assume_unique: bool = False, invert: bool = False,
) -> Any:  # fmt: skip
    """Return where an element is equal to one of others.

    Parameters
    ----------
    elements, element : Tensor, ArrayExpr or number
        What is looked for.
    test_elements, test_element : Tensor, ArrayExpr or number
        Where it is looked for; one of both must be a tensor.
    assume_unique : bool
        Promises that neither has equal elements; nothing depends on it.
    invert : bool
        Whether to return where an element is equal to none.

    Raises
    ------
    RuntimeError
        For truth values and complex numbers.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.isin(torch.tensor([[1, 2], [3, 4]]), torch.tensor([2, 3]))
    tensor([[False,  True],
            [ True, False]])
    """
    first = element if elements is None else elements
    second = test_element if test_elements is None else test_elements
    found = bind(isin, _alike(first, second))
    return bind(logical_not, (found,)) if invert else found


def _alike(x: Any, y: Any) -> tuple[Any, Any]:
    """Return two arrays, or an array and a number, in the dtype to which PyTorch promotes both."""
    kind = result_dtype([z._aval if isinstance(z, Recorded) else as_expr(z) for z in (x, y)])
    return _in_dtype(x, kind), _in_dtype(y, kind)


def _in_dtype(x: Any, kind: Any) -> Any:
    return convert(x, kind) if hasattr(x, "shape") else finish("isin", np.asarray(x, kind.numpy))


class _Groups(NamedTuple):
    """Equal slices of an array: what distinguishes them, and where they are.

    Attributes
    ----------
    places
        Where a slice of each group stands first.
    inverse
        The group of each slice.
    counts
        How many slices each group has.
    """

    places: np.ndarray[Any, Any]
    inverse: np.ndarray[Any, Any]
    counts: np.ndarray[Any, Any]


def _groups(values: np.ndarray[Any, Any], ordered: bool, equal_nan: bool = False) -> _Groups:
    """Return the groups of equal slices along the first axis: all of them in order, or neighbours."""
    n = len(values)
    rows = values.reshape(n, math.prod(values.shape[1:]))
    order = np.lexsort(rows.T[::-1]) if ordered and rows.shape[1] else np.arange(n)
    rows = rows[order]
    differs = rows[1:] != rows[:-1]
    if equal_nan:
        differs &= ~((rows[1:] != rows[1:]) & (rows[:-1] != rows[:-1]))
    new = np.concatenate([np.ones(min(n, 1), bool), differs.any(1)])
    inverse = np.empty(n, np.int64)
    inverse[order] = np.cumsum(new) - 1
    starts = np.flatnonzero(new)
    return _Groups(order[new], inverse, np.diff(starts, append=n))


def _distinct(
    call: str, face: Face, input: Any, dim: int | None, ordered: bool, inverse: bool, counts: bool
) -> Any:
    """Return the distinct slices along an axis, or elements, and what is asked for beside them."""
    if input.dtype.is_complex:
        raise no_kernel("unique_dim" if call == "unique_dim" else "unique", input.dtype)
    values = _values(call, input)
    if dim is None:
        axis, shape = 0, values.shape
        input, values = bind(reshape, (input,), ((values.size,),)), values.reshape(-1)
    else:
        if not values.ndim:
            raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
        axis = canonical_axis(dim, values.ndim)
        values = np.moveaxis(values, axis, 0)
        shape = values.shape[:1]
        if 0 in values.shape[1:]:
            raise RuntimeError(
                "There are 0 sized dimensions, and they aren't selected, so unique cannot be applied"
            )
    found = _groups(values, ordered)
    results = [_taken(input, axis, found.places, face)]
    if inverse:
        results.append(integers_beside(input, found.inverse.reshape(shape)))
    if counts:
        results.append(integers_beside(input, found.counts))
    return tuple(results) if len(results) > 1 else results[0]


def _taken(input: Any, axis: int, places: np.ndarray[Any, Any], face: Face) -> Any:
    """Return the slices along an axis at places that are known."""
    given = (input, integers_beside(input, places))
    return bind(index, given, ((False,) * axis + (True,), (0,)), face)


def _showing(name: str) -> Face:
    return Face(name=name, saved=("", ""), facts=nothing)


_UNIQUE, _UNIQUE_SLICES = _showing("Unique2"), _showing("UniqueDim")
_UNIQUE_CONSECUTIVE = _showing("UniqueConsecutive")


@public(
    "unique(Tensor self, bool sorted=True, bool return_inverse=False, bool return_counts=False, int? dim=None) -> Any",
    python=True,
    inner="_unique2(Tensor self, *, bool sorted, bool return_inverse, bool return_counts)",
)
def _unique(
    input: Any, sorted: bool = True, return_inverse: bool = False, return_counts: bool = False,
    dim: int | None = None,
) -> Any:  # fmt: skip
    """Return the distinct elements, or slices along an axis, in ascending order.

    The gradient of each goes to the first of those that are equal to it. No nan is equal to another.

    Parameters
    ----------
    sorted : bool
        Whether the order matters; they are in order in any case.
    return_inverse : bool
        Whether to return the place of each element in the result, too.
    return_counts : bool
        Whether to return how often each is there, too.
    dim : int, optional
        The axis; without it all elements.

    Returns
    -------
    Tensor or tuple of Tensor

    Raises
    ------
    IndexError
        If the axis is out of range.
    NotImplementedError
        For complex numbers.
    TypeError
        For a formula: the shape depends on values.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([3.0, 1.0, 3.0])
    >>> torch.unique(x)
    tensor([1., 3.])
    >>> torch.unique(x, return_inverse=True, return_counts=True)
    (tensor([1., 3.]), tensor([1, 0, 1]), tensor([1, 2]))
    """
    call, face = ("_unique2", _UNIQUE) if dim is None else ("unique_dim", _UNIQUE_SLICES)
    return _distinct(call, face, input, dim, True, return_inverse, return_counts)


@public(
    "unique_consecutive(Tensor self, bool return_inverse=False, bool return_counts=False, int? dim=None) -> Any",
    python=True,
    inner="unique_consecutive(Tensor self, *, bool return_inverse, bool return_counts, int? dim)",
)
def _unique_consecutive(
    input: Any, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None
) -> Any:
    """Return the elements, or slices along an axis, without those that are equal to the one before.

    Parameters
    ----------
    return_inverse : bool
        Whether to return the place of each element in the result, too.
    return_counts : bool
        Whether to return how many neighbours are equal, too.
    dim : int, optional
        The axis; without it all elements.

    Returns
    -------
    Tensor or tuple of Tensor

    Raises
    ------
    IndexError
        If the axis is out of range.
    NotImplementedError
        For complex numbers.
    TypeError
        For a formula: the shape depends on values.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([1, 1, 2, 2, 3, 1])
    >>> torch.unique_consecutive(x)
    tensor([1, 2, 3, 1])
    >>> torch.unique_consecutive(x, return_counts=True)
    (tensor([1, 2, 3, 1]), tensor([2, 2, 1, 1]))
    """
    call, face = "unique_consecutive", _UNIQUE_CONSECUTIVE
    return _distinct(call, face, input, dim, False, return_inverse, return_counts)


# ---------------------------------------------------------------- NumPy's functions

nearest("unique", "unique_all", "unique_counts", "unique_inverse", "unique_values", "union1d")


@numpy_call("bincount")
def _numpy_bincount(x: Any, weights: Any = None, minlength: int = 0) -> Any:
    weights = None if weights is None else convert(operand(weights), float64)
    return _bincount(operand(x), weights, minlength)


@numpy_call("isin")
def _numpy_isin(
    element: Any, test_elements: Any, assume_unique: bool = False, invert: bool = False, *,
    kind: str | None = None,
) -> Any:  # fmt: skip
    return _isin(operand(element), operand(test_elements), invert=invert)


@numpy_call("unique")
def _numpy_unique(
    ar: Any, return_index: bool = False, return_inverse: bool = False, return_counts: bool = False,
    axis: int | None = None, *, equal_nan: bool = True, sorted: bool = True,
) -> Any:  # fmt: skip
    x = operand(ar)
    values = _values("unique", x)
    if axis is not None or values.dtype.kind == "c":
        return NotImplemented
    shape, values = values.shape, values.reshape(-1)
    found = _groups(values, True, equal_nan)
    results = [_taken(bind(reshape, (x,), ((values.size,),)), 0, found.places, _UNIQUE)]
    asked = zip(
        (found.places, found.inverse.reshape(shape), found.counts),
        (return_index, return_inverse, return_counts),
        strict=True,
    )
    results += [integers_beside(x, integers) for integers, wanted in asked if wanted]
    return tuple(results) if len(results) > 1 else results[0]
