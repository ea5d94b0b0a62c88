"""The short form of subscripts: keys of integers and slices, which give views.

What a key gives is found once for each shape. All other keys, modes and classes of tensors go the way
of `symgrad.tensor.subscripts`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from symgrad.ops.identity import alias
from symgrad.record.modes import everywhere, state
from symgrad.record.record import result_class
from symgrad.record.signature import Signature
from symgrad.record.signatures import param_kinds, signatures
from symgrad.record.tape import Node
from symgrad.record.versions import clock
from symgrad.record.views import register_view
from symgrad.support.remembered import Remembered
from symgrad.tensor.subscripts import _getitem, resolve, step_of

_ndarray, _asarray = np.ndarray, np.asarray
_new: Callable[[Any], Any] = object.__new__


def short_getitem() -> Callable[[Any, Any], Any]:
    """Return the subscript of tensors."""
    table, tensor = _views.table(), result_class()
    local, common = state, everywhere

    def getitem(self: Any, key: Any) -> Any:
        name = key if key.__class__ is int else _name(key)
        if name is None or local.state.special or common or self.__class__ is not tensor:
            return _getitem(self, key)
        if self._data.__class__ is not _ndarray:
            return _getitem(self, key)
        named = self._aval, self._rg, name
        views = table.get(named) or _views.recall(named)
        if views is None:
            out = _getitem(self, key)
            _remember(named, key)
            return out
        out = self
        for sig in views:
            out = read_view(out, sig)
        return out

    # `__torch_function__` is given this function; these are the names by which users find it.
    getitem.__name__, getitem.__qualname__ = "__getitem__", "Tensor.__getitem__"
    getitem.__module__, getitem.__doc__ = _getitem.__module__, _getitem.__doc__
    return getitem


def read_view(x: Any, sig: Signature) -> Any:
    """Return the view of a tensor, of no subclass, that an operation without residuals gives."""
    out = _new(x.__class__)
    found = sig.call(x._data)
    out._data = found if found.__class__ is _ndarray else _asarray(found)
    out._aval = sig.out
    if sig.records:
        out._vertex, out._rg = Node(sig, (x._vertex or x._leaf(),), (), clock()), True
    else:
        out._vertex, out._rg = None, False
        if x._cut is not None:
            out._cut = x._cut
    register_view(out, x, sig)
    return out


def _name(key: Any) -> Any:
    """Return what names a key in a table; None for a key of other things than integers and slices."""
    if key.__class__ is slice:
        found = _ends(key)
        return None if found is None else (None, found)
    if key.__class__ is not tuple:
        return None
    names = []
    for item in key:
        if item.__class__ is slice:
            item = _ends(item)
            if item is None:
                return None
        elif item.__class__ is not int:
            return None
        names.append(item)
    return tuple(names)


def _ends(key: slice) -> tuple[int | None, int | None, int | None] | None:
    """Return start, stop and step of a slice; None where one is neither an integer nor None."""
    found = key.start, key.stop, key.step
    for x in found:
        if not (x is None or x.__class__ is int):
            return None
    return found


def _remember(named: tuple[Any, ...], key: Any) -> None:
    """Enter the signatures of the views that a key gives, one after the other."""
    aval, rg, _ = named
    found: list[Signature] = []
    for step in resolve(key, aval.shape).steps or (None,):
        cls, params, face = (alias, (), None) if step is None else step_of(aval.shape, step)
        faces = () if face is None else (face,)
        sig = signatures(cls).get((params, *param_kinds(params), *faces, aval, rg))
        if sig is None or sig.records is not rg:
            return
        found.append(sig)
        aval = sig.out
    _views.keep(named, tuple(found))


# The views of 20,000 keys, each of which is a signature as well.
_views: Remembered[tuple[Signature, ...]] = Remembered(32 * 2**20, lambda found: 1_500 * len(found))
