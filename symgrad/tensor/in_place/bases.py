"""What a base becomes when a view of it is written: what was written, where the view looks.

Nothing is computed here, since the memory holds the value: the graph gets its node.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from symgrad.ops.broadcasting import broadcast_to
from symgrad.ops.complex_parts import imag, real
from symgrad.ops.complexes import from_parts, view_as_complex, view_as_real
from symgrad.ops.identity import alias
from symgrad.ops.indexing import index_put
from symgrad.ops.permuting import inverted, permute
from symgrad.ops.reshaping import reshape
from symgrad.ops.slicing import part, updated
from symgrad.record.aval import Aval
from symgrad.record.record import record, wrap
from symgrad.record.signature import COPY_SLICES, Signature, named
from symgrad.record.signatures import param_kinds, signatures
from symgrad.record.tape import Node
from symgrad.record.versions import clock
from symgrad.record.views import Step, Trail, steps_of
from symgrad.support.remembered import Remembered


class Writes(NamedTuple):
    """The operations of `written_base`, where they are views and what undoes these.

    Attributes
    ----------
    parents : tuple of Signature
        The views that lead from the base to what the last view is a view of.
    undoing : tuple of (Signature, bool)
        The operations that undo each view, from the last to the first, and whether an operation
        takes what the view is a view of, beside the value.
    """

    parents: tuple[Signature, ...]
    undoing: tuple[tuple[Signature, bool], ...]

    def vertex(self, old: Any, written: Node) -> Node:
        """Return the new vertex of a base from its old one and that of what a view becomes."""
        shown = [old]
        for sig in self.parents:
            shown.append(Node(sig, (shown[-1],), (), clock()))
        vertex = written
        for sig, takes_parent in self.undoing:
            parent = shown.pop()
            vertex = Node(sig, (parent, vertex) if takes_parent else (vertex,), (), clock())
        vertex.links = old, written
        return vertex


def writes_of(base: Aval, trail: Trail, view: Aval) -> Writes | None:
    """Return the operations by which a base becomes what it is when a view of it is written.

    Return None where there are others, or where `written_base` never applied them.
    """
    steps = steps_of(trail)
    key = base, *steps
    found = _writes.table().get(key) or _writes.recall(key)
    if found is None:
        found = _new_writes(base, steps, view)
        if found is not None:
            _writes.keep(key, found)
    return found


def _new_writes(base: Aval, steps: Sequence[Step], view: Aval) -> Writes | None:
    if not all(issubclass(cls, (part, permute, reshape, alias)) for cls, _ in steps):
        return None
    avals, parents = [base], []
    for cls, params in steps[:-1]:
        sig = signatures(cls).get((params, *param_kinds(params), avals[-1], True))
        if sig is None or not sig.records or sig.reads:
            return None
        parents.append(sig)
        avals.append(sig.out)
    avals.append(view)
    undoing = []
    for (cls, params), parent, child in reversed([*zip(steps, avals[:-1], avals[1:], strict=True)]):
        own: tuple[Any, ...] = (child, True)
        if issubclass(cls, part):
            undo: Any = updated
            own = (parent, True, *own)
        elif issubclass(cls, permute):
            undo, params = permute, (inverted(params[0]),)
        else:
            undo, params = reshape, (parent.shape,)
        sig = signatures(undo).get((params, *param_kinds(params), *own))
        if sig is None or sig.reads or sig.out is not parent:
            return None
        undoing.append((sig, undo is updated))
    undoing[-1] = named(undoing[-1][0], COPY_SLICES), undoing[-1][1]
    return Writes(tuple(parents), tuple(undoing))


# Those of 10,000 views.
_writes: Remembered[Writes] = Remembered(8 * 2**20, lambda found: 400 * len(found.undoing))


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
