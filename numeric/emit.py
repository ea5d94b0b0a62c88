"""Programs as source: one readable function that needs NumPy alone.

A kernel may state further imports, for SciPy's special functions; the source contains them.
"""

from collections.abc import Mapping

from .identifiers import fresh_name, identifier
from .literal import array_literal, dtype_literal, is_literal, literal
from .module_head import module_head
from .points import loop, needs_loop, output_types
from .program import ArrayType, Instr, Program, number_slots, released_slots, slot_texts


def emit(program: Program, name: str | None = None, *, bare: bool = False) -> str:
    r"""Return stand-alone NumPy source of a function that computes ``program``.

    The function takes the inputs by position or by name, as arrays or as objects that
    ``np.asarray`` converts. It raises ValueError for an input of another shape than the program
    states. Only 0-d inputs may be arrays as well, which are broadcast to one shape and of which
    each element is one point: that shape comes first in the results, except in those of a program
    of numbers alone that do not depend on these inputs. The text depends on the program alone.

    Parameters
    ----------
    program
        The program.
    name
        The name of the function; by default the name of the program.
    bare
        Whether a single result is returned as an array, not as a tuple of one array.

    Raises
    ------
    ProgramError
        If the program is not well formed.
    ValueError
        If the name of the function or of an input is no identifier, if inputs share a name, or if
        the text itself uses the name of the function.
    TypeError
        If a constant has no literal.

    Examples
    --------
    >>> import numpy as np
    >>> from numeric import Kernel
    >>> exp = Kernel("exp", np.exp, "np.exp({0})")
    >>> program = Program("f", ((0, "x"),), {}, (Instr(exp, (0,), out=1),), (1,))
    >>> print(*emit(program, bare=True).splitlines()[-3:], sep="\n")
        x = np.asarray(x)
        t1 = np.exp(x)
        return t1
    """
    program.validate()
    head = module_head(instr.kernel for instr in program.instrs)
    function = identifier(program.name if name is None else name, "the name of the function")
    if function in head.globals:
        raise ValueError(f"the source uses the name {function} itself: give another one as name=")
    public = [identifier(n, f"the name of an input of {function}") for _, n in program.inputs]
    if len(set(public)) != len(public):
        twice = sorted({n for n in public if public.count(n) > 1})
        raise ValueError(f"inputs of {function} share the names {', '.join(twice)}")
    used = {*public, *head.names}
    private = [fresh_name(n, used) if n in head.names else n for n in public]
    texts = slot_texts(program, private, used)
    doc = _docstring(program, function, public, bare)
    body = _body(program, texts, public, bare)
    loops = needs_loop(program)
    used.update(texts.values())
    if private == public and not (loops and function in public):
        lines = loop(program, function, private, used, bare) if loops else []
        functions = [_function(function, public, [*doc, *lines, *body])]
    else:
        # No local variable may have a name that the body uses, and callers know the input by it.
        inner = fresh_name(f"_{function}", {*head.globals, *used, function})
        if loops:
            body = [*loop(program, inner, private, used, bare), *body]
        call = [f"return {inner}({', '.join(public)})"]
        functions = [_function(inner, private, body), _function(function, public, [*doc, *call])]
    return "\n\n\n".join(["\n".join(head.imports), *head.prelude, *functions]) + "\n"


def _function(name: str, parameters: list[str], lines: list[str]) -> str:
    text = [f"def {name}({', '.join(parameters)}):"]
    text += [f"    {line}" if line else "" for line in lines]
    return "\n".join(text)


def _docstring(program: Program, function: str, inputs: list[str], bare: bool) -> list[str]:
    lines = [f'"""Compute {function}.']
    if inputs:
        lines += ["", "Parameters", "----------"]
    for (slot, _), name in zip(program.inputs, inputs, strict=True):
        known = _type_text(program.types.get(slot, ArrayType()))
        lines.append(f"{name} : {known}" if known else name)
    results = [_type_text(known) for known in output_types(program)]
    if any(results):
        one = "tuple of one array, " if len(results) == 1 and not bare else ""
        lines += ["", "Returns", "-------", *(one + (known or "array") for known in results)]
    return [*lines, '"""']


