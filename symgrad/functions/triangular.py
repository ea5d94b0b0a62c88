"""What users call of `symgrad.ops.triangular`, and what PyTorch's graph shows of it."""

from __future__ import annotations

from typing import Any

from symgrad.expr.shapes import canonical_axis
from symgrad.functions.reshaping import _reshape
from symgrad.ops.primitive import bind
from symgrad.ops.triangular import (
    diag_embed,
    diagonal,
    diagonal_copy,
    diagonal_scatter,
    trace,
    tril,
    triu,
)
from symgrad.record.face import renamed, shows, sizes, stated
from symgrad.schema.numpy_calls import numpy_call
from symgrad.schema.public import public
from symgrad.tensor.numpy_interop import operand

_DIAGONAL = renamed(offset="offset", dim1="axis1", dim2="axis2")

shows(trace, facts=sizes)
shows(tril, triu, facts=renamed(diagonal="offset"))
shows(diagonal, facts=stated(_DIAGONAL, sizes))
shows(diag_embed, diagonal_scatter, facts=_DIAGONAL)
shows(diagonal_copy, facts=stated(_DIAGONAL, sizes), name="DiagonalBackward0_copy")


@public(
    "tril(Tensor self, int diagonal=0, *, Tensor? out=None) -> Tensor",
    in_place="method",
    numpy="tril(m, k)",
)
def _tril(input: Any, diagonal: int = 0) -> Any:
    """Return the lower triangle of the last two axes, up to `diagonal` above the main one.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.tril(torch.ones(3, 3))
    tensor([[1., 0., 0.],
            [1., 1., 0.],
            [1., 1., 1.]])
    >>> torch.tril(torch.ones(3, 3), diagonal=-1)
    tensor([[0., 0., 0.],
            [1., 0., 0.],
            [1., 1., 0.]])
    """
    return bind(tril, (input,), (diagonal,))


@public(
    "triu(Tensor self, int diagonal=0, *, Tensor? out=None) -> Tensor",
    in_place="method",
    numpy="triu(m, k)",
)
def _triu(input: Any, diagonal: int = 0) -> Any:
    """Return the upper triangle of the last two axes, from `diagonal` above the main one.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.triu(torch.ones(3, 3), diagonal=1)
    tensor([[0., 1., 1.],
            [0., 0., 1.],
            [0., 0., 0.]])
    """
    return bind(triu, (input,), (diagonal,))


def _two_axes(dim1: int, dim2: int, rank: int) -> tuple[int, int]:
    first, second = canonical_axis(dim1, rank), canonical_axis(dim2, rank)
    if first == second:
        raise RuntimeError(f"diagonal dimensions cannot be identical {dim1}, {dim2}")
    return first, second


@public(
    "diagonal(Tensor self, int offset=0, int dim1=0, int dim2=1) -> Tensor",
    numpy="diagonal(a, offset, axis1, axis2)",
)
def _diagonal_function(input: Any, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Any:
    """Return a diagonal of two axes as a new last axis; a view.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.arange(9).reshape(3, 3)
    >>> torch.diagonal(x)
    tensor([0, 4, 8])
    >>> torch.diagonal(x, offset=1)
    tensor([1, 5])
    """
    return bind(diagonal, (input,), (offset, *_two_axes(dim1, dim2, len(input.shape))))


@public("diagonal_scatter(Tensor self, Tensor src, int offset=0, int dim1=0, int dim2=1) -> Tensor")
def _diagonal_scatter_function(
    input: Any, src: Any, offset: int = 0, dim1: int = 0, dim2: int = 1
) -> Any:
    """Return `input` with `src` on a diagonal of two axes.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.diagonal_scatter(torch.zeros(2, 2), torch.tensor([1.0, 2.0]))
    tensor([[1., 0.],
            [0., 2.]])
    """
    axes = _two_axes(dim1, dim2, len(input.shape))
    return bind(diagonal_scatter, (input, src), (offset, *axes))


@public("diag_embed(Tensor self, int offset=0, int dim1=-2, int dim2=-1) -> Tensor")
def _diag_embed_function(input: Any, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Any:
    """Place the last axis on a diagonal of two new axes.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.diag_embed(torch.tensor([1, 2]), offset=1)
    tensor([[0, 1, 0],
            [0, 0, 2],
            [0, 0, 0]])
    """
    rank = len(input.shape) + 1
    axis1, axis2 = _two_axes(dim1, dim2, rank)
    n = input.shape[-1] + abs(offset)
    rest = iter(input.shape[:-1])
    shape = tuple([n if i in (axis1, axis2) else next(rest) for i in range(rank)])
    return bind(diag_embed, (input,), (shape, offset, axis1, axis2))


@public("diag(Tensor self, int diagonal=0, *, Tensor? out=None) -> Tensor", numpy="diag(v, k)")
def _diag(input: Any, diagonal: int = 0) -> Any:
    """Return the diagonal of a matrix, or the matrix with a vector on its diagonal.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.diag(torch.tensor([1, 2]))
    tensor([[1, 0],
            [0, 2]])
    >>> torch.diag(torch.tensor([[1, 2], [3, 4]]))
    tensor([1, 4])
    """
    rank = len(input.shape)
    if rank == 1:
        return _diag_embed_function(input, diagonal)
    if rank != 2:
        raise RuntimeError(f"diag(): Supports 1D or 2D tensors. Got {rank}D")
    return bind(diagonal_copy, (input,), (diagonal, 0, 1))


@public("diagflat(Tensor self, int offset=0) -> Tensor")
def _diagflat(input: Any, offset: int = 0) -> Any:
    """Return the matrix with the elements on its diagonal.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.diagflat(torch.tensor([[1], [2]]))
    tensor([[1, 0],
            [0, 2]])
    """
    return _diag_embed_function(_reshape(input, (-1,)), offset)


@public("trace(Tensor self) -> Tensor")
def _trace_function(input: Any) -> Any:
    """Return the sum of the diagonal of a matrix.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.trace(torch.tensor([[1, 2], [3, 4]]))
    tensor(5)
    """
    return bind(trace, (input,))


@numpy_call("trace")
def _numpy_trace(
    a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: None = None, out: None = None
) -> Any:
    return operand(a).diagonal(offset, axis1, axis2).sum(-1)


@numpy_call("linalg.trace")
def _numpy_linalg_trace(x: Any, /, *, offset: int = 0, dtype: None = None) -> Any:
    return operand(x).diagonal(offset, -2, -1).sum(-1)


@numpy_call("linalg.diagonal")
def _numpy_linalg_diagonal(x: Any, /, *, offset: int = 0) -> Any:
    return operand(x).diagonal(offset, -2, -1)


@numpy_call("diagflat")
def _numpy_diagflat(v: Any, k: int = 0) -> Any:
    return operand(v).diagflat(k)
