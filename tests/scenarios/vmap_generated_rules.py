"""`vmap` and custom functions whose rule is generated; their forward mode."""

from __future__ import annotations

import importlib

from tests.scenarios._harness import differs, each

from ._mapped_functions import _function, _numbers, _product, _square


def _forward_ad(torch):
    return importlib.import_module(f"{torch.__name__}.autograd.forward_ad")


# ---------------------------------------------------------------- a rule that is generated


@each(in_dims=[(0, None), (None, 0), (0, 0), (1, None), (1, 0), (-1, 1)])
def generated_rules(torch, log, in_dims):
    function = _product(torch, log)
    x = _numbers(torch, 2, 2, requires_grad=True, start=1.0)
    y = _numbers(torch, 2, 2, requires_grad=True, start=5.0)
    given = [t if d is not None else t[0] for t, d in zip((x, y), in_dims, strict=True)]
    out = torch.vmap(lambda a, b: function.apply(a, b, 3), in_dims=in_dims)(*given)
    log.gradient("out", out)
    log("name", out.grad_fn.name().replace("PermuteBackward0", "a view"))
    weights = _numbers(torch, 2, 2, start=1.0)
    log("gradients", torch.autograd.grad((out * weights).sum(), (x, y)))


def generated_rules_of_captured_tensors(torch, log):
    function = _product(torch, log)
    x = _numbers(torch, 3, 2, requires_grad=True)
    w = _numbers(torch, 2, requires_grad=True, start=2.0)
    y = torch.vmap(lambda b: function.apply(b, w))(x)
    g = torch.autograd.grad((y * y).sum(), (x, w), create_graph=True)
    log.gradient("first", g)
    log("second", torch.autograd.grad(g[0].sum() + g[1].sum(), (x, w)))


@each(which=["first", "second"])
def what_needs_no_gradient(torch, log, which):
    function = _product(torch, log)
    x = _numbers(torch, 3, 2, requires_grad=which == "first")
    w = _numbers(torch, 2, requires_grad=which == "second", start=2.0)
    y = torch.vmap(lambda b: function.apply(b, w))(x)
    log("gradient", torch.autograd.grad(y.sum(), x if which == "first" else w))


def entries_that_are_broadcast(torch, log):
    """A gradient of the shape of the result, where the argument has less."""
    function = _function(
        torch,
        forward=lambda x, y: x * y,
        setup_context=lambda ctx, inputs, output: ctx.save_for_backward(*inputs),
        backward=lambda ctx, g: (g * ctx.saved_tensors[1], g * ctx.saved_tensors[0]),
        generate_vmap_rule=True,
    )
    x = _numbers(torch, 3, 1, requires_grad=True, start=1.0)
    w = _numbers(torch, 4, requires_grad=True, start=1.0)
    y = torch.vmap(lambda b: function.apply(b, w))(x)
    log.gradient("y", y)
    log("gradients", torch.autograd.grad(y.sum(), (x, w)))


def generated_rules_of_several_results(torch, log):
    def setup_context(ctx, inputs, output):
        log("output", [y.shape for y in output])
        ctx.save_for_backward(inputs[0], output[1])

    def backward(ctx, a, b):
        x, y = ctx.saved_tensors
        log("cotangents", (a.shape, b.shape))
        return 2 * x * a + y * b

    function = _function(
        torch,
        forward=lambda x: (x * x, x.sum()),
        setup_context=setup_context,
        backward=backward,
        generate_vmap_rule=True,
    )
    x = _numbers(torch, 3, 2, requires_grad=True)
    y, z = torch.vmap(function.apply)(x)
    log.gradient("y", y)
    log.gradient("z", z)
    log("gradient", torch.autograd.grad(y.sum() + 2 * z.sum(), x))


def generated_rules_of_one_result_of_two(torch, log):
    function = _function(
        torch,
        forward=lambda x: (x * 2, x * 3),
        setup_context=lambda ctx, inputs, output: None,
        backward=lambda ctx, a, b: 2 * a + 3 * b,
        generate_vmap_rule=True,
    )
    x = _numbers(torch, 3, 2, requires_grad=True)
    y, z = torch.vmap(function.apply)(x)
    log("first", torch.autograd.grad(y.sum(), x, retain_graph=True))
    log("second", torch.autograd.grad(z.sum(), x))


