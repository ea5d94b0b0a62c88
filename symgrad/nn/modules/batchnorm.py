"""Layers that normalise over batches, and the running statistics that these keep."""

from __future__ import annotations

from typing import Any

from symgrad.expr.dtypes import int64
from symgrad.functions.creation import CREATION
from symgrad.nn import functional as F  # noqa: N812 - as programs write it
from symgrad.nn.modules.normalization import Affine


class Statistical(Affine):
    """The base of layers that keep running statistics of channels, as buffers."""

    _version = 2
    #: How many axes the argument may have.
    _ranks: tuple[int, ...] = ()

    def __init__(
        self, num_features: int, eps: float = 1e-5, momentum: float | None = 0.1,
        affine: bool = True, track_running_stats: bool = True, device: Any = None,
        dtype: Any = None, *, bias: bool = True,
    ) -> None:  # fmt: skip
        super().__init__()
        self.num_features, self.eps, self.momentum = num_features, eps, momentum
        self.affine, self.track_running_stats = affine, track_running_stats
        options = {"device": device, "dtype": dtype}
        self._add_affine((num_features,), affine, bias, **options)
        made: dict[str, Any] = dict.fromkeys(("running_mean", "running_var", "num_batches_tracked"))
        if track_running_stats:
            made["running_mean"] = CREATION["zeros"](num_features, **options)
            made["running_var"] = CREATION["ones"](num_features, **options)
            made["num_batches_tracked"] = CREATION["tensor"](0, dtype=int64)
        for name, buffer in made.items():
            self.register_buffer(name, buffer)
        self.reset_parameters()

    def reset_running_stats(self) -> None:
        """Set the running means to 0 and the running variances to 1.

        Examples
        --------
        >>> import symgrad as torch
        >>> layer = torch.nn.BatchNorm1d(2)
        >>> layer.reset_running_stats()
        >>> layer.running_var
        tensor([1., 1.])
        """
        if self.track_running_stats:
            self.running_mean.zero_()
            self.running_var.fill_(1)
            self.num_batches_tracked.zero_()

    def reset_parameters(self) -> None:
        self.reset_running_stats()
        super().reset_parameters()

    def _check_input_dim(self, input: Any) -> None:
        rank = len(input.shape)
        if self._ranks and rank not in self._ranks:
            allowed = " or ".join([f"{n}D" for n in self._ranks])
            raise ValueError(f"expected {allowed} input (got {rank}D input)")

    def extra_repr(self) -> str:
        return (
            f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, "
            f"affine={self.affine}, bias={self.bias is not None}, "
            f"track_running_stats={self.track_running_stats}"
        )

    def _load_from_state_dict(
        self, state_dict: Any, prefix: str, local_metadata: dict[str, Any], *rest: Any
    ) -> None:
        version = local_metadata.get("version")
        if (version is None or version < 2) and self.track_running_stats:
            # Older states do not count the batches.
            state_dict.setdefault(f"{prefix}num_batches_tracked", self.num_batches_tracked)
        super()._load_from_state_dict(state_dict, prefix, local_metadata, *rest)


class BatchNorm(Statistical):
    """The base of `BatchNorm1d` and its kin."""

    _is_of_batches = True

    def forward(self, input: Any) -> Any:
        self._check_input_dim(input)
        momentum = 0.0 if self.momentum is None else self.momentum
        tracks = self.training and self.track_running_stats
        if tracks and self.num_batches_tracked is not None:
            self.num_batches_tracked.add_(1)
            if self.momentum is None:  # the mean of all batches
                momentum = 1.0 / float(self.num_batches_tracked)
        kept = tracks or not self.training
        mean, var = (self.running_mean, self.running_var) if kept else (None, None)
        own = self.training or (self.running_mean is None and self.running_var is None)
        return F.batch_norm(input, mean, var, self.weight, self.bias, own, momentum, self.eps)


class BatchNorm1d(BatchNorm):
    """Deviations from the mean over the standard deviation of each channel, over a batch.

    After training, with `eval()`, mean and variance are those of the running statistics.

    Parameters
    ----------
    num_features : int
        The number of channels, axis 1.
    eps : float
        What is added to the variance.
    momentum : float or None
        How far the running statistics move to those of a batch; None for the mean of all batches.
    affine, bias : bool
        Whether there are factors, and terms beside them.
    track_running_stats : bool
        Whether there are running statistics.
    device, dtype : optional
        Of the parameters.

    Examples
    --------
    >>> import symgrad as torch
    >>> layer = torch.nn.BatchNorm1d(100)
    >>> layer(torch.randn(20, 100)).shape
    torch.Size([20, 100])
    """

    _ranks = (2, 3)


class BatchNorm2d(BatchNorm):
    """Deviations from the mean over the standard deviation of each channel, over a batch.

    After training, with `eval()`, mean and variance are those of the running statistics.

    Parameters
    ----------
    num_features : int
        The number of channels, axis 1.
    eps : float
        What is added to the variance.
    momentum : float or None
        How far the running statistics move to those of a batch; None for the mean of all batches.
    affine, bias : bool
        Whether there are factors, and terms beside them.
    track_running_stats : bool
        Whether there are running statistics.
    device, dtype : optional
        Of the parameters.

    Examples
    --------
    >>> import symgrad as torch
    >>> layer = torch.nn.BatchNorm2d(100)
    >>> layer(torch.randn(2, 100, 3, 4)).shape
    torch.Size([2, 100, 3, 4])
    """

    _ranks = (4,)


class BatchNorm3d(BatchNorm):
    """Deviations from the mean over the standard deviation of each channel, over a batch.

    After training, with `eval()`, mean and variance are those of the running statistics.

    Parameters
    ----------
    num_features : int
        The number of channels, axis 1.
    eps : float
        What is added to the variance.
    momentum : float or None
        How far the running statistics move to those of a batch; None for the mean of all batches.
    affine, bias : bool
        Whether there are factors, and terms beside them.
    track_running_stats : bool
        Whether there are running statistics.
    device, dtype : optional
        Of the parameters.

    Examples
    --------
    >>> import symgrad as torch
    >>> layer = torch.nn.BatchNorm3d(100)
    >>> layer(torch.randn(2, 100, 3, 4, 2)).shape
    torch.Size([2, 100, 3, 4, 2])
    """

    _ranks = (5,)


#: PyTorch's names of the bases, of which programs ask whether a layer is one.
_NormBase, _BatchNorm = Statistical, BatchNorm
