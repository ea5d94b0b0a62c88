"""Adafactor, Muon and LBFGS take the steps that those of PyTorch take, and keep the same."""

from __future__ import annotations

import copy
import json
import math
from typing import Any

import numpy as np
import pytest

import symgrad
from symgrad import optim
from symgrad.optim.formula import lowered_whole
from symgrad.optim.line_search import Point, cubic_minimum, strong_wolfe
from tests.each import each
from tests.optim import runs, whole
from tests.optim.record import WHOLE

RECORDED = json.loads(WHOLE.read_text(encoding="utf-8"))
ADAFACTOR = {whole.label("Adafactor", **given): given for given in whole.adafactor_cases()}
MUON = {whole.label("Muon", **given): given for given in whole.muon_cases()}
LBFGS = {whole.label("LBFGS", loss, **given): (loss, given) for loss, given in whole.lbfgs_cases()}


def tensor_of(found: Any, kind: Any = np.float32) -> Any:
    """Return a state from a file."""
    return symgrad.tensor(np.array(found[2], kind).reshape(found[1]))


def test_all_are_recorded() -> None:
    others = {"Adafactor single", "Adafactor mixed", "Adafactor state", "LBFGS state"}
    others |= {"Muon single", "Muon state", "Muon bfloat16"}
    assert RECORDED.keys() == {*ADAFACTOR, *MUON, *LBFGS, *others}, "record again"


# ---------------------------------------------------------------- Adafactor


@each("name", list(ADAFACTOR))
def test_a_run_of_adafactor(name: str) -> None:
    found = whole.adafactor(symgrad, ADAFACTOR[name])
    np.testing.assert_allclose(found, RECORDED[name], rtol=1e-10, atol=1e-10)


def test_adafactor_in_single_precision() -> None:
    found = whole.adafactor(symgrad, {}, single=True)
    np.testing.assert_allclose(found, RECORDED["Adafactor single"], rtol=3e-5, atol=3e-5)


def test_adafactor_of_two_dtypes() -> None:
    np.testing.assert_allclose(whole.mixed(symgrad), RECORDED["Adafactor mixed"], rtol=1e-6)


def test_a_state_of_adafactor_has_the_form_of_pytorchs() -> None:
    found = json.loads(json.dumps(whole.adafactor_state(symgrad)))
    recorded = RECORDED["Adafactor state"]
    assert found["text"] == recorded["text"]
    assert found["state"]["param_groups"] == recorded["state"]["param_groups"]
    state, expected = found["state"]["state"], recorded["state"]["state"]
    assert state.keys() == expected.keys()
    for i, names in expected.items():
        assert list(state[i]) == list(names)
        for key, value in names.items():
            assert state[i][key][:2] == value[:2]
            np.testing.assert_allclose(state[i][key][2], value[2], rtol=1e-4, atol=1e-6)


def test_a_state_of_adafactor_is_continued() -> None:
    recorded = RECORDED["Adafactor state"]
    params = whole.parameters(symgrad, True)
    start = 0
    for p in params:
        end = start + p.numel()
        p.detach().copy_(symgrad.tensor(np.reshape(recorded["then"][start:end], tuple(p.shape))))
        start = end
    optimizer = optim.Adafactor(params)
    states = {
        int(i): {k: tensor_of(x) if x[1] else tensor_of([*x[:2], x[2][0]]) for k, x in own.items()}
        for i, own in recorded["state"]["state"].items()
    }
    groups = recorded["state"]["param_groups"]
    optimizer.load_state_dict({"state": states, "param_groups": groups})
    for _ in runs.take(symgrad, optimizer, params, range(4, runs.STEPS + 1)):
        pass
    np.testing.assert_allclose(runs.numbers(params), recorded["end"], rtol=3e-5, atol=3e-5)


