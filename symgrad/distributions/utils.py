"""What distributions share: parameters of one shape, and attributes computed when asked for."""

from __future__ import annotations

import functools
import numbers
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from symgrad.distributions.functions import broadcast_tensors, tensor
from symgrad.expr.dtypes import default_dtype
from symgrad.expr.node import ArrayExpr
from symgrad.ops.operand_values import every_value
from symgrad.record.modes import enable_grad
from symgrad.tensor.queries import finfo
from symgrad.tensor.tensor import Tensor

__all__ = [
    "broadcast_all", "clamp_probs", "lazy_property", "logits_to_probs", "probs_to_logits",
    "tril_matrix_to_vec", "vec_to_tril_matrix",
]  # fmt: skip

#: What computes: tensors, and formulas of leaves.
TENSORS = (Tensor, ArrayExpr)

euler_constant = 0.57721566490153286060


def broadcast_all(*values: Any) -> tuple[Any, ...]:
    """Return numbers and tensors as tensors of one shape.

    Parameters
    ----------
    *values : Tensor or number
        Numbers take the dtype of the first tensor, or else the default dtype.

    Raises
    ------
    ValueError
        For anything else.

    Examples
    --------
    >>> import symgrad as torch
    >>> from symgrad.distributions.utils import broadcast_all
    >>> broadcast_all(torch.ones(2), 0.5)
    (tensor([1., 1.]), tensor([0.5000, 0.5000]))
    """
    if not all(isinstance(x, (*TENSORS, numbers.Number)) for x in values):
        raise ValueError(
            "Input arguments must all be instances of Number, torch.Tensor or objects "
            "implementing __torch_function__."
        )
    tensors = [x for x in values if isinstance(x, TENSORS)]
    kind = tensors[0].dtype if tensors else default_dtype()
    given = [x if isinstance(x, TENSORS) else tensor(x, dtype=kind) for x in values]
    found: tuple[Any, ...] = tuple(broadcast_tensors(*given))
    return found


def all_true(mask: Any) -> bool:
    """Return whether no element is known to be false, those of all entries of a `vmap`."""
    values = every_value(mask)
    return values is None or bool(np.all(values))


def sum_rightmost(value: Any, count: int) -> Any:
    """Return the sum over the last `count` axes."""
    if not count:
        return value
    return value.reshape((*value.shape[: value.dim() - count], -1)).sum(-1)


def logits_to_probs(logits: Any, is_binary: bool = False) -> Any:
    """Return probabilities of log-odds, or of the logarithms of weights.

    Parameters
    ----------
    logits : Tensor
        Log-odds if `is_binary`, or else logarithms of weights along the last axis.
    is_binary : bool
        Which of both they are.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.distributions.utils.logits_to_probs(torch.zeros(2))
    tensor([0.5000, 0.5000])
    """
    return logits.sigmoid() if is_binary else logits.softmax(-1)


def clamp_probs(probs: Any) -> Any:
    """Return probabilities that are neither 0 nor 1, but a rounding error away.

    Parameters
    ----------
    probs : Tensor
        Probabilities.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.distributions.utils.clamp_probs(torch.tensor([0.0, 0.5]))
    tensor([1.1921e-07, 5.0000e-01])
    """
    eps = finfo(probs.dtype).eps
    return probs.clamp(min=eps, max=1 - eps)


def probs_to_logits(probs: Any, is_binary: bool = False) -> Any:
    """Return log-odds of probabilities, or their logarithms.

    Parameters
    ----------
    probs : Tensor
        Probabilities.
    is_binary : bool
        Whether log-odds are asked for.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.distributions.utils.probs_to_logits(torch.tensor(0.5), is_binary=True)
    tensor(0.)
    """
    inner = clamp_probs(probs)
    return inner.log() - (-inner).log1p() if is_binary else inner.log()


class lazy_property:  # noqa: N801 - PyTorch's name
    """An attribute that a method computes when it is first asked for.

    Parameters
    ----------
    wrapped : callable
        The method.

    Examples
    --------
    >>> from symgrad.distributions.utils import lazy_property
    >>> class Answer:
    ...     @lazy_property
    ...     def value(self):
    ...         return 42
    >>> Answer().value
    42
    """

    def __init__(self, wrapped: Callable[[Any], Any]) -> None:
        self.wrapped = wrapped
        functools.update_wrapper(self, wrapped)

    def __call__(self, instance: Any) -> Any:
        return self.wrapped(instance)

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        if instance is None:
            return self
        with enable_grad():
            value = self.wrapped(instance)
        setattr(instance, self.wrapped.__name__, value)
        return value


def _is_low(size: int, diag: int) -> Any:
    """Return which elements of a square matrix are on or below a diagonal."""
    place = tensor(list(range(size)))
    return place < place.view(-1, 1) + (diag + 1)


def tril_matrix_to_vec(mat: Any, diag: int = 0) -> Any:
    """Return the elements on and below a diagonal, row by row.

    Parameters
    ----------
    mat : Tensor
        Square matrices.
    diag : int
        Which diagonal: 0 is the main one, negative ones lie below it.

    Raises
    ------
    ValueError
        If there is no such diagonal.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.distributions.utils.tril_matrix_to_vec(torch.tensor([[1, 0], [2, 3]]))
    tensor([1, 2, 3])
    """
    n = mat.shape[-1]
    if diag < -n or diag >= n:
        raise ValueError(f"diag ({diag}) provided is outside [{-n}, {n - 1}].")
    return mat[..., _is_low(n, diag)]


def vec_to_tril_matrix(vec: Any, diag: int = 0) -> Any:
    """Return the matrices whose elements on and below a diagonal are given, row by row.

    Parameters
    ----------
    vec : Tensor
        The elements, along the last axis.
    diag : int
        Which diagonal: 0 is the main one, negative ones lie below it.

    Raises
    ------
    ValueError
        If no matrix has so many elements there.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.distributions.utils.vec_to_tril_matrix(torch.tensor([1, 2, 3]))
    tensor([[1, 0],
            [2, 3]])
    """
    root = (1 + 2 * diag) ** 2 + 8 * vec.shape[-1] + 4 * abs(diag) * (diag + 1)
    size = (-(1 + 2 * diag) + root**0.5) / 2
    n = round(size)
    if abs(size - n) > 1e-9:
        raise ValueError(
            f"The size of last dimension is {vec.shape[-1]} which cannot be expressed as the "
            "lower triangular part of a square D x D matrix."
        )
    mat = vec.new_zeros((*vec.shape[:-1], n, n))
    mat[..., _is_low(n, diag)] = vec
    return mat


def shape_of(*parts: Sequence[int]) -> tuple[int, ...]:
    """Return the lengths of several shapes, one after the other."""
    return tuple([n for part in parts for n in part])
