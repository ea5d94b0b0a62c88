"""The check that elements lie between bounds, for indices, classes and probabilities.

The elements of tensors are checked when a function is called. A formula has no elements yet; it
keeps the check as a node, which raises the same error when the formula is evaluated, by a program
or by its source.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from numeric.kernel import Kernel
from numeric.rows import local
from symgrad.expr.dtypes import Category
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import Notation, Precedence
from symgrad.ops.elementwise import Elementwise


def _within(x: Any, *, low: Any, high: Any, error: Any, message: Any, ignored: Any) -> Any:
    if not x.size or (x.min() >= low and x.max() <= high):  # no nan is
        return x
    outside = ~((x >= low) & (x <= high))
    if ignored is not None:
        outside &= x != ignored
    if np.any(outside):
        kind = {"IndexError": IndexError, "RuntimeError": RuntimeError}[error]
        raise kind(message.format(np.asarray(x)[outside].flat[0]))
    return x


class within(Elementwise):
    """The operand itself, whose values lie between `low` and `high`, or are `ignored`.

    `error` is the name of the exception that others raise, `message` a template of its text.
    """

    params = ("low", "high", "error", "message", "ignored")
    internal = True
    is_view: ClassVar[bool] = True
    refuses = (Category.COMPLEX,)
    scalar = lambda x: x  # noqa: E731
    kernel = Kernel.from_function(_within, rows=local, view=True)
    printed = Notation("{0}", "{0}", Precedence.ATOM, (Precedence.ATOM,))
    converts = False

    def element(self, *operands: Any) -> Any:
        return operands[0]

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (1,)

    samples = [
        (np.array([0, 2, -100]), 0, 2, "IndexError", "Target {} is out of bounds.", -100),
        (np.array([[0.5], [1.0]]), 0, 1, "RuntimeError", "out of bounds", None),
        (np.array(1), 0, 2, "IndexError", "index {} is out of bounds", None),
    ]
