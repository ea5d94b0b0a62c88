"""`vmap` and custom functions with a rule of their own; batches of cotangents."""

from __future__ import annotations

import importlib
from collections import namedtuple

from tests.scenarios._harness import differs, each

from ._mapped_functions import _function, _numbers, _product, _square

Pair = namedtuple("Pair", "left right")


def _old_square(torch):
    """x**2 in the style that takes the context in `forward`."""

    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return 2 * x * grad

    return _function(torch, "OldSquare", forward=forward, backward=backward)


# ---------------------------------------------------------------- what a function has to say


@each(style=["old", "nothing", "both", "generated", "stated"])
def what_a_function_has_to_say(torch, log, style):
    x = _numbers(torch, 3, 2, requires_grad=True)

    def vmap(info, in_dims, x):
        return function.apply(x), in_dims[0]

    function = {
        "old": lambda: _old_square(torch),
        "nothing": lambda: _square(torch),
        "both": lambda: _square(torch, generate_vmap_rule=True, vmap=vmap),
        "generated": lambda: _square(torch, generate_vmap_rule=True),
        "stated": lambda: _square(torch, vmap=vmap),
    }[style]()
    log.attempt("entries", lambda: torch.vmap(function.apply)(x.detach()))
    log.attempt("a constant", lambda: torch.vmap(lambda b: function.apply(torch.ones(2)))(x))
    log.attempt("outside", lambda: function.apply(x))


def old_style_with_a_rule(torch, log):
    def vmap(info, in_dims, x):
        return x * x, in_dims[0]

    function = type(torch.autograd.Function)(
        "WithRule", (_old_square(torch),), {"vmap": staticmethod(vmap)}
    )
    x = _numbers(torch, 3, 2)
    log.attempt("stated", lambda: torch.vmap(function.apply)(x))
    generated = type(torch.autograd.Function)(
        "Generated", (_old_square(torch),), {"generate_vmap_rule": True}
    )
    log.attempt("generated", lambda: torch.vmap(generated.apply)(x))


def what_a_function_says_by_default(torch, log):
    base = torch.autograd.Function
    log("generate_vmap_rule", base.generate_vmap_rule)
    with log.raises("vmap"):
        base.vmap(None, (0,), torch.ones(2))
    with log.raises("setup_context"):
        base.setup_context(None, (), None)


def a_subclass_of_what_says_it(torch, log):
    function = type(torch.autograd.Function)(
        "Doubled",
        (_square(torch, generate_vmap_rule=True),),
        {"backward": staticmethod(lambda ctx, grad: grad * ctx.saved_tensors[0] * 4)},
    )
    x = _numbers(torch, 3, 2, requires_grad=True)
    y = torch.vmap(function.apply)(x)
    log("gradient", torch.autograd.grad(y.sum(), x))


# ---------------------------------------------------------------- a rule that is stated


@each(in_dim=[0, 1, -1])
def what_a_stated_rule_is_given(torch, log, in_dim):
    def vmap(info, in_dims, x, k, y):
        log("info", (info.batch_size, info.randomness))
        log("info is a tuple", list(info._fields))
        log("in_dims", in_dims)
        log("shapes", (x.shape, y.shape))
        log("k", k)
        return x * k * y[0], in_dims[0]

    function = _function(
        torch,
        forward=lambda x, k, y: x * k * y[0],
        setup_context=lambda ctx, inputs, output: None,
        vmap=vmap,
    )
    x = _numbers(torch, 3, 2)
    log.gradient("y", torch.vmap(lambda b: function.apply(b, 3, torch.ones(2)), in_dims=in_dim)(x))


@each(randomness=["error", "same", "different"])
def randomness_is_told(torch, log, randomness):
    def vmap(info, in_dims, x):
        log("randomness", info.randomness)
        return x * 1, in_dims[0]

    function = _square(torch, vmap=vmap)
    log("y", torch.vmap(function.apply, randomness=randomness)(_numbers(torch, 3, 2)))


@each(dims=["first", "last", "None first", "None second"])
def axes_of_several_arguments(torch, log, dims):
    def vmap(info, in_dims, x, y):
        log("in_dims", in_dims)
        log("shapes", (x.shape, y.shape))
        x = x.movedim(in_dims[0], 0) if in_dims[0] is not None else x
        y = y.movedim(in_dims[1], 0) if in_dims[1] is not None else y
        return x * y, 0

    function = _function(
        torch,
        forward=lambda x, y: x * y,
        setup_context=lambda ctx, inputs, output: ctx.save_for_backward(*inputs),
        backward=lambda ctx, g: (g * ctx.saved_tensors[1], g * ctx.saved_tensors[0]),
        vmap=vmap,
    )
    in_dims = {"first": (0, 0), "last": (1, -1), "None first": (None, 0), "None second": (1, None)}
    x, y = _numbers(torch, 2, 2, requires_grad=True), _numbers(torch, 2, 2, start=4.0)
    out = torch.vmap(function.apply, in_dims=in_dims[dims])(x, y)
    log.gradient("y", out)
    log("gradient", torch.autograd.grad(out.sum(), x))


