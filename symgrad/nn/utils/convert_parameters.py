"""Parameters as one vector, and back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from symgrad.nn.modules.registration import typename
from symgrad.record.record import Recorded
from symgrad.schema.public import FUNCTIONS


def parameters_to_vector(parameters: Iterable[Any]) -> Any:
    """Return all elements of parameters in a row.

    Parameters
    ----------
    parameters : iterable of Tensor
        The parameters.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.utils.parameters_to_vector([torch.ones(2), torch.zeros(1, 2)])
    tensor([1., 1., 0., 0.])
    """
    return FUNCTIONS["cat"]([x.view(-1) for x in parameters])


def vector_to_parameters(vec: Any, parameters: Iterable[Any]) -> None:
    """Give parameters the elements of a vector as values.

    Parameters
    ----------
    vec : Tensor
        As `parameters_to_vector` returns it.
    parameters : iterable of Tensor
        The parameters.

    Examples
    --------
    >>> import symgrad as torch
    >>> layer = torch.nn.Linear(2, 1)
    >>> torch.nn.utils.vector_to_parameters(torch.tensor([1.0, 2.0, 3.0]), layer.parameters())
    >>> layer.weight.detach()
    tensor([[1., 2.]])
    """
    if not isinstance(vec, Recorded):
        raise TypeError(f"expected torch.Tensor, but got: {typename(vec)}")
    start, whole = 0, vec
    for x in parameters:
        count = x.numel()
        x.data = _part(whole, start, count).view_as(x).data
        start += count


def _part(vec: Any, start: int, count: int) -> Any:
    return vec[start : start + count]
