"""Elements that a mask or an index leaves out never give nan, at any order."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symgrad
from symgrad.ops.kinds import Fixed
from symgrad.ops.primitive import Linear, Primitive
from tests.autograd.support import each, tensor
from tests.ops.test_laws import SAMPLES

# Each is singular, or not real, at 0 and at -1.
_FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "sqrt": symgrad.sqrt,
    "log": symgrad.log,
    "reciprocal": lambda x: 1 / x,
    "power": lambda x: x**x,
    "exp(1/x)": lambda x: (1 / x).exp(),
    "quotient": lambda x: (x - 3) / symgrad.sqrt(x),
    "atan2": lambda x: symgrad.atan2(x, x * 0),
    "hypot": lambda x: symgrad.hypot(x, x * 0),
}

_CHOSEN = [1, 2]


def _assigned(y: Any, x: Any) -> Any:
    y = y * 1
    y[x <= 0] = 0
    return y


_MASKS: dict[str, Callable[[Any, Any], Any]] = {
    "where": lambda y, x: symgrad.where(x > 0, y, 0),
    "masked_fill": lambda y, x: y.masked_fill(x <= 0, 0.0),
    "assigned": _assigned,
    "mask": lambda y, x: y[x > 0],
    "index": lambda y, x: y[_CHOSEN],
    "slice": lambda y, x: y[1:3],
    "gather": lambda y, x: symgrad.gather(y, 0, symgrad.tensor(_CHOSEN)),
    "index_fill": lambda y, x: y.index_fill(0, symgrad.tensor([0, 3]), 0.0),
    "product": lambda y, x: symgrad.where(x > 0, y, 0) @ symgrad.where(x > 0, x, 0),
    "sum": lambda y, x: symgrad.where(x > 0, y, 0).sum() ** 2,
    "cumsum": lambda y, x: symgrad.where(x > 0, y, 0).cumsum(0),
}


def _derivatives(f: Callable[[Any], Any], values: list[Any], order: int) -> list[Any]:
    x = tensor(values)
    y = f(x)
    found = []
    for _ in range(order):
        (y,) = symgrad.autograd.grad(y.sum(), x, create_graph=True)
        found.append(y.detach().numpy())
        if not y.requires_grad:
            break
    return found


# Formulas grow fourfold with each order.
@each("order", [3, *(pytest.param(order, marks=pytest.mark.slow) for order in (4, 5))])
@each("mask", list(_MASKS))
@each("name", list(_FUNCTIONS))
def test_what_is_left_out_contributes_nothing(name: str, mask: str, order: int) -> None:
    _check_alone(name, mask, order)


# Their terms know of several masks each.
@pytest.mark.parametrize("mask", ["product", "sum"])
@pytest.mark.parametrize("name", ["power", "exp(1/x)"])
def test_what_is_left_out_contributes_nothing_at_the_sixth_order(name: str, mask: str) -> None:
    _check_alone(name, mask, 6)


def _check_alone(name: str, mask: str, order: int) -> None:
    f = _FUNCTIONS[name]
    among = _derivatives(lambda x: _MASKS[mask](f(x), x), [-1.0, 1.4, 1.2, 0.0], order)
    # The same without the elements that are left out, which is all that they may change.
    choose = _MASKS_ALONE.get(mask, lambda y, x: y)
    alone = _derivatives(lambda x: choose(f(x), x), [1.4, 1.2], order)
    assert len(among) >= len(alone)
    for got, wanted in zip(among, alone, strict=False):
        np.testing.assert_allclose(got[1:3], wanted, rtol=1e-9, atol=1e-9)
        assert got[[0, 3]].tolist() == [0, 0]


_MASKS_ALONE: dict[str, Callable[[Any, Any], Any]] = {
    "product": lambda y, x: y @ x,
    "sum": lambda y, x: y.sum() ** 2,
    "cumsum": lambda y, x: symgrad.cat([y.cumsum(0), y.sum().reshape(1)]),
}


def test_nansum_squared_has_a_second_derivative() -> None:
    first, second = _derivatives(lambda x: symgrad.nansum(symgrad.sqrt(x)) ** 2, [-1.0, 4.0], 2)
    np.testing.assert_allclose(first, [0, 1])
    np.testing.assert_allclose(second, [0, 0], atol=1e-15)


def test_a_masked_factor_counts_where_it_is_zero() -> None:
    """The value of the factor is certain outside its mask, not that nothing depends on it."""
    x, w = tensor([-1.0, 4.0]), tensor([3.0, 5.0])
    a = symgrad.where(x > 0, symgrad.sqrt(x), 0)
    (in_w,) = symgrad.autograd.grad((a * w).sum(), w, create_graph=True)
    (in_a,) = symgrad.autograd.grad((in_w * w).sum(), a)
    assert in_w.tolist() == [0, 2]
    assert in_a.tolist() == [3, 5]


@pytest.mark.parametrize("combine", [operator.mul, operator.truediv])
def test_products_of_masked_factors_are_masked_in_formulas(combine: Any) -> None:
    x, t = symgrad.leaf("x", (3,)), symgrad.leaf("t", (3,))
    c = symgrad.leaf("c", (3,), symgrad.bool)
    values = {x: np.array([1.0, 2.0, 3.0]), t: np.zeros(3), c: np.array([True, False, False])}
    first = symgrad.derive((combine(symgrad.where(c, x, 0), x) * t.sqrt()).sum(), t)
    second = symgrad.derive(first.sum(), t)
    with np.errstate(divide="ignore"):
        np.testing.assert_array_equal(first.evaluate(values), [np.inf, 0, 0])
        np.testing.assert_array_equal(second.evaluate(values), [-np.inf, 0, 0])


def test_a_mask_of_a_freed_part_is_not_read() -> None:
    x, w, v = tensor([-1.0, 4.0]), tensor([3.0, 5.0]), tensor([1.0, 2.0])
    for _ in range(2):  # the second time with plans from the cache
        a = symgrad.where(x > 0, symgrad.sqrt(x), 0)
        first, second = (a * w).sum(), (a * v).sum()
        assert symgrad.autograd.grad(first, x)[0].tolist() == [0, 1.25]
        assert symgrad.autograd.grad(second, v)[0].tolist() == [0, 2]


def test_a_part_of_masked_values_is_masked_too() -> None:
    x = tensor([[0.5, -1.0, 2.0]])
    y = symgrad.triu(symgrad.where(x > 0, x * x, x))
    y.sum().backward()
    assert x.grad.tolist() == [[1.0, 1.0, 4.0]]


@pytest.mark.parametrize("wanted", ["factor", "both"])
def test_a_truth_value_that_was_changed_is_not_read_as_a_mask(wanted: str) -> None:
    x, w = tensor([1.0, 4.0]), tensor([3.0, 5.0])
    kept = symgrad.tensor([True, False])
    product = kept * symgrad.sqrt(x)
    y = product * w
    kept.logical_not_()
    if wanted == "factor":
        assert symgrad.autograd.grad(y.sum(), w)[0].tolist() == [1, 0]
    else:
        with pytest.raises(RuntimeError, match="modified by an inplace operation"):
            symgrad.autograd.grad(y.sum(), [w, x])


@each("mask", list(_MASKS))
@each("name", list(_FUNCTIONS))
def test_what_cancels_leaves_nothing(name: str, mask: str) -> None:
    """A cotangent that is zero by its formula does not forget what was left out."""
    f = _FUNCTIONS[name]
    layers = [lambda y: symgrad.relu(y), lambda y: symgrad.where(y > 0.1, y, 0.0)] * 3

    def below_layers(y: Any) -> Any:
        y = y - y
        for layer in layers:
            y = layer(y)
        return y

    for times in (
        lambda y: y - y,
        lambda y: y * 0,
        lambda y: (y * 2 - y - y).reshape(-1),
        below_layers,
    ):
        found = _derivatives(lambda x, t=times: t(_MASKS[mask](f(x), x)), [-1.0, 1.4, 1.2, 0.0], 2)
        for g in found:
            assert g.tolist() == [0, 0, 0, 0]


_BY_ROW: dict[str, Callable[[Any, Any], Any]] = {
    "index_fill with True": lambda r, v: r.exp().index_fill(0, symgrad.tensor([0, 2]), True),
    "index_fill with truths": lambda r, v: r.exp().index_fill(0, symgrad.tensor([0, 2]), v),
    "index_fill with numbers": lambda r, v: r.exp().index_fill(0, symgrad.tensor([0]), v.double()),
    "masked_fill with truths": lambda r, v: r.exp().masked_fill(r > 0.6, v),
    "where with truths": lambda r, v: symgrad.where(r > 0.6, v, r.exp()),
    "times truths": lambda r, v: (v * r.exp()).relu(),
    "over truths": lambda r, v: (v * r.exp()).relu() / (1 + v),
}


@pytest.mark.parametrize("name", _BY_ROW)
def test_truth_values_of_a_batch(name: str) -> None:
    """A batch is what its rows are one by one, to the third order."""
    values = [[-1.0, 0.5, 1.0], [2.0, 3.0, 0.2]]
    truths = symgrad.tensor([True, False])

    def f(row: Any, truth: Any) -> Any:
        return _BY_ROW[name](row, truth) * row.exp()

    def by_rows(x: Any) -> Any:
        return symgrad.stack([f(row, t) for row, t in zip(x, truths, strict=True)])

    got = _derivatives(lambda x: symgrad.vmap(f)(x, truths), values, 3)
    for g, w in zip(got, _derivatives(by_rows, values, 3), strict=True):
        np.testing.assert_allclose(g, w, rtol=1e-12)


#: Through these zeros are not followed: weights may cancel, and two dtypes lie in one memory.
_NOT_FOLLOWED = ("resample", "resample_back", "view_as_complex")


def _of_one_operand() -> dict[str, tuple[type[Primitive], Any]]:
    """Return the samples of operations that are linear in an array of numbers."""
    return {
        name: (cls, args)
        for name, (cls, args) in SAMPLES.items()
        if issubclass(cls, (Linear, Fixed)) and cls.__name__ not in _NOT_FOLLOWED
        and isinstance(args[0], np.ndarray) and args[0].dtype == float and args[0].size > 1
    }  # fmt: skip


@each("name", list(_of_one_operand()))
def test_what_is_moved_or_added_before_it_is_left_out_contributes_nothing(name: str) -> None:
    """An infinite reciprocal, of which nothing is left in, adds nothing to derivatives."""
    cls, (operand, *rest) = SAMPLES[name]
    shape = (2, *operand.shape)
    x = symgrad.leaf("x", shape)
    rows = [symgrad.vmap(lambda row: cls.of(row, *rest))(y) for y in (x, 1 / x)]
    at = np.linspace(0.5, 2.0, x.size).reshape(shape)
    at[0].flat[operand.size // 2] = 0
    singular = np.where(at == 0, 1.0, 0.0)
    plain = rows[0].evaluate({"x": 0 * singular})
    kept = symgrad.tensor(np.asarray(rows[0].evaluate({"x": singular}) == plain))
    loss = symgrad.where(kept, rows[1].abs(), 0.0).square().sum()
    for order in (1, 2):
        slope = symgrad.derive(loss, x, order=order)
        found = slope.evaluate({"x": at} if slope.leaves else {})
        assert np.isfinite(found).all(), order
