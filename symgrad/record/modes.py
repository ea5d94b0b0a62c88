"""The modes of a thread: whether operations are recorded, and what else is called for them."""

from __future__ import annotations

import functools
import inspect
import sys
import threading
import warnings
from collections.abc import Callable, Sequence
from types import CodeType
from typing import Any, Self, TypeVar, overload

from symgrad.record.nesting import carried
from symgrad.schema.arguments import check_flag
from symgrad.support.frames import is_of_libraries
from symgrad.support.quiet import quiet_context
from symgrad.support.scopes import Scope, back_to, together
from symgrad.support.untraceable import UntraceableValue

F = TypeVar("F", bound=Callable[..., Any])
R = TypeVar("R")


Observer = Callable[[Any, Sequence[Any], tuple[Any, ...], Any], None]

#: The modes of all threads that are not as usual, as `_State.special` is of one thread.
everywhere: dict[str, Any] = {}

# The observer of each mode, called for every operation while the mode is in effect; and the
# modes whose observer is called before the others.
_observers: dict[str, Observer] = {}
_first: set[str] = set()

#: Whether none of these modes of a thread has an observer.
unobserved = frozenset(
    ("batching", "compiling", "cuts", "grad_mode", "inference", "replaying", "tangents", "unseen")
).issuperset


def observes(mode: str, first: bool = False) -> Callable[[Observer], Observer]:
    """Call the decorated function, an observer, for every operation while a mode is in effect.

    The observer is called with the primitive, its operands and parameters, and the result, which
    it may change. Observers with `first` are called before the others.
    """

    def enter(observer: Observer) -> Observer:
        _observers[mode] = observer
        if first:
            _first.add(mode)
        return observer

    return enter


class _State:
    """The modes of one thread.

    Each mode is one entry of a table, and no value is kept that follows from several modes. So a
    mode is either in effect or not, even if a signal interrupts the change.

    Attributes
    ----------
    special : dict
        The modes that are not as usual, by name; empty most of the time. The short forms of
        recording test only whether it is empty.

        `grad_mode`: False if operations are not recorded. `inference`: True if results are
        inference tensors, and nothing is recorded. `replaying`: True if the operations are those of
        a gradient that is recorded. `batching`: the object that applies operations to batched
        tensors, inside `vmap`. `compiling`: True while a function that is compiled is traced:
        operations on tensors from around it give formulas. `cuts`: the table of cuts of a custom
        function's `forward`. `hooks`: the hooks that pack saved values. `level`: the dual level.
        `tangents`: False if no tangents are computed. `unseen`: True while tangents themselves are
        computed. `log`: the lists in which checkpoints log operations.
    aside : dict
        The modes that recording does not read, by name.
    run : callable
        Calls a function in a context of this thread in which NumPy does not warn.
    """

    __slots__ = ("aside", "run", "special")

    def __init__(self) -> None:
        self.special: dict[str, Any] = {}
        self.aside: dict[str, Any] = {}
        self.run = quiet_context().run

    @property
    def grad_mode(self) -> bool:
        """The grad mode, as the user set it."""
        found: bool = self.special.get("grad_mode", True)
        return found

    @property
    def inference(self) -> bool:
        """Whether results are inference tensors, whatever the grad mode."""
        return bool(self.special.get("inference"))

    @property
    def enabled(self) -> bool:
        """Whether operations are recorded, by the grad mode and inference mode together."""
        return not self.special or (self.grad_mode and not self.inference)

    @property
    def batching(self) -> Any:
        """The object that applies operations to batched tensors; None outside of `vmap`."""
        return self.special.get("batching")

    @property
    def observed(self) -> bool:
        """Whether a mode with an observer may be in effect."""
        return bool(everywhere) or not unobserved(self.special)

    def observers(self) -> list[Observer]:
        """Return the observers, in the order in which their modes were entered."""
        modes = {**everywhere, **self.special}
        names = [name for name, value in modes.items() if value and name in _observers]
        if not _first.isdisjoint(names):
            names.sort(key=lambda name: name not in _first)
        return [_observers[name] for name in names]


