"""SymPy's methods on formulas: `has`, `atoms`, `find`, `simplify`, `expand`, `diff` and others.

SymPy's own methods walk every path of a formula and recurse; these walk its nodes once. Those that
rewrite a formula return an `ArrayExpr`. A string is the name of a leaf, and is never parsed.
`symgrad.forms.substitution` has the methods that replace parts.
"""

from __future__ import annotations

from collections.abc import Iterable, Set
from inspect import signature
from typing import Any

import numpy as np
import sympy
from sympy.core.basic import Basic

from symgrad.differentiate.derive import derive
from symgrad.differentiate.names import by_name
from symgrad.differentiate.sweeps import jvp, with_derivative_rewrites
from symgrad.expr.atoms import Const, Leaf, Static, as_expr
from symgrad.expr.graph import leaves, rebuild, toposort, use_counts
from symgrad.expr.node import ArrayExpr
from symgrad.expr.shapes import size_of
from symgrad.expr.sources import keep_sources, leaves_of_source, nodes_written
from symgrad.forms.expansion import expanded
from symgrad.forms.plain_form import answering_sympy, of_plain_form, plain_form, required, rewritten
from symgrad.forms.substitution import (
    SUBSTITUTIONS,
    LeavesByName,
    operation_meant,
    parts_meant,
    substitute,
    with_operands,
)
from symgrad.forms.to_sympy import symbols_of, to_sympy
from symgrad.lower.executable import Executable
from symgrad.ops.results import Several
from symgrad.proofs.prove import prove
from symgrad.schema.public import METHODS
from symgrad.support.quiet import quietly

# -- questions -------------------------------------------------------------------------------


def _has(self: ArrayExpr, *patterns: Any) -> bool:
    """Return whether any of the patterns occurs: parts, symbols, names of leaves, operations."""
    nodes = toposort([self])
    present = set(nodes)
    known = LeavesByName(x for x in nodes if isinstance(x, Leaf))
    for pattern in patterns:
        cls = operation_meant(pattern)
        if cls is not None:
            if any(isinstance(x, cls) for x in nodes):
                return True
        elif isinstance(pattern, type):
            if any(isinstance(x, pattern) for x in nodes):
                return True
        elif isinstance(pattern, Static):
            if any(pattern in x.args for x in nodes):
                return True
        elif not present.isdisjoint(parts_meant(known, pattern)):
            return True
    return False


def _has_xfree(self: ArrayExpr, patterns: Iterable[Any]) -> bool:
    """Return whether any of a set of parts occurs."""
    return _has(self, *patterns)


def _find(self: ArrayExpr, query: Any, group: bool = False) -> Any:
    """Return the parts that a query finds: a type, an operation, a part, or a function of a part.

    With `group=True`, return how often each part is an operand, or the formula itself.
    """
    counts = use_counts([self])
    cls = operation_meant(query)
    if cls is not None or isinstance(query, type):
        found = [x for x in counts if isinstance(x, cls or query)]
    elif callable(query) and not isinstance(query, Basic):
        found = [x for x in counts if query(x)]
    else:
        wanted = set(parts_meant(LeavesByName(leaves(self)), query))
        found = [x for x in counts if x in wanted]
    return {x: counts[x] for x in found} if group else set(found)


def _count(self: ArrayExpr, query: Any) -> int:
    """Return how many parts a query finds; a shared part counts once."""
    return len(_find(self, query))


def _atoms(self: ArrayExpr, *types: Any) -> set[Basic]:
    """Return the leaves and constants, or the parts of the given types."""
    nodes: Iterable[Basic] = toposort([self])
    if not types:
        return {x for x in nodes if not x.args}
    wanted = tuple(
        (operation_meant(t) or t) if isinstance(t, type) or callable(t) else type(t) for t in types
    )
    if any(issubclass(Static, t) for t in wanted):
        nodes = dict.fromkeys(a for x in nodes for a in (x, *x.args))
    return {x for x in nodes if isinstance(x, wanted)}


def _leaves(self: ArrayExpr) -> tuple[Leaf, ...]:
    return leaves(self)


def _count_ops(self: ArrayExpr, visual: bool | None = None) -> Any:
    """Return how many operations compute the formula; a shared operation counts once.

    With `visual=True`, return the sum of their names, as SymPy does.
    """
    nodes = [x for x in toposort([self]) if x.operands]
    if not visual:
        return len(nodes)
    return sympy.Add(*[sympy.Symbol(type(x).__name__.upper()) for x in nodes])


