"""Norms at the ends of the range of exponents: where a norm can be written down, it is right.

The powers of which a norm is the root overflow or underflow long before it does. The reference is
the formula in 60 digits, with its first two derivatives.
"""

from __future__ import annotations

from typing import Any

import mpmath
import numpy as np
import pytest

import symgrad
from symgrad.autograd import forward_ad
from tests.each import each, in_part

_ORDERS = (2, 3, 4, 10, 1.5, 2.5, 0.5, -1, -2, -0.5)
_VALUES = [
    (1e200, 1e200), (1e200, -3e190), (1e150, -3e150), (1e307, 1e306), (1e-200, -2e-200),
    (1e-160, 2e-155), (-1e-300, 2e-300), (0.3, -1.2), (1e36, 2e35), (-3e-30, 1e-33),
]  # fmt: skip
_F = symgrad.nn.functional

#: The norm as public functions give it, of a vector `x` and an order.
_WAYS: dict[str, Any] = {
    "linalg.vector_norm": lambda x, p: symgrad.linalg.vector_norm(x, p),
    "linalg.vector_norm of rows": lambda x, p: symgrad.linalg.vector_norm(
        symgrad.stack([x, x * 0 + 1]), p, dim=1
    )[0],
    "linalg.norm": lambda x, p: symgrad.linalg.norm(x, p),
    "norm": lambda x, p: x.norm(p),
    "dist": lambda x, p: symgrad.dist(x, x * 0, p),
}


def _reference(values: Any, p: float) -> tuple[Any, list[Any], list[list[Any]]]:
    """Return the norm, its gradient and its Hessian."""
    with mpmath.workdps(60):
        x, p = [mpmath.mpf(float(v)) for v in values], mpmath.mpf(p)
        n = mpmath.fsum(abs(v) ** p for v in x) ** (1 / p)
        slopes = [(abs(v) / n) ** (p - 1) * mpmath.sign(v) for v in x]
        bends = [
            [(p - 1) * ((i == j) * (abs(x[i]) / n) ** (p - 2) - slopes[i] * slopes[j]) / n
             for j in range(len(x))]
            for i in range(len(x))
        ]  # fmt: skip
        return n, slopes, bends


def _assert_close(found: Any, exact: list[Any], kind: Any, p: float, scale: Any = 0) -> None:
    info = np.finfo(kind)
    # The root of a sum of powers: an ulp in 1/p counts as often as the logarithm of the sum says.
    ulps = 64 + 2 * float(abs(mpmath.log(max(scale, *map(abs, exact)))) * abs(p))
    for got, want in zip(np.ravel(found).tolist(), exact, strict=True):
        size = max(scale, abs(want))
        if info.tiny / info.eps < size < info.max / 4:
            assert abs(got - want) <= ulps * float(info.eps) * size, (got, want)


@each("kind", ["float64", pytest.param("float32", marks=pytest.mark.slow)])
@each("way", list(_WAYS))
@each("p", in_part(list(_ORDERS), group=str, among=2))
def test_a_norm_is_right_wherever_it_is_a_number(p: float, way: str, kind: str) -> None:
    dtype = getattr(symgrad, kind)
    tried = 0
    for values in _VALUES:
        with np.errstate(all="ignore"):
            given = np.array(values).astype(kind)
        if not np.isfinite(given).all() or (np.abs(given) < np.finfo(kind).tiny).any():
            continue
        n, slopes, bends = _reference(given, p)
        if n > np.finfo(kind).max:
            continue
        tried += 1
        x = symgrad.tensor(given, dtype=dtype, requires_grad=True)
        y = _WAYS[way](x, p)
        _assert_close(y.item(), [n], kind, p)
        (slope,) = symgrad.autograd.grad(y, x, create_graph=True)
        _assert_close(slope.detach().numpy(), slopes, kind, p * 8)
        for i in range(len(values)):
            (bend,) = symgrad.autograd.grad(slope[i], x, retain_graph=True)
            largest = max(abs(b) for row in bends for b in row) + 1 / n
            _assert_close(bend.numpy(), bends[i], kind, p * 8, largest)
        expr = y.expr
        source: dict[str, Any] = {}
        exec(expr.source(), source)
        with np.errstate(all="ignore"):
            _assert_close(source["f"](given), [n], kind, p)
    assert tried >= 2


@pytest.mark.parametrize("p", _ORDERS)
def test_a_norm_of_zeros_infinities_and_nan_is_their_limit(p: float) -> None:
    inf, nan = np.inf, np.nan
    for values in ((0.0, 0.0), (0.0, 1e200), (inf, 1.0), (inf, inf), (inf, 0.0), (nan, 1e200)):
        found = symgrad.tensor(values, dtype=symgrad.float64).norm(p).item()
        if nan in values:
            want = nan
        elif p > 0:
            want = inf if inf in values else max(values)
        else:
            want = min(values)
        if p < 0 and values == (inf, 1.0):
            want = 1.0
        np.testing.assert_allclose(found, want, rtol=1e-13)


