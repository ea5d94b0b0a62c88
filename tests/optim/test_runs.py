"""Twenty steps of each optimiser, with each combination of its options, are those of PyTorch."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import symgrad
from tests.each import each
from tests.optim import runs
from tests.optim.record import RUNS, STATES

CASES = {runs.label(*case): case for case in runs.cases()}
RECORDED = json.loads(RUNS.read_text(encoding="utf-8"))
RESUMED = json.loads(STATES.read_text(encoding="utf-8"))


def close(name: str, found: Any, expected: Any) -> None:
    """Compare parameters: four numbers in double precision, two in single, two in double.

    PyTorch stores states that are numbers in single precision: `NAdam` reads its product after
    that, and what `ASGD` loads for a parameter in double precision stays double.
    """
    double = 1e-7 if name.startswith(("NAdam", "ASGD")) else 1e-10
    tolerance = np.array([double] * 4 + [3e-5] * 2 + [double] * 2)
    found, expected = np.array(found), np.array(expected)
    assert np.all(np.abs(found - expected) <= tolerance * (1 + np.abs(expected)))


def test_all_are_recorded() -> None:
    assert list(RECORDED) == list(CASES), "record again"
    assert list(RESUMED) == list(runs.OPTIONS), "record again"


@each("name", list(CASES))
def test_a_run_is_that_of_pytorch(name: str) -> None:
    close(name, runs.run(symgrad, *CASES[name]), RECORDED[name])


def tensor_of(found: Any) -> Any:
    """Return a state from a file, as a tensor where it is one."""
    if not isinstance(found, list):
        return found
    kind, shape, elements = found
    flat = np.array(elements, dtype="f4" if kind in ("float32", "complex64") else "f8")
    return symgrad.tensor(flat.view(kind).reshape(shape))


@pytest.mark.parametrize("name", RESUMED)
def test_a_state_of_pytorch_is_continued(name: str) -> None:
    recorded = RESUMED[name]
    params = runs.parameters(symgrad)
    flat = np.array(recorded["then"])
    with symgrad.no_grad():
        params[0].copy_(symgrad.tensor(flat[:4].reshape(2, 2)))
        params[1].copy_(symgrad.tensor(flat[4:6]))
        params[2].copy_(symgrad.tensor(flat[6:].view(complex)))
    optimizer = getattr(symgrad.optim, name)(params)
    state = recorded["state"]
    states = {
        int(i): {k: tensor_of(x) for k, x in found.items()} for i, found in state["state"].items()
    }
    optimizer.load_state_dict({"state": states, "param_groups": state["param_groups"]})
    for _ in runs.take(symgrad, optimizer, params, range(4, runs.STEPS + 1)):
        pass
    close(name, runs.numbers(params), recorded["end"])


@pytest.mark.parametrize("name", RESUMED)
def test_a_state_has_the_form_of_pytorchs(name: str) -> None:
    found = json.loads(json.dumps(runs.resumed(symgrad, name)))
    recorded = RESUMED[name]
    assert found["text"] == recorded["text"]
    assert found["state"]["param_groups"] == recorded["state"]["param_groups"]
    state, expected = found["state"]["state"], recorded["state"]["state"]
    assert state.keys() == expected.keys()
    for i, names in expected.items():
        assert list(state[i]) == list(names)
        for key, value in names.items():
            if isinstance(value, list):
                assert state[i][key][:2] == value[:2]
                np.testing.assert_allclose(state[i][key][2], value[2], rtol=1e-4, atol=1e-6)
