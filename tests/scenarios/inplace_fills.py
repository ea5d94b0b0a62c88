"""Filling in place with random numbers: streams, dtypes, the order of memory, gradients, errors."""

from __future__ import annotations

import functools

from ._harness import each

_FILLS = {
    "uniform": lambda x, **k: x.uniform_(**k),
    "uniform between": lambda x, **k: x.uniform_(-2, 5, **k),
    "normal": lambda x, **k: x.normal_(**k),
    "normal around": lambda x, **k: x.normal_(3, 0.5, **k),
    "bernoulli": lambda x, **k: x.bernoulli_(0.3, **k),
    "exponential": lambda x, **k: x.exponential_(**k),
    "exponential of rate": lambda x, **k: x.exponential_(2.5, **k),
    "cauchy": lambda x, **k: x.cauchy_(**k),
    "cauchy around": lambda x, **k: x.cauchy_(1.5, 0.3, **k),
    "log_normal": lambda x, **k: x.log_normal_(**k),
    "log_normal around": lambda x, **k: x.log_normal_(0, 0.25, **k),
    "geometric": lambda x, **k: x.geometric_(0.3, **k),
    "geometric rare": lambda x, **k: x.geometric_(1e-3, **k),
    "random": lambda x, **k: x.random_(**k),
    "random below": lambda x, **k: x.random_(100, **k),
    "random between": lambda x, **k: x.random_(-5, 100, **k),
    "random from": lambda x, **k: x.random_(7, None, **k),
}
_DTYPES = ["float16", "float32", "float64", "complex64", "complex128"]
_INTEGERS = ["uint8", "int8", "int16", "int32", "int64", "bool"]


@each("fill", fill=list(_FILLS), dtype=_DTYPES + _INTEGERS, n=[3, 21])
def streams(torch, log, fill, dtype, n):
    x = torch.zeros(n, dtype=getattr(torch, dtype))
    log.attempt("x", lambda: _FILLS[fill](x))
    log("version", x._version)
    log("the stream goes on", torch.rand(2))
    log("and the normals", torch.empty(3).normal_())


_LAYOUTS = {
    "transposed": lambda x: x(4, 6).t(),
    "small": lambda x: x(3, 2).t(),
    "every other column": lambda x: x(4, 6)[:, ::2],
    "rows of a transpose": lambda x: x(6, 8).t()[1::2],
    "permuted": lambda x: x(2, 3, 4).permute(1, 2, 0),
    "part of a permuted": lambda x: x(2, 3, 4).permute(2, 0, 1)[:2],
    "an axis of one": lambda x: x(4, 1, 6).transpose(0, 2),
    "with gaps": lambda x: x(40).as_strided((3, 4), (2, 9)),
    "no axes": lambda x: x(()),
    "empty": lambda x: x(0, 3),
}


@each("fill", fill=list(_FILLS), layout=list(_LAYOUTS), dtype=["float32", "complex128"])
def layouts(torch, log, fill, layout, dtype):
    x = _LAYOUTS[layout](functools.partial(torch.zeros, dtype=getattr(torch, dtype)))
    log.attempt("x", lambda: _FILLS[fill](x))
    log("the stream goes on", torch.rand(2))


_LIKE = {
    "zeros_like": lambda torch, x: torch.zeros_like(x),
    "ones_like": lambda torch, x: torch.ones_like(x, dtype=torch.int64),
    "full_like": lambda torch, x: torch.full_like(x, 3),
    "rand_like": lambda torch, x: torch.rand_like(x),
    "rand_like of a leaf": lambda torch, x: torch.rand_like(x, requires_grad=True),
    "randn_like": lambda torch, x: torch.randn_like(x),
    "randn_like in double": lambda torch, x: torch.randn_like(x, dtype=torch.float64),
    "randint_like": lambda torch, x: torch.randint_like(x, 3, 10),
    "dropout": lambda torch, x: torch.nn.functional.dropout(x + 1, 0.4),
}


@each("make", make=list(_LIKE), layout=[*_LAYOUTS, "expanded"])
def made_like_others(torch, log, make, layout):
    x = torch.zeros(3).expand(4, 3) if layout == "expanded" else _LAYOUTS[layout](torch.zeros)
    made = _LIKE[make](torch, x)
    log("made", made)
    if layout not in ("an axis of one", "empty"):
        log("strides", tuple(made.stride()))
    log("is leaf", made.is_leaf)
    log("the stream goes on", torch.rand(2))


