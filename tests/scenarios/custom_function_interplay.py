"""Custom functions together with the rest: forward mode, edges, saved tensors, views, modes."""

from __future__ import annotations

from tests.scenarios._harness import differs, each

from .custom_function import _exp, _function, _leaf, _square

# ---------------------------------------------------------------- forward mode


def _dual(torch, *values, tangent=None):
    fw = torch.autograd.forward_ad
    x = torch.tensor(list(values) or [1.0, 2.0])
    return fw.make_dual(x, torch.ones_like(x) if tangent is None else torch.tensor(tangent))


def _moving(torch, forward, jvp, **attributes):
    return _function(torch, forward, lambda ctx, *g: g[0], jvp=staticmethod(jvp), **attributes)


def jvp_of_one_argument(torch, log):
    fw = torch.autograd.forward_ad

    def forward(ctx, x):
        log("primal", fw.unpack_dual(x).tangent)
        ctx.save_for_forward(x)
        return x * x

    def jvp(ctx, t):
        (x,) = ctx.saved_tensors
        log("given", t)
        log("mode", torch.is_grad_enabled())
        return 2 * x * t

    with fw.dual_level():
        y = _moving(torch, forward, jvp).apply(_dual(torch))
        log("y", fw.unpack_dual(y).primal)
        log("tangent", fw.unpack_dual(y).tangent)


def jvp_of_several(torch, log):
    fw = torch.autograd.forward_ad

    def forward(ctx, x, n, y, mask):
        ctx.save_for_forward(x, y)
        return x * y, x.sum(), mask, 3

    def jvp(ctx, x, n, y, mask):
        log("given", (x, n, y, mask))
        a, b = ctx.saved_tensors
        return x * b + a * y, x.sum(), None, None

    with fw.dual_level():
        mask = torch.tensor([True, False])
        out = _moving(torch, forward, jvp).apply(_dual(torch), 3, torch.tensor([3.0, 4.0]), mask)
        for i, x in enumerate(out[:3]):
            log(f"tangent {i}", fw.unpack_dual(x).tangent)
        log("last", out[3])


@each(materialize=[True, False])
def jvp_and_tangents_that_are_missing(torch, log, materialize):
    fw = torch.autograd.forward_ad

    def forward(ctx, x, y):
        ctx.set_materialize_grads(materialize)
        return x * 1

    def jvp(ctx, x, y):
        log("x", x)
        log("y", y)
        return x

    with fw.dual_level():
        y = _moving(torch, forward, jvp).apply(_dual(torch), torch.ones(2))
        log("tangent", fw.unpack_dual(y).tangent)


def jvp_is_missing(torch, log):
    F = _function(torch, lambda ctx, x: x * 1, lambda ctx, g: g)
    with torch.autograd.forward_ad.dual_level():
        log.attempt("apply", lambda: F.apply(_dual(torch)))
        log.attempt("without a tangent", lambda: F.apply(torch.ones(2)))


@each(
    returned=[
        ("two", lambda t: (t, t)),
        ("number", lambda t: 3),
        ("list", lambda t: [t]),
        ("shape", lambda t: t[0]),
        ("tuple", lambda t: (t * 2,)),
    ]
)
def what_jvp_returns(torch, log, returned):
    F = _moving(torch, lambda ctx, x: x * 1, lambda ctx, t: returned[1](t))
    fw = torch.autograd.forward_ad
    with fw.dual_level():
        log.attempt("apply", lambda: fw.unpack_dual(F.apply(_dual(torch))).tangent)


@differs(
    "a tangent that is None is none; PyTorch fails with an internal error",
    {"tangent": None},
)
def jvp_that_returns_none(torch, log):
    fw = torch.autograd.forward_ad
    F = _moving(torch, lambda ctx, x: x * 1, lambda ctx, t: None)
    with fw.dual_level():
        log.attempt("tangent", lambda: fw.unpack_dual(F.apply(_dual(torch))).tangent)


