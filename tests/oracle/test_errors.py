"""Bad input fails as PyTorch was recorded failing: class, first line of the message, no effect."""

from __future__ import annotations

import symgrad
from tests.each import each

from . import observe, storage
from .cases_errors import CASES
from .table import Case, repeated_ids

# What names PyTorch's own classes or supported types, or is an error of Python's inside PyTorch, is
# matched by the error's class alone.
INTERNAL = (
    "torch._C.", "_NoParam", "The only supported types are", "not implemented for", "has no len()",
)  # fmt: skip
RECORDED = storage.read("errors")


@each("case", {case.id: case for case in CASES})
def test_error(case: Case) -> None:
    expected = storage.decode(RECORDED[case.id])
    got = observe.failure(symgrad, case)
    assert got is not None, f"no error; PyTorch: {expected.error}: {expected.message}"
    assert got.error == expected.error, got
    if not any(name in expected.message for name in INTERNAL):
        assert got.message == expected.message


def test_data_has_every_case() -> None:
    assert not repeated_ids(CASES)
    assert set(RECORDED) == {case.id for case in CASES}
