"""Writing by index: `x[key] = value`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from symgrad.expr.dtypes import bool_
from symgrad.expr.node import refusal_of
from symgrad.ops.assignment import copied
from symgrad.ops.broadcasting import broadcast_to
from symgrad.ops.casting import cast
from symgrad.ops.operand_values import data_of
from symgrad.ops.primitive import Primitive
from symgrad.ops.reshaping import reshape
from symgrad.ops.slicing import basic_key, check_writable
from symgrad.record.dual_level import forward_mode
from symgrad.record.modes import state
from symgrad.record.record import Recorded, record, wrap
from symgrad.record.signature import COPY_SLICES, named
from symgrad.record.versions import clock
from symgrad.schema.kinds import type_name
from symgrad.support.memory import check_arrays, overlaps_itself
from symgrad.support.refusals import warn
from symgrad.tensor.conversion import array_of_number, check_long
from symgrad.tensor.in_place.allowed import check_modifiable, check_recordable, check_separate
from symgrad.tensor.in_place.change import adopt, modify, will_change
from symgrad.tensor.subscripts import (
    Subscript,
    check_conversion,
    check_value,
    counted,
    fitted,
    read_by_index,
    resolve,
    view_of,
    written,
)

# What a message calls `x[index] = value`.
_ASSIGNMENT = "an assignment to elements of it"


def set_item(self: Any, index: Any, value: Any) -> None:
    """Write a number or a tensor into the elements that `index` selects.

    Raises
    ------
    IndexError
        If the index does not fit.
    TypeError
        For what is neither number nor tensor.
    RuntimeError
        If the shapes do not fit, or the tensor may not be changed.
    """
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, np.ndarray):
        value = wrap(value)
        if not value._aval.dtype.is_complex:
            value = _converted(self, value)
    allowed: Any = (Recorded, bool, int, float, complex)
    if not isinstance(value, allowed):
        scalar = self._aval.dtype.scalar_name
        raise refusal_of(value)(f"can't assign a {type_name(value)} to a torch.{scalar}Tensor")
    if not isinstance(value, Recorded):
        if isinstance(value, int):
            check_long(value)
        value = wrap(array_of_number(value, self._aval.dtype))
    if index is False:
        return
    if index is True:
        index = None
    found = resolve(index, self._aval.shape)
    current = state.state
    if current.enabled and self._rg and self._base is None and self._node() is None:
        part = _writes_a_view(self, found)
        raise RuntimeError(
            f"{'a view of ' if part else ''}a leaf Variable that requires grad is being used in an "
            "in-place operation."
        )
    if found.indices and value._aval.shape[:1] == (1,):
        value = _spread(value, found)
    if self._restricted and _writes_a_view(self, found):
        check_modifiable(view_of(self, found))
    if found.basic and not self._data.flags.writeable and overlaps_itself(self._data):
        if found.indices:
            set_item(view_of(self, found), _of_view(found, found.indices), value)
        else:
            _check_dtype(self, found, value)
            _write_through_a_view(view_of(self, found), found, value)
        return
    check_modifiable(self)
    time = clock()
    if current.batching is not None:
        _check_dtype(self, found, value)
        value = _converted(self, _spread(value, found))
        if current.batching.set_item(self, found, value, time):
            return
    place = _shown(self._data, found)
    if found.indices:
        check_separate(self, read_by_index(value, found))
    elif value._aval.shape and np.may_share_memory(self._data, value._data):
        check_arrays(place, value._data)
    _check_dtype(self, found, value)
    records = current.enabled and (self._rg or (value._rg and self._aval.dtype.differentiable))
    if not records and forward_mode.level is None:
        if value._aval.shape:
            check_value(value._aval, found)
        value = _converted(self, value)._data
        _write(self._data, place, found, value, lambda: will_change(self, time))
        self._storage().by = _ASSIGNMENT
        return
    if records and not self._rg:  # else it was checked above
        check_recordable(self, True)
    value = _spread(value, found)
    links = [(y._vertex or y._leaf()) if y._rg else None for y in (self, value)]
    value = _converted(self, value)
    result = written(self, found, value, _overwriting)
    if records:
        vertex = result._vertex
        vertex.rename(named(vertex.sig, _name_of_write(self, found, value)))
        vertex.links = links
    adopt(self, result, time)
    self._storage().by = _ASSIGNMENT
    _write(self._data, place, found, value._data)


# What answers are asked by, and where users find the operator.
set_item.__name__, set_item.__qualname__ = "__setitem__", "Tensor.__setitem__"
set_item.__module__ = "symgrad"


def _writes_a_view(x: Any, found: Subscript) -> bool:
    """Return whether PyTorch writes into a view of `x` for this key, and not into `x` itself."""
    return bool(found.basic) or found.expanded != x._aval.shape


def _overwriting(cls: type[Primitive], operands: Any, params: tuple[Any, ...]) -> Any:
    """Record an operation whose result will be written over its first operand."""
    return record(cls, operands, params, result=operands[0]._data)


def _write_through_a_view(place: Any, found: Subscript, value: Any) -> None:
    """Write to a row of an expanded tensor, whose elements may lie apart though rows do not."""
    if isinstance(value, Recorded):
        value = _spread(value, found)
    modify(place, "copy", lambda: record(copied, (place, value)))


def _check_dtype(x: Any, found: Subscript, value: Any) -> None:
    """Raise PyTorch's error where a value of another dtype is not converted, or warn."""
    kind = x._aval.dtype
    if value._aval.dtype is kind:
        return
    if found.indices:
        check_value(value._aval, found)
        check_conversion(x._aval, value._aval, found)
    elif value._aval.dtype.is_complex and not kind.is_complex and kind is not bool_:
        warn("Casting complex values to real discards the imaginary part")


