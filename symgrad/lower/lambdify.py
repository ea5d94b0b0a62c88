"""Expressions as Python functions: `lambdify`, and what `sympy.lambdify` finds of expressions."""

from __future__ import annotations

import functools
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from symgrad.expr.graph import toposort
from symgrad.expr.node import ArrayExpr
from symgrad.lower.evaluate import of_leaves, own_array
from symgrad.lower.points import at_points, common_shape
from symgrad.lower.values import as_value
from symgrad.support.quiet import quietly
from symgrad.support.scopes import Scope

_FLOATS = frozenset({float})


def lambdify(
    self: ArrayExpr, inputs: Iterable[Any] | None = None
) -> Callable[..., np.ndarray[Any, Any]]:
    """Return a Python function of the leaves that computes the expression.

    The expression is compiled once, with each shared part computed once; a call then costs little
    more than the calls of NumPy.

    Parameters
    ----------
    inputs : sequence of leaf or str, optional
        The parameters, in order, as for `source`; by default the leaves in the order of their
        names.

    Returns
    -------
    callable
        A function of values for the leaves, by position or by name, checked and converted as
        `evaluate` does, which gives arrays to 0-d leaves as well; it returns a new NumPy array. It
        may run in several threads at once.

    Raises
    ------
    ValueError
        If two leaves share a name, or a leaf is not among `inputs`.

    Examples
    --------
    >>> import symgrad
    >>> x, y = symgrad.leaf("x"), symgrad.leaf("y", (2,))
    >>> f = (x * y.exp()).lambdify()
    >>> f(2.0, [0.0, 1.0])
    array([2.        , 5.43656366])
    >>> f(y=[0.0, 0.0], x=1.0)
    array([1., 1.])
    """
    executable = of_leaves([self], inputs)
    executable.compile()
    given: tuple[Any, ...] = tuple(executable.given)
    labels = tuple([x.name for x in given])
    run = executable.run
    shapes = [x.shape for x in given]
    many = at_points(self, given)
    kind = self.dtype.numpy
    count, numbers = len(given), executable.numbers
    of_numbers: Callable[..., Any] | None = numbers
    if numbers is not None and numbers.calls_kernels:
        of_numbers = functools.partial(quietly, numbers)

    def f(*args: Any, **kwargs: Any) -> np.ndarray[Any, Any]:
        if of_numbers and len(args) == count and not kwargs and _FLOATS.issuperset(map(type, args)):
            try:
                return np.array(of_numbers(args)[0])
            except (ArithmeticError, ValueError):
                pass  # 1 / 0 and the root of -1, which are computed below
        if kwargs or len(args) != len(given):
            args = _in_order(labels, args, kwargs)
        values = [as_value(x, value) for x, value in zip(given, args, strict=True)]
        if [value.shape for value in values] == shapes:
            (result,) = quietly(run, values)
        else:
            result = many(values, common_shape(zip(given, values, strict=True)))
        return own_array(result, kind, values)

    f.__doc__ = f"Compute an expression of {', '.join(labels) or 'no leaves'}."
    return f


def _in_order(labels: tuple[str, ...], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Return the arguments of a call in the order of the parameters."""
    if len(args) > len(labels):
        raise TypeError(f"the function takes {len(labels)} values, got {len(args)}")
    for name in kwargs:
        if name not in labels[len(args) :]:
            why = "is given twice" if name in labels else "is no parameter"
            raise TypeError(f"{name!r} {why}; the parameters are {', '.join(labels) or 'none'}")
    rest = labels[len(args) :]
    missing = [name for name in rest if name not in kwargs]
    if missing:
        raise TypeError(f"no value for {', '.join(map(repr, missing))}")
    return (*args, *[kwargs[name] for name in rest])


class _Kept(threading.local):
    """Whether `sympify` returns formulas as they are, in this thread."""

    on = False


kept = _Kept()


class _nodes_kept(Scope):  # noqa: N801 - it is read as a participle
    """In a block, `sympify` returns formulas as they are, for a printer that reads nodes."""

    def __enter__(self) -> None:
        undo, end = self._undo, len(self._undo)
        undo[end:] = (functools.partial(setattr, kept, "on", kept.on),)
        kept.on = True


def _let_sympy_pass() -> None:
    """Replace three functions of SymPy by which `sympy.lambdify` walks every path of a formula.

    SymPy has no hook for this. One function looks for functions that are implemented in Python, of
    which formulas of symgrad have none; one finds out whether a formula is too long for a
    docstring; one prints it, after `sympify`, which here keeps formulas. For other objects than
    formulas the functions of SymPy are called.
    """
    module = sys.modules["sympy.utilities.lambdify"].__dict__
    look_for_functions: Callable[..., Any] = module["_imp_namespace"]
    is_too_long: Callable[..., bool] = module["_too_large_for_docstring"]
    print_parts: Callable[..., str] = module["_recursive_to_string"]

    def _imp_namespace(expr: Any, namespace: Any = None) -> Any:
        if isinstance(expr, ArrayExpr):
            return {} if namespace is None else namespace
        return look_for_functions(expr, namespace)

    def _too_large_for_docstring(expr: Any, limit: int | None) -> bool:
        arrays = list(_arrays_in(expr)) if limit is not None else []
        if not arrays:
            return is_too_long(expr, limit)
        return len(toposort(arrays)) > limit  # type: ignore[operator]

    def _recursive_to_string(doprint: Any, arg: Any) -> str:
        with _nodes_kept():
            return print_parts(doprint, arg)

    module.update(
        _imp_namespace=_imp_namespace,
        _too_large_for_docstring=_too_large_for_docstring,
        _recursive_to_string=_recursive_to_string,
    )


def _arrays_in(expr: Any) -> Iterator[ArrayExpr]:
    """Yield the expressions in what `sympy.lambdify` takes: one, or nested lists and dicts."""
    pending = [expr]
    while pending:
        item = pending.pop()
        if isinstance(item, ArrayExpr):
            yield item
        elif isinstance(item, dict):
            pending += [*item, *item.values()]
        elif isinstance(item, (list, tuple)):
            pending += item


LAMBDIFIED: dict[str, Any] = {"lambdify": lambdify}
_let_sympy_pass()
