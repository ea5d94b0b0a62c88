"""What users call of `symgrad.ops.solving`, and what PyTorch's graph shows of it."""

from __future__ import annotations

from typing import Any

from symgrad.functions import return_types
from symgrad.ops.linear_algebra import adjoint, check_matrices
from symgrad.ops.primitive import bind
from symgrad.ops.solving import (
    cholesky,
    cholesky_ex,
    cholesky_inverse,
    cholesky_solve,
    solve,
    solve_ex,
    solve_triangular,
)
from symgrad.record.face import Face, nothing, shows
from symgrad.schema.numpy_calls import numpy_call
from symgrad.schema.public import SPACES, public
from symgrad.tensor.numpy_interop import as_float, of_one_kind

shows(solve, solve_ex, name="LinalgSolveEx", saved=("A",), facts=lambda node: {"left": True})
shows(
    solve_triangular,
    saved=("self",),
    name="LinalgSolveTriangular",
    facts=lambda node: {
        "left": True, "upper": node.upper, "unitriangular": node.unitriangular
    },
)  # fmt: skip
shows(cholesky, cholesky_ex, name="LinalgCholeskyEx", saved=(), facts=lambda node: {"upper": False})
_OLD_TRIANGULAR = Face(name="TriangularSolve", saved=("A", "self"), facts=nothing)
_OLD_CHOLESKY = Face(name="Cholesky", saved=(), facts=lambda node: {"upper": False})
shows(cholesky_solve, saved=("self", "input2"), facts=lambda node: {"upper": node.upper})
shows(cholesky_inverse, saved=("self",), facts=lambda node: {"upper": node.upper})


def _turned(cls: Any, A: Any, B: Any, params: tuple[Any, ...] = ()) -> Any:  # noqa: N803
    """Return what solves `X A = B`: the transposed solution of the transposed equation."""
    check_matrices(cls.called, A.shape, square=True)
    check_matrices(cls.called, B.shape, operand="B")
    (m, n), (p, k) = A.shape[-2:], B.shape[-2:]
    if m != k:
        raise RuntimeError(
            f"{cls.called}: Incompatible shapes of A and B for the equation XA = B "
            f"({m}x{n} and {p}x{k})"
        )
    return bind(cls, (A.mT, B.mT), params)


@public(
    "linalg.solve(Tensor A, Tensor B, *, bool left=True, Tensor? out=None) -> Tensor",
    call="linalg_solve",
)
def _solve(A: Any, B: Any, *, left: bool = True) -> Any:  # noqa: N803 - PyTorch's names
    """Return the solution X of `A X = B`, or of `X A = B`; leading axes count equations.

    Parameters
    ----------
    A : Tensor or ArrayExpr
        Square matrices.
    B : Tensor or ArrayExpr
        Matrices, or vectors: an array of one axis, or one of the shape of `A` without its last axis.
    left : bool
        Whether `A` stands left of X.

    Raises
    ------
    RuntimeError
        If `A` holds no square matrices, `B` does not fit, or their dtypes differ or are not floating.
    LinAlgError
        If a matrix is singular.

    Notes
    -----
    The derivative solves equations with `A.T`: no inverse is computed.

    Examples
    --------
    >>> import symgrad as torch
    >>> A = torch.tensor([[2.0, 0.0], [1.0, 4.0]])
    >>> torch.linalg.solve(A, torch.tensor([2.0, 9.0]))
    tensor([1., 2.])
    """
    if left:
        return bind(solve, (A, B))
    vector = solve.takes_vectors(tuple(A.shape), tuple(B.shape))
    found = _turned(solve, A, B.unsqueeze(-1) if vector else B).mT
    return found.squeeze(-1) if vector else found


@public(
    "linalg.solve_ex(Tensor A, Tensor B, *, bool left=True, bool check_errors=False, Tensor[2]? out=None) -> (Tensor result, Tensor info)",
    call="linalg_solve_ex",
)
def _solve_ex(
    A: Any,  # noqa: N803 - PyTorch's names
    B: Any,  # noqa: N803
    *,
    left: bool = True,
    check_errors: bool = False,
) -> Any:
    """Return the solution X of `A X = B`, or of `X A = B`, and where there is none.

    Parameters
    ----------
    A : Tensor or ArrayExpr
        Square matrices.
    B : Tensor or ArrayExpr
        Matrices or vectors, as for `solve`.
    left : bool
        Whether `A` stands left of X.
    check_errors : bool
        Whether a singular matrix is an error.

    Returns
    -------
    (result, info)
        Of a singular matrix the result is nan. `info` is 0 for a regular matrix, else the number,
        from 1 on, of the first column that depends on those before it.

    Raises
    ------
    LinAlgError
        If `check_errors` and a matrix is singular.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.linalg.solve_ex(2 * torch.eye(2), torch.ones(2))
    torch.return_types.linalg_solve_ex(
    result=tensor([0.5000, 0.5000]),
    info=tensor(0, dtype=torch.int32))
    """
    if left:
        result, info = bind(solve_ex, (A, B))
    else:
        vector = solve.takes_vectors(tuple(A.shape), tuple(B.shape))
        result, info = _turned(solve_ex, A, B.unsqueeze(-1) if vector else B)
        result = result.mT.squeeze(-1) if vector else result.mT
    if check_errors:
        result = SPACES["linalg"]["solve"](A, B, left=left)
    return return_types.linalg_solve_ex(result, info)


