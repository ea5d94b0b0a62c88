"""The members of `Tensor` that are no operations, one class for each thing that they tell.

What tensors compute comes from the tables of `symgrad.schema.public`. As these do, the classes here only
state members; `adopt` puts them into the class `Tensor`, so that it owns them all.
"""

from __future__ import annotations

from types import FunctionType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from symgrad._declared import Methods
    from symgrad.record.record import Recorded

    class Part(Recorded, Methods):
        """A class that states some of the members of `Tensor`."""

else:
    Part = object

__all__ = ["Part", "adopt"]

#: What every class has.
_OF_CLASSES = frozenset((*vars(type("", (), {})), "__annotations__", "__firstlineno__",
                         "__static_attributes__"))  # fmt: skip


def adopt(cls: type[Any], *parts: type[Any]) -> None:
    """Give `cls` the members of other classes, as if they stood in its body.

    Parameters
    ----------
    cls : type
        What gets them; errors name it.
    *parts : type
        What states them.
    """
    for part in parts:
        for name, member in vars(part).items():
            if name in _OF_CLASSES:
                continue
            accessors = (
                (member.fget, member.fset, member.fdel)
                if isinstance(member, property)
                else (member,)
            )
            for f in accessors:
                if isinstance(f, FunctionType) and f.__qualname__.startswith(f"{part.__name__}."):
                    f.__module__, f.__qualname__ = cls.__module__, f"{cls.__name__}.{name}"
            setattr(cls, name, member)
