"""What users call of `symgrad.ops.rearranging`, and what PyTorch's graph shows of it."""

from __future__ import annotations

import functools
import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from symgrad.expr.atoms import ArrayConst, as_expr
from symgrad.expr.dtypes import from_numpy_dtype, int64, number_as
from symgrad.expr.node import ArrayExpr
from symgrad.expr.shapes import Shape, canonical_axes, canonical_axis
from symgrad.functions.broadcasting import _expand
from symgrad.functions.indexing import _index_select
from symgrad.functions.reshaping import _unsqueeze
from symgrad.ops.identity import contiguous
from symgrad.ops.indexing import index
from symgrad.ops.operand_values import counted_values
from symgrad.ops.primitive import bind
from symgrad.ops.rearranging import constant_pad_nd, flip, repeat, roll, rot90
from symgrad.ops.reshaping import reshape
from symgrad.record.face import Face, given, renamed, shows, sizes, stated
from symgrad.schema.numpy_calls import numpy_call
from symgrad.schema.public import SPACES, public
from symgrad.schema.text import NOT_GIVEN
from symgrad.support.untraceable import UntraceableValue
from symgrad.tensor.numpy_interop import operand

shows(flip, facts=renamed(dims="axes"))
shows(roll, facts=renamed(shifts="shifts", dims="axes"))
shows(rot90, facts=renamed(k="k", dims="axes"))
shows(repeat, facts=stated(sizes, renamed(repeats="repeats")))


def _padding(node: Any) -> dict[str, Any]:
    """Return the numbers of elements before and behind each axis, the last axis first."""
    return {"pad": tuple(n for pair in reversed(node.widths) for n in pair)}


shows(constant_pad_nd, saved=("self",), facts=_padding, name="ConstantPadNd")


@public("flip(Tensor self, int[] dims) -> Tensor")
def _flip(input: Any, dims: Sequence[int]) -> Any:
    """Reverse the order of the elements along axes.

    Parameters
    ----------
    dims : sequence of int
        The axes; those of a method may be given one by one.

    Examples
    --------
    >>> import symgrad
    >>> symgrad.leaf("x", (2, 3)).flip(0).shape
    (2, 3)
    """
    return bind(flip, (input,), (canonical_axes(dims, len(input.shape)),))


@public("fliplr(Tensor self) -> Tensor", numpy="fliplr(m)")
def _fliplr(input: Any) -> Any:
    """Reverse the second axis.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.fliplr(torch.tensor([[1, 2], [3, 4]]))
    tensor([[2, 1],
            [4, 3]])
    """
    if len(input.shape) < 2:
        raise RuntimeError("Input must be >= 2-d.")
    return _flip(input, (1,))


@public("flipud(Tensor self) -> Tensor", numpy="flipud(m)")
def _flipud(input: Any) -> Any:
    """Reverse the first axis.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.flipud(torch.tensor([[1, 2], [3, 4]]))
    tensor([[3, 4],
            [1, 2]])
    """
    if not input.shape:
        raise RuntimeError("Input must be >= 1-d.")
    return _flip(input, (0,))


@public("roll(Tensor self, int[1] shifts, int[1] dims=[]) -> Tensor")
def _roll(input: Any, shifts: Any, dims: Any = ()) -> Any:
    """Move the elements along axes, or through the flattened array where none are given.

    Parameters
    ----------
    shifts : int or sequence of int
        By how many places; those that leave at the end come back at the start.
    dims : int or sequence of int
        The axes.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.roll(torch.tensor([1, 2, 3, 4]), 1)
    tensor([4, 1, 2, 3])
    >>> torch.roll(torch.tensor([[1, 2], [3, 4]]), 1, dims=0)
    tensor([[3, 4],
            [1, 2]])
    """
    moves, axes = shifts, dims
    if not moves:
        raise RuntimeError("`shifts` required")
    if len(moves) != len(axes) and (axes or len(moves) != 1):
        raise RuntimeError(
            f"shifts and dimensions must align. shifts: {len(moves)}, dims:{len(axes)}"
        )
    if axes and not input.shape:
        raise IndexError(f"Dimension specified as {axes[0]} but tensor has no dimensions")
    places = tuple([canonical_axis(a, len(input.shape)) for a in axes])
    return bind(roll, (input,), (moves, places))


