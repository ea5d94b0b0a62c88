"""Rows of a table by their numbers, and what several of them give: `embedding`, `embedding_bag`."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np

from symgrad.expr.dtypes import int32, int64
from symgrad.functions.bounds import check_bounds
from symgrad.functions.creation.making import CREATION
from symgrad.ops.arithmetic import add, mul, sub
from symgrad.ops.indexing import index
from symgrad.ops.operand_values import counted_values, every_value
from symgrad.ops.primitive import bind
from symgrad.ops.where import where
from symgrad.record.face import Face
from symgrad.record.modes import no_grad
from symgrad.record.tape import as_one_node
from symgrad.schema.public import FUNCTIONS, public
from symgrad.support.refusals import warn
from symgrad.support.untraceable import UntraceableValue


@public(
    "nn.functional.embedding(Tensor input, Tensor weight, int? padding_idx=None, float? max_norm=None, float norm_type=2.0, bool scale_grad_by_freq=False, bool sparse=False) -> Tensor",
    python=True,
    inner="embedding(Tensor weight, Tensor indices, int padding_idx, bool scale_grad_by_freq, bool sparse)",
)
def _embedding(
    input: Any, weight: Any, padding_idx: int | None = None, max_norm: float | None = None,
    norm_type: float = 2.0, scale_grad_by_freq: bool = False, sparse: bool = False,
) -> Any:  # fmt: skip
    """Return the rows of `weight` that `input` names.

    Parameters
    ----------
    input : Tensor
        Integers: the numbers of rows.
    weight : Tensor or ArrayExpr
        A matrix.
    padding_idx : int, optional
        A row whose gradient is 0.
    max_norm : float, optional
        Rows that are longer get this length first, in place.
    norm_type : float
        The order of the norm that lengths are measured by.
    scale_grad_by_freq : bool
        Whether the gradient of a row is divided by how often it is named.
    sparse : bool
        Gradients are never sparse here.

    Raises
    ------
    IndexError
        If there is no such row.
    RuntimeError
        If `weight` is no matrix, or `input` holds no integers.

    Examples
    --------
    >>> import symgrad as torch
    >>> table = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    >>> torch.nn.functional.embedding(torch.tensor([1, 0, 1]), table)
    tensor([[3., 4.],
            [1., 2.],
            [3., 4.]])
    """
    if len(weight.shape) != 2:
        raise RuntimeError("'weight' must be 2-D")
    rows = weight.shape[0]
    _check_kinds("embedding", input)
    if padding_idx is not None and not -rows <= padding_idx < rows:
        raise AssertionError("Padding_idx must be within num_embeddings")
    input = check_bounds(input, 0, rows - 1, IndexError, "index out of range in self")
    if max_norm is not None:
        _shorten(weight, input, max_norm, norm_type)
    padding = -1 if padding_idx is None else padding_idx % rows
    facts = (rows, padding, scale_grad_by_freq, sparse)
    is_last = padding_idx is None and not scale_grad_by_freq
    face = _face(0, *facts) if is_last else _WITHIN
    found = bind(index, (weight, input.to(int64)), ((True,), (0,)), face)
    if padding_idx is not None:
        counts = input.ne(padding).unsqueeze(-1)
        face = _WITHIN if scale_grad_by_freq else _face(1, *facts)
        found = bind(where, (counts, found, found.detach()), (), face)
    return _by_frequency(found, input, _face(0, *facts)) if scale_grad_by_freq else found


#: The face of an operation that is not the last of several that PyTorch has one node for.
_WITHIN = Face(hidden=True)


@lru_cache(maxsize=256)
def _face(place: int, rows: int, padding: int, by_frequency: bool, sparse: bool) -> Face:
    """Return the face of the last operation, whose operand at `place` leads to the table."""
    facts = {
        "padding_idx": padding,
        "scale_grad_by_freq": by_frequency,
        "sparse": sparse,
        "weight_sym_argsize_0": rows,
    }
    return Face(
        name="Embedding",
        saved=("", "indices") if padding < 0 and not by_frequency else (),
        facts=lambda node: facts,
        edges=lambda tensors: [place if place in tensors else None],
        passes=lambda i, kind: i == place,
    )


def _check_kinds(name: str, *numbers: Any) -> None:
    for x in numbers:
        if x.dtype not in (int64, int32):
            raise RuntimeError(
                "Expected tensor for argument #1 'indices' to have one of the following scalar "
                f"types: Long, Int; but got torch.{x.dtype.scalar_name}Tensor instead (while "
                f"checking arguments for {name})"
            )


def _by_frequency(found: Any, input: Any, face: Face) -> Any:
    """Return rows, the gradient of each of which is divided by how often it is named."""
    times = (input.reshape(-1, 1) == input.reshape(1, -1)).sum(1).reshape(input.shape)
    share = times.to(found.dtype).reciprocal().unsqueeze(-1)
    kept = found.detach()
    moved = bind(mul, (bind(sub, (found, kept), (), _WITHIN), share), (), _WITHIN)
    return bind(add, (moved, kept), (), face)


def _shorten(weight: Any, input: Any, most: float, order: float) -> None:
    """Give the rows that are named, and longer, the greatest length, in place."""
    names = every_value(input)
    if names is None:
        raise TypeError(
            "embedding(): a formula has no rows that could be changed: leave max_norm out"
        )
    with no_grad():
        for row in sorted({int(i) for i in names.reshape(-1)}):
            length = weight[row].norm(order).item()
            if length > most:
                weight[row] *= most / (length + 1e-7)


_SWAPPED = (
    "Argument order of nn.functional.embedding_bag was changed. Usage `embedding_bag(weight, input, "
    "...)` is deprecated, and should now be `embedding_bag(input, weight, ...)`."
)


@public(
    "nn.functional.embedding_bag(Tensor input, Tensor weight, Tensor? offsets=None, float? max_norm=None, float norm_type=2, bool scale_grad_by_freq=False, str mode=mean, bool sparse=False, Tensor? per_sample_weights=None, bool include_last_offset=False, int? padding_idx=None) -> Tensor",
    python=True,
    reads="dtype",
)
def _embedding_bag(
    input: Any, weight: Any, offsets: Any = None, max_norm: float | None = None,
    norm_type: float = 2, scale_grad_by_freq: bool = False, mode: str = "mean",
    sparse: bool = False, per_sample_weights: Any = None, include_last_offset: bool = False,
    padding_idx: int | None = None,
) -> Any:  # fmt: skip
    """Return the mean, the sum or the maximum of rows of `weight`, for each of several bags of them.

    Parameters
    ----------
    input : Tensor
        Integers: the numbers of rows. Of two axes, each row is a bag.
    weight : Tensor or ArrayExpr
        A matrix.
    offsets : Tensor, optional
        Where each bag begins in `input`, if that has one axis.
    max_norm, norm_type, scale_grad_by_freq, sparse
        As those of `embedding`.
    mode : "mean", "sum" or "max"
        What becomes of the rows of a bag; an empty one gives zeros.
    per_sample_weights : Tensor, optional
        A factor for each row of a sum, in the shape of `input`.
    include_last_offset : bool
        Whether the last number of `offsets` is where the last bag ends.
    padding_idx : int, optional
        A row that counts for none.

    Raises
    ------
    RuntimeError
        If there is no such row, `weight` holds no floats, `input` no integers, or `offsets` do not fit.
    ValueError
        If numbers of axes do not fit, or there is no such mode.

    Examples
    --------
    >>> import symgrad as torch
    >>> table = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 0.0]])
    >>> torch.nn.functional.embedding_bag(torch.tensor([[0, 1], [1, 2]]), table)
    tensor([[2., 3.],
            [4., 2.]])
    >>> torch.nn.functional.embedding_bag(torch.tensor([0, 1, 2]), table, torch.tensor([0, 2]))
    tensor([[2., 3.],
            [5., 0.]])
    """
    if weight.dtype is int64 and input.dtype.is_floating_point:
        warn(_SWAPPED)
        input, weight = weight, input
    _check_bags(input, weight, offsets, per_sample_weights, mode, scale_grad_by_freq, sparse)
    rows = weight.shape[0]
    if padding_idx is not None and not -rows <= padding_idx < rows:
        raise RuntimeError(
            f"padding_idx must be within the number of embeddings, -{rows} through {rows - 1}, but "
            f"got {padding_idx}"
        )
    if len(input.shape) == 2:
        bags, length = input.shape
        starts = np.arange(bags) * length
        stops = starts + length
        input = input.reshape(-1)
    else:
        starts, stops = _bags(offsets, input.shape[0], include_last_offset)
    if max_norm is None:
        input = _check_rows(input, rows, mode)
    found = _embedding(input, weight, None, max_norm, norm_type, scale_grad_by_freq)
    if per_sample_weights is not None:
        found = found * per_sample_weights.reshape(-1, 1)
    most = int(max(stops - starts, default=0))
    if not most:
        none = found.sum(0).expand((len(starts), weight.shape[1]))
        return as_one_node(none, "EmbeddingBag", weight, per_sample_weights)
    places = starts[:, None] + np.arange(most)
    inside = places < stops[:, None]
    at = CREATION["tensor"](np.where(inside, places, 0))
    counts = None if inside.all() else CREATION["tensor"](inside)
    if padding_idx is not None:
        others = input.ne(padding_idx % rows)[at]
        counts = others if counts is None else others & counts
    bags = _of_bags(found[at], counts, mode)
    return as_one_node(bags, "EmbeddingBag", weight, per_sample_weights)


def _check_rows(input: Any, rows: int, mode: str) -> Any:
    """Return numbers of rows after a check that there are such rows."""
    values = every_value(input)
    outside: Any = [] if values is None else np.flatnonzero((values < 0) | (values >= rows))
    place = outside[0] if len(outside) else 0
    message = (
        "embedding_bag: Expected idx >= 0 && idx < num_embeddings but found idx to be {}"
        if mode == "max"
        else f"Index {place} of input takes value {{}} which is not in the valid range [0, {rows})"
    )
    return check_bounds(input, 0, rows - 1, RuntimeError, message)


def _of_bags(found: Any, counts: Any, mode: str) -> Any:
    """Return what the rows of each bag give, along axis 1, of those that count."""
    where = FUNCTIONS["where"]
    if mode == "max":
        if counts is None:
            return found.max(1)[0]
        most = where(counts.unsqueeze(-1), found, -math.inf).max(1)[0]
        return where(counts.any(1, keepdim=True), most, 0.0)
    total = found if counts is None else where(counts.unsqueeze(-1), found, 0.0)
    if mode == "sum":
        return total.sum(1)
    if counts is None:
        return total.mean(1)
    return total.sum(1) / counts.sum(1, keepdim=True).clamp_min(1)


def _bags(offsets: Any, count: int, has_end: bool) -> tuple[Any, Any]:
    """Return where bags begin and end."""
    values = counted_values(offsets, "embedding_bag")
    if values is None:
        raise UntraceableValue("the bags of a formula have to be known: offsets")
    if has_end and not values.size:
        raise RuntimeError("include_last_offset: number of offset should be at least 1")
    if values.size and values[0] != 0:
        raise RuntimeError(
            "offsets[0] has to be 0, i.e., the first sequence in the mini-batch has to start from "
            f"position 0. However, got {values[0]}"
        )
    if values.size and values[-1] > count:
        raise RuntimeError(
            f"offsets[-1] can not be greater than input's length {count} but got offsets[-1] of "
            f"{values[-1]}"
        )
    stops = values[1:] if has_end else np.append(values[1:], count)
    starts = values[: stops.size]
    if (stops < starts).any():
        raise RuntimeError("offsets have to ascend")
    return starts, stops


def _check_bags(
    input: Any, weight: Any, offsets: Any, factors: Any, mode: str, by_frequency: bool, sparse: bool
) -> None:
    """Raise PyTorch's error unless all fits."""
    if factors is not None and factors.shape != input.shape:
        raise ValueError(
            f"embedding_bag: If per_sample_weights ({factors.shape}) is not None, then it must "
            f"have the same shape as the input ({input.shape})"
        )
    if len(weight.shape) != 2:
        raise ValueError(
            f"weight has to be a 2D Tensor, but got Tensor of dimension {len(weight.shape)}"
        )
    rank = len(input.shape)
    if rank == 2 and offsets is not None:
        raise ValueError(
            "if input is 2D, then offsets has to be None, as input is treated is a mini-batch of "
            f"fixed length sequences. However, found offsets of type {type(offsets)}"
        )
    if rank == 2 and not input.shape[1]:
        raise RuntimeError("step must be nonzero")
    if rank == 1 and offsets is None:
        raise ValueError("offsets has to be a 1D Tensor but got None")
    if rank == 1 and len(offsets.shape) != 1:
        raise ValueError("offsets has to be a 1D Tensor")
    if rank not in (1, 2):
        raise ValueError(f"input has to be 1D or 2D Tensor, but got Tensor of dimension {rank}")
    if mode not in ("sum", "mean", "max"):
        raise ValueError("mode has to be one of sum, mean or max")
    if mode == "max" and by_frequency:
        raise ValueError("max mode does not support scaling the gradient by the frequency")
    if mode == "max" and sparse:
        raise ValueError("max mode does not support sparse weights")
    if factors is not None and mode != "sum":
        raise NotImplementedError(
            "embedding_bag: per_sample_weights was not None. per_sample_weights is only supported "
            f"for mode='sum' (got mode='{mode}'). Please open a feature request on GitHub."
        )
    _check_kinds("embedding_bag", input, *(() if offsets is None else (offsets,)))
    if not weight.dtype.is_floating_point:
        raise RuntimeError(
            "Expected tensor for argument #1 'weight' to have one of the following scalar types: "
            f"Half, BFloat16, Float, Double; but got torch.{weight.dtype.scalar_name}Tensor instead "
            "(while checking arguments for embedding_bag)"
        )
    if factors is not None and factors.dtype is not weight.dtype:
        one, other = weight.dtype.scalar_name, factors.dtype.scalar_name
        raise RuntimeError(
            "Expected tensor for argument #1 'weight' to have the same type as tensor for argument "
            f"#1 'per_sample_weights'; but type torch.{one}Tensor does not equal torch.{other}Tensor "
            "(while checking arguments for embedding_bag)"
        )
