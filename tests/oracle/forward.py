"""Forward mode: the tangents of a case's results.

A module of its own, since cases are observed with inputs of another kind.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from . import observe
from .observe import Failure
from .table import Case, cotangent

_DTYPE = "PyTorch's tangent is of another dtype than the result"

# Cases in which PyTorch's forward mode contradicts its own reverse mode, or takes another dtype
# than that of the result: symgrad's agrees with its reverse mode, which the tests hold it to.
CONVENTIONS = {
    "elementwise-clamp-tensor-ties": "of equal bounds PyTorch takes the bound's tangent",
    "elementwise-clamp-tensor-max-ties": "as clamp-tensor-ties",
    "elementwise-clamp-tensor-nan": "at nan the gradient is 0 and PyTorch's tangent is not",
    "arithmetic-maximum-edges": "at nan gradients go to both operands, PyTorch's tangent is of one",
    "arithmetic-minimum-edges": "as maximum-edges",
    "arithmetic-pow-complex-real": "PyTorch drops the imaginary part of the exponent's share",
    "arithmetic-pow-real-complex": "PyTorch drops the imaginary part of the base's share",
    "arithmetic-pow-real-complex-number": "as pow-real-complex",
    "arithmetic-atan2-tails": "x*x + y*y underflows in PyTorch",
    "reduction-logsumexp-dim-empty-reduced": "the sum over nothing does not move; PyTorch has nan",
    "reduction-logsumexp-empty": "as logsumexp-dim-empty-reduced",
    "reduction-var-dim-empty-tuple": "PyTorch's tangent divides by zero",
    "reduction-std-dim-empty-tuple": "PyTorch's tangent divides by zero",
    "reduction-prod-dtype-narrow": _DTYPE,
    "reduction-norm-dtype": _DTYPE,
    "reduction-norm-2-dtype": _DTYPE,
    **{
        f"promotion-{name}-{kind}-1j-{rank}": "as pow-real-complex"
        for name in ("pow", "rpow")
        for kind in ("float32", "float64")
        for rank in ("0d", "1d")
    },
}
CONVENTIONS |= {
    "complex-sinc-tiny": "PyTorch's tangent is 0 near 0",
    "complex-acosh-lower-lip": "PyTorch's tangent has the sign of the upper lip",
    "complex-cumprod-dtype-to-real": "PyTorch's tangent is not the derivative",
    "complex-operator-rsub-real": _DTYPE,
    "complex-operator-rsub-float32": _DTYPE,
    "complex-pow-0j-real": _DTYPE,
    "complex-norm-dtype": _DTYPE,
    "complex-vector-norm-dtype": _DTYPE,
    **{
        f"complex-{name}": "as pow-real-complex"
        for name in (
            "operator-rpow-real", "operator-rpow-float32", "pow-1j-real", "pow-(2-1j)-real",
            "pow-(-1+0.5j)-real", "pow-real-base", "pow-positive-base", "pow-real-exponent",
            "pow-float32-exponent", "pow-complex64-float64",
        )
    },
}  # fmt: skip
_READ = "PyTorch's tangent is that of the whole matrix, of which one triangle counts"
CONVENTIONS |= {
    "linalg-cholesky-symmetric": _READ,
    **{
        f"linalg-triangular-solve-{name}": _READ
        for name in ("with-left", "with-unitriangular", "with-left-unitriangular", "method")
    },
    **{
        f"linalg-cholesky-inverse{upper}-{name}": _READ
        for upper in ("", "-upper")
        for name in ("3x3", "2x3x3", "layoutT", "float32")
    },
}
CONVENTIONS |= {
    "layers-embedding-padding": "PyTorch's tangent moves the row whose gradient is 0",
    "layers-embedding-often": "PyTorch's tangent is not divided by how often a row is named",
    "reduction-renorm-float16": _DTYPE,
    **{
        f"indexing-scatter_reduce-prod-{name}": "PyTorch drops the tangent without a word"
        for name in (
            *(
                f"{shape}-{included}"
                for shape in ("3x4-dim0-2x3", "3x4-dim1-2x3", "3-dim0-4", "3-dim0-0", "0d-dim0-0d")
                for included in (True, False)
            ),
            "float16", "float32", "ties", "source-only", "of-products", "one-zero",
        )
    },
}  # fmt: skip
_NO_TANGENT = "where only the other operand moves, PyTorch has no tangent, and not one of zeros"
_POWERS = "PyTorch has integer powers of 2, which overflow, and are 0 instead of a half"
CONVENTIONS |= {
    "special-copysign-right-only": _NO_TANGENT,
    "special-nextafter-right-only": _NO_TANGENT,
    "special-nextafter-mixed-float": _DTYPE,
    "special-ldexp-large": _POWERS,
    "special-ldexp-negative": _POWERS,
}
# At 1/0 one of two formulas has nan.
FREE = {"arithmetic-div-edges"}


def direction(torch: Any, case: Case, position: int, x: Any) -> Any:
    return torch.tensor(cotangent(tuple(x.shape), observe.dtype_of(x), position + 2, case.ones))


@observe.quiet
def tangents(torch: Any, case: Case, draw: int = 0) -> list[Any] | Failure:
    """The tangent of each result where all inputs that require grad move; None for no tangent."""
    mode = torch.autograd.forward_ad
    inputs = observe.tensors(torch, case, draw)
    with mode.dual_level():
        try:
            duals = [
                mode.make_dual(x.detach(), direction(torch, case, k, x)) if arg.requires_grad else x
                for k, (arg, x) in enumerate(zip(case.args, inputs, strict=True))
            ]
            results = observe.call(torch, case, duals)
        except Exception as error:
            return Failure.of(error)
        return [_tangent(mode, y) for y in results]


def _tangent(mode: Any, y: Any) -> np.ndarray | None:
    if not observe.is_tensor(y):
        return None
    tangent = mode.unpack_dual(y).tangent
    return None if tangent is None else observe.array_of(tangent)


@observe.quiet
def transposed(torch: Any, case: Case, draw: int = 0) -> list[Any]:
    """The same by differentiating backwards twice, which is another way to the same numbers."""
    found = []
    inputs = observe.tensors(torch, case, draw)
    for y in observe.call(torch, case, inputs):
        if not observe.is_tensor(y) or not y.requires_grad:
            found.append(None)
            continue
        ct = torch.zeros_like(y).requires_grad_(True)
        wanted = [(k, x) for k, x in enumerate(inputs) if x.requires_grad]
        pulled = torch.autograd.grad(
            y, [x for _, x in wanted], ct, create_graph=True, allow_unused=True
        )
        live = [
            (g, direction(torch, case, k, x))
            for (k, x), g in zip(wanted, pulled, strict=True)
            if g is not None and g.requires_grad
        ]
        if not live:
            found.append(np.zeros(tuple(y.shape), observe.dtype_of(y)))
            continue
        (tangent,) = torch.autograd.grad(
            [g for g, _ in live], ct, [t for _, t in live], retain_graph=True
        )
        found.append(observe.array_of(tangent))
    return found


@observe.quiet
def separately_and_together(library: Any, case: Case) -> tuple[list[Any], list[Any]] | None:
    """The tangents in two directions, by symgrad: one after the other, stacked, and at once.

    None where there are none.
    """
    from symgrad.autograd.forward_ad import with_tangent
    from symgrad.backward.tangents import tangent_of
    from symgrad.record.dual_level import DualLevel, entered

    def pushed(size: int | None, take: Any) -> list[Any]:
        inputs = observe.tensors(library, case)
        with entered(DualLevel(size)):
            duals = []
            for k, (arg, x) in enumerate(zip(case.args, inputs, strict=True)):
                if arg.requires_grad:
                    t = observe.array_of(direction(library, case, k, x))
                    x = with_tangent(
                        x.detach(), library.from_numpy(take(t, np.asarray(t * 0.5 + 1, t.dtype)))
                    )
                duals.append(x)
            found = [
                tangent_of(y) if observe.is_tensor(y) else None
                for y in observe.call(library, case, duals)
            ]
            return [None if t is None else observe.array_of(t) for t in found]

    try:
        rows = [pushed(None, lambda *ts, k=k: np.array(ts[k])) for k in range(2)]
    except NotImplementedError:
        return None
    stacked = [None if a is None else np.stack([a, b]) for a, b in zip(*rows, strict=True)]
    return stacked, pushed(2, lambda *ts: np.stack(ts))
