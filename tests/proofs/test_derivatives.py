"""Derivatives, exactly: Hessians are symmetric, and both modes give one derivative."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings

import symgrad
from symgrad.differentiate.sweeps import jvp, vjp
from symgrad.expr.atoms import Leaf, as_expr
from symgrad.ops.primitive import PRIMITIVES
from tests.autograd.programs import RandomProgram, random_programs
from tests.autograd.support import tensor
from tests.each import each, in_part
from tests.proofs.test_number_systems import SAMPLES

_few = settings(max_examples=15)


def formula_of(program: RandomProgram) -> tuple[Any, list[Any]]:
    leaves = [tensor(a) for a in program.arrays()]
    return program.run(leaves).expr, [x.expr for x in leaves]


def both_modes(y: Any, wrt: list[Any]) -> tuple[Any, Any]:
    """The derivative along a direction, from reverse mode and from forward mode; None is zero."""
    directions = [Leaf(f"direction_{i}", x.shape, x.dtype) for i, x in enumerate(wrt)]
    ct = Leaf("ct", y.shape, y.dtype)
    parts = [
        (ct_x * t).sum()
        for ct_x, t in zip(vjp([y], [ct], wrt), directions, strict=True)
        if ct_x is not None
    ]
    (moved,) = jvp([y], wrt, directions)
    return sum(parts) if parts else None, None if moved is None else (ct * moved).sum()


@_few
@given(random_programs)
def test_both_modes_give_one_derivative_of_programs(program: RandomProgram) -> None:
    y, wrt = formula_of(program)
    reverse, forward = both_modes(y, wrt)
    if reverse is not None and forward is not None:
        assert symgrad.prove(reverse, forward).counterexample is None


def second_derivative(y: Any, wrt: list[Any]) -> tuple[Any, list[Any], list[Any]] | None:
    """The second derivative along two directions, with the directions; None is zero."""
    once, twice = [[Leaf(f"{n}_{i}", x.shape, x.dtype) for i, x in enumerate(wrt)] for n in "uv"]
    scalar = (Leaf("ct", y.shape, y.dtype) * y).sum()
    for directions in (once, twice):
        parts = [
            (ct_x * t).sum()
            for ct_x, t in zip(vjp([scalar], [as_expr(1.0)], wrt), directions, strict=True)
            if ct_x is not None
        ]
        if not parts:
            return None
        scalar = sum(parts[1:], parts[0])
    return scalar, once, twice


@_few
@given(random_programs)
def test_hessians_of_programs_are_symmetric(program: RandomProgram) -> None:
    found = second_derivative(*formula_of(program))
    if found is not None:
        value, once, twice = found
        exchanged = dict(zip([*once, *twice], [*twice, *once], strict=True))
        assert symgrad.prove(value, value.xreplace(exchanged)).counterexample is None


def is_differentiable(sample: Any) -> bool:
    _, e, _ = sample.values
    cls: Any = type(e)
    wrt = [x for x in e.leaves if x.dtype.differentiable]
    return bool(
        cls.__name__ in PRIMITIVES
        and cls.differentiable
        and e.dtype.differentiable
        and not e.missing_derivative()
        and wrt
        and not cls.underived
    )


@each(
    "name, e, values",
    in_part([s for s in SAMPLES if is_differentiable(s)], every=20, group=lambda name: ""),
)
def test_both_modes_give_one_derivative(name: str, e: Any, values: Any) -> None:
    """Nothing is refuted; what holds choices, integrals or decompositions may stay undecided.

    Places and masks are those of the sample: some operations hold for these alone.
    """
    known = {x: as_expr(values[x.name]) for x in e.leaves if not x.dtype.differentiable}
    e = e.xreplace(known)
    reverse, forward = both_modes(e, [x for x in e.leaves if x.dtype.differentiable])
    if reverse is not None and forward is not None:
        verdict = symgrad.prove(reverse, forward)
        assert verdict.counterexample is None, verdict
