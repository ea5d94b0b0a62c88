"""Transforms of functions beside derivatives found otherwise, of custom functions too."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

import symgrad as sg
from symgrad import func
from tests.each import each

V, M = np.array([0.5, 1.5, -0.25]), np.arange(12.0).reshape(4, 3) / 8


def number(x: Any) -> Any:
    return (x.sin() * x).sum() ** 2


def array(x: Any) -> Any:
    return x.sin() * x.sum()


#: A transform of a function of one argument, applied to it.
OF_ONE: dict[str, Any] = {
    "grad": lambda x: func.grad(number)(x),
    "value": lambda x: func.value_and_grad(number)(x)[0],
    "value and grad": lambda x: func.value_and_grad(number)(x)[1],
    "grad and value": lambda x: func.grad_and_value(number)(x)[0],
    "vjp": lambda x: func.vjp(array, x)[1](x * 2)[0],
    "jvp": lambda x: func.jvp(array, (x,), (x * 2,))[1],
    "linearize": lambda x: func.linearize(array, x)[1](x * 2),
    "jacrev": lambda x: func.jacrev(array)(x),
    "jacfwd": lambda x: func.jacfwd(array)(x),
    "jacobian": lambda x: func.jacobian(array)(x),
    "hessian": lambda x: func.hessian(number)(x),
    "hessian of an array": lambda x: func.hessian(array)(x),
    "hvp": lambda x: func.hvp(number)(x, x * 2),
    "grad of grad": lambda x: func.grad(lambda x: func.grad(number)(x)[0])(x),
}


@each("of", OF_ONE)
def test_a_transform_of_a_formula_has_the_value_of_that_of_a_tensor(of: Any) -> None:
    x = sg.leaf("x", (3,))
    formula, value = of(x), of(sg.tensor(V))
    assert not value.requires_grad
    np.testing.assert_allclose(formula.evaluate({"x": V}), value.numpy(), rtol=1e-12)


@each("of", OF_ONE)
def test_a_transform_of_each_is_that_of_one_after_the_other(of: Any) -> None:
    every = sg.vmap(of)(sg.tensor(M))
    for row, found in zip(M, every, strict=True):
        np.testing.assert_allclose(found.numpy(), of(sg.tensor(row)).numpy(), rtol=1e-12)


def test_products_with_the_hessian_are_those_of_the_matrix() -> None:
    x, v = sg.tensor(V), sg.tensor(V[::-1].copy())
    want = func.hessian(number)(x) @ v
    np.testing.assert_allclose(func.hvp(number)(x, v).numpy(), want.numpy(), rtol=1e-12)
    both = func.hvp(lambda p, c: number(p["a"]) * c + p["b"] ** 2)
    made = both({"a": x, "b": sg.tensor(3.0)}, {"a": v, "b": sg.tensor(1.0)}, 2.0)
    np.testing.assert_allclose(made["a"].numpy(), 2 * want.numpy(), rtol=1e-12)
    assert made["b"].item() == 2


@dataclasses.dataclass
class Layer:
    weight: Any
    bias: Any
    name: str = "hidden"


def test_dataclasses_are_containers_of_the_fields_that_hold_tensors() -> None:
    layer = Layer(sg.tensor(M), {"b": sg.tensor(V)}, "first")
    found = func.grad(lambda p: (p.weight @ p.bias["b"]).sum())(layer)
    assert type(found) is Layer and found.name == "first"
    np.testing.assert_allclose(found.weight.numpy(), np.broadcast_to(V, M.shape))
    np.testing.assert_allclose(found.bias["b"].numpy(), M.sum(0))
    rows = sg.vmap(lambda p: p.weight * 2)(Layer(sg.tensor(M), sg.tensor(M)))
    np.testing.assert_allclose(rows.numpy(), 2 * M)


class Cube(sg.autograd.Function):
    @staticmethod
    def forward(x: Any) -> Any:
        return x**3

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        (x,) = ctx.saved_tensors
        return 3 * x**2 * g


class Mapped(Cube):
    generate_vmap_rule = True


class Ruled(Cube):
    @staticmethod
    def vmap(info: Any, in_dims: Any, x: Any) -> Any:
        return Ruled.apply(x), in_dims[0]


@each("function", (Cube, Mapped, Ruled))
def test_transforms_of_custom_functions(function: Any) -> None:
    x = sg.tensor(V)
    f = lambda x: function.apply(x).sum()  # noqa: E731
    np.testing.assert_allclose(func.grad(f)(x).numpy(), 3 * V**2)
    np.testing.assert_allclose(func.hessian(f)(x).numpy(), np.diag(6 * V))
    if function is Cube:
        with pytest.raises(RuntimeError, match="vmap"):
            sg.vmap(func.grad(f))(sg.tensor(M))
        return
    np.testing.assert_allclose(sg.vmap(func.grad(f))(sg.tensor(M)).numpy(), 3 * M**2)


def test_a_pullback_may_be_called_again_and_in_a_map_that_begins_later() -> None:
    y, pull = func.vjp(array, sg.tensor(V))
    rows = sg.vmap(pull)(sg.eye(3, dtype=sg.float64))[0]
    np.testing.assert_allclose(rows.numpy(), func.jacrev(array)(sg.tensor(V)).numpy())
    np.testing.assert_allclose(pull(y)[0].numpy(), (y @ rows).numpy())


def test_nothing_is_left_of_a_call_that_raises() -> None:
    def broken(x: Any) -> Any:
        raise KeyError("mine")

    x = sg.tensor(V)
    for of in (func.grad(broken), func.jacrev(broken), func.hessian(broken)):
        with pytest.raises(KeyError, match="mine"):
            of(x)
    assert not func.grad(number)(x).requires_grad  # no transform is thought to be around it


def test_a_transform_differentiates_by_its_own_argument_alone() -> None:
    """Also where the function reads the same formula from around it."""
    x = sg.leaf("x")
    at = sg.tensor(3.0, dtype=sg.float64)
    for f in (
        func.grad(lambda x: x * func.grad(lambda y: x * y)(x)),
        func.grad(lambda x: x * func.jvp(lambda y: x * y**2, (x,), (x,))[1]),
        func.grad(lambda x: x * func.vjp(lambda y: x * y**2, x)[1](x)[0]),
        func.grad(lambda x: x * func.linearize(lambda y: x * y**2, x)[1](x)),
        func.grad(lambda x: x * func.hessian(lambda y: x * y**3)(x)),
        func.grad(lambda x: x * func.hvp(lambda y: x * y**3)(x, x)),
    ):
        assert float(f(x).evaluate({x: 3.0})) == pytest.approx(float(f(at)), rel=1e-12)
    (slope,) = func.vjp(lambda y: x * y, 2 * x)[1](1.0)
    assert slope is x


def test_what_is_differentiable_once_is_refused_twice() -> None:
    class Square(sg.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            return x**2

        @staticmethod
        @sg.autograd.function.once_differentiable
        def backward(ctx: Any, ct: Any) -> Any:
            return 2 * ctx.saved_tensors[0] * ct

    x, v = sg.tensor(V), sg.ones(3, dtype=sg.float64)
    np.testing.assert_array_equal(func.grad(lambda x: Square.apply(x).sum())(x), 2 * V)
    for twice in (
        lambda: func.jvp(Square.apply, (x,), (v,)),
        lambda: func.linearize(Square.apply, x)[1](v),
        lambda: func.hvp(lambda x: Square.apply(x).sum())(x, v),
        lambda: func.hessian(lambda x: Square.apply(x).sum())(x),
        lambda: func.grad(lambda x: func.grad(lambda y: Square.apply(y).sum())(x).sum())(x),
    ):
        with pytest.raises(RuntimeError, match="trying to differentiate twice"):
            twice()


def test_what_does_not_depend_on_one_of_several_arguments_has_zeros() -> None:
    x, y = np.array([1.0, 2.0]), np.array([3.0, -1.0])
    zero = np.zeros((2, 2))
    for a, b in ((x, y), (sg.tensor(x), sg.tensor(y))):
        ((aa, ab), (ba, bb)) = func.hessian(lambda a, b: (a * b**2).sum(), argnums=(0, 1))(a, b)
        np.testing.assert_array_equal(aa, zero)
        np.testing.assert_allclose(ab, np.diag(2 * y))
        np.testing.assert_allclose(ba, np.diag(2 * y))
        np.testing.assert_allclose(bb, np.diag(2 * x))
        for transform in (func.grad, func.jacrev, func.jacfwd):
            found = transform(lambda d: (d["b"] ** 2).sum())({"a": a, "b": b})
            np.testing.assert_array_equal(found["a"], 0 * x)
            np.testing.assert_allclose(found["b"], 2 * y)


def test_results_with_parts_in_common_have_jacobians_whatever_their_lengths() -> None:
    def several(x: Any, s: Any) -> Any:
        t = sg.exp(x * s)
        return t.sum(), t[:1], {"a": t, "b": t[0] * t}

    x, s = sg.tensor([1.0, 2.0], dtype=sg.float64), sg.tensor(0.5, dtype=sg.float64)
    rows, columns = (of(several, (0, 1))(x, s) for of in (func.jacrev, func.jacfwd))
    for one, other in zip(
        (*rows[0], *rows[1], *rows[2]["a"], *rows[2]["b"]),
        (*columns[0], *columns[1], *columns[2]["a"], *columns[2]["b"]), strict=True,
    ):  # fmt: skip
        np.testing.assert_allclose(one.numpy(), other.numpy(), rtol=1e-14)
    # The slope by the first argument is one number.
    (by_s, mixed), (_, by_x) = func.hessian(lambda s, x: ((x - s) ** 3).sum(), (0, 1))(s, x)
    np.testing.assert_allclose(by_s.item(), 6 * (x - s).sum().item())
    np.testing.assert_allclose(mixed.numpy(), -6 * (x - s).numpy())
    np.testing.assert_allclose(by_x.numpy(), np.diag(6 * (x - s).numpy()))


def test_transforms_of_arrays_within_and_beside() -> None:
    x = np.array([1.0, 2.0, 4.0])
    inner = {
        "grad": lambda v: func.grad(lambda q: (q**2).sum())(v),
        "jvp": lambda v: func.jvp(np.sin, (v,), (np.ones(3),))[1],
        "vjp": lambda v: func.vjp(np.sin, v)[1](np.ones(3))[0],
        "linearize": lambda v: func.linearize(np.sin, v)[1](np.ones(3)),
        "jacrev": lambda v: func.jacrev(np.sin)(v).sum(0),
        "vmap": lambda v: func.vmap(lambda q: np.sin(q) * 2)(v),
        "hvp": lambda v: func.hvp(lambda q: (q**3).sum())(v, np.ones(3)),
    }
    for f in inner.values():
        alone = f(x)
        assert isinstance(alone, np.ndarray)
        for outer in (func.compile, lambda g: func.jacrev(g)):
            outer(lambda v, f=f: v * f(np.ones(3)))(x)
        made = func.compile(lambda v, f=f: v * f(np.ones(3)))(x)
        np.testing.assert_allclose(made, x * f(np.ones(3)), rtol=1e-12)
        np.testing.assert_allclose(f(sg.tensor(x)), alone, rtol=1e-12)
    mixed = func.grad(lambda a, b: (a * b).sum())(x, sg.tensor(x))
    np.testing.assert_allclose(mixed, x)
    value, rows = func.jet(np.sin, (x,), ((np.ones(3),),))
    assert [type(y) for y in (value, *rows)] == [np.ndarray] * 2


def test_a_pullback_of_arrays_is_that_of_the_values_given() -> None:
    x = np.array([1.0, 2.0])
    _, pull = func.vjp(np.sin, x)
    _, push = func.linearize(np.sin, x)
    wanted = np.cos(x)
    x *= 0
    np.testing.assert_allclose(pull(np.ones(2))[0], wanted)
    np.testing.assert_allclose(push(np.ones(2)), wanted)
