"""SymPy's services on expressions: same value, each node once, no string ever parsed."""

import copy
import inspect
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import sympy
from hypothesis import given, settings

import symgrad
from symgrad.expr.atoms import Const, Leaf
from symgrad.expr.graph import toposort
from symgrad.expr.node import ArrayExpr
from symgrad.ops.elementwise import Elementwise
from symgrad.ops.primitive import PRIMITIVES
from tests.each import each

from .samples import VALUES, chain, deep_or_wide, expressions, wide

x, y, a = symgrad.leaf("x"), symgrad.leaf("y"), symgrad.leaf("a")
v = symgrad.leaf("v", (3,))


@deep_or_wide
@each(
    "service, holds",
    [
        (lambda e: e.subs(x, y), lambda r: r.leaves == (y,)),
        (lambda e: e.subs({"x": y}), lambda r: r.leaves == (y,)),
        (lambda e: e.xreplace({x: y}), lambda r: r.leaves == (y,)),
        (lambda e: e.replace(symgrad.cos, symgrad.sin).leaves, lambda r: r == (x,)),
        (lambda e: e.has(y, sympy.Symbol("z")), lambda r: r is False),
        (lambda e: e.atoms(Leaf), lambda r: r == {x}),
        (lambda e: e.free_symbols, lambda r: r == {x}),
        (lambda e: sympy.simplify(e).shape, lambda r: r == ()),
        (lambda e: e.expand().shape, lambda r: r == ()),
        (lambda e: e.doit().shape, lambda r: r == ()),
        (lambda e: sympy.N(e).shape, lambda r: r == ()),
        (lambda e: e.count_ops(), lambda r: r in (60, 10_000, 100_000)),
        (lambda e: e.diff(x).leaves, lambda r: r == (x,)),
        (lambda e: e.evaluate({x: 0.5}), lambda r: np.isfinite(r)),
        (lambda e: e.source().count("\n"), lambda r: r > 60),
        (lambda e: pickle.loads(pickle.dumps(e)) is e, lambda r: r is True),
        (lambda e: copy.deepcopy(e) is copy.copy(e) is e, lambda r: r is True),
        (lambda e: sympy.sympify(e) is e, lambda r: r is True),
        (lambda e: (e.is_zero, e.is_real, e.is_positive, e.is_integer), lambda r: len(r) == 4),
        (lambda e: e == sympy.Symbol("x") or sympy.Symbol("x") == e, lambda r: r is False),
        (lambda e: len({e, x, sympy.Tuple(e), sympy.Tuple(e)}), lambda r: r == 3),
        (lambda e: sympy.FiniteSet(e) == sympy.FiniteSet(e), lambda r: r == True),  # noqa: E712
    ],
)
def test_deep_and_wide(
    make: Callable[[], ArrayExpr], service: Callable[[ArrayExpr], Any], holds: Callable[[Any], bool]
) -> None:
    assert holds(service(make()))


@pytest.mark.parametrize("make", [chain, wide])
@pytest.mark.parametrize("cse", [False, True])
def test_lambdify_deep_and_wide(make: Callable[..., ArrayExpr], cse: bool) -> None:
    # SymPy looks for implemented functions along every path, unless it is told that there are none.
    e = make(5000) if make is chain else make()
    f = sympy.lambdify([x], e, use_imps=False, docstring_limit=None, cse=cse)
    np.testing.assert_allclose(f(0.5), e.evaluate({x: 0.5}), rtol=1e-15)


@pytest.mark.parametrize("cse", [False, True])
@pytest.mark.parametrize("modules", [None, "numpy", "math", "scipy"])
def test_lambdify(modules: str | None, cse: bool) -> None:
    t = (v * x).tanh()
    e = (t * t.exp()).sum() + t
    f = sympy.lambdify([x, v], e, modules=modules, cse=cse)
    value = {x: 0.3, v: np.array([1.0, 2.0, -1.0])}
    np.testing.assert_allclose(f(*value.values()), e.evaluate(value), rtol=1e-15)
    first, rest = sympy.lambdify([x], [x.exp(), x.exp() + 1], modules=modules, cse=cse)(0.0)
    assert (first, rest) == (1, 2)


