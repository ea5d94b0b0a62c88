"""Tensors as objects, beyond the recorded scenarios: views changed in place above all."""

from __future__ import annotations

import ast
import copy
import gc
import inspect
import pickle
import warnings
import weakref
from pathlib import Path

import numpy as np
import pytest

import symgrad as torch
from symgrad import Tensor
from symgrad.functions.creation import CREATION
from symgrad.schema.public import IN_PLACE, METHODS, SCHEMAS
from symgrad.tensor import queries
from tests.each import each

pytestmark = [pytest.mark.tiny, pytest.mark.versions]

# -------------------------------------------------------------- a step of training


def test_the_step_of_a_linear_layer_through_the_doors():
    inputs, targets = np.array([[1.0, 2.0], [3.0, -1.0]]), np.array([[0.5], [1.5]])
    x, y = torch.from_numpy(inputs), torch.from_numpy(targets)
    weight = torch.nn.Parameter(torch.tensor([[0.5, -1.0]], dtype=torch.float64))

    def layer(w):
        return torch.nn.functional.linear(x, w)

    made = torch.utils.checkpoint.checkpoint(layer, weight, use_reentrant=False)
    torch.nn.functional.mse_loss(made, y).backward()
    residuals = inputs @ np.array([[0.5, -1.0]]).T - targets
    np.testing.assert_allclose(weight.grad.numpy(), residuals.T @ inputs, rtol=1e-14)


# -------------------------------------------------------------- views and their bases


def _slope(f, point, step=1e-6):
    """Central differences of a scalar function of an array."""
    out = np.zeros_like(point)
    for i in np.ndindex(point.shape):
        high, low = point.copy(), point.copy()
        high[i] += step
        low[i] -= step
        out[i] = (f(high) - f(low)) / (2 * step)
    return out


def _row_scaled(y):
    y[0].mul_(3.0)


def _part_of_part(y):
    y[0][1:].exp_()


def _reshaped(y):
    y.view(-1)[1] = y[0, 0].clone() * y[1, 1].clone()


def _transposed(y):
    y.t()[1].sin_()


def _permuted_part(y):
    y.permute(1, 0)[:, 1] *= y.detach()[0, 0].item()


def _base_while_view_lives(y):
    view = y[1]
    y.mul_(y.detach() + 1)
    y[0, 0] = (view.clone() ** 2).sum()


def _view_while_another_lives(y):
    a, b = y[0], y[:, 1]
    a.mul_(2.0)
    b.add_(a.sum())
    y[1, 0] = b[0].clone() * a[1].clone()


def _mask(y):
    y[y > 1] = y.sum()


def _self_operand(y):
    y.mul_(y)


@pytest.mark.parametrize(
    "change",
    [
        _row_scaled,
        _part_of_part,
        _reshaped,
        _transposed,
        _permuted_part,
        _base_while_view_lives,
        _view_while_another_lives,
        _mask,
        _self_operand,
    ],
)
def test_gradients_through_changed_views_are_the_slopes(change):
    point = np.array([[0.3, 0.7], [1.1, -0.4]])
    weights = torch.tensor([[1.0, 10.0], [100.0, 1000.0]], dtype=torch.float64)

    def value(array):
        y = torch.tensor(array) * 2.0
        change(y)
        return float((y * weights).sum())

    x = torch.tensor(point, requires_grad=True)
    y = x * 2.0
    detached = y.detach()[0, 0].item()
    change(y)
    assert detached == 0.6
    (y * weights).sum().backward()
    if change is _base_while_view_lives:  # `detach` hides a dependence that the slope sees
        expected = _slope_with_frozen_detach(point, weights.numpy())
    elif change is _permuted_part:
        expected = np.array([[2.0, 20.0], [200.0 * 0.6, 2000.0 * 0.6]])
    else:
        expected = _slope(value, point)
    np.testing.assert_allclose(x.grad.numpy(), expected, rtol=1e-6)


def _slope_with_frozen_detach(point, weights):
    frozen = 2.0 * point + 1

    def value(array):
        y = 2.0 * array * frozen
        y[0, 0] = (y[1] * y[1]).sum()
        return float((y * weights).sum())

    return _slope(value, point)


def test_a_view_of_a_constant_gives_its_base_history():
    w = torch.tensor([2.0, 3.0], requires_grad=True)
    base = torch.zeros(2, 2)
    base[0].add_(w * w)
    assert base.requires_grad
    assert base.grad_fn.name() == "torch::autograd::CopySlices"
    (base * base).sum().backward()
    assert w.grad.tolist() == [4 * 8.0, 4 * 27.0]


def test_a_view_made_without_record_may_not_get_history():
    x = torch.ones(2, requires_grad=True)
    with torch.no_grad():
        view = x[:1]
    w = torch.ones(1, requires_grad=True)
    with pytest.raises(RuntimeError, match="A view was created in no_grad mode"):
        view.mul_(w)
    assert x.tolist() == [1.0, 1.0]


