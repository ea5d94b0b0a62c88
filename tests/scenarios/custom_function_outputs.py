"""Custom functions: what `forward` may return, and outputs without a derivative."""

from __future__ import annotations

import numpy as np

from tests.scenarios._harness import differs, each

from ._custom_functions import _function, _leaf, _square

# ---------------------------------------------------------------- what forward may return


def no_input_requires_grad(torch, log):
    events = []
    y = _square(torch, events).apply(torch.tensor([1.0, 2.0]))
    log("y", y)
    log("events", events)
    with log.raises("backward"):
        y.sum().backward()


def under_no_grad(torch, log):
    x = _leaf(torch)
    with torch.no_grad():
        y = _square(torch).apply(x)
    log("y", y)


def forward_runs_without_record(torch, log):
    def forward(ctx, x):
        y = x * x
        log("inner", y)
        return y

    x = _leaf(torch)
    y = _function(torch, forward, lambda ctx, grad: 100 * grad).apply(x)
    log("y", y)
    y.sum().backward()
    log("x.grad", x.grad)


def an_input_as_it_is(torch, log):
    F = _function(torch, lambda ctx, x: x, lambda ctx, grad: grad * 5)
    x = _leaf(torch)
    y = F.apply(x)
    log("y", y)
    log("same", y is x)
    log("shares memory", y.data_ptr() == x.data_ptr())
    log("x", x)
    y.sum().backward()
    log("x.grad", x.grad)
    with log.raises("in place"):
        y.add_(1)
    log("y after", y)


def an_input_as_it_is_beside_another_output(torch, log):
    F = _function(torch, lambda ctx, x: (x, x * 2), lambda ctx, a, b: a * 5 + b)
    x = _leaf(torch)
    y, z = F.apply(x)
    log("y", y)
    log("z", z)
    (y + z).sum().backward()
    log("x.grad", x.grad)


def an_input_that_requires_no_grad_as_it_is(torch, log):
    F = _function(torch, lambda ctx, x: x, lambda ctx, grad: grad * 5)
    x = torch.tensor([1.0, 2.0])
    y = F.apply(x)
    log("y", y)
    log("same", y is x)


def an_input_as_it_is_in_no_grad(torch, log):
    F = _function(torch, lambda ctx, x: x, lambda ctx, grad: grad * 5)
    x = _leaf(torch)
    with torch.no_grad():
        y = F.apply(x)
    log("y", y)
    log("same", y is x)
    log("x", x)


def an_intermediate_as_it_is(torch, log):
    F = _function(torch, lambda ctx, x: x, lambda ctx, grad: grad * 5)
    x = _leaf(torch)
    h = x * 2
    y = F.apply(h)
    log("y", y)
    log("same", y is h)
    log("h", h)
    (y + h).sum().backward()
    log("x.grad", x.grad)


def a_view_of_an_input(torch, log):
    F = _function(torch, lambda ctx, x: x.view(3, 1), lambda ctx, grad: grad.view(3) * 5)
    x = _leaf(torch)
    h = x * 1
    y = F.apply(h)
    log("y", y)
    with log.raises("in place"):
        y.mul_(2)
    y.sum().backward()
    log("x.grad", x.grad)


def the_same_input_twice(torch, log):
    F = _function(torch, lambda ctx, x: (x, x), lambda ctx, a, b: a + 10 * b)
    x = _leaf(torch)
    y, z = F.apply(x)
    log("y", y)
    log("z", z)
    log("same", y is z)
    (y + 2 * z).sum().backward()
    log("x.grad", x.grad)


def the_same_output_twice(torch, log):
    def forward(ctx, x):
        y = x * 2
        return y, y

    F = _function(torch, forward, lambda ctx, a, b: a * 2 + b * 20)
    x = _leaf(torch)
    y, z = F.apply(x)
    log("same", y is z)
    log("output_nr", (y.output_nr, z.output_nr))
    (y + z).sum().backward()
    log("x.grad", x.grad)


def one_argument_given_twice(torch, log):
    F = _function(torch, lambda ctx, x, y: x * y, lambda ctx, grad: (grad, grad * 10))
    x = _leaf(torch)
    F.apply(x, x).sum().backward()
    log("x.grad", x.grad)


def several_outputs(torch, log):
    def forward(ctx, x):
        return x.sum(), x.exp(), x * 2

    def backward(ctx, a, b, c):
        log("a", a)
        log("b", b)
        log("c", c)
        return a + b + c

    x = _leaf(torch)
    y, z, w = _function(torch, forward, backward).apply(x)
    log("y", y)
    log("z", z)
    log("output_nr", [t.output_nr for t in (y, z, w)])
    log("one node", y.grad_fn is z.grad_fn)
    (y * 3 + w.sum()).backward()
    log("x.grad", x.grad)


