"""Every warning points at the line of the user's program that led to it."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import pytest

import symgrad as torch
import symgrad.nn.functional as F
from tests.each import each

pytestmark = pytest.mark.tiny

_X = torch.tensor([1.0, 2.0])
_Z = torch.tensor([1 + 2j, 3j])
WARNING: dict[str, Callable[[], Any]] = {
    "var": lambda: torch.ones(1).var(),
    "std of a function": lambda: torch.std(torch.ones(1), 0),
    "var_mean": lambda: torch.var_mean(torch.ones(1)),
    "to": lambda: _Z.to(torch.float32),
    "float": lambda: _Z.float(),
    "copy_": lambda: _X.clone().copy_(_Z),
    "item": lambda: _X.clone().__setitem__(0, _Z[0]),
    "tensor of a tensor": lambda: torch.tensor(_X),
    "meshgrid": lambda: torch.meshgrid(_X, _X),
    "mse_loss": lambda: F.mse_loss(_X, torch.ones(2, 2)),
    "old reduction": lambda: F.mse_loss(_X, _X, size_average=True),
    "T": lambda: torch.ones(2, 2, 2).T,
    "mT of a number": lambda: torch.tensor(1.0).T,
    "range": lambda: torch.range(0, 2),
    "out": lambda: torch.add(_X, _X, out=torch.zeros(3)),
}


@each("name", list(WARNING))
def test_a_warning_points_at_the_program(name: str) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        WARNING[name]()
    assert caught
    assert {w.filename for w in caught} == {__file__}
