"""Printed text gives the formula back; LaTeX is balanced; both stay small and harmless."""

import pickle
import re
from typing import Any

import numpy as np
import pytest
import sympy
from hypothesis import given, settings

import symgrad
from symgrad.expr.atoms import ArrayConst, Const, Leaf, as_expr
from symgrad.expr.node import ArrayExpr
from symgrad.forms import names as formulas
from symgrad.ops.primitive import PRIMITIVES, Primitive
from symgrad.schema.public import FUNCTIONS, METHODS, SPACES
from tests.each import each, in_part
from tests.kinds import kinds

from .samples import VALUES, all_samples, chain, expressions, node_of, wide, with_derivatives

READ = {name: getattr(formulas, name) for name in formulas.__all__}


def read(text: str, leaves: Any) -> Any:
    """Evaluate printed text in the names of `symgrad.forms.names`, all of which are public."""
    names: dict[str, Any] = {**READ, **{x.name: x for x in leaves}}
    *definitions, result = text.split("\n")
    for line in definitions:
        exec(line, names)
    return as_expr(eval(result, names))


def same(got: np.ndarray, want: np.ndarray) -> None:
    assert (got.shape, got.dtype) == (want.shape, want.dtype)
    tolerance = 1e-12 if want.dtype.itemsize >= 8 else 1e-5
    np.testing.assert_allclose(got, want, rtol=tolerance, atol=tolerance)


def needless_brackets(text: str) -> list[str]:
    """Return the arguments of calls that brackets stand around, but for tuples and numbers."""
    found, open_at, commas = [], [], set()
    for j, c in enumerate(text):
        if c == "(":
            open_at.append(j)
        elif c == "," and open_at:
            commas.add(open_at[-1])
        elif c == ")":
            i = open_at.pop()
            alone = text[:i].endswith(("(", ", ")) and text[j + 1 : j + 2] in (")", ",")
            if alone and i not in commas and not text[i:j].endswith(("j", "(")):
                found.append(text[i : j + 1])
    return found


_PUBLIC = {
    *FUNCTIONS, *METHODS, *SPACES["nn.functional"], *SPACES["linalg"], *SPACES["fft"],
    *SPACES["special"], "full", "eye", "ones", "zeros",
}  # fmt: skip
#: What texts call beside public functions: operations of which derivatives are made, operations
#: inside losses and writes, and what has no public function.
_OWN = {
    "array", "index", "recurrence", "restarted", "sinoverx",
    "sinc_derivative", "log_erfc_slope", "unstrided", "entries_strided",
    "fold_windows", "gelu_tanh_slope", "contract", "updated", "stands_at", "true_places",
    "complement", "cofactors", "mirrored",
    "scaled_macdonald", "elliptic_moment",
    "least_squares", "permutation",
    "convolution_weight", "window_sum", "window_spread",
    "resample_back", "alignment_loss", "alignment_slope",
    "lstm_states", "lstm_slopes", "gru_states", "gru_slopes", "rnn_states", "rnn_slopes",
}  # fmt: skip

#: Names in LaTeX that are no functions' names: those of books, and of parts and padding.
_OF_BOOKS = {"Chi", "Ci", "Ei", "Shi", "Si", "im", "mod", "onehot", "re", "sech", "shift"}
_OF_PARTS = {
    "bernoulli_loss", "constant_pad_nd", "conv1d_weight", "conv2d_weight", "conv3d_weight",
    "copied", "filled", "logits_loss", "thin_svd", "zeroed",
}  # fmt: skip