def what_comes_of_an_operation_before(torch, log):
    def vmap(info, in_dims, x):
        log("in_dims", in_dims)
        log("requires_grad", x.requires_grad)
        return function.apply(x), in_dims[0]

    function = _square(torch, vmap=vmap)
    x = _numbers(torch, 3, 2, requires_grad=True)
    y = torch.vmap(lambda b: function.apply(2 * b) + b, in_dims=1)(x)
    log.gradient("y", y)
    log("gradient", torch.autograd.grad(y.sum(), x))


def a_rule_that_calls_the_function(torch, log):
    def vmap(info, in_dims, x):
        return function.apply(x), in_dims[0]

    function = _square(torch, vmap=vmap)
    x = _numbers(torch, 3, 2, requires_grad=True)
    y = torch.vmap(function.apply)(x)
    log("name", y.grad_fn.name())
    g = torch.autograd.grad(y.sum(), x, create_graph=True)
    log.gradient("first", g)
    log("second", torch.autograd.grad(g[0].sum(), x))


@each(
    returned=[
        ("None", lambda x, y: None),
        ("a dict", lambda x, y: {"x": x}),
        ("three", lambda x, y: (x, 0, 0)),
        ("a list", lambda x, y: [(x, y), (0, None)]),
        ("one axis for both", lambda x, y: ((x, y), 0)),
        ("a tuple of one", lambda x, y: ((x, y), (0,))),
        ("another container", lambda x, y: ((x, y), [0, None])),
        ("an axis that is none", lambda x, y: ((x, y), ("a", None))),
        ("a number", lambda x, y: ((x, 1), (0, None))),
        ("right", lambda x, y: ((x * 1, y * 1), (0, None))),
        ("one", lambda x, y: (x * 1, 0)),
        ("nested", lambda x, y: ((x * 1, (y * 1,)), (0, (None,)))),
    ]
)
def what_a_rule_returns(torch, log, returned):
    function = _function(
        torch,
        forward=lambda x, y: (x * 1, y * 1),
        setup_context=lambda ctx, inputs, output: None,
        vmap=lambda info, in_dims, x, y: returned[1](x, y),
    )
    x = _numbers(torch, 3, 2)

    def call():
        seen = []

        def body(b):
            found = function.apply(b, torch.ones(2))
            seen.append([type(found).__name__, getattr(found[0], "shape", None)])
            return b

        torch.vmap(body)(x)
        return seen

    log.attempt("seen", call)


def results_that_are_the_same_for_all(torch, log):
    function = _function(
        torch,
        forward=lambda x: (x * 2, torch.ones(3)),
        setup_context=lambda ctx, inputs, output: None,
        vmap=lambda info, in_dims, x: ((x * 2, torch.ones(3)), (in_dims[0], None)),
    )
    x = _numbers(torch, 3, 2)
    log("None", torch.vmap(function.apply, out_dims=(0, None))(x))
    log("repeated", torch.vmap(function.apply)(x))


def results_along_another_axis(torch, log):
    function = _function(
        torch,
        forward=lambda x: x * 2,
        setup_context=lambda ctx, inputs, output: None,
        vmap=lambda info, in_dims, x: ((x * 2).movedim(in_dims[0], 1), 1),
    )
    log("y", torch.vmap(lambda b: function.apply(b).sum(0))(_numbers(torch, 3, 2, 4)))


def arguments_in_containers(torch, log):
    def vmap(info, in_dims, pair, more):
        log("in_dims", in_dims)
        log("types", (type(pair).__name__, type(more).__name__))
        return pair[0] * pair[1] + more["x"], 0

    function = _function(
        torch,
        forward=lambda pair, more: pair[0] * pair[1] + more["x"],
        setup_context=lambda ctx, inputs, output: None,
        vmap=vmap,
    )
    x = _numbers(torch, 3, 2)
    log("y", torch.vmap(lambda b: function.apply((b, 2.0), {"x": b}))(x))


