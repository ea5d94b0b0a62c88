"""Functions of two tensors, element by element: operators, broadcasting, powers, comparisons."""

from __future__ import annotations

import operator

import numpy as np

from .compare import RTOL
from .table import b, c, f, f32, i, table, tag, v

inf, nan = float("inf"), float("nan")

case = table("arithmetic")

SHAPES = [
    ((2, 3), (2, 3)), ((2, 3), ()), ((), (2, 3)), ((2, 3), (3,)), ((3,), (2, 3)), ((2, 1), (1, 3)),
    ((1,), (2, 3)), ((2, 3), (1,)), ((0, 3), (1, 3)), ((1, 3), (0, 3)), ((2, 0), (1,)), ((), ()),
    ((0,), ()), ((1,), ()), ((2, 1, 3), (4, 1)), ((1, 1), (3,)), ((1, 2, 1), (2, 1, 3)),
    ((0,), (1,)),
]  # fmt: skip
BINARY = {
    "add": lambda t, x, y: t.add(x, y),
    "sub": lambda t, x, y: t.sub(x, y),
    "mul": lambda t, x, y: t.mul(x, y),
    "div": lambda t, x, y: t.div(x, y),
    "pow": lambda t, x, y: t.pow(x, y),
    "maximum": lambda t, x, y: t.maximum(x, y),
    "minimum": lambda t, x, y: t.minimum(x, y),
    "atan2": lambda t, x, y: t.atan2(x, y),
}
EDGES = [nan, inf, -inf, 0.0, -0.0, 1.0, -1.0, 2.0, -2.0, 0.5]
PAIRS = (
    [p for p in EDGES for _ in EDGES],
    [q for _ in EDGES for q in EDGES],
)
TAILS = ([1e-300, 1e300, 1e-160, -1e160, 1e16, 1.0], [1e300, 1e-300, 1e-160, 1e150, 1.0, 1e-17])

for name, fn in BINARY.items():
    for xs, ys in SHAPES:
        lo = 0.3 if name == "pow" else -2
        y = f(*ys, lo=0.4, hi=2) if name == "div" else f(*ys)
        case(f"{name}-{tag(xs)}-{tag(ys)}", fn, f(*xs, lo=lo), y)
    x, y = f(2, 3, lo=0.3), f(2, 3, lo=0.4)
    case(f"{name}-method", lambda t, x, y, n=name: getattr(x, n)(y), x, y)
    case(f"{name}-left-only", fn, x, f(2, 3, lo=0.4, grad=False))
    case(f"{name}-right-only", fn, f(2, 3, lo=0.3, grad=False), y)
    case(f"{name}-constants", fn, f(2, 3, lo=0.3, grad=False), f(2, 3, lo=0.4, grad=False))
    case(f"{name}-same", lambda t, x, fn=fn: fn(t, x, x), f(2, 3, lo=0.4))
    case(f"{name}-same-0d", lambda t, x, fn=fn: fn(t, x, x), f(lo=0.4))
    case(f"{name}-layouts", fn, f(3, 4, lo=0.3, layout="T"), f(3, 4, lo=0.4, layout="S"))
    case(f"{name}-expanded", fn, f(3, 4, lo=0.3, layout="E"), f(4, lo=0.4))
    case(
        f"{name}-views",
        lambda t, x, y, fn=fn: fn(t, x.t(), y[:, ::2]),
        f(2, 3, lo=0.3),
        f(3, 4, lo=0.4),
    )
    case(f"{name}-float32", fn, f32(3, lo=0.3), f32(3, lo=0.4))
    case(f"{name}-mixed-float", fn, f32(3, lo=0.3), f(3, lo=0.4))
    # The gradient of the float64 operand is a float32 sum, converted.
    case(f"{name}-float64-0d", fn, f32(3, lo=0.3), f(lo=0.4), rtol=RTOL["float32"])
    case(f"{name}-int-tensor", fn, f(3, lo=0.3), i(3, lo=1, hi=3))
    case(f"{name}-tensor-int", fn, i(3, lo=1, hi=3), f(3, lo=0.3))
    case(f"{name}-ints", fn, i(3, lo=0, hi=3), i(3, lo=1, hi=3))
    case(f"{name}-bools", fn, b(4), v([True, False, True, False], "bool"))
    if name != "atan2":  # PyTorch's backward fails: among the deliberate differences
        case(f"{name}-bool-float", fn, b(3), f(3, lo=0.4))
    case(f"{name}-edges", fn, v(PAIRS[0]), v(PAIRS[1]), torch_nan=True)
    case(f"{name}-tails", fn, v(TAILS[0]), v(TAILS[1]), torch_nan=True)
    if name in ("add", "sub", "mul", "div", "pow"):
        case(f"{name}-complex", fn, c(2, 3, lo=0.3), c(3, lo=0.4))
        case(f"{name}-complex-real", fn, c(2, 3, lo=0.3), f(3, lo=0.4))
        case(f"{name}-real-complex", fn, f(2, 3, lo=0.3), c(1, lo=0.4))
        case(f"{name}-complex-number", lambda t, x, fn=fn: fn(t, x, 2 - 1j), c(3, lo=0.3))
        case(f"{name}-real-complex-number", lambda t, x, fn=fn: fn(t, x, 2 - 1j), f(3, lo=0.3))

