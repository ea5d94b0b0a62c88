"""backward(inputs=…): leaves, intermediates, unrelated, duplicates, wrong."""

from ._harness import each


def _setting(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    w = torch.tensor([3.0, 4.0], requires_grad=True)
    h = x * w
    y = (h * h).sum()
    return x, w, h, y


def only_the_leaf_named(torch, log):
    x, w, _, y = _setting(torch)
    y.backward(inputs=[x])
    log("x.grad", x.grad)
    log("w.grad", w.grad)


def two_leaves(torch, log):
    x, w, _, y = _setting(torch)
    y.backward(inputs=[x, w])
    log("x.grad", x.grad)
    log("w.grad", w.grad)


def a_bare_tensor(torch, log):
    x, w, _, y = _setting(torch)
    y.backward(inputs=x)
    log("x.grad", x.grad)
    log("w.grad", w.grad)


@each(kind=["tuple", "generator", "set", "dict"])
def other_containers(torch, log, kind):
    x, w, _, y = _setting(torch)
    container = {
        "tuple": (x,),
        "generator": (t for t in [x]),
        "set": {x},
        "dict": {x: 1},
    }[kind]
    log.attempt("backward", lambda: y.backward(inputs=container))
    log("x.grad", x.grad)
    log("w.grad", w.grad)


@each(value=[[], (), None])
def no_inputs(torch, log, value):
    x, w, _, y = _setting(torch)
    log.attempt("backward", lambda: y.backward(inputs=value))
    log("x.grad", x.grad)
    log("w.grad", w.grad)


def an_intermediate(torch, log):
    x, w, h, y = _setting(torch)
    log("retains_grad before", h.retains_grad)
    y.backward(inputs=[h])
    log("h.grad", h.grad)
    log("retains_grad", h.retains_grad)
    log("x.grad", x.grad)
    log("w.grad", w.grad)


def an_intermediate_and_a_leaf(torch, log):
    x, w, h, y = _setting(torch)
    y.backward(inputs=[h, x])
    log("h.grad", h.grad)
    log("x.grad", x.grad)
    log("w.grad", w.grad)


def an_intermediate_twice_accumulates_or_replaces(torch, log):
    x, _, h, y = _setting(torch)
    y.backward(inputs=[h], retain_graph=True)
    log("first", h.grad)
    y.backward(inputs=[h], retain_graph=True)
    log("second", h.grad)
    y.backward()
    log("third, without inputs", h.grad)
    log("x.grad", x.grad)


def the_output_itself(torch, log):
    x, _, _, y = _setting(torch)
    y.backward(inputs=[y])
    log("y.grad", y.grad)
    log("x.grad", x.grad)


def the_output_and_a_leaf(torch, log):
    x, w, _, y = _setting(torch)
    y.backward(inputs=[y, w])
    log("y.grad", y.grad)
    log("x.grad", x.grad)
    log("w.grad", w.grad)


def an_unrelated_leaf(torch, log):
    x, w, _, y = _setting(torch)
    other = torch.tensor(1.0, requires_grad=True)
    y.backward(inputs=[other])
    log("other.grad", other.grad)
    log("x.grad", x.grad)
    log("w.grad", w.grad)


def an_unrelated_intermediate(torch, log):
    x, _, _, y = _setting(torch)
    other = torch.tensor(1.0, requires_grad=True) * 2
    y.backward(inputs=[other, x])
    log("other.grad", other.grad)
    log("x.grad", x.grad)


def a_tensor_without_grad(torch, log):
    x, _, _, y = _setting(torch)
    with log.raises("alone"):
        y.backward(inputs=[torch.ones(2)])
    with log.raises("beside a leaf"):
        y.backward(inputs=[x, torch.ones(2)])
    with log.raises("detached"):
        y.backward(inputs=[x.detach()])
    log("x.grad", x.grad)
    log.attempt("the graph is whole", lambda: y.backward())
    log("x.grad after", x.grad)


def the_same_leaf_twice(torch, log):
    x, w, _, y = _setting(torch)
    y.backward(inputs=[x, x])
    log("x.grad", x.grad)
    log("w.grad", w.grad)


def the_same_intermediate_twice(torch, log):
    x, _, h, y = _setting(torch)
    y.backward(inputs=[h, h])
    log("h.grad", h.grad)
    log("x.grad", x.grad)


@each(value=[1, 1.0, "x", [1], ["x"], [None], object])
def no_tensors(torch, log, value):
    x, _, _, y = _setting(torch)
    with log.raises("Tensor.backward"):
        y.backward(inputs=value)
    with log.raises("autograd.backward"):
        torch.autograd.backward([y], inputs=value)
    log("x.grad", x.grad)


def with_create_graph(torch, log):
    x, w, _, y = _setting(torch)
    y.backward(inputs=[x], create_graph=True)
    log.gradient("x.grad", x.grad)
    log("w.grad", w.grad)
    x.grad.sum().backward(inputs=[w])
    log.gradient("w.grad of x.grad", w.grad)


def with_several_roots(torch, log):
    x, w, h, y = _setting(torch)
    torch.autograd.backward([y, h], [None, torch.ones(2)], inputs=[x])
    log("x.grad", x.grad)
    log("w.grad", w.grad)


def with_a_gradient(torch, log):
    x, w, h, _ = _setting(torch)
    h.backward(torch.tensor([10.0, 100.0]), inputs=[w])
    log("w.grad", w.grad)
    log("x.grad", x.grad)


def accumulates_into_a_preset(torch, log):
    x, w, _, y = _setting(torch)
    x.grad = g = torch.tensor([100.0, 100.0])
    w.grad = torch.tensor([100.0, 100.0])
    y.backward(inputs=[x])
    log("x.grad", x.grad)
    log("same object", x.grad is g)
    log("w.grad", w.grad)


def a_view_of_a_leaf(torch, log):
    x, _, _, y = _setting(torch)
    v = x.view(2)
    y.backward(inputs=[v])
    log("v.grad", v.grad)
    log("x.grad", x.grad)


def frees_only_what_ran(torch, log):
    x = torch.tensor(1.0, requires_grad=True)
    a = x.exp()
    b = a.sin()
    y = b * b
    y.backward(inputs=[b])
    log("b.grad", b.grad)
    log.attempt("b is whole", lambda: b.backward())
    log("x.grad", x.grad)
    log.attempt("y is not", lambda: y.backward())


def leaf_used_only_beyond_an_intermediate(torch, log):
    x = torch.tensor(2.0, requires_grad=True)
    h = x * x
    y = h * x
    y.backward(inputs=[h])
    log("h.grad", h.grad)
    log("x.grad", x.grad)


def retained_intermediate_not_among_inputs(torch, log):
    x, w, h, y = _setting(torch)
    h.retain_grad()
    y.backward(inputs=[x])
    log("h.grad", h.grad)
    log("x.grad", x.grad)
    log("w.grad", w.grad)
