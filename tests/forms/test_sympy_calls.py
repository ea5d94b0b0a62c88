"""SymPy's functions on formulas: SymPy's own answer, or an error that says the way out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import sympy

import symgrad
from symgrad.expr.node import ArrayExpr
from symgrad.ops.primitive import PRIMITIVES
from tests.each import each
from tests.expr.samples import chain, wide
from tests.expr.test_costs import steps
from tests.forms.sympy_calls import Given, array_calls, scalar_calls

_CALLS = scalar_calls()
_ARRAY_CALLS = array_calls()

_X, _Y, _Z = sympy.symbols("x y z", real=True)
SYMBOLS = Given(_X, _Y, _Z, sympy.exp, sympy.log, sympy.sin, sympy.cos, sympy.sqrt)
LEAVES = Given(
    *map(symgrad.leaf, "xyz"), symgrad.exp, symgrad.log, symgrad.sin, symgrad.cos, symgrad.sqrt
)


def _answer(call: Callable[[Given], Any], given: Given) -> Any:
    try:
        found = call(given)
        return found.to_sympy() if isinstance(found, ArrayExpr) else found
    except Exception as error:
        return error


def _same(found: Any, wanted: Any) -> bool:
    if isinstance(found, (list, tuple)):
        return all(map(_same, found, wanted))
    if found == wanted or sympy.srepr(found) == sympy.srepr(wanted):
        return True
    if not isinstance(found, sympy.Basic):
        return False
    dummies = [sorted(x.atoms(sympy.Dummy), key=str) for x in (found, wanted)]
    if dummies[0] and len(dummies[0]) == len(dummies[1]):
        return bool(found.xreplace(dict(zip(*dummies, strict=True))) == wanted)
    return isinstance(wanted, sympy.Expr) and sympy.simplify(sympy.N(found - wanted)) == 0


def _verdict(name: str, found: Any, symbols: Given) -> str:
    """Return what an answer on formulas is: SymPy's own, or an error."""
    if isinstance(found, Exception) and "to_sympy" in str(found):
        return "refused"
    wanted = _answer(_CALLS[name], symbols)
    if isinstance(found, Exception):
        assert isinstance(wanted, Exception), f"{name}: {found!r} for {wanted}"
        return "error of SymPy's"
    assert not isinstance(wanted, Exception), f"{name}: {found} for {wanted!r}"
    assert _same(found, wanted), f"{name}: {found} for {wanted}"
    return "right"


def test_an_answer_is_that_of_sympy() -> None:
    assert len(_CALLS) >= 300
    found = Counter(_verdict(name, _answer(call, LEAVES), SYMBOLS) for name, call in _CALLS.items())
    assert found["right"] >= 0.9 * len(_CALLS), found


class _LastDiffers:
    """Variables of which the last `x` that a call takes is another leaf than those before."""

    def __init__(self, given: Given, last: Any, count: int) -> None:
        self._given, self._last, self._count = given, last, count
        self.taken = 0

    def __getattr__(self, name: str) -> Any:
        if name != "x":
            return getattr(self._given, name)
        self.taken += 1
        return self._last if self.taken == self._count else self._given.x


def test_a_leaf_that_stands_for_another_symbol_is_no_second_variable() -> None:
    """As one of the formula's own leaves, or refused: never as of two variables of one name."""
    others = [sympy.Symbol("x"), sympy.Symbol("x", positive=True)]
    tried = Counter[str]()
    for i, (name, call) in enumerate(_CALLS.items()):
        symbols = SYMBOLS._replace(x=others[i % 2])
        leaves = LEAVES._replace(x=symgrad.from_sympy(symbols.x))
        counting: Any = _LastDiffers(leaves, LEAVES.x, 0)
        if not name.endswith((", x", ", x)")) or name.startswith("has of"):  # asks plain SymPy
            continue
        if isinstance(_answer(call, counting), Exception) or counting.taken < 2:
            continue
        mixed: Any = _LastDiffers(leaves, LEAVES.x, counting.taken)
        found = _answer(call, mixed)
        if isinstance(found, Exception):
            assert "to_sympy" in str(found), f"{name}: {found!r}"
        else:
            wanted = [_answer(call, given) for given in (symbols, SYMBOLS)]
            assert any(_same(found, x) for x in wanted), f"{name}: {found} for {wanted}"
        tried[type(found).__name__] += 1
    assert tried["ValueError"] >= 120, tried


