"""Hooks beside `create_graph` and `retain_grad`, and after gradients are accumulated."""

from ._harness import each
from ._hooked import _two

# ---------------------------------------------------------------- create_graph


def under_create_graph(torch, log):
    x, w = _two(torch)
    seen = []
    h = x * w
    h.register_hook(lambda g: seen.append(g.requires_grad))
    (g,) = torch.autograd.grad((h * h).sum(), x, create_graph=True)
    log("requires grad", seen)
    log.gradient("g", g)
    log("second", torch.autograd.grad(g.sum(), [x, w]))


def a_replacement_is_differentiated(torch, log):
    x, w = _two(torch)
    h = x * x
    h.register_hook(lambda g: g * w)
    (g,) = torch.autograd.grad(h.sum(), x, create_graph=True)
    log.gradient("g", g)
    log("second", torch.autograd.grad(g.sum(), [x, w]))


def a_replacement_is_not_without_create_graph(torch, log):
    x, w = _two(torch)
    h = x * x
    h.register_hook(lambda g: g * w)
    (g,) = torch.autograd.grad(h.sum(), x)
    log("g", g)


@each(function=["exp", "sqrt", "tanh", "sigmoid", "relu", "reciprocal"])
def second_derivatives_at_a_hooked_node(torch, log, function):
    x, _ = _two(torch)
    y = getattr(x, function)()
    y.grad_fn.register_hook(lambda i, o: None)
    (g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
    log("second", torch.autograd.grad((g * x).sum(), x))


def hooks_on_the_gradient_itself(torch, log):
    x, _ = _two(torch)
    (g,) = torch.autograd.grad((x**3).sum(), x, create_graph=True)
    g.register_hook(lambda c: c * 10)
    g.sum().backward()
    log("x.grad", x.grad)


def on_a_leaf_under_create_graph(torch, log):
    x, _ = _two(torch)
    x.register_hook(lambda g: g * x)
    (x**2).sum().backward(create_graph=True)
    log.gradient("x.grad", x.grad)
    log("second", torch.autograd.grad(x.grad.sum(), x))


# ---------------------------------------------------------------- retain_grad


def retained_after_the_hooks_before_it(torch, log):
    x, w = _two(torch)
    h = x * w
    h.register_hook(lambda g: g * 2)
    h.retain_grad()
    h.register_hook(lambda g: g * 3)
    h.sum().backward()
    log("h.grad", h.grad)
    log("x.grad", x.grad)


def retained_with_a_hook_on_the_node(torch, log):
    x, w = _two(torch)
    h = x * w
    h.grad_fn.register_prehook(lambda g: (g[0] * 5,))
    h.retain_grad()
    h.sum().backward()
    log("h.grad", h.grad)
    log("x.grad", x.grad)


def retained_and_removed(torch, log):
    x, w = _two(torch)
    h = x * w
    handle = h.register_hook(lambda g: g * 2)
    h.retain_grad()
    handle.remove()
    h.sum().backward()
    log("h.grad", h.grad)


def retained_where_a_hook_raises(torch, log):
    x, w = _two(torch)
    h = x * w
    h.retain_grad()
    k = h * 2
    k.retain_grad()

    def fail(g):
        raise ValueError("no")

    h.register_hook(fail)
    with log.raises("error"):
        k.sum().backward()
    log("k.grad", k.grad)
    with log.warns("none"):
        log("h.grad", h.grad)
    log("x.grad", x.grad)


# ---------------------------------------------------------------- after accumulation


def after_accumulation(torch, log):
    x, _ = _two(torch)
    seen = []
    x.register_post_accumulate_grad_hook(lambda t: seen.append((t is x, t.grad.clone())))
    (x * x).sum().backward()
    (x * x).sum().backward()
    log("seen", seen)


def after_accumulation_clearing(torch, log):
    x, _ = _two(torch)

    def step(t):
        with torch.no_grad():
            t.sub_(t.grad, alpha=0.5)
        t.grad = None

    x.register_post_accumulate_grad_hook(step)
    for _ in range(3):
        (x * x).sum().backward()
    log("x", x)
    log("x.grad", x.grad)


def after_accumulation_of_an_intermediate(torch, log):
    x, _ = _two(torch)
    with log.raises("error"):
        (x * 2).register_post_accumulate_grad_hook(print)


def after_accumulation_not_in_grad(torch, log):
    x, _ = _two(torch)
    calls = []
    x.register_post_accumulate_grad_hook(lambda t: calls.append("x"))
    torch.autograd.grad((x * x).sum(), x)
    log("grad", list(calls))
    (x * x).sum().backward(inputs=[x])
    log("inputs", list(calls))


@each(value=[("None", None), ("itself", "self"), ("a number", 3)])
def after_accumulation_returning(torch, log, value):
    x, _ = _two(torch)
    x.register_post_accumulate_grad_hook(lambda t: t if value[1] == "self" else value[1])
    log.attempt("backward", lambda: (x * 2).sum().backward())
    log("x.grad", x.grad)


def after_accumulation_raising(torch, log):
    x, w = _two(torch)

    def fail(t):
        raise ValueError("no")

    x.register_post_accumulate_grad_hook(fail)
    with log.raises("error"):
        (x * w).sum().backward()
    log("x.grad", x.grad)


def after_accumulation_in_order(torch, log):
    x, w = _two(torch)
    events = []
    x.register_hook(lambda g: events.append("x before"))
    w.register_post_accumulate_grad_hook(lambda t: events.append("w after"))
    x.register_post_accumulate_grad_hook(lambda t: events.append("x after"))
    x.register_post_accumulate_grad_hook(lambda t: events.append("x after, again"))
    ((x * 2) * w).sum().backward()
    log("events", events)


def after_accumulation_removed(torch, log):
    x, _ = _two(torch)
    calls = []
    handle = x.register_post_accumulate_grad_hook(lambda t: calls.append("x"))
    (x * 2).sum().backward()
    handle.remove()
    (x * 2).sum().backward()
    log("calls", calls)


def after_accumulation_with_create_graph(torch, log):
    x, _ = _two(torch)
    seen = []
    x.register_post_accumulate_grad_hook(lambda t: seen.append(t.grad.requires_grad))
    (x**3).sum().backward(create_graph=True)
    log("seen", seen)