def _is_constant(self: ArrayExpr, *wrt: Any, **flags: Any) -> bool | None:
    """Return whether the value is the same for all values of `wrt`, or else of all leaves.

    A formula that differs at two points is not constant. Of another it is what SymPy says of the
    scalar form; of one without, or of many operations, True if no such leaf occurs, and else None,
    which is: not decided.
    """
    known = LeavesByName(leaves(self))
    by = {y for x in wrt for y in parts_meant(known, x)} if wrt else {*leaves(self)}
    if not flags and _differs(self, by):
        return False
    if hasattr(plain_form(self), "is_constant") and (flags or _count_ops(self) <= _MOST_OPERATIONS):
        return of_plain_form(self, "is_constant", wrt, flags)  # type: ignore[no-any-return]
    return None if by.intersection(toposort([self])) else True


#: The most operations of a formula that SymPy is to simplify for `is_constant`, and the most
#: elements of its leaves that are tried.
_MOST_OPERATIONS, _MOST_ELEMENTS = 40, 10_000


def _differs(e: ArrayExpr, by: Set[ArrayExpr]) -> bool:
    """Return whether a formula differs at two points, by more than its parts are rounded."""
    given = leaves(e)
    if sum([size_of(x.shape) for x in given]) > _MOST_ELEMENTS:
        return False
    *inner, _ = toposort([e])
    parts = [x for x in inner if not any(isinstance(y, Several) for y in (x, *x.operands))]
    run = Executable([*parts, e], {x: i for i, x in enumerate(given)}).run

    def values(step: int) -> list[Any]:
        at = [0.3 + 0.17 * (i % 5) + step * (x in by) for i, x in enumerate(given)]
        arrays = [np.full(x.shape, v).astype(x.dtype.numpy) for x, v in zip(given, at, strict=True)]
        return [np.asarray(v) for v in quietly(run, arrays)]

    points = [values(0), values(1)]
    sizes = [np.max(np.abs(v), initial=0) for found in points for v in found if v.dtype != bool]
    ends = [found[-1].astype(complex) for found in points]
    return bool(np.any(np.abs(ends[0] - ends[1]) > 1e-3 * max(sizes, default=0)))


def _equals(self: ArrayExpr, other: Any, **flags: Any) -> bool | None:
    """Return whether another formula has the same values; None where that is not decided.

    It is what `prove` finds; where that is nothing, or there are flags, what SymPy says of the
    scalar forms, or of the forms of each element.
    """
    e = as_expr(other)
    if e is self or e.shape != self.shape:
        return e is self
    verdict = None if flags else prove(self, e)
    if verdict is not None and verdict.how:
        return bool(verdict)
    try:
        pair = [to_sympy(x, "explicit" if x.shape else "scalar") for x in (self, e)]
    except ValueError:  # of too many elements, or without a function of SymPy's
        return None
    pairs = zip(*map(sympy.flatten, pair), strict=True) if e.shape else [pair]
    found = {x.equals(y, **flags) for x, y in pairs}
    return False if False in found else None if None in found else True


def _sort_key(self: ArrayExpr, order: Any = None) -> Any:
    return self.class_key(), (1, (str(self),)), sympy.S.One.sort_key(), sympy.S.One


def _could_extract_minus_sign(self: ArrayExpr) -> bool:
    number = self.value if isinstance(self, Const) else 0
    return isinstance(number, (int, float)) and number < 0


# -- rewriting -------------------------------------------------------------------------------


def _simplify(self: ArrayExpr, **options: Any) -> ArrayExpr:
    """Return what SymPy makes of the scalar form, as a formula of the same leaves.

    A formula without one, such as an array, is rebuilt with the rewrites of values, which change no
    result. So is one where SymPy leaves a symbol of its own behind, as it does in some functions of
    hyperbolic tangents (1.14).
    """
    if not isinstance(plain_form(self), str):
        found = rewritten(self, "simplify", (), options)
        if found.free_symbols <= self.free_symbols:
            return found  # type: ignore[no-any-return]
    return _rebuilt(self)


def _rebuilt(self: ArrayExpr, **_: Any) -> ArrayExpr:
    simple = rebuild([self], lambda x, operands: x.with_operands(operands) if operands else x)
    return simple[0]  # type: ignore[no-any-return]


def _doit(self: ArrayExpr, **_: Any) -> ArrayExpr:
    """Return the formula itself, in which no operation is unevaluated."""
    return self


