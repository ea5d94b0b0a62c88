"""The table of public functions: what `symgrad.<name>`, tensors and expressions offer alike.

A function of `symgrad.ops` is written once, with PyTorch's signature, and ends in `bind`; the
decorator enters it here. `symgrad` makes module functions of the table, and the classes
`ArrayExpr` and `Tensor` get its methods and operators from it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import FunctionType
from typing import Any, TypeVar

import numpy as np

from symgrad.dispatch import declared, dispatch, overriding, refused
from symgrad.docstrings import describing
from symgrad.expr.dtypes import dtype, dtype_of_type
from symgrad.refusals import checked, reason
from symgrad.signatures import NUMPY_NAMES, refusal, settings, type_name

__all__ = [
    "FUNCTIONS",
    "IN_PLACE_FORMS",
    "METHODS",
    "OPERATORS",
    "PROPERTIES",
    "described",
    "explained",
    "in_place",
    "install",
    "public",
    "public_property",
]

F = TypeVar("F", bound=Callable[..., Any])

FUNCTIONS: dict[str, Callable[..., Any]] = {}
METHODS: dict[str, Callable[..., Any]] = {}
# What methods in place compute, where that is not what the method of their name does.
IN_PLACE_FORMS: dict[str, Callable[..., Any]] = {}
# Python's special methods, as functions of the operands in the order Python passes them.
OPERATORS: dict[str, Callable[..., Any]] = {}
# Attributes without a call, such as `T`.
PROPERTIES: dict[str, property] = {}

_AXES = ("int", "The two axes.")
_OLD = ("", "Former spellings of `reduction`.")
#: Describes in a docstring what functions of arrays have in common.
described = describing(
    {
        "input": ("Tensor or ArrayExpr", ""),
        "tensors": ("sequence of Tensor or ArrayExpr", ""),
        "*tensors": ("Tensor or ArrayExpr", ""),
        "dim": ("int", "The axis."),
        "dim=None": ("int or tuple of int, optional", "The axes; all of them where not given."),
        "dim0": _AXES,
        "dim1": _AXES,
        "dim2": _AXES,
        "axis0": _AXES,
        "axis1": _AXES,
        "keepdim": ("bool", "Whether reduced axes stay, with length one."),
        "dtype": ("dtype, optional", "What `input` is converted to first."),
        "offset": ("int", "Which diagonal: 0 is the main one, positive ones lie above it."),
        "indices_or_sections": (
            "int or sequence of int",
            "The number of pieces, or the indices before which to cut.",
        ),
        "memory_format": ("", "Accepted: elements always lie in the order of the axes."),
        "inplace": ("bool", "Whether to change `input` itself."),
        "size_average": _OLD,
        "reduce": _OLD,
        "out": ("Tensor, optional", "A tensor to write into."),
    }
)


def public(
    *names: str,
    function: bool = True,
    method: bool = True,
    operators: tuple[str, ...] = (),
    compiled: bool = True,
) -> Callable[[F], F]:
    """Enter a function in the tables under `names`.

    Parameters
    ----------
    *names : str
        The public name and its aliases.
    function, method : bool
        Whether it is a function of the module, a method of tensors and expressions.
    operators : tuple of str
        Special methods that it implements.
    compiled : bool
        Whether PyTorch's function is compiled code. Then keywords may be spelled as in NumPy, and
        a call that does not fit fails with PyTorch's error; else with Python's.
    """

    def enter(f: F) -> F:
        described(f)
        f.__name__ = f.__qualname__ = names[0]  # what Python's own errors call it
        for name in names:
            if function:
                FUNCTIONS[name] = explained(f, name) if compiled else checked(name)(f)
            if method:
                METHODS[name] = (
                    explained(f, name, 1) if compiled else checked(name, 1)(_renamed(f, name))
                )
        for name in operators:
            OPERATORS[name] = f
        return f

    return enter


def in_place(name: str) -> Callable[[F], F]:
    """Enter what the method `name` in place computes, where that is not what `name` does."""

    def enter(f: F) -> F:
        IN_PLACE_FORMS[name] = explained(f, name, 1)
        return f

    return enter


def public_property(name: str) -> Callable[[F], F]:
    """Enter a function as an attribute of tensors and expressions."""

    def enter(f: F) -> F:
        PROPERTIES[name] = property(f)
        return f

    return enter


_PLAIN = frozenset((bool, int, float, complex, str, type(None), dtype))


def explained(f: F, name: str, bound: int = 0) -> F:
    """Let keywords be spelled as in NumPy, calls fail as PyTorch's do, and arguments answer them.

    What is passed is looked at only after the call has failed, unless subclasses are about.

    Parameters
    ----------
    f : callable
        The function.
    name : str
        That of PyTorch's function in messages.
    bound : int
        How many of the first arguments are the tensor whose method is called.
    """
    code = f.__code__
    own = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    spelled = {a: b for a, b in NUMPY_NAMES.items() if b in own and a not in own}
    path = f"torch.Tensor.{name}" if bound else f"torch.{name}"

    # Keywords with types of values that `f` takes as they are.
    plain: set[tuple[str, type[Any]]] = set()

    def settled(args: Any, kwargs: dict[str, Any]) -> dict[str, Any]:
        """Return keywords as `f` takes them; a TypeError is explained where it is caught."""
        if not spelled.keys().isdisjoint(kwargs):
            return _respelled(name, spelled, kwargs)
        made = kwargs
        for keyword, value in kwargs.items():
            kinds = settings(name, keyword, bound > 0)
            if kinds and not any(p.accepts(value, numbers=False) for p in kinds):
                raise TypeError(f"{name}(): '{keyword}' does not fit")
            cls = value.__class__
            # Of these types every value is as good as any other; what lists hold is not asked here.
            if not kinds or cls in _PLAIN or issubclass(cls, (tuple, list)):
                plain.add((keyword, cls))
            elif isinstance(value, np.bool_):
                made = {**made, keyword: bool(value)}
            elif keyword == "dtype" and isinstance(value, type):
                made = {**made, keyword: dtype_of_type(value)}
        return made

    @functools.wraps(f)
    def call(*args: Any, **kwargs: Any) -> Any:
        if declared:
            found = overriding(args, kwargs)
            if found:
                return _answered(call, path, found, args, kwargs)
        try:
            if not kwargs:
                return f(*args)
            for keyword, value in kwargs.items():
                if (keyword, value.__class__) not in plain:
                    return f(*args, **settled(args, kwargs))
            return f(*args, **kwargs)
        except Exception as error:
            found = overriding(args, kwargs)
            receives = "out" in kwargs and "out" not in own
            given = (name, args[bound:], kwargs, bound > 0)
            # No function states `out`, so that Python refuses it.
            why = None if found else refusal(*given) if receives else reason(error, *given)
            if not found and why is None and not receives:
                raise
        if found:
            return _answered(call, path, found, args, kwargs)
        if why is not None:
            try:
                raise why
            finally:
                del why  # its traceback holds the variables
        # What fits but for an `out`, which no function states itself.
        kwargs = _respelled(name, spelled, kwargs)
        out = kwargs.pop("out")
        result = call(*args, **kwargs)
        return result if out is None else _received(name, out, result)

    call.__name__ = call.__qualname__ = name
    return call  # type: ignore[return-value]


def _received(name: str, out: Any, result: Any) -> Any:
    if not hasattr(type(out), "_receive") or not hasattr(type(result), "_receive"):
        kind = type_name(result if hasattr(type(out), "_receive") else out)
        raise TypeError(f"{name}(): argument 'out' must be Tensor, not {kind}")
    return out._receive(name, result)


def _answered(func: Any, path: str, found: list[Any], args: Any, kwargs: Any) -> Any:
    result = dispatch(func, found, args, kwargs)
    if result is NotImplemented:
        raise refused(path, found)
    return result


def _respelled(name: str, spelled: dict[str, str], given: dict[str, Any]) -> dict[str, Any]:
    kwargs = {spelled.get(k, k): v for k, v in given.items()}
    if len(kwargs) < len(given):
        raise TypeError(f"{name}() got an argument under two names")
    return kwargs


def _renamed(f: Callable[..., Any], name: str) -> Callable[..., Any]:
    """Return a twin of `f` that Python's errors call a method."""
    assert isinstance(f, FunctionType)
    twin = FunctionType(f.__code__, f.__globals__, name, f.__defaults__, f.__closure__)
    functools.update_wrapper(twin, f)
    twin.__kwdefaults__ = f.__kwdefaults__
    twin.__qualname__ = f"Tensor.{name}"
    return twin


def install(cls: type[Any]) -> None:
    """Give `cls` the methods and operators of the tables that it does not define itself."""
    tables: tuple[dict[str, Any], ...] = (METHODS, OPERATORS, PROPERTIES)
    for table in tables:
        for name, f in table.items():
            if name not in cls.__dict__:
                setattr(cls, name, f)
