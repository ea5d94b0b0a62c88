"""Operations on matrices, of which leading axes count many: what their classes have in common.

The routines are NumPy's. What they raise for a matrix without a result is raised as PyTorch does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
import sympy

from numeric.kernel import RowUse
from symgrad.expr.dtypes import Category, dtype, float16, result_dtype
from symgrad.expr.node import ArrayExpr
from symgrad.expr.shapes import Shape, broadcast_shapes
from symgrad.ops.primitive import Primitive
from symgrad.ops.selection import definitions

TWO = np.array([[2.0, -1.0], [0.5, 1.5]])
THREE = np.array([[1.0, 2.0, 0.5], [-0.5, 1.5, 1.0], [0.25, -1.0, 2.0]])
STACK = np.stack([TWO, TWO.T + 1])


class LinAlgError(RuntimeError):
    """Raised where a routine of linear algebra finds no result, as for a singular matrix.

    Examples
    --------
    >>> import symgrad as torch
    >>> try:
    ...     torch.linalg.inv(torch.zeros(2, 2))
    ... except torch.linalg.LinAlgError:
    ...     print("singular")
    singular
    """


# The name of the class in PyTorch, where pickles find it.
LinAlgError.__name__ = LinAlgError.__qualname__ = "_LinAlgError"
LinAlgError.__module__ = "symgrad._C"


def over_stack(routine, x):  # type: ignore[no-untyped-def]
    """Call a routine of NumPy's, which takes fewer axes than arrays may have; return its results."""
    lead = x.shape[:-2]
    rows = x.reshape(int(np.prod(lead)), *x.shape[-2:]) if x.ndim > 3 else x
    return [y.reshape(*lead, *y.shape[rows.ndim - 2 :]) for y in routine(rows)]


def nan_for_nan(routine, x, axes):  # type: ignore[no-untyped-def]
    """Call a routine of matrices; what it returns of those that hold nan is nan, but for integers.

    LAPACK compares pivots, which nan always loses: it finds numbers of such a matrix, or that it is
    singular. `axes` counts the axes of a result of one matrix.
    """
    holding = np.isnan(x)
    if not np.count_nonzero(holding):
        return routine(x)
    lost = holding.any((-2, -1))
    found = routine(np.where(lost[..., None, None], np.eye(*x.shape[-2:], dtype=x.dtype), x))
    lost = lost[(..., *(None,) * axes)]
    made = [
        y if y.dtype.kind == "i" else np.where(lost, np.array(np.nan, y.dtype), y)
        for y in (found if isinstance(found, tuple) else (found,))
    ]
    return tuple(made) if isinstance(found, tuple) else made[0]


# ------------------------------------------------------------------ errors


def check_decomposed(name: str, kind: dtype) -> None:
    """Raise PyTorch's error for a dtype whose matrices are not decomposed."""
    if kind.category < Category.FLOAT:
        raise RuntimeError(
            f"{name}: Expected a floating point or complex tensor as input. Got {kind.scalar_name}"
        )
    if kind.itemsize == 2:
        raise RuntimeError(f"{name}: Low precision dtypes not supported. Got {kind.scalar_name}")


def check_matrices(name: str, shape: Shape, square: bool = False, operand: str = "A") -> None:
    """Raise PyTorch's error where the last two axes are not those of (square) matrices."""
    if len(shape) < 2:
        raise RuntimeError(f"{name}: The input tensor {operand} must have at least 2 dimensions.")
    m, n = shape[-2:]
    if square and m != n:
        raise RuntimeError(
            f"{name}: {operand} must be batches of square matrices, but they are {m} by {n} matrices"
        )


def dependent_columns(x):  # type: ignore[no-untyped-def]
    """Return for each matrix the first column that depends on those before, counted from 1; else 0.

    It is the `info` of LAPACK's triangular factorisation: which pivot is zero.
    """
    singular = np.asarray(np.linalg.slogdet(x)[0] == 0)
    info = np.zeros(singular.shape, np.int32)
    for place in map(tuple, np.argwhere(singular)):
        matrix, n = x[place], x.shape[-1]
        seen = range(1, n if np.isfinite(matrix).all() else 1)  # nan and inf have no rank
        ranks = ((k, np.linalg.matrix_rank(matrix[:, :k])) for k in seen)
        info[place] = next((k for k, rank in ranks if rank < k), n)
    return info


def refused(name, info, reason):  # type: ignore[no-untyped-def]
    """Return the error for the first matrix whose `info` is not 0; `reason` is a format of that."""
    first = int(np.flatnonzero(info)[0])
    which = f"(Batch element {first}): " if info.ndim else ""
    return LinAlgError(f"{name}: {which}{reason.format(info.flat[first])}")


#: What a kernel needs that raises.
ERRORS = definitions(
    nan_for_nan,
    dependent_columns,
    refused,
    prelude=("class LinAlgError(RuntimeError):\n    pass\n",),
)


