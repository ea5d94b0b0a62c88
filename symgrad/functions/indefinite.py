"""What users call of `symgrad.ops.indefinite`."""

from __future__ import annotations

from typing import Any

from symgrad.expr.dtypes import Category
from symgrad.expr.node import ArrayExpr
from symgrad.functions import return_types
from symgrad.functions.bounds import check_bounds
from symgrad.ops.indefinite import ldl_factor_ex, ldl_solve
from symgrad.ops.linear_algebra import check_matrices
from symgrad.ops.primitive import bind
from symgrad.schema.public import public


def _factored(A: Any, hermitian: bool, called: str = "") -> Any:  # noqa: N803 - PyTorch's name
    found = bind(ldl_factor_ex, (A,), (hermitian,))
    if called and not isinstance(found[2], ArrayExpr):
        words = f"torch.linalg.{called}: block {{0}} of the factor D is zero"
        check_bounds(found[2], 0, 0, RuntimeError, words)
    return found


@public(
    "linalg.ldl_factor(Tensor A, *, bool hermitian=False, Tensor[2]? out=None) -> (Tensor LD, Tensor pivots)",
    call="linalg_ldl_factor",
)
def _ldl_factor(A: Any, *, hermitian: bool = False) -> Any:  # noqa: N803 - PyTorch's name
    """Return the factors of symmetric matrices, which need not be positive definite, in one matrix.

    SciPy computes them, which `pip install 'symgrad[special]'` brings. There is no derivative.

    Parameters
    ----------
    A : Tensor or ArrayExpr
        Matrices, of which the elements on and below the diagonal are read; leading axes count them.
    hermitian : bool
        Whether complex matrices are equal to their adjoint, and not to their transpose.

    Returns
    -------
    (LD, pivots)
        D, whose blocks have one or two rows, on the diagonal and beside it, L below; what the pivots
        mean is said by LAPACK's `sytrf`. `ldl_solve` solves equations.

    Raises
    ------
    RuntimeError
        If `A` holds no square matrices of floats or complex numbers, or a block is zero.

    Examples
    --------
    >>> import symgrad as torch
    >>> A = torch.tensor([[0.0, 1.0], [1.0, 0.0]])
    >>> LD, pivots = torch.linalg.ldl_factor(A)
    >>> torch.linalg.ldl_solve(LD, pivots, torch.tensor([[2.0], [3.0]]))
    tensor([[3.],
            [2.]])
    """
    return return_types.linalg_ldl_factor(*_factored(A, hermitian, "ldl_factor")[:2])


@public(
    "linalg.ldl_factor_ex(Tensor A, *, bool hermitian=False, bool check_errors=False, Tensor[3]? out=None) -> (Tensor LD, Tensor pivots, Tensor info)",
    call="linalg_ldl_factor_ex",
)
def _ldl_factor_ex(
    A: Any,
    *,
    hermitian: bool = False,
    check_errors: bool = False,  # noqa: N803 - PyTorch's name
) -> Any:
    """Return what `ldl_factor` does, and which block is zero.

    Parameters
    ----------
    hermitian : bool
        Whether complex matrices are equal to their adjoint, and not to their transpose.
    check_errors : bool
        Whether a block that is zero raises an error.

    Returns
    -------
    (LD, pivots, info)
        `info` is 0, or the number of the first block that is zero.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.linalg.ldl_factor_ex(torch.zeros(2, 2)).info
    tensor(1, dtype=torch.int32)
    """
    found = _factored(A, hermitian, "ldl_factor_ex" if check_errors else "")
    return return_types.linalg_ldl_factor_ex(*found)


@public(
    "linalg.ldl_solve(Tensor LD, Tensor pivots, Tensor B, *, bool hermitian=False, Tensor? out=None) -> Tensor",
    call="linalg_ldl_solve",
)
def _ldl_solve(LD: Any, pivots: Any, B: Any, *, hermitian: bool = False) -> Any:  # noqa: N803
    """Return the solution X of `A X = B`, from the factors of symmetric matrices.

    Parameters
    ----------
    LD, pivots : Tensor or ArrayExpr
        What `ldl_factor` returns of A.
    B : Tensor or ArrayExpr
        The right sides, as columns. There is a derivative by them alone.
    hermitian : bool
        As `ldl_factor` was given it.

    Raises
    ------
    RuntimeError
        If the sizes do not fit, or the dtypes.

    Examples
    --------
    >>> import symgrad as torch
    >>> found = torch.linalg.ldl_factor(2 * torch.eye(2))
    >>> torch.linalg.ldl_solve(*found, torch.ones(2, 1))
    tensor([[0.5000],
            [0.5000]])
    """
    name = "torch.linalg.ldl_solve"
    check_matrices(name, LD.shape, square=True)
    check_matrices(name, B.shape, operand="B")
    if LD.shape[-1] != B.shape[-2]:
        raise RuntimeError(
            f"Incompatible matrix sizes for {name}: each A matrix is {LD.shape[-1]} by "
            f"{LD.shape[-1]} but each b matrix is {B.shape[-2]} by {B.shape[-1]}"
        )
    if tuple(pivots.shape) != tuple(LD.shape[:-1]):
        raise RuntimeError(
            f"{name}: Expected LD.shape[:-1] and pivots.shape to be the same, but got pivots with "
            f"shape {list(pivots.shape)} instead"
        )
    if LD.dtype is not B.dtype:
        raise RuntimeError(
            f"{name}: LD dtype {LD.dtype.name} does not match b dtype {B.dtype.name}"
        )
    if pivots.dtype.category is not Category.INT:
        raise RuntimeError(f"{name}: Expected pivots to be integers. Got {pivots.dtype.name}")
    return bind(ldl_solve, (LD, pivots, B), (hermitian,))
