"""How many NumPy calls the gradients of the documents' programs take: none is wasted."""

from __future__ import annotations

import contextlib
import io
from pathlib import Path

import pytest

import symgrad
from symgrad.autograd import cache_clear
from symgrad.backward import plan
from tests.autograd.support import repeated
from tests.documents.record import PROGRAMS, standing_in, transcript

#: For each program the calls of each of its gradient programs, in the order in which they are met.
CALLS: dict[str, list[int]] = {
    "000_scalar": [1],  # 6*x
    "000_vector": [1],  # 2*gradient
    # 24*x**2: z is (2*x)**3, of which 2*x is saved; with a gradient it is one product more.
    "001_notebook": [2, 3, 3, 2],  # in the last one 6 and the 1/4 of a mean are one number
    "002_with_backward": [0],  # x and 1
    "002_without_backward": [],
    "004_accumulation": [1],  # gradient*y; the second backward is refused
    "004_scalar_output": [0],  # y and x
    "004_vector_output": [],
}


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_calls(path: Path) -> None:
    cache_clear()
    with standing_in(symgrad), contextlib.redirect_stdout(io.StringIO()):
        transcript(path, symgrad)
    programs = [p.program for p in plan._plans.values()]
    assert [len(p) for p in programs] == CALLS[path.stem], "\n".join(map(str, programs))
    assert all(repeated(p) == [] for p in programs)
