"""PyTorch's `cuda.amp`: older names of what `amp` has, for GPUs, of which there are none."""

from __future__ import annotations

from typing import Any

from symgrad import amp
from symgrad.expr.dtypes import dtype as _dtype
from symgrad.support.refusals import warn

__all__ = ["GradScaler", "autocast", "custom_bwd", "custom_fwd"]


def _warn(old: str, new: str) -> None:
    warn(
        f"`torch.cuda.amp.{old}(args...)` is deprecated. Please use `torch.amp.{new}` instead.",
        FutureWarning,
    )


class autocast(amp.autocast):  # noqa: N801 - PyTorch's name
    """As `amp.autocast` for "cuda".

    Parameters
    ----------
    enabled, dtype, cache_enabled
        As those of `amp.autocast`.

    Examples
    --------
    >>> import symgrad as torch
    >>> issubclass(torch.cuda.amp.autocast, torch.autocast)
    True
    """

    def __init__(
        self, enabled: bool = True, dtype: _dtype | None = None, cache_enabled: bool = True
    ) -> None:
        _warn("autocast", "autocast('cuda', args...)")
        super().__init__("cuda", dtype, enabled, cache_enabled)


class GradScaler(amp.GradScaler):
    """As `amp.GradScaler` for "cuda".

    Parameters
    ----------
    init_scale, growth_factor, backoff_factor, growth_interval, enabled
        As those of `amp.GradScaler`.

    Examples
    --------
    >>> import symgrad as torch
    >>> issubclass(torch.cuda.amp.GradScaler, torch.amp.GradScaler)
    True
    """

    def __init__(
        self, init_scale: float = 2.0**16, growth_factor: float = 2.0, backoff_factor: float = 0.5,
        growth_interval: int = 2000, enabled: bool = True,
    ) -> None:  # fmt: skip
        _warn("GradScaler", "GradScaler('cuda', args...)")
        super().__init__(
            "cuda", init_scale, growth_factor, backoff_factor, growth_interval, enabled
        )


def custom_fwd(fwd: Any = None, *, cast_inputs: _dtype | None = None) -> Any:
    """Return the `forward` of a custom function as it is, as `amp.custom_fwd` does.

    Parameters
    ----------
    fwd, cast_inputs
        As those of `amp.custom_fwd`.

    Examples
    --------
    >>> import symgrad as torch, warnings
    >>> with warnings.catch_warnings(action="ignore"):
    ...     torch.cuda.amp.custom_fwd(abs) is abs
    True
    """
    _warn("custom_fwd", "custom_fwd(args..., device_type='cuda')")
    return amp.custom_fwd(fwd, device_type="cuda", cast_inputs=cast_inputs)


def custom_bwd(bwd: Any) -> Any:
    """Return the `backward` of a custom function as it is, as `amp.custom_bwd` does.

    Parameters
    ----------
    bwd : callable
        The `backward`.

    Examples
    --------
    >>> import symgrad as torch, warnings
    >>> with warnings.catch_warnings(action="ignore"):
    ...     torch.cuda.amp.custom_bwd(abs) is abs
    True
    """
    _warn("custom_bwd", "custom_bwd(args..., device_type='cuda')")
    return amp.custom_bwd(bwd, device_type="cuda")
