"""Texts of formulas as in a book: Python that computes the formula, in public names."""

from __future__ import annotations

import itertools
import math
import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest
import sympy

import symgrad as sg
from symgrad import derive, leaf
from symgrad.expr.graph import leaves
from symgrad.expr.node import ArrayExpr
from symgrad.expr.printing import text as printed
from symgrad.forms.formula_text import not_longer, readings
from symgrad.forms.fractions import _size, fractions_of
from symgrad.ops.alignments import alignment_loss, alignment_slope
from symgrad.ops.recurrent import Pass, Slopes
from symgrad.schema.public import FUNCTIONS, METHODS, SPACES
from tests.each import each, in_part
from tests.expr.samples import with_derivatives
from tests.expr.test_costs import steps
from tests.expr.test_printing import read
from tests.expr.test_typesetting import compare
from tests.expr.tex import value as tex_value
from tests.normal_form.test_forms import CHAINS
from tests.normal_form.test_lowering import (
    MANY,
    SAMPLES,
    assert_equal_value,
    gradient,
    layers,
    some_derivatives,
    tanhs,
    value,
)

v, v4, a = leaf("v", (3,)), leaf("v", (4,)), leaf("a", (3,))
A, S, P, Q, R = (
    leaf("A", (5, 4)), leaf("S", (3, 3)), leaf("A", (3, 3)), leaf("X", (3, 4)), leaf("B", (4, 3)),
)  # fmt: skip
X, y, lam, s = leaf("X", (10, 3)), leaf("y", (10,)), leaf("lam"), leaf("s")
W, b, Y = leaf("W", (3, 4)), leaf("b", (4,)), leaf("Y", (10, 4))
U, V, M = leaf("U", (6, 2)), leaf("V", (2, 5)), leaf("M", (6, 5))
mu, D, x, x2 = leaf("mu", (3, 2)), leaf("x", (7, 2)), leaf("x", (4,)), leaf("x", (2,))
x3 = leaf("x", (3,))
m, length, omega, n, volume = [leaf(k) for k in ("m", "l", "omega", "n", "V")]
alpha = leaf("a")
squares = ((X @ v - y) ** 2).sum()
ridge = squares + lam * (v @ v)
logistic = (sg.log(1 + sg.exp(X @ v)) - y * (X @ v)).sum()
entropy = -(Y * sg.log_softmax(X @ W + b, 1)).sum() / 10
factors = ((M - U @ V) ** 2).sum()
mixture = -sg.logsumexp(-0.5 * ((D[:, None, :] - mu[None, :, :]) ** 2).sum(-1), 1).sum()
valley = (100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2).sum()

upper = (sg.log(s / m) + (n + omega**2 / 2) * volume) / (omega * sg.sqrt(volume))
lower = upper - omega * sg.sqrt(volume)
_SQUARE = "-0.125 * (V * (omega**2 + 2 * n) + 2 * log(s / m))**2"

