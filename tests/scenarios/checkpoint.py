"""utils.checkpoint: what runs again, when, with which arguments and random numbers."""

import functools
import threading

from ._checkpointed import VARIANTS, _text, _utils, _x
from ._harness import each

FUNCTIONS = [
    ("sin", lambda torch, x: x.sin()),
    ("chain", lambda torch, x: x.sin().exp().tanh()),
    ("product", lambda torch, x: x * x.exp()),
    ("sum", lambda torch, x: (x * x).sum()),
    ("softmax", lambda torch, x: x.softmax(0)),
    ("nothing saved", lambda torch, x: x + 1),
    ("view", lambda torch, x: x.exp().view(3, 1)),
    ("a slice", lambda torch, x: x.exp()[1:]),
    ("outer", lambda torch, x: x.outer(x.sin())),
    ("where", lambda torch, x: torch.where(x > 0, x.exp(), x * x)),
    ("in place", lambda torch, x: x.sin().mul_(x)),
    ("in place twice", lambda torch, x: x.clone().mul_(2).sin_().add_(1)),
    ("assignment", lambda torch, x: _assigned(torch, x)),
    ("cat", lambda torch, x: torch.cat([x.exp(), x.sin()])),
    ("indexing", lambda torch, x: (x * x)[torch.tensor([0, 0, 2])]),
    ("max", lambda torch, x: (x * x).max()),
    ("prod", lambda torch, x: x.prod()),
    ("a tensor from outside", lambda torch, x: x * torch.tensor([1.0, 2.0, 3.0]).double()),
]


def _assigned(torch, x):
    y = torch.zeros(4, dtype=x.dtype)
    y[1:] = x * x
    return y.exp()


@each(function=FUNCTIONS, use_reentrant=VARIANTS)
def gradient(torch, log, function, use_reentrant):
    x = _x(torch)
    runs = []

    def f(x):
        runs.append(torch.is_grad_enabled())
        return function[1](torch, x)

    y = _utils(torch).checkpoint(f, x, use_reentrant=use_reentrant)
    log("requires_grad", y.requires_grad)
    log("runs before", list(runs))
    y.sum().backward()
    log("runs", list(runs))
    log("x.grad", x.grad)


@each(function=FUNCTIONS)
def second_derivative(torch, log, function):
    x = _x(torch)
    y = _utils(torch).checkpoint(lambda x: function[1](torch, x), x, use_reentrant=False)
    (g,) = torch.autograd.grad((y * y).sum(), x, create_graph=True)
    log.gradient("first", g)
    log.gradient("second", torch.autograd.grad((g * g).sum(), x)[0])


@each(function=FUNCTIONS)
def gradient_by_grad(torch, log, function):
    x = _x(torch)
    y = _utils(torch).checkpoint(lambda x: function[1](torch, x), x, use_reentrant=False)
    log("gradient", torch.autograd.grad(y.sum(), x)[0])


# ---------------------------------------------------------------- when it runs


@each(use_reentrant=VARIANTS)
def order_of_events(torch, log, use_reentrant):
    checkpoint = _utils(torch).checkpoint
    events = []

    def layer(name):
        def f(x):
            events.append(f"run {name}")
            return x.sin() * x

        return f

    x = _x(torch)
    x.register_hook(lambda g: events.append("x"))
    a = checkpoint(layer("a"), x, use_reentrant=use_reentrant)
    a.register_hook(lambda g: events.append("a"))
    b = checkpoint(layer("b"), a, use_reentrant=use_reentrant)
    b.register_hook(lambda g: events.append("b"))
    c = checkpoint(layer("c"), b, use_reentrant=use_reentrant)
    c.register_hook(lambda g: events.append("c"))
    events.append("backward")
    c.sum().backward()
    log("events", events)
    log("x.grad", x.grad)


def order_of_events_with_hooks_inside(torch, log):
    events = []

    def f(x):
        events.append("run")
        y = x.sin()
        if y.requires_grad:
            y.register_hook(lambda g: events.append("hook"))
        return y * y

    x = _x(torch)
    y = _utils(torch).checkpoint(f, x, use_reentrant=False)
    y.sum().backward()
    log("events", events)
    log("x.grad", x.grad)


