"""`torch.func`: gradients, products and Jacobians of functions, nested in any order."""

from __future__ import annotations

import warnings

import numpy as np

from tests.scenarios._harness import differs, each


def _points(torch):
    torch.set_default_dtype(torch.float64)
    x, w = torch.tensor([0.5, 1.5, -0.25]), torch.tensor([1.0, 2.0, 3.0])
    return x, w, torch.tensor(np.arange(12.0).reshape(4, 3) / 8), torch.tensor(0.75)


def _number(x):
    return (x.sin() * x).sum()


def _array(x):
    return x.sin() * x.sum()


def _float(value):
    """How a number of float32 without history is written down."""
    return {
        "tensor": value,
        "shape": [],
        "dtype": "float32",
        "requires_grad": False,
        "grad_fn": None,
    }


def _two(w, x):
    return (w @ x).tanh()


# ---------------------------------------------------------------- gradients

GRADIENTS = {
    "once": lambda t, f, x, w, X, s: f.grad(_number)(x),
    "twice": lambda t, f, x, w, X, s: f.grad(f.grad(lambda s: s.sin() * s))(s),
    "three times": lambda t, f, x, w, X, s: f.grad(f.grad(f.grad(lambda s: s.exp() * s)))(s),
    "of two": lambda t, f, x, w, X, s: f.grad(_two, argnums=(0, 1))(w, x),
    "of the last": lambda t, f, x, w, X, s: f.grad(_two, argnums=-1)(w, x),
    "with more": lambda t, f, x, w, X, s: f.grad(lambda x: (_number(x), x * 2), has_aux=True)(x),
    "with the value": lambda t, f, x, w, X, s: f.grad_and_value(_number)(x),
    "with the value and more": lambda t, f, x, w, X, s: f.grad_and_value(
        lambda x: (_number(x), x * 2), has_aux=True
    )(x),
    "of a tuple": lambda t, f, x, w, X, s: f.grad(lambda p: (p[0] * p[1]).sum())((x, w)),
    "of a dict": lambda t, f, x, w, X, s: f.grad(lambda p: (p["a"] * p["b"]).sum())(
        {"a": x, "b": w}
    ),
    "of keywords": lambda t, f, x, w, X, s: f.grad(lambda x, k=1: (x**k).sum())(x, k=3),
    "of a constant": lambda t, f, x, w, X, s: f.grad(lambda x: t.tensor(2.0))(x),
    "detached": lambda t, f, x, w, X, s: f.grad(lambda s: s * s.detach())(s),
    "written": lambda t, f, x, w, X, s: f.grad(lambda x: (x.clone().mul_(2) ** 2).sum())(x),
    "of each": lambda t, f, x, w, X, s: f.vmap(f.grad(_two), in_dims=(None, 0))(w, X),
    "of each by both": lambda t, f, x, w, X, s: f.vmap(
        f.grad(_two, argnums=(0, 1)), in_dims=(None, 0)
    )(w, X),
    "of a map": lambda t, f, x, w, X, s: f.grad(
        lambda w: f.vmap(_two, in_dims=(None, 0))(w, X).sum()
    )(w),
    "of each of each": lambda t, f, x, w, X, s: f.vmap(
        f.vmap(f.grad(lambda a, b: (a * b).sin()), in_dims=(None, 0)), in_dims=(0, None)
    )(w, x),
    "twice of each": lambda t, f, x, w, X, s: f.vmap(f.grad(f.grad(lambda s: s**3)))(w),
    "of a map of gradients": lambda t, f, x, w, X, s: f.grad(
        lambda x: f.vmap(f.grad(lambda s: s**3))(x).sum()
    )(x),
    "through a step": lambda t, f, x, w, X, s: f.grad(
        lambda w: _two(w - 0.125 * f.grad(_two)(w, x), x)
    )(w),
}


@each(how=list(GRADIENTS))
def gradients(torch, log, how):
    log("found", repr(GRADIENTS[how](torch, torch.func, *_points(torch))))


