"""The engine of the random streams: words of the Mersenne Twister, and uniforms made of them.

PyTorch's CPU generator and NumPy have the same engine, the 32-bit Mersenne Twister. PyTorch's
stream follows from how its words become numbers. A `Stream` is the state of one generator, which
PyTorch's bytes of a state describe completely.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from symgrad.random.rounded import BLOCK
from symgrad.support.locks import adopt
from symgrad.support.quiet import quietly
from symgrad.support.untraceable import UntraceableValue, is_traced

Array: TypeAlias = npt.NDArray[Any]

_WORDS = 624  # the size of the engine's state

# The layout of PyTorch's serialised generator state.
_STATE = np.dtype(
    {
        "names": ["seed", "left", "seeded", "next", "words", "normal", "has_normal"],
        "formats": ["<u8", "<i4", "<i4", "<u8", ("<u8", _WORDS), "<f8", "<i4"],
        "offsets": [0, 8, 12, 16, 24, 5024, 5040],
        "itemsize": 5056,
    }
)


class Stream:
    """The state of a generator, from which its next numbers follow.

    Parameters
    ----------
    seed : int
        A number of 64 bits.

    Attributes
    ----------
    engine : numpy.random.MT19937
        The engine, which makes the words.
    next_normal : float or None
        The second of a pair of normals of which only the first was returned.
    """

    __slots__ = ("engine", "next_normal", "seed")

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.engine: np.random.MT19937 = quietly(np.random.MT19937, 0)
        adopt(self.engine.lock)
        # RandomState seeds its engine as the reference code of the Mersenne Twister does.
        np.random.RandomState(self.engine).seed(seed & 0xFFFFFFFF)
        self.next_normal: float | None = None

    def copy(self) -> Stream:
        """Return another stream that gives the same numbers."""
        made = Stream(self.seed)
        made.engine.state = self.engine.state
        made.next_normal = self.next_normal
        return made

    def to_bytes(self) -> npt.NDArray[np.uint8]:
        """Return the state as 5056 bytes, in PyTorch's layout."""
        record = np.zeros((), _STATE)
        state = self.engine.state["state"]
        words, position = state["key"], state["pos"]
        record["seed"] = self.seed
        if self.next_normal is not None:
            record["normal"], record["has_normal"] = self.next_normal, 1
        # A state is a block of words and a position in it. Before the first draw, PyTorch has
        # position 0 of a block that is not made yet, and NumPy the end of the block before. Its
        # words are then those of the seed; the first of them is the seed itself.
        if position == _WORDS and int(words[0]) == self.seed & 0xFFFFFFFF:
            record["left"], record["next"] = 1, 0
        else:
            record["left"], record["next"] = _WORDS + 1 - position, position
        record["seeded"], record["words"] = 1, words
        return np.frombuffer(record.tobytes(), np.uint8).copy()

    @classmethod
    def from_bytes(cls, state: npt.NDArray[np.uint8]) -> Stream:
        """Return the stream of a state that `to_bytes` or PyTorch made.

        Raises
        ------
        TypeError
            If `state` is not an array of bytes.
        RuntimeError
            If it is not a generator's state.
        """
        if getattr(state, "dtype", None) != np.uint8:
            raise TypeError("RNG state must be a torch.ByteTensor")
        if state.size != _STATE.itemsize:
            raise RuntimeError(
                f"Expected a CPUGeneratorImplState of size {_STATE.itemsize} "
                f"but found the input RNG state size to be {state.size}"
            )
        record = np.frombuffer(state.tobytes(), _STATE).reshape(())
        left, position = int(record["left"]), int(record["next"])
        if not (record["seeded"] == 1 and 1 <= left <= _WORDS and position <= _WORDS):
            raise RuntimeError("Invalid mt19937 state")
        stream = cls(int(record["seed"]))
        engine_state: Any = {
            "key": record["words"].astype(np.uint32),
            "pos": _WORDS if left == 1 else position,
        }
        stream.engine.state = {"bit_generator": "MT19937", "state": engine_state}
        stream.next_normal = float(record["normal"]) if record["has_normal"] else None
        return stream

    def words32(self, count: int) -> npt.NDArray[np.uint64]:
        """Return words of 32 bits, from which all numbers are made."""
        if is_traced():
            raise UntraceableValue(
                "random numbers are drawn anew in each run, and a formula has those of none"
            )
        return self.engine.random_raw(count)

    def words64(self, count: int) -> npt.NDArray[np.uint64]:
        """Return words of 64 bits: each is two words of the engine, the high one first."""
        words = self.words32(2 * count)
        high: npt.NDArray[np.uint64] = words[::2] << np.uint64(32)
        high |= words[1::2]
        return high

    def fill_uniform(self, out: Array) -> None:
        """Fill a flat array with uniforms in [0, 1), floats of 24 bits or doubles of 53 bits."""
        for start in range(0, out.size, BLOCK):
            block = out[start : start + BLOCK]
            if block.dtype == np.float32:
                words = self.words32(block.size) & np.uint64(2**24 - 1)
                np.multiply(words.view(np.int64), 2.0**-24, out=block, casting="same_kind")
            else:
                words = self.words64(block.size) & np.uint64(2**53 - 1)
                np.multiply(words.view(np.int64), 2.0**-53, out=block)

    def uniform53(self, count: int) -> npt.NDArray[np.float64]:
        """Return uniforms in [0, 1) of 53 bits."""
        out = np.empty(count, np.float64)
        self.fill_uniform(out)
        return out
