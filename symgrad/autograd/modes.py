"""Grad mode: thread-local, and the thread's quiet floating-point context."""

from __future__ import annotations

import contextvars
import functools
import inspect
import threading
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any, Self, TypeVar

import numpy as np

__all__ = [
    "enable_grad",
    "is_grad_enabled",
    "no_grad",
    "quietly",
    "set_grad_enabled",
    "state",
]

F = TypeVar("F", bound=Callable[..., Any])


Observer = Callable[[Any, Sequence[Any], tuple[Any, ...], Any], None]


class _State:
    """What a thread's recording depends on.

    Attributes
    ----------
    enabled : bool
        Whether operations are recorded.
    observers : tuple of callable
        What is told of every operation once it has been computed: each is called with the
        primitive, its operands and parameters, and the result, which it may change.
    plain : bool
        Whether operations are recorded, and nobody observes them: the short forms look at this.
    replaying : bool
        Whether the operations are those of a gradient that is recorded.
    run : callable
        Calls a function in a context of this thread in which NumPy does not warn: as in PyTorch,
        `log(0)` is -inf without a word. A context of its own costs a tenth of `np.errstate`.
    """

    __slots__ = ("_enabled", "_observers", "plain", "replaying", "run")

    def __init__(self) -> None:
        self._enabled = True
        self._observers: tuple[Observer, ...] = ()
        self.plain = True
        self.replaying = False
        context = contextvars.copy_context()
        context.run(np.seterr, all="ignore")
        self.run = context.run

    @property
    def enabled(self) -> bool:
        return self._enabled

    @enabled.setter
    def enabled(self, value: bool) -> None:
        self._enabled = value
        self.plain = value and not self._observers

    @property
    def observers(self) -> tuple[Observer, ...]:
        return self._observers

    @observers.setter
    def observers(self, value: tuple[Observer, ...]) -> None:
        self._observers = value
        self.plain = self._enabled and not value


class _Local(threading.local):
    def __init__(self) -> None:
        self.state = _State()


state = _Local()


def quietly(call: Callable[..., Any], *args: Any) -> Any:
    """Call a NumPy function without floating-point warnings."""
    with np.errstate(all="ignore"):
        return call(*args)


def is_grad_enabled() -> bool:
    """Return whether operations are recorded in this thread.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.is_grad_enabled()
    True
    >>> with torch.no_grad():
    ...     torch.is_grad_enabled()
    False
    """
    return state.state.enabled


class _GradMode:
    """A grad mode for a `with` block, or for every call of a decorated function."""

    _mode: bool

    def __init__(self) -> None:
        self._previous: list[bool] = []

    def __enter__(self) -> None:
        current = state.state
        self._previous.append(current.enabled)
        current.enabled = self._mode

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        state.state.enabled = self._previous.pop()

    def clone(self) -> Self:
        """Return another context of the same mode, to be entered on its own.

        Examples
        --------
        >>> import symgrad as torch
        >>> with torch.no_grad().clone():
        ...     torch.is_grad_enabled()
        False
        """
        return type(self)()

    def __call__(self, f: F) -> F:
        if inspect.isgeneratorfunction(f):
            return _decorated_generator(self, f)  # type: ignore[return-value]

        @functools.wraps(f)
        def call(*args: Any, **kwargs: Any) -> Any:
            with self.clone():
                return f(*args, **kwargs)

        return call  # type: ignore[return-value]


def _decorated_generator(mode: _GradMode, f: Callable[..., Any]) -> Callable[..., Any]:
    """Run the body of a generator in `mode`, its consumer in its own."""

    @functools.wraps(f)
    def call(*args: Any, **kwargs: Any) -> Any:
        generator = f(*args, **kwargs)
        try:
            with mode.clone():
                value = next(generator)
            while True:
                try:
                    sent = yield value
                except GeneratorExit:
                    with mode.clone():
                        generator.close()
                    raise
                except BaseException as error:  # noqa: BLE001 - handed to the body, as Python does
                    with mode.clone():
                        value = generator.throw(error)
                else:
                    with mode.clone():
                        value = generator.send(sent)
        except StopIteration as end:
            return end.value

    return call


class no_grad(_GradMode):  # noqa: N801 - PyTorch's name
    """Do not record operations: in a `with` block, or in each call of a decorated function.

    Examples
    --------
    >>> import symgrad
    >>> x = symgrad.tensor([1.0], requires_grad=True)
    >>> with symgrad.no_grad():
    ...     y = x * 2
    >>> y.requires_grad
    False
    """

    _mode = False

    def __new__(cls, f: Any = None) -> Any:
        self = super().__new__(cls)
        if f is None:
            return self
        _GradMode.__init__(self)
        return self(f)  # `@no_grad` without parentheses

    def __init__(self, f: Any = None) -> None:
        super().__init__()


class enable_grad(no_grad):  # noqa: N801 - PyTorch's name
    """Record operations again inside `no_grad`: a `with` block or a decorator.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.ones(2, requires_grad=True)
    >>> with torch.no_grad():
    ...     with torch.enable_grad():
    ...         y = x * 2
    >>> y.requires_grad
    True
    """

    _mode = True


class set_grad_enabled(_GradMode):  # noqa: N801 - PyTorch's name
    """Set whether operations are recorded: at once, and until the end of a `with` block.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.ones(2, requires_grad=True)
    >>> training = False
    >>> with torch.set_grad_enabled(training):
    ...     y = x * 2
    >>> y.requires_grad
    False
    """

    def __init__(self, mode: bool) -> None:
        super().__init__()
        if not isinstance(mode, bool):
            raise TypeError(
                f"set_grad_enabled(): argument 'enabled' (position 1) must be bool, not "
                f"{type(mode).__name__}"
            )
        self._mode = mode
        self._before = state.state.enabled
        state.state.enabled = mode

    def __enter__(self) -> None:
        self._previous.append(self._before)
        state.state.enabled = self._mode

    def clone(self) -> Self:
        return type(self)(self._mode)

    def __call__(self, f: F) -> F:
        state.state.enabled = self._before  # as a decorator it only acts inside the calls
        return super().__call__(f)
