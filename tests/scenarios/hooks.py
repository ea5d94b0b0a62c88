"""Hooks on tensors: when they run, what they may return or raise, and their handles."""

import pickle

from ._harness import differs, each
from ._hooked import _two

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
