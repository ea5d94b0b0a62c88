"""`Size`: the shape of a tensor, a tuple that prints as PyTorch's."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable
from typing import Any, SupportsIndex, overload


class Size(tuple[int, ...]):
    """The lengths of a tensor's axes.

    Raises
    ------
    TypeError
        For lengths that are no integers.

    Examples
    --------
    >>> Size([2, 3])
    torch.Size([2, 3])
    >>> Size([2, 3]).numel()
    6
    """

    __slots__ = ()

    def __new__(cls, lengths: Iterable[SupportsIndex] = ()) -> Size:
        items = []
        if not hasattr(type(lengths), "__iter__"):
            raise TypeError(f"'{type(lengths).__name__}' object is not iterable")
        for i, n in enumerate(lengths):
            try:
                items.append(operator.index(n))
            except TypeError:
                raise TypeError(
                    f"torch.Size() takes an iterable of 'int' (item {i} is '{type(n).__name__}')"
                ) from None
        return tuple.__new__(cls, items)

    def numel(self) -> int:
        """Return the number of elements of a tensor of this shape.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.zeros(2, 3).shape.numel()
        6
        """
        return math.prod(self)

    def __repr__(self) -> str:
        return f"torch.Size({list(self)})"

    __str__ = __repr__

    def __reduce__(self) -> tuple[Any, ...]:
        return Size, (tuple(self),)

    def __add__(self, other: Any) -> Any:
        if not isinstance(other, tuple):
            return NotImplemented
        return tuple.__new__(Size, (*self, *other))

    def __radd__(self, other: Any) -> Any:
        if not isinstance(other, tuple):
            return NotImplemented
        return tuple.__new__(Size, (*other, *self))

    def __mul__(self, other: SupportsIndex) -> Size:
        return tuple.__new__(Size, tuple.__mul__(self, other))

    __rmul__ = __mul__

    @overload
    def __getitem__(self, key: SupportsIndex) -> int: ...

    @overload
    def __getitem__(self, key: slice) -> Size: ...

    def __getitem__(self, key: Any) -> Any:
        found = tuple.__getitem__(self, key)
        return tuple.__new__(Size, found) if isinstance(key, slice) else found
