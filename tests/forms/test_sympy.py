"""To and from SymPy, and primitives made of its functions."""

from __future__ import annotations

import itertools
import pickle

import numpy as np
import pytest
import scipy.special
import sympy

import symgrad
from symgrad.expr.atoms import Const, Leaf
from symgrad.expr.graph import toposort
from symgrad.expr.node import ArrayExpr
from symgrad.forms.sympy_functions import operations_of_sympy
from symgrad.ops.arithmetic import neg, sub
from symgrad.ops.elementwise import Elementwise
from symgrad.ops.primitive import PRIMITIVES
from tests.each import each, in_part
from tests.expr.samples import all_samples, with_derivatives

pytestmark = pytest.mark.versions

x, y = sympy.symbols("x y", real=True)
FORMULAS = [
    x + 2 * y - 1,
    x**2 / (1 + y**2),
    sympy.exp(-x) * sympy.sin(y) / sympy.sqrt(x**2 + 1),
    sympy.Piecewise((x, x > y), (y**2, True)),
    sympy.Max(x, y, 0) + sympy.Min(x, -y) + sympy.Abs(x) * sympy.sign(y),
    sympy.atan2(y, x) + sympy.floor(x) + sympy.ceiling(y),
    sympy.log(1 + x**2) * sympy.tanh(y) - sympy.Rational(1, 3),
    sympy.Heaviside(x) * y + sympy.erf(x),
    sympy.besselj(0, x) + sympy.gamma(2 + y**2),
    x ** sympy.Rational(2) * sympy.pi - sympy.E,
]
_x, _y = symgrad.leaf("x"), symgrad.leaf("y")
POINTS = [(0.7, -0.4), (1.3, 2.1), (-0.6, 0.9)]


@pytest.mark.parametrize("formula", FORMULAS, ids=str)
@each("point", list(POINTS))
def test_from_sympy_has_the_value(formula, point):
    e = symgrad.from_sympy(formula)
    exact = float(formula.subs({x: point[0], y: point[1]}).evalf(30))
    values = {n: v for n, v in zip("xy", point, strict=True) if sympy.Symbol(n, real=True) in
              formula.free_symbols}  # fmt: skip
    assert float(e.evaluate(values)) == pytest.approx(exact, rel=1e-13)


@pytest.mark.parametrize("formula", FORMULAS[:8], ids=str)
def test_there_and_back(formula):
    back = symgrad.from_sympy(formula).to_sympy("scalar")
    assert not any("symgrad" in type(n).__module__ for n in sympy.preorder_traversal(back))
    for px, py in POINTS:
        difference = (back - formula).subs({x: px, y: py})
        assert abs(float(difference.evalf(30))) < 1e-12


@pytest.mark.parametrize("formula", [x - sympy.exp(-y), 1 - x * y, y - sympy.sin(x) ** 2], ids=str)
def test_a_negative_term_is_subtracted_without_being_negated_twice(formula):
    e = symgrad.from_sympy(formula)
    negated = [node.operands[0] for node in toposort([e]) if isinstance(node, neg)]
    assert not any(isinstance(node, neg) for node in negated)
    assert type(e) is sub and e.to_sympy() == formula


def test_one_operation_claims_each_function_of_sympy():
    stating: dict[tuple[type, int], list[type[Elementwise]]] = {}
    for cls in PRIMITIVES.values():
        if issubclass(cls, Elementwise) and isinstance(cls.scalar, type) and not cls.internal:
            stating.setdefault((cls.scalar, cls.arity), []).append(cls)
    claiming = [cls for cls in PRIMITIVES.values() if "of_sympy" in vars(cls)]
    functions = [(cls.of_sympy, cls.arity) for cls in claiming]
    assert len(set(functions)) == len(functions)
    several = {key for key, classes in stating.items() if len(classes) > 1}
    assert several and several <= set(functions)


