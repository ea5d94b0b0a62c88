"""Hooks of optimisers: around their steps, and around what they save and load."""

from __future__ import annotations

import functools
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from symgrad.support.hooks import RemovableHandle, add_hook

Hooks = OrderedDict[int, Callable[..., Any]]

#: What is called around each step of every optimiser.
_pre_hooks: Hooks = OrderedDict()
_post_hooks: Hooks = OrderedDict()


def register_optimizer_step_pre_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Call `hook(optimizer, args, kwargs)` before each step of every optimiser.

    Parameters
    ----------
    hook : callable
        May return a pair that replaces the arguments.

    Examples
    --------
    >>> import symgrad as torch
    >>> from symgrad.optim.optimizer import register_optimizer_step_pre_hook
    >>> handle = register_optimizer_step_pre_hook(lambda *call: print("step"))
    >>> torch.optim.SGD([torch.zeros(2)]).step()
    step
    >>> handle.remove()
    """
    return add_hook(_pre_hooks, hook)


def register_optimizer_step_post_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Call `hook(optimizer, args, kwargs)` after each step of every optimiser.

    Parameters
    ----------
    hook : callable
        Its result is not used.

    Examples
    --------
    >>> import symgrad as torch
    >>> from symgrad.optim.optimizer import register_optimizer_step_post_hook
    >>> handle = register_optimizer_step_post_hook(lambda *call: print("done"))
    >>> torch.optim.SGD([torch.zeros(2)]).step()
    done
    >>> handle.remove()
    """
    return add_hook(_post_hooks, hook)


def _with_hooks(step: Callable[..., Any]) -> Callable[..., Any]:
    """Return a `step` that calls the hooks of its optimiser, and those of all, around itself."""

    @functools.wraps(step)
    def stepping(*args: Any, **kwargs: Any) -> Any:
        self = args[0]
        if self._opt_called is False:
            self._opt_called = True
        for hook in (*_pre_hooks.values(), *self._optimizer_step_pre_hooks.values()):
            found = hook(self, args, kwargs)
            if found is not None:
                if not (isinstance(found, tuple) and len(found) == 2):
                    raise RuntimeError(
                        f"{step} must return None or a tuple of (new_args, new_kwargs), but got "
                        f"{found}."
                    )
                args, kwargs = found
        out = step(*args, **kwargs)
        for hook in (*self._optimizer_step_post_hooks.values(), *_post_hooks.values()):
            hook(self, args, kwargs)
        return out

    stepping.hooked = True  # type: ignore[attr-defined]
    return stepping


class Hooked:
    """The base class of what has the hooks of an optimiser."""

    _optimizer_step_pre_hooks: Hooks
    _optimizer_step_post_hooks: Hooks
    _optimizer_state_dict_pre_hooks: Hooks
    _optimizer_state_dict_post_hooks: Hooks
    _optimizer_load_state_dict_pre_hooks: Hooks
    _optimizer_load_state_dict_post_hooks: Hooks

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        step: Any = vars(cls).get("step")
        if step is not None and not hasattr(step, "hooked"):
            cls.step = _with_hooks(step)  # type: ignore[attr-defined]

    def _prepare_hooks(self) -> None:
        for name in (name for name in Hooked.__annotations__ if name not in vars(self)):
            setattr(self, name, OrderedDict())

    def register_step_pre_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call `hook(optimizer, args, kwargs)` before each step.

        Parameters
        ----------
        hook : callable
            May return a pair that replaces the arguments.

        Examples
        --------
        >>> import symgrad as torch
        >>> optimizer = torch.optim.SGD([torch.zeros(2)])
        >>> handle = optimizer.register_step_pre_hook(lambda *call: print("step"))
        >>> optimizer.step()
        step
        """
        return add_hook(self._optimizer_step_pre_hooks, hook)

    def register_step_post_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call `hook(optimizer, args, kwargs)` after each step.

        Parameters
        ----------
        hook : callable
            Its result is not used.

        Examples
        --------
        >>> import symgrad as torch
        >>> optimizer = torch.optim.SGD([torch.zeros(2)])
        >>> handle = optimizer.register_step_post_hook(lambda *call: print("done"))
        >>> optimizer.step()
        done
        """
        return add_hook(self._optimizer_step_post_hooks, hook)

    def register_state_dict_pre_hook(
        self, hook: Callable[..., Any], prepend: bool = False
    ) -> RemovableHandle:
        """Call `hook(optimizer)` before its state is returned.

        Parameters
        ----------
        hook : callable
            Its result is not used.
        prepend : bool
            Whether it is called before the hooks that are there.

        Examples
        --------
        >>> import symgrad as torch
        >>> optimizer = torch.optim.SGD([torch.zeros(2)])
        >>> handle = optimizer.register_state_dict_pre_hook(lambda o: print("hook"))
        >>> found = optimizer.state_dict()
        hook
        """
        return _added(self._optimizer_state_dict_pre_hooks, hook, prepend)

    def register_state_dict_post_hook(
        self, hook: Callable[..., Any], prepend: bool = False
    ) -> RemovableHandle:
        """Call `hook(optimizer, state_dict)` after its state is put together.

        Parameters
        ----------
        hook : callable
            May return a dictionary that replaces it.
        prepend : bool
            Whether it is called before the hooks that are there.

        Examples
        --------
        >>> import symgrad as torch
        >>> optimizer = torch.optim.SGD([torch.zeros(2)])
        >>> handle = optimizer.register_state_dict_post_hook(lambda o, found: print("hook"))
        >>> found = optimizer.state_dict()
        hook
        """
        return _added(self._optimizer_state_dict_post_hooks, hook, prepend)

    def register_load_state_dict_pre_hook(
        self, hook: Callable[..., Any], prepend: bool = False
    ) -> RemovableHandle:
        """Call `hook(optimizer, state_dict)` before a state is loaded.

        Parameters
        ----------
        hook : callable
            May return a dictionary that replaces it.
        prepend : bool
            Whether it is called before the hooks that are there.

        Examples
        --------
        >>> import symgrad as torch
        >>> optimizer = torch.optim.SGD([torch.zeros(2)])
        >>> handle = optimizer.register_load_state_dict_pre_hook(lambda o, found: print("hook"))
        >>> optimizer.load_state_dict(optimizer.state_dict())
        hook
        """
        return _added(self._optimizer_load_state_dict_pre_hooks, hook, prepend)

    def register_load_state_dict_post_hook(
        self, hook: Callable[..., Any], prepend: bool = False
    ) -> RemovableHandle:
        """Call `hook(optimizer)` after a state is loaded.

        Parameters
        ----------
        hook : callable
            Its result is not used.
        prepend : bool
            Whether it is called before the hooks that are there.

        Examples
        --------
        >>> import symgrad as torch
        >>> optimizer = torch.optim.SGD([torch.zeros(2)])
        >>> handle = optimizer.register_load_state_dict_post_hook(lambda o: print("hook"))
        >>> optimizer.load_state_dict(optimizer.state_dict())
        hook
        """
        return _added(self._optimizer_load_state_dict_post_hooks, hook, prepend)


def _added(hooks: Hooks, hook: Callable[..., Any], prepend: bool) -> RemovableHandle:
    handle = add_hook(hooks, hook)
    if prepend:
        hooks.move_to_end(handle.id, last=False)
    return handle
