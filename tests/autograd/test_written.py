"""A symbol stands for one tensor at one version: programs that write between operations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symgrad
from symgrad.autograd import cache_clear, cache_info
from tests.autograd import written
from tests.autograd.support import each
from tests.data.record_written import SEEDS, read

_RECORDED = read()


def test_every_seed_is_recorded() -> None:
    assert list(_RECORDED) == list(SEEDS)


def test_most_programs_are_compared() -> None:
    """What is refused by PyTorch, or too large to mean anything, is the smaller part."""
    usable = [x for x in _RECORDED.values() if not x.error and x.second and x.largest <= 50]
    assert len(usable) > len(SEEDS) // 3


@each("seed", list(SEEDS))
def test_programs_give_what_pytorch_gives(seed: int) -> None:
    given = written.program(seed)
    for _ in range(2):  # by a new plan, and by one that is known
        found = written.differences(written.run(symgrad, given), _RECORDED[seed])
        assert not found, f"{found}\n{given}"


def test_equal_derivatives_of_values_that_became_unequal() -> None:
    """In the second pass both slopes are `0.3 * sin(x)`, and one was read as it was changed."""
    x = symgrad.tensor([0.5, -0.75], dtype=symgrad.float64, requires_grad=True)
    a, b = x.sin(), x.sin()
    with symgrad.no_grad():
        a[1:] *= -1.5
    (g,) = symgrad.autograd.grad(0.3 * (b * a).sum(), x, create_graph=True)
    (second,) = symgrad.autograd.grad(g.sum(), x)
    s, c, factor = np.sin(x.detach()), np.cos(x.detach()), np.array([1, -1.5])
    np.testing.assert_allclose(g.detach(), 0.3 * s * c * (1 + factor))
    np.testing.assert_allclose(second, 0.3 * (2 * c * c - s * s * (1 + factor)))


@pytest.mark.parametrize("operand", ["base", "exponent", "result"])
def test_derivatives_of_a_power_read_what_was_written(operand: str) -> None:
    """They are those of `z * log(x)`, where z is what is read, with the slopes of `x**y`."""
    x, y = (
        symgrad.tensor(values, dtype=symgrad.float64, requires_grad=True)
        for values in ([0.5, 1.5], [2.5, -0.5])
    )
    z = x**y
    {"base": x, "exponent": y, "result": z}[operand].data.mul_(1.25)
    (g,) = symgrad.autograd.grad(z.sum(), y, create_graph=True)
    second = symgrad.autograd.grad(g.sum(), (x, y))
    x, y, z = (v.detach().numpy() for v in (x, y, z))
    log = np.log(x)
    np.testing.assert_allclose(g.detach(), z * log)
    np.testing.assert_allclose(second, [z / x + log * y * x ** (y - 1), z * log * log])


@pytest.mark.parametrize("start", range(0, 120, 20))
def test_derivatives_are_slopes_of_the_program_as_it_ran(start: int) -> None:
    _check_slopes(range(start, start + 20))


@pytest.mark.slow
def test_derivatives_of_many_programs_are_slopes() -> None:
    _check_slopes(range(1_000, 2_500))


def _check_slopes(seeds: range) -> None:
    for seed in seeds:
        given = written.program(seed, smooth=True, silent=False)
        found = written.slope(symgrad, given)
        assert not found, f"seed {seed}: {found}\n{given}"


@pytest.mark.oracle
@pytest.mark.slow
def test_many_programs_against_pytorch() -> None:
    torch = pytest.importorskip("torch")
    wrong = []
    for seed in range(1_000_000, 1_003_000):
        given = written.program(seed)
        found = written.differences(written.run(symgrad, given), written.run(torch, given))
        wrong += [f"seed {seed}: {line}" for line in found]
    assert not wrong, "\n".join(wrong)


# ------------------------------------------------------------------ plans


def _tensor() -> Any:
    return symgrad.tensor([0.7, -1.2, 2.1], dtype=symgrad.float64, requires_grad=True)


_TWICE: dict[str, Callable[[Any], Any]] = {
    "a sum by itself": lambda x: x.sum() * x.sum(),
    "a product of two multiples": lambda x: (x * 2) * (x * 2),
    "sines": lambda x: x.sin() * x.sin(),
    "exponentials": lambda x: x.exp() + x.exp(),
    "sorted": lambda x: x.sort()[0] * x.sort()[0],
}


@pytest.mark.parametrize("name", list(_TWICE))
def test_a_value_that_is_computed_twice_finds_its_plan(name: str) -> None:
    cache_clear()
    for _ in range(4):
        _TWICE[name](_tensor()).sum().backward()
    assert cache_info()[:2] == (3, 1)


def _forms() -> dict[str, Callable[[Any], Any]]:
    return {
        "log(1 + exp(x))": lambda x: (1 + x.exp()).log(),
        "log1p(exp(x))": lambda x: x.exp().log1p(),
        "log(sigmoid(x))": lambda x: x.sigmoid().log(),
        "log(sum(exp(x)))": lambda x: x.exp().sum().log(),
        "log(cosh(x))": lambda x: x.cosh().log(),
        "expm1(x)": lambda x: x.expm1(),
        "where": lambda x: symgrad.where(x > 0, x, 0.0) * x.exp(),
    }


_SIGHTS: dict[str, Callable[[Any], Any]] = {
    "numpy()": lambda x: x.detach().numpy(),
    "data": lambda x: x.data,
    "asarray": lambda x: np.asarray(x.detach()),
    "dlpack": lambda x: np.from_dlpack(x.detach()),
}


@each("sight", list(_SIGHTS))
@each("form", list(_forms()))
def test_who_looks_changes_nothing(form: str, sight: str) -> None:
    """A stable form is taken as before, after somebody got hold of the memory and only read it."""
    f = _forms()[form]
    given = [800.0 if "log(1" in form or "log1p" in form else 30.0, -3.0, 0.5]
    x, y = (symgrad.tensor(given, dtype=symgrad.float64, requires_grad=True) for _ in range(2))
    f(x).sum().backward()
    held = _SIGHTS[sight](y)
    out = f(y)
    held.sum(), _SIGHTS[sight](out)
    out.sum().backward()
    assert np.isfinite(y.grad.numpy()).all()
    assert y.grad.tolist() == x.grad.tolist()


def test_a_structure_is_planned_anew_for_what_was_written_and_found_again() -> None:
    """What one run did to its values has no influence on another of the same structure."""
    f = _forms()["log(1 + exp(x))"]
    for writes in (False, True, False, True):
        x = symgrad.tensor([800.0, 0.5], dtype=symgrad.float64, requires_grad=True)
        out = f(x).sum()
        if writes:
            x.detach().numpy()[...] = 3.0
        out.backward()
        e = np.exp(0.5)
        # PyTorch's numbers: it reads what exp() and the sum gave.
        wanted = [np.nan if writes else 1.0, e / (1 + e)]
        np.testing.assert_allclose(x.grad.numpy(), wanted, rtol=1e-12)


# ------------------------------------------------------------------ formulas


def _leaf(name: str) -> Any:
    return symgrad.tensor([0.7, -1.2], dtype=symgrad.float64, requires_grad=True, name=name)


def test_each_version_of_a_leaf_is_a_leaf_of_its_own() -> None:
    x = _leaf("x")
    first = x * 2
    with symgrad.no_grad():
        x.add_(1)
    y = (first * (x * 2)).sum()
    before, after = np.array([0.7, -1.2]), np.array([1.7, -0.2])
    explained = symgrad.explain(y)
    later = next(leaf for leaf in y.expr.leaves if leaf.name != "x")
    given = {"x": before, later: after}
    np.testing.assert_allclose(y.expr.evaluate(given), y.item())
    y.backward()
    np.testing.assert_allclose(explained.gradients["x"].evaluate(given), x.grad.numpy())
    namespace: dict[str, Any] = {}
    exec(explained.source(), namespace)
    (found,) = namespace["gradients"](**{"x": before, later.name: after})
    np.testing.assert_allclose(found, x.grad.numpy())


def test_a_result_that_was_written_over_is_a_leaf_that_keeps_its_derivative() -> None:
    x = _leaf("x")
    v = (x * 1.5).abs()
    with symgrad.no_grad():
        v.round_()
    y = (v * v).sum()
    value = next(leaf for leaf in y.expr.leaves if leaf.name != "x")
    given = {"x": x.detach().numpy(), value: v.detach().numpy()}
    np.testing.assert_allclose(y.expr.evaluate(given), y.item())
    gradient = symgrad.explain(y).gradients["x"]
    derived = symgrad.derive(y.expr, "x")
    y.backward()
    np.testing.assert_allclose(gradient.evaluate(given), x.grad.numpy())
    np.testing.assert_allclose(derived.evaluate(given), x.grad.numpy())


def test_what_was_written_over_last_is_what_a_tensor_shows() -> None:
    v = _leaf("x") * 2
    with symgrad.no_grad():
        v.zero_()
    (value,) = [leaf for leaf in v.expr.leaves if leaf.name != "x"]
    assert str(v.expr) == value.name


def test_changes_under_record_and_before_the_first_use_are_no_versions() -> None:
    x = _leaf("x")
    with symgrad.no_grad():
        x.add_(1)
    y = x * 2
    y.mul_(3)
    y[0] = x[1]
    z = y.exp_()
    assert [leaf.name for leaf in z.sum().expr.leaves] == ["x"]


def test_a_value_that_was_written_over_batches_and_moves() -> None:
    from symgrad.ops.identity import written as written_over

    x, value = symgrad.leaf("x", (3,)), symgrad.leaf("value", (3,))
    node = written_over(value, x * x)
    assert node.func(*node.args) is node
    rows = np.arange(6.0).reshape(2, 3)
    mapped = symgrad.vmap(lambda a: written_over(value, a * a) * 2)(symgrad.leaf("x", (2, 3)))
    found = mapped.evaluate({"x": rows, "value": np.arange(3.0)})
    np.testing.assert_array_equal(found, np.tile(2 * np.arange(3.0), (2, 1)))
    derived = symgrad.derive(node, x).evaluate({"x": rows[1]})
    np.testing.assert_array_equal(derived, np.diag(2 * rows[1]))
