"""From formulas of SymPy to expressions.

Text is never parsed, and no function recurses: a formula is walked once, and each of its nodes
becomes the operation with the same meaning.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import sympy
from sympy.concrete.expr_with_limits import ExprWithLimits
from sympy.core.basic import Basic
from sympy.core.function import AppliedUndef
from sympy.logic.boolalg import Boolean

from symgrad.expr.atoms import Const, Leaf, Placeholder, as_expr, is_const, of_scalar
from symgrad.expr.dtypes import Category, complex128, float64
from symgrad.expr.graph import rebuild
from symgrad.expr.named_sizes import is_named
from symgrad.expr.node import ArrayExpr
from symgrad.forms.from_indexed import Reading, in_order, parts_of, read_indexed
from symgrad.forms.matrices import (
    doubles,
    explicit,
    is_matrix,
    matrix_children,
    matrix_of,
    matrix_value,
    shown,
)
from symgrad.forms.sizes import with_sizes
from symgrad.forms.symbols import SYMBOLS, by_symbols, check_bound, check_same, leaf_of
from symgrad.forms.sympy_functions import (
    elementwise_class,
    function_named,
    function_of_order,
    operation_of_order,
    operations_of_sympy,
)
from symgrad.forms.written import written
from symgrad.lower.evaluate import evaluate
from symgrad.ops import arithmetic, exponential, gamma, powers
from symgrad.ops.elliptic import elliptic_moment, moment_of
from symgrad.ops.primitive import bind
from symgrad.ops.where import where
from symgrad.record.record import wrap
from symgrad.schema.public import public


def _sum(terms: Sequence[ArrayExpr], source: Basic) -> ArrayExpr:
    # A negative term is subtracted, so that `1 - x` reads as it is written.
    total = terms[0]
    for term, plain in zip(terms[1:], source.args[1:], strict=True):
        if plain.could_extract_minus_sign() and not plain.is_number:
            negated = isinstance(term, arithmetic.neg)
            total = total - (term.operands[0] if negated else arithmetic.neg.of(term))
        else:
            total = total + term
    return total


def _product(factors: Sequence[ArrayExpr], source: Basic) -> ArrayExpr:
    """Return a product, whose factors with a negative power form a denominator."""
    above: ArrayExpr | None = None
    below: ArrayExpr | None = None
    if len(factors) > 1 and source.args[0] is sympy.S.NegativeOne:
        rest = source.func(*source.args[1:], evaluate=False)
        return arithmetic.neg.of(_product(factors[1:], rest) if len(factors) > 2 else factors[1])
    for factor, plain in zip(factors, source.args, strict=True):
        power = plain.exp if isinstance(plain, sympy.Pow) else None
        if power is not None and power.is_number and power.is_negative:
            part = _reciprocal(factor)
            below = part if below is None else below * part
        else:
            above = factor if above is None else above * factor
    if below is None:
        assert above is not None
        return above
    return arithmetic.div.of(1, below) if above is None else above / below


def _reciprocal(factor: ArrayExpr) -> ArrayExpr:
    """Return the reciprocal of a power with a negative exponent, as a denominator is written."""
    # Along axes of indices, a reciprocal may have been moved.
    if isinstance(factor, arithmetic.div) and is_const(factor.operands[0], 1):
        return factor.operands[1]
    exponent = factor.operands[1] if isinstance(factor, powers.pow) else None
    if isinstance(exponent, Const):
        return powers.pow.of(factor.operands[0], -exponent)
    return arithmetic.div.of(1, factor)


def _power(args: Sequence[ArrayExpr], source: Basic) -> ArrayExpr:
    base, exponent = args
    power = source.args[1]
    if source.args[0] is sympy.E:
        return exponential.exp.of(exponent)
    if power == sympy.Rational(1, 2):
        return powers.sqrt.of(base)
    if power == -1:
        return arithmetic.div.of(as_expr(1), base)
    if power == sympy.Rational(-1, 2):
        return arithmetic.div.of(as_expr(1), powers.sqrt.of(base))
    return powers.pow.of(base, exponent)


def _cases(args: Sequence[Any], source: Basic) -> ArrayExpr:
    """Return nested `where`s for a Piecewise, whose value is nan where no case applies."""
    conditions = [pair.cond for pair in source.args]
    pairs = list(zip(doubles(args[::2]), args[1::2], conditions, strict=True))
    value: ArrayExpr | None = None
    for then, condition, plain in reversed(pairs):
        if plain is sympy.true:
            value = then
        else:
            value = where.of(condition, then, as_expr(float("nan")) if value is None else value)
    assert value is not None
    return value


def from_sympy(
    expr: Any,
    mapping: Mapping[Any, Any] | None = None,
    *,
    leaves: str | None = None,
    indices: Any = None,
) -> Any:
    """Return a formula of SymPy as an expression, or compute it on tensors.

    Parameters
    ----------
    expr : sympy.Expr, sympy.Matrix, sympy.Array or list
        A formula of symbols, functions and matrices; lists of formulas are an array. Derivatives,
        substitutions, integrals with bounds, and sums and products with numbers as bounds, are done
        first. In a formula with `Idx`, each free index becomes an axis, and sums over others are
        contractions. Text is refused: it is never evaluated. Numbers are float64, or complex128,
        where no operand has another dtype; whole numbers stay whole as exponents and indices.
    mapping : mapping, optional
        From symbols, matrix symbols and indexed bases, or their names, to tensors, leaves, other
        expressions or numbers: from all that occur. As in `evaluate`, a symbol that does not occur
        is ignored, since SymPy may have removed it, and a name that does not occur is refused,
        since it may be a typing error. Without a mapping each becomes a leaf of its name, of
        complex128 if the symbol is declared complex or not real, else of float64. A leaf of float64
        has real values, also where SymPy assumes nothing of its symbol. A symbol that is the length
        of an axis is mapped to a whole number, has that of the array that is mapped to, or is left
        out, and then is the size of its name, as that of `leaf("X", ("n", 3))`.
    leaves : "new", optional
        With a mapping: what it leaves out becomes a leaf of its name as well.
    indices : sequence of sympy.Idx or str, optional
        The free indices of a formula with `Idx`, in the order of the axes that they become. One
        alone needs no order.

    Returns
    -------
    ArrayExpr or Tensor
        A tensor where the mapping has a tensor among its values.

    Raises
    ------
    TypeError
        If `expr` is no formula of SymPy, or has a part that no operation computes.
    ValueError
        If a mapping leaves out a symbol, or has the name of none, a symbol's name is no identifier,
        or lists side by side differ in length.

    Examples
    --------
    >>> import sympy
    >>> import symgrad
    >>> t = sympy.Symbol("t")
    >>> e = symgrad.from_sympy(sympy.sin(t) * t)
    >>> e.shape
    ()
    >>> A, i, j = sympy.IndexedBase("A", shape=(2, 3)), sympy.Idx("i", 2), sympy.Idx("j", 3)
    >>> symgrad.from_sympy(2 * A[i, j], indices=(j, i))
    2 * A.T
    """
    if isinstance(expr, (str, bytes)):
        raise TypeError(
            "from_sympy takes a SymPy expression, not text, which it would have to evaluate; make "
            "one with sympy.Symbol and SymPy's functions"
        )
    if isinstance(expr, ArrayExpr):
        return expr
    if isinstance(expr, (int, float, complex, np.generic)):
        return as_expr(expr)
    expr = explicit(expr)
    if not isinstance(expr, Basic):
        raise TypeError(
            "from_sympy takes a SymPy expression, a matrix or an array of SymPy's, or lists of "
            f"expressions, got {type(expr).__name__}"
        )
    if mapping is not None and not isinstance(mapping, Mapping):
        raise TypeError(f"from_sympy: the mapping is a dict, got {type(mapping).__name__}")
    given = dict(mapping or {})
    for key, value in given.items():
        if not isinstance(key, (Basic, str)):
            raise TypeError(f"from_sympy: the mapping's keys are symbols or names, got {key!r}")
        if isinstance(value, (str, bytes)):
            raise TypeError(f"from_sympy: {key} is mapped to text, which is never evaluated")
    if leaves not in (None, "new"):
        raise ValueError(f"from_sympy: leaves is 'new' or not given, got {leaves!r}")
    nodes = parts_of(expr)
    axes = indices if isinstance(indices, (list, tuple)) else (indices,)
    expr, given, sizes = with_sizes(expr, [*nodes, *axes], by_symbols(expr, given))
    if mapping is not None and leaves is None:
        check_bound(expr, given)
    tensors = {k: v for k, v in given.items() if hasattr(type(v), "_record")}
    places = {k: Placeholder(f"_{i}", v.shape, v.dtype) for i, (k, v) in enumerate(tensors.items())}
    known = {**given, **places}
    if indices is not None or any(isinstance(x, sympy.Idx) for x in nodes):
        if sizes and indices is not None:
            indices = [k.xreplace(sizes) if isinstance(k, sympy.Idx) else k for k in axes]
        found = read_indexed(expr, in_order(expr, indices), _known(known), _reading())
    else:
        found = _convert(expr, known)
    (converted,) = doubles([found])
    if not tensors:
        return converted
    return _applied(converted, {places[k]: v for k, v in tensors.items()})


@of_scalar.state
def _convert(expr: Basic, given: Mapping[Any, Any]) -> ArrayExpr:
    done = _known(given)
    reading = _reading()
    stack: list[Any] = [expr]
    while stack:
        node = stack[-1]
        if node in done:
            stack.pop()
            continue
        children = reading.children(node)
        pending = [x for x in children if x not in done]
        if pending:
            stack.extend(reversed(pending))
            continue
        done[node] = _made(node, [done[x] for x in children])
        stack.pop()
    return done[expr]


def _known(given: Mapping[Any, Any]) -> dict[Any, ArrayExpr]:
    """Return what symbols are mapped to as expressions."""
    known = {k: as_expr(v) for k, v in given.items()}
    for k, value in known.items():
        if isinstance(k, sympy.MatrixSymbol):
            known[k] = matrix_value(k, value)
    return known


def _reading() -> Reading:
    """Return how one formula is read, all symbols of a name in it being the same."""
    symbols: dict[str, Any] = {}
    varies: dict[Any, bool] = {}

    def children(node: Any) -> tuple[Any, ...]:
        if isinstance(node, SYMBOLS):
            check_same(symbols.setdefault(str(node.name), node), node)
        return _children(node, varies)

    return Reading(children, _made)


def _varies(root: Any, known: dict[Any, bool]) -> bool:
    """Return whether a formula has a symbol, without recursion; `is_number` of SymPy's recurses."""
    stack = [root]
    while stack:
        x = stack[-1]
        pending: list[Any] = []
        if x not in known:
            if isinstance(x, (ArrayExpr, sympy.Symbol, sympy.MatrixSymbol)):
                known[x] = True
            elif isinstance(x, (ExprWithLimits, sympy.Subs, sympy.Derivative)):
                known[x] = not x.is_number  # symbols in it may be bound
            else:
                pending = [y for y in x.args if y not in known]
                if not pending:
                    known[x] = any(known[y] for y in x.args)
        if pending:
            stack += pending
        else:
            stack.pop()
    return known[root]


