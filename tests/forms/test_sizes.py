"""Sizes that are names: formulas keep them, and evaluation finds their numbers."""

from __future__ import annotations

import itertools
import math
import pickle
import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import sympy

import symgrad as sg
from symgrad import derive, leaf
from symgrad.differentiate.sweeps import vjp, with_derivative_rewrites
from symgrad.expr.atoms import Const, Leaf
from symgrad.expr.dtypes import from_numpy_dtype
from symgrad.expr.graph import leaves
from symgrad.expr.named_sizes import NamedSize, UnknownSize, at_sizes, named_size
from symgrad.expr.node import ArrayExpr
from symgrad.expr.sizing import size_names
from symgrad.forms import names as text_names
from symgrad.ops.complex_parts import conj
from symgrad.ops.elementwise import Elementwise
from symgrad.ops.primitive import Primitive
from tests.each import each, in_part
from tests.forms.test_indexed import free_of
from tests.kinds import kinds

X, w, y = leaf("X", ("n", "m")), leaf("w", ("m",)), leaf("y", ("n",))
Z, W = leaf("Z", ("n", "m")), leaf("W", ("m", "k"))
n, m = X.shape
a = leaf("a")
squares = (X @ w - y) ** 2

RNG = np.random.default_rng(0)
VALUES = {
    "X": RNG.normal(size=(5, 3)), "w": RNG.normal(size=3), "y": RNG.normal(size=5),
    "Z": RNG.uniform(0.2, 0.9, size=(5, 3)), "W": RNG.normal(size=(3, 4)),
}  # fmt: skip

#: A function, what it is differentiated by and how often, and the text.
TEXTS: dict[str, tuple[ArrayExpr, Any, int, str]] = {
    "sum": (squares.sum() / n, w, 0, "sum((X @ w - y)**2) / n"),
    "gradient": (squares.sum() / n, w, 1, "2 * X.T @ (X @ w - y) / n"),
    "gradient of a mean": (squares.mean(), w, 1, "2 * X.T @ (X @ w - y) / n"),
    "Hessian": (squares.sum() / n, w, 2, "2 * X.T @ X / n"),
    "Hessian of a mean": (squares.mean(), w, 2, "2 * X.T @ X / n"),
    "ridge": (
        squares.sum() / (2 * n) + (w @ w) / 2, w, 2, "eye(m, dtype=float64) + X.T @ X / n",
    ),
    "mean of a matrix": ((X**2).mean(), X, 1, "2 * X / (m * n)"),
    "constant": (X.mean(0).sum(), X, 1, "full((n, m), 1 / n, dtype=float64)"),
    "sizes that cancel": (y[:, None].expand(n, m).mean(), y, 1, "full((n,), 1 / n, dtype=float64)"),
    "a size counts": (y[:, None].expand(n, m).sum(), y, 1, "full((n,), m, dtype=float64)"),
    "variance, Hessian": (y.var(), y, 2, "2 * (eye(n, dtype=float64) - 1 / n) / (n - 1)"),
    "differences": (
        ((y[1:] - y[:-1]) ** 2).sum(), y, 1,
        "t1 = y[1:] - y[:-1]\n2 * (pad(t1, (1, 0)) - pad(t1, (0, 1)))",
    ),
    "softmax": (
        sg.softmax(y, 0), y, 1, "t1 = softmax(y, dim=0)\ndiag(t1) - outer(t1, t1)",
    ),
    "cross-entropy": (
        sg.nn.functional.cross_entropy(X, Z), X, 1,
        "(sum(Z, dim=1)[:, None] * softmax(X, dim=1) - Z) / n",
    ),
    "two layers": (
        sg.tanh(X @ W).sum() / n, X, 1, "(1 - tanh(X @ W)**2) @ W.T / n",
    ),
}  # fmt: skip