def test_the_formula_of_adafactor() -> None:
    w = symgrad.zeros(2, 3)
    lines = str(optim.Adafactor([w], weight_decay=0.1, maximize=True).formula()).splitlines()
    assert lines[:2] == ["g = -g", "size = clamp(sqrt(mean(p**2)), min=eps2)"]
    assert lines[2] == "p = p * (1 - lr * weight_decay)" and len(lines) == 8
    assert list(optim.Adafactor([symgrad.zeros(2)]).formula()) == ["p", "variance"]


def test_a_formula_of_a_shape_is_lowered_once() -> None:
    x = symgrad.ones(3, 5, requires_grad=True)
    optimizer = optim.Adafactor([x], lr=0.123)
    before = lowered_whole.cache_info().misses
    for rate in (0.1, 0.2, 0.3):
        optimizer.param_groups[0]["lr"] = rate
        x.grad = symgrad.ones_like(x)
        optimizer.step()
    assert lowered_whole.cache_info().misses <= before + 1


def test_memory_and_versions() -> None:
    x = symgrad.ones(2, 2, requires_grad=True)
    y = (x * x).sum()
    y.backward()
    shown, data, z = x.data, x._data, (x * x).sum()
    optimizer = optim.Adafactor([x])
    optimizer.step()
    assert x._data is data and shown.tolist() == x.tolist() != [[1.0, 1.0], [1.0, 1.0]]
    assert x._version == 1
    w = symgrad.ones(2, 1, requires_grad=True)
    later = (w * optimizer.state[x]["row_var"]).sum()
    optimizer.step()
    for saved in (z, later):
        with pytest.raises(RuntimeError, match="modified by an inplace operation"):
            saved.backward()


def test_an_error_of_adafactor_changes_nothing() -> None:
    x, y = symgrad.ones(2, requires_grad=True), symgrad.ones(2, 2, requires_grad=True)
    x.grad, y._grad = symgrad.ones(2), symgrad.ones(2)
    optimizer = optim.Adafactor([x, y])
    with pytest.raises(RuntimeError, match=r"shape \[2, 2\] has a gradient or a state of shape"):
        optimizer.step()
    assert x.tolist() == [1.0, 1.0] and not optimizer.state
    z = symgrad.ones(1, dtype=symgrad.complex64, requires_grad=True)
    z.grad = symgrad.ones_like(z)
    with pytest.raises(RuntimeError, match="Adafactor does not support complex parameters"):
        optim.Adafactor([z]).step()


def test_copies_and_what_is_given_twice() -> None:
    x = symgrad.tensor([1.0, 2.0], requires_grad=True)
    x.grad = symgrad.ones(2)
    with pytest.warns(UserWarning, match="duplicate parameters"):
        optimizer = optim.Adafactor([x, x])
    optimizer.step()
    assert optimizer.state[x]["step"].item() == 2
    other = copy.deepcopy(optimizer)
    other.step()
    assert next(iter(other.state.values()))["step"].item() == 4


def test_settings_that_adafactor_refuses() -> None:
    x = symgrad.ones(2)
    for given, text in [
        ({"lr": -1.0}, "Learning rate should be >= 0 but is: -1.0"),
        ({"beta2_decay": 0.5}, "beta2_decay should be <= 0 but is: 0.5"),
        ({"eps": (-1.0, 1.0)}, "epsilon1 should be >= 0 but is: -1.0"),
        ({"eps": (None, -1.0)}, "epsilon2 should be >= 0 but is: -1.0"),
        ({"d": 0.5}, "Clipping threshold d should be >= 1 but is: 0.5"),
        ({"weight_decay": -1}, "weight_decay should be >= 0 but is: -1"),
        ({"lr": symgrad.ones(2)}, "Tensor lr must be 1-element"),
    ]:
        with pytest.raises(ValueError, match=text):
            optim.Adafactor([x], **given)


# ---------------------------------------------------------------- Muon


@each("name", list(MUON))
def test_a_run_of_muon(name: str) -> None:
    found = whole.muon(symgrad, MUON[name])
    np.testing.assert_allclose(found, RECORDED[name], rtol=1e-9, atol=1e-9)


