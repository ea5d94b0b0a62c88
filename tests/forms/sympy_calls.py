"""Calls of SymPy's functions, on formulas of symbols and on those of symgrad.

Each call is a function of `f`, a name space of formulas and variables: of SymPy's own, or of nodes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import sympy as s


class Given(NamedTuple):
    """The variables of a call, and functions of them."""

    x: Any
    y: Any
    z: Any
    exp: Any
    log: Any
    sin: Any
    cos: Any
    sqrt: Any
    k: Any = s.Symbol("k")
    n: Any = s.Symbol("n", integer=True, positive=True)
    t: Any = s.Symbol("t")


Call = Callable[[Given], Any]

#: Functions of a polynomial in x.
_OF_POLYNOMIALS: dict[str, Callable[..., Any]] = {
    "factor": s.factor,
    "factor_list": s.factor_list,
    "sqf": s.sqf,
    "sqf_list": s.sqf_list,
    "sqf_part": s.sqf_part,
    "Poly": s.Poly,
    "degree": s.degree,
    "LC": s.LC,
    "LM": s.LM,
    "LT": s.LT,
    "poly": s.poly,
    "content": s.content,
    "primitive": s.primitive,
    "monic": s.monic,
    "roots": s.roots,
    "real_roots": s.real_roots,
    "nroots": s.nroots,
    "discriminant": s.discriminant,
    "decompose": s.decompose,
    "horner": s.horner,
    "is_irreducible": lambda e, *g: s.Poly(e, *g).is_irreducible,
    "intervals": s.intervals,
    "count_roots": s.count_roots,
    "refine_root": lambda e, *g: s.refine_root(s.Poly(e, *g), 0, 1),
    "sturm": s.sturm,
    "ground_roots": s.ground_roots,
    "degree_list": s.degree_list,
    "total_degree": s.total_degree,
    "nth_power_roots_poly": lambda e, *g: s.nth_power_roots_poly(e, 2, *g),
    "gff_list": lambda e, *g: s.gff_list(e, *g),
    "all_roots": lambda e, *g: s.all_roots(s.Poly(e, *g)),
}
#: Functions of two polynomials in x.
_OF_PAIRS: dict[str, Callable[..., Any]] = {
    "gcd": s.gcd,
    "lcm": s.lcm,
    "div": s.div,
    "rem": s.rem,
    "quo": s.quo,
    "exquo": s.exquo,
    "pdiv": s.pdiv,
    "prem": s.prem,
    "pquo": s.pquo,
    "resultant": s.resultant,
    "cofactors": s.cofactors,
    "gcdex": s.gcdex,
    "half_gcdex": s.half_gcdex,
    "subresultants": s.subresultants,
    "cancel": lambda p, q, *g: s.cancel(p / q, *g),
    "terms_gcd": lambda p, q, *g: s.terms_gcd(p * q, *g),
    "compose": s.compose,
    "gcd_list": lambda p, q, *g: s.gcd_list([p, q], *g),
    "lcm_list": lambda p, q, *g: s.lcm_list([p, q], *g),
    "groebner": lambda p, q, *g: s.groebner([p, q], *g),
    "invert": lambda p, q, *g: s.invert(p, q + 2, *g),
    "reduced": lambda p, q, *g: s.reduced(p, [q], *g),
    "apart": lambda p, q, *g: s.apart(1 / (p * (q + 3)), *g),
    "together": lambda p, q, *g: s.together(1 / p + 1 / q),
    "fraction": lambda p, q, *g: s.fraction(p / q),
    "numer": lambda p, q, *g: s.numer(p / q),
    "denom": lambda p, q, *g: s.denom(p / q),
    "ratsimp": lambda p, q, *g: s.ratsimp(1 / p + 1 / q),
    "nsimplify": lambda p, q, *g: s.nsimplify(p + q),
}
#: Functions that rewrite any formula.
_REWRITING: dict[str, Callable[..., Any]] = {
    "simplify": s.simplify,
    "expand": s.expand,
    "expand_log": lambda e: s.expand_log(e, force=True),
    "expand_trig": s.expand_trig,
    "expand_mul": s.expand_mul,
    "expand_power_exp": s.expand_power_exp,
    "expand_power_base": s.expand_power_base,
    "expand_func": s.expand_func,
    "expand_complex": s.expand_complex,
    "expand_multinomial": s.expand_multinomial,
    "powsimp": s.powsimp,
    "powdenest": s.powdenest,
    "trigsimp": s.trigsimp,
    "radsimp": s.radsimp,
    "logcombine": lambda e: s.logcombine(e, force=True),
    "sqrtdenest": s.sqrtdenest,
    "combsimp": s.combsimp,
    "gammasimp": s.gammasimp,
    "hyperexpand": s.hyperexpand,
    "besselsimp": s.besselsimp,
    "signsimp": s.signsimp,
    "nsimplify": s.nsimplify,
    "factor_terms": s.factor_terms,
    "fu": s.simplify,
    "piecewise_fold": s.piecewise_fold,
    "cse": s.cse,
    "count_ops": lambda e: s.count_ops(s.sympify(e)),
    "collect_const": s.collect_const,
    "separatevars": s.separatevars,
    "posify": lambda e: s.posify(e)[0].subs(s.posify(e)[1]),
    "exptrigsimp": s.exptrigsimp,
    "ratsimp": s.ratsimp,
    "refine": s.refine,
    "use": lambda e: s.use(e, s.expand),
    "conjugate": s.conjugate,
    "re": s.re,
    "im": s.im,
    "Abs": s.Abs,
    "sign": s.sign,
    "N": s.N,
    "nfloat": s.nfloat,
    "hyper_expand": s.hyperexpand,
    "rcollect": lambda e: s.rcollect(e, s.Symbol("q")),
    "kroneckersimp": s.kroneckersimp,
    "ccode": s.ccode,
    "fcode": s.fcode,
    "jscode": s.jscode,
    "rcode": s.rcode,
    "octave_code": s.octave_code,
    "rust_code": s.rust_code,
    "cxxcode": s.cxxcode,
    "julia_code": s.julia_code,
    "mathematica_code": s.mathematica_code,
    "mathml": s.mathml,
    "pycode": s.pycode,
    "glsl_code": s.glsl_code,
    "maple_code": s.maple_code,
    "pretty_num": lambda e: s.pretty(s.sympify(e)),
    "default_sort": lambda e: s.default_sort_key(s.sympify(e)),
    "is_Add": lambda e: s.sympify(e).is_Add,
    "to_dnf": lambda e: s.to_dnf(s.Gt(e, 0)),
    "And": lambda e: s.And(s.Gt(e, 0), s.Lt(e, 1)),
    "Not": lambda e: s.Not(s.Gt(e, 0)),
    "Eq": lambda e: s.Eq(e, 0),
    "Ne": lambda e: s.Ne(e, 1),
    "Or": lambda e: s.Or(s.Ge(e, 1), s.Le(e, -1)),
    "Piecewise": lambda e: s.Piecewise((e, s.Gt(e, 0)), (0, True)),
    "Max": lambda e: s.Max(e, 1),
    "Min": lambda e: s.Min(e, 1),
    "Mod": lambda e: s.Mod(e, 3),
    "floor": s.floor,
    "ceiling": s.ceiling,
    "frac": s.frac,
    "Heaviside": s.Heaviside,
    "root": lambda e: s.root(e, 3),
    "cbrt": s.cbrt,
    "real_root": lambda e: s.real_root(e, 3),
    "Pow": lambda e: s.Pow(e, 2),
    "Add": lambda e: s.Add(e, 1, e),
    "Mul": lambda e: s.Mul(e, 2, e),
    "Tuple": lambda e: s.Tuple(e, 1),
    "FiniteSet": lambda e: s.FiniteSet(e),
    "Interval": lambda e: s.Interval(0, s.Abs(e)),
    "Matrix": lambda e: s.Matrix([[e, 1], [2, e]]),
    "det": lambda e: s.Matrix([[e, 1], [2, e]]).det(),
    "inv": lambda e: s.Matrix([[e, 1], [2, e]]).inv(),
    "eigenvals": lambda e: s.Matrix([[e, 1], [1, e]]).eigenvals(),
    "charpoly": lambda e: s.Matrix([[e, 1], [1, e]]).charpoly().as_expr(),
    "Array": lambda e: s.Array([e, 2 * e]),
    "tensorproduct": lambda e: s.tensorproduct(s.Array([e, 1]), s.Array([e, 2])),
    "diag": lambda e: s.diag(e, 1),
    "zeros_like": lambda e: s.eye(2) * e,
    "sympify": s.sympify,
    "Lambda": lambda e: s.Lambda(s.Symbol("q"), e)(1),
    "UnevaluatedExpr": lambda e: s.UnevaluatedExpr(e).doit(),
    "Dict": lambda e: s.Dict({1: e}),
    "ImmutableMatrix": lambda e: s.ImmutableMatrix([[e]]),
    "SparseMatrix": lambda e: s.SparseMatrix([[e, 0], [0, e]]),
    "Rational": lambda e: s.Rational(1, 2) * s.sympify(e),
    "KroneckerDelta": lambda e: s.KroneckerDelta(e, 1),
    "DiracDelta": s.DiracDelta,
}
#: Functions of one argument.
_OF_ONE = """
    sin cos tan cot sec csc asin acos atan acot asec acsc sinh cosh tanh coth sech csch asinh acosh
    atanh acoth exp log sqrt gamma loggamma digamma trigamma erf erfc erfi erfinv erfcinv Ei li Si
    Ci Shi Chi fresnels fresnelc zeta dirichlet_eta airyai airybi airyaiprime LambertW sinc
    factorial factorial2 subfactorial fibonacci lucas catalan bernoulli euler harmonic elliptic_k
    elliptic_e arg sign