@each(kind=["list", "tuple", "one", "empty"])
def kinds_of_outputs(torch, log, kind):
    def forward(ctx, x):
        y = x * 2
        return {"list": [y, y + 1], "tuple": (y, y + 1), "one": (y,), "empty": ()}[kind]

    def backward(ctx, *grads):
        log("grads", grads)
        return sum(g for g in grads if g is not None)

    x = _leaf(torch)
    out = _function(torch, forward, backward).apply(x)
    log("type", type(out).__name__)
    log("length", len(out))
    log("out", out)
    if kind in ("tuple", "one"):
        sum(out).sum().backward()
        log("x.grad", x.grad)


@each(value=[("none", None), ("number", 3), ("string", "text"), ("dict", {"a": 1})])
def outputs_that_are_no_tensors(torch, log, value):
    def forward(ctx, x):
        return x * 2, value[1]

    def backward(ctx, *grads):
        log("grads", grads)
        return grads[0] * 2

    x = _leaf(torch)
    y, other = _function(torch, forward, backward).apply(x)
    log("y", y)
    log("other", other)
    y.sum().backward()
    log("x.grad", x.grad)


@each(value=[("none", None), ("number", 3), ("string", "text")])
def no_tensor_returned_at_all(torch, log, value):
    F = _function(torch, lambda ctx, x: value[1], lambda ctx, grad: grad)
    log.attempt("apply", lambda: F.apply(_leaf(torch)))


def a_numpy_array_is_returned(torch, log):
    F = _function(torch, lambda ctx, x: x.detach().numpy() * 2, lambda ctx, grad: grad)
    log.attempt("apply", lambda: F.apply(_leaf(torch)))


