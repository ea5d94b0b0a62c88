"""The matrix form of a formula: SymPy's matrices, read off the normal form.

Here is the walk of the formula; which matrices stand for what it comes to is in `matrix_algebra`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from symgrad.differentiate.sweeps import with_derivative_rewrites
from symgrad.expr.atoms import Leaf
from symgrad.expr.dtypes import Category, bool_, dtype
from symgrad.expr.node import ArrayExpr
from symgrad.forms.conditions import said_once
from symgrad.forms.indexed import MAX_PARTS
from symgrad.forms.matrix_algebra import Matrices, check_matrix, operation_name
from symgrad.forms.to_sympy import in_matrices
from symgrad.normal_form.form import Form
from symgrad.normal_form.reading import Reader, Reading
from symgrad.ops.elementwise import Elementwise
from symgrad.ops.formulas import Number, has_element
from symgrad.ops.matrices import MatrixReading, MatrixValue, NoMatrix


@in_matrices.state
@with_derivative_rewrites
def matrix_form(
    e: ArrayExpr,
    symbol_of: Callable[[Leaf], Any],
    taken: Collection[str],
    number: Number,
    exact: bool,
    expand: bool,
) -> Any:
    """Return a formula in SymPy's matrices; a 0-d one as a number.

    Parameters
    ----------
    e
        The formula.
    symbol_of
        Returns the matrix symbol of a leaf, the symbol of a 0-d one.
    taken
        Names that no bound symbol may have.
    number
        Returns SymPy's number for a number of a dtype.
    exact
        Whether fractions of many digits are made the exact numbers that they are close to.
    expand
        Whether functions that SymPy has not are written out.
    """
    e = said_once(e)
    builder = _Forms([e])
    algebra = Matrices(symbol_of, taken, number, exact, expand)
    try:
        check_matrix(f"{operation_name(e)} of shape {e.shape}", e.shape)
        if e.dtype is bool_ and e.shape:
            raise NoMatrix(
                f"{operation_name(e)} gives truth values, which are no elements of a matrix"
            )
        builder.run()
        return algebra.result(_read(e, builder, algebra))
    except NoMatrix as error:
        raise ValueError(
            f"to_sympy('matrix'): {error}; form='indexed' has the formula of an element, with "
            "indices, and form='explicit' that of each element"
        ) from None


class _Forms(Reading):
    """Forms whose factors are the nodes as they are, also of integers."""

    keeps_means = False

    def opens(self, kind: dtype) -> bool:
        return kind.category >= Category.INT

    def as_read(self, x: Any) -> ArrayExpr | None:
        # Of an operation without a name SymPy has the formula of an element.
        is_known = isinstance(x, Elementwise) and x.internal and has_element(x)
        return None if is_known else super().as_read(x)

    def node(self, y: ArrayExpr) -> ArrayExpr:
        return y

    def factor(self, x: ArrayExpr) -> Form:
        return self.of_node(x)


def _read(e: ArrayExpr, builder: _Forms, algebra: Matrices) -> MatrixValue:
    """Return the value of a formula, without recursion."""
    reader = Reader(builder, algebra)
    made: dict[Any, tuple[MatrixValue, int]] = {}
    stack = [_Part(False, e, _form(e, builder, reader))]
    answer: Any = None
    while stack:
        part = stack[-1]
        try:
            asked = part.steps.send(answer)
            is_factor, x = asked if isinstance(asked, tuple) else (False, asked)
            if (is_factor, x) in made:
                answer = part.take(*made[is_factor, x])
            else:
                steps = algebra.steps(x) if is_factor else _form(x, builder, reader)
                stack.append(_Part(is_factor, x, steps))
                answer = None
        except StopIteration as stop:
            made[part.is_factor, part.x] = stop.value, part.count
            if part.is_factor:
                algebra.values[part.x] = stop.value
            stack.pop()
            answer = stack[-1].take(stop.value, part.count) if stack else stop.value
        except NoMatrix as error:
            text = str(error) or f"{operation_name(part.x)} has no form in SymPy's matrices"
            raise NoMatrix(text) from None
    return answer  # type: ignore[no-any-return]


class _Part:
    """A node that is being read: off its form, or as a factor of forms."""

    def __init__(self, is_factor: bool, x: Any, steps: MatrixReading) -> None:
        self.is_factor, self.x, self.steps, self.count = is_factor, x, steps, 1

    def take(self, value: MatrixValue, count: int) -> MatrixValue:
        """Return what was asked for."""
        self.count += count
        if self.count > MAX_PARTS:
            raise NoMatrix(
                f"the formula has more than {MAX_PARTS} parts along the paths that SymPy walks"
            )
        return value


def _form(x: ArrayExpr, builder: _Forms, reader: Reader) -> MatrixReading:
    """Read a node off its form, once the factors of the form are read."""
    if not builder.opens(x.dtype):
        return (yield True, x)
    form = builder.formula(x)
    for y in reader.nodes(form):
        yield True, y
    return reader.form(form)
