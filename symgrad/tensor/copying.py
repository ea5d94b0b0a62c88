"""Copies of tensors: `copy.copy`, `copy.deepcopy` and pickling.

Tensors that share memory share it in what is copied or pickled together, too.
"""

from __future__ import annotations

import copy
import copyreg
from typing import Any

import numpy as np

from symgrad.record.record import Recorded, retyped, wrap
from symgrad.support.hooks import warn_if_has_hooks
from symgrad.support.memory import owner_of
from symgrad.tensor.subclassing import TensorType

Array = np.ndarray[Any, Any]

_DEEPCOPY = (
    "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at "
    "the moment.  If you were attempting to deepcopy a module, this may be because of a "
    "torch.nn.utils.weight_norm usage, see https://github.com/pytorch/pytorch/pull/103001"
)


def attributes_of(x: Any) -> dict[str, Any]:
    """Return the attributes that users have set on a tensor, with its name."""
    own, plain = Recorded.__annotations__, TensorType.plain
    found = {k: v for k, v in x.__dict__.items() if k not in own and not hasattr(plain, k)}
    if x._name:
        found["_name"] = x._name
    return found


def _state_of(x: Any) -> Any:
    """Return the state that the class defines by `__getstate__`, else attributes and slots."""
    if any("__getstate__" in vars(base) for base in type(x).__mro__[:-1]):
        return x.__getstate__()
    slots = {
        name: getattr(x, name)
        for name in copyreg._slotnames(type(x))  # type: ignore[attr-defined]
        if name not in Recorded.__slots__ and hasattr(x, name)
    }
    return (attributes_of(x), slots) if slots else attributes_of(x)


def _set_state(x: Any, state: Any) -> None:
    if hasattr(type(x), "__setstate__"):
        x.__setstate__(state)
        return
    attributes, slots = state if isinstance(state, tuple) else (state, {})
    x.__dict__.update(attributes)
    for name, value in slots.items():
        setattr(x, name, value)


# ------------------------------------------------------------------ memory


def memory_of(data: Array) -> Array:
    """Return the array that owns the memory of `data`; `data` where that array has gaps."""
    base = owner_of(data)
    # Only an array without gaps can be copied byte by byte.
    dense = base.flags.c_contiguous or base.flags.f_contiguous
    return base if dense and base.dtype.kind != "V" else data


def looking(memory: Array, offset: int, shape: Any, strides: Any, kind: Any) -> Array:
    """Return a view of a dense array that begins `offset` bytes after its start."""
    if not memory.size:
        return np.empty(shape, kind)
    flat = memory.ravel(order="K").view(np.uint8)
    out: Array = np.ndarray(shape, kind, flat, offset, strides)
    if any(n > 1 and not s for n, s in zip(shape, strides, strict=True)):
        out.flags.writeable = False  # as NumPy makes views whose elements share memory
    return out


def place_of(data: Array, memory: Array) -> tuple[Any, ...]:
    """Return the arguments with which `looking` makes `data` as a view of its memory."""
    start = memory.__array_interface__["data"][0]
    offset = data.__array_interface__["data"][0] - start
    return offset, data.shape, data.strides, data.dtype


# ------------------------------------------------------------------ the protocols


def deep_copy(x: Any, memo: dict[int, Any]) -> Any:
    """Return a leaf around a copy of the memory, with copies of gradient and attributes.

    Raises
    ------
    RuntimeError
        For the result of an operation.
    """
    found = memo.get(id(x))
    if found is not None:
        return found
    if x._node() is not None:
        raise RuntimeError(_DEEPCOPY)
    memory = memory_of(x._data)
    copied = memo.get(id(memory))
    if copied is None:
        memo[id(memory)] = copied = memory.copy(order="K")
        memo.setdefault(id(memo), []).append(memory)  # keep it alive, so that its id is not reused
    data = copied if memory is x._data else looking(copied, *place_of(x._data, memory))
    out = wrap(data)
    if type(x) is not TensorType.plain:
        out = retyped(out, type(x))
    memo[id(x)] = out
    out._rg = x._rg
    if x._grad is not None:
        out._grad = copy.deepcopy(x._grad, memo)
    _set_state(out, copy.deepcopy(_state_of(x), memo))
    return out


def reduced(x: Any) -> tuple[Any, ...]:
    """Return how a tensor is made again, as pickling asks: a leaf, without gradient and hooks."""
    warn_if_has_hooks(x)
    memory = memory_of(x._data)
    place = None if memory is x._data else place_of(x._data, memory)
    cls = None if type(x) is TensorType.plain else type(x)
    return _rebuild, (memory, place, x._rg, cls, _state_of(x))


def _rebuild(memory: Array, place: Any, requires_grad: bool, cls: Any, state: Any) -> Any:
    out = wrap(memory if place is None else looking(memory, *place))
    if cls is not None:
        out = retyped(out, cls)
    out._rg = requires_grad
    _set_state(out, state)
    return out
