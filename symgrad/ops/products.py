"""The products of linear algebra, as thin forms of one contraction, with PyTorch's checks."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, reduce
from typing import Any, NoReturn

import numpy as np

from symgrad.expr.dtypes import bool_, dtype, promote
from symgrad.expr.node import ArrayExpr
from symgrad.expr.shapes import Shape, broadcast_shapes, canonical_axis
from symgrad.ops.arguments import number_argument, number_as
from symgrad.ops.arithmetic import mul
from symgrad.ops.axes import cpp_name
from symgrad.ops.casting import convert
from symgrad.ops.contraction import Mismatch, addmm, contract, equation
from symgrad.primitive import bind
from symgrad.public import public

__all__ = ["check_tensors", "contraction"]

_DOT = ("a,a->", "DotBackward0")
_MV = ("ab,b->a", "MvBackward0")
_VM = ("a,ab->b", "SqueezeBackward4")
_MM = ("ab,bc->ac", "MmBackward0")
_BMM = ("abc,acd->abd", "BmmBackward0")
_OUTER = ("a,b->ab", "MulBackward0")
_SMALL = {(1, 1): _DOT, (2, 1): _MV, (1, 2): _VM, (2, 2): _MM}


# ------------------------------------------------------------------ checks


def _is_array(x: Any) -> bool:
    return isinstance(x, (ArrayExpr, np.ndarray)) or hasattr(type(x), "_record")


def check_tensors(call: str, *named: tuple[str, Any]) -> None:
    """Raise PyTorch's TypeError for the first argument that is no tensor."""
    for i, (name, x) in enumerate(named):
        if not _is_array(x):
            raise TypeError(
                f"{call}(): argument '{name}' (position {i + 1}) must be Tensor, not "
                f"{type(x).__name__}"
            )


def contraction(operands: Sequence[Any], spec: str, via: str) -> Any:
    """Apply a contraction; `Mismatch` where the operands do not fit."""
    return bind(contract, operands, (spec, via))


def _title(x: Any) -> str:
    name: str = _dtype(x).scalar_name
    return name


def _dtype(x: Any) -> Any:
    if isinstance(x, np.ndarray):
        from symgrad.expr.dtypes import from_numpy_dtype  # noqa: PLC0415 - only for messages

        return from_numpy_dtype(x.dtype)
    return x.dtype


def _refuse_bool(kernel: str, *operands: Any) -> None:
    if all(_dtype(x) is bool_ for x in operands):
        raise NotImplementedError(f"\"{kernel}\" not implemented for 'Bool'")


def _refuse_dot(a: Any, b: Any) -> NoReturn:
    if len(a.shape) != 1 or len(b.shape) != 1:
        raise RuntimeError(
            f"1D tensors expected, but got {len(a.shape)}D and {len(b.shape)}D tensors"
        )
    if _dtype(a) is not _dtype(b):
        raise RuntimeError(
            f"dot : expected both vectors to have same dtype, but found {_title(a)} and {_title(b)}"
        )
    n, m = a.shape[0], b.shape[0]
    if n != m:
        raise RuntimeError(
            f"inconsistent tensor size, expected tensor [{n}] and src [{m}] to have the same "
            f"number of elements, but got {n} and {m} elements respectively"
        )
    _refuse_bool("dot", a, b)
    raise AssertionError("a dot product that fits was refused")


def _refuse_mv(
    matrix: Shape, vector: Shape, a: Any, b: Any, size: int | None = None, c: Any = None
) -> NoReturn:
    if len(matrix) != 2 or len(vector) != 1:
        raise RuntimeError(
            f"vector + matrix @ vector expected, got 1, {len(matrix)}, {len(vector)}"
        )
    size = matrix[0] if size is None else size
    if matrix[1] != vector[0] or size not in (1, matrix[0]):
        raise RuntimeError(
            f"size mismatch, got input ({size}), mat ({matrix[0]}x{matrix[1]}), vec ({vector[0]})"
        )
    c = b if c is None else c
    if not _dtype(a) is _dtype(b) is _dtype(c):
        raise RuntimeError(
            "addmv input tensors must have the same dtype, but got "
            f"{_title(c)}, {_title(a)}, and {_title(b)}"
        )
    _refuse_bool("addmv_impl_cpu", a, b)
    raise AssertionError("a matrix-vector product that fits was refused")


