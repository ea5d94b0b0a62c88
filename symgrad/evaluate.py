"""The value of an expression, from arrays for its leaves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import sympy

from numeric.identifiers import normal
from numeric.interpret import interpret
from symgrad.expr.graph import leaves
from symgrad.expr.node import ArrayExpr, Leaf
from symgrad.lower import lower

__all__ = ["evaluate", "input_names"]


def input_names(e: ArrayExpr) -> dict[ArrayExpr, str]:
    """Return the leaves of `e` with their names, in the order of first use.

    Raises
    ------
    ValueError
        If two leaves share a name, so that it does not say which is meant.
    """
    names: dict[ArrayExpr, str] = {}
    owners: dict[str, Leaf] = {}
    for x in leaves(e):
        other = owners.setdefault(x.name, x)
        if other is not x:
            raise ValueError(
                f"two different leaves are named {x.name!r}: one of shape {other.shape} and dtype "
                f"{other.dtype.name}, one of shape {x.shape} and dtype {x.dtype.name}; "
                "rename one of them"
            )
        names[x] = x.name
    return names


def evaluate(self: ArrayExpr, values: Mapping[Any, Any] | None = None) -> np.ndarray[Any, Any]:
    """Return the value of the expression as a new NumPy array.

    Parameters
    ----------
    values : mapping
        For each leaf, by the leaf itself or by its name, an array of its shape, or what
        `np.asarray` makes one of; it is converted to the leaf's dtype. Leaves that do not occur
        (any more: simplification may have removed them) may be given as objects; an unknown
        *name* is refused, since it cannot be told from a typing error.

    Returns
    -------
    numpy.ndarray
        Of the shape and dtype of the expression. Floating-point warnings are not raised.

    Raises
    ------
    ValueError
        For a leaf without a value, an unknown name, a value of another shape, two leaves of one
        name. The message names the leaf.
    TypeError
        For a value that does not convert to the leaf's dtype.

    Examples
    --------
    >>> import symgrad
    >>> x = symgrad.leaf("x", (2,))
    >>> (2 * x).evaluate({"x": [1, 2]})
    array([2., 4.])
    """
    names = input_names(self)
    given = _by_leaf({name: x for x, name in names.items()}, {} if values is None else values)
    missing = [name for x, name in names.items() if x not in given]
    if missing:
        raise ValueError(
            f"no value for {_listed(missing)}; "
            f"the expression has the leaves {_listed(names.values())}"
        )
    arrays = {x: _converted(x, value) for x, value in given.items()}
    program = lower([self], names)
    inputs = [x for x in names if x in arrays]
    with np.errstate(all="ignore"):
        (result,) = interpret(program, [arrays[x] for x in inputs])
    array = np.asarray(result, dtype=self.dtype.numpy)
    # A new array, so that writing to it changes neither an input nor a constant of the formula.
    own = array.base is None and array.flags.writeable
    return array if own and not any(array is x for x in arrays.values()) else array.copy()


def _by_leaf(names: Mapping[str, ArrayExpr], values: Any) -> dict[ArrayExpr, Any]:
    if not isinstance(values, Mapping):
        raise TypeError(
            f"evaluate() takes a mapping from leaves or their names to values, "
            f"got {type(values).__name__}"
        )
    given: dict[ArrayExpr, Any] = {}
    for key, value in values.items():
        x = key
        if not isinstance(key, (Leaf, str, sympy.Symbol)):
            x = getattr(key, "expr", key)  # a tensor that is a leaf
        if isinstance(x, (str, sympy.Symbol)):
            name = normal(x if isinstance(x, str) else x.name)
            if name not in names:
                raise ValueError(
                    f"there is no leaf {name!r}; the expression has the leaves {_listed(names)}"
                )
            x = names[name]
        if not isinstance(x, Leaf):
            raise TypeError(f"values are given for leaves or their names, not for {key!r}")
        if x in given:
            raise ValueError(f"{x.name!r} is given twice, by name and as a leaf")
        given[x] = value
    return given


def _converted(x: ArrayExpr, value: Any) -> np.ndarray[Any, Any]:
    assert isinstance(x, Leaf)
    detach = getattr(value, "detach", None)
    if detach is not None:  # a tensor that requires a gradient gives no array otherwise
        value = detach()
    try:
        array = np.asarray(value)
    except ValueError as error:
        raise ValueError(f"the value of {x.name!r} is no array: {error}") from None
    if array.dtype.kind not in "biufc" and array.size:
        raise TypeError(f"the value of {x.name!r} holds {array.dtype}, not numbers")
    if array.shape != x.shape:
        raise ValueError(f"{x.name!r} has shape {x.shape}, but its value has shape {array.shape}")
    if array.size and not _converts(array, x.dtype.numpy):
        raise TypeError(f"{x.name!r} is {x.dtype.name}, but its value is {array.dtype}")
    return array.astype(x.dtype.numpy, copy=False)


def _converts(array: np.ndarray[Any, Any], target: np.dtype[Any]) -> bool:
    """Whether values keep their kind: no complex to real, no fraction to integer."""
    order = "biufc".replace("u", "")
    kind = array.dtype.kind.replace("u", "i")
    return order.index(kind) <= order.index(target.kind.replace("u", "i"))


def _listed(names: Any) -> str:
    return ", ".join(map(repr, names)) or "(none)"


ArrayExpr.evaluate = evaluate
