"""Keys of values in tables, which are equal only if the values are the same in every respect.

The values themselves are no such keys: in a dict 1, 1.0 and True are one key, 0.0 and -0.0 as well,
and nan is equal to no key.
"""

from __future__ import annotations

from typing import Any

import numpy as np

_PLAIN = frozenset((int, bool, str, bytes, type(None), type(Ellipsis)))


def key_of(value: Any) -> Any:
    """Return the key of a number, a string, a dtype, an array, or of tuples and slices of these.

    The key of any other object is the object with its type.

    Examples
    --------
    >>> key_of((1, 0.0)) == key_of((True, 0.0)), key_of(0.0) == key_of(-0.0)
    (False, False)
    >>> key_of(float("nan")) == key_of(float("nan"))
    True
    """
    kind = type(value)
    if kind in _PLAIN:
        return kind, value
    if kind is tuple:
        return (tuple, *[key_of(v) for v in value])  # nested only as deep as an index is
    if kind is float:
        return float, value.hex()
    if kind is complex:
        return complex, value.real.hex(), value.imag.hex()
    if kind is slice:
        return slice, key_of(value.start), key_of(value.stop), key_of(value.step)
    if isinstance(value, (np.ndarray, np.generic)):
        return kind, value.dtype.str, np.shape(value), value.tobytes()
    return kind, value
