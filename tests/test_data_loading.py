"""`symgrad.utils.data`: workers as threads, which end, wait, fail and draw by themselves."""

from __future__ import annotations

import contextlib
import copy
import gc
import pickle
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

import symgrad as torch
from symgrad.random import default_generator
from symgrad.random.default_stream import seed_this_thread
from symgrad.utils.data import DataLoader, Dataset, IterableDataset, get_worker_info


class Reads(Dataset[Any]):
    """A data set of a function of the index."""

    def __init__(self, read: Any, length: int = 4) -> None:
        self.read, self.length = read, length

    def __len__(self) -> int:
        return self.length

    def __getitem__(self, i: Any) -> Any:
        return self.read(i)


@pytest.fixture(autouse=True)
def _threads_end() -> Iterator[None]:
    before = threading.active_count()
    yield
    gc.collect()
    assert threads_after(before) == 0


def threads_after(before: int) -> int:
    """Return how many threads there are more than before, once those that end have ended."""
    deadline = time.monotonic() + 20
    while threading.active_count() > before and time.monotonic() < deadline:
        time.sleep(0.005)
    return threading.active_count() - before


def test_threads_end_with_the_data() -> None:
    before = threading.active_count()
    loader = DataLoader(range(9), num_workers=3)
    batches = iter(loader)
    assert threading.active_count() == before + 3
    assert len([*batches]) == 9
    assert threads_after(before) == 0
    with pytest.raises(StopIteration):
        next(batches)


def test_threads_end_where_nobody_reads_on() -> None:
    before = threading.active_count()
    batches = iter(DataLoader(range(9), num_workers=2))
    next(batches)
    del batches
    gc.collect()
    assert threads_after(before) == 0


def test_persistent_threads_are_the_same_and_end_with_the_loader() -> None:
    before = threading.active_count()
    loader = DataLoader(
        Reads(lambda i: threading.get_ident()), num_workers=2, persistent_workers=True,
        batch_size=None,
    )  # fmt: skip
    first, second = set(loader), set(loader)
    assert first == second and len(first) == 2
    next(iter(loader))  # left in the middle
    assert len([*loader]) == 4
    del loader
    gc.collect()
    assert threads_after(before) == 0


def test_an_error_names_its_worker_and_has_its_cause() -> None:
    def read(i: int) -> int:
        if i == 1:
            raise KeyError("one")
        return i

    batches = iter(DataLoader(Reads(read), num_workers=2, batch_size=None))
    assert next(batches) == 0
    with pytest.raises(KeyError, match="Caught KeyError in DataLoader worker process 1") as found:
        next(batches)
    assert isinstance(found.value.__cause__, KeyError)
    assert "\nOriginal Traceback" in str(found.value)  # line by line
    assert [*batches] == [2, 3]


class Odd(Exception):
    """An error of two arguments."""

    def __init__(self, first: int, second: int) -> None:
        super().__init__(first, second)


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (Odd(1, 2), RuntimeError),
        (SystemExit(3), SystemExit),
        (ZeroDivisionError(), ArithmeticError),
    ],
)
def test_errors_of_any_class_reach_the_caller(error: Any, kind: type[BaseException]) -> None:
    def read(i: int) -> int:
        raise error

    with pytest.raises(kind, match="in DataLoader worker process 0") as found:
        next(iter(DataLoader(Reads(read), num_workers=1)))
    assert found.value.__cause__ is error


def test_an_error_at_the_start_is_raised_for_every_batch() -> None:
    def start(number: int) -> None:
        raise ValueError("not today")

    batches = iter(DataLoader(range(2), num_workers=1, worker_init_fn=start))
    for _ in range(2):
        with pytest.raises(ValueError, match="not today"):
            next(batches)


def test_waiting_has_an_end() -> None:
    go_on: list[int] = []

    def read(i: int) -> int:
        while not go_on:
            time.sleep(0.005)
        return i

    batches = iter(DataLoader(Reads(read), num_workers=1, timeout=0.05, batch_size=None))
    with pytest.raises(RuntimeError, match=r"DataLoader timed out after 0\.05 seconds"):
        next(batches)
    go_on.append(1)
    found: list[int] = []
    while len(found) < 4:  # nothing is lost by waiting too short
        with contextlib.suppress(RuntimeError):
            found.append(next(batches))
    assert found == [0, 1, 2, 3]


