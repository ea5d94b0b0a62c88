"""Hooks: on tensors, on leaves after accumulation, on nodes; what they may return, their order."""

import pickle

from ._harness import differs, each


def _tensor(values, shape=None):
    """How a tensor of float32 without history is written down."""
    return {
        "tensor": values,
        "shape": [len(values)] if shape is None else shape,
        "dtype": "float32",
        "requires_grad": False,
        "grad_fn": None,
    }


def _two(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    w = torch.tensor([3.0, 4.0], requires_grad=True)
    return x, w


# ---------------------------------------------------------------- hooks on tensors


def on_a_leaf(torch, log):
    x, _ = _two(torch)
    seen = []
    log("handle", type(x.register_hook(seen.append)).__name__)
    (x * x).sum().backward()
    log("seen", seen)
    log("x.grad", x.grad)


def on_an_intermediate(torch, log):
    x, w = _two(torch)
    seen = []
    h = x * w
    h.register_hook(seen.append)
    (h * h).sum().backward()
    log("seen", seen)
    log("x.grad", x.grad)


def on_the_root(torch, log):
    x, _ = _two(torch)
    y = (x * x).sum()
    y.register_hook(lambda g: g * 10)
    y.backward()
    log("x.grad", x.grad)


def on_the_root_with_a_gradient(torch, log):
    x, _ = _two(torch)
    y = x * x
    g = torch.tensor([1.0, 10.0])
    seen = []
    y.register_hook(lambda h: seen.append(h is g))
    y.backward(g)
    log("the same", seen)
    log("x.grad", x.grad)


def on_a_leaf_that_is_the_root(torch, log):
    x = torch.tensor(2.0, requires_grad=True)
    x.register_hook(lambda g: g * 3)
    x.backward()
    log("x.grad", x.grad)


def replaces_the_gradient(torch, log):
    x, w = _two(torch)
    h = x * w
    h.register_hook(lambda g: g * 2)
    x.register_hook(lambda g: g + 1)
    h.sum().backward()
    log("x.grad", x.grad)
    log("w.grad", w.grad)


def the_gradient_is_whole_at_a_hook(torch, log):
    x, w = _two(torch)
    seen = []
    h = x * w
    h.register_hook(seen.append)
    (h.sum() + (h * h).sum() + h[0]).backward()
    log("once", seen)


RETURNS = [
    ("None", lambda torch, g: None),
    ("itself", lambda torch, g: g),
    ("a number", lambda torch, g: 1.0),
    ("a list", lambda torch, g: [1.0, 2.0]),
    ("a tuple", lambda torch, g: (g,)),
    ("another size", lambda torch, g: torch.ones(3)),
    ("another shape", lambda torch, g: g.reshape(2, 1)),
    ("one element", lambda torch, g: torch.ones(1)),
    ("another dtype", lambda torch, g: g.double()),
    ("integers", lambda torch, g: g.long()),
    ("complex", lambda torch, g: g + 0j),
    ("expanded", lambda torch, g: torch.tensor(3.0).expand(2)),
    ("a view", lambda torch, g: torch.arange(4.0)[::2]),
    ("a leaf", lambda torch, g: torch.ones(2, requires_grad=True)),
]


@each(returned=RETURNS, where=["leaf", "intermediate"])
def returns(torch, log, returned, where):
    x, w = _two(torch)
    h = x * w

    def hook(g):
        return returned[1](torch, g)

    (x if where == "leaf" else h).register_hook(hook)
    log.attempt("backward", lambda: (h * 2).sum().backward())
    log("x.grad", x.grad)
    log("w.grad", w.grad)


def changes_its_argument(torch, log):
    x, w = _two(torch)
    h = x * w
    x.register_hook(lambda g: g.clone().mul_(10))
    h.sum().backward()
    log("x.grad", x.grad)


def keeps_its_argument(torch, log):
    x, _ = _two(torch)
    seen = []
    x.register_hook(seen.append)
    (x * x).sum().backward()
    (x * x).sum().backward()
    log("seen", seen)
    log("not the grad", seen[0] is x.grad)
    log("x.grad", x.grad)


def in_order_of_registration(torch, log):
    x, _ = _two(torch)
    events = []

    def hook(name, factor):
        def run(g):
            events.append((name, g.tolist()))
            return g * factor

        return run

    for i in range(4):
        x.register_hook(hook(i, i + 1))
    (x * 1).sum().backward()
    log("events", events)
    log("x.grad", x.grad)


def the_same_hook_twice(torch, log):
    x, _ = _two(torch)

    def double(g):
        return g * 2

    a, b = x.register_hook(double), x.register_hook(double)
    x.sum().backward()
    log("both", x.grad)
    a.remove()
    x.grad = None
    x.sum().backward()
    log("one", x.grad)
    b.remove()
    x.grad = None
    x.sum().backward()
    log("none", x.grad)


def runs_in_every_pass(torch, log):
    x, w = _two(torch)
    calls = []
    h = x * w
    h.register_hook(lambda g: calls.append("h"))
    y = h.sum()
    y.backward(retain_graph=True)
    y.backward(retain_graph=True)
    torch.autograd.grad(y, x, retain_graph=True)
    torch.autograd.grad(y, h)
    log("calls", calls)


def only_on_the_way(torch, log):
    x, w = _two(torch)
    calls = []
    h, k = x * 2, w * 3
    h.register_hook(lambda g: calls.append("h"))
    k.register_hook(lambda g: calls.append("k"))
    x.register_hook(lambda g: calls.append("x"))
    w.register_hook(lambda g: calls.append("w"))
    y = (h * k).sum()
    y.backward(inputs=[w], retain_graph=True)
    log("into w", list(calls))
    calls.clear()
    torch.autograd.grad(y, x, retain_graph=True)
    log("to x", list(calls))
    calls.clear()
    torch.autograd.grad(y, h, retain_graph=True)
    log("to h", list(calls))
    calls.clear()
    y.backward(inputs=[h])
    log("into h", list(calls))


def grad_returns_what_arrives_before_the_hooks(torch, log):
    x, w = _two(torch)
    h = x * w
    h.register_hook(lambda g: g * 10)
    x.register_hook(lambda g: g + 1)
    log("grads", torch.autograd.grad(h.sum(), [x, h, w]))
    log("x.grad", x.grad)


def order_of_events(torch, log):
    x, w = _two(torch)
    events = []
    a = x * w
    b = a.exp()
    c = b * w
    for name, t in (("w", w), ("c", c), ("x", x), ("b", b), ("a", a)):
        t.register_hook(lambda g, name=name: events.append(name))
    c.sum().backward()
    log("events", events)


def order_of_events_with_branches(torch, log):
    x, w = _two(torch)
    events = []
    first = (x * 2).exp()
    second = (w * 3).sin()
    third = first * second
    for name, t in (("x", x), ("w", w), ("first", first), ("second", second), ("third", third)):
        t.register_hook(lambda g, name=name: events.append(name))
    (third + second).sum().backward()
    log("events", events)


def without_requires_grad(torch, log):
    c = torch.tensor([1.0, 2.0])
    with log.raises("constant"):
        c.register_hook(print)
    with log.raises("after accumulation"):
        c.register_post_accumulate_grad_hook(print)
    x, _ = _two(torch)
    with log.raises("detached"):
        x.detach().register_hook(print)


@each(value=[("None", None), ("a number", 3), ("a string", "hook")])
def what_is_no_function(torch, log, value):
    x, _ = _two(torch)

    def go():
        x.register_hook(value[1])
        (x * 2).sum().backward()

    try:
        go()
    except TypeError as error:
        log("error", type(error).__name__)
    log("x.grad", x.grad)


@each(hook=[("none", lambda: None), ("two", lambda a, b: None)])
def of_other_arguments(torch, log, hook):
    x, _ = _two(torch)
    x.register_hook(hook[1])
    try:
        (x * 2).sum().backward()
    except TypeError as error:
        log("error", type(error).__name__)
    log("x.grad", x.grad)


# ---------------------------------------------------------------- handles


def removed(torch, log):
    x, _ = _two(torch)
    calls = []
    handle = x.register_hook(lambda g: calls.append("x"))
    handle.remove()
    handle.remove()
    (x * 2).sum().backward()
    log("calls", calls)


def as_a_block(torch, log):
    x, _ = _two(torch)
    with x.register_hook(lambda g: g * 10) as handle:
        (x * 2).sum().backward()
    log("entered", type(handle).__name__)
    (x * 2).sum().backward()
    log("x.grad", x.grad)


def as_a_block_that_raises(torch, log):
    x, _ = _two(torch)
    with log.raises("error"), x.register_hook(lambda g: g * 10):
        raise ValueError("no")
    (x * 2).sum().backward()
    log("x.grad", x.grad)


def removed_by_itself(torch, log):
    x, _ = _two(torch)
    calls = []

    def hook(g):
        calls.append("once")
        handle.remove()

    handle = x.register_hook(hook)
    for _ in range(3):
        (x * 2).sum().backward()
    log("calls", calls)


def removed_by_one_before(torch, log):
    x, w = _two(torch)
    calls = []
    h = x * w
    later = x.register_hook(lambda g: calls.append("x"))
    h.register_hook(lambda g: later.remove())
    h.sum().backward()
    log("calls", calls)


def another_added_by_a_hook(torch, log):
    x, w = _two(torch)
    calls = []
    h = x * w
    h.register_hook(lambda g: x.register_hook(lambda g: calls.append("x")) and None)
    h.sum().backward()
    log("calls", calls)


def handles_have_numbers(torch, log):
    x, _ = _two(torch)
    a = x.register_hook(lambda g: None)
    b = x.register_hook(lambda g: None)
    log("grow", b.id - a.id)


def a_handle_outlives_its_tensor(torch, log):
    handle = torch.tensor([1.0], requires_grad=True).register_hook(lambda g: None)
    log("removed", handle.remove())


def a_pickled_handle_removes_nothing_here(torch, log):
    x, _ = _two(torch)
    handle = x.register_hook(_named_hook)
    other = pickle.loads(pickle.dumps(handle))
    log("number", other.id == handle.id)
    other.remove()
    x.sum().backward()
    log("x.grad", x.grad)


def _named_hook(g):
    return g * 2


def a_handle_of_ones_own(torch, log):
    from collections import OrderedDict

    hooks, also = OrderedDict(), OrderedDict()
    handle = torch.utils.hooks.RemovableHandle(hooks, extra_dict=also)
    hooks[handle.id] = "hook"
    also[handle.id] = "more"
    handle.remove()
    log("left", (len(hooks), len(also)))


# ---------------------------------------------------------------- views, in place


def before_a_change_in_place(torch, log):
    x, _ = _two(torch)
    seen = []
    h = x * 2
    h.register_hook(lambda g: seen.append(("old", g)))
    h.mul_(5)
    h.register_hook(lambda g: seen.append(("new", g)))
    h.sum().backward()
    log("seen", seen)
    log("x.grad", x.grad)


def before_a_change_in_place_replacing(torch, log):
    x, _ = _two(torch)
    h = x * 2
    h.register_hook(lambda g: g * 10)
    h.mul_(5)
    h.sum().backward()
    log("x.grad", x.grad)


def on_a_view(torch, log):
    x = torch.arange(4.0, requires_grad=True)
    seen = []
    v = x.view(2, 2)
    row = v[0]
    v.register_hook(lambda g: seen.append(("v", g)))
    row.register_hook(lambda g: seen.append(("row", g)))
    (row * row).sum().backward()
    log("seen", seen)
    log("x.grad", x.grad)


def on_a_base_whose_view_is_changed(torch, log):
    x, _ = _two(torch)
    seen = []
    h = x * 2
    h.register_hook(lambda g: seen.append(("before", g)))
    h[0].mul_(7)
    h.register_hook(lambda g: seen.append(("after", g)))
    h.sum().backward()
    log("seen", seen)
    log("x.grad", x.grad)


@differs(
    "a hook counts from the moment it is registered; PyTorch loses it, since the view's node is "
    "made anew when it is asked for next",
    {"seen": [{"tuple": ["after", _tensor(1.0, [])]}]},
)
def on_a_view_whose_base_is_changed(torch, log):
    x, _ = _two(torch)
    seen = []
    h = x * 2
    v = h[0]
    v.register_hook(lambda g: seen.append(("before", g)))
    h.mul_(7)
    v.register_hook(lambda g: seen.append(("after", g)))
    v.backward()
    log("seen", seen)
    log("x.grad", x.grad)


def on_what_is_detached_later(torch, log):
    x, _ = _two(torch)
    calls = []
    h = x * 2
    h.register_hook(lambda g: calls.append("h"))
    y = h.sum()
    h.detach_()
    y.backward()
    log("calls", calls)


def on_a_leaf_that_is_made_one_later(torch, log):
    x = torch.tensor([1.0, 2.0])
    x.requires_grad_()
    x.register_hook(lambda g: g * 2)
    x.sum().backward()
    log("x.grad", x.grad)


def on_a_leaf_whose_data_is_replaced(torch, log):
    x, _ = _two(torch)
    x.register_hook(lambda g: g * 10)
    x.data = torch.tensor([5.0, 6.0])
    (x * x).sum().backward()
    log("x.grad", x.grad)


def on_a_leaf_changed_under_no_grad(torch, log):
    x, _ = _two(torch)
    x.register_hook(lambda g: g * 10)
    with torch.no_grad():
        x.add_(1)
    (x * x).sum().backward()
    log("x.grad", x.grad)


SEVERAL = [
    ("unbind", lambda x: x.view(3, 2).unbind()),
    ("split", lambda x: x.split(2)),
    ("split by sizes", lambda x: x.split([2, 2, 2])),
    ("chunk", lambda x: x.chunk(3)),
    ("rows", lambda x: list(x.view(3, 2))),
]


@each(function=SEVERAL)
def on_several_results(torch, log, function):
    x = torch.arange(6.0, requires_grad=True)
    seen = []
    a, b, c = function[1](x)
    for name, t in (("a", a), ("b", b), ("c", c)):
        t.register_hook(lambda g, name=name: seen.append((name, g)))
    b.register_hook(lambda g: 10 * g)
    (a * b * c).sum().backward()
    log("seen", sorted(seen, key=lambda found: found[0]))
    log("x.grad", x.grad)


def on_several_results_of_which_one_is_used(torch, log):
    x = torch.arange(4.0, requires_grad=True)
    seen = []
    a, b = x.view(2, 2).unbind()
    a.register_hook(lambda g: seen.append(("a", g)))
    b.register_hook(lambda g: seen.append(("b", g)))
    (a * a).sum().backward()
    log("seen", seen)
    log("x.grad", x.grad)


def at_the_node_of_several_results(torch, log):
    x = torch.arange(4.0, requires_grad=True)
    before, after = [], []
    a, _ = x.view(2, 2).unbind()
    a.grad_fn.register_prehook(lambda o: before.append(len(o)))
    a.grad_fn.register_hook(lambda i, o: after.append((len(o), i[0].flatten().tolist())))
    (a * a).sum().backward()
    log("before", before)
    log("after", after)
    log("x.grad", x.grad)


OF_SEVERAL = {
    "unbind": lambda torch, y: y.unbind(),
    "split": lambda torch, y: y.split(1),
    "split by sizes": lambda torch, y: y.split([1, 2]),
    "chunk": lambda torch, y: y.chunk(3),
    "std_mean": lambda torch, y: torch.std_mean(y, 1),
    "var_mean": lambda torch, y: torch.var_mean(y),
    "aminmax": lambda torch, y: torch.aminmax(y, dim=0),
}


def _several(torch, of):
    x = torch.tensor([[1.0, 5.0], [2.0, 3.0], [4.0, 7.0]], requires_grad=True)
    return x, OF_SEVERAL[of](torch, x * 2)


def _seen(log, name):
    """Hooks that log what they see: on a tensor, before a node and after it."""

    def values(gs):
        return [None if g is None else g.flatten().tolist() for g in gs]

    return (
        lambda g: log(name, values([g])),
        lambda o: log(f"before {name}", values(o)),
        lambda i, o: log(f"after {name}", (values(i), values(o))),
    )


@each(of=list(OF_SEVERAL), used=["first", "last", "both"])
def hooks_of_several_results(torch, log, of, used):
    x, outs = _several(torch, of)
    on_last, before, after = _seen(log, "last")
    on_first = _seen(log, "first")[0]
    outs[-1].register_hook(on_last)
    outs[0].register_hook(on_first)
    outs[-1].register_hook(lambda g: None if g is None else 10 * g)
    outs[0].grad_fn.register_prehook(before)
    outs[-1].grad_fn.register_hook(after)
    outs[0].retain_grad()
    outs[-1].retain_grad()
    chosen = {"first": [outs[0]], "last": [outs[-1]], "both": [outs[0], outs[-1]]}[used]
    sum((k + 2.0) * t.sum() for k, t in enumerate(chosen)).backward()
    log("grads", [outs[0].grad, outs[-1].grad, x.grad])


@each(of=list(OF_SEVERAL))
def hooks_of_several_results_replace(torch, log, of):
    x, outs = _several(torch, of)
    outs[0].grad_fn.register_prehook(lambda o: (*[None if g is None else 3 * g for g in o],))
    outs[0].grad_fn.register_hook(lambda i, o: (100 * i[0],))
    (outs[0].sum() + 2 * outs[-1].sum()).backward()
    log("x.grad", x.grad)


@each(where=["tensor", "before", "after"])
def hooks_that_put_a_gradient_where_none_is(torch, log, where):
    x = torch.arange(4.0, requires_grad=True)
    a, b = x.view(2, 2).unbind()
    one = torch.ones(2)
    if where == "tensor":
        b.register_hook(lambda g: one)
    elif where == "before":
        b.grad_fn.register_prehook(lambda o: (o[0], one))
    else:
        w = torch.ones(2)
        a = torch.where(w > 0, a, w)
        a.grad_fn.register_hook(lambda i, o: (one,) * len(i))
    with log.raises("backward"):
        a.sum().backward()


def a_hook_on_one_of_several_results_that_is_gone(torch, log):
    x = torch.arange(4.0, requires_grad=True)
    a, b = x.view(2, 2).unbind()
    b.register_hook(lambda g: log("b", g))
    b.grad_fn.register_prehook(lambda o: log("before", [g is None for g in o]))
    del b
    a.sum().backward()
    log("x.grad", x.grad)


@each(of=list(OF_SEVERAL), wanted=["first", "last", "both", "first and x"])
def hooks_of_several_results_under_grad(torch, log, of, wanted):
    x, outs = _several(torch, of)
    on_last, before, after = _seen(log, "last")
    outs[-1].register_hook(on_last)
    outs[0].register_hook(_seen(log, "first")[0])
    outs[0].grad_fn.register_prehook(before)
    outs[-1].grad_fn.register_hook(after)
    loss = outs[0].sum() * 2 + outs[-1].sum() * 3
    inputs = {
        "first": [outs[0]], "last": [outs[-1]], "both": [outs[-1], outs[0]],
        "first and x": [outs[0], x],
    }[wanted]  # fmt: skip
    log("grads", torch.autograd.grad(loss, inputs))


def one_of_several_results_that_is_not_used_under_grad(torch, log):
    x = torch.arange(4.0, requires_grad=True)
    a, b = x.view(2, 2).unbind()
    a.register_hook(lambda g: log("a", g))
    b.register_hook(lambda g: log("b", g))
    log("grad", torch.autograd.grad(a.sum(), [b], allow_unused=True))


@each(of=list(OF_SEVERAL))
def backward_with_one_of_several_results_as_input(torch, log, of):
    x, outs = _several(torch, of)
    outs[0].grad_fn.register_hook(_seen(log, "node")[2])
    (outs[0].sum() * 2 + outs[-1].sum() * 3).backward(inputs=[outs[-1]])
    log("grads", [outs[-1].grad, x.grad])
    log("retains", [outs[0].retains_grad, outs[-1].retains_grad])


@each(mode=["all", "any"])
def hooks_on_several_gradients_of_one_node(torch, log, mode):
    x = torch.arange(6.0, requires_grad=True)
    a, b, c = x.view(3, 2).unbind()
    seen = []
    torch.autograd.graph.register_multi_grad_hook((a, b, c, x), seen.append, mode=mode)
    (a * c).sum().backward()
    log("seen", seen)


def hooks_of_several_results_under_create_graph(torch, log):
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    a, b = (x * x).unbind()
    a.grad_fn.register_prehook(lambda o: (3 * o[0], o[1]))
    b.register_hook(lambda g: g * g)
    (g,) = torch.autograd.grad((a * b).sum(), x, create_graph=True)
    log.gradient("g", g)
    log("second", torch.autograd.grad(g.sum(), x))


def hooks_on_results_of_a_function_that_are_not_used(torch, log):
    class Both(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return 1 * x, 2 * x

        @staticmethod
        def backward(ctx, a, b):
            return a + 2 * b

    x = torch.arange(2.0, requires_grad=True)
    a, b = Both.apply(x)
    b.register_hook(lambda g: log("b", g))
    a.register_hook(lambda g: log("a", g))
    del b
    a.sum().backward()
    log("x.grad", x.grad)


@differs(
    "a hook sees the gradients of what the write leaves of the tensor and of what is written; "
    "PyTorch's sees that of the tensor as it was before",
    {
        "after": {
            "tuple": [
                [[{"float": v} for v in (0.0, 0.0, 1.0, 1.0)], [{"float": 1.0}, {"float": 1.0}]],
                [[{"float": 1.0}] * 4],
            ]
        }
    },
)
def at_a_write_into_a_part(torch, log):
    x = torch.ones(2, 2, requires_grad=True)
    y = x * 1
    y[0].mul_(3)
    y.grad_fn.register_hook(_seen(lambda _, found: log("after", found), "y")[2])
    y.sum().backward()
    log("x.grad", x.grad)


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


# ---------------------------------------------------------------- hooks that raise


def raising(torch, log):
    x, w = _two(torch)
    h = x * w

    def fail(g):
        raise ValueError("not this one")

    h.register_hook(fail)
    with log.raises("error"):
        h.sum().backward()
    log("x.grad", x.grad)
    log("w.grad", w.grad)


def raising_after_a_leaf(torch, log):
    x, w = _two(torch)
    y = (x * 2).exp() * w

    def fail(g):
        raise KeyError("late")

    x.register_hook(fail)
    with log.raises("error"):
        y.sum().backward()
    log("w was reached before", w.grad)
    log("x.grad", x.grad)


def raising_and_again(torch, log):
    x, w = _two(torch)
    h = x * w
    fails = [True]

    def hook(g):
        if fails.pop():
            fails.append(False)
            raise ValueError("first time")
        fails.append(False)

    h.register_hook(hook)
    y = h.sum()
    with log.raises("error"):
        y.backward(retain_graph=True)
    y.backward()
    log("x.grad", x.grad)


def raising_frees_what_ran(torch, log):
    x, w = _two(torch)
    h = x * w
    k = h * h

    def fail(g):
        raise ValueError("no")

    h.register_hook(fail)
    y = k.sum()
    with log.raises("first"):
        y.backward()
    with log.raises("second"):
        y.backward()


def grad_mode_after_one_that_raises(torch, log):
    x, _ = _two(torch)

    def fail(g):
        raise ValueError("no")

    x.register_hook(fail)
    with log.raises("error"):
        (x * 2).sum().backward()
    log("enabled", torch.is_grad_enabled())


# ---------------------------------------------------------------- what hooks do


def grad_mode_inside(torch, log):
    x, _ = _two(torch)
    modes = []
    x.register_hook(lambda g: modes.append(torch.is_grad_enabled()))
    (x * 2).sum().backward()
    (x * 2).sum().backward(create_graph=True)
    with torch.no_grad():
        x.grad = None
    y = (x * 2).sum()
    with torch.no_grad():
        y.backward()
    log("modes", modes)


def computing_with_the_tensor(torch, log):
    x, w = _two(torch)
    h = x * w
    h.register_hook(lambda g: g * h.detach())
    h.sum().backward()
    log("x.grad", x.grad)


def calling_backward(torch, log):
    x, w = _two(torch)
    other = (w * w).sum()
    h = x * w
    h.register_hook(lambda g: other.backward())
    h.sum().backward()
    log("x.grad", x.grad)
    log("w.grad", w.grad)


def calling_grad_on_a_graph_of_its_own(torch, log):
    x, w = _two(torch)

    def hook(g):
        with torch.enable_grad():
            z = w.detach().requires_grad_()
            (d,) = torch.autograd.grad((z**3).sum(), z)
        return g * d

    h = x * 2
    h.register_hook(hook)
    h.sum().backward()
    log("x.grad", x.grad)


def calling_backward_on_the_same_graph(torch, log):
    x, w = _two(torch)
    h = x * w
    y = (h * h).sum()
    done = []

    def hook(g):
        if not done:
            done.append(True)
            y.backward(retain_graph=True)

    h.register_hook(hook)
    y.backward(retain_graph=True)
    log("x.grad", x.grad)


def changing_a_leaf(torch, log):
    x, w = _two(torch)
    h = x * 2

    def hook(g):
        with torch.no_grad():
            w.add_(1)

    h.register_hook(hook)
    h.sum().backward()
    log("w", w)
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


# ---------------------------------------------------------------- hooks on nodes


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


# ---------------------------------------------------------------- many runs, many hooks


def many_runs_of_one_structure(torch, log):
    x, w = _two(torch)
    seen = []
    for i in range(8):
        h = (x * w).exp() * float(i + 1)
        h.register_hook(seen.append)
        (h.log() * h).sum().backward()
    log("calls", len(seen))
    log("last", seen[-1])
    log("x.grad", x.grad)


def many_runs_with_a_hook_on_a_leaf(torch, log):
    x, w = _two(torch)
    x.register_hook(lambda g: g * 0.5)
    for _ in range(8):
        (x * w).sin().sum().backward()
    log("x.grad", x.grad)
    log("w.grad", w.grad)


def in_a_loop_of_steps(torch, log):
    w = torch.tensor([1.0, -2.0, 0.5], dtype=torch.float64, requires_grad=True)
    clipped = []
    w.register_hook(lambda g: g.clamp(-0.1, 0.1))
    w.register_hook(lambda g: clipped.append(g.abs().max().item()))
    for _ in range(6):
        ((w - 1) ** 2).sum().backward()
        with torch.no_grad():
            w -= 0.5 * w.grad
        w.grad = None
    log("w", w)
    log("clipped", clipped)


def on_every_node_of_a_chain(torch, log):
    x = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)
    order = []
    h = x
    for i in range(30):
        h = h * 1.1
        h.register_hook(lambda g, i=i: order.append(i))
    h.sum().backward()
    log("order", order)
    log("x.grad", x.grad)


@differs(
    "leaves that one node completes come in the order of its operands; in PyTorch, of a heap",
    {"order": [0, 7, 14]},
)
def on_some_inputs_of_a_sum(torch, log):
    leaves = [torch.tensor(float(i), requires_grad=True) for i in range(20)]
    order = []
    for i in range(0, 20, 7):
        leaves[i].register_hook(lambda g, i=i: order.append(i))
    torch.stack(leaves).sum().backward()
    log("order", order)
    log("grads", [x.grad.item() for x in leaves])


def with_a_batch_of_gradients(torch, log):
    x, w = _two(torch)
    h = x * w
    h.register_hook(lambda g: g * 2)
    g = torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    log("grads", torch.autograd.grad(h, [x, w], g, is_grads_batched=True))


def with_a_batch_called(torch, log):
    x, _ = _two(torch)
    calls = []
    h = x * 2
    h.register_hook(lambda g: calls.append(tuple(g.shape)))
    g = torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    torch.autograd.grad(h, x, g, is_grads_batched=True)
    log("calls", len(calls))
    log("shape", calls[0])


def unused_and_undefined(torch, log):
    x, w = _two(torch)
    calls = []
    h = x * 2
    h.register_hook(lambda g: calls.append("h"))
    z = h.detach() * w
    z.sum().backward()
    log("calls", calls)
    log("x.grad", x.grad)
