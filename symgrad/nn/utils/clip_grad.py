"""Gradients that are cut off where they are too large."""

from __future__ import annotations

import types
from typing import Any

from symgrad.functions.creation import CREATION
from symgrad.record.modes import no_grad
from symgrad.record.record import Recorded
from symgrad.schema.public import FUNCTIONS, SPACES
from symgrad.support.refusals import warn


def _listed(tensors: Any) -> list[Any]:
    return [tensors] if isinstance(tensors, Recorded) else list(tensors)


def get_total_norm(
    tensors: Any, norm_type: float = 2.0, error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Any:  # fmt: skip
    """Return the norm of all elements of several tensors.

    Parameters
    ----------
    tensors : Tensor or iterable of Tensor
        The tensors.
    norm_type : float
        The order of the norm.
    error_if_nonfinite : bool
        Whether an infinite norm, or nan, is an error.
    foreach : bool, optional
        Not used.

    Raises
    ------
    RuntimeError
        If the norm is not finite and `error_if_nonfinite`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.utils.get_total_norm([torch.tensor([3.0]), torch.tensor([4.0])])
    tensor(5.)
    """
    found, order = _listed(tensors), float(norm_type)
    if not found:
        return CREATION["tensor"](0.0)
    norm = SPACES["linalg"]["vector_norm"]
    with no_grad():
        total = norm(FUNCTIONS["stack"]([norm(x, order) for x in found]), order)
    if error_if_nonfinite and not total.isfinite():
        raise RuntimeError(
            f"The total norm of order {order} for gradients from `parameters` is non-finite, so it "
            "cannot be clipped. To disable this error and scale the gradients by the non-finite "
            "norm anyway, set `error_if_nonfinite=False`"
        )
    return total


def clip_grads_with_norm_(
    parameters: Any, max_norm: float, total_norm: Any, foreach: bool | None = None
) -> None:
    """Scale the gradients of parameters, in place, as if their norm were `total_norm`.

    Parameters
    ----------
    parameters : Tensor or iterable of Tensor
        The parameters.
    max_norm : float
        The norm that the gradients have at most afterwards.
    total_norm : Tensor
        The norm that they have.
    foreach : bool, optional
        Not used.

    Examples
    --------
    >>> import symgrad as torch
    >>> w = torch.nn.Parameter(torch.zeros(2))
    >>> w.grad = torch.tensor([3.0, 4.0])
    >>> torch.nn.utils.clip_grads_with_norm_(w, 1.0, torch.tensor(5.0))
    >>> w.grad
    tensor([0.6000, 0.8000])
    """
    with no_grad():
        factor = (float(max_norm) / (total_norm + 1e-6)).clamp(max=1.0)
        for x in _listed(parameters):
            if x.grad is not None:
                x.grad.mul_(factor)


def clip_grad_norm_(
    parameters: Any, max_norm: float, norm_type: float = 2.0, error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Any:  # fmt: skip
    """Scale the gradients of parameters, in place, so that their norm is at most `max_norm`.

    Parameters
    ----------
    parameters : Tensor or iterable of Tensor
        The parameters.
    max_norm : float
        The greatest norm of all gradients together.
    norm_type : float
        The order of the norm.
    error_if_nonfinite : bool
        Whether an infinite norm, or nan, is an error.
    foreach : bool, optional
        Not used.

    Returns
    -------
    Tensor
        The norm before.

    Examples
    --------
    >>> import symgrad as torch
    >>> w = torch.nn.Parameter(torch.zeros(2))
    >>> w.grad = torch.tensor([3.0, 4.0])
    >>> torch.nn.utils.clip_grad_norm_([w], max_norm=1.0)
    tensor(5.)
    >>> w.grad
    tensor([0.6000, 0.8000])
    """
    given = _listed(parameters)
    if not given and isinstance(parameters, types.GeneratorType):
        warn("`parameters` is an empty generator, no gradient clipping will occur.")
    grads = [x.grad for x in given if x.grad is not None]
    total = get_total_norm(grads, norm_type, error_if_nonfinite, foreach)
    clip_grads_with_norm_(given, max_norm, total, foreach)
    return total


def clip_grad_value_(parameters: Any, clip_value: float, foreach: bool | None = None) -> None:
    """Cut the elements of gradients off, in place, at `-clip_value` and `clip_value`.

    Parameters
    ----------
    parameters : Tensor or iterable of Tensor
        The parameters.
    clip_value : float
        The greatest modulus of an element.
    foreach : bool, optional
        Not used.

    Examples
    --------
    >>> import symgrad as torch
    >>> w = torch.nn.Parameter(torch.zeros(2))
    >>> w.grad = torch.tensor([3.0, -0.5])
    >>> torch.nn.utils.clip_grad_value_(w, 1.0)
    >>> w.grad
    tensor([ 1.0000, -0.5000])
    """
    bound = float(clip_value)
    with no_grad():
        for x in _listed(parameters):
            if x.grad is not None:
                x.grad.clamp_(-bound, bound)
