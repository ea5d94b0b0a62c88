"""What a thread records: grad mode, observers, and the quiet floating-point context."""

from __future__ import annotations

import contextvars
import functools
import inspect
import threading
import warnings
import weakref
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any, ClassVar, Self, TypeVar

import numpy as np

from symgrad.autograd.nesting import carried
from symgrad.locks import new_lock

__all__ = [
    "Mode",
    "enable_grad",
    "is_grad_enabled",
    "is_multithreading_enabled",
    "no_grad",
    "observe_everywhere",
    "quietly",
    "recording",
    "set_grad_enabled",
    "set_multithreading_enabled",
    "state",
]

F = TypeVar("F", bound=Callable[..., Any])


Observer = Callable[[Any, Sequence[Any], tuple[Any, ...], Any], None]


class _State:
    """What a thread's recording depends on.

    Attributes
    ----------
    grad_mode : bool
        The grad mode, as the user set it.
    inference : bool
        Whether what is made are inference tensors, whatever the grad mode.
    enabled : bool
        Whether operations are recorded: what both come to.
    multithreading : bool
        What `set_multithreading_enabled` set.
    observers : tuple of callable
        What is told of every operation once it has been computed: each is called with the
        primitive, its operands and parameters, and the result, which it may change.
    plain : bool
        Whether operations are recorded, and nobody observes them: the short forms look at this.
    replaying : bool
        Whether the operations are those of a gradient that is recorded.
    batching : Batching or None
        What acts on tensors that stand for each entry of a batch, inside `vmap`.
    run : callable
        Calls a function in a context of this thread in which NumPy does not warn: as in PyTorch,
        `log(0)` is -inf without a word. A context of its own costs a tenth of `np.errstate`.
    """

    __slots__ = (
        "__weakref__", "_grad_mode", "_inference", "_observers", "batching", "enabled",
        "multithreading", "observers", "plain", "replaying", "run",
    )  # fmt: skip

    #: The observers of all threads, and the states that have to know of a change.
    everywhere: ClassVar[tuple[Observer, ...]] = ()
    living: ClassVar[weakref.WeakSet[_State]] = weakref.WeakSet()

    def __init__(self) -> None:
        self._grad_mode = True
        self._inference = False
        self._observers: tuple[Observer, ...] = ()
        self.multithreading = True
        self.replaying = False
        self.batching: Any = None
        context = contextvars.copy_context()
        context.run(np.seterr, all="ignore")
        self.run = context.run
        with _changing:
            _State.living.add(self)
            self.refresh()

    def refresh(self) -> None:
        """Work out what the short forms look at."""
        self.observers = (*_State.everywhere, *self._observers)
        self.enabled = enabled = self._grad_mode and not self._inference
        self.plain = enabled and not self.observers and self.batching is None
        # Another thread may have begun to observe all of them in between.
        if self.observers:
            self.plain = False

    @property
    def grad_mode(self) -> bool:
        return self._grad_mode

    @grad_mode.setter
    def grad_mode(self, value: bool) -> None:
        self._grad_mode = value
        self.refresh()

    @property
    def inference(self) -> bool:
        return self._inference

    @inference.setter
    def inference(self, value: bool) -> None:
        self._inference = value
        self.refresh()

    def batch(self, batching: Any) -> None:
        """Have `batching` act on batched tensors; None: nobody."""
        self.batching = batching
        self.refresh()

    def observe(self, observer: Observer, first: bool = False) -> None:
        """Tell `observer` of the operations of this thread, after or before all others."""
        others = self._without(observer)
        self._observers = (observer, *others) if first else (*others, observer)
        self.refresh()

    def unobserve(self, observer: Observer) -> None:
        """Tell `observer` no longer."""
        self._observers = self._without(observer)
        self.refresh()

    def _without(self, observer: Observer) -> tuple[Observer, ...]:
        return tuple([f for f in self._observers if f != observer])


# Held while what all threads share changes, and while a thread begins.
_changing = new_lock()


def observe_everywhere(observer: Observer, on: bool) -> None:
    """Tell `observer` of the operations of all threads, or no longer."""
    with _changing:
        others = tuple([f for f in _State.everywhere if f is not observer])
        _State.everywhere = (*others, observer) if on else others
        for each in list(_State.living):
            each.refresh()


class _Local(threading.local):
    def __init__(self) -> None:
        self.state = _State()


state = carried(_Local())


