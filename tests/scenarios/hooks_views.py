"""Hooks on tensors that are viewed, or changed in place."""

from ._harness import differs, each
from ._hooked import _two


def _tensor(values, shape=None):
    """How a tensor of float32 without history is written down."""
    return {
        "tensor": values,
        "shape": [len(values)] if shape is None else shape,
        "dtype": "float32",
        "requires_grad": False,
        "grad_fn": None,
    }


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
