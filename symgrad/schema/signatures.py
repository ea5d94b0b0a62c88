"""The signature of a public function, all of its overloads together."""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Container, Sequence
from typing import Any

from symgrad.schema.body import IGNORED, names_of, python_name, schema_name
from symgrad.schema.text import NOT_GIVEN, Overload, Parameter, Schema


def longest(overloads: Sequence[Overload]) -> Overload:
    """Return the overload with the most positional parameters, of equals one that spreads them.

    Where another overload takes one integer, it is what a single one means.
    """
    ints = any(s.parameters and s.parameters[0].kind == "int" for s in overloads)
    return max(overloads, key=lambda s: (s.positional, s.spreads and not ints))


def has_star(base: Overload, overloads: Sequence[Overload]) -> bool:
    """Return whether a star collects what a call gives by position."""
    first = base.parameters[0].kind if base.parameters else ""
    ints = any(s.parameters and s.parameters[0].kind == "int" for s in overloads)
    return first.endswith("...") or (base.spreads and not ints)


def union(overloads: Sequence[Overload]) -> list[Parameter]:
    """Return each parameter of any overload, in the order of the longest ones."""
    found: dict[str, Parameter] = {}
    for overload in sorted(overloads, key=lambda s: -s.positional):
        for p in overload.parameters:
            found.setdefault(p.name, p)
    return list(found.values())


class SchemaSignature(inspect.Signature):
    """The signature of a public function, read from its schema when somebody asks for it."""

    __slots__ = ("_own",)
    _own: tuple[Schema, Callable[..., Any]]

    def __init__(self, schema: Schema, body: Callable[..., Any]) -> None:
        self._own = schema, body

    @property
    def parameters(self) -> Any:
        """The parameters of all overloads together, the starred one among them."""
        schema, body = self._own
        taken = {*map(schema_name, names_of(body)), *IGNORED}
        found = _signature_parameters(schema, taken)
        return types.MappingProxyType({p.name: p for p in found})

    @property
    def return_annotation(self) -> Any:
        return inspect.Signature.empty

    def replace(self, **changes: Any) -> inspect.Signature:  # type: ignore[override]
        """Return a plain signature with some things changed, as of a bound method."""
        parameters = changes.pop("parameters", self.parameters.values())
        return inspect.Signature(list(parameters), **changes)


def _signature_parameters(schema: Schema, taken: Container[str]) -> list[inspect.Parameter]:
    kinds = inspect.Parameter
    found = [kinds("self", kinds.POSITIONAL_ONLY)] if schema.method else []
    shown = [s for s in schema.overloads if not s.hidden]
    base = longest(shown)
    places = [p.name for p in base.parameters if not p.keyword_only]
    starred = has_star(base, shown)
    required = {
        p.name
        for p in union(shown)
        if all(any(q.name == p.name and not q.optional for q in s.parameters) for s in shown)
    }
    optional = False
    for p in union(shown):
        if p.name not in taken:
            continue
        kind: Any = kinds.KEYWORD_ONLY
        if p.name in places:
            kind = kinds.VAR_POSITIONAL if starred else kinds.POSITIONAL_OR_KEYWORD
        default: Any = kinds.empty
        if kind is not kinds.VAR_POSITIONAL and (optional or p.name not in required):
            values = [
                q.value for s in shown for q in s.parameters if q.name == p.name and q.optional
            ]
            default = values[0] if values else NOT_GIVEN
            optional = optional or kind is kinds.POSITIONAL_OR_KEYWORD
        found.append(kinds(python_name(p.name), kind, default=default))
    return found
