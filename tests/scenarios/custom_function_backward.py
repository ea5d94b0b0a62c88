"""Custom functions: what `backward` may return, higher orders, and functions in functions."""

from __future__ import annotations

from tests.scenarios._harness import each

from ._custom_functions import _exp, _function, _leaf, _square

# ---------------------------------------------------------------- what backward may return


@each(
    returned=[
        ("tuple", lambda g: (g,)),
        ("list", lambda g: [g]),
        ("none", lambda g: None),
        ("two", lambda g: (g, g)),
        ("two, the second None", lambda g: (g, None)),
        ("three, the others None", lambda g: (g, None, None)),
        ("nothing", lambda g: ()),
        ("number", lambda g: 1.0),
        ("tuple of number", lambda g: (1.0,)),
        ("string", lambda g: "text"),
        ("numpy", lambda g: g.numpy()),
    ]
)
def what_backward_returns(torch, log, returned):
    F = _function(torch, lambda ctx, x: x * 2, lambda ctx, grad: returned[1](grad))
    x = _leaf(torch)
    y = F.apply(x)
    log.attempt("backward", lambda: y.sum().backward())
    log("x.grad", x.grad)


@each(
    shape=[(3,), (1,), (), (2,), (2, 3), (1, 3), (3, 3), (3, 1), (4, 2, 3)],
)
def shapes_of_gradients(torch, log, shape):
    F = _function(torch, lambda ctx, x: x * 2, lambda ctx, grad: torch.ones(shape))
    x = _leaf(torch)
    y = F.apply(x)
    log.attempt("backward", lambda: y.sum().backward())
    log("x.grad", x.grad)


@each(dtype=["float64", "float16", "int64", "bool", "complex64"])
def dtypes_of_gradients(torch, log, dtype):
    kind = getattr(torch, dtype)
    F = _function(torch, lambda ctx, x: x * 2, lambda ctx, grad: torch.ones(3).to(kind))
    x = _leaf(torch)
    log.attempt("backward", lambda: F.apply(x).sum().backward())
    log("x.grad", x.grad)


def a_gradient_for_what_is_no_tensor(torch, log):
    F = _function(torch, lambda ctx, x, n: x * n, lambda ctx, grad: (grad, grad))
    x = _leaf(torch)
    with log.raises("backward"):
        F.apply(x, 3).sum().backward()
    log("x.grad", x.grad)


def a_gradient_for_what_requires_none(torch, log):
    F = _function(torch, lambda ctx, x, y: x * y, lambda ctx, grad: (grad, grad))
    x, y = _leaf(torch), torch.ones(3)
    F.apply(x, y).sum().backward()
    log("x.grad", x.grad)
    log("y.grad", y.grad)


def a_gradient_of_bad_shape_for_what_requires_none(torch, log):
    F = _function(torch, lambda ctx, x, y: x * y, lambda ctx, grad: (grad, torch.ones(7)))
    x, y = _leaf(torch), torch.ones(3)
    F.apply(x, y).sum().backward()
    log("x.grad", x.grad)


def too_few_gradients(torch, log):
    F = _function(torch, lambda ctx, x, y: x * y, lambda ctx, grad: grad)
    x, y = _leaf(torch), _leaf(torch)
    with log.raises("backward"):
        F.apply(x, y).sum().backward()


def none_for_one_of_two(torch, log):
    F = _function(torch, lambda ctx, x, y: x * y, lambda ctx, grad: (grad, None))
    x, y = _leaf(torch), _leaf(torch)
    F.apply(x, y).sum().backward()
    log("x.grad", x.grad)
    log("y.grad", y.grad)
    out = F.apply(x, y).sum()
    with log.raises("grad"):
        torch.autograd.grad(out, (x, y))
    out = F.apply(x, y).sum()
    log("allow_unused", torch.autograd.grad(out, (x, y), allow_unused=True))


def none_stops_what_is_upstream(torch, log):
    events = []
    Square = _square(torch, events)
    F = _function(torch, lambda ctx, x: x * 2, lambda ctx, grad: None)
    x = _leaf(torch)
    h = Square.apply(x)
    events.clear()
    F.apply(h).sum().backward()
    log("events", events)
    log("x.grad", x.grad)


def backward_that_raises(torch, log):
    def backward(ctx, grad):
        raise KeyError("on purpose")

    F = _function(torch, lambda ctx, x: x * 2, backward)
    x, w = _leaf(torch), _leaf(torch)
    y = F.apply(x)
    with log.raises("backward"):
        (y * w).sum().backward()
    log("x.grad", x.grad)
    log("w.grad", w.grad)
    log("y", y)


