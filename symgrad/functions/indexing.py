"""Functions of `symgrad.ops.indexing`: slices that indices name, and elements that masks name."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from symgrad.expr.atoms import ArrayConst
from symgrad.expr.dtypes import bool_, dtype_of_number, int32, int64, number_as
from symgrad.expr.node import ArrayExpr
from symgrad.expr.shapes import broadcast_shapes, canonical_axis
from symgrad.functions.bounds import check_bounds
from symgrad.functions.broadcasting import _expand
from symgrad.functions.gathering import _OUTSIDE, check_slices
from symgrad.functions.reshaping import _ravel, _reshape
from symgrad.ops.identity import clone
from symgrad.ops.indexing import index, index_put, true_places
from symgrad.ops.joining import stack
from symgrad.ops.operand_values import counted_values, data_of, every_value, stands_for_many
from symgrad.ops.primitive import bind
from symgrad.ops.slicing import part
from symgrad.record.face import Face, renamed, shows, sizes, stated
from symgrad.schema.numpy_calls import numpy_call
from symgrad.schema.public import FUNCTIONS, in_place, public
from symgrad.support.untraceable import UntraceableShape, UntraceableValue
from symgrad.tensor.numpy_interop import operand

shows(index, saved=("self",), facts=sizes)
shows(index_put, saved=("self", "values"), facts=renamed(accumulate="accumulate"))


def _at_index(node: Any) -> dict[str, Any]:
    """Return the axis along which an index stands."""
    return {"dim": node.spec.index(True)}


def _source_axes(node: Any) -> dict[str, Any]:
    """Return of how many axes the slices are that are written or added."""
    return {"source_dim": node.operands[1].ndim}


def _alpha(node: Any) -> dict[str, Any]:
    """Return the factor of what is added, which is 1: another is a product of its own."""
    return {"alpha": 1}


# Special forms of subscripts, as PyTorch's graph shows them.
INDEX_SELECT = Face(
    name="IndexSelect", layout="axes", saved=("self", "index"), facts=stated(_at_index, sizes)
)
_MASKED_SELECT = Face(name="MaskedSelect", saved=("self", "mask"), keeps=(0,))
_INDEX_COPY = Face(
    name="IndexCopy", layout="axes", saved=("self", "source", "index"),
    keeps=lambda needs: (1,) if needs[1] else (), facts=stated(_at_index, _source_axes),
)  # fmt: skip
_INDEX_ADD = dataclasses.replace(
    _INDEX_COPY, name="IndexAdd", facts=stated(_at_index, _source_axes, _alpha)
)
_INDEX_FILL = Face(name="IndexFillBackward0", saved=("self", "", "index"), facts=_at_index)
_INDEX_FILL_TENSOR = Face(name="IndexFillBackward1", saved=("self", "", "index"), facts=_at_index)
_MASKED_SCATTER = Face(name="MaskedScatter", saved=("", "", "mask"), layout="axes")


@public("index_select(Tensor self, int dim, Tensor index, *, Tensor? out=None) -> Tensor")
def _index_select(input: Any, dim: int, index: Any) -> Any:
    """Return the slices of an axis that a vector of indices names.

    Parameters
    ----------
    index : Tensor
        A vector of integers.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.index_select(torch.tensor([[1, 2], [3, 4]]), 0, torch.tensor([1, 1, 0]))
    tensor([[3, 4],
            [3, 4],
            [1, 2]])
    """
    axis = canonical_axis(dim, len(input.shape))
    if len(index.shape) > 1:
        raise IndexError("index_select(): Index is supposed to be a vector")
    if not input.shape and index.numel() != 1:
        raise RuntimeError(
            f"index_select(): Index to scalar can have only 1 value, got {index.numel()} value(s)"
        )
    if index.dtype not in (int64, int32):
        raise RuntimeError("index_select(): Expected dtype int32 or int64 for index")
    if not index.shape:
        index = index.reshape(1)
    n = input.shape[axis] if input.shape else 1
    index = check_bounds(index, 0, n - 1, IndexError, "index out of range in self")
    if not input.shape:
        return _reshape(_selected(_reshape(input, (1,)), index, 0), ())
    return _selected(input, index, axis)


def _selected(input: Any, places: Any, axis: int) -> Any:
    return bind(index, (input, places), ((False,) * axis + (True,), (0,)), INDEX_SELECT)


_SELECTED_IN_VMAP = (
    "vmap: Attempted to vmap over `mask` in torch.masked_select(self, mask) We cannot support "
    "this because for each batch this would return a differently shaped Tensor. Please file an "
    "issue at https://github.com/pytorch/pytorch/issues if you need this feature."
)


def _mask_count(name: str, mask: Any, refusal: str = "") -> int:
    if mask.dtype is not bool_:
        raise RuntimeError(f"{name}: expected BoolTensor for mask")
    values = counted_values(mask, name, refusal)
    if values is None:
        raise UntraceableShape(
            f"the shape of {name}(x, mask) depends on the values of the mask, which a formula does "
            "not have; choose with symgrad.where(mask, x, 0)"
        )
    return int(np.count_nonzero(values))


@public("masked_select(Tensor self, Tensor mask, *, Tensor? out=None) -> Tensor")
def _masked_select(input: Any, mask: Any) -> Any:
    """Return the elements where `mask` holds, in one axis; operands are broadcast.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([[1.0, -2.0], [-3.0, 4.0]])
    >>> torch.masked_select(x, x > 0)
    tensor([1., 4.])
    """
    _mask_count("masked_select", mask, _SELECTED_IN_VMAP)
    shape = broadcast_shapes(tuple(mask.shape), tuple(input.shape))
    if tuple(input.shape) != shape:
        input = _expand(input, shape)
    if tuple(mask.shape) != shape:
        mask = _expand(mask, shape)
    if not shape:
        input, mask = _reshape(input, (1,)), _reshape(mask, (1,))
    return bind(
        index,
        (input, mask),
        ((True,), (_mask_count("masked_select", mask, _SELECTED_IN_VMAP),)),
        _MASKED_SELECT,
    )


def _most(counts: Any) -> int:
    """Return the largest of what was counted in each entry."""
    found = every_value(counts)
    return 0 if found is None or not found.size else int(found.max())


def _scattered_by_rank(input: Any, mask: Any, source: Any) -> Any:
    """Write the n-th element of `source` to the n-th place where `mask` holds.

    No shape depends on the values of the mask, as inside `vmap`.
    """
    if not source.numel():
        return bind(clone, (input,))
    last = min(source.numel(), mask.numel()) - 1
    rank = _ravel(mask).cumsum(0) - 1
    values = bind(index, (_ravel(source), rank.clamp(0, last)), ((True,), (0,)))
    return FUNCTIONS["where"](mask, _reshape(values, tuple(mask.shape)), input)


@public(
    "masked_scatter(Tensor self, Tensor mask, Tensor source) -> Tensor",
    in_place="method",
    sharing="any",
)
def _masked_scatter(input: Any, mask: Any, source: Any) -> Any:
    """Write the elements of `source`, in order, where `mask` holds.

    Examples
    --------
    >>> import symgrad as torch
    >>> mask = torch.tensor([True, False, True])
    >>> torch.masked_scatter(torch.zeros(3), mask, torch.tensor([1.0, 2.0, 3.0]))
    tensor([1., 0., 2.])
    """
    many = stands_for_many(mask) and mask.dtype is bool_
    if not many:
        _mask_count("masked_scatter_", mask)
    if source.dtype is not input.dtype:
        raise RuntimeError(
            "masked_scatter: expected self and source to have same dtypes but got"
            f"{input.dtype.scalar_name} and {source.dtype.scalar_name}"
        )
    shape = broadcast_shapes(tuple(mask.shape), tuple(input.shape))
    input, mask = (x if tuple(x.shape) == shape else _expand(x, shape) for x in (input, mask))
    count = _most(mask.sum()) if many else _mask_count("masked_scatter_", mask)
    if source.numel() < count:
        raise RuntimeError("Number of elements of source < number of ones in mask")
    if many:
        return _scattered_by_rank(input, mask, source)
    if len(source.shape) != 1:
        source = _reshape(source, (-1,))
    if source.shape[0] != count:
        source = bind(part, (source,), (((0, count, 1),),))
    return bind(index_put, (input, source, mask), ((True,), (count,), False), _MASKED_SCATTER)


def _along(
    input: Any, axis: int, index: Any, error: type[Exception], outside: str, lowest: int = 0
) -> tuple[tuple[bool, ...], Any]:
    """Return how `index_put` reads a vector of indices along an axis, and the checked vector."""
    if not index.shape:
        index = _reshape(index, (1,))
    n = input.shape[axis]
    index = check_bounds(index, lowest, n - 1, error, outside.format("{}", axis, n))
    return (False,) * axis + (True,), index


@public(
    "index_add(Tensor self, int dim, Tensor index, Tensor source, *, Scalar alpha=1, Tensor? out=None) -> Tensor",
    in_place="method",
    sharing="none",
)
def _index_add(input: Any, dim: int, index: Any, source: Any, *, alpha: Any = 1) -> Any:
    """Add the slices of `source`, times `alpha`, to the slices of `input` that `index` names.

    Examples
    --------
    >>> import symgrad as torch
    >>> index = torch.tensor([0, 2, 0])
    >>> torch.index_add(torch.zeros(3), 0, index, torch.tensor([1.0, 2.0, 3.0]), alpha=10)
    tensor([40.,  0., 20.])
    """
    axis = canonical_axis(dim, len(input.shape))
    check_slices("index_add", input, axis, index, source)
    if not input.shape:
        row = _index_add(_reshape(input, (1,)), 0, index, _reshape(source, (1,)), alpha=alpha)
        return _reshape(row, ())
    # PyTorch has different checks for vectors and for arrays of more axes.
    many = len(input.shape) > 1
    error, outside = (
        (RuntimeError, _OUTSIDE) if many else (IndexError, "index out of range in self")
    )
    spec, index = _along(input, axis, index, error, outside)
    alpha = number_as(alpha, input.dtype)
    if alpha != 1:
        source = source * alpha
    return bind(index_put, (input, source, index), (spec, (0,), True), _INDEX_ADD)


@public(
    "index_copy(Tensor self, int dim, Tensor index, Tensor source, *, Tensor? out=None) -> Tensor",
    in_place="method",
    sharing="none",
)
def _index_copy(input: Any, dim: int, index: Any, source: Any) -> Any:
    """Return `input` with the slices of `source` in place of those that `index` names.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.index_copy(torch.zeros(3), 0, torch.tensor([2, 0]), torch.tensor([5.0, 6.0]))
    tensor([6., 0., 5.])
    """
    axis = canonical_axis(dim, len(input.shape))
    _check_copied(input, axis, index, source)
    if not source.shape:
        source = _reshape(source, (1,))
    if not input.shape:
        return _reshape(_index_copy(_reshape(input, (1,)), 0, index, source), ())
    spec, index = _along(input, axis, index, IndexError, f"index_copy_(): {_OUTSIDE}")
    return bind(index_put, (input, source, index), (spec, (0,), False), _INDEX_COPY)


@in_place("masked_scatter")
def _masked_scatter_in_place(input: Any, mask: Any, source: Any) -> Any:
    if mask.shape != input.shape:
        mask = _expand(mask, input.shape)
    return _masked_scatter(input, mask, source)


def _check_copied(input: Any, axis: int, index: Any, source: Any) -> None:
    """Raise PyTorch's error if `index_copy` cannot put the slices of `source` where it says."""
    shape, own, count = list(input.shape), list(source.shape), index.numel()
    if len(index.shape) > 1:
        raise IndexError(
            f"index_copy_(): Index should have dimension 1 or 0 (got {len(index.shape)})"
        )
    if not own and count != 1:
        raise IndexError(
            f"index_copy_(): When source is scalar, index should have one element (got {count})"
        )
    if own and shape and len(own) != len(shape):
        raise IndexError(
            "index_copy_(): When source and destination are not scalars, their dimensionality must "
            f"match. Source dimensionality ({len(own)}), destination dimensionality ({len(shape)})"
        )
    if index.dtype is not int64:
        raise RuntimeError(
            f"index_copy_(): Expected a long tensor for index, but got {index.dtype.scalar_name}"
        )
    if source.dtype is not input.dtype:
        raise RuntimeError(
            "index_copy_(): self and source expected to have the same dtype, but got (self) "
            f"{input.dtype.scalar_name} and (source) {source.dtype.scalar_name}"
        )
    slices = [[n for i, n in enumerate(x) if i != axis] for x in (shape, own)]
    if slices[0] != slices[1]:
        target, given = [" ".join(map(str, x)) for x in slices]
        raise RuntimeError(
            "index_copy_(): Source/destination tensor must have same slice shapes. Destination "
            f"slice shape: {target} at dimension {axis} and source slice shape: {given} at "
            "dimension 0."
        )
    if own and count != own[axis]:
        raise IndexError(
            f"index_copy_(): Number of indices ({count}) should be equal to source.size(dim) "
            f"({own[axis]})"
        )


