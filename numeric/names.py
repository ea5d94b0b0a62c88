"""How the slots of a program are written, in generated source and in listings."""

from typing import TYPE_CHECKING

from .identifiers import fresh
from .literal import is_literal, literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from .program import Program

__all__ = ["slot_texts"]


def slot_texts(
    program: "Program",
    inputs: "Sequence[str]",
    taken: "Iterable[str]" = (),
) -> "dict[int, str]":
    """How each slot is written.

    Inputs as given, constants as literals where they have one, else as
    ``c1``, …, results as ``t1``, … in the order of instructions and of the
    results of each; what is
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
    results = [slot for instr in program.instrs for slot in instr.outs]
    for position, slot in enumerate(results, 1):
        texts[slot] = fresh(f"t{position}", used)
    return texts
