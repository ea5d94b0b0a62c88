"""Runs of optimisers with every combination of their options, written for a module `m`."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

#: The values of the options of each optimiser, beside their defaults.
OPTIONS: dict[str, dict[str, list[Any]]] = {
    "SGD": {
        "momentum": [0, 0.9], "dampening": [0, 0.2], "weight_decay": [0, 0.1],
        "nesterov": [False, True], "maximize": [False, True],
    },
    "Adam": {
        "weight_decay": [0, 0.1], "amsgrad": [False, True], "maximize": [False, True],
        "decoupled_weight_decay": [False, True],
    },
    "AdamW": {
        "weight_decay": [0, 0.1], "amsgrad": [False, True], "maximize": [False, True],
        "betas": [(0.9, 0.999), (0.0, 0.5)],
    },
    "RMSprop": {
        "momentum": [0, 0.9], "centered": [False, True], "weight_decay": [0, 0.1],
        "maximize": [False, True],
    },
    "Adagrad": {
        "lr_decay": [0, 0.1], "initial_accumulator_value": [0, 0.5], "weight_decay": [0, 0.1],
        "maximize": [False, True],
    },
    "Adadelta": {
        "weight_decay": [0, 0.1], "maximize": [False, True], "rho": [0.9, 0.0, 1.0],
    },
    "Adamax": {
        "weight_decay": [0, 0.1], "maximize": [False, True], "betas": [(0.9, 0.999), (0.0, 0.5)],
    },
    "NAdam": {
        "weight_decay": [0, 0.1], "maximize": [False, True],
        "decoupled_weight_decay": [False, True], "momentum_decay": [4e-3, 0],
    },
    "RAdam": {
        "weight_decay": [0, 0.1], "maximize": [False, True],
        "decoupled_weight_decay": [False, True], "betas": [(0.9, 0.999), (0.5, 0.75)],
    },
    "Rprop": {
        "maximize": [False, True], "etas": [(0.5, 1.2), (0.25, 3.0)],
        "step_sizes": [(1e-6, 50), (0.02, 0.1)],
    },
    "ASGD": {
        "weight_decay": [0, 0.1], "maximize": [False, True], "lambd": [1e-4, 0, 0.1],
        "t0": [1e6, 0, 4.5],
    },
}  # fmt: skip

STEPS = 20
#: After which steps parameters are recorded.
SHOWN = (1, 20)


def cases() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each optimiser with each combination of options that PyTorch allows."""
    for name, options in OPTIONS.items():
        for values in itertools.product(*options.values()):
            given = dict(zip(options, values, strict=True))
            if given.get("nesterov") and (not given["momentum"] or given["dampening"]):
                continue
            if given.get("dampening") and not given["momentum"]:
                continue
            if given.get("decoupled_weight_decay") and not given["weight_decay"]:
                continue
            yield name, given


def label(name: str, given: dict[str, Any]) -> str:
    return " ".join([name, *[f"{k}={v}" for k, v in given.items()]])


def parameters(m: Any) -> list[Any]:
    """Return a matrix, a vector in single precision, and a complex number in an array."""
    values = [
        np.array([[0.5, -1.25], [2.0, 0.0]]),
        np.array([1.5, -0.75], dtype=np.float32),
        np.array([0.25 - 1.0j]),
    ]
    return [m.tensor(v, requires_grad=True) for v in values]


def gradients(params: list[Any], step: int) -> list[Any]:
    """Return a gradient for each parameter that follows from its value; every third has none."""
    found = []
    for i, p in enumerate(params):
        x = p.detach().numpy()
        pattern = np.cos(np.arange(x.size) * 1.7 + 0.9 * step + i).reshape(x.shape)
        g = (0.5 * x + pattern * (1 + 0.5j if x.dtype.kind == "c" else 1)).astype(x.dtype)
        found.append(None if i == 1 and step % 3 == 0 else g)
    return found


def take(m: Any, optimizer: Any, params: list[Any], steps: range) -> Iterator[int]:
    for step in steps:
        for p, g in zip(params, gradients(params, step), strict=True):
            p.grad = None if g is None else m.tensor(g)
        optimizer.step()
        yield step


def numbers(params: list[Any]) -> list[float]:
    """Return the elements of all parameters, complex ones as pairs."""
    flat = [p.detach().numpy().reshape(-1) for p in params]
    return [float(x) for a in flat for x in (a.view(a.real.dtype) if a.dtype.kind == "c" else a)]


def run(m: Any, name: str, given: dict[str, Any]) -> list[list[float]]:
    """Return the parameters after the steps that are shown."""
    params = parameters(m)
    optimizer = getattr(m.optim, name)(params, lr=0.05, **given)
    steps = take(m, optimizer, params, range(1, STEPS + 1))
    return [numbers(params) for step in steps if step in SHOWN]


def state_of(optimizer: Any) -> dict[str, Any]:
    """Return the state with lists in the place of tensors."""
    found = optimizer.state_dict()
    states = {
        str(i): {k: listed(x) for k, x in state.items()} for i, state in found["state"].items()
    }
    return {"state": states, "param_groups": found["param_groups"]}


def listed(x: Any) -> Any:
    """Return a tensor as its dtype and its elements, of which complex ones are pairs."""
    if not hasattr(x, "detach"):
        return x
    array = x.detach().numpy()
    flat = np.atleast_1d(array).view(array.real.dtype)
    return [str(x.dtype).rpartition(".")[2], list(array.shape), flat.reshape(-1).tolist()]


def resumed(m: Any, name: str) -> dict[str, Any]:
    """Return the state after three steps, and the parameters then and after all steps."""
    params = parameters(m)
    optimizer = getattr(m.optim, name)(params, lr=0.05)
    for _ in take(m, optimizer, params, range(1, 4)):
        pass
    state, middle = state_of(optimizer), numbers(params)
    for _ in take(m, optimizer, params, range(4, STEPS + 1)):
        pass
    return {"state": state, "then": middle, "end": numbers(params), "text": repr(optimizer)}
