"""Formulas at a point in many digits, and differences of them in as many."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Any

import mpmath
import numpy as np

from numeric.program import Program
from symgrad.expr.atoms import Leaf
from symgrad.expr.node import ArrayExpr
from symgrad.lower.evaluate import of_leaves
from symgrad.support.quiet import quietly

#: Values of leaves: arrays of floats, or of numbers of mpmath.
Point = Mapping[Leaf, Any]
#: The decimal digits in which formulas are computed.
DIGITS = 50
#: The step of a difference has so many zeros.
STEP = 12
#: The most operations on numbers that are computed so for one formula.
_MOST_OPERATIONS = 2_000_000


class NotExact(Exception):  # noqa: N818 - it says what a formula is not
    """A formula cannot be computed in many digits; the message says why."""


def values_of(es: Sequence[ArrayExpr], point: Point, digits: int = DIGITS) -> list[Any]:
    """Return the values of formulas at a point, as arrays of numbers of mpmath.

    Raises
    ------
    NotExact
        If an operation has no such values, or there are too many numbers.
    """
    executable = of_leaves(es)
    program = executable.program
    made = [t.shape for instr in program.instrs for t in instr.types if t.shape is not None]
    sizes = sum(map(math.prod, made))
    if sizes > _MOST_OPERATIONS:
        raise NotExact(f"{sizes} numbers are too many to compute in {digits} digits")
    named = {x.name: v for x, v in point.items()}
    with mpmath.workdps(digits):
        try:
            found = quietly(_run, program, [named[name] for _, name in program.inputs])
        except Exception as error:  # a kernel that reads floats fails in its own way
            raise NotExact(f"{type(error).__name__}: {error}") from error
        outputs = [None if at is None else found[at[0]] for at in executable.outputs]
        return [_numbers(x) for x in outputs]


def _run(program: Program, values: Sequence[Any]) -> list[Any]:
    """Run a program on numbers of mpmath in place of floats; whole numbers and truths stay."""
    env = {slot: _exact(x) for slot, x in program.constants.items()}
    env.update(zip([slot for slot, _ in program.inputs], map(_exact, values), strict=True))
    for instr in program.instrs:
        operands = [env[slot] for slot in instr.operands]
        of_floats = any(x.dtype == object for x in operands)
        systems = instr.kernel.number_systems if of_floats else {}
        made = systems.get("mpmath", instr.kernel.call)(*operands, **instr.params)
        results = made if isinstance(instr.out, tuple) else (made,)
        for slot, x, known in zip(instr.outs, results, instr.types, strict=True):
            is_truth = known.dtype is not None and known.dtype.kind == "b"
            env[slot] = np.asarray(x).astype(bool) if is_truth else _exact(x)
    return [env[slot] for slot in program.outputs]


def _exact(value: Any) -> Any:
    array = value if isinstance(value, np.ndarray) else np.asarray(value, _dtype_of(value))
    if array.dtype == object or array.dtype.kind not in "f":
        return array
    made = np.empty(array.shape, object)
    made[...] = np.frompyfunc(lambda x: mpmath.mpf(float(x)), 1, 1)(array)
    return made


def _dtype_of(value: Any) -> Any:
    return None if isinstance(value, (bool, int, float, np.generic)) else object


def _numbers(array: Any) -> Any:
    """Return an array of which each element is a number of mpmath."""
    return np.asarray(np.frompyfunc(_number, 1, 1)(np.asarray(array, object)), object)


def _number(x: Any) -> Any:
    if isinstance(x, (np.generic, bool)):
        x = x.item() if isinstance(x, np.generic) else int(x)
    try:
        return mpmath.mpmathify(x)
    except TypeError:
        raise NotExact(f"{type(x).__name__} is no number of mpmath") from None


def difference(scalar: ArrayExpr, point: Point, along: Sequence[Point]) -> Any:
    """Return a derivative of a number along directions, by a central difference of many digits.

    Parameters
    ----------
    scalar : ArrayExpr
        A formula of one number.
    point : mapping
        Where it is differentiated.
    along : sequence of mapping
        The directions, by leaves; the derivative has as many orders.

    Returns
    -------
    mpmath.mpf
        The derivative, but for about twice `STEP` digits behind the first one.

    Raises
    ------
    NotExact
        As `values_of`.
    """
    digits = STEP * len(along) + 2 * STEP + 10
    with mpmath.workdps(digits):
        return _central(scalar, point, along, mpmath.mpf(10) ** -STEP, digits)


def _central(scalar: ArrayExpr, point: Point, along: Sequence[Point], h: Any, digits: int) -> Any:
    """Return the mixed central difference of the second order: all sums of steps of h and -h."""
    total = mpmath.mpf(0)
    for signs in itertools.product((1, -1), repeat=len(along)):
        moved = {x: _exact(v) for x, v in point.items()}
        for sign, direction in zip(signs, along, strict=True):
            for x, v in direction.items():
                moved[x] = moved[x] + sign * h * _exact(v)
        (value,) = values_of([scalar], moved, digits)
        total += math.prod(signs) * np.asarray(value, object).item()
    return total / (2 * h) ** len(along)
