"""symgrad does what PyTorch was recorded doing, case by case.

`pytest tests/oracle --sample reduction` tries one family; `-k test_first --sample elementwise-tanh`
one question about one operation. `record.py` says how the data is made.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symgrad
from tests.each import each, in_part, two_words

from . import observe
from .cases import CASES
from .compare import assert_gradients, assert_value
from .observe import Failure
from .storage import RECORDS, decode
from .table import Case

pytestmark = pytest.mark.versions


def recorded(case: Case, aspect: str) -> Any:
    return decode(RECORDS[case.id].get(aspect))


def gradients(case: Case, aspect: str) -> Any:
    """What the gradients should be: as recorded, or as the case says otherwise."""
    given = case.differs and getattr(case.differs, aspect)
    if given is not None and case.differs:
        return arrays(given)
    if case.differs and case.differs.as_case:
        return decode(RECORDS[case.differs.as_case].get(aspect))
    return recorded(case, aspect)


def observed(case: Case, aspect: str) -> bool:
    """Whether PyTorch observed the aspect of a case, or symgrad does better."""
    return (
        RECORDS[case.id].get(aspect) is not None
        or (case.differs is not None and getattr(case.differs, aspect, None) is not None)
        or bool(case.differs and case.differs.as_case and aspect in ("first", "second"))
    )


def over(aspect: str, every: int = 1) -> Any:
    found = {c.id: c for c in CASES if observed(c, aspect)}
    return each("case", in_part(found, every, two_words))


def assert_failed(got: Any, expected: Failure, case: Case) -> None:
    """The same error class; the same message unless it names PyTorch's own kernels."""
    assert isinstance(got, Failure), f"expected {expected.error}: {expected.message}"
    assert got.error == expected.error, got
    if case.same_words and "not implemented for" not in expected.message:
        assert got.message == expected.message


def check_outputs(case: Case, got: Any, expected: Any) -> None:
    if isinstance(expected, Failure):
        assert_failed(got, expected, case)
        return
    assert not isinstance(got, Failure), got
    assert len(got) == len(expected)
    for mine, theirs in zip(got, expected, strict=True):
        if "python" in theirs:
            assert mine == theirs
            continue
        assert mine["dtype"] == theirs["dtype"]
        assert mine["requires_grad"] == theirs["requires_grad"]
        assert_value(mine["value"], theirs["value"], case)


def check_names(got: Any, expected: Any) -> None:
    assert not isinstance(got, Failure), got
    assert [x.get("grad_fn") for x in got] == [x.get("grad_fn") for x in expected]


def check_gradients(case: Case, got: Any, expected: Any, none_is_zero: bool) -> None:
    if isinstance(expected, Failure):
        assert_failed(got, expected, case)
        return
    assert not isinstance(got, Failure), got
    if none_is_zero:  # no second derivative at all
        known = got or expected or []
        got, expected = got or [None] * len(known), expected or [None] * len(known)
    assert_gradients(got, expected, case, none_is_zero)


def arrays(values: list[Any]) -> list[Any]:
    """Expected values spelled out in a case: float64, or complex128 where an entry is complex."""
    return [None if value is None else np.array(value) * np.array(1.0) for value in values]


@over("outputs")
def test_value(case: Case) -> None:
    """Value, dtype, shape, requires_grad and grad_fn of every output; errors."""
    expected = recorded(case, "outputs")
    if case.differs and case.differs.values is not None:
        expected = [
            {**theirs, "value": value}
            for theirs, value in zip(expected, arrays(case.differs.values), strict=True)
        ]
    got = observe.outputs(symgrad, case)
    check_outputs(case, got, expected)
    if observed(case, "first"):
        if case.differs and case.differs.node:
            expected = [{"grad_fn": case.differs.node}]
        check_names(got, expected)


@over("first", every=3)
def test_first(case: Case) -> None:
    """First gradients, with mixed cotangents, for every input that requires grad."""
    expected = gradients(case, "first")
    got, freed = observe.first(symgrad, case)
    check_gradients(case, got, expected, none_is_zero=False)
    # A second backward without retain_graph is refused exactly when PyTorch refuses it.
    if observed(case, "freed"):
        given = case.differs and case.differs.freed
        assert freed == (recorded(case, "freed") if given is None else given)


@over("second", every=12)
def test_second(case: Case) -> None:
    """Second gradients, with respect to inputs and cotangents; None and zeros are the same."""
    got, expected = observe.second(symgrad, case), gradients(case, "second")
    if case.differs and case.differs.free:
        for mine, theirs in zip(got, expected, strict=True):
            if theirs is not None:
                at = [k for k in case.differs.free if k < theirs.size]
                theirs.flat[at] = mine.flat[at]
    check_gradients(case, got, expected, none_is_zero=True)
