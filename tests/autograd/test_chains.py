"""Long chains of everything: no recursion, and formulas that grow with the chain alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symgrad
from tests.autograd.support import each

from .support import latest_plan
from .test_scale import shallow_stack

float64 = symgrad.float64
_MASK = symgrad.tensor([True, False, True, True])
_SWAP = symgrad.tensor([1, 0, 3, 2])
_FACTOR = symgrad.tensor([0.9, 1.1, 0.8, 1.2], dtype=float64)


def _written(x: Any, key: Any, value: float) -> Any:
    x[key] = value
    return x


def _copy_written(x: Any, key: Any, value: float) -> Any:
    return _written(x.clone(), key, value)


#: A step of a chain, from the present value, a weight and the number of the step.
_STEPS: dict[str, Callable[[Any, Any, int], Any]] = {
    "scale": lambda x, w, i: 0.5 * x,
    "multiply": lambda x, w, i: x * w,
    "divide": lambda x, w, i: x / w,
    "negate": lambda x, w, i: -x,
    "add": lambda x, w, i: x + w,
    "sin": lambda x, w, i: x.sin(),
    "relu": lambda x, w, i: x.relu(),
    "clamp": lambda x, w, i: x.clamp(-3, 3),
    "where": lambda x, w, i: symgrad.where(_MASK, x, 0.0),
    "masked_fill": lambda x, w, i: x.masked_fill(_MASK, 0.0),
    "write an element": lambda x, w, i: _copy_written(x, i % 4, 0.5),
    "write a slice": lambda x, w, i: _copy_written(x, slice(1, 3), 0.25),
    "write by index": lambda x, w, i: _copy_written(x, symgrad.tensor([i % 4]), 0.5),
    "write by mask": lambda x, w, i: _copy_written(x, _MASK, 0.5),
    "scatter": lambda x, w, i: x.scatter(0, _SWAP[:2], 0.5),
    "diagonal_scatter": lambda x, w, i: (
        x.view(2, 2).diagonal_scatter(symgrad.zeros(2, dtype=float64)).view(4)
    ),
    "tril": lambda x, w, i: x.view(2, 2).tril().view(4),
    "diagonal": lambda x, w, i: symgrad.diag_embed(x).diagonal(),
    "gather": lambda x, w, i: x.gather(0, _SWAP),
    "index": lambda x, w, i: x[_SWAP],
    "flip": lambda x, w, i: x.flip(0),
    "roll": lambda x, w, i: x.roll(1, 0),
    "transpose": lambda x, w, i: x.view(2, 2).t().reshape(4),
    "pad a slice": lambda x, w, i: symgrad.nn.functional.pad(x[1:], (1, 0)),
    "join": lambda x, w, i: symgrad.cat([x[2:], x[:2]]),
    "cast": lambda x, w, i: x.to(symgrad.float32).to(float64),
    "softmax": lambda x, w, i: x.softmax(0),
    "cumsum": lambda x, w, i: x.cumsum(0) / 4,
    "maximum": lambda x, w, i: symgrad.maximum(x, w),
}

#: Changes in place, which other steps would refuse that keep what is written over.
_IN_PLACE: dict[str, Callable[[Any, Any, int], Any]] = {
    "write an element in place": lambda x, w, i: _written(x, i % 4, 0.5),
    "write a slice in place": lambda x, w, i: _written(x, slice(1, 3), 0.25),
    "masked_fill_": lambda x, w, i: x.masked_fill_(_MASK, 0.0),
    "add_": lambda x, w, i: x.add_(w),
    "neg_": lambda x, w, i: x.neg_(),
}

#: What stands between two steps of one kind, so that chains have several kinds in turn.
_BETWEEN = ("multiply", "where", "write an element", "flip")


def _chain(kinds: tuple[str, ...], n: int) -> tuple[Any, Any]:
    w = symgrad.tensor(_FACTOR.numpy(), requires_grad=True)
    x = symgrad.tensor([0.3, 0.4, 0.5, 0.6], dtype=float64, requires_grad=True) * w
    for i in range(n):
        for kind in kinds:
            x = (_STEPS | _IN_PLACE)[kind](x, w, i)
    return (x * w).sum(), w


def _pairs() -> list[Any]:
    alone = [(kind,) for kind in (*_STEPS, *_IN_PLACE)]
    changes = [(a, b) for a in _IN_PLACE for b in _IN_PLACE if a != b]
    between = [(a, _BETWEEN[i % len(_BETWEEN)]) for i, a in enumerate(_STEPS)]
    rest = [(a, b) for a in _STEPS for b in _BETWEEN if a != b and (a, b) not in between]
    tried = alone + changes + between[::2]
    rest += between[1::2]
    slow = pytest.mark.slow
    return [pytest.param(pair, id=" and ".join(pair)) for pair in tried] + [
        pytest.param(pair, id=" and ".join(pair), marks=slow) for pair in rest
    ]


@each("kinds", _pairs())
def test_a_chain_of_operations_takes_no_stack_and_linear_formulas(kinds: tuple[str, ...]) -> None:
    sizes = []
    for n in (40, 80):
        y, w = _chain(kinds, n)
        with shallow_stack(120):
            symgrad.autograd.grad(y, w)
        sizes.append(len(latest_plan().program.instrs))
    assert sizes[1] < 2.2 * sizes[0] + 40


@pytest.mark.parametrize(
    "kinds",
    [("relu", "multiply"), ("where", "sin"), ("scatter", "flip"), ("gather", "masked_fill")],
    ids=" and ".join,
)
def test_a_chain_has_the_gradient_of_its_steps(kinds: tuple[str, ...]) -> None:
    n = 40
    y, w = _chain(kinds, n)
    (found,) = symgrad.autograd.grad(y, w)

    # The same, each step by itself.
    x = symgrad.tensor([0.3, 0.4, 0.5, 0.6], dtype=float64) * _FACTOR
    values = [x]
    steps = [(kind, i) for i in range(n) for kind in kinds]
    for kind, i in steps:
        values.append(_STEPS[kind](values[-1], _FACTOR, i))
    ct, total = _FACTOR, values[-1]
    for (kind, i), value in reversed(list(zip(steps, values, strict=False))):
        x, w = (symgrad.tensor(v.numpy(), requires_grad=True) for v in (value, _FACTOR))
        step = _STEPS[kind](x, w, i)
        ct, part = symgrad.autograd.grad(step, (x, w), ct, materialize_grads=True)
        total = total + part
    total = total + ct * symgrad.tensor([0.3, 0.4, 0.5, 0.6], dtype=float64)
    np.testing.assert_allclose(found.numpy(), total.numpy(), rtol=1e-12, atol=1e-15)
