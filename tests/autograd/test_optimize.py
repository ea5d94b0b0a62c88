"""SciPy's optimisers with compiled derivatives, beside SciPy's own with what is known by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.optimize

import symgrad as sg
from symgrad.optimize import least_squares, minimize, root
from tests.each import each

METHODS = [
    None, "CG", "BFGS", "L-BFGS-B", "TNC", "SLSQP", "Newton-CG", "dogleg", "trust-ncg",
    "trust-krylov", "trust-exact", "trust-constr", "Nelder-Mead", "Powell", "COBYLA",
]  # fmt: skip


def bowl(x: Any, a: Any = 1.0) -> Any:
    return ((x - a) ** 2).sum() + ((x[1:] - x[:-1]) ** 2).sum() + (x**4).sum() / 10


@each("method", METHODS, ids=str)
def test_each_method_finds_what_it_finds_with_derivatives_by_hand(method: str | None) -> None:
    x0 = np.array([0.5, -0.5, 0.25])

    def slope(x: Any, a: Any = 1.0) -> Any:
        d = x[1:] - x[:-1]
        return (
            2 * (x - a) + 2 * np.concatenate([[0], d]) - 2 * np.concatenate([d, [0]]) + 0.4 * x**3
        )

    def hessian(x: Any, a: Any = 1.0) -> Any:
        flat = np.diag(2 + 1.2 * x**2)
        return flat + 2 * np.array([[1, -1, 0], [-1, 2, -1], [0, -1, 1]])

    options: dict[str, Any] = {}
    if method not in ("Nelder-Mead", "Powell", "COBYLA"):
        options["jac"] = slope
    second = ("Newton-CG", "dogleg", "trust-ncg", "trust-krylov", "trust-exact", "trust-constr")
    if method in second:
        options["hess"] = hessian
    wanted = scipy.optimize.minimize(bowl, x0, (2.0,), method, **options)
    found = minimize(bowl, x0, (2.0,), method)
    assert found.success == wanted.success
    assert found.nit == wanted.nit if "nit" in wanted else True
    np.testing.assert_allclose(found.x, wanted.x, rtol=1e-6, atol=1e-8)


def test_containers_tensors_and_arguments() -> None:
    x0 = {"w": sg.tensor([[0.0, 1.0]]), "b": (0, np.float32(1.0))}
    t = np.linspace(0, 1, 7)

    def f(p: Any, t: Any, d: Any) -> Any:
        return (
            ((p["w"] @ np.array([1.0, 2.0]) - 3) ** 2).sum()
            + ((p["b"][0] * t - d["y"]) ** 2).sum()
            + p["b"][1] ** 2
        )

    found = minimize(f, x0, (sg.tensor(t), {"y": 2 * t}))
    assert isinstance(found.x["w"], sg.Tensor)
    assert found.x["w"].shape == (1, 2)
    assert found.x["b"][0] == pytest.approx(2.0)
    assert found.x["b"][1] == pytest.approx(0.0, abs=1e-6)
    bounded = minimize(lambda x: x**2, 3.0, bounds=[(1.0, 4.0)])
    assert bounded.x == pytest.approx(1.0)
    many = minimize(bowl, np.zeros(300), method="Newton-CG")  # by products of the Hessian
    assert many.success


def test_least_squares_and_roots() -> None:
    t = np.linspace(0, 2, 30)
    y = 2 * np.exp(-1.5 * t) + 0.1

    def residuals(p: Any, t: Any) -> Any:
        return [p["a"] * np.exp(-p["k"] * t) + p["c"] - y, p["c"] * 0]

    for method in ("trf", "dogbox", "lm"):
        found = least_squares(residuals, {"a": 1.0, "k": 1.0, "c": 0.0}, (t,), method=method)
        assert found.x == pytest.approx({"a": 2.0, "k": 1.5, "c": 0.1}, abs=1e-6)
    for method in ("hybr", "lm", "broyden1", "krylov"):
        solved = root(
            lambda x: np.stack([x[0] + x[1] - 3, x[0] * x[1] - 2]),
            np.array([0.0, 2.5]),
            method=method,
        )
        np.testing.assert_allclose(solved.x, [1, 2], atol=1e-4)


@each("call, error, match", {
    "no number": (lambda: minimize(lambda x: x, np.ones(2)), RuntimeError, "scalar"),
    "text": (lambda: minimize(bowl, "a"), TypeError, "x0 holds str"),
    "complex": (lambda: root(bowl, 1j), TypeError, "x0 holds complex"),
    "branch": (lambda: minimize(lambda x: x if x > 0 else -x, 1.0), TypeError, "where"),
    "method": (lambda: minimize(bowl, np.ones(3), method="none"), ValueError, "Unknown solver"),
})  # fmt: skip
def test_bad_input(call: Any, error: type[Exception], match: str) -> None:
    with pytest.raises(error, match=match):
        call()


def test_without_scipy_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str, *args: Any) -> Any:
        raise ImportError(name)

    monkeypatch.setattr("importlib.import_module", missing)
    for function in (minimize, least_squares, root):
        with pytest.raises(ImportError, match=r"symgrad\[special\]"):
            function(bowl, np.ones(2))


def test_a_function_may_read_parameters() -> None:
    p = sg.tensor(2.0, requires_grad=True, dtype=sg.float64)
    found = minimize(lambda v: ((v - p) ** 2).sum(), np.zeros(2))
    np.testing.assert_allclose(found.x, [2.0, 2.0], atol=1e-6)
    np.testing.assert_allclose(least_squares(lambda v: v - p, np.zeros(2)).x, [2.0, 2.0])
    np.testing.assert_allclose(root(lambda v: v - p, np.zeros(2)).x, [2.0, 2.0])
    assert p.grad is None
    assert least_squares(lambda v: [v - 3, 1.0], 0.0).x == pytest.approx(3.0)


@pytest.mark.parametrize("search", [minimize, least_squares, root])
def test_derivatives_are_not_given(search: Any) -> None:
    with pytest.raises(TypeError, match="computes 'jac' itself"):
        search(lambda v: v.sum(), np.zeros(1), jac=lambda v: v)
    with pytest.raises(ValueError, match="no number"):
        search(lambda v: v.sum(), np.zeros(0))
