"""`autograd.functional`: Jacobians, Hessians and their products with vectors."""

from ._harness import differs, each


def _vector(torch, *values, **keywords):
    return torch.tensor(list(values), dtype=torch.float64, **keywords)


def _two(torch, **keywords):
    return (
        _vector(torch, 0.5, 1.25, **keywords),
        _vector(torch, 2.0, -0.75, 1.5, **keywords),
    )


def _api(torch):
    return torch.autograd.functional


_SCALARS = {
    "quadratic": lambda torch, x, y: (x * x).sum() * y.sum(),
    "exp": lambda torch, x, y: (x.sum() * y).exp().sum(),
    "outer": lambda torch, x, y: torch.outer(x, y).sin().sum(),
    "linear": lambda torch, x, y: 2 * x.sum() - y.sum(),
    "first_only": lambda torch, x, y: (x**3).sum(),
}

_ARRAYS = {
    "outer": lambda torch, x, y: torch.outer(x, y),
    "pair": lambda torch, x, y: (x * y.sum(), y.exp()),
    "triple": lambda torch, x, y: (x.sum(), torch.outer(y, x).t(), y[:1]),
    "first_only": lambda torch, x, y: x.sin(),
    "one_tuple": lambda torch, x, y: (x * y[0],),
}

_STRATEGIES = {
    "rows": {},
    "vectorized": {"vectorize": True},
    "forward": {"vectorize": True, "strategy": "forward-mode"},
}


def _plain(found):
    """The structure with lists as tuples."""
    return tuple(_plain(x) for x in found) if isinstance(found, (list, tuple)) else found


# ---------------------------------------------------------------- Jacobians


@each(function=list(_ARRAYS), strategy=list(_STRATEGIES))
def jacobians(torch, log, function, strategy):
    f, keywords = _ARRAYS[function], _STRATEGIES[strategy]
    x, y = _two(torch)
    found = _api(torch).jacobian(lambda x, y: f(torch, x, y), (x, y), **keywords)
    log("of both", _plain(found))
    found = _api(torch).jacobian(lambda x: f(torch, x, y), x, **keywords)
    log("of the first", _plain(found))
    found = _api(torch).jacobian(lambda x: f(torch, x, y), (x,), **keywords)
    log("of a tuple of one", _plain(found))


@differs(
    "tuples, as for the other strategies; PyTorch gives lists",
    {"rows": {"type": "tuple"}, "row": {"type": "tuple"}},
)
def the_structure_of_forward_mode(torch, log):
    x, y = _two(torch)
    found = _api(torch).jacobian(
        lambda x, y: (x, y), (x, y), vectorize=True, strategy="forward-mode"
    )
    log("rows", type(found))
    log("row", type(found[0]))


@each(strategy=list(_STRATEGIES), dtype=["float32", "float64", "complex128"])
def jacobian_dtypes(torch, log, strategy, dtype):
    x = torch.tensor([0.5, 1.5], dtype=getattr(torch, dtype))
    keywords = _STRATEGIES[strategy]
    log.attempt("jacobian", lambda: _api(torch).jacobian(lambda x: x * x.sum(), x, **keywords))


@each(strategy=list(_STRATEGIES))
def jacobian_of_a_matrix(torch, log, strategy):
    x = torch.arange(6, dtype=torch.float64).reshape(2, 3)
    found = _api(torch).jacobian(lambda x: x.t() @ x, x, **_STRATEGIES[strategy])
    log("jacobian", found)


@each(strategy=list(_STRATEGIES))
def jacobian_of_a_scalar(torch, log, strategy):
    x = torch.tensor(2.0, dtype=torch.float64)
    keywords = _STRATEGIES[strategy]
    log("scalar of scalar", _api(torch).jacobian(lambda x: x**3, x, **keywords))
    log("vector of scalar", _api(torch).jacobian(lambda x: x * _vector(torch, 1, 2), x, **keywords))
    y = _vector(torch, 1.0, 2.0)
    log("scalar of vector", _api(torch).jacobian(lambda y: y.prod(), y, **keywords))


