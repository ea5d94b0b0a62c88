"""Every public function class of SymPy: its values and derivatives, or an error by its name."""

from __future__ import annotations

from typing import Any

import mpmath
import numpy as np
import pytest
import scipy.special
import sympy
from sympy import Rational as R
from sympy.core.function import Application

import symgrad
from symgrad.forms.from_sympy import _WAYS_OUT
from tests.each import each, in_part

pytestmark = pytest.mark.versions

x = sympy.Symbol("x", real=True)
h = R(1, 2)
S: Any = sympy

#: Samples of functions that take more than one number, or not every one.
SAMPLES: dict[str, list[Any]] = {
    "And": [S.And(x > h, x < 1)], "Or": [S.Or(x < h, x > 1)], "Not": [S.Not(S.Eq(x, h))],
    "Xor": [S.Xor(x > h, x < 1)], "Nand": [S.Nand(x > h, x < 1)], "Nor": [S.Nor(x < 0, x > 1)],
    "Implies": [S.Implies(x > h, x < 1)], "Equivalent": [S.Equivalent(x > h, x < 1)],
    "ITE": [S.ITE(x > h, x < 1, x > 0)],
    "FallingFactorial": [S.ff(x, R(3, 2)), S.ff(R(7, 2), x), S.ff(x, 3)],
    "RisingFactorial": [S.rf(x, R(3, 2)), S.rf(R(5, 2), x)],
    "KroneckerDelta": [S.KroneckerDelta(x, 1)], "LeviCivita": [S.LeviCivita(x, 1, 2)],
    "Max": [S.Max(x, h)], "Min": [S.Min(x, h)], "Mod": [S.Mod(x, h), S.Mod(R(7, 2), x)],
    "Rem": [S.Rem(x - 1, h)], "Piecewise": [S.Piecewise((x**2, x < h), (x, True))],
    "SingularityFunction": [S.SingularityFunction(x, h, 2), S.SingularityFunction(x, h, 0)],
    "Ynm": [S.Ynm(2, 1, x, 0)], "Znm": [S.Znm(2, 1, x, 0)],
    "appellf1": [S.appellf1(1, h, R(1, 3), 2, x / 4, R(1, 5))],
    "arg": [S.arg(x + S.I)], "atan2": [S.atan2(x, h), S.atan2(h, x)],
    "assoc_laguerre": [S.assoc_laguerre(3, h, x)], "assoc_legendre": [S.assoc_legendre(3, 1, x)],
    "bell": [S.bell(4, x)], "bernoulli": [S.bernoulli(4, x), S.bernoulli(x)],
    **{
        name: [getattr(S, name)(n, x) for n in (2, h, R(7, 3))]
        for name in ("besseli", "besselj", "besselk", "bessely", "jn", "yn")
    },
    **{
        name: [sympy.Abs(getattr(S, name)(2, x)) ** 2]
        for name in ("hankel1", "hankel2", "hn1", "hn2")
    },
    "beta": [S.beta(x, R(3, 2)), S.beta(R(3, 2), x)],
    "betainc": [S.betainc(2, R(3, 2), 0, x / 2), S.betainc(2, R(3, 2), x / 2, R(4, 5))],
    "betainc_regularized": [S.betainc_regularized(2, R(3, 2), 0, x / 2)],
    "binomial": [S.binomial(x, 3), S.binomial(R(7, 2), x), S.binomial(x, R(1, 3))],
    **{
        name: [getattr(S, name)(5, x), getattr(S, name)(R(5, 2), x)]
        for name in ("chebyshevt", "chebyshevu", "legendre")
    },
    "hermite": [S.hermite(5, x)], "hermite_prob": [S.hermite_prob(5, x)],
    "laguerre": [S.laguerre(5, x)], "gegenbauer": [S.gegenbauer(3, h, x)],
    "jacobi": [S.jacobi(3, h, R(1, 3), x)],
    "elliptic_f": [S.elliptic_f(x, R(1, 3)), S.elliptic_f(h, x / 2)],
    "elliptic_e": [S.elliptic_e(x, R(1, 3)), S.elliptic_e(h, x / 2), S.elliptic_e(x / 2)],
    "elliptic_k": [S.elliptic_k(x / 2)],
    "elliptic_pi": [
        S.elliptic_pi(R(1, 3), x / 2), S.elliptic_pi(x / 3, R(1, 4)),
        S.elliptic_pi(R(1, 3), x, R(1, 4)), S.elliptic_pi(x / 3, h, R(1, 4)),
        S.elliptic_pi(R(1, 3), h, x / 3),
    ],
    "erf2": [S.erf2(x, h), S.erf2(h, x)], "erf2inv": [S.erf2inv(R(1, 5), x / 3)],
    "euler": [S.euler(4, x)], "genocchi": [S.genocchi(4, x)], "tribonacci": [S.tribonacci(4, x)],
    "fibonacci": [S.fibonacci(5, x), S.fibonacci(x)],
    "expint": [S.expint(2, x), S.expint(1, x), S.expint(R(5, 2), x), S.expint(-h, x)],
    "harmonic": [S.harmonic(x), S.harmonic(x, 2)],
    "hyper": [
        S.hyper([1, h], [R(3, 2)], x / 2), S.hyper([h], [R(3, 2)], x), S.hyper([], [h], x),
    ],
    "meijerg": [S.meijerg([[], []], [[0], []], x)],
    "LambertW": [S.LambertW(x), S.LambertW(-x / 6, -1)],
    "lerchphi": [S.lerchphi(x / 2, 2, h), S.lerchphi(R(1, 3), 2, x)],
    "log": [S.log(x)], "lowergamma": [S.lowergamma(R(3, 2), x)],
    "uppergamma": [S.uppergamma(R(3, 2), x), S.uppergamma(0, x), S.uppergamma(-h, x)],
    "marcumq": [S.marcumq(1, x, h), S.marcumq(1, h, x)],
    "mathieuc": [S.mathieuc(1, h, x)], "mathieus": [S.mathieus(1, h, x)],
    "mathieucprime": [S.mathieucprime(1, h, x)], "mathieusprime": [S.mathieusprime(1, h, x)],
    "multigamma": [S.multigamma(x + 1, 2)],
    "polygamma": [S.polygamma(0, x), S.polygamma(1, x), S.polygamma(4, x)],
    "polylog": [S.polylog(2, x / 2), S.polylog(1, x / 2), S.polylog(R(3, 2), -x / 2)],
    "zeta": [S.zeta(3, x), S.zeta(x + 1)], "stieltjes": [S.stieltjes(1, x)],
    "dirichlet_eta": [S.dirichlet_eta(x), S.dirichlet_eta(2, x)],
    "DiracDelta": [S.DiracDelta(x - 2)], "Heaviside": [S.Heaviside(x - h), S.Heaviside(x - h, 1)],
    "acosh": [S.acosh(x + 1)], "acoth": [S.acoth(x + 2)], "asec": [S.asec(x + 2)],
    "acsc": [S.acsc(x + 2)], "atanh": [S.atanh(x / 2)], "asin": [S.asin(x / 2)],
    "acos": [S.acos(x / 2)], "asech": [S.asech(x / 2)], "erfinv": [S.erfinv(x / 2)],
    "erfcinv": [S.erfcinv(x)], "re": [S.re(x + S.I * x)], "im": [S.im(x + S.I * x**2)],
}  # fmt: skip

