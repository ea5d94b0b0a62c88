"""Products of matrices with a term to add: `addmm` and its kin, `linear`, `bilinear`.

Elementwise operations with a term to add are in `fused`.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache, reduce
from typing import Any, NoReturn

import numpy as np

from symgrad.expr.dtypes import Category, bool_, dtype, number_as, promote
from symgrad.expr.shapes import Shape, canonical_axis
from symgrad.functions.casting import converted_inside
from symgrad.functions.product_errors import (
    dtype_of,
    refuse_bmm,
    refuse_bool,
    refuse_dot,
    refuse_mm,
    refuse_mv,
    title,
)
from symgrad.functions.products import (
    BMM,
    DOT,
    MM,
    MV,
    OUTER,
    UNSAFE_VIEW,
    VIEWED,
    VM,
    contraction,
    viewed,
)
from symgrad.ops.affine import addmm
from symgrad.ops.broadcasting import expanded_shape
from symgrad.ops.equations import Mismatch, equation
from symgrad.ops.primitive import bind
from symgrad.record.face import Face
from symgrad.schema.public import public


def _refuse_addmm(c: Any, first: Shape, second: Shape, a: Any, b: Any) -> NoReturn:
    for name, shape in (("mat1", first), ("mat2", second)):
        if len(shape) != 2:
            raise RuntimeError(f"{name} must be a matrix, got {len(shape)}-D tensor")
    if first[1] == second[0]:
        expanded_shape(tuple(c.shape), dtype_of(c), (first[0], second[1]))
        if dtype_of(c) is not dtype_of(b):
            raise RuntimeError(
                f"self and mat2 must have the same dtype, but got {title(c)} and {title(b)}"
            )
        if dtype_of(a) is not dtype_of(b):
            raise RuntimeError(
                f"mat1 and mat2 must have the same dtype, but got {title(a)} and {title(b)}"
            )
    refuse_mm(first, second, a, b)


def _factors(input: Any, beta: Any, alpha: Any) -> tuple[Any, ...]:
    """Return the two factors as operands; none where both are 1."""
    kind = dtype_of(input)
    made = (_factor(beta, kind), _factor(alpha, kind))
    return () if made == (1, 1) else made


def _factor(value: Any, kind: dtype) -> Any:
    """Return a factor as PyTorch takes it: of the kind of the operands, cut to an integer."""
    made = number_as(value, kind)
    return bool(made) if kind is bool_ else made


def _addr_factor(name: str, value: Any, kind: dtype) -> Any:
    """Return a factor of `addr`, which alone looks at what kind of number it is."""
    if isinstance(value, bool) and kind is not bool_:
        raise RuntimeError(f"Boolean {name} only supported for Boolean results.")
    if kind.category < Category.FLOAT and isinstance(value, (float, complex)):
        raise RuntimeError(
            f"For integral input tensors, argument {name} must not be a floating point number."
        )
    return value


def _factors_of_one(node: Any) -> dict[str, Any]:
    """Return the factors, which are 1 where they are no operands."""
    return {"beta": 1, "alpha": 1}


ADDMM = Face(name="Addmm", saved=("self", "mat1", "mat2", "beta", "alpha"), facts=_factors_of_one)
_ADDMV = Face(name="Addmv", saved=("self", "mat", "vec", "beta", "alpha"), facts=_factors_of_one)
_ADDR = Face(
    name="Addr",
    saved=("self", "vec1", "vec2", "beta", "alpha"),
    facts=_factors_of_one,
    layout="first",
)
_BADDBMM = Face(
    name="Baddbmm", saved=("self", "batch1", "batch2", "beta", "alpha"), facts=_factors_of_one
)
_ADDBMM = Face(
    name="Addbmm", saved=("self", "batch1", "batch2", "beta", "alpha"), facts=_factors_of_one
)


@public(
    "addmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1, Tensor? out=None) -> Tensor",
    "+addmm(Tensor self, Tensor mat1, Tensor mat2, ScalarType out_dtype, *, Scalar beta=1, Scalar alpha=1, Tensor? out=None) -> Tensor",
    "-addmm(Scalar beta, Tensor self, Scalar alpha, Tensor mat1, Tensor mat2) -> Tensor",
    "-addmm(Scalar beta, Tensor self, Tensor mat1, Tensor mat2) -> Tensor",
    in_place="method",
    sharing="any",
)
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
    factors = _factors(input, beta, alpha)
    try:
        return bind(addmm, (input, mat1, mat2, *factors), (MM[0],), ADDMM)
    except Mismatch:
        _refuse_addmm(input, tuple(mat1.shape), tuple(mat2.shape), mat1, mat2)


@public(
    "addmv(Tensor self, Tensor mat, Tensor vec, *, Scalar beta=1, Scalar alpha=1, Tensor? out=None) -> Tensor",
    "-addmv(Scalar beta, Tensor self, Scalar alpha, Tensor mat, Tensor vec) -> Tensor",
    "-addmv(Scalar beta, Tensor self, Tensor mat, Tensor vec) -> Tensor",
    in_place="function",
    sharing="any",
)
def _addmv(input: Any, mat: Any, vec: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
    """Return `beta * input + alpha * (mat @ vec)`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.addmv(torch.tensor([10.0, 20.0]), torch.ones(2, 3), torch.ones(3), beta=0.5)
    tensor([ 8., 13.])
    """
    factors = _factors(input, beta, alpha)
    try:
        return bind(addmm, (input, mat, vec, *factors), (MV[0],), _ADDMV)
    except Mismatch:
        size = input.shape[0] if len(input.shape) else 1
        refuse_mv(tuple(mat.shape), tuple(vec.shape), mat, vec, size, input)


@public(
    "addr(Tensor self, Tensor vec1, Tensor vec2, *, Scalar beta=1, Scalar alpha=1, Tensor? out=None) -> Tensor",
    "-addr(Scalar beta, Tensor self, Scalar alpha, Tensor vec1, Tensor vec2) -> Tensor",
    "-addr(Scalar beta, Tensor self, Tensor vec1, Tensor vec2) -> Tensor",
    in_place="method",
)
def _addr(input: Any, vec1: Any, vec2: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
    """Return `beta * input + alpha * outer(vec1, vec2)`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.addr(torch.zeros(2, 2), torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0]), alpha=10)
    tensor([[30., 40.],
            [60., 80.]])
    """
    kinds = [dtype_of(x) for x in (input, vec1, vec2)]
    if len(set(kinds)) > 1:  # `addr` promotes, other than the rest of this file
        kind = reduce(promote, kinds)
        input, vec1, vec2 = (converted_inside(x, kind) for x in (input, vec1, vec2))
    kind = dtype_of(input)
    beta, alpha = (_addr_factor(n, x, kind) for n, x in (("beta", beta), ("alpha", alpha)))
    factors = _factors(input, beta, alpha)
    try:
        return bind(addmm, (input, vec1, vec2, *factors), (OUTER[0],), _ADDR)
    except Mismatch:
        for name, x in (("vec1", vec1), ("vec2", vec2)):
            if len(x.shape) != 1:
                raise RuntimeError(
                    f"addr: Expected 1-D argument {name}, but got {len(x.shape)}-D"
                ) from None
        expanded_shape(tuple(input.shape), dtype_of(input), (vec1.shape[0], vec2.shape[0]))
        raise


@public(
    "baddbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1, Tensor? out=None) -> Tensor",
    "+baddbmm(Tensor self, Tensor batch1, Tensor batch2, ScalarType out_dtype, *, Scalar beta=1, Scalar alpha=1, Tensor? out=None) -> Tensor",
    "-baddbmm(Scalar beta, Tensor self, Scalar alpha, Tensor batch1, Tensor batch2) -> Tensor",
    "-baddbmm(Scalar beta, Tensor self, Tensor batch1, Tensor batch2) -> Tensor",
    in_place="method",
    sharing="any",
)
def _baddbmm(input: Any, batch1: Any, batch2: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
    """Return `beta * input + alpha * bmm(batch1, batch2)`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.baddbmm(torch.zeros(2), torch.ones(1, 2, 3), torch.ones(1, 3, 2), beta=1, alpha=0.5)
    tensor([[[1.5000, 1.5000],
             [1.5000, 1.5000]]])
    """
    a, b = tuple(batch1.shape), tuple(batch2.shape)
    factors = _factors(input, beta, alpha)
    try:
        return bind(addmm, (input, batch1, batch2, *factors), (BMM[0],), _BADDBMM)
    except Mismatch:
        for axis, shape in enumerate((a, a, b)):  # of which PyTorch reads the size of the result
            canonical_axis(axis, len(shape))
        if len(a) == len(b) == 3 and a[0] == b[0] and a[2] == b[1]:
            expanded_shape(tuple(input.shape), dtype_of(input), (a[0], a[1], b[2]))
            if dtype_of(input) is not dtype_of(batch1):
                raise RuntimeError(
                    f"Input dtypes must be the same, got: input {dtype_of(input).cpp_name}, "
                    f"batch1: {dtype_of(batch1).cpp_name}, batch2: {dtype_of(batch2).cpp_name}"
                ) from None
        refuse_bmm(a, b, batch1, batch2)


@public(
    "addbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1, Tensor? out=None) -> Tensor",
    "-addbmm(Scalar beta, Tensor self, Scalar alpha, Tensor batch1, Tensor batch2) -> Tensor",
    "-addbmm(Scalar beta, Tensor self, Tensor batch1, Tensor batch2) -> Tensor",
    in_place="method",
    sharing="any",
)
def _addbmm(input: Any, batch1: Any, batch2: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
    """Return `beta * input + alpha * bmm(batch1, batch2).sum(0)`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.addbmm(torch.zeros(2, 2), torch.ones(5, 2, 3), torch.ones(5, 3, 2))
    tensor([[15., 15.],
            [15., 15.]])
    """
    a, b = tuple(batch1.shape), tuple(batch2.shape)
    factors = _factors(input, beta, alpha)
    try:
        return bind(addmm, (input, batch1, batch2, *factors), ("abc,acd->bd",), _ADDBMM)
    except Mismatch:
        if len(a) == len(b) == 3 and a[0] == b[0] and a[2] == b[1]:
            expanded_shape(tuple(input.shape), dtype_of(input), (a[1], b[2]))
            if dtype_of(input) is not dtype_of(batch2):
                raise RuntimeError(
                    "self and mat2 must have the same dtype, but got "
                    f"{title(input)} and {title(batch2)}"
                ) from None
        refuse_bmm(a, b, batch1, batch2)


_VIEWED_SUM = replace(VIEWED, inner=(("Addmm", 0, ("View", 1), ("T", 2)),))
_LINEAR = {
    (2, 2, False): ("ab,cb->ac", replace(MM[1], inner=(0, ("T", 1)))),
    (2, 2, True): ("ab,cb->ac", replace(ADDMM, inner=(0, 1, ("T", 2)))),
    (1, 2, False): ("b,cb->c", replace(VM[1], inner=(("Mm", ("Unsqueeze", 0), ("T", 1)),))),
    (1, 2, True): ("b,cb->c", _VIEWED_SUM),
    (1, 1, False): (DOT[0], replace(DOT[1], inner=(0, ("T", 1)))),
    (2, 1, False): (MV[0], replace(MV[1], inner=(0, ("T", 1)))),
}


@public(
    "linear(Tensor input, Tensor weight, Tensor? bias=None) -> Tensor", python=True, method=False
)
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
    spec, face = params
    try:
        if bias is None:
            return contraction((input, weight), spec, face)
        return bind(addmm, (bias, input, weight), (spec,), face)
    except Mismatch:
        _refuse_linear(input, weight, bias)


@lru_cache(maxsize=256)
def _linear_stacked(rank: int, weight_rank: int, has_bias: bool) -> tuple[str, Face]:
    lead: list[Any] = list(range(rank - 1))
    column = ["column"] if weight_rank == 2 else []
    spec = equation([[*lead, "sum"], [*column, "sum"]], [*lead, *column])
    if has_bias:
        return spec, _VIEWED_SUM
    product = "Mm" if column else "Mv"
    return spec, replace(UNSAFE_VIEW, inner=((product, ("View", 0), ("T", 1)),))


def _refuse_linear(input: Any, weight: Any, bias: Any) -> NoReturn:
    a, w = tuple(input.shape), tuple(weight.shape)
    if len(w) == 1:
        if len(a) == 1:
            refuse_dot(input, weight)
        refuse_mv((int(np.prod(a[:-1])), a[-1]), w, input, weight)
    first = (int(np.prod(a[:-1])), a[-1])
    if bias is None:
        refuse_mm(first, w[::-1], input, weight)
    _refuse_addmm(bias, first, w[::-1], input, weight)


@public(
    "bilinear(Tensor input1, Tensor input2, Tensor weight, Tensor? bias=None) -> Tensor",
    method=False,
)
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
    a, b, w = tuple(input1.shape), tuple(input2.shape), tuple(weight.shape)
    if len(a) != len(b):
        raise RuntimeError(f"bilinear(): input dimensions do not match: got {len(a)} and {len(b)}")
    for i, (n, m) in enumerate(zip(a[:-1], b[:-1], strict=True)):
        if n != m:
            raise RuntimeError(
                f"bilinear(): input batch dimensions do not match at dim {i}: got {n} and {m}"
            )
    if not a or len(w) != 3:
        raise RuntimeError(
            f"bilinear(): expects inputs with a last axis and a 3-dimensional weight, got shapes "
            f"{list(a)}, {list(b)} and {list(w)}"
        )
    for k, (n, m) in enumerate(((a[-1], w[1]), (b[-1], w[2]))):
        if n != m:
            raise RuntimeError(
                f"bilinear(): input{k + 1} size does not match weight size: got {n} but expected "
                f"{m}"
            )
    if bias is not None and not bias.shape:
        raise IndexError("Dimension specified as 0 but tensor has no dimensions")
    if bias is not None and tuple(bias.shape) != w[:1]:
        raise RuntimeError(
            f"bilinear(): bias size does not match weight size: got {bias.shape[0]} but expected "
            f"{w[0]}"
        )
    given = {"input1": input1, "input2": input2, "weight": weight, "bias": bias}
    kinds = {name: dtype_of(x) for name, x in given.items() if x is not None}
    if len(set(kinds.values())) > 1:
        named = ", ".join([f"{name}: {kind.cpp_name}" for name, kind in kinds.items()])
        raise RuntimeError(f"All tensors must have the same dtype, got {named}")
    refuse_bool("bmm", input1)
    lead = list(range(len(a) - 1))
    spec = equation([[*lead, "i"], ["o", "i", "j"]], [*lead, "o", "j"])
    half = contraction((input1, weight), spec, viewed(spec))
    spec = equation([[*lead, "o", "j"], [*lead, "j"]], [*lead, "o"])
    made = contraction((half, input2), spec, viewed(spec))
    return made if bias is None else made + bias
