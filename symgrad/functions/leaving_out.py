"""Dropout of whole channels, and dropout that keeps mean and variance."""

from __future__ import annotations

import math
from typing import Any

from symgrad.expr.dtypes import Category, cast_refused, default_dtype
from symgrad.functions.creation.making import drawn
from symgrad.random.default_stream import default_generator
from symgrad.schema.arguments import check_flag, real, tensor_argument
from symgrad.schema.public import public
from symgrad.support.refusals import warn

_ALPHA = 1.7580993408473766  # the limit of `selu` to the left, negated


def _checked(name: str, p: Any, training: Any) -> tuple[float, bool]:
    p = real(name, "p", 2, p)
    training = check_flag(name, "train", training, 3)
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    return p, training


def _left_out(input: Any, p: float, inplace: bool, channels: bool, alpha: bool) -> Any:
    """Return `input` with elements, or whole channels, left out by chance."""
    x = tensor_argument("feature_dropout" if channels else "alpha_dropout", input)
    if p == 1:
        return x.mul_(0) if inplace else x * 0
    if channels and len(x.shape) < 2:
        raise RuntimeError("Feature dropout requires at least 2 dimensions in the input")
    if x._aval.dtype.category <= Category.INT:
        raise cast_refused(default_dtype(), x._aval.dtype)
    shape = (*x.shape[:2], *(1,) * (len(x.shape) - 2)) if channels else tuple(x.shape)
    kind = x._aval.dtype.numpy
    kept = drawn(shape, lambda of: default_generator.bernoulli(1 - p, of, kind))
    if alpha:
        scale = 1 / math.sqrt((_ALPHA**2 * p + 1) * (1 - p))
        factors, terms = kept * scale, (kept - 1) * (_ALPHA * scale) + _ALPHA * scale * p
    else:
        factors, terms = kept / (1 - p), None
    if inplace:
        x.mul_(factors)
        return x if terms is None else x.add_(terms)
    return x * factors if terms is None else x * factors + terms


def _of_channels(name: str, input: Any, p: Any, training: Any, inplace: Any, axes: int) -> Any:
    """Leave out whole channels of entries with some axes behind that of the channels."""
    p, training = _checked("feature_dropout", p, training)
    rank = len(input.shape)
    if axes > 1 and rank not in (axes + 1, axes + 2):
        warn(
            f"{name}: Received a {rank}-D input to {name}, which is deprecated and will result in "
            f"an error in a future release. To retain the behavior and silence this warning, please "
            f"use dropout instead. Note that {name} exists to provide channel-wise dropout on "
            f"inputs with {axes} spatial dimensions, a channel dimension, and an optional batch "
            f"dimension (i.e. {axes + 1}D or {axes + 2}D inputs)."
        )
    if axes == 1 and rank not in (2, 3):
        raise RuntimeError(
            f"{name}: Expected 2D or 3D input, but received a {rank}D input. Note that {name} "
            "exists to provide channel-wise dropout on inputs with 1 spatial dimension, a channel "
            "dimension, and an optional batch dimension (i.e. 2D or 3D inputs)."
        )
    if not training or p == 0:
        return input
    alone = axes != 2 and rank != axes + 2
    out = _left_out(input.unsqueeze(0) if alone else input, p, bool(inplace), True, False)
    return out.squeeze(0) if alone else out


