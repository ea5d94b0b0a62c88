"""A step that is recorded: derivatives pass through it, to gradients and settings that are tensors.

The formula runs on tensors, out of place, and parameters take their new values in place.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import SimpleNamespace
from typing import Any

import numpy as np

from symgrad.optim.formula import Rule, Settings
from symgrad.optim.settings import named
from symgrad.optim.stepping import Stepping, members
from symgrad.record.modes import recording
from symgrad.record.record import Recorded, wrap
from symgrad.schema.public import FUNCTIONS


def take(optimizer: Stepping, group: dict[str, Any], rule: Rule) -> None:
    """Change the parameters of a group, under record."""
    params = [p for p in group["params"] if p._grad is not None]
    with recording(False):
        found = members(optimizer, group, params)
    numbers = list(optimizer._first_states(group)[0])
    arrays = list(optimizer.states(group))
    with recording(True):
        for member in found:
            p, own = member.parameter, optimizer.state[member.parameter]
            first = len(member.missing) > 0
            own.update(member.missing)
            t = float("inf")
            if optimizer.counts_steps:
                t = own["step"].item() + 1
            phase = optimizer.phase(group, t, first)
            settings = Settings(**dict(_settings(group, optimizer._settings_read(), t)), **phase)
            given = {"p": p.clone(), "g": p._grad, **{n: own[n] for n in (*arrays, *numbers)}}
            is_complex = p._aval.dtype.is_complex
            if is_complex:
                real = FUNCTIONS["view_as_real"]
                given |= {n: real(given[n]) for n in ("p", "g", *arrays)}
            states = SimpleNamespace(**given)
            new = rule(given["p"], given["g"], states, settings)
            back = FUNCTIONS["view_as_complex"] if is_complex else _same
            for name in (*arrays, *numbers):
                value = getattr(states, name)
                if value is not given[name]:
                    own[name] = _as_state(back(value) if name in arrays else value, own[name])
            if optimizer.counts_steps:
                own["step"] = wrap(own["step"]._data + own["step"]._data.dtype.type(1))
            p.copy_(back(new))


def _same(x: Any) -> Any:
    return x


def _as_state(value: Any, old: Any) -> Any:
    if not isinstance(value, Recorded):
        return wrap(np.full(old._aval.shape, value, old._data.dtype))
    tensor: Any = value
    return tensor.to(old._aval.dtype)


def _settings(group: Mapping[str, Any], names: list[str], t: float) -> Iterator[tuple[str, Any]]:
    """Yield the settings: numbers other than zero as tensors, in double precision."""
    for name, x in (*named(group, names), ("t", t)):
        is_number = isinstance(x, (int, float)) and not isinstance(x, bool) and x != 0
        yield name, wrap(np.array(float(x))) if is_number else x
