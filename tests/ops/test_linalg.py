"""Linear algebra: degenerate matrices, what is raised and of which matrix, formulas as printed."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import scipy.linalg
import sympy

import symgrad
from symgrad import derive, leaf
from symgrad.ops.linear_algebra import MatrixOperation
from symgrad.ops.primitive import PRIMITIVES
from symgrad.support.quiet import quietly
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


@pytest.mark.parametrize("value", [np.inf, -np.inf, np.nan])
def test_the_gradient_of_a_determinant_of_what_is_not_finite_is_nan(value: float) -> None:
    """It ends, and other matrices of the stack have theirs."""
    x = symgrad.eye(3, dtype=symgrad.float64).repeat(2, 1, 1)
    x[0, 0, 1] = value
    x.requires_grad_()
    symgrad.linalg.det(x).sum().backward()
    assert np.isnan(x.grad[0].numpy()).all()
    np.testing.assert_array_equal(x.grad[1].numpy(), np.eye(3))


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


# ------------------------------------------------------------------ symmetric matrices

_KINDS = [f"{kind} {'Hermitian' * h}" for kind in ("float64", "complex128") for h in (0, 1)]


def _lower(kind: str, size: int, seed: int) -> Any:
    """A matrix without symmetry, of which a factorization reads one triangle."""
    rng = np.random.default_rng(seed)
    made = rng.normal(size=(2, size, size))
    made[:, range(size), range(size)] *= seed % 3  # zeros make blocks of two rows
    return made if kind == "float64" else made + 1j * rng.normal(size=made.shape)


@each("kind, size", {f"{kind} {n}": (kind, n) for kind in _KINDS for n in (1, 2, 5, 80)})
def test_a_solution_from_the_factors_solves_the_equations(kind: str, size: int) -> None:
    name, _, hermitian = kind.partition(" ")
    for seed in range(size == 1, 3):
        lower = _lower(name, size, seed)
        whole = np.tril(lower, -1)
        turned = whole.conj() if hermitian else whole
        on = lower * np.eye(size)
        whole = whole + turned.swapaxes(-1, -2) + (on.real if hermitian else on)
        found = symgrad.linalg.ldl_factor(symgrad.tensor(lower), hermitian=bool(hermitian))
        right = np.ones((3, 1, size, 2), whole.dtype)
        got = symgrad.linalg.ldl_solve(*found, symgrad.tensor(right), hermitian=bool(hermitian))
        assert got.shape == (3, 2, size, 2)
        rest = np.abs(whole @ got.numpy() - 1).max()
        assert rest <= 1e-13 * size * np.abs(whole).max() * max(1, np.abs(got.numpy()).max())


def _is_possible(pivots: tuple[int, ...]) -> bool:
    """Whether some elimination exchanges such rows: the next block, and the rest of them."""
    n, k = len(pivots), 0
    while k < n:
        if pivots[k] in range(k + 1, n + 1):
            k += 1
        elif -pivots[k] in range(k + 2, n + 1) and pivots[k + 1] == pivots[k]:
            k += 2
        else:
            return False
    return True


@each("size", [0, 1, 2, 3])
def test_pivots_that_no_factorization_makes_are_refused(size: int) -> None:
    """LAPACK would exchange rows with what lies beside the matrix."""
    eye = symgrad.eye(size)
    for pivots in itertools.product(range(-size - 1, size + 2), repeat=size):
        for kind in (symgrad.int32, symgrad.int64, symgrad.int8):
            given = symgrad.tensor(pivots, dtype=kind)
            if _is_possible(pivots):
                assert symgrad.linalg.ldl_solve(eye, given, eye).shape == (size, size)
            else:
                with pytest.raises(RuntimeError, match="which a factorization of a"):
                    symgrad.linalg.ldl_solve(eye, given, eye)


def test_pivots_of_a_formula_are_checked_where_it_is_computed() -> None:
    pivots = leaf("p", (2,), dtype=symgrad.int64)
    solution = symgrad.linalg.ldl_solve(leaf("m", (2, 2)), pivots, leaf("v", (2, 1)))
    given = {"m": np.eye(2), "v": np.ones((2, 1))}
    assert solution.evaluate({**given, "p": np.array([1, 2])}).tolist() == [[1.0], [1.0]]
    for wrong in ([1, 3], [2**32 + 1, 2], [-1, -1], [-2, 2]):
        with pytest.raises(RuntimeError, match="which a factorization of a"):
            solution.evaluate({**given, "p": np.array(wrong)})


def test_no_derivative_of_symmetric_factors() -> None:
    m = symgrad.eye(2).requires_grad_()
    found = symgrad.linalg.ldl_factor(m)
    assert found.LD.requires_grad and not found.pivots.requires_grad
    solution = symgrad.linalg.ldl_solve(found.LD.detach(), found.pivots, m)
    for y, name in {found.LD: "ldl_factor_ex", solution: "ldl_solve"}.items():
        with pytest.raises(RuntimeError, match=rf"aten::linalg_{name} is not implemented"):
            y.sum().backward()
    x = leaf("x", (2, 2))
    with pytest.raises(RuntimeError, match="is not implemented"):
        derive(symgrad.linalg.ldl_factor(x).LD.sum(), x)


@each("name", ["logdet", "slogdet"])
def test_one_singular_matrix_leaves_the_slopes_of_the_others(name: str) -> None:
    """Its own are what one over zero is: infinite with the signs of the adjugate, or nan."""
    stack = np.array([[[2.0, 1.0], [1.0, 3.0]], [[1.0, 2.0], [2.0, 4.0]], [[0.0, 0.0], [0.0, 0.0]]])
    for values in (stack, stack[1], stack[1].astype(np.float32), stack[1] + 0j):
        x = symgrad.tensor(values, requires_grad=True)
        y = getattr(symgrad, name)(x)
        y = y if name == "logdet" else y.logabsdet
        y.real.sum().backward()
        assert x.grad is not None and x.grad.dtype == x.dtype
        singular = x.grad.numpy()[..., 1, :, :] if values.ndim == 3 else x.grad.numpy()
        assert not np.isfinite(singular).any()
        if values.dtype.kind == "f":
            assert np.array_equal(singular, [[np.inf, -np.inf], [-np.inf, np.inf]])
        if values.ndim == 3:
            np.testing.assert_allclose(x.grad[0].numpy(), np.linalg.inv(values[0]).T)
            assert np.isnan(x.grad[2].numpy()).all()


@each("name", ["logdet", "slogdet"])
def test_matrices_with_nan_have_slopes_of_nan(name: str) -> None:
    bad = [[np.nan, 1.0], [1.0, 1.0]]
    for values in (np.array(bad), np.array([bad, np.eye(2)]), np.array(bad) + 0j):
        x = symgrad.tensor(values, requires_grad=True)
        y = getattr(symgrad, name)(x)
        y = y if name == "logdet" else y.logabsdet
        y.real.sum().backward()
        found = x.grad.numpy().reshape(-1, 2, 2)
        assert np.isnan(found[0]).all()
        assert (found[1:] == np.eye(2)).all()


@each("upper, unitriangular", [(u, v) for u in (False, True) for v in (False, True)])
def test_solutions_of_triangular_matrices_have_the_digits_of_substitution(
    upper: bool, unitriangular: bool
) -> None:
    """What is left of an equation is small beside its terms, however far these are apart."""
    rng = np.random.default_rng(5)

    def drawn(*shape: int) -> Any:
        return rng.normal(size=shape) * 10.0 ** rng.integers(-8, 8, size=shape)

    for _ in range(20):
        a, b = drawn(6, 6), drawn(6, 2)
        x = symgrad.linalg.solve_triangular(
            symgrad.tensor(a), symgrad.tensor(b), upper=upper, unitriangular=unitriangular
        )
        a = np.triu(a) if upper else np.tril(a)
        if unitriangular:
            a[range(6), range(6)] = 1
        exact_a, exact_x = [np.vectorize(Fraction, [object])(m) for m in (a, x.numpy())]
        rest = (exact_a @ exact_x - np.vectorize(Fraction, [object])(b)).astype(float)
        assert (np.abs(rest) <= 1e-15 * (np.abs(a) @ np.abs(x.numpy()) + np.abs(b))).all()


# ------------------------------------------------------------------ what is not finite

_OF_MATRICES = {
    f"{name}-{i}": (cls, sample)
    for name, cls in PRIMITIVES.items()
    if issubclass(cls, MatrixOperation) and cls.__module__.startswith("symgrad.")
    for i, sample in enumerate(cls.samples)
}


def _changed(cls: type[MatrixOperation], sample: Any, i: int, value: float) -> Any:
    """Yield each place of an operand, and the floats found for `value` there; None if refused."""
    count = len(sample) - len(cls.params)
    params = dict(zip(cls.params, sample[count:], strict=True))
    for place in np.ndindex(sample[i].shape):
        operands = [np.array(x) for x in sample[:count]]
        operands[i][place] = operands[i][place] + value
        try:
            found = quietly(lambda given: cls.kernel.call(*given, **params), operands)
        except RuntimeError:
            yield place, None
            continue
        several = found if isinstance(found, tuple) else (found,)
        yield place, [np.asarray(y) for y in several if np.asarray(y).dtype.kind in "fc"]


@each("cls, sample", _OF_MATRICES)
def test_nan_is_not_lost(cls: Any, sample: Any) -> None:
    """A number that depends on an element becomes nan with it, those of other matrices stay."""
    for i, x in enumerate(sample[: len(sample) - len(cls.params)]):
        if not isinstance(x, np.ndarray) or x.dtype.kind != "f" or i in cls.underived:
            continue
        cases = zip(*[_changed(cls, sample, i, v) for v in (0.0, 1e-3, np.nan)], strict=True)
        for (place, before), (_, after), (_, lost) in cases:
            if lost is None or after is None:
                continue
            for y, moved, found in zip(before, after, lost, strict=True):
                assert np.isnan(found[np.abs(moved - y) > 1e-9 * (1 + np.abs(y))]).all(), place
                if x.ndim == 3:
                    others = np.arange(len(x)) != place[0]
                    np.testing.assert_allclose(found[others], y[others], rtol=1e-12)


@each("cls, sample", _OF_MATRICES)
def test_infinities_end_in_numbers_or_in_errors_of_linear_algebra(cls: Any, sample: Any) -> None:
    for i, x in enumerate(sample[: len(sample) - len(cls.params)]):
        if isinstance(x, np.ndarray) and x.dtype.kind == "f" and i not in cls.underived:
            for value in (np.inf, -np.inf):
                assert len(list(_changed(cls, sample, i, value))) == x.size


# ------------------------------------------------------------------ norms of matrices


@each("shape", [(0, 0), (0, 3), (3, 0), (2, 0, 3), (2, 3, 0), (0, 2, 2)])
def test_norms_of_matrices_without_elements(shape: tuple[int, ...]) -> None:
    """The largest of no sizes is 0, and the smallest is an error, as NumPy's for no elements."""
    x = symgrad.zeros(shape)
    for order in ("fro", "nuc", 2, -2, 1, -1, np.inf, -np.inf):
        sums = {1: shape[-1], -1: shape[-1], np.inf: shape[-2], -np.inf: shape[-2]}
        count = sums.get(order, min(shape[-2:]))
        for keep in (False, True):
            if order in (-2, -1, -np.inf) and not count:
                with pytest.raises(IndexError, match="to have non-zero size"):
                    symgrad.linalg.matrix_norm(x, order, keepdim=keep)
            else:
                found = symgrad.linalg.matrix_norm(x, order, keepdim=keep)
                assert found.shape == shape[:-2] + (1, 1) * keep and (found == 0).all()
        if order not in ("fro", "nuc") or shape[-2] == shape[-1]:
            assert (symgrad.linalg.cond(x, order) == 0).all() or shape[0] == 0


