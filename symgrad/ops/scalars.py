"""Derivatives of the scalar functions that elementwise operations state, as SymPy knows them."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import sympy
from sympy.core.basic import Basic
from sympy.core.function import ArgumentIndexError

from symgrad.expr.atoms import of_scalar
from symgrad.expr.node import ArrayExpr

#: What SymPy writes where it knows no formula, or one that nothing computes.
_UNEVALUATED = (sympy.Derivative, sympy.Subs, sympy.Integral, sympy.meijerg)


@functools.lru_cache(maxsize=4096)
def _symbolic_partial(cls: Any, i: int) -> tuple[Basic, tuple[sympy.Symbol, ...]]:
    symbols = sympy.symbols(f"x:{cls.arity}", cls=sympy.Dummy)
    value = cls.scalar(*symbols)
    name = getattr(cls.scalar, "__name__", cls.__name__)
    try:
        derivative = value.fdiff(i + 1) if value.args == symbols else value.diff(symbols[i])
    except ArgumentIndexError:
        derivative = None
    if derivative is None or derivative.has(*_UNEVALUATED):
        raise RuntimeError(
            f"{name} has no derivative in closed form with respect to argument {i + 1}"
        )
    return derivative, symbols


def partials_of(node: ArrayExpr) -> Sequence[Callable[[], ArrayExpr]]:
    """Return makers of the partial derivatives of `node`, SymPy's of its class's `scalar`.

    Each raises RuntimeError, naming function and argument, where SymPy has no closed form.
    """

    def make(i: int) -> ArrayExpr:
        cls: Any = type(node)
        derivative, symbols = _symbolic_partial(cls, i)
        return of_scalar.call(derivative, dict(zip(symbols, node.operands, strict=True)))

    return [functools.partial(make, i) for i in range(len(node.operands))]
