"""A call that is not as usual, served as PyTorch's parser does.

The first overload that the call fits is taken, its arguments are converted, and where none fits the
error is PyTorch's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np
import sympy

from symgrad.expr.atoms import as_expr, number_of
from symgrad.expr.node import ArrayExpr
from symgrad.schema.body import IGNORED, default_of, layout_of, names_of, schema_name
from symgrad.schema.kinds import Unfit
from symgrad.schema.messages import unfit
from symgrad.schema.results import RESULTS
from symgrad.schema.text import CallKind, Misfit, Overload, Schema
from symgrad.schema.usual import remember
from symgrad.support.untraceable import UntraceableValue, in_trace


def general_call(
    schema: Schema, body: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """Call the body as PyTorch's parser would: for the first overload that the call fits."""
    args, kwargs = _with_numbers(args, kwargs)
    own, given = (args[:1], args[1:]) if schema.method else ((), args)
    overload, values = (_of_python if schema.python else _first_fit)(schema, args, given, kwargs)
    for name, value in values.items():
        remember(value)
        values[name] = _converted(overload, name, value, args, kwargs)
    for x in own:
        remember(x)
    for name in values.keys() - IGNORED - {schema_name(n) for n in names_of(body)}:
        raise TypeError(f"{schema.call}(): symgrad has no '{name}'")
    out = values.pop("out", None) if "out" not in names_of(body) else None
    if out is None:
        return _called(schema, body, overload, own, values)
    outs = _outs(overload, out)
    return _received(schema.call, outs, _called(schema, body, overload, own, values))


def _first_fit(
    schema: Schema, args: tuple[Any, ...], given: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> tuple[Overload, dict[str, Any]]:
    """Return the first overload that a call fits, and the arguments by their names."""
    for call_kind in (CallKind.NOTHING, CallKind.of(args, kwargs)):
        for overload in schema.overloads:
            try:
                return overload, overload.find(given, kwargs, call_kind)
            except Misfit:
                continue
    raise (
        _needs_values(schema, given, kwargs)
        or schema.refusal(given, kwargs)
        or TypeError(f"{schema.call}(): the arguments do not fit")
    )


def _needs_values(
    schema: Schema, given: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> UntraceableValue | None:
    """Return the error for a call that fits if formulas have values; None for another."""
    if CallKind.of(given, kwargs) is not CallKind.FORMULA:
        return None
    for overload in schema.overloads:
        try:
            overload._replace(formulas=True).find(given, kwargs, CallKind.FORMULA)
        except Misfit:
            continue
        return UntraceableValue(
            f"{schema.call}() asks for the elements, the memory or the history of its arguments: "
            f"{in_trace()}a symbolic array has a formula, and none of them; e.evaluate(...) computes "
            "the elements"
        )
    return None


def _of_python(
    schema: Schema, args: tuple[Any, ...], given: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[Overload, dict[str, Any]]:
    """Return the arguments of a call by their names, as a function written in Python gets them."""
    (overload,) = schema.overloads
    refusal = overload.misfit(given, kwargs, CallKind.of(args, kwargs))
    if refusal is not None:
        refusal = _needs_values(schema, given, kwargs) or refusal
        try:
            raise refusal
        finally:
            del refusal  # the traceback of an error holds the variables
    values = dict(kwargs)
    for i, p in enumerate(overload.parameters):
        if p.kind.endswith("..."):
            values[p.name] = p.listed(given[i:])
            break
        if i < len(given):
            values[p.name] = given[i]
    return overload, values


def _converted(
    overload: Overload, name: str, value: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """Return what the body is given for an argument that fits."""
    p = next(p for p in overload.parameters if p.name == name)
    if p.kind.endswith("..."):
        return tuple([_operand(x, args, kwargs) for x in value])
    if "Tensor" in p.kind:
        value = _operand(value, args, kwargs)
    try:
        return p.of.convert(value)
    except Unfit as error:
        text = str(error)
    raise TypeError(unfit(overload.call, name, text))


def _operand(value: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Return an array or a formula of SymPy's as a tensor or a formula, like what it is beside."""
    if isinstance(value, ArrayExpr) or not isinstance(value, (np.ndarray, sympy.Basic)):
        return value
    for y in _single((*args, *kwargs.values())):
        if hasattr(type(y), "_constant") and isinstance(value, np.ndarray):
            return type(y)._constant(value)
    return as_expr(value)


def _with_numbers(
    args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Return arguments in which numbers of SymPy's are Python's, where these stand beside tensors."""
    given = list(_single((*args, *kwargs.values())))
    is_mixed = any(isinstance(x, sympy.Basic) for x in given)
    if not is_mixed or any(isinstance(x, ArrayExpr) for x in given):
        return args, kwargs
    if not any(hasattr(type(x), "_constant") for x in given):
        return args, kwargs
    return tuple(map(_number, args)), {name: _number(x) for name, x in kwargs.items()}


def _number(x: Any) -> Any:
    return type(x)(map(number_of, x)) if type(x) in (tuple, list) else number_of(x)


def _single(values: Iterable[Any]) -> Iterator[Any]:
    """Yield values, and those in lists and tuples."""
    for x in values:
        yield from x if isinstance(x, (tuple, list)) else (x,)


def _called(
    schema: Schema,
    body: Callable[..., Any],
    overload: Overload,
    own: tuple[Any, ...],
    values: Mapping[str, Any],
) -> Any:
    """Call the body with values by their names."""

    def value(parameter: str) -> Any:
        name = schema_name(parameter)
        return values[name] if name in values else default_of(schema, body, overload, parameter)

    positional, starred, keyword_only = layout_of(body)
    given = [*own, *map(value, positional[len(own) :])]
    if starred:
        given += value(starred)
    return body(*given, **{name: value(name) for name in keyword_only})


def _outs(overload: Overload, out: Any) -> tuple[Any, ...]:
    """Return the tensors to write into, as many as the overload has results."""
    if not isinstance(out, (tuple, list)):
        return (out,)
    kind = next(p.kind for p in overload.parameters if p.name == "out")
    if kind != f"Tensor[{len(out)}]?":
        raise TypeError(f"expected tuple of {kind[7:-2]} elements but got {len(out)}")
    return tuple(out)


def _received(name: str, outs: tuple[Any, ...], result: Any) -> Any:
    """Return the tensors that the results of a call were written into, as they were returned."""
    results = result if isinstance(result, tuple) else (result,)
    if any(isinstance(x, ArrayExpr) for x in (*outs, *results)):
        raise UntraceableValue(f"{name}() cannot write into a symbolic array, nor one into `out`")
    type(outs[0])._receive(outs, name, results)
    return RESULTS[f"{name}_out"](*outs) if isinstance(result, tuple) else outs[0]
