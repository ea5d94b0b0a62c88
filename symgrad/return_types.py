"""The classes of results with names, as in `torch.return_types`."""

from symgrad.functions.return_types import (
    aminmax,
    cummax,
    cummin,
    kthvalue,
    max,
    median,
    min,
    nanmedian,
    sort,
    topk,
)
from symgrad.support.homes import at_home

__all__ = [
    "aminmax", "cummax", "cummin", "kthvalue", "max", "median", "min", "nanmedian", "sort", "topk",
]  # fmt: skip

at_home(
    __name__, aminmax=aminmax, cummax=cummax, cummin=cummin, kthvalue=kthvalue, max=max,
    median=median, min=min, nanmedian=nanmedian, sort=sort, topk=topk,
)  # fmt: skip
