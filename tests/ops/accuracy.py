"""What the accuracy law is held over: every elementwise operation on floats, and where.

`CASES` is found by enumeration; `REFERENCES` states what an operation computes where its class
states no SymPy function, or one that SymPy cannot differentiate at every point. The many digits
of the references are in `data/accuracy`, which `record_accuracy` writes.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import sympy

import symgrad
import symgrad.nn.functional
from symgrad.expr.dtypes import float64
from symgrad.ops.elementwise import Elementwise
from symgrad.ops.primitive import PRIMITIVES
from tests.expr.samples import node_of
from tests.ops.references import Point, Reference, Scalar, anywhere, off_zero, positive
from tests.ops.special_references import SPECIAL

#: How many points each operation is tried at.
POINTS = 200
#: The highest order of a derivative.
ORDER = 4


class Form(NamedTuple):
    """A formula that is differentiated as something else, by a rule of `symgrad.simplify.stable`.

    Attributes
    ----------
    rules : str
        The names of the rules that it takes.
    write : callable
        Computes it on tensors, as users write it.
    function : callable
        The same of SymPy symbols.
    within : callable
        Where the law holds.
    ulps : tuple of int
        What each order is allowed, from the first.
    """

    rules: str
    write: Callable[..., Any]
    function: Scalar
    within: Callable[..., bool]
    ulps: tuple[int, ...] = (8, 8, 8, 16)


def _count(cls: type[Elementwise], constants: dict[int, Any]) -> int:
    return max([cls.arity, *[i + 1 for i in constants]])


class Case(NamedTuple):
    """An operation with its constants given, as a function of real numbers.

    Attributes
    ----------
    cls : type
        The operation.
    constants : dict
        Operands that are given as numbers, by position; the others vary.
    params : tuple
        The static parameters.
    formula : callable
        From a point to what is computed near it, a function of SymPy symbols.
    within : callable
        Whether the law holds at a point: in the domain, and not at a kink.
    moving : tuple of int
        The operands that vary and have a derivative, counted among those that vary.
    """

    cls: type[Elementwise]
    constants: dict[int, Any]
    params: tuple[Any, ...]
    formula: Callable[[Point], Scalar]
    within: Callable[..., bool]
    moving: tuple[int, ...]
    form: Form | None = None

    @property
    def operation(self) -> str:
        """The name of the operation, or of the rules that a formula takes."""
        return self.cls.__name__ if self.form is None else self.form.rules

    @property
    def arity(self) -> int:
        """How many operands vary."""
        if self.form is not None:
            return len(self.moving)
        return _count(self.cls, self.constants) - len(self.constants)

    def orders(self) -> list[tuple[int, ...]]:
        """The derivatives that are tried: how often with respect to each operand that varies."""
        n = self.arity
        found = [
            tuple(k if j == i else 0 for j in range(n)) for k in range(ORDER + 1) for i in range(n)
        ]
        if n > 1:
            found += [(a, b) + (0,) * (n - 2) for a, b in itertools.product((1, 2), repeat=2)]
        if self.form is not None:  # its value is computed as it is written
            found = [o for o in found if any(o)]
        allowed = [o for o in found if all(not k or j in self.moving for j, k in enumerate(o))]
        return list(dict.fromkeys(allowed))


def _no_overflow(x: float, y: float) -> bool:
    """Whether no term of the fourth derivative of `x**y` overflows: they are of either sign."""
    return 1e-6 < x < 1e200 and 1e-3 < abs(y) < 40


def inside_unit(x: float) -> bool:
    return -1 < x < 1


def _whole(x: float) -> bool:
    return bool(x == np.floor(x))


def _gamma(x: float) -> bool:
    """Off the poles and the roots between them, of which there are four for each pole."""
    return x > 0


def _always(f: Scalar) -> Callable[[Point], Scalar]:
    return lambda point: f


def _first_if(condition: Callable[..., bool]) -> Callable[[Point], Scalar]:
    return lambda p: (lambda x, y: x) if condition(*p) else lambda x, y: y


def _constant(value: Callable[..., Any]) -> Callable[[Point], Scalar]:
    """A step: SymPy's own value at the point, and no derivative."""

    def at(point: Point) -> Scalar:
        exact = value(*[sympy.Rational(x) for x in point])
        return lambda *xs: exact

    return at


