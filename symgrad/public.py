"""The table of public functions: what `symgrad.<name>`, tensors and expressions offer alike.

A function of `symgrad.ops` is written once, with PyTorch's signature, and ends in `bind`; the
decorator enters it here. `symgrad/__init__` makes module functions of the table, and the classes
`ArrayExpr` and `Tensor` get its methods and operators from it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

__all__ = [
    "FUNCTIONS",
    "METHODS",
    "OPERATORS",
    "PROPERTIES",
    "install",
    "public",
    "public_property",
]

F = TypeVar("F", bound=Callable[..., Any])

FUNCTIONS: dict[str, Callable[..., Any]] = {}
METHODS: dict[str, Callable[..., Any]] = {}
# Python's special methods, as functions of the operands in the order Python passes them.
OPERATORS: dict[str, Callable[..., Any]] = {}
# Attributes without a call, such as `T`.
PROPERTIES: dict[str, property] = {}

# NumPy's names of arguments, which PyTorch accepts as well.
_ALIASES = {"axis": "dim", "axes": "dim", "keepdims": "keepdim", "x": "input", "a": "input"}


def public(
    *names: str,
    function: bool = True,
    method: bool = True,
    operators: tuple[str, ...] = (),
    numpy_names: bool = True,
) -> Callable[[F], F]:
    """Enter a function in the tables under `names`.

    Parameters
    ----------
    *names : str
        The public name and its aliases.
    function, method : bool
        Whether it is a function of the module, a method of tensors and expressions.
    operators : tuple of str
        Special methods that it implements.
    numpy_names : bool
        Whether keywords may be spelled as in NumPy, which PyTorch allows in most functions.
    """

    def enter(f: F) -> F:
        f.__name__ = f.__qualname__ = names[0]  # what Python's own errors call it
        call = _with_aliases(f, names[0]) if numpy_names else f
        for name in names:
            if function:
                FUNCTIONS[name] = call
            if method:
                METHODS[name] = call
        for name in operators:
            OPERATORS[name] = f
        return f

    return enter


def public_property(name: str) -> Callable[[F], F]:
    """Enter a function as an attribute of tensors and expressions."""

    def enter(f: F) -> F:
        PROPERTIES[name] = property(f)
        return f

    return enter


def _with_aliases(f: Callable[..., Any], name: str) -> Callable[..., Any]:
    """Let keywords be spelled as in NumPy, where `f` has PyTorch's and not NumPy's."""
    code = f.__code__
    own = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    spelled = {a: b for a, b in _ALIASES.items() if b in own and a not in own}
    if not spelled:
        return f

    @functools.wraps(f)
    def call(*args: Any, **kwargs: Any) -> Any:
        if not kwargs:
            return f(*args)
        if not kwargs.keys().isdisjoint(spelled):
            kwargs = {spelled.get(k, k): v for k, v in kwargs.items()}
        return f(*args, **kwargs)

    call.__name__ = name
    return call


def install(cls: type[Any]) -> None:
    """Give `cls` the methods and operators of the tables that it does not define itself."""
    tables: tuple[dict[str, Any], ...] = (METHODS, OPERATORS, PROPERTIES)
    for table in tables:
        for name, f in table.items():
            if name not in cls.__dict__:
                setattr(cls, name, f)