def _converted(x: Any, value: Any) -> Any:
    """Return a value in the dtype of `x`."""
    same = value._aval.dtype is x._aval.dtype
    return value if same else record(cast, (value,), (x._aval.dtype,))


def _spread(value: Any, found: Subscript) -> Any:
    """Return a value as PyTorch writes it: without leading ones, expanded for a key of slices."""
    own, shape = value._aval.shape, found.expanded
    if found.indices:
        lead = next((i for i, n in enumerate(own) if n != 1), len(own))
        return record(reshape, (value,), (own[lead:],)) if lead else value
    if not own or own == shape:
        return value
    check_writable(value._aval, shape)
    value = fitted(value, shape)
    return value if value._aval.shape == shape else record(broadcast_to, (value,), (shape,))


def _name_of_write(x: Any, found: Subscript, value: Any) -> str:
    """Return PyTorch's name for `x[key] = value`: what it writes into is `x` itself, or a view."""
    if _writes_a_view(x, found):
        return COPY_SLICES
    if found.indices:
        return "IndexPutBackward0"
    filled = not value._aval.shape and found.expanded
    return "FillBackward3" if filled else "torch::autograd::CopyBackwards"


def _shown(data: np.ndarray[Any, Any], found: Subscript) -> np.ndarray[Any, Any]:
    """Return what the basic part of a key shows of an array, in its memory."""
    shown: np.ndarray[Any, Any] = data[basic_key(found.basic, data.shape)]
    return shown.reshape(found.expanded)


def _write(
    data: np.ndarray[Any, Any],
    place: np.ndarray[Any, Any],
    found: Subscript,
    value: Any,
    before: Callable[[], None] = lambda: None,
) -> None:
    """Write values into `place`, which is the part of `data` that a key shows.

    Just `before` the write it is noted, where it is not yet.
    """
    if not found.indices:
        fitting = value.shape[max(0, value.ndim - place.ndim) :]
        value = value.reshape(fitting)
        before()
        np.copyto(place, value, casting="unsafe")
        return
    key = _of_view(found, [data_of(i) for i in counted(found.indices)[0]])
    before()
    place[key] = value


def _of_view(found: Subscript, indices: Iterable[Any]) -> tuple[Any, ...]:
    """Return arrays of indices as the key of what the basic part of their key shows."""
    given = iter(indices)
    return tuple([next(given) if taken else slice(None) for taken in found.spec])
