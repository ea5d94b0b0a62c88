"""How one call is made and judged: what came of it, whether on purpose, and what it left behind."""

from __future__ import annotations

import contextlib
import ctypes
import dis
import re
import signal
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

import numpy as np

import numeric
import symgrad
from symgrad.random import default_generator
from symgrad.record.modes import state
from symgrad.tensor.formatting import get_printoptions, set_printoptions

from . import values

PACKAGES = tuple(str(Path(p.__file__).parent) for p in (symgrad, numeric))  # type: ignore[arg-type]

#: One letter for each class of what a call raises; a full stop for what returns.
LETTERS = {
    "TypeError": "T", "ValueError": "V", "RuntimeError": "R", "IndexError": "I",
    "NotImplementedError": "N", "OverflowError": "O", "AttributeError": "A", "KeyError": "K",
    "AssertionError": "S", "ZeroDivisionError": "Z", "_LinAlgError": "R", "BufferError": "B",
    "UnicodeDecodeError": "V", "GradcheckError": "R", "StopIteration": "X",
}  # fmt: skip
ABSENT = "-"  # PyTorch has no such function, or no such value
ALLOWED = (TypeError, ValueError, RuntimeError, IndexError, OverflowError, BufferError)
NEVER = (AttributeError, KeyError, AssertionError, RecursionError, MemoryError, SystemError)

# What only who reads the library's code can make sense of.
INTERNAL = re.compile(
    r"\b((?!_backward_hooks)_[a-z]\w*|ufunc|numpy\.core|Recorded|DType|loop with signature)\b|"
    r"setting an array element|could not be broadcast|TypedArg"
)

#: What Python says of a call that does not fit a function written in it.
PYTHONS = re.compile(
    r"^[\w.<>]+\(\) (missing \d+ required|takes |got an unexpected keyword|got multiple values|"
    r"got some positional-only)"
)


#: Of computing: what takes longer hangs, on the slowest machine.
SECONDS = 120.0


class Hanging(BaseException):
    """A call takes longer than any of these could."""


class Outcome(NamedTuple):
    """What came of a call."""

    error: BaseException | None
    changed: str

    @property
    def letter(self) -> str:
        return "." if self.error is None else LETTERS.get(type(self.error).__name__, "?")

    @property
    def line(self) -> str:
        return "" if self.error is None else str(self.error).partition("\n")[0]


def raised_on_purpose(error: BaseException) -> bool:
    """Whether a `raise` statement of symgrad's own raised it."""
    last: TracebackType | None = error.__traceback__
    if last is None:
        return False
    while last.tb_next is not None:
        last = last.tb_next
    code = last.tb_frame.f_code
    if code.co_filename == values.__file__:
        return True  # a function of the user's, as these calls have them
    if not code.co_filename.startswith(PACKAGES):
        return False
    return dis.opname[code.co_code[last.tb_lasti]] == "RAISE_VARARGS"


def _tensors(x: Any, depth: int = 0) -> Iterator[Any]:
    if isinstance(x, symgrad.Tensor):
        yield x
    elif isinstance(x, (list, tuple)) and depth < 3:
        for y in x:
            yield from _tensors(y, depth + 1)


def _seen(x: Any) -> tuple[Any, ...]:
    data = x._data
    return (
        data.tobytes(), data.shape, data.strides, data.dtype, x._rg, x.is_leaf, x._version,
        x.grad_fn is None, x.is_leaf and x.grad is not None,
    )  # fmt: skip


def _drawn() -> tuple[Any, ...]:
    """Where the default stream of random numbers stands; to ask for its state takes long."""
    stream = default_generator._stream
    address = stream.engine.ctypes.state_address
    word, place = ctypes.c_uint32.from_address(address), ctypes.c_int.from_address(address + 2496)
    return word.value, place.value, stream.next_normal


def _modes() -> tuple[Any, ...]:
    s = state.state
    return (
        s.grad_mode, s.inference, dict(s.special), dict(s.aside),
        symgrad.get_default_dtype(), tuple(np.geterr().items()),
        symgrad.is_anomaly_enabled(), symgrad.is_anomaly_check_nan_enabled(),
        get_printoptions(), *_drawn(),
    )  # fmt: skip


def restore() -> None:
    """Undo what a call that succeeds has set."""
    symgrad.set_grad_enabled(True)
    symgrad.autograd.set_multithreading_enabled(True)
    symgrad.set_default_dtype(symgrad.float32)
    symgrad.set_anomaly_enabled(False)
    set_printoptions(profile="default")
    set_printoptions(sci_mode=None)
    np.seterr(divide="warn", over="warn", under="ignore", invalid="warn")
    symgrad.manual_seed(0)


def attempt(
    call: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any], t: Any = symgrad
) -> Outcome:
    """Make a call; of symgrad, see to what it changed where it failed."""
    ours = t is symgrad
    if ours:
        modes, seen = _modes(), [_seen(x) for x in _tensors((*args, *kwargs.values()))]
    try:
        with warnings.catch_warnings(), bounded():
            warnings.simplefilter("ignore")
            call(*args, **kwargs)
        return Outcome(None, "")
    except Hanging as error:
        return Outcome(error, "")
    except Exception as error:
        caught = error
    if not ours:
        return Outcome(caught, "")
    changed = ""
    # A check that finds a derivative wrong has drawn what it was checked with.
    if _modes() != modes and type(caught).__name__ != "GradcheckError":
        changed = "modes"
    for x, before in zip(_tensors((*args, *kwargs.values())), seen, strict=True):
        if _seen(x) != before:
            changed = f"{changed} operand".strip()
    return Outcome(caught, changed)


def fault(outcome: Outcome, theirs: str) -> str:
    """Return what is wrong with an outcome beside PyTorch's letters; empty where nothing is."""
    error = outcome.error
    if error is None:
        return ""
    if isinstance(error, Hanging):
        return "" if theirs == "?" else "hangs"  # PyTorch takes as long
    if outcome.changed:
        return f"changed {outcome.changed}"
    same = outcome.letter in theirs
    if isinstance(error, NEVER) and not same:
        return "class"
    if not isinstance(error, ALLOWED) and not same:
        return "class"
    # Where PyTorch's function is written in Python, what Python says of an argument is its error,
    # too; so is what it says of a call that does not fit a function that symgrad alone has.
    said = same or (theirs == ABSENT and PYTHONS.match(outcome.line))
    if not said and not raised_on_purpose(error):
        return "leak"
    if not outcome.line.strip() and not same:
        return "empty message"
    if not raised_on_purpose(error) and INTERNAL.search(outcome.line):
        return "names internals"
    return ""


@contextlib.contextmanager
def bounded() -> Iterator[None]:
    """Interrupt what hangs."""

    def interrupt(*_: Any) -> None:
        raise Hanging

    # Of the time that this process computes, whatever else the machine does.
    before = signal.signal(signal.SIGPROF, interrupt)
    signal.setitimer(signal.ITIMER_PROF, SECONDS, 1.0)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