def tensors_that_require_a_gradient(torch, log):
    x, _, _, _ = _points(torch)
    c = torch.tensor(1.25, requires_grad=True)
    grad = torch.func.grad
    captured = grad(lambda x: (x**3 * c).sum())(x)
    log("captured", [captured.requires_grad, captured.detach()])
    log("again", torch.autograd.grad(captured.sum(), c))
    connected = grad(lambda x: (x**3).sum())(c * x)
    log("connected", [connected.requires_grad, connected.detach()])
    log("once more", torch.autograd.grad(connected.sum(), c))
    log("itself", grad(lambda s: s**3)(c).detach())
    log("free", grad(lambda x: (x**3).sum())(x).requires_grad)


# ---------------------------------------------------------------- products

PRODUCTS = {
    "vjp": lambda t, f, x, w, X: (lambda y, p: (y, p(x), p(w)))(*f.vjp(_array, x)),
    "vjp of two": lambda t, f, x, w, X: (lambda y, p: (y, p(x[0])))(*f.vjp(_two, w, x)),
    "vjp with more": lambda t, f, x, w, X: (lambda y, p, a: (y, p(x), a))(
        *f.vjp(lambda x: (_array(x), x * 3), x, has_aux=True)
    ),
    "vjp of each": lambda t, f, x, w, X: (lambda y, p: f.vmap(p)(X))(*f.vjp(_array, x)),
    "jvp": lambda t, f, x, w, X: f.jvp(_array, (x,), (w,)),
    "jvp of two": lambda t, f, x, w, X: f.jvp(_two, (w, x), (x, w)),
    "jvp with more": lambda t, f, x, w, X: f.jvp(
        lambda x: (_array(x), x), (x,), (w,), has_aux=True
    ),
    "jvp of jvp": lambda t, f, x, w, X: f.jvp(lambda x: f.jvp(_array, (x,), (w,))[1], (x,), (w,)),
    "jvp of a gradient": lambda t, f, x, w, X: f.jvp(f.grad(_number), (x,), (w,)),
    "gradient of jvp": lambda t, f, x, w, X: f.grad(lambda x: f.jvp(_number, (x,), (w,))[1])(x),
    "jvp along each": lambda t, f, x, w, X: f.vmap(lambda v: f.jvp(_array, (x,), (v,))[1])(X),
    "jvp of each": lambda t, f, x, w, X: f.vmap(lambda a: f.jvp(_array, (a,), (a,))[1])(X),
    "linearize": lambda t, f, x, w, X: (lambda y, p: (y, p(w), p(x)))(*f.linearize(_array, x)),
    "linearize along each": lambda t, f, x, w, X: (lambda y, p: f.vmap(p)(X))(
        *f.linearize(_array, x)
    ),
}


@each(how=list(PRODUCTS))
def products(torch, log, how):
    x, w, X, _ = _points(torch)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # PyTorch's own graphs warn
        log("found", repr(PRODUCTS[how](torch, torch.func, x, w, X)))


def _pulled(t, f, x, function=_array):
    return f.vjp(function, x)[1]


