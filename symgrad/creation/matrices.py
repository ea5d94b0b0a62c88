"""Matrices that their size determines: `eye`, and the places of triangles."""

from __future__ import annotations

from typing import Any

import numpy as np

from symgrad.arguments import (
    dtype_argument,
    integer,
    invalid_combination,
)
from symgrad.creation.making import MISSING, finish, making
from symgrad.expr.dtypes import (
    default_dtype,
    dtype,
    int64,
)


@making
def eye(
    n: Any = MISSING,
    m: Any = None,
    *,
    dtype: dtype | None = None,
    device: Any = None,
    requires_grad: bool = False,
    layout: Any = None,
    pin_memory: bool = False,
    out: Any = None,
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
    if n is MISSING:
        raise invalid_combination("eye", ())
    rows = integer("eye", "n", 1, n)
    columns = rows if m is None else integer("eye", "m", 2, m)
    for name, value in (("n", rows), ("m", columns)):
        if value < 0:
            raise RuntimeError(f"{name} must be greater or equal to 0, got {value}")
    kind = dtype_argument("eye", dtype, default_dtype())
    data = np.eye(rows, columns, dtype=kind.numpy)
    return finish("eye", data, requires_grad, device=device, out=out)


@making
def tril_indices(
    row: int, col: int, offset: int = 0, *, dtype: dtype | None = None, device: Any = None,
    layout: Any = None,
) -> Any:  # fmt: skip
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
    mask = np.tri(*_bounds("tril_indices", row, col, offset), dtype=bool)
    return _places("tril_indices", mask, dtype, device)


@making
def triu_indices(
    row: int, col: int, offset: int = 0, *, dtype: dtype | None = None, device: Any = None,
    layout: Any = None,
) -> Any:  # fmt: skip
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
    row, col, offset = _bounds("triu_indices", row, col, offset)
    return _places("triu_indices", ~np.tri(row, col, offset - 1, dtype=bool), dtype, device)


def _bounds(name: str, row: Any, col: Any, offset: Any) -> tuple[int, int, int]:
    given = (("row", row), ("col", col), ("offset", offset))
    row, col, offset = [integer(name, key, i + 1, value) for i, (key, value) in enumerate(given)]
    for key, value in (("row", row), ("col", col)):
        if value < 0:
            raise RuntimeError(f"{key} must be non-negative, got{value}")
    return row, col, offset


def _places(name: str, mask: Any, dtype: dtype | None, device: Any) -> Any:
    kind = dtype_argument(name, dtype, int64)
    data = np.stack(np.nonzero(mask)).astype(kind.numpy)
    return finish(name, data, device=device)
