"""Programs as Python callables, through source made for speed.

The source differs from that of :mod:`numeric.emit`: kernels are bound by name,
so that exactly what the interpreter calls is called, except where the template
is an operator or a method of its operands. Long programs are cut in segments,
functions that share one list of values, since Python compiles and runs short
functions best.
"""

import linecache
import re
import weakref
from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from keyword import iskeyword
from typing import Any, Protocol, cast

import numpy as np

from .kernel import Kernel
from .literal import is_literal, literal
from .names import fresh, slot_texts
from .program import Instr, Program, releases

__all__ = ["CompiledProgram", "compile_program"]

SEGMENT = 200  # Past 255 local variables bytecode grows; below 100 the passing of values shows.
_RESERVED = frozenset({"np", "complex", "slice", "values", "carried"})
_serial = count(1)  # Tells the source of one program from that of another in tracebacks.


class CompiledProgram(Protocol):
    """A program made callable: the values of its inputs to those of its outputs."""

    source: str
    """The text of which it was made, the same in every process."""

    def __call__(self, values: Sequence[Any], /) -> tuple[Any, ...]: ...


def compile_program(program: Program) -> CompiledProgram:
    """Make ``program`` a function of the sequence of its inputs' values.

    It computes what :func:`numeric.interpret` computes, releases values after
    their last use, holds no state, and may run in several threads at once. Its
    lines appear in tracebacks. Inputs that ``program.types`` describes must be
    arrays or NumPy scalars; others may be Python numbers too.

    Raises
    ------
    ProgramError
        When the program is not well formed.

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
        t1 = mul(x, 2.0)
        return (t1,)
    <BLANKLINE>
    """
    program.validate()
    writer = _Writer(program)
    text = writer.text()
    namespace = writer.namespace
    filename = f"<program {writer.function} {next(_serial)}>"
    # Everything in the text is a literal or a name made here.
    exec(compile(text, filename, "exec", dont_inherit=True), namespace)  # noqa: S102
    run = cast(CompiledProgram, namespace.pop(writer.function))
    run.source = text
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    weakref.finalize(run, linecache.cache.pop, filename, None).atexit = False
    return run


class _Writer:
    """The text of one program and the values that its names stand for."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.namespace: dict[str, Any] = {}
        taken = set(_RESERVED)
        self.function = fresh(_name(program.name), taken)
        taken.update(f"segment_{i}" for i in range(1, len(program) // SEGMENT + 2))
        self.kernels: dict[Kernel, str] = {}
        for kernel in dict.fromkeys(instr.kernel for instr in program.instrs):
            self.kernels[kernel] = name = fresh(_name(kernel.name), taken)
            self.namespace[name] = kernel.call
        self.inputs = [fresh(_name(name), taken) for _, name in program.inputs]
        self.texts: Mapping[int, str] = slot_texts(program, self.inputs, taken)
        for slot, value in program.constants.items():
            if not is_literal(value):
                self.namespace[self.texts[slot]] = value
        self.releases = releases(program)
        # The caller holds the inputs, and the namespace the constants.
        self.kept = {slot for slot, _ in program.inputs} | program.constants.keys()
        # What may be a Python number: there operators and methods are not NumPy's.
        self.numbers = {slot for slot, _ in program.inputs if slot not in program.types}
        self.numbers.update(
            slot
            for slot, value in program.constants.items()
            if not isinstance(value, np.ndarray | np.generic)
        )

    def text(self) -> str:
        program = self.program
        unpack = [f"{_tuple(self.inputs)} = values"] if program.inputs else ["() = values"]
        size = len(program)
        if size <= SEGMENT:
            lines = [*unpack, *self.assignments(range(size), {})]
            outputs = [self.texts[slot] for slot in program.outputs]
            return _function(self.function, "values", [*lines, f"return {_tuple(outputs)}"])
        segments = [range(i, min(i + SEGMENT, size)) for i in range(0, size, SEGMENT)]
        carried, last = self.crossings()
        functions = []
        for number, segment in enumerate(segments):
            lines = [*self.loads(segment, number, carried, last)]
            lines += self.assignments(segment, carried)
            functions.append(_function(f"segment_{number + 1}", "carried", lines))
        inputs = [self.texts[slot] for slot, _ in program.inputs]
        width = len(carried) - len(inputs)
        lines = [*unpack, f"carried = [{', '.join([*inputs, f'*[None] * {width}'])}]"]
        lines += [f"segment_{number + 1}(carried)" for number in range(len(segments))]
        outputs = [
            f"carried[{carried[slot]}]" if slot in carried else self.texts[slot]
            for slot in program.outputs
        ]
        functions.append(_function(self.function, "values", [*lines, f"return {_tuple(outputs)}"]))
        return "\n\n".join(functions)

    def crossings(self) -> tuple[dict[int, int], dict[int, int]]:
        """Where in ``carried`` each value lies that leaves its segment; its last segment."""
        carried = {slot: i for i, (slot, _) in enumerate(self.program.inputs)}
        made: dict[int, int] = {}
        last: dict[int, int] = {}
        for index, instr in enumerate(self.program.instrs):
            number = index // SEGMENT
            for slot in instr.operands:
                if slot in made and made[slot] != number:
                    carried.setdefault(slot, len(carried))
                last[slot] = number
            made[instr.out] = number
        for slot in self.program.outputs:
            if slot in made:
                carried.setdefault(slot, len(carried))
            last.pop(slot, None)
        return carried, last

    def loads(
        self,
        segment: range,
        number: int,
        carried: Mapping[int, int],
        last: Mapping[int, int],
    ) -> Iterator[str]:
        """Make what earlier segments left a local variable, and the only reference."""
        seen: set[int] = set()
        for index in segment:
            instr = self.program.instrs[index]
            for slot in instr.operands:
                if slot in carried and slot not in seen:
                    seen.add(slot)
                    yield f"{self.texts[slot]} = carried[{carried[slot]}]"
                    if last.get(slot) == number:
                        yield f"carried[{carried[slot]}] = None"
            seen.add(instr.out)

    def assignments(self, segment: range, carried: Mapping[int, int]) -> Iterator[str]:
        """Yield one line for each instruction, and one for what it releases."""
        texts, instrs = self.texts, self.program.instrs
        for index in segment:
            instr = instrs[index]
            yield f"{texts[instr.out]} = {self.expression(instr)}"
            if instr.out in carried:
                yield f"carried[{carried[instr.out]}] = {texts[instr.out]}"
            freed = [texts[slot] for slot in self.releases[index] if slot not in self.kept]
            if freed and index + 1 < len(instrs):
                yield f"del {', '.join(freed)}"

    def expression(self, instr: Instr) -> str:
        template = instr.kernel.template
        operands = [self.texts[slot] for slot in instr.operands]
        if not (
            template.names
            or self.numbers.issuperset(instr.operands)
            or any(instr.operands[i] in self.numbers for i in template.receivers)
        ):
            return template.fill(operands, instr.params)
        params = [f"{key}={literal(value)}" for key, value in instr.params.items()]
        return f"{self.kernels[instr.kernel]}({', '.join(operands + params)})"


def _name(name: str) -> str:
    """``name`` made an ASCII identifier."""
    name = re.sub(r"\W", "_", str(name), flags=re.ASCII)
    return f"_{name}" if not name or name[0].isdigit() or iskeyword(name) else name


def _tuple(items: Sequence[str]) -> str:
    return f"({items[0]},)" if len(items) == 1 else f"({', '.join(items)})"


def _function(name: str, parameter: str, lines: Sequence[str]) -> str:
    return "\n    ".join([f"def {name}({parameter}):", *lines]) + "\n"
