"""Programs as Python callables, through source made for speed.

The source differs from that of :mod:`numeric.emit` in two ways. It calls the callables of kernels
by name, as the interpreter does, except where the template is an operator or a method of operands.
And results share few local variables, which are overwritten: that releases most arrays without a
``del``, and halves the time in which Python compiles the text.

A long program is cut into segments, functions that share one list of values: Python compiles
several short texts faster than a long one.
"""

import linecache
import re
import weakref
from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from keyword import iskeyword
from typing import Any, Protocol, cast

import numpy as np

from .identifiers import fresh_name
from .kernel import Kernel
from .literal import is_literal, literal
from .program import Instr, Program, number_slots, released_slots, slot_texts

#: Instructions in a segment. With fewer than 100, passing values between segments takes noticeable
#: time; with more than 1000, compiling does.
SEGMENT = 200
_serial = count(1)  # numbers the sources of programs in tracebacks


class CompiledProgram(Protocol):
    """A function from the values of the inputs of a program to those of its outputs."""

    source: str
    """The text of the function, the same in every process; ``# t3`` is t3 of ``str(program)``."""

    def __call__(self, values: Sequence[Any], /) -> tuple[Any, ...]: ...


def compile_program(program: Program) -> CompiledProgram:
    """Compile ``program`` to a function of the sequence of its inputs' values.

    The function computes what :func:`numeric.interpret` computes, releases values after their last
    use, holds no state, and may run in several threads at once. Its lines appear in tracebacks.
    Inputs that ``program.types`` describes must be arrays or NumPy scalars; the other inputs may
    be Python numbers too.

    Raises
    ------
    ProgramError
        If the program is not well formed.

    Examples
    --------
    >>> import numpy as np
    >>> mul = Kernel("mul", np.multiply, "{0} * {1}")
    >>> program = Program("twice", ((0, "x"),), {1: 2.0}, (Instr(mul, (0, 1), out=2),), (2,))
    >>> run = compile_program(program)
    >>> run([np.array([1.0, 2.0])])
    (array([2., 4.]),)
    >>> print(run.source)
    def twice(values):
        (x,) = values
        r1 = mul(x, 2.0)  # t1
        return (r1,)
    <BLANKLINE>
    """
    program.validate()
    writer = Writer(program)
    return define(writer.parts(), writer.namespace)


def define(parts: Mapping[str, str], namespace: dict[str, Any]) -> CompiledProgram:
    """Return the last of some functions, given by name with their texts, whose names it may use.

    The lines of the functions appear in tracebacks. Texts consist of literals, checked templates
    and names that were made for them.
    """
    *_, function = parts
    text = "\n\n".join(parts.values())
    filename = f"<program {function} {next(_serial)}>"
    line = 1
    for name, part in parts.items():
        exec(compile(part, filename, "exec", dont_inherit=True), namespace)  # noqa: S102
        made = namespace[name]
        made.__code__ = made.__code__.replace(co_firstlineno=line)
        line += part.count("\n") + 2
    run = cast(CompiledProgram, namespace.pop(function))
    run.source = text
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    weakref.finalize(run, linecache.cache.pop, filename, None).atexit = False
    return run