V, M = symgrad.leaf("v", (3,)), symgrad.leaf("m", (2, 2))


@each("name", list(_ARRAY_CALLS))
@pytest.mark.parametrize("e", [V, V * V, M @ M, (V * V).sum()], ids=str)
def test_arrays_are_refused(e: ArrayExpr, name: str) -> None:
    with pytest.raises((TypeError, ValueError), match="to_sympy"):
        _ARRAY_CALLS[name](e)


def test_a_matrix_of_an_array_has_the_formulas_of_its_elements() -> None:
    elements = (M @ M).to_sympy("explicit")
    assert sympy.Matrix(M @ M) == sympy.Matrix(elements.tolist())
    assert sympy.Matrix(V).shape == (3, 1)
    for e in (V, V * V, M @ M):
        assert sympy.Array(e) == e.to_sympy("explicit")
    assert sympy.Array(V * V, (3, 1)) == (V * V).to_sympy("explicit").reshape(3, 1)
    squares = sympy.Matrix(sympy.derive_by_array(V * V, V))
    assert squares == sympy.diag(*(2 * V).to_sympy("explicit"))
    assert sympy.diag(M, LEAVES.x)[:2, :2] == sympy.Matrix(M)
    x = symgrad.leaf("x")
    assert sympy.Matrix([[x, 1], [2, x]]).det() == x.symbol**2 - 2


def test_leaves_keep_the_symbols_that_they_were_made_of() -> None:
    n = sympy.Symbol("n", positive=True)
    e = symgrad.from_sympy(sympy.sqrt(n) * sympy.Symbol("x", real=True))
    assert e.to_sympy() == sympy.sqrt(n) * _X
    assert {x.name: s for x, s in e.symbols.items()} == {"n": n, "x": _X}
    assert LEAVES.x in e.leaves
    assert symgrad.derive(e, symgrad.leaf("n")) is symgrad.derive(e, "n")
    assert e.evaluate({symgrad.leaf("n"): 4.0, "x": 1.0}) == 2
    both = e + symgrad.leaf("n")
    for refused in (both.to_sympy, both.evaluate, lambda: symgrad.derive(both, symgrad.leaf("n"))):
        with pytest.raises(ValueError, match="two different leaves are named 'n'"):
            refused()
    given = {"x": sympy.Symbol("t"), "n": sympy.Symbol("s")}
    assert e.to_sympy(symbols=given) == sympy.sqrt(given["n"]) * given["x"]
    for symbols, error in (({"q": n}, ValueError), ({"x": 1}, TypeError), ([n], TypeError)):
        with pytest.raises(error, match="symbols="):
            e.to_sympy(symbols=symbols)


def test_numbers_of_formulas_without_leaves() -> None:
    two = symgrad.from_sympy(sympy.Integer(2))
    assert (float(two.exp()), int(two * 3), bool(two), complex(two)) == (np.exp(2), 6, True, 2)
    assert two - 2 == 0 and two != 1
    assert symgrad.leaf("x") != 0
    with pytest.raises(TypeError, match="float"):
        float(symgrad.leaf("x"))


@pytest.mark.parametrize("f", [sympy.factor, sympy.sin, lambda e: sympy.limit(e, LEAVES.x, 0)])
def test_deep_and_shared_formulas_are_refused(f: Callable[[Any], Any]) -> None:
    for e in (wide(), chain(10_000)):
        with pytest.raises(TypeError, match="paths"):
            f(e)