def jvp_of_a_view(torch, log):
    fw = torch.autograd.forward_ad
    with fw.dual_level():
        for name, jvp in (
            ("no view", lambda ctx, t: t.view(2, 1) * 2),
            ("a view", lambda ctx, t: t.view(2, 1)),
        ):
            F = _moving(torch, lambda ctx, x: x.view(2, 1), jvp)
            log.attempt(name, lambda F=F: fw.unpack_dual(F.apply(_dual(torch))).tangent)
        for name, jvp in (
            ("input, the tangent as it is", lambda ctx, t: t),
            ("input, a view", lambda ctx, t: t.view_as(t)),
        ):
            F = _moving(torch, lambda ctx, x: x, jvp)
            log.attempt(name, lambda F=F: fw.unpack_dual(F.apply(_dual(torch))).tangent)


def jvp_of_a_view_is_a_view_of_the_tangent(torch, log):
    fw = torch.autograd.forward_ad
    given = {
        "part": lambda t: t[:1],
        "part of a clone": lambda t: t.clone()[:1],
        "view of that": lambda t: t[:].view(2)[:1],
        "view of a copy": lambda t: t.clone().view(2)[:1],
    }
    with fw.dual_level():
        for of, argument in {"a dual": _dual, "a part": lambda torch: _dual(torch)[:]}.items():
            for name, jvp in given.items():
                F = _moving(torch, lambda ctx, x: x[:1], lambda ctx, t, jvp=jvp: jvp(t))
                log.attempt(
                    f"{of}: {name}",
                    lambda F=F, argument=argument: fw.unpack_dual(F.apply(argument(torch))).tangent,
                    words=of == "a dual",
                )


@each(marked=[False, True], returned=["tensor", "None"])
def jvp_of_results_without_derivative(torch, log, marked, returned):
    def forward(ctx, x):
        other = x.clone() if marked else torch.tensor([1, 2])
        if marked:
            ctx.mark_non_differentiable(other)
        return other, 2 * x

    def jvp(ctx, t):
        return (t.clone() if returned == "tensor" else None), 2 * t

    fw = torch.autograd.forward_ad
    with fw.dual_level():
        F = _moving(torch, forward, jvp)
        log.attempt("apply", lambda: [fw.unpack_dual(y).tangent for y in F.apply(_dual(torch))])


def jvp_of_a_change_in_place(torch, log):
    fw = torch.autograd.forward_ad

    def forward(ctx, x):
        ctx.mark_dirty(x)
        return x.mul_(2)

    with fw.dual_level():
        F = _moving(torch, forward, lambda ctx, t: t.mul_(2))
        x = _dual(torch) * 1
        y = F.apply(x)
        log("same", y is x)
        log("tangent", fw.unpack_dual(x).tangent)
        F = _moving(torch, forward, lambda ctx, t: t * 2)
        log.attempt("not in place", lambda: F.apply(_dual(torch) * 1))


