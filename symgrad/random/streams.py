"""The generator of random numbers: draws from distributions, bit for bit PyTorch's on a CPU.

The draws (uniform, normal, integers, permutations, Bernoulli) are NumPy arrays. The functions of
tensors (``rand``, ``randn``, ...) stand in `symgrad.functions.creation`, further distributions in
`symgrad.random.sampling`. The words come from `symgrad.random.engine`, the elementary functions
from `symgrad.random.rounded`.
"""

from __future__ import annotations

import math
import secrets
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from symgrad.expr.devices import device as _device
from symgrad.random.draw_types import (
    C_NAMES,
    bounds_in,
    check_bounds,
    check_integers,
    check_probability,
    from_double,
    not_implemented,
)
from symgrad.random.engine import Stream
from symgrad.random.rounded import BLOCK, box_muller, libm, scale_and_shift
from symgrad.random.shuffling import shuffled
from symgrad.support.locks import new_lock

Array: TypeAlias = npt.NDArray[Any]
_F64: TypeAlias = npt.NDArray[np.float64]

#: The seed of a generator that is made without one.
DEFAULT_SEED = 67280421310721


def _check_seed(seed: object) -> int:
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)):
        raise RuntimeError(f"manual_seed expected a long, but got {type(seed).__name__}")
    value = int(seed)
    if not -(2**63) <= value < 2**64:
        raise ValueError("Overflow when unpacking long long")
    return value % 2**64


