"""Functions of one tensor, element by element: shapes, layouts, dtypes, boundaries, tails."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .table import Table, c, f, f32, i, table, tag, v

inf, nan = float("inf"), float("nan")

case = table("elementwise")

# name: the interval on which the function is smooth
DOMAIN = {
    "neg": (-2, 2), "abs": (-2, 2), "sign": (-2, 2), "exp": (-2, 2), "expm1": (-2, 2),
    "log": (0.2, 3), "log1p": (-0.9, 3), "log2": (0.2, 3), "log10": (0.2, 3),
    "sqrt": (0.2, 4), "square": (-2, 2), "reciprocal": (0.3, 3),
    "sin": (-3, 3), "cos": (-3, 3), "tan": (-1.4, 1.4),
    "asin": (-0.9, 0.9), "acos": (-0.9, 0.9), "atan": (-3, 3),
    "sinh": (-2, 2), "cosh": (-2, 2), "tanh": (-2, 2),
    "asinh": (-3, 3), "acosh": (1.1, 4), "atanh": (-0.9, 0.9),
    "sigmoid": (-3, 3), "relu": (-2, 2), "erf": (-2, 2),
    "floor": (-2, 2), "ceil": (-2, 2), "round": (-2, 2), "trunc": (-2, 2),
}  # fmt: skip
COMPLEX = [
    "neg",
    "abs",
    "exp",
    "expm1",
    "log",
    "log1p",
    "log2",
    "log10",
    "sqrt",
    "square",
    "reciprocal",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "sinh",
    "cosh",
    "tanh",
    "asinh",
    "acosh",
    "atanh",
    "sigmoid",
]
ALIASES = {
    "negative": "neg", "absolute": "abs", "arcsin": "asin", "arccos": "acos", "arctan": "atan",
    "arcsinh": "asinh", "arccosh": "acosh", "arctanh": "atanh", "fix": "trunc",
}  # fmt: skip
EDGES = [nan, inf, -inf, 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5]
SMALL = [1e-300, 1e-20, -1e-20, 1e-8, -1e-8, 1e-5, -1e-5, 1e-3]
LARGE = [20.0, -20.0, 40.0, 100.0, -100.0, 700.0, -700.0, 800.0, -800.0, 1e10, 1e100, 1e300]


def function(name: str) -> Callable[..., Any]:
    return lambda t, x: getattr(t, name)(x)


def method(name: str) -> Callable[..., Any]:
    return lambda t, x: getattr(x, name)()


def grid(name: str, fn: Callable[..., Any], lo: float, hi: float) -> None:
    """The grid every function of one tensor goes through."""
    for shape in [(2, 3), (), (1,), (0,), (0, 3), (1, 1), (2, 1, 3)]:
        case(f"{name}-{tag(shape)}", fn, f(*shape, lo=lo, hi=hi))
    for layout in "TSE":
        case(f"{name}-layout{layout}", fn, f(3, 4, lo=lo, hi=hi, layout=layout))
    case(f"{name}-view", lambda t, x: fn(t, x.t()[1:, ::2]), f(3, 4, lo=lo, hi=hi))
    case(f"{name}-constant", fn, f(3, lo=lo, hi=hi, grad=False))
    case(f"{name}-float32", fn, f32(5, lo=lo, hi=hi))
    case(f"{name}-float16", fn, f32(3, lo=lo, hi=hi, dtype="float16"))
    case(f"{name}-int64", fn, v([0, 1, 2, 3, -1, -2], "int64"))
    case(f"{name}-int64-0d", fn, v(2, "int64"))
    case(f"{name}-uint8", fn, v([0, 1, 2, 200], "uint8"))
    case(f"{name}-bool", fn, v([True, False], "bool"))
    case(f"{name}-edges", fn, v(EDGES), torch_nan=True)
    case(f"{name}-edges-float32", fn, v(EDGES, "float32"), torch_nan=True)
    case(f"{name}-small", fn, v(SMALL), torch_nan=True)
    case(f"{name}-large", fn, v(LARGE), torch_nan=True)
    case(f"{name}-twice", lambda t, x: fn(t, x) * fn(t, x), f(3, lo=lo, hi=hi))
    case(f"{name}-chain", lambda t, x: fn(t, x * 1.0).sum(), f(2, 2, lo=lo, hi=hi))


for name, (lo, hi) in DOMAIN.items():
    grid(name, function(name), lo, hi)
    case(f"{name}-method", method(name), f(2, 3, lo=lo, hi=hi))
    case(f"{name}-method-int32", method(name), i(3, lo=1, hi=2, dtype="int32"))
    if name in COMPLEX:
        case(f"{name}-complex128", function(name), c(2, 3, lo=0.2, hi=0.9))
        case(f"{name}-complex128-signs", function(name), c(6, lo=-0.9, hi=0.9))
        case(f"{name}-complex64", method(name), c(3, lo=0.2, hi=0.9, dtype="complex64"))

for alias, name in ALIASES.items():
    lo, hi = DOMAIN[name]
    case(f"alias-{alias}", function(alias), f(3, lo=lo, hi=hi))
    case(f"alias-{alias}-method", method(alias), f(3, lo=lo, hi=hi))

grid("softplus", lambda t, x: t.nn.functional.softplus(x), -3, 3)
case("softplus-beta", lambda t, x: t.nn.functional.softplus(x, beta=2), f(5))
case("softplus-threshold", lambda t, x: t.nn.functional.softplus(x, 1, 1.5), f(6, lo=-3, hi=3))
case("softplus-at-threshold", lambda t, x: t.nn.functional.softplus(x), v([19.0, 20.0, 21.0]))
case("nn-relu", lambda t, x: t.nn.functional.relu(x), f(2, 3))
case("positive", lambda t, x: +x, f(3))
case("positive-method", lambda t, x: x.positive(), f(3))
case("negate-operator", lambda t, x: -x, f(2, 3))
case("abs-operator", lambda t, x: abs(x), f(2, 3))
case("abs-at-zero", lambda t, x: abs(x), v([0.0, -0.0, 1.0, -1.0]))
case("relu-at-zero", lambda t, x: x.relu(), v([0.0, -0.0, 1.0, -1.0]))
for digits in (0, 1, 2, -1):
    case(
        f"round-decimals{digits}",
        lambda t, x, d=digits: t.round(x, decimals=d),
        f(5, lo=-20, hi=20),
    )
    case(f"round-operator{digits}", lambda t, x, d=digits: x.round(decimals=d), f(3))
case("round-half-even", lambda t, x: x.round(), v([0.5, 1.5, 2.5, -0.5, -1.5, 3.5, 4.5]))
case("positional-input", lambda t, x: t.tanh(input=x), f(3))

for power, fn in {
    "square-square": lambda t, x: x.square().square(),
    "exp-log": lambda t, x: x.exp().log(),
    "log-exp": lambda t, x: (1 + x.exp()).log(),
    "sqrt-square": lambda t, x: x.square().sqrt(),
    "tanh-deep": lambda t, x: x.tanh().tanh().tanh().tanh(),
    "sin-of-sin": lambda t, x: (x.sin() * x.cos()).sin(),
    "sigmoid-log": lambda t, x: x.sigmoid().log(),
    "reciprocal-twice": lambda t, x: x.reciprocal().reciprocal(),
    "abs-abs": lambda t, x: x.abs().abs(),
    "neg-neg": lambda t, x: -(x.neg()),
}.items():
    case(f"compose-{power}", fn, f(2, 3))
    case(f"compose-{power}-0d", fn, f())

# clamp and its bounds
BOUNDS = [-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0]
for name, kw in {
    "both": {"min": -1, "max": 1}, "min": {"min": 0.5}, "max": {"max": 0.5},
    "float-bounds": {"min": -0.5, "max": 0.5}, "crossed": {"min": 1, "max": -1},
    "equal": {"min": 1, "max": 1},
}.items():  # fmt: skip
    case(f"clamp-{name}", lambda t, x, kw=kw: t.clamp(x, **kw), v(BOUNDS))
    case(f"clamp-{name}-method", lambda t, x, kw=kw: x.clamp(**kw), f(2, 3))
    case(f"clamp-{name}-clip", lambda t, x, kw=kw: x.clip(**kw), f(2, 3))
    case(f"clamp-{name}-int", lambda t, x, kw=kw: x.clamp(**kw), i(5))
    case(f"clamp-{name}-0d", lambda t, x, kw=kw: x.clamp(**kw), f())
    case(f"clamp-{name}-empty", lambda t, x, kw=kw: x.clamp(**kw), f(0, 2))
    case(f"clamp-{name}-edges", lambda t, x, kw=kw: x.clamp(**kw), v([nan, inf, -inf, -0.0]))
case("clamp-positional", lambda t, x: x.clamp(-1, 1), v(BOUNDS))
case("clamp-none", lambda t, x: x.clamp(None, 1), v(BOUNDS))
case("clamp_min", lambda t, x: t.clamp_min(x, 0.5), v(BOUNDS))
case("clamp_max", lambda t, x: x.clamp_max(0.5), v(BOUNDS))
case("clamp-tensors", lambda t, x, a, b: t.clamp(x, a, b), f(2, 3), f(3, hi=0), f(3, lo=0))
case("clamp-tensor-min", lambda t, x, a: x.clamp(min=a), f(2, 3), f(3))
case("clamp-tensor-max", lambda t, x, a: x.clamp(max=a), f(2, 1), f(1, 3))
case("clamp-tensor-0d", lambda t, x, a: x.clamp(max=a), f(2, 3), f())
case("clamp-tensor-constant", lambda t, x, a: x.clamp(min=a), f(2, 3), f(3, grad=False))
case("clamp-tensor-ties", lambda t, x, a: x.clamp(min=a), v([0.0, 1.0, 2.0]), v([1.0, 1.0, 1.0]))
case(
    "clamp-tensor-max-ties", lambda t, x, a: x.clamp(max=a), v([0.0, 1.0, 2.0]), v([1.0, 1.0, 1.0])
)
case("clamp-tensor-crossed", lambda t, x, a, b: x.clamp(a, b), f(4), v([1.0] * 4), v([-1.0] * 4))
case(
    "clamp-tensor-nan",
    lambda t, x, a: x.clamp(min=a),
    v([1.0, nan, 2.0]),
    v([nan, 1.0, 1.0]),
    torch_nan=True,
)
case("clamp-int-float-bound", lambda t, x: x.clamp(min=0.5), i(4))
case("clamp-float32", lambda t, x: x.clamp(-0.1, 0.1), f32(4))

CASES = case.cases
assert isinstance(case, Table)