@public(
    "linalg.solve_triangular(Tensor self, Tensor B, *, bool upper, bool left=True, bool unitriangular=False, Tensor? out=None) -> Tensor",
    call="linalg_solve_triangular",
)
def _solve_triangular(
    input: Any,
    B: Any,  # noqa: N803 - PyTorch's name
    *,
    upper: bool,
    left: bool = True,
    unitriangular: bool = False,
) -> Any:
    """Return the solution X of `A X = B`, or of `X A = B`, for triangular matrices A.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        The matrices A, of which one triangle is read.
    B : Tensor or ArrayExpr
        Matrices.
    upper : bool
        Whether the upper triangle is read.
    left : bool
        Whether A stands left of X.
    unitriangular : bool
        Whether the diagonal is 1, and not read.

    Raises
    ------
    RuntimeError
        If `input` holds no square matrices, `B` does not fit, or their dtypes differ.

    Notes
    -----
    Where an element of the diagonal is zero the solution is nan.

    Examples
    --------
    >>> import symgrad as torch
    >>> A = torch.tensor([[2.0, 1.0], [0.0, 4.0]])
    >>> torch.linalg.solve_triangular(A, torch.tensor([[4.0], [8.0]]), upper=True)
    tensor([[1.],
            [2.]])
    """
    if left:
        return bind(solve_triangular, (input, B), (upper, unitriangular))
    return _turned(solve_triangular, input, B, (not upper, unitriangular)).mT


@public(
    "triangular_solve(Tensor self, Tensor A, bool upper=True, bool transpose=False, bool unitriangular=False, *, Tensor[2]? out=None) -> (Tensor solution, Tensor cloned_coefficient)"
)
def _triangular_solve(
    input: Any,
    A: Any,  # noqa: N803 - PyTorch's name
    upper: bool = True,
    transpose: bool = False,
    unitriangular: bool = False,
) -> Any:
    """Return the solution X of `A X = input` for triangular matrices A, and A.

    `linalg.solve_triangular` is the newer function.

    Parameters
    ----------
    A : Tensor or ArrayExpr
        The matrices, of which one triangle is read.
    upper : bool
        Whether the upper triangle is read.
    transpose : bool
        Whether the equation is `A.T X = input`.
    unitriangular : bool
        Whether the diagonal is 1, and not read.

    Returns
    -------
    (solution, cloned_coefficient)

    Examples
    --------
    >>> import symgrad as torch
    >>> A = torch.tensor([[2.0, 1.0], [0.0, 4.0]])
    >>> torch.triangular_solve(torch.tensor([[4.0], [8.0]]), A).solution
    tensor([[1.],
            [2.]])
    """
    check_matrices("torch.triangular_solve", input.shape, operand="b")
    check_matrices("torch.triangular_solve", A.shape, square=True)
    given = A.mT if transpose else A
    params = (upper is not transpose, unitriangular)
    found = bind(solve_triangular, (given, input), params, face=_OLD_TRIANGULAR)
    return return_types.triangular_solve(found, A.clone())


@public(
    "linalg.cholesky(Tensor self, *, bool upper=False, Tensor? out=None) -> Tensor",
    call="linalg_cholesky",
)
def _linalg_cholesky(input: Any, *, upper: bool = False) -> Any:
    """Return the lower triangular L of `A = L @ L.mH`, or the upper triangular `L.mH`.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        Positive-definite matrices A. Of one that is not Hermitian the Hermitian part counts.
    upper : bool
        Whether the factor is upper triangular.

    Raises
    ------
    RuntimeError
        If `input` holds no square matrices, or neither float nor complex numbers.
    LinAlgError
        If a matrix is not positive-definite.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.linalg.cholesky(torch.tensor([[4.0, 2.0], [2.0, 10.0]]))
    tensor([[2., 0.],
            [1., 3.]])
    """
    factor = bind(cholesky, (input,))
    return adjoint(factor) if upper else factor


