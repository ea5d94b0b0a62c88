"""Batched tensors: inside `vmap`, a tensor with the shape of one entry stands for all entries.

A batched tensor has a `BatchedValue` in place of an array: the value holds the tensor of all
entries. Access to the elements is an error. `symgrad.autograd.vmap.rules` applies operations to
batched tensors.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any, NoReturn

import numpy as np

from symgrad.autograd.vmap.levels import BatchLevel
from symgrad.record.aval import Aval, aval_of
from symgrad.tensor.tensor import Tensor

_ITEM = (
    "vmap: It looks like you're calling .item() on a Tensor. We don't support vmap over calling "
    ".item() on a Tensor, please try to rewrite what you're doing with other operations. If error "
    "is occurring somewhere inside PyTorch internals, please file a bug report."
)
_TRUTH = (
    "vmap: It looks like you're attempting to use a Tensor in some data-dependent control flow. We "
    "don't support that yet, please file an issue at https://github.com/pytorch/pytorch/issues ."
)
_ELEMENTS = (
    "Cannot access data pointer of Tensor that doesn't have storage\n"
    "Inside vmap a tensor stands for one entry of a batch, whose elements cannot be read: compute "
    "with tensors, or read them before or after."
)
_SHAPE = (
    "vmap: We do not support batching operators that can output dynamic shape. Attempted to vmap "
    "over aten::{}. Please file an issue at https://github.com/pytorch/pytorch/issues if you need "
    "this feature."
)
_ESCAPED = (
    "Either your tensor may have escaped from inside a function being vmapped and this is a user "
    "error (see https://pytorch.org/functorch/stable/ux_limitations.html), or there is an internal "
    "functorch error in `gen_vmap_plumbing` Please file an issue if it looks like the latter"
)


class BatchedValue:
    """The value of a batched tensor, in place of an array.

    Shape, strides and offset are those of one entry. The elements cannot be read.

    Attributes
    ----------
    level : BatchLevel
        The level of the `vmap` that made the batched tensor.
    tensor : Tensor
        The tensor of all entries, which may be batched in turn, at an outer level.
    dim : int
        Which axis of that tensor is mapped over.
    """

    __slots__ = ("dim", "level", "tensor")

    def __init__(self, level: BatchLevel, tensor: Any, dim: int) -> None:
        self.level = level
        self.tensor = tensor
        self.dim = dim

    @property
    def front(self) -> Any:
        """The tensor of all entries with the mapped axis first, a view where that axis moves."""
        self.check_alive()
        return self.tensor if self.dim == 0 else self.tensor.movedim(self.dim, 0)

    def check_alive(self) -> None:
        """Raise PyTorch's error for a tensor that outlived its `vmap`."""
        if not self.level.alive:
            raise RuntimeError(_ESCAPED)

    # ------------------------------------------------------------ attributes of an array

    @property
    def shape(self) -> tuple[int, ...]:
        return self._entry(self.tensor._data.shape)

    @property
    def strides(self) -> tuple[int, ...]:
        data = self.tensor._data
        if data.size:
            return self._entry(data.strides)
        # NumPy's strides of an empty array do not follow from the shape.
        steps, apart = [], self.itemsize
        for n in reversed(self.shape):
            steps.append(apart)
            apart *= max(n, 1)
        return tuple(reversed(steps))

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return int(np.prod(self.shape, dtype=int))

    @property
    def dtype(self) -> Any:
        return self.tensor._data.dtype

    @property
    def itemsize(self) -> int:
        return int(self.dtype.itemsize)

    @property
    def storage_offset(self) -> int:
        return int(self.tensor.storage_offset())

    @property
    def flags(self) -> Any:
        expected = self.itemsize
        dense = True
        for stride, n in zip(reversed(self.strides), reversed(self.shape), strict=True):
            dense = dense and (n == 1 or stride == expected)
            expected *= n
        # A write into one entry is checked as a write into the tensor of all entries.
        return SimpleNamespace(writeable=True, c_contiguous=dense or self.size == 0)

    def _entry(self, lengths: Sequence[int]) -> tuple[int, ...]:
        return (*lengths[: self.dim], *lengths[self.dim + 1 :])

    @property
    def all_values(self) -> Any:
        """The array of all entries, for checks that examine every element."""
        data = self.tensor._data
        return getattr(data, "all_values", data)

    def text(self) -> str:
        """Return PyTorch's text of the tensor."""
        inner = textwrap.indent(repr(self.tensor), "    ")
        return f"BatchedTensor(lvl={self.level.depth}, bdim={self.dim}, value=\n{inner}\n)"

    # ------------------------------------------------------------ refusals

    def refuse_dynamic_shape(self, call: str, refusal: str) -> NoReturn:
        """Raise PyTorch's error for `call`, whose result has a shape that depends on elements."""
        self._refuse(refusal or _SHAPE.format(call))

    @property
    def base(self) -> NoReturn:
        self.check_alive()
        raise NotImplementedError("Cannot access storage of BatchedTensorImpl")

    def __eq__(self, other: object) -> NoReturn:
        self._refuse(_ITEM)

    __hash__ = None  # type: ignore[assignment]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NoReturn:
        self._refuse(_ELEMENTS)

    def __getitem__(self, key: object) -> NoReturn:
        self._refuse(_ELEMENTS)

    def __bool__(self) -> NoReturn:
        self._refuse(_TRUTH)

    def item(self) -> NoReturn:
        self._refuse(_ITEM)

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__") and name != "__array_interface__":
            raise AttributeError(name)
        self._refuse(_ELEMENTS)

    def _refuse(self, message: str) -> NoReturn:
        self.check_alive()
        raise RuntimeError(message)


_new: Callable[[Any], Any] = object.__new__


def batched(level: BatchLevel, tensor: Any, dim: int = 0) -> Any:
    """Return the tensor that stands for each entry of `tensor` along the axis `dim`."""
    shape = tensor._aval.shape
    entry = aval_of((*shape[:dim], *shape[dim + 1 :]), tensor._aval.dtype)
    return batched_tensor(BatchedValue(level, tensor, dim), entry)


def batched_tensor(value: BatchedValue, entry: Aval) -> Any:
    """Return the tensor of a batched value, with the shape and dtype of one entry."""
    out: Any = _new(Tensor)
    out._data = value
    out._aval = entry
    out._vertex = None
    out._rg = False
    return out


def unbatched(x: Any, level: BatchLevel) -> tuple[Any, int | None]:
    """Return the tensor of all entries of `x` at a level, and its mapped axis.

    What is not batched at the level is returned itself, with None.
    """
    data = getattr(x, "_data", None)
    if data.__class__ is not BatchedValue or data.level is not level:
        return x, None
    return data.tensor, data.dim


def all_entries(x: Any, level: BatchLevel) -> Any:
    """Return the tensor of all entries of `x` at a level, the mapped axis first.

    A tensor that is not batched at the level is repeated for each entry. Call it outside of the
    level.
    """
    data = x._data
    if data.__class__ is BatchedValue and data.level is level:
        return data.front
    return x.unsqueeze(0).expand((level.size, *x._aval.shape))


def innermost(values: Sequence[Any]) -> BatchLevel | None:
    """Return the innermost level at which one of `values` is batched; None where none is."""
    found: BatchLevel | None = None
    for x in values:
        data = getattr(x, "_data", None)
        if data.__class__ is BatchedValue and (found is None or data.level.depth > found.depth):
            data.check_alive()
            found = data.level
    return found
