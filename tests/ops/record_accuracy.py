"""Compute the derivatives of every elementwise operation to many digits, and write them down.

The references are SymPy's derivatives of what an operation computes, evaluated by mpmath in more
and more digits until two results agree::

    python -m tests.ops.record_accuracy [erf "pow 2" ...]

A file for each operation has, for each of its cases, the points `x`, the derivatives `d`, a row
for each order, and their sensitivities `c`: by how much a derivative changes when its operands
change by one part, the sum of `|x * df/dx|`. A result cannot be held to less than that, times the
precision of the operands.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import mpmath
import numpy as np
import sympy

from tests.ops.accuracy import CASES, Case, points_of
from tests.recording import PerOperation

_DIGITS = (40, 90, 250, 900, 2600, 5200)


class _Functions:
    """The derivatives of one formula, as functions of mpmath numbers, made when asked for."""

    def __init__(self, f: Callable[..., Any], arity: int) -> None:
        self.symbols = sympy.symbols(f"x:{arity}", real=True)
        self.exprs = {(0,) * arity: sympy.sympify(f(*self.symbols))}
        self.calls: dict[tuple[int, ...], Callable[..., Any]] = {}

    def expr(self, order: tuple[int, ...]) -> Any:
        if order not in self.exprs:
            i = max(j for j, k in enumerate(order) if k)
            below = tuple(k - (j == i) for j, k in enumerate(order))
            self.exprs[order] = sympy.diff(self.expr(below), self.symbols[i])
        return self.exprs[order]

    def __call__(self, order: tuple[int, ...], point: tuple[float, ...]) -> Any:
        expr = self.expr(order)
        if expr == 0:
            return mpmath.mpf(0)
        if order not in self.calls:
            self.calls[order] = sympy.lambdify(self.symbols, expr, "mpmath", cse=True)
        return evaluated(self.calls[order], point)


def evaluated(call: Callable[..., Any], point: tuple[float, ...]) -> Any:
    """Return the value to 25 digits; 0 for what is below every float, nan for what is no number."""
    last = None
    for digits in _DIGITS:
        with mpmath.workdps(digits):
            try:
                value = mpmath.mpmathify(call(*map(mpmath.mpf, point)))
            except (ZeroDivisionError, ValueError):
                return mpmath.nan
            if isinstance(value, mpmath.mpc):
                if abs(value.imag) > abs(value.real) * mpmath.mpf(10) ** -30:
                    return mpmath.nan
                value = value.real
            if not mpmath.isfinite(value):
                return value
            if last is not None:
                if value != 0 and abs(value - last) <= abs(value) * mpmath.mpf(10) ** -25:
                    return value
                if 0 < max(abs(value), abs(last)) < mpmath.mpf(10) ** -400:
                    return mpmath.mpf(0)
            last = value
    if last == 0:  # terms that are the same to thousands of digits
        return last
    raise ArithmeticError(f"no agreement at {point}: {last}")


def rounded(value: Any) -> float:
    """Return the nearest float, infinite beyond the largest."""
    if mpmath.isnan(value):
        return float("nan")
    with mpmath.workdps(40):
        if abs(value) > mpmath.mpf(2) ** 1030:
            return float("inf") if value > 0 else float("-inf")
        return float(value)


def _short(value: float) -> float:
    """Keep eight bits, upwards: a bound needs no more, and they compress."""
    if value == 0 or not np.isfinite(value):
        return value
    m, e = np.frexp(value)
    return float(np.ldexp(np.ceil(m * 256) / 256, e)) if e < 1024 else value


class _Arrays(PerOperation):
    """Records that are arrays by their names."""

    suffix = ".npz"

    def load(self, operation: str) -> dict[str, dict[str, Any]]:
        found: dict[str, dict[str, Any]] = {}
        if self.path(operation).exists():
            with np.load(self.path(operation)) as file:
                for key in file:
                    name, _, part = key.rpartition("|")
                    found.setdefault(name, {})[part] = file[key]
        return found

    def write(self, operation: str, records: Mapping[str, Mapping[str, Any]]) -> None:
        """Write what there is of an operation, in the order of its cases."""
        arrays = {
            f"{name}|{part}": array
            for name in self.operations()[operation]
            for part, array in records.get(name, {}).items()
        }
        self.folder.mkdir(parents=True, exist_ok=True)
        np.savez_compressed(self.path(operation), **arrays)


#: The points, derivatives and sensitivities of each case.
RECORDS = _Arrays(
    Path(__file__).parent / "data" / "accuracy", lambda name: CASES[name].operation, lambda: CASES
)


def results(case: Case, points: list[tuple[float, ...]]) -> dict[str, Any]:
    """Return the derivatives and their sensitivity, a row for each order."""
    made: dict[Any, _Functions] = {}
    out: dict[str, list[Any]] = {"d": [], "c": []}
    formulas = []
    for p in points:
        f = case.formula(p)
        probe = sympy.symbols(f"x:{case.arity}", real=True)
        key = sympy.srepr(sympy.sympify(f(*probe)))
        formulas.append(made.setdefault(key, _Functions(f, case.arity)))
    for order in case.orders():
        values, conditions = [], []
        for f, p in zip(formulas, points, strict=True):
            values.append(rounded(f(order, p)))
            total = mpmath.mpf(0)
            for i, x in enumerate(p):
                if x != 0:
                    above = tuple(k + (j == i) for j, k in enumerate(order))
                    total += abs(x * f(above, p))
            conditions.append(_short(rounded(total)))
        out["d"].append(values)
        out["c"].append(conditions)
    return {"x": np.array(points), **{part: np.array(rows) for part, rows in out.items()}}


def main(chosen: list[str]) -> None:
    """Record the cases, or operations, that are named, all of them without names."""
    for operation, names in RECORDS.operations().items():
        found = RECORDS.load(operation)
        for name in names:
            if not chosen or {name, operation} & {*chosen}:
                print(name, CASES[name].orders()[-1], flush=True)
                found[name] = results(CASES[name], points_of(name))
                RECORDS.write(operation, found)
    for path in {*RECORDS.paths()} - {*map(RECORDS.path, RECORDS.operations())}:
        path.unlink()


if __name__ == "__main__":
    main(sys.argv[1:])
