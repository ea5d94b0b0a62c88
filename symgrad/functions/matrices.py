"""Functions of matrices and vectors that are made of others: powers, norms, ranks, products."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from symgrad.expr.dtypes import Category
from symgrad.expr.shapes import size_of
from symgrad.functions.creation.making import CREATION
from symgrad.functions.degrees import widened
from symgrad.ops.inverses import inv_ex
from symgrad.ops.linear_algebra import check_matrices
from symgrad.ops.primitive import bind
from symgrad.ops.pseudo_inverses import pinv
from symgrad.ops.singular import thin_svd
from symgrad.record.face import shows
from symgrad.schema.numpy_calls import numpy_call
from symgrad.schema.public import FUNCTIONS, METHODS, SPACES, public
from symgrad.schema.text import NOT_GIVEN
from symgrad.tensor.numpy_interop import as_float, of_one_kind, operand

shows(pinv, name="LinalgPinv", saved=("self",), facts=lambda node: {})


# ------------------------------------------------------------------ products


def _power(A: Any, n: int) -> Any:  # noqa: N803 - PyTorch's name
    check_matrices("linalg.matrix_power", A.shape, square=True)
    if n == 0:
        return (A**0).tril().triu()  # which depends on A, as every other power
    if n < 0:
        A, n = SPACES["linalg"]["inv"](A), -n  # noqa: N806
    square, found = A, None
    while n:
        if n & 1:
            found = square if found is None else found @ square
        n >>= 1
        square = square @ square if n else square
    return found.clone() if found is A else found


@public(
    "linalg.matrix_power(Tensor self, int n, *, Tensor? out=None) -> Tensor",
    call="linalg_matrix_power",
)
def _linalg_matrix_power(input: Any, n: int) -> Any:
    """Return the n-th power of square matrices; of a negative n that of the inverses.

    Parameters
    ----------
    n : int

    Raises
    ------
    RuntimeError
        If `input` holds no square matrices.
    LinAlgError
        If `n` is negative and a matrix is singular.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.linalg.matrix_power(torch.tensor([[1.0, 1.0], [1.0, 0.0]]), 10)
    tensor([[89., 55.],
            [55., 34.]])
    """
    return _power(input, n)


@public("matrix_power(Tensor self, int n, *, Tensor? out=None) -> Tensor")
def _matrix_power(input: Any, n: int) -> Any:
    """Return the n-th power of square matrices, as `linalg.matrix_power` does.

    Parameters
    ----------
    n : int

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.matrix_power(torch.tensor([[2.0, 0.0], [0.0, 3.0]]), -1)
    tensor([[0.5000, 0.0000],
            [0.0000, 0.3333]])
    """
    return _power(input, n)


@public(
    "linalg.matmul(Tensor self, Tensor other, *, Tensor? out=None) -> Tensor", call="linalg_matmul"
)
def _linalg_matmul(input: Any, other: Any) -> Any:
    """Return the product of matrices or vectors, as `matmul` does.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.linalg.matmul(torch.tensor([[1.0, 2.0]]), torch.tensor([3.0, 4.0]))
    tensor([11.])
    """
    return FUNCTIONS["matmul"](input, other)


@public(
    "linalg.multi_dot(Tensor[] tensors, *, Tensor? out=None) -> Tensor", call="linalg_multi_dot"
)
def _multi_dot(tensors: Any) -> Any:
    """Return the product of two or more matrices, in the order that takes the fewest products.

    Parameters
    ----------
    tensors : sequence of Tensor or ArrayExpr
        Matrices; the first and the last may be vectors.

    Raises
    ------
    RuntimeError
        If there are fewer than two, or their shapes do not fit.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.linalg.multi_dot([torch.ones(2, 3), torch.ones(3, 4), torch.ones(4)])
    tensor([12., 12.])
    """
    operands = list(tensors)
    if len(operands) < 2:
        raise RuntimeError(f"multi_dot(): expected at least 2 tensors but got {len(operands)}")
    last = len(operands) - 1
    for i, x in enumerate(operands):
        least = 1 if i in (0, last) else 2
        if not least <= len(x.shape) <= 2:
            raise RuntimeError(
                f"multi_dot(): tensor {i} must be {'1D or ' * (least == 1)}2D but got "
                f"{len(x.shape)}D"
            )
    for i, (x, y) in enumerate(itertools.pairwise(operands)):
        if x.shape[-1] != y.shape[0]:
            raise RuntimeError(
                f"multi_dot(): tensors {i} and {i + 1} with shapes {list(x.shape)} and "
                f"{list(y.shape)} cannot be multiplied"
            )
    sizes = [math.prod(operands[0].shape[:-1]), *[x.shape[0] for x in operands[1:]]]
    sizes.append(math.prod(operands[-1].shape[1:]))
    return _in_order(operands, _cheapest(sizes), 0, last)


def _cheapest(sizes: Sequence[int]) -> dict[tuple[int, int], int]:
    """Return after which factor each run of factors is parted best, of `sizes[i]` by `sizes[i+1]`."""
    count = len(sizes) - 1
    cost = dict.fromkeys([(i, i) for i in range(count)], 0)
    parted: dict[tuple[int, int], int] = {}
    for width in range(1, count):
        for i in range(count - width):
            j = i + width
            options = [
                (cost[i, k] + cost[k + 1, j] + sizes[i] * sizes[k + 1] * sizes[j + 1], k)
                for k in range(i, j)
            ]
            cost[i, j], parted[i, j] = min(options)
    return parted


def _in_order(operands: Sequence[Any], parted: dict[tuple[int, int], int], i: int, j: int) -> Any:
    if i == j:
        return operands[i]
    k = parted[i, j]
    return _in_order(operands, parted, i, k) @ _in_order(operands, parted, k + 1, j)


@public(
    "linalg.vecdot(Tensor x, Tensor y, *, int dim=-1, Tensor? out=None) -> Tensor",
    call="linalg_vecdot",
)
def _vecdot(x: Any, y: Any, *, dim: int = -1) -> Any:
    """Return the dot products of vectors along an axis, the first ones conjugated.

    Parameters
    ----------
    x, y : Tensor or ArrayExpr
        Arrays that broadcast.
    dim : int
        The axis of the vectors.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.linalg.vecdot(torch.tensor([[1.0, 2.0], [3.0, 4.0]]), torch.tensor([1.0, 1.0]))
    tensor([3., 7.])
    """
    return ((x.conj() if x.dtype.is_complex else x) * y).sum(dim)


@public(
    "linalg.diagonal(Tensor A, *, int offset=0, int dim1=-2, int dim2=-1) -> Tensor",
    call="linalg_diagonal",
)
def _linalg_diagonal(A: Any, *, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Any:  # noqa: N803
    """Return a diagonal of two axes as a new last axis; a view, as `diagonal` gives.

    Parameters
    ----------
    A : Tensor or ArrayExpr
        Matrices, along the last two axes by default.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.linalg.diagonal(torch.arange(8).reshape(2, 2, 2))
    tensor([[0, 3],
            [4, 7]])
    """
    return METHODS["diagonal"](A, offset, dim1, dim2)


@public("linalg.vander(Tensor x, *, int? N=None) -> Tensor", call="linalg_vander")
def _linalg_vander(x: Any, *, N: int | None = None) -> Any:  # noqa: N803 - PyTorch's name
    """Return the matrices of Vandermonde: the powers 0, 1, 2 and so on of the elements.

    Parameters
    ----------
    x : Tensor or ArrayExpr
        Vectors.
    N : int, optional
        How many powers, two or more; by default as many as there are elements.

    Raises
    ------
    RuntimeError
        If `N` is below two.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.linalg.vander(torch.tensor([1, 2, 3]))
    tensor([[1, 1, 1],
            [1, 2, 4],
            [1, 3, 9]])
    """
    x = x if x.shape else x.reshape(1)
    count = N if N is not None else x.shape[-1]
    if count <= 1:
        raise RuntimeError("N must be greater than 1.")
    x = widened(x)
    return FUNCTIONS["stack"]([CREATION["ones_like"](x), *[x**k for k in range(1, count)]], -1)


# ------------------------------------------------------------------ tensors as matrices


@public(
    "linalg.tensorinv(Tensor self, int ind=2, *, Tensor? out=None) -> Tensor",
    call="linalg_tensorinv",
)
def _tensorinv(input: Any, ind: int = 2) -> Any:
    """Return the inverse of the map that `tensordot` makes of a tensor.

    Parameters
    ----------
    ind : int
        How many axes are those of the results of the map.

    Raises
    ------
    RuntimeError
        If the map is not one between spaces of as many dimensions.
    LinAlgError
        If the map has no inverse.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.linalg.tensorinv(2 * torch.eye(4).reshape(4, 2, 2), ind=1).shape
    torch.Size([2, 2, 4])
    """
    if ind <= 0:
        raise RuntimeError(f"Expected a strictly positive integer for 'ind', but got {ind}")
    first, rest = tuple(input.shape[:ind]), tuple(input.shape[ind:])
    if size_of(first) != size_of(rest):
        raise RuntimeError(
            "Expected self to satisfy the requirement prod(self.shape[ind:]) == "
            f"prod(self.shape[:ind]), but got {size_of(rest)} != {size_of(first)}"
        )
    matrix = input.reshape((size_of(first), size_of(rest)))
    return SPACES["linalg"]["inv"](matrix).reshape((*rest, *first))


@public(
    "linalg.tensorsolve(Tensor self, Tensor other, int[]? dims=None, *, Tensor? out=None) -> Tensor",
    call="linalg_tensorsolve",
)
def _tensorsolve(input: Any, other: Any, dims: Any = None) -> Any:
    """Return X such that `tensordot(input, X, X.ndim)` is `other`.

    Parameters
    ----------
    input : Tensor or ArrayExpr
    other : Tensor or ArrayExpr
        Its shape is that of the first axes of `input`.
    dims : tuple of int, optional
        Axes of `input` that are moved behind all others first.

    Raises
    ------
    RuntimeError
        If the shapes do not fit.
    LinAlgError
        If there is no unique solution.

    Examples
    --------
    >>> import symgrad as torch
    >>> A = 2 * torch.eye(4).reshape(2, 2, 4)
    >>> torch.linalg.tensorsolve(A, torch.ones(2, 2))
    tensor([0.5000, 0.5000, 0.5000, 0.5000])
    """
    if dims is not None:
        input = input.movedim(tuple(dims), tuple(range(-len(dims), 0)))
    ndim = len(other.shape)
    first, rest = tuple(input.shape[:ndim]), tuple(input.shape[ndim:])
    if size_of(first) != size_of(rest):
        raise RuntimeError(
            "Expected self to satisfy the requirement prod(self.shape[other.ndim:]) == "
            f"prod(self.shape[:other.ndim]), but got {size_of(rest)} != {size_of(first)}"
        )
    matrix = input.reshape((size_of(rest), size_of(rest)))
    return SPACES["linalg"]["solve"](matrix, other.reshape(-1)).reshape(rest)


# ------------------------------------------------------------------ singular values


def _tolerances(x: Any, atol: Any, rtol: Any) -> list[Any]:
    """Return which singular values count as zero, where the caller leaves it open."""
    given = 0.0 if atol is None else atol
    if rtol is None:
        spacing = max(x.shape[-2:]) * float(np.finfo(x.dtype.numpy).eps)
        if hasattr(given, "dtype"):
            rtol = FUNCTIONS["where"](given > 0, 0.0, spacing)
        else:
            rtol = 0.0 if given else spacing
    return [t if hasattr(t, "dtype") else float(t) for t in (given, rtol)]


@public(
    "linalg.matrix_rank(Tensor input, *, Tensor? atol=None, Tensor? rtol=None, bool hermitian=False, Tensor? out=None) -> Tensor",
    "linalg.matrix_rank(Tensor self, *, float? atol=None, float? rtol=None, bool hermitian=False, Tensor? out=None) -> Tensor",
    "linalg.matrix_rank(Tensor input, Tensor tol, bool hermitian=False, *, Tensor? out=None) -> Tensor",
    "linalg.matrix_rank(Tensor self, float tol, bool hermitian=False, *, Tensor? out=None) -> Tensor",
    call="linalg_matrix_rank",
)
def _matrix_rank(
    input: Any,
    tol: Any = NOT_GIVEN,
    hermitian: bool = False,
    *,
    atol: Any = None,
    rtol: Any = None,
) -> Any:
    """Return how many singular values of matrices are not zero.

    Parameters
    ----------
    tol, atol : float or Tensor, optional
        Singular values count as zero that are not larger than this, a number for each matrix or all,
    rtol : float or Tensor, optional
        or than this times the largest one: by default the spacing of floating-point numbers at 1
        times the longer side of the matrices, and 0 where `atol` is given.
    hermitian : bool
        Of no effect here: it allows another routine.

    Raises
    ------
    RuntimeError
        If `input` holds no matrices, or neither float nor complex numbers.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.linalg.matrix_rank(torch.tensor([[1.0, 2.0], [2.0, 4.0], [0.0, 0.0]]))
    tensor(1)
    """
    check_matrices("torch.linalg.matrix_rank", input.shape, operand="input")
    thin_svd.check_kind(input.dtype)
    given, rtol = (atol, rtol) if tol is NOT_GIVEN else (tol, 0.0)
    least, part = [
        t.unsqueeze(-1) if hasattr(t, "dtype") else t for t in _tolerances(input, given, rtol)
    ]
    values = bind(thin_svd, (input,))[1]
    return ((values > least) & (values > part * values[..., :1])).sum(-1)


@public(
    "linalg.pinv(Tensor self, *, Tensor? atol=None, Tensor? rtol=None, bool hermitian=False, Tensor? out=None) -> Tensor",
    "linalg.pinv(Tensor self, *, float? atol=None, float? rtol=None, bool hermitian=False, Tensor? out=None) -> Tensor",
    "linalg.pinv(Tensor self, Tensor rcond, bool hermitian=False, *, Tensor? out=None) -> Tensor",
    "linalg.pinv(Tensor self, float rcond, bool hermitian=False, *, Tensor? out=None) -> Tensor",
    call="linalg_pinv",
)
def _linalg_pinv(
    input: Any,
    rcond: Any = NOT_GIVEN,
    hermitian: bool = False,
    *,
    atol: Any = None,
    rtol: Any = None,
) -> Any:
    """Return the pseudo-inverses of matrices.

    Parameters
    ----------
    rcond, rtol : float or Tensor, optional
        Singular values count as zero that are not larger than this times the largest one: by default
        the spacing of floating-point numbers at 1 times the longer side of the matrices, and 0
        where `atol` is given,
    atol : float or Tensor, optional
        or not larger than this, a number for each matrix or all.
    hermitian : bool
        Of no effect here: it allows another routine.

    Raises
    ------
    RuntimeError
        If `input` holds no matrices, or neither float nor complex numbers.

    Notes
    -----
    The derivative is that along matrices of the same rank.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.linalg.pinv(torch.tensor([[1.0, 0.0], [0.0, 0.0], [0.0, 2.0]]))
    tensor([[1.0000, 0.0000, 0.0000],
            [0.0000, 0.0000, 0.5000]])
    """
    if len(input.shape) < 2 or input.dtype.category < Category.FLOAT:
        raise RuntimeError(
            f"linalg.pinv({input.dtype.scalar_name}{{{list(input.shape)}}}): expected a tensor "
            "with 2 or more dimensions of float, double, cfloat or cdouble types"
        )
    part = rtol if rcond is NOT_GIVEN else rcond
    return bind(pinv, (input, *_tolerances(input, atol, part)))


@public("pinverse(Tensor self, float rcond=1e-15) -> Tensor")
def _pinverse(input: Any, rcond: float = 1e-15) -> Any:
    """Return the pseudo-inverses of matrices, as `linalg.pinv` does.

    Parameters
    ----------
    rcond : float
        Singular values count as zero that are not larger than this times the largest one.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.pinverse(torch.tensor([[2.0], [0.0]]))
    tensor([[0.5000, 0.0000]])
    """
    return SPACES["linalg"]["pinv"](input, rcond)


def _size_of_matrix(A: Any, p: float | str) -> Any:  # noqa: N803 - PyTorch's name
    found: Any = SPACES["linalg"]["matrix_norm"](A, p)
    return found


@public(
    "linalg.cond(Tensor self, Scalar? p=None, *, Tensor? out=None) -> Tensor",
    "linalg.cond(Tensor self, str p, *, Tensor? out=None) -> Tensor",
    call="linalg_cond",
)
def _cond(input: Any, p: float | str | None = None) -> Any:
    """Return the condition numbers of matrices: how much a solution may grow an error.

    Parameters
    ----------
    p : None, 1, -1, 2, -2, inf, -inf, "fro" or "nuc"
        The norm; None and 2 give the largest singular value over the smallest one, and are the
        norms for which matrices need not be square.

    Raises
    ------
    RuntimeError
        If `input` holds no matrices, or `p` is none of the above.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.linalg.cond(torch.tensor([[4.0, 0.0], [0.0, 0.5]]))
    tensor(8.)
    """
    if len(input.shape) < 2:
        raise RuntimeError("linalg.cond: The input tensor must have at least 2 dimensions.")
    numbered = p is None or p in (2, -2, 1, -1, math.inf, -math.inf)
    if numbered and 0 in input.shape[-2:]:
        return SPACES["linalg"]["matrix_norm"](input)
    if p is None or p in (2, -2):
        values = SPACES["linalg"]["svdvals"](input)
        largest, smallest = values[..., :1], values[..., -1:]
        found = smallest / largest if p == -2 else largest / smallest
        return found.squeeze(-1)
    if not numbered and p not in ("fro", "nuc"):
        raise RuntimeError(f"linalg.cond got an invalid norm type: {p}")
    check_matrices(f"linalg.cond(ord={p})", input.shape, square=True)
    inverse, info = bind(inv_ex, (input,))
    regular = info.eq(0)
    if p == "nuc":  # singular values of nan are an error
        inverse = FUNCTIONS["where"](regular[..., None, None], inverse, 0.0)
    size = _size_of_matrix(input, p) * _size_of_matrix(inverse, p)
    return FUNCTIONS["where"](regular, size, math.inf)


# ------------------------------------------------------------------ for NumPy


@numpy_call("linalg.multi_dot")
def _numpy_multi_dot(arrays: Any, *, out: None = None) -> Any:
    return SPACES["linalg"]["multi_dot"](of_one_kind(*arrays))


@numpy_call("linalg.matrix_power")
def _numpy_matrix_power(a: Any, n: int) -> Any:
    return _power(as_float(a) if n < 0 else operand(a), n)


@numpy_call("linalg.cond")
def _numpy_cond(x: Any, p: Any = None) -> Any:
    return _cond(as_float(x), p)


@numpy_call("linalg.matrix_rank")
def _numpy_matrix_rank(A: Any, tol: None = None, hermitian: bool = False) -> Any:  # noqa: N803
    x = as_float(A)
    return NotImplemented if len(x.shape) < 2 else SPACES["linalg"]["matrix_rank"](x)


@numpy_call("linalg.pinv")
def _numpy_pinv(a: Any, rcond: float = 1e-15, hermitian: bool = False) -> Any:
    return SPACES["linalg"]["pinv"](as_float(a), rcond)


@numpy_call("linalg.tensorinv")
def _numpy_tensorinv(a: Any, ind: int = 2) -> Any:
    return SPACES["linalg"]["tensorinv"](as_float(a), ind)


@numpy_call("linalg.tensorsolve")
def _numpy_tensorsolve(a: Any, b: Any, axes: Any = None) -> Any:
    return SPACES["linalg"]["tensorsolve"](*of_one_kind(as_float(a), as_float(b)), axes)
