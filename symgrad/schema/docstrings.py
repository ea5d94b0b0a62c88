"""Descriptions of parameters that many functions share, entered into their docstrings."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, TypeVar

__all__ = ["describing"]

F = TypeVar("F", bound=Callable[..., Any])

_HEADING = "Parameters\n----------"
_SECTION = re.compile(r"\n\n(?=\w+\n-{3,}\n)")
_ENTRY = re.compile(r"\n(?=[*\w])")


def describing(shared: Mapping[str, tuple[str, str]]) -> Callable[..., Any]:
    """Return a decorator that adds to a docstring the parameters that it does not describe.

    The decorator takes the parameters as a second argument, where they are not those of the
    function: pairs of a name and of the name with its default.

    Parameters
    ----------
    shared : mapping
        The type and the description of each parameter, either of which may be empty; `dim=None`
        is `dim` with that default. What a function describes itself, or names above the sections,
        is left alone.

    Returns
    -------
    callable
        The decorator, for functions.

    Examples
    --------
    >>> @describing({"keepdim": ("bool", "Whether the axis stays.")})
    ... def total(input, keepdim=False):
    ...     '''Return the sum of `input`.'''
    >>> total.__doc__.splitlines()[-2:]
    ['keepdim : bool', '    Whether the axis stays.']
    """

    def describe(f: F, parameters: Iterable[tuple[str, str]] | None = None) -> F:
        above, *sections = _SECTION.split(inspect.getdoc(f) or "")
        own = sections.pop(0) if sections and sections[0].startswith(_HEADING) else _HEADING
        heading, *entries = _ENTRY.split(own)
        known = _named(above).union(*map(_names, entries))
        added: dict[tuple[str, str], list[str]] = {}
        order: list[str] = []
        for name, with_default in _parameters(f) if parameters is None else parameters:
            entry = shared.get(with_default) or shared.get(name)
            order.append(name.strip("*"))
            if entry is not None and order[-1] not in known:
                added.setdefault(entry, []).append(name)
        for (kind, text), names in added.items():
            typed = f"{', '.join(names)} : {kind}" if kind else ", ".join(names)
            entries.append(f"{typed}\n    {text}" if text else typed)
        if entries:
            place = {name: i for i, name in enumerate(order)}
            # What `**keywords` takes has no place, and comes last.
            entries.sort(key=lambda entry: place.get(_names(entry)[0], len(place)))
            sections.insert(0, "\n".join([heading, *entries]))
        f.__doc__ = "\n\n".join([above, *sections])
        return f

    return describe


def _parameters(f: Callable[..., Any]) -> Iterator[tuple[str, str]]:
    """Yield each parameter, the starred one with its star, without and with its default.

    `inspect.signature` says the same, but takes half of the time that all of this takes on import.
    """
    code, names = f.__code__, iter(f.__code__.co_varnames)
    positional = list(islice(names, code.co_argcount))
    keyword_only = list(islice(names, code.co_kwonlyargcount))
    given = reversed(f.__defaults__ or ())
    defaults = {**dict(zip(reversed(positional), given, strict=False)), **(f.__kwdefaults__ or {})}
    starred = [f"*{next(names)}"] if code.co_flags & inspect.CO_VARARGS else []
    for name in (*positional, *starred, *keyword_only):
        yield name, f"{name}={defaults[name]!r}" if name in defaults else name


def _named(text: str) -> set[str]:
    """Return the identifiers that stand in backticks."""
    return {name for code in re.findall(r"`+([^`]+)`+", text) for name in re.findall(r"\w+", code)}


def _names(entry: str) -> list[str]:
    """Return the parameters that an entry describes."""
    heading = entry.partition("\n")[0].partition(" : ")[0]
    return [name.strip(" *") for name in heading.split(",")]
