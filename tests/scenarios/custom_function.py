"""Custom functions: how `autograd.Function` is written, and the node that it leaves."""

from __future__ import annotations

from ._custom_functions import _exp, _function, _leaf, _square

# ---------------------------------------------------------------- the two styles


def forward_takes_the_context(torch, log):
    x = _leaf(torch)
    y = _square(torch).apply(x)
    log("y", y)
    y.sum().backward()
    log("x.grad", x.grad)


def forward_and_setup_context(torch, log):
    class Cube(torch.autograd.Function):
        @staticmethod
        def forward(x):
            return x**3

        @staticmethod
        def setup_context(ctx, inputs, output):
            log("inputs", type(inputs).__name__)
            log("output", output)
            (x,) = inputs
            ctx.save_for_backward(x)

        @staticmethod
        def backward(ctx, grad):
            (x,) = ctx.saved_tensors
            return 3 * x**2 * grad

    x = _leaf(torch)
    y = Cube.apply(x)
    log("y", y)
    y.sum().backward()
    log("x.grad", x.grad)


def setup_context_of_several_outputs(torch, log):
    class Both(torch.autograd.Function):
        @staticmethod
        def forward(x, n):
            return x * n, x + n

        @staticmethod
        def setup_context(ctx, inputs, output):
            log("inputs", inputs)
            log("output", output)
            ctx.n = inputs[1]

        @staticmethod
        def backward(ctx, a, b):
            return a * ctx.n + b, None

    x = _leaf(torch)
    y, z = Both.apply(x, 3)
    (y.sum() + 10 * z.sum()).backward()
    log("x.grad", x.grad)


def setup_context_has_defaults_and_keywords(torch, log):
    class Scaled(torch.autograd.Function):
        @staticmethod
        def forward(x, scale=3.0):
            return x * scale

        @staticmethod
        def setup_context(ctx, inputs, output):
            log(f"inputs {len(log.outcomes)}", inputs[1])
            ctx.scale = inputs[1]

        @staticmethod
        def backward(ctx, grad):
            return grad * ctx.scale, None

    x = _leaf(torch)
    Scaled.apply(x).sum().backward()
    log("x.grad", x.grad)
    log.attempt("by keyword", lambda: Scaled.apply(x, scale=2.0))
    log.attempt("too many", lambda: Scaled.apply(x, 1.0, 2.0))
    log.attempt("unknown keyword", lambda: Scaled.apply(x, factor=2.0))
    log.attempt("nothing", lambda: Scaled.apply())


def keywords_where_forward_takes_the_context(torch, log):
    def forward(ctx, a, b, n=1, c=None):
        log(f"needs {len(log.outcomes)}", ctx.needs_input_grad)
        return a * b if c is None else a * b * c

    x, b = _leaf(torch), torch.ones(3)
    F = _function(torch, forward, lambda ctx, *g: (g[0], 2 * g[0], None, 3 * g[0]))
    log.attempt("b", lambda: F.apply(x, b=b))
    log.attempt("a gap", lambda: F.apply(x, b, c=b))
    log.attempt("all", lambda: F.apply(c=x, n=2, b=b, a=x))
    log.attempt("unknown", lambda: F.apply(x, b, z=1))
    log.attempt("twice", lambda: F.apply(x, b, a=1))
    log.attempt("first missing", lambda: F.apply(b=x))
    F.apply(x, b, 2, c=x).sum().backward()
    log("x.grad", x.grad)
    log.attempt(
        "starred", lambda: _function(torch, lambda ctx, *a, **k: a[0] * 1, None).apply(x, k=1)
    )


def number_of_arguments(torch, log):
    x = _leaf(torch)
    log.attempt("keyword", lambda: _square(torch).apply(x=x))
    log.attempt("too few", lambda: _square(torch).apply())
    log.attempt("too many", lambda: _square(torch).apply(x, x))


