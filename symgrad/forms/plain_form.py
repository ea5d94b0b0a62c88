"""The scalar form of a formula in SymPy's own classes, and what its methods answer.

Some functions of SymPy call methods of their arguments before `sympify`. So the methods of a
formula answer code of SymPy's as those of its scalar form do, and a user with a formula. What else
SymPy asks of a formula is in `door`.
"""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable, Iterable, Mapping
from types import FrameType
from typing import Any, NamedTuple

import sympy
from sympy.core.basic import Basic

from symgrad.expr.atoms import Const, Leaf
from symgrad.expr.graph import leaves, toposort
from symgrad.expr.node import ArrayExpr
from symgrad.forms.asking import ALGORITHMS, asking, is_user
from symgrad.forms.from_sympy import from_sympy
from symgrad.forms.substitution import LeavesByName, is_of_sympy_alone, parts_meant
from symgrad.forms.to_sympy import to_sympy

#: SymPy's algorithms walk every path of a formula, and recurse: so many and so deep at most.
MOST_PATHS = 10_000
MOST_DEEP = 100


class Walked(NamedTuple):
    """How often SymPy, which walks every path of a formula, comes to a node, and how deep."""

    paths: int
    depth: int


def paths_of(e: ArrayExpr) -> Walked:
    """Return the number of paths of a formula, and its depth."""
    found: dict[ArrayExpr, Walked] = {}
    for node in toposort([e]):
        inner = [found[x] for x in node.operands]
        count = 1 + sum([x.paths for x in inner])
        found[node] = Walked(count, 1 + max([x.depth for x in inner], default=0))
    return found[e]


def plain_form(e: ArrayExpr) -> Basic | str:
    """Return the scalar form of a formula, or why SymPy's algorithms cannot have one.

    It is kept on the node.
    """
    known = e._known_door
    if known is None:
        known = e._known_door = _plain_form(e)
    return known


def _plain_form(e: ArrayExpr) -> Basic | str:
    if e.shape:
        return f"of shape {e.shape}"
    walked = paths_of(e)
    if walked.paths > MOST_PATHS or walked.depth > MOST_DEEP:
        return (
            f"with {min(walked.paths, 10**9)} paths through {walked.depth} levels, of which SymPy "
            f"walks every one (at most {MOST_PATHS}, {MOST_DEEP} levels)"
        )
    try:
        return to_sympy(e)
    except ValueError as error:
        return f"without a formula of one element ({error})"


def required(e: ArrayExpr, call: str) -> Basic:
    """Return the scalar form of a formula that a call needs; raise TypeError if it has none."""
    found = plain_form(e)
    if isinstance(found, str):
        raise TypeError(
            f"{call}: a formula {found} is no scalar of SymPy's; use to_sympy(form) for its "
            "elements, Python's operators and symgrad's functions, or e.lambdify() for numbers"
        )
    return found


def plainly(value: Any, call: str) -> Any:
    """Return an argument of SymPy's, in which formulas are in their scalar form."""
    if isinstance(value, ArrayExpr):
        return required(value, call)
    if type(value) in (list, tuple, set):
        return type(value)([plainly(x, call) for x in value])
    if type(value) is dict:
        return {plainly(k, call): plainly(v, call) for k, v in value.items()}
    return value


def back(found: Any, e: ArrayExpr) -> Any:
    """Return an answer of SymPy's as a formula of the leaves of `e`, where it is one."""
    if isinstance(found, sympy.Expr) and not isinstance(found, ArrayExpr):
        symbols = {x.symbol: x for x in leaves(e) if not x.shape}
        if found.free_symbols <= symbols.keys():
            try:
                made = from_sympy(found, symbols)
            except (TypeError, ValueError):
                return found  # a formula that no operation computes, such as an Order
            if isinstance(made, Const) and made.dtype.category <= e.dtype.category:
                return Const(made.value, e.dtype)
            return made
    return found


def is_plain_for(frame: FrameType, e: ArrayExpr, what: str) -> bool:
    """Whether code that runs in a frame gets the answer of the scalar form of a formula.

    Raise TypeError where an algorithm of SymPy's asks a formula that has no scalar form. What
    holds, prints and visits formulas treats such a one as a tree.
    """
    part = asking(frame)
    if part and isinstance(plain_form(e), str):
        if part in ALGORITHMS:
            required(e, what)
        return False
    return bool(part)


