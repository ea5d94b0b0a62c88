"""What formulas inherit from SymPy, whose methods evaluate strings: here no string is evaluated."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import sympy


def without_code(cls: type[Any]) -> dict[str, Any]:
    """Return the public methods that `cls` has from SymPy, made to refuse strings of code.

    SymPy turns a string into an expression by Python's `eval`. A string that is an identifier is a
    symbol, or an option, and nothing else.
    """
    found = {}
    for name in dir(sympy.Expr):
        f = inspect.getattr_static(cls, name)
        is_theirs = callable(f) and f is inspect.getattr_static(sympy.Expr, name)
        if is_theirs and not name.startswith("_") and _takes_arguments(f):
            found[name] = _refusing(name, f)
    return found


def _takes_arguments(f: Callable[..., Any]) -> bool:
    code = getattr(inspect.unwrap(f), "__code__", None)
    if code is None:
        return False
    return bool(code.co_argcount > 1 or code.co_flags & inspect.CO_VARARGS)


def _refusing(name: str, f: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(f)
    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        _refuse_code(name, [*args, *kwargs.values()])
        return f(self, *args, **kwargs)

    return call


def _refuse_code(name: str, values: Iterable[Any]) -> None:
    stack = list(values)
    while stack:
        x = stack.pop()
        if isinstance(x, str):
            if not x.isidentifier():
                raise ValueError(
                    f"{name}(): a string names a symbol and is never parsed, so {x!r} stands for "
                    "nothing; build the expression instead"
                )
        elif isinstance(x, Mapping):
            stack += [*x.keys(), *x.values()]
        elif isinstance(x, (list, tuple, set, frozenset)):
            stack += x