def _comparable() -> list[Any]:
    """Symbols of one name, leaves that stand for them, and formulas of both."""
    assumed = ({}, {"real": True}, {"positive": True}, {"integer": True}, {"complex": True})
    symbols = [sympy.Symbol("x", **given) for given in assumed]
    kinds = (symgrad.float64, symgrad.float32, symgrad.int64, symgrad.complex128)
    atoms = [*symbols, *map(symgrad.from_sympy, symbols)]
    atoms += [symgrad.leaf("x", (), kind) for kind in kinds] + [symgrad.leaf("x", (2,)), V, _Y]
    return [*atoms, *[x**2 for x in atoms], sympy.Dummy("x"), sympy.Wild("x"), "x", None]


def test_equality_is_an_equivalence_with_which_hashes_agree() -> None:
    found = _comparable()
    for x in found:
        equal = [y for y in found if x == y]
        assert any(y is x for y in equal)
        for y in found:
            assert (x == y) is (y == x) is not (x != y), (x, y)
            assert (y in {x}) == (x == y), (x, y)
        for y in equal:
            assert hash(x) == hash(y)
            assert [z for z in found if y == z] == equal, (x, y)


@pytest.mark.parametrize("number", [2, 0.5, sympy.Rational(1, 3), sympy.pi, -3.0], ids=str)
def test_formulas_without_leaves_equal_their_numbers(number: Any) -> None:
    for e in (symgrad.from_sympy(sympy.sympify(number)), symgrad.leaf("x").subs("x", number)):
        value = e.evaluate().item()
        same = [value, np.asarray(value)[()], e.to_sympy()]
        assert all((e == x) and (x == e) for x in same), e
        assert not any(e != x for x in same)
        others = [value + 1, np.asarray(value)[()] + 1, e.to_sympy() + 1, _X, "2", None]
        assert not any((e == x) or (x == e) for x in others), e
    assert number != V and number != LEAVES.x


def test_symbols_and_leaves_are_equal_either_way() -> None:
    x, symbol = LEAVES.x, _X
    assert x == symbol and symbol == x
    assert {x} == {symbol} and len({x, symbol}) == len({symbol, x}) == 1
    assert x != _Y and x != _Y and symgrad.leaf("v", (3,)) != sympy.Symbol("v", real=True)
    assert sympy.solve([x + LEAVES.y - 1, x - LEAVES.y], [x, LEAVES.y])[x] == sympy.Rational(1, 2)
    assert x in sympy.expand(x + LEAVES.y).free_symbols
    other = symgrad.from_sympy(sympy.Symbol("x") ** 2)
    assert other.coeff(x, 2) == 1 and other.limit(x, 3) == 9
    assert sympy.diff(other, x) == 2 * sympy.Symbol("x")


def test_names_and_directions_in_methods() -> None:
    x = LEAVES.x
    assert symgrad.sin(x).series("x", 0, 4) == sympy.series(sympy.sin(_X), _X, 0, 4)
    assert (3 * x**2 + x * LEAVES.y).coeff("x") is LEAVES.y
    assert float((1 / x).limit(x, 0, "-")) == -np.inf
    for call in (lambda: x.limit("x + 1", 0), lambda: sympy.diff(x, "x + 1")):
        with pytest.raises(ValueError, match="never parsed"):
            call()
    with pytest.raises(ValueError, match="one symbol stand for"):
        (x - LEAVES.y).to_sympy(symbols={"x": _Y})


def test_simplify_gives_a_formula_of_the_same_leaves() -> None:
    x = symgrad.leaf("x", (), symgrad.float32)
    one = (symgrad.sin(x) ** 2 + symgrad.cos(x) ** 2).simplify()
    assert one == 1 and one.dtype is symgrad.float32
    assert ((x**2 - 1) / (x - 1)).simplify().evaluate({"x": 1.0}) == 2
    assert (V + V).simplify() is V + V


_JOINED = [cls for cls in PRIMITIVES.values() if getattr(cls, "joined", None)]