def _refuse_mm(first: Shape, second: Shape, a: Any, b: Any) -> NoReturn:
    if first[-1] != second[0]:
        raise RuntimeError(
            f"mat1 and mat2 shapes cannot be multiplied ({first[0]}x{first[1]} and "
            f"{second[0]}x{second[1]})"
        )
    if _dtype(a) is not _dtype(b):
        raise RuntimeError(
            "expected m1 and m2 to have the same dtype, but got: "
            f"{cpp_name(_dtype(a))} != {cpp_name(_dtype(b))}"
        )
    _refuse_bool("addmm_impl_cpu_", a, b)
    raise AssertionError("a matrix product that fits was refused")


def _refuse_bmm(first: Shape, second: Shape, a: Any, b: Any) -> NoReturn:
    for i, shape in enumerate((first, second)):
        if len(shape) != 3:
            raise RuntimeError(f"batch{i + 1} must be a 3D tensor")
    if first[0] != second[0] or first[2] != second[1]:
        raise RuntimeError(
            "Expected size for first two dimensions of batch2 tensor to be: "
            f"[{first[0]}, {first[2]}] but got: [{second[0]}, {second[1]}]."
        )
    if _dtype(a) is not _dtype(b):
        raise RuntimeError(f"expected scalar type {_title(a)} but found {_title(b)}")
    _refuse_bool("bmm", a, b)
    raise AssertionError("a batched product that fits was refused")


# ------------------------------------------------------------------ matmul


@public("matmul", operators=("__matmul__",))
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
    try:
        params = _SMALL.get((len(input.shape), len(other.shape)))
    except AttributeError:
        params = None
    try:
        if params is not None:
            return bind(contract, (input, other), params)
        return _matmul_stacked(input, other)
    except Mismatch:
        raise _matmul_error(input, other) from None


def _matmul_stacked(input: Any, other: Any) -> Any:
    check_tensors("matmul", ("input", input), ("other", other))
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
    return contraction((input, other), spec, _matmul_name(input, a, b))


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


def _matmul_name(input: Any, a: Shape, b: Shape) -> str:
    """Return PyTorch's name: it multiplies a matrix with a stack by transposing both."""
    matrix = len(a) == 2 or (len(a) == 3 and a[0] == 1 and b[:-2] != (1,))
    if not matrix or len(b) < 3 or not getattr(input, "requires_grad", False):
        return "UnsafeViewBackward0"
    moved = a[-2] > 1 and b[-1] > 1 and 0 not in (*a, *b)
    return "CloneBackward0" if moved else "TransposeBackward0"


def _matmul_error(input: Any, other: Any) -> Exception:
    a, b = tuple(input.shape), tuple(other.shape)
    try:
        if len(a) == len(b) == 1:
            _refuse_dot(input, other)
        if len(b) == 1:
            rows = int(np.prod(a[:-1]))
            _refuse_mv((rows, a[-1]), b, input, other)
        if len(b) == 2:
            rows = int(np.prod(a[:-1]))
            _refuse_mm((rows, a[-1]), b, input, other)
        left = a if len(a) > 1 else (1, *a)
        lead = broadcast_shapes(left[:-2], b[:-2])
        size = int(np.prod(lead))
        _refuse_bmm((size, *left[-2:]), (size, *b[-2:]), input, other)
    except (RuntimeError, NotImplementedError) as error:
        return error


def _rmatmul(self: Any, other: Any) -> Any:
    if not _is_array(other):
        return NotImplemented
    return _matmul(other, self)


def _operator_matmul(self: Any, other: Any) -> Any:
    if not _is_array(other):
        return NotImplemented
    return _matmul(self, other)


def _enter_operators() -> None:
    from symgrad.public import OPERATORS  # noqa: PLC0415 - beside its only use

    OPERATORS["__matmul__"] = _operator_matmul
    OPERATORS["__rmatmul__"] = _rmatmul


_enter_operators()


# ------------------------------------------------------------------ products of given ranks


@public("dot")
def _dot(input: Any, tensor: Any) -> Any:
    """Return the sum of the products of two vectors' elements.

    Parameters
    ----------
    input, tensor : Tensor or ArrayExpr
        Vectors of one length and dtype.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.dot(torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0]))
    tensor(11.)
    """
    check_tensors("dot", ("input", input), ("tensor", tensor))
    try:
        return contraction((input, tensor), *_DOT)
    except Mismatch:
        _refuse_dot(input, tensor)


