"""From expressions to formulas of SymPy's own classes."""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy

from symgrad.expr.atoms import ArrayConst, Const, Leaf
from symgrad.expr.graph import rebuild
from symgrad.expr.node import ArrayExpr
from symgrad.lower.evaluate import input_names
from symgrad.ops.broadcasting import broadcast_to
from symgrad.ops.composite import written_out
from symgrad.ops.elementwise import Elementwise
from symgrad.ops.identity import forward_value
from symgrad.ops.results import Result, Several
from symgrad.schema.public import public

FORMS = ("scalar",)


@public("to_sympy(Tensor self, object form='scalar') -> Any", python=True)
def to_sympy(input: Any, form: Any = "scalar") -> Any:
    """Return a formula in plain SymPy classes.

    Parameters
    ----------
    form : "scalar"
        The formula of one element, for a 0-d expression or one that works on each element. A leaf
        becomes a symbol of its name, which is real if the dtype of the leaf is.

    Returns
    -------
    sympy.Basic
        A formula without nodes of symgrad.

    Raises
    ------
    ValueError
        If two leaves share a name, the form is unknown, or the expression does not work on each
        element.

    Examples
    --------
    >>> import symgrad
    >>> x = symgrad.leaf("x", (3,))
    >>> (symgrad.sin(x) * x).to_sympy("scalar")
    x*sin(x)
    """
    if not isinstance(form, str) or form not in FORMS:
        raise ValueError(f"to_sympy(): there is no form {form!r}; there is {', '.join(FORMS)}")
    expr = getattr(input, "expr", input)
    if not isinstance(expr, ArrayExpr):
        raise TypeError(f"to_sympy() takes an expression, got {type(input).__name__}")
    input_names(expr)  # raises for two leaves of one name
    return rebuild(written_out([expr]), _scalar)[0]


def _scalar(node: ArrayExpr, operands: tuple[Any, ...]) -> Any:
    if isinstance(node, Leaf):
        return node.symbol
    if isinstance(node, Const):
        return _number(node.value)
    if isinstance(node, ArrayConst):
        if node.size == 1:
            return _number(node.value.item())
        raise ValueError(
            "to_sympy('scalar'): an array constant has no formula of one element; evaluate the "
            "expression, or pass the array as a leaf"
        )
    if isinstance(node, broadcast_to) or getattr(node, "kernel", None) is forward_value.kernel:
        return operands[0]
    if isinstance(node, Elementwise):
        # Where the class states no formula, its kernel computes with symbols.
        states = node.scalar is not None or type(node).element is not Elementwise.element
        return _plain(node.element(*operands)) if states else _from_kernel(node, operands)
    if isinstance(node, Several):  # each of its results is computed alone
        return operands
    index, maker, given = None, node, operands
    if isinstance(node, Result):
        index, (maker,), (given,) = node.index, node.operands, operands
    if not node.shape and all(not x.shape for x in maker.operands):
        return _from_kernel(maker, given, index)
    raise ValueError(
        f"to_sympy('scalar'): {type(maker).__name__} does not work element by element, so there is "
        "no formula of one element"
    )


def _from_kernel(node: Any, operands: tuple[Any, ...], index: int | None = None) -> Any:
    """Compute an operation, or one of its results, by running its kernel on symbols."""
    alone = None if index is None else node.alone(index)
    kernel, params, read = alone or node.implementation()
    position = {x: i for i, x in enumerate(node.operands)}
    arrays = []
    for x in read:
        array = np.empty((), dtype=object)
        array[()] = operands[position[x]]
        arrays.append(array)
    try:
        found = kernel.number_systems.get("sympy", kernel.call)(*arrays, **params)
    except (TypeError, AttributeError) as error:  # the kernel needs the value of a symbol
        raise ValueError(f"SymPy has no function for {type(node).__name__}") from error
    if index is not None and alone is None:
        found = found[index]
    return _plain(np.asarray(found, dtype=object)[()])


def _plain(value: Any) -> Any:
    """Return a result of a computation with symbols as an object of SymPy."""
    if isinstance(value, sympy.Basic):
        return value
    return _number(value.item() if isinstance(value, np.generic) else value)


def _number(value: Any) -> Any:
    if isinstance(value, bool):
        return sympy.true if value else sympy.false
    if isinstance(value, complex):
        return _part(value.real) + _part(value.imag) * sympy.I
    return sympy.sympify(value, strict=True)


def _part(value: float) -> Any:
    # SymPy's I is the complex number 1j, and whole again.
    return sympy.sympify(int(value) if value.is_integer() else value, strict=True)