@public(
    "nn.functional.dropout1d(Tensor input, float p=0.5, object training=True, object inplace=False) -> Tensor",
    python=True,
    reads="dim",
)
def _dropout1d(input: Any, p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
    """Return `input` with each channel zero with probability `p`, the others over `1 - p`.

    Parameters
    ----------
    input : Tensor
        Of shape (N, C, L) or (C, L).
    p : float
        The probability.
    training : bool
        Without it nothing is left out.

    Examples
    --------
    >>> import symgrad as torch
    >>> _ = torch.manual_seed(0)
    >>> torch.nn.functional.dropout1d(torch.ones(1, 3, 2))
    tensor([[[0., 0.],
             [0., 0.],
             [2., 2.]]])
    """
    return _of_channels("dropout1d", input, p, training, inplace, 1)


@public(
    "nn.functional.dropout2d(Tensor input, float p=0.5, object training=True, object inplace=False) -> Tensor",
    python=True,
    reads="dim",
)
def _dropout2d(input: Any, p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
    """Return `input` with each channel zero with probability `p`, the others over `1 - p`.

    Parameters
    ----------
    input : Tensor
        Of shape (N, C, H, W).
    p : float
        The probability.
    training : bool
        Without it nothing is left out.

    Examples
    --------
    >>> import symgrad as torch
    >>> _ = torch.manual_seed(0)
    >>> torch.nn.functional.dropout2d(torch.ones(1, 3, 1, 2)).reshape(3, 2)
    tensor([[0., 0.],
            [0., 0.],
            [2., 2.]])
    """
    return _of_channels("dropout2d", input, p, training, inplace, 2)


@public(
    "nn.functional.dropout3d(Tensor input, float p=0.5, object training=True, object inplace=False) -> Tensor",
    python=True,
    reads="dim",
)
def _dropout3d(input: Any, p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
    """Return `input` with each channel zero with probability `p`, the others over `1 - p`.

    Parameters
    ----------
    input : Tensor
        Of shape (N, C, D, H, W) or (C, D, H, W).
    p : float
        The probability.
    training : bool
        Without it nothing is left out.

    Examples
    --------
    >>> import symgrad as torch
    >>> _ = torch.manual_seed(0)
    >>> torch.nn.functional.dropout3d(torch.ones(1, 3, 1, 1, 2)).reshape(3, 2)
    tensor([[0., 0.],
            [0., 0.],
            [2., 2.]])
    """
    return _of_channels("dropout3d", input, p, training, inplace, 3)


@public(
    "nn.functional.alpha_dropout(Tensor input, float p=0.5, object training=False, object inplace=False) -> Tensor",
    python=True,
)
def _alpha_dropout(
    input: Any, p: float = 0.5, training: bool = False, inplace: bool = False
) -> Any:
    """Return `input` with elements set, with probability `p`, to the least value of `selu`.

    All are scaled and moved so that a mean of 0 and a variance of 1 stay.

    Parameters
    ----------
    input : Tensor
        The array.
    p : float
        The probability.
    training : bool
        Without it nothing is changed.

    References
    ----------
    G. Klambauer et al., "Self-normalizing neural networks" (2017).

    Examples
    --------
    >>> import symgrad as torch
    >>> _ = torch.manual_seed(0)
    >>> torch.nn.functional.alpha_dropout(torch.ones(3), training=True)
    tensor([-0.7792, -0.7792,  1.6656])
    """
    p, training = _checked("alpha_dropout", p, training)
    if not training or p == 0:
        return input
    return _left_out(input, p, bool(inplace), False, True)


@public(
    "nn.functional.feature_alpha_dropout(Tensor input, float p=0.5, object training=False, object inplace=False) -> Tensor",
    python=True,
)
def _feature_alpha_dropout(
    input: Any, p: float = 0.5, training: bool = False, inplace: bool = False
) -> Any:
    """Return what `alpha_dropout` does, with whole channels, axis 1, in the place of elements.

    Parameters
    ----------
    input : Tensor
        The array.
    p : float
        The probability.
    training : bool
        Without it nothing is changed.

    Examples
    --------
    >>> import symgrad as torch
    >>> _ = torch.manual_seed(0)
    >>> torch.nn.functional.feature_alpha_dropout(torch.ones(1, 3, 2), training=True)
    tensor([[[-0.7792, -0.7792],
             [-0.7792, -0.7792],
             [ 1.6656,  1.6656]]])
    """
    p, training = _checked("feature_alpha_dropout", p, training)
    if not training or p == 0:
        return input
    return _left_out(input, p, bool(inplace), True, True)
