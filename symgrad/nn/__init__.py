"""PyTorch's `nn`: layers, networks, losses, and the functions of `symgrad.nn.functional`."""

import importlib
from typing import TYPE_CHECKING, Any

from symgrad.nn import functional, parameter
from symgrad.nn.parameter import Buffer, Parameter

if TYPE_CHECKING:
    from symgrad.nn import init, modules
    from symgrad.nn.modules import *

__all__ = [
    "AdaptiveAvgPool1d", "AdaptiveAvgPool2d", "AdaptiveAvgPool3d", "AdaptiveMaxPool1d",
    "AdaptiveMaxPool2d", "AdaptiveMaxPool3d", "AvgPool1d", "AvgPool2d", "AvgPool3d", "BCELoss",
    "BCEWithLogitsLoss", "Bilinear", "Buffer", "Conv1d", "Conv2d", "Conv3d", "ConvTranspose1d",
    "ConvTranspose2d", "ConvTranspose3d", "CrossEntropyLoss", "Dropout", "ELU", "Flatten", "Fold",
    "GELU", "Hardtanh", "Identity", "L1Loss", "LPPool1d", "LPPool2d", "LPPool3d", "LeakyReLU",
    "Linear", "LogSigmoid", "LogSoftmax", "MSELoss", "MaxPool1d", "MaxPool2d", "MaxPool3d",
    "Module", "ModuleDict", "ModuleList", "NLLLoss", "Parameter", "ParameterDict", "ParameterList",
    "ReLU", "ReLU6", "SELU", "Sequential", "SiLU", "Sigmoid", "Softmax", "Softmin", "Softplus",
    "Tanh", "Threshold", "Unflatten", "Unfold", "functional", "init", "modules", "parameter",
]  # fmt: skip

# Programs that define no network do not need these.
_LATER = frozenset({"init", "modules"})


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = importlib.import_module(f"{__name__}.{name if name in _LATER else 'modules'}")
    found = globals()[name] = module if name in _LATER else getattr(module, name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