def test_batches_are_read_ahead_of_the_caller() -> None:
    read: list[int] = []
    batches = iter(
        DataLoader(Reads(read.append, 20), num_workers=1, prefetch_factor=3, collate_fn=len)
    )
    deadline = time.monotonic() + 20
    while len(read) < 3 and time.monotonic() < deadline:
        time.sleep(0.005)
    time.sleep(0.05)
    assert read == [0, 1, 2]
    next(batches)


def test_order_does_not_depend_on_who_is_fast() -> None:
    def read(i: int) -> int:
        time.sleep(0.02 * (i % 3 == 0))
        return i

    assert [*DataLoader(Reads(read, 12), num_workers=3, batch_size=None)] == [*range(12)]


def test_what_workers_draw_does_not_depend_on_other_threads() -> None:
    def drawn(slow: float) -> list[Any]:
        def read(i: int) -> Any:
            time.sleep(slow * (i % 2))
            return torch.rand(2).tolist()

        torch.manual_seed(5)
        batches = iter(DataLoader(Reads(read), num_workers=2, batch_size=None))
        state = default_generator.get_state()
        torch.rand(100)
        found = [*batches]
        default_generator.set_state(state)
        return [found, torch.rand(1).item()]

    assert drawn(0.0) == drawn(0.01)


def test_a_seed_that_a_worker_sets_is_its_own() -> None:
    torch.manual_seed(7)
    expected = torch.rand(3)
    torch.manual_seed(1)
    state = default_generator.get_state()
    loader = DataLoader(
        Reads(lambda i: torch.rand(3), 1), batch_size=None, num_workers=1, worker_init_fn=_seven
    )
    batches = iter(loader)
    after = torch.rand(1)
    assert torch.equal(next(batches), expected)
    default_generator.set_state(state)
    torch.empty((), dtype=torch.int64).random_()  # the seed of workers
    assert torch.equal(torch.rand(1), after)


def _seven(number: int) -> None:
    torch.manual_seed(7)


def test_a_thread_with_a_seed_forks_its_own_stream() -> None:
    found: list[Any] = []

    def work() -> None:
        seed_this_thread(3)
        with torch.random.fork_rng():
            found.append(torch.rand(2))
        found.append(torch.rand(2))

    torch.manual_seed(0)
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    here = torch.rand(2)
    assert torch.equal(found[0], found[1])
    assert torch.equal(found[0], torch.rand(2, generator=torch.Generator().manual_seed(3)))
    assert torch.equal(here, torch.rand(2, generator=torch.Generator().manual_seed(0)))


@pytest.mark.parametrize(
    "copied", [copy.copy, copy.deepcopy, lambda g: pickle.loads(pickle.dumps(g)), type(
        default_generator).clone_state]
)  # fmt: skip
def test_a_copy_of_the_default_generator_goes_on_by_itself(copied: Any) -> None:
    torch.manual_seed(4)
    twin = copied(default_generator)
    expected = torch.rand(3, generator=twin)
    assert torch.equal(torch.rand(3), expected)
    assert type(twin) is torch.Generator


def test_workers_have_a_copy_of_a_stream_of_data() -> None:
    class Stream(IterableDataset[Any]):
        def __iter__(self) -> Any:
            info = get_worker_info()
            assert info is not None and info.dataset is self and info.seed >= info.id
            self.seen = True
            return iter([info.id] * 2)

    data = Stream()
    assert [*DataLoader(data, batch_size=None, num_workers=2)] == [0, 1, 0, 1]
    assert not hasattr(data, "seen")
    assert get_worker_info() is None


def test_gradients_flow_through_batches() -> None:
    x = torch.arange(4.0).requires_grad_()
    for batch in DataLoader(Reads(lambda i: x[i] * x[i]), batch_size=2, num_workers=2):
        batch.sum().backward()
    assert x.grad is not None and x.grad.tolist() == [0.0, 2.0, 4.0, 6.0]
