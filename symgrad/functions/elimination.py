"""What users call of `symgrad.ops.elimination`, and what PyTorch's graph shows of it."""

from __future__ import annotations

from typing import Any

from symgrad.expr.dtypes import int32
from symgrad.expr.node import ArrayExpr
from symgrad.functions import return_types
from symgrad.functions.bounds import check_bounds
from symgrad.functions.creation.making import CREATION
from symgrad.ops.elimination import lu_factor_ex, permutation
from symgrad.ops.linear_algebra import check_matrices
from symgrad.ops.primitive import bind
from symgrad.ops.solving import solve_triangular
from symgrad.record.face import shows
from symgrad.schema.public import SPACES, public

shows(lu_factor_ex, name="LinalgLuFactorEx", saved=(), facts=lambda node: {"pivot": True})


def _factored(x: Any, pivot: bool, called: str = "") -> Any:
    """Return the factors of `lu_factor_ex`; with a name raise where a pivot is zero."""
    if not pivot:
        raise RuntimeError("linalg.lu_factor: LU without pivoting is not implemented on the CPU")
    if len(x.shape) < 2:
        raise RuntimeError(
            "torch.lu_factor: Expected tensor with 2 or more dimensions. Got size: "
            f"{list(x.shape)} instead"
        )
    found = bind(lu_factor_ex, (x,))
    if called and not isinstance(found[2], ArrayExpr):
        words = (
            f"torch.linalg.{called}: U[{{0}},{{0}}] is zero and using it on lu_solve would result in "
            "a division by zero. If you still want to perform the factorization, consider calling "
            "linalg.lu(A, pivot) or linalg.lu_factor_ex(A, pivot)"
        )
        check_bounds(found[2], 0, 0, RuntimeError, words)
    return found


def _permuted(pivots: Any, size: int, kind: Any) -> Any:
    return bind(permutation, (pivots,), (size,)).to(kind)


@public(
    "linalg.lu_factor(Tensor A, *, bool pivot=True, Tensor[2]? out=None) -> (Tensor LU, Tensor pivots)",
    call="linalg_lu_factor",
)
def _lu_factor(A: Any, *, pivot: bool = True) -> Any:  # noqa: N803 - PyTorch's name
    """Return the triangular factors of matrices in one matrix, and which rows were exchanged.

    SciPy computes them, which `pip install 'symgrad[special]'` brings.

    Parameters
    ----------
    A : Tensor or ArrayExpr
        Matrices; leading axes count them.
    pivot : bool
        Whether rows are exchanged: True.

    Returns
    -------
    (LU, pivots)
        U on and above the diagonal, L, whose diagonal is 1, below; row i was exchanged with row
        `pivots[i]`, counted from 1. `lu_unpack` parts them, and `lu_solve` solves equations.

    Raises
    ------
    RuntimeError
        If `A` holds no matrices, or a pivot is zero.

    Examples
    --------
    >>> import symgrad as torch
    >>> LU, pivots = torch.linalg.lu_factor(torch.tensor([[1.0, 2.0], [2.0, 6.0]]))
    >>> LU, pivots
    (tensor([[ 2.0000,  6.0000],
            [ 0.5000, -1.0000]]), tensor([2, 2], dtype=torch.int32))
    """
    return return_types.linalg_lu_factor(*_factored(A, pivot, "lu_factor")[:2])


@public(
    "linalg.lu_factor_ex(Tensor A, *, bool pivot=True, bool check_errors=False, Tensor[3]? out=None) -> (Tensor LU, Tensor pivots, Tensor info)",
    call="linalg_lu_factor_ex",
)
def _lu_factor_ex(A: Any, *, pivot: bool = True, check_errors: bool = False) -> Any:  # noqa: N803
    """Return what `lu_factor` does, and which pivot is zero.

    Parameters
    ----------
    A : Tensor or ArrayExpr
        Matrices.
    pivot : bool
        Whether rows are exchanged: True.
    check_errors : bool
        Whether a pivot of zero is an error.

    Returns
    -------
    (LU, pivots, info)
        `info` is 0, or the number of the first pivot that is zero, counted from 1.

    Raises
    ------
    RuntimeError
        If `A` holds no matrices, or `check_errors` and a pivot is zero.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.linalg.lu_factor_ex(torch.ones(2, 2)).info
    tensor(2, dtype=torch.int32)
    """
    found = _factored(A, pivot, "lu_factor_ex" if check_errors else "")
    return return_types.linalg_lu_factor_ex(*found)


