"""What users call of `symgrad.ops.norms`, and what PyTorch's graph shows of it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from symgrad.expr.atoms import is_const
from symgrad.expr.dtypes import Category, dtype, promote
from symgrad.expr.shapes import Shape, broadcast_shapes, canonical_axis
from symgrad.functions.axes import axes_of
from symgrad.functions.casting import converted_inside
from symgrad.ops.axes import Axes
from symgrad.ops.linear_algebra import check_decomposed, check_matrices
from symgrad.ops.norms import dist, norm, renorm
from symgrad.ops.primitive import bind
from symgrad.ops.singular import thin_svd
from symgrad.record.face import axes, shows, stated
from symgrad.schema.numpy_calls import numpy_call
from symgrad.schema.public import FUNCTIONS, SPACES, public
from symgrad.schema.text import NOT_GIVEN
from symgrad.tensor.numpy_interop import operand

shows(
    norm,
    name="LinalgVectorNorm",
    saved=("self", "ord"),
    facts=stated(axes, lambda node: {"self": None, "result": None}),
    keeps=(0, 2),
    frees=True,
    # A count has no gradient, where that of `floor` is zero.
    undefined=lambda node: node.has_order(0),
)
shows(
    dist,
    facts=lambda node: {"other": None, "result": None, "self": None},
    saved=("self", "other", "p"),
    keeps=(0, 1, 3),
    undefined=lambda node: is_const(node.operands[2], 0),
)
shows(renorm, saved=("self", "p", "maxnorm"), frees=True)


def _refuse_empty(shape: Shape, axis: Axes, p: float) -> None:
    text = "operation does not have an identity"
    order = f"{p:g}"
    if axis is None or len(axis) == len(shape) > 1:
        if 0 in shape:
            raise RuntimeError(
                f"linalg.vector_norm cannot compute the {order} norm on an empty tensor because "
                f"the {text}"
            )
        return
    for a in axis:
        if shape and shape[a] == 0:
            raise RuntimeError(
                f"linalg.vector_norm cannot compute the {order} norm on the dimension {a}because "
                f"this dimension is empty and the {text}"
            )


def _whole(order: float) -> float:
    """Return a whole order as an integer; beyond what integers of 64 bits hold it stays a float."""
    return int(order) if abs(order) < 2**63 and order == int(order) else order


def _check_conversion(name: str, kind: dtype, given: dtype) -> None:
    """Raise PyTorch's error for numbers that a norm does not convert to `kind`."""
    if given.category < Category.FLOAT:
        norm.result_kind(given)  # raises
    if kind.category < Category.FLOAT:
        raise RuntimeError(
            f"{name}: dtype should be floating point or complex, but got {kind.scalar_name}"
        )
    if kind.is_complex is not given.is_complex:
        side = "complex" if given.is_complex else "real"
        raise RuntimeError(
            f"{name}: dtype should be {side} for {side} inputs, but got {kind.scalar_name}"
        )
    if promote(kind, given) is not kind:
        raise RuntimeError(
            f"{name}: the dtype of the input ({given.scalar_name}) should be convertible without "
            f"narrowing to the specified dtype ({kind.scalar_name})"
        )


def _vector_norm(
    input: Any,
    ord: float = 2,
    dim: Any = NOT_GIVEN,
    keepdim: bool = False,
    *,
    dtype: dtype | None = None,
) -> Any:
    """Return the p-norm of the elements, over all axes or some.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        Real or complex numbers.
    ord : number
        The order p; 0 counts what is not zero, inf and -inf are the largest and smallest modulus.
    dim : int or tuple of int, optional
        The axes; all of them where not given.
    keepdim : bool
        Whether reduced axes stay, with length one.
    dtype : dtype, optional
        What `input` is converted to first.

    Raises
    ------
    RuntimeError
        If `input` holds integers, or has no elements where the order needs one.

    Notes
    -----
    The gradient at zero is the subgradient of least norm, 0, also of higher order.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([3.0, -4.0, 0.0])
    >>> torch.linalg.vector_norm(x)
    tensor(5.)
    >>> torch.linalg.vector_norm(x, ord=float("inf"))
    tensor(4.)
    >>> torch.linalg.vector_norm(x, ord=0)
    tensor(2.)
    """
    if dtype is not None:
        _check_conversion("linalg.vector_norm", dtype, input.dtype)
        input = converted_inside(input, dtype)
    if dim is None or (isinstance(dim, (tuple, list)) and not len(dim)):
        dim = NOT_GIVEN
    axes = axes_of(dim, len(input.shape))
    flag = keepdim
    if axes is None and flag:
        axes = tuple(range(len(input.shape)))
    if ord < 0 or ord == math.inf:
        _refuse_empty(input.shape, axes, ord)
    return bind(norm, (input, _whole(ord)), (axes, flag))


