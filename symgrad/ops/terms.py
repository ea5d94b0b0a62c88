"""What an operation is given to state its normal form with (`Primitive.terms`).

The forms themselves, and what makes them, are in `symgrad.normal_form`, a layer above.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any, Protocol

from symgrad.expr.dtypes import dtype
from symgrad.expr.node import ArrayExpr
from symgrad.expr.shapes import Shape


class Terms(Protocol):
    """Makes normal forms: sums of products, each of a number and of factors with labelled axes.

    A form is of type Any here. Each method returns a new one.
    """

    def operand(self, x: ArrayExpr, kind: dtype) -> Any:
        """Return the form of an operand, converted to a dtype."""

    def summands(self, x: ArrayExpr) -> Sequence[tuple[Any, int]]:
        """Return the forms of the terms of a sum, each with a sign; a term may lie deeper."""

    def formula(self, x: ArrayExpr) -> Any:
        """Return the form of another formula of the same operands."""

    def constant(self, value: Any, shape: Shape, kind: dtype) -> Any:
        """Return a number, repeated."""

    def total(self, forms: Iterable[tuple[Any, int]], shape: Shape) -> Any:
        """Return a sum of forms, each with a sign, broadcast to a shape."""

    def scaled(self, form: Any, number: int | Fraction) -> Any:
        """Return a number times a form."""

    def divided(self, form: Any, count: int) -> Any:
        """Return a form divided by a number of elements, which may be a named size."""

    def power(self, form: Any, exponent: int) -> Any:
        """Return a whole power of each element."""

    def product(self, forms: Sequence[Any], shape: Shape) -> Any:
        """Return the product of the elements of forms, broadcast to a shape."""

    def contracted(
        self, parts: Sequence[tuple[Any, Sequence[Any]]], output: Sequence[Any], shape: Shape
    ) -> Any:
        """Return a product of labelled forms, summed over the labels that `output` lacks.

        A label twice in `output` is a diagonal, one that no form has is a broadcast.
        """

    def reshaped(self, form: Any, shape: Shape) -> Any:
        """Return a form in another shape, if axes of length one make the difference, else None."""

    def of_each_term(self, form: Any, function: Callable[[ArrayExpr], ArrayExpr]) -> Any:
        """Return a form of which the product in each term is replaced by a function of it.

        The function works on each element, and keeps real numbers and sums. None where no nodes are
        made of forms.
        """

    def is_sparse(self, form: Any, beside: Any, without: type[ArrayExpr]) -> bool:
        """Return whether a term is zero off a diagonal.

        Not where a term is made from a node of the kind `without` that `beside` is not made from.
        """
