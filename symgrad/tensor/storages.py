"""The memory that tensors share, as an object: its address, its size and its bytes, for reading.

Nothing is written through it: a record could not know of that.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from symgrad.expr.devices import device
from symgrad.schema.kinds import type_name
from symgrad.support.memory import owner_of, storage_of


class UntypedStorage:
    """The bytes of the memory that a tensor shows a part of, as `Tensor.untyped_storage` returns it.

    Two are equal where they are the same memory. It is the memory of the time when it was asked for:
    a tensor that is given more by `resize_`, or other memory by `set_`, shows another.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.zeros(4)
    >>> x[1:].untyped_storage() == x.untyped_storage(), len(x[1:].untyped_storage())
    (True, 16)
    """

    __slots__ = ("_bytes", "_owner")

    def __init__(self, data: np.ndarray[Any, Any]) -> None:
        self._bytes, self._owner = storage_of(data), owner_of(data)

    def data_ptr(self) -> int:
        """Return the address of the first byte.

        Examples
        --------
        >>> import symgrad as torch
        >>> x = torch.zeros(4)
        >>> x[1:].untyped_storage().data_ptr() == x.data_ptr()
        True
        """
        return int(self._bytes.__array_interface__["data"][0])

    def nbytes(self) -> int:
        """Return the number of bytes.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.zeros(1).expand(5).untyped_storage().nbytes()
        4
        """
        return self._bytes.size

    def size(self) -> int:
        """Return the number of bytes.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.zeros(2, 3).t().untyped_storage().size()
        24
        """
        return self._bytes.size

    def element_size(self) -> int:
        """Return 1: what is counted is bytes.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.zeros(2).untyped_storage().element_size()
        1
        """
        return 1

    @property
    def device(self) -> device:
        """The CPU.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.zeros(2).untyped_storage().device
        device(type='cpu')
        """
        return device("cpu")

    def tolist(self) -> list[int]:
        """Return the bytes as numbers.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.tensor([True, False]).untyped_storage().tolist()
        [1, 0]
        """
        found: list[int] = self._bytes.tolist()
        return found

    def __len__(self) -> int:
        return self._bytes.size

    def __getitem__(self, index: int) -> int:
        try:
            place = operator.index(index)
        except TypeError:
            raise TypeError(f"can't index a torch.UntypedStorage with {type_name(index)}") from None
        count = len(self)
        if not -count <= place < count:
            raise IndexError(f"index {place} out of range for storage of size {count}")
        return int(self._bytes[place])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, UntypedStorage) and other._owner is self._owner

    def __hash__(self) -> int:
        return id(self._owner)

    def __repr__(self) -> str:
        shown = "".join([f" {byte}\n" for byte in self.tolist()])
        return f"{shown}[torch.storage.UntypedStorage(device=cpu) of size {len(self)}]"
