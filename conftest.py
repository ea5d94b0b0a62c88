"""The Python blocks of README.md and of every page of docs/ run, and their outputs are compared.

Blocks that open with ``>>>`` are sessions whose outputs must be the printed ones; the others are
run as they stand. A page is one session: later blocks see the names of earlier ones. Docstrings
run in `tests/test_docstrings.py`; those of one module by ``pytest --doctest-modules`` as well.
"""

import functools
import gc
import threading
from collections.abc import Iterator
from doctest import ELLIPSIS, NORMALIZE_WHITESPACE
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers
from sybil import Sybil
from sybil.integration.pytest import SybilItem
from sybil.parsers.myst import PythonCodeBlockParser, SkipParser

from tests.each import Chosen

pytest_collect_file = Sybil(
    parsers=[
        PythonCodeBlockParser(doctest_optionflags=ELLIPSIS | NORMALIZE_WHITESPACE),
        SkipParser(),
    ],
    patterns=["README.md", "docs/*.md", "docs/**/*.md"],
).pytest()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let a law over many samples be tried on some of them."""
    parser.addoption("--sample", default="", help="try only the samples whose names hold this")


def pytest_configure(config: pytest.Config) -> None:
    """Hand files to workers in the order of collection, which begins with those that take longest.

    By the number of their tests, as is usual, a few long tests would come last, in one process.
    """
    Chosen.word = config.getoption("sample")
    # Among the examples are constants of the modules that happen to be imported, found by their
    # paths; without these the examples are the same wherever and in whatever order tests run.
    fixed = config.getoption("hypothesis_profile", None) in (None, "gate")
    if fixed and hasattr(providers, "_get_local_constants"):
        providers._get_local_constants = lambda: providers._local_constants
    if hasattr(config.option, "loadscopereorder"):
        config.option.loadscopereorder = False


# Hypothesis tries the same examples each time, however slow the machine is. With
# `--hypothesis-profile=random` it tries others, and prints how to repeat the one that fails.
settings.register_profile(
    "gate",
    derandomize=True,
    database=None,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("random", settings.get_profile("gate"), derandomize=False)
settings.load_profile("gate")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Where one mark is asked for, collect the files alone that have it: `pytest -m tiny`.

    To import all tests takes longer than to run these.
    Slow tests are looked for in all files, since `in_part` marks samples of files that say no such
    word.
    """
    mark = config.getoption("markexpr")
    if mark not in ("tiny", "versions") or not collection_path.is_file():
        return None
    return None if f"mark.{mark}".encode() in collection_path.read_bytes() else True


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is slow or needs PyTorch, unless it is asked for, by its mark or by its name.

    The slow tests are longer runs of laws of which the other tests try a part.
    """
    if any("::" in word for word in config.args):
        return
    unasked = [
        mark for mark in ("slow", "oracle", "mathtext") if mark not in config.getoption("markexpr")
    ]
    kept: list[pytest.Item] = []
    left_out: list[pytest.Item] = []
    for item in items:
        (left_out if any(map(item.get_closest_marker, unasked)) else kept).append(item)
    config.hook.pytest_deselected(items=left_out)
    items[:] = kept


def pass_over_what_stays() -> None:
    """Let the garbage collector pass over all that is there now, most of which stays to the end.

    Else each full collection, of which tests ask for hundreds, walks what all files before left in
    caches.
    """
    gc.collect()
    gc.freeze()


def pytest_collection_finish(session: pytest.Session) -> None:
    """Begin with the tests themselves."""
    pass_over_what_stays()


@functools.cache
def at_the_start() -> dict[str, Any]:
    return state_of_process()


def state_of_process() -> dict[str, Any]:
    """Return what holds for the whole process or thread: a test that leaves it changed fails."""
    # Of xdist's processes the one that runs no test needs none of them.
    import symgrad  # noqa: PLC0415
    from symgrad.tensor.formatting import get_printoptions  # noqa: PLC0415
    from tests.autograd.interrupted import modes_of_thread  # noqa: PLC0415

    found = modes_of_thread() | get_printoptions()
    found["default dtype"] = symgrad.get_default_dtype()
    # PyTorch's loaders leave Python's threads of queues to end by themselves.
    names = {thread.name for thread in threading.enumerate()}
    found["threads"] = names - {"QueueFeederThread"}
    del found["stream"]  # of random numbers, which a test may seed
    return found


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Iterator[None]:
    """Let each test draw the same random numbers, whichever tests its process has run before."""
    at_the_start()
    if not isinstance(item, SybilItem):  # the blocks of a page draw one after the other
        from symgrad.random import Generator, manual_seed  # noqa: PLC0415

        manual_seed(Generator().initial_seed())
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
    """Let no test, and no example of the docs, depend on what another one has left behind."""
    yield
    if nextitem is not None and nextitem.path != item.path:
        pass_over_what_stays()
    changed = [f"{k}: {v}" for k, v in state_of_process().items() if v != at_the_start()[k]]
    if changed:
        at_the_start.cache_clear()  # one failure is not the next one's
        pytest.fail(f"left behind: {changed}")
