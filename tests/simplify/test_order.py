"""The order of the table: where it matters it is stated with its reason, elsewhere it is free.

Two rewrites may be exchanged where no node is rewritten by both, or where both make the same of it.
"""

from __future__ import annotations

import functools
import itertools
from typing import Any

import pytest

from symgrad.expr.atoms import Const
from symgrad.expr.dtypes import float64
from symgrad.expr.graph import toposort
from symgrad.expr.node import ArrayExpr
from symgrad.ops.primitive import Primitive
from symgrad.simplify import TABLE, Kind, Rewrite
from symgrad.simplify.table import ORDER
from tests.each import each, in_part
from tests.simplify.test_rewrites import _applications, _written

_ROOTS: dict[type[Primitive], list[Rewrite]] = {}
for _entry in TABLE:
    if _entry.kind is not Kind.STABLE:
        for _root in _entry.roots:
            _ROOTS.setdefault(_root, []).append(_entry)
_SHARED = {root: entries for root, entries in _ROOTS.items() if len(entries) > 1}
_STATED = {(a.name, b.name) for pairs in ORDER.values() for a, b in pairs}

Pairs = dict[tuple[str, str], tuple[ArrayExpr, ArrayExpr, ArrayExpr]]


@functools.cache
def _that_matter(root: type[Primitive], everywhere: bool) -> Pairs:
    """Return the pairs of rewrites that make different things of one node, each with a witness."""
    found: Pairs = {}
    seen: set[Any] = set()
    for operands, params in _applications(root):
        node = _written(root, operands, params)
        if node is None or node.weak or node in seen:
            continue
        if not (everywhere or _is_plain(node)):
            continue
        seen.add(node)
        made = [(entry.name, entry.applied(node)) for entry in _SHARED[root]]
        fired = [(name, e) for name, e in made if e is not None]
        for (first, a), (second, b) in itertools.combinations(fired, 2):
            if a is not b:
                found.setdefault((first, second), (node, a, b))
    return found


def _is_plain(node: ArrayExpr) -> bool:
    if any(type(x) is Const for x in node.operands):
        return True  # dtypes matter beside numbers
    return node.shape in ((3, 3), (3,)) and all(
        x.dtype is float64 or not x.dtype.differentiable for x in toposort([node]) if not x.weak
    )


@each("root", in_part({root.__name__: root for root in _SHARED}, among=4))
def test_the_order_is_free_where_it_is_not_stated(root: type[Primitive]) -> None:
    for pair, (node, first, second) in _that_matter(root, everywhere=False).items():
        assert pair in _STATED, f"{pair}: {node} becomes {first}, or else {second}"


@pytest.mark.slow
@pytest.mark.parametrize("root", _SHARED, ids=lambda root: root.__name__)
def test_the_order_is_free_elsewhere(root: type[Primitive]) -> None:
    for pair, (node, first, second) in _that_matter(root, everywhere=True).items():
        assert pair in _STATED, f"{pair}: {node} becomes {first}, or else {second}"


@pytest.mark.slow
def test_the_order_matters_where_it_is_stated() -> None:
    found = {pair for root in _SHARED for pair in _that_matter(root, everywhere=False)}
    assert found == _STATED


def test_the_first_one_counts() -> None:
    """The pairs are found in the order of the table, and nodes are made in that order."""
    for root, entries in _SHARED.items():
        rules = [rule for rule, _ in root.derivative_rules.entered]
        assert len(rules) == len(entries)
        for rule, entry in zip(rules, entries, strict=True):
            assert getattr(rule, "func", rule) is entry.rule


def test_stable_forms_never_compete() -> None:
    stable = [entry for entry in TABLE if entry.kind is Kind.STABLE]
    for entry in stable:
        for node in entry.samples():
            assert [other.name for other in stable if other.applied(node) is not None] == [
                entry.name
            ]
