"""Solutions of equations in the sense of least squares, made of pseudo-inverses."""

from __future__ import annotations

from typing import Any

import numpy as np

from symgrad.expr.dtypes import int64
from symgrad.functions import return_types
from symgrad.functions.creation.making import CREATION
from symgrad.ops.linear_algebra import check_matrices
from symgrad.ops.operand_values import every_value
from symgrad.ops.primitive import bind
from symgrad.ops.pseudo_inverses import least_squares
from symgrad.ops.singular import thin_svd
from symgrad.record.face import shows
from symgrad.schema.public import public

shows(least_squares, name="LinalgLstsq", saved=("self", "b"), facts=lambda node: {})

_DRIVERS = ("gels", "gelsy", "gelsd", "gelss")


@public(
    "linalg.lstsq(Tensor self, Tensor b, float? rcond=None, *, str? driver=None, Tensor[4]? out=None) -> (Tensor solution, Tensor residuals, Tensor rank, Tensor singular_values)",
    call="linalg_lstsq",
)
def _lstsq(input: Any, b: Any, rcond: float | None = None, *, driver: str | None = None) -> Any:
    """Return the X for which the norm of `input @ X - b` is least, and of these the shortest.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        Matrices; leading axes count them.
    b : Tensor or ArrayExpr
        Matrices, or vectors: an array of the shape of `input` without its last axis.
    rcond : float, optional
        Singular values count as zero that are not larger than this times the largest one: by default
        the spacing of floating-point numbers at 1 times the longer side of the matrices.
    driver : "gels", "gelsy", "gelsd" or "gelss", optional
        PyTorch's choice of a routine, "gelsy" by default. Here one is used for all of them, and the
        choice says what is returned: singular values for the last two, and residuals for all but
        "gelsy".

    Returns
    -------
    (solution, residuals, rank, singular_values)
        The residuals are the sums of squares of `input @ X - b`, for each column of `b`; empty for
        "gelsy", where there are not more equations than unknowns, or if a matrix is not of full
        rank, which formulas count as.

    Raises
    ------
    RuntimeError
        If the shapes or dtypes do not fit, or there is no such driver.

    Notes
    -----
    The derivative is that along matrices of the same rank.

    Examples
    --------
    >>> import symgrad as torch
    >>> A = torch.tensor([[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]])
    >>> found = torch.linalg.lstsq(A, torch.tensor([[1.0], [3.0], [5.0]]))
    >>> found.solution
    tensor([[1.],
            [2.]])
    >>> found.rank
    tensor(2)
    """
    name = "torch.linalg.lstsq"
    if len(input.shape) < 2:
        raise RuntimeError(f"{name}: input must have at least 2 dimensions.")
    if not b.shape:
        raise RuntimeError(f"{name}: other must have at least 1 dimension.")
    if not 0 <= len(input.shape) - len(b.shape) <= 1:
        raise RuntimeError(
            f"{name}: input.dim() must be greater or equal to other.dim() and (input.dim() - "
            "other.dim()) <= 1"
        )
    if driver is not None and driver not in _DRIVERS:
        raise RuntimeError(
            f"{name}: parameter `driver` should be one of (gels, gelsy, gelsd, gelss)"
        )
    least_squares.check_kind(input.dtype)
    m, n = input.shape[-2:]
    vector = len(b.shape) < len(input.shape)
    right = b.unsqueeze(-1) if vector else b
    if m != right.shape[-2]:
        raise RuntimeError(f"{name}: input.size(-2) should match other.size(-{2 - vector})")
    check_matrices(name, right.shape, operand="other")
    part = max(m, n) * float(np.finfo(input.dtype.numpy).eps) if rcond is None else rcond
    found = bind(least_squares, (input, right, float(part)))
    values = bind(thin_svd, (input.detach(),))[1]
    rank = (values > part * values[..., :1]).sum(-1)
    empty = CREATION["empty"]((0,), dtype=values.dtype)
    residuals = empty
    ranks = every_value(rank) if driver in ("gelsd", "gelss") else None
    if m > n and driver in ("gels", "gelsd", "gelss") and (ranks is None or (ranks == n).all()):
        residuals = (input @ found - right).abs().square().sum(-2)
    return return_types.linalg_lstsq(
        found.squeeze(-1) if vector else found,
        residuals,
        CREATION["empty"]((0,), dtype=int64) if driver == "gels" else rank,
        values if driver in ("gelsd", "gelss") else empty,
    )