def test_lambdify_of_a_leaf_named_like_numpy() -> None:
    np_leaf = symgrad.leaf("np")
    assert sympy.lambdify([np_leaf], np_leaf.exp())(0.0) == 1


def test_lambdify_for_another_library_says_no() -> None:
    with pytest.raises(TypeError, match="NumPy"):
        sympy.lambdify([v], v.exp(), modules="mpmath")


def test_subs_forms() -> None:
    e = x * y + x
    assert e.subs(x, y) is y * y + y
    assert e.subs({x: y, y: x}) is y * x + y
    assert e.subs([(x, y), (y, a)]) is a * a + a
    assert e.subs([(x, y), (y, x)], simultaneous=True) is y * x + y
    assert e.subs(sympy.Symbol("x"), 2).evaluate({y: 3}) == 8
    assert e.subs("y", sympy.pi).evaluate({x: 1}) == 1 + np.pi
    assert e.subs(x * y, a) is a + x
    assert e.subs("nothing", 1) is e
    assert e.subs(a, 1) is e
    assert (v * x).subs(v, [1.0, 2.0, 3.0]).evaluate({x: 2}).tolist() == [2, 4, 6]
    assert (v * x).subs(v, 5).evaluate({x: 2}).tolist() == [10, 10, 10]
    renamed = (v * x).subs(v, sympy.Symbol("w"))
    assert renamed.leaves == (symgrad.leaf("w", (3,)), x)


@pytest.mark.parametrize("text", ["x + y", "__import__('os')", "", "1", "x."])
def test_subs_never_parses(text: str) -> None:
    with pytest.raises(ValueError, match="never parsed"):
        (x + y).subs(text, 1)
    with pytest.raises(TypeError, match="never parsed"):
        (x + y).subs(x, text)
    with pytest.raises(ValueError, match="never parsed"):
        (x + y).has(text)


def test_subs_names_what_does_not_fit() -> None:
    with pytest.raises(ValueError, match=r"'v' has shape \(3,\)"):
        v.exp().subs(v, np.zeros(2))
    with pytest.raises(ValueError, match=r"'v' has shape \(3,\)"):
        v.exp().subs(v, symgrad.leaf("w", (4,)))
    with pytest.raises(TypeError, match="'x' is float64"):
        x.exp().subs(x, 1j)
    with pytest.raises(TypeError, match="'x' is float64"):
        x.exp().subs(x, symgrad.leaf("h", (), symgrad.float32))
    for bad in ((), (1, 2, 3), ([(1, 2, 3)],)):
        with pytest.raises(ValueError, match="subs"):
            x.subs(*bad)


def test_replace_forms() -> None:
    e = x.exp() + y.exp()
    want = x.sin() + y.sin()
    assert e.replace(symgrad.exp, symgrad.sin) is want
    assert e.replace(type(x.exp()), type(x.sin())) is want
    assert e.replace(sympy.exp, lambda z: z.sin()) is want
    assert e.replace(lambda z: isinstance(z, type(x.exp())), lambda z: z.operands[0].sin()) is want
    assert e.replace(x.exp(), x.sin()) is x.sin() + y.exp()
    again, changed = e.replace(symgrad.exp, symgrad.sin, map=True)
    assert again is want and changed == {x.exp(): x.sin(), y.exp(): y.sin()}
    with pytest.raises(TypeError, match="Wild"):
        e.replace(sympy.Wild("w"), 1)


def test_questions() -> None:
    e = x.exp() * 2 + v.sum()
    assert e.has(x) and e.has(sympy.exp) and e.has(symgrad.exp) and e.has("v") and e.has(x.exp())
    assert not e.has(y) and not e.has(sympy.sin) and not e.has(symgrad.sin, "w")
    assert e.atoms() == {x, v, Const(2)}
    assert e.atoms(Leaf) == {x, v} == e.free_symbols
    assert e.leaves == (x, v)
    assert e.atoms(sympy.exp) == {x.exp()}
    assert e.count_ops() == 4
    assert Const(2).is_constant() and not x.is_constant() and x.is_constant(y)


