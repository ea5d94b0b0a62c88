"""Programs over arrays, and how to run them fast, on NumPy alone."""

from .interpret import interpret
from .kernel import Kernel, RowRule, RowUse, local, reduces, whole
from .literal import literal
from .program import ArrayType, Instr, Program, ProgramError, last_uses

__all__ = [
    "ArrayType",
    "Instr",
    "Kernel",
    "Program",
    "ProgramError",
    "RowRule",
    "RowUse",
    "interpret",
    "last_uses",
    "literal",
    "local",
    "reduces",
    "whole",
]