def forward_that_raises(torch, log):
    def forward(ctx, x):
        raise KeyError("on purpose")

    F = _function(torch, forward, lambda ctx, grad: grad)
    with log.raises("apply"):
        F.apply(_leaf(torch))
    log("grad mode", torch.is_grad_enabled())


def backward_changes_its_gradient_in_place(torch, log):
    def backward(ctx, grad):
        grad = grad.clone()
        grad[0] = 0
        return grad

    F = _function(torch, lambda ctx, x: x * 2, backward)
    x = _leaf(torch)
    F.apply(x).sum().backward()
    log("x.grad", x.grad)


def the_gradient_returned_is_shared_with_nobody(torch, log):
    kept = []

    def backward(ctx, grad):
        kept.append(grad)
        return grad, grad

    F = _function(torch, lambda ctx, x, y: x + y, backward)
    x, y = _leaf(torch), _leaf(torch)
    F.apply(x, y).backward(torch.ones(3))
    log("apart", x.grad is not y.grad)
    x.grad.add_(1)
    log("y.grad", y.grad)
    log("kept", kept[0])


def a_saved_tensor_is_returned_as_gradient(torch, log):
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x / 2

    def backward(ctx, grad):
        return ctx.saved_tensors[0]

    x = _leaf(torch)
    _function(torch, forward, backward).apply(x).sum().backward()
    x.grad.add_(1)
    log("x.grad", x.grad)
    log("x", x)


# ---------------------------------------------------------------- higher order