def _type_text(known: ArrayType) -> str:
    """Return the dtype and shape of an array for a docstring, where only literals may stand."""
    shape = "" if known.shape is None else f"shape {literal(known.shape)}"
    dtype = "" if known.dtype is None else dtype_literal(known.dtype).removeprefix("np.")
    return ", ".join(filter(None, (dtype, shape)))


def _body(program: Program, texts: Mapping[int, str], public: list[str], bare: bool) -> list[str]:
    lines = [*_conversions(program, texts, public), *_assignments(program, texts)]
    returned = [texts[slot] for slot in program.outputs]
    if len(returned) == 1:
        lines.append(f"return {returned[0]}" if bare else f"return ({returned[0]},)")
    else:
        lines.append(f"return {', '.join(returned) or '()'}")
    return lines


def _conversions(program: Program, texts: Mapping[int, str], public: list[str]) -> list[str]:
    """Return the lines that make arrays of the inputs and constants that are read."""
    read = {slot for instr in program.instrs for slot in instr.operands}
    read.update(program.outputs)
    lines = []
    for (slot, _), name in zip(program.inputs, public, strict=True):
        if slot in read:
            known, text = program.types.get(slot, ArrayType()), texts[slot]
            cast = "" if known.dtype is None else f", dtype={dtype_literal(known.dtype)}"
            if known.dtype is not None and known.dtype.kind in "biu":
                lines += _integer_check(text, name, dtype_literal(known.dtype))
            lines.append(f"{text} = np.asarray({text}{cast})")
            if known.shape:
                shape = literal(known.shape)
                said = f"{name!r} has shape {shape}, but its value has shape {{{text}.shape}}"
                lines += [f"if {text}.shape != {shape}:", f'    raise ValueError(f"{said}")']
    lines += [
        f"{texts[slot]} = {array_literal(value)}"
        for slot, value in program.constants.items()
        if slot in read and not is_literal(value)
    ]
    return lines


def _assignments(program: Program, texts: Mapping[int, str]) -> list[str]:
    """Return the lines that compute the instructions and delete large arrays after their use."""
    lines = []
    numbers = number_slots(program, ())
    not_deleted = {slot for slot, _ in program.inputs}
    not_deleted.update(slot for slot, value in program.constants.items() if is_literal(value))
    not_deleted.update(
        slot
        for instr in program.instrs
        for slot, known in zip(instr.outs, instr.types, strict=True)
        if known.shape == ()
    )
    for index, (instr, dead) in enumerate(
        zip(program.instrs, released_slots(program), strict=True)
    ):
        results = ", ".join([texts[slot] for slot in instr.outs])
        one = isinstance(instr.out, tuple) and len(instr.out) == 1
        expression = _expression(instr, texts, numbers)
        lines.append(f"{results}{',' if one else ''} = {expression}")
        freed = [texts[slot] for slot in dead if slot not in not_deleted]
        if freed and index + 1 < len(program.instrs):
            lines.append(f"del {', '.join(freed)}")
    return lines


def _integer_check(text: str, name: str, dtype: str) -> list[str]:
    """Return the lines that refuse numbers which an integer type does not hold, as of an index."""
    said = f"{name!r} is {dtype.removeprefix('np.')}, which does not hold its value"
    return [
        f"if np.asarray({text}).dtype != {dtype}:",
        f"    if np.any(np.asarray({text}) != np.asarray({text}).astype({dtype})):",
        f'        raise ValueError("{said}")',
    ]


def _expression(instr: Instr, texts: Mapping[int, str], numbers: set[int]) -> str:
    template = instr.kernel.template
    operands = [texts[slot] for slot in instr.operands]
    # Python would compute an operator between two of its numbers: one of them is made an array.
    alone = numbers.issuperset(instr.operands)
    for index, slot in enumerate(instr.operands):
        if slot in numbers and (index in template.receivers or (alone and index in template.terms)):
            operands[index] = f"np.asarray({operands[index]})"
    return template.fill(operands, instr.params)
