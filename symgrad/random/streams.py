"""PyTorch's CPU random streams, reproduced bit for bit on NumPy arrays.

Here live the generator, its seeding and state, and the draws (uniform, normal, integers,
permutations, Bernoulli, ...) as plain arrays. Tensors, devices and the functions named like
PyTorch's (``rand``, ``randn``, ...) wrap these elsewhere.

The engine is the 32-bit Mersenne Twister, which NumPy has too; what makes a stream PyTorch's is how
its words become numbers: `symgrad.random.rounded` has the elementary functions.
"""

from __future__ import annotations

import functools
import math
import secrets
from array import array
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from symgrad.random.draw_types import (
    C_NAMES,
    bounds_in,
    check_bounds,
    check_integers,
    check_probability,
    from_double,
    not_implemented,
)
from symgrad.random.rounded import BLOCK, box_muller, libm, scale_and_shift
from symgrad.support.locks import adopt, new_lock
from symgrad.support.quiet import quietly
from symgrad.support.scopes import Block

__all__ = [
    "Generator",
    "default_generator",
    "fork_rng",
    "initial_seed",
    "manual_seed",
    "seed",
]

Array: TypeAlias = npt.NDArray[Any]
_F32: TypeAlias = npt.NDArray[np.float32]
_F64: TypeAlias = npt.NDArray[np.float64]

#: What a generator that nobody seeded starts from.
DEFAULT_SEED = 67280421310721

_WORDS = 624  # the size of the engine's state

# ------------------------------------------------------------------ the generator

# The layout of PyTorch's serialised generator state.
_STATE = np.dtype(
    {
        "names": ["seed", "left", "seeded", "next", "words", "normal", "has_normal"],
        "formats": ["<u8", "<i4", "<i4", "<u8", ("<u8", _WORDS), "<f8", "<i4"],
        "offsets": [0, 8, 12, 16, 24, 5024, 5040],
        "itemsize": 5056,
    }
)


def _check_seed(seed: object) -> int:
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)):
        raise RuntimeError(f"manual_seed expected a long, but got {type(seed).__name__}")
    value = int(seed)
    if not -(2**63) <= value < 2**64:
        raise ValueError("Overflow when unpacking long long")
    return value % 2**64


class _Stream:
    """The numbers that a generator gives next.

    A generator takes another one at once, so that there is no state between two seeds.

    Attributes
    ----------
    seed : int
        Where it started from.
    engine : numpy.random.MT19937
        Gives its words.
    next_normal : float or None
        The second of a pair of normals of which the first was given.
    """

    __slots__ = ("engine", "next_normal", "seed")

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.engine: np.random.MT19937 = quietly(np.random.MT19937, 0)
        adopt(self.engine.lock)
        # RandomState seeds its engine as the reference code of the Mersenne Twister does.
        np.random.RandomState(self.engine).seed(seed & 0xFFFFFFFF)
        self.next_normal: float | None = None

    def copy(self) -> _Stream:
        """Return another one that gives the same numbers."""
        made = _Stream(self.seed)
        made.engine.state = self.engine.state
        made.next_normal = self.next_normal
        return made


