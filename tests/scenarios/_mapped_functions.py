"""What both families of scenarios about custom functions under `vmap` use."""

from __future__ import annotations


def _numbers(torch, *shape, requires_grad=False, start=0.0):
    """Consecutive numbers in a shape."""
    count = 1
    for n in shape:
        count *= n
    x = torch.arange(start, start + count, dtype=torch.float32).reshape(shape)
    return x.requires_grad_(requires_grad)


def _function(torch, name="Custom", **rules):
    """A Function of given rules; other attributes are set as they are."""
    body = {k: staticmethod(v) if callable(v) else v for k, v in rules.items()}
    return type(torch.autograd.Function)(name, (torch.autograd.Function,), body)


def _square(torch, **more):
    """x**2 in the style that `vmap` asks for."""

    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)
        ctx.save_for_forward(*inputs)

    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return 2 * x * grad

    def jvp(ctx, tangent):
        (x,) = ctx.saved_tensors
        return 2 * x * tangent

    rules = {
        "forward": lambda x: x * x,
        "setup_context": setup_context,
        "backward": backward,
        "jvp": jvp,
    }
    return _function(torch, "Square", **{**rules, **more})


def _product(torch, log=None, **more):
    """x * y * k, whose rules write down what they are given."""

    def note(label, value):
        if log is not None and label not in log.outcomes:
            log(label, value)

    def forward(x, y, k=2):
        note("forward", (x.shape, y.shape, k))
        return x * y * k

    def setup_context(ctx, inputs, output):
        x, y, k = inputs
        note("setup_context", (x.shape, y.shape, k, output.shape))
        ctx.save_for_backward(x, y)
        ctx.save_for_forward(x, y)
        ctx.k = k

    def backward(ctx, grad):
        x, y = ctx.saved_tensors
        note("needs_input_grad", ctx.needs_input_grad)
        note("backward", (x.shape, y.shape, grad.shape, ctx.k))
        return grad * y * ctx.k, grad * x * ctx.k, None

    def jvp(ctx, a, b, _):
        x, y = ctx.saved_tensors
        note("jvp", [None if t is None else t.shape for t in (a, b)])
        found = 0
        if a is not None:
            found = found + a * y * ctx.k
        if b is not None:
            found = found + b * x * ctx.k
        return found

    rules = {
        "forward": forward,
        "setup_context": setup_context,
        "backward": backward,
        "jvp": jvp,
        "generate_vmap_rule": True,
    }
    return _function(torch, "Product", **{**rules, **more})