class _Local(threading.local):
    def __init__(self) -> None:
        self.state = _State()


state = carried(_Local())


class recording(Scope):  # noqa: N801 - it is read as a participle
    """Record or not in a block, whatever the mode around it; inference mode stays what it is.

    Parameters
    ----------
    on : bool
        Whether operations are recorded.
    """

    __slots__ = ("_on", "_undo")

    def __init__(self, on: bool) -> None:
        self._undo = []
        self._on = on

    def __enter__(self) -> None:
        self._put(state.state.special, "grad_mode", self._on, usual=True)


def while_replaying(records: bool, call: Callable[..., R], *args: Any) -> R:
    """Call a function whose operations are those of a gradient, which is recorded or not."""
    special = state.state.special
    recorded, replayed = special.get("grad_mode", _ABSENT), special.get("replaying", _ABSENT)
    special["grad_mode"] = records
    try:
        special["replaying"] = records
        return call(*args)
    finally:
        if replayed is _ABSENT:
            del special["replaying"]
        else:
            special["replaying"] = replayed
        if recorded is _ABSENT:
            del special["grad_mode"]
        else:
            special["grad_mode"] = recorded


_ABSENT: Any = object()


class holding(Scope):  # noqa: N801 - it is read as a participle
    """Hold several modes of this thread at given values in a block; None is the usual one.

    Parameters
    ----------
    **values
        By name.
    """

    __slots__ = ("_undo", "_values")

    def __init__(self, **values: Any) -> None:
        self._undo = []
        self._values = values

    def __enter__(self) -> None:
        special, undo, end = state.state.special, self._undo, len(self._undo)
        back = [back_to(special, name) for name in self._values]
        undo[end:] = (together(*back),)
        special |= self._values


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


class Mode(Scope):
    """A mode of a thread for a `with` block, or for every call of a decorated function."""

    #: The entry of the thread's table that it sets.
    _field = "grad_mode"
    _mode: bool

    def _table(self) -> dict[str, Any]:
        return state.state.special

    def __enter__(self) -> None:
        if "compiling" in state.state.special:
            _check_compiled(type(self), sys._getframe(1).f_code)
        self._put(self._table(), self._field, self._mode, usual=True)

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

    @overload
    def __call__(self, f: F) -> F: ...
    @overload  # of a function decorated without parentheses, which mypy takes for a mode
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
    def __call__(self, f: Any) -> Any:
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
            return _decorated_generator(self, f)

        @functools.wraps(f)
        def call(*args: Any, **kwargs: Any) -> Any:
            if "compiling" in state.state.special and hasattr(f, "__code__"):
                _check_compiled(type(self), f.__code__)
            with self.clone():
                return f(*args, **kwargs)

        return call


def _check_compiled(mode: type[Mode], code: CodeType) -> None:
    """Raise an error where code of the user's that is compiled enters a mode."""
    if not is_of_libraries(code.co_filename):
        raise UntraceableValue(
            f"{mode.__name__} has no effect on formulas, of which a compiled function is made: "
            "x.detach() is a value without gradient, and the function itself knows modes"
        )


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

    @overload
    def __new__(cls, f: None = None) -> Self: ...
    @overload
    def __new__(cls, f: F) -> F: ...  # type: ignore[misc]
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
        self._mode = mode = check_flag(type(self).__name__, "enabled", mode, 1)
        table, name = self._table(), self._field
        self._back = back_to(table, name)
        if not mode:
            table[name] = False
        elif name in table:
            del table[name]

    def __enter__(self) -> None:
        table, name, undo, end = self._table(), self._field, self._undo, len(self._undo)
        undo[end:] = (self._back,)
        if not self._mode:
            table[name] = False
        elif name in table:
            del table[name]

    def clone(self) -> Self:
        return type(self)(self._mode)

    def __call__(self, f: F) -> F:
        # As a decorator it only acts inside the calls.
        self._back()
        made: F = super().__call__(f)
        return made


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

    def _table(self) -> dict[str, Any]:
        return state.state.aside

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
    current: bool = state.state.aside.get("multithreading", True)
    return current
