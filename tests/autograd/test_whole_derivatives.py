"""Jacobians and Hessians by one formula are those of a backward pass for each element."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import symgrad
from symgrad.autograd.functional import hessian, hvp, jacobian, vhp
from tests.autograd.programs import RandomProgram, random_programs
from tests.autograd.support import tensor
from tests.each import each

_few = settings(max_examples=30)


def assert_alike(found: Any, wanted: Any) -> None:
    """Compare nested tuples of derivatives, one recorded row by row."""
    if isinstance(found, tuple):
        for a, b in zip(found, wanted, strict=True):
            assert_alike(a, b)
        return
    assert (found.shape, found.dtype) == (wanted.shape, wanted.dtype)
    assert not found.requires_grad
    b = wanted.detach().numpy()
    scale = np.abs(b).max(initial=1.0)
    np.testing.assert_allclose(found.numpy(), b, rtol=1e-9, atol=1e-9 * scale)


@_few
@given(random_programs)
def test_they_are_those_of_each_row(program: RandomProgram) -> None:
    """What is recorded is computed row by row."""
    inputs = tuple([tensor(a).detach() for a in program.arrays()])

    def f(*xs: Any) -> Any:
        return program.run(list(xs))

    by_rows = hessian(f, inputs, create_graph=True)
    for vectorize in (False, True):
        assert_alike(hessian(f, inputs, vectorize=vectorize), by_rows)
    vectors = tuple([symgrad.cos(x) for x in inputs])
    _, product = vhp(f, inputs, vectors, create_graph=True)
    for transform in (vhp, hvp):
        assert_alike(transform(f, inputs, vectors)[1], product)

    def parts(*xs: Any) -> Any:
        return tuple([x.reshape(-1)[:3].sin() * f(*xs) + f(*xs) for x in xs])

    rows = jacobian(parts, inputs, create_graph=True)
    for vectorize in (False, True):
        assert_alike(jacobian(parts, inputs, vectorize=vectorize), rows)


class Cubed(symgrad.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx: Any, ct: Any) -> Any:
        (x,) = ctx.saved_tensors
        return 3 * x**2 * ct


def with_hook(x: Any) -> Any:
    y = x**3
    if y.requires_grad:
        y.register_hook(lambda g: 2 * g)
    return y.sum() / 2


def checkpointed(x: Any) -> Any:
    return symgrad.utils.checkpoint.checkpoint(lambda x: x**3, x, use_reentrant=False).sum()


def with_retained(x: Any) -> Any:
    y = x**3
    y.retain_grad()
    return y.sum()


CUBES: dict[str, Callable[[Any], Any]] = {
    "plain": lambda x: (x**3).sum(),
    "a custom function": lambda x: Cubed.apply(x).sum(),
    "a hook": with_hook,
    "a checkpoint": checkpointed,
    "a retained gradient": with_retained,
    "one element": lambda x: (x**3).sum().reshape(1),
    "by parts of a view": lambda x: sum([v**3 for v in x.unbind()]),
}


@each("f", CUBES)
@pytest.mark.parametrize("vectorize", [False, True])
def test_what_sees_each_gradient_is_called(f: Callable[[Any], Any], vectorize: bool) -> None:
    x = symgrad.tensor([1.0, 2.0, 4.0], dtype=symgrad.float64)
    assert hessian(f, x, vectorize=vectorize).tolist() == np.diag([6.0, 12, 24]).tolist()
    for transform in (vhp, hvp):
        assert transform(f, x, symgrad.ones(3, dtype=x.dtype))[1].tolist() == [6, 12, 24]


@each("f", [lambda x: (x**0).sum(), lambda x: x.round().sum(), lambda x: x.sum() * 0])
def test_derivatives_that_are_zero_everywhere(f: Callable[[Any], Any]) -> None:
    x = symgrad.tensor([1.0, 2.0], dtype=symgrad.float64)
    assert hessian(f, x).tolist() == [[0, 0], [0, 0]]
    assert [transform(f, x, x)[1].tolist() for transform in (vhp, hvp)] == [[0, 0]] * 2


def test_vectors_of_another_dtype() -> None:
    x, wide = symgrad.ones(2), symgrad.ones(2, dtype=symgrad.float64)
    for transform in (vhp, hvp):
        product = transform(CUBES["plain"], x, wide)[1]
        assert (product.dtype, product.tolist()) == (symgrad.float32, [6, 6])
        with pytest.raises(RuntimeError, match="Mismatch in dtype"):
            transform(CUBES["plain"], x, wide.to(symgrad.complex64))


def test_the_function_is_called_once() -> None:
    calls = []

    def f(x: Any) -> Any:
        calls.append(x)
        return with_hook(x)

    hessian(f, symgrad.ones(3))
    assert len(calls) == 1


def test_in_anomaly_mode_and_a_dual_level() -> None:
    x = symgrad.tensor([1.0, 2.0], dtype=symgrad.float64)
    wanted = [[6.0, 0], [0, 12.0]]
    with symgrad.autograd.set_detect_anomaly(True):
        assert hessian(CUBES["plain"], x).tolist() == wanted
    with symgrad.autograd.forward_ad.dual_level():
        assert hessian(CUBES["plain"], x).tolist() == wanted


def test_a_value_that_was_changed_in_place_is_refused() -> None:
    kept = symgrad.tensor([1.0, 2.0])

    def f(x: Any) -> Any:
        y = x.sin()
        z = (y * y * kept).sum()
        with symgrad.no_grad():
            y.mul_(2)
        return z

    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        hessian(f, symgrad.ones(2))


def test_rows_of_many_elements_are_computed_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """The formula of all rows may need much memory where the Jacobian does not."""
    sizes: list[int] = []

    def f(x: Any) -> Any:
        y = (x[:, None] * symgrad.arange(50.0, dtype=x.dtype)).sin()
        return symgrad.stack([y.sum(), (y * y).sum(), y.exp().sum()])

    x = symgrad.tensor([1.0, 2.0], dtype=symgrad.float64)
    wanted = jacobian(f, x, create_graph=True)
    at_once = symgrad.autograd.jacobians.compute_at_once

    def noted(*args: Any, **options: Any) -> Any:
        found = at_once(*args, **options)
        sizes.append(found is not None)
        return found

    monkeypatch.setattr(symgrad.autograd.jacobians, "compute_at_once", noted)
    for most, used in ((300, True), (299, False)):
        monkeypatch.setattr(symgrad.autograd.jacobians, "MOST_ELEMENTS", most)
        assert_alike(jacobian(f, x), wanted)
        assert sizes.pop() is used
