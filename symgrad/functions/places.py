"""Places in arrays by one number and by one for each axis: `unravel_index`."""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from typing import Any

from symgrad.expr.dtypes import Category
from symgrad.schema.public import public


@public(
    "unravel_index(Tensor indices, object shape) -> Tensor[]",
    python=True,
    method=False,
    numpy="unravel_index(indices, shape)",
)
def _unravel_index(indices: Any, shape: Any) -> tuple[Any, ...]:
    """Return the place along each axis of elements that are counted row by row.

    Parameters
    ----------
    indices : Tensor or ArrayExpr
        Integers: the numbers of elements.
    shape : int or sequence of int
        That of the array.

    Raises
    ------
    TypeError
        If `indices` holds no integers, or `shape` is no sequence of them.
    ValueError
        If a length is negative.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.unravel_index(torch.tensor([5, 7]), (2, 4))
    (tensor([1, 1]), tensor([1, 3]))
    """
    kind = indices.dtype
    if kind.category != Category.INT:
        raise TypeError(f"expected 'indices' to be integer dtype, but got {kind}")
    lengths = shape if isinstance(shape, Sequence) else (shape,)
    for n in lengths:
        if not hasattr(n, "__index__") or isinstance(shape, str):
            what = "'shape' to be int or sequence of ints"
            raise TypeError(f"expected {what}, but got {type(shape)}")
    sizes = [operator.index(n) for n in lengths]
    if min(sizes, default=0) < 0:
        raise ValueError(f"'shape' cannot have negative values, but got {tuple(sizes)}")
    strides = [math.prod(sizes[i + 1 :]) for i in range(len(sizes))]
    return tuple([indices // m % n for m, n in zip(strides, sizes, strict=True)])
