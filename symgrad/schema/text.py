"""The schema of a function: one text for each overload, and PyTorch's messages about calls.

`sum(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor` is written
as PyTorch writes it. What the kinds of arguments are stands in `kinds`; how a call finds its
overload and reaches the body of a function, in `binding`.
"""

from __future__ import annotations

import enum
import functools
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from symgrad.expr.devices import check_device
from symgrad.expr.node import ArrayExpr
from symgrad.schema import messages
from symgrad.schema.arguments import check_listed
from symgrad.schema.kinds import Kind, is_expression, is_tensor, kind_of


class _NotGiven:
    """The type of `NOT_GIVEN`, which stands for a parameter that the called overload lacks."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "<not given>"


NOT_GIVEN: Final[Any] = _NotGiven()

#: NumPy's names of arguments, which PyTorch's compiled functions accept as well.
NUMPY_NAMES = {"axis": "dim", "keepdims": "keepdim", "x": "input", "a": "input", "x1": "input",
               "x2": "other"}  # fmt: skip
_NUMPY_NAMES_OF = {
    name: tuple([n for n, of in NUMPY_NAMES.items() if of == name]) for name in NUMPY_NAMES.values()
}

_TEXT = re.compile(r"([+-]?)([\w.]+)\((.*?)\)(?: -> (.+))?")


class CallKind(enum.Enum):
    """Whether a call has a formula, else a tensor, or neither among its arguments.

    This decides what counts as a tensor: in a call with a tensor also an array of NumPy's, in a
    call with a formula also a number.
    """

    NOTHING = 0
    TENSOR = 1
    FORMULA = 2

    @classmethod
    def of(cls, args: Sequence[Any], kwargs: Mapping[str, Any]) -> CallKind:
        """Return the member for the arguments of a call."""
        found = cls.NOTHING
        for x in (*args, *kwargs.values()):
            for y in x if isinstance(x, (tuple, list)) else (x,):
                if is_expression(y):
                    return cls.FORMULA
                if is_tensor(y):
                    found = cls.TENSOR
        return found


class Misfit(TypeError):
    """PyTorch's message about a call that does not fit one overload."""


@functools.lru_cache(maxsize=512)
def _value_of(text: str) -> Any:
    """Return the default that a schema states; words are not quoted there."""
    words = {"None": None, "True": True, "False": False, "[]": ()}
    if text in words:
        return words[text]
    if text[0] in "'\"":
        return text[1:-1]
    if text[0] == "[":
        return tuple([int(n) for n in text[1:-1].split(",")])
    for number in (int, float):
        try:
            return number(text)
        except ValueError:
            continue
    return text


class Parameter(NamedTuple):
    """One parameter of an overload.

    Attributes
    ----------
    name, kind : str
        As the text has them; the tensor of a method is called "input".
    label : str
        Its name in messages.
    keyword_only : bool
        Whether it cannot be given by position.
    default : str or None
        The text of its default; None where it must be given.
    own : bool
        Whether PyTorch has no such parameter, so that messages do not list it.
    """

    name: str
    kind: str
    label: str
    keyword_only: bool
    default: str | None
    own: bool = False

    @property
    def optional(self) -> bool:
        """Whether a call may omit the parameter."""
        return self.default is not None

    @property
    def value(self) -> Any:
        """The default as a value."""
        return NOT_GIVEN if self.default is None else _value_of(self.default)

    @property
    def of(self) -> Kind:
        """The kind of the argument."""
        return kind_of(self.kind)

    @property
    def title(self) -> str:
        """The name of the kind in messages."""
        return self.of.title

    def listed(self, args: Sequence[Any]) -> tuple[Any, ...]:
        """Return the arguments that a star collects, or the elements of one sequence of tensors."""
        if self.kind == "Tensor[]..." and len(args) == 1 and isinstance(args[0], (tuple, list)):
            return tuple(args[0])
        return tuple(args)

    def __str__(self) -> str:
        return f"{self.title} {self.label}" + (f" = {self.default}" if self.optional else "")


