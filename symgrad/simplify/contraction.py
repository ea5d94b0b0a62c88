"""Rewrites that merge contractions with transposes, diagonals, broadcasts, deltas and sums.

A contraction is a sum of products of labelled operands, as in `numpy.einsum`: `ab,bc->ac`. A
transpose, a diagonal, a broadcast and a Kronecker delta only rename, repeat or drop labels, so that
a contraction of them is another contraction, with fewer operations:

    sum_b A[b,a] B[b,c]             permute(A), B: "ab,bc->ac" is A, B: "ba,bc->ac"
    sum_b d[a] delta[a,b] B[b,c]    diag(d), B:    "ab,bc->ac" is d, B: "a,ac->ac"

No rewrite here makes a formula more expensive to compute.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from symgrad.expr.atoms import Const, Leaf
from symgrad.expr.dtypes import Category, bool_, dtype
from symgrad.expr.node import ArrayExpr
from symgrad.expr.shapes import size_of
from symgrad.ops.arithmetic import mul, neg
from symgrad.ops.broadcasting import broadcast_to
from symgrad.ops.casting import cast
from symgrad.ops.contraction import aligned, contract, reshaped
from symgrad.ops.equations import equation, is_rearranged, parse
from symgrad.ops.permuting import permute
from symgrad.ops.reduction import sum as sum_over
from symgrad.ops.reshaping import reshape
from symgrad.ops.triangular import diag_embed
from symgrad.simplify.rewrite import rewrite

_X, _Y = Leaf("x", (3, 3)), Leaf("y", (3, 3))
_M = Leaf("m", (3, 3), bool_)

Labels = tuple[Any, ...]


class _Product:
    """A contraction whose operands are being replaced by their own operands.

    Attributes
    ----------
    terms : list
        The operands, each with the labels of its axes.
    output : tuple
        The labels of the result.
    sizes : dict
        The length of each label.
    factors : list
        0-d operands, by which the contraction of the others is multiplied.
    dtype : symgrad.dtype
        The dtype of the result.
    """

    def __init__(self, operands: Sequence[ArrayExpr], spec: str, kind: dtype) -> None:
        self.dtype = kind
        inputs, output = parse(spec)
        self.terms: list[tuple[ArrayExpr, Labels]] = [
            (x, tuple(labels)) for x, labels in zip(operands, inputs, strict=True)
        ]
        self.output: Labels = tuple(output)
        self.sizes = {
            k: n for x, labels in self.terms for k, n in zip(labels, x.shape, strict=True)
        }
        self.factors: list[ArrayExpr] = []
        self.negative = False
        # Whether this is a single operand put on a diagonal: a fill (`Primitive.as_fill`), whose
        # operand keeps its own broadcasts and signs.
        self.fills = len(operands) == 1 and len(set(output)) < len(output)

    def open_operands(self) -> bool:
        """Replace operands by their own operands while possible; return whether any was."""
        changed = False
        i = 0
        while i < len(self.terms):
            x, labels = self.terms[i]
            if not labels:
                self.factors.append(x)
                del self.terms[i]
                changed = True
            elif self._open(i, x, labels):
                changed = True
                i = 0  # labels of other operands may have changed
            else:
                i += 1
        return self._sum_alone() or changed

    def _open(self, i: int, x: Any, labels: Labels) -> bool:
        kind = type(x)
        if kind is permute:
            inner: list[Any] = [None] * len(labels)
            for label, axis in zip(labels, x.axes, strict=True):
                inner[axis] = label
            self.terms[i] = (x.operands[0], tuple(inner))
        elif kind is neg and not self.fills:
            self.negative = not self.negative
            self.terms[i] = (x.operands[0], labels)
        elif kind is broadcast_to:
            return self._drop_repeated(i, x, labels)
        elif kind is contract and is_rearranged(parse(x.spec)):
            self._open_rearranged(i, x, labels)
        else:
            return False
        return True

    def _drop_repeated(self, i: int, x: Any, labels: Labels) -> bool:
        """Replace a broadcast operand by its own operand, without the labels of repeated axes."""
        if self.fills or len(set(labels)) < len(labels):
            return False
        inner = x.operands[0]
        lead = len(labels) - len(inner.shape)
        not_repeated = [a for a, n in enumerate(inner.shape) if n == x.shape[lead + a]]
        self.terms[i] = (
            reshaped(inner, tuple(inner.shape[a] for a in not_repeated)),
            tuple(labels[lead + a] for a in not_repeated),
        )
        return True

    def _open_rearranged(self, i: int, x: Any, labels: Labels) -> None:
        """Replace a permuted or diagonal operand; a delta makes two labels one."""
        (inner_labels,), inner_output = parse(x.spec)
        outer: dict[str, Any] = {}
        same: dict[Any, Any] = {}
        for letter, label in zip(inner_output, labels, strict=True):
            label = _root(same, label)
            first = _root(same, outer.setdefault(letter, label))
            if first != label:
                same[label] = first
                del self.sizes[label]
        self.terms[i] = (x.operands[0], tuple([outer[letter] for letter in inner_labels]))
        if same:
            self.terms = [(t, tuple([_root(same, k) for k in ks])) for t, ks in self.terms]
            self.output = tuple([_root(same, k) for k in self.output])

    def _sum_alone(self) -> bool:
        """Sum the axes that only one operand has before the product."""
        changed = False
        for i, (x, labels) in enumerate(self.terms):
            if x.dtype.category < Category.FLOAT or x.dtype is not self.dtype:
                continue  # `sum` of integers has another dtype, and so has an unconverted operand
            others = {k for j, (_, ks) in enumerate(self.terms) if j != i for k in ks}
            others.update(self.output)
            alone = [a for a, k in enumerate(labels) if k not in others and labels.count(k) == 1]
            if alone:
                rest = tuple(k for a, k in enumerate(labels) if a not in alone)
                for a in alone:
                    del self.sizes[labels[a]]
                self.terms[i] = (sum_over.of(x, tuple(alone), False), rest)
                changed = True
        self.factors += [x for x, labels in self.terms if not labels]
        self.terms = [(x, labels) for x, labels in self.terms if labels]
        return changed


def _root(same: Mapping[Any, Any], label: Any) -> Any:
    while label in same:
        label = same[label]
    return label


def _contractions() -> list[ArrayExpr]:
    t = permute(_X, (1, 0))
    v = Leaf("v", (3,))
    return [
        contract(t, _Y, "ab,bc->ac"),
        contract(_X, _Y, "ab,ab->ab"),
        contract(broadcast_to(v, (3, 3)), _Y, "ab,bc->ac"),
        contract(_diagonal_of(v), _Y, "ab,bc->ac"),
    ]


def _diagonal_of(x: ArrayExpr) -> ArrayExpr:
    """Return a vector on the diagonal of a matrix."""
    made: ArrayExpr = contract(x, "a->aa")
    return made


@rewrite(diag_embed, samples=lambda: [diag_embed(_X, (3, 3, 3), 0, 0, 2)])
def embed_diagonal(x: Any, shape: Any, offset: int, axis1: int, axis2: int) -> ArrayExpr | None:
    """A main diagonal is a contraction: one with a label that the result has twice."""
    if offset or shape[axis1] != shape[axis2] or x.dtype.category < Category.FLOAT:
        return None
    *labels, last = range(x.ndim)
    rest = iter(labels)
    output = [last if a in (axis1, axis2) else next(rest) for a in range(len(shape))]
    return contract.of(x, equation([(*labels, last)], output))


@rewrite(contract, samples=_contractions)
def merge_contractions(*args: Any) -> ArrayExpr | None:
    """Transposes, diagonals and broadcasts of operands become labels, and signs one sign."""
    *operands, spec = args
    shape, kind = contract.infer(*args)
    product = _Product(operands, spec, kind)
    changed = product.open_operands()
    terms, output = product.terms, product.output
    if product.fills and len(terms) == 1 and set(terms[0][1]) == set(output):
        if not changed:
            return None
        made = contract.of(terms[0][0], equation([terms[0][1]], output))
        return _finished(product, made, kind)
    known = {k for _, labels in terms for k in labels}
    distinct = tuple(dict.fromkeys(output))
    of_terms = tuple(k for k in distinct if k in known)
    if product.factors and terms and terms[0][0].dtype is not kind:
        # The 0-d factor gave the product its dtype; without it, integers or truth values would be
        # summed in another.
        terms[0] = cast.of(terms[0][0], kind), terms[0][1]
    core = _plain_form(terms, of_terms)
    if core is None and terms:
        if not changed and of_terms == output:
            return None
        inputs = [labels for _, labels in terms]
        core = contract.of(*[x for x, _ in terms], equation(inputs, of_terms))
    # A sum over a label that no operand has any more multiplies by the length of its axis.
    lost = size_of(n for k, n in product.sizes.items() if k not in known and k not in output)
    if lost != 1:
        product.factors.append(Const(lost))
    if core is None:
        core = product.factors.pop() if product.factors else Const(1, kind)
    made = _finished(product, core, kind)
    if of_terms != distinct:
        sizes = product.sizes
        made = aligned(made, of_terms, distinct)
        made = made.broadcast_to(tuple(sizes[k] for k in distinct))
    if len(distinct) < len(output):
        made = contract.of(made, equation([distinct], output))
    assert made.shape == shape
    return made


def _finished(product: _Product, made: ArrayExpr, kind: Any) -> ArrayExpr:
    """Return `made` times the 0-d factors, with the sign and the dtype of the contraction."""
    for factor in reversed(product.factors):
        made = factor * made
    if product.negative:
        made = -made
    return made if made.dtype is kind and not made.weak else cast.of(made, kind)


def _plain_form(terms: Sequence[tuple[ArrayExpr, Labels]], output: Labels) -> ArrayExpr | None:
    """Return a contraction without sums as a permutation or elementwise product, else None."""
    if len(terms) == 1:
        ((x, labels),) = terms
        if labels == output:
            return x
        if len(set(labels)) == len(labels) and len(labels) == len(output):
            return permute.of(x, tuple(labels.index(k) for k in output))
        return None
    if len(terms) != 2:
        return None
    # Without sums, and with all axes in order on one side: elementwise.
    (x, a), (y, b) = terms
    if len(set(a)) < len(a) or len(set(b)) < len(b):
        return None
    if a == output and set(b) <= set(a):
        return mul.of(x, aligned(y, b, a))
    if b == output and set(a) <= set(b):
        return mul.of(aligned(x, a, b), y)
    return None


@rewrite(
    permute,
    among=(contract,),
    samples=lambda: [permute(contract(_X, _Y, "ab,bc->ac"), (1, 0))],
)
def permute_contraction(x: Any, axes: Any) -> ArrayExpr | None:
    """A permuted contraction is a contraction with its output labels permuted."""
    inputs, output = parse(x.spec)
    return contract.of(*x.operands, equation(inputs, [output[a] for a in axes]))


@rewrite(
    reshape,
    among=(contract,),
    samples=lambda: [
        reshape(contract(_X, "ab->abab"), (9, 9)),
        reshape(contract(Leaf("z", (3, 2, 2)), "abc->abcabc"), (3, 4, 3, 4)),
    ],
)
def reshape_diagonal(x: Any, shape: Any) -> ArrayExpr | None:
    """A diagonal of all axes, of which a reshape makes fewer, is that of the reshaped operand."""
    inputs, output = parse(x.spec)
    own, rank = inputs[0], len(shape) // 2
    if len(inputs) > 1 or output != own * 2 or not len(set(own)) == len(own) > rank:
        return None
    inner = shape[:rank]
    if shape != inner * 2 or size_of(inner) != size_of(x.operands[0].shape):
        return None
    labels = range(rank)
    return contract.of(reshape.of(x.operands[0], inner), equation([labels], [*labels, *labels]))
