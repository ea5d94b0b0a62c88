"""Printed text gives the formula back; LaTeX is balanced; both stay small and harmless."""

import re
from typing import Any

import numpy as np
import pytest
import sympy
from hypothesis import given, settings

import symgrad
from symgrad.expr.node import ArrayConst, ArrayExpr, Const, Leaf, as_expr
from symgrad.primitive import PRIMITIVES, Primitive

from .samples import VALUES, all_samples, chain, expressions, node_of, wide

# Names of parameters that PyTorch has and NumPy has otherwise.
_OWN = {"dim": "axis", "keepdim": "keepdims"}


def read(text: str, leaves: Any, arrays: Any = ()) -> Any:
    """Evaluate printed text in the names that it uses."""

    def callable_of(name: str, cls: type[Primitive]) -> Any:
        function = symgrad.FUNCTIONS.get(name)

        def call(*args: Any, **kwargs: Any) -> Any:
            # All of its own parameters by name: the operation itself. So are parameters that the
            # public function does not take, since only derivatives use them.
            if cls.params and set(cls.params) == set(kwargs):
                return cls(*args, *kwargs.values())
            try:
                return (function or cls)(*args, **kwargs)
            except TypeError:
                own = {_OWN[k] if _OWN.get(k) in cls.params else k: v for k, v in kwargs.items()}
                return cls(*args, *[own.get(p, False) for p in cls.params])

        return call

    names: dict[str, Any] = {**symgrad.FUNCTIONS, "torch": symgrad, "pi": sympy.pi}
    names |= {name: callable_of(name, cls) for name, cls in PRIMITIVES.items()}
    # An equation that einsum() does not know, as it repeats letters of the result.
    names["contract"] = lambda equation, *xs: PRIMITIVES["contract"](*xs, equation, "")
    # Numbers are printed as Python's own, as `complex(1.0, nan)` is.
    names |= {
        "complex": complex,
        "inf": np.inf,
        "nan": np.nan,
        "array": np.array,
        "zeros": np.zeros,
    }
    names |= {x.name: x for x in leaves} | dict(arrays)
    *definitions, result = text.split("\n")
    for line in definitions:
        exec(line, names)
    return as_expr(eval(result, names))


@pytest.mark.parametrize(("cls", "sample"), all_samples())
def test_text_gives_the_value_back(cls: type[Primitive], sample: tuple[Any, ...]) -> None:
    e, values = node_of(cls, sample)
    # A mask as a subscript decides a shape, so that it is read as the values that it has.
    boolean = [x.name for x in e.leaves if x.dtype is symgrad.bool_]
    masks = {name: values[name] for name in boolean if "[" in str(e)}
    again = read(str(e), e.leaves, masks)
    want, got = e.evaluate(values), again.evaluate({x.name: values[x.name] for x in again.leaves})
    assert got.shape == want.shape
    np.testing.assert_allclose(got, want, rtol=1e-12, atol=0)


@pytest.mark.parametrize(("cls", "sample"), all_samples())
def test_latex_is_balanced(cls: type[Primitive], sample: tuple[Any, ...]) -> None:
    e, _ = node_of(cls, sample)
    tex = sympy.latex(e)
    bare = tex.replace(r"\{", "").replace(r"\}", "")
    assert bare.count("{") == bare.count("}")
    assert tex.count(r"\left") == len(re.findall(r"\\right(?![a-z])", tex))
    shown = [x for x in e.leaves if x.name in str(e)]  # addmm with beta=0 shows no first operand
    assert shown and all(sympy.latex(x) in tex for x in shown)


@given(expressions())
@settings(max_examples=150, deadline=None)
def test_random_text_gives_the_value_back(e: ArrayExpr) -> None:
    again = read(str(e), e.leaves)
    given_values = {x.name: VALUES[x.name] for x in e.leaves}
    kept = {x.name: VALUES[x.name] for x in again.leaves}
    np.testing.assert_allclose(again.evaluate(kept), e.evaluate(given_values), rtol=1e-9)


def test_forms() -> None:
    x, y = symgrad.leaf("x"), symgrad.leaf("y")
    assert str(x - (y - 1)) == "x - (y - 1)"
    assert str((x - y) - 1) == "x - y - 1"
    assert str((-x) ** 2) == "(-x)**2"
    assert str(x ** (y + 1)) == "x**(y + 1)"
    assert str(x / (y * 2)) == "x / (y * 2)"
    assert str(x * (y > 0)) == "x * (y > 0)"
    assert str(sympy.Rational(1, 3) * x) == "1/3 * x"
    assert str(sympy.pi * x) == "pi * x"
    assert str(x + np.array([1.0, 2.5])) == "x + array([1.0, 2.5])"
    assert sympy.sstr(x + y) == sympy.pretty(x + y) == repr(x + y) == "x + y"


def test_shared_parts_are_written_once() -> None:
    x = symgrad.leaf("x")
    t = x.exp()
    assert str(t / (1 + t)) == "t1 = exp(x)\nt1 / (1 + t1)"
    # What is tiny is repeated instead.
    assert str((2 * x).exp() + 2 * x) == "exp(2 * x) + 2 * x"


