"""Contractions with a term to add: `addmm` and its kin. Elementwise ones are in `fused`."""

from __future__ import annotations

from typing import Any

import numpy as np

from symgrad.expr.atoms import as_expr, is_const
from symgrad.expr.dtypes import bool_, dtype
from symgrad.expr.node import ArrayExpr
from symgrad.expr.shapes import Shape
from symgrad.ops.composite import Composite, times
from symgrad.ops.contraction import contract
from symgrad.ops.equations import Mismatch, parse, sums
from symgrad.ops.samples import TABLE

_B = np.array([[0.5, 1.1], [-0.3, 0.9], [2.0, -1.6]])
_V = np.array([0.7, -0.2, 1.3])


class addmm(Composite):
    """`beta * input + alpha * contraction`, recorded as one node, as PyTorch does.

    The operands are `input`, the factors of the contraction, and `beta` and `alpha` unless both
    are 1.
    """

    params = ("spec",)
    is_known_by_formula = True

    @classmethod
    def composed(cls, *args: Any) -> ArrayExpr:
        c, *rest, spec = args
        count = len(parse(spec).inputs)
        beta, alpha = rest[count:] or (1, 1)
        product = times(alpha, contract.of(*rest[:count], spec))
        return product if is_const(as_expr(beta), 0) else times(beta, c) + product

    @classmethod
    def infer(cls, *args: Any) -> tuple[Shape, dtype]:
        c, *rest, spec = args
        factors = rest[: len(parse(spec).inputs)]
        shape, kind = contract.infer(*factors, spec)
        if sums(parse(spec)) and (kind is bool_ or any(x.dtype is not kind for x in factors)):
            raise Mismatch(f"addmm(): dtypes {[x.dtype for x in factors]} do not fit")
        missing = len(shape) - len(c.shape)
        if missing < 0 or any(
            n not in (1, m) for n, m in zip(c.shape, shape[missing:], strict=True)
        ):
            raise Mismatch(f"addmm(): {list(c.shape)} does not expand to {list(shape)}")
        if c.dtype is not kind:
            raise Mismatch(f"addmm(): {c.dtype} does not fit {kind}")
        return shape, kind

    samples = [
        (np.array([0.5, -1.0]), TABLE, _B, "ab,bc->ac"),
        (np.ones((2, 2)), TABLE, TABLE + 1, 0.5, -2.0, "ab,cb->ac"),
        (np.ones((2, 1)), TABLE, _B, 0, 2, "ab,bc->ac"),
        (np.ones((2, 1)), TABLE, _B, 0.25, 1, "ab,bc->ac"),
        (np.ones(2) + 1j, TABLE + 1j, _V - 2j, 0.5 - 1j, 1 + 2j, "ab,b->a"),
        (np.array([0.5, -1.0]), TABLE, _V, "ab,b->a"),
    ]
