"""Texts of derivatives that are as a book has them: what is cancelled, known, chosen, and named."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import symgrad as sg
from symgrad import derive, leaf
from symgrad.expr.graph import leaves
from symgrad.expr.node import ArrayExpr
from tests.each import each
from tests.forms.test_formula_text import assert_text_is, text_of

X, P, Y = leaf("X", (4, 3)), leaf("P", (4, 3)), leaf("Y", (4, 3), sums_to=1)
W, w, x, y = leaf("W", (3, 3)), leaf("w", (3,)), leaf("x", (4,)), leaf("y", (4,))
R, z, u = leaf("R", (3, 3), symmetric=True), leaf("z", (6,)), leaf("u", (4, 3))
t, k, l, m, s, c, v, r = sg.symbols("t k l m s c v r")
p, q, T, S, K, sigma, V, I, tau = sg.symbols("p q T S K sigma V I tau")
labels, mask = np.array([0, 2, 1, 1]), np.array([True, False, True, True])
exponentials = sg.exp(X @ W)
by_hand = -(Y * sg.log(exponentials / exponentials.sum(1, keepdim=True))).sum()
classes = -sg.log_softmax(X @ W, 1)[np.arange(4), labels].sum()
shares = sg.softmax(w, 0)
steps = u[1:, :-1] - u[:-1, :-1], u[:-1, 1:] - u[:-1, :-1]
bells = p * sg.exp(-((s - m) ** 2) / 2) + (1 - p) * sg.exp(-((s - k) ** 2) / 2)
d1 = (sg.log(S / K) + (r + 0.5 * sigma**2) * T) / (sigma * sg.sqrt(T))
both = [0.5 * (1 + sg.erf(d / math.sqrt(2))) for d in (d1, d1 - sigma * sg.sqrt(T))]
price = S * both[0] - K * sg.exp(-r * T) * both[1]

TEXTS: dict[str, tuple[ArrayExpr, Any, int, str]] = {
    "ones": (x.sum(), x, 1, "ones((4,), dtype=float64)"),
    "a mean": (y.mean(), y, 1, "full((4,), 0.25, dtype=float64)"),
    "a repeated row": ((W.sum(0) ** 2).sum(), W, 1, "broadcast_to(2 * sum(W, dim=0), (3, 3))"),
    "a positive part": (sg.relu(x).sum(), x, 1, "logical_not(x <= 0).to(float64)"),
    "two pieces": (sg.where(x > 0, x**2, -x).sum(), x, 1, "where(x > 0, 2 * x, -1)"),
    "a polynomial": (s**3 + 2 * s**2 - k * s + 1, s, 1, "3 * s**2 + 4 * s - k"),
    "cancelled": (sg.log(k / s), k, 1, "1 / k"),
    "cancelled in a sum": (
        by_hand, W, 1, "t1 = exp(X @ W)\nX.T @ (t1 / sum(t1, dim=1)[:, None] - Y)",
    ),
    "identity": (
        sg.logdet(X.T @ X + t * np.eye(3)), X, 1,
        "2 * X @ inv(X.T @ X + t * eye(3, dtype=float64))",
    ),
    "root": (sg.exp(-(t**2) / 2) / math.sqrt(2 * math.pi), t, 1,
             "-t * exp(-t**2 / 2) / (2*pi)**0.5"),
    "pi": (math.pi * t**2 * k, t, 1, "2*pi * k * t"),
    "pi squared": (4 * math.pi**2 * t**2 * k, t, 1, "8*pi**2 * k * t"),
    "no constant": (3.14 * t**2, t, 1, "6.28 * t"),
    "classes": (
        classes, W, 1, "X.T @ (softmax(X @ W, dim=1) - one_hot(array([0, 2, 1, 1]), 3))",
    ),
    "mask": (
        ((x - y)[mask] ** 2).sum(), x, 1, "2 * where(array([True, False, True, True]), x - y, 0)",
    ),
    "two choices": (
        sg.where(abs(x) < 1, 0.5 * x**2, abs(x) - 0.5).sum(), x, 1,
        "where(abs(x) < 1, x, sgn(x))",
    ),
    "a maximum": (
        sg.maximum(tau * (y - t), (tau - 1) * (y - t)).sum(), t, 1,
        ("t1 = y - t\nt2 = (tau - 1) * t1\nt3 = tau * t1\n"
        "-sum(where(t2 < t3, tau, where(t3 < t2, tau - 1, tau - 0.5)))"),
    ),
    "difference of choices": (
        (sg.where(x < 1, x * y, 0) - sg.where(x < 1, 0, x)).sum(), x, 1,
        "where(x < 1, y, -1)",
    ),
    "sums to one": (
        -(shares * sg.log(shares)).sum(), w, 1,
        "t1 = softmax(w, dim=0)\nt2 = log(t1)\nt1 * (t1 @ t2 - t2)",
    ),
    "centred": (
        (y * (x - x.mean()) / sg.sqrt(((x - x.mean()) ** 2).mean() + 1e-5)).sum(), x, 1,
        ("t1 = x - mean(x)\nt2 = sqrt(mean(t1**2) + 1e-05)\n"
        "y / t2 - 0.25 * (y @ t1) * t1 / t2**3 - 0.25 * sum(y) / t2"),
    ),
    "centred rows": (
        ((P - P.mean(1, keepdim=True)) ** 2 * X).sum(), P, 1,
        "t1 = P - mean(P, dim=1, keepdim=True)\n2 * X * t1 - 2 * sum(X * t1, dim=1)[:, None] / 3",
    ),
    "slices, Hessian": (
        (100 * (x[1:] - x[:-1] ** 2) ** 2).sum(), x, 2,
        ("t1 = diag(x[:3])\n400 * pad(diag(3 * x[:3]**2 - x[1:]), (0, 1, 0, 1))"
        " - 400 * pad(t1, (1, 0, 0, 1)) - 400 * pad(t1, (0, 1, 1, 0))"
        " + 200 * pad(eye(3, dtype=float64), (1, 0, 1, 0))"),
    ),
    "a middle, Hessian": ((z[1:4] ** 3).sum(), z, 2, "6 * pad(diag(z[1:4]), (1, 2, 1, 2))"),
    "a mean of all": (x.var(), x, 1, "2 * (x - mean(x)) / 3"),
    "zeros around zeros": (
        sg.sqrt(steps[0] ** 2 + steps[1] ** 2 + t**2).sum(), u, 1,
        ("t1 = u[:3, 1:] - u[:3, :2]\nt2 = u[1:, :2] - u[:3, :2]\n"
        "t3 = sqrt(t2**2 + t1**2 + t**2)\nt4 = t1 / t3\nt5 = t2 / t3\n"
        "pad(t4, (1, 0, 0, 1)) - pad(t4 + t5, (0, 1, 0, 1)) + pad(t5, (0, 1, 1, 0))"),
    ),
    "everywhere": (
        (t * (z[:-1] ** 2 + z[1:] ** 2)).sum(), z, 1,
        "2 * (pad(t * z[:5], (0, 1)) + pad(t * z[1:], (1, 0)))",
    ),
    "rows divided": (
        sg.linalg.norm(P - w, dim=1).sum(), w, 1,
        "t1 = P - w\nt2 = norm(t1, dim=1)[:, None]\n-sum(where(ne(t2, 0), t1 / t2, 0), dim=0)",
    ),
    "functions beside a fraction": (
        sg.lgamma(y[0] + r) - sg.lgamma(r) + r * sg.log(r / (r + m)) + k * sg.log(m / (r + m)),
        r, 1, "t1 = r + m\nlog(r / t1) + digamma(y[0] + r) + (m - k) / t1 - digamma(r)",
    ),
    "a sum under a root": (
        m * c**2 / sg.sqrt(1 - v**2 / c**2), v, 1, "m * v / (1 - v**2 / c**2)**1.5",
    ),
    "a sum below the bar": (
        V * S / (K * (1 + I / k) + S), S, 1, "t1 = 1 + I / k\nV * t1 * K / (t1 * K + S)**2",
    ),
    "bell curves": (
        sg.log(bells), m, 1,
        ("t1 = s - m\nt2 = exp(-t1**2 / 2)\n"
        "p * t1 * t2 / (p * t2 + (1 - p) * exp(-(s - k)**2 / 2))"),
    ),
    "a price": (
        price, sigma, 1,
        ("sqrt(T) * S * exp(-0.125 * (T * (sigma**2 + 2 * r) + 2 * log(S / K))**2"
        " / (T * sigma**2)) / (2*pi)**0.5"),
    ),
    "rotation": (
        sg.stack([sg.stack([sg.cos(t), -sg.sin(t)]), sg.stack([sg.sin(t), sg.cos(t)])]), t, 1,
        "stack([stack([-sin(t), -cos(t)]), stack([cos(t), -sin(t)])])",
    ),
    "polar": (
        sg.stack([u[0, 0] * sg.cos(w[1]), w[0] * sg.sin(w[1])]), w, 1,
        "stack([stack([0, -u[0, 0] * sin(w[1]), 0]), stack([sin(w[1]), w[0] * cos(w[1]), 0])])",
    ),
}  # fmt: skip


@each("f, wrt, order, text", TEXTS)
def test_texts_are_those_of_books(f: ArrayExpr, wrt: Any, order: int, text: str) -> None:
    e = derive(f, wrt, order)
    rng = np.random.default_rng(0)
    values = {x.name: rng.uniform(0.3, 0.7, x.shape) for x in leaves(f)}
    if "Y" in values:
        values["Y"] /= values["Y"].sum(1, keepdims=True)
    assert assert_text_is(e, values, [f]) == text


def test_latex_of_rows_that_are_divided() -> None:
    latex = derive(by_hand, W).latex()
    assert r"\operatorname{diag}\left(\sum_{j} t_{1}\right)^{-1} t_{1} - Y" in latex
    gathered = derive(-sg.log(sg.gather(P, 1, labels[:, None])).mean(), P).latex()
    assert r"- 0.25 \, \operatorname{diag}" in gathered
    bell = sg.exp(-(t**2) / 2) / math.sqrt(2 * math.pi)
    assert derive(bell, t).latex().endswith(r"{\sqrt{2 \pi}}")


def test_what_a_user_wrote_stays() -> None:
    assert str(math.pi * t) == "3.141592653589793 * t"
    assert "array" in str(sg.logdet(X.T @ X + t * np.eye(3)))
    assert str(sg.where(leaf("c", (4,), sg.bool_), x, 0)) == "where(c, x, 0)"
    assert str(sg.log(k / s) * (s / s)) == "log(k / s) * (s / s)"


def test_choices_that_are_not_sure_stay() -> None:
    e = derive((sg.where(mask, x, 0) * y).sum(), x)
    assert e.evaluate({"y": np.arange(4.0)}).tolist() == [0, 0, 2, 3]
    assert str(e) == "where(array([True, False, True, True]), y, 0)"


def test_what_sums_to_one_leaves_the_other_axes_in_their_places() -> None:
    c = leaf("c", (1, 2))
    total = sg.softmax(c**2, 1).sum()
    for order in (1, 2, 3):
        assert text_of(derive(total, c, order), [total]).startswith("zeros(")
    t, x, a = sg.leaf("t", (3,), sums_to=1), leaf("x", (2,)), leaf("a", (4, 3))
    rng = np.random.default_rng(0)
    values = {"t": np.array([0.5, 0.2, 0.3]), "x": rng.normal(size=2), "a": rng.normal(size=(4, 3))}
    plain = leaf("t", (3,))
    for f in (
        lambda t: (t[:, None] * x[None, :] ** 3).sum(),
        lambda t: ((x[:, None] ** 2 * t[None]).sum(1) * x).sum(),
        lambda t: (a[:, :, None] ** 2 * t[None, None] * a[:, None, :1]).sum(),
    ):
        for wrt in (x, a):
            e = derive(f(t), wrt, 2)
            np.testing.assert_allclose(
                e.evaluate({v: values[v.name] for v in (x, a, t)}),
                derive(f(plain), wrt, 2).evaluate({v: values[v.name] for v in (x, a, plain)}),
                rtol=1e-13,
            )


def test_a_sum_of_products_is_cancelled_by_its_square() -> None:
    values = {"w": np.array([0.5, -1.25, 2]), "W": np.arange(9.0).reshape(3, 3) ** 1.5}
    text = assert_text_is(derive((w @ W @ w) / (w @ w), w, 2), values, [])
    assert text.splitlines()[0] == "t1 = w @ w" and "W.T / t1 + W / t1 - " in text
