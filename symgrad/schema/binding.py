"""From a call to the body of a function: the usual way, and the general one.

Python itself binds the arguments of a usual call, to a function whose source is made from the
schema: it asks for the classes of the arguments, overload by overload, and calls the body. What
these classes do not decide goes the general way: NumPy's names and values, `out`, arguments that
answer calls themselves, and calls that fit nothing.
"""

from __future__ import annotations

import functools
import inspect
import keyword
import re
import types
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from types import FunctionType
from typing import Any, TypeVar

import numpy as np
import sympy

from symgrad.expr.devices import is_cpu
from symgrad.expr.node import ArrayExpr, as_expr
from symgrad.schema.dispatch import declared, dispatch, overriding, refused
from symgrad.schema.kinds import Unfit, type_name
from symgrad.schema.text import (
    NOT_GIVEN,
    NUMPY_NAMES,
    Beside,
    Misfit,
    Overload,
    Parameter,
    Schema,
    respelled,
)
from symgrad.support.refusals import limit, limited
from symgrad.support.untraceable import UntraceableValue

__all__ = ["SchemaSignature", "bound", "reads"]

F = TypeVar("F", bound=Callable[..., Any])

#: Parameters that say nothing here: there is one device, and elements lie in the order of the axes.
_IGNORED = frozenset(
    ("out", "memory_format", "non_blocking", "implicit", "device", "layout", "pin_memory")
)

_SPELLED = frozenset(NUMPY_NAMES)

#: What a usual call returns that is none.
_UNUSUAL: Any = object()

#: Classes of tensors and expressions that were seen; what else fits is asked each time.
_tensors: set[type[Any]] = set()
#: Those that can be written into.
_written: set[type[Any]] = set()
#: Classes of tensors and numbers, where they count as tensors.
_numbers: set[type[Any]] = {int, float, bool, complex}
_written_numbers: set[type[Any]] = {int, float, bool, complex}


def _remember(x: Any) -> None:
    cls = x.__class__
    if not cls.__module__.startswith("symgrad"):
        return
    if hasattr(cls, "_record"):
        _written.add(cls)
        _written_numbers.add(cls)
    if hasattr(cls, "_record") or isinstance(x, ArrayExpr):
        _tensors.add(cls)
        _numbers.add(cls)


def _integers(x: Any) -> bool:
    """Return whether `x` is a sequence of Python's integers."""
    if x.__class__ is not tuple and x.__class__ is not list:
        return False
    for item in x:  # noqa: SIM110 - `all` takes three times as long
        if item.__class__ is not int:
            return False
    return True


def _spread(x: Any) -> bool:
    """Return whether sizes were given one by one, or as one sequence."""
    return len(x) > 0 and _integers(x[0] if len(x) == 1 and x[0].__class__ is not int else x)


def _joined(x: Any) -> Any:
    return tuple(x[0]) if len(x) == 1 and x[0].__class__ is not int else x


def _all_tensors(x: Any) -> bool:
    """Return whether `x` is a sequence of tensors."""
    if x.__class__ is not tuple and x.__class__ is not list:
        return False
    for item in x:  # noqa: SIM110 - `all` takes three times as long
        if item.__class__ not in _tensors:
            return False
    return True


_ENVIRONMENT: dict[str, Any] = {
    "NOT_GIVEN": NOT_GIVEN, "UNUSUAL": _UNUSUAL, "tensors": _tensors, "written": _written,
    "numbers": _numbers, "written_numbers": _written_numbers, "integers": _integers,
    "spread": _spread, "joined": _joined,
    "all_tensors": _all_tensors, "is_cpu": is_cpu,
}  # fmt: skip


#: The condition and the value of what a star collects.
_STARRED = {
    "int[]": ("spread({0})", "joined({0})"),
    "Tensor...": ("all_tensors({0})", "{0}"),
    "object...": ("True", "{0}"),
}