def test_muon_in_single_precision() -> None:
    found = whole.muon(symgrad, {}, single=True)
    np.testing.assert_allclose(found, RECORDED["Muon single"], rtol=1e-4, atol=1e-4)


def test_a_step_of_muon_as_pytorch_takes_it() -> None:
    """Five steps of a polynomial round three times each, to eight bits, and matrices are near 1."""
    found, expected = whole.muon(symgrad, {})[0], RECORDED["Muon bfloat16"][0]
    longest = 0.05 * 2**0.5
    np.testing.assert_allclose(found, expected, rtol=0, atol=longest * 5 * 3 * 2**-8)


def test_a_state_of_muon_has_the_form_of_pytorchs() -> None:
    found = json.loads(json.dumps(whole.muon_state(symgrad)))
    recorded = RECORDED["Muon state"]
    assert found["text"] == recorded["text"]
    assert found["state"]["param_groups"] == recorded["state"]["param_groups"]
    state, expected = found["state"]["state"], recorded["state"]["state"]
    assert state.keys() == expected.keys()
    for i, names in expected.items():
        assert list(state[i]) == list(names) == ["momentum_buffer"]
        for key, value in names.items():
            assert state[i][key][:2] == value[:2]
            np.testing.assert_allclose(state[i][key][2], value[2], rtol=1e-9, atol=1e-12)


def test_a_state_of_muon_is_continued() -> None:
    recorded = RECORDED["Muon state"]
    params = whole.matrices(symgrad, False)
    start = 0
    for p in params:
        end = start + p.numel()
        p.detach().copy_(symgrad.tensor(np.reshape(recorded["then"][start:end], tuple(p.shape))))
        start = end
    optimizer = optim.Muon(params)
    states = {
        int(i): {k: tensor_of(x, np.float64) for k, x in own.items()}
        for i, own in recorded["state"]["state"].items()
    }
    groups = recorded["state"]["param_groups"]
    optimizer.load_state_dict({"state": states, "param_groups": groups})
    for _ in runs.take(symgrad, optimizer, params, range(4, runs.STEPS + 1)):
        pass
    np.testing.assert_allclose(runs.numbers(params), recorded["end"], rtol=1e-9, atol=1e-9)


def test_the_formula_of_muon() -> None:
    w = symgrad.zeros(3, 2)
    lines = str(optim.Muon([w], nesterov=False, weight_decay=0, ns_steps=2).formula()).splitlines()
    assert lines[1:3] == [
        "change = momentum_buffer.T",
        "change = change / clamp(sqrt(sum(change**2)), min=eps)",
    ]
    assert lines[3:5] == lines[5:7] and len(lines) == 8
    assert lines[7] == "p = p - lr * 1.224744871391589 * change.T"
    given = {"momentum": 0, "adjust_lr_fn": "match_rms_adamw", "ns_steps": 0}
    lines = str(optim.Muon([w], **given).formula()).splitlines()  # type: ignore[arg-type]
    assert lines[0] == "momentum_buffer = g"
    assert lines[-1] == "p = p * (1 - lr * weight_decay) - lr * 0.34641016151377546 * change.T"


def test_a_step_of_muon_is_near_orthogonal() -> None:
    """As far as the polynomial takes singular values: PyTorch's leaves them in 0.5 to 1.5."""
    w = symgrad.zeros(3, 5, dtype=symgrad.float64, requires_grad=True)
    w.grad = symgrad.tensor(np.sin(np.arange(15.0) ** 2).reshape(3, 5))
    optim.Muon([w], lr=1.0).step()
    values = np.linalg.svd(w.detach().numpy(), compute_uv=False)
    assert np.all((values > 0.5) & (values < 1.5))


