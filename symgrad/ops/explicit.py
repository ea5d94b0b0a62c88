"""The explicit form of a formula: an array of SymPy's with the formula of each element.

Each operation is computed on arrays of formulas: those on each element by their SymPy function, all
others by their kernel, in the number system of SymPy.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import sympy

from symgrad.expr.atoms import ArrayConst, Const, Leaf
from symgrad.expr.graph import rebuild, toposort
from symgrad.expr.node import ArrayExpr
from symgrad.expr.shapes import size_of
from symgrad.ops.composite import written_out
from symgrad.ops.elementwise import Elementwise
from symgrad.ops.formulas import (
    Number,
    converted,
    element_of,
    has_element,
    kind_of,
    mapped,
    of_kernel,
    plain_formula,
)
from symgrad.ops.results import Result, Several

#: The arrays of a formula, those on the way to the result too, have so many elements at most.
MAX_ELEMENTS = 1_000


def explicit_form(e: ArrayExpr, symbol_of: Callable[[Leaf], Any], number: Number) -> Any:
    """Return the formula of each element, in an array of SymPy's; that of a 0-d formula alone.

    Parameters
    ----------
    e
        The formula.
    symbol_of
        Returns the symbol of a 0-d leaf, from which those of the elements of arrays are named.
    number
        Returns SymPy's number for a number of a dtype.
    """
    (plain,) = written_out([e])
    nodes = toposort([plain])
    count = sum([_size(x) for x in nodes])
    if count > MAX_ELEMENTS:
        raise ValueError(
            f"to_sympy('explicit'): the arrays of the formula have {count} elements together, and "
            f"each becomes a formula, of which there are {MAX_ELEMENTS} at most; take leaves with "
            "fewer elements, or evaluate() the formula"
        )
    named = _symbols([x for x in nodes if isinstance(x, Leaf)], symbol_of)

    def visit(node: ArrayExpr, operands: tuple[Any, ...]) -> Any:
        if isinstance(node, Leaf):
            return named[node]
        if isinstance(node, (Const, ArrayConst)):
            values = np.asarray(node.value, object)
            return mapped(lambda x: number(x, kind_of(node)), values)
        return _computed(node, operands, number)

    made = rebuild([plain], visit)[0]
    entries = [plain_formula(x) for x in made.flat]
    return sympy.ImmutableDenseNDimArray(entries, e.shape) if e.shape else entries[0]


def _size(node: ArrayExpr) -> int:
    if isinstance(node, Several):
        return sum([size_of(shape) for shape in node.shapes])
    return 0 if isinstance(node, Result) else node.size


def _symbols(leaves: Sequence[Leaf], symbol_of: Callable[[Leaf], Any]) -> dict[ArrayExpr, Any]:
    """Return the symbols of the elements of each leaf: `x` of a number, else `x_0`, `x_0_1`."""
    found: dict[ArrayExpr, Any] = {}
    owners: dict[str, Leaf] = {}
    for x in leaves:
        base = symbol_of(x)
        array = np.empty(x.shape, object)
        for place in np.ndindex(x.shape):
            name = "_".join([base.name, *map(str, place)])
            owner = owners.setdefault(name, x)
            if owner is not x:
                raise ValueError(
                    f"to_sympy('explicit'): {name!r} would name elements of two leaves, "
                    f"{owner.name!r} and {x.name!r}; rename one of them"
                )
            array[place] = sympy.Symbol(name, **base.assumptions0) if place else base
        found[x] = array
    return found


def _computed(node: Any, operands: tuple[Any, ...], number: Number) -> Any:
    if isinstance(node, Elementwise) and has_element(node):
        return mapped(lambda *xs: element_of(node, xs), *converted(node, operands))
    if isinstance(node, Several):  # each of its results is computed alone
        return converted(node, operands)
    if isinstance(node, Result):
        return of_kernel(node.operands[0], operands[0], number, node.index)
    return of_kernel(node, converted(node, operands), number)
