"""Programs as source: one readable function that needs NumPy alone.

What kernels need beyond NumPy (SciPy's special functions) they say themselves,
and the source imports it.
"""

from collections.abc import Mapping

from .identifiers import fresh, identifier
from .library import library
from .literal import array_literal, dtype_literal, is_literal, literal
from .names import slot_texts
from .program import ArrayType, Instr, Program, python_numbers, releases

__all__ = ["emit"]


def emit(program: Program, name: str | None = None, *, bare: bool = False) -> str:
    r"""Stand-alone NumPy source of a function that computes ``program``.

    The function takes the inputs by position or by name, as arrays or as what
    ``np.asarray`` makes an array of; it raises ValueError for one of another shape than the
    program states. Its text depends on the program alone.

    Parameters
    ----------
    program
        The program.
    name
        The name of the function; that of the program by default.
    bare
        Whether a single result is returned as such, not as a tuple of one.

    Raises
    ------
    ProgramError
        When the program is not well formed.
    ValueError
        When the function's or an input's name is no identifier, when inputs
        share a name, or when the function's name is one that its text uses.
    TypeError
        When a constant has no literal.

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
    head = library(instr.kernel for instr in program.instrs)
    function = identifier(program.name if name is None else name, "the name of the function")
    if function in head.globals:
        raise ValueError(f"the source uses the name {function} itself: give another one as name=")
    public = [identifier(n, f"the name of an input of {function}") for _, n in program.inputs]
    if len(set(public)) != len(public):
        twice = sorted({n for n in public if public.count(n) > 1})
        raise ValueError(f"inputs of {function} share the names {', '.join(twice)}")
    used = {*public, *head.names}
    private = [fresh(n, used) if n in head.names else n for n in public]
    texts = slot_texts(program, private, used)
    doc = _docstring(program, function, public, bare)
    body = _body(program, texts, public, bare)
    if private == public:
        functions = [_function(function, public, [*doc, *body])]
    else:
        # A parameter may not hide what the body uses, yet keeps its name for callers.
        inner = fresh(f"_{function}", {*head.globals, *used, function})
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
        known = _known(program.types.get(slot, ArrayType()))
        lines.append(f"{name} : {known}" if known else name)
    declared = {
        slot: known
        for instr in program.instrs
        for slot, known in zip(instr.outs, instr.types, strict=True)
    }
    results = [_known(declared.get(slot, program.types.get(slot))) for slot in program.outputs]
    if any(results):
        one = "tuple of one array, " if len(results) == 1 and not bare else ""
        lines += ["", "Returns", "-------", *(one + (known or "array") for known in results)]
    return [*lines, '"""']


def _known(known: ArrayType | None) -> str:
    """What a docstring says of an array; only literals may enter it."""
    if known is None:
        return ""
    shape = "" if known.shape is None else f"shape {literal(known.shape)}"
    dtype = "" if known.dtype is None else dtype_literal(known.dtype).removeprefix("np.")
    return ", ".join(filter(None, (dtype, shape)))


def _body(program: Program, texts: Mapping[int, str], public: list[str], bare: bool) -> list[str]:
    touched = {slot for instr in program.instrs for slot in instr.operands}
    touched.update(program.outputs)
    lines = []
    for (slot, _), name in zip(program.inputs, public, strict=True):
        if slot in touched:
            known, text = program.types.get(slot, ArrayType()), texts[slot]
            cast = "" if known.dtype is None else f", dtype={dtype_literal(known.dtype)}"
            if known.dtype is not None and known.dtype.kind in "biu":
                lines += _refusing(text, name, dtype_literal(known.dtype))
            lines.append(f"{text} = np.asarray({text}{cast})")
            if known.shape is not None:
                shape = literal(known.shape)
                said = f"{name!r} has shape {shape}, but its value has shape {{{text}.shape}}"
                lines += [f"if {text}.shape != {shape}:", f'    raise ValueError(f"{said}")']
    lines += [
        f"{texts[slot]} = {array_literal(value)}"
        for slot, value in program.constants.items()
        if slot in touched and not is_literal(value)
    ]
    numbers = python_numbers(program, ())
    kept = {slot for slot, _ in program.inputs}
    kept.update(slot for slot, value in program.constants.items() if is_literal(value))
    kept.update(
        slot
        for instr in program.instrs
        for slot, known in zip(instr.outs, instr.types, strict=True)
        if known.shape == ()
    )
    for index, (instr, dead) in enumerate(zip(program.instrs, releases(program), strict=True)):
        results = ", ".join([texts[slot] for slot in instr.outs])
        one = isinstance(instr.out, tuple) and len(instr.out) == 1
        expression = _expression(instr, texts, numbers)
        lines.append(f"{results}{',' if one else ''} = {expression}")
        freed = [texts[slot] for slot in dead if slot not in kept]
        if freed and index + 1 < len(program.instrs):
            lines.append(f"del {', '.join(freed)}")
    returned = [texts[slot] for slot in program.outputs]
    if len(returned) == 1:
        lines.append(f"return {returned[0]}" if bare else f"return ({returned[0]},)")
    else:
        lines.append(f"return {', '.join(returned) or '()'}")
    return lines


def _refusing(text: str, name: str, dtype: str) -> list[str]:
    """Lines that refuse numbers which an integer type cuts or wraps around: an index, say."""
    said = f"{name!r} is {dtype.removeprefix('np.')}, which does not hold its value"
    return [
        f"if np.asarray({text}).dtype != {dtype}:",
        f"    if np.any(np.asarray({text}) != np.asarray({text}).astype({dtype})):",
        f'        raise ValueError("{said}")',
    ]


def _expression(instr: Instr, texts: Mapping[int, str], numbers: set[int]) -> str:
    template = instr.kernel.template
    operands = [texts[slot] for slot in instr.operands]
    # Between Python numbers an operator would be Python's, so these are made arrays.
    alone = numbers.issuperset(instr.operands)
    for index, slot in enumerate(instr.operands):
        if slot in numbers and (index in template.receivers or (alone and index in template.terms)):
            operands[index] = f"np.asarray({operands[index]})"
    return template.fill(operands, instr.params)