def test_what_muon_refuses() -> None:
    x = symgrad.ones(2, 2, requires_grad=True)
    for given, text in [
        ({"lr": -1.0}, "Learning rate should be >= 0 but is: -1.0"),
        ({"lr": symgrad.ones(2)}, "Tensor lr must be 1-element"),
        ({"momentum": -1.0}, "momentum should be >= 0 but is: -1.0"),
        ({"weight_decay": -1}, "weight decay should be >= 0 but is: -1"),
        ({"adjust_lr_fn": "other"}, "Adjust learning rate function other is not supported"),
    ]:
        with pytest.raises(ValueError, match=text):
            optim.Muon([x], **given)
    with pytest.raises(ValueError, match=r"only supports 2D .* with size: torch.Size\(\[2\]\)"):
        optim.Muon([symgrad.ones(2)])
    x.grad = symgrad.ones(2, 2)
    for given, text in [
        ({"ns_steps": 100}, "Number of steps must be less than 100"),
        ({"ns_coefficients": (1.0, 2.0)}, "must be a tuple of exactly 3 values"),
    ]:
        optimizer = optim.Muon([{"params": [x]}, {"params": [symgrad.ones(1, 1)], **given}])
        with pytest.raises(ValueError, match=text):
            optimizer.step()
        assert x.tolist() == [[1.0, 1.0], [1.0, 1.0]] and not optimizer.state
    optimizer = optim.Muon([x])
    v = symgrad.ones(2, requires_grad=True)
    v.grad = symgrad.ones(2)
    optimizer.add_param_group({"params": v})
    with pytest.raises(ValueError, match="must be a 2D matrix"):
        optimizer.step()
    z = symgrad.ones(1, 1, dtype=symgrad.complex64, requires_grad=True)
    z.grad = symgrad.ones_like(z)
    with pytest.raises(RuntimeError, match="Muon does not support complex parameters"):
        optim.Muon([z]).step()


# ---------------------------------------------------------------- SparseAdam


def test_sparse_adam_refuses_dense_gradients() -> None:
    x = symgrad.ones(2, requires_grad=True)
    optimizer = optim.SparseAdam([x], lr=0.5)
    assert optimizer.step(lambda: 7) == 7
    x.grad = symgrad.ones(2)
    with pytest.raises(RuntimeError, match="does not support dense gradients, please consider"):
        optimizer.step()
    assert x.tolist() == [1.0, 1.0] and not optimizer.state
    for given, text in [
        ({"lr": 0.0}, "Invalid learning rate: 0.0"), ({"eps": 0.0}, "Invalid epsilon value: 0.0"),
        ({"betas": (1.0, 0.5)}, "Invalid beta parameter at index 0: 1.0"),
        ({"lr": symgrad.ones(2)}, "Tensor lr must be 1-element"),
    ]:  # fmt: skip
        with pytest.raises(ValueError, match=text):
            optim.SparseAdam([x], **given)
    with pytest.raises(ValueError, match=r"Complex params at indices \[\[0, 1\]\]"):
        optim.SparseAdam([x, symgrad.ones(1, dtype=symgrad.complex64)])


# ---------------------------------------------------------------- LBFGS


@each("name", list(LBFGS))
def test_a_run_of_lbfgs(name: str) -> None:
    """Losses, parameters, and how often the loss was computed.

    Where PyTorch begins one unit in the last place aside, its losses differ by 2e-8 in the end.
    """
    loss, given = LBFGS[name]
    for one, other in zip(whole.lbfgs(symgrad, loss, given), RECORDED[name], strict=True):
        np.testing.assert_allclose(one[0], other[0], rtol=1e-7, atol=1e-12)
        np.testing.assert_allclose(one[1], other[1], rtol=1e-6, atol=1e-6)
        assert one[2] == other[2]


def test_a_line_search_asks_for_no_fall_below_the_last_digit_of_the_loss() -> None:
    """Near a minimum the loss is level, and the slope says that the step is good."""
    tried = {}
    for kind in (symgrad.float32, symgrad.float64):
        d = symgrad.tensor([1e-2], dtype=kind)

        def evaluate(t: float, d: Any = d) -> Point:
            return Point(t, 1000.0, (t - 1) * d, (t - 1) * 1e-4)

        found, tried[kind] = strong_wolfe(evaluate, evaluate(0.0), d, 1.0, 25)
        assert found.t == (1.0 if kind is symgrad.float32 else 0.0)
    assert tried[symgrad.float32] == 1 < tried[symgrad.float64]