DIFFERENTIATED_PULLBACKS = {
    "gradient": lambda t, f, x, w: f.grad(lambda v: _pulled(t, f, x)(v)[0].prod())(w),
    "gradient of one made before": lambda t, f, x, w: (
        lambda pull: (f.grad(lambda v: (pull(v)[0] ** 2).sum())(w), pull(w)[0])
    )(_pulled(t, f, x)),
    "of a gradient": lambda t, f, x, w: (lambda pull: f.grad(lambda v: (pull(v)[0] ** 2).sum())(w))(
        _pulled(t, f, x, f.grad(_number))
    ),
    "twice": lambda t, f, x, w: (lambda pull: f.hessian(lambda v: (pull(v)[0] ** 3).sum())(w))(
        _pulled(t, f, x)
    ),
    "jacrev": lambda t, f, x, w: (lambda pull: f.jacrev(lambda v: pull(v)[0])(w))(_pulled(t, f, x)),
    "jacfwd": lambda t, f, x, w: (lambda pull: f.jacfwd(lambda v: pull(v)[0])(w))(_pulled(t, f, x)),
    "jvp": lambda t, f, x, w: (lambda pull: f.jvp(lambda v: pull(v)[0], (w,), (x,)))(
        _pulled(t, f, x)
    ),
    "vjp": lambda t, f, x, w: (lambda pull: f.vjp(lambda v: pull(v)[0], w)[1](x)[0])(
        _pulled(t, f, x)
    ),
    "gradients of each": lambda t, f, x, w: (
        lambda pull: f.vmap(f.grad(lambda v: (pull(v)[0] ** 2).sum()))(t.stack([w, x]))
    )(_pulled(t, f, x)),
    "within": lambda t, f, x, w: f.grad(
        lambda x: f.grad(lambda v: (_pulled(t, f, x)(v)[0] ** 2).sum())(w).sum()
    )(x),
    "by backward": lambda t, f, x, w: (
        lambda v: t.autograd.grad((_pulled(t, f, x)(v)[0] ** 2).sum(), v)[0]
    )(w.clone().requires_grad_()),
    "linearized": lambda t, f, x, w: (lambda push: f.grad(lambda v: (push(v) ** 2).sum())(w))(
        f.linearize(_array, x)[1]
    ),
}


@each(how=list(DIFFERENTIATED_PULLBACKS))
def differentiated_pullbacks(torch, log, how):
    x, w, _, _ = _points(torch)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # PyTorch's own graphs warn
        log("found", repr(DIFFERENTIATED_PULLBACKS[how](torch, torch.func, x, w)))


# ---------------------------------------------------------------- modes


def _under(mode, call):
    with mode():
        return call()


def _flat(found):
    return [y for x in found for y in _flat(x)] if isinstance(found, tuple) else [found]


TRANSFORMS = {
    "grad": lambda f, g, s: f.grad(g)(s),
    "grad_and_value": lambda f, g, s: f.grad_and_value(g)(s),
    "vjp": lambda f, g, s: (lambda y, p: (y, p(s)))(*f.vjp(g, s)),
    "jvp": lambda f, g, s: f.jvp(g, (s,), (s.detach(),)),
    "jacrev": lambda f, g, s: f.jacrev(g)(s),
    "jacfwd": lambda f, g, s: f.jacfwd(g)(s),
    "hessian": lambda f, g, s: f.hessian(g)(s),
}


@each(transform=list(TRANSFORMS), mode=["no_grad", "enable_grad"])
def modes_around_a_transform(torch, log, transform, mode):
    c = torch.tensor(1.25, requires_grad=True)
    s = torch.tensor(0.5, requires_grad=True)
    call, f, around = TRANSFORMS[transform], torch.func, getattr(torch, mode)

    for name, g, x in (
        ("connected", lambda s: s**3, s),
        ("captured", lambda s: c * s**3, s.detach()),
    ):
        found = _flat(_under(around, lambda g=g, x=x: call(f, g, x)))
        log(name, [x.detach() for x in found])
        log(f"{name}: connected", [x.requires_grad for x in found])


@each(transform=list(TRANSFORMS), mode=["no_grad", "enable_grad"])
def modes_around_a_transform_in_another(torch, log, transform, mode):
    call, f, around = TRANSFORMS[transform], torch.func, getattr(torch, mode)
    s = torch.tensor(0.5, requires_grad=True)

    def outer(s):
        inner = _under(around, lambda: call(f, lambda s: s**4, s))
        return s**3 - sum(_flat(inner))

    slope = f.grad(outer)(s)
    log("slope", slope.detach())
    log("slope of the slope", torch.autograd.grad(slope, s))


def _with_a_constant(torch):
    def f(s):
        with torch.no_grad():
            shift = s**2
        return s**3 - shift

    return f


