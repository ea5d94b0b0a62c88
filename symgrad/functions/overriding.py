"""Calls that arguments answer themselves, by `__torch_function__`.

A class that defines the class method `__torch_function__(cls, func, types, args=(), kwargs=None)`
is asked whenever one of its instances is an argument of a function or method; what it returns is
the result. It may be a subclass of `Tensor`, whose own answer computes `func` and gives the results
its class, or any other class. `__symgrad_function__` is the same under symgrad's own name, for
classes that answer PyTorch's calls otherwise.
"""

from __future__ import annotations

import functools
import types
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, TypeVar

from symgrad.expr.node import stands_for_tensor
from symgrad.record.record import Recorded
from symgrad.schema.dispatch import answers, dispatch, local, overriding_of, refused
from symgrad.schema.public import FUNCTIONS
from symgrad.support.scopes import Scope
from symgrad.tensor.subclassing import unconverted
from symgrad.tensor.tensor import Tensor

F = TypeVar("F", bound=Callable[..., Any])

#: Where users find functions, by PyTorch's name of the module. The modules enter themselves; of
#: several homes of a function the last one counts.
HOMES: dict[str, types.ModuleType] = {}


class DisableTorchFunctionSubclass(Scope):
    """Let nobody answer calls within the block, so that they compute as for plain tensors.

    Examples
    --------
    >>> import symgrad as torch
    >>> class Metres(torch.Tensor):
    ...     pass
    >>> x = Metres([1.0, 2.0])
    >>> with torch.overrides.DisableTorchFunctionSubclass():
    ...     x + x
    tensor([2., 4.])
    """

    def __enter__(self) -> None:
        undo, end = self._undo, len(self._undo)
        undo[end:] = (partial(setattr, local, "disabled", local.disabled),)
        local.disabled = True


def has_torch_function(relevant_args: Iterable[Any]) -> bool:
    """Return whether one of the arguments answers calls itself.

    Parameters
    ----------
    relevant_args : sequence
        The arguments of a call that may be tensors.

    Raises
    ------
    TypeError
        For what is no sequence.

    Examples
    --------
    >>> import symgrad as torch
    >>> class Metres(torch.Tensor):
    ...     pass
    >>> torch.overrides.has_torch_function((torch.ones(2), Metres([1.0])))
    True
    """
    if not isinstance(relevant_args, Iterable):
        raise TypeError("expected a sequence")
    return bool(overriding_of(relevant_args))


def has_torch_function_unary(tensor: Any) -> bool:
    """Return whether the one argument answers calls itself.

    Parameters
    ----------
    tensor : object
        The argument.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.overrides.has_torch_function_unary(torch.ones(2))
    False
    """
    return bool(overriding_of((tensor,)))


def has_torch_function_variadic(*args: Any) -> bool:
    """Return whether one of the arguments answers calls itself.

    Parameters
    ----------
    *args : object
        The arguments.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.overrides.has_torch_function_variadic(torch.ones(2), 3)
    False
    """
    return bool(overriding_of(args))


def handle_torch_function(
    public_api: Callable[..., Any], relevant_args: Iterable[Any], *args: Any, **kwargs: Any
) -> Any:
    """Return what the arguments answer to a call of a function of your own.

    Parameters
    ----------
    public_api : callable
        The function, as they shall know it.
    relevant_args : iterable
        The arguments that may answer.
    *args, **kwargs
        All arguments of the call.

    Raises
    ------
    TypeError
        If nobody answers.

    Examples
    --------
    >>> import symgrad as torch
    >>> from symgrad.functions.overriding import handle_torch_function, has_torch_function
    >>> def double(x):
    ...     if has_torch_function((x,)):
    ...         return handle_torch_function(double, (x,), x)
    ...     return x * 2
    >>> class Loud:
    ...     @classmethod
    ...     def __torch_function__(cls, func, types, args=(), kwargs=None):
    ...         return f"{func.__name__}!"
    >>> double(torch.ones(2)), double(Loud())
    (tensor([2., 2.]), 'double!')
    """
    found = overriding_of(relevant_args)
    result = dispatch(public_api, found, args, kwargs)
    if result is NotImplemented:
        name = f"{public_api.__module__}.{public_api.__name__}"
        raise refused(name.replace("symgrad", "torch", 1), found, compiled=False)
    return result


