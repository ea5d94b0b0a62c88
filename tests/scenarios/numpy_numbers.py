"""Scalars of NumPy in the place of Python numbers: what takes a number takes them."""

import itertools
import operator

from ._harness import each

_OPERATORS = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "eq", "lt", "ge")
_NUMBERS = ("float64", "float32", "float16", "int64", "int32", "uint8", "bool_")


_FUNCTIONS = {
    **{
        name: lambda torch, x, v, name=name: getattr(torch, name)(x, v)
        for name in (
            "add", "sub", "mul", "div", "true_divide", "pow", "float_power", "remainder",
            "fmod", "floor_divide", "eq", "ne", "lt", "le", "gt", "ge", "xlogy", "copysign",
        )
    },
    "pow of a number": lambda torch, x, v: torch.pow(v, x),
    "float_power of a number": lambda torch, x, v: torch.float_power(v, x),
    "xlogy of a number": lambda torch, x, v: torch.xlogy(v, x),
    "norm": lambda torch, x, v: x.norm(p=v),
    "norm of rows": lambda torch, x, v: torch.norm(x, v, dim=1),
    "linalg.vector_norm": lambda torch, x, v: torch.linalg.vector_norm(x, v),
    "linalg.norm": lambda torch, x, v: torch.linalg.norm(x, v, dim=0),
    "dist": lambda torch, x, v: torch.dist(x, x * 2, v),
    "renorm": lambda torch, x, v: torch.renorm(x, v, 0, v),
    "normalize": lambda torch, x, v: torch.nn.functional.normalize(x, v),
    "quantile": lambda torch, x, v: x.quantile(v),
    "lerp": lambda torch, x, v: torch.lerp(x, x * 2, v),
    "clamp": lambda torch, x, v: x.clamp(v),
    "clamp max": lambda torch, x, v: x.clamp(max=v),
    "addcmul": lambda torch, x, v: torch.addcmul(x, x, x, value=v),
    "addcdiv": lambda torch, x, v: torch.addcdiv(x, x, x, value=v),
    "addmm": lambda torch, x, v: torch.addmm(x[:, :2], x, x.t(), beta=v, alpha=v),
    "addr": lambda torch, x, v: torch.addr(x, x[:, 0], x[0], beta=v, alpha=v),
    "full": lambda torch, x, v: torch.full((2,), v),
    "full_like": lambda torch, x, v: torch.full_like(x, v),
    "new_full": lambda torch, x, v: x.new_full((2,), v),
    "arange": lambda torch, x, v: torch.arange(v),
    "linspace": lambda torch, x, v: torch.linspace(0, v, 3),
    "masked_fill": lambda torch, x, v: x.masked_fill(x > 1, v),
    "index_fill": lambda torch, x, v: x.index_fill(0, torch.tensor([0]), v),
    "fill_": lambda torch, x, v: x.clone().fill_(v),
    "where": lambda torch, x, v: torch.where(x > 1, x, v),
    "threshold": lambda torch, x, v: torch.nn.functional.threshold(x, v, v),
    "leaky_relu": lambda torch, x, v: torch.nn.functional.leaky_relu(-x, v),
    "elu": lambda torch, x, v: torch.nn.functional.elu(-x, v),
    "softplus": lambda torch, x, v: torch.nn.functional.softplus(x, v, v),
    "hardtanh": lambda torch, x, v: torch.nn.functional.hardtanh(x, -2, v),
    "nan_to_num": lambda torch, x, v: torch.nan_to_num(x / 0, v, v, v),
    "logit": lambda torch, x, v: torch.logit(x / 3, eps=v),
    "cross_entropy": lambda torch, x, v: torch.nn.functional.cross_entropy(
        x, torch.tensor([0, 1]), label_smoothing=v
    ),
}  # fmt: skip


@each("function", function=list(_FUNCTIONS))
def of_functions(torch, log, function):
    import numpy as np

    x = torch.tensor([[0.3, 1.2, 2.5], [0.7, 0.9, 1.1]], dtype=torch.float64)
    for kind, value in itertools.product(_NUMBERS, (1, 0.5)):
        if kind != "bool_" or function not in ("fill_", "index_fill", "masked_fill", "where"):
            v = getattr(np, kind)(value)
            log.attempt(f"{kind} {value}", lambda v=v: _FUNCTIONS[function](torch, x, v))


@each("name", name=list(_OPERATORS))
def of_operators(torch, log, name):
    import numpy as np

    x = torch.tensor([0.3, 1.2], dtype=torch.float64)
    i = torch.tensor([3, 1])
    f = getattr(operator, name)
    for kind in _NUMBERS:
        v = getattr(np, kind)(1)
        for label, y in (("floats", x), ("integers", i)):
            log.attempt(f"{label} {kind}", lambda y=y, v=v: f(y, v))
            log.attempt(f"{kind} {label}", lambda y=y, v=v: f(v, y))


_OF_SIZES = {
    "sum": lambda torch, x, v: x.sum(v),
    "softmax": lambda torch, x, v: x.softmax(v),
    "chunk": lambda torch, x, v: x.chunk(v),
    "unsqueeze": lambda torch, x, v: x.unsqueeze(v),
    "narrow": lambda torch, x, v: x.narrow(1, v, 1),
    "roll": lambda torch, x, v: x.roll(v, 0),
    "topk": lambda torch, x, v: x.topk(v)[0],
    "tril": lambda torch, x, v: x.tril(v),
    "kthvalue": lambda torch, x, v: x.kthvalue(v)[0],
    "cumsum": lambda torch, x, v: x.cumsum(v),
    "view": lambda torch, x, v: x.view(v, 6),
    "repeat": lambda torch, x, v: x.repeat(v, 2),
    "tensor_split": lambda torch, x, v: x.tensor_split(v),
    "flatten": lambda torch, x, v: x.flatten(0, v),
    "getitem": lambda torch, x, v: x[v],
    "slice": lambda torch, x, v: x[:, v:],
    "eye": lambda torch, x, v: torch.eye(v),
    "unfold": lambda torch, x, v: x.unfold(1, v, v),
    "std": lambda torch, x, v: x.std(correction=v),
}


@each("function", function=list(_OF_SIZES))
def of_sizes(torch, log, function):
    import numpy as np

    x = torch.arange(6.0).reshape(2, 3)
    for kind in ("int64", "int32", "uint8"):
        v = getattr(np, kind)(1)
        log.attempt(kind, lambda v=v: _OF_SIZES[function](torch, x, v))
