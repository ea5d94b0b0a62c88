"""Functions of a matrix by its decomposition have every derivative, where values are equal, too.

Each is compared with a formula of the same function that decomposes nothing.
"""

from __future__ import annotations

import functools
import itertools
from typing import Any

import numpy as np
import pytest

import symgrad
from symgrad import derive, leaf
from symgrad.autograd.forward_ad import dual_level, make_dual, unpack_dual
from symgrad.linalg import det, eigh, eigvalsh, slogdet, svd, svdvals, vector_norm
from symgrad.nn.functional import normalize, softplus
from tests.each import each, in_part

_T = np.float64(0.7)
_EIGENVALUES = {
    "equal": [2.0, 2.0, 2.0], "two equal": [1.0, 1.0, -1.5], "next to": [1.0, 1 + 1e-9, 2.0],
    "close": [1.0, 1 + 1e-5, 2.0], "near": [1.0, 1.001, 1.002], "apart": [1.0, -1.0, 3.0],
}  # fmt: skip
_SINGULAR_VALUES = {
    "equal": [1.0, 1.0, 1.0], "two equal": [2.0, 0.5, 0.5], "close": [1.0, 1 + 1e-6, 2.0],
    "apart": [2.0, 1.0, 0.3], "small": [1.0, 1e-7, 2.0], "zero": [2.0, 0.0, 0.0],
}  # fmt: skip


def _drawn(seed: int, *shape: int, imaginary: complex = 0) -> Any:
    rng = np.random.default_rng(seed)
    return rng.normal(size=shape) + imaginary * rng.normal(size=shape)


def _hermitian(x: Any) -> Any:
    return (x + x.mH) / 2


def _cube(x: Any) -> Any:
    return _hermitian(x) @ _hermitian(x) @ _hermitian(x)


def _trace(x: Any) -> Any:
    return (
        x.diagonal(0, -2, -1).sum(-1).real if x.dtype.is_complex else x.diagonal(0, -2, -1).sum(-1)
    )


def _exp(x: Any, t: Any) -> Any:
    return symgrad.linalg.matrix_exp(t * _hermitian(x))


def _weighed(made: Any) -> Any:
    product = made * _drawn(9, *made.shape)
    return (product.real if made.dtype.is_complex else product).sum()


def _by_vectors(x: Any, t: Any) -> Any:
    w, v = eigh(x)
    return _weighed((v * (t * w).exp()) @ v.mH)


def _gram(x: Any) -> Any:
    return x.mH @ x if x.shape[0] >= x.shape[1] else x @ x.mH


def _eye(x: Any) -> np.ndarray:
    return np.eye(x.shape[-1])


def _by_singular_vectors(x: Any, t: Any) -> Any:
    u, s, vh = svd(x, full_matrices=False)
    return _weighed((u * (t * s**3)) @ vh)


def _polar(x: Any, t: Any) -> Any:
    u, _, vh = svd(x, full_matrices=False)
    return t * _weighed(u @ vh)


def _polar_by_root(x: Any, t: Any) -> Any:
    w, v = eigh(_gram(x))
    root = (v * w**-0.5) @ v.mH
    return t * _weighed(x @ root if x.shape[0] >= x.shape[1] else root @ x)


