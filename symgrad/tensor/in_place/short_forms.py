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
from symgrad.record.aval import Aval
from symgrad.record.modes import everywhere, state
from symgrad.record.record import result_class
from symgrad.record.short_forms import key_with_number, signature_with_number
from symgrad.record.signature import Signature, signature, signatures
from symgrad.record.tape import Node, Number
from symgrad.record.versions import clock
from symgrad.record.views import outdate
from symgrad.support.quiet import quietly
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
        vertex = self._vertex
        if vertex.__class__ is Node and _is_whole(self):
            sig = table.get((self._aval, True))
            if sig is not None and _is_direct(sig, self._aval):
                change_in_place(self, sig, (vertex,), (), label)
                return self
        return general(self)

    return method


def binary(cls: type[Elementwise], general: Callable[..., Any], label: str) -> Callable[..., Any]:
    """Return the short form of a change by an operation of two operands, as `unary` does of one."""
    table, tensor = signatures(cls), result_class()
    local, common = state, everywhere

    def method(self: Any, /, *args: Any, **kwargs: Any) -> Any:
        if local.state.special or common or kwargs or len(args) != 1:
            return general(self, *args, **kwargs)
        (other,) = args
        kind, rg = other.__class__, self._rg
        if self.__class__ is not tensor or not _is_whole(self):
            return general(self, other)
        if rg and self._vertex.__class__ is not Node:
            return general(self, other)
        aval = self._aval
        if kind is tensor:
            needs = other._rg
            if not (rg or needs) or not (other is self or _is_apart(self._data, other._data)):
                return general(self, other)
            key: Any = (aval, other._aval, rg, needs)
        elif rg and (kind is float or kind is int) and _is_usual(other):
            key = key_with_number(cls, aval, rg, other)
        else:
            return general(self, other)
        sig = table.get(key)
        if sig is None:
            result = general(self, other)
            if kind is tensor:
                signature(cls, key, key[:2], (), key[2:])
            else:
                signature_with_number(cls, key, other)
            return result
        if not _is_direct(sig, aval):
            return general(self, other)
        vertex = self._vertex or self._leaf()
        if kind is tensor:
            change_in_place(
                self, sig, (vertex, other._vertex or other._leaf()), (other._data,), label
            )
        elif sig.varies is None:
            change_in_place(self, sig, (vertex,), (other,), label)
        else:
            change_in_place(self, sig, (vertex, Number(sig.varies, other)), (other,), label)
        return self

    return method


def _is_whole(x: Any) -> bool:
    """Return whether a tensor is no view and has elements that may be written."""
    data = x._data
    return (
        x._base is None
        and data.__class__ is _ndarray
        and data.flags.writeable
        and x._aval.size != 0  # of empty memory nobody can tell whether it is shared
    )


def _is_apart(a: Any, b: Any) -> bool:
    """Return whether two arrays, the first of which is one, share no memory."""
    if b.__class__ is not _ndarray:
        return False
    return (a.base is None and b.base is None and a is not b) or not np.may_share_memory(a, b)


def _is_usual(number: Any) -> bool:
    """Return whether a number is its own key, which 0.0 and -0.0 are not, and fits in a word."""
    return number != 0 and (number.__class__ is float or -(2**63) <= number < 2**63)


def _is_direct(sig: Signature, aval: Aval) -> bool:
    """Return whether NumPy may write the result into memory that it reads."""
    return (
        sig.out is aval and sig.records and sig.into.__class__ is np.ufunc and not sig.intermediates
    )


def change_in_place(
    x: Any, sig: Signature, inputs: tuple[Any, ...], others: tuple[Any, ...], label: str
) -> None:
    """Write the result of an operation on `x` and others into the memory of `x`, recorded."""
    current, compute = state.state, sig.into
    assert compute is not None
    time = clock()  # before the operation itself, which reads the value as it is
    data, old = x._data, inputs[0]
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
    storage = old.storage or x._storage()
    if old.extra is None:
        vertex.storage = storage
        x._vertex, x._rg = vertex, True
    else:
        replace_vertex(x, vertex, storage)
    # Before the write: an interrupt between the two leaves a count too many.
    storage.bump(time, sig.name)
    try:
        current.run(compute, *operands, data)
    except RuntimeError as error:
        # A finaliser or a signal handler may write while this thread's context is entered already.
        if "cannot enter context" not in str(error):
            raise
        quietly(compute, *operands, data)
    storage.by = label
    if x._views is not None:
        outdate(x)
