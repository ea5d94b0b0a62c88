"""What users call of `symgrad.ops.distances`, and what PyTorch's graph shows of it."""

from __future__ import annotations

from typing import Any

from symgrad.expr.dtypes import Category
from symgrad.functions.norms import _whole
from symgrad.ops.distances import cdist, pdist
from symgrad.ops.primitive import bind
from symgrad.record.face import shows
from symgrad.schema.public import public

shows(cdist, saved=("x1", "x2", "p"))
shows(pdist, saved=("self", "p"))


def _check_order(call: str, p: float) -> None:
    if not p >= 0:
        raise RuntimeError(f"{call} only supports non-negative p values")


@public(
    "cdist(Tensor x1, Tensor x2, float p=2.0, str compute_mode=use_mm_for_euclid_dist_if_necessary) -> Tensor",
    python=True,
    inner="cdist(Tensor x1, Tensor x2, float p, int? compute_mode)",
    method=False,
)
def _cdist(
    x1: Any, x2: Any, p: float = 2.0, compute_mode: str = "use_mm_for_euclid_dist_if_necessary"
) -> Any:
    """Return the distance of each row of `x1` from each row of `x2`.

    Parameters
    ----------
    x1, x2 : Tensor or ArrayExpr
        Matrices with rows of the same length, or stacks of such, broadcast.
    p : float
        The order of the norm, from 0 on.
    compute_mode : str
        One of PyTorch's three ways. It is read, and differences are computed in any case, which
        keeps digits that a product of matrices loses.

    Raises
    ------
    RuntimeError
        If the operands are no matrices of floats, their rows differ in length, or `p` is negative.

    Examples
    --------
    >>> import symgrad as torch
    >>> a, b = torch.tensor([[0.0, 0.0], [3.0, 4.0]]), torch.tensor([[3.0, 4.0]])
    >>> torch.cdist(a, b)
    tensor([[5.],
            [0.]])
    """
    if compute_mode not in (
        "use_mm_for_euclid_dist_if_necessary", "use_mm_for_euclid_dist",
        "donot_use_mm_for_euclid_dist",
    ):  # fmt: skip
        raise ValueError(f"{compute_mode} is not a valid value for compute_mode")
    for i, x in enumerate((x1, x2), 1):
        if x.dtype.category != Category.FLOAT:
            raise RuntimeError(
                f"cdist only supports floating-point dtypes, X{i} got: {x.dtype.scalar_name}"
            )
        if len(x.shape) < 2:
            raise RuntimeError(
                f"cdist only supports at least 2D tensors, X{i} got: {len(x.shape)}D"
            )
    if x1.shape[-1] != x2.shape[-1]:
        raise RuntimeError(
            f"X1 and X2 must have the same number of columns. X1: {x1.shape[-1]} X2: {x2.shape[-1]}"
        )
    _check_order("cdist", p)
    return bind(cdist, (x1, x2, _whole(p) if x1.shape[-1] else 1))


@public("pdist(Tensor self, float p=2.0) -> Tensor", method=False)
def _pdist(input: Any, p: float = 2.0) -> Any:
    """Return the distance of each row of a matrix from each row after it, in one axis.

    Parameters
    ----------
    p : float
        The order of the norm, from 0 on.

    Raises
    ------
    RuntimeError
        If `input` is no matrix of floats, or `p` is negative.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.pdist(torch.tensor([[0.0, 0.0], [3.0, 4.0], [3.0, 0.0]]))
    tensor([5., 3., 4.])
    """
    if len(input.shape) != 2:
        raise RuntimeError(f"pdist only supports 2D tensors, got: {len(input.shape)}D")
    if input.dtype.category != Category.FLOAT:
        raise RuntimeError("pdist only supports floating-point dtypes")
    _check_order("pdist", p)
    return bind(pdist, (input, _whole(p) if input.shape[-1] else 1))