#: A function, what it is differentiated by and how often, and the text.
TEXTS: dict[str, tuple[ArrayExpr, Any, int, str]] = {
    "mean of squares": ((v4**2).mean(), v4, 2, "0.5 * eye(4, dtype=float64)"),
    "quadratic form": (0.5 * (v @ S @ v), v, 2, "0.5 * (S + S.T)"),
    "quadratic form of a product": (v4 @ A.T @ A @ v4, v4, 2, "2 * A.T @ A"),
    "trace": (sg.trace(P @ Q @ R), Q, 1, "A.T @ B.T"),
    "trace of a power": (sg.trace(P @ P @ P @ P), P, 1, "4 * A.T @ A.T @ A.T"),
    "square of a matrix": (
        P @ P, P, 1,
        "t1 = eye(3, dtype=float64)\neinsum('ab,cd->adbc', t1, A) + einsum('ab,cd->cadb', t1, A)",
    ),
    "fourth powers": ((v**4).sum(), v, 3, "24 * diag_embed(diag(v))"),
    "information": ((v * (sg.log(v) - sg.log(a))).sum(), v, 1, "log(v) - log(a) + 1"),
    "information, Hessian": ((v * sg.log(v / a)).sum(), v, 2, "diag(1 / v)"),
    "log odds": (sg.log(v / (1 - v)).sum(), v, 1, "1 / (v * (1 - v))"),
    "logits": (
        sg.nn.functional.binary_cross_entropy_with_logits(X @ v, y, reduction="sum"), v, 1,
        "X.T @ (sigmoid(X @ v) - y)",
    ),
    "fourth power": (
        (v @ v) ** 2, v, 2, "4 * (v @ v) * eye(3, dtype=float64) + 8 * outer(v, v)",
    ),
    "softmax": (
        sg.softmax(A @ v4, 0), v4, 1,
        "t1 = softmax(A @ v, dim=0)\nt1[:, None] * A - outer(t1, A.T @ t1)",
    ),
    "cross-entropy": (
        entropy, W, 1, "X.T @ (sum(Y, dim=1)[:, None] * softmax(X @ W + b, dim=1) - Y) / 10",
    ),
    "cross-entropy, Hessian": (
        entropy, b, 2,
        ("t1 = softmax(X @ W + b, dim=1)\nt2 = sum(Y, dim=1)\n"
        "(diag(t1.T @ t2) - t1.T * t2 @ t1) / 10"),
    ),
    "mixture": (
        mixture, mu, 1,
        ("t1 = x[:, None] - mu[None]\n"
        "-einsum('abc,ab->bc', t1, softmax(-0.5 * sum(t1**2, dim=2), dim=1))"),
    ),
    "mixture, Hessian": (
        mixture, mu, 2,
        ("t1 = x[:, None] - mu\nt2 = softmax(-0.5 * sum(t1**2, dim=2), dim=1)\n"
        "einsum('ab,cd,a->acbd', eye(3, dtype=float64), eye(2, dtype=float64), sum(t2, dim=0))"
        " - diag_embed(einsum('abc,abd,ab->cdb', t1, t1, t2), dim1=0, dim2=2)"
        " + einsum('abc,ade,ab,ad->bcde', t1, t1, t2, t2)"),
    ),
    "complex cubes": (
        (leaf("z", (3,), sg.complex128) ** 3).sum(), "z", 2, "6 * diag(conj(z))",
    ),
    "elements of a matrix": (
        sg.exp(S), S, 1, "diag_embed(diag_embed(exp(S), dim1=0, dim2=1), dim1=0, dim2=2)",
    ),
    "least squares": (squares, v, 1, "2 * X.T @ (X @ v - y)"),
    "least squares, Hessian": (squares, v, 2, "2 * X.T @ X"),
    "ridge": (ridge, v, 1, "2 * (lam * v + X.T @ (X @ v - y))"),
    "ridge, Hessian": (ridge, v, 2, "2 * (X.T @ X + lam * eye(3, dtype=float64))"),
    "logistic": (logistic, v, 1, "X.T @ (sigmoid(X @ v) - y)"),
    "logistic, Hessian": (
        logistic, v, 2, "t1 = sigmoid(X @ v)\nX.T * (t1 * (1 - t1)) @ X",
    ),
    "product of matrices": (
        U @ V, U, 1, "einsum('ab,cd->adbc', eye(6, dtype=float64), V)",
    ),
    "factorisation": (factors, U, 1, "-2 * (M - U @ V) @ V.T"),
    "factorisation, Hessian": (
        factors, U, 2, "2 * einsum('ab,cd->acbd', eye(6, dtype=float64), V @ V.T)",
    ),
    "norm": (a.norm(), a, 1, "t1 = norm(a)\nwhere(ne(t1, 0), a / t1, 0)"),
    "norm, Hessian": (
        a.norm(), a, 2,
        "t1 = norm(a)\nwhere(ne(t1, 0), eye(3, dtype=float64) / t1 - outer(a, a) / t1**3, 0)",
    ),
    "norm of residuals": (
        (X @ v - y).norm(), v, 2,
        ("t1 = X @ v - y\nt2 = norm(t1)\n"
        "where(ne(t2, 0), (X.T / t2 - outer(X.T @ t1, t1) / t2**3) @ X, 0)"),
    ),
    "potential": (
        1 / (a - v).norm(), a, 2,
        ("t1 = a - v\nt2 = norm(t1)\nt3 = eye(3, dtype=float64)\nt4 = t2**3\n"
        "where(ne(t2, 0), 3 * outer(t1, t1) / t2**5 - t3 / t4, 2 * t3 / t4)"),
    ),
    "valley": (
        valley, x, 1,
        ("t1 = x[1:] - x[:3]**2\n"
        "200 * pad(t1, (1, 0))"
        " - 2 * pad(1 - x[:3] + 200 * x[:3] * t1, (0, 1))"),
    ),
    "kinetics": (
        x2[0] * x2[1] * 3 - x2[0] ** 2, x2, 1, "stack([3 * x[1] - 2 * x[0], 3 * x[0]])",
    ),
    "kinetics, Jacobian": (
        sg.stack([-0.5 * x3[0] + 2 * x3[1] * x3[2], 0.5 * x3[0] - 3 * x3[1] ** 2]), x3, 1,
        "stack([stack([-0.5, 2 * x[2], 2 * x[1]]), stack([0.5, -6 * x[1], 0])])",
    ),
    "banana, Hessian": (
        (1 - x2[0]) ** 2 + 100 * (x2[1] - x2[0] ** 2) ** 2, x2, 2,
        ("stack([stack([2 - 400 * x[1] + 1200 * x[0]**2, -400 * x[0]]),"
        " stack([-400 * x[0], 200])])"),
    ),
    "rectified": (
        (sg.relu(X @ v) * y).sum(), v, 1, "X.T @ where(X @ v <= 0, 0, y)",
    ),
    "classes of a leaf": (
        sg.nn.functional.cross_entropy(X @ W, leaf("t", (10,), sg.int64)), W, 1,
        ("t1 = t[:, None]\nt2 = ne(t1, -100)\nt3 = sum(t2.to(float64)[:, 0])\n"
        "X.T @ where(t2, softmax(X @ W, dim=1) / t3"
        " - one_hot(where(t2, t1, 0)[:, 0], 4) / t3, 0)"),
    ),
    "clamped": (a.clamp(0, 1).sum(), a, 1, "logical_and(a >= 0, a <= 1).to(float64)"),
    "bell": (sg.erf(s), s, 2, "-4 * s * exp(-s**2) / pi**0.5"),
    "negative constants": ((v.exp() * (-math.pi / 8)).sum(), v, 1, "-pi * exp(v) / 8"),
    "trace of an exponential": (sg.linalg.matrix_exp(S).trace(), S, 1, "matrix_exp(S.T)"),
    "linear in elements": (s * x3[0] - x3[2], x3, 1, "stack([s, 0, -1])"),
    "one": (s.sin() ** 2 + s.cos() ** 2, s, 1, "0"),
    "energy": (0.5 * m * (length * omega) ** 2, length, 1, "m * l * omega**2"),
    "gas": (-alpha * n**2 / volume, volume, 2, "-2 * a * n**2 / V**3"),
    "third": (sg.sin(s / 3) ** 2, s, 1, "2 * sin(s / 3) * cos(s / 3) / 3"),
    "pair potential": (
        4 * omega * ((m / n) ** 12 - (m / n) ** 6), n, 1,
        "-24 * m**6 * (2 * m**6 - n**6) * omega / n**13",
    ),
    "enzyme": (volume * n / (m + n), n, 1, "V * m / (m + n)**2"),
    "growth": (n * s * (1 - s / m), s, 1, "n * (m - 2 * s) / m"),
    "bell curve": (sg.exp(-0.5 * s**2), s, 2, "exp(-0.5 * s**2) * (s**2 - 1)"),
    "root": (sg.sqrt(1 + s**2), s, 2, "1 / (1 + s**2)**1.5"),
    "option": (
        s * sg.special.ndtr(upper) - m * sg.exp(-n * volume) * sg.special.ndtr(lower), s, 1,
        "ndtr(0.5 * (2 * log(s / m) + V * (2 * n + omega**2)) / (omega * sqrt(V)))",
    ),
    "option, twice": (
        s * sg.special.ndtr(upper) - m * sg.exp(-n * volume) * sg.special.ndtr(lower), s, 2,
        f"exp({_SQUARE} / (omega**2 * V)) / ((2*pi)**0.5 * omega * s * sqrt(V))",
    ),
    "option by volatility": (
        s * sg.special.ndtr(upper) - m * sg.exp(-n * volume) * sg.special.ndtr(lower), omega, 1,
        f"sqrt(V) * s * exp({_SQUARE} / (V * omega**2)) / (2*pi)**0.5",
    ),
    "trace of a product": (sg.trace(P @ S @ P), lam, 1, "0"),
    "lower gamma function": (
        sg.special.gammainc(n, s), s, 2,
        "exp(-(s + lgamma(n))) * (s**(n - 2) * (n - 1) - s**(n - 1))",
    ),
    "upper gamma function": (
        sg.special.gammaincc(n + 1, s), s, 1, "-s**n * exp(-(s + lgamma(n + 1)))",
    ),
    "whole order": (sg.special.gammainc(3, s), s, 1, "0.5 * s**2 * exp(-s)"),
    "lower beta function": (
        sg.special.betainc(m, 2.5, s), s, 2,
        "0.5 * sqrt(1 - s) * (2 * s**(m - 2) * (m - 1) * (1 - s) - 3 * s**(m - 1)) / beta(m, 2.5)",
    ),
    "log odds, by name": (
        sg.special.logit(s), s, 1, "where(s * (1 - s) < 0, nan, 1 / (s * (1 - s)))",
    ),
    "cardinal sine": (
        sg.sinc(s), s, 2,
        "pi**2 * (2 * spherical_jn(2, pi * s) - spherical_jn(0, pi * s)) / 3",
    ),
    "sine integral": (sg.special.sici(n * s)[0], s, 1, "n * spherical_bessel_j0(n * s)"),
    "diffraction": ((sg.sin(s) / s) ** 2, s, 1, "-2 * sin(s) * spherical_jn(1, s) / s"),
    "logarithm of a tail": (sg.log(sg.erfc(s)), s, 1, "-2 / (pi**0.5 * erfcx(s))"),
    "binary logarithm": (sg.log2(s), s, 2, "-1 / (s**2 * log(2))"),
    "hazard": (
        n / m * (s / m) ** (n - 1), s, 1,
        "where(ne(n - 1, 0), n * (n - 1) * (s / m)**(n - 2) / m**2, 0)",
    ),
    "discount": ((s ** (1 - n) - 1) / (1 - n), s, 1, "where(ne(1 - n, 0), s**-n, 0)"),
    "two powers": (
        s ** (m - 1) * (1 - s) ** (n - 1), s, 1,
        ("where(ne(m - 1, 0), (m - 1) * (1 - s)**(n - 1) * s**(m - 2), 0)"
        " - where(ne(n - 1, 0), (n - 1) * s**(m - 1) * (1 - s)**(n - 2), 0)"),
    ),
    "angle": (
        sg.atan2(s, m), s, 2, "t1 = hypot(m, s)\n-2 * where(ne(t1, 0), m * s / t1**4, 0)",
    ),
    "clamped at one side": (s.clamp(min=m), s, 1, "(s >= m).to(float64)"),
    "larger": (sg.maximum(s, m), s, 1, "where(s < m, 0, where(eq(s, m), 0.5, 1).to(float64))"),
    "root of three": (sg.exp(-s * 3**0.5 / m), s, 1, "-3**0.5 * exp(-s * 3**0.5 / m) / m"),
    "half of a root": (
        0.5 * sg.sin(s * (2 / math.pi) ** 0.5), s, 1,
        "cos(s * (2**0.5/pi**0.5)) / (2*pi)**0.5",
    ),
    "frequency": (
        ((1 - s) / (1 + s)).sqrt(), s, 1, "-1 / ((1 + s)**2 * sqrt((1 - s) / (1 + s)))",
    ),
}  # fmt: skip

