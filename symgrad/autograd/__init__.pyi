"""What `symgrad.autograd` offers.

Written by `python -m tools.stubs`; not to be edited.
"""

import builtins
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar, overload

import numpy as np
from numpy import ndarray
import sympy
from sympy.core.basic import Basic

from symgrad import return_types as _return_types
from symgrad.expr.atoms import Leaf
from symgrad.expr.devices import device as _device
from symgrad.expr.dtypes import dtype as _dtype
from symgrad.expr.node import ArrayExpr
from symgrad.tensor.layout import layout as _layout
from symgrad.random import Generator as _Generator
from symgrad.expr.size import Size as _Size
from symgrad.tensor.tensor import Tensor

#: What computes, and what may stand beside it.
_T = TypeVar("_T", Tensor, ArrayExpr)
_Number = builtins.int | builtins.float | builtins.complex
_Operand = Tensor | ArrayExpr | ndarray[Any, Any]

from symgrad.autograd import anomaly_mode as anomaly_mode
from symgrad.autograd import grad_mode as grad_mode
from symgrad.autograd import graph as graph
from symgrad.autograd import variable as variable
from symgrad.autograd.anomaly_mode import detect_anomaly as detect_anomaly
from symgrad.autograd.anomaly_mode import set_detect_anomaly as set_detect_anomaly
from symgrad.autograd.gradcheck import gradcheck as gradcheck
from symgrad.autograd.gradcheck import gradgradcheck as gradgradcheck
from symgrad.autograd.variable import Variable as Variable
from symgrad.backward.api import backward as backward
from symgrad.backward.plan import CacheInfo as CacheInfo
from symgrad.backward.plan import cache_clear as cache_clear
from symgrad.backward.plan import cache_info as cache_info
from symgrad.record.inference import inference_mode as inference_mode
from symgrad.record.modes import enable_grad as enable_grad
from symgrad.record.modes import is_grad_enabled as is_grad_enabled
from symgrad.record.modes import is_multithreading_enabled as is_multithreading_enabled
from symgrad.record.modes import no_grad as no_grad
from symgrad.record.modes import set_grad_enabled as set_grad_enabled
from symgrad.record.modes import set_multithreading_enabled as set_multithreading_enabled
from symgrad.autograd import forward_ad as forward_ad
from symgrad.autograd import function as function
from symgrad.autograd import functional as functional
from symgrad.autograd import profiler as profiler
from symgrad.autograd.function import Function as Function
_K = TypeVar("_K")
_V = TypeVar("_V")

@overload
def grad(outputs: Any, inputs: dict[_K, _V], grad_outputs: Any = None, retain_graph: bool | None = None, create_graph: bool = False, only_inputs: bool = True, allow_unused: bool | None = None, is_grads_batched: bool = False, materialize_grads: bool = False) -> dict[_K, Tensor]:
    """Compute and return the sum of gradients of `outputs` with respect to `inputs`."""
@overload
def grad(outputs: Any, inputs: Any, grad_outputs: Any = None, retain_graph: bool | None = None, create_graph: bool = False, only_inputs: bool = True, allow_unused: bool | None = None, is_grads_batched: bool = False, materialize_grads: bool = False) -> tuple[Tensor, ...]:
    """Compute and return the sum of gradients of `outputs` with respect to `inputs`."""

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
