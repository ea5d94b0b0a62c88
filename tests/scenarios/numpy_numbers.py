"""Scalars of NumPy in the place of Python numbers: what takes a number takes them."""

import operator

from ._harness import each

_OPERATORS = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "eq", "lt", "ge")
_NUMBERS = ("float64", "float32", "float16", "int64", "int32", "uint8", "bool_")


def _functions(torch):
    F = torch.nn.functional
    x = torch.tensor([[0.3, 1.2, 2.5], [0.7, 0.9, 1.1]], dtype=torch.float64)
    square = x[:, :2]
    return {
        **{
            name: lambda v, name=name: getattr(torch, name)(x, v)
            for name in (
                "add", "sub", "mul", "div", "true_divide", "pow", "float_power", "remainder",
                "fmod", "floor_divide", "eq", "ne", "lt", "le", "gt", "ge", "xlogy", "copysign",
            )
        },
        "pow of a number": lambda v: torch.pow(v, x),
        "float_power of a number": lambda v: torch.float_power(v, x),
        "xlogy of a number": lambda v: torch.xlogy(v, x),
        "norm": lambda v: x.norm(p=v),
        "norm of rows": lambda v: torch.norm(x, v, dim=1),
        "linalg.vector_norm": lambda v: torch.linalg.vector_norm(x, v),
        "linalg.norm": lambda v: torch.linalg.norm(x, v, dim=0),
        "dist": lambda v: torch.dist(x, x * 2, v),
        "renorm": lambda v: torch.renorm(x, v, 0, v),
        "normalize": lambda v: F.normalize(x, v),
        "quantile": lambda v: x.quantile(v),
        "lerp": lambda v: torch.lerp(x, x * 2, v),
        "clamp": lambda v: x.clamp(v),
        "clamp max": lambda v: x.clamp(max=v),
        "addcmul": lambda v: torch.addcmul(x, x, x, value=v),
        "addcdiv": lambda v: torch.addcdiv(x, x, x, value=v),
        "addmm": lambda v: torch.addmm(square, x, x.t(), beta=v, alpha=v),
        "addr": lambda v: torch.addr(x, x[:, 0], x[0], beta=v, alpha=v),
        "full": lambda v: torch.full((2,), v),
        "full_like": lambda v: torch.full_like(x, v),
        "new_full": lambda v: x.new_full((2,), v),
        "arange": lambda v: torch.arange(v),
        "linspace": lambda v: torch.linspace(0, v, 3),
        "masked_fill": lambda v: x.masked_fill(x > 1, v),
        "index_fill": lambda v: x.index_fill(0, torch.tensor([0]), v),
        "fill_": lambda v: x.clone().fill_(v),
        "where": lambda v: torch.where(x > 1, x, v),
        "threshold": lambda v: F.threshold(x, v, v),
        "leaky_relu": lambda v: F.leaky_relu(-x, v),
        "elu": lambda v: F.elu(-x, v),
        "softplus": lambda v: F.softplus(x, v, v),
        "hardtanh": lambda v: F.hardtanh(x, -2, v),
        "nan_to_num": lambda v: torch.nan_to_num(x / 0, v, v, v),
        "logit": lambda v: torch.logit(x / 3, eps=v),
        "cross_entropy": lambda v: F.cross_entropy(
            x, torch.tensor([0, 1]), label_smoothing=v
        ),
    }  # fmt: skip


@each(kind=list(_NUMBERS), value=[1, 0.5])
def of_functions(torch, log, kind, value):
    import numpy as np

    v = getattr(np, kind)(value)
    for name, call in _functions(torch).items():
        if not (kind == "bool_" and name in ("fill_", "index_fill", "masked_fill", "where")):
            log.attempt(name, lambda call=call: call(v))


@each(kind=list(_NUMBERS))
def of_operators(torch, log, kind):
    import numpy as np

    v = getattr(np, kind)(1)
    x = torch.tensor([0.3, 1.2], dtype=torch.float64)
    i = torch.tensor([3, 1])
    for name in _OPERATORS:
        f = getattr(operator, name)
        for label, y in (("floats", x), ("integers", i)):
            log.attempt(f"{label} {name}", lambda f=f, y=y: f(y, v))
            log.attempt(f"{name} {label}", lambda f=f, y=y: f(v, y))


@each(kind=["int64", "int32", "uint8"])
def of_sizes(torch, log, kind):
    import numpy as np

    x = torch.arange(6.0).reshape(2, 3)
    v = getattr(np, kind)(1)
    for name, call in {
        "sum": lambda: x.sum(v), "softmax": lambda: x.softmax(v), "chunk": lambda: x.chunk(v),
        "unsqueeze": lambda: x.unsqueeze(v), "narrow": lambda: x.narrow(1, v, 1),
        "roll": lambda: x.roll(v, 0), "topk": lambda: x.topk(v)[0], "tril": lambda: x.tril(v),
        "kthvalue": lambda: x.kthvalue(v)[0], "cumsum": lambda: x.cumsum(v),
        "view": lambda: x.view(v, 6), "repeat": lambda: x.repeat(v, 2),
        "tensor_split": lambda: x.tensor_split(v), "flatten": lambda: x.flatten(0, v),
        "getitem": lambda: x[v], "slice": lambda: x[:, v:], "eye": lambda: torch.eye(v),
        "unfold": lambda: x.unfold(1, v, v), "std": lambda: x.std(correction=v),
    }.items():  # fmt: skip
        log.attempt(name, call)
