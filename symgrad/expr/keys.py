"""Keys by which tables find values: equal just where the values are the same in every respect.

Python takes 1, 1.0 and True for one key, and 0.0 and -0.0; nan for none; and a text of an array
leaves most of it out.
"""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["key_of"]

_PLAIN = frozenset((int, bool, str, bytes, type(None), type(Ellipsis)))


def key_of(value: Any) -> Any:
    """Return a key of a parameter: a number, text, a dtype, an array, tuples and slices of them.

    Anything else is its own key, beside its type.

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
