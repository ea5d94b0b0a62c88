"""The matrix form: with matrices of numbers in it, SymPy computes the values of the formula."""

from __future__ import annotations

import ast
import functools
import itertools
import operator
import re
from typing import Any

import numpy as np
import pytest
import sympy
from sympy.matrices.expressions.applyfunc import ElementwiseApplyFunction

import symgrad
from symgrad import derive, leaf
from symgrad.expr.dtypes import bool_
from symgrad.expr.graph import toposort
from symgrad.forms import indexed
from symgrad.forms.names import eye
from symgrad.ops.inverses import cofactors
from symgrad.ops.results import Result
from tests.each import each, in_part
from tests.expr.samples import all_samples, node_of
from tests.forms.test_explicit import check_named, exactly
from tests.forms.test_indexed import NOT_BACK, of_first_order
from tests.normal_form.formulas import random_derivative


def form_of(e: Any, **how: Any) -> Any:
    """The matrix form; what has none."""
    try:
        return e.to_sympy("matrix", **how)
    except ValueError as error:
        text = str(error)
        assert text.startswith(("to_sympy('matrix'): ", "SymPy has no function for ")), text
        return text.removeprefix("to_sympy('matrix'): ").partition(";")[0]


def size_of(e: Any) -> tuple[int, int]:
    if e.ndim == 2:
        return e.shape
    long = [n for n in e.shape if n != 1]
    return (*long, 1, 1)[:2]


def computed(form: Any, known: dict[Any, Any]) -> Any:
    """What SymPy computes of a form, part by part; all of a large one takes SymPy seconds."""
    if form in known:
        return known[form]
    if not form.args or isinstance(form, (sympy.Lambda, sympy.MatrixBase)):
        return form.xreplace(known)
    made = form.func(*[computed(x, known) for x in form.args])
    return made.as_explicit() if made.is_Matrix else made.doit()


def numbers_of(
    form: Any, e: Any, values: dict[str, np.ndarray], by_parts: bool = False
) -> np.ndarray:
    """The values that SymPy computes of a form, in which each symbol is replaced by numbers."""
    known = {}
    for x in e.leaves:
        v = [exactly(int(n) if x.dtype is bool_ and x.shape else n) for n in values[x.name].flat]
        v = [sympy.N(n, 30) if n.is_Rational and not n.is_Integer else n for n in v]
        if x.shape:
            size = size_of(x)
            known[sympy.MatrixSymbol(x.name, *size)] = sympy.ImmutableMatrix(*size, v)
        else:
            known[x.symbol] = v[0]
    # Integrals are computed as numbers; SymPy looks long for their formulas.
    got = computed(form, known) if by_parts else form.xreplace(known).doit(integrals=False)
    elements = got.as_explicit().flat() if got.is_Matrix else [got]
    found = [x.doit(integrals=False) for x in elements]
    return np.array(
        [complex(bool(x)) if x in (True, False) else complex(sympy.N(x, 25)) for x in found]
    )


def accuracy(want: np.ndarray) -> float:
    return 1e-3 if want.dtype.itemsize == 2 else 1e-5 if want.dtype.itemsize == 4 else 1e-9


def check_values(e: Any, form: Any, values: dict[str, np.ndarray], by_parts: bool = False) -> None:
    assert not any("symgrad" in str(type(n).__module__) for n in sympy.preorder_traversal(form))
    want = np.asarray(e.evaluate({x: values[x.name] for x in e.leaves}))
    if e.shape:
        assert form.shape == size_of(e)
    else:
        assert not getattr(form, "is_Matrix", False)
    finite = np.isfinite(want).ravel()
    if finite.all():  # at a pole a formula has no value
        close = accuracy(want)
        got = numbers_of(form, e, values, by_parts)
        np.testing.assert_allclose(got, want.ravel(), rtol=close, atol=close)


def check_back(e: Any, form: Any, values: dict[str, np.ndarray]) -> None:
    """Compare the formula that is read back, which has the shape of the matrix."""
    named = {str(x) for x in form.free_symbols}
    back = symgrad.from_sympy(form, {x.name: x for x in e.leaves if x.name in named})
    want = np.asarray(e.evaluate({x: values[x.name] for x in e.leaves}))
    assert back.shape == (size_of(e) if e.shape else ())
    got = back.evaluate({x: values[x.name] for x in back.leaves}).reshape(want.shape)
    finite, close = np.isfinite(want), max(1e-7, accuracy(want))
    np.testing.assert_allclose(got[finite], want[finite], rtol=close, atol=close)
    tensors = {x.name: symgrad.tensor(values[x.name].copy()) for x in e.leaves if x.name in named}
    if tensors:
        made = symgrad.from_sympy(form, tensors).numpy().reshape(want.shape)
        np.testing.assert_allclose(made[finite], want[finite], rtol=close, atol=close)


