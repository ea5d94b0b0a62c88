"""What formulas lack of tensors: they say that tracing cannot do it."""

from __future__ import annotations

import inspect
from typing import Any

from symgrad.expr.node import ArrayExpr
from symgrad.support.untraceable import UntraceableMember


def unwritable(tensors: type[Any]) -> dict[str, property]:
    """Return the attributes that can be assigned to tensors, and not to formulas.

    Parameters
    ----------
    tensors : type
        The class of tensors, complete as that of formulas is.
    """
    members: dict[str, property] = {}
    for name in dir(tensors):
        member = inspect.getattr_static(tensors, name)
        if isinstance(member, property) and member.fset is not None:
            own = inspect.getattr_static(ArrayExpr, name, None)
            members[name] = _unwritable(name, own)
    return members


def _unwritable(name: str, own: property | None) -> property:
    """Return an attribute of tensors that formulas have for reading, or have not."""

    def write(self: ArrayExpr, value: Any) -> None:
        raise UntraceableMember(f"{name!r} of a symbolic array cannot be assigned to")

    if own is not None:
        return own.setter(write)
    return property(lambda self: self.__getattr__(name), write)