def test_expanded_memory_may_not_be_written():
    x = torch.ones(1).expand(3)
    with pytest.raises(RuntimeError, match="more than one element of the written-to tensor"):
        x.add_(1)


def test_views_are_forgotten():
    base = torch.ones(4)
    for _ in range(200):
        _ = base.view(2, 2)
    assert len(base._views) < 64


def test_no_cycle_keeps_a_changed_graph_alive():
    gc.collect()
    gc.disable()
    try:
        x = torch.ones(2, requires_grad=True)
        y = x * 2
        view = y[0]
        view.mul_(3)
        gone = weakref.ref(y)
        del y, view
        assert gone() is None
    finally:
        gc.enable()


def test_retained_gradient_follows_the_new_value():
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    y.retain_grad()
    y.mul_(5)
    (y * 3).sum().backward()
    assert y.grad.tolist() == [3.0, 3.0]
    assert x.grad.tolist() == [30.0, 30.0]


def test_operations_in_place_that_save_their_operand_keep_its_old_value():
    x = torch.tensor([0.5, 1.0], dtype=torch.float64, requires_grad=True)
    y = x * 1
    y.sin_()
    y.sum().backward()
    np.testing.assert_allclose(x.grad.numpy(), np.cos([0.5, 1.0]))


def test_a_failed_change_leaves_everything():
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    before = y.grad_fn
    for bad in (lambda: y.add_(torch.ones(3)), lambda: y.mul_(1j), lambda: y.__setitem__(5, 1.0)):
        with pytest.raises((RuntimeError, IndexError)):
            bad()
    assert (y.grad_fn, y._version, y.tolist()) == (before, 0, [2.0, 2.0])


@each("name", [n for n in IN_PLACE if n in METHODS and IN_PLACE[n] != "shape"])
def test_forms_in_place_agree_with_the_operation(name):
    operation = getattr(Tensor, name)
    parameters = list(inspect.signature(operation).parameters.values())[1:]
    required = [p for p in parameters if p.default is p.empty and p.kind is p.POSITIONAL_OR_KEYWORD]
    if len(required) > 1 or name in ("index_put", "masked_fill", "cumsum", "cumprod"):
        pytest.skip("its arguments are not one tensor")
    integral = name.startswith("bitwise") or name in ("gcd", "lcm")
    if name in ("tril", "triu"):
        pytest.skip("it takes matrices")
    x = torch.tensor([5, 3]) if integral else torch.tensor([0.25, 0.5], dtype=torch.float64)
    other = torch.tensor([1, 2] if integral else [0.5, 0.75], dtype=x.dtype)
    arguments = [other] * len(required)
    if name in ("clamp", "clip"):
        arguments = [0.3]
    if name in ("mvlgamma", "polygamma"):
        arguments = [1]
    with warnings.catch_warnings(action="ignore"):  # of a name's age
        expected = operation(x, *arguments)
    kept = x
    result = getattr(x, f"{name}_")(*arguments)
    assert result is kept
    np.testing.assert_array_equal(kept.numpy(), expected.numpy().astype(kept.numpy().dtype))


# -------------------------------------------------------------- NumPy


def test_a_function_without_counterpart_does_not_lose_a_gradient():
    x = torch.ones(3, requires_grad=True)
    with pytest.raises(TypeError, match=r"np\.unwrap has no counterpart.*detach"):
        np.unwrap(x)
    with pytest.raises(TypeError, match=r"np\.add has no counterpart"):
        np.add(np.ones(3), x, out=np.empty(3))
    assert isinstance(np.unwrap(x.detach()), np.ndarray)


@each(
    "numpy_function, own",
    [
        (lambda x: np.mean(x, axis=0), lambda x: x.mean(0)),
        (lambda x: np.var(x), lambda x: x.var(correction=0)),
        (lambda x: np.max(x, axis=1), lambda x: x.amax(1)),
        (lambda x: np.concatenate([x, x], axis=1), lambda x: torch.cat([x, x], 1)),
        (lambda x: np.stack([x, np.ones((2, 2))]), lambda x: torch.stack([x, x * 0 + 1])),
        (lambda x: np.where(x > 0, x, 0.0), lambda x: torch.where(x > 0, x, 0.0)),
        (lambda x: np.transpose(x), lambda x: x.t()),
        (lambda x: np.reshape(x, (4,)), lambda x: x.reshape(4)),
        (lambda x: np.dot(x, x), lambda x: x @ x),
        (lambda x: np.clip(x, 0.0, 1.0), lambda x: x.clamp(0.0, 1.0)),
        (lambda x: np.add.reduce(x), lambda x: x.sum(0)),
        (lambda x: np.cumsum(x), lambda x: x.reshape(-1).cumsum(0)),
        (lambda x: np.ones((2, 2)) @ x, lambda x: torch.ones(2, 2, dtype=torch.float64) @ x),
        (lambda x: np.float64(2) / x, lambda x: 2 / x),
        (lambda x: np.linalg.norm(x), lambda x: x.norm()),
    ],
)
def test_numpy_functions_record(numpy_function, own):
    data = np.array([[0.5, -1.5], [2.0, 3.0]])
    a, b = torch.tensor(data, requires_grad=True), torch.tensor(data, requires_grad=True)
    y, z = numpy_function(a), own(b)
    np.testing.assert_array_equal(y.detach().numpy(), z.detach().numpy())
    y.sum().backward()
    z.sum().backward()
    np.testing.assert_array_equal(a.grad.numpy(), b.grad.numpy())


