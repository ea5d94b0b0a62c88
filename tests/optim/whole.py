"""Runs of Adafactor, Muon and LBFGS, which do not compute by elements, written for a module `m`."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

from tests.optim.runs import SHOWN, STEPS, numbers, state_of, take

ADAFACTOR: dict[str, list[Any]] = {
    "weight_decay": [0, 0.1], "maximize": [False, True], "beta2_decay": [-0.8, 0, -0.5],
    "eps": [(None, 1e-3), (0.5, 2.0)], "d": [1.0, 1.5],
}  # fmt: skip

MUON: dict[str, list[Any]] = {
    "weight_decay": [0.1, 0], "momentum": [0.95, 0], "nesterov": [True, False],
    "ns_steps": [5, 2, 0], "adjust_lr_fn": [None, "original", "match_rms_adamw"],
}  # fmt: skip

LBFGS: dict[str, list[Any]] = {
    "line_search_fn": [None, "strong_wolfe"], "history_size": [100, 2], "max_iter": [20, 3],
    "lr": [1, 0.25],
}  # fmt: skip

#: Losses, by which closures go down.
LOSSES = ("quartic", "rosenbrock", "complex")


def adafactor_cases() -> Iterator[dict[str, Any]]:
    for values in itertools.product(*ADAFACTOR.values()):
        yield dict(zip(ADAFACTOR, values, strict=True))


def muon_cases() -> Iterator[dict[str, Any]]:
    for values in itertools.product(*MUON.values()):
        yield dict(zip(MUON, values, strict=True))
    yield {"ns_coefficients": (1.5, -0.5, 0.0), "eps": 0.5}


def lbfgs_cases() -> Iterator[tuple[str, dict[str, Any]]]:
    for loss, *values in itertools.product(LOSSES, *LBFGS.values()):
        yield loss, dict(zip(LBFGS, values, strict=True))


def label(*words: Any, **given: Any) -> str:
    return " ".join([*words, *[f"{k}={v}" for k, v in given.items()]])


def parameters(m: Any, single: bool) -> list[Any]:
    """Return arrays of all numbers of axes."""
    kind = np.float32 if single else np.float64
    values = [
        np.array([[0.5, -1.25, 0.75], [2.0, 0.0, 1.0]]), np.array([1.5, -0.75]), np.array(0.25),
        np.sin(np.arange(12.0)).reshape(2, 3, 2), np.array([[3.0]]),
    ]  # fmt: skip
    return [m.tensor(v.astype(kind), requires_grad=True) for v in values]


def adafactor(m: Any, given: dict[str, Any], single: bool = False) -> list[list[float]]:
    """Return the parameters after the steps that are shown."""
    params = parameters(m, single)
    optimizer = m.optim.Adafactor(params, lr=0.3, **given)
    steps = take(m, optimizer, params, range(1, STEPS + 1))
    return [numbers(params) for step in steps if step in SHOWN]


def adafactor_state(m: Any) -> dict[str, Any]:
    """Return the state after three steps, and the parameters then and after all steps."""
    params = parameters(m, True)
    optimizer = m.optim.Adafactor(params, lr=0.3)
    for _ in take(m, optimizer, params, range(1, 4)):
        pass
    state, middle = state_of(optimizer), numbers(params)
    for _ in take(m, optimizer, params, range(4, STEPS + 1)):
        pass
    return {"state": state, "then": middle, "end": numbers(params), "text": repr(optimizer)}


def mixed(m: Any) -> list[float]:
    """Return parameters of two dtypes after a step, where the least root is that of the first."""
    values = [np.zeros(2, np.float32), np.zeros(2)]
    params = [m.tensor(v, requires_grad=True) for v in values]
    for p in params:
        p.grad = m.ones_like(p) * 1e-8
    m.optim.Adafactor(params).step()
    return numbers(params)


def matrices(m: Any, single: bool) -> list[Any]:
    """Return a wide matrix, one that is not, a square, and one of a column, of which one is 0."""
    kind = np.float32 if single else np.float64
    values = [
        np.array([[0.5, -1.25, 0.75], [2.0, 0.0, 1.0]]), np.sin(np.arange(8.0)).reshape(4, 2),
        np.array([[0.25, -1.0], [1.5, 3.0]]), np.zeros((3, 1)),
    ]  # fmt: skip
    return [m.tensor(v.astype(kind), requires_grad=True) for v in values]


def muon(m: Any, given: dict[str, Any], single: bool = False) -> list[list[float]]:
    """Return the parameters after the steps that are shown."""
    params = matrices(m, single)
    optimizer = m.optim.Muon(params, lr=0.05, **given)
    steps = take(m, optimizer, params, range(1, STEPS + 1))
    return [numbers(params) for step in steps if step in SHOWN]


def muon_state(m: Any) -> dict[str, Any]:
    """Return the state after three steps, and the parameters then and after all steps."""
    params = matrices(m, False)
    optimizer = m.optim.Muon(params, lr=0.05)
    for _ in take(m, optimizer, params, range(1, 4)):
        pass
    state, middle = state_of(optimizer), numbers(params)
    for _ in take(m, optimizer, params, range(4, STEPS + 1)):
        pass
    return {"state": state, "then": middle, "end": numbers(params), "text": repr(optimizer)}


def problem(m: Any, name: str) -> tuple[list[Any], Any]:
    """Return parameters and a function that returns the loss."""
    if name == "quartic":
        x = m.tensor([0.5, -1.0, 2.0], dtype=m.float64, requires_grad=True)
        y = m.tensor([[1.0, 0.5]], dtype=m.float64, requires_grad=True)
        unused = m.tensor([7.0], dtype=m.float64, requires_grad=True)
        return [x, unused, y], lambda: ((x - 1) ** 4).sum() + (x.sum() * y - 1).pow(2).sum()
    if name == "rosenbrock":
        x = m.tensor([-1.2, 1.0], dtype=m.float64, requires_grad=True)
        return [x], lambda: (1 - x[0]) ** 2 + 10 * (x[1] - x[0] ** 2) ** 2
    z = m.tensor([0.5 - 1.0j, 2.0 + 0.25j], dtype=m.complex128, requires_grad=True)
    return [z], lambda: ((z - (1 + 1j)).abs() ** 4).sum() + z.real.sum() ** 2


def lbfgs(m: Any, loss: str, given: dict[str, Any]) -> list[Any]:
    """Return parameters and counts after each of a few calls, and the losses that they return."""
    params, compute = problem(m, loss)
    optimizer = m.optim.LBFGS(params, **given)
    calls = 0

    def closure() -> Any:
        nonlocal calls
        calls += 1
        optimizer.zero_grad()
        value = compute()
        value.backward()
        return value

    found = []
    for _ in range(3):
        first = optimizer.step(closure)
        own = optimizer.state[params[0]]
        counts = [calls, own["func_evals"], own["n_iter"]]
        found.append([first.item(), numbers(params), counts])
    return found


def lbfgs_state(m: Any) -> dict[str, Any]:
    """Return the state after a call, as JSON has it."""
    params, compute = problem(m, "rosenbrock")
    optimizer = m.optim.LBFGS(params, max_iter=3, history_size=2, line_search_fn="strong_wolfe")

    def closure() -> Any:
        optimizer.zero_grad()
        value = compute()
        value.backward()
        return value

    optimizer.step(closure)
    found = optimizer.state_dict()
    own = {k: plain(x) for k, x in found["state"][0].items()}
    return {"state": own, "param_groups": found["param_groups"], "text": repr(optimizer)}


def plain(x: Any) -> Any:
    if isinstance(x, list):
        return [plain(y) for y in x]
    return x.tolist() if hasattr(x, "tolist") else x


def record(m: Any) -> dict[str, Any]:
    """Return all that is recorded, by name."""
    found: dict[str, Any] = {}
    for given in adafactor_cases():
        found[label("Adafactor", **given)] = adafactor(m, given)
    found["Adafactor single"] = adafactor(m, {}, single=True)
    found["Adafactor mixed"] = mixed(m)
    found["Adafactor state"] = adafactor_state(m)
    found |= record_muon(m)
    for loss, given in lbfgs_cases():
        found[label("LBFGS", loss, **given)] = lbfgs(m, loss, given)
    found["LBFGS state"] = lbfgs_state(m)
    return found


def record_muon(torch: Any) -> dict[str, Any]:
    """Return the runs of Muon, by name: as it is, and in the arithmetic of the parameters.

    PyTorch makes a mean orthogonal in `bfloat16`, which here is a copy of the same dtype.
    """
    found: dict[str, Any] = {"Muon bfloat16": muon(torch, {})}
    rounded = torch.Tensor.bfloat16
    torch.Tensor.bfloat16 = torch.Tensor.clone
    try:
        for given in muon_cases():
            found[label("Muon", **given)] = muon(torch, given)
        found["Muon single"] = muon(torch, {}, single=True)
        found["Muon state"] = muon_state(torch)
    finally:
        torch.Tensor.bfloat16 = rounded
    return found
