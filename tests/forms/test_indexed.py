"""The indexed form: its sums, done at the elements of values, are the values of the formula."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import sympy

import symgrad
from symgrad import derive, leaf
from symgrad.expr.dtypes import bool_
from symgrad.expr.sizing import size_names
from symgrad.forms import indexed
from symgrad.ops import entries
from tests.each import each, in_part
from tests.expr.samples import all_samples, chain, with_derivatives
from tests.forms.test_explicit import check_named, exactly
from tests.normal_form.formulas import random_derivative

#: Not read back: `2**n` of an integer `n` is an integer to symgrad, SymPy may look without end for
#: an antiderivative of a moment, and has no Struve functions but hypergeometric ones.
NOT_BACK = {"elliptic_moment", "ldexp", "modstruve", "struve"}


def form_of(e: Any, **how: Any) -> Any:
    """The indexed form; the name of the operation that has none."""
    try:
        return e.to_sympy("indexed", **how)
    except ValueError as error:
        text = str(error).removeprefix("to_sympy('indexed'): ")
        text = text.partition(" has no formula with indices")[0]
        return text.removeprefix("SymPy has no function for ").removesuffix(" of integers")


def free_of(e: Any) -> list[sympy.Idx]:
    taken = {x.name for x in e.leaves} | set(size_names([e]))
    names = [k for k in "ijklmnpqrs" if k not in taken]
    return [sympy.Idx(k, n) for k, n in zip(names, e.shape, strict=False)]


def check_values(e: Any, form: Any, values: dict[str, np.ndarray]) -> None:
    """Compare the first and the last element with the values of the formula."""
    assert not any("symgrad" in str(type(n).__module__) for n in sympy.preorder_traversal(form))
    want = e.evaluate({x: values[x.name] for x in e.leaves})
    known = {}
    for x in e.leaves:
        is_truth = x.shape and x.dtype is bool_
        v = [exactly(int(n) if is_truth else n) for n in values[x.name].flat]
        base = sympy.IndexedBase(x.symbol, shape=x.shape) if x.shape else x.symbol
        known[base] = sympy.ImmutableDenseNDimArray(v, x.shape) if x.shape else v[0]
    places = list(np.ndindex(e.shape))
    accuracy = 1e-3 if want.dtype.itemsize == 2 else 1e-5 if want.dtype.itemsize == 4 else 1e-9
    for place in {*places[:1], *places[-1:]}:
        if not np.isfinite(want[place]):
            continue  # at a pole a formula has no value
        # SymPy may look for an antiderivative without end: integrals become numbers at last.
        at = form.subs(dict(zip(free_of(e), place, strict=True)))
        got = at.doit(integrals=False).xreplace(known)
        number = complex(bool(got)) if got in (True, False) else complex(sympy.N(got, 25))
        assert number == pytest.approx(complex(want[place]), rel=accuracy, abs=accuracy), place


def check_back(e: Any, form: Any, values: dict[str, np.ndarray]) -> None:
    """Compare the values of the formula that is read back, at all elements."""
    bases = {str(b.label) for b in form.atoms(sympy.IndexedBase)}
    bases |= {s.name for s in form.atoms(sympy.Symbol)}
    given = {x.name: x for x in e.leaves if x.name in bases}
    back = symgrad.from_sympy(form, given, indices=free_of(e))
    want = e.evaluate({x: values[x.name] for x in e.leaves})
    got = back.evaluate({x: values[x.name] for x in back.leaves})
    assert got.shape == want.shape
    accuracy = 1e-3 if want.dtype.itemsize == 2 else 1e-5 if want.dtype.itemsize == 4 else 1e-7
    finite = np.isfinite(want)
    np.testing.assert_allclose(got[finite], want[finite], rtol=accuracy, atol=accuracy)
    if given:
        tensors = {name: symgrad.tensor(values[name].copy()) for name in given}
        made = symgrad.from_sympy(form, tensors, indices=free_of(e)).numpy()
        np.testing.assert_allclose(made[finite], want[finite], rtol=accuracy, atol=accuracy)


def of_first_order(cls: Any, sample: Any) -> Iterator[tuple[Any, dict[str, np.ndarray]]]:
    for e, values in with_derivatives(cls, sample):
        if "weight" in values:  # of a second derivative
            return
        if all(np.isfinite(v).all() for v in values.values()):
            yield e, values


@each("cls, sample", in_part(all_samples(), every=30, group=lambda name: ""))
def test_operations_and_their_derivatives_have_their_values(cls: Any, sample: Any) -> None:
    for e, values in of_first_order(cls, sample):
        form = form_of(e, expand=True)
        if isinstance(form, str):
            check_named(form)
            continue
        check_values(e, form, values)
        if cls.__name__ not in NOT_BACK:
            check_back(e, form, values)
            named = form_of(e)
            if named != form:
                check_back(e, named, values)


@pytest.mark.slow
def test_almost_all_have_a_form() -> None:
    has = Counter(
        not isinstance(form_of(e), str)
        for cls, sample in [p.values for p in all_samples()]
        for e, _ in of_first_order(cls, sample)
    )
    assert has[False] < 0.2 * has.total()


@each("seed", in_part({str(n): n for n in range(200)}, every=25, group=lambda name: ""))
def test_random_formulas_have_their_values_and_come_back(seed: Any) -> None:
    found = random_derivative(seed)
    if found is None:
        return
    e, rng = found[0], np.random.default_rng(seed)
    values = {x.name: rng.uniform(0.2, 1.5, x.shape).astype(x.dtype.numpy) for x in e.leaves}
    form = e.to_sympy("indexed", expand=True)
    check_back(e, e.to_sympy("indexed"), values)
    check_back(e, form, values)
    check_values(e, form, values)


# ------------------------------------------------------------------ formulas as in a book

S, A, v, w = leaf("S", (3, 3)), leaf("A", (5, 4)), leaf("v", (3,)), leaf("w", (4,))
X, y, b, W = leaf("X", (10, 3)), leaf("y", (10,)), leaf("b", (4,)), leaf("W", (3, 4))
lam, Y, x = leaf("lam"), leaf("Y", (10, 4)), leaf("x", (4,))
M, U, V = leaf("M", (6, 5)), leaf("U", (6, 2)), leaf("V", (2, 5))
mu, D, t = leaf("mu", (3, 2)), leaf("x", (7, 2)), leaf("t", (10,), symgrad.int64)
SQUARES = ((X @ v - y) ** 2).sum()
LOGISTIC = (symgrad.log(1 + symgrad.exp(X @ v)) - y * (X @ v)).sum()
MIXTURE = -symgrad.logsumexp(-0.5 * ((D[:, None] - mu[None]) ** 2).sum(-1), 1).sum()
ROWS = {
    "mean of squares": (derive((w**2).mean(), w, 2), "KroneckerDelta(i, j)/2"),
    "quadratic form": (derive(0.5 * (v @ S @ v), v, 2), "S[i, j]/2 + S[j, i]/2"),
    "normal matrix": (derive(w @ A.T @ A @ w, w, 2), "2*Sum(A[k, i]*A[k, j], (k, 0, 4))"),
    "norm to the fourth": (
        derive((v @ v) ** 2, v, 2),
        "4*KroneckerDelta(i, j)*Sum(v[k]**2, (k, 0, 2)) + 8*v[i]*v[j]",
    ),
    "softmax": (
        derive(symgrad.softmax(v, 0), v),
        "(-softmax(Lambda(k, v[k]), i) + KroneckerDelta(i, j))*softmax(Lambda(k, v[k]), j)",
    ),
    "ridge": (
        derive(SQUARES + lam * (v @ v), v),
        "2*lam*v[i] + 2*Sum((-y[j] + Sum(X[j, k]*v[k], (k, 0, 2)))*X[j, i], (j, 0, 9))",
    ),
    "ridge, Hessian": (
        derive(SQUARES + lam * (v @ v), v, 2),
        "2*lam*KroneckerDelta(i, j) + 2*Sum(X[k, i]*X[k, j], (k, 0, 9))",
    ),
    "product": (derive(S @ W, S), "KroneckerDelta(i, k)*W[l, j]"),
    "logistic": (
        derive(LOGISTIC, v),
        "Sum((-y[j] + 1/(1 + exp(-Sum(X[j, k]*v[k], (k, 0, 2)))))*X[j, i], (j, 0, 9))",
    ),
    "mixture": (
        derive(MIXTURE, mu),
        (
            "-Sum((-mu[i, j] + x[k, j])"
            "*softmax(Lambda(l, -Sum((-mu[l, m] + x[k, m])**2, (m, 0, 1))/2), i), (k, 0, 6))"
        ),
    ),
    "factors": (
        derive(((M - U @ V) ** 2).sum(), U),
        "-2*Sum((M[i, k] - Sum(U[i, l]*V[l, k], (l, 0, 1)))*V[j, k], (k, 0, 4))",
    ),
    "factors, Hessian": (
        derive(((M - U @ V) ** 2).sum(), U, 2),
        "2*KroneckerDelta(i, k)*Sum(V[j, m]*V[l, m], (m, 0, 4))",
    ),
    "norm": (
        derive(v.norm(), v),
        (
            "Piecewise((v[i]/sqrt(Sum(v[j]**2, (j, 0, 2))), Ne(sqrt(Sum(v[j]**2, (j, 0, 2))), 0)),"
            " (0, True))"
        ),
    ),
    "slices": (
        derive((x[1:] * x[:-1]).sum(), x),
        "Piecewise((x[i + 1], i < 3), (0, True)) + Piecewise((x[i - 1], i >= 1), (0, True))",
    ),
    "stack": (
        symgrad.stack([x[0] * x[1], x[2]]),
        "Piecewise((x[0]*x[1], Eq(i, 0)), (x[2], True))",
    ),
    "gather": (W.T[t].sum(1), "Sum(W[j, Mod(t[i], 4)], (j, 0, 2))"),
    "running": (symgrad.cumsum(v, 0), "Sum(v[j], (j, 0, i))"),
    "product over": (v.prod(), "Product(v[i], (i, 0, 2))"),
    "unit axis": (W[:, None] * v[:, None, None], "W[i, k]*v[i]"),
    "cross-entropy": (
        derive(-(Y * symgrad.log_softmax(X @ W + b, 1)).sum(), b),
        None,
    ),
    "cross-entropy of indices": (
        derive(symgrad.nn.functional.cross_entropy(X @ W + b, t), W),
        None,
    ),
    "mixture, Hessian": (derive(MIXTURE, mu, 2), None),
}  # fmt: skip


@each("name", list(ROWS))
def test_the_rows_of_the_table(name: str) -> None:
    e, text = ROWS[name]
    form = e.to_sympy("indexed")
    if text is not None:
        assert str(form) == text
    rng = np.random.default_rng(0)
    values = {
        leaf.name: rng.uniform(0.2, 1.5, leaf.shape)
        if leaf.dtype.is_floating_point
        else rng.integers(0, 3, leaf.shape)
        for leaf in e.leaves
    }
    check_back(e, form, values)
    if "Hessian" not in name and "entropy" not in name:
        check_values(e, e.to_sympy("indexed", expand=True), values)


def test_names_of_leaves_and_indices() -> None:
    i, j = leaf("i", (3,)), leaf("j")
    assert str((i * j).to_sympy("indexed")) == "j*i[k]"
    assert str((i @ i).to_sympy("indexed")) == "Sum(i[j]**2, (j, 0, 2))"
    base, s = sympy.IndexedBase("alpha"), sympy.Symbol("k", positive=True)
    form = (i * j).to_sympy("indexed", symbols={"i": base, j: s})
    assert form == s * base[sympy.Idx("i", 3)]
    form = i.to_sympy("indexed", symbols={i: s})
    assert form == sympy.IndexedBase(s, shape=(3,))[sympy.Idx("i", 3)] and form.is_positive
    z = leaf("z", (2,), symgrad.complex128)
    assert z.to_sympy("indexed").is_real is None and i.to_sympy("indexed").is_real
    assert str((i * 0.1).to_sympy("indexed")) == "0.1*i[j]"
    assert str((i * 0.1).to_sympy("indexed", exact=True)) == "i[j]/10"
    back = symgrad.from_sympy(form, indices="i")
    assert back.shape == (3,) and back.to_sympy("indexed") == form


def test_what_is_refused() -> None:
    with pytest.raises(ValueError, match=r"\('indexed'\): amax has no formula with indices"):
        X.amax(1).to_sympy("indexed")
    e = symgrad.where(X > 0, X, S[0]).sum(1).exp() * y
    with pytest.raises(ValueError, match="takes the cases of a Piecewise out of the sum over j"):
        e.sum().to_sympy("indexed")
    many = sum([symgrad.where(v > n, v, n).sin() for n in range(8)]).sum()
    with pytest.raises(ValueError, match=f"more than {entries.MAX_CASES} cases"):
        many.to_sympy("indexed")
    with pytest.raises(ValueError, match=f"has {indexed.MAX_ELEMENTS + 1} elements"):
        (leaf("c", (1001,)) * np.arange(1001.0)).to_sympy("indexed")
    wide = v
    for _ in range(20):
        wide = wide.sin() + wide
    with pytest.raises(ValueError, match=f"more than {indexed.MAX_PARTS} parts"):
        wide.to_sympy("indexed")
    with pytest.raises(ValueError, match=r"too deep for it|parts along"):
        chain(5_000).to_sympy("indexed")
    with pytest.raises(TypeError, match=r"or a sympy.IndexedBase of the shape \(3,\) is wanted"):
        v.to_sympy("indexed", symbols={v: sympy.IndexedBase("u", shape=(2,))})


def test_formulas_with_indices_are_read() -> None:
    i, j, k = [sympy.Idx(name, 3) for name in "ijk"]
    B, u = sympy.IndexedBase("B", shape=(3, 3)), sympy.IndexedBase("u", shape=(3,))
    values = {"B": np.arange(9.0).reshape(3, 3) + 1, "u": np.array([0.5, -1.0, 2.0])}

    def value(form: Any, indices: Any = None) -> Any:
        e = symgrad.from_sympy(form, indices=indices)
        return e.evaluate({x.name: values[x.name] for x in e.leaves})

    b, c = values["B"], values["u"]
    cases = [
        (B[i, j], (i, j), b), (B[i, j], (j, i), b.T), (B[i, j], ["j", "i"], b.T),
        (B[i, i], None, np.diag(b)), (u[i] / u[j], (i, j), c[:, None] / c),
        (sympy.Sum(B[i, k] * u[k], (k, 0, 2)), None, b @ c), (u[2 - i], None, c[::-1]),
        (sympy.Sum(B[i, k], (k, 0, i)), None, np.tril(b).sum(1)), (u[1], (i,), np.full(3, -1.0)),
        (sympy.Sum(u[k], (k, 1, 2)), None, 1.0), (i * u[i], None, np.arange(3) * c),
        (sympy.Product(u[k] + j, (k, 0, 2)), None, np.prod(c + np.arange(3)[:, None], 1)),
        (sympy.KroneckerDelta(i, j) * u[i], (i, j), np.diag(c)), (u[sympy.Idx("n")], None, c),
        (sympy.Sum(sympy.KroneckerDelta(i, k + 1) * u[k], (k, 0, 2)), None, [0, 0.5, -1]),
        (sympy.Sum(2, (k, 0, 2)) + u[i], None, 6 + c),
        (sympy.Sum(u[k], (k, 0, 1)) * sympy.Sum(u[k], (k, 0, 2)), None, -0.75),
    ]  # fmt: skip
    for form, indices, want in cases:
        np.testing.assert_allclose(value(form, indices), want, err_msg=str(form))
    unlike = sympy.Function("g")(sympy.Lambda(k, u[k]), i)
    for form, indices, error, message in [
        (B[i, j], None, ValueError, r"free indices i, j, .* as in indices=\(i, j\)"),
        (B[i, j], (i,), ValueError, "names each free index .* leaves out j"),
        (B[i, j], (i, i, j), ValueError, "names each free index of the formula once"),
        (u[i], (3,), ValueError, "each a sympy.Idx or its name"),
        (u[i + 1], None, ValueError, r"u\[i \+ 1\] is no element .* runs from 1 to 3"),
        (u[u[i]], None, TypeError, "is no whole number"),
        (unlike, None, TypeError, "no operation stands for g"),
        (sympy.IndexedBase("q")[i], None, TypeError, "shape of q is not known"),
        (sympy.Idx("n") ** 2, None, ValueError, "range of the index n is not known"),
    ]:
        with pytest.raises(error, match=message):
            symgrad.from_sympy(form, indices=indices)
    with pytest.raises(ValueError, match=r"q\[i\] has 1 indices, and the array the shape"):
        symgrad.from_sympy(sympy.IndexedBase("q")[i], {"q": S})


def test_tensors_are_computed() -> None:
    i = sympy.Idx("i", 3)
    q = sympy.IndexedBase("q")
    value = symgrad.tensor([1.0, 2.0, 3.0], requires_grad=True)
    result = symgrad.from_sympy(sympy.Sum(q[i] ** 2, (i, 0, 2)), {q: value})
    result.backward()
    assert result.item() == 14 and value.grad.tolist() == [2.0, 4.0, 6.0]


def test_conjugates_of_what_is_zero_off_a_diagonal_are_read() -> None:
    z, A = (
        symgrad.leaf("z", (3,), symgrad.complex128),
        symgrad.leaf("A", (3, 3), symgrad.complex128),
    )
    values = {"z": np.array([1 + 2j, -1j, 3]), "A": np.arange(9).reshape(3, 3) * (1 - 1j)}
    for e in (symgrad.diag(z).conj(), symgrad.diag(z).mH @ A - (symgrad.diag(z) + A).conj()):
        for form in ("indexed", "matrix"):
            made = e.to_sympy(form)
            axes = free_of(e) if form == "indexed" else None
            back = symgrad.from_sympy(made, {x.name: x for x in e.leaves}, indices=axes)
            found, want = [f.evaluate({x: values[x.name] for x in f.leaves}) for f in (back, e)]
            np.testing.assert_allclose(found, want, rtol=1e-14)


def test_functions_along_indices_take_the_numbers_of_indices() -> None:
    i, k = sympy.Idx("i", 3), sympy.Idx("k", 3)
    along = sympy.Function("softmax")(sympy.Lambda(k, k + 1), i)
    weights = np.exp([0, 1, 2]) / np.exp([0, 1, 2]).sum()
    np.testing.assert_allclose(symgrad.from_sympy(along).evaluate(), weights, rtol=1e-14)


def test_bounds_that_are_remainders_are_read() -> None:
    y, values = symgrad.leaf("y", (3,)), np.array([1.5, 0.7, 2.0])
    around = symgrad.roll(y, 1, 0)
    for e in (symgrad.derive(symgrad.prod(around), y), symgrad.roll(symgrad.cumsum(y, 0), 1, 0)):
        back = symgrad.from_sympy(e.to_sympy("indexed"), {"y": y})
        np.testing.assert_allclose(back.evaluate({y: values}), e.evaluate({y: values}), rtol=1e-14)