@each("cls, sample", in_part(all_samples(), among=4))
def test_text_gives_the_value_back(cls: type[Primitive], sample: tuple[Any, ...]) -> None:
    """Of every operation and of its first and second derivatives."""
    for e, values in with_derivatives(cls, sample):
        again = read(str(e), e.leaves)
        want = e.evaluate({x: values[x.name] for x in e.leaves})
        same(again.evaluate({x: values[x.name] for x in again.leaves}), want)
        # Public functions say all but how many elements a mask chooses.
        assert str(e).count("op.") == str(e).count("counts=")
        assert not needless_brackets(str(e))
        assert {*re.findall(r"\b([A-Za-z_]\w*)\(", str(e))} <= _PUBLIC | _OWN
        named = re.findall(r"\\operatorname\{([^}]*)\}", sympy.latex(e))
        assert {x.replace(r"\_", "_") for x in named} <= _PUBLIC | _OWN | _OF_BOOKS | _OF_PARTS


@each("cls", kinds())
def test_an_operation_inside_operators_reads_back(cls: Any) -> None:
    """Its brackets are those that its text needs."""
    e, values = node_of(cls, cls.samples[0])
    if e.dtype.is_floating_point:
        for made in (PRIMITIVES["pow"](e, 2), 1 / e, e.to(symgrad.complex128)):
            again = read(str(made), made.leaves)
            want = made.evaluate({x: values[x.name] for x in made.leaves})
            same(again.evaluate({x: values[x.name] for x in again.leaves}), want)


def test_text_of_constants_and_outside_of_domains() -> None:
    a, x = symgrad.leaf("a", (3, 2)), symgrad.leaf("x", (4,))
    whole, half = symgrad.ones(2, 2).double(), symgrad.full((2, 2), 0.5).double()
    values = {"a": np.arange(6.0).reshape(3, 2), "x": np.array([0.25, 1.5, -0.5, 1.0])}
    places = symgrad.tensor([0, 2])
    for e in (
        a.index_add(0, places, whole),
        a.index_put((places,), half),
        a.index_copy(0, places, half),
        a.scatter(0, places.reshape(2, 1), half),
        a.scatter_add(0, places.reshape(2, 1), half),
        symgrad.derive(symgrad.nn.functional.cross_entropy(a[:2], half), a),
        symgrad.derive(x.logit().sum(), x),
        symgrad.derive(symgrad.derive(x.logit().sum(), x).sum(), x),
    ):
        again = read(str(e), e.leaves)
        given = {leaf.name: values[leaf.name] for leaf in e.leaves}
        with np.errstate(all="ignore"):
            same(again.evaluate(given), e.evaluate(given))


def test_text_of_what_public_functions_take_in_another_way() -> None:
    """Numbers and other dtypes among values that are written, axes of length 0, shapes."""
    of = PRIMITIVES
    m, z, e = symgrad.leaf("m", (2, 3)), symgrad.leaf("z"), symgrad.leaf("e", (0, 3))
    y, b = symgrad.leaf("y", (), symgrad.float32), symgrad.leaf("b", (2, 3), symgrad.bool_)
    i, k = (symgrad.leaf(*x, symgrad.int64) for x in (("i", (1, 3)), ("k", (2,))))
    values = {
        "m": np.array([[0.5, -1.5, 2.0], [0.25, 3.0, -0.75]]), "z": 0.75, "y": np.float32(0.5),
        "e": np.zeros((0, 3)), "b": np.array([[True, False, True], [False] * 3]),
        "i": np.array([[1, 0, 1]]), "k": np.array([1, 0]),
    }  # fmt: skip
    for node in (
        *[of["scatter"](m, x, i, 0) for x in (z, y, 2, m)],
        *[of["scatter_add"](m, x, i, 0) for x in (z, y, 2, m)],
        *[of["scatter_reduce"](m, x, i, 0, "prod", False) for x in (z, y, 2, m)],
        *[of["index_put"](m, x, k, (False, True), (0,), False) for x in (z, y, 2)],
        *[of["cumprod"](x, 0, turned, True) for x in (-m, b, e, z) for turned in (False, True)],
        *[of["cumsum"](x, 0, True) for x in (-m, b, z)],
        *[of["diag_embed"](m, (2, 4, n), -1, 1, 2) for n in (3, 4)],
        *[of["as_strided"](x, (2, 2), (1, 2), 1) for x in (m.T, -m)],
        *[of[name](-m, (), keepdim) for name in ("sum", "amax") for keepdim in (False, True)],
        *[of["hypot"](2.0, x) for x in (m, y)], of["renorm"](m, 2, z, 0), of["where"](True, m, z),
        of["polygamma"](2, z), of["sin"](Const(2, symgrad.float64)),
        of["mean"](Const(2, symgrad.float64), None, False), of["topk"](z, 0, True, 1)[1],
    ):  # fmt: skip
        again = read(str(node), node.leaves)
        known = {x: values[x.name] for x in again.leaves}
        same(again.evaluate(known), node.evaluate({x: values[x.name] for x in node.leaves}))