def check_all(e: Any, values: dict[str, np.ndarray], back: bool = True) -> None:
    """Check the form with functions written out, and with their names; or what has none."""
    form = form_of(e, expand=True)
    if isinstance(form, str):
        assert form_of(e) == form
        check_refusal(form)
        return
    if not is_regular(e, values):
        return
    check_values(e, form, values)
    if back:
        check_back(e, form, values)
        named = form_of(e)
        if isinstance(named, str):
            check_refusal(named)
        elif named != form:
            check_back(e, named, values)


def is_regular(e: Any, values: dict[str, np.ndarray]) -> bool:
    """Whether SymPy has the cofactors of the matrices, which it has by inverses alone."""
    matrices = [x.operands[0] for x in toposort([e]) if isinstance(x, cofactors)]
    known = [x.evaluate({y.name: values[y.name] for y in x.leaves}) for x in matrices]
    return all((abs(np.linalg.det(x)) > 1e-9).all() for x in known)


def check_refusal(text: str) -> None:
    """Check that a text names a part of a formula that has no form."""
    shape = re.search(r"of shape (\(.*?\))", text)
    if shape:
        sizes = ast.literal_eval(shape[1])
        assert 0 in sizes or len([n for n in sizes if n != 1]) > 2, text
        return
    name = re.match(r"SymPy has no function for (.+)|(\w+) has no form|(\w+) gives truth", text)
    if name is None:
        assert text in PARTS, text
    else:
        check_named((name[1] or name[2] or name[3]).removesuffix(" of integers"))


#: Parts without a form that are no operations.
PARTS = {
    "a stack of arrays that are no lists of numbers has no form",
    "a slice with steps has no form in SymPy's matrices",
    "a sum over an index that three arrays have is no product of matrices",
}


@each("cls, sample", in_part(all_samples(), every=25, group=lambda name: ""))
def test_operations_and_their_derivatives_have_their_values(cls: Any, sample: Any) -> None:
    for e, values in of_first_order(cls, sample):
        check_all(e, values, cls.__name__ not in NOT_BACK)


@each("seed", in_part({str(n): n for n in range(300)}, every=15, group=lambda name: ""))
def test_random_formulas_have_their_values_and_come_back(seed: Any) -> None:
    rng = np.random.default_rng(seed)
    for e in random_derivative(seed) or ():
        values = {x.name: rng.uniform(0.2, 1.5, x.shape).astype(x.dtype.numpy) for x in e.leaves}
        check_all(e, values)


# ------------------------------------------------------------------ formulas as in a book

