"""What `prove` and `same` answer: proofs of what is equal, never one of what is not."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
import sympy

import symgrad as T
from symgrad.expr.graph import leaves
from symgrad.proofs.prove import MAX_ERROR, _by_intervals, _by_residues
from tests.each import each
from tests.proofs.identities import IDENTITIES, OF_SHAPES, differ, near_misses

x, y, z = T.symbols("x y z")
v = T.leaf("v", (3,))
f = T.leaf("f", (), T.float32)


@each("make", IDENTITIES)
def test_what_is_equal_is_proved(make: Any) -> None:
    a, b = make()
    for verdict in (T.prove(a, b), T.prove(b, a)):
        assert verdict, verdict
        assert verdict.error < MAX_ERROR and (verdict.error > 0) is (verdict.how == "residues")
        assert verdict.counterexample is None and not verdict.tried


@each("make", dict(itertools.islice(IDENTITIES.items(), 0, None, 6)))
def test_what_is_equal_is_not_refuted(make: Any) -> None:
    """At any point, also where values are huge and mpmath rounds what it has rounded."""
    a, b = make()
    assert isinstance(_by_intervals(a, b, leaves(a, b)), str)


def check_near_misses(step: int) -> None:
    wrong, refuted, count = [], 0, 0
    for name, a, b in itertools.islice(near_misses(), 0, None, step):
        verdict = T.prove(a, b)
        if differ(a, b):
            count += 1
            refuted += verdict.counterexample is not None
            if verdict:
                wrong.append(name)
        elif verdict.counterexample is None:
            # Floats saw no difference: then the two steps must not contradict each other.
            assert not (verdict and not isinstance(_by_intervals(a, b, leaves(a, b)), str)), name
    assert not wrong, wrong
    assert refuted > 0.98 * count > 0


def test_near_misses_are_not_proved() -> None:
    check_near_misses(60)


@pytest.mark.slow
def test_all_near_misses_are_not_proved() -> None:
    assert sum(1 for _ in near_misses()) >= 3000
    check_near_misses(1)


#: Formulas that are not equal, though nearly so, or by rules that do not hold everywhere.
DIFFERENT: dict[str, Any] = {
    "the root of a square": lambda: (T.sqrt(x * x), x),
    "a root where it is negative": lambda: (T.sqrt((x - 1) ** 2), x - 1),
    "a power of a negative number": lambda: ((x**y).abs(), x**y),
    "a power of a power": lambda: ((x**2) ** y, x ** (2 * y)),
    "a large power": lambda: (x**524287 - x, 0 * x),
    "a power near a prime": lambda: (x ** (2**61 - 1) - x, 0 * x),
    "a number near a prime": lambda: (x * float(2**61 - 1), 0 * x),
    "a sign at zero": lambda: (T.sign(x) ** 2, 0 * x + 1),
    "two halves without zero": lambda: (
        T.where(x > 0, 1.0, 0 * x) + T.where(x < 0, 1.0, 0 * x),
        0 * x + 1,
    ),
    "at a tie": lambda: (T.where(x >= y, x * z, y), T.where(x > y, x * z, y)),
    "at zero": lambda: (T.heaviside(x, 0 * x), T.heaviside(x, 0 * x + 1)),
    "at a number": lambda: (T.where(x.eq(0.7), 1.0, 0 * x), 0 * x),
    "where two are equal": lambda: (T.where(x.eq(y), 1.0, 0 * x), 0 * x),
    "near a number": lambda: (T.where((x - 0.3).abs() < 5e-7, 1.0, 0 * x), 0 * x),
    "near a curve": lambda: (T.where((x * x - 0.3 * y).abs() < 1e-6, 1.0, 0 * x), 0 * x),
    "floats that are not decimals": lambda: ((0.1 + 0.2) * x, 0.3 * x),
    "three tenths": lambda: (3 * (x * 0.1), x * 0.3),
    "numbers that a function rounds": lambda: (T.exp(3 * (x * 0.1)), T.exp(x * (3 * 0.1))),
    "numbers of arrays": lambda: (T.sin(0.1 * v + 0.2 * v), T.sin(v * (0.1 + 0.2))),
    "a mean and its float": lambda: (T.sin(v.mean()), T.sin(v.sum() * (1 / 3))),
    "below rounding": lambda: (x + 1e-20 * y, x),
    "a float that is not pi": lambda: (T.sin(x + 2 * math.pi), T.sin(x)),
    "a float that is not a third": lambda: ((x ** (1 / 3)) ** 3, x),
    "another branch of atan": lambda: (T.atan(T.tan(x)), x),
    "another branch of asin": lambda: (T.asin(T.sin(x)), x),
    "half even": lambda: (T.round(x), T.floor(x + 0.5)),
    "towards zero": lambda: (T.trunc(x), T.floor(x)),
    "remainders": lambda: (T.remainder(x, 2), T.fmod(x, 2)),
    "exponentials of exponentials": lambda: (T.exp(T.exp(x)), T.exp(x) ** 2),
    "a formula for large numbers": lambda: (T.nn.functional.softplus(x), T.log(1 + T.exp(x))),
    "an approximation": lambda: (
        T.nn.functional.gelu(x),
        T.nn.functional.gelu(x, approximate="tanh"),
    ),
    "one of two": lambda: (T.logical_xor(x > 0, y > 0), T.logical_or(x > 0, y > 0)),
    "a bound": lambda: (T.clamp(x, 0, 1), T.clamp(x, 0, 1 + 1e-9)),
    "another order": lambda: (v.cumsum(0), v.flip(0).cumsum(0).flip(0)),
    "where it is defined at one point": lambda: (T.sqrt(-x * x) + 1, T.sqrt(-x * x) + 1 + 1e-9),
    "nowhere defined": lambda: (x / (y - y), x),
    "float32": lambda: (f * 0.1, f * 0.10000000001),
    "no leaves": lambda: (T.exp(0 * x) * 2, 0 * x + 2.0000000001),
}


@each("make", {**DIFFERENT, **OF_SHAPES})
def test_what_is_not_equal_is_not_proved(make: Any) -> None:
    a, b = make()
    verdict = T.prove(a, b)
    assert not verdict, verdict
    assert (verdict.counterexample is None) is bool(verdict.tried)
    assert T.same(a, b) is False


#: What is equal where both are defined, and takes more than rules for polynomials.
EQUAL: dict[str, Any] = {
    "at a pole": lambda: (x / x, T.exp(0 * x)),
    "a sign by a quotient": lambda: (x / x.abs(), T.sign(x)),
    "a derivative of a length": lambda: (T.derive(v.norm(), v), v / v.norm()),
    "smooth through zero": lambda: (T.special.xlogy(x, y), x * T.log(y)),
    "truth values": lambda: (~((x > 0) | (y > 0)), (x <= 0) & (y <= 0)),
    "what is sorted": lambda: (v.sort()[0].sum(), v.sum()),
    "the largest": lambda: (v.max(), T.maximum(T.maximum(v[0], v[1]), v[2])),
    "a positive part": lambda: (T.relu(T.exp(x)), T.exp(x)),
    "an absolute value of squares": lambda: ((x * x + y * y).abs(), x * x + y * y),
    "of SymPy": lambda: (x ** (y + 1), x**y * x),
    "whole numbers apart": lambda: (T.floor(x + 1), T.floor(x) + 1),
    "an exact number": lambda: (T.derive(T.erf(x), x, order=2), -2 * x * T.derive(T.erf(x), x)),
}


@each("make", {k: m for k, m in EQUAL.items() if "argument" not in k})
def test_what_is_equal_where_both_are_defined_is_proved(make: Any) -> None:
    a, b = make()
    verdict = T.prove(a, b)
    assert verdict, verdict
    assert isinstance(_by_intervals(a, b, leaves(a, b)), str)


# ------------------------------------------------------------------ the verdict


def test_a_counterexample_is_a_point() -> None:
    a, b = (v * f).sum(), v.sum() * f + T.relu(f - 1)
    verdict = T.prove(a, b)
    point = verdict.counterexample
    assert point is not None and set(point) == {v, f}
    assert point[v].shape == (3,) and point[v].dtype == np.float64
    assert point[f].shape == () and point[f].dtype == np.float32
    assert a.evaluate(point) != b.evaluate(point)
    assert verdict.how == "intervals" and verdict.error == 0
    assert str(verdict).startswith("Verdict(refuted by intervals at {")


def test_what_is_undecided_says_what_was_tried() -> None:
    verdict = T.prove(T.log(x * y), T.log(x) + T.log(y))
    assert not verdict and verdict.counterexample is None and verdict.how == ""
    assert [text.partition(":")[0] for text in verdict.tried] == ["residues", "intervals", "SymPy"]
    assert str(verdict).startswith("Verdict(undecided; residues: ")
    assert "no rule for" in str(T.prove(T.lgamma(x + 1), T.lgamma(x) * x))
    c = T.leaf("c", (), T.complex128)
    assert T.prove(c * c, c**2).tried == ("complex numbers have no rules",)
    large = T.leaf("large", (300, 300))
    assert "more than" in str(T.prove(large.exp() * large.exp(), (2 * large).exp()))


def test_sizes_that_are_names_are_tried_at_numbers() -> None:
    X, w, y = T.leaf("X", ("n", "m")), T.leaf("w", ("m",)), T.leaf("y", ("n",))
    squares = T.derive(((X @ w - y) ** 2).sum(), w)
    assert T.prove(squares, 2 * X.T @ (X @ w - y)).how == "normal form"
    logistic = T.derive((T.log1p(T.exp(X @ w)) - y * (X @ w)).sum(), w)
    right, wrong = X.T @ (T.sigmoid(X @ w) - y), X.T @ (y - T.sigmoid(X @ w))
    verdict = T.prove(logistic, right)
    assert not verdict and verdict.counterexample is None
    assert verdict.tried == (
        "sizes: equal by residues at m = 2, n = 3, which proves it for no others",
    )
    assert T.prove(logistic.sized(n=3, m=2), right.sized(n=3, m=2))
    refuted = T.prove(logistic, wrong)
    assert not refuted and refuted.how == "intervals" and refuted.counterexample is not None
    assert {leaf.shape for leaf in refuted.counterexample} == {(3, 2), (2,), (3,)}
    # The first elements of a vector are no others where it has just these.
    assert not T.same(y[:2].sum(), y.sum())
    assert "does not work at n = 2" in str(T.prove(y[:5].sum(), T.exp(y[:5]).sum()))


def test_what_is_compared() -> None:
    t = T.tensor([1.0, 2.0], requires_grad=True)
    assert T.same(t * t, t**2) and T.same(2, 2.0) and not T.same(2, 3)
    assert T.same(np.array([1.0, 2.0]), [1.0, 2.0] * np.ones(2))
    with pytest.raises(ValueError, match=r"these have the shapes \(\) and \(3,\)"):
        T.prove(x, v)
    with pytest.raises(ValueError, match="two different leaves are named 'x'"):
        T.prove(x, T.leaf("x", (), T.float32) * 1)
    empty = T.leaf("empty", (0,))
    assert T.same(empty + 1, empty) and T.same(empty.sum(), 0 * x)
    positive = T.from_sympy(sympy.Symbol("r", positive=True), leaves="new")
    assert T.same(T.sqrt(positive * positive), positive)


def test_large_formulas_are_proved_with_several_primes() -> None:
    a = (x + 1) ** 40
    power = a
    for _ in range(3):
        power = power**40
    error = _by_residues(power * x, x * power, [x])
    assert not isinstance(error, str) and 0 < error < MAX_ERROR