def _children(node: Any, varies: dict[Any, bool]) -> tuple[Any, ...]:
    if is_matrix(node):
        return matrix_children(node)
    if isinstance(node, (ArrayExpr, sympy.Symbol)) or node in _TRUTH:
        return ()
    if not _varies(node, varies) and node.is_number:
        return ()
    if isinstance(node, sympy.Piecewise):
        return tuple(x for pair in node.args for x in pair.args)
    moment = _moment_of(node)
    if moment is not None:
        return moment[:2]
    done = _equal_formula(node)
    if done is not None:
        return (done,)
    if isinstance(node, sympy.hyper):
        return (*node.ap, *node.bq, node.argument)
    if not isinstance(node, (*_JOINED, sympy.Function)) and _operation_of(node) is None:
        raise _missing(node)
    if any(isinstance(x, sympy.Tuple) for x in node.args):
        raise _missing(node)
    return node.args  # type: ignore[no-any-return]


_TRUTH = (sympy.true, sympy.false)


def _moment_of(node: Any) -> tuple[Any, Any, int, int] | None:
    return moment_of(node) if isinstance(node, sympy.Integral) else None


#: Of so many terms at most a sum or a product is written out.
MAX_TERMS = 10_000


def _equal_formula(node: Any) -> Any:
    """Return the formula that SymPy, or this library, has for a node; None where it stays.

    Raises
    ------
    TypeError
        If SymPy finds none: of an integral without bounds, or of more terms than `MAX_TERMS`.
    """
    if not isinstance(node, _STATED):
        return written(node)
    if not _can_be_done(node):
        raise _missing(node)
    # The heuristic of Risch's algorithm may take hours over what has no formula.
    integral = isinstance(node, sympy.Integral)
    try:
        done = node.doit(heurisch=False) if integral else node.doit()
    except NotImplementedError:  # such as the derivative of a matrix by a matrix
        raise _missing(node) from None
    if done.has(type(node)) if integral else isinstance(done, type(node)):
        raise _missing(node)
    return done