@each("function, arity", list(operations_of_sympy()), ids=lambda f: getattr(f, "__name__", str(f)))
def test_an_operation_has_the_values_of_its_function(function, arity):
    of_truth = issubclass(function, sympy.logic.boolalg.BooleanFunction)
    points = [(1.3, 1.7), (2.0, 1.2)] if function is sympy.acosh else [(0.3, 0.7), (0.8, 0.2)]
    for point in points:
        arguments = [x, y][:arity]
        exact_point = dict(zip((x, y), map(sympy.Rational, map(str, point)), strict=True))
        if of_truth:
            arguments = [v > sympy.Rational(1, 2) for v in arguments]
        e = symgrad.from_sympy(function(*arguments, evaluate=False))
        assert type(e) is operations_of_sympy()[function, arity]
        found = e.evaluate(
            dict(zip("xy", point, strict=False)) if len(e.leaves) > 1 else {"x": point[0]}
        )
        exact = function(*arguments).subs(exact_point)
        if exact in (sympy.true, sympy.false):
            assert found.item() is bool(exact)
        else:
            assert found.item() == pytest.approx(float(exact.evalf(20)), rel=1e-14)


def test_mapping_to_tensors_records():
    t = symgrad.tensor([0.5, 1.5], dtype=symgrad.float64, requires_grad=True)
    out = symgrad.from_sympy(sympy.sin(x) * x, {x: t})
    out.sum().backward()
    v = np.array([0.5, 1.5])
    np.testing.assert_allclose(t.grad.numpy(), np.cos(v) * v + np.sin(v), rtol=1e-15)


def test_text_is_never_evaluated():
    for bad in ("x", b"x"):
        with pytest.raises(TypeError, match="not text"):
            symgrad.from_sympy(bad)
    with pytest.raises(TypeError, match="text, which is never evaluated"):
        symgrad.from_sympy(x, {x: "__import__('os')"})
    with pytest.raises(ValueError, match="identifier"):
        symgrad.from_sympy(sympy.Symbol("a b"))


def test_deep_formulas():
    formula = x
    for _ in range(3000):
        formula = sympy.sin(formula, evaluate=False)
    assert len(toposort([symgrad.from_sympy(formula)])) == 3001


def test_to_sympy_refuses_what_it_has_no_form_for():
    e = symgrad.leaf("v", (3,))
    with pytest.raises(ValueError, match="there is 'scalar'"):
        e.to_sympy("nothing")
    with pytest.raises(ValueError, match="sum does not work element by element"):
        e.sum().to_sympy("scalar")


@pytest.mark.parametrize(
    ("function", "reference", "slope"),
    [
        (sympy.airyai, lambda v: scipy.special.airy(v)[0], lambda v: scipy.special.airy(v)[1]),
        (sympy.gamma, scipy.special.gamma, lambda v: scipy.special.gamma(v) * scipy.special.psi(v)),
        (sympy.loggamma, scipy.special.gammaln, scipy.special.psi),
        (
            sympy.fresnels,
            lambda v: scipy.special.fresnel(v)[0],
            lambda v: np.sin(np.pi * v * v / 2),
        ),
    ],
    ids=lambda f: getattr(f, "__name__", ""),
)
def test_elementwise(function, reference, slope):
    v = np.array([[0.3, 1.7], [2.2, 0.9]])
    t = symgrad.tensor(v, requires_grad=True)
    out = symgrad.elementwise(function)(t)
    np.testing.assert_allclose(out.detach().numpy(), reference(v), rtol=1e-13)
    (g,) = symgrad.autograd.grad(out.sum(), t, create_graph=True)
    np.testing.assert_allclose(g.detach().numpy(), slope(v), rtol=1e-11)
    (h,) = symgrad.autograd.grad(g.sum(), t)
    step = 1e-6
    np.testing.assert_allclose(
        h.numpy(), (slope(v + step) - slope(v - step)) / (2 * step), rtol=1e-7
    )


def test_elementwise_of_two_arguments_names_what_has_no_derivative():
    jv = symgrad.elementwise(sympy.besselj)
    t = symgrad.tensor([0.4, 1.2], dtype=symgrad.float64, requires_grad=True)
    jv(1, t).sum().backward()
    np.testing.assert_allclose(t.grad.numpy(), scipy.special.jvp(1, t.detach().numpy()), rtol=1e-13)
    order = symgrad.tensor([0.5, 1.0], dtype=symgrad.float64, requires_grad=True)
    with pytest.raises(NotImplementedError, match=r"derivative for 'jv: v' is not implemented"):
        jv(order, t.detach()).sum().backward()


def test_elementwise_refuses_what_is_no_function():
    for bad in ("airyai", np.sin, 3):
        with pytest.raises(TypeError, match="function of SymPy"):
            symgrad.elementwise(bad)


def test_made_primitives_pickle():
    e = symgrad.elementwise(sympy.airyai)(symgrad.leaf("x", (2,)))
    assert pickle.loads(pickle.dumps(e)) is e