@public("vdot")
def _vdot(input: Any, other: Any) -> Any:
    """Return the dot product of the conjugate of a vector with another one.

    Parameters
    ----------
    input, other : Tensor or ArrayExpr
        Vectors of one length and dtype; the first is conjugated.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.vdot(torch.tensor([1j, 2.0]), torch.tensor([1j, 3.0]))
    tensor(7.+0.j)
    """
    check_tensors("vdot", ("input", input), ("other", other))
    try:
        first = input.conj() if _dtype(input).is_complex else input
        return contraction((first, other), "a,a->", "VdotBackward0")
    except Mismatch:
        _refuse_dot(input, other)


@public("mv")
def _mv(input: Any, vec: Any) -> Any:
    """Multiply a matrix with a vector.

    Parameters
    ----------
    input, vec : Tensor or ArrayExpr
        Of shapes (n, m) and (m,).

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.mv(torch.tensor([[1.0, 2.0], [3.0, 4.0]]), torch.tensor([1.0, 10.0]))
    tensor([21., 43.])
    """
    check_tensors("mv", ("input", input), ("vec", vec))
    try:
        return contraction((input, vec), *_MV)
    except Mismatch:
        _refuse_mv(tuple(input.shape), tuple(vec.shape), input, vec)


@public("mm")
def _mm(input: Any, mat2: Any) -> Any:
    """Multiply two matrices.

    Parameters
    ----------
    input, mat2 : Tensor or ArrayExpr
        Of shapes (n, m) and (m, p).

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.mm(torch.tensor([[1.0, 2.0], [3.0, 4.0]]), torch.tensor([[0.0, 1.0], [1.0, 0.0]]))
    tensor([[2., 1.],
            [4., 3.]])
    """
    check_tensors("mm", ("input", input), ("mat2", mat2))
    try:
        return contraction((input, mat2), *_MM)
    except Mismatch:
        if len(input.shape) != 2:
            raise RuntimeError("self must be a matrix") from None
        if len(mat2.shape) != 2:
            raise RuntimeError("mat2 must be a matrix") from None
        _refuse_mm(tuple(input.shape), tuple(mat2.shape), input, mat2)


@public("bmm")
def _bmm(input: Any, mat2: Any) -> Any:
    """Multiply two stacks of matrices, one by one.

    Parameters
    ----------
    input, mat2 : Tensor or ArrayExpr
        Of shapes (b, n, m) and (b, m, p).

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.bmm(torch.ones(5, 2, 3), torch.ones(5, 3, 4)).shape
    torch.Size([5, 2, 4])
    """
    check_tensors("bmm", ("input", input), ("mat2", mat2))
    try:
        return contraction((input, mat2), *_BMM)
    except Mismatch:
        _refuse_bmm(tuple(input.shape), tuple(mat2.shape), input, mat2)


@public("outer", "ger")
def _outer(input: Any, vec2: Any) -> Any:
    """Return the products of every element of a vector with every element of another.

    Parameters
    ----------
    input, vec2 : Tensor or ArrayExpr
        Of shapes (n,) and (m,); the result is (n, m).

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.outer(torch.tensor([1, 2]), torch.tensor([10, 20, 30]))
    tensor([[10, 20, 30],
            [20, 40, 60]])
    """
    check_tensors("outer", ("input", input), ("vec2", vec2))
    try:
        return contraction((input, vec2), *_OUTER)
    except Mismatch:
        for name, x in (("self", input), ("vec2", vec2)):
            if len(x.shape) != 1:
                raise RuntimeError(
                    f"outer: Expected 1-D argument {name}, but got {len(x.shape)}-D"
                ) from None
        raise


@public("inner")
def _inner(input: Any, other: Any) -> Any:
    """Sum the products along the last axes; multiply where one operand is a number.

    Parameters
    ----------
    input, other : Tensor or ArrayExpr
        With last axes of one length.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.inner(torch.tensor([[1, 2], [3, 4]]), torch.tensor([10, 1]))
    tensor([12, 34])
    """
    check_tensors("inner", ("input", input), ("other", other))
    a, b = tuple(input.shape), tuple(other.shape)
    if not a or not b:
        return bind(mul, (input, other))
    left = [("a", i) for i in range(len(a) - 1)]
    right = [("b", i) for i in range(len(b) - 1)]
    spec = equation([[*left, "sum"], [*right, "sum"]], [*left, *right])
    try:
        return contraction((input, other), spec, "ViewBackward0")
    except Mismatch:
        if a[-1] != b[-1]:
            raise RuntimeError(
                "inner() the last dimension must match on both input tensors but got shapes "
                f"{list(a)} and {list(b)}"
            ) from None
        if _dtype(input) is not _dtype(other):
            raise RuntimeError("both inputs should have same dtype") from None
        _refuse_bool("bmm", input, other)
        raise


