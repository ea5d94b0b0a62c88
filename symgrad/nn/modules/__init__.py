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
from symgrad.nn.modules.dropout import Dropout
from symgrad.nn.modules.flatten import Flatten, Unflatten
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

__all__ = [
    "BCELoss", "BCEWithLogitsLoss", "Bilinear", "CrossEntropyLoss", "Dropout", "ELU", "Flatten",
    "GELU", "Hardtanh", "Identity", "L1Loss", "LeakyReLU", "Linear", "LogSigmoid", "LogSoftmax",
    "MSELoss", "Module", "ModuleDict", "ModuleList", "NLLLoss", "ParameterDict", "ParameterList",
    "ReLU", "ReLU6", "SELU", "Sequential", "SiLU", "Sigmoid", "Softmax", "Softmin", "Softplus",
    "Tanh", "Threshold", "Unflatten",
]  # fmt: skip