@each(strategy=list(_STRATEGIES))
def jacobian_of_a_constant(torch, log, strategy):
    x, _ = _two(torch)
    keywords = _STRATEGIES[strategy]
    log("constant", _api(torch).jacobian(lambda x: _vector(torch, 1, 2, 3), x, **keywords))
    log("detached", _api(torch).jacobian(lambda x: x.detach() * 2, x, **keywords))
    log("in part", _plain(_api(torch).jacobian(lambda x: (x * 2, x.detach()), x, **keywords)))


@each(strategy=list(_STRATEGIES))
def jacobian_with_views_and_changes_in_place(torch, log, strategy):
    def f(x):
        y = x.clone()
        y[0] *= x[1]
        y.mul_(2)
        z = torch.zeros(2, 2, dtype=torch.float64)
        z[1] = y
        z.t()[0].add_(y.prod())
        return z, y[::1].unsqueeze(0).expand(3, 2).diagonal()

    x, _ = _two(torch)
    log("jacobian", _plain(_api(torch).jacobian(f, x, **_STRATEGIES[strategy])))


@each(strategy=list(_STRATEGIES))
def jacobian_of_what_branches(torch, log, strategy):
    def f(x):
        return x * 2 if bool(x.sum() > 0) else x * x

    keywords = _STRATEGIES[strategy]
    log("positive", _api(torch).jacobian(f, _vector(torch, 1.0, 2.0), **keywords))
    log("negative", _api(torch).jacobian(f, _vector(torch, -1.0, -2.0), **keywords))


@each(strategy=list(_STRATEGIES))
def jacobian_where_inputs_require_gradients(torch, log, strategy):
    keywords = _STRATEGIES[strategy]
    w = _vector(torch, 1.0, 2.0, requires_grad=True)
    log.gradient(
        "jacobian", _api(torch).jacobian(lambda x: (w * x * x).detach() + x, w, **keywords)
    )
    log("w.grad", w.grad)


@each(vectorize=[False, True])
def jacobian_with_a_graph(torch, log, vectorize):
    x, y = _two(torch, requires_grad=True)
    found = _api(torch).jacobian(
        lambda x: torch.outer(x**3, y), x, create_graph=True, vectorize=vectorize
    )
    log.gradient("jacobian", found)
    for name, wrt in (("x", x), ("y", y)):
        (g,) = torch.autograd.grad(found.sum(), wrt, retain_graph=True)
        log(f"gradient with respect to {name}", g)


def a_graph_without_inputs_that_require_gradients(torch, log):
    x, _ = _two(torch)
    found = _api(torch).jacobian(lambda x: x**3, x, create_graph=True)
    log.gradient("jacobian", found)


def jacobian_under_no_grad(torch, log):
    x, _ = _two(torch)
    with torch.no_grad():
        log("rows", _api(torch).jacobian(lambda x: x**3, x))
        log("vectorized", _api(torch).jacobian(lambda x: x**3, x, vectorize=True))
        log.gradient("graph", _api(torch).jacobian(lambda x: x**3, x, create_graph=True))
        log("recorded inside", _record_of(torch, _api(torch).jacobian))


def _record_of(torch, call):
    seen = []

    def f(x):
        seen.append((torch.is_grad_enabled(), x.requires_grad, x.is_leaf))
        return x * 2

    call(f, _vector(torch, 1.0))
    return seen


@each(strategy=list(_STRATEGIES))
def what_the_function_meets(torch, log, strategy):
    def jacobian(f, x):
        return _api(torch).jacobian(f, x, **_STRATEGIES[strategy])

    log("first call", _record_of(torch, jacobian))


@each(keywords=["strict", "create_graph", "neither", "not_vectorized"])
def what_forward_mode_does_not_do(torch, log, keywords):
    x, _ = _two(torch)
    given = {
        "strict": {"strict": True, "vectorize": True},
        "create_graph": {"create_graph": True, "vectorize": True},
        "neither": {"create_graph": True, "strict": True},
        "not_vectorized": {},
    }[keywords]
    with log.raises("jacobian"):
        _api(torch).jacobian(lambda x: x * 2, x, strategy="forward-mode", **given)
    with log.raises("hessian"):
        _api(torch).hessian(
            lambda x: (x * x).sum(), x, outer_jacobian_strategy="forward-mode", **given
        )


