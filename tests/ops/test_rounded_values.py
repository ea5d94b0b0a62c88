"""What is divided by what a rounded value leaves gets the derivative of the rounded value.

Where sigmoid(x) is 1 within rounding, `1 - sigmoid(x)` is 0, and `1 / (1 - sigmoid(x) + eps)` is
far too large; a derivative of sigmoid that keeps its digits there must not be multiplied by that.
The references are NumPy's, of the same rounded values.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symgrad
from symgrad.nn import functional as F
from tests.each import each

EPS = 1e-12
POINTS = [*np.linspace(-45, 45, 37), 9.0, 16.6, 17.1, -16.6, -17.1, 0.0, 0.3]

#: A value, what it leaves, and the slopes of that of the rounded value `y`.
VALUES: dict[str, tuple[Callable[..., Any], Callable[..., Any], Callable[..., Any]]] = {
    "sigmoid": (lambda x: x.sigmoid(), lambda y: 1 - y, lambda y: -y * (1 - y)),
    "tanh": (lambda x: x.tanh(), lambda y: 1 - y * y, lambda y: -2 * y * (1 - y * y)),
    "above tanh": (lambda x: x.tanh(), lambda y: 1 + y, lambda y: 1 - y * y),
    "expm1": (lambda x: (-x.abs()).expm1(), lambda y: 1 + y, lambda y: 1 + y),
    "softmax": (
        lambda x: symgrad.stack([x, x * 0], -1).softmax(-1)[..., 0],
        lambda y: 1 - y,
        lambda y: -y * (1 - y),
    ),
    "exp(log_softmax)": (
        lambda x: symgrad.stack([x, x * 0], -1).log_softmax(-1).exp()[..., 0],
        lambda y: 1 - y,
        lambda y: -y * (1 - y),
    ),
}
#: What is made of what is left, and its slope.
USES: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
    "log": (lambda c: (c + EPS).log(), lambda c: 1 / (c + EPS)),
    "over": (lambda c: 3 / (c + EPS), lambda c: -3 / (c + EPS) ** 2),
    "reciprocal": (lambda c: (c + EPS).reciprocal(), lambda c: -1 / (c + EPS) ** 2),
    "root": (lambda c: (c + EPS).sqrt(), lambda c: 0.5 / np.sqrt(c + EPS)),
    "power": (lambda c: (c + EPS) ** -0.5, lambda c: -0.5 * (c + EPS) ** -1.5),
    "doubled": (lambda c: (2 * c + EPS).log(), lambda c: 2 / (2 * c + EPS)),
    "rsqrt": (lambda c: (c * c + EPS).rsqrt(), lambda c: -c * (c * c + EPS) ** -1.5),
}


@each("kind", [np.float32, np.float64])
@each("use", list(USES))
@each("name", list(VALUES))
def test_no_gradient_is_a_quotient_of_exact_and_rounded(name: str, use: str, kind: Any) -> None:
    make, leave, slope = VALUES[name]
    apply, outer = USES[use]
    x = symgrad.tensor(np.array(POINTS, kind), requires_grad=True)
    y = make(x)
    apply(leave(y)).sum().backward()
    value = y.detach().numpy()
    inner = slope(value)
    if name == "expm1":
        inner = -np.sign(x.detach().numpy()) * inner
    want = outer(leave(value)) * inner
    # What one rounding of the value, or of what it leaves, changes at most.
    off = 8 * np.finfo(kind).eps * abs(outer(leave(value))) + 1e-6 * abs(want)
    assert x.grad is not None
    assert (abs(x.grad.numpy() - want) <= off).all()


@pytest.mark.parametrize("target", [0.0, 1.0, 0.3])
def test_cross_entropy_of_a_rounded_probability(target: float) -> None:
    x = symgrad.tensor(np.array(POINTS, np.float32), requires_grad=True)
    p = x.sigmoid()
    F.binary_cross_entropy(p, symgrad.full_like(p, target), reduction="sum").backward()
    v = p.detach().numpy()
    share = v * (1 - v)
    want = (v - np.float32(target)) / np.maximum(share, np.float32(EPS)) * share
    assert x.grad is not None
    np.testing.assert_allclose(x.grad.numpy(), want, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize(
    "use", [lambda y: y, lambda y: y * y, lambda y: (y - 0.5) ** 2, symgrad.sin]
)
@pytest.mark.parametrize("name", ["sigmoid", "tanh"])
def test_where_nothing_is_divided_by_it_the_digits_stay(name: str, use: Any) -> None:
    x = symgrad.tensor([40.0], dtype=symgrad.float64, requires_grad=True)
    y = getattr(x, name)()
    use(y).sum().backward()
    e = np.exp(-40.0) if name == "sigmoid" else 4 * np.exp(-80.0)
    v = symgrad.tensor([1.0], dtype=symgrad.float64, requires_grad=True)
    use(v).sum().backward()
    assert x.grad is not None and v.grad is not None
    np.testing.assert_allclose(x.grad.numpy(), e * v.grad.numpy(), rtol=1e-14)