_STATED = (sympy.Sum, sympy.Product, sympy.Integral, sympy.Derivative, sympy.Subs)


def _can_be_done(node: Any) -> bool:
    """Return whether SymPy may find what a node states in so many steps: not of a series."""
    if isinstance(node, (sympy.Sum, sympy.Product)):
        if not all(isinstance(n, sympy.Integer) for _, *bounds in node.limits for n in bounds):
            return False
        return math.prod(int(last - first) + 1 for _, first, last in node.limits) <= MAX_TERMS
    return not isinstance(node, sympy.Integral) or all(len(x) == 3 for x in node.limits)


def _missing(node: Any) -> TypeError:
    way = next((text for cls, text in _WAYS_OUT.items() if isinstance(node, cls)), _OPERATIONS)
    return TypeError(
        f"from_sympy: no operation stands for {type(node).__name__} in {shown(node)}; {way}"
    )


_OPERATIONS = (
    "use elementary functions, Piecewise, Max, Min, relations, or a SymPy function of scalars"
)
_OF_TERMS = (
    f"give it numbers as bounds, for at most {MAX_TERMS} terms, or use the formula that SymPy "
    "finds, .doit()"
)
#: How a formula is written instead, where SymPy states an operation of which it gives no formula.
_WAYS_OUT: dict[type[Any], str] = {
    sympy.Sum: _OF_TERMS,
    sympy.Product: _OF_TERMS,
    sympy.Integral: "give it bounds, as in Integral(f, (x, a, b)), with which SymPy finds a "
    "formula, or use the formula that SymPy finds without them, .doit()",
    sympy.Limit: "use the formula that SymPy finds, .doit()",
    sympy.Order: "leave the terms of higher order out, .removeO()",
    sympy.Derivative: "SymPy finds no formula for it: differentiate the formula of symgrad, as in "
    "symgrad.derive(from_sympy(f), x)",
}


