"""`vmap`: gradients of and inside mapped functions, tangents, and what entries know of both."""

from __future__ import annotations

import functools

from tests.scenarios._harness import differs, each

from ._mapped import _numbers

# ---------------------------------------------------------------- gradients


def gradients_of_arguments_and_captured_tensors(torch, log):
    x = _numbers(torch, 3, 2, requires_grad=True)
    w = _numbers(torch, 2, requires_grad=True, start=1.0)
    c = _numbers(torch, 2, start=3.0).requires_grad_()
    y = torch.vmap(lambda b, k: (b * w).sum() * k.sum(), in_dims=(0, None))(x, c)
    log.gradient("y", y)
    (y * y).sum().backward()
    log("x", x.grad)
    log("w", w.grad)
    log("c", c.grad)


@each(
    function=[
        "tanh", "matmul", "softmax", "norm", "cumsum", "index", "where", "division", "prod", "sort",
        "var", "max", "logsumexp", "einsum", "cat", "clone", "pow", "clamp", "lerp", "diag", "triu",
    ]
)  # fmt: skip
def gradients_of_functions(torch, log, function):
    x = torch.tensor([[0.5, -1.0, 2.0], [1.5, 0.25, -0.75]], requires_grad=True)
    w = torch.tensor([[1.0, 2.0, -1.0], [0.5, -0.5, 3.0]], requires_grad=True)
    body = {
        "tanh": lambda b: torch.tanh(b * w[0]),
        "matmul": lambda b: w @ b,
        "softmax": lambda b: torch.softmax(b, 0),
        "norm": lambda b: (b - w[1]).norm(),
        "cumsum": lambda b: b.cumsum(0),
        "index": lambda b: b[torch.tensor([0, 0, 2])] * 2,
        "where": lambda b: torch.where(b > 0, b * b, w[0]),
        "division": lambda b: w / b,
        "prod": lambda b: b.prod(),
        "sort": lambda b: b.sort(descending=True)[0] * torch.tensor([1.0, 2.0, 3.0]),
        "var": lambda b: b.var(),
        "max": lambda b: b.max() + b.max(0)[0],
        "logsumexp": lambda b: torch.logsumexp(w + b, 1),
        "einsum": lambda b: torch.einsum("i,ji->j", b, w),
        "cat": lambda b: torch.cat([b, w[0], b[:1]]),
        "clone": lambda b: b.clone().mul_(w[0]),
        "pow": lambda b: (b * b) ** w[0],
        "clamp": lambda b: b.clamp(-0.8, 1.0),
        "lerp": lambda b: torch.lerp(b, w[0], 0.25),
        "diag": lambda b: torch.diag(b) @ w[1],
        "triu": lambda b: torch.outer(b, b).triu(),
    }[function]
    y = torch.vmap(body)(x)
    log.gradient("y", y)
    found = torch.autograd.grad(y, (x, w), torch.ones_like(y), allow_unused=True)
    log("gradients", found)
    y = torch.vmap(body, in_dims=1)(torch.cat([x, x.detach()[:1]]).t()[:3])
    log.gradient("columns", y)


def inside_nothing_requires_a_gradient(torch, log):
    x = _numbers(torch, 3, 2, requires_grad=True)
    w = _numbers(torch, 2, requires_grad=True)

    def body(b):
        y = b * w
        log("entry", (b.requires_grad, b.grad_fn, b.is_leaf, b.grad))
        log("result", (y.requires_grad, y.grad_fn, y.is_leaf, y.output_nr, y.retains_grad))
        log("captured", (w.requires_grad, w.is_leaf))
        z = w * 2
        log("of captured", (z.requires_grad, z.grad_fn.name()))
        log("mode", torch.is_grad_enabled())
        return y + z

    y = torch.vmap(body)(x)
    log("outside", (y.requires_grad, y.is_leaf))


def hooks_inside(torch, log):
    x = _numbers(torch, 3, 2, requires_grad=True)

    def body(b):
        with log.raises("hook"):
            b.register_hook(lambda g: g)
        with log.raises("retain_grad"):
            (b * 2).retain_grad()
        return b

    torch.vmap(body)(x)


def modes(torch, log):
    x = _numbers(torch, 3, 2, requires_grad=True)

    def quiet(b):
        with torch.no_grad():
            a = b * 2
        return a, b * 3

    log.gradient("no_grad inside", torch.vmap(quiet)(x))
    with torch.no_grad():
        log("no_grad around", torch.vmap(lambda b: b * 2)(x))

    def loud(b):
        with torch.enable_grad():
            return b * 2

    with torch.no_grad():
        log.gradient("enable_grad inside", torch.vmap(loud)(x))
    with torch.inference_mode():
        log("inference", torch.vmap(lambda b: b * 2)(x).is_inference())


