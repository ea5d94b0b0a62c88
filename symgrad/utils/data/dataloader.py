"""`DataLoader`: batches of a data set, read by the caller or by workers."""

from __future__ import annotations

import weakref
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import repeat
from typing import Any, Generic, TypeVar

from symgrad.random.streams import Generator
from symgrad.support.refusals import warn
from symgrad.utils.data.collate import default_collate, default_convert
from symgrad.utils.data.dataset import IterableDataset
from symgrad.utils.data.sampler import BatchSampler, RandomSampler, SequentialSampler, random_seed
from symgrad.utils.data.worker import END, Failed, Reading, Worker, new_workers

_T_co = TypeVar("_T_co", covariant=True)

#: Attributes that say what the batches are.
_FIXED = ("batch_size", "batch_sampler", "sampler", "drop_last", "dataset", "persistent_workers")


class DataLoader(Generic[_T_co]):
    """Batches of the elements of a data set.

    Parameters
    ----------
    dataset : Dataset
        The data set: what has indices and a length, or an `IterableDataset`.
    batch_size : int or None
        How many elements a batch has; None for single elements.
    shuffle : bool, optional
        Whether the order is a new random one whenever the loader is iterated over.
    sampler : iterable of int, optional
        The indices, in the order in which they are read.
    batch_sampler : iterable of list, optional
        The lists of indices of the batches.
    num_workers : int
        How many threads read batches ahead of the caller; 0 to read where they are asked for.
    collate_fn : callable, optional
        Makes a batch of a list of elements; by default `default_collate`.
    pin_memory : bool
        Ignored: there is only the CPU.
    drop_last : bool
        Whether the last batch is left out where it is smaller.
    timeout : float
        How many seconds to wait for a batch of a worker; 0 to wait for ever.
    worker_init_fn : callable, optional
        Called in each worker, with its number, before it reads.
    multiprocessing_context
        Ignored: workers are threads.
    generator : Generator, optional
        What draws the random order, and the seeds of workers; by default the default one.
    prefetch_factor : int, optional
        How many batches each worker reads ahead; 2 where there are workers.
    persistent_workers : bool
        Whether the workers wait for the next iteration.
    pin_memory_device : str
        Ignored.
    in_order : bool
        Ignored: batches always come in the order of the sampler.

    Raises
    ------
    ValueError
        If arguments exclude each other.

    Notes
    -----
    Workers are threads of this process. Each has a shallow copy of the data set, and random numbers
    of its own, the same as PyTorch's workers draw; but Python's `random` and NumPy's global
    generator are shared by all threads.

    Examples
    --------
    >>> import symgrad as torch
    >>> from symgrad.utils.data import DataLoader, TensorDataset
    >>> _ = torch.manual_seed(0)
    >>> data = TensorDataset(torch.arange(5), 10 * torch.arange(5))
    >>> for x, y in DataLoader(data, batch_size=2, shuffle=True):
    ...     print(x, y)
    tensor([1, 4]) tensor([10, 40])
    tensor([2, 3]) tensor([20, 30])
    tensor([0]) tensor([0])
    """

    def __init__(
        self,
        dataset: Any,
        batch_size: int | None = 1,
        shuffle: bool | None = None,
        sampler: Iterable[Any] | None = None,
        batch_sampler: Iterable[list[Any]] | None = None,
        num_workers: int = 0,
        collate_fn: Callable[[Any], Any] | None = None,
        pin_memory: bool = False,
        drop_last: bool = False,
        timeout: float = 0,
        worker_init_fn: Callable[[int], Any] | None = None,
        multiprocessing_context: Any = None,
        generator: Generator | None = None,
        *,
        prefetch_factor: int | None = None,
        persistent_workers: bool = False,
        pin_memory_device: str = "",
        in_order: bool = True,
    ) -> None:
        iterable = isinstance(dataset, IterableDataset)
        _check_workers(num_workers, timeout, prefetch_factor, persistent_workers)
        _check_samplers(iterable, batch_size, shuffle, sampler, batch_sampler, drop_last)
        self.dataset = dataset
        self.num_workers = num_workers
        self.prefetch_factor = 2 if num_workers and prefetch_factor is None else prefetch_factor
        self.pin_memory = pin_memory
        self.pin_memory_device = pin_memory_device
        self.timeout = timeout
        self.worker_init_fn = worker_init_fn
        self.multiprocessing_context = multiprocessing_context
        self.in_order = in_order
        order: Iterable[Any]
        if sampler is not None:
            order = sampler
        elif iterable:
            order = repeat(None)
        elif shuffle:
            order = RandomSampler(dataset, generator=generator)
        else:
            order = SequentialSampler(dataset)
        batches: Iterable[list[Any]] | None = batch_sampler
        if batch_sampler is not None:
            batch_size = None
        elif batch_size is not None:
            batches = BatchSampler(order, batch_size, drop_last)
        self.batch_size = batch_size
        self.drop_last = drop_last
        self.sampler = order
        self.batch_sampler = batches
        self.generator = generator
        if collate_fn is None:
            collate_fn = default_convert if batches is None else default_collate
        self.collate_fn = collate_fn
        self.persistent_workers = persistent_workers
        self._said_length: int | None = None
        self._iterator: _WithWorkers | None = None

    def __setattr__(self, name: str, value: Any) -> None:
        # The last attribute that `__init__` sets.
        if name in _FIXED and "_iterator" in self.__dict__:
            raise ValueError(
                f"{name} attribute should not be set after {type(self).__name__} is initialized"
            )
        super().__setattr__(name, value)

    @property
    def _index_sampler(self) -> Any:
        return self.sampler if self.batch_sampler is None else self.batch_sampler

    def __iter__(self) -> Iterator[Any]:
        if not self.num_workers:
            return _InCaller(self)
        if not self.persistent_workers:
            return _WithWorkers(self)
        if self._iterator is None:
            self._iterator = _WithWorkers(self)
        else:
            self._iterator.begin_again(self)
        return self._iterator

    def __len__(self) -> int:
        if not isinstance(self.dataset, IterableDataset):
            return len(self._index_sampler)
        sized: Any = self.dataset
        length = self._said_length = len(sized)
        if self.batch_size is None:
            return length
        whole, rest = divmod(length, self.batch_size)
        return whole + (rest > 0 and not self.drop_last)