def keyword_arguments_of_apply(torch, log):
    def vmap(info, in_dims, x, scale):
        log("in_dims", in_dims)
        return x * scale, in_dims[0]

    function = _function(
        torch,
        forward=lambda x, scale=3.0: x * scale,
        setup_context=lambda ctx, inputs, output: None,
        vmap=vmap,
    )
    x = _numbers(torch, 3, 2)
    log("default", torch.vmap(lambda b: function.apply(b))(x))


def keyword_arguments_given_to_apply(torch, log):
    function = _product(torch)
    x = _numbers(torch, 3, 2)
    log.attempt("given", lambda: torch.vmap(lambda b: function.apply(b, b, k=5))(x))


def one_in_another_with_a_stated_rule(torch, log):
    seen = []

    def vmap(info, in_dims, x):
        seen.append((info.batch_size, in_dims, x.shape))
        return function.apply(x), in_dims[0]

    function = _square(torch, vmap=vmap)
    x = _numbers(torch, 3, 2, requires_grad=True)
    y = torch.vmap(torch.vmap(function.apply, in_dims=0), in_dims=1)(x)
    log("seen", seen)
    log.gradient("y", y)
    log("gradient", torch.autograd.grad((y * y).sum(), x))


def only_one_of_two_levels(torch, log):
    seen = []

    def vmap(info, in_dims, x):
        seen.append((info.batch_size, in_dims, x.shape))
        return function.apply(x), in_dims[0]

    function = _square(torch, vmap=vmap)
    x, y = _numbers(torch, 3, 2), _numbers(torch, 4, 2)

    def outer(a):
        return torch.vmap(lambda b: b + function.apply(a))(y)

    log("of the outer entry", torch.vmap(outer)(x))
    log("seen", seen)


def arguments_that_come_back(torch, log):
    function = _function(
        torch,
        forward=lambda x: x,
        setup_context=lambda ctx, inputs, output: None,
        backward=lambda ctx, grad: grad * 3,
        generate_vmap_rule=True,
    )
    x = _numbers(torch, 3, 2, requires_grad=True)

    def body(b):
        y = function.apply(b)
        log("is it", y is b)
        return y

    y = torch.vmap(body)(x)
    log("gradient", torch.autograd.grad(y.sum(), x))


def a_rule_that_raises(torch, log):
    def vmap(info, in_dims, x):
        raise KeyError("mine")

    function = _square(torch, vmap=vmap)
    with log.raises("call"):
        torch.vmap(function.apply)(_numbers(torch, 3, 2))
    log("after", torch.vmap(lambda b: b * 2)(_numbers(torch, 2)))


# ---------------------------------------------------------------- batches of cotangents


def hooks_see_a_batch_once(torch, log):
    x = _numbers(torch, 2, requires_grad=True)
    y = x * 2
    calls = []

    def hook(grad):
        calls.append((grad.shape, grad.requires_grad, grad.dim()))
        return grad * 3

    y.register_hook(hook)
    x.register_hook(lambda g: calls.append(g.shape))
    log("rows", torch.autograd.grad(y, x, torch.eye(2), is_grads_batched=True))
    log("calls", calls)


def hooks_of_nodes_see_a_batch_once(torch, log):
    x = _numbers(torch, 2, requires_grad=True)
    y = x * 2
    calls = []
    y.grad_fn.register_prehook(lambda g: calls.append(("pre", g[0].shape)))
    y.grad_fn.register_hook(lambda i, o: calls.append(("post", i[0].shape, o[0].shape)))
    log("rows", torch.autograd.grad(y, x, torch.eye(2), is_grads_batched=True))
    log("calls", calls)


@differs(
    "the message is that of `vmap`",
    {
        "item": {
            "raises": "RuntimeError",
            "message": "vmap: It looks like you're calling .item() on a Tensor. We don't support "
            "vmap over calling .item() on a Tensor, please try to rewrite what you're doing with "
            "other operations. If error is occurring somewhere inside PyTorch internals, please "
            "file a bug report.",
        }
    },
)
def hooks_that_read_elements_of_a_batch(torch, log):
    x = _numbers(torch, 2, requires_grad=True)
    y = x * 2
    handle = y.register_hook(lambda g: g * g.sum().item())
    with log.raises("item"):
        torch.autograd.grad(y, x, torch.eye(2), is_grads_batched=True, retain_graph=True)
    handle.remove()
    y.register_hook(lambda g: g[:1])
    with log.raises("size"):
        torch.autograd.grad(y, x, torch.eye(2), is_grads_batched=True, retain_graph=True)


