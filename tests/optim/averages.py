"""Models that are averaged, written for a module `m`."""

from __future__ import annotations

from typing import Any

import numpy as np

ALL = [
    "mean", "mean with buffers", "avg_fn swa", "avg_fn ema", "avg_fn own", "multi_avg_fn swa",
    "multi_avg_fn ema", "multi_avg_fn ema with buffers",
]  # fmt: skip
STEPS = 5


def network(m: Any) -> Any:
    """Return a network with parameters of two dtypes, and buffers."""
    return m.nn.Sequential(
        m.nn.Linear(2, 3, dtype=m.float64), m.nn.BatchNorm1d(3, dtype=m.float64), m.nn.PReLU()
    )


def fill(m: Any, model: Any, step: int) -> None:
    """Set parameters and buffers to values of a step."""
    for i, x in enumerate([*model.parameters(), *model.buffers()]):
        pattern = 3 * np.cos(np.arange(x.numel()) + i + step).reshape(tuple(x.shape))
        x.detach().copy_(m.tensor(np.abs(pattern) if x.is_floating_point() else pattern))


def averaged(m: Any, name: str, model: Any) -> Any:
    how = name.removesuffix(" with buffers").split()
    more: dict[str, Any] = {"use_buffers": True} if name.endswith("buffers") else {}
    utils = m.optim.swa_utils
    if how[0] == "avg_fn":
        more["avg_fn"] = {
            "swa": utils.get_swa_avg_fn(), "ema": utils.get_ema_avg_fn(0.75),
            "own": lambda mean, value, n: mean + value * n,
        }[how[1]]  # fmt: skip
    if how[0] == "multi_avg_fn":
        ema = utils.get_ema_multi_avg_fn(0.75)
        more["multi_avg_fn"] = utils.get_swa_multi_avg_fn() if how[1] == "swa" else ema
    return utils.AveragedModel(model, **more)


def batches(m: Any) -> list[Any]:
    values = [np.sin(np.arange(8.0) + 3 * i).reshape(4, 2) for i in range(3)]
    return [m.tensor(values[0]), (m.tensor(values[1]), 3), [m.tensor(values[2])]]


def numbers(model: Any) -> list[list[float]]:
    return [x.detach().numpy().reshape(-1).tolist() for x in model.state_dict().values()]


def run(m: Any, name: str) -> dict[str, Any]:
    """Return the state after each update and after new statistics, and what the model returns."""
    model = network(m)
    fill(m, model, 0)
    mean = averaged(m, name, model)
    found: dict[str, Any] = {"names": list(mean.state_dict()), "steps": []}
    for step in range(1, STEPS + 1):
        fill(m, model, step)
        mean.update_parameters(model)
        found["steps"].append(numbers(mean))
    last = mean.module[:2].eval()
    m.optim.swa_utils.update_bn(batches(m), last)
    assert mean.module[1].momentum == 0.1 and not mean.module[1].training
    found["statistics"] = numbers(mean)
    mean.module = last
    found["result"] = mean(batches(m)[0]).detach().numpy().reshape(-1).tolist()
    return found
