"""PyTorch's `optim`: optimisers, each of which is a formula."""

from symgrad.optim.adagrad import Adagrad
from symgrad.optim.adam import Adam, AdamW
from symgrad.optim.optimizer import Optimizer
from symgrad.optim.rmsprop import RMSprop
from symgrad.optim.sgd import SGD
from symgrad.support.homes import at_home

__all__ = ["SGD", "Adagrad", "Adam", "AdamW", "Optimizer", "RMSprop"]

at_home(__name__, **{name: globals()[name] for name in __all__})