def a_region_is_computed_once_in_a_pass(torch, log):
    runs = []

    def f(x):
        runs.append(0)
        return x.sin(), x.exp(), x * x

    x = _x(torch)
    a, b, c = _utils(torch).checkpoint(f, x, use_reentrant=False)
    (a * b).sum().backward(retain_graph=True)
    log("runs", len(runs))
    c.sum().backward(retain_graph=True)
    log("runs after another", len(runs))
    (a + b + c).sum().backward()
    log("runs after all", len(runs))
    log("x.grad", x.grad)


@each(early_stop=[True, False])
def early_stop(torch, log, early_stop):
    events = []

    def f(x):
        events.append("begin")
        y = x.sin()
        events.append("sin")
        z = y.exp()
        events.append("exp")
        w = z + 1
        events.append("end")
        return w

    x = _x(torch)
    y = _utils(torch).checkpoint(f, x, use_reentrant=False, early_stop=early_stop)
    events.clear()
    y.sum().backward()
    log("events", events)
    log("x.grad", x.grad)


@each(argument=[True, False], setting=[True, False, None])
def set_checkpoint_early_stop(torch, log, argument, setting):
    utils = _utils(torch)
    events = []

    def f(x):
        y = x.exp()
        events.append("end")
        return y

    x = _x(torch)
    with utils.set_checkpoint_early_stop(setting):
        y = utils.checkpoint(f, x, use_reentrant=False, early_stop=argument)
    events.clear()
    y.sum().backward()
    log("events", events)


def an_error_handler_inside_does_not_catch_the_stop(torch, log):
    def f(x):
        try:
            return x.exp()
        except ValueError:
            return x

    x = _x(torch)
    _utils(torch).checkpoint(f, x, use_reentrant=False).sum().backward()
    log("x.grad", x.grad)


# ---------------------------------------------------------------- lifetime


@each(use_reentrant=VARIANTS)
def backward_twice(torch, log, use_reentrant):
    x = _x(torch)
    y = _utils(torch).checkpoint(lambda x: x.sin().exp(), x, use_reentrant=use_reentrant).sum()
    y.backward()
    with log.raises("second"):
        y.backward()
    log("x.grad", x.grad)


@each(use_reentrant=VARIANTS)
def backward_twice_with_a_retained_graph(torch, log, use_reentrant):
    runs = []

    def f(x):
        runs.append(0)
        return x.sin().exp()

    x = _x(torch)
    y = _utils(torch).checkpoint(f, x, use_reentrant=use_reentrant).sum()
    y.backward(retain_graph=True)
    y.backward(retain_graph=True)
    log("runs", len(runs))
    log("x.grad", x.grad)


def many_passes(torch, log):
    x = _x(torch)
    for _ in range(8):  # compiled on the way
        y = _utils(torch).checkpoint(lambda x: x.sin().exp() * x, x, use_reentrant=False)
        y.sum().backward()
    log("x.grad", x.grad)


def inputs_of_backward(torch, log):
    checkpoint = _utils(torch).checkpoint
    x, w = _x(torch), _x(torch, 1.0, 2.0, 3.0)
    for use_reentrant in VARIANTS:
        y = checkpoint(lambda x: x.sin() * w, x, use_reentrant=use_reentrant).sum()
        log(
            f"grad {use_reentrant}", _text(lambda y=y: torch.autograd.grad(y, x, retain_graph=True))
        )
        log(f"inputs {use_reentrant}", _text(lambda y=y: y.backward(inputs=[w], retain_graph=True)))
    log("x.grad", x.grad)
    log("w.grad", w.grad)


@each(use_reentrant=VARIANTS)
def parameters_from_outside(torch, log, use_reentrant):
    x, w = _x(torch), _x(torch, 1.0, 2.0, 3.0)
    y = _utils(torch).checkpoint(lambda x: (x * w).sin() * w, x, use_reentrant=use_reentrant)
    y.sum().backward()
    log("x.grad", x.grad)
    log("w.grad", w.grad)


