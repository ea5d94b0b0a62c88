"""The named results of functions that return several, which print as PyTorch's."""

from __future__ import annotations

from typing import Any, NamedTuple

__all__ = [
    "aminmax", "cummax", "cummin", "kthvalue", "max", "median", "min", "nanmedian", "sort", "topk",
]  # fmt: skip


def _text(result: Any) -> str:
    fields = ",\n".join(f"{n}={v!r}" for n, v in zip(result._fields, result, strict=True))
    return f"torch.return_types.{type(result).__name__}(\n{fields})"


class _Located(NamedTuple):
    values: Any
    indices: Any


class max(_Located):
    """Values and indices of `symgrad.max` along an axis."""

    __slots__ = ()
    __repr__ = _text


class min(_Located):
    """Values and indices of `symgrad.min` along an axis."""

    __slots__ = ()
    __repr__ = _text


class median(_Located):
    """Values and indices of `symgrad.median` along an axis."""

    __slots__ = ()
    __repr__ = _text


class nanmedian(_Located):
    """Values and indices of `symgrad.nanmedian` along an axis."""

    __slots__ = ()
    __repr__ = _text


class cummax(_Located):
    """Values and indices of `symgrad.cummax`."""

    __slots__ = ()
    __repr__ = _text


class cummin(_Located):
    """Values and indices of `symgrad.cummin`."""

    __slots__ = ()
    __repr__ = _text


class sort(_Located):
    """Values and indices of `symgrad.sort`."""

    __slots__ = ()
    __repr__ = _text


class topk(_Located):
    """Values and indices of `symgrad.topk`."""

    __slots__ = ()
    __repr__ = _text


class kthvalue(_Located):
    """Values and indices of `symgrad.kthvalue`."""

    __slots__ = ()
    __repr__ = _text


class _Range(NamedTuple):
    min: Any
    max: Any


class aminmax(_Range):
    """The smallest and the largest element, of `symgrad.aminmax`."""

    __slots__ = ()
    __repr__ = _text