OPERATORS = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "truediv": operator.truediv,
    "pow": operator.pow, "floordiv": operator.floordiv, "mod": operator.mod,
}  # fmt: skip
NUMBERS = {
    "2": 2,
    "2.5": 2.5,
    "0": 0,
    "1": 1,
    "-1": -1,
    "True": True,
    "half": 0.5,
    "3": 3,
    "-2": -2,
}
for name, op in OPERATORS.items():
    case(f"operator-{name}", lambda t, x, y, op=op: op(x, y), f(2, 3, lo=0.4), f(3, lo=0.4))
    for text, number in NUMBERS.items():
        if number or name in ("add", "sub", "mul", "pow"):
            case(f"operator-{name}-{text}", lambda t, x, op=op, n=number: op(x, n), f(2, 2, lo=0.4))
            case(
                f"operator-{name}-{text}-negative",
                lambda t, x, op=op, n=number: op(x, n),
                f(3, lo=-3, hi=-0.4),
            )
        if (name, text) != ("pow", "True"):  # PyTorch's backward fails
            case(
                f"operator-r{name}-{text}", lambda t, x, op=op, n=number: op(n, x), f(2, 2, lo=0.4)
            )
    case(f"operator-{name}-int", lambda t, x, op=op: op(x, 2), v([-3, -2, 0, 1, 5], "int64"))
    case(f"operator-r{name}-int", lambda t, x, op=op: op(7, x), v([1, 2, 3, 5], "int64"))
    case(f"operator-{name}-inf", lambda t, x, op=op: op(x, inf), f(3, lo=0.4), torch_nan=True)
    case(f"operator-{name}-numpy-scalar", lambda t, x, op=op: op(x, np.float64(2)), f(3, lo=0.4))
    case(f"operator-r{name}-numpy-scalar", lambda t, x, op=op: op(np.float64(2), x), f(3, lo=0.4))
    case(f"operator-{name}-0d", lambda t, x, op=op: op(x, 3), f(lo=0.4))
    case(f"operator-{name}-float32", lambda t, x, op=op: op(x, 0.1), f32(4, lo=0.4))
    case(f"operator-r{name}-float32", lambda t, x, op=op: op(0.1, x), f32(4, lo=0.4))