S, A, v, w = leaf("S", (3, 3)), leaf("A", (5, 4)), leaf("v", (3,)), leaf("w", (4,))
X, y, b, W = leaf("X", (4, 3)), leaf("y", (4,)), leaf("b", (2,)), leaf("W", (3, 2))
lam, Y, a = leaf("lam"), leaf("Y", (4, 2)), leaf("a", (3,))
P, Q, R = leaf("P", (3, 3)), leaf("Q", (3, 4)), leaf("R", (4, 3))
C = leaf("C", (3, 1))
M, U, V = leaf("M", (3, 4)), leaf("U", (3, 2)), leaf("V", (2, 4))
SQUARES = ((X @ v - y) ** 2).sum()
LOGISTIC = (symgrad.log(1 + symgrad.exp(X @ v)) - y * (X @ v)).sum()
ENTROPY = -(Y * symgrad.log_softmax(X @ W + b, 1)).sum() / 10
SOFTMAX = "FunctionMatrix(3, 1, Lambda((i, k), softmax(Lambda(j, v[j, 0]), i)))"
#: A formula, its form, and the form with functions written out, if it is another.
ROWS: dict[str, tuple[Any, ...]] = {
    "mean of squares": (derive((w**2).mean(), w, 2), "(1/2)*I"),
    "quadratic form": (derive(0.5 * (v @ S @ v), v, 2), "(1/2)*S + (1/2)*S.T"),
    "normal matrix": (derive(w @ A.T @ A @ w, w, 2), "2*A.T*A"),
    "trace": (derive(symgrad.trace(P @ Q @ R), Q), "P.T*R.T"),
    "trace of a power": (symgrad.trace(P @ P @ P), "Trace(P*P*P)"),
    "bilinear form": ((v @ S @ a) ** 2, "Trace(v.T*S*a)**2"),
    "norm to the fourth": (derive((v @ v) ** 2, v, 2), "4*Trace(v.T*v)*I + 8*v*v.T"),
    "softmax": (
        derive(symgrad.softmax(v, 0), v),
        f"DiagMatrix({SOFTMAX}) - {SOFTMAX}*{SOFTMAX}.T",
        (
            "(-1/(1*Lambda(x, exp(x)).(v))[0, 0]**2)*Lambda(x, exp(x)).(v)*Lambda(x, exp(x)).(v).T"
            " + 1/(1*Lambda(x, exp(x)).(v))[0, 0]*DiagMatrix(Lambda(x, exp(x)).(v))"
        ),
    ),
    "ridge": (derive(SQUARES + lam * (v @ v), v), "2*lam*v + 2*X.T*(X*v - y)"),
    "ridge, Hessian": (derive(SQUARES + lam * (v @ v), v, 2), "2*lam*I + 2*X.T*X"),
    "least squares": (derive(SQUARES, v), "2*X.T*(X*v - y)"),
    "logistic": (
        derive(LOGISTIC, v),
        "X.T*(Lambda(x, sigmoid(x)).(X*v) - y)",
        "X.T*(Lambda(x, 1/(1 + exp(-x))).(X*v) - y)",
    ),
    "logistic, Hessian": (
        derive(LOGISTIC, v, 2),
        "X.T*DiagMatrix(Lambda(x, (1 - sigmoid(x))*sigmoid(x)).(X*v))*X",
        "X.T*DiagMatrix(Lambda(x, 1/(exp(x) + 2 + exp(-x))).(X*v))*X",
    ),
    "factors": (derive(((M - U @ V) ** 2).sum(), U), "-2*(M - U*V)*V.T"),
    "norm": (
        derive(v.norm(), v),
        "Piecewise((1/sqrt(Trace(v.T*v)), Ne(sqrt(Trace(v.T*v)), 0)), (0, True))*v",
    ),
    "entropy": (derive(ENTROPY, W), None),
    "entropy, Hessian": (derive(ENTROPY, b, 2), None),
    "softplus, Hessian": (
        derive(symgrad.nn.functional.softplus(X @ v).sum(), v, 2),
        (
            "X.T*DiagMatrix(Lambda(x, (1 - sigmoid(x))*sigmoid(x)).(X*v))"
            "*DiagMatrix(Lambda(x, Piecewise((0, x > 20), (1, True))).(X*v))*X"
        ),
        (
            "X.T*DiagMatrix(Lambda(x, 1/(exp(x) + 2 + exp(-x))).(X*v))"
            "*DiagMatrix(Lambda(x, Piecewise((0, x > 20), (1, True))).(X*v))*X"
        ),
    ),
    "power by a number": (derive((v**lam).sum(), v), None),
    "identity": ((Q @ Q.T + lam * symgrad.eye(3, dtype=symgrad.float64)) @ v, "(lam*I + Q*Q.T)*v"),
    "zeros": (derive(v @ v, a), "0"),
    "zeros added": (v + symgrad.zeros(3, dtype=symgrad.float64), "v"),
    "losses": (symgrad.nn.functional.binary_cross_entropy_with_logits(X @ v, y), None),
    "parts": (v[1:] @ a[:2] * S[0, 1] + S[0] @ v, None),
    "inverse": (symgrad.from_sympy(sympy.Inverse(sympy.MatrixSymbol("P", 3, 3))), "P**(-1)"),
    "logarithm of a determinant": (derive(symgrad.logdet(P), P), "(P**(-1)).T"),
    "determinant": (derive(symgrad.linalg.det(P), P), "Determinant(P)*(P**(-1)).T"),
    "equation": (derive(v @ symgrad.linalg.solve(P, a), a), "P.T**(-1)*v"),
    "element of a matrix of one": (derive((C.T @ P @ C)[0, 0], C), "P*C + P.T*C"),
    "number": (lam * v.sum().tanh(), "lam*tanh((1*v)[0, 0])"),
    "element of a condition": (
        symgrad.where((v > 0.7)[1], lam, 2 * lam),
        "Piecewise((lam, v[1, 0] > 0.7), (2*lam, True))",
    ),
    "conditions on elements": (
        symgrad.where(~(v > 0.7)[1] & (a > 0.5)[0], lam, 2 * lam) * v,
        None,
    ),
    "row of a condition": (symgrad.where((S > 0.7)[1], v, 0), None),
    "part of a condition": (symgrad.where((S > 0.7)[1:], S[1:], S[:2]), None),
}
#: Rows of whose values SymPy takes long.
SLOW = {"entropy, Hessian"}