@each(transform=["grad", "grad_and_value", "vjp", "jacrev", "hessian"])
def no_grad_within(torch, log, transform):
    f = _with_a_constant(torch)
    log("found", TRANSFORMS[transform](torch.func, f, torch.tensor(0.5)))


@differs(
    "what is computed under no_grad is constant, whichever way derivatives are computed",
    {"jvp": _float(0.75), "jacfwd": _float(0.75)},
)
def no_grad_within_forwards(torch, log):
    f = _with_a_constant(torch)
    one = torch.tensor(1.0)
    log("jvp", torch.func.jvp(f, (torch.tensor(0.5),), (one,))[1])
    log("jacfwd", torch.func.jacfwd(f)(torch.tensor(0.5)))


@each(transform=list(TRANSFORMS), made=["inside", "outside"])
def in_inference_mode(torch, log, transform, made):
    f = torch.func
    call = TRANSFORMS[transform]
    s = torch.tensor(0.5)
    layer = torch.nn.Linear(1, 1)
    with torch.no_grad():
        layer.weight.fill_(1.5)
        layer.bias.fill_(0.25)
    with torch.inference_mode():
        c, x = torch.tensor(3.0), s * 1 if made == "inside" else s
        log("found", call(f, lambda s: c * s**3 * torch.tensor(2.0), x))
        log("of a layer", call(f, lambda s: layer(s.view(1)).tanh().sum(), x))
        if transform != "vjp":  # whose pullback is no tensor of each
            each_of = f.vmap(lambda s: call(f, lambda s: c * s**3, s))
            log("of each", each_of(torch.stack([x, 2 * x])))
        slope = f.grad(lambda s: f.grad(lambda s: c * s**4)(s) * s)(x)
        log("twice", slope)
        log("an inference tensor", slope.is_inference())
        pull = f.vjp(lambda s: c * s**3, x)[1]
        log("pulled along each", f.vmap(pull)(torch.tensor([1.0, 2.0])))


def the_mode_of_a_pullback(torch, log):
    s = torch.tensor(0.5, requires_grad=True)
    value, pull = torch.func.vjp(lambda s: s**3, s)
    with torch.no_grad():
        quiet_value, quiet_pull = torch.func.vjp(lambda s: s**3, s)
        (pulled,) = pull(torch.tensor(2.0))
    (later,) = quiet_pull(torch.tensor(2.0))
    log("connected", [x.requires_grad for x in (value, quiet_value, pulled, later)])
    log("values", [x.detach() for x in (value, quiet_value, pulled, later)])
    log("slopes", torch.autograd.grad(value + later, s))


# ---------------------------------------------------------------- Jacobians and Hessians

JACOBIANS = {
    "jacrev": lambda f, x, w, X: f.jacrev(_array)(x),
    "jacfwd": lambda f, x, w, X: f.jacfwd(_array)(x),
    "of both": lambda f, x, w, X: f.jacfwd(_two, argnums=(0, 1))(w, x),
    "with more": lambda f, x, w, X: f.jacrev(lambda x: (_array(x), x), has_aux=True)(x),
    "of containers": lambda f, x, w, X: f.jacrev(lambda d: {"a": d["p"] * 2, "b": d["q"].sum()})(
        {"p": x, "q": w}
    ),
    "twice": lambda f, x, w, X: f.jacrev(f.jacrev(_array))(x),
    "of each": lambda f, x, w, X: f.vmap(f.jacrev(_array))(X),
    "of a map": lambda f, x, w, X: f.jacrev(f.vmap(_number))(X),
    "hessian": lambda f, x, w, X: f.hessian(_number)(x),
    "hessian of an array": lambda f, x, w, X: f.hessian(_array)(x),
    "hessian by both": lambda f, x, w, X: f.hessian(_two, argnums=(0, 1))(w, x),
}


@each(how=list(JACOBIANS))
def jacobians(torch, log, how):
    x, w, X, _ = _points(torch)
    log("found", repr(JACOBIANS[how](torch.func, x, w, X)))


