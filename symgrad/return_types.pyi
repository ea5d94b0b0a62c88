"""The classes of results with names, declared. Made by `python -m tools.stubs`."""

from typing import Generic, NamedTuple, TypeVar

_T = TypeVar("_T")

__all__ = [
    "aminmax",
    "cummax",
    "cummin",
    "kthvalue",
    "max",
    "median",
    "min",
    "sort",
    "topk",
]

class aminmax(NamedTuple, Generic[_T]):
    """What `symgrad.aminmax` returns: min and max."""

    min: _T
    max: _T

class cummax(NamedTuple, Generic[_T]):
    """What `symgrad.cummax` returns: values and indices."""

    values: _T
    indices: _T

class cummin(NamedTuple, Generic[_T]):
    """What `symgrad.cummin` returns: values and indices."""

    values: _T
    indices: _T

class kthvalue(NamedTuple, Generic[_T]):
    """What `symgrad.kthvalue` returns: values and indices."""

    values: _T
    indices: _T

class max(NamedTuple, Generic[_T]):
    """What `symgrad.max` returns: values and indices."""

    values: _T
    indices: _T

class median(NamedTuple, Generic[_T]):
    """What `symgrad.median` returns: values and indices."""

    values: _T
    indices: _T

class min(NamedTuple, Generic[_T]):
    """What `symgrad.min` returns: values and indices."""

    values: _T
    indices: _T

class sort(NamedTuple, Generic[_T]):
    """What `symgrad.sort` returns: values and indices."""

    values: _T
    indices: _T

class topk(NamedTuple, Generic[_T]):
    """What `symgrad.topk` returns: values and indices."""

    values: _T
    indices: _T
