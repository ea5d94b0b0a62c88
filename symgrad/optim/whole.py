"""One step by a formula of whole arrays: each parameter has a formula of its shape."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Protocol

import numpy as np

from symgrad.expr.dtypes import dtype
from symgrad.optim.formula import Structure, lowered_whole
from symgrad.optim.stepping import check_fits, number_state, real_kind, refuse_batching
from symgrad.record.modes import recording
from symgrad.record.record import wrap
from symgrad.record.versions import clock
from symgrad.tensor.in_place.change import all_will_change

Shape = tuple[int, ...]


class WholeStepping(Protocol):
    """What such a step asks of an optimiser."""

    counts_steps: ClassVar[bool]
    param_groups: list[dict[str, Any]]
    state: Any

    def phase(self, group: dict[str, Any], t: float, first: bool) -> dict[str, Any]: ...
    def state_shapes(self, p: Any) -> dict[str, Shape]: ...
    def _structure(
        self, group: dict[str, Any], kind: dtype, phase: Mapping[str, Any]
    ) -> tuple[Structure, dict[str, float]]: ...


class WholeSteps:
    """The steps of an optimiser whose formula is one of whole arrays."""

    def take(self, optimizer: WholeStepping) -> None:
        """Change all parameters that have a gradient; nothing before all is checked."""
        refuse_batching()
        pairs = [
            (group, p)
            for group in optimizer.param_groups
            for p in group["params"]
            if p._grad is not None
        ]
        with recording(False):
            states = {p: _states(optimizer, p) for _, p in pairs}
        for group in optimizer.param_groups:
            optimizer.phase(group, 1.0, True)  # refuses settings
        for group, p in pairs:
            _change(optimizer, group, p, states[p])


def structure_of(
    optimizer: WholeStepping, group: dict[str, Any], p: Any, t: float
) -> tuple[Structure, dict[str, float]]:
    """Return what the formula of a parameter depends on, and the values of settings."""
    phase = optimizer.phase(group, t, t == 1)
    structure, numbers = optimizer._structure(group, real_kind(p), phase)
    shapes = optimizer.state_shapes(p)
    whole = (tuple(p._aval.shape), *shapes.values())
    return structure._replace(states=tuple(shapes), shapes=whole), {**numbers, "t": t}


def _states(optimizer: WholeStepping, p: Any) -> dict[str, Any]:
    """Return the states of a parameter, which are checked, and made if need be."""
    shapes = optimizer.state_shapes(p)
    own = dict(optimizer.state.get(p, {}))
    if optimizer.counts_steps and "step" not in own:
        own["step"] = number_state(0.0)
    for name, shape in shapes.items():
        if name not in own:
            own[name] = wrap(np.zeros(shape, p._data.dtype))
    arrays = [p._grad, *[own[name] for name in shapes]]
    check_fits(p, arrays, [p._aval.shape, *shapes.values()])
    return own


def _change(optimizer: WholeStepping, group: dict[str, Any], p: Any, own: dict[str, Any]) -> None:
    t = own["step"].item() + 1 if optimizer.counts_steps else float("inf")
    structure, numbers = structure_of(optimizer, group, p, t)
    arrays = {"p": p, "g": p._grad, **{name: own[name] for name in structure.states}}
    program = lowered_whole(structure)
    values = {name: x._data for name, x in arrays.items()}
    values |= {name: np.float64(x) for name, x in numbers.items()}
    found = program.executable.arrays([values[name] for name in program.given])
    optimizer.state[p].update(own)
    all_will_change([arrays[name] for name in program.found], clock())
    for name, value in zip(program.found, found, strict=True):
        arrays[name]._data[...] = value
    if optimizer.counts_steps:
        own["step"]._data.fill(t)
