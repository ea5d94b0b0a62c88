"""Sizes that are symbols in formulas of SymPy, as `n` in `MatrixSymbol("X", n, 3)`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
import sympy

from symgrad.expr.named_sizes import NamedSize, size_symbol

_ARRAYS = (sympy.MatrixSymbol, sympy.IndexedBase)
_CONSTANT = (sympy.Identity, sympy.ZeroMatrix, sympy.OneMatrix)


def with_sizes(
    expr: Any, nodes: Iterable[Any], given: Mapping[Any, Any]
) -> tuple[Any, dict[Any, Any], dict[Any, Any]]:
    """Return a formula, what its symbols are mapped to, and what its sizes became.

    A size becomes the number that the mapping, or the shape of an array in it, has for it; else the
    size of its name.

    Raises
    ------
    ValueError
        If a size is mapped to what is no whole number.
    """
    symbols = {s for node in nodes for n in _sizes_of(node) for s in sympy.sympify(n).free_symbols}
    sizes = sorted([s for s in symbols if type(s) is sympy.Symbol], key=str)
    if not sizes:
        return expr, dict(given), {}
    known: dict[Any, Any] = {}
    for array, value in given.items():
        shape = getattr(value, "shape", None)
        if isinstance(array, _ARRAYS) and shape is not None and array.shape is not None:
            pairs = zip(array.shape, shape, strict=False)
            known.update({s: n for s, n in pairs if s in symbols and isinstance(n, int)})
    for s in sizes:
        number = given.get(s, known.get(s, size_symbol(s.name)))
        if not isinstance(number, (int, np.integer, sympy.Integer, sympy.Symbol)) or (
            isinstance(number, int) and number < 0
        ):
            raise ValueError(
                f"from_sympy: {s} is the length of an axis, so it is mapped to a whole number, or "
                f"left out, and not mapped to {number!r}"
            )
        known[s] = number if isinstance(number, sympy.Symbol) else sympy.Integer(int(number))
    named = {s: NamedSize(s) for s in known.values() if isinstance(s, sympy.Symbol)}
    changed = {key.xreplace(known): x for key, x in given.items() if key not in known}
    return expr.xreplace(known), {**named, **changed}, known


def _sizes_of(node: Any) -> Iterator[Any]:
    """Yield the formulas in a node that are lengths of axes, or ends of indices."""
    if isinstance(node, (*_ARRAYS, *_CONSTANT)):
        yield from node.shape or ()
    elif isinstance(node, sympy.Idx):
        yield from node.args[1] if len(node.args) > 1 else ()
    elif isinstance(node, (sympy.Sum, sympy.Product)):
        yield from (n for k, *ends in node.limits if isinstance(k, sympy.Idx) for n in ends)
