"""One formula run twice, with a value changed between: each run has its own values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import symgrad
from tests.autograd.programs import RandomProgram, random_programs
from tests.autograd.support import each

_SHIFT = 0.25


def _without_grad(x: Any) -> None:
    with symgrad.no_grad():
        x.add_(_SHIFT)


def _through_data(x: Any) -> None:
    x.data.add_(_SHIFT)


def _new_data(x: Any) -> None:
    x.data = x.data + _SHIFT


def _buffer(x: Any) -> None:
    x.detach().numpy()[...] += _SHIFT


def _detached(x: Any) -> None:
    x.detach().add_(_SHIFT)


CHANGES: dict[str, Callable[[Any], None]] = {
    "without grad": _without_grad,
    "through data": _through_data,
    "new data": _new_data,
    "buffer": _buffer,
    "detached": _detached,
}


def _gradients(tensors: list[Any]) -> list[Any]:
    return [None if x.grad is None else x.grad.numpy() for x in tensors]


FORMULAS: dict[str, Callable[[Any], Any]] = {
    "exp": lambda w: w.exp(),
    "tanh": lambda w: w.tanh(),
    "sigmoid": lambda w: w.sigmoid(),
    "result of an operand": lambda w: (w * 2).sin(),
    "division": lambda w: 1 / (w + 2),
    "softmax": lambda w: w.softmax(0) * 3,
    "addition only": lambda w: w + 3,
}


@each("change", list(CHANGES))
@each("formula", list(FORMULAS))
def test_values_that_no_version_tells_apart(formula: str, change: str) -> None:
    """Where the result alone is read, both runs count, each at its own value."""
    f = FORMULAS[formula]
    w = symgrad.tensor([0.5, 2.0], dtype=symgrad.float64, requires_grad=True)
    first = f(w.clone())  # what is read is no memory of the leaf's
    CHANGES[change](w)
    second = f(w.clone())
    (first + second).sum().backward()
    a = symgrad.tensor([0.5, 2.0], dtype=symgrad.float64, requires_grad=True)
    b = symgrad.tensor([0.75, 2.25], dtype=symgrad.float64, requires_grad=True)
    (f(a).sum() + f(b).sum()).backward()
    np.testing.assert_allclose(w.grad.numpy(), (a.grad + b.grad).numpy(), rtol=1e-14)


@settings(max_examples=80)
@given(random_programs, st.sampled_from(list(CHANGES)), st.integers(0, 3))
def test_random_programs(program: RandomProgram, change: str, which: int) -> None:
    arrays = program.arrays()
    which %= len(arrays)
    leaves = [symgrad.tensor(a, requires_grad=True) for a in arrays]

    def run(given: list[Any]) -> Any:
        return program.run([x.clone() for x in given])  # copies: no memory of a leaf is read

    first = run(leaves)
    CHANGES[change](leaves[which])
    (first + run(leaves)).backward()
    moved = [a + _SHIFT if i == which else a for i, a in enumerate(arrays)]
    before = [symgrad.tensor(a, requires_grad=True) for a in arrays]
    after = [symgrad.tensor(a, requires_grad=True) for a in moved]
    run(before).backward()
    run(after).backward()
    for got, a, b in zip(_gradients(leaves), _gradients(before), _gradients(after), strict=True):
        assert (got is None) == (a is None) == (b is None)
        if got is not None:
            np.testing.assert_allclose(
                got, a + b, rtol=1e-12, atol=1e-12 * (1 + np.abs(a + b).max(initial=0))
            )