def forward_over_reverse(torch, log):
    fw = torch.autograd.forward_ad

    class Cube(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            ctx.save_for_forward(x)
            return x**3

        @staticmethod
        def backward(ctx, grad):
            (x,) = ctx.saved_tensors
            return 3 * x**2 * grad

        @staticmethod
        def jvp(ctx, t):
            (x,) = ctx.saved_tensors
            return 3 * x**2 * t

    with fw.dual_level():
        x = fw.make_dual(torch.tensor([1.0, 2.0], requires_grad=True), torch.tensor([1.0, 0.5]))
        y = Cube.apply(x)
        log.gradient("tangent", fw.unpack_dual(y).tangent)
        (g,) = torch.autograd.grad(y.sum(), x)
        log("gradient", fw.unpack_dual(g).primal)
        log("its tangent", fw.unpack_dual(g).tangent)


def tangent_that_requires_a_gradient(torch, log):
    fw = torch.autograd.forward_ad

    def forward(ctx, x):
        ctx.save_for_forward(x)
        return x * x

    F = _moving(torch, forward, lambda ctx, t: 2 * ctx.saved_tensors[0] * t)
    x = _leaf(torch, 1.0, 2.0)
    with fw.dual_level():
        y = F.apply(fw.make_dual(x, torch.ones(2)))
        t = fw.unpack_dual(y).tangent
        log.gradient("tangent", t)
        log("gradient of it", torch.autograd.grad(t.sum(), x))


@differs(
    "a saved intermediate has a history, in which a derivative with respect to it is refused",
    {
        "after": {
            "tuple": [
                {
                    "tensor": [2.0, 4.0],
                    "shape": [2],
                    "dtype": "float32",
                    "requires_grad": True,
                    "grad_fn": "CustomBackward",
                }
            ]
        }
    },
)
def saved_for_forward_and_backward(torch, log):
    def forward(ctx, x):
        ctx.save_for_forward(x)
        ctx.save_for_backward(x * 2)
        return x * 1

    def jvp(ctx, t):
        log("in jvp", ctx.saved_tensors)
        return t * 1

    F = _function(
        torch,
        forward,
        lambda ctx, g: log("in backward", ctx.saved_tensors) or g,
        jvp=staticmethod(jvp),
    )
    fw = torch.autograd.forward_ad
    x = _leaf(torch, 1.0, 2.0)
    with fw.dual_level():
        y = F.apply(fw.make_dual(x, torch.ones(2)))
        log("after", y.grad_fn.saved_tensors)
        log("saved_for_forward", y.grad_fn.saved_for_forward)
        y.sum().backward()


# ---------------------------------------------------------------- the graph around


@each(target=["output", "one of two", "both and the leaf"])
def backward_with_inputs(torch, log, target):
    events = []

    def backward(ctx, a, b):
        events.append("backward")
        return a + b

    x = _leaf(torch)
    y, z = _function(torch, lambda ctx, x: (x * 1, x * 1), backward).apply(x)
    inputs = {"output": [y], "one of two": [z], "both and the leaf": [y, z, x]}[target]
    (y * z).sum().backward(inputs=inputs)
    log("grads", [t.grad for t in inputs])
    log("events", events)
    log("x.grad", x.grad)


def gradient_edges_of_results(torch, log):
    graph = torch.autograd.graph
    x = _leaf(torch)
    F = _function(torch, lambda ctx, x: (x * 2, x * 3), lambda ctx, a, b: a * 2 + b * 3)
    y, z = F.apply(x)
    loss = (y * z).sum()
    edge = graph.get_gradient_edge(z)
    log("edge", (edge.node is y.grad_fn, edge.output_nr))
    log("by edge", torch.autograd.grad(loss, edge, retain_graph=True))
    made = graph.GradientEdge(y.grad_fn, 0)
    log("made", torch.autograd.grad(loss, made, retain_graph=True))
    log("from an edge", torch.autograd.grad(made, x, torch.ones(3)))


def is_a_node(torch, log):
    y = _square(torch).apply(_leaf(torch))
    log("node", isinstance(y.grad_fn, torch.autograd.graph.Node))
    log("next of a sum", y.sum().grad_fn.next_functions[0][0] is y.grad_fn)


def metadata_and_attributes(torch, log):
    y, z = _function(torch, lambda ctx, x: (x * 1, x * 1), None).apply(_leaf(torch))
    y.grad_fn.metadata["a"] = 1
    log("metadata", z.grad_fn.metadata)
    y.grad_fn.inputs = "theirs"
    y.grad_fn.results = "theirs"
    y.grad_fn.saved = "theirs"
    y.grad_fn.edges = "theirs"
    log("attributes", (z.grad_fn.inputs, z.grad_fn.results, z.grad_fn.saved, z.grad_fn.edges))


def hooks_that_are_removed(torch, log):
    events = []
    x = _leaf(torch)
    y = _square(torch, events).apply(x)
    kept = y.register_hook(lambda g: events.append("kept"))
    gone = y.register_hook(lambda g: events.append("gone"))
    also = y.grad_fn.register_hook(lambda *g: events.append("also gone"))
    gone.remove()
    also.remove()
    y.sum().backward()
    log("events", events)
    kept.remove()


@each(order=["first", "second"])
def hooks_on_results_run_as_registered(torch, log, order):
    events = []
    x = _leaf(torch)
    y, z = _function(torch, lambda ctx, x: (x * 1, x * 1), lambda ctx, a, b: a + b).apply(x)
    names = [("y", y), ("z", z)] if order == "first" else [("z", z), ("y", y)]
    for name, t in names:
        t.register_hook(lambda g, name=name: events.append(name))
    y.grad_fn.register_prehook(lambda g: events.append("prehook"))
    names[0][1].register_hook(lambda g: events.append("again"))
    (y + z).sum().backward()
    log("events", events)


def a_hook_that_raises(torch, log):
    def hook(grad):
        raise KeyError("on purpose")

    events = []
    x = _leaf(torch)
    y = _square(torch, events).apply(x)
    y.register_hook(hook)
    with log.raises("backward"):
        y.sum().backward()
    log("events", events)
    log("x.grad", x.grad)


def hooks_replace_shape_or_dtype(torch, log):
    for name, hook in (
        ("shape", lambda g: g.sum()),
        ("dtype", lambda g: g.double()),
        ("type", lambda g: 3),
    ):
        x = _leaf(torch)
        y = _square(torch).apply(x)
        y.register_hook(hook)
        with log.raises(name):
            y.sum().backward()


def post_accumulate_hook_of_the_argument(torch, log):
    events = []
    x, w = _leaf(torch), _leaf(torch)
    x.register_post_accumulate_grad_hook(lambda t: events.append("x"))
    w.register_post_accumulate_grad_hook(lambda t: events.append("w"))

    def backward(ctx, grad):
        events.append("backward")
        return grad, grad

    y = _function(torch, lambda ctx, x, w: x * w, backward).apply(x, w)
    (y * 2).sum().backward()
    log("events", events)


def multi_grad_hook_over_results(torch, log):
    seen = []
    x = _leaf(torch)
    y, z = _function(torch, lambda ctx, x: (x * 1, x * 2), lambda ctx, a, b: a + 2 * b).apply(x)
    torch.autograd.graph.register_multi_grad_hook((y, z), lambda grads: seen.append(grads))
    y.sum().backward()
    log("seen", seen)


# ---------------------------------------------------------------- saved-tensor hooks


def saved_tensors_hooks_see_what_is_saved(torch, log):
    events = []

    def pack(x):
        events.append(("pack", x.tolist(), x.requires_grad, x.is_leaf))
        return x * 10

    def unpack(x):
        events.append(("unpack", x.tolist()))
        return x / 10

    def forward(ctx, x):
        y = x.exp()
        ctx.save_for_backward(x, None, y)
        return y

    def backward(ctx, grad):
        _, none, y = ctx.saved_tensors
        log("none", none)
        return grad * y

    x = _leaf(torch, 0.0)
    with torch.autograd.graph.saved_tensors_hooks(pack, unpack):
        y = _function(torch, forward, backward).apply(x)
    events.append("applied")
    y.sum().backward()
    log("events", events)
    log("x.grad", x.grad)


def saved_tensors_hooks_that_raise(torch, log):
    def pack(x):
        raise KeyError("on purpose")

    x = _leaf(torch)
    with log.raises("apply"), torch.autograd.graph.saved_tensors_hooks(pack, lambda x: x):
        _square(torch).apply(x)


def saved_on_cpu_and_changed(torch, log):
    """What was packed by a copy may change afterwards."""
    x = _leaf(torch)
    h = x * 1
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t.clone(), lambda t: t):
        y = _square(torch).apply(h)
    with torch.no_grad():
        h.mul_(100)
    y.sum().backward()
    log("x.grad", x.grad)


