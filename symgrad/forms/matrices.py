"""SymPy's formulas of matrices as expressions: products of matrices, traces, explicit arrays.

A product of formulas of matrices is a product of matrices; `HadamardProduct` is the product of
elements.
"""

from __future__ import annotations

import functools
import numbers
from collections.abc import Callable, Sequence
from typing import Any

import sympy
from sympy.concrete.expr_with_limits import ExprWithLimits
from sympy.functions.elementary.piecewise import ExprCondPair
from sympy.matrices.expressions.applyfunc import ElementwiseApplyFunction
from sympy.matrices.expressions.slice import MatrixSlice

from symgrad.expr.atoms import Const, Leaf, as_expr, check_name, dtype_of_symbol, is_const
from symgrad.expr.dtypes import bool_, complex128, float64, result_dtype
from symgrad.expr.named_sizes import size_of_symbols
from symgrad.expr.node import ArrayExpr
from symgrad.ops import powers
from symgrad.ops.contraction import delta
from symgrad.ops.inverses import det, inv
from symgrad.ops.joining import stack
from symgrad.schema.public import FUNCTIONS
from symgrad.support.refusals import MAX_AXES

#: Of so many elements at most a matrix is written out.
MAX_ELEMENTS = 10_000

_EXPLICIT = (
    sympy.ImmutableDenseMatrix,
    sympy.ImmutableSparseMatrix,
    sympy.ImmutableDenseNDimArray,
    sympy.ImmutableSparseNDimArray,
)
_ATOMS = (sympy.MatrixSymbol, sympy.IndexedBase, sympy.Identity, sympy.ZeroMatrix, sympy.OneMatrix)


def is_matrix(node: Any) -> bool:
    """Return whether a node is a matrix, or a number that SymPy computes from matrices."""
    return isinstance(node, (sympy.MatrixExpr, *_EXPLICIT)) or type(node) in (*_NUMBERS, *_NAMED)


def explicit(given: Any) -> Any:
    """Return a matrix, an array or nested lists of SymPy's formulas as one that never changes.

    Text is refused, which SymPy would evaluate. What is none of these is returned as it is.
    """
    if isinstance(given, (sympy.MatrixBase, sympy.NDimArray)):
        return given.as_immutable()
    if not isinstance(given, (list, tuple)):
        return given
    shape: tuple[int, ...] = ()
    entries: list[Any] = [given]
    # A list on two levels cannot be of one depth; it may hold itself.
    above: set[int] = set()
    while isinstance(entries[0], (list, tuple)):
        size = len(entries[0])
        lengths = {len(x) if isinstance(x, (list, tuple)) else None for x in entries}
        level = set(map(id, entries))
        if lengths != {size} or not size or len(shape) >= MAX_AXES or level & above:
            raise ValueError(
                "from_sympy: the lists are the rows of an array, so those side by side have one "
                f"length, and none is empty; got {shown(given)}"
            )
        above |= level
        shape, entries = (*shape, size), [y for x in entries for y in x]
    for x in entries:
        if not isinstance(x, (sympy.Basic, numbers.Number)):
            raise TypeError(
                f"from_sympy: an entry of a list is a SymPy expression or a number, got {x!r}"
            )
    return sympy.ImmutableDenseNDimArray(entries, shape)


def matrix_children(node: Any) -> tuple[Any, ...]:
    """Return the formulas that a matrix is computed from."""
    if isinstance(node, _ATOMS):
        return ()
    if isinstance(node, sympy.NDimArray):
        return tuple(sympy.flatten(node))
    if isinstance(node, _EXPLICIT):
        return tuple(node.flat())
    if isinstance(node, sympy.Indexed):
        return (node.base,)
    if isinstance(node, sympy.MatPow):
        return (node.base,)
    if isinstance(node, ElementwiseApplyFunction):
        return (node.expr, *_without(node.function.expr, node.function.variables[0]))
    if type(node) is sympy.matrices.expressions.matexpr.MatrixElement:
        return (node.parent,)
    if isinstance(node, sympy.BlockMatrix):
        return tuple(node.blocks.flat())
    if isinstance(node, MatrixSlice):
        return (node.parent,)
    return node.args if type(node) in _CONVERSIONS else (_written_out(node),)