def _check_workers(count: int, timeout: float, ahead: int | None, persistent: bool) -> None:
    if count < 0:
        raise ValueError(
            "num_workers option should be non-negative; use num_workers=0 to disable "
            "multiprocessing."
        )
    if timeout < 0:
        raise ValueError("timeout option should be non-negative")
    if ahead is not None and not count:
        raise ValueError("prefetch_factor option could only be specified with num_workers > 0")
    if ahead is not None and ahead < 0:
        raise ValueError("prefetch_factor option should be non-negative")
    if persistent and not count:
        raise ValueError("persistent_workers option needs num_workers > 0")


def _check_samplers(
    iterable: bool,
    batch_size: int | None,
    shuffle: bool | None,
    sampler: Any,
    batch_sampler: Any,
    drop_last: bool,
) -> None:
    """Raise where two arguments say what the order or the batches are."""
    if iterable:
        given = {"shuffle": shuffle or None, "sampler": sampler, "batch_sampler": batch_sampler}
        for name, value in given.items():
            if value is not None:
                raise ValueError(
                    f"DataLoader with IterableDataset: expected unspecified {name} option, but got "
                    f"{name}={value}"
                )
    if sampler is not None and shuffle:
        raise ValueError("sampler option is mutually exclusive with shuffle")
    if batch_sampler is not None:
        if batch_size != 1 or shuffle or sampler is not None or drop_last:
            raise ValueError(
                "batch_sampler option is mutually exclusive with batch_size, shuffle, sampler, and "
                "drop_last"
            )
    elif batch_size is None and drop_last:
        raise ValueError(
            "batch_size=None option disables auto-batching and is mutually exclusive with drop_last"
        )