def strategies_that_do_not_exist(torch, log):
    x, _ = _two(torch)
    with log.raises("jacobian"):
        _api(torch).jacobian(lambda x: x * 2, x, strategy="forward")
    with log.raises("hessian"):
        _api(torch).hessian(lambda x: x.sum(), x, outer_jacobian_strategy="reverse")


def strict_and_vectorized(torch, log):
    x, _ = _two(torch)
    with log.raises("jacobian"):
        _api(torch).jacobian(lambda x: x * 2, x, strict=True, vectorize=True)


@differs(
    "an empty output has an empty Jacobian, and a function of no inputs one without entries",
    {
        "no outputs": {"tuple": []},
        "no inputs": {"tuple": []},
        "an empty output": {
            "tensor": [],
            "shape": [0, 2],
            "dtype": "float64",
            "requires_grad": False,
            "grad_fn": None,
        },
        "an empty output, vectorized": {
            "tensor": [],
            "shape": [0, 2],
            "dtype": "float64",
            "requires_grad": False,
            "grad_fn": None,
        },
    },
)
def empty_cases(torch, log):
    x, _ = _two(torch)
    jacobian = _api(torch).jacobian
    log.attempt("no outputs", lambda: jacobian(lambda x: (), x))
    log.attempt("no inputs", lambda: jacobian(lambda: x, ()))
    log.attempt("an empty output", lambda: jacobian(lambda x: x[:0], x))
    log.attempt("an empty output, vectorized", lambda: jacobian(lambda x: x[:0], x, vectorize=True))


# ---------------------------------------------------------------- products with Jacobians


@each(function=list(_ARRAYS), create_graph=[False, True], requires_grad=[False, True])
def vjp_and_jvp(torch, log, function, create_graph, requires_grad):
    f = _ARRAYS[function]
    x, y = _two(torch, requires_grad=requires_grad)
    outputs = f(torch, x.detach(), y.detach())
    v = (
        tuple(torch.ones_like(o) * (k + 2) for k, o in enumerate(outputs))
        if isinstance(outputs, tuple)
        else torch.ones_like(outputs) * 2
    )
    out, product = _api(torch).vjp(
        lambda x, y: f(torch, x, y), (x, y), v, create_graph=create_graph
    )
    log.gradient("vjp: value", out)
    log.gradient("vjp: product", product)
    out, product = _api(torch).jvp(
        lambda x, y: f(torch, x, y), (x, y), (x.detach() + 1, y.detach()), create_graph=create_graph
    )
    log.gradient("jvp: value", out)
    log.gradient("jvp: product", product)


def products_without_a_vector(torch, log):
    x = torch.tensor([2.0], dtype=torch.float64)
    log("vjp", _api(torch).vjp(lambda x: (x**3).sum(), x))
    log("jvp", _api(torch).jvp(lambda x: x * _vector(torch, 1.0, 2.0), x))
    log("vhp", _api(torch).vhp(lambda x: (x**3).sum(), x))
    log("hvp", _api(torch).hvp(lambda x: x**3, x))


@each(name=["vjp", "jvp", "vhp", "hvp"])
def vectors_that_are_missing(torch, log, name):
    call = getattr(_api(torch), name)
    x, y = _two(torch)
    with log.raises("two elements"):
        call(lambda x: x * x if name in ("vjp", "jvp") else (x * x).sum(), x)
    with log.raises("two tensors"):
        call(lambda x, y: (x, y) if name in ("vjp", "jvp") else x.sum() * y.sum(), (x, y))


