"""Formulas compared by residues: in general, and then on those ties where their rules differ.

A tie is where what is compared with zero is zero. If that is a leaf, or a leaf less a number or
another leaf, the leaf is replaced. Else it is only known that nothing is divided by what is zero.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from symgrad.expr.atoms import ArrayConst, Const, Leaf
from symgrad.expr.dtypes import Category, bool_
from symgrad.expr.graph import toposort
from symgrad.expr.node import ArrayExpr
from symgrad.proofs.elements import Refused, as_fraction
from symgrad.proofs.polynomials import Polynomials
from symgrad.proofs.primes import Field
from symgrad.proofs.residues import Undefined
from symgrad.proofs.running import computed

#: An element of a leaf.
Place = tuple[Leaf, tuple[int, ...]]

#: How often formulas are compared.
_MAX_RUNS = 32


class _Part(NamedTuple):
    """A part of all points, and the elements of the formulas that are compared there.

    Attributes
    ----------
    zeros : frozenset of int
        Residues that are zero there.
    replaced : mapping
        What an element of a leaf is there: a number, or a sign times another element of a leaf.
    places : set of int
        The places of the elements that are compared.
    """

    zeros: frozenset[int]
    replaced: Mapping[Place, Fraction | tuple[int, Place]]
    places: set[int]


def error_of_proof(
    a: ArrayExpr, b: ArrayExpr, leaves: Sequence[Leaf], field: Field
) -> Fraction | None:
    """Return the chance of an error in finding residues of formulas equal; None if they are not.

    Raises
    ------
    Refused
        If residues have no rule for some part of a formula.
    """
    numbers = _numbers([a, b])
    error = Fraction(0)
    left = [_Part(frozenset(), {}, {*range(a.size)})]
    for part in left:
        system = Polynomials(field, part.zeros)
        elements = _elements(system, leaves, part.replaced)
        values: dict[ArrayExpr, Any] = {x: np.empty(x.shape, object) for x in leaves}
        for (x, place), element in elements.items():
            values[x][place] = element
        first, second = computed([a, b], system, values)
        pairs = {i: (first.flat[i], second.flat[i]) for i in sorted(part.places)}
        compared = itertools.chain(*pairs.values())
        if len(left) == 1 and any(isinstance(x, Undefined) for x in compared):
            return None  # what is defined nowhere is equal to all
        ties = system.ties(pairs)
        if ties is None or len(left) + len(ties) > _MAX_RUNS:
            return None
        for tie, places in ties.items():
            found = _solved(tie, system, elements, part.replaced, numbers)
            if found is None:
                left.append(_Part(part.zeros | {tie}, part.replaced, places))
            else:
                left.append(_Part(part.zeros, {**part.replaced, **found}, places))
        error += system.error()
    return error


def _elements(
    system: Polynomials,
    leaves: Sequence[Leaf],
    replaced: Mapping[Place, Fraction | tuple[int, Place]],
) -> dict[Place, Any]:
    """Return the elements of leaves in a part of all points."""
    found: dict[Place, Any] = {}
    for x in leaves:
        for place in np.ndindex(x.shape):
            end, sign = (x, place), 1
            other = replaced.get(end)
            while isinstance(other, tuple):
                sign, end = sign * other[0], other[1]
                other = replaced.get(end)
            if other is not None:
                found[x, place] = system.number(sign * other)
            elif x.dtype is bool_:
                found[x, place] = system.truth(x.name, place)
            else:
                leaf, at = end
                made = system.leaf(leaf.name, at, bool(leaf.symbol.is_positive))
                found[x, place] = made if sign > 0 else -made
    return found


def _solved(
    tie: int,
    system: Polynomials,
    elements: Mapping[Place, Any],
    replaced: Mapping[Place, Any],
    numbers: Sequence[Fraction],
) -> dict[Place, Fraction | tuple[int, Place]] | None:
    """Return what an element of a leaf is where a residue is zero, if that is easily said."""
    p = system.field.p
    free = {
        key: x.p
        for key, x in elements.items()
        if key not in replaced and key[0].dtype.category >= Category.FLOAT
    }
    known: dict[int, Any] = {system.number(c).p: c for c in (Fraction(0), *numbers)}
    for key, residue in free.items():
        known[residue], known[p - residue] = (1, key), (-1, key)
    system.tests += 2 * len(free) * len(known)
    for key, residue in free.items():
        for value in (residue - tie, residue + tie):
            target = known.get(value % p)
            if target is not None and target != (1, key) and target != (-1, key):
                return {key: target}
    return None


def _numbers(formulas: Sequence[ArrayExpr]) -> list[Fraction]:
    """Return the numbers in formulas, and their negatives."""
    found: dict[Fraction, None] = {}
    for x in toposort(formulas):
        if isinstance(x, (Const, ArrayConst)):
            for v in np.asarray(x.value, object).flat:
                try:
                    found.update(dict.fromkeys([as_fraction(v), -as_fraction(v)]))
                except Refused:
                    continue
    return list(found)