# ------------------------------------------------------------------ what classes state


def of_stacks(shapes: Sequence[Shape], params: Mapping[str, Any]) -> RowUse:
    """The row rule of operations on matrices: local where all operands are stacks of one length."""
    stacked = len({shape[:1] for shape in shapes}) == 1 and all(len(s) > 2 for s in shapes)
    return RowUse.LOCAL if stacked else RowUse.WHOLE


def of_each_matrix(f: Callable[..., Any]) -> dict[str, Callable[..., Any]]:
    """Return the number system in which `f` maps matrices of SymPy's, one of each operand.

    `f` returns nested lists or a number; a tuple of these where the operation has several results.
    """

    def compute(*operands: Any, **params: Any) -> Any:
        lead = np.broadcast_shapes(*[x.shape[:-2] for x in operands])
        stacks = [np.broadcast_to(x, lead + x.shape[-2:]) for x in operands]
        made = [
            f(*[sympy.Matrix(*x.shape[-2:], list(x[place].flat)) for x in stacks], **params)
            for place in np.ndindex(lead)
        ]
        if made and isinstance(made[0], tuple):
            return tuple([_stacked(parts, lead) for parts in zip(*made, strict=True)])
        return _stacked(made, lead)

    return {"sympy": compute}


def by_adjugate(f: Callable[..., Any]) -> dict[str, Callable[..., Any]]:
    """Return the number system of elements in which `f` is given what it divides matrices by.

    `f` takes the adjugates of matrices and their determinants, then the other operands. Both are
    sums of products (U. Le Verrier and D. K. Faddeev's method): no pivot has to be other than zero.
    """

    def compute(x: Any, *others: Any, **params: Any) -> Any:
        n = x.shape[-1]
        one = np.broadcast_to(np.eye(n, dtype=int), x.shape).astype(object)
        adjugate, power, c = one, one, 1
        for k in range(1, n + 1):
            adjugate = power
            product = x @ power
            c = np.trace(product, axis1=-2, axis2=-1) * Fraction(-1, k)
            power = product + one * np.asarray(c, object)[..., None, None]
        sign = -1 if n % 2 else 1
        return f(adjugate * -sign, np.asarray(c * sign, object), *others, **params)

    return {"elements": compute}


def _stacked(made: Sequence[Any], lead: Shape) -> Any:
    parts = [np.array(x, object) for x in made]
    out = np.empty(lead + (parts[0].shape if parts else ()), object)
    for place, x in zip(np.ndindex(lead), parts, strict=True):
        out[place] = x if x.shape else x[()]
    return out


def adjoint(x: Any) -> Any:
    """Return the transposed matrices, conjugated where they are complex."""
    return x.mT.conj() if x.dtype.is_complex else x.mT


def over_matrices(x: Any) -> Any:
    """Return numbers, one for each matrix, in a shape that broadcasts to the matrices."""
    return x.reshape((*x.shape, 1, 1)) if x.shape else x


class MatrixOperation(Primitive, abstract=True):
    """A function of matrices: the last two axes are theirs, and the axes before count matrices.

    The leading axes of several operands broadcast. A stack without matrices gives one without
    results, and a matrix without elements is one of full rank, with the determinant 1. What is
    computed of a matrix that holds nan is nan, or raises LinAlgError where LAPACK has no result. A
    subclass states its kernel and its rule, and what else differs from here.
    """

    #: What errors call the function.
    called: ClassVar[str]
    #: Whether the matrices are square.
    of_squares: ClassVar[bool] = True
    converts = True

    @classmethod
    def infer(cls, *args: Any) -> tuple[Any, Any]:
        operands = args[: len(args) - len(cls.params)]
        for x in operands:
            check_matrices(cls.called, x.shape, cls.of_squares)
            cls.check_kind(x.dtype)
        lead = broadcast_shapes(*[x.shape[:-2] for x in operands])
        return cls.result_of(lead, operands[0].shape[-2:], result_dtype(operands))

    @classmethod
    def check_kind(cls, kind: dtype) -> None:
        """Raise PyTorch's error for a dtype that it does not compute the operation for."""
        cls.refuse(kind)
        if cls.kernel_name and kind is float16:
            raise cls.refused(kind)
        check_decomposed(cls.called, kind)

    @classmethod
    def result_of(cls, lead: Shape, size: Shape, kind: dtype) -> tuple[Any, Any]:
        """Return shape and dtype of the result, from those of the matrices and the leading axes."""
        return (*lead, *size), kind

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> Any:
        rank = max(len(x.shape) for x in self.operands)
        aligned = [
            x.reshape((size, *(1,) * (rank - len(own.shape)), *own.shape)) if new else x
            for x, own, new in zip(operands, self.operands, batched, strict=True)
        ]
        return self.with_operands(aligned)
