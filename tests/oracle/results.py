"""What arrives at the results of a case when its gradients are differentiated again.

A derivative that reads its result passes a gradient to the result at second order: whoever looks at
the gradient of the result sees that. The same code observes both libraries.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.recording import PerOperation

from . import observe
from .cases import CASES
from .observe import Failure
from .operations import operation
from .table import Case

#: Beginnings of cases that differ, and why (`docs/differences.md`).
DIFFERENT = {
    "linalg-det": "its derivative is made of the matrix alone, so that a singular one has it, too",
    "linalg-cholesky-inverse": "it is made of two triangular solves; the inner one passes it on",
    "linalg-cholesky-solve": "as above",
    "linalg-qr": "zeros below a diagonal are lengths of 0: what a hook makes of one is unknown",
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
    "promotion-pow-float32-float32-1d1d": "terms of 56 that cancel to 0.05 are rounded elsewhere",
}
#: Beginnings of cases where zeros arrive and in PyTorch nothing: the values decide which formula
#: PyTorch reads, one of the result or, beside a zero, one of the factors.
OF_ZEROS = (
    "reduction-prod-zeros",
    "complex-prod-zeros",
    "complex-cumprod-zeros",
    "ties-cumprod-of-nothing",
)

COMPARED = [
    case
    for case in CASES
    if not (case.differs or case.torch_nan or case.id.startswith(tuple(DIFFERENT)))
]
_CASES = {case.id: case for case in COMPARED}
_BY_OPERATION: dict[str, list[Case]] = {}
for _case in COMPARED:
    if not _case.id.startswith(OF_ZEROS) and any(x.requires_grad for x in _case.args):
        _BY_OPERATION.setdefault(operation(_case.id), []).append(_case)


@observe.quiet
def seconds(
    torch: Any, case: Case, look: Callable[[int, Any], Any], began: Callable[[], Any] = list
) -> Any:
    """Return the gradients of first gradients for results, inputs and cotangents.

    `look` is called with each result and its number, and `began` before the gradients of gradients.
    What has none is None, and a `Failure` what was raised.
    """
    try:
        _, results, wanted = observe._differentiable(torch, case, 0)
        if not results or not wanted:
            return None
        cts = [ct.requires_grad_(True) for ct in observe._pulled(torch, case, results)]
        for k, y in enumerate(results):
            look(k, y)
        grads = torch.autograd.grad(results, wanted, cts, create_graph=True, allow_unused=True)
        rows = [k for k, g in enumerate(grads) if g is not None and g.requires_grad]
        if not rows:
            return None
        vectors = [observe._pulled(torch, case, [grads[k]], which=3 + k)[0] for k in rows]
        began()
        found = torch.autograd.grad(
            [grads[k] for k in rows], results + wanted + cts, vectors, allow_unused=True
        )
    except Exception as error:
        return Failure.of(error)
    return [observe._gradient(g) for g in found]


def arrivals(torch: Any, case: Case) -> list[bool | None] | None:
    """Return what hooks on the results are called with at second order.

    For each result that is None where they are not called, and else whether any element is other
    than 0. None where there is no second order.
    """
    found: dict[int, bool | None] = {}

    def look(k: int, y: Any) -> None:
        found[k] = None
        y.register_hook(lambda g: found.update({k: bool(observe.array_of(g).any())}))

    def began() -> None:
        found.update(dict.fromkeys(found))

    second = seconds(torch, case, look, began)
    return None if second is None or isinstance(second, Failure) else list(found.values())


def recorded(torch: Any, name: str) -> dict[str, list[bool | None]]:
    """Return what arrives in the first case of an operation of each kind.

    The kinds are told apart by what arrives, and those in which all of it does by operands without
    axes, of which other rules hold.
    """
    kinds: dict[Any, tuple[str, list[bool | None]]] = {}
    for case in _BY_OPERATION[name]:
        found = arrivals(torch, case)
        if found is not None:
            scalar = True in found and any(x.shape == () for x in case.arrays(0))
            kinds.setdefault((*found, scalar), (case.id, found))
    return dict(kinds.values())


def case_of(case_id: str) -> Case:
    """Return a case of those that are compared."""
    return _CASES[case_id]


RECORDS = PerOperation(Path(__file__).with_name("arrivals"), str, lambda: sorted(_BY_OPERATION))
