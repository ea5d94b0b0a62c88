"""Templates: the source text of one kernel, with fields for operands and parameters.

``{0}``, ``{1}``, … are operands, ``{operands}`` stands for all operands separated by commas, and
every other field is a parameter by name. A template is one Python expression. The text of a field
depends on its place (an argument, a term of an operator, a subscript), which is read from the
syntax tree once.
"""

import ast
import re
from collections.abc import Mapping, Sequence
from enum import Enum
from functools import lru_cache
from keyword import iskeyword
from string import Formatter
from typing import Any, NamedTuple

from .literal import literal, subscript

_MARK = "_field{}_"


class Place(Enum):
    """The place of a field in the expression."""

    ARGUMENT = "argument"  # between commas or brackets: any expression fits
    TERM = "term"  # next to an operator: signs need parentheses
    RECEIVER = "receiver"  # before a dot or a bracket: it must be an array
    SUBSCRIPT = "subscript"  # alone in a subscript: slices have their own syntax


class Field(NamedTuple):
    """An operand or a parameter in a template."""

    name: str
    place: Place


class Template(NamedTuple):
    """A parsed template."""

    source: str
    texts: tuple[str, ...]
    """The texts before, between and after the fields: one more than there are fields."""
    fields: tuple[Field, ...]
    arity: int | None
    """The number of operands; None where it may be any."""
    params: frozenset[str]
    names: frozenset[str]
    """The names in the expression that are no fields: ``np``, helper functions, builtins."""
    receivers: frozenset[int]
    """The operands whose attributes or items the expression reads."""
    terms: frozenset[int]
    """The operands of Python's operators in the expression."""

    def fill(self, operands: Sequence[str], params: Mapping[str, Any]) -> str:
        """Return the expression for these texts of operands and values of parameters."""
        parts = [self.texts[0]]
        for field, text in zip(self.fields, self.texts[1:], strict=True):
            name, place = field
            if name == "operands":
                value = ", ".join(operands)
            elif name in params:
                value = params[name]
                value = subscript(value) if place is Place.SUBSCRIPT else literal(value)
            else:
                value = operands[int(name)]
            if (place is Place.TERM and value[0] == "-") or (
                place is Place.RECEIVER and value[0] in "-.0123456789"
            ):
                value = f"({value})"
            parts += (value, text)
        return "".join(parts)


#: The text before the first field of a call of fields, and that between two fields.
_CALLED = re.compile(r"([A-Za-z_]\w*)(?:\.[A-Za-z_]\w*)*\(([A-Za-z_]\w*=)?", re.ASCII)
_BETWEEN = re.compile(r", ([A-Za-z_]\w*=)?", re.ASCII)


@lru_cache(maxsize=4096)
def parse_template(source: str) -> Template:
    """Return a template from its source; ValueError says what is wrong with a source."""
    texts: list[str] = [""]
    names: list[str] = []
    for text, name, spec, conversion in Formatter().parse(source):
        texts[-1] += text
        if name is None:
            continue
        if spec or conversion or not (name.isdecimal() or _is_name(name)):
            raise ValueError(
                f"template {source!r}: a field is {{0}}, {{1}}, …, {{operands}} or "
                f"a parameter's name, not {{{name}}}"
            )
        names.append(str(int(name)) if name.isdecimal() else name)
        texts.append("")
    found = _places_in_call(texts, len(names)) or _places_in_tree(source, texts, len(names))
    places, outside = found
    fields = tuple([Field(*field) for field in zip(names, places, strict=True)])
    indices = [int(f.name) for f in fields if f.name.isdecimal()]
    return Template(
        source,
        tuple(texts),
        fields,
        None if "operands" in names else max(indices, default=-1) + 1,
        frozenset(f.name for f in fields if not f.name.isdecimal() and f.name != "operands"),
        frozenset(outside),
        _operands_at(fields, Place.RECEIVER),
        _operands_at(fields, Place.TERM),
    )


def _places_in_call(texts: Sequence[str], count: int) -> tuple[Sequence[Place], set[str]] | None:
    """Return the places of the fields, and the names used, of a call of fields; None for others.

    Most templates are such calls, for which no syntax tree is built: it takes ten times as long.
    """
    if not count or texts[-1] != ")":
        return None
    called = _CALLED.fullmatch(texts[0])
    matches = [called, *map(_BETWEEN.fullmatch, texts[1:-1])]
    keywords: list[str] = []
    for match in matches:
        if match is None or (keywords and not match[match.re.groups]):
            return None
        if match[match.re.groups]:
            keywords.append(match[match.re.groups][:-1])
    words = {*keywords, *re.findall(r"\w+", texts[0])}
    if called is None or any(map(iskeyword, words)):
        return None
    return [Place.ARGUMENT] * count, {called[1]}


def _places_in_tree(
    source: str, texts: Sequence[str], count: int
) -> tuple[Sequence[Place], set[str]]:
    """Return the places of the fields, and the names used, of any expression."""
    marks = {_MARK.format(i): i for i in range(count)}
    text = texts[0] + "".join(m + t for m, t in zip(marks, texts[1:], strict=True))
    try:
        tree = ast.parse(text, mode="eval")
    except SyntaxError as error:
        raise ValueError(f"template {source!r} is not one Python expression: {error}") from None
    places: dict[int, Place] = {}
    outside: set[str] = set()
    waiting: list[ast.AST] = [tree]
    for parent in waiting:  # the list grows; `ast.walk` takes three times as long
        for value in vars(parent).values():
            for child in value if isinstance(value, list) else (value,):
                if not isinstance(child, ast.Name):
                    if isinstance(child, ast.AST):
                        waiting.append(child)
                elif child.id in marks:
                    places[marks[child.id]] = _place(parent, child)
                else:
                    outside.add(child.id)
    if len(places) != count:
        raise ValueError(f"template {source!r}: a field stands inside a string or a name")
    return [places[i] for i in range(count)], outside


def _is_name(name: str) -> bool:
    return name.isascii() and name.isidentifier() and not iskeyword(name)


def _operands_at(fields: Sequence[Field], place: Place) -> frozenset[int]:
    return frozenset(int(f.name) for f in fields if f.name.isdecimal() and f.place is place)


def _place(parent: ast.AST, child: ast.Name) -> Place:
    if isinstance(parent, ast.Attribute):
        return Place.RECEIVER
    if isinstance(parent, ast.Subscript):
        return Place.RECEIVER if parent.value is child else Place.SUBSCRIPT
    if isinstance(parent, ast.Call):
        return Place.RECEIVER if parent.func is child else Place.ARGUMENT
    if isinstance(parent, ast.Expression | ast.keyword | ast.List | ast.Tuple):
        return Place.ARGUMENT
    return Place.TERM