@each(name=["vjp", "jvp", "vhp", "hvp"])
def vectors_that_do_not_fit(torch, log, name):
    call = getattr(_api(torch), name)
    x, y = _two(torch)

    def one(x):
        return x * x if name in ("vjp", "jvp") else (x * x).sum()

    def two(x, y):
        return (x * x, y * y) if name in ("vjp", "jvp") else x.sum() * y.sum()

    with log.raises("shape"):
        call(one, x, y)
    with log.raises("two for one"):
        call(one, x, (x, x))
    with log.raises("shape of the second"):
        call(two, (x, y), (x, x))
    with log.raises("one for two"):
        call(two, (x, y), x)
    with log.raises("three for two"):
        call(two, (x, y), (x, y, x))
    with log.raises("a list"):
        call(one, x, [x])
    with log.raises("a tuple with a number"):
        call(two, (x, y), (x, 1.0))


@each(name=["vjp", "jvp", "jacobian", "hessian", "vhp", "hvp"])
def what_is_no_tensor(torch, log, name):
    call = getattr(_api(torch), name)
    x, _ = _two(torch)
    v = () if name in ("jacobian", "hessian") else (x,)
    with log.raises("a number"):
        call(lambda x: x, 1.0, *v)
    with log.raises("a list"):
        call(lambda x: x, [x], *v)
    with log.raises("a tuple with a number"):
        call(lambda x, y: x, (x, 1.0), *v)
    with log.raises("a result that is a number"):
        call(lambda x: 1.0, x, *v)
    with log.raises("a result that is a list"):
        call(lambda x: [x], x, *v)
    with log.raises("a result that is a tuple with a number"):
        call(lambda x: (x, 1.0), x, *v)
    with log.raises("integers"):
        call(lambda x: x.sum(), torch.tensor([1, 2]), *[torch.tensor([1, 2]) for _ in v])


def vectors_that_require_gradients(torch, log):
    x, _ = _two(torch)
    v = _vector(torch, 3.0, 4.0, requires_grad=True)
    log.gradient("vjp", _api(torch).vjp(lambda x: x.sin(), x, v)[1])
    log.gradient("vjp with a graph", _api(torch).vjp(lambda x: x.sin(), x, v, create_graph=True)[1])
    log.gradient("jvp with a graph", _api(torch).jvp(lambda x: x.sin(), x, v, create_graph=True)[1])
    product = _api(torch).vhp(lambda x: (x**3).sum(), x, v, create_graph=True)[1]
    log.gradient("vhp with a graph", product)
    (g,) = torch.autograd.grad(product.sum(), v)
    log("its gradient with respect to v", g)


@each(name=["vjp", "jvp", "vhp", "hvp"])
def products_under_no_grad(torch, log, name):
    x, _ = _two(torch, requires_grad=True)
    with torch.no_grad():
        for create_graph in (False, True):
            out, product = getattr(_api(torch), name)(
                lambda x: (x**3).sum(),
                x,
                torch.tensor(2.0, dtype=torch.float64) if name == "vjp" else x.detach(),
                create_graph=create_graph,
            )
            log.gradient(f"value, create_graph={create_graph}", out)
            log.gradient(f"product, create_graph={create_graph}", product)


# ---------------------------------------------------------------- Hessians


_OUTER = {
    "rows": {},
    "vectorized": {"vectorize": True},
    "forward": {"vectorize": True, "outer_jacobian_strategy": "forward-mode"},
}


@each(function=list(_SCALARS), strategy=list(_OUTER))
def hessians(torch, log, function, strategy):
    f, keywords = _SCALARS[function], _OUTER[strategy]
    x, y = _two(torch)
    found = _api(torch).hessian(lambda x, y: f(torch, x, y), (x, y), **keywords)
    log.gradient("of both", _values(found))
    found = _api(torch).hessian(lambda x: f(torch, x, y), x, **keywords)
    log.gradient("of the first", _values(found))


def _values(found):
    """The structure with lists as tuples and tensors without history."""
    if isinstance(found, (list, tuple)):
        return tuple(_values(x) for x in found)
    return found.detach()


@each(function=list(_SCALARS), create_graph=[False, True])
def vhp_and_hvp(torch, log, function, create_graph):
    f = _SCALARS[function]
    x, y = _two(torch, requires_grad=create_graph)
    v = (x.detach() + 1, y.detach() * 2)
    for name in ("vhp", "hvp"):
        out, product = getattr(_api(torch), name)(
            lambda x, y: f(torch, x, y), (x, y), v, create_graph=create_graph
        )
        log.gradient(f"{name}: value", out)
        log.gradient(f"{name}: product", _values(product))


