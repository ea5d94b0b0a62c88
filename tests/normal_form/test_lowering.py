"""Laws of formulas in normal form: their values are those of the formulas that they replace."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import pytest

import symgrad as sg
from symgrad import leaf
from symgrad.differentiate.sweeps import vjp
from symgrad.expr.atoms import Const
from symgrad.expr.dtypes import from_numpy_dtype
from symgrad.expr.graph import leaves, toposort
from symgrad.expr.node import ArrayExpr
from symgrad.expr.printing import text as printed
from symgrad.normal_form import diagonals
from symgrad.normal_form.costs import cost
from symgrad.normal_form.lowering import cheaper, normal_form
from symgrad.ops.complex_parts import conj
from symgrad.ops.contraction import contract
from symgrad.ops.primitive import Primitive
from tests.each import each, in_part
from tests.expr.samples import with_derivatives
from tests.expr.test_costs import steps
from tests.kinds import kinds

from .formulas import random_derivative, raw_derivative
from .test_forms import CHAINS, A, M, u, v

Values = Mapping[str, Any]

#: What a float may be at the edge: zeros, what overflows or vanishes when it is multiplied.
POINTS = (0.0, 1.0, -1.0, 0.5, -2.0, 1e-200, 1e160, -1e160, np.inf, 1e-320)


def value(e: ArrayExpr, values: Values) -> Any:
    return e.evaluate({x.name: values[x.name] for x in leaves(e)})


def assert_equal_value(e: ArrayExpr, made: ArrayExpr, values: Values) -> None:
    want, got = value(e, values), value(made, values)
    assert (got.shape, got.dtype) == (want.shape, want.dtype)
    ulps = 1 << 12 if want.dtype.itemsize >> want.dtype.kind.count("c") > 4 else 1 << 8
    scale = np.abs(want[np.isfinite(want)]).max(initial=1.0)
    eps = ulps * np.finfo(want.dtype).eps if want.dtype.kind in "fc" else 0
    assert np.allclose(got, want, rtol=eps, atol=eps * scale, equal_nan=True), (got, want)


def assert_no_number_is_lost(
    e: ArrayExpr, made: ArrayExpr, values: Values, rng: np.random.Generator
) -> None:
    """No finite number becomes nan or infinite where some elements are replaced by `POINTS`."""
    for _ in range(2):
        at = {
            k: np.where(rng.random(np.shape(x)) < 0.5, rng.choice(POINTS, np.shape(x)), x)
            if x.dtype == np.float64
            else x
            for k, x in values.items()
        }
        number = np.isfinite(value(e, at))
        assert np.isfinite(value(made, at)[number]).all(), at


# ------------------------------------------------------------------ derivatives of every primitive

SAMPLES = {
    f"{name}-{i}": (cls, sample)
    for name, cls in kinds().items()
    if cls.__module__.startswith("symgrad.")
    for i, sample in enumerate(cls.samples)
}
#: Their kernels are routines of LAPACK, some of which do not return for what is infinite.
_LAPACK = tuple(
    f"symgrad.ops.{name}"
    for name in (
        "elimination",
        "exponentials",
        "inverses",
        "orthogonal",
        "pseudo_inverses",
        "singular",
        "solving",
        "spectra",
    )
)


@each(
    "name",
    in_part(list(SAMPLES), among=4),
)
def test_derivatives_of_every_primitive_keep_their_value(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(diagonals, "LEAST_PARTED", 0)
    cls, sample = SAMPLES[name]
    rng = np.random.default_rng(0)
    formulas = list(with_derivatives(cls, sample))
    f = formulas[0][0]
    for e, values in formulas:
        (made,) = normal_form([e], [f])
        assert cost([made]) > 0 or not made.operands or made.is_view
        if made is not e:
            assert_equal_value(e, made, values)
            if not any(type(x).__module__ in _LAPACK for x in toposort([e])):
                assert_no_number_is_lost(e, made, values, rng)


# ------------------------------------------------------------------ random derivatives


def some_derivatives(seeds: range) -> Iterator[tuple[int, ArrayExpr, ArrayExpr]]:
    for seed in seeds:
        found = random_derivative(seed)
        if found is not None:
            yield seed, *found


MANY = [range(150), pytest.param(range(150, 4000), marks=pytest.mark.slow)]


@pytest.mark.parametrize("seeds", MANY, ids=str)
def test_random_derivatives_keep_their_value_and_their_numbers(
    seeds: range, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed = 0
    for seed, e, f in some_derivatives(seeds):
        written = [f] if seed % 3 else []
        least = seed % 2 * 1000
        monkeypatch.setattr(diagonals, "LEAST_PARTED", least)
        (made,) = normal_form([e], written)
        if made is e:
            continue
        changed += 1
        rng = np.random.default_rng(seed)
        values = {x.name: rng.uniform(-1, 1.5, x.shape).astype(x.dtype.numpy) for x in leaves(e)}
        assert_equal_value(e, made, values)
        assert_no_number_is_lost(e, made, values, rng)
    assert changed > len(seeds) / 10


def test_random_complex_derivatives_keep_their_value() -> None:
    conjugates = 0
    for seed in range(80):
        found = random_derivative(seed, sg.complex128)
        if found is None:
            continue
        (e, f), rng = found, np.random.default_rng(seed)
        values = {
            x.name: rng.uniform(-1, 1.5, x.shape) + 1j * rng.uniform(-1, 1, x.shape)
            for x in leaves(e)
        }
        assert_equal_value(e, normal_form([e], [f])[0], values)
        conjugates += any(type(x) is conj for x in toposort([e]))
    assert conjugates > 20


def test_a_matrix_that_cancels_is_no_difference_of_infinite_numbers() -> None:
    """Its terms with a delta, multiplied by two vectors, would be."""
    p, b, c = leaf("p", (2,)), leaf("b", (2,)), leaf("c", (2,))
    matrix = sg.diag(p) - sg.outer(p, p)
    values = {"p": np.array([1.0, 0]), "b": np.array([1e160, 1]), "c": np.array([1e160, 1])}
    for e in (contract(b, matrix, c, "a,ab,b->"), b @ matrix @ c, b @ (matrix @ c)):
        (made,) = normal_form([e])
        assert np.isfinite(value(made, values))


def test_weights_that_are_no_numbers_leave_zeros() -> None:
    """The weights of an infinite logit multiply a weight that is zero beside it."""
    x = leaf("x", (2, 2))
    written = sg.logsumexp(sg.logsumexp(x, 0), 0)
    e = raw_derivative(written, x, 2)
    (made,) = normal_form([e], [written])
    at = {"x": np.array([[0.5, 1], [np.inf, 2]])}
    number = np.isfinite(value(e, at))
    assert number.any()
    assert np.isfinite(value(made, at)[number]).all()


# ------------------------------------------------------------------ what is made

w, y = leaf("w", (4,)), leaf("y", (4,))

FORMULAS: dict[str, tuple[ArrayExpr, ArrayExpr, str]] = {
    "least squares": (((A @ v - y) ** 2).sum(), v, "2 * (A.T @ A)"),
    "quadratic form": (v @ M @ v, v, "M + M.T"),
    "weights": ((w * (A @ v) ** 2).sum(), v, "2 * ((A * w[:, None]).T @ A)"),
    "a constant": ((sg.sin(v) ** 2 + sg.cos(v) ** 2).sum(), v, "zeros((3, 3), dtype=float64)"),
}


@each("f, x, text", FORMULAS)
def test_hessians_come_out_closed(f: ArrayExpr, x: ArrayExpr, text: str) -> None:
    (made,) = normal_form([raw_derivative(f, x, 2)], [f])
    assert printed(made) == text


def test_a_contraction_may_repeat_off_a_diagonal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(diagonals, "LEAST_PARTED", 0)
    x = leaf("x", (3, 3))
    y = sg.logsumexp(x, -1, True) * x
    e = raw_derivative(x.sum() * y.sum() + (y * y).sum(), x, 2)
    assert_equal_value(e, *normal_form([e]), {"x": np.linspace(-1, 1, 9).reshape(3, 3)})


def test_what_a_user_wrote_is_read() -> None:
    f = ((A @ v - y) ** 2).sum()
    gradient = raw_derivative(f, v)
    (made,) = normal_form([gradient], [f])
    assert A @ v - y in toposort([made])


def test_a_formula_is_replaced_where_that_is_cheaper() -> None:
    f = sg.logsumexp(M @ v, 0)
    for e in (raw_derivative(f, v, 2), f, (u + v) * u):
        (made,) = cheaper([e], [f])
        assert cost([made]) <= cost([e])
        assert made is e or cost([made]) < cost([e])


def test_half_precision_stays_as_it_is() -> None:
    """Its sums are computed in another precision than they are stored in."""
    h = leaf("h", (3,), sg.float16)
    e = h * 2 * h + h * h
    assert normal_form([e]) == [e]


def test_nodes_that_are_there_already_are_not_made_again() -> None:
    e = sg.tanh(u * v + u) * u / v
    assert normal_form([e]) == [e]


def test_a_number_that_a_dtype_does_not_hold_stays_in_its_factor() -> None:
    x = leaf("x", (), sg.float32)
    small = x
    for _ in range(6):
        small = small * 1e-8
    (made,) = normal_form([small])
    assert_equal_value(small, made, {"x": np.float32(1e30)})


# ------------------------------------------------------------------ costs


def tanhs(n: int) -> ArrayExpr:
    e: ArrayExpr = v
    for i in range(n):
        e = sg.tanh(e * u + 1) if i % 2 else 2 * sg.sin(e) - v
    return e


def layers(n: int) -> ArrayExpr:
    e: ArrayExpr = leaf("X", (8, 3))
    for i in range(n // 4):
        e = sg.tanh(e @ leaf(f"W{i}", (3, 3)) + v)
    return e


def gradient(build: Callable[[int], ArrayExpr]) -> Callable[[int], ArrayExpr]:
    def built(n: int) -> ArrayExpr:
        (found,) = vjp([build(n).sum()], [Const(1, sg.float64)], [v])
        assert found is not None
        return found

    built.__name__ = f"gradient of {build.__name__}"
    return built


@each("chain", [*CHAINS, tanhs, gradient(tanhs), gradient(layers)], ids=lambda f: f.__name__)
def test_the_cost_is_that_of_the_nodes(chain: Callable[[int], ArrayExpr]) -> None:
    small, large = chain(40), chain(160)
    normal_form([small])
    counts = [len(toposort([e])) for e in (small, large)]
    cost_of_small = steps(lambda: normal_form([small]))
    assert steps(lambda: normal_form([large])) <= 1.3 * counts[1] / counts[0] * cost_of_small


def test_a_long_formula_does_not_recurse() -> None:
    e = tanhs(2000)
    assert normal_form([e]) == [e]


def test_an_operation_that_is_linear_in_an_operand_says_so() -> None:
    """What stands before the operand may stand before the node, of every class that says so."""
    rng = np.random.default_rng(0)
    for cls, sample in SAMPLES.values():
        if not isinstance(cls, type) or not issubclass(cls, Primitive):
            continue
        count = len(sample) - len(cls.params)
        node = cls(*[_as_leaf(i, x) for i, x in enumerate(sample[:count])], *sample[count:])
        place = node.scalable_operand()
        if place is None or not isinstance(sample[place], np.ndarray):
            continue
        if sample[place].dtype != np.float64 or not node.dtype.is_floating_point:
            continue
        operands = list(node.operands)
        operands[place] = operands[place] * 4
        values = {f"x{i}": x for i, x in enumerate(sample[:count]) if isinstance(x, np.ndarray)}
        values[f"x{place}"] = rng.uniform(-1, 1, sample[place].shape)
        scaled = value(cls(*operands, *sample[count:]), values)
        assert np.array_equal(scaled, 4 * value(node, values)), cls


def _as_leaf(i: int, x: Any) -> Any:
    if not isinstance(x, np.ndarray):
        return x
    return leaf(f"x{i}", x.shape, from_numpy_dtype(x.dtype))
