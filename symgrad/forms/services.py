"""SymPy's services on expressions: `subs`, `xreplace`, `has`, `atoms`, `expand`, `diff`, ….

SymPy's own walk every path of a formula and recurse; these walk its nodes once. Each that rewrites
gives an `ArrayExpr` back. A string is the name of a leaf and nothing else: it is never parsed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import sympy
from sympy.core.basic import Basic

from numeric.identifiers import normal_form
from symgrad.differentiate.derive import derive
from symgrad.differentiate.sweeps import derives, jvp
from symgrad.expr.dtypes import from_numpy_dtype
from symgrad.expr.graph import leaves, rebuild, toposort, use_counts
from symgrad.expr.node import ArrayConst, ArrayExpr, Const, Leaf, Static, as_expr
from symgrad.ops.primitive import BESIDE, PRIMITIVES
from symgrad.schema.public import FUNCTIONS, METHODS

__all__ = ["OF_PRIMITIVES", "SERVICES", "from_table"]

_EXPANDED = 2000  # terms that expanding a product may make; a larger product stays one

_WALKED = 10_000  # paths through a formula that SymPy may walk by itself


# -- substitution --------------------------------------------------------------------------------


def _subs(self: ArrayExpr, *args: Any, simultaneous: bool = False, **_: Any) -> ArrayExpr:
    """Return the expression with parts exchanged for others.

    Parameters
    ----------
    *args
        `old, new`; or a mapping, whose parts are exchanged at once; or a sequence of pairs, which
        are exchanged one after the other (at once with `simultaneous=True`).

        `old` is a part of the expression, a SymPy symbol (a 0-d leaf of its name) or a string
        (any leaf of this name). `new` is an expression or array of the same shape, or a number,
        which fills that shape. A SymPy symbol in the place of a leaf gives the leaf its name.

    Returns
    -------
    ArrayExpr
        What does not occur is left alone, as SymPy does.

    Raises
    ------
    ValueError
        If `new` has another shape, or a string is no name.
    TypeError
        If `new` has a dtype that does not convert to that of `old`.

    Examples
    --------
    >>> import symgrad
    >>> x, y = symgrad.leaf("x"), symgrad.leaf("y")
    >>> (x * y).subs(x, y + 1)
    (y + 1) * y
    """
    if len(args) == 2:
        return _exchanged(self, [(args[0], args[1])])
    if len(args) == 1 and isinstance(args[0], Mapping):
        return _exchanged(self, list(args[0].items()))
    if len(args) == 1 and not isinstance(args[0], (str, Basic)) and isinstance(args[0], Iterable):
        pairs = [tuple(pair) for pair in args[0]]
        if any(len(pair) != 2 for pair in pairs):
            raise ValueError("subs() takes pairs (old, new)")
        return _exchanged(self, pairs) if simultaneous else _one_by_one(self, pairs)
    raise ValueError("subs() takes old and new, a mapping, or a sequence of pairs (old, new)")


def _xreplace(self: ArrayExpr, rule: Mapping[Any, Any]) -> ArrayExpr:
    """Return the expression with the nodes that `rule` maps exchanged, all at once."""
    return _exchanged(self, list(rule.items()))


def _one_by_one(e: ArrayExpr, pairs: Sequence[tuple[Any, Any]]) -> ArrayExpr:
    """Exchange parts one after the other: leaves in a row in one walk, a larger part in its own."""
    row: list[tuple[Leaf, ArrayExpr]] = []
    present = _Names(leaves(e))  # the leaves as they are after the exchanges in the row
    for old, new in pairs:
        if isinstance(old, (Leaf, str, sympy.Symbol)):
            for x in _named(present, old):
                assert isinstance(x, Leaf)
                fitted = _fitted(x, new)
                if fitted is not x and present.exchange(x, leaves(fitted)):
                    row.append((x, fitted))
        else:
            e = _exchanged(_walked(e, row), [(old, new)])
            row, present = [], _Names(leaves(e))
    return _walked(e, row)


def _walked(e: ArrayExpr, row: Sequence[tuple[Leaf, ArrayExpr]]) -> ArrayExpr:
    """Exchange leaves one after the other, in one walk over `e` and one over each replacement."""
    mapping: dict[ArrayExpr, ArrayExpr] = {}
    # From the last to the first: what a leaf becomes is exposed to the exchanges that follow.
    for x, new in reversed(row):
        mapping[x] = _mapped(new, mapping)
    return _mapped(e, mapping)


def _exchanged(e: ArrayExpr, pairs: Sequence[tuple[Any, Any]]) -> ArrayExpr:
    known = _Names(leaves(e))
    mapping: dict[ArrayExpr, ArrayExpr] = {}
    for old, new in pairs:
        for node in _named(known, old):
            mapping[node] = _fitted(node, new)
    return _mapped(e, mapping)


def _mapped(e: ArrayExpr, mapping: Mapping[ArrayExpr, ArrayExpr]) -> ArrayExpr:
    def visit(node: ArrayExpr, operands: tuple[ArrayExpr, ...]) -> ArrayExpr:
        new = mapping.get(node)
        if new is not None:
            return new
        return node if operands == node.operands else _remade(node, operands)

    made: ArrayExpr = rebuild([e], visit)[0] if mapping else e
    return made


def _remade(node: ArrayExpr, operands: tuple[Any, ...]) -> ArrayExpr:
    return node.with_operands(operands)  # type: ignore[no-any-return]


class _Names:
    """Leaves by their names."""

    def __init__(self, known: Iterable[Leaf]) -> None:
        self._by_name: dict[str, dict[Leaf, None]] = {}
        self._add(known)

    def _add(self, known: Iterable[Leaf]) -> None:
        for x in known:
            self._by_name.setdefault(x.name, {})[x] = None

    def exchange(self, x: Leaf, others: Iterable[Leaf]) -> bool:
        """Put `others` in the place of `x`; return whether it was there."""
        if x not in self.of(x.name):
            return False
        del self._by_name[x.name][x]
        self._add(others)
        return True

    def of(self, name: str) -> list[Leaf]:
        """Return the leaves of a name."""
        return list(self._by_name.get(name, ()))


def _named(known: _Names, old: Any) -> list[ArrayExpr]:
    """Return the nodes that `old` stands for in an expression of the leaves `known`."""
    if isinstance(old, ArrayExpr):
        return [old]
    if isinstance(old, str):
        if not old.isidentifier():
            raise ValueError(
                f"a string names a leaf and is never parsed, so {old!r} stands for nothing; "
                "build the expression instead"
            )
        return list(known.of(normal_form(old)))
    if isinstance(old, sympy.Symbol):
        return [x for x in known.of(old.name) if not x.shape]
    if isinstance(old, Static):
        raise TypeError("the parameters of an operation cannot be exchanged; apply it anew")
    if isinstance(old, (Basic, int, float, complex)):
        number = sympy.sympify(old)
        return [as_expr(old)] if number.is_number else []
    raise TypeError(
        "what is exchanged must be an expression, a SymPy symbol or the name of a leaf, "
        f"got {type(old).__name__}"
    )


def _label(node: ArrayExpr) -> str:
    return repr(node.name) if isinstance(node, Leaf) else f"the part {node!r}"


def _fitted(old: ArrayExpr, new: Any) -> ArrayExpr:
    """Return `new` as an expression of the shape and dtype of `old`."""
    if isinstance(new, sympy.Symbol) and isinstance(old, Leaf):
        return Leaf(_symbol_name(new), old.shape, old.dtype)
    if isinstance(new, (str, bytes)):
        raise TypeError(f"{_label(old)} cannot become the string {new!r}: strings are never parsed")
    if not isinstance(new, Basic) and not np.isscalar(new):
        new = np.asarray(new)
        if new.dtype == object:
            raise TypeError(f"{_label(old)} cannot become an array of objects")
        if not new.shape:
            new = new[()]
        elif from_numpy_dtype(new.dtype).category <= old.dtype.category:
            new = new.astype(old.dtype.numpy, copy=False)
    e = as_expr(new)
    if isinstance(e, Const):
        if e.dtype.category > old.dtype.category:
            raise TypeError(f"{_label(old)} is {old.dtype.name}, so it cannot become {e}")
        # Of the dtype that it replaces, so that no result changes its own.
        e = Const(e.value, None if getattr(old, "weak", False) else old.dtype)
        return e.broadcast_to(old.shape) if old.shape else e
    if e.shape != old.shape:
        raise ValueError(
            f"{_label(old)} has shape {old.shape}, so it cannot become one of {e.shape}"
        )
    if e.dtype is not old.dtype:
        raise TypeError(
            f"{_label(old)} is {old.dtype.name}, so it cannot become one of {e.dtype.name}; "
            f"convert it with .to(symgrad.{old.dtype.name})"
        )
    return e


def _symbol_name(symbol: sympy.Symbol) -> str:
    if isinstance(symbol, sympy.Dummy):
        # As SymPy's code printers spell it, so that lambdify finds the argument again.
        if symbol.name.startswith("Dummy_"):
            return f"_{symbol.name}"
        return (
            f"_Dummy_{symbol.dummy_index}"
            if not symbol.name.isidentifier()
            else (f"{symbol.name}_{symbol.dummy_index}")
        )
    return str(symbol.name)


# -- replacement by kind -------------------------------------------------------------------------


def _replace(
    self: ArrayExpr, query: Any, value: Any, map: bool = False, **_: Any
) -> ArrayExpr | tuple[ArrayExpr, dict[ArrayExpr, ArrayExpr]]:
    """Return the expression with every part that `query` finds exchanged, bottom up.

    Parameters
    ----------
    query
        An operation (`symgrad.sin`, `sympy.sin`, or the class of a node), a part, or a function of
        a part that says whether it is meant.
    value
        For an operation: another, or a function of the operands. For a part: its replacement. For
        a function: a function of the part.
    map : bool
        Whether to return the exchanged parts as well.

    Examples
    --------
    >>> import symgrad
    >>> x = symgrad.leaf("x")
    >>> (x.exp() + 1).replace(symgrad.exp, symgrad.log)
    log(x) + 1
    """
    found: dict[ArrayExpr, ArrayExpr] = {}
    cls = _operation(query)
    if cls is not None:
        target = _operation(value)
        make: Callable[..., Any] = target.of if target is not None else value
        if not callable(make):
            raise TypeError("replace(operation, value): value must be an operation or a function")

        def change(node: ArrayExpr) -> Any:
            if not isinstance(node, cls):
                return None
            params = getattr(node, "param_values", ())
            return make(*node.operands, *(params if target is not None else ()))

    elif isinstance(query, type):  # a class of SymPy's that no expression is made of
        return (self, found) if map else self
    elif callable(query) and not isinstance(query, Basic):
        if not callable(value):
            raise TypeError("replace(function, value): value must be a function of the part")

        def change(node: ArrayExpr) -> Any:
            return value(node) if query(node) else None

    else:
        if isinstance(query, Basic) and query.has(sympy.Wild):
            raise TypeError("replace() matches no Wild; use an operation or a function for a query")
        e = _exchanged(self, [(query, value)])
        return (
            (e, {q: _fitted(q, value) for q in _named(_Names(leaves(self)), query)}) if map else e
        )

    def visit(node: ArrayExpr, operands: tuple[ArrayExpr, ...]) -> ArrayExpr:
        if operands != node.operands:
            node = _remade(node, operands)
        new = change(node)
        if new is None:
            return node
        fitted = _fitted(node, new)
        if fitted is not node:
            found[node] = fitted
        return fitted

    e = rebuild([self], visit)[0]
    return (e, found) if map else e


def _operation(query: Any) -> type[ArrayExpr] | None:
    """Return the class of nodes that a class, a public function or a SymPy function means."""
    if isinstance(query, type):
        if issubclass(query, ArrayExpr):
            return query
        for cls in PRIMITIVES.values():
            if getattr(cls, "scalar", None) is query:
                return cls
        return None
    name = getattr(query, "__name__", "")
    if FUNCTIONS.get(name) is query and query is not None:
        found = PRIMITIVES.get(name)
        if found is None:
            raise TypeError(f"{name} is no single operation; replace the ones it is made of")
        return found
    return None


# -- questions -----------------------------------------------------------------------------------


def _has(self: ArrayExpr, *patterns: Any) -> bool:
    """Return whether any of the patterns occurs: parts, symbols, names of leaves, operations."""
    nodes = toposort([self])
    present = set(nodes)
    known = _Names(x for x in nodes if isinstance(x, Leaf))
    for pattern in patterns:
        cls = _operation(pattern)
        if cls is not None:
            if any(isinstance(x, cls) for x in nodes):
                return True
        elif isinstance(pattern, type):
            if any(isinstance(x, pattern) for x in nodes):
                return True
        elif isinstance(pattern, Static):
            if any(pattern in x.args for x in nodes):
                return True
        elif not present.isdisjoint(_named(known, pattern)):
            return True
    return False


def _find(self: ArrayExpr, query: Any, group: bool = False) -> Any:
    """Return the parts that `query` finds, a type, an operation, a part or a function of a part.

    With `group=True` how often each occurs, counted as an operand or as the whole.
    """
    counts = use_counts([self])
    cls = _operation(query)
    if cls is not None or isinstance(query, type):
        found = [x for x in counts if isinstance(x, cls or query)]
    elif callable(query) and not isinstance(query, Basic):
        found = [x for x in counts if query(x)]
    else:
        wanted = set(_named(_Names(leaves(self)), query))
        found = [x for x in counts if x in wanted]
    return {x: counts[x] for x in found} if group else set(found)


def _count(self: ArrayExpr, query: Any) -> int:
    """Return how many parts `query` finds, shared ones counted once."""
    return len(_find(self, query))


def _atoms(self: ArrayExpr, *types: Any) -> set[Basic]:
    """Return the leaves and constants, or the parts of the given types."""
    nodes: Iterable[Basic] = toposort([self])
    if not types:
        return {x for x in nodes if not x.args}
    wanted = tuple(
        (_operation(t) or t) if isinstance(t, type) or callable(t) else type(t) for t in types
    )
    if any(issubclass(Static, t) for t in wanted):
        nodes = dict.fromkeys(a for x in nodes for a in (x, *x.args))
    return {x for x in nodes if isinstance(x, wanted)}


def _free_symbols(self: ArrayExpr) -> set[Leaf]:
    return set(leaves(self))


def _leaves(self: ArrayExpr) -> tuple[Leaf, ...]:
    return leaves(self)


def _count_ops(self: ArrayExpr, visual: bool | None = None) -> Any:
    """Return how many operations compute the expression, shared ones counted once.

    With `visual=True` the sum of their names, as in SymPy.
    """
    nodes = [x for x in toposort([self]) if x.operands]
    if not visual:
        return len(nodes)
    return sympy.Add(*[sympy.Symbol(type(x).__name__.upper()) for x in nodes])


def _is_constant(self: ArrayExpr, *wrt: Any, **_: Any) -> bool:
    """Return whether no leaf, or none of `wrt`, occurs."""
    return not leaves(self) if not wrt else not _has(self, *wrt)


def _equals(self: ArrayExpr, other: Any, **_: Any) -> bool | None:
    """Return True for the same expression; None where that is not decided."""
    return True if as_expr(other) is self else None


def _sort_key(self: ArrayExpr, order: Any = None) -> Any:
    return self.class_key(), (1, (str(self),)), sympy.S.One.sort_key(), sympy.S.One


def _could_extract_minus_sign(self: ArrayExpr) -> bool:
    number = self.value if isinstance(self, Const) else 0
    return isinstance(number, (int, float)) and number < 0


# -- rewriting -----------------------------------------------------------------------------------


def _simplify(self: ArrayExpr, **_: Any) -> ArrayExpr:
    """Return the expression rebuilt with the safe rewrites: the same value everywhere."""
    simple = rebuild([self], lambda x, operands: _remade(x, operands) if operands else x)
    return simple[0]  # type: ignore[no-any-return]


def _doit(self: ArrayExpr, **_: Any) -> ArrayExpr:
    """Return the expression itself: nothing in it is left undone."""
    return self


def _evalf(self: ArrayExpr, n: int = 15, subs: Any = None, **_: Any) -> ArrayExpr:
    """Return the expression with exact numbers such as pi or 1/3 as floats.

    The elements have the precision of their dtype, so `n` has no effect.
    """
    e = self if subs is None else _subs(self, subs)

    def visit(node: ArrayExpr, operands: tuple[ArrayExpr, ...]) -> ArrayExpr:
        if isinstance(node, Const) and isinstance(node.value, Basic):
            return Const(node.number, None if node.weak else node.dtype)
        return node if operands == node.operands else _remade(node, operands)

    return rebuild([e], visit)[0]  # type: ignore[no-any-return]


def _expand(self: ArrayExpr, *sizes: Any, **hints: Any) -> Any:
    """Multiply products of sums out; with sizes, PyTorch's `expand` to a shape.

    Integer powers up to the fourth are products. A product of more than 2000 terms stays one.
    """
    if sizes or "size" in hints:
        return METHODS["expand"](self, *sizes, **hints)

    return derives(_expanded)(self)


def _expanded(self: ArrayExpr) -> ArrayExpr:
    add, sub, mul, neg, power = (PRIMITIVES[n] for n in ("add", "sub", "mul", "neg", "pow"))
    # For each node, the terms it is the sum of, each with its sign.
    Terms = list[tuple[int, ArrayExpr]]
    terms: dict[ArrayExpr, Terms] = {}
    made: dict[ArrayExpr, ArrayExpr] = {}

    def total(node: ArrayExpr) -> ArrayExpr:
        """Return the sum of the terms of `node`, made once."""
        if node not in made:
            parts = terms[node]
            sign, e = parts[0]
            e = e if sign > 0 else neg.of(e)
            for sign, x in parts[1:]:
                e = (add if sign > 0 else sub).of(e, x)
            made[node] = e
        return made[node]

    def product(a: Terms, b: Terms) -> Terms:
        return [(s * t, mul.of(x, y)) for s, x in a for t, y in b]

    for node in toposort([self]):
        kind = type(node)
        found: Terms | None = None
        # Only floating sums distribute: integers wrap, booleans are no numbers.
        if (
            node.operands
            and node.dtype.differentiable
            and all(x.dtype is node.dtype or getattr(x, "weak", False) for x in node.operands)
        ):
            xs = [terms[x] for x in node.operands]
            if kind is neg:
                found = [(-s, x) for s, x in xs[0]]
            elif kind in (add, sub) and len(xs[0]) + len(xs[1]) <= _EXPANDED:
                flip = 1 if kind is add else -1
                found = [*xs[0], *((flip * s, x) for s, x in xs[1])]
            elif kind is mul and 1 < len(xs[0]) * len(xs[1]) <= _EXPANDED:
                found = product(*xs)
            elif kind is power and len(xs[0]) > 1:
                p = node.operands[1]
                n = p.value if isinstance(p, Const) else None
                if n in (2, 3, 4) and len(xs[0]) ** int(n) <= _EXPANDED:
                    found = xs[0]
                    for _step in range(int(n) - 1):
                        found = product(found, xs[0])
            if found is not None and any(x.shape != node.shape for _, x in found):
                # Every term keeps the shape of the sum, which another term may have given it.
                found = [
                    (s, x if x.shape == node.shape else x.broadcast_to(node.shape))
                    for s, x in found
                ]
        if found is None:
            operands = tuple([total(x) for x in node.operands])
            found = [(1, node if operands == node.operands else _remade(node, operands))]
        terms[node] = found
    return total(self)


def _diff(self: ArrayExpr, *symbols: Any, **assumptions: Any) -> Any:
    """Return the derivative with respect to leaves, in turn; SymPy's way to write it.

    Parameters
    ----------
    *symbols
        Leaves (or their names, or SymPy symbols), each perhaps followed by an order, or pairs of
        both. Without any, the only leaf there is.

    Returns
    -------
    ArrayExpr
        Of shape `self.shape`, followed by the shape of each leaf.

    Examples
    --------
    >>> import symgrad
    >>> x = symgrad.leaf("x")
    >>> (x**3).diff(x, 2)
    6 * x
    """
    steps: list[Any] = []
    for s in symbols:
        if isinstance(s, (tuple, sympy.Tuple)):
            steps += [s[0]] * int(s[1])
        elif isinstance(s, (int, sympy.Integer)) and not isinstance(s, bool):
            if not steps:
                raise ValueError("diff(): an order follows what it is the order of")
            steps += [steps[-1]] * (int(s) - 1) if s > 0 else []
            if s == 0:
                steps.pop()
        else:
            steps.append(s)
    if not symbols:
        found = leaves(self)
        if len(found) != 1:
            names = ", ".join(x.name for x in found) or "none"
            raise ValueError(f"diff() of an expression of the leaves {names}: say which")
        steps.append(found[0])
    e = self
    for s in steps:
        nodes = _named(_Names(leaves(e)), s)
        if len(nodes) > 1:
            raise ValueError(f"diff(): two leaves are named {nodes[0]}; pass the leaf itself")
        x = nodes[0] if nodes else None
        if x is not None and x.shape:
            e = derive(e, x)
            continue
        t = None if x is None else jvp([e], [x], [Const(1, x.dtype)])[0]
        if t is None:
            t = Const(0, e.dtype)
        e = t if t.shape == e.shape else t.broadcast_to(e.shape)
    return e


def _eval_power(self: ArrayExpr, exponent: Any) -> ArrayExpr:
    """Let `sympy.Pow(e, p)` and `sympy.sqrt(e)` be the power of the array."""
    return self**exponent  # type: ignore[no-any-return]


# -- what SymPy finds where it would walk by itself ----------------------------------------------

_HINT = (
    "SymPy's Add and Mul hold no arrays: write the formula with Python's operators, "
    "as in 2 * e + 1, which give an expression"
)


def _is_order(self: ArrayExpr) -> bool:
    """Return True, whereupon SymPy's cse leaves the formula whole.

    SymPy's cse would give shared arrays the names of scalars. It then still walks all paths of a
    formula, so a deep or much shared one is refused, which lambdify takes for "nothing to do".
    """
    paths: dict[ArrayExpr, int] = {}
    depth: dict[ArrayExpr, int] = {}
    for node in toposort([self]):
        paths[node] = 1 + sum([paths[x] for x in node.operands])
        depth[node] = 1 + max([depth[x] for x in node.operands], default=0)
    if paths[self] > _WALKED or depth[self] > 200:
        raise TypeError(
            "SymPy's cse and series walk every path of a formula, and this one has too many; "
            "its own source computes shared parts once, so lambdify needs no cse"
        )
    return True


def _refuse(self: ArrayExpr, *_: Any) -> Any:
    raise TypeError(_HINT)


def _iter(self: ArrayExpr) -> Any:
    if not self.shape:
        raise TypeError("iteration over a 0-d tensor")
    return (self[i] for i in range(self.shape[0]))


# -- reading srepr and building again ------------------------------------------------------------


def from_table(table: Sequence[tuple[Any, ...]]) -> ArrayExpr:
    """Return the expression that `sympy.srepr` wrote: entries whose operands come before them.

    Raises
    ------
    ValueError
        If an entry names no operation.
    """
    atoms: dict[str, Any] = {"leaf": Leaf, "const": Const, "array": ArrayConst}
    made: list[ArrayExpr] = []
    for kind, *rest in table:
        if kind in atoms:
            made.append(atoms[kind](*rest))
            continue
        cls = PRIMITIVES.get(kind) or BESIDE.get(kind) if isinstance(kind, str) else kind
        if cls is None:
            raise ValueError(f"there is no operation {kind!r}")
        operands, params = rest
        made.append(cls(*[made[i] for i in operands], *params))
    return made[-1]


#: The services of formulas, in place of those that they inherit from SymPy.
SERVICES: dict[str, Any] = {
    "subs": _subs,
    "xreplace": _xreplace,
    "replace": _replace,
    "has": _has,
    "has_free": _has,
    "has_xfree": lambda self, s: _has(self, *s),
    "atoms": _atoms,
    "find": _find,
    "count": _count,
    "free_symbols": property(_free_symbols),
    "leaves": property(_leaves, doc="The leaves, in the order in which they are first used."),
    "count_ops": _count_ops,
    "is_constant": _is_constant,
    "equals": _equals,
    "sort_key": _sort_key,
    "could_extract_minus_sign": _could_extract_minus_sign,
    "simplify": _simplify,
    "_eval_simplify": _simplify,
    "doit": _doit,
    "evalf": _evalf,
    "n": _evalf,
    "_eval_evalf": lambda self, prec: _evalf(self),
    "expand": _expand,
    "diff": _diff,
    "_eval_derivative": _diff,
    "_eval_power": _eval_power,
    "__iter__": _iter,
    # SymPy would otherwise take a formula for a sequence wherever it accepts both.
    "_iterable": False,
    # What else takes these for O(…) terms are SymPy's Add and Mul, which hold no arrays.
    "contains": _refuse,
    "as_expr_variables": _refuse,
    "expr": property(lambda self: self, doc="The expression itself, as tensors have one."),
}
OF_PRIMITIVES: dict[str, Any] = {"is_Order": property(_is_order)}
