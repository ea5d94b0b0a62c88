"""Sequences of several lengths: padded to one length, or packed one place after the other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from symgrad.expr.dtypes import (
    float16,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    uint8,
)
from symgrad.expr.shapes import broadcast_shapes
from symgrad.functions.creation import CREATION
from symgrad.ops.operand_values import counted_values
from symgrad.record.record import Recorded
from symgrad.record.tape import as_one_node
from symgrad.schema.public import FUNCTIONS, SPACES
from symgrad.support.untraceable import UntraceableValue

__all__ = [
    "PackedSequence", "invert_permutation", "pack_padded_sequence", "pack_sequence",
    "pad_packed_sequence", "pad_sequence", "unpack_sequence", "unpad_sequence",
]  # fmt: skip


class _Packed(NamedTuple):
    data: Any
    batch_sizes: Any
    sorted_indices: Any
    unsorted_indices: Any


class PackedSequence(_Packed):
    """Sequences of several lengths, packed: the first elements of all, then the second ones.

    They are made by `pack_sequence` and `pack_padded_sequence`.

    Parameters
    ----------
    data : Tensor or ArrayExpr
        The elements, of which the longest sequence has the first one at each place.
    batch_sizes : Tensor
        How many sequences have an element at each place.
    sorted_indices : Tensor, optional
        The sequences by their lengths, the longest one first.
    unsorted_indices : Tensor, optional
        The permutation back.

    Examples
    --------
    >>> import symgrad as torch
    >>> rnn = torch.nn.utils.rnn
    >>> packed = rnn.pack_sequence([torch.tensor([1, 2]), torch.tensor([3])])
    >>> isinstance(packed, rnn.PackedSequence)
    True
    >>> packed.data, packed.batch_sizes
    (tensor([1, 3, 2]), tensor([2, 1]))
    """

    __slots__ = ()

    def __new__(
        cls, data: Any, batch_sizes: Any = None, sorted_indices: Any = None,
        unsorted_indices: Any = None,
    ) -> PackedSequence:  # fmt: skip
        if unsorted_indices is None:
            unsorted_indices = invert_permutation(sorted_indices)
        if batch_sizes is None:
            if not (isinstance(data, (list, tuple)) and len(data) == 2):
                raise AssertionError("Expected data to be a list or tuple of length 2")
            data, batch_sizes = data
        return super().__new__(cls, data, batch_sizes, sorted_indices, unsorted_indices)

    def to(self, *args: Any, **kwargs: Any) -> PackedSequence:
        """Return the sequences with elements of another dtype.

        Parameters
        ----------
        *args, **kwargs
            As those of `Tensor.to`.

        Examples
        --------
        >>> import symgrad as torch
        >>> packed = torch.nn.utils.rnn.pack_sequence([torch.tensor([1, 2])])
        >>> packed.to(torch.float32).data
        tensor([1., 2.])
        """
        data = self.data.to(*args, **kwargs)
        return self if data is self.data else type(self)(data, *self[1:])

    def cpu(self) -> PackedSequence:
        """Return the sequences, which are in the memory of the CPU.

        Examples
        --------
        >>> import symgrad as torch
        >>> packed = torch.nn.utils.rnn.pack_sequence([torch.tensor([1, 2])])
        >>> packed.cpu() is packed
        True
        """
        return self

    def double(self) -> PackedSequence:
        """Return the sequences with elements of float64.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.nn.utils.rnn.pack_sequence([torch.tensor([1, 2])]).double().data.dtype
        torch.float64
        """
        return self.to(float64)

    def float(self) -> PackedSequence:
        """Return the sequences with elements of float32.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.nn.utils.rnn.pack_sequence([torch.tensor([1, 2])]).float().data.dtype
        torch.float32
        """
        return self.to(float32)

    def half(self) -> PackedSequence:
        """Return the sequences with elements of float16.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.nn.utils.rnn.pack_sequence([torch.tensor([1, 2])]).half().data.dtype
        torch.float16
        """
        return self.to(float16)

    def long(self) -> PackedSequence:
        """Return the sequences with elements of int64.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.nn.utils.rnn.pack_sequence([torch.tensor([1.5])]).long().data
        tensor([1])
        """
        return self.to(int64)

    def int(self) -> PackedSequence:
        """Return the sequences with elements of int32.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.nn.utils.rnn.pack_sequence([torch.tensor([1.5])]).int().data.dtype
        torch.int32
        """
        return self.to(int32)

    def short(self) -> PackedSequence:
        """Return the sequences with elements of int16.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.nn.utils.rnn.pack_sequence([torch.tensor([1.5])]).short().data.dtype
        torch.int16
        """
        return self.to(int16)

    def char(self) -> PackedSequence:
        """Return the sequences with elements of int8.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.nn.utils.rnn.pack_sequence([torch.tensor([1.5])]).char().data.dtype
        torch.int8
        """
        return self.to(int8)

    def byte(self) -> PackedSequence:
        """Return the sequences with elements of uint8.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.nn.utils.rnn.pack_sequence([torch.tensor([1.5])]).byte().data.dtype
        torch.uint8
        """
        return self.to(uint8)

    @property
    def is_cuda(self) -> bool:
        """Whether the elements are in the memory of a GPU: they never are.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.nn.utils.rnn.pack_sequence([torch.tensor([1.5])]).is_cuda
        False
        """
        return False

    def is_pinned(self) -> bool:
        """Return whether the memory is pinned: it never is.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.nn.utils.rnn.pack_sequence([torch.tensor([1.5])]).is_pinned()
        False
        """
        return False


def invert_permutation(permutation: Any) -> Any:
    """Return the permutation that undoes another one; None for None.

    Parameters
    ----------
    permutation : Tensor, optional
        The other one.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.utils.rnn.invert_permutation(torch.tensor([2, 0, 1]))
    tensor([1, 2, 0])
    """
    return None if permutation is None else permutation.argsort()


def pack_padded_sequence(
    input: Any, lengths: Any, batch_first: bool = False, enforce_sorted: bool = True
) -> PackedSequence:
    """Return padded sequences, packed.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        Of shape (L, N, *), with N first where `batch_first`.
    lengths : Tensor or sequence of int
        The length of each.
    batch_first : bool
        Whether axis 0, not axis 1, is that of the sequences.
    enforce_sorted : bool
        Whether they have to come by their lengths, the longest one first.

    Raises
    ------
    RuntimeError
        If lengths do not fit.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([[1, 2], [3, 0]])
    >>> torch.nn.utils.rnn.pack_padded_sequence(x, (2, 1), batch_first=True).data
    tensor([1, 3, 2])
    """
    if not isinstance(lengths, Recorded):
        lengths = CREATION["tensor"](lengths, dtype=int64)
    lengths = lengths.to(int64)
    order = None
    axis = 0 if batch_first else 1
    if not enforce_sorted:
        lengths, order = lengths.sort(descending=True)
        input = input.index_select(axis, order)
    counts = counted_values(lengths, "pack_padded_sequence")
    if counts is None:
        raise UntraceableValue("the lengths of sequences have to be known")
    sizes = _sizes(input, counts, axis)
    places = np.repeat(np.arange(len(sizes)), sizes)
    rows = np.concatenate([np.arange(n) for n in sizes])
    at = [CREATION["tensor"](places), CREATION["tensor"](rows)]
    data = input[tuple(reversed(at)) if batch_first else tuple(at)]
    data = as_one_node(data, "PackPaddedSequence", input)
    return PackedSequence(data, CREATION["tensor"](sizes), order, None)


def _sizes(input: Any, lengths: Any, axis: int) -> Any:
    """Return how many sequences have each of the places, checked."""
    shape = tuple(input.shape)
    if 0 in shape:
        raise RuntimeError("Cannot pack empty tensors.")
    if len(lengths) != shape[axis]:
        raise RuntimeError(
            f"Expected `len(lengths)` to be equal to batch_size, but got {len(lengths)} "
            f"(batch_size={shape[axis]})"
        )
    if lengths.min() <= 0:
        raise RuntimeError(
            "Length of all samples has to be greater than 0, but found an element in 'lengths' "
            "that is <= 0"
        )
    if (np.diff(lengths) > 0).any():
        raise RuntimeError(
            "`lengths` array must be sorted in decreasing order when `enforce_sorted` is True. "
            "You can pass `enforce_sorted=False` to pack_padded_sequence and/or pack_sequence to "
            "sidestep this requirement if you do not need ONNX exportability."
        )
    longest = int(lengths[0])
    if longest > shape[1 - axis]:
        raise RuntimeError(
            f"Expected lengths up to {shape[1 - axis]}, that of the input, but got {longest}"
        )
    return (lengths[:, None] > np.arange(longest)).sum(0)


def pad_packed_sequence(
    sequence: PackedSequence, batch_first: bool = False, padding_value: float = 0.0,
    total_length: int | None = None,
) -> tuple[Any, Any]:  # fmt: skip
    """Return packed sequences, padded to one length, and their lengths.

    Parameters
    ----------
    sequence : PackedSequence
        The sequences.
    batch_first : bool
        Whether axis 0, not axis 1, is that of the sequences.
    padding_value : float
        What follows the elements of a sequence.
    total_length : int, optional
        The one length; by default that of the longest sequence.

    Raises
    ------
    ValueError
        If a sequence is longer.

    Examples
    --------
    >>> import symgrad as torch
    >>> rnn = torch.nn.utils.rnn
    >>> packed = rnn.pack_sequence([torch.tensor([1, 2]), torch.tensor([3])])
    >>> rnn.pad_packed_sequence(packed, batch_first=True)
    (tensor([[1, 2],
            [3, 0]]), tensor([2, 1]))
    """
    sizes = np.array(sequence.batch_sizes.tolist(), np.int64)
    data, back = sequence.data, sequence.unsorted_indices
    longest = len(sizes) if total_length is None else total_length
    if longest < len(sizes):
        raise ValueError(
            "Expected total_length to be at least the length of the longest sequence in input, "
            f"but got total_length={total_length} and max sequence length being {len(sizes)}"
        )
    # The row behind all others is padding.
    at = np.full((longest, int(sizes[0])), int(sizes.sum()))
    for place, (n, end) in enumerate(zip(sizes, np.cumsum(sizes), strict=True)):
        at[place, :n] = np.arange(end - n, end)
    row = CREATION["full"]((1, *data.shape[1:]), padding_value, dtype=data.dtype)
    rows = FUNCTIONS["cat"]([data, row])
    padded = rows[CREATION["tensor"](at.T if batch_first else at)]
    lengths = CREATION["tensor"]((sizes[:, None] > np.arange(sizes[0])).sum(0))
    if back is None:
        return padded, lengths
    return padded.index_select(0 if batch_first else 1, back), lengths[back]


def pad_sequence(
    sequences: Any, batch_first: bool = False, padding_value: float = 0.0,
    padding_side: str = "right",
) -> Any:  # fmt: skip
    """Return sequences, padded to one length.

    Parameters
    ----------
    sequences : iterable of Tensor
        The sequences, along axis 0 of each.
    batch_first : bool
        Whether axis 0 of the result, not axis 1, is that of the sequences.
    padding_value : float
        What follows the elements of a sequence.
    padding_side : "right" or "left"
        Whether it follows them or goes before.

    Raises
    ------
    RuntimeError
        If there is no sequence, or the elements of one do not fit those of the first.

    Examples
    --------
    >>> import symgrad as torch
    >>> x, y = torch.tensor([1, 2]), torch.tensor([3])
    >>> torch.nn.utils.rnn.pad_sequence([x, y], batch_first=True)
    tensor([[1, 2],
            [3, 0]])
    """
    if not isinstance(sequences, Iterable):
        raise RuntimeError(
            "pad_sequence: Expected iterable for input sequences, but got arg of type: "
            f"{type(sequences)}"
        )
    found = list(sequences)
    if not found:
        raise RuntimeError("received an empty list of sequences")
    if padding_side not in ("left", "right"):
        raise RuntimeError(
            f"Expected padding_side to be one of left or right, but got {padding_side}."
        )
    longest = max([x.shape[0] for x in found])
    others, kind = tuple(found[0].shape[1:]), found[0].dtype
    rows = []
    for x in found:
        if tuple(x.shape[1:]) != others:
            # the sequence is copied to rows of the first one's shape
            x = x.expand(broadcast_shapes((x.shape[0], *others), tuple(x.shape)))
        if x.dtype != kind:
            x = x.to(kind)
        lacking = longest - x.shape[0]
        around = (lacking, 0) if padding_side == "left" else (0, lacking)
        width = [0, 0] * (len(x.shape) - 1) + [*around]
        rows.append(SPACES["nn.functional"]["pad"](x, width, value=padding_value))
    return FUNCTIONS["stack"](rows, 0 if batch_first else 1)


def unpad_sequence(padded_sequences: Any, lengths: Any, batch_first: bool = False) -> list[Any]:
    """Return the sequences that were padded.

    Parameters
    ----------
    padded_sequences : Tensor or ArrayExpr
        Of shape (L, N, *), with N first where `batch_first`.
    lengths : Tensor
        The length of each.
    batch_first : bool
        Whether axis 0, not axis 1, is that of the sequences.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([[1, 2], [3, 0]])
    >>> torch.nn.utils.rnn.unpad_sequence(x, torch.tensor([2, 1]), batch_first=True)
    [tensor([1, 2]), tensor([3])]
    """
    padded = padded_sequences if batch_first else padded_sequences.transpose(0, 1)
    return [x[:n].clone() for x, n in zip(padded, lengths.tolist(), strict=True)]


def pack_sequence(sequences: Sequence[Any], enforce_sorted: bool = True) -> PackedSequence:
    """Return sequences of several lengths, packed.

    Parameters
    ----------
    sequences : sequence of Tensor
        The sequences, along axis 0 of each.
    enforce_sorted : bool
        Whether they have to come by their lengths, the longest one first.

    Raises
    ------
    RuntimeError
        If they do not.

    Examples
    --------
    >>> import symgrad as torch
    >>> x, y = torch.tensor([1]), torch.tensor([2, 3])
    >>> torch.nn.utils.rnn.pack_sequence([x, y], enforce_sorted=False).data
    tensor([2, 1, 3])
    """
    lengths = [x.shape[0] for x in sequences]
    return pack_padded_sequence(pad_sequence(sequences), lengths, enforce_sorted=enforce_sorted)


def unpack_sequence(packed_sequences: PackedSequence) -> list[Any]:
    """Return the sequences that were packed.

    Parameters
    ----------
    packed_sequences : PackedSequence
        The sequences.

    Examples
    --------
    >>> import symgrad as torch
    >>> rnn = torch.nn.utils.rnn
    >>> rnn.unpack_sequence(rnn.pack_sequence([torch.tensor([1, 2]), torch.tensor([3])]))
    [tensor([1, 2]), tensor([3])]
    """
    padded, lengths = pad_packed_sequence(packed_sequences, batch_first=True)
    return unpad_sequence(padded, lengths, batch_first=True)
