"""Layers that add elements around an array."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from symgrad.nn import functional as F  # noqa: N812 - as programs write it
from symgrad.nn.modules.module import Module


class Padding(Module):
    """The base: elements before and behind the last axes, from the last one on."""

    #: How many axes are padded, and how.
    _axes: ClassVar[int]
    _mode: ClassVar[str]
    padding: tuple[int, ...]

    def __init__(self, padding: int | Sequence[int]) -> None:
        super().__init__()
        count = 2 * self._axes
        self.padding = (padding,) * count if isinstance(padding, int) else tuple(padding)

    def forward(self, input: Any) -> Any:
        return F.pad(input, self.padding, self._mode)

    def extra_repr(self) -> str:
        return f"{self.padding}"


class Constant(Padding):
    """The base of layers that add a constant."""

    def __init__(self, padding: int | Sequence[int], value: float) -> None:
        super().__init__(padding)
        self.value = value

    def forward(self, input: Any) -> Any:
        return F.pad(input, self.padding, "constant", self.value)

    def extra_repr(self) -> str:
        return f"padding={self.padding}, value={self.value}"


class Circular(Padding):
    """The base of layers that go on at the other end."""

    _mode = "circular"

    def forward(self, input: Any) -> Any:
        rank, n = len(input.shape), self._axes
        if rank not in (n + 1, n + 2):
            raise ValueError(f"expected {n + 1}D or {n + 2}D input (got {rank}D input)")
        return super().forward(input)


class ConstantPad1d(Constant):
    """A constant before and behind the last axis.

    Parameters
    ----------
    padding : int or sequence of int
        How many elements: before and behind each axis, from the last one on, or one number for all.
    value : float
        The constant.

    Examples
    --------
    >>> import symgrad as torch
    >>> layer = torch.nn.ConstantPad1d((1, 2), 7.0)
    >>> layer(torch.arange(1.0, 4.0).reshape(1, 1, 3))[0, 0]
    tensor([7., 1., 2., 3., 7., 7.])
    """

    _axes = 1


class ConstantPad2d(Constant):
    """A constant before and behind the last two axes.

    Parameters
    ----------
    padding : int or sequence of int
        How many elements: before and behind each axis, from the last one on, or one number for all.
    value : float
        The constant.

    Examples
    --------
    >>> import symgrad as torch
    >>> layer = torch.nn.ConstantPad2d(1, 7.0)
    >>> layer(torch.arange(1.0, 5.0).reshape(1, 1, 2, 2))[0, 0, 0]
    tensor([7., 7., 7., 7.])
    """

    _axes = 2


class ConstantPad3d(Constant):
    """A constant before and behind the last three axes.

    Parameters
    ----------
    padding : int or sequence of int
        How many elements: before and behind each axis, from the last one on, or one number for all.
    value : float
        The constant.

    Examples
    --------
    >>> import symgrad as torch
    >>> layer = torch.nn.ConstantPad3d(1, 7.0)
    >>> layer(torch.arange(1.0, 9.0).reshape(1, 1, 2, 2, 2))[0, 0, 0, 0]
    tensor([7., 7., 7., 7.])
    """

    _axes = 3


class ZeroPad1d(ConstantPad1d):
    """Zeros before and behind the last axis.

    Parameters
    ----------
    padding : int or sequence of int
        How many elements: before and behind each axis, from the last one on, or one number for all.

    Examples
    --------
    >>> import symgrad as torch
    >>> layer = torch.nn.ZeroPad1d((1, 2))
    >>> layer(torch.arange(1.0, 4.0).reshape(1, 1, 3))[0, 0]
    tensor([0., 1., 2., 3., 0., 0.])
    """

    def __init__(self, padding: int | Sequence[int]) -> None:
        super().__init__(padding, 0.0)

    def extra_repr(self) -> str:
        return f"{self.padding}"


class ZeroPad2d(ConstantPad2d):
    """Zeros before and behind the last two axes.

    Parameters
    ----------
    padding : int or sequence of int
        How many elements: before and behind each axis, from the last one on, or one number for all.

    Examples
    --------
    >>> import symgrad as torch
    >>> layer = torch.nn.ZeroPad2d(1)
    >>> layer(torch.arange(1.0, 5.0).reshape(1, 1, 2, 2))[0, 0, 0]
    tensor([0., 0., 0., 0.])
    """

    def __init__(self, padding: int | Sequence[int]) -> None:
        super().__init__(padding, 0.0)

    def extra_repr(self) -> str:
        return f"{self.padding}"


class ZeroPad3d(ConstantPad3d):
    """Zeros before and behind the last three axes.

    Parameters
    ----------
    padding : int or sequence of int
        How many elements: before and behind each axis, from the last one on, or one number for all.

    Examples
    --------
    >>> import symgrad as torch
    >>> layer = torch.nn.ZeroPad3d(1)
    >>> layer(torch.arange(1.0, 9.0).reshape(1, 1, 2, 2, 2))[0, 0, 0, 0]
    tensor([0., 0., 0., 0.])
    """

    def __init__(self, padding: int | Sequence[int]) -> None:
        super().__init__(padding, 0.0)

    def extra_repr(self) -> str:
        return f"{self.padding}"


class ReflectionPad1d(Padding):
    """The elements mirrored at the edge before and behind the last axis.

    Parameters
    ----------
    padding : int or sequence of int
        How many elements: before and behind each axis, from the last one on, or one number for all.

    Examples
    --------
    >>> import symgrad as torch
    >>> layer = torch.nn.ReflectionPad1d((1, 2))
    >>> layer(torch.arange(1.0, 4.0).reshape(1, 1, 3))[0, 0]
    tensor([2., 1., 2., 3., 2., 1.])
    """

    _axes = 1
    _mode = "reflect"


class ReflectionPad2d(Padding):
    """The elements mirrored at the edge before and behind the last two axes.

    Parameters
    ----------
    padding : int or sequence of int
        How many elements: before and behind each axis, from the last one on, or one number for all.

    Examples
    --------
    >>> import symgrad as torch
    >>> layer = torch.nn.ReflectionPad2d(1)
    >>> layer(torch.arange(1.0, 5.0).reshape(1, 1, 2, 2))[0, 0, 0]
    tensor([4., 3., 4., 3.])
    """

    _axes = 2
    _mode = "reflect"


class ReflectionPad3d(Padding):
    """The elements mirrored at the edge before and behind the last three axes.

    Parameters
    ----------
    padding : int or sequence of int
        How many elements: before and behind each axis, from the last one on, or one number for all.

    Examples
    --------
    >>> import symgrad as torch
    >>> layer = torch.nn.ReflectionPad3d(1)
    >>> layer(torch.arange(1.0, 9.0).reshape(1, 1, 2, 2, 2))[0, 0, 0, 0]
    tensor([8., 7., 8., 7.])
    """

    _axes = 3
    _mode = "reflect"


class ReplicationPad1d(Padding):
    """The element at the edge before and behind the last axis.

    Parameters
    ----------
    padding : int or sequence of int
        How many elements: before and behind each axis, from the last one on, or one number for all.

    Examples
    --------
    >>> import symgrad as torch
    >>> layer = torch.nn.ReplicationPad1d((1, 2))
    >>> layer(torch.arange(1.0, 4.0).reshape(1, 1, 3))[0, 0]
    tensor([1., 1., 2., 3., 3., 3.])
    """

    _axes = 1
    _mode = "replicate"


class ReplicationPad2d(Padding):
    """The element at the edge before and behind the last two axes.

    Parameters
    ----------
    padding : int or sequence of int
        How many elements: before and behind each axis, from the last one on, or one number for all.

    Examples
    --------
    >>> import symgrad as torch
    >>> layer = torch.nn.ReplicationPad2d(1)
    >>> layer(torch.arange(1.0, 5.0).reshape(1, 1, 2, 2))[0, 0, 0]
    tensor([1., 1., 2., 2.])
    """

    _axes = 2
    _mode = "replicate"


class ReplicationPad3d(Padding):
    """The element at the edge before and behind the last three axes.

    Parameters
    ----------
    padding : int or sequence of int
        How many elements: before and behind each axis, from the last one on, or one number for all.

    Examples
    --------
    >>> import symgrad as torch
    >>> layer = torch.nn.ReplicationPad3d(1)
    >>> layer(torch.arange(1.0, 9.0).reshape(1, 1, 2, 2, 2))[0, 0, 0, 0]
    tensor([1., 1., 2., 2.])
    """

    _axes = 3
    _mode = "replicate"


class CircularPad1d(Circular):
    """The elements from the other end before and behind the last axis.

    Parameters
    ----------
    padding : int or sequence of int
        How many elements: before and behind each axis, from the last one on, or one number for all.

    Examples
    --------
    >>> import symgrad as torch
    >>> layer = torch.nn.CircularPad1d((1, 2))
    >>> layer(torch.arange(1.0, 4.0).reshape(1, 1, 3))[0, 0]
    tensor([3., 1., 2., 3., 1., 2.])
    """

    _axes = 1


class CircularPad2d(Circular):
    """The elements from the other end before and behind the last two axes.

    Parameters
    ----------
    padding : int or sequence of int
        How many elements: before and behind each axis, from the last one on, or one number for all.

    Examples
    --------
    >>> import symgrad as torch
    >>> layer = torch.nn.CircularPad2d(1)
    >>> layer(torch.arange(1.0, 5.0).reshape(1, 1, 2, 2))[0, 0, 0]
    tensor([4., 3., 4., 3.])
    """

    _axes = 2


class CircularPad3d(Circular):
    """The elements from the other end before and behind the last three axes.

    Parameters
    ----------
    padding : int or sequence of int
        How many elements: before and behind each axis, from the last one on, or one number for all.

    Examples
    --------
    >>> import symgrad as torch
    >>> layer = torch.nn.CircularPad3d(1)
    >>> layer(torch.arange(1.0, 9.0).reshape(1, 1, 2, 2, 2))[0, 0, 0, 0]
    tensor([8., 7., 8., 7.])
    """

    _axes = 3
