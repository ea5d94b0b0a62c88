"""Calls that move data give what PyTorch was recorded to give, errors included."""

from __future__ import annotations

import symgrad
from tests.each import each

from .record_movement import CALLS, RECORDS, outcome


@each("call", list(CALLS))
def test_call(call: str) -> None:
    """Values, shapes, dtypes, names in the graph; error classes and first lines of messages."""
    assert outcome(symgrad, call) == RECORDS[call]
