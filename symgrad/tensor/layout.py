"""What a tensor says of its elements and how they lie in memory: shape, dtype, strides.

The elements themselves are in `data`; what formulas say as well is in `shape`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

import numpy as np

from symgrad.expr.dtypes import dtype
from symgrad.expr.size import Size, axis_of
from symgrad.record.modes import state
from symgrad.schema.public import with_schema
from symgrad.support.memory import place_in_storage, strides_in_order
from symgrad.tensor.parts import MemberGroup
from symgrad.tensor.storages import TypedStorage, UntypedStorage

if TYPE_CHECKING:
    from symgrad.tensor.tensor import Tensor

#: The options of the schemas of methods that answer questions about elements.
_OF_TENSORS: dict[str, Any] = {"method": True, "formulas": False}


class layout:  # noqa: N801 - PyTorch's name
    """How the elements of a tensor lie in memory: always `strided`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.zeros(2).layout is torch.strided
    True
    """

    def __repr__(self) -> str:
        return "torch.strided"


strided = layout()


class memory_format:  # noqa: N801 - PyTorch's name
    """A wish for the order of elements in memory: accepted, and elements lie in that of the axes.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.zeros_like(torch.ones(2), memory_format=torch.preserve_format)
    tensor([0., 0.])
    >>> torch.channels_last
    torch.channels_last
    """

    _name: str
    _axes: tuple[int, ...]

    def __init__(self) -> None:
        raise TypeError("cannot create 'torch.memory_format' instances")

    @classmethod
    def _named(cls, name: str, *axes: int) -> memory_format:
        """Return a format by its name, and the order of axes that it asks for, if not their own."""
        made = object.__new__(cls)
        made._name, made._axes = name, axes
        return made

    def __repr__(self) -> str:
        return f"torch.{self._name}"

    def __reduce__(self) -> str:
        return self._name


_Format = memory_format
contiguous_format = memory_format._named("contiguous_format")
preserve_format = memory_format._named("preserve_format")
channels_last = memory_format._named("channels_last", 0, 2, 3, 1)
channels_last_3d = memory_format._named("channels_last_3d", 0, 2, 3, 4, 1)


class LayoutMembers(MemberGroup):
    """Shape, element type, device and memory of a tensor."""

    @property
    def shape(self) -> Size:
        """The lengths of the axes.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.zeros(2, 3).shape
        torch.Size([2, 3])
        """
        return tuple.__new__(Size, self._aval.shape)

    @overload
    def size(self, dim: None = None) -> Size: ...
    @overload
    def size(self, dim: int) -> int: ...
    def size(self, dim: int | None = None) -> Size | int:
        """Return the lengths of the axes, or that of axis `dim`.

        Raises
        ------
        IndexError
            If there is no such axis.

        Examples
        --------
        >>> import symgrad as torch
        >>> x = torch.zeros(2, 3)
        >>> x.size()
        torch.Size([2, 3])
        >>> x.size(-1)
        3
        """
        shape = self._aval.shape
        return tuple.__new__(Size, shape) if dim is None else shape[axis_of(dim, len(shape))]

    @property
    def dtype(self) -> dtype:
        """The element type.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.tensor([1, 2]).dtype
        torch.int64
        """
        return self._aval.dtype

    @property
    def layout(self) -> layout:
        """How the elements lie in memory.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.zeros(2).layout
        torch.strided
        """
        return strided

    @property
    def ndim(self) -> int:
        """The number of axes.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.zeros(2, 3).ndim
        2
        """
        return len(self._aval.shape)

    def dim(self) -> int:
        """Return the number of axes.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.zeros(2, 3).dim()
        2
        """
        return len(self._aval.shape)

    @overload
    def stride(self, dim: None = None) -> tuple[int, ...]: ...
    @overload
    def stride(self, dim: int) -> int: ...
    def stride(self, dim: int | None = None) -> Any:
        """Return how many elements apart neighbours along each axis are, or along axis `dim`.

        Examples
        --------
        >>> import symgrad as torch
        >>> x = torch.zeros(2, 3)
        >>> x.stride()
        (3, 1)
        >>> x.t().stride()
        (1, 3)
        >>> x.stride(0)
        3
        """
        strides = _strides(self._data)
        return strides if dim is None else strides[axis_of(dim, len(strides))]

    def storage_offset(self) -> int:
        """Return the position of the first element in the memory that views share.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.arange(6).view(2, 3)[1].storage_offset()
        3
        """
        data: Any = self._data
        # An entry inside `vmap` states the offset.
        stated: int | None = getattr(data, "storage_offset", None)
        return place_in_storage(data) // self._aval.dtype.itemsize if stated is None else stated

    def data_ptr(self) -> int:
        """Return the address of the first element.

        Examples
        --------
        >>> import symgrad as torch
        >>> x = torch.zeros(4)
        >>> x[2:].data_ptr() - x.data_ptr()
        8
        """
        return int(self._data.__array_interface__["data"][0])

    def untyped_storage(self) -> UntypedStorage:
        """Return the memory that views share, as bytes that can be read.

        Raises
        ------
        NotImplementedError
            Inside `vmap`.

        Examples
        --------
        >>> import symgrad as torch
        >>> x = torch.zeros(2, 3)
        >>> x.untyped_storage() == x.t().untyped_storage()
        True
        >>> x.untyped_storage() == x.clone().untyped_storage()
        False
        """
        return UntypedStorage(self._data)

    def storage(self) -> TypedStorage:
        """Return the memory that views share, as elements that can be read.

        PyTorch warns that this will go; `untyped_storage` will stay.

        Raises
        ------
        NotImplementedError
            Inside `vmap`.

        Examples
        --------
        >>> import symgrad as torch
        >>> x = torch.arange(6.0).view(2, 3)
        >>> x[1].storage().data_ptr() == x.storage().data_ptr(), x.t().storage()[1]
        (True, 1.0)
        """
        return TypedStorage(self._data, self._aval.dtype)

    def is_contiguous(self, memory_format: Any = None) -> bool:
        """Return whether the elements lie in order and without gaps.

        Parameters
        ----------
        memory_format : memory_format, optional
            The order: that of the axes by default, or with channels last.

        Examples
        --------
        >>> import symgrad as torch
        >>> x = torch.zeros(2, 3)
        >>> x.is_contiguous(), x.t().is_contiguous()
        (True, False)
        """
        axes = memory_format._axes if type(memory_format) is _Format else ()
        if not axes:
            return bool(self._data.flags.c_contiguous)
        return len(axes) == self._data.ndim and self._data.transpose(axes).flags.c_contiguous

    @with_schema("equal(Tensor self, Tensor other) -> bool", **_OF_TENSORS)
    def equal(self, other: Tensor) -> bool:
        """Return whether another tensor has the same shape and elements.

        Parameters
        ----------
        other : Tensor
            Of any dtype.

        Examples
        --------
        >>> import symgrad as torch
        >>> x = torch.tensor([1.0, 2.0])
        >>> x.equal(x.clone()), x.equal(torch.tensor([1.0, 3.0]))
        (True, False)
        """
        a, b = self, other
        if state.state.batching is not None:
            state.state.batching.refuse(
                "Batching rule not implemented for aten::equal. We could not generate a fallback.",
                a,
                b,
            )
        return a._aval.shape == b._aval.shape and bool((a._data == b._data).all())

    @with_schema("is_nonzero(Tensor self) -> bool", **_OF_TENSORS)
    def is_nonzero(self) -> bool:
        """Return whether the one element is not zero.

        Raises
        ------
        RuntimeError
            If there are several elements, or none.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.tensor([[0.5]]).is_nonzero(), torch.tensor(0).is_nonzero()
        (True, False)
        """
        return bool(self)

    @with_schema("is_set_to(Tensor self, Tensor tensor) -> bool", **_OF_TENSORS)
    def is_set_to(self, tensor: Tensor) -> bool:
        """Return whether another tensor shows the same elements of the same memory.

        Parameters
        ----------
        tensor : Tensor
            The other one.

        Examples
        --------
        >>> import symgrad as torch
        >>> x = torch.zeros(2, 3)
        >>> x.is_set_to(x.detach()), x.is_set_to(x.t()), x.is_set_to(x.clone())
        (True, False, False)
        """
        return (
            self._storage() is tensor._storage()
            and self._aval.shape == tensor._aval.shape
            and self.storage_offset() == tensor.storage_offset()
            and self.stride() == tensor.stride()
        )

    def is_inference(self) -> bool:
        """Return whether the tensor was made in inference mode.

        Examples
        --------
        >>> import symgrad as torch
        >>> with torch.inference_mode():
        ...     x = torch.ones(2)
        >>> x.is_inference(), x.clone().is_inference()
        (True, False)
        """
        return self._aval.inference

    @with_schema("is_pinned(Tensor self, Device? device=None) -> bool", **_OF_TENSORS)
    def is_pinned(self, device: Any = None) -> bool:
        """Return whether the memory is pinned for a GPU: never.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.zeros(2).is_pinned()
        False
        """
        return False

    def is_shared(self) -> bool:
        """Return whether the memory is shared between processes: never.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.zeros(2).is_shared()
        False
        """
        return False

    @property
    def weak(self) -> bool:
        """False: a tensor is no Python number, which never decides a dtype.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.tensor(2.0).weak
        False
        """
        return False


def _strides(data: np.ndarray[Any, Any]) -> tuple[int, ...]:
    # NumPy leaves the strides of axes of length 0 and 1 open; PyTorch's are those of the elements.
    if data.flags.c_contiguous and not {0, 1}.isdisjoint(data.shape):
        return strides_in_order(data.shape)
    return tuple(s // data.itemsize for s in data.strides)
