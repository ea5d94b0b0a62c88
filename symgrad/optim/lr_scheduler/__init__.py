"""PyTorch's `optim.lr_scheduler`: what sets the learning rates of an optimiser, step by step."""

from symgrad.optim.lr_scheduler.combined import ChainedScheduler, SequentialLR
from symgrad.optim.lr_scheduler.cosine import CosineAnnealingLR, CosineAnnealingWarmRestarts
from symgrad.optim.lr_scheduler.cycles import CyclicLR, OneCycleLR
from symgrad.optim.lr_scheduler.factors import (
    ConstantLR,
    ExponentialLR,
    LambdaLR,
    LinearLR,
    MultiplicativeLR,
    MultiStepLR,
    PolynomialLR,
    StepLR,
)
from symgrad.optim.lr_scheduler.plateau import ReduceLROnPlateau
from symgrad.optim.lr_scheduler.scheduler import LRScheduler, _LRScheduler
from symgrad.support.homes import at_home

__all__ = [
    "ChainedScheduler", "ConstantLR", "CosineAnnealingLR", "CosineAnnealingWarmRestarts",
    "CyclicLR", "ExponentialLR", "LRScheduler", "LambdaLR", "LinearLR", "MultiStepLR",
    "MultiplicativeLR", "OneCycleLR", "PolynomialLR", "ReduceLROnPlateau", "SequentialLR", "StepLR",
]  # fmt: skip

at_home(__name__, _LRScheduler=_LRScheduler, **{name: globals()[name] for name in __all__})
