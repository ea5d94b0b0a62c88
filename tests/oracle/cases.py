"""Every case, of all families."""

from __future__ import annotations

from importlib import import_module

from .table import Case, ids_are_unique

MODULES = ["elementwise", "arithmetic"]

CASES: list[Case] = [
    case for name in MODULES for case in import_module(f".cases_{name}", __package__).CASES
]
assert ids_are_unique(CASES)