#: What no operation computes: functions of whole numbers, and what neither SciPy nor a series has.
WITHOUT = {
    "andre", "carmichael", "mathieuc", "mathieucprime", "mathieus", "mathieusprime",
    "meijerg", "mobius", "partition", "primenu", "primeomega", "primepi", "reduced_totient",
    "stieltjes", "subfactorial", "totient",
}  # fmt: skip
#: Of these SymPy itself takes no symbol, or makes another function of it.
OF_NUMBERS = {
    "chebyshevt_root", "chebyshevu_root", "divisor_sigma", "jacobi_symbol", "kronecker_symbol",
    "legendre_symbol", "motzkin", "periodic_argument", "principal_branch",
}  # fmt: skip
#: Of these, no formula of the derivative by their argument is known, and it raises.
WITHOUT_DERIVATIVE = {"bernoulli(x)", "dirichlet_eta(x)", "riemann_xi(x)", "zeta(x + 1)"}

#: Values of what SymPy does not evaluate.
REFERENCES: dict[str, Any] = {
    "erf2": lambda a, b: mpmath.erf(b) - mpmath.erf(a),
    "erf2inv": lambda a, b: mpmath.erfinv(mpmath.erf(a) + b),
    "erfcinv": lambda a: mpmath.erfinv(1 - a),
    "jn": lambda n, z: mpmath.sqrt(mpmath.pi / (2 * z)) * mpmath.besselj(n + 0.5, z),
    "yn": lambda n, z: mpmath.sqrt(mpmath.pi / (2 * z)) * mpmath.bessely(n + 0.5, z),
    "lucas": lambda n: mpmath.phi**n + mpmath.cos(mpmath.pi * n) * mpmath.phi**-n,
    "factorial2": mpmath.fac2,
    "riemann_xi": lambda s: s * (s - 1) / 2 * mpmath.gamma(s / 2) * mpmath.zeta(s)
    / mpmath.pi ** (s / 2),
    "marcumq": lambda m, a, b: 1 - mpmath.quad(
        lambda t: t * (t / a) ** (m - 1) * mpmath.exp(-(t * t + a * a) / 2)
        * mpmath.besseli(m - 1, a * t),
        [0, b],
    ),
    "LeviCivita": lambda i, j, k: mpmath.sign(j - i) * mpmath.sign(k - i) * mpmath.sign(k - j),
    "polar_lift": lambda a: a,
    "exp_polar": mpmath.exp,
    "Rem": lambda p, q: mpmath.mpf(p) - q * (1 if p / q > 0 else -1) * mpmath.floor(abs(p / q)),
}  # fmt: skip


