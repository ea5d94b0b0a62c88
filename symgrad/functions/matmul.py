"""The product of vectors, matrices and stacks of matrices: `matmul` and the operator `@`.

Products of operands of given ranks are in `products`.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from symgrad.expr.shapes import Shape, broadcast_shapes
from symgrad.functions.beside_sympy import beside_matrix, beside_sympy, is_matrix_of_sympy
from symgrad.functions.product_errors import is_array, refuse_bmm, refuse_dot, refuse_mm, refuse_mv
from symgrad.functions.products import DOT, MM, MV, UNSAFE_VIEW, VM, contraction
from symgrad.ops.equations import Mismatch, equation
from symgrad.record.face import Face
from symgrad.schema.public import OPERATORS, public
from symgrad.tensor.numpy_interop import of_one_kind
from symgrad.tensor.tensor import foreign

_SMALL = {(1, 1): DOT, (2, 1): MV, (1, 2): VM, (2, 2): MM}


@public("matmul(Tensor self, Tensor other, *, Tensor? out=None) -> Tensor")
def _matmul(input: Any, other: Any) -> Any:
    """Multiply matrices, vectors, and stacks of matrices whose leading axes broadcast.

    Parameters
    ----------
    input, other : Tensor or ArrayExpr
        Of at least one axis and equal dtype.

    Raises
    ------
    RuntimeError
        If shapes or dtypes do not fit.

    Examples
    --------
    >>> import symgrad
    >>> a, x = symgrad.leaf("a", (2, 3)), symgrad.leaf("x", (3,))
    >>> symgrad.matmul(a, x).shape
    (2,)
    """
    params = _SMALL.get((len(input.shape), len(other.shape)))
    try:
        if params is not None:
            return contraction((input, other), *params)
        return _matmul_stacked(input, other)
    except Mismatch:
        raise _matmul_error(input, other) from None


def _matmul_stacked(input: Any, other: Any) -> Any:
    a, b = tuple(input.shape), tuple(other.shape)
    if not a or not b:
        raise RuntimeError(
            f"both arguments to matmul need to be at least 1D, but they are {len(a)}D and {len(b)}D"
        )
    first, second, spec = _stacked(a, b)
    if first != a:
        input = input.reshape(first)
    if second != b:
        other = other.reshape(second)
    return contraction((input, other), spec, _matmul_face(input, a, b))


@lru_cache(maxsize=4096)
def _stacked(a: Shape, b: Shape) -> tuple[Shape, Shape, str]:
    """Return the shapes without leading axes that broadcast, and the equation over them."""
    lead_a, lead_b = a[:-2], b[:-2]
    rank = max(len(lead_a), len(lead_b))
    labels_a: list[Any] = []
    labels_b: list[Any] = []
    output: list[Any] = []
    first: list[int] = []
    second: list[int] = []
    for i in range(rank):
        n = lead_a[i - rank + len(lead_a)] if i - rank + len(lead_a) >= 0 else None
        m = lead_b[i - rank + len(lead_b)] if i - rank + len(lead_b) >= 0 else None
        output.append(i)
        if n is not None and (n != 1 or m in (1, None)):
            labels_a.append(i)
            first.append(n)
        if m is not None and (m != 1 or n is None):
            labels_b.append(i)
            second.append(m)
    row = ["row"] if len(a) > 1 else []
    column = ["column"] if len(b) > 1 else []
    labels_a += [*row, "sum"]
    labels_b += ["sum", *column]
    spec = equation([labels_a, labels_b], [*output, *row, *column])
    return (*first, *a[-2:]), (*second, *b[-2:]), spec


_TRANSPOSED = Face(name="Transpose")
_CLONED = Face(name="Clone")


def _unsafe_view(a: Shape, b: Shape) -> Face:
    """Return the face of a product that PyTorch computes as one of matrices, and reshapes."""
    if len(a) > 2 and len(b) < 3:
        return _OF_ROWS[len(b)]
    return _OF_STACKS if a[:-2] == b[:-2] else UNSAFE_VIEW


_OF_ROWS = {
    1: replace(UNSAFE_VIEW, inner=(("Mv", ("View", 0), 1),)),
    2: replace(UNSAFE_VIEW, inner=(("Mm", ("View", 0), 1),)),
}
_OF_STACKS = replace(
    UNSAFE_VIEW, inner=(("Bmm", ("View", ("Expand", 0)), ("View", ("Expand", 1))),)
)


def _matmul_face(input: Any, a: Shape, b: Shape) -> Face:
    """Return what PyTorch shows: it multiplies a matrix with a stack by transposing both."""
    matrix = len(a) == 2 or (len(a) == 3 and a[0] == 1 and b[:-2] != (1,))
    if not matrix or len(b) < 3 or not getattr(input, "requires_grad", False):
        return _unsafe_view(a, b)
    moved = a[-2] > 1 and b[-1] > 1 and 0 not in (*a, *b)
    return _CLONED if moved else _TRANSPOSED


def _matmul_error(input: Any, other: Any) -> Exception:
    a, b = tuple(input.shape), tuple(other.shape)
    try:
        if len(a) == len(b) == 1:
            refuse_dot(input, other)
        if len(b) == 1:
            rows = int(np.prod(a[:-1]))
            refuse_mv((rows, a[-1]), b, input, other)
        if len(b) == 2:
            rows = int(np.prod(a[:-1]))
            refuse_mm((rows, a[-1]), b, input, other)
        left = a if len(a) > 1 else (1, *a)
        lead = broadcast_shapes(left[:-2], b[:-2])
        size = int(np.prod(lead))
        refuse_bmm((size, *left[-2:]), (size, *b[-2:]), input, other)
    except (RuntimeError, NotImplementedError) as error:
        return error


def _rmatmul(self: Any, other: Any) -> Any:
    if is_matrix_of_sympy(other):
        return beside_matrix.call(self, "__matmul__", other, True)
    if not is_array(other):
        return _beside_another(self, other, True)
    return _matmul(*_beside_array(other, self))


def _operator_matmul(self: Any, other: Any) -> Any:
    if is_matrix_of_sympy(other):
        return beside_matrix.call(self, "__matmul__", other, False)
    if not is_array(other):
        return _beside_another(self, other, False)
    return _matmul(*_beside_array(self, other))


def _beside_another(self: Any, other: Any, reflected: bool) -> Any:
    """Return what the other operand answers, or SymPy does of it."""
    found = foreign("__rmatmul__" if reflected else "__matmul__")(self, other)
    if found is not NotImplemented:
        return found
    return beside_sympy.call(self, "__matmul__", other, reflected)


def _beside_array(*operands: Any) -> Any:
    """Return the operands, those beside an array of NumPy's with the element type of the product."""
    beside = any(isinstance(x, np.ndarray) for x in operands)
    return of_one_kind(*operands) if beside else operands


OPERATORS["__matmul__"] = _operator_matmul
OPERATORS["__rmatmul__"] = _rmatmul
