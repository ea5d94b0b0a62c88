"""The memory that tensors share, as an object: address, size, bytes or elements, for reading.

Nothing is written through it: a record could not know of that.
"""

from __future__ import annotations

import operator
from typing import Any, ClassVar

import numpy as np

from symgrad.expr.devices import device
from symgrad.expr.dtypes import dtype
from symgrad.schema.kinds import type_name
from symgrad.support.memory import owner_of, storage_of


class _Storage:
    """What storages have in common: the memory, whose units are bytes or elements."""

    __slots__ = ("_owner", "_units")
    #: What PyTorch raises for an index that is no integer.
    _BAD_INDEX: ClassVar[type[Exception]] = TypeError
    _units: np.ndarray[Any, Any]
    _owner: Any

    def data_ptr(self) -> int:
        """Return the address of the first byte.

        Examples
        --------
        >>> import symgrad as torch
        >>> x = torch.zeros(4)
        >>> x[1:].storage().data_ptr() == x.untyped_storage().data_ptr() == x.data_ptr()
        True
        """
        return int(self._units.__array_interface__["data"][0])

    def nbytes(self) -> int:
        """Return the number of bytes.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.zeros(1).expand(5).storage().nbytes()
        4
        """
        return self._units.nbytes

    def size(self) -> int:
        """Return how many bytes an untyped storage has, and how many elements another.

        Examples
        --------
        >>> import symgrad as torch
        >>> x = torch.zeros(2, 3)
        >>> x.t().untyped_storage().size(), x.t().storage().size()
        (24, 6)
        """
        return self._units.size

    def element_size(self) -> int:
        """Return how many bytes there are to an element: of an untyped storage 1.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.zeros(2).untyped_storage().element_size(), torch.zeros(2).storage().element_size()
        (1, 4)
        """
        return self._units.itemsize

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

    def tolist(self) -> list[Any]:
        """Return the bytes, or the elements, as numbers.

        Examples
        --------
        >>> import symgrad as torch
        >>> x = torch.tensor([True, False])
        >>> x.untyped_storage().tolist(), x.storage().tolist()
        ([1, 0], [True, False])
        """
        found: list[Any] = self._units.tolist()
        return found

    def __len__(self) -> int:
        return self._units.size

    def __getitem__(self, index: int) -> Any:
        try:
            place = operator.index(index)
        except TypeError:
            text = f"can't index a torch.{type(self).__name__} with {type_name(index)}"
            raise self._BAD_INDEX(text) from None
        count = len(self)
        if not -count <= place < count:
            raise IndexError(f"index {place} out of range for storage of size {count}")
        return self._units[place].item()

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other._owner is self._owner

    def __hash__(self) -> int:
        return id(self._owner)

    def __repr__(self) -> str:
        shown = "".join([f" {unit}\n" for unit in self.tolist()])
        return f"{shown}[torch.storage.{self._title()} of size {len(self)}]"

    def _title(self) -> str:
        raise NotImplementedError


class UntypedStorage(_Storage):
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

    __slots__ = ()

    def __init__(self, data: np.ndarray[Any, Any]) -> None:
        self._units, self._owner = storage_of(data), owner_of(data)

    def _title(self) -> str:
        return "UntypedStorage(device=cpu)"


class TypedStorage(_Storage):
    """The elements of the memory that a tensor shows a part of, as `Tensor.storage` returns it.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.tensor([[1.0, 2.0], [3.0, 4.0]])[1].storage()
     1.0
     2.0
     3.0
     4.0
    [torch.storage.TypedStorage(dtype=torch.float32, device=cpu) of size 4]
    """

    __slots__ = ("dtype",)
    _BAD_INDEX = RuntimeError

    def __init__(self, data: np.ndarray[Any, Any], kind: dtype) -> None:
        self._units, self._owner = storage_of(data).view(data.dtype), owner_of(data)
        self.dtype = kind

    def untyped(self) -> UntypedStorage:
        """Return the bytes of the same memory.

        Examples
        --------
        >>> import symgrad as torch
        >>> x = torch.zeros(4)
        >>> x.storage().untyped() == x.untyped_storage()
        True
        """
        return UntypedStorage(self._units)

    def _title(self) -> str:
        return f"TypedStorage(dtype={self.dtype}, device=cpu)"
