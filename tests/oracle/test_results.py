"""What arrives at results when gradients are differentiated again, as PyTorch has it.

In PyTorch a gradient arrives where the derivative reads the result; nothing arrives elsewhere, and
zeros where something was multiplied by zeros on the way. One case of each kind is tried for each
operation; `test_live_results` tries all of them, and compares the values.
"""

from __future__ import annotations

import symgrad
from tests.each import each

from .cases import CASES
from .results import DIFFERENT, OF_ZEROS, RECORDS, arrivals, case_of


@each("operation", list(RECORDS.operations()))
def test_what_arrives_at_a_result(operation: str) -> None:
    expected = RECORDS[operation]
    assert {x: arrivals(symgrad, case_of(x)) for x in expected} == expected


def test_many_derivatives_read_their_result() -> None:
    found = [x for cases in RECORDS.all().values() for x in cases.values()]
    assert sum(True in x for x in found) > 30
    assert sum(set(x) == {None} for x in found) > 200


def test_what_differs_is_in_the_table() -> None:
    for start in (*DIFFERENT, *OF_ZEROS):
        assert any(case.id.startswith(start) for case in CASES), start