def test_symbols_of_one_name_are_not_merged():
    name, dummy = sympy.Symbol("x"), sympy.Dummy("x")
    for unknown in (dummy, name - 2 * dummy):
        with pytest.raises((TypeError, ValueError), match=r"Dummy|two different symbols"):
            symgrad.from_sympy(unknown)
    e = symgrad.from_sympy(name - 2 * dummy, {dummy: symgrad.leaf("y")}, leaves="new")
    assert e.evaluate({"x": 5, "y": 1}) == 3
    for other in (sympy.Symbol("x", real=True), sympy.Symbol("x", positive=True)):
        with pytest.raises(ValueError, match="two different symbols are named 'x'"):
            symgrad.from_sympy(name - 2 * other)
        mapped = symgrad.from_sympy(name - 2 * other, {other: symgrad.leaf("y")}, leaves="new")
        assert mapped.evaluate({"x": 5, "y": 1}) == 3


def test_two_leaves_of_one_name_have_no_form():
    for other in (symgrad.leaf("x", (3,)), symgrad.leaf("x", (), symgrad.float32)):
        with pytest.raises(ValueError, match="two different leaves are named 'x'"):
            (other - symgrad.leaf("x")).to_sympy()


def test_truth_values():
    assert symgrad.from_sympy(sympy.true).evaluate() == np.True_
    assert symgrad.from_sympy(sympy.false).evaluate() == np.False_
    e = symgrad.from_sympy(sympy.Piecewise((1, sympy.And(x > 0, y > 0)), (2, True)))
    assert e.evaluate({"x": 1, "y": 1}) == 1 and e.evaluate({"x": 1, "y": -1}) == 2


# Arguments within the domain that SciPy has of what SymPy's printers write for it.
MADE = [
    (sympy.factorial, (-0.64,)), (sympy.factorial, (4.0,)), (sympy.gamma, (-0.64,)),
    (sympy.airyai, (0.7,)), (sympy.airybiprime, (-0.7,)), (sympy.beta, (0.7, 1.5)),
    (sympy.betainc_regularized, (2, 1, 0.5, 0.9)), (sympy.betainc, (2, 1, 0.5, 0.9)),
    (sympy.besselj, (0.5, 0.9)), (sympy.bessely, (1.5, 2.3)), (sympy.besseli, (2, 0.3)),
    (sympy.besselk, (0.5, 1.2)), (sympy.digamma, (0.3,)), (sympy.expint, (2, 1.3)),
    (sympy.Ei, (0.7,)), (sympy.Si, (0.7,)), (sympy.Ci, (0.7,)), (sympy.fresnels, (0.7,)),
    (sympy.lowergamma, (0.7, 1.5)), (sympy.uppergamma, (0.7, 1.5)), (sympy.sinc, (0.7,)),
    (sympy.polygamma, (2, 0.7)), (sympy.legendre, (3, 0.3)), (sympy.LambertW, (0.3,)),
    (sympy.assoc_laguerre, (3, 1, 0.7)), (sympy.loggamma, (0.7,)), (sympy.jn, (2, 0.7)),
    (sympy.cot, (0.7,)), (sympy.sec, (0.7,)), (sympy.acot, (0.7,)), (sympy.coth, (0.7,)),
    (sympy.RisingFactorial, (0.7, 2.3)), (sympy.frac, (1.7,)),
]  # fmt: skip


@each("function, arguments", list(MADE), ids=str)
def test_made_functions_have_the_value_of_sympy(function, arguments):
    """Wherever numbers stand for operands: whole ones are no reason to cut a result to integers."""
    symbols = sympy.symbols(f"x:{len(arguments)}", real=True)
    try:
        symgrad.elementwise(function)(*[symgrad.leaf(s.name) for s in symbols])
    except NotImplementedError:
        return  # SymPy prints no NumPy for it, which is said
    want = float(function(*[sympy.Rational(str(a)) for a in arguments]).evalf(25))
    for given in range(2 ** len(arguments) - 1):
        numbers = [bool(given >> i & 1) for i in range(len(arguments))]
        operands = [
            sympy.nsimplify(a) if fixed else s
            for a, s, fixed in zip(arguments, symbols, numbers, strict=True)
        ]
        if function in (sympy.polygamma, sympy.expint) and not numbers[0]:
            continue
        e = symgrad.from_sympy(function(*operands))
        values = {s.name: a for s, a in zip(symbols, arguments, strict=True)}
        values = {a.name: values[a.name] for a in e.leaves}
        names = {}
        exec(e.source(), names)
        for got in (e.evaluate(values), e.lambdify()(**values), names["f"](**values)):
            assert float(got) == pytest.approx(want, rel=1e-9)
        again = eval(sympy.srepr(e), {"symgrad": symgrad, "np": np, **vars(sympy)})
        assert again is e
        back = e.to_sympy()
        back = back.subs({s: sympy.Float(values[s.name]) for s in back.free_symbols})
        assert float(back.evalf(25)) == pytest.approx(want, rel=1e-9)


