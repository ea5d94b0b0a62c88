"""What users call of `symgrad.ops.scattering`, and what PyTorch's graph shows of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from symgrad.expr.dtypes import number_as
from symgrad.expr.shapes import canonical_axis
from symgrad.functions.bounds import check_bounds
from symgrad.functions.broadcasting import _expand
from symgrad.functions.gathering import _check_along, check_slices, scattered
from symgrad.functions.reshaping import _reshape
from symgrad.ops.gathering import scatter, scatter_add
from symgrad.ops.primitive import bind
from symgrad.ops.scattering import index_reduce, scatter_reduce
from symgrad.record.face import Face, axes, renamed, shows, stated
from symgrad.schema.public import public

_REDUCING = stated(axes, renamed(reduce="reduce", include_self="include_self"))

shows(scatter_reduce, facts=_REDUCING, keeps=(0, 1, 3), frees=True, saved=("self", "src", "index"))
shows(index_reduce, facts=_REDUCING, saved=("self", "source", "index"))


_OF_NUMBER = Face(name="ScatterBackward1", saved=("self", "", "index"))


@public(
    "scatter(Tensor self, int dim, Tensor index, Tensor src, *, Tensor? out=None) -> Tensor",
    "scatter(Tensor self, int dim, Tensor index, Tensor src, *, str reduce, Tensor? out=None) -> Tensor",
    "scatter(Tensor self, int dim, Tensor index, Scalar value, *, Tensor? out=None) -> Tensor",
    "scatter(Tensor self, int dim, Tensor index, Scalar value, *, str reduce, Tensor? out=None) -> Tensor",
    in_place="method",
    sharing="none",
)
def _scatter_function(
    input: Any, dim: int, index: Any, src: Any = None, *, value: Any = None, reduce: Any = None
) -> Any:
    """Write elements along an axis: `result[index[i][j]][j] = src[i][j]` for `dim=0`.

    Parameters
    ----------
    src : Tensor, ArrayExpr or number
        What is written; `value` is another name for a number.
    reduce : str, optional
        "add" or "multiply" in place of writing.
    dim : int
        The axis.
    index : Tensor or ArrayExpr
        Integers: where along `dim`.

    Examples
    --------
    >>> import symgrad as torch
    >>> index = torch.tensor([[2, 0]])
    >>> torch.scatter(torch.zeros(1, 3), 1, index, torch.tensor([[5.0, 6.0]]))
    tensor([[6., 0., 5.]])
    """
    src = value if src is None else src
    axis = canonical_axis(dim, len(input.shape))
    is_number = not hasattr(src, "shape") or isinstance(src, np.generic)
    if reduce not in (None, "add", "multiply"):
        raise RuntimeError("reduce argument must be either add or multiply.")
    index = _check_along("scatter", input, axis, index, None if is_number else src)
    if is_number:
        src = number_as(src, input.dtype)
    if reduce == "multiply":
        return scattered(scatter_reduce, input, src, index, (axis, "prod", True))
    if reduce == "add":
        return scattered(scatter_add, input, src, index, (axis,))
    return scattered(scatter, input, src, index, (axis,), _OF_NUMBER if is_number else None)


@public(
    "scatter_reduce(Tensor self, int dim, Tensor index, Tensor src, str reduce, *, bool include_self=True, Tensor? out=None) -> Tensor",
    in_place="method",
    sharing="none",
)
def _scatter_reduce_function(
    input: Any, dim: int, index: Any, src: Any, reduce: str, *, include_self: bool = True
) -> Any:
    """Reduce the elements of `src` that `index` sends to the same place along an axis.

    Parameters
    ----------
    index : Tensor or ArrayExpr
        Integers: where along `dim`.
    src : Tensor or ArrayExpr
        What is reduced.
    reduce : str
        "sum", "prod", "mean", "amax" or "amin".
    include_self : bool
        Whether the elements of `input` take part. Those that nothing is sent to stay in any case.

    Raises
    ------
    RuntimeError
        If `reduce` is none of these, or the shapes do not fit.

    Examples
    --------
    >>> import symgrad as torch
    >>> index, src = torch.tensor([0, 1, 0]), torch.tensor([1.0, 2.0, 3.0])
    >>> torch.scatter_reduce(torch.zeros(3), 0, index, src, "amax")
    tensor([3., 2., 0.])
    >>> torch.scatter_reduce(torch.ones(3), 0, index, src, "mean", include_self=False)
    tensor([2., 2., 1.])
    """
    axis = canonical_axis(dim, len(input.shape))
    reduce = {"max": "amax", "min": "amin"}.get(reduce, reduce)
    if reduce not in scatter_reduce.reductions:
        raise RuntimeError(
            f"reduce argument must be either sum, prod, mean, amax or amin, got {reduce}"
        )
    index = _check_along("scatter", input, axis, index, src)
    return scattered(scatter_reduce, input, src, index, (axis, reduce, bool(include_self)))


@public(
    "index_reduce(Tensor self, int dim, Tensor index, Tensor source, str reduce, *, bool include_self=True, Tensor? out=None) -> Tensor",
    in_place="method",
    sharing="none",
)
def _index_reduce_function(
    input: Any, dim: int, index: Any, source: Any, reduce: str, *, include_self: bool = True
) -> Any:
    """Reduce the slices of `source` into the slices of `input` that `index` names.

    Parameters
    ----------
    index : Tensor or ArrayExpr
        A vector of integers, one for each slice of `source`.
    source : Tensor or ArrayExpr
        What is reduced; of the shape of `input` but for `dim`.
    reduce : str
        "prod", "mean", "amax" or "amin".
    include_self : bool
        Whether the elements of `input` take part.

    Raises
    ------
    RuntimeError
        If `reduce` is none of these, or shapes or dtypes do not fit.

    Examples
    --------
    >>> import symgrad as torch
    >>> index, source = torch.tensor([0, 0]), torch.tensor([[1.0, 5.0], [4.0, 2.0]])
    >>> torch.index_reduce(torch.zeros(2, 2), 0, index, source, "amax")
    tensor([[4., 5.],
            [0., 0.]])
    """
    axis = canonical_axis(dim, len(input.shape))
    if reduce not in index_reduce.reductions:
        raise RuntimeError(
            "index_reduce(): Expected reduce to be one of prod, mean, amax or amin but got "
            f"{reduce}."
        )
    check_slices("index_reduce", input, axis, index, source)
    limit = input.shape[axis] if input.shape else 1
    index = check_bounds(index, 0, limit - 1, IndexError, "index out of range in self")
    shape = tuple(source.shape)
    across = [1] * len(shape)
    if shape:
        across[axis] = shape[axis]
    index = _expand(_reshape(index, across), shape)
    return bind(index_reduce, (input, source, index), (axis, reduce, bool(include_self)))
