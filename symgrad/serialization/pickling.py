"""Writing pickles of plain data, of the instructions that PyTorch's reader of them knows."""

from __future__ import annotations

import struct
from collections import OrderedDict
from collections.abc import Callable, Iterable
from pickle import PicklingError
from typing import Any

from symgrad.expr.devices import device
from symgrad.expr.dtypes import dtype
from symgrad.expr.size import Size
from symgrad.serialization.unpickling import KEYS


class Writer:
    """Makes a pickle, of the instructions that PyTorch's reader of plain data knows.

    Parameters
    ----------
    others : callable
        Writes an object that is no plain data, or raises.
    """

    def __init__(self, others: Callable[[Writer, Any], None]) -> None:
        self._others = others
        self._out = bytearray(b"\x80\x02")
        self._memo: dict[Any, int] = {}
        self._kept: list[Any] = []

    def pickled(self, obj: Any) -> bytes:
        """Return the pickle of an object."""
        self.write(obj)
        self._out += b"."
        return bytes(self._out)

    def write(self, x: Any) -> None:
        """Write an object, or where it was written before."""
        kind = type(x)
        known = self._memo.get((kind, x) if kind in (str, bytes) else id(x))
        if known is not None:
            self._out += b"j" + struct.pack("<I", known)
            return
        write = _WRITERS.get(kind)
        if write is None:
            self._others(self, x)
        else:
            write(self, x)

    def remember(self, x: Any) -> None:
        """Let the object that was just written stand for itself where it comes again."""
        self._kept.append(x)  # so that its id is not reused
        key = (type(x), x) if type(x) in (str, bytes) else id(x)
        place = self._memo[key] = len(self._memo)
        self._out += b"r" + struct.pack("<I", place)

    def name(self, path: str) -> None:
        """Write a global."""
        key = ("global", path)
        if key in self._memo:
            self._out += b"j" + struct.pack("<I", self._memo[key])
            return
        module, _, name = path.rpartition(".")
        self._out += f"c{module}\n{name}\n".encode()
        place = self._memo[key] = len(self._memo)
        self._out += b"r" + struct.pack("<I", place)

    def call(self, path: str, *arguments: Callable[[], None]) -> None:
        """Write the call of a global with what the arguments write."""
        self.name(path)
        self.items(arguments)
        self._out += b"R"

    def items(self, items: Iterable[Callable[[], None]]) -> None:
        """Write a tuple of what the items write."""
        self._out += b"("
        for write in items:
            write()
        self._out += b"t"

    def persistent(self, *items: Callable[[], None]) -> None:
        """Write a persistent identifier: a tuple of what the items write."""
        self.items(items)
        self._out += b"Q"

    def _int(self, x: int) -> None:
        if 0 <= x < 256:
            self._out += b"K" + struct.pack("<B", x)
        elif -(2**31) <= x < 2**31:
            self._out += b"J" + struct.pack("<i", x)
        else:
            data = x.to_bytes(x.bit_length() // 8 + 1, "little", signed=True)
            head = struct.pack("<cB", b"\x8a", len(data)) if len(data) < 256 else b""
            self._out += (head or struct.pack("<cI", b"\x8b", len(data))) + data

    def _str(self, x: str) -> None:
        data = x.encode("utf-8", "surrogatepass")
        self._out += b"X" + struct.pack("<I", len(data)) + data
        self.remember(x)

    def _bytes(self, x: bytes) -> None:
        self.call(
            "_codecs.encode", lambda: self.write(x.decode("latin1")), lambda: self.write("latin1")
        )
        self.remember(x)

    def _list(self, x: list[Any]) -> None:
        self._out += b"]"
        self.remember(x)
        self._out += b"("
        for item in x:
            self.write(item)
        self._out += b"e"

    def _tuple(self, x: tuple[Any, ...]) -> None:
        self.items([lambda item=item: self.write(item) for item in x])  # type: ignore[misc]
        if id(x) not in self._memo:
            self.remember(x)

    def _entries(self, x: dict[Any, Any]) -> None:
        self._out += b"("
        for key, value in x.items():
            _check_written_key(key)
            self.write(key)
            self.write(value)
        self._out += b"u"

    def _dict(self, x: dict[Any, Any]) -> None:
        self._out += b"}"
        self.remember(x)
        self._entries(x)

    def _ordered(self, x: OrderedDict[Any, Any]) -> None:
        attributes = vars(x)
        if not attributes.keys() <= {"_metadata"}:
            raise refusal(x, f", with the attributes {', '.join(attributes)}")
        self.call("collections.OrderedDict")
        self.remember(x)
        self._entries(x)
        if attributes:
            self._dict(dict(attributes))
            self._out += b"b"

    def _set(self, x: set[Any]) -> None:
        for item in x:
            _check_written_key(item)
        self.call("__builtin__.set", lambda: self._list(list(x)))
        self.remember(x)

    def _complex(self, x: complex) -> None:
        self.call("__builtin__.complex", lambda: self.write(x.real), lambda: self.write(x.imag))

    def _size(self, x: Size) -> None:
        self.call("torch.Size", lambda: self._tuple(tuple(x)))
        self.remember(x)

    def _device(self, x: device) -> None:
        parts = (x.type,) if x.index is None else (x.type, x.index)
        self.call("torch.device", *[lambda part=part: self.write(part) for part in parts])

    def _constant(self, x: bool | None) -> None:
        self._out += b"N" if x is None else b"\x88" if x else b"\x89"

    def _float(self, x: float) -> None:
        self._out += b"G" + struct.pack(">d", x)

    def _dtype(self, x: dtype) -> None:
        self.name(f"torch.{x.name}")


def refusal(x: Any, more: str = "") -> Exception:
    """Return the error for what is not written."""
    kind = type(x)
    return PicklingError(
        f"cannot save a {kind.__module__}.{kind.__qualname__}{more}: files hold tensors, numbers, "
        "strings, dtypes, sizes and devices, in lists, tuples, dicts, sets and OrderedDicts. "
        "Of a module or an optimizer save its state_dict()"
    )


def _check_written_key(key: Any) -> None:
    for x in key if type(key) is tuple else (key,):
        if type(x) not in KEYS:
            raise refusal(x, " as a key of a dict or an element of a set")


_WRITERS: dict[type, Callable[[Writer, Any], None]] = {
    type(None): Writer._constant,
    bool: Writer._constant,
    int: Writer._int,
    float: Writer._float,
    complex: Writer._complex,
    str: Writer._str,
    bytes: Writer._bytes,
    list: Writer._list,
    tuple: Writer._tuple,
    dict: Writer._dict,
    OrderedDict: Writer._ordered,
    set: Writer._set,
    dtype: Writer._dtype,
    Size: Writer._size,
    device: Writer._device,
}
