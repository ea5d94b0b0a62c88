"""What a plan takes for granted of the values that it is given, and whether it holds in a run.

A symbol of a plan's formulas stands for one value. But tensors are written between two uses, their
arrays are exchanged, and NumPy writes into memory that they share. Whatever is concluded from how a
value was computed (that two values are equal, that one is zero outside a mask, that a stable form
has the same derivative) is an assumption, and is looked at before the plan runs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from symgrad.expr.graph import toposort
from symgrad.expr.node import ArrayExpr, Const
from symgrad.lower.executable import Executable
from symgrad.record.operations import AloneOperation, Operation, Output
from symgrad.record.tape import Alone, Boundary, Deferred, Derived, Leaf, Node, Number
from symgrad.record.versions import Storage
from symgrad.support.quiet import quietly

if TYPE_CHECKING:
    from symgrad.backward.plan import Walk

__all__ = [
    "NO_ASSUMPTIONS",
    "NO_EXCEPTIONS",
    "Assumptions",
    "Exceptions",
    "Note",
    "Zeros",
    "stood_for",
    "value_vertices",
]


class Exceptions(NamedTuple):
    """What of a structure, in one run, is not what a plan takes for granted.

    Attributes
    ----------
    changed : frozenset of int
        Vertices whose value is no longer what their formula makes of the values kept for it.
    unequal : frozenset of int
        Vertices whose value is another than that of an earlier one of equal formula.
    exchanged : frozenset of int
        Positions of residuals that are another array than others of the same vertex.
    """

    changed: frozenset[int] = frozenset()
    unequal: frozenset[int] = frozenset()
    exchanged: frozenset[int] = frozenset()

    def __or__(self, other: Exceptions) -> Exceptions:
        """Return the exceptions of both."""
        return Exceptions(*[a | b for a, b in zip(self, other, strict=True)])


NO_EXCEPTIONS = Exceptions()


class Assumptions(NamedTuple):
    """What a plan takes for granted of the values that it is given.

    Each symbol of its formulas stands for one value, and a form that is derived from how a value
    was computed holds as long as the value still is that.

    Attributes
    ----------
    merged : list of (int, int)
        Positions of residuals that are one array, since they are the value of one vertex.
    equal : list of (int, int)
        Vertices of equal formulas, whose values are equal.
    formulas : list of int
        Vertices whose value is what their formula makes of their operands; operands come first,
        since what nobody keeps is computed from them.
    zeros : dict
        Vertices whose value is zero where a mask does not hold.
    """

    merged: list[tuple[int, int]]
    equal: list[tuple[int, int]]
    formulas: list[int]
    zeros: dict[int, Zeros]

    def broken(self, walked: Walk) -> Exceptions:
        """Return what of it does not hold for the values of a walk."""
        values = walked.values
        # A list: it is quicker than a generator on what is usually all of it.
        if all([values[i] is values[j] for i, j in self.merged]):  # noqa: C419
            some = self.equal or self.formulas or self.zeros
            if not some or not (Storage.last_written or Storage.any_exposed):
                return NO_EXCEPTIONS
            exchanged: frozenset[int] = frozenset()
        else:
            exchanged = frozenset([j for i, j in self.merged if values[i] is not values[j]])
        kept = Kept(walked)
        formulas = [i for i in self.formulas if not kept.is_its_formula(i)]
        return Exceptions(
            frozenset([*formulas, *kept.without_zeros(self.zeros)]),
            frozenset([j for i, j in self.equal if not kept.are_equal(i, j)]),
            exchanged,
        )


NO_ASSUMPTIONS = Assumptions([], [], [], {})


#: A value, where it may differ from zero, and whether it is no nan elsewhere.
Note = tuple[ArrayExpr, ArrayExpr, bool]


class Zeros:
    """What was noted beside a value, and whether it holds for the values of a run.

    Parameters
    ----------
    value, mask : ArrayExpr
        The value, and where it may differ from zero.
    exact : bool
        Whether it is no nan, either, where the mask does not hold.
    given : dict
        The position of each given node among the values of a run.
    """

    __slots__ = ("_executable", "_given", "_note")

    def __init__(
        self, value: ArrayExpr, mask: ArrayExpr, exact: bool, given: dict[ArrayExpr, int]
    ) -> None:
        self._note = value, mask, exact
        self._given = given
        self._executable: Executable | None = None

    def hold(self, values: Sequence[Any]) -> bool:
        """Return whether the value is zero outside the mask, as both are now.

        Of a value that nobody keeps that is not known, and matters to what is computed from it.
        """
        value, mask, exact = self._note
        if value not in self._given:
            return True
        executable = self._executable
        if executable is None:
            # Only what is read: a plan has as many of these as vertices.
            known = self._given
            reached = toposort([value, mask], known.__contains__)
            given = {x: known[x] for x in reached if x in known}
            executable = self._executable = Executable([value, mask], given, name="zeros")
        array, holds = quietly(executable.run, values)
        outside = np.where(holds, 0, array)
        return not np.any(outside if exact else np.nan_to_num(outside, nan=0))


class Kept:
    """The values that a walk collected, and whether they still are what was computed."""

    __slots__ = ("_arrays", "_walked")

    def __init__(self, walked: Walk) -> None:
        self._walked = walked
        self._arrays: dict[Any, Any] | None = None

    def is_its_formula(self, i: int) -> bool:
        """Return whether a value is still what its operation makes of its operands."""
        known = self._is_as_it_was(i)
        return self._is_computed_again(self._walked.order[i]) if known is None else known

    def without_zeros(self, notes: Mapping[int, Zeros]) -> list[int]:
        """Return which values are no longer zero where their masks do not hold.

        Where one may have been written unseen, it is looked at, and so is what was computed from
        it.
        """
        found: list[int] = []
        uncertain: set[Any] = set()
        order = self._walked.order
        for i, zeros in notes.items():  # in the order in which they were computed
            known = self._is_as_it_was(i)
            if known is False:
                found.append(i)
            elif known is None or not uncertain.isdisjoint(order[i].operands):
                uncertain.add(order[i])
                if not zeros.hold(self._walked.values):
                    found.append(i)
        return found

    def _is_as_it_was(self, i: int) -> bool | None:
        """Return whether neither a value nor its operands were written since; None if unknown."""
        vertex = self._walked.order[i]
        if vertex.seq > Storage.last_written and not Storage.any_exposed:
            return True
        exposed = False
        for storage in _memories(vertex):
            if storage.written > vertex.seq:
                return False
            exposed = exposed or storage.exposed
        return None if exposed else True

    def are_equal(self, i: int, j: int) -> bool:
        """Return whether two values are equal that were computed by one formula, `i` the first."""
        first, second = self._walked.order[i], self._walked.order[j]
        since = min(first.seq, second.seq)
        if since > Storage.last_written and not Storage.any_exposed:
            return True
        storages = [*_memories(first), *_memories(second)]
        if any(storage.written > since for storage in storages):
            return False
        if not any(storage.exposed for storage in storages):
            return True
        a, b = self._array_of(first), self._array_of(second)
        return a is not None and b is not None and np.array_equal(a, b, equal_nan=True)

    def _is_computed_again(self, vertex: Any) -> bool:
        """Compute a value from its operands once more, and return whether that is what it is.

        Where nobody keeps it, what was computed from it tells.
        """
        again = self._computed(vertex)
        if again is None:
            return False
        value = self._array_of(vertex)
        if value is not None:
            return np.array_equal(value, again, equal_nan=True)
        arrays, stack = self._arrays or {}, [(vertex, again)]
        while stack:
            x, again = stack.pop()
            if x.storage is not None and x.storage.exposed:
                continue
            arrays[stood_for(x)] = again
            for user in [v for v in self._walked.order if x in v.inputs]:
                found = self._computed(user)
                if found is not None:
                    kept = self._array_of(user)
                    if kept is not None:
                        return np.array_equal(kept, found, equal_nan=True)
                    stack.append((user, found))
        return False

    def _computed(self, vertex: Any) -> Any:
        """Return what an operation makes of the values of its operands; None if one is not kept."""
        if not isinstance(vertex, (Node, Derived)):
            return None
        if isinstance(vertex, Output):
            found = self._computed(vertex.inputs[0])
            return None if found is None else found[vertex.output_nr]
        sig, inputs = vertex.sig, iter(vertex.inputs)
        data: list[Any] = []
        for spec in sig.operands:
            x = None if isinstance(spec, Const) else next(inputs)
            value = spec.number if isinstance(spec, Const) else self._array_of(x)
            if value is None:
                return None
            data.append(value)
        return quietly(sig.call, *data)

    def _array_of(self, vertex: Any) -> Any:
        """Return the array of a value that somebody keeps; None where nobody does."""
        if isinstance(vertex, Number):
            return vertex.saved[0]
        if self._arrays is None:
            vertices = value_vertices(self._walked)
            found = zip(vertices, self._walked.values, strict=False)
            self._arrays = {v: x for v, x in found if v is not None and x is not None}
        return self._arrays.get(stood_for(vertex))


def _memories(vertex: Any) -> list[Storage]:
    """Return the storages of a value and of the operands that it was computed from."""
    copied = getattr(vertex, "copied", ())
    storages = [vertex.storage]
    if isinstance(vertex, Output):
        (vertex,) = vertex.inputs
    inputs = iter(vertex.inputs)
    saved = vertex.saved
    for k, spec in enumerate(vertex.sig.operands):
        if isinstance(spec, Const):
            continue
        x = next(inputs)
        if k in copied or (isinstance(saved, Deferred) and saved.computes(stood_for(x))):
            continue
        storages.append(getattr(x, "storage", None))
    return [s for s in storages if s is not None]


def value_vertices(walked: Walk) -> list[Any]:
    """Return for each collected residual the vertex of the value that it is.

    None for one of several results that has no derivative.
    """
    out: list[Any] = []
    for vertex in walked.order:
        if isinstance(vertex, Number):
            out.append(vertex)
        elif not isinstance(vertex, Leaf):
            sig = vertex.sig
            inputs = iter(vertex.inputs)
            places = [
                None if isinstance(spec, Const) else stood_for(next(inputs))
                for spec in sig.operands
            ]
            if isinstance(vertex, Operation):
                whole = stood_for(vertex)
                for i, x in enumerate(sig.results):
                    places.append(None if x is None else whole.output(i))
            else:
                places.append(stood_for(vertex))
            out.extend([places[k] for k in sig.reads])
    return out


def stood_for(x: Any) -> Any:
    """Return the vertex that one made for a stretch of the graph stands for."""
    return x.vertex if x.__class__ in (Boundary, Alone, AloneOperation) else x