# ---------------------------------------------------------------- changes in place

CHANGES = {
    "scaled": lambda x: x.mul_(3),
    "a part": lambda x: (x[:1].mul_(3), x * x)[1],
    "an element": lambda x: (x.__setitem__(0, 5.0), x * x)[1],
    "reshaped": lambda x: x.unsqueeze_(0) * 2,
    "a view": lambda x: (lambda v: (v, x.mul_(2), v * x)[2])(x[1:2]),
    "used before": lambda x: (lambda y: (x.exp_(), y * x)[1])(x * 2),
    "a copy": lambda x: x.clone().mul_(3),
}


@each(change=list(CHANGES), transform=["jvp", "jacfwd", "grad", "jacrev"])
def primals_changed_in_place(torch, log, change, transform):
    x, w, _, _ = _points(torch)
    f, g = torch.func, CHANGES[change]
    calls = {
        "jvp": lambda: f.jvp(g, (x,), (w,)),
        "jacfwd": lambda: f.jacfwd(g)(x),
        "grad": lambda: f.grad(lambda x: g(x).sum())(x),
        "jacrev": lambda: f.jacrev(g)(x),
    }
    log.attempt("found", calls[transform])
    log("x", x)


@each(axis=[0, 1])
def primals_of_each_changed_in_place(torch, log, axis):
    _, _, X, _ = _points(torch)
    f, given = torch.func, X.clone()

    def push(x, t):
        return f.jvp(lambda x: (x[:1].mul_(3), x * x)[1], (x,), (t,))

    log("found", repr(f.vmap(push, in_dims=axis)(given, X.cos())))
    log("given", repr(given))


@differs("tensors from around the function may be changed", {"found": _float(4.0)})
def captured_changed_in_place(torch, log):
    count = torch.tensor(1.0)
    log.attempt(
        "found", lambda: torch.func.grad(lambda x: x**2 * count.add_(1))(count.new_ones(()))
    )


# ---------------------------------------------------------------- bad input


def bad_input(torch, log):
    x, _, _, _ = _points(torch)
    f = torch.func
    log.attempt("array", lambda: f.grad(_array)(x))
    log.attempt("whole numbers", lambda: f.grad(lambda x: x.sum())(torch.tensor([1, 2])))
    log.attempt("position", lambda: f.grad(_number, argnums=2)(x))
    log.attempt("no tensor", lambda: f.grad(lambda x: 3.0)(x))
    log.attempt("no pair", lambda: f.grad(_number, has_aux=True)(x))
    log.attempt("other structure", lambda: f.jvp(_number, (x,), (x, x)))
    log.attempt("a number", lambda: f.grad(_number)(2.0))
    log.attempt("a number in jacfwd", lambda: f.jacfwd(_number)(2.0))
    log.attempt("a number in hessian", lambda: f.hessian(_number)(2.0))
    log.attempt("a number in jvp", lambda: f.jvp(_number, (2.0,), (1.0,)))
    log.attempt("no tuple", lambda: f.jvp(_number, x, x))
    log.attempt("nothing", lambda: f.jvp(_number, (), ()))
    log.attempt("other shape", lambda: f.jvp(_number, (x,), (x[:1],)))
    log.attempt("no tensor in vjp", lambda: f.vjp(lambda x: 3.0, x))
    log.attempt("no tensor in jvp", lambda: f.jvp(lambda x: 3.0, (x,), (x,)))
    log.attempt("a number as a tangent", lambda: f.jvp(_number, (x,), (1.0,)))
    log.attempt("no tangent", lambda: f.jvp(_number, (x,), (None,)))
    log.attempt("positions", lambda: f.grad(_number, argnums=(0, 0))(x))
    log.attempt("chunks", lambda: f.jacrev(_array, chunk_size=0)(x))


STRICT = {
    "depends": lambda x: x.sin(),
    "constant": lambda x: x.detach() * 2,
    "zero slope": lambda x: x * 0,
    "one of two": lambda x: (x.sin(), x.detach()),
    "whole numbers": lambda x: (x.sin(), x.detach().long()),
}


