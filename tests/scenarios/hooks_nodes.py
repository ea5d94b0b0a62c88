"""Hooks on nodes: what they are given, what they may return, their order."""

from ._harness import each
from ._hooked import _two


def after_a_node(torch, log):
    x, w = _two(torch)
    seen = []
    h = x * w
    h.grad_fn.register_hook(lambda i, o: seen.append((i, o)))
    (h * 2).sum().backward()
    log("seen", seen)


def after_a_node_replacing(torch, log):
    x, w = _two(torch)
    h = x * w
    h.grad_fn.register_hook(lambda i, o: (i[0] * 10, i[1]))
    h.sum().backward()
    log("x.grad", x.grad)
    log("w.grad", w.grad)


def before_a_node_replacing(torch, log):
    x, w = _two(torch)
    h = x * w
    h.grad_fn.register_prehook(lambda o: (o[0] * 10,))
    h.register_hook(lambda g: g + 1)
    h.sum().backward()
    log("x.grad", x.grad)


NODE_RETURNS = [
    ("None", lambda torch, gs: None),
    ("a tensor", lambda torch, gs: gs[0]),
    ("a list", lambda torch, gs: list(gs)),
    ("too few", lambda torch, gs: ()),
    ("too many", lambda torch, gs: (*gs, gs[0])),
    ("numbers", lambda torch, gs: tuple(1.0 for _ in gs)),
    ("another size", lambda torch, gs: tuple(torch.ones(3) for _ in gs)),
    ("another dtype", lambda torch, gs: tuple(g.double() for g in gs)),
    ("no gradient", lambda torch, gs: tuple(None for _ in gs)),
    ("zeros", lambda torch, gs: tuple(torch.zeros_like(g) for g in gs)),
]


@each(returned=NODE_RETURNS, kind=["before", "after"])
def a_node_hook_returns(torch, log, returned, kind):
    x, w = _two(torch)
    h = x * w

    def before(outputs):
        return returned[1](torch, outputs)

    def after(inputs, outputs):
        return returned[1](torch, inputs)

    if kind == "before":
        h.grad_fn.register_prehook(before)
    else:
        h.grad_fn.register_hook(after)
    log.attempt("backward", lambda: (h * 2).sum().backward())
    log("x.grad", x.grad)
    log("w.grad", w.grad)


def a_node_with_a_constant_operand(torch, log):
    x, _ = _two(torch)
    seen = []
    constant = torch.tensor([3.0, 4.0])
    for y in (x * constant, x * 2, 2 - x, x**2, x / 4, torch.where(x > 1, x, 0), 2.5**x):
        y.grad_fn.register_hook(lambda i, o: seen.append((len(i), [g is None for g in i])))
        y.sum().backward()
    log("seen", seen)
    log("x.grad", x.grad)


def a_node_with_a_number_before_the_tensor(torch, log):
    x, _ = _two(torch)
    for y in (2.5 / x, 2.5 - x, 2.5**x):
        y.grad_fn.register_prehook(lambda o: (o[0] * 2,))
        y.sum().backward()
        log(f"{y.grad_fn.name()}: x.grad", x.grad)
        x.grad = None


def order_at_a_node(torch, log):
    x, w = _two(torch)
    events = []
    h = x * w
    h.grad_fn.register_hook(lambda i, o: events.append("after"))
    h.grad_fn.register_prehook(lambda o: events.append("before"))
    h.register_hook(lambda g: events.append("tensor"))
    h.retain_grad()
    x.register_hook(lambda g: events.append("x"))
    w.register_hook(lambda g: events.append("w"))
    h.grad_fn.register_prehook(lambda o: events.append("before, again"))
    h.grad_fn.register_hook(lambda i, o: events.append("after, again"))
    h.sum().backward()
    log("events", events)


def on_the_node_of_a_leaf(torch, log):
    x, w = _two(torch)
    events = []
    h = x * w
    acc = h.grad_fn.next_functions[0][0]
    acc.register_prehook(lambda o: events.append(("before", o, x.grad is None)))
    acc.register_hook(lambda i, o: events.append(("after", i, o, x.grad.clone())))
    x.register_hook(lambda g: events.append(("tensor", g)))
    x.register_post_accumulate_grad_hook(lambda t: events.append(("accumulated", t.grad.clone())))
    h.sum().backward()
    log("events", events)


def on_the_node_of_a_leaf_replacing(torch, log):
    x, w = _two(torch)
    h = x * w
    acc = h.grad_fn.next_functions[0][0]
    acc.register_prehook(lambda o: (o[0] * 10,))
    h.sum().backward()
    log("x.grad", x.grad)


def on_the_node_of_a_leaf_under_grad(torch, log):
    x, w = _two(torch)
    events = []
    h = x * w
    acc = h.grad_fn.next_functions[0][0]
    acc.register_prehook(lambda o: events.append("before"))
    acc.register_hook(lambda i, o: events.append("after"))
    log("grad", torch.autograd.grad(h.sum(), x))
    log("events", events)


def on_a_node_that_does_not_run(torch, log):
    x, w = _two(torch)
    events = []
    h = x * w
    h.grad_fn.register_prehook(lambda o: events.append("before"))
    h.grad_fn.register_hook(lambda i, o: events.append("after"))
    h.register_hook(lambda g: events.append("tensor"))
    torch.autograd.grad(h.sum(), h, retain_graph=True)
    log("grad", list(events))
    h.sum().backward(inputs=[h])
    log("inputs", list(events))


def at_a_node_under_inputs(torch, log):
    x, w = _two(torch)
    seen = []
    h = x * w
    h.grad_fn.register_hook(lambda i, o: seen.append([g is None for g in i]))
    h.sum().backward(inputs=[x], retain_graph=True)
    torch.autograd.grad(h.sum(), w)
    log("not needed is None", seen)


def removed_from_a_node(torch, log):
    x, w = _two(torch)
    events = []
    h = x * w
    a = h.grad_fn.register_prehook(lambda o: events.append("before"))
    b = h.grad_fn.register_hook(lambda i, o: events.append("after"))
    a.remove()
    h.sum().backward(retain_graph=True)
    b.remove()
    h.sum().backward()
    log("events", events)


def raising_at_a_node(torch, log):
    x, w = _two(torch)
    h = x * w

    def fail(*gradients):
        raise ValueError("at the node")

    handle = h.grad_fn.register_prehook(fail)
    with log.raises("before"):
        h.sum().backward(retain_graph=True)
    handle.remove()
    h.grad_fn.register_hook(fail)
    with log.raises("after"):
        h.sum().backward()
    log("x.grad", x.grad)


def at_a_node_under_create_graph(torch, log):
    x, w = _two(torch)
    h = x * w
    h.grad_fn.register_hook(lambda i, o: (i[0] * x, i[1]))
    (g,) = torch.autograd.grad(h.sum(), x, create_graph=True)
    log.gradient("g", g)
    log("second", torch.autograd.grad(g.sum(), [x, w]))
