"""Settings of PyTorch's that programs make: each is kept and read, and changes no number."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

from numeric.threads import number_of_threads, set_number_of_threads
from symgrad.expr.devices import device as _device
from symgrad.expr.devices import on_cpu
from symgrad.expr.dtypes import set_default_dtype
from symgrad.support.refusals import warn
from symgrad.tensor.legacy import LEGACY_TYPES
from symgrad.tensor.tensor import Tensor

__all__ = [
    "are_deterministic_algorithms_enabled", "get_default_device", "get_deterministic_debug_mode",
    "get_float32_matmul_precision", "get_num_interop_threads", "get_num_threads",
    "is_deterministic_algorithms_warn_only_enabled", "is_warn_always_enabled", "set_default_device",
    "set_default_tensor_type", "set_deterministic_debug_mode", "set_float32_matmul_precision",
    "set_flush_denormal", "set_num_interop_threads", "set_num_threads", "set_warn_always",
    "typename", "use_deterministic_algorithms",
]  # fmt: skip


@dataclass
class _Settings:
    interop_threads: int = 0
    #: 0, 1 for warnings or 2 for errors, as PyTorch counts.
    deterministic: int = 0
    precision: str = "highest"
    warn_always: bool = False


_SETTINGS = _Settings()


def _number_of_threads(call: str, n: Any) -> int:
    if not isinstance(n, int) or isinstance(n, bool):
        raise RuntimeError(f"{call} expects an int, but got {type(n).__name__}")
    if n <= 0:
        raise RuntimeError(f"{call} expects a positive integer")
    return n


def set_num_threads(n: int) -> None:
    """Set how many threads compute on long arrays: one, where nothing is set.

    Results are the same bits for any number. How many threads products of matrices take is settled
    when NumPy is imported, by ``OMP_NUM_THREADS``, or by the package `threadpoolctl`.

    Parameters
    ----------
    n : int
        A positive number.

    Raises
    ------
    RuntimeError
        For anything else.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.set_num_threads(1)
    >>> torch.get_num_threads()
    1
    """
    set_number_of_threads(_number_of_threads("set_num_threads", n))


def get_num_threads() -> int:
    """Return what was set, or else ``OMP_NUM_THREADS``, or else the number of processors.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.get_num_threads() >= 1
    True
    """
    return number_of_threads()


def set_num_interop_threads(n: int) -> None:
    """Set what `get_num_interop_threads` answers: operations run one after the other.

    Parameters
    ----------
    n : int
        A positive number.

    Raises
    ------
    RuntimeError
        For anything else.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.set_num_interop_threads(2)
    >>> torch.get_num_interop_threads()
    2
    """
    _SETTINGS.interop_threads = _number_of_threads("set_num_interop_threads", n)


def get_num_interop_threads() -> int:
    """Return what was set, or else the number of processors.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.get_num_interop_threads() >= 1
    True
    """
    return _SETTINGS.interop_threads or os.cpu_count() or 1


def set_default_device(device: Any) -> None:
    """Accept the CPU, where all tensors are.

    Parameters
    ----------
    device : device, str or None
        The CPU, or None.

    Raises
    ------
    AssertionError
        For CUDA.
    RuntimeError
        For another device.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.set_default_device("cpu")
    """
    if device is not None:
        on_cpu(device)


def get_default_device() -> _device:
    """Return the CPU.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.get_default_device()
    device(type='cpu')
    """
    return _device("cpu")


def use_deterministic_algorithms(mode: bool, *, warn_only: bool = False) -> None:
    """Set what `are_deterministic_algorithms_enabled` answers: all of them are.

    Parameters
    ----------
    mode : bool
        Whether programs ask for such.
    warn_only : bool
        Whether PyTorch would warn of others, and not refuse them.

    Raises
    ------
    TypeError
        If `mode` is no bool.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.use_deterministic_algorithms(True)
    >>> torch.are_deterministic_algorithms_enabled()
    True
    >>> torch.use_deterministic_algorithms(False)
    """
    for value in (mode, warn_only):
        if not isinstance(value, bool):
            raise TypeError(f"use_deterministic_algorithms takes bools, not {value!r}")
    _SETTINGS.deterministic = (1 if warn_only else 2) if mode else 0


def are_deterministic_algorithms_enabled() -> bool:
    """Return what `use_deterministic_algorithms` set.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.are_deterministic_algorithms_enabled()
    False
    """
    return _SETTINGS.deterministic > 0


def is_deterministic_algorithms_warn_only_enabled() -> bool:
    """Return whether `use_deterministic_algorithms` was called with `warn_only`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.is_deterministic_algorithms_warn_only_enabled()
    False
    """
    return _SETTINGS.deterministic == 1


_DEBUG_MODES = ("default", "warn", "error")


def set_deterministic_debug_mode(debug_mode: int | str) -> None:
    """Set what `use_deterministic_algorithms` sets, by a number or a word.

    Parameters
    ----------
    debug_mode : int or str
        0 or "default", 1 or "warn", 2 or "error".

    Raises
    ------
    RuntimeError
        For another number or word.
    TypeError
        For what is neither.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.set_deterministic_debug_mode("default")
    """
    if not isinstance(debug_mode, (int, str)):
        raise TypeError(f"debug_mode must be str or int, but got {type(debug_mode)}")
    known: Any = _DEBUG_MODES if isinstance(debug_mode, str) else (0, 1, 2)
    if debug_mode not in known:
        raise RuntimeError(
            f"invalid value of debug_mode, expected one of {', '.join(map(str, known))}, but got "
            f"{debug_mode}"
        )
    _SETTINGS.deterministic = known.index(debug_mode)


def get_deterministic_debug_mode() -> int:
    """Return what was set, as a number: 0, 1 for warnings or 2 for errors.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.get_deterministic_debug_mode()
    0
    """
    return _SETTINGS.deterministic


def set_float32_matmul_precision(precision: str) -> None:
    """Set what `get_float32_matmul_precision` answers: products have all digits of their dtype.

    Parameters
    ----------
    precision : str
        "highest", "high" or "medium".

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.set_float32_matmul_precision("high")
    >>> torch.get_float32_matmul_precision()
    'high'
    >>> torch.set_float32_matmul_precision("highest")
    """
    if precision not in ("highest", "high", "medium"):
        warn(
            f"{precision} is not one of 'highest', 'high', or 'medium'; the current"
            "setFloat32MatmulPrecision call has no effect."
        )
        return
    _SETTINGS.precision = precision


def get_float32_matmul_precision() -> str:
    """Return what `set_float32_matmul_precision` set.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.get_float32_matmul_precision()
    'highest'
    """
    return _SETTINGS.precision


def set_flush_denormal(mode: bool) -> bool:
    """Return False: the processor's treatment of denormal numbers is not changed.

    Parameters
    ----------
    mode : bool
        Ignored.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.set_flush_denormal(True)
    False
    """
    return False


def set_warn_always(b: bool) -> None:
    """Set what `is_warn_always_enabled` answers: warnings are given whenever there is reason.

    Parameters
    ----------
    b : bool
        Whether programs ask for that.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.set_warn_always(True)
    >>> torch.is_warn_always_enabled()
    True
    """
    if not isinstance(b, bool):
        raise TypeError(f"setWarnOnlyOnce_enabled must be a bool, not {type(b).__name__}")
    _SETTINGS.warn_always = b


def is_warn_always_enabled() -> bool:
    """Return what `set_warn_always` set.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.set_warn_always(False)
    >>> torch.is_warn_always_enabled()
    False
    """
    return _SETTINGS.warn_always


def set_default_tensor_type(t: Any) -> None:
    """Set the default dtype by one of the old tensor types, which PyTorch deprecates.

    Parameters
    ----------
    t : class or str
        A type, as ``torch.DoubleTensor``, or its name.

    Raises
    ------
    TypeError
        For what is no floating-point type of the CPU.

    Examples
    --------
    >>> import symgrad as torch
    >>> import warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     torch.set_default_tensor_type("torch.FloatTensor")
    >>> torch.get_default_dtype()
    torch.float32
    """
    warn(
        "torch.set_default_tensor_type() is deprecated as of PyTorch 2.1, please use "
        "torch.set_default_dtype() and torch.set_default_device() as alternatives."
    )
    name = t.removeprefix("torch.") if isinstance(t, str) else getattr(t, "__name__", "")
    if name.startswith("cuda."):
        raise TypeError(f"type {t} not available. Torch not compiled with CUDA enabled.")
    found = LEGACY_TYPES.get(name)
    if found is None:
        raise TypeError(
            "invalid type object: only floating-point types are supported as the default type"
        )
    if not found.dtype.is_floating_point:
        raise TypeError("only floating-point types are supported as the default type")
    set_default_dtype(found.dtype)


def typename(obj: Any) -> str:
    """Return the type of a tensor, or the name of a class or of the class of an object.

    Parameters
    ----------
    obj
        The object.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.typename(torch.ones(1)), torch.typename(3)
    ('torch.FloatTensor', 'int')
    """
    if isinstance(obj, Tensor):
        return str(obj.type())
    kind = (
        obj if isinstance(obj, type) or (callable(obj) and hasattr(obj, "__name__")) else type(obj)
    )
    home = getattr(kind, "__module__", "builtins")
    name = getattr(kind, "__qualname__", kind.__name__)
    return name if home == "builtins" else f"{home}.{name}"
