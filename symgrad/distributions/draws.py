"""Random numbers that distributions are made of, in the order in which PyTorch draws them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symgrad.autograd.forward_ad import unpack_dual
from symgrad.autograd.function import Function
from symgrad.autograd.vmap.drawing import check_randomness
from symgrad.distributions.functions import broadcast_tensors, rand, randn
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


class _Slopes(Function):
    """Derivatives of samples, which are numbers: those of the second order are not known."""

    @staticmethod
    def forward(compute: Any, concentration: Any, found: Any) -> Any:
        return wrap(compute(concentration.detach().numpy(), found.detach().numpy()))

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.name = inputs[0].__name__

    @staticmethod
    def backward(ctx: Any, grad_output: Any) -> Any:
        raise RuntimeError(f"derivative for {ctx.name}, the slopes of samples, is not implemented")

    @staticmethod
    def vmap(info: Any, in_dims: Any, compute: Any, *given: Any) -> Any:
        pairs = zip(in_dims[1:], given, strict=True)
        fronts = [x.unsqueeze(0) if d is None else x.movedim(d, 0) for d, x in pairs]
        return _Slopes.apply(compute, *broadcast_tensors(*fronts)), 0


def _primals(ctx: Any) -> list[Any]:
    """Return what was saved, without tangents."""
    return [unpack_dual(x).primal for x in ctx.saved_tensors]


class _Sample(Function):
    """The base: samples of concentrations.

    Their derivative is that of the inverse of the distribution function.
    """

    #: Draws an array for one of concentrations.
    draw: Any

    @classmethod
    def forward(cls, concentration: Any) -> Any:
        return drawn_from(concentration.detach(), lambda a: cls.draw(default_generator, a))

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.save_for_backward(*inputs, output)
        ctx.save_for_forward(*inputs, output)

    @classmethod
    def vmap(cls, info: Any, in_dims: Any, concentration: Any) -> Any:
        check_randomness(info.randomness)
        return cls.apply(concentration.movedim(in_dims[0], 0)), 0


class _Gamma(_Sample):
    """Gamma numbers."""

    draw = staticmethod(gammas.standard_gamma)

    @staticmethod
    def backward(ctx: Any, grad_output: Any) -> Any:
        return grad_output * _Slopes.apply(gamma_slopes, *ctx.saved_tensors)

    @staticmethod
    def jvp(ctx: Any, tangent: Any) -> Any:
        return tangent * _Slopes.apply(gamma_slopes, *_primals(ctx))


def standard_gamma(concentration: Any) -> Any:
    """Return gamma numbers of rate 1."""
    return _Gamma.apply(concentration)


class _Dirichlet(_Sample):
    """Gamma numbers over their sum. Each derivative is that of the beta distribution of one."""

    draw = staticmethod(gammas.standard_dirichlet)

    @staticmethod
    def backward(ctx: Any, grad_output: Any) -> Any:
        _, found = ctx.saved_tensors
        slopes = _Slopes.apply(dirichlet_slopes, *ctx.saved_tensors)
        return slopes * (grad_output - (found * grad_output).sum(-1, keepdim=True))

    @staticmethod
    def jvp(ctx: Any, tangent: Any) -> Any:
        concentration, found = _primals(ctx)
        moved = tangent * _Slopes.apply(dirichlet_slopes, concentration, found)
        return moved - found * moved.sum(-1, keepdim=True)


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