# ---------------------------------------------------------------- views and changes in place


def the_base_of_a_returned_view_is_changed(torch, log):
    F = _function(torch, lambda ctx, x: x.view(3, 1), lambda ctx, g: g.view(3) * 5)
    x = _leaf(torch)
    h = x * 1
    y = F.apply(h)
    h.mul_(2)
    log("h", h)
    log.attempt("grad_fn", lambda: y.grad_fn)
    log.attempt("used", lambda: y * 2)


def results_that_share_memory(torch, log):
    def forward(ctx, x):
        y = x * 2
        return y, y[0]

    F = _function(torch, forward, lambda ctx, a, b: a)
    y, z = F.apply(_leaf(torch))
    log.attempt("the view", lambda: z.add_(1))
    log.attempt("the base", lambda: y.add_(1))
    log.attempt("the view afterwards", lambda: z * 1)


def several_views(torch, log):
    F = _function(torch, lambda ctx, x: (x[:1], x[1:]), lambda ctx, a, b: torch.cat([a, b]) * 5)
    x = _leaf(torch)
    a, b = F.apply(x * 1)
    log("a", a)
    with log.raises("in place"):
        a.add_(1)
    (a.sum() + 2 * b.sum()).backward()
    log("x.grad", x.grad)


def a_result_is_changed_in_place(torch, log):
    events = []
    x = _leaf(torch)
    y = _square(torch, events).apply(x)
    y.mul_(3)
    log("y", y)
    log("next", y.grad_fn.next_functions[0][0].name())
    y.sum().backward()
    log("x.grad", x.grad)