def bound(schema: Schema, body: Callable[..., Any]) -> Callable[..., Any]:
    """Return the public function that calls `body` with the arguments that a schema reads.

    The body takes parameters by the names of the schema, those of all overloads together; for a
    parameter that the overload called does not have it gets its own default, that of another
    overload, or `NOT_GIVEN`. An `out` that the body does not take receives the result.
    """
    usual: Callable[..., Any] | None = None  # made when the first call comes

    def call(*args: Any, **kwargs: Any) -> Any:
        nonlocal usual
        other: Exception | None = None
        if usual is None:
            usual = _usual(schema, body)
        if not declared:
            try:
                if kwargs and not _SPELLED.isdisjoint(kwargs):
                    result = usual(*args, **respelled(kwargs, schema.names))
                else:
                    result = usual(*args, **kwargs)
                if result is not _UNUSUAL:
                    return result
            except Exception as error:
                if not _by_binding(error):
                    other = limit(error, schema.call)
                    if other is None:
                        raise
        if other is None:
            return _unusual(schema, body, usual, args, kwargs)
        try:
            raise other
        finally:
            del other  # its traceback holds the variables

    for name in ("__module__", "__doc__"):
        setattr(call, name, getattr(body, name))
    call.__name__ = call.__qualname__ = schema.call
    schema.function = call
    call.__wrapped__ = body  # type: ignore[attr-defined]
    call.__signature__ = SchemaSignature(schema, body)  # type: ignore[attr-defined]
    return call


def _usual(schema: Schema, body: Callable[..., Any]) -> Callable[..., Any]:
    """Make the function that serves calls as they usually are, and returns `_UNUSUAL` for others.

    Of `sum` with an axis it would be::

        def usual(input, dim=NOT_GIVEN, keepdim=NOT_GIVEN, *, dtype=None):
            if input.__class__ in tensors and dim is NOT_GIVEN and keepdim is NOT_GIVEN and …:
                return body(input, NOT_GIVEN, False, dtype=dtype)
            if input.__class__ in tensors and (dim.__class__ is int or integers(dim)) and …:
                return body(input, (dim,) if dim.__class__ is int else tuple(dim), …)
            return UNUSUAL
    """
    shown = [s for s in schema.overloads if not s.hidden]
    base = _longest(shown)
    own = [] if not schema.method else ["self"]
    stars = ""
    if _starred(base, shown):
        stars = base.parameters[0].name
        shown = [s for s in shown if s.spreads and s.parameters[0] == base.parameters[0]] or [base]
    places = [p.name for p in base.parameters if not p.keyword_only]
    known = {*map(_plain, _names(body)), *_IGNORED}
    shown = [s for s in shown if known.issuperset([p.name for p in s.parameters])]
    short = [s for s in shown if _lacks_first(s, base) or _begins_otherwise(s, base)]
    admitted = [s for s in shown if s in short or _fits_places(s, places)]
    common = [p for p in _union(admitted) if p.name != "out" or "out" in _names(body)]
    positional = [p for p in common if p.name in places]
    keyword_only = [p for p in common if p.name not in places]
    environment = {**_ENVIRONMENT, "body": body}
    defaults: dict[str, Any] = {}
    for p in common:
        values = [
            q.value for s in admitted for q in s.parameters if q.name == p.name and q.optional
        ]
        everywhere = len(values) == len(admitted) and all(v == values[0] for v in values)
        if short and p in positional:
            defaults[p.name] = NOT_GIVEN
        elif everywhere:
            defaults[p.name] = values[0]
        elif values or len([s for s in admitted if p in s.parameters]) < len(admitted):
            defaults[p.name] = NOT_GIVEN
    lines = []
    # How many places have several names.
    by_place = max([1 if _begins_otherwise(s, base) else s.positional for s in short], default=0)
    for overload in admitted:
        for placed in _placements(overload, places, by_place if overload in short else 0):
            asked, passed = _test(
                schema, body, overload, common, defaults, stars, environment, placed
            )
            condition = " and ".join(asked) or "True"
            lines.append(f"    if {condition}:\n        return body({passed})\n")
    places_taken = [_python(p.name) for p in positional]
    # Python refuses some names as keywords, and ours are no names of PyTorch's.
    unnamed = [i + 1 for i, p in enumerate(positional) if keyword.iskeyword(p.name)]
    if unnamed or by_place:
        places_taken.insert(max([*unnamed, by_place]), "/")
    names = [*own, *([f"*{stars}"] if stars else places_taken)]
    if keyword_only and not stars:
        names.append("*")
    names += [_python(p.name) for p in keyword_only]
    source = f"def usual({', '.join(names)}):\n{''.join(lines)}    return UNUSUAL\n"
    exec(compile(source, f"<symgrad {schema.name}>", "exec"), environment)  # noqa: S102 - of a schema
    made = environment["usual"]
    assert isinstance(made, FunctionType)
    if not stars:
        made.__defaults__ = tuple([defaults[p.name] for p in positional if p.name in defaults])
    made.__kwdefaults__ = {
        _python(p.name): defaults[p.name] for p in keyword_only if p.name in defaults
    }
    kind = "Tensor." if schema.method else ""
    made.__name__, made.__qualname__ = schema.call, f"{kind}{schema.call}"
    return made


