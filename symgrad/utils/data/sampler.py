"""Samplers: in which order the elements of a data set are read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Sized
from itertools import islice, repeat
from typing import Any, Generic, TypeVar

from symgrad.expr.dtypes import float64
from symgrad.functions.creation import CREATION
from symgrad.random.default_stream import default_generator
from symgrad.random.streams import Generator

_T_co = TypeVar("_T_co", covariant=True)

#: How many indices are drawn at a time where an index may come again.
_DRAWN_TOGETHER = 32


def random_seed(generator: Generator | None) -> int:
    """Return a number from 0 to 2**63 - 1, drawn as ``Tensor.random_()`` of int64 draws it."""
    stream = default_generator if generator is None else generator
    return int(stream.integers_above(0, 2**63, (), bits=64))


def _check_count(name: str, value: Any) -> None:
    """Raise for what is no positive integer."""
    if not isinstance(value, int) or isinstance(value, bool) or value <= 0:
        raise ValueError(f"{name} should be a positive integer value, but got {name}={value}")


def _check_flag(name: str, value: Any, error: type[Exception]) -> None:
    if not isinstance(value, bool):
        raise error(f"{name} should be a boolean value, but got {name}={value}")


class Sampler(Generic[_T_co]):
    """The base class of samplers, which iterate over indices, or over lists of indices.

    A subclass defines ``__iter__``, and ``__len__`` where the number of indices is known.

    Examples
    --------
    >>> from symgrad.utils.data import DataLoader, Sampler
    >>> class Backwards(Sampler):
    ...     def __init__(self, data):
    ...         self.data = data
    ...
    ...     def __iter__(self):
    ...         return iter(range(len(self.data) - 1, -1, -1))
    >>> list(DataLoader([1, 2, 3], sampler=Backwards([1, 2, 3]), batch_size=None))
    [3, 2, 1]
    """

    def __iter__(self) -> Iterator[_T_co]:
        raise NotImplementedError


class SequentialSampler(Sampler[int]):
    """The indices of a data set in their order.

    Parameters
    ----------
    data_source : sized
        The data set.

    Examples
    --------
    >>> from symgrad.utils.data import SequentialSampler
    >>> list(SequentialSampler("abc"))
    [0, 1, 2]
    """

    def __init__(self, data_source: Sized) -> None:
        self.data_source = data_source

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self.data_source)))

    def __len__(self) -> int:
        return len(self.data_source)


class RandomSampler(Sampler[int]):
    """The indices of a data set in a random order.

    Parameters
    ----------
    data_source : sized
        The data set.
    replacement : bool
        Whether an index may come several times before each has come once.
    num_samples : int, optional
        How many indices there are; by default as many as elements.
    generator : Generator, optional
        What draws; by default a generator whose seed the default one draws.

    Raises
    ------
    ValueError
        If there is nothing to sample.
    TypeError
        If `replacement` is no bool.

    Examples
    --------
    >>> import symgrad as torch
    >>> from symgrad.utils.data import RandomSampler
    >>> list(RandomSampler(range(5), generator=torch.Generator().manual_seed(0)))
    [4, 0, 1, 3, 2]
    """

    def __init__(
        self,
        data_source: Sized,
        replacement: bool = False,
        num_samples: int | None = None,
        generator: Generator | None = None,
    ) -> None:
        _check_flag("replacement", replacement, TypeError)
        self.data_source = data_source
        self.replacement = replacement
        self.generator = generator
        self._num_samples = num_samples
        _check_count("num_samples", self.num_samples)

    @property
    def num_samples(self) -> int:
        """How many indices there are.

        Examples
        --------
        >>> from symgrad.utils.data import RandomSampler
        >>> RandomSampler(range(5)).num_samples
        5
        """
        return len(self.data_source) if self._num_samples is None else self._num_samples

    def __iter__(self) -> Iterator[int]:
        length = len(self.data_source)
        generator = self.generator
        if generator is None:
            generator = Generator(random_seed(None))
        together = _DRAWN_TOGETHER if self.replacement else length
        whole, rest = divmod(self.num_samples, together)
        # As in PyTorch, the last piece is drawn even where it is empty.
        for count in (*repeat(together, whole), rest):
            if self.replacement:
                drawn = generator.random_integers(0, length, (count,))
            else:
                drawn = generator.permutation(length)[:count]
            yield from drawn.tolist()

    def __len__(self) -> int:
        return self.num_samples


class SubsetRandomSampler(Sampler[int]):
    """Some indices in a random order.

    Parameters
    ----------
    indices : sequence of int
        The indices.
    generator : Generator, optional
        What draws; by default the default one.

    Examples
    --------
    >>> import symgrad as torch
    >>> from symgrad.utils.data import SubsetRandomSampler
    >>> list(SubsetRandomSampler([3, 5, 8], torch.Generator().manual_seed(0)))
    [8, 3, 5]
    """

    def __init__(self, indices: Sequence[int], generator: Generator | None = None) -> None:
        self.indices = indices
        self.generator = generator

    def __iter__(self) -> Iterator[int]:
        stream = default_generator if self.generator is None else self.generator
        for i in stream.permutation(len(self.indices)).tolist():
            yield self.indices[i]

    def __len__(self) -> int:
        return len(self.indices)


class WeightedRandomSampler(Sampler[int]):
    """Random indices, each as often as its weight says.

    Parameters
    ----------
    weights : sequence of float
        How likely each index is, up to a common factor.
    num_samples : int
        How many indices are drawn.
    replacement : bool
        Whether an index may be drawn again.
    generator : Generator, optional
        What draws; by default the default one.

    Raises
    ------
    ValueError
        If `num_samples` is no positive integer, `replacement` no bool, or the weights have not one
        axis.

    Examples
    --------
    >>> import symgrad as torch
    >>> from symgrad.utils.data import WeightedRandomSampler
    >>> g = torch.Generator().manual_seed(0)
    >>> list(WeightedRandomSampler([0.0, 1.0, 3.0], 4, generator=g))
    [2, 2, 2, 2]
    """

    def __init__(
        self,
        weights: Sequence[float],
        num_samples: int,
        replacement: bool = True,
        generator: Generator | None = None,
    ) -> None:
        _check_count("num_samples", num_samples)
        _check_flag("replacement", replacement, ValueError)
        self.weights = CREATION["as_tensor"](weights, dtype=float64)
        if self.weights.ndim != 1:
            raise ValueError(
                "weights should be a 1d sequence but given weights have shape "
                f"{tuple(self.weights.shape)}"
            )
        self.num_samples = num_samples
        self.replacement = replacement
        self.generator = generator

    def __iter__(self) -> Iterator[int]:
        count, again = self.num_samples, self.replacement
        drawn = CREATION["multinomial"](self.weights, count, again, generator=self.generator)
        yield from drawn.tolist()

    def __len__(self) -> int:
        return self.num_samples


class BatchSampler(Sampler[list[int]]):
    """Lists of the indices that another sampler gives.

    Parameters
    ----------
    sampler : iterable of int
        The other sampler.
    batch_size : int
        How many indices a list has.
    drop_last : bool
        Whether the last list is left out where it is shorter.

    Raises
    ------
    ValueError
        If `batch_size` is no positive integer, or `drop_last` no bool.

    Examples
    --------
    >>> from symgrad.utils.data import BatchSampler
    >>> list(BatchSampler(range(5), batch_size=2, drop_last=False))
    [[0, 1], [2, 3], [4]]
    """

    def __init__(self, sampler: Iterable[int], batch_size: int, drop_last: bool) -> None:
        _check_count("batch_size", batch_size)
        _check_flag("drop_last", drop_last, ValueError)
        self.sampler = sampler
        self.batch_size = batch_size
        self.drop_last = drop_last

    def __iter__(self) -> Iterator[list[int]]:
        indices = iter(self.sampler)
        least = self.batch_size if self.drop_last else 1
        while len(batch := list(islice(indices, self.batch_size))) >= least:
            yield batch

    def __len__(self) -> int:
        sampler: Any = self.sampler
        whole, rest = divmod(len(sampler), self.batch_size)
        return whole + (rest > 0 and not self.drop_last)
