"""Devices: the names that PyTorch knows. symgrad computes on the CPU only."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symgrad.support.above import FromAbove


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

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        check_device.call(args, kwargs)
        type: Any = args[0] if args else kwargs.get("device", kwargs.get("type"))
        index: Any = args[1] if len(args) > 1 else kwargs.get("index")
        if isinstance(type, device):
            type, index = type.type, type.index
        if isinstance(type, int):
            raise RuntimeError(_NO_ACCELERATOR)
        if index is not None and index < 0:
            raise RuntimeError("Device index must not be negative")
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


#: Raises the error of PyTorch's parser for arguments that are no device.
check_device: FromAbove[Callable[..., None]] = FromAbove("symgrad.schema.text")

_NO_ACCELERATOR = "Cannot access accelerator device when none is available."
_KNOWN_DEVICES = (
    "cpu", "cuda", "ipu", "xpu", "mkldnn", "opengl", "opencl", "ideep", "hip", "ve", "fpga", "maia",
    "xla", "lazy", "vulkan", "mps", "meta", "hpu", "mtia", "privateuseone",
)  # fmt: skip


def is_cpu(value: Any) -> bool:
    """Return whether an argument is the device "cpu" or its name."""
    if value.__class__ is device:
        return bool(value.type == "cpu")
    return value.__class__ is str and bool(value == "cpu")


def on_cpu(value: Any) -> device:
    """Return the device that an argument names; raise if it is not the CPU.

    Raises
    ------
    AssertionError
        For CUDA, as a PyTorch without CUDA does.
    RuntimeError
        For another device, and for an argument that names none.
    """
    if isinstance(value, int):
        raise RuntimeError(_NO_ACCELERATOR)
    found = value if isinstance(value, device) else device(value)
    if found.type == "cuda":
        raise AssertionError("Torch not compiled with CUDA enabled")
    if found.type != "cpu":
        raise RuntimeError(
            f"symgrad computes on the CPU only, device '{found}' is not available: leave 'device' "
            "out or use 'cpu'"
        )
    return found
