"""The classes `ArrayExpr` and `Tensor` get what functions give them: here, once for each of them.

Methods, operators and attributes stand in the tables of `symgrad.schema.public`. A tensor has short
recording forms of elementwise operations in the place of methods that only call the function, and
methods in place beside them.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from symgrad.expr.node import ArrayExpr
from symgrad.functions import elementwise
from symgrad.functions.elementwise import BINARY_OPERATORS, UNARY_OPERATORS
from symgrad.ops.primitive import PRIMITIVES, Elementwise
from symgrad.record.record import binary, unary
from symgrad.schema.public import METHODS, install
from symgrad.support.untraceable import UntraceableMember
from symgrad.tensor import numpy_interop
from symgrad.tensor.in_place import install_in_place
from symgrad.tensor.tensor import Tensor, foreign

__all__: list[str] = []

#: What PyTorch computes for two tensors by the reflected name of an operator, if another operation.
_TURNED: dict[str, Callable[[Any, Any], Any]] = {
    "__rsub__": lambda a, b: a.rsub(b),
    "__rtruediv__": lambda a, b: a.reciprocal() * b,
}


def _accelerate() -> None:
    """Exchange the public forms of elementwise operations for their short recording forms."""
    for name, cls in PRIMITIVES.items():
        if not issubclass(cls, Elementwise) or cls.params or cls.arity != 1:
            continue
        Tensor._short[cls] = short = unary(cls)
        # A public function written by hand may do more: conj() of a real tensor is the tensor.
        method = METHODS.get(name)
        if method is not None and method.__module__ == elementwise.__name__:
            short.__doc__ = method.__doc__
            setattr(Tensor, name, short)
    for name, cls in BINARY_OPERATORS.items():
        for special, reflected in ((f"__{name}__", False), (f"__r{name}__", True)):
            operator = binary(cls, reflected, foreign(special), _TURNED.get(special))
            operator.__name__, operator.__qualname__ = special, f"Tensor.{special}"
            setattr(Tensor, special, operator)
    Tensor.__rdiv__ = Tensor.__rtruediv__  # type: ignore[attr-defined]
    for name, cls in UNARY_OPERATORS.items():
        setattr(Tensor, f"__{name}__", Tensor._short[cls])


def _say_what_is_missing() -> None:
    """Let formulas say of what only tensors have that tracing cannot do it."""
    ArrayExpr._tensors = Tensor
    for name in dir(Tensor):
        member = inspect.getattr_static(Tensor, name)
        if isinstance(member, property) and member.fset is not None:
            own = inspect.getattr_static(ArrayExpr, name, None)
            setattr(ArrayExpr, name, _unwritable(name, own))


def _unwritable(name: str, own: property | None) -> property:
    """Return an attribute of tensors that formulas have for reading, or have not."""

    def write(self: ArrayExpr, value: Any) -> None:
        raise UntraceableMember(f"{name!r} of a symbolic array cannot be assigned to")

    if own is not None:
        return own.setter(write)
    return property(lambda self: self.__getattr__(name), write)


install(ArrayExpr)
ArrayExpr.__array_ufunc__ = numpy_interop.formula_of_ufunc
ArrayExpr.__array_function__ = numpy_interop.formula_of_function
_accelerate()
install(Tensor)
install_in_place(Tensor)
_say_what_is_missing()
Tensor.__setitem__.__name__ = "__setitem__"
