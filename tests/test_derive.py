"""Full derivatives: shapes, values against differences, formulas, errors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy

import symgrad
from numeric.interpret import interpret
from symgrad.differentiate.batch import batch_expressions
from symgrad.differentiate.derive import derive
from symgrad.expr.atoms import Const, Leaf
from symgrad.expr.graph import toposort
from symgrad.expr.node import ArrayExpr
from symgrad.lower.program import lower
from symgrad.ops.broadcasting import broadcast_to
from symgrad.ops.contraction import contract, delta
from tests.each import each

pytestmark = pytest.mark.tiny

x = symgrad.leaf("x", (3,))
A = symgrad.leaf("A", (3, 3))
W = symgrad.leaf("W", (4, 3))
X = symgrad.leaf("X", (2, 3))
s = symgrad.leaf("s")
u = symgrad.leaf("u", (2,))

RNG = np.random.default_rng(7)
VALUES = {leaf: RNG.uniform(0.4, 1.6, leaf.shape) for leaf in (x, A, W, X, s, u)}


def value(e: ArrayExpr, values: Any = VALUES) -> Any:
    program = lower([e], {leaf: leaf.name for leaf in values})
    by_name = {leaf.name: v for leaf, v in values.items()}
    with np.errstate(all="ignore"):
        results = interpret(program, [by_name[label] for _, label in program.inputs])
    return np.asarray(results[0])


def differences(y: ArrayExpr, leaf: Leaf, kind: type[complex] = float) -> Any:
    """The Jacobian by central differences, entry by entry."""
    out = np.empty(y.shape + leaf.shape, kind)
    h = 1e-6
    for index in np.ndindex(leaf.shape):
        step = np.zeros(leaf.shape)
        step[index] = h
        up = value(y, {**VALUES, leaf: VALUES[leaf] + step})
        down = value(y, {**VALUES, leaf: VALUES[leaf] - step})
        out[(..., *index)] = (up - down) / (2 * h)
    return out


FUNCTIONS = {
    "quadratic form": (x @ A @ x, x),
    "quadratic form in A": (x @ A @ x, A),
    "elementwise": (x.exp() * x, x),
    "elementwise of a matrix": (X.tanh(), X),
    "affine": ((W @ x).tanh(), x),
    "wide": (W @ x, W),
    "matrix product": (X @ A, A),
    "sum over one axis": ((X * X).sum(0), X),
    "broadcast": (X * x, x),
    "scalar argument": ((x * s).sin(), s),
    "both scalar": (s**3, s),
    "trace": (symgrad.einsum("ii->", A @ A), A),
    "diagonal": (symgrad.einsum("ii->i", A * A), A),
    "outer": (symgrad.outer(x, x), x),
    "reshaped": ((X * X).reshape(3, 2), X),
    "quotient": (x / x.sum(), x),
    "masked": (symgrad.where(x > 1, x.log(), x * x), x),
}


@each("name", list(FUNCTIONS))
@each("order", [1, 2, 3])
def test_shape_and_value(name: str, order: int) -> None:
    y, leaf = FUNCTIONS[name]
    got = derive(y, leaf, order=order)
    assert got.shape == y.shape + leaf.shape * order
    assert got.dtype is leaf.dtype
    expected = differences(derive(y, leaf, order=order - 1), leaf)
    np.testing.assert_allclose(value(got), expected, rtol=1e-6, atol=1e-7)


COMPLEX = {
    "phase": ((1j * s).exp() * s, s),
    "rotated array": ((1j * x * s).exp(), s),
    "elementwise": ((1j * x).exp() * x, x),
    "sum": (((1j + x).log() * x).sum(), x),
    "fewer results": (((1j * X).exp() * x).sum(1), X),
    "length": ((1j * x).exp()[0] * (x * x).sum().sqrt(), x),
    "square of length": (((1j * x[0]).exp() * x.norm()) ** 2, x),
    "single precision": ((1j * symgrad.leaf("f", (), symgrad.float32)).exp(), "f"),
}


@each("name", list(COMPLEX))
@each("order", [1, 2])
def test_a_complex_formula_has_complex_derivatives_by_real_leaves(name: str, order: int) -> None:
    y, key = COMPLEX[name]
    leaf = next(a for a in y.leaves if key in (a, a.name))
    values = {**VALUES, symgrad.leaf("f", (), symgrad.float32): np.float32(0.7)}
    got = derive(y, leaf, order=order)
    assert got.shape == y.shape + leaf.shape * order
    assert got.dtype is leaf.dtype.to_complex()
    expected = value(derive(y, leaf, order=order - 1), values)
    assert np.iscomplexobj(value(got, values)) and abs(value(got, values).imag).max() > 0.01
    # The exact derivatives of both parts, which are real formulas.
    below = derive(y, leaf, order=order - 1)
    parts = [value(derive(part, leaf), values) for part in (below.real, below.imag)]
    np.testing.assert_allclose(value(got, values), parts[0] + 1j * parts[1], rtol=1e-6)
    if leaf.dtype is symgrad.float64:
        expected = differences(below, leaf, complex)
        np.testing.assert_allclose(value(got, values), expected, rtol=1e-6, atol=1e-7)


def test_the_derivative_of_a_phase_is_a_formula_without_parts() -> None:
    y = (1j * symgrad.leaf("w") * s).exp()
    assert str(derive(y, s)) == "1j * w * exp(1j * w * s)"
    assert derive(y, u).dtype is symgrad.complex128
    zero = derive((1j * s).exp(), x)
    assert zero.shape == (3,) and zero.dtype is symgrad.complex128


@each("name", list(FUNCTIONS))
def test_a_list_gives_the_list_of_derivatives(name: str) -> None:
    y, _ = FUNCTIONS[name]
    for order in (0, 1, 2):
        known = [a for a in y.leaves if order * a.ndim + y.ndim < 8]
        wanted = [derive(y, a, order) for a in known]
        assert derive(y, known, order) == wanted
        assert derive(y, tuple(a.name for a in known), order) == wanted
    assert derive(y, []) == []


def test_order_zero_is_the_expression() -> None:
    y = x @ A @ x
    assert derive(y, x, order=0) is y


def test_quadratic_form() -> None:
    y = x @ A @ x
    assert derive(y, x, order=2) is A + A.permute(1, 0)
    third = derive(y, x, order=3)
    assert type(third) is broadcast_to
    assert third.operands[0] is Const(0, symgrad.float64)


def test_least_squares_hessian_has_no_delta() -> None:
    hessian = derive(((W @ x) ** 2).sum(), x, order=2)
    assert not any(type(node) is contract and "aa" in node.spec for node in toposort([hessian]))
    np.testing.assert_allclose(value(hessian), 2 * VALUES[W].T @ VALUES[W])


def test_linear_map_gives_its_matrix() -> None:
    assert derive(W @ x, x) is W


def test_elementwise_jacobian_is_one_diagonal() -> None:
    jacobian = derive(x.exp() * x.sin(), x)
    assert type(jacobian) is contract and jacobian.spec == "a->aa"
    assert jacobian.operands[0].shape == (3,)
    second = derive(x.exp() * x.sin(), x, order=2)
    assert type(second) is contract and second.spec == "a->aaa"


def test_elementwise_derivative_of_a_matrix_stays_small() -> None:
    big = symgrad.leaf("big", (100, 100))
    jacobian = derive(big.exp(), big)
    assert jacobian.shape == (100,) * 4
    assert max(node.size for node in toposort(jacobian.operands)) == 100 * 100


def test_a_name_stands_for_its_leaf() -> None:
    y = x @ A @ x
    assert derive(y, "x") is derive(y, x)


def test_a_node_may_be_the_variable() -> None:
    inner = W @ x
    assert derive((inner * inner).sum(), inner) is 2 * inner


@pytest.mark.parametrize("order", [1, 2])
def test_constant_has_a_structural_zero(order: int) -> None:
    zero = derive(x @ x, u, order=order)
    assert zero.shape == (2,) * order
    assert type(zero) is broadcast_to and zero.operands[0] is Const(0, symgrad.float64)
    assert derive(x @ x, s) is Const(0, symgrad.float64)
    assert derive((x > 1), x).shape == (3, 3)


def test_masked_out_entries_contribute_no_nan() -> None:
    y = symgrad.where(x > 1, x.log(), 0)
    values = {**VALUES, x: np.array([2.0, -1.0, 0.0])}
    for order, entry in ((1, 0.5), (2, -0.25)):
        got = value(derive(y, x, order=order), values)
        expected = np.zeros(got.shape)
        expected[(0,) * (order + 1)] = entry
        np.testing.assert_array_equal(got, expected)


def test_leaf_names_cannot_collide_with_internal_ones() -> None:
    ct = symgrad.leaf("_ct", (3,))
    got = derive(ct * ct, ct)
    np.testing.assert_allclose(value(got, {ct: np.array([1.0, 2.0, 3.0])}), np.diag([2.0, 4, 6]))


def test_unknown_name_lists_the_leaves() -> None:
    with pytest.raises(ValueError, match=r"no leaf is named 'z'.*'x' of shape \(3,\)"):
        derive(x @ x, "z")


def test_ambiguous_name() -> None:
    other = symgrad.leaf("x", ())
    with pytest.raises(ValueError, match="several leaves are named 'x'"):
        derive(x * other, "x")
    narrow = symgrad.leaf("x", x.shape, symgrad.float32)
    with pytest.raises(ValueError, match=r"dtype float64, 'x' of shape .* and dtype float32"):
        derive(x @ narrow.double(), "x")


def test_refusals() -> None:
    with pytest.raises(ValueError, match="must not be negative"):
        derive(x @ x, x, order=-1)
    with pytest.raises(TypeError, match="order must be an integer"):
        derive(x @ x, x, order=1.0)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="y must be a tensor or an expression, got a string"):
        derive("x", x)
    with pytest.raises(TypeError, match="expression, got an object of type object"):
        derive(object(), x)
    with pytest.raises(TypeError, match=r"type function; symbolic_trace\(\) gives"):
        derive(lambda x: x.exp(), "x")
    with pytest.raises(TypeError, match=r"x must be a tensor or an expression, got an object of"):
        derive(x @ x, {x})
    with pytest.raises(TypeError, match=r"x must be a leaf, .*, got the constant 2: how often is"):
        derive(s**2, (s, 2))
    k = symgrad.leaf("k", (3,), symgrad.int64)
    with pytest.raises(RuntimeError, match="floating point"):
        derive(x * k, k)


def test_tensors() -> None:
    t = symgrad.tensor([1.0, 2.0, 3.0], dtype=symgrad.float64, requires_grad=True)
    y = (t.exp() * t).sum()
    hessian = derive(y, t, order=2)
    assert hessian.shape == (3, 3)
    [leaf] = [n for n in toposort([hessian]) if isinstance(n, Leaf)]
    data = t.detach().numpy()
    expected = np.diag((2 + data) * np.exp(data))
    np.testing.assert_allclose(value(hessian, {leaf: data}), expected)


# ------------------------------------------------------------------ batching


def test_batch_of_what_does_not_vary_is_repeated() -> None:
    b = symgrad.leaf("b", (5, 3))
    [same, varies] = batch_expressions([A, x * x], {x: b}, 5)
    assert type(same) is broadcast_to and same.shape == (5, 3, 3)
    assert varies is b * b


def test_batch_checks_shapes() -> None:
    with pytest.raises(ValueError, match=r"must have shape \(5, 3\)"):
        batch_expressions([x], {x: symgrad.leaf("b", (4, 3))}, 5)


def test_batch_of_a_deep_expression() -> None:
    y = s
    for _ in range(20_000):
        y = y.sin()
    [made] = batch_expressions([y], {s: u}, 2)
    assert made.shape == (2,)
    assert len(toposort([made])) == 20_001


def test_delta() -> None:
    np.testing.assert_array_equal(value(delta((2, 3), symgrad.float64)).reshape(6, 6), np.eye(6))
    assert delta((), symgrad.float64) is Const(1, symgrad.float64)


def test_a_leaf_that_does_not_occur_gives_zero() -> None:
    # As the third derivative of a square has no leaf left to be differentiated by.
    third = derive(derive(derive(s**2, s), s), s)
    assert third.evaluate() == 0 and derive(third, s).evaluate() == 0
    assert derive(u.sum(), s).evaluate() == 0
    assert derive(derive(derive(s * u, "s"), "s"), "s").shape == (2,)
    with pytest.raises(ValueError, match="no leaf is named 'never_was'"):
        derive(third, "never_was")
    assert derive(symgrad.tensor(3.0), x).shape == (3,)


def test_an_x_that_is_mistaken_for_one_of_y_is_refused() -> None:
    y = (x.exp() * s).sum()
    for wrong in (symgrad.leaf("x"), symgrad.leaf("x", (3,), symgrad.float32)):
        with pytest.raises(ValueError, match=r"has a leaf 'x' of shape \(3,\) and dtype float64"):
            derive(y, wrong)
    with pytest.raises(ValueError, match="no leaf is named 'z'"):
        derive(y, "z")
    assert derive(y, x.exp()).shape == (3,)  # a part
    for wrong in (x.sin(), s * 2, x.exp() + 1):
        with pytest.raises(ValueError, match="no part of the expression"):
            derive(y, wrong)
    a, b = (symgrad.tensor(1.0, requires_grad=True, name=name) for name in "ab")
    with pytest.raises(RuntimeError, match="not have been used in the graph: the tensor 'b'"):
        derive(a * 2, b)
    assert derive(a * 2, a).evaluate() == 2
    with pytest.raises(ValueError, match="no part"):
        derive(a * 2, b * 2)


# ------------------------------------------------------------------ of elements, one by one


def of_elements(rng: Any) -> ArrayExpr:
    """A random vector or matrix of formulas of the elements of `x` and a number."""
    terms = [*x, s, 2.0, -1.0]

    def one() -> Any:
        a, b, c = [terms[k] for k in rng.integers(len(terms), size=3)]
        made = [a * b * c, a - b * c, symgrad.sin(x[0] * a) * b, x[1] ** 3 + a]
        return made[rng.integers(len(made))]

    a, b = [symgrad.stack([one() * x[2], one() + s, x[1] - one()]) for _ in range(2)]
    return [a, -a, symgrad.stack([a, b]), symgrad.cat([a, b]), a * s + b][rng.integers(5)]


@each("seed", range(20))
def test_derivatives_of_elements_are_those_of_sympy(seed: int) -> None:
    """And stand as elements in the formula, without zeros that multiply something."""
    y = of_elements(np.random.default_rng(seed))
    explicit = {f"x_{k}": v for k, v in enumerate(VALUES[x])} | {"s": VALUES[s]}
    symbols = [sympy.Symbol(f"x_{k}", real=True) for k in range(3)]
    plain = np.array(y.to_sympy("explicit", symbols={}).tolist(), object).ravel()
    for order in (1, 2):
        plain = [sympy.diff(e, k) for e in plain for k in symbols]
        found = derive(y, x, order)
        want = [float(e.subs({k: explicit[k.name] for k in e.free_symbols})) for e in plain]
        np.testing.assert_allclose(value(found).ravel(), want, rtol=1e-12, atol=1e-12)
        kinds = {type(e).__name__ for e in toposort([found]) if e.shape}
        assert kinds <= {"Leaf", "ArrayConst", "stack", "broadcast_to"}


@each("shape", [(), (3,)])
def test_derivatives_say_joined_conditions_once(shape: tuple[int, ...]) -> None:
    e = symgrad.leaf("e", shape)
    y = symgrad.where(e <= -1, -1.0, symgrad.where(e >= 1, 1.0, e)).exp()
    for _ in range(3):
        y = derive(y.sum() if shape else y, e)
        assert str(y) == "where(logical_or(e <= -1, e >= 1), 0, exp(e))"