case("add-alpha", lambda t, x, y: t.add(x, y, alpha=2.5), f(2, 3), f(3))
case("sub-alpha", lambda t, x, y: x.sub(y, alpha=3), f(2, 3), f(3))
case("add-number", lambda t, x: t.add(x, 2), f(3))
case("add-other-keyword", lambda t, x, y: t.add(x, other=y), f(3), f(3))
case("mul-number", lambda t, x: x.mul(2), f(3))
case("rsub", lambda t, x, y: t.rsub(x, y), f(2, 3), f(3))
case("div-number", lambda t, x: t.div(x, 4), f(3))
for mode in ("floor", "trunc", None):
    case(
        f"div-rounding-{mode}",
        lambda t, x, y, m=mode: t.div(x, y, rounding_mode=m),
        f(2, 3, lo=-9, hi=9),
        f(3, lo=0.4),
    )
    case(
        f"div-rounding-{mode}-int",
        lambda t, x, m=mode: t.div(x, 2, rounding_mode=m),
        v([-3, -2, 3, 5], "int64"),
    )
for alias in ("subtract", "multiply", "divide", "true_divide", "arctan2"):
    case(
        f"alias-{alias}",
        lambda t, x, y, n=alias: getattr(t, n)(x, y),
        f(2, 3, lo=0.4),
        f(3, lo=0.4),
    )
    case(
        f"alias-{alias}-method",
        lambda t, x, y, n=alias: getattr(x, n)(y),
        f(2, 3, lo=0.4),
        f(3, lo=0.4),
    )
case("chained-broadcast", lambda t, x, y, z: (x + y) * z - x, f(2, 1), f(3), f(4, 1, 1))
case("reused", lambda t, x: x * x * x + x, f(3))
case("diamond", lambda t, x: (x * 2) * (x + 1) / (x * x + 1), f(3))
case("shared-subexpression", lambda t, x, y: (x * y).sin() * (x * y).cos(), f(2, 3), f(3))
case("two-outputs", lambda t, x, y: (x * y, x / y), f(3, lo=0.4), f(3, lo=0.4))
case("unused-input", lambda t, x, y: x * 2, f(3), f(2))
case("cancels", lambda t, x: x - x, v([1.0, inf, nan]))
case("x-over-x", lambda t, x: x / x, v([1.0, -2.0, 0.0]), torch_nan=True)
case("plus-zero", lambda t, x: x + 0, v([-0.0, 0.0, 1.0]))
case("times-zero", lambda t, x: x * 0, v([-1.0, 0.0, inf, nan]))
case("times-one", lambda t, x: x * 1, f(3))

# powers
BASES = [0.0, -0.0, 1.0, -1.0, 2.0, -2.0, 0.5, -0.5, inf, -inf, nan]
for exponent in (0, 1, 2, 3, -1, -2, 0.5, -0.5, 1.5, 0.0, 2.0, 1 / 3, 10, inf, -inf, nan):
    case(
        f"pow-scalar{exponent:.3g}-{type(exponent).__name__}",
        lambda t, x, p=exponent: x**p,
        v(BASES),
        torch_nan=True,
    )
    case(
        f"pow-base{exponent:.3g}-{type(exponent).__name__}",
        lambda t, x, p=exponent: p**x,
        v(BASES),
        torch_nan=True,
    )
for exponent in (0, 1, 2, 3, -1, 0.5, -1.5):
    case(f"pow-smooth{exponent}", lambda t, x, p=exponent: t.pow(x, p), f(2, 3, lo=0.3))
    case(f"pow-smooth-0d{exponent}", lambda t, x, p=exponent: t.pow(x, p), f(lo=0.3))
    case(f"pow-method{exponent}", lambda t, x, p=exponent: x.pow(p), f32(3, lo=0.3))
    case(f"pow-complex{exponent}", lambda t, x, p=exponent: x.pow(p), c(3))
