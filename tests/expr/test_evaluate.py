"""Values and source of expressions, and the tracing of functions."""

import copy
import math
import operator
import pickle
import subprocess
import sys
import weakref
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import sympy
from hypothesis import given, settings

import symgrad
from symgrad.expr.atoms import ArrayConst, Const
from symgrad.expr.graph import toposort
from symgrad.expr.node import ArrayExpr
from symgrad.lower import executable
from symgrad.ops.primitive import Primitive
from tests.each import each, in_part

from .samples import VALUES, all_samples, expressions, with_derivatives

x, y = symgrad.leaf("x"), symgrad.leaf("y")
v = symgrad.leaf("v", (3,))
v0 = sympy.Symbol("v0")


def run(source: str, name: str = "f") -> Any:
    names: dict[str, Any] = {}
    exec(source, names)
    return names[name]


@each("cls, sample", in_part(all_samples(), among=4))
def test_source_computes_the_value(cls: type[Primitive], sample: tuple[Any, ...]) -> None:
    for e, known in with_derivatives(cls, sample):
        values = {x.name: known[x.name] for x in e.leaves}
        with np.errstate(all="ignore"):
            got = run(e.source())(**values)
        want = e.evaluate(values)
        np.testing.assert_array_equal(got, want)
        assert np.asarray(got).dtype == want.dtype == e.dtype.numpy
        assert want.shape == e.shape


@given(expressions())
@settings(max_examples=100)
def test_random_source_computes_the_value(e: ArrayExpr) -> None:
    values = {x.name: VALUES[x.name] for x in e.leaves}
    with np.errstate(all="ignore"):
        got = run(e.source("g"), "g")(**values)
    np.testing.assert_array_equal(got, e.evaluate(values))


def test_values_are_given_in_many_ways() -> None:
    e = v * x + 1
    assert e.evaluate({v: [1, 2, 3], "x": 2}).tolist() == [3, 5, 7]
    assert e.evaluate({"v": np.float32([1, 2, 3]), x: np.int8(2)}).dtype == np.float64
    assert e.evaluate({v: symgrad.tensor([1.0, 2.0, 3.0], requires_grad=True), x: 2}).tolist() == [
        3, 5, 7,
    ]  # fmt: skip
    assert (x * 0 + 2).evaluate({x: 1, y: 3, v: [0, 0, 0]}) == 2
    assert Const(2).evaluate() == 2 and Const(2).evaluate({}).shape == ()


def test_bad_values_name_the_leaf() -> None:
    e = v * x
    for values, message in (
        ({x: 1}, "no value for 'v'; the expression has the leaves 'v', 'x'"),
        ({x: 1, "w": 1}, "no leaf 'w'; the expression has the leaves 'v', 'x'"),
        ({x: 1, v: [1, 2]}, r"'v' has shape \(3,\), but its value has shape \(2,\)"),
        ({x: [[1], [2, 3]], v: [1, 2, 3]}, "'x' is no array"),
        ({x: 1, "x": 2, v: [1, 2, 3]}, "'x' is given twice"),
    ):
        with pytest.raises(ValueError, match=message):
            e.evaluate(values)
    for values, message in (
        ({x: 1j, v: [1, 2, 3]}, "'x' is float64"),
        ({x: "1", v: [1, 2, 3]}, "'x' holds"),
        ({x: None, v: [1, 2, 3]}, "'x' holds"),
        ({1: 1}, "not for 1"),
        ([1], "mapping"),
    ):
        with pytest.raises(TypeError, match=message):
            e.evaluate(values)
    with pytest.raises(TypeError, match="'n' is int64"):
        (symgrad.leaf("n", (), symgrad.int64) + 1).evaluate({"n": 1.5})