def _longest(overloads: Sequence[Overload]) -> Overload:
    """Return the overload that takes most by position; of several one that takes it spread.

    Where another overload takes one integer, it is what a single one means.
    """
    ints = any(s.parameters and s.parameters[0].kind == "int" for s in overloads)
    return max(overloads, key=lambda s: (s.positional, s.spreads and not ints))


def _starred(base: Overload, overloads: Sequence[Overload]) -> bool:
    """Return whether a star collects what a call gives by position."""
    first = base.parameters[0].kind if base.parameters else ""
    ints = any(s.parameters and s.parameters[0].kind == "int" for s in overloads)
    return first.endswith("...") or (base.spreads and not ints)


def _fits_places(overload: Overload, places: list[str]) -> bool:
    """Return whether the parameters of an overload have the places of the longest one.

    One that only a keyword may give must not be reached by position: a parameter before it, which
    the overload does not have, sees to that.
    """
    names = [p.name for p in overload.parameters]
    for i, p in enumerate(overload.parameters):
        if not p.keyword_only:
            if places[i : i + 1] != [p.name]:
                return False
        elif p.name in places and all(q in names for q in places[: places.index(p.name)]):
            return False
    return True


def _lacks_first(overload: Overload, base: Overload) -> bool:
    """Return whether an overload is the longest without the first of two arguments of one kind.

    So `arange(end)` is beside `arange(start, end, step)`, and `randint(high, size)`.
    """
    own = [p.name for p in overload.parameters if not p.keyword_only]
    longest = [p for p in base.parameters if not p.keyword_only]
    names = [p.name for p in longest]
    first = next((i for i, n in enumerate(names) if own[i : i + 1] != [n]), len(names))
    kinds = {p.kind.removesuffix("?") for p in longest[first : first + 2]}
    lacking = names[:first] + names[first + 1 :]
    return first < len(own) and len(kinds) == 1 and own == lacking[: len(own)]


def _begins_otherwise(overload: Overload, base: Overload) -> bool:
    """Return whether an overload must be given what the longest one does not have, nor need, there.

    So `to(dtype)` is beside `to(device=None, dtype=None)`.
    """
    own = [p for p in overload.parameters if not p.keyword_only]
    longest = [p for p in base.parameters if not p.keyword_only]
    for p, q in zip(own, longest, strict=False):
        if p.name != q.name:
            return q.optional and not p.optional
    return False


def _placements(
    overload: Overload, places: Sequence[str], by_place: int
) -> Iterator[Mapping[str, str]]:
    """Yield which variables hold the parameters of an overload, by their names.

    Those given by position stand at the places of others, where the overload lacks the first of
    these; up to `by_place`, arguments are given by position only.
    """
    own = [p.name for p in overload.parameters if not p.keyword_only]
    if not by_place:
        yield {}
        return
    for count in range(min(len(own), by_place), 0, -1):
        if not {*own[count:]} & {*places[:by_place]}:
            yield dict(zip(own[:count], places, strict=False))


def _union(overloads: Sequence[Overload]) -> list[Parameter]:
    found: dict[str, Parameter] = {}
    for overload in sorted(overloads, key=lambda s: -s.positional):
        for p in overload.parameters:
            found.setdefault(p.name, p)
    return list(found.values())


def _python(name: str) -> str:
    """Return a name that Python takes for the parameter `name` of PyTorch's, as in `from_`."""
    return f"{name}_" if keyword.iskeyword(name) else name


