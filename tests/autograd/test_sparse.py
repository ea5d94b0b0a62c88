"""Sparse Jacobians and Hessians beside dense ones, and how many passes they take."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest
import scipy.sparse

import symgrad as sg
from symgrad.autograd.compiled import Traced
from symgrad.autograd.sparse.coloring import groups_of
from symgrad.autograd.sparse.dependence import Dependence, Formulas
from symgrad.autograd.sparse.program import SparseProgram
from symgrad.differentiate.derive import jacobians
from symgrad.expr.atoms import Leaf, as_expr
from symgrad.expr.dtypes import float64
from symgrad.expr.shapes import size_of
from symgrad.func import grad, hessian, jacobian
from symgrad.lower.executable import Executable
from symgrad.ops.composite import Composite
from symgrad.ops.elementwise import Elementwise
from symgrad.ops.primitive import PRIMITIVES
from symgrad.ops.results import Several
from tests.each import each

RNG = np.random.default_rng(0)
X = RNG.standard_normal(12)
CAMERA = np.array([0, 2, 1, 1, 0, 2, 2])
POINT = np.array([4, 0, 1, 2, 3, 4, 0])


def rosenbrock(x: Any) -> Any:
    return np.sum(100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2)


def projected(c: Any, p: Any) -> Any:
    """Two residuals of seven observations, of three cameras and five points."""
    c, p = c[CAMERA], p[POINT]
    turned = np.cross(c[:, :3], p) + p + c[:, 3:6]
    flat = turned[:, :2] / (5 + turned[:, 2:])
    n = (flat * flat).sum(1)
    return (c[:, 6] * (1 + c[:, 7] * n + c[:, 8] * n**2))[:, None] * flat


C, P = RNG.standard_normal((3, 9)), RNG.standard_normal((5, 3))
A = RNG.standard_normal((4, 3))

#: Functions with arguments, how many elements are stored, and how many passes there are.
CASES: dict[str, tuple[Any, tuple[Any, ...], int | None, int | None]] = {
    "diagonal": (lambda x: np.sin(x) * x, (X,), 12, 1),
    "the argument": (lambda x: x, (X,), 12, 1),
    "bands": (lambda x: x[2:] - 2 * x[1:-1] + x[:-2] * x[1:-1], (X,), 30, 3),
    "gradient": (grad(rosenbrock), (X,), 34, 3),
    "sum": (rosenbrock, (X,), 12, 1),
    "sums of rows": (lambda x: np.exp(x.reshape(4, 3)).sum(1), (X,), 12, 1),
    "projections": (projected, (C, P), 14 * 12, 2),
    "block": (lambda x: x.reshape(4, 3) @ A.T, (X,), 48, 3),
    "outer product": (lambda x: x[:3, None] * x[3:6], (X,), 18, 2),
    "softmax": (lambda x: sg.softmax(x.reshape(4, 3), 1), (X,), 36, 3),
    "scan": (lambda x: np.cumsum(x.reshape(4, 3), 1) ** 2, (X,), 36, 3),
    "where": (lambda x: np.where(x > 0, x, np.flip(x) ** 2), (X,), 24, 2),
    "windows": (lambda x: np.pad(x, 1)[2:] * x, (X,), 23, 2),
    "matrices": (
        lambda x: np.linalg.solve(np.exp(x[:8]).reshape(2, 2, 2), x[8:].reshape(2, 2, 1)),
        (X,), 24, 2,
    ),
    "mask": (lambda x: x[np.arange(12) % 3 == 1] * x[:4], (X,), 8, 2),
    "sort": (lambda x: np.sort(x) ** 2, (X,), 144, 12),
    "whole": (lambda x: np.linalg.inv(x[:4].reshape(2, 2)), (X,), 16, 4),
    "one and all": (lambda x: np.concatenate([x**2, np.sum(x, keepdims=True)]), (X,), 24, 2),
    "constants": (lambda x: np.concatenate([x[:2], np.ones(3), x[1:3] * 2]), (X,), 4, None),
    "constants of the argument": (lambda x: x * sg.flip(x, (0,)).detach(), (X,), 12, 1),
    "no dependence": (lambda x: np.ones(3), (X,), 0, 0),
    "empty": (lambda x: x * 2, (np.zeros((0, 3)),), 0, 0),
    "empty sum": (lambda x: x.sum(), (np.zeros((0, 3)),), 0, 0),
    "index that moves": (lambda x: x[np.argsort(x)] ** 2, (X,), 144, 12),
    "adding": (lambda x: np.bincount(CAMERA, x[:7]), (X,), 7, 1),
    "short floats": (lambda x: np.tanh(x[1:] * x[:-1]), (X.astype(np.float32),), 22, 2),
    "beyond one by one": (lambda x: np.linalg.solve(np.eye(40), x) * x, (np.ones(40),), 1600, 40),
}  # fmt: skip


@each("name", list(CASES))
def test_the_elements_are_those_of_the_dense_one(name: str, monkeypatch: Any) -> None:
    f, args, stored, passes = CASES[name]
    if name == "adding":
        f = _added
    numbers = tuple(range(len(args)))
    with monkeypatch.context() as patch:
        made = _made(patch, SparseProgram)
        found = jacobian(f, numbers, sparse=True)(*args)
    expected = jacobian(f, numbers)(*args)
    for y, x, arg in zip(found, expected, args, strict=True):
        assert isinstance(y, scipy.sparse.csr_array)
        assert y.dtype == x.dtype
        assert y.shape == (x.size // max(1, arg.size) if arg.size else y.shape[0], arg.size)
        np.testing.assert_allclose(y.toarray(), x.reshape(y.shape), rtol=2e-6, atol=1e-12)
        assert y.has_sorted_indices
    if stored is not None:
        assert sum(y.nnz for y in found) == stored
    if passes is not None:
        assert [g.number for program in made for g in program.groups] == [passes]


def _added(x: Any) -> Any:
    zero = sg.zeros(3, dtype=sg.float64)
    return sg.index_add(zero, 0, sg.tensor(CAMERA), sg.sin(x[:7]))


def _made(monkeypatch: Any, cls: Any) -> list[Any]:
    """Return a list to which each new object of a class is appended."""
    made: list[Any] = []
    first = cls.__init__

    def init(self: Any, *args: Any, **kwargs: Any) -> None:
        first(self, *args, **kwargs)
        made.append(self)

    monkeypatch.setattr(cls, "__init__", init)
    return made


HESSIANS: dict[str, tuple[Any, tuple[Any, ...], int, int]] = {
    "bands": (rosenbrock, (X,), 34, 3),
    "diagonal": (lambda x: np.sum(np.exp(x) * x), (X,), 12, 1),
    "whole": (lambda x: np.sum(x) ** 2, (X,), 144, 12),
    "linear": (lambda x: np.sum(3 * x), (X,), 0, 0),
    "squares of differences": (
        lambda x: np.sum((x[CAMERA] - x[3 + POINT]) ** 4), (X[:8],), 20, 3,
    ),
}  # fmt: skip


@each("name", list(HESSIANS))
def test_hessians_are_those_of_the_dense_one(name: str, monkeypatch: Any) -> None:
    f, args, stored, passes = HESSIANS[name]
    with monkeypatch.context() as patch:
        made = _made(patch, SparseProgram)
        found = hessian(f, sparse=True)(*args)
    np.testing.assert_allclose(found.toarray(), hessian(f)(*args), rtol=1e-12, atol=1e-12)
    assert found.nnz == stored
    assert [g.number for program in made for g in program.groups] == [passes]


def test_results_have_the_structure_of_dense_ones() -> None:
    def f(p: Any, k: int, q: Any) -> Any:
        return {"a": p["w"] * q, "b": (p["w"].sum() * k, p["v"][0])}

    args = {"w": X[:3], "v": X[3:5]}, 2, X[5:8]
    found, expected = (jacobian(f, (0, 2), **how)(*args) for how in ({"sparse": True}, {}))
    assert found.keys() == expected.keys()
    for y, x in ((found["a"], expected["a"]), (found["b"][1], expected["b"][1])):
        for key in ("w", "v"):
            np.testing.assert_allclose(y[0][key].toarray().ravel(), x[0][key].ravel())
        np.testing.assert_allclose(y[1].toarray().ravel(), x[1].ravel())
    second = hessian(lambda p: (p["w"] ** 2 * p["v"]).sum(), sparse=True)({"w": X[:3], "v": X[3:6]})
    assert (second["w"]["v"] != second["v"]["w"].T).nnz == 0
    assert second["v"]["v"].nnz == 0


def test_what_stands_beside_the_result_is_returned() -> None:
    f = jacobian(lambda x: (x**2, (x.sum(), "text")), has_aux=True, sparse=True)
    found, (total, text) = f(X)
    np.testing.assert_array_equal(found.diagonal(), 2 * X)
    assert (float(total), text) == (pytest.approx(X.sum()), "text")


def test_a_second_call_traces_nothing(monkeypatch: Any) -> None:
    made = _made(monkeypatch, SparseProgram)
    traced = _made(monkeypatch, Traced)
    f = lambda x, index: np.sin(x[index]) * x[:4]  # noqa: E731
    derivative = jacobian(f, sparse=True)
    one, two = np.array([1, 2, 3, 4]), np.array([5, 5, 0, 1])
    for index in (one, two, one, two):
        found = derivative(X, index)
        rows, columns = np.arange(4), np.arange(4)
        expected = np.zeros((4, 12))
        expected[rows, index] += np.cos(X[index]) * X[:4]
        expected[rows, columns] += np.sin(X[index])
        np.testing.assert_allclose(found.toarray(), expected)
        found.data[:] = 0
        found.indices[:] = 0  # the caller's own
    assert (len(traced), len(made)) == (1, 2)
    derivative(X[:6], one)
    assert (len(traced), len(made)) == (2, 3)


def test_zeros_do_not_multiply_what_is_infinite() -> None:
    def f(x: Any) -> Any:
        return np.stack([np.sqrt(x[:3]) * x[3:6], x[:3] + x[3:6]], 1)

    x = np.array([0.0, 1.0, 4.0, 2.0, 3.0, 4.0])
    found = jacobian(f, sparse=True)(x).toarray()
    np.testing.assert_array_equal(found[1], [1, 0, 0, 1, 0, 0])
    assert found[0, 0] == np.inf
    assert not np.isnan(found).any()

    def by_rows(x: Any) -> Any:
        a, b, c, d = x.reshape(3, 4)[CAMERA].T
        total = b + c * d
        return np.stack([np.sqrt(a) * total, a + total], 1)

    x = np.array([0.0, 2.0, 3.0, 4.0, *range(1, 9)])
    found = jacobian(by_rows, sparse=True)(x).toarray()
    np.testing.assert_array_equal(found[1, :4], [1, 1, 4, 3])
    np.testing.assert_array_equal(found[0, :4], [np.inf, 0, 0, 0])

    x = np.arange(40.0)
    found = jacobian(lambda x: np.ones((40, 40)) @ np.sqrt(x), sparse=True)(x).toarray()
    np.testing.assert_allclose(found[:, 1:], np.tile(0.5 / np.sqrt(x[1:]), (40, 1)))
    assert (found[:, 0] == np.inf).all()


def test_random_patterns_are_split_into_groups_without_a_common_row() -> None:
    for seed in range(20):
        pattern = scipy.sparse.random_array((15, 11), density=0.15, rng=seed).tocsr()
        groups = groups_of(pattern.astype(bool))
        lines = pattern.toarray().T if not groups.are_rows else pattern.toarray()
        for g in range(groups.number):
            assert ((lines[groups.of == g] != 0).sum(0) <= 1).all()


#: The operations that are not on each element by itself.
OTHERS = sorted(
    name
    for name, cls in PRIMITIVES.items()
    if not issubclass(cls, (Elementwise, Several, Composite))
)


@each("name", OTHERS)
def test_what_an_operation_is_said_to_depend_on_is_all_it_depends_on(name: str) -> None:
    cls = PRIMITIVES[name]
    count = len(cls.params)
    for sample in cls.samples:
        arrays, params = sample[: len(sample) - count], sample[len(sample) - count :]
        arrays = [np.asarray(x) for x in arrays]
        leaves = [
            Leaf(f"x{i}", x.shape, float64) if x.dtype.kind == "f" else as_expr(x)
            for i, x in enumerate(arrays)
        ]
        wrt = [x for x in leaves if isinstance(x, Leaf)]
        node = cls(*leaves, *params)
        if not wrt or not node.dtype.is_floating_point:
            continue
        formulas = Formulas([node], wrt)
        given = {x: a for x, a in zip(leaves, arrays, strict=True) if isinstance(x, Leaf)}
        dependence = Dependence(formulas, {})
        if node not in dependence.places:
            continue
        pattern = dependence.sets.matrix(dependence.places[node]).toarray()
        start = 0
        if pattern.all():
            continue
        for x, slopes in zip(wrt, jacobians(node, wrt), strict=True):
            size = size_of(x.shape)
            places = {y: i for i, y in enumerate(given)}
            (found,) = Executable([slopes], places).arrays(list(given.values()))
            found = found.reshape(size_of(node.shape), size)
            assert not (found != 0)[~pattern[:, start : start + size]].any()
            start += size


def test_what_has_no_sparse_jacobian_is_refused(monkeypatch: Any) -> None:
    double = jacobian(lambda x: x * 2, sparse=True)
    with pytest.raises(RuntimeError, match=r"requires a gradient: pass x\.detach\(\)"):
        double(sg.tensor([1.0], requires_grad=True))
    weight = sg.tensor([1.0], requires_grad=True)
    with pytest.raises(RuntimeError, match="reads a tensor that requires a gradient"):
        jacobian(lambda x: x * weight, sparse=True)(np.ones(1, np.float32))
    with pytest.raises(RuntimeError, match="complex128; leave sparse=True out"):
        double(np.ones(2, complex))
    with pytest.raises(RuntimeError, match="a result is complex128; leave sparse=True out"):
        jacobian(lambda x: x * 1j, sparse=True)(np.ones(2))
    with pytest.raises(RuntimeError, match="only Tensors of floating point"):
        double(np.ones(2, int))
    with pytest.raises(RuntimeError, match="an argument is a formula"):
        double(sg.leaf("x", (2,)))
    with pytest.raises(RuntimeError, match="vmap"):
        sg.vmap(double)(sg.ones(2, 2))
    with pytest.raises(RuntimeError, match="scalar"):
        hessian(lambda x: x * 2, sparse=True)(np.ones(2))
    assert double(sg.tensor([1.0, 2.0])).nnz == 2
    monkeypatch.setitem(sys.modules, "scipy.sparse", None)
    with pytest.raises(ImportError, match=r"hessian\(sparse=True\).*symgrad\[special\]"):
        hessian(rosenbrock, sparse=True)
