"""Tensors of a file: each a view of a storage, whose bytes are a record of the archive."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable
from pickle import UnpicklingError
from typing import Any

import numpy as np

from symgrad.expr.dtypes import DTYPES, dtype
from symgrad.nn.parameter import Parameter
from symgrad.record.record import wrap
from symgrad.serialization.archive import Archive
from symgrad.serialization.unpickling import PLAIN, Call, Inner, Reader
from symgrad.support.refusals import MAX_AXES
from symgrad.tensor.copying import looking
from symgrad.tensor.tensor import Tensor

_NO_GPU = (
    "Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False. If "
    "you are running on a CPU-only machine, please use torch.load with "
    "map_location=torch.device('cpu') to map your storages to the CPU."
)


def storage_name(kind: dtype) -> str:
    """Return the global by which a pickle names the storages of a dtype."""
    return f"torch.{kind.scalar_name}Storage"


class _StorageKind(Inner):
    """A class of storages."""

    __slots__ = ("kind",)

    def __init__(self, kind: dtype) -> None:
        self.kind = kind


class _Storage(Inner):
    """The memory that tensors are views of."""

    __slots__ = ("data", "kind")

    def __init__(self, data: np.ndarray[Any, Any], kind: dtype) -> None:
        self.data, self.kind = data, kind


def _is_sizes(x: Any) -> bool:
    return type(x) is tuple and all(type(n) is int and 0 <= n < 2**63 for n in x)


def _tensor(
    storage: Any, offset: Any, shape: Any, strides: Any, requires_grad: Any, hooks: Any,
    metadata: Any = None,
) -> Any:  # fmt: skip
    """Return the tensor that a file describes, once all of its numbers fit its storage."""
    if type(storage) is not _Storage or not (_is_sizes(shape) and _is_sizes(strides)):
        raise TypeError("a tensor is made of a storage, a place, sizes and strides")
    if not _is_sizes((offset,)) or len(shape) != len(strides) or len(shape) > MAX_AXES:
        raise ValueError(f"no tensor has the sizes {shape} and strides {strides}")
    if metadata or type(requires_grad) is not bool or type(hooks) is not OrderedDict or hooks:
        raise ValueError("the tensor has hooks or metadata")
    if requires_grad and not storage.kind.differentiable:
        raise ValueError(f"a tensor of {storage.kind} cannot require gradients")
    memory, size = storage.data, storage.kind.itemsize
    if math.prod([n for n in shape if n]) * size >= 2**63:
        raise ValueError(f"a tensor of the sizes {shape} is too large")
    empty = 0 in shape
    last = offset + sum([(n - 1) * step for n, step in zip(shape, strides, strict=True)])
    if not empty and last >= memory.size:
        raise ValueError(
            f"sizes {shape} and strides {strides} from {offset} on reach beyond a storage of "
            f"{memory.size} elements"
        )
    if empty:
        data = np.empty(shape, memory.dtype)
    else:
        steps = [step * size if n > 1 else size for n, step in zip(shape, strides, strict=True)]
        data = looking(memory, offset * size, shape, steps, memory.dtype)
    out = wrap(data)
    out._rg = requires_grad
    return out


def _parameter(data: Any, requires_grad: Any, hooks: Any) -> Any:
    if type(data) is not Tensor or type(requires_grad) is not bool:
        raise TypeError("a parameter is made of a tensor")
    if type(hooks) is not OrderedDict or hooks:
        raise ValueError("the parameter has hooks")
    if requires_grad and not data.dtype.differentiable:
        raise ValueError(f"a parameter of {data.dtype} cannot require gradients")
    return Parameter(data, requires_grad)


_KNOWN: dict[str, Any] = {
    **PLAIN,
    "torch._utils._rebuild_tensor_v2": Call("torch._utils._rebuild_tensor_v2", _tensor),
    "torch._utils._rebuild_parameter": Call("torch._utils._rebuild_parameter", _parameter),
    **{f"torch.{kind.name}": kind for kind in DTYPES},
    **{storage_name(kind): _StorageKind(kind) for kind in DTYPES},
}


class _Storages:
    """The storages of a file, each read when it is first mentioned."""

    def __init__(self, archive: Archive, place: Callable[[str], str]) -> None:
        self._archive, self._place = archive, place
        self._found: dict[str, tuple[Any, _Storage]] = {}

    def __call__(self, identifier: Any) -> _Storage:
        if type(identifier) is not tuple or len(identifier) != 5 or identifier[0] != "storage":
            raise UnpicklingError("the file refers to something that is no storage")
        _, cls, key, where, count = identifier
        if type(cls) is not _StorageKind or not _is_sizes((count,)) or type(where) is not str:
            raise UnpicklingError("the file refers to a storage without dtype, place or size")
        if type(key) is not str or not (key.isascii() and key.isdigit()):
            raise UnpicklingError(f"the name of a storage is a number, and not {key!r}")
        place = self._place(where)
        if place.startswith("cuda"):
            raise RuntimeError(_NO_GPU)
        if place != "cpu":
            raise RuntimeError(
                f"tensors are to be read to the device {place!r}, and there is only the CPU: use "
                'map_location="cpu" to have them there'
            )
        described = (cls.kind, count)
        known = self._found.get(key)
        if known is None:
            known = self._found[key] = described, self._read(key, cls.kind, count)
        if known[0] != described:
            raise RuntimeError(f"the file describes the storage {key} in two ways")
        return known[1]

    def _read(self, key: str, kind: dtype, count: int) -> _Storage:
        name, expected = f"data/{key}", count * kind.itemsize
        size = self._archive.size(name)
        if size != expected:
            raise RuntimeError(
                f"record size ({size} bytes) does not match expected size ({expected} bytes = "
                f"{count} elements of {kind}) of the storage {key}"
            )
        stored = np.frombuffer(
            self._archive.read(name), kind.numpy.newbyteorder(self._archive.byte_order)
        )
        # A truth value is one bit of a byte, and other bytes would count as none of the two.
        data = stored.view(np.uint8) != 0 if kind.name == "bool" else stored.astype(kind.numpy)
        return _Storage(data, kind)


def read(archive: Archive, place: Callable[[str], str]) -> Any:
    """Return what an archive contains.

    Parameters
    ----------
    archive : Archive
        The records.
    place : callable
        Gives the device to which tensors of a device are read, both by name.
    """
    return Reader(_KNOWN, _Storages(archive, place)).read(archive.read("data.pkl"))
