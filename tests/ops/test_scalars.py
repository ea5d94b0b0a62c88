"""Operations on a tensor without axes give what PyTorch's give, by indices along an axis, too."""

from __future__ import annotations

import json

import pytest

import symgrad
from tests.data.record_scalars import PATH
from tests.ops.layout_cases import function
from tests.ops.scalar_cases import ARGUMENTS, Given, outcome

RECORDED: dict[str, dict[str, str]] = json.loads(PATH.read_text())

#: Where PyTorch does what nobody asks for: sizes below zero, a matrix of no axes, a flag as size.
DIFFERS = {
    ("Tensor.expand", "-1 zero"),
    ("adjoint", ""),
    ("Tensor.adjoint", ""),
    ("nn.functional.mse_loss", "true"),
    ("nn.functional.mse_loss", "true y"),
}


@pytest.mark.parametrize("name", RECORDED)
def test_a_tensor_without_axes_gives_what_pytorchs_gives(name: str) -> None:
    for arguments, expected in RECORDED[name].items():
        got = outcome(function(symgrad, name), ARGUMENTS[arguments], Given(symgrad))
        if (name, arguments) not in DIFFERS and got != "TypeError":  # arguments of other kinds
            assert got == expected, arguments


def test_what_is_said_to_differ_does() -> None:
    for name, arguments in DIFFERS:
        if arguments in RECORDED.get(name, ()):
            got = outcome(function(symgrad, name), ARGUMENTS[arguments], Given(symgrad))
            assert got != RECORDED[name][arguments]


ALONG = ("gather", "index_copy", "index_add", "index_fill", "scatter", "scatter_add")


@pytest.mark.parametrize("name", ALONG)
def test_operations_along_an_axis_take_a_tensor_without_axes(name: str) -> None:
    """None of what is recorded of them is refused."""
    for arguments in RECORDED[name]:
        got = outcome(function(symgrad, name), ARGUMENTS[arguments], Given(symgrad))
        assert got == RECORDED[name][arguments]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (
            lambda x: x.index_copy(0, symgrad.tensor([3]), symgrad.ones(1)),
            "index_copy_.*index 3 is",
        ),
        (lambda x: x.index_fill(0, symgrad.tensor([-4]), 1.0), "^index -4 is out of bounds"),
        (lambda x: x.index_add(0, symgrad.tensor([3]), symgrad.ones(1)), "^index out of range"),
    ],
    ids=["index_copy", "index_fill", "index_add"],
)
def test_an_index_that_names_nothing_is_refused(call, words) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(IndexError, match=words):
        call(symgrad.zeros(3))
