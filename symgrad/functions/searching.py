"""What users call of `symgrad.ops.searching`."""

from __future__ import annotations

from typing import Any

import numpy as np

from symgrad.expr.dtypes import int32, int64
from symgrad.functions.creation.making import finish
from symgrad.ops.gathering import gather
from symgrad.ops.operand_values import every_value
from symgrad.ops.primitive import bind
from symgrad.ops.searching import searchsorted
from symgrad.schema.numpy_calls import numpy_call
from symgrad.schema.public import public
from symgrad.tensor.numpy_interop import operand


def _found(line: Any, x: Any, right: bool, short: bool) -> Any:
    if isinstance(x, (int, float)):
        x = finish("searchsorted", np.asarray(x, line.dtype.numpy if isinstance(x, int) else float))
    found = bind(searchsorted, (line, x), (right,))
    return found.to(int32) if short else found


@public(
    "searchsorted(Tensor sorted_sequence, Tensor self, *, bool out_int32=False, bool right=False, str? side=None, Tensor? sorter=None, Tensor? out=None) -> Tensor",
    "searchsorted(Tensor sorted_sequence, Scalar self, *, bool out_int32=False, bool right=False, str? side=None, Tensor? sorter=None, Tensor? out=None) -> Tensor",
    method=False,
)
def _searchsorted(
    sorted_sequence: Any, input: Any, *, out_int32: bool = False, right: bool = False,
    side: str | None = None, sorter: Any = None,
) -> Any:  # fmt: skip
    """Return where each number would stand in sorted ones: before those that are equal, or behind.

    Parameters
    ----------
    sorted_sequence : Tensor or ArrayExpr
        Numbers in ascending order along the last axis: one row for all, or a row for each of `input`.
    input : Tensor, ArrayExpr or number
        What is searched; its axes but the last are those of `sorted_sequence`, unless that has one.
    out_int32 : bool
        Whether the result has 32 bits, and not 64.
    right : bool
        Whether to stand behind equal numbers.
    side : "left" or "right", optional
        The same in NumPy's words.
    sorter : Tensor, optional
        The indices that sort `sorted_sequence`, where that is not in order.

    Raises
    ------
    RuntimeError
        If the shapes or dtypes do not fit, or `side` is another word or contradicts `right`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.searchsorted(torch.tensor([1.0, 3.0, 5.0]), torch.tensor([3.0, 4.0]))
    tensor([1, 2])
    >>> torch.searchsorted(torch.tensor([1.0, 3.0, 5.0]), torch.tensor([3.0, 4.0]), right=True)
    tensor([2, 2])
    """
    call = "torch.searchsorted()"
    if side is not None and side not in ("left", "right"):
        raise RuntimeError(f"{call}: side can only be 'left' or 'right' but got {side}")
    if side == "left" and right:
        raise RuntimeError(
            f"{call}: side and right can't be set to opposites, got side of left while right was True"
        )
    shape, rows = tuple(sorted_sequence.shape), tuple(getattr(input, "shape", ()))
    if not shape:
        raise RuntimeError(
            f"{call}: boundaries tensor should have positive dimension, but got 0 dimension"
        )
    if len(shape) > 1 and not rows:
        raise RuntimeError(
            f"{call}: input value can be a scalar only when boundaries tensor dimension is 1, but "
            f"we got boundaries tensor dim({len(shape)}) and input value's dim(0) numel(1)"
        )
    if len(shape) > 1 and (len(rows) != len(shape) or rows[:-1] != shape[:-1]):
        raise RuntimeError(
            f"{call}: boundaries tensor should be 1 dimension or the first N-1 dimensions of "
            "boundaries tensor and input value tensor must match, but we got boundaries tensor "
            f"{list(shape)} and input value tensor {list(rows)}"
        )
    if sorter is not None:
        if tuple(sorter.shape) != shape:
            raise RuntimeError(
                f"{call}: boundary and sorter must have the same size, but got boundary tensor "
                f"{list(shape)}and got sorter tensor {list(sorter.shape)}"
            )
        if sorter.dtype is not int64:
            kind = sorter.dtype.scalar_name
            raise RuntimeError(
                f"{call}: sorter must be a tensor of long dtype but got dtype {kind}"
            )
        known = every_value(sorter)
        if known is not None and not np.all((known >= 0) & (known < shape[-1])):
            raise RuntimeError(f"{call}: sorter index out of range")
        sorted_sequence = bind(gather, (sorted_sequence, sorter), (len(shape) - 1,))
    return _found(sorted_sequence, input, right or side == "right", out_int32)


@public(
    "bucketize(Tensor self, Tensor boundaries, *, bool out_int32=False, bool right=False, Tensor? out=None) -> Tensor",
    "bucketize(Scalar self, Tensor boundaries, *, bool out_int32=False, bool right=False) -> Tensor",
    method=False,
)
def _bucketize(input: Any, boundaries: Any, *, out_int32: bool = False, right: bool = False) -> Any:
    """Return between which of sorted boundaries each number lies.

    Parameters
    ----------
    input : Tensor, ArrayExpr or number
        The numbers.
    boundaries : Tensor or ArrayExpr
        A vector in ascending order.
    out_int32 : bool
        Whether the result has 32 bits, and not 64.
    right : bool
        Whether a number that is equal to a boundary lies behind it.

    Raises
    ------
    RuntimeError
        If `boundaries` is no vector.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.bucketize(torch.tensor([[0.5, 3.0], [2.0, 9.0]]), torch.tensor([1.0, 3.0, 5.0]))
    tensor([[0, 1],
            [1, 3]])
    """
    if len(boundaries.shape) != 1:
        raise RuntimeError(
            f"boundaries tensor must be 1 dimension, but got dim({len(boundaries.shape)})"
        )
    return _found(boundaries, input, right, out_int32)


@numpy_call("searchsorted")
def _numpy_searchsorted(a: Any, v: Any, side: str = "left", sorter: None = None) -> Any:
    if sorter is not None:
        return NotImplemented
    return _searchsorted(operand(a), operand(v), side=side)
