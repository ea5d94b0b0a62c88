"""Custom functions in formulas, in memory and at scale."""

from __future__ import annotations

import gc
import pickle
import threading
import types
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import sympy

import symgrad
from symgrad.autograd import Function, function_formulas
from symgrad.autograd.function_formulas import TENSOR, call_of


class Exp(Function):
    """Saves its result, and is written with operations throughout."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        result = x.exp()
        ctx.save_for_backward(result)
        return result

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        (result,) = ctx.saved_tensors
        return grad * result


class Scaled(Function):
    """Has an argument that is no tensor, and an attribute on its context."""

    @staticmethod
    def forward(ctx: Any, x: Any, factor: float) -> Any:
        ctx.factor = factor
        return x * factor

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        return grad * ctx.factor, None


class Both(Function):
    """Has two results, and one that is no tensor."""

    @staticmethod
    def forward(ctx: Any, x: Any, y: Any) -> Any:
        ctx.save_for_backward(x, y)
        return x * y, "no tensor", (x + y).sum()

    @staticmethod
    def backward(ctx: Any, product: Any, _: Any, total: Any) -> Any:
        x, y = ctx.saved_tensors
        return product * y + total, product * x + total


class Sine(Function):
    """Computes with NumPy forwards, and says its derivative in operations."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return symgrad.from_numpy(np.sin(x.detach().numpy()))

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        (x,) = ctx.saved_tensors
        return grad * x.cos()


class Opaque(Function):
    """Computes with NumPy in both directions."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return symgrad.from_numpy(np.sin(x.detach().numpy()))

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        (x,) = ctx.saved_tensors
        return symgrad.from_numpy(grad.detach().numpy() * np.cos(x.detach().numpy()))


class Chosen(Function):
    """Branches on values."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return x * 2 if x.sum() > 0 else x * 3

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        (x,) = ctx.saved_tensors
        return grad * 2 if x.sum() > 0 else grad * 3


