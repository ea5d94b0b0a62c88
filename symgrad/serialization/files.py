"""`save` and `load`: paths and file objects, and what their arguments may be."""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from pickle import UnpicklingError
from typing import Any

from symgrad.expr.devices import device
from symgrad.serialization.archive import Archive
from symgrad.serialization.reading import read
from symgrad.serialization.writing import written
from symgrad.support.refusals import warn

#: How a zip archive begins.
_ZIP = b"PK\x03\x04"


def save(obj: Any, f: Any) -> None:
    """Write tensors, and plain data with them, to a file that `load` and ``torch.load`` read.

    Tensors that share memory share it again when they are read. Of a view the whole memory is
    written: save a `clone` of a small part. Where something cannot be saved, no file is touched.

    Parameters
    ----------
    obj : object
        Tensors, parameters, numbers, strings, bytes, dtypes, sizes and devices; and lists, tuples,
        sets, dicts and ordered dicts of them, such as the ``state_dict()`` of a module or an
        optimizer.
    f : str, path or file object
        Where it is written.

    Raises
    ------
    PicklingError
        For other objects.
    RuntimeError
        If two tensors show the same memory with different dtypes, or there is no folder for `f`.

    Examples
    --------
    >>> import io
    >>> import symgrad as torch
    >>> file = io.BytesIO()
    >>> torch.save({"w": torch.ones(2), "epoch": 3}, file)
    >>> torch.load(file)
    {'w': tensor([1., 1.]), 'epoch': 3}
    """
    is_path = isinstance(f, (str, os.PathLike))
    if not is_path and not hasattr(f, "write"):
        raise AttributeError(
            "expected 'f' to be string, path, or a file-like object with a 'write' attribute"
        )
    folder = os.path.dirname(f) if is_path else ""
    if folder and not os.path.isdir(folder):
        raise RuntimeError(f"Parent directory {folder} does not exist.")
    data = written(obj)
    if not is_path:
        f.write(data)
        return
    with open(f, "wb") as file:
        file.write(data)


def load(
    f: Any, map_location: Any = None, *, weights_only: bool | None = True, mmap: bool | None = None
) -> Any:
    """Return what a file of `save`, or of ``torch.save``, contains. Nothing in the file is run.

    Parameters
    ----------
    f : str, path or file object
        The file: of PyTorch 1.6 or later, a zip archive.
    map_location : str, device, dict or callable, optional
        The device to which tensors are read, "cpu"; a dict names it for those of each device. A
        function, as ``lambda storage, place: storage``, is not called: tensors are read to the CPU.
    weights_only : bool, optional
        False is no other thing than True, and warns: what is not plain data is never read.
    mmap : bool, optional
        Ignored: the file is read.

    Raises
    ------
    UnpicklingError
        If the file asks for something that is no plain data; the message names it.
    RuntimeError
        If the file is damaged, or tensors are to be read to another device.

    Examples
    --------
    >>> import io
    >>> import symgrad as torch
    >>> net = torch.nn.Linear(2, 1)
    >>> file = io.BytesIO()
    >>> torch.save(net.state_dict(), file)
    >>> torch.nn.Linear(2, 1).load_state_dict(torch.load(file))
    <All keys matched successfully>
    """
    place = _placing(map_location)
    if weights_only is not None and not weights_only:
        warn(
            "load(weights_only=False) reads no more than weights_only=True: objects other than "
            "tensors and plain data would have to be run, and are refused"
        )
    if isinstance(f, (str, os.PathLike)):
        with open(f, "rb") as file:
            return _load(file, place)
    for name in ("read", "seek", "tell"):
        if not hasattr(f, name):
            raise AttributeError(
                f"'{type(f).__name__}' object has no attribute '{name}'. You can only load from a "
                "path, or from a file that is seekable, such as io.BytesIO"
            )
    return _load(f, place)


def _placing(location: Any) -> Callable[[str], str]:
    """Return what gives the device to which tensors of a device are read, both by name."""
    if location is None:
        return lambda where: where
    if isinstance(location, (str, device)):
        return lambda where: str(location)
    if isinstance(location, dict):
        return lambda where: location.get(where, where)
    if not callable(location):
        raise TypeError(f"'{type(location).__name__}' object is not callable")
    return lambda where: "cpu"


def _load(file: Any, place: Callable[[str], str]) -> Any:
    file.seek(0, io.SEEK_SET)
    start = file.read(len(_ZIP))
    if not start:
        raise EOFError("the file is empty")
    if start != _ZIP:
        raise UnpicklingError(
            "the file is no zip archive, as torch.save has written since PyTorch 1.6: the older "
            "format is not read"
        )
    return read(Archive(file), place)