class Generator:
    """A stream of random numbers: the one that PyTorch's CPU generator gives.

    Every draw is safe to call from several threads; each gets a contiguous piece of the stream.

    Parameters
    ----------
    seed
        An integer from -2**63 to 2**64 - 1; negative ones count from 2**64. Of all these bits the
        engine uses the low 32, as in PyTorch.

    Examples
    --------
    >>> g = Generator().manual_seed(0)
    >>> g.uniform((3,))
    array([0.4962566 , 0.7682218 , 0.08847743], dtype=float32)
    >>> g.permutation(5)
    array([0, 4, 2, 1, 3])
    """

    def __init__(self, seed: int = DEFAULT_SEED) -> None:
        self._lock = new_lock()
        self._stream = _Stream(_check_seed(seed))

    # -------------------------------------------------------------- seeding and state

    def manual_seed(self, seed: int) -> Generator:
        """Restart the stream from a seed and return this generator.

        Raises
        ------
        RuntimeError
            If `seed` is not an integer.
        ValueError
            If it is outside [-2**63, 2**64).

        Examples
        --------
        >>> Generator().manual_seed(-1).initial_seed() == 2**64 - 1
        True
        """
        stream = _Stream(_check_seed(seed))
        with self._lock:
            self._stream = stream
        return self

    def seed(self) -> int:
        """Restart the stream from a seed that the operating system gives, and return the seed.

        Examples
        --------
        >>> import symgrad as torch
        >>> g = torch.Generator()
        >>> g.seed() == g.initial_seed()
        True
        """
        value = secrets.randbits(64)
        self.manual_seed(value)
        return value

    def initial_seed(self) -> int:
        """Return the seed that the stream started from.

        Examples
        --------
        >>> Generator().initial_seed()
        67280421310721
        """
        return self._stream.seed

    def get_state(self) -> npt.NDArray[np.uint8]:
        """Return the state as 5056 bytes, laid out as PyTorch's ``Generator.get_state()``.

        Examples
        --------
        >>> g = Generator()
        >>> state = g.get_state()
        >>> first = g.normal((3,))
        >>> _ = g.set_state(state)
        >>> np.array_equal(first, g.normal((3,)))
        True
        """
        record = np.zeros((), _STATE)
        with self._lock:
            stream = self._stream
            state = stream.engine.state["state"]
            words, position = state["key"], state["pos"]
            record["seed"] = stream.seed
            if stream.next_normal is not None:
                record["normal"], record["has_normal"] = stream.next_normal, 1
        # Before the first draw PyTorch's position is 0 of a block still to be made, and NumPy's is
        # the end of the one before; then the words are those the seed gives, the first itself.
        if position == _WORDS and int(words[0]) == int(record["seed"]) & 0xFFFFFFFF:
            record["left"], record["next"] = 1, 0
        else:
            record["left"], record["next"] = _WORDS + 1 - position, position
        record["seeded"], record["words"] = 1, words
        return np.frombuffer(record.tobytes(), np.uint8).copy()

    def set_state(self, state: npt.NDArray[np.uint8]) -> Generator:
        """Continue from a state that `get_state`, here or in PyTorch, returned.

        Raises
        ------
        TypeError
            If `state` is not an array of bytes.
        RuntimeError
            If it is not a generator's state.

        Examples
        --------
        >>> import symgrad as torch
        >>> g = torch.Generator().manual_seed(1)
        >>> state = g.get_state()
        >>> first = torch.rand(2, generator=g)
        >>> _ = g.set_state(state)
        >>> torch.equal(torch.rand(2, generator=g), first)
        True
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
        stream = _Stream(int(record["seed"]))
        engine_state: Any = {
            "key": record["words"].astype(np.uint32),
            "pos": _WORDS if left == 1 else position,
        }
        stream.engine.state = {"bit_generator": "MT19937", "state": engine_state}
        stream.next_normal = float(record["normal"]) if record["has_normal"] else None
        with self._lock:
            self._stream = stream
        return self

    def clone_state(self) -> Generator:
        """Return a new generator that continues as this one would.

        Examples
        --------
        >>> g = Generator()
        >>> g.clone_state().permutation(9).tolist() == g.permutation(9).tolist()
        True
        """
        return type(self)().set_state(self.get_state())

    # -------------------------------------------------------------- words of the engine

    def _words64(self, count: int) -> npt.NDArray[np.uint64]:
        """Return 64-bit words: each two of the engine's, the high one first."""
        words = self._stream.engine.random_raw(2 * count)
        high: npt.NDArray[np.uint64] = words[::2] << np.uint64(32)
        high |= words[1::2]
        return high

    def _fill_uniform(self, out: Array) -> None:
        """Fill a flat array with uniforms in [0, 1) of as many bits as its type has."""
        for start in range(0, out.size, BLOCK):
            block = out[start : start + BLOCK]
            if block.dtype == np.float32:
                words = self._stream.engine.random_raw(block.size) & np.uint64(2**24 - 1)
                np.multiply(words.view(np.int64), 2.0**-24, out=block, casting="same_kind")
            else:
                words = self._words64(block.size) & np.uint64(2**53 - 1)
                np.multiply(words.view(np.int64), 2.0**-53, out=block)

    def _uniform53(self, count: int) -> _F64:
        out = np.empty(count, np.float64)
        self._fill_uniform(out)
        return out

    # -------------------------------------------------------------- distributions

    def uniform(
        self,
        shape: Sequence[int],
        dtype: npt.DTypeLike = np.float32,
        low: float = 0.0,
        high: float = 1.0,
    ) -> Array:
        """Draw from the uniform distribution over [low, high).

        Parameters
        ----------
        shape
            The shape of the result.
        dtype
            A floating or complex type; complex draws are independent real and imaginary parts.
        low, high
            The bounds, with ``low <= high``.

        Raises
        ------
        RuntimeError
            If the bounds are out of order or do not fit the type.
        NotImplementedError
            For any other type.

        Examples
        --------
        >>> Generator(0).uniform((2,), np.float64, -1, 1)
        array([0.940106  , 0.41563973])
        """
        dtype = np.dtype(dtype)
        if dtype.kind == "c":
            if not math.prod(shape):
                return np.empty(shape, dtype)
            parts = np.float32 if dtype == np.complex64 else np.float64
            return self.uniform((*shape, 2), parts, low, high).view(dtype)[..., 0]
        if dtype.kind != "f":
            raise not_implemented("check_uniform_bounds", dtype)
        most = float(np.finfo(dtype).max)
        check_bounds("from", low, -most, most, dtype)
        check_bounds("to", high, -most, most, dtype)
        if low > high:
            raise RuntimeError(
                "uniform_ expects to return a [from, to) range, "
                f"but found from={low:g} > to={high:g}"
            )
        if high - low > most:
            raise RuntimeError(
                f"uniform_ expects to-from <= std::numeric_limits<{C_NAMES[dtype.name][1]}>"
                f"::max(), but found to={high:g} and from={low:g} "
                "which result in to-from to exceed the limit"
            )
        wide = np.dtype(np.float64 if dtype == np.float64 else np.float32)
        out: Array = np.empty(math.prod(shape), wide)
        with self._lock:
            self._fill_uniform(out)
        start: Any = wide.type(low)
        scale_and_shift(out, wide.type(high) - start, start)
        out = out.astype(dtype, copy=False)
        # A value that rounds up to the excluded bound starts again from the other one.
        out[out == np.array(high, dtype)] = low
        return out.reshape(shape)

    def normal(
        self,
        shape: Sequence[int],
        dtype: npt.DTypeLike = np.float32,
        mean: float = 0.0,
        std: float = 1.0,
        *,
        contiguous: bool = True,
    ) -> Array:
        """Draw from the normal distribution.

        PyTorch has two algorithms, and so two streams: one by blocks of sixteen for contiguous
        tensors of at least that many elements, and one that makes two normals from two uniforms and
        keeps the second for the next draw.

        Parameters
        ----------
        shape
            The shape of the result.
        dtype
            A floating or complex type; the variance of a complex draw is shared by its parts.
        mean, std
            Mean and standard deviation.
        contiguous
            Whether the tensor to be filled is contiguous. Where it is not, the caller draws in the
            order of its memory.

        Raises
        ------
        RuntimeError
            If `std` is negative.
        NotImplementedError
            For any other type.

        Examples
        --------
        >>> g = Generator(0)
        >>> g.normal((3,))
        array([ 1.5409961, -0.2934289, -2.1787894], dtype=float32)
        >>> g.normal((2, 1), np.float64, mean=10, std=2)
        array([[11.13686255],
               [ 7.83095532]])
        """
        dtype = np.dtype(dtype)
        if not std >= 0:
            raise RuntimeError(f"normal expects std >= 0.0, but found std {std:g}")
        if not math.prod(shape):
            return np.empty(shape, dtype)
        if dtype.kind == "c":
            parts = np.float32 if dtype == np.complex64 else np.float64
            std = std / math.sqrt(2)
            values = self.normal((*shape, 2), parts, mean, std, contiguous=contiguous)
            return values.view(dtype)[..., 0]
        if dtype.kind != "f":
            raise not_implemented("normal_kernel_cpu", dtype)
        count = math.prod(shape)
        with self._lock:
            if count >= 16 and contiguous:
                values = self._normal_blocks(count, dtype, mean, std)
            else:
                values = self._normal_pairs(count, mean, std)
        return from_double(values, dtype).reshape(shape)

    def _normal_blocks(self, count: int, dtype: np.dtype[Any], mean: float, std: float) -> Array:
        out = np.empty(count, np.float64 if dtype == np.float64 else np.float32)
        whole = count - count % 16
        # Halves are made block by block, so that the uniforms of a part block are never drawn.
        self._fill_uniform(out[:whole] if dtype == np.float16 else out)
        for start in range(0, whole, BLOCK):
            box_muller(out[start : min(start + BLOCK, whole)].reshape(-1, 16))
        if whole < count:  # the last sixteen are drawn anew
            last = out[-16:]
            self._fill_uniform(last)
            box_muller(last.reshape(1, 16))
        scale_and_shift(out, std, mean)
        return out

    def _normal_pairs(self, count: int, mean: float, std: float) -> _F64:
        # Taken at once: a signal handler may draw here as well.
        stream = self._stream
        ready, stream.next_normal = stream.next_normal, None
        kept = [] if ready is None else [ready]
        new = count - len(kept)
        uniforms = self._uniform53(new + new % 2)
        radius = np.sqrt(-2.0 * libm("log1p")(-uniforms[1::2]))
        angle = 2 * math.pi * uniforms[::2]
        normals = np.empty_like(uniforms)
        np.multiply(radius, libm("cos")(angle), out=normals[::2])
        np.multiply(radius, libm("sin")(angle), out=normals[1::2])
        if new % 2:
            stream.next_normal = float(normals[-1])
        normals = np.concatenate([kept, normals[:new]])
        scale_and_shift(normals, std, mean)
        return normals

    def random_integers(
        self,
        low: int,
        high: int,
        shape: Sequence[int],
        dtype: npt.DTypeLike = np.int64,
    ) -> Array:
        """Draw integers from [low, high).

        Parameters
        ----------
        low, high
            The bounds, 64-bit integers with ``low < high``.
        shape
            The shape of the result.
        dtype
            Its type; floating types hold whole numbers.

        Raises
        ------
        RuntimeError
            If the bounds are out of order or do not fit the type.

        Examples
        --------
        >>> Generator(0).random_integers(0, 10, (2, 3))
        array([[4, 9, 3],
               [0, 3, 9]])
        """
        dtype = np.dtype(dtype)
        if low >= high:
            raise RuntimeError(
                f"random_ expects 'from' to be less than 'to', but got from={low} >= to={high}"
            )
        if dtype.kind == "f":
            low, high = bounds_in(dtype, low, high)
        check_integers(low, high - 1, dtype)
        return self.integers_above(low, high - low, shape, dtype)

    def integers_above(
        self,
        low: int,
        span: int,
        shape: Sequence[int],
        dtype: npt.DTypeLike = np.int64,
        *,
        bits: int | None = None,
    ) -> Array:
        """Draw integers from the `span` ones that begin with `low`, whatever the type holds.

        Parameters
        ----------
        low, span
            Of 64 bits; a span of 2**64 is that of all.
        shape
            The shape of the result.
        dtype
            Its type.
        bits
            How many of the stream's each is made of, 32 or 64; by default as the span asks for.

        Examples
        --------
        >>> Generator(0).integers_above(-1, 3, (4,))
        array([ 1, -1,  1, -1])
        """
        dtype, count = np.dtype(dtype), math.prod(shape)
        with self._lock:
            if (bits or (32 if span < 2**28 else 64)) == 32:
                words = self._stream.engine.random_raw(count)
            else:
                words = self._words64(count)
        if span < 2**64:
            words %= np.uint64(span)
        integers = words.view(np.int64)
        integers += np.int64(low)
        if dtype == np.float16:
            integers = integers.astype(np.float32)
        return integers.astype(dtype, copy=False).reshape(shape)

    def permutation(self, n: int, dtype: npt.DTypeLike = np.int64) -> Array:
        """Draw a permutation of 0, ..., n - 1.

        Parameters
        ----------
        n : int
            How many numbers.
        dtype : dtype of NumPy
            The type of the result.

        Raises
        ------
        RuntimeError
            If `n` is negative or the type cannot tell n numbers apart.
        NotImplementedError
            For other types than floating and integer ones.

        Examples
        --------
        >>> Generator(0).permutation(6)
        array([2, 5, 3, 0, 1, 4])
        """
        dtype = np.dtype(dtype)
        if n < 0:
            raise RuntimeError(f"Trying to create tensor with negative dimension {n}: [{n}]")
        if dtype.kind == "f":
            digits = np.finfo(dtype).nmant + 1
            if n > 2**digits + 1:
                most = "2049" if dtype == np.float16 else f"2^{digits}+1"
                name = C_NAMES[dtype.name][1]
                raise RuntimeError(f"n cannot be greater than {most} for {name} type.")
        elif dtype not in _PERMUTED:
            raise not_implemented("randperm", dtype)
        elif n > np.iinfo(dtype).max + 1:
            name = _PERMUTED[dtype]
            raise RuntimeError(f"value cannot be converted to type {name} without overflow")
        with self._lock:
            items = self._shuffle(n) if n < _LARGE_SHUFFLE else np.array(self._shuffle_large(n))
        return items.astype(dtype, copy=False)

    def _shuffle(self, n: int) -> Array:
        """Swap each element with one of those not before it (Fisher and Yates)."""
        items = np.arange(n)
        start = 0
        while n - start > _SHORT_SHUFFLE:
            # Among √n swaps of n elements about one meets another.
            stop = start + math.isqrt(n - start)
            _swap(items, start, self._partners(start, stop, n))
            start = stop
        rest = items[start:].tolist()
        for i, j in enumerate((self._partners(start, n - 1, n) - start).tolist()):
            rest[i], rest[j] = rest[j], rest[i]
        items[start:] = rest
        return items

    def _partners(self, start: int, stop: int, n: int) -> Array:
        count = max(stop - start, 0)
        i = np.arange(start, start + count)
        return i + self._stream.engine.random_raw(count).view(np.int64) % (n - i)

    def _shuffle_large(self, n: int) -> array[int]:
        """Insert each number among those before it; 64 bits tell so many apart fairly."""
        items = array("q", bytes(8 * n))
        for start in range(0, n, BLOCK):
            i = np.arange(start, min(start + BLOCK, n), dtype=np.uint64)
            j = self._words64(i.size) % (i + np.uint64(1))
            for a, b in zip(i.tolist(), j.tolist(), strict=True):
                items[a] = items[b]
                items[b] = a
        return items

    def bernoulli(
        self,
        p: float | Array,
        shape: Sequence[int] | None = None,
        dtype: npt.DTypeLike | None = None,
    ) -> Array:
        """Draw ones with probability `p` and zeros otherwise.

        Parameters
        ----------
        p
            A number, as in ``Tensor.bernoulli_(0.3)`` and dropout, or an array of floats with one
            probability for each element, as in ``torch.bernoulli(p)``. The two read different
            streams in PyTorch.
        shape
            The shape of the result; by default that of `p`.
        dtype
            The type of the result; by default that of `p`, and float32 for a number.

        Raises
        ------
        RuntimeError
            If a probability is outside [0, 1].
        NotImplementedError
            If the probabilities are not real floating numbers.

        Examples
        --------
        >>> Generator(0).bernoulli(0.5, (4,))
        array([0., 0., 1., 0.], dtype=float32)
        >>> Generator(0).bernoulli(np.array([0.0, 1.0, 0.9]))
        array([0., 1., 1.])
        """
        if not isinstance(p, np.ndarray):
            if not 0 <= p <= 1:
                raise RuntimeError(f"bernoulli_ expects p to be in [0, 1], but got p={p:g}")
            shape, dtype = shape or (), np.dtype(dtype or np.float32)
            if not math.prod(shape):
                return np.empty(shape, dtype)
            if dtype.kind == "c":
                raise not_implemented("bernoulli_scalar_cpu_", dtype)
            with self._lock:
                uniforms: Array = self._uniform53(math.prod(shape))
            return (uniforms < p).astype(dtype).reshape(shape)
        dtype = np.dtype(dtype or p.dtype)
        if not p.size:
            return np.empty(p.shape if shape is None else tuple(shape), dtype)
        if dtype.kind == "c":
            raise not_implemented("bernoulli_tensor_cpu_self_", dtype)
        if p.dtype.kind != "f":
            raise not_implemented("bernoulli_tensor_cpu_p_", p.dtype)
        p = np.broadcast_to(p, p.shape if shape is None else tuple(shape))
        check_probability(bool(np.all((p >= 0) & (p <= 1))))
        uniforms = np.empty(p.size, np.float64 if p.dtype == np.float64 else np.float32)
        with self._lock:
            self._fill_uniform(uniforms)
        return np.asarray(uniforms.reshape(p.shape) < p).astype(dtype)


