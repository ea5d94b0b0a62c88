"""Random numbers that distributions are made of, in the order in which PyTorch draws them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symgrad.autograd.function import Function, once_differentiable
from symgrad.distributions.functions import rand, randn
from symgrad.distributions.slopes import dirichlet_slopes, gamma_slopes
from symgrad.functions.creation.making import drawn_from
from symgrad.random import gammas
from symgrad.random.default_stream import default_generator
from symgrad.record.record import wrap
from symgrad.tensor.queries import finfo


def standard_normal(like: Any, shape: Sequence[int]) -> Any:
    """Return normal numbers of the dtype of a tensor."""
    return randn(tuple(shape), dtype=like.dtype)


def standard_uniform(like: Any, shape: Sequence[int]) -> Any:
    """Return uniform numbers of the dtype of a tensor."""
    return rand(tuple(shape), dtype=like.dtype)


class _Gamma(Function):
    """Gamma numbers. Their derivative is that of the inverse of the distribution function."""

    @staticmethod
    def forward(ctx: Any, concentration: Any) -> Any:
        found = drawn_from(
            concentration.detach(), lambda a: gammas.standard_gamma(default_generator, a)
        )
        ctx.save_for_backward(concentration, found)
        return found

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad_output: Any) -> Any:
        concentration, found = ctx.saved_tensors
        return grad_output * wrap(gamma_slopes(concentration.numpy(), found.numpy()))


def standard_gamma(concentration: Any) -> Any:
    """Return gamma numbers of rate 1."""
    return _Gamma.apply(concentration)


class _Dirichlet(Function):
    """Gamma numbers over their sum. Each derivative is that of the beta distribution of one."""

    @staticmethod
    def forward(ctx: Any, concentration: Any) -> Any:
        found = drawn_from(
            concentration.detach(), lambda a: gammas.standard_dirichlet(default_generator, a)
        )
        ctx.save_for_backward(concentration, found)
        return found

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad_output: Any) -> Any:
        concentration, found = ctx.saved_tensors
        slopes = wrap(dirichlet_slopes(concentration.numpy(), found.numpy()))
        return slopes * (grad_output - (found * grad_output).sum(-1, keepdim=True))


def dirichlet(concentration: Any) -> Any:
    """Return positive numbers whose sum is 1."""
    return _Dirichlet.apply(concentration)


def binomial(count: Any, probs: Any) -> Any:
    """Return how often something happens in `count` trials, each with a probability."""
    return drawn_from(
        probs.detach(), lambda p: gammas.binomial(default_generator, count.numpy(), p)
    )


def smallest(x: Any) -> float:
    """Return the smallest normal number of the dtype of a tensor."""
    return float(finfo(x.dtype).tiny)
