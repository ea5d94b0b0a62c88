"""Matplotlib typesets the LaTeX of formulas, so that it can be put on plots, and TeX can as well.

It knows no environments: of a case distinction, a matrix and definitions it is given the parts.
"""

from __future__ import annotations

import re
from typing import Any

import pytest

import symgrad
from symgrad.expr.typesetting import latex
from symgrad.ops.primitive import Primitive
from tests.each import each

from .samples import all_samples, with_derivatives
from .test_typesetting import PLACES, inside, kinds

pytestmark = pytest.mark.mathtext

_ENVIRONMENT = re.compile(
    r"\\begin\{(aligned|bmatrix|cases)\}((?:(?!\\begin).)*?)\\end\{\1\}", re.DOTALL
)
_CELL = re.compile(r"\\\\(?=\s)|(?<!\\)&")


def typeset(text: str) -> None:
    """Let Matplotlib typeset a formula and what stands in its environments, or raise its error."""
    parser = pytest.importorskip("matplotlib.mathtext").MathTextParser("path")
    while found := _ENVIRONMENT.search(text):
        for cell in filter(None, map(str.strip, _CELL.split(found[2]))):
            parser.parse(f"${cell}$")
        text = text[: found.start()] + "E" + text[found.end() :]
    parser.parse(f"${text}$")


@each("cls, sample", all_samples())
def test_every_operation_and_its_derivatives(cls: type[Primitive], sample: tuple[Any, ...]) -> None:
    for e, _ in with_derivatives(cls, sample):
        typeset(latex(e))


def test_places_of_every_kind() -> None:
    for text in dict.fromkeys(latex(inside(p, 0, e)) for p in PLACES for e in kinds()):
        typeset(text)


def test_names() -> None:
    for name in ("x", "x_1", "alpha_dot", "lam", "_x", "a__b", "xhat", "Omega", "t_max"):
        typeset(latex(symgrad.leaf(name)))