@each("e, x, order, text", TEXTS)
def test_texts_have_letters_and_values_have_numbers(
    e: ArrayExpr, x: ArrayExpr, order: int, text: str
) -> None:
    d = derive(e, x, order)
    assert str(d) == text
    sizes = {name: k for name, k in {"n": 5, "m": 3, "k": 4}.items() if name in size_names([e])}
    given = {z.name: VALUES[z.name] for z in e.leaves} | sizes
    plain = [leaf(z.name, VALUES[z.name].shape) for z in e.leaves]
    at = e.sized(**sizes)
    assert set(at.leaves) == set(plain)
    want = derive(at, x.name, order).evaluate({z.name: VALUES[z.name] for z in e.leaves})
    np.testing.assert_allclose(d.evaluate(given), want, rtol=1e-13, atol=1e-14)
    last = text.rpartition("\n")[2]
    scope = {"n": named_size("n"), "m": named_size("m"), **{z.name: z for z in e.leaves}}
    names = {**vars(text_names), **scope}
    for line in text.splitlines()[:-1]:
        exec(line, names)
    again = eval(last, names)
    assert again.shape == d.shape
    known = {k: size for k, size in sizes.items() if k in size_names([again])}
    known |= {z.name: VALUES[z.name] for z in again.leaves}
    np.testing.assert_allclose(again.evaluate(known), want, rtol=1e-13, atol=1e-14)
    assert pickle.loads(pickle.dumps(d)) is d
    assert eval(sympy.srepr(d), {**vars(sympy), "symgrad": sg}) is d


# ------------------------------------------------------------------ sizes


def test_sizes_compute_as_integers_do() -> None:
    a, b = named_size("a"), named_size("b")
    functions: list[Callable[[Any, Any], Any]] = [
        lambda p, q: p + q, lambda p, q: p - q, lambda p, q: q - 1 + p, lambda p, q: p * q,
        lambda p, q: 3 * p * p - q, lambda p, q: (p * q) // p, lambda p, q: p // 2,
        lambda p, q: (p + 1) // 2 * q, lambda p, q: (2 * p + q) // 3, lambda p, q: p**2 - 2 * p,
        lambda p, q: -p, lambda p, q: math.prod((p, 3, q)), lambda p, q: sum((p, 3, q)),
        lambda p, q: -1 % p, lambda p, q: 7 * p % 7, lambda p, q: np.int64(2) * p,
        lambda p, q: p - p, lambda p, q: p % 3, lambda p, q: 12 // p,
    ]  # fmt: skip
    for f, (i, j) in itertools.product(functions, [(2, 5), (7, 3), (12, 12)]):
        found = f(a, b)
        got = found.at({"a": i, "b": j}) if isinstance(found, NamedSize) else found
        assert type(got) is int and got == f(i, j)
        if isinstance(found, NamedSize):
            assert eval(str(found), {"a": i, "b": j}) == got
            assert eval(str(found), {"a": a, "b": b}) == found


def test_equal_sizes_are_equal_and_interned() -> None:
    a = named_size("a")
    assert a == named_size("a") and hash(a) == hash(named_size("a")) and 2 * a == a + a
    assert a != 3 and a > 10**9 and (a,) != (3,)
    assert X is leaf("X", ("n", "m")) is leaf("X", (n, m)) is not leaf("X", ("m", "n"))
    assert X.numel() == X.size == n * m and X.size(1) == m and X.shape == (n, m)
    assert leaf("u", "n").shape == (n,) and str(X.shape) == "(n, m)"


@each(
    "f",
    {
        "range": range, "float": float, "int": int, "root": math.sqrt, "array": np.zeros,
        "list": lambda k: [0] * k, "len": lambda k: len(y), "iteration": lambda k: list(y),
        "rows of a trace": lambda k: sum(y[i] for i in range(k)),
        "tensor": lambda k: sg.zeros(k, requires_grad=True), "random": sg.rand,
        "index": "abc".__getitem__, "complex": complex,
        "numpy": lambda k: np.float64(k), "arange": sg.arange,
    },
)  # fmt: skip
def test_what_reads_the_number_of_a_size_is_refused(f: Callable[[Any], Any]) -> None:
    with pytest.raises(TypeError, match=r"\bn\b"):
        f(n)


