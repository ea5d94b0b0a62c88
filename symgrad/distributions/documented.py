"""Docstrings of properties, which Python does not look for in the classes above."""

from __future__ import annotations

from typing import Any, ClassVar


class Documented:
    """The base: classes whose properties have the docstrings of those that they override."""

    #: Docstrings of what is an attribute in some classes, and a property in others.
    _described: ClassVar[dict[str, str]] = {}

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        for name, x in vars(cls).items():
            if isinstance(x, property) and x.fget is not None and not x.fget.__doc__:
                x.fget.__doc__ = _above(cls, name)


def _above(cls: type[Documented], name: str) -> str | None:
    """Return the docstring of a property in the classes above."""
    for base in cls.__mro__[1:]:
        member = vars(base).get(name)
        if isinstance(member, property) and member.fget is not None and member.fget.__doc__:
            return member.fget.__doc__
    return cls._described.get(name)
