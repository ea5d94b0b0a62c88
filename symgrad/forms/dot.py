r"""Pictures of formulas as graphs, in the DOT language, which Graphviz draws.

An arrow goes from each operand to the operation that takes it. Where an operation is a contraction,
its arrows bear the letters of the axes.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from typing import Any

from symgrad.expr.atoms import ArrayConst, Const, Leaf
from symgrad.expr.display import as_shown
from symgrad.expr.graph import toposort
from symgrad.expr.node import ArrayExpr
from symgrad.expr.written import number_text
from symgrad.ops.contraction import contract
from symgrad.ops.equations import parse
from symgrad.schema.public import METHODS

#: The seconds after which Graphviz is given up; a notebook then shows the text.
_MOST_SECONDS = 20


class Dot(str):
    """A graph in the DOT language. Notebooks draw it where Graphviz is installed."""

    __slots__ = ()

    def _repr_svg_(self) -> str | None:
        """Return the drawing by Graphviz's program `dot`; None where there is none."""
        program = shutil.which("dot")
        if program is None:
            return None
        try:
            made = subprocess.run(
                [program, "-Tsvg"],
                input=self,
                capture_output=True,
                text=True,
                encoding="utf-8",
                timeout=_MOST_SECONDS,
                check=True,
            )
        except (subprocess.SubprocessError, OSError):
            return None
        return made.stdout


def dot(e: ArrayExpr, *args: Any, **kwargs: Any) -> Any:
    r"""Return the picture of the formula as a graph, in the DOT language; with an operand, `e @ x`.

    With an operand it is PyTorch's `dot`, the inner product of two vectors.

    Returns
    -------
    str or ArrayExpr
        A graph of the formula that `str` shows, which notebooks draw where Graphviz is installed.

    Examples
    --------
    >>> import symgrad
    >>> x = symgrad.leaf("x", (3,))
    >>> print(x.sin().dot())
    digraph {
      rankdir=BT
      node [shape=box, style=rounded]
      n0 [label="x (3,)", shape=ellipse]
      n1 [label="sin"]
      n0 -> n1
    }
    """
    if args or kwargs:
        return METHODS["dot"](e, *args, **kwargs)
    return Dot("\n".join(["digraph {", *(f"  {x}" for x in _lines(e)), "}"]))


def _lines(e: ArrayExpr) -> Iterator[str]:
    yield "rankdir=BT"
    yield "node [shape=box, style=rounded]"
    nodes = toposort(as_shown([e]))
    number = {x: i for i, x in enumerate(nodes)}
    for x, i in number.items():
        shape = "" if x.operands else ", shape=ellipse"
        yield f"n{i} [label={_quoted(_label(x))}{shape}]"
        letters = parse(x.spec).inputs if type(x) is contract else [""] * len(x.operands)
        for place, (y, axes) in enumerate(zip(x.operands, letters, strict=True)):
            ordered = str(place) if len(x.operands) > 1 and type(x) is not contract else axes
            yield f"n{number[y]} -> n{i}" + f" [label={_quoted(ordered)}]" * bool(ordered)


def _label(x: Any) -> str:
    if isinstance(x, Leaf):
        return f"{x.name} {x.shape}" if x.shape else x.name
    if isinstance(x, Const):
        return number_text(x.value)
    if isinstance(x, ArrayConst):
        return f"array {x.shape}"
    name = _name(x)
    has_letters = type(x) is contract and (name.startswith("einsum") or not name[0].isalpha())
    return x.spec if has_letters else name


_HOLE = re.compile(r"(, )?\{\d+\}(?(1)|(, )?)")
#: A sign, or the call of a function with what it takes beside operands.
_NAMED = re.compile(
    r"(?!op\.)(?!.*(\*\*|\(,|\[:))([A-Za-z][\w.]*(\([^*,].*\))?(\[\d\])?)|[-+*/%&|^~<>=@]+"
)
_EMPTY = re.compile(r"\(\)|\[\]|^\.|=(?=[,)])")


def _name(x: Any) -> str:
    """Return what a node's text says beside its operands: `sum(dim=0)` of `sum({0}, dim=0)`."""
    left = _HOLE.sub("", x.notation().text)
    while left != (left := _EMPTY.sub("", left.strip())):
        pass
    return left if _NAMED.fullmatch(left) else type(x).__name__.strip("_")


def _quoted(text: str) -> str:
    r"""Return a string of the DOT language, in which no character is a command."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


#: What formulas have of this module.
DRAWN: dict[str, Any] = {"dot": dot}
