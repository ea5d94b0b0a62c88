"""Contractions: how they merge, what computes them, their checks, and their printed form."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import symgrad
from numeric.emit import emit
from numeric.interpret import interpret
from symgrad.differentiate.sweeps import vjp, with_derivative_rewrites
from symgrad.expr.atoms import Const, Leaf
from symgrad.expr.graph import toposort
from symgrad.expr.node import ArrayExpr
from symgrad.lower.program import lower
from symgrad.ops.affine import addmm
from symgrad.ops.arithmetic import mul
from symgrad.ops.broadcasting import broadcast_to
from symgrad.ops.contraction import contract, delta
from symgrad.ops.equations import equation, parse
from symgrad.ops.permuting import permute
from symgrad.schema.public import FUNCTIONS, SPACES
from tests.each import each
from tests.expr.test_printing import read

A = symgrad.leaf("A", (2, 3))
B = symgrad.leaf("B", (3, 4))
S = symgrad.leaf("S", (3, 3))
x = symgrad.leaf("x", (3,))
z = symgrad.leaf("z", (3,))
RNG = np.random.default_rng(3)
VALUES = {leaf: RNG.standard_normal(leaf.shape) for leaf in (A, B, S, x, z)}


def value(e: ArrayExpr, values: Any = VALUES) -> Any:
    program = lower([e], {leaf: leaf.name for leaf in values})
    by_name = {leaf.name: v for leaf, v in values.items()}
    return np.asarray(interpret(program, [by_name[label] for _, label in program.inputs])[0])


def source(e: ArrayExpr) -> str:
    """The expression that the emitted source returns."""
    leaves = [n for n in toposort([e]) if isinstance(n, Leaf)]
    program = lower([e], {leaf: leaf.name for leaf in leaves})
    lines = [line.strip() for line in emit(program, bare=True).splitlines()]
    return next(line for line in lines if line.startswith("t1 =")).removeprefix("t1 = ")


# ------------------------------------------------------------------ equations


def test_equation_is_canonical() -> None:
    assert equation([("i", "k"), ("k", 7)], ("i", 7)) == "ab,bc->ac"
    assert parse("ab,bc->ac") == (("ab", "bc"), "ac")
    assert parse(",->") == (("", ""), "")


def test_equation_has_52_letters() -> None:
    assert len(equation([range(52)], ())) == 54
    with pytest.raises(RuntimeError, match="at most 52"):
        equation([range(53)], ())


# ------------------------------------------------------------------ merging


@each(
    "make, expected",
    [
        (lambda: symgrad.einsum("ij->ji", A), permute(A, (1, 0))),
        (lambda: symgrad.einsum("ij->ij", A), A),
        (lambda: symgrad.einsum("ij->", A), A.sum((0, 1))),
        (lambda: symgrad.einsum("ij,j->ij", A, x), A * x),
        (lambda: symgrad.einsum("i,i->i", x, z), x * z),
        (lambda: A.permute(1, 0) @ A, contract(A, A, "ab,ac->bc")),
        (lambda: (A @ B).permute(1, 0), contract(A, B, "ab,bc->ca")),
        (lambda: delta((2,), symgrad.float64) @ A, A),
        (lambda: A @ delta((3,), symgrad.float64), A),
        (lambda: delta((3,), symgrad.float64) * x, contract(x, "a->aa")),
        (lambda: symgrad.einsum("ii->", delta((3,), symgrad.float64) * x), x.sum(0)),
        (lambda: (-A) @ B, -(A @ B)),
        (lambda: symgrad.einsum("ii->i", contract(x, "a->aa")), x),
    ],
)
def test_merges(make: Any, expected: ArrayExpr) -> None:
    assert with_derivative_rewrites(make)() is expected


def test_repeated_values_are_not_multiplied_out() -> None:
    ones = Const(1, symgrad.float64).broadcast_to((2, 4))
    made = with_derivative_rewrites(contract.of)(ones, B, "ab,cb->ac")
    assert not any(type(node) is contract for node in toposort([made]))
    np.testing.assert_allclose(value(made), np.ones((2, 4)) @ VALUES[B].T)


def test_what_is_summed_away_counts() -> None:
    made = with_derivative_rewrites(contract.of)(x.broadcast_to((5, 3)), "ab->b")
    np.testing.assert_allclose(value(made), 5 * VALUES[x])
    halves = with_derivative_rewrites(contract.of)(
        s := Const(0.5, symgrad.float64).broadcast_to((4,)), s, "a,a->"
    )
    assert value(halves) == 1.0


def test_nothing_is_merged_that_makes_it_dearer() -> None:
    chain = (A @ B) @ symgrad.leaf("C", (4, 2))
    assert [type(node) for node in toposort([chain])].count(contract) == 2


LABELS = "abc"
SIZES = {"a": 2, "b": 3, "c": 2}


@st.composite
def products(draw: Any) -> tuple[list[str], str]:
    inputs = draw(st.lists(st.text(LABELS, min_size=0, max_size=3), min_size=1, max_size=3))
    known = sorted(set("".join(inputs)))
    output = draw(st.text(known, max_size=3)) if known else ""
    return inputs, output


def loops(operands: list[Any], inputs: list[str], output: str) -> Any:
    """The definition, entry by entry; zero where repeated letters of the result disagree."""
    result = np.zeros([SIZES[k] for k in output])
    for index in itertools.product(*[range(SIZES[k]) for k in LABELS]):
        at = dict(zip(LABELS, index, strict=True))
        if any(at[k] for k in LABELS if k not in "".join(inputs)):
            continue  # a letter that nobody uses counts once
        term = np.prod(
            [v[tuple(at[k] for k in ks)] for v, ks in zip(operands, inputs, strict=True)]
        )
        result[tuple(at[k] for k in output)] += term
    return result


@settings(max_examples=150)
@given(products())
def test_value_and_gradient_are_the_definition(product: tuple[list[str], str]) -> None:
    inputs, output = product
    rng = np.random.default_rng(5)
    leaves = [symgrad.leaf(f"v{i}", tuple(SIZES[k] for k in ks)) for i, ks in enumerate(inputs)]
    values = {leaf: rng.standard_normal(leaf.shape) for leaf in leaves}
    data = list(values.values())
    spec = equation(inputs, output)
    expected = loops(data, inputs, output)
    for made in (contract(*leaves, spec), with_derivative_rewrites(contract.of)(*leaves, spec)):
        np.testing.assert_allclose(value(made, values), expected, rtol=1e-12, atol=1e-12)
    node = contract(*leaves, spec)
    ct = symgrad.leaf("ct", node.shape)
    weight = rng.standard_normal(node.shape)
    for i, g in enumerate(vjp([node], [ct], leaves)):
        assert g is not None
        direction = rng.standard_normal(leaves[i].shape)
        # The product is linear in each operand.
        moved = loops([direction if j == i else v for j, v in enumerate(data)], inputs, output)
        got = np.sum(value(g, {**values, ct: weight}) * direction)
        np.testing.assert_allclose(got, np.sum(weight * moved), rtol=1e-10, atol=1e-10)


# ------------------------------------------------------------------ kernels


@pytest.mark.parametrize(
    ("made", "text"),
    [
        (A @ B, "A @ B"),
        (contract(A, A, "ab,ac->bc"), "A.T @ A"),
        (contract(A, A, "ab,cb->ac"), "A @ A.T"),
        (A @ x, "A @ x"),
        (x @ B, "x @ B"),
        (x @ x, "np.dot(x, x)"),
        (symgrad.outer(x, z), "np.multiply.outer(x, z)"),
        (contract(A, "ab->ba"), "np.einsum('ab->ba', A)"),
        (symgrad.addmm(z, S, S), "S @ S"),
    ],
)
def test_source(made: ArrayExpr, text: str) -> None:
    assert source(made) == text


@pytest.mark.parametrize("spec", ["a->aa", "ab->aba", "ab->aab", "abc->abac", "abc->abca"])
def test_what_repeats_is_written_on_a_diagonal_as_it_is(spec: str) -> None:
    labels, output = spec.split("->")
    sizes = dict(zip("abc", (2, 3, 4), strict=True))
    full = tuple([sizes[k] for k in labels])
    for lengths in itertools.product(*[(1, n) for n in full]):
        for own in (lengths, lengths[1:]):
            y = symgrad.leaf("y", own)
            repeated, at = broadcast_to(y, full), RNG.standard_normal(own)
            e = contract(repeated, spec)
            expected = np.zeros([sizes[k] for k in output])
            np.einsum(f"{output}->{labels}", expected)[...] = at
            np.testing.assert_array_equal(value(e, {y: at}), expected)
            assert "broadcast_to" not in e.source()
            assert (np.array(e.to_sympy("explicit")) != 0).tolist() == (expected != 0).tolist()
            # What is given and repeats is read, since what it repeats is not computed.
            found = interpret(lower([e], {repeated: "r"}), [np.broadcast_to(at, full)])
            np.testing.assert_array_equal(found[0], expected)


@pytest.mark.parametrize(
    ("spec", "text"),
    [
        ("a->aaa", "diag_embed(diag(v0))"),
        ("ab->abb", "diag_embed(v0)"),
        ("ab->aba", "diag_embed(v0.T, dim1=0)"),
        ("ab->abab", "diag_embed(diag_embed(v0, dim1=0, dim2=1), dim1=0, dim2=2)"),
        ("abc->bcac", "diag_embed(einsum('abc->bac', v0), dim1=1)"),
        ("ab,c->acbc", "diag_embed(einsum('ab,c->abc', v0, v1), dim1=1)"),
        ("ab,bc->aa", "diag(einsum('ab,bc->a', v0, v1))"),
    ],
)
def test_what_is_put_on_a_diagonal_has_a_text(spec: str, text: str) -> None:
    sizes = dict(zip("abc", (2, 3, 4), strict=True))
    leaves = [
        symgrad.leaf(f"v{i}", tuple([sizes[k] for k in labels]))
        for i, labels in enumerate(parse(spec).inputs)
    ]
    made = contract(*leaves, spec)
    assert str(made) == text
    values = {leaf: RNG.standard_normal(leaf.shape) for leaf in leaves}
    np.testing.assert_allclose(value(made, values), value(read(text, leaves), values), rtol=1e-14)


def test_transposed_product_swaps_the_operands() -> None:
    assert source(contract(A, B, "ab,bc->ca")) == "B.T @ A.T"


def test_recorded_addmm_prints_and_computes_its_formula() -> None:
    node = addmm(z, S, S, "ab,bc->ac")
    assert str(node) == "z + S @ S" and source(node) == "S @ S"
    scaled = addmm(z, S, S, 2, 0.5, "ab,bc->ac")
    assert str(scaled) == "2 * z + 0.5 * (S @ S)"
    np.testing.assert_allclose(value(scaled), value(2 * z + 0.5 * (S @ S)))
    assert str(addmm(z, S, S, 0, 0.5, "ab,bc->ac")) == "0.5 * (S @ S)"


def test_addmm_with_beta_zero_ignores_its_input() -> None:
    t = symgrad.tensor(np.full((3, 3), np.nan))
    a = symgrad.tensor(np.eye(3), dtype=t.dtype)
    made = symgrad.addmm(t, a, a, beta=0)
    np.testing.assert_array_equal(made.numpy(), np.eye(3))


def test_matrix_product_on_object_arrays() -> None:
    import sympy

    p, q = sympy.symbols("p q")
    values = {
        symgrad.leaf("M", (1, 2)): np.array([[p, q]], dtype=object),
        symgrad.leaf("N", (2, 1)): np.array([[p], [q]], dtype=object),
    }
    m, n = values
    program = lower([m @ n], {m: "M", n: "N"})
    [result] = interpret(program, list(values.values()), number_system="sympy")
    assert result[0, 0] == p**2 + q**2


# ------------------------------------------------------------------ notation


@pytest.mark.parametrize(
    ("made", "text", "latex"),
    [
        (A @ B, "{0} @ {1}", "{0} {1}"),
        (contract(A, A, "ab,ac->bc"), "{0}.T @ {1}", r"{0}^{{\mathsf{{T}}}} {1}"),
        (
            contract(A, B, "ab,bc->ca"),
            "{1}.T @ {0}.T",
            r"{1}^{{\mathsf{{T}}}} {0}^{{\mathsf{{T}}}}",
        ),
        (x @ B, "{0} @ {1}", r"{1}^{{\mathsf{{T}}}} {0}"),
        (symgrad.outer(x, z), "outer({0}, {1})", r"{0} {1}^{{\mathsf{{T}}}}"),
        (delta((3,), symgrad.float64), "eye(3, dtype=float64)", r"\mathrm{{I}}_{{3}}"),
    ],
)
def test_notation(made: Any, text: str, latex: str) -> None:
    notation = made.notation()
    assert notation.text == text
    assert notation.latex == latex
    names = [f"o{i}" for i in range(len(made.operands))]
    notation.text.format(*names)
    notation.latex.format(*names)


# ------------------------------------------------------------------ names and errors


@each(
    "f, shapes, name",
    [
        (symgrad.matmul, [(3,), (3,)], "DotBackward0"),
        (symgrad.matmul, [(2, 3), (3,)], "MvBackward0"),
        (symgrad.matmul, [(3,), (3, 2)], "SqueezeBackward4"),
        (symgrad.matmul, [(2, 3), (3, 4)], "MmBackward0"),
        (symgrad.matmul, [(2, 3, 4), (4, 2)], "UnsafeViewBackward0"),
        (symgrad.matmul, [(3, 4), (2, 4, 2)], "CloneBackward0"),
        (symgrad.matmul, [(1, 4), (2, 4, 3)], "TransposeBackward0"),
        (symgrad.matmul, [(1, 3, 4), (1, 4, 2)], "UnsafeViewBackward0"),
        (symgrad.vdot, [(3,), (3,)], "VdotBackward0"),
        (symgrad.outer, [(3,), (2,)], "MulBackward0"),
        (symgrad.bmm, [(2, 3, 4), (2, 4, 2)], "BmmBackward0"),
        (symgrad.inner, [(2, 3), (4, 3)], "ViewBackward0"),
        (symgrad.inner, [(), (2,)], "MulBackward0"),
        (symgrad.addmm, [(4,), (2, 3), (3, 4)], "AddmmBackward0"),
        (symgrad.addmv, [(2,), (2, 3), (3,)], "AddmvBackward0"),
        (symgrad.addr, [(2, 3), (2,), (3,)], "AddrBackward0"),
        (symgrad.baddbmm, [(2, 3, 2), (2, 3, 4), (2, 4, 2)], "BaddbmmBackward0"),
        (symgrad.addbmm, [(3, 2), (2, 3, 4), (2, 4, 2)], "AddbmmBackward0"),
        (symgrad.linear, [(4, 3), (2, 3), (2,)], "AddmmBackward0"),
        (symgrad.linear, [(4, 3), (2, 3)], "MmBackward0"),
        (symgrad.linear, [(3,), (2, 3)], "SqueezeBackward4"),
        (symgrad.linear, [(3,), (2, 3), (2,)], "ViewBackward0"),
        (symgrad.linear, [(5, 4, 3), (2, 3)], "UnsafeViewBackward0"),
        (symgrad.linear, [(5, 4, 3), (2, 3), (2,)], "ViewBackward0"),
        (symgrad.linear, [(3,), (3,)], "DotBackward0"),
        (symgrad.bilinear, [(4, 3), (4, 2), (5, 3, 2), (5,)], "AddBackward0"),
    ],
)
def test_name_and_gradient(f: Any, shapes: list[Any], name: str) -> None:
    rng = np.random.default_rng(1)
    data = [rng.standard_normal(shape) for shape in shapes]
    tensors = [symgrad.tensor(v, dtype=symgrad.float64, requires_grad=True) for v in data]
    out = f(*tensors)
    assert out.grad_fn.name() == name
    weight = rng.standard_normal(out.shape)
    out.backward(symgrad.tensor(weight, dtype=symgrad.float64))

    def total(values: list[Any]) -> float:
        made = f(*[symgrad.tensor(v, dtype=symgrad.float64) for v in values])
        return float(np.sum(made.numpy() * weight))

    for i, t in enumerate(tensors):
        direction = rng.standard_normal(data[i].shape)
        h = 1e-6
        up = total([v + h * direction if j == i else v for j, v in enumerate(data)])
        down = total([v - h * direction if j == i else v for j, v in enumerate(data)])
        got = float(np.sum(t.grad.numpy() * direction))
        assert got == pytest.approx((up - down) / (2 * h), rel=1e-6, abs=1e-8)


def ones(*shape: int, d: Any = None) -> Any:
    return symgrad.tensor(np.ones(shape), dtype=d or symgrad.float32)


F64, BOOL = symgrad.float64, symgrad.bool

# Recorded with PyTorch 2.13.
ERRORS: list[tuple[Any, type[Exception], str]] = [
    (lambda: symgrad.mm(ones(2, 3), ones(4, 5)), RuntimeError,
     "mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)"),
    (lambda: symgrad.mm(ones(3), ones(3, 2)), RuntimeError, "self must be a matrix"),
    (lambda: symgrad.mm(ones(2, 3), ones(3)), RuntimeError, "mat2 must be a matrix"),
    (lambda: symgrad.mm(ones(2, 3), ones(3, 2, d=F64)), RuntimeError,
     "expected m1 and m2 to have the same dtype, but got: float != double"),
    (lambda: symgrad.mm(ones(2, 3), 3), TypeError,
     "mm(): argument 'mat2' (position 2) must be Tensor, not int"),
    (lambda: symgrad.mv(ones(2, 3), ones(4)), RuntimeError,
     "size mismatch, got input (2), mat (2x3), vec (4)"),
    (lambda: symgrad.mv(ones(3), ones(3)), RuntimeError,
     "vector + matrix @ vector expected, got 1, 1, 1"),
    (lambda: symgrad.mv(ones(2, 3), ones(3, d=F64)), RuntimeError,
     "addmv input tensors must have the same dtype, but got Double, Float, and Double"),
    (lambda: symgrad.dot(ones(3), ones(4)), RuntimeError,
     ("inconsistent tensor size, expected tensor [3] and src [4] to have the same number of "
     "elements, but got 3 and 4 elements respectively")),
    (lambda: symgrad.dot(ones(2, 3), ones(3)), RuntimeError,
     "1D tensors expected, but got 2D and 1D tensors"),
    (lambda: symgrad.dot(ones(3), ones(3, d=F64)), RuntimeError,
     "dot : expected both vectors to have same dtype, but found Float and Double"),
    (lambda: symgrad.dot(ones(3, d=BOOL), ones(3, d=BOOL)), NotImplementedError,
     "\"dot\" not implemented for 'Bool'"),
    (lambda: symgrad.dot(ones(2), 2.0), TypeError,
     "dot(): argument 'tensor' (position 2) must be Tensor, not float"),
    (lambda: symgrad.bmm(ones(2, 3, 4), ones(2, 5, 2)), RuntimeError,
     "Expected size for first two dimensions of batch2 tensor to be: [2, 4] but got: [2, 5]."),
    (lambda: symgrad.bmm(ones(3, 4), ones(3, 4, 2)), RuntimeError, "batch1 must be a 3D tensor"),
    (lambda: symgrad.bmm(ones(2, 3, 4), ones(2, 4, 2, d=F64)), RuntimeError,
     "expected scalar type Float but found Double"),
    (lambda: symgrad.matmul(ones(), ones(3)), RuntimeError,
     "both arguments to matmul need to be at least 1D, but they are 0D and 1D"),
    (lambda: ones(2, 3) @ ones(4), RuntimeError,
     "size mismatch, got input (2), mat (2x3), vec (4)"),
    (lambda: ones(3) @ ones(4, 2), RuntimeError,
     "mat1 and mat2 shapes cannot be multiplied (1x3 and 4x2)"),
    (lambda: ones(2, 3, 4) @ ones(3, 4, 2), RuntimeError,
     "The size of tensor a (2) must match the size of tensor b (3) at non-singleton dimension 0"),
    (lambda: ones(2, 3, 4) @ ones(5), RuntimeError,
     "size mismatch, got input (6), mat (6x4), vec (5)"),
    (lambda: ones(3) @ ones(2, 4, 5), RuntimeError,
     "Expected size for first two dimensions of batch2 tensor to be: [2, 3] but got: [2, 4]."),
    (lambda: ones(2, 3, 4) @ ones(5, 6), RuntimeError,
     "mat1 and mat2 shapes cannot be multiplied (6x4 and 5x6)"),
    (lambda: ones(2, 3) @ ones(2, 4, 5), RuntimeError,
     "Expected size for first two dimensions of batch2 tensor to be: [2, 3] but got: [2, 4]."),
    (lambda: ones(2, 2, 3) @ ones(2, 3, 2, d=F64), RuntimeError,
     "expected scalar type Float but found Double"),
    (lambda: ones(3) @ 2, TypeError, "unsupported operand type(s) for @: 'Tensor' and 'int'"),
    (lambda: symgrad.matmul(ones(3), "a"), TypeError,
     "matmul(): argument 'other' (position 2) must be Tensor, not str"),
    (lambda: symgrad.outer(ones(2, 3), ones(3)), RuntimeError,
     "outer: Expected 1-D argument self, but got 2-D"),
    (lambda: symgrad.outer(ones(3), ones(2, 3)), RuntimeError,
     "outer: Expected 1-D argument vec2, but got 2-D"),
    (lambda: symgrad.inner(ones(2, 3), ones(2, 4)), RuntimeError,
     ("inner() the last dimension must match on both input tensors but got shapes [2, 3] and "
     "[2, 4]")),
    (lambda: symgrad.tensordot(ones(2, 3), ones(4, 5), 1), RuntimeError,
     ("contracted dimensions need to match, but first has size 3 in dim -1 and second has size 4 "
     "in dim 0")),
    (lambda: symgrad.tensordot(ones(2, 3), ones(3, 5), 5), RuntimeError,
     "tensordot expects dims < ndim_a or ndim_b, but got dims=5"),
    (lambda: symgrad.tensordot(ones(2, 3), ones(3, 5), ([0], [0, 1])), RuntimeError,
     "both dimension lists should have same length"),
    (lambda: symgrad.tensordot(ones(2, 3), ones(3, 5), ([3], [0])), IndexError,
     "Dimension out of range (expected to be in range of [-2, 1], but got 3)"),
    (lambda: symgrad.addmm(ones(5), ones(2, 3), ones(3, 4)), RuntimeError,
     ("The expanded size of the tensor (4) must match the existing size (5) at non-singleton "
     "dimension 1.  Target sizes: [2, 4].  Tensor sizes: [5]")),
    (lambda: symgrad.addmm(ones(4), ones(3), ones(3, 4)), RuntimeError,
     "mat1 must be a matrix, got 1-D tensor"),
    (lambda: symgrad.addmm(ones(4, d=F64), ones(2, 3), ones(3, 4)), RuntimeError,
     "self and mat2 must have the same dtype, but got Double and Float"),
    (lambda: symgrad.linear(ones(4, 3), ones(2, 4)), RuntimeError,
     "mat1 and mat2 shapes cannot be multiplied (4x3 and 4x2)"),
    (lambda: symgrad.linear(ones(5, 4, 3), ones(2, 4)), RuntimeError,
     "mat1 and mat2 shapes cannot be multiplied (20x3 and 4x2)"),
    (lambda: symgrad.linear(ones(4, 3), ones(2, 2, 3)), RuntimeError,
     "t() expects a tensor with <= 2 dimensions, but self is 3D"),
    (lambda: symgrad.bilinear(ones(4, 3), ones(4, 2), ones(5, 3, 3)), RuntimeError,
     "bilinear(): input2 size does not match weight size: got 2 but expected 3"),
    (lambda: symgrad.einsum("ij,jk", ones(2, 3)), RuntimeError,
     "einsum(): fewer operands were provided than specified in the equation"),
    (lambda: symgrad.einsum("ij", ones(2, 3), ones(2, 3)), RuntimeError,
     "einsum(): more operands were provided than specified in the equation"),
    (lambda: symgrad.einsum("ij,jk", ones(2, 3), ones(4, 5)), RuntimeError,
     ("einsum(): subscript j has size 4 for operand 1 which does not broadcast with previously "
     "seen size 3")),
    (lambda: symgrad.einsum("ijk", ones(2, 3)), RuntimeError,
     ("einsum(): the number of subscripts in the equation (3) does not match the number of "
     "dimensions (2) for operand 0 and no ellipsis was given")),
    (lambda: symgrad.einsum("ij->k", ones(2, 3)), RuntimeError,
     "einsum(): output subscript k does not appear in the equation for any input operand"),
    (lambda: symgrad.einsum("ij->ii", ones(2, 3)), RuntimeError,
     "einsum(): output subscript i appears more than once in the output"),
    (lambda: symgrad.einsum("i1", ones(2, 3)), RuntimeError,
     ("einsum(): invalid subscript given at index 1 in the equation string, subscripts must be in "
     "[a-zA-Z]")),
    (lambda: symgrad.einsum("ii", ones(2, 3)), RuntimeError,
     "einsum(): subscript i is repeated for operand 0 but the sizes don't match, 3 != 2"),
    (lambda: symgrad.einsum("...i...", ones(2, 3)), RuntimeError,
     "einsum(): found '.' for operand 0 for which an ellipsis was already found"),
    (lambda: symgrad.einsum("i.j", ones(2, 3)), RuntimeError,
     "einsum(): found '.' for operand 0 that is not part of any ellipsis"),
    (lambda: symgrad.einsum("ij->i->j", ones(2, 3)), RuntimeError,
     ("einsum(): invalid subscript given at index 5 in the equation string, subscripts must be in "
     "[a-zA-Z]")),
    (lambda: symgrad.einsum("ij,jk", ones(2, 3), ones(3, 2, d=F64)), RuntimeError,
     "expected scalar type Float but found Double"),
    (lambda: symgrad.einsum("ij"), ValueError,
     ("einsum(): must specify the equation string and at least one operand, or at least one "
     "operand and its subscripts list")),
    (lambda: symgrad.einsum(ones(2, 3), [0, 60]), ValueError,
     "einsum(): subscript in subscript list is not within the valid range [0, 52)"),
    (lambda: symgrad.einsum("i...,i...->i...", ones(2, 3), ones(2, 4)), RuntimeError,
     ("einsum(): dimension 1 covered by ellipsis in operand 1has size 4 which does not broadcast "
     "with previously seen ellipsis with size 3 for the respective dimension")),
]  # fmt: skip


@each("call, error, message", list(ERRORS))
def test_errors(call: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error) as caught:
        call()
    assert type(caught.value) is error
    assert str(caught.value) == message


def test_symbolic_operands_are_checked_too() -> None:
    with pytest.raises(RuntimeError, match="cannot be multiplied"):
        A @ A
    f32 = symgrad.leaf("f", (3, 2), symgrad.float32)
    with pytest.raises(RuntimeError, match="same dtype"):
        A @ f32


def test_sizes_of_one_broadcast_in_einsum_and_tensordot() -> None:
    got = symgrad.einsum("i,i", ones(2), ones(1))
    assert got.shape == () and got.item() == 2
    got = symgrad.tensordot(ones(2, 1), ones(3, 5), 1)
    np.testing.assert_array_equal(got.numpy(), np.full((2, 5), 3.0))


def test_numpy_operands() -> None:
    data = np.arange(6.0).reshape(2, 3)
    got = A @ data.T
    np.testing.assert_allclose(value(got), VALUES[A] @ data.T)
    left = data @ symgrad.leaf("N", (3, 2))
    assert left.shape == (2, 2)


def test_elementwise_products_are_products() -> None:
    assert type(with_derivative_rewrites(symgrad.einsum)("ij,ij->ij", A, A)) is mul


# ------------------------------------------------------------------ refusals

#: The shapes of the operands of each product of tensors of one dtype.
PRODUCTS = {
    "dot": [(3,), (3,)], "vdot": [(3,), (3,)], "inner": [(2, 3), (2, 3)],
    "mv": [(2, 3), (3,)], "mm": [(2, 3), (3, 4)], "bmm": [(5, 2, 3), (5, 3, 4)],
    "matmul": [(5, 2, 3), (3, 4)], "tensordot": [(2, 3), (2, 3)], "addmm": [(4,), (2, 3), (3, 4)],
    "addmv": [(2,), (2, 3), (3,)], "addbmm": [(2, 4), (5, 2, 3), (5, 3, 4)],
    "baddbmm": [(5, 2, 4), (5, 2, 3), (5, 3, 4)], "addr": [(2, 3), (2,), (3,)],
    "linear": [(2, 3), (4, 3), (4,)], "outer": [(2,), (3,)],
    "bilinear": [(5, 2), (5, 3), (4, 2, 3), (4,)], "linalg.vecdot": [(2, 3), (2, 3)],
    "linalg.matmul": [(2, 3), (3, 4)], "kron": [(2, 3), (3, 4)], "cdist": [(2, 3), (4, 3)],
    "linalg.cross": [(2, 3), (2, 3)], "chain_matmul": [(2, 3), (3, 4), (4, 2)],
}  # fmt: skip


@each("name", list(PRODUCTS))
def test_products_of_several_dtypes_are_computed_or_refused_by_a_common_error(name: str) -> None:
    """A class of errors of its own, which the product of the formula has, does not get out."""
    space, _, short = name.rpartition(".")
    function = (SPACES[space] if space else FUNCTIONS)[short]
    kinds = (symgrad.float64, symgrad.float32, symgrad.int64, symgrad.bool, symgrad.complex128)
    for place, one, other in itertools.product(range(len(PRODUCTS[name])), kinds, kinds):
        operands = [symgrad.ones(shape, dtype=one) for shape in PRODUCTS[name]]
        operands[place] = symgrad.ones(PRODUCTS[name][place], dtype=other)
        try:
            function(*operands)
        except RuntimeError as error:
            if type(error) not in (RuntimeError, NotImplementedError):
                raise
