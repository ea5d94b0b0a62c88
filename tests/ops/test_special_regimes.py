"""Special functions where their implementations change: far out, next to 0 and to poles."""

from __future__ import annotations

import inspect
from typing import Any

import mpmath
import numpy as np

import symgrad
from tests.each import each

_FAR_LEFT = [-30.5, -31.25, -200.75, -12345.5, -1e6 - 0.3, -1e12 - 0.25, -1e15 - 0.5]


def _left(n: int, x: float) -> Any:
    """Return the derivative of order `n` of digamma by the cotangent's: DLMF 5.15.6."""
    part = mpmath.mpf(x) - mpmath.floor(x)
    slope = mpmath.taylor(lambda t: mpmath.pi * mpmath.cot(mpmath.pi * t), part, n)[n]
    return (-1) ** n * mpmath.psi(n, 1 - mpmath.mpf(x)) - slope * mpmath.factorial(n)


@each("n", [1, 2, 3, 4])
def test_polygamma_and_zeta_far_on_the_left_take_no_steps_to_get_there(n: int) -> None:
    """SciPy adds a term for each unit: a day at -1e12."""
    x = symgrad.tensor(_FAR_LEFT, dtype=symgrad.float64)
    made = symgrad.polygamma(n, x).tolist()
    sums = symgrad.special.zeta(n + 1, x).tolist()
    for at, got, total in zip(_FAR_LEFT, made, sums, strict=True):
        with mpmath.workdps(60):
            exact = _left(n, at)
            whole = (-1) ** (n + 1) * exact / mpmath.factorial(n)
        # Off a root of the even derivatives a part of the terms cancels, that of the cotangent.
        for value, wanted in ((got, exact), (total, whole)):
            scale = max(abs(float(wanted)), 1e-3 if n % 2 == 0 and at % 1 != 0.5 else 0)
            assert abs(value - float(wanted)) <= 16 * np.spacing(scale)


def test_a_number_beside_a_tensor_is_as_good_as_a_tensor() -> None:
    """Of every function of several operands, in each of its places."""
    numbers = {
        "v": 1.5, "n": 2, "a": 0.5, "b": 1.5, "c": 1.25, "m": 0.5, "phi": 0.25, "alpha": 0.25,
        "beta": 0.5, "other": 1.5, "input": 0.6, "p": 3, "k": 0,
    }  # fmt: skip
    tried = 0
    for name in symgrad.special.__all__:
        f = getattr(symgrad.special, name)
        given = [
            numbers.get(p.name, 0.3)
            for p in inspect.signature(f).parameters.values()
            if p.default is p.empty and p.kind is not p.KEYWORD_ONLY
        ]
        moving = [i for i, value in enumerate(given) if isinstance(value, float)]
        if len(given) < 2 or name in (
            "softmax",
            "log_softmax",
            "logsumexp",
            "gammainc",
            "gammaincc",
        ):
            continue
        for place in moving:
            operands: list[Any] = list(given)
            operands[place] = symgrad.tensor([given[place]], dtype=symgrad.float64)
            alone = f(*operands)
            assert isinstance(alone, symgrad.Tensor), name
            for i in moving:
                operands[i] = symgrad.tensor([given[i]], dtype=symgrad.float64)
            np.testing.assert_allclose(alone.numpy(), f(*operands).numpy(), rtol=1e-14)
            tried += 1
    assert tried > 60
