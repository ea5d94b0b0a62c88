"""What users call of `symgrad.ops.gathering`, and what PyTorch's graph shows of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from symgrad.expr.dtypes import dtype, int32, int64
from symgrad.expr.shapes import Shape, broadcast_shapes, canonical_axis
from symgrad.functions.bounds import check_bounds
from symgrad.functions.broadcasting import _expand
from symgrad.functions.reshaping import _ravel, _reshape
from symgrad.ops.gathering import gather, put, scatter_add, take
from symgrad.ops.identity import clone
from symgrad.ops.operand_values import every_value
from symgrad.ops.primitive import Primitive, bind
from symgrad.record.face import Face, axes, nothing, renamed, shows, stated
from symgrad.schema.kinds import is_tensor
from symgrad.schema.numpy_calls import nearest, numpy_call
from symgrad.schema.public import public
from symgrad.tensor.numpy_interop import operand


def _dense(node: Any) -> dict[str, Any]:
    """Return that the gradient is no sparse tensor."""
    return {"sparse_grad": False}


shows(put, keeps=(1,), saved=("self", "source", "index"), facts=renamed(accumulate="accumulate"))
shows(gather, keeps=(0,), saved=("self", "index"), facts=stated(axes, _dense))
shows(take, keeps=(0,), saved=("self", "index"), facts=nothing)
shows(scatter_add, saved=("self", "src", "index"))


def _kind_name(x: Any) -> str:
    return "Float" if not isinstance(getattr(x, "dtype", None), dtype) else x.dtype.scalar_name


def _check_along(name: str, input: Any, axis: int, indices: Any, src: Any = None) -> Any:
    """Return the indices of gather and scatter; all operands are checked in PyTorch's order."""
    if indices.numel() and indices.dtype not in (int64, int32):
        raise RuntimeError(f"{name}(): Expected dtype int32/int64 for index")
    if src is not None and src.dtype is not input.dtype:
        raise RuntimeError("scatter(): Expected self.dtype to be equal to src.dtype")
    if not indices.numel():  # may have any dtype
        return indices if indices.dtype in (int64, int32) else indices.to(int64)
    shape, own = tuple(input.shape) or (1,), tuple(indices.shape) or (1,)
    if len(own) != len(shape):
        what = "input" if name == "gather" else "self"
        raise RuntimeError(f"Index tensor must have the same number of dimensions as {what} tensor")
    longer = [d for d, n in enumerate(own) if n > shape[d] and d != axis]
    if longer and name == "gather":
        raise RuntimeError(
            f"Size does not match at dimension {longer[0]} expected index {list(indices.shape)} to be "
            f"no larger than self {list(input.shape)} apart from dimension {axis}"
        )
    source = own if src is None else tuple(src.shape) or (1,) * len(own)
    if not longer and source != own:
        longer = [d for d, n in enumerate(own) if n > source[canonical_axis(d, len(source))]]
    if src is not None and not src.shape:
        source = (1,)
    if len(own) != len(source):
        raise RuntimeError("Index tensor must have the same number of dimensions as src tensor")
    if longer:
        more = "" if src is None else f" and to be no larger size than src {list(src.shape)}"
        raise RuntimeError(
            f"Expected index {list(indices.shape)} to be no larger than self {list(input.shape)} apart "
            f"from dimension {axis}{more}"
        )
    n = shape[axis]
    return check_bounds(indices, 0, n - 1, RuntimeError, _OUTSIDE.format("{}", axis, n))


def check_slices(name: str, input: Any, axis: int, index: Any, source: Any) -> None:
    """Raise PyTorch's error if slices of `source` cannot be combined with those an index names."""
    shape, own = list(input.shape), list(source.shape)
    kind, count = index.dtype.scalar_name, index.numel()
    if len(index.shape) > 1:
        raise IndexError(
            f"{name}_(): Index is supposed to be a vector, but got dim: {len(index.shape)} "
            f"with type: {kind} and size: {list(index.shape)}"
        )
    if index.dtype not in (int64, int32):
        raise RuntimeError(f"{name}_(): Expected dtype int32/int64 for index but got: {kind}")
    if source.dtype is not input.dtype:
        raise RuntimeError(
            f"{name}_(): self ({input.dtype.scalar_name}) and source "
            f"({source.dtype.scalar_name}) must have the same scalar type"
        )
    if axis and axis >= len(own):
        raise RuntimeError(
            f"{name}_(): Indexing dim {axis} is out of bounds of the source tensor with dim "
            f"{len(own)}"
        )
    if count != (own[axis] if own else 1):
        if not own:
            raise IndexError(f"Dimension specified as {axis} but tensor has no dimensions")
        raise RuntimeError(
            f"{name}_(): Number of indices ({count}) should be equal to source.size(dim): "
            f"({own[axis]}), for dim: {axis}"
        )
    ends = (axis, axis + 1) if shape and own else (0, 0)
    if shape[: ends[0]] + shape[ends[1] :] != own[: ends[0]] + own[ends[1] :]:
        raise RuntimeError(
            "source tensor shape must match self tensor shape, excluding the specified dimension. "
            f"Got self.shape = {shape} source.shape = {own}"
        )


