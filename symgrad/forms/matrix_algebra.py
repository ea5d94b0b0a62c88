"""The algebra of SymPy's matrices: which of them stand for leaves, operations, sums and products.

A vector is a column. Matrices are made by the constructors of SymPy's classes, which leave products
and sums in the order in which they are to be read. Where SymPy computes with one of several equal
formulas alone, the class that works is chosen, and a comment says why.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import numpy as np
import sympy
from sympy.logic.boolalg import Boolean
from sympy.matrices.expressions.applyfunc import ElementwiseApplyFunction
from sympy.matrices.expressions.matexpr import MatrixElement
from sympy.matrices.expressions.slice import MatrixSlice

from symgrad.expr.atoms import ArrayConst, Const, Leaf
from symgrad.expr.dtypes import bool_, dtype, float64
from symgrad.expr.named_sizes import size_of_formula
from symgrad.expr.node import ArrayExpr
from symgrad.expr.shapes import Shape, broadcast_shapes, size_of
from symgrad.forms.exact import number_of
from symgrad.forms.indexed import MAX_ELEMENTS, index_names
from symgrad.forms.matrix_classes import (
    as_number,
    diagonal_matrix,
    factor,
    in_terms_of,
    is_finite,
    parts_of,
    product,
    product_of_elements,
    split,
    sum_of,
    trace,
    transposed,
)
from symgrad.forms.sympy_functions import function_named
from symgrad.normal_form.algebra import Chain
from symgrad.normal_form.coefficients import Number as Coefficient
from symgrad.normal_form.coefficients import exact
from symgrad.normal_form.labels import Labels
from symgrad.ops.elementwise import Elementwise
from symgrad.ops.entries import named_function
from symgrad.ops.formulas import Number, conversion, kind_of, of_element, of_numbers
from symgrad.ops.matrices import MatrixReading, MatrixValue, NoMatrix
from symgrad.ops.results import Result

Value = MatrixValue
Powers = Sequence[tuple[Value, int]]

#: What functions of SymPy's raise of numbers that are made of matrices, as a determinant is.
_ERRORS_OF_SYMPY = (TypeError, AttributeError, sympy.ShapeError)


def operation_name(x: Any) -> str:
    """Return the name of an operation or a leaf for a message."""
    maker = x.operands[0] if isinstance(x, Result) else x
    return maker.name if isinstance(maker, Leaf) else type(maker).__name__


def check_matrix(what: str, shape: Shape) -> None:
    """Raise where an array is no matrix."""
    if not size_of(shape):
        raise NoMatrix(f"{what} has no elements")
    if len(_long(shape)) > 2:
        raise NoMatrix(f"{what} has more than two axes, so it is no matrix")


def _long(shape: Sequence[int]) -> tuple[int, ...]:
    """Return the axes that are longer than one."""
    return tuple([a for a, n in enumerate(shape) if n != 1])


class Matrices:
    """The algebra of SymPy's matrices (`symgrad.normal_form.algebra.Algebra`).

    It is what operations state their forms with, too (`symgrad.ops.matrices.Matrices`).
    """

    def __init__(
        self,
        symbol_of: Callable[[Leaf], Any],
        taken: Collection[str],
        number: Number,
        exact: bool,
        expand: bool,
    ) -> None:
        self.symbol_of, self.number, self.exact, self.expand = symbol_of, number, exact, expand
        self.values: dict[ArrayExpr, Value] = {}
        self._names = index_names(taken)
        self._taken = taken

    def result(self, x: Value) -> Any:
        """Return what users are given for a value."""
        if not x.shape:
            return x.value
        long = _long(x.shape)
        if not long:
            if isinstance(x.value, MatrixElement) and x.value.parent.shape == (1, 1):
                return x.value.parent
            return product([x.value], [sympy.Identity(1)])
        is_row = len(x.shape) == 2 and long == (1,)
        return transposed(x.value) if is_row else x.value

    # ---------------------------------------------------------------- nodes

    def node(self, x: ArrayExpr) -> Value:
        return self.values[x]

    def steps(self, x: Any) -> MatrixReading:
        """Read a node as a factor of forms."""
        return (yield from self._steps(x))

    def _steps(self, x: Any) -> MatrixReading:
        if isinstance(x, Leaf):
            return _given(self._leaf(x))
        if isinstance(x, Const):
            return _given(Value(self.number(x.value, kind_of(x)), ()))
        if isinstance(x, ArrayConst):
            return _given(self._array(x))
        check_matrix(f"{operation_name(x)} of shape {x.shape}", x.shape)
        maker = x.operands[0] if isinstance(x, Result) else x
        alone = not x.shape and not any(y.shape for y in maker.operands)
        if alone and not isinstance(x, Elementwise) and x.equal_formula() is None:
            return self._of_numbers(x, maker)
        return self._of_operation(x)

    def _of_operation(self, x: Any) -> MatrixReading:
        made: Value = yield from x.matrix(self)
        if x.dtype is bool_ and (made.truth is None) is not (not _long(made.shape)):
            raise NoMatrix(f"{operation_name(x)} of truth values has no form in SymPy's matrices")
        return made

    def _of_numbers(self, x: Any, maker: Any) -> MatrixReading:
        operands = []
        for y in maker.operands:
            operands.append((yield y).value)  # noqa: PERF401 - it yields
        index = x.index if x is not maker else None
        return Value(of_numbers(maker, operands, self.number, index), ())

    def _leaf(self, x: Leaf) -> Value:
        check_matrix(f"{x.name} of shape {x.shape}", x.shape)
        symbol = self.symbol_of(x)
        if not x.shape:
            return Value(symbol, ())
        long = _long(x.shape)
        if not long:
            symbol = MatrixElement(symbol, 0, 0)
        elif len(long) == 1 and symbol.shape[0] == 1:
            symbol = transposed(symbol)
        if x.dtype is not bool_:
            return Value(symbol, x.shape)
        if not long:
            return Value(sympy.Ne(symbol, 0), x.shape)
        return Value(symbol, x.shape, sympy.Ne(_ELEMENT, 0))

    def _array(self, x: ArrayConst) -> Value:
        check_matrix(f"an array of numbers of shape {x.shape}", x.shape)
        numbers = [self.number(v, x.dtype) for v in x.value.flat]
        long = _long(x.shape)
        if not long:
            return Value(numbers[0], x.shape)
        sizes = [x.shape[a] for a in long]
        rows, columns = sizes[0], [*sizes, 1][1]
        if x.dtype is bool_:
            numbers = [sympy.Integer(bool(v)) for v in x.value.flat]
            made = sympy.ImmutableMatrix(rows, columns, numbers)
            return Value(made, x.shape, sympy.Ne(_ELEMENT, 0))
        own = x.value.reshape(rows, columns)
        whole = exact(own[0, 0].item())
        c = sympy.Integer(whole) if type(whole) is int else numbers[0]
        if len(set(numbers)) == 1:
            return Value(product([c], [sympy.OneMatrix(rows, columns)]), x.shape)
        if rows == columns and np.array_equal(own, np.diag(own.diagonal()[:1].repeat(rows))):
            return Value(product([c], [sympy.Identity(rows)]), x.shape)
        if x.size > MAX_ELEMENTS:
            raise NoMatrix(
                f"an array of numbers has {x.size} elements, and each becomes a part of the "
                f"formula, of which there are {MAX_ELEMENTS} at most"
            )
        return Value(sympy.ImmutableMatrix(rows, columns, numbers), x.shape)

    # ---------------------------------------------------------------- numbers and elements

    def times(self, c: Coefficient, v: Value) -> Value:
        number = number_of(c, self.exact)
        if not _long(v.shape):
            return Value(number * v.value, v.shape)
        return Value(product([number], [v.value]), v.shape)

    def ratio(self, above: Powers, below: Powers) -> Value:
        powers = [*above, *[(v, -n) for v, n in below]]
        shape: Shape = ()
        for v, _ in powers:
            shape = broadcast_shapes(shape, v.shape)
        check_matrix(f"a product of shape {shape}", shape)
        groups: dict[tuple[int, ...], list[tuple[Any, int]]] = {}
        for v, n in powers:
            lead = len(shape) - len(v.shape)
            groups.setdefault(tuple([a + lead for a in _long(v.shape)]), []).append((v.value, n))
        c = sympy.Mul(*[x**n for x, n in groups.pop((), [])])
        long = _long(shape)
        if not long:
            return Value(c, shape)
        full = product_of_elements(groups.pop(long, []))
        if len(long) == 1:
            return Value(product([c], [full]), shape)
        rows, columns = [product_of_elements(groups.get((a,), [])) for a in long]
        if full is not None:
            made = [full]
            if rows is not None:
                made.insert(0, diagonal_matrix(rows))
            if columns is not None:
                made.append(diagonal_matrix(columns))
            return Value(product([c], made), shape)
        n, m = [shape[a] for a in long]
        rows = sympy.OneMatrix(n, 1) if rows is None else rows
        columns = sympy.OneMatrix(1, m) if columns is None else transposed(columns)
        return Value(product([c], [rows, columns]), shape)

    # ---------------------------------------------------------------- axes

    def moved(self, v: Value, labels: Labels, target: Sequence[int]) -> Value:
        sizes = {k: n for k, n in zip(labels, v.shape, strict=True) if n != 1}
        order = [k for k in target if k in sizes]
        value = v.value if order == list(sizes) else transposed(v.value)
        return Value(value, tuple([sizes.get(k, 1) for k in target]))

    def summed(self, v: Value, labels: Labels, over: Sequence[int]) -> Value:
        long = _long(v.shape)
        axes = [a for a in long if labels[a] in over]
        shape = tuple([n for a, n in enumerate(v.shape) if labels[a] not in over])
        made = [v.value]
        if long[0] in axes:
            made.insert(0, sympy.OneMatrix(1, v.shape[long[0]]))
        if long[-1] in axes and len(long) == 2:
            made.append(sympy.OneMatrix(v.shape[long[1]], 1))
        if len(axes) == len(long):
            return Value(as_number(made), shape)
        whole = product([], made)
        return Value(transposed(whole) if long[0] in axes else whole, shape)

    def embedded(self, v: Value, labels: Labels, output: Labels) -> Value:
        return self.einsum([(v, labels)], output)

    def einsum(self, parts: Sequence[tuple[Value, Labels]], output: Labels) -> Value:
        sizes = {k: n for v, ks in parts for k, n in zip(ks, v.shape, strict=True)}
        shape = tuple([sizes[k] for k in output])
        check_matrix(f"a product of shape {shape}", shape)
        raise NoMatrix("a sum over an index that three arrays have is no product of matrices")

    # ---------------------------------------------------------------- vectors and matrices

    def chain(self, factors: Chain) -> Value:
        made = product([], [factor(v.value, is_turned) for v, is_turned in factors])
        return Value(made, tuple([size_of_formula(n) for n in made.shape]))

    def apply(self, factors: Chain, vector: Value | None) -> Value:
        matrix = self.chain(factors)
        n, m = matrix.shape
        column = sympy.OneMatrix(m, 1) if vector is None else vector.value
        return Value(product([], [matrix.value, column]), (n,))

    def dot(self, factors: Powers) -> Value:
        (first, n), *rest = factors
        if n == 2 and not rest:
            rest = [(first, 1)]
        elif n != 1 or not rest:
            rest, first = list(factors), Value(sympy.OneMatrix(first.shape[0], 1), first.shape)
        return Value(
            as_number(
                [transposed(first.value), product_of_elements([(v.value, n) for v, n in rest])]
            ),
            (),
        )

    def outer(self, u: Value, v: Value) -> Value:
        return Value(product([], [u.value, transposed(v.value)]), (*u.shape, *v.shape))

    def trace(self, factors: Chain) -> Value:
        return Value(trace(self.chain(factors).value), ())

    def diagonal(self, matrix: Value) -> Value:
        n, _ = matrix.shape
        # SymPy's DiagonalOf fails once its matrix is one of numbers.
        kept = product_of_elements([(matrix.value, 1), (sympy.Identity(n), 1)])
        return Value(product([], [kept, sympy.OneMatrix(n, 1)]), (n,))

    def diag(self, vector: Value) -> Value:
        (n,) = vector.shape
        return Value(diagonal_matrix(vector.value), (n, n))

    def identity(self, n: int, kind: dtype) -> Value:
        return Value(sympy.Identity(n), (n, n))

    # ---------------------------------------------------------------- sums

    def total(
        self, terms: Sequence[tuple[Coefficient, Value | None]], shape: Shape, kind: dtype
    ) -> Value:
        check_matrix(f"a sum of shape {shape}", shape)
        long = _long(shape)
        given = [(number_of(c, self.exact), v) for c, v in terms]
        if not long:
            return Value(sympy.Add(*[c if v is None else c * v.value for c, v in given]), shape)
        rows, columns = [*[shape[a] for a in long], 1][:2]
        if not given:
            return Value(sympy.ZeroMatrix(rows, columns), shape)
        place = next((i for i, (c, _) in enumerate(given) if c > 0), 0)
        ordered = [given[place], *given[:place], *given[place + 1 :]]
        ones = Value(sympy.S.One, ())
        made = [product([c], [_fitted(ones if v is None else v, shape)]) for c, v in ordered]
        return Value(sum_of(made), shape)

    # ---------------------------------------------------------------- what operations call

    def applied(self, node: Any, operands: Sequence[Value]) -> Value | None:
        """Return an operation on each element; None where it is one of several matrices."""
        arrays = [_fitted(v, node.shape) if _long(v.shape) else None for v in operands]
        distinct = [x for x in dict.fromkeys(arrays) if x is not None]
        parts = list(dict.fromkeys([y for x in distinct for y in parts_of(x)]))
        if len(parts) == 1 < len(distinct):
            distinct = parts
        given = list(zip(node.operands, operands, arrays, strict=True))
        real = None if any(x.dtype.is_complex for x in node.operands) else True
        symbols = {x: sympy.Dummy("element", real=real) for x in distinct}
        converted = conversion(node)
        elements = []
        for x, v, array in given:
            made = v.value
            if array is not None:
                made = symbols.get(array)
                if made is None:
                    made = in_terms_of(array, distinct[0], symbols[distinct[0]])
                if v.truth is not None:
                    made = v.truth.xreplace({_ELEMENT: made})
            elements.append(converted(made) if x.dtype is bool_ else made)
        formula = self._formula(node, elements)
        if not distinct:
            return Value(formula, node.shape)
        if len(distinct) > 1:
            matrices = {t: x for x, t in symbols.items()}
            made = None if node.dtype is bool_ else self._of_several(formula, matrices)
            return None if made is None else Value(made, node.shape)
        ((x, t),) = symbols.items()
        if node.dtype is bool_:
            return Value(x, node.shape, sympy.sympify(formula).xreplace({t: _ELEMENT}))
        return Value(self._of_elements(formula, t, x), node.shape)

    def _of_elements(self, formula: Any, t: Any, matrix: Any) -> Any:
        """Return the matrix of a formula of each element, in which a dummy stands for this.

        Its symbol has no name that the formula has: SymPy puts values in the place of a symbol also
        where another function binds it.
        """
        formula = sympy.sympify(formula)
        if formula == t:
            return matrix
        if not formula.has(t):
            return product([formula], [sympy.OneMatrix(*matrix.shape)])
        taken = {*self._taken, *[y.name for y in formula.atoms(sympy.Symbol)]}
        name = next(k for n in range(len(taken) + 1) if (k := f"x{n or ''}") not in taken)
        x = sympy.Symbol(name, real=t.is_real)
        return ElementwiseApplyFunction(sympy.Lambda(x, formula.xreplace({t: x})), matrix)

    def _of_several(self, formula: Any, matrices: Mapping[Any, Any]) -> Any:
        """Return a formula of an element of several matrices; None where SymPy has no class for it.

        Sums and products of elements have one, and functions of one number.
        """
        own = [t for t in matrices if formula.has(t)]
        if not own:
            return product([formula], [sympy.OneMatrix(*next(iter(matrices.values())).shape)])
        if len(own) == 1:
            return self._of_elements(formula, own[0], matrices[own[0]])
        if isinstance(formula, (sympy.Add, sympy.Mul)):
            numbers, rest = formula.as_independent(*own, as_Add=formula.is_Add)
            made = [self._of_several(x, matrices) for x in formula.func.make_args(rest)]
            if None in made:
                return None
            if formula.is_Mul:
                return product([numbers], [product_of_elements([(x, 1) for x in made])])
            return sum_of([*made, *([self._of_several(numbers, matrices)] if numbers != 0 else [])])
        varying = [x for x in formula.args if x.has(*own)]
        if len(varying) != 1 or not isinstance(formula, (sympy.Pow, sympy.Function)):
            return None
        inner = None if formula.is_Piecewise else self._of_several(varying[0], matrices)
        t = sympy.Dummy("element", real=own[0].is_real)
        args = [t if x == varying[0] else x for x in formula.args]
        return None if inner is None else self._of_elements(formula.func(*args), t, inner)

    def _formula(self, node: Any, operands: Sequence[Any]) -> Any:
        """Return the formula of an element, by the name of the operation where SymPy has none."""
        try:
            formula = of_element(node, operands, self.number)
        except _ERRORS_OF_SYMPY as error:
            within = ", ".join([str(x) for x in operands if getattr(x, "args", ())])
            raise NoMatrix(
                f"SymPy computes no {operation_name(node)} of {within} ({error})"
            ) from None
        if self.expand or len(operands) != 1 or node.dtype is bool_ or operands[0].is_number:
            return formula
        (x,) = operands
        if formula == x or (formula.args and all(y == x or y.is_number for y in formula.args)):
            return formula
        name = _known_name(node)
        return formula if name is None else sympy.Function(name)(x)

    def function(self, f: Any, x: Value) -> Value:
        """Return a function of SymPy of each element."""
        if not _long(x.shape):
            return Value(f(x.value), x.shape)
        return Value(self._of_elements(f(_ELEMENT), _ELEMENT, x.value), x.shape)

    def mixed(self, condition: Value, x: Value, y: Value) -> Value | None:
        """Return the sum of two arrays, each times whether it is the one that is chosen.

        None where what is not chosen may be infinite.
        """
        terms = []
        for v, is_first in ((x, True), (y, False)):
            if v.value == 0 or isinstance(v.value, sympy.ZeroMatrix):
                continue
            c, rest = split(v.value) if _long(v.shape) else (v.value, sympy.S.One)
            if not is_finite(rest if condition.truth is None else v.value):
                return None
            if condition.truth is None:
                cases = _cases(condition.value, is_first, c)
                made = product([cases], [rest]) if _long(v.shape) else cases
                terms.append((1, Value(made, v.shape)))
            else:
                cases = _cases(condition.truth, is_first, sympy.S.One)
                chosen = self._of_elements(cases, _ELEMENT, condition.value)
                mask = Value(chosen, condition.shape)
                terms.append((1, self.ratio([(mask, 1), (v, 1)], [])))
        shape = broadcast_shapes(condition.shape, broadcast_shapes(x.shape, y.shape))
        return self.total(terms, shape, float64)

    def square(self, f: Any, x: Value, shape: Shape) -> Value:
        """Return a function of SymPy of a square matrix."""
        long = _long(x.shape)
        if not long:
            return Value(1 / x.value if f is sympy.Inverse else x.value, shape)
        if x.shape[-2] == 1:
            raise NoMatrix("an array of several square matrices is no matrix")
        return Value(f(x.value), shape)

    def stacked(self, rows: Sequence[Value], axis: int, shape: Shape) -> Value:
        """Return the column of numbers, or the matrix of such columns as its rows or columns."""
        given = [_cells_of(v) for v in rows]
        if None in given or len(_long(shape)) > 2:
            raise NoMatrix("a stack of arrays that are no lists of numbers has no form")
        made, long = sympy.ImmutableMatrix(given), _long(shape)
        if len(long) == 2:
            return Value(made if axis == long[0] else made.T, shape)
        cells = made.flat()
        return Value(sympy.ImmutableMatrix(len(cells), 1, cells) if long else cells[0], shape)

    def sliced(self, x: Value, key: Sequence[Any], shape: Shape) -> Value:
        """Return the part of an array that integers and slices name, one for each axis."""
        found = []
        for a in _long(x.shape):
            start, stop, step = k if isinstance(k := key[a], tuple) else (k, k + 1, 1)
            count = -((start - stop) // step)
            if step != 1 and count > 1:  # of an odd length SymPy leaves the last one out
                raise NoMatrix("a slice with steps has no form in SymPy's matrices")
            found.append((start, start + count))
        if not found:
            return Value(x.value, shape)
        whole = [(0, n) for n in x.value.shape]
        (i, k), (j, m) = found = [*found, *whole[len(found) :]]
        if found == whole:
            return Value(x.value, shape, x.truth)
        if (k - i, m - j) == (1, 1):
            element = MatrixElement(x.value, i, j)
            return Value(
                element if x.truth is None else x.truth.xreplace({_ELEMENT: element}), shape
            )
        made = MatrixSlice(x.value, (i, k), (j, m))
        return Value(transposed(made) if k - i == 1 else made, shape, x.truth)

    def by_elements(self, node: Any, operand: Value) -> Value:
        """Return the matrix of the elements that `entry` states."""
        free = self.bound(*node.shape)
        steps = node.entry(free, self)
        answer: Any = None
        try:
            while True:
                _, at = steps.send(answer)
                places = [at[a] for a in _long(operand.shape)]
                answer = MatrixElement(operand.value, *[*places, 0][:2])
        except StopIteration as stop:
            element = stop.value
        long = _long(node.shape)
        if not long:
            return Value(element, node.shape)
        rows, columns = [*[node.shape[a] for a in long], 1][:2]
        variables = [*[free[a] for a in long], sympy.Idx(next(self._names), 1)][:2]
        made = sympy.FunctionMatrix(rows, columns, sympy.Lambda(tuple(variables), element))
        return Value(made, node.shape)

    # ---------------------------------------------------------------- `symgrad.ops.entries.Indices`

    def bound(self, *lengths: int | None) -> list[Any]:
        return [sympy.S.Zero if n == 1 else sympy.Idx(next(self._names), n) for n in lengths]

    def named(self, name: str, x: Any, over: Sequence[Any], *at: Any) -> Any:
        indices = [k for k in over if isinstance(k, sympy.Idx)]
        return named_function(name)(sympy.Lambda(tuple(indices), x), *at) if indices else None


def _cells_of(v: Value) -> list[Any] | None:
    """Return the elements of a number or a column that are written out; None of another value."""
    if v.truth is not None or (isinstance(v.value, Boolean) and not v.value.is_Symbol):
        return None
    if not _long(v.shape):
        return [v.value]
    return v.value.flat() if isinstance(v.value, sympy.MatrixBase) and len(v.shape) == 1 else None


#: Stands for an element of a matrix in a condition on it.
_ELEMENT = sympy.Dummy("element", real=True)


def _given(value: Value) -> MatrixReading:
    """Return a value for which no operand is read."""
    yield from ()
    return value


def _known_name(node: Any) -> str | None:
    """Return the name of a function of one number by which `from_sympy` knows it, if it has one."""
    found = re.fullmatch(r"(\w+)\(\{0\}\)", node.notation().text)
    return found[1] if found and function_named(found[1]) is not None else None


def _cases(condition: Any, is_first: bool, x: Any) -> Any:
    """Return a number where a condition holds, or where it does not, and else 0."""
    return (
        sympy.Piecewise((x, condition), (0, True))
        if is_first
        else sympy.Piecewise((0, condition), (x, True))
    )


def _fitted(v: Value, shape: Shape) -> Any:
    """Return an array as a matrix, broadcast to a shape."""
    long, lead = _long(shape), len(shape) - len(v.shape)
    own = tuple([a + lead for a in _long(v.shape)])
    if own == long:
        return v.value
    n, m = [*[shape[a] for a in long], 1][:2]
    if not own:
        return product([v.value], [sympy.OneMatrix(n, m)])
    if own[0] == long[0]:
        return product([], [v.value, sympy.OneMatrix(1, m)])
    return product([], [sympy.OneMatrix(n, 1), transposed(v.value)])
