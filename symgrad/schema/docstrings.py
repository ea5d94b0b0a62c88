"""Docstrings of public functions: parameters that many have in common are described here, once.

`describe` enters them where the schema of a function has them. The type follows from the kind that
the schema states; the docstring of a function describes only what is its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from symgrad.schema.kinds import kind_of

_AXES = "The two axes."
_OLD = "Former spellings of `reduction`."
_PLACE = "Accepted where they name the CPU and its memory."
#: What a parameter means, by its name or by its name with its default.
_SHARED: Mapping[str, str] = {
    "input": "",
    "tensors": "",
    "dim": "The axis.",
    "dim=None": "The axes; all of them where not given.",
    "mask": "Which elements count; where not given, all.",
    "dim0": _AXES,
    "dim1": _AXES,
    "dim2": _AXES,
    "axis0": _AXES,
    "axis1": _AXES,
    "keepdim": "Whether reduced axes stay, with length one.",
    "dtype": "What `input` is converted to first.",
    "offset": "Which diagonal: 0 is the main one, positive ones lie above it.",
    "indices_or_sections": "The number of pieces, or the indices before which to cut.",
    "memory_format": "Accepted: elements always lie in the order of the axes.",
    "non_blocking": "Accepted: there is nothing to wait for.",
    "implicit": "Accepted and ignored.",
    "inplace": "Whether to change `input` itself.",
    "size_average": _OLD,
    "reduce": _OLD,
    "other": "The second operand.",
    "sections": "How many pieces there are.",
    "indices": "Where the pieces begin.",
    "device": _PLACE,
    "layout": _PLACE,
    "pin_memory": _PLACE,
    "generator": "The stream to draw from, in place of the default.",
    "out": "What to write into.",
}
#: What a parameter means to functions that make tensors: those that take `requires_grad`.
_MADE: Mapping[str, str] = {
    **_SHARED,
    "dtype": "The element type; by default the default dtype.",
    "memory_format": _PLACE,
    "requires_grad": "Whether gradients accumulate into its `.grad`.",
    "out": "What to write into; it takes the shape.",
    "name": "What it is called in formulas.",
}

_HEADING = "Parameters\n----------"
_SECTION = re.compile(r"\n\n(?=\w+\n-{3,}\n)")
_ENTRY = re.compile(r"\n(?=[*\w])")
#: The kind, the name and the default of each parameter that a schema lists.
_PARAMETER = re.compile(r"([^ (,~]+) (\w+)(?:=([^,)]+))?(?=[,)])")


def describe(
    texts: Sequence[str], f: Callable[..., Any], method: bool = False, formulas: bool = True
) -> dict[str, str]:
    """Add to a docstring the parameters that schemas list and the docstring does not describe.

    Return the texts of the defaults of all parameters, of a `method` without the tensor; a text is
    empty where there is no default. Tensors may be `formulas`.

    Left alone is what the docstring has an entry for, or names in backticks above its sections.

    Examples
    --------
    >>> def total(input, keepdim=False):
    ...     '''Return the sum of `input`.'''
    >>> _ = describe(("total(Tensor input, bool keepdim=False) -> Tensor",), total)
    >>> total.__doc__.splitlines()[-2:]
    ['keepdim : bool', '    Whether reduced axes stay, with length one.']
    """
    above, *sections = _SECTION.split(_unindented(f.__doc__ or ""))
    own = sections.pop(0) if sections and sections[0].startswith(_HEADING) else _HEADING
    heading, *entries = _ENTRY.split(own)
    known = _named(above).union(*map(_names, entries))
    found = _listed(texts)
    if method:
        del found["input"]
    shared = _MADE if "requires_grad" in found else _SHARED
    added: dict[tuple[str, str], list[str]] = {}
    for name, (kind, default) in found.items():
        text = shared.get(f"{name}={default}", shared.get(name))
        if text is not None and name not in known:
            starred = f"*{name}" if kind.endswith("...") else name
            words = _type(name, kind, default, text)
            words = words if formulas else words.replace(" or ArrayExpr", "")
            added.setdefault((words, text), []).append(starred)
    for (kind, text), names in added.items():
        typed = f"{', '.join(names)} : {kind}" if kind else ", ".join(names)
        entries.append(f"{typed}\n    {text}" if text else typed)
    if entries:
        place = {name: i for i, name in enumerate(found)}
        # What `**keywords` takes has no place, and comes last.
        entries.sort(key=lambda entry: place.get(_names(entry)[0], len(place)))
        sections.insert(0, "\n".join([heading, *entries]))
    f.__doc__ = "\n\n".join([above, *sections])
    return {name: default for name, (_, default) in found.items()}


def _unindented(doc: str) -> str:
    """Return a docstring without the indentation of its last line, as `inspect.cleandoc` does.

    That function takes most of the time of all of this, when the library is imported.
    """
    text = doc.rstrip(" ")
    return text.replace("\n" + " " * (len(doc) - len(text)), "\n").rstrip()


def _listed(texts: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Return kind and default of each parameter; of deprecated overloads those of no other."""
    found: dict[str, tuple[str, str]] = {}
    for text in sorted(texts, key=lambda text: text[0] == "-"):
        for kind, name, default in _PARAMETER.findall(text.partition(" -> ")[0]):
            name = "input" if name == "self" else name
            found.setdefault(name, (kind, default or ("None" if kind[-1] == "?" else "")))
    return found


def _type(name: str, kind: str, default: str, text: str) -> str:
    """Return the type of a parameter in words; none of one that has no meaning here."""
    words = "" if text.startswith("Accepted") else kind_of(kind.removesuffix("?")).words
    if kind == "object" and default in ("False", "True"):
        words = "bool"
    if name == "out":
        words = words.replace(" or ArrayExpr", "")  # a formula cannot be written into
    return f"{words}, optional" if words and default == "None" else words


def _named(text: str) -> set[str]:
    """Return the identifiers that stand in backticks."""
    return {name for code in re.findall(r"`+([^`]+)`+", text) for name in re.findall(r"\w+", code)}


def _names(entry: str) -> list[str]:
    """Return the parameters that an entry describes."""
    heading = entry.partition("\n")[0].partition(" : ")[0]
    return [name.strip(" *") for name in heading.split(",")]
