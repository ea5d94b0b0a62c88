"""Programs over arrays, and how to run them fast, on NumPy alone."""

from .compile import CompiledProgram, compile_program
from .emit import emit
from .interpret import interpret
from .kernel import Kernel, RowRule, RowUse, local, reduces, whole_operands
from .literal import literal
from .program import ArrayType, Instr, Program, ProgramError, last_uses

__all__ = [
    "ArrayType",
    "CompiledProgram",
    "Instr",
    "Kernel",
    "Program",
    "ProgramError",
    "RowRule",
    "RowUse",
    "compile_program",
    "emit",
    "interpret",
    "last_uses",
    "literal",
    "local",
    "reduces",
    "whole_operands",
]