class _Batches(Iterator[Any]):
    """One iteration over a loader."""

    def __init__(self, loader: DataLoader[Any]) -> None:
        self._reading = Reading(
            loader.batch_sampler is not None, loader.collate_fn, loader.drop_last
        )
        self._sampler = loader._index_sampler
        self._dataset = loader.dataset
        self._indices = iter(self._sampler)
        self._base_seed = random_seed(loader.generator)
        self._said_length = loader._said_length
        self._count = 0

    def _next(self) -> Any:
        raise NotImplementedError

    def __next__(self) -> Any:
        found = self._next()
        self._count += 1
        if self._said_length is not None and self._count > self._said_length:
            warn(
                f"Length of IterableDataset {self._dataset} was reported to be "
                f"{self._said_length}(when accessing len(dataloader)), but {self._count} samples "
                "have been fetched. \nEach worker reads the whole data set, unless "
                "get_worker_info() tells it which part is its own."
            )
        return found

    def __len__(self) -> int:
        return len(self._sampler)


class _InCaller(_Batches):
    """Batches that are read where they are asked for."""

    def __init__(self, loader: DataLoader[Any]) -> None:
        super().__init__(loader)
        self._fetch = self._reading.fetch(loader.dataset)

    def _next(self) -> Any:
        return self._fetch(next(self._indices))


class _WithWorkers(_Batches):
    """Batches that workers read ahead.

    Each worker answers in the order of its tasks, so the list of who has tasks is the order of the
    batches.
    """

    def __init__(self, loader: DataLoader[Any]) -> None:
        super().__init__(loader)
        self._workers = new_workers(
            loader.dataset,
            loader.num_workers,
            self._base_seed,
            self._reading,
            loader.worker_init_fn,
        )
        # The threads know nothing of this object: where it goes, they end.
        weakref.finalize(self, _end, self._workers)
        self._persistent = loader.persistent_workers
        self._timeout = loader.timeout
        self._ahead = loader.num_workers * (loader.prefetch_factor or 0)
        self._begin()

    def _begin(self) -> None:
        self._indices = iter(self._sampler)
        self._ready = deque(self._workers)  # who has more to read, the next one first
        self._asked: deque[Worker] = deque()
        for _ in range(self._ahead):
            self._ask()

    def begin_again(self, loader: DataLoader[Any]) -> None:
        """Begin the next iteration of workers that have waited for it."""
        for worker in self._workers:
            worker.read_again()
        self._said_length, self._count = loader._said_length, 0
        self._begin()

    def _ask(self) -> None:
        """Give the next worker the next batch to read."""
        if not self._ready:
            return
        try:
            index = next(self._indices)
        except StopIteration:
            return
        worker = self._ready[0]
        self._ready.rotate(-1)
        self._asked.append(worker)
        worker.read(index)

    def _next(self) -> Any:
        while self._asked:
            found = self._asked[0].answer(self._timeout)
            worker = self._asked.popleft()
            if found is END:
                if worker in self._ready:
                    self._ready.remove(worker)
                # It answers all that it was still asked for in the same way.
                self._asked = deque([other for other in self._asked if other is not worker])
                while len(self._asked) < self._ahead and self._ready:
                    before = len(self._asked)
                    self._ask()
                    if len(self._asked) == before:
                        break
                continue
            self._ask()
            if isinstance(found, Failed):
                found.throw()
            return found
        if not self._persistent:
            workers = list(self._workers)
            _end(self._workers)
            for worker in workers:
                worker.wait()
        raise StopIteration


def _end(workers: list[Worker]) -> None:
    """Let all workers end."""
    while workers:
        workers.pop().end()