def _truncated(v: Any) -> Any:
    return sympy.floor(v) if v >= 0 else sympy.ceiling(v)


def _remainder_by(rounded: Callable[[Any], Any]) -> Callable[[Point], Scalar]:
    """`x - y*n` with the whole number n that belongs to the point."""

    def at(point: Point) -> Scalar:
        n = rounded(sympy.Rational(point[0]) / sympy.Rational(point[1]))
        return lambda x, y: x - y * n

    return at


def _clamped(low: float, high: float) -> Callable[[Point], Scalar]:
    def at(point: Point) -> Scalar:
        (x,) = point
        if low <= x <= high:
            return lambda v: v
        return lambda v: sympy.Rational(low if x < low else high)

    return at


def _elu_of(scale: float, steep: float, alpha: float) -> Callable[[Point], Scalar]:
    scale, steep, alpha = map(sympy.Rational, (scale, steep, alpha))  # type: ignore[assignment]

    def at(point: Point) -> Scalar:
        if point[0] > 0:
            return lambda x: scale * x
        return lambda x: scale * alpha * (sympy.exp(steep * x) - 1)

    return at


def _sinoverx(order: int) -> Callable[[Point], Scalar]:
    def f(x: Any) -> Any:
        return sympy.diff(sympy.sin(x) / x, x, order)

    return _always(f)


def _logit_within(eps: float) -> Callable[[Point], Scalar]:
    def at(point: Point) -> Scalar:
        (x,) = point
        if eps <= x <= 1 - eps:
            return lambda v: sympy.log(v / (1 - v))
        z = sympy.Rational(eps) if x < eps else sympy.Rational(1 - eps)
        return lambda v: sympy.log(z / (1 - z))

    return at


def _shrunk(p: Point) -> Scalar:
    x, bound = p
    if abs(x) <= bound:
        return lambda x, bound: sympy.Integer(0)
    return (lambda x, bound: x - bound) if x > 0 else lambda x, bound: x + bound


def _mish(x: Any) -> Any:
    e = sympy.exp(x) * (sympy.exp(x) + 2)  # by which no digit is lost in the tail
    return x * e / (e + 2)


def _softplus(beta: float) -> Callable[[Point], Scalar]:
    b = sympy.Rational(beta)
    return lambda p: (
        (lambda x: x) if p[0] * beta > 20 else lambda x: sympy.log(1 + sympy.exp(b * x)) / b
    )


def _power(p: float) -> Callable[[Point], Scalar]:
    return _always(lambda x: x ** sympy.Rational(p))


def _frac(point: Point) -> Scalar:
    whole = _truncated(sympy.Rational(point[0]))
    return lambda x: x - whole


def _xlogy(point: Point) -> Scalar:
    return lambda x, y: x * sympy.log(y)


def _copysign(point: Point) -> Scalar:
    s = math.copysign(1, point[0]) * math.copysign(1, point[1])
    return lambda x, y: x * int(s)


def _next(point: Point) -> Scalar:
    there = sympy.Rational(math.nextafter(*point)) - sympy.Rational(point[0])
    return lambda x, y: x + there


def _mvlgamma(p: int) -> Callable[[Point], Scalar]:
    def f(x: Any) -> Any:
        terms = [sympy.loggamma(x - sympy.Rational(j, 2)) for j in range(p)]
        return sympy.Add(*terms, sympy.Rational(p * (p - 1), 4) * sympy.log(sympy.pi))

    return _always(f)


def _lower_gamma(a: float) -> Callable[[Point], Scalar]:
    r = sympy.Rational(a)
    return _always(lambda x: sympy.lowergamma(r, x) / sympy.gamma(r))


def _upper_gamma(a: float) -> Callable[[Point], Scalar]:
    r = sympy.Rational(a)
    return _always(lambda x: sympy.uppergamma(r, x) / sympy.gamma(r))


def _not_near_whole(x: float, y: float) -> bool:
    """Whether the quotient, rounded, is on the same side of every whole number as it is."""
    q = sympy.Rational(x) / sympy.Rational(y)
    return y != 0 and abs(q) < 2**20 and abs(q - sympy.floor(q + sympy.Rational(1, 2))) > 1e-3


