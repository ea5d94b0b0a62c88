"""The dtype of a result, for all pairs of dtypes: dimensioned, 0-d and Python operands.

Left out: a float16 vector beside a 0-d or Python complex number, which PyTorch makes
complex32, an experimental dtype that few of its operations accept.
"""

from ._harness import each

_DTYPES = [
    "bool",
    "uint8",
    "int8",
    "int16",
    "int32",
    "int64",
    "float16",
    "float32",
    "float64",
    "complex64",
    "complex128",
]
_SCALARS = {"bool": True, "int": 2, "float": 2.0, "complex": 2 + 0j}

_OPS = {
    "add": lambda torch, a, b: a + b,
    "sub": lambda torch, a, b: a - b,
    "mul": lambda torch, a, b: a * b,
    "div": lambda torch, a, b: a / b,
    "floordiv": lambda torch, a, b: a // b,
    "mod": lambda torch, a, b: a % b,
    "pow": lambda torch, a, b: a**b,
    "lt": lambda torch, a, b: a < b,
    "eq": lambda torch, a, b: a == b,
    "bitand": lambda torch, a, b: a & b,
}
_TENSOR_OPS = {
    **_OPS,
    "where": lambda torch, a, b: torch.where(torch.tensor(True), a, b),
    "maximum": lambda torch, a, b: torch.maximum(a, b),
    "atan2": lambda torch, a, b: torch.atan2(a, b),
    "logical_and": lambda torch, a, b: torch.logical_and(a, b),
}


def _gives_complex32(vector, other):
    return vector == "float16" and other.startswith("complex")


def _make(torch, dtype, shape):
    return torch.ones(shape, dtype=getattr(torch, dtype))


@each("op", op=list(_TENSOR_OPS), left=_DTYPES)
def tensor_and_tensor(torch, log, op, left):
    a = _make(torch, left, (2,))
    for right in _DTYPES:
        b = _make(torch, right, (2,))
        log.attempt(right, lambda b=b: _TENSOR_OPS[op](torch, a, b).dtype)


@each("op", op=list(_TENSOR_OPS), left=_DTYPES)
def tensor_and_0d(torch, log, op, left):
    a = _make(torch, left, (2,))
    for right in _DTYPES:
        if _gives_complex32(left, right):
            continue
        b = _make(torch, right, ())
        log.attempt(right, lambda b=b: _TENSOR_OPS[op](torch, a, b).dtype)
        log.attempt(f"{right} first", lambda b=b: _TENSOR_OPS[op](torch, b, a).dtype)


@each("op", op=["add", "div", "pow", "where"], left=_DTYPES)
def two_0d(torch, log, op, left):
    a = _make(torch, left, ())
    for right in _DTYPES:
        b = _make(torch, right, ())
        log.attempt(right, lambda b=b: _TENSOR_OPS[op](torch, a, b).dtype)


@each("op", op=list(_OPS), left=_DTYPES)
def tensor_and_python_scalar(torch, log, op, left):
    for shape, kind in (((2,), "vector"), ((), "0-d")):
        a = _make(torch, left, shape)
        for name, scalar in _SCALARS.items():
            if _gives_complex32(left, name):
                continue
            log.attempt(f"{kind}, {name}", lambda a=a, s=scalar: _OPS[op](torch, a, s).dtype)
            log.attempt(f"{name}, {kind}", lambda a=a, s=scalar: _OPS[op](torch, s, a).dtype)


@each(left=_DTYPES)
def where_with_python_scalars(torch, log, left):
    c = torch.tensor([True, False])
    a = _make(torch, left, (2,))
    for name, scalar in _SCALARS.items():
        if _gives_complex32(left, name):
            continue
        log.attempt(f"tensor, {name}", lambda s=scalar: torch.where(c, a, s).dtype)
        log.attempt(f"{name}, tensor", lambda s=scalar: torch.where(c, s, a).dtype)


def where_of_two_python_scalars(torch, log):
    c = torch.tensor([True, False])
    for n1, s1 in _SCALARS.items():
        for n2, s2 in _SCALARS.items():
            log.attempt(f"{n1}, {n2}", lambda s1=s1, s2=s2: torch.where(c, s1, s2))


@each(left=_DTYPES)
def cat_and_stack(torch, log, left):
    for right in _DTYPES:
        a, b = _make(torch, left, (2,)), _make(torch, right, (2,))
        log.attempt(f"cat {right}", lambda a=a, b=b: torch.cat([a, b]).dtype)
        log.attempt(f"stack {right}", lambda a=a, b=b: torch.stack([a, b]).dtype)


@each(left=_DTYPES)
def result_type_and_can_cast(torch, log, left):
    for right in _DTYPES:
        a, b = getattr(torch, left), getattr(torch, right)
        log(f"promote_types {right}", torch.promote_types(a, b))
        log(f"can_cast {right}", torch.can_cast(a, b))
    x = _make(torch, left, (2,))
    log("result_type with 1", torch.result_type(x, 1))
    log("result_type with 1.0", torch.result_type(x, 1.0))


_UNARY = [
    "sqrt",
    "exp",
    "log",
    "sin",
    "tanh",
    "sigmoid",
    "reciprocal",
    "abs",
    "neg",
    "sign",
    "floor",
    "round",
    "square",
    "relu",
    "isnan",
    "logical_not",
    "sum",
    "prod",
    "mean",
    "cumsum",
    "max",
    "argmax",
    "any",
    "all",
    "norm",
    "var",
    "erf",
    "clone",
    "conj",
    "angle",
]