@pytest.mark.parametrize("part", [sympy.im, sympy.re, lambda z: sympy.real_root(z, 3)])
def test_parts_of_real_numbers(part):
    """A symbol that may be complex becomes a leaf that is real."""
    z = sympy.Symbol("z")
    e = symgrad.from_sympy(part(z) + z)
    for value in (-8.0, 0.5):
        assert e.evaluate({"z": value}) == pytest.approx(float(part(sympy.Float(value)) + value))


def test_derivatives_of_made_functions_keep_fractions():
    t = symgrad.tensor(0.9, dtype=symgrad.float64, requires_grad=True)
    a = sympy.Symbol("a")
    symgrad.from_sympy(sympy.betainc_regularized(2, 1, sympy.Rational(1, 2), a), {a: t}).backward()
    assert t.grad.item() == pytest.approx(1.8, rel=1e-14)  # I_a(2, 1) is a**2


@pytest.mark.parametrize(
    "formula",
    [sympy.polygamma(sympy.Rational(1, 2), x), sympy.polygamma(y, x), sympy.expint(y, x)],
    ids=str,
)
def test_orders_that_nothing_computes_are_refused(formula):
    with pytest.raises(TypeError, match="must be a whole number"):
        symgrad.from_sympy(formula)


def test_the_source_of_a_made_function_names_sympys():
    sinc = symgrad.elementwise(sympy.sinc)(symgrad.leaf("x"))
    again = eval(sympy.srepr(sinc), {"symgrad": symgrad, "np": np, **vars(sympy)})
    assert again is sinc and again is not symgrad.sinc(symgrad.leaf("x"))
    assert str(sinc) == "spherical_bessel_j0(x)"


def test_maxima_and_minima_of_sympy_are_those_of_arrays() -> None:
    x, y, z = (symgrad.leaf(name, (3,)) for name in "xyz")
    assert str(symgrad.elementwise(sympy.Max)(x, y)) == "maximum(x, y)"
    assert str(symgrad.elementwise(sympy.Min)(x, y)) == "minimum(x, y)"
    values = {"x": [1.0, 2.0, 3.0], "y": [3.0, 2.0, 1.0], "z": [2.5, 2.5, 2.5]}
    of_three = symgrad.elementwise(sympy.Max)(x, y, z)
    assert of_three.evaluate(values).tolist() == [3.0, 2.5, 3.0]
    assert symgrad.derive(of_three.sum(), x).evaluate(values).tolist() == [0.0, 0.0, 1.0]


def test_class_names_reach_no_text_that_they_could_change():
    hostile = type("f}{0}\\input{x", (sympy.Function,), {"_numpycode": lambda self, p: "0"})
    with pytest.raises(ValueError, match="identifier"):
        symgrad.elementwise(hostile)(symgrad.leaf("x"))


@each("cls, sample", in_part(all_samples(), among=5))
def test_scalar_forms_have_the_value(cls, sample):
    """Of every operation that has one, and of its first and second derivatives."""
    for e, known in itertools.islice(with_derivatives(cls, sample), 8):
        values = {leaf: known[leaf.name] for leaf in e.leaves}
        form = form_of(e)
        if isinstance(form, str):
            # What works on each element has a form, but for functions that SymPy lacks.
            each = all(isinstance(node, (Elementwise, Leaf, Const)) for node in toposort([e]))
            assert "SymPy has no function" in form or ("one element" in form and not each)
            continue
        assert isinstance(form, sympy.Basic)
        assert not any("symgrad" in type(n).__module__ for n in sympy.preorder_traversal(form))
        form = form.xreplace({f: sympy.Rational(f) for f in form.atoms(sympy.Float)})
        want = e.evaluate(values)
        symbols = {s.name: s for s in form.free_symbols}
        for place in list(np.ndindex(want.shape))[:4]:
            point = {x: np.broadcast_to(v, want.shape)[place] for x, v in values.items()}
            if not all(np.isfinite(v) and (v == 0 or abs(v) > 1e-6) for v in point.values()):
                continue  # symbols of floats are real numbers; the form's floats have 15 digits
            point = {symbols[x.name]: number(v) for x, v in point.items() if x.name in symbols}
            got = form.subs(point)
            got = complex(bool(got)) if got in (True, False) else complex(sympy.N(got, 25))
            expected = complex(want[place])
            accuracy = 1e-5 if want.dtype.itemsize < 8 else 1e-9
            if np.isfinite(expected):
                assert got == pytest.approx(expected, rel=accuracy, abs=10 * accuracy)


