"""In place: gamma and Bessel functions, `logit`, signs, exponents, neighbours, divisors, angles."""

from __future__ import annotations

from ._harness import each

# The method, and its arguments: tensors by their values, as (value, requires_grad).
_CALLS = [
    ("lgamma",), ("digamma",), ("polygamma", 1), ("polygamma", 0), ("mvlgamma", 1), ("i0",),
    ("deg2rad",), ("rad2deg",), ("logit",), ("logit", 0.1), ("copysign", -2.0),
    ("copysign", (-2.0, True)), ("igamma", (2.0, True)), ("igammac", (2.0, False)),
    ("float_power", 2), ("float_power", (2.0, True)), ("heaviside", (0.5, True)),
    ("heaviside", (0.5, False)), ("ldexp", (2.0, True)), ("ldexp", (2.0, False)),
    ("nextafter", (2.0, True)), ("floor_divide", (2.0, True)), ("floor_divide", 2),
]  # fmt: skip
_CALLS = [("-".join(str(part).replace(" ", "") for part in call), call) for call in _CALLS]


def _kind(torch, call):
    """Single precision where PyTorch has no more digits than that and a few: of its trigamma."""
    few = ("lgamma", "digamma", "polygamma", "mvlgamma")
    return torch.float32 if call[1][0] in few else torch.float64


def _called(torch, call):
    """The name of the method in place, its arguments, and those that require a gradient."""
    name, *given = call[1]
    arguments = [
        torch.tensor([x[0]], dtype=torch.float64, requires_grad=x[1]) if isinstance(x, tuple) else x
        for x in given
    ]
    wanted = [a for a in arguments if isinstance(a, torch.Tensor) and a.requires_grad]
    return f"{name}_", arguments, wanted


def _leaf(torch, *values, **options):
    options = {"dtype": torch.float64, "requires_grad": True, **options}
    return torch.tensor(values or (0.25, 0.75), **options)


def _edges(vertex):
    return [None if v is None else v.name() for v, _ in vertex.next_functions]


@each("call", call=_CALLS)
def of_a_result(torch, log, call):
    name, arguments, wanted = _called(torch, call)
    x = _leaf(torch, dtype=_kind(torch, call))
    y = x * 1
    log("same", getattr(y, name)(*arguments) is y)
    log("y", y)
    log("edges", _edges(y.grad_fn))
    log("version", y._version)
    for i, w in enumerate([x, *wanted]):
        log.attempt(f"gradient {i}", lambda w=w: torch.autograd.grad(y.sum(), w, retain_graph=True))


@each("call", call=_CALLS)
def of_a_leaf(torch, log, call):
    name, arguments, _ = _called(torch, call)
    x = _leaf(torch, dtype=_kind(torch, call))
    log.attempt("leaf", lambda: getattr(x, name)(*arguments))
    log("x", x)
    log("version", x._version)
    with torch.no_grad():
        log.attempt("without record", lambda: getattr(x, name)(*arguments))
    log("then", x)


@each("call", call=_CALLS)
def of_a_value_that_is_saved(torch, log, call):
    name, arguments, _ = _called(torch, call)
    x = _leaf(torch, dtype=_kind(torch, call))
    y = x * 1
    z = y * y
    getattr(y, name)(*arguments)
    log.attempt("backward", lambda: z.sum().backward())


# What a power keeps is a matter of `pow`.
@each("call", call=[c for c in _CALLS if c[1] != ("float_power", (2.0, True))])
def changed_after(torch, log, call):
    """The result, and what it was computed from, changed in place before backward."""
    for who in ("operand", "result", "other"):
        name, arguments, _ = _called(torch, call)
        x = _leaf(torch, dtype=_kind(torch, call))
        y = x * 1
        others = [a.detach() if isinstance(a, torch.Tensor) else a for a in arguments]
        z = getattr(y, name.rstrip("_"))(*others)
        changed = {"operand": y, "result": z, "other": others[0] if others else None}[who]
        if isinstance(changed, torch.Tensor):
            with torch.no_grad():
                changed.mul_(1)
            log.attempt(who, lambda z=z, x=x: torch.autograd.grad(z.sum(), x))


