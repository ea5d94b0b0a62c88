"""The fast path of a public function: a function, generated from its schema, for usual calls.

A usual call has tensors, numbers and tuples of exactly the expected classes. Python itself binds
its arguments to the parameters of the generated function, which compares their classes, overload by
overload, and calls the body. Any other call is served by `symgrad.schema.general`.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import FunctionType
from typing import Any

from symgrad.expr.devices import is_cpu
from symgrad.expr.node import ArrayExpr
from symgrad.schema.body import IGNORED, default_of, layout_of, names_of, python_name, schema_name
from symgrad.schema.signatures import has_star, longest, union
from symgrad.schema.text import NOT_GIVEN, Overload, Parameter, Schema

#: The result of the generated function for a call that is not usual.
UNUSUAL: Any = object()

#: Classes of tensors and expressions that have occurred; other classes are checked at each call.
_tensors: set[type[Any]] = set()
#: Classes of tensors, which an operation can write into.
_written: set[type[Any]] = set()
#: Classes of tensors and numbers, where they count as tensors.
_numbers: set[type[Any]] = {int, float, bool, complex}
_written_numbers: set[type[Any]] = {int, float, bool, complex}


def remember(x: Any) -> None:
    """Enter the class of a tensor or formula, so that calls with it are usual from now on."""
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
    "NOT_GIVEN": NOT_GIVEN, "UNUSUAL": UNUSUAL, "tensors": _tensors, "written": _written,
    "numbers": _numbers, "written_numbers": _written_numbers, "integers": _integers,
    "spread": _spread, "joined": _joined,
    "all_tensors": _all_tensors, "is_cpu": is_cpu,
}  # fmt: skip


#: For each kind of starred parameter, the condition and the value of the arguments that it collects.
_STARRED = {
    "int[]": ("spread({0})", "joined({0})"),
    "Tensor...": ("all_tensors({0})", "{0}"),
    "Tensor[]...": ("all_tensors({0})", "{0}"),
    "object...": ("True", "{0}"),
}


def usual_of(schema: Schema, body: Callable[..., Any]) -> Callable[..., Any]:
    """Make the function that serves calls as they usually are, and returns `UNUSUAL` for others.

    Of `sum` with an axis it would be::

        def usual(input, dim=NOT_GIVEN, keepdim=NOT_GIVEN, *, dtype=None):
            if input.__class__ in tensors and dim is NOT_GIVEN and keepdim is NOT_GIVEN and …:
                return body(input, NOT_GIVEN, False, dtype=dtype)
            if input.__class__ in tensors and (dim.__class__ is int or integers(dim)) and …:
                return body(input, (dim,) if dim.__class__ is int else tuple(dim), …)
            return UNUSUAL
    """
    shown = [s for s in schema.overloads if not s.hidden]
    base = longest(shown)
    own = [] if not schema.method else ["self"]
    stars = ""
    if has_star(base, shown):
        stars = base.parameters[0].name
        shown = [s for s in shown if s.spreads and s.parameters[0] == base.parameters[0]] or [base]
    places = [p.name for p in base.parameters if not p.keyword_only]
    known = {*map(schema_name, names_of(body)), *IGNORED}
    shown = [s for s in shown if known.issuperset([p.name for p in s.parameters])]
    short = [s for s in shown if _lacks_first(s, base) or _begins_otherwise(s, base)]
    admitted = [s for s in shown if s in short or _fits_places(s, places)]
    unwritten = "out" not in places and "out" not in names_of(body)
    common = [p for p in union(admitted) if p.name != "out" or not unwritten]
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
    places_taken = [python_name(p.name) for p in positional]
    # Python refuses some names as keywords, and ours are no names of PyTorch's.
    unnamed = [i + 1 for i, p in enumerate(positional) if keyword.iskeyword(p.name)]
    if unnamed or by_place:
        places_taken.insert(max([*unnamed, by_place]), "/")
    names = [*own, *([f"*{stars}"] if stars else places_taken)]
    if keyword_only and not stars:
        names.append("*")
    names += [python_name(p.name) for p in keyword_only]
    source = f"def usual({', '.join(names)}):\n{''.join(lines)}    return UNUSUAL\n"
    exec(compile(source, f"<symgrad {schema.name}>", "exec"), environment)  # noqa: S102 - of a schema
    made = environment["usual"]
    assert isinstance(made, FunctionType)
    if not stars:
        made.__defaults__ = tuple([defaults[p.name] for p in positional if p.name in defaults])
    made.__kwdefaults__ = {
        python_name(p.name): defaults[p.name] for p in keyword_only if p.name in defaults
    }
    kind = "Tensor." if schema.method else ""
    made.__name__, made.__qualname__ = schema.call, f"{kind}{schema.call}"
    return made


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
    """Return whether a required parameter of this overload has no place in the longest overload.

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
    """Return the conditions under which a call has this overload, and the arguments of the body.

    The arguments stand in variables of the names of the parameters, or in those that are `placed`.
    """
    own = {placed.get(p.name, p.name): p for p in overload.parameters}
    asked = []
    if schema.method:
        asked.append(f"self.__class__ in {'tensors' if schema.formulas else 'written'}")
    values: dict[str, str] = {"self": "self"}
    for p in common:
        v, open_ = python_name(p.name), defaults.get(p.name) is NOT_GIVEN
        if p.name not in own:
            asked.append(f"{v} is NOT_GIVEN")
            continue
        p = own[p.name]
        if p.name == stars:
            condition, value = _STARRED[p.kind]
        elif p.name == "out" and "out" not in names_of(body):
            condition, value = "{0} is None", "{0}"
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
    positional, starred, keyword_only = layout_of(body)
    passed = []
    for i, name in enumerate((*positional, *keyword_only)):
        if i == 0 and schema.method:
            text = "self"
        else:
            text = values.get(schema_name(name)) or _constant(
                schema, body, overload, name, environment
            )
        passed.append(f"{name}={text}" if i >= len(positional) else text)
    if starred:
        passed.insert(len(positional), f"*{values[starred]}")
    return asked, ", ".join(passed)


def _constant(
    schema: Schema,
    body: Callable[..., Any],
    overload: Overload,
    name: str,
    environment: dict[str, Any],
) -> str:
    """Return the name in generated code of what a parameter is that an overload does not have."""
    place = f"constant_{name}"
    environment[place] = default_of(schema, body, overload, name)
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
