"""Tensors as they are written: views of storages, each of which is written once."""

from __future__ import annotations

from typing import Any

import numpy as np

from symgrad.expr.dtypes import dtype
from symgrad.nn.parameter import Buffer, Parameter
from symgrad.record.record import Recorded
from symgrad.serialization.archive import archive_of
from symgrad.serialization.pickling import Writer, refusal
from symgrad.serialization.reading import storage_name
from symgrad.tensor.copying import attributes_of, memory_of, place_of
from symgrad.tensor.tensor import Tensor

Array = np.ndarray[Any, Any]


def _shown(data: Array) -> tuple[Array, int, list[int]]:
    """Return the memory of an array, and its offset and strides there in elements.

    Where a view of another kind has none, as one that runs backwards, that of a copy is returned.
    """
    memory = memory_of(data)
    size = data.itemsize
    offset, _, strides, _ = place_of(data, memory)
    bytes_of = memory.ravel(order="K").view(np.uint8) if memory.size else memory
    fits = memory is not data or data.flags.c_contiguous or data.flags.f_contiguous
    whole = not any(n % size for n in (offset, memory.nbytes, *strides))
    if not memory.size or not fits or not whole or min(strides, default=0) < 0:
        copied = np.array(data, order="C")
        steps = [n // size for n in copied.strides]
        return copied.reshape(-1), 0, steps
    return bytes_of.view(data.dtype), offset // size, [n // size for n in strides]


class _Tensors:
    """Writes tensors, and keeps the memory of their storages."""

    def __init__(self) -> None:
        self.storages: list[Array] = []
        self._known: dict[tuple[int, int], tuple[int, dtype]] = {}

    def __call__(self, writer: Writer, x: Any) -> None:
        if not isinstance(x, Recorded) or not isinstance(x._data, np.ndarray):
            raise refusal(x)
        given = attributes_of(x).keys() - {"_name"}
        if isinstance(x, Buffer):
            given -= {"persistent", "_is_buffer"}
        if type(x) not in (Tensor, Parameter) or given:
            raise refusal(x, f", with the attributes {', '.join(given)}" if given else "")
        if type(x) is Parameter:
            hooks = self._no_hooks(writer)
            parts = (lambda: self._write(writer, x, False), lambda: writer.write(x._rg), hooks)
            writer.call("torch._utils._rebuild_parameter", *parts)
        else:
            self._write(writer, x, x._rg)
        writer.remember(x)

    def _no_hooks(self, writer: Writer) -> Any:
        return lambda: writer.call("collections.OrderedDict")

    def _write(self, writer: Writer, x: Any, requires_grad: bool) -> None:
        memory, offset, strides = _shown(x._data)
        writer.call(
            "torch._utils._rebuild_tensor_v2",
            lambda: self._write_storage(writer, memory, x.dtype),
            lambda: writer.write(offset),
            lambda: writer.write(tuple(x._data.shape)),
            lambda: writer.write(tuple(strides)),
            lambda: writer.write(requires_grad),
            self._no_hooks(writer),
        )

    def _write_storage(self, writer: Writer, memory: Array, kind: dtype) -> None:
        where = (memory.__array_interface__["data"][0], memory.nbytes)
        known = self._known.get(where) if memory.size else None
        if known is None:
            known = len(self.storages), kind
            self.storages.append(memory)
            if memory.size:
                self._known[where] = known
        number, before = known
        if before is not kind:
            raise RuntimeError(
                "Cannot save multiple tensors or storages that view the same data as different "
                "types"
            )
        writer.persistent(
            lambda: writer.write("storage"),
            lambda: writer.name(storage_name(kind)),
            lambda: writer.write(str(number)),
            lambda: writer.write("cpu"),
            lambda: writer.write(memory.size),
        )


def written(obj: Any) -> bytes:
    """Return the file of an object."""
    tensors = _Tensors()
    pickled = Writer(tensors).pickled(obj)
    return archive_of(pickled, [x.view(np.uint8) for x in tensors.storages])
