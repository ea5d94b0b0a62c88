"""Write the page of the table of rewrites: `python -m tools.rewrites`."""

from __future__ import annotations

from pathlib import Path

from symgrad.expr.node import ArrayExpr
from symgrad.simplify.rewrite import Kind, Rewrite
from symgrad.simplify.table import ORDER, SECTIONS

PAGE = Path(__file__).parent.parent / "docs" / "rewrites.md"

_HEAD = """\
# The table of rewrites

<!-- Written by `python -m tools.rewrites` from `symgrad/simplify/table.py`. -->

From a formula to an equal formula: these are all rewrites, in the order in which they are tried.
They are of three kinds, which [are never mixed](decisions.md#simplification-is-safe):

values
: What you write is computed as it was written. These apply to it as well, and change no bit.

derivatives
: These apply while a derivative is built. They change no finite result beyond rounding, turn no
  number into nan, hide no nan of the function itself, and compute in no narrower dtype.

stable forms
: Such a function is differentiated in the place of one whose own derivative overflows or cancels.

Each is shown with what it makes of its samples, on which the test suite holds it to its kind.
"""


def page() -> str:
    """Return the text of the page."""
    parts = [_HEAD]
    for section in SECTIONS:
        parts.append(f"\n## {section.title}\n")
        parts.extend(_entry(entry) for entry in section.rewrites)
    parts.append("\n## Which order matters\n")
    parts.append(
        "\nOf two rewrites that apply to one node the earlier one counts. For these pairs that\n"
    )
    parts.append("makes a difference; all others may be exchanged.\n")
    for reason, pairs in ORDER.items():
        parts.append(f"\n{reason}\n\n")
        parts.extend(f"- `{a.name}` before `{b.name}`\n" for a, b in pairs)
    return "".join(parts)


def _entry(entry: Rewrite) -> str:
    roots = ", ".join(f"`{root.__name__}`" for root in entry.roots)
    kind = "" if entry.kind is Kind.STABLE else f", {entry.kind.value}"
    shown = [f"  - `{a}` → `{b}`\n" for a, b in map(_texts, entry.examples()) if a != b]
    return f"\n`{entry.name}` ({roots}{kind})\n: {entry.sentence}\n" + (
        "\n" + "".join(dict.fromkeys(shown)) if shown else ""
    )


def _texts(example: tuple[ArrayExpr, ArrayExpr]) -> tuple[str, str]:
    before, after = (str(e).replace("\n", "; ") for e in example)
    return before, after


if __name__ == "__main__":
    PAGE.write_text(page())