def a_view_of_a_result_is_changed(torch, log):
    x = _leaf(torch)
    y = _square(torch).apply(x)
    y[0].mul_(3)
    log("y", y)
    y.sum().backward()
    log("x.grad", x.grad)


def detached_results(torch, log):
    x = _leaf(torch)
    y = _exp(torch).apply(x)
    d = y.detach()
    log("d", d)
    d.mul_(2)
    with log.raises("backward"):
        y.sum().backward()


def dirty_through_no_grad_view(torch, log):
    def forward(ctx, x):
        ctx.mark_dirty(x)
        return x.mul_(2)

    F = _function(torch, forward, lambda ctx, g: g * 2)
    x = _leaf(torch)
    h = x * 1
    with torch.no_grad():
        v = h[1:]
    log.attempt("apply", lambda: F.apply(v))


def dirty_and_an_older_view(torch, log):
    def forward(ctx, x):
        ctx.mark_dirty(x)
        return x.mul_(2)

    F = _function(torch, forward, lambda ctx, g: g * 20)
    x = _leaf(torch)
    h = x * 1
    v = h[1:]
    F.apply(h)
    log("v", v)
    v.sum().backward()
    log("x.grad", x.grad)


# ---------------------------------------------------------------- modes


def under_inference_mode(torch, log):
    x = _leaf(torch)
    with torch.inference_mode():
        y = _square(torch).apply(x)
        log("inference", y.is_inference())
    log("y", y)


def an_inference_tensor_is_saved(torch, log):
    with torch.inference_mode():
        c = torch.ones(3)

    def forward(ctx, x, c):
        ctx.save_for_backward(c)
        return x * 2

    F = _function(torch, forward, lambda ctx, g: (g, None))
    log.attempt("apply", lambda: F.apply(_leaf(torch), c))


def enable_grad_inside_no_grad(torch, log):
    x = _leaf(torch)
    with torch.no_grad(), torch.enable_grad():
        y = _square(torch).apply(x)
    log("y", y)


def grad_mode_is_restored(torch, log):
    def forward(ctx, x):
        torch.set_grad_enabled(True)
        return x * 1

    with torch.no_grad():
        _function(torch, forward, None).apply(_leaf(torch))
        log("after", torch.is_grad_enabled())


def a_pass_within_a_pass(torch, log):
    events = []
    Square = _square(torch, events)
    w = _leaf(torch)

    def backward(ctx, grad):
        events.append("outer")
        Square.apply(w).sum().backward()
        return grad

    x = _leaf(torch)
    y = _function(torch, lambda ctx, x: x * 1, backward).apply(x)
    with log.raises("without grad mode"):
        y.sum().backward()

    def again(ctx, grad):
        with torch.enable_grad():
            Square.apply(w).sum().backward()
        return grad

    _function(torch, lambda ctx, x: x * 1, again).apply(x).sum().backward()
    log("events", events)
    log("w.grad", w.grad)
    log("x.grad", x.grad)


def recursion_of_a_function(torch, log):
    class Power(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, n):
            ctx.save_for_backward(x)
            ctx.n = n
            return x**n

        @staticmethod
        def backward(ctx, grad):
            (x,) = ctx.saved_tensors
            if ctx.n == 0:
                return torch.zeros_like(x), None
            return grad * ctx.n * Power.apply(x, ctx.n - 1), None

    x = _leaf(torch)
    y = Power.apply(x, 3).sum()
    for order in range(1, 4):
        (g,) = torch.autograd.grad(y, x, create_graph=True)
        log.gradient(f"order {order}", g)
        y = g.sum()


