"""Handles that remove hooks, and warnings about hooks that copies lose."""

from __future__ import annotations

import itertools
import warnings
import weakref
from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, ClassVar, Self, TypeVar

from symgrad.support.scopes import Scope, together

F = TypeVar("F", bound=Callable[..., Any])

_new_id = itertools.count().__next__


class RemovableHandle(Scope):
    """The result of a `register_*_hook`: `remove()` removes the hook.

    As a context manager, a handle removes the hook at the end of the block.

    Parameters
    ----------
    hooks_dict : OrderedDict
        The hooks by number, from which the hook is removed. The handle has a weak reference to it.
    extra_dict : OrderedDict or list of OrderedDict, optional
        Further dictionaries from which the same number is removed.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> with x.register_hook(lambda grad: 10 * grad):
    ...     x.sum().backward()
    >>> x.sum().backward()
    >>> x.grad
    tensor([11., 11.])
    >>> x.register_hook(print)
    <symgrad.utils.hooks.RemovableHandle object at 0x...>
    """

    id: int
    #: The least number that the next handle can have.
    next_id: ClassVar[int] = 0

    def __init__(self, hooks_dict: Any, *, extra_dict: Any = None) -> None:
        super().__init__()
        self.hooks_dict_ref = weakref.ref(hooks_dict)
        self.id = _new_id()
        RemovableHandle.next_id = self.id + 1
        extra = extra_dict if isinstance(extra_dict, list) else [extra_dict]
        # As in PyTorch, an object that is no dictionary is ignored.
        self.extra_dict_ref = tuple([weakref.ref(d) for d in extra if isinstance(d, dict)])

    def remove(self) -> None:
        """Remove the hook, if it has not been removed.

        Examples
        --------
        >>> import symgrad as torch
        >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
        >>> handle = x.register_hook(print)
        >>> handle.remove()
        >>> x.sum().backward()
        """
        for ref in self._refs():
            hooks = ref()
            if hooks is not None:
                hooks.pop(self.id, None)

    def __getstate__(self) -> Any:
        return self.hooks_dict_ref(), self.id, tuple([ref() for ref in self.extra_dict_ref])

    def __setstate__(self, state: Any) -> None:
        super().__init__()
        hooks, self.id, extra = state
        # If the dictionary is gone, the reference to an empty one dies at once.
        self.hooks_dict_ref = weakref.ref(OrderedDict() if hooks is None else hooks)
        self.extra_dict_ref = tuple([weakref.ref(d) for d in extra if d is not None])

    def __enter__(self) -> Self:
        undo, end, back = self._undo, len(self._undo), self._back()
        undo[end:] = (back,)
        return self

    def _back(self) -> Callable[[], Any]:
        """Return a callable that removes the hook at the end of a block."""
        living = [hooks for ref in self._refs() if (hooks := ref()) is not None]
        return together(*[partial(hooks.pop, self.id, None) for hooks in living])

    def _refs(self) -> tuple[weakref.ref[Any], ...]:
        return (self.hooks_dict_ref, *self.extra_dict_ref)


def add_hook(
    hooks: OrderedDict[int, Callable[..., Any]],
    hook: Callable[..., Any],
    also: Sequence[OrderedDict[int, Any]] = (),
) -> RemovableHandle:
    """Enter a hook and return its handle."""
    handle = RemovableHandle(hooks, extra_dict=list(also))
    hooks[handle.id] = hook
    return handle


def unserializable_hook(f: F) -> F:
    """Mark a hook that may be dropped when its tensor is copied, so that no warning is given.

    Parameters
    ----------
    f : callable
        The hook, which is returned.

    Examples
    --------
    >>> import pickle
    >>> import symgrad as torch
    >>> @torch.utils.hooks.unserializable_hook
    ... def double(grad):
    ...     return 2 * grad
    >>> x = torch.ones(2, requires_grad=True)
    >>> handle = x.register_hook(double)
    >>> pickle.loads(pickle.dumps(x))
    tensor([1., 1.], requires_grad=True)
    """
    f.__torch_unserializable__ = True  # type: ignore[attr-defined]
    return f


def warn_if_has_hooks(tensor: Any) -> None:
    """Warn of each hook of a tensor that a copy will not have.

    Parameters
    ----------
    tensor : Tensor
        The tensor that is copied or pickled.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.utils.hooks.warn_if_has_hooks(torch.ones(2, requires_grad=True))
    """
    if isinstance(tensor, type):
        raise TypeError("warn_if_has_hooks() takes a tensor, not a type")
    if not hasattr(type(tensor), "_record"):
        raise AttributeError(f"'{type(tensor).__name__}' object has no attribute '_backward_hooks'")
    extra = getattr(tensor._vertex, "extra", None)
    for hook in () if extra is None else extra.hooks.values():
        if not hasattr(hook, "__torch_unserializable__"):
            warnings.warn(
                f"backward hook {hook!r} on tensor will not be serialized.  If this is expected, "
                "you can decorate the function with @torch.utils.hooks.unserializable_hook to "
                "suppress this warning",
                UserWarning,
                stacklevel=2,
            )