_PUBLIC = {
    *FUNCTIONS,
    *METHODS,
    *SPACES["nn.functional"],
    *SPACES["special"],
    *SPACES["linalg"],
    *SPACES["fft"],
    "full",
    "eye",
    "ones",
    "zeros",
    "array",
}


#: Operations of which derivatives are made, and no public function computes.
_WITHOUT_NAME = {
    *("alignment_loss", "alignment_slope", "cofactors", "complement", "convolution_weight"),
    *("elliptic_moment", "entries_strided", "fold_windows", "gru_slopes", "gru_states", "index"),
    "log_erfc_slope",
    *("lstm_slopes", "lstm_states", "recurrence", "resample_back", "restarted", "rnn_slopes"),
    *("rnn_states", "scaled_macdonald", "unstrided", "updated", "window_spread", "window_sum"),
}


def called(text: str) -> set[str]:
    """Return the names of the functions that a text calls."""
    return {*re.findall(r"\b([A-Za-z_]\w*)\(", text)}


def text_of(e: ArrayExpr, written: Sequence[ArrayExpr] = ()) -> str:
    """Return the text of a formula, of which parts were written, as it is read."""
    return printed(*not_longer([e], written))


def assert_text_is(e: ArrayExpr, values: Mapping[str, Any], written: list[ArrayExpr]) -> str:
    """Assert that the text of a formula is Python that computes it."""
    text = text_of(e, written)
    again = read(text, leaves(e))
    if not again.operands:  # the text of a number does not say the dtype
        again = again.to(e.dtype)
    assert_equal_value(e, again, values)
    return text


