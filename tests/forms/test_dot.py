"""Pictures of formulas: every operation has a label, and no name is a command."""

from __future__ import annotations

import re
import shutil
import subprocess
from unittest import mock

import pytest

import symgrad as sg
from symgrad import leaf
from symgrad.forms.dot import Dot
from symgrad.ops.primitive import PRIMITIVES
from tests.expr.samples import node_of

_LINE = re.compile(
    r'  (n\d+ \[label="(\\.|[^"\\])+"(, shape=ellipse)?\]|n\d+ -> n\d+( \[label="\w+"\])?)'
)


def test_every_operation_is_drawn() -> None:
    for cls in PRIMITIVES.values():
        e, _ = node_of(cls, cls.samples[0])
        first, _, _, *lines, last = e.dot().split("\n")
        assert (first, last) == ("digraph {", "}")
        assert all(map(_LINE.fullmatch, lines)), e.dot()
        assert sum("->" in x for x in lines) >= len(e.operands)


def test_letters_stand_at_contractions_and_places_elsewhere() -> None:
    A, x, y = leaf("A", (4, 3)), leaf("x", (3,)), leaf("y", (4,))
    shown = (y / (A @ x)).dot()
    labels = re.findall(r'label="(.*?)"', shown)
    assert labels == ["y (4,)", "A (4, 3)", "x (3,)", "ab,b->a", "ab", "b", "/", "0", "1"]
    assert str(x.dot(x)) == "x @ x"
    assert str(x.dot(tensor=x)) == "x @ x"


def test_a_derivative_is_drawn_as_it_is_read() -> None:
    x = leaf("x", (4,))
    shown = sg.derive((x**2).mean(), x, 2).dot()
    assert '[label="eye(4, dtype=float64)"]' in shown
    assert type(shown) is Dot


def test_notebooks_draw_where_graphviz_is() -> None:
    shown = leaf("x").sin().dot()
    with mock.patch.object(shutil, "which", return_value=None):
        assert shown._repr_svg_() is None
    made = subprocess.CompletedProcess([], 0, stdout="<svg/>")
    with mock.patch.object(shutil, "which", return_value="dot"):
        with mock.patch.object(subprocess, "run", return_value=made) as run:
            assert shown._repr_svg_() == "<svg/>"
        assert run.call_args.kwargs["input"] == shown
        failed = subprocess.CalledProcessError(1, [])
        with mock.patch.object(subprocess, "run", side_effect=failed):
            assert shown._repr_svg_() is None


@pytest.mark.slow
def test_a_deep_formula_is_drawn() -> None:
    e = leaf("x")
    for _ in range(100_000):
        e = e.sin()
    assert e.dot().count("\n") > 200_000
