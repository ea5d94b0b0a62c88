"""Gamma and Bessel functions, `logit`, and functions of signs, exponents and divisors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from .compare import RTOL
from .departures import CONVERTED
from .table import Differs, Table, c, f, f32, i, table, tag, v

inf, nan = float("inf"), float("nan")

case = table("special")

# PyTorch's trigamma function has nine or ten digits in double precision; what symgrad has is
# compared with many in tests/ops/test_special.py.
TRIGAMMA = 1e-8

EDGES = [nan, inf, 0.0, -0.0, 1.0, 2.0, 0.5, -0.5, 1.5, -2.5, 1e-300, 1e-20, 1e10, 100.0]


def function(name: str) -> Callable[..., Any]:
    return lambda t, *xs: getattr(t, name)(*xs)


def method(name: str) -> Callable[..., Any]:
    return lambda t, x, *xs: getattr(x, name)(*xs)


def changed(name: str, *more: Any) -> Callable[..., Any]:
    """The form in place, on a result."""
    return lambda t, x, *xs: getattr(x * 1, name + "_")(*xs, *more)


# ---------------------------------------------------------------- one tensor, element by element


def grid(
    name: str,
    fn: Callable[..., Any],
    lo: float,
    hi: float,
    edges: Sequence[float] = EDGES,
    rtol: float | None = None,
    half: bool = True,
    slack: float = 0,
) -> None:
    """The grid every function of one tensor goes through; `half` where PyTorch has all of it."""
    for shape in [(2, 3), (), (1,), (0,), (2, 1, 3)]:
        case(f"{name}-{tag(shape)}", fn, f(*shape, lo=lo, hi=hi), rtol=rtol)
    for layout in "TSE":
        case(f"{name}-layout{layout}", fn, f(3, 4, lo=lo, hi=hi, layout=layout), rtol=rtol)
    case(f"{name}-view", lambda t, x: fn(t, x.t()[1:, ::2]), f(3, 4, lo=lo, hi=hi), rtol=rtol)
    case(f"{name}-constant", fn, f(3, lo=lo, hi=hi, grad=False), rtol=rtol)
    case(f"{name}-float32", fn, f32(5, lo=lo, hi=hi), slack=slack)
    case(f"{name}-float16", fn, f32(3, lo=lo, hi=hi, dtype="float16", grad=half))
    for kind in ("int64", "int32", "int16", "int8"):
        case(f"{name}-{kind}", fn, v([0, 1, 2, 3], kind))
    case(f"{name}-uint8-0d", fn, v(2, "uint8"))
    case(f"{name}-bool", fn, v([True, False], "bool"))
    case(f"{name}-complex64", fn, c(2, lo=0.2, hi=0.9, dtype="complex64"))
    case(f"{name}-complex128", fn, c(2, lo=0.2, hi=0.9))
    case(f"{name}-edges", fn, v(edges), torch_nan=True, rtol=rtol)
    case(
        f"{name}-twice",
        lambda t, x: fn(t, x) * fn(t, x),
        f(3, lo=lo, hi=hi),
        rtol=rtol,
        torch_nan=True,
    )
    case(f"{name}-chain", lambda t, x: fn(t, x * 1.0).sum(), f(2, 2, lo=lo, hi=hi), rtol=rtol)


class Plain(NamedTuple):
    """A function of one tensor and nothing else: where it is smooth, and what is looked at."""

    lo: float
    hi: float
    rtol: float | None = None
    edges: Sequence[float] = EDGES
    half: bool = True


PLAIN = {
    "lgamma": Plain(0.2, 4, TRIGAMMA),
    "digamma": Plain(0.2, 4, TRIGAMMA),
    "i0": Plain(-3, 3, edges=[x for x in EDGES if x == x], half=False),
    "deg2rad": Plain(-360, 360),
    "rad2deg": Plain(-6, 6),
    "logit": Plain(0.05, 0.95, edges=[nan, 0.0, 1.0, 0.5, 1e-300, 1e-20, 0.999]),
}
for name, (lo, hi, rtol, edges, half) in PLAIN.items():
    grid(name, function(name), lo, hi, edges, rtol, half)
    case(f"{name}-method", method(name), f(2, 3, lo=lo, hi=hi), rtol=rtol)
    case(f"{name}-in-place", changed(name), f(2, 3, lo=lo, hi=hi), rtol=rtol)
    case(f"{name}-in-place-float32", changed(name), f32(3, lo=lo, hi=hi))
    case(f"{name}-in-place-int64", changed(name), v([1, 2], "int64"))
    case(f"{name}-in-place-complex", changed(name), c(2, lo=0.2, hi=0.9))

# Between the poles, where both signs of the gamma function occur.
NEGATIVE = [-0.5, -1.25, -2.75, -3.5, -10.1]
for name in ("lgamma", "digamma"):
    case(f"{name}-negative", function(name), v(NEGATIVE), rtol=TRIGAMMA)
case("lgamma-poles", lambda t, x: t.lgamma(x), v([-inf, -1.0, -2.0, -1e10], grad=False))
case("digamma-poles", lambda t, x: t.digamma(x), v([-inf, -1.0, -2.0, -1e10], grad=False))
case("lgamma-large", function("lgamma"), v([171.5, 1e3, 1e100, 1e306, 1e307]), rtol=TRIGAMMA)
case("i0-nan", function("i0"), v([nan], grad=False))
case("i0-negative-inf", function("i0"), v([-inf, -700.0, -1e300]), torch_nan=True)

for n in (0, 1, 2, 3, 5):
    few = TRIGAMMA if n in (0, 1) else None
    finite = [x for x in EDGES if x < inf or n < 2]
    grid(f"polygamma{n}", lambda t, x, n=n: t.polygamma(n, x), 0.2, 4, finite, few)
    case(f"polygamma{n}-method", lambda t, x, n=n: x.polygamma(n), f(3, lo=0.2, hi=4), rtol=few)
    case(f"polygamma{n}-negative", lambda t, x, n=n: t.polygamma(n, x), v(NEGATIVE), rtol=few)
    case(
        f"polygamma{n}-in-place",
        lambda t, x, n=n: (x * 1).polygamma_(n),
        f(3, lo=0.2, hi=4),
        rtol=few,
    )
for n in (2, 3):
    case(
        f"polygamma{n}-inf",
        lambda t, x, n=n: t.polygamma(n, x),
        v([inf], grad=False),
        differs=Differs(
            "at infinity all orders but the first are 0", values=[[(-1) ** (n + 1) * 0.0]]
        ),
    )
case(
    "polygamma1-poles",
    lambda t, x: t.polygamma(1, x),
    v([-1.0, -2.0, -1e10], grad=False),
    differs=Differs("at its poles it is infinite", values=[[inf, inf, inf]]),
)
case("polygamma-keywords", lambda t, x: t.polygamma(n=2, input=x), f(3, lo=0.2, hi=4))
case("polygamma-tensor-order", lambda t, x, n: t.polygamma(n, x), f(3, lo=0.2, hi=4), v(2, "int64"))

for p in (1, 2, 4):
    grid(
        f"mvlgamma{p}",
        lambda t, x, p=p: t.mvlgamma(x, p),
        (p - 1) / 2 + 0.2,
        6,
        edges=[nan, inf, 3.0, 2.5, 10.0, 1e10, 0.5, 0.25],
        rtol=TRIGAMMA,
    )
    case(f"mvlgamma{p}-method", lambda t, x, p=p: x.mvlgamma(p), f(3, lo=2, hi=4), rtol=TRIGAMMA)
    case(
        f"mvlgamma{p}-in-place",
        lambda t, x, p=p: (x * 1).mvlgamma_(p),
        f(3, lo=2, hi=4),
        rtol=TRIGAMMA,
    )
case("mvlgamma-keyword", lambda t, x: t.mvlgamma(x, p=2), f(3, lo=2, hi=4), rtol=TRIGAMMA)
case("mvlgamma-in-place-int", lambda t, x: x.mvlgamma_(2), v([2, 3], "int64"))

WITHIN = [nan, inf, -inf, 0.0, 1.0, 0.5, -0.5, 1.5, 0.1, 0.9, 0.05, 0.95]
for eps in (0.1, 0.0, 0.5, 0.6, 1.0, 1e-6):
    grid(f"logit-{eps}", lambda t, x, e=eps: t.logit(x, e), 0.12, 0.88, edges=WITHIN)
    case(f"logit-{eps}-keyword", lambda t, x, e=eps: x.logit(eps=e), f(3, lo=-0.5, hi=1.5))
    case(f"logit-{eps}-in-place", lambda t, x, e=eps: (x * 1).logit_(e), f(3, lo=-0.5, hi=1.5))
case(
    "logit-outside",
    function("logit"),
    v([-1.0, -0.5, 1.5, 3.0, inf, -inf]),
    torch_nan=True,
    differs=Differs("where there is no derivative, none is 0", free=tuple(range(6))),
)
case("logit-none", lambda t, x: t.logit(x, None), f(3, lo=0.1, hi=0.9))
case("logit-true", lambda t, x: t.logit(x, True), f(3, lo=0.1, hi=0.9))
case("logit-below", lambda t, x: t.logit(x, -1), f(3, lo=0.1, hi=0.9))


def gelu(t: Any, x: Any) -> Any:
    return t.nn.functional.gelu(x, approximate="tanh")


TAILS = [nan, 0.0, -0.0, 1.0, -1.0, 100.0, -100.0, 1e10, -1e10]
# PyTorch's `1 + tanh(...)` rounds away digits of the tail.
grid("gelu-tanh", gelu, -3, 3, edges=TAILS, slack=1)
case("gelu-none", lambda t, x: t.nn.functional.gelu(x, approximate="none"), f(4))

# ---------------------------------------------------------------- two tensors

SHAPES = [
    ((2, 3), (2, 3)), ((2, 3), ()), ((), (2, 3)), ((2, 3), (3,)), ((2, 1), (1, 3)),
    ((0, 3), (1, 3)), ((), ()), ((1,), ()), ((2, 1, 3), (4, 1)),
]  # fmt: skip
PAIRED = [nan, inf, -inf, 0.0, -0.0, 1.0, -1.0, 2.0, 0.5, 1e-300, 1e5]
KINDS = ("bool", "uint8", "int8", "int64", "float16", "float32", "float64", "complex64")


def pairs(
    name: str,
    lo: float = -2.0,
    hi: float = 2.0,
    left: bool = True,
    edges: Sequence[float] = PAIRED,
    **options: Any,
) -> None:
    """Floats from `lo` to `hi` in two tensors; `left` where the first is differentiated, too."""
    fn = function(name)
    for xs, ys in SHAPES:
        x, y = f(*xs, lo=lo, hi=hi, grad=left), f(*ys, lo=lo, hi=hi)
        case(f"{name}-{tag(xs)}-{tag(ys)}", fn, x, y)
    x, y = f(2, 3, lo=lo, hi=hi, grad=left), f(2, 3, lo=lo, hi=hi)
    constant = f(2, 3, lo=lo, hi=hi, grad=False)
    case(f"{name}-method", method(name), x, y)
    case(f"{name}-constants", fn, constant, constant)
    case(f"{name}-right-only", fn, constant, y)
    case(
        f"{name}-layouts",
        fn,
        f(3, 4, lo=lo, hi=hi, grad=left, layout="T"),
        f(3, 4, lo=lo, hi=hi, layout="S"),
    )
    case(f"{name}-float32", fn, f32(3, lo=lo, hi=hi, grad=left), f32(3, lo=lo, hi=hi))
    mixed = f32(3, lo=lo, hi=hi, grad=left), f(3, lo=lo, hi=hi)
    if name != "heaviside":  # which takes two of one dtype
        case(f"{name}-mixed-float", fn, *mixed, rtol=RTOL["float32"])
        case(f"{name}-in-place-wider", changed(name), *mixed, rtol=RTOL["float32"])
    firsts, seconds = [p for p in edges for _ in edges], [q for _ in edges for q in edges]
    case(f"{name}-edges", fn, v(firsts, grad=left), v(seconds), torch_nan=True, **options)
    case(f"{name}-in-place", changed(name), x, y)
    case(f"{name}-in-place-0d", changed(name), x, f(lo=lo, hi=hi))
    case(f"{name}-in-place-ints", changed(name), v([1, 2], "int64"), v([1, 2], "int64"))
    case(f"{name}-in-place-int-float", changed(name), v([1, 2], "int64"), f(2, lo=lo, grad=False))
    if left:
        case(f"{name}-left-only", fn, x, constant)
        case(f"{name}-same", lambda t, x: fn(t, x, x), f(3, lo=lo, hi=hi))
        case(f"{name}-chain", lambda t, x, y: fn(t, x * y, x + 3 * y), f(3, lo=0.4), f(3, lo=0.4))


def kinds(name: str) -> None:
    """Which dtypes are taken, and which dtype comes out."""
    for left in KINDS:
        x = v([1, 2, 1], left, grad=False)
        for right in KINDS:
            if {left, right} != {"float16", "complex64"}:  # of which PyTorch makes complex32
                case(f"{name}-{left}-{right}", function(name), x, v([1, 1, 2], right, grad=False))
        for right in ("int64", "float64", "complex64"):
            if (left, right) != ("float16", "complex64"):
                case(f"{name}-{left}-{right}-0d", function(name), x, v(1, right, grad=False))


# PyTorch's is a number for some nan, and wrong for tiny orders.
_ORDERS = [inf, -inf, 0.0, -0.0, 1.0, -1.0, 2.0, 0.5, 12.0]
pairs("igamma", 0.3, 4, left=False, edges=_ORDERS)
pairs("igammac", 0.3, 4, left=False, edges=_ORDERS)
for name in ("igamma", "igammac"):
    case(
        f"{name}-nan",
        function(name),
        v([nan, nan, nan, nan, inf, 1.0], grad=False),
        v([inf, 0.0, 1.0, nan, nan, nan], grad=False),
        differs=Differs("of nan there is no number", values=[[nan] * 6]),
    )
case(
    "igammac-tiny-order",
    function("igammac"),
    v([1e-300, 1e-300], grad=False),
    v([1.0, 0.5], grad=False),
    differs=Differs(
        "PyTorch's is off by a factor of three",
        values=[[2.19383934395520274e-301, 5.59773594776160819e-301]],
    ),
)
pairs(
    "copysign",
    differs=Differs(
        "PyTorch's ratio of the results rounds, and has a slope", free=tuple(range(99, 110))
    ),
)
pairs("ldexp")
pairs("nextafter")
pairs("float_power", 0.3, 2, edges=[1.0, 2.0, 0.5, 3.0])
pairs("heaviside")
for name in (
    "copysign", "float_power", "gcd", "heaviside", "igamma", "igammac", "lcm", "ldexp", "nextafter",
):  # fmt: skip
    kinds(name)

# Numbers in the place of a tensor.
NUMBERS = {"2": 2, "-2.5": -2.5, "0": 0, "-0.0": -0.0, "True": True, "nan": nan, "inf": inf}
for text, number in NUMBERS.items():
    case(f"copysign-number-{text}", lambda t, x, n=number: t.copysign(x, n), f(4))
    case(f"copysign-method-{text}", lambda t, x, n=number: x.copysign(n), f32(4))
    case(f"copysign-in-place-{text}", lambda t, x, n=number: (x * 1).copysign_(n), f(4))
    case(f"copysign-int-{text}", lambda t, x, n=number: t.copysign(x, n), i(4))
    case(f"float_power-number-{text}", lambda t, x, n=number: t.float_power(x, n), f(4, lo=0.4))
    if number:
        case(f"float_power-base-{text}", lambda t, x, n=number: t.float_power(n, x), f(4, lo=0.4))
    case(f"float_power-int-{text}", lambda t, x, n=number: x.float_power(n), i(4, lo=1))
    case(
        f"float_power-in-place-{text}",
        lambda t, x, n=number: (x * 1).float_power_(n),
        f(4, lo=0.4),
    )
case("copysign-ties", function("copysign"), v([0.0, -0.0, inf, -inf]), v([-0.0, 0.0, -1.0, 1.0]),
     torch_nan=True)  # fmt: skip
case("copysign-in-place-int-number", lambda t, x: x.copysign_(2.0), i(3))
case("float_power-complex-number", lambda t, x: t.float_power(x, 1j), f(3, lo=0.4))
case("float_power-complex64", lambda t, x: t.float_power(x, 2), c(3, lo=0.4, dtype="complex64"))
case("float_power-in-place-float32", lambda t, x: (x * 1).float_power_(2), f32(3, lo=0.4))
case("float_power-in-place-int", lambda t, x: x.float_power_(2), i(3))
case("float_power-in-place-complex64", lambda t, x: (x * 1).float_power_(2),
     c(3, lo=0.4, dtype="complex64"))  # fmt: skip
case("float_power-in-place-complex", lambda t, x: (x * 1).float_power_(2), c(3, lo=0.4))
case("float_power-in-place-complex-number", lambda t, x: (x * 1).float_power_(2j), f(3, lo=0.4))

for kind in ("int8", "uint8", "int64"):
    for left in ("float16", "float32", "float64"):
        case(f"ldexp-whole-{left}-{kind}", function("ldexp"), v([1e-4, 3.0, 1.5], left),
             v([0, 3, 5], kind))  # fmt: skip
        case(f"ldexp-exact-{left}-{kind}", function("ldexp"),
             v([1e-4, 3.0, 1e-3], left, grad=False), v([20, 0, 100], kind))  # fmt: skip
POWERS = "PyTorch's gradient has integer powers of 2, which overflow, and are 0 instead of a half"
for text, exponents in {"large": [100, 64, 31], "negative": [-1, -3, 0]}.items():
    whole, floats = v(exponents, "int64"), v(exponents, grad=False)
    case(f"ldexp-{text}-floats", function("ldexp"), f(3), floats)
    case(f"ldexp-{text}", function("ldexp"), f(3), whole,
         differs=Differs(POWERS, as_case=f"special-ldexp-{text}-floats"))  # fmt: skip
case("ldexp-far", function("ldexp"), v([1e-30, 1e-300, 0.0, 3.0]), v([200.0, 1500.0, 9.0, -60.0]))
case("ldexp-of-ints", function("ldexp"), i(4), v([0, 3, 20, 100], "int64"))
case("ldexp-in-place-whole", changed("ldexp"), f(3), v([3, 1, 0], "int64"))
for text, x, y in (("base", c(3), f(3)), ("exponent", f(3), c(3, lo=-1, hi=1))):
    case(f"ldexp-complex-{text}-converted",
         lambda t, x, y: t.ldexp(x.to(t.complex128), y.to(t.complex128)), x, y)  # fmt: skip
    case(f"ldexp-complex-{text}", function("ldexp"), x, y,
         differs=Differs(CONVERTED, as_case=f"special-ldexp-complex-{text}-converted"))  # fmt: skip
case("ldexp-complex-whole", function("ldexp"), c(3), v([3, 1, 0], "int64"))

for kind in ("float16", "float32", "float64"):
    case(f"nextafter-{kind}-values", function("nextafter"), v([1.0, -1.0, 0.0, 5e-5, 1.0], kind),
         v([2.0, 0.0, -1.0, 1.0, 1.0], kind))  # fmt: skip

for kind in ("float32", "float64", "int64", "bool", "uint8"):
    case(f"heaviside-{kind}-values", function("heaviside"), v([0, 1, 0, 1, 0], kind, grad=False),
         v([1, 0, 0, 1, 1], kind, grad=False))  # fmt: skip
case("heaviside-keyword", lambda t, x, y: t.heaviside(x, values=y), f(3, grad=False),
     f(3, grad=False))  # fmt: skip
case("heaviside-in-place-left-only", changed("heaviside"), f(3), f(3, grad=False))
case("floor_divide-in-place", changed("floor_divide"), f(3), f(3, lo=1))
case("floor_divide-in-place-number", lambda t, x: (x * 1).floor_divide_(2), f(3))


def operator_in_place(t: Any, x: Any) -> Any:
    y = x * 1
    y //= 2
    return y


case("floor_divide-in-place-operator", operator_in_place, f(3))

WHOLE = [0, 1, -1, 6, -6, 12, 35, 100, 127, -100]
for name in ("gcd", "lcm"):
    for kind in ("int8", "int16", "int32", "int64"):
        lefts, rights = [x for x in WHOLE for _ in WHOLE], [y for _ in WHOLE for y in WHOLE]
        case(f"{name}-{kind}-pairs", function(name), v(lefts, kind), v(rights, kind))
    case(f"{name}-uint8-pairs", function(name), v([200, 0, 255, 96], "uint8"),
         v([99, 7, 255, 72], "uint8"))  # fmt: skip
    for xs, ys in SHAPES:
        case(
            f"{name}-{tag(xs)}-{tag(ys)}", function(name), i(*xs, lo=1, hi=30), i(*ys, lo=1, hi=30)
        )
    case(f"{name}-method", method(name), i(3, lo=1, hi=30), i(3, lo=1, hi=30))
    case(f"{name}-in-place", lambda t, x, y, n=name + "_": getattr(x, n)(y), i(3, lo=1, hi=30),
         i(3, lo=1, hi=30))  # fmt: skip
    case(f"{name}-in-place-int8", lambda t, x, y, n=name + "_": getattr(x, n)(y),
         v([6, 9], "int8"), v([4, 6], "int64"))  # fmt: skip
    case(f"{name}-in-place-float", lambda t, x, y, n=name + "_": getattr(x, n)(y),
         i(3, lo=1, hi=30), f(3, grad=False))  # fmt: skip

CASES = case.cases
assert isinstance(case, Table)