def test_arguments_and_calls_have_no_brackets() -> None:
    x, y, t = symgrad.leaf("x"), symgrad.leaf("y"), symgrad.leaf("t")
    for e, text in {
        symgrad.where(symgrad.logical_not(symgrad.logical_and(x.eq(0), y >= 0)), x, y):
            "where(logical_not(logical_and(eq(x, 0), y >= 0)), x, y)",
        x.eq(1) & (y > 1): "eq(x, 1) & (y > 1)", symgrad.derive(1j * t**2, t, order=2): "2j",
        x.sin().rewrite(sympy.exp): "-1/2 * 1j * (-exp(-(1j * x)) + exp(1j * x))",
    }.items():  # fmt: skip
        assert str(e) == text and not needless_brackets(text)
    assert needless_brackets("f((x > 0), (1, 2), (x) + 1)") == ["(x > 0)"]
    for number, tex in {
        1j: r"\mathrm{i}",
        -2j: r"- 2 \mathrm{i}",
        1 - 0.5j: r"1 - 0.5 \mathrm{i}",
    }.items():
        assert sympy.latex(Const(number)) == tex


def test_what_is_the_default_is_not_written() -> None:
    x, a, f = symgrad.leaf("x", (3,)), symgrad.leaf("a", (2, 3)), symgrad.nn.functional
    y, k = symgrad.leaf("y", (3,)), symgrad.leaf("k", (2,), symgrad.int64)
    for e, text in {
        x.std(): "std(x)", x.var(0): "var(x, dim=0)", symgrad.stack([x, y]): "stack([x, y])",
        f.softplus(x): "softplus(x)", f.softplus(x, 2): "softplus(x, 2)",
        x.roll(1): "roll(x, shifts=1)", f.pad(x, (1, 2)): "pad(x, (1, 2))",
        f.leaky_relu(x): "leaky_relu(x)", f.leaky_relu(x, 0.2): "leaky_relu(x, 0.2)",
        f.elu(x): "elu(x)", f.elu(x, 2.0): "elu(x, 2.0)", f.mse_loss(x, y): "mse_loss(x, y)",
        f.selu(x): "1.0507009873554805 * elu(x, 1.6732632423543772)",
        f.mse_loss(x, y, reduction="sum"): "mse_loss(x, y, reduction='sum')",
        f.nll_loss(a, k): "nll_loss(a, k)", x.repeat(2): "tile(x, (2,))",
        f.binary_cross_entropy_with_logits(x, y, pos_weight=y):
            "binary_cross_entropy_with_logits(x, y, pos_weight=y)",
        f.gelu(x, approximate="tanh"): "gelu(x, approximate='tanh')",
        x.to(symgrad.float32): "x.to(float32)",
        symgrad.derive(x[1], x): "array([0.0, 1.0, 0.0])",
        symgrad.derive(x, x): "eye(3, dtype=float64)", x.logit(0.1): "logit(x, 0.1)",
    }.items():  # fmt: skip
        assert str(e) == text
        again = read(text, e.leaves)
        at = {
            "x": np.array([0.2, 0.5, 0.75]),
            "y": np.array([0.4, 1.0, 0.3]),
            "a": np.ones((2, 3)),
            "k": np.array([2, 0]),
        }
        same(*[np.asarray(z.evaluate({u: at[u.name] for u in z.leaves})) for z in (again, e)])