@public("lu(Tensor self, bool pivot=True, bool get_infos=False) -> (Tensor LU, Tensor pivots)")
def _old_lu(input: Any, pivot: bool = True, get_infos: bool = False) -> Any:
    """Return what `linalg.lu_factor` does; `linalg.lu` parts the factors.

    Parameters
    ----------
    pivot : bool
        Whether rows are exchanged: True.
    get_infos : bool
        Whether the result has the number of the first zero pivot of each matrix, or 0, as its third.

    Examples
    --------
    >>> import symgrad as torch
    >>> LU, pivots = torch.lu(torch.tensor([[1.0, 2.0], [2.0, 6.0]]))
    >>> pivots
    tensor([2, 2], dtype=torch.int32)
    """
    return tuple(_factored(input, pivot)[: 3 if get_infos else 2])


def _parted(whole: Any, pivots: Any, data: bool = True, rows: bool = True) -> tuple[Any, Any, Any]:
    empty = CREATION["empty"]((0,), dtype=whole.dtype)
    made = _permuted(pivots, whole.shape[-2], whole.dtype) if rows else empty
    if not data:
        return made, empty, empty
    m, k = whole.shape[-2], min(whole.shape[-2:])
    unit = CREATION["eye"](m, k, dtype=whole.dtype)
    return made, whole[..., :k].tril(-1) + unit, whole[..., :k, :].triu()


@public(
    "linalg.lu(Tensor A, *, bool pivot=True, Tensor[3]? out=None) -> (Tensor P, Tensor L, Tensor U)",
    call="linalg_lu",
)
def _lu(A: Any, *, pivot: bool = True) -> Any:  # noqa: N803 - PyTorch's name
    """Return the factors of `A = P @ L @ U`: a permutation, and triangular matrices.

    SciPy computes them, which `pip install 'symgrad[special]'` brings.

    Parameters
    ----------
    A : Tensor or ArrayExpr
        Matrices; leading axes count them.
    pivot : bool
        Whether rows are exchanged: True.

    Returns
    -------
    (P, L, U)
        The diagonal of L is 1.

    Raises
    ------
    RuntimeError
        If `A` holds no matrices.

    Examples
    --------
    >>> import symgrad as torch
    >>> P, L, U = torch.linalg.lu(torch.tensor([[0.0, 2.0], [4.0, 1.0]]))
    >>> P, U
    (tensor([[0., 1.],
            [1., 0.]]), tensor([[4., 1.],
            [0., 2.]]))
    """
    if len(A.shape) < 2:
        raise RuntimeError(
            "linalg.lu: Expected tensor with 2 or more dimensions. Got size: "
            f"{list(A.shape)} instead"
        )
    whole, pivots, _ = _factored(A, pivot)
    return return_types.linalg_lu(*_parted(whole, pivots))


@public(
    "lu_unpack(Tensor LU_data, Tensor LU_pivots, bool unpack_data=True, bool unpack_pivots=True, *, Tensor[3]? out=None) -> (Tensor P, Tensor L, Tensor U)",
    method=False,
)
def _lu_unpack(
    LU_data: Any,  # noqa: N803 - PyTorch's names
    LU_pivots: Any,  # noqa: N803
    unpack_data: bool = True,
    unpack_pivots: bool = True,
) -> Any:
    """Return the factors P, L and U that `linalg.lu_factor` gives in one matrix.

    Parameters
    ----------
    LU_data, LU_pivots : Tensor or ArrayExpr
        What `linalg.lu_factor` returns.
    unpack_data : bool
        Whether L and U are returned; else they are empty.
    unpack_pivots : bool
        Whether P is returned; else it is empty.

    Raises
    ------
    RuntimeError
        If the pivots are no 32-bit integers, or not those of such matrices.

    Examples
    --------
    >>> import symgrad as torch
    >>> found = torch.linalg.lu_factor(torch.tensor([[0.0, 2.0], [4.0, 1.0]]))
    >>> torch.lu_unpack(*found).U
    tensor([[4., 1.],
            [0., 2.]])
    """
    if unpack_pivots and LU_pivots.dtype is not int32:
        raise RuntimeError(
            "torch.lu_unpack: LU_pivots is expected to be a contiguous tensor of torch.int32 dtype.\n"
            "Note: this function is intended to be used with the output produced by "
            "torch.linalg.lu_factor"
        )
    if len(LU_data.shape) < 2:
        raise RuntimeError(
            "torch.lu_unpack: Expected tensor with 2 or more dimensions. Got size: "
            f"{list(LU_data.shape)} instead"
        )
    if unpack_pivots:
        lead, (m, n) = tuple(LU_data.shape[:-2]), LU_data.shape[-2:]
        if tuple(LU_pivots.shape) != (*lead, min(m, n)):
            raise RuntimeError(
                f"lu_unpack(): pivots of the shape {(*lead, min(m, n))} belong to LU_data of the "
                f"shape {tuple(LU_data.shape)}, not of {tuple(LU_pivots.shape)}"
            )
        words = "pivots passed to lu_unpack must be between 1 and LU.size(-2) inclusive."
        LU_pivots = check_bounds(LU_pivots, 1, m, RuntimeError, words)  # noqa: N806
    return return_types.lu_unpack(*_parted(LU_data, LU_pivots, unpack_data, unpack_pivots))


