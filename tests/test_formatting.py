"""Arrays print as PyTorch prints tensors: recorded texts, and live ones beside it."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from symgrad.tensor import formatting
from tests.data import record_formatting as record
from tests.each import each

pytestmark = pytest.mark.versions
CASES = json.loads(record.TABLE.read_text())["cases"]


@pytest.fixture(autouse=True)
def _default_options() -> Iterator[None]:
    formatting.set_printoptions(profile="default")
    yield
    formatting.set_printoptions(profile="default")


def text(case: dict[str, Any], values: Any) -> str:
    history = case.get("history")
    with formatting.printoptions(**case.get("options", {})):
        return formatting.tensor_repr(
            record.viewed(values, case.get("view", "")),
            requires_grad=history is not None,
            grad_fn=None if history == "leaf" else history,
            default_float=case.get("default_float", np.float32),
        )


@each(
    "case",
    {str(i): case for i, case in enumerate(CASES)},
    before=lambda: formatting.set_printoptions(profile="default"),
)
def test_recorded(case: dict[str, Any]) -> None:
    assert text(case, record.decode(case["values"])) == case["text"]


@pytest.mark.oracle
@pytest.mark.parametrize("seed", range(10))
def test_live(seed: int) -> None:
    pytest.importorskip("torch")
    for case, values in record.cases(random.Random(f"live {seed}"), 100):
        assert text(case, values) == record.text_in_torch(case, values.copy()), case


# ------------------------------------------------------------------ options


def test_default_options() -> None:
    assert formatting.get_printoptions() == {
        "precision": 4,
        "threshold": 1000,
        "edgeitems": 3,
        "linewidth": 80,
        "sci_mode": None,
    }


@pytest.mark.parametrize(
    ("profile", "changed"),
    [("short", {"precision": 2, "edgeitems": 2}), ("full", {"threshold": float("inf")})],
)
def test_profiles(profile: str, changed: dict[str, Any]) -> None:
    default = formatting.get_printoptions()
    formatting.set_printoptions(precision=9, threshold=1, edgeitems=9, linewidth=9)
    formatting.set_printoptions(profile=profile)
    assert formatting.get_printoptions() == default | changed
    formatting.set_printoptions(profile=profile, linewidth=9)
    assert formatting.get_printoptions() == default | changed | {"linewidth": 9}


def test_an_unknown_profile_changes_nothing() -> None:
    formatting.set_printoptions(precision=9)
    before = formatting.get_printoptions()
    formatting.set_printoptions(profile="unknown")
    assert formatting.get_printoptions() == before


def test_sci_mode_is_forgotten_by_the_next_call() -> None:
    formatting.set_printoptions(sci_mode=True)
    formatting.set_printoptions(precision=2)
    assert formatting.get_printoptions()["sci_mode"] is None


def test_an_unknown_option() -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'digits'"):
        formatting.set_printoptions(digits=3)  # type: ignore[call-arg]


def test_options_return_after_an_error() -> None:
    before = formatting.get_printoptions()

    def fail() -> None:
        assert formatting.get_printoptions()["precision"] == 1
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), formatting.printoptions(precision=1, sci_mode=False):
        fail()
    assert formatting.get_printoptions() == before


# ------------------------------------------------------------------ the rest of the interface


def test_a_prefix_sets_the_indent() -> None:
    values = np.arange(4, dtype=np.float32).reshape(2, 2)
    expected = "Point([[0., 1.],\n       [2., 3.]], requires_grad=True)"
    assert formatting.tensor_repr(values, prefix="Point(", requires_grad=True) == expected


def test_what_follows_the_rest() -> None:
    actual = formatting.tensor_repr(np.float64(1), grad_fn="F", extra=["tangent=2.0"])
    assert actual == "tensor(1., dtype=torch.float64, grad_fn=<F>, tangent=2.0)"


@pytest.mark.parametrize(
    ("value", "spec", "expected"),
    [
        (np.float32(0.1), "", "0.10000000149011612"),
        (np.float32(0.1), ".12f", "0.100000001490"),
        (np.float16(0.1), ".3e", "9.998e-02"),
        (np.int64(12), "5d", "   12"),
        (np.bool_(True), "", "True"),
        (np.complex64(1 + 2j), ".1f", "1.0+2.0j"),
    ],
)
def test_format_element(value: Any, spec: str, expected: str) -> None:
    assert formatting.format_element(np.asarray(value), spec) == expected


def test_format_element_of_many() -> None:
    with pytest.raises(TypeError, match=r"unsupported format string passed to Tensor.__format__"):
        formatting.format_element(np.ones(2), ".2f")
