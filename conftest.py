"""The Python blocks of README.md and of every page of docs/ run, and their outputs are compared.

Blocks that open with ``>>>`` are sessions whose outputs must be the printed ones; the others are
run as they stand. A page is one session: later blocks see the names of earlier ones. Docstrings
of the packages run as doctests, by ``--doctest-modules``.
"""

import gc
from doctest import ELLIPSIS, NORMALIZE_WHITESPACE

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


def pytest_collection_finish(session: pytest.Session) -> None:
    """Let the garbage collector pass over the tests themselves, which stay to the end."""
    gc.collect()
    gc.freeze()
