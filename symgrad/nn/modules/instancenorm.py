"""Layers that normalise each channel of each entry."""

from __future__ import annotations

from typing import Any

from symgrad.nn import functional as F  # noqa: N812 - as programs write it
from symgrad.nn.modules.batchnorm import Statistical
from symgrad.support.refusals import warn


class InstanceNorm(Statistical):
    """The base of `InstanceNorm1d` and its kin."""

    def __init__(
        self, num_features: int, eps: float = 1e-5, momentum: float | None = 0.1,
        affine: bool = False, track_running_stats: bool = False, device: Any = None,
        dtype: Any = None, *, bias: bool = True,
    ) -> None:  # fmt: skip
        super().__init__(
            num_features, eps, momentum, affine, track_running_stats, device, dtype, bias=bias
        )

    def forward(self, input: Any) -> Any:
        self._check_input_dim(input)
        alone = len(input.shape) == self._ranks[0]
        axis = 0 if alone else 1
        count = input.shape[axis]
        if count != self.num_features:
            if self.affine:
                raise ValueError(
                    f"expected input's size at dim={axis} to match num_features "
                    f"({self.num_features}), but got: {count}."
                )
            warn(
                f"input's size at dim={axis} does not match num_features. You can silence this "
                "warning by not passing in num_features, which is not used because affine=False"
            )
        out = F.instance_norm(
            input.unsqueeze(0) if alone else input, self.running_mean, self.running_var,
            self.weight, self.bias, self.training or not self.track_running_stats,
            self.momentum if self.momentum is not None else 0.0, self.eps,
        )  # fmt: skip
        return out.squeeze(0) if alone else out


class InstanceNorm1d(InstanceNorm):
    """Deviations from the mean over the standard deviation of each channel of each entry.

    Parameters
    ----------
    num_features : int
        The number of channels.
    eps : float
        What is added to the variance.
    momentum : float or None
        How far the running statistics move to those of a batch.
    affine, bias : bool
        Whether there are factors, and terms beside them.
    track_running_stats : bool
        Whether there are running statistics, which are used after training.
    device, dtype : optional
        Of the parameters.

    Examples
    --------
    >>> import symgrad as torch
    >>> layer = torch.nn.InstanceNorm1d(100)
    >>> layer(torch.randn(2, 100, 4)).shape
    torch.Size([2, 100, 4])
    """

    _ranks = (2, 3)


class InstanceNorm2d(InstanceNorm):
    """Deviations from the mean over the standard deviation of each channel of each entry.

    Parameters
    ----------
    num_features : int
        The number of channels.
    eps : float
        What is added to the variance.
    momentum : float or None
        How far the running statistics move to those of a batch.
    affine, bias : bool
        Whether there are factors, and terms beside them.
    track_running_stats : bool
        Whether there are running statistics, which are used after training.
    device, dtype : optional
        Of the parameters.

    Examples
    --------
    >>> import symgrad as torch
    >>> layer = torch.nn.InstanceNorm2d(100)
    >>> layer(torch.randn(2, 100, 3, 4)).shape
    torch.Size([2, 100, 3, 4])
    """

    _ranks = (3, 4)


class InstanceNorm3d(InstanceNorm):
    """Deviations from the mean over the standard deviation of each channel of each entry.

    Parameters
    ----------
    num_features : int
        The number of channels.
    eps : float
        What is added to the variance.
    momentum : float or None
        How far the running statistics move to those of a batch.
    affine, bias : bool
        Whether there are factors, and terms beside them.
    track_running_stats : bool
        Whether there are running statistics, which are used after training.
    device, dtype : optional
        Of the parameters.

    Examples
    --------
    >>> import symgrad as torch
    >>> layer = torch.nn.InstanceNorm3d(100)
    >>> layer(torch.randn(2, 100, 3, 4, 2)).shape
    torch.Size([2, 100, 3, 4, 2])
    """

    _ranks = (4, 5)


#: PyTorch's name of the base, of which programs ask whether a layer is one.
_InstanceNorm = InstanceNorm