def hooks_that_replace_a_batch_by_a_constant(torch, log):
    x = _numbers(torch, 2, requires_grad=True)
    y = x * 2
    y.register_hook(lambda g: torch.tensor([1.0, 10.0]))
    log("rows", torch.autograd.grad(y, x, torch.eye(2), is_grads_batched=True))


def results_on_the_way_of_a_batch(torch, log):
    x = _numbers(torch, 2, requires_grad=True)
    x.register_hook(lambda g: g * 5)
    h = x * 2
    y = h * h
    log("rows", torch.autograd.grad(y, (h, x), torch.eye(2), is_grads_batched=True))


@each(create_graph=[False, True])
def custom_functions_see_a_batch_once(torch, log, create_graph):
    calls = []

    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        calls.append((grad.shape, x.shape, torch.is_grad_enabled()))
        return 2 * x * grad

    function = _function(torch, forward=forward, backward=backward)
    x = _numbers(torch, 2, requires_grad=True, start=1.0)
    y = function.apply(x).sin()
    (g,) = torch.autograd.grad(y, x, torch.eye(2), is_grads_batched=True, create_graph=create_graph)
    log.gradient("rows", g)
    log("calls", calls)


def second_derivatives_of_a_batch(torch, log):
    function = _old_square(torch)
    x = _numbers(torch, 2, requires_grad=True, start=1.0)
    y = function.apply(x)
    (g,) = torch.autograd.grad(y, x, torch.eye(2), is_grads_batched=True, create_graph=True)
    log.gradient("rows", g)
    log("second", torch.autograd.grad(g.sum(), x))


def second_derivatives_of_a_batch_behind_a_function(torch, log):
    function = _old_square(torch)
    x = _numbers(torch, 3, requires_grad=True)
    y = function.apply(x) * x
    (g,) = torch.autograd.grad(y, x, torch.eye(3), is_grads_batched=True, create_graph=True)
    log.gradient("rows", g)
    log("second", torch.autograd.grad(g.sum(), x))


def cotangents_of_a_batch_that_require_gradients(torch, log):
    function = _old_square(torch)
    x = _numbers(torch, 2, requires_grad=True, start=1.0)
    v = torch.eye(2).requires_grad_()
    (g,) = torch.autograd.grad(function.apply(x), x, v, is_grads_batched=True, create_graph=True)
    log.gradient("rows", g)
    log("of the cotangents", torch.autograd.grad((g * g).sum(), v))


def differentiated_once_of_a_batch(torch, log):
    once = torch.autograd.function.once_differentiable

    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    function = _function(
        torch,
        forward=forward,
        backward=once(lambda ctx, grad: 2 * ctx.saved_tensors[0] * grad),
    )
    x = _numbers(torch, 2, requires_grad=True, start=1.0)
    y = function.apply(x)
    log(
        "first",
        torch.autograd.grad(y, x, torch.eye(2), is_grads_batched=True, retain_graph=True),
    )
    v = torch.eye(2).requires_grad_()
    (g,) = torch.autograd.grad(y, x, v, is_grads_batched=True, create_graph=True)
    log("requires", g.requires_grad)
    with log.raises("second"):
        torch.autograd.grad(g.sum(), x)


@each(inner=["old", "nothing", "generated", "stated", "both"])
def functions_inside_backward_of_a_batch(torch, log, inner):
    seen = []

    def vmap(info, in_dims, x):
        seen.append((info.batch_size, info.randomness, in_dims))
        return x * x, in_dims[0]

    applied = {
        "old": lambda: _old_square(torch),
        "nothing": lambda: _square(torch),
        "generated": lambda: _square(torch, generate_vmap_rule=True),
        "stated": lambda: _square(torch, vmap=vmap),
        "both": lambda: _square(torch, vmap=vmap, generate_vmap_rule=True),
    }[inner]()
    outer = _function(
        torch,
        "Outer",
        forward=lambda ctx, x: x * 1,
        backward=lambda ctx, grad: applied.apply(grad),
    )
    x = _numbers(torch, 2, requires_grad=True)
    rows = 3 * torch.eye(2)
    log.attempt("rows", lambda: torch.autograd.grad(outer.apply(x), x, rows, is_grads_batched=True))
    log("seen", seen)


@each(vectorize=[False, True])
def jacobians_of_custom_functions(torch, log, vectorize):
    calls = []

    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    def backward(ctx, grad):
        calls.append(grad.shape)
        return 3 * ctx.saved_tensors[0] ** 2 * grad

    function = _function(torch, forward=forward, backward=backward)
    x = _numbers(torch, 3, start=1.0)
    log("jacobian", torch.autograd.functional.jacobian(function.apply, x, vectorize=vectorize))
    log("calls", len(calls))
    found = torch.autograd.functional.hessian(
        lambda a: function.apply(a).sum(), x, vectorize=vectorize
    )
    log("hessian", found)


