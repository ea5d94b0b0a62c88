"""Dtypes: promotion of tensors and numbers, conversion, and what the creation functions infer."""

from __future__ import annotations

import operator
from itertools import product

import numpy as np

from .table import Arg, c, f, f32, i, table, v

case = table("promotion")
FEW = ["bool", "int32", "int64", "float32", "float64"]
SOME = [*FEW, "uint8", "float16", "complex64"]
ALL = [*SOME, "int8", "int16", "complex128"]


def arg(dtype: str, dims: int) -> Arg:
    values = [True, True] if dtype == "bool" else [2, 3]
    return v(values if dims else values[0], dtype)


for one, two in product(SOME, SOME):
    if {one, two} == {"float16", "complex64"}:
        continue  # may give complex32, which there is not
    for dims in ((1, 1), (1, 0), (0, 1)):
        case(
            f"add-{one}-{two}-{dims[0]}d{dims[1]}d",
            lambda t, x, y: x + y,
            arg(one, dims[0]),
            arg(two, dims[1]),
        )
for name, op in {
    "div": operator.truediv,
    "pow": operator.pow,
    "mul": operator.mul,
    "lt": operator.lt,
}.items():
    for one, two in product(FEW, FEW):
        if name != "pow" or ("float" in one + two and two != "bool"):
            for dims in ((1, 1), (1, 0)):
                label = f"{name}-{one}-{two}-{dims[0]}d{dims[1]}d"
                case(label, lambda t, x, y, op=op: op(x, y), arg(one, dims[0]), arg(two, dims[1]))
for name in ("maximum", "minimum", "atan2"):
    for one, two in product(FEW, FEW):
        if name != "atan2" or (
            not (two == "bool" and "float" in one) and not (one == "bool" and "float" in two)
        ):
            case(
                f"{name}-{one}-{two}",
                lambda t, x, y, n=name: getattr(t, n)(x, y),
                arg(one, 1),
                arg(two, 1),
            )
for one, two in product(FEW, FEW):
    case(
        f"where-{one}-{two}",
        lambda t, m, x, y: t.where(m, x, y),
        v([True, False], "bool"),
        arg(one, 1),
        arg(two, 1),
    )
    case(
        f"where-{one}-{two}-0d",
        lambda t, m, x, y: t.where(m, x, y),
        v([True, False], "bool"),
        arg(one, 1),
        arg(two, 0),
    )
    case(f"cat-{one}-{two}", lambda t, x, y: t.cat([x, y]), arg(one, 1), arg(two, 1))
    case(f"stack-{one}-{two}", lambda t, x, y: t.stack([x, y]), arg(one, 0), arg(two, 0))
    case(
        f"result_type-{one}-{two}",
        lambda t, x, y: str(t.result_type(x, y)).split(".")[-1],
        arg(one, 1),
        arg(two, 0),
    )
    case(
        f"promote_types-{one}-{two}",
        lambda t, one=one, two=two: str(t.promote_types(getattr(t, one), getattr(t, two))).split(
            "."
        )[-1],
    )
NUMBERS = {"True": True, "2": 2, "2.5": 2.5, "1j": 1j}
FORMS = {
    "add": lambda x, n: x + n,
    "radd": lambda x, n: n + x,
    "mul": lambda x, n: x * n,
    "div": lambda x, n: x / n,
    "rdiv": lambda x, n: n / x,
    "pow": lambda x, n: x**n,
    "rpow": lambda x, n: n**x,
    "eq": lambda x, n: x == n,
}
for dtype, (text, number), (form, op) in product(ALL, NUMBERS.items(), FORMS.items()):
    # There is no complex32; `True**x` has a case of its own among the deliberate differences.
    if (dtype, text) != ("float16", "1j") and (form, text) != ("rpow", "True"):
        for dims in (0, 1):
            case(
                f"{form}-{dtype}-{text}-{dims}d",
                lambda t, x, n=number, op=op: op(x, n),
                arg(dtype, dims),
            )
for dtype, scalar in product(FEW, (np.float32(2.5), np.float64(2.5), np.int64(2), np.bool_(True))):
    case(f"numpy-{dtype}-{type(scalar).__name__}", lambda t, x, n=scalar: x * n, arg(dtype, 1))
for one, two in product(FEW, FEW):  # gradients come back in the dtype of the input
    case(f"chain-{one}-{two}", lambda t, x, y: (x * y).sum() * x.sum(), arg(one, 1), arg(two, 1))
    case(f"chain-0d-{one}-{two}", lambda t, x, y: (x * y) / y, arg(one, 1), arg(two, 0))