def test_the_names_of_formulas_are_public_functions_where_there_are_any() -> None:
    for name, f in symgrad.FUNCTIONS.items():
        found = getattr(formulas, name)
        assert f in (found, getattr(found, "__wrapped__", None))
    x = symgrad.leaf("x", (2,))
    assert str(formulas.sin(1.0) * formulas.hypot(2, formulas.stack([x, x]))) == (
        "sin(1.0) * hypot(2, stack([x, x]))"
    )
    for name in formulas.__all__:
        assert name.isidentifier() and not name.startswith("_")
    assert set(dir(formulas.op)) == set(PRIMITIVES)
    with pytest.raises(AttributeError, match="no operation 'nothing'"):
        _ = formulas.op.nothing
    with pytest.raises(TypeError, match="takes the parameters axis, by"):
        formulas.op.shift(symgrad.leaf("x", (2,)), axis=0)


EXACT = [
    1 / sympy.log(2), sympy.Rational(-2, 3), -sympy.pi, sympy.sqrt(2) / 2,
    sympy.pi**2 - 3,
    2 ** sympy.Rational(1, 3), sympy.E, sympy.EulerGamma, sympy.Rational(10**30, 3**40),
    sympy.sin(1) / (1 + sympy.sqrt(5)), -1 / sympy.log(3), sympy.zeta(3),
    sympy.gamma(sympy.S(1) / 3),
    sympy.exp(-1), sympy.sqrt(sympy.pi) / 2, sympy.I * sympy.sqrt(2), 3 + sympy.I / 7,
]  # fmt: skip


@each("number", list(EXACT), ids=str)
def test_exact_numbers_bind_as_python_reads_them(number: sympy.Expr) -> None:
    """In every place that an operator has."""
    x = symgrad.leaf("x")
    value = complex(number)
    places = [
        lambda a, b: a + b, lambda a, b: b - a, lambda a, b: a - b, lambda a, b: a * b,
        lambda a, b: b / a, lambda a, b: a / b, lambda a, b: -(b * a),
        lambda a, b: 1 / (a * b), lambda a, b: (a * b) ** 2, lambda a, b: b - (a - b),
        lambda a, b: b / (a / b), lambda a, b: (b + a).exp() * a,
    ]  # fmt: skip
    if value.imag == 0:
        places += [lambda a, b: b**a, lambda a, b: (b > a) * 1.0]
    if value.imag == 0 and value.real > 0:
        places += [lambda a, b: a**b, lambda a, b: (a * b) ** a]
    for place in places:
        e = place(Const(number), x)
        again = read(str(e), e.leaves)
        np.testing.assert_allclose(again.evaluate({x: 0.7}), e.evaluate({x: 0.7}), rtol=1e-14)


@given(expressions())
@settings(max_examples=150)
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