def test_expand() -> None:
    e = ((x + y) * (x - y) ** 2).expand()
    assert e.evaluate({x: 3, y: 2}) == 5
    assert not any(str(p).startswith("(") for p in e.atoms(type(x * y)))
    assert (x * (y + 1)).expand() is x * y + x
    assert v.exp().expand(2, 3).shape == (2, 3)
    product = sympy.Integer(1) * x
    for i in range(30):
        product = product * (symgrad.leaf(f"p{i}") + 1)
    assert product.expand().count_ops() < 100_000


@given(expressions())
@settings(max_examples=100)
def test_rewriting_keeps_the_value(e: ArrayExpr) -> None:
    values = {k: VALUES[k.name] for k in e.leaves}
    want = e.evaluate(values)
    if not np.isfinite(want).all():
        return
    for again in (e.simplify(), e.doit(), e.evalf()):
        got = again.evaluate({k: VALUES[k.name] for k in again.leaves})
        np.testing.assert_allclose(got, want, rtol=1e-9)
    expanded = e.expand()
    assert (expanded.shape, expanded.dtype) == (e.shape, e.dtype)


def test_a_symbol_that_sympy_leaves_behind_is_none_of_the_formula() -> None:
    t = -3 / symgrad.tanh(x * x + x)
    e = symgrad.tanh(t * t + t)
    assert sympy.simplify(e.to_sympy()).free_symbols != {x.symbol}
    assert e.simplify().evaluate({x: 0.5}) == e.evaluate({x: 0.5})


def test_derivatives_as_sympy_writes_them() -> None:
    e = x**3 * y
    assert e.diff(x).evaluate({x: 2, y: 5}) == 60
    assert sympy.diff(e, x, 2) == 6 * x.symbol * y.symbol
    assert e.diff((x, 2), y).evaluate({x: 2}) == 12
    assert e.diff("x").evaluate({x: 2, y: 5}) == 60
    assert (v * x).diff(x).evaluate({v: [1, 2, 3]}).tolist() == [1, 2, 3]
    assert (v * v).sum().diff(v).evaluate({v: [1, 2, 3]}).tolist() == [2, 4, 6]
    assert (x.exp()).diff(a).evaluate({}) == 0
    with pytest.raises(ValueError, match="say which"):
        e.diff()


@each("steps", [((),), (("x",),), (("x", 1, 2),), (("x", -1),), (("x", 0.5),), ("x", -1), (1, "x")])
def test_orders_that_are_none_are_refused_by_diff(steps: tuple[Any, ...]) -> None:
    with pytest.raises(ValueError, match=r"diff\(\): (a pair|an order)"):
        (symgrad.leaf("x") ** 3).diff(*steps)


def test_mixing_with_sympy() -> None:
    symbol = sympy.Symbol("a")
    for e in (symbol * x, x * symbol, symbol + x, x - symbol, sympy.Rational(1, 2) * x):
        assert isinstance(e, ArrayExpr)
    assert (symbol * x).evaluate({"a": 2, x: 3}) == 6
    assert sympy.sqrt(x) == sympy.sqrt(x.symbol) and sympy.Pow(x, 2) == x.symbol**2
    assert isinstance(np.float64(2) * x, ArrayExpr)
    assert (np.array([1.0, 2.0]) * x).shape == (2,)
    for refused in (sympy.Add, sympy.Mul):
        with pytest.raises(TypeError, match="Python's operators"):
            refused(v * 2, sympy.Symbol("b"), 3)
        assert refused(x * 2, symbol) == refused(2 * x.symbol, symbol)
    assert list(sympy.preorder_traversal(2 * x)) == [2 * x, Const(2), x]


def test_iteration_is_over_the_first_axis() -> None:
    rows = list(symgrad.leaf("m", (2, 3)))
    assert [r.shape for r in rows] == [(3,), (3,)]
    with pytest.raises(TypeError, match="0-d"):
        iter(x)


def test_classes_assume_what_sympy_prepares() -> None:
    """SymPy is spared to look through each class of operations, which takes half of their time."""
    for cls in PRIMITIVES.values():
        own: Any = cls
        prepared: Any = type(cls.__name__, (cls,), {"_eval_is_nothing": None}, abstract=True)
        assert "default_assumptions" in vars(prepared)
        assert prepared.default_assumptions == own.default_assumptions, cls
        assert prepared._explicit_class_assumptions == own._explicit_class_assumptions, cls
        assert prepared._prop_handler == own._prop_handler, cls


