"""One step of an optimiser: its formula, run over all parameters that have a gradient.

Parameters of one dtype, and of one number of steps, are changed together. Nothing is changed before
all is checked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from operator import attrgetter, is_
from typing import Any, ClassVar, NamedTuple, Protocol

import numpy as np

from symgrad.expr.dtypes import default_dtype, dtype, float32, float64, to_real
from symgrad.lower.update import Update
from symgrad.optim.formula import Structure, lowered
from symgrad.optim.layout import Layout
from symgrad.record.dual_level import forward_mode
from symgrad.record.modes import recording, state
from symgrad.record.record import Recorded, wrap
from symgrad.record.versions import clock
from symgrad.tensor.in_place.allowed import check_modifiable
from symgrad.tensor.in_place.change import all_will_change

_data, _aval, _grad = attrgetter("_data"), attrgetter("_aval"), attrgetter("_grad")


class Stepping(Protocol):
    """What a step asks of an optimiser."""

    counts_steps: ClassVar[bool]
    param_groups: list[dict[str, Any]]
    state: Any

    def numbers(self, group: dict[str, Any]) -> dict[str, float]: ...
    def states(self, group: dict[str, Any]) -> dict[str, float]: ...
    def phase(self, group: dict[str, Any], t: float, first: bool) -> dict[str, Any]: ...
    def _settings_read(self) -> list[str]: ...
    def _first_states(self, group: dict[str, Any]) -> tuple[dict[str, float], dict[str, float]]: ...
    def _structure(
        self, group: dict[str, Any], kind: dtype, phase: Mapping[str, Any]
    ) -> tuple[Structure, dict[str, float]]: ...


class Member(NamedTuple):
    """A parameter that is changed, with its states; those that are `missing` are new."""

    parameter: Any
    states: list[Any]
    numbers: list[Any]
    missing: dict[str, Any]


class _Bucket:
    """Parameters that one program changes: what its numbers are is the same for all.

    Attributes
    ----------
    params, changed : list of Tensor
        The parameters, and all tensors with axes that are written.
    """

    def __init__(
        self, group: dict[str, Any], settings: list[str], key: Any, members: list[Member]
    ) -> None:
        self.group = group
        self.kind: dtype = key[0]
        self.first: bool = key[1]
        self.members = members
        self.params = [m.parameter for m in members]
        columns = list(zip(*[(m.parameter, *m.states) for m in members], strict=True))
        self.changed: list[Any] = list(chain.from_iterable(columns))
        self.arrays = list(map(_data, self.changed))
        self.avals = list(map(_aval, self.params))
        self.numbers = list(zip(*[[x._data for x in m.numbers] for m in members], strict=True))
        self.layout = Layout([list(map(_data, column)) for column in columns])
        self.settings = settings
        # With which settings and phase the formula was lowered.
        self.known: tuple[list[Any], dict[str, Any]] | None = None
        self.values: dict[str, float] = {}
        self.update: Update
        self.constants: Any = None
        self.counted: list[float] = []

    def is_as_before(self) -> bool:
        """Return whether the arrays are those of the last step, and the gradients fit them."""
        grads = list(map(_grad, self.params))
        if not all(map(is_, map(_data, self.changed), self.arrays)):
            return False
        try:
            return all(map(is_, map(_aval, grads), self.avals))
        except AttributeError:  # None, in the place of a gradient
            return False

    def prepare(self, optimizer: Stepping) -> bool:
        """Compute what depends on numbers alone; return False where they differ by now."""
        numbers: list[float] = []
        for column in self.numbers:
            found = {a.item() for a in column}
            if len(found) != 1:
                return False
            numbers += found
        counted = [numbers.pop(0) + 1] if optimizer.counts_steps else []
        t = counted[0] if counted else float("inf")
        phase = optimizer.phase(self.group, t, self.first)
        settings = list(map(self.group.get, self.settings))
        if self.known is None or settings != self.known[0] or phase != self.known[1]:
            structure, self.values = optimizer._structure(self.group, to_real(self.kind), phase)
            self.update = lowered(structure)
            self.constants = None
            # The value of a tensor may change while the setting stays the same object.
            fixed = not any(map(_has_tensor, settings))
            self.known = (settings, phase) if fixed else None
        if counted or self.constants is None:
            names = optimizer.numbers(self.group)
            self.values.update(zip(names, numbers, strict=True), t=t)
            self.constants = self.update.constants(self.values)
        self.counted = counted
        return True

    def write(self, own: Mapping[Any, dict[str, Any]]) -> None:
        """Change the parameters and their states."""
        if self.first:
            for member in self.members:
                if member.missing:
                    own[member.parameter].update(member.missing)
            self.first = False
        gradients = [p._grad._data for p in self.params]
        all_will_change(self.changed, clock())
        update, constants = self.update.write, self.constants
        found = self.layout.run(gradients, lambda arrays: update(arrays, constants))
        for column, value in zip(self.numbers, (*self.counted, *found), strict=True):
            for a in column:
                a.fill(value)


class Steps:
    """The steps of one optimiser, with what is known from the last one."""

    def __init__(self) -> None:
        self._buckets: list[_Bucket] = []
        self._seen: list[Any] = []

    def take(self, optimizer: Stepping) -> None:
        """Change all parameters that have a gradient."""
        refuse_batching()
        current = state.state
        run = current.run
        usual = not current.observed and forward_mode.level is None
        if usual and self._is_as_before(optimizer) and run(self._prepare, optimizer):
            run(self._write, optimizer)
            return
        waiting = [
            (group, _with_gradient(group["params"]))
            for group in optimizer.param_groups
            if not group.get("differentiable")
        ]
        self._buckets = []
        while any(params for _, params in waiting):
            with recording(False):
                self._buckets = [
                    bucket
                    for group, params in waiting
                    for bucket in _buckets(optimizer, group, dict.fromkeys(params))
                ]
            run(self._prepare, optimizer)
            run(self._write, optimizer)
            waiting = [(group, _repeated(params)) for group, params in waiting]
            if any(params for _, params in waiting):
                self._seen = []
        self._seen = _everything(optimizer)

    def _is_as_before(self, optimizer: Stepping) -> bool:
        seen = _everything(optimizer)
        return (
            len(seen) == len(self._seen)
            and all(map(is_, seen, self._seen))
            and all(bucket.is_as_before() for bucket in self._buckets)
        )

    def _prepare(self, optimizer: Stepping) -> bool:
        return all(bucket.prepare(optimizer) for bucket in self._buckets)

    def _write(self, optimizer: Stepping) -> None:
        for bucket in self._buckets:
            bucket.write(optimizer.state)


def refuse_batching() -> None:
    """Raise an error inside of `vmap`."""
    batching = state.state.batching
    if batching is not None:
        batching.refuse("an optimizer cannot step inside of vmap")


def _everything(optimizer: Stepping) -> list[Any]:
    """Return groups, parameters with a gradient and states: objects that stay in most steps."""
    groups, own = optimizer.param_groups, optimizer.state
    params = chain.from_iterable([group["params"] for group in groups])
    return [
        *groups,
        None,
        *_with_gradient(params),
        None,
        *own,
        *own.values(),
        *chain.from_iterable([found.values() for found in own.values()]),
    ]


def _with_gradient(params: Iterable[Any]) -> list[Any]:
    return [p for p in params if p._grad is not None]


def _repeated(params: list[Any]) -> list[Any]:
    """Return what is in a list again."""
    seen: set[Any] = set()
    return [p for p in params if p in seen or seen.add(p)]  # type: ignore[func-returns-value]


def _buckets(optimizer: Stepping, group: dict[str, Any], params: Iterable[Any]) -> list[_Bucket]:
    """Return the parameters of a group by what distinguishes their programs.

    Raises
    ------
    RuntimeError
        If a gradient or a state does not fit, or a parameter may not be changed.
    """
    found: dict[Any, list[Member]] = {}
    for member in members(optimizer, group, params):
        values = [x._data.item() for x in member.numbers]
        key = (member.parameter._aval.dtype, len(member.missing) > 0, *values)
        found.setdefault(key, []).append(member)
    settings = optimizer._settings_read()
    return [_Bucket(group, settings, key, members) for key, members in found.items()]


def members(optimizer: Stepping, group: dict[str, Any], params: Iterable[Any]) -> list[Member]:
    """Return parameters of a group with their states, which are checked, and made if need be."""
    numbers, arrays = optimizer._first_states(group)
    found = []
    for p in params:
        own = optimizer.state.get(p, {})
        missing = new_states(p, own, numbers, arrays)
        now = {**own, **missing}
        member = Member(p, [now[n] for n in arrays], [now[n] for n in numbers], missing)
        _check(member)
        found.append(member)
    return found


def _has_tensor(setting: Any) -> bool:
    return any(
        isinstance(x, Recorded)
        for x in (setting if isinstance(setting, (tuple, list)) else (setting,))
    )


def new_states(
    p: Any, own: Mapping[str, Any], numbers: Mapping[str, float], arrays: Mapping[str, float]
) -> dict[str, Any]:
    """Return the states that a parameter has not among its `own`."""
    found = {name: number_state(value) for name, value in numbers.items() if name not in own}
    found.update({name: _array(p, value) for name, value in arrays.items() if name not in own})
    return found


def number_states(own: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """Return the states that old dictionaries hold as numbers, as tensors."""
    return {n: number_state(own[n]) for n in names if n in own and not isinstance(own[n], Recorded)}


def number_state(value: float) -> Any:
    """Return a state that is a number, as a tensor."""
    return wrap(np.array(value, (float64 if default_dtype() is float64 else float32).numpy))


def _array(p: Any, value: float) -> Any:
    data = np.zeros_like(p._data)
    if value:
        data.fill(complex(value, value) if data.dtype.kind == "c" else value)
    return wrap(data)


def _check(member: Member) -> None:
    p = member.parameter
    shape = p._aval.shape
    check_fits(p, [p._grad, *member.states], [shape] * (1 + len(member.states)))


def check_fits(p: Any, arrays: Sequence[Any], shapes: Sequence[Any]) -> None:
    """Raise an error if a parameter may not be changed, or its gradient or a state does not fit.

    Parameters
    ----------
    p : Tensor
        The parameter.
    arrays : sequence of Tensor
        Its gradient, and its states.
    shapes : sequence of tuple
        Their shapes, as they should be.
    """
    check_modifiable(p)
    if forward_mode.level is not None and p._dual is not None:
        raise NotImplementedError("an optimizer has no forward derivative")
    for x, shape in zip(arrays, shapes, strict=True):
        if not isinstance(x, Recorded):
            raise TypeError(f"a state of a parameter must be a tensor, not {type(x).__name__}")
        if x._aval.shape != shape:
            raise RuntimeError(
                f"a parameter of shape {list(p._aval.shape)} has a gradient or a state of shape "
                f"{list(x._aval.shape)}"
            )
        if x._aval.dtype is not p._aval.dtype:
            raise RuntimeError(
                f"a parameter of dtype {p._aval.dtype.name} has a gradient or a state of dtype "
                f"{x._aval.dtype.name}"
            )
    for x in arrays[1:]:
        check_modifiable(x)


def real_kind(p: Any) -> dtype:
    """Return the dtype in which a parameter is changed: that of its parts where it is complex."""
    return to_real(p._aval.dtype)