def _written_out(node: Any) -> Any:
    """Return a matrix as the matrix of its elements, where SymPy knows their formulas."""
    rows, columns = _size(node)
    if rows * columns <= MAX_ELEMENTS:
        try:
            elements = node.as_explicit().as_immutable()
        except NotImplementedError:  # SymPy knows no element
            elements = node
        if not elements.has(node):
            return elements
    raise TypeError(
        f"from_sympy: no operation stands for {type(node).__name__} in {shown(node)}; sums, "
        "products, whole powers, inverses, determinants, transposes, traces, blocks and "
        "element-wise products of matrices are converted, and of at most "
        f"{MAX_ELEMENTS} elements what SymPy's as_explicit() has formulas for"
    )


def matrix_of(node: Any, args: Sequence[ArrayExpr], convert: Callable[..., ArrayExpr]) -> ArrayExpr:
    """Return a matrix as an expression, from the expressions of its children.

    Raises
    ------
    TypeError
        If its size is no number, or no operation computes it.
    """
    if isinstance(node, _EXPLICIT):
        shape = tuple(map(int, node.shape))
        if not args:
            return Const(0.0, float64).broadcast_to(shape)
        return FUNCTIONS["reshape"](stack.of(*doubles(args), 0), shape)  # type: ignore[no-any-return]
    if isinstance(node, ElementwiseApplyFunction):
        (t,), formula = node.function.variables, node.function.expr
        x, *others = args
        return convert(formula, {t: x, **dict(zip(_without(formula, t), others, strict=True))})
    make = _CONVERSIONS.get(type(node))
    return args[0] if make is None else make(node, args)


def _without(formula: Any, t: Any) -> list[Any]:
    """Return the largest parts of a formula that do not have a symbol, but for numbers.

    Of a sum or an integral that has it, which binds others, they are the symbols.
    """
    found: dict[Any, None] = {}
    stack = [formula]
    while stack:
        node = stack.pop()
        if t in node.free_symbols and isinstance(node, (ExprWithLimits, sympy.Subs)):
            rest = sorted(node.free_symbols - {t}, key=sympy.default_sort_key)
            found.update(dict.fromkeys(rest))
        elif t in node.free_symbols or isinstance(node, (ExprCondPair, sympy.Tuple)):
            stack += node.args
        elif node.free_symbols:
            found[node] = None
    return list(found)


def doubles(values: Sequence[ArrayExpr]) -> list[ArrayExpr]:
    """Return values of one array or choice, of which at least one decides its dtype.

    Numbers alone, which have no dtype of their own, become float64, as SymPy's numbers are doubles,
    or complex128.
    """
    if not all(x.weak for x in values):
        return list(values)
    kind = complex128 if any(x.dtype.is_complex for x in values) else float64
    return [
        x if x.dtype is bool_ else Const(x.value, kind) if isinstance(x, Const) else x.to(kind)
        for x in values
    ]


def matrix_size(shape: Sequence[int]) -> tuple[int, ...]:
    """Return the size of the matrix that an array is; a vector is a column.

    An array of more axes than two has a matrix where the others are of length one.
    """
    if len(shape) == 2:
        return tuple(shape)
    long = [n for n in shape if n != 1]
    return (*long, *[1] * (2 - len(long)))


def matrix_value(symbol: Any, value: ArrayExpr) -> ArrayExpr:
    """Return the value of a matrix symbol as a matrix; a vector becomes a column."""
    shape = _size(symbol)
    if value.shape == shape:
        return value
    if value.ndim != 2 and matrix_size(value.shape) == shape:
        return FUNCTIONS["reshape"](value, shape)  # type: ignore[no-any-return]
    raise ValueError(
        f"from_sympy: {symbol} is a matrix of shape {shape}, so it is not mapped to an array of "
        f"shape {value.shape}"
    )