def test_sizes_stand_beside_numbers_and_formulas() -> None:
    given = {"y": VALUES["y"]}
    for e in (y / n, 1 / n * y, y * (2.5 / n), y / n**0.5 * n**0.5 / n, y * np.float64(1) / n):
        np.testing.assert_allclose(e.evaluate(given), (y.sized(n=5) / 5).evaluate(given) * (
            2.5 if "2.5" in str(e) else 1))  # fmt: skip
    np.testing.assert_array_equal((np.ones(3) * n).evaluate({"n": 4}), [4, 4, 4])
    np.testing.assert_array_equal((y[-1] + y[n - 2]).evaluate(given), VALUES["y"][[-1, -2]].sum())
    assert (y / n).dtype is sg.float64 and (leaf("f", ("n",), sg.float32) / n).dtype is sg.float32


@each("bad", {"digit": "3n", "word": "for", "empty": "", "formula": "n + 1", "braces": "n}{"})
def test_the_name_of_a_size_is_an_identifier(bad: str) -> None:
    with pytest.raises(ValueError, match="identifier"):
        leaf("x", (bad, 3))


# ------------------------------------------------------------------ binding


def test_sizes_are_found_and_must_agree() -> None:
    e = X @ w - y
    with pytest.raises(
        ValueError, match=r"'n' is 5 by the value of 'X'.* n is 4 by the value of 'y'"
    ):
        e.evaluate({"X": VALUES["X"], "w": VALUES["w"], "y": VALUES["y"][:4]})
    with pytest.raises(ValueError, match=r"'X' has shape \(n, m\), but its value has shape \(5,\)"):
        X.evaluate({"X": np.ones(5)})
    with pytest.raises(
        ValueError, match=r"'u' has shape \(n, 3\), but its value has shape \(5, 2\)"
    ):
        leaf("u", ("n", 3)).evaluate({"u": np.ones((5, 2))})
    with pytest.raises(ValueError, match=r"a size 'n' and a leaf 'n'"):
        (leaf("n") * y).evaluate({"n": 1, "y": [1.0]})
    with pytest.raises(ValueError, match=r"the leaf 'n' has a size 'n'"):
        leaf("n", ("n",))
    with pytest.raises(RuntimeError, match=r"tensor a \(n\) must match the size of tensor b \(m\)"):
        y + w
    with pytest.raises(RuntimeError, match=r"tensor a \(n\) must match the size of tensor b \(3\)"):
        y + leaf("v", (3,))
    two = leaf("a", ("n",)).sum() + leaf("a", ("m",)).sum()
    with pytest.raises(ValueError, match=r"two different leaves are named 'a'"):
        two.evaluate({"a": [1.0]})


def test_a_size_is_given_by_its_name_where_no_leaf_is_left() -> None:
    ones = derive(y.sum(), y)
    for given in ({"n": 3}, {n: 3}, {n.formula: 3}, {"y": [0.0] * 3}, {y: [0.0] * 3, "n": 3}):
        np.testing.assert_array_equal(ones.evaluate(given), [1, 1, 1])
    with pytest.raises(ValueError, match=r"no size 'n': give it by its name"):
        ones.evaluate()
    # One node is the derivative of formulas with leaves of one name and several shapes.
    u, v = leaf("u", ("n", 2)), leaf("u", ("n",))
    assert derive(u.sum() + y.sum(), y) is derive(v.sum() + y.sum(), y) is ones
    for given in ({"u": np.zeros((3, 2))}, {"u": np.zeros(3)}):
        np.testing.assert_array_equal(ones.evaluate(given), [1, 1, 1])
    with pytest.raises(ValueError, match=r"'n' is given as 4, and n is 3 by the value of 'y'"):
        ones.evaluate({"y": [0.0] * 3, "n": 4})
    with pytest.raises(ValueError, match="'n' is not negative"):
        ones.evaluate({"n": -1})
    with pytest.raises(TypeError, match=r"'n' is an integer, not 2\.0"):
        ones.evaluate({"n": 2.0})
    with pytest.raises(ValueError, match="there is no leaf 'm'"):
        ones.evaluate({"m": 1, "n": 1})