def test_text_is_in_public_names_without_what_goes_without_saying() -> None:
    x, y, a = symgrad.leaf("x"), symgrad.leaf("y"), symgrad.leaf("a", (2, 3))
    sum_to = PRIMITIVES["sum_to"]
    for e, text in {
        x + -400: "x - 400", x - -3 * y: "x + 3 * y", x.neg().neg(): "x", x + -(y * x): "x - y * x",
        -x * y - -x: "-x * y + x", -(x % y) * 2 + x: "-(x % y) * 2 + x", x**1: "x",
        x - (y - -x): "x - (y + x)", x + -(y + x): "x - (y + x)", x / -2: "x / -2",
        sum_to(a, ()): "sum(a)", sum_to(a, (3,)): "sum(a, dim=0)",
        sum_to(a, (2, 1)): "sum(a, dim=1, keepdim=True)",
        sum_to(symgrad.leaf("b", (4, 2, 3)), (2, 1)):
            "sum(sum(b, dim=0), dim=1, keepdim=True)",
        a.tril(): "tril(a)", a.triu(1): "triu(a, diagonal=1)", a.norm(): "norm(a)",
        a.flip(0): "flip(a, dims=(0,))", a.sort(1)[0]: "sort(a, dim=1).values",
        (a.exp() * 2)[:, 1]: "(exp(a) * 2)[:, 1]", sympy.sqrt(2) * x: "2**0.5 * x",
        symgrad.derive(x.log2(), x): "1 / (x * log(2))",
    }.items():  # fmt: skip
        assert str(e) == text
        at = {"x": np.array(2.5), "y": np.array(0.75), "a": np.arange(6.0).reshape(2, 3)}
        at["b"] = np.arange(24.0).reshape(4, 2, 3)
        again = read(text, e.leaves)
        got, want = [f.evaluate({z: at[z.name] for z in f.leaves}) for f in (again, e)]
        np.testing.assert_array_equal(got, want)


def test_displays_are_bundles_that_are_bounded() -> None:
    x = symgrad.tensor([1.0, 2.0], requires_grad=True, name="x")
    found = symgrad.explain((x * x).sum())
    for shown in (found.expr, found, found.gradients):
        bundle = shown._repr_mimebundle_()
        assert bundle == {"text/plain": repr(shown), "text/latex": shown._repr_latex_()}
        assert shown._repr_mimebundle_(include={"text/plain"}).keys() == {"text/plain"}
        assert shown._repr_mimebundle_(exclude={"text/plain"}).keys() == {"text/latex"}
        assert bundle["text/latex"].startswith("$") and bundle["text/latex"].endswith("$")
    y = chain(5000)
    for shown in (y, symgrad.explain(y), symgrad.explain(y).gradients):
        for text in shown._repr_mimebundle_().values():
            assert len(text) < 600
            assert "nodes, shape (), float64" in text


def test_shared_parts_are_written_once() -> None:
    x = symgrad.leaf("x")
    t = x.exp()
    assert str(t / (1 + t * t)) == "t1 = exp(x)\nt1 / (1 + t1 * t1)"
    y = symgrad.leaf("y", (3,))
    assert str(y.exp() / (1 + y.exp())) == "t1 = exp(y)\nt1 / (1 + t1)"


def test_short_parts_are_repeated() -> None:
    x, y = symgrad.leaf("x"), symgrad.leaf("y", (3,))
    assert str(x.exp() / (1 + x.exp())) == "exp(x) / (1 + exp(x))"
    assert str((-x.sin()).exp() - x.sin()) == "exp(-sin(x)) - sin(x)"
    assert str(y[0] * y[1] * y[0].cos() + y[0].cos()) == "y[0] * y[1] * cos(y[0]) + cos(y[0])"
    assert str(y[1:] * y[1:] - y[:2]) == "y[1:] * y[1:] - y[:2]"
    assert str(y[0].exp().sin() * y[0].exp().sin()) == "t1 = sin(exp(y[0]))\nt1 * t1"
    # What is tiny is repeated instead.
    assert str((2 * x).exp() + 2 * x) == "exp(2 * x) + 2 * x"


def test_definitions_avoid_the_names_of_leaves() -> None:
    t1, t3 = symgrad.leaf("t1"), symgrad.leaf("t3")
    shared = symgrad.leaf("t_1").exp()
    assert "t_{1} &=" not in sympy.latex(shared * shared.sin())
    a = t1.exp()
    b = (a * a * t3).exp()
    assert str(b * b) == "t2 = exp(exp(t1) * exp(t1) * t3)\nt2 * t2"
    b = (a * a * a * t3).exp()
    assert str(b * b) == "t2 = exp(t1)\nt4 = exp(t2 * t2 * t2 * t3)\nt4 * t4"


