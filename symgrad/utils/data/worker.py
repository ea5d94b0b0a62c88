"""Workers: threads that read elements of a data set and make batches of them."""

from __future__ import annotations

import copy
import threading
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Any, NoReturn

from symgrad.random.default_stream import seed_this_thread
from symgrad.utils.data.dataset import Dataset, IterableDataset, items_of

_thread = threading.local()


@dataclass(frozen=True, slots=True)
class WorkerInfo:
    """What a worker knows of itself.

    Parameters
    ----------
    id : int
        Its number, from 0 on.
    num_workers : int
        How many workers there are.
    seed : int
        The seed of the random numbers that are drawn in it.
    dataset : Dataset
        Its shallow copy of the data set.
    """

    id: int
    num_workers: int
    seed: int
    dataset: Any


def get_worker_info() -> WorkerInfo | None:
    """Return what the worker of a `DataLoader` knows of itself; None outside of workers.

    That is its number ``id``, the ``num_workers``, the ``seed`` of what it draws, and its shallow
    copy of the ``dataset``.

    Examples
    --------
    >>> from symgrad.utils.data import DataLoader, IterableDataset, get_worker_info
    >>> class Numbers(IterableDataset):
    ...     def __iter__(self):
    ...         worker = get_worker_info()
    ...         return iter(range(worker.id, 6, worker.num_workers))
    >>> list(DataLoader(Numbers(), batch_size=None, num_workers=2))
    [0, 1, 2, 3, 4, 5]
    """
    found: WorkerInfo | None = getattr(_thread, "info", None)
    return found


@dataclass(frozen=True, slots=True)
class Reading:
    """How elements are read: with or without batches.

    Parameters
    ----------
    batched : bool
        Whether a sampler gives lists of indices.
    collate : callable
        Makes a batch of elements, or converts one element.
    drop_last : bool
        Whether a last batch that is shorter is left out.
    """

    batched: bool
    collate: Callable[[Any], Any]
    drop_last: bool

    def fetch(self, dataset: Any) -> Callable[[Any], Any]:
        """Return what reads the elements of an index, or of a list of indices."""
        if not isinstance(dataset, IterableDataset):
            if self.batched:
                return lambda indices: self.collate(items_of(dataset, indices))
            return lambda index: self.collate(dataset[index])
        return _OneAfterTheOther(self, dataset).fetch


class _OneAfterTheOther:
    """Reads a data set from the start to the end; indices only say how many elements are read."""

    def __init__(self, reading: Reading, dataset: Any) -> None:
        self._reading, self._iterator, self._ended = reading, iter(dataset), False

    def fetch(self, index: Any) -> Any:
        if self._ended:
            raise StopIteration
        if not self._reading.batched:
            return self._reading.collate(next(self._iterator))
        found = []
        for _ in index:
            try:
                found.append(next(self._iterator))
            except StopIteration:
                self._ended = True
                break
        if not found or (self._reading.drop_last and len(found) < len(index)):
            raise StopIteration
        return self._reading.collate(found)


class Failed:
    """An error of a worker, on its way to the thread that waits for the batch."""

    def __init__(self, error: BaseException, number: int) -> None:
        self._error = error
        self._said = (
            f"Caught {type(error).__name__} in DataLoader worker process {number}.\n"
            f"Original {''.join(traceback.format_exception(error))}"
        )

    def throw(self) -> NoReturn:
        """Raise an error of the same class that tells where it comes from."""
        raise self._retold() from self._error

    def _retold(self) -> Exception:
        kind: Any = type(self._error)
        said: Any = _Lines(self._said) if issubclass(kind, KeyError) else self._said
        try:
            made: Exception = kind(said)
        except Exception:  # noqa: BLE001 - a class of the user's may take other arguments
            return RuntimeError(said)
        return made


class _Lines(str):
    """A text that a KeyError shows line by line, and not as a literal."""

    __slots__ = ()
    __repr__ = str.__str__


#: What a worker answers at the end of its data set.
END = object()

#: The task to read the data set from its start again.
_AGAIN = object()


class Worker:
    """A thread that reads, batch by batch, what it is told to, and answers in that order.

    Parameters
    ----------
    info : WorkerInfo
        What the worker knows of itself.
    reading : Reading
        How it reads.
    start : callable or None
        Called in the thread with the number of the worker before all else.
    """

    def __init__(
        self, info: WorkerInfo, reading: Reading, start: Callable[[int], Any] | None
    ) -> None:
        self._tasks: SimpleQueue[Any] = SimpleQueue()
        self._answers: SimpleQueue[Any] = SimpleQueue()
        given = (info, reading, start, self._tasks, self._answers)
        self._thread = threading.Thread(target=_work, args=given, daemon=True)
        self._thread.start()

    def read(self, index: Any) -> None:
        """Let the worker read what an index, or a list of indices, stands for."""
        self._tasks.put((index,))

    def read_again(self) -> None:
        """Let the worker begin at the start of its data set; unread answers are dropped."""
        self._answers = SimpleQueue()
        self._tasks.put((_AGAIN, self._answers))

    def end(self) -> None:
        """Let the thread end, after what it is doing."""
        self._tasks.put(None)

    def wait(self) -> None:
        """Wait until the thread has ended."""
        self._thread.join()

    def answer(self, timeout: float) -> Any:
        """Return the next batch, `END` or an error that was `Failed`.

        Raises
        ------
        RuntimeError
            If it takes longer than a `timeout` that is not 0.
        """
        try:
            return self._answers.get(timeout=timeout or None)
        except Empty:
            raise RuntimeError(f"DataLoader timed out after {timeout} seconds") from None


def _work(
    info: WorkerInfo,
    reading: Reading,
    start: Callable[[int], Any] | None,
    tasks: SimpleQueue[Any],
    answers: SimpleQueue[Any],
) -> None:
    """Answer tasks until there is a None; errors are answers, too."""
    _thread.info = info
    seed_this_thread(info.seed)
    fetch: Callable[[Any], Any] | None = None
    failed: Failed | None = None
    iterable = isinstance(info.dataset, IterableDataset)
    try:
        if start is not None:
            start(info.id)
    except BaseException as error:  # noqa: BLE001 - raised where the batch is asked for
        failed = Failed(error, info.id)
    while (task := tasks.get()) is not None:
        if task[0] is _AGAIN:
            fetch, answers = None, task[1]
            continue
        try:
            if failed is None:
                fetch = fetch or reading.fetch(info.dataset)
                answers.put(fetch(task[0]))
            else:
                answers.put(failed)
        except StopIteration as error:
            answers.put(END if iterable else Failed(error, info.id))
        except BaseException as error:  # noqa: BLE001 - raised where the batch is asked for
            answers.put(Failed(error, info.id))


def new_workers(
    dataset: Any, count: int, seed: int, reading: Reading, start: Callable[[int], Any] | None
) -> list[Worker]:
    """Return workers, each with a shallow copy of the data set, which it may set attributes of."""
    made = []
    for i in range(count):
        own = copy.copy(dataset) if isinstance(dataset, Dataset) else dataset
        made.append(Worker(WorkerInfo(i, count, seed + i, own), reading, start))
    return made