@each("call", call=_CALLS)
def of_a_view(torch, log, call):
    name, arguments, wanted = _called(torch, call)
    x = _leaf(torch, dtype=_kind(torch, call))
    y = x * 1
    part = y[1:]
    getattr(part, name)(*arguments)
    log("y", y)
    log("part", part)
    log("edges", _edges(y.grad_fn))
    for i, w in enumerate([x, *wanted]):
        log.attempt(f"gradient {i}", lambda w=w: torch.autograd.grad(y.sum(), w, retain_graph=True))


@each("call", call=_CALLS)
def of_memory_that_repeats(torch, log, call):
    name, arguments, _ = _called(torch, call)
    x = torch.tensor([0.5], dtype=torch.float64).expand(3)
    log.attempt("expanded", lambda: getattr(x, name)(*arguments))


@each("call", call=[c for c in _CALLS if any(isinstance(a, tuple) for a in c[1])])
def shapes_that_grow(torch, log, call):
    name, _, _ = _called(torch, call)
    x = torch.tensor([0.5], dtype=torch.float64)
    log.attempt("row", lambda: getattr(x, name)(torch.ones(3, dtype=torch.float64)))
    log.attempt("misfit", lambda: getattr(torch.ones(2), name)(torch.ones(3)))
    log("x", x)


@each("call", call=_CALLS, dtype=["bool", "int64", "float16", "float32", "complex64"])
def of_a_dtype(torch, log, call, dtype):
    name, arguments, _ = _called(torch, call)
    x = torch.tensor([1, 0], dtype=getattr(torch, dtype))
    others = [a.detach() if isinstance(a, torch.Tensor) else a for a in arguments]
    # What PyTorch calls its kernels is not part of the outcome.
    try:
        log("result", getattr(x, name)(*others))
    except NotImplementedError as error:
        log("refused", "not implemented for" in str(error))
    except RuntimeError as error:
        log("refused", str(error))
    log("x", x)


@each("call", call=_CALLS)
def under_create_graph(torch, log, call):
    if call[1][0] in ("heaviside", "floor_divide", "igamma", "igammac"):
        log("left out", True)
        return
    name, arguments, _ = _called(torch, call)
    x = _leaf(torch, dtype=_kind(torch, call))
    y = x * 1
    getattr(y, name)(*arguments)
    (g,) = torch.autograd.grad((y * y).sum(), x, create_graph=True)
    log.gradient("first", g)
    (h,) = torch.autograd.grad(g.sum(), x)
    log.gradient("second", h)


@each("call", call=_CALLS)
def arguments_that_do_not_fit(torch, log, call):
    name, arguments, _ = _called(torch, call)
    x = torch.tensor([0.5])
    log.attempt("text", lambda: getattr(x, name)("a"))
    log.attempt("too many", lambda: getattr(x, name)(*arguments, 1, 2))
    log.attempt("keyword", lambda: getattr(x, name)(*arguments, foo=1))
    log.attempt("function of text", lambda: getattr(torch, name.rstrip("_"))("a", *arguments))
    if arguments:
        log.attempt("none", lambda: getattr(x, name)())
        log.attempt("list", lambda: getattr(x, name)([1.0]))


@each(name=["gcd", "lcm"])
def of_integers(torch, log, name):
    x = torch.tensor([12, 18])
    other = torch.tensor([8, 27])
    log("same", getattr(x, f"{name}_")(other) is x)
    log("x", x)
    log("version", x._version)
    log.attempt("number", lambda: getattr(x, f"{name}_")(2))
    log.attempt("floats", lambda: getattr(x, f"{name}_")(torch.ones(2)))
    log.attempt(
        "narrow", lambda: getattr(torch.tensor([6], dtype=torch.int8), f"{name}_")(other[:1])
    )
    log.attempt("row", lambda: getattr(torch.tensor([6]), f"{name}_")(other))
    log.attempt("out", lambda: getattr(torch, name)(other, other, out=torch.empty(2)))
    log.attempt("of floats", lambda: getattr(torch.ones(2), f"{name}_")(other) is None)


