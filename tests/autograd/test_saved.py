"""What a node saves, and that programs read saved values instead of computing them again."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symgrad
from tests.autograd.support import data, each, kernels, latest_plan, repeated, tensor

pytestmark = pytest.mark.tiny

_FORWARD = {"exp", "sin", "cos", "tanh", "log", "sqrt", "sigmoid", "expm1", "log1p"}


@each(
    "f",
    [
        lambda x: x + 1,
        lambda x: 1 - x,
        lambda x: -x,
        lambda x: x + x,
        lambda x: x - x,
        lambda x: x * 3,
        lambda x: x / 4,
        lambda x: x.sum(),
        lambda x: x.sum(0),
        lambda x: x.mean(),
        lambda x: x.reshape(3, 2),
        lambda x: x.permute(1, 0),
        lambda x: x.transpose(0, 1),
        lambda x: x.unsqueeze(0),
        lambda x: x.broadcast_to((4, 2, 3)),
    ],
)
def test_nothing_is_saved_where_the_derivative_reads_nothing(f: Any) -> None:
    y = f(tensor(np.ones((2, 3))))
    assert y.grad_fn._vertex.saved == ()


@pytest.mark.parametrize(
    ("f", "which"),
    [
        (lambda x: x.rsqrt(), "result"),
        (lambda x: x.sqrt(), "result"),
        (lambda x: x.sin(), "operand"),
        (lambda x: x.cos(), "operand"),
        (lambda x: x.log(), "operand"),
        (lambda x: x**3, "operand"),
    ],
)
def test_one_value_is_saved_and_not_copied(f: Any, which: str) -> None:
    x = tensor([0.5, 2.0])
    y = f(x)
    (saved,) = y.grad_fn._vertex.saved
    assert saved is (data(y) if which == "result" else data(x))


def test_a_product_saves_only_the_factor_that_is_read() -> None:
    x, c = tensor([0.5, 2.0]), symgrad.tensor([3.0, 4.0], dtype=symgrad.float64)
    (saved,) = (x * c).grad_fn._vertex.saved
    assert saved is data(c)
    assert {id(v) for v in (x * x).grad_fn._vertex.saved} == {id(data(x))}


def test_without_grad_nothing_is_recorded() -> None:
    x = tensor([0.5, 2.0])
    with symgrad.no_grad():
        assert x.exp().grad_fn is None
    assert symgrad.tensor([1.0]).exp().grad_fn is None


def test_exp_keeps_its_operand_for_stable_forms() -> None:
    """The derivative of log(1 + exp(x)) is a sigmoid of x, which the record must hold then."""
    x = tensor([1.0, 800.0, -800.0])
    inner = x.exp()
    assert {id(v) for v in inner.grad_fn._vertex.saved} == {id(data(x)), id(data(inner))}
    (1 + inner).log().sum().backward()
    assert x.grad.tolist() == [pytest.approx(0.7310585786300049, rel=1e-15), 1.0, 0.0]


@pytest.mark.parametrize("name", ["exp", "tanh", "sqrt", "sigmoid"])
def test_a_chain_is_differentiated_from_its_saved_results(name: str) -> None:
    y = x = tensor([0.5, 0.6])
    for _ in range(4):
        y = getattr(y, name)()
    y.sum().backward()
    program = latest_plan().program
    assert _FORWARD.isdisjoint(kernels(program))
    assert len(program.inputs) == 4
    assert x.grad is not None


def test_common_factors_are_computed_once() -> None:
    x, w, b = tensor([0.5, 0.6]), tensor([1.5, -0.6]), tensor(0.1)
    z = (x * w + b).sin()
    (z * z + z.exp() + 3.0 * z).sum().backward()
    program = latest_plan().program
    assert repeated(program) == []
    # Of the forward pass only cos is new: the derivative of sin, which nothing has computed.
    assert kernels(program).count("cos") == 1
    assert _FORWARD.isdisjoint(set(kernels(program)) - {"cos"})


def test_what_needs_no_gradient_is_not_computed() -> None:
    x, w = tensor([0.5, 0.6]), tensor([1.5, -0.6])
    y = (x * w).sum() + w.exp().sin().sum()
    symgrad.autograd.grad(y, x)
    assert kernels(latest_plan().program) == []


def test_sharing_over_several_roots() -> None:
    x = tensor([0.5, 0.6])
    inner = x.sin()
    symgrad.autograd.backward([inner.exp().sum(), (inner * 2).sum()])
    program = latest_plan().program
    assert repeated(program) == []
    assert kernels(program).count("cos") == 1
    np.testing.assert_allclose(
        x.grad.numpy(), np.cos([0.5, 0.6]) * (np.exp(np.sin([0.5, 0.6])) + 2), rtol=1e-14
    )
