"""The source of the library, read and parsed once for all tests of one process that look at it."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from pathlib import Path

import numeric
import symgrad

#: The folders of both packages.
PACKAGES = [Path(module.__file__ or "").parent for module in (symgrad, numeric)]


def files() -> Iterator[Path]:
    """Yield the modules of both packages."""
    for package in PACKAGES:
        yield from package.rglob("*.py")


@functools.cache
def parts_of(path: Path) -> tuple[ast.AST, ...]:
    """Return all parts of a module, from above to below; the first is the module itself."""
    return tuple(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
