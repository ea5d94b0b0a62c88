"""Decompositions of matrices that are nearly of low rank, from random directions.

Halko, Martinsson and Tropp, SIAM Review 53 (2011), algorithms 4.4 and 5.1.
"""

from __future__ import annotations

from typing import Any

from symgrad.functions.creation.making import CREATION
from symgrad.ops.linear_algebra import adjoint
from symgrad.schema.public import SPACES, public


def _basis(A: Any, q: int, niter: int) -> Any:  # noqa: N803 - PyTorch's name
    """Return `q` orthonormal columns that span nearly what the columns of matrices span."""
    qr = SPACES["linalg"]["qr"]
    found = qr(A @ CREATION["randn"](A.shape[-1], q, dtype=A.dtype)).Q
    for _ in range(niter):
        found = qr(adjoint(A) @ found).Q
        found = qr(A @ found).Q
    return found


def _decomposed(A: Any, q: int, niter: int) -> tuple[Any, Any, Any]:  # noqa: N803
    if len(A.shape) < 2:
        raise ValueError(f"expected matrices, got an array of shape {list(A.shape)}")
    is_wide = A.shape[-2] < A.shape[-1]
    tall = adjoint(A) if is_wide else A
    basis = _basis(tall, q, niter)
    left, values, right = SPACES["linalg"]["svd"](adjoint(basis) @ tall, full_matrices=False)
    left, right = basis @ left, adjoint(right)
    return (right, values, left) if is_wide else (left, values, right)


@public(
    "svd_lowrank(Tensor A, int? q=6, int? niter=2, Tensor? M=None) -> (Tensor U, Tensor S, Tensor V)",
    method=False,
    python=True,
)
def _svd_lowrank(A: Any, q: int | None = 6, niter: int | None = 2, M: Any = None) -> Any:  # noqa: N803
    """Return nearly the largest singular values of matrices, and their vectors, by random directions.

    Parameters
    ----------
    A : Tensor or ArrayExpr
        Matrices; leading axes count them.
    q : int
        How many, somewhat more than the rank.
    niter : int
        How often the directions are improved.
    M : Tensor or ArrayExpr, optional
        What is taken from the matrices first, as their mean.

    Returns
    -------
    (U, S, V)
        With `U @ diag(S) @ V.mH` near `A - M`.

    Examples
    --------
    >>> import symgrad as torch
    >>> A = torch.outer(torch.arange(4.0), torch.arange(3.0))
    >>> U, S, V = torch.svd_lowrank(A, 1)
    >>> torch.allclose(S * U @ V.T, A, atol=1e-5)
    True
    """
    moved = A if M is None else A - M.broadcast_to(tuple(A.shape))
    return _decomposed(moved, 6 if q is None else q, 2 if niter is None else niter)


@public(
    "pca_lowrank(Tensor A, int? q=None, bool center=True, int niter=2) -> (Tensor U, Tensor S, Tensor V)",
    method=False,
    python=True,
)
def _pca_lowrank(A: Any, q: int | None = None, center: bool = True, niter: int = 2) -> Any:  # noqa: N803
    """Return the principal components of the rows of matrices, by random directions.

    Parameters
    ----------
    A : Tensor or ArrayExpr
        Matrices, of which each row is an observation.
    q : int, optional
        How many; by default 6, or the shorter side of the matrices where that is less.
    center : bool
        Whether the mean of the rows is taken from them first.
    niter : int
        How often the directions are improved.

    Returns
    -------
    (U, S, V)
        The singular values S and their vectors; the columns of V are the principal directions.

    Raises
    ------
    ValueError
        If `q` is negative or more than the shorter side, or `niter` is negative.

    Examples
    --------
    >>> import symgrad as torch
    >>> A = torch.tensor([[1.0, 2.0], [2.0, 4.0], [3.0, 6.0]])
    >>> torch.pca_lowrank(A, 1)[1]
    tensor([3.1623])
    """
    if len(A.shape) < 2:
        raise ValueError(f"expected matrices, got an array of shape {list(A.shape)}")
    least = min(A.shape[-2:])
    if q is None:
        q = min(6, least)
    elif not 0 <= q <= least:
        raise ValueError(
            f"q(={q}) must be non-negative integer and not greater than min(m, n)={least}"
        )
    if niter < 0:
        raise ValueError(f"niter(={niter}) must be non-negative integer")
    return _decomposed(A - A.mean(-2, keepdim=True) if center else A, q, niter)