# -- methods --------------------------------------------------------------------------------------


def inherited_methods(cls: type[Any]) -> dict[str, Any]:
    """Return the public methods that a class has from SymPy, made to read the scalar form.

    Their answer is a formula of the same leaves where it is a formula, else what SymPy answers.
    """
    found = {}
    for name in dir(sympy.Expr):
        f = inspect.getattr_static(cls, name)
        is_theirs = inspect.isfunction(f) and f is inspect.getattr_static(sympy.Expr, name)
        if is_theirs and not name.startswith("_") and name not in _OF_TREES:
            found[name] = _on_plain_form(name, f)
    return found


#: The methods that treat a formula as a tree, whatever is in it.
_OF_TREES = frozenset(("compare", "copy", "is_same"))


def _on_plain_form(name: str, f: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(f)
    def call(self: ArrayExpr, *args: Any, **kwargs: Any) -> Any:
        if asking(sys._getframe(1)):
            return of_plain_form(self, name, args, kwargs)
        return rewritten(self, name, args, kwargs)

    return call


def rewritten(self: ArrayExpr, name: str, args: Iterable[Any], kwargs: Mapping[str, Any]) -> Any:
    """Return what a method of the scalar form answers, as a formula where it is one."""
    return back(of_plain_form(self, name, args, kwargs), self)


def of_plain_form(
    self: ArrayExpr, name: str, args: Iterable[Any], kwargs: Mapping[str, Any]
) -> Any:
    """Return what a method of the scalar form answers.

    A leaf among the arguments, or the name of one, means that of the formula.
    """
    what = f"{name}()"
    refuse_code(what, [*args, *kwargs.values()])
    plain = required(self, what)
    known = LeavesByName(leaves(self))

    def argument(x: Any) -> Any:
        named = isinstance(x, Leaf) or (isinstance(x, str) and x.isidentifier())
        meant = parts_meant(known, x) if named else []
        return plainly(meant[0] if len(meant) == 1 else x, what)

    return getattr(plain, name)(*map(argument, args), **{k: argument(x) for k, x in kwargs.items()})


def answering_sympy(services: Mapping[str, Callable[..., Any]]) -> dict[str, Any]:
    """Return methods of formulas, which answer code of SymPy's as those of the scalar form do.

    Where a user looks for a class of SymPy's alone, such as `Add`, they look in the scalar form.
    """

    def method(name: str, own: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(own)
        def call(self: ArrayExpr, *args: Any, **kwargs: Any) -> Any:
            if is_plain_for(sys._getframe(1), self, f"{name}()"):
                return of_plain_form(self, name, args, kwargs)
            theirs = [x.__name__ for x in args if is_of_sympy_alone(x)]
            if theirs and is_user(sys._getframe(1)):
                required(self, f"{name}({', '.join(theirs)})")
                return parts_back(of_plain_form(self, name, args, kwargs), self)
            return own(self, *args, **kwargs)

        return call

    return {name: method(name, own) for name, own in services.items()}


def parts_back(found: Any, e: ArrayExpr) -> Any:
    """Return an answer of SymPy's, or each part of a container of answers, as `back` does."""
    if isinstance(found, (set, tuple)):
        return type(found)([parts_back(x, e) for x in found])
    if isinstance(found, dict):
        return {back(x, e): back(y, e) for x, y in found.items()}
    return back(found, e)


#: What SymPy's limits and series take for a direction.
_DIRECTIONS = ("+", "-", "+-")


def refuse_code(call: str, values: Iterable[Any]) -> None:
    """Raise for a string that is no identifier, which SymPy would evaluate as Python."""
    stack = list(values)
    while stack:
        x = stack.pop()
        if isinstance(x, str):
            if not x.isidentifier() and x not in _DIRECTIONS:
                raise ValueError(
                    f"{call}: a string names a symbol and is never parsed, so {x!r} stands for "
                    "nothing; build the expression instead"
                )
        elif isinstance(x, Mapping):
            stack += [*x.keys(), *x.values()]
        elif isinstance(x, (list, tuple, set, frozenset)):
            stack += x
