"""Products of labelled factors, summed over labels: what becomes a contraction, and what stays.

Deltas make labels equal. Factors that share labels over which is summed become one atom, a
contraction; one that is a factor of another is opened, so that `X.T @ (X @ v)` is one.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from symgrad.expr.dtypes import dtype
from symgrad.expr.named_sizes import NamedSize
from symgrad.normal_form.atoms import Atoms, Closed
from symgrad.normal_form.coefficients import Number
from symgrad.normal_form.form import Term
from symgrad.normal_form.labels import UNIT, as_one
from symgrad.normal_form.products import (
    Factor,
    Product,
    Single,
    Step,
    Tree,
    canonical,
    in_order,
    labels_of,
    merged,
    multiplied,
    over,
    relabelled,
    singles,
    split,
    times,
    without_cancelled,
    without_one,
)
from symgrad.ops.arithmetic import div, mul
from symgrad.ops.powers import pow

#: A product and its term, with the label that each axis has in what it is a part of.
Part = tuple[Product, Term, Sequence[Any]]


def contracted_product(
    atoms: Atoms, parts: Sequence[Part], output: Sequence[Any], sizes: dict[Any, int], kind: dtype
) -> tuple[Product, Term]:
    """Return a product of products as one, summed over the labels that `output` lacks."""
    names, first = _names([(own, labels) for (own, _), _, labels in parts], sizes)
    out: Sequence[Any] = [first.get(k, k) for k in output] if first else output
    inner = {first.get(k, k) for k in sizes} if first else set(sizes)
    inner.difference_update(out)
    is_named = not inner
    if is_named:  # the labels may have their last names at once
        (out, _), place = canonical(out, (), {})
        for name in names:
            for k, label in name.items():
                name[k] = place[label]
    c: Number = 1
    factors: list[Factor] = []
    trees: list[Tree] = []
    for ((_, own), term, _), name in zip(parts, names, strict=True):
        c = c * term.coefficient
        factors += [(a, tuple([name[k] for k in ks]), p, q) for a, ks, p, q in own]
        trees.append(relabelled(term.tree, name))
    if inner and atoms.totals:
        total, factors, trees = _with_known_sums(atoms, factors, trees, inner)
        if not total:
            return (tuple(canonical(out, (), {})[0][0]), ()), Term(0, None)
        c = c * total
    if inner and atoms.cancels and all(map(atoms.is_plain, trees)):
        factors, cancelled = merged(factors, True)
        if cancelled:
            trees = [without_cancelled(multiplied(trees), factors)]
    if inner:
        known = {k for _, ks, _, _ in factors for k in ks}
        count = math.prod([sizes[k] for k in inner - known])
        tree = _Contraction(atoms, inner & known, dict(sizes), kind).closed(trees)
        if type(count) is NamedSize:
            count, counted = atoms.of_size(count, kind)
            tree = times(counted, tree)
        c = c * count
        factors = atoms.factors_of(tree)
    else:
        tree = multiplied(trees)
    if is_named:
        own_factors = tuple(in_order(factors, atoms.symmetries))
    else:
        (out, own_factors), place = canonical(out, factors, atoms.symmetries)
        tree = relabelled(tree, place)
    factors, cancelled = merged(own_factors, atoms.cancels)
    if cancelled and atoms.is_plain(tree):
        tree = without_cancelled(tree, factors)
    return (tuple(out), tuple(factors)), Term(c, tree)


def _with_known_sums(
    atoms: Atoms, factors: list[Factor], trees: list[Tree], inner: set[Any]
) -> tuple[Number, list[Factor], list[Tree]]:
    """Return a product without the factors that are summed over alone, and what they sum to.

    `inner` loses the labels over which they are summed.
    """
    total: Number = 1
    for factor in list(factors):
        atom, labels, p, q = factor
        known = atoms.totals.get(atom)
        if known is None or (p, q) != (1, 0) or labels[-1] not in inner:
            continue
        if sum(ks.count(labels[-1]) for _, ks, _, _ in factors) > 1:
            continue
        rest = list(factors)
        rest.remove(factor)
        found = [without_one(tree, Single(atom, labels)) for tree in trees]
        place = next((i for i, (_, has) in enumerate(found) if has), None)
        if place is None:
            continue
        trees = [t if i != place else found[i][0] for i, t in enumerate(trees)]
        factors = rest
        inner.discard(labels[-1])
        total = total * known
    return total, factors, trees


def is_summed(
    moves: Sequence[tuple[Product, Sequence[Any]]], output: Sequence[Any], sizes: dict[Any, int]
) -> bool:
    """Return whether a label is summed over that no delta of some products makes an output one."""
    _, first = _names([(own, labels) for (own, _), labels in moves], sizes)
    kept = {first.get(k, k) for k in output}
    return any(first.get(k, k) not in kept for k in sizes)


def _names(
    parts: Sequence[tuple[Sequence[int], Sequence[Any]]], sizes: Mapping[Any, int]
) -> tuple[list[dict[Any, Any]], dict[Any, Any]]:
    """Return for each part the label in the whole of each of its labels, and which are equal.

    Labels are equal that stand at one delta.
    """
    pairs = []
    names = []
    for own, labels in parts:
        name: dict[Any, Any] = {UNIT: UNIT}
        for k, label in zip(own, labels, strict=True):
            if k != UNIT and name.setdefault(k, label) != label:
                pairs.append((name[k], label))
        names.append(name)
    if not pairs:
        return names, {}
    first = as_one(pairs, sizes)
    return [{k: first.get(label, label) for k, label in name.items()} for name in names], first


class _Contraction:
    """The factors of a product that is summed over labels."""

    def __init__(self, atoms: Atoms, inner: set[Any], sizes: dict[Any, int], kind: dtype) -> None:
        self.atoms, self.inner, self.sizes, self.kind = atoms, inner, sizes, kind

    def closed(self, trees: Sequence[Tree]) -> Tree:
        """Return the product of trees as one without inner labels.

        Pieces that share inner labels become one atom. What has none stays outside; but it is not
        taken out of a product that it is not the last factor of: in the sum of `(a*x)*y`, `x*y` may
        be infinite where `a` is 0.
        """
        above: list[Tree] = []
        below: list[Tree] = []
        for tree in trees:
            for piece, side in split(tree, self._opens_nothing):
                if side:
                    above += self._opened(piece)
                else:
                    below.append(piece)
        around: list[Step] = []
        if len(above) == 1:
            above, around = self._last_factors(above[0])
        inside = [t for t in below if self._is_summed(t)]
        pieces = _quotients([t for t in above if self._is_summed(t)], inside)
        outer = [t for t in above if not self._is_summed(t)]
        groups: list[tuple[set[Any], list[Tree]]] = []
        for piece in pieces:
            own, members, rest = labels_of(piece) & self.inner, [piece], []
            for labels, others in groups:
                if labels.isdisjoint(own):
                    rest.append((labels, others))
                else:
                    own, members = own | labels, others + members
            groups = [*rest, (own, members)]
        made: list[Tree] = [
            self.atoms.of_contraction(members, labels, self.sizes, self.kind)
            for labels, members in groups
        ]
        tree = multiplied([*made, *outer])
        for divisor in below:
            if not self._is_summed(divisor):
                tree = over(tree, divisor)
        for step in reversed(around):
            if step.op is div:
                tree = over(tree, step.second)
            else:
                tree = times(tree, step.second) if step.first is None else times(step.first, tree)
        return tree

    def _is_summed(self, tree: Tree) -> bool:
        return not self.inner.isdisjoint(labels_of(tree))

    def _is_opened(self, tree: Tree) -> bool:
        """Return whether a tree is a contraction that is summed over."""
        if type(tree) is not Single or self.inner.isdisjoint(tree.labels):
            return False
        return type(self.atoms[tree.atom]) is Closed

    def _opens_nothing(self, tree: Any) -> bool:
        """Return whether no contraction in a tree is opened, but for the tree itself."""
        if type(tree) is not Step or tree.op is pow:
            return True
        return not any(self._is_opened(t) for t, n in singles(tree) if n == 1)

    def _opened(self, tree: Tree) -> list[Tree]:
        """Return the trees of a contraction that is summed over, and of others the tree."""
        if type(tree) is not Single or not self._is_opened(tree):
            return [tree]
        atom: Any = self.atoms[tree.atom]
        name: dict[Any, Any] = {UNIT: UNIT, **dict(enumerate(tree.labels))}
        for single in [single for t in atom.trees for single, _ in singles(t)]:
            for k, n in zip(single.labels, self.atoms[single.atom].shape, strict=True):
                if k not in name:
                    name[k] = label = object()
                    self.inner.add(label)
                    self.sizes[label] = n
        return [relabelled(t, name) for t in atom.trees]

    def _last_factors(self, tree: Tree) -> tuple[list[Tree], list[Step]]:
        """Return the two factors of which a product is, and the steps around the product.

        In a step, None stands in the place of the product.
        """
        around: list[Step] = []
        while type(tree) is Step and tree.op is not pow:
            if not self._is_summed(tree.second):
                around.append(Step(tree.op, None, tree.second, 0))
                tree = tree.first
            elif tree.op is mul and not self._is_summed(tree.first):
                around.append(Step(tree.op, tree.first, None, 0))
                tree = tree.second
            else:
                break
        if type(tree) is Step and tree.op is mul:
            return [tree.first, tree.second], around
        return [tree], around


def _quotients(above: Sequence[Tree], below: Sequence[Tree]) -> list[Tree]:
    """Return factors, each divided by the divisors that have no other labels than it."""
    made = list(above)
    for divisor in below:
        labels = labels_of(divisor)
        place = next((i for i, t in enumerate(made) if labels <= labels_of(t)), None)
        if place is None:
            made.append(over(None, divisor))
        else:
            made[place] = over(made[place], divisor)
    return made
