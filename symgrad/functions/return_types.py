"""The classes of results with names, which follow from the schemas of the functions."""

from __future__ import annotations

from typing import Any

from symgrad.schema.results import RESULTS


def __getattr__(name: str) -> Any:
    if name not in RESULTS:
        raise AttributeError(f"no function {name!r} names its results")
    return globals().setdefault(name, RESULTS[name])
