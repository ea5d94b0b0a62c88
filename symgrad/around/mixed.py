"""What programs say of mixed precision, which is off as on a machine without GPUs.

The factors of losses are in `scaling`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Self, TypeVar, overload

from symgrad.expr.devices import device
from symgrad.expr.dtypes import dtype as _dtype
from symgrad.expr.dtypes import float16
from symgrad.support.homes import at_home
from symgrad.support.refusals import warn

__all__ = ["autocast", "custom_bwd", "custom_fwd", "is_autocast_available", "is_autocast_enabled"]

F = TypeVar("F", bound=Callable[..., Any])


def _check_device_type(device_type: Any) -> None:
    if not isinstance(device_type, str):
        raise ValueError(f"Expected `device_type` of type `str`, got: `{type(device_type)}`")


def is_autocast_available(device_type: str) -> bool:
    """Return whether `autocast` may name a device.

    Parameters
    ----------
    device_type : str
        As "cuda".

    Raises
    ------
    RuntimeError
        If PyTorch knows no such device.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.amp.is_autocast_available("cuda")
    True
    """
    return device(device_type).type != "meta"


def is_autocast_enabled(device_type: str | None = None) -> bool:
    """Return False: operations compute in the dtypes of their operands.

    Parameters
    ----------
    device_type : str, optional
        As "cuda".

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.is_autocast_enabled()
    False
    """
    return False


class autocast:  # noqa: N801 - PyTorch's name
    """A block, or a decorator, in which a GPU would compute with fewer bits: here as around it.

    Parameters
    ----------
    device_type : str
        Which device would. "cuda" warns, unless it is not enabled, that there is none.
    dtype : dtype, optional
        Of the numbers with fewer bits.
    enabled : bool
        False for the arithmetic around the block.
    cache_enabled : bool, optional
        Whether converted weights would be kept.

    Raises
    ------
    NotImplementedError
        If it is enabled for the CPU, where PyTorch computes in `bfloat16` or `float16`.
    RuntimeError
        If there is no device of that name.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.ones(2, 2)
    >>> with torch.autocast("cuda", enabled=torch.cuda.is_available()):
    ...     print((x @ x).dtype)
    torch.float32
    """

    def __init__(
        self, device_type: str, dtype: _dtype | None = None, enabled: bool = True,
        cache_enabled: bool | None = None,
    ) -> None:  # fmt: skip
        _check_device_type(device_type)
        if not is_autocast_available(device_type):
            raise RuntimeError(
                f"User specified an unsupported autocast device_type '{device_type}'"
            )
        self.device, self.fast_dtype = device_type, dtype
        if not enabled:
            return
        if device_type == "cuda":
            warn("CUDA is not available or torch_xla is imported. Disabling autocast.")
        elif dtype is not None and dtype is not float16:
            warn(
                f"In {device_type.upper()} autocast, but the target dtype is not supported. "
                f"Disabling autocast.\n{device_type.upper()} Autocast only supports dtypes of "
                "torch.bfloat16, torch.float16 currently."
            )
        elif device_type == "cpu":
            raise NotImplementedError(
                'autocast("cpu"): operations compute in the dtypes of their operands; give '
                "enabled=False, or convert tensors and modules by .half()"
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        return None

    def __call__(self, func: F) -> F:
        """Decorate a function, which computes as it does without this."""
        if not callable(func):
            raise TypeError(f"autocast decorates functions, got {type(func).__name__}")
        return func


@overload
def custom_fwd(fwd: F, *, device_type: str, cast_inputs: _dtype | None = None) -> F: ...
@overload
def custom_fwd(
    fwd: None = None, *, device_type: str, cast_inputs: _dtype | None = None
) -> Callable[[F], F]: ...
def custom_fwd(fwd: Any = None, *, device_type: str, cast_inputs: _dtype | None = None) -> Any:
    """Return the `forward` of a custom function as it is: `autocast` converts nothing.

    Parameters
    ----------
    fwd : callable, optional
        The `forward`; without it, a decorator is returned.
    device_type : str
        As "cuda".
    cast_inputs : dtype, optional
        What operands would be converted to inside of `autocast`.

    Examples
    --------
    >>> import symgrad as torch
    >>> class Square(torch.autograd.Function):
    ...     @staticmethod
    ...     @torch.amp.custom_fwd(device_type="cuda", cast_inputs=torch.float32)
    ...     def forward(ctx, x):
    ...         ctx.save_for_backward(x)
    ...         return x * x
    ...
    ...     @staticmethod
    ...     @torch.amp.custom_bwd(device_type="cuda")
    ...     def backward(ctx, g):
    ...         return 2 * g * ctx.saved_tensors[0]
    >>> Square.apply(torch.tensor(3.0))
    tensor(9.)
    """
    _check_device_type(device_type)
    if fwd is None:
        return functools.partial(custom_fwd, device_type=device_type, cast_inputs=cast_inputs)
    return fwd


@overload
def custom_bwd(bwd: F, *, device_type: str) -> F: ...
@overload
def custom_bwd(bwd: None = None, *, device_type: str) -> Callable[[F], F]: ...
def custom_bwd(bwd: Any = None, *, device_type: str) -> Any:
    """Return the `backward` of a custom function as it is, as `custom_fwd` does of `forward`.

    Parameters
    ----------
    bwd : callable, optional
        The `backward`; without it, a decorator is returned.
    device_type : str
        As "cuda".

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.amp.custom_bwd(abs, device_type="cuda") is abs
    True
    """
    _check_device_type(device_type)
    return functools.partial(custom_bwd, device_type=device_type) if bwd is None else bwd


at_home(
    "symgrad.amp", custom_fwd=custom_fwd, custom_bwd=custom_bwd,
    is_autocast_available=is_autocast_available,
)  # fmt: skip
