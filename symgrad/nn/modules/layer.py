"""What layers have in common: a text that shows what they are tuned by."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from symgrad.functions.creation import CREATION
from symgrad.nn.modules.module import Module
from symgrad.nn.parameter import Parameter


class Layer(Module):
    """A function of `nn.functional`, with what it is tuned by, and maybe parameters."""

    #: The attributes that the text shows.
    _shown: ClassVar[tuple[str, ...]] = ()
    #: Whether the result takes the place of the argument in memory.
    inplace: bool = False

    def extra_repr(self) -> str:
        shown = [(name, getattr(self, name)) for name in self._shown]
        # A number of NumPy's is written as a number.
        parts = [f"{name}={x!r}" if isinstance(x, str) else f"{name}={x}" for name, x in shown]
        return ", ".join([*parts, "inplace=True"] if self.inplace else parts)


def parameter(*shape: int, device: Any = None, dtype: Any = None) -> Parameter:
    """Return a parameter of a shape, whose values are still to be set."""
    return Parameter(CREATION["empty"](shape, device=device, dtype=dtype))


def for_each_axis(value: Any, axes: int) -> tuple[int, ...]:
    """Return a number for each of some axes; one number stands for all of them."""
    return tuple(value) if isinstance(value, Iterable) else (value,) * axes
