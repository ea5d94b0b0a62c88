"""The peers that are installed, each behind the few words that the cases are written in.

A case is a function of a module `m` with PyTorch's names; JAX and HIPS autograd, which transform
functions instead of recording tensors, get theirs from `jax_gradient` and `hips_gradient`.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable
from types import ModuleType, SimpleNamespace
from typing import Any

__all__ = ["functional", "recording"]


def recording() -> dict[str, ModuleType]:
    """Return symgrad, and PyTorch where it is installed, on one thread."""
    found = {"symgrad": importlib.import_module("symgrad")}
    if importlib.util.find_spec("torch"):
        found["torch"] = torch = importlib.import_module("torch")
        torch.set_num_threads(1)
    return found


def functional() -> dict[str, Callable[[Callable[..., Any], int], Callable[..., Any]]]:
    """Return, for each of JAX and HIPS autograd that is installed, how it makes gradients.

    The value takes a function of `(m, *arrays)` that returns a scalar, and the number of arrays
    that it is differentiated by; it returns a function of arrays that computes value and gradients.
    """
    found: dict[str, Callable[[Callable[..., Any], int], Callable[..., Any]]] = {}
    if importlib.util.find_spec("jax"):
        found["jax (jit)"] = _jax
    if importlib.util.find_spec("autograd"):
        found["autograd"] = _hips
    return found


def _jax(f: Callable[..., Any], count: int) -> Callable[..., Any]:
    jax = importlib.import_module("jax")
    jax.config.update("jax_enable_x64", True)
    names = _numpy_names(jax.numpy)
    names.relu = jax.nn.relu
    step = jax.jit(jax.value_and_grad(lambda *a: f(names, *a), argnums=tuple(range(count))))

    def run(*arrays: Any) -> Any:
        return jax.block_until_ready(step(*arrays))

    return run


def _hips(f: Callable[..., Any], count: int) -> Callable[..., Any]:
    autograd = importlib.import_module("autograd")
    names = _numpy_names(importlib.import_module("autograd.numpy"))
    names.relu = lambda x: names.maximum(x, 0.0)

    def scalar(wanted: Any, *rest: Any) -> Any:
        return f(names, *wanted, *rest)

    gradient = autograd.value_and_grad(scalar)

    def run(*arrays: Any) -> Any:
        return gradient(tuple(arrays[:count]), *arrays[count:])

    return run


def _numpy_names(np: Any) -> SimpleNamespace:
    names = SimpleNamespace(
        **{
            n: getattr(np, n)
            for n in ("sin", "cos", "exp", "log", "tanh", "sqrt", "sum", "maximum")
        }
    )
    names.logsumexp = lambda x, axis: np.log(np.sum(np.exp(x), axis))
    return names
