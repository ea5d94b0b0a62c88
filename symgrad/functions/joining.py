"""What users call of `symgrad.ops.joining`, and what PyTorch's graph shows of it."""

from __future__ import annotations

import itertools
import operator
from typing import Any

import numpy as np

from symgrad.expr.dtypes import int64
from symgrad.expr.node import ArrayExpr
from symgrad.expr.shapes import canonical_axis
from symgrad.functions.broadcasting import _expand
from symgrad.functions.reshaping import _reshape, _with_rank
from symgrad.ops.joining import _along, _is_legacy_empty, cat, stack
from symgrad.ops.primitive import bind
from symgrad.ops.slicing import part, pieces, split, split_with_sizes
from symgrad.schema.arguments import check_listed
from symgrad.schema.public import public
from symgrad.schema.text import NOT_GIVEN
from symgrad.support.refusals import warn
from symgrad.support.untraceable import UntraceableValue

# -- functions -----------------------------------------------------------------------------------


def _operands(name: str, tensors: Any) -> list[Any]:
    """Return the list of operands; TypeError with PyTorch's words where it is none."""
    if not isinstance(tensors, (tuple, list)):
        kind = "Tensor" if hasattr(tensors, "_data") else type(tensors).__name__
        raise TypeError(
            f"{name}(): argument 'tensors' (position 1) must be tuple of Tensors, not {kind}"
        )
    check_listed(tensors)
    return list(tensors)


@public(
    "cat(Tensor[] tensors, int dim=0, *, Tensor? out=None) -> Tensor",
    aliases=(
        "concat",
        "concatenate",
    ),
    method=False,
)
def _cat_function(tensors: Any, dim: int = 0) -> Any:
    """Join arrays along an axis.

    Parameters
    ----------
    tensors : sequence of Tensor or ArrayExpr
        Of equal shape apart from `dim`.

    Raises
    ------
    ValueError
        If there are none.
    RuntimeError
        If their shapes do not fit.

    Examples
    --------
    >>> import symgrad
    >>> symgrad.cat([symgrad.leaf("x", (2, 3)), symgrad.leaf("y", (1, 3))]).shape
    (3, 3)
    """
    operands = _operands("cat", tensors)
    if not operands:
        raise ValueError("torch.cat(): expected a non-empty list of Tensors")
    for i, x in enumerate(operands):
        if not x.shape:
            raise RuntimeError(f"zero-dimensional tensor (at position {i}) cannot be concatenated")
    solid = [x for x in operands if not _is_legacy_empty(x)] or operands
    return bind(cat, operands, (canonical_axis(dim, len(solid[0].shape)),))


@public("stack(Tensor[] tensors, int dim=0, *, Tensor? out=None) -> Tensor", method=False)
def _stack_function(tensors: Any, dim: int = 0) -> Any:
    """Join arrays of one shape along a new axis.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.stack((torch.tensor([1, 2]), torch.tensor([3, 4])), dim=1)
    tensor([[1, 3],
            [2, 4]])
    """
    operands = _operands("stack", tensors)
    if not operands:
        raise RuntimeError("stack expects a non-empty TensorList")
    return bind(stack, operands, (canonical_axis(dim, len(operands[0].shape), extra=1),))


@public("hstack(Tensor[] tensors, *, Tensor? out=None) -> Tensor", method=False)
def _hstack(tensors: Any) -> Any:
    """Join along the second axis, vectors along the first.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.hstack((torch.tensor([[1], [2]]), torch.tensor([[3, 4], [5, 6]])))
    tensor([[1, 3, 4],
            [2, 5, 6]])
    """
    operands = [_with_rank(x, 1) for x in _operands("hstack", tensors)]
    if not operands:
        raise RuntimeError("hstack expects a non-empty TensorList")
    return _cat_function(operands, 0 if len(operands[0].shape) == 1 else 1)


@public(
    "vstack(Tensor[] tensors, *, Tensor? out=None) -> Tensor",
    aliases=("row_stack",),
    method=False,
)
def _vstack(tensors: Any) -> Any:
    """Join along the first axis, vectors as rows.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.vstack((torch.tensor([1, 2]), torch.tensor([[3, 4], [5, 6]])))
    tensor([[1, 2],
            [3, 4],
            [5, 6]])
    """
    operands = [_with_rank(x, 2) for x in _operands("vstack", tensors)]
    if not operands:
        raise RuntimeError("vstack expects a non-empty TensorList")
    return _cat_function(operands, 0)