@each("op", op=_UNARY)
def one_operand(torch, log, op):
    for dtype in _DTYPES:
        x = _make(torch, dtype, (2,))
        arguments = (0,) if op == "cumsum" else ()
        log.attempt(dtype, lambda x=x, arguments=arguments: getattr(x, op)(*arguments).dtype)


@each("op", op=["sum", "prod", "mean", "cumsum", "softmax", "norm"])
def dtype_keyword(torch, log, op):
    arguments = (0,) if op in ("cumsum", "softmax") else ()
    for dtype in _DTYPES:
        x = torch.tensor([1, 2])
        kind = getattr(torch, dtype)
        log.attempt(dtype, lambda x=x, kind=kind: getattr(x, op)(*arguments, dtype=kind).dtype)


@each(target=_DTYPES)
def conversion_of_values(torch, log, target):
    kind = getattr(torch, target)
    log("from float", torch.tensor([0.0, 0.5, 1.75, 3.0]).to(kind))
    log("from int", torch.tensor([0, 1, 100]).to(kind))
    log("from bool", torch.tensor([True, False]).to(kind))


def conversion_methods(torch, log):
    x = torch.tensor([1.5, 0.0])
    for name in ("float", "double", "half", "int", "long", "short", "bool", "cfloat", "cdouble"):
        log(name, getattr(x, name)())
    log("byte", x.byte())
    log("char", x.char())
    log("type", x.type(torch.float64))
    log("type by name", x.type("torch.DoubleTensor"))
    log("type()", x.type())
    log("to of another", x.to(torch.ones(1, dtype=torch.float64)))
    log("type_as", x.type_as(torch.tensor([1])))


def conversion_to_the_same_dtype_is_the_same_object(torch, log):
    x = torch.ones(2, requires_grad=True)
    log("float", x.float() is x)
    log("to", x.to(torch.float32) is x)
    log("type", x.type(torch.float32) is x)
    log("copy", x.to(torch.float32, copy=True) is x)
    log("contiguous", x.contiguous() is x)


def integer_arithmetic(torch, log):
    a, b = torch.tensor([7, -7, 5]), torch.tensor([2, 2, -3])
    log("div", a / b)
    log("floordiv", a // b)
    log("mod", a % b)
    log("fmod", torch.fmod(a, b))
    log("trunc", torch.div(a, b, rounding_mode="trunc"))
    log("floor", torch.div(a, b, rounding_mode="floor"))
    log("pow", a ** torch.tensor([2, 3, 0]))
    log("bits", [a & b, a | b, a ^ b, ~a, a << 1, a >> 1])
    with log.raises("division by zero"):
        a // 0
    with log.raises("remainder by zero"):
        a % 0


def integer_overflow_wraps(torch, log):
    log("uint8", torch.tensor([250], dtype=torch.uint8) + 10)
    log("int8", torch.tensor([127], dtype=torch.int8) + 1)
    log("int32", torch.tensor([2**31 - 1], dtype=torch.int32) + 1)
    log("uint8 negated", -torch.tensor([1], dtype=torch.uint8))
    log("sum of int8 is int64", torch.tensor([127, 127], dtype=torch.int8).sum())
    log.attempt("scalar too large", lambda: torch.tensor([1], dtype=torch.uint8) + 300)


def boolean_arithmetic(torch, log):
    a, b = torch.tensor([True, True]), torch.tensor([True, False])
    log("add", a + b)
    log("mul", a * b)
    log("sum", a.sum())
    log("add int", a + 1)
    log("add float", a + 0.5)
    log("and or xor not", [a & b, a | b, a ^ b, ~b])
    log("eq", a == b)
    with log.raises("sub"):
        a - b


def float_edge_arithmetic(torch, log):
    x = torch.tensor([1.0, -1.0, 0.0, float("inf"), float("nan")])
    log("div by zero", x / 0)
    log("floordiv by zero", x // 0)
    log("mod", x % 2)
    log("mod negative", x % -2)
    log("pow zero", x**0)
    log("pow half", x**0.5)
    log("compare", [x == x, x < 0, x >= 0])
    log("isnan", x.isnan())
    log("isinf", x.isinf())
    log("isfinite", x.isfinite())
    log("float32 overflow", torch.tensor([3e38]) * 10)


def gradients_keep_the_dtype_of_their_leaf(torch, log):
    for left in ("float16", "float32", "float64"):
        for right in ("float16", "float32", "float64"):
            a = torch.ones(2, dtype=getattr(torch, left), requires_grad=True)
            b = torch.ones((), dtype=getattr(torch, right), requires_grad=True)
            y = (a * b).sum()
            y.backward()
            log(f"{left} {right}", [y.dtype, a.grad.dtype, b.grad.dtype])


@each(
    dtype=["float16", "float32", "float64", "int64", "bool"],
    weight=["float16", "float32", "float64", "int64", "bool"],
    shape=[(3,), ()],
)
def weights_without_axes(torch, log, dtype, weight, shape):
    """A weight of `lerp` without axes may have a dtype of its own, as the operands of a sum may."""
    x, y = (torch.full(shape, n).to(getattr(torch, dtype)) for n in (2, 5))
    w = torch.tensor(0.25 if weight != "bool" else True).to(getattr(torch, weight))
    for t in (x, w):
        if t.is_floating_point():
            t.requires_grad_()
    log.attempt("outcome", lambda: torch.lerp(x, y, w), words=False)
    log.attempt("one axis", lambda: torch.lerp(x, y, w.reshape(1)), words=False)
    log.attempt("in place", lambda: x.detach().clone().lerp_(y, w.detach()), words=False)
    leaves = [t for t in (x, w) if t.requires_grad]
    if leaves and dtype not in ("int64", "bool") and weight != "bool":
        log("gradients", torch.autograd.grad(torch.lerp(x, y, w).sum(), leaves))
