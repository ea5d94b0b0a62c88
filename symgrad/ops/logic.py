"""Comparisons, logic and `where`, which chooses between values and between their derivatives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import sympy

from numeric.kernel import Kernel
from numeric.rows import local
from symgrad.expr.dtypes import bool_, dtype, result_dtype
from symgrad.expr.node import ArrayExpr
from symgrad.expr.shapes import Shape, broadcast_shapes
from symgrad.primitive import Elementwise, Level, Notation, bind
from symgrad.public import public

_A = np.array([0.3, -1.2, 2.0])
_B = np.array([[0.3], [-0.4]])


class Comparison(Elementwise, abstract=True):
    """A relation between two arrays; its value is bool and has no derivative."""

    arity = 2
    result = "bool"
    differentiable = False
    symbol = ""
    latex_symbol = ""

    def partials(self, x: ArrayExpr, y: ArrayExpr) -> Sequence[Any]:
        return 0, 0

    def notation(self) -> Notation:
        return Notation(
            f"{{0}} {self.symbol} {{1}}",
            f"{{0}} {self.latex_symbol} {{1}}",
            Level.COMPARE,
            (Level.COMPARE + 1, Level.COMPARE + 1),
        )

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(_A, _B)]


def _comparison(call: Any, symbol: str) -> Kernel:
    return Kernel(call.__name__, call, f"{{0}} {symbol} {{1}}", out=True, rows=local)


class lt(Comparison):
    scalar = sympy.Lt
    kernel = _comparison(np.less, "<")
    symbol = latex_symbol = "<"


class le(Comparison):
    scalar = sympy.Le
    kernel = _comparison(np.less_equal, "<=")
    symbol, latex_symbol = "<=", r"\le"


class gt(Comparison):
    scalar = sympy.Gt
    kernel = _comparison(np.greater, ">")
    symbol = latex_symbol = ">"


class ge(Comparison):
    scalar = sympy.Ge
    kernel = _comparison(np.greater_equal, ">=")
    symbol, latex_symbol = ">=", r"\ge"


class eq(Comparison):
    scalar = sympy.Eq
    kernel = _comparison(np.equal, "==")
    symbol, latex_symbol = "==", "="


class ne(Comparison):
    scalar = sympy.Ne
    kernel = _comparison(np.not_equal, "!=")
    symbol, latex_symbol = "!=", r"\ne"


class where(Elementwise):
    """`x` where the condition holds, else `y`; the branch not taken contributes an exact zero."""

    arity = 3
    scalar = lambda c, x, y: sympy.Piecewise((x, c), (y, True))  # noqa: E731
    kernel = Kernel("where", np.where, "np.where({0}, {1}, {2})", rows=local)

    @classmethod
    def infer(cls, *operands: Any) -> tuple[Shape, dtype]:
        condition, x, y = operands
        if condition.dtype is not bool_:
            raise RuntimeError(
                "where expected condition to be a boolean tensor, but got a tensor with dtype "
                f"{condition.dtype.name.capitalize()}"
            )
        shape = broadcast_shapes(condition.shape, x.shape, y.shape)
        return shape, x.dtype if x.dtype is y.dtype and not x.weak else result_dtype((x, y))

    def compute_dtype(self) -> dtype | None:
        return None

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Sequence[ArrayExpr | None]:
        condition = self.operands[0]
        return (
            None,
            where.of(condition, ct, 0) if needs[1] else None,
            where.of(condition, 0, ct) if needs[2] else None,
        )

    def jvp(self, tangents: Sequence[ArrayExpr | None]) -> ArrayExpr | None:
        _, x, y = tangents
        if x is None and y is None:
            return None
        return where.of(self.operands[0], 0 if x is None else x, 0 if y is None else y)

    def notation(self) -> Notation:
        return Notation(
            "where({0}, {1}, {2})",
            r"\begin{{cases}} {1} & \text{{if }} {0} \\ {2} & \text{{otherwise}} \end{{cases}}",
        )

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(_A > 0, _A, _B), (_A > 0, _A, 0)]


@public("where", method=False)
def _where(condition: Any, input: Any = None, other: Any = None) -> Any:
    """Choose `input` where `condition` holds, else `other`."""
    return bind(where, (condition, input, other))
