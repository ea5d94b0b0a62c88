"""Arithmetic of normal forms: numbers, sums, products, powers and contractions of forms.

Which forms nodes have is in `builder`; how labelled factors become contractions in `contracting`.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import Any

from symgrad.expr.atoms import Const
from symgrad.expr.dtypes import dtype
from symgrad.expr.named_sizes import NamedSize
from symgrad.expr.node import ArrayExpr
from symgrad.expr.shapes import Shape
from symgrad.normal_form import coefficients
from symgrad.normal_form.atoms import Atoms
from symgrad.normal_form.coefficients import NotOpen, Number, checked, exact, ratio
from symgrad.normal_form.contracting import contracted_product, is_summed
from symgrad.normal_form.form import Form, Term, number_form, single_form
from symgrad.normal_form.labels import UNIT, axis_labels, has_delta, right
from symgrad.normal_form.products import (
    Product,
    Single,
    merged,
    raised,
    reduced_powers,
    relabelled,
    renamed,
    times,
    without_cancelled,
)
from symgrad.ops.broadcasting import is_zeros

#: The most terms of a sum that numbers and moves of axes are applied to one by one.
MOST_TERMS = 16


class Arithmetic:
    """Operations on forms that share atoms.

    Parameters
    ----------
    atoms : Atoms
        The factors of the forms.

    Attributes
    ----------
    atoms : Atoms
    shared_atoms : set of int
        Sums that are nodes which several others use.
    """

    def __init__(self, atoms: Atoms) -> None:
        self.atoms = atoms
        self.shared_atoms: set[int] = set()
        # The forms of nodes that several others use, which `Builder` keeps, by their `id`.
        self._shared_forms: set[int] = set()

    def of_node(self, x: ArrayExpr) -> Form:
        """Return the form that is one node."""
        labels = axis_labels(x.shape)
        number = self.atoms.of_node(x)
        term = Term(1, Single(number, labels))
        return single_form(x.shape, x.dtype, (labels, ((number, labels, 1, 0),)), term)

    def _of_size(self, n: NamedSize, kind: dtype) -> Form:
        """Return a named size as a number times sizes."""
        number, tree = self.atoms.of_size(n, kind)
        factors = tuple(sorted(self.atoms.factors_of(tree)))
        return single_form((), kind, ((), factors), Term(number, tree))

    def constant(self, value: Any, shape: Shape, kind: dtype) -> Form:
        """Return a number, repeated."""
        if type(value) is NamedSize:
            return self._of_size(value, kind).broadcast(shape)
        c = exact(value)
        if c is None:
            return self.product([self.of_node(Const(value, kind))], shape)
        return number_form(checked(c, kind), shape, kind)

    def is_sparse(self, form: Form, beside: Form, without: type[ArrayExpr]) -> bool:
        """Return whether a term is zero off a diagonal, and none is made from a kind of node.

        The nodes that `beside` is made from are left out.
        """
        if not form.is_sparse():
            return False
        there = set(self.atoms.nodes_of(beside))
        return not any(isinstance(x, without) and x not in there for x in self.atoms.nodes_of(form))

    def single(self, form: Form) -> tuple[Product, Term]:
        """Return a form as one product; several terms become one atom."""
        if form.single is None:
            if len(form.terms) == 1:
                (form.single,) = form.terms.items()
            elif form.terms:
                form.single = self.atoms.of_sum(form)
                tree = form.single[1].tree
                if id(form) in self._shared_forms and type(tree) is Single:
                    self.shared_atoms.add(tree.atom)
            else:
                raise NotOpen
        return form.single

    def as_single(self, form: Form) -> Form:
        """Return a form of one term."""
        if len(form.terms) == 1:
            return form
        return single_form(form.shape, form.kind, *self.single(form))

    def total(self, forms: Iterable[tuple[Form, int]], shape: Shape) -> Form:
        """Return a sum of forms, each with a sign, broadcast to a shape."""
        found: dict[Product, Term] = {}
        kind: Any = None
        for form, sign in forms:
            kind = form.kind
            if self._is_zero(form):
                continue
            if len(form.terms) > MOST_TERMS:
                form = self.as_single(form)
            if form.shape != shape:
                form = self.product([form], shape)
            for product, term in form.terms.items():
                _add_to(found, product, term if sign > 0 else Term(-term[0], term[1]), kind)
        return Form(shape, kind, found)

    def _is_zero(self, form: Form) -> bool:
        """Return whether a form is the number 0 and nothing else."""
        if len(form.terms) != 1:
            return not form.terms
        ((_, tree),) = form.terms.values()
        if type(tree) is not Single:
            return False
        atom = self.atoms[tree.atom]
        return is_zeros(atom)

    def scaled(self, form: Form, number: Number) -> Form:
        """Return a form times a number other than 0."""
        return form.scaled(number)

    def divided(self, form: Form, count: int) -> Form:
        """Return a form divided by a number of elements, which may be a named size."""
        if type(count) is not NamedSize:
            return self.scaled(form, ratio(1, count))
        number = self.power(self._of_size(count, form.kind), -1)
        return self.product([number, form], form.shape)

    def power(self, form: Form, exponent: int) -> Form:
        """Return a whole power of each element."""
        if exponent == 1 or (not form.terms and exponent > 0):
            return form
        (out, factors), (c, tree) = self.single(form)
        if exponent < 0 and has_delta(out):
            raise NotOpen  # infinite off the diagonal
        up, down = max(exponent, 0), max(-exponent, 0)
        powers = [
            (a, ks, *reduced_powers(p * up + q * down, q * up + p * down))
            for a, ks, p, q in factors
        ]
        term = Term(checked(coefficients.power(c, exponent), form.kind), raised(tree, exponent))
        return single_form(form.shape, form.kind, (out, tuple(powers)), term)

    def product(self, forms: Sequence[Form], shape: Shape) -> Form:
        """Return the product of the elements of forms, broadcast to a shape."""
        if len(forms) == 1:
            (form,) = forms
            if len(form.terms) > MOST_TERMS:
                form = self.as_single(form)
            return form.broadcast(shape)
        u, v = forms
        m, n = len(u.terms), len(v.terms)
        if not (m and n):
            return Form(shape, u.kind, {})
        for form, number in ((u, v), (v, u)):
            if number.is_number() and len(form.terms) <= MOST_TERMS:
                ((c, _),) = number.terms.values()
                return form.broadcast(shape).scaled(c)
        opened = (m > 1 and self.multiplies_out(u, False, 1)) or (
            n > 1 and self.multiplies_out(v, False, 1)
        )
        if not opened and shape in (u.shape, v.shape):
            made = _plain_product(self.atoms, self.single(u), self.single(v), u.shape == shape)
            if made is not None:
                checked(made[1].coefficient, u.kind)
                return single_form(shape, u.kind, *made)
        rank = len(shape)
        return self.contracted([(f, right(f.shape, rank)) for f in forms], range(rank), shape)

    def contracted(
        self, parts: Sequence[tuple[Form, Sequence[Any]]], output: Sequence[Any], shape: Shape
    ) -> Form:
        """Return a product of labelled forms, summed over the labels that `output` lacks."""
        kind = parts[0][0].kind
        sizes: dict[Any, int] = {}
        forms, named = [], []
        for form, labels in parts:
            if not form.terms:
                return Form(shape, kind, {})
            forms.append(form)
            named.append(_named(labels, form.shape, sizes))
        out = _named(output, shape, sizes)
        if 0 in sizes.values() and any(n == 0 and k not in out for k, n in sizes.items()):
            return Form(shape, kind, {})  # a sum without terms, whatever the factors are
        found: dict[Product, Term] = {}
        choices = self._choices(forms, named, out, sizes)
        for chosen in itertools.product(*choices):
            terms = [(p, t, ks) for (p, t), ks in zip(chosen, named, strict=True)]
            product, term = contracted_product(self.atoms, terms, out, sizes, kind)
            _add_to(found, product, term, kind)
        return Form(shape, kind, found)

    def _choices(
        self,
        forms: Sequence[Form],
        named: Sequence[Sequence[Any]],
        out: Sequence[Any],
        sizes: dict[Any, int],
    ) -> list[list[tuple[Product, Term]]]:
        """Return the terms over which a product is multiplied out.

        Sums stay sums: multiplied out they would be rounded in other places, and `a - b` might
        cancel no more. Beside numbers and moves alone, nothing is multiplied. In a contraction, the
        terms with a delta stand by themselves, since they cost an order less than the others.
        """
        if max([len(f.terms) for f in forms]) == 1:
            return [[self.single(f)] for f in forms]
        moves = [(f, ks) for f, ks in zip(forms, named, strict=True) if f.is_move()]
        sums = is_summed([(next(iter(f.terms)), ks) for f, ks in moves], out, sizes)
        choices = []
        for form in forms:
            alone = len(moves) == len(forms) - 1
            if len(form.terms) == 1 or len(form.terms) > MOST_TERMS:
                choices.append([self.single(form)])
            elif alone and not sums:
                choices.append(list(form.terms.items()))
            elif self.multiplies_out(form, sums, len(forms) - 1 - len(moves)):
                choices.append(self._with_deltas_apart(form))
            else:
                choices.append([self.single(form)])
        return choices

    def multiplies_out(self, form: Form, sums: bool, beside: int) -> bool:
        """Return whether the terms with a delta of a sum are multiplied by other products.

        Not beside two of them: `p*b*c - p*b*(p@c)` may be nan where the matrix
        `diag(p) - outer(p, p)` is zero.
        """
        return sums and form.is_sparse() and beside <= 1

    def _with_deltas_apart(self, form: Form) -> list[tuple[Product, Term]]:
        """Return the terms with a delta, and the sum of the others as one."""
        sparse = {p: t for p, t in form.terms.items() if has_delta(p[0])}
        rest = {p: t for p, t in form.terms.items() if p not in sparse}
        if rest:
            product, term = self.single(Form(form.shape, form.kind, rest))
            sparse[product] = term
        return list(sparse.items())

    def reshaped(self, form: Form, shape: Shape) -> Form | None:
        """Return a form with axes of length one put in or left out, None for another shape."""
        if form.shape == shape:
            return form
        if [n for n in form.shape if n != 1] != [n for n in shape if n != 1]:
            if not form.is_number():
                return None
            ((_, (c, _)),) = form.terms.items()
            return number_form(c, shape, form.kind)
        terms: dict[Product, Term] = {}
        for (out, factors), term in form.terms.items():
            rest = iter([k for k in out if k != UNIT])
            terms[tuple([UNIT if n == 1 else next(rest) for n in shape]), factors] = term
        return Form(shape, form.kind, terms)


def _named(labels: Iterable[Any], shape: Shape, sizes: dict[Any, int]) -> list[Any]:
    """Return labels with UNIT for axes of length one; the lengths of the others enter `sizes`."""
    found = []
    for k, n in zip(labels, shape, strict=True):
        if n == 1:
            k = UNIT
        else:
            sizes[k] = n
        found.append(k)
    return found


def _add_to(terms: dict[Product, Term], product: Product, term: Term, kind: dtype) -> None:
    """Add a term to others, of which an equal one has been met before, and may cancel."""
    earlier = terms.get(product)
    c = checked(term[0] if earlier is None else term[0] + earlier[0], kind)
    if c:
        terms[product] = Term(c, term[1] if earlier is None else earlier[1])
    elif earlier is not None:
        del terms[product]


def _plain_product(
    atoms: Atoms, first: tuple[Product, Term], second: tuple[Product, Term], wide_first: bool
) -> tuple[Product, Term] | None:
    """Return a product of two products, of which one has the shape of the result.

    None where there is a delta.
    """
    ((out, f), (c, s)), ((narrow, g), (d, t)) = first, second
    if not wide_first:
        out, f, narrow, g = narrow, g, out, f
    if has_delta(out) or has_delta(narrow):
        return None
    if g and narrow != out:
        name = dict(zip(narrow[::-1], out[::-1], strict=False))
        name[UNIT] = UNIT
        g = tuple(renamed(g, name, atoms.symmetries))
        if wide_first:
            t = relabelled(t, name)
        else:
            s = relabelled(s, name)
    tree = times(s, t)
    if not g or not f:
        return (out, f or g), Term(c * d, tree)
    factors, cancelled = merged([*f, *g], atoms.cancels)
    if cancelled and atoms.is_plain(tree):
        tree = without_cancelled(tree, factors)
    factors.sort()
    return (out, tuple(factors)), Term(c * d, tree)