def _unit_square(x: float, y: float) -> bool:
    return 0 < x < 1 and 0 <= y <= 1


def _on_plane(x: float, y: float) -> bool:
    """Where the fourth derivative is a number: it is r**-3, and terms of either sign overflow.

    The sine and cosine of the angle, of which derivatives consist, are no denormal numbers, either.
    """
    low, high = sorted((abs(x), abs(y)))
    fits = high > 1e-75 and not 1e-46 < high < 1e-9  # in either precision
    return fits and (low == 0 or low > 1e-30 * high)


def _gamma_density(a: float) -> Callable[[Point], Scalar]:
    r = sympy.Rational(a)
    return _always(lambda x: x ** (r - 1) * sympy.exp(-x) / sympy.gamma(r))


#: By name: of an operation, or of it and of what is given.
REFERENCES: dict[str, Reference] = {
    "abs": Reference(lambda p: (lambda x: x) if p[0] > 0 else lambda x: -x, off_zero),
    "acos": Reference(within=inside_unit),
    "acosh": Reference(within=lambda x: x > 1),
    "add_scaled": Reference(constants={2: 2.5}),
    "addcdiv": Reference(within=lambda x, y, z: z != 0, constants={3: 0.375}),
    "addcmul": Reference(constants={3: 0.375}),
    "angle": Reference(_constant(lambda x: 0 if x >= 0 else sympy.pi)),
    "asin": Reference(within=inside_unit),
    "atan2": Reference(within=lambda y, x: y != 0 and _on_plane(y, x)),
    "atanh": Reference(within=inside_unit),
    # PyTorch's derivative is bounded near 0 and 1, and its logarithms by -100.
    "bernoulli_loss": Reference(within=lambda x, y: 1e-9 < x < 0.999999 and 0 <= y <= 1),
    "bernoulli_slope": Reference(within=lambda x, y: 1e-9 < x < 0.999999 and 0 <= y <= 1),
    "cast": Reference(_always(lambda x: x), params=(float64,)),
    "ceil": Reference(_constant(sympy.ceiling)),
    "clamp": Reference(_clamped(-0.5, 3.0), constants={1: -0.5, 2: 3.0}),
    "clamp_max": Reference(
        _clamped(-math.inf, 3.0), constants={1: 3.0}
    ),
    "clamp_min": Reference(
        _clamped(-0.5, math.inf), constants={1: -0.5}
    ),
    "conj": Reference(_always(lambda x: x)),
    "copysign": Reference(_copysign, off_zero),
    "digamma": Reference(within=_gamma),
    "div": Reference(within=lambda x, y: y != 0),
    "elu": Reference(_elu_of(1.0, 1.0, 1.0), off_zero, {1: 1.0}, (1.0, 1.0)),
    "elu selu": Reference(
        _elu_of(1.0507009873554805, 1.0, 1.6732632423543772), off_zero,
        {1: 1.6732632423543772}, (1.0507009873554805, 1.0),
    ),
    "erf": Reference(within=lambda x: abs(x) < 1e150),
    "erfc": Reference(within=lambda x: abs(x) < 1e150),
    "erfinv": Reference(within=inside_unit),
    "floor": Reference(_constant(sympy.floor)),
    "floor_divide": Reference(
        _constant(lambda x, y: sympy.floor(x / y)), _not_near_whole, moving=()
    ),
    "fmax": Reference(_first_if(lambda x, y: x > y), lambda x, y: x != y),
    "fmin": Reference(_first_if(lambda x, y: x < y), lambda x, y: x != y),
    "fmod": Reference(_remainder_by(_truncated), _not_near_whole),
    "frac": Reference(_frac),
    "hardtanh": Reference(
        _clamped(-1.0, 1.0), lambda x: abs(x) != 1, constants={1: -1.0, 2: 1.0}
    ),
    "heaviside": Reference(
        lambda p: (lambda x, v: v) if p[0] == 0 else lambda x, v: sympy.Integer(p[0] > 0), moving=()
    ),
    "gamma_density": Reference(_gamma_density(2.5), positive, {0: 2.5}, (0,)),
    "gamma_density 0.5": Reference(_gamma_density(0.5), positive, {0: 0.5}, (0,)),
    "gauss_hermite": Reference(
        _always(lambda x: (4 * x**2 - 2) * sympy.exp(-(x**2))), lambda x: abs(x) < 1e150,
        params=((-2, 0, 4), 1.0),
    ),
    "gauss_hermite half": Reference(
        _always(lambda x: sympy.exp(-(x**2) / 2)), lambda x: abs(x) < 1e150, params=((1,), 0.5)
    ),
    "direction": Reference(within=_on_plane),
    "hypot": Reference(within=_on_plane),
    "i0": Reference(within=lambda x: 1e-300 < abs(x) < 800),
    "i1": Reference(within=lambda x: 1e-300 < abs(x) < 800),
    "igamma": Reference(_lower_gamma(2.25), positive, {0: 2.25}),
    "igammac": Reference(_upper_gamma(2.25), positive, {0: 2.25}),
    "imag": Reference(_always(lambda x: sympy.Integer(0))),
    "leaky_relu": Reference(
        lambda p: (lambda x: x) if p[0] > 0 else lambda x: x * sympy.Rational(0.25), off_zero,
        {1: 0.25},
    ),
    "lgamma": Reference(within=_gamma),
    "log": Reference(within=positive),
    "log10": Reference(within=positive),
    "log1p": Reference(within=lambda x: x > -1),
    "log2": Reference(within=positive),
    "log_erfc": Reference(within=lambda x: abs(x) < 1e150),
    "log_erfc_slope": Reference(
        _always(lambda x: -2 * sympy.exp(-(x**2)) / (sympy.sqrt(sympy.pi) * sympy.erfc(x))),
        lambda x: abs(x) < 1e150, params=(0,),
    ),
    "logit_slope": Reference(within=lambda x: 0 < x < 1),
    "logit": Reference(within=lambda x: 0 < x < 1),
    "logit_within": Reference(
        _logit_within(0.0625), lambda x: x not in (0.0625, 0.9375), {1: 0.0625}
    ),
    "maximum": Reference(_first_if(lambda x, y: x > y), lambda x, y: x != y),
    "minimum": Reference(_first_if(lambda x, y: x < y), lambda x, y: x != y),
    "logits_loss": Reference(constants={2: 1.5}),
    "logits_slope": Reference(constants={2: 1.5}),
    "mvlgamma": Reference(_mvlgamma(3), lambda x: x > 1, params=(3,)),
    "nan_to_num": Reference(_always(lambda x: x), constants={1: 0.0}, params=((),)),
    "nextafter": Reference(_next, lambda x, y: x != y),
    "polygamma 1": Reference(
        _always(lambda x: sympy.polygamma(1, x)), positive, {0: 1}
    ),
    "polygamma 3": Reference(
        _always(lambda x: sympy.polygamma(3, x)), positive, {0: 3}
    ),
    "power_of_positive": Reference(within=_no_overflow),
    "pow": Reference(within=_no_overflow),
    **{
        f"{name} {k} {m}": Reference(
            _always(lambda x, y, k=k, m=m: sympy.diff(x**y, x, k, y, m)),
            _no_overflow,
            params=(k, m),
        )
        for name in ("power_derivative", "positive_power_derivative")
        for k, m in ((1, 0), (1, 1))
    },
    **{
        f"pow {p}": Reference(
            _power(p),
            (lambda x: x > 0) if p != int(p) else (lambda x: x != 0) if p < 0 else anywhere,
            {1: p},
        )
        for p in (2, 3, -1, -2, 0.5, -0.5, 1.5, 5)
    },
    "quotient": Reference(
        _constant(lambda x, y: _truncated(x / y)), _not_near_whole, params=("trunc",)
    ),
    "quotient floor": Reference(
        _constant(lambda x, y: sympy.floor(x / y)), _not_near_whole, params=("floor",)
    ),
    "real": Reference(_always(lambda x: x)),
    "reciprocal": Reference(within=off_zero),
    "relu": Reference(lambda p: (lambda x: x) if p[0] > 0 else lambda x: sympy.Integer(0)),
    "remainder": Reference(_remainder_by(sympy.floor), _not_near_whole),
    "round": Reference(
        _constant(lambda x: x.round()), lambda x: not _whole(2 * x) or _whole(x), params=(0,)
    ),
    "rsqrt": Reference(within=positive),
    "sgn": Reference(_constant(sympy.sign)),
    "sign": Reference(_constant(sympy.sign)),
    "sinc": Reference(within=off_zero),
    "sinc_derivative": Reference(
        _always(lambda x: sympy.diff(sympy.sin(sympy.pi * x) / (sympy.pi * x), x)), off_zero,
        params=(1,),
    ),
    "sinoverx": Reference(_sinoverx(0), lambda x: abs(x) > 1e-100, params=(0,)),
    "sinoverx 2": Reference(_sinoverx(2), lambda x: abs(x) > 1e-100, params=(2,)),
    # A further derivative has a term 2*x, which overflows, of the largest float32 as well.
    "mish": Reference(_always(_mish), lambda x: abs(x) < 8e307 and not 1.7e38 < abs(x) < 3.5e38),
    "softplus": Reference(_softplus(1.0), lambda x: x != 20, {1: 1.0, 2: 20.0}),
    "softplus 2": Reference(_softplus(2.0), lambda x: x != 10, {1: 2.0, 2: 20.0}),
    "softshrink": Reference(_shrunk, lambda x, bound: bound > 0 and abs(x) != bound),
    "sqrt": Reference(within=positive),
    "sub_scaled": Reference(constants={2: 2.5}),
    "threshold": Reference(
        lambda p: (lambda x: x) if p[0] > 0.5 else lambda x: sympy.Integer(7),
        constants={1: 0.5, 2: 7.0},
    ),
    "trunc": Reference(_constant(_truncated)),
    "unscaled_sinc": Reference(_sinoverx(0), lambda x: abs(x) > 1e-100),
    "xlogy": Reference(_xlogy, lambda x, y: y > 0),
}  # fmt: skip


