"""Averaged models have the parameters and buffers that those of PyTorch have."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import symgrad
from symgrad.optim import swa_utils
from tests.each import each
from tests.optim import averages
from tests.optim.record import AVERAGES

RECORDED = json.loads(AVERAGES.read_text(encoding="utf-8"))


def test_all_are_recorded() -> None:
    assert list(RECORDED) == averages.ALL, "record again"


@each("name", averages.ALL)
def test_means_are_those_of_pytorch(name: str) -> None:
    """The last parameter is in single precision."""
    found, expected = averages.run(symgrad, name), RECORDED[name]
    assert found["names"] == expected["names"]
    pairs = [(found["statistics"], expected["statistics"])]
    pairs += list(zip(found["steps"], expected["steps"], strict=True))
    for one, other in pairs:
        for x, y, key in zip(one, other, expected["names"], strict=True):
            single = key == "module.2.weight"
            np.testing.assert_allclose(x, y, rtol=1e-6 if single else 1e-12, err_msg=key)
    np.testing.assert_allclose(found["result"], expected["result"], rtol=1e-12)


def test_means_are_leaves_without_history() -> None:
    model = symgrad.nn.Linear(2, 1)
    mean = swa_utils.AveragedModel(model)
    for _ in range(2):
        mean.update_parameters(model)
    for x, y in zip(mean.parameters(), model.parameters(), strict=True):
        assert x.is_leaf and x.requires_grad and x is not y and x.tolist() == y.tolist()
    assert mean.n_averaged.item() == 2 and "n_averaged" in mean.state_dict()


def test_a_state_is_loaded() -> None:
    model = symgrad.nn.Linear(2, 1)
    mean = swa_utils.AveragedModel(model)
    mean.update_parameters(model)
    other = swa_utils.AveragedModel(symgrad.nn.Linear(2, 1))
    other.load_state_dict(mean.state_dict())
    assert other.n_averaged.item() == 1
    assert other.module.weight.tolist() == model.weight.tolist()


def test_statistics_and_modes_stay_where_a_batch_fails() -> None:
    layer = symgrad.nn.BatchNorm1d(2, momentum=0.25).eval()
    with pytest.raises(ValueError, match="expected 2D or 3D input"):
        swa_utils.update_bn([symgrad.ones(2)], layer)
    assert layer.momentum == 0.25 and not layer.training
    swa_utils.update_bn([], symgrad.nn.ReLU())


def test_what_is_refused() -> None:
    def refused(error: type[Exception], text: str, f: Any, *args: Any, **given: Any) -> None:
        with pytest.raises(error, match=text):
            f(*args, **given)

    own = symgrad.optim.SGD([symgrad.ones(2)], lr=1.0)
    for f in (swa_utils.get_ema_avg_fn, swa_utils.get_ema_multi_avg_fn):
        refused(ValueError, "Invalid decay value 2 provided", f, 2)
    refused(
        AssertionError, "Only one of avg_fn and multi_avg_fn", swa_utils.AveragedModel,
        symgrad.nn.ReLU(), avg_fn=max, multi_avg_fn=max,
    )  # fmt: skip
    refused(ValueError, "swa_lr must have the same length", swa_utils.SWALR, own, [1, 2])
    refused(ValueError, "instead got x", swa_utils.SWALR, own, 1, anneal_strategy="x")
    refused(ValueError, "equal or greater than 0, got -1", swa_utils.SWALR, own, 1, -1)
