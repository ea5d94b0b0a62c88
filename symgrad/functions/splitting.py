"""What users call to take arrays apart along an axis."""

from __future__ import annotations

import dataclasses
import itertools
import operator
from typing import Any

from symgrad.expr.dtypes import int64
from symgrad.expr.node import ArrayExpr
from symgrad.expr.shapes import canonical_axis
from symgrad.functions.slicing import CUT
from symgrad.ops.joining import _along
from symgrad.ops.primitive import bind
from symgrad.ops.slicing import part, pieces, split, split_with_sizes
from symgrad.record.face import face_of
from symgrad.schema.numpy_calls import numpy_call
from symgrad.schema.public import public
from symgrad.schema.text import NOT_GIVEN
from symgrad.support.untraceable import UntraceableValue
from symgrad.tensor.numpy_interop import operand


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
    return _taken_apart(tensor, split_size_or_sections, dim)


def _taken_apart(tensor: Any, sizes: Any, dim: int, prefix: str = "") -> tuple[Any, ...]:
    """Return the pieces that `split` does; with a `prefix` of PyTorch's name they count as no views."""
    shape = tuple(tensor.shape)

    def taken(cls: Any, params: tuple[Any, ...]) -> tuple[Any, ...]:
        face = face_of(cls)
        if prefix:
            name = prefix + ("Split" if cls is split else "SplitWithSizes")
            face = dataclasses.replace(face, name=name, is_view=False)
        return pieces(cls, tensor, params, face)

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
        return taken(split, (size, axis))
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
    return taken(split_with_sizes, (tuple(lengths), axis)) if lengths else ()


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
    return _chunks(input, chunks, dim)


def _chunks(input: Any, chunks: int, dim: int, prefix: str = "") -> tuple[Any, ...]:
    shape = tuple(input.shape)
    if not shape:
        raise RuntimeError("chunk expects at least a 1-dimensional tensor")
    chunks = operator.index(chunks)
    if chunks <= 0:
        raise RuntimeError(f"chunk expects `chunks` to be greater than 0, got: {chunks}")
    axis = canonical_axis(dim, len(shape))
    n = shape[axis]
    if not n:
        return _taken_apart(input, [0] * chunks, axis, prefix)
    return _taken_apart(input, -(-n // chunks), axis, prefix)


@public("unsafe_split(Tensor self, int split_size, int dim=0) -> Tensor[]")
def _unsafe_split(input: Any, split_size: int, dim: int = 0) -> tuple[Any, ...]:
    """Return what `split` does, each piece as if it had memory of its own.

    A piece that is changed in place changes `input` also, of which derivatives then know nothing.

    Parameters
    ----------
    split_size : int
        The length of the pieces.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.unsafe_split(torch.arange(3), 2)
    (tensor([0, 1]), tensor([2]))
    """
    return _taken_apart(input, split_size, dim, "Unsafe")


@public("unsafe_split_with_sizes(Tensor self, int[] split_sizes, int dim=0) -> Tensor[]")
def _unsafe_split_with_sizes(input: Any, split_sizes: Any, dim: int = 0) -> tuple[Any, ...]:
    """Return what `split_with_sizes` does, each piece as if it had memory of its own.

    Parameters
    ----------
    split_sizes : sequence of int
        The length of each piece; together that of the axis.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.unsafe_split_with_sizes(torch.arange(3), [1, 2])
    (tensor([0]), tensor([1, 2]))
    """
    return _taken_apart(input, list(split_sizes), dim, "Unsafe")


@public("unsafe_chunk(Tensor self, int chunks, int dim=0) -> Tensor[]")
def _unsafe_chunk(input: Any, chunks: int, dim: int = 0) -> tuple[Any, ...]:
    """Return what `chunk` does, each piece as if it had memory of its own.

    The number of pieces is at most `chunks`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.unsafe_chunk(torch.arange(3), 2)
    (tensor([0, 1]), tensor([2]))
    """
    return _chunks(input, chunks, dim, "Unsafe")


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
            bind(part, (input,), (_along(axis, shape, (a, max(a, b), 1)),), CUT)
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
    numpy="hsplit(ary, indices_or_sections)",
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
    numpy="vsplit(ary, indices_or_sections)",
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
    numpy="dsplit(ary, indices_or_sections)",
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


def _numpy_places(where: Any) -> Any:
    return where if isinstance(where, int) else tuple([int(n) for n in where])


@numpy_call("array_split")
def _numpy_array_split(ary: Any, indices_or_sections: Any, axis: int = 0) -> Any:
    return operand(ary).tensor_split(_numpy_places(indices_or_sections), axis)


@numpy_call("split")
def _numpy_split(ary: Any, indices_or_sections: Any, axis: int = 0) -> Any:
    x, places = operand(ary), _numpy_places(indices_or_sections)
    if isinstance(places, int) and x.shape[axis] % places:
        raise ValueError("array split does not result in an equal division")
    return x.tensor_split(places, axis)