@public("rot90(Tensor self, int k=1, int[] dims=[0, 1]) -> Tensor", numpy="rot90(m, k, axes)")
def _rot90(input: Any, k: int = 1, dims: Sequence[int] = (0, 1)) -> Any:
    """Rotate by `k` quarter turns in the plane of two axes, from the first towards the second.

    Parameters
    ----------
    dims : sequence of int
        The two axes.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.rot90(torch.tensor([[1, 2], [3, 4]]))
    tensor([[2, 4],
            [1, 3]])
    """
    rank, given = len(input.shape), tuple(dims)
    if len(given) != 2:
        raise RuntimeError(f"expected total rotation dims == 2, but got dims = {len(given)}")
    if rank < 2:
        raise RuntimeError(f"expected total dims >= 2, but got total dims = {rank}")
    axes = tuple([canonical_axis(a, rank) for a in given])
    if axes[0] == axes[1]:
        raise RuntimeError(
            f"expected rotation dims to be different, but got dim0 = {given[0]} and dim1 = "
            f"{given[1]}"
        )
    return bind(rot90, (input,), (operator.index(k), axes))


@public("repeat(Tensor self, int[] repeats, *, Tensor? out=None) -> Tensor", function=False)
def _repeat(input: Any, repeats: Sequence[int]) -> Any:
    """Repeat the whole array along each axis.

    Parameters
    ----------
    repeats : sequence of int
        How often along each axis, which may also be given one by one.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.tensor([1, 2]).repeat(2, 2)
    tensor([[1, 2, 1, 2],
            [1, 2, 1, 2]])
    """
    times = tuple(repeats)
    if len(times) < len(input.shape):
        raise RuntimeError(
            "Number of dimensions of repeat dims can not be smaller than number of dimensions of "
            "tensor"
        )
    own = (1,) * (len(times) - len(input.shape)) + tuple(input.shape)
    shape = [r * n for r, n in zip(times, own, strict=True)]
    if any(n < 0 for n in shape):
        worst = next(n for n in shape if n < 0)
        raise RuntimeError(f"Trying to create tensor with negative dimension {worst}: {shape}")
    return bind(repeat, (input,), (times,))


@public("tile(Tensor self, int[] dims) -> Tensor")
def _tile(input: Any, dims: Sequence[int]) -> Any:
    """Repeat the whole array; leading axes that are not named are not repeated.

    Parameters
    ----------
    dims : sequence of int
        How often along each axis; of a method they may be given one by one.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.tile(torch.tensor([[1, 2], [3, 4]]), (2,))
    tensor([[1, 2, 1, 2],
            [3, 4, 3, 4]])
    """
    return _repeat(input, (1,) * (len(input.shape) - len(dims)) + tuple(dims))


@public(
    "repeat_interleave(Tensor self, Tensor repeats, int? dim=None, *, int? output_size=None) -> Tensor",
    "repeat_interleave(Tensor repeats, *, int? output_size=None) -> Tensor",
    "repeat_interleave(Tensor self, int repeats, int? dim=None, *, int? output_size=None) -> Tensor",
)
def _repeat_interleave(
    input: Any, repeats: Any = None, dim: int | None = None, *, output_size: int | None = None
) -> Any:
    """Repeat each element in place, by one number or by one number for each.

    A single argument is `repeats`; the result then holds the indices of the repeated elements.

    Parameters
    ----------
    dim : int, optional
        The axis; without it the array is flattened first.
    output_size : int, optional
        The length of the result, which then is not computed.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.repeat_interleave(torch.tensor([10, 20]), 2)
    tensor([10, 10, 20, 20])
    >>> torch.repeat_interleave(torch.tensor([10, 20]), torch.tensor([1, 3]))
    tensor([10, 20, 20, 20])
    >>> torch.repeat_interleave(torch.tensor([1, 3]))
    tensor([0, 1, 1, 1])
    """
    if input is NOT_GIVEN:
        input = repeats
        counts = counted_values(input, "repeat_interleave")
        if counts is None:
            raise UntraceableValue("repeat_interleave(): the repeats must be known")
        if counts.ndim != 1:
            raise RuntimeError("repeat_interleave only accept 1D vector as repeat")
        _check_counts(input, counts)
        return integers_beside(input, np.repeat(np.arange(len(counts)), counts))
    if dim is None:
        input, axis = input.reshape(-1), 0
    else:
        axis = canonical_axis(dim, len(input.shape))
    counts = counted_values(repeats, "repeat_interleave")
    if isinstance(repeats, ArrayExpr) and counts is None:
        raise UntraceableValue("repeat_interleave(): the repeats must be known")
    if counts is not None:
        _check_counts(repeats, counts)
    if counts is not None and counts.ndim and counts.size != 1:
        n = input.shape[axis]
        if counts.size != n:
            raise RuntimeError(
                "repeats must have the same size as input along dim, but got repeats.size(0) = "
                f"{counts.size} and input.size({axis}) = {n}"
            )
        rows = np.repeat(np.arange(n), counts)
        return _index_select(input, axis, integers_beside(input, rows))
    if counts is not None and counts.ndim > 1:
        raise RuntimeError("repeats must be 0-dim or 1-dim tensor")
    times = operator.index(repeats) if counts is None else int(counts.reshape(()))
    if times < 0:
        raise RuntimeError("Repeats must be non-negative")
    shape = tuple(input.shape)
    wide = _expand(_unsqueeze(input, axis + 1), (*shape[: axis + 1], times, *shape[axis + 1 :]))
    wide = bind(contiguous, (wide,))
    return bind(reshape, (wide,), ((*shape[:axis], shape[axis] * times, *shape[axis + 1 :]),))


