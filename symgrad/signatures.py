"""Why a call was refused, in PyTorch's words.

Calls are not checked beforehand. One that has failed is held against the arguments that PyTorch's
function of that name takes (`overloads`), and fails as it fails there where it does not fit. What
fits but has bad values is refused by the functions themselves.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

__all__ = [
    "NUMPY_NAMES",
    "Parameter",
    "Signature",
    "refusal",
    "settings",
    "title",
    "type_name",
    "written_in_python",
]

#: NumPy's names of arguments, which PyTorch's compiled functions accept as well.
NUMPY_NAMES = {"axis": "dim", "keepdims": "keepdim", "x": "input", "a": "input", "x1": "input",
               "x2": "other"}  # fmt: skip

_TITLES = {
    "Scalar": "Number", "ScalarType": "torch.dtype", "MemoryFormat": "torch.memory_format",
    "Device": "torch.device", "Layout": "torch.layout", "Generator": "torch.Generator",
    "Storage": "torch.Storage",
}  # fmt: skip

# Whose tensors may be numbers, though overloads do not say it.
_NUMBERS_AS_TENSORS = frozenset(
    ("add", "div", "divide", "mul", "multiply", "sub", "subtract", "true_divide", "floor_divide")
)

_HEAP_TYPE = 1 << 9


class _Mismatch(TypeError):
    """What PyTorch says about a call that does not fit one overload."""


def title(kind: str) -> str:
    """Return what messages call a kind of argument, as in "tuple of ints"."""
    kind = kind.removesuffix("...").removesuffix("?")
    if "|" in kind:
        return " or ".join(map(title, kind.split("|")))
    if kind.endswith("]"):
        return f"tuple of {title(kind[: kind.index('[')])}s"
    return _TITLES.get(kind, kind)


def type_name(x: Any) -> str:
    """Return what messages call the type of an argument, as in "numpy.ndarray"."""
    kind = type(x)
    if is_tensor(x):
        return "Tensor"
    if kind.__module__.startswith("symgrad.") and kind.__name__ in ("Size", "device", "dtype"):
        return f"torch.{kind.__name__}"
    if kind.__module__ == "builtins" or kind.__flags__ & _HEAP_TYPE:
        return kind.__name__
    return f"{kind.__module__}.{kind.__qualname__}"


def is_tensor(x: Any) -> bool:
    """Whether `x` is a tensor or the expression of one."""
    return hasattr(type(x), "_record") or (hasattr(x, "operands") and hasattr(x, "dtype"))


def _is_number(x: Any) -> bool:
    return isinstance(x, (bool, int, float, complex, np.number, np.bool_)) or _is_constant(x)


def _is_constant(x: Any, category: int | None = None) -> bool:
    """Whether `x` is a tensor that counts as a number: 0-d, and with no gradient."""
    if not is_tensor(x) or x.shape != () or getattr(x, "requires_grad", False):
        return False
    return category is None or bool(x.dtype.category <= category)


def _is_int(x: Any) -> bool:
    if isinstance(x, bool):
        return False
    return isinstance(x, (int, np.integer)) or _is_constant(x, 1)


def _is_float(x: Any) -> bool:
    return isinstance(x, (int, float, np.floating, np.integer, np.bool_)) or _is_constant(x, 2)


def _names_class(name: str) -> Callable[[Any], bool]:
    return lambda x: type(x).__name__ == name


_CHECKS: dict[str, Callable[[Any], bool]] = {
    "Tensor": is_tensor,
    "Scalar": _is_number,
    "int": _is_int,
    "float": _is_float,
    "bool": lambda x: isinstance(x, (bool, np.bool_)),
    "str": lambda x: isinstance(x, str),
    "ScalarType": lambda x: (
        type(x).__name__ == "dtype" or (isinstance(x, type) and x in (bool, int, float, complex))
    ),
    "Device": lambda x: isinstance(x, (str, int)) or type(x).__name__ == "device",
    "MemoryFormat": _names_class("memory_format"),
    "Layout": _names_class("layout"),
    "Generator": _names_class("Generator"),
    "Storage": lambda x: False,  # tensors here have none of their own
    "object": lambda x: True,
}


class Parameter(NamedTuple):
    """One argument that an overload takes."""

    name: str
    kind: str
    optional: bool
    keyword_only: bool
    default: str

    @property
    def title(self) -> str:
        """What messages call the kind."""
        return title(self.kind)

    def accepts(self, x: Any, numbers: bool) -> bool:
        """Whether `x` is of the kind; numbers count as tensors where `numbers`."""
        kind = self.kind.removesuffix("...").removesuffix("?")
        if x is None and self.kind.endswith("?"):
            return True
        if "|" in kind:
            return any(self._replace(kind=one).accepts(x, numbers) for one in kind.split("|"))
        if not kind.endswith("]"):
            return _CHECKS[kind](x) or (numbers and kind == "Tensor" and _is_number(x))
        element, length = re.fullmatch(r"(\w+)\??\[(\d*)\]", kind).groups()  # type: ignore[union-attr]
        check = _CHECKS[element]
        if length and check(x):
            return True  # one stands for all
        if not isinstance(x, (tuple, list)):
            return False
        if element == "Tensor":
            return True  # elements are looked at one by one, with another message
        return not x or check(x[0])

    def __str__(self) -> str:
        return f"{self.title} {self.name}" + (f" = {self.default}" if self.optional else "")


class Signature(NamedTuple):
    """The arguments that one overload takes.

    Where PyTorch writes the function in `python`, how many there are is Python's to check, and what
    is no tensor is looked at where it is used: any object is true or false, any number is real.
    """

    call: str
    parameters: tuple[Parameter, ...]
    hidden: bool
    numbers: bool
    python: bool = False

    @property
    def positional(self) -> int:
        """How many arguments may be given by position."""
        return sum(not p.keyword_only for p in self.parameters)

    @property
    def required(self) -> int:
        """How many arguments must be given."""
        return sum(not p.optional for p in self.parameters)

    def check(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> None:
        """Raise what PyTorch raises where arguments do not fit."""
        most = self.positional
        # As `expand(2, 3)`: all positions are one argument.
        spread = (
            most == 1 and self.parameters[0].kind == "int[]" and bool(args) and _is_int(args[0])
        )
        if len(args) > most and not spread:
            raise self.too_many(len(args))
        position = 0
        unused = len(kwargs)
        for i, p in enumerate(self.parameters):
            by_position = position < len(args)
            if by_position and p.keyword_only:
                raise self.too_many(len(args))
            if not by_position and p.name not in kwargs:
                if not p.optional:
                    raise self.missing(i)
                continue
            x = args[position] if by_position else kwargs[p.name]
            if not p.accepts(x, self.numbers and p.name != "out"):
                if spread and by_position and position == 0 and p.accepts(args, False):
                    position = len(args)
                    continue
                place = f" (position {position + 1})" if by_position else ""
                raise _Mismatch(
                    f"{self.call}(): argument '{p.name}'{place} must be {p.title}, not "
                    f"{type_name(x)}"
                )
            if by_position:
                position += 1
            else:
                unused -= 1
        if unused:
            raise self.unexpected(len(args), kwargs)

    def misfit(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> TypeError | None:
        """Return the error for the first argument that is not of its kind, None for none."""
        given: list[tuple[Parameter, Any, int]] = []
        for i, p in enumerate(self.parameters):
            if p.keyword_only or i >= len(args):
                if p.name in kwargs:
                    given.append((p, kwargs[p.name], 0))
            elif p.kind.endswith("..."):
                listed = args[i:]
                if len(listed) == 1 and isinstance(listed[0], (tuple, list)):
                    listed = tuple(listed[0])
                given += [(p, x, i + j + 1) for j, x in enumerate(listed)]
                args = args[: i + 1]
            else:
                given.append((p, args[i], i + 1))
        for p, x, position in given:
            if not p.accepts(x, numbers=False):
                place = f" (position {position})" if position else ""
                return TypeError(
                    f"{self.call}(): argument '{p.name}'{place} must be {p.title}, not "
                    f"{type_name(x)}"
                )
        return None

    def too_many(self, given: int) -> _Mismatch:
        """Return the error for more positions than there are."""
        most, least = self.positional, self.required
        if least != most:
            return _Mismatch(
                f"{self.call}() takes from {least} to {most} positional arguments but {given} were "
                "given"
            )
        return _Mismatch(
            f"{self.call}() takes {most} positional argument{'' if most == 1 else 's'} but {given} "
            f"{'was' if given == 1 else 'were'} given"
        )

    def missing(self, first: int) -> _Mismatch:
        """Return the error for required arguments from `first` on that are not there."""
        names = [f'"{p.name}"' for p in self.parameters[first:] if not p.optional]
        # PyTorch has singular and plural the wrong way round.
        plural = "s" if len(names) == 1 else ""
        return _Mismatch(
            f"{self.call}() missing {len(names)} required positional argument{plural}: "
            f"{', '.join(names)}"
        )

    def unexpected(self, positions: int, kwargs: Mapping[str, Any]) -> _Mismatch:
        """Return the error for a keyword that is unknown, or given by position too."""
        names = [p.name for p in self.parameters]
        for name in kwargs:
            if name not in names:
                return _Mismatch(f"{self.call}() got an unexpected keyword argument '{name}'")
            if names.index(name) < positions:
                return _Mismatch(f"{self.call}() got multiple values for argument '{name}'")
        raise AssertionError("every keyword was read")

    def __str__(self) -> str:
        parts = [str(p) for p in self.parameters]
        if self.positional < len(parts):
            parts.insert(self.positional, "*")
        return f"({', '.join(parts)})"


def _parameters(text: str, method: bool) -> Iterator[Parameter]:
    keyword_only = False
    for part in re.split(r", (?![^\[]*\])", text) if text else ():
        if part == "*":
            keyword_only = True
            continue
        kind, _, rest = part.partition(" ")
        name, optional, default = rest.partition("=")
        if name == "self" and kind == "Tensor":
            if method:
                continue
            name = "input"
        if name == "out" and method:
            continue
        yield Parameter(name, kind, bool(optional), keyword_only, default)


@functools.cache
def _table() -> dict[str, list[tuple[str, str]]]:
    """Return marks and arguments of the overloads of each function."""
    from symgrad.overloads import TEXT  # noqa: PLC0415 - read when the first call fails

    table: dict[str, list[tuple[str, str]]] = {}
    for mark, name, text in re.findall(r"^([+=-]?)([\w.]+)\((.*)\)$", TEXT, re.MULTILINE):
        table.setdefault(name, []).append((mark, text))
    return table


@functools.cache
def signatures(name: str, method: bool) -> tuple[Signature, ...]:
    """Return the overloads of a function or method; none where PyTorch writes it in Python."""
    return tuple([
        Signature(
            name.rpartition(".")[2], tuple(_parameters(text, method)), mark == "-",
            name in _NUMBERS_AS_TENSORS, mark == "=",
        )
        for mark, text in _table().get(name, ())
        if not method or (mark != "+" and "Tensor self" in text)
    ])  # fmt: skip


def written_in_python(name: str, method: bool) -> bool:
    """Return whether PyTorch writes a function in Python, whose errors are not those of schemas."""
    overloads = signatures(name, method)
    return bool(overloads) and overloads[0].python


#: Kinds of arguments that operations compute nothing with.
_SETTINGS = frozenset(("bool", "int", "str", "int[]", "int[1]", "int[2]", "ScalarType"))


def settings(name: str, keyword: str, method: bool) -> list[Parameter]:
    """Return what a keyword is in each overload where it is a setting, as `keepdim`; else nothing.

    Functions take what they compute with from more than PyTorch's do: formulas, and arrays.
    """
    found = [p for s in signatures(name, method) for p in s.parameters if p.name == keyword]
    plain = all(p.kind.removesuffix("?") in _SETTINGS for p in found)
    return found if plain else []


def refusal(
    name: str, args: Sequence[Any], kwargs: Mapping[str, Any], method: bool
) -> TypeError | None:
    """Return PyTorch's error for a call that fits no overload, None for one that fits.

    Parameters
    ----------
    name : str
        The function.
    args, kwargs
        What it was called with; of a method, without the tensor.
    method : bool
        Whether it was called as a method.
    """
    overloads = signatures(name, method)
    if not overloads:
        return None
    if method and len(overloads) == 1 and not overloads[0].parameters:
        if kwargs:
            return TypeError(f"Tensor.{name}() takes no keyword arguments")
        return (
            TypeError(f"Tensor.{name}() takes no arguments ({len(args)} given)") if args else None
        )
    if overloads[0].python:
        return overloads[0].misfit(args, kwargs)
    known = {p.name for s in overloads for p in s.parameters}
    read = {k if k in known else NUMPY_NAMES.get(k, k): v for k, v in kwargs.items()}
    for s in overloads:
        try:
            s.check(args, read)
        except _Mismatch:
            continue
        return None
    given = len(args) + len(kwargs)
    shown = [s for s in overloads if not s.hidden]
    plausible = [s for s in shown if s.required <= given <= len(s.parameters)]
    if len(overloads) == 1:
        plausible = shown
    if len(plausible) == 1:
        try:
            plausible[0].check(args, read)
        except _Mismatch as error:
            return TypeError(str(error))
    return TypeError(invalid_combination(name, args, kwargs, shown))


def invalid_combination(
    name: str, args: Sequence[Any], kwargs: Mapping[str, Any], overloads: Sequence[Signature]
) -> str:
    """Return PyTorch's message for a call that fits none of several overloads."""
    got = [type_name(x) for x in args]
    got += [f"{k}={type_name(v)}" for k, v in reversed(list(kwargs.items()))]  # PyTorch's order
    text = ", ".join(got) + (", " if kwargs and not args else "")
    message = f"{name}() received an invalid combination of arguments - got ({text}), but expected "
    if len(overloads) == 1:
        names = {p.name for p in overloads[0].parameters}
        unknown = [k for k in kwargs if NUMPY_NAMES.get(k, k) not in names]
        if unknown:
            return message.partition("(")[0] + (
                "() received an invalid combination of arguments - got unrecognized keyword "
                f"arguments: {', '.join(unknown)}"
            )
        return message + str(overloads[0])
    return message + "one of:\n" + "".join(f" * {s}\n" for s in overloads)
