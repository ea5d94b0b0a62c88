"""The table of public functions: what `symgrad.<name>`, tensors and expressions offer alike.

A function of `symgrad.ops` is written once, with PyTorch's signature, and ends in `bind`; the
decorator enters it here. `symgrad` makes module functions of the table, and the classes
`ArrayExpr` and `Tensor` get its methods and operators from it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from symgrad.expr.notation import PUBLIC_PARAMETERS
from symgrad.schema.binding import bound
from symgrad.schema.docstrings import describing
from symgrad.schema.text import Schema

__all__ = [
    "BODIES",
    "FUNCTIONS",
    "IN_PLACE",
    "IN_PLACE_BY_FLAG",
    "IN_PLACE_FORMS",
    "METHODS",
    "OPERATORS",
    "PROPERTIES",
    "SCHEMAS",
    "SPACES",
    "TENSOR_METHODS",
    "describe",
    "described",
    "in_place",
    "public",
    "public_property",
    "tensor_method",
]

F = TypeVar("F", bound=Callable[..., Any])

FUNCTIONS: dict[str, Callable[..., Any]] = {}
# The functions of PyTorch's other modules, by the names of these.
SPACES: dict[str, dict[str, Callable[..., Any]]] = {}
# What they compute, given arguments as schemas read them.
BODIES: dict[str, Callable[..., Any]] = {}
# The schemas of functions, and of methods.
SCHEMAS: dict[tuple[str, bool], Schema] = {}
METHODS: dict[str, Callable[..., Any]] = {}
# Those that change the tensor, and that expressions have not.
TENSOR_METHODS: dict[str, Callable[..., Any]] = {}
# Which methods have a form in place, and whether that is a "function" of the module as well.
IN_PLACE: dict[str, str] = {}
# Functions of `nn.functional` whose flag `inplace` has a form of its own, as `relu_` of `relu`.
IN_PLACE_BY_FLAG: dict[str, str] = {}
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
        "non_blocking": ("bool", "Accepted: there is nothing to wait for."),
        "implicit": ("bool", "Accepted and ignored."),
        "inplace": ("bool", "Whether to change `input` itself."),
        "size_average": _OLD,
        "reduce": _OLD,
        "other": ("Tensor, ArrayExpr or number", "The second operand."),
        "sections": ("int", "How many pieces there are."),
        "indices": ("sequence of int", "Where the pieces begin."),
        "out": ("Tensor, optional", "A tensor to write into."),
    }
)


def public(
    *texts: str,
    aliases: tuple[str, ...] = (),
    function: bool = True,
    method: bool = True,
    operators: tuple[str, ...] = (),
    python: bool = False,
    numbers: bool = False,
    call: str | None = None,
    in_place: str = "none",
    aliases_in_place: str | None = None,
) -> Callable[[F], F]:
    """Enter a function in the tables.

    Parameters
    ----------
    *texts : str
        Its schema, one text for each overload, as PyTorch writes it.
    aliases : tuple of str
        Its other names.
    function, method : bool
        Whether it is a function of the module, a method of tensors and expressions.
    operators : tuple of str
        Special methods that it implements.
    python : bool
        Whether PyTorch writes the function in Python. Then a call that does not fit fails with
        Python's error; else with that of PyTorch, and keywords may be spelled as in NumPy.
    numbers : bool
        Whether numbers count as tensors, though the texts do not say it.
    call : str, optional
        The name in messages, where it is not the last part of that in the texts.
    in_place : str
        What changes the first argument in place: a "method", also a "function", or "none". Of
        functions with a flag `inplace`, a "function" sets the flag.
    aliases_in_place : str, optional
        The same of the other names; by default that of the first.
    """
    options: Any = {"python": python, "numbers": numbers, "call": call}

    def enter(f: F) -> F:
        plain = Schema(texts)
        name = plain.name
        describe(plain, f)
        f.__name__ = f.__qualname__ = name.rpartition(".")[2]
        BODIES.update(dict.fromkeys((name, *aliases), f))
        for n in (name, *aliases):
            space, _, short = n.rpartition(".")
            own = n if n != name else None
            if function:
                schema = Schema(texts, own, **options)
                SCHEMAS[n, False] = schema
                table = SPACES.setdefault(space, {}) if space else FUNCTIONS
                table[short] = bound(schema, f)
                if not space:
                    PUBLIC_PARAMETERS[short] = frozenset(plain.names)
            if method and not space:
                schema = Schema(texts, own, method=True, **options)
                SCHEMAS[n, True] = schema
                METHODS[n] = bound(schema, f)
        others = in_place if aliases_in_place is None else aliases_in_place
        kinds = {name: in_place, **dict.fromkeys(aliases, others)}
        changing = IN_PLACE_BY_FLAG if "." in name else IN_PLACE
        changing.update({n: kind for n, kind in kinds.items() if kind != "none"})
        for n in operators:
            OPERATORS[n] = f
        return f

    return enter


def describe(schema: Schema, f: Callable[..., Any]) -> None:
    """Add to a docstring the parameters that a schema has and the docstring does not describe."""
    described(f, [(p.name, f"{p.name}={p.default}") for p in schema.names.values()])


def tensor_method(*texts: str, function: bool = False, numbers: bool = False) -> Callable[[F], F]:
    """Enter a method that tensors have and expressions have not, since it changes the tensor.

    It is a function of the module, too, where `function`; numbers count as tensors where `numbers`.
    """

    def enter(f: F) -> F:
        schema = Schema(texts, method=True, numbers=numbers, formulas=False)
        describe(schema, f)
        SCHEMAS[schema.name, True] = schema
        BODIES[schema.name] = f
        TENSOR_METHODS[schema.name] = bound(schema, f)
        if function:
            IN_PLACE[schema.name.removesuffix("_")] = "function"
        return f

    return enter


def in_place(name: str) -> Callable[[F], F]:
    """Enter what the method `name` in place computes, where that is not what `name` does."""

    def enter(f: F) -> F:
        IN_PLACE_FORMS[name] = f
        return f

    return enter


def public_property(name: str) -> Callable[[F], F]:
    """Enter a function as an attribute of tensors and expressions."""

    def enter(f: F) -> F:
        PROPERTIES[name] = property(f)
        return f

    return enter
