"""Every file and every name that a page of the documentation mentions exists."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from symgrad.simplify import TABLE

_ROOT = Path(__file__).parent.parent
_PAGES = [
    "README.md",
    "CONTRIBUTING.md",
    *(f"docs/{p.name}" for p in (_ROOT / "docs").glob("*.md")),
]
_SOURCES = ("symgrad", "numeric", "tests", "tools", "benchmarks")

_FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
_QUOTED = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
_PATH = re.compile(r"(?!\d)[\w.-]+/([\w.-]+/?)*|[\w-]+\.(py|md|json|toml|pyi)")
_DOTTED = re.compile(r"(?:symgrad|numeric)(?:\.\w+)+")
_STRING = re.compile(r"'[^']*'|\"[^\"]*\"")
_NAME = re.compile(r"(?<!\w)[A-Za-z_]\w+")

# Names of PyTorch that the pages mention since symgrad does not have them, and names of its nodes.
_ABSENT = frozenset(
    {
        "NestedIOFunction", "get_numerical_jacobian", "get_analytical_jacobian",
        "get_device_states", "set_device_states", "DefaultDeviceType", "TorchFunctionMode",
        "get_overridable_functions", "get_ignored_functions", "get_testing_overrides",
        "share_memory_", "T1", "Squeeze3",
    }
)  # fmt: skip
# Nodes get such names from those of operations.
_NODE = re.compile(r"[A-Z]\w*Backward\d")


@cache
def _words() -> frozenset[str]:
    """Return all words in the sources, and the names of the rewrites, some of which are made."""
    found = {rewrite.name for rewrite in TABLE}
    for folder in _SOURCES:
        for file in (_ROOT / folder).rglob("*.py*"):
            if file.suffix in (".py", ".pyi") and file != Path(__file__):
                found.update(re.findall(r"\w+", file.read_text()))
    return frozenset(found)


def _quoted(page: str) -> list[str]:
    """Return the texts in backticks that stand outside of blocks of code."""
    return _QUOTED.findall(_FENCED.sub("", (_ROOT / page).read_text()))


def _exists(path: str) -> bool:
    return (_ROOT / path).exists() or (
        "/" not in path and any(next((_ROOT / top).rglob(path), None) for top in _SOURCES)
    )


def _resolves(dotted: str) -> bool:
    parts = dotted.split(".")
    for i in range(len(parts), 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:i]))
        except ModuleNotFoundError:
            continue
        for part in parts[i:]:
            if not hasattr(found, part):
                return False
            found = getattr(found, part)
        return True
    return False


@pytest.mark.parametrize("page", _PAGES)
def test_every_file_exists(page: str) -> None:
    text = (_ROOT / page).read_text()
    paths = {x for x in _quoted(page) if _PATH.fullmatch(x)}
    # The files that the diffs of a page change; others are new.
    paths.update(re.findall(r"^\+\+\+ (\S+)\n@@ -[1-9]", text, re.MULTILINE))
    assert [x for x in sorted(paths) if not _exists(x)] == []


@pytest.mark.parametrize("page", _PAGES)
def test_every_name_exists(page: str) -> None:
    unknown = set()
    for text in _quoted(page):
        if _DOTTED.fullmatch(text.removesuffix("()")):
            if not _resolves(text.removesuffix("()")):
                unknown.add(text)
        elif not _PATH.fullmatch(text):
            unknown.update(set(_NAME.findall(_STRING.sub("", text))) - _words())
    unknown = {x for x in unknown - _ABSENT if not _NODE.fullmatch(x)}
    assert sorted(unknown) == []


def test_absent_names_are_absent() -> None:
    assert _ABSENT & _words() == frozenset()


_FILE = re.compile(r"^\+\+\+ (\S+)\n", re.MULTILINE)
_HUNK = re.compile(r"^@@ -(\d+).*\n", re.MULTILINE)


def _changes() -> Iterator[tuple[list[str], tuple[int, int], dict[str, list[str]]]]:
    """Yield the names, the counts and the hunks of each change of docs/adding-an-op.md."""
    text = (_ROOT / "docs/adding-an-op.md").read_text().partition("as whole changes\n")[2]
    counts = re.findall(r"^\| .*?: (`.*`) \|.*\| (\d+) \| (\d+) \|$", text, re.MULTILINE)
    # The first diff below a heading is the change to this tree, a second one that to an old tree.
    diffs = re.findall(r"^### .*?^```diff\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    for (names, files, lines), diff in zip(counts, diffs, strict=True):
        _, *parts = _FILE.split(diff)
        hunks = dict(zip(parts[::2], (_HUNK.split(part)[1:] for part in parts[1::2]), strict=True))
        yield re.findall("`(.*?)`", names), (int(files), int(lines)), hunks


def test_what_the_changes_add_is_there() -> None:
    for added, _, files in _changes():
        for path, hunks in files.items():
            text = (_ROOT / path).read_text()
            for hunk in hunks[1::2]:
                new = "".join([x[1:] + "\n" for x in hunk.splitlines() if x[0] != "-"])
                assert new in text, f"{added}: these lines do not stand in {path}:\n{new}"


def test_the_changes_are_counted() -> None:
    for added, counts, files in _changes():
        lines = [x for hunks in files.values() for hunk in hunks[1::2] for x in hunk.splitlines()]
        assert counts == (len(files), sum(x[0] == "+" for x in lines)), added