case("pow-int-base", lambda t, x: t.pow(2, x), f(3))
case(
    "pow-zero-base-tensor",
    lambda t, x, y: x**y,
    v([0.0, 0.0, 0.0, 0.0]),
    v([0.0, 1.0, 2.0, 0.5]),
    torch_nan=True,
)
case("pow-zero-base-number", lambda t, y: 0**y, v([0.0, 1.0, 2.0, -1.0]), torch_nan=True)
case(
    "pow-negative-base-integer-exponent",
    lambda t, x, y: x**y,
    v([-2.0, -3.0, -1.5]),
    v([2.0, 3.0, -1.0]),
    torch_nan=True,
)
case("pow-int-int", lambda t, x, y: x**y, v([2, 3, -2, 0], "int64"), v([3, 0, 2, 0], "int64"))
case(
    "pow-int-negative",
    lambda t, x, y: x**y,
    v([1, -1, 2, 3], "int64"),
    v([-1, -1, -1, -2], "int64"),
)
case("pow-int-float-exponent", lambda t, x: x**0.5, v([1, 4, 9], "int64"))
case("pow-exponent-0d", lambda t, x, y: x**y, f(2, 3, lo=0.3), f())
case("pow-base-0d", lambda t, x, y: x**y, f(lo=0.3), f(2, 3))
case("pow-x-x", lambda t, x: x**x, f(2, 3, lo=0.3))

# maximum and minimum at ties; the two-tensor forms of max and min
TIES = ([1.0, 2.0, 3.0, 0.0, -0.0], [1.0, 3.0, 2.0, -0.0, 0.0])
for name in ("maximum", "minimum", "max", "min"):
    case(
        f"{name}-ties",
        lambda t, x, y, n=name: getattr(t, n)(x, y),
        v(TIES[0]),
        v(TIES[1]),
        signed_zeros=False,
    )
    case(f"{name}-two-tensors-method", lambda t, x, y, n=name: getattr(x, n)(y), f(2, 3), f(3))
    case(f"{name}-same-tensor", lambda t, x, n=name: getattr(t, n)(x, x), f(3))
case(
    "atan2-origin",
    lambda t, y, x: t.atan2(y, x),
    v([0.0, -0.0, 0.0, 1.0, -1.0]),
    v([0.0, 0.0, -1.0, 0.0, 0.0]),
    torch_nan=True,
)
case(
    "atan2-quadrants",
    lambda t, y, x: y.atan2(x),
    v([1.0, 1.0, -1.0, -1.0]),
    v([1.0, -1.0, 1.0, -1.0]),
)

# comparisons and logic
COMPARE = {
    "lt": operator.lt, "le": operator.le, "gt": operator.gt,
    "ge": operator.ge, "eq": operator.eq, "ne": operator.ne,
}  # fmt: skip
LONG = {"lt": "less", "le": "less_equal", "gt": "greater", "ge": "greater_equal", "ne": "not_equal"}
logic = table("comparison")
for name, op in COMPARE.items():
    for xs, ys in SHAPES:
        logic(f"{name}-{tag(xs)}-{tag(ys)}", lambda t, x, y, op=op: op(x, y), f(*xs), f(*ys))
    logic(f"{name}-edges", lambda t, x, y, op=op: op(x, y), v(PAIRS[0]), v(PAIRS[1]))
    logic(f"{name}-function", lambda t, x, y, n=name: getattr(t, n)(x, y), f(2, 3), f(3))
    logic(f"{name}-method", lambda t, x, y, n=name: getattr(x, n)(y), f(2, 3), f(3))
    logic(f"{name}-number", lambda t, x, op=op: op(x, 1), v([0.0, 1.0, 2.0]))
    logic(f"{name}-reflected", lambda t, x, op=op: op(1, x), v([0.0, 1.0, 2.0]))
    logic(f"{name}-ints", lambda t, x, y, op=op: op(x, y), i(4), i(4))
    logic(f"{name}-int-float", lambda t, x, op=op: op(x, 0.5), i(4))
    logic(
        f"{name}-bool", lambda t, x, y, op=op: op(x, y), b(4), v([True, True, False, False], "bool")
    )
    logic(f"{name}-float32-number", lambda t, x, op=op: op(x, 0.1), v([0.1, 0.2], "float32"))
    if name in LONG:
        logic(f"{name}-long-name", lambda t, x, y, n=LONG[name]: getattr(t, n)(x, y), f(3), f(3))
