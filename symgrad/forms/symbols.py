"""The symbols of a formula of SymPy's: what each is mapped to, or the leaf that it becomes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy
from sympy.concrete.expr_with_limits import ExprWithLimits
from sympy.core.basic import Basic

from symgrad.expr.atoms import Leaf, dtype_of_symbol
from symgrad.forms.matrices import name_of

#: What becomes a leaf of its name.
SYMBOLS = (sympy.Symbol, sympy.MatrixSymbol, sympy.IndexedBase)


def by_symbols(expr: Basic, given: Mapping[Any, Any]) -> dict[Any, Any]:
    """Return a mapping with the symbols in a formula in the places of their names."""
    if not any(isinstance(key, str) for key in given):
        return dict(given)
    found: dict[Any, Any] = {}
    named = {str(x): x for x in _unbound(expr)}
    for key, value in given.items():
        symbol = named.get(key) if isinstance(key, str) else key
        if symbol is None:
            listed = ", ".join(map(repr, sorted(named))) or "(none)"
            raise ValueError(f"from_sympy: there is no symbol {key!r}; the formula has {listed}")
        if symbol in found:
            raise ValueError(f"from_sympy: {symbol} is given twice, by name and as a symbol")
        found[symbol] = value
    return found


def _unbound(expr: Basic, given: Mapping[Any, Any] | None = None) -> list[Any]:
    """Return the symbols in a formula that stand for values, but those in what is given."""
    symbols: dict[Any, None] = {}
    stack: list[Any] = [expr]
    seen: set[Any] = set()
    while stack:
        node = stack.pop()
        if node in seen or (given and node in given):
            continue
        seen.add(node)
        if isinstance(node, sympy.Idx):
            continue
        if isinstance(node, SYMBOLS):
            symbols[node] = None
        elif isinstance(node, (ExprWithLimits, sympy.Subs, sympy.Lambda)):  # some may be bound
            bases = node.atoms(sympy.IndexedBase)
            labels = {b.label for b in bases}
            stack += [x for x in node.free_symbols if isinstance(x, SYMBOLS) and x not in labels]
            stack += bases
        else:
            stack += node.args
    return list(symbols)


def check_bound(expr: Basic, given: Mapping[Any, Any]) -> None:
    """Raise where a symbol occurs that a mapping leaves out."""
    names = sorted(map(str, _unbound(expr, given)))
    if names:
        raise ValueError(
            f"from_sympy: the mapping leaves out {', '.join(names)}; map each to "
            "a tensor, a leaf or a number, or pass leaves='new', which makes leaves of their names"
        )


def check_same(known: Any, symbol: Any) -> None:
    """Raise where two different symbols have one name."""
    if known != symbol:
        raise ValueError(
            f"from_sympy: two different symbols are named {known.name!r}, one with the assumptions "
            f"{_assumptions_text(known)}, one with {_assumptions_text(symbol)}; rename one of "
            "them, or map both"
        )


def _assumptions_text(symbol: Any) -> str:
    if isinstance(symbol, sympy.MatrixSymbol):
        return f"of a matrix of shape {tuple(symbol.shape)}"
    given = {k: v for k, v in symbol._assumptions_orig.items() if k != "commutative" or not v}
    return ", ".join(f"{k}={v}" for k, v in given.items()) or "(none)"


def leaf_of(symbol: Any) -> Leaf:
    """Return the leaf of a symbol; raise TypeError for one that stands for no number."""
    if not symbol.is_commutative:
        raise TypeError(
            f"from_sympy: {symbol} does not commute, so it is no number; a matrix is a "
            "sympy.MatrixSymbol"
        )
    if isinstance(symbol, sympy.Dummy):
        raise TypeError(
            f"from_sympy: {symbol} is a Dummy, which SymPy makes for itself and which has no name "
            "to give a value to; replace it by a Symbol, or map it"
        )
    if isinstance(symbol, sympy.Wild):
        raise TypeError(
            f"from_sympy: {symbol} is a Wild, which stands for any formula in a pattern of SymPy's "
            "and for no value; make the pattern with e.to_sympy(), or map it"
        )
    return Leaf(name_of(symbol), (), dtype_of_symbol(symbol), symbol)
