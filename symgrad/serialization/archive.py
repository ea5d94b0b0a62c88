"""The zip archives of PyTorch's files: their records, which are stored as they are."""

from __future__ import annotations

import io
import struct
import sys
import zipfile
import zlib
from typing import Any, Literal

#: What a file may go wrong by that is no archive, or is cut off or altered.
_BROKEN = (
    zipfile.BadZipFile, zlib.error, struct.error, EOFError, IndexError, KeyError, MemoryError,
    NotImplementedError, OSError, OverflowError, RuntimeError, TypeError, ValueError,
)  # fmt: skip

#: The multiple of bytes at which the data of a record begins.
_ALIGNED = 64

#: How many bytes the header of a record has beside its name.
_HEADER = 30

#: The version of the format.
_VERSION = b"3\n"


class Archive:
    """The records of a file. No record is unpacked, and none is larger than the file.

    Parameters
    ----------
    file : file object
        What is read, from its start.

    Raises
    ------
    RuntimeError
        If the file is no such archive.
    """

    def __init__(self, file: Any) -> None:
        try:
            length = file.seek(0, io.SEEK_END)
            length = file.tell() if length is None else length
            file.seek(0)
            self._zip = zipfile.ZipFile(file)
            members = self._zip.infolist()
        except _BROKEN as error:
            raise RuntimeError(
                f"the file is no zip archive, or only a part of one: {error}"
            ) from None
        self._members: dict[str, zipfile.ZipInfo] = {}
        whole = 0
        for x in members:
            if x.compress_type != zipfile.ZIP_STORED or x.flag_bits & 1:
                raise RuntimeError(f"the record {x.filename!r} is compressed or encrypted")
            whole += x.file_size
            if x.file_size != x.compress_size or whole > length:
                raise RuntimeError(f"the record {x.filename!r} is larger than the file")
            # All records are in one folder, whose name says nothing.
            name = x.filename.partition("/")[2]
            if name in self._members:
                raise RuntimeError(f"there are two records {name!r}")
            self._members[name] = x
        if not self.read("version").strip().isdigit():
            raise RuntimeError("the record 'version' is no number")
        order = self.read("byteorder") if "byteorder" in self._members else b"little"
        if order not in (b"little", b"big"):
            raise ValueError(f"Unknown endianness type: {order!r}")
        self.byte_order: Literal["<", ">"] = ">" if order == b"big" else "<"

    def size(self, name: str) -> int:
        """Return how many bytes a record has."""
        member = self._members.get(name)
        if member is None:
            raise RuntimeError(f"the file has no record {name!r}")
        return member.file_size

    def read(self, name: str) -> bytes:
        """Return the bytes of a record."""
        size = self.size(name)
        try:
            found = self._zip.read(self._members[name])
        except _BROKEN as error:
            raise RuntimeError(f"the record {name!r} is damaged: {error}") from None
        if len(found) != size:
            raise RuntimeError(f"the record {name!r} is cut off")
        return found


def archive_of(pickled: bytes, storages: list[Any]) -> bytes:
    """Return an archive of a pickle and the memory of its storages, each an array of bytes."""
    records: dict[str, Any] = {"data.pkl": pickled, "byteorder": sys.byteorder.encode()}
    records.update({f"data/{i}": data for i, data in enumerate(storages)})
    records["version"] = _VERSION
    out = io.BytesIO()
    made = zipfile.ZipFile(out, "w")
    for name, data in records.items():
        made.writestr(_aligned(f"archive/{name}", out.tell()), memoryview(data))
    made.close()
    return out.getvalue()


def _aligned(name: str, start: int) -> zipfile.ZipInfo:
    """Return a header after which data begin at a multiple of bytes, as programs map them."""
    info = zipfile.ZipInfo(name)  # of 1980: the same contents give the same file
    header = start + _HEADER + len(name)
    filling = -(header + 4) % _ALIGNED
    info.extra = b"FB" + struct.pack("<H", filling) + b"Z" * filling
    return info
