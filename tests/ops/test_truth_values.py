"""A truth value in the place of a number counts as 0 or 1, in values and in derivatives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symgrad
from tests.autograd.support import tensor

F = symgrad.nn.functional


def _set(x: Any, n: Any) -> Any:
    y = x * 1
    y[0] = n
    return y


_TAKING_NUMBERS: dict[str, Callable[[Any, Any], Any]] = {
    "add": lambda x, n: x + n,
    "mul": lambda x, n: x * n,
    "rdiv": lambda x, n: n / x,
    "pow": lambda x, n: x**n,
    "rpow": lambda x, n: (2 + n) ** x,
    "lerp": lambda x, n: symgrad.lerp(x, x * x, n),
    "lerp_": lambda x, n: (x * 1).lerp_(x * x, n),
    "addcmul": lambda x, n: symgrad.addcmul(x, x, x, value=n),
    "addcdiv": lambda x, n: symgrad.addcdiv(x, x, x, value=n),
    "clamp": lambda x, n: x.clamp(n),
    "where": lambda x, n: symgrad.where(x > 0, x, n),
    "masked_fill": lambda x, n: x.masked_fill(x > 0, n),
    "index_fill": lambda x, n: x.index_fill(0, symgrad.tensor([0]), n),
    "scatter": lambda x, n: x.scatter(0, symgrad.tensor([0]), n),
    "fmod": lambda x, n: symgrad.fmod(x, 1 + n),
    "remainder": lambda x, n: symgrad.remainder(x, 1 + n),
    "xlogy": lambda x, n: symgrad.xlogy(n, x.abs()),
    "nan_to_num": lambda x, n: symgrad.nan_to_num(x, n),
    "leaky_relu": lambda x, n: F.leaky_relu(x, n),
    "elu": lambda x, n: F.elu(x, n),
    "threshold": lambda x, n: F.threshold(x, n, n),
    "hardtanh": lambda x, n: F.hardtanh(x, -1, 1 + n),
    "copysign": lambda x, n: symgrad.copysign(x, n),
    "setitem": _set,
}


@pytest.mark.parametrize("truth", [False, True])
@pytest.mark.parametrize("name", _TAKING_NUMBERS)
def test_a_truth_value_is_a_number(name: str, truth: bool) -> None:
    def found(n: Any) -> list[Any]:
        x = tensor([-0.5, 1.25, 2.0])
        y = _TAKING_NUMBERS[name](x, n)
        (g,) = symgrad.autograd.grad((y * x).sum(), x, create_graph=True)
        return [v.detach().numpy() for v in (y, g, *symgrad.autograd.grad(g.sum(), x))]

    for got, wanted in zip(found(truth), found(int(truth)), strict=True):
        assert got.dtype == wanted.dtype
        np.testing.assert_array_equal(got, wanted)
