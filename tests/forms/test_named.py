"""Quantities that formulas show by their names: `symgrad.named`."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import symgrad as sg
from symgrad import derive, leaf, named
from symgrad.expr.graph import leaves, rebuild
from symgrad.expr.node import ArrayExpr
from symgrad.expr.printing import text as printed
from symgrad.normal_form.lowering import normal_form
from tests.each import each
from tests.expr.test_printing import read
from tests.forms.test_formula_text import TEXTS

X, W, b, Y = leaf("X", (10, 3)), leaf("W", (3, 4)), leaf("b", (4,)), leaf("Y", (10, 4))
x, y = leaf("x"), leaf("y", (3,))


def named_everywhere(e: ArrayExpr) -> ArrayExpr:
    """Return a formula in which every part has a name."""

    def visit(node: Any, operands: tuple[ArrayExpr, ...]) -> ArrayExpr:
        if not node.operands:
            return node
        made: ArrayExpr = node.func(*operands, *node.args[len(operands) :])
        return named(made, "h")

    made: ArrayExpr = rebuild([e], visit)[0]
    return made


@each("name", list(TEXTS))
def test_a_name_changes_no_derivative_and_a_text_computes_it(name: str) -> None:
    e, wrt, order, _ = TEXTS[name]
    rng = np.random.default_rng(0)
    values = {z: rng.uniform(0.5, 1.5, z.shape).astype(z.dtype.numpy) for z in leaves(e)}
    plain, made = derive(e, wrt, order), derive(named_everywhere(e), wrt, order)
    want = plain.evaluate(values)
    for formula in (made, normal_form([made])[0]):
        np.testing.assert_allclose(formula.evaluate(values), want, rtol=1e-9, atol=1e-9)
    for text in (str(made), printed(made)):
        got = read(text, leaves(e)).evaluate(values)
        np.testing.assert_allclose(np.broadcast_to(got, want.shape), want, rtol=1e-9, atol=1e-9)


def cross_entropy(X: Any, W: Any, b: Any, Y: Any) -> tuple[Any, Any]:
    p = named(sg.softmax(X @ W + b, 1), "p")
    return p, -(Y * sg.log(p)).sum() / 10


@each(
    "e, want",
    [
        (named(x**2, "h"), "h = x**2\nh"),
        (named(x, "h") + x, "h = x\nh + x"),
        (named(named(x**2, "h"), "g"), "h = x**2\ng = h\ng"),
        (named(x**2, "x") + 1, "x_2 = x**2\nx_2 + 1"),
        (named(2 * x, "h") * named(x + 1, "h"), "h = 2 * x\nh_2 = x + 1\nh * h_2"),
        (named(2 * x, "t1") + sg.exp(x * y) * sg.exp(x * y),
         "t1 = 2 * x\nt2 = exp(x * y)\nt1 + t2 * t2"),
        (sg.exp(named(x, "exp")), "exp = x\nsymgrad.exp(exp)"),
        (derive(named(2 * x, "h") ** 2, x), "h = 2 * x\n4 * h"),
        (derive(named(sg.tanh(x), "h"), x), "h = tanh(x)\n1 - h**2"),
        (derive(named(2 * x, "h") ** 2, "h"), "h = 2 * x\n2 * h"),
        (derive(sg.sin(named(x * 2, "h")), x, 5), "h = x * 2\n32 * cos(h)"),
        ((named(X @ W + b, "h") * 2 + named(X @ W + b, "h")).formula(), "h = X @ W + b\n3 * h"),
        (derive(named(sg.exp(sg.log_softmax(y, 0)), "p").square().sum(), y),
         "p = exp(log_softmax(y, dim=0))\n2 * p * (p - p @ p)"),
        (derive(cross_entropy(X, W, b, Y)[1], W),
         "p = softmax(X @ W + b, dim=1)\nX.T @ (sum(Y, dim=1)[:, None] * p - Y) / 10"),
        (derive(cross_entropy(X, W, b, Y)[1], cross_entropy(X, W, b, Y)[0]),
         "p = softmax(X @ W + b, dim=1)\n-Y / (10 * p)"),
    ],
    ids=str,
)  # fmt: skip
def test_texts(e: Any, want: str) -> None:
    assert str(e) == want


def test_latex_defines_the_name() -> None:
    h = named(X @ W, "h_1")
    want = "\\begin{aligned}\nh_{1} &= X W \\\\\n& 2 \\, h_{1}\n\\end{aligned}"
    assert (2 * h).latex() == want


def test_tensors() -> None:
    rng = np.random.default_rng(0)
    given = [rng.uniform(0.5, 1.5, z.shape) for z in (X, W, b, Y)]
    tensors = [sg.tensor(v, name=z.name) for v, z in zip(given, (X, W, b, Y), strict=True)]
    tensors[1].requires_grad_()
    p, loss = cross_entropy(*tensors)
    want = (
        "p = softmax(X @ W + b, dim=1)\ny = -sum(Y * log(p)) / 10\n"
        "d/dW = X.T @ (sum(Y, dim=1)[:, None] * p - Y) / 10"
    )
    assert str(sg.explain(loss)) == want
    assert (
        str(sg.explain(loss).gradients["W"])
        == str(derive(loss, "W"))
        == "\n".join([want.split("\n")[0], want.split("= ")[-1]])
    )
    assert str(p.expr) == "p = softmax(X @ W + b, dim=1)\np"
    loss.backward()
    e = derive(cross_entropy(X, W, b, Y)[1], W)
    np.testing.assert_allclose(
        tensors[1].grad.numpy(), e.evaluate(dict(zip("XWbY", given, strict=True)))
    )
    assert str(derive(loss, p)) == "p = softmax(X @ W + b, dim=1)\n-Y / (10 * p)"
    # It shares memory, as a view does.
    q = named(tensors[0], "q")
    q.add_(1)
    assert (tensors[0].numpy() == given[0] + 1).all()
    with pytest.raises(RuntimeError, match="leaf Variable that requires grad"):
        named(tensors[1], "q").add_(1)


def test_a_tensor_without_a_history_is_a_leaf_of_that_name() -> None:
    w = sg.tensor([1.0, 2.0], requires_grad=True, name="w")
    aim, mass = named(w.exp().detach(), "fixed_aim"), named(sg.ones(2), "mass_of_each")
    assert mass.name is None and mass.is_leaf and not mass.requires_grad
    loss = (mass * (w - aim) ** 2).sum()
    assert str(loss.expr) == "sum(mass_of_each * (w - fixed_aim)**2)"
    assert str(sg.explain(loss).gradients["w"]) == "2 * mass_of_each * (w - fixed_aim)"
    # Each name stands for one tensor, also where formulas of several are combined.
    second_mass = named(sg.zeros(2), "mass_of_each")
    both = (w * second_mass).expr + (w * mass).expr
    assert str(both) == "w * second_mass + w * mass_of_each"
    second_w = named(sg.ones(2), "w")
    assert str(sg.derive((w * second_w).sum(), w)) == "second_w"


def test_what_a_name_is_to_other_forms() -> None:
    h = named(2 * x, "h")
    assert pickle.loads(pickle.dumps(h)) is h is named(2 * x, "h") is not named(2 * x, "g")
    assert str(h.to_sympy()) == str(sg.exp(h).to_sympy().args[0]) == "2*x"
    assert str(named(y * 2, "h").to_sympy("indexed")) == "2*y[i]"
    assert str(named(y * 2, "h").to_sympy("explicit")) == "[2*y_0, 2*y_1, 2*y_2]"
    assert str((h * 3).subs(h, 5.0 * x)) == "5.0 * x * 3"
    assert str((h * 3).subs(x, y[0])) == "h = 2 * y[0]\nh * 3"
    assert (h * 3).evaluate({"x": 2.0}) == 12
    rows = sg.func.vmap(lambda v: named(v * 2, "h").sum())(sg.ones(3, 2))
    assert rows.tolist() == [4, 4, 4]
    ones = sg.ones(3)
    _, tangent = sg.autograd.functional.jvp(lambda v: named(v * 2, "h").sin(), ones, ones)
    np.testing.assert_allclose(tangent.numpy(), 2 * np.cos(2) * np.ones(3), rtol=1e-6)


@each(
    "call, kind, message",
    [
        (lambda: named(3.0, "h"), TypeError, r"named\(\): argument 'input' .* must be Tensor, not"),
        (lambda: named(x, 3), TypeError, r"named\(\): argument 'name' .* must be str, not int"),
        (lambda: named(x, "1h"), ValueError, "a name must be a Python identifier .* got '1h'"),
        (lambda: named(x, "for"), ValueError, "a name must be a Python identifier .* got 'for'"),
        (lambda: derive(named(2 * x, "h") * named(x + 1, "h"), "h"), ValueError,
         r"derive\(\): several parts are named 'h'; the expression has 'x' .*'h' .*'h' of"),
        (lambda: derive(named(2 * x, "x"), "x"), ValueError, "several parts are named 'x'"),
        (lambda: derive(named(2 * x, "h"), "g"), ValueError, "no leaf is named 'g'.*'h' of shape"),
    ],
)  # fmt: skip
def test_errors(call: Any, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        call()