@each("order", ["fro", "nuc", 1, -1, np.inf, -np.inf])
def test_the_condition_of_singular_matrices_is_infinite(order: Any) -> None:
    stack = symgrad.tensor(np.stack([2 * np.eye(2), _SINGULAR, 0 * _SINGULAR]))
    x = stack.requires_grad_()
    found = symgrad.linalg.cond(x, order)
    assert found.tolist()[1:] == [np.inf, np.inf] and found[0] >= 1
    found[0].backward()
    assert (x.grad[0].abs() < 1e-12).all()


# ------------------------------------------------------------------ least squares


@each("driver", ["gels", "gelsy", "gelsd", "gelss"])
def test_residuals_inside_vmap_and_of_formulas(driver: str) -> None:
    rng = np.random.default_rng(6)
    stack, right = rng.normal(size=(3, 4, 2)), rng.normal(size=(3, 4, 2))

    def residuals(x: Any, y: Any) -> Any:
        return symgrad.linalg.lstsq(x, y, driver=driver).residuals

    wanted = residuals(symgrad.tensor(stack), symgrad.tensor(right))
    found = symgrad.vmap(residuals)(symgrad.tensor(stack), symgrad.tensor(right))
    np.testing.assert_allclose(found.numpy().reshape(wanted.shape), wanted.numpy(), rtol=1e-12)
    x, y = leaf("x", (4, 2)), leaf("y", (4, 2))
    formula = residuals(x, y)
    if driver == "gelsy":
        assert wanted.shape == (0,) and formula.shape == (0,)
    else:
        first = formula.evaluate({x: stack[0], y: right[0]})
        np.testing.assert_allclose(first, wanted[0].numpy(), rtol=1e-12)
    stack[1, :, 1] = 2 * stack[1, :, 0]  # of rank 1
    if driver in ("gelsd", "gelss"):
        assert residuals(symgrad.tensor(stack), symgrad.tensor(right)).shape == (0,)
        each_one = symgrad.vmap(residuals)(symgrad.tensor(stack), symgrad.tensor(right))
        assert each_one.shape == (3, 0)