def _test(
    schema: Schema,
    body: Callable[..., Any],
    overload: Overload,
    common: Sequence[Parameter],
    defaults: Mapping[str, Any],
    stars: str,
    environment: dict[str, Any],
    placed: Mapping[str, str],
) -> tuple[list[str], str]:
    """Return the conditions under which a call has this overload, and what the body is given.

    The arguments stand in variables of the names of the parameters, or in those that are `placed`.
    """
    own = {placed.get(p.name, p.name): p for p in overload.parameters}
    asked = []
    if schema.method:
        asked.append(f"self.__class__ in {'tensors' if schema.formulas else 'written'}")
    values: dict[str, str] = {"self": "self"}
    for p in common:
        v, open_ = _python(p.name), defaults.get(p.name) is NOT_GIVEN
        if p.name not in own:
            asked.append(f"{v} is NOT_GIVEN")
            continue
        p = own[p.name]
        if p.name == stars:
            condition, value = _STARRED[p.kind]
        else:
            condition, value = _exactly(p, overload, environment)
        condition, value = condition.format(v), value.format(v)
        if open_ and p.optional:
            default = f"default_{len(environment)}"  # another overload may have another one
            environment[default] = p.value
            condition = f"({v} is NOT_GIVEN or {condition})"
            value = f"({default} if {v} is NOT_GIVEN else {value})"
        if condition != "True":
            asked.append(condition)
        values[p.name] = value
    positional, starred, keyword_only = _layout(body)
    passed = []
    for i, name in enumerate((*positional, *keyword_only)):
        if i == 0 and schema.method:
            text = "self"
        else:
            text = values.get(_plain(name)) or _constant(schema, body, overload, name, environment)
        passed.append(f"{name}={text}" if i >= len(positional) else text)
    if starred:
        passed.insert(len(positional), f"*{values[starred]}")
    return asked, ", ".join(passed)


def _plain(name: str) -> str:
    """Return the parameter of PyTorch's function that the body calls `name`."""
    if name == "self":
        return "input"
    return name.removesuffix("_") if keyword.iskeyword(name.removesuffix("_")) else name


def _constant(
    schema: Schema,
    body: Callable[..., Any],
    overload: Overload,
    name: str,
    environment: dict[str, Any],
) -> str:
    """Return the name in generated code of what a parameter is that an overload does not have."""
    place = f"constant_{name}"
    environment[place] = _value(schema, body, overload, name, {})
    return place


#: The set of the classes that count as tensors, where numbers do and where formulas do.
_AMONG = {
    (True, True): "numbers", (True, False): "written_numbers", (False, True): "tensors",
    (False, False): "written",
}  # fmt: skip


def _exactly(p: Parameter, overload: Overload, environment: dict[str, Any]) -> tuple[str, str]:
    """Return the condition that an argument needs no conversion, and the text of its value."""
    none = "{0} is None or " if p.kind.endswith("?") else ""
    plain = p.kind.removesuffix("?")
    if plain == "object":
        return "True", "{0}"
    if plain == "Tensor":
        among = _AMONG[overload.numbers, overload.formulas]
        return (
            f"({none}{{0}}.__class__ in {among})" if none else f"{{0}}.__class__ in {among}"
        ), "{0}"
    if plain == "Device":
        return f"({none}is_cpu({{0}}))", "{0}"
    if plain in ("Tensor[]", "Tensor?[]"):
        return f"({none}all_tensors({{0}}))", "{0}"
    listed = re.fullmatch(r"int\[(\d*)\]", plain)
    if listed is not None:
        value = "tuple({0})"
        condition = "integers({0})"
        if listed[1]:
            copies = ", ".join(["{0}"] * int(listed[1])) + ("," if listed[1] == "1" else "")
            condition = f"{{0}}.__class__ is int or {condition}"
            value = f"({copies}) if {{0}}.__class__ is int else tuple({{0}})"
        if none:
            value = f"None if {{0}} is None else {value}"
        return f"({none}{condition})", f"({value})"
    exact = [cls for cls in p.of.exact if cls is not type(None)]
    if not exact:
        return (none.removesuffix(" or ") or "False"), "{0}"
    if len(exact) == 1:
        place = f"class_{exact[0].__name__}"
        environment[place] = exact[0]
        condition = f"{{0}}.__class__ is {place}"
    else:
        place = "exact_" + "_".join([cls.__name__ for cls in exact])
        environment[place] = frozenset(exact)
        condition = f"{{0}}.__class__ in {place}"
    return (f"({none}{condition})" if none else condition), "{0}"


def reads(*texts: str, python: bool = True) -> Callable[[F], F]:
    """Let a function that stands in no table have its arguments read by its schema.

    Parameters
    ----------
    *texts : str
        The schema, one text for each overload; the name is the path of the function.
    python : bool
        Whether PyTorch writes the function in Python.
    """

    def decorate(f: F) -> F:
        return bound(Schema(texts, python=python), f)  # type: ignore[return-value]

    return decorate


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
    return limited(schema.call)(_resolved)(schema, body, usual, args, kwargs)


