"""Bad input fails as PyTorch was recorded failing: class, first line of the message, no effect."""

from __future__ import annotations

import symgrad
from tests.each import each

from . import observe
from .cases_errors import CASES
from .storage import RECORDS, decode
from .table import Case, repeated_ids

# What names PyTorch's own classes or supported types, or is an error of Python's inside PyTorch, is
# matched by the error's class alone.
INTERNAL = (
    "torch._C.", "_NoParam", "The only supported types are", "not implemented for", "has no len()",
)  # fmt: skip


@each("case", {case.id: case for case in CASES})
def test_error(case: Case) -> None:
    expected = decode(RECORDS[case.id])
    got = observe.failure(symgrad, case)
    assert got is not None, f"no error; PyTorch: {expected.error}: {expected.message}"
    assert got.error == expected.error, got
    if not any(name in expected.message for name in INTERNAL):
        assert got.message == expected.message


def test_no_two_cases_have_one_id() -> None:
    assert not repeated_ids(CASES)