class Overload(NamedTuple):
    """The arguments that one overload takes.

    Attributes
    ----------
    call : str
        The function, as messages name it.
    parameters : tuple of Parameter
        Those of a method without the tensor whose method it is.
    hidden : bool
        Whether it is deprecated, so that messages do not list it.
    numbers : bool
        Whether numbers count as tensors.
    returns : str
        What is returned, as the text has it.
    formulas : bool
        Whether formulas count as tensors, which nothing can be written into.
    inner : tuple of Overload
        What a function that PyTorch writes in Python hands its arguments to, by position.
    reads : str
        The attribute of tensors that a function in Python reads before all else; empty for none.
    """

    call: str
    parameters: tuple[Parameter, ...]
    hidden: bool
    numbers: bool
    returns: str
    formulas: bool = True
    inner: tuple[Overload, ...] = ()
    reads: str = ""

    @property
    def positional(self) -> int:
        """How many arguments may be given by position."""
        return sum(not p.keyword_only for p in self.parameters)

    @property
    def required(self) -> int:
        """How many arguments must be given."""
        return sum(not p.optional for p in self.parameters)

    @property
    def most(self) -> int:
        """How many arguments PyTorch's function takes."""
        return sum(not p.own for p in self.parameters)

    @property
    def spreads(self) -> bool:
        """Whether all positions may together be one argument, as in `expand(2, 3)`."""
        return self.positional == 1 and self.parameters[0].kind == "int[]"

    def find(
        self, args: Sequence[Any], kwargs: Mapping[str, Any], call_kind: CallKind = CallKind.NOTHING
    ) -> dict[str, Any]:
        """Return the argument for each parameter that was given; raise `Misfit` as PyTorch does.

        Parameters
        ----------
        args, kwargs
            What was given; keywords may have NumPy's names, and messages name them as they are.
        call_kind : CallKind
            Whether the call has tensors or formulas, which decides what counts as a tensor.
        """
        most = self.positional
        spread = self.spreads and bool(args) and kind_of("int[]").fits(args)
        if len(args) > most and not spread:
            raise Misfit(messages.too_many(self.call, self.required, most, len(args)))
        found: dict[str, Any] = {}
        position = by_name = 0
        for i, p in enumerate(self.parameters):
            by_position = position < len(args)
            if by_position and p.keyword_only:
                raise Misfit(messages.too_many(self.call, self.required, most, len(args)))
            names = (p.name, *_NUMPY_NAMES_OF.get(p.name, ()))
            name = None if by_position else next((n for n in names if n in kwargs), None)
            if not by_position and name is None:
                if not p.optional:
                    needed = [q.name for q in self.parameters[i:] if not q.optional]
                    raise Misfit(messages.missing(self.call, needed))
                continue
            x = args[position] if name is None else kwargs[name]
            kind = p.of
            if isinstance(x, (tuple, list)) and "Tensor" in p.kind and "[" in p.kind:
                check_listed(x, i, "?[" in p.kind)  # PyTorch does not try another overload
            if not self._takes(p, x, call_kind):
                if not (spread and by_position and position == 0 and kind.fits(args)):
                    place = position + 1 if by_position else None
                    raise Misfit(messages.wrong_kind(self.call, p.name, kind.title, x, place))
                x, position = tuple(args), len(args) - 1
            found[p.name] = x
            position += by_position
            by_name += not by_position
        if by_name < len(kwargs):
            known = [p.name for p in self.parameters]
            for name in kwargs:
                if name not in known:
                    raise Misfit(messages.unexpected(self.call, name))
                if known.index(name) < len(args):
                    raise Misfit(messages.repeated(self.call, name))
        return found

    def _takes(self, p: Parameter, x: Any, call_kind: CallKind) -> bool:
        """Return whether a parameter takes an argument of a call with tensors or formulas."""
        if p.of.fits(x):
            return self.formulas or not isinstance(x, ArrayExpr) or p.kind == "object"
        if p.name == "out" or "Tensor" not in p.kind or not self.formulas:
            return self.numbers and p.name != "out" and "Tensor" in p.kind and _is_number(x)
        if isinstance(x, np.ndarray) or is_expression(x):
            return call_kind is not CallKind.NOTHING
        return (self.numbers or call_kind is CallKind.FORMULA) and _is_number(x)

    def misfit(
        self, args: Sequence[Any], kwargs: Mapping[str, Any], call_kind: CallKind = CallKind.NOTHING
    ) -> TypeError | AttributeError | None:
        """Return the error for the first argument that is not of its kind, None for none.

        This is how functions that PyTorch writes in Python fail: how many arguments there are is
        Python's to check.
        """
        given: list[tuple[Parameter, Any, int | None]] = []
        for i, p in enumerate(self.parameters):
            if p.keyword_only or i >= len(args):
                if p.name in kwargs:
                    given.append((p, kwargs[p.name], None))
            elif p.kind.endswith("..."):
                listed = p.listed(args[i:])
                given += [(p, x, i + j + 1) for j, x in enumerate(listed)]
                args = args[: i + 1]
            else:
                given.append((p, args[i], i + 1))
        for p, x, position in given:
            if not self._takes(p, x, call_kind):
                if p.kind.endswith("...") and "Tensor" in p.kind:
                    place = self.parameters.index(p)
                    return TypeError(messages.wrong_element((position or 1) - place - 1, place, x))
                if self.reads and p.kind == "Tensor" and not hasattr(x, self.reads):
                    return AttributeError(messages.lacking(x, self.reads))
                call, title = self.call, p.title
                for inner in self.inner:
                    for i, q in enumerate(inner.parameters):
                        if q.name == p.name:
                            call, title = inner.call, q.title
                            position = None if q.keyword_only else i + 1
                return TypeError(messages.wrong_kind(call, p.name, title, x, position))
        return None

    def __str__(self) -> str:
        parts = [str(p) for p in self.parameters if not p.own]
        if self.positional < len(parts):
            parts.insert(self.positional, "*")
        return f"({', '.join(parts)})"


