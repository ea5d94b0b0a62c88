"""The transforms of formulas that rules of operations call; `symgrad.differentiate` states them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symgrad.support.above import FromAbove

vjp: FromAbove[Callable[..., list[Any]]] = FromAbove("symgrad.differentiate.sweeps")
jvp: FromAbove[Callable[..., list[Any]]] = FromAbove("symgrad.differentiate.sweeps")
assembled: FromAbove[Callable[..., Any]] = FromAbove("symgrad.ops.tiling")
batched_call: FromAbove[Callable[..., Any]] = FromAbove("symgrad.differentiate.batch")
slope: FromAbove[Callable[..., Any]] = FromAbove("symgrad.ops.slopes")
