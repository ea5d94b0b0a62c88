"""Substitution in formulas: `subs`, `xreplace` and `replace`.

SymPy's own methods walk every path of a formula and recurse; these walk its nodes once. A string is
the name of a leaf, and is never parsed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from typing import Any

import numpy as np
import sympy
from sympy.core.basic import Basic
from sympy.logic.boolalg import BooleanAtom

from numeric.identifiers import normal_form
from symgrad.expr.atoms import ArrayConst, Const, Leaf, Static, as_expr, dtype_of_symbol
from symgrad.expr.dtypes import from_numpy_dtype
from symgrad.expr.graph import leaves, rebuild, toposort
from symgrad.expr.named_sizes import is_named
from symgrad.expr.node import ArrayExpr
from symgrad.forms.to_sympy import to_sympy
from symgrad.lower.executable import Executable
from symgrad.ops.elementwise import Elementwise
from symgrad.ops.primitive import PRIMITIVES
from symgrad.schema.public import FUNCTIONS
from symgrad.support.quiet import quietly


def substitute(self: ArrayExpr, *args: Any, simultaneous: bool = False, **_: Any) -> ArrayExpr:
    """Return the formula with parts replaced.

    Parameters
    ----------
    *args
        `old, new`; or a mapping, whose parts are replaced at once; or a sequence of pairs, whose
        parts are replaced one after the other (at once with `simultaneous=True`).

        `old` is a part of the formula, a SymPy symbol (a 0-d leaf of its name) or a string (any
        leaf of this name). `new` is a formula or an array of the same shape, or a number, which is
        broadcast to it. A SymPy symbol as the replacement of a leaf renames the leaf.

    Returns
    -------
    ArrayExpr
        A part that does not occur is ignored, as SymPy does. Operations that are left with numbers
        alone are computed, as SymPy does: those of integers where the value is one, and those of
        floats where it is finite.

    Raises
    ------
    ValueError
        If `new` has another shape than `old`, or a string is no name.
    TypeError
        If `new` has a dtype that does not convert to that of `old`.

    Examples
    --------
    >>> import symgrad
    >>> x, y = symgrad.leaf("x"), symgrad.leaf("y")
    >>> (x * y).subs(x, y + 1)
    (y + 1) * y
    >>> (x * y + 1).subs(x * y, 3)
    4
    """
    if len(args) == 2:
        return _with_replaced(self, [(args[0], args[1])])
    if len(args) == 1 and isinstance(args[0], Mapping):
        return _with_replaced(self, list(args[0].items()))
    if len(args) == 1 and not isinstance(args[0], (str, Basic)) and isinstance(args[0], Iterable):
        pairs = [tuple(pair) for pair in args[0]]
        if any(len(pair) != 2 for pair in pairs):
            raise ValueError("subs() takes pairs (old, new)")
        return _with_replaced(self, pairs) if simultaneous else _replaced_in_turn(self, pairs)
    raise ValueError("subs() takes old and new, a mapping, or a sequence of pairs (old, new)")


def _xreplace(self: ArrayExpr, rule: Mapping[Any, Any]) -> ArrayExpr:
    """Return the formula with the nodes of a mapping replaced, all at once."""
    if not hasattr(type(rule), "items"):
        raise TypeError(
            f"xreplace() takes a mapping from old parts to new, got {type(rule).__name__}"
        )
    return _with_replaced(self, list(rule.items()))


def _replaced_in_turn(e: ArrayExpr, pairs: Sequence[tuple[Any, Any]]) -> ArrayExpr:
    """Replace parts one after the other: successive leaves in one walk, another part in its own."""
    successive: list[tuple[Leaf, ArrayExpr]] = []
    present = LeavesByName(leaves(e))  # the leaves after the replacements in `successive`
    for old, new in pairs:
        if isinstance(old, (Leaf, str, sympy.Symbol)):
            for x in parts_meant(present, old):
                assert isinstance(x, Leaf)
                fitted = _replacement(x, new)
                if fitted is not x and present.replace(x, leaves(fitted)):
                    successive.append((x, fitted))
        else:
            e = _with_replaced(_leaves_replaced(e, successive), [(old, new)])
            successive, present = [], LeavesByName(leaves(e))
    return _leaves_replaced(e, successive)


def _leaves_replaced(e: ArrayExpr, pairs: Sequence[tuple[Leaf, ArrayExpr]]) -> ArrayExpr:
    """Replace leaves one after the other, in one walk over `e` and one over each replacement."""
    mapping: dict[ArrayExpr, ArrayExpr] = {}
    # From the last pair to the first: the later pairs also apply to the replacement of a leaf.
    for x, new in reversed(pairs):
        mapping[x] = _rebuilt(new, mapping)
    return _rebuilt(e, mapping)


def _with_replaced(e: ArrayExpr, pairs: Sequence[tuple[Any, Any]]) -> ArrayExpr:
    known = LeavesByName(leaves(e))
    mapping: dict[ArrayExpr, ArrayExpr] = {}
    for old, new in pairs:
        for node in parts_meant(known, old):
            mapping[node] = _replacement(node, new)
    return _rebuilt(e, mapping)


def _rebuilt(e: ArrayExpr, mapping: Mapping[ArrayExpr, ArrayExpr]) -> ArrayExpr:
    rounded: dict[ArrayExpr, bool] = {}

    def visit(node: ArrayExpr, operands: tuple[ArrayExpr, ...]) -> ArrayExpr:
        new = mapping.get(node)
        if new is not None:
            return new
        made = with_operands(node, operands)
        if made is node or made.shape or not isinstance(made, Elementwise):
            return made
        kinds = [rounded.get(x, _is_rounded(x)) for x in operands]
        if True not in kinds and all(isinstance(x, Const) for x in operands):
            made = _whole(made)
        elif None not in kinds:
            rounded[made] = any(kinds)
        return made

    made: ArrayExpr = rebuild([e], visit)[0] if mapping else e
    return _computed(made, {x for x, is_rounded in rounded.items() if is_rounded})


def _is_rounded(x: ArrayExpr) -> bool | None:
    """Return whether a number is no integer; None for an exact one, and for what is no number."""
    if not isinstance(x, Const) or isinstance(x.value, Basic):
        return None
    return not isinstance(x.value, int)


def _whole(e: ArrayExpr) -> ArrayExpr:
    """Return an operation of integers as the integer that it is; another, as exp(3), as it is."""
    found = to_sympy(e)
    if isinstance(found, BooleanAtom):
        return Const(bool(found), e.dtype)
    if not isinstance(found, sympy.Integer) or abs(found) >= 2**53:
        return e
    made = Const(int(found), None if e.weak else e.dtype)
    return made if made.number == made.value else e


def _computed(e: ArrayExpr, rounded: Set[ArrayExpr]) -> ArrayExpr:
    """Return a formula with the finite values of the largest parts among those of numbers alone."""
    if not rounded:
        return e
    used = [x for node in toposort([e]) if node not in rounded for x in node.operands]
    parts = [x for x in dict.fromkeys([*used, e]) if x in rounded]
    values = dict(zip(parts, quietly(Executable(parts, {}).run, []), strict=True))

    def visit(node: ArrayExpr, operands: tuple[ArrayExpr, ...]) -> ArrayExpr:
        if node not in values or not np.isfinite(values[node]):
            return with_operands(node, operands)
        return Const(np.asarray(values[node]).item(), None if node.weak else node.dtype)

    made: ArrayExpr = rebuild([e], visit)[0]
    return made


def with_operands(node: ArrayExpr, operands: tuple[Any, ...]) -> ArrayExpr:
    """Return the operation of a node on other operands; the node itself if they are the same."""
    return node if operands == node.operands else node.with_operands(operands)


class LeavesByName:
    """Leaves by their names."""

    def __init__(self, known: Iterable[Leaf]) -> None:
        self._by_name: dict[str, dict[Leaf, None]] = {}
        self._add(known)

    def _add(self, known: Iterable[Leaf]) -> None:
        for x in known:
            self._by_name.setdefault(x.name, {})[x] = None

    def replace(self, x: Leaf, others: Iterable[Leaf]) -> bool:
        """Replace the leaf `x` by other leaves; return whether `x` was present."""
        if x not in self.named(x.name):
            return False
        del self._by_name[x.name][x]
        self._add(others)
        return True

    def meant(self, x: Leaf) -> list[ArrayExpr]:
        """Return what a leaf means: itself, and leaves that differ from it in the symbol alone."""
        return [y for y in self.named(x.name) if y.is_named_as(x)] or [x]

    def named(self, name: str) -> list[Leaf]:
        """Return the leaves of a name."""
        return list(self._by_name.get(name, ()))


def parts_meant(known: LeavesByName, old: Any) -> list[ArrayExpr]:
    """Return the nodes that `old` means in a formula of the leaves `known`."""
    if isinstance(old, Leaf):
        return known.meant(old)
    if isinstance(old, ArrayExpr):
        return [old]
    if isinstance(old, str):
        if not old.isidentifier():
            raise ValueError(
                f"a string names a leaf and is never parsed, so {old!r} stands for nothing; "
                "build the expression instead"
            )
        return list(known.named(normal_form(old)))
    if isinstance(old, sympy.Symbol):
        return [x for x in known.named(old.name) if not x.shape]
    if isinstance(old, Static):
        raise TypeError("the parameters of an operation cannot be replaced; apply it anew")
    if isinstance(old, (Basic, int, float, complex)):
        number = sympy.sympify(old, strict=True)
        return [as_expr(old)] if number.is_number else []
    raise TypeError(
        "what is replaced must be an expression, a SymPy symbol or the name of a leaf, "
        f"got {type(old).__name__}"
    )


def _part_text(node: ArrayExpr) -> str:
    return repr(node.name) if isinstance(node, Leaf) else f"the part {node!r}"


def _replacement(old: ArrayExpr, new: Any) -> ArrayExpr:
    """Return `new` as a formula of the shape and dtype of `old`."""
    if isinstance(new, sympy.Symbol) and not isinstance(new, sympy.Wild) and isinstance(old, Leaf):
        kept = None if old.shape or isinstance(new, sympy.Dummy) else new
        if dtype_of_symbol(new).is_complex and not old.dtype.is_complex:
            raise TypeError(
                f"{_part_text(old)} is {old.dtype.name}, so it cannot become {new}, which SymPy "
                "takes for complex; use a symbol that is real, or a leaf of a complex dtype"
            )
        return Leaf(_symbol_name(new), old.shape, old.dtype, kept, old.facts)
    if isinstance(new, (str, bytes)):
        raise TypeError(
            f"{_part_text(old)} cannot become the string {new!r}: strings are never parsed"
        )
    if not isinstance(new, Basic) and not np.isscalar(new):
        new = np.asarray(new)
        if new.dtype == object:
            raise TypeError(f"{_part_text(old)} cannot become an array of objects")
        if not new.shape:
            new = new[()]
        elif from_numpy_dtype(new.dtype).category <= old.dtype.category:
            new = new.astype(old.dtype.numpy, copy=False)
    e = as_expr(new)
    if isinstance(e, Const):
        if e.dtype.category > old.dtype.category:
            raise TypeError(f"{_part_text(old)} is {old.dtype.name}, so it cannot become {e}")
        # The number takes the dtype of `old`, so that no result changes its dtype.
        e = Const(e.value, None if getattr(old, "weak", False) else old.dtype)
        _check_facts(old, e.value)
        return e.broadcast_to(old.shape) if old.shape else e
    if e.shape != old.shape:
        raise ValueError(
            f"{_part_text(old)} has shape {old.shape}, so it cannot become one of {e.shape}"
        )
    if e.dtype is not old.dtype:
        raise TypeError(
            f"{_part_text(old)} is {old.dtype.name}, so it cannot become one of {e.dtype.name}; "
            f"convert it with .to(symgrad.{old.dtype.name})"
        )
    if isinstance(e, ArrayConst):
        _check_facts(old, e.value)
    return e


def _check_facts(old: ArrayExpr, value: Any) -> None:
    """Raise ValueError for numbers that are not what is known of the leaf they replace."""
    if isinstance(old, Leaf) and old.facts is not None and not is_named(old.shape):
        array = np.broadcast_to(np.asarray(value, old.dtype.numpy), old.shape)
        old.facts.check(old.name, array, float(np.finfo(array.dtype).eps))


def _symbol_name(symbol: sympy.Symbol) -> str:
    if isinstance(symbol, sympy.Dummy):
        # The name that SymPy's code printers write, which lambdify gives to the argument.
        if symbol.name.startswith("Dummy_"):
            return f"_{symbol.name}"
        return (
            f"_Dummy_{symbol.dummy_index}"
            if not symbol.name.isidentifier()
            else (f"{symbol.name}_{symbol.dummy_index}")
        )
    return str(symbol.name)


def _replace(
    self: ArrayExpr, query: Any, value: Any, map: bool = False, **_: Any
) -> ArrayExpr | tuple[ArrayExpr, dict[ArrayExpr, ArrayExpr]]:
    """Return the formula with every part that a query finds replaced, operands first.

    Parameters
    ----------
    query
        An operation (`symgrad.sin`, `sympy.sin`, or the class of a node), a part, or a function
        that returns whether a part is replaced.
    value
        For an operation: another operation, or a function of the operands. For a part: its
        replacement. For a function: a function from the part to its replacement.
    map : bool
        Whether to return the replaced parts, with their replacements, as well.

    Examples
    --------
    >>> import symgrad
    >>> x = symgrad.leaf("x")
    >>> (x.exp() + 1).replace(symgrad.exp, symgrad.log)
    log(x) + 1
    """
    found: dict[ArrayExpr, ArrayExpr] = {}
    cls = operation_meant(query)
    if cls is not None:
        target = operation_meant(value)
        make: Callable[..., Any] = target.of if target is not None else value
        if not callable(make):
            raise TypeError("replace(operation, value): value must be an operation or a function")

        def change(node: ArrayExpr) -> Any:
            if not isinstance(node, cls):
                return None
            params = getattr(node, "param_values", ())
            return make(*node.operands, *(params if target is not None else ()))

    elif isinstance(query, type):  # a class of SymPy's, for code of SymPy's
        return (self, found) if map else self
    elif callable(query) and not isinstance(query, Basic):
        if not callable(value):
            raise TypeError("replace(function, value): value must be a function of the part")

        def change(node: ArrayExpr) -> Any:
            return value(node) if query(node) else None

    else:
        if isinstance(query, Basic) and query.has(sympy.Wild):
            raise TypeError("replace() matches no Wild; use an operation or a function for a query")
        e = _with_replaced(self, [(query, value)])
        parts = parts_meant(LeavesByName(leaves(self)), query) if map else []
        return (e, {part: _replacement(part, value) for part in parts}) if map else e

    def visit(node: ArrayExpr, operands: tuple[ArrayExpr, ...]) -> ArrayExpr:
        node = with_operands(node, operands)
        new = change(node)
        if new is None:
            return node
        fitted = _replacement(node, new)
        if fitted is not node:
            found[node] = fitted
        return fitted

    e = rebuild([self], visit)[0]
    return (e, found) if map else e


def operation_meant(query: Any) -> type[Any] | None:
    """Return the class of nodes that a class, a public or a SymPy function means, or None."""
    if query is sympy.Symbol:
        return Leaf
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


def is_of_sympy_alone(query: Any) -> bool:
    """Whether a query is a class of SymPy's, such as `Add`, of which no node of symgrad is one."""
    if not isinstance(query, type) or operation_meant(query) is not None:
        return False
    ours = issubclass(query, (ArrayExpr, Static)) or issubclass(ArrayExpr, query)
    return issubclass(query, Basic) and not ours


#: The methods of formulas that replace parts, in place of those that they inherit from SymPy.
SUBSTITUTIONS: dict[str, Any] = {"subs": substitute, "xreplace": _xreplace, "replace": _replace}
