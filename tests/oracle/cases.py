"""Every case, of all families: those that are written, and those that follow from schemas."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module

from . import cases_schema
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
    "linalg",
    "deliberate",
    "complex",
    "special",
    "ties",
    "fourier",
    "samples",
    "convolution",
    "pooling",
    "masked",
    "counting",
    "signals",
    "layers",
    "images",
    "sequences",
]

_WRITTEN: list[Case] = [
    case for name in MODULES for case in import_module(f".cases_{name}", __package__).CASES
]
CASES: list[Case] = [
    replace(case, **DEPARTURES.get(case.id, {}))
    for case in (*_WRITTEN, *cases_schema.cases(_WRITTEN))
]
assert DEPARTURES.keys() <= {case.id for case in CASES}
assert not repeated_ids(CASES), repeated_ids(CASES)
