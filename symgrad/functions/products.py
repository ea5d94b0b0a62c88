"""Products of vectors, matrices and arrays of given ranks: `dot`, `mv`, `mm`, `bmm`, `tensordot`.

Each is a contraction, whose class is in `contraction`. The product of any ranks is in `matmul`,
products with a term to add are in `affine`.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from symgrad.expr.dtypes import bool_
from symgrad.expr.shapes import canonical_axis
from symgrad.functions.product_errors import (
    dtype_of,
    refuse_bmm,
    refuse_bool,
    refuse_dot,
    refuse_mm,
    refuse_mv,
)
from symgrad.ops.arithmetic import mul
from symgrad.ops.complex_parts import conj
from symgrad.ops.contraction import contract
from symgrad.ops.equations import Mismatch, equation, parse, sums
from symgrad.ops.primitive import bind
from symgrad.record.face import Face
from symgrad.schema.kinds import type_name
from symgrad.schema.numpy_calls import numpy_call
from symgrad.schema.public import FUNCTIONS, public
from symgrad.tensor.numpy_interop import of_one_kind, operand


def _shapes(node: Any) -> dict[str, Any]:
    """Return the shapes of two matrices."""
    a, b = node.operands
    return {"self_sym_sizes": tuple(a.shape), "mat2_sym_sizes": tuple(b.shape)}


#: Names of operands that nodes within keep in PyTorch's graph, and the one that is shown does not.
_INNER = ("", "", "")

#: Contractions of operands of given ranks, and what PyTorch's graph shows of them.
DOT = ("a,a->", Face(name="Dot", saved=("self", "tensor")))
MV = ("ab,b->a", Face(name="Mv", saved=("self", "vec")))
VM = (
    "a,ab->b",
    Face(name="SqueezeBackward4", saved=_INNER, inner=(("Mm", ("Unsqueeze", 0), 1),)),
)
MM = ("ab,bc->ac", Face(name="Mm", saved=("self", "mat2"), facts=_shapes))
BMM = ("abc,acd->abd", Face(name="Bmm", saved=("self", "mat2")))
OUTER = ("a,b->ab", Face(name="Mul", layout="kernel", inner=(("View", 0), 1)))
_VDOT = Face(name="Vdot", saved=("self", "other"))
_CONJUGATED = Face(name="Conj", hidden=True)
#: The face of a product that is reshaped after it was computed as a matrix.
VIEWED = Face(name="View", saved=_INNER)
UNSAFE_VIEW = Face(name="UnsafeView", saved=_INNER)
#: The faces of the results of einsum: a product of elements, or a view of a matrix product.
PRODUCT = Face(name="Mul", layout="kernel")
_VIEW_OF_PRODUCT = Face(name="View", layout="kernel", saved=_INNER)


def viewed(spec: str) -> Face:
    """Return the face of a product that PyTorch computes as a matrix product and reshapes."""
    return _VIEW_OF_PRODUCT if sums(parse(spec)) else VIEWED


def contraction(operands: Sequence[Any], spec: str, face: Face) -> Any:
    """Apply a contraction; `Mismatch` where the operands do not fit."""
    kinds = [dtype_of(x) for x in operands]
    if (kinds[0] is bool_ or kinds[0] is not kinds[-1]) and sums(parse(spec)):
        raise Mismatch(f"contract(): dtypes {kinds} do not fit")
    return bind(contract, operands, (spec,), face)


@public("dot(Tensor self, Tensor tensor, *, Tensor? out=None) -> Tensor")
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
    try:
        return contraction((input, tensor), *DOT)
    except Mismatch:
        refuse_dot(input, tensor)


@public("vdot(Tensor self, Tensor other, *, Tensor? out=None) -> Tensor")
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
    try:
        first = bind(conj, (input,), (), _CONJUGATED) if dtype_of(input).is_complex else input
        return contraction((first, other), "a,a->", _VDOT)
    except Mismatch:
        refuse_dot(input, other)


@public("mv(Tensor self, Tensor vec, *, Tensor? out=None) -> Tensor")
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
    try:
        return contraction((input, vec), *MV)
    except Mismatch:
        refuse_mv(tuple(input.shape), tuple(vec.shape), input, vec)


@public(
    "mm(Tensor self, Tensor mat2, *, Tensor? out=None) -> Tensor",
    "+mm(Tensor self, Tensor mat2, ScalarType out_dtype, *, Tensor? out=None) -> Tensor",
)
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
    try:
        return contraction((input, mat2), *MM)
    except Mismatch:
        if len(input.shape) != 2:
            raise RuntimeError("self must be a matrix") from None
        if len(mat2.shape) != 2:
            raise RuntimeError("mat2 must be a matrix") from None
        refuse_mm(tuple(input.shape), tuple(mat2.shape), input, mat2)


@public(
    "bmm(Tensor self, Tensor mat2, *, Tensor? out=None) -> Tensor",
    "+bmm(Tensor self, Tensor mat2, ScalarType out_dtype, *, Tensor? out=None) -> Tensor",
)
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
    try:
        return contraction((input, mat2), *BMM)
    except Mismatch:
        refuse_bmm(tuple(input.shape), tuple(mat2.shape), input, mat2)


@public("outer(Tensor self, Tensor vec2, *, Tensor? out=None) -> Tensor", aliases=("ger",))
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
    try:
        return contraction((input, vec2), *OUTER)
    except Mismatch:
        for name, x in (("self", input), ("vec2", vec2)):
            if len(x.shape) != 1:
                raise RuntimeError(
                    f"outer: Expected 1-D argument {name}, but got {len(x.shape)}-D"
                ) from None
        raise


@public("inner(Tensor self, Tensor other, *, Tensor? out=None) -> Tensor")
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
    a, b = tuple(input.shape), tuple(other.shape)
    if not a or not b:
        return bind(mul, (input, other))
    left = [("a", i) for i in range(len(a) - 1)]
    right = [("b", i) for i in range(len(b) - 1)]
    spec = equation([[*left, "sum"], [*right, "sum"]], [*left, *right])
    try:
        return contraction((input, other), spec, viewed(spec))
    except Mismatch:
        if a[-1] != b[-1]:
            raise RuntimeError(
                "inner() the last dimension must match on both input tensors but got shapes "
                f"{list(a)} and {list(b)}"
            ) from None
        if dtype_of(input) is not dtype_of(other):
            raise RuntimeError("both inputs should have same dtype") from None
        refuse_bool("bmm", input, other)
        raise


@public(
    "tensordot(Tensor a, Tensor b, int|Tensor|int[]|object[] dims=2, Tensor? out=None) -> Tensor",
    python=True,
    method=False,
)
def _tensordot(a: Any, b: Any, dims: Any = 2) -> Any:
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
    rank_a, rank_b = len(a.shape), len(b.shape)
    axes_a, axes_b = _met_axes(rank_a, rank_b, dims)
    if len(axes_a) != len(axes_b):
        raise RuntimeError("both dimension lists should have same length")
    if dtype_of(a) is not dtype_of(b):
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
    if alone_a:  # an axis of length one broadcasts: it is multiplied by the sum over the other
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
        spec = equation([labels_a, labels_b], output)
        return contraction((a, b), spec, viewed(spec))
    except Mismatch:
        refuse_bool("addmm_impl_cpu_", a, b)
        raise


def _met_axes(rank_a: int, rank_b: int, dims: Any) -> tuple[list[int], list[int]]:
    if isinstance(dims, np.ndarray) or hasattr(type(dims), "_record"):
        dims = dims.tolist()
    if isinstance(dims, (tuple, list)):
        if len(dims) != 2:
            raise RuntimeError(
                f"tensordot expects dims to be an int or two lists of axes, got {len(dims)} lists"
            )
        found = [[x] if isinstance(x, (int, np.integer)) else x for x in dims]
        for x in found:
            if not isinstance(x, (tuple, list)) or not all(
                isinstance(i, (int, np.integer)) for i in x
            ):
                raise TypeError(
                    "tensordot expects dims to be an int or two lists of axes, got a "
                    f"{type_name(x)} of axes"
                )
        return [int(i) for i in found[0]], [int(i) for i in found[1]]
    if not isinstance(dims, (int, np.integer)):
        raise RuntimeError(
            "tensordot expects dims to be int or tuple[list[int], list[int]], got "
            f"{type_name(dims)}"
        )
    if dims < 0:
        raise RuntimeError(f"tensordot expects dims >= 0, but got dims={dims}")
    if dims > min(rank_a, rank_b):
        raise RuntimeError(f"tensordot expects dims < ndim_a or ndim_b, but got dims={dims}")
    return list(range(-int(dims), 0)), list(range(int(dims)))


@public("chain_matmul(Tensor... matrices) -> Tensor", python=True, method=False)
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
    operands = list(matrices)
    if not operands:
        raise RuntimeError("chain_matmul(): Expected one or more matrices")
    is_product = len(operands) > 1
    for x in operands:
        if len(x.shape) != 2:
            raise RuntimeError(f"Tensor dimension is {len(x.shape)}, expected 2 instead.")
    while len(operands) > 1:
        # Multiply first where the shared axis is longest, which is optimal for three matrices.
        inner = [x.shape[1] for x in operands[:-1]]
        i = inner.index(max(inner))
        operands[i : i + 2] = [_mm(operands[i], operands[i + 1])]
    (product,) = operands
    return product.view(product.shape) if is_product else product.clone()


@numpy_call("dot")
def _numpy_dot(a: Any, b: Any, out: None = None) -> Any:
    x, y = of_one_kind(a, b)
    if not x.ndim or not y.ndim:
        return x * y
    if x.ndim <= 2 and y.ndim <= 2:
        return x @ y
    return FUNCTIONS["tensordot"](x, y, ([x.ndim - 1], [max(y.ndim - 2, 0)]))


@numpy_call("inner")
def _numpy_inner(a: Any, b: Any, /) -> Any:
    x, y = of_one_kind(a, b)
    return x.inner(y) if x.ndim and y.ndim else x * y


@numpy_call("outer")
def _numpy_outer(a: Any, b: Any, out: None = None) -> Any:
    return operand(a).reshape(-1).outer(operand(b).reshape(-1))


@numpy_call("linalg.outer")
def _numpy_linalg_outer(x1: Any, x2: Any, /) -> Any:
    return operand(x1).outer(operand(x2))


@numpy_call("vdot")
def _numpy_vdot(a: Any, b: Any, /) -> Any:
    x, y = of_one_kind(a, b)
    return x.reshape(-1).vdot(y.reshape(-1))


@numpy_call("vecdot", "linalg.vecdot")
def _numpy_vecdot(x1: Any, x2: Any, /, *, axis: int = -1) -> Any:
    return (operand(x1).conj() * operand(x2)).sum(axis)


@numpy_call("matvec")
def _numpy_matvec(x1: Any, x2: Any, /) -> Any:
    x, y = of_one_kind(x1, x2)
    return (x @ y.unsqueeze(-1)).squeeze(-1)


@numpy_call("vecmat")
def _numpy_vecmat(x1: Any, x2: Any, /) -> Any:
    x, y = of_one_kind(x1, x2)
    return (x.conj().unsqueeze(-2) @ y).squeeze(-2)


@numpy_call("matmul", "linalg.matmul")
def _numpy_matmul(x1: Any, x2: Any, /) -> Any:
    return operator.matmul(*of_one_kind(x1, x2))


@numpy_call("tensordot")
def _numpy_tensordot(a: Any, b: Any, axes: Any = 2) -> Any:
    if not isinstance(axes, int):
        axes = tuple([n] if isinstance(n, int) else list(n) for n in axes)
    return FUNCTIONS["tensordot"](*of_one_kind(a, b), axes)


@numpy_call("linalg.tensordot")
def _numpy_linalg_tensordot(x1: Any, x2: Any, /, *, axes: Any = 2) -> Any:
    return _numpy_tensordot(x1, x2, axes)


@numpy_call("kron")
def _numpy_kron(a: Any, b: Any) -> Any:
    x, y = operand(a), operand(b)
    rank = max(x.ndim, y.ndim)
    m, n = ((1,) * (rank - z.ndim) + tuple(z.shape) for z in (x, y))
    left = x.reshape([length for i in m for length in (i, 1)])
    right = y.reshape([length for i in n for length in (1, i)])
    return (left * right).reshape([i * j for i, j in zip(m, n, strict=True)])
