"""Tracing: a Python function, called on leaves, gives its formula."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any, overload

from symgrad.expr.atoms import Leaf, as_expr
from symgrad.expr.dtypes import dtype, float64
from symgrad.expr.inputs import leaf
from symgrad.expr.node import ArrayExpr
from symgrad.support.untraceable import traced


@overload
def symbolic_trace(f: Callable[..., ArrayExpr], /, **shapes: Any) -> ArrayExpr: ...
@overload
def symbolic_trace(f: Callable[..., Any], /, **shapes: Any) -> Any: ...
def symbolic_trace(f: Callable[..., Any], /, **shapes: Any) -> Any:
    """Return the expression that a function computes of its parameters.

    Parameters
    ----------
    f : callable
        A Python function of arrays. It is called once, on leaves named after its parameters.
        A tensor or an expression needs no tracing: `derive` takes it as it is.
    **shapes
        For a parameter its shape, a dtype, a pair `(shape, dtype)`, or a leaf or expression to
        use as it is. Other parameters keep their default value, or are 0-d float64 leaves.

    Returns
    -------
    ArrayExpr
        Where `f` returns a tuple, list or dict, the same of expressions.

    Raises
    ------
    TypeError
        If `shapes` names no parameter of `f`, `f` takes `*args` or `**kwargs`, or it returns
        something that is no array.

    Examples
    --------
    >>> import symgrad
    >>> symgrad.symbolic_trace(lambda w, x: (w * x).sum(), x=(3,))
    sum(w * x)
    """
    name = getattr(f, "__name__", type(f).__name__)
    if isinstance(getattr(f, "expr", None), ArrayExpr):  # of a tensor or an expression
        raise TypeError(
            f"symbolic_trace() takes a Python function, got {name}, which has a formula: .expr "
            "is it, and derive() takes it as it is"
        )
    if not callable(f):
        raise TypeError(f"symbolic_trace() takes a Python function, got {name}")
    try:
        parameters = inspect.signature(f).parameters
    except ValueError:
        raise TypeError(
            f"symbolic_trace(): {name} does not say its parameters; wrap it in a function that does"
        ) from None
    for p in parameters.values():
        if p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD):
            star = "*" if p.kind is p.VAR_POSITIONAL else "**"
            raise TypeError(
                f"symbolic_trace(): {name} takes {star}{p.name}, which names no single leaf; "
                "wrap it in a function that names its parameters"
            )
    for given in shapes:
        if given not in parameters:
            has = ", ".join(parameters) or "none"
            raise TypeError(
                f"symbolic_trace(): {name} has no parameter {given!r}; its parameters are: {has}"
            )
    args: list[Any] = []
    kwargs: dict[str, Any] = {}
    for p in parameters.values():
        if p.name in shapes:
            value = _input(p.name, shapes[p.name])
        elif p.default is not p.empty:
            value = p.default
        else:
            value = leaf(p.name)
        if p.kind is p.KEYWORD_ONLY:
            kwargs[p.name] = value
        else:
            args.append(value)
    return _expressions(traced(f, *args, **kwargs), name)


def _input(name: str, given: Any) -> ArrayExpr:
    """Return the leaf, or the expression, that stands for a parameter."""
    if isinstance(given, ArrayExpr):
        return given
    if isinstance(given, dtype):
        return Leaf(name, (), given)
    if isinstance(given, tuple) and len(given) == 2 and isinstance(given[1], dtype):
        shape, kind = given
    elif isinstance(given, int) and not isinstance(given, bool):
        shape, kind = (given,), float64
    elif isinstance(given, (tuple, list)):
        shape, kind = tuple(given), float64
    else:
        raise TypeError(
            f"symbolic_trace(): {name}= takes a shape, a dtype, a pair (shape, dtype) or a leaf, "
            f"got {given!r}"
        )
    return Leaf(name, shape, kind)


def _expressions(result: Any, name: str) -> Any:
    """Make expressions of what the function returned, and keep its structure."""
    if isinstance(result, tuple) and hasattr(result, "_fields"):
        return type(result)(*[_expressions(x, name) for x in result])
    if isinstance(result, (tuple, list)):
        return type(result)(_expressions(x, name) for x in result)
    if isinstance(result, Mapping):
        return {key: _expressions(x, name) for key, x in result.items()}
    try:
        return as_expr(getattr(result, "expr", result))
    except TypeError:
        raise TypeError(
            f"symbolic_trace(): {name} returned {type(result).__name__}, which is no array"
        ) from None
