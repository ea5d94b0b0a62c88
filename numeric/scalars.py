"""Programs of numbers alone as functions of Python's floats, which compute the same.

Between two numbers NumPy takes up to ten times as long as Python. What Python rounds as NumPy does
is left to Python: sums, products, quotients, square roots, comparisons and choices. All else is
computed by the kernels.
"""

import re
from math import sqrt
from typing import Any, Protocol, cast

import numpy as np

from .compile import CompiledProgram, Writer, define
from .literal import literal
from .program import ArrayType, Instr, Program
from .selection import select
from .template import parse_template

_FLOAT, _BOOL = np.dtype(float), np.dtype(bool)
_LARGEST = int(np.finfo(float).max)

#: What Python computes of floats as NumPy does, beside operators: floats, and truth values.
_OF_FLOATS: dict[Any, str] = {
    np.square: "{0} * {0}",
    np.sqrt: "sqrt({0})",
    np.absolute: "abs({0})",
}
_OF_TRUTHS: dict[Any, str] = {np.isnan: "{0} != {0}"}
# Sums, products and quotients of operands and numbers, and a comparison.
_ARITHMETIC = re.compile(r"(?:[-+ ().\d]|\{\d\}|/(?!/)|\*(?!\*))*")
_COMPARISON = re.compile(r"\{\d\} [<>=!]=? \{\d\}")


class OfNumbers(CompiledProgram, Protocol):
    """A compiled program that takes and computes with Python's floats."""

    calls_kernels: bool
    """Whether it calls NumPy, which may warn."""


def compile_scalars(program: Program) -> OfNumbers | None:
    """Compile a program of 64-bit floats without axes to a function that computes with Python's.

    The function computes what :func:`numeric.interpret` computes, bit for bit. Where Python's
    arithmetic raises an error, as for 1 / 0, so does the function.

    Parameters
    ----------
    program
        A well-formed program, with shapes and dtypes.

    Returns
    -------
    callable or None
        A function of the values of the inputs, which returns those of the outputs as NumPy's
        numbers; None for a program with other numbers or arrays.

    Examples
    --------
    >>> import numpy as np
    >>> from numeric import ArrayType, Kernel
    >>> mul, exp = Kernel.from_ufunc(np.multiply, "{0} * {1}"), Kernel.from_ufunc(np.exp)
    >>> real = np.dtype(float)
    >>> instrs = Instr(mul, (0, 0), {}, 1, (), real), Instr(exp, (1,), {}, 2, (), real)
    >>> run = compile_scalars(Program("f", ((0, "x"),), {}, instrs, (2,), {0: ArrayType((), real)}))
    >>> run([2.0])
    (np.float64(54.598150033144236),)
    >>> print(run.source)
    def f(values):
        (x,) = values
        x = float(x)
        r1 = x * x  # t1
        r1 = float(exp(r1))  # t2
        return (f8(r1),)
    <BLANKLINE>
    """
    made = {s for instr in program.instrs for s in instr.outs}
    if not all(map(_is_float, program.constants.values())) or not made.issuperset(program.outputs):
        return None
    if not all(_is_number(instr) for instr in program.instrs):
        return None
    if any(program.types.get(slot) != ArrayType((), _FLOAT) for slot, _ in program.inputs):
        return None
    writer = _ScalarWriter(program)
    run = cast(OfNumbers, define(writer.parts(), writer.namespace))
    run.calls_kernels = writer.calls_kernels
    return run


def _is_number(instr: Instr) -> bool:
    return type(instr.out) is int and instr.shape == () and instr.dtype in (_FLOAT, _BOOL)


def _is_float(value: Any) -> bool:
    """Return whether a constant is a 64-bit float, or a number of weak type that is read as one."""
    if isinstance(value, np.ndarray | np.generic):
        return value.dtype == _FLOAT and not np.ndim(value)
    return type(value) in (float, bool) or (type(value) is int and abs(value) <= _LARGEST)


class _ScalarWriter(Writer):
    """The text of one program of numbers."""

    reserved = Writer.reserved | {"float", "bool", "abs", "sqrt", "f8", "truth"}

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self.namespace.update(sqrt=sqrt, f8=np.float64, truth=np.bool_)
        self.calls_kernels = False
        self.truths = {s for x in program.instrs if x.dtype == _BOOL for s in x.outs}
        self.truths.update(s for s, c in program.constants.items() if type(c) is bool)

    def opening(self) -> list[str]:
        return [*super().opening(), *[f"{name} = float({name})" for name in self.inputs]]

    def returned(self, outputs: list[str]) -> list[str]:
        slots = zip(self.program.outputs, outputs, strict=True)
        return [f"truth({text})" if s in self.truths else f"f8({text})" for s, text in slots]

    def expression(self, instr: Instr) -> str:
        """Return an expression of Python's, else a call of the kernel that gives its number."""
        return self.in_python(instr) or self.called(instr)

    def in_python(self, instr: Instr) -> str | None:
        """Return the expression in which Python computes what the kernel does; None without one."""
        call, source, of_floats = instr.kernel.call, instr.kernel.source, instr.dtype == _FLOAT
        if instr.params:
            return None
        if call is select:
            condition, *values = instr.operands
            read = self.as_float if of_floats else self.texts.__getitem__
            first, second = map(read, values)
            return f"{first} if {self.texts[condition]} else {second}"
        text = (_OF_FLOATS if of_floats else _OF_TRUTHS).get(call)
        if text is None and (_ARITHMETIC if of_floats else _COMPARISON).fullmatch(source):
            text = source
        return text and parse_template(text).fill([self.as_float(s) for s in instr.operands], {})

    def called(self, instr: Instr) -> str:
        """Return a call of the kernel."""
        operands = [self.texts[slot] for slot in instr.operands]
        self.calls_kernels = True
        if not isinstance(instr.kernel.call, np.ufunc):  # it may ask for a shape or a dtype
            operands = [self.as_numpy(slot) for slot in instr.operands]
        params = [f"{key}={literal(value)}" for key, value in instr.params.items()]
        kind = "bool" if instr.dtype == _BOOL else "float"
        return f"{kind}({self.kernels[instr.kernel]}({', '.join(operands + params)}))"

    def as_float(self, slot: int) -> str:
        """Return the text of an operand as a float, as which NumPy reads a whole number as well."""
        if slot in self.program.constants:
            return literal(float(self.program.constants[slot]))
        return f"float({self.texts[slot]})" if slot in self.truths else self.texts[slot]

    def as_numpy(self, slot: int) -> str:
        """Return the text of an operand as NumPy's number; constants of weak type stay Python's."""
        text = self.texts[slot]
        if slot in self.program.constants:
            return text
        return f"truth({text})" if slot in self.truths else f"f8({text})"