@public("cholesky(Tensor self, bool upper=False, *, Tensor? out=None) -> Tensor")
def _cholesky(input: Any, upper: bool = False) -> Any:
    """Return the factor L of `A = L @ L.mH`, as `linalg.cholesky` does.

    Parameters
    ----------
    upper : bool
        Whether the factor is the upper triangular `L.mH`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.cholesky(4 * torch.eye(2))
    tensor([[2., 0.],
            [0., 2.]])
    """
    factor = bind(cholesky, (input,), face=_OLD_CHOLESKY)
    return adjoint(factor) if upper else factor


@public(
    "linalg.cholesky_ex(Tensor self, *, bool upper=False, bool check_errors=False, Tensor[2]? out=None) -> (Tensor L, Tensor info)",
    call="linalg_cholesky_ex",
)
def _cholesky_ex(input: Any, *, upper: bool = False, check_errors: bool = False) -> Any:
    """Return the factor L of `A = L @ L.mH`, and whether there is one.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        Matrices A. Of one that is not Hermitian the Hermitian part counts.
    upper : bool
        Whether the factor is the upper triangular `L.mH`.
    check_errors : bool
        Whether a matrix that is not positive-definite is an error.

    Returns
    -------
    (L, info)
        Of a matrix that is not positive-definite the factor is nan. `info` is 0 where there is a
        factor, else the order of the first leading minor that is not positive.

    Raises
    ------
    LinAlgError
        If `check_errors` and a matrix is not positive-definite.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.linalg.cholesky_ex(-torch.eye(2)).info
    tensor(1, dtype=torch.int32)
    """
    factor, info = bind(cholesky_ex, (input,))
    factor = bind(cholesky, (input,)) if check_errors else factor
    return return_types.linalg_cholesky_ex(adjoint(factor) if upper else factor, info)


@public(
    "cholesky_solve(Tensor self, Tensor input2, bool upper=False, *, Tensor? out=None) -> Tensor"
)
def _cholesky_solve(input: Any, input2: Any, upper: bool = False) -> Any:
    """Return the solution X of `A X = input`, given the Cholesky factor of A.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        Matrices, the right-hand sides.
    input2 : Tensor or ArrayExpr
        The factors, of which one triangle is read.
    upper : bool
        Whether the factor is the upper triangular one.

    Raises
    ------
    RuntimeError
        If the shapes do not fit.

    Examples
    --------
    >>> import symgrad as torch
    >>> L = torch.linalg.cholesky(torch.tensor([[4.0, 2.0], [2.0, 10.0]]))
    >>> torch.cholesky_solve(torch.tensor([[6.0], [12.0]]), L)
    tensor([[1.],
            [1.]])
    """
    for x, name in ((input, "b"), (input2, "u")):
        if len(x.shape) < 2:
            raise RuntimeError(
                f"{name} should have at least 2 dimensions, but has {len(x.shape)} dimensions instead"
            )
    return bind(cholesky_solve, (input, input2), (upper,))


@public("cholesky_inverse(Tensor self, bool upper=False, *, Tensor? out=None) -> Tensor")
def _cholesky_inverse(input: Any, upper: bool = False) -> Any:
    """Return the inverse of A, given its Cholesky factor.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        The factors, of which one triangle is read.
    upper : bool
        Whether the factor is the upper triangular one.

    Raises
    ------
    RuntimeError
        If `input` holds no square matrices.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.cholesky_inverse(2 * torch.eye(2))
    tensor([[0.2500, 0.0000],
            [0.0000, 0.2500]])
    """
    check_matrices("cholesky_inverse", input.shape, square=True)
    return bind(cholesky_inverse, (input,), (upper,))


@numpy_call("linalg.solve")
def _numpy_solve(a: Any, b: Any) -> Any:
    a, b = of_one_kind(as_float(a), as_float(b))
    if len(b.shape) > 1 and solve.takes_vectors(tuple(a.shape), tuple(b.shape)):
        b = b.unsqueeze(0)  # to NumPy these are matrices
    return SPACES["linalg"]["solve"](a, b)


@numpy_call("linalg.cholesky")
def _numpy_cholesky(a: Any, /, *, upper: bool = False) -> Any:
    """NumPy's reads one triangle, and has the derivative by the elements of that."""
    a = as_float(a)
    half, rest = (a.triu(), a.triu(1)) if upper else (a.tril(), a.tril(-1))
    return SPACES["linalg"]["cholesky"](half + rest.mH, upper=upper)