class recording:  # noqa: N801 - it is read as a participle
    """Record or not in a block, whatever the mode around it; inference mode stays what it is.

    Parameters
    ----------
    on : bool
        Whether operations are recorded.
    unobserved : bool
        Tell no observer of this thread.
    but : callable, optional
        Tell all of them but this one.
    """

    __slots__ = ("_but", "_on", "_previous", "_unobserved")

    def __init__(self, on: bool, *, unobserved: bool = False, but: Observer | None = None) -> None:
        self._on = on
        self._unobserved = unobserved
        self._but = but

    def __enter__(self) -> None:
        current = state.state
        self._previous = current._grad_mode, current._observers
        current._grad_mode = self._on
        if self._unobserved:
            current._observers = ()
        elif self._but is not None:
            current._observers = current._without(self._but)
        current.refresh()

    def __exit__(self, *error: object) -> None:
        current = state.state
        current._grad_mode, observers = self._previous
        if self._unobserved or self._but is not None:
            current._observers = observers
        current.refresh()


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
    return state.state.grad_mode


class Mode:
    """A mode of a thread for a `with` block, or for every call of a decorated function."""

    #: The field of the thread's state that it sets.
    _field = "grad_mode"
    _mode: bool

    def __init__(self) -> None:
        self._previous: list[Any] = []

    def __enter__(self) -> None:
        current = state.state
        self._previous.append(getattr(current, self._field))
        setattr(current, self._field, self._mode)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        setattr(state.state, self._field, self._previous.pop())

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
        if isinstance(f, type):
            warnings.warn(
                "Decorating classes is deprecated and will be disabled in future versions. You "
                "should only decorate functions or methods. To preserve the current behavior of "
                "class decoration, you can directly decorate the `__init__` method and nothing "
                "else.",
                FutureWarning,
                stacklevel=2,
            )
        if inspect.isgeneratorfunction(f):
            return _decorated_generator(self, f)  # type: ignore[return-value]

        @functools.wraps(f)
        def call(*args: Any, **kwargs: Any) -> Any:
            with self.clone():
                return f(*args, **kwargs)

        return call  # type: ignore[return-value]


def _decorated_generator(mode: Mode, f: Callable[..., Any]) -> Callable[..., Any]:
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


class no_grad(Mode):  # noqa: N801 - PyTorch's name
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
        Mode.__init__(self)
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


class _SetAtOnce(Mode):
    """A mode that holds from construction on, and is taken back at the end of a `with` block."""

    def __init__(self, mode: bool) -> None:
        super().__init__()
        if not isinstance(mode, bool):
            raise TypeError(
                f"{type(self).__name__}(): argument 'enabled' (position 1) must be bool, not "
                f"{type(mode).__name__}"
            )
        self._mode = mode
        self._before = getattr(state.state, self._field)
        setattr(state.state, self._field, mode)

    def __enter__(self) -> None:
        self._previous.append(self._before)
        setattr(state.state, self._field, self._mode)

    def clone(self) -> Self:
        return type(self)(self._mode)

    def __call__(self, f: F) -> F:
        # As a decorator it only acts inside the calls.
        setattr(state.state, self._field, self._before)
        return super().__call__(f)


class set_grad_enabled(_SetAtOnce):  # noqa: N801 - PyTorch's name
    """Set whether operations are recorded: at once, and until the end of a `with` block.

    Parameters
    ----------
    mode : bool
        Whether they are.

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

    def __init__(self, mode: bool) -> None:  # Python's errors name the class that defines it
        super().__init__(mode)

    def __repr__(self) -> str:
        return f"torch.autograd.grad_mode.set_grad_enabled(mode={self._mode})"


class set_multithreading_enabled(_SetAtOnce):  # noqa: N801 - PyTorch's name
    """Accept PyTorch's switch for backward passes in several threads, and remember it.

    A backward pass runs in the thread that asks for it in either case: there is one device.

    Parameters
    ----------
    mode : bool
        What `is_multithreading_enabled` returns from here to the end of a `with` block.

    Examples
    --------
    >>> import symgrad as torch
    >>> with torch.autograd.set_multithreading_enabled(False):
    ...     torch.autograd.is_multithreading_enabled()
    False
    """

    _field = "multithreading"

    def __init__(self, mode: bool) -> None:
        super().__init__(mode)


def is_multithreading_enabled() -> bool:
    """Return what `set_multithreading_enabled` set in this thread.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.autograd.is_multithreading_enabled()
    True
    """
    current: bool = state.state.multithreading
    return current