# -------------------------------------------------------------- names, copies


@pytest.mark.parametrize("name", ["", "a b", "lambda", "x;import os", "1x", "x-y", 'x"', 3, "<b>"])
def test_only_identifiers_are_names(name):
    with pytest.raises(ValueError, match="a name must be a Python identifier"):
        torch.tensor(1.0, name=name)
    x = torch.tensor(1.0, name="x")
    with pytest.raises(ValueError, match="a name must be a Python identifier"):
        x.name = name
    assert x.name == "x"


def test_pickle_and_copies_keep_name_and_flags():
    x = torch.tensor([1.0, 2.0], requires_grad=True, name="weights")
    x.note = "kept"
    for y in (pickle.loads(pickle.dumps(x)), copy.copy(x), copy.deepcopy(x)):
        assert (y.name, y.note, y.requires_grad, y.tolist()) == ("weights", "kept", True, [1, 2])
    y = pickle.loads(pickle.dumps(x * 2))
    assert y.is_leaf and y.requires_grad and y.tolist() == [2.0, 4.0]


# -------------------------------------------------------------- making tensors


def test_random_numbers_are_those_of_pytorch():
    torch.manual_seed(0)
    assert torch.rand(2).tolist() == [np.float32(0.49625659), np.float32(0.76822180)]
    torch.manual_seed(0)
    np.testing.assert_allclose(torch.randn(2).numpy(), [1.5409961, -0.2934289], rtol=1e-6)
    torch.manual_seed(0)
    assert torch.randint(0, 10, (5,)).tolist() == [4, 9, 3, 0, 3]
    torch.manual_seed(0)
    assert torch.randperm(5).tolist() == [4, 0, 1, 3, 2]


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: torch.zeros(2, device="cuda"), AssertionError, "not compiled with CUDA"),
        (lambda: torch.nn.Linear(2, 1).cuda(), AssertionError, "not compiled with CUDA"),
        (lambda: torch.zeros(2, device=1.5), TypeError, "must be torch.device"),
        (lambda: torch.normal(0.0, -1.0, size=(2,)), RuntimeError, "std >= 0.0"),
        (lambda: torch.randint(7, 5, (2,)), RuntimeError, "less than 'to'"),
        (lambda: torch.rand(2, generator=3), TypeError, r"got \(int, generator=int\)"),
        (lambda: torch.asarray([1.0], copy=False), ValueError, "alias"),
        (lambda: torch.tensor(1.0).size(0), IndexError, "no dimensions"),
        (lambda: torch.Size([1.5]), TypeError, "item 0 is 'float'"),
        (lambda: torch.promote_types(1, 2), TypeError, "must be torch.dtype, not int"),
    ],
)
def test_bad_input(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_every_function_is_exported():
    assert CREATION.keys() <= set(torch.__all__)
    assert all(getattr(torch, name) is f for name, f in CREATION.items())
    assert all(getattr(torch, name) is getattr(queries, name) for name in queries.__all__)


def test_the_declarations_for_type_checkers_are_current():
    from tools.stubs import written

    for path, text in written().items():
        assert path.read_text(encoding="utf-8") == text, "run: python -m tools.stubs"


def test_type_checkers_know_the_spellings_of_numpy_that_functions_accept():
    files = [
        ("", "_declared.pyi", False), ("", "_declared.pyi", True), ("linalg.", "linalg.pyi", False),
        ("nn.functional.", "nn/functional.pyi", False),
    ]  # fmt: skip
    count = 0
    for space, file, methods in files:
        tree = ast.parse((Path(torch.__file__).parent / file).read_text(encoding="utf-8"))
        (members,) = [x.body for x in tree.body if isinstance(x, ast.ClassDef)] or [[]]
        declared = {}
        for f in members if methods else tree.body:
            if isinstance(f, ast.FunctionDef):
                names = [p.arg for p in (*f.args.args, *f.args.kwonlyargs)]
                declared.setdefault(f.name, []).append(names)
        for name, found in declared.items():
            schema = SCHEMAS.get((space + name, methods)) or SCHEMAS.get((name, True))
            if schema is None or not any("dim" in names for names in found):
                continue
            known = {name for names in found for name in names}
            assert ("axis" in known) != schema.python, (space, name)
            assert ("keepdims" in known) == ("keepdim" in known and not schema.python), name
            count += 1
    assert count > 100
