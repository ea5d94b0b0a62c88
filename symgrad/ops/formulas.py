"""Operations computed on arrays of SymPy's formulas: by the formula of an element, or the kernel."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import sympy

from numeric.kernel import Kernel
from symgrad.expr.dtypes import Category, bool_, dtype, float64
from symgrad.expr.node import ArrayExpr
from symgrad.ops import symbols
from symgrad.ops.elementwise import Elementwise

#: Returns SymPy's number for a number of a dtype.
Number = Callable[[Any, dtype], Any]


def kind_of(node: ArrayExpr) -> dtype:
    """Return the dtype that the numbers of a constant have; Python's are doubles."""
    return float64 if node.weak else node.dtype


def plain_formula(value: Any) -> Any:
    """Return what a kernel computed with formulas as an object of SymPy."""
    if isinstance(value, sympy.Basic):
        return value
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, bool):
        return sympy.true if value else sympy.false
    if isinstance(value, complex):
        return _part(value.real) + _part(value.imag) * sympy.I
    return sympy.sympify(value, strict=True)


def _part(value: float) -> Any:
    # SymPy's I is the complex number 1j, and whole again.
    return sympy.sympify(int(value) if value.is_integer() else value, strict=True)


def mapped(f: Callable[..., Any], *arrays: Any) -> Any:
    """Return what a function makes of the elements of arrays."""
    return np.asarray(np.frompyfunc(f, len(arrays), 1)(*arrays), object)


def has_element(node: Elementwise) -> bool:
    """Return whether the class states the formula of one element."""
    return node.scalar is not None or type(node).element is not Elementwise.element


def converted(node: Any, operands: Sequence[Any]) -> tuple[Any, ...]:
    """Return the operands, truth values as numbers where the operation computes with numbers."""
    made = conversion(node)
    return tuple(
        [
            mapped(made, x) if y.dtype is bool_ else x
            for x, y in zip(operands, node.operands, strict=True)
        ]
    )


def conversion(node: Any) -> Callable[[Any], Any]:
    """Return what an operation takes a truth value for: a number where it computes with these."""
    kind = node.compute_dtype()
    if kind is not None and kind.category > Category.BOOL:
        return as_number
    return _unchanged if isinstance(node, Elementwise) else _as_truth


def of_element(node: Elementwise, operands: Sequence[Any], number: Number) -> Any:
    """Return an operation on each element, of formulas of one element of its operands."""
    if has_element(node):
        return element_of(node, operands)
    return of_numbers(node, operands, number)  # the class states no formula


def element_of(node: Elementwise, operands: Sequence[Any]) -> Any:
    """Return the formula of one element that the class of an operation states.

    Sums of truth values are true where one of them is, products where all are.
    """
    if node.dtype is bool_ and node.joined:
        return (sympy.Or if node.joined[0] is sympy.Add else sympy.And)(*operands)
    return plain_formula(node.element(*operands))


def of_numbers(node: Any, operands: Sequence[Any], number: Number, index: int | None = None) -> Any:
    """Compute an operation on numbers, or one of its results, by running its kernel on symbols."""
    arrays = [np.empty((), dtype=object) for _ in operands]
    for array, value in zip(arrays, operands, strict=True):
        array[()] = value
    return plain_formula(of_kernel(node, arrays, number, index)[()])


def _unchanged(truth: Any) -> Any:
    return truth


def as_number(truth: Any) -> Any:
    """Return a truth value as the number that it is."""
    return symbols.one_if(truth)


def _as_truth(truth: Any) -> Any:
    """Return a truth value as what can be no number, which a symbol could."""
    return sympy.Ne(truth, False) if isinstance(truth, sympy.Symbol) else truth


def of_kernel(node: Any, operands: Sequence[Any], number: Number, index: int | None = None) -> Any:
    """Compute an operation, or one of its results, by running its kernel on arrays of formulas.

    Raises
    ------
    ValueError
        If the kernel needs the values of symbols.
    """
    alone = None if index is None else node.alone(index)
    kernel, params, read = alone or node.implementation()
    params = {k: number(v, float64) if type(v) is float else v for k, v in params.items()}
    given = dict(zip(node.operands, operands, strict=True))
    try:
        found = _in_sympy(kernel)(*[given[x] for x in read], **params)
    except (TypeError, AttributeError, IndexError) as error:
        raise ValueError(f"SymPy has no function for {type(node).__name__}") from error
    if index is not None and alone is None:
        found = found[index]
    return np.asarray(found, dtype=object)


def _in_sympy(kernel: Kernel) -> Callable[..., Any]:
    return kernel.number_systems.get("sympy", kernel.call)
