"""Programs with a plan of their memory: results are written where nothing is needed any more.

Inputs may be declared as given away. A compiled program writes over them and over its own
intermediate results; it makes new arrays only where nothing that it may write over has the shape
and the dtype. Everything else is never written.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from .compile import CompiledProgram, define, function_text, plain_name, tuple_text
from .identifiers import fresh_name
from .kernel import Kernel, local
from .literal import is_literal, literal
from .program import ArrayType, Instr, Program, ProgramError, last_uses, slot_texts


def compile_in_place(program: Program, given: Mapping[str, int | None]) -> CompiledProgram:
    """Compile a program to a function that writes over inputs which are given away.

    The function computes what :func:`numeric.interpret` computes, bit for bit, holds no state, and
    may run in several threads at once on different arrays. The arrays given away must share memory
    neither with each other nor with another input. Shapes are read from the program only to see
    which are equal: a program of elementwise kernels may run on arrays of another shape.

    Parameters
    ----------
    program
        The program, with shapes and dtypes.
    given
        The names of the inputs given away, each with the position of the output that is to lie in
        the memory of the input when the function returns, or None where no output is.

    Raises
    ------
    ProgramError
        If the program is not well formed, an output has not the type of the input that it is to
        replace, or is to replace two.

    Examples
    --------
    >>> import numpy as np
    >>> mul, sub = (Kernel.from_ufunc(f) for f in (np.multiply, np.subtract))
    >>> real = np.dtype(float)
    >>> instrs = (
    ...     Instr(mul, (1, 2), out=3, shape=(2,), dtype=real),
    ...     Instr(sub, (0, 3), out=4, shape=(2,), dtype=real),
    ... )
    >>> types = {0: ArrayType((2,), real), 1: ArrayType((2,), real)}
    >>> step = Program("step", ((0, "p"), (1, "g"), (2, "lr")), {}, instrs, (4,), types)
    >>> run = compile_in_place(step, {"p": 0})
    >>> p = np.array([1.0, 2.0])
    >>> run([p, np.array([10.0, 20.0]), 0.01])
    (array([0.9, 1.8]),)
    >>> p
    array([0.9, 1.8])
    >>> print(run.source)
    def step(values):
        (p, g, lr) = values
        t1 = multiply(g, lr)
        subtract(p, t1, out=p)
        return (p,)
    <BLANKLINE>
    """
    program.validate()
    slots = {name: slot for slot, name in program.inputs}
    replaced = [output for output in given.values() if output is not None]
    if len(set(replaced)) != len(replaced):
        raise ProgramError(f"{program.name}: an output cannot replace two inputs")
    return _Plan(program, {slots[name]: output for name, output in given.items()}).compiled()


def _takes_array(instr: Instr) -> bool:
    """Return whether the kernel of an instruction can be given the array for its result."""
    kernel = instr.kernel
    if isinstance(kernel.call, np.ufunc):
        return kernel.call.nout == 1 and not instr.params
    return kernel.out and kernel.rows is local and not instr.params


class _Plan:
    """In which array each result of a program is written.

    Attributes
    ----------
    home : dict
        For each slot whose value lies in an array that may be written over, the slot that the array
        belonged to first.
    moved : list
        The slots of inputs that outputs must be copied to in the end.
    """

    def __init__(self, program: Program, given: Mapping[int, int | None]) -> None:
        self.program = program
        self.types = dict(program.types)
        for instr in program.instrs:
            self.types.update(zip(instr.outs, instr.types, strict=True))
        self.last = last_uses(program)
        #: The outputs that replace inputs, by the slots of these: their positions and their slots.
        self.position = {s: i for s, i in given.items() if i is not None}
        self.wanted = {s: program.outputs[i] for s, i in self.position.items()}
        for slot, out in self.wanted.items():
            if self.types.get(slot, ArrayType()) != self.types.get(out, ArrayType()):
                raise ProgramError(
                    f"{program.name}: an output of type {self.types.get(out, ArrayType())} cannot "
                    f"replace an input of type {self.types.get(slot, ArrayType())}"
                )
        self.made = {s: i for i, instr in enumerate(program.instrs) for s in instr.outs}
        # Of what views show, nothing is written over.
        self.shown = {s for x in program.instrs if x.kernel.view for s in (*x.operands, *x.outs)}
        #: When the value in each array was needed last.
        self.busy = {s: self.last[s] for s in given if s not in self.shown}
        self.home = {s: s for s in self.busy}
        for index, instr in enumerate(program.instrs):
            self.place(index, instr)
        self.moved = [s for s, out in self.wanted.items() if self.home.get(out) != s]

    def place(self, index: int, instr: Instr) -> None:
        """Choose the arrays of the results of an instruction."""
        for slot in instr.outs:
            found = self.spare(index, instr, slot) if _takes_array(instr) else None
            if found is None and slot in self.shown:
                continue
            found = slot if found is None else found
            self.home[slot], self.busy[found] = found, self.last[slot]

    def spare(self, index: int, instr: Instr, slot: int) -> int | None:
        """Return the array that a result is written into; None where it must be a new one.

        That which the result shall replace is best, then that of an operand, which is in the cache.
        """
        known = self.types[slot]
        if not known.shape or known.dtype is None or slot in self.shown:
            return None
        if known.dtype.kind == "c":
            return None  # NumPy rounds products otherwise where they are written over a factor
        wished = [s for s, out in self.wanted.items() if out == slot]
        own = [self.home[s] for s in instr.operands if s in self.home]
        for home in dict.fromkeys([*wished, *own, *self.busy]):
            if self.busy.get(home, index + 1) > index or self.types.get(home) != known:
                continue
            # An input is kept free for the output that replaces it.
            out = self.wanted.get(home, slot)
            if out == slot or self.last[slot] <= self.made.get(out, -1):
                return home
        return None

    def compiled(self) -> CompiledProgram:
        """Return the function."""
        program, namespace = self.program, dict[str, Any](np=np)
        taken = {"np", "complex", "slice", "values", "array", "copyto"}
        namespace.update(array=np.array, copyto=np.copyto)
        function = fresh_name(plain_name(program.name), taken)
        kernels: dict[Kernel, str] = {}
        for kernel in dict.fromkeys([instr.kernel for instr in program.instrs]):
            kernels[kernel] = name = fresh_name(plain_name(kernel.name), taken)
            namespace[name] = kernel.call
        inputs = [fresh_name(plain_name(name), taken) for _, name in program.inputs]
        texts = slot_texts(program, inputs, taken)
        for slot, value in program.constants.items():
            if not is_literal(value):
                namespace[texts[slot]] = value
        unpack = f"{tuple_text(inputs)} = values"
        body = [unpack, *self.lines(texts, kernels), *self.ending(texts)]
        return define({function: function_text(function, "values", body)}, namespace)

    def lines(self, texts: Mapping[int, str], kernels: Mapping[Kernel, str]) -> Iterator[str]:
        """Yield the lines of the instructions; an array that nothing names any more is released."""
        program = self.program
        name = {s: texts[self.home.get(s, s)] for s in texts}
        held = {texts[s] for s in ({s for s, _ in program.inputs} | program.constants.keys())}
        held.update([name[s] for s in program.outputs])
        last = {name[s]: i for i, x in enumerate(program.instrs) for s in (*x.operands, *x.outs)}
        for index, instr in enumerate(program.instrs):
            arguments = [name[s] for s in instr.operands]
            arguments += [f"{key}={literal(value)}" for key, value in instr.params.items()]
            outs = [name[s] for s in instr.outs]
            call = kernels[instr.kernel]
            if isinstance(instr.out, tuple):
                yield f"{tuple_text(outs)} = {call}({', '.join(arguments)})"
            elif self.home.get(instr.out, instr.out) != instr.out:
                yield f"{call}({', '.join(arguments)}, out={outs[0]})"
            else:
                yield f"{outs[0]} = {call}({', '.join(arguments)})"
            dead = {*[name[s] for s in instr.operands], *outs} - held
            dead = {text for text in dead if last[text] == index}
            if dead and index + 1 < len(program):
                yield f"del {', '.join(sorted(dead))}"

    def ending(self, texts: Mapping[int, str]) -> Iterator[str]:
        """Yield the lines that copy outputs to the inputs which they replace, and the last one."""
        program = self.program
        outputs = [texts[self.home.get(s, s)] for s in program.outputs]
        # What may lie in the memory of an input must be read before that is written.
        inputs = {slot for slot, _ in program.inputs}
        risky = {s for s in program.outputs if s in inputs or s in self.shown}
        if self.moved:
            for i, slot in enumerate(program.outputs):
                if slot in risky and self.wanted.get(slot) != slot:
                    fresh = fresh_name(f"o{i + 1}", {*texts.values()})
                    yield f"{fresh} = array({outputs[i]})"
                    outputs[i] = fresh
        for slot in self.moved:
            i = self.position[slot]
            yield f"copyto({texts[slot]}, {outputs[i]})"
            outputs[i] = texts[slot]
        yield f"return {tuple_text(outputs)}"
