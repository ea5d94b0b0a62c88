"""Every primitive as a law of one result meets it: of those with several, each of their results."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from symgrad.ops.primitive import PRIMITIVES, Primitive, bind
from symgrad.ops.results import Several


class OneResult:
    """One result of a primitive that has several: it makes nodes and answers as a class does."""

    def __init__(self, cls: type[Several], index: int) -> None:
        self.whole = cls
        self.index = index
        self.__name__ = f"{cls.__name__}.{cls.result_name(index)}"
        self.__module__ = cls.__module__

    def __call__(self, *args: Any) -> Any:
        return self.whole(*args)[self.index]

    def of(self, *args: Any) -> Any:
        whole: Any = self.whole.of(*args)
        return whole[self.index]

    def __getattr__(self, name: str) -> Any:
        return getattr(self.whole, name)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OneResult) and self.__name__ == other.__name__

    def __hash__(self) -> int:
        return hash(self.__name__)


Kind = Any  # type[Primitive] | OneResult


def kinds(classes: Iterable[type[Primitive]] = PRIMITIVES.values()) -> dict[str, Kind]:
    """Return the primitives by name, and in the place of one with several results its results."""
    found: dict[str, Kind] = {}
    for cls in classes:
        if not issubclass(cls, Several):
            found[cls.__name__] = cls
            continue
        # Where their number depends on the parameters there is one at least.
        for i in range(max(len(cls.results), 1)):
            made = OneResult(cls, i)
            found[made.__name__] = made
    return found


def class_of(kind: Kind) -> type[Primitive]:
    """Return the class of a primitive, whichever of its results is meant."""
    found: type[Primitive] = kind.whole if isinstance(kind, OneResult) else kind
    return found


def apply(kind: Kind, operands: Sequence[Any], params: tuple[Any, ...]) -> Any:
    """Apply a primitive to tensors or expressions, and return the result that is meant."""
    made = bind(class_of(kind), operands, params)
    return made[kind.index] if isinstance(kind, OneResult) else made
