"""What users call of `symgrad.ops.spectra`, and what PyTorch's graph shows of it."""

from __future__ import annotations

from typing import Any

from symgrad.functions import return_types
from symgrad.ops.primitive import bind
from symgrad.ops.spectra import eig, eigh
from symgrad.record.face import shows
from symgrad.schema.numpy_calls import numpy_call
from symgrad.schema.public import SPACES, public
from symgrad.tensor.numpy_interop import as_float

shows(eigh, name="LinalgEigh", saved=())
shows(eig, name="LinalgEig", saved=())


def _decomposed(A: Any, UPLO: str) -> Any:  # noqa: N803 - PyTorch's names
    if UPLO.upper() not in ("L", "U"):
        raise RuntimeError(f"Expected UPLO argument to be 'L' or 'U', but got {UPLO}")
    return bind(eigh, (A,))


@public(
    "linalg.eigh(Tensor self, str UPLO=L, *, Tensor[2]? out=None) -> (Tensor eigenvalues, Tensor eigenvectors)",
    call="linalg_eigh",
)
def _eigh(input: Any, UPLO: str = "L") -> Any:  # noqa: N803 - PyTorch's names
    """Return the eigenvalues and eigenvectors of Hermitian matrices; leading axes count matrices.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        Hermitian matrices. Of one that is not Hermitian the Hermitian part counts.
    UPLO : "L" or "U"
        Of no effect here: which triangle PyTorch reads.

    Returns
    -------
    (eigenvalues, eigenvectors)
        The eigenvalues, the smallest first, and orthonormal eigenvectors as columns, which are
        determined up to a sign, or a phase.

    Raises
    ------
    RuntimeError
        If `input` holds no square matrices, or `UPLO` is another.

    Notes
    -----
    Functions of the eigenvalues have finite derivatives where these are equal. Functions of
    eigenvectors have one only where no two are equal, and if no sign or phase changes them.

    Examples
    --------
    >>> import symgrad as torch
    >>> A = torch.tensor([[2.0, 1.0], [1.0, 2.0]])
    >>> w, V = torch.linalg.eigh(A)
    >>> w
    tensor([1., 3.])
    >>> torch.allclose((V * w) @ V.mH, A)
    True
    """
    return return_types.linalg_eigh(*_decomposed(input, UPLO))


@public(
    "linalg.eigvalsh(Tensor self, str UPLO=L, *, Tensor? out=None) -> Tensor",
    call="linalg_eigvalsh",
)
def _eigvalsh(input: Any, UPLO: str = "L") -> Any:  # noqa: N803 - PyTorch's names
    """Return the eigenvalues of Hermitian matrices, the smallest first.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        Hermitian matrices. Of one that is not Hermitian the Hermitian part counts.
    UPLO : "L" or "U"
        Of no effect here: which triangle PyTorch reads.

    Raises
    ------
    RuntimeError
        If `input` holds no square matrices, or `UPLO` is another.

    Notes
    -----
    Functions of the eigenvalues that treat all of them alike, such as the sum of their squares,
    have finite derivatives where some are equal.

    Examples
    --------
    >>> import symgrad as torch
    >>> A = torch.eye(2, requires_grad=True)
    >>> torch.linalg.eigvalsh(A).exp().sum().backward()
    >>> A.grad
    tensor([[2.7183, 0.0000],
            [0.0000, 2.7183]])
    """
    return _decomposed(input, UPLO)[0]


@public(
    "linalg.eig(Tensor self, *, Tensor[2]? out=None) -> (Tensor eigenvalues, Tensor eigenvectors)",
    call="linalg_eig",
)
def _eig(input: Any) -> Any:
    """Return the eigenvalues and eigenvectors of square matrices, which are complex.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        Square matrices; leading axes count them.

    Returns
    -------
    (eigenvalues, eigenvectors)
        The eigenvalues in no order, and eigenvectors of length 1 as columns, which are determined
        up to a phase.

    Raises
    ------
    RuntimeError
        If `input` holds no square matrices, or an element that is not finite.

    Notes
    -----
    There are derivatives where no two eigenvalues are equal. Those of functions that phases of
    eigenvectors change depend on the choice of phases.

    Examples
    --------
    >>> import symgrad as torch
    >>> A = torch.tensor([[0.0, -1.0], [1.0, 0.0]])
    >>> w, V = torch.linalg.eig(A)
    >>> torch.allclose((V * w) @ torch.linalg.inv(V), A + 0j, atol=1e-6)
    True
    """
    return return_types.linalg_eig(*bind(eig, (input,)))


@public("linalg.eigvals(Tensor self, *, Tensor? out=None) -> Tensor", call="linalg_eigvals")
def _eigvals(input: Any) -> Any:
    """Return the eigenvalues of square matrices, which are complex, in no order.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        Square matrices.

    Raises
    ------
    RuntimeError
        If `input` holds no square matrices, or an element that is not finite.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.linalg.eigvals(torch.tensor([[0.0, -4.0], [1.0, 0.0]])).abs()
    tensor([2., 2.])
    """
    return bind(eig, (input,))[0]


@numpy_call("linalg.eigh")
def _numpy_eigh(a: Any, UPLO: str = "L") -> Any:  # noqa: N803
    return tuple(SPACES["linalg"]["eigh"](_triangle(a, UPLO)))


@numpy_call("linalg.eigvalsh")
def _numpy_eigvalsh(a: Any, UPLO: str = "L") -> Any:  # noqa: N803
    return SPACES["linalg"]["eigvalsh"](_triangle(a, UPLO))


def _triangle(a: Any, UPLO: str) -> Any:  # noqa: N803
    """Return the Hermitian matrices of the triangle that NumPy reads."""
    a = as_float(a)
    half, rest = (a.triu(), a.triu(1)) if UPLO.upper() == "U" else (a.tril(), a.tril(-1))
    return half + rest.mH