@pytest.mark.parametrize("cls", _JOINED, ids=lambda cls: cls.__name__)
def test_nested_sums_and_products_cost_what_their_terms_do(cls: Any) -> None:
    """Beside an operation of its kind, nested to the left and to the right."""
    other = next(c for c in _JOINED if c.joined[0] is cls.joined[0] and c.arity == 2)

    def nested(n: int, turned: bool) -> ArrayExpr:
        e: ArrayExpr = symgrad.leaf("x0")
        for i in range(1, n):
            pair = [e, symgrad.leaf(f"x{i}")][:: -1 if turned else 1]
            e = cls.of(*pair) if cls.arity == 2 else cls.of(other.of(*pair))
        return e

    for turned in (False, True):
        few, many = nested(30, turned), nested(120, turned)
        assert steps(many.to_sympy) < 8 * steps(few.to_sympy)
        values = {x.name: 1 + i % 7 / 10 for i, x in enumerate(few.leaves)}
        plain = few.to_sympy()
        assert len(plain.args) >= 29
        found = plain.subs({x.symbol: values[x.name] for x in few.leaves})
        np.testing.assert_allclose(float(found), few.evaluate(values), rtol=1e-12)


def test_formulas_too_deep_for_sympy_are_refused_with_their_size() -> None:
    e = chain(3000)
    for form in ("scalar", "explicit"):
        with pytest.raises(ValueError, match=r"3\d\d\d.*(evaluate|lambdify)"):
            e.to_sympy(form)
    with pytest.raises(TypeError, match=r"3\d\d\d levels.*lambdify"):
        sympy.plot(e, (LEAVES.x, 0, 1), show=False)[0].get_points()
    assert sympy.Piecewise((e, True)) is e


def test_what_stands_for_no_value_is_refused_and_what_holds_a_formula_is_read() -> None:
    x = LEAVES.x
    for w in (sympy.Wild("w"), sympy.Wild("w") + 1):
        for call in (
            lambda w=w: x * w,
            lambda w=w: w - x,
            lambda w=w: symgrad.sin(x) ** w,
            lambda w=w: symgrad.from_sympy(w),
            lambda w=w: x.subs(x, w),
        ):
            with pytest.raises(TypeError, match=r"Wild.*to_sympy"):
                call()
    assert symgrad.from_sympy(sympy.UnevaluatedExpr(x) * 2) is symgrad.from_sympy(2 * _X)


_ASKED = [
    LEAVES.x * LEAVES.y + 1, LEAVES.x**2, LEAVES.sin(LEAVES.x) ** 2 + LEAVES.cos(LEAVES.x) ** 2,
    LEAVES.x - LEAVES.x, LEAVES.x * 0 + LEAVES.y, (LEAVES.x + 1) ** 2 - LEAVES.exp(LEAVES.y) / 3,
]  # fmt: skip
_CLASSES = [
    sympy.Add, sympy.Mul, sympy.Pow, sympy.Number, sympy.Rational, sympy.Atom,
    sympy.Function, sympy.core.relational.Relational,
]  # fmt: skip


@each("e", _ASKED)
def test_questions_are_answered_as_of_the_scalar_form(e: ArrayExpr) -> None:
    plain = e.to_sympy()
    for other in (e.expand(), LEAVES.x):
        assert e.equals(other) is plain.equals(other.to_sympy())
    for wrt in ((), (LEAVES.x,), ("y",)):
        symbols = [sympy.Symbol(str(x), real=True) for x in wrt]
        assert e.is_constant(*wrt) == plain.is_constant(*symbols)
    for query in (e.atoms, e.find):
        assert query(sympy.Symbol) == {*e.leaves}
    for cls in _CLASSES:
        assert {x.to_sympy() for x in e.atoms(cls)} == plain.atoms(cls), cls
        assert {x.to_sympy() for x in e.find(cls)} == plain.find(cls), cls
        assert e.count(cls) == plain.count(cls) and e.has(cls) == plain.has(cls), cls
        if cls in (sympy.Add, sympy.Mul, sympy.Pow):
            changed = e.replace(cls, lambda *parts: parts[0])
            assert changed.to_sympy() == plain.replace(cls, lambda *parts: parts[0])
    at = {_X: 2, _Y: 3}
    assert e.evalf(4) == plain.evalf(4) and e.n(30, {"x": 2, "y": 3}) == plain.subs(at).evalf(30)
    found = e.evalf(subs={LEAVES.x: 2, "y": 3})
    assert not found.leaves and found.to_sympy() == pytest.approx(float(plain.subs(at)))


