"""Custom functions: what they save, and what they change in place."""

from __future__ import annotations

from tests.scenarios._harness import differs, each

from ._custom_functions import _function, _leaf, _square

# ---------------------------------------------------------------- saved tensors


def freed_after_backward(torch, log):
    events = []
    x = _leaf(torch)
    y = _square(torch, events).apply(x).sum()
    y.backward()
    with log.raises("again"):
        y.backward()
    log("events", events)
    log("x.grad", x.grad)


def nothing_saved_nothing_freed(torch, log):
    F = _function(torch, lambda ctx, x: x * 2, lambda ctx, grad: grad * 2)
    x = _leaf(torch)
    y = F.apply(x)
    y.backward(torch.ones(3))
    y.backward(torch.ones(3))
    log("x.grad", x.grad)


def attributes_are_not_freed(torch, log):
    def forward(ctx, x):
        ctx.x = x.detach()
        return x * x

    F = _function(torch, forward, lambda ctx, grad: 2 * ctx.x * grad)
    x = _leaf(torch)
    y = F.apply(x)
    y.backward(torch.ones(3))
    y.backward(torch.ones(3))
    log("x.grad", x.grad)


def retained(torch, log):
    x = _leaf(torch)
    y = _square(torch).apply(x).sum()
    y.backward(retain_graph=True)
    y.backward()
    log("x.grad", x.grad)


def save_for_backward_again_replaces(torch, log):
    def forward(ctx, x, y):
        ctx.save_for_backward(x)
        ctx.save_for_backward(y)
        return x * y

    def backward(ctx, grad):
        log("saved", ctx.saved_tensors)
        return grad, grad

    x, y = _leaf(torch), _leaf(torch, 4.0, 5.0, 6.0)
    _function(torch, forward, backward).apply(x, y).sum().backward()


def none_may_be_saved(torch, log):
    def forward(ctx, x):
        ctx.save_for_backward(x, None)
        return x * 2

    def backward(ctx, grad):
        log("saved", ctx.saved_tensors)
        return grad

    _function(torch, forward, backward).apply(_leaf(torch)).sum().backward()


def an_input_saved_is_the_input(torch, log):
    def backward(ctx, grad):
        (saved,) = ctx.saved_tensors
        log("leaf", saved.is_leaf)
        log("saved", saved)
        return grad

    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * 2

    F = _function(torch, forward, backward)
    x = _leaf(torch)
    y = F.apply(x)
    log("same", y.grad_fn.saved_tensors[0] is x)
    y.sum().backward()


def an_intermediate_saved(torch, log):
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * 2

    def backward(ctx, grad):
        log("saved", ctx.saved_tensors[0])
        return grad

    x = _leaf(torch)
    h = x * 3
    y = _function(torch, forward, backward).apply(h)
    log("same", y.grad_fn.saved_tensors[0] is h)
    y.sum().backward()


def an_output_saved(torch, log):
    def forward(ctx, x):
        y = x * 2
        ctx.save_for_backward(y)
        return y

    def backward(ctx, grad):
        log("saved", ctx.saved_tensors[0])
        log("node", ctx.saved_tensors[0].grad_fn is ctx)
        return grad

    x = _leaf(torch)
    y = _function(torch, forward, backward).apply(x)
    log("same", y.grad_fn.saved_tensors[0] is y)
    y.sum().backward()