def _is_number(x: Any) -> bool:
    return kind_of("Scalar").fits(x)


_COMMA = re.compile(r", (?![^\[]*\])")


# Far more than there are texts of functions.
@functools.lru_cache(maxsize=8192)
def _parameters(text: str, method: bool) -> tuple[Parameter, ...]:
    """Return the parameters that a text lists, a method's without the tensor and without `out`."""
    found = []
    keyword_only = False
    for part in _COMMA.split(text) if text else ():
        if part == "*":
            keyword_only = True
        elif not method or not _NOT_OF_METHODS.search(part):
            found.append(_parameter(part, keyword_only))
    return tuple(found)


_NOT_OF_METHODS = re.compile(r" (self|out)(=|$)")


@functools.lru_cache(maxsize=8192)
def _parameter(part: str, keyword_only: bool) -> Parameter:
    kind, _, rest = part.removeprefix("~").partition(" ")
    name, has_default, default = rest.partition("=")
    label = name
    if name == "self":
        label, name = "input" if kind == "Tensor" else name, "input"
    default_of = default if has_default else None
    return Parameter(name, kind, label, keyword_only, default_of, part.startswith("~"))


class Schema:
    """What a public function takes and returns, as a function or as a method.

    Parameters
    ----------
    texts : sequence of str
        One for each overload, in PyTorch's order. A deprecated overload begins with "-", one that
        the method does not have with "+"; a parameter that PyTorch does not have with "~".
    name : str, optional
        The name, where it is an alias of that in the texts.
    method : bool
        Whether the schema is that of the method.
    python : bool
        Whether PyTorch writes the function in Python, whose calls fail as Python's do.
    numbers : bool
        Whether numbers count as tensors, though the texts do not say it.
    call : str, optional
        The name in messages, where it is not the last part of the name, for compiled functions
        of other modules with that of the module, as `special_erf`.
    formulas : bool
        Whether formulas count as tensors.
    inner : str, optional
        The text of the compiled function that a function in Python hands its arguments to.
    reads : str
        The attribute of tensors that a function in Python reads before all else; empty for none.
    """

    #: The public function that reads its arguments by the schema.
    function: Callable[..., Any]

    def __init__(
        self,
        texts: Sequence[str],
        name: str | None = None,
        *,
        method: bool = False,
        python: bool = False,
        numbers: bool = False,
        call: str | None = None,
        formulas: bool = True,
        inner: str | None = None,
        reads: str = "",
    ) -> None:
        self.texts = tuple(texts)
        self.inner = () if inner is None else Schema([inner]).overloads
        self._name = name
        self.method = method
        self.python = python
        self.numbers = numbers
        self._call = call
        self.formulas = formulas
        self.reads = reads

    def in_place(self, name: str, method: bool = False) -> Schema:
        """Return the schema of the function, or `method`, that changes the first argument.

        It has no overload whose first argument is a number, which cannot be changed.
        """
        texts = [text for text in self.texts if "(Scalar self" not in text]
        texts = [re.sub(r"(, \*)?, Tensor\? out=None\)", ")", text) for text in texts]
        options: Any = {"python": self.python, "numbers": self.numbers, "formulas": False}
        return Schema(texts, name, method=method, **options)

    @functools.cached_property
    def name(self) -> str:
        """The full name of the function, as in "nn.functional.relu"."""
        if self._name is not None:
            return self._name
        found = _TEXT.fullmatch(self.texts[0])
        assert found is not None, self.texts[0]
        return found[2]

    @property
    def call(self) -> str:
        """The name in messages."""
        space, _, short = self.name.rpartition(".")
        if self._call or self.python or space in ("", "nn.functional"):
            return self._call or short
        return f"{space}_{short}"

    @functools.cached_property
    def overloads(self) -> tuple[Overload, ...]:
        """The overloads, in PyTorch's order."""
        found = []
        for text in self.texts:
            parts = _TEXT.fullmatch(text)
            assert parts is not None, text
            mark, _, parameters, returns = parts.groups()
            if self.method and (mark == "+" or "Tensor self" not in parameters):
                continue
            found.append(
                Overload(
                    self.call, _parameters(parameters, self.method), mark == "-",
                    self.numbers, returns or "Tensor", self.formulas, self.inner,
                    self.reads,
                )
            )  # fmt: skip
        return tuple(found)

    @functools.cached_property
    def names(self) -> dict[str, Parameter]:
        """Each parameter of any overload that is not hidden, the first of its name."""
        found: dict[str, Parameter] = {}
        for overload in (*[s for s in self.overloads if not s.hidden], *self.overloads):
            for p in overload.parameters:
                known = found.get(p.name)
                if known is None or (known.default is None and p.default is not None):
                    found[p.name] = p
        return found

    @functools.cached_property
    def reads_numbers(self) -> bool:
        """Whether a scalar of NumPy's stands for its number in every overload."""
        return not any("object" in p.kind for s in self.overloads for p in s.parameters)

    @functools.cached_property
    def answered(self) -> bool:
        """Whether arguments may override calls: some parameter other than `out` is a tensor."""
        return (
            self.method
            or self.python
            or any(
                "Tensor" in p.kind and p.name != "out" for s in self.overloads for p in s.parameters
            )
        )

    def check(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> None:
        """Raise PyTorch's error for a call that fits no overload."""
        refusal = self.refusal(args, kwargs)
        if refusal is not None:
            try:
                raise refusal
            finally:
                del refusal  # the traceback of an error holds the variables

    def refusal(
        self, args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> TypeError | AttributeError | None:
        """Return PyTorch's error for a call that fits no overload, None for one that fits.

        The tensor whose method is called is not among the arguments.
        """
        overloads = self.overloads
        if self.method and len(overloads) == 1 and not overloads[0].parameters:
            if kwargs:
                return TypeError(f"Tensor.{self.call}() takes no keyword arguments")
            return (
                TypeError(f"Tensor.{self.call}() takes no arguments ({len(args)} given)")
                if args
                else None
            )
        if self.python:
            return overloads[0].misfit(args, kwargs)
        for overload in overloads:
            try:
                overload.find(args, kwargs)
            except Misfit:
                continue
            return None
        given = len(args) + len([k for k in kwargs if k not in self.names or not self.names[k].own])
        shown = [s for s in overloads if not s.hidden]
        plausible = [s for s in shown if s.required <= given <= s.most]
        if len(overloads) == 1:
            plausible = shown
        if len(plausible) == 1:
            try:
                plausible[0].find(args, kwargs)
            except Misfit as error:
                return TypeError(str(error))
        listed = [str(s) for s in shown]
        return TypeError(messages.invalid_combination(self.call, args, kwargs, listed))


_DEVICE = ["device(Device device) -> Device", "device(str type, int? index=-1) -> Device"]
check_device.state(Schema(_DEVICE).check)


def respelled(kwargs: Mapping[str, Any], known: Mapping[str, Any]) -> dict[str, Any]:
    """Return keywords with PyTorch's names in the place of NumPy's, but for those it knows.

    Of two names of one argument NumPy's stays, which then is unexpected.
    """
    read: dict[str, Any] = {}
    for k, v in kwargs.items():
        name = NUMPY_NAMES.get(k, k)
        read[k if k in known or name in kwargs or name in read else name] = v
    return read
