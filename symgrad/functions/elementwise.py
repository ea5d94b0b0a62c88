"""Public functions made of classes alone: elementwise functions, and Python's operators."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symgrad.expr.atoms import Const
from symgrad.expr.node import ArrayExpr
from symgrad.functions import families as _families  # noqa: F401 - states faces
from symgrad.functions.beside_sympy import beside_matrix, beside_sympy, is_matrix_of_sympy
from symgrad.ops import (
    families,  # noqa: F401 - defines the operations
    logic,
)
from symgrad.ops.elementwise import Elementwise
from symgrad.ops.primitive import PRIMITIVES, Primitive, bind
from symgrad.record.face import face_of
from symgrad.schema.public import OPERATORS, SCHEMAS, public

#: The elementwise operations that Python's operators apply.
OPERATIONS: list[type[Any]] = [
    cls for cls in PRIMITIVES.values() if issubclass(cls, Elementwise) and "operator" in vars(cls)
]


def _unary_function(cls: type[Primitive], name: str) -> Callable[..., Any]:
    def f(input: Any) -> Any:
        if isinstance(input, ArrayExpr):  # the common case while formulas are built
            return cls.of(input)
        short = getattr(input.__class__, "_short", None)  # the short way in which tensors record it
        return bind(cls, (input,)) if short is None else short[cls](input)

    f.__name__ = f.__qualname__ = name
    f.__doc__ = cls.__doc__
    return f


def _binary_function(cls: type[Primitive], name: str) -> Callable[..., Any]:
    def f(input: Any, other: Any) -> Any:
        return bind(cls, (input, other))

    f.__name__ = f.__qualname__ = name
    f.__doc__ = cls.__doc__
    return f


def _operator(cls: type[Any], reflected: bool) -> Callable[..., Any]:
    def f(self: Any, other: Any) -> Any:
        kind = other.__class__
        if kind is int or kind is float:
            other = Const(other)
        if isinstance(other, ArrayExpr):  # the common case while formulas are built
            return cls.of(other, self) if reflected else cls.of(self, other)
        if isinstance(other, (str, bytes)):
            return NotImplemented
        if is_matrix_of_sympy(other):
            return beside_matrix.call(self, f"__{cls.operator}__", other, reflected)
        try:
            return bind(cls, (other, self) if reflected else (self, other))
        except (TypeError, NotImplementedError):
            if isinstance(other, ArrayExpr):
                raise
            return beside_sympy.call(self, f"__{cls.operator}__", other, reflected)

    return f


def _arguments(cls: type[Elementwise]) -> list[str]:
    """Return the arguments of the overloads that PyTorch has of an elementwise function."""
    out = "*, Tensor? out=None"
    if cls.arity == 1:
        return ["Tensor self" if cls.receives == "none" else f"Tensor self, {out}"]
    found = [f"Tensor self, Tensor other, {out}"]
    if cls.numbers == "either":
        found.append("Scalar self, Tensor other" + (f", {out}" if cls.receives == "all" else ""))
    if cls.numbers:
        found.append(f"Tensor self, Scalar other, {out}")
    return found


def _fill_tables() -> None:
    for name, cls in PRIMITIVES.items():
        if not issubclass(cls, Elementwise) or cls.params or cls.internal:
            continue
        path = f"{cls.space}.{name}" if cls.space else name
        make = {1: _unary_function, 2: _binary_function}.get(cls.arity)
        if make is not None and (path, False) not in SCHEMAS:
            texts = [f"{path}({arguments}) -> Tensor" for arguments in _arguments(cls)]
            numbers = bool(face_of(cls).numbers)
            in_place = cls.in_place or ("function" if cls.arity == 1 else "method")
            in_place = "none" if cls.space else in_place
            public(
                *texts,
                aliases=cls.aliases,
                numbers=numbers,
                in_place=in_place,
                aliases_in_place=cls.aliases_in_place or in_place,
            )(make(cls, name))
    for cls in OPERATIONS:
        name = f"__{cls.operator}__"
        OPERATORS[name] = _operator(cls, False) if cls.arity == 2 else _unary_function(cls, name)
        if cls.arity == 2 and cls.result != "bool":
            OPERATORS[f"__r{cls.operator}__"] = _operator(cls, reflected=True)
    OPERATORS["__invert__"] = logic.invert


_fill_tables()
