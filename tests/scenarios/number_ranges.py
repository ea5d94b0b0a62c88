"""Numbers that a dtype cannot hold, wherever Python's numbers become elements of tensors."""

from functools import partial

from ._harness import each

_DTYPES = ["uint8", "int8", "int32", "int64", "float16", "float32", "bool", "complex64"]
_NUMBERS = {
    "10**30": 10**30,
    "-10**30": -(10**30),
    "2**64": 2**64,
    "2**63": 2**63,
    "-2**63-1": -(2**63) - 1,
    "300": 300,
    "-1": -1,
    "-129": -129,
    "-1.5": -1.5,
    "70000.0": 70000.0,
    "1e39": 1e39,
    "nan": float("nan"),
    "inf": float("inf"),
    "1j": 1j,
    "2+0j": 2 + 0j,
}


# Dtypes that do not exist here, and a conversion that C leaves undefined.
_NOT_HERE = {
    ("where", "float16", "1j"),
    ("where", "float16", "2+0j"),
    ("where", "bool", "2**63"),
    ("clamp", "bool", "2**63"),
    ("pad", "int64", "2**63"),
}


def _assigned(x, key, value):
    x[key] = value
    return x


_CALLS = {
    "full": lambda torch, x, v: torch.full((2,), v, dtype=x.dtype),
    "full_like": lambda torch, x, v: torch.full_like(x, v),
    "new_full": lambda torch, x, v: x.new_full((2,), v),
    "scalar_tensor": lambda torch, x, v: torch.scalar_tensor(v, dtype=x.dtype),
    "tensor": lambda torch, x, v: torch.tensor([v], dtype=x.dtype),
    "as_tensor": lambda torch, x, v: torch.as_tensor(v, dtype=x.dtype),
    "new_tensor": lambda torch, x, v: x.new_tensor(v),
    "arange": lambda torch, x, v: torch.arange(v, v, dtype=x.dtype),
    "linspace": lambda torch, x, v: torch.linspace(0, v, 2, dtype=x.dtype),
    "fill_": lambda torch, x, v: x.fill_(v),
    "fill_diagonal_": lambda torch, x, v: x.view(1, 2).fill_diagonal_(v),
    "masked_fill": lambda torch, x, v: x.masked_fill(torch.tensor([True, False]), v),
    "masked_fill_": lambda torch, x, v: x.masked_fill_(torch.tensor([True, False]), v),
    "index_fill": lambda torch, x, v: x.index_fill(0, torch.tensor([1]), v),
    "scatter": lambda torch, x, v: x.scatter(0, torch.tensor([0]), v),
    "pad": lambda torch, x, v: torch.nn.functional.pad(x, (0, 1), value=v),
    "where": lambda torch, x, v: torch.where(torch.tensor([True, False]), x, v),
    "clamp": lambda torch, x, v: x.clamp(min=v),
    "x[0] = v": lambda torch, x, v: _assigned(x, 0, v),
    "x[:] = v": lambda torch, x, v: _assigned(x, slice(None), v),
    "x[mask] = v": lambda torch, x, v: _assigned(x, torch.tensor([True, False]), v),
    "x[[1]] = v": lambda torch, x, v: _assigned(x, [1], v),
}


@each("call", call=[*_CALLS], dtype=_DTYPES)
def number_out_of_range(torch, log, call, dtype):
    for name, number in _NUMBERS.items():
        if (call, dtype, name) in _NOT_HERE or (call == "pad" and isinstance(number, complex)):
            continue
        x = torch.zeros(2, dtype=getattr(torch, dtype))
        log.attempt(name, partial(_CALLS[call], torch, x, number))


@each("call", call=["full", "arange", "tensor", "scalar_tensor"])
def number_without_dtype(torch, log, call):
    make = {
        "full": lambda v: torch.full((2,), v),
        "arange": lambda v: torch.arange(v, v),
        "tensor": lambda v: torch.tensor([v]),
        "scalar_tensor": lambda v: torch.scalar_tensor(v),
    }[call]
    for name, number in _NUMBERS.items():
        log.attempt(name, partial(make, number))


@each(ct=[0.0, 1.0, float("inf")])
def gradients_of_xlogy_beside_singular_points(torch, log, ct):
    numbers = [0.0, -0.0, 1.0, -1.0, 2.0, 0.5, float("inf"), float("-inf"), float("nan")]
    points = torch.tensor([[a, b] for a in numbers for b in numbers], dtype=torch.float64)
    x, y = points[:, 0].clone().requires_grad_(), points[:, 1].clone().requires_grad_()
    for name, result in {"plain": torch.xlogy(x, y), "power": 1.0 ** torch.xlogy(x, y)}.items():
        found = torch.autograd.grad(result, [x, y], torch.full_like(x, ct))
        log(f"{name} in x", found[0])
        log(f"{name} in y", found[1][(x != 0) | (y != 0)])
