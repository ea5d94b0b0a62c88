"""Source that computes a program at many points, where 0-d inputs are given arrays."""

from collections.abc import Sequence

import numpy as np

from .identifiers import fresh_name
from .literal import dtype_literal, literal
from .program import ArrayType, Program
from .rows import local


def numbers(program: Program) -> list[int]:
    """Return the positions of the 0-d inputs that a program reads."""
    read = {slot for instr in program.instrs for slot in instr.operands}
    read.update(program.outputs)
    return [
        i
        for i, (slot, _) in enumerate(program.inputs)
        if slot in read and program.types.get(slot, ArrayType()).shape == ()
    ]


def needs_loop(program: Program) -> bool:
    """Return whether a function of a program must be called for each point.

    Where all values are numbers, kernels that work element by element compute all points at once.
    """
    return bool(numbers(program)) and not all(
        instr.kernel.rows is local and known.shape == ()
        for instr in program.instrs
        for known in instr.types
    )


def loop(
    program: Program, function: str, parameters: Sequence[str], used: set[str], bare: bool
) -> list[str]:
    """Return the lines by which a function calls itself for each point.

    Parameters
    ----------
    program
        The program.
    function, parameters
        The names of the function and of its parameters.
    used
        The names of all variables of the function, to which those of the lines are added.
    bare
        Whether a single result is returned as an array, not as a tuple of one array.
    """
    names = [parameters[i] for i in numbers(program)]
    listed, shapes = ", ".join(names), ", ".join([f"np.shape({x})" for x in names])
    shape, rows, i = (fresh_name(name, used) for name in ("shape", "rows", "i"))
    head, arrays = f"{shape} = {shapes}", f"np.asarray({listed})"
    if len(names) > 1:
        head, arrays = f"{shape} = np.broadcast_shapes({shapes})", f"np.broadcast_arrays({listed})"
    given = ", ".join([f"{x}[{i}]" if x in names else x for x in parameters])
    lines = [
        head,
        f"if {shape}:",
        f"    {listed} = {arrays}",
        f"    {rows} = [{function}({given}) for {i} in np.ndindex({shape})]",
    ]
    known = output_types(program)
    if bare and len(known) == 1:
        return [*lines, f"    return {_stacked(rows, shape, known[0])}"]
    parts = [_stacked(f"[r[{k}] for r in {rows}]", shape, one) for k, one in enumerate(known)]
    return [*lines, "    return (", *[f"        {part}," for part in parts], "    )"]


def _stacked(rows: str, shape: str, known: ArrayType) -> str:
    """Return the text of an array of results, one for each point."""
    cast = "" if known.dtype is None else f", dtype={dtype_literal(known.dtype)}"
    if known.shape == ():
        return f"np.array({rows}{cast}).reshape({shape})"
    own = f"np.shape({rows}[0])" if known.shape is None else literal(known.shape)
    return f"np.array({rows}{cast}).reshape({shape} + {own})"


def output_types(program: Program) -> list[ArrayType]:
    """Return the shapes and dtypes of the results of a program."""
    known = {slot: ArrayType(np.shape(value)) for slot, value in program.constants.items()}
    known.update(program.types)
    for instr in program.instrs:
        known.update(zip(instr.outs, instr.types, strict=True))
    return [known.get(slot, ArrayType()) for slot in program.outputs]
