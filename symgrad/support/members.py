"""Classes assembled from parts: `install` adds members that are defined in other files."""

from __future__ import annotations

from collections.abc import Mapping
from types import FunctionType
from typing import Any

#: The members that every class has.
_OF_CLASSES = frozenset((*vars(type("", (), {})), "__annotations__", "__firstlineno__",
                         "__static_attributes__"))  # fmt: skip


def install(cls: type[Any], *parts: type[Any] | Mapping[str, Any]) -> None:
    """Give `cls` the members of its parts. Of members with one name it gets the last.

    Parameters
    ----------
    cls : type
        The class that gets the members.
    *parts : type or mapping
        A class, whose members are then as if they stood in the body of `cls`, or members by name.
    """
    for part in parts:
        stated = _moved(cls, part) if isinstance(part, type) else part
        for name, member in stated.items():
            setattr(cls, name, member)


def beside(cls: type[Any], *tables: Mapping[str, Any]) -> dict[str, Any]:
    """Return the members of tables without those that `cls` defines itself."""
    own = vars(cls)
    return {name: x for table in tables for name, x in table.items() if name not in own}


def members_of(part: type[Any]) -> dict[str, Any]:
    """Return the members that a class states, by their names."""
    return {name: x for name, x in vars(part).items() if name not in _OF_CLASSES}


def _moved(cls: type[Any], part: type[Any]) -> dict[str, Any]:
    """Return the members of a class, named as those of `cls`."""
    members = members_of(part)
    for name, member in members.items():
        accessors = (
            (member.fget, member.fset, member.fdel) if isinstance(member, property) else (member,)
        )
        for f in accessors:
            if isinstance(f, FunctionType) and f.__qualname__.startswith(f"{part.__name__}."):
                f.__module__, f.__qualname__ = cls.__module__, f"{cls.__name__}.{name}"
    return members
