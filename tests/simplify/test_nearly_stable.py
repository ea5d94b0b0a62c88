"""What only resembles a formula with a stable form keeps the derivative of what was written."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symgrad as torch
from tests.each import each

WEIGHTS = torch.tensor(np.arange(9.0).reshape(3, 3) ** 1.5 - 4)


def _matrix(x: Any, a: float, b: float) -> Any:
    return torch.stack([x, a * x, b * x.flip(0)])


#: Formulas with a stable form for some numbers a and b, and with none for others.
NEARLY: dict[str, Callable[[Any, float, float], Any]] = {
    "log of 1 + exp": lambda x, a, b: torch.log(a + b * torch.exp(x)),
    "log of a sum of exponentials": lambda x, a, b: torch.log(a + torch.exp(x) + torch.exp(b * x)),
    "log of multiples": lambda x, a, b: torch.log(a + x.exp() + b * (2 * x).exp()),
    "log of three": lambda x, a, b: (a + x.exp() + (x * b).exp() + (x / 2).exp()).log(),
    "log of a total": lambda x, a, b: torch.log(a + b * torch.exp(x).sum()),
    "log of a logistic": lambda x, a, b: torch.log(a + b * torch.sigmoid(x)),
    "log of a quotient": lambda x, a, b: torch.log(1 - b / (a + torch.exp(-x))),
    "log of cosh": lambda x, a, b: torch.log(a + torch.cosh(b * x)),
    "log of erfc": lambda x, a, b: torch.log(a + b * torch.erfc(x)),
    "log of a softmax": lambda x, a, b: torch.log(a + b * torch.softmax(x, 0)),
    "log1p": lambda x, a, b: torch.log1p(b * torch.exp(a * x)),
    "logistic": lambda x, a, b: 1 / (a + b * torch.exp(-x)),
    "logistic of both": lambda x, a, b: torch.exp(x) / (a + b * torch.exp(x)),
    "softmax": lambda x, a, b: torch.exp(a * x - b * x.logsumexp(0)),
    "log_softmax": lambda x, a, b: a * x - b * x.logsumexp(0),
    "softmax of another": lambda x, a, b: torch.exp(x - (b * x + a).logsumexp(0)),
    "log_softmax of another": lambda x, a, b: x - (b * x + a).logsumexp(0),
    "chosen log_softmax": lambda x, a, b: x[1] - b * torch.logsumexp(a * x[:2], 0),
    "chosen of both axes": lambda x, a, b: (
        ((m := _matrix(x, a, b))[1] - m.logsumexp((0, 1))) * WEIGHTS[0]
    ),
    "gathered of both axes": lambda x, a, b: (
        ((m := _matrix(x, a, b)).gather(0, torch.tensor([[1, 0, 2]])) - m.logsumexp((0, 1)))
        * WEIGHTS[0]
    ),
    "one of both axes": lambda x, a, b: (m := _matrix(x, a, b))[1, 2] - m.logsumexp((0, 1)),
    "chosen of rows": lambda x, a, b: ((m := _matrix(x, a, b))[1] - m.logsumexp(0)) * WEIGHTS[0],
    "chosen of columns": lambda x, a, b: ((m := _matrix(x, a, b))[1] - m.logsumexp(1)) * WEIGHTS[0],
    "softmax of a matrix": lambda x, a, b: (
        torch.exp((m := _matrix(x, a, b)) - m.logsumexp((0, 1))) * WEIGHTS
    ),
    "softmax of rows": lambda x, a, b: (
        torch.exp((m := _matrix(x, a, b)) - m.logsumexp(1, keepdim=True)) * WEIGHTS
    ),
    "softmax of rows beside columns": lambda x, a, b: (
        torch.exp((m := _matrix(x, a, b)) - m.logsumexp(1)) * WEIGHTS
    ),
    "log_softmax of rows beside columns": lambda x, a, b: (
        ((m := _matrix(x, a, b)) - m.logsumexp(1)) * WEIGHTS
    ),
    "softmax by hand": lambda x, a, b: torch.exp(x) / (a + torch.exp(b * x).sum()),
    "norm": lambda x, a, b: torch.sqrt(a + b * (x * x).sum()),
    "hypot": lambda x, a, b: torch.sqrt(a + x**2 + b / 2 * x**2),
    "power": lambda x, a, b: torch.exp(a * torch.log(x + 3) + b),
    "expm1": lambda x, a, b: torch.exp(b * x) - a,
    "tanh": lambda x, a, b: torch.log(a - b * torch.tanh(x)),
    "sine over x": lambda x, a, b: torch.sin(a * x) / (b * x),
}
NUMBERS = [-1.0, 0.5, 1.0, 1.001, 2.0]
POINTS = np.array([-1.3, 0.4, 2.1])
STEP = 1e-5


@each("name", list(NEARLY))
def test_the_derivative_is_that_of_what_was_written(name: str) -> None:
    defined = 0
    for a, b in itertools.product([0.0, *NUMBERS], NUMBERS):
        x = torch.tensor(POINTS, requires_grad=True)
        y = NEARLY[name](x, a, b).sum()
        if not np.isfinite(y.item()):
            continue
        defined += 1
        y.backward()
        slopes = []
        for i in range(len(POINTS)):
            beside = [torch.tensor(POINTS + s * np.eye(3)[i] * STEP) for s in (1, -1)]
            high, low = [NEARLY[name](v, a, b).sum().item() for v in beside]
            slopes.append((high - low) / (2 * STEP))
        np.testing.assert_allclose(
            x.grad.numpy(), slopes, rtol=1e-6, atol=1e-8, err_msg=f"{a}, {b}"
        )
    assert defined > 5


#: Functions whose gradient adds several elements at one place.
SEVERAL_AT_A_PLACE: dict[str, Callable[[Any], Any]] = {
    "index": lambda x: x[[0, 1, 1, 2, 2]],
    "index of two axes": lambda x: x.reshape(3, 1)[[0, 1, 1, 2, 2], [0, 0, 0, 0, 0]],
    "index_select": lambda x: x.index_select(0, torch.tensor([0, 1, 1, 2, 2])),
    "gather": lambda x: x.gather(0, torch.tensor([0, 1, 1, 2, 2])),
    "take": lambda x: x.take(torch.tensor([0, 1, 1, 2, 2])),
    "unfold": lambda x: x.unfold(0, 2, 1).reshape(-1),
    "as_strided": lambda x: torch.as_strided(x, (2, 2), (1, 1)).reshape(-1),
    "repeat_interleave": lambda x: x.repeat_interleave(2),
    "repeat": lambda x: x.repeat(2),
    "expand": lambda x: x.expand(2, 3).reshape(-1),
}


@each("factor", [np.inf, -np.inf, 1.7e308])
@each("name", list(SEVERAL_AT_A_PLACE))
def test_what_is_added_at_one_place_is_multiplied_as_a_sum(name: str, factor: float) -> None:
    """With a factor w, `w * (2 - 1)` is no `w * 2 - w * 1`, which may overflow or be nan."""
    gradients = []
    for w in (1.0, factor):
        x = torch.tensor(POINTS, requires_grad=True)
        y = SEVERAL_AT_A_PLACE[name](x * torch.full((3,), w, dtype=torch.float64))
        weights = [2.0, -1.5, 2.5, -2.25, -1.5, 2.0][: len(y)]
        y.backward(torch.tensor(weights, dtype=torch.float64))
        gradients.append(x.grad.numpy())
    with np.errstate(over="ignore"):
        np.testing.assert_array_equal(gradients[1], gradients[0] * factor)


@pytest.mark.parametrize("sign", [1, -1])
def test_complex_numbers_have_no_stable_form(sign: int) -> None:
    z = torch.tensor([1 + 1j, 2 - 1j, 0.5j], dtype=torch.complex128, requires_grad=True)
    (sign * (z - z.logsumexp(0)))[1].real.backward()
    weights = np.exp(z.detach().numpy())
    slope = np.array([0, 1, 0]) - weights / weights.sum()
    np.testing.assert_allclose(z.grad.numpy(), sign * slope.conj(), rtol=1e-12)