@public(
    "index_fill(Tensor self, int dim, Tensor index, Tensor value) -> Tensor",
    "index_fill(Tensor self, int dim, Tensor index, Scalar value) -> Tensor",
    in_place="method",
    sharing="any",
)
def _index_fill(input: Any, dim: int, index: Any, value: Any) -> Any:
    """Return `input` with `value` in the slices that `index` names.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.index_fill(torch.zeros(2, 3), 1, torch.tensor([0, 2]), 7.0)
    tensor([[7., 0., 7.],
            [7., 0., 7.]])
    """
    axis = canonical_axis(dim, len(input.shape))
    if index.dtype is not int64:
        raise IndexError("index_fill_(): Expected dtype int64 for index.")
    is_tensor = hasattr(value, "shape") and not isinstance(value, np.generic)
    kind = value.dtype if is_tensor else dtype_of_number(value)
    if kind.is_complex and not input.dtype.is_complex:
        raise RuntimeError(
            "index_fill_(): Converting complex Scalar to non-complex type is not supported"
        )
    if len(index.shape) > 1:
        raise RuntimeError("Index has to be a vector/scalar")
    if not is_tensor:
        value = number_as(value, input.dtype)
    if not input.shape:
        return _reshape(_index_fill(_reshape(input, (1,)), 0, index, value), ())
    spec, index = _along(input, axis, index, IndexError, _OUTSIDE, -input.shape[axis])
    length = input.shape[axis]
    places = data_of(index)
    if is_tensor and isinstance(places, np.ndarray):  # a place that is named twice is filled once
        once = np.unique(places % (length or 1))
        if once.size < places.size:
            index = ArrayConst(once) if isinstance(index, ArrayExpr) else index.new_tensor(once)
    elif is_tensor:
        named = (index % max(length, 1)).unsqueeze(-1).eq(np.arange(length)).any(0)
        along = (length,) + (1,) * max(len(input.shape) - axis - 1, 0)
        return FUNCTIONS["where"](_reshape(named, along), value, input)
    face = _INDEX_FILL_TENSOR if is_tensor else _INDEX_FILL
    return bind(index_put, (input, value, index), (spec, (0,), False), face)


