"""A program that looks at its values has the gradients of one that does not.

Gradients by stable forms conclude from how values were computed. Memory that a user holds may have
been written unseen, so what was looked at is computed again and compared.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import symgrad
from tests.autograd.support import each

Step = Callable[[Any], Any]

#: Programs step by step, with numbers at which the derivative of the steps alone is none.
PROGRAMS: dict[str, tuple[list[Step], list[float]]] = {
    "length": ([lambda x: x * x, symgrad.sum, symgrad.sqrt], [0.0, 0.0]),
    "length of products": ([lambda x: 3 * x, lambda x: x**2, symgrad.sum, symgrad.sqrt], [0.0]),
    "modulus": ([symgrad.square, symgrad.sqrt], [0.0, 2.0]),
    "power of a sum": ([lambda x: x**2, symgrad.sum, lambda x: x**0.5], [0.0, 0.0]),
    "softplus": ([symgrad.exp, lambda x: 1 + x, symgrad.log], [800.0, -800.0]),
    "log1p": ([symgrad.exp, symgrad.log1p], [800.0]),
    "logistic": ([lambda x: -x, symgrad.exp, lambda x: x + 1, lambda x: 1 / x], [-800.0, 0.5]),
    "log of sigmoid": ([symgrad.sigmoid, symgrad.log], [-800.0]),
    "log of cosh": ([symgrad.cosh, symgrad.log], [800.0]),
    "power by logarithms": ([symgrad.log, lambda x: 2 * x, symgrad.exp], [0.0, 3.0]),
    "log of sum of exp": ([symgrad.exp, symgrad.sum, symgrad.log], [800.0, -800.0]),
    "log of softmax": ([lambda x: x.softmax(0), symgrad.log], [-800.0, 0.0]),
    "difference of one": ([symgrad.tanh, symgrad.square, lambda x: 1 - x], [30.0]),
}

LOOKS: dict[str, Callable[[Any], Any]] = {
    "detach().numpy()": lambda x: x.detach().numpy(),
    "data": lambda x: x.data,
    "tolist": lambda x: x.tolist(),
}


def _derivatives(name: str, look: Callable[[Any], Any] | None, at: int) -> list[Any]:
    """Return the first derivative by a pass of its own, and the first and second by one over it."""
    steps, values = PROGRAMS[name]
    found = []
    for again in (False, True):
        x = symgrad.tensor(values, dtype=symgrad.float64, requires_grad=True)
        y = x
        for i, step in enumerate(steps):
            y = step(y)
            if look is not None and at in (i, len(steps)):
                look(y)
        (g,) = symgrad.autograd.grad(y.sum(), x, create_graph=again)
        found.append(g.detach().numpy())
        if again and g.requires_grad:
            found.append(symgrad.autograd.grad(g.sum(), x)[0].numpy())
    return found


@each("look", list(LOOKS))
@each("name", list(PROGRAMS))
def test_looking_at_a_value_changes_no_derivative(name: str, look: str) -> None:
    wanted = _derivatives(name, None, 0)
    assert np.isfinite(wanted[0]).all()
    for at in range(len(PROGRAMS[name][0]) + 1):
        for got, expected in zip(_derivatives(name, LOOKS[look], at), wanted, strict=True):
            np.testing.assert_allclose(got, expected, rtol=1e-14, atol=0, err_msg=f"after {at}")
