"""Cases that follow from schemas: of each public function of tensors that has no case by hand.

A kind of argument has its sample, and each tensor is tried in several shapes, layouts and dtypes.
So a new operation has cases, which are recorded under its name, and by hand stand only values that
are awkward: edges, ties, tails.
"""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

import symgrad
from symgrad.ops.primitive import PRIMITIVES
from symgrad.schema.public import SCHEMAS
from symgrad.schema.text import Parameter, Schema
from tests.data.record_layouts import RECORDS as LAYOUTS

from .operations import operation
from .table import Arg, Case, Table, table

#: What stands for each kind of argument beside tensors.
SAMPLES: dict[str, Any] = {
    "Scalar": 0.75, "float": 0.75, "Real": 0.75, "int": 1, "bool": True, "int[]": (1, 1),
    "int[1]": (0,),
}  # fmt: skip

#: What is tried of each function: the arguments of `Arg`.
VARIANTS: dict[str, dict[str, Any]] = {
    "2x3": {"shape": (2, 3)},
    "0d": {"shape": ()},
    "0x3": {"shape": (0, 3)},
    "layoutT": {"shape": (3, 4), "layout": "T"},
    "layoutS": {"shape": (3, 4), "layout": "S"},
    "layoutE": {"shape": (3, 4), "layout": "E"},
    "constant": {"shape": (3,), "grad": False},
    "float32": {"shape": (5,), "dtype": "float32"},
    "complex128": {"shape": (2, 3), "dtype": "complex128"},
    "int64": {"shape": (4,), "dtype": "int64", "lo": 1, "hi": 3},
    "bool": {"shape": (4,), "dtype": "bool"},
}


def interval(name: str) -> tuple[float, float]:
    """Return between which numbers the samples of an operation lie, in which it is smooth."""
    for given in getattr(PRIMITIVES.get(name), "samples", ()):
        for x in given:
            if isinstance(x, np.ndarray) and x.dtype.kind == "f" and x.size:
                return float(x.min()), float(x.max())
    return 0.2, 0.9


def required(schema: Schema) -> list[Parameter] | None:
    """Return the arguments of the first overload of tensors, if there are samples of all kinds."""
    for overload in schema.overloads:
        found = [p for p in overload.parameters if not p.optional]
        tensors = [p for p in found if p.kind.startswith("Tensor")]
        if tensors and all(p in tensors or p.kind in SAMPLES for p in found):
            return found
    return None


def call(name: str, parameters: list[Parameter]) -> Callable[..., Any]:
    """Return a function of a library and of tensors that calls a public function with samples."""

    def called(t: Any, *tensors: Any) -> Any:
        given = iter(tensors)
        arguments = [
            [next(given), next(given)]
            if p.kind == "Tensor[]"
            else next(given)
            if p.kind.startswith("Tensor")
            else SAMPLES[p.kind]
            for p in parameters
        ]
        return operator.attrgetter(name)(t)(*arguments)

    return called


def add_cases(made: Table, name: str, parameters: list[Parameter]) -> None:
    last = name.rpartition(".")[2]
    lo, hi = interval(last)
    count = sum(1 + (p.kind == "Tensor[]") for p in parameters if p.kind.startswith("Tensor"))
    for variant, options in VARIANTS.items():
        given = {"lo": lo, "hi": hi} | options
        made(f"{last}-{variant}", call(name, parameters), *[Arg(**given) for _ in range(count)])


def without_cases(written: Iterable[Case]) -> Iterator[tuple[str, list[Parameter]]]:
    """Yield the public functions of tensors of which no case is about, and their arguments."""
    known = {operation(case.id) for case in written}
    for (name, method), schema in SCHEMAS.items():
        parameters = None if method or schema.python else required(schema)
        last = name.rpartition(".")[2]
        if parameters is None or last in known or last.endswith("_"):
            continue
        known_to_pytorch = name in LAYOUTS.names() and LAYOUTS[name] is not None
        drawn = inspect.unwrap(operator.attrgetter(name)(symgrad)).__module__.endswith(".draws")
        if known_to_pytorch and not drawn:
            known.add(last)  # a function of the same name in another module computes the same
            yield name, parameters


def cases(written: Iterable[Case]) -> list[Case]:
    """Return the cases that follow from schemas, beside those that are written."""
    made = table("schema", same_words=False)
    for name, parameters in without_cases(written):
        add_cases(made, name, parameters)
    return made.cases
