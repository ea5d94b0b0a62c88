"""What the gradient of a result is at second order, against PyTorch where it is installed.

Every case of the table is tried, with results that retain their gradient, and with results whose
hooks look at it, or change it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import symgrad

from .observe import Failure
from .results import COMPARED, OF_ZEROS, arrivals, seconds
from .test_oracle import check_gradients

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.oracle

FAMILIES = sorted({case.family for case in COMPARED})
HOW: dict[str, Callable[[int, Any], Any]] = {
    "retained": lambda k, y: y.retain_grad(),
    "hooked": lambda k, y: y.register_hook(lambda g: 2 * g),
}


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("family", FAMILIES)
def test_a_result_passes_on_what_pytorch_does(family: str, how: str) -> None:
    wrong = []
    for case in COMPARED:
        if case.family != family:
            continue
        expected = seconds(torch, case, HOW[how])
        if expected is None or isinstance(expected, Failure):
            continue
        try:
            check_gradients(case, seconds(symgrad, case, HOW[how]), expected, none_is_zero=True)
        except AssertionError as error:
            wrong.append(f"{case.id}: {' '.join(str(error).split())[:200]}")
    assert not wrong, "\n".join(wrong[:20])


@pytest.mark.parametrize("family", FAMILIES)
def test_what_arrives_at_a_result(family: str) -> None:
    wrong = []
    for case in COMPARED:
        if case.family == family and not case.id.startswith(OF_ZEROS):
            expected = arrivals(torch, case)
            got = None if expected is None else arrivals(symgrad, case)
            wrong += [f"{case.id}: {got} for {expected}"] * (got != expected)
    assert not wrong, "\n".join(wrong[:20])