@each(name=["lgamma", "digamma", "i0", "deg2rad", "rad2deg", "logit"])
def into_another(torch, log, name):
    x = torch.tensor([0.25, 0.75])
    out = torch.zeros(2)
    log("returns it", getattr(torch, name)(x, out=out) is out)
    log("out", out)
    log.attempt("gradient", lambda: getattr(torch, name)(x.requires_grad_(), out=out))
    log.attempt("integers", lambda: getattr(torch, name)(x.detach(), out=torch.zeros(2).long()))


@each(value=[-1, True, 2.0, None, "a"])
def orders_that_do_not_fit(torch, log, value):
    x = torch.tensor([0.5])
    log.attempt("polygamma", lambda: torch.polygamma(value, x))
    log.attempt("polygamma, method", lambda: x.polygamma(value))
    log.attempt("polygamma_", lambda: x.polygamma_(value))
    log.attempt("mvlgamma", lambda: torch.mvlgamma(x, value))
    log.attempt("mvlgamma_", lambda: x.mvlgamma_(value))
    log.attempt("logit", lambda: torch.logit(torch.tensor([0.5]), value))
    log("x", x)


@each(value=["none", "tanh", "other", None, 3])
def approximations_of_gelu(torch, log, value):
    x = _leaf(torch)
    log.attempt("result", lambda: torch.nn.functional.gelu(x, approximate=value))
    log.attempt("by position", lambda: torch.nn.functional.gelu(x, value))


def saved_by_name(torch, log):
    x, y = _leaf(torch), _leaf(torch, 0.5, 2.0)
    for name, made, words in (
        ("lgamma", x.lgamma(), "self result n"),
        ("polygamma", x.polygamma(2), "self result n"),
        ("mvlgamma", (x + 1).mvlgamma(2), "self result p"),
        ("igamma", torch.igamma(y.detach(), x), "self other result"),
        ("copysign", x.copysign(y), "self result"),
        ("ldexp", x.ldexp(y), "other result"),
        ("nextafter", x.nextafter(y), "self other result"),
        ("i0", x.i0(), "self result"),
    ):
        for word in words.split():
            log.attempt(f"{name} {word}", lambda m=made, w=word: getattr(m.grad_fn, f"_saved_{w}"))


def packed_by_hooks(torch, log):
    x, y = _leaf(torch), _leaf(torch, 0.5, 2.0)
    for name, call in {
        "lgamma": lambda: x.lgamma(),
        "polygamma": lambda: x.polygamma(2),
        "igamma": lambda: torch.igamma(y.detach(), x),
        "igammac, both": lambda: torch.igammac(y, x),
        "copysign": lambda: x.copysign(y),
        "copysign, other": lambda: x.detach().copysign(y),
        "ldexp": lambda: x.ldexp(y),
        "ldexp, integers": lambda: x.ldexp(torch.tensor([1, 2])),
        "nextafter": lambda: x.nextafter(y),
        "deg2rad": lambda: x.deg2rad(),
        "logit": lambda: x.logit(0.1),
    }.items():
        packed = []
        with torch.autograd.graph.saved_tensors_hooks(
            lambda v, packed=packed: packed.append(v.tolist()) or v, lambda v: v
        ):
            call()
        log(name, packed)


def no_derivative_in_the_order(torch, log):
    a, x = _leaf(torch), _leaf(torch, 0.5, 2.0)
    for name in ("igamma", "igammac"):
        y = getattr(torch, name)(a, x)
        log(name, y)
        log.attempt(f"{name}, in x", lambda y=y: torch.autograd.grad(y.sum(), x, retain_graph=True))
        log.attempt(f"{name}, in a", lambda y=y: torch.autograd.grad(y.sum(), a, retain_graph=True))
        log.attempt(f"{name}, in both", lambda y=y: y.sum().backward())
        log(f"{name}, nothing added", [a.grad, x.grad])
        with torch.autograd.forward_ad.dual_level():
            dual = torch.autograd.forward_ad.make_dual(a.detach(), torch.ones_like(a))
            log.attempt(f"{name}, forward", lambda d=dual, n=name: getattr(torch, n)(d, x.detach()))


