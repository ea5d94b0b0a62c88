"""The words of PyTorch's argument parser about calls that do not fit a signature.

No other module writes these messages; which of them a call gets is decided in `text`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from symgrad.schema.kinds import type_name


def wrong_kind(call: str, name: str, title: str, x: Any, position: int | None = None) -> str:
    """Return the message about an argument that is not of the kind `title`."""
    got = f"not {type_name(x)}"
    if type_name(x) == title:  # where elements are read, tensors have some and formulas have none
        got = "not a formula, which has no elements"
    if position and title == "tuple of ints" and isinstance(x, (tuple, list)):
        got = f"but found element of type {type_name(x[0])} at pos 0"
    place = f" (position {position})" if position else ""
    return f"{call}(): argument '{name}'{place} must be {title}, {got}"


def lacking(x: Any, name: str) -> str:
    """Return what Python says of an attribute that an argument has not."""
    return f"'{type(x).__name__}' object has no attribute '{name}'"


def unfit(call: str, name: str, why: str) -> str:
    """Return the message about an argument that cannot be converted, with the words of its kind."""
    return f"{call}(): argument '{name}' {why}"


def wrong_element(i: int, place: int, x: Any) -> str:
    """Return the message about element `i` of the argument at `place`, a list of tensors."""
    return f"expected Tensor as element {i} in argument {place}, but got {type_name(x)}"


def too_many(call: str, least: int, most: int, given: int) -> str:
    """Return the message about more positional arguments than a signature has."""
    if least != most:
        return f"{call}() takes from {least} to {most} positional arguments but {given} were given"
    plural, were = "" if most == 1 else "s", "was" if given == 1 else "were"
    return f"{call}() takes {most} positional argument{plural} but {given} {were} given"


def missing(call: str, names: Sequence[str]) -> str:
    """Return the message about required arguments that a call lacks."""
    listed = ", ".join([f'"{name}"' for name in names])
    plural = "s" if len(names) == 1 else ""  # PyTorch has it the wrong way round
    return f"{call}() missing {len(names)} required positional argument{plural}: {listed}"


def unexpected(call: str, name: str) -> str:
    """Return the message about a keyword that no parameter has."""
    return f"{call}() got an unexpected keyword argument '{name}'"


def repeated(call: str, name: str) -> str:
    """Return the message about an argument that is given by position and by keyword."""
    return f"{call}() got multiple values for argument '{name}'"


def invalid_combination(
    call: str, args: Sequence[Any], kwargs: Mapping[str, Any], signatures: Sequence[str]
) -> str:
    """Return the message about a call that several signatures could be meant by.

    PyTorch makes it of the texts of the signatures, which it cuts at commas: the star counts as a
    parameter, what stands after the last space is the name, even where that is a default, and what
    stands before it the name of the only type that fits.

    Examples
    --------
    >>> print(invalid_combination("f", ("a",), {}, ["(Tensor input)", "()"]), end="")
    f() received an invalid combination of arguments - got (str), but expected one of:
     * (Tensor input)
          didn't match because some of the arguments have invalid types: (!str!)
     * ()
          didn't match because some of the arguments have invalid types: (!str!)
    """
    named = dict(reversed([*kwargs.items()]))  # the order of PyTorch's table
    parts = [type_name(x) for x in args] + [f"{k}={type_name(x)}" for k, x in named.items()]
    got = f"({', '.join(parts)}{', ' if named and not args else ''})"
    message = f"{call}() received an invalid combination of arguments - got "
    if len(signatures) == 1:
        count, unknown, marked = _compared(signatures[0], args, named)
        if unknown:
            return f"{message}unrecognized keyword arguments: {', '.join(unknown)}"
        return f"{message}{marked if count else got}, but expected {signatures[0]}"
    lines = [f"{message}{got}, but expected one of:\n"]
    for signature in signatures:
        lines.append(f" * {signature}\n")
        count, unknown, marked = _compared(signature, args, named)
        if count:
            why = f"keywords were incorrect: {', '.join(unknown)}"
            if not unknown:
                why = f"arguments have invalid types: {marked}"
            lines.append(f"      didn't match because some of the {why}\n")
    return "".join(lines)


def _compared(
    signature: str, args: Sequence[Any], named: Mapping[str, Any]
) -> tuple[bool, list[str], str]:
    """Compare a call with a signature, as PyTorch does for its message.

    Returns
    -------
    bool, list of str, str
        Whether there are as many arguments as parameters, which keywords the signature lacks, and,
        where it lacks none, the arguments with those marked that do not fit.
    """
    parameters = [part.rpartition(" ") for part in signature[1:-1].split(", ")]
    last = [name for _, _, name in parameters[max(len(parameters) - len(named), 0) :]]
    unknown = [name for name in named if name not in last]
    if len(parameters) != len(args) + len(named) or unknown:
        return len(parameters) == len(args) + len(named), unknown, ""
    wrong, right = ("!", "!"), ("", "")
    if os.isatty(1) and os.isatty(2):
        wrong, right = ("\33[31;1m", "\33[0m"), ("\33[32;1m", "\33[0m")
    marked = []
    for i, (kind, _, name) in enumerate(parameters):
        x, keyword = (args[i], "") if i < len(args) else (named[name], f"{name}=")
        fits = type_name(x) in (("float", "int") if kind == "float" else (kind,))
        before, after = right if fits else wrong
        marked.append(f"{before}{keyword}{_shown(x)}{after}")
    return True, [], f"({', '.join(marked)}{', ' if not args else ''})"


def _shown(x: Any) -> str:
    """Return the name of the type of an argument, of a sequence with those of its elements."""
    if not isinstance(x, (tuple, list)):
        return type_name(x)
    listed = ", ".join(map(type_name, x))
    if isinstance(x, list):
        return f"{type_name(x)} of [{listed}]"
    return f"{type_name(x)} of ({listed}{',' if len(x) == 1 else ''})"
