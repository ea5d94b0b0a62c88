"""From expressions to formulas of SymPy's own classes."""

from __future__ import annotations

import dataclasses
import functools
import operator
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import sympy

from numeric.identifiers import normal_form
from symgrad.differentiate.names import without_names
from symgrad.expr.atoms import ArrayConst, Const, Leaf
from symgrad.expr.dtypes import bool_, dtype, float64, to_real
from symgrad.expr.graph import leaves, rebuild, toposort, use_counts
from symgrad.expr.named_sizes import names_in
from symgrad.expr.node import ArrayExpr
from symgrad.forms.exact import exact_number
from symgrad.forms.indexed import indexed_form
from symgrad.forms.matrices import matrix_size
from symgrad.lower.evaluate import input_names
from symgrad.lower.sizes import require_numbers
from symgrad.ops.broadcasting import broadcast_to
from symgrad.ops.composite import written_out
from symgrad.ops.elementwise import Elementwise
from symgrad.ops.explicit import explicit_form
from symgrad.ops.formulas import (
    Number,
    conversion,
    kind_of,
    of_element,
    of_numbers,
    plain_formula,
)
from symgrad.ops.identity import forward_value
from symgrad.ops.results import Result, Several
from symgrad.schema.public import public
from symgrad.support.above import FromAbove

FORMS = ("scalar", "indexed", "matrix", "explicit")

#: Returns a formula in SymPy's matrices, which are loaded when one is asked for.
in_matrices: FromAbove[Callable[..., Any]] = FromAbove("symgrad.forms.matrix_form")


@public(
    "to_sympy(Tensor self, object form='scalar', object symbols=None, bool exact=False, "
    "bool expand=False) -> Any",
    python=True,
)
def to_sympy(
    input: Any,
    form: Any = "scalar",
    symbols: Any = None,
    exact: bool = False,
    expand: bool = False,
) -> Any:
    """Return a formula in plain SymPy classes.

    Parameters
    ----------
    form : "scalar", "indexed", "matrix" or "explicit"
        "scalar" is the formula of one element, for a 0-d expression or one that works on each
        element. A leaf becomes the symbol `x.symbol`: the one that it was made of, or one of its
        name, which is real if the dtype of the leaf is.
        "indexed" is the formula of the element at the free indices i, j, k, ..., in the order of
        the axes, with sums over further ones. An array becomes an `IndexedBase` of that symbol;
        each index is an `Idx`, and no index has the name of a leaf. Along an axis of length one
        the index is 0. `softmax(Lambda(k, f), i)` is the element i of the softmax of f along k,
        and `logsumexp(Lambda(k, f))` a number. `from_sympy` reads the form back.
        "matrix" is a matrix of SymPy's, or a number where the expression is 0-d. An array of one
        axis becomes a column `MatrixSymbol(name, n, 1)`, one of two a `MatrixSymbol(name, n, m)`;
        further axes are of length one. A function that SymPy has not is applied by its name, as in
        `ElementwiseApplyFunction(Lambda(x, sigmoid(x)), A*v)`, and softmax is a `FunctionMatrix` of
        the function of "indexed". `from_sympy` reads the form back.
        "explicit" is an array with the formula of each element, for every expression of at most
        1,000 elements, those of arrays on the way among them. The elements of a leaf are symbols
        such as `x_0`, `x_0_1`.
    symbols : mapping, optional
        From leaves, or their names, to the symbols that are to stand for them; `e.symbols` are
        those that do otherwise. In "indexed", an `IndexedBase` may stand for an array, and in
        "matrix" a `MatrixSymbol` of its size.
    exact : bool
        Whether numbers that are rationals, or rationals times roots, pi, e or logarithms, become
        these. Other floats stay floats. In "indexed" and "matrix", fractions such as 1/n of a mean
        are exact.
    expand : bool
        Whether "indexed" and "matrix" write softmax and logsumexp with exponentials and sums, and
        "matrix" other functions with those that SymPy has.

    Returns
    -------
    sympy.Basic
        A formula without nodes of symgrad; of "matrix" a matrix, and of "explicit" an
        `ImmutableDenseNDimArray`, or a scalar where the expression is 0-d.

    Raises
    ------
    ValueError
        If two leaves share a name, the form is unknown, the expression is too deep for SymPy, does
        not work on each element ("scalar"), has an operation of whose element there is no formula
        ("indexed"), has a part that is no matrix, or an operation without a form ("matrix"), or has
        too many elements or an operation that SymPy has no function for ("explicit"); or `symbols`
        names a leaf that the expression does not have.
    TypeError
        If `input` is no expression, or `symbols` no mapping to SymPy symbols.

    Examples
    --------
    >>> import symgrad
    >>> x = symgrad.leaf("x", (3,))
    >>> (symgrad.sin(x) * x).to_sympy("scalar")
    x*sin(x)
    >>> symgrad.derive((0.5 * x[0] * x[1]).square(), x).to_sympy("explicit", exact=True)
    [x_0*x_1**2/2, x_0**2*x_1/2, 0]
    >>> A = symgrad.leaf("A", (4, 3))
    >>> symgrad.derive((A @ x).square().sum(), x).to_sympy("indexed")
    2*Sum(A[j, i]*A[j, k]*x[k], (j, 0, 3), (k, 0, 2))
    >>> symgrad.derive((A @ x).square().sum(), x).to_sympy("matrix")
    2*A.T*A*x
    """
    if not isinstance(form, str) or form not in FORMS:
        raise ValueError(
            f"to_sympy(): there is no form {form!r}; there is 'scalar', of one element, 'indexed', "
            "of the element at some indices, 'matrix', in SymPy's matrices, and 'explicit', of "
            "each element of an array"
        )
    expr = getattr(input, "expr", input)
    if not isinstance(expr, ArrayExpr):
        raise TypeError(f"to_sympy() takes an expression, got {type(input).__name__}")
    (expr,) = without_names([expr])
    names = input_names(expr)  # raises for two leaves of one name
    chosen = _chosen({name: x for x, name in names.items()}, symbols, form)
    number = _exact if exact else _number

    def symbol_of(leaf: Leaf) -> sympy.Symbol:
        return chosen.get(leaf.name, leaf.symbol)

    try:
        if form == "indexed":
            return _indexed_form(expr, symbol_of, number, exact, expand)
        if form == "matrix":
            return _matrix_form(expr, symbol_of, number, exact, expand)
        if form == "explicit":
            require_numbers(expr)
            return explicit_form(expr, symbol_of, number)
        return _scalar_form(expr, functools.partial(_scalar, symbol_of, number))
    except RecursionError:
        raise ValueError(
            f"to_sympy({form!r}): SymPy recurses along formulas, and this one of "
            f"{len(toposort([expr]))} nodes is too deep for it; evaluate() the formula, or "
            "write a part of it as a leaf"
        ) from None