def name_of(symbol: Any) -> str:
    """Return the name of the leaf that a symbol becomes; raise ValueError if it cannot be one."""
    try:
        return check_name(symbol.name)
    except ValueError:
        raise ValueError(
            f"from_sympy: the name {symbol.name!r} of a symbol is no Python identifier, or is a "
            "keyword; map the symbol to a leaf of another name, as in "
            "from_sympy(formula, {symbol: leaf('lam')})"
        ) from None


def shown(node: Any) -> str:
    """Return the text of a formula of SymPy for a message, cut to 80 characters."""
    text = str(node)
    return text if len(text) < 80 else f"{text[:77]}..."


def _size(node: Any) -> tuple[int, int]:
    rows, columns = map(size_of_symbols, node.shape)
    if rows is None or columns is None:
        raise TypeError(
            f"from_sympy: the size {tuple(node.shape)} of {shown(node)} is no pair of numbers or "
            "names; give the sizes with .subs() first"
        )
    return rows, columns


def _is_array(node: Any) -> bool:
    return is_matrix(node) and type(node) not in (*_NUMBERS, *_NAMED)


def _product(node: Any, args: Sequence[ArrayExpr]) -> ArrayExpr:
    factors = list(zip(node.args, args, strict=True))
    matrices = [x for plain, x in factors if _is_array(plain)]
    scalars = [x for plain, x in factors if not _is_array(plain)]
    kind = result_dtype(matrices)  # SymPy's matrices of ones, or of numbers, are of doubles
    total = functools.reduce(lambda a, b: a @ b, [x.to(kind) for x in matrices])
    for x in scalars:
        total = -total if is_const(x, -1) else x * total
    return total


def _power(node: Any, args: Sequence[ArrayExpr]) -> ArrayExpr:
    n = node.exp
    if not isinstance(n, sympy.Integer):
        raise TypeError(
            f"from_sympy: no operation stands for {shown(node)}: powers of a matrix are whole"
        )
    base = inv.of(args[0]) if n < 0 else args[0]
    rest, square, total = abs(int(n)), base, None
    while rest:
        if rest % 2:
            total = square if total is None else total @ square
        rest //= 2
        square = square @ square if rest else square
    return delta((_size(node)[0],), float64) if total is None else total


def _determinant(node: Any, args: Sequence[ArrayExpr]) -> ArrayExpr:
    return det.of(args[0])


def _trace(node: Any, args: Sequence[ArrayExpr]) -> ArrayExpr:
    (x,) = args
    return x.reshape(()) if x.shape == (1, 1) else FUNCTIONS["trace"](x)


def _diagonal_matrix(node: Any, args: Sequence[ArrayExpr]) -> ArrayExpr:
    (x,) = args
    return FUNCTIONS["diag"](x.reshape((x.size,)))  # type: ignore[no-any-return]


def _diagonal_of(node: Any, args: Sequence[ArrayExpr]) -> ArrayExpr:
    return FUNCTIONS["diagonal"](args[0]).reshape(_size(node))  # type: ignore[no-any-return]


def _element(node: Any, args: Sequence[ArrayExpr]) -> ArrayExpr:
    if not all(isinstance(i, (int, sympy.Integer)) for i in (node.i, node.j)):
        raise TypeError(f"from_sympy: the indices of {shown(node)} are no numbers")
    return args[0][int(node.i), int(node.j)]


def _indexed(node: Any, args: Sequence[ArrayExpr]) -> ArrayExpr:
    """Return an element of an array; indices count from 0, as Python's."""
    (array,) = args
    if not all(isinstance(i, sympy.Integer) for i in node.indices):
        raise TypeError(
            f"from_sympy: the indices of {shown(node)} are no numbers; a Sum with numbers as "
            "bounds gives each index its numbers"
        )
    places = tuple([int(i) for i in node.indices])
    inside = len(places) == len(array.shape) and all(
        0 <= i < n for i, n in zip(places, array.shape, strict=True)
    )
    if not inside:
        raise ValueError(
            f"from_sympy: {shown(node)} is no element of an array of shape {array.shape}"
        )
    return array[places]


