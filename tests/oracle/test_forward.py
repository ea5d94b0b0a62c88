"""Tangents are those that PyTorch's forward mode was recorded giving, for every case."""

from __future__ import annotations

from typing import Any

import symgrad
from tests.each import each, in_part, two_words

from .cases import CASES
from .compare import assert_gradients
from .forward import CONVENTIONS, FREE, separately_and_together, tangents, transposed
from .observe import Failure
from .table import Case
from .test_oracle import assert_failed, recorded

# What PyTorch cannot push tangents through, for reasons of its own.
LIMITS = (
    "unsupported operation: more than one element",
    "INTERNAL ASSERT FAILED",
    "forward AD with index_reduce",
    "forward AD with igamma",
    "forward AD with _cdist_forward",
    "forward AD with _pdist_forward",
    "forward AD with _embedding_bag",
    "forward AD with _ctc_loss",
    "forward AD with cholesky",
    "forward AD with conv_tbc",
    "forward AD with grid_sampler",
    "forward AD with aten::bincount",
    "forward AD with ormqr",
    "Expected a proper Tensor but got None",
    "You must implement the jvp function for custom autograd.Function",
)


def beyond(case: Case, expected: Any) -> bool:
    """Whether PyTorch fails where symgrad need not."""
    return isinstance(expected, Failure) and (
        case.family == "deliberate" or any(text in expected.message for text in LIMITS)
    )


def over(cases: list[Case], every: int = 1) -> Any:
    return each("case", in_part({case.id: case for case in cases}, every, two_words))


# Of a call that fails anyway there is no tangent to compare.
WORKING = [c for c in CASES if not isinstance(recorded(c, "outputs"), Failure)]


@over([c for c in WORKING if c.id not in {*CONVENTIONS, *FREE}], every=6)
def test_tangents(case: Case) -> None:
    expected = recorded(case, "tangents")
    got = tangents(symgrad, case)
    if beyond(case, expected):
        expected = transposed(symgrad, case)
    if isinstance(expected, Failure):
        assert_failed(got, expected, case)
        return
    assert not isinstance(got, Failure), got
    assert_gradients(got, expected, case)


@over([c for c in CASES if c.id in CONVENTIONS])
def test_conventions_are_those_of_reverse_mode(case: Case) -> None:
    got = tangents(symgrad, case)
    assert not isinstance(got, Failure), got
    assert_gradients(got, transposed(symgrad, case), case)


def test_conventions_differ() -> None:
    """No case is declared to differ that does not."""
    same = []
    for case in CASES:
        if case.id in CONVENTIONS:
            try:
                assert_gradients(tangents(symgrad, case), recorded(case, "tangents"), case)
            except AssertionError:
                continue
            same.append(case.id)
    assert not same


@over(WORKING, every=30)
def test_directions_at_once(case: Case) -> None:
    """Tangents with a leading axis are the tangents for each of its entries."""
    found = separately_and_together(symgrad, case)
    if found is not None:
        separate, together = found
        assert_gradients(together, separate, case)