#: Functions of a matrix and a number: by its decomposition, and without.
_OF_EIGENVALUES: dict[str, tuple[Any, Any]] = {
    "exp": (lambda x, t: (t * eigvalsh(x)).exp().sum(), lambda x, t: _trace(_exp(x, t))),
    "logsumexp": (
        lambda x, t: (t * eigvalsh(x)).logsumexp(-1), lambda x, t: _trace(_exp(x, t)).log(),
    ),
    "norm": (
        lambda x, t: t * vector_norm(eigvalsh(x)), lambda x, t: t * vector_norm(_hermitian(x)),
    ),
    "log": (
        lambda x, t: t * (eigvalsh(x) ** 2 + t).log().sum(),
        lambda x, t: t * slogdet(_hermitian(x) @ _hermitian(x) + t * _eye(x))[1],
    ),
    "softplus": (
        lambda x, t: softplus(t * eigvalsh(x)).sum(),
        lambda x, t: slogdet(_eye(x) + _exp(x, t))[1],
    ),
    "cubes": (
        lambda x, t: t * (eigvalsh(x) ** 3).sum(),
        lambda x, t: t * _trace(_cube(x)),
    ),
    "shares": (
        lambda x, t: t * ((eigvalsh(x) / eigvalsh(x).sum()) ** 3).sum(),
        lambda x, t: t * _trace(_cube(x)) / _trace(x) ** 3,
    ),
    "by vectors": (_by_vectors, lambda x, t: _weighed(_exp(x, t))),
}  # fmt: skip
_OF_SINGULAR_VALUES: dict[str, tuple[Any, Any]] = {
    "log": (
        lambda x, t: t * (svdvals(x) ** 2 + 0.5).log().sum(),
        lambda x, t: t * slogdet(_gram(x) + 0.5 * _eye(_gram(x)))[1],
    ),
    "powers": (
        lambda x, t: t * (svdvals(x) ** 4).sum(), lambda x, t: t * _trace(_gram(x) @ _gram(x)),
    ),
    "norm": (lambda x, t: t * vector_norm(svdvals(x)), lambda x, t: t * vector_norm(x)),
    "by vectors": (_by_singular_vectors, lambda x, t: _weighed(t * (x @ x.mH @ x))),
    "sum": (lambda x, t: t * svdvals(x).sum(), lambda x, t: t * eigvalsh(_gram(x)).sqrt().sum()),
    "polar": (_polar, _polar_by_root),
}  # fmt: skip


#: The functions and the spectra that gradients with hooks are tried for.
_WITH_HOOKS: dict[str, tuple[dict[str, tuple[Any, Any]], dict[str, list[float]]]] = {
    "eigenvalues": (_OF_EIGENVALUES, _EIGENVALUES),
    "singular": (_OF_SINGULAR_VALUES, _SINGULAR_VALUES),
}


def _further(f: Any, x: Any, directions: list[Any], t: Any = _T, hook: Any = None) -> list[float]:
    """The derivatives of each order along one more direction, in which the number moves as well."""
    a, b = symgrad.tensor(x, requires_grad=True), symgrad.tensor(t, requires_grad=True)
    y, found = f(a, b), []
    for direction in directions:
        by_x, by_t = symgrad.autograd.grad(y, [a, b], create_graph=True)
        if hook is not None:
            by_x.register_hook(hook)
            by_t.register_hook(hook)
        product = by_x.conj() * symgrad.tensor(direction)
        y = (product.real if product.is_complex() else product).sum() + 0.3 * by_t
        found.append(y.item())
    return found


def _check(f: Any, without: Any, x: Any, imaginary: complex) -> None:
    directions = [_drawn(k, *x.shape, imaginary=imaginary) for k in range(4)]
    found, wanted = _further(f, x, directions), _further(without, x, directions)
    np.testing.assert_allclose(found, wanted, rtol=1e-8, atol=1e-8)
    if imaginary:
        return
    a, b = leaf("a", x.shape), leaf("b")
    y = f(a, b)
    for direction, value in zip(directions[:3], wanted, strict=False):
        y = (derive(y, a) * direction).sum() + 0.3 * derive(y, b)
        assert y.evaluate({a: x, b: _T}) == pytest.approx(value, rel=1e-8, abs=1e-8)


@each(
    "case", in_part([f"{f}: {x}" for f in _OF_EIGENVALUES for x in _EIGENVALUES], 5, lambda _: "")
)
def test_functions_of_eigenvalues_to_the_fourth_order(case: str) -> None:
    name, _, values = case.partition(": ")
    for imaginary in (0, 1j) if values in ("two equal", "near") else (0,):
        turn, _ = np.linalg.qr(_drawn(5, 3, 3, imaginary=imaginary))
        x = (turn * np.array(_EIGENVALUES[values])) @ turn.conj().T
        _check(*_OF_EIGENVALUES[name], (x + x.conj().T) / 2, imaginary)


