"""The kinds of arguments that schemas name, such as `Tensor`, `int[]`, `Scalar`: one table.

An entry states everything about a kind: its title in PyTorch's messages, the values that fit, the
value that the body of a function gets for one that fits, and the type in the stubs.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import sympy

from symgrad.expr.atoms import check_name
from symgrad.expr.devices import device, on_cpu
from symgrad.expr.dtypes import Category, dtype, dtype_of_type
from symgrad.expr.named_sizes import NamedSize, whole
from symgrad.expr.node import ArrayExpr
from symgrad.random.streams import Generator

_HEAP_TYPE = 1 << 9


class Unfit(TypeError):
    """An error in an argument, to be completed by the call and the name of the argument."""


#: The names of PyTorch's classes that are not written in Python, by those of the classes here.
_COMPILED = {
    "Size": "torch.Size", "device": "torch.device", "dtype": "torch.dtype", "layout": "torch.layout",
    "Generator": "torch._C.Generator", "TensorType": "torch._C._TensorMeta",
}  # fmt: skip


def type_name(x: Any) -> str:
    """Return the name of the type of an argument in messages, as "numpy.ndarray"."""
    kind = type(x)
    if isinstance(x, ArrayExpr):
        return "Tensor"
    if kind.__module__.startswith("symgrad."):
        return _COMPILED.get(kind.__name__, kind.__name__)
    if kind.__module__ == "builtins" or kind.__flags__ & _HEAP_TYPE:
        return kind.__name__
    return f"{kind.__module__}.{kind.__qualname__}"


def has_values(x: Any) -> bool:
    """Return whether `x` is a tensor, and not a formula."""
    return hasattr(type(x), "_record")


def is_tensor(x: Any) -> bool:
    """Return whether `x` is a tensor or the expression of one."""
    return has_values(x) or isinstance(x, ArrayExpr)


def is_expression(x: Any) -> bool:
    """Return whether `x` is a formula, of this package or of SymPy."""
    return isinstance(x, sympy.Basic)


def _is_number(x: Any) -> bool:
    numbers = (bool, int, float, complex, np.number, np.bool_, NamedSize)
    return isinstance(x, numbers) or _is_constant(x)


def _is_constant(x: Any, category: int = Category.COMPLEX) -> bool:
    """Return whether `x` is a tensor that counts as a number: 0-d, and with no gradient."""
    if not is_tensor(x) or x.shape != () or (has_values(x) and x.requires_grad):
        return False
    return bool(x.dtype.category <= category)


def _is_int(x: Any) -> bool:
    if type(x) is int:
        return True
    if isinstance(x, bool):
        return False
    return isinstance(x, (int, np.integer, NamedSize)) or _is_constant(x, Category.INT)


def _is_index(x: Any) -> bool:
    """Return whether `x` may stand for an integer in a sequence: a tensor with one element, too."""
    if has_values(x):
        return bool(x.dtype.category == Category.INT and x.numel() == 1)
    return _is_int(x)


def _is_float(x: Any) -> bool:
    real = (int, float, np.floating, np.integer, np.bool_)
    return isinstance(x, real) or _is_constant(x, Category.FLOAT)


def _plain(x: Any) -> Any:
    """Return a number of NumPy's, or a tensor that counts as one, as a number of Python's.

    Of NumPy's truth values PyTorch makes floats. The number of an expression is not known, so that
    it stays what it is.
    """
    if isinstance(x, np.bool_):
        return float(x)
    if isinstance(x, np.generic) or has_values(x):
        return x.item()
    return x


def _integer(x: Any) -> Any:
    return x if type(x) is int or isinstance(x, ArrayExpr) else whole(x)


def _named(name: str) -> Callable[[Any], bool]:
    return lambda x: type(x).__name__ == name


def _same(x: Any) -> Any:
    return x


class Kind(NamedTuple):
    """One kind of argument.

    Attributes
    ----------
    title : str
        The name in messages.
    fits : callable
        Returns whether a value is of the kind.
    convert : callable
        Returns the value that the body of a function gets for a value that fits; raises `Unfit` for
        a sequence whose elements do not fit.
    exact : tuple of type
        Classes whose values fit and are not converted.
    hint : str
        The type in the stubs.
    words : str
        The type in docstrings.
    """

    title: str
    fits: Callable[[Any], bool]
    convert: Callable[[Any], Any]
    exact: tuple[type[Any], ...]
    hint: str
    words: str


#: Kinds by their names in schemas.
_KINDS: dict[str, Kind] = {
    "Tensor": Kind("Tensor", is_tensor, _same, (), "Operand", "Tensor or ArrayExpr"),
    "Scalar": Kind("Number", _is_number, _plain, (int, float, bool, complex), "Number", "number"),
    "int": Kind("int", _is_int, _integer, (int,), "int", "int"),
    "float": Kind("float", _is_float, _plain, (float, int, bool), "float", "float"),
    "Real": Kind("Number", _is_float, _plain, (float, int, bool), "float", "float"),
    "bool": Kind("bool", lambda x: isinstance(x, (bool, np.bool_)), bool, (bool,), "bool", "bool"),
    "str": Kind("str", lambda x: isinstance(x, str), _same, (str,), "str", "str"),
    "ScalarType": Kind(
        "torch.dtype",
        lambda x: (
            isinstance(x, dtype) or (isinstance(x, type) and x in (bool, int, float, complex))
        ),
        lambda x: x if isinstance(x, dtype) else dtype_of_type(x),
        (dtype,),
        "dtype",
        "dtype",
    ),
    "Device": Kind(
        "torch.device",
        lambda x: isinstance(x, (str, int, device)) and not isinstance(x, bool),
        on_cpu, (), "device | str | int", "device, str or int",
    ),
    "MemoryFormat": Kind("torch.memory_format", _named("memory_format"), _same, (), "Any", "memory_format"),
    "Layout": Kind("torch.layout", _named("layout"), _same, (), "layout", "layout"),
    "Generator": Kind(
        "torch.Generator", lambda x: isinstance(x, Generator), _same, (Generator,), "Generator", "Generator"
    ),
    "Storage": Kind("torch.Storage", lambda x: False, _same, (), "Any", "storage"),
    "Name": Kind("str", lambda x: True, check_name, (), "str", "str"),
    "object": Kind("object", lambda x: True, _same, (), "Any", ""),
}  # fmt: skip


def _list_of(element: Kind, length: str, tensors: bool) -> Kind:
    title = "Scalar" if element.title == "Number" else element.title
    if tensors:
        return Kind(
            f"tuple of {title}s", lambda x: isinstance(x, (tuple, list)), _tensors, (),
            "Sequence[Operand]", f"sequence of {element.words}",
        )  # fmt: skip

    def fits(x: Any) -> bool:
        if length and element.fits(x):
            return True  # one element stands for all
        return isinstance(x, (tuple, list)) and (not x or element.fits(x[0]))

    def convert(x: Any) -> Any:
        if not isinstance(x, (tuple, list)):
            return (element.convert(x),) * int(length)
        found = []
        for i, item in enumerate(x):
            if not element.fits(item):
                raise Unfit(
                    f'failed to unpack the object at pos {i + 1} with error "type must be tuple of '
                    f'{title}s,but got {type_name(item)}"'
                )
            found.append(element.convert(item))
        return tuple(found)

    hint, words = f"Sequence[{element.hint}]", f"sequence of {element.words}"
    if length:
        hint, words = f"{element.hint} | {hint}", f"{element.words} or {words}"
    return Kind(f"tuple of {title}s", fits, convert, (), hint, words)


def _tensors(x: Any) -> Any:
    """Return a sequence of tensors; what is none is refused by the operation that gets it."""
    return x


@functools.lru_cache(maxsize=1024)
def kind_of(text: str) -> Kind:
    """Return the kind that a schema calls `text`, as in "int[1]?"; `a|b` is either.

    The title of an optional kind is that of the kind, and so are those of what stars collect.
    """
    plain = text.removesuffix("[]...").removesuffix("...").removesuffix("?")
    if plain is not text and text.endswith("?"):
        kind = kind_of(plain)
        return kind._replace(
            fits=lambda x: x is None or kind.fits(x),
            convert=lambda x: None if x is None else kind.convert(x),
            exact=(*kind.exact, type(None)),
            hint=f"{kind.hint} | None",
        )
    if "|" in plain:
        return _either([kind_of(one) for one in plain.split("|")])
    listed = re.fullmatch(r"(\w+)\??\[(\d*)\]", plain)
    if listed is None:
        return _KINDS[plain]
    element, length = listed.groups()
    one = _KINDS[element]
    if element == "int":
        one = one._replace(fits=_is_index)
    return _list_of(one, length, element == "Tensor")


def _either(kinds: list[Kind]) -> Kind:
    title = " or ".join([kind.title for kind in kinds])

    def convert(x: Any) -> Any:
        for kind in kinds:
            if kind.fits(x):
                return kind.convert(x)
        raise Unfit(f"must be {title}, not {type_name(x)}")  # which Python's functions are given

    return Kind(
        title,
        lambda x: any(kind.fits(x) for kind in kinds),
        convert,
        tuple([cls for kind in kinds for cls in kind.exact]),
        " | ".join(dict.fromkeys(kind.hint for kind in kinds)),
        " or ".join(dict.fromkeys(kind.words for kind in kinds)),
    )