@each("f, wrt, order, text", TEXTS)
def test_texts_are_those_of_books(f: ArrayExpr, wrt: Any, order: int, text: str) -> None:
    e = derive(f, wrt, order)
    rng = np.random.default_rng(0)
    values = {x.name: rng.uniform(0.3, 1.3, x.shape).astype(x.dtype.numpy) for x in leaves(e)}
    assert assert_text_is(e, values, [f]) == text
    assert called(text) <= _PUBLIC
    assert_text_is(e, values, [])


#: Those with what `tests.expr.tex` does not compute: slices, cases, further axes and functions.
_READ_BY_EYE = {
    *("option", "rectified", "classes of a leaf", "clamped", "bell", "trace of an exponential"),
    *("valley", "norm", "norm, Hessian", "norm of residuals", "potential", "third"),
    *("softmax", "mixture", "mixture, Hessian", "cross-entropy", "cross-entropy, Hessian"),
    "complex cubes",
    *("lower gamma function", "upper gamma function", "lower beta function", "log odds, by name"),
    *("cardinal sine", "sine integral", "diffraction", "logarithm of a tail", "binary logarithm"),
    *("hazard", "discount", "two powers", "angle", "clamped at one side", "larger"),
    *("half of a root",),
}


@each("f, wrt, order", {k: TEXTS[k][:3] for k in TEXTS if k not in _READ_BY_EYE})
def test_latex_of_derivatives_means_them(f: ArrayExpr, wrt: Any, order: int) -> None:
    e = derive(f, wrt, order)
    rng = np.random.default_rng(0)
    values = {x.name: rng.uniform(0.3, 1.3, x.shape) for x in leaves(e)}
    columns = {leaf(name).latex(): x[:, None] if x.ndim == 1 else x for name, x in values.items()}
    compare(tex_value(e.latex(), columns), e.evaluate(values))


