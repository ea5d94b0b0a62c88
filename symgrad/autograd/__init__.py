"""Reverse-mode differentiation of what was recorded, with PyTorch's interface."""

import importlib
from typing import TYPE_CHECKING, Any

from symgrad.autograd import anomaly_mode, grad_mode, graph, variable
from symgrad.autograd.anomaly_mode import detect_anomaly, set_detect_anomaly
from symgrad.autograd.gradcheck import gradcheck, gradgradcheck
from symgrad.autograd.variable import Variable
from symgrad.backward.api import backward, grad
from symgrad.backward.plan import CacheInfo, cache_clear, cache_info
from symgrad.record.inference import inference_mode
from symgrad.record.modes import (
    enable_grad,
    is_grad_enabled,
    is_multithreading_enabled,
    no_grad,
    set_grad_enabled,
    set_multithreading_enabled,
)
from symgrad.support.homes import at_home

if TYPE_CHECKING:
    from symgrad.autograd import forward_ad, function, functional, profiler
    from symgrad.autograd.function import Function

__all__ = [
    "CacheInfo",
    "Function",
    "Variable",
    "anomaly_mode",
    "backward",
    "cache_clear",
    "cache_info",
    "detect_anomaly",
    "enable_grad",
    "forward_ad",
    "function",
    "functional",
    "grad",
    "grad_mode",
    "gradcheck",
    "gradgradcheck",
    "graph",
    "inference_mode",
    "is_grad_enabled",
    "is_multithreading_enabled",
    "no_grad",
    "profiler",
    "set_detect_anomaly",
    "set_grad_enabled",
    "set_multithreading_enabled",
    "variable",
]

at_home(__name__, backward=backward, grad=grad)

# What programs that only compute gradients do not need, by the module that it is in.
_ON_DEMAND = {
    "Function": "function",
    "forward_ad": "forward_ad",
    "function": "function",
    "functional": "functional",
    "profiler": "profiler",
}


def __getattr__(name: str) -> Any:
    where = _ON_DEMAND.get(name)
    if where is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = importlib.import_module(f"{__name__}.{where}")
    found = globals()[name] = getattr(module, name, module)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