def test_sizes_that_are_computed_are_solved_for() -> None:
    longer = leaf("z", (2 * n + 1,))
    np.testing.assert_array_equal((longer[1:] * 2).evaluate({"z": range(7)}), 2.0 * np.arange(1, 7))
    with pytest.raises(ValueError, match=r"no size 'n' is found for which 2 \* n \+ 1 is 6"):
        longer.evaluate({"z": range(6)})
    both = longer[1:].reshape(2, n).sum(0) + y
    with pytest.raises(ValueError, match=r"sizes disagree: 'n' is 4 by .* and 2 \* n \+ 1 is 7"):
        both.evaluate({"z": range(7), "y": range(4)})


def test_an_operation_that_the_sizes_do_not_fit_is_named() -> None:
    with pytest.raises(
        ValueError, match=r"part\(\) does not work at n = 3: .* 0 to 5 lies outside"
    ):
        y[:5].evaluate({"y": [1.0] * 3})
    with pytest.raises(ValueError, match=r"part\(\) .* at n = 3"):
        (y[2] + y[3]).evaluate({"y": [1.0] * 3})
    with pytest.raises(ValueError, match=r"part\(\) does not work at n = 1: the part from 2 to 1"):
        y[2:].evaluate({"y": [1.0]})
    tall = leaf("T", ("n", 3))
    q, r = sg.linalg.qr(tall)
    with pytest.raises(ValueError, match=r"qr\(\) has the shape .* at n = 2"):
        r.evaluate({"T": np.ones((2, 3))})
    np.testing.assert_allclose((q @ r).evaluate({"T": VALUES["X"]}), VALUES["X"], atol=1e-12)


def test_sized() -> None:
    d = derive(squares.mean(), w, 2)
    assert str(d.sized(n=5)) == "2 * X.T @ X / 5" and d.sized(n=5).shape == (m, m)
    assert d.sized(n=5).sized(m=2) is d.sized(m=2, n=5) and d.sized() is d
    with pytest.raises(ValueError, match=r"no size 'p'; the formula has the sizes 'm', 'n'"):
        d.sized(p=1)
    with pytest.raises(TypeError, match="'n' is an integer"):
        d.sized(n="5")
    with pytest.raises(ValueError, match=r"sized\(m=5, n=5\)"):
        d.source()
    with pytest.raises(ValueError, match=r"sized\(m=5, n=5\)"):
        d.lambdify()
    with pytest.raises(ValueError, match=r"sized\(m=5, n=5\)"):
        d.to_sympy("explicit")
    made = d.sized(n=5, m=3).lambdify()
    np.testing.assert_allclose(made(VALUES["X"]), 2 * VALUES["X"].T @ VALUES["X"] / 5)


def test_points_and_other_transforms() -> None:
    a = leaf("a")
    e = sg.exp(a * y).sum() / n
    got = derive(e, a).evaluate({"a": [0.1, 0.2], "y": VALUES["y"]})
    want = [(VALUES["y"] * np.exp(c * VALUES["y"])).mean() for c in (0.1, 0.2)]
    np.testing.assert_allclose(got, want)
    assert str(derive(e, a, 5)) == "sum(y**5 * exp(a * y)) / n"
    traced = sg.symbolic_trace(lambda x: (x @ x) / x.shape[0], x=("n",))
    assert str(traced) == "x @ x / n"
    np.testing.assert_allclose(traced.evaluate({"x": [1, 2]}), 2.5)
    assert str(e.subs(a, 2)) == "sum(exp(2 * y)) / n"
    assert str((y * 2).subs(y, X @ w)) == "X @ w * 2"


