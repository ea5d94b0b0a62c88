"""The default generator: its seed, and blocks after which its stream continues as before."""

from __future__ import annotations

import functools
import secrets
import threading
from typing import Any

import numpy as np

from symgrad.random.engine import Stream
from symgrad.random.streams import Generator
from symgrad.support.scopes import Block

#: The streams of threads that draw from one of their own.
_own = threading.local()


class DefaultGenerator(Generator):
    """The generator of draws that are given none, with one stream for the threads of a program.

    Only a thread that was given a seed of its own, as the workers of a `DataLoader`, has another
    stream: what it draws depends on that seed, and not on when other threads draw.
    """

    def _table(self) -> dict[str, Any]:
        """Return where the stream of this thread is stored."""
        own = _own.__dict__
        return own if own else self.__dict__

    @property
    def _stream(self) -> Stream:
        found: Stream = self._table()["_stream"]
        return found

    @_stream.setter
    def _stream(self, stream: Stream) -> None:
        self._table()["_stream"] = stream

    def clone_state(self) -> Generator:
        return Generator().set_state(self.get_state())

    def __reduce__(self) -> tuple[Any, ...]:
        return self.clone_state().__reduce__()


#: As in PyTorch, the first seed is random.
default_generator = DefaultGenerator(secrets.randbits(64))


def seed_this_thread(seed: int) -> None:
    """Let draws of this thread that are given no generator come from a stream of its own.

    Parameters
    ----------
    seed : int
        The seed of that stream.
    """
    _own.__dict__["_stream"] = Generator(seed)._stream


def manual_seed(seed: Any) -> Generator:
    """Seed the default generator and return it. Any object that ``int`` converts is a seed.

    Examples
    --------
    >>> import symgrad.random
    >>> symgrad.random.manual_seed(0).uniform((1,))
    array([0.4962566], dtype=float32)
    """
    try:
        value = int(seed)
    except (TypeError, ValueError, OverflowError) as error:
        raise type(error)(str(error)) from None
    return default_generator.manual_seed(value)


def seed() -> int:
    """Seed the default generator from the operating system and return the seed.

    Examples
    --------
    >>> import symgrad as torch
    >>> seed = torch.random.seed()
    >>> seed == torch.initial_seed()
    True
    """
    return default_generator.seed()


def initial_seed() -> int:
    """Return the seed that the default generator started from.

    Examples
    --------
    >>> _ = manual_seed(7)
    >>> initial_seed()
    7
    """
    return default_generator.initial_seed()


class forked(Block):  # noqa: N801 - it is read as a participle
    """Give the default generator its present stream again at the end of a block.

    Parameters
    ----------
    enabled : bool
        Whether the block has this effect.
    stream : Stream, optional
        The stream inside the block; by default a copy of the present one.
    """

    def __init__(self, enabled: bool, stream: Stream | None = None) -> None:
        super().__init__()
        self._enabled = enabled
        self._stream = stream

    def __enter__(self) -> None:
        undo, end, generator = self._undo, len(self._undo), default_generator
        if not self._enabled:
            undo[end:] = (bool,)  # does nothing
            return
        with generator._lock:
            table = generator._table()
            present = table["_stream"]
            copy = (self._stream or present).copy()
        undo[end:] = (functools.partial(table.__setitem__, "_stream", present),)
        table["_stream"] = copy


def fork_rng(devices: object = None, enabled: Any = True) -> forked:
    """Return a block after which the default generator continues as if nothing had been drawn.

    Parameters
    ----------
    devices
        Ignored: there is only the CPU.
    enabled
        Whether the block has this effect.

    Examples
    --------
    >>> _ = manual_seed(0)
    >>> with fork_rng():
    ...     inside = default_generator.uniform((2,))
    >>> np.array_equal(inside, default_generator.uniform((2,)))
    True
    """
    if isinstance(enabled, np.ndarray) and enabled.size != 1:
        raise TypeError(f"fork_rng(): enabled must be a bool, not an array of {enabled.size}")
    return forked(bool(enabled))
