"""Vector norms: one primitive, whose gradient at zero is zero, at every order."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from numeric.kernel import Kernel
from symgrad.expr.dtypes import Category, dtype, to_real
from symgrad.expr.node import ArrayExpr, Const, is_const
from symgrad.expr.shapes import Shape, canonical_axis
from symgrad.ops.axes import (
    NOT_GIVEN,
    Axes,
    Reduction,
    along,
    axes_of,
    number_systems,
)
from symgrad.ops.comparison import eq
from symgrad.ops.extrema import attains
from symgrad.ops.permuting import permute
from symgrad.ops.primitive import Level, Notation, Primitive, bind
from symgrad.ops.reduction import sum
from symgrad.ops.reshaping import reshape
from symgrad.ops.samples import TABLE
from symgrad.ops.scans import conjugate
from symgrad.ops.signs import sgn
from symgrad.ops.singular import check_decomposed, singular_values
from symgrad.ops.totals import TOTAL, _total
from symgrad.ops.where import where
from symgrad.record.face import Face
from symgrad.schema.public import FUNCTIONS, SPACES, public

__all__ = ["norm", "renorm"]

_ZERO_ROW = np.array([[0.0, 0.0], [3.0, -4.0]])


def _norm(x: Any, p: float, *, axis: Any, keepdims: Any) -> Any:
    kind = np.abs(x[..., :0]).dtype if x.ndim else np.abs(x).dtype
    if kind == np.float16:
        x = x.astype(np.float32)
    if p == 0:
        out = np.add.reduce(x != 0, axis=axis, keepdims=keepdims, dtype=kind)
    elif p == 1:
        out = _total(np.abs(x), axis=axis, keepdims=keepdims)
    elif p == np.inf:
        out = np.maximum.reduce(np.abs(x), axis=axis, keepdims=keepdims)
    elif p == -np.inf:
        out = np.minimum.reduce(np.abs(x), axis=axis, keepdims=keepdims)
    else:
        if p != 2:
            powers = np.abs(x) ** p
        else:
            powers = x.real * x.real + x.imag * x.imag if x.dtype.kind == "c" else x * x
        total = _total(powers, axis=axis, keepdims=keepdims)
        out = np.sqrt(total) if p == 2 else total ** (1 / p)
        lost = (total < (1e-290 if total.itemsize > 4 else 1e-30)) | (total == np.inf)
        if np.count_nonzero(
            lost
        ):  # of powers that are nothing or too much, the one that counts is divided out
            size = np.abs(x)
            if p > 0:
                top = np.maximum.reduce(size, axis=axis, keepdims=True, initial=0)
            else:
                top = np.minimum.reduce(size, axis=axis, keepdims=True, initial=np.inf)
            top = np.where((top == 0) | (top == np.inf), 1, top).astype(size.dtype)
            total = _total((size / top) ** p, axis=axis, keepdims=True)
            shares = (np.sqrt(total) if p == 2 else total ** (1 / p)) * top
            out = np.where(lost, shares.reshape(np.shape(out)), out)
    return np.asarray(out, dtype=kind)


def _exact_norm(exp: Any, log: Any, sqrt: Any) -> Any:
    def compute(x: Any, p: float, *, axis: Any, keepdims: Any) -> Any:
        if p in (0, 1, math.inf, -math.inf):
            return _norm(x, p, axis=axis, keepdims=keepdims)
        total = np.add.reduce(np.abs(x) ** p, axis=axis, keepdims=keepdims)
        return sqrt(total) if p == 2 else total ** (1 / p)

    return compute


class norm(Reduction):
    """The p-norm over axes: `(sum |x|**p)**(1/p)`, with its limits for p = 0, inf and -inf.

    The order is the second operand, so that programs in which it varies are one structure.
    """

    kernel = Kernel.from_function(
        _norm, prelude=TOTAL.prelude, rows=along, numbers=number_systems(_exact_norm)
    )

    @classmethod
    def is_structural(
        cls, i: int, number: Any, operands: Sequence[Any], params: tuple[Any, ...]
    ) -> bool:
        return math.isinf(number)

    @classmethod
    def infer(cls, x: Any, p: Any, *rest: Any) -> tuple[Shape, dtype]:
        return super().infer(x, *rest)

    @classmethod
    def result_kind(cls, kind: dtype) -> dtype:
        if kind.category < Category.FLOAT:
            raise RuntimeError(
                "linalg.vector_norm: Expected a floating point or complex tensor as input. Got "
                f"{kind.scalar_name}"
            )
        return to_real(kind)

    def has_order(self, *orders: float) -> bool:
        """Whether the order is one of these numbers, and always will be."""
        return any(is_const(self.operands[1], p) for p in orders)

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Sequence[ArrayExpr | None]:
        return None if self.has_order(0) else self._pulled_back(ct), None

    def _pulled_back(self, ct: ArrayExpr) -> ArrayExpr:
        x, p = self.operands
        out, ct = self.kept(self), self.kept(ct)
        if self.has_order(2):
            return where.of(eq.of(out, 0), 0, ct) * (x / out)
        direction = sgn.of(x)
        if self.has_order(1):
            return ct * direction
        size = x.abs()
        if self.has_order(math.inf, -math.inf):
            mask = attains.of(size, out)
            share = ct / sum.of(mask, self.axes, True)
            return where.of(mask, share * direction, 0)
        if self._is_even() and not x.dtype.is_complex:
            # A polynomial of x over a power of the norm: smooth wherever the norm is not zero.
            return where.of(eq.of(out, 0), 0, ct) * (x / out) ** (p - 1)
        # |x|**(p - 1) has derivatives at 0 that are 0 or infinite: 0 is that of least norm.
        # The masked elements are exchanged for ones first, so that no power of them is infinite.
        zero, nothing = eq.of(x, 0), eq.of(out, 0)
        ratio = where.of(zero, 1, size) / where.of(nothing, 1, out)
        return where.of(zero, 0, where.of(nothing, 0, ct) * ratio ** (p - 1)) * direction

    def _is_even(self) -> bool:
        p = self.operands[1]
        return isinstance(p, Const) and p.value > 0 and p.value % 2 == 0

    def described(self) -> list[str]:
        sign = "-" if self.has_order(-math.inf) else ""
        limit = self.has_order(math.inf, -math.inf)
        return [f"p={sign}inf" if limit else "p={1}", *super().described()]

    def notation(self) -> Notation:
        text = super().notation().text
        sign = "-" if self.has_order(-math.inf) else ""
        limit = self.has_order(math.inf, -math.inf)
        label = rf"{sign}\infty" if limit else "{1}"
        over = "" if self.axis is None else f";{','.join(map(str, self.axes))}"
        latex = r"\left\lVert {0} \right\rVert_{{" + label + over + "}}"
        return Notation(text, latex, Level.ATOM)

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [
            *[(TABLE, p, None, False) for p in (2, 1, 3.5, 4, 0.5, math.inf, -math.inf, 0)],
            (TABLE, 2, (1,), True), (TABLE, 3, (0, 1), False), (_ZERO_ROW, 2, (1,), False),
        ]  # fmt: skip


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
    return int(order) if math.isfinite(order) and order == int(order) else order


#: What PyTorch adds to the norm that it divides by.
_MARGIN = 1e-7


def _renorm(x: Any, p: float, most: float, *, axis: Any, margin: float) -> Any:
    others = tuple(a for a in range(x.ndim) if a != axis)
    size = np.abs(x)
    kind = size.dtype
    if kind == np.float16:
        size = size.astype(np.float32)
    length = _norm(size, p, axis=others, keepdims=True)
    factor = np.where(length > most, most / (length + margin), 1)
    return x * factor.astype(kind)


class renorm(Primitive):
    """Slices along an axis, shortened to a p-norm of at most `maxnorm` where theirs is larger.

    The order and the largest norm are operands, so that programs in which they vary are one
    structure.
    """

    params = ("axis",)
    kernel = Kernel.from_function(_renorm, prelude=norm.kernel.prelude)
    axis: int

    @classmethod
    def is_structural(
        cls, i: int, number: Any, operands: Sequence[Any], params: tuple[Any, ...]
    ) -> bool:
        return i == 1 and math.isinf(number)

    @classmethod
    def infer(cls, x: Any, p: Any, most: Any, axis: int) -> tuple[Shape, dtype]:
        norm.result_kind(x.dtype)
        return x.shape, x.dtype

    def implementation(self) -> Any:
        return self.kernel, {"axis": self.axis, "margin": _MARGIN}, self.operands

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Sequence[ArrayExpr | None]:
        x, p, most = self.operands
        if not needs[0]:
            return None, None, None
        axes = tuple([a for a in range(x.ndim) if a != self.axis])
        length: Any = norm.of(x, p, axes, True)
        above = length > most
        inverse = 1 / (length + _MARGIN)
        along = ct * conjugate(x)
        if along.dtype.is_complex:
            along = along.real
        change = where.of(above, -most * inverse * inverse, 0) * sum.of(along, axes, True)
        through = length.vjp(change, (True, False))[0]
        return where.of(above, most * inverse, 1) * ct + through, None, None

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        x, p, most = operands
        # The slices of all rows stand side by side.
        moved = [0, self.axis + 1, *[a + 1 for a in range(self.ndim) if a != self.axis]]
        x = permute.of(x, tuple(moved))
        rows = reshape.of(x, (size * x.shape[1], *x.shape[2:]))
        made = reshape.of(renorm.of(rows, p, most, 0), x.shape)
        return permute.of(made, tuple([int(a) for a in np.argsort(moved)]))

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        cube = np.arange(1.0, 13.0).reshape(2, 3, 2)
        return [
            *[(TABLE, p, 1.5, 0) for p in (2, 1, 3.5, math.inf)],
            (TABLE, 2, 5.0, 1), (cube, 2, 10.0, 1),
        ]  # fmt: skip


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
        if input.dtype.category < Category.FLOAT:
            norm.result_kind(input.dtype)  # raises
        if dtype.category < Category.FLOAT:
            raise RuntimeError(
                "linalg.vector_norm: dtype should be floating point or complex, but got "
                f"{dtype.scalar_name}"
            )
        if dtype.is_complex is not input.dtype.is_complex:
            wanted, given = ("complex", "complex") if input.dtype.is_complex else ("real", "real")
            raise RuntimeError(
                f"linalg.vector_norm: dtype should be {wanted} for {given} inputs, but got "
                f"{dtype.scalar_name}"
            )
        input = input.to(dtype)
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
    method=False,
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
    if ord is None or (len(axes) if axes is not None else ndim) == 1:
        if isinstance(ord, str):
            raise TypeError(
                "linalg_vector_norm(): argument 'ord' (position 2) must be Number, not str"
            )
        order: Any = 2 if ord is None else ord
        return SPACES["linalg"]["vector_norm"](input, order, dim, keepdim, dtype=dtype)
    pair = tuple(range(ndim)) if axes is None else tuple(axes)
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
    method=False,
)(_linalg_norm)


def _matrix_norm(
    A: Any, ord: float | str, pair: tuple[int, ...], keepdim: bool, dtype: dtype | None
) -> Any:
    """Return the norm of the matrices of two axes."""
    ndim = len(A.shape)
    if ord == "fro":
        return _vector_norm(A, 2, pair, keepdim, dtype=dtype)
    if ord in ("nuc", 2, -2):
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
        others = tuple([axis for axis in range(ndim) if axis not in axes])
        if dtype is not None:
            A = A.to(dtype)
        check_decomposed("linalg.matrix_norm", A.dtype)
        if others + axes != tuple(range(ndim)):
            A = A.permute(*others, *axes)
        values = bind(singular_values, (A,))
        name = "sum" if ord == "nuc" else "amax" if ord == 2 else "amin"
        out = FUNCTIONS[name](values, -1)
        if not keepdim:
            return out
        order = others + axes
        back = [order.index(axis) for axis in range(ndim)]
        return out.unsqueeze(-1).unsqueeze(-1).permute(*back)
    if ord in (1, -1, math.inf, -math.inf):
        if dtype is not None:
            A = A.to(dtype)
        rows, columns = pair if ord in (1, -1) else pair[::-1]
        rows, columns = rows % ndim, columns % ndim
        sums = _vector_norm(A, 1, rows, True)
        out = FUNCTIONS["amax" if ord > 0 else "amin"](sums, columns, True)
        return out if keepdim else out.squeeze(tuple(sorted((rows, columns))))
    raise RuntimeError(f"linalg.matrix_norm: Order {ord} not supported.")


@public(
    "norm(Tensor self, float|str? p=fro, object dim=None, object keepdim=False, Tensor? out=None, ScalarType? dtype=None) -> Tensor",
    python=True,
)
def _public_norm(
    input: Any,
    p: float | str | None = "fro",
    dim: Any = None,
    keepdim: bool = False,
    out: None = None,
    dtype: dtype | None = None,
) -> Any:
    """Return the p-norm of the elements, over all axes or some.

    Parameters
    ----------
    input : Tensor or ArrayExpr
    p : number, "fro" or "nuc"
        The order; "fro" and None are 2. "nuc" is the sum of the singular values of matrices.
    dim : int or tuple of int, optional
        The axes; all of them where not given.
    keepdim : bool
        Whether reduced axes stay, with length one.
    dtype : dtype, optional
        What `input` is converted to first.

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


_DISTANCE = Face(name="Dist", frees=True, undefined=lambda node: node.has_order(0))


@public(
    "dist(Tensor self, Tensor other, Scalar p=2, *, Tensor? out=None) -> Tensor",
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
    apart = input - other
    if order < 0 or order == math.inf:
        _refuse_empty(apart.shape, None, order)
    return bind(norm, (apart, _whole(order)), (None, False), _DISTANCE)


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
