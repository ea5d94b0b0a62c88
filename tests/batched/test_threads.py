"""`vmap` in several threads: each has levels of its own."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import pytest

import symgrad as torch
from symgrad.support.remembered import everything_remembered
from tests.turns import in_turns

THREADS = 4


def test_each_thread_has_levels_of_its_own() -> None:
    together = threading.Barrier(THREADS, timeout=600)  # only what hangs takes so long

    def work(k: int) -> Any:
        x = (torch.arange(6.0).reshape(3, 2) + k).requires_grad_()

        def body(b: Any) -> Any:
            together.wait()  # all are inside now
            y = torch.vmap(lambda c: c * c * k)(b).sum()
            together.wait()
            return y

        try:
            y = torch.vmap(body)(x)
        except BaseException:
            together.abort()  # the others wait for nobody
            raise
        return x, y, torch.autograd.grad(y.sum(), x)[0]

    with ThreadPoolExecutor(THREADS) as pool:
        for k, (x, y, g) in enumerate(pool.map(work, range(THREADS))):
            assert torch.equal(y, (x * x * k).sum(1))
            assert torch.equal(g, 2 * k * x)


def test_a_thread_that_begins_inside_is_outside() -> None:
    found: list[Any] = []

    def body(b: Any) -> Any:
        def work() -> None:
            found.append(torch.ones(2).sum().item())
            with pytest.raises(RuntimeError, match="doesn't have storage"):
                b + 1

        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        return b

    torch.vmap(body)(torch.ones(3, 2))
    assert found == [2.0]


@pytest.mark.parametrize("pace", [1, 2, 3, 7, 31])
def test_threads_share_rules(pace: int) -> None:
    """The rule of an operation is found in one cache by all of them."""

    def work(k: int) -> Any:
        x = torch.full((2 + k % 3, 3), float(k))
        return torch.vmap(lambda b: (b.cumsum(0) * b).flip(0))(x)

    for table in everything_remembered:
        table.clear()
    found = in_turns([partial(work, k) for k in range(6)], pace)
    for k, y in enumerate(found):
        assert y.tolist() == [[3.0 * k * k, 2.0 * k * k, 1.0 * k * k]] * (2 + k % 3)