def test_a_state_of_lbfgs_has_the_form_of_pytorchs() -> None:
    found, recorded = whole.lbfgs_state(symgrad), RECORDED["LBFGS state"]
    assert found["text"] == recorded["text"]
    assert found["param_groups"] == recorded["param_groups"]
    assert found["state"].keys() == recorded["state"].keys()
    for name, value in recorded["state"].items():
        np.testing.assert_allclose(found["state"][name], value, rtol=1e-8, err_msg=name)


def test_lbfgs_goes_on_from_a_state() -> None:
    """As if it had not been interrupted."""

    def ended(interrupted: bool) -> list[float]:
        params, compute = whole.problem(symgrad, "rosenbrock")
        optimizer = optim.LBFGS(params, max_iter=2, line_search_fn="strong_wolfe")

        def closure() -> Any:
            params[0].grad = None
            value = compute()
            value.backward()
            return value

        for _ in range(4):
            optimizer.step(closure)
            if interrupted:
                state = copy.deepcopy(optimizer.state_dict())
                optimizer = optim.LBFGS(params, line_search_fn="strong_wolfe")
                optimizer.load_state_dict(state)
        return runs.numbers(params)

    assert ended(True) == ended(False)


def test_what_lbfgs_refuses() -> None:
    x, y = symgrad.ones(2, requires_grad=True), symgrad.ones(2)
    with pytest.raises(ValueError, match="doesn't support per-parameter options"):
        optim.LBFGS([{"params": [x]}, {"params": [y]}])
    with pytest.raises(ValueError, match="Invalid learning rate: -1"):
        optim.LBFGS([x], lr=-1)
    with pytest.raises(TypeError):
        optim.LBFGS([x]).step()  # type: ignore[call-arg]
    x.grad = symgrad.ones(2)
    with pytest.raises(RuntimeError, match="only 'strong_wolfe' is supported"):
        optim.LBFGS([x], line_search_fn="armijo").step(lambda: x.sum())
    assert x.tolist() == [1.0, 1.0]


def test_lbfgs_stays_where_the_gradient_is_zero() -> None:
    x = symgrad.zeros(2, requires_grad=True)
    optimizer = optim.LBFGS([x])

    def closure() -> Any:
        optimizer.zero_grad()
        loss = (x * x).sum()
        loss.backward()
        return loss

    assert optimizer.step(closure).item() == 0.0 and optimizer.state[x]["n_iter"] == 0


# ---------------------------------------------------------------- the line search


def test_the_least_value_of_a_cubic() -> None:
    def point(t: float) -> Point:
        return Point(t, t**3 - 3 * t, None, 3 * t**2 - 3)

    assert math.isclose(cubic_minimum(point(0.5), point(3.0), 0.5, 3.0), 1.0)
    assert math.isclose(cubic_minimum(point(3.0), point(0.5), 0.5, 3.0), 1.0)
    assert cubic_minimum(point(0.5), point(3.0), 2.0, 3.0) == 2.0
    assert cubic_minimum(Point(0.0, 0.0, None, 1.0), Point(1.0, 0.5, None, 1.0), 0.0, 1.0) == 0.5


@pytest.mark.parametrize("first", [1e-3, 0.1, 1.0, 10.0, 1e3])
def test_the_conditions_of_wolfe_hold(first: float) -> None:
    def f(t: float) -> Point:
        loss, slope = t**4 - 2 * t + math.sin(3 * t), 4 * t**3 - 2 + 3 * math.cos(3 * t) - 6
        return Point(t, loss - 6 * t, symgrad.tensor([slope]), slope)

    point, tried = strong_wolfe(f, f(0.0), symgrad.ones(1), first, 25)
    assert point.loss <= f(0.0).loss + 1e-4 * point.t * f(0.0).slope
    assert abs(point.slope) <= 0.9 * abs(f(0.0).slope) and tried <= 25