def _made(node: Any, args: list[Any]) -> Any:
    """Return the expression of a node of SymPy, from the expressions of its arguments."""
    if isinstance(node, ArrayExpr):
        return node
    if is_matrix(node):
        return matrix_of(node, args, _convert)
    if isinstance(node, sympy.Symbol):
        return leaf_of(node)
    if node in _TRUTH:
        return Const(node is sympy.true)
    if isinstance(node, sympy.Integer):
        return as_expr(int(node))
    if not args and node.is_number and not isinstance(node, Boolean):
        return _number(node)
    moment = _moment_of(node)
    if moment is not None:
        return elliptic_moment.of(*args, *moment[2:])
    if isinstance(node, _STATED) or written(node) is not None:
        return args[0]  # what was made of the equal formula
    for cls, make in _JOINED.items():
        if isinstance(node, cls):
            return make(args, node)
    if any(getattr(x, "is_Matrix", False) for x in node.args):
        raise TypeError(
            f"from_sympy: {shown(node)} is a function of a matrix, for which no operation stands; "
            "for one of each element write X.applyfunc(f)"
        )
    return _function(node, args)


def _number(node: Any) -> Const:
    try:
        return Const(node)
    except TypeError:  # such as an integral of which SymPy finds no value
        raise _missing(node) from None


def _function(node: Any, args: list[Any]) -> Any:
    """Return a function of scalars as an operation on each element."""
    try:
        return _operation(node, args)
    except NotImplementedError:
        if not any(x.dtype.is_complex for x in args):
            raise _missing(node) from None
        raise TypeError(
            f"from_sympy: no operation computes {type(node).__name__} of complex numbers, in "
            f"{shown(node)}; declare its symbols real, as in Symbol('x', real=True), or map them "
            "to leaves or numbers that are"
        ) from None


def _operation_of(node: Any) -> Any:
    """Return the operation that a function of SymPy's becomes, or that joins its arguments."""
    known, count = operations_of_sympy(), len(node.args)
    return known.get((type(node), count)) or (known.get((type(node), 2)) if count > 2 else None)