REFERENCES.update(SPECIAL)


def gives_floats(cls: type[Elementwise]) -> bool:
    """Whether an operation computes floats of real numbers, in one of its samples.

    What gives truth values, whole numbers or complex ones is exact, or of another law; so is what
    chooses by a truth value, or gives its operand back.
    """
    nodes = [node_of(cls, sample)[0] for sample in cls.samples]
    return not cls.is_view and any(
        node.dtype.is_floating_point
        and all(x.dtype.is_floating_point or x.weak for x in node.operands)
        for node in nodes
    )


def _cases() -> dict[str, Case]:
    found: dict[str, Case] = {}
    for name, cls in PRIMITIVES.items():
        named = {k: r for k, r in REFERENCES.items() if k.split()[0] == name}
        if not issubclass(cls, Elementwise) or not (named or gives_floats(cls)):
            continue
        if not named:
            named = {name: Reference()}
        for key, r in named.items():
            formula = r.formula if r.formula is not None else _of_class(cls, r.constants)
            n = _count(cls, r.constants) - len(r.constants)
            moving = tuple(range(n)) if r.moving is None else r.moving
            found[key] = Case(cls, r.constants, r.params, formula, r.within, moving)
    for key, form in FORMS.items():
        arity = form.write.__code__.co_argcount
        found[key] = Case(
            Elementwise, {}, (), _always(form.function), form.within, tuple(range(arity)), form
        )
    return found


