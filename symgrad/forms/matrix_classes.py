"""SymPy's classes of matrices, and which of several equal ones SymPy computes with.

The constructors leave products and sums in the order in which they are to be read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import sympy
from sympy.core.function import AppliedUndef
from sympy.matrices.expressions.applyfunc import ElementwiseApplyFunction
from sympy.matrices.expressions.matexpr import MatrixElement

from symgrad.forms.sympy_functions import function_named


def product(numbers: Iterable[Any], matrices: Iterable[Any]) -> Any:
    """Return a product of numbers and matrices, with the numbers before the matrices."""
    coefficients = list(numbers)
    factors: list[Any] = []
    for x in matrices:
        c, rest = split(x)
        coefficients.append(c)
        factors += rest.args if isinstance(rest, sympy.MatMul) else [rest]
    square = [x for x in factors if not isinstance(x, sympy.Identity)]
    factors = square or factors[:1]
    c, rest = sympy.Mul(*coefficients).as_coeff_Mul()
    if c.is_zero:
        return sympy.ZeroMatrix(factors[0].shape[0], factors[-1].shape[1])
    is_quotient = any(x.is_Pow and x.exp.is_negative for x in sympy.Mul.make_args(rest))
    # SymPy prints what stands before several numbers badly if it is negative.
    one = is_quotient or c.is_negative
    args = [*[x for x in ([c * rest] if one else [c, rest]) if x != 1], *factors]
    return args[0] if len(args) == 1 else sympy.MatMul(*args)


def split(x: Any) -> tuple[Any, Any]:
    """Return the number before a product of matrices, and the product without it."""
    if not isinstance(x, sympy.MatMul):
        return sympy.S.One, x
    matrices = [y for y in x.args if y.is_Matrix]
    c = sympy.Mul(*[y for y in x.args if not y.is_Matrix])
    return c, matrices[0] if len(matrices) == 1 else sympy.MatMul(*matrices)


def transposed(x: Any) -> Any:
    """Return the transpose; that of a product is a product."""
    if isinstance(x, sympy.MatMul):
        c, rest = split(x)
        if isinstance(rest, sympy.MatMul):
            return product([c], [transposed(y) for y in rest.args[::-1]])
        return product([c], [transposed(rest)])
    if isinstance(x, sympy.Transpose):
        return x.arg
    if isinstance(x, (sympy.Identity, sympy.DiagMatrix)):
        return x
    if isinstance(x, (sympy.OneMatrix, sympy.ZeroMatrix)):
        return type(x)(*x.shape[::-1])
    if isinstance(x, sympy.MatrixBase):
        return x.T
    if isinstance(x, ElementwiseApplyFunction) and isinstance(x.expr, sympy.Transpose):
        return ElementwiseApplyFunction(x.function, x.expr.arg)
    return sympy.Transpose(x)


def factor(x: Any, is_turned: bool | None) -> Any:
    """Return a factor of a product: a matrix, its transpose, or a vector as a diagonal matrix."""
    if is_turned is None:
        return diagonal_matrix(x)
    return transposed(x) if is_turned else x


def diagonal_matrix(column: Any) -> Any:
    """Return the matrix with a column as its diagonal, and zeros off it."""
    c, rest = split(column)
    if isinstance(rest, sympy.OneMatrix):
        return product([c], [sympy.Identity(rest.shape[0])])
    return product([c], [sympy.DiagMatrix(rest)])


def product_of_elements(powers: Sequence[tuple[Any, int]]) -> Any:
    """Return the product of the elements of powers of matrices of one size; None of no matrix."""
    numbers, factors = [], []
    ones = None
    for x, n in powers:
        c, rest = split(x)
        numbers.append(c**n)
        if isinstance(rest, sympy.OneMatrix):
            ones = rest
        else:
            factors.append(rest if n == 1 else sympy.HadamardPower(rest, n))
    if not factors:
        return None if ones is None else product(numbers, [ones])
    made = factors[0] if len(factors) == 1 else sympy.HadamardProduct(*factors)
    return product(numbers, [made])


def sum_of(terms: Sequence[Any]) -> Any:
    """Return the sum of matrices of one size."""
    args = [y for x in terms for y in (x.args if isinstance(x, sympy.MatAdd) else [x])]
    args = [x for x in args if not isinstance(x, sympy.ZeroMatrix)] or args[:1]
    return args[0] if len(args) == 1 else sympy.MatAdd(*args)


def as_number(matrices: Sequence[Any]) -> Any:
    """Return the one element of a product of matrices, of size 1 x 1, as a number.

    To SymPy a matrix of one element is no number. Its trace is, and of all classes that have such
    numbers the trace alone is differentiated by a matrix: the derivatives of `MatrixElement`,
    `DotProduct` and `Sum` by a matrix are zero. But SymPy's `doit` leaves a trace as it is where a
    factor does not become a matrix of numbers when all symbols in it are: an identity matrix, a sum
    with a matrix of ones, a `HadamardPower`. The element is computed then.
    """
    c, rest = split(_upright(product([], matrices)))
    if _is_computed(rest):
        return c * sympy.Trace(rest)
    summed = isinstance(rest, sympy.MatMul) and len(rest.args) == 3
    if summed and all(isinstance(x, sympy.OneMatrix) for x in (rest.args[0], rest.args[2])):
        inner = _as_trace(rest.args[1])
        if inner is not None:
            return c * trace(inner)
    return c * MatrixElement(rest, 0, 0)


def trace(x: Any) -> Any:
    """Return the trace of a matrix, in a class that SymPy computes, as for `as_number`."""
    c, rest = split(_upright(x))
    if _is_computed(rest):
        return c * sympy.Trace(rest)
    n = rest.shape[0]
    kept = product_of_elements([(rest, 1), (sympy.Identity(n), 1)])
    return c * as_number([sympy.OneMatrix(1, n), kept, sympy.OneMatrix(n, 1)])


def _upright(x: Any) -> Any:
    """Return a matrix or its transpose, which has the same trace, with the fewest transposes."""
    other = transposed(x)
    return min([x, other], key=lambda y: sum(isinstance(z, sympy.Transpose) for z in y.args))


def _as_trace(x: Any) -> Any:
    """Return the matrix, or product of two, whose trace is the sum of the elements of a matrix.

    None where there is none, or SymPy does not compute it.
    """
    factors = list(x.args) if isinstance(x, sympy.HadamardProduct) else []
    if isinstance(x, sympy.HadamardPower) and x.exp == 2:
        factors = [x.base, x.base]
    rest = [y for y in factors if not isinstance(y, sympy.Identity)]
    if len(factors) != 2 or not all(map(_is_computed, rest)):
        return None
    if len(rest) < 2:
        return factors[0] if not rest else rest[0]
    left, right = rest
    if isinstance(right, sympy.Transpose):
        return product([], [left, transposed(right)])
    return product([], [transposed(left), right])


_COMPUTED = (
    sympy.MatrixSymbol, sympy.MatMul, sympy.MatAdd, sympy.Transpose, sympy.DiagMatrix,
    sympy.HadamardProduct, sympy.MatrixBase, ElementwiseApplyFunction, sympy.Inverse,
)  # fmt: skip


def _each_once(stack: list[Any]) -> Iterator[Any]:
    """Yield what is on a stack, and what is put on it meanwhile: a part that is shared once."""
    seen = set()
    while stack:
        x = stack.pop()
        if x not in seen:
            seen.add(x)
            yield x


def _is_computed(x: Any) -> bool:
    """Return whether `doit` makes a matrix of numbers of a matrix whose symbols are numbers."""
    stack = [x]
    for y in _each_once(stack):
        if not getattr(y, "is_Matrix", False):
            continue
        if not isinstance(y, _COMPUTED):
            return False
        if isinstance(y, sympy.MatMul) and not _is_rational(split(y)[0]):
            return False  # SymPy multiplies a matrix of numbers by rational ones only
        if isinstance(y, sympy.DiagMatrix) and not isinstance(y.args[0], sympy.MatrixSymbol):
            return False  # SymPy does not compute what is in it
        if not isinstance(y, sympy.MatrixBase):
            stack += y.args
    return True


#: Functions that are finite for every finite number.
_FINITE = (
    sympy.exp, sympy.sin, sympy.cos, sympy.sinh, sympy.cosh, sympy.tanh, sympy.atan, sympy.asinh,
    sympy.erf, sympy.erfc, sympy.Abs, sympy.sign, sympy.Piecewise,
)  # fmt: skip


def is_finite(x: Any) -> bool:
    """Return whether a formula has finite elements where those of its symbols are finite."""
    stack = [x]
    for y in _each_once(stack):
        stack += y.args
        if isinstance(y, (sympy.Pow, sympy.HadamardPower)):
            # What SymPy knows of a number, it does not know of the elements of a matrix.
            is_positive = y.is_Pow and y.base.is_positive
            if not (y.exp.is_nonnegative or is_positive):
                return False
        elif isinstance(y, AppliedUndef):
            cls = function_named(y.func.__name__)
            if cls is None or cls.scalar is None:
                return False
            stack.append(cls.scalar(*y.args))
        elif isinstance(y, sympy.log):
            if not y.args[0].is_positive:
                return False
        elif isinstance(y, (sympy.Inverse, sympy.Function)) and not isinstance(y, _FINITE):
            return False
    return True


def _is_rational(x: Any) -> bool:
    """Return whether a number is rational where the symbols in it are."""
    return all(
        isinstance(y, (sympy.Symbol, sympy.Number, sympy.Add, sympy.Mul))
        or (isinstance(y, sympy.Pow) and y.exp.is_Integer)
        for y in sympy.preorder_traversal(x)
    )


# ------------------------------------------------------------------ functions of elements


def parts_of(x: Any) -> list[Any]:
    """Return the matrices that a matrix is made of element by element."""
    found: list[Any] = []
    stack = [x]
    for y in _each_once(stack):
        _, rest = split(y)
        if isinstance(rest, (sympy.MatAdd, sympy.HadamardProduct)):
            stack += rest.args
        elif isinstance(rest, sympy.HadamardPower):
            stack.append(rest.base)
        elif isinstance(rest, ElementwiseApplyFunction):
            stack.append(rest.expr)
        elif not isinstance(rest, (sympy.OneMatrix, sympy.ZeroMatrix)):
            found.append(rest)
    return found


def in_terms_of(x: Any, part: Any, t: Any) -> Any:
    """Return an element of a matrix as a formula of that of the one matrix that it is made of."""
    if x == part:
        return t
    c, rest = split(x)
    if c != 1:
        return c * in_terms_of(rest, part, t)
    if isinstance(x, (sympy.OneMatrix, sympy.ZeroMatrix)):
        return sympy.Integer(isinstance(x, sympy.OneMatrix))
    if isinstance(x, ElementwiseApplyFunction):
        return x.function(in_terms_of(x.expr, part, t))
    if isinstance(x, sympy.HadamardPower):
        return in_terms_of(x.base, part, t) ** x.exp
    join = sympy.Add if isinstance(x, sympy.MatAdd) else sympy.Mul
    return join(*[in_terms_of(y, part, t) for y in x.args])
