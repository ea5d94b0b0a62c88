"""Layers, networks and losses: what `symgrad.nn` shows of them, loaded when one is asked for."""

from symgrad.nn.modules.activation import (
    ELU,
    GELU,
    SELU,
    Hardtanh,
    LeakyReLU,
    LogSigmoid,
    LogSoftmax,
    ReLU,
    ReLU6,
    Sigmoid,
    SiLU,
    Softmax,
    Softmin,
    Softplus,
    Tanh,
    Threshold,
)
from symgrad.nn.modules.container import ModuleDict, ModuleList, Sequential
from symgrad.nn.modules.conv import (
    Conv1d,
    Conv2d,
    Conv3d,
    ConvTranspose1d,
    ConvTranspose2d,
    ConvTranspose3d,
)
from symgrad.nn.modules.dropout import Dropout
from symgrad.nn.modules.flatten import Flatten, Unflatten
from symgrad.nn.modules.fold import Fold, Unfold
from symgrad.nn.modules.linear import Bilinear, Identity, Linear
from symgrad.nn.modules.loss import (
    BCELoss,
    BCEWithLogitsLoss,
    CrossEntropyLoss,
    L1Loss,
    MSELoss,
    NLLLoss,
)
from symgrad.nn.modules.module import Module
from symgrad.nn.modules.parameters import ParameterDict, ParameterList
from symgrad.nn.modules.pooling import (
    AdaptiveAvgPool1d,
    AdaptiveAvgPool2d,
    AdaptiveAvgPool3d,
    AdaptiveMaxPool1d,
    AdaptiveMaxPool2d,
    AdaptiveMaxPool3d,
    AvgPool1d,
    AvgPool2d,
    AvgPool3d,
    LPPool1d,
    LPPool2d,
    LPPool3d,
    MaxPool1d,
    MaxPool2d,
    MaxPool3d,
)

__all__ = [
    "AdaptiveAvgPool1d", "AdaptiveAvgPool2d", "AdaptiveAvgPool3d", "AdaptiveMaxPool1d",
    "AdaptiveMaxPool2d", "AdaptiveMaxPool3d", "AvgPool1d", "AvgPool2d", "AvgPool3d", "BCELoss",
    "BCEWithLogitsLoss", "Bilinear", "Conv1d", "Conv2d", "Conv3d", "ConvTranspose1d",
    "ConvTranspose2d", "ConvTranspose3d", "CrossEntropyLoss", "Dropout", "ELU", "Flatten", "Fold",
    "GELU", "Hardtanh", "Identity", "L1Loss", "LPPool1d", "LPPool2d", "LPPool3d", "LeakyReLU",
    "Linear", "LogSigmoid", "LogSoftmax", "MSELoss", "MaxPool1d", "MaxPool2d", "MaxPool3d",
    "Module", "ModuleDict", "ModuleList", "NLLLoss", "ParameterDict", "ParameterList", "ReLU",
    "ReLU6", "SELU", "Sequential", "SiLU", "Sigmoid", "Softmax", "Softmin", "Softplus", "Tanh",
    "Threshold", "Unflatten", "Unfold",
]  # fmt: skip
