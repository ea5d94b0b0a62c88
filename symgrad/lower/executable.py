"""Formulas as one executable object: run on arrays, replayed on tensors, written as source."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Any, Protocol

import numpy as np

from numeric.emit import emit
from numeric.program import ArrayType, Program
from numeric.runtime import Loaded, load
from numeric.scalars import OfNumbers
from symgrad.expr.node import ArrayExpr
from symgrad.lower.program import lower
from symgrad.support.above import FromAbove
from symgrad.support.quiet import quietly


class Replay(Protocol):
    """Formulas as operations on tensors."""

    def __len__(self) -> int:
        """Return the number of operations."""

    def run(self, take: Callable[[int], Any]) -> list[Any]:
        """Return the tensors; `take` returns the value given at a position."""


#: Makes a `Replay` of formulas, each with whether its result must have memory of its own.
replaying: FromAbove[
    Callable[[Iterable[tuple[ArrayExpr, bool]], Mapping[ArrayExpr, int]], Replay]
] = FromAbove("symgrad.record.replay")


class Executable:
    """Formulas that are computed repeatedly, from new values for some of their nodes.

    Parameters
    ----------
    formulas : sequence of ArrayExpr or None
        The formulas to compute; the result for None is None.
    given : dict
        The nodes whose values each run receives, with their positions among these values. The
        operands of such a node are not computed.
    labels : sequence of str, optional
        The names of the given values, by position; "v0", "v1" and so on by default.
    name : str
        The name of the program.

    Attributes
    ----------
    program : Program
        The formulas, lowered.
    outputs : tuple
        For each formula its position among the program's outputs, and whether that output must be
        copied before it is returned; or None.
    """

    __slots__ = (
        "_labels",
        "_loaded",
        "_name",
        "_replay",
        "_take",
        "formulas",
        "given",
        "outputs",
        "program",
    )

    program: Program
    outputs: tuple[tuple[int, bool] | None, ...]
    _take: Callable[[Any], Any]
    _loaded: Loaded

    def __init__(
        self,
        formulas: Sequence[ArrayExpr | None],
        given: dict[ArrayExpr, int],
        labels: Sequence[str] = (),
        name: str = "f",
    ) -> None:
        self.formulas = tuple(formulas)
        self.given = given
        self._labels = labels
        self._name = name
        self._replay: Replay | None = None

    def __getattr__(self, name: str) -> Any:
        """Lower the formulas when `program` or an attribute derived from it is first read."""
        if name not in ("program", "outputs", "_take", "_loaded"):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        distinct = list(dict.fromkeys([g for g in self.formulas if g is not None]))
        given = {x: f"v{i}" for x, i in self.given.items()}
        self._loaded = load(lower(distinct, given, self._name))
        program = self._loaded.program
        positions = [int(label[1:]) for _, label in program.inputs]
        owned = program.owned()
        outputs: list[tuple[int, bool] | None] = []
        used: set[int] = set()
        index = {g: i for i, g in enumerate(distinct)}
        for g in self.formulas:
            if g is None:
                outputs.append(None)
                continue
            i = index[g]
            outputs.append((i, i in used or program.outputs[i] not in owned))
            used.add(i)
        if self._labels:
            slots = [slot for slot, _ in program.inputs]
            labels = [self._labels[i] for i in positions]
            program = dataclasses.replace(program, inputs=tuple(zip(slots, labels, strict=True)))
        self.outputs = tuple(outputs)
        self._take = _selector(positions)
        self.program = program
        return object.__getattribute__(self, name)

    @property
    def is_compiled(self) -> bool:
        """Whether the program has run so often that it is compiled."""
        return self._loaded.is_compiled

    @property
    def numbers(self) -> OfNumbers | None:
        """The compiled program, as it computes with Python's floats; None for other programs."""
        return self._loaded.numbers

    def compile(self) -> None:
        """Compile the program before it has run often."""
        self._loaded.compile()

    def of_floats(self, values: Sequence[float]) -> list[Any] | None:
        """Return the formulas' values for floats as NumPy's numbers.

        None where Python computes none: before the program is compiled, for other programs than
        those of numbers, and for 1 / 0.
        """
        run = self._loaded.numbers
        if run is None:
            return None
        given = self._take(values)
        try:
            found = quietly(run, given) if run.calls_kernels else run(given)
        except (ArithmeticError, TypeError, ValueError):
            return None
        return [found[out[0]] for out in self.outputs if out]

    def run(self, values: Sequence[Any]) -> Sequence[Any]:
        """Return the program's outputs."""
        return self._loaded(self._take(values))

    def arrays(self, values: Sequence[Any]) -> list[Any]:
        """Return the value of each formula, in memory of its own; NumPy does not warn."""
        found = quietly(self.run, values)
        return [
            None if out is None else np.array(found[out[0]]) if out[1] else found[out[0]]
            for out in self.outputs
        ]

    def replay(self, take: Callable[[int], Any], views: bool = False) -> list[Any]:
        """Compute the formulas by operations on tensors, recorded where those are.

        Parameters
        ----------
        take : callable
            Returns the value given at a position: a tensor, a number or the vertex of one.
        views : bool
            Whether results may be views of given tensors; otherwise they have memory of their own.
            It must be the same in each replay.

        Returns
        -------
        list of Tensor or None
            One for each formula.
        """
        if self._replay is None:
            self._replay = self.replay_of_formulas(views)
        found = iter(self._replay.run(take))
        return [None if out is None else next(found) for out in self.outputs]

    def replay_of_formulas(self, views: bool = False) -> Replay:
        """Return the formulas made ready to be computed by operations on tensors."""
        return replaying.call(
            [
                (g, out[1] and not views)
                for g, out in zip(self.formulas, self.outputs, strict=True)
                if g is not None and out is not None
            ],
            self.given,
        )

    def source(self, bare: bool = False) -> str:
        """Return stand-alone NumPy source of a function of the given values.

        The function returns a tuple of results; where `bare`, a single result is returned bare.
        """
        return emit(self.of_all_given(), bare=bare)

    def of_all_given(self) -> Program:
        """Return the program with all given values as inputs, in order, also those not needed."""
        program = self.program
        slots = {label: slot for slot, label in program.inputs}
        results = [slot for instr in program.instrs for slot in instr.outs]
        fresh = 1 + max([*slots.values(), *program.constants, *results], default=-1)
        inputs, types = [], {}
        for x, i in sorted(self.given.items(), key=itemgetter(1)):
            label = self._labels[i] if self._labels else f"v{i}"
            slot = slots.get(label)
            if slot is None:
                slot, fresh = fresh, fresh + 1
            inputs.append((slot, label))
            types[slot] = ArrayType(x.shape, x.dtype.numpy)
        return dataclasses.replace(program, inputs=tuple(inputs), types=types)


def _selector(positions: list[int]) -> Callable[[Any], Any]:
    if not positions:
        return lambda values: ()
    if len(positions) == 1:
        only = positions[0]
        return lambda values: (values[only],)
    return itemgetter(*positions)