#: Numbers of other libraries, with those of Python's that they are.
NUMBERS: dict[Any, Any] = {
    sympy.Integer(3): 3, sympy.Rational(1, 3): 1 / 3, sympy.Float("0.1", 50): 0.1,
    sympy.pi: math.pi, sympy.E: math.e, sympy.oo: math.inf, sympy.sqrt(2): math.sqrt(2),
    sympy.cos(1) ** 2 + sympy.sin(1) ** 2: 1.0, sympy.Integral(v0, (v0, 0, 1)): 0.5,
    sympy.I: 1j, 1 + sympy.sqrt(-2): complex(1, math.sqrt(2)), Fraction(1, 3): 1 / 3,
    Decimal("0.1"): 0.1, 10**30: 1e30, sympy.true: True, Const(2) * 3: 6.0,
}  # fmt: skip


@pytest.mark.parametrize("number", NUMBERS, ids=str)
def test_numbers_of_other_libraries_are_values(number: Any) -> None:
    want = NUMBERS[number]
    z = symgrad.leaf("z", (), symgrad.complex128)
    assert z.evaluate({z: number}) == z.lambdify()(number) == want
    if not isinstance(number, ArrayExpr):
        assert z.evaluate({z: [[1, number]]}).tolist() == [[1, want]]
    if want != complex(want).real:
        with pytest.raises(TypeError, match="'x' is float64, but its value is complex128"):
            x.evaluate({x: number})


@pytest.mark.parametrize(
    ("value", "what"),
    [(y, "the leaf 'y'"), (y + 1, "a formula"), ([y, 1], "a formula"), (v0, "the symbol 'v0'"),
     ([v0 + 1], "a formula")],
)  # fmt: skip
def test_a_formula_is_no_value(value: Any, what: str) -> None:
    for call in (lambda: x.evaluate({x: value}), lambda: x.lambdify()(value)):
        with pytest.raises(TypeError, match=rf"'x' is {what}, not numbers: .*e\.subs\('x', "):
            call()


#: What asks an object for its number; `index` for an integer.
ASKED: dict[str, Any] = {
    **{f.__name__: f for f in (float, int, complex, bool, round, math.trunc, math.floor)},
    "ceil": math.ceil, "digits": lambda x: round(x, 1), "format": lambda x: f"{x:.2f}",
    "index": lambda x: range(10)[x], "range": lambda x: list(range(x)), "list": lambda x: [1] * x,
}  # fmt: skip


@pytest.mark.parametrize("call", ASKED.values(), ids=list(ASKED))
def test_a_formula_without_leaves_is_a_number_where_python_asks_for_one(call: Any) -> None:
    n = symgrad.leaf("n", (), symgrad.int64)
    assert call((n + 1).subs(n, 2)) == call(3)
    if call not in [ASKED[name] for name in ("index", "range", "list")]:
        assert call((x * 2).subs(x, 1.27)) == call(2.54)
    for e, names in ((x, "'x': ..."), (x * y, "'x': ..., 'y': ..."), (v, "'v': ...")):
        with pytest.raises(TypeError, match=rf"asks for the value .*e\.evaluate\(\{{{names}\}}\)"):
            call(e)
    with pytest.raises(TypeError, match="is not known while its function is traced"):
        symgrad.symbolic_trace(lambda x: call(x), x=())


A, b, scale = symgrad.leaf("A", (4, 3)), symgrad.leaf("b", (4,)), symgrad.leaf("scale")
DATA = {"A": np.arange(12.0).reshape(4, 3), "b": np.ones(4), "v": np.ones(3), "scale": 2.0}


