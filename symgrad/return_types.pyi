"""The classes of results with names, declared. Made by `python -m tools.stubs`."""

from typing import Generic, NamedTuple, TypeVar

_T = TypeVar("_T")

__all__ = [
    "aminmax",
    "aminmax_out",
    "cummax",
    "cummax_out",
    "cummin",
    "cummin_out",
    "kthvalue",
    "kthvalue_out",
    "max",
    "max_out",
    "median",
    "median_out",
    "min",
    "min_out",
    "sort",
    "sort_out",
    "topk",
    "topk_out",
]

class aminmax(NamedTuple, Generic[_T]):
    """What `symgrad.aminmax` returns: min and max."""

    min: _T
    max: _T

class aminmax_out(NamedTuple, Generic[_T]):
    """What `symgrad.aminmax` returns of its `out`: min and max."""

    min: _T
    max: _T

class cummax(NamedTuple, Generic[_T]):
    """What `symgrad.cummax` returns: values and indices."""

    values: _T
    indices: _T

class cummax_out(NamedTuple, Generic[_T]):
    """What `symgrad.cummax` returns of its `out`: values and indices."""

    values: _T
    indices: _T

class cummin(NamedTuple, Generic[_T]):
    """What `symgrad.cummin` returns: values and indices."""

    values: _T
    indices: _T

class cummin_out(NamedTuple, Generic[_T]):
    """What `symgrad.cummin` returns of its `out`: values and indices."""

    values: _T
    indices: _T

class kthvalue(NamedTuple, Generic[_T]):
    """What `symgrad.kthvalue` returns: values and indices."""

    values: _T
    indices: _T

class kthvalue_out(NamedTuple, Generic[_T]):
    """What `symgrad.kthvalue` returns of its `out`: values and indices."""

    values: _T
    indices: _T

class max(NamedTuple, Generic[_T]):
    """What `symgrad.max` returns: values and indices."""

    values: _T
    indices: _T

class max_out(NamedTuple, Generic[_T]):
    """What `symgrad.max` returns of its `out`: values and indices."""

    values: _T
    indices: _T

class median(NamedTuple, Generic[_T]):
    """What `symgrad.median` returns: values and indices."""

    values: _T
    indices: _T

class median_out(NamedTuple, Generic[_T]):
    """What `symgrad.median` returns of its `out`: values and indices."""

    values: _T
    indices: _T

class min(NamedTuple, Generic[_T]):
    """What `symgrad.min` returns: values and indices."""

    values: _T
    indices: _T

class min_out(NamedTuple, Generic[_T]):
    """What `symgrad.min` returns of its `out`: values and indices."""

    values: _T
    indices: _T

class sort(NamedTuple, Generic[_T]):
    """What `symgrad.sort` returns: values and indices."""

    values: _T
    indices: _T

class sort_out(NamedTuple, Generic[_T]):
    """What `symgrad.sort` returns of its `out`: values and indices."""

    values: _T
    indices: _T

class topk(NamedTuple, Generic[_T]):
    """What `symgrad.topk` returns: values and indices."""

    values: _T
    indices: _T

class topk_out(NamedTuple, Generic[_T]):
    """What `symgrad.topk` returns of its `out`: values and indices."""

    values: _T
    indices: _T