public(
    "linalg.vector_norm(Tensor self, Scalar ord=2, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None, Tensor? out=None) -> Tensor",
    call="linalg_vector_norm",
)(_vector_norm)


def _linalg_norm(
    input: Any,
    ord: float | str | None = None,
    dim: Any = None,
    keepdim: bool = False,
    *,
    dtype: dtype | None = None,
) -> Any:
    """Return a norm of vectors, or of matrices where `ord` is given for two axes.

    Parameters
    ----------
    input : Tensor or ArrayExpr
    ord : number, "fro", "nuc" or None
        Without an order: the root of the sum of squares over all given axes. For matrices "fro" is
        that as well, 1, -1, inf, -inf are the largest or smallest sum of a column or row, 2 and -2
        the largest and smallest singular value, and "nuc" their sum.
    dim : int or tuple of int, optional
        One axis for vectors, two for matrices; all of them where not given.
    keepdim : bool
        Whether reduced axes stay, with length one.
    dtype : dtype, optional
        What `input` is converted to first.

    Raises
    ------
    RuntimeError
        If the number of axes does not fit the order.

    Examples
    --------
    >>> import symgrad as torch
    >>> A = torch.tensor([[1.0, -2.0], [3.0, 4.0]])
    >>> torch.linalg.norm(A)
    tensor(5.4772)
    >>> torch.linalg.norm(A, ord=1)
    tensor(6.)
    """
    axes = (dim,) if isinstance(dim, (int, np.integer)) else dim
    ndim = len(input.shape)
    pair: Any = (-2, -1) if axes is None else tuple(axes)
    if isinstance(ord, str) and (ndim if axes is None else len(axes)) in (1, 2):
        return _matrix_norm(input, ord, pair, keepdim, dtype)
    if ord is None or (len(axes) if axes is not None else ndim) == 1:
        order: Any = 2 if ord is None else ord
        return SPACES["linalg"]["vector_norm"](input, order, dim, keepdim, dtype=dtype)
    pair = tuple(range(ndim)) if axes is None else pair
    if len(pair) != 2:
        raise RuntimeError(
            "linalg.norm: If dim is not specified but ord is, the input must be 1D or 2D. Got "
            f"{ndim}D."
            if axes is None
            else "linalg.norm: If dim is specified, it must be of length 1 or 2. Got "
            + str(list(pair))
        )
    return _matrix_norm(input, ord, pair, keepdim, dtype)


public(
    "linalg.norm(Tensor self, Scalar? ord=None, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None, Tensor? out=None) -> Tensor",
    "linalg.norm(Tensor self, str ord, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None, Tensor? out=None) -> Tensor",
    call="linalg_norm",
)(_linalg_norm)


def _extreme(order: Any, sizes: Any, axis: int, keepdim: bool = False) -> Any:
    """Return the largest size, which is 0 if there are none; for a negative order the smallest one."""
    name = "amin" if order < 0 else "amax" if sizes.shape[axis] else "sum"
    return FUNCTIONS[name](sizes, axis, keepdim)


