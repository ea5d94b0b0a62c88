"""The formula that an optimiser shows is the one that runs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symgrad
from symgrad import optim
from symgrad.lower.update import Update
from symgrad.optim.formula import lowered
from tests.each import each
from tests.optim import runs

CASES = {runs.label(*case): case for case in runs.cases()}


@each("name", list(CASES))
def test_the_lines_compute_what_a_step_does(name: str) -> None:
    """One after the other, as they are read: each sets what those below it read."""
    kind, given = CASES[name]
    p = symgrad.tensor([0.5, -1.0], dtype=symgrad.float64, requires_grad=True)
    optimizer = getattr(optim, kind)([p], lr=0.05, **given)
    for _ in runs.take(symgrad, optimizer, [p], range(1, 8)):
        pass
    group = optimizer.param_groups[0]
    values: dict[str, Any] = {
        n: x.detach().numpy().copy() if x.dim() else x.item() for n, x in optimizer.state[p].items()
    }
    values |= {n: x for n, x in group.items() if isinstance(x, (int, float))}
    for several in ("betas", "etas", "step_sizes"):
        values |= {f"{several[:-1]}{i}": x for i, x in enumerate(group.get(several, ()), 1)}
    g = runs.gradients([p], 8)[0]
    values |= {"p": p.detach().numpy().copy(), "g": g, "t": 8.0}
    found = optimizer.formula(t=8)
    whole = {n: x.evaluate({y: values[y.name] for y in x.leaves}) for n, x in found.items()}
    names = {n: getattr(np, n) for n in ("sqrt", "maximum", "where", "abs", "sign")}
    names |= {"clamp": np.clip, "masked_fill": lambda x, mask, value: np.where(mask, value, x)}
    exec(str(found), names, values)
    for _ in runs.take(symgrad, optimizer, [p], range(8, 9)):
        pass
    new = {**optimizer.state[p], "p": p}
    for name, x in whole.items():
        # States that are numbers are kept in single precision.
        tolerance = 1e-6 if new[name].dim() == 0 else 1e-12
        np.testing.assert_allclose(new[name].detach().numpy(), x, rtol=tolerance)
        np.testing.assert_allclose(values[name], x, rtol=1e-12)
    assert len(str(found).splitlines()) <= 10


def test_a_formula_is_lowered_once_for_a_structure() -> None:
    x = symgrad.ones(3, requires_grad=True)
    optimizer = optim.Adam([x, symgrad.ones(2, 2, requires_grad=True)], lr=0.123)
    before = lowered.cache_info().misses
    for rate in (0.1, 0.2, 0.3):
        optimizer.param_groups[0]["lr"] = rate
        for p in optimizer.param_groups[0]["params"]:
            p.grad = symgrad.ones_like(p)
        optimizer.step()
    assert lowered.cache_info().misses <= before + 2  # the first step, and all later ones
    other = optim.Adam([symgrad.ones(7, requires_grad=True)], weight_decay=0.5)
    other.param_groups[0]["params"][0].grad = symgrad.ones(7)
    before = lowered.cache_info().misses
    other.step()
    assert lowered.cache_info().misses <= before + 1


def test_a_formula_that_reads_what_it_has_set_in_two_versions() -> None:
    """Lines that are read in turn cannot say that."""

    class Odd(optim.Optimizer):
        def states(self, group: Any) -> dict[str, float]:
            return {"last": 0.0}

        @staticmethod
        def update(p: Any, g: Any, s: Any, h: Any) -> Any:
            before = s.last
            s.last = g
            return p - h.lr * (s.last - before)

    optimizer = Odd([symgrad.ones(2)], {"lr": 0.5})
    note = "# all at once, of what was before the step\n"
    assert str(optimizer.formula()) == note + "p = p - lr * (g - last)\nlast = g"
    assert list(optimizer.formula()) == ["p", "last"]


def test_a_condition_on_a_symbol_is_refused() -> None:
    class Wrong(optim.Optimizer):
        @staticmethod
        def update(p: Any, g: Any, s: Any, h: Any) -> Any:
            return p - g if h.lr > 0.5 else p

    x = symgrad.ones(2, requires_grad=True)
    x.grad = symgrad.ones(2)
    with pytest.raises(TypeError, match="symbolic"):
        Wrong([x], {"lr": 0.5}).step()
    assert x.tolist() == [1.0, 1.0]


def test_what_depends_on_numbers_alone_is_computed_apart() -> None:
    x, a = symgrad.leaf("x", (2,)), symgrad.leaf("a")
    update = Update({x: x * (1 - a**3)}, {a: None}, "f")
    array = np.array([1.0, 2.0])
    update.write([array], update.constants({"a": 0.5}))
    assert array.tolist() == [0.875, 1.75]
    first, rest = update.source.split("\n\n\n")
    assert "pow" in first and "pow" not in rest and "out=x" in rest


def test_an_optimiser_without_a_formula_says_so() -> None:
    class Own(optim.Optimizer):
        pass

    p = symgrad.ones(2, requires_grad=True)
    for optimizer in (optim.LBFGS([p]), Own([p], {})):
        with pytest.raises(NotImplementedError, match=f"^{type(optimizer).__name__} has no update"):
            optimizer.formula()
    with pytest.raises(NotImplementedError, match="define update"):
        Own([p], {}).step()
