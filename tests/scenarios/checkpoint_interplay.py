"""utils.checkpoint: one in another, with other hooks, with runs that differ or change in place."""

import functools
import logging

from ._checkpointed import VARIANTS, _text, _utils, _x
from ._harness import differs, each


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