@public(
    "nonzero(Tensor self, *, Tensor? out=None) -> Tensor",
    "nonzero(Tensor self, *, bool as_tuple) -> Tensor",
)
def _nonzero(input: Any, *, as_tuple: bool = False) -> Any:
    """Return the indices of the elements that are not zero, one row each.

    Parameters
    ----------
    as_tuple : bool
        Whether to return a vector for each axis instead, as a subscript takes them.

    Raises
    ------
    TypeError
        For a formula: the shape depends on values.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([[0, 5], [6, 0]])
    >>> torch.nonzero(x)
    tensor([[0, 1],
            [1, 0]])
    >>> x[torch.nonzero(x, as_tuple=True)]
    tensor([5, 6])
    """
    values = counted_values(input, "nonzero")
    if values is None:
        raise UntraceableValue(
            "nonzero(): the shape of the result depends on values, which a formula does not have"
        )
    number = int(np.count_nonzero(values))
    if not values.shape:
        column = bind(true_places, (_reshape(input, (1,)),), (0, number, 0))
        return (column,) if as_tuple else _reshape(column, (number, 1))[:, :0]
    places = [bind(true_places, (input,), (a, number, 0)) for a in range(values.ndim)]
    return tuple(places) if as_tuple else bind(stack, places, (1,))


@public("argwhere(Tensor self) -> Tensor", numpy="argwhere(a)")
def _argwhere(input: Any) -> Any:
    """Return the indices of the elements that are not zero, one row each.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.argwhere(torch.tensor([[0, 5], [6, 0]]))
    tensor([[0, 1],
            [1, 0]])
    """
    return _nonzero(input)


@numpy_call("nonzero")
def _numpy_nonzero(a: Any) -> Any:
    return operand(a).nonzero(as_tuple=True)


@numpy_call("flatnonzero")
def _numpy_flatnonzero(a: Any) -> Any:
    return operand(a).reshape(-1).nonzero(as_tuple=True)[0]
