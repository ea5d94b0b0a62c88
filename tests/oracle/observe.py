"""Runs one case on a namespace (PyTorch or symgrad) and states what was observed, as plain data.

The same code observes both libraries, so a difference is a difference of behaviour.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any

import numpy as np

from .table import Case, cotangent

FREED = "Trying to backward through the graph a second time"


@dataclass
class Failure:
    """An error's class and the first line of its message."""

    error: str
    message: str

    @classmethod
    def of(cls, error: Exception) -> Failure:
        return cls(type(error).__name__, first_line(error))


def first_line(error: Exception) -> str:
    line = (str(error).splitlines() or [""])[0]
    return line.split(' at "/')[0]  # not where PyTorch was built


def quiet(observation: Callable[..., Any]) -> Callable[..., Any]:
    """Lets PyTorch's own deprecations pass; a RuntimeWarning of NumPy's must not reach the user."""

    @wraps(observation)
    def run(*args: Any) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            warnings.simplefilter("ignore", FutureWarning)
            return observation(*args)

    return run


def tensors(torch: Any, case: Case, draw: int = 0) -> list[Any]:
    """Fresh input tensors; those laid out unusually keep NumPy's strides."""
    made = []
    for arg, array in zip(case.args, case.arrays(draw), strict=True):
        x = torch.tensor(array) if arg.layout == "C" else torch.from_numpy(array)
        made.append(x.requires_grad_(True) if arg.requires_grad else x)
    return made


def array_of(x: Any) -> np.ndarray:
    x = x.detach()
    if getattr(x, "_is_zerotensor", bool)():  # PyTorch's zeros without memory
        return np.zeros(tuple(x.shape), dtype_of(x))
    for lazy in ("resolve_conj", "resolve_neg"):
        if hasattr(x, lazy):
            x = getattr(x, lazy)()
    return np.array(x.numpy())


def dtype_of(x: Any) -> str:
    return str(x.dtype).rsplit(".", 1)[-1]


def flatten(result: Any) -> list[Any]:
    if isinstance(result, list | tuple):
        return [leaf for part in result for leaf in flatten(part)]
    return [result]


def is_tensor(x: Any) -> bool:
    return hasattr(x, "requires_grad") and hasattr(x, "detach")


def call(torch: Any, case: Case, inputs: list[Any]) -> list[Any]:
    return flatten(case.fn(torch, *inputs))


@quiet
def outputs(torch: Any, case: Case, draw: int = 0) -> list[Any] | Failure:
    """Per output: value, dtype, requires_grad and the name of grad_fn; or the failure."""
    inputs = tensors(torch, case, draw)
    try:
        results = call(torch, case, inputs)
    except Exception as error:
        return Failure.of(error)
    return [_output(x) for x in results]


def _output(x: Any) -> Any:
    if not is_tensor(x):
        return {"python": type(x).__name__, "repr": repr(x)}
    name = None if x.grad_fn is None else x.grad_fn.name()
    value = array_of(x)
    assert value.shape == tuple(x.shape)
    return {
        "value": value,
        "dtype": dtype_of(x),
        "requires_grad": bool(x.requires_grad),
        "grad_fn": name,
    }


def _differentiable(torch: Any, case: Case, draw: int) -> tuple[list[Any], list[Any], list[Any]]:
    inputs = tensors(torch, case, draw)
    results = [x for x in call(torch, case, inputs) if is_tensor(x) and x.requires_grad]
    return inputs, results, [x for x in inputs if x.requires_grad]


def _pulled(torch: Any, case: Case, results: list[Any], which: int = 0) -> list[Any]:
    return [
        torch.tensor(cotangent(tuple(y.shape), dtype_of(y), which + k, case.ones))
        for k, y in enumerate(results)
    ]


@quiet
def first(torch: Any, case: Case, draw: int = 0) -> tuple[list[Any] | Failure | None, bool | None]:
    """Gradients of <outputs, fixed cotangents> for every input that requires grad.

    And whether a second backward, after that one without retain_graph, is refused.
    """
    inputs, results, wanted = _differentiable(torch, case, draw)
    if not results or not wanted:
        return None, None
    before = [array_of(x) for x in inputs]
    cts = _pulled(torch, case, results)
    try:
        grads = torch.autograd.grad(results, wanted, cts, allow_unused=True)
    except Exception as error:
        return Failure.of(error), None
    for x, old in zip(inputs, before, strict=True):
        np.testing.assert_array_equal(array_of(x), old, err_msg="backward changed an input")
    found = [_gradient(g) for g in grads]
    try:
        torch.autograd.grad(results, wanted, cts, allow_unused=True)
    except RuntimeError as error:
        if FREED in str(error):
            return found, True
        raise
    return found, False


def _gradient(g: Any) -> np.ndarray | None:
    if g is None:
        return None
    value = array_of(g)
    assert str(value.dtype) == dtype_of(g) and value.shape == tuple(g.shape)
    return value


@quiet
def second(torch: Any, case: Case, draw: int = 0) -> list[Any] | Failure | None:
    """Gradients of <first gradients, fixed vectors> for inputs, then for the cotangents.

    The cotangents require grad, so the second half is the forward-mode derivative; a gradient that
    is None is the same as zeros.
    """
    _, results, wanted = _differentiable(torch, case, draw)
    if not results or not wanted:
        return None
    cts = [ct.requires_grad_(True) for ct in _pulled(torch, case, results)]
    try:
        grads = torch.autograd.grad(results, wanted, cts, create_graph=True, allow_unused=True)
        rows = [k for k, g in enumerate(grads) if g is not None and g.requires_grad]
        if not rows:
            return None
        live = [grads[k] for k in rows]
        vectors = [_pulled(torch, case, [grads[k]], which=3 + k)[0] for k in rows]
        seconds = torch.autograd.grad(live, wanted + cts, vectors, allow_unused=True)
    except Exception as error:
        return Failure.of(error)
    return [_gradient(g) for g in seconds]


@quiet
def failure(torch: Any, case: Case) -> Failure | None:
    """How a bad call fails; it must leave its tensors' values, dtypes and gradients alone."""
    inputs = tensors(torch, case)
    before = [array_of(x) for x in inputs]
    try:
        case.fn(torch, *inputs)
    except Exception as error:
        observed = Failure.of(error)
    else:
        return None
    for x, arg, old in zip(inputs, case.args, before, strict=True):
        assert dtype_of(x) == arg.dtype and bool(x.requires_grad) == arg.requires_grad
        assert x.grad is None and x.is_leaf
        np.testing.assert_array_equal(array_of(x), old, err_msg="a failed call changed its input")
    return observed
