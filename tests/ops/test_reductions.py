"""What the recorded PyTorch results do not ask of reductions: third orders, masks, printing."""

from __future__ import annotations

import math

import numpy as np
import pytest

import symgrad as torch
from symgrad.autograd import grad
from tests.each import each

inf, nan = math.inf, math.nan


def tensor(values):
    return torch.tensor(values, dtype=torch.float64, requires_grad=True)


def derivatives(f, values, count=3):
    """The value, then `count` derivatives, each contracted with a fixed vector."""
    x = tensor(values)
    y = f(x)
    found = [y.detach().numpy()]
    for _ in range(count):
        w = torch.tensor(np.linspace(0.5, 1.7, y.numel()).reshape(y.shape))
        (g,) = grad((y * w).sum(), [x], create_graph=True, allow_unused=True)
        if g is None:
            break
        found.append(g.detach().numpy())
        y = g
        if not y.requires_grad:
            break
    return found


@each(
    "f, values",
    [
        (lambda x: x.norm(), [0.0, 0.0]),
        (lambda x: x.norm(1.5), [0.0, 2.0, 1.0]),
        (lambda x: x.norm(3.5, dim=1), [[0.0, 0.0], [3.0, -4.0]]),
        (lambda x: x.std(0), [[2.0, 1.0], [2.0, 3.0]]),
        (lambda x: x.logsumexp(0), [-inf, 0.5, 1.0]),
        (lambda x: x.softmax(0), [-inf, 0.5, 1.0]),
        (lambda x: x.log_softmax(0)[1:], [-inf, 0.5, 1.0]),
        (lambda x: x.logcumsumexp(0)[1:], [-inf, 0.5, 1.0]),
        (lambda x: x.nansum(), [1.0, nan, 2.0]),
        (lambda x: x.nanmean() ** 3, [1.0, nan, 2.0]),
        (lambda x: x.prod(), [0.0, 0.0, 2.0]),
        (lambda x: x.cumprod(0), [2.0, 0.0, 3.0, 0.0]),
    ],
)
def test_no_derivative_is_nan_at_masks_and_kinks(f, values):
    for order, found in enumerate(derivatives(f, values)):
        assert np.isfinite(found).all(), (order, found)


def test_products_with_zeros_have_all_derivatives():
    # ∂³(abc)/∂a∂b∂c = 1 wherever the point is; contracted with w = (0.5, 1.1, 1.7) each time.
    _, first, second, third = derivatives(torch.prod, [0.0, 0.0, 0.0])
    w = np.linspace(0.5, 1.7, 3)
    np.testing.assert_array_equal(first, 0.0)
    np.testing.assert_array_equal(second, 0.0)
    pairs = np.array([w[1] * w[2], w[0] * w[2], w[0] * w[1]])
    np.testing.assert_allclose(third, 0.5 * 2 * pairs, rtol=1e-14)


def test_square_of_a_norm_is_a_sum_of_squares_at_zero():
    _, first, second = derivatives(lambda x: x.norm() ** 2, [0.0, 0.0])
    np.testing.assert_array_equal(first, [0.0, 0.0])
    np.testing.assert_allclose(second, 0.5 * 2 * np.array([0.5, 1.7]))


def test_named_results_print_as_pytorchs():
    x = torch.tensor([[1.0, 3.0, 3.0], [3.0, 2.0, 0.0]])
    assert repr(x.max(1)) == (
        "torch.return_types.max(\nvalues=tensor([3., 3.]),\nindices=tensor([1, 0]))"
    )
    values, indices = x.min(dim=0)
    assert values.tolist() == [1.0, 2.0, 0.0]
    assert indices.tolist() == [0, 1, 1]
    assert repr(x.aminmax()) == ("torch.return_types.aminmax(\nmin=tensor(0.),\nmax=tensor(3.))")
    assert x.cummax(1).indices.tolist() == [[0, 1, 2], [0, 0, 0]]


def test_ties_share_in_the_full_maximum_and_go_to_one_along_an_axis():
    values = [1.0, 3.0, 3.0]
    for f, expected in (
        (lambda x: x.max(), [0, 0.5, 0.5]),
        (lambda x: x.amax(0), [0, 0.5, 0.5]),
        (lambda x: x.max(0).values, [0, 1, 0]),
        (lambda x: x.cummax(0).values.sum(), [1, 1, 1]),
    ):
        x = tensor(values)
        f(x).backward()
        assert x.grad.tolist() == expected


def test_freedom_that_is_used_up_warns():
    with pytest.warns(UserWarning, match=r"var\(\): degrees of freedom is <= 0"):
        assert math.isnan(torch.tensor([1.0]).var().item())


@each(
    "call, error, message",
    [
        (lambda x: x.sum(5), IndexError, "Dimension out of range"),
        (lambda x: x.sum((0, 0)), RuntimeError, "dim 0 appears multiple times"),
        (lambda x: x.sum(0, 0), TypeError, r"sum\(\): argument 'keepdim' \(position 2\) must be"),
        (lambda x: x.sum("a"), TypeError, "received an invalid combination"),
        (lambda x: x.long().mean(), RuntimeError, "could not infer output dtype.*Got: Long"),
        (lambda x: x.argmax((0, 1)), TypeError, "must be int, not tuple"),
        (lambda x: x.long().var(), RuntimeError, "std and var only support"),
        (lambda x: x.long().norm(), RuntimeError, "Expected a floating point or complex"),
        (lambda x: torch.empty(0).max(), RuntimeError, "Expected reduction dim to be specified"),
        (lambda x: torch.empty(0, 2).max(0), IndexError, "reduction dim 0 to have non-zero size"),
        (lambda x: torch.empty(0).argmax(), IndexError, "Expected reduction dim to be specified"),
        (lambda x: x.var(correction=2, unbiased=True), TypeError, "invalid combination"),
        (lambda x: torch.empty(0).norm(inf), RuntimeError, "inf norm on an empty tensor"),
    ],
)
def test_bad_input_is_refused_as_by_pytorch(call, error, message):
    with pytest.raises(error, match=message):
        call(torch.ones(2, 3))


@pytest.mark.parametrize("shape", [(100_000, 3), (3, 100_000), (70, 3, 900), (100_000, 1)])
def test_sums_of_repeated_elements_keep_their_digits(shape):
    one = np.ones(len(shape), int)
    for own in (one, *np.where(np.eye(len(shape)), shape, one)):
        some = np.random.default_rng(0).random(own).astype(np.float32)
        y = torch.from_numpy(some).expand(shape)
        for dim in range(len(shape)):
            exact = np.sum(np.broadcast_to(some, shape), dim, dtype=np.longdouble)
            roundings = 64 + math.log2(shape[dim])  # of 64 terms one by one, and of halves
            np.testing.assert_allclose(y.sum(dim).numpy(), exact, rtol=roundings * 2**-24)
