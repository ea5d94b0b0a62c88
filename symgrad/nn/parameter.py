"""Tensors that a model owns: parameters, which require gradients, and buffers, which do not."""

from __future__ import annotations

import importlib
from typing import Any, Self

import numpy as np

from symgrad.expr.dtypes import default_dtype
from symgrad.expr.node import ArrayExpr, refusal_of
from symgrad.record.record import Recorded, wrap
from symgrad.schema.arguments import check_flag
from symgrad.schema.dispatch import takes_no_part
from symgrad.tensor.subclassing import TensorType
from symgrad.tensor.tensor import Tensor

__all__ = ["Buffer", "Parameter"]

#: What is loaded when it is asked for.
_LATER = frozenset({"UninitializedBuffer", "UninitializedParameter", "is_lazy"})


def _no_tensor(data: Any) -> Exception:
    """Return PyTorch's error for what is to be a parameter, and is no tensor."""
    name = type(data).__name__
    if isinstance(data, type):
        return TypeError(f"{name} is a type, and no tensor")
    if isinstance(data, ArrayExpr):
        return refusal_of(data)("a parameter is a tensor, and no symbolic array")
    return AttributeError(f"'{name}' object has no attribute 'detach'")


class _ParameterType(TensorType):
    """Makes tensors of other subclasses that were made parameters instances of `Parameter`."""

    def __instancecheck__(cls, instance: object) -> bool:
        if super().__instancecheck__(instance):
            return True
        return cls is Parameter and isinstance(instance, Tensor) and instance._is_param


class Parameter(Tensor, metaclass=_ParameterType):
    """A tensor that a model owns and that requires a gradient.

    Results of operations are ordinary tensors. A parameter made of an instance of another subclass
    of `Tensor` keeps that class, and is an instance of `Parameter` all the same.

    Parameters
    ----------
    data : Tensor, optional
        Whose memory it has, without its history; no elements where not given.
    requires_grad : bool
        Whether it requires a gradient.

    Examples
    --------
    >>> import symgrad as torch
    >>> w = torch.nn.Parameter(torch.tensor([1.0, 2.0]))
    >>> w
    Parameter containing:
    tensor([1., 2.], requires_grad=True)
    >>> w * 2
    tensor([2., 4.], grad_fn=<MulBackward0>)
    """

    _is_param = True
    __torch_function__ = takes_no_part

    def __new__(cls, data: Any = None, requires_grad: bool = True) -> Self:
        if data is None:
            data = wrap(np.empty(0, default_dtype().numpy))
        check_flag("_make_subclass", "require_grad", requires_grad, 3)
        if not hasattr(data, "detach") or isinstance(data, ArrayExpr):
            raise _no_tensor(data)
        if type(data) in (Tensor, Parameter):
            made: Self = Tensor._make_subclass(cls, data, requires_grad)
            return made
        made = data.detach().requires_grad_(requires_grad)
        if type(made) is not type(data):
            raise RuntimeError(
                f"Creating a Parameter from an instance of type {type(data).__name__} requires "
                "that detach() returns an instance of the same type, but return type "
                f"{type(made).__name__} was found instead. To use the type as a Parameter, please "
                "correct the detach() semantics defined by its __torch_function__() implementation."
            )
        made._is_param = True
        return made

    @classmethod
    def _title(cls) -> str:
        return "tensor" if cls is Parameter else cls.__name__

    def __repr__(self) -> str:
        return f"Parameter containing:\n{super().__repr__()}"

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        found = memo.get(id(self))
        if found is None:
            found = memo[id(self)] = type(self)(self.data.clone(), self.requires_grad)
        return found


class _BufferType(TensorType):
    """Makes those tensors instances of `Buffer` that calling it has returned."""

    def __instancecheck__(cls, instance: object) -> bool:
        if super().__instancecheck__(instance):
            return True
        return isinstance(instance, Tensor) and instance._is_buffer


class Buffer(Tensor, metaclass=_BufferType):
    """A tensor that belongs to the state of a model, but is no parameter.

    Calling it returns an ordinary tensor around the same memory that is an instance of `Buffer`.

    Parameters
    ----------
    data : Tensor, optional
        Whose memory it has, without its history; no elements where not given.
    persistent : bool
        Whether it belongs to what is saved of the model.

    Examples
    --------
    >>> import symgrad as torch
    >>> mean = torch.nn.Buffer(torch.zeros(2))
    >>> mean
    tensor([0., 0.])
    >>> isinstance(mean, torch.nn.Buffer), mean.persistent
    (True, True)
    """

    __torch_function__ = takes_no_part

    def __new__(cls, data: Any = None, *, persistent: bool = True) -> Any:
        if data is None:
            data = wrap(np.empty(0, default_dtype().numpy))
        if not isinstance(data, Recorded):
            raise _no_tensor(data)
        given: Any = data
        made = given.detach().requires_grad_(given.requires_grad)
        made.persistent = persistent
        made._is_buffer = True
        return made


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module("symgrad.nn.uninitialized"), name)