class InPlace(Function):
    """Changes its argument."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.mark_dirty(x)
        x.exp_()
        ctx.save_for_backward(x)
        return x

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        (result,) = ctx.saved_tensors
        return grad * result


def tensor(*values: float, name: str | None = None) -> Any:
    x = symgrad.tensor(list(values), dtype=symgrad.float64, requires_grad=True)
    x.name = name
    return x


def test_a_call_is_a_named_function() -> None:
    x = tensor(1.0, 2.0, name="x")
    assert str(Exp.apply(2 * x).expr) == "Exp(2 * x)"
    assert str(Scaled.apply(x, 2.5).expr) == "Scaled(x, 2.5)"
    y, _, z = Both.apply(x, x.exp())
    assert str(y.expr) == "Both(x, exp(x))[0]"
    assert str(z.expr) == "Both(x, exp(x))[2]"
    assert sympy.latex(z.expr) == r"\operatorname{Both}_{2}\left(x, \mathrm{e}^{\odot x}\right)"
    assert Exp.apply(x).expr is Exp.apply(x).expr


def test_what_is_no_number_stands_as_dots() -> None:
    class Configured(Function):
        @staticmethod
        def forward(ctx: Any, x: Any, options: Any, flag: Any, text: Any) -> Any:
            return x * 1

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return grad, None, None, None

    x = tensor(1.0, name="x")
    y = Configured.apply(x, {"a": "}{0"}, True, "'); import os")
    assert str(y.expr) == "Configured(x, ..., True, ...)"
    assert str(symgrad.explain(y).gradients["x"]) == "ones((1,), dtype=float64)"


@pytest.mark.parametrize("name", ["a b", "x); import os; (", "class", "{0}", r"\input{x}", "<b>"])
def test_a_name_that_is_none_reaches_no_formula(name: str) -> None:
    hostile: Any = types.new_class(name, (Exp,))
    y = hostile.apply(tensor(1.0, name="x"))
    assert str(y.expr) == "custom(x)"
    assert sympy.latex(y.expr) == r"\operatorname{custom}\left(x\right)"
    assert y.grad_fn.name() == f"{name}Backward"


CASES: dict[str, tuple[Callable[[Any], Any], str | None]] = {
    "Exp": (lambda x: Exp.apply(x * x), "2 * x * Exp(x**2)"),
    "Scaled": (lambda x: Scaled.apply(x.sin(), 3.0), "3 * cos(x)"),
    "Both": (lambda x: (lambda y, _, z: y * z)(*Both.apply(x, 2 * x)), None),
    "Sine": (lambda x: Sine.apply(3 * x), "3 * cos(3 * x)"),
    "Opaque": (
        lambda x: Opaque.apply(3 * x),
        "3 * Opaque.backward(3 * x, ones((2,), dtype=float64))",
    ),
    "Chosen": (
        lambda x: Chosen.apply(x.exp()),
        "t1 = exp(x)\nt1 * Chosen.backward(t1, ones((2,), dtype=float64))",
    ),
    "InPlace": (lambda x: InPlace.apply(x * 2), "2 * InPlace(2 * x)"),
    "nested": (lambda x: Exp.apply(Sine.apply(x)) * Scaled.apply(x, 2), None),
}


@pytest.mark.parametrize("case", CASES)
def test_the_formula_of_the_gradient_gives_what_backward_gives(case: str) -> None:
    f, text = CASES[case]
    x = tensor(0.3, -0.7, name="x")
    y = f(x).sum()
    explanation = symgrad.explain(y)
    formula = explanation.gradients["x"]
    if text is not None:
        assert str(formula) == text
    y.backward()
    assert x.grad is not None
    given = {"x": x.detach().numpy()}
    np.testing.assert_allclose(formula.evaluate(given), x.grad.numpy(), rtol=1e-14)
    np.testing.assert_allclose(y.expr.evaluate(given), y.item(), rtol=1e-14)
    derived = symgrad.derive(y, x)
    np.testing.assert_allclose(derived.evaluate(given), x.grad.numpy(), rtol=1e-14)


@pytest.mark.parametrize("case", CASES)
def test_second_derivatives_are_those_of_recorded_gradients(case: str) -> None:
    f, _ = CASES[case]
    x = tensor(0.3, -0.7, name="x")
    y = (f(x) * x).sum()
    (g,) = symgrad.autograd.grad(y, x, create_graph=True)
    (h,) = symgrad.autograd.grad((g * symgrad.tensor([1.0, 2.0])).sum(), x)
    hessian = symgrad.derive(y, x, order=2).evaluate({"x": x.detach().numpy()})
    np.testing.assert_allclose(hessian @ [1.0, 2.0], h.numpy(), rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("case", CASES)
def test_jacobians_take_one_row_at_a_time_where_there_is_no_formula(case: str) -> None:
    f, _ = CASES[case]
    x = tensor(0.3, -0.7, name="x")
    y = f(x)
    jacobian = symgrad.derive(y, x).evaluate({"x": x.detach().numpy()})
    rows = [
        symgrad.autograd.grad(y, x, symgrad.eye(2, dtype=symgrad.float64)[k], retain_graph=True)[0]
        for k in range(2)
    ]
    np.testing.assert_allclose(jacobian, np.stack([r.numpy() for r in rows]), rtol=1e-14)


class Misspelt(Function):
    """Has a mistake in its derivative."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        return x * 2

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        return grad * factr  # type: ignore[name-defined]  # noqa: F821


def test_a_mistake_in_a_derivative_shows_where_the_derivative_runs() -> None:
    x = tensor(0.5, -1.0)
    with pytest.raises(NameError, match="factr"):
        Misspelt.apply(x).sum().backward()
    with pytest.raises(NameError, match="factr"):
        symgrad.explain(Misspelt.apply(x).sum())
    with pytest.raises(NameError, match="factr"):
        symgrad.autograd.functional.hessian(lambda x: Misspelt.apply(x).sum(), x)