def second_derivative_of_an_input_saved(torch, log):
    events = []
    x = _leaf(torch)
    y = _square(torch, events).apply(x)
    (g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
    log.gradient("g", g)
    (h,) = torch.autograd.grad(g.sum(), x)
    log("h", h)
    log("events", events)


def second_derivative_of_an_output_saved(torch, log):
    x = _leaf(torch)
    y = _exp(torch).apply(x)
    (g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
    log.gradient("g", g)
    (h,) = torch.autograd.grad(g.sum(), x, create_graph=True)
    log.gradient("h", h)
    (third,) = torch.autograd.grad(h.sum(), x)
    log("third", third)


def second_derivative_in_the_cotangent(torch, log):
    x = _leaf(torch)
    v = torch.ones(3, requires_grad=True)
    y = _square(torch).apply(x)
    (g,) = torch.autograd.grad(y, x, v, create_graph=True)
    log.gradient("g", g)
    log("d/dv", torch.autograd.grad(g.sum(), v))


def second_derivative_within_a_composition(torch, log):
    x = _leaf(torch)
    Square, Exp = _square(torch), _exp(torch)
    y = (Exp.apply(Square.apply(x) * 0.1) * x.sin()).sum()
    (g,) = torch.autograd.grad(y, x, create_graph=True)
    log.gradient("g", g)
    (g * torch.tensor([1.0, 2.0, 3.0])).sum().backward()
    log("x.grad", x.grad)


def backward_creates_a_graph(torch, log):
    x = _leaf(torch)
    _square(torch).apply(x).sum().backward(create_graph=True)
    log.gradient("x.grad", x.grad)


def grad_mode_in_backward(torch, log):
    def backward(ctx, grad):
        log(f"mode {len(log.outcomes)}", torch.is_grad_enabled())
        log(f"grad {len(log.outcomes)}", grad.requires_grad)
        return grad

    F = _function(torch, lambda ctx, x: x * 2, backward)
    x = _leaf(torch)
    F.apply(x).sum().backward()
    F.apply(x).sum().backward(create_graph=True)
    F.apply(x).backward(torch.ones(3, requires_grad=True), create_graph=True)
    y = F.apply(x).sum()
    with torch.no_grad():
        torch.autograd.grad(y, x, create_graph=True)


def once_differentiable(torch, log):
    class F(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        @torch.autograd.function.once_differentiable
        def backward(ctx, grad):
            log(f"mode {len(log.outcomes)}", torch.is_grad_enabled())
            (x,) = ctx.saved_tensors
            return 2 * x * grad

    x = _leaf(torch)
    F.apply(x).sum().backward()
    log("x.grad", x.grad)
    (g,) = torch.autograd.grad(F.apply(x).sum(), x, create_graph=True)
    log("without a cotangent that requires grad", g.requires_grad)
    v = torch.ones(3, requires_grad=True)
    (g,) = torch.autograd.grad(F.apply(x), x, v, create_graph=True)
    log("with one", g.requires_grad)
    log("name", g.grad_fn.name())
    with log.raises("twice"):
        g.sum().backward()


def once_differentiable_of_several(torch, log):
    class F(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, n, y):
            return x * y

        @staticmethod
        @torch.autograd.function.once_differentiable
        def backward(ctx, grad):
            """Its docstring."""
            return grad, None, grad * 2

    log("doc", F.backward.__doc__)
    x, y = _leaf(torch), _leaf(torch)
    v = torch.ones(3, requires_grad=True)
    g, h = torch.autograd.grad(F.apply(x, 2, y), (x, y), v, create_graph=True)
    log("requires", (g.requires_grad, h.requires_grad))
    with log.raises("twice"):
        torch.autograd.grad(h.sum(), v)


# ---------------------------------------------------------------- nesting and order


def a_function_in_forward(torch, log):
    events = []
    Square = _square(torch, events)

    def forward(ctx, x):
        y = Square.apply(x)
        log("inner", y)
        ctx.save_for_backward(x)
        return y

    F = _function(torch, forward, lambda ctx, grad: grad * 7)
    x = _leaf(torch)
    F.apply(x).sum().backward()
    log("x.grad", x.grad)
    log("events", events)


def a_function_in_backward(torch, log):
    events = []
    Square = _square(torch, events)

    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3 / 3

    F = _function(torch, forward, lambda ctx, grad: grad * Square.apply(ctx.saved_tensors[0]))
    x = _leaf(torch)
    (g,) = torch.autograd.grad(F.apply(x).sum(), x, create_graph=True)
    log.gradient("g", g)
    (h,) = torch.autograd.grad(g.sum(), x)
    log("h", h)
    log("events", events)


def a_backward_pass_in_backward(torch, log):
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.exp()

    def backward(ctx, grad):
        with torch.enable_grad():
            x = ctx.saved_tensors[0].detach().requires_grad_()
            y = x.exp()
        (g,) = torch.autograd.grad(y, x, grad)
        return g

    x = _leaf(torch)
    _function(torch, forward, backward).apply(x).sum().backward()
    log("x.grad", x.grad)


def a_recorded_part_of_forward(torch, log):
    """A checkpoint by hand: the graph that forward makes is kept on the context."""

    def forward(ctx, x):
        with torch.enable_grad():
            ctx.x = x.detach().requires_grad_()
            ctx.y = (ctx.x * ctx.x).sin()
        return ctx.y.detach()

    def backward(ctx, grad):
        return torch.autograd.grad(ctx.y, ctx.x, grad)

    x = _leaf(torch)
    _function(torch, forward, backward).apply(x).sum().backward()
    log("x.grad", x.grad)


def a_recorded_output(torch, log):
    """What was recorded inside with grad enabled becomes a result of the function all the same."""

    def forward(ctx, x):
        with torch.enable_grad():
            return x.exp()

    F = _function(torch, forward, lambda ctx, grad: grad * 7)
    x = _leaf(torch)
    y = F.apply(x)
    log("y", y)
    y.sum().backward()
    log("x.grad", x.grad)


def order_of_a_chain(torch, log):
    events = []

    def step(name):
        def backward(ctx, grad):
            events.append(name)
            return grad

        return _function(torch, lambda ctx, x: x * 1, backward)

    x = _leaf(torch)
    a = step("a").apply(x)
    b = step("b").apply(x)
    c = step("c").apply(a)
    (a + b * c).sum().backward()
    log("events", events)


def order_among_hooks(torch, log):
    events = []

    def note(name):
        def hook(*args):
            events.append(name)

        return hook

    def backward(ctx, grad):
        events.append("backward")
        return grad * 2

    x = _leaf(torch)
    h = x * 1
    y = _function(torch, lambda ctx, x: x * 2, backward).apply(h)
    y.register_hook(note("tensor hook"))
    y.grad_fn.register_hook(note("node hook"))
    y.grad_fn.register_prehook(note("node prehook"))
    h.register_hook(note("hook of the input"))
    x.register_hook(note("hook of the leaf"))
    x.register_post_accumulate_grad_hook(note("accumulated"))
    y.sum().backward()
    log("events", events)
    log("x.grad", x.grad)


def hooks_of_the_node_see_every_gradient(torch, log):
    def forward(ctx, x, n, y):
        return x * 2, y * 3

    def backward(ctx, a, b):
        return a * 2, None, b * 3

    def hook(inputs, outputs):
        log("inputs", inputs)
        log("outputs", outputs)
        return tuple(None if g is None else g * 10 for g in inputs)

    def prehook(outputs):
        log("prehook", outputs)
        return tuple(None if g is None else g * 5 for g in outputs)

    x, y = _leaf(torch), _leaf(torch)
    p, _ = _function(torch, forward, backward).apply(x, 1, y)
    p.grad_fn.register_hook(hook)
    p.grad_fn.register_prehook(prehook)
    p.sum().backward()
    log("x.grad", x.grad)
    log("y.grad", y.grad)


def hooks_on_several_outputs(torch, log):
    events = []

    def backward(ctx, a, b):
        log("a", a)
        log("b", b)
        return a + b

    x = _leaf(torch)
    y, z = _function(torch, lambda ctx, x: (x * 1, x * 1), backward).apply(x)
    z.register_hook(lambda g: events.append("z") or g * 2)
    y.register_hook(lambda g: events.append("y") or g * 3)
    (y + z).sum().backward()
    log("events", events)
    log("x.grad", x.grad)


def retain_grad_of_an_output(torch, log):
    x = _leaf(torch)
    y = _square(torch).apply(x)
    y.retain_grad()
    (y * 3).sum().backward()
    log("y.grad", y.grad)
    log("x.grad", x.grad)


def gradient_with_respect_to_an_output(torch, log):
    events = []
    x = _leaf(torch)
    y = _square(torch, events).apply(x)
    (g,) = torch.autograd.grad((y * 3).sum(), y)
    log("g", g)
    log("events", events)


def one_output_as_an_input_of_grad(torch, log):
    F = _function(torch, lambda ctx, x: (x * 2, x * 3), lambda ctx, a, b: a * 2 + b * 3)
    x = _leaf(torch)
    y, z = F.apply(x)
    loss = (y * z).sum()
    log("y, x", torch.autograd.grad(loss, (y, x), retain_graph=True))
    log("z", torch.autograd.grad(loss, z))


def an_output_is_a_root(torch, log):
    x = _leaf(torch)
    y = _square(torch).apply(x)
    y.backward(torch.tensor([1.0, 10.0, 100.0]))
    log("x.grad", x.grad)
    with log.raises("no scalar"):
        _square(torch).apply(x).backward()
    one = _leaf(torch, 3.0)
    _square(torch).apply(one).backward()
    log("one.grad", one.grad)


def two_outputs_are_roots(torch, log):
    F = _function(torch, lambda ctx, x: (x * 2, x * 3), lambda ctx, a, b: a * 2 + b * 3)
    x = _leaf(torch)
    y, z = F.apply(x)
    torch.autograd.backward([y, z, y], [torch.ones(3), torch.ones(3) * 10, torch.ones(3)])
    log("x.grad", x.grad)


def a_part_of_the_graph_without_it(torch, log):
    events = []
    x, w = _leaf(torch), _leaf(torch)
    y = _square(torch, events).apply(x)
    loss = (y * w).sum()
    log("w", torch.autograd.grad(loss, w, retain_graph=True))
    log("events", events)
    loss.backward(inputs=[w])
    log("w.grad", w.grad)
    log("x.grad", x.grad)
    log("events after", events)


def batched_gradients(torch, log):
    events = []

    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    def backward(ctx, grad):
        events.append(tuple(grad.shape))
        return 2 * ctx.saved_tensors[0] * grad

    x = _leaf(torch)
    y = _function(torch, forward, backward).apply(x)
    (g,) = torch.autograd.grad(y, x, torch.eye(3), is_grads_batched=True)
    log("g", g)
    log("shapes", events[0])


def an_undefined_gradient_reaches_nothing(torch, log):
    events = []
    x = _leaf(torch)
    y = _square(torch, events).apply(x)
    w = _leaf(torch)
    y.detach().mul(w).sum().backward()
    log("events", events)
    log("x.grad", x.grad)


def used_twice(torch, log):
    events = []
    Square = _square(torch, events)
    x = _leaf(torch)
    (Square.apply(x) + Square.apply(x)).sum().backward()
    log("events", events)
    log("x.grad", x.grad)


def an_output_used_twice(torch, log):
    events = []
    x = _leaf(torch)
    y = _square(torch, events).apply(x)
    (y * y + y).sum().backward()
    log("events", events)
    log("x.grad", x.grad)
