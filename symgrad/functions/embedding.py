"""Rows of a table by their numbers: `embedding`."""

from __future__ import annotations

from typing import Any

from symgrad.expr.dtypes import int32, int64
from symgrad.functions.bounds import check_bounds
from symgrad.ops.operand_values import every_value
from symgrad.record.modes import no_grad
from symgrad.schema.public import FUNCTIONS, public


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
    if input.dtype not in (int64, int32):
        raise RuntimeError(
            "Expected tensor for argument #1 'indices' to have one of the following scalar types: "
            f"Long, Int; but got torch.{input.dtype.scalar_name}Tensor instead (while checking "
            "arguments for embedding)"
        )
    if padding_idx is not None and not -rows <= padding_idx < rows:
        raise AssertionError("Padding_idx must be within num_embeddings")
    input = check_bounds(input, 0, rows - 1, IndexError, "index out of range in self")
    if max_norm is not None:
        _shorten(weight, input, max_norm, norm_type)
    found = weight[input.to(int64)]
    if padding_idx is not None:
        counts = input.ne(padding_idx % rows).unsqueeze(-1)
        found = FUNCTIONS["where"](counts, found, found.detach())
    if scale_grad_by_freq:
        times = (input.reshape(-1, 1) == input.reshape(1, -1)).sum(1).reshape(input.shape)
        share = times.to(weight.dtype).reciprocal().unsqueeze(-1)
        kept = found.detach()
        found = (found - kept) * share + kept
    return found


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
