"""What users call of `symgrad.ops.orthogonal`, and products of reflections."""

from __future__ import annotations

from typing import Any

from symgrad.functions import return_types
from symgrad.functions.creation.making import CREATION
from symgrad.functions.singular import completed
from symgrad.ops.linear_algebra import adjoint, check_matrices
from symgrad.ops.orthogonal import qr
from symgrad.ops.primitive import bind
from symgrad.record.face import shows
from symgrad.schema.numpy_calls import numpy_call
from symgrad.schema.public import FUNCTIONS, SPACES, public
from symgrad.tensor.numpy_interop import as_float

shows(qr, name="LinalgQr", saved=())


def _factors(A: Any, mode: str) -> tuple[Any, Any]:  # noqa: N803 - PyTorch's name
    if mode not in ("reduced", "complete", "r"):
        raise RuntimeError(
            f"qr received unrecognized mode '{mode}' but expected one of 'reduced' (default), 'r', "
            "or 'complete'"
        )
    q, r = bind(qr, (A,))
    if mode == "r":
        return CREATION["empty"]((0,), dtype=A.dtype), r
    missing = q.shape[-2] - q.shape[-1]
    if mode == "complete" and missing:
        zeros = CREATION["zeros"]((*r.shape[:-2], missing, r.shape[-1]), dtype=r.dtype)
        return completed(q), FUNCTIONS["cat"]([r, zeros], -2)
    return q, r


@public(
    "linalg.qr(Tensor A, str mode=reduced, *, Tensor[2]? out=None) -> (Tensor Q, Tensor R)",
    call="linalg_qr",
)
def _linalg_qr(A: Any, mode: str = "reduced") -> Any:  # noqa: N803 - PyTorch's name
    """Return the factors of `A = Q @ R`: orthonormal columns, and an upper triangular matrix.

    Parameters
    ----------
    A : Tensor or ArrayExpr
        Matrices; leading axes count them.
    mode : "reduced", "complete" or "r"
        Whether Q has as many columns as the shorter side of `A`, is square, or is left out.

    Returns
    -------
    (Q, R)
        The diagonal of R is real; its signs are those that the routine of NumPy gives.

    Raises
    ------
    RuntimeError
        If `A` holds no matrices, or neither float nor complex numbers, or there is no such mode.

    Notes
    -----
    There is a derivative where the first columns of `A`, as many as the shorter side, are
    independent.

    Examples
    --------
    >>> import symgrad as torch
    >>> A = torch.tensor([[3.0, 1.0], [4.0, 2.0]])
    >>> Q, R = torch.linalg.qr(A)
    >>> torch.allclose(Q @ R, A), R.abs()[0, 0]
    (True, tensor(5.))
    """
    return return_types.linalg_qr(*_factors(A, mode))


@public("qr(Tensor self, bool some=True, *, Tensor[2]? out=None) -> (Tensor Q, Tensor R)")
def _qr(input: Any, some: bool = True) -> Any:
    """Return the factors of `input = Q @ R`; `linalg.qr` is the newer function.

    Parameters
    ----------
    some : bool
        Whether Q has as many columns as the shorter side of the matrices; else it is square.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.qr(torch.tensor([[3.0], [4.0]])).R.abs()
    tensor([[5.]])
    """
    return return_types.qr(*_factors(input, "reduced" if some else "complete"))


def _reflected(x: Any, tau: Any) -> Any:
    name = "torch.linalg.householder_product"
    check_matrices(name, x.shape, operand="input")
    (m, n), k = x.shape[-2:], tau.shape[-1] if tau.shape else 0
    if m < n:
        raise RuntimeError(
            f"{name}: input.shape[-2] must be greater than or equal to input.shape[-1]"
        )
    if k > n:
        raise RuntimeError(
            f"{name}: input.shape[-1] must be greater than or equal to tau.shape[-1]"
        )
    if tuple(x.shape[:-2]) != tuple(tau.shape[:-1]):
        raise RuntimeError(
            f"{name}: Expected batch dimensions of tau to be equal to input.shape[:-2], but got "
            f"{list(tau.shape[:-1])}"
        )
    unit = CREATION["eye"](m, n, dtype=x.dtype)
    vectors = x.tril(-1) + unit
    made = unit.expand(tuple(x.shape)) if k else (x**0).tril().triu()
    for i in range(k - 1, -1, -1):
        v = vectors[..., i : i + 1]
        made = made - tau[..., i, None, None] * (v @ (adjoint(v) @ made))
    return made


