"""What has terms that are zero off a diagonal is computed apart on it and off it.

`p * (eye(n) - p)` has n**2 elements, of which n meet the matrix. Off the diagonal it is
`-outer(p, p)`, and on it `p * (1 - p)`, which is written over the others. Each element is computed
as it was, so that no number is lost, as would be where the product is multiplied out.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple

from symgrad.expr.node import ArrayExpr
from symgrad.expr.shapes import size_of
from symgrad.normal_form.builder import Builder
from symgrad.normal_form.form import Form
from symgrad.normal_form.labels import UNIT, Labels, has_delta
from symgrad.normal_form.products import (
    Single,
    Tree,
    labels_of,
    relabelled,
    replaced,
    singles,
)
from symgrad.ops.permuting import permute
from symgrad.ops.triangular import parted

#: The fewest elements of an array that is computed apart on a diagonal and off it.
LEAST_PARTED = 1000


class Parted(NamedTuple):
    """Trees off a diagonal and on it.

    Attributes
    ----------
    off, on : list of Tree
    label, other : int
        The labels of the diagonal. On it, the first stands for both.
    """

    off: list[Tree]
    on: list[Tree]
    label: int
    other: int


def parted_trees(
    trees: Sequence[Tree],
    output: Collection[int] | None,
    builder: Builder,
    factor: Callable[[Form, Labels], Single],
) -> Parted | None:
    """Return trees apart on a diagonal and off it.

    None where no sum in the trees has terms that are zero off a diagonal of labels that the result
    keeps, or where it is small.

    Parameters
    ----------
    trees : sequence of Tree
        Trees that are multiplied.
    output : collection of int, optional
        The labels that the result keeps; all by default.
    builder : Builder
        What made the trees.
    factor : callable
        Returns a form as one factor, with labels of its axes.
    """
    sums = builder.atoms.sparse_sums
    if not sums:
        return None
    for single in dict.fromkeys([single for tree in trees for single, _ in singles(tree)]):
        atom: Any = builder.atoms[single.atom]
        if single.atom not in sums or single.atom in builder.home:
            continue
        pair = diagonal_of(atom.form)
        if pair is None:
            continue
        label, other = [single.labels[a] for a in pair]
        if label == other or not (output is None or {label, other} <= set(output)):
            continue
        first, second = pair
        off = factor(parted_terms(atom.form, *pair)[1], single.labels)
        rest = [a for a in range(len(atom.shape)) if a != second]
        same = [first if a == second else a for a in range(len(atom.shape))]
        form = builder.contracted([(atom.form, same)], rest, tuple([atom.shape[a] for a in rest]))
        on = factor(form, tuple([single.labels[a] for a in rest]))
        name = {k: k for tree in trees for k in labels_of(tree)}
        name |= {UNIT: UNIT, other: label}
        return Parted(
            [replaced(tree, single, off) for tree in trees],
            [relabelled(replaced(tree, single, on), name) for tree in trees],
            label,
            other,
        )
    return None


def diagonal_of(form: Form) -> tuple[int, int] | None:
    """Return two axes that are a diagonal of some terms of a large form, and not of all."""
    if len(form.terms) < 2 or size_of(form.shape) < LEAST_PARTED:
        return None
    outs = [out for out, _ in form.terms]
    for out in outs:
        if has_delta(out):
            for i, k in itertools.combinations(range(len(out)), 2):
                if out[i] == out[k] != UNIT and any(o[i] != o[k] for o in outs):
                    return i, k
    return None


def parted_terms(form: Form, i: int, k: int) -> tuple[Form, Form]:
    """Return the terms of a form with a diagonal of two axes, and the others."""
    on = {p: t for p, t in form.terms.items() if p[0][i] == p[0][k]}
    off = {p: t for p, t in form.terms.items() if p not in on}
    return Form(form.shape, form.kind, on), Form(form.shape, form.kind, off)


def as_parted(whole: ArrayExpr, off: ArrayExpr, on: ArrayExpr, axis1: int, axis2: int) -> ArrayExpr:
    """Return a formula that is computed from its values off a diagonal and on it."""
    alike = all(x.dtype is whole.dtype and not x.weak for x in (off, on))
    return parted(whole, off, on, axis1, axis2) if alike else whole


def with_axis_last(x: ArrayExpr, axis: int) -> ArrayExpr:
    """Return an array with one of its axes after the others."""
    rest = [a for a in range(x.ndim) if a != axis]
    return x if axis == x.ndim - 1 else permute.of(x, (*rest, axis))
