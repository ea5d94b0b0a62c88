"""The formula of an optimiser: what its `update` computes of leaves, lowered once, and printed.

Neither memory nor parameters are known here.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from types import SimpleNamespace
from typing import Any, NamedTuple

from symgrad.expr.atoms import as_expr
from symgrad.expr.dtypes import dtype
from symgrad.expr.inputs import leaf
from symgrad.expr.node import ArrayExpr
from symgrad.expr.printing import text
from symgrad.lower.executable import Executable
from symgrad.lower.update import Update

#: What `update` of an optimiser is: it takes a parameter, its gradient, states and settings. What
#: it sets beside states is a part that the text of the formula calls by that name.
Rule = Callable[[Any, Any, Any, Any], Any]


class Structure(NamedTuple):
    """All that a formula depends on but for the values of arrays and numbers.

    Attributes
    ----------
    rule : callable
        The `update` of an optimiser.
    kind : dtype
        That of the parameters, which are real.
    states, numbers : tuple of str
        The names of the states that are arrays, and of those that are numbers.
    settings : tuple of str
        The names of the settings that are numbers other than zero.
    fixed : tuple
        The names and the values of the other settings.
    shapes : tuple of tuple
        The shapes of the parameter and of the states, where a formula is one of whole arrays; by
        default it computes by elements, and one length stands for all shapes.
    """

    rule: Rule
    kind: dtype
    states: tuple[str, ...]
    numbers: tuple[str, ...]
    settings: tuple[str, ...]
    fixed: tuple[tuple[str, Any], ...]
    shapes: tuple[tuple[int, ...], ...] = ()


class Settings(SimpleNamespace):
    """The settings of a group, and `t`, the number of the step, as a formula reads them.

    A number is a symbol, unless it is zero.
    """

    def on(self, name: str) -> bool:
        """Return whether a setting is neither zero nor False nor None."""
        value = getattr(self, name)
        return isinstance(value, ArrayExpr) or bool(value)


class _Renewed(SimpleNamespace):
    """States that are read under their names once they are set: as the leaves of these."""

    def __init__(self, given: Mapping[str, ArrayExpr]) -> None:
        super().__init__(**given)
        # Names, leaves and values, in the order in which they are set.
        vars(self)["steps"] = []

    def __setattr__(self, name: str, value: Any) -> None:
        x = as_expr(value)
        known = vars(self).setdefault(name, leaf(name, x.shape, x.dtype))
        self.steps.append((name, known, x))


def _leaves(structure: Structure) -> tuple[dict[str, ArrayExpr], dict[str, ArrayExpr], Settings]:
    """Return the leaves of arrays, of states that are numbers, and the settings."""
    names = ("p", "g", *structure.states)
    shapes = structure.shapes and (structure.shapes[0], *structure.shapes)
    arrays: dict[str, ArrayExpr] = {
        x: leaf(x, shape, structure.kind)
        for x, shape in zip(names, shapes or [(2,)] * len(names), strict=True)
    }
    numbers: dict[str, ArrayExpr] = {x: leaf(x) for x in structure.numbers}
    settings = {x: leaf(x) for x in structure.settings}
    return arrays, numbers, Settings(**dict(structure.fixed), **settings)


@functools.lru_cache(maxsize=256)
def lowered(structure: Structure) -> Update:
    """Return the formula of a structure, lowered."""
    arrays, numbers, settings = _leaves(structure)
    new = _results(structure, arrays | numbers, settings)
    found = {x: new.get(name) for name, x in arrays.items()}
    given = {x: new.get(name, x) for name, x in numbers.items()}
    symbols = [x for x in vars(settings).values() if isinstance(x, ArrayExpr)]
    return Update(found, given | dict.fromkeys(symbols), "update")


class Whole(NamedTuple):
    """The formula of whole arrays, lowered: what it computes of its leaves, both by their names."""

    executable: Executable
    given: tuple[str, ...]
    found: tuple[str, ...]


@functools.lru_cache(maxsize=256)
def lowered_whole(structure: Structure) -> Whole:
    """Return the formula of a structure with shapes, lowered."""
    arrays, numbers, settings = _leaves(structure)
    new = _results(structure, arrays | numbers, settings)
    symbols = {n: x for n, x in vars(settings).items() if isinstance(x, ArrayExpr)}
    given = arrays | numbers | symbols
    places = {x: i for i, x in enumerate(given.values())}
    executable = Executable(list(new.values()), places, list(given), "update")
    return Whole(executable, tuple(given), tuple(new))


def _results(
    structure: Structure, given: Mapping[str, ArrayExpr], settings: Settings
) -> dict[str, ArrayExpr]:
    """Return what becomes of the parameter and of its states, where they change."""
    states = SimpleNamespace(**given)
    states.p = structure.rule(given["p"], given["g"], states, settings)
    kept = {name: as_expr(getattr(states, name)) for name in given if name != "g"}
    return {name: x for name, x in kept.items() if x is not given[name]}


class StepFormula(Mapping[str, ArrayExpr]):
    """The formulas of one step: what each array and number becomes, by its name.

    The text has the lines of a program, of which each reads what those above it have set, unless
    it says otherwise.

    Examples
    --------
    >>> import symgrad as torch
    >>> w = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> step = torch.optim.SGD([w], lr=0.1, momentum=0.9).formula()
    >>> print(step)
    momentum_buffer = momentum * momentum_buffer + g
    p = p - lr * momentum_buffer
    >>> step["p"]
    p - lr * (momentum * momentum_buffer + g)
    """

    def __init__(self, structure: Structure) -> None:
        arrays, numbers, settings = _leaves(structure)
        given = arrays | numbers
        self._results = _results(structure, given, settings)
        renewed = _Renewed(given)
        renewed.p = structure.rule(given["p"], given["g"], renewed, settings)
        values: dict[ArrayExpr, ArrayExpr] = {}
        for _, x, value in renewed.steps:
            values[x] = value.xreplace(values)
        # Lines in turn do not give what reads a state as it was after that has been set.
        self._in_turn = all(values.get(given[n]) is x for n, x in self._results.items())
        steps = [(name, value) for name, x, value in renewed.steps if x is not value]
        self._lines = steps if self._in_turn else list(self._results.items())

    def __getitem__(self, name: str) -> ArrayExpr:
        return self._results[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._results)

    def __len__(self) -> int:
        return len(self._results)

    def __str__(self) -> str:
        lines = [] if self._in_turn else ["# all at once, of what was before the step"]
        for name, x in self._lines:
            *before, result = text(x).split("\n")
            lines += [*before, f"{name} = {result}"]
        return "\n".join(lines)

    def __repr__(self) -> str:
        return str(self)
