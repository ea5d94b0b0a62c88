"""Subclasses of `Tensor`: their results keep the class, and they may answer calls themselves.

Methods of plain tensors never ask who answers. Between a subclass and `Tensor` stands a class
whose methods do, which `TensorType` puts there; so plain tensors pay nothing for it.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator
from typing import Any, ClassVar

from symgrad.expr.node import stands_for_tensor
from symgrad.schema.dispatch import (
    declared,
    dispatch,
    exempt,
    local,
    overriding,
    refuse_pytorch,
    refused,
    takes_no_part,
)
from symgrad.support.locks import new_lock

#: The functions that PyTorch hands to `__torch_function__` for operators; for others, their own.
_OPERATORS = {
    "__add__": "add", "__radd__": "add", "__sub__": "sub", "__mul__": "mul", "__rmul__": "mul",
    "__truediv__": "div", "__mod__": "remainder", "__pow__": "pow", "__rand__": "bitwise_and",
    "__ror__": "bitwise_or", "__rxor__": "bitwise_xor", "__matmul__": "matmul", "__neg__": "neg",
    "__abs__": "abs", "__pos__": "positive", "__ne__": "ne", "__lt__": "lt", "__le__": "le",
    "__gt__": "gt", "__ge__": "ge", "__iadd__": "add_", "__isub__": "sub_", "__imul__": "mul_",
    "__itruediv__": "div_", "__ifloordiv__": "floor_divide_", "__imod__": "remainder_",
    "__ipow__": "pow_",
}  # fmt: skip

#: Operators, for which Python asks the other operand where nobody answers.
_BINARY = frozenset(
    f"__{prefix}{name}__"
    for prefix in ("", "r", "i")
    for name in (
        "add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor",
        "lshift", "rshift",
    )
) | {"__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__"}  # fmt: skip

#: Members that `__torch_function__` is not asked for: those of every class, those that make
#: tensors, and those that PyTorch does not have.
_NOT_ASKED = frozenset((
    "__class__", "__copy__", "__dict__", "__doc__", "__getattribute__", "__getstate__", "__hash__",
    "__init__", "__init_subclass__", "__iter__", "__module__", "__new__", "__reduce__",
    "__setattr__", "__delattr__", "__sizeof__", "__str__", "__subclasshook__",
    "__symgrad_function__", "__torch_function__", "__weakref__", "as_subclass", "expr", "name",
    "weak",
))  # fmt: skip


#: Private members that `__torch_function__` is asked for.
_ASKED = frozenset(("_is_view", "_version"))

# Two threads may define the first subclass at once.
_making = new_lock()


_is_instance = type.__instancecheck__


class TensorType(type):
    """The class of `Tensor`: it puts the class that asks who answers among a subclass's bases."""

    #: `Tensor` itself, the first class of this type.
    plain: ClassVar[Any] = None

    def __new__(
        mcs, name: str, bases: tuple[type[Any], ...], namespace: dict[str, Any], **options: Any
    ) -> Any:
        if TensorType.plain is None:
            TensorType.plain = plain = super().__new__(mcs, name, bases, namespace, **options)
            exempt(plain)
            return plain
        if _answers(bases, namespace):
            with _making:
                asking = _asking()
            if not any(issubclass(base, asking) for base in bases):
                bases = tuple([asking if base is TensorType.plain else base for base in bases])
                if asking not in bases:  # where `Tensor` is only a base of a base
                    bases = (*bases, asking)
        return super().__new__(mcs, name, bases, namespace, **options)

    def __instancecheck__(cls, instance: object) -> bool:
        # In a trace a formula counts as a tensor: the branch that is traced is the one that runs.
        return _is_instance(cls, instance) or (
            cls is TensorType.plain and stands_for_tensor(instance)
        )

    def __repr__(cls) -> str:
        # Messages show this text, with PyTorch's name of the module.
        return super().__repr__().replace("<class 'symgrad.", "<class 'torch.", 1)


def _answers(bases: tuple[type[Any], ...], namespace: dict[str, Any]) -> bool:
    for own in (namespace, *[vars(c) for base in bases for c in base.__mro__]):
        for name in ("__symgrad_function__", "__torch_function__"):
            if name in own:
                return own[name] is not takes_no_part
    return False