logic("eq-none", lambda t, x: x == None, f(3))  # noqa: E711
logic("eq-string", lambda t, x: x == "a", f(3))
logic("ne-string", lambda t, x: x != "a", f(3))
logic("lt-complex", lambda t, x, y: x < y, c(2), c(2))
logic("eq-complex", lambda t, x: x == x, c(2))
for name in ("logical_and", "logical_or", "logical_xor"):
    logic(
        f"{name}-bool",
        lambda t, x, y, n=name: getattr(t, n)(x, y),
        b(4),
        v([True, True, False, False], "bool"),
    )
    logic(
        f"{name}-float",
        lambda t, x, y, n=name: getattr(x, n)(y),
        v([0.0, 1.0, nan, -0.0]),
        v([1.0, 1.0, 0.0, 0.0]),
    )
    logic(
        f"{name}-broadcast",
        lambda t, x, y, n=name: getattr(t, n)(x, y),
        i(2, 1, lo=0, hi=1),
        i(3, lo=0, hi=1),
    )
logic("logical_not", lambda t, x: t.logical_not(x), v([0.0, 1.0, nan]))
logic("logical_not-bool", lambda t, x: x.logical_not(), b(4))
for name, op in {"and": operator.and_, "or": operator.or_, "xor": operator.xor}.items():
    logic(
        f"bit-{name}-bool",
        lambda t, x, y, op=op: op(x, y),
        b(4),
        v([True, True, False, False], "bool"),
    )
    logic(f"bit-{name}-int", lambda t, x, y, op=op: op(x, y), i(4, lo=0, hi=9), i(4, lo=0, hi=9))
    logic(f"bit-{name}-number", lambda t, x, op=op: op(x, 5), i(4, lo=0, hi=9))
    logic(f"bit-{name}-broadcast", lambda t, x, y, op=op: op(x, y), b(2, 1), b(3))
logic("invert-bool", lambda t, x: ~x, b(4))
logic("invert-int", lambda t, x: ~x, i(4))
for name in ("isnan", "isinf", "isfinite", "isposinf", "isneginf", "signbit"):
    logic(name, lambda t, x, n=name: getattr(t, n)(x), v([nan, inf, -inf, 0.0, 1.0]))
    logic(f"{name}-method", lambda t, x, n=name: getattr(x, n)(), v([nan, inf, 1.0]))
    logic(f"{name}-int", lambda t, x, n=name: getattr(t, n)(x), i(3))
logic("signbit-zeros", lambda t, x: x.signbit(), v([-0.0, 0.0, -nan, -2.0]))
logic("signbit-bool", lambda t, x: t.signbit(x), b(2))
logic("unravel-index", lambda t, x: t.unravel_index(x, (2, 3, 4)), i(4, lo=0, hi=23))
logic("unravel-index-number", lambda t, x: t.unravel_index(x, 9), i(2, 2, lo=0, hi=8))
logic("is-nonzero", lambda t, x: x.is_nonzero(), v([0.5]))
logic("equal-true", lambda t, x: t.equal(x, x), f(3))
logic("equal-shape", lambda t, x, y: x.equal(y), f(3), f(2))
logic("allclose", lambda t, x: t.allclose(x, x + 1e-9), f(3))
logic("allclose-not", lambda t, x: t.allclose(x, x + 1e-3), f(3))
logic("isclose", lambda t, x, y: t.isclose(x, y), v([1.0, nan, inf]), v([1.0 + 1e-9, nan, inf]))
for name in ("any", "all"):
    for dim in (None, 0, 1, -1):
        for keep in (False, True):
            if dim is None and keep:
                continue
            kw = {} if dim is None else {"dim": dim, "keepdim": keep}
            logic(
                f"{name}-dim{dim}-{keep}",
                lambda t, x, n=name, kw=kw: getattr(x > 0, n)(**kw),
                f(2, 3),
            )
    logic(f"{name}-function", lambda t, x, n=name: getattr(t, n)(x), b(3))
    logic(f"{name}-empty", lambda t, x, n=name: getattr(t, n)(x), b(0))
    logic(f"{name}-float", lambda t, x, n=name: getattr(x, n)(), v([0.0, nan]))
    logic(f"{name}-uint8", lambda t, x, n=name: getattr(x, n)(), v([0, 2], "uint8"))
