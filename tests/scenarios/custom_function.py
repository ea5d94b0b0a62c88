"""Custom functions: how `autograd.Function` is written, what it is given, what it may return."""

from __future__ import annotations

import numpy as np

from tests.scenarios._harness import differs, each


def _square(torch, events=None):
    """x**2, which says when it runs."""

    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            if events is not None:
                events.append("forward")
            return x * x

        @staticmethod
        def backward(ctx, grad):
            (x,) = ctx.saved_tensors
            if events is not None:
                events.append("backward")
            return 2 * x * grad

    return Square


def _exp(torch):
    """exp(x), which saves its output."""

    class Exp(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            result = x.exp()
            ctx.save_for_backward(result)
            return result

        @staticmethod
        def backward(ctx, grad):
            (result,) = ctx.saved_tensors
            return grad * result

    return Exp


def _function(torch, forward, backward, **attributes):
    """A Function of given rules."""
    body = {"forward": staticmethod(forward), "backward": staticmethod(backward), **attributes}
    return type(torch.autograd.Function)("Custom", (torch.autograd.Function,), body)


def _leaf(torch, *values, dtype=None):
    return torch.tensor(list(values) or [1.0, 2.0, 3.0], requires_grad=True, dtype=dtype)


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


# ---------------------------------------------------------------- what forward may return


def no_input_requires_grad(torch, log):
    events = []
    y = _square(torch, events).apply(torch.tensor([1.0, 2.0]))
    log("y", y)
    log("events", events)
    with log.raises("backward"):
        y.sum().backward()


def under_no_grad(torch, log):
    x = _leaf(torch)
    with torch.no_grad():
        y = _square(torch).apply(x)
    log("y", y)


def forward_runs_without_record(torch, log):
    def forward(ctx, x):
        y = x * x
        log("inner", y)
        return y

    x = _leaf(torch)
    y = _function(torch, forward, lambda ctx, grad: 100 * grad).apply(x)
    log("y", y)
    y.sum().backward()
    log("x.grad", x.grad)


def an_input_as_it_is(torch, log):
    F = _function(torch, lambda ctx, x: x, lambda ctx, grad: grad * 5)
    x = _leaf(torch)
    y = F.apply(x)
    log("y", y)
    log("same", y is x)
    log("shares memory", y.data_ptr() == x.data_ptr())
    log("x", x)
    y.sum().backward()
    log("x.grad", x.grad)
    with log.raises("in place"):
        y.add_(1)
    log("y after", y)


def an_input_as_it_is_beside_another_output(torch, log):
    F = _function(torch, lambda ctx, x: (x, x * 2), lambda ctx, a, b: a * 5 + b)
    x = _leaf(torch)
    y, z = F.apply(x)
    log("y", y)
    log("z", z)
    (y + z).sum().backward()
    log("x.grad", x.grad)


def an_input_that_requires_no_grad_as_it_is(torch, log):
    F = _function(torch, lambda ctx, x: x, lambda ctx, grad: grad * 5)
    x = torch.tensor([1.0, 2.0])
    y = F.apply(x)
    log("y", y)
    log("same", y is x)


def an_input_as_it_is_in_no_grad(torch, log):
    F = _function(torch, lambda ctx, x: x, lambda ctx, grad: grad * 5)
    x = _leaf(torch)
    with torch.no_grad():
        y = F.apply(x)
    log("y", y)
    log("same", y is x)
    log("x", x)


def an_intermediate_as_it_is(torch, log):
    F = _function(torch, lambda ctx, x: x, lambda ctx, grad: grad * 5)
    x = _leaf(torch)
    h = x * 2
    y = F.apply(h)
    log("y", y)
    log("same", y is h)
    log("h", h)
    (y + h).sum().backward()
    log("x.grad", x.grad)


def a_view_of_an_input(torch, log):
    F = _function(torch, lambda ctx, x: x.view(3, 1), lambda ctx, grad: grad.view(3) * 5)
    x = _leaf(torch)
    h = x * 1
    y = F.apply(h)
    log("y", y)
    with log.raises("in place"):
        y.mul_(2)
    y.sum().backward()
    log("x.grad", x.grad)


def the_same_input_twice(torch, log):
    F = _function(torch, lambda ctx, x: (x, x), lambda ctx, a, b: a + 10 * b)
    x = _leaf(torch)
    y, z = F.apply(x)
    log("y", y)
    log("z", z)
    log("same", y is z)
    (y + 2 * z).sum().backward()
    log("x.grad", x.grad)


def the_same_output_twice(torch, log):
    def forward(ctx, x):
        y = x * 2
        return y, y

    F = _function(torch, forward, lambda ctx, a, b: a * 2 + b * 20)
    x = _leaf(torch)
    y, z = F.apply(x)
    log("same", y is z)
    log("output_nr", (y.output_nr, z.output_nr))
    (y + z).sum().backward()
    log("x.grad", x.grad)


def one_argument_given_twice(torch, log):
    F = _function(torch, lambda ctx, x, y: x * y, lambda ctx, grad: (grad, grad * 10))
    x = _leaf(torch)
    F.apply(x, x).sum().backward()
    log("x.grad", x.grad)


def several_outputs(torch, log):
    def forward(ctx, x):
        return x.sum(), x.exp(), x * 2

    def backward(ctx, a, b, c):
        log("a", a)
        log("b", b)
        log("c", c)
        return a + b + c

    x = _leaf(torch)
    y, z, w = _function(torch, forward, backward).apply(x)
    log("y", y)
    log("z", z)
    log("output_nr", [t.output_nr for t in (y, z, w)])
    log("one node", y.grad_fn is z.grad_fn)
    (y * 3 + w.sum()).backward()
    log("x.grad", x.grad)


@each(kind=["list", "tuple", "one", "empty"])
def kinds_of_outputs(torch, log, kind):
    def forward(ctx, x):
        y = x * 2
        return {"list": [y, y + 1], "tuple": (y, y + 1), "one": (y,), "empty": ()}[kind]

    def backward(ctx, *grads):
        log("grads", grads)
        return sum(g for g in grads if g is not None)

    x = _leaf(torch)
    out = _function(torch, forward, backward).apply(x)
    log("type", type(out).__name__)
    log("length", len(out))
    log("out", out)
    if kind in ("tuple", "one"):
        sum(out).sum().backward()
        log("x.grad", x.grad)


@each(value=[("none", None), ("number", 3), ("string", "text"), ("dict", {"a": 1})])
def outputs_that_are_no_tensors(torch, log, value):
    def forward(ctx, x):
        return x * 2, value[1]

    def backward(ctx, *grads):
        log("grads", grads)
        return grads[0] * 2

    x = _leaf(torch)
    y, other = _function(torch, forward, backward).apply(x)
    log("y", y)
    log("other", other)
    y.sum().backward()
    log("x.grad", x.grad)


@each(value=[("none", None), ("number", 3), ("string", "text")])
def no_tensor_returned_at_all(torch, log, value):
    F = _function(torch, lambda ctx, x: value[1], lambda ctx, grad: grad)
    log.attempt("apply", lambda: F.apply(_leaf(torch)))


def a_numpy_array_is_returned(torch, log):
    F = _function(torch, lambda ctx, x: x.detach().numpy() * 2, lambda ctx, grad: grad)
    log.attempt("apply", lambda: F.apply(_leaf(torch)))


def forward_through_numpy(torch, log):
    class Sine(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return torch.from_numpy(np.sin(x.detach().numpy()))

        @staticmethod
        def backward(ctx, grad):
            (x,) = ctx.saved_tensors
            return grad * torch.from_numpy(np.cos(x.detach().numpy()))

    x = _leaf(torch)
    y = Sine.apply(x)
    log("y", y)
    y.sum().backward()
    log("x.grad", x.grad)


def integer_outputs(torch, log):
    def forward(ctx, x):
        return x * 2, (x > 1.5), x.to(torch.int64)

    def backward(ctx, a, b, c):
        log("a", a)
        log("b", b)
        log("c", c)
        return a * 2

    x = _leaf(torch)
    y, mask, whole = _function(torch, forward, backward).apply(x)
    log("y", y)
    log("mask", mask)
    log("whole", whole)
    y.sum().backward()
    log("x.grad", x.grad)


def an_output_of_another_dtype(torch, log):
    def backward(ctx, grad):
        log("grad", grad)
        return grad * 2

    F = _function(torch, lambda ctx, x: x.to(torch.float64) * 2, backward)
    x = _leaf(torch)
    y = F.apply(x)
    log("y", y)
    y.sum().backward()
    log("x.grad", x.grad)


def complex_inputs(torch, log):
    def forward(ctx, z):
        ctx.save_for_backward(z)
        return z * z

    def backward(ctx, grad):
        (z,) = ctx.saved_tensors
        return grad * 2 * z.conj()

    z = torch.tensor([1 + 2j, 3 - 1j], requires_grad=True)
    y = _function(torch, forward, backward).apply(z)
    log("y", y)
    y.abs().sum().backward()
    log("z.grad", z.grad)


def a_complex_gradient_for_a_real_input(torch, log):
    F = _function(torch, lambda ctx, x: x * 2, lambda ctx, grad: grad * (2 + 3j))
    x = _leaf(torch)
    with log.raises("backward"):
        F.apply(x).sum().backward()
    log("x.grad", x.grad)


# ---------------------------------------------------------------- outputs without derivative


def non_differentiable_outputs(torch, log):
    def forward(ctx, x):
        values, places = x.sort()
        ctx.mark_non_differentiable(places)
        ctx.save_for_backward(places)
        return values, places

    def backward(ctx, a, b):
        log("a", a)
        log("b", b)
        (places,) = ctx.saved_tensors
        return torch.zeros(3).scatter(0, places, a)

    x = _leaf(torch, 3.0, 1.0, 2.0)
    values, places = _function(torch, forward, backward).apply(x)
    log("values", values)
    log("places", places)
    (values * torch.tensor([1.0, 2.0, 3.0])).sum().backward()
    log("x.grad", x.grad)


def non_differentiable_floats(torch, log):
    def forward(ctx, x):
        y, z = x * 2, x * 3
        ctx.mark_non_differentiable(z)
        return y, z

    def backward(ctx, a, b):
        log("b", b)
        return a * 2

    x = _leaf(torch)
    y, z = _function(torch, forward, backward).apply(x)
    log("y", y)
    log("z", z)
    log("z is leaf", z.is_leaf)
    (y * z).sum().backward()
    log("x.grad", x.grad)


def all_outputs_non_differentiable(torch, log):
    def forward(ctx, x):
        y = x > 1.5
        ctx.mark_non_differentiable(y)
        return y

    x = _leaf(torch)
    y = _function(torch, forward, lambda ctx, grad: grad).apply(x)
    log("y", y)


def an_input_marked_non_differentiable(torch, log):
    def forward(ctx, x):
        ctx.mark_non_differentiable(x)
        return x

    x = _leaf(torch)
    y = _function(torch, forward, lambda ctx, grad: grad).apply(x)
    log("y", y)
    log("same", y is x)
    log("x", x)


def what_is_no_output_marked_non_differentiable(torch, log):
    def forward(ctx, x):
        ctx.mark_non_differentiable(x * 3)
        return x * 2

    x = _leaf(torch)
    log.attempt("apply", lambda: _function(torch, forward, lambda ctx, grad: grad).apply(x))


_TRUNCATED = {
    "mark_non_differentiable": "mark_non_differentiable only accepts variable arguments, but got ",
    "mark_dirty": "mark_dirty can only accept variables, but argument ",
    "non_differentiable =": "autograd internal error: non_differentiable attribute is expected to "
    "be a tuple but is ",
    "dirty_tensors =": "autograd internal error: dirty_tensors attribute is expected to be a tuple "
    "but is ",
    "to_save =": "autograd internal error: to_save attribute is expected to be a tuple but is ",
}


@differs(
    "PyTorch's message breaks off where the type should stand",
    {
        f"{what} {kind}": {"raises": "RuntimeError", "message": message + kind}
        for what, message in _TRUNCATED.items()
        for kind in ("int", "list", "NoneType")
        if kind != "NoneType" or what.startswith("mark")
    },
)
def no_tensor_marked(torch, log):
    def marking(method, value):
        def forward(ctx, x):
            getattr(ctx, method)(value)
            return x * 2

        return _function(torch, forward, lambda ctx, grad: grad)

    def setting(name, value):
        def forward(ctx, x):
            setattr(ctx, name, value)
            return x * 2

        return _function(torch, forward, lambda ctx, grad: grad)

    for value in (3, [1], None):
        kind = type(value).__name__
        for method in ("mark_non_differentiable", "mark_dirty", "save_for_backward"):
            F = marking(method, value)
            log.attempt(f"{method} {kind}", lambda F=F: F.apply(_leaf(torch)))
        for name in ("non_differentiable", "dirty_tensors", "to_save"):
            F = setting(name, value)
            log.attempt(f"{name} = {kind}", lambda F=F: F.apply(_leaf(torch)))


@each(materialize=[True, False])
def gradients_that_do_not_arrive(torch, log, materialize):
    def forward(ctx, x):
        ctx.set_materialize_grads(materialize)
        return x * 2, x * 3, x > 1.5, 5

    def backward(ctx, *grads):
        log("grads", grads)
        return grads[1] * 3

    x = _leaf(torch)
    _, z, _, _ = _function(torch, forward, backward).apply(x)
    z.sum().backward()
    log("x.grad", x.grad)


@differs(
    "PyTorch's message leaves out what it got",
    {
        "apply": {
            "raises": "TypeError",
            "message": "set_materialize_grads received an invalid combination of arguments - got "
            "(int), but expected (bool)",
        }
    },
)
def set_materialize_grads_takes_a_bool(torch, log):
    def forward(ctx, x):
        ctx.set_materialize_grads(0)
        return x * 2

    log.attempt(
        "apply", lambda: _function(torch, forward, lambda ctx, grad: grad).apply(_leaf(torch))
    )


# ---------------------------------------------------------------- what backward may return


@each(
    returned=[
        ("tuple", lambda g: (g,)),
        ("list", lambda g: [g]),
        ("none", lambda g: None),
        ("two", lambda g: (g, g)),
        ("two, the second None", lambda g: (g, None)),
        ("three, the others None", lambda g: (g, None, None)),
        ("nothing", lambda g: ()),
        ("number", lambda g: 1.0),
        ("tuple of number", lambda g: (1.0,)),
        ("string", lambda g: "text"),
        ("numpy", lambda g: g.numpy()),
    ]
)
def what_backward_returns(torch, log, returned):
    F = _function(torch, lambda ctx, x: x * 2, lambda ctx, grad: returned[1](grad))
    x = _leaf(torch)
    y = F.apply(x)
    log.attempt("backward", lambda: y.sum().backward())
    log("x.grad", x.grad)


@each(
    shape=[(3,), (1,), (), (2,), (2, 3), (1, 3), (3, 3), (3, 1), (4, 2, 3)],
)
def shapes_of_gradients(torch, log, shape):
    F = _function(torch, lambda ctx, x: x * 2, lambda ctx, grad: torch.ones(shape))
    x = _leaf(torch)
    y = F.apply(x)
    log.attempt("backward", lambda: y.sum().backward())
    log("x.grad", x.grad)


@each(dtype=["float64", "float16", "int64", "bool", "complex64"])
def dtypes_of_gradients(torch, log, dtype):
    kind = getattr(torch, dtype)
    F = _function(torch, lambda ctx, x: x * 2, lambda ctx, grad: torch.ones(3).to(kind))
    x = _leaf(torch)
    log.attempt("backward", lambda: F.apply(x).sum().backward())
    log("x.grad", x.grad)


def a_gradient_for_what_is_no_tensor(torch, log):
    F = _function(torch, lambda ctx, x, n: x * n, lambda ctx, grad: (grad, grad))
    x = _leaf(torch)
    with log.raises("backward"):
        F.apply(x, 3).sum().backward()
    log("x.grad", x.grad)


def a_gradient_for_what_requires_none(torch, log):
    F = _function(torch, lambda ctx, x, y: x * y, lambda ctx, grad: (grad, grad))
    x, y = _leaf(torch), torch.ones(3)
    F.apply(x, y).sum().backward()
    log("x.grad", x.grad)
    log("y.grad", y.grad)


def a_gradient_of_bad_shape_for_what_requires_none(torch, log):
    F = _function(torch, lambda ctx, x, y: x * y, lambda ctx, grad: (grad, torch.ones(7)))
    x, y = _leaf(torch), torch.ones(3)
    F.apply(x, y).sum().backward()
    log("x.grad", x.grad)


def too_few_gradients(torch, log):
    F = _function(torch, lambda ctx, x, y: x * y, lambda ctx, grad: grad)
    x, y = _leaf(torch), _leaf(torch)
    with log.raises("backward"):
        F.apply(x, y).sum().backward()


def none_for_one_of_two(torch, log):
    F = _function(torch, lambda ctx, x, y: x * y, lambda ctx, grad: (grad, None))
    x, y = _leaf(torch), _leaf(torch)
    F.apply(x, y).sum().backward()
    log("x.grad", x.grad)
    log("y.grad", y.grad)
    out = F.apply(x, y).sum()
    with log.raises("grad"):
        torch.autograd.grad(out, (x, y))
    out = F.apply(x, y).sum()
    log("allow_unused", torch.autograd.grad(out, (x, y), allow_unused=True))


def none_stops_what_is_upstream(torch, log):
    events = []
    Square = _square(torch, events)
    F = _function(torch, lambda ctx, x: x * 2, lambda ctx, grad: None)
    x = _leaf(torch)
    h = Square.apply(x)
    events.clear()
    F.apply(h).sum().backward()
    log("events", events)
    log("x.grad", x.grad)


def backward_that_raises(torch, log):
    def backward(ctx, grad):
        raise KeyError("on purpose")

    F = _function(torch, lambda ctx, x: x * 2, backward)
    x, w = _leaf(torch), _leaf(torch)
    y = F.apply(x)
    with log.raises("backward"):
        (y * w).sum().backward()
    log("x.grad", x.grad)
    log("w.grad", w.grad)
    log("y", y)


def forward_that_raises(torch, log):
    def forward(ctx, x):
        raise KeyError("on purpose")

    F = _function(torch, forward, lambda ctx, grad: grad)
    with log.raises("apply"):
        F.apply(_leaf(torch))
    log("grad mode", torch.is_grad_enabled())


def backward_changes_its_gradient_in_place(torch, log):
    def backward(ctx, grad):
        grad = grad.clone()
        grad[0] = 0
        return grad

    F = _function(torch, lambda ctx, x: x * 2, backward)
    x = _leaf(torch)
    F.apply(x).sum().backward()
    log("x.grad", x.grad)


def the_gradient_returned_is_shared_with_nobody(torch, log):
    kept = []

    def backward(ctx, grad):
        kept.append(grad)
        return grad, grad

    F = _function(torch, lambda ctx, x, y: x + y, backward)
    x, y = _leaf(torch), _leaf(torch)
    F.apply(x, y).backward(torch.ones(3))
    log("apart", x.grad is not y.grad)
    x.grad.add_(1)
    log("y.grad", y.grad)
    log("kept", kept[0])


def a_saved_tensor_is_returned_as_gradient(torch, log):
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x / 2

    def backward(ctx, grad):
        return ctx.saved_tensors[0]

    x = _leaf(torch)
    _function(torch, forward, backward).apply(x).sum().backward()
    x.grad.add_(1)
    log("x.grad", x.grad)
    log("x", x)


# ---------------------------------------------------------------- saved tensors


def freed_after_backward(torch, log):
    events = []
    x = _leaf(torch)
    y = _square(torch, events).apply(x).sum()
    y.backward()
    with log.raises("again"):
        y.backward()
    log("events", events)
    log("x.grad", x.grad)


def nothing_saved_nothing_freed(torch, log):
    F = _function(torch, lambda ctx, x: x * 2, lambda ctx, grad: grad * 2)
    x = _leaf(torch)
    y = F.apply(x)
    y.backward(torch.ones(3))
    y.backward(torch.ones(3))
    log("x.grad", x.grad)


def attributes_are_not_freed(torch, log):
    def forward(ctx, x):
        ctx.x = x.detach()
        return x * x

    F = _function(torch, forward, lambda ctx, grad: 2 * ctx.x * grad)
    x = _leaf(torch)
    y = F.apply(x)
    y.backward(torch.ones(3))
    y.backward(torch.ones(3))
    log("x.grad", x.grad)


def retained(torch, log):
    x = _leaf(torch)
    y = _square(torch).apply(x).sum()
    y.backward(retain_graph=True)
    y.backward()
    log("x.grad", x.grad)


def save_for_backward_again_replaces(torch, log):
    def forward(ctx, x, y):
        ctx.save_for_backward(x)
        ctx.save_for_backward(y)
        return x * y

    def backward(ctx, grad):
        log("saved", ctx.saved_tensors)
        return grad, grad

    x, y = _leaf(torch), _leaf(torch, 4.0, 5.0, 6.0)
    _function(torch, forward, backward).apply(x, y).sum().backward()


def none_may_be_saved(torch, log):
    def forward(ctx, x):
        ctx.save_for_backward(x, None)
        return x * 2

    def backward(ctx, grad):
        log("saved", ctx.saved_tensors)
        return grad

    _function(torch, forward, backward).apply(_leaf(torch)).sum().backward()


def an_input_saved_is_the_input(torch, log):
    def backward(ctx, grad):
        (saved,) = ctx.saved_tensors
        log("leaf", saved.is_leaf)
        log("saved", saved)
        return grad

    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * 2

    F = _function(torch, forward, backward)
    x = _leaf(torch)
    y = F.apply(x)
    log("same", y.grad_fn.saved_tensors[0] is x)
    y.sum().backward()


def an_intermediate_saved(torch, log):
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * 2

    def backward(ctx, grad):
        log("saved", ctx.saved_tensors[0])
        return grad

    x = _leaf(torch)
    h = x * 3
    y = _function(torch, forward, backward).apply(h)
    log("same", y.grad_fn.saved_tensors[0] is h)
    y.sum().backward()


def an_output_saved(torch, log):
    def forward(ctx, x):
        y = x * 2
        ctx.save_for_backward(y)
        return y

    def backward(ctx, grad):
        log("saved", ctx.saved_tensors[0])
        log("node", ctx.saved_tensors[0].grad_fn is ctx)
        return grad

    x = _leaf(torch)
    y = _function(torch, forward, backward).apply(x)
    log("same", y.grad_fn.saved_tensors[0] is y)
    y.sum().backward()


@differs(
    "a saved intermediate has a history, in which a derivative with respect to it is refused",
    {
        "saved": {
            "tensor": [2.7182817, 7.389056, 20.085537],
            "shape": [3],
            "dtype": "float32",
            "requires_grad": True,
            "grad_fn": "CustomBackward",
        },
        "g": {
            "tensor": [5.4365635, 14.778112, 40.171074],
            "shape": [3],
            "dtype": "float32",
            "requires_grad": True,
            "grad_fn": True,
        },
    },
)
def a_value_of_its_own_saved(torch, log):
    """Neither input nor output: a second derivative does not reach through it."""

    def forward(ctx, x):
        e = x.exp()
        ctx.save_for_backward(e)
        return e * 2

    def backward(ctx, grad):
        log("saved", ctx.saved_tensors[0])
        return grad * 2 * ctx.saved_tensors[0]

    x = _leaf(torch)
    y = _function(torch, forward, backward).apply(x)
    (g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
    log.gradient("g", g)


@each(what=["input", "output", "intermediate"])
def changed_in_place_after_it_was_saved(torch, log, what):
    def forward(ctx, x):
        y = x * x
        ctx.save_for_backward(x if what != "output" else y)
        return y

    def backward(ctx, grad):
        (saved,) = ctx.saved_tensors
        return grad * saved

    x = _leaf(torch)
    h = x * 1 if what == "intermediate" else x
    y = _function(torch, forward, backward).apply(h)
    if what == "input":
        with torch.no_grad():
            x.add_(1)
    elif what == "output":
        y.add_(1)
    else:
        h.add_(1)
    with log.raises("backward"):
        y.sum().backward()
    log("x.grad", x.grad)


def changed_in_forward_before_it_was_saved(torch, log):
    def forward(ctx, x):
        y = x * 2
        y.add_(1)
        ctx.save_for_backward(y)
        y.add_(1)
        return y

    def backward(ctx, grad):
        log("saved", ctx.saved_tensors[0])
        return grad

    x = _leaf(torch)
    y = _function(torch, forward, backward).apply(x)
    log("version", y._version)
    y.sum().backward()
    log("x.grad", x.grad)


def saved_tensors_of_setup_context(torch, log):
    class F(torch.autograd.Function):
        @staticmethod
        def forward(x, y):
            return x * y

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.save_for_backward(*inputs, output)

        @staticmethod
        def backward(ctx, grad):
            x, y, out = ctx.saved_tensors
            log("out", out)
            return grad * y, grad * x

    x, y = _leaf(torch), _leaf(torch, 4.0, 5.0, 6.0)
    F.apply(x, y).sum().backward()
    log("x.grad", x.grad)
    log("y.grad", y.grad)


def clear_saved_tensors_on_access(torch, log):
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        with log.raises("again"):
            ctx.saved_tensors  # noqa: B018
        return 2 * x * grad

    F = _function(torch, forward, backward, clear_saved_tensors_on_access=True)
    x = _leaf(torch)
    y = F.apply(x).sum()
    y.backward(retain_graph=True)
    log("x.grad", x.grad)


def gradients_in_a_list(torch, log):
    def backward(ctx, grads):
        log("grads", grads)
        a, b = grads
        grads.clear()
        return a + b

    F = _function(torch, lambda ctx, x: (x * 1, x * 1), backward, boxed_grads_call=True)
    x = _leaf(torch)
    y, _ = F.apply(x)
    y.sum().backward()
    log("x.grad", x.grad)


# ---------------------------------------------------------------- higher order


def second_derivative_of_an_input_saved(torch, log):
    events = []
    x = _leaf(torch)
    y = _square(torch, events).apply(x)
    (g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
    log.gradient("g", g)
    (h,) = torch.autograd.grad(g.sum(), x)
    log("h", h)
    log("events", events)


def second_derivative_of_an_output_saved(torch, log):
    x = _leaf(torch)
    y = _exp(torch).apply(x)
    (g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
    log.gradient("g", g)
    (h,) = torch.autograd.grad(g.sum(), x, create_graph=True)
    log.gradient("h", h)
    (third,) = torch.autograd.grad(h.sum(), x)
    log("third", third)


def second_derivative_in_the_cotangent(torch, log):
    x = _leaf(torch)
    v = torch.ones(3, requires_grad=True)
    y = _square(torch).apply(x)
    (g,) = torch.autograd.grad(y, x, v, create_graph=True)
    log.gradient("g", g)
    log("d/dv", torch.autograd.grad(g.sum(), v))


def second_derivative_within_a_composition(torch, log):
    x = _leaf(torch)
    Square, Exp = _square(torch), _exp(torch)
    y = (Exp.apply(Square.apply(x) * 0.1) * x.sin()).sum()
    (g,) = torch.autograd.grad(y, x, create_graph=True)
    log.gradient("g", g)
    (g * torch.tensor([1.0, 2.0, 3.0])).sum().backward()
    log("x.grad", x.grad)


def backward_creates_a_graph(torch, log):
    x = _leaf(torch)
    _square(torch).apply(x).sum().backward(create_graph=True)
    log.gradient("x.grad", x.grad)


def grad_mode_in_backward(torch, log):
    def backward(ctx, grad):
        log(f"mode {len(log.outcomes)}", torch.is_grad_enabled())
        log(f"grad {len(log.outcomes)}", grad.requires_grad)
        return grad

    F = _function(torch, lambda ctx, x: x * 2, backward)
    x = _leaf(torch)
    F.apply(x).sum().backward()
    F.apply(x).sum().backward(create_graph=True)
    F.apply(x).backward(torch.ones(3, requires_grad=True), create_graph=True)
    y = F.apply(x).sum()
    with torch.no_grad():
        torch.autograd.grad(y, x, create_graph=True)


def once_differentiable(torch, log):
    class F(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        @torch.autograd.function.once_differentiable
        def backward(ctx, grad):
            log(f"mode {len(log.outcomes)}", torch.is_grad_enabled())
            (x,) = ctx.saved_tensors
            return 2 * x * grad

    x = _leaf(torch)
    F.apply(x).sum().backward()
    log("x.grad", x.grad)
    (g,) = torch.autograd.grad(F.apply(x).sum(), x, create_graph=True)
    log("without a cotangent that requires grad", g.requires_grad)
    v = torch.ones(3, requires_grad=True)
    (g,) = torch.autograd.grad(F.apply(x), x, v, create_graph=True)
    log("with one", g.requires_grad)
    log("name", g.grad_fn.name())
    with log.raises("twice"):
        g.sum().backward()


def once_differentiable_of_several(torch, log):
    class F(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, n, y):
            return x * y

        @staticmethod
        @torch.autograd.function.once_differentiable
        def backward(ctx, grad):
            """Its docstring."""
            return grad, None, grad * 2

    log("doc", F.backward.__doc__)
    x, y = _leaf(torch), _leaf(torch)
    v = torch.ones(3, requires_grad=True)
    g, h = torch.autograd.grad(F.apply(x, 2, y), (x, y), v, create_graph=True)
    log("requires", (g.requires_grad, h.requires_grad))
    with log.raises("twice"):
        torch.autograd.grad(h.sum(), v)


# ---------------------------------------------------------------- nesting and order


def a_function_in_forward(torch, log):
    events = []
    Square = _square(torch, events)

    def forward(ctx, x):
        y = Square.apply(x)
        log("inner", y)
        ctx.save_for_backward(x)
        return y

    F = _function(torch, forward, lambda ctx, grad: grad * 7)
    x = _leaf(torch)
    F.apply(x).sum().backward()
    log("x.grad", x.grad)
    log("events", events)


def a_function_in_backward(torch, log):
    events = []
    Square = _square(torch, events)

    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3 / 3

    F = _function(torch, forward, lambda ctx, grad: grad * Square.apply(ctx.saved_tensors[0]))
    x = _leaf(torch)
    (g,) = torch.autograd.grad(F.apply(x).sum(), x, create_graph=True)
    log.gradient("g", g)
    (h,) = torch.autograd.grad(g.sum(), x)
    log("h", h)
    log("events", events)


def a_backward_pass_in_backward(torch, log):
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.exp()

    def backward(ctx, grad):
        with torch.enable_grad():
            x = ctx.saved_tensors[0].detach().requires_grad_()
            y = x.exp()
        (g,) = torch.autograd.grad(y, x, grad)
        return g

    x = _leaf(torch)
    _function(torch, forward, backward).apply(x).sum().backward()
    log("x.grad", x.grad)


def a_recorded_part_of_forward(torch, log):
    """A checkpoint by hand: the graph that forward makes is kept on the context."""

    def forward(ctx, x):
        with torch.enable_grad():
            ctx.x = x.detach().requires_grad_()
            ctx.y = (ctx.x * ctx.x).sin()
        return ctx.y.detach()

    def backward(ctx, grad):
        return torch.autograd.grad(ctx.y, ctx.x, grad)

    x = _leaf(torch)
    _function(torch, forward, backward).apply(x).sum().backward()
    log("x.grad", x.grad)


def a_recorded_output(torch, log):
    """What was recorded inside with grad enabled becomes a result of the function all the same."""

    def forward(ctx, x):
        with torch.enable_grad():
            return x.exp()

    F = _function(torch, forward, lambda ctx, grad: grad * 7)
    x = _leaf(torch)
    y = F.apply(x)
    log("y", y)
    y.sum().backward()
    log("x.grad", x.grad)


def order_of_a_chain(torch, log):
    events = []

    def step(name):
        def backward(ctx, grad):
            events.append(name)
            return grad

        return _function(torch, lambda ctx, x: x * 1, backward)

    x = _leaf(torch)
    a = step("a").apply(x)
    b = step("b").apply(x)
    c = step("c").apply(a)
    (a + b * c).sum().backward()
    log("events", events)


def order_among_hooks(torch, log):
    events = []

    def note(name):
        def hook(*args):
            events.append(name)

        return hook

    def backward(ctx, grad):
        events.append("backward")
        return grad * 2

    x = _leaf(torch)
    h = x * 1
    y = _function(torch, lambda ctx, x: x * 2, backward).apply(h)
    y.register_hook(note("tensor hook"))
    y.grad_fn.register_hook(note("node hook"))
    y.grad_fn.register_prehook(note("node prehook"))
    h.register_hook(note("hook of the input"))
    x.register_hook(note("hook of the leaf"))
    x.register_post_accumulate_grad_hook(note("accumulated"))
    y.sum().backward()
    log("events", events)
    log("x.grad", x.grad)


def hooks_of_the_node_see_every_gradient(torch, log):
    def forward(ctx, x, n, y):
        return x * 2, y * 3

    def backward(ctx, a, b):
        return a * 2, None, b * 3

    def hook(inputs, outputs):
        log("inputs", inputs)
        log("outputs", outputs)
        return tuple(None if g is None else g * 10 for g in inputs)

    def prehook(outputs):
        log("prehook", outputs)
        return tuple(None if g is None else g * 5 for g in outputs)

    x, y = _leaf(torch), _leaf(torch)
    p, _ = _function(torch, forward, backward).apply(x, 1, y)
    p.grad_fn.register_hook(hook)
    p.grad_fn.register_prehook(prehook)
    p.sum().backward()
    log("x.grad", x.grad)
    log("y.grad", y.grad)


def hooks_on_several_outputs(torch, log):
    events = []

    def backward(ctx, a, b):
        log("a", a)
        log("b", b)
        return a + b

    x = _leaf(torch)
    y, z = _function(torch, lambda ctx, x: (x * 1, x * 1), backward).apply(x)
    z.register_hook(lambda g: events.append("z") or g * 2)
    y.register_hook(lambda g: events.append("y") or g * 3)
    (y + z).sum().backward()
    log("events", events)
    log("x.grad", x.grad)


def retain_grad_of_an_output(torch, log):
    x = _leaf(torch)
    y = _square(torch).apply(x)
    y.retain_grad()
    (y * 3).sum().backward()
    log("y.grad", y.grad)
    log("x.grad", x.grad)


def gradient_with_respect_to_an_output(torch, log):
    events = []
    x = _leaf(torch)
    y = _square(torch, events).apply(x)
    (g,) = torch.autograd.grad((y * 3).sum(), y)
    log("g", g)
    log("events", events)


def one_output_as_an_input_of_grad(torch, log):
    F = _function(torch, lambda ctx, x: (x * 2, x * 3), lambda ctx, a, b: a * 2 + b * 3)
    x = _leaf(torch)
    y, z = F.apply(x)
    loss = (y * z).sum()
    log("y, x", torch.autograd.grad(loss, (y, x), retain_graph=True))
    log("z", torch.autograd.grad(loss, z))


def an_output_is_a_root(torch, log):
    x = _leaf(torch)
    y = _square(torch).apply(x)
    y.backward(torch.tensor([1.0, 10.0, 100.0]))
    log("x.grad", x.grad)
    with log.raises("no scalar"):
        _square(torch).apply(x).backward()
    one = _leaf(torch, 3.0)
    _square(torch).apply(one).backward()
    log("one.grad", one.grad)


def two_outputs_are_roots(torch, log):
    F = _function(torch, lambda ctx, x: (x * 2, x * 3), lambda ctx, a, b: a * 2 + b * 3)
    x = _leaf(torch)
    y, z = F.apply(x)
    torch.autograd.backward([y, z, y], [torch.ones(3), torch.ones(3) * 10, torch.ones(3)])
    log("x.grad", x.grad)


def a_part_of_the_graph_without_it(torch, log):
    events = []
    x, w = _leaf(torch), _leaf(torch)
    y = _square(torch, events).apply(x)
    loss = (y * w).sum()
    log("w", torch.autograd.grad(loss, w, retain_graph=True))
    log("events", events)
    loss.backward(inputs=[w])
    log("w.grad", w.grad)
    log("x.grad", x.grad)
    log("events after", events)


def batched_gradients(torch, log):
    events = []

    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    def backward(ctx, grad):
        events.append(tuple(grad.shape))
        return 2 * ctx.saved_tensors[0] * grad

    x = _leaf(torch)
    y = _function(torch, forward, backward).apply(x)
    (g,) = torch.autograd.grad(y, x, torch.eye(3), is_grads_batched=True)
    log("g", g)
    log("shapes", events[0])


def an_undefined_gradient_reaches_nothing(torch, log):
    events = []
    x = _leaf(torch)
    y = _square(torch, events).apply(x)
    w = _leaf(torch)
    y.detach().mul(w).sum().backward()
    log("events", events)
    log("x.grad", x.grad)


def used_twice(torch, log):
    events = []
    Square = _square(torch, events)
    x = _leaf(torch)
    (Square.apply(x) + Square.apply(x)).sum().backward()
    log("events", events)
    log("x.grad", x.grad)


def an_output_used_twice(torch, log):
    events = []
    x = _leaf(torch)
    y = _square(torch, events).apply(x)
    (y * y + y).sum().backward()
    log("events", events)
    log("x.grad", x.grad)


# ---------------------------------------------------------------- changes in place


def _inplace(torch, factor=2):
    def forward(ctx, x):
        x.mul_(factor)
        ctx.mark_dirty(x)
        return x

    return _function(torch, forward, lambda ctx, grad: grad * factor)


def a_dirty_input(torch, log):
    x = _leaf(torch)
    h = x * 1
    y = _inplace(torch).apply(h)
    log("same", y is h)
    log("y", y)
    log("version", h._version)
    log("node", type(h.grad_fn).__name__)
    y.sum().backward()
    log("x.grad", x.grad)


def a_dirty_leaf(torch, log):
    x = _leaf(torch)
    with log.raises("apply"):
        _inplace(torch).apply(x)
    log("x", x)
    with torch.no_grad():
        log.attempt("in no_grad", lambda: _inplace(torch).apply(x))


def a_dirty_input_that_requires_no_grad(torch, log):
    x = torch.tensor([1.0, 2.0])
    y = _inplace(torch).apply(x)
    log("same", y is x)
    log("y", y)
    log("version", x._version)


def a_dirty_view(torch, log):
    x = _leaf(torch)
    h = x * 1
    v = h[1:]
    y = _inplace(torch).apply(v)
    log("same", y is v)
    log("y", y)
    log("h", h)
    h.sum().backward()
    log("x.grad", x.grad)


def a_dirty_view_of_a_leaf(torch, log):
    x = _leaf(torch)
    with log.raises("apply"):
        _inplace(torch).apply(x[1:])


def a_dirty_view_beside_another_output(torch, log):
    def forward(ctx, x):
        x.mul_(2)
        ctx.mark_dirty(x)
        return x, x * 3

    F = _function(torch, forward, lambda ctx, a, b: a * 2 + b * 6)
    x = _leaf(torch)
    h = x * 1
    with log.raises("apply"):
        F.apply(h[1:])


def a_dirty_input_beside_another_output(torch, log):
    def forward(ctx, x):
        x.mul_(2)
        ctx.mark_dirty(x)
        return x, x * 3

    F = _function(torch, forward, lambda ctx, a, b: a * 2 + b * 6)
    x = _leaf(torch)
    h = x * 1
    y, z = F.apply(h)
    log("same", y is h)
    log("y", y)
    log("z", z)
    (y + z).sum().backward()
    log("x.grad", x.grad)


def a_dirty_input_not_returned(torch, log):
    def forward(ctx, x):
        x.mul_(2)
        ctx.mark_dirty(x)
        return x * 1

    F = _function(torch, forward, lambda ctx, grad: grad)
    x = _leaf(torch)
    with log.raises("apply"):
        F.apply(x * 1)


def what_is_no_input_marked_dirty(torch, log):
    def forward(ctx, x):
        y = x * 2
        ctx.mark_dirty(y)
        return y

    F = _function(torch, forward, lambda ctx, grad: grad * 2)
    x = _leaf(torch)
    with log.warns("warnings"):
        y = F.apply(x)
    log("y", y)
    y.sum().backward()
    log("x.grad", x.grad)


def dirty_without_a_change(torch, log):
    def forward(ctx, x):
        ctx.mark_dirty(x)
        return x

    F = _function(torch, forward, lambda ctx, grad: grad * 5)
    x = _leaf(torch)
    h = x * 1
    y = F.apply(h)
    log("same", y is h)
    log("version", h._version)
    y.sum().backward()
    log("x.grad", x.grad)


def a_dirty_input_that_somebody_saved(torch, log):
    x = _leaf(torch)
    h = x * 1
    z = h * h
    _inplace(torch).apply(h)
    with log.raises("backward"):
        z.sum().backward()


def a_dirty_input_saved_as_output(torch, log):
    def forward(ctx, x):
        x.exp_()
        ctx.mark_dirty(x)
        ctx.save_for_backward(x)
        return x

    def backward(ctx, grad):
        (result,) = ctx.saved_tensors
        return grad * result

    x = _leaf(torch)
    h = x * 1
    y = _function(torch, forward, backward).apply(h)
    log("y", y)
    (g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
    log.gradient("g", g)
    log("second", torch.autograd.grad(g.sum(), x))


def a_change_that_was_not_marked(torch, log):
    def forward(ctx, x):
        x.mul_(2)
        return x

    F = _function(torch, forward, lambda ctx, grad: grad * 2)
    x = _leaf(torch)
    h = x * 1
    y = F.apply(h)
    log("same", y is h)
    log("y", y)
    y.sum().backward()
    log("x.grad", x.grad)


def an_input_and_a_dirty_one(torch, log):
    def forward(ctx, x, y):
        y.add_(x)
        ctx.mark_dirty(y)
        return y

    def backward(ctx, grad):
        return grad * 3, grad * 7

    F = _function(torch, forward, backward)
    x = _leaf(torch)
    buffer = torch.zeros(3)
    out = F.apply(x, buffer)
    log("same", out is buffer)
    log("buffer", buffer)
    out.sum().backward()
    log("x.grad", x.grad)
    log("buffer.grad", buffer.is_leaf)


# ---------------------------------------------------------------- forward mode, batching


def save_for_forward_takes_tensors(torch, log):
    def forward(ctx, x):
        ctx.save_for_forward(x, 3)
        return x * 2

    log.attempt("apply", lambda: _function(torch, forward, None).apply(_leaf(torch)))

    def saving(ctx, x):
        ctx.save_for_forward(x, None)
        log("saved_for_forward", len(ctx.saved_for_forward))
        return x * 2

    _function(torch, saving, None).apply(_leaf(torch))


def mark_shared_storage_is_deprecated(torch, log):
    def forward(ctx, x):
        with log.warns("warning"):
            ctx.mark_shared_storage((x, x))
        return x * 2

    _function(torch, forward, None).apply(_leaf(torch))


def methods_of_the_base(torch, log):
    F = torch.autograd.Function
    log.attempt("forward", lambda: F.forward())
    log.attempt("setup_context", lambda: F.setup_context(None, (), None))
    log.attempt("backward", lambda: F.backward(None))
    log.attempt("vjp", lambda: F.vjp(None))
    log.attempt("jvp", lambda: F.jvp(None))
    log("generate_vmap_rule", F.generate_vmap_rule)
    log.attempt("vmap", lambda: F.vmap(None, (), 1))
    log("names", [n for n in ("apply", "vmap", "jvp", "vjp") if hasattr(F, n)])


def arguments_of_other_kinds(torch, log):
    def forward(ctx, x, options, items, scale=2.0):
        log(f"given {len(log.outcomes)}", (options, items, scale))
        log(f"needs {len(log.outcomes)}", ctx.needs_input_grad)
        return x * scale * items[0]

    def backward(ctx, grad):
        return grad * 5, None, None, None

    F = _function(torch, forward, backward)
    x, hidden = _leaf(torch), _leaf(torch)
    y = F.apply(x, {"a": 1}, [hidden])
    log("y", y)
    y.sum().backward()
    log("x.grad", x.grad)
    log("hidden.grad", hidden.grad)


def a_tensor_as_keyword_of_setup_context(torch, log):
    class F(torch.autograd.Function):
        @staticmethod
        def forward(x, y):
            return x * y

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.save_for_backward(*inputs)

        @staticmethod
        def backward(ctx, grad):
            x, y = ctx.saved_tensors
            return grad * y, grad * x

    x, y = _leaf(torch), _leaf(torch, 4.0, 5.0, 6.0)
    out = F.apply(y=y, x=x)
    log("out", out)
    out.sum().backward()
    log("x.grad", x.grad)


def no_tensors_at_all(torch, log):
    F = _function(torch, lambda ctx, n: torch.ones(n), lambda ctx, grad: None)
    log("out", F.apply(3))
    G = _function(torch, lambda ctx: torch.ones(2), lambda ctx, grad: None)
    log("nothing", G.apply())


def straight_through(torch, log):
    F = _function(torch, lambda ctx, x: x.round(), lambda ctx, grad: grad)
    x = _leaf(torch, 0.4, 1.6, 2.5)
    y = F.apply(x)
    log("y", y)
    (y * torch.tensor([1.0, 2.0, 3.0])).sum().backward()
    log("x.grad", x.grad)


def gradient_reversal(torch, log):
    class Reverse(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, strength):
            ctx.strength = strength
            return x.view_as(x)

        @staticmethod
        def backward(ctx, grad):
            return grad.neg() * ctx.strength, None

    x = _leaf(torch)
    y = Reverse.apply(x * 2, 0.5)
    log("y", y)
    y.sum().backward()
    log("x.grad", x.grad)


def a_linear_layer(torch, log):
    class Linear(torch.autograd.Function):
        @staticmethod
        def forward(ctx, input, weight, bias=None):
            ctx.save_for_backward(input, weight, bias)
            output = input.mm(weight.t())
            if bias is not None:
                output += bias.unsqueeze(0).expand_as(output)
            return output

        @staticmethod
        def backward(ctx, grad_output):
            input, weight, bias = ctx.saved_tensors
            grad_input = grad_weight = grad_bias = None
            if ctx.needs_input_grad[0]:
                grad_input = grad_output.mm(weight)
            if ctx.needs_input_grad[1]:
                grad_weight = grad_output.t().mm(input)
            if bias is not None and ctx.needs_input_grad[2]:
                grad_bias = grad_output.sum(0)
            return grad_input, grad_weight, grad_bias

    x = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    w = torch.tensor([[1.0, -1.0]], requires_grad=True)
    b = torch.tensor([0.5], requires_grad=True)
    y = Linear.apply(x, w, b)
    log("y", y)
    (y * y).sum().backward()
    log("w.grad", w.grad)
    log("b.grad", b.grad)
    w.grad = None
    Linear.apply(x, w).sum().backward()
    log("without bias", w.grad)


def legendre_polynomial(torch, log):
    """The one of PyTorch's introduction to custom functions."""

    class LegendrePolynomial3(torch.autograd.Function):
        @staticmethod
        def forward(ctx, input):
            ctx.save_for_backward(input)
            return 0.5 * (5 * input**3 - 3 * input)

        @staticmethod
        def backward(ctx, grad_output):
            (input,) = ctx.saved_tensors
            return grad_output * 1.5 * (5 * input**2 - 1)

    x = torch.linspace(-1, 1, 5, dtype=torch.float64)
    a = torch.tensor(0.3, dtype=torch.float64, requires_grad=True)
    b = torch.tensor(-0.2, dtype=torch.float64, requires_grad=True)
    for _ in range(3):
        loss = (LegendrePolynomial3.apply(a + b * x) - torch.sin(x)).pow(2).sum()
        loss.backward()
        with torch.no_grad():
            a -= 0.05 * a.grad
            b -= 0.05 * b.grad
            a.grad = b.grad = None
    log("a", a)
    log("b", b)
    log("loss", loss)


def relu_by_hand(torch, log):
    class MyReLU(torch.autograd.Function):
        @staticmethod
        def forward(ctx, input):
            ctx.save_for_backward(input)
            return input.clamp(min=0)

        @staticmethod
        def backward(ctx, grad_output):
            (input,) = ctx.saved_tensors
            grad_input = grad_output.clone()
            grad_input[input < 0] = 0
            return grad_input

    x = _leaf(torch, -1.0, 0.0, 2.0)
    (MyReLU.apply(x) * torch.tensor([1.0, 2.0, 3.0])).sum().backward()
    log("x.grad", x.grad)