# ------------------------------------------------------------------ functions of Hermitian matrices


def _written(kind: str, x: Any) -> Any:
    """The square of the exponential of a Hermitian matrix, by eigenvalues and eigenvectors."""
    w, v = symgrad.linalg.eigh(x)
    g = (2 * w).exp()
    column = g.unsqueeze(-1)
    return {
        "columns": lambda: (v * g.unsqueeze(-2)) @ v.mH,
        "rows": lambda: v @ (column * v.mH),
        "diagonal": lambda: v @ g.diag_embed().to(v.dtype) @ v.mH,
        "from the right": lambda: v @ (g.diag_embed().to(v.dtype) @ v.mH),
        "subscripts": lambda: symgrad.einsum("...ij,...j,...kj->...ik", v, g.to(v.dtype), v.conj()),
        "two factors": lambda: (v * w.exp().unsqueeze(-2) * w.exp().unsqueeze(-2)) @ v.mH,
        "halves": lambda: (v * w.exp().unsqueeze(-2)) @ (v * w.exp().unsqueeze(-2)).mH,
    }[kind]()


_WRITTEN = ["columns", "rows", "diagonal", "from the right", "subscripts", "two factors", "halves"]


@each("kind", _WRITTEN)
def test_functions_of_a_hermitian_matrix_have_derivatives_where_eigenvalues_are_equal(
    kind: str,
) -> None:
    """Reverse, forward and as formulas, against the derivative of the exponential by SciPy."""
    rng = np.random.default_rng(7)
    for imaginary in (0, 1j):
        turn = np.linalg.qr(rng.normal(size=(3, 3)) + imaginary * rng.normal(size=(3, 3)))[0]
        weights = rng.normal(size=(3, 3)) + imaginary * rng.normal(size=(3, 3))
        hermitian = (weights + weights.conj().T) / 2
        for values in ([1.0, 1.0, 1.0], [0.5, 0.5, -1.0], [0.5, 0.5 + 1e-9, -1.0], [0.3, -1.0, 1]):
            point = turn @ np.diag(values) @ turn.conj().T
            point = (point + point.conj().T) / 2
            wanted = scipy.linalg.expm_frechet(2 * point, 2 * hermitian, compute_expm=False)
            x = symgrad.tensor(np.stack([point, np.eye(3)]), requires_grad=True)
            (_written(kind, x)[0] * symgrad.tensor(weights.conj())).sum().real.backward()
            f = leaf("f", (3, 3), x.dtype)
            formula = derive((_written(kind, f) * weights.conj()).sum().real, f)
            first, second = symgrad.tensor(point), symgrad.tensor(hermitian)
            _, moved = symgrad.func.jvp(lambda y: _written(kind, y), (first,), (second,))
            for found in (x.grad[0].numpy(), formula.evaluate({f: point}), moved.numpy()):
                np.testing.assert_allclose(found, wanted, rtol=1e-7, atol=1e-9)


