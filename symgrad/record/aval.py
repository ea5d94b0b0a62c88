"""Abstract values: the shape and dtype of an array, without its elements."""

from __future__ import annotations

import weakref

from symgrad.expr.dtypes import dtype
from symgrad.expr.shapes import Shape, size_of
from symgrad.support.locks import new_lock


class Aval:
    """A shape and a dtype; there is one object for each pair, so `is` compares.

    Attributes
    ----------
    shape, dtype
        Those of the array.
    size : int
        The number of elements.
    inference : bool
        Whether it belongs to inference tensors, with which fewer operations are allowed. They have
        an object of their own, so that signatures distinguish them.
    """

    __slots__ = ("__weakref__", "_entry", "dtype", "inference", "shape", "size", "weak")

    def __init__(self, shape: Shape, kind: dtype, inference: bool = False) -> None:
        self.shape = shape
        self.dtype = kind
        self.size = size_of(shape)
        self.weak = False
        self.inference = inference
        self._entry: Aval | None = None

    @property
    def entry(self) -> Aval:
        """Shape and dtype of one entry along the first axis."""
        found = self._entry
        if found is None:
            found = self._entry = aval_of(self.shape[1:], self.dtype)
        return found


# A weak table, so that a program with ever new shapes does not fill it.
_avals: weakref.WeakValueDictionary[tuple[Shape, dtype], Aval] = weakref.WeakValueDictionary()
_inference_avals: weakref.WeakValueDictionary[Aval, Aval] = weakref.WeakValueDictionary()
_lock = new_lock()


def aval_of(shape: Shape, kind: dtype) -> Aval:
    """Return the one `Aval` of a shape and a dtype."""
    found = _avals.get((shape, kind))
    if found is None:
        shape = tuple(shape)  # which may be a `Size`, equal to a tuple
        with _lock:
            found = _avals.setdefault((shape, kind), Aval(shape, kind))
    return found


def inference_aval(aval: Aval) -> Aval:
    """Return the `Aval` of inference tensors of the same shape and dtype."""
    if aval.inference:
        return aval
    found = _inference_avals.get(aval)
    if found is None:
        with _lock:
            made = Aval(aval.shape, aval.dtype, inference=True)
            found = _inference_avals.setdefault(aval, made)
    return found
