"""How contractions merge with what stands around them.

That is transposes, diagonals, repeated values, Kronecker deltas and sums. No rewrite here makes
anything dearer to compute.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from symgrad.expr.dtypes import Category, bool_, dtype
from symgrad.expr.node import ArrayExpr, Const, Leaf
from symgrad.expr.shapes import broadcast_axes, reduced_shape, size_of
from symgrad.ops.arithmetic import mul, neg
from symgrad.ops.broadcasting import broadcast_to, sum_to
from symgrad.ops.casting import cast
from symgrad.ops.contraction import (
    aligned,
    contract,
    diagonal_of,
    equation,
    is_rearranged,
    parse,
    reshaped,
)
from symgrad.ops.permuting import permute
from symgrad.ops.reduction import sum as sum_over
from symgrad.ops.reshaping import reshape
from symgrad.simplify.rewrite import rewrite

__all__ = [
    "merge_contractions",
    "permute_contraction",
    "sum_diagonal",
    "sum_diagonal_to",
]

_X, _Y = Leaf("x", (3, 3)), Leaf("y", (3, 3))
_M = Leaf("m", (3, 3), bool_)

Labels = tuple[Any, ...]


class _Product:
    """A contraction while its operands are taken apart.

    Attributes
    ----------
    terms : list
        The operands, each with the labels of its axes.
    output : tuple
        The labels of the result.
    sizes : dict
        The length of each label.
    factors : list
        0-d operands, which stand before the rest.
    dtype : symgrad.dtype
        In which it is computed.
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
        # One operand on a diagonal is what it is: repeated values stay inside it.
        self.fills = len(operands) == 1 and len(set(output)) < len(output)

    def open_operands(self) -> bool:
        """Take operands apart until there is nothing left to do; whether there was anything."""
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
        elif kind is neg and not self.fills:  # a sign goes inside a diagonal, not out of it
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
        """Leave the axes along which an operand repeats to others, or to a factor."""
        if self.fills or len(set(labels)) < len(labels):
            return False
        inner = x.operands[0]
        lead = len(labels) - len(inner.shape)
        kept = [a for a, n in enumerate(inner.shape) if n == x.shape[lead + a]]
        self.terms[i] = (
            reshaped(inner, tuple(inner.shape[a] for a in kept)),
            tuple(labels[lead + a] for a in kept),
        )
        return True

    def _open_rearranged(self, i: int, x: Any, labels: Labels) -> None:
        """Read through a permutation or diagonal; a delta makes two labels one."""
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
        """Sum axes that only one operand has before multiplying."""
        changed = False
        for i, (x, labels) in enumerate(self.terms):
            if x.dtype.category < Category.FLOAT or x.dtype is not self.dtype:
                continue  # sums of narrow integers are wide, and others are computed wider
            others = {k for j, (_, ks) in enumerate(self.terms) if j != i for k in ks}
            others.update(self.output)
            alone = [a for a, k in enumerate(labels) if k not in others and labels.count(k) == 1]
            if alone:
                kept = tuple(k for a, k in enumerate(labels) if a not in alone)
                for a in alone:
                    del self.sizes[labels[a]]
                self.terms[i] = (sum_over.of(x, tuple(alone), False), kept)
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


@rewrite(contract, samples=_contractions)
def merge_contractions(*args: Any) -> ArrayExpr | None:
    """Transposes, diagonals, signs and repeated values of operands become labels of the product."""
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
    kept = tuple(k for k in distinct if k in known)
    if product.factors and terms and terms[0][0].dtype is not kind:
        # Without the factor, what is left may be integers or truth values, with sums of their own.
        terms[0] = cast.of(terms[0][0], kind), terms[0][1]
    core = _plain_form(terms, kept)
    if core is None and terms:
        if not changed and kept == output:
            return None
        inputs = [labels for _, labels in terms]
        core = contract.of(*[x for x, _ in terms], equation(inputs, kept))
    # An axis along which nothing varies any more was summed: it counts.
    lost = size_of(n for k, n in product.sizes.items() if k not in known and k not in output)
    if lost != 1:
        product.factors.append(Const(lost))
    if core is None:
        core = product.factors.pop() if product.factors else Const(1, kind)
    made = _finished(product, core, kind)
    if kept != distinct:
        sizes = product.sizes
        made = aligned(made, kept, distinct)
        made = made.broadcast_to(tuple(sizes[k] for k in distinct))
    if len(distinct) < len(output):
        made = contract.of(made, equation([distinct], output))
    assert made.shape == shape
    return made


def _finished(product: _Product, made: ArrayExpr, kind: Any) -> ArrayExpr:
    """Give back the factors, the sign and the dtype."""
    for factor in reversed(product.factors):
        made = factor * made
    if product.negative:
        made = -made
    return made if made.dtype is kind and not made.weak else cast.of(made, kind)


def _plain_form(terms: Sequence[tuple[ArrayExpr, Labels]], output: Labels) -> ArrayExpr | None:
    """Return a product that is no contraction in that form, else None."""
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
    """The transpose of a product is a product with its labels in another order."""
    inputs, output = parse(x.spec)
    return contract.of(*x.operands, equation(inputs, [output[a] for a in axes]))


# ------------------------------------------------------------------ off a diagonal, all is zero


_V = _diagonal_of(Leaf("v", (3,)))


@rewrite(
    sum_over,
    among=(contract,),
    samples=lambda: [sum_over(_V, None, False), sum_over(_V, (0,), True)],
)
def sum_diagonal(x: Any, axis: Any, keepdims: bool) -> ArrayExpr | None:
    """A sum over an axis of a diagonal is what stands on it."""
    found = diagonal_of(x)
    if found is None or x.dtype.category < Category.FLOAT:
        return None
    inner, labels, output = found
    axis = range(len(output)) if axis is None else axis
    kept = [k for a, k in enumerate(output) if a not in axis]
    made: ArrayExpr = contract.of(inner, equation([labels], kept))
    return reshape.of(made, reduced_shape(x.shape, axis, True)) if keepdims else made


@rewrite(sum_to, among=(contract,), samples=lambda: [sum_to(_V, (3,))])
def sum_diagonal_to(x: Any, shape: Any) -> ArrayExpr | None:
    """A sum that undoes a broadcast of a diagonal is what stands on it."""
    if diagonal_of(x) is None or x.dtype.category < Category.FLOAT:
        return None
    return reshape.of(sum_over.of(x, broadcast_axes(shape, x.shape), False), shape)
