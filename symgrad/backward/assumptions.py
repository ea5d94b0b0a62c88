"""The assumptions of a plan about the values of a run, and the check that they hold.

A plan is made of formulas, in which equal formulas have equal values. In a run this may be false:
a user may have overwritten a tensor between two uses, exchanged its array, or written into shared
memory with NumPy. So three conclusions from formulas are assumptions, which are checked before the
plan runs: that two values are equal, that a value is zero outside a mask, and that a stable form
has the derivative of a value. A run in which some of them fail gets another plan, which is made
without these (`Exceptions`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from symgrad.backward.walking import Walk
from symgrad.expr.atoms import Const
from symgrad.expr.graph import toposort
from symgrad.expr.node import ArrayExpr
from symgrad.lower.executable import Executable
from symgrad.record.operations import AloneOperation, Operation, Output
from symgrad.record.tape import Alone, Boundary, Deferred, Derived, LeafVertex, Node, Number
from symgrad.record.versions import Storage, newest
from symgrad.support.quiet import quietly


class Exceptions(NamedTuple):
    """The assumptions that do not hold in one run.

    Attributes
    ----------
    changed : frozenset of int
        Vertices whose value is no longer that of their formula for the saved operands.
    unequal : frozenset of int
        Vertices whose value differs from that of an earlier vertex with an equal formula.
    exchanged : frozenset of int
        Positions of residuals that are not the same array as another residual of the same vertex.
    outdated : frozenset of int
        Vertices whose intermediates were not kept, or may no longer be those of their operands.
    """

    changed: frozenset[int] = frozenset()
    unequal: frozenset[int] = frozenset()
    exchanged: frozenset[int] = frozenset()
    outdated: frozenset[int] = frozenset()

    def __or__(self, other: Exceptions) -> Exceptions:
        """Return the exceptions of both."""
        return Exceptions(*[a | b for a, b in zip(self, other, strict=True)])


NO_EXCEPTIONS = Exceptions()


class Assumptions(NamedTuple):
    """The assumptions of a plan about the values of a run.

    Attributes
    ----------
    merged : list of (int, int)
        Pairs of positions of residuals that are the same values, those of one vertex.
    equal : list of (int, int)
        Pairs of vertices with equal formulas, whose values are equal.
    formulas : list of int
        Vertices whose value is that of their formula, operands before users: a value that was not
        saved is computed again from its operands.
    zeros : dict
        Vertices whose value is zero outside a mask.
    intermediates : dict
        Vertices whose intermediates are those of their operands, and the positions of these among
        the residuals.
    """

    merged: list[tuple[int, int]]
    equal: list[tuple[int, int]]
    formulas: list[int]
    zeros: dict[int, MaskAssumption]
    intermediates: dict[int, range]

    def broken(self, walked: Walk) -> Exceptions:
        """Return the assumptions that do not hold for the values of a walk."""
        values = walked.values
        kept = ResidualCheck(walked)
        outdated = [
            i
            for i, places in self.intermediates.items()
            if values[places[0]] is None or kept._is_unwritten(i) is not True
        ]
        if outdated:  # masks are computed from intermediates, too
            return Exceptions(outdated=frozenset(outdated))
        # A list is faster here than a generator: usually all pairs are compared.
        if all([values[i] is values[j] for i, j in self.merged]):  # noqa: C419
            some = self.equal or self.formulas or self.zeros
            if not some or not (newest.written or newest.exposed):
                return NO_EXCEPTIONS
            exchanged: frozenset[int] = frozenset()
        else:
            exchanged = frozenset([j for i, j in self.merged if not _are_one(values[i], values[j])])
        formulas = [i for i in self.formulas if not kept.has_formula_value(i)]
        return Exceptions(
            frozenset([*formulas, *kept.nonzero_outside_masks(self.zeros)]),
            frozenset([j for i, j in self.equal if not kept.are_equal(i, j)]),
            exchanged,
        )


#: A value, its mask, and whether the value is exactly zero outside the mask; else it may be nan
#: there, as a product with a masked value may be.
MaskedValue = tuple[ArrayExpr, ArrayExpr, bool]


class MaskAssumption:
    """The assumption that a value is zero outside its mask.

    Parameters
    ----------
    value, mask : ArrayExpr
        The value, and the condition where it may differ from zero.
    exact : bool
        Whether it is exactly zero elsewhere; otherwise it may be nan there.
    given : dict
        The position of each given node among the values of a run.
    """

    __slots__ = ("_executable", "_given", "_masked")

    def __init__(
        self, value: ArrayExpr, mask: ArrayExpr, exact: bool, given: dict[ArrayExpr, int]
    ) -> None:
        self._masked = value, mask, exact
        self._given = given
        self._executable: Executable | None = None

    def hold(self, values: Sequence[Any]) -> bool:
        """Return whether the present value is zero outside the present mask.

        Return True for a value that was not saved: then the assumptions of the values that were
        computed from it are checked in its place.
        """
        value, mask, exact = self._masked
        if value not in self._given:
            return True
        executable = self._executable
        if executable is None:
            # Keep only the given nodes that are read, since a plan has many of these assumptions.
            known = self._given
            reached = toposort([value, mask], known.__contains__)
            given = {x: known[x] for x in reached if x in known}
            executable = self._executable = Executable([value, mask], given, name="zeros")
        array, holds = quietly(executable.run, values)
        outside = np.where(holds, 0, array)
        return not np.any(outside if exact else np.nan_to_num(outside, nan=0))


class ResidualCheck:
    """Checks whether the values collected by a walk are still those of the forward pass."""

    __slots__ = ("_arrays", "_made", "_users", "_walked")

    def __init__(self, walked: Walk) -> None:
        self._walked = walked
        # What was computed again, of each vertex.
        self._made: dict[Any, Any] = {}
        self._arrays: dict[Any, Any] | None = None
        self._users: dict[Any, list[Any]] | None = None

    def has_formula_value(self, i: int) -> bool:
        """Return whether a value is still the result of its operation on its operands."""
        known = self._is_unwritten(i)
        return self._matches_formula(self._walked.order[i]) if known is None else known

    def nonzero_outside_masks(self, notes: Mapping[int, MaskAssumption]) -> list[int]:
        """Return the vertices whose value is no longer zero outside its mask.

        A value in memory that NumPy may have written is compared with its mask, and so are the
        values that were computed from it.
        """
        found: list[int] = []
        uncertain: set[Any] = set()
        order = self._walked.order
        for i, zeros in notes.items():  # in the order in which they were computed
            known = self._is_unwritten(i)
            if known is False:
                found.append(i)
            elif known is None or not uncertain.isdisjoint(order[i].operands):
                uncertain.add(order[i])
                if not zeros.hold(self._walked.values):
                    found.append(i)
        return found

    def _is_unwritten(self, i: int) -> bool | None:
        """Return whether neither a value nor its operands were written since it was recorded.

        Return None where NumPy may have written one of them unseen.
        """
        vertex = self._walked.order[i]
        if vertex.seq > newest.written and not newest.exposed:
            return True
        exposed = False
        for storage in _storages_of(vertex):
            if storage.written > vertex.seq:
                return False
            exposed = exposed or storage.exposed
        return None if exposed else True

    def are_equal(self, i: int, j: int) -> bool:
        """Return whether the values of the vertices `i` and `j`, of equal formulas, are equal."""
        first, second = self._walked.order[i], self._walked.order[j]
        since = min(first.seq, second.seq)
        if since > newest.written and not newest.exposed:
            return True
        storages = [*_storages_of(first), *_storages_of(second)]
        if any(storage.written > since for storage in storages):
            return False
        if not any(storage.exposed for storage in storages):
            return True
        a, b = self._array_of(first), self._array_of(second)
        return a is not None and b is not None and _are_same(a, b)

    def _matches_formula(self, vertex: Any) -> bool:
        """Compute a value again from its operands, and return whether the saved value is the same.

        Where the value was not saved, all values computed from it are compared in its place.
        """
        compared, pending, seen = False, [vertex], {vertex}
        while pending:
            x = pending.pop()
            again, value = self._recomputed(x), self._array_of(x)
            if again is None:  # such as the result of a custom function
                if x is vertex:
                    return False
                continue
            if value is not None:
                if not _are_same(value, again):
                    return False
                compared = True
                continue
            for user in self._users_of(x):
                if user not in seen:
                    seen.add(user)
                    pending.append(user)
        return compared

    def _users_of(self, vertex: Any) -> list[Any]:
        if self._users is None:
            self._users = {}
            for v in self._walked.order:
                for x in v.inputs:
                    self._users.setdefault(original_of(x), []).append(v)
        return self._users.get(original_of(vertex), [])

    def _recomputed(self, vertex: Any) -> Any:
        """Return the result of an operation on its operands; None if one of them is not known.

        Operands that were not saved are computed again, too.
        """
        made, pending = self._made, [vertex]
        while pending:
            x = pending[-1]
            lacking = [z for z in self._unsaved_operands(x) if z not in made]
            if lacking:
                pending += lacking
                continue
            pending.pop()
            if x not in made:
                made[x] = self._result_of(x)
        return made[vertex]

    def _unsaved_operands(self, vertex: Any) -> list[Any]:
        if isinstance(vertex, Output):
            return [vertex.inputs[0]]
        if not isinstance(vertex, (Node, Derived)):
            return []
        return [x for x in vertex.inputs if self._array_of(x) is None]

    def _result_of(self, vertex: Any) -> Any:
        """Return the result of an operation on operands that are saved or made again."""
        if not isinstance(vertex, (Node, Derived)):
            return None
        made = self._made
        if isinstance(vertex, Output):
            found = made[vertex.inputs[0]]
            return None if found is None else found[vertex.output_nr]
        sig, inputs = vertex.sig, iter(vertex.inputs)
        data: list[Any] = []
        for spec in sig.operands:
            x = None if isinstance(spec, Const) else next(inputs)
            value = spec.number if isinstance(spec, Const) else self._array_of(x)
            if value is None:
                value = made.get(x)
            if value is None:
                return None
            data.append(value)
        return quietly(sig.call, *data)

    def _array_of(self, vertex: Any) -> Any:
        """Return the saved array of a value; None where it was not saved."""
        if isinstance(vertex, Number):
            return vertex.saved[0]
        if self._arrays is None:
            vertices = value_vertices(self._walked)
            found = zip(vertices, self._walked.values, strict=False)
            self._arrays = {v: x for v, x in found if v is not None and x is not None}
        return self._arrays.get(original_of(vertex))


def _are_one(a: Any, b: Any) -> bool:
    """Return whether two residuals have the same values; one may have been computed again."""
    return a is b or (a is not None and b is not None and _are_same(a, b))


def _are_same(a: Any, b: Any) -> bool:
    return np.array_equal(a, b, equal_nan=True)


def _storages_of(vertex: Any) -> list[Storage]:
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
        if k in copied or (isinstance(saved, Deferred) and saved.recomputes(original_of(x))):
            continue
        storages.append(getattr(x, "storage", None))
    return [s for s in storages if s is not None]


def value_vertices(walked: Walk) -> list[Any]:
    """Return the vertex whose value each collected residual is.

    The entry is None for one of several results that has no derivative, and so no vertex, and for
    an intermediate.
    """
    out: list[Any] = []
    for vertex in walked.order:
        if isinstance(vertex, Number):
            out.append(vertex)
        elif not isinstance(vertex, LeafVertex) and vertex.sig.reads:
            sig = vertex.sig
            inputs = iter(vertex.inputs)
            places = [
                None if isinstance(spec, Const) else original_of(next(inputs))
                for spec in sig.operands
            ]
            if isinstance(vertex, Operation):
                whole = original_of(vertex)
                for i, x in enumerate(sig.results):
                    places.append(None if x is None else whole.output(i))
            else:
                places.append(original_of(vertex))
            places += [None] * len(sig.intermediates)
            out.extend([places[k] for k in sig.reads])
    return out


def original_of(x: Any) -> Any:
    """Return the vertex of the whole graph for which a vertex of a part of it stands."""
    return x.vertex if x.__class__ in (Boundary, Alone, AloneOperation) else x
