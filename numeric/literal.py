"""Static values as Python source.

Everything that reaches generated code as a value passes through here, and only
the types listed here do: no object's own ``repr`` is ever trusted.
"""

import math
from collections.abc import Callable
from types import EllipsisType, NoneType
from typing import Any

import numpy as np

__all__ = ["array_literal", "is_literal", "literal", "subscript"]


def literal(value: Any) -> str:
    """Source of an expression that evaluates to ``value``.

    Exactly these types are spelled: None, Ellipsis, bool, int, float, complex,
    str, NumPy's boolean, integer, floating and complex scalars and their types
    and dtypes, and tuples and slices of all these. Signed zeros, infinities and
    nan survive. The names used are ``np``, ``complex`` and ``slice``.

    Raises
    ------
    TypeError
        For any other type, subclasses of these included.

    Examples
    --------
    >>> literal((1, slice(None, -1), float("-inf"), np.float32(0.1)))
    '(1, slice(None, -1, None), -np.inf, np.float32(0.1))'
    """
    spell = _SPELL.get(type(value))
    if spell is not None:
        return spell(value)
    parts: list[str] = []
    # A stack, not recursion: tuples nest as deep as their maker likes.
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
    """Whether :func:`literal` can spell ``value``."""
    try:
        literal(value)
    except TypeError:
        return False
    return True


def subscript(value: Any) -> str:
    """Source of ``value`` as it is written between square brackets.

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
    """Source of an expression that makes an array equal to ``value``.

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
    """Source of ``dtype`` for a ``dtype=`` argument, in its shortest form."""
    text = literal(dtype)
    return f"np.{dtype.type.__name__}" if dtype == np.dtype(dtype.type) else text


class _Text:
    """Finished source among values; of our own making, so no value can pose as it."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text


def _bracketed(opening: str, items: tuple[Any, ...], closing: str) -> list[Any]:
    """``items`` between commas and brackets, in the order of a stack."""
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
    spell = _SPELL.get(type(value))
    if spell is not None:
        return spell(value)
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
    # Decimal text of huge integers is quadratic, and refused past 4300 digits.
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
    """Source that ``type(value)`` turns into ``value``."""
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
    """The double of fewest digits that rounds to ``value``."""
    short = float(str(value))
    return short if type(value)(short) == value else float(value)


_NUMPY_TYPES = frozenset(t for t in np.sctypeDict.values() if issubclass(t, np.bool_ | np.number))

_SPELL: dict[type, Callable[[Any], str]] = {
    NoneType: repr,
    EllipsisType: lambda _: "...",
    bool: repr,
    int: _int,
    float: _float,
    complex: _complex,
    str: repr,
}