@each(
    "case",
    in_part([f"{f}: {x}" for f in _OF_SINGULAR_VALUES for x in _SINGULAR_VALUES], 7, lambda _: ""),
)
def test_functions_of_singular_values_to_the_fourth_order(case: str) -> None:
    name, _, values = case.partition(": ")
    if min(_SINGULAR_VALUES[values]) < 0.1 and name in ("sum", "polar"):
        return  # they have no derivative at zero
    kinds = (0, 1j) if values == "two equal" else (0,)
    for (m, n), imaginary in itertools.product(((3, 3), (4, 2), (2, 4)), kinds):
        k = min(m, n)
        left, right = (np.linalg.qr(_drawn(6, size, k, imaginary=imaginary))[0] for size in (m, n))
        x = (left * np.array(_SINGULAR_VALUES[values][:k])) @ right.conj().T
        _check(*_OF_SINGULAR_VALUES[name], x, imaginary)


#: Functions that read a number in other ways than in a product.
_BESIDE_NUMBERS: dict[str, tuple[Any, Any]] = {
    "normalized": (
        lambda x, t: t * (normalize(eigvalsh(x), dim=-1) ** 3).sum(),
        lambda x, t: t * _trace(_cube(x)) / vector_norm(_hermitian(x)) ** 3,
    ),
    "repeated": (
        lambda x, t: (eigvalsh(x) + t.expand(3)).exp().sum(),
        lambda x, t: _trace(_exp(x, 1.0)) * t.exp(),
    ),
    "between": (
        lambda x, t: eigvalsh(x).lerp(t, 0.25).exp().sum(),
        lambda x, t: _trace(_exp(x, 0.75)) * (t / 4).exp(),
    ),
}


@each("name", list(_BESIDE_NUMBERS))
def test_third_derivatives_of_functions_beside_numbers(name: str) -> None:
    turn, _ = np.linalg.qr(_drawn(5, 3, 3))
    x, directions = (turn * [2.0, 2.0, 1.0]) @ turn.T, [_drawn(k, 3, 3) for k in range(3)]
    found, wanted = (_further(f, x, directions) for f in _BESIDE_NUMBERS[name])
    np.testing.assert_allclose(found, wanted, rtol=1e-10, atol=1e-10)


def test_stacks_and_other_transforms() -> None:
    """Matrices of a stack are differentiated each by its own spectrum, as inside `vmap`."""
    turn, _ = np.linalg.qr(_drawn(3, 3, 3))
    turned = (turn * np.array([1.0, 1.0, 2.0])) @ turn.T
    stack = np.array([[2 * np.eye(3), np.diag([1.0, 1.0, 3.0])], [turned, turned - np.eye(3)]])
    weights = symgrad.tensor(_drawn(4, 3, 3))

    def second(f: Any) -> Any:
        return symgrad.func.hessian(lambda x: (f(x) * weights).sum())

    def by_vectors(x: Any) -> Any:
        w, v = eigh(x)
        return (v * w.exp().unsqueeze(-2)) @ v.mH

    wanted = [[second(by_vectors)(symgrad.tensor(x)).numpy() for x in row] for row in stack]
    vectorized = symgrad.vmap(symgrad.vmap(second(by_vectors)))(symgrad.tensor(stack))
    np.testing.assert_allclose(vectorized.numpy(), wanted, rtol=1e-10, atol=1e-10)
    x = symgrad.tensor(stack, requires_grad=True)
    (first,) = symgrad.autograd.grad((by_vectors(x) * weights).sum(), x, create_graph=True)
    (again,) = symgrad.autograd.grad((first * weights).sum(), x)
    by_each = np.einsum("abijkl,kl->abij", np.array(wanted), weights.numpy())
    np.testing.assert_allclose(again.numpy(), by_each, rtol=1e-10, atol=1e-10)
    by_exp = second(lambda x: symgrad.linalg.matrix_exp((x + x.mT) / 2))
    np.testing.assert_allclose(
        np.array(wanted)[0, 0], by_exp(symgrad.tensor(stack[0, 0])).numpy(), rtol=1e-10, atol=1e-10
    )