def form_of(e):
    """The scalar form, or why there is none."""
    try:
        return e.to_sympy()
    except ValueError as error:
        return str(error)


def number(value):
    if value.dtype == bool:
        return sympy.true if value else sympy.false
    # Exactly, so that nothing cancels before it is evaluated to 25 digits.
    return sympy.Rational(value.real.item()) + sympy.I * sympy.Rational(value.imag.item())


# ------------------------------------------------------------------ numbers

_K = sympy.Symbol("k", integer=True)
_STEP = sympy.Piecewise((sympy.Float("0.02"), x > 1), (sympy.Float("0.005"), True))
_WHOLE = sympy.Piecewise((-1, x > 0), (1, True))
#: Formulas whose parts are numbers alone, which decide no dtype by themselves.
OF_NUMBERS = [
    _STEP,
    _STEP * y,
    sympy.Piecewise((sympy.Float("1e300"), x > 1), (1, True)),
    2**_WHOLE,
    sympy.Max(2, _WHOLE),
    sympy.Heaviside(x) / 3,
    sympy.Heaviside(x, sympy.Rational(1, 3)),
    x * sympy.Sum(1 / _K**2, (_K, 1, 5)),
    x + sympy.Sum(sympy.cos(_K) / _K**2, (_K, 1, 5)),
    sympy.Rational(1, 3),
    sympy.Integer(3),
    sympy.pi,
    sympy.sqrt(2) * sympy.GoldenRatio,
    sympy.Matrix([[2, 1], [1, 3]]),
    sympy.Matrix([[sympy.Rational(1, 3), x], [1, y]]),
    sympy.Array([[[1, 2], [x, sympy.pi]]]),
]
_AT = {x: 1.75, y: -0.3}


@each("formula", OF_NUMBERS)
def test_numbers_of_sympy_are_doubles(formula):
    """As a formula, in its source and on tensors."""
    entries = formula if hasattr(formula, "shape") else [formula]
    exact = [sympy.N(entry.subs(_AT), 30) for entry in sympy.flatten(entries)]
    e = symgrad.from_sympy(formula)
    assert e.dtype is symgrad.float64
    names: dict = {}
    exec(e.source(), names)
    given = {str(k): v for k, v in _AT.items() if k.name in {leaf.name for leaf in e.leaves}}
    found = [e.evaluate(given), names["f"](**given)]
    tensors = {k: symgrad.tensor(v, dtype=symgrad.float64) for k, v in _AT.items()}
    computed = symgrad.from_sympy(formula, tensors)
    assert computed.dtype is symgrad.float64
    found.append(computed.numpy() if isinstance(computed, symgrad.Tensor) else computed.evaluate())
    for value in found:
        assert np.asarray(value).dtype == np.float64
        np.testing.assert_allclose(np.ravel(value), np.array(exact, float), rtol=4e-16)


def test_whole_numbers_stay_whole_as_exponents_and_beside_other_dtypes():
    assert symgrad.from_sympy(x**3) is symgrad.leaf("x") ** 3
    half = {x: symgrad.tensor([1.0, -1.0])}
    for formula in (2 * x, x / 3, sympy.Heaviside(x) / 3, sympy.Piecewise((x, x > 0), (3, True))):
        assert symgrad.from_sympy(formula, half).dtype is symgrad.float32


def test_a_product_of_matrices_of_numbers():
    v = sympy.MatrixSymbol("v", 2, 1)
    e = symgrad.from_sympy(v.T * sympy.Matrix([[2, 1], [1, 3]]) * v)
    at = {"v": np.array([[1.0], [2.0]])}
    assert e.evaluate(at) == 18
    assert symgrad.derive(e[0, 0], "v").evaluate(at).tolist() == [[8.0], [14.0]]