def wrap_torch_function(dispatcher: Callable[..., Iterable[Any]]) -> Callable[[F], F]:
    """Let arguments answer calls of the decorated function.

    Parameters
    ----------
    dispatcher : callable
        Takes the arguments of a call and returns those that may answer.

    Examples
    --------
    >>> import symgrad as torch
    >>> @torch.overrides.wrap_torch_function(lambda x: (x,))
    ... def double(x):
    ...     return x * 2
    >>> double(torch.ones(2))
    tensor([2., 2.])
    """

    def decorate(func: F) -> F:
        @functools.wraps(func)
        def call(*args: Any, **kwargs: Any) -> Any:
            relevant = dispatcher(*args, **kwargs)
            if overriding_of(relevant):
                return handle_torch_function(call, relevant, *args, **kwargs)
            return func(*args, **kwargs)

        return call  # type: ignore[return-value]

    return decorate


def is_tensor_like(inp: Any) -> bool:
    """Return whether `inp` is a tensor, or answers calls as one.

    Parameters
    ----------
    inp : object
        Anything.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.overrides.is_tensor_like(torch.ones(2)), torch.overrides.is_tensor_like([1.0])
    (True, False)
    """
    return isinstance(inp, Recorded) or stands_for_tensor(inp) or answers(type(inp))


def is_tensor_method_or_property(func: Any) -> bool:
    """Return whether a function that an answer was asked for is a method or property of tensors.

    Parameters
    ----------
    func : callable
        What `__torch_function__` was called with.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.overrides.is_tensor_method_or_property(torch.Tensor.add)
    True
    >>> torch.overrides.is_tensor_method_or_property(torch.add)
    False
    """
    try:
        hash(func)
    except TypeError:  # then it is no function
        return False
    return func in _methods() or func.__name__ in ("__get__", "__set__", "__delete__")


def resolve_name(f: Callable[..., Any]) -> str | None:
    """Return PyTorch's full name of a function that an answer was asked for.

    Parameters
    ----------
    f : callable
        What `__torch_function__` was called with; None is returned for any other.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.overrides.resolve_name(torch.Tensor.add), torch.overrides.resolve_name(torch.add)
    ('torch.Tensor.add', 'torch.add')
    >>> torch.overrides.resolve_name(torch.Tensor.shape.__get__)
    'torch.Tensor.shape.__get__'
    """
    if isinstance(f, types.MethodWrapperType):
        accessed = f.__self__
        for name, value in vars(Tensor).items():
            if value is accessed:
                return f"torch.Tensor.{name}.{f.__name__}"
        return None
    return _methods().get(f) or _functions().get(f)


def get_default_nowrap_functions() -> set[Callable[..., Any]]:
    """Return the functions whose results `Tensor.__torch_function__` leaves plain.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.Tensor.grad.__get__ in torch.overrides.get_default_nowrap_functions()
    True
    """
    return set(unconverted())


@functools.cache
def _methods() -> dict[Any, str]:
    own = vars(Tensor).items()
    found = {f: f"torch.Tensor.{n}" for n, f in own if isinstance(f, types.FunctionType)}
    # Of several names the function's own.
    return found | {f: name for f, name in _listed(own, "torch.Tensor") if f in found}


@functools.cache
def _functions() -> dict[Any, str]:
    found: dict[Any, str] = {}
    for path, module in HOMES.items():
        found.update(_all(path, {n: getattr(module, n) for n in module.__all__}.items()))
    found.update(_all("torch", FUNCTIONS.items()))
    return found


def _all(path: str, items: Iterable[tuple[str, Any]]) -> dict[Any, str]:
    known = {f: f"{path}.{n}" for n, f in items if isinstance(f, types.FunctionType)}
    return known | dict(_listed(items, path))


def _listed(items: Iterable[tuple[str, Any]], path: str) -> Iterable[tuple[Any, str]]:
    for name, f in items:
        if isinstance(f, types.FunctionType) and f.__name__ == name:
            yield f, f"{path}.{name}"