# The integer types a permutation may have, as its errors name them.
_PERMUTED = {
    np.dtype(np.uint8): "uint8_t",
    np.dtype(np.int8): "int8_t",
    np.dtype(np.int16): "int16_t",
    np.dtype(np.int32): "int",
    np.dtype(np.int64): "int64_t",
}
_SHORT_SHUFFLE = 2**14  # elements that a plain loop shuffles faster
_LARGE_SHUFFLE = (2**32 - 1) // 20  # from here on 32-bit words would be visibly unfair


def _swap(items: Array, start: int, partners: Array) -> None:
    """Swap ``items[start + k]`` with ``items[partners[k]]``, for each k in order."""
    count = len(partners)
    if count < 16:
        for i, j in enumerate(partners.tolist(), start):
            items[i], items[j] = items[j], items[i]
        return
    stop = start + count
    ordered = np.sort(partners)
    if ordered[0] >= stop and (ordered[1:] != ordered[:-1]).all():  # no swap meets another
        items[start:stop], items[partners] = items[partners], items[start:stop].copy()
    else:
        half = count // 2
        _swap(items, start, partners[:half])
        _swap(items, start + half, partners[half:])


# ------------------------------------------------------------------ the default generator

#: The generator that draws use when none is given; like PyTorch's, it starts anywhere.
default_generator = Generator(secrets.randbits(64))


def manual_seed(seed: Any) -> Generator:
    """Seed the default generator and return it; whatever ``int`` accepts is a seed.

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
    """Let the default generator continue after a block as if nothing had been drawn inside.

    Parameters
    ----------
    enabled : bool
        Whether to do so at all.
    stream : _Stream, optional
        What it gives inside, in the place of what it gives without the block.
    """

    def __init__(self, enabled: bool, stream: _Stream | None = None) -> None:
        super().__init__()
        self._enabled = enabled
        self._inside = stream

    def __enter__(self) -> None:
        undo, end, generator = self._undo, len(self._undo), default_generator
        if not self._enabled:
            undo[end:] = (bool,)  # does nothing
            return
        with generator._lock:
            present = generator._stream
            inside = (self._inside or present).copy()
        undo[end:] = (functools.partial(setattr, generator, "_stream", present),)
        generator._stream = inside


def fork_rng(devices: object = None, enabled: Any = True) -> forked:
    """Let the default generator continue afterwards as if nothing had been drawn inside.

    Parameters
    ----------
    devices
        Accepted for PyTorch's sake; there is only the CPU.
    enabled
        Whether to do so at all.

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