def _check_counts(given: Any, counts: np.ndarray[Any, Any]) -> None:
    """Raise PyTorch's error for repeats that are not whole numbers from 0 on."""
    if counts.dtype not in (np.int64, np.int32):
        if not hasattr(type(given), "_record"):
            raise TypeError("repeat_interleave(): repeats are integers")
        name = from_numpy_dtype(counts.dtype).scalar_name
        raise NotImplementedError(f"\"repeat_interleave_cpu\" not implemented for '{name}'")
    if (counts < 0).any():
        raise RuntimeError("repeats can not be negative")


def integers_beside(like: Any, values: np.ndarray[Any, Any]) -> Any:
    """Return integers as an operand beside `like`: a constant beside formulas, else a tensor."""
    if isinstance(like, ArrayExpr):
        return ArrayConst(values)
    # The method of a tensor makes a tensor of its own class.
    return like.detach().reshape(-1)[:0].to(int64).new_tensor(values)


@public(
    "nn.functional.pad(Tensor input, int[] pad, str mode=constant, float? value=None) -> Tensor",
    python=True,
    inner="pad(Tensor self, int[] pad, str mode, float? value)",
)
def pad(input: Any, pad: Sequence[int], mode: str = "constant", value: float | None = None) -> Any:
    """Add elements around an array; `nn.functional.pad`.

    Parameters
    ----------
    pad : sequence of int
        Numbers of elements before and behind, from the last axis to the first; negative ones cut
        ("constant" mode).
    mode : str
        "constant", "reflect", "replicate" or "circular".
    value : number, optional
        The constant.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([1, 2, 3])
    >>> torch.nn.functional.pad(x, (1, 2))
    tensor([0, 1, 2, 3, 0, 0])
    >>> torch.nn.functional.pad(x[None], (1, 2), mode="reflect")
    tensor([[2, 1, 2, 3, 2, 1]])
    """
    widths, rank = pad, len(input.shape)
    if len(widths) % 2:
        raise RuntimeError("Padding length must be divisible by 2")
    if len(widths) > 2 * rank:
        raise RuntimeError(
            "Padding length should be less than or equal to two times the input dimension but got "
            f"padding length {len(widths)} and input of dimension {rank}"
        )
    pairs = [(0, 0)] * rank
    for i in range(len(widths) // 2):
        pairs[rank - 1 - i] = (widths[2 * i], widths[2 * i + 1])
    if mode == "constant":
        if any(
            n + a + b < 0 or -a > n or -b > n for n, (a, b) in zip(input.shape, pairs, strict=True)
        ):
            raise RuntimeError("narrow(): length must be non-negative.")
        fill = 0 if value is None else value
        if isinstance(fill, (int, float)):
            fill = number_as(float(fill), input.dtype)
        # PyTorch shows them as numbers of 64 bits without a sign.
        shown = given(constant_pad_nd, pad=tuple(n % 2**64 for n in widths))
        return bind(constant_pad_nd, (input, fill), (tuple(pairs),), shown)
    if mode not in ("reflect", "replicate", "circular"):
        raise NotImplementedError(f"Unrecognised padding mode {mode}")
    if value is not None:
        raise RuntimeError(f'Padding mode "{mode}" doesn\'t take in value argument')
    count = len(widths) // 2
    if rank not in (count + 1, count + 2) or not 1 <= count <= 3:
        raise NotImplementedError(
            f"Padding size {len(widths)} is not supported for {rank}D input tensor."
        )
    width = input.shape[-1] + widths[0] + widths[1]
    if mode != "circular" and count == 1 and width < 1:
        raise RuntimeError(
            f"input (W: {input.shape[-1]}) is too small. Calculated output W: {width}"
        )
    arrays = [
        _pad_places(mode, tuple(input.shape), axis, *pairs[axis])
        for axis in range(rank - count, rank)
    ]
    spec = (False,) * (rank - count) + (True,) * count
    mesh = [_mesh_tensor(input, a, i, count) for i, a in enumerate(arrays)]
    face = None
    if mode != "circular":
        word = "Reflection" if mode == "reflect" else "Replication"
        face = _pad_face(f"{word}Pad{max(1, count)}DBackward0")
    return bind(index, (input, *mesh), (spec, (0,) * count), face)


@public("constant_pad_nd(Tensor self, int[] pad, Scalar value=0) -> Tensor", method=False)
def _constant_pad_nd(input: Any, pad: Sequence[int], value: float = 0) -> Any:
    """Add elements of one value around an array, as `nn.functional.pad` does.

    Parameters
    ----------
    pad : sequence of int
        Numbers of elements before and behind, from the last axis to the first.
    value : number
        The value.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.constant_pad_nd(torch.tensor([1, 2]), (1, 2))
    tensor([0, 1, 2, 0, 0])
    """
    if len(pad) % 2:
        raise RuntimeError(f"Length of pad must be even but instead it equals {len(pad)}")
    return SPACES["nn.functional"]["pad"](input, pad, value=value)


@functools.cache
def _pad_face(name: str) -> Face:
    return Face(name=name, layout="axes", saved=("self",))


def _pad_places(mode: str, shape: Shape, axis: int, before: int, behind: int) -> Any:
    """Return for each place along the padded axis the place that it repeats."""
    n = shape[axis]
    places = np.arange(-before, n + behind)
    if mode == "replicate":
        return np.clip(places, 0, n - 1)
    if mode == "circular":
        if before > n or behind > n:
            raise RuntimeError("Padding value causes wrapping around more than once.")
        # Elements that negative widths cut off are not repeated.
        kept = n + min(before, 0) + min(behind, 0)
        if kept < 0 or (not kept and max(before, behind) > 0):
            raise RuntimeError("Negative padding value is resulting in an empty dimension")
        return np.arange(-max(before, 0), kept + max(behind, 0)) % max(kept, 1) - min(before, 0)
    if before >= n or behind >= n:
        raise RuntimeError(
            "Argument #4: Padding size should be less than the corresponding input dimension, but "
            f"got: padding ({before}, {behind}) at dimension {axis} of input {list(shape)}"
        )
    places = np.abs(places)
    return np.where(places >= n, 2 * (n - 1) - places, places)


def _mesh_tensor(like: Any, places: np.ndarray[Any, Any], i: int, count: int) -> Any:
    values = places.reshape((1,) * i + (-1,) + (1,) * (count - 1 - i))
    return as_expr(values) if isinstance(like, ArrayExpr) else values


@numpy_call("flip")
def _numpy_flip(m: Any, axis: Any = None) -> Any:
    x = operand(m)
    return x.flip(tuple(range(x.ndim)) if axis is None else axis)


@numpy_call("roll")
def _numpy_roll(a: Any, shift: Any, axis: Any = None) -> Any:
    return operand(a).roll(shift) if axis is None else operand(a).roll(shift, axis)


@numpy_call("tile")
def _numpy_tile(A: Any, reps: Any) -> Any:  # noqa: N803 - NumPy's name
    return operand(A).tile((reps,) if isinstance(reps, int) else tuple(reps))


@numpy_call("repeat")
def _numpy_repeat(a: Any, repeats: Any, axis: int | None = None) -> Any:
    counts = repeats if isinstance(repeats, int) else operand(np.asarray(repeats))
    return operand(a).repeat_interleave(counts, axis)