#: PyTorch's error for an index that is out of bounds: the index, the axis and its length.
_OUTSIDE = "index {} is out of bounds for dimension {} with size {}"


@public(
    "gather(Tensor self, int dim, Tensor index, *, bool sparse_grad=False, Tensor? out=None) -> Tensor"
)
def _gather_function(input: Any, dim: int, index: Any, *, sparse_grad: bool = False) -> Any:
    """Pick elements along an axis: `result[i][j] = input[index[i][j]][j]` for `dim=0`.

    Parameters
    ----------
    dim : int
        The axis.
    index : Tensor or ArrayExpr
        Integers, in no axis but `dim` longer than `input`.
    sparse_grad : bool
        Accepted; gradients are dense.

    Raises
    ------
    RuntimeError
        If `index` is no integer array, does not fit, or points outside.

    Examples
    --------
    >>> import numpy as np
    >>> import symgrad
    >>> symgrad.leaf("x", (3, 4)).gather(1, np.array([[3], [0], [2]])).shape
    (3, 1)
    """
    axis = canonical_axis(dim, len(input.shape))
    index = _check_along("gather", input, axis, index)
    own, rank = tuple(index.shape), len(input.shape)
    if len(own) == rank:
        return bind(gather, (input, index), (axis,))
    # A number and a vector name one another's elements, and no index fits everything.
    places = _reshape(index, (index.numel(),) * max(rank, 1))
    picked = bind(gather, (input if rank else _reshape(input, (1,)), places), (axis,))
    return picked if len(own) == len(places.shape) and own else _reshape(picked, own)


@public(
    "scatter_add(Tensor self, int dim, Tensor index, Tensor src, *, Tensor? out=None) -> Tensor",
    in_place="method",
    sharing="none",
)
def _scatter_add(input: Any, dim: int, index: Any, src: Any) -> Any:
    """Add elements along an axis: `result[index[i][j]][j] += src[i][j]` for `dim=0`.

    Parameters
    ----------
    dim : int
        The axis.
    index : Tensor or ArrayExpr
        Integers: where along `dim`.
    src : Tensor or ArrayExpr
        What is added.

    Examples
    --------
    >>> import symgrad as torch
    >>> index = torch.tensor([0, 1, 0])
    >>> torch.scatter_add(torch.zeros(2), 0, index, torch.tensor([1.0, 2.0, 3.0]))
    tensor([4., 2.])
    """
    axis = canonical_axis(dim, len(input.shape))
    index = _check_along("scatter", input, axis, index, src)
    return scattered(scatter_add, input, src, index, (axis,))


def scattered(
    cls: type[Primitive], input: Any, src: Any, index: Any, params: Any, face: Face | None = None
) -> Any:
    """Apply a primitive that writes along an axis; a 0-d operand counts as a vector beside one."""
    operands = (input, src, index)
    if input.shape and len(index.shape) == len(input.shape) and getattr(src, "shape", True):
        return bind(cls, operands, params, face)
    shapes = {i: x.shape for i, x in enumerate(operands) if hasattr(x, "shape")}
    if not index.numel() and len({len(shape) for shape in shapes.values()}) > 1:
        return bind(clone, (input,))
    if any(shapes.values()):
        single = [i for i, shape in shapes.items() if not shape]
        operands = tuple([_reshape(x, (1,)) if i in single else x for i, x in enumerate(operands)])
    result = bind(cls, operands, params, face)
    return result if input.shape or result.shape == () else _reshape(result, ())


@public("take(Tensor self, Tensor index, *, Tensor? out=None) -> Tensor")
def _take_function(input: Any, index: Any) -> Any:
    """Return elements by their position in the flattened array; negative ones from the end.

    Parameters
    ----------
    index : Tensor
        Integers; the result has its shape.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.take(torch.tensor([[10, 20], [30, 40]]), torch.tensor([[3], [0]]))
    tensor([[40],
            [10]])
    """
    if index.dtype is not int64:
        raise RuntimeError(f"take(): Expected a long tensor for index, but got {_kind_name(index)}")
    _check_positions(index, input.numel())
    return bind(take, (input, index))


def _check_positions(index: Any, n: int) -> None:
    values = every_value(index)
    if values is None or not values.size:
        return
    wrong = values[(values < -n) | (values >= n)]
    if wrong.size:
        raise IndexError(
            f"out of range: tried to access index {wrong.flat[0]} on a tensor of {n} elements."
        )


