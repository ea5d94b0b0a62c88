"""The table of public functions: what `symgrad.<name>`, tensors and expressions offer alike.

A function of `symgrad.ops` is written once, with PyTorch's signature, and ends in `bind`; the
decorator enters it here. `symgrad` makes module functions of the table, and the classes
`ArrayExpr` and `Tensor` get its methods and operators from it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from symgrad.expr.notation import FUNCTIONAL_PARAMETERS, PUBLIC_PARAMETERS
from symgrad.schema.binding import bound
from symgrad.schema.docstrings import describe
from symgrad.schema.numpy_calls import enter_text
from symgrad.schema.results import name_results
from symgrad.schema.signatures import longest
from symgrad.schema.text import Schema

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
# Which methods have a form in place, and whether that is a "function" of the module as well, or
# changes the "shape".
IN_PLACE: dict[str, str] = {}
# Which memory arguments of these may share, where `public` says something else than "whole".
SHARING: dict[str, str] = {}
# Functions of `nn.functional` whose flag `inplace` has a form of its own, as `relu_` of `relu`.
IN_PLACE_BY_FLAG: dict[str, str] = {}
# What methods in place compute, where that is not what the method of their name does.
IN_PLACE_FORMS: dict[str, Callable[..., Any]] = {}
# Python's special methods, as functions of the operands in the order Python passes them.
OPERATORS: dict[str, Callable[..., Any]] = {}
# Attributes without a call, such as `T`.
PROPERTIES: dict[str, property] = {}


def public(
    *texts: str,
    aliases: tuple[str, ...] = (),
    function: bool = True,
    method: bool = True,
    operators: tuple[str, ...] = (),
    python: bool = False,
    numbers: bool = False,
    call: str | None = None,
    inner: str | None = None,
    reads: str = "",
    in_place: str = "none",
    aliases_in_place: str | None = None,
    sharing: str = "whole",
    numpy: str | None = None,
) -> Callable[[F], F]:
    """Enter a function in the tables.

    Parameters
    ----------
    *texts : str
        Its schema, one text for each overload, as PyTorch writes it.
    aliases : tuple of str
        Its other names; those in other modules are functions alone.
    function, method : bool
        Whether it is a function of the module, a method of tensors and expressions. A function of
        another module, as `linalg.norm`, is no method.
    operators : tuple of str
        Special methods that it implements.
    python : bool
        Whether PyTorch writes the function in Python. Then a call that does not fit fails with
        Python's error; else with that of PyTorch, and keywords may be spelled as in NumPy.
    numbers : bool
        Whether numbers count as tensors, though the texts do not say it.
    call : str, optional
        The name in messages, where it is not the last part of that in the texts.
    inner : str, optional
        The text of the compiled function to which PyTorch's function, written in Python, hands its
        arguments by position; errors name that function.
    reads : str
        The attribute of tensors that PyTorch's function, written in Python, reads before all else:
        an argument without it is an `AttributeError`.
    in_place : str
        What changes the first argument in place: a "method", also a "function", or "none"; a method
        that changes the "shape" alone and leaves the memory as it is. Of functions with a flag
        `inplace`, a "function" sets the flag.
    aliases_in_place : str, optional
        The same of the other names; by default that of the first.
    sharing : str
        Which memory other arguments may share with what is changed in place: the "whole" or none of
        it, "none" of it, or "any" part of it.
    numpy : str, optional
        The function of NumPy's that it answers for, with its parameters in the order of those here,
        as "swapaxes(a, axis1, axis2)". What takes other arguments has a function of its own
        (`symgrad.schema.numpy_calls`).
    """
    options: Any = {
        "python": python, "numbers": numbers, "call": call, "inner": inner, "reads": reads,
    }  # fmt: skip

    def enter(f: F) -> F:
        name = Schema(texts).name
        for text in texts:
            for n in (name, *aliases):
                name_results(call or n.rpartition(".")[2], text)
        parameters = describe(texts, f)
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
                    PUBLIC_PARAMETERS[short] = parameters
                elif space in ("nn.functional", "linalg"):
                    FUNCTIONAL_PARAMETERS[short] = parameters
            if method and not space:
                schema = Schema(texts, own, method=True, **options)
                SCHEMAS[n, True] = schema
                METHODS[n] = bound(schema, f)
        others = in_place if aliases_in_place is None else aliases_in_place
        kinds = {name: in_place, **{n: others for n in aliases if "." not in n}}
        changing = IN_PLACE_BY_FLAG if "." in name else IN_PLACE
        changing.update({n: kind for n, kind in kinds.items() if kind != "none"})
        if sharing != "whole":
            SHARING[name] = sharing
        for n in operators:
            OPERATORS[n] = f
        if numpy is not None:
            enter_text(numpy, bound_function(name), lambda: _names_of(SCHEMAS[name, False]))
        return f

    return enter


def bound_function(name: str) -> Callable[..., Any]:
    """Return a public function by its name, as "linalg.norm"."""
    space, _, short = name.rpartition(".")
    return (SPACES[space] if space else FUNCTIONS)[short]


def _names_of(schema: Schema) -> list[str]:
    return [p.name for p in longest(schema.overloads).parameters]


def with_schema(
    *texts: str, method: bool = False, formulas: bool = True, python: bool = False
) -> Callable[[F], F]:
    """Let a function, or a method, that stands in no table have its arguments read by its schema.

    Parameters
    ----------
    *texts : str
        The schema, one text for each overload.
    method : bool
        Whether it is a method.
    formulas : bool
        Whether formulas count as tensors. They do not where elements are read or made.
    python : bool
        Whether PyTorch writes the function in Python.
    """

    def enter(f: F) -> F:
        schema = Schema(texts, method=method, formulas=formulas, python=python)
        f.__name__ = f.__qualname__ = schema.name.rpartition(".")[2]
        describe(texts, f, method, formulas)
        SCHEMAS[schema.name, method] = schema
        return bound(schema, f)  # type: ignore[return-value]

    return enter


def function_of(method: Callable[..., Any], schema: Schema) -> Callable[..., Any]:
    """Return the function of the module that calls a method of tensors, with its docstring."""

    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        return method(self, *args, **kwargs)

    call.__wrapped__, call.__doc__ = method, method.__doc__  # type: ignore[attr-defined]
    call.__name__ = call.__qualname__ = schema.call
    describe(schema.texts, call, formulas=schema.formulas)
    return bound(schema, call)


def tensor_method(*texts: str, function: bool = False, numbers: bool = False) -> Callable[[F], F]:
    """Enter a method that tensors have and expressions have not, since it changes the tensor.

    It is a function of the module, too, where `function`; numbers count as tensors where `numbers`.
    """

    def enter(f: F) -> F:
        schema = Schema(texts, method=True, numbers=numbers, formulas=False)
        describe(texts, f, method=True, formulas=False)
        SCHEMAS[schema.name, True] = schema
        BODIES[schema.name] = f
        TENSOR_METHODS[schema.name] = bound(schema, f)
        if function:
            IN_PLACE[schema.name.removesuffix("_")] = "function"
        return f

    return enter


def in_place(name: str, sharing: str = "whole") -> Callable[[F], F]:
    """Enter what the method `name` in place computes, where that is not what `name` does.

    `sharing` says which memory the arguments may share, as in `public`.
    """

    def enter(f: F) -> F:
        IN_PLACE_FORMS[name] = f
        if sharing != "whole":
            SHARING[name] = sharing
        return f

    return enter


def public_property(name: str) -> Callable[[F], F]:
    """Enter a function as an attribute of tensors and expressions."""

    def enter(f: F) -> F:
        PROPERTIES[name] = property(f)
        return f

    return enter