def function_classes() -> dict[str, Any]:
    found = {}
    for name in sorted(dir(sympy)):
        f = getattr(sympy, name)
        is_function = isinstance(f, type) and issubclass(f, Application)
        named = not name.endswith("Transform") and getattr(f, "__name__", "") == name
        if is_function and named and f not in (sympy.Function, Application, sympy.WildFunction):
            found[name] = f
    return found


def samples_of(name: str, function: Any) -> list[Any]:
    if name in SAMPLES:
        return SAMPLES[name]
    try:
        return [function(x)]
    except (TypeError, ValueError):
        return []


def value(formula: Any, at: Any) -> Any:
    """The value of a formula at a point to 30 digits; None where SymPy does not evaluate it."""
    reference = REFERENCES.get(type(formula).__name__)
    with mpmath.workdps(40):
        if reference is not None:
            given = [mpmath.mpmathify(sympy.N(a.subs(x, at), 40)) for a in formula.args]
            return sympy.sympify(reference(*given))
        if formula.has(sympy.Derivative, sympy.Subs):
            return None
        found = formula.subs(x, at)
        if found in (sympy.true, sympy.false):
            return sympy.Integer(bool(found))
        found = sympy.N(found, 30)
        return found if found.is_number and not found.has(sympy.Function) else None


def slope(formula: Any, at: Any, order: int) -> Any:
    """A difference quotient of values, for what SymPy has no derivative of."""
    step = R(1, 10**8)
    places = [at + k * step for k in range(-1, 2)]
    values = [value(formula, p) for p in places]
    if None in values:
        return None
    low, mid, high = values
    return (high - low) / (2 * step) if order == 1 else (high - 2 * mid + low) / step**2


def without_or_of_numbers(name: str, samples: list[Any]) -> bool:
    if name in WITHOUT:
        for s in samples:
            with pytest.raises(TypeError, match=f"no operation stands for {name} in"):
                symgrad.from_sympy(s)
        return True
    if name in OF_NUMBERS:
        return True
    assert samples and all(s.has(x) for s in samples), "a class without a sample"
    return False


@each(
    "name, function",
    in_part(
        [pytest.param(name, f, id=name) for name, f in function_classes().items()],
        every=3, group=lambda name: "",
    ),
)  # fmt: skip
def test_its_values_and_two_derivatives_are_those_of_sympy(name: str, function: Any) -> None:
    samples = samples_of(name, function)
    if without_or_of_numbers(name, samples):
        return
    leaf = symgrad.leaf("x")
    for formula in samples:
        e, plain = symgrad.from_sympy(formula), formula
        for order in range(3):
            if order:
                if str(formula) in WITHOUT_DERIVATIVE:
                    with pytest.raises(RuntimeError, match="has no derivative in closed form"):
                        symgrad.derive(e, leaf)
                    break
                e = symgrad.derive(e, leaf)
            checked = 0
            for at in (R(3, 10), R(13, 10)):
                if order and not isinstance(formula, sympy.Expr):
                    continue
                want = value(plain, at) if not order else derivative(formula, at, order)
                if want is None:
                    continue
                checked += 1
                want = complex(want)
                got = complex(e.evaluate({"x": float(at)} if e.leaves else {}))
                # Where SymPy's value is complex, a real formula has none.
                if abs(want.imag) > 1e-12 * abs(want) and not e.dtype.is_complex:
                    assert got != got, (formula, order, at)
                else:
                    assert got == pytest.approx(want, rel=1e-8, abs=1e-8), (formula, order, at)
            assert checked or order, f"no value of {formula} is known"


