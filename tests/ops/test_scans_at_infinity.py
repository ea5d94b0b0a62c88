"""Running products and running sums of exponentials where zeros meet infinities."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import symgrad
from symgrad.ops.scans import recurrence
from tests.autograd.support import tensor
from tests.each import each

inf, nan = float("inf"), float("nan")


def _without(x: Any, i: int, j: int) -> float:
    """The product of the elements up to j but that at i."""
    return float(np.prod([v for k, v in enumerate(x[: j + 1]) if k != i]))


@each("x", list(itertools.product([0.0, 2.0, 3.0], repeat=3)))
@each("ct", list(itertools.product([1.0, inf], repeat=3)))
def test_what_follows_a_zero_gets_nothing_of_an_infinite_cotangent(x: Any, ct: Any) -> None:
    leaf = tensor(x)
    (got,) = symgrad.autograd.grad(leaf.cumprod(0), leaf, symgrad.tensor(ct, dtype=symgrad.float64))
    wanted = [
        sum(p * ct[j] if (p := _without(x, i, j)) else 0.0 for j in range(i, 3)) for i in range(3)
    ]
    assert got.tolist() == wanted


def test_a_nan_of_the_cotangent_stays() -> None:
    leaf = tensor([2.0, 0.0, 3.0, 0.0, 1.0])
    weights = symgrad.tensor([1.0, nan, 1.0, 1.0, 1.0], dtype=symgrad.float64)
    (got,) = symgrad.autograd.grad(leaf.cumprod(0), leaf, weights)
    np.testing.assert_array_equal(got.numpy(), [nan, nan, 0, 0, 0])


def _softmax(x: Any) -> Any:
    with np.errstate(invalid="ignore"):
        e = np.exp(x - np.max(x))
    return np.where(np.isneginf(x), 0, e) / max(np.nansum(e), 1.0)


@pytest.mark.parametrize(
    "x",
    [
        [-inf, 1.0, 2.0],
        [0.0, -inf, 1.0],
        [1.0, -inf, -inf],
        [-inf, -inf, 0.5, -inf, 1.0],
        [-inf, -inf],
        [800.0, 1.0],
        [0.0, 800.0],
        [-1e8, 1e8, 0.0],
        [1000.0, 0.0, -1000.0],
    ],
)
def test_what_adds_nothing_has_derivatives_of_zero(x: Any) -> None:
    values = np.array(x)
    shares = [np.append(_softmax(values[: j + 1]), np.zeros(len(x) - j - 1)) for j in range(len(x))]
    leaf = symgrad.tensor(x, dtype=symgrad.float64)
    jacobian = symgrad.autograd.functional.jacobian(lambda v: v.logcumsumexp(0), leaf)
    np.testing.assert_allclose(jacobian.numpy(), shares, atol=1e-15)
    hessian = symgrad.autograd.functional.hessian(lambda v: v.logcumsumexp(0).sum(), leaf)
    wanted = sum(np.diag(p) - np.outer(p, p) for p in shares)
    np.testing.assert_allclose(hessian.numpy(), wanted, atol=1e-15)


def test_behind_an_infinite_sum_nothing_counts() -> None:
    leaf = tensor([[0.0, inf, 1.0, 2.0]])
    (got,) = symgrad.autograd.grad(leaf.logcumsumexp(1).sum(), leaf)
    np.testing.assert_array_equal(got.numpy(), [[1, nan, 0, 0]])


@each("kind", ["signs", "normal", "zeros", "large", "infinite"])
@each("reverse", [False, True])
def test_long_recurrences_are_computed_by_blocks(kind: str, reverse: bool) -> None:
    """As by the definition, also where products of the factors leave the range of floats."""
    rng = np.random.default_rng(3)
    a, b = rng.normal(size=(2, 2, 2500))
    if kind == "signs":
        a = np.where(a > 0, 1.0, 0.0)
    elif kind == "zeros":
        a[rng.random(a.shape) < 0.1] = 0
    elif kind in ("large", "infinite"):
        a *= 1e10
        a[:, :: 5 if kind == "large" else 100] *= 1e-80
    with np.errstate(all="ignore"):
        found = recurrence.kernel.call(a, b, axis=1, reverse=reverse)
    state = np.zeros(2)
    order = range(2500)[:: -1 if reverse else 1]
    with np.errstate(all="ignore"):
        for i, k in enumerate(order):
            state = a[:, k] * state + b[:, k] if i else b[:, k]
            finite = np.isfinite(state)
            np.testing.assert_allclose(found[finite, k], state[finite], rtol=1e-11, atol=1e-13)


_GROUPS = [0, 1, 0, 1, 1, 0]
#: Functions of six elements in two groups, and the groups of elements and of results.
_IN_GROUPS: dict[str, tuple[Any, list[int], list[int]]] = {
    **{
        name: (lambda x, f=name: _pair(getattr(x.reshape(2, 3), f)(1))[0].reshape(6), rows, rows)
        for name in ("cumsum", "cumprod", "cummax", "cummin", "logcumsumexp")
        for rows in [[0, 0, 0, 1, 1, 1]]
    },
    "index_add": (
        lambda x: symgrad.zeros(2, dtype=x.dtype).index_add(0, symgrad.tensor(_GROUPS), x),
        _GROUPS,
        [0, 1],
    ),
    **{
        f"{function} {reduce} {own}": (
            lambda x, f=function, r=reduce, own=own: getattr(symgrad, f)(
                symgrad.tensor([2.0, 3.0], dtype=x.dtype),
                *(0, symgrad.tensor(_GROUPS), x, r),
                include_self=own,
            ),
            _GROUPS,
            [0, 1],
        )
        for function in ("scatter_reduce", "index_reduce")
        for reduce in ("sum", "prod", "mean", "amax", "amin")
        for own in (True, False)
        if (function, reduce) != ("index_reduce", "sum")
    },
}


def _pair(x: Any) -> Any:
    return x if isinstance(x, tuple) else (x, None)


@each("name", list(_IN_GROUPS))
@each("bad", [nan, inf])
@each("at", range(6))
def test_what_is_no_number_stays_in_its_group(name: str, bad: float, at: int) -> None:
    """An element and a cotangent of one group change no derivative in the other."""
    call, groups, of_results = _IN_GROUPS[name]
    values = np.array([0.5, 2.0, 0.7, 3.0, -1.0, 1.5])
    weights = symgrad.tensor([0.7, -1.3, 2.1, 0.4, 1.1, -0.6], dtype=symgrad.float64)
    other = np.array(groups) != groups[at]

    def derivatives(element: float, cotangent: float) -> list[Any]:
        given = values.copy()
        given[at] = element
        ct = np.where(
            np.array(of_results) == groups[at], cotangent, 1.0 + np.arange(len(of_results))
        )
        x = symgrad.tensor(given, requires_grad=True)
        (first,) = symgrad.autograd.grad(call(x), x, symgrad.tensor(ct), create_graph=True)
        found = [first]
        if first.requires_grad:
            found += symgrad.autograd.grad((first * weights).sum(), x)
        return [x.detach().numpy()[other] for x in found]

    usual = derivatives(1.0, 1.0)
    for element, cotangent in ((bad, 1.0), (1.0, bad)):
        for got, wanted in zip(derivatives(element, cotangent), usual, strict=True):
            np.testing.assert_array_equal(got, wanted)


@each("name", ["cummax", "cummin"])
def test_a_cotangent_of_a_running_extreme_goes_to_its_place_alone(name: str) -> None:
    x = tensor([1.0, 3.0, 2.0, 5.0]) * (1 if name == "cummax" else -1)
    y, index = getattr(x, name)(0)
    (got,) = symgrad.autograd.grad(y, x, symgrad.tensor([1.0, nan, 1.0, inf], dtype=x.dtype))
    assert index.tolist() == [0, 1, 1, 3]
    np.testing.assert_array_equal(got.numpy(), [1, nan, 0, inf])
