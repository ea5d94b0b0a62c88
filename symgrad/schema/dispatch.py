"""The look-up behind `__torch_function__`: the arguments that override a call.

It asks the types of arguments, and knows no tensor. What users see of it is `symgrad.functions.overriding`;
how subclasses of `Tensor` take part is in `symgrad.tensor.subclassing`.
"""

from __future__ import annotations

import functools
import threading
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from symgrad.support.refusals import limit

F = TypeVar("F", bound=Callable[..., Any])

#: The names of the method that overrides calls, symgrad's and PyTorch's; a class with both uses the
#: first.
_NAMES = ("__symgrad_function__", "__torch_function__")

# Types of most arguments, which never override a call and are not looked up.
_plain: set[type[Any]] = {int, float, bool, complex, str, type(None)}

#: Not empty as soon as there is a subclass of `Tensor` that overrides calls. Before that, arguments
#: are looked up only after a call has failed.
declared: list[bool] = []


class _Local(threading.local):
    #: Whether overriding is disabled in this thread.
    disabled = False


local = _Local()


def takes_no_part(*args: Any, **kwargs: Any) -> Any:
    """Leave all calls as they are: the `__torch_function__` of a class that overrides none."""
    return NotImplemented


def exempt(cls: type[Any]) -> None:
    """Never look up instances of exactly this class."""
    _plain.add(cls)


def _name_in(cls: type[Any]) -> str | None:
    """Return the name of the method by which a class overrides calls; None without one."""
    for base in cls.__mro__:
        own = base.__dict__
        for name in _NAMES:
            if name in own:
                return None if own[name] is takes_no_part else name
    return None


def answers(cls: type[Any]) -> bool:
    """Return whether an instance of `cls` overrides calls."""
    return cls not in _plain and _name_in(cls) is not None


def overriding_of(arguments: Iterable[Any]) -> list[Any]:
    """Return the arguments that override calls: one of each type, a subclass before its bases."""
    found: list[Any] = []
    if local.disabled:
        return found
    for x in arguments:
        cls = type(x)
        if cls in _plain or any(type(y) is cls for y in found) or _name_in(cls) is None:
            continue
        at = [i for i, y in enumerate(found) if issubclass(cls, type(y))]
        found.insert(at[0] if at else len(found), x)
    return found


def overriding(args: Sequence[Any], kwargs: Mapping[str, Any]) -> list[Any]:
    """Return the arguments of a call that override it, also those inside sequences."""
    flat: list[Any] = []
    for x in (*args, *kwargs.values()):
        if x.__class__ is list or x.__class__ is tuple:
            flat += x
        else:
            flat.append(x)
    return overriding_of(flat)


def dispatch(func: Any, found: Sequence[Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Return the first result of an override that is not NotImplemented, or NotImplemented."""
    types = tuple([type(x) for x in found])
    for x in found:
        name = _name_in(type(x))
        assert name is not None
        handler = getattr(x, name)
        if is_of_pytorch(handler):
            raise TypeError(
                f"{_called(func)} of symgrad was given a tensor of PyTorch, and computes with its own "
                "alone; convert it by symgrad.from_numpy(x.detach().numpy())"
            )
        if getattr(handler, "__self__", None) is x:
            warnings.warn(
                f"Defining your `{name}` as a plain method is deprecated and will be an error in "
                "future, please define it as a classmethod.",
                UserWarning,
                stacklevel=3,
            )
        result = handler(func, types, args, kwargs)
        if result is not NotImplemented:
            return result
    return NotImplemented


def is_of_pytorch(f: Any) -> bool:
    """Return whether a function, or a method of a class, is one of PyTorch itself."""
    of = getattr(f, "__module__", None) or getattr(
        getattr(f, "__objclass__", None), "__module__", None
    )
    return isinstance(of, str) and of.partition(".")[0] == "torch"


def refuse_pytorch(func: Any) -> None:
    """Raise the error for a function of PyTorch that was given a tensor of symgrad's."""
    if is_of_pytorch(func):
        raise TypeError(
            f"{_called(func)} of PyTorch was given a tensor of symgrad, and computes with its own "
            "alone; convert it by torch.from_numpy(x.detach().numpy())"
        )


def _called(func: Any) -> str:
    return f"{getattr(func, '__name__', 'a function')}()"


def refused(name: str, found: Sequence[Any], compiled: bool = True) -> TypeError:
    """Return PyTorch's error for a call for which every override returned NotImplemented."""
    types = [type(x) for x in found]
    if not compiled:
        return TypeError(
            f"no implementation found for '{name}' on types that implement __torch_function__: "
            f"{types}"
        )
    listed = "".join([f"\n  - tensor subclass {cls}" for cls in types])
    return TypeError(
        f"Multiple dispatch failed for '{name}'; all __torch_function__ handlers returned "
        f"NotImplemented:\n{listed}"
    )


def overridable(name: str) -> Callable[[F], F]:
    """Let arguments with `__torch_function__` override calls of the decorated function.

    Parameters
    ----------
    name : str
        The full name of PyTorch's function.
    """
    path = name.removeprefix("torch.")

    def decorate(f: F) -> F:
        @functools.wraps(f)
        def call(*args: Any, **kwargs: Any) -> Any:
            found = overriding(args, kwargs) if declared else ()
            if not found:
                try:
                    return f(*args, **kwargs)
                except Exception as error:
                    found = overriding(args, kwargs)
                    other = None if found else limit(error, path.rpartition(".")[2])
                    if other is None and not found:
                        raise
                if other is not None:
                    try:
                        raise other
                    finally:
                        del other  # the traceback of an error holds the variables
            result = dispatch(call, found, args, kwargs)
            if result is NotImplemented:
                raise refused(name, found, compiled=False)
            return result

        call.__name__ = call.__qualname__ = name.rpartition(".")[2]
        return call  # type: ignore[return-value]

    return decorate