def test_matrices_arrays_and_lists_are_arrays():
    rows = [[x, 1], [x * y, sympy.pi]]
    at = {"x": 2.0, "y": 3.0}
    want = [[2.0, 1.0], [6.0, float(np.pi)]]
    for given in (
        rows, tuple(rows), sympy.Matrix(rows), sympy.ImmutableMatrix(rows), sympy.Array(rows),
        sympy.SparseMatrix(rows), sympy.MutableDenseNDimArray(rows),
    ):  # fmt: skip
        assert symgrad.from_sympy(given).evaluate(at).tolist() == want
    assert symgrad.from_sympy([x, y]).shape == (2,)
    assert symgrad.from_sympy(sympy.Array([])).shape == (0,)
    for given in ([], [[x], []], [[x, y], [x]], [[x], y]):
        with pytest.raises(ValueError, match="the lists are the rows of an array"):
            symgrad.from_sympy(given)
    with pytest.raises(TypeError, match="an entry of a list is a SymPy expression or a number"):
        symgrad.from_sympy([x, "y"])
    for times in (1, 2):
        endless: list = []
        endless.extend([endless] * times)
        with pytest.raises(ValueError, match="the lists are the rows of an array"):
            symgrad.from_sympy(endless)


def test_what_sympy_states_is_done_first():
    z = symgrad.leaf("x")
    f = sympy.Function("f")
    assert symgrad.from_sympy(sympy.Derivative(x**2, x)) is 2 * z
    assert symgrad.from_sympy(sympy.Subs(f(x), f(x), x**2)) is z**2
    assert symgrad.from_sympy(sympy.Sum(x**_K, (_K, 1, 3))).evaluate({"x": 2.0}) == 14
    assert (
        symgrad.from_sympy(y * sympy.Product(x + _K, (_K, 1, 2))).evaluate({"x": 1.0, "y": 2.0})
        == 12
    )
    tensor = symgrad.tensor(3.0, requires_grad=True)
    symgrad.from_sympy(sympy.Derivative(x**3, x), {x: tensor}).backward()
    assert tensor.grad == 18


@each(
    "formula",
    [
        sympy.Derivative(sympy.Function("f")(x), x),
        sympy.Sum(x**_K / _K, (_K, 1, sympy.oo)),
        sympy.Sum(x**_K, (_K, 1, 10**9)),
        sympy.Limit(sympy.sin(x) / x * y, x, 0),
        sympy.Integral(sympy.Function("f")(x), (x, 0, 1)),
        sympy.Interval(x, 1),
        sympy.Tuple(x, 1),
    ],
)
def test_what_has_no_operation_is_named_by_its_class(formula):
    for given in (formula, sympy.Array([formula]) if isinstance(formula, sympy.Expr) else formula):
        with pytest.raises(TypeError, match=f"no operation stands for {type(formula).__name__} in"):
            symgrad.from_sympy(given)


@each(
    "e",
    {
        "product": (_x > 0) * _x,
        "products": 2 - (_x > 0) * (_y < 1) * _x * _y,
        "sum": (_x > 0) + _x,
        "truths": ((_x > 0) + (_y > 0)) * ((_x < 1) * (_y < 1)) * _x,
        "quotient": (_x > 0) / _y,
        "power": (1 + (_x > 0)) ** _y,
        "function": symgrad.exp(_x > 0) * symgrad.maximum(_x > 0, _y),
        "slope": symgrad.derive((_x > 0) * _x * _y, _x),
    },
)
def test_truth_values_are_numbers_where_they_are_computed_with(e: ArrayExpr) -> None:
    for form in ("scalar", "explicit", "matrix"):
        formula = sympy.sympify(e.to_sympy(form=form))
        for at in ({"x": 0.5, "y": 2.5}, {"x": -0.7, "y": 0.3}, {"x": 0.6, "y": 0.2}):
            value = float(formula.subs({s: at[s.name] for s in formula.free_symbols}))
            assert value == pytest.approx(float(e.evaluate({k.name: at[k.name] for k in e.leaves})))


def test_derivatives_by_negative_truth_values_have_texts() -> None:
    for shape in ((), (3,)):
        u = symgrad.leaf("u", shape)
        slope = symgrad.derive((2 - (u > 0) * u).sum(), u)
        assert str(slope) == "-(u > 0).to(float64)"
        slope.latex()