def _resolved(
    schema: Schema,
    body: Callable[..., Any],
    usual: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
) -> Any:
    """Return what the body returns for a call that no argument answers."""
    try:
        result = usual(*args, **(kwargs if schema.python else respelled(kwargs, schema.names)))
        if result is not _UNUSUAL:
            return result
    except TypeError as error:
        if schema.python or not _by_binding(error):
            raise
    return _general(schema, body, args, kwargs)


def _by_binding(error: Exception) -> bool:
    """Return whether Python itself refused the call that raised an error in the caller's frame."""
    raised = error.__traceback__
    return raised is not None and raised.tb_next is None


def _general(
    schema: Schema, body: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """Call the body as PyTorch's parser would: for the first overload that the call fits."""
    own, given = (args[:1], args[1:]) if schema.method else ((), args)
    overload, values = (_of_python if schema.python else _first_fit)(schema, args, given, kwargs)
    for name, value in values.items():
        _remember(value)
        values[name] = _converted(overload, name, value, args, kwargs)
    for x in own:
        _remember(x)
    for name in values.keys() - _IGNORED - {_plain(n) for n in _names(body)}:
        raise TypeError(f"{schema.call}(): symgrad has no '{name}'")
    out = NOT_GIVEN
    if "out" not in _names(body):
        out = values.pop("out", NOT_GIVEN)
    result = _called(schema, body, overload, own, values)
    return result if out is NOT_GIVEN or out is None else _received(schema.call, out, result)


def _first_fit(
    schema: Schema, args: tuple[Any, ...], given: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> tuple[Overload, dict[str, Any]]:
    """Return the first overload that a call fits, and the arguments by their names."""
    read = respelled(kwargs, schema.names)
    if len(read) < len(kwargs):
        raise TypeError(f"{schema.call}() got an argument under two names")
    for beside in (Beside.NOTHING, Beside.of(args, kwargs)):
        for overload in schema.overloads:
            try:
                return overload, overload.find(given, read, beside)
            except Misfit:
                continue
    raise (
        _needs_values(schema, given, read)
        or schema.refusal(given, kwargs)
        or TypeError(f"{schema.call}(): the arguments do not fit")
    )


def _needs_values(
    schema: Schema, given: tuple[Any, ...], read: Mapping[str, Any]
) -> UntraceableValue | None:
    """Return the error for a call that fits if formulas have values; None for another."""
    if Beside.of(given, read) is not Beside.FORMULA:
        return None
    for overload in schema.overloads:
        try:
            overload._replace(formulas=True).find(given, read, Beside.FORMULA)
        except Misfit:
            continue
        return UntraceableValue(
            f"{schema.call}() reads or writes the elements of its arguments, which a symbolic array "
            "does not have while its function is traced"
        )
    return None


def _of_python(
    schema: Schema, args: tuple[Any, ...], given: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[Overload, dict[str, Any]]:
    """Return the arguments of a call by their names, as a function written in Python gets them."""
    (overload,) = schema.overloads
    refusal = overload.misfit(given, kwargs, Beside.of(args, kwargs))
    if refusal is not None:
        refusal = _needs_values(schema, given, kwargs) or refusal
        try:
            raise refusal
        finally:
            del refusal  # its traceback holds the variables
    values = dict(kwargs)
    for i, p in enumerate(overload.parameters):
        if p.kind.endswith("..."):
            values[p.name] = p.listed(given[i:])
            break
        if i < len(given):
            values[p.name] = given[i]
    return overload, values


def _converted(
    overload: Overload, name: str, value: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """Return what the body is given for an argument that fits."""
    p = next(p for p in overload.parameters if p.name == name)
    if p.kind.endswith("..."):
        return tuple([_operand(x, args, kwargs) for x in value])
    if "Tensor" in p.kind:
        value = _operand(value, args, kwargs)
    try:
        return p.of.convert(value)
    except Unfit as error:
        text = str(error)
    raise TypeError(f"{overload.call}(): argument '{name}' {text}")


def _operand(value: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Return an array or a formula of SymPy's as a tensor or a formula, like what it is beside."""
    if isinstance(value, ArrayExpr) or not isinstance(value, (np.ndarray, sympy.Basic)):
        return value
    for x in (*args, *kwargs.values()):
        for y in x if isinstance(x, (tuple, list)) else (x,):
            if hasattr(type(y), "_constant") and isinstance(value, np.ndarray):
                return type(y)._constant(value)
    return as_expr(value)


def _called(
    schema: Schema,
    body: Callable[..., Any],
    overload: Overload,
    own: tuple[Any, ...],
    values: dict[str, Any],
) -> Any:
    """Call the body with values by their names."""
    positional, starred, keyword_only = _layout(body)
    given: list[Any] = list(own)
    given += [_value(schema, body, overload, name, values) for name in positional[len(own) :]]
    if starred:
        given += _value(schema, body, overload, starred, values)
    keywords = {name: _value(schema, body, overload, name, values) for name in keyword_only}
    return body(*given, **keywords)


def _value(
    schema: Schema,
    body: Callable[..., Any],
    overload: Overload,
    parameter: str,
    values: Mapping[str, Any],
) -> Any:
    """Return what the body gets for a parameter of its own."""
    name = _plain(parameter)
    if name in values:
        return values[name]
    for p in overload.parameters:
        if p.name == name:
            return p.value
    default = inspect.signature(body).parameters[parameter].default
    if default is not inspect.Parameter.empty:
        return default
    return schema.names[name].value if name in schema.names else NOT_GIVEN


class SchemaSignature(inspect.Signature):
    """The signature of a public function, read from its schema when somebody asks for it."""

    __slots__ = ("_own",)
    _own: tuple[Schema, Callable[..., Any]]

    def __init__(self, schema: Schema, body: Callable[..., Any]) -> None:
        self._own = schema, body

    @property
    def parameters(self) -> Any:
        """The parameters of all overloads together, the starred one among them."""
        schema, body = self._own
        taken = {*map(_plain, _names(body)), *_IGNORED}
        found = _signature_parameters(schema, taken)
        return types.MappingProxyType({p.name: p for p in found})

    @property
    def return_annotation(self) -> Any:
        return inspect.Signature.empty


def _signature_parameters(schema: Schema, taken: Container[str]) -> list[inspect.Parameter]:
    kinds = inspect.Parameter
    found = [kinds("self", kinds.POSITIONAL_ONLY)] if schema.method else []
    shown = [s for s in schema.overloads if not s.hidden]
    base = _longest(shown)
    places = [p.name for p in base.parameters if not p.keyword_only]
    starred = _starred(base, shown)
    required = {
        p.name
        for p in _union(shown)
        if all(any(q.name == p.name and not q.optional for q in s.parameters) for s in shown)
    }
    optional = False
    for p in _union(shown):
        if p.name not in taken:
            continue
        kind: Any = kinds.KEYWORD_ONLY
        if p.name in places:
            kind = kinds.VAR_POSITIONAL if starred else kinds.POSITIONAL_OR_KEYWORD
        default: Any = kinds.empty
        if kind is not kinds.VAR_POSITIONAL and (optional or p.name not in required):
            values = [
                q.value for s in shown for q in s.parameters if q.name == p.name and q.optional
            ]
            default = values[0] if values else NOT_GIVEN
            optional = optional or kind is kinds.POSITIONAL_OR_KEYWORD
        found.append(kinds(_python(p.name), kind, default=default))
    return found


@functools.lru_cache(maxsize=4096)
def _layout(body: Callable[..., Any]) -> tuple[list[str], str, list[str]]:
    """Return the names that the body takes by position, after a star, and by keyword alone."""
    kinds = inspect.Parameter
    found: dict[Any, list[str]] = {}
    for p in inspect.signature(body).parameters.values():
        found.setdefault(p.kind, []).append(p.name)
    positional = found.get(kinds.POSITIONAL_ONLY, []) + found.get(kinds.POSITIONAL_OR_KEYWORD, [])
    starred = found.get(kinds.VAR_POSITIONAL, [""])[0]
    return positional, starred, found.get(kinds.KEYWORD_ONLY, [])


def _names(body: Callable[..., Any]) -> list[str]:
    """Return the names of all parameters of the body."""
    positional, starred, keyword_only = _layout(body)
    return [*positional, starred, *keyword_only]


def _received(name: str, out: Any, result: Any) -> Any:
    if isinstance(result, ArrayExpr) or isinstance(out, ArrayExpr):
        raise UntraceableValue(f"{name}(): argument 'out' must be Tensor, not a symbolic array")
    if not hasattr(type(out), "_receive") or not hasattr(type(result), "_receive"):
        kind = type_name(result if hasattr(type(out), "_receive") else out)
        raise TypeError(f"{name}(): argument 'out' must be Tensor, not {kind}")
    return out._receive(name, result)
