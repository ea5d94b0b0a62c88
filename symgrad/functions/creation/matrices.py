"""Matrices that their size determines: `eye`, and the places of triangles."""

from __future__ import annotations

from typing import Any

import numpy as np

from symgrad.expr.dtypes import default_dtype, dtype, int64
from symgrad.expr.named_sizes import is_named
from symgrad.functions.creation.making import OPTIONS, check_out, finish, making
from symgrad.ops.contraction import delta


@making(
    f"eye(int n, *, Tensor? out=None, {OPTIONS}) -> Tensor",
    f"eye(int n, int m, *, Tensor? out=None, {OPTIONS}) -> Tensor",
)
def eye(
    n: int,
    m: int | None = None,
    *,
    out: Any = None,
    dtype: dtype | None = None,
    requires_grad: bool = False,
) -> Any:
    """Return the matrix of `n` rows and `m` (by default `n`) columns with ones on its diagonal.

    Parameters
    ----------
    n, m : int
        The numbers of rows and of columns.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.eye(2)
    tensor([[1., 0.],
            [0., 1.]])
    >>> torch.eye(2, 3, dtype=torch.int64)
    tensor([[1, 0, 0],
            [0, 1, 0]])
    """
    check_out("eye", out)
    columns = n if m is None else m
    for name, value in (("n", n), ("m", columns)):
        if value < 0:
            raise RuntimeError(f"{name} must be greater or equal to 0, got {value}")
    kind = dtype or default_dtype()
    if is_named((n,)) and n == columns and out is None and not requires_grad:
        return delta((n,), kind)
    return finish("eye", np.eye(n, columns, dtype=kind.numpy), requires_grad, out=out)


@making(f"tril_indices(int row, int col, int offset=0, *, {OPTIONS}) -> Tensor")
def tril_indices(
    row: int, col: int, offset: int = 0, *, dtype: dtype | None = None, requires_grad: bool = False
) -> Any:
    """Return rows and columns of the places on and below a diagonal, in two rows.

    Parameters
    ----------
    row, col : int
        The shape of the matrix.
    offset : int
        Which diagonal: 0 is the main one, 1 that above it.
    dtype : dtype, optional
        The element type; by default int64.

    Examples
    --------
    >>> import symgrad as torch
    >>> rows, columns = torch.tril_indices(3, 3)
    >>> x = torch.zeros(3, 3)
    >>> x[rows, columns] = 1.0
    >>> x
    tensor([[1., 0., 0.],
            [1., 1., 0.],
            [1., 1., 1.]])
    """
    _check_lengths(row, col)
    mask = np.tri(row, col, offset, dtype=bool)
    return _places("tril_indices", mask, dtype, requires_grad)


@making(f"triu_indices(int row, int col, int offset=0, *, {OPTIONS}) -> Tensor")
def triu_indices(
    row: int, col: int, offset: int = 0, *, dtype: dtype | None = None, requires_grad: bool = False
) -> Any:
    """Return rows and columns of the places on and above a diagonal, in two rows.

    Parameters
    ----------
    row, col : int
        The shape of the matrix.
    offset : int
        Which diagonal: 0 is the main one, 1 that above it.
    dtype : dtype, optional
        The element type; by default int64.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.triu_indices(3, 3, offset=1)
    tensor([[0, 0, 1],
            [1, 2, 2]])
    """
    _check_lengths(row, col)
    mask = ~np.tri(row, col, offset - 1, dtype=bool)
    return _places("triu_indices", mask, dtype, requires_grad)


def _check_lengths(row: int, col: int) -> None:
    for name, value in (("row", row), ("col", col)):
        if value < 0:
            raise RuntimeError(f"{name} must be non-negative, got{value}")


def _places(name: str, mask: Any, dtype: dtype | None, requires_grad: bool) -> Any:
    kind = dtype or int64
    return finish(name, np.stack(np.nonzero(mask)).astype(kind.numpy), requires_grad)