@differs(
    "a saved intermediate has a history, in which a derivative with respect to it is refused",
    {
        "saved": {
            "tensor": [2.7182817, 7.389056, 20.085537],
            "shape": [3],
            "dtype": "float32",
            "requires_grad": True,
            "grad_fn": "CustomBackward",
        },
        "g": {
            "tensor": [5.4365635, 14.778112, 40.171074],
            "shape": [3],
            "dtype": "float32",
            "requires_grad": True,
            "grad_fn": True,
        },
    },
)
def a_value_of_its_own_saved(torch, log):
    """Neither input nor output: a second derivative does not reach through it."""

    def forward(ctx, x):
        e = x.exp()
        ctx.save_for_backward(e)
        return e * 2

    def backward(ctx, grad):
        log("saved", ctx.saved_tensors[0])
        return grad * 2 * ctx.saved_tensors[0]

    x = _leaf(torch)
    y = _function(torch, forward, backward).apply(x)
    (g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
    log.gradient("g", g)


@each(what=["input", "output", "intermediate"])
def changed_in_place_after_it_was_saved(torch, log, what):
    def forward(ctx, x):
        y = x * x
        ctx.save_for_backward(x if what != "output" else y)
        return y

    def backward(ctx, grad):
        (saved,) = ctx.saved_tensors
        return grad * saved

    x = _leaf(torch)
    h = x * 1 if what == "intermediate" else x
    y = _function(torch, forward, backward).apply(h)
    if what == "input":
        with torch.no_grad():
            x.add_(1)
    elif what == "output":
        y.add_(1)
    else:
        h.add_(1)
    with log.raises("backward"):
        y.sum().backward()
    log("x.grad", x.grad)


def changed_in_forward_before_it_was_saved(torch, log):
    def forward(ctx, x):
        y = x * 2
        y.add_(1)
        ctx.save_for_backward(y)
        y.add_(1)
        return y

    def backward(ctx, grad):
        log("saved", ctx.saved_tensors[0])
        return grad

    x = _leaf(torch)
    y = _function(torch, forward, backward).apply(x)
    log("version", y._version)
    y.sum().backward()
    log("x.grad", x.grad)


def saved_tensors_of_setup_context(torch, log):
    class F(torch.autograd.Function):
        @staticmethod
        def forward(x, y):
            return x * y

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.save_for_backward(*inputs, output)

        @staticmethod
        def backward(ctx, grad):
            x, y, out = ctx.saved_tensors
            log("out", out)
            return grad * y, grad * x

    x, y = _leaf(torch), _leaf(torch, 4.0, 5.0, 6.0)
    F.apply(x, y).sum().backward()
    log("x.grad", x.grad)
    log("y.grad", y.grad)


def clear_saved_tensors_on_access(torch, log):
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        with log.raises("again"):
            ctx.saved_tensors  # noqa: B018
        return 2 * x * grad

    F = _function(torch, forward, backward, clear_saved_tensors_on_access=True)
    x = _leaf(torch)
    y = F.apply(x).sum()
    y.backward(retain_graph=True)
    log("x.grad", x.grad)


def gradients_in_a_list(torch, log):
    def backward(ctx, grads):
        log("grads", grads)
        a, b = grads
        grads.clear()
        return a + b

    F = _function(torch, lambda ctx, x: (x * 1, x * 1), backward, boxed_grads_call=True)
    x = _leaf(torch)
    y, _ = F.apply(x)
    y.sum().backward()
    log("x.grad", x.grad)


# ---------------------------------------------------------------- changes in place


def _inplace(torch, factor=2):
    def forward(ctx, x):
        x.mul_(factor)
        ctx.mark_dirty(x)
        return x

    return _function(torch, forward, lambda ctx, grad: grad * factor)


def a_dirty_input(torch, log):
    x = _leaf(torch)
    h = x * 1
    y = _inplace(torch).apply(h)
    log("same", y is h)
    log("y", y)
    log("version", h._version)
    log("node", type(h.grad_fn).__name__)
    y.sum().backward()
    log("x.grad", x.grad)


def a_dirty_leaf(torch, log):
    x = _leaf(torch)
    with log.raises("apply"):
        _inplace(torch).apply(x)
    log("x", x)
    with torch.no_grad():
        log.attempt("in no_grad", lambda: _inplace(torch).apply(x))


def a_dirty_input_that_requires_no_grad(torch, log):
    x = torch.tensor([1.0, 2.0])
    y = _inplace(torch).apply(x)
    log("same", y is x)
    log("y", y)
    log("version", x._version)


def a_dirty_view(torch, log):
    x = _leaf(torch)
    h = x * 1
    v = h[1:]
    y = _inplace(torch).apply(v)
    log("same", y is v)
    log("y", y)
    log("h", h)
    h.sum().backward()
    log("x.grad", x.grad)


def a_dirty_view_of_a_leaf(torch, log):
    x = _leaf(torch)
    with log.raises("apply"):
        _inplace(torch).apply(x[1:])


def a_dirty_view_beside_another_output(torch, log):
    def forward(ctx, x):
        x.mul_(2)
        ctx.mark_dirty(x)
        return x, x * 3

    F = _function(torch, forward, lambda ctx, a, b: a * 2 + b * 6)
    x = _leaf(torch)
    h = x * 1
    with log.raises("apply"):
        F.apply(h[1:])


def a_dirty_input_beside_another_output(torch, log):
    def forward(ctx, x):
        x.mul_(2)
        ctx.mark_dirty(x)
        return x, x * 3

    F = _function(torch, forward, lambda ctx, a, b: a * 2 + b * 6)
    x = _leaf(torch)
    h = x * 1
    y, z = F.apply(h)
    log("same", y is h)
    log("y", y)
    log("z", z)
    (y + z).sum().backward()
    log("x.grad", x.grad)


def a_dirty_input_not_returned(torch, log):
    def forward(ctx, x):
        x.mul_(2)
        ctx.mark_dirty(x)
        return x * 1

    F = _function(torch, forward, lambda ctx, grad: grad)
    x = _leaf(torch)
    with log.raises("apply"):
        F.apply(x * 1)


def what_is_no_input_marked_dirty(torch, log):
    def forward(ctx, x):
        y = x * 2
        ctx.mark_dirty(y)
        return y

    F = _function(torch, forward, lambda ctx, grad: grad * 2)
    x = _leaf(torch)
    with log.warns("warnings"):
        y = F.apply(x)
    log("y", y)
    y.sum().backward()
    log("x.grad", x.grad)


def dirty_without_a_change(torch, log):
    def forward(ctx, x):
        ctx.mark_dirty(x)
        return x

    F = _function(torch, forward, lambda ctx, grad: grad * 5)
    x = _leaf(torch)
    h = x * 1
    y = F.apply(h)
    log("same", y is h)
    log("version", h._version)
    y.sum().backward()
    log("x.grad", x.grad)


def a_dirty_input_that_somebody_saved(torch, log):
    x = _leaf(torch)
    h = x * 1
    z = h * h
    _inplace(torch).apply(h)
    with log.raises("backward"):
        z.sum().backward()


def a_dirty_input_saved_as_output(torch, log):
    def forward(ctx, x):
        x.exp_()
        ctx.mark_dirty(x)
        ctx.save_for_backward(x)
        return x

    def backward(ctx, grad):
        (result,) = ctx.saved_tensors
        return grad * result

    x = _leaf(torch)
    h = x * 1
    y = _function(torch, forward, backward).apply(h)
    log("y", y)
    (g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
    log.gradient("g", g)
    log("second", torch.autograd.grad(g.sum(), x))


def a_change_that_was_not_marked(torch, log):
    def forward(ctx, x):
        x.mul_(2)
        return x

    F = _function(torch, forward, lambda ctx, grad: grad * 2)
    x = _leaf(torch)
    h = x * 1
    y = F.apply(h)
    log("same", y is h)
    log("y", y)
    y.sum().backward()
    log("x.grad", x.grad)


def an_input_and_a_dirty_one(torch, log):
    def forward(ctx, x, y):
        y.add_(x)
        ctx.mark_dirty(y)
        return y

    def backward(ctx, grad):
        return grad * 3, grad * 7

    F = _function(torch, forward, backward)
    x = _leaf(torch)
    buffer = torch.zeros(3)
    out = F.apply(x, buffer)
    log("same", out is buffer)
    log("buffer", buffer)
    out.sum().backward()
    log("x.grad", x.grad)
    log("buffer.grad", buffer.is_leaf)
