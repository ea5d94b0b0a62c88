"""Trigonometric and hyperbolic functions and their inverses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import sympy

from numeric.kernel import Kernel
from numeric.rows import local
from symgrad.expr.node import ArrayExpr
from symgrad.primitive import Elementwise


def _kernel(name: str, call: Any) -> Kernel:
    return Kernel(name, call, f"np.{call.__name__}({{0}})", out=True, rows=local)


_ANY = np.array([0.3, -1.2, 2.0])


class sin(Elementwise):
    result = "float"
    scalar = sympy.sin
    kernel = _kernel("sin", np.sin)

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (x.cos(),)

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(_ANY,)]


class cos(Elementwise):
    result = "float"
    scalar = sympy.cos
    kernel = _kernel("cos", np.cos)

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: -x.sin(),)

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(_ANY,)]
