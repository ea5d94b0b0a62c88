"""The named results of functions that return several, which print as PyTorch's."""

from __future__ import annotations

from typing import Any, Generic, NamedTuple, TypeVar

__all__ = [
    "aminmax", "cummax", "cummin", "kthvalue", "max", "median", "min", "nanmedian", "sort", "topk",
]  # fmt: skip


T = TypeVar("T")


def _text(result: Any) -> str:
    fields = ",\n".join(f"{n}={v!r}" for n, v in zip(result._fields, result, strict=True))
    return f"torch.return_types.{type(result).__name__}(\n{fields})"


class _Located(NamedTuple, Generic[T]):
    values: T
    indices: T


class max(_Located[T]):
    """Values and indices of `symgrad.max` along an axis."""

    __slots__ = ()
    __repr__ = _text


class min(_Located[T]):
    """Values and indices of `symgrad.min` along an axis."""

    __slots__ = ()
    __repr__ = _text


class median(_Located[T]):
    """Values and indices of `symgrad.median` along an axis."""

    __slots__ = ()
    __repr__ = _text


class nanmedian(_Located[T]):
    """Values and indices of `symgrad.nanmedian` along an axis."""

    __slots__ = ()
    __repr__ = _text


class cummax(_Located[T]):
    """Values and indices of `symgrad.cummax`."""

    __slots__ = ()
    __repr__ = _text


class cummin(_Located[T]):
    """Values and indices of `symgrad.cummin`."""

    __slots__ = ()
    __repr__ = _text


class sort(_Located[T]):
    """Values and indices of `symgrad.sort`."""

    __slots__ = ()
    __repr__ = _text


class topk(_Located[T]):
    """Values and indices of `symgrad.topk`."""

    __slots__ = ()
    __repr__ = _text


class kthvalue(_Located[T]):
    """Values and indices of `symgrad.kthvalue`."""

    __slots__ = ()
    __repr__ = _text


class _Range(NamedTuple, Generic[T]):
    min: T
    max: T


class aminmax(_Range[T]):
    """The smallest and the largest element, of `symgrad.aminmax`."""

    __slots__ = ()
    __repr__ = _text
