"""What products of vectors and matrices refuse, in PyTorch's words.

The `refuse` functions are called when a contraction did not fit, and find out why.
"""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np

from symgrad.expr.dtypes import bool_, from_numpy_dtype
from symgrad.expr.node import ArrayExpr
from symgrad.expr.shapes import Shape


def is_array(x: Any) -> bool:
    """Whether `x` is a tensor, an expression or an array of NumPy's."""
    return isinstance(x, (ArrayExpr, np.ndarray)) or hasattr(type(x), "_record")


def title(x: Any) -> str:
    """Return the name of an operand's dtype in messages."""
    name: str = dtype_of(x).scalar_name
    return name


def dtype_of(x: Any) -> Any:
    """Return the dtype of an operand."""
    if isinstance(x, np.ndarray):
        return from_numpy_dtype(x.dtype)
    return x.dtype


def refuse_bool(kernel: str, *operands: Any) -> None:
    """Raise PyTorch's error where all operands are bools, which `kernel` is not made for."""
    if all(dtype_of(x) is bool_ for x in operands):
        raise NotImplementedError(f"\"{kernel}\" not implemented for 'Bool'")


def refuse_dot(a: Any, b: Any) -> NoReturn:
    """Raise the error of a dot product."""
    if len(a.shape) != 1 or len(b.shape) != 1:
        raise RuntimeError(
            f"1D tensors expected, but got {len(a.shape)}D and {len(b.shape)}D tensors"
        )
    if dtype_of(a) is not dtype_of(b):
        raise RuntimeError(
            f"dot : expected both vectors to have same dtype, but found {title(a)} and {title(b)}"
        )
    n, m = a.shape[0], b.shape[0]
    if n != m:
        raise RuntimeError(
            f"inconsistent tensor size, expected tensor [{n}] and src [{m}] to have the same "
            f"number of elements, but got {n} and {m} elements respectively"
        )
    refuse_bool("dot", a, b)
    raise AssertionError("a dot product that fits was refused")


def refuse_mv(
    matrix: Shape, vector: Shape, a: Any, b: Any, size: int | None = None, c: Any = None
) -> NoReturn:
    """Raise the error of a product of a matrix and a vector, of the given shapes.

    Where `c` of `size` elements is added, it has to fit, too.
    """
    added = 1 if c is None else max(len(c.shape), 1)
    if len(matrix) != 2 or len(vector) != 1 or added != 1:
        raise RuntimeError(
            f"vector + matrix @ vector expected, got {added}, {len(matrix)}, {len(vector)}"
        )
    size = matrix[0] if size is None else size
    if matrix[1] != vector[0] or size not in (1, matrix[0]):
        raise RuntimeError(
            f"size mismatch, got input ({size}), mat ({matrix[0]}x{matrix[1]}), vec ({vector[0]})"
        )
    c = b if c is None else c
    if not dtype_of(a) is dtype_of(b) is dtype_of(c):
        raise RuntimeError(
            "addmv input tensors must have the same dtype, but got "
            f"{title(c)}, {title(a)}, and {title(b)}"
        )
    refuse_bool("addmv_impl_cpu", a, b)
    raise AssertionError("a matrix-vector product that fits was refused")


def refuse_mm(first: Shape, second: Shape, a: Any, b: Any) -> NoReturn:
    """Raise the error of a product of two matrices, of the given shapes."""
    if first[-1] != second[0]:
        raise RuntimeError(
            f"mat1 and mat2 shapes cannot be multiplied ({first[0]}x{first[1]} and "
            f"{second[0]}x{second[1]})"
        )
    if dtype_of(a) is not dtype_of(b):
        raise RuntimeError(
            "expected m1 and m2 to have the same dtype, but got: "
            f"{dtype_of(a).cpp_name} != {dtype_of(b).cpp_name}"
        )
    refuse_bool("addmm_impl_cpu_", a, b)
    raise AssertionError("a matrix product that fits was refused")


def refuse_bmm(first: Shape, second: Shape, a: Any, b: Any) -> NoReturn:
    """Raise the error of a product of two stacks of matrices, of the given shapes."""
    for i, shape in enumerate((first, second)):
        if len(shape) != 3:
            raise RuntimeError(f"batch{i + 1} must be a 3D tensor")
    if first[0] != second[0] or first[2] != second[1]:
        raise RuntimeError(
            "Expected size for first two dimensions of batch2 tensor to be: "
            f"[{first[0]}, {first[2]}] but got: [{second[0]}, {second[1]}]."
        )
    if dtype_of(a) is not dtype_of(b):
        raise RuntimeError(f"expected scalar type {title(a)} but found {title(b)}")
    refuse_bool("bmm", a, b)
    raise AssertionError("a batched product that fits was refused")