def _indexed_form(
    e: ArrayExpr, symbol_of: Callable[[Leaf], Any], number: Number, exact: bool, expand: bool
) -> Any:
    """Return the formula of the element at free indices, in which arrays are indexed bases."""

    def base_of(leaf: Leaf) -> Any:
        symbol = symbol_of(leaf)
        if not leaf.shape or isinstance(symbol, sympy.IndexedBase):
            return symbol
        return sympy.IndexedBase(symbol, shape=leaf.shape)

    found = [*leaves(e)]
    taken = {str(getattr(symbol_of(x), "label", symbol_of(x))) for x in found}
    taken = taken.union(*[names_in(x.shape) for x in found])
    return indexed_form(e, base_of, taken, number, exact, expand)


def _matrix_form(
    e: ArrayExpr, symbol_of: Callable[[Leaf], Any], number: Number, exact: bool, expand: bool
) -> Any:
    """Return the formula in SymPy's matrices, in which arrays are matrix symbols."""

    def matrix_of(leaf: Leaf) -> Any:
        symbol = symbol_of(leaf)
        if not leaf.shape or isinstance(symbol, sympy.MatrixSymbol):
            return symbol
        return sympy.MatrixSymbol(symbol.name, *matrix_size(leaf.shape))

    found = [*leaves(e)]
    taken = {symbol_of(x).name for x in found}.union(*[names_in(x.shape) for x in found])
    return in_matrices.call(e, matrix_of, taken, number, exact, expand)


def _chosen(known: Mapping[str, Any], symbols: Any, form: str) -> dict[str, Any]:
    """Return the symbols that users give for leaves, by the names of the leaves."""
    if symbols is None:
        return {}
    if not isinstance(symbols, Mapping):
        raise TypeError(
            "to_sympy(): symbols= is a mapping from leaves or their names to SymPy symbols, got "
            f"{type(symbols).__name__}"
        )
    chosen: dict[str, sympy.Symbol] = {}
    for key, symbol in symbols.items():
        name: Any = normal_form(key) if isinstance(key, str) else getattr(key, "name", None)
        if name not in known:
            raise ValueError(
                f"to_sympy(): symbols= has a symbol for {key!r}; the expression has the leaves "
                + (", ".join(map(repr, known)) or "none")
            )
        _check_symbol(known[name], symbol, form)
        chosen[name] = symbol
    standing: dict[sympy.Symbol, str] = {}
    for name, leaf in known.items():
        other = standing.setdefault(chosen.get(name, leaf.symbol), name)
        if other != name:
            raise ValueError(
                f"to_sympy(): symbols= lets one symbol stand for the leaves {other!r} and "
                f"{name!r}; give them different ones"
            )
    return chosen


