"""Which changes in place are refused in backward, held against what PyTorch refuses."""

from __future__ import annotations

import json

import numpy as np

import symgrad
from tests.autograd.support import each
from tests.data.record_versions import FUNCTIONS, PATH, outcome

#: PyTorch multiplies a number by the reciprocal, a value that no program can reach, and keeps that.
_ELSEWHERE = {("number over", "operand")}

_RECORDED = json.loads(PATH.read_text(encoding="utf-8"))


def test_every_function_is_recorded() -> None:
    assert list(_RECORDED) == list(FUNCTIONS)


@each("changed", ["operand", "result"])
@each("name", list(FUNCTIONS))
def test_a_change_is_refused_where_pytorch_refuses_it(name: str, changed: str) -> None:
    wanted = _RECORDED[name][changed]
    got = outcome(symgrad, name, changed)
    if (name, changed) in _ELSEWHERE:
        assert got == "refused" != wanted
        return
    if "refused" in (got, wanted):
        assert got == wanted
    else:
        np.testing.assert_allclose(got, wanted, rtol=1e-8, atol=1e-12)


def test_the_derivative_of_expm1_keeps_its_tail() -> None:
    x = symgrad.tensor([-40.0, 0.5], dtype=symgrad.float64, requires_grad=True)
    x.expm1().sum().backward()
    np.testing.assert_allclose(x.grad.numpy(), np.exp([-40.0, 0.5]), rtol=1e-15)