@each("name", [pytest.param(k, id=k, marks=[pytest.mark.slow] * (k in SLOW)) for k in ROWS])
def test_the_rows_of_the_table(name: str) -> None:
    e, text, *expanded = ROWS[name]
    form, plain = e.to_sympy("matrix"), e.to_sympy("matrix", expand=True)
    if text is not None:
        assert str(form) == text
        assert str(plain) == (expanded or [text])[0]
    rng = np.random.default_rng(0)
    values = {x.name: rng.uniform(0.2, 1.5, x.shape) for x in e.leaves}
    check_values(e, plain, values, by_parts=True)
    check_back(e, plain, values)
    check_back(e, form, values)


def test_numbers_have_no_more_transposes_than_they_are_written_with() -> None:
    for n in (1, 2, 3):
        for factors in itertools.product((P, P.T, S, S.T), repeat=n):
            turned = sum(x in (P.T, S.T) for x in factors)
            fewest = min(turned, n - turned)
            product = functools.reduce(operator.matmul, factors)
            form = str((v @ product @ a).to_sympy("matrix"))
            assert form.startswith("Trace(") and form.count(".T") == 1 + fewest, factors
            form = str(symgrad.trace(product).to_sympy("matrix"))
            assert form.startswith("Trace(") and form.count(".T") <= fewest, factors


def test_numbers_are_what_tools_of_sympy_take() -> None:
    vectors = {x: sympy.MatrixSymbol(x.name, 3, 1) for x in (v, a)}
    square = sympy.MatrixSymbol("S", 3, 3)
    column = vectors[v]
    numbers = {
        column: sympy.Matrix([1, 2, 3]), vectors[a]: sympy.Matrix([-1, 1, 2]),
        square: sympy.Matrix(3, 3, range(9)), lam.symbol: 2,
    }  # fmt: skip
    values = {"v": [1.0, 2, 3], "a": [-1.0, 1, 2], "S": np.arange(9.0).reshape(3, 3), "lam": 2.0}
    for e in (
        v @ S @ v, (v + 1) @ a, (v**3).sum(), (v * v / a).sum(), symgrad.trace(S), v.sum(),
        symgrad.trace(S @ (S + 1)), (S * S).sum(), (lam * v).exp() @ a, (lam.exp() * v).tanh() @ a,
        symgrad.trace(S @ S @ S), v @ v + lam, symgrad.sin(v @ a) * lam + v.mean(),
        v @ symgrad.tanh(v * S) @ a,
    ):  # fmt: skip
        form = e.to_sympy("matrix", expand=True)
        want = pytest.approx(float(e.evaluate({x: values[x.name] for x in e.leaves})))
        assert float(form.subs(numbers).doit()) == want
        assert float(form.doit().subs(numbers).doit()) == want
        assert float(form.xreplace(numbers).doit().evalf()) == want
        assert sympy.latex(form) and sympy.latex(form.doit())
        if v in e.leaves:
            slope = derive(e, v)
            known = {x: values[x.name] for x in slope.leaves}
            element = sympy.diff(form.doit(), column[1, 0]).subs(numbers).doit()
            assert float(element) == pytest.approx(slope.evaluate(known)[1])
    form = (v @ S @ v).to_sympy("matrix")
    assert form.diff(column) == square * column + square.T * column


def test_names_shapes_and_symbols() -> None:
    x, x1, row = leaf("x"), leaf("x1"), leaf("row", (1, 3))
    form = (x * v + x1).sigmoid().to_sympy("matrix")
    assert str(form) == "Lambda(x2, sigmoid(x2)).(x*v + x1*1)"
    assert (x * v).to_sympy("matrix") == (x * v).to_sympy("matrix")
    theta, column = sympy.Symbol("theta", positive=True), sympy.MatrixSymbol("u", 3, 1)
    form = (x * v).to_sympy("matrix", symbols={"x": theta, v: column})
    assert form == sympy.MatMul(theta, column)
    assert v.to_sympy("matrix", symbols={v: theta}) == sympy.MatrixSymbol("theta", 3, 1)
    assert str((v * 0.1).to_sympy("matrix")) == "0.1*v"
    assert str((v * 0.1).to_sympy("matrix", exact=True)) == "(1/10)*v"
    assert row.to_sympy("matrix") == sympy.MatrixSymbol("row", 1, 3)
    assert (2 * row).to_sympy("matrix").shape == (1, 3)
    assert leaf("c", (3, 1, 2)).to_sympy("matrix") == sympy.MatrixSymbol("c", 3, 2)
    one = leaf("one", (1,))
    assert one.to_sympy("matrix") == sympy.MatrixSymbol("one", 1, 1)
    assert str((one * v).to_sympy("matrix")) == "one[0, 0]*v"
    assert (2 * one).to_sympy("matrix").shape == (1, 1)
    assert (v @ v).to_sympy("matrix").is_commutative
    with pytest.raises(TypeError, match=r"or a sympy.MatrixSymbol of the shape \(3, 1\) is wanted"):
        v.to_sympy("matrix", symbols={v: sympy.MatrixSymbol("u", 1, 3)})


