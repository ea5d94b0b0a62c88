"""Values as Python source.

Every value in generated code is written here. Only the types that `literal` lists are written; the
``repr`` of other objects is never used, since it may be any text.
"""

import math
from collections.abc import Callable
from types import EllipsisType, NoneType
from typing import Any

import numpy as np


def literal(value: Any) -> str:
    """Return the source of an expression that evaluates to ``value``.

    The types that have a source are None, Ellipsis, bool, int, float, complex, str, NumPy's
    boolean, integer, floating and complex scalars and their types and dtypes, and tuples and slices
    of all these. The signs of zeros, infinities and nan are preserved. The source uses the names
    ``np``, ``complex`` and ``slice``.

    Raises
    ------
    TypeError
        For any other type, and for a subclass of one of these.

    Examples
    --------
    >>> literal((1, slice(None, -1), float("-inf"), np.float32(0.1)))
    '(1, slice(None, -1, None), -np.inf, np.float32(0.1))'
    """
    write = _WRITERS.get(type(value))
    if write is not None:
        return write(value)
    parts: list[str] = []
    # A stack in the place of recursion: tuples may be nested to any depth.
    pending: list[Any] = [value]
    while pending:
        item = pending.pop()
        kind = type(item)
        if kind is _Text:
            parts.append(item.text)
        elif kind is tuple:
            pending += _bracketed("(", item, ",)" if len(item) == 1 else ")")
        elif kind is slice:
            pending += _bracketed("slice(", (item.start, item.stop, item.step), ")")
        else:
            parts.append(_scalar(item))
    return "".join(parts)


def is_literal(value: Any) -> bool:
    """Return whether :func:`literal` has a source for ``value``."""
    try:
        literal(value)
    except TypeError:
        return False
    return True


def subscript(value: Any) -> str:
    """Return the source of ``value`` as an index, between square brackets.

    Examples
    --------
    >>> subscript((slice(1, None), 0, None, ...))
    '1:, 0, None, ...'
    """
    items = value if type(value) is tuple else (value,)
    if not items:
        return "()"
    return ", ".join(_slice(i) if type(i) is slice else literal(i) for i in items)


def array_literal(value: "np.ndarray[Any, Any]") -> str:
    """Return the source of an expression that makes an array equal to ``value``.

    Raises
    ------
    TypeError
        For a dtype that is not boolean, integer, floating or complex.
    """
    dtype = dtype_literal(value.dtype)
    if value.dtype.kind not in "biufc":
        raise TypeError(f"an array of dtype {value.dtype} cannot be spelled as source")
    if value.size == 0:
        return f"np.zeros({literal(value.shape)}, dtype={dtype})"
    items = [_element(item) for item in value.ravel()]
    for extent in reversed(value.shape):
        rows = range(0, len(items), extent)
        items = ["[" + ", ".join(items[i : i + extent]) + "]" for i in rows]
    return f"np.array({items[0]}, dtype={dtype})"


def dtype_literal(dtype: "np.dtype[Any]") -> str:
    """Return the shortest source of ``dtype`` as the argument ``dtype=``."""
    text = literal(dtype)
    return f"np.{dtype.type.__name__}" if dtype == np.dtype(dtype.type) else text


class _Text:
    """Source that stands among values; no value of a user has this class."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text


def _bracketed(opening: str, items: tuple[Any, ...], closing: str) -> list[Any]:
    """Return ``items`` with commas and brackets, the last one first, for a stack."""
    out: list[Any] = [_Text(closing)]
    for item in reversed(items):
        out += (item, _Text(", "))
    if items:
        out.pop()
    out.append(_Text(opening))
    return out


def _slice(value: slice) -> str:
    start, stop, step = (
        "" if x is None else literal(x) for x in (value.start, value.stop, value.step)
    )
    return f"{start}:{stop}:{step}" if step else f"{start}:{stop}"


def _scalar(value: Any) -> str:
    write = _WRITERS.get(type(value))
    if write is not None:
        return write(value)
    if type(value) in _NUMPY_TYPES:
        return _numpy_scalar(value)
    if isinstance(value, np.dtype) and (value.kind in "biufc" or value == np.dtype(object)):
        text = value.name if value.isnative else value.str
        # The sizes in these names depend on the platform.
        text = {"float128": "longdouble", "complex256": "clongdouble"}.get(text, text)
        return f"np.dtype({text!r})"
    if isinstance(value, type) and value in _NUMPY_TYPES:
        return f"np.{value.__name__}"
    raise TypeError(
        f"a value of type {type(value).__name__} cannot be spelled as source; parameters "
        "and constants are None, Ellipsis, bool, int, float, complex, str, NumPy numbers, "
        "dtypes, and tuples and slices of these"
    )


def _int(value: int) -> str:
    # Python takes quadratic time to write a huge integer in decimals, and refuses 4300 digits.
    return repr(value) if value.bit_length() <= 64 else hex(value)


def _float(value: float) -> str:
    if math.isfinite(value):
        return repr(value)
    sign = "-" if math.copysign(1.0, value) < 0 else ""
    return sign + ("np.nan" if math.isnan(value) else "np.inf")


def _complex(value: complex) -> str:
    real, imag = value.real, value.imag
    return f"complex({_float(real)}, {_float(imag)})"


def _numpy_scalar(value: Any) -> str:
    if isinstance(value, np.bool_):
        return "np.True_" if value else "np.False_"
    return f"np.{type(value).__name__}({_element(value)})"


def _element(value: Any) -> str:
    """Return the source of an argument of which ``type(value)`` makes ``value``."""
    if isinstance(value, np.longdouble) and np.finfo(np.longdouble).nmant > 52:
        return f"np.longdouble({str(value)!r})"
    if isinstance(value, np.clongdouble) and np.finfo(np.longdouble).nmant > 52:
        raise TypeError("a clongdouble cannot be spelled as source")
    if isinstance(value, np.floating):
        return _float(_shortest(value))
    if isinstance(value, np.complexfloating):
        return _complex(complex(_shortest(value.real), _shortest(value.imag)))
    return literal(value.item())


def _shortest(value: "np.floating[Any]") -> float:
    """Return the double with the fewest digits that rounds to ``value``."""
    short = float(str(value))
    return short if type(value)(short) == value else float(value)


_NUMPY_TYPES = frozenset(t for t in np.sctypeDict.values() if issubclass(t, np.bool_ | np.number))

_WRITERS: dict[type, Callable[[Any], str]] = {
    NoneType: repr,
    EllipsisType: lambda _: "...",
    bool: repr,
    int: _int,
    float: _float,
    complex: _complex,
    str: repr,
}
