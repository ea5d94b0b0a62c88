"""The tables of rewrites: which rules meet which operands."""

from typing import Any

import pytest

from numeric.kernel import Kernel
from symgrad.differentiate.sweeps import vjp, with_derivative_rewrites
from symgrad.expr.atoms import Const, Leaf
from symgrad.expr.node import ArrayExpr
from symgrad.ops.arithmetic import add, mul, neg
from symgrad.ops.elementwise import Elementwise
from symgrad.ops.primitive import Primitive
from symgrad.ops.rewriting import Among, RewriteTable
from symgrad.simplify import TABLE, rewrites, stabilises
from tests.each import each
from tests.expr.samples import node_of
from tests.kinds import kinds

pytestmark = pytest.mark.tiny

_OWN = [cls for cls in kinds().values() if cls.__module__.startswith("symgrad.")]
_NODES: list[ArrayExpr] = [
    *[node_of(cls, sample)[0] for cls in _OWN for sample in cls.samples],
    *[Const(c) for c in (0, 1, -1, 2)],
]
_BOUND = [
    pytest.param(root, entry.rule_of(root), entry.among, id=f"{root.__name__}-{entry.name}")
    for entry in TABLE
    if entry.among is not None
    for root in entry.roots
    if len(node_of(root, root.samples[0])[0].operands) > 1
]


@each("cls, rule, among", list(_BOUND))
def test_a_rule_passes_where_no_operand_is_of_its_types(
    cls: type[Primitive], rule: Any, among: Among
) -> None:
    """Otherwise the table would leave out nodes for which the rule holds.

    Of rules for one operand its type is the pattern.
    """
    others = [x for x in _NODES if not among(type(x))]
    tried = 0
    for sample in cls.samples:
        node = node_of(cls, sample)[0]
        for i, given in enumerate(node.operands):
            for x in others:
                if x.dtype is given.dtype and (x.shape == given.shape or type(x) is Const):
                    operands = [*node.operands[:i], x, *node.operands[i + 1 :]]
                    if not any(among(type(y)) for y in operands):
                        assert rule(*operands, *node.param_values) is None
                        tried += 1
    assert tried


def test_rules_are_tried_in_the_order_of_entry() -> None:
    def first(x: ArrayExpr) -> None: ...
    def second(x: ArrayExpr) -> None: ...
    def third(x: ArrayExpr) -> None: ...

    rules = RewriteTable()
    rules.enter(first, (Const,).__contains__)
    rules.enter(second, None)
    assert rules[Const,] == (first, second)
    rules.enter(third, (Const, Primitive).__contains__)
    assert rules[Const,] == (first, second, third)
    assert rules[ArrayExpr,] == (second,)
    assert rules[ArrayExpr, Primitive] == (second, third)


class doubled(Elementwise, abstract=True):
    """An operation of somebody else's, with rewrites of its own."""

    kernel = Kernel("doubled", lambda x: 2 * x, "2 * {0}")

    def partials(self, x: ArrayExpr) -> Any:
        return (2,)


@rewrites(doubled, among=(neg,))
def _sign_outside(x: Any) -> ArrayExpr | None:
    return neg.of(doubled.of(x.operands[0]))


@stabilises(doubled)
def _as_a_sum(node: Any) -> ArrayExpr | None:
    return add.of(node.operands[0], node.operands[0])


def test_operations_defined_elsewhere_have_rewrites_of_their_own() -> None:
    x, ct = Leaf("x", (3,)), Leaf("ct", (3,))
    assert doubled.of(-x) is doubled(-x)  # a value stays as written
    assert with_derivative_rewrites(doubled.of)(-x) is -doubled(x)
    (slope,) = vjp([doubled(x)], [ct], [x])
    assert slope is with_derivative_rewrites(mul.of)(2, ct)
    assert not {rule.name for rule in TABLE} & {"_sign_outside", "_as_a_sum"}
