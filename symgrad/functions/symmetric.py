"""What users call of `symgrad.ops.symmetric`, and what PyTorch's graph shows of it."""

from __future__ import annotations

from typing import Any

from symgrad.expr.node import ArrayExpr
from symgrad.functions import return_types
from symgrad.functions.bounds import check_bounds
from symgrad.ops.primitive import bind
from symgrad.ops.symmetric import ldl_factor_ex, ldl_solve
from symgrad.record.face import shows
from symgrad.schema.public import public

shows(ldl_factor_ex, ldl_solve, saved=())


def _factored(x: Any, hermitian: bool, called: str = "") -> Any:
    """Return the factors of `ldl_factor_ex`; with a name raise where a block of D is zero."""
    found = bind(ldl_factor_ex, (x,), (hermitian,))
    if called and not isinstance(found[2], ArrayExpr):
        words = (
            f"torch.linalg.{called}: D[{{0}},{{0}}] is zero, and using it on ldl_solve would result "
            "in a division by zero. If you still want to perform the factorization, consider "
            "calling linalg.ldl_factor_ex(A)"
        )
        check_bounds(found[2], 0, 0, RuntimeError, words)
    return found


@public(
    "linalg.ldl_factor(Tensor self, *, bool hermitian=False, Tensor[2]? out=None) -> (Tensor LD, Tensor pivots)",
    call="linalg_ldl_factor",
)
def _ldl_factor(input: Any, *, hermitian: bool = False) -> Any:
    """Return the factors of symmetric matrices `L D L^T` in one matrix, and interchanges of rows.

    SciPy computes them, which `pip install 'symgrad[special]'` brings. There is no derivative.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        Matrices, of which the triangle above the diagonal is not read; leading axes count them.
    hermitian : bool
        Whether complex matrices are Hermitian, and L is conjugated on the right.

    Returns
    -------
    (LD, pivots)
        The blocks of D, of one or two rows, on the diagonal, L below. `pivots` names the row, counted
        from 1, that the last row of a block was exchanged with; for a block of two rows it is
        negative, and there twice. `ldl_solve` solves equations.

    Raises
    ------
    RuntimeError
        If `input` holds no square matrices, or a block of D is zero.

    Examples
    --------
    >>> import symgrad as torch
    >>> LD, pivots = torch.linalg.ldl_factor(torch.tensor([[4.0, 2.0], [2.0, 3.0]]))
    >>> LD, pivots
    (tensor([[4.0000, 0.0000],
            [0.5000, 2.0000]]), tensor([1, 2], dtype=torch.int32))
    """
    return return_types.linalg_ldl_factor(*_factored(input, hermitian, "ldl_factor")[:2])


@public(
    "linalg.ldl_factor_ex(Tensor self, *, bool hermitian=False, bool check_errors=False, Tensor[3]? out=None) -> (Tensor LD, Tensor pivots, Tensor info)",
    call="linalg_ldl_factor_ex",
)
def _ldl_factor_ex(input: Any, *, hermitian: bool = False, check_errors: bool = False) -> Any:
    """Return what `ldl_factor` does, and which block of D is zero.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        Matrices.
    hermitian : bool
        Whether complex matrices are Hermitian.
    check_errors : bool
        Whether a block of zero is an error.

    Returns
    -------
    (LD, pivots, info)
        `info` is 0, or the row of the first block that is zero, counted from 1.

    Raises
    ------
    RuntimeError
        If `input` holds no square matrices, or `check_errors` and a block of D is zero.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.linalg.ldl_factor_ex(torch.ones(2, 2)).info
    tensor(2, dtype=torch.int32)
    """
    found = _factored(input, hermitian, "ldl_factor_ex" if check_errors else "")
    return return_types.linalg_ldl_factor_ex(*found)


@public(
    "linalg.ldl_solve(Tensor LD, Tensor pivots, Tensor B, *, bool hermitian=False, Tensor? out=None) -> Tensor",
    call="linalg_ldl_solve",
)
def _ldl_solve(
    LD: Any,  # noqa: N803 - PyTorch's names
    pivots: Any,
    B: Any,  # noqa: N803
    *,
    hermitian: bool = False,
) -> Any:
    """Return the solutions X of `A X = B`, given the factors of the symmetric matrices A.

    SciPy computes them, which `pip install 'symgrad[special]'` brings. There is no derivative.

    Parameters
    ----------
    LD, pivots : Tensor or ArrayExpr
        What `ldl_factor` returns of A.
    B : Tensor or ArrayExpr
        Matrices.
    hermitian : bool
        Whether complex matrices are Hermitian: what `ldl_factor` was given.

    Raises
    ------
    RuntimeError
        If the shapes or the dtypes do not fit, or no factorization makes such pivots.

    Examples
    --------
    >>> import symgrad as torch
    >>> found = torch.linalg.ldl_factor(torch.tensor([[4.0, 2.0], [2.0, 3.0]]))
    >>> torch.linalg.ldl_solve(*found, torch.tensor([[6.0], [5.0]]))
    tensor([[1.],
            [1.]])
    """
    return bind(ldl_solve, (LD, pivots, B), (hermitian,))