@public("dstack(Tensor[] tensors, *, Tensor? out=None) -> Tensor", method=False)
def _dstack(tensors: Any) -> Any:
    """Join along the third axis.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.dstack((torch.tensor([1, 2]), torch.tensor([3, 4])))
    tensor([[[1, 3],
             [2, 4]]])
    """
    operands = [_with_rank(x, 3) for x in _operands("dstack", tensors)]
    if not operands:
        raise RuntimeError("dstack expects a non-empty TensorList")
    return _cat_function(operands, 2)


@public("column_stack(Tensor[] tensors, *, Tensor? out=None) -> Tensor", method=False)
def _column_stack(tensors: Any) -> Any:
    """Join along the second axis, vectors as columns.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.column_stack((torch.tensor([1, 2]), torch.tensor([[3, 4], [5, 6]])))
    tensor([[1, 3, 4],
            [2, 5, 6]])
    """
    operands = [
        x if len(x.shape) > 1 else _reshape(x, (_count(x), 1))
        for x in _operands("column_stack", tensors)
    ]
    return _hstack(operands)


def _count(x: Any) -> int:
    return int(np.prod(x.shape, dtype=int))


@public(
    "split(Tensor tensor, int|int[] split_size_or_sections, int dim=0) -> Tensor[]",
    python=True,
    method=False,
)
def _split(tensor: Any, split_size_or_sections: Any, dim: int = 0) -> tuple[Any, ...]:
    """Take an array apart along an axis, into pieces of one length or of given lengths.

    Parameters
    ----------
    tensor : Tensor or ArrayExpr
        What is taken apart.
    split_size_or_sections : int or sequence of int
        The length of the pieces, or of each.

    Returns
    -------
    tuple
        Views; the last may be shorter.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.split(torch.arange(5), 2)
    (tensor([0, 1]), tensor([2, 3]), tensor([4]))
    >>> torch.split(torch.arange(5), [1, 4])
    (tensor([0]), tensor([1, 2, 3, 4]))
    """
    shape = tuple(tensor.shape)
    sizes = split_size_or_sections
    if hasattr(sizes, "__index__"):
        size = operator.index(sizes)
        if not shape:
            raise RuntimeError("split expects at least a 1-dimensional tensor")
        if size < 0:
            raise RuntimeError(
                f"split expects split_size be non-negative, but got split_size={size}"
            )
        axis = canonical_axis(dim, len(shape))
        n = shape[axis]
        if size == 0 and n:
            raise RuntimeError(
                f"split_size can only be 0 if dimension size is 0, but got dimension size of {n}"
            )
        return pieces(split, tensor, (size, axis))
    lengths = [operator.index(n) for n in sizes]
    if not shape:
        raise RuntimeError("split_with_sizes expects at least a 1-dimensional tensor")
    axis = canonical_axis(dim, len(shape))
    if any(n < 0 for n in lengths):
        raise RuntimeError(
            "split_with_sizes expects split_sizes have only non-negative entries, but got "
            f"split_sizes={lengths}"
        )
    if sum(lengths) != shape[axis]:
        raise RuntimeError(
            f"split_with_sizes expects split_sizes to sum exactly to {shape[axis]} (input "
            f"tensor's size at dimension {axis}), but got split_sizes={lengths}"
        )
    return pieces(split_with_sizes, tensor, (tuple(lengths), axis)) if lengths else ()


@public(
    "split(Tensor self, int|int[] split_size, int dim=0) -> Tensor[]", python=True, function=False
)
def _split_method(input: Any, split_size: Any, dim: int = 0) -> tuple[Any, ...]:
    """Take the tensor apart along an axis, into pieces of one length or of given lengths.

    Parameters
    ----------
    split_size : int or sequence of int
        The length of the pieces, or of each.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.arange(5).split(2)
    (tensor([0, 1]), tensor([2, 3]), tensor([4]))
    """
    return _split(input, split_size, dim)


@public("split_with_sizes(Tensor self, int[] split_sizes, int dim=0) -> Tensor[]")
def _split_with_sizes(input: Any, split_sizes: Any, dim: int = 0) -> tuple[Any, ...]:
    """Take an array apart along an axis into pieces of given lengths.

    Parameters
    ----------
    split_sizes : sequence of int
        The length of each piece; together that of the axis.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.split_with_sizes(torch.arange(5), [1, 4])
    (tensor([0]), tensor([1, 2, 3, 4]))
    """
    return _split(input, list(split_sizes), dim)


