"""All families of public functions: functions enter their tables when they are defined."""

from __future__ import annotations

from symgrad.support.folders import import_all

# These four modules import this one: they make functions of the tables that families fill.
import_all(
    "symgrad.functions", besides=("elementwise", "in_place", "in_place_functions", "short_methods")
)