def vjp_in_the_place_of_backward(torch, log):
    class Twice(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def vjp(ctx, grad):
            return grad * 2

    x = _leaf(torch)
    Twice.apply(x).sum().backward()
    log("x.grad", x.grad)


def both_backward_and_vjp(torch, log):
    class Twice(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, grad):
            return grad * 2

        @staticmethod
        def vjp(ctx, grad):
            return grad * 2

    x = _leaf(torch)
    y = Twice.apply(x)
    log("y", y)
    with log.raises("backward"):
        y.sum().backward()


def neither_backward_nor_forward(torch, log):
    class Nothing(torch.autograd.Function):
        pass

    class OnlyForward(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

    x = _leaf(torch)
    log.attempt("forward", lambda: Nothing.apply(x))
    y = OnlyForward.apply(x)
    log("y", y)
    with log.raises("backward"):
        y.sum().backward()


def old_style_functions_are_refused(torch, log):
    class Old(torch.autograd.Function):
        def forward(self, x):
            return x * 2

        def backward(self, grad):
            return grad * 2

    x = _leaf(torch)
    with log.warns("warnings"):
        log.attempt("called", lambda: Old()(x))
        log.attempt("made with arguments", lambda: Old(1, a=2)(x))
    # `apply` of it works: the context is the first argument.
    y = Old.apply(x)
    log("y", y)
    y.sum().backward()
    log("x.grad", x.grad)


def an_instance_warns(torch, log):
    with log.warns("instance"):
        _square(torch)()


def a_subclass_of_a_function(torch, log):
    class Doubled(_square(torch)):
        @staticmethod
        def backward(ctx, grad):
            (x,) = ctx.saved_tensors
            return 4 * x * grad

    x = _leaf(torch)
    y = Doubled.apply(x)
    log("y", y)
    y.sum().backward()
    log("x.grad", x.grad)


# ---------------------------------------------------------------- names and attributes of the node


def names_of_the_node(torch, log):
    Exp = _exp(torch)
    x = _leaf(torch)
    y = Exp.apply(x)
    log("type", type(y.grad_fn).__name__)
    log("name", y.grad_fn.name())
    log("repr", repr(y))
    log("backward class", Exp._backward_cls.__name__)
    log("is its instance", isinstance(y.grad_fn, Exp._backward_cls))
    log("is_leaf", y.is_leaf)
    log("output_nr", y.output_nr)


def the_context_is_the_node(torch, log):
    seen = []

    def forward(ctx, x):
        ctx.note = "from forward"
        seen.append(ctx)
        return x * 2

    def backward(ctx, grad):
        log("note in backward", ctx.note)
        log("same in backward", ctx is seen[0])
        return grad * 2

    x = _leaf(torch)
    y = _function(torch, forward, backward).apply(x)
    log("same", y.grad_fn is seen[0])
    log("note", y.grad_fn.note)
    y.grad_fn.note = "from outside"
    y.sum().backward()


def what_the_context_holds(torch, log):
    def forward(ctx, x, n, y):
        log("needs_input_grad", ctx.needs_input_grad)
        log("saved before", ctx.saved_tensors)
        log("to_save before", ctx.to_save)
        log("non_differentiable", ctx.non_differentiable)
        log("dirty_tensors", ctx.dirty_tensors)
        log("requires_grad", ctx.requires_grad)
        log("next_functions", len(ctx.next_functions))
        log("saved_for_forward", ctx.saved_for_forward)
        log("grad mode", torch.is_grad_enabled())
        log("x requires", x.requires_grad)
        log("x is leaf", x.is_leaf)
        ctx.save_for_backward(x, y)
        log("saved at once", len(ctx.saved_tensors))
        return x * y

    def backward(ctx, grad):
        log("needs in backward", ctx.needs_input_grad)
        _, y = ctx.saved_tensors
        return grad * y, None, None

    x, y = _leaf(torch), torch.tensor([4.0, 5.0, 6.0])
    out = _function(torch, forward, backward).apply(x, 7, y)
    node = out.grad_fn
    log("to_save after", node.to_save)
    log("saved after", node.saved_tensors)
    log("same objects", node.saved_tensors[0] is x)
    log("next after", [(None if n is None else n.name(), i) for n, i in node.next_functions])
    log("metadata", node.metadata)
    out.sum().backward()
    with log.raises("freed"):
        node.saved_tensors  # noqa: B018
    log("x.grad", x.grad)


def needs_input_grad_in_no_grad(torch, log):
    def forward(ctx, x, y):
        log(f"needs {len(log.outcomes)}", ctx.needs_input_grad)
        return x * y

    def backward(ctx, grad):
        return grad, grad

    F = _function(torch, forward, backward)
    x, y = _leaf(torch), torch.ones(3)
    with torch.no_grad():
        log("no_grad", F.apply(x, y))
    log("first", F.apply(x, y))
    log("second", F.apply(y, x))
    log("none", F.apply(y, y))


def needs_input_grad_for_inputs_of_grad(torch, log):
    """Under `grad` with respect to one input, it says what was required in forward."""

    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        return x * y

    def backward(ctx, grad):
        log(f"needs {len(log.outcomes)}", ctx.needs_input_grad)
        x, y = ctx.saved_tensors
        return (
            grad * y if ctx.needs_input_grad[0] else None,
            grad * x if ctx.needs_input_grad[1] else None,
        )

    F = _function(torch, forward, backward)
    x, y = _leaf(torch), _leaf(torch, 4.0, 5.0, 6.0)
    out = F.apply(x, y).sum()
    log("x", torch.autograd.grad(out, x, retain_graph=True))
    log("both", torch.autograd.grad(out, (x, y), retain_graph=True))
    out.backward()
    log("x.grad", x.grad)
    log("y.grad", y.grad)


def next_functions_of_nested_arguments(torch, log):
    def forward(ctx, x, n, y, z):
        return x * y * z

    def backward(ctx, grad):
        return grad, None, grad, grad

    x, y = _leaf(torch), torch.ones(3)
    out = _function(torch, forward, backward).apply(x, 1, y, x.exp())
    log("next", [(None if n is None else n.name(), i) for n, i in out.grad_fn.next_functions])