def test_forms_of_sympy_have_symbols_for_sizes() -> None:
    k = sympy.Symbol("n", integer=True, nonnegative=True)
    e = squares.mean()
    form = e.to_sympy("matrix").subs(k, 5).subs(m.formula, 3)
    values = {
        sympy.MatrixSymbol("X", 5, 3): VALUES["X"],
        sympy.MatrixSymbol("w", 3, 1): VALUES["w"],
    }
    values[sympy.MatrixSymbol("y", 5, 1)] = VALUES["y"]
    found = form.subs({s: sympy.Matrix(v) for s, v in values.items()}).doit()
    value = e.evaluate({x.name: VALUES[x.name] for x in e.leaves})
    assert abs(float(found) - float(value)) < 1e-12
    indexed = derive(e, w, 2).to_sympy("indexed")
    assert str(indexed) == "2*Sum(X[k, i]*X[k, j], (k, 0, n - 1))/n"
    assert str((y / n).to_sympy()) == "y/n"
    flat = leaf("X", ("n", 3)).reshape(-1).to_sympy("indexed")
    assert str(flat) == "X[-Mod(i, 3)/3 + i/3, Mod(i, 3)]"
    hessian = derive(e, w, 2).to_sympy("matrix")
    assert hessian.shape == (m.formula, m.formula) and k in hessian.free_symbols


@each("e, x, order, text", TEXTS)
def test_forms_of_sympy_are_read_with_their_sizes(
    e: ArrayExpr, x: ArrayExpr, order: int, text: str
) -> None:
    d = derive(e, x, order)
    numbers = {name: k for name, k in {"n": 5, "m": 3, "k": 4}.items() if name in size_names([d])}
    want = d.evaluate({z.name: VALUES[z.name] for z in d.leaves} | numbers)
    sizes = {named_size(name).formula: k for name, k in numbers.items()}

    def check(found: Any) -> None:
        if isinstance(found, ArrayExpr):
            known = VALUES | numbers
            values = {
                z.name: np.reshape(known[z.name], at_sizes(z.shape, numbers)) for z in found.leaves
            }
            left = {k: numbers[k] for k in numbers.keys() & size_names([found])}
            found = found.evaluate(values | left)
        np.testing.assert_allclose(np.reshape(found, want.shape), want, rtol=1e-12, atol=1e-13)

    for form in ("matrix", "indexed"):
        try:
            made = d.to_sympy(form)
        except ValueError:
            assert text.startswith("t1 = y[1:]")  # slices are no matrices
            continue
        axes = free_of(d) if form == "indexed" else None
        kinds_of_arrays = (sympy.MatrixSymbol, sympy.IndexedBase)
        there = {str(getattr(x, "label", x)): x for x in made.atoms(*kinds_of_arrays)}
        symbols = {there[z.name]: z for z in d.leaves if z.name in there}
        tensors = {x: sg.tensor(VALUES[z.name]) for x, z in symbols.items()}
        check(sg.from_sympy(made, symbols, leaves="new", indices=axes))
        if tensors:
            found = sg.from_sympy(made, tensors, leaves="new", indices=axes)
            check(found if isinstance(found, ArrayExpr) else found.numpy())
        check(sg.from_sympy(made, sizes, leaves="new", indices=axes))


def test_a_size_of_sympy_is_mapped_to_a_whole_number() -> None:
    k = sympy.Symbol("k")
    A = sympy.MatrixSymbol("A", k, k)
    assert sg.from_sympy(A).shape == (named_size("k"),) * 2
    assert sg.from_sympy(sympy.MatMul(A, A), {k: 2, "A": leaf("A", (2, 2))}).shape == (2, 2)
    for wrong in (2.5, -1, leaf("k"), sg.tensor(2)):
        with pytest.raises(ValueError, match="k is the length of an axis"):
            sg.from_sympy(A, {k: wrong}, leaves="new")
    with pytest.raises(ValueError, match="A is a matrix of shape"):
        sg.from_sympy(A, {"A": leaf("A", (2, 3))})
    with pytest.raises(TypeError, match="no pair of numbers or names"):
        sg.from_sympy(sympy.MatrixSymbol("A", k / 2, 2))


