"""Values and source of expressions, and the tracing of functions."""

import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import symgrad
from symgrad.expr.atoms import ArrayConst, Const
from symgrad.expr.node import ArrayExpr
from symgrad.ops.primitive import Primitive
from tests.each import each, in_part

from .samples import VALUES, all_samples, expressions, with_derivatives

x, y = symgrad.leaf("x"), symgrad.leaf("y")
v = symgrad.leaf("v", (3,))


def run(source: str, name: str = "f") -> Any:
    names: dict[str, Any] = {}
    exec(source, names)
    return names[name]


@each("cls, sample", in_part(all_samples()))
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


def test_two_leaves_of_one_name_are_refused() -> None:
    e = x + symgrad.leaf("x", (3,))
    for f in (lambda: e.evaluate({"x": 1}), e.source):
        with pytest.raises(ValueError, match="two different leaves are named 'x'"):
            f()


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
