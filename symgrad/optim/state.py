"""The state of an optimiser as a dictionary, in PyTorch's form, and back."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from copy import deepcopy
from itertools import chain
from typing import Any

import numpy as np

from symgrad.record.record import Recorded, wrap


def packed(groups: list[dict[str, Any]], state: Mapping[Any, Any]) -> dict[str, Any]:
    """Return groups and states with numbers in the place of parameters."""
    number: dict[int, int] = {}
    packed_groups = []
    start = 0
    for group in groups:
        params = group["params"]
        for i, p in enumerate(params, start):
            number.setdefault(id(p), i)
        start += len(params)
        settings = {k: v for k, v in group.items() if k != "params"}
        packed_groups.append({**settings, "params": [number[id(p)] for p in params]})
    states = {number[id(k)] if isinstance(k, Recorded) else k: v for k, v in state.items()}
    return {"state": states, "param_groups": packed_groups}


def loaded(
    groups: list[dict[str, Any]], found: dict[str, Any]
) -> tuple[list[dict[str, Any]], defaultdict[Any, Any]]:
    """Return the groups and states of a dictionary, for the parameters of `groups`.

    Raises
    ------
    ValueError
        If the groups have other lengths.
    """
    saved = deepcopy(found["param_groups"])
    if len(groups) != len(saved):
        raise ValueError("loaded state dict has a different number of parameter groups")
    if any(len(g["params"]) != len(s["params"]) for g, s in zip(groups, saved, strict=True)):
        raise ValueError(
            "loaded state dict contains a parameter group that doesn't match the size of "
            "optimizer's group"
        )
    ids = chain.from_iterable([s["params"] for s in saved])
    parameter = dict(zip(ids, chain.from_iterable([g["params"] for g in groups]), strict=True))
    states: defaultdict[Any, Any] = defaultdict(dict)
    for key, value in found["state"].items():
        if key in parameter:
            states[parameter[key]] = _fitting(parameter[key], value, None)
        else:
            states[key] = value
    for group, new in zip(groups, saved, strict=True):
        new["params"] = group["params"]
        if "param_names" in group:
            new.setdefault("param_names", group["param_names"])
    return saved, states


def _fitting(p: Any, value: Any, key: Any) -> Any:
    """Return a state for a parameter: arrays in its dtype, those of other libraries as tensors."""
    if isinstance(value, (str, int, float, complex)) or value is None:
        return value
    if not isinstance(value, Recorded) and hasattr(value, "__array__"):
        value = wrap(np.array(value))
    if isinstance(value, Recorded):
        kind = p._aval.dtype
        if key == "step" or not kind.is_floating_point or value._aval.dtype is kind:
            return value
        return wrap(value._data.astype(kind.numpy))
    if isinstance(value, Mapping):
        return {k: _fitting(p, v, k) for k, v in value.items()}
    if isinstance(value, Iterable):
        return type(value)([_fitting(p, v, None) for v in value])  # type: ignore[call-arg]
    return value