# ---------------------------------------------------------------- arguments


@each(use_reentrant=VARIANTS)
def several_arguments_and_results(torch, log, use_reentrant):
    x, y = _x(torch), _x(torch, 1.0, 2.0, 3.0)

    def f(x, n, y, words):
        return x * y * n, words, y.exp()

    a, words, b = _utils(torch).checkpoint(f, x, 3, y, ["w"], use_reentrant=use_reentrant)
    log("words", words)
    (a.sum() + (b * b).sum()).backward()
    log("x.grad", x.grad)
    log("y.grad", y.grad)


@each(use_reentrant=VARIANTS)
def one_argument_requires_grad(torch, log, use_reentrant):
    x, y = _x(torch), torch.tensor([1.0, 2.0, 3.0])
    z = _utils(torch).checkpoint(lambda x, y: x * y.exp(), y, x, use_reentrant=use_reentrant)
    z.sum().backward()
    log("x.grad", x.grad)
    log("y.grad", y.grad)


def nested_arguments(torch, log):
    x, y = _x(torch), _x(torch, 1.0, 2.0, 3.0)

    def f(pair, *, more):
        return {"out": pair[0] * pair[1].exp() * more["y"]}

    out = _utils(torch).checkpoint(f, (x, y), more={"y": y}, use_reentrant=False)["out"]
    out.sum().backward()
    log("x.grad", x.grad)
    log("y.grad", y.grad)


def keywords(torch, log):
    x = _x(torch)
    checkpoint = _utils(torch).checkpoint
    f = lambda x, scale=1.0, **more: (x * scale).sin()  # noqa: E731
    checkpoint(f, x, scale=3.0, use_reentrant=False).sum().backward()
    log("x.grad", x.grad)
    with log.raises("reentrant"):
        checkpoint(f, x, scale=3.0, use_reentrant=True)
    with log.raises("several"):
        checkpoint(f, x, scale=3.0, other=1, use_reentrant=True)
    with log.raises("without a choice"), log.warns("warning"):
        checkpoint(f, x, scale=3.0)
    log("one more", _text(lambda: checkpoint(f, x, use_reentrant=False, other=1)))


def without_a_choice(torch, log):
    x = _x(torch)
    with log.warns("warning"):
        y = _utils(torch).checkpoint(torch.sin, x)
    log("y", y)
    y.sum().backward()
    log("x.grad", x.grad)


def arguments_that_do_not_fit_together(torch, log):
    utils = _utils(torch)
    x = _x(torch)
    for name, keywords in (
        ("context_fn", {"use_reentrant": True, "context_fn": lambda: utils.noop_context_fn()}),
        ("debug", {"use_reentrant": True, "debug": True}),
        ("determinism_check", {"use_reentrant": False, "determinism_check": "all"}),
        ("debug and context_fn", {
            "use_reentrant": False, "debug": True, "context_fn": lambda: utils.noop_context_fn(),
        }),
    ):  # fmt: skip
        with log.raises(name):
            utils.checkpoint(torch.sin, x, **keywords)
    with log.raises("no function"):
        utils.checkpoint(use_reentrant=False)
    with log.raises("no callable"):
        utils.checkpoint(3, x, use_reentrant=False)
    log("the noop is accepted", utils.checkpoint(
        torch.sin, x, use_reentrant=True, context_fn=utils.noop_context_fn
    ).shape)  # fmt: skip


@each(use_reentrant=VARIANTS)
def nothing_requires_grad(torch, log, use_reentrant):
    x = torch.tensor([1.0, 2.0])
    with log.warns("warning"):
        y = _utils(torch).checkpoint(torch.sin, x, use_reentrant=use_reentrant)
    log("y", y)