@each(function=list(STRICT), strict=[False, True])
def strict_products(torch, log, function, strict):
    x, w, _, _ = _points(torch)
    log.attempt("jvp", lambda: torch.func.jvp(STRICT[function], (x,), (w,), strict=strict))


@each(transform=["jacrev", "jacfwd", "hessian"])
def jacobians_of_complex_numbers(torch, log, transform):
    x, _, _, _ = _points(torch)
    call = getattr(torch.func, transform)
    log.attempt("argument", lambda: call(lambda z: (z * z).real)(x * 1j))
    log.attempt("result", lambda: call(lambda x: x * 1j)(x))
    log.attempt("within", lambda: call(lambda x: (x * (1j * x).conj()).imag)(x))
    log.attempt("of a tuple", lambda: call(lambda p: p[0])((x, x * 1j)))


# ---------------------------------------------------------------- random numbers


def _drawn_twice(torch):
    return lambda x: (x * torch.rand(3)).cumsum(0) * torch.randn_like(x)


DRAWING = {
    "rand": lambda torch: lambda x: x * torch.rand(3),
    "twice": _drawn_twice,
    "left out": lambda torch: lambda x: torch.nn.functional.dropout(x, 0.25),
    "in place": lambda torch: lambda x: x * torch.zeros(3).uniform_(),
    "of the stream of its own": lambda torch: (
        lambda x: x * torch.rand(3, generator=torch.Generator().manual_seed(1))
    ),
    "not connected": lambda torch: lambda x: (torch.rand(2), x**2),
    "a distribution": lambda torch: (
        lambda x: x * torch.distributions.Normal(torch.zeros(3), 1.0).sample()
    ),
    "nothing": lambda torch: lambda x: x**2,
}


@each(drawn=list(DRAWING), randomness=["error", "same", "different", "none"])
def random_numbers_in_jacfwd(torch, log, drawn, randomness):
    torch.manual_seed(0)
    f, x = torch.func, torch.tensor([0.5, 1.0, -2.0])
    log.attempt("found", lambda: f.jacfwd(DRAWING[drawn](torch), randomness=randomness)(x))


@each(randomness=["error", "same", "different"])
def random_numbers_in_several_transforms(torch, log, randomness):
    f, x = torch.func, torch.tensor([0.5, 1.0])

    def times(x, y):
        return x * y * torch.rand(2)

    def total(x):
        return (x**3 * torch.rand(2)).sum()

    def attempt(label, call):
        torch.manual_seed(0)
        log.attempt(label, call)

    def columns(function, *args, **options):
        return f.jacfwd(function, *args, randomness=randomness, **options)

    attempt("of both", lambda: columns(times, (0, 1))(x, 2 * x))
    attempt("beside", lambda: columns(lambda x: (times(x, x), {"a": x}), has_aux=True)(x))
    attempt("inside vmap", lambda: f.vmap(columns(total), randomness="different")(torch.eye(2)))
    attempt("of jacrev", lambda: columns(f.jacrev(total))(x))
    attempt("in jacrev", lambda: f.jacrev(columns(total))(x))
    attempt("of vmap", lambda: columns(f.vmap(torch.sin, randomness="different"))(x))
    attempt("afterwards", lambda: torch.rand(1))


def random_numbers_in_hessian(torch, log):
    torch.manual_seed(0)
    f, x = torch.func, torch.tensor([0.5, 1.0])
    log.attempt("found", lambda: f.hessian(lambda x: (x**3 * torch.rand(2)).sum())(x))
    log.attempt("in jacrev", lambda: f.jacrev(lambda x: x**3 * torch.rand(2))(x))
    log.attempt("in grad", lambda: f.grad(lambda x: (x**3 * torch.rand(2)).sum())(x))
    log.attempt("in jvp", lambda: f.jvp(lambda x: x**3 * torch.rand(2), (x,), (x,)))
