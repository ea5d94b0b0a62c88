"""The one way to get something to call from a program, and when what is compiled.

A program runs interpreted at first, since compiling an instruction takes as long as interpreting it
about twenty times, and compiled when it returns. One over long arrays runs by blocks of rows.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .allocation import keep_freed_memory
from .blocks import compile_in_blocks, types_of
from .compile import SEGMENT, CompiledProgram, compile_program
from .constants import with_ready_constants
from .interpret import interpret
from .layouts import with_short_axes_first
from .memory import compile_in_place
from .program import Program, overwriting
from .scalars import OfNumbers, compile_scalars

#: The number of the first run that is compiled.
COMPILED_FROM = 5
#: Arrays with so many bytes are worth a look at whether a program runs by blocks of rows.
LARGE = 2**20
#: Results with so many bytes are written where nothing is needed any more.
PLANNED = 2**14


class Loaded:
    """A program as a function of the values of its inputs, which returns those of its outputs.

    It may run in several threads at once.

    Attributes
    ----------
    program : Program
        The program as it runs: with kernels that write over arrays which nothing reads any more.
    numbers : callable or None
        Once it is compiled, the program as `scalars.compile_scalars` compiles it.
    """

    __slots__ = ("_call", "_runs", "_written", "numbers", "program")

    def __init__(self, program: Program) -> None:
        self._written = program
        self.program = overwriting(program)
        self.numbers: OfNumbers | None = None
        self._call: Any = None
        self._runs = 0

    def __call__(self, values: Sequence[Any]) -> tuple[Any, ...]:
        """Return the values of the outputs."""
        call = self._call
        if call is None:
            self._runs += 1
            if self._runs == 1 and self._is_large(values):
                call = self._call = _compile_for_long_arrays(self._written)
            if call is None:
                if self._runs < COMPILED_FROM:
                    return interpret(self.program, values)
                call = self.compile()
        return call(values)  # type: ignore[no-any-return]

    def _is_large(self, values: Sequence[Any]) -> bool:
        """Return whether an input or a result is worth a look at blocks."""
        if any(type(x) is np.ndarray and x.nbytes >= LARGE for x in values):
            return True
        return self._has_results(LARGE)

    def _has_results(self, size: int) -> bool:
        """Return whether a result has so many bytes; elements of unknown dtype count eight."""
        return any(
            instr.shape
            and instr.out.__class__ is int
            and getattr(instr.dtype, "itemsize", 8) * math.prod(instr.shape) >= size
            for instr in self._written.instrs
        )

    @property
    def is_compiled(self) -> bool:
        """Whether it is not interpreted any more."""
        return self._call is not None

    def compile(self) -> Callable[[Sequence[Any]], tuple[Any, ...]]:
        """Compile the program before it has run often, and return the function."""
        self.numbers = compile_scalars(self.program)
        if self.numbers is not None:
            of_numbers = self._call = _OfNumbers(self.numbers, self.program)
            return of_numbers
        program = with_ready_constants(self.program)
        # Of long arrays, new ones cost as much as what is computed: the memory comes page by page.
        is_planned = len(program) <= SEGMENT and self._has_results(PLANNED)
        call = compile_in_place(program, {}) if is_planned else compile_program(program)
        self._call = call
        return call


class _OfNumbers:
    """A program of numbers as Python computes it, and as NumPy does where that raises an error."""

    __slots__ = ("_numbers", "_others", "_program")

    def __init__(self, numbers: OfNumbers, program: Program) -> None:
        self._numbers, self._program = numbers, program
        self._others: CompiledProgram | None = None

    def __call__(self, values: Sequence[Any]) -> tuple[Any, ...]:
        try:
            return self._numbers(values)
        except (ArithmeticError, TypeError, ValueError):  # 1 / 0, or complex numbers of weak type
            pass
        if self._others is None:
            self._others = compile_program(self._program)
        return self._others(values)


def _compile_for_long_arrays(program: Program) -> Any:
    """Return a function of the program as it runs best over long arrays; None if as any other."""
    laid_out = with_short_axes_first(program, types_of(program))
    call = compile_in_blocks(laid_out)
    if call is None and laid_out is not program and len(program) <= SEGMENT:
        call = compile_in_place(with_ready_constants(laid_out), {})
    return call


def load(program: Program) -> Loaded:
    """Return a program as a function.

    Parameters
    ----------
    program
        A well-formed program.

    Examples
    --------
    >>> import numpy as np
    >>> from numeric import Instr, Kernel
    >>> double = Kernel("double", lambda x: x + x, "{0} + {0}")
    >>> run = load(Program("f", ((0, "x"),), {}, (Instr(double, (0,), out=1),), (1,)))
    >>> run([np.arange(3.0)])
    (array([0., 2., 4.]),)
    """
    return Loaded(program)


keep_freed_memory()
