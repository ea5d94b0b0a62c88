"""Write the page of derivatives of textbooks: `python -m tools.gallery`."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import symgrad
from symgrad.expr.node import ArrayExpr

_DOCS = Path(__file__).parent.parent / "docs"
PAGE = _DOCS / "gallery.md"

_HEAD = """\
# Gallery

<!-- Written by `python -m tools.gallery` from `docs/formulas.py`. -->

Derivatives as symgrad prints and typesets them, by the first parameter of each function. The test
suite compares each with what is printed here, and its values with differences.

`python -m symgrad derive docs/formulas.py:ridge --wrt w --shape w=3 --shape X=10,3 --shape y=10`
prints one of them, `--latex` its LaTeX, and `--form matrix` its formula in SymPy's matrices.
"""


class Entry(NamedTuple):
    """An example of the gallery: the function, its value and its derivative as formulas."""

    section: str
    function: Any
    order: int
    x: Any
    value: ArrayExpr
    derivative: ArrayExpr


def entries() -> Iterator[Entry]:
    """Yield the examples."""
    sys.path.insert(0, str(_DOCS))
    try:
        from formulas import EXAMPLES  # type: ignore[import-not-found]  # noqa: PLC0415
    finally:
        sys.path.remove(str(_DOCS))
    for section, f, order, shapes in EXAMPLES:
        leaves = [
            symgrad.leaf(name, **shapes.get(name, {})) for name in inspect.signature(f).parameters
        ]
        value = f(*leaves)
        yield Entry(section, f, order, leaves[0], value, symgrad.derive(value, leaves[0], order))


def page() -> str:
    """Return the text of the page."""
    parts, section = [_HEAD], ""
    for entry in entries():
        if entry.section != section:
            section = entry.section
            parts.append(f"\n## {section}\n")
        parts.append(_shown(entry))
    return "\n".join(parts)


def _shown(entry: Entry) -> str:
    f = entry.function
    title = f.__name__.replace("_", " ").capitalize()
    lines = inspect.getsource(f).splitlines()
    body = "\n".join(x for x in lines if not x.startswith("@") and '"""' not in x)
    return (
        f"**{title}.** {f.__doc__}\n\n```text\n{body}\n```\n\n"
        f"```text\n{entry.derivative}\n```\n\n$$\n{entry.derivative.latex()}\n$$\n"
    )


if __name__ == "__main__":
    PAGE.write_text(page())
