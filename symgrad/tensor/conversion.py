"""From Python data to arrays: PyTorch's inference of shape and dtype, and its errors.

The tensors themselves are made in `symgrad.functions.creation`.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from symgrad.expr.dtypes import (
    Category,
    default_dtype,
    dtype,
    float16,
    from_numpy_dtype,
    int64,
    number_as_tensor,
    promote,
    to_complex,
)
from symgrad.expr.dtypes import bool_ as bool_dtype
from symgrad.expr.node import ArrayExpr
from symgrad.record.record import Recorded
from symgrad.support.memory import borrowed, cloned
from symgrad.support.quiet import quietly
from symgrad.support.untraceable import UntraceableValue
from symgrad.tensor.dlpack import check_shareable, received

Array = np.ndarray[Any, Any]

_MAX_DIMS = 128
_PLAIN = frozenset((int, float, bool, complex))
_LOST_IMAGINARY = "Casting complex values to real discards the imaginary part"


def array_of(data: Any, kind: dtype | None = None, copy: bool = True) -> Array:
    """Return `data` as an array.

    Parameters
    ----------
    data : number, nested sequence, array or tensor
        What `symgrad.tensor.tensor` takes.
    kind : dtype, optional
        The element type; by default PyTorch's choice for the data.
    copy : bool
        Whether arrays and tensors are copied even where they fit.

    Raises
    ------
    ValueError, TypeError, RuntimeError
        As PyTorch, for ragged sequences, strings and what is no number.
    """
    if isinstance(data, Recorded):
        return _converted(data._data, kind, copy)
    if isinstance(data, np.ndarray):
        check_shareable(data)
        return _converted(data, kind, copy)
    if isinstance(data, ArrayExpr):
        raise UntraceableValue("a tensor is made of numbers, which a symbolic array does not have")
    if isinstance(data, (str, bytes)):
        raise TypeError(f"new(): invalid data type '{type(data).__name__}'")
    if hasattr(type(data), "__dlpack__"):
        return _converted(received(data), kind, copy)
    if type(data) in _PLAIN:
        if kind is None:
            kind = _kind_of(data)
        found: Array = quietly(np.array, _stored(data, kind), kind.numpy)
        return found
    shape = _shape_of(data)
    arrays: list[Array] = []
    flat = _flattened(data, shape, arrays)
    types = set(map(type, flat))
    if kind is None:
        kind = _kind_among_arrays(data) if arrays else _common_kind(flat, types)
    return _filled(flat, types, kind).reshape(shape)


def _converted(data: Array, kind: dtype | None, copy: bool) -> Array:
    target = data.dtype if kind is None else kind.numpy
    if data.dtype.kind == "c" and target.kind not in "cb":
        warnings.warn(_LOST_IMAGINARY, UserWarning, stacklevel=6)
        data = data.real
    same = data.dtype == target
    converted: Array = data if same else quietly(data.astype, target)
    if copy:
        return cloned(converted)
    return borrowed(data) if same else converted


# ------------------------------------------------------------------ shape


def _is_sequence(x: Any) -> bool:
    if isinstance(x, (list, tuple)):
        return True
    if isinstance(x, (dict, np.generic, type)) or type(x) in _PLAIN:
        return False
    if isinstance(x, np.ndarray):
        return x.ndim > 0
    return hasattr(x, "__getitem__") and hasattr(x, "__len__")


def _shape_of(data: Any) -> tuple[int, ...]:
    """Return the shape of nested sequences, read from the first element at each depth."""
    shape: list[int] = []
    x = data
    while not isinstance(x, (Recorded, ArrayExpr)) and _is_sequence(x):
        shape.append(len(x))
        if len(shape) > _MAX_DIMS:
            raise ValueError(f"too many dimensions '{type(x).__name__}'")
        if not shape[-1]:
            break
        x = x[0]
    return tuple(shape)


def _flattened(data: Any, shape: Sequence[int], arrays: list[Array]) -> list[Any]:
    """Return the elements in order; ValueError where the nesting is not that of `shape`.

    The arrays that stand for sequences are added to `arrays`: elements of them no longer tell their
    dtype.
    """
    level = [data]
    for dim, n in enumerate(shape):
        inner: list[Any] = []
        for x in level:
            if isinstance(x, Recorded):
                if x._aval.shape == ():
                    raise TypeError("not a sequence")
                if x._aval.size > 1:
                    raise ValueError("only one element tensors can be converted to Python scalars")
                if dim:  # a tensor of one element stands for that element
                    continue
            elif not _is_sequence(x):
                raise TypeError("not a sequence")
            if len(x) != n:
                raise ValueError(f"expected sequence of length {n} at dim {dim} (got {len(x)})")
            if isinstance(x, np.ndarray):
                arrays.append(x)
                x = x.tolist() if x.ndim == 1 else x
            inner.extend(x)
        level = inner
    return level


# ------------------------------------------------------------------ dtype


def _kind_of(x: Any) -> dtype:
    if isinstance(x, Recorded):
        return x._aval.dtype
    if isinstance(x, (np.generic, np.ndarray)):
        return from_numpy_dtype(x.dtype)
    if isinstance(x, bool):
        return bool_dtype
    if isinstance(x, float):
        return default_dtype()
    if isinstance(x, int):
        return int64
    if isinstance(x, complex):
        return to_complex(default_dtype())
    if isinstance(x, (str, bytes)):
        raise TypeError(f"new(): invalid data type '{type(x).__name__}'")
    raise RuntimeError(f"Could not infer dtype of {type(x).__name__}")


def _kind_among_arrays(data: Any) -> dtype:
    """Return the dtype of nested sequences with arrays, each of which counts by its own dtype."""
    kinds: list[dtype] = []
    rest = [data]
    while rest:
        x = rest.pop()
        if isinstance(x, (Recorded, np.ndarray)) or not _is_sequence(x):
            kinds.append(_kind_of(x))
        elif len(x):
            rest.extend(x)
        else:
            kinds.append(default_dtype())
    return _promoted(kinds)


def _promoted(kinds: Sequence[dtype]) -> dtype:
    kind = kinds[0]
    for other in kinds[1:]:
        kind = promote(kind, other)
    return kind


def _common_kind(flat: list[Any], types: set[type[Any]]) -> dtype:
    if not flat:
        return default_dtype()
    if types <= _PLAIN:
        kinds = [_kind_of(t()) for t in types]
    else:
        kinds = [
            _kind_of(x)
            for x in flat
            if isinstance(x, (Recorded, str, bytes)) or not _is_sequence(x)
        ]
        if not kinds:
            return int64
    return _promoted(kinds)


# ------------------------------------------------------------------ elements


def _filled(flat: list[Any], types: set[type[Any]], kind: dtype) -> Array:
    if types <= _PLAIN and (kind.category != Category.INT and complex not in types):
        try:
            found: Array = quietly(np.array, flat, kind.numpy)
            return found
        except OverflowError:  # an integer beyond 64 bits: element by element, for the message
            pass
    stored: Array = quietly(np.array, [_stored(x, kind) for x in flat], kind.numpy)
    return stored


def _stored(x: Any, kind: dtype) -> Any:
    """Return one element as a Python number that `kind` can hold."""
    if isinstance(x, Recorded):
        if x._aval.size != 1:
            raise ValueError("only one element tensors can be converted to Python scalars")
        tensor: Any = x
        real = not tensor._aval.dtype.is_complex
        x = float(tensor) if tensor._rg and real else tensor._data.item()
    elif isinstance(x, np.ndarray) and x.ndim == 0:
        x = x[()]
    category = kind.category
    if category == Category.COMPLEX:
        return complex(x)
    if category == Category.FLOAT:
        if isinstance(x, (complex, np.complexfloating)) or not hasattr(x, "__float__"):
            raise TypeError(f"must be real number, not {type(x).__name__}")
        try:
            return float(x)
        except TypeError:  # raised by a formula, or by a symbol of SymPy's
            raise TypeError(f"must be real number, not {type(x).__name__}") from None
    if category == Category.BOOL:
        if isinstance(x, (bool, np.bool_, int, float, complex)):
            return bool(x)
        return bool(_index(x))
    return stored_integer(x if isinstance(x, float) else _index(x), kind)


def _index(x: Any) -> int:
    if isinstance(x, (float, complex, np.inexact, np.bool_)) or not hasattr(x, "__index__"):
        name = type(x).__name__
        if isinstance(x, np.generic):
            name = f"numpy.{name}"
        raise TypeError(f"'{name}' object cannot be interpreted as an integer")
    return int(x)


def stored_integer(x: Any, kind: dtype) -> int:
    """Return a number as PyTorch stores one of Python's in an element of an integer dtype."""
    least, most = int(np.iinfo(kind.numpy).min), int(np.iinfo(kind.numpy).max)
    if not isinstance(x, float):
        check_long(x)
        if kind.name == "uint8":  # negative integers count from 256
            least = -most
    if not least <= x <= most:
        raise RuntimeError(f"value cannot be converted to type {kind.name} without overflow")
    return int(x) % 256 if kind.name == "uint8" else int(x)


def check_long(x: int) -> None:
    """Raise PyTorch's error for an integer of Python's that int64 cannot hold."""
    if not -(2**63) <= x < 2**63:
        raise ValueError("Overflow when unpacking long long")


def array_of_number(value: Any, kind: dtype) -> Array:
    """Return a number as an array without axes."""
    held = number_as_tensor(value, kind)
    if kind is not float16:
        return np.asarray(held, kind.numpy)
    found: Array = quietly(np.asarray, held, kind.numpy)
    return found
