"""Every case, of all families."""

from __future__ import annotations

from importlib import import_module

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
]

CASES: list[Case] = [
    case for name in MODULES for case in import_module(f".cases_{name}", __package__).CASES
]
assert not repeated_ids(CASES), repeated_ids(CASES)