def _matrix_norm(
    A: Any, ord: float | str, pair: tuple[int, ...], keepdim: bool, dtype: dtype | None
) -> Any:
    """Return the norm of the matrices of two axes."""
    ndim = len(A.shape)
    if ord in ("fro", "nuc", 2, -2):
        if ndim < 2:
            raise RuntimeError(
                "linalg.matrix_norm: The input tensor A must have at least 2 dimensions."
            )
        if len(pair) != 2:
            given = " ".join(map(str, pair))
            raise RuntimeError(f"linalg.matrix_norm: dim must be a 2-tuple. Got {given}")
        axes = tuple([canonical_axis(axis, ndim) for axis in pair])
        if axes[0] == axes[1]:
            raise RuntimeError(
                f"linalg.matrix_norm: dims must be different. Got ({pair[0]}, {pair[1]})"
            )
        if ord == "fro":
            if dtype is not None:
                _check_conversion("linalg.matrix_norm", dtype, A.dtype)
            return _vector_norm(A, 2, pair, keepdim, dtype=dtype)
        others = tuple([axis for axis in range(ndim) if axis not in axes])
        check_decomposed("linalg.matrix_norm", A.dtype)
        if dtype is not None:
            _check_conversion("linalg.matrix_norm", dtype, A.dtype)
            A = A.to(dtype)
            check_decomposed("linalg.matrix_norm", dtype)
        if others + axes != tuple(range(ndim)):
            A = A.permute(*others, *axes)
        values = bind(thin_svd, (A,))[1]
        out = values.sum(-1) if ord == "nuc" else _extreme(ord, values, -1)
        if not keepdim:
            return out
        order = others + axes
        back = [order.index(axis) for axis in range(ndim)]
        return out.unsqueeze(-1).unsqueeze(-1).permute(*back)
    if ord in (1, -1, math.inf, -math.inf):
        if dtype is not None:
            _check_conversion("linalg.matrix_norm", dtype, A.dtype)
            A = A.to(dtype)
        rows, columns = pair if ord in (1, -1) else pair[::-1]
        rows, columns = rows % ndim, columns % ndim
        sums = _vector_norm(A, 1, rows, True)
        out = _extreme(ord, sums, columns, True)
        return out if keepdim else out.squeeze(tuple(sorted((rows, columns))))
    raise RuntimeError(f"linalg.matrix_norm: Order {ord} not supported.")


@public(
    "linalg.matrix_norm(Tensor self, Scalar ord, int[] dim=[-2,-1], bool keepdim=False, *, ScalarType? dtype=None, Tensor? out=None) -> Tensor",
    "linalg.matrix_norm(Tensor self, str ord=fro, int[] dim=[-2,-1], bool keepdim=False, *, ScalarType? dtype=None, Tensor? out=None) -> Tensor",
    call="linalg_matrix_norm",
)
def _public_matrix_norm(
    input: Any,
    ord: float | str = "fro",
    dim: Any = (-2, -1),
    keepdim: bool = False,
    *,
    dtype: dtype | None = None,
) -> Any:
    """Return the norms of matrices.

    Parameters
    ----------
    ord : "fro", "nuc", 1, -1, 2, -2, inf or -inf
        "fro" is the root of the sum of squares, 1, -1, inf and -inf are the largest or smallest sum
        of a column or row, 2 and -2 the largest and smallest singular value, and "nuc" their sum.
    dim : tuple of int
        The axes of the matrices.
    keepdim : bool
        Whether reduced axes stay, with length one.
    dtype : dtype, optional
        What `input` is converted to first.

    Raises
    ------
    RuntimeError
        If `input` has not the axes, or there is no such norm.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.linalg.matrix_norm(torch.tensor([[3.0, 0.0], [0.0, 4.0]]), "nuc")
    tensor(7.)
    """
    check_matrices("linalg.matrix_norm", input.shape)
    if len(dim) != 2:
        raise RuntimeError(
            f"linalg.matrix_norm: dim must be a 2-tuple. Got {' '.join(map(str, dim))}"
        )
    return _matrix_norm(input, ord, tuple(dim), keepdim, dtype)


@public(
    "norm(Tensor self, float|str? p=fro, object dim=None, object keepdim=False, Tensor? out=None, ScalarType? dtype=None) -> Tensor",
    python=True,
)
def _public_norm(
    input: Any,
    p: float | str | None = "fro",
    dim: Any = None,
    keepdim: bool = False,
    dtype: dtype | None = None,
) -> Any:
    """Return the p-norm of the elements, over all axes or some.

    Parameters
    ----------
    p : number, "fro" or "nuc"
        The order; "fro" and None are 2. "nuc" is the sum of the singular values of matrices.
    dim : int or tuple of int, optional
        The axes; all of them where not given.

    Raises
    ------
    RuntimeError
        If `input` holds integers, or the order is none of the above.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.norm(torch.tensor([[3.0, 4.0], [6.0, 8.0]]), dim=1)
    tensor([ 5., 10.])
    """
    if p == "nuc":
        axes = range(len(input.shape)) if dim is None else (dim,) if isinstance(dim, int) else dim
        return _matrix_norm(input, p, tuple(axes), keepdim, dtype)
    if isinstance(p, str) and p != "fro":
        raise RuntimeError(f"linalg.matrix_norm: Order {p} not supported.")
    order: Any = 2 if p is None or p == "fro" else p
    if isinstance(dim, (tuple, list)) and len(dim) > 2 and isinstance(p, str):
        given = " ".join(map(str, dim))
        raise RuntimeError(f"linalg.matrix_norm: dim must be a 2-tuple. Got {given}")
    return SPACES["linalg"]["vector_norm"](input, order, dim, keepdim, dtype=dtype)


