"""retain_grad, retains_grad, and `.grad` of tensors that are not leaves."""

from ._harness import each


def grad_of_an_intermediate_warns_and_is_none(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    h = x * x
    h.sum().backward()
    with log.warns("warning"):
        log("h.grad", h.grad)


def grad_of_leaves_and_constants_does_not_warn(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    c = torch.tensor([1.0, 2.0])
    with log.warns("warnings"):
        log("x", x.grad)
        log("c", c.grad)
        log("c * 2", (c * 2).grad)
        log("x.detach()", x.detach().grad)


def retained(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    h = x * x
    log("before", h.retains_grad)
    log("returns", h.retain_grad())
    log("after", h.retains_grad)
    with log.warns("no warning"):
        log("grad before", h.grad)
    (h * 3).sum().backward()
    log("h.grad", h.grad)
    log("x.grad", x.grad)


def retained_twice_is_retained_once(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    h = x * x
    h.retain_grad()
    h.retain_grad()
    h.sum().backward()
    log("h.grad", h.grad)


def on_a_leaf_it_does_nothing(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    x.retain_grad()
    log("retains_grad", x.retains_grad)
    (x * x).sum().backward()
    log("grad", x.grad)


def without_requires_grad_it_raises(torch, log):
    c = torch.tensor([1.0, 2.0])
    with log.raises("leaf"):
        c.retain_grad()
    with log.raises("function"):
        (c * 2).retain_grad()
    log("retains_grad", c.retains_grad)


def retained_grad_accumulates(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    h = x * x
    h.retain_grad()
    y = h.sum()
    y.backward(retain_graph=True)
    first = h.grad
    y.backward()
    log("h.grad", h.grad)
    log("same object", h.grad is first)
    log("x.grad", x.grad)


def the_root_retained(torch, log):
    x = torch.tensor(3.0, requires_grad=True)
    y = x * x
    y.retain_grad()
    y.backward()
    log("y.grad", y.grad)


def the_root_retained_with_a_gradient(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * x
    y.retain_grad()
    g = torch.tensor([5.0, 7.0])
    y.backward(g)
    log("y.grad", y.grad)
    log("same object", y.grad is g)
    y.grad.zero_()
    log("g", g)


def filled_by_autograd_grad(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    h = x * x
    h.retain_grad()
    log("grads", torch.autograd.grad((h * 3).sum(), x))
    log("h.grad", h.grad)
    log("x.grad", x.grad)


def not_on_the_way(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    h = x * x
    k = h * 2
    k.retain_grad()
    h.sum().backward()
    log("k.grad", k.grad)


def retained_between_other_inputs(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    h = x * x
    k = h * 2
    k.retain_grad()
    log("to h only", torch.autograd.grad(k.sum(), h))
    log("k.grad", k.grad)


def retained_with_create_graph(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    h = x * x
    h.retain_grad()
    (h**3).sum().backward(create_graph=True)
    log.gradient("h.grad", h.grad)
    log.gradient("its derivative", torch.autograd.grad(h.grad.sum(), h))


def several_retained(torch, log):
    x = torch.tensor(2.0, requires_grad=True)
    a = x * 3
    b = a * a
    c = b + a
    for t in (a, b, c):
        t.retain_grad()
    c.backward()
    log("a", a.grad)
    log("b", b.grad)
    log("c", c.grad)
    log("x", x.grad)


def retained_fan_out_gets_the_whole_sum(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    h = x * 2
    h.retain_grad()
    (h.sum() + (h * h).sum()).backward()
    log("h.grad", h.grad)


def retained_follows_an_in_place_change(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    h = x * 2
    h.retain_grad()
    h.mul_(5)
    h.sum().backward()
    log("h.grad", h.grad)
    log("x.grad", x.grad)


def retained_grads_do_not_alias(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    a = x * 1
    b = x * 1
    a.retain_grad()
    b.retain_grad()
    (a + b).sum().backward()
    a.grad.mul_(100.0)
    log("a.grad", a.grad)
    log("b.grad", b.grad)
    log("x.grad", x.grad)


def retains_grad_of_detached(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    h = x * x
    h.retain_grad()
    log("detached", h.detach().retains_grad)
    log("clone", h.clone().retains_grad)


def retained_under_no_grad(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    h = x * x
    with torch.no_grad():
        h.retain_grad()
    h.sum().backward()
    log("h.grad", h.grad)


def retained_view(torch, log):
    x = torch.arange(4.0, requires_grad=True)
    v = x.view(2, 2)
    v.retain_grad()
    (v * v).sum().backward()
    log("v.grad", v.grad)
    log("x.grad", x.grad)


def grad_kept_when_set_on_a_retained_tensor(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    h = x * x
    h.retain_grad()
    h.grad = torch.tensor([10.0, 10.0])
    h.sum().backward()
    log("h.grad", h.grad)


@each(hooked=[False, True], create_graph=[False, True], inputs=["y", "y twice", "y and x", "x"])
def of_what_a_gradient_is_asked_for(torch, log, hooked, create_graph, inputs):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 2
    y.retain_grad()
    if hooked and inputs != "y and x":
        y.register_hook(lambda g: 10 * g)
    given = {"y": [y], "y twice": [y, y], "y and x": [y, x], "x": [x]}[inputs]
    found = torch.autograd.grad((y * y).sum(), given, create_graph=create_graph)
    log("found", [g.detach() for g in found])
    log("retained", (y.grad.detach(), y.grad.requires_grad, y.grad is found[0]))
    found[0].detach().zero_()
    log("is apart", y.grad.detach())


@each(hooked=[False, True], inputs=["y", "y and x"])
def of_an_input_of_backward(torch, log, hooked, inputs):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 2
    y.retain_grad()
    if hooked:
        y.register_hook(lambda g: 10 * g)
    (y * y).sum().backward(inputs=[y] if inputs == "y" else [y, x])
    log("grads", [y.grad, x.grad])
