"""Layers that give images another size: `Upsample` and its kin."""

from __future__ import annotations

from typing import Any

from symgrad.nn import functional as F  # noqa: N812 - as programs write it
from symgrad.nn.modules.module import Module


class Upsample(Module):
    """Images of another size, the elements of which are means of those nearby.

    Parameters
    ----------
    size : int or sequence of int, optional
        The lengths of the axes after the second.
    scale_factor : float or sequence of float, optional
        How many times as long they become, where `size` is not given.
    mode : str
        As that of `nn.functional.interpolate`.
    align_corners : bool, optional
        Whether the middles of the outermost elements stay where they are, not their edges.
    recompute_scale_factor : bool, optional
        Whether the rounded lengths, not `scale_factor`, say how far apart elements lie.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.Upsample(scale_factor=2)(torch.tensor([[[1.0, 3.0]]]))
    tensor([[[1., 1., 3., 3.]]])
    """

    def __init__(
        self, size: Any = None, scale_factor: Any = None, mode: str = "nearest",
        align_corners: bool | None = None, recompute_scale_factor: bool | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.name, self.size, self.mode = type(self).__name__, size, mode
        if isinstance(scale_factor, tuple):
            self.scale_factor: Any = tuple([float(s) for s in scale_factor])
        else:
            self.scale_factor = float(scale_factor) if scale_factor else None
        self.align_corners = align_corners
        self.recompute_scale_factor = recompute_scale_factor

    def forward(self, input: Any) -> Any:
        """Return `nn.functional.interpolate` of the input.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.nn.Upsample(size=(2, 2)).forward(torch.ones(1, 1, 1, 1)).shape
        torch.Size([1, 1, 2, 2])
        """
        return F.interpolate(
            input, self.size, self.scale_factor, self.mode, self.align_corners,
            recompute_scale_factor=self.recompute_scale_factor,
        )  # fmt: skip

    def extra_repr(self) -> str:
        name = "size" if self.scale_factor is None else "scale_factor"
        return f"{name}={getattr(self, name)!r}, mode={self.mode!r}"


class UpsamplingNearest2d(Upsample):
    """Images of another size, each element of which is the nearest of the input.

    Parameters
    ----------
    size, scale_factor
        As those of `Upsample`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.UpsamplingNearest2d((1, 4))(torch.tensor([[[[1.0, 3.0]]]]))
    tensor([[[[1., 1., 3., 3.]]]])
    """

    def __init__(self, size: Any = None, scale_factor: Any = None) -> None:
        super().__init__(size, scale_factor, mode="nearest")


class UpsamplingBilinear2d(Upsample):
    """Images of another size, whose outermost elements are those of the input.

    Parameters
    ----------
    size, scale_factor
        As those of `Upsample`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.UpsamplingBilinear2d((1, 3))(torch.tensor([[[[1.0, 3.0]]]]))
    tensor([[[[1., 2., 3.]]]])
    """

    def __init__(self, size: Any = None, scale_factor: Any = None) -> None:
        super().__init__(size, scale_factor, mode="bilinear", align_corners=True)