def _named_array(node: Any, args: Sequence[ArrayExpr]) -> ArrayExpr:
    shape = node.shape
    dims = None if shape is None else tuple(map(size_of_symbols, shape))
    if dims is None or None in dims:
        raise TypeError(
            f"from_sympy: the shape of {node.label} is not known: map it to a leaf or a tensor, or "
            "make it by sympy.IndexedBase(name, shape=(...)) with numbers or names"
        )
    label = node.label
    own = None if label == sympy.Symbol(label.name) else label  # assumptions, if it has any
    return Leaf(name_of(label), dims, dtype_of_symbol(label), own)


def _kronecker(a: ArrayExpr, b: ArrayExpr) -> ArrayExpr:
    (n, m), (p, q) = a.shape, b.shape
    return (a.reshape((n, 1, m, 1)) * b.reshape((1, p, 1, q))).reshape((n * p, m * q))


def _dot(node: Any, args: Sequence[ArrayExpr]) -> ArrayExpr:
    size = (max(args[0].shape),)
    return args[0].reshape(size) @ args[1].reshape(size)


def _blocks(node: Any, args: Sequence[ArrayExpr]) -> ArrayExpr:
    cat, width = FUNCTIONS["cat"], int(node.blocks.cols)
    rows = [cat(args[i : i + width], 1) for i in range(0, len(args), width)]
    return cat(rows, 0)  # type: ignore[no-any-return]


def _slice(node: Any, args: Sequence[ArrayExpr]) -> ArrayExpr:
    parts = [*node.rowslice, *node.colslice]
    if not all(isinstance(n, (int, sympy.Integer)) for n in parts):
        raise TypeError(f"from_sympy: the bounds of {shown(node)} are no numbers")
    (i, _, k), (m, _, p) = (map(int, part) for part in (node.rowslice, node.colslice))
    rows, columns = _size(node)  # of an odd length SymPy's steps leave the last one out
    return args[0][i : i + rows * k : k, m : m + columns * p : p]


def _constant_matrix(number: float) -> Callable[..., ArrayExpr]:
    return lambda node, args: Const(number, float64).broadcast_to(_size(node))


_CONVERSIONS: dict[type[Any], Callable[[Any, Sequence[ArrayExpr]], ArrayExpr]] = {
    sympy.MatrixSymbol: lambda node, args: Leaf(name_of(node), _size(node)),
    sympy.Identity: lambda node, args: delta((_size(node)[0],), float64),
    sympy.ZeroMatrix: _constant_matrix(0.0),
    sympy.OneMatrix: _constant_matrix(1.0),
    sympy.MatAdd: lambda node, args: functools.reduce(lambda a, b: a + b, args),
    sympy.MatMul: _product,
    sympy.MatPow: _power,
    sympy.Inverse: _power,
    sympy.Determinant: _determinant,
    sympy.Transpose: lambda node, args: args[0].T,
    sympy.Adjoint: lambda node, args: args[0].conj().T,
    sympy.Trace: _trace,
    sympy.DiagMatrix: _diagonal_matrix,
    sympy.DiagonalOf: _diagonal_of,
    sympy.HadamardProduct: lambda node, args: functools.reduce(lambda a, b: a * b, args),
    sympy.HadamardPower: lambda node, args: powers.pow.of(as_expr(args[0]), as_expr(args[1])),
    sympy.KroneckerProduct: lambda node, args: functools.reduce(_kronecker, args),
    sympy.DotProduct: _dot,
    sympy.BlockMatrix: _blocks,
    sympy.BlockDiagMatrix: _blocks,
    MatrixSlice: _slice,
    sympy.matrices.expressions.matexpr.MatrixElement: _element,
    sympy.Indexed: _indexed,
    sympy.IndexedBase: _named_array,
}
#: An array that is known by its name, and its elements.
_NAMED = (sympy.IndexedBase, sympy.Indexed)
#: The classes of numbers that SymPy computes from matrices.
_NUMBERS = (
    sympy.Trace,
    sympy.Determinant,
    sympy.DotProduct,
    sympy.matrices.expressions.matexpr.MatrixElement,
)