@each(use_reentrant=VARIANTS)
def nothing_but_a_parameter_requires_grad(torch, log, use_reentrant):
    x, w = torch.tensor([1.0, 2.0]), _x(torch, 3.0, 4.0)
    with log.warns("warning"):
        y = _utils(torch).checkpoint(lambda x: x * w, x, use_reentrant=use_reentrant)
    log("requires_grad", y.requires_grad)
    if y.requires_grad:
        y.sum().backward()
    log("w.grad", w.grad)


@each(use_reentrant=VARIANTS)
def no_grad(torch, log, use_reentrant):
    x = _x(torch)
    with torch.no_grad():
        y = _utils(torch).checkpoint(torch.sin, x, use_reentrant=use_reentrant)
    log("y", y)


@each(use_reentrant=VARIANTS)
def no_grad_inside(torch, log, use_reentrant):
    x = _x(torch)

    def f(x):
        with torch.no_grad():
            scale = x.exp()
        return x.sin() * scale

    y = _utils(torch).checkpoint(f, x, use_reentrant=use_reentrant)
    y.sum().backward()
    log("x.grad", x.grad)


@each(use_reentrant=VARIANTS)
def detached_inside(torch, log, use_reentrant):
    x = _x(torch)
    y = _utils(torch).checkpoint(
        lambda x: (x.sin().detach(), x.cos()), x, use_reentrant=use_reentrant
    )
    log("requires_grad", [t.requires_grad for t in y])
    (y[0] + y[1]).sum().backward()
    log("x.grad", x.grad)


def everything_is_detached_inside(torch, log):
    x = _x(torch)
    for use_reentrant in VARIANTS:
        y = _utils(torch).checkpoint(lambda x: x.sin().detach(), x, use_reentrant=use_reentrant)
        log(f"requires_grad {use_reentrant}", y.requires_grad)
        log(f"backward {use_reentrant}", _text(lambda y=y: y.sum().backward()))


def returns_its_input(torch, log):
    x = _x(torch)
    for use_reentrant in VARIANTS:
        y = _utils(torch).checkpoint(lambda x: x, x, use_reentrant=use_reentrant)
        log(f"same {use_reentrant}", y is x)
        y.sum().backward()
    log("x.grad", x.grad)


def an_error_in_the_function(torch, log):
    def f(x):
        raise KeyError("inside")

    for use_reentrant in VARIANTS:
        with log.raises(f"forward {use_reentrant}"):
            _utils(torch).checkpoint(f, _x(torch), use_reentrant=use_reentrant)
    x = _x(torch)
    log("afterwards", x.sin())
    x.sin().sum().backward()
    log("x.grad", x.grad)


@each(use_reentrant=VARIANTS)
def an_error_in_the_second_run(torch, log, use_reentrant):
    runs = []

    def f(x):
        runs.append(0)
        if len(runs) == 2:
            raise KeyError("again")
        return x.sin()

    x = _x(torch)
    y = _utils(torch).checkpoint(f, x, use_reentrant=use_reentrant).sum()
    with log.raises("backward"):
        y.backward(retain_graph=True)
    log("x.grad", x.grad)
    y.backward()
    log("x.grad in another pass", x.grad)
    log("grad mode", torch.is_grad_enabled())


# ---------------------------------------------------------------- random numbers


@each(use_reentrant=VARIANTS, preserve=[True, False, None])
def random_numbers(torch, log, use_reentrant, preserve):
    torch.manual_seed(3)
    x = _x(torch)
    seen = []

    def f(x):
        noise = torch.rand(3)
        seen.append(noise.tolist())
        return (x * noise).sin()

    keywords = {} if preserve is None else {"preserve_rng_state": preserve}
    y = _utils(torch).checkpoint(f, x, use_reentrant=use_reentrant, **keywords)
    between = torch.rand(1)
    y.sum().backward()
    log("same", seen[0] == seen[1])
    log("between", between)
    log("x.grad", x.grad)
    log("next", torch.rand(1))


def random_numbers_in_several_regions(torch, log):
    torch.manual_seed(3)
    x = _x(torch)
    f = lambda x: (x * torch.rand(3)).sin() + torch.randn(3) * x  # noqa: E731
    y = x
    for _ in range(3):
        y = _utils(torch).checkpoint(f, y, use_reentrant=False)
    y.sum().backward()
    log("y", y)
    log("x.grad", x.grad)
    log("next", torch.rand(1))


