"""utils.checkpoint: what runs again, when, with which results; and its errors."""

import functools
import importlib
import logging
import threading

from ._harness import differs, each


def _utils(torch):
    return importlib.import_module(f"{torch.__name__}.utils.checkpoint")


def _x(torch, *values):
    values = list(values or (0.5, -1.0, 2.0))
    return torch.tensor(values, dtype=torch.float64, requires_grad=True)


def _text(call):
    """What a call returns, or its error with the first line of the message."""
    try:
        return call()
    except Exception as error:  # whatever it is, it is the outcome
        return f"{type(error).__name__}: {str(error).strip().splitlines()[0]}"


def _unlogged(scenario):
    """Keep other handlers from what PyTorch logs under `debug=True`: they cannot format it."""

    @functools.wraps(scenario)
    def run(*args, **keywords):
        loggers = [logging.getLogger(), logging.getLogger("LoggingTensor")]
        handlers = [logger.handlers for logger in loggers]
        for logger in loggers:
            logger.handlers = []
        try:
            scenario(*args, **keywords)
        finally:
            for logger, before in zip(loggers, handlers, strict=True):
                logger.handlers = before

    return run


VARIANTS = [False, True]

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


# ---------------------------------------------------------------- nesting


def _layers(torch, events, use_reentrant, depth):
    """A function with a checkpoint in a checkpoint, `depth` of them."""
    checkpoint = _utils(torch).checkpoint

    def f(x):
        events.append(f"run {depth}")
        y = x.sin() * x
        if depth > 1:
            y = checkpoint(
                _layers(torch, events, use_reentrant, depth - 1), y, use_reentrant=use_reentrant
            )
        return y.exp()

    return f


@each(depth=[1, 2, 3], use_reentrant=VARIANTS)
def nested(torch, log, depth, use_reentrant):
    x = _x(torch, 0.5, -0.3)
    events = []
    f = _layers(torch, events, use_reentrant, depth)
    y = _utils(torch).checkpoint(f, x, use_reentrant=use_reentrant)
    log("y", y.detach())
    log("before", list(events))
    events.clear()
    y.sum().backward()
    log("x.grad", x.grad)


def nested_without_a_checkpoint_around(torch, log):
    x = _x(torch)
    inner = lambda x: x.sin().exp()  # noqa: E731
    outer = lambda x: _utils(torch).checkpoint(inner, x * 2, use_reentrant=False).cos()  # noqa: E731
    outer(x).sum().backward()
    log("x.grad", x.grad)


@each(outer=VARIANTS, inner=VARIANTS)
def nested_of_both_kinds(torch, log, outer, inner):
    checkpoint = _utils(torch).checkpoint
    x = _x(torch)

    def f(x):
        return checkpoint(lambda x: x.sin().exp(), x * 2, use_reentrant=inner).cos()

    y = checkpoint(f, x, use_reentrant=outer)
    y.sum().backward()
    log("x.grad", x.grad)


def nested_twice_in_a_row(torch, log):
    checkpoint = functools.partial(_utils(torch).checkpoint, use_reentrant=False)
    x = _x(torch)

    def f(x):
        y = checkpoint(lambda x: x.sin().exp(), x)
        z = checkpoint(lambda y: y.cos() * y, y + x)
        return z * y

    y = checkpoint(f, x)
    y.sum().backward(retain_graph=True)
    log("x.grad", x.grad)
    y.sum().backward()
    log("x.grad twice", x.grad)


def nested_second_derivative(torch, log):
    checkpoint = functools.partial(_utils(torch).checkpoint, use_reentrant=False)
    x = _x(torch)
    f = lambda x: checkpoint(lambda x: x.sin().exp(), x * 2).cos()  # noqa: E731
    (g,) = torch.autograd.grad(checkpoint(f, x).sum(), x, create_graph=True)
    log.gradient("first", g)
    log.gradient("second", torch.autograd.grad(g.sum(), x)[0])


@each(early_stop=[True, False], retain_graph=[True, False])
def backward_inside(torch, log, early_stop, retain_graph):
    x = _x(torch)

    def f(x):
        y = x.sin()
        z = y.exp()
        (g,) = torch.autograd.grad(z.sum(), x, retain_graph=retain_graph)
        return z * g if retain_graph else x.cos() * g

    y = _utils(torch).checkpoint(f, x, use_reentrant=False, early_stop=early_stop)
    y.sum().backward()
    log("x.grad", x.grad)


