"""Functions of integers: they are those of the same floats, and no step wraps around before."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import symgrad
from symgrad.ops.polynomials import Polynomial
from symgrad.ops.primitive import PRIMITIVES
from symgrad.support.quiet import quietly
from tests.each import each

#: Narrow integers; twice as much, and less one, is beyond the dtype.
_GIVEN = {
    symgrad.int8: [0, 1, -1, 3, 100],
    symgrad.uint8: [0, 1, 2, 3, 200],
}

#: What is called with `x` alone, with a second array, and with a number on either side.
_CALLS: dict[str, Any] = {
    "x": lambda f, x: f(x),
    "x, y": lambda f, x: f(x, x.flip(0)),
    "x, 3": lambda f, x: f(x, 3),
    "3, x": lambda f, x: f(3, x),
}


def _value(name: str, call: str, kind: Any, values: list[int]) -> Any:
    """Return what a function gives for numbers in a dtype; None where it gives no real floats."""
    x = symgrad.tensor(values).to(kind)
    try:
        found = _CALLS[call](getattr(symgrad.special, name), x)
    except (TypeError, ValueError, RuntimeError, IndexError):
        return None
    is_float = isinstance(found, symgrad.Tensor) and found.dtype.is_floating_point
    return found.numpy() if is_float else None


@each("name", sorted(symgrad.special.__all__))
def test_special_functions_of_integers_are_those_of_the_same_floats(name: str) -> None:
    for call, (kind, values) in itertools.product(_CALLS, _GIVEN.items()):
        found = _value(name, call, kind, values)
        wanted = _value(name, call, symgrad.float64, values)
        if found is not None and wanted is not None:
            np.testing.assert_allclose(
                found, quietly(np.float32, wanted), 2e-5, 1e-6, err_msg=f"{call} {kind}"
            )


_POLYNOMIALS = sorted(
    name
    for name, cls in PRIMITIVES.items()
    if issubclass(cls, Polynomial) and hasattr(symgrad.special, name)
)


@each("name", _POLYNOMIALS)
@pytest.mark.parametrize("degree", [True, symgrad.tensor([True, False])], ids=["number", "array"])
def test_a_degree_may_be_a_truth_value(name: str, degree: Any) -> None:
    f = getattr(symgrad.special, name)
    x = symgrad.tensor([0.3, 0.6], requires_grad=True)
    as_integer = degree.to(symgrad.int64) if isinstance(degree, symgrad.Tensor) else int(degree)
    y, z = f(x, degree), f(x, as_integer)
    assert symgrad.equal(y, z)
    slopes = [symgrad.autograd.grad(v.sum(), x)[0] for v in (y, z)]
    assert symgrad.equal(*slopes)


@pytest.mark.parametrize("name", ["vander", "linalg.vander"])
def test_powers_of_narrow_integers_are_wide(name: str) -> None:
    f = symgrad.linalg.vander if "linalg" in name else symgrad.vander
    for kind in _GIVEN:
        found = f(symgrad.tensor([2, 100]).to(kind), N=4)
        assert found.dtype is symgrad.int64
        assert sorted(found[1].tolist()) == [1, 100, 10**4, 10**6]


@pytest.mark.parametrize("ranks", list(itertools.product((0, 1, 2), repeat=2)))
def test_blocks_have_the_dtype_of_their_sum(ranks: tuple[int, int]) -> None:
    """An array without axes counts as in sums: less than one with axes."""
    kinds = [symgrad.int8, symgrad.int64, symgrad.float32, symgrad.float64, symgrad.complex64]
    for given in itertools.product(kinds, repeat=2):
        x, y = [symgrad.ones((1,) * n, dtype=k) for n, k in zip(ranks, given, strict=True)]
        found = symgrad.block_diag(x, y)
        assert found.dtype is symgrad.result_type(x, y), (ranks, given)
        assert found.tolist() == [[1, 0], [0, 1]]