@differs(
    "the message says what was asked for",
    {
        "at once": {
            "raises": "RuntimeError",
            "message": "Cannot access data pointer of Tensor that doesn't have storage",
        }
    },
)
def jacobians_of_functions_of_arrays(torch, log):
    def forward(ctx, x):
        return torch.from_numpy(x.detach().numpy() * 2)

    def backward(ctx, grad):
        return torch.from_numpy(grad.numpy() * 2)

    function = _function(torch, forward=forward, backward=backward)
    x = _numbers(torch, 2, requires_grad=True)
    jacobian = torch.autograd.functional.jacobian
    log("one by one", jacobian(function.apply, x.detach()))
    log.attempt("at once", lambda: jacobian(function.apply, x.detach(), vectorize=True))


def checkpoints_and_a_batch(torch, log):
    checkpoint = importlib.import_module(f"{torch.__name__}.utils.checkpoint").checkpoint
    x = _numbers(torch, 2, requires_grad=True, start=1.0)
    y = checkpoint(lambda a: (a * a).sin(), x, use_reentrant=False)
    log("rows", torch.autograd.grad(y, x, torch.eye(2), is_grads_batched=True))


def mapped_functions_with_functions_and_a_batch(torch, log):
    function = _square(torch, generate_vmap_rule=True)
    x = _numbers(torch, 2, 2, requires_grad=True, start=1.0)
    y = torch.vmap(lambda b: function.apply(b).sum())(x)
    log("rows", torch.autograd.grad(y, x, torch.eye(2), is_grads_batched=True))


def rows_by_vmap_through_a_function(torch, log):
    calls = []

    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    def backward(ctx, grad):
        calls.append(grad.shape)
        return 2 * ctx.saved_tensors[0] * grad

    function = _function(torch, forward=forward, backward=backward)
    x = _numbers(torch, 3, requires_grad=True, start=1.0)
    y = function.apply(x) * 2
    rows = torch.vmap(lambda v: torch.autograd.grad(y, x, v, retain_graph=True)[0])
    log("rows", rows(torch.eye(3)))
    log("calls", calls)
    y.register_hook(lambda g: calls.append(("hook", g.shape)))
    log("with a hook", rows(2 * torch.eye(3)))
    log("calls with a hook", calls[1:])


@differs(
    "PyTorch looks for the first axis before it looks whether there is one",
    {
        "0-d": {
            "raises": "RuntimeError",
            "message": "If `is_grads_batched=True`, we interpret the first dimension of each "
            "grad_output as the batch dimension. The sizes of the remaining dimensions are "
            "expected to match the shape of corresponding output, but a mismatch was detected: "
            "grad_output[0] has a shape of torch.Size([]) and output[0] has a shape of "
            "torch.Size([2]). If you only want some tensors in `grad_output` to be considered "
            "batched, consider using vmap.",
        }
    },
)
def cotangents_of_the_wrong_shape_for_a_batch(torch, log):
    x = _numbers(torch, 2, requires_grad=True)
    y = _old_square(torch).apply(x)
    with log.raises("shape"):
        torch.autograd.grad(y, x, torch.ones(2, 3), is_grads_batched=True)
    with log.raises("0-d"):
        torch.autograd.grad(y, x, torch.tensor(1.0), is_grads_batched=True)


def several_outputs_and_a_batch(torch, log):
    function = _function(
        torch,
        forward=lambda ctx, x: (x * 2, x * 3),
        backward=lambda ctx, a, b: 2 * a + 3 * b,
    )
    x = _numbers(torch, 2, requires_grad=True)
    y, z = function.apply(x)
    rows = (torch.eye(2), 10 * torch.eye(2))
    log(
        "both",
        torch.autograd.grad((y, z), x, rows, is_grads_batched=True, retain_graph=True),
    )
    log("one", torch.autograd.grad(y, x, torch.eye(2), is_grads_batched=True))


def unused_inputs_and_a_batch(torch, log):
    x, w = (_numbers(torch, 2, requires_grad=True) for _ in range(2))
    y = _old_square(torch).apply(x)
    rows = torch.eye(2)
    with log.raises("unused"):
        torch.autograd.grad(y, (x, w), rows, is_grads_batched=True, retain_graph=True)
    log(
        "allowed",
        torch.autograd.grad(
            y, (x, w), rows, is_grads_batched=True, allow_unused=True, retain_graph=True
        ),
    )