def _of_class(cls: type[Elementwise], constants: dict[int, Any]) -> Callable[[Point], Scalar]:
    def f(*symbols: Any) -> Any:
        left = iter(symbols)
        return cls.scalar(
            *[
                sympy.Rational(constants[i]) if i in constants else next(left)
                for i in range(cls.arity)
            ]
        )

    return _always(f)


def _sigma(x: Any) -> Any:
    return 1 / (1 + sympy.exp(-x))


def _moderate(x: float) -> bool:
    return abs(x) < 1e150


#: Formulas as users write them.
FORMS: dict[str, Form] = {
    "log(1 + exp(x))": Form(
        "log_of_exponentials",
        lambda x: (1 + x.exp()).log(), lambda x: sympy.log(1 + sympy.exp(x)), anywhere
    ),
    "log1p(exp(x))": Form(
        "log1p_of_exponential",
        lambda x: x.exp().log1p(), lambda x: sympy.log(1 + sympy.exp(x)), anywhere
    ),
    "log(sigmoid(x))": Form(
        "log_of_exponentials",
        lambda x: x.sigmoid().log(), lambda x: -sympy.log(1 + sympy.exp(-x)), anywhere
    ),
    "log(1 - sigmoid(x))": Form(
        "log_of_exponentials",
        lambda x: (1 - x.sigmoid()).log(), lambda x: -sympy.log(1 + sympy.exp(x)), anywhere
    ),
    "log1p(-sigmoid(x))": Form(
        "log1p_of_exponential",
        lambda x: (-x.sigmoid()).log1p(), lambda x: -sympy.log(1 + sympy.exp(x)), anywhere
    ),
    "1 / (1 + exp(-x))": Form(
        "logistic_function",
        lambda x: 1 / (1 + (-x).exp()), _sigma, anywhere,
    ),
    "reciprocal(exp(-x) + 1)": Form(
        "logistic_function", lambda x: ((-x).exp() + 1).reciprocal(), _sigma, anywhere
    ),
    "(1 + exp(-x))**-1": Form(
        "logistic_function",
        lambda x: (1 + (-x).exp()) ** -1, _sigma, anywhere,
    ),
    "exp(x) / (1 + exp(x))": Form(
        "logistic_function",
        lambda x: x.exp() / (1 + x.exp()), _sigma, anywhere,
    ),
    "abs(x*x)": Form(
        "modulus_of_nonnegative", lambda x: (x * x).abs(), lambda x: x**2, _moderate
    ),
    "1 / cosh(x)": Form(
        "one_over_cosh", lambda x: 1 / x.cosh(), lambda x: 1 / sympy.cosh(x), anywhere
    ),
    "log2(1 + exp(x))": Form(
        "log_to_a_base", lambda x: (1 + x.exp()).log2(),
        lambda x: sympy.log(1 + sympy.exp(x)) / sympy.log(2), anywhere,
    ),
    "log10(cosh(x))": Form(
        "log_to_a_base", lambda x: x.cosh().log10(),
        lambda x: sympy.log(sympy.cosh(x)) / sympy.log(10), anywhere,
    ),
    "x.sigmoid()": Form("tails_of_sigmoid", lambda x: x.sigmoid(), _sigma, anywhere),
    "x.tanh()": Form("tails_of_tanh", lambda x: x.tanh(), sympy.tanh, anywhere, (8, 8, 8, 16)),
    "log(cosh(x))": Form(
        "log_of_exponentials",
        lambda x: x.cosh().log(), lambda x: sympy.log(sympy.cosh(x)), anywhere
    ),
    "log(erfc(x))": Form(
        "log_of_exponentials",
        lambda x: x.erfc().log(), lambda x: sympy.log(sympy.erfc(x)), _moderate,
        (8, 16, 1024, 4096),  # as the operation that it is differentiated as
    ),
    "log(exp(x) + exp(2*x))": Form(
        "log_of_exponentials", lambda x: (x.exp() + (2 * x).exp()).log(),
        lambda x: sympy.log(sympy.exp(x) + sympy.exp(2 * x)), anywhere,
    ),
    "log(exp(x) + exp(y))": Form(
        "log_of_exponentials", lambda x, y: (x.exp() + y.exp()).log(),
        lambda x, y: sympy.log(sympy.exp(x) + sympy.exp(y)), anywhere,
    ),
    "exp(2.5 * log(x))": Form(
        "exponential_of_logarithm",
        lambda x: (2.5 * x.log()).exp(), lambda x: x ** sympy.Rational(5, 2),
        lambda x: 1e-200 < x < 1e200,
    ),
    "sin(x) / x": Form(
        "sin_over_itself",
        lambda x: x.sin() / x, lambda x: sympy.sin(x) / x, lambda x: abs(x) > 1e-100
    ),
    "x / hypot(x, y)": Form(
        "component_over_length", lambda x, y: x / symgrad.hypot(x, y),
        lambda x, y: x / sympy.sqrt(x**2 + y**2), _on_plane,
    ),
    "1 / (1 + x*x)": Form(
        "one_over_one_and_square", lambda x: 1 / (1 + x * x), lambda x: 1 / (1 + x**2), anywhere
    ),
    "sqrt(1 + x**2)": Form(
        "root_of_one_and_square", lambda x: (1 + x**2).sqrt(), lambda x: sympy.sqrt(1 + x**2),
        anywhere,
    ),
    "abs(x)**2": Form("square_of_length", lambda x: x.abs() ** 2, lambda x: x**2, anywhere),
    "abs(x)*abs(x)": Form(
        "square_of_length",
        lambda x: x.abs() * x.abs(), lambda x: x**2, anywhere,
    ),
    "expm1(x)": Form("tail_of_expm1", lambda x: x.expm1(), lambda x: sympy.exp(x) - 1, anywhere),
    "y*x - 2*logsigmoid(x)": Form(
        "cross_entropy_of_logits", lambda x, y: y * x - 2 * symgrad.nn.functional.logsigmoid(x),
        lambda x, y: y * x + 2 * sympy.log(1 + sympy.exp(-x)), anywhere,
    ),
    "y*x + -(2*logsigmoid(x))": Form(
        "sum_with_negative", lambda x, y: y * x + -(2 * symgrad.nn.functional.logsigmoid(x)),
        lambda x, y: y * x + 2 * sympy.log(1 + sympy.exp(-x)), anywhere,
    ),
}  # fmt: skip

