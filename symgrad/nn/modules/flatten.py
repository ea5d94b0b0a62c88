"""Layers that join axes to one, and part one to several."""

from __future__ import annotations

from typing import Any

from symgrad.nn.modules.layer import Layer
from symgrad.nn.modules.module import Module


class Flatten(Layer):
    """The axes from `start_dim` to `end_dim` as one.

    Parameters
    ----------
    start_dim, end_dim : int
        The first axis and the last.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.Flatten()(torch.zeros(32, 1, 28, 28)).shape
    torch.Size([32, 784])
    """

    _shown = ("start_dim", "end_dim")

    def __init__(self, start_dim: int = 1, end_dim: int = -1) -> None:
        super().__init__()
        self.start_dim, self.end_dim = start_dim, end_dim

    def forward(self, input: Any) -> Any:
        return input.flatten(self.start_dim, self.end_dim)


class Unflatten(Module):
    """One axis as several.

    Parameters
    ----------
    dim : int
        The axis.
    unflattened_size : tuple of int
        The lengths of the axes that it becomes.

    Raises
    ------
    TypeError
        If these are no such numbers.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.Unflatten(1, (2, 5))(torch.zeros(3, 10)).shape
    torch.Size([3, 2, 5])
    """

    def __init__(self, dim: int, unflattened_size: Any) -> None:
        super().__init__()
        if not isinstance(dim, int):
            raise TypeError("invalid argument type for dim parameter")
        if not isinstance(unflattened_size, (tuple, list)):
            raise TypeError(
                "unflattened_size must be a tuple of ints, but found type "
                f"{type(unflattened_size).__name__}"
            )
        for i, n in enumerate(unflattened_size):
            if not isinstance(n, int):
                raise TypeError(
                    "unflattened_size must be tuple of ints, but found element of type "
                    f"{type(n).__name__} at pos {i}"
                )
        self.dim, self.unflattened_size = dim, unflattened_size

    def forward(self, input: Any) -> Any:
        return input.unflatten(self.dim, self.unflattened_size)

    def extra_repr(self) -> str:
        return f"dim={self.dim}, unflattened_size={self.unflattened_size}"