@functools.cache
def _asking() -> type[Any]:
    """Make the class between `Tensor` and its subclasses, whose methods and properties ask."""
    declared.append(True)
    cls = TensorType.plain
    namespace: dict[str, Any] = {
        "__module__": cls.__module__, "__qualname__": cls.__qualname__, "__doc__": cls.__doc__,
        "__hash__": cls.__hash__, "__iter__": _iterated,
    }  # fmt: skip
    for base in reversed(cls.__mro__):
        for name, value in vars(base).items():
            private = name.startswith("_") and not name.startswith("__")
            if name in _NOT_ASKED or (private and name not in _ASKED):
                continue
            found = vars(cls).get(name, value)
            if isinstance(found, property):
                namespace[name] = _asking_property(cls, name, found)
            elif inspect.isroutine(found):
                namespace[name] = _asking_method(cls, name, found)
    for name in _BINARY & namespace.keys():
        forward = f"__{name[3:]}"
        if name.startswith("__r") and forward in _BINARY:
            namespace[name] = _reflected(cls, namespace[forward], namespace[name])
    return type.__new__(TensorType, cls.__name__, (cls,), namespace)


def _iterated(self: Any) -> Iterator[Any]:
    if not self.dim():
        raise TypeError("iteration over a 0-d tensor")
    return iter(self.unbind(0))


def func_of_operator(cls: type[Any], name: str) -> Any:
    """Return the function by which an answer knows the operator `name`."""
    return getattr(cls, _OPERATORS.get(name, name))


def _asking_method(cls: type[Any], name: str, method: Callable[..., Any]) -> Callable[..., Any]:
    func = func_of_operator(cls, name) if hasattr(cls, _OPERATORS.get(name, name)) else method

    @functools.wraps(method)
    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        if local.disabled:
            return method(self, *args, **kwargs)
        given = (self, *args)
        found = overriding(given, kwargs)
        if not found:
            return method(self, *args, **kwargs)
        result = dispatch(func, found, given, kwargs)
        if result is NotImplemented and name not in _BINARY:
            raise refused(f"torch.Tensor.{name}", found)
        return result

    return call


def _reflected(
    cls: type[Any], forward: Callable[..., Any], reflected: Callable[..., Any]
) -> Callable[..., Any]:
    """Return a reflected operator that keeps the order of two tensors.

    Python calls the reflected operator first if the class of the second operand inherits from that
    of the first and overrides it. Classes made by `_asking` override it; PyTorch's do not.
    """

    @functools.wraps(reflected)
    def call(self: Any, other: Any) -> Any:
        return forward(other, self) if isinstance(other, cls) else reflected(self, other)

    return call


def _asking_property(cls: type[Any], name: str, found: property) -> property:
    def ask(self: Any, action: str, plain: Callable[..., Any], *value: Any) -> Any:
        answering = overriding((self,), {})
        if not answering:
            return plain(self, *value)
        func = getattr(found, action)
        result = dispatch(func, answering, (self, *value), {})
        if result is NotImplemented:
            raise refused(f"torch.Tensor.{name}.{action}", answering)
        return result

    read = found.fget
    assert read is not None

    @functools.wraps(read)
    def getter(self: Any) -> Any:
        return read(self) if local.disabled else ask(self, "__get__", read)

    def setter(self: Any, value: Any) -> None:
        assert found.fset is not None
        ask(self, "__set__", found.fset, value)

    def deleter(self: Any) -> None:
        assert found.fdel is not None
        ask(self, "__delete__", found.fdel)

    return property(
        getter,
        None if found.fset is None else setter,
        None if found.fdel is None else deleter,
        found.__doc__,
    )


def default_answer(cls: Any, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
    """Call `func` as for plain tensors, and make its results instances of `cls`."""
    refuse_pytorch(func)
    if not all(issubclass(cls, t) for t in types):
        return NotImplemented
    previous, local.disabled = local.disabled, True
    try:
        result = func(*args, **(kwargs or {}))
        return result if func in unconverted() else converted(result, cls)
    finally:
        local.disabled = previous


@functools.cache
def unconverted() -> frozenset[Any]:
    """Return the functions whose results stay what they are."""
    return frozenset((vars(TensorType.plain)["grad"].__get__,))


def converted(result: Any, cls: type[Any]) -> Any:
    """Return a result, or a sequence of results, with its tensors as instances of `cls`."""
    if issubclass(type(result), TensorType.plain):
        return result if isinstance(result, cls) else result.as_subclass(cls)
    if isinstance(result, (list, tuple)):
        items = [converted(x, cls) for x in result]
        if any(a is not b for a, b in zip(items, result, strict=True)):
            make = getattr(type(result), "_make", type(result))
            return make(items)
    return result
