"""Operators of formulas beside objects of SymPy's, which `symgrad.forms.beside` states."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sympy.core.basic import Basic
from sympy.matrices.matrixbase import MatrixBase

from symgrad.support.above import FromAbove

#: Applies an operator beside an object of SymPy's for which no operation stands.
beside_sympy: FromAbove[Callable[..., Any]] = FromAbove("symgrad.forms.beside")
#: Applies an operator beside a matrix of SymPy's.
beside_matrix: FromAbove[Callable[..., Any]] = FromAbove("symgrad.forms.beside")


def is_matrix_of_sympy(x: object) -> bool:
    """Whether `x` is a matrix of SymPy's, whose operators are those of linear algebra."""
    return isinstance(x, (Basic, MatrixBase)) and bool(x.is_Matrix)
