"""Custom functions that several families of scenarios use."""

from __future__ import annotations


def _square(torch, events=None):
    """x**2, which says when it runs."""

    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            if events is not None:
                events.append("forward")
            return x * x

        @staticmethod
        def backward(ctx, grad):
            (x,) = ctx.saved_tensors
            if events is not None:
                events.append("backward")
            return 2 * x * grad

    return Square


def _exp(torch):
    """exp(x), which saves its output."""

    class Exp(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            result = x.exp()
            ctx.save_for_backward(result)
            return result

        @staticmethod
        def backward(ctx, grad):
            (result,) = ctx.saved_tensors
            return grad * result

    return Exp


def _function(torch, forward, backward, **attributes):
    """A Function of given rules."""
    body = {"forward": staticmethod(forward), "backward": staticmethod(backward), **attributes}
    return type(torch.autograd.Function)("Custom", (torch.autograd.Function,), body)


def _leaf(torch, *values, dtype=None):
    return torch.tensor(list(values) or [1.0, 2.0, 3.0], requires_grad=True, dtype=dtype)
