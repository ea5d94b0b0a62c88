"""Names for generated source and for listings of programs."""

import unicodedata
from keyword import iskeyword
from typing import TYPE_CHECKING, Any

from .literal import is_literal, literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from .program import Program

__all__ = ["fresh", "identifier", "normal", "slot_texts"]


def identifier(name: Any, what: str) -> str:
    """``name`` as Python reads it, when it is a name that can be bound.

    Python compares identifiers in the form NFKC: two spellings of one name are
    returned equal.

    Raises
    ------
    ValueError
        When ``name`` is not an identifier or is reserved.
    """
    # str's own method, since a subclass may have another opinion.
    if isinstance(name, str) and str.isidentifier(name):
        read = normal(name)
        if not iskeyword(read) and read != "__debug__":
            return read
    raise ValueError(f"{what} must be a Python identifier and no keyword, not {name!r}")


def normal(name: str) -> str:
    """``name`` in the form NFKC, in which Python compares identifiers."""
    return unicodedata.normalize("NFKC", str(name))


def fresh(name: str, taken: set[str]) -> str:
    """``name``, or with underscores after it the first not ``taken``; takes it."""
    while name in taken:
        name += "_"
    taken.add(name)
    return name


def slot_texts(
    program: "Program",
    inputs: "Sequence[str]",
    taken: "Iterable[str]" = (),
) -> "dict[int, str]":
    """How each slot is written.

    Inputs as given, constants as literals where they have one, else as
    ``c1``, …, results as ``t1``, … in the order of instructions; what is
    ``taken`` is avoided.
    """
    used = {*inputs, *taken}
    texts = {slot: name for (slot, _), name in zip(program.inputs, inputs, strict=True)}
    named = 0
    for slot, value in program.constants.items():
        if is_literal(value):
            texts[slot] = literal(value)
        else:
            named += 1
            texts[slot] = fresh(f"c{named}", used)
    for position, instr in enumerate(program.instrs, 1):
        texts[instr.out] = fresh(f"t{position}", used)
    return texts