@each(layout=list(_LAYOUTS)[:-2], of=["p", "x"], dtype=["float32", "float64"])
def probabilities_in_a_layout(torch, log, layout, of, dtype):
    other = _LAYOUTS[layout](functools.partial(torch.zeros, dtype=getattr(torch, dtype)))
    x, p = (torch.zeros(other.shape), other) if of == "p" else (other, torch.zeros(other.shape))
    log("x", x.bernoulli_(p + 0.4))
    log("the stream goes on", torch.rand(2))


@each("fill", fill=list(_FILLS))
def of_a_generator(torch, log, fill):
    g = torch.Generator().manual_seed(5)
    log("x", _FILLS[fill](torch.zeros(5), generator=g))
    log("its stream goes on", torch.rand(2, generator=g))
    log("the default one has not moved", torch.rand(2))


@each("fill", fill=list(_FILLS), where=["result", "view", "all of it", "transposed"])
def gradients(torch, log, fill, where):
    x = torch.ones(2, 3, requires_grad=True)
    y = x * 2
    t = {"result": y, "view": y[:, 1:], "all of it": y[:], "transposed": y.t()}[where]
    log("same", _FILLS[fill](t) is t)
    log("y", y)
    log("t", t)
    log("names", [y.grad_fn.name(), t.grad_fn.name()])
    log("edges", [None if f is None else f.name() for f, _ in t.grad_fn.next_functions])
    log("version", y._version)
    log("gradient", torch.autograd.grad((y * y.detach()).sum(), x))


@each("fill", fill=list(_FILLS))
def of_leaves_and_others(torch, log, fill):
    x = torch.ones(3, requires_grad=True)
    with log.raises("leaf"):
        _FILLS[fill](x)
    with log.raises("view of a leaf"):
        _FILLS[fill](x[1:])
    log("the stream has not moved", torch.rand(2))
    with torch.no_grad():
        log("leaf without record", _FILLS[fill](x))
    log("version", x._version)
    with torch.inference_mode():
        i = torch.zeros(3)
        log("in inference mode", _FILLS[fill](i).is_inference())
    with log.raises("inference tensor"):
        _FILLS[fill](i)
    with log.raises("expanded"):
        _FILLS[fill](torch.zeros(1).expand(3))
    a, _ = (x * 1).split(2)
    with log.raises("one of several views"):
        _FILLS[fill](a)


@each("fill", fill=list(_FILLS))
def of_what_was_saved(torch, log, fill):
    x = torch.ones(3, requires_grad=True)
    w = torch.ones(3)
    y = x * w
    _FILLS[fill](w)
    with log.raises("backward"):
        y.sum().backward()


@each("fill", fill=list(_FILLS))
def under_forward_mode(torch, log, fill):
    fa = torch.autograd.forward_ad
    with fa.dual_level():
        x = fa.make_dual(torch.ones(3), torch.tensor([1.0, 2.0, 3.0]))
        y = x * 2
        _FILLS[fill](y)
        log("tangent", fa.unpack_dual(y).tangent)


@each("fill", fill=[*_FILLS, "bernoulli each"], randomness=["error", "different", "same"])
def inside_vmap(torch, log, fill, randomness):
    p = torch.tensor([0.2, 0.5, 0.9, 0.4])
    change = _FILLS.get(fill, lambda x: x.bernoulli_(p))
    mapped = torch.vmap(lambda x: change(x * 1), randomness=randomness)
    log.attempt("batched", lambda: mapped(torch.zeros(3, 4)))
    mapped = torch.vmap(lambda x: x + change(torch.zeros(4)), randomness=randomness)
    log.attempt("not batched", lambda: mapped(torch.zeros(3, 4)))
    log("the stream goes on", torch.rand(2))


@each(who=["x", "p", "both"])
def gradients_of_probabilities(torch, log, who):
    x = torch.ones(3, requires_grad=who != "p")
    p = torch.tensor([0.2, 0.5, 0.9], requires_grad=who != "x")
    y = (x * 1).bernoulli_(p * 1)
    log("y", y)
    log("edges", [None if f is None else f.name() for f, _ in y.grad_fn.next_functions])
    leaves = [t for t in (x, p) if t.requires_grad]
    log("gradients", torch.autograd.grad(y.sum(), leaves))


@each(draw=["bernoulli", "method", "normal around", "normal wide", "normal of both"])
def gradients_of_what_is_drawn_with(torch, log, draw):
    x = torch.tensor([0.2, 0.5, 0.9], requires_grad=True)
    y = x * 1
    drawn = {
        "bernoulli": lambda: torch.bernoulli(y),
        "method": lambda: y.bernoulli(),
        "normal around": lambda: torch.normal(y, 1.0),
        "normal wide": lambda: torch.normal(0.0, y),
        "normal of both": lambda: torch.normal(y, y),
    }[draw]()
    log("drawn", drawn)
    log("edges", [None if f is None else f.name() for f, _ in drawn.grad_fn.next_functions])
    log("gradient", torch.autograd.grad(drawn.sum(), x))
    with torch.no_grad():
        log("without record", torch.bernoulli(y))


