"""Operators called by their reflected names, splitting at places that a tensor holds, and norms of
matrices made of singular values."""

from ._harness import each

_OPERATORS = (
    "add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "and", "or", "xor", "lshift",
    "rshift", "matmul", "div",
)  # fmt: skip


@each("name", name=list(_OPERATORS))
def reflected(torch, log, name):
    def call(a, b):
        found = getattr(a, f"__r{name}__")(b)
        return "NotImplemented" if found is NotImplemented else found

    integers = torch.tensor([5, 7]), torch.tensor([2, 3])
    x = torch.tensor([5.0, 7.0], dtype=torch.float64, requires_grad=True)
    y = torch.tensor([2.0, 3.0], dtype=torch.float64, requires_grad=True)
    log.attempt("integers", lambda: call(*integers))
    log.attempt("floats", lambda: call(x, y))
    if name not in ("floordiv", "and", "or", "xor", "lshift", "rshift"):
        log("gradients", torch.autograd.grad(call(x, y).sum(), (x, y), allow_unused=True))
        log("second", torch.autograd.grad((call(x, y) ** 2).sum(), x)[0])
    log.attempt("a number", lambda: call(integers[0], 2))
    log.attempt("a float", lambda: call(x.detach(), 2.5))
    log.attempt("0-d and 1-d", lambda: call(torch.tensor(5), torch.tensor([2.0, 3.0])))
    log.attempt("bools and integers", lambda: call(torch.tensor([True, True]), integers[1]))
    log.attempt("bools and a bool", lambda: call(torch.tensor([True, True]), True))
    log.attempt("text", lambda: call(x, "a"))
    log.attempt("None", lambda: call(x, None))


def split_at_places_of_a_tensor(torch, log):
    x = torch.arange(8.0)
    m = torch.arange(24.0).reshape(4, 6)
    for label, call in {
        "places": lambda: torch.tensor_split(x, torch.tensor([1, 6])),
        "none": lambda: torch.tensor_split(x, torch.tensor([], dtype=torch.int64)),
        "a number": lambda: x.tensor_split(torch.tensor(3)),
        "of columns": lambda: torch.tensor_split(m, torch.tensor([1, 3]), dim=1),
        "by name": lambda: torch.tensor_split(x, tensor_indices_or_sections=torch.tensor([1, 6])),
        "indices": lambda: torch.tensor_split(x, indices=[1, 6]),
        "sections": lambda: torch.tensor_split(x, sections=3),
        "floats": lambda: torch.tensor_split(x, torch.tensor([1.0, 3.0])),
        "int32": lambda: torch.tensor_split(x, torch.tensor([1, 6], dtype=torch.int32)),
        "two axes": lambda: torch.tensor_split(x, torch.tensor([[1, 3]])),
        "nothing": lambda: torch.tensor_split(x, torch.tensor(0)),
        "of a number": lambda: torch.tensor_split(torch.tensor(1.0), torch.tensor([1])),
        "numbers of tensors": lambda: torch.tensor_split(x, [torch.tensor(1), 3]),
    }.items():
        log.attempt(label, call)


_MATRICES = {
    "wide": [[1.0, 2.0, 3.0], [4.0, 5.0, 6.5]],
    "square": [[2.0, 1.0, 0.3], [1.0, 3.0, 0.2], [0.1, 0.2, 1.0]],
    "stack": [[[1.0, 0.5], [0.2, 2.0], [0.3, -1.0]], [[0.7, -0.5], [1.2, 1.0], [2.3, 0.1]]],
}