logic("mask-from-comparison", lambda t, x: (x > 0) * x, f(5))
logic("count", lambda t, x: (x > 0).sum(), f(5))
logic("indicator-mean", lambda t, x: (x > 0).double().mean(), f(5))

# where
where = table("where")
for xs, ys in SHAPES:
    where(f"{tag(xs)}-{tag(ys)}", lambda t, x, y: t.where(x > 0, x, y), f(*xs), f(*ys))
where("cond-broadcast", lambda t, m, x, y: t.where(m, x, y), b(2, 1), f(3), f(1, 1))
where("cond-larger", lambda t, m, x, y: t.where(m, x, y), b(4, 2, 3), f(3), f())
where("cond-0d", lambda t, m, x, y: t.where(m, x, y), v(True, "bool"), f(2, 3), f(3))
where("method", lambda t, m, x, y: x.where(m, y), b(2, 3), f(2, 3), f(3))
where("scalar-other", lambda t, x: t.where(x > 0, x, 0.0), f(5))
where("scalar-self", lambda t, x: t.where(x > 0, 0.0, x), f(5))
where("two-scalars", lambda t, x: t.where(x > 0, 1.0, -1.0), f(5))
where("int-scalars", lambda t, x: t.where(x > 0, 1, 0), f(5))
where("bool-scalars", lambda t, x: t.where(x > 0, True, False), f(5))
where("mixed-scalars", lambda t, x: t.where(x > 0, 1, 0.5), f(5))
where("float32-scalar", lambda t, x: t.where(x > 0, x, 2), f32(5))
where("int-float-scalar", lambda t, x: t.where(x > 0, x, 0.5), i(5))
where("promotes", lambda t, m, x, y: t.where(m, x, y), b(3), f32(3), f(3))
where("promotes-int", lambda t, m, x, y: t.where(m, x, y), b(3), i(3), f(3))
where("0d-other", lambda t, x, y: t.where(x > 0, x, y), f32(3), f())
where("same-both", lambda t, x: t.where(x > 0, x, x), f(5))
where("uint8-cond", lambda t, m, x: t.where(m, x, 0.0), v([1, 0, 1], "uint8"), f(3))
where("one-argument", lambda t, x: t.where(x > 0), f(2, 3))
where("complex", lambda t, m, x, y: t.where(m, x, y), b(3), c(3), c(3))
where("inf-not-taken", lambda t, x: t.where(x > 0, x, inf), f(5))
where("nested", lambda t, x: t.where(x > 0, t.where(x > 1, x * x, x), -x), f(8))
where("cond-all-true", lambda t, x, y: t.where(x == x, x, y), f(3), f(3))
where("layouts", lambda t, x, y: t.where(x > y, x, y), f(3, 4, layout="T"), f(3, 4, layout="S"))
where("masked_fill", lambda t, x: x.masked_fill(x > 0, -1.0), f(5))
where("masked_fill-inf", lambda t, x: x.masked_fill(x > 0, -inf), f(5))
where("masked_fill-function", lambda t, x, m: t.masked_fill(x, m, 2), f(2, 3), b(3))
where("masked_fill-tensor", lambda t, x, y: x.masked_fill(x > 0, y), f(5), f())
where("masked_fill-int", lambda t, x: x.masked_fill(x > 0, 7), i(5))

CASES = case.cases + logic.cases + where.cases
