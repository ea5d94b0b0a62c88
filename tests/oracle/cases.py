"""Every case, of all families."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module

from .departures import DEPARTURES
from .table import Case, repeated_ids

MODULES = [
    "elementwise",
    "arithmetic",
    "reduction",
    "contraction",
    "shape",
    "indexing",
    "dtype",
    "deliberate",
    "complex",
    "special",
    "ties",
]

CASES: list[Case] = [
    replace(case, **DEPARTURES.get(case.id, {}))
    for name in MODULES
    for case in import_module(f".cases_{name}", __package__).CASES
]
assert DEPARTURES.keys() <= {case.id for case in CASES}
assert not repeated_ids(CASES), repeated_ids(CASES)
