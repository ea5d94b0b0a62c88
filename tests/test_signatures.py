"""Calls that do not fit are refused as PyTorch refuses them, whatever the function."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symgrad
from symgrad.public import FUNCTIONS
from symgrad.signatures import NUMPY_NAMES, refusal, signatures

# What PyTorch writes in Python raises whatever it comes to; `tests.malformed` holds it to account.
NAMES = sorted(n for n in FUNCTIONS if any(not s.python for s in signatures(n, False)))
# What has the attributes of a tensor, or is not looked at before another error, goes on until an
# operation is applied to it; `nonzero` of PyTorch lists other overloads as a function.
LATER = {
    *[(name, "array") for name in ("adjoint", "diagonal", "flatten", "fliplr", "rot90")],
    *[(name, what) for name in ("clamp", "clip") for what in ("number", "string", "array")],
    *[("nonzero", what) for what in ("nothing", "strings", "many", "keyword")],
    *[("permute", what) for what in ("array", "keyword")],
}
CALLS: dict[str, Callable[[Any, str], Any]] = {
    "nothing": lambda t, k: getattr(t, k)(),
    "number": lambda t, k: getattr(t, k)(2.0),
    "string": lambda t, k: getattr(t, k)("a"),
    "array": lambda t, k: getattr(t, k)(np.ones(2)),
    "strings": lambda t, k: getattr(t, k)(t.ones(2), "a", "b", "c"),
    "many": lambda t, k: getattr(t, k)(*[t.ones(2)] * 9),
    "keyword": lambda t, k: getattr(t, k)(t.ones(2), foo=1),
}


def first_line(call: Callable[[], Any]) -> tuple[str, str]:
    try:
        call()
    except Exception as error:
        return type(error).__name__, str(error).split("\n")[0]
    return "", ""


@pytest.mark.parametrize("name", NAMES)
def test_no_argument_has_a_name_of_ours(name: str) -> None:
    known = {p.name for s in signatures(name, False) for p in s.parameters}
    known |= {"indices_or_sections"}  # one argument for PyTorch's two overloads
    for p in inspect.signature(FUNCTIONS[name]).parameters.values():
        if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD):
            assert {p.name, NUMPY_NAMES.get(p.name)} & known, f"{name}({p.name}=)"


def test_a_call_that_fits_is_not_refused() -> None:
    x = symgrad.ones(2, 3)
    assert refusal("sum", (x, 0), {"keepdim": True}, method=False) is None
    assert refusal("sum", (), {"axis": 0}, method=True) is None
    assert refusal("reshape", (3, 2), {}, method=True) is None
    assert refusal("add", (x, 2), {"alpha": 3}, method=False) is None
    assert refusal("add", (x,), {}, method=False) is not None


def test_a_short_form_refuses_more_arguments() -> None:
    x = symgrad.ones(2)
    with pytest.raises(TypeError, match=r"^Tensor\.tanh\(\) takes no arguments \(1 given\)$"):
        x.tanh(1)
    with pytest.raises(TypeError, match=r"^Tensor\.tanh\(\) got an unexpected keyword"):
        x.tanh(foo=1)


def test_out_receives_the_result() -> None:
    x, out = symgrad.ones(2), symgrad.zeros(2)
    assert symgrad.add(x, x, out=out) is out
    assert out.tolist() == [2.0, 2.0]
    with pytest.raises(RuntimeError, match="don't support automatic differentiation"):
        symgrad.add(x, symgrad.ones(2, requires_grad=True), out=out)
    with pytest.raises(RuntimeError, match="can't be cast"):
        symgrad.add(x, x, out=symgrad.zeros(2, dtype=symgrad.int64))
    assert out.tolist() == [2.0, 2.0]


def test_numbers_stand_for_tensors_in_formulas_only() -> None:
    assert symgrad.maximum(symgrad.leaf("x", (2,)), 2.0).shape == (2,)
    assert np.maximum(symgrad.ones(2), 2.0).tolist() == [2.0, 2.0]
    with pytest.raises(TypeError, match=r"'other' \(position 1\) must be Tensor, not float"):
        symgrad.ones(2).maximum(2.0)


@pytest.mark.parametrize("name", NAMES)
def test_live(name: str) -> None:
    torch = pytest.importorskip("torch")
    for what, call in CALLS.items():
        if (name, what) in LATER:
            continue
        expected = first_line(lambda call=call: call(torch, name))
        if expected[0] == "TypeError" and "expected Tensor as element" not in expected[1]:
            assert first_line(lambda call=call: call(symgrad, name)) == expected, what
