"""`torch.func`: gradients, products and Jacobians of functions, nested in any order."""

from __future__ import annotations

import warnings

import numpy as np

from tests.scenarios._harness import each


def _points(torch):
    torch.set_default_dtype(torch.float64)
    x, w = torch.tensor([0.5, 1.5, -0.25]), torch.tensor([1.0, 2.0, 3.0])
    return x, w, torch.tensor(np.arange(12.0).reshape(4, 3) / 8), torch.tensor(0.75)


def _number(x):
    return (x.sin() * x).sum()


def _array(x):
    return x.sin() * x.sum()


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
    log.attempt("positions", lambda: f.grad(_number, argnums=(0, 0))(x))
    log.attempt("chunks", lambda: f.jacrev(_array, chunk_size=0)(x))
