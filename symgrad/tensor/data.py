"""The elements of a tensor as others see them: NumPy, Python's numbers, lists and containers.

How a tensor is printed stands in `symgrad.tensor.tensor`.
"""

from __future__ import annotations

import operator
import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from symgrad.expr.dtypes import Category
from symgrad.expr.node import ArrayExpr, refusal_of
from symgrad.ops.slicing import unbound
from symgrad.record.function_node import counts_as_constant
from symgrad.record.graph_cuts import cut_by
from symgrad.record.modes import state
from symgrad.record.record import Recorded, wrap
from symgrad.schema.kinds import type_name
from symgrad.support.memory import opened, shows_writable
from symgrad.support.untraceable import UntraceableValue, note_elements
from symgrad.tensor import numpy_interop
from symgrad.tensor.dlpack import DLDeviceType, exported
from symgrad.tensor.in_place import exchanged, leave, new_identity, set_item
from symgrad.tensor.parts import MemberGroup

if TYPE_CHECKING:
    from symgrad.tensor.tensor import Tensor

_NUMPY_OF_GRAD = (
    "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead."
)

_DATA_CUT = (
    ".data{at}, which",
    "If it is meant to have a gradient, use the tensor itself in place of its .data.",
)


class DataMembers(MemberGroup):
    """The elements of a tensor, and Python's protocols that give them."""

    @property
    def data(self) -> Tensor:
        """The same memory without history or version; a tensor may be assigned.

        Raises
        ------
        TypeError, RuntimeError
            On assignment of what is no tensor, or of integers where a gradient is required.

        Examples
        --------
        >>> import symgrad as torch
        >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
        >>> x.data.add_(10.0)
        tensor([11., 12.])
        >>> x
        tensor([11., 12.], requires_grad=True)
        """
        if state.state.batching is not None:
            state.state.batching.refuse(
                "accessing `data` under vmap transform is not allowed", self
            )
        note_elements(self)
        self._storage().expose()
        out: Tensor = wrap(self._data, self._aval)
        out._cut = cut_by("data", self, _DATA_CUT) if self._rg else self._cut
        return out

    @data.setter
    def data(self, value: Tensor) -> None:
        if not isinstance(value, Recorded):
            raise refusal_of(value)(f"Variable data has to be a tensor, but got {type_name(value)}")
        if self._rg and not value._aval.dtype.differentiable:
            raise RuntimeError(
                "data set to a tensor that requires gradients must be floating point or complex "
                "dtype"
            )
        if state.state.batching is not None:
            state.state.batching.refuse(
                "mutating directly with `.data` under vmap transform is not allowed.", self, value
            )
        if self._base is not None or self._views:
            leave(self)
        same, result = value._aval is self._aval, self._node()
        self._storage().write()
        for x in (self, value):  # both share memory now, and each counts changes by itself
            x._storage().expose()
        if self._rg and result is not None and not same:
            exchanged(self, value)
        self._data = value._data
        self._aval = value._aval
        if not self._rg or (result is None and not same):
            new_identity(self)

    @data.deleter
    def data(self) -> None:
        raise RuntimeError("Deleting tensor data is not allowed. Delete tensor instead!")

    def item(self) -> bool | int | float:
        """Return the one element as a Python number.

        Raises
        ------
        RuntimeError
            If there is not exactly one element.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.tensor([2.5]).item()
        2.5
        """
        note_elements(self)
        try:
            found: bool | int | float = self._data.item()  # refused inside `vmap`
            return found
        except ValueError:
            raise RuntimeError(
                f"a Tensor with {self._aval.size} elements cannot be converted to Scalar"
            ) from None

    def tolist(self) -> Any:
        """Return the elements as nested lists of Python numbers, a number for a 0-d tensor.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.tensor([[1.0, 2.0], [3.0, 4.0]]).tolist()
        [[1.0, 2.0], [3.0, 4.0]]
        >>> torch.tensor(5).tolist()
        5
        """
        note_elements(self)
        return self._data.tolist()

    def numpy(self, *, force: bool = False) -> np.ndarray[Any, Any]:
        """Return an array that shares the memory.

        Parameters
        ----------
        force : bool
            Return the array although a gradient is required: the array has no part in the graph.

        Raises
        ------
        RuntimeError
            If a gradient is required.

        Examples
        --------
        >>> import symgrad as torch
        >>> x = torch.zeros(2)
        >>> x.numpy()[0] = 7
        >>> x
        tensor([7., 0.])
        """
        if self._rg and not force and state.state.enabled and not counts_as_constant(self):
            raise RuntimeError(_NUMPY_OF_GRAD)
        data = self._data
        note_elements(self)
        self._storage().expose()
        if not data.flags.writeable and shows_writable(data):
            return opened(data)
        shown: np.ndarray[Any, Any] = data.view()
        return shown

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        data = self.numpy()
        if dtype is not None and np.dtype(dtype) != data.dtype:
            if copy is False:
                raise ValueError("Unable to avoid copy while creating an array as requested.")
            return data.astype(dtype)
        return data.copy() if copy else data

    def __dlpack__(
        self,
        *,
        stream: Any = -1,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        return exported(self, stream, max_version, dl_device, copy)

    def __dlpack_device__(self) -> tuple[DLDeviceType, int]:
        return DLDeviceType.kDLCPU, 0

    __array_ufunc__ = numpy_interop.array_ufunc
    __array_function__ = numpy_interop.array_function

    def __len__(self) -> int:
        if not self._aval.shape:
            raise TypeError("len() of a 0-d tensor")
        return self._aval.shape[0]

    def __iter__(self) -> Iterator[Tensor]:
        if not self._aval.shape:
            raise TypeError("iteration over a 0-d tensor")
        return iter(unbound(self, 0))

    def __reversed__(self) -> Any:
        return self.flip(0) if self._aval.shape else self

    def __contains__(self, element: Any) -> bool:
        if isinstance(element, ArrayExpr):
            raise UntraceableValue(
                "whether a tensor has a symbolic array among its elements is not known"
            )
        if not isinstance(element, (Recorded, bool, int, float, complex, np.number, np.bool_)):
            raise RuntimeError(
                "Tensor.__contains__ only supports Tensor or scalar, but you passed in a "
                f"{type(element)}."
            )
        note_elements(self)
        if not isinstance(element, Recorded):
            return bool((self._data == element).any())
        tensor: Any = element
        return bool(tensor.eq(self)._data.any())

    __setitem__ = set_item

    def __delitem__(self, index: object) -> None:
        raise TypeError("Tensor does not support deleting items")

    def _single(self) -> Any:
        if self._aval.size != 1:
            raise ValueError("only one element tensors can be converted to Python scalars")
        note_elements(self)
        return self._data.item()

    def __bool__(self) -> bool:
        note_elements(self)
        if self._aval.size != 1 and isinstance(self._data, np.ndarray):
            kind = "more than one value" if self._aval.size else "no values"
            raise RuntimeError(f"Boolean value of Tensor with {kind} is ambiguous")
        return bool(self._data)

    def __float__(self) -> float:
        value = self._single()
        if self._rg:
            warnings.warn(
                "Converting a tensor with requires_grad=True to a scalar may lead to unexpected "
                "behavior.\nConsider using tensor.detach() first.",
                UserWarning,
                stacklevel=2,
            )
        return float(_real(value, "double"))

    def __int__(self) -> int:
        return int(_real(self._single(), "int64_t"))

    def __complex__(self) -> complex:
        return complex(self._single())

    def __index__(self) -> int:
        if self._aval.size != 1 or self._aval.dtype.category >= Category.FLOAT:
            raise TypeError("only integer tensors of a single element can be converted to an index")
        return operator.index(self._single())


def _real(value: Any, kind: str) -> Any:
    if isinstance(value, complex):
        if value.imag:
            raise RuntimeError(f"value cannot be converted to type {kind} without overflow")
        return value.real
    return value