def detached_inside(torch, log):
    x = _numbers(torch, 3, 2, requires_grad=True)
    y = torch.vmap(lambda b: b * b.detach())(x)
    log("gradient", torch.autograd.grad(y.sum(), x))
    log("detached", torch.vmap(lambda b: b.detach())(x).requires_grad)


def gradients_of_gradients(torch, log):
    x = _numbers(torch, 3, 2, requires_grad=True, start=1.0)
    w = _numbers(torch, 2, requires_grad=True, start=1.0)
    y = torch.vmap(lambda b: (b**3 * w).sum())(x)
    g, h = torch.autograd.grad(y.sum(), (x, w), create_graph=True)
    log.gradient("first", (g, h))
    log.gradient("second", torch.autograd.grad((g * g).sum() + h.sum(), (x, w), create_graph=True))
    (g * h).sum().backward()
    log("x", x.grad)
    log("w", w.grad)


def hooks_around(torch, log):
    x = _numbers(torch, 3, 2, requires_grad=True)
    x.register_hook(lambda g: g * 2)
    h = x * 2
    h.register_hook(lambda g: g + 1)
    h.retain_grad()
    y = torch.vmap(lambda b: b * b)(h)
    y.retain_grad()
    y.sum().backward()
    log("x", x.grad)
    log("h", h.grad)
    log("y", y.grad)


def saved_values_that_change(torch, log):
    x = _numbers(torch, 3, 2, requires_grad=True)
    c = torch.ones(2)
    y = torch.vmap(lambda b: b * c)(x)
    c.add_(1)
    with log.raises("captured"):
        y.sum().backward()
    h = x * 1
    y = torch.vmap(lambda b: b * b)(h)
    h.add_(1)
    with log.raises("argument"):
        y.sum().backward()


def the_graph_is_freed(torch, log):
    x = _numbers(torch, 3, 2, requires_grad=True)
    y = torch.vmap(lambda b: b.sin())(x).sum()
    y.backward(retain_graph=True)
    y.backward()
    log("x", x.grad)
    with log.raises("again"):
        y.backward()


def gradients_for_many_cotangents(torch, log):
    x = _numbers(torch, 3, requires_grad=True, start=1.0)
    y = x**2 * x.sum()
    rows = torch.vmap(lambda v: torch.autograd.grad(y, x, v, retain_graph=True)[0])(torch.eye(3))
    log("jacobian", rows)
    w = _numbers(torch, 3, requires_grad=True)
    z = (x * w).sum() * x

    def pulled(v):
        return torch.autograd.grad(z, (x, w), v, retain_graph=True)

    log("two inputs", torch.vmap(pulled)(torch.eye(3)))
    log("in columns", torch.vmap(pulled, in_dims=1, out_dims=1)(2 * torch.eye(3)))


def second_derivatives_for_many_cotangents(torch, log):
    x = _numbers(torch, 3, requires_grad=True, start=1.0)
    (g,) = torch.autograd.grad((x**3).sum() + x.prod(), x, create_graph=True)

    def pulled(v):
        return torch.autograd.grad(g, x, v, retain_graph=True)[0]

    log("hessian", torch.vmap(pulled)(torch.eye(3)))
    y = x**3

    def recorded(v):
        return torch.autograd.grad(y, x, v, create_graph=True)[0]

    rows = torch.vmap(recorded)(torch.eye(3))
    log.gradient("jacobian", rows)
    log("its gradient", torch.autograd.grad(rows.sum(), x))


def cotangents_that_require_gradients(torch, log):
    x = _numbers(torch, 2, requires_grad=True, start=1.0)
    v = torch.eye(2).requires_grad_()
    y = x**2
    rows = torch.vmap(lambda u: torch.autograd.grad(y, x, u, create_graph=True)[0])(v)
    log.gradient("rows", rows)
    log("gradients", torch.autograd.grad((rows * rows).sum(), (x, v)))


def gradients_inside_of_captured_tensors(torch, log):
    x = _numbers(torch, 3, 2)
    w = _numbers(torch, 2, requires_grad=True, start=1.0)
    y = torch.vmap(lambda b: b * torch.autograd.grad((w**3).sum(), w)[0])(x)
    log("y", y)
    with log.raises("of an entry"):
        torch.vmap(lambda b: torch.autograd.grad((b * b).sum(), b)[0])(x)
    with log.raises("of what depends on an entry"):
        torch.vmap(lambda b: torch.autograd.grad((w * b).sum(), w)[0])(x)


