"""Arguments as PyTorch reads them, with its messages: sizes, dtypes, flags, devices.

What an argument means stands with the functions that take it.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from typing import Any, overload

import numpy as np

from symgrad.autograd.record import Recorded
from symgrad.expr.dtypes import Category, dtype, dtype_of_type
from symgrad.expr.shapes import MAX_AXES, too_many_axes
from symgrad.functions.kinds import type_name

__all__ = [
    "check_device",
    "check_flag",
    "device",
    "dtype_argument",
    "integer",
    "invalid_combination",
    "number",
    "real",
    "size_argument",
    "tensor_argument",
]


class device:  # noqa: N801 - PyTorch's name
    """The name of a device, such as ``device("cpu")``, where all tensors are.

    Raises
    ------
    RuntimeError
        For a string that names no device.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.device("cpu")
    device(type='cpu')
    >>> torch.zeros(2).device == torch.device("cpu")
    True
    """

    __slots__ = ("index", "type")
    type: str
    index: int | None

    def __init__(self, type: Any = "cpu", index: int | None = None) -> None:
        if isinstance(type, device):
            type, index = type.type, type.index
        if not isinstance(type, str):
            raise TypeError(
                f"device(): argument 'type' (position 1) must be str, not {type.__class__.__name__}"
            )
        kind, _, number = type.partition(":")
        if not kind.isalpha() or (":" in type and not number.isdecimal()):
            raise RuntimeError(f"Invalid device string: '{type}'")
        if kind not in _KNOWN_DEVICES:
            raise RuntimeError(
                f"Expected one of {', '.join(_KNOWN_DEVICES)} device type at start of device "
                f"string: {type}"
            )
        self.type = kind
        self.index = int(number) if number else index

    def __repr__(self) -> str:
        if self.index is None:
            return f"device(type='{self.type}')"
        return f"device(type='{self.type}', index={self.index})"

    def __str__(self) -> str:
        return self.type if self.index is None else f"{self.type}:{self.index}"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, device):
            return NotImplemented
        return self.type == other.type and self.index == other.index

    def __hash__(self) -> int:
        return hash((self.type, self.index))

    def __reduce__(self) -> tuple[Any, ...]:
        return device, (self.type, self.index)

    def __enter__(self) -> device:
        return self

    def __exit__(self, *error: object) -> None:
        return None


_KNOWN_DEVICES = (
    "cpu", "cuda", "ipu", "xpu", "mkldnn", "opengl", "opencl", "ideep", "hip", "ve", "fpga", "maia",
    "xla", "lazy", "vulkan", "mps", "meta", "hpu", "mtia", "privateuseone",
)  # fmt: skip


def check_device(call: str, value: Any) -> None:
    """Accept None, "cpu" and `device("cpu")`; raise as PyTorch does for anything else."""
    if value is None:
        return
    if isinstance(value, str):
        value = device(value)
    if not isinstance(value, device):
        raise TypeError(
            f"{call}(): argument 'device' must be torch.device, not {type(value).__name__}"
        )
    if value.type == "cuda":
        raise AssertionError("Torch not compiled with CUDA enabled")
    if value.type != "cpu":
        raise RuntimeError(
            f"{call}(): symgrad computes on the CPU only, device '{value}' is not available: "
            "leave 'device' out or use 'cpu'"
        )


def check_flag(call: str, name: str, value: Any, position: int | None = None) -> bool:
    """Return a flag; TypeError for what is no bool."""
    if not isinstance(value, (bool, np.bool_)):
        where = "" if position is None else f" (position {position})"
        raise TypeError(
            f"{call}(): argument '{name}'{where} must be bool, not {type(value).__name__}"
        )
    return bool(value)


@overload
def dtype_argument(call: str, value: Any, default: dtype) -> dtype: ...
@overload
def dtype_argument(call: str, value: Any, default: None = None) -> dtype | None: ...
def dtype_argument(call: str, value: Any, default: dtype | None = None) -> dtype | None:
    """Return a dtype; Python's number types stand for one too, None for `default`."""
    if value is None:
        return default
    if isinstance(value, dtype):
        return value
    if not isinstance(value, type) or value not in (bool, int, float, complex):
        raise TypeError(
            f"{call}(): argument 'dtype' must be torch.dtype, not {type(value).__name__}"
        )
    return dtype_of_type(value)