class Generator:
    """A stream of random numbers, the same as that of PyTorch's CPU generator.

    Several threads may draw from one generator; each draw is a contiguous piece of the stream.

    Parameters
    ----------
    device
        The CPU, as "cpu" or `torch.device("cpu")`. An integer in its place is a seed.
    seed
        An integer from -2**63 to 2**64 - 1, to which 2**64 is added if it is negative. The engine
        uses the low 32 bits, as in PyTorch.

    Raises
    ------
    RuntimeError
        For another device, and for a string that names none.

    Examples
    --------
    >>> g = Generator(device="cpu").manual_seed(0)
    >>> g.uniform((3,))
    array([0.4962566 , 0.7682218 , 0.08847743], dtype=float32)
    >>> g.permutation(5)
    array([0, 4, 2, 1, 3])
    """

    def __init__(
        self, device: _device | str | int | None = None, *, seed: int = DEFAULT_SEED
    ) -> None:
        if isinstance(device, (int, np.integer)):
            seed = device
        elif device is not None:
            found = device if isinstance(device, _device) else _device(device)
            if found.type != "cpu":
                raise RuntimeError(f"Generator(): symgrad draws on the CPU only, not on '{found}'")
        self._lock = new_lock()
        self._stream = Stream(_check_seed(seed))

    # -------------------------------------------------------------- seeding and state

    def manual_seed(self, seed: int) -> Generator:
        """Restart the stream from a seed and return this generator.

        Raises
        ------
        RuntimeError
            If `seed` is not an integer.
        ValueError
            If `seed` is outside [-2**63, 2**64).

        Examples
        --------
        >>> Generator().manual_seed(-1).initial_seed() == 2**64 - 1
        True
        """
        stream = Stream(_check_seed(seed))
        with self._lock:
            self._stream = stream
        return self

    def seed(self) -> int:
        """Restart the stream from a seed of the operating system, and return the seed.

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

    @property
    def device(self) -> _device:
        """The device of the stream, which is the CPU.

        Examples
        --------
        >>> Generator().device
        device(type='cpu')
        """
        return _device("cpu")

    def initial_seed(self) -> int:
        """Return the seed that the stream started from.

        Examples
        --------
        >>> Generator().initial_seed()
        67280421310721
        """
        return self._stream.seed

    def get_state(self) -> npt.NDArray[np.uint8]:
        """Return the state as 5056 bytes, as PyTorch's ``Generator.get_state()`` does.

        Examples
        --------
        >>> g = Generator()
        >>> state = g.get_state()
        >>> first = g.normal((3,))
        >>> _ = g.set_state(state)
        >>> np.array_equal(first, g.normal((3,)))
        True
        """
        with self._lock:
            return self._stream.to_bytes()

    def set_state(self, state: npt.NDArray[np.uint8]) -> Generator:
        """Continue from a state that `get_state` returned, here or in PyTorch.

        Raises
        ------
        TypeError
            If `state` is not an array of bytes.
        RuntimeError
            If `state` is not the state of a generator.

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
        stream = Stream.from_bytes(state)
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

    def __reduce__(self) -> tuple[Any, ...]:
        return _at_state, (type(self), self.get_state())

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
            A floating or complex type. The parts of a complex number are drawn independently.
        low, high
            The bounds, with ``low <= high``.

        Raises
        ------
        RuntimeError
            If the bounds are out of order or do not fit the type.
        NotImplementedError
            For another type.

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
            self._stream.fill_uniform(out)
        start: Any = wide.type(low)
        scale_and_shift(out, wide.type(high) - start, start)
        out = out.astype(dtype, copy=False)
        # As in PyTorch, a value that was rounded up to the excluded bound becomes the lower bound.
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

        PyTorch has two algorithms, which give different numbers: one by blocks of sixteen for
        contiguous tensors of at least sixteen elements; and one that makes two normals from two
        uniforms, and keeps the second normal for the next draw.

        Parameters
        ----------
        shape
            The shape of the result.
        dtype
            A floating or complex type. The parts of a complex number have half the variance each.
        mean, std
            The mean and the standard deviation.
        contiguous
            Whether the tensor that is filled is contiguous. For another tensor the caller puts the
            numbers into its memory in order.

        Raises
        ------
        RuntimeError
            If `std` is negative.
        NotImplementedError
            For another type.

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
        # PyTorch makes halves block by block, and draws no uniforms for an incomplete block.
        self._stream.fill_uniform(out[:whole] if dtype == np.float16 else out)
        for start in range(0, whole, BLOCK):
            box_muller(out[start : min(start + BLOCK, whole)].reshape(-1, 16))
        if whole < count:  # the last sixteen elements are drawn again
            last = out[-16:]
            self._stream.fill_uniform(last)
            box_muller(last.reshape(1, 16))
        scale_and_shift(out, std, mean)
        return out

    def _normal_pairs(self, count: int, mean: float, std: float) -> _F64:
        # One statement takes the normal away: a signal handler may draw in the middle of this.
        stream = self._stream
        ready, stream.next_normal = stream.next_normal, None
        first = [] if ready is None else [ready]
        new = count - len(first)
        uniforms = stream.uniform53(new + new % 2)
        radius = np.sqrt(-2.0 * libm("log1p")(-uniforms[1::2]))
        angle = 2 * math.pi * uniforms[::2]
        normals = np.empty_like(uniforms)
        np.multiply(radius, libm("cos")(angle), out=normals[::2])
        np.multiply(radius, libm("sin")(angle), out=normals[1::2])
        if new % 2:
            stream.next_normal = float(normals[-1])
        normals = np.concatenate([first, normals[:new]])
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
            A real type; a floating type holds whole numbers.

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
        """Draw integers from `low` to `low + span - 1`, without a check that the type holds them.

        Parameters
        ----------
        low, span
            Integers of 64 bits; the span 2**64 is that of all integers of 64 bits.
        shape
            The shape of the result.
        dtype
            The type of the result.
        bits
            The random bits of each integer, 32 or 64; by default 64 for a span of at least 2**28.

        Examples
        --------
        >>> Generator(0).integers_above(-1, 3, (4,))
        array([ 1, -1,  1, -1])
        """
        dtype, count = np.dtype(dtype), math.prod(shape)
        with self._lock:
            if (bits or (32 if span < 2**28 else 64)) == 32:
                words = self._stream.words32(count)
            else:
                words = self._stream.words64(count)
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
            The number of elements.
        dtype : dtype of NumPy
            The type of the result.

        Raises
        ------
        RuntimeError
            If `n` is negative, or the type does not have `n` different numbers.
        NotImplementedError
            If the type is neither floating nor integer.

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
            items = shuffled(self._stream, n)
        return items.astype(dtype, copy=False)

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
            probability for each element, as in ``torch.bernoulli(p)``. As in PyTorch, the two give
            different numbers.
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
                uniforms: Array = self._stream.uniform53(math.prod(shape))
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
            self._stream.fill_uniform(uniforms)
        return np.asarray(uniforms.reshape(p.shape) < p).astype(dtype)

    def one_by_one(self, make: Callable[[Callable[[], float]], Array]) -> Array:
        """Return what `make` computes of uniforms in [0, 1), of which it takes some.

        Parameters
        ----------
        make
            Is given the function that returns the next uniform, a double of 53 bits.

        Examples
        --------
        >>> g = Generator(0)
        >>> g.one_by_one(lambda take: np.array([take(), take()])).round(4)
        array([0.9701, 0.7078])
        >>> np.array_equal(Generator(0).uniform((3,), np.float64)[2:], g.uniform((1,), np.float64))
        True
        """
        with self._lock:
            ahead, taken = self._stream.copy(), 0
            numbers: list[float] = []

            def take() -> float:
                nonlocal taken
                if not numbers:
                    numbers.extend(ahead.uniform53(min(BLOCK, 64 + taken))[::-1].tolist())
                taken += 1
                return numbers.pop()

            made = make(take)
            self._stream.uniform53(taken)  # the stream goes on behind what was taken
        return made


#: The integer types of permutations, with their names in error messages.
_PERMUTED = {
    np.dtype(np.uint8): "uint8_t",
    np.dtype(np.int8): "int8_t",
    np.dtype(np.int16): "int16_t",
    np.dtype(np.int32): "int",
    np.dtype(np.int64): "int64_t",
}


def _at_state(cls: type[Generator], state: npt.NDArray[np.uint8]) -> Generator:
    """Return a generator that was pickled in a state."""
    return cls().set_state(state)