def draws_of_constants(torch, log):
    p = torch.tensor([[0.1, 0.8], [0.5, 0.4], [1.0, 0.0]]).t()
    log("method", p.bernoulli())
    log("of one probability", p.bernoulli(0.3))
    log("of whole numbers", torch.bernoulli(torch.tensor([0, 1, 1]), 0.5))
    with log.raises("whole probabilities"):
        torch.bernoulli(torch.tensor([0, 1]))
    with log.raises("beyond one"):
        p.bernoulli(2.0)


@each(shape=[(), (1,), (3,), (2, 1), (2, 3)], where=["base", "transposed"])
def probabilities_are_expanded(torch, log, shape, where):
    x = torch.zeros(2, 3) if where == "base" else torch.zeros(3, 2).t()
    log("x", x.bernoulli_(torch.full(shape, 0.4)))
    log("the stream goes on", torch.rand(2))


_CALLS = {
    "exponential": ["exponential_", [(0,), (-1,), (float("nan"),), (-0.0,), (float("inf"),),
                    (1e-300,), (True,), ("a",), (None,), (1j,), (1, 2), ([1],)]],
    "geometric": ["geometric_", [(), (0,), (1,), (-1,), (2,), (float("nan"),), (1e-300,), (True,),
                  (1 - 1e-16,), ("a",), (None,), (0.1, 0.2)]],
    "cauchy": ["cauchy_", [(0, 0), (0, -1), (0, float("nan")), (float("nan"), 1), (1e300, 1e300),
               (0, float("inf")), ("a",), (0, "a"), (0, None), (1, 2, 3)]],
    "log_normal": ["log_normal_", [(0, 0), (0, -1), (0, float("nan")), (float("nan"), 1),
                   (1e30, 1), (0, float("inf")), ("a",), (0, 1j), (1, 2, 3)]],
    "uniform": ["uniform_", [(3, 1), (2,), (-1,), (1, 1), (0, float("inf")), (float("nan"), 1),
                (0, float("nan")), (-1e39, 0), (-3e38, 3e38), ("a",), (0, None), (1, 2, 3)]],
    "normal": ["normal_", [(0, -1), (0, float("nan")), (float("nan"), 1), (0, 0),
               (0, float("inf")), ("a",), (0, None), (1, 2, 3)]],
    "bernoulli": ["bernoulli_", [(2,), (-1,), (float("nan"),), (0,), (1,), (True,), ("a",),
                  (None,), (0.1, 0.2)]],
    "random": ["random_", [(0,), (-3,), (5, 5), (5, 3), (True,), (1.5,), ("a",), (None,),
               (5, None), (-5, None), (1, 2, 3), (2**63,), (-(2**63), None), (2**24, None),
               (2**24 + 1, None), (2**24 - 1, None), (70000, None), (0, 300)]],
}  # fmt: skip


@each(call=list(_CALLS), dtype=["float32", "float16", "int64", "int8", "bool", "complex64"])
def arguments(torch, log, call, dtype):
    name, calls = _CALLS[call]
    for args in calls:
        x = torch.zeros(3, dtype=getattr(torch, dtype))
        with log.warns(f"warnings of {args}"):
            log.attempt(f"{args}", functools.partial(getattr(x, name), *args))
    log("the stream goes on", torch.rand(2))


_KEYWORDS = [
    ("exponential_", {"lambd": 3}), ("exponential_", {"lambda_": 3}), ("geometric_", {"p": 0.5}),
    ("cauchy_", {"median": 1, "sigma": 2}), ("cauchy_", {"mean": 1}), ("random_", {"to": 8}),
    ("log_normal_", {"mean": 1, "std": 0.5}), ("uniform_", {"from": -1}), ("random_", {"from": 2}),
    ("uniform_", {"from": -1, "to": 3}), ("uniform_", {"from_": -1}), ("normal_", {"std": 0.1}),
    ("bernoulli_", {"p": 0.3}), ("random_", {"from": 2, "to": 8}), ("normal_", {"loc": 0}),
    ("random_", {"from": 2, "to": None}), ("random_", {"from_": 3, "to": 5}),
]  # fmt: skip


