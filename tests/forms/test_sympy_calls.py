"""SymPy's functions on formulas: SymPy's own answer, or an error that says the way out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
import sympy

import symgrad
from symgrad.expr.node import ArrayExpr
from tests.each import each
from tests.forms.sympy_calls import Given, array_calls, scalar_calls

_CALLS = scalar_calls()
_ARRAY_CALLS = array_calls()

_X, _Y, _Z = sympy.symbols("x y z", real=True)
SYMBOLS = Given(_X, _Y, _Z, sympy.exp, sympy.log, sympy.sin, sympy.cos, sympy.sqrt)
LEAVES = Given(
    *map(symgrad.leaf, "xyz"), symgrad.exp, symgrad.log, symgrad.sin, symgrad.cos, symgrad.sqrt
)

#: What SymPy takes for a symbol by its class: pass `x.symbol`.
NEED_SYMBOLS = (
    "not a valid symbol",
    "Cannot use symbol of kind",
    "x-dependent symbol",
    "Invalid limits given",
    "term of unexpected form",
    "invalid index of a 0-dim tensor",
    "not enough values to unpack",
    "has no 'lhs'",
)


def _answer(call: Callable[[Given], Any], given: Given) -> Any:
    try:
        return call(given)
    except Exception as error:
        return error


def _same(found: Any, wanted: Any) -> bool:
    if isinstance(found, list):
        return all(map(_same, found, wanted))
    if found == wanted or sympy.srepr(found) == sympy.srepr(wanted):
        return True
    if isinstance(found, ArrayExpr):
        return bool(sympy.sympify(found) == wanted)
    dummies = [sorted(x.atoms(sympy.Dummy), key=str) for x in (found, wanted)]
    if dummies[0] and len(dummies[0]) == len(dummies[1]):
        return bool(found.xreplace(dict(zip(*dummies, strict=True))) == wanted)
    return isinstance(wanted, sympy.Expr) and sympy.simplify(sympy.N(found - wanted)) == 0


def _verdict(name: str) -> str:
    call = _CALLS[name]
    wanted, found = _answer(call, SYMBOLS), _answer(call, LEAVES)
    if isinstance(found, Exception):
        if "to_sympy" in str(found):
            return "refused"
        if any(text in str(found) for text in NEED_SYMBOLS):
            return "needs the symbol"
        assert isinstance(wanted, Exception), f"{found!r} for {wanted}"
        return "error of SymPy's"
    assert not isinstance(wanted, Exception), f"{found} for {wanted!r}"
    assert _same(found, wanted), f"{found} for {wanted}"
    return "right"


VERDICTS: Counter[str] = Counter()


@each("name", list(_CALLS))
def test_an_answer_is_that_of_sympy(name: str) -> None:
    VERDICTS[_verdict(name)] += 1


def test_nearly_all_calls_are_answered() -> None:
    assert len(_CALLS) >= 300
    found = VERDICTS or Counter(map(_verdict, _CALLS))
    assert found["right"] >= 0.9 * len(_CALLS), found


V, M = symgrad.leaf("v", (3,)), symgrad.leaf("m", (2, 2))


@each("name", list(_ARRAY_CALLS))
@pytest.mark.parametrize("e", [V, V * V, M @ M, (V * V).sum()], ids=str)
def test_arrays_are_refused(e: ArrayExpr, name: str) -> None:
    with pytest.raises((TypeError, ValueError), match="to_sympy"):
        _ARRAY_CALLS[name](e)