def generated_rules_and_undefined_gradients(torch, log):
    def setup_context(ctx, inputs, output):
        ctx.set_materialize_grads(False)

    def backward(ctx, a, b):
        log("cotangents", [None if g is None else g.shape for g in (a, b)])
        return 2 * a if a is not None else 3 * b

    function = _function(
        torch,
        forward=lambda x: (x * 2, x * 3),
        setup_context=setup_context,
        backward=backward,
        generate_vmap_rule=True,
    )
    x = _numbers(torch, 3, 2, requires_grad=True)
    y, _ = torch.vmap(function.apply)(x)
    log("gradient", torch.autograd.grad(y.sum(), x))


def gradients_that_are_none(torch, log):
    function = _function(
        torch,
        forward=lambda x, y: x * 2 + y,
        setup_context=lambda ctx, inputs, output: None,
        backward=lambda ctx, grad: (2 * grad, None),
        generate_vmap_rule=True,
    )
    x, y = (_numbers(torch, 3, 2, requires_grad=True) for _ in range(2))
    out = torch.vmap(function.apply)(x, y)
    log("gradients", torch.autograd.grad(out.sum(), (x, y), allow_unused=True))


def gradients_that_do_not_depend_on_entries(torch, log):
    function = _function(
        torch,
        forward=lambda x: x * 2,
        setup_context=lambda ctx, inputs, output: None,
        backward=lambda ctx, grad: torch.full((2,), 7.0),
        generate_vmap_rule=True,
    )
    x = _numbers(torch, 3, 2, requires_grad=True)
    y = torch.vmap(function.apply)(x)
    log("gradient", torch.autograd.grad(y.sum(), x))


@differs(
    "a gradient too many is refused, as without `vmap`",
    {
        "too many": {
            "raises": "RuntimeError",
            "message": "function VmappedSquareBackward returned an incorrect number of gradients "
            "(expected 1, got 2)",
        }
    },
)
def too_many_gradients(torch, log):
    x = _numbers(torch, 3, 2, requires_grad=True)
    for label, returned in (
        ("too many", lambda ctx, g: (g, g)),
        ("None more", lambda ctx, g: (g, None)),
    ):
        function = _square(torch, backward=returned, generate_vmap_rule=True)
        y = torch.vmap(function.apply)(x)
        log.attempt(label, lambda y=y: torch.autograd.grad(y.sum(), x))


def results_without_a_derivative(torch, log):
    def setup_context(ctx, inputs, output):
        ctx.mark_non_differentiable(output[1])
        ctx.save_for_backward(inputs[0])

    function = _function(
        torch,
        forward=lambda x: (x * x, x.argmax()),
        setup_context=setup_context,
        backward=lambda ctx, g, _: 2 * ctx.saved_tensors[0] * g,
        generate_vmap_rule=True,
    )
    x = _numbers(torch, 3, 2, requires_grad=True)
    y, i = torch.vmap(function.apply)(x)
    log("y", y.requires_grad)
    log("i", i)
    log("gradient", torch.autograd.grad(y.sum(), x))


def marked_results_of_floats(torch, log):
    def setup_context(ctx, inputs, output):
        ctx.mark_non_differentiable(output[1])

    function = _function(
        torch,
        forward=lambda x: (x * 2, x * 3),
        setup_context=setup_context,
        backward=lambda ctx, g, _: 2 * g,
        generate_vmap_rule=True,
    )
    x = _numbers(torch, 3, 2, requires_grad=True)
    y, z = torch.vmap(function.apply)(x)
    log("requires", (y.requires_grad, z.requires_grad))
    log("gradient", torch.autograd.grad(y.sum(), x))


def differentiated_once(torch, log):
    once = torch.autograd.function.once_differentiable
    function = _square(
        torch,
        backward=once(lambda ctx, grad: 2 * ctx.saved_tensors[0] * grad),
        generate_vmap_rule=True,
    )
    x = _numbers(torch, 3, 2, requires_grad=True)
    y = torch.vmap(function.apply)(x)
    (g,) = torch.autograd.grad((y * y).sum(), x, create_graph=True)
    log.gradient("first", g)
    with log.raises("second"):
        torch.autograd.grad(g.sum(), x)


def attributes_of_the_context(torch, log):
    def setup_context(ctx, inputs, output):
        ctx.number, ctx.shape, ctx.tensor = 3, inputs[0].shape, inputs[0]

    def backward(ctx, grad):
        log("number", ctx.number)
        log("shape", ctx.shape)
        log("has", (hasattr(ctx, "number"), hasattr(ctx, "other")))
        log("needs", ctx.needs_input_grad)
        log("saved", len(ctx.saved_tensors))
        with log.raises("missing"):
            ctx.other  # noqa: B018
        return grad * ctx.number

    function = _square(
        torch, setup_context=setup_context, backward=backward, generate_vmap_rule=True
    )
    x = _numbers(torch, 3, 2, requires_grad=True)
    y = torch.vmap(function.apply)(x)
    log("gradient", torch.autograd.grad(y.sum(), x))


