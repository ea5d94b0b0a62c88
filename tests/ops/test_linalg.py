"""Linear algebra: degenerate matrices, what is raised and of which matrix, formulas as printed."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
import sympy

import symgrad
from symgrad import derive, leaf
from tests.each import each

A, B = leaf("A", (3, 3)), leaf("B", (3, 3))
a, b = leaf("a", (3,)), leaf("b", (3,))
inv, det, slogdet = symgrad.linalg.inv, symgrad.linalg.det, symgrad.linalg.slogdet

#: What is derived, by what, and the derivative as it is printed.
TEXTBOOK = {
    "log det": (symgrad.logdet(A), "inv(A).T"),
    "log |det|": (slogdet(A)[1], "inv(A).T"),
    "det": (det(A), "cofactors(A)"),
    "inverse form": (a @ inv(A) @ b, "t1 = inv(A)\n-outer(t1.T @ a, t1 @ b)"),
    "solution": (b @ symgrad.linalg.solve(A, a), "-outer(solve(A.T, b), solve(A, a))"),
    "nuclear norm": (
        symgrad.linalg.svdvals(A).sum(),
        "t1 = linalg.svd(A, full_matrices=False)\nt1.U @ t1.Vh",
    ),
    "trace": (symgrad.linalg.eigvalsh(A).sum(), "eye(3, dtype=float64)"),
    "trace of an inverse": (inv(A).trace(), "t1 = inv(A).T\n-t1 @ t1"),
}


@each("name", list(TEXTBOOK))
def test_derivatives_read_as_in_the_textbook(name: str) -> None:
    formula, text = TEXTBOOK[name]
    assert str(derive(formula, A)) == text


_OF_RANK = {
    "0": np.zeros((3, 3)),
    "1": np.outer([1.0, -2.0, 0.5], [2.0, 1.0, 4.0]),
    "2": np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]),
    "3": np.array([[1.0, 2.0, 0.5], [-0.5, 1.5, 1.0], [0.25, -1.0, 2.0]]),
}


@each("rank", list(_OF_RANK))
def test_derivatives_of_a_determinant_are_right_at_every_rank(rank: str) -> None:
    """To the third order, where PyTorch's first is zero for some singular matrices."""
    names = sympy.Matrix(3, 3, sympy.symbols("a:9"))
    point = dict(zip(names, _OF_RANK[rank].flat, strict=True))
    polynomial = sympy.Poly(names.det(), *names)
    for order in (1, 2, 3):
        found = derive(det(A), A, order=order).evaluate({A: _OF_RANK[rank]}).reshape((9,) * order)
        for place in itertools.combinations_with_replacement(range(9), order):
            want = polynomial
            for k in place:
                want = want.diff(names[k])
            assert found[place] == pytest.approx(float(want.as_expr().subs(point)), abs=1e-12)


_SINGULAR = np.array([[1.0, 2.0], [2.0, 4.0]])
_REFUSED: dict[str, tuple[Any, str]] = {
    "solve": (
        lambda x: symgrad.linalg.solve(x, x),
        "torch.linalg.solve: {}The solver failed because the",
    ),
    "cholesky": (
        lambda x: symgrad.linalg.cholesky(x - 2 * symgrad.eye(2, dtype=x.dtype) * (x.abs() > 3)),
        "linalg.cholesky: {}The factorization could not be completed because the input is not pos",
    ),
    "inv": (inv, "linalg.inv: {}The diagonal element 2 is zero, the inversion could not be"),
}


@each("name", list(_REFUSED))
def test_a_singular_matrix_is_named(name: str) -> None:
    f, message = _REFUSED[name]
    stack = np.stack([np.eye(2), _SINGULAR])
    for given, which in ((_SINGULAR, ""), (stack, r"(Batch element 1): ")):
        for x in (given, given.astype(np.complex64)):
            with pytest.raises(symgrad.linalg.LinAlgError) as refused:
                f(symgrad.tensor(x))
            assert str(refused.value).startswith(message.format(which))
    assert issubclass(symgrad.linalg.LinAlgError, RuntimeError)


