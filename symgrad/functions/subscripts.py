"""What users call of `symgrad.tensor.subscripts`, and what PyTorch's graph shows of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from symgrad.expr.atoms import as_expr
from symgrad.expr.node import ArrayExpr
from symgrad.ops.casting import cast
from symgrad.ops.indexing import index_put, unlike
from symgrad.ops.primitive import bind
from symgrad.schema.arguments import plain_number
from symgrad.schema.public import OPERATORS, in_place, public
from symgrad.tensor.in_place.allowed import check_separate
from symgrad.tensor.subscripts import (
    _getitem,
    check_conversion,
    counted,
    read_by_index,
    resolve_indices,
)

OPERATORS["__getitem__"] = _getitem


@public(
    "index_put(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False) -> Tensor",
    in_place="function",
    sharing="any",
)
def _index_put_function(input: Any, indices: Any, values: Any, accumulate: bool = False) -> Any:
    """Return `input` with `values` where `indices` say; added with `accumulate`.

    Parameters
    ----------
    indices : tuple
        Integer or bool arrays; None for an axis that is not indexed.

    Examples
    --------
    >>> import symgrad as torch
    >>> where = (torch.tensor([0, 2, 0]),)
    >>> torch.index_put(torch.zeros(3), where, torch.tensor([1.0, 2.0, 3.0]), accumulate=True)
    tensor([4., 0., 2.])
    """
    found = resolve_indices(indices, tuple(input.shape))
    if isinstance(values, np.generic):
        values = plain_number(values)
    if isinstance(values, np.ndarray) and isinstance(input, ArrayExpr):
        values = as_expr(values)  # a constant, as in printed formulas
    if hasattr(values, "shape") and values.dtype is not input.dtype:
        if accumulate:
            raise unlike(input, values)
        check_conversion(input, values, found)
        values = bind(cast, (values,), (input.dtype,))
    operands, counts = counted(found.indices)
    return bind(index_put, (input, values, *operands), (found.spec, counts, bool(accumulate)))


@in_place("index_put")
def _index_put_in_place(self: Any, indices: Any, values: Any, accumulate: bool = False) -> Any:
    found = resolve_indices(indices, self.shape)
    check_separate(self, (values, *found.indices) if accumulate else read_by_index(values, found))
    return _index_put_function(self, indices, values, accumulate)
