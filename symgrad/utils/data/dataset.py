"""Data sets, of which `DataLoader` makes batches, and what joins them or takes them apart."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Any, Generic, TypeVar

from symgrad.random.default_stream import default_generator
from symgrad.random.streams import Generator
from symgrad.support.refusals import warn
from symgrad.tensor.tensor import Tensor

_T_co = TypeVar("_T_co", covariant=True)


def items_of(dataset: Any, indices: Sequence[Any]) -> Sequence[Any]:
    """Return the elements of some indices, by ``__getitems__`` where a data set has it."""
    together = getattr(dataset, "__getitems__", None)
    if callable(together):
        found: Sequence[Any] = together(indices)
        return found
    return [dataset[i] for i in indices]


class Dataset(Generic[_T_co]):
    """The base class of data sets whose elements have indices.

    A subclass defines ``__getitem__``, and ``__len__`` for samplers. It may define
    ``__getitems__``, which returns the elements of a list of indices.

    Examples
    --------
    >>> from symgrad.utils.data import DataLoader, Dataset
    >>> class Squares(Dataset):
    ...     def __len__(self):
    ...         return 4
    ...
    ...     def __getitem__(self, i):
    ...         return i * i
    >>> list(DataLoader(Squares(), batch_size=2))
    [tensor([0, 1]), tensor([4, 9])]
    """

    def __getitem__(self, index: Any) -> _T_co:
        raise NotImplementedError("Subclasses of Dataset should implement __getitem__.")

    def __add__(self, other: Dataset[Any]) -> Dataset[Any]:
        return ConcatDataset([self, other])


class IterableDataset(Dataset[_T_co], Iterable[_T_co]):
    """The base class of data sets that are read from the start to the end.

    A subclass defines ``__iter__``. Each worker of a `DataLoader` reads the data set by itself: by
    `get_worker_info` it knows which part is its own.

    Examples
    --------
    >>> from symgrad.utils.data import DataLoader, IterableDataset
    >>> class Countdown(IterableDataset):
    ...     def __iter__(self):
    ...         return iter([3, 2, 1])
    >>> list(DataLoader(Countdown(), batch_size=2))
    [tensor([3, 2]), tensor([1])]
    """

    def __add__(self, other: Dataset[Any]) -> Dataset[Any]:
        return ChainDataset([self, other])


class TensorDataset(Dataset[tuple[Tensor, ...]]):
    """The rows of one or several tensors.

    Parameters
    ----------
    *tensors : Tensor
        Tensors of one length.

    Raises
    ------
    AssertionError
        If the lengths differ.

    Examples
    --------
    >>> import symgrad as torch
    >>> from symgrad.utils.data import TensorDataset
    >>> data = TensorDataset(torch.eye(2), torch.tensor([3, 4]))
    >>> len(data), data[1]
    (2, (tensor([0., 1.]), tensor(4)))
    """

    def __init__(self, *tensors: Tensor) -> None:
        if any(x.size(0) != tensors[0].size(0) for x in tensors):
            raise AssertionError("Size mismatch between tensors")
        self.tensors = tensors

    def __getitem__(self, index: Any) -> tuple[Tensor, ...]:
        return tuple([x[index] for x in self.tensors])

    def __len__(self) -> int:
        return self.tensors[0].size(0)


class StackDataset(Dataset[Any]):
    """The elements of several data sets side by side: tuples, or dicts where they have names.

    Parameters
    ----------
    *args : Dataset
        The data sets of the places of a tuple.
    **kwargs : Dataset
        The data sets of the keys of a dict.

    Raises
    ------
    ValueError
        If there is no data set, there are data sets of both kinds, or they differ in length.

    Examples
    --------
    >>> from symgrad.utils.data import StackDataset
    >>> StackDataset([1, 2], "ab")[1]
    (2, 'b')
    >>> StackDataset(x=[1, 2], name="ab")[0]
    {'x': 1, 'name': 'a'}
    """

    datasets: tuple[Any, ...] | dict[str, Any]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if args and kwargs:
            raise ValueError("StackDataset takes data sets by place or by name, and not by both")
        self.datasets = args or kwargs
        lengths = {len(x) for x in self._parts()}
        if not lengths:
            raise ValueError("At least one dataset should be passed")
        if len(lengths) > 1:
            raise ValueError("Size mismatch between datasets")
        (self._length,) = lengths

    def _parts(self) -> list[Any]:
        sets = self.datasets
        return list(sets.values()) if isinstance(sets, dict) else list(sets)

    def _put_together(self, items: Sequence[Any]) -> Any:
        """Return one element, of an item of each data set."""
        if isinstance(self.datasets, dict):
            return dict(zip(self.datasets, items, strict=True))
        return tuple(items)

    def __getitem__(self, index: Any) -> Any:
        return self._put_together([x[index] for x in self._parts()])

    def __getitems__(self, indices: list[Any]) -> list[Any]:
        columns = [items_of(x, indices) for x in self._parts()]
        for column in columns:
            if len(column) != len(indices):
                raise ValueError(
                    f"Nested dataset's output size mismatch. Expected {len(indices)}, got "
                    f"{len(column)}"
                )
        return [self._put_together(items) for items in zip(*columns, strict=True)]

    def __len__(self) -> int:
        return self._length


class ConcatDataset(Dataset[_T_co]):
    """The elements of several data sets, one set after the other.

    Parameters
    ----------
    datasets : iterable of Dataset
        The data sets, whose elements have indices.

    Raises
    ------
    AssertionError
        If there are none, or one is an `IterableDataset`.

    Examples
    --------
    >>> from symgrad.utils.data import ConcatDataset
    >>> data = ConcatDataset([range(3), "ab"])
    >>> len(data), data[2], data[-1], data.cumulative_sizes
    (5, 2, 'b', [3, 5])
    """

    datasets: list[Any]
    cumulative_sizes: list[int]

    def __init__(self, datasets: Iterable[Any]) -> None:
        self.datasets = list(datasets)
        if not self.datasets:
            raise AssertionError("datasets should not be an empty iterable")
        if any(isinstance(x, IterableDataset) for x in self.datasets):
            raise AssertionError("ConcatDataset does not support IterableDataset")
        self.cumulative_sizes = list(accumulate([len(x) for x in self.datasets]))

    def __len__(self) -> int:
        return self.cumulative_sizes[-1]

    def __getitem__(self, idx: int) -> Any:
        place = idx + len(self) if idx < 0 else idx
        if place < 0:
            raise ValueError("absolute value of index should not exceed dataset length")
        which = bisect_right(self.cumulative_sizes, place)
        before = self.cumulative_sizes[which - 1] if which else 0
        return self.datasets[which][place - before]


class ChainDataset(IterableDataset[Any]):
    """What several data sets give that are read from the start to the end, one after the other.

    Parameters
    ----------
    datasets : iterable of IterableDataset
        The data sets.

    Examples
    --------
    >>> from symgrad.utils.data import ChainDataset, IterableDataset
    >>> class Up(IterableDataset):
    ...     def __iter__(self):
    ...         return iter([1, 2])
    >>> list(ChainDataset([Up(), Up()]))
    [1, 2, 1, 2]
    """

    def __init__(self, datasets: Iterable[Any]) -> None:
        self.datasets = datasets

    def _parts(self) -> Iterator[Any]:
        for x in self.datasets:
            if not isinstance(x, IterableDataset):
                raise AssertionError("ChainDataset only supports IterableDataset")
            yield x

    def __iter__(self) -> Iterator[Any]:
        for x in self._parts():
            yield from x

    def __len__(self) -> int:
        parts: Iterator[Any] = self._parts()
        return sum([len(x) for x in parts])


class Subset(Dataset[_T_co]):
    """Some elements of a data set.

    Parameters
    ----------
    dataset : Dataset
        The data set.
    indices : sequence of int
        The indices of the elements.

    Raises
    ------
    NotImplementedError
        For a subclass that defines ``__getitem__`` without ``__getitems__``, which batches are made
        by.

    Examples
    --------
    >>> from symgrad.utils.data import Subset
    >>> list(Subset("abcd", [3, 0]))
    ['d', 'a']
    """

    def __init__(self, dataset: Any, indices: Sequence[int]) -> None:
        self.dataset = dataset
        self.indices = indices
        one, several = type(self).__getitem__, type(self).__getitems__
        if one is not Subset.__getitem__ and several is Subset.__getitems__:
            raise NotImplementedError(
                f"{type(self).__name__} overrides __getitem__ but not __getitems__, by which "
                "DataLoader reads batches. Define it, too: "
                "def __getitems__(self, indices): return [self[i] for i in indices]"
            )

    def __getitem__(self, idx: Any) -> Any:
        if isinstance(idx, list):
            return self.dataset[[self.indices[i] for i in idx]]
        return self.dataset[self.indices[idx]]

    def __getitems__(self, indices: list[int]) -> Sequence[Any]:
        return items_of(self.dataset, [self.indices[i] for i in indices])

    def __len__(self) -> int:
        return len(self.indices)


def _lengths_of(length: int, fractions: Sequence[float]) -> list[int]:
    """Return the lengths of the parts; what rounding leaves over goes to the first ones in turn."""
    for i, fraction in enumerate(fractions):
        if not 0 <= fraction <= 1:
            raise ValueError(f"Fraction at index {i} is not between 0 and 1")
    found = [math.floor(length * fraction) for fraction in fractions]
    for i in range(length - sum(found)):
        found[i % len(found)] += 1
    for i, part in enumerate(found):
        if not part:
            warn(f"Length of split at index {i} is 0. This might result in an empty dataset.")
    return found


def random_split(
    dataset: Any, lengths: Sequence[float], generator: Generator | None = default_generator
) -> list[Subset[Any]]:
    """Return parts of a data set that have no element in common, drawn at random.

    Parameters
    ----------
    dataset : Dataset
        The data set.
    lengths : sequence of int or float
        How many elements each part has; or fractions, with the sum 1.
    generator : Generator, optional
        What draws; by default the default one.

    Raises
    ------
    ValueError
        If the lengths do not add up to that of the data set, or a fraction is not between 0 and 1.

    Warns
    -----
    UserWarning
        If a fraction gives a part without elements.

    Examples
    --------
    >>> import symgrad as torch
    >>> from symgrad.utils.data import random_split
    >>> g = torch.Generator().manual_seed(0)
    >>> [list(part) for part in random_split(range(5), [0.6, 0.4], generator=g)]
    [[4, 0, 1], [3, 2]]
    """
    total: Any = sum(lengths)
    parts: Sequence[Any] = lengths
    if math.isclose(total, 1) and total <= 1:
        parts = _lengths_of(len(dataset), lengths)
        total = sum(parts)
    if total != len(dataset):
        raise ValueError("Sum of input lengths does not equal the length of the input dataset!")
    stream = default_generator if generator is None else generator
    indices = stream.permutation(total).tolist()
    ends = accumulate(parts)
    return [Subset(dataset, indices[end - n : end]) for end, n in zip(ends, parts, strict=True)]
