"""Each operation followed by a choice of elements: rules meet rewrites that move parts about."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symgrad
from symgrad.differentiate.derive import derive
from tests.kinds import apply
from tests.ops.test_laws import (
    assert_close,
    difference,
    exact,
    inner,
    over_differentiable_with_slow,
    run,
    sample,
    spread,
)

CHOICES: dict[str, Callable[[Any], Any]] = {
    "slice": lambda y: y[1:],
    "step": lambda y: y[::2],
    "integer": lambda y: y[-1],
    "flip": lambda y: y.flip(0),
    "mask": lambda y: y[np.arange(y.shape[0]) % 2 == 0],
    "array": lambda y: y[np.zeros(3, np.int64)],
}


#: Choices that are made of each operation by `.ci/full` alone.
OTHERS = ("mask", "step", "integer", "flip", "array")


@pytest.mark.parametrize(
    "choice", ["slice", *(pytest.param(c, marks=pytest.mark.slow) for c in OTHERS)]
)
@over_differentiable_with_slow
def test_a_choice_of_the_result(name: str, choice: str) -> None:
    s = sample(name)
    if not s.node.shape or not s.node.shape[0]:
        pytest.skip("has no elements to choose from")
    choose = CHOICES[choice]
    values = s.generic()
    chosen = choose(s.cls.of(*s.operands, *s.params))
    weight = spread(chosen.shape, chosen.dtype, 3)
    total = (chosen * weight).sum()
    total = total.real if total.dtype.is_complex else total
    tensors = {x: symgrad.tensor(v, requires_grad=x in s.moving()) for x, v in values.items()}
    operands = [tensors.get(x, getattr(x, "number", None)) for x in s.operands]
    recorded = (choose(apply(s.cls, operands, s.params)) * symgrad.tensor(weight)).sum()
    recorded = recorded.real if recorded.dtype.is_complex else recorded
    if recorded.requires_grad:
        recorded.backward()
    for x in s.moving():
        grad = tensors[x].grad
        got = np.zeros(x.shape, x.dtype.numpy) if grad is None else grad.numpy()
        [formula] = run([derive(total, x)], values)
        tolerance = 1e-9 if exact(x) and exact(s.node) else 2e-2
        np.testing.assert_allclose(got, formula, rtol=tolerance, atol=tolerance)
        if not exact(x) or not exact(s.node):
            continue
        direction = spread(x.shape, x.dtype, 11)

        def along(v: Any, x: Any = x) -> float:
            [y] = run([total], {**values, x: v})
            return float(np.real(y))

        assert_close(inner(got, direction), difference(along, values[x], direction))
