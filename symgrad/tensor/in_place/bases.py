"""What a base becomes when a view of it is written: what was written, where the view looks.

Nothing is computed here, since the memory holds the value: the graph gets its node.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from symgrad.ops.broadcasting import broadcast_to
from symgrad.ops.complex_parts import imag, real
from symgrad.ops.complexes import from_parts, view_as_complex, view_as_real
from symgrad.ops.identity import alias
from symgrad.ops.indexing import index_put
from symgrad.ops.permuting import inverted, permute
from symgrad.ops.reshaping import reshape
from symgrad.ops.slicing import part, updated
from symgrad.record.record import record, wrap
from symgrad.record.views import Step


def written_base(base: Any, steps: Sequence[Step], child: Any) -> Any:
    """Return `base`, out of place, with `child` where the steps lead to.

    Nothing is computed: its value is the memory of `base`, into which `child` is written.
    """
    parents = [wrap(base._data, base._aval, base._vertex)]
    for cls, params in steps[:-1]:
        parents.append(record(cls, (parents[-1],), params))
    for i, (cls, _) in enumerate(steps):
        shown = child if i + 1 == len(steps) else parents[i + 1]
        if issubclass(cls, broadcast_to) and shown._aval.size > parents[i]._aval.size:
            # What shows elements more than once cannot be undone by itself, only with what follows.
            child = _put_back(parents[i], child, steps[i:])
            steps = steps[:i]
            break
    for i in reversed(range(len(steps))):
        (cls, params), parent = steps[i], parents[i]
        if issubclass(cls, part):
            child = record(updated, (parent, child), params, result=parent._data)
        elif issubclass(cls, permute):
            child = record(permute, (child,), (inverted(params[0]),))
        elif child._aval.size == parent._aval.size and issubclass(
            cls, (reshape, alias, broadcast_to)
        ):
            child = record(reshape, (child,), (parent._aval.shape,))
        elif issubclass(cls, real):
            child = record(from_parts, (child, parent.imag), result=parent._data)
        elif issubclass(cls, imag):
            child = record(from_parts, (parent.real, child), result=parent._data)
        elif issubclass(cls, view_as_real):
            child = record(view_as_complex, (child,), result=parent._data)
        elif issubclass(cls, view_as_complex):
            child = record(view_as_real, (child,), result=parent._data)
        else:
            child = _put_back(parent, child, [steps[i]])
    return child


def _put_back(parent: Any, child: Any, steps: Sequence[Step]) -> Any:
    """Return `parent`, out of place, with `child` where the steps lead to, by position."""
    shape, size = parent._aval.shape, parent._aval.size
    places = wrap(np.arange(size).reshape(shape))
    for cls, params in steps:
        places = record(cls, (places,), params)
    flat = record(reshape, (parent,), ((size,),))
    child = record(reshape, (child,), ((child._aval.size,),))
    put = (flat, child, wrap(places._data.reshape(-1)))
    written = record(index_put, put, ((True,), (0,), False), result=flat._data)
    return record(reshape, (written,), (shape,), result=parent._data)