def two_levels_of_saved_results(torch, log):
    x = _leaf(torch, 0.1, 0.2)
    Exp = _exp(torch)
    y = Exp.apply(Exp.apply(x))
    (g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
    log.gradient("g", g)
    (h,) = torch.autograd.grad(g.sum(), x, create_graph=True)
    log.gradient("h", h)
    log("third", torch.autograd.grad(h.sum(), x))


def saved_by_attribute(torch, log):
    """Tensors on the context itself are plain values: a change of them goes unnoticed."""

    def forward(ctx, x):
        ctx.x = x
        return x * x

    def backward(ctx, grad):
        return 2 * ctx.x * grad

    x = _leaf(torch)
    y = _function(torch, forward, backward).apply(x)
    with torch.no_grad():
        x.mul_(10)
    y.sum().backward()
    log("x.grad", x.grad)


def unused_results(torch, log):
    seen = []

    def backward(ctx, a, b):
        seen.append((a, b))
        return a

    x = _leaf(torch)
    F = _function(torch, lambda ctx, x: (x * 1, x.sum()), backward)
    y, _ = F.apply(x)
    del _
    y.sum().backward()
    log("seen", seen)
    log("x.grad", x.grad)


def gradients_are_summed_before_backward(torch, log):
    seen = []

    def backward(ctx, grad):
        seen.append(grad)
        return grad

    x = _leaf(torch)
    y = _function(torch, lambda ctx, x: x * 1, backward).apply(x)
    (y * 2 + y.exp() * 0 + y[0]).sum().backward()
    log("seen", seen)
    log("x.grad", x.grad)


def zeros_for_what_is_unused_have_its_dtype(torch, log):
    def backward(ctx, a, b, c):
        log("b", b)
        log("c", c)
        return a

    def forward(ctx, x):
        return x * 1, x.double(), x.to(torch.complex64)

    y, _, _ = _function(torch, forward, backward).apply(_leaf(torch))
    y.sum().backward()


def a_scalar_argument(torch, log):
    F = _function(torch, lambda ctx, x: x.expand(3), lambda ctx, g: g)
    x = torch.tensor(2.0, requires_grad=True)
    y = F.apply(x)
    log("y", y)
    y.sum().backward()
    log("x.grad", x.grad)


def an_empty_argument(torch, log):
    x = torch.zeros(0, 2, requires_grad=True)
    y = _square(torch).apply(x)
    log("y", y)
    y.sum().backward()
    log("x.grad", x.grad)


def an_argument_that_is_a_parameterless_constant(torch, log):
    def backward(ctx, grad):
        log("needs", ctx.needs_input_grad)
        return grad, grad

    x = _leaf(torch)
    c = torch.ones(3)
    y = _function(torch, lambda ctx, x, c: x + c, backward).apply(x, c)
    c.requires_grad_()
    y.sum().backward()
    log("x.grad", x.grad)
    log("c.grad", c.grad)


def requires_grad_is_set_by_forward(torch, log):
    F = _function(torch, lambda ctx, x: x.detach().requires_grad_(), lambda ctx, g: g * 3)
    x = _leaf(torch)
    y = F.apply(x)
    log("y", y)
    y.sum().backward()
    log("x.grad", x.grad)
    log("constant", F.apply(torch.ones(2)))


def second_derivative_through_what_hooks_unpacked(torch, log):
    Square, Exp = _square(torch), _exp(torch)
    x = _leaf(torch, 0.5, 1.0)
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t.numpy(), torch.from_numpy):
        h = x * 1
        y = Exp.apply(h) + Square.apply(x) + Square.apply(h)
    (g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
    log.gradient("g", g)
    log("second", torch.autograd.grad(g.sum(), x))


def what_unpack_hooks_may_return(torch, log):
    for name, unpack in (
        ("number", lambda t: 3),
        ("shape", lambda t: t[0]),
        ("dtype", lambda t: t.double()),
    ):
        x = _leaf(torch)
        with torch.autograd.graph.saved_tensors_hooks(lambda t: t, unpack):
            y = _square(torch).apply(x)
        log.attempt(name, lambda y=y: y.sum().backward())
        log(f"x.grad after {name}", x.grad)


def raw_saved_tensors(torch, log):
    events = []

    def forward(ctx, x):
        y = x.exp()
        ctx.save_for_backward(x, None, y)
        return y

    def backward(ctx, grad):
        x, none, y = ctx.saved_tensors
        events.append((x.tolist(), none, y.tolist()))
        return grad * y

    x = _leaf(torch, 0.0)
    y = _function(torch, forward, backward).apply(x)
    raw = y.grad_fn._raw_saved_tensors
    log("length", len(raw))
    log("type", [type(r).__name__ for r in raw])
    raw[0].register_hooks(lambda t: events.append("pack") or t, lambda t: t * 100)
    log.attempt("twice", lambda: raw[0].register_hooks(lambda t: t, lambda t: t))
    log.attempt("none", lambda: raw[1].register_hooks(lambda t: t, lambda t: t))
    log.attempt("no function", lambda: raw[2].register_hooks(1, 2))
    y.sum().backward()
    log("events", events)
    log.attempt("freed", lambda: y.grad_fn._raw_saved_tensors)


def backward_as_a_method_of_the_node(torch, log):
    x = _leaf(torch)
    y = _square(torch).apply(x)
    log.attempt("called", lambda: y.grad_fn(torch.ones(3)))
    log.attempt("applied", lambda: y.grad_fn.apply(torch.ones(3)))
    log.attempt("without", lambda: y.grad_fn.apply())


def versions_after_a_refused_change(torch, log):
    def forward(ctx, x):
        ctx.mark_dirty(x)
        return x.mul_(2)

    F = _function(torch, forward, lambda ctx, g: g * 2)
    x = _leaf(torch)
    log.attempt("leaf", lambda: F.apply(x))
    log("version of the leaf", x._version)
    v = x[1:]
    log.attempt("view of a leaf", lambda: F.apply(v))
    log("version of the view", v._version)


@each(what=["view", "base", "detached"])
def what_was_saved_is_a_view_and_changed(torch, log, what):
    x = _leaf(torch)
    h = x * 1
    v = h.view(3)
    saved = {"view": v, "base": h, "detached": h.detach()}[what]
    y = _function(
        torch,
        lambda ctx, x, s: ctx.save_for_backward(s) or x * 1,
        lambda ctx, g: (g * ctx.saved_tensors[0], None),
    ).apply(x, saved)
    h.mul_(2)
    with log.raises("backward"):
        y.sum().backward()


@differs(
    "an argument that gets no gradient is not looked into, so that what was changed in there does "
    "not matter; PyTorch passes an undefined gradient on, and refuses",
    {
        "grad": {
            "tuple": [
                {
                    "tensor": [1.0, 1.0, 1.0],
                    "shape": [3],
                    "dtype": "float32",
                    "requires_grad": False,
                    "grad_fn": None,
                },
                None,
            ]
        }
    },
)
def none_passed_on_to_what_was_changed(torch, log):
    x, w = _leaf(torch), _leaf(torch)
    h = w * 1
    y = h * h
    with torch.no_grad():
        h.mul_(2)
    F = _function(torch, lambda ctx, x, y: x * 1, lambda ctx, g: (g, None))
    z = F.apply(x, y)
    log.attempt("grad", lambda: torch.autograd.grad(z.sum(), (x, w), allow_unused=True))


@each(of=["function", "unbind", "slice"], other=[False, True])
def a_view_that_a_function_changes(torch, log, of, other):
    view = _function(torch, lambda ctx, x: x.view_as(x), lambda ctx, g: -g)

    def forward(ctx, x):
        ctx.mark_dirty(x)
        return x.mul_(2)

    double = _function(torch, forward, lambda ctx, g: 2 * g)
    x = _leaf(torch)
    y = x * 1
    v = {"function": view.apply, "unbind": lambda t: t.view(1, -1).unbind()[0]}.get(
        of, lambda t: t[:]
    )(y)
    if other:
        y.mul_(3)
    log.attempt("change", lambda: double.apply(v))
    log("version", y._version)
    log.attempt("grad", lambda: torch.autograd.grad(y.sum(), x)[0])


@each(changed=[0, 1], before=[False, True])
def which_saved_result_was_changed(torch, log, changed, before):
    def forward(ctx, x):
        out = x.sin(), x.cos()
        ctx.save_for_backward(*out)
        return out

    def backward(ctx, a, b):
        sin, cos = ctx.saved_tensors
        return a * cos - b * sin

    out = _function(torch, forward, backward).apply(_leaf(torch))
    early = out[0].sum() + out[1].sum()
    out[changed].mul_(2)
    root = early if before else out[changed].sum()
    log.attempt("backward", root.backward)


def an_input_that_is_the_second_result_was_changed(torch, log):
    x = _leaf(torch)
    two = _function(torch, lambda ctx, x: (x * 2, x * 3), lambda ctx, a, b: a * 2 + b * 3)

    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    y = two.apply(x)[1]
    z = _function(torch, forward, lambda ctx, g: 2 * g * ctx.saved_tensors[0]).apply(y)
    with torch.no_grad():
        y.mul_(2)
    log.attempt("backward", lambda: z.sum().backward())