@pytest.mark.parametrize("formula", [v, v.detach(), 2 * v, symgrad.sort(v)[0]])
def test_what_formulas_lack_is_said_of_a_formula(formula: ArrayExpr) -> None:
    """No message names the class of the node, which no user knows."""
    lacking = [name for name in dir(symgrad.Tensor) if name not in dir(formula)]
    assert {"numpy", "grad_fn", "backward"} <= {*lacking}
    for name in (*lacking, "nothing"):
        with pytest.raises(AttributeError, match=f"^a formula has no '{name}'"):
            getattr(formula, name)


def test_errors_of_python_name_the_members_of_formulas_and_tensors() -> None:
    """A call of too many arguments is an error of Python's, which has the name of the function."""
    for cls in (ArrayExpr, symgrad.Tensor):
        for name in dir(cls):
            f = inspect.getattr_static(cls, name)
            if inspect.isfunction(f) and (name.startswith("__") or not name.startswith("_")):
                assert "<" not in f.__qualname__, (cls, name)
    with pytest.raises(TypeError, match="__pow__"):
        pow(symgrad.leaf("x"), 2, 3)


@given(expressions())
@settings(max_examples=25)
def test_operations_of_numbers_alone_are_computed(e: ArrayExpr) -> None:
    number = float(VALUES["x"])
    found = e.subs(x, number)
    others = {leaf: VALUES[leaf.name] for leaf in e.leaves if leaf is not x}
    wanted = e.evaluate({**others, x: number})
    kept = {leaf: VALUES[leaf.name] for leaf in found.leaves}
    np.testing.assert_array_equal(found.evaluate(kept), wanted)
    for node in toposort([found]):
        if isinstance(node, Elementwise) and all(isinstance(k, Const) for k in node.operands):
            is_exact = all(isinstance(k.value, int) for k in node.operands)
            assert is_exact or not np.isfinite(node.evaluate())


def test_a_number_that_is_computed_keeps_its_sign_its_dtype_and_its_text() -> None:
    n = symgrad.leaf("n", (), symgrad.int64)
    for e, values, text in (
        (x * y + 1, {x * y: 3}, "4"), (x / 3, {x: 6}, "2"), (x / 4, {x: 1}, "1 / 4"),
        (x.tanh(), {x: 20}, "tanh(array(20.0))"),
        (x.exp(), {x: 3}, "exp(array(3.0))"), (x.exp() * 1.5, {x: 0}, "1.5"),
        (-x, {x: 0.0}, "-0.0"), (1 / x, {x: 0}, "1 / array(0.0)"), (x > 0, {x: 1}, "True"),
        (x * 1j, {x: 2}, "2j"),
        (sympy.pi * x + y, {x: 2}, "pi * 2 + y"), (n // 2 + y, {n: 7}, "3 + y"),
        ((v + x * 2).sin(), {x: 1}, "sin(v + 2)"), (x + 0.5, {x: 1.5}, "2.0"),
    ):  # fmt: skip
        found = e.subs(values)
        assert str(found) == text and found.dtype is e.dtype, found


def test_sums_of_real_and_complex_terms_are_multiplied_out() -> None:
    e = (x + sympy.I) * (x - 2j * y)
    found = e.expand()
    assert str(found) == "x * x - x * (2j * y) + 1j * x - 1j * (2j * y)" and found.dtype is e.dtype
    assert found.evaluate({x: 0.5, y: 2.0}) == e.evaluate({x: 0.5, y: 2.0})


@pytest.mark.parametrize("wrong", [None, 0, 1.5, object(), int])
def test_what_is_no_mapping_or_sequence_is_refused_in_words(wrong: Any) -> None:
    x, vector = symgrad.leaf("x"), symgrad.leaf("vector", (3,))
    with pytest.raises(TypeError, match=r"xreplace\(\) takes a mapping"):
        (x + 1).xreplace(wrong)
    element = sympy.IndexedBase("vector")[sympy.Idx("i", 3)]
    if wrong is not None:  # the default
        with pytest.raises(TypeError, match="inputs= takes a sequence"):
            (x + 1).lambdify(wrong)
        with pytest.raises(ValueError, match="indices= are indices of the formula"):
            symgrad.from_sympy(element, {"vector": vector}, indices=wrong)
