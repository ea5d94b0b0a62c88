"""Normal forms read as formulas of vectors and matrices, in an algebra that names the steps.

What each step is in text, or in SymPy's matrices, is said by an `Algebra`; how a product of values
is contracted is in `label_graph`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import sympy

from symgrad.expr.atoms import Const, Leaf
from symgrad.expr.dtypes import dtype
from symgrad.expr.graph import toposort
from symgrad.expr.node import ArrayExpr
from symgrad.expr.shapes import Shape
from symgrad.normal_form.algebra import Algebra
from symgrad.normal_form.atoms import Sum
from symgrad.normal_form.builder import MOST_FACTORS, Builder
from symgrad.normal_form.coefficients import Number, checked, exact, power, ratio
from symgrad.normal_form.form import Form, Term, common_sizes, number_form, without_sizes
from symgrad.normal_form.label_graph import LabelGraph, Powers
from symgrad.normal_form.labels import UNIT, Labels, distinct, has_delta, lies_in
from symgrad.normal_form.products import Factor, Product, merged
from symgrad.ops.equations import embeddings
from symgrad.ops.reduction import mean


class Reading(Builder):
    """Forms for readers, which have fewer terms where that costs digits or may overflow.

    Attributes
    ----------
    keeps_means : bool
        Whether a mean is a factor by itself, which says more than a sum and a number.
    """

    cancels = True
    keeps_means = True

    def is_sparse(self, form: Form, beside: Form, without: type[ArrayExpr]) -> bool:
        """Return True: what is a sum where terms are zero off a diagonal is one everywhere."""
        return True

    def multiplies_out(self, form: Form, sums: bool, beside: int) -> bool:
        return form.is_sparse() or (sums and any(map(self._has_no_total, form.terms)))

    def _has_no_total(self, product: Product) -> bool:
        """Return whether a product has a factor that sums to zero along the last axis."""
        totals = self.atoms.totals
        return any(totals.get(k) == 0 and (p, q) == (1, 0) for k, _, p, q in product[1])

    def operand(self, x: Any, kind: dtype) -> Form:
        c = _number_of(x) if x.weak and x.operands else 0
        return number_form(checked(c, kind), (), kind) if c else super().operand(x, kind)

    def _with_deltas_apart(self, form: Form) -> list[tuple[Product, Term]]:
        groups: dict[Labels, dict[Product, Term]] = {}
        made = []
        for (out, factors), term in form.terms.items():
            if not has_delta(out) and self._has_no_total((out, factors)):
                made.append(((out, factors), term))
                continue
            own = distinct(out) if has_delta(out) else out
            groups.setdefault(out if has_delta(out) else (), {})[own, factors] = term
        for out, terms in groups.items():
            sizes = dict(zip(out, form.shape, strict=False))
            shape = tuple([sizes[k] for k in distinct(out)]) if out else form.shape
            (own, factors), term = self.single(Form(shape, form.kind, terms))
            made.append(((out or own, factors), term))
        return made

    def _form_of(self, x: Any) -> Form:
        stays = not x.operands or x in self.written or x in self._names
        keeps = self.keeps_means and type(x) is mean and not stays
        if keeps and not self._forms[x.operands[0]].is_sparse():
            return self._of_mean(self._rebuilt(x))
        other = None if stays else self.as_read(x)
        return super()._form_of(x) if other is None else self.formula(other)

    def as_read(self, x: Any) -> ArrayExpr | None:
        """Return an equal formula that says more to a reader; None where there is none."""
        other: ArrayExpr | None = x.as_read()
        return other

    def _of_mean(self, x: Any) -> Form:
        """Return the form of a mean, which is a number where it is one of all elements."""
        (y,) = x.operands
        if not (x.shape and x.size == 1 and y.shape):
            return self.of_node(x)
        form = self.reshaped(self.of_node(mean.of(y, None, False)), x.shape)
        return self.of_node(x) if form is None else form


def _number_of(x: Any) -> Number:
    """Return the value of operators between numbers; 0 where it stays a factor."""
    known: dict[ArrayExpr, Number | None] = {}
    for y in toposort([x]):
        if not y.operands:
            known[y] = exact(y.value) if type(y) is Const else None
            continue
        joined = getattr(type(y), "joined", None)
        numbers = [known[z] for z in y.operands]
        if joined is None or None in numbers:
            return 0
        join, powers = joined
        pairs = zip(numbers, powers, strict=True)
        is_sum = join is sympy.Add
        known[y] = sum(s * c for c, s in pairs) if is_sum else math.prod(power(*p) for p in pairs)
    return known[x] or 0


class Reader:
    """Reads forms in an algebra; each atom is read once.

    Parameters
    ----------
    builder : Builder
        What makes the forms.
    algebra : Algebra
    """

    def __init__(self, builder: Builder, algebra: Algebra) -> None:
        self.builder, self.algebra = builder, algebra
        self._values: dict[int, Any] = {}
        self._turned_sums: dict[int, Any] = {}

    def form(self, form: Form) -> Any:
        """Return the value of a form."""
        stack = [k for _, factors in form.terms for k in self._parts(factors)]
        atoms = self.builder.atoms
        while stack:
            k = stack[-1]
            if k not in self._values:
                missing = [j for j in self._parts_of(k) if j not in self._values]
                if missing:
                    stack += missing
                    continue
                self._values[k] = self._atom(k, atoms)
            stack.pop()
        return self._total(form)

    def whole(self, form: Form) -> Any:
        """Return the value of a form that is part of no other: a polynomial begins as in books."""
        return self.form(_by_degree(form, self.builder.atoms))

    def nodes(self, form: Form) -> list[ArrayExpr]:
        """Return the nodes that a form is read with."""
        atoms, found = self.builder.atoms, {}
        stack = [k for _, factors in form.terms for k in self._parts(factors)]
        while stack:
            k = stack.pop()
            if k not in found:
                found[k] = self._parts_of(k)
                stack += found[k]
        return [
            x
            for k in sorted(found)
            if atoms.factors_in(k) is None and isinstance(x := atoms[k], ArrayExpr)
        ]

    def _parts_of(self, number: int) -> list[int]:
        """Return the atoms that an atom is read with."""
        atoms = self.builder.atoms
        if number in self.builder.home:
            return []
        factors = atoms.factors_in(number)
        if factors is not None:
            return self._parts(factors)
        atom = atoms[number]
        if type(atom) is Sum:
            return [k for _, factors in atom.form.terms for k in self._parts(factors)]
        return []

    def _parts(self, factors: Iterable[Factor]) -> list[int]:
        return [k for k, _, _, _ in self._opened(factors)]

    def _atom(self, number: int, atoms: Any) -> Any:
        """Return an atom whose parts are read."""
        if number in self.builder.home:
            c, node = self.builder.home[number]
            return self.algebra.times(ratio(1, c), self.algebra.node(node))
        factors = atoms.factors_in(number)
        if factors is not None:
            out = tuple(range(atoms.rank_of(number)))
            value, labels = self._product(factors, out)
            return self.algebra.moved(value, labels, out)
        atom = atoms[number]
        return self._total(atom.form) if type(atom) is Sum else self.algebra.node(atom)

    # ---------------------------------------------------------------- sums

    def _total(self, form: Form, turns: bool = True) -> Any:
        """Return the value of a form; a minus sign before a difference turns it, if that may be."""
        a, shape, kind = self.algebra, form.shape, form.kind
        sizes = common_sizes(form)
        if sizes:
            value = self._total(without_sizes(form, sizes), turns)
            return self._times_sizes(value, sizes)
        terms: list[tuple[Number, Any]] = []
        diagonals: dict[Labels, list[tuple[Number, Any]]] = {}
        for (out, factors), (c, _) in form.terms.items():
            if has_delta(out):
                diagonals.setdefault(out, []).append((c, factors))
                terms.append((0, out))  # its place among the terms
                continue
            if not factors:
                terms.append((c, None))
                continue
            parts = self._opened(factors)
            # A minus sign that stands neither between terms nor before a number.
            is_alone = turns and c.numerator == -1 and len(form.terms) == 1
            turned_sum = self._sum_to_turn(parts) if is_alone else None
            value, labels = self._of_parts(parts, out, turned_sum=turned_sum)
            terms.append((c if turned_sum is None else -c, a.moved(value, labels, out)))
        if diagonals:
            made = []
            for c, value in terms:
                if c:
                    made.append((c, value))
                elif value in diagonals:
                    made.append(self._on_diagonal(diagonals.pop(value), value, shape, kind))
            terms = made
        return a.total(terms, shape, kind)

    def _times_sizes(self, value: Any, powers: Mapping[int, int]) -> Any:
        """Return a value times powers of named sizes, which may be negative."""
        over = Powers(())
        over.add(value, 1, 0)
        for number, n in powers.items():
            size: Any = self.builder.atoms[number]
            over.add(self.algebra.node(size), max(n, 0), max(-n, 0))
        return self.algebra.ratio(over.above, over.below)

    def _on_diagonal(
        self, terms: Sequence[tuple[Number, Any]], out: Labels, shape: Shape, kind: dtype
    ) -> tuple[Number, Any]:
        """Return terms among the same zeros as one.

        They are written among zeros where they have the labels of all deltas. Times an identity
        matrix, what is infinite would be nan there.
        """
        a, sizes = self.algebra, dict(zip(out, shape, strict=True))
        deltas, axes = _deltas(out)
        eyes: list[tuple[Any, Labels]] = [(a.identity(sizes[k], kind), (k, m)) for k, m in deltas]
        used = {k for _, factors in terms for _, ks, _, _ in factors for k in ks}
        used.discard(UNIT)
        is_matrix = len(deltas) == 1 and used <= {deltas[0][0]}
        is_covered = used.issuperset([k for k, _ in deltas])
        if len(terms) == 1 and not (is_matrix or is_covered):
            ((c, factors),) = terms
            value, labels = self._product(factors, out, eyes, axes)
            return c, a.moved(value, labels, axes)
        kept = [k for k in out if k in used]
        labels = tuple(embeddings(kept)[1] if is_covered else distinct(kept))
        own = tuple([sizes[k] for k in labels])
        given = []
        for c, factors in terms:
            value, ks = self._product(factors, labels)
            given.append((c, None if value is None else a.moved(value, ks, labels)))
        c, value = given[0] if len(given) == 1 else (1, a.total(given, own, kind))
        if is_covered and not is_matrix:
            made = a.embedded(value, labels, tuple(kept))
            made_labels = tuple([m for k, m in zip(out, axes, strict=True) if k in used])
            return c, a.moved(made, made_labels, axes)
        if not is_matrix:
            parts = [*eyes, (value, labels)] if labels else eyes
            deltas = [tuple([k for k in axes if any(k in ks for _, ks in parts)])]
            eyes = [(a.einsum(parts, deltas[0]), deltas[0])]
        elif labels:
            eyes = [(a.diag(value), deltas[0])]
        ((made, made_labels),) = eyes
        if value is not None and not labels:
            made = a.ratio([(value, 1), (made, 1)], [])
        return c, a.moved(made, made_labels, axes)

    # ---------------------------------------------------------------- products as graphs

    def _opened(self, factors: Iterable[Factor]) -> list[Factor]:
        """Return factors of which contractions are opened, with further labels for their sums.

        A product that is kept together is opened where it has a factor in common with the others.
        """
        atoms = self.builder.atoms
        made: list[Factor]
        # What a sum over labels has in common with a product is seen before it is opened.
        alone, todo = self._with_products_opened(list(factors))
        todo, made, fresh = todo or alone[::-1], [], -2
        while todo:
            k, labels, p, q = factor = todo.pop()
            inside = atoms.factors_in(k) if (p, q) == (1, 0) else None
            if inside is None:
                made.append(factor)
                if not todo:
                    made, todo = self._with_products_opened(made)
                continue
            name = {UNIT: UNIT, **dict(enumerate(labels))}
            opened = []
            for j, ks, u, w in inside:
                for label in ks:
                    if label not in name:
                        name[label] = fresh
                        fresh -= 1
                opened.append((j, tuple([name[label] for label in ks]), u, w))
            todo += opened[::-1]
        return made

    def _with_products_opened(self, factors: Sequence[Factor]) -> tuple[list[Factor], list[Factor]]:
        """Return factors as powers, and those of a product among them, which are to be read."""
        known = {(k, labels) for k, labels, _, _ in factors}
        for i, (k, labels, p, q) in enumerate(factors):
            inside = self._factors_of_product(k, labels)
            if len(factors) + len(inside) > MOST_FACTORS:
                continue
            if any((j, ks) in known for j, ks, _, _ in inside):
                opened = [(j, ks, p * u + q * w, q * u + p * w) for j, ks, u, w in inside]
                made, _ = merged([*factors[:i], *opened, *factors[i + 1 :]])
                return [], made[::-1]
        return list(factors), []

    def _factors_of_product(self, number: int, labels: Labels) -> list[Factor]:
        """Return the factors of a product that is one atom; none of another atom."""
        atoms = self.builder.atoms
        if number in self.builder.home or atoms.factors_in(number) is not None:
            return []
        atom = atoms[number]
        if type(atom) is not Sum or len(atom.form.terms) > 1:
            return []
        ((out, factors),) = atom.form.terms
        name = {UNIT: UNIT, **dict(zip(out, labels, strict=True))}
        return [(j, tuple([name[k] for k in ks]), u, w) for j, ks, u, w in factors]

    def _product(
        self,
        factors: Sequence[Factor],
        out: Labels,
        eyes: Sequence[tuple[Any, Labels]] = (),
        axes: Labels = (),
    ) -> tuple[Any, Labels]:
        """Return a product, and the labels of its axes: some of `out`, in this order.

        It is None where there are no factors. With identity matrices, it has some of `axes`.
        """
        if not factors and not eyes:
            return None, ()
        return self._of_parts(self._opened(factors), out, eyes, axes)

    def _of_parts(
        self,
        parts: Sequence[Factor],
        out: Labels,
        eyes: Sequence[tuple[Any, Labels]] = (),
        axes: Labels = (),
        turned_sum: int | None = None,
    ) -> tuple[Any, Labels]:
        """Return a product of factors that are opened, one of which may have the other sign."""
        values = self._values
        if turned_sum is not None:
            values = {k: values[k] for k, _, _, _ in parts}
            values[turned_sum] = self._turned(turned_sum)
        wanted = distinct(axes or out)
        inner = [k for k in distinct([k for _, ks, _, _ in parts for k in ks]) if k not in wanted]
        if not inner and not eyes and all(lies_in(ks, out) for _, ks, _, _ in parts):
            powers = Powers(out)
            for k, _, p, q in sorted(parts, key=_numbers_first):
                powers.add(values[k], p, q)
            rank = max([len(ks) for _, ks, _, _ in parts])
            return self.algebra.ratio(powers.above, powers.below), out[len(out) - rank :]
        alike = {
            id(values[k])
            for k, ks, _, _ in parts
            if len(ks) == 2
            and k in self.builder.atoms.symmetries
            and isinstance(self.builder.atoms[k], ArrayExpr)
        }
        return LabelGraph(self.algebra, wanted, inner, eyes, alike).product(
            [(values[k], ks, p, q) for k, ks, p, q in parts]
        )

    def _turned(self, number: int) -> Any:
        """Return a sum with the other sign."""
        if number not in self._turned_sums:
            form = self.builder.atoms[number].form  # type: ignore[union-attr]
            self._turned_sums[number] = self._total(form.scaled(-1), turns=False)
        return self._turned_sums[number]

    def _sum_to_turn(self, factors: Iterable[Factor]) -> int | None:
        """Return a factor that is a difference, which takes the minus sign before a product.

        None that stands elsewhere as well.
        """
        atoms, home = self.builder.atoms, self.builder.home
        for k, _, p, q in factors:
            if (p, q) != (1, 0) or k in home or atoms.factors_in(k) is not None:
                continue
            if k in self.builder.shared_atoms:
                continue
            atom = atoms[k]
            if type(atom) is Sum and len({c > 0 for c, _ in atom.form.terms.values()}) == 2:
                return k
        return None


def _by_degree(form: Form, atoms: Any) -> Form:
    """Return a polynomial in leaves from the highest degree down, another form as it is."""
    degrees: dict[Product, int] = {}
    for out, factors in form.terms:
        variables = [k for k, _, _, _ in factors if k >= 0]  # the others are named sizes
        if has_delta(out) or any(q for _, _, _, q in factors):
            return form
        if any(atoms.factors_in(k) or not isinstance(atoms[k], Leaf) for k in variables):
            return form
        degrees[out, factors] = sum([p for k, _, p, _ in factors if k >= 0])
    if len({*degrees.values()}) < 2:
        return form
    order = sorted(form.terms, key=degrees.__getitem__, reverse=True)
    return Form(form.shape, form.kind, {product: form.terms[product] for product in order})


def _numbers_first(factor: Factor) -> Any:
    rank = len(distinct(factor[1]))
    return rank > 0, -rank


def _deltas(out: Labels) -> tuple[list[Labels], Labels]:
    """Return the pairs of labels between which there are deltas, and a label for each axis.

    The first axis with a label has this one, and each further one a new one.
    """
    pairs: list[Labels] = []
    axes: list[int] = []
    count = max(out) + 1
    for k in out:
        if k != UNIT and k in axes:
            pairs.append((k, count))
            k, count = count, count + 1
        axes.append(k)
    return pairs, tuple(axes)
