"""The documents' programs, unchanged, print with symgrad what they print with PyTorch."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

import symgrad
import symgrad.autograd
from tests.documents.record import HERE, PROGRAMS, standing_in, transcript


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_prints_what_pytorch_prints(program: Path) -> None:
    expected = (HERE / "expected" / f"{program.stem}.txt").read_text(encoding="utf-8")
    with standing_in(symgrad):
        assert transcript(program, symgrad) == expected


@pytest.mark.parametrize(
    "printed", sorted((HERE / "printed").glob("*.txt")), ids=lambda path: path.stem
)
def test_prints_what_the_document_says(printed: Path) -> None:
    """Where a document shows an output that does not depend on chance, it is that output."""
    with standing_in(symgrad):
        got = transcript(HERE / "programs" / f"{printed.stem}.py", symgrad)
    assert got == printed.read_text(encoding="utf-8")


def test_every_program_has_a_record() -> None:
    assert {path.stem for path in PROGRAMS} == {
        path.stem for path in (HERE / "expected").glob("*.txt")
    }


@pytest.mark.parametrize(
    ("function", "documented"),
    [
        (
            symgrad.autograd.backward,
            {
                "tensors": inspect.Parameter.empty,
                "grad_tensors": None,
                "retain_graph": None,
                "create_graph": False,
                "grad_variables": None,
                "inputs": None,
            },
        ),
        (
            symgrad.Tensor.backward,
            {
                "self": inspect.Parameter.empty,
                "gradient": None,
                "retain_graph": None,
                "create_graph": False,
                "inputs": None,
            },
        ),
    ],
    ids=["autograd.backward", "Tensor.backward"],
)
def test_signatures_are_the_documented_ones(
    function: object, documented: dict[str, object]
) -> None:
    parameters = inspect.signature(function).parameters  # type: ignore[arg-type]
    assert {name: p.default for name, p in parameters.items()} == documented


def test_the_syntax_line_of_the_first_document() -> None:
    tensor = symgrad.tensor(2.0, requires_grad=True)
    tensor.backward(gradient=None, retain_graph=False, create_graph=False)
    assert tensor.grad is not None
    assert tensor.grad.item() == 1.0
