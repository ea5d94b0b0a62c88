"""Activations that are made of pieces, most of them straight, and those that shrink."""

from __future__ import annotations

from typing import Any, ClassVar

from symgrad.nn import functional as F  # noqa: N812 - as programs write it
from symgrad.nn.modules.layer import Layer


class Threshold(Layer):
    """Each element where it is greater than `threshold`, else `value`.

    Parameters
    ----------
    threshold : float
        What elements are compared with.
    value : float
        What takes the place of the others.
    inplace : bool
        Whether the result takes the place of the argument in memory.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.Threshold(1.0, -7.0)(torch.tensor([0.5, 2.0]))
    tensor([-7.,  2.])
    """

    _shown = ("threshold", "value")

    def __init__(self, threshold: float, value: float, inplace: bool = False) -> None:
        super().__init__()
        self.threshold, self.value, self.inplace = threshold, value, inplace

    def forward(self, input: Any) -> Any:
        return F.threshold(input, self.threshold, self.value, self.inplace)


class Hardtanh(Layer):
    """Each element between `min_val` and `max_val`, else the nearer of these.

    Parameters
    ----------
    min_val : float
        The least value.
    max_val : float
        The greatest value.
    inplace : bool
        Whether the result takes the place of the argument in memory.

    Raises
    ------
    AssertionError
        If the bounds are equal or in reverse order.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.Hardtanh()(torch.tensor([-2.0, 0.5]))
    tensor([-1.0000,  0.5000])
    """

    _shown: ClassVar[tuple[str, ...]] = ("min_val", "max_val")

    def __init__(self, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> None:
        super().__init__()
        if not max_val > min_val:
            raise AssertionError(f"max_val ({max_val}) must be greater than min_val ({min_val})")
        self.min_val, self.max_val, self.inplace = min_val, max_val, inplace

    def forward(self, input: Any) -> Any:
        return F.hardtanh(input, self.min_val, self.max_val, self.inplace)


class ReLU6(Hardtanh):
    """Each element between 0 and 6, else the nearer of these.

    Parameters
    ----------
    inplace : bool
        Whether the result takes the place of the argument in memory.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.ReLU6()(torch.tensor([-1.0, 2.0, 8.0]))
    tensor([0., 2., 6.])
    """

    _shown: ClassVar[tuple[str, ...]] = ()

    def __init__(self, inplace: bool = False) -> None:
        super().__init__(0.0, 6.0, inplace)


class Hardsigmoid(Layer):
    """`relu6(x + 3)/6` of each element.

    Parameters
    ----------
    inplace : bool
        Whether the result takes the place of the argument in memory.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.Hardsigmoid()(torch.tensor([-4.0, 0.0, 1.5]))
    tensor([0.0000, 0.5000, 0.7500])
    """

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace

    def forward(self, input: Any) -> Any:
        return F.hardsigmoid(input, self.inplace)

    def extra_repr(self) -> str:
        return ""


class Hardswish(Layer):
    """`x*relu6(x + 3)/6` of each element.

    Parameters
    ----------
    inplace : bool
        Whether the result takes the place of the argument in memory.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.Hardswish()(torch.tensor([-1.0, 1.0, 4.0]))
    tensor([-0.3333,  0.6667,  4.0000])
    """

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace

    def forward(self, input: Any) -> Any:
        return F.hardswish(input, self.inplace)

    def extra_repr(self) -> str:
        return ""


class Hardshrink(Layer):
    """Each element whose modulus is greater than `lambd`, else 0.

    Parameters
    ----------
    lambd : float
        The bound.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.Hardshrink()(torch.tensor([-1.0, 0.3]))
    tensor([-1.,  0.])
    """

    _shown = ("lambd",)

    def __init__(self, lambd: float = 0.5) -> None:
        super().__init__()
        self.lambd = lambd

    def forward(self, input: Any) -> Any:
        return F.hardshrink(input, self.lambd)

    def extra_repr(self) -> str:
        return f"{self.lambd}"


class Softshrink(Layer):
    """Each element moved by `lambd` towards 0, and 0 where it would pass that.

    Parameters
    ----------
    lambd : float
        By how much.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.Softshrink()(torch.tensor([-1.0, 0.3]))
    tensor([-0.5000,  0.0000])
    """

    _shown = ("lambd",)

    def __init__(self, lambd: float = 0.5) -> None:
        super().__init__()
        self.lambd = lambd

    def forward(self, input: Any) -> Any:
        return F.softshrink(input, self.lambd)

    def extra_repr(self) -> str:
        return f"{self.lambd}"


class Softsign(Layer):
    """`x/(1 + abs(x))` of each element.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.Softsign()(torch.tensor([-1.0, 3.0]))
    tensor([-0.5000,  0.7500])
    """

    def forward(self, input: Any) -> Any:
        return F.softsign(input)


class Tanhshrink(Layer):
    """`x - tanh(x)` of each element.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.Tanhshrink()(torch.tensor([-1.0, 2.0]))
    tensor([-0.2384,  1.0360])
    """

    def forward(self, input: Any) -> Any:
        return F.tanhshrink(input)