def test_a_derivative_knows_the_names_of_its_source() -> None:
    loss = ((A @ v - b) ** 2).sum() * scale
    hessian = symgrad.derive(loss, "v", order=2)
    assert b not in hessian.leaves and v not in hessian.leaves
    want = 4 * DATA["A"].T @ DATA["A"]
    step = symgrad.derive(symgrad.derive(loss, v), v)
    assert step is hessian
    for e, value in (
        (hessian, want),
        (hessian / 2, want / 2),
        (hessian.diagonal().sum(), want.trace()),
        (loss.diff(v, 2), want),
        (symgrad.explain(symgrad.derive(loss, v)[0]).gradients["v"], None),
        (symgrad.explain(loss.diff(v) @ v).gradients["scale"], None),
        (symgrad.derive(hessian, v), np.zeros((3, 3, 3))),
        (symgrad.derive(scale * (b.sum() + A.sum()), v), np.zeros(3)),
    ):
        extra = {"gradient": 1.0} if "gradient" in [x.name for x in e.leaves] else {}
        found = e.evaluate({**DATA, **extra})
        assert found.tolist() == e.evaluate({x: DATA[x.name] for x in e.leaves}).tolist()
        if value is not None:
            np.testing.assert_allclose(found, value)
        with pytest.raises(ValueError, match="there is no leaf 'typo'; the expression has the"):
            e.evaluate({**DATA, **extra, "typo": 1})
    f = hessian.lambdify(["b", "A", "v", "scale"])
    np.testing.assert_allclose(f(*[DATA[name] for name in ("b", "A", "v", "scale")]), want)
    assert "def f(v, b, A, scale):" in hessian.source("f", ["v", "b", "A", "scale"])


@pytest.mark.parametrize("carry", [copy.copy, copy.deepcopy, pickle, operator.pos])
def test_what_a_derivative_knows_goes_with_it(carry: Any) -> None:
    """Of an operation, an array, a number and a leaf, also where the formula itself is gone."""
    g, h = symgrad.leaf("g_"), symgrad.leaf("h_")
    loss = ((A @ v - b) ** 2).sum() * scale
    number = symgrad.derive((g - h) ** 2, g, order=2)
    given = {"g_": 1.0, "h_": 3.0}
    for e, values in (
        (symgrad.derive(loss, "v", order=2), DATA),
        (symgrad.derive(loss, "v", order=2) / 2, DATA),
        (symgrad.derive(g * np.arange(3.0) + h, g), given),
        (number, given),
        (-number, given),
        (2 * number + 1, given),
        (symgrad.derive(g * h, g), given),
    ):
        want = e.evaluate(values)
        if carry is pickle:
            data = [pickle.dumps(e, protocol) for protocol in (0, pickle.HIGHEST_PROTOCOL)]
            known = {x: x.sources for x in toposort([e])}
            for text in data:
                for x in known:
                    x.sources = None
                again = pickle.loads(text)
                np.testing.assert_array_equal(again.evaluate(values), want)
            for x, sources in known.items():
                x.sources = sources
        else:
            again = carry(e)
        assert again is e
        np.testing.assert_array_equal(again.evaluate(values), want)
        with pytest.raises(ValueError, match="there is no leaf 'typo'"):
            again.evaluate({**values, "typo": 1})
    # A number that stands in a formula by chance takes nothing along.
    assert b"h_" not in pickle.dumps(number * symgrad.leaf("x"))


def test_a_formula_knows_no_names_of_other_formulas() -> None:
    p, q, r = (symgrad.leaf(name) for name in ("p_", "q_", "r_"))
    for other in (p * q, symgrad.derive(p**3 * q, p), symgrad.derive(p, q) + p * q):
        assert symgrad.derive(p * p * q * r, [p, q, r])
        with pytest.raises(ValueError, match="there is no leaf 'r_'"):
            other.evaluate({"p_": 1, "q_": 1, "r_": 1})
    # The constant 2, by itself, is a derivative of many formulas; as a part, it is a number.
    two = symgrad.derive((p - q) ** 2, p, order=2)
    assert two.evaluate({"p_": 1, "q_": 1}) == 2
    with pytest.raises(ValueError, match="there is no leaf 'q_'"):
        (two * r).evaluate({"q_": 1, "r_": 1})