#: The LaTeX of some, without the lines that define its parts.
TYPESET = {
    "least squares": r"2 \, X^{\mathsf{T}} \left(X v - y\right)",
    "fourth power": (
        r"4 \, \left(v^{\mathsf{T}} v\right) \, \mathrm{I}_{3} + 8 \, v v^{\mathsf{T}}"
    ),
    "factorisation": r"- 2 \, \left(M - U V\right) V^{\mathsf{T}}",
    "softmax": (
        r"\operatorname{diag}\left(t_{1}\right) A"
        r" - t_{1} \left(A^{\mathsf{T}} t_{1}\right)^{\mathsf{T}}"
    ),
    "cross-entropy, Hessian": (
        r"\frac{\operatorname{diag}\left(t_{2} \left(\sum_{j} Y\right)\right)"
        r" - t_{2} \operatorname{diag}\left(\sum_{j} Y\right) t_{1}}{10}"
    ),
    "square of a matrix": r"\left[\delta_{ik} \, A_{lj} + \delta_{jl} \, A_{ik}\right]_{ijkl}",
    "fourth powers": r"\left[24 \, \delta_{ij} \, \delta_{ik} \, v_{i}\right]_{ijk}",
    "logistic": r"X^{\mathsf{T}} \left(\sigma\left(X v\right) - y\right)",
    "gas": r"- \frac{2 \, a \, n^{2}}{V^{3}}",
}


