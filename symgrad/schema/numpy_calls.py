"""The table of what answers NumPy's functions on tensors and formulas.

A public function states its counterpart of NumPy's as a text where only names differ
(`symgrad.schema.public.public`); `numpy_call` enters a function that takes NumPy's arguments. Who
looks functions up, and what becomes of the others, stands in `symgrad.tensor.numpy_interop`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np

from symgrad.expr.atoms import as_expr
from symgrad.schema.kinds import has_values, is_tensor

F = TypeVar("F", bound=Callable[..., Any])

#: What answers a function of NumPy's, by its name, as "sum" or "linalg.norm". It returns
#: NotImplemented for arguments that it does not know.
COUNTERPARTS: dict[str, Callable[..., Any]] = {}
#: The function with a counterpart that comes nearest to one that has none, where that is known.
_nearest: dict[str, str] = {}


def numpy_call(*names: str) -> Callable[[F], F]:
    """Enter a function as what answers the functions of NumPy's of these names.

    It has NumPy's parameters, in NumPy's order. One that is annotated as None is not read: there is
    no counterpart where it is given, as there is none for keywords that the function lacks.
    """

    def enter(f: F) -> F:
        COUNTERPARTS.update(dict.fromkeys(names, _checked(f)))
        return f

    return enter


def _checked(f: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function that returns NotImplemented for what `f` does not read."""
    code = f.__code__
    places = code.co_varnames[: code.co_argcount]
    starred = bool(code.co_flags & inspect.CO_VARARGS)
    any_name = bool(code.co_flags & inspect.CO_VARKEYWORDS)
    known = frozenset(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount])
    unread = frozenset(n for n in known if f.__annotations__.get(n) == "None")
    read = known - unread
    # The places that call for a look at positional arguments.
    first_unread = min((i for i, n in enumerate(places) if n in unread), default=len(places))

    def call(*args: Any, **kwargs: Any) -> Any:
        if kwargs:
            kwargs = {
                k: v
                for k, v in kwargs.items()
                if v is not np._NoValue and (v is not None or k in read)
            }
            if not (any_name or read.issuperset(kwargs)):
                return NotImplemented
        if len(args) > first_unread and not starred:
            rest = zip(places[first_unread:], args[first_unread:], strict=False)
            if len(args) > len(places) or any(n in unread and x is not None for n, x in rest):
                return NotImplemented
        return f(*args, **kwargs)

    call.__name__ = call.__qualname__ = f.__name__
    call.__wrapped__ = f  # type: ignore[attr-defined]
    return call


def enter_text(text: str, f: Callable[..., Any], parameters: Callable[[], Sequence[str]]) -> None:
    """Enter a public function under NumPy's names.

    Parameters
    ----------
    text : str
        NumPy's function with its parameters, as "swapaxes(a, axis1, axis2)", each of which stands
        for the parameter of `f` at the same place. None stands for its default.
    f : callable
        The public function.
    parameters : callable
        Returns the names of its parameters.
    """
    name, _, listed = text.removesuffix(")").partition("(")
    names = listed.split(", ")
    own: dict[str, str] = {}  # filled by the first call, since reading a schema takes long

    def call(*args: Any, **kwargs: Any) -> Any:
        if not own:
            own.update(zip(names, parameters(), strict=False))
        if len(args) > len(names):
            return NotImplemented
        named = {k: v for k, v in kwargs.items() if v is not None and v is not np._NoValue}
        if any(x is None for x in args):
            named.update({k: v for k, v in zip(names, args, strict=False) if v is not None})
            args = ()
        if not (args or names[0] in named) or not own.keys() >= named.keys():
            return NotImplemented
        first = args[0] if args else named.pop(names[0])
        rest = {own[k]: v for k, v in named.items()}
        return f(_listed(first), *args[1:], **rest)

    def call_starred(*args: Any, **kwargs: Any) -> Any:
        return NotImplemented if kwargs else f(*_listed(args))

    COUNTERPARTS[name] = call_starred if listed.startswith("*") else call


def _listed(x: Any) -> Any:
    """Return an argument with the arrays and numbers in a sequence as tensors, or as formulas."""
    if not isinstance(x, (list, tuple)):
        return x
    constant = next((type(y)._constant for y in x if has_values(y)), as_expr)
    return [y if is_tensor(y) else constant(np.asarray(y)) for y in x]


def nearest(name: str, *others: str) -> None:
    """State that of all counterparts that of `name` comes nearest to these functions of NumPy's."""
    _nearest.update(dict.fromkeys(others, name))


def nearest_of(name: str) -> str:
    """Return the function of NumPy's with a counterpart that comes nearest to `name`; "" for none.

    Parameters
    ----------
    name : str
        The function, as "linalg.eig".
    """
    stated = _nearest.get(name)
    if stated is None and name.removeprefix("nan") in COUNTERPARTS:
        return name.removeprefix("nan")
    return stated or ""
