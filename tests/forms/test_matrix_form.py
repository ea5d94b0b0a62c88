"""The matrix form: with matrices of numbers in it, SymPy computes the values of the formula."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
import sympy
from sympy.matrices.expressions.applyfunc import ElementwiseApplyFunction

import symgrad
from symgrad import derive, leaf
from symgrad.expr.dtypes import bool_
from symgrad.expr.graph import toposort
from symgrad.forms import indexed
from tests.each import each, in_part
from tests.expr.samples import all_samples, chain
from tests.forms.test_explicit import exactly
from tests.forms.test_indexed import of_first_order
from tests.normal_form.formulas import random_derivative


def form_of(e: Any, **how: Any) -> Any:
    """The matrix form; what has none."""
    try:
        return e.to_sympy("matrix", **how)
    except ValueError as error:
        text = str(error)
        assert text.startswith(("to_sympy('matrix'): ", "SymPy has no function for ")), text
        return text.removeprefix("to_sympy('matrix'): ").partition(";")[0]


def size_of(e: Any) -> tuple[int, int]:
    if e.ndim == 2:
        return e.shape
    long = [n for n in e.shape if n != 1]
    return (*long, 1, 1)[:2]


def numbers_of(form: Any, e: Any, values: dict[str, np.ndarray]) -> np.ndarray:
    """The values that SymPy computes of a form, in which each symbol is replaced by numbers."""
    known = {}
    for x in e.leaves:
        v = [exactly(int(n) if x.dtype is bool_ and x.shape else n) for n in values[x.name].flat]
        if x.shape:
            size = size_of(x)
            known[sympy.MatrixSymbol(x.name, *size)] = sympy.ImmutableMatrix(*size, v)
        else:
            known[x.symbol] = v[0]
    got = form.xreplace(known).doit()
    elements = got.as_explicit().flat() if got.is_Matrix else [got]
    found = [x.doit() for x in elements]
    return np.array(
        [complex(bool(x)) if x in (True, False) else complex(sympy.N(x, 25)) for x in found]
    )


def accuracy(want: np.ndarray) -> float:
    return 1e-3 if want.dtype.itemsize == 2 else 1e-5 if want.dtype.itemsize == 4 else 1e-9


def check_values(e: Any, form: Any, values: dict[str, np.ndarray]) -> None:
    assert not any("symgrad" in str(type(n).__module__) for n in sympy.preorder_traversal(form))
    want = np.asarray(e.evaluate({x: values[x.name] for x in e.leaves}))
    if e.shape:
        assert form.shape == size_of(e)
    else:
        assert not getattr(form, "is_Matrix", False)
    finite = np.isfinite(want).ravel()
    if finite.all():  # at a pole a formula has no value
        close = accuracy(want)
        got = numbers_of(form, e, values)
        np.testing.assert_allclose(got, want.ravel(), rtol=close, atol=close)


def check_back(e: Any, form: Any, values: dict[str, np.ndarray]) -> None:
    """Compare the formula that is read back, which has the shape of the matrix."""
    named = {str(x) for x in form.free_symbols}
    back = symgrad.from_sympy(form, {x.name: x for x in e.leaves if x.name in named})
    want = np.asarray(e.evaluate({x: values[x.name] for x in e.leaves}))
    assert back.shape == (size_of(e) if e.shape else ())
    got = back.evaluate({x: values[x.name] for x in back.leaves}).reshape(want.shape)
    finite, close = np.isfinite(want), max(1e-7, accuracy(want))
    np.testing.assert_allclose(got[finite], want[finite], rtol=close, atol=close)


def check_all(e: Any, values: dict[str, np.ndarray]) -> str:
    """Check the form with functions written out, and with their names; return what has none."""
    form = form_of(e, expand=True)
    if isinstance(form, str):
        return form
    check_values(e, form, values)
    check_back(e, form, values)
    named = form_of(e)
    if named != form:
        check_back(e, named, values)
    return ""


def check_refusal(e: Any, refused: str) -> None:
    """Check that a part of the formula, or a formula that stands for a part, is named."""
    if "more than two axes" in refused or "has no elements" in refused:
        assert any(x.ndim > 2 or 0 in x.shape for x in toposort([e]) if hasattr(x, "shape"))
    else:
        assert refused.split()[0] in WITHOUT or refused in PARTS, refused


#: Operations without a form in matrices, for some of their samples: those of several elements that
#: are no product, those that choose or move elements, and those of truth values.
WITHOUT: set[str] = set()
PARTS: set[str] = set()
