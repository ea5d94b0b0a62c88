"""Every file and every name that a page of the documentation mentions exists."""

from __future__ import annotations

import importlib
import re
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
        "NestedIOFunction", "profiler", "get_numerical_jacobian", "get_analytical_jacobian",
        "get_device_states", "set_device_states", "DefaultDeviceType", "TorchFunctionMode",
        "get_overridable_functions", "get_ignored_functions", "get_testing_overrides",
        "share_memory_", "T1", "Squeeze3",
    }
)  # fmt: skip
# The functions that docs/adding-an-op.md adds, and their words.
_ADDED = frozenset({"logaddexp2", "trapezoid", "trapz", "slogdet", "soft_margin_loss", "_saved_A"})
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
    unknown = {x for x in unknown - _ABSENT - _ADDED if not _NODE.fullmatch(x)}
    assert sorted(unknown) == []


def test_absent_names_are_absent() -> None:
    assert (_ABSENT | _ADDED) & _words() == frozenset()
