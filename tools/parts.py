"""Write which parts of PyTorch there are: `python -m tools.parts`, at the top of a page."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from types import ModuleType

import symgrad
from symgrad.support.absent import ABSENT

PAGE = Path(__file__).parent.parent / "docs" / "differences.md"

_BEGIN = (
    "<!-- Written by `python -m tools.parts` from the modules and `symgrad/support/absent.py`. -->"
)
_END = "<!-- The end of what is written so. -->"


def table() -> str:
    """Return the table of the modules that there are, and of what is absent."""
    rows = ["| of `torch` | in symgrad |", "|---|---|"]
    for name in sorted(symgrad.__all__):
        module = getattr(symgrad, name)
        if isinstance(module, ModuleType):
            rows.append(f"| `{name}` | {_subject(module)} |")
    alike: dict[tuple[str, str], list[str]] = {}
    for name, reason in sorted(ABSENT.items()):
        if not name.endswith(".*"):
            alike.setdefault(reason, []).append(f"`{name}`")
    for (purpose, instead), names in alike.items():
        rows.append(f"| {', '.join(names)} | no: it is for {purpose}; use {_in_code(instead)} |")
    return "\n".join(rows)


def _subject(module: ModuleType) -> str:
    """Return what the first line of a module's docstring says of it."""
    text = (inspect.getdoc(module) or "").partition("\n")[0].rstrip(".")
    name = module.__name__.partition(".")[2]
    text = re.sub(rf"^(PyTorch's )?`(torch\.|symgrad\.)?{name}`: ", "", text)
    return text if text.startswith("PyTorch") else text[0].lower() + text[1:]


def _in_code(text: str) -> str:
    """Return a text in which the names of Python stand as code."""
    return re.sub(r"\w+(\.\w+)+", r"`\g<0>`", text)


def page() -> str:
    """Return the text of the page with the table as it is now."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(_BEGIN)
    after = rest.partition(_END)[2]
    return f"{before}{_BEGIN}\n\n{table()}\n\n{_END}{after}"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