#: Rules about more than one element, which `test_tails` holds.
OF_SLICES = {
    "function_of_a_matrix",
    "weights_that_add_up",
    "softmax_of_difference",
    "root_of_squares",
    "log_softmax_of_difference",
}

CASES = _cases()


# -- points ---------------------------------------------------------------------------------------

#: Where functions turn, branch or have a kink, and what is next to it in either precision.
_SPECIAL = [0.0, 0.5, 1.0, 2.0, 1.5, math.pi / 2, math.pi, 20.0, 88.0, 709.0]


def _magnitudes(r: random.Random) -> list[float]:
    """Positive numbers over the whole range, most of them within that of float32."""
    out = [float(np.float32(2.0**e * r.uniform(1, 2))) for e in range(-148, 128, 9)]
    out += [2.0**e * r.uniform(1, 2) for e in range(-1070, 1024, 95)]
    out += [float(np.float32(r.uniform(0, 4))) for _ in range(24)]
    out += [float(np.float32(r.uniform(0, 1))) for _ in range(12)]
    out += [float(np.float32(r.uniform(4, 50))) for _ in range(14)]
    out += [float(np.float32(r.uniform(50, 800))) for _ in range(8)]
    out += [float(np.float32(v)) for v in _SPECIAL]
    near = [np.float32(v) for v in (1.0, 0.5)]
    out += [float(np.nextafter(v, np.float32(w))) for v in near for w in (0, 9)]
    out += [1 - 2.0**-53, 1 + 2.0**-52, 1e-5, 1 - 1e-5, 1 + 1e-5, 2.0**-1074, 2.0**-1022]
    return [*out, float(np.finfo(np.float64).max), float(np.finfo(np.float32).max)]