def attributes_that_are_set_in_backward(torch, log):
    def backward(ctx, grad):
        ctx.count = getattr(ctx, "count", 0) + 1
        log(f"count {ctx.count}", ctx.count)
        return grad

    function = _square(torch, backward=backward, generate_vmap_rule=True)
    x = _numbers(torch, 3, 2, requires_grad=True)
    y = torch.vmap(function.apply)(x)
    for _ in range(2):
        torch.autograd.grad(y.sum(), x, retain_graph=True)


def saved_results_and_constants(torch, log):
    constant = torch.tensor([2.0, 3.0])

    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(output, constant, None)

    def backward(ctx, grad):
        y, c, nothing = ctx.saved_tensors
        log("saved", (y.shape, c.shape, nothing))
        return grad * y * c

    function = _square(
        torch,
        forward=lambda x: x.exp(),
        setup_context=setup_context,
        backward=backward,
        generate_vmap_rule=True,
    )
    x = torch.zeros(3, 2, requires_grad=True)
    y = torch.vmap(function.apply)(x)
    log("gradient", torch.autograd.grad(y.sum(), x))


def saved_tensors_are_freed(torch, log):
    function = _square(torch, generate_vmap_rule=True)
    x = _numbers(torch, 3, 2, requires_grad=True)
    y = torch.vmap(function.apply)(x).sum()
    y.backward()
    with log.raises("again"):
        y.backward()
    y = torch.vmap(function.apply)(x * 1)
    h = x * 1
    y = torch.vmap(function.apply)(h)
    h.add_(1)
    with log.raises("changed"):
        y.sum().backward()


def generated_rules_one_in_another(torch, log):
    function = _product(torch)
    x = _numbers(torch, 3, requires_grad=True, start=1.0)
    y = _numbers(torch, 2, requires_grad=True, start=1.0)
    outer = torch.vmap(torch.vmap(function.apply, in_dims=(None, 0)), in_dims=(0, None))
    out = outer(x, y)
    log.gradient("out", out)
    log("name", out.grad_fn.name())
    weights = _numbers(torch, 3, 2)
    log("gradients", torch.autograd.grad((out * weights).sum(), (x, y)))


def generated_rules_three_deep(torch, log):
    function = _square(torch, generate_vmap_rule=True)
    x = _numbers(torch, 2, 2, 2, requires_grad=True)
    y = torch.vmap(torch.vmap(torch.vmap(function.apply), in_dims=1))(x)
    log.gradient("y", y)
    (g,) = torch.autograd.grad((y * y).sum(), x, create_graph=True)
    log.gradient("first", g)
    log("second", torch.autograd.grad(g.sum(), x))


def a_generated_rule_for_what_does_not_vary(torch, log):
    function = _square(torch, generate_vmap_rule=True)
    x, w = _numbers(torch, 3, 2), _numbers(torch, 2, requires_grad=True)

    def body(b):
        y = function.apply(w)
        log("name", y.grad_fn.name())
        return b * y

    y = torch.vmap(body)(x)
    log("gradient", torch.autograd.grad(y.sum(), w))


def functions_that_call_functions(torch, log):
    inner = _square(torch, generate_vmap_rule=True)

    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(inputs[0])

    outer = _function(
        torch,
        "Outer",
        forward=lambda x: inner.apply(x).sum(),
        setup_context=setup_context,
        backward=lambda ctx, grad: grad * 2 * ctx.saved_tensors[0],
        generate_vmap_rule=True,
    )
    x = _numbers(torch, 3, 2, requires_grad=True)
    y = torch.vmap(outer.apply)(x)
    log.gradient("y", y)
    log("gradient", torch.autograd.grad((y * y).sum(), x))


