"""What an operation states its form in SymPy's matrices with (`Primitive.matrix`).

What it reads of operands is asked for by `yield`, so that nothing recurses along a formula. Which
classes of SymPy the steps are is in `symgrad.forms.matrix_algebra`.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any, NamedTuple, Protocol, TypeAlias

from symgrad.expr.node import ArrayExpr
from symgrad.expr.shapes import Shape

#: Yields operands, or formulas of these, is sent the value of each, and returns that of the node.
MatrixReading: TypeAlias = Generator[Any, Any, Any]


class NoMatrix(Exception):  # noqa: N818 - `to_sympy` raises an error that says where
    """Raised where a part of a formula has no form in SymPy's matrices; says which part."""


class MatrixValue(NamedTuple):
    """An array as SymPy has it.

    Attributes
    ----------
    value : sympy.Basic
        A matrix of the axes that are longer than one: a column of one such axis, a number of none.
    shape : tuple of int
    truth : sympy.Basic, optional
        Of an array of truth values, the condition on an element of the matrix `value`.
    """

    value: Any
    shape: Shape
    truth: Any = None


class Matrices(Protocol):
    """Makes values in SymPy's matrices.

    Attributes
    ----------
    expand : bool
        Whether functions that SymPy has not are written out, instead of named.
    """

    expand: bool

    def applied(self, node: Any, operands: Sequence[MatrixValue]) -> MatrixValue | None:
        """Return an operation on each element; None where it is one of several matrices."""

    def by_elements(self, node: Any, operand: MatrixValue) -> MatrixValue:
        """Return the matrix of the elements that `entry` states."""

    def function(self, f: Any, x: MatrixValue) -> MatrixValue:
        """Return a function of SymPy of each element."""

    def mixed(self, condition: MatrixValue, x: MatrixValue, y: MatrixValue) -> MatrixValue | None:
        """Return the sum of two arrays, each times whether it is the one that is chosen.

        None where what is not chosen may be infinite.
        """

    def square(self, f: Any, x: MatrixValue, shape: Shape) -> MatrixValue:
        """Return a function of SymPy of a square matrix."""

    def stacked(self, rows: Sequence[MatrixValue], axis: int, shape: Shape) -> MatrixValue:
        """Return the column of numbers, or the matrix of such columns as its rows or columns."""

    def sliced(self, x: MatrixValue, key: Sequence[Any], shape: Shape) -> MatrixValue:
        """Return the part of an array that integers and slices name, one for each axis."""


def read(x: ArrayExpr) -> MatrixReading:
    """Return the value of another formula."""
    return (yield x)
