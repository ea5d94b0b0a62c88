"""Programs of numbers alone as functions of Python's floats, which compute the same.

Between two numbers NumPy takes up to ten times as long as Python. What Python rounds as NumPy does
is left to Python: sums, products, quotients, square roots, comparisons and choices. All else is
computed by the kernels.
"""

import re
from dataclasses import replace
from math import sqrt
from typing import Any, Protocol, cast

import numpy as np

from .compile import CompiledProgram, Writer, define
from .literal import literal
from .program import Instr, Program
from .template import parse_template

_FLOAT, _BOOL = np.dtype(float), np.dtype(bool)

#: What Python computes as NumPy does, beside operators.
_TEXTS: dict[Any, str] = {
    np.square: "{0} * {0}",
    np.sqrt: "sqrt({0})",
    np.absolute: "abs({0})",
    np.isnan: "{0} != {0}",
    np.where: "{1} if {0} else {2}",
}
# Sums, products, quotients and comparisons of operands and numbers.
_OPERATORS = re.compile(r"(?:[-+<>=! ().\d]|\{\d\}|/(?!/)|\*(?!\*))*")
_COMPARISONS = frozenset("<>=")


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
    constants = {s: _as_number(c) for s, c in program.constants.items()}
    made = {s for instr in program.instrs for s in instr.outs}
    if None in constants.values() or not made.issuperset(program.outputs):
        return None
    if not all(_is_number(instr) for instr in program.instrs):
        return None
    for slot, _ in program.inputs:
        known = program.types.get(slot)
        if known is None or known.shape != () or known.dtype not in (None, _FLOAT):
            return None
    writer = _ScalarWriter(replace(program, constants=constants))
    run = cast(OfNumbers, define(writer.parts(), writer.namespace))
    run.calls_kernels = writer.calls_kernels
    return run


def _is_number(instr: Instr) -> bool:
    return type(instr.out) is int and instr.shape == () and instr.dtype in (_FLOAT, _BOOL)


def _as_number(value: Any) -> float | int | None:
    """Return a constant as one of Python's numbers; None for another."""
    if isinstance(value, np.ndarray | np.generic):
        return float(value) if value.dtype == _FLOAT and not np.ndim(value) else None
    return value if type(value) in (float, int, bool) else None


class _ScalarWriter(Writer):
    """The text of one program of numbers."""

    reserved = Writer.reserved | {"float", "bool", "abs", "sqrt", "f8", "truth"}

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self.namespace.update(sqrt=sqrt, f8=np.float64, truth=np.bool_)
        self.calls_kernels = False
        self.truths = {s for x in program.instrs if x.dtype == _BOOL for s in x.outs}

    def opening(self) -> list[str]:
        return [*super().opening(), *[f"{name} = float({name})" for name in self.inputs]]

    def returned(self, outputs: list[str]) -> list[str]:
        slots = zip(self.program.outputs, outputs, strict=True)
        return [f"truth({text})" if s in self.truths else f"f8({text})" for s, text in slots]

    def expression(self, instr: Instr) -> str:
        """Return an expression of Python's, else a call of the kernel that gives its number."""
        kernel, operands = instr.kernel, [self.texts[slot] for slot in instr.operands]
        text = _TEXTS.get(kernel.call)
        if text is not None:
            return parse_template(text).fill(operands, {})
        compares = instr.dtype != _BOOL or not _COMPARISONS.isdisjoint(kernel.source)
        if compares and not instr.params and _OPERATORS.fullmatch(kernel.source):
            return kernel.template.fill(operands, {})
        self.calls_kernels = True
        if not isinstance(kernel.call, np.ufunc):  # it may ask for a shape or a dtype
            operands = [self.as_numpy(slot) for slot in instr.operands]
        params = [f"{key}={literal(value)}" for key, value in instr.params.items()]
        kind = "bool" if instr.dtype == _BOOL else "float"
        return f"{kind}({self.kernels[kernel]}({', '.join(operands + params)}))"

    def as_numpy(self, slot: int) -> str:
        """Return the text of an operand as NumPy's number; constants of weak type stay Python's."""
        text = self.texts[slot]
        if slot in self.program.constants:
            return text
        return f"truth({text})" if slot in self.truths else f"f8({text})"
