"""The formula of an optimiser: what its `update` computes of leaves, lowered once, and printed.

Neither memory nor parameters are known here.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from types import SimpleNamespace
from typing import Any, NamedTuple

from symgrad.expr.atoms import leaf
from symgrad.expr.dtypes import dtype
from symgrad.expr.node import ArrayExpr
from symgrad.expr.printing import text
from symgrad.lower.update import Update

#: What `update` of an optimiser is: it takes a parameter, its gradient, states and settings.
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
    """

    rule: Rule
    kind: dtype
    states: tuple[str, ...]
    numbers: tuple[str, ...]
    settings: tuple[str, ...]
    fixed: tuple[tuple[str, Any], ...]


class Settings(SimpleNamespace):
    """The settings of a group, and `t`, the number of the step, as a formula reads them.

    A number is a symbol, unless it is zero.
    """

    def on(self, name: str) -> bool:
        """Return whether a setting is neither zero nor False nor None."""
        value = getattr(self, name)
        return isinstance(value, ArrayExpr) or bool(value)


class _Renewed(SimpleNamespace):
    """States that, once they are set, are read under their own names: the leaves of these."""

    def __init__(self, given: Mapping[str, ArrayExpr]) -> None:
        super().__init__(**given)
        vars(self)["steps"] = []

    def __setattr__(self, name: str, value: ArrayExpr) -> None:
        vars(self)["steps"].append((name, value))


def _leaves(structure: Structure) -> tuple[dict[str, ArrayExpr], dict[str, ArrayExpr], Settings]:
    """Return the leaves of arrays, of states that are numbers, and the settings."""
    # One length stands for all: the program computes by elements.
    arrays: dict[str, ArrayExpr] = {
        x: leaf(x, (2,), structure.kind) for x in ("p", "g", *structure.states)
    }
    numbers: dict[str, ArrayExpr] = {x: leaf(x) for x in structure.numbers}
    settings = {x: leaf(x) for x in structure.settings}
    return arrays, numbers, Settings(**dict(structure.fixed), **settings)


def _states(arrays: Mapping[str, Any], numbers: Mapping[str, Any]) -> dict[str, Any]:
    return {x: v for x, v in (*arrays.items(), *numbers.items()) if x not in ("p", "g")}


@functools.lru_cache(maxsize=256)
def lowered(structure: Structure) -> Update:
    """Return the formula of a structure, lowered."""
    arrays, numbers, settings = _leaves(structure)
    states = SimpleNamespace(**_states(arrays, numbers))
    new = {"p": structure.rule(arrays["p"], arrays["g"], states, settings), **vars(states)}
    found = {x: new.get(name) for name, x in arrays.items()}
    given = {x: new[name] for name, x in numbers.items()}
    given.update({x: None for x in vars(settings).values() if isinstance(x, ArrayExpr)})
    unchanged = {x: None if value is x else value for x, value in found.items()}
    return Update(unchanged, given, "update")


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
        given = _states(arrays, numbers)
        states = SimpleNamespace(**given)
        p = structure.rule(arrays["p"], arrays["g"], states, settings)
        self._results: dict[str, ArrayExpr] = {
            name: x for name, x in vars(states).items() if x is not given[name]
        }
        self._results["p"] = p
        renewed = _Renewed(given)
        p = structure.rule(arrays["p"], arrays["g"], renewed, settings)
        lines = [*vars(renewed)["steps"], ("p", p)]
        values: dict[ArrayExpr, ArrayExpr] = {}
        for name, x in lines:
            values[(arrays | numbers)[name]] = x.xreplace(values)
        # A formula that reads a state as it was after it has set it cannot be written so.
        self._in_turn = all(values[(arrays | numbers)[n]] is x for n, x in self._results.items())
        self._lines = lines if self._in_turn else list(self._results.items())

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
