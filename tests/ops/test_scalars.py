"""Operations on a tensor without axes give what PyTorch's give, by indices along an axis, too."""

from __future__ import annotations

import pytest

import symgrad
from tests.data.record_scalars import RECORDS
from tests.each import each
from tests.ops.layout_cases import function
from tests.ops.scalar_cases import ARGUMENTS, Given, outcome

#: Of names for which PyTorch gives results.
RECORDED: dict[str, dict[str, str]] = {n: found for n, found in RECORDS.all().items() if found}

#: Calls that PyTorch takes and that are refused here, with the reason.
REFUSED = {
    ("Tensor.expand", "-1 zero"): "a size below zero",
    ("adjoint", ""): "of a matrix, which a tensor without axes is not",
    ("nn.functional.normalize", "0 zeros"): "a tensor for the number of an axis",
    ("nn.functional.normalize", "0 zeros y"): "a tensor for the number of an axis",
    ("nn.functional.gumbel_softmax", "twice"): "a tensor for the temperature",
    ("nn.functional.gumbel_softmax", "0 zeros row"): "a tensor for a number",
    ("nn.functional.gumbel_softmax", "0 one row"): "a tensor for a number",
    ("roll", "true"): "a truth value for a number of places",
}


@each("name", list(RECORDED))
def test_a_tensor_without_axes_gives_what_pytorchs_gives(name: str) -> None:
    for arguments, expected in RECORDED[name].items():
        got = outcome(function(symgrad, name), ARGUMENTS[arguments], Given(symgrad))
        if (name, arguments) in REFUSED:
            assert got.endswith("Error"), f"{arguments} is not refused: {got}"
        else:
            assert got == expected, arguments


def test_what_is_said_to_be_refused_is_recorded() -> None:
    assert all(arguments in RECORDED[name] for name, arguments in REFUSED)


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