@public("tensordot", method=False)
def _tensordot(a: Any, b: Any, dims: Any = 2, out: None = None) -> Any:
    """Sum products along several axes of both.

    Parameters
    ----------
    a, b : Tensor or ArrayExpr
    dims : int or pair of sequences of int
        How many last axes of `a` meet the first of `b`, or which axes meet.

    Raises
    ------
    RuntimeError
        If the axes' lengths differ.

    Examples
    --------
    >>> import symgrad as torch
    >>> a, b = torch.ones(2, 3, 4), torch.ones(4, 3, 5)
    >>> torch.tensordot(a, b, dims=([1, 2], [1, 0])).shape
    torch.Size([2, 5])
    """
    check_tensors("tensordot", ("a", a), ("b", b))
    rank_a, rank_b = len(a.shape), len(b.shape)
    axes_a, axes_b = _met_axes(rank_a, rank_b, dims)
    if len(axes_a) != len(axes_b):
        raise RuntimeError("both dimension lists should have same length")
    if _dtype(a) is not _dtype(b):
        raise RuntimeError("both inputs should have same dtype")
    labels_a: list[Any] = [("a", i) for i in range(rank_a)]
    labels_b: list[Any] = [("b", i) for i in range(rank_b)]
    alone_a, alone_b = [], []
    for p, q in zip(axes_a, axes_b, strict=True):
        i, j = canonical_axis(p, rank_a), canonical_axis(q, rank_b)
        n, m = a.shape[i], b.shape[j]
        if n == m:
            labels_a[i] = labels_b[j] = (i, j)
        elif n == 1 or m == 1:
            alone_a.append(i)
            alone_b.append(j)
        else:
            raise RuntimeError(
                f"contracted dimensions need to match, but first has size {n} in dim {p} and "
                f"second has size {m} in dim {q}"
            )
    if alone_a:  # an axis of length one meets any: the other's sum
        a, b = a.sum(alone_a), b.sum(alone_b)
        labels_a = [k for i, k in enumerate(labels_a) if i not in alone_a]
        labels_b = [k for j, k in enumerate(labels_b) if j not in alone_b]
    for name, labels in (("a", labels_a), ("b", labels_b)):
        if len(set(labels)) < len(labels):
            twice = next(k for k in labels if labels.count(k) > 1)
            raise RuntimeError(
                f"dim {twice[0 if name == 'a' else 1]} appears multiple times in the list of dims"
            )
    output = [k for k in labels_a if k not in labels_b] + [k for k in labels_b if k not in labels_a]
    try:
        return contraction((a, b), equation([labels_a, labels_b], output), "ViewBackward0")
    except Mismatch:
        _refuse_bool("addmm_impl_cpu_", a, b)
        raise


def _met_axes(rank_a: int, rank_b: int, dims: Any) -> tuple[list[int], list[int]]:
    if not isinstance(dims, (int, np.integer)) and not isinstance(dims, (tuple, list)):
        dims = dims.tolist()
    if isinstance(dims, (tuple, list)):
        first, second = dims
        if isinstance(first, (int, np.integer)):
            first, second = [first], [second]
        return [int(i) for i in first], [int(i) for i in second]
    if dims < 0:
        raise RuntimeError(f"tensordot expects dims >= 0, but got dims={dims}")
    if dims > min(rank_a, rank_b):
        raise RuntimeError(f"tensordot expects dims < ndim_a or ndim_b, but got dims={dims}")
    return list(range(-int(dims), 0)), list(range(int(dims)))


# ------------------------------------------------------------------ with a term to add


