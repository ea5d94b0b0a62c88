"""Parameters and buffers whose shape is not known yet.

They answer calls themselves, to refuse them, and calls look for such tensors as soon as there is a
class of them: so this module is loaded when one is asked for, and not before.
"""

from __future__ import annotations

from typing import Any, Self

from symgrad.functions.creation import CREATION
from symgrad.functions.overriding import DisableTorchFunctionSubclass
from symgrad.nn.parameter import Parameter
from symgrad.tensor.subclassing import converted
from symgrad.tensor.tensor import Tensor

#: What is done to tensors that have no shape yet: conversions, and what no element is needed for.
_ALLOWED = frozenset((
    "__hash__", "size", "copy_", "is_complex", "is_floating_point", "half", "float", "double",
    "char", "short", "int", "long", "cpu", "to", "get_device", "type", "requires_grad_",
))  # fmt: skip


class Uninitialized:
    """What tensors have in common whose shape is not known yet."""

    #: The class of the tensor when it has a shape.
    cls_to_become: type[Tensor] = Tensor

    data: Any
    requires_grad: Any

    def materialize(self, shape: Any, device: Any = None, dtype: Any = None) -> None:
        """Give the tensor a shape; its elements are still to be set.

        Parameters
        ----------
        shape : sequence of int
            The shape.
        device, dtype : optional
            Of the elements; by default those that were given when it was made.

        Examples
        --------
        >>> import symgrad as torch
        >>> w = torch.nn.UninitializedParameter()
        >>> w.materialize((2, 3))
        >>> w.shape, type(w).__name__
        (torch.Size([2, 3]), 'Parameter')
        """
        kind = self.data.dtype if dtype is None else dtype
        self.data = CREATION["empty"](tuple(shape), device=device, dtype=kind)
        self.__class__ = self.cls_to_become  # type: ignore[assignment]

    @property
    def shape(self) -> Any:
        """The shape, which there is not.

        Examples
        --------
        >>> import symgrad as torch
        >>> w = torch.nn.UninitializedParameter()
        >>> try:
        ...     w.shape
        ... except RuntimeError as error:
        ...     print(str(error).partition(".")[0])
        Can't access the shape of an uninitialized parameter or buffer
        """
        raise RuntimeError(
            "Can't access the shape of an uninitialized parameter or buffer. This error usually "
            "happens in `load_state_dict` when trying to load an uninitialized parameter into an "
            "initialized one. Call `forward` to initialize the parameters before accessing their "
            "attributes."
        )

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"

    def __reduce_ex__(self, protocol: Any) -> Any:
        return type(self), (self.requires_grad,)

    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        name = getattr(func, "__name__", "")
        if name in _ALLOWED or type(func).__name__ == "method-wrapper":
            with DisableTorchFunctionSubclass():
                found = func(*args, **(kwargs or {}))
            return found if issubclass(cls, Parameter) else converted(found, cls)
        raise ValueError(
            f"Attempted to use an uninitialized parameter in {func}. This error happens when you "
            "are using a `LazyModule` or explicitly manipulating "
            f"`torch.nn.parameter.{cls.__name__}` objects. When using LazyModules Call `forward` "
            "with a dummy batch to initialize the parameters before calling torch functions"
        )


class UninitializedParameter(Uninitialized, Parameter):
    """A parameter whose shape is not known yet: `materialize` gives it one.

    Parameters
    ----------
    requires_grad : bool
        Whether it requires a gradient.
    device, dtype : optional
        Of the elements.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.UninitializedParameter()
    <UninitializedParameter>
    """

    cls_to_become = Parameter

    def __new__(cls, requires_grad: bool = True, device: Any = None, dtype: Any = None) -> Self:
        made: Self = Tensor._make_subclass(cls, _nothing(device, dtype), requires_grad)
        return made

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        found = memo.get(id(self))
        if found is None:
            found = memo[id(self)] = type(self)(self.requires_grad, dtype=self.data.dtype)
        return found


class UninitializedBuffer(Uninitialized, Tensor):
    """A buffer whose shape is not known yet: `materialize` gives it one.

    Parameters
    ----------
    requires_grad : bool
        Whether it requires a gradient.
    device, dtype : optional
        Of the elements.
    persistent : bool
        Whether it belongs to what is saved of the model.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.UninitializedBuffer()
    <UninitializedBuffer>
    """

    persistent = True
    _is_buffer = True

    def __new__(
        cls, requires_grad: bool = False, device: Any = None, dtype: Any = None,
        persistent: bool = True,
    ) -> Self:  # fmt: skip
        made: Any = Tensor._make_subclass(cls, _nothing(device, dtype), requires_grad)
        made.persistent, made._is_buffer = persistent, True  # also with a shape
        found: Self = made
        return found

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        found = memo.get(id(self))
        if found is None:
            found = memo[id(self)] = type(self)(self.requires_grad, dtype=self.data.dtype)
        return found


def _nothing(device: Any, dtype: Any) -> Any:
    return CREATION["empty"](0, device=device, dtype=dtype)


def is_lazy(param: Any) -> bool:
    """Return whether a tensor has no shape yet.

    Parameters
    ----------
    param : Any
        The tensor.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.parameter.is_lazy(torch.nn.UninitializedParameter())
    True
    """
    return isinstance(param, Uninitialized)