@public(
    "dist(Tensor self, Tensor other, Scalar p=2) -> Tensor",
)
def _dist(input: Any, other: Any, p: float = 2) -> Any:
    """Return the p-norm of `input - other` over all axes.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.dist(torch.tensor([1.0, 2.0]), torch.tensor([4.0, 6.0]))
    tensor(5.)
    """
    order = p
    if isinstance(order, complex):
        raise RuntimeError("value cannot be converted to type double without overflow")
    if order < 0 or order == math.inf:
        _refuse_empty(broadcast_shapes(tuple(input.shape), tuple(other.shape)), None, order)
    return bind(dist, (input, other, _whole(order)))


@public(
    "renorm(Tensor self, Scalar p, int dim, Scalar maxnorm, *, Tensor? out=None) -> Tensor",
    in_place="method",
)
def _renorm_function(input: Any, p: float, dim: int, maxnorm: float) -> Any:
    """Shorten the slices along `dim` whose norm is larger than `maxnorm` to that norm.

    Parameters
    ----------
    p : float
        The order of the norm, above 0.
    dim : int
        The axis that numbers the slices.
    maxnorm : float
        The largest norm that slices keep.

    Raises
    ------
    RuntimeError
        If `p` is not positive, `maxnorm` is negative, or there are fewer than two axes.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.renorm(torch.tensor([[3.0, 4.0], [0.3, 0.4]]), p=2, dim=0, maxnorm=1)
    tensor([[0.6000, 0.8000],
            [0.3000, 0.4000]])
    """
    if isinstance(p, complex):
        raise RuntimeError("renorm: p must be real-valued")
    if p <= 0:
        raise RuntimeError("renorm: non-positive-norm not supported")
    if isinstance(maxnorm, complex):
        raise RuntimeError("renorm: maxnorm must be real-valued")
    if maxnorm < 0:
        raise RuntimeError(f"renorm: expected maxnorm to be >= 0 but got {maxnorm:g}")
    rank = len(input.shape)
    if rank < 2:
        raise RuntimeError(f"renorm: input needs at least 2 dimensions, got {rank} dimensions")
    return bind(renorm, (input, _whole(p), maxnorm), (canonical_axis(dim, rank),))


@public(
    "nn.functional.normalize(Tensor input, float p=2.0, int dim=1, float eps=1e-12, Tensor? out=None) -> Tensor",
    python=True,
    reads="norm",
)
def normalize(input: Any, p: float = 2.0, dim: int = 1, eps: float = 1e-12) -> Any:
    """Return `input` divided by its p-norm along `dim`, or by `eps` where that is greater.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.functional.normalize(torch.tensor([[3.0, 4.0], [0.0, 0.0]]))
    tensor([[0.6000, 0.8000],
            [0.0000, 0.0000]])
    """
    return input / input.norm(p, dim, keepdim=True).clamp_min(eps).expand_as(input)


@numpy_call("linalg.matrix_norm")
def _numpy_matrix_norm(x: Any, /, *, keepdims: bool = False, ord: Any = "fro") -> Any:
    return SPACES["linalg"]["norm"](operand(x), ord, (-2, -1), keepdims)


@numpy_call("linalg.vector_norm")
def _numpy_vector_norm(x: Any, /, *, axis: Any = None, keepdims: bool = False, ord: Any = 2) -> Any:
    return SPACES["linalg"]["vector_norm"](operand(x), ord, axis, keepdims)


@numpy_call("linalg.norm")
def _numpy_norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:
    return SPACES["linalg"]["norm"](operand(x), ord, axis, keepdims)