#: Functions of a spectrum that select, meet or weigh values, or are smooth in each of them.
_OF_SPECTRUM: dict[str, Any] = {
    "weights": lambda w: (w * np.array([1.0, 2.0, 3.0])).sum(),
    "last": lambda w: w[-1],
    "largest": lambda w: w.amax(),
    "spread": lambda w: w.max() - w.min(),
    "two largest": lambda w: w.topk(2)[0].sum(),
    "median": lambda w: w.median(),
    "pairs": lambda w: ((w[:, None] - w) ** 2).triu().sum(),
    "partial sums": lambda w: w.cumsum(0).exp().sum(),
    "product": lambda w: w.prod(),
    "deviation": lambda w: w.std(),
    "square of the mean": lambda w: w.mean() ** 2,
    "softmax": lambda w: w.softmax(0).square().sum(),
    "positive": lambda w: w.relu().sum(),
    "modulus": lambda w: w.abs().sum(),
    "bounded": lambda w: w.clamp(-1, 1).sum(),
    "chosen": lambda w: symgrad.where(w > 0, w**2, 0).sum(),
    "gelu": lambda w: symgrad.nn.functional.gelu(w).sum(),
    "number": lambda w: (0 * w + 3).sum(),
}


@each("name", list(_OF_SPECTRUM))
def test_second_derivatives_where_values_are_apart(name: str) -> None:
    x = _drawn(2, 3, 3)
    for values in (eigvalsh, svdvals):
        t = symgrad.tensor(x + x.T, requires_grad=True)
        assert symgrad.autograd.gradgradcheck(lambda x: _OF_SPECTRUM[name](values(x)), [t])  # noqa: B023