@each("name, text", TYPESET.items())
def test_derivatives_are_typeset_as_in_a_book(name: str, text: str) -> None:
    f, wrt, order, _ = TEXTS[name]
    shown = derive(f, wrt, order).latex().removesuffix("\n\\end{aligned}")
    assert shown.splitlines()[-1].removeprefix("& ") == text


@each("name", in_part(list(SAMPLES), among=6))
def test_texts_of_derivatives_of_every_primitive_compute_them(name: str) -> None:
    # Second derivatives of what is computed step by step are long, and nobody reads them.
    step_by_step = issubclass(SAMPLES[name][0], (Pass, Slopes, alignment_loss, alignment_slope))
    most = 2 if step_by_step else None
    formulas = list(with_derivatives(*SAMPLES[name]))[:most]
    f = formulas[0][0]
    for i, (e, values) in enumerate(formulas):
        text = assert_text_is(e, values, [f] if i % 2 else [])
        assert called(text) <= _PUBLIC | (_WITHOUT_NAME if i else called(printed(e)))


@pytest.mark.parametrize("seeds", MANY, ids=str)
def test_texts_of_random_derivatives_compute_them(seeds: range) -> None:
    changed = 0
    for seed, e, f in some_derivatives(seeds):
        rng = np.random.default_rng(seed)
        values = {x.name: rng.uniform(-1, 1.5, x.shape).astype(x.dtype.numpy) for x in leaves(e)}
        changed += assert_text_is(e, values, [f] if seed % 3 else []) != printed(e)
    assert changed > len(seeds) / 4


_INFINITE = (np.inf, -np.inf, 0.0, 0.5, np.nan)


@each(
    "f, wrt, order",
    [
        *[(f(v), v, k) for f in (sg.exp, lambda v: 1 / v, lambda v: v**4) for k in range(1, 4)],
        *[(sg.sinh(S) * v, wrt, k) for wrt in (S, v) for k in (1, 2)],
        *[(sg.log(S).sum(i), S, k) for i in (0, 1) for k in (1, 2)],
        *[((sg.sqrt(S) * v[:, None])[None], S, 2), (sg.exp(S.T * v), v, 2)],
        *[((sg.exp(S) + S**3).sum(), S, 2), (sg.exp(v) / a, a, 2), ((v * a) ** 3, v, 3)],
    ],
)
def test_texts_keep_what_is_infinite_on_a_diagonal(f: ArrayExpr, wrt: Any, order: int) -> None:
    e = derive(f, wrt, order)
    text = text_of(e, [f])
    assert "eye(" not in text  # a zero of which, times infinity, is nan
    again, rng = read(text, leaves(e)), np.random.default_rng(0)
    for _ in range(2):
        values = {x.name: rng.choice(_INFINITE, x.shape) for x in leaves(e)}
        want = value(e, values)
        np.testing.assert_allclose(np.where(np.isnan(want), want, value(again, values)), want)


def test_classes_are_read_as_one_hot_vectors() -> None:
    t = leaf("t", (10,), sg.int64)
    loss = -sg.log_softmax(X @ W, 1).gather(1, t[:, None]).mean()
    rng = np.random.default_rng(0)
    values = {"X": rng.normal(size=(10, 3)), "W": rng.normal(size=(3, 4)), "t": np.arange(10) % 4}
    text = assert_text_is(derive(loss, W), values, [loss])
    assert text == "X.T @ (softmax(X @ W, dim=1) - one_hot(t, 4)) / 10"
    assert_text_is(derive(loss, W, 2), values, [loss])
    assert_text_is(derive(X.gather(1, t[:, None] % 3).sum(), X), values, [])


