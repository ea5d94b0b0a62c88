"""Formulas of arrays computed with elements of a number system, operation by operation.

An operation on each element is computed by its function of SymPy's. Of the others, a kernel states
what computes it of "elements", or of formulas of SymPy's, which are then computed with elements; or
it is one of NumPy's that moves elements, adds and multiplies, and knows arrays of objects.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import sympy

from symgrad.expr.atoms import ArrayConst, Const, Leaf
from symgrad.expr.dtypes import Category, bool_, dtype
from symgrad.expr.graph import rebuild, toposort
from symgrad.expr.node import ArrayExpr
from symgrad.ops.composite import written_out
from symgrad.ops.elementwise import Elementwise
from symgrad.ops.formulas import conversion, has_element, mapped, plain_formula
from symgrad.ops.results import Result, Several
from symgrad.proofs.elements import Element, Refused, System, as_fraction
from symgrad.proofs.expressions import Program, program_of

#: The most elements whose values are left open where SymPy computes a kernel.
_MAX_SYMBOLS = 100


def computed(
    formulas: Sequence[ArrayExpr], system: System, values: Mapping[ArrayExpr, Any]
) -> list[Any]:
    """Return arrays of elements, one for each formula.

    Parameters
    ----------
    formulas : sequence of ArrayExpr
    system : System
        The number system.
    values : mapping
        For each leaf an array of elements.

    Raises
    ------
    Refused
        If the number system cannot compute a formula.
    """
    plain = written_out(formulas)

    def visit(node: Any, operands: tuple[Any, ...]) -> Any:
        if isinstance(node, Leaf):
            return values[node]
        if isinstance(node, Several):  # each of its results is computed alone
            return operands
        kinds = [node.dtype, *[x.dtype for x in node.operands]]
        if any(kind.is_complex for kind in kinds):
            raise Refused("complex numbers")
        if isinstance(node, (Const, ArrayConst)):
            return _elements(np.asarray(node.value, object), system)
        if isinstance(node, Elementwise) and has_element(node):
            return _checked(node, operands, _of_each(node, operands, system))
        if isinstance(node, Result):
            return _of_kernel(node.operands[0], operands[0], system, node.index)
        return _checked(node, operands, _of_kernel(node, operands, system))

    return rebuild(plain, visit)


def count_elements(formulas: Sequence[ArrayExpr]) -> int:
    """Return how many elements the arrays of formulas have together."""
    nodes: list[Any] = toposort(written_out(formulas))
    return sum([x.size for x in nodes if not isinstance(x, Several)])


def _elements(array: Any, system: System) -> Any:
    """Return an array of elements, of elements and numbers."""
    array = np.asarray(array, object)
    out = np.empty(array.shape, object)
    for place in np.ndindex(array.shape):
        x = array[place]
        out[place] = x if isinstance(x, Element) else _number(x, system)
    return out


def _checked(node: Any, operands: Sequence[Any], made: Any) -> Any:
    """Return the elements of an operation, if what is not defined among them is so for certain.

    An operation may be defined where its formula is not, which is divided by zero there. Only
    quotients, powers and logarithms are no more than their formulas.
    """
    cls = type(node)
    quotient = getattr(cls, "joined", None) is not None
    if quotient or getattr(cls, "scalar", None) in (sympy.Pow, sympy.log):
        return made
    arrays = itertools.chain(*[x.flat for x in operands])
    if any(x.is_undefined for x in made.flat) and not any(x.is_undefined for x in arrays):
        raise Refused(f"{cls.__name__} where its formula is not defined")
    return made


def _number(x: Any, system: System) -> Any:
    if isinstance(x, sympy.Basic):  # an exact number
        return program_of(x)(system, {})
    return system.number(as_fraction(x))


# ------------------------------------------------------------------ each element


def _of_each(node: Elementwise, operands: Sequence[Any], system: System) -> Any:
    kinds = tuple([(x.dtype, x.weak) for x in node.operands])
    cls: Any = type(node)
    program, symbols = _program(cls, node.args[len(kinds) :], kinds)
    return mapped(lambda *xs: program(system, dict(zip(symbols, xs, strict=True))), *operands)


@functools.lru_cache(maxsize=1024)
def _program(
    cls: Any, params: tuple[Any, ...], kinds: tuple[tuple[dtype, bool], ...]
) -> tuple[Program, tuple[Any, ...]]:
    """Return the formula of one element of an operation, and the symbols of its operands.

    Each operand has a dtype, and may be a number of Python's.
    """
    operands = [
        Const(kind.numpy.type(1).item()) if weak else Leaf(f"x{i}", (), kind)
        for i, (kind, weak) in enumerate(kinds)
    ]
    node = cls(*operands, *params)
    symbols = tuple([_symbol(f"x{i}", kind) for i, (kind, _) in enumerate(kinds)])
    try:
        formula = plain_formula(node.element(*symbols))
    except ValueError as error:
        raise Refused(str(error)) from None
    return program_of(formula), symbols


def _symbol(name: str, kind: dtype) -> Any:
    is_whole = kind.category == Category.INT
    return sympy.Dummy(name, integer=True) if is_whole else sympy.Dummy(name, real=True)


# ------------------------------------------------------------------ kernels


def _of_kernel(node: Any, operands: Sequence[Any], system: System, index: int | None = None) -> Any:
    try:
        alone = None if index is None else node.alone(index)
        kernel, params, read = alone or node.implementation()
        given = dict(zip(node.operands, operands, strict=True))
        arrays = [given[x] for x in read]
        systems = kernel.number_systems
        if "elements" in systems:
            found = systems["elements"](*arrays, **params)
        elif "sympy" in systems:
            found = _by_formulas(systems["sympy"], node, read, arrays, params, system)
        else:
            found = kernel.call(*arrays, **params)
    except (TypeError, AttributeError, IndexError, ValueError, ArithmeticError) as error:
        raise Refused(f"{type(node).__name__}: {error}") from error
    if index is not None and alone is None:
        found = found[index]
    return _elements(found, system)


def _by_formulas(
    kernel: Any, node: Any, read: Any, arrays: Any, params: Any, system: System
) -> Any:
    """Compute an operation on symbols, and what it makes of them with elements."""
    known: dict[Any, Any] = {}
    values: dict[Any, Any] = {}

    def formula_of(x: Any) -> Any:
        value = system.known(x)
        if value is not None:
            return sympy.Rational(value.numerator, value.denominator)
        key = system.key_of(x)
        if key not in known:
            known[key] = symbol = sympy.Dummy(f"x{len(known)}", real=True)
            values[symbol] = x
        return known[key]

    if sum([x.size for x in arrays]) > _MAX_SYMBOLS:
        raise Refused(f"{type(node).__name__} of so many elements")
    made = []
    for x, array in zip(read, arrays, strict=True):
        formulas = mapped(formula_of, array)
        if x.dtype is bool_:
            to = conversion(node)
            formulas = mapped(lambda y, to=to: to(_as_truth(y)), formulas)
        made.append(formulas)
    found = kernel(*made, **{k: _exact(v) for k, v in params.items()})
    programs: dict[Any, Any] = {}

    def element_of(formula: Any) -> Any:
        formula = plain_formula(formula)
        if formula not in programs:
            programs[formula] = program_of(formula)(system, values)
        return programs[formula]

    if isinstance(found, tuple):
        return tuple([mapped(element_of, np.asarray(x, object)) for x in found])
    return mapped(element_of, np.asarray(found, object))


def _exact(value: Any) -> Any:
    """Return a parameter, a float as the rational number that it is."""
    return sympy.Rational(*value.as_integer_ratio()) if type(value) is float else value


def _as_truth(x: Any) -> Any:
    return sympy.true if x == 1 else sympy.false if x == 0 else x
