"""Facts of leaves: matrices that are symmetric, and elements with a known sum."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
import sympy

import symgrad as sg
from symgrad import derive, leaf
from symgrad.expr.node import ArrayExpr
from tests.each import each

S, A, x = leaf("S", ("n", "n"), symmetric=True), leaf("A", ("n", "n")), leaf("x", ("n",))
t, T = leaf("t", ("n",), sums_to=1), leaf("T", ("m", "n"), sums_to=1)
Z, lam = leaf("Z", ("m", "n")), leaf("lam")
(n,) = x.shape
inverse = sg.linalg.inv(S)

#: A function, what it is differentiated by and how often, and the text.
TEXTS: dict[str, tuple[ArrayExpr, Any, int, str]] = {
    "quadratic form": (x @ S @ x, S, 1, "outer(x, x)"),
    "trace of a product": (sg.trace(S @ A), S, 1, "0.5 * (A.T + A)"),
    "logdet": (sg.logdet(S), S, 1, "inv(S)"),
    "logdet of a sum": (
        sg.logdet(S + lam * sg.eye(n, dtype=sg.float64)), S, 1,
        "inv(S + lam * eye(n, dtype=float64))",
    ),
    "inverse": (x @ inverse @ x, S, 1, "t1 = inv(S) @ x\n-outer(t1, t1)"),
    "square": (sg.trace(S @ S), S, 1, "2 * S"),
    "cube": (sg.trace(S @ S @ S), S, 1, "3 * S @ S"),
    "elements": (sg.exp(S).sum(), S, 1, "exp(S)"),
    "by the vector": (x @ S @ x, x, 1, "2 * S @ x"),
    "Hessian by the vector": (x @ S @ x, x, 2, "2 * S"),
    "inverse by the vector": (x @ inverse @ x, x, 1, "2 * inv(S) @ x"),
    "second order": (
        sg.trace(S @ S), S, 2,
        ("t1 = eye(n, dtype=float64)\n"
        "einsum('ab,cd->cabd', t1, t1) + einsum('ab,cd->acbd', t1, t1)"),
    ),
    "Jacobian": (
        S @ x, S, 1,
        ("t1 = eye(n, dtype=float64)\n"
        "0.5 * (einsum('ab,c->abc', t1, x) + einsum('ab,c->acb', t1, x))"),
    ),
    "cross-entropy": (-(t * sg.log_softmax(x, 0)).sum(), x, 1, "softmax(x, dim=0) - t"),
    "cross-entropy, Hessian": (
        -(t * sg.log_softmax(x, 0)).sum(), x, 2,
        "t1 = softmax(x, dim=0)\ndiag(t1) - outer(t1, t1)",
    ),
    "cross-entropy of rows": (
        sg.nn.functional.cross_entropy(Z, T), Z, 1, "(softmax(Z, dim=1) - T) / m",
    ),
}  # fmt: skip

RNG = np.random.default_rng(4)
_B = RNG.normal(size=(3, 3))
VALUES = {
    "S": _B @ _B.T + np.eye(3), "A": RNG.normal(size=(3, 3)), "x": RNG.normal(size=3),
    "t": np.array([0.5, 0.25, 0.25]), "T": np.full((4, 3), [0.125, 0.375, 0.5]),
    "Z": RNG.normal(size=(4, 3)), "lam": np.array(0.3),
}  # fmt: skip


@each("e, by, order, text", TEXTS)
def test_texts_use_facts_and_values_are_those_of_differences(
    e: ArrayExpr, by: Any, order: int, text: str
) -> None:
    d = derive(e, by, order)
    assert str(d) == text
    lower = derive(e, by, order - 1)
    given = {z.name: VALUES[z.name] for z in e.leaves}
    got = d.evaluate(given)
    shape = VALUES[by.name].shape
    for place in np.ndindex(shape):
        unit = np.zeros(shape)
        unit[place] = 1e-5
        if by is S:
            unit = (unit + unit.T) / 2
        up, down = [lower.evaluate({**given, by.name: VALUES[by.name] + c * unit}) for c in (1, -1)]
        np.testing.assert_allclose(got[(..., *place)], (up - down) / 2e-5, rtol=1e-6, atol=1e-7)
    if by is S:
        np.testing.assert_allclose(got, got.swapaxes(-1, -2), rtol=1e-12)
    assert pickle.loads(pickle.dumps(d)) is d
    assert eval(sympy.srepr(d), {**vars(sympy), "symgrad": sg}) is d


@each(
    "e, text",
    {
        "transpose": (S.T + S, "2 * S"),
        "difference": (S.T - S, "zeros((n, n), dtype=float64)"),
        "product": (S.T @ x, "S @ x"),
        "sum": (t.sum(), "1"),
        "rows": (T.sum(1), "ones((m,), dtype=float64)"),
        "all rows": (T.sum(), "m"),
        "columns": (T.sum(0), "sum(T, dim=0)"),
        "weighted": ((t * x).sum() / t.sum(), "t @ x"),
        "another sum": (leaf("h", (3,), sums_to=0.5).sum() * lam, "0.5 * lam"),
        "no sum": (leaf("z", (3,), sums_to=0).sum() + lam, "lam"),
    },
)
def test_the_normal_form_reads_facts(e: ArrayExpr, text: str) -> None:
    assert e.formula() == text


def test_what_a_user_wrote_is_printed_so() -> None:
    assert [str(S.T @ x), str(t.sum()), str(T.sum(1))] == ["S.T @ x", "sum(t)", "sum(T, dim=1)"]


def test_stacks_are_symmetric_along_the_last_two_axes() -> None:
    B = leaf("B", (2, 3, 3), symmetric=True)
    value = np.stack([VALUES["S"], VALUES["A"] + VALUES["A"].T])
    d = derive((B * B * B).sum() + B[0] @ VALUES["x"] @ VALUES["x"], B)
    want = 3 * value**2
    want[0] += np.outer(VALUES["x"], VALUES["x"])
    np.testing.assert_allclose(d.evaluate({B: value}), want)
    assert (B.mT + B).formula() == "2 * B"


@each(
    "x, value, message",
    {
        "matrix": (S, [[1, 2], [2.5, 1]], r"'S' .*: .* \(0, 1\) and \(1, 0\) differ by 0\.5"),
        "nan": (S, [[1, np.nan], [2.5, 1]], r"'S' is symmetric"),
        "sum": (t, [0.2, 0.3], r"'t' sums to 1 .* the sum of its value is 0\.5, off by 0\.5"),
        "row": (T, [[0.5, 0.5], [0.5, 0.6]], r"'T' sums to 1 .* the sum of row 1 .*, off by 0\.1"),
        "infinite": (t, [np.inf, 1], r"'t' sums to 1"),
        "rounded too much": (t, [0.5, 0.5 + 1e-12], r"off by 1e-12"),
    },
)  # fmt: skip
def test_values_are_checked(x: Any, value: Any, message: str) -> None:
    for given in (value, np.array(value), sg.tensor(value, dtype=sg.float64)):
        with pytest.raises(ValueError, match=message):
            (x * 2).evaluate({x.name: given})
    sizes = dict(zip(("m", "n") if x is T else ("n",), np.shape(value), strict=False))
    with pytest.raises(ValueError, match=message):
        (x * 2).sized(**sizes).lambdify()(value)
    with pytest.raises(ValueError, match=message):
        (x * 2).sized(**sizes).subs(x.name, np.array(value, float))


def test_sums_may_be_rounded() -> None:
    for value in (np.full(7, 1 / 7), np.full(10, 0.1), np.full(7, 1 / 7, np.float32)):
        np.testing.assert_allclose((t * 1).evaluate({"t": value}), value)
    weights = leaf("w", (3,), sg.float32, sums_to=2)
    assert (weights * 1).evaluate({"w": np.full(3, 2 / 3, np.float32)}).dtype == np.float32
    np.testing.assert_array_equal(
        (leaf("k", (2,), sg.int64, sums_to=3) * 1).evaluate({"k": [1, 2]}), [1, 2]
    )


def test_leaves_are_told_apart_by_facts() -> None:
    assert S is leaf("S", (n, n), symmetric=True) is not leaf("S", (n, n))
    assert leaf("t", 3, sums_to=1) is not leaf("t", 3, sums_to=2)
    with pytest.raises(ValueError, match="named 'S': one is symmetric and one of no facts"):
        (S + leaf("S", (n, n))).evaluate({"S": [[1]]})
    assert S.sized(n=3) is leaf("S", (3, 3), symmetric=True)


@each(
    "error, keywords, message",
    {
        "shape": (ValueError, {"shape": (2, 3), "symmetric": True}, r"'q' of shape \(2, 3\)"),
        "axes": (ValueError, {"shape": (3,), "symmetric": True}, r"'q' of shape \(3,\)"),
        "number": (ValueError, {"sums_to": 1}, "'q' is a number"),
        "word": (TypeError, {"shape": 3, "sums_to": "1"}, "real number"),
        "nan": (ValueError, {"shape": 3, "sums_to": float("nan")}, "finite"),
        "flag": (TypeError, {"shape": (3, 3), "symmetric": 1}, "True or False"),
    },
)
def test_facts_that_cannot_be_are_refused(error: Any, keywords: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        leaf("q", **keywords)


def test_forms_of_sympy() -> None:
    form = derive(sg.trace(S @ A), S).to_sympy("indexed")
    assert str(form) == "A[i, j]/2 + A[j, i]/2"
    assert str(derive(x @ S @ x, x).to_sympy("matrix")) == "2*S*x"