class Writer:
    """The text of one program, and the values of the names in the text."""

    #: Names that no variable may have.
    reserved = frozenset({"np", "complex", "slice", "values", "carried"})

    def __init__(self, program: Program) -> None:
        self.program = program
        self.namespace: dict[str, Any] = {"np": np}  # literals may contain np.inf
        taken = set(self.reserved)
        taken.update(f"segment_{i}" for i in range(1, len(program) // SEGMENT + 2))
        self.function = fresh_name(plain_name(program.name), taken)
        self.kernels: dict[Kernel, str] = {}
        for kernel in dict.fromkeys(instr.kernel for instr in program.instrs):
            self.kernels[kernel] = name = fresh_name(plain_name(kernel.name), taken)
            self.namespace[name] = kernel.call
        self.inputs = [fresh_name(plain_name(name), taken) for _, name in program.inputs]
        self.texts = slot_texts(program, self.inputs, taken)
        for slot, value in program.constants.items():
            if not is_literal(value):
                self.namespace[self.texts[slot]] = value
        taken.update(self.namespace)
        self.taken = taken
        self.registers: list[str] = []
        self.releases = released_slots(program)
        # The caller holds the inputs, and the namespace the constants: overwriting a variable of
        # theirs releases nothing.
        self.held = {slot for slot, _ in program.inputs} | program.constants.keys()
        undeclared = (slot for slot, _ in program.inputs if slot not in program.types)
        self.numbers = number_slots(program, undeclared)

    def parts(self) -> dict[str, str]:
        """Return the texts of the functions by name; the last function calls the segments."""
        program = self.program
        size = len(program)
        if size <= SEGMENT:
            lines = [*self.opening(), *self.segment(range(size), {}, {})]
            outputs = [self.texts[slot] for slot in program.outputs]
            parts = {}
        else:
            carried, last = self.crossings()
            starts = range(0, size, SEGMENT)
            parts = {
                f"segment_{number}": list(
                    self.segment(range(i, min(i + SEGMENT, size)), carried, last)
                )
                for number, i in enumerate(starts, 1)
            }
            width = len(carried) - len(self.inputs)
            lines = [
                *self.opening(),
                f"carried = [{', '.join([*self.inputs, f'*[None] * {width}'])}]",
            ]
            lines += [f"{name}(carried)" for name in parts]
            outputs = [
                f"carried[{carried[slot]}]" if slot in carried else self.texts[slot]
                for slot in program.outputs
            ]
        functions = {name: function_text(name, "carried", body) for name, body in parts.items()}
        lines.append(f"return {tuple_text(self.returned(outputs))}")
        functions[self.function] = function_text(self.function, "values", lines)
        return functions

    def opening(self) -> list[str]:
        """Return the lines that give the inputs their names."""
        return [f"{tuple_text(self.inputs)} = values"]

    def returned(self, outputs: list[str]) -> list[str]:
        """Return the texts of the results, given those of the outputs as they are computed."""
        return outputs

    def crossings(self) -> tuple[dict[int, int], dict[int, int]]:
        """Return the places in ``carried`` and the last segments of values that cross segments."""
        carried = {slot: i for i, (slot, _) in enumerate(self.program.inputs)}
        made: dict[int, int] = {}
        last: dict[int, int] = {}
        for index, instr in enumerate(self.program.instrs):
            number = index // SEGMENT
            for slot in instr.operands:
                if slot in made and made[slot] != number:
                    carried.setdefault(slot, len(carried))
                last[slot] = number
            made.update(dict.fromkeys(instr.outs, number))
        for slot in self.program.outputs:
            if slot in made:
                carried.setdefault(slot, len(carried))
            last.pop(slot, None)
        return carried, last

    def segment(
        self, segment: range, carried: Mapping[int, int], last: Mapping[int, int]
    ) -> Iterator[str]:
        """Yield the lines of one segment: an assignment for each instruction.

        A value of an earlier segment is read from ``carried`` at its first use, and deleted from
        ``carried`` in its ``last`` segment.
        """
        texts, instrs, held = self.texts, self.program.instrs, self.held
        number = segment.start // SEGMENT
        here: set[int] = set()
        free: list[str] = []
        count = 0
        for index in segment:
            instr = instrs[index]
            for slot in instr.operands:
                if slot in carried and slot not in here:
                    here.add(slot)
                    if slot not in held:
                        if not free:
                            free.append(self.register(count))
                            count += 1
                        texts[slot] = free.pop()
                    yield f"{texts[slot]} = carried[{carried[slot]}]"
                    if last.get(slot) == number:
                        yield f"carried[{carried[slot]}] = None"
            outs = instr.outs
            labels = ", ".join([texts[slot] for slot in outs])
            expression = self.expression(instr)
            # The result overwrites the variable of an operand in its last use, which is released.
            dead = self.releases[index]
            spare = [texts[s] for s in dead if s not in held and s not in outs]
            names = []
            for slot in outs:
                if spare:
                    name = spare.pop(0)
                elif free:
                    name = free.pop()
                else:
                    name = self.register(count)
                    count += 1
                texts[slot] = name
                names.append(name)
            here.update(outs)
            one = isinstance(instr.out, tuple) and len(outs) == 1
            yield f"{', '.join(names)}{',' if one else ''} = {expression}  # {labels}"
            for slot, name in zip(outs, names, strict=True):
                if slot in carried:
                    yield f"carried[{carried[slot]}] = {name}"
                if slot in dead:
                    spare.append(name)
            if spare:
                yield f"del {', '.join(spare)}"
                free += spare

    def register(self, index: int) -> str:
        """Return the local variable of an index."""
        if index == len(self.registers):
            self.registers.append(fresh_name(f"r{index + 1}", self.taken))
        return self.registers[index]

    def expression(self, instr: Instr) -> str:
        """Return the filled template of an operator or a method of arrays, else a call."""
        template = instr.kernel.template
        operands = [self.texts[slot] for slot in instr.operands]
        if not (
            template.names
            or _is_complex_number(instr)
            or self.numbers.issuperset(instr.operands)
            or any(instr.operands[i] in self.numbers for i in template.receivers)
        ):
            return template.fill(operands, instr.params)
        params = [f"{key}={literal(value)}" for key, value in instr.params.items()]
        return f"{self.kernels[instr.kernel]}({', '.join(operands + params)})"


def _is_complex_number(instr: Instr) -> bool:
    """Return whether the result is a complex number, which NumPy's operators round otherwise."""
    return instr.shape == () and isinstance(instr.dtype, np.dtype) and instr.dtype.kind == "c"


def plain_name(name: str) -> str:
    """Return an ASCII identifier that resembles ``name``."""
    name = re.sub(r"\W", "_", str(name), flags=re.ASCII)
    return f"_{name}" if not name or name[0].isdigit() or iskeyword(name) else name


def tuple_text(items: Sequence[str]) -> str:
    """Return the text of a tuple."""
    return f"({items[0]},)" if len(items) == 1 else f"({', '.join(items)})"


def function_text(name: str, parameter: str, lines: Sequence[str]) -> str:
    """Return the text of a function of one parameter."""
    return "\n    ".join([f"def {name}({parameter}):", *lines]) + "\n"