@public(
    "linalg.householder_product(Tensor input, Tensor tau, *, Tensor? out=None) -> Tensor",
    call="linalg_householder_product",
)
def _householder_product(input: Any, tau: Any) -> Any:
    """Return the first columns of a product of reflections `1 - tau[i] * outer(v, v.conj())`.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        Matrices: the vector v of reflection i is column i below the diagonal, 1 on the diagonal,
        and 0 above.
    tau : Tensor or ArrayExpr
        The factors of the reflections.

    Raises
    ------
    RuntimeError
        If there are more columns than rows, more factors than columns, or other leading axes.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.linalg.householder_product(torch.tensor([[0.0], [1.0]]), torch.tensor([1.0]))
    tensor([[ 0.],
            [-1.]])
    """
    return _reflected(input, tau)


@public("orgqr(Tensor self, Tensor input2) -> Tensor")
def _orgqr(input: Any, input2: Any) -> Any:
    """Return what `linalg.householder_product` does.

    Parameters
    ----------
    input2 : Tensor or ArrayExpr
        The factors of the reflections.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.orgqr(torch.tensor([[0.0], [1.0]]), torch.tensor([2.0]))
    tensor([[-1.],
            [-2.]])
    """
    return _reflected(input, input2)


@public(
    "ormqr(Tensor self, Tensor input2, Tensor input3, bool left=True, bool transpose=False, *, Tensor? out=None) -> Tensor"
)
def _ormqr(input: Any, input2: Any, input3: Any, left: bool = True, transpose: bool = False) -> Any:
    """Return the product of a matrix with a product Q of reflections, as `geqrf` gives those.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        Matrices: the vector v of reflection i is column i below the diagonal, 1 on the diagonal,
        and 0 above.
    input2 : Tensor or ArrayExpr
        The factors of the reflections.
    input3 : Tensor or ArrayExpr
        The matrices that Q is multiplied with.
    left, transpose : bool
        Whether Q is the factor to the left; and whether its adjoint is in its place.

    Raises
    ------
    RuntimeError
        If the sizes do not fit.

    Examples
    --------
    >>> import symgrad as torch
    >>> v, tau = torch.tensor([[0.0], [1.0]]), torch.tensor([1.0])
    >>> torch.ormqr(v, tau, torch.eye(2))
    tensor([[ 0., -1.],
            [-1.,  0.]])
    """
    check_matrices("torch.ormqr", input.shape, operand="input")
    check_matrices("torch.ormqr", input3.shape, operand="other")
    rows, k = input.shape[-2], input2.shape[-1] if input2.shape else 0
    side = -2 if left else -1
    if input3.shape[side] != rows:
        raise RuntimeError(
            f"torch.ormqr: other.shape[{side}] must be equal to input.shape[-2], got "
            f"{list(input3.shape)} and {list(input.shape)}"
        )
    if k != min(rows, input.shape[-1]):
        raise RuntimeError(
            "torch.ormqr: tau.shape[-1] must be equal to min(other.shape[-2], input.shape[-1]), got "
            f"{list(input2.shape)} and {list(input.shape)}"
        )
    if not input.dtype is input2.dtype is input3.dtype:
        raise RuntimeError(
            "torch.ormqr: Expected input, tau and other to have the same dtype, but got "
            f"{input.dtype.name}, {input2.dtype.name} and {input3.dtype.name}"
        )
    vectors = (input.tril(-1) + CREATION["eye"](*input.shape[-2:], dtype=input.dtype))[..., :k]
    made = input3
    for i in range(k) if left == transpose else range(k - 1, -1, -1):
        v, factor = vectors[..., i : i + 1], input2[..., i, None, None]
        factor = factor.conj() if transpose else factor
        turned = v @ (adjoint(v) @ made) if left else (made @ v) @ adjoint(v)
        made = made - factor * turned
    return made if k else made.clone()


@numpy_call("linalg.qr")
def _numpy_qr(a: Any, mode: str = "reduced") -> Any:
    if mode not in ("reduced", "complete", "r"):
        return NotImplemented
    found = SPACES["linalg"]["qr"](as_float(a), mode)
    return found.R if mode == "r" else tuple(found)