def derivative(formula: Any, at: Any, order: int) -> Any:
    if type(formula).__name__ not in REFERENCES:
        found = value(sympy.diff(formula, x, order), at)
        if found is not None:
            return found
    found = slope(formula, at, order)
    # A difference quotient across a jump is none.
    return None if found is None or abs(found) > 1e4 else sympy.N(found, 12)


def test_the_classes_are_counted() -> None:
    """Of the classes of SymPy 1.14, so many are computed; the others are named above."""
    classes = set(function_classes())
    assert {*WITHOUT, *OF_NUMBERS} <= classes
    assert len(classes - WITHOUT - OF_NUMBERS) >= 130


def test_orders_of_a_symbol_that_stands_for_a_number() -> None:
    """A derivative asks for the order below, of which SymPy may have a formula: E_0 and E_-1."""
    e = symgrad.from_sympy(sympy.expint(1, x))
    for order in (1, 2, 3):
        e = symgrad.derive(e, "x")
        want = sympy.N(sympy.diff(sympy.expint(1, x), x, order).subs(x, R(7, 10)), 20)
        assert float(e.evaluate({"x": 0.7})) == pytest.approx(float(want), rel=1e-12)


def test_elliptic_integrals_are_smooth_at_zero() -> None:
    for function, first, second in (
        (sympy.elliptic_k, mpmath.pi / 8, 9 * mpmath.pi / 64),
        (sympy.elliptic_e, -mpmath.pi / 8, -3 * mpmath.pi / 64),
    ):
        e = symgrad.from_sympy(function(x))
        assert symgrad.derive(e, "x").evaluate({"x": 0.0}) == pytest.approx(float(first))
        assert symgrad.derive(e, "x", 2).evaluate({"x": 0.0}) == pytest.approx(float(second))


@pytest.mark.parametrize(
    ("n", "m"), [(0.5, 0.5), (0.0, 0.3), (0.3, 0.0), (0.3, 0.3000001), (-9.0, 0.9)]
)
def test_derivatives_of_the_third_kind_are_smooth_where_its_arguments_meet(
    n: float, m: float
) -> None:
    """They are integrals too, of which SymPy's formula is 0/0 where n is m or 0."""
    e = symgrad.from_sympy(sympy.elliptic_pi(*sympy.symbols("n m", real=True)))
    for i, j in ((1, 0), (0, 1), (1, 1), (2, 0)):
        found = symgrad.derive(e, "n", i) if i else e
        found = symgrad.derive(found, "m", j) if j else found

        def density(t: Any, i: int = i, j: int = j) -> Any:
            s = mpmath.sin(t) ** 2
            powers = (1 - n * s) ** (1 + i) * mpmath.sqrt(1 - m * s) ** (1 + 2 * j)
            return mpmath.factorial(i) * mpmath.rf(0.5, j) * s ** (i + j) / powers

        wanted = mpmath.quad(density, [0, mpmath.pi / 4, mpmath.pi / 2])
        assert float(found.evaluate({"n": n, "m": m})) == pytest.approx(float(wanted), rel=1e-11)


def test_integrals_with_bounds() -> None:
    t = sympy.Symbol("t", real=True)
    e = symgrad.from_sympy(sympy.Integral(t * x**2, (x, 0, t)))
    assert e.leaves == (symgrad.leaf("t"),)
    assert e.evaluate({"t": 2.0}) == pytest.approx(16 / 3)
    gauss = symgrad.from_sympy(sympy.Integral(sympy.exp(-(x**2)), (x, 0, t)))
    assert gauss.evaluate({"t": 0.7}) == pytest.approx(
        float(scipy.special.erf(0.7)) * 0.5 * float(mpmath.sqrt(mpmath.pi))
    )
    moment = sympy.sin(x) ** 2 / (1 - t * sympy.sin(x) ** 2) ** sympy.Rational(3, 2)
    part = symgrad.from_sympy(sympy.Integral(moment, (x, 0, t)))
    wanted = mpmath.quad(sympy.lambdify(x, moment.subs(t, 0.7), "mpmath"), [0, 0.7])
    assert part.evaluate({"t": 0.7}) == pytest.approx(float(wanted))
    # Of the second SymPy's search with all its heuristics does not end.
    for bad in (
        sympy.Integral(x**2, x),
        sympy.Integral(moment * sympy.cos(x) ** 2, (x, 0, t)),
        sympy.Integral(sympy.sin(x * x * t) ** x, (x, 0, 1)),
    ):
        with pytest.raises(TypeError, match="no operation stands for Integral in"):
            symgrad.from_sympy(bad)


