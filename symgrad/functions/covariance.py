"""Covariance and correlation of rows of observations, as formulas of public functions."""

from __future__ import annotations

from typing import Any

import numpy as np

from symgrad.expr.dtypes import Category, bool_
from symgrad.ops.operand_values import every_value
from symgrad.schema.public import FUNCTIONS, public
from symgrad.support.refusals import warn


def _check_weights(name: str, weights: Any, count: int, whole: bool) -> None:
    if len(weights.shape) > 1:
        raise RuntimeError(
            f"cov(): expected {name} to have one or fewer dimensions but got {name} with "
            f"{len(weights.shape)} dimensions"
        )
    fits = Category.INT if whole else Category.FLOAT
    if weights.dtype.category != fits:
        word = "integral" if whole else "floating point"
        raise RuntimeError(
            f"cov(): expected {name} to have {word} dtype but got {name} with "
            f"{weights.dtype.scalar_name} dtype"
        )
    if weights.numel() != count:
        raise RuntimeError(
            f"cov(): expected {name} to have the same numel as there are observations in the input "
            f"but got {weights.numel()} != {count}"
        )
    known = every_value(weights)
    if known is not None and not np.all(known >= 0):
        raise RuntimeError(f"cov(): {name} cannot be negative")


@public(
    "cov(Tensor self, *, int correction=1, Tensor? fweights=None, Tensor? aweights=None) -> Tensor"
)
def _cov(input: Any, *, correction: int = 1, fweights: Any = None, aweights: Any = None) -> Any:
    """Return the covariance of variables, whose observations are rows of a matrix.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        A row for each variable, a column for each observation; of a vector there is one variable.
    correction : int
        What to take off the number of observations.
    fweights : Tensor, optional
        How often each observation was made, an integer.
    aweights : Tensor, optional
        The weight of each observation.

    Raises
    ------
    RuntimeError
        If there are more than two axes, bools, or weights that do not fit.

    Warns
    -----
    UserWarning
        If the correction leaves nothing to divide by; the result is then nan or inf.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.cov(torch.tensor([[0.0, 1.0, 2.0], [2.0, 1.0, 0.0]]))
    tensor([[ 1., -1.],
            [-1.,  1.]])
    """
    rank = len(input.shape)
    if rank > 2:
        raise RuntimeError(
            "cov(): expected input to have two or fewer dimensions but got an input with "
            f"{rank} dimensions"
        )
    if input.dtype is bool_:
        raise RuntimeError("cov(): bool dtype is not supported for input")
    rows = input if rank == 2 else input.reshape((1, -1))
    count = rows.shape[1]
    weights = None
    for name, given in (("fweights", fweights), ("aweights", aweights)):
        if given is not None:
            _check_weights(name, given, count, name == "fweights")
            weights = given if weights is None else weights * given
    if weights is None:
        total: Any = count
        free: Any = max(count - correction, 0)
        mean = rows.sum(1, keepdim=True) / count if count else rows.sum(1, keepdim=True) * np.nan
        centred = rows - mean
        weighted = centred
    else:
        total = weights.sum()
        known = every_value(total)
        if known is not None and not np.all(known != 0):
            raise RuntimeError("cov(): weights sum to zero, can't be normalized")
        mean = (rows * weights).sum(1, keepdim=True) / total
        free = total - correction
        if aweights is not None and correction:
            free = total - correction * (weights * aweights).sum() / total
        free = free.clamp(min=0)
        centred = rows - mean
        weighted = centred * weights
    known = every_value(free) if weights is not None else np.asarray(free)
    if known is not None and not np.all(known > 0):
        warn(
            "cov(): degrees of freedom is <= 0. Correction should be strictly less than the number "
            "of observations."
        )
    return ((centred @ weighted.mT.conj()) / free).squeeze()


@public("corrcoef(Tensor self) -> Tensor")
def _corrcoef(input: Any) -> Any:
    """Return the correlation of variables, whose observations are rows of a matrix.

    Raises
    ------
    RuntimeError
        If there are more than two axes, or bools.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.corrcoef(torch.tensor([[0.0, 1.0, 2.0], [2.0, 1.0, 0.0]]))
    tensor([[ 1., -1.],
            [-1.,  1.]])
    """
    if len(input.shape) > 2:
        raise RuntimeError(
            "corrcoef(): expected input to have two or fewer dimensions but got an input with "
            f"{len(input.shape)} dimensions"
        )
    c = _cov(input)
    if not len(c.shape):
        return c / c
    variance = c.diagonal()
    deviation = (variance.real if c.dtype.is_complex else variance).sqrt()
    found = c / deviation.unsqueeze(1) / deviation.unsqueeze(0)
    if not c.dtype.is_complex:
        return found.clamp(-1, 1)
    return FUNCTIONS["complex"](found.real.clamp(-1, 1), found.imag.clamp(-1, 1))