@each(name=["heaviside", "floor_divide"])
def no_derivative_at_all(torch, log, name):
    a, b = _leaf(torch), _leaf(torch, 0.5, 2.0)
    y = getattr(torch, name)(a, b)
    log("y", y)
    log.attempt("backward", lambda: y.sum().backward())
    with torch.autograd.forward_ad.dual_level():
        dual = torch.autograd.forward_ad.make_dual(a.detach(), torch.ones_like(a))
        log.attempt("forward", lambda: getattr(torch, name)(dual, b.detach()))


_ACTIVATIONS = [
    ("elu", 0.5), ("hardtanh", -0.5, 0.5), ("leaky_relu", 0.3), ("selu",), ("threshold", 0.1, 20.0),
    ("relu6",), ("relu",), ("silu",),
]  # fmt: skip


@each("call", call=_ACTIVATIONS, where=["result", "view"], underscore=[True, False])
def activations(torch, log, call, where, underscore):
    name, *numbers = call
    functional = torch.nn.functional
    if underscore and name in ("relu6", "silu"):
        log("left out", True)
        return

    def change(x):
        if underscore:
            return getattr(functional, f"{name}_")(x, *numbers)
        return getattr(functional, name)(x, *numbers, inplace=True)

    x = _leaf(torch, -1.0, 0.3, 2.0)
    y = x * 1
    target = y if where == "result" else y[1:]
    log("same", change(target) is target)
    log("y", y)
    log("edges", _edges(y.grad_fn))
    log("version", y._version)
    log.attempt("backward", lambda: torch.autograd.grad(y.sum(), x))
    log.attempt("leaf", lambda: change(x))
    z = x * 1
    w = z * z
    change(z)
    log.attempt("of a saved value", lambda: w.sum().backward())


_OF_THE_MODULE = [
    "abs", "acos", "arctan", "ceil", "clip", "cos", "deg2rad", "erf", "exp", "expm1", "fix",
    "frac", "i0", "log", "log1p", "logit", "nan_to_num", "neg", "negative", "reciprocal",
    "relu", "rsqrt", "sigmoid", "sin", "sinc", "sqrt", "square", "tan", "tanh", "detach",
]  # fmt: skip


@each(name=_OF_THE_MODULE)
def of_the_module(torch, log, name):
    function = getattr(torch, f"{name}_")
    given = [0.3] if name == "clip" else []
    x = _leaf(torch)
    y = x * 1
    log("same", function(y, *given) is y)
    log("y", y)
    log("version", y._version)
    log.attempt("by keyword", lambda: function(input=torch.tensor([0.5])))
    log.attempt("leaf", lambda: function(_leaf(torch), *given))
    log.attempt("number", lambda: function(2.0, *given))
    log.attempt("nothing", lambda: function())
    log.attempt("too many", lambda: function(torch.ones(1), *given, 1, 2, 3, 4))
    log.attempt("unknown", lambda: function(torch.ones(1), *given, foo=1))


def of_the_module_with_two(torch, log):
    x, y = torch.tensor([0.25, 0.75]), torch.tensor([0.5, 2.0])
    log("xlogy_", torch.xlogy_(x, y))
    log("clamp_", torch.clamp_(x, -0.5, 0.4))
    log("clamp_min_", torch.clamp_min_(x, -0.1))
    log("fill_", torch.fill_(x, 0.5))
    log("ldexp_", torch.ldexp_(x, y))
    log("index_put_", torch.index_put_(x, (torch.tensor([1]),), torch.tensor([3.0])))
    log("gcd_", torch.gcd_(torch.tensor([6, 4]), torch.tensor([4, 10])))
    log("addmv_", torch.addmv_(x, torch.ones(2, 2), y))
    log("round_", torch.round_(x, decimals=1))
    log("x", x)
    log("zero_", torch.zero_(torch.ones(2)))
    log.attempt("ldexp_ of number", lambda: torch.ldexp_(x, 2))
    log.attempt("xlogy_ of nothing", lambda: torch.xlogy_(x))
    log.attempt("clamp_ of nothing", lambda: torch.clamp_(x))