def _check_symbol(leaf: Leaf, symbol: Any, form: str) -> None:
    """Raise where what users give for a leaf cannot stand for the leaf in a form."""
    if isinstance(symbol, sympy.Symbol) and not isinstance(symbol, sympy.Idx):
        return
    wanted = "a sympy.Symbol"
    if form == "indexed" and leaf.shape:
        wanted += f" or a sympy.IndexedBase of the shape {leaf.shape}"
        if isinstance(symbol, sympy.IndexedBase) and symbol.shape in (None, leaf.shape):
            return
    if form == "matrix" and leaf.shape:
        size = matrix_size(leaf.shape)
        wanted += f" or a sympy.MatrixSymbol of the shape {size}"
        if isinstance(symbol, sympy.MatrixSymbol) and symbol.shape == size:
            return
    raise TypeError(
        f"to_sympy(): symbols= gives {leaf.name!r} an object of type {type(symbol).__name__}, "
        f"where {wanted} is wanted; substitute in the result instead"
    )


def symbols_of(e: ArrayExpr) -> dict[Leaf, sympy.Symbol]:
    """Return the symbols that stand for the leaves of a formula in `to_sympy`."""
    return {x: x.symbol for x in leaves(e)}


def _scalar_form(e: ArrayExpr, scalar: Callable[[ArrayExpr, tuple[Any, ...]], Any]) -> Any:
    """Return the formula of one element, which joins nested sums to one, and products likewise.

    SymPy's `Add` of an `Add` copies its terms, which is quadratic.
    """
    (plain,) = written_out([e])
    counts = use_counts([plain])
    nested = set()
    for node in counts:
        inner = [x for x in node.operands if counts[x] == 1 and x.dtype is not bool_]
        nested.update([x for x in inner if _join_of(x) is _join_of(node) is not None])

    def visit(node: ArrayExpr, operands: tuple[Any, ...]) -> Any:
        if isinstance(node, Elementwise) and any(x.dtype is bool_ for x in node.operands):
            made = conversion(node)
            pairs = zip(operands, node.operands, strict=True)
            operands = tuple([made(x) if y.dtype is bool_ else x for x, y in pairs])
        if node not in nested and not any(isinstance(x, _Parts) for x in operands):
            return scalar(node, operands)
        parts = _parts(node, operands)
        return parts if node in nested else parts.joined(_join_of(node))

    return rebuild([plain], visit)[0]


def _join_of(node: Any) -> Any:
    return node.joined[0] if isinstance(node, Elementwise) and node.joined else None


@dataclasses.dataclass
class _Parts:
    """The terms of a sum with their signs, or the factors of a product with their powers."""

    parts: list[tuple[Any, int]]
    sign: int = 1

    def joined(self, join: Any) -> Any:
        turned = operator.neg if join is sympy.Add else lambda x: 1 / x
        return join(*[x if k == self.sign else turned(x) for x, k in self.parts])


def _parts(node: Any, operands: tuple[Any, ...]) -> _Parts:
    """Return the terms or factors of a node; those of the longest operand are not copied."""
    signs = node.joined[1]
    given = [x if isinstance(x, _Parts) else _Parts([(x, 1)]) for x in operands]
    longest = max(range(len(given)), key=lambda i: len(given[i].parts))
    found = given[longest]
    found.sign *= signs[longest]
    for i, other in enumerate(given):
        if i != longest:
            turn = found.sign * signs[i] * other.sign
            found.parts += [(x, turn * k) for x, k in other.parts]
    return found


def _scalar(
    symbol_of: Callable[[Leaf], sympy.Symbol],
    number: Number,
    node: ArrayExpr,
    operands: tuple[Any, ...],
) -> Any:
    if isinstance(node, Leaf):
        return symbol_of(node)
    if isinstance(node, Const):
        return number(node.value, kind_of(node))
    if isinstance(node, ArrayConst):
        if node.size == 1:
            return number(node.value.item(), node.dtype)
        raise ValueError(
            "to_sympy('scalar'): an array constant has no formula of one element; form='explicit' "
            "has one for each"
        )
    if isinstance(node, broadcast_to) or getattr(node, "kernel", None) is forward_value.kernel:
        return operands[0]
    if isinstance(node, Elementwise):
        return of_element(node, operands, number)
    if isinstance(node, Several):  # each of its results is computed alone
        return operands
    index, maker, given = None, node, operands
    if isinstance(node, Result):
        index, (maker,), (given,) = node.index, node.operands, operands
    if not node.shape and all(not x.shape for x in maker.operands):
        return of_numbers(maker, given, number, index)
    raise ValueError(
        f"to_sympy('scalar'): {type(maker).__name__} does not work element by element, so there is "
        "no formula of one element; form='explicit' has one for each"
    )


def _number(value: Any, kind: dtype) -> Any:
    return plain_formula(value)


def _exact(value: Any, kind: dtype) -> Any:
    """Return a number of a dtype as the exact number that it is."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float):
        return exact_number(value, to_real(kind) if kind.differentiable else float64)
    if isinstance(value, complex):
        return _exact(value.real, kind) + sympy.I * _exact(value.imag, kind)
    return plain_formula(value)
