"""A truth value in the place of a number counts as 0 or 1, in values and in derivatives.

Found by enumeration: each place of each base call for which a schema asks for a number.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

import symgrad
from symgrad.schema.public import SCHEMAS
from tests.each import each, in_part

from .calls import Base, callables, caller, made
from .judge import restore
from .record import RECORDS
from .test_numpy_numbers import tried


def schema_of(path: str) -> Any:
    of, _, name = path.rpartition(".")
    return SCHEMAS.get((name, True) if of == "Tensor" else (path, False))


def is_operator(path: str) -> bool:
    """Whether a path is one of Python's operators with two operands, or more."""
    return path.endswith("__") and all(len(base["args"]) > 1 for base in RECORDS[path]["bases"])


def takes_number(path: str) -> bool:
    if is_operator(path):
        return path != "Tensor.__getitem__"  # where a truth value is a mask
    schema = schema_of(path)
    kinds = {p.kind.rstrip("?") for o in schema.overloads for p in o.parameters} if schema else {}
    return not {"Scalar", "Real", "float"}.isdisjoint(kinds)


def asks_for_number(path: str, base: Base, place: str) -> bool:
    """Whether an overload takes a number there, and none a flag."""
    if is_operator(path):
        return place == str(len(base[0]) - 1)
    kinds = set()
    for overload in schema_of(path).overloads:
        taken = [p for p in overload.parameters if not p.keyword_only]
        at = int(place) - path.startswith("Tensor.") if place.isdigit() else -1
        named = [p for p in overload.parameters if p.name == place]
        kinds |= {p.kind.rstrip("?") for p in (taken[at : at + 1] if at >= 0 else named)}
    return not kinds.isdisjoint({"Scalar", "Real", "float"}) and "bool" not in kinds


PATHS = [path for path in sorted(callables()) if takes_number(path)]


def is_float(x: Any) -> bool:
    return isinstance(x, symgrad.Tensor) and x.dtype.is_floating_point


def outcome(path: str, base: Base, place: str, number: Any) -> list[Any]:
    """Return the values of results, and first and second derivatives for the arguments."""
    restore()
    symgrad.manual_seed(0)
    args, kwargs = made(symgrad, base)
    leaves = []

    def moving(x: Any) -> Any:
        if not is_float(x):
            return x
        leaves.append(x.detach().requires_grad_())
        return leaves[-1] * 1  # which may be changed in place

    args = [moving(x) for x in args]
    kwargs = {key: x if key == "out" else moving(x) for key, x in kwargs.items()}
    if place.isdigit():
        args[int(place)] = number
    else:
        kwargs[place] = number
    call = caller(symgrad, path)
    assert call is not None
    result = call(*args, **kwargs)
    parts = list(result) if isinstance(result, (list, tuple)) else [result, *args]
    found = [x.detach().numpy() for x in parts if isinstance(x, symgrad.Tensor)]
    for _ in range(2):
        moved = [x for x in parts if is_float(x) and x.requires_grad]
        if not moved:
            break
        total = sum((x.double() * x.double()).sum() for x in moved)
        try:
            parts = list(
                symgrad.autograd.grad(total, leaves, create_graph=True, materialize_grads=True)
            )
        except RuntimeError as error:
            if "is not implemented" not in str(error):
                raise
            break
        found += [g.detach().numpy() for g in parts]
    return found


@each("path", in_part(PATHS, every=3, group=lambda path: ""))
def test_a_truth_value_is_a_number(path: str) -> None:
    count = 0
    for base, place, _ in tried(path):
        if not asks_for_number(path, base, place):
            continue
        count += 1
        for truth in (False, True):
            with warnings.catch_warnings(action="ignore"), np.errstate(all="ignore"):
                try:
                    expected = outcome(path, base, place, int(truth))
                except (ArithmeticError, NotImplementedError, RuntimeError, TypeError, ValueError):
                    continue  # refused for the number itself
                try:
                    got = outcome(path, base, place, truth)
                except RuntimeError as error:
                    if "bool" not in str(error).lower():  # refused by name, as in PyTorch
                        raise
                    continue
            for a, b in zip(got, expected, strict=True):
                label = f"{base} with {place} = {truth}"
                np.testing.assert_allclose(a, b, rtol=1e-12, err_msg=label)
    restore()
    assert count, "no base call takes a number: a sample is missing"