def test_a_stack_of_regular_and_singular_matrices() -> None:
    stack = symgrad.tensor(np.stack([2 * np.eye(2), _SINGULAR]), requires_grad=True)
    inverse, info = symgrad.linalg.inv_ex(stack)
    assert info.tolist() == [0, 2] and info.dtype is symgrad.int32
    assert inverse[0].tolist() == [[0.5, 0.0], [0.0, 0.5]] and inverse[1].isnan().all()
    sign, log = slogdet(stack.detach())
    assert sign.tolist() == [1, 0] and log.tolist() == [np.log(4), -np.inf]
    det(stack).sum().backward()
    np.testing.assert_allclose(stack.grad.numpy(), [[[2, 0], [0, 2]], [[4, -2], [-2, 1]]])


def _turned(values: list[float], rows: int = 3, columns: int = 3) -> np.ndarray:
    """A matrix that has these singular values, or for a square one of three rows eigenvalues."""
    drawn = np.random.default_rng(3)
    u, v = (np.linalg.qr(drawn.normal(size=(n, n)))[0] for n in (rows, columns))
    middle = np.zeros((rows, columns))
    np.fill_diagonal(middle, values)
    return u @ middle @ (u.T if rows == columns else v)


#: Functions of a spectrum that treat all of it alike.
_OF_SPECTRUM: dict[str, Any] = {
    "sum": lambda w: w.sum(),
    "squares": lambda w: w.square().sum(),
    "exp": lambda w: w.exp().sum(),
    "logsumexp": lambda w: w.logsumexp(-1).sum(),
    "product": lambda w: w.prod(-1).sum(),
}
_REPEATED: dict[str, tuple[Any, np.ndarray]] = {
    "eigvalsh": (symgrad.linalg.eigvalsh, _turned([2.0, 2.0, -1.0])),
    "eigvalsh alike": (symgrad.linalg.eigvalsh, np.eye(3)),
    "eigvalsh close": (symgrad.linalg.eigvalsh, _turned([2.0, 2 + 1e-7, -1.0])),
    "eigvalsh stack": (symgrad.linalg.eigvalsh, np.stack([np.eye(2), np.diag([1.0, 2.0])])),
    "svdvals": (symgrad.linalg.svdvals, _turned([2.0, 2.0, 0.5])),
    "svdvals tall": (symgrad.linalg.svdvals, _turned([2.0, 2.0], 3, 2)),
    "svdvals wide": (symgrad.linalg.svdvals, _turned([2.0, 1.0], 2, 3)),
}


@each("name", [f"{x}: {f}" for x in _REPEATED for f in _OF_SPECTRUM])
def test_functions_of_a_spectrum_have_derivatives_where_values_are_equal(name: str) -> None:
    """The second one against differences of the first, in formulas and as it is recorded."""
    which, _, of = name.partition(": ")
    values, point = _REPEATED[which]
    x = leaf("x", point.shape)
    first = derive(_OF_SPECTRUM[of](values(x)), x)
    direction = np.random.default_rng(4).normal(size=point.shape)

    def along(step: float) -> np.ndarray:
        return np.asarray(first.evaluate({x: point + step * direction}))

    h = 1e-3
    wanted = (8 * (along(h) - along(-h)) - (along(2 * h) - along(-2 * h))) / (12 * h)
    t = symgrad.tensor(point, requires_grad=True)
    [g] = symgrad.autograd.grad(_OF_SPECTRUM[of](values(t)), t, create_graph=True)
    found = [0 * wanted]
    if g.requires_grad:
        found = symgrad.autograd.grad((g * symgrad.tensor(direction)).sum(), t, allow_unused=True)
    for got in (found[0], derive((first * direction).sum(), x).evaluate({x: point})):
        np.testing.assert_allclose(np.asarray(got), wanted, rtol=1e-7, atol=1e-7)


def test_the_spectrum_at_zero() -> None:
    """Even functions of singular values are smooth at the matrix of zeros."""
    x = leaf("x", (3, 2))
    for f in (lambda s: s.square().sum(), lambda s: 2 * s.cosh().sum()):
        second = derive(f(symgrad.linalg.svdvals(x)), x, order=2)
        found = second.evaluate({x: np.zeros((3, 2))}).reshape(6, 6)
        np.testing.assert_allclose(found, 2 * np.eye(6), atol=1e-12)
