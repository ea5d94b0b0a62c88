"""From normal forms back to formulas: products in their order, contractions in the cheapest one.

What equals a node that the user wrote is that node, so that its value, which may be saved, is read
and not computed again.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import Any

from symgrad.differentiate.derive import cheaper as cheaper_from_above
from symgrad.differentiate.sweeps import with_derivative_rewrites
from symgrad.expr.atoms import Const, Static
from symgrad.expr.graph import toposort
from symgrad.expr.node import ArrayExpr
from symgrad.expr.shapes import size_of
from symgrad.normal_form.atoms import Closed, Sum
from symgrad.normal_form.builder import Builder
from symgrad.normal_form.coefficients import Number, ratio
from symgrad.normal_form.costs import cheapest_pair, cost
from symgrad.normal_form.diagonals import (
    as_parted,
    diagonal_of,
    parted_terms,
    parted_trees,
    with_axis_last,
)
from symgrad.normal_form.form import Form
from symgrad.normal_form.labels import (
    UNIT,
    Labels,
    broadcast_labels,
    distinct,
    has_delta,
    lies_in,
)
from symgrad.normal_form.products import (
    Single,
    Step,
    Tree,
    labels_of,
    relabelled,
    singles,
)
from symgrad.ops.arithmetic import add, div, mul, neg, sub
from symgrad.ops.broadcasting import broadcast_to, zeros
from symgrad.ops.contraction import aligned, contract, reshaped
from symgrad.ops.equations import equation
from symgrad.ops.powers import pow
from symgrad.ops.reduction import sum as sum_over
from symgrad.ops.triangular import diagonal

#: A node, and the label of each of its axes.
Piece = tuple[ArrayExpr, Labels]


class Lowering:
    """Makes nodes of forms; each atom is made once.

    Parameters
    ----------
    builder : Builder
        What makes the forms. A node of its formulas that a form asks for again is not made anew.
    """

    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        # The nodes of the formulas, by their class and the identity of their arguments.
        self._given: dict[Any, ArrayExpr] = {}
        self._atoms: dict[int, ArrayExpr] = {}
        self._pieces: dict[Tree, Piece] = {}
        # The labels of the axes of what is made, in their order.
        self._wanted: Labels = ()

    def __call__(self, form: Form) -> ArrayExpr:
        """Return a form as a formula."""
        if not self._given:
            for x in self._builder.nodes:
                self._given[(type(x), *map(id, x._args))] = x
        outer = self._wanted
        made = self._of_form(form)
        self._wanted = outer
        return made

    def _of_form(self, form: Form) -> ArrayExpr:
        trees = [tree for _, tree in form.terms.values()]
        for tree in trees:
            self._make_atoms([single.atom for single, _ in singles(tree)])
        if len(trees) == 1 and type(trees[0]) is Single:
            ((out, _),) = form.terms
            x = self._atoms[trees[0].atom]
            if trees[0].labels == out and x.shape == form.shape and not has_delta(out):
                return self._times(next(iter(form.terms.values())).coefficient, x)
        return self._total(form)

    def _make_atoms(self, stack: list[int]) -> None:
        while stack:
            k = stack[-1]
            if k not in self._atoms:
                atom = self._builder.atoms[k]
                if type(atom) in (Sum, Closed) and k not in self._builder.home:
                    missing = [j for j in atom.parts() if j not in self._atoms]
                    if missing:
                        stack += missing
                        continue
                self._atoms[k] = self._atom(k, atom)
            stack.pop()

    def _atom(self, number: int, atom: Any) -> ArrayExpr:
        """Return an atom of which the parts are made."""
        if number in self._builder.home:
            c, node = self._builder.home[number]
            return self._times(ratio(1, c), node)
        if type(atom) is Closed:
            return self._contraction(atom)
        return self._total(atom.form) if type(atom) is Sum else atom

    def _made(self, op: Any, *args: Any) -> ArrayExpr:
        """Return an operation, the one that is given where there is one."""
        found = self._given.get((op, *map(id, args)))
        return op.of(*args) if found is None else found

    # ---------------------------------------------------------------- sums

    def _total(self, form: Form) -> ArrayExpr:
        """Return a form, whose terms that are zero off a diagonal are added on it alone."""
        whole = self._sum_of(form)
        pair = diagonal_of(form)
        if pair is None:
            return whole
        i, k = pair
        on, off = parted_terms(form, i, k)
        x = self(off)
        value = self(on.with_axes([a for a in range(len(form.shape)) if a != k]))
        value = self._made(add, diagonal.of(x, 0, i, k), with_axis_last(value, i))
        return as_parted(whole, x, value, i, k)

    def _sum_of(self, form: Form) -> ArrayExpr:
        shape, kind = form.shape, form.kind
        if not form.terms:
            return zeros(shape, kind) if shape else Const(0, kind)
        diagonals: dict[Labels, list[tuple[Number, ArrayExpr]]] = {}
        for (out, _), (c, tree) in form.terms.items():
            delta = has_delta(out)
            if tree is None:  # a number beside other terms needs no dtype of its own
                node: ArrayExpr = Const(1, kind if delta or len(form.terms) == 1 else None)
            else:
                c, node = self._term(c, tree, distinct(out) if delta else out)
            diagonals.setdefault(out if delta else (), []).append((c, node))
        parts = []
        for out, terms in diagonals.items():
            if out:
                parts.append((1, self._on_diagonal(self._added(terms), out, shape)))
            else:
                parts += terms
        node = self._added(parts)
        return node if node.shape == shape else self._made_of_shape(broadcast_to, node, shape)

    def _term(self, c: Number, tree: Tree, wanted: Labels) -> tuple[Number, ArrayExpr]:
        """Return a term as a number and an array that broadcasts to the axes with some labels.

        The number stands before a factor that is smaller than the product, where there is one.
        """
        self._wanted = wanted
        x, labels = self._piece(tree)
        if type(tree) is Step and tree.op is mul and abs(c) != 1:
            sides = [self._piece(tree.first), self._piece(tree.second)]
            small = min((0, 1), key=lambda i: size_of(sides[i][0].shape))
            if size_of(sides[small][0].shape) < size_of(x.shape):
                sides[small] = self._times(abs(c), sides[small][0]), sides[small][1]
                x, labels = self._joined(mul, *sides)
                c = 1 if c > 0 else -1
        return c, placed(x, labels, wanted)

    def _on_diagonal(self, x: ArrayExpr, out: Labels, shape: Sequence[int]) -> ArrayExpr:
        """Return an array with the distinct labels of `out` among zeros."""
        labels = distinct(out)
        sizes = dict(zip(out, shape, strict=True))
        full = tuple([sizes[k] for k in labels])
        x = x if x.shape == full else broadcast_to.of(x, full)
        made = contract.of(x, equation([labels], [k for k in out if k != UNIT]))
        return reshaped(made, tuple(shape))

    def _added(self, terms: Sequence[tuple[Number, ArrayExpr]]) -> ArrayExpr:
        """Return a sum of numbers times arrays, with a positive one first if there is any."""
        common = abs(terms[0][0])
        if len(terms) == 1 or any(abs(c) != common for c, _ in terms):
            common = 1
        sign = -1 if all(c < 0 for c, _ in terms) else 1
        first = next(i for i, (c, _) in enumerate(terms) if sign * c > 0)
        node = self._times(ratio(sign * terms[first][0], common), terms[first][1])
        for i, (c, x) in enumerate(terms):
            if i != first:
                op = add if sign * c > 0 else sub
                node = self._made(op, node, self._times(ratio(abs(c), common), x))
        return self._times(sign * common, node)

    def _times(self, c: Number, x: ArrayExpr) -> ArrayExpr:
        """Return `c * x`; a quotient where that is rounded once, as in `x / 3`."""
        if c == 1:
            return x
        if c < 0:
            return self._negative(self._times(-c, x))
        if type(x) is Const and type(x.value) is int and x.value == 1:
            return Const(as_float(c), None if x.weak else x.dtype)
        above, below = c.numerator, c.denominator
        if below & below - 1 == 0 or max(above, below) >= 1 << 20:
            return self._made(mul, Const(as_float(c)), x)
        return self._made(div, self._times(above, x), Const(below))

    def _negative(self, x: ArrayExpr) -> ArrayExpr:
        """Return `-x`; of a product, the sign is that of a factor that is smaller than it."""
        found = self._given.get((neg, id(x)))
        if found is not None:
            return found
        if type(x) is mul:
            small = min(x.operands, key=lambda y: size_of(y.shape))
            if small.operands and 2 * size_of(small.shape) < size_of(x.shape):
                # Rewrites would take the sign out of the product.
                return mul(*[neg.of(y) if y is small else y for y in x.operands])
        return neg.of(x)

    # ---------------------------------------------------------------- products

    def _piece(self, tree: Tree) -> Piece:
        """Return a product with the labels of its axes. A tree is small, so this may recurse."""
        found = self._pieces.get(tree)
        if found is None:
            found = self._pieces[tree] = self._made_piece(tree)
        return found

    def _made_piece(self, tree: Any) -> Piece:
        if type(tree) is Single:
            return _without_repeats(self._atoms[tree.atom], tree.labels)
        whole = self._step(tree)
        parts = parted_trees([tree], None, self._builder, self._factor)
        if parts is None:
            return whole
        (off,), (on,), j, k = parts
        return self._on_and_off(whole, self._piece(off), self._piece(on), j, k)

    def _step(self, tree: Step) -> Piece:
        x, labels = self._piece(tree.second if tree.first is None else tree.first)
        if tree.op is pow:
            return self._made(pow, x, Const(tree.second)), labels
        if tree.first is None:
            return self._made(div, Const(1), x), labels
        return self._joined(tree.op, (x, labels), self._piece(tree.second))

    def _joined(self, op: Any, first: Piece, second: Piece) -> Piece:
        """Return a product or quotient of two arrays, which are repeated where they must be."""
        (x, a), (y, b) = first, second
        labels = broadcast_labels(a, b)
        if labels is None:
            sizes = dict(zip((*a, *b), (*x.shape, *y.shape), strict=True))
            wide, other = distinct(a), distinct(b)
            if len(other) > len(wide):
                wide, other = other, wide
            new = tuple([k for k in other if k not in wide])
            if self._wanted and {*wide, *new} == set(self._wanted):
                labels = self._wanted
            else:
                # NumPy is quick along the last axis, which should not be the shortest.
                inner = math.prod([sizes[k] for k in new]) >= sizes[wide[-1]]
                labels = (*wide, *new) if inner else (*new, *wide)
            x, y = placed(x, a, labels), placed(y, b, labels)
        return self._made(op, x, y), labels

    def _factor(self, form: Form, labels: Labels) -> Single:
        """Return a form as a factor by itself, with labels of its axes."""
        axes = form.covered_axes()
        node = self(form.with_axes(axes))
        number = self._builder.atoms.of_node(node)
        self._atoms[number] = node
        return Single(number, tuple([labels[a] for a in axes]))

    def _on_and_off(self, whole: Piece, off: Piece, on: Piece, j: int, k: int) -> Piece:
        """Return an array that is computed apart off a diagonal and on it."""
        x, labels = _plain(whole)
        sizes = dict(zip(labels, x.shape, strict=True))
        along = (*[c for c in labels if c not in (j, k)], j)
        parts = []
        for (y, own), target in ((off, labels), (on, along)):
            y, shape = placed(y, own, target), tuple([sizes[c] for c in target])
            y = self._negative(y.operands[0]) if type(y) is neg else y
            parts.append(y if y.shape == shape else broadcast_to.of(y, shape))
        y, z = parts
        return as_parted(x, y, z, labels.index(j), labels.index(k)), labels

    def _contraction(self, atom: Closed) -> ArrayExpr:
        """Return a contraction, apart off a diagonal and on it where that is cheaper."""
        whole = self._contracted(atom)
        output = tuple(range(len(atom.shape)))
        parts = parted_trees(atom.trees, output, self._builder, self._factor)
        if parts is None:
            return whole
        off, on, j, k = parts
        inner = {c for tree in atom.trees for c in labels_of(tree)}.difference(output)
        if any(inner - {c for tree in trees for c in labels_of(tree)} for trees in (off, on)):
            return whole  # a sum of what repeats along an axis
        rest = tuple([c for c in output if c != k])
        x, y = self._contracted_part(off, output, atom), self._contracted_part(on, rest, atom)
        return self._on_and_off((whole, output), x, y, j, k)[0]

    def _contracted_part(self, trees: Sequence[Tree], output: Labels, atom: Closed) -> Piece:
        """Return a contraction of trees, which may repeat along axes of the result."""
        own = {c for tree in trees for c in labels_of(tree)}
        labels = tuple([c for c in output if c in own])
        name = {UNIT: UNIT, **{c: labels.index(c) if c in labels else c for c in own}}
        made = tuple([relabelled(tree, name) for tree in trees])
        shape = tuple([atom.shape[c] for c in labels])
        return self._contracted(Closed(made, shape, atom.kind)), labels

    def _contracted(self, atom: Closed) -> ArrayExpr:
        """Return a contraction, of which the cheapest pair of factors is multiplied first."""
        output = self._wanted = tuple(range(len(atom.shape)))
        sizes: dict[int, int] = {}
        small: list[Tree] = []
        trees: list[Tree] = []
        for tree in atom.trees:
            rest = self._without_small(tree, small)
            if type(rest) is Step and rest.op is mul and len(atom.trees) == 1:
                trees += [rest.first, rest.second]
            else:
                trees.append(rest)
        pieces = [_plain(self._piece(tree)) for tree in (*small, *trees)]
        for x, labels in pieces:
            sizes.update(zip(labels, x.shape, strict=True))
        pieces = [_summed_alone(i, pieces, output) for i in range(len(pieces))]
        count = len(small)
        while len(pieces) > 1:
            i, j = cheapest_pair([labels for _, labels in pieces], output, sizes, count)
            others = [p for k, p in enumerate(pieces) if k not in (i, j)]
            needed = set(output).union(*[labels for _, labels in others])
            pieces = [*others, self._pair(pieces[i], pieces[j], needed, output)]
            count -= (i < count) + (j < count)
        ((x, labels),) = pieces
        if labels != output:
            x = self._made_of_shape(contract, x, equation([labels], output))
        return x

    def _without_small(self, tree: Any, found: list[Tree]) -> Any:
        """Return a product without the factors of at most one that it ends or begins with.

        They are added to those that were `found`, and may be multiplied with any other factor: that
        makes nothing infinite.
        """
        while type(tree) is Step and tree.op is mul:
            sides = [tree.first, tree.second]
            small = next((t for t in sides if type(t) is Single and self._is_small(t)), None)
            if small is None:
                break
            sides.remove(small)
            found.append(small)
            (tree,) = sides
        return tree

    def _is_small(self, single: Single) -> bool:
        x = self._atoms[single.atom]
        return getattr(x, "at_most_one", False) and not x.dtype.is_complex

    def _pair(self, first: Piece, second: Piece, needed: set[int], output: Sequence[int]) -> Piece:
        """Return the product of two factors, summed over the labels that are not needed."""
        (x, a), (y, b) = first, second
        union = tuple(dict.fromkeys([*a, *b]))
        if needed.issuperset(union):
            if set(b) <= set(a):
                return self._made(mul, x, placed(y, b, a)), a
            if set(a) <= set(b):
                return self._made(mul, placed(x, a, b), y), b
        left = tuple([k for k in output if k in union])
        left = tuple([k for k in union if k in needed and k not in left]) + left
        spec, other = equation([a, b], left), equation([b, a], left)
        turned = (contract, id(y), id(x), id(Static(other))) in self._given
        if turned or (left and left[0] in b and left[0] not in a):
            x, y, spec = y, x, other
        found = self._given.get((contract, id(x), id(y), id(Static(spec))))
        if found is None:
            # The rewrites look into operands that only move elements, or have a sign.
            moved = any(z.operands and (z.is_view or type(z) is neg) for z in (x, y))
            found = (contract.of if moved else contract)(x, y, spec)
        return found, left

    def _made_of_shape(self, op: Any, *args: Any) -> ArrayExpr:
        """Return an operation with a parameter, the one that is given where there is one."""
        found = self._given.get((op, *map(id, args[:-1]), id(Static(args[-1]))))
        return op.of(*args) if found is None else found


def as_float(c: Number) -> int | float:
    """Return a coefficient as the number that formulas contain, which may be rounded."""
    return int(c) if c.denominator == 1 and abs(c) < 1 << 53 else float(c)


def placed(x: ArrayExpr, labels: Labels, target: Labels) -> ArrayExpr:
    """Return an array that broadcasts to the axes with the labels `target`."""
    if lies_in(labels, target):
        return x
    return aligned(*_plain((x, labels)), target)


def _plain(piece: Piece) -> Piece:
    """Return a factor without axes of length one."""
    x, labels = piece
    if UNIT in labels:
        x = reshaped(x, tuple([n for n, k in zip(x.shape, labels, strict=True) if k != UNIT]))
        labels = tuple([k for k in labels if k != UNIT])
    return x, labels


def _without_repeats(x: ArrayExpr, labels: Labels) -> Piece:
    """Return a factor with a diagonal taken where a label stands twice."""
    if not has_delta(labels):
        return x, labels
    x, labels = _plain((x, labels))
    return contract.of(x, equation([labels], distinct(labels))), distinct(labels)


def _summed_alone(i: int, pieces: Sequence[Piece], output: Collection[int]) -> Piece:
    """Return a factor summed over the labels that neither the result nor another factor has."""
    x, labels = pieces[i]
    needed = set(output).union(*[ks for j, (_, ks) in enumerate(pieces) if j != i])
    axes = tuple([a for a, k in enumerate(labels) if k not in needed])
    if not axes:
        return x, labels
    rest = tuple([k for k in labels if k in needed])
    return sum_over.of(x, axes, False), rest


# ------------------------------------------------------------------ whole formulas


@with_derivative_rewrites
def normal_form(
    roots: Sequence[ArrayExpr],
    written: Sequence[ArrayExpr] = (),
    given: Collection[ArrayExpr] = (),
) -> list[ArrayExpr]:
    """Return equal formulas in normal form.

    Parameters
    ----------
    roots : sequence of ArrayExpr
        Finished derivatives.
    written : sequence of ArrayExpr
        The functions that were differentiated, whose nodes stay as they were written.
    given : collection of ArrayExpr
        Nodes whose values need not be computed.

    Examples
    --------
    >>> import symgrad
    >>> from symgrad.normal_form.lowering import normal_form
    >>> x, y = symgrad.symbols("x y")
    >>> normal_form([x * y * 2 + y * x])
    [3 * (x * y)]
    """
    builder = Builder(roots, toposort(written), given)
    return builder.run_with(Lowering(builder))


@cheaper_from_above.state
def cheaper(
    roots: Sequence[ArrayExpr],
    written: Sequence[ArrayExpr] = (),
    given: Collection[ArrayExpr] = (),
) -> list[ArrayExpr]:
    """Return formulas in normal form where that is cheaper to compute, else as they are."""
    made = normal_form(roots, written, given)
    return made if cost(made, given) < cost(roots, given) else list(roots)
