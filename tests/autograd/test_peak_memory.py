"""The memory that long arrays take: arguments, results and a block of rows, and nothing between."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np

import symgrad as sg
from numeric.blocks import BLOCK_BYTES
from symgrad import func

_SIZE = 250_000
_BYTES = 8 * _SIZE


def long_formula(m: Any, x: Any) -> Any:
    """A chain of elementwise operations, beside numbers that differ from step to step."""
    for i in range(25):
        x = m.sin(x) * (1 + 0.01 * i) + 0.1
    return m.sum(x)


def peak(run: Callable[[], Any]) -> int:
    """Return the most bytes that a run has beyond those before it, what it returns included."""
    tracemalloc.start()
    try:
        run()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_a_compiled_gradient_has_no_array_between_its_argument_and_its_result() -> None:
    step = func.compile(func.value_and_grad(lambda x: long_formula(np, x)))
    x = np.linspace(0.0, 1.0, _SIZE)
    step(x)
    assert peak(lambda: step(x)) < _BYTES + 2 * BLOCK_BYTES


def test_a_recorded_gradient_has_none_beside_what_was_saved() -> None:
    x = sg.linspace(0.0, 1.0, _SIZE, dtype=sg.float64, requires_grad=True)
    long_formula(sg, x).backward()
    result = long_formula(sg, x)
    x.grad = None
    assert peak(result.backward) < _BYTES + 2 * BLOCK_BYTES