def hessian_with_a_graph(torch, log):
    x, y = _two(torch, requires_grad=True)
    found = _api(torch).hessian(lambda x: (x**3).sum() * y.sum(), x, create_graph=True)
    log.gradient("hessian", found)
    (g,) = torch.autograd.grad(found.sum(), x)
    log.gradient("third derivative", g)


def hessian_of_one_element(torch, log):
    x = torch.tensor([[2.0]], dtype=torch.float64)
    log("value of shape (1, 1)", _api(torch).hessian(lambda x: x**3, x))
    log("value of shape ()", _api(torch).hessian(lambda x: x.sum() ** 3, x))


@each(name=["hessian", "vhp", "hvp"])
def functions_that_are_not_scalar(torch, log, name):
    call = getattr(_api(torch), name)
    x, _ = _two(torch)
    v = () if name == "hessian" else (x,)
    with log.raises("two elements"):
        call(lambda x: x * x, x, *v)
    with log.raises("a tuple of one"):
        call(lambda x: (x.sum(),), x, *v)
    with log.raises("a tuple of two"):
        call(lambda x: (x.sum(), x.sum()), x, *v)
    with log.raises("no elements"):
        call(lambda x: x[:0], x, *v)


# ---------------------------------------------------------------- strict mode


_LOOSE = {
    "constant": lambda torch, x, y: _vector(torch, 1.0).sum(),
    "detached": lambda torch, x, y: (x.detach() * y.detach().sum()).sum(),
    "first_only": lambda torch, x, y: (x**3).sum(),
    "linear": lambda torch, x, y: 2 * x.sum() + 3 * y.sum(),
    "bilinear": lambda torch, x, y: x.sum() * y.sum(),
    "quadratic": lambda torch, x, y: (x * x).sum() + (y * y).sum(),
    "cubic": lambda torch, x, y: (x**3).sum() * (y**3).sum(),
}


@each(name=["vjp", "jvp", "jacobian", "hessian", "vhp", "hvp"], function=list(_LOOSE))
def strict(torch, log, name, function):
    f = _LOOSE[function]
    call = getattr(_api(torch), name)
    x, y = _two(torch)
    one = torch.tensor(1.0, dtype=torch.float64)
    v = {"jacobian": (), "hessian": (), "vjp": (one,)}.get(name, ((x, y),))
    for create_graph in (False, True):

        def attempt(create_graph=create_graph):
            found = call(
                lambda x, y: f(torch, x, y),
                (x.clone().requires_grad_(), y.clone().requires_grad_()),
                *v,
                strict=True,
                create_graph=create_graph,
            )
            return _values(found)

        log.attempt(f"create_graph={create_graph}", attempt)


@each(name=["vjp", "jvp", "jacobian", "hessian", "vhp", "hvp"], create_graph=[False, True])
def a_result_of_another_leaf(torch, log, name, create_graph):
    x, y = _two(torch)
    one = torch.tensor(1.0, dtype=torch.float64)
    v = {"jacobian": (), "hessian": (), "vjp": (one,)}.get(name, ((x, y),))

    def f(x, y):
        return x.detach().clone().requires_grad_().exp().sum()

    found = getattr(_api(torch), name)(f, (x, y), *v, create_graph=create_graph)
    log("found", _values(found))


def errors_of_the_function_pass_through(torch, log):
    def f(x):
        raise KeyError("of the function")

    x, _ = _two(torch)
    for name in ("jacobian", "hessian"):
        with log.raises(name):
            getattr(_api(torch), name)(f, x)
    with log.raises("forward"):
        _api(torch).jacobian(f, x, vectorize=True, strategy="forward-mode")
    log("afterwards", _api(torch).jacobian(torch.sin, x, vectorize=True, strategy="forward-mode"))


