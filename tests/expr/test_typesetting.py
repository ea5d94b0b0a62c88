"""LaTeX is what TeX typesets, and means what is computed: every operation inside every other."""

from __future__ import annotations

import functools
from typing import Any

import pytest
import sympy

import symgrad
from symgrad.expr.node import ArrayExpr, intern
from symgrad.expr.typesetting import latex
from symgrad.ops.primitive import Primitive
from tests.each import each

from .samples import all_samples, node_of, with_derivatives
from .tex import NotTex, check


@pytest.mark.parametrize(
    "text", ["x^{2}^{3}", "x_{1}_{2}", "{x", "x}", r"\left(x", r"\frac{x}", r"\nothing", "x^", "^2"]
)
def test_what_tex_refuses(text: str) -> None:
    with pytest.raises(NotTex):
        check(text)


@functools.cache
def _inner() -> list[ArrayExpr]:
    """One node for each way of writing one: every operation with every form that its samples have."""
    found: dict[str, ArrayExpr] = {}
    for parameter in all_samples():
        e, _ = node_of(*parameter.values)
        found.setdefault(latex(e), e)
    number: Any
    for number in (2, -3, 0.5, -1e-30, 2 - 1j, sympy.pi - 3, -sympy.sqrt(2) / 3):
        e = symgrad.expr.atoms.Const(number)
        found[latex(e)] = e
    return list(found.values())


@each("cls, sample", all_samples())
def test_every_operation_inside_every_other(
    cls: type[Primitive], sample: tuple[Any, ...]
) -> None:
    outer, _ = node_of(cls, sample)
    for i in range(len(outer.operands)):
        for x in _inner():
            operands = (*outer.operands[:i], x, *outer.operands[i + 1 :])
            params = outer.args[len(operands) :]
            # The shapes need not fit: it is written, not computed.
            check(latex(intern(cls, operands, params, outer.shape, outer.dtype)))


@each("cls, sample", all_samples())
def test_derivatives_are_typeset(cls: type[Primitive], sample: tuple[Any, ...]) -> None:
    for e, _ in with_derivatives(cls, sample):
        check(latex(e))
