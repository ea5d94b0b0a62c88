"""The same table compared with PyTorch as it runs now, where it is installed.

Another draw of the inputs than the recorded one, so agreement is not with one set of numbers.
"""

from __future__ import annotations

import importlib
import warnings

import pytest

import symgrad
from tests.each import each

from . import observe
from .cases import CASES
from .forward import CONVENTIONS, FREE, tangents
from .observe import Failure
from .table import Case
from .test_forward import beyond
from .test_oracle import check_gradients, check_outputs, recorded

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.oracle

with warnings.catch_warnings():  # of its own, on the first use of forward mode
    warnings.simplefilter("ignore", DeprecationWarning)
    importlib.import_module("torch._decomp.decompositions_for_jvp")

DRAW = 1
over_drawn = each(
    "case",
    {
        case.id: case
        for case in CASES
        if not case.differs and any(arg.values is None for arg in case.args)
    },
)


@over_drawn
def test_live(case: Case) -> None:
    expected = observe.outputs(torch, case, DRAW)
    check_outputs(case, observe.outputs(symgrad, case, DRAW), expected)
    if isinstance(expected, Failure):
        return
    first, freed = observe.first(torch, case, DRAW)
    if first is None:
        return
    got = observe.first(symgrad, case, DRAW)
    check_gradients(case, got[0], first, none_is_zero=False)
    assert got[1] == freed or case.differs
    if not isinstance(first, Failure):
        second = observe.second(torch, case, DRAW)
        check_gradients(case, observe.second(symgrad, case, DRAW), second, none_is_zero=True)


@over_drawn
def test_live_tangents(case: Case) -> None:
    expected = tangents(torch, case, DRAW)
    if case.id not in {*CONVENTIONS, *FREE} and not beyond(case, expected):
        check_gradients(case, tangents(symgrad, case, DRAW), expected, none_is_zero=False)


@pytest.mark.parametrize("family", sorted({case.family for case in CASES}))
def test_recording_is_current(family: str) -> None:
    """The data says what this PyTorch does: a new version shows here first."""
    for case in CASES:
        if case.family == family:
            expected = recorded(case, "outputs")
            check_outputs(case, observe.outputs(torch, case), expected)
            first = recorded(case, "first")
            if first is not None:
                check_gradients(case, observe.first(torch, case)[0], first, none_is_zero=False)