convert = table("conversion")
NAMES = {
    "double": "float64",
    "float": "float32",
    "half": "float16",
    "int": "int32",
    "long": "int64",
    "short": "int16",
    "bool": "bool",
    "cfloat": "complex64",
    "cdouble": "complex128",
}
for name, dtype in NAMES.items():
    for source in ("float64", "float32", "int64", "bool"):
        convert(f"{name}-from-{source}", lambda t, x, n=name: getattr(x, n)(), arg(source, 1))
    convert(f"to-{dtype}", lambda t, x, d=dtype: x.to(getattr(t, d)), f(3))
    convert(f"to-{dtype}-keyword", lambda t, x, d=dtype: x.to(dtype=getattr(t, d)), f32(3))
    convert(f"type-{dtype}", lambda t, x, d=dtype: x.type(getattr(t, d)), f(3))
    convert(f"tensor-{dtype}", lambda t, d=dtype: t.tensor([0, 1, 2], dtype=getattr(t, d)))
    convert(f"zeros-{dtype}", lambda t, d=dtype: t.zeros(2, dtype=getattr(t, d)))
    if not dtype.startswith(("int", "bool")):
        convert(f"{name}-0d", lambda t, x, n=name: getattr(x, n)(), f())
        convert(f"{name}-empty", lambda t, x, n=name: getattr(x, n)(), f(0))
        convert(
            f"{name}-then-square",
            lambda t, x, n=name: getattr(x, n)() ** 2,
            f(3),
            rtol=1e-3 if name == "half" else None,
        )
convert("to-other", lambda t, x, y: x.to(y), f(3), f32(1))
convert("to-cpu", lambda t, x: x.to("cpu"), f(3))
convert("cpu", lambda t, x: x.cpu(), f(3))
convert("type_as", lambda t, x, y: x.type_as(y), f(3), f32(1))
convert("type-string", lambda t, x: (x * 1).type("torch.FloatTensor"), f(3))
convert("to-copy", lambda t, x: x.to(t.float64, copy=True), f(3))
convert("float-truncates", lambda t, x: x.int(), v([1.9, -1.9, 0.5]))
convert("mixed-chain", lambda t, x: (x.double() * x).sum(), f32(3))
convert("there-and-back", lambda t, x: x.float().double(), f(3))
convert("mask-float", lambda t, x: (x > 0).float() * x, f32(4))
convert("real-part", lambda t, x: x.real, c(3))
convert("imag-part", lambda t, x: x.imag, c(3))
convert("conj", lambda t, x: x.conj() * x, c(3))
convert("complex-abs", lambda t, x: x.abs(), c(3))
convert("real-of-real", lambda t, x: x.real, f(3))
convert("numpy-round-trip", lambda t, x: t.from_numpy(x.detach().numpy()), f(2, 3))
convert("asarray", lambda t, x: t.tensor(np.asarray(x)), f(2, 3, grad=False))

