"""What users call of `symgrad.ops.singular`, and what PyTorch's graph shows of it."""

from __future__ import annotations

from typing import Any

from symgrad.functions import return_types
from symgrad.functions.creation.making import CREATION
from symgrad.ops.linear_algebra import adjoint
from symgrad.ops.primitive import bind
from symgrad.ops.singular import complement, thin_svd
from symgrad.record.face import shows
from symgrad.schema.numpy_calls import numpy_call
from symgrad.schema.public import FUNCTIONS, SPACES, public
from symgrad.tensor.numpy_interop import as_float

shows(thin_svd, name="LinalgSvd", saved=("A",))


def completed(x: Any) -> Any:
    """Return orthonormal columns with others that make the matrix square."""
    if x.shape[-2] == x.shape[-1]:
        return x
    return FUNCTIONS["cat"]([x, bind(complement, (x,))], -1)


@public(
    "linalg.svd(Tensor A, bool full_matrices=True, *, str? driver=None, Tensor[3]? out=None) -> (Tensor U, Tensor S, Tensor Vh)",
    call="linalg_svd",
)
def _linalg_svd(A: Any, full_matrices: bool = True, *, driver: str | None = None) -> Any:  # noqa: N803
    """Return the singular value decomposition `A = U @ diag(S) @ Vh`; leading axes count matrices.

    Parameters
    ----------
    A : Tensor or ArrayExpr
        Matrices.
    full_matrices : bool
        Whether `U` and `Vh` are square: then columns of `U`, or rows of `Vh`, are added that are
        orthogonal to all others.
    driver : str, optional
        Of no effect here: it chooses a routine of CUDA's.

    Returns
    -------
    (U, S, Vh)
        The columns of `U` and the rows of `Vh` are orthonormal; `S` are the singular values, the
        largest first. Pairs of singular vectors are determined up to a sign, or a phase.

    Raises
    ------
    RuntimeError
        If `A` holds no matrices, or neither float nor complex numbers.
    LinAlgError
        If an element is not finite.

    Notes
    -----
    Functions of the singular values have finite derivatives where these are equal. Functions of
    singular vectors have one only where no two are equal, and if no sign or phase changes them.

    Examples
    --------
    >>> import symgrad as torch
    >>> A = torch.tensor([[3.0, 0.0], [0.0, -2.0]])
    >>> U, S, Vh = torch.linalg.svd(A)
    >>> S
    tensor([3., 2.])
    >>> (U * S) @ Vh
    tensor([[ 3.,  0.],
            [ 0., -2.]])
    """
    u, s, vh = bind(thin_svd, (A,))
    if full_matrices:
        u, vh = completed(u), adjoint(completed(adjoint(vh)))
    return return_types.linalg_svd(u, s, vh)


@public(
    "svd(Tensor self, bool some=True, bool compute_uv=True, *, Tensor[3]? out=None) -> (Tensor U, Tensor S, Tensor V)"
)
def _svd(input: Any, some: bool = True, compute_uv: bool = True) -> Any:
    """Return U, S and V of `input = U @ diag(S) @ V.mH`; `linalg.svd` is the newer function.

    Parameters
    ----------
    some : bool
        Whether `U` and `V` have as many columns as there are singular values; else they are square.
    compute_uv : bool
        Whether `U` and `V` are computed; else they are square, and zero.

    Returns
    -------
    (U, S, V)

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.svd(torch.tensor([[0.0, 4.0], [3.0, 0.0]])).S
    tensor([4., 3.])
    """
    if len(input.shape) < 2:
        raise RuntimeError(
            "linalg.svd: input should have at least 2 dimensions, but has "
            f"{len(input.shape)} dimensions instead"
        )
    u, s, vh = SPACES["linalg"]["svd"](input, not some)
    if not compute_uv:
        *lead, m, n = input.shape
        u, v = (CREATION["zeros"]((*lead, k, k), dtype=input.dtype) for k in (m, n))
        return return_types.svd(u, s, v)
    return return_types.svd(u, s, adjoint(vh))


@public(
    "linalg.svdvals(Tensor A, *, str? driver=None, Tensor? out=None) -> Tensor",
    call="linalg_svdvals",
)
def _svdvals(A: Any, *, driver: str | None = None) -> Any:  # noqa: N803 - PyTorch's name
    """Return the singular values of matrices, the largest first.

    Parameters
    ----------
    A : Tensor or ArrayExpr
    driver : str, optional
        Of no effect here: it chooses a routine of CUDA's.

    Raises
    ------
    RuntimeError
        If `A` holds no matrices, or neither float nor complex numbers.
    LinAlgError
        If an element is not finite.

    Notes
    -----
    Functions of the singular values that treat all of them alike, such as the sum, have finite
    derivatives where some are equal.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.linalg.svdvals(torch.tensor([[3.0, 0.0], [0.0, -4.0], [0.0, 0.0]]))
    tensor([4., 3.])
    """
    return bind(thin_svd, (A,))[1]


@numpy_call("linalg.svdvals")
def _numpy_svdvals(x: Any, /) -> Any:
    return SPACES["linalg"]["svdvals"](as_float(x))


@numpy_call("linalg.svd")
def _numpy_svd(
    a: Any, full_matrices: bool = True, compute_uv: bool = True, hermitian: bool = False
) -> Any:
    x = as_float(a)
    if not compute_uv:
        return SPACES["linalg"]["svdvals"](x)
    return tuple(SPACES["linalg"]["svd"](x, full_matrices))
