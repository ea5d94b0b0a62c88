"""Products of sums multiplied out, for `expand` of a formula."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from symgrad.expr.atoms import Const
from symgrad.expr.dtypes import to_real
from symgrad.expr.graph import toposort
from symgrad.expr.node import ArrayExpr
from symgrad.forms.substitution import with_operands
from symgrad.ops.arithmetic import add, mul, neg, sub
from symgrad.ops.powers import pow

#: The most terms that a product is expanded to; a larger product stays a product.
_MOST_TERMS = 2000

#: A term of a sum: its sign, and the term without the sign.
Term = tuple[int, ArrayExpr]


def expanded(e: ArrayExpr) -> ArrayExpr:
    """Return `e` with products and whole powers of sums multiplied out."""
    terms: dict[ArrayExpr, Sequence[Term]] = {}
    sums: dict[ArrayExpr, ArrayExpr] = {}

    def total(node: ArrayExpr) -> ArrayExpr:
        if node not in sums:
            sums[node] = _sum(terms[node])
        return sums[node]

    for node in toposort([e]):
        found = _terms(node, terms)
        if found is None:
            found = [(1, with_operands(node, tuple([total(x) for x in node.operands])))]
        terms[node] = found
    return total(e)


def _terms(node: ArrayExpr, terms: Mapping[ArrayExpr, Sequence[Term]]) -> list[Term] | None:
    """Return the terms of a sum, a product or a power, from those of its operands; else None."""
    # Only floating sums distribute: integers wrap around, and truth values are no numbers.
    kinds = node.dtype, to_real(node.dtype)
    if not (node.operands and node.dtype.differentiable) or not all(
        x.dtype in kinds or x.weak for x in node.operands
    ):
        return None
    kind = type(node)
    a, *rest = [terms[x] for x in node.operands]
    b = rest[0] if rest else a
    if kind is neg:
        found = [(-s, x) for s, x in a]
    elif kind in (add, sub) and len(a) + len(b) <= _MOST_TERMS:
        sign = 1 if kind is add else -1
        found = [*a, *((sign * s, x) for s, x in b)]
    elif kind is mul and 1 < len(a) * len(b) <= _MOST_TERMS:
        found = _product(a, b)
    elif kind is pow and len(a) > 1 and isinstance(node.operands[1], Const):
        n = node.operands[1].value
        if n not in (2, 3, 4) or len(a) ** int(n) > _MOST_TERMS:
            return None
        found = _product(a, a)
        for _ in range(int(n) - 2):
            found = _product(found, a)
    else:
        return None
    # A term may have fewer axes than the sum.
    return [(s, x if x.shape == node.shape else x.broadcast_to(node.shape)) for s, x in found]


def _product(a: Sequence[Term], b: Sequence[Term]) -> list[Term]:
    return [(s * t, mul.of(x, y)) for s, x in a for t, y in b]


def _sum(terms: Sequence[Term]) -> ArrayExpr:
    (sign, first), *rest = terms
    made: ArrayExpr = first if sign > 0 else neg.of(first)
    for sign, x in rest:
        made = (add if sign > 0 else sub).of(made, x)
    return made
