"""Which derivatives a plan computes: gradients, or whole Jacobians and Hessians.

A gradient stays as the rules give it. The others are brought into normal form, where that is
cheaper to compute, and are not recorded.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Collection, Sequence

from symgrad.differentiate.blocks import blocks_of
from symgrad.differentiate.derive import over_basis
from symgrad.differentiate.sweeps import with_derivative_rewrites
from symgrad.expr.atoms import Const, Leaf, Placeholder
from symgrad.expr.node import ArrayExpr
from symgrad.normal_form.lowering import cheaper
from symgrad.ops.broadcasting import zeros

#: Returns the gradients of formulas for their cotangents, with respect to each target.
Differentiate = Callable[[Sequence[ArrayExpr], Sequence[ArrayExpr]], Sequence["ArrayExpr | None"]]


class Finish(enum.Enum):
    """What a plan computes of its roots for its targets."""

    # An enumeration's own hash is slow, and it is part of the key of each plan.
    __hash__ = object.__hash__

    #: The gradients, for a cotangent of each root.
    GRADIENT = enum.auto()
    #: The derivative of each element of the one root, over leading axes.
    JACOBIAN = enum.auto()
    #: The second derivatives of the one root, a number, for each pair of targets.
    HESSIAN = enum.auto()
    #: These multiplied with vectors, of which there is one for each target.
    HESSIAN_PRODUCT = enum.auto()

    @property
    def order(self) -> int:
        """How often the roots are differentiated."""
        return 2 if self in (Finish.HESSIAN, Finish.HESSIAN_PRODUCT) else 1


@with_derivative_rewrites
def whole_derivatives(
    finish: Finish,
    root: ArrayExpr,
    targets: Sequence[ArrayExpr],
    vectors: Sequence[ArrayExpr],
    differentiate: Sequence[Differentiate],
    given: Collection[ArrayExpr],
) -> list[ArrayExpr | None]:
    """Return the derivatives of a root, None where it does not depend on a target.

    Parameters
    ----------
    finish : Finish
        Which ones.
    root : ArrayExpr
        What is differentiated.
    targets : sequence of ArrayExpr
        With respect to what.
    vectors : sequence of ArrayExpr
        What Hessians are multiplied with.
    differentiate : sequence of callable
        How: first, and the second time.
    given : collection of ArrayExpr
        Nodes whose values need not be computed.
    """
    found: list[ArrayExpr | None] = []
    if finish is Finish.JACOBIAN:
        found += _rows(root, targets, differentiate[0])
    else:
        gradients = differentiate[0]([root], [Const(1, root.dtype)])
        if finish is Finish.HESSIAN:
            for g in gradients:
                found += [None] * len(targets) if g is None else _rows(g, targets, differentiate[1])
        else:
            pairs = [(g, v) for g, v in zip(gradients, vectors, strict=True) if g is not None]
            gradient, along = [g for g, _ in pairs], [v for _, v in pairs]
            found += differentiate[1](gradient, along) if pairs else [None] * len(targets)
    made = iter(cheaper([g for g in found if g is not None], given=given))
    return [g if g is None else next(made) for g in found]


def _rows(
    y: ArrayExpr, targets: Sequence[ArrayExpr], differentiate: Differentiate
) -> list[ArrayExpr | None]:
    """Return the gradients of each element of a formula, over leading axes."""
    whole = blocks_of(y, targets)
    if whole is None:
        return _rows_of_one(y, differentiate)
    parts = {x: _rows_of_one(x, differentiate) for x in whole.blocks}
    made: list[ArrayExpr | None] = []
    for i, target in enumerate(targets):
        found = {x: rows[i] for x, rows in parts.items()}
        if all(g is None for g in found.values()):
            made.append(None)
            continue
        filled = {
            x: zeros((*x.shape, *target.shape), target.dtype) if g is None else g
            for x, g in found.items()
        }
        made.append(whole.put_together(filled, target.shape))
    return made


def _rows_of_one(y: ArrayExpr, differentiate: Differentiate) -> list[ArrayExpr | None]:
    """Return what `_rows` does for a formula that is one block."""
    element = Placeholder("element", y.shape, y.dtype) if y.shape else Const(1, y.dtype)
    found = differentiate([y], [element])
    return [
        over_basis(g, element) if g is not None and isinstance(element, Leaf) else g for g in found
    ]