def test_latex() -> None:
    rows = leaf("r", ("rows", "d_in"))
    assert sympy.latex(derive(squares.mean(), w, 2)) == r"\frac{2 \, X^{\mathsf{T}} X}{n}"
    assert sympy.latex(derive(y @ y, y, 2)) == r"2 \, \mathrm{I}_{n}"
    ones = sympy.latex(derive(rows.sum(), rows))
    assert ones == r"\mathbf{1}_{\mathit{rows} \times d_{\mathrm{in}}}"
    hostile = leaf("h", ("a_b_c",))
    assert sympy.latex(hostile[2:]) == r"h\left[2:\right]"
    assert r"a\_b\_c" in sympy.latex(hostile[hostile.shape[0] // 2])


# ------------------------------------------------------------------ laws over all operations


def _with_number(cls: type[Primitive], place: int, number: Any, base: Leaf) -> list[ArrayExpr]:
    """The node of an operation with a number as one operand, and its derivative."""
    sample = cls.samples[0]
    split = len(sample) - len(cls.params)
    operands = [Const(number) if i == place else base for i in range(split)]
    e = cls(*operands, *sample[split:])
    return [e, derive(e, base)] if base in e.leaves and e.dtype.differentiable else [e]


def _try_numbers(cls: type[Primitive], base: Leaf) -> None:
    """Compare an operation on a size with the same on the number 4, for each of its operands."""
    value = np.array([0.3, 0.7, 1.3, 2.5]) if base.shape else np.array(0.7)
    for place in range(len(cls.samples[0]) - len(cls.params)):
        try:
            plain = _with_number(cls, place, 4, base)
        except (RuntimeError, TypeError, ValueError):
            continue
        refusal = None
        try:
            found = _with_number(cls, place, n, base)
        except (RuntimeError, TypeError, ValueError) as error:
            found, plain, refusal = [], [], error
        assert refusal is None or re.search(r"\bn\b|whole number", str(refusal))
        for e, want in zip(found, plain, strict=True):
            assert str(e) and sympy.latex(e)
            got, expected = [
                f.evaluate(dict.fromkeys(size_names([f]), 4) | {x.name: value for x in f.leaves})
                for f in (e, want)
            ]
            assert got.dtype == expected.dtype
            np.testing.assert_allclose(got, expected, rtol=1e-12)


ELEMENTWISE = {
    name: cls
    for name, cls in kinds().items()
    if issubclass(cls, Elementwise) and cls.samples and cls.__module__.startswith("symgrad.")
    if name != "within"  # it takes no Python number
}


@with_derivative_rewrites
def test_the_conjugate_of_a_size_is_the_size() -> None:
    size = Const(n, sg.complex128)
    assert conj.of(size) is size


@each("name", in_part(list(ELEMENTWISE), group=str, among=2))
def test_a_size_is_an_operand_as_a_number_is(name: str) -> None:
    _try_numbers(ELEMENTWISE[name], a)


@pytest.mark.slow
@each("name", list(ELEMENTWISE))
def test_a_size_stands_beside_an_array_as_a_number_does(name: str) -> None:
    _try_numbers(ELEMENTWISE[name], y)


N = named_size("n")
Which = Callable[[int, int, int], bool]


def _operands(cls: type[Primitive], sample: Any, which: Which, size: Any) -> tuple[list[Any], Any]:
    """The operands of a sample with another size for some axes, and their values."""
    operands, values = [], {}
    for i, value in enumerate(sample[: len(sample) - len(cls.params)]):
        if isinstance(value, np.ndarray):
            shape = tuple(size if which(i, a, k) else k for a, k in enumerate(value.shape))
            operands.append(Leaf(f"x{i}", shape, from_numpy_dtype(value.dtype)))
            if size is not N:
                values[f"x{i}"] = np.resize(value, shape)
        else:
            operands.append(value)
    return operands, values


def _params(cls: type[Primitive], sample: Any, base: int, size: Any) -> list[Any]:
    def mapped(x: Any) -> Any:
        if type(x) is tuple:
            return tuple(map(mapped, x))
        return size if type(x) is int and x == base else x

    return [mapped(p) for p in sample[len(sample) - len(cls.params) :]]


def _formulas(cls: type[Primitive], args: Any) -> Iterator[ArrayExpr]:
    """The node, and the cotangents of its operands for one that is a leaf."""
    e = cls(*args)
    yield e
    if not (cls.differentiable and e.dtype.differentiable) or e.missing_derivative():
        return
    by = [x for i, x in enumerate(e.operands) if isinstance(x, Leaf) and i not in cls.underived]
    by = [x for x in dict.fromkeys(by) if x.dtype.differentiable]
    yield from vjp([e], [Leaf("ct", e.shape, e.dtype)], by)


def _read(make: Callable[[], Iterator[ArrayExpr]]) -> list[ArrayExpr]:
    found = []
    try:
        for e in make():
            found.append(e)  # noqa: PERF402 - what stands before an error counts
    except Exception as error:
        if not isinstance(error, (UnknownSize, ValueError, RuntimeError, TypeError)):
            raise
    return found


def _named_sample(cls: type[Primitive]) -> Any:
    """The first sample with an axis that can have a name: what is named, its size, and formulas."""
    refusal: Any = None
    for sample in cls.samples:
        split = len(sample) - len(cls.params)
        first = next(
            (i for i, v in enumerate(sample[:split]) if isinstance(v, np.ndarray) and v.ndim), None
        )
        base = 1 if first is None else sample[first].shape[0]
        if base < 2:
            continue
        choices: list[Which] = [
            lambda i, a, k, base=base: k == base,
            lambda i, a, k, base=base: a == 0 and k == base,
            lambda i, a, k, first=first: i == first and a == 0,
        ]
        for which, with_params in itertools.product(choices, (True, False)):
            operands, _ = _operands(cls, sample, which, N)
            params = _params(cls, sample, base if with_params else -1, N)
            try:
                cls(*operands, *params)
            except (RuntimeError, ValueError, TypeError, IndexError) as error:
                refusal = error
                continue
            return sample, which, base, with_params, [*operands, *params]
    return refusal


def _tried(cls: type[Primitive], size_of: Callable[[int], int]) -> int:
    """Compare formulas with a name with those of a number; return how many were equal."""
    found = _named_sample(cls)
    if not isinstance(found, tuple):
        assert found is None or "n" in str(found), found
        return 0
    sample, which, base, with_params, args = found
    size, count = size_of(base), 0
    named = _read(lambda: _formulas(cls, args))
    operands, values = _operands(cls, sample, which, size)
    params = _params(cls, sample, base if with_params else -1, size)
    plain = _read(lambda: _formulas(cls, [*operands, *params]))
    for e, want in itertools.zip_longest(named, plain):
        if e is None or want is None:
            continue
        for x in leaves(e, want):
            if x.name == "ct" and not any(isinstance(k, NamedSize) for k in x.shape):
                shape = x.shape
                values["ct"] = (
                    np.random.default_rng(0).uniform(0.3, 1.3, shape).astype(x.dtype.numpy)
                )
        given = (
            {x.name: values[x.name] for x in leaves(e)} | {"n": size} if leaves(e) else {"n": size}
        )
        try:
            got = e.evaluate(given)
        except (ValueError, IndexError, RuntimeError, TypeError):
            continue
        expected = want.evaluate({x.name: values[x.name] for x in leaves(want)})
        assert got.shape == expected.shape and got.dtype == expected.dtype
        np.testing.assert_allclose(got, expected, rtol=1e-6, atol=1e-9)
        count += 1
    return count


OPERATIONS = {
    name: cls
    for name, cls in kinds().items()
    if cls.__module__.startswith("symgrad.") and cls.samples
}
COUNTS: dict[str, int] = {}


@each("name", list(OPERATIONS))
def test_an_operation_has_the_values_of_plain_sizes_or_refuses(name: str) -> None:
    COUNTS[name] = _tried(OPERATIONS[name], lambda base: base + 3)


def test_most_operations_take_named_sizes() -> None:
    tried = [count for count in COUNTS.values() if count]
    assert not COUNTS or len(tried) > 0.9 * len(COUNTS)


@pytest.mark.slow
@each("size", [1, 2, 7])
def test_operations_at_other_sizes(size: int) -> None:
    for cls in OPERATIONS.values():
        _tried(cls, lambda base: size)
