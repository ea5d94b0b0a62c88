"""A normal form: an array as a sum of products, each with an exact coefficient.

    sum of coefficient * product of factor[labels]**power -> output labels

What the factors are is in `atoms`, how forms are computed with in `arithmetic`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from symgrad.expr.dtypes import dtype
from symgrad.expr.shapes import Shape
from symgrad.normal_form.coefficients import Number, checked
from symgrad.normal_form.labels import UNIT, Labels, axis_labels, has_delta
from symgrad.normal_form.products import (
    Product,
    Tree,
    cancelled_powers,
    canonical,
    relabelled,
    without_cancelled,
)


class Term(NamedTuple):
    """A coefficient, and the order in which the product is computed."""

    coefficient: Number
    tree: Tree


class Form:
    """An array as a sum of products.

    Attributes
    ----------
    shape : tuple of int
    kind : symgrad.dtype
    terms : dict
        A `Term` for each `Product`, in the order in which they are added.
    single : tuple or None
        The form as one product, where `Arithmetic.single` made it.
    """

    __slots__ = ("_covered", "kind", "shape", "single", "terms")

    def __init__(self, shape: Shape, kind: dtype, terms: dict[Product, Term]) -> None:
        self.shape, self.kind, self.terms = shape, kind, terms
        self.single: tuple[Product, Term] | None = None
        self._covered: list[int] | None = None

    def covered_axes(self) -> list[int]:
        """Return the axes along which elements may differ."""
        if self._covered is None:
            self._covered = _covered_axes(self.terms)
        return self._covered

    def frame(self) -> tuple[Labels, list[int]]:
        """Return the labels of the axes, and those axes that the terms need.

        Axes that are a diagonal of all terms have one label, and the first stands for the others.
        """
        outs = [out for out, _ in self.terms]
        if not all(map(has_delta, outs)):
            return axis_labels(self.shape), self.covered_axes()
        known: dict[Any, int] = {}
        outer = tuple(
            [
                UNIT if n == 1 else known.setdefault(labels, len(known))
                for n, labels in zip(self.shape, zip(*outs, strict=True), strict=True)
            ]
        )
        axes = [a for a, k in enumerate(outer) if outer.index(k) == a]
        return outer, [axes[a] for a in self.with_axes(axes).covered_axes()]

    def with_axes(self, kept: Sequence[int]) -> Form:
        """Return the form with some of its axes; along the others it repeats."""
        terms = {}
        for (out, factors), (c, tree) in self.terms.items():
            product, name = canonical([out[a] for a in kept], factors, {})
            terms[product] = Term(c, relabelled(tree, name))
        return Form(tuple([self.shape[a] for a in kept]), self.kind, terms)

    def broadcast(self, shape: Shape) -> Form:
        """Return the form repeated along new axes, and along those of length one."""
        if shape == self.shape:
            return self
        lead = len(shape) - len(self.shape)
        terms = {}
        for (own, factors), (c, tree) in self.terms.items():
            labels = zip((*[UNIT] * lead, *own), shape, strict=True)
            # A new label is any that no axis has yet.
            out = [-2 - a if k == UNIT and n != 1 else k for a, (k, n) in enumerate(labels)]
            product, name = canonical(out, factors, {})
            terms[product] = Term(c, relabelled(tree, name))
        return Form(shape, self.kind, terms)

    def scaled(self, c: Number) -> Form:
        """Return the form times a number other than 0."""
        if c == 1:
            return self
        terms = {p: Term(checked(c * d, self.kind), tree) for p, (d, tree) in self.terms.items()}
        return Form(self.shape, self.kind, terms)

    def is_number(self) -> bool:
        """Return whether all elements are one number, other than 0."""
        if len(self.terms) != 1:
            return False
        ((out, factors),) = self.terms
        return not factors and not has_delta(out)

    def is_move(self) -> bool:
        """Return whether there is one term, of a number and deltas alone."""
        return len(self.terms) == 1 and not next(iter(self.terms))[1]

    def is_sparse(self) -> bool:
        """Return whether a term is zero off a diagonal."""
        return any(has_delta(out) for out, _ in self.terms)


def _covered_axes(terms: Iterable[Product]) -> list[int]:
    found: set[int] = set()
    for out, factors in terms:
        used = {k for _, labels, _, _ in factors for k in labels}
        if has_delta(out):
            used.update([k for k in out if out.count(k) > 1])
        used.discard(UNIT)
        found.update([a for a, k in enumerate(out) if k in used])
    return sorted(found)


def single_form(shape: Shape, kind: dtype, product: Product, term: Term) -> Form:
    """Return a form of one term."""
    made = Form(shape, kind, {product: term})
    made.single = product, term
    return made


def number_form(c: Number, shape: Shape, kind: dtype) -> Form:
    """Return a number, repeated."""
    return Form(shape, kind, {(axis_labels(shape), ()): Term(c, None)})


def signature(form: Form) -> Any:
    """Return what equal forms have in common, whatever the order of their terms."""
    return form.shape, form.kind, tuple(sorted([(p, c) for p, (c, _) in form.terms.items()]))


def common_sizes(form: Form) -> dict[int, int]:
    """Return the powers of named sizes that all of several terms have in common."""
    if len(form.terms) < 2:
        return {}
    powers = [{k: p - q for k, _, p, q in factors if k < 0} for _, factors in form.terms]
    common = {}
    for k in powers[0]:
        found = [own.get(k, 0) for own in powers]
        n = min(found) if min(found) > 0 else max(found) if max(found) < 0 else 0
        if n:
            common[k] = n
    return common


def without_sizes(form: Form, powers: Mapping[int, int]) -> Form:
    """Return a form, of which each term is divided by powers of named sizes that it has."""
    terms = {}
    for (out, factors), (c, tree) in form.terms.items():
        kept = []
        for k, labels, p, q in factors:
            p, q = cancelled_powers(p, q + powers[k]) if k in powers else (p, q)
            if p or q:
                kept.append((k, labels, p, q))
        terms[out, tuple(kept)] = Term(c, without_cancelled(tree, kept))
    return Form(form.shape, form.kind, terms)