def a_checkpoint_inside_a_custom_function(torch, log):
    class Wrapped(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            with torch.enable_grad():
                ctx.x = x.detach().requires_grad_()
                ctx.y = _utils(torch).checkpoint(lambda x: x.sin() * x, ctx.x, use_reentrant=False)
            return ctx.y.detach()

        @staticmethod
        def backward(ctx, g):
            return torch.autograd.grad(ctx.y, ctx.x, g)[0]

    x = _x(torch)
    Wrapped.apply(x).sum().backward()
    log("x.grad", x.grad)


@each(use_reentrant=VARIANTS)
def a_custom_function_inside_a_checkpoint(torch, log, use_reentrant):
    events = []

    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            events.append("forward")
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx, g):
            events.append("backward")
            (x,) = ctx.saved_tensors
            return 2 * x * g

    x = _x(torch)
    f = lambda x: Square.apply(x.sin()).exp()  # noqa: E731
    y = _utils(torch).checkpoint(f, x, use_reentrant=use_reentrant)
    y.sum().backward()
    log("events", events)
    log("x.grad", x.grad)


@differs(
    "what was saved may be read again, for another run of the function",
    {"read twice": {"tensor": [0.8414709848078965], "shape": [1], "dtype": "float64",
                    "requires_grad": False, "grad_fn": None}},
)  # fmt: skip
def saved_tensors_are_read_twice(torch, log):
    class Sin(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x.sin()

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            (x,) = ctx.saved_tensors
            return g * x.cos()

    x = _x(torch, 0.5707963267948966)
    y = _utils(torch).checkpoint(Sin.apply, x, use_reentrant=False)
    log("read twice", _text(lambda: torch.autograd.grad(y.sum(), x)[0]))


# ---------------------------------------------------------------- other hooks


def saved_tensor_hooks_around(torch, log):
    events = []
    x = _x(torch)

    def pack(t):
        events.append(f"pack {list(t.shape)}")
        return t

    def unpack(t):
        events.append("unpack")
        return t

    with torch.autograd.graph.saved_tensors_hooks(pack, unpack):
        y = _utils(torch).checkpoint(lambda x: x.sin().exp(), x, use_reentrant=False)
    y.sum().backward()
    log("events", events)
    log("x.grad", x.grad)


def saved_tensor_hooks_inside(torch, log):
    events = []
    x = _x(torch)

    def f(x):
        with torch.autograd.graph.saved_tensors_hooks(
            lambda t: (events.append("pack"), t)[1], lambda t: (events.append("unpack"), t)[1]
        ):
            return x.sin()

    y = _utils(torch).checkpoint(f, x, use_reentrant=False)
    y.sum().backward()
    log("events", events)
    log("x.grad", x.grad)


def saved_tensor_hooks_are_disabled(torch, log):
    x = _x(torch)
    with torch.autograd.graph.disable_saved_tensors_hooks("not here"):
        for use_reentrant in VARIANTS:
            log(
                f"message {use_reentrant}",
                _text(
                    lambda use_reentrant=use_reentrant: (
                        _utils(torch).checkpoint(torch.sin, x, use_reentrant=use_reentrant).detach()
                    )
                ),
            )


@each(use_reentrant=VARIANTS)
def hooks_on_results(torch, log, use_reentrant):
    x = _x(torch)
    y = _utils(torch).checkpoint(lambda x: x.sin().exp(), x, use_reentrant=use_reentrant)
    y.register_hook(lambda g: g * 10)
    y.retain_grad()
    y.sum().backward()
    log("x.grad", x.grad)
    log("y.grad", y.grad)


def context_fn(torch, log):
    events = []

    class Context:
        def __init__(self, name):
            self.name = name

        def __enter__(self):
            events.append(f"enter {self.name}")

        def __exit__(self, *error):
            events.append(f"exit {self.name} {error[0] is None}")

    def f(x):
        events.append("run")
        return x.sin().exp()

    x = _x(torch)
    for early_stop in (True, False):
        y = _utils(torch).checkpoint(
            f, x, use_reentrant=False, early_stop=early_stop,
            context_fn=lambda: (Context("first"), Context("second")),
        )  # fmt: skip
        y.sum().backward()
        log(f"events {early_stop}", list(events))
        events.clear()
    log("x.grad", x.grad)


def a_context_that_swallows_the_error(torch, log):
    import contextlib

    def f(x):
        raise ValueError("inside")

    with log.raises("message"):
        _utils(torch).checkpoint(
            f, _x(torch), use_reentrant=False,
            context_fn=lambda: (contextlib.suppress(ValueError), contextlib.nullcontext()),
        )  # fmt: skip


# ---------------------------------------------------------------- runs that differ


def _changing(*functions):
    """A function that does something else in each run."""
    left = list(functions)
    return lambda x: left.pop(0)(x)


@each(debug=[False, True], early_stop=[False, True], check=["default", "none"])
@_unlogged
def fewer_values_are_saved(torch, log, debug, early_stop, check):
    x = _x(torch)
    f = _changing(lambda x: x.exp().sin().tanh(), lambda x: x.exp())
    y = _utils(torch).checkpoint(
        f, x, use_reentrant=False, debug=debug, early_stop=early_stop, determinism_check=check
    )
    with log.raises("message"):
        y.sum().backward()
    log("x.grad", x.grad)


@each(debug=[False, True])
@_unlogged
def more_values_are_saved(torch, log, debug):
    x = _x(torch)
    f = _changing(lambda x: x.exp(), lambda x: x.exp().sin().tanh())
    y = _utils(torch).checkpoint(f, x, use_reentrant=False, debug=debug, early_stop=False)
    with log.raises("message"):
        y.sum().backward()


def more_values_are_saved_than_it_waits_for(torch, log):
    x = _x(torch)
    f = _changing(lambda x: x.exp(), lambda x: x.exp().sin().tanh())
    _utils(torch).checkpoint(f, x, use_reentrant=False).sum().backward()
    log("x.grad", x.grad)


@each(debug=[False, True], change=["shape", "dtype"])
@_unlogged
def other_values_are_saved(torch, log, debug, change):
    x = _x(torch)
    other = {"shape": lambda x: x[:2].exp(), "dtype": lambda x: x.float().exp()}[change]
    y = _utils(torch).checkpoint(
        _changing(lambda x: x.exp(), other), x, use_reentrant=False, debug=debug
    )
    with log.raises("message"):
        y.sum().backward()


@_unlogged
def the_error_class(torch, log):
    utils = _utils(torch)
    log("is a RuntimeError", issubclass(utils.CheckpointError, RuntimeError))
    x = _x(torch)
    f = _changing(lambda x: x.exp().sin(), lambda x: x.exp())
    with utils.set_checkpoint_debug_enabled(True):
        y = utils.checkpoint(f, x, use_reentrant=False)
    try:
        y.sum().backward()
    except utils.CheckpointError as error:
        log("both runs are told", all(
            words in str(error) for words in
            ("original forward", "recomputation", "exp", "sin", "non-determinism")
        ))  # fmt: skip
        log("cause", type(error.__cause__).__name__)


@each(argument=[True, False], setting=[True, False, None])
@_unlogged
def set_checkpoint_debug_enabled(torch, log, argument, setting):
    utils = _utils(torch)
    x = _x(torch)
    f = _changing(lambda x: x.exp().sin(), lambda x: x.exp())
    with utils.set_checkpoint_debug_enabled(setting):
        y = utils.checkpoint(f, x, use_reentrant=False, debug=argument)
    with log.raises("message"):
        y.sum().backward()


# ---------------------------------------------------------------- changes in place


def an_argument_is_changed_in_place(torch, log):
    checkpoint = functools.partial(_utils(torch).checkpoint, use_reentrant=False)
    x = _x(torch)
    z = checkpoint(lambda x: (x + 1).exp(), x)
    with torch.no_grad():
        x.add_(1)
    with log.raises("a leaf"):
        z.sum().backward()
    y = x * 2
    z = checkpoint(lambda y: (y + 1).exp(), y)
    y.add_(1)
    with log.raises("a result"):
        z.sum().backward()
    y = x.exp()
    z = checkpoint(lambda y: (y + 1).exp(), y)
    with torch.no_grad():
        y.add_(1)
    with log.raises("a result that is saved"):
        z.sum().backward()


def _modified(function):
    return (
        "RuntimeError: one of the variables needed for gradient computation has been modified by "
        f"an inplace operation: [torch.DoubleTensor [3]]{function} is at version 1; expected "
        "version 0 instead. Hint: enable anomaly detection to find the operation that failed to "
        "compute its gradient, with torch.autograd.set_detect_anomaly(True, check_nan=False)."
    )


@differs(
    "a value that the derivative reads and that was changed is refused, as without a checkpoint",
    {
        "a parameter from outside": _modified(""),
        "a value inside that comes before others": _modified(", which is output 0 of Exp,"),
        "a value inside, to the end": _modified(", which is output 0 of Exp,"),
    },
)
def a_value_is_changed_in_place(torch, log):
    checkpoint = functools.partial(_utils(torch).checkpoint, use_reentrant=False)
    x = _x(torch)
    w = _x(torch, 1.0, 1.0, 1.0)
    z = checkpoint(lambda x: x * w, x)
    with torch.no_grad():
        w.add_(1)
    log("a parameter from outside", _text(lambda: torch.autograd.grad(z.sum(), x)[0]))

    def f(x):
        y = x.exp()
        y.mul_(2)
        return y

    z = checkpoint(f, x)
    log("a value inside", _text(lambda: torch.autograd.grad(z.sum(), x)[0]))
    y = checkpoint(lambda x: f(x).sin(), x)
    log(
        "a value inside that comes before others",
        _text(lambda: torch.autograd.grad(y.sum(), x)[0]),
    )
    v = checkpoint(f, x, early_stop=False)
    log("a value inside, to the end", _text(lambda: torch.autograd.grad(v.sum(), x)[0]))


def a_result_is_changed_in_place(torch, log):
    checkpoint = functools.partial(_utils(torch).checkpoint, use_reentrant=False)
    x = _x(torch)
    y = checkpoint(torch.exp, x)
    y.add_(x)
    log("added to", torch.autograd.grad(y.sum(), x)[0])
    y = checkpoint(lambda x: x.tanh().exp(), x)
    y.mul_(x)
    log("multiplied", torch.autograd.grad(y.sum(), x)[0])
    y = checkpoint(torch.exp, x)
    y[1:] = 0
    log("a part of it", torch.autograd.grad(y.sum(), x)[0])


def saved_attributes(torch, log):
    x = _x(torch)
    y = _utils(torch).checkpoint(torch.exp, x, use_reentrant=False)
    log.gradient("_saved_result", y.grad_fn._saved_result)
    with log.raises("hooks"):
        y.grad_fn._raw_saved_result.register_hooks(lambda t: t, lambda t: t)


def results_of_the_reentrant_variant(torch, log):
    checkpoint = functools.partial(_utils(torch).checkpoint, use_reentrant=True)
    x = _x(torch)
    y = checkpoint(lambda x: (x.sin(), None, 3, "s"), x)
    log("others", y[1:])
    y[0].sum().backward()
    log("x.grad", x.grad)
    log("a list", type(checkpoint(lambda x: [x.sin(), x * 2], x)).__name__)
    log("a dict", checkpoint(lambda x: {"a": x.sin()}, x)["a"].requires_grad)
    (y,) = checkpoint(_changing(lambda x: (x.sin(),), lambda x: (x.sin(), x.cos())), x)
    with log.raises("more than before"):
        y.sum().backward()
    y, z = checkpoint(_changing(lambda x: (x.sin(), x.cos()), lambda x: (x.sin(),)), x)
    (y + z).sum().backward()
    log("fewer than before", x.grad)


def create_graph_with_the_reentrant_variant(torch, log):
    x = _x(torch)
    y = _utils(torch).checkpoint(lambda x: x.sin() * x, x, use_reentrant=True)
    y.sum().backward(create_graph=True)
    log("x.grad", x.grad)


@each(double=[False, True])
def second_derivative_through_a_custom_function(torch, log, double):
    class Power(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y = x.exp()
            ctx.save_for_backward(x, y)
            return y

        @staticmethod
        def backward(ctx, g):
            x, y = ctx.saved_tensors
            return g * (y if double else x.exp())

    x = _x(torch)
    y = _utils(torch).checkpoint(lambda x: Power.apply(x.sin()), x, use_reentrant=False)
    (g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
    log.gradient("first", g)
    log.gradient("second", torch.autograd.grad(g.sum(), x)[0])


def other_ways_to_differentiate(torch, log):
    x = _x(torch)
    f = lambda x: _utils(torch).checkpoint(  # noqa: E731
        lambda x: x.sin().exp(), x, use_reentrant=False
    )
    log("jacobian", torch.autograd.functional.jacobian(f, x))
    log("hessian", torch.autograd.functional.hessian(lambda x: f(x).sum(), x))
    log("gradcheck", torch.autograd.gradcheck(f, x, check_forward_ad=True))
    log("gradgradcheck", torch.autograd.gradgradcheck(f, x))
    with log.warns("anomaly"), torch.autograd.detect_anomaly(), log.raises("nan"):
        _utils(torch).checkpoint(torch.sqrt, x, use_reentrant=False).sum().backward()


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