def _refuse_expand(shape: Shape, target: Shape) -> None:
    lead = len(target) - len(shape)
    if lead < 0:
        raise RuntimeError(
            f"expand(torch.FloatTensor{{{list(shape)}}}, size={list(target)}): the number of sizes "
            f"provided ({len(target)}) must be greater or equal to the number of dimensions in the "
            f"tensor ({len(shape)})"
        )
    for i in range(len(shape) - 1, -1, -1):
        if shape[i] not in (1, target[lead + i]):
            raise RuntimeError(
                f"The expanded size of the tensor ({target[lead + i]}) must match the existing "
                f"size ({shape[i]}) at non-singleton dimension {lead + i}.  Target sizes: "
                f"{list(target)}.  Tensor sizes: {list(shape)}"
            )


def _refuse_addmm(c: Any, first: Shape, second: Shape, a: Any, b: Any) -> NoReturn:
    for name, shape in (("mat1", first), ("mat2", second)):
        if len(shape) != 2:
            raise RuntimeError(f"{name} must be a matrix, got {len(shape)}-D tensor")
    if first[1] == second[0]:
        _refuse_expand(tuple(c.shape), (first[0], second[1]))
        if _dtype(c) is not _dtype(b):
            raise RuntimeError(
                f"self and mat2 must have the same dtype, but got {_title(c)} and {_title(b)}"
            )
    _refuse_mm(first, second, a, b)


def _factors(call: str, input: Any, beta: Any, alpha: Any) -> tuple[Any, ...]:
    """Return the two factors as operands; none where both are 1."""
    kind = _dtype(input)
    made = (_factor(call, "beta", beta, kind), _factor(call, "alpha", alpha, kind))
    return () if made == (1, 1) else made


def _factor(call: str, name: str, value: Any, kind: dtype) -> Any:
    """Return a factor as PyTorch takes it: of the kind of the operands, cut to an integer."""
    return number_as(number_argument(call, name, value), kind)


