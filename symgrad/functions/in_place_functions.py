"""Functions of PyTorch's module that change their first argument: `sin_(x)` is `x.sin_()`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symgrad.schema.public import IN_PLACE, SCHEMAS, function_of
from symgrad.schema.text import Schema


def in_place_functions(cls: type[Any]) -> dict[str, Callable[..., Any]]:
    """Return the functions, made of the methods of the class of tensors."""
    names = ["detach_", *[f"{name}_" for name, kind in IN_PLACE.items() if kind == "function"]]
    return {name: function_of(getattr(cls, name), _schema(name)) for name in names}


def _schema(name: str) -> Schema:
    """Return the schema of a function that changes its argument: that of the form out of place."""
    schema = SCHEMAS.get((name.removesuffix("_"), False)) or SCHEMAS[name, True]
    return schema.in_place(name)
