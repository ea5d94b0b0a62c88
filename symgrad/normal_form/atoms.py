"""The factors of normal forms, numbered in the order in which a walk meets them.

That is one order in every process. An atom is

    a node     a leaf, or an operation that the form does not look into (`sin`, `where`, `gather`)
    a `Sum`    of several terms, which is not multiplied out, or one product that is kept together
    a `Closed` contraction, of factors with further labels, over which is summed

Sums and contractions that differ in the order of their axes, or by a number before them, are one
atom. Each atom stands for what was met first, so that it is computed as that was.

A contraction is computed with the factors that are not summed over where they were met: in the sum
of `(a*x)*y` over the axes of `x` and `y`, these may be infinite together where `a` is 0. It is
*read* as `a` times the sum of `x*y`, so that it is equal to that.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import sympy

from symgrad.expr.atoms import Const, Leaf
from symgrad.expr.dtypes import dtype
from symgrad.expr.named_sizes import NamedSize
from symgrad.expr.node import ArrayExpr
from symgrad.expr.shapes import Shape
from symgrad.normal_form.coefficients import Number, content_of, exact, opens, ratio
from symgrad.normal_form.form import Form, Term, common_sizes, without_sizes
from symgrad.normal_form.labels import (
    UNIT,
    Labels,
    as_one,
    distinct,
    has_delta,
    in_canonical_order,
)
from symgrad.normal_form.products import (
    Factor,
    Product,
    Single,
    Symmetries,
    Tree,
    canonical,
    labels_of,
    merged,
    multiplied,
    raised,
    relabelled,
    renamed,
    singles,
    times,
    without_cancelled,
)
from symgrad.ops.primitive import Primitive
from symgrad.ops.reduction import mean


class Sum(NamedTuple):
    """A form whose coefficients have no common factor, and which no axis repeats."""

    form: Form

    @property
    def shape(self) -> Shape:
        """The shape of the value."""
        return self.form.shape

    def parts(self) -> list[int]:
        """Return the numbers of the atoms that it is computed from."""
        trees = [tree for _, tree in self.form.terms.values()]
        return [single.atom for tree in trees for single, _ in singles(tree)]


class Closed(NamedTuple):
    """A contraction.

    Attributes
    ----------
    trees : tuple of Tree
        Its factors in the order in which they were met. Labels from `len(shape)` on are summed
        over; the others are the axes of the value.
    shape : tuple of int
    kind : symgrad.dtype
    """

    trees: tuple[Tree, ...]
    shape: Shape
    kind: dtype

    def parts(self) -> list[int]:
        """Return the numbers of the atoms that it is computed from."""
        return [single.atom for tree in self.trees for single, _ in singles(tree)]


Atom: TypeAlias = ArrayExpr | Sum | Closed


class Atoms:
    """The atoms of some formulas.

    Attributes
    ----------
    symmetries : dict
        For the number of an atom that has some, the orders of its axes in which it is the same.
    sparse_sums : set of int
        The sums of which terms are zero off a diagonal.
    totals : dict
        For the number of a factor what it sums to along its last axis, where that is known.
    cancels : bool
        Whether a factor above and below the bar is left out, whose nan is not to be seen then.
    """

    def __init__(self, cancels: bool = False) -> None:
        self.cancels = cancels
        # None for a contraction that others are read as, and that is not computed itself.
        self._atoms: list[Atom | None] = []
        self._sizes: list[Const] = []  # the named sizes, with the numbers -1, -2, …
        self._numbers: dict[Any, int] = {}
        # For the structure of a sum or a contraction: the number of the atom, the sign of the one
        # that was met first, and the places of its axes in the structure.
        self._known: dict[Any, tuple[int, int, list[int]]] = {}
        self.symmetries: dict[int, list[list[int]]] = {}
        self.sparse_sums: set[int] = set()
        self.totals: dict[int, Number] = {}
        # The factors as which contractions are read that are computed with other ones.
        self._readings: dict[int, list[Factor]] = {}
        # The rank of each contraction, and its factors as it is read.
        self._inside: dict[int, tuple[int, list[Factor]]] = {}

    def __getitem__(self, number: int) -> Atom:
        atom = self._sizes[~number] if number < 0 else self._atoms[number]
        assert atom is not None
        return atom

    def __len__(self) -> int:
        return len(self._atoms)

    def sums(self) -> list[Sum]:
        """Return the atoms that are sums."""
        return [atom for atom in self._atoms if type(atom) is Sum]

    def nodes_of(self, form: Form) -> Iterator[ArrayExpr]:
        """Yield the nodes that a form is computed from, each once."""
        met: set[int] = set()
        left = Sum(form).parts()
        while left:
            number = left.pop()
            if number in met:
                continue
            met.add(number)
            atom = self[number]
            if isinstance(atom, (Sum, Closed)):
                left.extend(atom.parts())
            else:
                yield atom

    def factors_in(self, number: int) -> list[Factor] | None:
        """Return the factors of a contraction as it is read, None of another atom.

        Labels below `rank_of(number)` are the axes of the value, and the others are summed over.
        """
        found = self._inside.get(number)
        return None if found is None else found[1]

    def has_contractions(self) -> bool:
        """Return whether any of the atoms is a contraction."""
        return bool(self._inside)

    def rank_of(self, number: int) -> int:
        """Return how many axes a contraction has, which is not computed where it is only read."""
        return self._inside[number][0]

    def of_node(self, x: ArrayExpr) -> int:
        """Return the number of a node."""
        found = self._numbers.get(x)
        if found is None:
            found = self._numbers[x] = self._enter(x)
            if isinstance(x, Leaf) and x.facts is not None:
                self._note_facts(found, x)
            if self.cancels and isinstance(x, Primitive) and x.sums_to_one():
                self.totals[found] = 1
        return found

    def _note_facts(self, number: int, x: Leaf) -> None:
        assert x.facts is not None
        if x.facts.symmetric:
            self.note_symmetric(number, len(x.shape))
        if x.facts.sums_to is not None:
            total = exact(x.facts.sums_to) if x.facts.sums_to else 0
            if total is not None and opens(x.dtype):
                self.totals[number] = total

    def note_symmetric(self, number: int, rank: int) -> None:
        """Note that an atom, of matrices along the last two axes, is its transpose."""
        axes = list(range(rank))
        self.symmetries[number] = [axes, [*axes[:-2], axes[-1], axes[-2]]]

    def _enter(self, atom: Atom | None) -> int:
        self._atoms.append(atom)
        return len(self._atoms) - 1

    def of_size(self, n: NamedSize, kind: dtype) -> tuple[Number, Tree]:
        """Return a named size as a number, and a product of sizes that have no common factors."""
        number, parts = sympy.factor_list(n.formula)
        tree: Tree = None
        for part, exponent in parts:
            node = Const(NamedSize(part), kind)
            if node not in self._numbers:
                self._sizes.append(node)
                self._numbers[node] = ~(len(self._sizes) - 1)
            tree = times(tree, raised(Single(self._numbers[node], ()), exponent))
        return ratio(int(number.p), int(number.q)), tree

    # ---------------------------------------------------------------- sums

    def of_sum(self, form: Form) -> tuple[Product, Term]:
        """Return a form as a number times one atom.

        The atom lacks the axes that the form repeats, and has one for those that are a diagonal of
        all terms. Powers of named sizes that all terms have in common stand beside it.
        """
        sizes = common_sizes(form) if self._sizes else {}
        if sizes and all(self.is_plain(tree) for _, tree in form.terms.values()):
            (outer, inner), (c, tree) = self.of_sum(without_sizes(form, sizes))
            beside = [(k, (), max(n, 0), max(-n, 0)) for k, n in sizes.items()]
            for k, n in sizes.items():
                tree = times(tree, raised(Single(k, ()), n))
            return (outer, tuple(sorted([*inner, *beside]))), Term(c, tree)
        outer, axes = form.frame()
        made = form if len(axes) == len(form.shape) else form.with_axes(axes)
        content = content_of([c for c, _ in made.terms.values()])
        orders, (structure, sign) = _structure_of_sum(made, content, self.symmetries)
        order = orders[0]
        key = form.kind, tuple([made.shape[a] for a in order]), tuple(structure)
        place = {a: i for i, a in enumerate(order)}
        found = self._known.get(key)
        if found is None:
            positive = 1 if next(iter(made.terms.values()))[0] > 0 else -1
            number = self._enter(Sum(made.scaled(ratio(positive, content))))
            if self.cancels and self._is_centred(made):
                self.totals[number] = 0
            if made.is_sparse():
                self.sparse_sums.add(number)
            found = number, sign * positive, [place[a] for a in range(len(order))]
            self._known[key] = found
            self._note_symmetries(number, orders, list(range(len(order))))
        number, sign_of_atom, places = found
        labels = tuple([outer[axes[order[i]]] for i in places])
        term = Term(sign * sign_of_atom * content, Single(number, labels))
        return (outer, ((number, labels, 1, 0),)), term

    def _is_centred(self, form: Form) -> bool:
        """Return whether a sum is an array less its mean along the last axis."""
        if len(form.terms) != 2:
            return False
        one, other = sorted(form.terms.items(), key=lambda t: sum(len(f[1]) for f in t[0][1]))
        ((out, less), (c, _)), ((_, more), (d, _)) = one, other
        if c + d or len(less) != 1 or len(more) != 1 or not out or has_delta(out):
            return False
        (number, labels, p, q), (array, axes, *powers) = less[0], more[0]
        if number < 0 or (p, q) != (1, 0) or powers != [1, 0] or axes != out:
            return False
        if UNIT in out or labels not in (out[:-1], (*out[:-1], UNIT)):
            return False
        x = self[number]
        return type(x) is mean and x.axes == (len(out) - 1,) and self[array] is x.operands[0]

    def _note_symmetries(self, number: int, orders: list[list[Any]], axes: Sequence[Any]) -> None:
        """Note the orders of the axes of a new atom that its structure does not tell apart."""
        place = {k: a for a, k in enumerate(axes)}
        first = {k: i for i, k in enumerate(orders[0])}
        found = [[place[order[first[k]]] for k in axes] for order in orders]
        if any(order != found[0] for order in found):
            self.symmetries[number] = found

    # ---------------------------------------------------------------- contractions

    def factors_of(self, tree: Tree) -> list[Factor]:
        """Return the factors as which a tree is read, each as often as it stands there."""
        made: list[Factor] = []
        for (number, labels), n in singles(tree):
            up, down = max(n, 0), max(-n, 0)
            reading = self._readings.get(number)
            if reading is None:
                made.append((number, labels, up, down))
                continue
            name = {UNIT: UNIT, **dict(enumerate(labels))}
            made += [
                (a, tuple([name[k] for k in ks]), p * up + q * down, q * up + p * down)
                for a, ks, p, q in reading
            ]
        return made

    def is_plain(self, tree: Tree) -> bool:
        """Return whether a tree has the factors that it is read as."""
        return not any(
            single.atom in self._readings or single.atom in self.symmetries
            for single, _ in singles(tree)
        )

    def of_contraction(
        self, trees: Sequence[Tree], inner: set[Any], sizes: Mapping[Any, int], kind: dtype
    ) -> Single:
        """Return the product of trees, summed over some labels, as one factor."""
        factors, cancelled = merged([f for tree in trees for f in self.factors_of(tree)])
        if cancelled and all(map(self.is_plain, trees)):
            trees = [without_cancelled(multiplied(trees), factors)]
        groups = connected(factors, inner)
        reading = groups.pop(None, [])
        if len(groups) == 1 and not reading:
            number, labels = self._structure(factors, inner, kind)
            if self._atoms[number] is None:
                self._atoms[number] = _closed(trees, labels, sizes, kind)
            return Single(number, labels)
        for group in groups.values():
            number, labels = self._structure(group, inner, kind)
            reading.append((number, labels, 1, 0))
        outer = distinct([k for _, ks, _, _ in reading for k in ks])
        (_, known), _ = canonical(outer, reading, self.symmetries)
        key = "read", kind, known
        if key not in self._known:
            number = self._enter(_closed(trees, outer, sizes, kind))
            self._readings[number] = list(known)
            self._known[key] = number, 1, []
        return Single(self._known[key][0], outer)

    def _structure(
        self, factors: Sequence[Factor], inner: set[Any], kind: dtype
    ) -> tuple[int, Labels]:
        """Return the number of the contraction of factors, and the labels of its axes."""
        labels = distinct([k for _, ks, _, _ in factors for k in ks])
        outer = [k for k in labels if k not in inner]
        summed = [k for k in labels if k in inner]

        def places(color: Mapping[Any, int]) -> dict[Any, Any]:
            return _places(factors, {**color, UNIT: UNIT}, labels, self.symmetries)

        def written(name: Mapping[Any, int]) -> list[Any]:
            return renamed(factors, {**name, UNIT: UNIT}, self.symmetries)

        if self._are_told_apart(factors):  # by their atoms, and labels by the axes of these
            known = distinct([k for _, ks, _, _ in sorted(factors) for k in ks])
            orders = [[*[k for k in known if k not in inner], *[k for k in known if k in inner]]]
            structure = written({k: i for i, k in enumerate(orders[0])})
        else:
            orders, structure = in_canonical_order([outer, summed], places, written)
        order = orders[0]
        key = kind, len(outer), tuple(structure)
        found = self._known.get(key)
        if found is None:
            place = {k: i for i, k in enumerate(order)}
            found = self._enter(None), 1, [place[k] for k in outer]
            self._known[key] = found
            self._note_symmetries(found[0], orders, outer)
            name = {UNIT: UNIT, **{k: i for i, k in enumerate([*outer, *summed])}}
            self._inside[found[0]] = len(outer), renamed(factors, name, self.symmetries)
        number, _, known_places = found
        return number, tuple([order[i] for i in known_places])

    def _are_told_apart(self, factors: Sequence[Factor]) -> bool:
        """Return whether all factors are different atoms, whose axes are not alike."""
        atoms = {k for k, _, _, _ in factors}
        return len(atoms) == len(factors) and self.symmetries.keys().isdisjoint(atoms)


def _closed(
    trees: Sequence[Tree], outer: Sequence[Any], sizes: Mapping[Any, int], kind: dtype
) -> Closed:
    """Return the contraction of trees of which only some labels are left."""
    labels = dict.fromkeys([*outer, *[k for tree in trees for k in labels_of(tree)]])
    name = {k: i for i, k in enumerate(labels)}
    name[UNIT] = UNIT
    made = tuple([relabelled(tree, name) for tree in trees])
    return Closed(made, tuple([sizes[k] for k in outer]), kind)


def connected(factors: Sequence[Factor], inner: set[Any]) -> dict[Any, list[Factor]]:
    """Return factors in groups that share labels over which is summed; None has those without."""
    summed = [[k for k in labels if k in inner] for _, labels, _, _ in factors]
    first = as_one([(own[0], k) for own in summed for k in own[1:]], inner)
    groups: dict[Any, list[Factor]] = {}
    for factor, own in zip(factors, summed, strict=True):
        groups.setdefault(first[own[0]] if own else None, []).append(factor)
    return groups


def _places(
    factors: Sequence[Factor], color: Mapping[Any, Any], labels: Any, symmetries: Symmetries
) -> dict[Any, Any]:
    """Return where each label stands in factors, which are known by the colors of their labels."""
    found: dict[Any, list[Any]] = {k: [] for k in labels}
    for atom, ks, p, q in factors:
        around = [color[k] for k in ks]
        orders = symmetries.get(atom, ())
        if orders:
            around.sort()
        for axis, k in enumerate(ks):
            if k != UNIT:
                axis = min([order[axis] for order in orders], default=axis)
                found[k].append((atom, axis, p, q, around))
    return {k: sorted(v) for k, v in found.items()}


def _structure_of_sum(
    form: Form, content: Number, symmetries: Symmetries
) -> tuple[list[list[int]], tuple[list[Any], int]]:
    """Return orders of the axes that follow from the terms, the terms in them, and their sign.

    The first term has a positive coefficient, and the form is the sign times the terms.
    """
    terms = [(p, ratio(c, content)) for p, (c, _) in form.terms.items()]
    rank = len(form.shape)
    if rank < 2:  # there is one order
        terms.sort()
        sign = 1 if terms[0][1] > 0 else -1
        return [list(range(rank))], ([(p, sign * c) for p, c in terms], sign)

    def places(color: Mapping[int, int]) -> dict[int, Any]:
        found: dict[int, list[Any]] = {a: [] for a in range(rank)}
        for (out, factors), c in terms:
            around: dict[int, Any] = {}
            for a, k in enumerate(out):
                around[k] = sorted([*around.get(k, ()), color[a]])
            around[UNIT] = []
            of_labels = _places(factors, around, out, symmetries)
            for a, k in enumerate(out):
                found[a].append((abs(c), around[k], of_labels[k]))
        return {a: sorted(v) for a, v in found.items()}

    def written(place: Mapping[int, int]) -> tuple[list[Any], int]:
        order = sorted(place, key=place.__getitem__)
        made = []
        for (out, factors), c in terms:
            made.append((canonical([out[a] for a in order], factors, symmetries)[0], c))
        made.sort()
        sign = 1 if made[0][1] > 0 else -1
        return [(p, sign * c) for p, c in made], sign

    by_size: dict[int, list[int]] = {}
    for a, n in enumerate(form.shape):
        by_size.setdefault(n, []).append(a)
    return in_canonical_order([by_size[n] for n in sorted(by_size)], places, written)
