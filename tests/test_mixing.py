"""Tensors of two libraries in one call: an error that names both, and the way across."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symgrad as sg
from tests.each import each


def _default(cls: Any, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
    return func(*args, **(kwargs or {}))


def _sin(x: Any) -> Any:
    return type(x).__torch_function__(_sin, (type(x),), (x,))


_default.__module__, _sin.__module__, _sin.__name__ = "torch._tensor", "torch", "sin"


class OfPyTorch:
    """What symgrad sees of a tensor of PyTorch: a class that answers by calling again."""

    __torch_function__ = classmethod(_default)


CALLS: dict[str, Callable[[Any, Any], Any]] = {
    "function": lambda x, other: sg.sin(other),
    "second operand": lambda x, other: sg.add(x, other),
    "first operand": lambda x, other: sg.add(other, x),
    "method": lambda x, other: x.add(other),
    "in a list": lambda x, other: sg.stack([x, other]),
    "layer": lambda x, other: sg.nn.functional.linear(other, x),
    **{f.__name__: f for f in (operator.mul, operator.eq, operator.matmul, operator.pow)},
    "reflected": lambda x, other: x.__rmul__(other),
}


@each("call", CALLS)
def test_a_tensor_of_pytorch_is_refused_by_name(call: Callable[[Any, Any], Any]) -> None:
    x = sg.ones(2, 2, requires_grad=True)
    with pytest.raises(TypeError, match=r"of symgrad was given a tensor of PyTorch.*from_numpy"):
        call(x, OfPyTorch())


def test_functions_of_pytorch_refuse_a_tensor_of_symgrad_by_name() -> None:
    class Sub(sg.Tensor):
        pass

    for x in (sg.ones(2), sg.nn.Parameter(sg.ones(2)).detach(), Sub([1.0])):
        with pytest.raises(TypeError, match=r"^sin\(\) of PyTorch was given a tensor of symgrad"):
            _sin(x)


class ArrayOfPyTorch(OfPyTorch):
    """A tensor of PyTorch with values, which it gives to NumPy."""

    def __init__(self, *values: float) -> None:
        self._values = np.array(values, np.float32)

    def detach(self) -> ArrayOfPyTorch:
        return self

    def numpy(self) -> Any:
        return self._values


def test_a_module_takes_a_state_of_pytorch() -> None:
    module = sg.nn.BatchNorm1d(2, affine=False)
    mean = ArrayOfPyTorch(1.0, 2.0)
    module.load_state_dict({"running_mean": mean}, strict=False)
    assert module.running_mean.tolist() == [1, 2]
    module.load_state_dict({"running_mean": mean}, strict=False, assign=True)
    module.running_mean += 1
    assert mean._values.tolist() == [1, 2]  # a copy
    with pytest.raises(RuntimeError, match=r"copying a param with shape torch.Size\(\[1\]\)"):
        module.load_state_dict({"running_mean": ArrayOfPyTorch(1.0)}, strict=False)
    # What NumPy has not is named beside all else that is wrong.
    state = {"running_mean": OfPyTorch(), "running_var": ArrayOfPyTorch(1.0)}
    with pytest.raises(RuntimeError, match=r'(?s)"running_mean", an exception.*for running_var:'):
        module.load_state_dict(state, strict=False)


@pytest.mark.oracle
def test_tensors_of_pytorch_itself() -> None:
    torch = pytest.importorskip("torch")
    x, t = sg.ones(2, requires_grad=True), torch.ones(2)
    for call in (
        lambda: torch.nn.functional.relu(x),
        lambda: torch.add(t, x),
        lambda: torch.nn.Linear(2, 2)(x),
        lambda: sg.nn.Linear(2, 2)(t),
        lambda: x * t,
        lambda: t * x,
    ):
        with pytest.raises(TypeError, match=r"symgrad.*PyTorch|PyTorch.*symgrad"):
            call()
    across = sg.from_numpy(t.numpy()) * x
    np.testing.assert_array_equal(across.detach().numpy(), np.ones(2))
    theirs, ours = torch.nn.Linear(2, 3), sg.nn.Linear(2, 3)
    ours.load_state_dict(theirs.state_dict())
    np.testing.assert_array_equal(ours.weight.detach().numpy(), theirs.weight.detach().numpy())
