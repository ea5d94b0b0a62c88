"""The parameters of the body of a public function, and the values of those that a call omits."""

from __future__ import annotations

import functools
import inspect
import keyword
from collections.abc import Callable
from typing import Any

from symgrad.schema.text import NOT_GIVEN, Overload, Schema

#: Parameters that say nothing here: there is one device, and elements lie in the order of the axes.
IGNORED = frozenset(
    ("out", "memory_format", "non_blocking", "implicit", "device", "layout", "pin_memory")
)


def python_name(name: str) -> str:
    """Return a name that Python takes for the parameter `name` of PyTorch's, as in `from_`."""
    return f"{name}_" if keyword.iskeyword(name) else name


def schema_name(name: str) -> str:
    """Return the parameter of PyTorch's function that the body calls `name`.

    The body calls `from` `from_`, and what PyTorch itself calls `from_` it calls `from__`.
    """
    if name == "self":
        return "input"
    return name[:-1] if keyword.iskeyword(name.rstrip("_")) else name


@functools.lru_cache(maxsize=4096)
def layout_of(body: Callable[..., Any]) -> tuple[list[str], str, list[str]]:
    """Return the names that the body takes by position, after a star, and by keyword alone."""
    kinds = inspect.Parameter
    found: dict[Any, list[str]] = {}
    for p in inspect.signature(body).parameters.values():
        found.setdefault(p.kind, []).append(p.name)
    positional = found.get(kinds.POSITIONAL_ONLY, []) + found.get(kinds.POSITIONAL_OR_KEYWORD, [])
    starred = found.get(kinds.VAR_POSITIONAL, [""])[0]
    return positional, starred, found.get(kinds.KEYWORD_ONLY, [])


def names_of(body: Callable[..., Any]) -> list[str]:
    """Return the names of all parameters of the body."""
    positional, starred, keyword_only = layout_of(body)
    return [*positional, starred, *keyword_only]


@functools.lru_cache(maxsize=4096)
def _defaults(body: Callable[..., Any]) -> dict[str, Any]:
    empty = inspect.Parameter.empty
    listed = inspect.signature(body).parameters.items()
    return {name: p.default for name, p in listed if p.default is not empty}


def default_of(schema: Schema, body: Callable[..., Any], overload: Overload, parameter: str) -> Any:
    """Return the value of a parameter of the body that the call does not give.

    That is the default of the overload; where the overload does not have the parameter, the body's
    own, or that of another overload.
    """
    name = schema_name(parameter)
    for p in overload.parameters:
        if p.name == name:
            return p.value
    defaults = _defaults(body)
    if parameter in defaults:
        return defaults[parameter]
    return schema.names[name].value if name in schema.names else NOT_GIVEN
