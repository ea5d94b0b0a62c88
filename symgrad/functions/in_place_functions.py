"""Functions of PyTorch's module that change their first argument: `sin_(x)` is `x.sin_()`."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from symgrad.schema.arguments import tensor_argument
from symgrad.schema.binding import bound
from symgrad.schema.docstrings import describe
from symgrad.schema.public import IN_PLACE, SCHEMAS

__all__ = ["in_place_functions"]


def in_place_functions(cls: type[Any]) -> dict[str, Callable[..., Any]]:
    """Return the functions, made of the methods of the class of tensors."""
    names = ["detach_", *[f"{name}_" for name, kind in IN_PLACE.items() if kind == "function"]]
    return {name: _function(name, getattr(cls, name)) for name in names}


def _function(name: str, method: Callable[..., Any]) -> Callable[..., Any]:
    """Return a method in place as a function, whose schema is that of the form out of place."""
    schema = SCHEMAS.get((name.removesuffix("_"), False)) or SCHEMAS[name, True]

    def changed(self: Any, *args: Any, **kwargs: Any) -> Any:
        return method(tensor_argument(name, self), *args, **kwargs)

    changed.__signature__ = inspect.signature(method)  # type: ignore[attr-defined]
    changed.__doc__ = method.__doc__
    own = schema.in_place(name)
    describe(own.texts, changed)
    return bound(own, changed)