def functions_in_backward(torch, log):
    inner = _square(torch, generate_vmap_rule=True)
    outer = _square(
        torch,
        forward=lambda x: x**3,
        backward=lambda ctx, grad: 3 * inner.apply(ctx.saved_tensors[0]) * grad,
        generate_vmap_rule=True,
    )
    x = _numbers(torch, 3, 2, requires_grad=True)
    y = torch.vmap(outer.apply)(x)
    (g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
    log.gradient("first", g)
    log("second", torch.autograd.grad(g.sum(), x))


def refusals_inside_a_generated_rule(torch, log):
    x = _numbers(torch, 3, 2, requires_grad=True)
    with log.raises("item in forward"):
        torch.vmap(_square(torch, forward=lambda x: x * x.sum().item(), generate_vmap_rule=True)
                   .apply)(x)  # fmt: skip
    function = _square(torch, backward=lambda ctx, g: g * g.sum().item(), generate_vmap_rule=True)
    y = torch.vmap(function.apply)(x)
    with log.raises("item in backward"):
        y.sum().backward()


def changed_arguments(torch, log):
    def forward(x):
        x.add_(1)
        return x

    def setup_context(ctx, inputs, output):
        ctx.mark_dirty(inputs[0])

    function = _square(
        torch,
        forward=forward,
        setup_context=setup_context,
        backward=lambda ctx, g: g,
        generate_vmap_rule=True,
    )
    with log.raises("call"):
        torch.vmap(function.apply)(_numbers(torch, 3, 2))


def mappings_under_no_grad(torch, log):
    function = _square(torch, generate_vmap_rule=True)
    x = _numbers(torch, 3, 2, requires_grad=True)
    with torch.no_grad():
        log("around", torch.vmap(function.apply)(x))

    def body(b):
        with torch.no_grad():
            return function.apply(b)

    log("inside", torch.vmap(body)(x))


def gradcheck_of_a_generated_rule(torch, log):
    function = _product(torch)
    x = torch.linspace(0.5, 2.0, 6, dtype=torch.float64).reshape(3, 2).requires_grad_()
    w = torch.linspace(-1.0, 1.0, 2, dtype=torch.float64).requires_grad_()
    f = torch.vmap(lambda b, c: function.apply(b, c).sin(), in_dims=(0, None))
    log("first", torch.autograd.gradcheck(f, (x, w), check_forward_ad=True))
    log("second", torch.autograd.gradgradcheck(f, (x, w)))


# ---------------------------------------------------------------- forward mode


@each(which=["both", "first", "second"])
def tangents_through_generated_rules(torch, log, which):
    fw = _forward_ad(torch)
    function = _product(torch, log)
    x, w = _numbers(torch, 3, 2), _numbers(torch, 2, start=2.0)
    with fw.dual_level():
        if which != "second":
            x = fw.make_dual(x, torch.ones(3, 2))
        if which != "first":
            w = fw.make_dual(w, torch.ones(2))
        y = torch.vmap(lambda b: function.apply(b, w))(x)
        log("tangent", fw.unpack_dual(y).tangent)


def tangents_through_stated_rules(torch, log):
    fw = _forward_ad(torch)

    def vmap(info, in_dims, x):
        return function.apply(x), in_dims[0]

    function = _square(torch, vmap=vmap)
    with fw.dual_level():
        y = torch.vmap(function.apply, in_dims=1)(
            fw.make_dual(_numbers(torch, 3, 2), torch.ones(3, 2))
        )
        log("tangent", fw.unpack_dual(y).tangent)


def tangents_without_a_rule(torch, log):
    fw = _forward_ad(torch)
    function = _function(
        torch,
        forward=lambda x: x * 2,
        setup_context=lambda ctx, inputs, output: None,
        generate_vmap_rule=True,
    )
    with fw.dual_level(), log.raises("call"):
        torch.vmap(function.apply)(fw.make_dual(torch.ones(3, 2), torch.ones(3, 2)))


def tangents_of_several_results(torch, log):
    fw = _forward_ad(torch)
    function = _function(
        torch,
        forward=lambda x: (x * 2, x.sum()),
        setup_context=lambda ctx, inputs, output: None,
        jvp=lambda ctx, t: (t * 2, t.sum()),
        generate_vmap_rule=True,
    )
    with fw.dual_level():
        y, z = torch.vmap(function.apply)(fw.make_dual(_numbers(torch, 3, 2), torch.ones(3, 2)))
        log("y", fw.unpack_dual(y).tangent)
        log("z", fw.unpack_dual(z).tangent)


def tangents_one_in_another(torch, log):
    fw = _forward_ad(torch)
    function = _square(torch, generate_vmap_rule=True)
    with fw.dual_level():
        y = torch.vmap(torch.vmap(function.apply))(
            fw.make_dual(_numbers(torch, 3, 2), torch.ones(3, 2))
        )
        log("tangent", fw.unpack_dual(y).tangent)