create = table("creation", exact=True)
made = {
    "int": lambda t: t.tensor(3),
    "float": lambda t: t.tensor(2.5),
    "bool": lambda t: t.tensor(True),
    "complex": lambda t: t.tensor(1j),
    "ints": lambda t: t.tensor([1, 2]),
    "mixed": lambda t: t.tensor([1, 2.5]),
    "bools": lambda t: t.tensor([True, False]),
    "bool-int": lambda t: t.tensor([True, 2]),
    "nested": lambda t: t.tensor([[1.0, 2], [3, 4]]),
    "empty": lambda t: t.tensor([]),
    "empty-nested": lambda t: t.tensor([[], []]),
    "tuple": lambda t: t.tensor((1, 2.0)),
    "numpy": lambda t: t.tensor(np.array([1.5, 2.0])),
    "numpy-float32": lambda t: t.tensor(np.float32(1.5)),
    "numpy-float64": lambda t: t.tensor(np.float64(1.5)),
    "numpy-list": lambda t: t.tensor([np.float64(1.5), np.float64(2)]),
    "numpy-int": lambda t: t.tensor(np.int32(3)),
    "range": lambda t: t.tensor(range(3)),
    "grad": lambda t: t.tensor([1.0], requires_grad=True),
    "dtype-grad": lambda t: t.tensor([1, 2], dtype=t.float64, requires_grad=True),
    "as_tensor": lambda t: t.as_tensor([1, 2.0]),
    "as_tensor-numpy": lambda t: t.as_tensor(np.arange(3)),
    "from_numpy": lambda t: t.from_numpy(np.ones((2, 2), "float32")),
    "asarray": lambda t: t.asarray([1.0, 2]),
    "zeros": lambda t: t.zeros(2, 3),
    "zeros-tuple": lambda t: t.zeros((2, 3)),
    "zeros-list": lambda t: t.zeros([2]),
    "zeros-0d": lambda t: t.zeros(()),
    "zeros-0": lambda t: t.zeros(0),
    "ones": lambda t: t.ones(2, 1),
    "ones-grad": lambda t: t.ones(2, requires_grad=True),
    "ones-int": lambda t: t.ones(2, dtype=t.int64),
    "full": lambda t: t.full((2,), 3),
    "full-float": lambda t: t.full((2,), 2.5),
    "full-bool": lambda t: t.full((2,), True),
    "full-dtype": lambda t: t.full((2,), 3, dtype=t.float64),
    "full-0d": lambda t: t.full((), 1.5),
    "empty-shape": lambda t: tuple(t.empty(2, 3).shape),
    "arange": lambda t: t.arange(5),
    "arange-float": lambda t: t.arange(3.0),
    "arange-start": lambda t: t.arange(1, 4),
    "arange-step": lambda t: t.arange(1, 2, 0.25),
    "arange-negative": lambda t: t.arange(5, 0, -2),
    "arange-empty": lambda t: t.arange(0),
    "arange-dtype": lambda t: t.arange(3, dtype=t.float64),
    "arange-grad": lambda t: t.arange(3.0, requires_grad=True),
    "linspace": lambda t: t.linspace(0, 1, 5),
    "linspace-one": lambda t: t.linspace(2, 3, 1),
    "linspace-down": lambda t: t.linspace(1, -1, 5),
    "linspace-zero": lambda t: t.linspace(0, 1, 0),
    "linspace-float64": lambda t: t.linspace(0, 1, 4, dtype=t.float64),
    "linspace-steps": lambda t: t.linspace(start=0, end=3, steps=4),
    "eye": lambda t: t.eye(3),
    "eye-rectangular": lambda t: t.eye(2, 3),
    "eye-int": lambda t: t.eye(2, dtype=t.int64),
    "eye-0": lambda t: t.eye(0),
    "rand-shape": lambda t: tuple(t.rand(2, 3).shape),
    "randn-shape": lambda t: tuple(t.randn((2,)).shape),
    "randn-dtype": lambda t: str(t.randn(2, dtype=t.float64).dtype)[-7:],
    "randint-shape": lambda t: tuple(t.randint(0, 5, (2, 2)).shape),
    "randint-dtype": lambda t: str(t.randint(5, (2,)).dtype)[-5:],
    "randint-range": lambda t: bool(
        ((t.randint(2, 5, (50,)) >= 2) & (t.randint(2, 5, (50,)) < 5)).all()
    ),
    "rand-range": lambda t: bool(((t.rand(50) >= 0) & (t.rand(50) < 1)).all()),
    "randn-grad": lambda t: t.randn(2, requires_grad=True).requires_grad,
    "seeded": lambda t: (
        t.manual_seed(3),
        a := t.rand(3),
        t.manual_seed(3),
        bool((a == t.rand(3)).all()),
    )[-1],
    "Tensor": lambda t: t.Tensor([1, 2]),
    "Tensor-sizes": lambda t: tuple(t.Tensor(2, 3).shape),
    "FloatTensor": lambda t: t.FloatTensor([1, 2]),
    "DoubleTensor": lambda t: t.DoubleTensor([1, 2]),
    "LongTensor": lambda t: t.LongTensor([1, 2]),
    "IntTensor": lambda t: t.IntTensor([1, 2]),
    "ByteTensor": lambda t: t.ByteTensor([1, 2]),
    "BoolTensor": lambda t: t.BoolTensor([1, 0]),
    "Tensor-empty": lambda t: t.Tensor(),
    "HalfTensor": lambda t: t.HalfTensor([1, 2]),
    "Tensor-nested": lambda t: t.Tensor([[1, 2], [3, 4]]),
    "default-dtype": lambda t: str(t.get_default_dtype())[-7:],
    "broadcast_shapes": lambda t: tuple(t.broadcast_shapes((2, 1), (3,))),
    "meshgrid": lambda t: t.meshgrid(t.arange(2), t.arange(3), indexing="ij"),
    "complex-parts": lambda t: t.complex(t.ones(2), t.zeros(2)),
}
for name, fn in made.items():
    create(name, fn)
for name in ("zeros_like", "ones_like"):
    create(name, lambda t, x, n=name: getattr(t, n)(x), f(2, 3))
    create(f"{name}-int", lambda t, x, n=name: getattr(t, n)(x), i(2))
    create(f"{name}-0d", lambda t, x, n=name: getattr(t, n)(x), f())
    create(f"{name}-dtype", lambda t, x, n=name: getattr(t, n)(x, dtype=t.float32), f(2))
    create(
        f"{name}-grad", lambda t, x, n=name: getattr(t, n)(x, requires_grad=True), f(2, grad=False)
    )
create("full_like", lambda t, x: t.full_like(x, 2), f(2))
create("empty_like-shape", lambda t, x: tuple(t.empty_like(x).shape), f(2, 3))
create("rand_like-shape", lambda t, x: tuple(t.rand_like(x).shape), f(2, 3))
create("randn_like-dtype", lambda t, x: str(t.randn_like(x).dtype)[-7:], f(2, 3))
for name, args in {
    "new_zeros": (2,),
    "new_ones": ((2, 3),),
    "new_full": ((2,), 3),
    "new_tensor": ([1, 2],),
}.items():
    create(name, lambda t, x, n=name, a=args: getattr(x, n)(*a), f(1))
create("tensor-of-tensor", lambda t, x: t.tensor(x.detach()), f(3))
create("as_tensor-same", lambda t, x: t.as_tensor(x) is x, f(3))
create("ones_like-used", lambda t, x: t.ones_like(x) * x, f(3))

CASES = case.cases + convert.cases + create.cases
