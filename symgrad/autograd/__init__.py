"""Reverse-mode differentiation of what was recorded, with PyTorch's interface."""

from symgrad.autograd import anomaly_mode, forward_ad, function, functional, grad_mode, graph
from symgrad.autograd.anomaly_mode import detect_anomaly, set_detect_anomaly
from symgrad.autograd.api import backward, grad
from symgrad.autograd.function import Function
from symgrad.autograd.gradcheck import gradcheck, gradgradcheck
from symgrad.autograd.inference import inference_mode
from symgrad.autograd.modes import (
    enable_grad,
    is_grad_enabled,
    is_multithreading_enabled,
    no_grad,
    set_grad_enabled,
    set_multithreading_enabled,
)
from symgrad.autograd.plan import CacheInfo, cache_clear, cache_info
from symgrad.legacy import Variable

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
    "set_detect_anomaly",
    "set_grad_enabled",
    "set_multithreading_enabled",
]
