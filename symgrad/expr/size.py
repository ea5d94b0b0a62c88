"""`Size`: the shape of a tensor, a tuple that prints as PyTorch's; and `Count`, of a formula."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable
from typing import Any, SupportsIndex, overload

from symgrad.expr.named_sizes import NamedSize, as_formula, is_named, whole


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
                items.append(whole(n))
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


def axis_of(dim: Any, ndim: int) -> int:
    """Return an axis as it was given; raise PyTorch's IndexError where there is none."""
    i = operator.index(dim)
    if not ndim:
        raise IndexError(f"Dimension specified as {i} but tensor has no dimensions")
    if not -ndim <= i < ndim:
        raise IndexError(
            f"Dimension out of range (expected to be in range of [{-ndim}, {ndim - 1}], but got "
            f"{i})"
        )
    return i


class Count(int):
    """The number of a formula's elements, which is `x.size` for NumPy; `x.size()` is PyTorch's.

    Examples
    --------
    >>> import symgrad
    >>> x = symgrad.leaf("x", (2, 3))
    >>> x.size, x.size(), x.size(-1)
    (6, torch.Size([2, 3]), 3)
    """

    shape: tuple[int, ...]

    def __new__(cls, shape: tuple[int, ...]) -> Count:
        self = int.__new__(cls, math.prod(shape))
        self.shape = shape
        return self

    @overload
    def __call__(self, dim: None = None) -> Size: ...
    @overload
    def __call__(self, dim: int) -> int: ...
    def __call__(self, dim: int | None = None) -> Size | int:
        shape = self.shape
        return tuple.__new__(Size, shape) if dim is None else shape[axis_of(dim, len(shape))]

    def __reduce__(self) -> tuple[Any, ...]:
        return Count, (self.shape,)


class NamedCount(NamedSize):
    """The same where sizes are names.

    Examples
    --------
    >>> import symgrad
    >>> x = symgrad.leaf("x", ("n", 3))
    >>> x.size, x.size(), x.size(0)
    (3 * n, torch.Size([n, 3]), n)
    """

    __slots__ = ("shape",)
    shape: tuple[int, ...]
    __call__ = Count.__call__


def count_of(shape: tuple[int, ...]) -> int:
    """Return the number of elements of an array of a shape, which can be called."""
    if not is_named(shape):
        return Count(shape)
    made = NamedCount(as_formula(math.prod(shape)))
    made.shape = shape
    return made