def _operation(node: Any, args: list[Any]) -> Any:
    kind: Any = type(node)
    known = _of_numbers(node, args)
    if known is not None:
        return known
    if len(args) == 2 and isinstance(args[0], Const) and type(args[0].value) is int:
        found = function_of_order(kind, args[0].value, args[1])
        if found is not None:
            return found
    if args[0].dtype.category == Category.INT:
        polynomial, whole = [operation_of_order(kind, by) for by in ("degree", "whole")]
        if polynomial is not None:
            return polynomial.of(args[-1], *args[:-1])
        if whole is not None:
            return whole.of(*args)
    if kind is sympy.re and isinstance(args[0], gamma.loggamma):
        return gamma.lgamma.of(*args[0].operands)
    cls = _operation_of(node)
    if isinstance(node, AppliedUndef) and len(args) == 1:
        cls = function_named(kind.__name__)
    if cls is not None:
        return cls.of(*args) if len(args) == cls.arity else functools.reduce(cls.of, args)
    if kind is sympy.hyper:
        function = operation_of_order(kind, (len(node.ap), len(node.bq)))
        if function is None:
            raise _missing(node)
        return function.of(*args)
    place = _WHOLE_ORDERS.get(kind)
    if place is not None and not _is_whole(args[place]):
        raise TypeError(
            f"from_sympy: the order of {shown(node)} must be a whole number: neither NumPy "
            "nor SciPy computes another"
        )
    return elementwise_class(kind, len(args)).of(*args)


def _of_numbers(node: Any, args: Sequence[Any]) -> Any:
    """Return a function whose symbols stand for numbers, if SymPy has a formula for these numbers.

    So a derivative of an order that is a symbol becomes that of the order.
    """
    numbers = [
        sympy.sympify(x.value) if isinstance(x, Const) and not plain.is_number else None
        for x, plain in zip(args, node.args, strict=False)
    ]
    if all(n is None for n in numbers) or isinstance(node, sympy.hyper):
        return None
    places = [sympy.Dummy() for _ in node.args]
    given = [
        plain if plain.is_number else place if n is None else n
        for plain, place, n in zip(node.args, places, numbers, strict=True)
    ]
    made = node.func(*given)
    if isinstance(made, type(node)) and written(made) is None:
        return None
    return _convert(made, dict(zip(places, args, strict=True)))


#: The position of the argument of a function that must be a whole number.
_WHOLE_ORDERS = {
    sympy.polygamma: 0, sympy.expint: 0, sympy.assoc_legendre: 1,
}  # fmt: skip


def _is_whole(order: Any) -> bool:
    return isinstance(order, Const) and isinstance(order.number, int)


#: The expressions of arithmetic and cases, from those of the arguments and the node itself.
_JOINED: dict[type[Any], Callable[[Sequence[Any], Basic], ArrayExpr]] = {
    sympy.Add: _sum,
    sympy.Mul: _product,
    sympy.Pow: _power,
    sympy.Piecewise: _cases,
}


def _applied(expr: ArrayExpr, values: Mapping[ArrayExpr, Any]) -> Any:
    """Compute an expression on tensors by recorded operations."""
    constant: dict[Any, Any] = {}  # parts without leaves, and their values once they are used

    def value_of(x: Any) -> Any:
        """Return a tensor, or a number, for a part that is one whatever the tensors are."""
        if not isinstance(x, ArrayExpr) or x not in constant:
            return x
        if constant[x] is None:
            if isinstance(x, Const) and x.weak:
                constant[x] = x.number
            else:  # a number has the digits of a double
                wide = complex128 if x.dtype.is_complex else float64
                exact = x.weak and x.dtype.category >= Category.FLOAT
                made = np.array(evaluate(x.to(wide) if exact else x))
                constant[x] = made.item() if x.weak else wrap(made)
        return constant[x]

    def visit(node: Any, operands: tuple[Any, ...]) -> Any:
        if node in values:
            return values[node]
        if all(x is y for x, y in zip(operands, node.operands, strict=True)):
            if not (isinstance(node, Leaf) or is_named(node.shape)) and constant.keys() >= {
                *operands
            }:
                constant[node] = None
            return node
        return bind(type(node), [value_of(x) for x in operands], node.param_values)

    return value_of(rebuild([expr], visit)[0])


public(
    "from_sympy(object expr, object mapping=None, *, object leaves=None, object indices=None) "
    "-> Any",
    method=False,
    python=True,
)(from_sympy)
