"""Facts that classes state of their operations, held to what the operations do.

What other facts say is held by laws of their own: layouts, rows, zeros, derivatives.
"""

from __future__ import annotations

import operator
import warnings
from typing import Any

import numpy as np
import pytest

import symgrad as torch
from numeric.interpret import interpret
from symgrad.lower.program import lower
from symgrad.ops.elementwise import Elementwise
from symgrad.ops.primitive import PRIMITIVES, Primitive, deriving
from symgrad.ops.results import Several
from symgrad.record.record import record
from symgrad.schema.public import BODIES, IN_PLACE, METHODS, SCHEMAS, SHARING
from symgrad.tensor.numpy_interop import counterparts_of_ufuncs
from tests.each import each

LIBRARY = {n: c for n, c in PRIMITIVES.items() if c.__module__.startswith("symgrad.")}


def operands_of(cls: type[Primitive], sample: tuple[Any, ...]) -> tuple[list[Any], tuple[Any, ...]]:
    split = len(sample) - len(cls.params)
    return list(sample[:split]), tuple(sample[split:])


def samples_of(classes: dict[str, type[Primitive]]) -> dict[str, tuple[type[Primitive], Any]]:
    return {f"{n}-{i}": (c, s) for n, c in classes.items() for i, s in enumerate(c.samples)}


def kernel_result(cls: type[Primitive], operands: list[Any], params: tuple[Any, ...]) -> Any:
    """Return what the kernel gives for these very arrays."""
    leaves = {
        torch.leaf(f"x{i}", x.shape, torch.from_numpy(np.empty(0, x.dtype)).dtype): x
        for i, x in enumerate(operands)
        if isinstance(x, np.ndarray)
    }
    given = iter(leaves)
    node = cls(*[next(given) if isinstance(x, np.ndarray) else x for x in operands], *params)
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return interpret(lower([node], list(leaves)), list(leaves.values()))[0]