@each(matrix=list(_MATRICES), order=["nuc", 2, -2], complex=[False, True])
def norms_of_singular_values(torch, log, matrix, order, complex):
    x = torch.tensor(_MATRICES[matrix], dtype=torch.float64)
    if complex:
        x = x * torch.tensor(0.5 + 0.25j) + 0.1j * x * x
    x.requires_grad_()

    def both(label, call):
        value = call()
        log(label, value)
        (g,) = torch.autograd.grad(value.sum(), x, create_graph=True)
        log.gradient(f"{label}, gradient", g)
        weight = torch.arange(1.0, 1.0 + g.numel(), dtype=torch.float64).reshape(g.shape)
        total = (g.real * weight).sum() if complex else (g * weight).sum()
        log.gradient(f"{label}, second", torch.autograd.grad(total, x)[0])

    both("linalg.norm", lambda: torch.linalg.norm(x, order, dim=(-2, -1)))
    both("kept", lambda: torch.linalg.norm(x, order, dim=(0, -1), keepdim=True))
    if order == "nuc":
        both("norm", lambda: x.norm(p="nuc", dim=(-2, -1)))


def norms_of_singular_values_refuse(torch, log):
    for label, call in {
        "a vector": lambda: torch.ones(2).norm(p="nuc"),
        "a stack": lambda: torch.ones(2, 2, 2).norm(p="nuc"),
        "one axis": lambda: torch.ones(2, 2).norm(p="nuc", dim=0),
        "integers": lambda: torch.linalg.norm(torch.ones(2, 2, dtype=torch.int64), 2),
        "half": lambda: torch.linalg.norm(torch.ones(2, 2, dtype=torch.float16), 2),
        "nan": lambda: torch.linalg.norm(torch.full((2, 2), float("nan")), -2),
        "twice one axis": lambda: torch.linalg.norm(torch.ones(2, 2), 2, dim=(0, 0)),
        "another word": lambda: torch.norm(torch.ones(2, 2), p="abc"),
        "3": lambda: torch.linalg.norm(torch.ones(2, 2), 3),
    }.items():
        log.attempt(label, call)


@each(
    "name",
    name=["leaky_relu", "elu"],
    factor=[-0.5, 0.0, 0.5],
    form=["function_", "inplace=True", "out of place"],
)
def activations_with_a_falling_side(torch, log, name, factor, form):
    F = torch.nn.functional
    x = torch.tensor([-1.0, 0.3, 2.0, -0.2], dtype=torch.float64, requires_grad=True)
    y = x * 1
    if form == "function_":
        z = getattr(F, f"{name}_")(y, factor)
    else:
        z = getattr(F, name)(y, factor, inplace=form == "inplace=True")
    log("value", z)
    log.attempt("gradient", lambda: torch.autograd.grad(z.sum(), x)[0])
    with torch.no_grad():
        log("without record", getattr(F, f"{name}_")(x * 1, factor))


@each(value=[0.1, 1.1, 3.3, 1e10], dtype=["float32", "float64"])
def spread_of_a_constant_column(torch, log, value, dtype):
    x = torch.full((7, 2), value, dtype=getattr(torch, dtype), requires_grad=True)
    for unbiased in (True, False):
        y = x.std(0, unbiased=unbiased)
        log(f"std {unbiased}", y)
        log.gradient(f"std {unbiased}, gradient", torch.autograd.grad(y.sum(), x)[0])
        log(f"var {unbiased}", x.var(0, unbiased=unbiased))


@each(include=[True, False], zeros=[0, 1])
def second_derivatives_of_scattered_products(torch, log, include, zeros):
    x = torch.tensor([1.5, 2.0, -3.0, 0.7], dtype=torch.float64, requires_grad=True)
    values = [0.0] * zeros + [3.0, 0.5, 4.0, 0.7][zeros:]
    s = torch.tensor([*values, -1.0], dtype=torch.float64, requires_grad=True)
    y = x.scatter_reduce(0, torch.tensor([0, 0, 1, 1, 3]), s, "prod", include_self=include)
    log("value", y)
    for name, wanted in (("x", (x,)), ("s", (s,)), ("both", (x, s))):
        first = torch.autograd.grad((y * y).sum(), wanted, create_graph=True)
        for i, g in enumerate(first):
            log.gradient(f"{name} {i}", g)
            found = torch.autograd.grad((g * g).sum(), (x, s), allow_unused=True, retain_graph=True)
            for j, h in enumerate(found):
                log.gradient(f"{name} {i}, second {j}", h)
