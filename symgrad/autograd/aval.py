"""Abstract values: what the record knows of an array without looking at it."""

from __future__ import annotations

import threading
import weakref

from symgrad.expr.dtypes import dtype
from symgrad.expr.shapes import Shape, size_of

__all__ = ["Aval", "aval_of"]


class Aval:
    """A shape and a dtype; there is one object for each pair, so `is` compares."""

    __slots__ = ("__weakref__", "dtype", "shape", "size", "weak")

    def __init__(self, shape: Shape, kind: dtype) -> None:
        self.shape = shape
        self.dtype = kind
        self.size = size_of(shape)
        self.weak = False


# Those in use: a program that runs through ever new shapes does not fill it.
_avals: weakref.WeakValueDictionary[tuple[Shape, dtype], Aval] = weakref.WeakValueDictionary()
_lock = threading.RLock()


def aval_of(shape: Shape, kind: dtype) -> Aval:
    """Return the one `Aval` of a shape and a dtype."""
    found = _avals.get((shape, kind))
    if found is None:
        with _lock:
            found = _avals.setdefault((shape, kind), Aval(shape, kind))
    return found