def test_leaves_of_one_name_in_several_sources() -> None:
    def twice(shape: Any) -> Any:
        w = symgrad.leaf("w_", shape)
        return symgrad.derive((x - w.sum()) ** 2, x, order=2)

    e = twice((2,))
    assert twice((3,)) is e
    assert e.evaluate({"w_": [1, 2], "x": 1}) == e.evaluate({"w_": [1, 2, 3], "x": 1}) == 2
    with pytest.raises(ValueError, match="from formulas with different leaves 'w_': give the leaf"):
        e.lambdify(["w_", "x"])
    assert e.lambdify([symgrad.leaf("w_", (2,)), "x"])([1, 2], 3) == 2


def test_what_derivatives_know_is_bounded_and_keeps_no_leaf() -> None:
    for i in range(2_000):
        one = symgrad.derive(x + symgrad.leaf(f"w{i}"), x)
    assert one.evaluate({"w1999": 1, "x": 1}) == 1
    assert len(one.sources) < 1_000
    for made in (lambda k: k * x, lambda k: (k + 0 * x).sin()):
        kept = symgrad.leaf("kept_alive", (7,))
        gone = weakref.ref(kept)
        found = symgrad.derive(made(kept), x)
        assert found.shape == (7,)
        del kept, found
        assert gone() is None


def test_two_leaves_of_one_name_are_refused() -> None:
    other = symgrad.leaf("x", (3,))
    e = x * other
    explained = symgrad.explain(e.sum())
    for f in (
        lambda: e.evaluate({"x": 1}),
        lambda: e.evaluate({x: 1, other: [1, 2, 3]}),
        e.source,
        lambda: e.source(inputs=[x, other]),
        e.lambdify,
        e.to_sympy,
        explained.source,
    ):
        with pytest.raises(ValueError, match="two different leaves are named 'x'"):
            f()
    with pytest.raises(ValueError, match="several leaves are named 'x'; the expression has 'x' of"):
        symgrad.derive(e, "x")
    with pytest.raises(ValueError, match="two leaves are named x; pass the leaf itself"):
        e.diff("x")
    with pytest.raises(KeyError, match="several leaves are named 'x': give the leaf itself"):
        explained.gradients["x"]
    assert explained.gradients[x].shape == () and explained.gradients[other].shape == (3,)


def test_the_value_is_a_new_array() -> None:
    given_value = np.ones(3)
    for e in (v, v.reshape(3, 1), v.broadcast_to((2, 3)), ArrayConst(np.ones(3)).reshape(3, 1)):
        got = e.evaluate({v: given_value})
        got[...] = 7
        assert given_value.tolist() == [1, 1, 1]
    assert ArrayConst(np.ones(3)).evaluate().flags.writeable


def test_no_warnings() -> None:
    with np.errstate(all="raise"):
        assert np.isinf((1 / x).evaluate({x: 0.0}))


@pytest.mark.parametrize("name", ["np", "complex", "abs", "sum", "f_", "t1", "print", "_f"])
def test_source_keeps_the_names_of_leaves(name: str) -> None:
    e = symgrad.leaf(name, (3,)).exp().sum() * x.sin()
    f = run(e.source())
    given_values = {name: np.ones(3), "x": 0.5}
    assert f(**given_values) == f(*given_values.values()) == e.evaluate(given_values)


def test_source_checks_its_name() -> None:
    for bad in ("1f", "a b", "def", "f(x)", "", None, "f\n"):
        with pytest.raises(ValueError, match="identifier"):
            x.exp().source(bad)


def test_source_is_the_same_in_every_process() -> None:
    program = (
        "import symgrad; x, v = symgrad.leaf('x'), symgrad.leaf('v', (3,)); "
        "t = (x * v).tanh(); print(((t * t.exp()).sum() / (t + 1)).source())"
    )
    texts = {
        subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True, check=True, text=True,
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": "."},
        ).stdout
        for seed in ("0", "1")
    }  # fmt: skip
    assert len(texts) == 1 and "def f(v, x):" in texts.pop()


