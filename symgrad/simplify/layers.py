"""How deep a value lies in zeros around zeros, beyond which rewrites leave it where it is.

A chain of `relu`, or of writes over elements, has as many layers of zeros as it is long. Rewrites
go through a few of them; a product with what lies deeper is masked once, by its support, so that
each costs the same, and nothing recurses.
"""

from __future__ import annotations

from typing import Any

from symgrad.expr.node import Const
from symgrad.ops.arithmetic import mul, neg
from symgrad.ops.broadcasting import broadcast_to, sum_to
from symgrad.ops.masks import masked, note
from symgrad.ops.primitive import Primitive
from symgrad.ops.slicing import part

__all__ = ["is_deep"]

#: What rewrites go through beside moves and what is written among zeros.
_GONE_THROUGH = frozenset((broadcast_to, neg, part, sum_to))

#: So many layers are gone through one by one, which gives the smaller formulas.
_FEW = 3

#: So many moves and layers together.
_SOME = 12


def is_deep(x: Any) -> bool:
    """Return whether more lies around a value than rewrites go through, one after the other.

    Layers of zeros are few before a product is masked as a whole, which is as good; what was moved
    between them, or taken from among zeros, is gone through for longer.
    """
    layers = 0
    for _ in range(_SOME + 1):
        if not isinstance(x, Primitive):
            return False
        held = x.filled()
        if held is not None:
            layers += held.read is None
            if layers > _FEW:
                return True
            x = x.operands[held.place]
        else:
            x = _moved(x)
    return True


def _moved(x: Primitive) -> Any:
    """Return the value that was moved, scaled or noted to be masked, or None."""
    kind = type(x)
    if kind in _GONE_THROUGH or x.moves or (kind is masked and not note(x)):
        return x.operands[0]
    if kind is mul:
        a, b = x.operands
        return b if type(a) is Const else a if type(b) is Const else None
    return None
