"""Groups, closures, hooks, versions, and what an optimiser refuses without changing anything."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import symgrad
from symgrad import optim
from symgrad.optim import layout
from symgrad.optim.optimizer import register_optimizer_step_pre_hook
from tests.optim.runs import OPTIONS, take

ALL = list(OPTIONS)


def leaf(*values: Any) -> Any:
    return symgrad.tensor(list(values), requires_grad=True)


def with_gradient(*values: Any) -> Any:
    x = leaf(*values)
    (x * x).sum().backward()
    return x


# ---------------------------------------------------------------- memory and versions


@pytest.mark.parametrize("name", ALL)
def test_blocks_and_joined_arrays_give_the_same(name: str, monkeypatch: Any) -> None:
    """Large ones, small ones, transposed ones and complex ones, however they are cut."""
    rng = np.random.default_rng(1)
    values = [rng.normal(size=s) for s in [(7, 3), (2,), (), (0,), (40,)]]
    values += [values[0].T, values[0] + 1j, (values[0] + 2j).T.astype(np.complex64)]

    def final(block: int, small: int) -> list[Any]:
        monkeypatch.setattr(layout, "BLOCK", block)
        monkeypatch.setattr(layout, "SMALL", small)
        params = [symgrad.from_numpy(v.copy(order="K")).requires_grad_() for v in values]
        optimizer = getattr(optim, name)(params)
        for step in range(4):
            for p, v in zip(params, values, strict=True):
                p.grad = None if step == 1 and p is params[1] else symgrad.tensor(np.cos(v + step))
            optimizer.step()
        return [p.detach().numpy() for p in params]

    expected = final(1 << 20, 0)
    for block, small in ((64, 0), (1 << 20, 30), (80, 8), (1 << 20, 1 << 20)):
        for a, b in zip(final(block, small), expected, strict=True):
            np.testing.assert_array_equal(a, b)


def test_memory_stays_where_it_is() -> None:
    x = with_gradient(1.0, 2.0)
    shown, data = x.data, x._data
    optim.SGD([x], lr=0.25).step()
    assert x._data is data
    assert shown.tolist() == [0.5, 1.0]


def test_what_was_saved_before_a_step_is_stale() -> None:
    x = with_gradient(1.0, 2.0)
    y = (x * x).sum()
    version = x._version
    optim.SGD([x]).step()
    assert x._version == version + 1
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.backward()


def test_a_state_that_was_saved_is_stale() -> None:
    x = with_gradient(1.0, 2.0)
    optimizer = optim.SGD([x], momentum=0.9)
    optimizer.step()
    w = leaf(3.0, 4.0)
    y = (w * optimizer.state[x]["momentum_buffer"]).sum()
    optimizer.step()
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.backward()


def test_a_view_of_a_parameter_follows() -> None:
    base = symgrad.zeros(4, requires_grad=True)
    with symgrad.no_grad():
        view = base[:2]
    base.grad = symgrad.ones(4)
    optim.SGD([base], lr=1.0).step()
    assert view.tolist() == [-1.0, -1.0]
    assert base._version == view._version == 1


def test_what_is_given_twice_is_changed_twice() -> None:
    x = with_gradient(1.0)
    with pytest.warns(UserWarning, match="duplicate parameters"):
        optimizer = optim.Adam([x, x], lr=0.5)
    optimizer.step()
    assert optimizer.state[x]["step"].item() == 2
    assert np.isclose(x.item(), 0.0, atol=1e-6)


def test_states_that_are_exchanged_are_read() -> None:
    """As all that a step finds otherwise than the one before left it."""
    x = leaf(1.0, 2.0)
    optimizer = optim.SGD([x], lr=1.0, momentum=1.0)
    for _ in range(2):
        x.grad = symgrad.zeros(2)
        optimizer.step()
    optimizer.state[x]["momentum_buffer"] = symgrad.ones(2)
    optimizer.step()
    assert x.tolist() == [0.0, 1.0]
    optimizer.state[x]["momentum_buffer"].mul_(3)
    optimizer.step()
    assert x.tolist() == [-3.0, -2.0]
    x.data = symgrad.tensor([5.0, 6.0, 7.0])
    x.grad, optimizer.state[x] = symgrad.ones(3), {}
    optimizer.step()
    assert x.tolist() == [4.0, 5.0, 6.0]
    optimizer.param_groups[0]["lr"] = 2.0
    x.grad = symgrad.zeros(3)
    optimizer.step()
    assert x.tolist() == [2.0, 3.0, 4.0]


# ---------------------------------------------------------------- groups and closures


def test_groups_have_settings_of_their_own() -> None:
    x, y, z = with_gradient(1.0), with_gradient(1.0), with_gradient(1.0)
    optimizer = optim.SGD([{"params": x, "lr": 0.5}, {"params": [y]}], lr=0.25)
    optimizer.add_param_group({"params": [z], "lr": 0.0})
    optimizer.step()
    assert [p.item() for p in (x, y, z)] == [0.0, 0.5, 1.0]


def test_names_are_kept() -> None:
    x, y = leaf(1.0), leaf(2.0)
    optimizer = optim.SGD([("x", x), ("y", y)])
    assert optimizer.param_groups[0]["param_names"] == ["x", "y"]
    assert optimizer.state_dict()["param_groups"][0]["param_names"] == ["x", "y"]
    with pytest.raises(ValueError, match="without names"):
        optimizer.add_param_group({"params": [leaf(3.0)]})


def test_a_rate_may_be_a_tensor() -> None:
    x, rate = with_gradient(1.0), symgrad.tensor(0.25)
    optimizer = optim.SGD([x], lr=rate)
    optimizer.step()
    rate.mul_(2)
    optimizer.step()
    assert x.item() == -0.5


def test_a_closure_is_recorded_and_its_loss_returned() -> None:
    x = leaf(1.0, 2.0)
    optimizer = optim.SGD([x], lr=0.25)

    def closure() -> Any:
        optimizer.zero_grad()
        loss = (x * x).sum()
        loss.backward()
        return loss

    with symgrad.no_grad():
        assert optimizer.step(closure).item() == 5.0
    assert x.tolist() == [0.5, 1.0]


def test_gradients_are_forgotten() -> None:
    x = with_gradient(1.0)
    optimizer = optim.SGD([x])
    optimizer.zero_grad(set_to_none=False)
    assert x.grad.tolist() == [0.0]
    (x.grad,) = symgrad.autograd.grad((x**3).sum(), x, create_graph=True)
    optimizer.zero_grad(set_to_none=False)
    assert x.grad.grad_fn is None and x.grad.tolist() == [0.0]
    optimizer.zero_grad()
    assert x.grad is None
    optimizer.step()
    assert x.tolist() == [1.0]


def test_hooks_are_called_in_pytorchs_order() -> None:
    x, said = with_gradient(1.0), []
    optimizer = optim.SGD([x])
    with (
        register_optimizer_step_pre_hook(lambda *a: said.append("all")),
        optimizer.register_step_pre_hook(lambda *a: said.append("own")),
        optimizer.register_step_post_hook(lambda o, args, kwargs: said.append(x.item() != 1.0)),
    ):
        optimizer.step()
    optimizer.step()
    assert said == ["all", "own", True]
    optimizer.register_step_pre_hook(lambda *a: 3)
    with pytest.raises(RuntimeError, match="must return None or a tuple"):
        optimizer.step()


def test_hooks_of_states() -> None:
    optimizer = optim.SGD([leaf(1.0)])
    optimizer.register_state_dict_post_hook(lambda o, found: found | {"more": 1})
    optimizer.register_state_dict_post_hook(lambda o, found: found | {"more": 2}, prepend=True)
    assert optimizer.state_dict()["more"] == 1
    optimizer.register_load_state_dict_pre_hook(lambda o, found: optimizer.state_dict())
    optimizer.load_state_dict({})


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))])
def test_copies_go_on(copied: Any) -> None:
    x = leaf(1.0, 2.0)
    optimizer = optim.Adam([x], lr=0.1)
    list(take(symgrad, optimizer, [x], range(1, 3)))
    other = copied(optimizer)
    (y,) = other.param_groups[0]["params"]
    list(take(symgrad, optimizer, [x], range(4, 9)))
    list(take(symgrad, other, [y], range(4, 9)))
    assert y is not x and y.tolist() == x.tolist()


def test_an_optimiser_with_a_step_of_its_own() -> None:
    class Own(optim.Optimizer):
        def step(self, closure: Any = None) -> Any:
            for group in self.param_groups:
                for p in group["params"]:
                    p.data.add_(p.grad, alpha=-group["lr"])
            return "done"

    x = with_gradient(1.0)
    optimizer = Own([x], {"lr": 0.25})
    said: list[Any] = []
    optimizer.register_step_post_hook(lambda *a: said.append(1))
    assert optimizer.step() == "done" and said == [1] and x.item() == 0.5


# ---------------------------------------------------------------- what is refused


def refused(make: Any, kind: type[Exception], text: str) -> None:
    with pytest.raises(kind) as caught:
        make()
    assert str(caught.value) == text


def test_what_is_no_list_of_parameters() -> None:
    x = leaf(1.0)
    refused(lambda: optim.SGD([]), ValueError, "optimizer got an empty parameter list")
    refused(
        lambda: optim.SGD(x),
        TypeError,
        "params argument given to the optimizer should be an iterable of Tensors or dicts, but got "
        "torch.FloatTensor",
    )
    for given in ([3], [x, 3]):
        refused(
            lambda given=given: optim.SGD(given),
            TypeError,
            "optimizer can only optimize Tensors, but one of the params is int",
        )
    refused(lambda: optim.SGD([x * 2]), ValueError, "can't optimize a non-leaf Tensor")
    refused(lambda: optim.SGD([{}]), KeyError, "'params'")
    refused(lambda: optim.SGD(None), TypeError, "'NoneType' object is not iterable")
    refused(
        lambda: optim.SGD([{"params": {x}}]),
        TypeError,
        "optimizer parameters need to be organized in ordered collections, but the ordering of "
        "tensors in sets will change between runs. Please use a list instead.",
    )
    optimizer = optim.SGD([x])
    for group in ([x], {"params": [x]}, {"params": [x * 1]}, {"params": ["a"]}):
        with pytest.raises((TypeError, ValueError)):
            optimizer.add_param_group(group)
        assert len(optimizer.param_groups) == 1


def test_settings_out_of_range() -> None:
    x = leaf(1.0)
    for name, given, text in [
        ("SGD", {"lr": -1}, "Invalid learning rate: -1"),
        ("SGD", {"momentum": -1}, "Invalid momentum value: -1"),
        ("SGD", {"nesterov": True}, "Nesterov momentum requires a momentum and zero dampening"),
        ("SGD", {"lr": symgrad.ones(2)}, "Tensor lr must be 1-element"),
        ("Adam", {"betas": (1.0, 0.5)}, "Invalid beta parameter at index 0: 1.0"),
        ("Adam", {"betas": (0.5, 0)}, "betas must be either both floats or both Tensors"),
        ("Adam", {"eps": -1e-8}, "Invalid epsilon value: -1e-08"),
        ("Adam", {"lr": float("nan")}, "Invalid learning rate: nan"),
        ("RMSprop", {"alpha": -1}, "Invalid alpha value: -1"),
        ("Adagrad", {"lr_decay": -1}, "Invalid lr_decay value: -1"),
    ]:
        refused(lambda n=name, g=given: getattr(optim, n)([x], **g), ValueError, text)
    with pytest.raises(RuntimeError, match="cannot be `True` together"):
        optim.Adam([x], fused=True, foreach=True)
    optim.SGD([x], lr=float("nan"))  # as in PyTorch


def test_a_wrong_closure_changes_nothing() -> None:
    x = with_gradient(1.0)
    optimizer = optim.Adam([x])
    refused(lambda: optimizer.step(3), TypeError, "'int' object is not callable")

    def fails() -> Any:
        raise OSError("no data")

    refused(lambda: optimizer.step(fails), OSError, "no data")
    assert x.item() == 1.0 and not optimizer.state


@pytest.mark.parametrize("name", ALL)
def test_an_error_leaves_everything_as_it_was(name: str) -> None:
    x, y = with_gradient(1.0), with_gradient(2.0, 3.0)
    optimizer = getattr(optim, name)([{"params": [x]}, {"params": [y], "lr": 0.1}])
    before = copy.deepcopy(optimizer.state_dict())
    y._grad = symgrad.ones(3)
    with pytest.raises(RuntimeError, match=r"shape \[2\] has a gradient or a state of shape \[3\]"):
        optimizer.step()
    y._grad = symgrad.ones(2, dtype=symgrad.float64)
    with pytest.raises(RuntimeError, match=r"of dtype float32 .* of dtype float64"):
        optimizer.step()
    y._grad = symgrad.ones(2)
    z = symgrad.ones(1).expand(3).detach().requires_grad_()  # three elements in one place
    z.grad = symgrad.ones(3)
    optimizer.param_groups[1]["params"].append(z)
    with pytest.raises(RuntimeError):
        optimizer.step()
    assert x.tolist() == [1.0] and y.tolist() == [2.0, 3.0]
    assert repr(optimizer.state_dict()["state"]) == repr(before["state"])


def test_states_that_do_not_fit() -> None:
    x = with_gradient(1.0)
    optimizer = optim.Adam([x])
    refused(
        lambda: optimizer.load_state_dict({"state": {}, "param_groups": []}),
        ValueError,
        "loaded state dict has a different number of parameter groups",
    )
    groups = [{**optimizer.state_dict()["param_groups"][0], "params": [0, 1]}]
    refused(
        lambda: optimizer.load_state_dict({"state": {}, "param_groups": groups}),
        ValueError,
        "loaded state dict contains a parameter group that doesn't match the size of optimizer's "
        "group",
    )
    optimizer.step()
    optimizer.state[x]["exp_avg"] = symgrad.ones(2)
    before = x.item()
    with pytest.raises(RuntimeError, match="state of shape"):
        optimizer.step()
    optimizer.state[x]["exp_avg"] = [0.0]
    with pytest.raises(TypeError, match="must be a tensor"):
        optimizer.step()
    assert x.item() == before and optimizer.state[x]["step"].item() == 1


# ---------------------------------------------------------------- imports


def test_it_is_imported_on_demand() -> None:
    code = (
        "import sys, symgrad; print('symgrad.optim' in sys.modules); symgrad.optim.SGD;"
        "print('symgrad.optim' in sys.modules, hasattr(symgrad, 'optimism'))"
    )
    run = [sys.executable, "-c", code]
    printed = subprocess.run(run, capture_output=True, text=True, check=True, timeout=600).stdout
    assert printed.split() == ["False", "True", "False"]


# ---------------------------------------------------------------- recorded steps


@pytest.mark.parametrize("name", ALL)
def test_a_recorded_step_is_the_same_and_has_a_derivative(name: str) -> None:
    """With respect to the gradient, at the second step, by differences in double precision."""
    values = {"dtype": symgrad.float64}

    def after(g: Any, differentiable: bool) -> Any:
        w = symgrad.tensor([0.5, -1.0], requires_grad=True, **values)
        p = w * 1.0 if differentiable else w
        if differentiable:
            p.retain_grad()
        optimizer = getattr(optim, name)([p], lr=0.1, differentiable=differentiable)
        for gradient in (symgrad.tensor([0.3, 0.4], **values), g, symgrad.tensor([0.1, 1.0])):
            p.grad = gradient.to(symgrad.float64)
            optimizer.step()
        return p

    g = symgrad.tensor([0.7, -0.2], requires_grad=True, **values)
    p = after(g, True)
    np.testing.assert_allclose(p.tolist(), after(g.detach(), False).tolist(), rtol=1e-7)
    (found,) = symgrad.autograd.grad(p[0] * p[1], g)
    for i in range(2):
        moved = []
        for sign in (1, -1):
            shifted = g.detach().clone()
            shifted[i] += sign * 1e-6
            x = after(shifted, False)
            moved.append(x[0].item() * x[1].item())
        assert abs(found[i].item() - (moved[0] - moved[1]) / 2e-6) < 1e-6


def test_a_rate_has_a_gradient() -> None:
    rate = symgrad.tensor(0.25, requires_grad=True)
    w = symgrad.tensor([1.0, 2.0], requires_grad=True)
    p = w.clone()
    p.grad = symgrad.tensor([3.0, 4.0])
    optim.SGD([p], lr=rate, differentiable=True).step()
    (found,) = symgrad.autograd.grad(p.sum(), rate)
    assert p.tolist() == [0.25, 1.0] and found.item() == -7.0


def test_what_needs_another_device() -> None:
    x = with_gradient(1.0)
    with pytest.raises(AssertionError, match="capturable=True"):
        optim.Adam([x], capturable=True).step()
    assert x.item() == 1.0


def test_states_that_were_numbers_once() -> None:
    x = with_gradient(1.0)
    optimizer = optim.NAdam([x])
    optimizer.step()
    state = optimizer.state_dict()
    state["state"][0] |= {"step": 1, "mu_product": 0.5}
    del state["param_groups"][0]["decoupled_weight_decay"]
    optimizer.load_state_dict(state)
    own = optimizer.state[x]
    assert own["step"].item() == 1.0 and own["mu_product"].dtype is symgrad.float32
    optimizer.step()