def test_names_of_parts_and_functions_are_not_those_of_leaves() -> None:
    t1, total = leaf("t1", (3, 3)), leaf("sum", (3,))
    f = sg.exp(t1 @ total).sum()
    e = derive(f, total, 2)
    text = text_of(e, [f])
    assert text == "t1.T * exp(t1 @ sum) @ t1"
    text = str(derive(sg.softmax(t1 @ total, 0), total))
    assert text == "t2 = softmax(t1 @ sum, dim=0)\nt2[:, None] * t1 - outer(t2, t1.T @ t2)"
    e = derive(sg.softmax(t1 @ total, 0).sum(), t1)
    values = {"t1": np.eye(3) + 0.5, "sum": np.array([0.5, 1, -1])}
    assert_text_is(e + total.sum(), values, [])


def test_conversions_stay_that_an_operation_refuses_to_do() -> None:
    w = leaf("w", (3,), sg.float32)
    values = {"v": np.array([0.5, 1.25, -2]), "w": np.array([1, 0.5, 2], np.float32)}
    for f in ((v * w).sum() ** 3, sg.lerp(v, w.double(), v).prod()):
        for wrt, order in itertools.product((v, w), (1, 2)):
            assert_text_is(derive(f, wrt, order), values, [])


def test_numbers_beside_arrays_stay_numbers() -> None:
    assert_text_is(derive((v * 1e200 * 1e200).sum() ** 2, v), {"v": np.ones(3)}, [])
    e = derive(v / v.norm(), v, 2)
    assert "op." not in str(e) + printed(e)


def test_digits_round_the_floats_that_are_shown() -> None:
    e = sg.sin(v * 0.1234567) * (1 / 3 + 2e-7) + np.array([0.111111, 2, 3e10]) * 1234567
    assert e.formula(digits=2) == ("0.33 * sin(0.12 * v) + array([140000.0, 2500000.0, 3.7e+16])")
    assert e.formula(digits=np.int64(2)) == e.formula(digits=2)  # type: ignore[arg-type]
    for digits in (0, -1, True, 1.5, "3"):
        with pytest.raises(ValueError, match="digits must be a positive integer, not"):
            e.formula(digits=digits)


def test_a_text_is_not_much_longer_than_the_usual_one() -> None:
    for _, e, f in some_derivatives(range(60)):
        assert len(text_of(e, [f])) <= 1.5 * len(printed(e)) + 60


@each("chain", [*CHAINS, tanhs, gradient(tanhs), gradient(layers)], ids=lambda f: f.__name__)
def test_the_cost_of_reading_is_that_of_the_nodes(chain: Any) -> None:
    small, large = chain(10), chain(40)
    readings([small])
    cost = steps(lambda: readings([small]))
    assert steps(lambda: readings([large])) <= 1.5 * 4 * cost


# ------------------------------------------------------------------ fractions


def of_numbers(rng: np.random.Generator) -> ArrayExpr:
    """A random formula of numbers: polynomials, quotients, roots, exponentials."""
    found: list[Any] = [m, n, s, 2.0, 0.3]
    for _ in range(6):
        a, b = [found[k] for k in rng.integers(len(found), size=2)]
        made = [a + b, a - b * n, a * b, a / (2 + b**2), (a + s) ** 3, sg.exp(-s * a) * b]
        found.append([*made, sg.sqrt(1 + s**2 + m * m) * a][rng.integers(len(made) + 1)])
    return s * found[-1] + found[-2]


@each("seed", in_part({str(n): n for n in range(20)}, every=4, group=lambda name: ""))
def test_fractions_have_the_value_of_the_formula(seed: int) -> None:
    rng = np.random.default_rng(seed)
    f = of_numbers(rng)
    points = {x.name: rng.uniform(-2, 2, 5) for x in (m, n, s)}
    for order in (1, 2):
        e = derive(f, s, order)
        for made in fractions_of(e):
            want, got = [x.evaluate({y.name: points[y.name] for y in leaves(x)}) for x in (e, made)]
            np.testing.assert_allclose(got, np.broadcast_to(want, got.shape), rtol=1e-6, atol=1e-9)