@public(
    "linalg.lu_solve(Tensor LU, Tensor pivots, Tensor B, *, bool left=True, bool adjoint=False, Tensor? out=None) -> Tensor",
    call="linalg_lu_solve",
)
def _lu_solve(
    LU: Any,  # noqa: N803 - PyTorch's names
    pivots: Any,
    B: Any,  # noqa: N803
    *,
    left: bool = True,
    adjoint: bool = False,
) -> Any:
    """Return the solution X of `A X = B`, or of `X A = B`, given the triangular factors of A.

    Parameters
    ----------
    LU, pivots : Tensor or ArrayExpr
        What `lu_factor` returns of A.
    B : Tensor or ArrayExpr
        Matrices.
    left : bool
        Whether A stands left of X.
    adjoint : bool
        Whether the adjoint of A stands in the place of A.

    Raises
    ------
    RuntimeError
        If the shapes or the dtypes do not fit.

    Examples
    --------
    >>> import symgrad as torch
    >>> found = torch.linalg.lu_factor(torch.tensor([[0.0, 2.0], [4.0, 1.0]]))
    >>> torch.linalg.lu_solve(*found, torch.tensor([[2.0], [5.0]]))
    tensor([[1.],
            [1.]])
    """
    name = "linalg.lu_solve"
    check_matrices("torch.linalg.lu_solve", LU.shape, square=True)
    check_matrices(name, B.shape, operand="B")
    if pivots.dtype is not int32:
        raise RuntimeError(f"{name}: pivots should be a Tensor of scalar type torch.int32")
    n = LU.shape[-1]
    if not pivots.shape or pivots.shape[-1] != n:
        raise RuntimeError(
            f"{name}: Number of pivots per batch should be same as the dimension of the matrix"
        )
    (p, k) = B.shape[-2:]
    if n != (p if left else k):
        equation = "AX = B" if left else "XA = B"
        raise RuntimeError(
            f"{name}: Incompatible shapes of A and B for the equation {equation} "
            f"({n}x{n} and {p}x{k})"
        )
    if not left:
        return _turned(_solution(LU, pivots, _turned(B), not adjoint))
    return _solution(LU, pivots, B, adjoint)


def _turned(x: Any) -> Any:
    return x.mH if x.dtype.is_complex else x.mT


def _solution(whole: Any, pivots: Any, b: Any, of_adjoint: bool) -> Any:
    rows = _permuted(pivots, whole.shape[-1], whole.dtype)
    if of_adjoint:
        turned = _turned(whole)
        between = bind(solve_triangular, (turned, b), (False, False))
        return rows @ bind(solve_triangular, (turned, between), (True, True))
    between = bind(solve_triangular, (whole, rows.mT @ b), (False, True))
    return bind(solve_triangular, (whole, between), (True, False))


@public("lu_solve(Tensor self, Tensor LU_data, Tensor LU_pivots, *, Tensor? out=None) -> Tensor")
def _old_lu_solve(input: Any, LU_data: Any, LU_pivots: Any) -> Any:  # noqa: N803 - PyTorch's names
    """Return the solution X of `A X = input`, as `linalg.lu_solve` does.

    Parameters
    ----------
    LU_data, LU_pivots : Tensor or ArrayExpr
        What `linalg.lu_factor` returns of A.

    Examples
    --------
    >>> import symgrad as torch
    >>> found = torch.linalg.lu_factor(2 * torch.eye(2))
    >>> torch.lu_solve(torch.ones(2, 1), *found)
    tensor([[0.5000],
            [0.5000]])
    """
    return SPACES["linalg"]["lu_solve"](LU_data, LU_pivots, input)