@public(
    "put(Tensor self, Tensor index, Tensor source, bool accumulate=False) -> Tensor",
    in_place="method",
    sharing="none",
)
def _put_function(input: Any, index: Any, source: Any, accumulate: bool = False) -> Any:
    """Write elements by their position in the flattened array; negative ones from the end.

    Parameters
    ----------
    index : Tensor
        Integers.
    source : Tensor
        As many elements as `index` has.
    accumulate : bool
        Whether they are added to what is there.

    Raises
    ------
    IndexError
        If a position is out of range, or there are more or fewer elements than positions.
    RuntimeError
        If dtypes do not fit.

    Examples
    --------
    >>> import symgrad as torch
    >>> x, index = torch.zeros(2, 2), torch.tensor([1, -1, 1])
    >>> torch.put(x, index, torch.tensor([1.0, 2.0, 3.0]), accumulate=True)
    tensor([[0., 4.],
            [0., 2.]])
    """
    if source.dtype is not input.dtype:
        raise RuntimeError(
            "put_(): self and source expected to have the same dtype, but got self.dtype = "
            f"{input.dtype.scalar_name} and source.dtype = {source.dtype.scalar_name}"
        )
    if index.dtype is not int64:
        raise RuntimeError(f"put_(): Expected a long tensor for index, but got {_kind_name(index)}")
    if index.numel() and not input.numel() and index.numel() == source.numel():
        raise IndexError("put_(): Tried to put elements into an empty tensor")
    if index.numel() == source.numel():
        _check_positions(index, input.numel())
    return bind(put, (input, source, index), (bool(accumulate),))


@public("take_along_dim(Tensor self, Tensor indices, int? dim=None, *, Tensor? out=None) -> Tensor")
def _take_along_dim(input: Any, indices: Any, dim: int | None = None) -> Any:
    """Pick elements along an axis, broadcasting the others; without `dim` from the flat array.

    Parameters
    ----------
    indices : Tensor
        Integers; with `dim`, of dtype int64 and taken modulo the length of the axis, so that
        negative ones count from its end.

    Raises
    ------
    RuntimeError
        If `indices` is of another dtype, does not fit, or, without `dim`, points outside.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([[30, 10, 20]])
    >>> torch.take_along_dim(x, torch.argsort(x, dim=1), dim=1)
    tensor([[10, 20, 30]])
    """
    if dim is None:
        return _gather_function(_ravel(input), 0, _ravel(indices))
    rank = len(input.shape)
    if len(indices.shape) != rank:
        raise RuntimeError(
            "torch.take_along_dim(): input and indices should have the same number of dimensions, "
            f"but got {rank} dimensions for input, and {len(indices.shape)} dimensions for indices"
        )
    if indices.dtype is not int64:
        raise RuntimeError(
            "torch.take_along_dim(): dtype of indices should be Long but got "
            f"{indices.dtype.scalar_name}"
        )
    axis = canonical_axis(dim, rank)
    if not rank:
        raise IndexError(f"Dimension specified as {axis} but tensor has no dimensions")

    def without(shape: Shape) -> Shape:
        return (*shape[:axis], 1, *shape[axis + 1 :])

    if input.shape[axis]:
        indices = indices % input.shape[axis]
    common = broadcast_shapes(without(tuple(input.shape)), without(tuple(indices.shape)))
    sizes = [(*common[:axis], x.shape[axis], *common[axis + 1 :]) for x in (input, indices)]
    return _gather_function(_expand(input, sizes[0]), axis, _expand(indices, sizes[1]))


nearest("take", "insert", "put", "put_along_axis")


@numpy_call("take")
def _numpy_take(
    a: Any, indices: Any, axis: int | None = None, out: None = None, mode: str = "raise"
) -> Any:
    if mode != "raise":
        return NotImplemented
    places = indices if hasattr(indices, "dtype") else np.asarray(indices)
    x = operand(a)
    x, along = (x.reshape(-1), 0) if axis is None else (x, axis % x.ndim)
    return x[(slice(None),) * along + (places,)]


@numpy_call("take_along_axis")
def _numpy_take_along_axis(arr: Any, indices: Any, axis: int | None = -1) -> Any:
    return operand(arr).take_along_dim(operand(indices), axis)


@numpy_call("compress")
def _numpy_compress(condition: Any, a: Any, axis: int | None = None, out: None = None) -> Any:
    if is_tensor(condition):
        return NotImplemented
    return _numpy_take(a, np.flatnonzero(condition), axis)


@numpy_call("extract")
def _numpy_extract(condition: Any, arr: Any) -> Any:
    return _numpy_compress(condition, arr)


@numpy_call("delete")
def _numpy_delete(arr: Any, obj: Any, axis: int | None = None) -> Any:
    x = operand(arr)
    length = x.numel() if axis is None else x.shape[axis]
    return _numpy_take(x, np.delete(np.arange(length), obj), axis)


@numpy_call("resize")
def _numpy_resize(a: Any, new_shape: Any) -> Any:
    x = operand(a)
    return _numpy_take(x, np.resize(np.arange(x.numel()), new_shape))