def test_tracing() -> None:
    def f(x: Any, v: Any, scale: float = 2.0, *, p: Any = None) -> Any:
        assert p is None
        return (x * v).sum() * scale

    e = symgrad.symbolic_trace(f, v=(3,))
    assert e.leaves == (x, v)
    assert e.evaluate({"x": 2, "v": [1, 2, 3]}) == 24
    assert symgrad.symbolic_trace(f, v=3).leaves == (x, v)
    assert symgrad.symbolic_trace(f, v=[3], scale=()).leaves == (x, v, symgrad.leaf("scale"))
    single = symgrad.symbolic_trace(f, v=((3,), symgrad.float32), x=symgrad.float32)
    assert single.dtype is symgrad.float32
    assert symgrad.symbolic_trace(f, v=v, x=y.exp()).leaves == (y, v)
    assert symgrad.symbolic_trace(lambda f, self: f + self, f=(2,)).shape == (2,)


def test_tracing_keeps_the_structure() -> None:
    first, rest = symgrad.symbolic_trace(lambda x: (x.exp(), {"a": [x, 2]}))
    assert first is x.exp() and rest == {"a": [x, Const(2)]}


def test_tracing_refuses() -> None:
    with pytest.raises(TypeError, match="no parameter 'z'; its parameters are: x"):
        symgrad.symbolic_trace(lambda x: x, z=(3,))
    with pytest.raises(TypeError, match=r"takes \*xs"):
        symgrad.symbolic_trace(lambda *xs: xs)
    with pytest.raises(TypeError, match=r"takes \*\*xs"):
        symgrad.symbolic_trace(lambda **xs: xs)
    with pytest.raises(TypeError, match=r"symgrad\.where"):
        symgrad.symbolic_trace(lambda x: x if x > 0 else -x)
    with pytest.raises(TypeError, match="returned NoneType"):
        symgrad.symbolic_trace(lambda x: None)
    with pytest.raises(TypeError, match="takes a shape"):
        symgrad.symbolic_trace(lambda x: x, x="3")
    with pytest.raises(TypeError, match="takes a Python function, got int"):
        symgrad.symbolic_trace(3)
    for made in (x.exp(), symgrad.tensor(1.0)):
        with pytest.raises(TypeError, match=r"which has a formula: \.expr is it, and derive\(\)"):
            symgrad.symbolic_trace(made)


@each("kind", [symgrad.int8, symgrad.uint8, symgrad.int16, symgrad.int64])
@each("number", [5, 300, -300, 2**40, 2**63])
def test_integers_wrap_around_as_they_do_for_tensors(kind: Any, number: int) -> None:
    i = symgrad.leaf("i", (2,), kind)
    values = np.array([1, 2], kind.numpy)
    for f in (lambda x: x + number, lambda x: number - x, lambda x: x + number * x):
        got = f(i).evaluate({"i": values})
        wanted = f(symgrad.tensor(values)).numpy()
        assert got.dtype == wanted.dtype
        assert got.tolist() == wanted.tolist()
    assert (i + 300).evaluate({"i": values})[0] == np.array(301).astype(kind.numpy)


def test_a_formula_is_lowered_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever its values are, and however its leaves are named."""
    x, y = symgrad.leaf("x"), symgrad.leaf("y", (2,))
    e = (x * y.exp()).sum() + 0.375
    lowered = []

    def lower(*args: Any, call: Any = executable.lower) -> Any:
        lowered.append(args)
        return call(*args)

    monkeypatch.setattr(executable, "lower", lower)
    for a in (0.5, 2, np.float32(3), sympy.Rational(1, 4)):
        found = e.evaluate({x: a, "y": [0.0, 1.0]})
        np.testing.assert_allclose(found, float(a) * (1 + math.e) + 0.375, rtol=1e-15)
        assert np.array_equal(found, e.evaluate({"x": a, y: np.array([0, 1])}))
    assert len(lowered) == 1
