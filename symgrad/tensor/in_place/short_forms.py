"""Short forms of changes in place under record, for elementwise operations of NumPy's.

The operation computes straight into the memory of the tensor, where the general form
(`symgrad.tensor.in_place.change.modify`) computes a result and copies it there. What is saved of the
memory is copied before. The general form serves all that a short form does not know: modes, views,
other classes of operands, and every first call on operands of a kind, with its errors.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from symgrad.ops.elementwise import Elementwise
from symgrad.record.modes import everywhere, state
from symgrad.record.record import result_class
from symgrad.record.short_forms import is_usual, key_with_number, signature_with_number
from symgrad.record.signature import Signature
from symgrad.record.signatures import short_signature, signatures
from symgrad.record.tape import Node, Number
from symgrad.record.versions import clock
from symgrad.record.views import outdate
from symgrad.support.quiet import quietly
from symgrad.tensor.in_place.bases import Writes, writes_of
from symgrad.tensor.in_place.change import replace_vertex

_ndarray = np.ndarray


def unary(cls: type[Elementwise], general: Callable[..., Any], label: str) -> Callable[..., Any]:
    """Return the short form of a change by an operation of one operand.

    Parameters
    ----------
    cls : type
        The operation.
    general : callable
        The method in place.
    label : str
        The call, as later errors name it.
    """
    table, tensor = signatures(cls), result_class()
    local, common = state, everywhere

    def method(self: Any, /, *args: Any, **kwargs: Any) -> Any:
        if local.state.special or common or args or kwargs or self.__class__ is not tensor:
            return general(self, *args, **kwargs)
        vertex = _changeable(self)
        if vertex is None or not self._rg:
            return general(self)
        sig = table.get((self._aval, True))
        if sig is None or not _writes_itself(self, sig):
            return general(self)
        writes = None
        if self._base is not None:
            writes = _writes(self, sig)
            if writes is None:
                return general(self)
        change_in_place(self, sig, writes, (vertex,), (), label)
        return self

    return method


def binary(cls: type[Elementwise], general: Callable[..., Any], label: str) -> Callable[..., Any]:
    """Return the short form of a change by an operation of two operands, as `unary` does of one."""
    table, tensor = signatures(cls), result_class()
    local, common, usual = state, everywhere, is_usual(cls)

    def method(self: Any, /, *args: Any, **kwargs: Any) -> Any:
        if local.state.special or common or kwargs or len(args) != 1:
            return general(self, *args, **kwargs)
        (other,) = args
        vertex = _changeable(self) if self.__class__ is tensor else None
        if vertex is None:
            return general(self, other)
        kind, rg = other.__class__, self._rg
        aval = self._aval
        if kind is tensor:
            needs = other._rg
            if not (rg or needs) or not (other is self or _is_apart(self._data, other._data)):
                return general(self, other)
            key: Any = (aval, other._aval, rg, needs)
        elif rg and usual and kind is float and not other.is_integer():
            key = aval, rg, kind, None, False  # an input of plans
        elif rg and (kind is float or kind is int) and _is_own_key(other):
            key = key_with_number(cls, aval, rg, other)
        else:
            return general(self, other)
        sig = table.get(key)
        if sig is None:
            result = general(self, other)
            if kind is tensor:
                short_signature(cls, key, key[:2], key[2:])
            else:
                signature_with_number(cls, key, other)
            return result
        if not _writes_itself(self, sig):
            return general(self, other)
        writes = None
        if self._base is not None:
            writes = _writes(self, sig)
            if writes is None:
                return general(self, other)
        inputs: tuple[Any, ...] = (vertex,)
        if kind is tensor:
            inputs, other = (vertex, other._vertex or other._leaf()), other._data
        elif sig.varies is not None:
            inputs = (vertex, Number(sig.varies, other))
        change_in_place(self, sig, writes, inputs, (other,), label)
        return self

    return method


def _changeable(x: Any) -> Any:
    """Return the vertex of a tensor that a short form may change; None for another.

    A change of a view has to have a place in the graph of its base, and not of a leaf.
    """
    data, vertex = x._data, x._vertex
    # Of empty memory nobody can tell whether it is shared.
    if data.__class__ is not _ndarray or not data.flags.writeable or x._aval.size == 0:
        return None
    base = x._base
    if base is not None:
        if x._restricted or x._required or base._reshapes or base._vertex.__class__ is not Node:
            return None
        vertex = vertex or x._leaf()  # that of a view may be outdated
    elif not x._rg:
        return vertex or x._leaf()
    return vertex if vertex.__class__ is Node else None


def _writes_itself(x: Any, sig: Signature) -> bool:
    """Return whether NumPy can write the result of an operation on `x` into the memory of `x`."""
    into = sig.into.__class__ is np.ufunc and sig.out is x._aval and sig.records
    return into and not sig.intermediates


def _writes(view: Any, sig: Signature) -> Writes | None:
    """Return the vertices that the base of a view gets by an operation on the view.

    Return None where the view would save the result, since the next view changes it, or where the
    base was never written so.
    """
    if sig.reads and sig.reads[-1] == len(sig.operands):
        return None
    return writes_of(view._base._aval, view._steps, view._aval)


def _is_apart(a: Any, b: Any) -> bool:
    """Return whether two arrays, the first of which is one, share no memory."""
    if b.__class__ is not _ndarray:
        return False
    return (a.base is None and b.base is None and a is not b) or not np.may_share_memory(a, b)


def _is_own_key(number: Any) -> bool:
    """Return whether a number is its own key, which 0.0 and -0.0 are not, and fits in a word."""
    return number != 0 and (number.__class__ is float or -(2**63) <= number < 2**63)


def change_in_place(
    x: Any,
    sig: Signature,
    writes: Writes | None,
    inputs: tuple[Any, ...],
    others: tuple[Any, ...],
    label: str,
) -> None:
    """Write the result of an operation on `x` and others into the memory of `x`, recorded.

    Parameters
    ----------
    x : Tensor
        What is changed.
    sig, inputs, others
        The operation, the vertices of its operands, and the values of those after `x`.
    writes : Writes or None
        The vertices that the base gets; None where `x` is no view.
    label : str
        The call, as later errors name it.
    """
    current, compute = state.state, sig.into
    assert compute is not None
    time = clock()  # before the operation itself, which reads the value as it is
    data, old, base = x._data, x._vertex, x._base
    operands = (data, *others)
    saved: Any = ()
    copied: Any = ()
    if sig.pick is not None:
        copied = [k for k in sig.reads if k < len(operands) and operands[k] is data]
        if copied:
            kept = np.array(data)
            operands = tuple([kept if v is data else v for v in operands])
        saved = sig.pick((*operands, data))
    vertex = Node(sig, inputs, saved, clock())
    if copied:
        vertex.copied = frozenset(copied)
    storage = inputs[0].storage or x._storage()
    if writes is None:
        base = x
    else:
        old = base._vertex
        vertex = writes.vertex(old, vertex)
    if old.extra is None:
        vertex.storage = storage
        base._vertex, base._rg = vertex, True
    else:
        replace_vertex(base, vertex, storage)
    # Before the write: an interrupt between the two leaves a count too many.
    storage.bump(time, vertex.sig.name)
    try:
        current.run(compute, *operands, data)
    except RuntimeError as error:
        # A finaliser or a signal handler may write while this thread's context is entered already.
        if "cannot enter context" not in str(error):
            raise
        quietly(compute, *operands, data)
    storage.by = label
    if base._views is not None:
        outdate(base)
