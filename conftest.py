"""The Python blocks of README.md and of every page of docs/ run, and their outputs are compared.

Blocks that open with ``>>>`` are sessions whose outputs must be the printed ones; the others are
run as they stand. A page is one session: later blocks see the names of earlier ones. Docstrings
of the packages run as doctests, by ``--doctest-modules``.
"""

import gc
from doctest import ELLIPSIS, NORMALIZE_WHITESPACE
from pathlib import Path

import pytest
from sybil import Sybil
from sybil.parsers.myst import PythonCodeBlockParser, SkipParser

pytest_collect_file = Sybil(
    parsers=[
        PythonCodeBlockParser(doctest_optionflags=ELLIPSIS | NORMALIZE_WHITESPACE),
        SkipParser(),
    ],
    patterns=["README.md", "docs/*.md", "docs/**/*.md"],
).pytest()


def pytest_configure(config: pytest.Config) -> None:
    """Hand files to workers in the order of collection, which begins with those that take longest.

    By the number of their tests, as is usual, a few long tests would come last, in one process.
    """
    if hasattr(config.option, "loadscopereorder"):
        config.option.loadscopereorder = False


_PACKAGE = Path(__file__).parent / "symgrad" / "__init__.py"


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Where one mark is asked for, collect the files alone that have it: `pytest -m tiny`.

    To import all tests, and both packages for their docstrings, takes longer than to run these.
    The examples of public functions run in `tests/test_docstrings.py`, and not here: names of the
    package, such as `float`, would stand for Python's in them.
    """
    if collection_path == _PACKAGE:
        return True
    mark = config.getoption("markexpr")
    if mark not in ("tiny", "versions") or not collection_path.is_file():
        return None
    return None if f"mark.{mark}".encode() in collection_path.read_bytes() else True


def pytest_collection_finish(session: pytest.Session) -> None:
    """Let the garbage collector pass over the tests themselves, which stay to the end."""
    gc.collect()
    gc.freeze()