#: Another value of each setting of SymPy's LaTeX by which formulas of numbers may be spelled.
_SPELLINGS: dict[str, Any] = {
    "full_prec": True, "fold_frac_powers": True, "fold_func_brackets": True,
    "fold_short_frac": True, "inv_trig_style": "full", "ln_notation": True, "long_frac_ratio": 1,
    "mul_symbol": "times", "order": "rev-lex", "symbol_names": {_X: "q"}, "root_notation": False,
    "imaginary_unit": "j", "decimal_separator": "comma", "parenthesize_super": False,
}  # fmt: skip


@each("name", list(_SPELLINGS))
def test_latex_is_spelled_as_asked_or_refused(name: str) -> None:
    asked = {name: _SPELLINGS[name]}
    for e in _ASKED:
        assert sympy.latex(e, **asked) == sympy.latex(e.to_sympy(), **asked)
        assert sympy.latex([e], **asked) == sympy.latex([e.to_sympy()], **asked)
    with pytest.raises(TypeError, match=rf"latex\(.*{name}.*to_sympy"):
        sympy.latex(V * 2, **asked)
    with pytest.raises(TypeError, match=r"has\(Add\).*to_sympy"):
        V.has(sympy.Add)


def test_what_is_not_decided_of_arrays_is_none() -> None:
    assert (V + V).equals(2 * V) is True and V.equals(V + 1) is False and V.equals(2) is False
    assert V.sum().is_constant() is False and V.is_constant(LEAVES.x) is True
    assert (V - V).is_constant() is None
    nested = LEAVES.x
    for _ in range(10):
        nested = (nested * LEAVES.y + 1).tanh()
    assert nested.is_constant() is nested.is_constant("y") is False
    assert nested.is_constant(LEAVES.z) is (nested - nested).is_constant() is True
    assert not symgrad.linalg.svd(M)[1].is_constant()
    u, w = symgrad.leaf("u", (2000,)), symgrad.leaf("w", (200, 200))
    assert u.equals(2 * u) is False and w.exp().equals(2 * w) is None
    assert (V * 2).evalf(subs={V: [1, 2, 3]}).evaluate().tolist() == [2, 4, 6]
    with pytest.raises(TypeError, match=r"evalf\(n=3\).*to_sympy"):
        V.evalf(3)


def test_arrays_in_the_functions_of_arrays() -> None:
    elements = (M @ M).to_sympy("explicit")
    assert sympy.tensorproduct(V, LEAVES.x * V) == sympy.tensorproduct(
        V.to_sympy("explicit"), (LEAVES.x * V).to_sympy("explicit")
    )
    assert sympy.tensorcontraction(M @ M, (0, 1)) == elements[0, 0] + elements[1, 1]
    assert [x.evaluate({"v": [7, 8, 9]}).tolist() for x in divmod(V, 2)] == [[3, 4, 4], [1, 0, 1]]
    assert not hasattr(V, "is_Add") and getattr(V * 2, "is_Mul", 5) == 5


def test_names_that_no_leaf_has_are_refused_with_the_way_out() -> None:
    x = LEAVES.x
    for name in ("lambda", "x'", "a b"):
        symbol = sympy.Symbol(name)
        for call in (lambda s=symbol: x * s, lambda s=symbol: symgrad.from_sympy(s + 1)):
            with pytest.raises(ValueError, match=r"identifier.*from_sympy\(formula, \{symbol"):
                call()
        assert symgrad.from_sympy(symbol * x.symbol, {symbol: x, x.symbol: x}) is x * x
