"""The old tensor types: `Tensor(2, 3)`, `FloatTensor([1, 2])` and their kin.

They make ordinary tensors; as types they only answer `isinstance`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from symgrad.expr.devices import device, is_cpu
from symgrad.expr.dtypes import DTYPES, default_dtype, dtype
from symgrad.expr.node import refusal_of, stands_for_tensor
from symgrad.expr.shapes import Shape
from symgrad.expr.size import Size
from symgrad.ops.identity import alias
from symgrad.record.record import Recorded, record, shared, wrap
from symgrad.schema.arguments import check_shape
from symgrad.schema.kinds import type_name
from symgrad.schema.public import with_schema
from symgrad.schema.text import Schema
from symgrad.support.refusals import limited
from symgrad.tensor.conversion import array_of
from symgrad.tensor.parts import MemberGroup

_NEW = Schema(
    [
        "new(*, Device? device=None) -> Tensor",
        "new(Storage storage) -> Tensor",
        "new(Tensor other) -> Tensor",
        "new(int[] size, *, Device? device=None) -> Tensor",
        "new(object data, *, Device? device=None) -> Tensor",
    ]
)


@limited("new")
def construct(kind: dtype | None, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Return the tensor that `Tensor(*args)` (for None) or the old type of `kind` makes.

    Raises
    ------
    TypeError
        As PyTorch, for keywords and for data that is no sequence.
    """
    _NEW.check(args, kwargs)
    _check_device(kwargs.get("device"))
    target = default_dtype() if kind is None else kind
    if "size" in kwargs:
        return wrap(np.zeros(_sizes(kwargs["size"]), target.numpy))
    args = args or tuple([x for name, x in kwargs.items() if name != "device"])
    if not args:
        return wrap(np.zeros(0, target.numpy))
    first = args[0]
    if isinstance(first, Size) and len(args) == 1:
        return wrap(np.zeros(tuple(first), target.numpy))
    if isinstance(first, Recorded) and len(args) == 1:
        return _alias(first, kind)
    if len(args) > 1 or (isinstance(first, (int, np.integer)) and not isinstance(first, bool)):
        return wrap(np.zeros(_sizes(*args), target.numpy))
    if isinstance(first, (str, bytes)):
        raise TypeError(f"new(): invalid data type '{type(first).__name__}'")
    if not (isinstance(first, np.ndarray) or _is_sequence(first)):
        raise TypeError(f"new(): data must be a sequence (got {type_name(first)})")
    return wrap(array_of(first, target))


def _check_device(where: Any) -> None:
    if where is None or is_cpu(where):
        return
    kind = device(where).type
    if kind != "cpu":
        raise RuntimeError(
            f"legacy constructor expects device type: cpu but device type: {kind} was passed"
        )


@with_schema("new(int[] size) -> Size")
def _sizes(size: Shape) -> Shape:
    check_shape("new", size)
    return size


def _is_sequence(x: Any) -> bool:
    if isinstance(x, (dict, type)):
        return False
    return hasattr(x, "__getitem__") and hasattr(x, "__len__")


def _alias(x: Any, kind: dtype | None) -> Any:
    """Return a tensor around the memory of another, whose type must be the one asked for."""
    if kind is not None and kind is not x._aval.dtype:
        raise TypeError(f"expected {kind.scalar_name} (got {x._aval.dtype.scalar_name})")
    return record(alias, (x,))


class LegacyMembers(MemberGroup):
    """The old method of tensors that makes others."""

    def new(self, *args: Any, **kwargs: Any) -> Any:
        """Return a tensor of the dtype of this one, as its old type makes it: of data or sizes.

        Parameters
        ----------
        *args
            The lengths of the axes, for zeros; or a sequence or an array, which is copied; or a
            tensor, the memory of which is shared.

        Raises
        ------
        TypeError
            For a tensor of another dtype, and for what is neither of these.

        Examples
        --------
        >>> import symgrad as torch
        >>> x = torch.tensor([1, 2])
        >>> x.new([3.5, 4]), x.new(2, 3).shape
        (tensor([3, 4]), torch.Size([2, 3]))
        """
        return construct(self._aval.dtype, args, kwargs)


class _OldType(type):
    """Makes `isinstance(x, FloatTensor)` ask for the dtype."""

    kind: dtype

    def __instancecheck__(cls, instance: object) -> bool:
        if stands_for_tensor(instance):
            return instance.dtype is cls.kind  # type: ignore[attr-defined]
        return isinstance(instance, Recorded) and instance._aval.dtype is cls.kind

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        return construct(cls.kind, args, kwargs)

    def __repr__(cls) -> str:
        return f"<class 'torch.{cls.__name__}'>"


def _old_type(kind: dtype) -> Any:
    name = f"{kind.scalar_name}Tensor"
    text = f"""The old type of tensors of {kind!r}; calling it makes one of data or sizes.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.{name}([0, 1]).dtype
    {kind!r}
    >>> torch.{name}(2, 3).shape
    torch.Size([2, 3])
    """
    stated = {"kind": kind, "__doc__": text, "dtype": kind, "__module__": "symgrad"}
    return _OldType(name, (), stated)


#: The old types by name.
LEGACY_TYPES: dict[str, Any] = {
    f"{kind.scalar_name}Tensor": _old_type(kind) for kind in DTYPES if not kind.is_complex
}


class _VariableType(type):
    """Makes every tensor an instance of `Variable`, and calling it return the tensor."""

    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, Recorded) or stands_for_tensor(instance)

    def __call__(cls, data: Any = None, requires_grad: bool = False, volatile: Any = None) -> Any:
        if data is None:
            return construct(None, (), {})
        if not isinstance(data, Recorded):
            raise refusal_of(data)(
                f"Variable data has to be a tensor, but got {type(data).__name__}"
            )
        data._storage().expose()
        out = shared(data._data)
        if requires_grad:
            out.requires_grad_()
        return out


class Variable(metaclass=_VariableType):
    """The former wrapper of tensors that take part in differentiation: now just a tensor.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.autograd.Variable(torch.tensor([1.0, 2.0]), requires_grad=True)
    tensor([1., 2.], requires_grad=True)
    """