def tensor_argument(call: str, value: Any, name: str = "input", position: int = 1) -> Any:
    """Return a tensor; TypeError for anything else."""
    if not isinstance(value, Recorded):
        raise TypeError(
            f"{call}(): argument '{name}' (position {position}) must be Tensor, not "
            f"{type(value).__name__}"
        )
    return value


def integer(call: str, name: str, position: int, value: Any) -> int:
    """Return an integer argument; TypeError for floats, strings and flags."""
    if not isinstance(value, bool):
        if isinstance(value, (int, np.integer)):
            return int(value)
        if isinstance(value, Recorded) and value._aval.dtype.category == Category.INT:
            return operator.index(value)  # type: ignore[arg-type]
    raise TypeError(
        f"{call}(): argument '{name}' (position {position}) must be int, not {type(value).__name__}"
    )


def number(call: str, name: str, position: int, value: Any) -> Any:
    """Return a number argument as a Python number; a 0-d tensor without gradient counts."""
    if isinstance(value, (bool, int, float, complex)):
        return value
    if isinstance(value, np.bool_):  # PyTorch makes a float of it
        return float(value)
    if isinstance(value, np.number):
        return value.item()
    if isinstance(value, Recorded) and value._aval.shape == () and not value._rg:
        return value._data.item()
    raise TypeError(
        f"{call}(): argument '{name}' (position {position}) must be Number, not "
        f"{type(value).__name__}"
    )


def real(call: str, name: str, position: int, value: Any) -> float:
    """Return a real argument as a float; a 0-d tensor of real numbers without gradient counts."""
    if isinstance(value, (int, float, np.integer, np.floating, np.bool_)):
        return float(value)
    constant = isinstance(value, Recorded) and value._aval.shape == () and not value._rg
    if constant and not value._aval.dtype.is_complex:
        return float(value._data)
    raise TypeError(
        f"{call}(): argument '{name}' (position {position}) must be float, not {type_name(value)}"
    )


def _length(value: Any) -> int | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, (int, np.integer)):
        return int(value)
    if (
        isinstance(value, Recorded)
        and value._aval.size == 1
        and value._aval.dtype.category == Category.INT
    ):
        return operator.index(value)  # type: ignore[arg-type]
    return None


def size_argument(call: str, sizes: Sequence[Any], position: int = 1) -> tuple[int, ...]:
    """Return the shape that `zeros(2, 3)`, `zeros((2, 3))` or `zeros([2, 3])` asks for.

    Raises
    ------
    TypeError
        For lengths that are no integers.
    RuntimeError
        For negative lengths.
    """
    given: Iterable[Any] = sizes
    if len(sizes) == 1 and isinstance(sizes[0], (tuple, list)):
        given = sizes[0]
    shape = []
    for i, n in enumerate(given):
        length = _length(n)
        if length is None:
            if i == 0:
                kind = type(sizes[0] if given is sizes else given).__name__
                raise TypeError(
                    f"{call}(): argument 'size' (position {position}) must be tuple of ints, not "
                    f"{kind}"
                )
            raise TypeError(
                f"{call}(): argument 'size' failed to unpack the object at pos {i + 1} with error "
                f'"type must be tuple of ints,but got {type(n).__name__}"'
            )
        shape.append(length)
    if len(shape) > MAX_AXES:
        raise RuntimeError(f"{call}(): {too_many_axes(len(shape))}")
    if any(n < 0 for n in shape):
        raise RuntimeError(
            f"{call}: Dimension size must be non-negative."
            if call == "zeros"
            else f"Trying to create tensor with negative dimension "
            f"{next(n for n in shape if n < 0)}: {shape}"
        )
    return tuple(shape)


def invalid_combination(call: str, args: Sequence[Any], kwargs: Any = None) -> TypeError:
    """Return PyTorch's error for arguments that fit no signature of `call`."""
    parts = [type_name(x) for x in args]
    parts += [f"{name}={type_name(value)}" for name, value in (kwargs or {}).items()]
    text = ", ".join(parts)
    if kwargs and not args:
        text += ", "
    return TypeError(
        f"{call}() received an invalid combination of arguments - got ({text}), "
        "but expected one of:"
    )