_n = sympy.Symbol("n")
_V = sympy.MatrixSymbol("V", 3, 1)
#: What SymPy states without a formula, with the way out.
STATED: dict[Any, str] = {
    S.Sum(x**_n / S.factorial(_n), (_n, 0, S.oo)): r"numbers as bounds, .*\.doit\(\)",
    S.Sum(x**h, (x, 0, _n)): r"numbers as bounds, .*\.doit\(\)",
    S.Product(x + _n, (x, 0, 10**6)): r"at most 10000 terms, .*\.doit\(\)",
    S.Integral(S.sin(x), x): r"as in Integral\(f, \(x, a, b\)\), .*\.doit\(\)",
    S.Limit(S.sin(x * _n) / x, x, 0): r"\.doit\(\)",
    x + S.Order(x**2): r"\.removeO\(\)",
    S.Derivative(sympy.MatrixSymbol("M", 3, 3) * _V, _V): r"symgrad\.derive\(from_sympy\(f\), x\)",
    S.Derivative(S.Function("f")(x), x): r"symgrad\.derive\(from_sympy\(f\), x\)",
}


@pytest.mark.parametrize("formula", STATED, ids=str)
def test_what_sympy_states_without_a_formula_is_refused_with_a_way_out(formula: Any) -> None:
    with pytest.raises(TypeError, match=f"no operation stands for .*{STATED[formula]}"):
        symgrad.from_sympy(formula)
    assert {cls for cls in _WAYS_OUT if any(e.has(cls) for e in STATED)} == _WAYS_OUT.keys()


def test_names_of_symbols_stand_for_them_in_a_mapping() -> None:
    t, k = sympy.symbols("t k")
    total = sympy.Sum(x**k * t * sympy.IndexedBase("b", shape=(2,))[1], (k, 0, 2))
    values = {"b": [0.0, 2.0], "x": 3.0, t: 0.5}
    assert symgrad.from_sympy(total, values | {"b": np.array(values["b"])}).evaluate() == 13
    assert symgrad.from_sympy(total, {"x": 3.0}, leaves="new").evaluate({"t": 1, "b": [0, 1]}) == 13
    for wrong, message in (
        ({"x": 1, "z": 2}, "there is no symbol 'z'; the formula has 'b', 't', 'x'"),
        ({"k": 1}, "there is no symbol 'k'"),
        ({"x": 1, x: 2}, "x is given twice"),
    ):
        with pytest.raises(ValueError, match=message):
            symgrad.from_sympy(total, wrong, leaves="new")
    with pytest.raises(TypeError, match="the mapping's keys are symbols or names, got 1"):
        symgrad.from_sympy(total, {1: 2})


def test_symbols_that_a_mapping_leaves_out() -> None:
    t, k = sympy.symbols("t k", real=True)
    total = sympy.Sum(x**k * t, (k, 0, 2))
    with pytest.raises(ValueError, match=r"the mapping leaves out t, x; .* leaves='new'"):
        symgrad.from_sympy(total, {})
    with pytest.raises(ValueError, match="the mapping leaves out x;"):
        symgrad.from_sympy(total, {t: 2.0})
    e = symgrad.from_sympy(total, {t: 2.0}, leaves="new")
    assert e.leaves == (symgrad.leaf("x"),) and e.evaluate({"x": 3.0}) == 26
    assert symgrad.from_sympy(total, {t: 2.0, x: 3.0}).evaluate() == 26
    assert len(symgrad.from_sympy(total).leaves) == 2
    with pytest.raises(ValueError, match="leaves is 'new' or not given"):
        symgrad.from_sympy(total, leaves="old")