def forward_through_numpy(torch, log):
    class Sine(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return torch.from_numpy(np.sin(x.detach().numpy()))

        @staticmethod
        def backward(ctx, grad):
            (x,) = ctx.saved_tensors
            return grad * torch.from_numpy(np.cos(x.detach().numpy()))

    x = _leaf(torch)
    y = Sine.apply(x)
    log("y", y)
    y.sum().backward()
    log("x.grad", x.grad)


def integer_outputs(torch, log):
    def forward(ctx, x):
        return x * 2, (x > 1.5), x.to(torch.int64)

    def backward(ctx, a, b, c):
        log("a", a)
        log("b", b)
        log("c", c)
        return a * 2

    x = _leaf(torch)
    y, mask, whole = _function(torch, forward, backward).apply(x)
    log("y", y)
    log("mask", mask)
    log("whole", whole)
    y.sum().backward()
    log("x.grad", x.grad)


def an_output_of_another_dtype(torch, log):
    def backward(ctx, grad):
        log("grad", grad)
        return grad * 2

    F = _function(torch, lambda ctx, x: x.to(torch.float64) * 2, backward)
    x = _leaf(torch)
    y = F.apply(x)
    log("y", y)
    y.sum().backward()
    log("x.grad", x.grad)


def complex_inputs(torch, log):
    def forward(ctx, z):
        ctx.save_for_backward(z)
        return z * z

    def backward(ctx, grad):
        (z,) = ctx.saved_tensors
        return grad * 2 * z.conj()

    z = torch.tensor([1 + 2j, 3 - 1j], requires_grad=True)
    y = _function(torch, forward, backward).apply(z)
    log("y", y)
    y.abs().sum().backward()
    log("z.grad", z.grad)


def a_complex_gradient_for_a_real_input(torch, log):
    F = _function(torch, lambda ctx, x: x * 2, lambda ctx, grad: grad * (2 + 3j))
    x = _leaf(torch)
    with log.raises("backward"):
        F.apply(x).sum().backward()
    log("x.grad", x.grad)


# ---------------------------------------------------------------- outputs without derivative


def non_differentiable_outputs(torch, log):
    def forward(ctx, x):
        values, places = x.sort()
        ctx.mark_non_differentiable(places)
        ctx.save_for_backward(places)
        return values, places

    def backward(ctx, a, b):
        log("a", a)
        log("b", b)
        (places,) = ctx.saved_tensors
        return torch.zeros(3).scatter(0, places, a)

    x = _leaf(torch, 3.0, 1.0, 2.0)
    values, places = _function(torch, forward, backward).apply(x)
    log("values", values)
    log("places", places)
    (values * torch.tensor([1.0, 2.0, 3.0])).sum().backward()
    log("x.grad", x.grad)


def non_differentiable_floats(torch, log):
    def forward(ctx, x):
        y, z = x * 2, x * 3
        ctx.mark_non_differentiable(z)
        return y, z

    def backward(ctx, a, b):
        log("b", b)
        return a * 2

    x = _leaf(torch)
    y, z = _function(torch, forward, backward).apply(x)
    log("y", y)
    log("z", z)
    log("z is leaf", z.is_leaf)
    (y * z).sum().backward()
    log("x.grad", x.grad)


def all_outputs_non_differentiable(torch, log):
    def forward(ctx, x):
        y = x > 1.5
        ctx.mark_non_differentiable(y)
        return y

    x = _leaf(torch)
    y = _function(torch, forward, lambda ctx, grad: grad).apply(x)
    log("y", y)


def an_input_marked_non_differentiable(torch, log):
    def forward(ctx, x):
        ctx.mark_non_differentiable(x)
        return x

    x = _leaf(torch)
    y = _function(torch, forward, lambda ctx, grad: grad).apply(x)
    log("y", y)
    log("same", y is x)
    log("x", x)


def what_is_no_output_marked_non_differentiable(torch, log):
    def forward(ctx, x):
        ctx.mark_non_differentiable(x * 3)
        return x * 2

    x = _leaf(torch)
    log.attempt("apply", lambda: _function(torch, forward, lambda ctx, grad: grad).apply(x))


_TRUNCATED = {
    "mark_non_differentiable": "mark_non_differentiable only accepts variable arguments, but got ",
    "mark_dirty": "mark_dirty can only accept variables, but argument ",
    "non_differentiable =": "autograd internal error: non_differentiable attribute is expected to "
    "be a tuple but is ",
    "dirty_tensors =": "autograd internal error: dirty_tensors attribute is expected to be a tuple "
    "but is ",
    "to_save =": "autograd internal error: to_save attribute is expected to be a tuple but is ",
}


@differs(
    "PyTorch's message breaks off where the type should stand",
    {
        f"{what} {kind}": {"raises": "RuntimeError", "message": message + kind}
        for what, message in _TRUNCATED.items()
        for kind in ("int", "list", "NoneType")
        if kind != "NoneType" or what.startswith("mark")
    },
)
def no_tensor_marked(torch, log):
    def marking(method, value):
        def forward(ctx, x):
            getattr(ctx, method)(value)
            return x * 2

        return _function(torch, forward, lambda ctx, grad: grad)

    def setting(name, value):
        def forward(ctx, x):
            setattr(ctx, name, value)
            return x * 2

        return _function(torch, forward, lambda ctx, grad: grad)

    for value in (3, [1], None):
        kind = type(value).__name__
        for method in ("mark_non_differentiable", "mark_dirty", "save_for_backward"):
            F = marking(method, value)
            log.attempt(f"{method} {kind}", lambda F=F: F.apply(_leaf(torch)))
        for name in ("non_differentiable", "dirty_tensors", "to_save"):
            F = setting(name, value)
            log.attempt(f"{name} = {kind}", lambda F=F: F.apply(_leaf(torch)))


@each(materialize=[True, False])
def gradients_that_do_not_arrive(torch, log, materialize):
    def forward(ctx, x):
        ctx.set_materialize_grads(materialize)
        return x * 2, x * 3, x > 1.5, 5

    def backward(ctx, *grads):
        log("grads", grads)
        return grads[1] * 3

    x = _leaf(torch)
    _, z, _, _ = _function(torch, forward, backward).apply(x)
    z.sum().backward()
    log("x.grad", x.grad)


@differs(
    "PyTorch's message leaves out what it got",
    {
        "apply": {
            "raises": "TypeError",
            "message": "set_materialize_grads received an invalid combination of arguments - got "
            "(int), but expected (bool)",
        }
    },
)
def set_materialize_grads_takes_a_bool(torch, log):
    def forward(ctx, x):
        ctx.set_materialize_grads(0)
        return x * 2

    log.attempt(
        "apply", lambda: _function(torch, forward, lambda ctx, grad: grad).apply(_leaf(torch))
    )


@each(returned=["view", "argument", "several"], change=["add_", "copy_", "mul_ by a constant"])
def a_view_of_a_constant_is_changed(torch, log, returned, change):
    class F(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            if returned == "several":
                return x[:1], x[1:]
            return x if returned == "argument" else x.view_as(x)

        @staticmethod
        def backward(ctx, *gradients):
            return gradients[0]

    x = torch.tensor([1.0, 2.0])
    y = F.apply(x)
    y = y[0] if returned == "several" else y
    w = torch.tensor(3.0, requires_grad=change != "mul_ by a constant")
    log.attempt("changed", lambda: getattr(y, change.split(" ")[0])(w))
    log("x", x.detach())