def _evalf(self: ArrayExpr, n: int = 15, subs: Any = None, **options: Any) -> Any:
    """Return the formula with exact numbers such as pi or 1/3 as floats, and numbers computed.

    Parameters
    ----------
    n : int
        The number of digits. Formulas have floats of 15, so of another number the result is that of
        SymPy's method on the scalar form.
    subs : mapping, optional
        What replaces parts of the formula first, as in `e.subs`.

    Raises
    ------
    TypeError
        If a formula without a scalar form is to have another number of digits.

    Examples
    --------
    >>> import sympy, symgrad
    >>> x = symgrad.leaf("x")
    >>> (sympy.sqrt(2) * x).evalf(), (sympy.sqrt(2) * x).evalf(4)
    (1.4142135623730951 * x, 1.414*x)
    >>> (x**2 + 1).evalf(subs={x: 3})
    10.0
    """
    e = self if subs is None else substitute(self, subs)
    if n != 15 or options:
        return required(e, f"evalf(n={n})").evalf(n, **options)
    if leaves(e):
        return _in_floats(e)
    value = e.evaluate()
    return as_expr(value) if e.shape else Const(value.item(), e.dtype)


def _in_floats(e: ArrayExpr) -> ArrayExpr:
    def visit(node: ArrayExpr, operands: tuple[ArrayExpr, ...]) -> ArrayExpr:
        if isinstance(node, Const) and isinstance(node.value, Basic):
            return Const(node.number, None if node.weak else node.dtype)
        return with_operands(node, operands)

    return rebuild([e], visit)[0]  # type: ignore[no-any-return]


def _expand(self: ArrayExpr, *sizes: Any, **hints: Any) -> Any:
    """Return the formula with products of sums multiplied out; with sizes, PyTorch's `expand`.

    Whole powers up to the fourth are products. A product of more than 2000 terms stays as it is.
    With hints, such as `trig=True`, it is what SymPy's method makes of the scalar form.
    """
    if sizes or "size" in hints:
        return METHODS["expand"](self, *sizes, **hints)
    if any(hints[name] != _USUAL_HINTS.get(name) for name in hints):
        return rewritten(self, "expand", (), hints)
    return with_derivative_rewrites(expanded)(self)


#: The hints of SymPy's `expand`, as they are without any.
_USUAL_HINTS = {name: p.default for name, p in signature(sympy.expand).parameters.items()}


def _order_of(n: Any) -> int:
    if int(n) != n or n < 0:
        raise ValueError(f"diff(): an order is a whole number from 0 on, got {n}")
    return int(n)


def _diff(self: ArrayExpr, *symbols: Any, **assumptions: Any) -> Any:
    """Return the derivative with respect to leaves, one after the other, as SymPy's `diff` does.

    Parameters
    ----------
    *symbols
        Leaves, their names or SymPy symbols, each of which an order may follow; or pairs of a leaf
        and an order. Without any, the derivative is with respect to the only leaf.

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
            if len(s) != 2:
                raise ValueError(f"diff(): a pair is one of a leaf and an order, got {s!r}")
            steps += [s[0]] * _order_of(s[1])
        elif isinstance(s, (int, sympy.Integer)) and not isinstance(s, bool):
            if not steps:
                raise ValueError("diff(): an order follows what it is the order of")
            steps += [steps.pop()] * _order_of(s)
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
        nodes = parts_meant(LeavesByName(leaves(e)), s)
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
    (e,) = by_name([e], [self])
    known = leaves_of_source(self, *[x for x in steps if isinstance(x, Leaf)])
    keep_sources([e], known, nodes_written(self))
    return e


def _eval_power(self: ArrayExpr, exponent: Any) -> ArrayExpr:
    """Return the power of the array, for `sympy.Pow(e, p)` and `sympy.sqrt(e)`."""
    return self**exponent  # type: ignore[no-any-return]


#: The methods of formulas that replace those inherited from SymPy.
SERVICES: dict[str, Any] = {
    **answering_sympy(
        {
            **SUBSTITUTIONS,
            "has": _has,
            "has_free": _has,
            "has_xfree": _has_xfree,
            "atoms": _atoms,
            "find": _find,
            "count": _count,
            "count_ops": _count_ops,
            "is_constant": _is_constant,
            "equals": _equals,
            "simplify": _simplify,
            "doit": _doit,
            "evalf": _evalf,
            "n": _evalf,
            "expand": _expand,
            "diff": _diff,
        }
    ),
    "symbols": property(symbols_of, doc="The symbols of the leaves in formulas of SymPy's."),
    "leaves": property(_leaves, doc="The leaves, in the order in which they are first used."),
    "sort_key": _sort_key,
    "could_extract_minus_sign": _could_extract_minus_sign,
    "_eval_simplify": _rebuilt,
    "_eval_evalf": lambda self, prec: _in_floats(self),
    "_eval_derivative": _diff,
    "_eval_power": _eval_power,
    # Otherwise SymPy takes a formula for a sequence wherever it accepts both.
    "_iterable": False,
    "expr": property(lambda self: self, doc="The expression itself, as tensors have one."),
}