def test_texts_are_the_same_in_each_process() -> None:
    """SymPy's sets have another order in each, from which signs of factors may follow."""
    code = (
        "import symgrad\nb, s = symgrad.symbols('b s')\n"
        "print(symgrad.derive(((1 - b) / (1 + b)).sqrt(), b, 2))"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True,
        ).stdout
        for seed in "01"
    }  # fmt: skip
    assert said == {"(1 - 2 * b) / ((1 + b)**3 * (1 - b) * sqrt((1 - b) / (1 + b)))\n"}


def test_zeros_of_users_stay_in_fractions() -> None:
    e = derive(s**2 + s * (2 - m * 0), s)
    text = str(e)
    assert "0" in text
    again = read(text, leaves(e))
    assert np.isnan(again.evaluate({"s": 1.0, "m": np.inf}))
    assert np.isinf(eval_text(derive(sg.sin(s) / (m - m), s), s=1.0, m=1.0))


def eval_text(e: ArrayExpr, **values: float) -> Any:
    """The value of the text of a formula, which Python reads."""
    again = read(str(e), leaves(e))
    return again.evaluate({x.name: values[x.name] for x in again.leaves})


@each("f", (s**m, s * s**m, (1 + s) ** m / s, s * s * s**m + s**m, m * s**1.5 + s**m))
def test_texts_of_powers_are_those_of_the_formula_at_special_points(f: ArrayExpr) -> None:
    """A factor `m * (m - 1)` that is zero makes a term zero, also beside an infinite power."""
    for order, x, y in itertools.product((1, 2, 3), (0.0, 1.0, np.inf), (0.0, 1.0, 2.0, 2.5)):
        e = derive(f, s, order)
        want = e.evaluate({"s": x, "m": y}) if m in e.leaves else e.evaluate({"s": x})
        if not np.isnan(want):
            np.testing.assert_allclose(eval_text(e, s=x, m=y), want, rtol=1e-13)


@each(
    "f, order, text",
    (
        (s * s.sqrt(), 1, "1.5 * sqrt(s)"),
        (s.sqrt() ** 3, 3, "-0.375 / s**1.5"),
        (s / s.sqrt(), 2, "-0.25 / s**1.5"),
        ((m / s).sqrt(), 2, "0.75 * m / (s**3 * sqrt(m / s))"),
        (1 / (s * s + m * m) ** 0.5, 3, "-3 * s * (2 * s**2 - 3 * m**2) / (s**2 + m**2)**3.5"),
    ),
)
def test_rational_powers_are_joined(f: ArrayExpr, order: int, text: str) -> None:
    assert str(derive(f, s, order)) == text


def test_formulas_of_which_no_fraction_is_made() -> None:
    large = s
    for k in range(9):
        large = (large + k * m + n) * (s - k) ** 3
    z = leaf("z", (), sg.complex128)
    assert [*fractions_of(a.sum())] == [*fractions_of(z * z + z)] == [*fractions_of(m * n)] == []
    assert len([*fractions_of(large)]) <= 2


@each("c", (1e12, 10**30, 1e200, -1e160))
def test_derivatives_with_large_numbers_have_texts(c: float) -> None:
    """Products of such numbers have no float; powers of ten take SymPy long."""
    root = sg.cos((s / c - 1 / (m * s)) ** 1.5)
    for e in (derive(sg.log1p(c * s), s, 2), derive(root, s)):
        again = read(str(e), e.leaves)
        if abs(c) < 1e50:  # the square of the number is finite
            points = {x: 0.75 if x is s else -0.5 for x in e.leaves}
            want, got = [x.evaluate(points) for x in (e, again)]
            np.testing.assert_allclose(got, want, rtol=1e-9)


def test_the_size_of_a_polynomial_is_bounded_before_it_is_multiplied_out() -> None:
    p, q = sympy.symbols("p q", real=True)
    u = p**2 + q
    for e in (u**3 * (p - q), sympy.exp(-3 * u**2) + u, q * sympy.exp(u + 7) ** 5, 1 + u**2 * p):
        made, (terms, degree) = sympy.Poly(sympy.expand(e)), _size(e)
        assert len(made.terms()) <= terms
        assert made.total_degree() <= degree
