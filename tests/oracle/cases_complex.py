"""Complex numbers: every function on them, their mixing with real ones, branch cuts and zeros.

The gradients of a real loss are PyTorch's: `2 * dL/d(conj z)`, so that of `z*z` is `2*conj(z)`.
What does not compute on complex numbers stands here as well: its error is part of the recording.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from .compare import RTOL
from .table import Arg, Table, b, c, f, f32, i, table, tag, v

inf, nan = float("inf"), float("nan")

case: Table = table("complex")


def words(text: str) -> list[str]:
    return text.split()


def function(name: str) -> Callable[..., Any]:
    return lambda t, *xs: getattr(t, name)(*xs)


def functional(name: str) -> Callable[..., Any]:
    return lambda t, *xs: getattr(t.nn.functional, name)(*xs)


def z(values: Any, dtype: str = "complex128", **options: Any) -> Arg:
    """Literal complex numbers."""
    return v(values, dtype, **options)


def c64(*shape: int, **options: Any) -> Arg:
    return c(*shape, dtype="complex64", **options)


# ---------------------------------------------------------------- one tensor, element by element

UNARY = words(
    "abs acos acosh angle asin asinh atan atanh ceil conj conj_physical cos cosh erf erfc "
    "erfinv exp exp2 expm1 floor frac imag isfinite isinf isnan isreal log log10 log1p "
    "log2 logical_not nan_to_num neg positive real reciprocal relu resolve_conj "
    "resolve_neg round rsqrt sgn sigmoid sign sin sinc sinh sqrt square tan tanh trunc "
    "view_as_real"
)
REFUSING = words("ceil erf erfc erfinv floor frac relu round sign trunc")
# Both sides of each cut, each branch point, and the zeros with their signs.
_ZEROS = [complex(0.0, 0.0), complex(-0.0, 0.0), complex(0.0, -0.0), complex(-0.0, -0.0)]
_AXES = [
    complex(x, y)
    for x, y in [
        (2.0, 0.0), (2.0, -0.0), (-2.0, 0.0), (-2.0, -0.0),
        (0.0, 2.0), (-0.0, 2.0), (0.0, -2.0), (-0.0, -2.0),
        (0.5, 0.0), (0.5, -0.0), (-0.5, 0.0), (-0.5, -0.0),
        (0.0, 0.5), (-0.0, 0.5), (0.0, -0.5), (-0.0, -0.5),
    ]
]  # fmt: skip
_POINTS = [1 + 0j, complex(1, -0.0), -1 + 0j, complex(-1, -0.0), 1j, -1j]
_FAR_LEFT = -1e4 + 1j
_LARGE = [30 + 1j, -30 + 1j, 1 + 30j, 1 - 30j, 1e4 + 1e4j, _FAR_LEFT]
_TINY = [1e-9 + 1e-9j, -1e-9 + 1e-10j, 3e-160 + 1e-160j, 1e-8j, -1e-8 + 0j]

# Where PyTorch departs from the function: cases of their own.
_OWN_CASES: dict[str, Callable[[complex], bool]] = {
    "acosh": lambda w: abs(w) < 1 and w.imag == 0 and math.copysign(1, w.imag) < 0,
    "sigmoid": lambda w: w == _FAR_LEFT,
}


def _usual(name: str, values: list[complex]) -> Arg:
    departs = _OWN_CASES.get(name, lambda w: False)
    return z([w for w in values if not departs(w)])


for name in UNARY:
    fn = function(name)
    if name == "nan_to_num":  # of which PyTorch has no derivative
        case(name, fn, z([nan + 1j, complex(1, inf), 2j], grad=False))
        continue
    if name in REFUSING:
        case(f"{name}", fn, c(2))
        case(f"{name}-complex64", fn, c64(2))
        continue
    case(f"{name}", fn, c(2, 3))
    case(f"{name}-0d", fn, c())
    case(f"{name}-empty", fn, c(0))
    case(f"{name}-complex64", fn, c64(4, lo=-0.9, hi=0.9))
    case(f"{name}-small", fn, c(5, lo=-0.9, hi=0.9))
    case(f"{name}-layout", fn, c(3, 4, layout="T"))
    case(f"{name}-constant", fn, c(3, grad=False))
    case(f"{name}-zeros", fn, _usual(name, _ZEROS), torch_nan=True)
    case(f"{name}-axes", fn, _usual(name, _AXES), torch_nan=True)
    case(f"{name}-points", fn, z(_POINTS), torch_nan=True)
    case(f"{name}-large", fn, _usual(name, _LARGE), torch_nan=True)
    case(f"{name}-tiny", fn, z(_TINY), torch_nan=True)
    case(f"{name}-real-leaf", lambda t, x, fn=fn: fn(t, x * (1 + 0.5j)), f(3))
    case(f"{name}-real-leaf-float32", lambda t, x, fn=fn: fn(t, x + 0.5j), f32(3))
    case(f"{name}-twice", lambda t, x, fn=fn: fn(t, x) * fn(t, x), c(3))
    case(f"{name}-real-loss", lambda t, x, fn=fn: fn(t, x * x).abs().sum(), c(3))

case("acosh-lower-lip", function("acosh"), z([complex(0.5, -0.0), complex(-0.5, -0.0)]), ones=True)
case("sigmoid-far-left", function("sigmoid"), z([_FAR_LEFT]), torch_nan=True)
case("sinc-series", lambda t, x: 1 - (x * math.pi) ** 2 / 6, z(_TINY))

for name in words(
    "abs real imag conj neg exp log sqrt square reciprocal sin tanh sigmoid sgn angle"
):
    for after in ("conj", "real", "imag", "abs", "angle", "exp", "sgn"):
        case(
            f"compose-{name}-{after}",
            lambda t, x, f=name, g=after: getattr(t, g)(getattr(t, f)(x)),
            c(3),
        )

for name in ("angle", "abs", "sgn", "conj", "real", "positive", "view_as_real", "imag", "isreal"):
    case(f"of-real-{name}", function(name), f(4))
    case(f"of-real-edges-{name}", function(name), v([0.0, -0.0, -1.0, nan, inf, -inf]))
    case(f"of-int-{name}", function(name), i(4))
    case(f"of-bool-{name}", function(name), b(3))

for name in words(
    "softplus elu gelu hardtanh leaky_relu logsigmoid relu relu6 selu sigmoid silu tanh"
):
    moves = name != "silu"  # of which PyTorch has no derivative
    fn = functional(name)
    case(f"nn-{name}", fn, c(3, grad=moves))
    case(f"nn-{name}-complex64", fn, c64(3, grad=moves))
case("nn-threshold", lambda t, x: t.nn.functional.threshold(x, 0.1, 2), c(3))
case("nn-softmax", lambda t, x: t.nn.functional.softmax(x, 0), c(3))
case("nn-log-softmax", lambda t, x: t.nn.functional.log_softmax(x, 0), c(3))

# ---------------------------------------------------------------- two and more operands

BINARY = ["add", "sub", "mul", "div"]
for name in BINARY:
    fn = function(name)
    case(f"{name}", fn, c(2, 3), c(3))
    case(f"{name}-real-left", fn, f(2, 3), c(3))
    case(f"{name}-real-right", fn, c(2, 3), f(1, 3))
    case(f"{name}-float32-right", fn, c(3), f32(3))
    case(f"{name}-complex64-float64", fn, c64(3), f(3))
    # The gradient of the float64 operand is a complex64 sum, converted.
    case(f"{name}-complex64-float64-0d", fn, c64(3), f(), rtol=RTOL["complex64"])
    case(f"{name}-float32-complex128-0d", fn, f32(3), c())
    case(f"{name}-int-right", fn, c(3), i(3, lo=1, hi=3))
    case(f"{name}-int-left", fn, i(3), c(3))
    case(f"{name}-bool-left", fn, b(3), c(3))
    case(f"{name}-number-complex", lambda t, x, fn=fn: fn(t, x, 2 - 1j), c(3))
    case(f"{name}-number-real", lambda t, x, fn=fn: fn(t, x, -1.5), c64(3))
    case(f"{name}-real-number-complex", lambda t, x, fn=fn: fn(t, x, 2 - 1j), f(3))
    case(f"{name}-float32-number-complex", lambda t, x, fn=fn: fn(t, x, 2 - 1j), f32(3))
    case(f"{name}-int-number-complex", lambda t, x, fn=fn: fn(t, x, 2 - 1j), i(3))
    case(f"{name}-self", lambda t, x, fn=fn: fn(t, x, x), c(3))
    case(f"{name}-self-conj", lambda t, x, fn=fn: fn(t, x, x.conj()), c(3))
    case(f"{name}-empty", fn, c(0, 3), c(3))
for name, op in {
    "radd": lambda x: (2 - 1j) + x, "rsub": lambda x: (2 - 1j) - x, "rmul": lambda x: 1j * x,
    "rdiv": lambda x: (2 - 1j) / x, "rpow": lambda x: (2 - 1j) ** x,
}.items():  # fmt: skip
    case(f"operator-{name}", lambda t, x, op=op: op(x), c(3))
    case(f"operator-{name}-real", lambda t, x, op=op: op(x), f(3))
    case(f"operator-{name}-float32", lambda t, x, op=op: op(x), f32(3))
case("div-by-zero", lambda t, x, y: x / y, z([1 + 1j, 0j]), c(2), torch_nan=True)
case("add-alpha", lambda t, x, y: t.add(x, y, alpha=2 - 1j), c(3), c(3))
case("sub-alpha", lambda t, x, y: t.sub(x, y, alpha=1j), c(3), c(3))
case("add-alpha-real-left", lambda t, x, y: t.add(x, y, alpha=0.5), f(3), c(3))
case("add-alpha-real", lambda t, x, y: t.add(x, y, alpha=1j), f(3), f(3))
case("rsub-alpha", lambda t, x, y: t.rsub(x, y, alpha=2j), c(3), c(3))
case("div-floor", lambda t, x, y: t.div(x, y, rounding_mode="floor"), c(3), c(3))
case("div-trunc", lambda t, x, y: t.div(x, y, rounding_mode="trunc"), c(3), c(3))
for name in words(
    "atan2 hypot fmod remainder floor_divide maximum minimum fmax fmin xlogy "
    "logaddexp lt le gt ge bitwise_and"
):
    # Forward mode would refuse these two before it looks at the dtype.
    moves = name not in ("floor_divide", "bitwise_and")
    fn = function(name)
    case(f"{name}", fn, c(3, grad=moves), c(3, grad=moves))
    case(f"{name}-real-left", fn, f(3, grad=moves), c(3, grad=moves))
    case(f"{name}-complex64", fn, c64(3, grad=moves), c64(3, grad=moves))
case("logaddexp-converted", lambda t, x, y: t.logaddexp(x.cdouble(), y), f(3), c(3))
for name in words("eq ne equal logical_and logical_or logical_xor isclose allclose"):
    case(f"{name}", function(name), z([1 + 1j, 2, nan, 0]), z([1 + 1j, 2 + 1j, nan, 0]))
    case(f"{name}-real-right", function(name), z([1 + 1j, 2, nan, 0]), v([1.0, 2, nan, 0]))

EXPONENTS = [0, 1, 2, 3, 4, -1, -2, -3, 0.5, -0.5, 1.5, 2.0, 1j, 2 - 1j, -1 + 0.5j, 0j, 2 + 0j]
for p in EXPONENTS:
    case(f"pow-{p}", lambda t, x, p=p: x**p, c(4))
    case(f"pow-{p}-complex64", lambda t, x, p=p: t.pow(x, p), c64(3, lo=0.3))
    case(f"pow-{p}-zeros", lambda t, x, p=p: x**p, z([0j, 1 + 0j, -1 + 0j, 1j]), torch_nan=True)
    case(f"pow-{p}-real", lambda t, x, p=p: x**p, f(3, lo=0.3))
for base in [2, -1.5, 1j, 2 - 1j, 0, 1]:
    case(f"pow-base-{base}", lambda t, x, a=base: a**x, c(4))
    case(f"pow-base-{base}-function", lambda t, x, a=base: t.pow(a, x), c64(3))
case("pow", lambda t, x, y: x**y, c(2, 3), c(3))
case("pow-complex64", lambda t, x, y: x**y, c64(4), c64(4))
case("pow-real-base", lambda t, x, y: x**y, f(4), c(4))
case("pow-positive-base", lambda t, x, y: x**y, f(4, lo=0.3), c(4))
case("pow-real-exponent", lambda t, x, y: x**y, c(4), f(4))
case("pow-float32-exponent", lambda t, x, y: x**y, c(4), f32(4))
case("pow-complex64-float64", lambda t, x, y: x**y, c64(4), f(4))
case("pow-int-exponent", lambda t, x, y: x**y, c(6), i(6))
case("pow-int-base", lambda t, x, y: x**y, i(4, lo=1, hi=4), c(4))
case("pow-self", lambda t, x: x**x, c(4))
_BASES = [0j] * 6 + [1 + 0j, -1 + 0j, 1j]
_EXPONENTS = [0j, 1 + 0j, 2 + 0j, 1 + 1j, -1 + 0j, 1j, 0j, 0j, 0j]
case("pow-edges", lambda t, x, y: x**y, z(_BASES), z(_EXPONENTS), torch_nan=True)

case("lerp", lambda t, x, y: t.lerp(x, y, 0.3), c(3), c(3))
case("lerp-complex-weight", lambda t, x, y: t.lerp(x, y, 0.3 + 0.9j), c(3), c(3))
case("lerp-far", lambda t, x, y: t.lerp(x, y, 0.7), c(3), c(3))
case("lerp-tensor-weight", lambda t, x, y, w: t.lerp(x, y, w), c(4), c(4), c(4, lo=-0.9, hi=0.9))
case("lerp-mixed", lambda t, x, y: t.lerp(x, y, 0.3), c(3), f(3))
case("lerp-real-weight", lambda t, x, y, w: t.lerp(x, y, w), c(3), c(3), f(3))
case("lerp-real-complex-weight", lambda t, x, y: t.lerp(x, y, 0.5j), f(3), f(3))
for name in ("addcmul", "addcdiv"):
    case(f"{name}", lambda t, *xs, n=name: getattr(t, n)(*xs), c(3), c(3), c(3))
    case(f"{name}-value", lambda t, *xs, n=name: getattr(t, n)(*xs, value=2 - 1j), c(3), c(3), c(3))
    case(f"{name}-mixed", lambda t, *xs, n=name: getattr(t, n)(*xs), f(3), c(3), f(1))
    case(
        f"{name}-real-value", lambda t, *xs, n=name: getattr(t, n)(*xs, value=1j), f(3), f(3), f(3)
    )
    case(f"{name}-complex64", lambda t, *xs, n=name: getattr(t, n)(*xs, value=3), *[c64(2)] * 3)

case("where", lambda t, m, x, y: t.where(m, x, y), b(3), c(3), c(3))
case("where-mixed", lambda t, m, x, y: t.where(m, x, y), b(3), c(3), c64(3))
case("where-number", lambda t, m, x: t.where(m, x, 2 - 1j), b(3), c(3))
case("where-zero", lambda t, m, x: t.where(m, x, 0), b(3), c(3))
case("where-real-number", lambda t, m, x: t.where(m, x, 1j), b(3), f(3), torch_nan=True)
case("where-log", lambda t, x: t.where(x.real > 0, x.log(), x), c(4))
case("masked-fill", lambda t, x, m: x.masked_fill(m, 2 - 1j), c(3), b(3))
case("masked-fill-tensor", lambda t, x, m, y: x.masked_fill(m, y), c(3), b(3), c())
case("masked-fill-real", lambda t, x, m: x.masked_fill(m, 1j), f(3), b(3))
case("masked-fill-real-by-tensor", lambda t, x, m, y: x.masked_fill(m, y), f(3), b(3), c())
for name, kw in {"min": {"min": 0}, "both": {"min": 0, "max": 1}}.items():
    case(f"clamp-{name}", lambda t, x, kw=kw: t.clamp(x, **kw), c(3))
case("clamp-tensor", lambda t, x, y: t.clamp(x, y), c(3), f(3))
case("round-decimals", lambda t, x: t.round(x, decimals=1), c(3))

for name in words("clamp_min clamp_max"):
    case(f"{name}", lambda t, x, n=name: getattr(t, n)(x, 0), c(3))
    case(f"{name}-tensor", lambda t, x, y, n=name: getattr(t, n)(x, y), c(3), c(3))
case("clip", lambda t, x: t.clip(x, 0, 1), c(3))
for name in words("bitwise_or bitwise_xor bitwise_left_shift bitwise_right_shift"):
    case(f"{name}", function(name), c(3, grad=False), c(3, grad=False))
case("bitwise_not", function("bitwise_not"), c(3, grad=False))
for name in words("absolute arccos arccosh arcsin arcsinh arctan arctanh fix negative"):
    case(f"alias-{name}", function(name), c(3))
for name in words("arctan2 divide greater multiply not_equal subtract true_divide"):
    case(f"alias-{name}", function(name), c(3), c(3))

# ---------------------------------------------------------------- between real and complex

case("complex", lambda t, x, y: t.complex(x, y), f(2, 3), f(3))
case("complex-float32", lambda t, x, y: t.complex(x, y), f32(3), f32(3))
case("complex-mixed", lambda t, x, y: t.complex(x, y), f32(3), f(3))
case("complex-int", lambda t, x, y: t.complex(x, y), i(3), i(3))
case("complex-of-complex", lambda t, x, y: t.complex(x, y), c(3), c(3))
case("complex-one-grad", lambda t, x, y: t.complex(x, y), f(3), f(3, grad=False))
case("complex-abs", lambda t, x, y: t.complex(x, y).abs(), f(3), f(3))
case("complex-square", lambda t, x, y: (t.complex(x, y) ** 2).sum().real, f(3), f(3))
case("polar", lambda t, x, y: t.polar(x, y), f(2, 3, lo=0.2), f(3))
case("polar-float32", lambda t, x, y: t.polar(x, y), f32(3, lo=0.2), f32(3))
_SIZES, _ANGLES = v([0.0, 1.0, -1.0]), v([0.0, 0.0, 1.0])
case("polar-not-positive", lambda t, x, y: t.polar(x, y), _SIZES, _ANGLES)
case("polar-by-parts", lambda t, x, y: t.complex(x * y.cos(), x * y.sin()), _SIZES, _ANGLES)
case("polar-mixed", lambda t, x, y: t.polar(x, y), f32(3), f(3))
case("polar-int", lambda t, x, y: t.polar(x, y), i(3), i(3))
case("polar-of-parts", lambda t, x: t.polar(x.abs(), x.angle()), c(4))
case("polar-one-grad", lambda t, x, y: t.polar(x, y), f(3, lo=0.2), f(3, grad=False))
case("view-as-real-select", lambda t, x: t.view_as_real(x)[..., 1], c(2, 2))
case("view-as-real-conj", lambda t, x: t.view_as_real(x.conj().resolve_conj()), c(3))
case("view-as-real-complex64", lambda t, x: t.view_as_real(x), c64(3))
case("view-as-complex", lambda t, x: t.view_as_complex(x), f(3, 2))
case("view-as-complex-float32", lambda t, x: t.view_as_complex(x), f32(2, 2, 2))
case("view-as-complex-odd", lambda t, x: t.view_as_complex(x), f(3, 3))
case("view-as-complex-0d", lambda t, x: t.view_as_complex(x), f())
case("view-as-complex-int", lambda t, x: t.view_as_complex(x), i(3, 2))
case("view-as-complex-of-complex", lambda t, x: t.view_as_complex(x), c(3, 2))
case("view-as-both", lambda t, x: t.view_as_complex(t.view_as_real(x)) * x, c(3))
case("view-as-complex-square", lambda t, x: t.view_as_complex(x * x) ** 2, f(3, 2))
case("real-property", lambda t, x: x.real * x.imag, c(3))
case("real-of-product", lambda t, x, y: (x * y).real, c(3), c(3))
case("imag-of-product", lambda t, x, y: (x * y).imag, c(3), f(3))
case("real-squared", lambda t, x: x.real**2 + x.imag**2, c(3))
case("norm-squared", lambda t, x: (x * x.conj()).real.sum(), c(3))
case("norm-squared-complex", lambda t, x: x * x.conj(), c(3))
case("abs-squared", lambda t, x: x.abs() ** 2, c(3))
case("abs-product", lambda t, x, y: (x * y).abs().log(), c(3), c(3))
case("is-conj", lambda t, x: [x.is_conj(), t.is_conj(x), x.is_neg(), t.is_complex(x)], c(3))
case("H", lambda t, x: x.H, c(2, 3))
case("mH", lambda t, x: x.mH, c(2, 2, 3))
case("mT", lambda t, x: x.mT, c(2, 2, 3))
case("adjoint", lambda t, x: t.adjoint(x), c(2, 2, 3))
case("H-real", lambda t, x: x.H, f(2, 3))
case("H-3d", lambda t, x: x.H, c(2, 2, 3))
case("adjoint-product", lambda t, x: x.mH @ x, c(3, 2))
for kind in ("complex64", "complex128", "float32", "float64", "int64", "bool"):
    case(f"to-{kind}", lambda t, x, k=kind: x.to(getattr(t, k)), c(3))
    case(f"real-to-{kind}", lambda t, x, k=kind: x.to(getattr(t, k)), f(3))
    case(f"complex64-to-{kind}", lambda t, x, k=kind: x.to(getattr(t, k)), c64(3))
for name in words("cfloat cdouble double float half long bool clone contiguous"):
    case(f"method-{name}", lambda t, x, n=name: getattr(x, n)(), c(3))
case("real-cfloat", lambda t, x: x.cfloat(), f(3))
case("real-cdouble", lambda t, x: x.cdouble() ** 2, f32(3))
case("type-as", lambda t, x, y: x.type_as(y), f(3), c(1))
case("type-as-real", lambda t, x, y: x.type_as(y), c(3), f(1))
case("to-real-and-back", lambda t, x: x.double().cdouble() * x, c(3))
case("detach", lambda t, x: x.detach() * x, c(3))

# ---------------------------------------------------------------- reductions

for name in words("sum mean prod cumsum cumprod logcumsumexp var std nansum nanmean logsumexp"):

    def fn(t: Any, x: Any, n: str = name, *args: Any, **kw: Any) -> Any:
        return getattr(t, n)(x, *args, **kw)

    if name not in ("cumsum", "cumprod", "logcumsumexp", "logsumexp"):
        case(f"{name}-full", fn, c(2, 3))
        case(f"{name}-full-complex64", fn, c64(4))
        case(f"{name}-real-loss", lambda t, x, fn=fn: fn(t, x).abs(), c(4))
    case(f"{name}-dim", lambda t, x, n=name: getattr(t, n)(x, dim=0), c(3, 2))
    case(f"{name}-last", lambda t, x, n=name: getattr(x, n)(-1), c(2, 3))
    case(f"{name}-complex64", lambda t, x, n=name: getattr(x, n)(0), c64(3, 2))
    case(f"{name}-one", lambda t, x, n=name: getattr(x, n)(0), c(1, 2), torch_nan=True)
    case(f"{name}-0d", lambda t, x, n=name: getattr(x, n)(0), c(), torch_nan=True)
    case(f"{name}-real-leaf", lambda t, x, n=name: getattr(x * (1 + 1j), n)(0), f(3))
    if not name.startswith(("cum", "logc")):
        case(f"{name}-keepdim", lambda t, x, n=name: getattr(t, n)(x, 1, keepdim=True), c(2, 3))
for name in ("sum", "mean", "prod", "cumsum", "cumprod", "nansum"):
    case(f"{name}-dtype", lambda t, x, n=name: getattr(t, n)(x, 0, dtype=t.complex128), c64(3))
    case(f"{name}-dtype-real", lambda t, x, n=name: getattr(t, n)(x, 0, dtype=t.complex128), f(3))
    case(f"{name}-dtype-to-real", lambda t, x, n=name: getattr(t, n)(x, 0, dtype=t.float64), c(3))
for name in ("prod", "cumprod"):
    for zeros, values in {
        "one": [1 + 1j, 0, 2 - 1j, 1j],
        "two": [1 + 1j, 0, 2 - 1j, 0],
        "all": [0j, 0j],
        "first": [0j, 1 + 1j, 2 - 1j],
    }.items():
        case(f"{name}-zeros-{zeros}", lambda t, x, n=name: getattr(t, n)(x, 0), z(values))
    case(f"{name}-zeros-full", lambda t, x: t.prod(x), z([1 + 1j, 0, 2 - 1j]))
for name in ("var", "std", "var_mean", "std_mean"):
    for correction in (0, 1, 2):
        case(
            f"{name}-correction{correction}",
            lambda t, x, n=name, k=correction: getattr(t, n)(x, dim=0, correction=k),
            c(4, 2),
        )
    case(f"{name}-both", lambda t, x, n=name: getattr(t, n)(x), c(2, 3))
    case(f"{name}-constant", lambda t, x, n=name: getattr(t, n)(x), z([1 + 1j] * 3), torch_nan=True)
for p in (None, "fro", 0, 1, 2, 3, 0.5, 1.5, -1, -2, inf, -inf):
    case(f"norm-{p}", lambda t, x, p=p: t.norm(x, p) if p is not None else t.norm(x), c(2, 3))
    case(f"norm-{p}-complex64", lambda t, x, p=p: x.norm(p) if p is not None else x.norm(), c64(3))
    if p in (None, "fro"):
        continue
    case(f"norm-{p}-dim", lambda t, x, p=p: t.norm(x, p, dim=0), c(3, 2))
    case(f"norm-{p}-keepdim", lambda t, x, p=p: t.norm(x, p, dim=1, keepdim=True), c(3, 2))
    case(f"norm-{p}-zero", lambda t, x, p=p: t.norm(x, p), z([0j, 0j]), torch_nan=True)
    case(f"norm-{p}-some-zero", lambda t, x, p=p: t.norm(x, p), z([0j, 3 + 4j]), torch_nan=True)
    case(f"norm-{p}-ties", lambda t, x, p=p: t.norm(x, p), z([3j, 3, -3]), torch_nan=True)
    case(f"vector-norm-{p}", lambda t, x, p=p: t.linalg.vector_norm(x, p), c(2, 3))
    case(f"dist-{p}", lambda t, x, y, p=p: t.dist(x, y, p), c(3), c(3), torch_nan=True)
case("norm-real-leaf", lambda t, x: (x * (1 - 1j)).norm(), f(3))
case("cumprod-of-real-part", lambda t, x: x.real.cumprod(0), c(3))
for name in ("sum", "mean", "prod", "cumprod"):
    case(f"{name}-of-complex", lambda t, x, n=name: getattr(t, n)(x.cdouble(), 0), f(3))
case("norm-dtype", lambda t, x: t.norm(x, dtype=t.complex128), c64(3))
case("vector-norm-dtype", lambda t, x: t.linalg.vector_norm(x, dtype=t.complex128), c64(3))
case("vector-norm-dtype-real", lambda t, x: t.linalg.vector_norm(x, dtype=t.float64), c64(3))
case("vector-norm-dtype-complex", lambda t, x: t.linalg.vector_norm(x, dtype=t.complex128), f(3))
case("dist-mixed", lambda t, x, y: t.dist(x, y), c(3), f(3))
case("dist-converted", lambda t, x, y: t.dist(x, y.cdouble()), c(3), f(3))
case("normalize", lambda t, x: t.nn.functional.normalize(x, dim=0), c(3))
case("trace", lambda t, x: t.trace(x), c(3, 3))
for name in words(
    "amax amin aminmax argmax argmin max min median all any count_nonzero sort argsort msort"
):
    case(f"{name}", function(name), c(3))
    case(f"{name}-complex64", function(name), c64(3))
for name in ("max", "min", "cummax", "cummin", "softmax", "log_softmax", "kthvalue", "median"):
    case(
        f"{name}-dim",
        lambda t, x, n=name: getattr(t, n)(x, 1, 0) if n == "kthvalue" else getattr(t, n)(x, 0),
        c(3, 2),
    )
case("topk", lambda t, x: t.topk(x, 1), c(3))
case("quantile", lambda t, x: t.quantile(x, 0.5), c(3))
case("logsumexp-two", lambda t, x: t.logsumexp(x, (0, 1)), c(3, 2))
case("logcumsumexp-branch", lambda t, x: t.logcumsumexp(x, 0), z([1 + 3j, 1 + 3j, -2 - 3j]))

# ---------------------------------------------------------------- contractions

for name, xs, ys in [
    ("matmul", (2, 3), (3, 2)), ("matmul", (3,), (3,)), ("matmul", (2, 3), (3,)),
    ("matmul", (3,), (3, 2)), ("matmul", (2, 2, 3), (3, 2)), ("matmul", (2, 2, 3), (2, 3, 1)),
    ("mm", (2, 3), (3, 2)), ("mv", (2, 3), (3,)), ("dot", (3,), (3,)), ("vdot", (3,), (3,)),
    ("inner", (2, 3), (2, 3)), ("outer", (2,), (3,)), ("ger", (2,), (3,)),
    ("bmm", (2, 2, 3), (2, 3, 2)), ("mul", (2, 1), (1, 3)),
]:  # fmt: skip
    label = f"{name}-{tag(xs)}-{tag(ys)}"
    fn = function(name)
    case(label, fn, c(*xs), c(*ys))
    case(f"{label}-complex64", fn, c64(*xs), c64(*ys))
    case(f"{label}-real-right", fn, c(*xs), f(*ys))
    case(f"{label}-real-left", fn, f(*xs), c(*ys))
    case(f"{label}-real-loss", lambda t, x, y, fn=fn: fn(t, x, y).abs().sum(), c(*xs), c(*ys))
    case(f"{label}-constant", fn, c(*xs), c(*ys, grad=False))
for name, shapes in {
    "addmm": [(2, 2), (2, 3), (3, 2)], "addmv": [(2,), (2, 3), (3,)], "addr": [(2, 3), (2,), (3,)],
    "addbmm": [(2, 2), (2, 2, 3), (2, 3, 2)], "baddbmm": [(2, 2, 2), (2, 2, 3), (2, 3, 2)],
}.items():  # fmt: skip
    args = [c(*s) for s in shapes]
    fn = function(name)
    case(f"{name}", fn, *args)
    case(
        f"{name}-factors",
        lambda t, *xs, n=name: getattr(t, n)(*xs, beta=1 - 2j, alpha=0.5j),
        *args,
    )
    case(f"{name}-mixed", fn, f(*shapes[0]), *args[1:])
    case(
        f"{name}-real-factors",
        lambda t, *xs, n=name: getattr(t, n)(*xs, beta=1j),
        *[f(*s) for s in shapes],
    )
case("addr-converted", lambda t, x, y, w: t.addr(x.cdouble(), y, w), f(2, 3), c(2), c(3))
case("chain-matmul", lambda t, *xs: t.chain_matmul(*xs), c(2, 3), c(3, 2), c(2, 2))
for formula, shapes in {
    "ij,jk->ik": [(2, 3), (3, 2)], "ij,ij->": [(2, 3), (2, 3)], "ii->i": [(3, 3)], "ii": [(3, 3)],
    "ij->ji": [(2, 3)], "i,j->ij": [(2,), (3,)], "bij,bjk->bik": [(2, 2, 3), (2, 3, 2)],
    "ij,j,i->": [(2, 3), (3,), (2,)], "...i,i->...": [(2, 3), (3,)],
}.items():  # fmt: skip
    case(
        f"einsum-{formula}",
        lambda t, *xs, e=formula: t.einsum(e, *xs),
        *[c(*s) for s in shapes],
    )
case("einsum-mixed", lambda t, x, y: t.einsum("ij,jk->ik", x, y), c(2, 3), f(3, 2))
case("tensordot", lambda t, x, y: t.tensordot(x, y, 1), c(2, 3), c(3, 2))
case("tensordot-dims", lambda t, x, y: t.tensordot(x, y, ([0], [1])), c(3, 2), c(2, 3))
case("linear", lambda t, x, w, y: t.nn.functional.linear(x, w, y), c(2, 3), c(2, 3), c(2))
case("linear-mixed", lambda t, x, w: t.nn.functional.linear(x, w), c(2, 3), f(2, 3))
_UNMOVED = (c(2, 3, grad=False), c(2, 2, grad=False), c(2, 3, 2, grad=False))
case("bilinear", lambda t, *xs: t.nn.functional.bilinear(*xs), *_UNMOVED)
case("vander", lambda t, x: t.vander(x), c(3, grad=False))
case("cartesian-prod", lambda t, x, y: t.cartesian_prod(x, y), c(2), c(2))
case("hermitian-form", lambda t, x, a: (x.conj() @ a @ x).real, c(3), c(3, 3))
case("least-squares", lambda t, a, x, y: (a @ x - y).abs().square().sum(), c(3, 2), c(2), c(3))
case("vdot-self", lambda t, x: t.vdot(x, x).real, c(3))

for name in ("mse_loss", "l1_loss"):
    for reduction in ("mean", "sum", "none"):
        case(
            f"{name}-{reduction}",
            lambda t, x, y, n=name, r=reduction: getattr(t.nn.functional, n)(x, y, reduction=r),
            c(3),
            c(3),
        )
case(
    "nll",
    lambda t, x, y: t.nn.functional.nll_loss(x, y),
    c(2, 3, grad=False),
    v([0, 2], "int64"),
)
case(
    "bce-logits", lambda t, x, y: t.nn.functional.binary_cross_entropy_with_logits(x, y), c(3), c(3)
)
case("dropout-none", lambda t, x: t.nn.functional.dropout(x, 0.0), c(3))
case("dropout-eval", lambda t, x: t.nn.functional.dropout(x, 0.5, training=False), c(3))
case("bce", lambda t, x, y: t.nn.functional.binary_cross_entropy(x, y), c(3), c(3))
case(
    "cross-entropy",
    lambda t, x, y: t.nn.functional.cross_entropy(x, y),
    c(2, 3),
    v([0, 2], "int64"),
)

# ---------------------------------------------------------------- data movement

MOVES: dict[str, Callable[..., Any]] = {
    "reshape": lambda t, x: x.reshape(3, 2), "view": lambda t, x: x.view(-1),
    "flatten": lambda t, x: x.flatten(), "t": lambda t, x: x.t(), "T": lambda t, x: x.T,
    "transpose": lambda t, x: x.transpose(0, 1), "permute": lambda t, x: x.permute(1, 0),
    "expand": lambda t, x: x.expand(2, 2, 3), "repeat": lambda t, x: x.repeat(2, 1),
    "tile": lambda t, x: t.tile(x, (2,)), "flip": lambda t, x: x.flip(0, 1),
    "fliplr": lambda t, x: t.fliplr(x), "flipud": lambda t, x: t.flipud(x),
    "roll": lambda t, x: x.roll(1, 0), "rot90": lambda t, x: t.rot90(x),
    "unsqueeze": lambda t, x: x.unsqueeze(1), "squeeze": lambda t, x: x[:1].squeeze(),
    "narrow": lambda t, x: x.narrow(1, 1, 2), "select": lambda t, x: x.select(1, 2),
    "slice": lambda t, x: x[:, ::2], "chunk": lambda t, x: x.chunk(2, 1),
    "split": lambda t, x: x.split([1, 2], 1), "unbind": lambda t, x: x.unbind(0),
    "diagonal": lambda t, x: x.diagonal(1), "diag": lambda t, x: t.diag(x),
    "diag-embed": lambda t, x: t.diag_embed(x), "diagflat": lambda t, x: t.diagflat(x),
    "tril": lambda t, x: t.tril(x), "triu": lambda t, x: t.triu(x, 1),
    "stack": lambda t, x: t.stack([x, x.conj()]), "cat": lambda t, x: t.cat([x, x * 1j], 1),
    "movedim": lambda t, x: x.movedim(0, 1), "broadcast": lambda t, x: t.broadcast_to(x, (2, 2, 3)),
    "pad": lambda t, x: t.nn.functional.pad(x, (1, 1)),
    "pad-value": lambda t, x: t.nn.functional.pad(x, (1, 0), value=2.0),
    "pad-reflect": lambda t, x: t.nn.functional.pad(x, (1, 1), mode="reflect"),
    # PyTorch makes it of writes into parts, which its name in the graph shows.
    "pad-circular": lambda t, x: t.nn.functional.pad(x, (1, 1), mode="circular")[:],
    "clone": lambda t, x: x.clone(), "sum-to-size": lambda t, x: x.sum_to_size(1, 3),
    "repeat-interleave": lambda t, x: x.repeat_interleave(2, 0),
    "atleast-3d": lambda t, x: t.atleast_3d(x), "unflatten": lambda t, x: x.unflatten(1, (3, 1)),
    "tensor-split": lambda t, x: t.tensor_split(x, 2, 1), "ravel": lambda t, x: t.ravel(x),
    "meshgrid": lambda t, x: t.meshgrid(x[0], x[1], indexing="ij"),
    "as-strided": lambda t, x: x.clone().as_strided((2, 2), (1, 2), 1),
    "narrow-copy": lambda t, x: t.narrow_copy(x, 1, 1, 2),
    "swapaxes": lambda t, x: x.swapaxes(0, 1),
    "hsplit": lambda t, x: t.hsplit(x, 3), "vsplit": lambda t, x: t.vsplit(x, 2),
    "dstack": lambda t, x: t.dstack([x, x]), "column-stack": lambda t, x: t.column_stack([x, x]),
    "vstack": lambda t, x: t.vstack([x, x * 2j]), "atleast-2d": lambda t, x: t.atleast_2d(x[0]),
    "moveaxis": lambda t, x: t.moveaxis(x, 0, 1), "concat": lambda t, x: t.concat([x, x]),
    "broadcast-tensors": lambda t, x: t.broadcast_tensors(x, x[:1]),
    "getitem-none": lambda t, x: x[None, ..., 0], "iterate": lambda t, x: list(x),
}  # fmt: skip
for name, move in MOVES.items():
    case(f"move-{name}", move, c(2, 3), exact=True)
    case(f"move-{name}-complex64", lambda t, x, m=move: m(t, x * x), c64(2, 3))
    case(f"move-{name}-of-conj", lambda t, x, m=move: m(t, x.conj()), c(2, 3))
case("cat-mixed", lambda t, x, y: t.cat([x, y]), c(2), f32(3))
case("stack-mixed", lambda t, x, y: t.stack([x, y]), c64(2), f(2))
case("hstack-mixed", lambda t, x, y: t.hstack([x, y]), f(2), c64(2))

case("nonzero", lambda t, x: t.nonzero(x), z([1j, 0, 2, 0j]))
case("argwhere", lambda t, x: t.argwhere(x), z([1j, 0, 2, 0j]))
case("nonzero-tuple", lambda t, x: list(t.nonzero(x, as_tuple=True)), z([[1j, 0], [0, 2]]))

J = v([2, 0, 2], "int64")
INDEXED: dict[str, Callable[..., Any]] = {
    "index": lambda t, x, j: x[j], "index-select": lambda t, x, j: x.index_select(0, j),
    "take": lambda t, x, j: t.take(x, j), "gather": lambda t, x, j: x.gather(0, j[:, None]),
    "take-along-dim": lambda t, x, j: t.take_along_dim(x, j[:, None], 0),
    "mask": lambda t, x, j: x[j == 2], "index-negative": lambda t, x, j: x[j, -1],
}  # fmt: skip
for name, fn in INDEXED.items():
    case(name, fn, c(3, 2), J)
    case(f"{name}-complex64", fn, c64(3, 2), J)
    case(f"{name}-of-product", lambda t, x, j, fn=fn: fn(t, x * x.conj(), j) * 1j, c(3, 2), J)
INTO: dict[str, Callable[..., Any]] = {
    "index-add": lambda t, x, j, y: x.index_add(0, j, y),
    "index-add-alpha": lambda t, x, j, y: x.index_add(0, j, y, alpha=2 - 1j),
    "index-copy": lambda t, x, j, y: x.index_copy(0, v_(t, j), y),
    "index-put": lambda t, x, j, y: x.index_put((j,), y, accumulate=True),
    "scatter": lambda t, x, j, y: x.scatter(0, v_(t, j)[:, None].expand(3, 2), y),
    "scatter-add": lambda t, x, j, y: x.scatter_add(0, j[:, None].expand(3, 2), y),
    "scatter-number": lambda t, x, j, y: x.scatter(0, j[:, None], 2 - 1j),
    "index-fill": lambda t, x, j, y: x.index_fill(0, j, 2 - 1j),
    "index-fill-tensor": lambda t, x, j, y: x.index_fill(0, j, y[0, 0]),
    "masked-scatter": lambda t, x, j, y: x.masked_scatter(j[:, None] == 2, y),
    "masked-select": lambda t, x, j, y: x.masked_select(j[:, None] == 2),
    "select-scatter": lambda t, x, j, y: t.select_scatter(x, y[0], 0, 1),
    "slice-scatter": lambda t, x, j, y: t.slice_scatter(x, y[:2], 0, 1),
    "diagonal-scatter": lambda t, x, j, y: t.diagonal_scatter(x, y[:2, 0]),
}


def v_(t: Any, j: Any) -> Any:
    """Distinct places made of `j`, since which of two writes holds is not defined."""
    return j.argsort(stable=True)


for name, fn in INTO.items():
    moves = name not in ("select-scatter", "slice-scatter")  # of which PyTorch has no derivative
    case(name, fn, c(3, 2, grad=moves), J, c(3, 2, grad=moves))
    case(f"{name}-real", fn, f(3, 2, grad=moves), J, c(3, 2, grad=moves))
    case(f"{name}-from-real", fn, c(3, 2, grad=moves), J, f(3, 2, grad=moves))
case("index-add-multiple", lambda t, x, j, y: x.index_add(0, j, y * (2 - 1j)), c(3, 2), J, c(3, 2))
for name in ("index-fill-tensor", "diagonal-scatter"):
    fn = INTO[name]
    case(
        f"{name}-converted", lambda t, x, j, y, fn=fn: fn(t, x, j, y.cdouble()), c(3, 2), J, f(3, 2)
    )

# ---------------------------------------------------------------- in place

INPLACE: dict[str, Callable[..., Any]] = {
    "add": lambda t, x, y: x.add_(y), "add-alpha": lambda t, x, y: x.add_(y, alpha=2 - 1j),
    "sub": lambda t, x, y: x.sub_(y), "mul": lambda t, x, y: x.mul_(y),
    "div": lambda t, x, y: x.div_(y), "pow": lambda t, x, y: x.pow_(2),
    "exp": lambda t, x, y: x.exp_(), "sqrt": lambda t, x, y: x.sqrt_(),
    "mul-number": lambda t, x, y: x.mul_(1j), "pow-number": lambda t, x, y: x.pow_(1 + 1j),
    "abs": lambda t, x, y: x.abs_(), "sgn": lambda t, x, y: x.sgn_(),
    "sigmoid": lambda t, x, y: x.sigmoid_(), "tanh": lambda t, x, y: x.tanh_(),
    "neg": lambda t, x, y: x.neg_(), "conj-physical": lambda t, x, y: x.conj_physical_(),
    "copy": lambda t, x, y: x.copy_(y), "fill": lambda t, x, y: x.fill_(2 - 1j),
    "fill-tensor": lambda t, x, y: x.fill_(y[0]), "zero": lambda t, x, y: x.zero_(),
    "masked-fill": lambda t, x, y: x.masked_fill_(y.real > 0, 1j),
    "setitem": lambda t, x, y: _set(x, slice(1, None), y[:2]),
    "setitem-number": lambda t, x, y: _set(x, 0, 1j),
    "lerp": lambda t, x, y: x.lerp_(y, 0.25), "addcmul": lambda t, x, y: x.addcmul_(y, y, value=1j),
    "addcdiv": lambda t, x, y: x.addcdiv_(y, y + 2), "reciprocal": lambda t, x, y: x.reciprocal_(),
    "log": lambda t, x, y: x.log_(), "real-fill": lambda t, x, y: _fill_real(x),
    "imag-mul": lambda t, x, y: _times_imag(x), "cumsum": lambda t, x, y: x.cumsum_(0),
    "cumprod": lambda t, x, y: x.cumprod_(0), "floor": lambda t, x, y: x.floor_(),
    "relu": lambda t, x, y: x.relu_(), "clamp": lambda t, x, y: x.clamp_(0),
    "iadd": lambda t, x, y: _iadd(x, y), "sign": lambda t, x, y: x.sign_(),
}  # fmt: skip


def _set(x: Any, where: Any, value: Any) -> Any:
    x[where] = value
    return x


def _fill_real(x: Any) -> Any:
    x.real.fill_(2.0)
    return x


def _times_imag(x: Any) -> Any:
    x.imag.mul_(3.0)
    return x


def _iadd(x: Any, y: Any) -> Any:
    x += y * y
    return x


for name, fn in INPLACE.items():
    case(f"inplace-{name}", lambda t, x, y, fn=fn: fn(t, x.clone(), y), c(3), c(3))
    case(f"inplace-{name}-after", lambda t, x, y, fn=fn: fn(t, x * x, y) * y, c(3), c(3))
    if name != "conj-physical":
        case(f"inplace-{name}-real", lambda t, x, y, fn=fn: fn(t, x.clone(), y), f(3), c(3))
    case(f"inplace-{name}-complex64", lambda t, x, y, fn=fn: fn(t, x.clone(), y), c64(3), c64(3))

# ---------------------------------------------------------------- programs

case("mobius", lambda t, x: ((2 + 1j) * x + 1) / (x - 1j), c(4))
case("fourier", lambda t, x, w: t.exp(1j * t.outer(w, x)).sum(1).abs(), f(3), f(2))
case("rotation", lambda t, x, a: (x * t.polar(t.ones_like(a), a)).real, c(3), f(3))
case("quadratic-roots", lambda t, x: (x + t.sqrt(x * x - 4)) / 2, c(4))
case("log-abs", lambda t, x: t.log(t.abs(x)), c(4))
case("abs-by-parts", lambda t, x: t.sqrt(x.real**2 + x.imag**2), c(4))
case("exp-of-log", lambda t, x: t.exp(t.log(x)), c(4))
case("log-of-exp", lambda t, x: t.log(t.exp(x)), c(4, lo=-4, hi=4))
case("softplus-by-hand", lambda t, x: t.log(1 + t.exp(x)), c(4))
case("log-sigmoid", lambda t, x: t.log(t.sigmoid(x)), c(4))
case("sinc-by-hand", lambda t, x: t.sin(x) / x, c(4))
case("unit-phase", lambda t, x: x / x.abs(), c(4))
case("phase-difference", lambda t, x, y: (x * y.conj()).angle(), c(4), c(4))
case("iterate-map", lambda t, x: ((x * x + 0.1) ** 2 + 0.1j) ** 2, c(4, lo=-0.9, hi=0.9))

CASES = case.cases
