"""The explicit form of a formula: an array of SymPy's with the formula of each element.

Each operation is computed on arrays of formulas: those on each element by their SymPy function, all
others by their kernel, in the number system of SymPy.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import sympy

from numeric.kernel import Kernel
from symgrad.expr.atoms import ArrayConst, Const, Leaf
from symgrad.expr.dtypes import Category, bool_, dtype, float64
from symgrad.expr.graph import rebuild, toposort
from symgrad.expr.node import ArrayExpr
from symgrad.expr.shapes import size_of
from symgrad.ops import symbols
from symgrad.ops.composite import written_out
from symgrad.ops.elementwise import Elementwise
from symgrad.ops.results import Result, Several

#: The arrays of a formula, those on the way to the result too, have so many elements at most.
MAX_ELEMENTS = 1_000

#: Returns SymPy's number for a number of a dtype.
Number = Callable[[Any, dtype], Any]


def explicit_form(e: ArrayExpr, symbol_of: Callable[[Leaf], Any], number: Number) -> Any:
    """Return the formula of each element, in an array of SymPy's; that of a 0-d formula alone.

    Parameters
    ----------
    e
        The formula.
    symbol_of
        Returns the symbol of a 0-d leaf, from which those of the elements of arrays are named.
    number
        Returns SymPy's number for a number of a dtype.
    """
    (plain,) = written_out([e])
    nodes = toposort([plain])
    count = sum([_size(x) for x in nodes])
    if count > MAX_ELEMENTS:
        raise ValueError(
            f"to_sympy('explicit'): the arrays of the formula have {count} elements together, and "
            f"each becomes a formula, of which there are {MAX_ELEMENTS} at most; take leaves with "
            "fewer elements, or evaluate() the formula"
        )
    named = _symbols([x for x in nodes if isinstance(x, Leaf)], symbol_of)

    def visit(node: ArrayExpr, operands: tuple[Any, ...]) -> Any:
        if isinstance(node, Leaf):
            return named[node]
        if isinstance(node, (Const, ArrayConst)):
            values = np.asarray(node.value, object)
            return _mapped(lambda x: number(x, kind_of(node)), values)
        return _computed(node, operands, number)

    made = rebuild([plain], visit)[0]
    entries = [plain_formula(x) for x in made.flat]
    return sympy.ImmutableDenseNDimArray(entries, e.shape) if e.shape else entries[0]


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


def _size(node: ArrayExpr) -> int:
    if isinstance(node, Several):
        return sum([size_of(shape) for shape in node.shapes])
    return 0 if isinstance(node, Result) else node.size


def _symbols(leaves: Sequence[Leaf], symbol_of: Callable[[Leaf], Any]) -> dict[ArrayExpr, Any]:
    """Return the symbols of the elements of each leaf: `x` of a number, else `x_0`, `x_0_1`."""
    found: dict[ArrayExpr, Any] = {}
    owners: dict[str, Leaf] = {}
    for x in leaves:
        base = symbol_of(x)
        array = np.empty(x.shape, object)
        for place in np.ndindex(x.shape):
            name = "_".join([base.name, *map(str, place)])
            owner = owners.setdefault(name, x)
            if owner is not x:
                raise ValueError(
                    f"to_sympy('explicit'): {name!r} would name elements of two leaves, "
                    f"{owner.name!r} and {x.name!r}; rename one of them"
                )
            array[place] = sympy.Symbol(name, **base.assumptions0) if place else base
        found[x] = array
    return found


def _mapped(f: Callable[..., Any], *arrays: Any) -> Any:
    return np.asarray(np.frompyfunc(f, len(arrays), 1)(*arrays), object)


def _computed(node: Any, operands: tuple[Any, ...], number: Number) -> Any:
    if isinstance(node, Elementwise) and has_element(node):
        return _mapped(lambda *xs: plain_formula(node.element(*xs)), *_converted(node, operands))
    if isinstance(node, Several):  # each of its results is computed alone
        return _converted(node, operands)
    if isinstance(node, Result):
        return of_kernel(node.operands[0], operands[0], number, node.index)
    return of_kernel(node, _converted(node, operands), number)


def has_element(node: Elementwise) -> bool:
    """Return whether the class states the formula of one element."""
    return node.scalar is not None or type(node).element is not Elementwise.element


def _converted(node: Any, operands: Sequence[Any]) -> tuple[Any, ...]:
    """Return the operands, truth values as numbers where the operation computes with numbers."""
    made = conversion(node)
    return tuple(
        [
            _mapped(made, x) if y.dtype is bool_ else x
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
        return plain_formula(node.element(*operands))
    return of_numbers(node, operands, number)  # the class states no formula


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
