"""Access to the elements of operands, for functions that check them or derive a shape from them.

The operands of a formula have no elements. A tensor inside `vmap` stands for one entry of a batch
and has the elements of all entries: these can be checked, but the shape of a result cannot depend
on them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from symgrad.expr.atoms import ArrayConst
from symgrad.expr.node import ArrayExpr
from symgrad.support.untraceable import note_elements


def data_of(x: Any) -> np.ndarray[Any, Any] | None:
    """Return the values of a tensor, a constant or an array; None where they are not known."""
    if isinstance(x, np.ndarray):
        return x
    if isinstance(x, ArrayExpr):
        return x.value if isinstance(x, ArrayConst) else None
    note_elements(x)
    return getattr(x, "_data", None)


def every_value(x: Any) -> np.ndarray[Any, Any] | None:
    """Return all elements that a check must examine, in any order; None where not known.

    For a tensor inside `vmap`, they are the elements of all entries.
    """
    data = data_of(x)
    found: np.ndarray[Any, Any] | None = getattr(data, "all_values", data)
    return found


def stands_for_many(x: Any) -> bool:
    """Return whether `x` is a tensor inside `vmap`, which stands for the entries of a batch."""
    return hasattr(data_of(x), "refuse_dynamic_shape")


def counted_values(x: Any, call: str, refusal: str = "") -> np.ndarray[Any, Any] | None:
    """Return the elements on which the shape of the result of `call` depends; None if not known.

    Parameters
    ----------
    x : Tensor, array or ArrayExpr
        What has the elements.
    call : str
        The operation, by PyTorch's name.
    refusal : str
        What the error says inside `vmap`, where it is not the usual sentence.

    Raises
    ------
    RuntimeError
        For a tensor inside `vmap`, whose entries would give different shapes.
    """
    data = data_of(x)
    refuse = getattr(data, "refuse_dynamic_shape", None)
    if refuse is not None:
        refuse(call, refusal)
    return data