def test_a_failure_of_the_library_is_not_taken_for_code_without_a_formula(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    x, y = tensor(0.5), tensor(2.0)
    product, _, _ = Both.apply(x, y)
    symgrad.explain(product)

    def broken(*args: Any) -> Any:
        raise KeyError("inside")

    monkeypatch.setattr(function_formulas, "jvp", broken)
    with pytest.raises(KeyError, match="inside"):
        symgrad.explain(product)


def test_a_function_is_applied_to_expressions() -> None:
    t = symgrad.leaf("t", (2,))
    y = Exp.apply(t * t)
    assert str(y) == "Exp(t * t)"
    assert y.shape == (2,)
    y, text, z = Both.apply(t, symgrad.tensor([3.0, 4.0], dtype=symgrad.float64))
    assert text == "no tensor"
    assert z.shape == ()
    np.testing.assert_allclose(symgrad.derive(z + y.sum(), t).evaluate({t: [1.0, 2.0]}), [4.0, 5.0])


def test_forward_that_needs_numbers_says_so_of_expressions() -> None:
    with pytest.raises(AttributeError, match="a formula has no 'numpy'"):
        Opaque.apply(symgrad.leaf("t", (2,)))


def test_another_shape_is_put_in() -> None:
    made = Exp.apply(tensor(1.0, 2.0, name="x")).expr
    changed = made.func(symgrad.leaf("z", (3,)), *made.args[1:])
    assert changed.shape == (3,)
    np.testing.assert_allclose(changed.evaluate({"z": [0.0, 1.0, 2.0]}), np.exp([0.0, 1.0, 2.0]))


def test_there_is_no_source_of_python_code() -> None:
    explanation = symgrad.explain(Exp.apply(tensor(1.0, name="x")).sum())
    with pytest.raises(ValueError, match="Exp is a custom function: it runs Python code"):
        explanation.source()


def test_a_formula_that_the_code_does_not_keep_to() -> None:
    growing = [1, 1, 2]

    class Growing(Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return symgrad.ones(growing.pop(0), dtype=symgrad.float64) * x.sum()

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return grad.sum()

    y = Growing.apply(tensor(1.0, name="x")).expr
    y.evaluate({"x": [1.0]})
    with pytest.raises(
        RuntimeError, match=r"Growing returned float64\[2\], where its formula says"
    ):
        y.evaluate({"x": [1.0]})


def test_formulas_with_calls_are_pickled() -> None:
    y = (Scaled.apply(Exp.apply(tensor(1.0, 2.0, name="x")), 2.0) * 3).sum().expr
    assert pickle.loads(pickle.dumps(y)) is y
    opaque = symgrad.explain(Opaque.apply(tensor(1.0, name="x")).sum()).gradients["x"]
    assert pickle.loads(pickle.dumps(opaque)) is opaque


def test_equal_arguments_make_equal_calls() -> None:
    assert call_of(Scaled, (TENSOR, 1.0)) is call_of(Scaled, (TENSOR, 1.0))
    different = [call_of(Scaled, (TENSOR, v)) for v in (1, 1.0, True, -0.0, 0.0, [1], [1])]
    assert len({repr(c) for c in different}) == len(different)


def test_nothing_is_kept_alive_by_a_cycle() -> None:
    gc.collect()
    gc.disable()
    try:
        x = tensor(1.0, 2.0)
        functions: list[Callable[[Any], Any]] = [
            Exp.apply,
            lambda x: Both.apply(x, x)[0],
            lambda x: InPlace.apply(x * 1),
        ]
        for f in functions:
            y = f(x)
            nodes = [weakref.ref(y.grad_fn), weakref.ref(y.grad_fn._vertex)]
            (g,) = symgrad.autograd.grad(y.sum(), x, create_graph=True)
            del y, g
            assert [ref() for ref in nodes] == [None, None]
    finally:
        gc.enable()


def test_a_node_that_is_held_outlives_its_results() -> None:
    y = Exp.apply(tensor(1.0))
    node = y.grad_fn
    del y
    (saved,) = node.saved_tensors
    assert saved.grad_fn is node
    edge = symgrad.autograd.graph.GradientEdge(node, 0)
    x = node.next_functions[0][0].variable
    assert x is None  # the leaf is gone, too
    assert symgrad.autograd.grad(edge, edge, symgrad.ones(1))[0].tolist() == [1.0]


@pytest.mark.parametrize("between", [False, True])
def test_deep_chains_do_not_recurse(between: bool) -> None:
    x = tensor(1.0)
    y = x
    for _ in range(5_000):
        y = Scaled.apply(y, 1.0)
        if between:
            y = y + 0.0
    y.sum().backward()
    assert x.grad is not None
    assert x.grad.tolist() == [1.0]


def test_wide_sums_of_functions() -> None:
    xs = [tensor(float(i)) for i in range(2_000)]
    total = symgrad.stack([Scaled.apply(x, 2.0) for x in xs]).sum()
    total.backward()
    assert all(x.grad is not None and x.grad.tolist() == [2.0] for x in xs)


def test_threads_apply_and_differentiate_at_once() -> None:
    x = tensor(0.0, 1.0)
    failed: list[BaseException] = []

    def work() -> None:
        try:
            for _ in range(50):
                Exp.apply(Scaled.apply(x, 1.0)).sum().backward()
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not failed
    assert x.grad is not None
    np.testing.assert_allclose(x.grad.numpy(), 200 * np.exp([0.0, 1.0]), rtol=1e-12)