def unused_inputs_inside(torch, log):
    x, w = (_numbers(torch, 2, requires_grad=True) for _ in range(2))
    y = x * 2

    def pulled(v, **options):
        return torch.autograd.grad(y, (x, w), v, retain_graph=True, **options)

    with log.raises("unused"):
        torch.vmap(pulled)(torch.eye(2))
    with log.raises("None"):
        torch.vmap(functools.partial(pulled, allow_unused=True))(torch.eye(2))
    found = torch.vmap(functools.partial(pulled, allow_unused=True), out_dims=(0, None))
    log("None in its place", found(torch.eye(2)))
    log("zeros", torch.vmap(functools.partial(pulled, materialize_grads=True))(torch.eye(2)))


def cotangents_of_another_shape_inside(torch, log):
    x = _numbers(torch, 2, requires_grad=True)
    y = x * 2
    with log.raises("shape"):
        torch.vmap(lambda v: torch.autograd.grad(y, x, v)[0])(torch.eye(3))
    with log.raises("no cotangent"):
        torch.vmap(lambda v: torch.autograd.grad(y, x)[0] * v)(torch.eye(2))


def batched_gradients_of_a_mapped_function(torch, log):
    x = _numbers(torch, 2, 2, requires_grad=True, start=1.0)
    y = torch.vmap(lambda b: b.prod())(x)
    log("rows", torch.autograd.grad(y, x, torch.eye(2), is_grads_batched=True))


def per_sample_gradients(torch, log):
    x = _numbers(torch, 3, 2)
    w = torch.tensor([0.5, -0.5], requires_grad=True)
    losses = torch.vmap(lambda b: torch.tanh(b @ w) ** 2)(x)
    log(
        "by cotangents",
        torch.vmap(lambda v: torch.autograd.grad(losses, w, v, retain_graph=True)[0])(torch.eye(3)),
    )


def functional_jacobians_of_mapped_functions(torch, log):
    x = _numbers(torch, 2, 2, start=1.0)
    f = torch.vmap(lambda b: b**2 * b.sum())
    for vectorize in (False, True):
        found = torch.autograd.functional.jacobian(f, x, vectorize=vectorize)
        log(f"jacobian {vectorize}", found)
        found = torch.autograd.functional.hessian(lambda a: f(a).sum(), x, vectorize=vectorize)
        log(f"hessian {vectorize}", found)


def gradcheck_of_a_mapped_function(torch, log):
    x = torch.linspace(0.5, 2.0, 6, dtype=torch.float64).reshape(3, 2).requires_grad_()
    f = torch.vmap(lambda b: torch.log(b).cumsum(0) * b.sum())
    log("first", torch.autograd.gradcheck(f, (x,)))
    log("second", torch.autograd.gradgradcheck(f, (x,)))


# ---------------------------------------------------------------- forward mode


def tangents_through_a_mapped_function(torch, log):
    import importlib

    fw = importlib.import_module(f"{torch.__name__}.autograd.forward_ad")
    x, t = _numbers(torch, 3, 2), torch.ones(3, 2)
    w = _numbers(torch, 2, start=1.0)
    with fw.dual_level():
        y = torch.vmap(lambda b: b * b * w)(fw.make_dual(x, t))
        log("tangent", fw.unpack_dual(y).tangent)
        captured = fw.make_dual(w, torch.ones(2))
        y = torch.vmap(lambda b: b * captured)(x)
        log("captured", fw.unpack_dual(y).tangent)


def duals_are_not_made_inside(torch, log):
    import importlib

    fw = importlib.import_module(f"{torch.__name__}.autograd.forward_ad")
    x = _numbers(torch, 3, 2)
    with fw.dual_level():
        with log.raises("made"):
            torch.vmap(lambda b: fw.make_dual(b, b))(x)
        with log.raises("tangent"):
            torch.vmap(lambda b: fw.make_dual(torch.ones(2), b))(x)
        with log.raises("taken apart"):
            torch.vmap(lambda b: fw.unpack_dual(b).primal)(fw.make_dual(x, x))


# ---------------------------------------------------------------- elements and history inside


_READ = {
    "item": lambda r: r.item(),
    "bool": bool,
    "float": float,
    "int": int,
}


@each(read=list(_READ), shape=[(3,), (3, 1), (3, 2), (3, 0)])
def elements_read_inside(torch, log, read, shape):
    log.attempt("read", lambda: torch.vmap(lambda r: _READ[read](r) * r)(torch.ones(shape)))


@differs("every operation has a rule, and none warns", {"warnings": []})
def history_is_not_cut_in_place_inside(torch, log):
    x = torch.ones(3, 2, requires_grad=True)
    with log.warns("warnings"):
        log.attempt("an entry", lambda: torch.vmap(lambda r: r.detach_())(x))
        log.attempt("a result", lambda: torch.vmap(lambda r: (2 * r).detach_())(x))
    log.gradient("of no entry", torch.vmap(lambda r: r * (2 * x[0]).detach_())(torch.ones(3, 2)))