@pytest.mark.parametrize("p", [p for p in _ORDERS if p > 0])
def test_what_norms_divide_by_is_right(p: float) -> None:
    for values in ((1e200, -3e200), (1e-200, 2e-200), (3.0, -4.0)):
        n, _, _ = _reference(values, p)
        x = symgrad.tensor(values, dtype=symgrad.float64)
        shares = [float(mpmath.mpf(v) / n) for v in values]
        found = _F.normalize(x, p, dim=0, eps=0.0)
        np.testing.assert_allclose(found.numpy(), shares, rtol=1e-13)
        if values[0] > 1:
            made = symgrad.renorm(x.reshape(1, 2), p, 0, 1.0)
            np.testing.assert_allclose(made.numpy()[0], shares, rtol=1e-6)  # PyTorch's margin


@each("order", [1, 1.5, 2, 3, 4, 0.5, -1.0])
@each("axis", [None, 0])
def test_tangents_at_zero_are_zero(order: float, axis: int | None) -> None:
    """The mask of the gradient is outermost: its transpose must mask what divides by the norm."""
    x = symgrad.zeros(3, dtype=symgrad.float64)
    with forward_ad.dual_level():
        dual = forward_ad.make_dual(x, symgrad.tensor([1.0, 0.5, 2.0], dtype=symgrad.float64))
        for value in (symgrad.linalg.vector_norm(dual, order, axis), dual.std(axis)):
            assert forward_ad.unpack_dual(value).tangent.item() == 0


@each("p", [*_ORDERS, 1, float("inf")])
@each("way", ["linalg.vector_norm", "dist"])
@each("value", [-0.75, 0.0])
def test_who_looks_at_the_norm_of_one_number_sees_what_reads_it(
    value: float, way: str, p: float
) -> None:
    """It is differentiated as the modulus; PyTorch's gradient has a factor `(|x| / n)**(p - 1)`."""

    def derivatives(looks: bool) -> list[float]:
        x = symgrad.tensor(value, dtype=symgrad.float64, requires_grad=True)
        n = _WAYS[way](x, p)
        if looks:
            n.retain_grad()
        (g,) = symgrad.autograd.grad(n.exp(), x, create_graph=True)
        second = symgrad.autograd.grad(g, (x, n), materialize_grads=True)
        return [y.item() for y in (g, *second)]

    *plain, _ = derivatives(False)
    *seen, at_norm = derivatives(True)
    np.testing.assert_allclose(seen, plain, rtol=1e-13)
    power = 0 if p == np.inf else p - 1
    wanted = plain[0] * (1 - power / abs(value)) if value else 0
    np.testing.assert_allclose(at_norm, wanted, rtol=1e-13)


_OF_LARGE_ORDERS: dict[str, Any] = {
    **_WAYS,
    "cdist": lambda x, p: symgrad.cdist(x[None], x[None] * 0, p)[0, 0],
    "pdist": lambda x, p: _F.pdist(symgrad.stack([x, x * 0]), p)[0],
    "normalize": lambda x, p: x.abs().max() / _F.normalize(x, p, 0).abs().max(),
    "pairwise_distance": lambda x, p: _F.pairwise_distance(x, x * 0, p, eps=0),
    "masked.norm": lambda x, p: symgrad.masked.norm(x, p, 0),
    "renorm": lambda x, p: x.abs().max() / symgrad.renorm(x[None], p, 0, 1.0).abs().max(),
}


@each("way", list(_OF_LARGE_ORDERS))
def test_orders_beyond_integers_of_64_bits_are_taken(way: str) -> None:
    x = symgrad.tensor([3.0, -4.0], dtype=symgrad.float64)
    for order in (2.0**63, 1e20, 1e300):
        assert _OF_LARGE_ORDERS[way](x, order).item() == pytest.approx(4, abs=1e-6), order


@each("way", ["cdist", "pdist"])
def test_equal_largest_differences_share_the_gradient(way: str) -> None:
    """As those of `vector_norm` in both libraries; PyTorch gives each of these the whole of it."""
    x = symgrad.tensor([[1.0, -1.0], [0.0, 0.0]], requires_grad=True)
    order = float("inf")
    y = symgrad.cdist(x[:1], x[1:], order) if way == "cdist" else _F.pdist(x, order)
    y.sum().backward()
    assert x.grad.tolist() == [[0.5, -0.5], [-0.5, 0.5]]
