"""What the gradient of a result is at second order, against PyTorch where it is installed.

A derivative that reads its result passes a gradient to it when it is differentiated: whoever looks
at the gradient of the result sees that. Every case of the table is tried, with results that retain
their gradient, and with results whose hooks change it.
"""

from __future__ import annotations

from typing import Any

import pytest

import symgrad

from . import observe
from .cases import CASES
from .observe import Failure
from .table import Case
from .test_oracle import check_gradients

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.oracle

#: Beginnings of cases that differ, and why (`docs/differences.md`).
DIFFERENT = {
    "special-copysign": "its derivative is that of the sign, not a ratio with the result",
    "complex-polar": "it is differentiated by the direction of the angle, not by the result",
    "complex-sgn": "its derivative is written with the modulus of the operand",
    "complex-inplace-sgn": "as above",
    "complex-compose": "of sgn, as above",
    "indexing-scatter_reduce-prod": "products of several zeros have a derivative, too",
    "indexing-index_reduce-prod": "as above",
    "write-scatter_reduce_-prod": "as above",
    "write-index_reduce_-prod": "as above",
    "special-float_power": "exponents of nan and inf meet zeros in another order",
    "write-pow-float32": "a result in a narrower dtype than it was computed in is rounded first",
    "write-ipow-float32": "as above",
    "special-ldexp-in-place-wider": "as above",
}


@observe.quiet
def _seconds(torch: Any, case: Case, how: str) -> Any:
    """The gradients of first gradients for results, inputs and cotangents."""
    try:
        _, results, wanted = observe._differentiable(torch, case, 0)
        if not results or not wanted:
            return None
        cts = [ct.requires_grad_(True) for ct in observe._pulled(torch, case, results)]
        for y in results:
            if how == "retained":
                y.retain_grad()
            else:
                y.register_hook(lambda g: 2 * g)
        grads = torch.autograd.grad(results, wanted, cts, create_graph=True, allow_unused=True)
        rows = [k for k, g in enumerate(grads) if g is not None and g.requires_grad]
        if not rows:
            return None
        vectors = [observe._pulled(torch, case, [grads[k]], which=3 + k)[0] for k in rows]
        seconds = torch.autograd.grad(
            [grads[k] for k in rows], results + wanted + cts, vectors, allow_unused=True
        )
    except Exception as error:
        return Failure.of(error)
    return [observe._gradient(g) for g in seconds]


@pytest.mark.parametrize("how", ["retained", "hooked"])
@pytest.mark.parametrize("family", sorted({case.family for case in CASES}))
def test_a_result_passes_on_what_pytorch_does(family: str, how: str) -> None:
    wrong = []
    for case in CASES:
        left_out = case.differs or case.torch_nan or case.id.startswith(tuple(DIFFERENT))
        if case.family != family or left_out:
            continue
        expected = _seconds(torch, case, how)
        if expected is None or isinstance(expected, Failure):
            continue
        try:
            check_gradients(case, _seconds(symgrad, case, how), expected, none_is_zero=True)
        except AssertionError as error:
            wrong.append(f"{case.id}: {' '.join(str(error).split())[:200]}")
    assert not wrong, "\n".join(wrong[:20])


def test_what_differs_is_in_the_table() -> None:
    for start in DIFFERENT:
        assert any(case.id.startswith(start) for case in CASES), start
