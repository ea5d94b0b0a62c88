"""What users call of `symgrad.ops.inverses`, and what PyTorch's graph shows of it."""

from __future__ import annotations

from typing import Any

from symgrad.functions import return_types
from symgrad.ops.inverses import det, inv, inv_ex, logdet, slogdet
from symgrad.ops.primitive import bind
from symgrad.record.face import shows
from symgrad.schema.numpy_calls import numpy_call
from symgrad.schema.public import SPACES, public
from symgrad.tensor.numpy_interop import as_float

shows(inv, inv_ex, name="LinalgInvEx", saved=())
shows(det, name="LinalgDet", saved=("A",))
shows(slogdet, name="LinalgSlogdet", saved=("A",))
_SLOGDET = ("LinalgSlogdet", 0)
# PyTorch computes it from the results of `slogdet`.
shows(
    logdet,
    name=lambda node: "Add" if node.dtype.is_complex else "Where",
    saved=(),
    inner=lambda node: (("Log", _SLOGDET), _SLOGDET) if node.dtype.is_complex else (None, _SLOGDET),
)


def _inverse(A: Any) -> Any:  # noqa: N803 - PyTorch's name
    """Return the inverses of square matrices; leading axes count matrices.

    Parameters
    ----------
    A : Tensor or ArrayExpr
        Square matrices.

    Raises
    ------
    RuntimeError
        If `A` holds no square matrices, or neither float nor complex numbers.
    LinAlgError
        If a matrix is singular.

    Notes
    -----
    `solve(A, B)` is faster than `inv(A) @ B` and has more digits. The derivative is
    `-inv(A) @ dA @ inv(A)`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.linalg.inv(torch.tensor([[2.0, 0.0], [0.0, 4.0]]))
    tensor([[0.5000, 0.0000],
            [0.0000, 0.2500]])
    """
    return bind(inv, (A,))


public("linalg.inv(Tensor A, *, Tensor? out=None) -> Tensor", call="linalg_inv")(_inverse)


@public("inverse(Tensor self, *, Tensor? out=None) -> Tensor")
def _public_inverse(input: Any) -> Any:
    """Return the inverses of square matrices, as `linalg.inv` does.

    Raises
    ------
    LinAlgError
        If a matrix is singular.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.inverse(torch.tensor([[0.0, 2.0], [1.0, 0.0]]))
    tensor([[0.0000, 1.0000],
            [0.5000, 0.0000]])
    """
    return bind(inv, (input,))


@public(
    "linalg.inv_ex(Tensor A, *, bool check_errors=False, Tensor[2]? out=None) -> (Tensor inverse, Tensor info)",
    call="linalg_inv_ex",
)
def _inv_ex(A: Any, *, check_errors: bool = False) -> Any:  # noqa: N803 - PyTorch's name
    """Return the inverses of square matrices, and for each whether there is one.

    Parameters
    ----------
    A : Tensor or ArrayExpr
        Square matrices.
    check_errors : bool
        Whether a singular matrix is an error.

    Returns
    -------
    (inverse, info)
        The inverse of a singular matrix is nan. `info` is 0 for a matrix that has an inverse, else
        the number, from 1 on, of the first column that depends on those before it.

    Raises
    ------
    LinAlgError
        If `check_errors` and a matrix is singular.

    Examples
    --------
    >>> import symgrad as torch
    >>> inverse, info = torch.linalg.inv_ex(torch.ones(2, 2))
    >>> info
    tensor(2, dtype=torch.int32)
    """
    if check_errors:
        return return_types.linalg_inv_ex(bind(inv, (A,)), bind(inv_ex, (A,))[1])
    return return_types.linalg_inv_ex(*bind(inv_ex, (A,)))


@public("linalg.det(Tensor A, *, Tensor? out=None) -> Tensor", call="linalg_det")
def _linalg_det(A: Any) -> Any:  # noqa: N803 - PyTorch's name
    """Return the determinants of square matrices; leading axes count matrices.

    Parameters
    ----------
    A : Tensor or ArrayExpr
        Square matrices.

    Raises
    ------
    RuntimeError
        If `A` holds no square matrices, or neither float nor complex numbers.

    Notes
    -----
    The derivative is the matrix of cofactors, `det(A) * inv(A).T` where there is an inverse. It is
    computed without one, so that the derivatives of every order are right at singular matrices.

    Examples
    --------
    >>> import symgrad as torch
    >>> A = torch.tensor([[1.0, 2.0], [2.0, 4.0]], requires_grad=True)
    >>> round(torch.linalg.det(A).item(), 6)
    0.0
    >>> torch.linalg.det(A).backward()
    >>> A.grad
    tensor([[ 4., -2.],
            [-2.,  1.]])
    """
    return bind(det, (A,))


@public("det(Tensor self) -> Tensor")
def _det(input: Any) -> Any:
    """Return the determinants of square matrices, as `linalg.det` does.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.det(torch.tensor([[3.0, 0.0], [0.0, 2.0]]))
    tensor(6.)
    """
    return bind(det, (input,))


@public("logdet(Tensor self) -> Tensor")
def _logdet(input: Any) -> Any:
    """Return the logarithms of the determinants of square matrices.

    That of a singular matrix is -inf, that of a real matrix with a negative determinant nan.

    Raises
    ------
    RuntimeError
        If `input` holds no square matrices, or neither float nor complex numbers.

    Notes
    -----
    The derivative is `inv(A).T`. The logarithm is computed without the determinant, which would
    overflow.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.logdet(1e30 * torch.eye(3))
    tensor(207.2327)
    """
    return bind(logdet, (input,))


@public(
    "linalg.slogdet(Tensor A, *, Tensor[2]? out=None) -> (Tensor sign, Tensor logabsdet)",
    call="linalg_slogdet",
)
def _linalg_slogdet(A: Any) -> Any:  # noqa: N803 - PyTorch's name
    """Return the sign and the logarithm of the modulus of the determinants of square matrices.

    Parameters
    ----------
    A : Tensor or ArrayExpr
        Square matrices.

    Returns
    -------
    (sign, logabsdet)
        The sign is a number of modulus one, or 0 for a singular matrix, of which the logarithm is
        -inf.

    Raises
    ------
    RuntimeError
        If `A` holds no square matrices, or neither float nor complex numbers.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.linalg.slogdet(torch.eye(2)).logabsdet
    tensor(0.)
    """
    return return_types.linalg_slogdet(*bind(slogdet, (A,)))


@public(
    "slogdet(Tensor self, *, Tensor[2]? out=None) -> (Tensor sign, Tensor logabsdet)",
)
def _slogdet(input: Any) -> Any:
    """Return the sign and the logarithm of the modulus of determinants, as `linalg.slogdet` does.

    Examples
    --------
    >>> import symgrad as torch
    >>> sign, logabsdet = torch.slogdet(torch.tensor([[0.0, 2.0], [2.0, 0.0]]))
    >>> sign, logabsdet
    (tensor(-1.), tensor(1.3863))
    """
    return return_types.slogdet(*bind(slogdet, (input,)))


@numpy_call("linalg.slogdet")
def _numpy_slogdet(a: Any) -> Any:
    return SPACES["linalg"]["slogdet"](as_float(a))


@numpy_call("linalg.det")
def _numpy_det(a: Any) -> Any:
    return SPACES["linalg"]["det"](as_float(a))


@numpy_call("linalg.inv")
def _numpy_inv(a: Any) -> Any:
    return SPACES["linalg"]["inv"](as_float(a))