def keywords(torch, log):
    for name, given in _KEYWORDS:
        log.attempt(f"{name} {given}", lambda f=name, k=given: getattr(torch.zeros(3), f)(**k))
    for name in ("exponential_", "uniform_", "normal_", "bernoulli_", "random_", "cauchy_"):
        with log.raises(f"{name} generator"):
            getattr(torch.zeros(3), name)(generator=3)
    log("positional and keyword", torch.zeros(3).random_(5, to=8))
    log("tensors", torch.zeros(3).uniform_(torch.tensor(1), torch.tensor(2.0)))
    with log.raises("tensors with an axis"):
        torch.zeros(3).normal_(torch.ones(3))
    with log.raises("a tensor that requires a gradient"):
        torch.zeros(3).exponential_(torch.ones((), requires_grad=True))


@each(dtype=["float32", "int64", "bool", "complex64"])
def nothing_to_fill(torch, log, dtype):
    bad = [("uniform_", (3, 1)), ("normal_", (0, -1)), ("bernoulli_", (3,)), ("random_", (0,)),
           ("exponential_", (0,)), ("geometric_", (0,)), ("cauchy_", (0, 0)),
           ("log_normal_", (0, 0)), ("random_", (3,)), ("geometric_", (0.5,))]  # fmt: skip
    good = [(name, ()) for name in ("uniform_", "normal_", "bernoulli_", "random_",
            "exponential_", "cauchy_", "log_normal_")]  # fmt: skip
    for name, args in bad + good:
        x = torch.zeros(0, dtype=getattr(torch, dtype))
        log.attempt(f"{name} {args}", functools.partial(getattr(x, name), *args))
        log(f"{name} {args} version", x._version)


@each(p=["shape", "axes", "integers"])
def probabilities_that_do_not_fit(torch, log, p):
    given = {
        "shape": torch.tensor([0.0, 1.0]),
        "axes": torch.ones(2, 3),
        "integers": torch.tensor([0, 1, 1]),
    }[p]
    with log.raises("error"):
        torch.zeros(3).bernoulli_(given)


# ------------------------------------------------------------------ comparisons

_COMPARISONS = ["eq", "ne", "lt", "le", "gt", "ge", "not_equal", "less", "less_equal", "greater",
                "greater_equal"]  # fmt: skip


@each(name=_COMPARISONS, other=["number", "tensor", "that requires a gradient"])
def comparison_cuts(torch, log, name, other):
    w = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    bound = torch.tensor([1.0, 1.0, 4.0], requires_grad=True)
    h = w * 1
    m = h.clone()
    getattr(m, f"{name}_")({"number": 2.0, "tensor": bound.detach()}.get(other, bound))
    log("value", m)
    log("grad_fn", m.grad_fn.name())
    log("edges", [n and n.name() for n, _ in m.grad_fn.next_functions])
    (h * m).sum().backward()
    log("gradient", w.grad)
    log("of the other", bound.grad)


def comparison_by_what_requires_a_gradient(torch, log):
    bound = torch.tensor([1.0, 2.0], requires_grad=True)
    m = torch.ones(2)
    m.eq_(bound * 1)
    log("grad_fn", m.grad_fn.name())
    m.sum().backward()
    log("gradient", bound.grad)


def comparison_through_a_view(torch, log):
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    y = x * 1
    y[:2].gt_(x[1:])
    log("grad_fn", y.grad_fn.name())
    log("edges", [n and n.name() for n, _ in y.grad_fn.next_functions])
    (y * y).sum().backward()
    log("gradient", x.grad)


def comparison_of_what_was_saved(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 2
    z = y * y
    y.gt_(3)
    with log.raises("modified"):
        z.sum().backward()


def comparison_unrecorded(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 2
    with torch.no_grad():
        y.ge_(3)
    log("value", y.detach())
    log("grad_fn", y.grad_fn.name())
    with log.raises("leaf"):
        x.lt_(1)


def logical_keeps_the_history(torch, log):
    x = torch.tensor([1.0, 0.0], requires_grad=True)
    y = x * 2
    y.logical_and_(torch.ones(2))
    log("grad_fn", y.grad_fn.name())
    y.sum().backward()
    log("gradient", x.grad)


@each(how=["gt_", "eq_", "uniform_"])
def what_cuts_for_each_entry(torch, log, how):
    x = torch.ones(2, 3, requires_grad=True)
    bound = torch.full((3,), 0.5, requires_grad=True)
    torch.manual_seed(0)

    def entry(a):
        b = a * 1
        getattr(b, how)(*{"uniform_": ()}.get(how, (bound * 1,)))
        return b.sum() * a

    torch.vmap(entry, randomness="different")(x).sum().backward()
    log("gradient depends on the values alone", x.grad * 0 + (x.grad > 2.5))
    log("of the bound", bound.grad)