def points_of(name: str) -> list[Point]:
    """The points of a case: at most `POINTS`, the same at every call."""
    case = CASES[name]
    r = random.Random(name)
    sizes = _magnitudes(r)
    numbers = [s * x for x in sizes for s in (1, -1)]
    if case.arity == 1:
        found = [(x,) for x in numbers if case.within(x)]
        while len(found) < POINTS:  # a narrow domain: more from within it
            x = float(np.float32(r.choice([r.uniform(0, 1), 2 ** r.uniform(-20, 0)])))
            for y in (x, -x, 1 - x, 1 + x, 3 * x, float(np.float32(10 / x))):
                if case.within(y) and (y,) not in found:
                    found.append((y,))
        r.shuffle(found)
        return sorted(found[:POINTS])
    middle = [x for x in numbers if 1e-3 < abs(x) < 60]
    pairs: list[Point] = []
    while len(pairs) < POINTS:
        pool = r.choice([numbers, middle, middle])
        point = tuple(abs(x) if r.random() < 0.3 else x for x in r.choices(pool, k=case.arity))
        if not case.within(*point):
            unit = tuple(float(np.float32(r.uniform(0, 1))) for _ in point)
            if not case.within(*unit):
                continue
            point = unit
        pairs.append(point)
    return sorted(pairs)