def test_what_is_explained_has_no_name_of_a_leaf() -> None:
    x = symgrad.tensor(2.0, requires_grad=True, name="x")
    y, f = (symgrad.tensor(1.0, name=name) for name in ("y", "f"))
    assert repr(symgrad.explain(3 * x)) == "y = 3 * x\nd/dx = 3"
    # The gradient is without the leaf y here, and the value is not.
    found = symgrad.explain(x + y)
    assert repr(found) == "f = x + y\nd/dx = 1"
    assert r"\frac{\partial f}{\partial x}" in found.latex()
    assert r"\frac{\partial f}{\partial x}" in found.gradients._repr_latex_()
    assert repr(symgrad.explain(x * y + f)).startswith("f_ = ")


def test_latex_forms() -> None:
    x = symgrad.leaf("x_1")
    assert sympy.latex(symgrad.leaf("alpha")) == r"\alpha"
    assert sympy.latex((x + 1) / (x - 2)) == r"\frac{x_{1} + 1}{x_{1} - 2}"
    assert sympy.latex((x / 2) ** 2) == r"\left(\frac{x_{1}}{2}\right)^{2}"
    assert sympy.latex(sympy.Rational(1, 3) * x).startswith(r"\frac{1}{3}")
    assert sympy.latex(x.exp()) == r"\mathrm{e}^{x_{1}}" == x.exp().latex()
    assert x.exp()._repr_latex_() == r"$\displaystyle \mathrm{e}^{x_{1}}$"
    t = x.tanh()
    assert sympy.latex(t * t * t.exp()).splitlines() == [
        r"\begin{aligned}",
        r"t_{1} &= \tanh{\left(x_{1} \right)} \\",
        r"& t_{1} \, t_{1} \, \mathrm{e}^{t_{1}}",
        r"\end{aligned}",
    ]


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


@pytest.mark.parametrize("n", [10_000, pytest.param(100_000, marks=pytest.mark.slow)])
def test_deep(n: int) -> None:
    e = chain(n)
    text = str(e)
    assert text.count("tanh") == n // 2 and len(text) < 40 * n
    # Each line is one that Python can read.
    assert max(map(len, text.splitlines())) < 400
    assert repr(e) == (f"<an expression of {n + 2} nodes, shape (), float64; str() gives its text>")
    assert sympy.latex(e).count(r"\tanh") == n // 2
    small = chain(3000)
    assert read(str(small), small.leaves) is small


def test_wide() -> None:
    e = wide()
    assert str(e).splitlines()[-2:] == ["t59 = t58 * t58", "t59 * t59"]
    assert len(sympy.latex(e)) < 4000
    assert read(str(e), e.leaves) is e


def test_inside_containers_a_formula_keeps_to_its_line() -> None:
    x = symgrad.leaf("x", (3,))
    t = x.exp()
    assert str(sympy.Tuple(t * t, x)) == "((t1 * t1 where t1 = exp(x)), x)"


@each("cls, sample", in_part(all_samples(), among=2))
def test_srepr_and_pickle_make_the_node_again(
    cls: type[Primitive], sample: tuple[Any, ...]
) -> None:
    for e, _ in with_derivatives(cls, sample):
        assert eval(sympy.srepr(e), {"symgrad": symgrad, "np": np, **vars(sympy)}) is e
        assert pickle.loads(pickle.dumps(e)) is e


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
    from symgrad.expr.atoms import Static
    from symgrad.expr.escaping import latex_text

    hostile = r"a_b{c}^d\input#$%&~'"
    for shown in (latex_text(hostile), sympy.latex(Static(hostile))):
        bare = re.sub(r"\\(backslash\{\}|wedge|sim|mathtt|[_{}#$%&])", "", shown)
        assert not re.search(r"[\\_^#$%&~']", bare)
