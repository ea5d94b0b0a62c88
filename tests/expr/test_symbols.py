"""`symbols` makes leaves of names, and parses nothing else; PyTorch's constants are numbers."""

from __future__ import annotations

import math

import pytest

import symgrad
from symgrad.expr.atoms import Leaf


def test_names_make_leaves() -> None:
    x, y = symgrad.symbols("x y")
    assert x is symgrad.leaf("x")
    assert (
        symgrad.symbols("x,y") == symgrad.symbols("x, y") == symgrad.symbols(["x", "y"]) == (x, y)
    )
    assert symgrad.symbols("x") is x
    assert symgrad.symbols("x,") == symgrad.symbols(["x"]) == (x,)
    (w,) = symgrad.symbols("w,", (2, 3), symgrad.float32)
    assert w is Leaf("w", (2, 3), symgrad.float32)
    assert symgrad.derive(x * y**2, y).evaluate({"x": 2.0, "y": 3.0}) == 12.0


@pytest.mark.parametrize("names", ["", " , ", "x;y", "x:3", "1x", "class", '__import__("os")', [3]])
def test_what_is_no_name_is_refused(names: object) -> None:
    with pytest.raises(ValueError, match=r"a name must be a Python identifier|symbols\(\) takes"):
        symgrad.symbols(names)


def test_constants() -> None:
    assert (symgrad.pi, symgrad.e, symgrad.inf) == (math.pi, math.e, math.inf)
    assert math.isnan(symgrad.nan)
    assert symgrad.ones(3)[:, symgrad.newaxis].shape == (3, 1)