def dropout(torch, log):
    torch.manual_seed(3)
    x = torch.ones(8, requires_grad=True)
    f = lambda x: x.sin() * (torch.rand(8) > 0.5)  # noqa: E731
    y = _utils(torch).checkpoint(f, x, use_reentrant=False)
    y.sum().backward()
    log("the same elements", ((y != 0) == (x.grad != 0)).all())
    log("x.grad", x.grad)


# ---------------------------------------------------------------- sequences


@each(segments=[1, 2, 3, 4], use_reentrant=VARIANTS)
def sequential(torch, log, segments, use_reentrant):
    events = []

    def layer(n):
        def f(x):
            events.append(n)
            return (x * n).sin()

        return f

    x = _x(torch)
    layers = [layer(n) for n in range(1, 5)]
    y = _utils(torch).checkpoint_sequential(layers, segments, x, use_reentrant=use_reentrant)
    log("before", list(events))
    events.clear()
    y.sum().backward()
    log("events", events)
    log("x.grad", x.grad)


def sequential_arguments(torch, log):
    sequential = _utils(torch).checkpoint_sequential
    x = _x(torch)
    layers = [torch.sin, torch.exp]
    with log.warns("warning"):
        y = sequential(layers, 2, x)
    log("y", y)
    log("y without random numbers", sequential(
        layers, 2, x, use_reentrant=False, preserve_rng_state=False
    ))  # fmt: skip
    with log.raises("unknown keyword"):
        sequential(layers, 2, x, use_reentrant=False, other=1)
    with log.raises("more segments than functions"):
        sequential(layers, 3, x, use_reentrant=False)
    with log.raises("no segments"):
        sequential(layers, 0, x, use_reentrant=False)
    with log.raises("no functions"):
        sequential(None, 1, x, use_reentrant=False)


# ---------------------------------------------------------------- the rest of the module


def graph_exec_group(torch, log):
    utils = _utils(torch)
    runs = []

    def f(x):
        runs.append(0)
        return x.sin(), x.exp()

    x = _x(torch)
    a, b = utils.checkpoint(f, x, use_reentrant=False)
    with utils.GraphExecGroup():
        a.sum().backward()
        b.sum().backward()
    log("runs", len(runs))
    log("x.grad", x.grad)
    try:
        with utils.GraphExecGroup(), utils.GraphExecGroup():
            log("entered", True)
    except RuntimeError as error:
        log("nested", str(error).partition("<")[0])
    a, b = utils.checkpoint(f, x, use_reentrant=False)
    a.sum().backward()
    b.sum().backward()
    log("runs without", len(runs))


def helpers(torch, log):
    utils = _utils(torch)
    x = _x(torch)
    y, n = utils.detach_variable((x * 2, 3))
    log("y", y)
    log("n", n)
    log("leaf", y.is_leaf)
    with log.raises("a list"):
        utils.detach_variable([x])
    with log.warns("warning"):
        utils.check_backward_validity([torch.ones(2), 3])
    with log.warns("no warning"):
        utils.check_backward_validity([x, 3])
    log("contexts", len(utils.noop_context_fn()))


def threads(torch, log):
    checkpoint = functools.partial(_utils(torch).checkpoint, use_reentrant=False)
    x = _x(torch)
    y = checkpoint(lambda x: x.sin().exp(), x).sum()
    found = {}

    def work(i):
        found[i] = torch.autograd.grad(y, x, retain_graph=True)[0]

    workers = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for w in workers:
        w.start()
    for w in workers:
        w.join()
    log("gradients", [found[i] for i in range(4)])


def a_deep_chain(torch, log):
    checkpoint = functools.partial(_utils(torch).checkpoint, use_reentrant=False)
    x = _x(torch, 0.5)
    y = x
    for _ in range(300):
        y = checkpoint(lambda y: y.sin() + 0.5, y)
    y.sum().backward()
    log("x.grad", x.grad)
