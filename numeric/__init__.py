"""Programs over arrays, and how to run them fast, on NumPy alone."""

from .compile import CompiledProgram, compile_program
from .emit import emit
from .interpret import interpret
from .kernel import Kernel, RowRule, RowUse, local, reduces, whole_operands
from .literal import literal
from .memory import compile_in_place
from .program import ArrayType, Instr, Program, ProgramError, last_uses
from .runtime import load
from .stages import staged

__all__ = [
    "ArrayType",
    "CompiledProgram",
    "Instr",
    "Kernel",
    "Program",
    "ProgramError",
    "RowRule",
    "RowUse",
    "compile_in_place",
    "compile_program",
    "emit",
    "interpret",
    "last_uses",
    "literal",
    "load",
    "local",
    "reduces",
    "staged",
    "whole_operands",
]
