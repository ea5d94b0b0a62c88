"""A symbol stands for one tensor at one version: programs that write between operations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symgrad
from symgrad.autograd import cache_clear, cache_info
from tests.autograd import written
from tests.data.record_written import SEEDS, read

_RECORDED = read()


def test_every_seed_is_recorded() -> None:
    assert list(_RECORDED) == list(SEEDS)


def test_most_programs_are_compared() -> None:
    """What is refused by PyTorch, or too large to mean anything, is the smaller part."""
    usable = [x for x in _RECORDED.values() if not x.error and x.second and x.largest <= 50]
    assert len(usable) > len(SEEDS) // 3


@pytest.mark.parametrize("seed", SEEDS)
def test_programs_give_what_pytorch_gives(seed: int) -> None:
    given = written.program(seed)
    for _ in range(2):  # by a new plan, and by one that is known
        found = written.differences(written.run(symgrad, given), _RECORDED[seed])
        assert not found, f"{found}\n{given}"


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


@pytest.mark.parametrize("sight", list(_SIGHTS))
@pytest.mark.parametrize("form", list(_forms()))
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
