"""Public functions made of classes alone: elementwise functions, and Python's operators."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
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


def _function(cls: type[Elementwise], name: str) -> Callable[..., Any]:
    def f(*operands: Any) -> Any:
        return bind(cls, operands)

    f.__name__ = f.__qualname__ = name
    f.__doc__ = cls.__doc__
    taken = [
        inspect.Parameter("input" if n == "self" else n, inspect.Parameter.POSITIONAL_OR_KEYWORD)
        for n in _names(cls)
    ]
    f.__signature__ = inspect.Signature(taken)  # type: ignore[attr-defined]
    return f


def _names(cls: type[Elementwise]) -> Sequence[str]:
    return cls.operand_names or ("self", "other")[: cls.arity]


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

    f.__name__ = f.__qualname__ = f"__{'r' if reflected else ''}{cls.operator}__"
    return f


def _arguments(cls: type[Elementwise]) -> list[str]:
    """Return the arguments of the overloads that PyTorch has of an elementwise function."""
    out = "*, Tensor? out=None"
    names = _names(cls)
    tensors = ", ".join([f"Tensor {name}" for name in names])
    if len(names) == 1:
        return [tensors if cls.receives == "none" else f"{tensors}, {out}"]
    found = [f"{tensors}, {out}"]
    if cls.numbers == "either":
        first, rest = tensors.split(", ", 1)
        number = first.replace("Tensor", "Scalar")
        found.append(f"{number}, {rest}" + (f", {out}" if cls.receives == "all" else ""))
    if cls.numbers:
        rest, last = tensors.rsplit(", ", 1)
        found.append(f"{rest}, {last.replace('Tensor', 'Scalar')}, {out}")
    return found


def _is_plain(cls: type[Elementwise]) -> bool:
    """Return whether it is called with one operand, by PyTorch's usual name."""
    return tuple(_names(cls)) == ("self",)


def _fill_tables() -> None:
    for name, cls in PRIMITIVES.items():
        if not issubclass(cls, Elementwise) or cls.params or cls.internal:
            continue
        path = f"{cls.space}.{name}" if cls.space else name
        if len(_names(cls)) == cls.arity and (path, False) not in SCHEMAS:
            texts = [f"{path}({arguments}) -> Tensor" for arguments in _arguments(cls)]
            # SciPy's functions take numbers wherever they take arrays.
            numbers = bool(face_of(cls).numbers) or (
                cls.arity > 1 and not cls.numbers and cls.space
            )
            in_place = cls.in_place or ("function" if cls.arity == 1 else "method")
            in_place = "none" if cls.space else in_place
            public(
                *texts,
                aliases=cls.aliases,
                numbers=bool(numbers),
                in_place=in_place,
                aliases_in_place=cls.aliases_in_place or in_place,
            )((_unary_function if _is_plain(cls) else _function)(cls, name))
    for cls in OPERATIONS:
        name = f"__{cls.operator}__"
        OPERATORS[name] = _operator(cls, False) if cls.arity == 2 else _unary_function(cls, name)
        if cls.arity == 2 and cls.result != "bool":
            OPERATORS[f"__r{cls.operator}__"] = _operator(cls, reflected=True)
    OPERATORS["__invert__"] = logic.invert


_fill_tables()