def test_what_is_refused() -> None:
    cube = leaf("cube", (2, 3, 4))
    for e, part in [
        (cube, "cube of shape \\(2, 3, 4\\) has more than two axes"),
        (derive(S @ W, S), "contract of shape .* has more than two axes"),
        (
            (v[:, None, None] - cube[:1].squeeze(0)).exp().sum(),
            "of shape .* has more than two axes",
        ),
        (v.cumsum(0), "cumsum has no form in SymPy's matrices"),
        (v > 0, "gt gives truth values, which are no elements of a matrix"),
        (X.amax(1) @ y, "amax has no form"),
        (leaf("empty", (0, 3)), "empty of shape .* has no elements"),
        (leaf("c", (1001,)) * np.arange(1001.0), "numbers has 1001 elements"),
    ]:
        with pytest.raises(
            ValueError, match=rf"^to_sympy\('matrix'\): .*{part}.*'indexed'.*'explicit'"
        ):
            e.to_sympy("matrix")
    wide = v
    for _ in range(20):
        wide = wide.sin() + wide
    with pytest.raises(ValueError, match=f"more than {indexed.MAX_PARTS} parts"):
        wide.to_sympy("matrix")
    deep = v
    for _ in range(2_000):
        deep = deep.sin()
    with pytest.raises(ValueError, match=r"too deep for it"):
        deep.to_sympy("matrix")


def test_functions_of_elements_are_read() -> None:
    column, theta = sympy.MatrixSymbol("v", 3, 1), sympy.Symbol("theta", real=True)
    t, i, j, k = sympy.Symbol("t"), sympy.Idx("i", 3), sympy.Idx("j", 2), sympy.Idx("k", 3)
    values = {"v": np.array([0.5, -1.0, 2.0]), "theta": 3.0}

    def value(form: Any) -> Any:
        e = symgrad.from_sympy(form, {column: v, theta: lam})
        return e.evaluate({x.name: values[{"lam": "theta"}.get(x.name, x.name)] for x in e.leaves})

    # What stands in the function of an element is mapped, too.
    scaled = ElementwiseApplyFunction(sympy.Lambda(t, t * theta + theta), column)
    np.testing.assert_allclose(value(theta * scaled)[:, 0], 9 * (values["v"] + 1))
    made = sympy.FunctionMatrix(3, 2, sympy.Lambda((i, j), theta * column[i, 0] + j + 0 * theta))
    want = 3 * values["v"][:, None] + np.arange(2)
    np.testing.assert_allclose(value(made), want)
    np.testing.assert_allclose(value(sympy.Trace(made.T * made) * theta), 3 * (want**2).sum())
    logs = sympy.Function("logsumexp")(sympy.Lambda(k, column[k, 0]))
    np.testing.assert_allclose(value(logs), np.log(np.exp(values["v"]).sum()))
    named = column.applyfunc(sympy.Function("sigmoid"))
    np.testing.assert_allclose(value(named)[:, 0], 1 / (1 + np.exp(-values["v"])))
    with pytest.raises(TypeError, match="no operation stands for g"):
        value(column.applyfunc(sympy.Function("g")))
    with pytest.raises(TypeError, match="is made of a matrix and of what has indices"):
        value(sympy.FunctionMatrix(3, 2, sympy.Lambda((i, j), sympy.Trace(i * column * column.T))))


#: A number that is made of a matrix, with which SymPy computes less than with a symbol.
_OF_A_MATRIX = symgrad.det(leaf("A", (2, 2)) + 2 * eye(2, symgrad.float64)) + 2


@each("cls, sample", all_samples())
def test_of_a_number_made_of_a_matrix_there_is_a_form_or_a_refusal(cls: Any, sample: Any) -> None:
    outer, _ = node_of(cls, sample)
    node = outer.operands[0] if isinstance(outer, Result) else outer
    for i, old in enumerate(node.operands):
        if old.shape == () and old.dtype is symgrad.float64:
            operands = [*node.operands[:i], _OF_A_MATRIX, *node.operands[i + 1 :]]
            made = node.with_operands(operands)
            form_of(made[outer.index] if isinstance(outer, Result) else made)
