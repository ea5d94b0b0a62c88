"""Comparisons in place: `gt_` and its kin, whose truth values depend on nothing.

Also the node of all that takes the place of a tensor and does not depend on it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symgrad.ops.casting import cast
from symgrad.ops.comparison import Comparison
from symgrad.ops.primitive import PRIMITIVES, Primitive
from symgrad.ops.replacement import compared
from symgrad.record.record import Recorded, record
from symgrad.record.signature import named

#: The comparisons by the names of their methods.
COMPARISONS: dict[str, type[Comparison]] = {
    name: cls
    for cls in PRIMITIVES.values()
    if issubclass(cls, Comparison)
    for name in (cls.__name__, *cls.aliases)
}


def comparing(name: str, compute: Callable[..., Any]) -> Callable[..., Any]:
    """Return what a comparison computes in place, where it has a node.

    Parameters
    ----------
    name : str
        That of the method, without its underscore.
    compute : callable
        What it computes out of place.
    """
    title = COMPARISONS[name].__name__.title()

    def replacement(self: Any, /, *args: Any, **kwargs: Any) -> Any:
        found = compute(self, *args, **kwargs)
        if not isinstance(found, Recorded):
            return found  # a formula, which is refused where it would be written
        values = record(cast, (found,), (self._aval.dtype,))
        others = [x for x in (*args, *kwargs.values()) if isinstance(x, Recorded)]
        return record_replacement(compared, values, f"{title}Backward{len(others)}", self, *others)

    return replacement


def record_replacement(cls: type[Primitive], values: Any, node: str, *others: Any) -> Any:
    """Return `values` with a node whose gradients are zero.

    Parameters
    ----------
    cls : type
        The primitive that replaces.
    values : Tensor
        What takes the place.
    node : str
        PyTorch's name of the node.
    *others : Tensor
        What they stand in the place of, and were found by: each an edge of the node.
    """
    result = record(cls, (values, *others))
    if result._rg:
        result._vertex.rename(named(result._vertex.sig, node))
        result._vertex.links = [(x._vertex or x._leaf()) if x._rg else None for x in others]
    return result