"""
#: Functions of two arguments.
_OF_TWO = """
    atan2 beta besselj bessely besseli besselk jn yn hankel1 expint uppergamma lowergamma polygamma
    binomial RisingFactorial FallingFactorial legendre chebyshevt chebyshevu hermite laguerre
    polylog Max Min Mod
"""
#: Functions of a formula in x and of x.
_CALCULUS: dict[str, Callable[[Any, Any], Any]] = {
    "diff": s.diff,
    "diff2": lambda e, x: s.diff(e, x, 2),
    "Derivative": lambda e, x: s.Derivative(e, x).doit(),
    "integrate": s.integrate,
    "Integral": lambda e, x: s.Integral(e, (x, 0, 1)).doit(),
    "definite": lambda e, x: s.integrate(e, (x, 0, 1)),
    "limit": lambda e, x: s.limit(e, x, 1),
    "Limit": lambda e, x: s.Limit(e, x, 1).doit(),
    "series": lambda e, x: s.series(e, x, 1, 3),
    "order": lambda e, x: s.O(e, x),
    "summation": lambda e, x: s.summation(e, (x, 1, 3)),
    "Sum": lambda e, x: s.Sum(e, (x, 1, 3)).doit(),
    "product": lambda e, x: s.product(e, (x, 1, 3)),
    "Product": lambda e, x: s.Product(e, (x, 1, 3)).doit(),
    "residue": lambda e, x: s.residue(e / (x - 1), x, 1),
    "solve": lambda e, x: s.solve(e, x),
    "solveset": lambda e, x: s.solveset(e, x, s.S.Reals),
    "nsolve": lambda e, x: s.nsolve(e - 1, x, 0.9),
    "solve_eq": lambda e, x: s.solve(s.Eq(e, 1), x),
    "singularities": lambda e, x: s.singularities(1 / e, x),
    "is_increasing": lambda e, x: s.is_increasing(e, s.Interval(1, 2), x),
    "is_decreasing": lambda e, x: s.is_decreasing(e, s.Interval(1, 2), x),
    "is_monotonic": lambda e, x: s.is_monotonic(e, s.Interval(1, 2), x),
    "is_strictly_increasing": lambda e, x: s.is_strictly_increasing(e, s.Interval(1, 2), x),
    "is_convex": lambda e, x: s.is_convex(e, x, domain=s.Interval(1, 2)),
    "maximum": lambda e, x: s.maximum(e, x, s.Interval(1, 2)),
    "minimum": lambda e, x: s.minimum(e, x, s.Interval(1, 2)),
    "function_range": lambda e, x: s.calculus.util.function_range(e, x, s.Interval(1, 2)),
    "continuous_domain": lambda e, x: s.calculus.util.continuous_domain(e, x, s.S.Reals),
    "stationary_points": lambda e, x: s.calculus.util.stationary_points(e, x, s.Interval(1, 2)),
    "periodicity": lambda e, x: s.periodicity(e, x),
    "collect": s.collect,
    "separatevars": lambda e, x: s.separatevars(e, [x]),
    "Poly": lambda e, x: s.Poly(e + 1, x),
    "finite_diff_weights": lambda e, x: s.differentiate_finite(e, x),
    "as_finite_difference": lambda e, x: s.Derivative(e, x).as_finite_difference(1),
    "Subs": lambda e, x: s.Subs(e, x, 2).doit(),
    "Lambda": lambda e, x: s.Lambda(s.sympify(x), e)(2),
    "subs": lambda e, x: s.sympify(e).subs(x, 2),
    "lambdify": lambda e, x: round(float(s.lambdify(x, e)(1.5)), 9),
    "euler_equations": lambda e, x: s.srepr(s.Eq(s.Function("u")(x), e)),
    "hessian": lambda e, x: s.hessian(e, [x]),
    "wronskian": lambda e, x: s.wronskian([e, x], x),
    "jacobian": lambda e, x: s.Matrix([e, 2 * e]).jacobian([x]),
    "derive_by_array": s.derive_by_array,
    "derive_by_arrays": lambda e, x: s.derive_by_array([e, 2 * e], [x]),
    "fourier_series": lambda e, x: s.fourier_series(e, (x, 0, 1)).truncate(2),
    "fps": lambda e, x: s.fps(e, x).truncate(3),
    "laplace": lambda e, x: s.laplace_transform(e, x, s.Symbol("p"), noconds=True),
    "has": lambda e, x: s.sympify(e).has(x),
    "free": lambda e, x: s.sympify(e).free_symbols,
    "degree_or_none": lambda e, x: s.sympify(e).is_polynomial(x),
    "leadterm": lambda e, x: s.sympify(e).as_leading_term(x),
    "reduce_inequalities": lambda e, x: s.reduce_inequalities([s.Gt(e, 1)], x),
    "gruntz": lambda e, x: s.gruntz(e, x, s.oo),
    "approximants": lambda e, x: list(s.approximants([1, 2, 3, 5], x)),
    "interpolate": lambda e, x: s.interpolate([1, 4, 9], x),
    "checksol": lambda e, x: s.checksol(e, x, 1),
    "swinnerton_dyer_poly": lambda e, x: s.swinnerton_dyer_poly(2, x),
    "cyclotomic_poly": lambda e, x: s.cyclotomic_poly(5, x),
    "legendre_poly": lambda e, x: s.legendre_poly(3, x),
    "chebyshevt_poly": lambda e, x: s.chebyshevt_poly(3, x),
    "hermite_poly": lambda e, x: s.hermite_poly(3, x),
    "random_poly": lambda e, x: s.degree(s.random_poly(x, 3, 1, 2), x),
    "symmetrize": lambda e, x: s.symmetrize(x**2 + 1, x),
    "solve_univariate_inequality": lambda e, x: s.solve_univariate_inequality(s.Gt(x**2, 1), x),
    "rsolve": lambda e, x: s.solve_undetermined_coeffs(
        s.sympify(x) * s.Symbol("a") - 2 * s.sympify(x), [s.Symbol("a")], x
    ),
    "idiff": lambda e, x: s.idiff(x**2 + s.Symbol("q") ** 2 - 4, s.Symbol("q"), x),
    "bounds": lambda e, x: s.AccumBounds(0, 1) + e,
    "line_coeffs": lambda e, x: s.Poly(3 * x + 1, x).all_coeffs(),
    "is_zero": lambda e, x: (s.sympify(e) - e).is_zero,
}


#: Of these SymPy finds no answer for exp(x)*x, or takes long.
_OF_POLYNOMIALS_ONLY = {
    "product", "fps", "summation", "laplace", "fourier_series", "periodicity", "gruntz",
    "Poly", "reduce_inequalities",
}  # fmt: skip


def scalar_calls() -> dict[str, Call]:
    """Return the calls on scalar formulas, by name."""
    calls: dict[str, Call] = {}
    for name, f in _OF_POLYNOMIALS.items():
        calls[f"{name}(x**2 - 3*x + 2, x)"] = lambda g, f=f: f(g.x**2 - 3 * g.x + 2, g.x)
        if name not in ("roots", "nth_power_roots_poly"):
            calls[f"{name}(x**2 - 3*x + 2)"] = lambda g, f=f: f(g.x**2 - 3 * g.x + 2)
    for name, f in _OF_PAIRS.items():
        calls[f"{name}(x**2 - 1, x - 1)"] = lambda g, f=f: f(g.x**2 - 1, g.x - 1)
        calls[f"{name}(x**2 - 1, x - 1, x)"] = lambda g, f=f: f(g.x**2 - 1, g.x - 1, g.x)
    for name, f in _REWRITING.items():
        calls[f"{name}(sin(x)**2 + cos(x)**2 + x*y)"] = lambda g, f=f: f(
            g.sin(g.x) ** 2 + g.cos(g.x) ** 2 + g.x * g.y
        )
        calls[f"{name}((x + 1)**2*exp(y))"] = lambda g, f=f: f((g.x + 1) ** 2 * g.exp(g.y))
    for f in [getattr(s, name) for name in _OF_ONE.split()]:
        calls[f"{f.__name__}(x + 1)"] = lambda g, f=f: f(g.x + 1)
    for f in [getattr(s, name) for name in _OF_TWO.split()]:
        calls[f"{f.__name__}(2, x)"] = lambda g, f=f: f(2, g.x)
    for name, f in _CALCULUS.items():
        calls[f"{name} of x**2 - x, x"] = lambda g, f=f: f(g.x**2 - g.x, g.x)
        if name not in _OF_POLYNOMIALS_ONLY:
            calls[f"{name} of exp(x)*x, x"] = lambda g, f=f: f(g.exp(g.x) * g.x, g.x)
    return calls | _OTHERS


_OTHERS: dict[str, Call] = {
    "residue at 0": lambda g: s.residue(1 / g.x, g.x, 0),
    "residue of a double pole": lambda g: s.residue(1 / g.x**2 + 1 / g.x, g.x, 0),
    "residue of a quotient": lambda g: s.residue(1 / (g.x * (g.x - 1)), g.x, 0),
    "solve_linear": lambda g: s.solve_linear(g.x - g.y, symbols=[g.x]),
    "solve_undetermined_coeffs": lambda g: s.solve_undetermined_coeffs(
        g.x * g.k - 2 * g.k, [g.x], g.k
    ),
    "as_coefficients_dict": lambda g: s.sympify(3 * g.x).as_coefficients_dict()[g.x],
    "as_powers_dict": lambda g: s.sympify(g.x**2 * g.y).as_powers_dict()[g.x],
    "nseries": lambda g: s.sin(g.x).nseries(g.x, 0, 4),
    "leadterm": lambda g: s.sympify(g.x**2 * g.y).leadterm(g.x),
    "is_constant": lambda g: s.sympify(g.x + 1).is_constant(g.x),
    "collected": lambda g: s.collect(g.x * g.y + g.x, g.x, evaluate=False)[g.x],
    "Poly.replace": lambda g: s.Poly(s.sympify(g.x) ** 2).replace(g.x, g.y),
    "periodicity": lambda g: s.periodicity(g.sin(g.x), g.x),
    "system": lambda g: s.solve([g.x + g.y - 1, g.x - g.y], [g.x, g.y]),
    "system as dicts": lambda g: s.solve([g.x + g.y - 1, g.x - g.y], [g.x, g.y], dict=True),
    "linsolve": lambda g: s.linsolve([g.x + g.y - 1, g.x - g.y], [g.x, g.y]),
    "linsolve of the variables": lambda g: s.linsolve([g.x + g.y - 1, g.x - g.y], g.x, g.y),
    "nonlinsolve": lambda g: s.nonlinsolve([g.x * g.y - 1, g.x - g.y], [g.x, g.y]),
    "linear_eq_to_matrix": lambda g: s.linear_eq_to_matrix(
        [g.x + 2 * g.y - 1, g.x - g.y], [g.x, g.y]
    ),
    "solve_poly_system": lambda g: s.solve_poly_system([g.x**2 - 1, g.y - g.x], g.x, g.y),
    "summation beside a symbol": lambda g: s.summation(g.x * g.k, (g.k, 1, 3)),
    "Sum beside a symbol": lambda g: s.Sum(g.x * g.k, (g.k, 1, g.n)).doit(),
    "product beside a symbol": lambda g: s.product(g.x + g.k, (g.k, 1, 3)),
    "integral by a symbol": lambda g: s.integrate(g.x * g.t**2, (g.t, 0, 1)),
    "solve for a symbol": lambda g: s.solve(g.x * g.t - 2, g.t),
    "limit of sin(x)/x": lambda g: s.limit(g.sin(g.x) / g.x, g.x, 0),
    "series of sin": lambda g: s.series(g.sin(g.x), g.x),
    "collect": lambda g: s.collect(g.x * g.y + g.x * g.z, g.x),
    "collect list": lambda g: s.collect(g.x * g.y + g.x * g.z + g.y, [g.x, g.y]),
    "double integral": lambda g: s.integrate(g.x * g.y, (g.x, 0, 1), (g.y, 0, g.x)),
    "hessian": lambda g: s.hessian(g.x * g.y**2, [g.x, g.y]),
    "jacobian": lambda g: s.Matrix([g.x * g.y, g.sin(g.x)]).jacobian([g.x, g.y]),
    "matrix inverse": lambda g: s.Matrix([[g.x, g.y], [g.y, g.x]]).inv(),
    "matrix product": lambda g: s.Matrix([[g.x, g.y]]) * s.Matrix([g.x, g.y]),
    "eigenvects": lambda g: s.Matrix([[g.x, 1], [0, g.y]]).eigenvals(),
    "LUsolve": lambda g: s.Matrix([[g.x, 1], [0, g.y]]).LUsolve(s.Matrix([1, 2])),
    "Poly of two": lambda g: s.Poly(g.x**2 * g.y + g.y, g.x, g.y),
    "Poly in y": lambda g: s.Poly(g.x**2 * g.y + g.y, g.y),
    "degree in y": lambda g: s.degree(g.x**2 * g.y + g.y, g.y),
    "groebner": lambda g: s.groebner([g.x**2 - g.y, g.y**2 - 1], g.x, g.y, order="lex"),
    "resultant in y": lambda g: s.resultant(g.x**2 - g.y, g.y**2 - 1, g.y),
    "apart of two": lambda g: s.apart(1 / ((g.x + g.y) * g.x), g.x),
    "factor of two": lambda g: s.factor(g.x**2 - g.y**2),
    "dsolve": lambda g: s.dsolve(
        s.Derivative(s.Function("u")(g.t), g.t) - g.x * s.Function("u")(g.t)
    ),
    "trigsimp": lambda g: s.trigsimp(g.sin(g.x) ** 2 + g.cos(g.x) ** 2),
    "simplify a quotient": lambda g: s.simplify((g.x**2 - 1) / (g.x - 1)),
    "logcombine": lambda g: s.logcombine(g.log(g.x) + g.log(g.y), force=True),
    "sqrt": lambda g: s.sqrt(g.x**2),
    "nested": lambda g: s.sin(s.cos(g.exp(g.x))),
    "mixed": lambda g: s.sin(g.x) + s.Symbol("b") * s.cos(g.y),
    "latex": lambda g: s.latex(s.Integral(g.x**2, g.x)),
    "Integral": lambda g: s.Integral(g.x**2, (g.x, 0, g.y)),
    "Derivative": lambda g: s.Derivative(g.x**2 * g.y, g.x, g.y),
    "Piecewise": lambda g: s.Piecewise((g.x, g.k > 0), (g.y, True)),
    "Contains": lambda g: s.Contains(g.x, s.Interval(0, 1)),
    "ConditionSet": lambda g: s.ConditionSet(s.Symbol("q"), s.Eq(g.x, s.Symbol("q"))),
    "Function": lambda g: s.Function("h")(g.x, g.y).diff(s.sympify(g.x)),
    "Eq of both": lambda g: s.Eq(g.x, g.y),
    "solve for both": lambda g: s.solve(g.x**2 + g.y - 1, g.x, g.y),
    "idiff": lambda g: s.idiff(g.x**2 + g.y**2 - 4, g.y, g.x),
    "euler": lambda g: s.cancel((g.x**2 - g.y**2) / (g.x - g.y)),
    "cse list": lambda g: s.cse([g.sin(g.x) + 1, g.sin(g.x) * 2]),
    "are_similar": lambda g: s.simplify(g.exp(g.x) ** 2 - g.exp(2 * g.x)),
    "ordered": lambda g: list(s.ordered([s.sympify(g.y), s.sympify(g.x)])),
    "gcd_terms": lambda g: s.gcd_terms(g.x * g.y + g.x),
    "substitution": lambda g: s.sympify(g.x * g.y).xreplace({s.sympify(g.x): s.Integer(2)}),
    "bottom_up": lambda g: s.bottom_up(s.sympify(g.x * g.y), lambda e: e),
    "variations": lambda g: s.Wild("a").matches(s.sympify(g.x)),
    "Quaternion": lambda g: s.Quaternion(g.x, g.y, 0, 0).norm(),
    "Point": lambda g: s.Point(g.x, g.y).distance(s.Point(0, 0)),
    "Normal": lambda g: s.stats.density(s.stats.Normal("X", 0, 1))(g.x),
    "E": lambda g: s.stats.E(g.x * s.stats.Normal("X", 1, 1)),
    "Circle": lambda g: s.Circle(s.Point(0, 0), 2).area * g.x,
    "vector": lambda g: s.vector.gradient(g.x * s.vector.CoordSys3D("C").x),
    "rotation": lambda g: s.rot_axis1(g.x),
    "Range": lambda g: s.summation(g.x**g.k, (g.k, 0, 2)),
    "binomial sum": lambda g: s.summation(s.binomial(3, g.k) * g.x**g.k, (g.k, 0, 3)),
    "Array of a formula": lambda g: s.Array(g.x * g.y),
    "Array of lists": lambda g: s.Array([[g.x, 1], [g.y, g.x * g.y]]),
    "derive_by_array": lambda g: s.derive_by_array(g.x * g.y, [g.x, g.y]),
    "derive_by_array of a list": lambda g: s.derive_by_array([g.x * g.y, g.x], [g.x, g.y]),
    "diag of a list": lambda g: s.diag(g.x, [g.y, 1]),
    "diag of one list": lambda g: s.diag([g.x, 1]),
    "sequence": lambda g: s.sequence(g.x**2, (g.x, 0, 5)),
    "imageset": lambda g: s.imageset(g.x, g.x**2, s.S.Reals),
    "Piecewise of a relation": lambda g: s.Piecewise((g.x, g.x > 0), (g.y, True)),
    "ITE of relations": lambda g: s.ITE(g.x > 0, g.x > 1, g.y < 2),
    "And of relations": lambda g: s.And(g.x > 0, s.Not(g.x > 2), g.y <= 2),
    "inequality": lambda g: s.solve_univariate_inequality(g.x**2 < 4, g.x, relational=False),
    "reduce_inequalities": lambda g: s.reduce_inequalities(s.Lt(g.x**2, 4), []),
    "mellin": lambda g: s.fourier_transform(g.exp(-(g.x**2)), g.x, s.Symbol("w")),
    "inverse laplace": lambda g: s.inverse_laplace_transform(
        1 / (g.x + 1), g.x, s.Symbol("t", positive=True)
    ),
    "laplace": lambda g: s.laplace_transform(
        g.exp(-g.x), g.x, s.Symbol("w", positive=True), noconds=True
    ),
    "plain lambda": lambda g: round(float(s.lambdify([g.x, g.y], g.x * g.sin(g.y))(1.5, 0.5)), 9),
    "expand of three": lambda g: s.expand((g.x + g.y) ** 3),
    "arg": lambda g: s.arg(g.x + s.I * g.y),
    "Abs": lambda g: s.Abs(g.x + s.I * g.y),
    "minimal_polynomial": lambda g: s.minimal_polynomial(s.sqrt(2), g.x),
    "Ynm": lambda g: s.Ynm(1, 0, g.x, g.y).expand(func=True),
    "hyper": lambda g: s.hyper((1,), (2,), g.x),
    "meijerg": lambda g: s.meijerg([[], []], [[0], []], g.x),
    "Order": lambda g: s.O(g.x**2),
    "continued": lambda g: s.continued_fraction_reduce([1, 2, g.x]),
    "nthroot": lambda g: s.real_root(g.x, 3),
    "Matrix of list": lambda g: s.Matrix([g.x, g.y]).norm(),
    "cross": lambda g: s.Matrix([g.x, g.y, 1]).cross(s.Matrix([1, g.x, g.y])),
    "trace": lambda g: s.Trace(s.Matrix([[g.x, 1], [2, g.y]])).doit(),
    "exp matrix": lambda g: s.Matrix([[g.x, 0], [0, g.y]]).exp(),
    "satisfiable": lambda g: s.satisfiable((g.x > 1) & (g.y > 1)),
    "satisfiable by nothing": lambda g: s.satisfiable((g.x > 1) & ~(g.x > 1)),
    "satisfiable of nested": lambda g: s.satisfiable((g.x > 1) | ((g.y > 1) & ~(g.x > 2))),
    "valid": lambda g: s.logic.inference.valid((g.x > 1) | ~(g.x > 1)),
    "entails": lambda g: s.logic.inference.entails(g.x > 1, [(g.x > 1) & (g.y > 1)]),
    "ask": lambda g: s.ask(s.Q.positive(g.x * g.y), s.Q.positive(g.x) & s.Q.positive(g.y)),
    "simplify_logic": lambda g: s.simplify_logic(
        ((g.x > 1) & (g.y > 1)) | ((g.x > 1) & ~(g.y > 1))
    ),
    "to_cnf": lambda g: s.to_cnf((g.x > 1) ^ (g.y > 1)),
    "to_nnf": lambda g: s.to_nnf(~((g.x > 1) & (g.y > 1))),
    "conjuncts": lambda g: s.logic.boolalg.conjuncts((g.x > 1) & (g.y > 1)),
    "is_dnf": lambda g: s.logic.boolalg.is_dnf((g.x > 1) | ((g.y > 1) & (g.x > 2))),
    "Piecewise of joined": lambda g: s.Piecewise((g.x, (g.x > 0) & ~(g.y > 0)), (g.y, True)),
    "ITE of joined": lambda g: s.ITE((g.x > 0) & (g.y > 0), g.x > 1, g.y > 1),
    "as_set": lambda g: ((g.x > 1) & (g.x < 3)).as_set(),
    "lhs": lambda g: ((g.x > 1).lhs, (g.x > 1).negated),
    "Add.make_args": lambda g: set(s.Add.make_args(g.x + g.y + 1)),
    "Mul.make_args": lambda g: set(s.Mul.make_args(g.x * g.y * 2)),
    "And.make_args": lambda g: s.And.make_args((g.x > 1) & (g.y > 1)),
    "kinds": lambda g: [
        getattr(g.x * g.y + 1, f"is_{kind}") for kind in ("Add", "Mul", "Pow", "Function")
    ],
    "cse": lambda g: s.cse([g.x + g.y, (g.x + g.y) ** 2]),
    "nsolve": lambda g: s.nsolve(g.x**2 - 2, g.x, 1),
    "rcollect": lambda g: s.rcollect(g.x * g.y + g.y, g.y),
    "collect_const": lambda g: s.collect_const(2 * g.x + 2 * g.y),
    "divmod": lambda g: [s.sympify(part) for part in divmod(g.x, 2)],
    "integral of a part": lambda g: s.integrate(g.x * s.im(g.k), g.x),
    "solve for a part": lambda g: s.solve(g.x - s.re(g.k), g.x),
    "integral of a delta": lambda g: s.integrate(s.DiracDelta(g.x - 1) * g.x**2, (g.x, 0, 3)),
    "print tree": lambda g: s.srepr(s.sin(g.x)),
}


def array_calls() -> dict[str, Callable[[Any], Any]]:
    """Return calls that need to see the inside of a formula, which an array does not show."""
    t = s.Symbol("t")
    of_one = """
        factor cancel apart ratsimp nsimplify gammasimp combsimp radsimp besselsimp separatevars
        exp log sin Abs re conjugate sign floor gamma erf Heaviside Poly degree roots ccode mathml
        expand_log expand_trig expand_func horner numer denom fraction posify refine is_increasing O
    """
    calls: dict[str, Callable[[Any], Any]] = {f: getattr(s, f) for f in of_one.split()}
    of_symbol = "solve solveset integrate singularities gcd collect Add Mul"
    for f in [getattr(s, f) for f in of_symbol.split()]:
        calls[f"{f.__name__} for t"] = lambda e, f=f: f(e, t)
    methods = "factor rewrite coeff cancel as_poly as_independent as_numer_denom is_polynomial"
    for name in methods.split():
        calls[f".{name}()"] = lambda e, name=name: getattr(e, name)(*_ARGUMENTS.get(name, ()))
    return calls | {
        "limit": lambda e: s.limit(e, t, 0),
        "Max": lambda e: s.Max(e, 1),
        "summation": lambda e: s.summation(e, (t, 1, 3)),
        "product": lambda e: s.product(e, (t, 1, 3)),
        "Sum": lambda e: s.Sum(e, (t, 1, 3)).doit(),
        "Integral": lambda e: s.Integral(e, (t, 0, 1)).doit(),
        "Eq": lambda e: s.solve(s.Eq(e, 0), t),
        "residue": lambda e: s.residue(e, t, 0),
        "laplace": lambda e: s.laplace_transform(e, t, s.Symbol("p")),
        "Mod": lambda e: s.Mod(e, 2),
        "hessian": lambda e: s.hessian(e, [t]),
        "integral by it": lambda e: s.integrate(t, e + 1),
        "derivative by it": lambda e: s.Derivative(t**2, e + 1),
        "derivative of a matrix": lambda e: s.Matrix([t, 1]).diff(e + 1),
        "Add.make_args": s.Add.make_args,
        "Mul.make_args": s.Mul.make_args,
        **{
            f.__name__: f
            for f in (s.det, s.trace, s.Trace, s.Determinant, s.Inverse, s.cse, s.collect_const)
        },
        "MatPow": lambda e: s.MatPow(e, 2),
        "MatMul": lambda e: s.MatMul(s.MatrixSymbol("Q", 3, 3), e),
        "DotProduct": lambda e: s.DotProduct(e, e),
        "rcollect": lambda e: s.rcollect(e, t),
        "nsolve": lambda e: s.nsolve(e, t, 1),
        "len": lambda e: s.Array([e.sum(), 1]),
    }


_ARGUMENTS: dict[str, Any] = {
    "rewrite": (s.exp,),
    "coeff": (s.Symbol("t"),),
    "as_independent": (s.Symbol("t"),),
}
