"""`vmap` of formulas, and the formulas of what `vmap` computed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symgrad as torch

pytestmark = pytest.mark.tiny

X, Y, Z = np.arange(6.0).reshape(3, 2), np.array([2.0, -1.0]), np.array([0.5, 3.0, 1.5])


def value(formula: Any, **arrays: Any) -> Any:
    return formula.evaluate(
        {k: v for k, v in arrays.items() if k in {x.name for x in formula.leaves}}
    )


def leaves() -> tuple[Any, Any, Any]:
    return torch.leaf("x", (3, 2)), torch.leaf("y", (2,)), torch.leaf("z", (3,))


def test_levels_are_told_apart() -> None:
    """An entry of the outer level and one of the inner may have the same shape and dtype."""
    _, y, z = leaves()
    outer = torch.vmap(torch.vmap(lambda a, b: a - b, in_dims=(None, 0)), in_dims=(0, None))
    np.testing.assert_array_equal(value(outer(z, y), y=Y, z=Z), np.subtract.outer(Z, Y))
    captured = torch.vmap(lambda a: torch.vmap(lambda b: a / b)(y) * a)(z)
    np.testing.assert_allclose(value(captured, y=Y, z=Z), (Z[:, None] / Y) * Z[:, None])
    three = torch.vmap(lambda a: torch.vmap(lambda b: torch.vmap(lambda c: a - b * c)(z))(y))(z)
    np.testing.assert_allclose(
        value(three, y=Y, z=Z), Z[:, None, None] - Y[:, None] * Z, rtol=1e-15
    )


def test_axes() -> None:
    x, y, _ = leaves()
    column = torch.vmap(lambda a, b: a.cumsum(0) * b, in_dims=(1, 0), out_dims=1)(x, y)
    np.testing.assert_array_equal(value(column, x=X, y=Y), X.cumsum(0) * Y)
    both = torch.vmap(lambda a: {"s": a.sum(), "t": (a,)}, out_dims={"s": 0, "t": 1})(x)
    assert both["s"].shape == (3,)
    assert both["t"][0].shape == (2, 3)


def test_names_of_a_user_stay_theirs() -> None:
    """No entry is one of the leaves that a user names, whatever the name."""
    for name in ("e0", "e1_0", "b0", "x0"):
        own = torch.leaf(name)
        found = torch.vmap(lambda a, own=own: a * own)(torch.leaf("x", (3,)))
        np.testing.assert_array_equal(value(found, x=Z, **{name: np.array(5.0)}), Z * 5)


def test_what_is_the_same_for_all() -> None:
    x, y, _ = leaves()
    assert torch.vmap(lambda a: y, out_dims=None)(x) is y
    repeated = torch.vmap(lambda a: y)(x)
    np.testing.assert_array_equal(value(repeated, y=Y), np.stack([Y] * 3))
    number = torch.vmap(lambda a: (a, 3), out_dims=(0, None))(x)
    assert number[1] == 3


def test_chunks() -> None:
    x, y, _ = leaves()
    found = torch.vmap(lambda a: a * y, chunk_size=2)(x)
    np.testing.assert_array_equal(value(found, x=X, y=Y), X * Y)


def test_tensors_beside_formulas() -> None:
    x, _, _ = leaves()
    tensor = torch.tensor(X)
    found = torch.vmap(lambda a, b: a * b)(x, tensor)
    np.testing.assert_array_equal(value(found, x=X), X * X)
    named = torch.tensor(X, requires_grad=True, name="w")
    found = torch.vmap(lambda a, b: a @ b)(x, named)
    assert {leaf.name for leaf in found.leaves} == {"x", "w"}
    np.testing.assert_array_equal(value(found, x=X, w=X), (X * X).sum(1))


@pytest.mark.parametrize(
    ("returned", "out_dims", "message"),
    [
        (lambda a: 1, 0, "must only return Tensors, got type <class 'int'>"),
        (lambda a: a, None, "can not return a BatchedTensor when out_dim is None"),
        (lambda a: a.sum() * 2, None, "can not return a BatchedTensor when out_dim is None"),
        (lambda a: (a, a), (0,), "out_dims is not compatible"),
    ],
)
def test_errors_are_those_of_tensors(returned: Any, out_dims: Any, message: str) -> None:
    x, _, _ = leaves()
    for argument in (x, torch.tensor(X)):
        with pytest.raises(ValueError, match=message):
            torch.vmap(returned, out_dims=out_dims)(argument)


def test_modes_are_over_when_it_ends() -> None:
    x, _, _ = leaves()
    with pytest.raises(ZeroDivisionError):
        torch.vmap(lambda a: a * (1 // 0))(x)
    t = torch.ones(2, requires_grad=True)
    (t * t).sum().backward()
    assert t.grad.tolist() == [2.0, 2.0]


def test_derivatives_of_what_was_mapped() -> None:
    x, y, _ = leaves()
    total = torch.vmap(lambda a: (a**2 * y).sum())(x).sum()
    np.testing.assert_allclose(value(torch.derive(total, x), x=X, y=Y), 2 * X * Y)
    np.testing.assert_allclose(value(torch.derive(total, y), x=X, y=Y), (X**2).sum(0))


def test_the_formula_of_what_was_computed() -> None:
    x = torch.tensor(X, requires_grad=True, name="x")
    w = torch.tensor(Y, requires_grad=True, name="w")
    total = torch.vmap(lambda a: (a.sin() * w).sum())(x).sum()
    np.testing.assert_allclose(value(total.expr, x=X, w=Y), float(total.detach()))
    shown = torch.explain(total).gradients
    total.backward()
    np.testing.assert_array_equal(value(shown[x], x=X, w=Y), x.grad.numpy())
    np.testing.assert_array_equal(value(shown[w], x=X, w=Y), w.grad.numpy())


def test_custom_functions() -> None:
    class Square(torch.autograd.Function):
        generate_vmap_rule = True

        @staticmethod
        def forward(x: Any) -> Any:
            return x * x

        @staticmethod
        def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
            ctx.save_for_backward(*inputs)

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return 2 * ctx.saved_tensors[0] * grad

    t = torch.tensor(X, requires_grad=True, name="t")
    total = torch.vmap(Square.apply)(t).sum()
    shown = torch.explain(total).gradients[t]
    total.backward()
    np.testing.assert_array_equal(value(shown, t=X), 2 * X)
    np.testing.assert_array_equal(t.grad.numpy(), 2 * X)
    x, _, _ = leaves()
    np.testing.assert_array_equal(value(torch.vmap(Square.apply)(x), x=X), X * X)
    nested = torch.vmap(torch.vmap(Square.apply))(t)
    np.testing.assert_array_equal(value(torch.derive(nested.sum(), t), t=X), 2 * X)