@each("kind", _WRITTEN)
def test_second_derivatives_of_functions_of_a_hermitian_matrix(kind: str) -> None:
    f = leaf("f", (3, 3))
    weights, direction = np.random.default_rng(8).normal(size=(2, 3, 3))
    point = weights @ weights.T
    first = derive((_written(kind, f) * weights).sum(), f)
    second = derive((first * direction).sum(), f).evaluate({f: point})
    h = 1e-4

    def along(step: float) -> np.ndarray:
        return np.asarray(first.evaluate({f: point + step * direction}))

    wanted = (8 * (along(h) - along(-h)) - (along(2 * h) - along(-2 * h))) / (12 * h)
    np.testing.assert_allclose(second, wanted, rtol=1e-6, atol=1e-6)


def test_a_product_that_is_no_function_of_a_matrix() -> None:
    """Vectors of two matrices, a weight that is no diagonal, or vectors along their rows."""
    f, h = leaf("f", (3, 3)), leaf("h", (3, 3))
    (w, v), (_, u) = symgrad.linalg.eigh(f), symgrad.linalg.eigh(h)
    rng = np.random.default_rng(9)
    given = {k: (lambda m: m @ m.T)(rng.normal(size=(3, 3))) for k in (f, h)}
    direction = rng.normal(size=(3, 3))
    direction = direction + direction.T
    for made in ((v * w) @ u.mT, v @ h @ v.mT, v.mT @ (w[:, None] * v), (v * w) @ v, v * w @ v.T):
        slope = derive((made * rng.normal(size=(3, 3))).sum(), f)
        weights = derive((made * leaf("c", (3, 3))).sum(), f)
        step, c = 1e-5, rng.normal(size=(3, 3))
        ends = [
            (made.evaluate({**given, f: given[f] + s * step * direction}) * c).sum()
            for s in (1, -1)
        ]
        found = (weights.evaluate({**given, "c": c}) * direction).sum()
        assert found == pytest.approx((ends[0] - ends[1]) / (2 * step), rel=1e-5, abs=1e-7)
        assert np.isfinite(slope.evaluate(given)).all()