@public("chunk(Tensor self, int chunks, int dim=0) -> Tensor[]")
def _chunk(input: Any, chunks: int, dim: int = 0) -> tuple[Any, ...]:
    """Take an array apart along an axis into at most `chunks` pieces of equal length.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.chunk(torch.arange(5), 2)
    (tensor([0, 1, 2]), tensor([3, 4]))
    """
    shape = tuple(input.shape)
    if not shape:
        raise RuntimeError("chunk expects at least a 1-dimensional tensor")
    chunks = operator.index(chunks)
    if chunks <= 0:
        raise RuntimeError(f"chunk expects `chunks` to be greater than 0, got: {chunks}")
    axis = canonical_axis(dim, len(shape))
    n = shape[axis]
    if not n:
        return _split(input, [0] * chunks, axis)
    return _split(input, -(-n // chunks), axis)


@public(
    "tensor_split(Tensor self, int[] indices, int dim=0) -> Tensor[]",
    "tensor_split(Tensor self, Tensor tensor_indices_or_sections, int dim=0) -> Tensor[]",
    "tensor_split(Tensor self, int sections, int dim=0) -> Tensor[]",
)
def _tensor_split(
    input: Any,
    indices: Any = NOT_GIVEN,
    dim: int = 0,
    *,
    sections: Any = NOT_GIVEN,
    tensor_indices_or_sections: Any = NOT_GIVEN,
) -> tuple[Any, ...]:
    """Take an array apart into nearly equal pieces, or at given places.

    Parameters
    ----------
    indices : sequence of int
        Where the pieces begin.
    sections : int
        How many pieces there are; it is given in the place of `indices`.
    tensor_indices_or_sections : Tensor
        Either of both, of integers; it is given in the place of `indices`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.tensor_split(torch.arange(5), 2)
    (tensor([0, 1, 2]), tensor([3, 4]))
    >>> torch.tensor_split(torch.arange(5), (1, 4))
    (tensor([0]), tensor([1, 2, 3]), tensor([4]))
    """
    given = (indices, sections, tensor_indices_or_sections)
    where: Any = next(v for v in given if v is not NOT_GIVEN)
    if not input.shape:
        raise RuntimeError(
            "tensor_split expected at least a 1-dimensional tensor, but got a tensor with 0 dims"
        )
    axis = canonical_axis(dim, len(input.shape))
    n = input.shape[axis]
    if isinstance(where, ArrayExpr):
        raise UntraceableValue(
            "tensor_split(): of a formula the places must be known: give integers"
        )
    if hasattr(where, "_data"):
        where = _split_places(where)
    if hasattr(where, "__index__"):
        count = operator.index(where)
        if count <= 0:
            raise RuntimeError(f"number of sections must be larger than 0, got {count}")
        if count >= 2**30:
            raise RuntimeError(f"tensor_split(): not enough memory for {count} tensors")
        short, more = divmod(n, count)
        bounds = [i * short + min(i, more) for i in range(count + 1)]
    else:
        places = [operator.index(i) for i in where]
        bounds = [0, *[min(max(i + n if i < 0 else i, 0), n) for i in places], n]
    shape = tuple(input.shape)
    return tuple(
        [
            bind(part, (input,), (_along(axis, shape, (a, max(a, b), 1)),))
            for a, b in itertools.pairwise(bounds)
        ]
    )


def _split_places(where: Any) -> Any:
    """Return the number or the list that a tensor of places holds."""
    name = "tensor_split expected tensor_indices_or_sections to"
    if where.dtype is not int64:
        raise RuntimeError(f"{name} have dtype of long, but got {where.dtype.scalar_name}")
    if len(where.shape) > 1:
        raise RuntimeError(
            f"{name} be a zero-dimensional or one-dimensional tensor, but got a tensor with "
            f"{len(where.shape)} dims"
        )
    return where.tolist()


@public(
    "hsplit(Tensor self, int sections) -> Tensor[]",
    "hsplit(Tensor self, int[] indices) -> Tensor[]",
)
def _hsplit(input: Any, sections: Any = NOT_GIVEN, indices: Any = NOT_GIVEN) -> tuple[Any, ...]:
    """Take an array apart along its second axis, a vector along its only one.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.hsplit(torch.tensor([[1, 2], [3, 4]]), 2)
    (tensor([[1],
            [3]]), tensor([[2],
            [4]]))
    """
    where = indices if sections is NOT_GIVEN else sections
    return _even_split("hsplit", input, where, 0 if len(input.shape) == 1 else 1, 1)


@public(
    "vsplit(Tensor self, int sections) -> Tensor[]",
    "vsplit(Tensor self, int[] indices) -> Tensor[]",
)
def _vsplit(input: Any, sections: Any = NOT_GIVEN, indices: Any = NOT_GIVEN) -> tuple[Any, ...]:
    """Take an array apart along its first axis.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.vsplit(torch.tensor([[1, 2], [3, 4]]), 2)
    (tensor([[1, 2]]), tensor([[3, 4]]))
    """
    return _even_split("vsplit", input, indices if sections is NOT_GIVEN else sections, 0, 2)


@public(
    "dsplit(Tensor self, int sections) -> Tensor[]",
    "dsplit(Tensor self, int[] indices) -> Tensor[]",
)
def _dsplit(input: Any, sections: Any = NOT_GIVEN, indices: Any = NOT_GIVEN) -> tuple[Any, ...]:
    """Take an array apart along its third axis.

    Examples
    --------
    >>> import symgrad as torch
    >>> [piece.shape for piece in torch.dsplit(torch.zeros(2, 3, 4), [1])]
    [torch.Size([2, 3, 1]), torch.Size([2, 3, 3])]
    """
    return _even_split("dsplit", input, indices if sections is NOT_GIVEN else sections, 2, 3)


def _even_split(name: str, input: Any, where: Any, axis: int, rank: int) -> tuple[Any, ...]:
    if len(input.shape) < rank:
        raise RuntimeError(
            f"torch.{name} requires a tensor with at least {rank} dimension"
            f"{'s' if rank > 1 else ''}, but got a tensor with {len(input.shape)} dimensions!"
        )
    if hasattr(where, "__index__") and (not where or input.shape[axis] % where):
        raise RuntimeError(
            f"torch.{name} attempted to split along dimension {axis}, but the size of the "
            f"dimension {input.shape[axis]} is not divisible by the split_size {where}!"
        )
    return _tensor_split(input, where, axis)


@public("meshgrid(Tensor... tensors, *, str? indexing=None) -> Tensor[]", python=True, method=False)
def _meshgrid(*tensors: Any, indexing: str | None = None) -> tuple[Any, ...]:
    """Repeat vectors over the grid that they span; `indexing` is "ij" or "xy".

    Examples
    --------
    >>> import symgrad as torch
    >>> x, y = torch.meshgrid(torch.tensor([1, 2]), torch.tensor([3, 4, 5]), indexing="ij")
    >>> x
    tensor([[1, 1, 1],
            [2, 2, 2]])
    >>> y
    tensor([[3, 4, 5],
            [3, 4, 5]])
    """
    if len(tensors) == 1 and isinstance(tensors[0], (tuple, list)):
        tensors = tuple(tensors[0])
    if not tensors:
        raise RuntimeError("meshgrid expects a non-empty TensorList")
    if indexing is None:
        warn(
            "torch.meshgrid: in an upcoming release, it will be required to pass the indexing "
            "argument."
        )
    elif indexing not in ("ij", "xy"):
        raise RuntimeError(
            'torch.meshgrid: indexing must be one of "xy" or "ij", but received: ' + indexing
        )
    for x in tensors:
        if len(x.shape) > 1:
            raise RuntimeError(
                "torch.meshgrid: Expected 0D or 1D tensor in the tensor list but got: "
                + "".join(f" {line}" for line in str(x).splitlines()[:1])
            )
    swap = indexing == "xy" and len(tensors) > 1
    order = [1, 0, *range(2, len(tensors))] if swap else list(range(len(tensors)))
    lengths = [_count(tensors[i]) for i in order]
    grids: list[Any] = [None] * len(tensors)
    for place, i in enumerate(order):
        flat = _reshape(tensors[i], [n if p == place else 1 for p, n in enumerate(lengths)])
        grids[i] = _expand(flat, lengths)
    return tuple(grids)
