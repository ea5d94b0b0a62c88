"""Kernels of alignments compute what the formula of operations on arrays says."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symgrad
from symgrad.differentiate.sweeps import vjp
from symgrad.expr.atoms import Leaf, as_expr
from symgrad.ops.alignments import alignment_loss, loss_formula
from symgrad.ops.primitive import bind
from tests.each import each

ctc_loss = symgrad.nn.functional.ctc_loss


class Given:
    """Logarithms of probabilities, and sequences: some too long for the input, or empty."""

    def __init__(self, seed: int, kind: Any = np.float64, impossible: float = 0.0) -> None:
        rng = np.random.default_rng(seed)
        times, batch, classes, width = rng.integers(1, 7), 5, 4, rng.integers(0, 4)
        x = rng.standard_normal((times, batch, classes)) * 3
        self.blank = int(rng.integers(classes))
        self.x = np.where(rng.random(x.shape) < impossible, -np.inf, x).astype(kind)
        self.labels = rng.integers(0, classes, (batch, width))
        self.inputs = rng.integers(0, times + 1, batch)
        self.lengths = rng.integers(0, width + 1, batch)

    @property
    def sequences(self) -> list[Any]:
        return [self.labels, self.inputs, self.lengths]

    def formula(self, held: bool = True) -> Any:
        """Return the leaf, and the loss and its derivative as formulas."""
        x = Leaf("x", self.x.shape, symgrad.tensor(self.x).dtype)
        given = [as_expr(y) if held else Leaf(f"y{i}", y.shape, symgrad.int64)
                 for i, y in enumerate(self.sequences)]  # fmt: skip
        loss = loss_formula(x, *given, self.blank)
        return x, given, loss


GIVEN = [
    (seed, impossible, held)
    for seed in range(12)
    for impossible, held in ((0.0, True), (0.3, True), (0.0, False))
]


@each("seed, impossible, held", GIVEN)
def test_loss_and_slope_are_those_of_the_formula(seed: int, impossible: float, held: bool) -> None:
    g = Given(seed, impossible=impossible)
    leaf, given, loss = g.formula(held)
    values = {leaf: g.x}
    if not held:
        values |= dict(zip(given, g.sequences, strict=True))
    x = symgrad.tensor(g.x, requires_grad=True)
    y = bind(alignment_loss, (x, *map(symgrad.tensor, g.sequences)), (g.blank,))
    with np.errstate(all="ignore"):
        expected = loss.evaluate(values)
        [slope] = vjp([loss], [as_expr(np.arange(1.0, 6.0))], [leaf])
        expected_slope = np.zeros(g.x.shape) if slope is None else slope.evaluate(values)
    np.testing.assert_allclose(y.detach().numpy(), expected, rtol=1e-12, atol=1e-12)
    y.backward(symgrad.arange(1.0, 6.0, dtype=symgrad.float64))
    assert x.grad is not None
    np.testing.assert_allclose(x.grad.numpy(), expected_slope, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_single_precision_has_its_digits(seed: int) -> None:
    g = Given(seed)
    found = []
    for kind in (symgrad.float64, symgrad.float32):
        x = symgrad.tensor(g.x.astype(np.float32)).to(kind).requires_grad_()
        y = bind(alignment_loss, (x, *map(symgrad.tensor, g.sequences)), (g.blank,))
        y.backward(symgrad.ones_like(y))
        assert x.grad is not None and x.grad.dtype is y.dtype is kind
        found.append((y.detach().numpy(), x.grad.numpy()))
    for wide, narrow in zip(*found, strict=True):
        np.testing.assert_allclose(narrow, wide, rtol=2e-7, atol=1e-30)


def loss_of(x: Any) -> Any:
    targets = symgrad.tensor([[1, 2], [2, 2]])
    return ctc_loss(x.log_softmax(2), targets, (4, 3), (2, 1), reduction="sum")


def scores() -> Any:
    return symgrad.tensor(np.cos(1.7 * np.arange(24.0)).reshape(4, 2, 3), requires_grad=True)


def test_second_derivatives_are_those_of_differences() -> None:
    hessian = symgrad.func.hessian(loss_of)(scores().detach()).reshape(24, 24).numpy()
    np.testing.assert_allclose(hessian, hessian.T, atol=1e-12)
    x, step = scores(), 1e-5
    for k in range(24):
        ends = []
        for sign in (1, -1):
            moved = x.detach().clone().reshape(-1)
            moved[k] += sign * step
            y = moved.reshape(4, 2, 3).requires_grad_()
            ends.append(symgrad.autograd.grad(loss_of(y), y)[0].reshape(-1).numpy())
        np.testing.assert_allclose((ends[0] - ends[1]) / (2 * step), hessian[k], atol=1e-8)


def test_a_batch_of_batches_is_folded_into_one() -> None:
    xs = symgrad.stack([scores().detach(), scores().detach() ** 2])
    many = symgrad.vmap(symgrad.func.grad(loss_of))(xs)
    for x, g in zip(xs, many, strict=True):
        np.testing.assert_allclose(g.numpy(), symgrad.func.grad(loss_of)(x).numpy(), rtol=1e-12)


def test_tangents_are_those_of_the_gradient() -> None:
    x = scores().detach()
    t = x.cos()
    _, moved = symgrad.func.jvp(loss_of, (x,), (t,))
    assert float(moved) == pytest.approx(float((symgrad.func.grad(loss_of)(x) * t).sum()))


def test_what_is_no_number_stays_none() -> None:
    x = scores().detach()
    x[1, 0, 1] = float("nan")
    found = ctc_loss(x, symgrad.tensor([[1], [2]]), (4, 4), (1, 1), reduction="none")
    assert found.isnan().tolist() == [True, False]
