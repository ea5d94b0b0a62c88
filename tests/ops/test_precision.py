"""A gradient has the precision of its dtype: no part of it is computed in a narrower one.

Found by enumeration of all operations on all of their samples, also below and above factors, counts
and means, which meet in rewrites. No program of a float64 gradient may hold a narrower number than
its operands, and a float32 gradient agrees with the float64 gradient at the same values.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from numeric.interpret import interpret
from symgrad.differentiate.sweeps import jvp, vjp, with_derivative_rewrites
from symgrad.expr.atoms import Const, Leaf
from symgrad.expr.dtypes import float32, float64
from symgrad.expr.graph import leaves, toposort
from symgrad.expr.node import ArrayExpr
from symgrad.lower.program import lower
from symgrad.ops.casting import cast
from symgrad.ops.primitive import Primitive
from symgrad.ops.results import Several
from symgrad.ops.strided import entries_strided
from tests.each import each, in_part
from tests.ops.late import written_again
from tests.ops.test_laws import SAMPLES, make

#: What is around an operation: of the operation on given operands, something to differentiate.
_AROUND: dict[str, Callable[[Any, Any], Any]] = {
    "plain": lambda apply, xs: apply(xs),
    "scaled": lambda apply, xs: (apply([2 * x for x in xs]) * 3).sum(),
    "mean": lambda apply, xs: apply([x / 3 for x in xs]).mean() / 7,
    "quotient": lambda apply, xs: 1 / (apply([-x for x in xs]) + 5).sum(),
    "amax": lambda apply, xs: apply(xs).reshape(-1).amax(0) * 2,
}


def _moving(cls: type[Primitive], args: Any, kind: Any) -> tuple[list[Any], list[int]]:
    """Return operands with leaves of a dtype for floating arrays, and the places of these."""
    split = len(args) - len(cls.params)
    operands: list[Any] = list(args[:split])
    places = [
        i
        for i, x in enumerate(operands)
        if isinstance(x, np.ndarray) and x.dtype.kind == "f" and i not in cls.underived
    ]
    for i in places:
        operands[i] = Leaf(f"x{i}", operands[i].shape, kind)
    return operands, places


def _gradients(cls: type[Primitive], args: Any, around: str, kind: Any) -> list[ArrayExpr]:
    """Return first and second derivatives; none where there is none in that dtype."""
    operands, places = _moving(cls, args, kind)
    params = args[len(args) - len(cls.params) :]

    def apply(xs: Any) -> Any:
        given = dict(zip(places, xs, strict=True))
        return cls(*[given.get(i, x) for i, x in enumerate(operands)], *params)

    moving = [operands[i] for i in places]
    try:
        made = _AROUND[around](apply, moving)
    except (RuntimeError, IndexError, AssertionError, NotImplementedError):
        return []
    if made.dtype is not kind:
        return []
    ones = Const(1, kind)
    try:
        first = vjp([made], [ones.broadcast_to(made.shape) if made.shape else ones], moving)
        found = [g for g in first if g is not None]
        pushed = jvp([made], moving, [Const(1, kind).broadcast_to(x.shape) for x in moving])
    except (RuntimeError, NotImplementedError):  # PyTorch has no derivative either
        return []
    found += [t for t in pushed if t is not None]
    try:
        again = [with_derivative_rewrites(lambda g=g: (g * g).sum())() for g in found]
        second = [vjp([e], [ones], moving) for e in again]
    except (RuntimeError, NotImplementedError):
        return found
    return found + [g for gs in second for g in gs if g is not None]


# What another dtype is asked of, and what reads memory that a broadcast operand has not.
_OTHER = (cast, written_again(cast), entries_strided)

_CASES = [
    pytest.param(cls, args, id=label)
    for label, (cls, args) in SAMPLES.items()
    if "complex" not in label and _moving(cls, args, float64)[1] and cls not in _OTHER
]


def test_there_are_cases() -> None:
    assert len({p.values[0] for p in _CASES}) > 150


@each("cls, args", in_part(_CASES, among=10))
def test_a_gradient_is_computed_in_the_dtype_of_its_operands(
    cls: type[Primitive], args: Any
) -> None:
    """No part is narrower, and in float32 it is what it is in float64."""
    for around in _AROUND:
        wide = _gradients(cls, args, around, float64)
        for g in wide:
            # What is made of Python numbers alone is computed in float64.
            narrow = [
                x
                for x in toposort([g])
                if x.dtype.is_floating_point and x.dtype.itemsize < 8 and not x.weak
            ]
            assert not narrow, f"{around}: {narrow} in {g}"
        if around in ("plain", "scaled"):
            _assert_the_same_in_float32(cls, args, around, wide)


def _assert_the_same_in_float32(
    cls: type[Primitive], args: Any, around: str, wide: list[ArrayExpr]
) -> None:
    values = {x.name: v for x, v in make(cls, args).generic().items()}
    narrow = _gradients(cls, args, around, float32)
    if narrow:  # else the sample has other float64 operands
        for g, h in zip(wide, narrow, strict=True):
            (found,), expected = (
                _values([h], values, np.float32),
                _values(
                    [x for x in toposort([g]) if not isinstance(x, Several)], values, np.float64
                ),
            )
            parts = [np.abs(x[np.isfinite(x)]).max(initial=0) for x in expected if x.size]
            np.testing.assert_allclose(
                found,
                expected[-1],
                rtol=1e-3,
                atol=1e-5 * max([1.0, *parts]),
                err_msg=f"{around}: {g}",
            )


def _values(es: list[ArrayExpr], values: dict[str, Any], kind: Any) -> list[np.ndarray[Any, Any]]:
    program = lower(es, {x: x.name for x in leaves(*es)})
    given = [values[name].astype(np.float32).astype(kind) for _, name in program.inputs]
    with np.errstate(all="ignore"):
        return [np.asarray(x) for x in interpret(program, given)]