@public("addmm")
def _addmm(input: Any, mat1: Any, mat2: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
    """Return `beta * input + alpha * (mat1 @ mat2)`.

    Examples
    --------
    >>> import symgrad as torch
    >>> A, B = torch.ones(2, 3), torch.ones(3, 2)
    >>> torch.addmm(torch.tensor([10.0, 20.0]), A, B, alpha=2)
    tensor([[16., 26.],
            [16., 26.]])
    """
    check_tensors("addmm", ("input", input), ("mat1", mat1), ("mat2", mat2))
    factors = _factors("addmm", input, beta, alpha)
    try:
        return bind(addmm, (input, mat1, mat2, *factors), (_MM[0], "AddmmBackward0"))
    except Mismatch:
        _refuse_addmm(input, tuple(mat1.shape), tuple(mat2.shape), mat1, mat2)


@public("addmv")
def _addmv(input: Any, mat: Any, vec: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
    """Return `beta * input + alpha * (mat @ vec)`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.addmv(torch.tensor([10.0, 20.0]), torch.ones(2, 3), torch.ones(3), beta=0.5)
    tensor([ 8., 13.])
    """
    check_tensors("addmv", ("input", input), ("mat", mat), ("vec", vec))
    factors = _factors("addmv", input, beta, alpha)
    try:
        return bind(addmm, (input, mat, vec, *factors), (_MV[0], "AddmvBackward0"))
    except Mismatch:
        size = input.shape[0] if len(input.shape) else 1
        _refuse_mv(tuple(mat.shape), tuple(vec.shape), mat, vec, size, input)


@public("addr")
def _addr(input: Any, vec1: Any, vec2: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
    """Return `beta * input + alpha * outer(vec1, vec2)`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.addr(torch.zeros(2, 2), torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0]), alpha=10)
    tensor([[30., 40.],
            [60., 80.]])
    """
    check_tensors("addr", ("input", input), ("vec1", vec1), ("vec2", vec2))
    kinds = [_dtype(x) for x in (input, vec1, vec2)]
    if len(set(kinds)) > 1:  # the one of these functions that promotes
        kind = reduce(promote, kinds)
        input, vec1, vec2 = (convert(x, kind) for x in (input, vec1, vec2))
    factors = _factors("addr", input, beta, alpha)
    try:
        return bind(addmm, (input, vec1, vec2, *factors), (_OUTER[0], "AddrBackward0"))
    except Mismatch:
        for name, x in (("vec1", vec1), ("vec2", vec2)):
            if len(x.shape) != 1:
                raise RuntimeError(
                    f"addr: Expected 1-D argument {name}, but got {len(x.shape)}-D"
                ) from None
        _refuse_expand(tuple(input.shape), (vec1.shape[0], vec2.shape[0]))
        raise


@public("baddbmm")
def _baddbmm(input: Any, batch1: Any, batch2: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
    """Return `beta * input + alpha * bmm(batch1, batch2)`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.baddbmm(torch.zeros(2), torch.ones(1, 2, 3), torch.ones(1, 3, 2), beta=1, alpha=0.5)
    tensor([[[1.5000, 1.5000],
             [1.5000, 1.5000]]])
    """
    check_tensors("baddbmm", ("input", input), ("batch1", batch1), ("batch2", batch2))
    a, b = tuple(batch1.shape), tuple(batch2.shape)
    factors = _factors("baddbmm", input, beta, alpha)
    try:
        return bind(addmm, (input, batch1, batch2, *factors), (_BMM[0], "BaddbmmBackward0"))
    except Mismatch:
        if len(a) == len(b) == 3 and a[0] == b[0] and a[2] == b[1]:
            _refuse_expand(tuple(input.shape), (a[0], a[1], b[2]))
            if _dtype(input) is not _dtype(batch1):
                raise RuntimeError(
                    f"Input dtypes must be the same, got: input {cpp_name(_dtype(input))}, "
                    f"batch1: {cpp_name(_dtype(batch1))}, batch2: {cpp_name(_dtype(batch2))}"
                ) from None
        _refuse_bmm(a, b, batch1, batch2)


@public("addbmm")
def _addbmm(input: Any, batch1: Any, batch2: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
    """Return `beta * input + alpha * bmm(batch1, batch2).sum(0)`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.addbmm(torch.zeros(2, 2), torch.ones(5, 2, 3), torch.ones(5, 3, 2))
    tensor([[15., 15.],
            [15., 15.]])
    """
    check_tensors("addbmm", ("input", input), ("batch1", batch1), ("batch2", batch2))
    a, b = tuple(batch1.shape), tuple(batch2.shape)
    factors = _factors("addbmm", input, beta, alpha)
    try:
        return bind(addmm, (input, batch1, batch2, *factors), ("abc,acd->bd", "AddbmmBackward0"))
    except Mismatch:
        if len(a) == len(b) == 3 and a[0] == b[0] and a[2] == b[1]:
            _refuse_expand(tuple(input.shape), (a[1], b[2]))
            if _dtype(input) is not _dtype(batch2):
                raise RuntimeError(
                    "self and mat2 must have the same dtype, but got "
                    f"{_title(input)} and {_title(batch2)}"
                ) from None
        _refuse_bmm(a, b, batch1, batch2)


_LINEAR = {
    (2, 2, False): ("ab,cb->ac", "MmBackward0"),
    (2, 2, True): ("ab,cb->ac", "AddmmBackward0"),
    (1, 2, False): ("b,cb->c", "SqueezeBackward4"),
    (1, 2, True): ("b,cb->c", "ViewBackward0"),
    (1, 1, False): _DOT,
    (2, 1, False): _MV,
}


@public("linear", method=False)
def _linear(input: Any, weight: Any, bias: Any = None) -> Any:
    """Return `input @ weight.T + bias`.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        Of shape (*, n).
    weight : Tensor or ArrayExpr
        Of shape (m, n) or (n,).
    bias : Tensor or ArrayExpr, optional
        Of shape (m,).

    Examples
    --------
    >>> import symgrad as torch
    >>> weight = torch.tensor([[1.0, 0.0], [0.0, 2.0]])
    >>> torch.nn.functional.linear(torch.tensor([3.0, 4.0]), weight, torch.tensor([0.5, 0.5]))
    tensor([3.5000, 8.5000])
    """
    check_tensors("linear", ("input", input), ("weight", weight))
    a, w = len(input.shape), len(weight.shape)
    if not a or not w:
        raise RuntimeError(
            f"both arguments to linear need to be at least 1D, but they are {a}D and {w}D"
        )
    if w > 2:
        raise RuntimeError(f"t() expects a tensor with <= 2 dimensions, but self is {w}D")
    if bias is not None and w == 1:
        raise RuntimeError("mat2 must be a matrix, got 1-D tensor")
    params = _LINEAR.get((a, w, bias is not None)) or _linear_stacked(a, w, bias is not None)
    spec, via = params
    try:
        if bias is None:
            return contraction((input, weight), spec, via)
        return bind(addmm, (bias, input, weight), (spec, via))
    except Mismatch:
        _refuse_linear(input, weight, bias)


@lru_cache(maxsize=256)
def _linear_stacked(rank: int, weight_rank: int, has_bias: bool) -> tuple[str, str]:
    lead: list[Any] = list(range(rank - 1))
    column = ["column"] if weight_rank == 2 else []
    spec = equation([[*lead, "sum"], [*column, "sum"]], [*lead, *column])
    return spec, "ViewBackward0" if has_bias else "UnsafeViewBackward0"


def _refuse_linear(input: Any, weight: Any, bias: Any) -> NoReturn:
    a, w = tuple(input.shape), tuple(weight.shape)
    if len(w) == 1:
        if len(a) == 1:
            _refuse_dot(input, weight)
        _refuse_mv((int(np.prod(a[:-1])), a[-1]), w, input, weight)
    first = (int(np.prod(a[:-1])), a[-1])
    if bias is None:
        _refuse_mm(first, w[::-1], input, weight)
    _refuse_addmm(bias, first, w[::-1], input, weight)


@public("bilinear", method=False)
def _bilinear(input1: Any, input2: Any, weight: Any, bias: Any = None) -> Any:
    """Return `input1[i] * weight[o, i, j] * input2[j]` summed over i and j, plus `bias`.

    Parameters
    ----------
    input1, input2 : Tensor or ArrayExpr
        Of shapes (*, n) and (*, m).
    weight : Tensor or ArrayExpr
        Of shape (o, n, m).
    bias : Tensor or ArrayExpr, optional
        Of shape (o,).

    Examples
    --------
    >>> import symgrad as torch
    >>> x, y = torch.tensor([[1.0, 2.0]]), torch.tensor([[3.0, 4.0]])
    >>> torch.bilinear(x, y, torch.ones(1, 2, 2), torch.tensor([0.5]))
    tensor([[21.5000]])
    """
    check_tensors("bilinear", ("input1", input1), ("input2", input2), ("weight", weight))
    a, b, w = tuple(input1.shape), tuple(input2.shape), tuple(weight.shape)
    if len(a) != len(b):
        raise RuntimeError(f"bilinear(): input dimensions do not match: got {len(a)} and {len(b)}")
    for i, (n, m) in enumerate(zip(a[:-1], b[:-1], strict=True)):
        if n != m:
            raise RuntimeError(
                f"bilinear(): input batch dimensions do not match at dim {i}: got {n} and {m}"
            )
    for k, (n, m) in enumerate(((a[-1], w[1]), (b[-1], w[2]))):
        if n != m:
            raise RuntimeError(
                f"bilinear(): input{k + 1} size does not match weight size: got {n} but expected "
                f"{m}"
            )
    if bias is not None and tuple(bias.shape) != w[:1]:
        raise RuntimeError(
            f"bilinear(): bias size does not match weight size: got {bias.shape[0]} but expected "
            f"{w[0]}"
        )
    lead = list(range(len(a) - 1))
    spec = equation([[*lead, "i"], ["o", "i", "j"]], [*lead, "o", "j"])
    half = contraction((input1, weight), spec, "ViewBackward0")
    spec = equation([[*lead, "o", "j"], [*lead, "j"]], [*lead, "o"])
    made = contraction((half, input2), spec, "ViewBackward0")
    return made if bias is None else made + bias


@public("chain_matmul", method=False)
def _chain_matmul(*matrices: Any) -> Any:
    """Multiply two or more matrices, in the order that takes the fewest multiplications.

    As in PyTorch, where the first or last operand is a vector it counts as a row or a column.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.chain_matmul(torch.ones(2, 3), torch.ones(3, 4), torch.ones(4, 1))
    tensor([[12.],
            [12.]])
    """
    operands = list(matrices[0] if len(matrices) == 1 else matrices)
    if not operands:
        raise RuntimeError("chain_matmul(): Expected one or more matrices")
    several = len(operands) > 1
    check_tensors("chain_matmul", *[("matrices", x) for x in operands])
    for x in operands:
        if len(x.shape) != 2:
            raise RuntimeError(f"Tensor dimension is {len(x.shape)}, expected 2 instead.")
    while len(operands) > 1:
        # Join where the inner axis is longest: optimal for three, good for more.
        inner = [x.shape[1] for x in operands[:-1]]
        i = inner.index(max(inner))
        operands[i : i + 2] = [_mm(operands[i], operands[i + 1])]
    (product,) = operands
    return product.view(product.shape) if several else product.clone()
