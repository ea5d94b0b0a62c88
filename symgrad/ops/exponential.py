"""Exponentials, logarithms and the logistic family."""

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
_POSITIVE = np.array([0.3, 1.2, 2.0])


class exp(Elementwise):
    result = "float"
    scalar = sympy.exp
    kernel = _kernel("exp", np.exp)
    keeps = (0,)  # log(1 + exp(x)) is differentiated as softplus(x), which reads x

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (self,)

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(_ANY,)]


class log(Elementwise):
    result = "float"
    scalar = sympy.log
    kernel = _kernel("log", np.log)

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (1 / x,)

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(_POSITIVE,)]


class tanh(Elementwise):
    result = "float"
    scalar = sympy.tanh
    kernel = _kernel("tanh", np.tanh)

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (1 - self**2,)

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(_ANY,)]
