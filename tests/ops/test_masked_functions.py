"""`symgrad.masked`: what a mask leaves out has no part in a result, nor in its derivatives.

Each function is compared with itself without a mask, of the elements that are kept alone.
"""

from __future__ import annotations

import inspect
import math
from typing import Any

import numpy as np

import symgrad as torch
from symgrad.schema.public import SPACES
from tests.each import each

MASK = torch.tensor([True, False, True, False, False, True])
X = [0.5, math.nan, 2.0, math.inf, -math.inf, 1.25]
REQUIRED = {"dim": 0, "ord": 2.0}
CALLS: dict[str, tuple[str, dict[str, Any]]] = {
    **{
        name: (name, {k: v for k, v in REQUIRED.items() if k in inspect.signature(f).parameters})
        for name, f in SPACES["masked"].items()
        if name != "logaddexp"  # which takes a mask for each operand
    },
    **{f"norm of order {p}": ("norm", {"ord": p}) for p in (-math.inf, -1, 0.5, 1, math.inf)},
    "var of all": ("var", {"correction": 0}),
}


def derivatives(call: Any, x: Any) -> list[Any]:
    """The result, and where there are some its gradient and that of the gradient's square."""
    made = call(x)
    kept = made[MASK] if made.shape == MASK.shape else made
    if not kept.requires_grad:
        return [kept]
    weights = torch.linspace(0.5, 1.5, kept.numel(), dtype=torch.float64).reshape(kept.shape)
    (first,) = torch.autograd.grad((kept * weights).sum(), x, create_graph=True)
    second = torch.zeros_like(x)
    if first.requires_grad:
        (second,) = torch.autograd.grad((first**2).sum(), x, allow_unused=True)
    return [kept.detach(), first.detach(), torch.zeros_like(x) if second is None else second]


@each("name", list(CALLS))
def test_what_is_left_out_has_no_part(name: str) -> None:
    f, options = CALLS[name]
    x = torch.tensor(X, dtype=torch.float64, requires_grad=True)
    found = derivatives(lambda x: getattr(torch.masked, f)(x, **options, mask=MASK), x)
    alone = x.detach()[MASK].requires_grad_()
    wanted = derivatives(lambda x: getattr(torch.masked, f)(x, **options), alone)
    assert len(found) == len(wanted)
    if f.startswith("arg"):
        wanted = [MASK.nonzero()[int(wanted[0]), 0].to(torch.float64)]
    for got, want in zip(found, wanted, strict=True):
        if got.shape == MASK.shape:
            np.testing.assert_array_equal(got[~MASK].numpy(), 0)
            got = got[MASK]
        np.testing.assert_allclose(got.numpy(), want.numpy(), rtol=1e-13, atol=1e-14)