def test_definitions_avoid_the_names_of_leaves() -> None:
    t1, t3 = symgrad.leaf("t1"), symgrad.leaf("t3")
    a = t1.exp()
    b = (a * a * t3).exp()
    assert str(b * b) == "t2 = exp(t1)\nt4 = exp(t2 * t2 * t3)\nt4 * t4"
    assert "t_{1} &=" not in sympy.latex(b * b)


def test_latex_forms() -> None:
    x = symgrad.leaf("x_1")
    assert sympy.latex(symgrad.leaf("alpha")) == r"\alpha"
    assert sympy.latex((x + 1) / (x - 2)) == r"\frac{x_{1} + 1}{x_{1} - 2}"
    assert sympy.latex((x / 2) ** 2) == r"\left(\frac{x_{1}}{2}\right)^{2}"
    assert sympy.latex(sympy.Rational(1, 3) * x).startswith(r"\frac{1}{3}")
    assert sympy.latex(x.exp()) == "e^{x_{1}}" == x.exp().latex()
    assert x.exp()._repr_latex_() == r"$\displaystyle e^{x_{1}}$"
    t = x.tanh()
    assert sympy.latex(t * t.exp()).splitlines() == [
        r"\begin{aligned}",
        r"t_{1} &= \tanh{\left(x_{1} \right)} \\",
        r"& t_{1} \, e^{t_{1}}",
        r"\end{aligned}",
    ]


@pytest.mark.parametrize("name", ["_", "__init__", "a__b", "a_", "_x", "über", "変数", "ℵ"])
def test_latex_of_odd_names(name: str) -> None:
    tex = sympy.latex(symgrad.leaf(name))
    bare = tex.replace(r"\_", "u")
    assert bare.count("{") == bare.count("}")
    assert "{}" not in bare and "^" not in bare


@pytest.mark.parametrize(
    "value", [True, 0, -3, 2**70, 0.1, -0.0, 1e-30, float("inf"), float("-inf"), 1 + 2j]
)
def test_numbers_read_back(value: Any) -> None:
    e = Const(value)
    assert read(str(e), ()) is e
    x = symgrad.leaf("x")
    product = PRIMITIVES["mul"](x, value)
    if value is not True:
        assert read(str(product), (x,)).evaluate({x: 3.0}) == product.evaluate({x: 3.0})


@pytest.mark.parametrize(
    "array",
    [
        np.array([0.1, np.nan, -np.inf]),
        np.array([True, False]),
        np.arange(4, dtype=np.int8).reshape(2, 2),
        np.float32([0.1, 0.2]),
        np.zeros((0, 3)),
        np.array([1 + 2j, 0.5j]),
    ],
)
def test_arrays_read_back(array: np.ndarray) -> None:
    assert read(str(ArrayConst(array)), ()) is ArrayConst(array)


def test_large_arrays_are_abbreviated() -> None:
    text = str(ArrayConst(np.arange(1e6)))
    assert len(text) < 200 and "shape=(1000000,)" in text and "..." in text


def test_deep() -> None:
    e = chain()
    text = str(e)
    assert text.count("tanh") == 50_000 and len(text) < 40 * 100_000
    # Each line is one that Python can read.
    assert max(map(len, text.splitlines())) < 400
    assert repr(e) == ("<an expression of 100002 nodes, shape (), float64; str() gives its text>")
    assert sympy.latex(e).count(r"\tanh") == 50_000
    small = chain(3000)
    assert read(str(small), small.leaves) is small


def test_wide() -> None:
    e = wide()
    assert str(e).splitlines()[-2:] == ["t59 = t58 * t58", "t59 * t59"]
    assert len(sympy.latex(e)) < 4000
    assert read(str(e), e.leaves) is e


def test_inside_containers_a_formula_keeps_to_its_line() -> None:
    x = symgrad.leaf("x")
    t = x.exp()
    assert str(sympy.Tuple(t * t, x)) == "((t1 * t1 where t1 = exp(x)), x)"


@pytest.mark.parametrize(("cls", "sample"), all_samples())
def test_srepr_makes_the_node_again(cls: type[Primitive], sample: tuple[Any, ...]) -> None:
    e, _ = node_of(cls, sample)
    assert eval(sympy.srepr(e), {"symgrad": symgrad, "np": np}) is e


def test_srepr_of_atoms_and_exact_numbers() -> None:
    names = {"symgrad": symgrad, "np": np, **vars(sympy)}
    for e in (
        symgrad.leaf("x", (2,), symgrad.bool_),
        Const(sympy.sqrt(2) / 3),
        Const(float("nan")),
        Const(2, symgrad.float32),
        ArrayConst(np.float32([1, 2])),
        chain(5000),
    ):
        assert eval(sympy.srepr(e), names) is e
    assert isinstance(symgrad.leaf("x"), Leaf)


def test_nothing_in_a_parameter_is_a_command_of_latex() -> None:
    from symgrad.expr.escaping import latex_text
    from symgrad.expr.node import Static

    hostile = r"a_b{c}^d\input#$%&~'"
    for shown in (latex_text(hostile), sympy.latex(Static(hostile))):
        bare = re.sub(r"\\(backslash\{\}|wedge|sim|mathtt|[_{}#$%&])", "", shown)
        assert not re.search(r"[\\_^#$%&~']", bare)