def test_matrices_of_many_values() -> None:
    """Differences of order 2 of more than 128 values are found for one after the other."""
    turn, _ = np.linalg.qr(_drawn(5, 130, 130))
    x, directions = (
        (turn * (np.arange(130) // 3 / 40)) @ turn.T,
        [_drawn(k, 130, 130) for k in (1, 2)],
    )

    def by_vectors(x: Any, t: Any) -> Any:
        w, v = eigh(x)
        return _weighed((v * (t * w**3)) @ v.mH)

    found = _further(by_vectors, x, directions)
    wanted = _further(lambda x, t: _weighed(t * _cube(x)), x, directions)
    np.testing.assert_allclose(found, wanted, rtol=1e-10)


def test_the_derivative_names_function_spectrum_and_directions() -> None:
    x, e = leaf("x", (2, 2)), leaf("e", (2, 2))
    first = derive(eigvalsh(x).exp().sum(), x)
    assert str(first).endswith("(t2 * exp(t1.eigenvalues)) @ t2.T")
    assert str(derive((first * e).sum(), x)).splitlines()[-1] == (
        "frechet(t3, stack([t3, 0.5 * t3, t3 / 6, t3 / 24], dim=1), t2, t1.eigenvectors, x, e, "
        "order=1)"
    )


@each(
    "order",
    in_part(["rr", "fr", "ff", "rf", "frr", "rfr", "rrf", "fff"], every=4, group=lambda _: ""),
)
def test_forward_and_reverse_mode(order: str) -> None:
    """Nested in any order, of matrices whose eigenvalues are all equal."""
    modes = {"r": symgrad.func.jacrev, "f": symgrad.func.jacfwd}
    exponential = [lambda x: eigvalsh(x).exp().sum(), lambda x: _trace(_exp(x, 1.0))]
    sums = [lambda x: svdvals(x).sum(), lambda x: eigvalsh(_gram(x)).sqrt().sum()]
    for pair in (exponential, sums):
        found, wanted = (
            functools.reduce(lambda f, mode: modes[mode](f), reversed(order), f)(
                symgrad.tensor(2 * np.eye(2))
            )
            for f in pair
        )
        np.testing.assert_allclose(found.numpy(), wanted.numpy(), rtol=1e-10, atol=1e-10)


def test_after_a_derivative_by_a_number() -> None:
    """The cotangents of a Jacobian of one number are summed over an axis of length 1."""
    found, wanted = (
        symgrad.func.hessian(symgrad.func.jacrev(f, 1))(
            symgrad.tensor(2 * np.eye(2)), symgrad.tensor(_T)
        )
        for f in _OF_EIGENVALUES["exp"]
    )
    np.testing.assert_allclose(found.numpy(), wanted.numpy(), rtol=1e-10, atol=1e-10)


@each(
    "name",
    in_part(["exp", "shares", "product", "log of singular values"], 3, lambda _: ""),
)
def test_tangents_beside_the_operations(name: str) -> None:
    """In forward mode over reverse mode, of arrays, no formula is known."""
    pairs = {
        **_OF_EIGENVALUES,
        "product": (lambda x, t: eigvalsh(t * x).prod(), lambda x, t: det(_hermitian(t * x))),
        "log of singular values": _OF_SINGULAR_VALUES["log"],
    }
    along = _drawn(1, 3, 3)
    for values in ([2.0, 2.0, 2.0], [2.0, 2.0, 1.0]):
        turn, _ = np.linalg.qr(_drawn(5, 3, 3))
        results = []
        for f in pairs[name]:
            x, t = [symgrad.tensor(v, requires_grad=True) for v in ((turn * values) @ turn.T, _T)]
            with dual_level():
                moved = make_dual(x, symgrad.tensor(along)), make_dual(t, symgrad.tensor(_T))
                (first,) = symgrad.autograd.grad(f(*moved), moved[0], create_graph=True)
                tangent = unpack_dual(first).tangent
                results.append([tangent])
                if name != "product":
                    results[-1] += symgrad.autograd.grad((tangent * along).sum(), [x, t])
        for found, wanted in zip(*results, strict=True):
            np.testing.assert_allclose(
                found.detach().numpy(), wanted.detach().numpy(), rtol=1e-9, atol=1e-9
            )


@each(
    "case",
    in_part([f"{kind} {f}" for kind, of in _WITH_HOOKS.items() for f in of[0]], 7, lambda _: ""),
)
def test_functions_with_hooks_on_their_gradients(case: str) -> None:
    """With hooks a pass runs in stages, of which each sees a part of the graph."""
    kind, _, name = case.partition(" ")
    functions, spectra = _WITH_HOOKS[kind]
    for values in ("equal", "two equal", "apart"):
        turn, _ = np.linalg.qr(_drawn(5, 3, 3))
        other = turn if kind == "eigenvalues" else np.linalg.qr(_drawn(6, 3, 3))[0]
        x = (turn * np.array(spectra[values])) @ other.T
        directions = [_drawn(k, 3, 3) for k in range(3)]
        for hook in (lambda g: 2 * g, lambda g: None):
            found, wanted = [
                np.array(_further(f, x, directions, hook=hook)) for f in functions[name]
            ]
            if values != "apart":  # the third one is not known where it needs the whole graph
                wanted[2] = np.nan if np.isnan(found[2]) else wanted[2]
            np.testing.assert_allclose(found, wanted, rtol=1e-8, atol=1e-8)


def test_the_text_of_a_derivative_stands_alone() -> None:
    x, e = leaf("x", (2, 2)), leaf("e", (2, 2))
    for values in (eigvalsh, svdvals):
        second = derive((derive(values(x).exp().sum(), x) * e).sum(), x)
        names: dict[str, Any] = {}
        exec(second.source(inputs=[x, e]), names)
        given = np.eye(2), _drawn(1, 2, 2)
        np.testing.assert_allclose(
            names["f"](*given), second.evaluate(dict(zip((x, e), given, strict=True)))
        )