def the_grad_of_leaves_stays(torch, log):
    x, y = _two(torch, requires_grad=True)
    x.grad = torch.ones_like(x)
    _api(torch).jacobian(lambda x: torch.outer(x, y), x, create_graph=True)
    _api(torch).hessian(lambda x: (x**3).sum() * y.sum(), x)
    log("x.grad", x.grad)
    log("y.grad", y.grad)


def a_function_called_once_or_as_often_as_needed(torch, log):
    for strategy, keywords in _STRATEGIES.items():
        calls = []

        def f(x, calls=calls):
            calls.append(1)
            return x * x

        _api(torch).jacobian(f, _two(torch)[0], **keywords)
        log(strategy, len(calls))


def forward_mode_inside_a_level(torch, log):
    mode = torch.autograd.forward_ad
    x, _ = _two(torch)
    with mode.dual_level(), log.raises("jacobian"):
        _api(torch).jacobian(torch.sin, x, vectorize=True, strategy="forward-mode")


@each(name=["jacobian", "vjp", "jvp", "vhp", "hvp"], requires_grad=[False, True])
def inputs_that_move(torch, log, name, requires_grad):
    mode = torch.autograd.forward_ad
    x, _ = _two(torch, requires_grad=requires_grad)
    one = torch.tensor(1.0, dtype=torch.float64)
    v = {"jacobian": (), "vjp": (one,)}.get(name, (x.detach(),))
    with mode.dual_level():
        d = mode.make_dual(x, x.detach() * 2)
        found = getattr(_api(torch), name)(lambda x: (x**3).sum(), d, *v, create_graph=True)
        product = found if name == "jacobian" else found[1]
        tangent = mode.unpack_dual(product).tangent
        log("tangent", None if tangent is None else tangent.detach())


@each(strategy=list(_STRATEGIES))
def jacobian_of_integers(torch, log, strategy):
    with log.raises("jacobian"):
        _api(torch).jacobian(lambda x: x * 2.0, torch.tensor([1, 2]), **_STRATEGIES[strategy])


@each(strategy=list(_STRATEGIES))
def jacobian_with_integer_results(torch, log, strategy):
    x, _ = _two(torch)
    log.attempt(
        "jacobian", lambda: _api(torch).jacobian(lambda x: x.argmax(), x, **_STRATEGIES[strategy])
    )


def _cube(torch):
    class Cube(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, k):
            ctx.save_for_backward(x)
            ctx.save_for_forward(x)
            ctx.k = k
            return x**3 * k, x.exp()

        @staticmethod
        def backward(ctx, g, h):
            (x,) = ctx.saved_tensors
            return 3 * x * x * ctx.k * g + h * x.exp(), None

        @staticmethod
        def jvp(ctx, t, _):
            (x,) = ctx.saved_tensors
            return 3 * x * x * ctx.k * t, t * x.exp()

    return Cube


@each(strategy=list(_STRATEGIES))
def jacobian_of_a_custom_function(torch, log, strategy):
    x, _ = _two(torch)
    cube = _cube(torch)
    found = _api(torch).jacobian(lambda x: cube.apply(x * 2, 3.0), x, **_STRATEGIES[strategy])
    log("jacobian", _plain(found))


@each(strategy=list(_OUTER))
def hessian_of_a_custom_function(torch, log, strategy):
    x, _ = _two(torch)
    cube = _cube(torch)
    found = _api(torch).hessian(
        lambda x: cube.apply(x.flip(0), 3.0)[0].prod(), x, **_OUTER[strategy]
    )
    log("hessian", found.detach())


_INTEGERS = {
    "a result": lambda torch, x: (2 * x).long(),
    "one of two results": lambda torch, x: (2 * x, (2 * x).long()),
    "a constant": lambda torch, x: torch.tensor([1, 2]),
    "truth values": lambda torch, x: x > 1,
}


@each(function=list(_INTEGERS), create_graph=[False, True])
def jvp_with_integer_results(torch, log, function, create_graph):
    x = _vector(torch, 1.0, 2.0)
    log.attempt(
        "jvp",
        lambda: _api(torch).jvp(
            lambda x: _INTEGERS[function](torch, x), x, x, create_graph=create_graph
        ),
    )
