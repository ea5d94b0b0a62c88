"""Formulas whose results replace what they are computed from: run often, on many arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from numeric.memory import compile_in_place
from numeric.stages import staged
from symgrad.expr.node import ArrayExpr
from symgrad.lower.executable import Executable


class Update:
    """Formulas of arrays and numbers, by which arrays are changed.

    What depends on numbers alone is computed once, and the rest for as many arrays as there are.

    Parameters
    ----------
    arrays : mapping
        For the leaf of each array its new value, or None where it stays as it is. All of them have
        one shape, and the formulas compute by elements: the arrays may have any shape.
    numbers : mapping
        The same of 0-d leaves.
    name : str
        The name of the program.

    Attributes
    ----------
    changes : tuple of bool
        For each array, whether it is written.
    """

    def __init__(
        self,
        arrays: Mapping[ArrayExpr, ArrayExpr | None],
        numbers: Mapping[ArrayExpr, ArrayExpr | None],
        name: str,
    ) -> None:
        changed = {x: new for x, new in arrays.items() if new is not None}
        labels = [x.name for x in (*arrays, *numbers)]
        formulas = [*changed.values(), *[x for x in numbers.values() if x is not None]]
        given = {x: i for i, x in enumerate((*arrays, *numbers))}
        executable = Executable(formulas, given, labels, name)
        program = executable.program
        # A formula that several have in common is computed once.
        places = [out[0] for out in executable.outputs if out is not None]
        program = replace(program, outputs=tuple([program.outputs[i] for i in places]))
        read = {label for _, label in program.inputs}
        first, rest = staged(program, {x.name for x in numbers})
        self.changes = tuple([x in changed for x in arrays])
        self._changed = len(changed)
        self._numbers = [x.name for x in numbers if x.name in read]
        self._arrays = [i for i, x in enumerate(arrays) if x.name in read]
        self._first = compile_in_place(first, {})
        given_away = {x.name: i for i, x in enumerate(changed) if x.name in read}
        self._rest = compile_in_place(rest, given_away)
        # An array that is written though nothing reads it.
        self._unread = {
            k: i
            for k, (i, x) in enumerate((i, x) for i, x in enumerate(arrays) if x in changed)
            if x.name not in read
        }

    @property
    def source(self) -> str:
        """The text of both functions that run: of the numbers, and of the arrays."""
        return f"{self._first.source}\n\n{self._rest.source}"

    def constants(self, numbers: Mapping[str, float]) -> Sequence[Any]:
        """Return what depends on numbers alone, from their values by name."""
        return self._first([numbers[name] for name in self._numbers])

    def write(self, arrays: Sequence[Any], constants: Sequence[Any]) -> Sequence[Any]:
        """Change arrays, which share no memory, and return the new values of numbers."""
        found = self._rest([*[arrays[i] for i in self._arrays], *constants])
        for k, i in self._unread.items():
            arrays[i][...] = found[k]
        return found[self._changed :]
