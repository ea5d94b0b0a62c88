"""The steps that formulas of vectors and matrices are made of, in text or in SymPy's matrices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from symgrad.expr.dtypes import dtype
from symgrad.expr.node import ArrayExpr
from symgrad.expr.shapes import Shape
from symgrad.normal_form.coefficients import Number
from symgrad.normal_form.labels import Labels

#: A matrix as a product of matrices and of diagonal ones: the value of each, and whether it is
#: transposed, None for the vector of a diagonal. A symmetric one never is.
Chain = tuple[tuple[Any, Any], ...]


class Algebra(Protocol):
    """The steps that formulas of arrays are made of; a value is of type Any.

    A number is a value without axes. Labels say which axes a value has, and in which order.
    """

    def node(self, x: ArrayExpr) -> Any:
        """Return a factor that the normal form does not look into."""

    def times(self, c: Number, value: Any) -> Any:
        """Return a number times a value."""

    def ratio(self, above: Sequence[tuple[Any, int]], below: Sequence[tuple[Any, int]]) -> Any:
        """Return a quotient of products of powers, of each element; one side may be empty."""

    def moved(self, value: Any, labels: Labels, target: Sequence[int]) -> Any:
        """Return an array, whose axes have labels, as it broadcasts to one with other labels."""

    def chain(self, factors: Chain) -> Any:
        """Return a product of matrices and of diagonal ones."""

    def apply(self, factors: Chain, vector: Any) -> Any:
        """Return the product of a matrix and a vector, which is None for a vector of ones."""

    def dot(self, factors: Sequence[tuple[Any, int]]) -> Any:
        """Return the sum of the elements of a product of powers of vectors."""

    def outer(self, u: Any, v: Any) -> Any:
        """Return the matrix of the products of the elements of two vectors."""

    def trace(self, factors: Chain) -> Any:
        """Return the trace of a matrix."""

    def diagonal(self, matrix: Any) -> Any:
        """Return the diagonal of a matrix as a vector."""

    def diag(self, vector: Any) -> Any:
        """Return a matrix with a diagonal, and zeros off it."""

    def identity(self, n: int, kind: dtype) -> Any:
        """Return an identity matrix."""

    def summed(self, value: Any, labels: Labels, over: Sequence[int]) -> Any:
        """Return an array summed over some of its labels."""

    def embedded(self, value: Any, labels: Labels, output: Labels) -> Any:
        """Return an array, whose axes have labels, where equal labels of `output` agree, else 0."""

    def einsum(self, parts: Sequence[tuple[Any, Labels]], output: Labels) -> Any:
        """Return the product of arrays, summed over the labels that `output` lacks."""

    def total(self, terms: Sequence[tuple[Number, Any]], shape: Shape, kind: dtype) -> Any:
        """Return the sum of numbers times values, broadcast to a shape; the value None is one."""