def _by_singular_vectors(kind: str, x: Any, m: Any) -> Any:
    """A function of the singular values with the singular vectors, by symgrad (`m`) or NumPy."""
    if m is np:
        u, s, vh = np.linalg.svd(x, full_matrices=False)
        return u @ vh if kind == "polar" else (u * np.tanh(s)) @ vh
    u, s, vh = symgrad.linalg.svd(x, full_matrices=False)
    g = s.tanh()
    return {
        "polar": lambda: u @ vh,
        "columns": lambda: (u * g.unsqueeze(-2)) @ vh,
        "rows": lambda: u @ (g.unsqueeze(-1) * vh),
        "diagonal": lambda: u @ g.diag_embed().to(u.dtype) @ vh,
        "subscripts": lambda: symgrad.einsum("ij,j,jk->ik", u, g.to(u.dtype), vh),
        "V": lambda: (symgrad.svd(x).U * g) @ symgrad.svd(x).V.mH,
    }[kind]()


@each("kind", ["polar", "columns", "rows", "diagonal", "subscripts", "V"])
def test_functions_of_a_matrix_by_singular_vectors_where_values_are_equal(kind: str) -> None:
    """Reverse and forward, against differences of NumPy's."""
    rng = np.random.default_rng(10)

    def drawn(imaginary: complex, *shape: int) -> Any:
        return rng.normal(size=shape) + imaginary * rng.normal(size=shape)

    cases = itertools.product(((3, 3), (4, 2), (2, 4)), ((1, 1, 1), (2, 0.5, 0.5)), (0, 1j))
    for (m, n), values, imaginary in cases:
        k = min(m, n)
        left, right = [np.linalg.qr(drawn(imaginary, size, k))[0] for size in (m, n)]
        point = (left * np.array(values[:k])) @ right.conj().T
        weights, direction = drawn(imaginary, m, n), drawn(imaginary, m, n)

        def along(step: float) -> float:
            made = _by_singular_vectors(kind, point + step * direction, np)  # noqa: B023
            return float((made * weights).sum().real)  # noqa: B023

        h = 1e-3
        wanted = (8 * (along(h) - along(-h)) - (along(2 * h) - along(-2 * h))) / (12 * h)
        x = symgrad.tensor(point, requires_grad=True)
        (_by_singular_vectors(kind, x, symgrad) * symgrad.tensor(weights)).sum().real.backward()
        found = (x.grad.numpy().conj() * direction).sum().real
        _, moved = symgrad.func.jvp(
            lambda y: _by_singular_vectors(kind, y, symgrad),
            (symgrad.tensor(point),),
            (symgrad.tensor(direction),),
        )
        pushed = (moved.numpy() * weights).sum().real
        assert (found, pushed) == pytest.approx((wanted, wanted), rel=1e-6, abs=1e-6)


@each("upper", [False, True])
def test_no_gradient_reaches_the_triangle_that_a_factor_has_not(upper: bool) -> None:
    """PyTorch gives the gradient of all elements, of which its values read one triangle."""
    factor = symgrad.tensor([[2.0, 0.3], [0.5, 1.5]], requires_grad=True)
    b = symgrad.tensor([[1.0], [2.0]])
    read = symgrad.ones(2, 2).triu() if upper else symgrad.ones(2, 2).tril()
    for y in (
        symgrad.cholesky_inverse(factor, upper=upper),
        symgrad.cholesky_solve(b, factor, upper=upper),
    ):
        (slope,) = symgrad.autograd.grad(y.sum(), factor)
        assert symgrad.equal(slope != 0, read.bool())
