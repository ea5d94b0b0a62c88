"""Public functions: from a call to the body of the function, the usual way or the general one.

What the classes of the arguments do not decide goes the general way: NumPy's names and values, `out`,
arguments that answer calls themselves, and calls that fit nothing.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from symgrad.schema.dispatch import declared, dispatch, overriding, refused
from symgrad.schema.general import general_call
from symgrad.schema.signatures import SchemaSignature
from symgrad.schema.text import NUMPY_NAMES, Schema, respelled
from symgrad.schema.usual import UNUSUAL, usual_of
from symgrad.support.refusals import limit

_SPELLED = frozenset(NUMPY_NAMES)


def bound(schema: Schema, body: Callable[..., Any]) -> Callable[..., Any]:
    """Return the public function that calls `body` with the arguments that a schema reads.

    The body takes parameters by the names of the schema, those of all overloads together; for a
    parameter that the overload called does not have it gets its own default, that of another
    overload, or `NOT_GIVEN`. An `out` that the body does not take receives the result.
    """
    usual: Callable[..., Any] | None = None  # made when the first call comes
    spelled = frozenset() if schema.python else _SPELLED

    def call(*args: Any, **kwargs: Any) -> Any:
        nonlocal usual
        other: Exception | None = None
        if usual is None:
            usual = usual_of(schema, body)
        try:
            if not declared:
                named = kwargs
                if kwargs and not spelled.isdisjoint(kwargs):
                    named = respelled(kwargs, schema.names)
                result = usual(*args, **named)
                if result is UNUSUAL:
                    result = _with_python_numbers(schema, usual, args, named)
                if result is not UNUSUAL:
                    return result
        except Exception as error:
            if not _by_binding(error):
                other = limit(error, schema.call)
                if other is None:
                    raise
        if other is None:
            try:
                return _unusual(schema, body, usual, args, kwargs)
            except Exception as error:
                other = limit(error, schema.call)
                if other is None:
                    raise
        try:
            raise other
        finally:
            del other  # the traceback of an error holds the variables

    call.__doc__, call.__name__ = body.__doc__, schema.call
    space, _, short = schema.name.rpartition(".")
    # Where users find the function, by which it is pickled.
    call.__module__ = f"symgrad.{space}" if space else "symgrad"
    call.__qualname__ = f"Tensor.{short}" if schema.method else short
    schema.function = call
    call.__wrapped__ = body  # type: ignore[attr-defined]
    call.__signature__ = SchemaSignature(schema, body)  # type: ignore[attr-defined]
    return call


def _unusual(
    schema: Schema,
    body: Callable[..., Any],
    usual: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
) -> Any:
    """Serve a call that is not as usual, or may be answered by an argument."""
    if schema.answered:
        found = overriding(args, kwargs)
    else:
        found = overriding((), {k: x for k, x in kwargs.items() if k == "out"})
    if found:
        result = dispatch(schema.function, found, args, kwargs)
        if result is NotImplemented:
            kind = "Tensor." if schema.method else ""
            raise refused(f"torch.{kind}{schema.name}", found, compiled=not schema.python)
        return result
    # Nobody has asked yet whether it is usual, or Python is to say what is wrong with the call.
    received = "out" in kwargs and "out" in schema.names
    if declared or (schema.python and not received):
        try:
            named = kwargs if schema.python else respelled(kwargs, schema.names)
            result = usual(*args, **named)
            if result is UNUSUAL:
                result = _with_python_numbers(schema, usual, args, named)
            if result is not UNUSUAL:
                return result
        except TypeError as error:
            if (schema.python and not received) or not _by_binding(error):
                raise
    return general_call(schema, body, args, kwargs)


def _with_python_numbers(
    schema: Schema, usual: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """Return what a call gives with Python's numbers and tensors for NumPy's; else `UNUSUAL`."""
    if not schema.reads_numbers:
        return UNUSUAL
    given = [_plain(x) for x in args]
    named = {name: _plain(x) for name, x in kwargs.items()}
    if schema.formulas:
        constant = next((type(x)._constant for x in args if hasattr(type(x), "_constant")), None)
        if constant is not None:
            given = [constant(x) if x.__class__ is np.ndarray else x for x in given]
    before, after = (*args, *kwargs.values()), (*given, *named.values())
    if all(map(operator.is_, before, after)):
        return UNUSUAL
    return usual(*given, **named)


#: Scalars of NumPy's that are a number of Python's; its truth values are floats to some functions.
_NUMBERS = frozenset(np.dtype(code).type for code in np.typecodes["AllInteger"] + "efdFD")


def _plain(x: Any) -> Any:
    """Return a scalar of NumPy's as a number of Python's, in a sequence, too."""
    cls = x.__class__
    if cls in _NUMBERS:
        return x.item()
    if (cls is tuple or cls is list) and any(y.__class__ in _NUMBERS for y in x):
        return cls(map(_plain, x))
    return x


def _by_binding(error: Exception) -> bool:
    """Return whether Python itself refused the call that raised an error in the caller's frame."""
    raised = error.__traceback__
    return raised is not None and raised.tb_next is None
