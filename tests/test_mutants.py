"""The tool that mutates the source finds the places of each kind, and changes nothing else."""

from __future__ import annotations

import ast
from collections import Counter

import pytest

from tools.mutants import KINDS, choose, find

# What is computed is mutated once for each kind; what is told, refused or sampled is not at all.
_SOURCE = '''\
"""1 - x is no place: ∂ takes three bytes."""

from numpy import where

SIZE = 2 - 1


def drawn():
    return [1 - SIZE]


@rewrite(samples=drawn)
def same(x):
    return x


class rule:
    poles = 2 * 3
    scalar = lambda x, y: x - y
    samples = [lambda x: x - 1]

    def partials(self, x: tuple[0], y: int = 3 - 1):
        """Return `-x`, a ∂."""
        if x < y:
            raise ValueError(f"{x - y}", -x)
        assert x - y > 0
        return -x, x @ y

    def vjp(self, ct, x):
        seen = ct is not None and x.dtype
        if ct.weak:
            return where.of(x > 0.5, ct, 0)
        return ct.sum(axis=-1, keepdim=True) + x.shape[0] * 2

    def message(self, x):
        return x - 1
'''

_EXPECTED = [
    ("rule.scalar:sign:0", "x - y", "(x) + (y)"),
    ("rule.scalar:operands:0", "x - y", "(y) - (x)"),
    ("rule.partials:sign:0", "-x", "(x)"),
    ("rule.partials:operands:0", "x @ y", "(y) @ (x)"),
    ("rule.vjp:mask:0", "ct is not None and x.dtype", "(x.dtype)"),
    ("rule.vjp:mask:1", "ct.weak", "not (ct.weak)"),
    ("rule.vjp:mask:2", "where.of(x > 0.5, ct, 0)", "(ct)"),
    ("rule.vjp:operands:0", "ct, 0", "0, ct"),
    ("rule.vjp:comparison:0", "x > 0.5", "(x) >= (0.5)"),
    (
        "rule.vjp:sign:0",
        "ct.sum(axis=-1, keepdim=True) + x.shape[0] * 2",
        "(ct.sum(axis=-1, keepdim=True)) - (x.shape[0] * 2)",
    ),
    ("rule.vjp:axis:0", "-1", "0"),
    ("rule.vjp:axis:1", "True", "not (True)"),
    ("rule.vjp:constant:0", "2", "3"),
    ("rule.vjp:axis:2", "0", "1"),
]


def test_each_place_that_computes_is_found_and_no_other():
    source = _SOURCE.encode()
    found = [(m.key, source[slice(*m.span)].decode(), m.after) for m in find("f.py", source)]
    assert found == [(f"f.py:{name}", before, after) for name, before, after in _EXPECTED]
    assert {m.kind for m in find("f.py", source)} == set(KINDS)


@pytest.mark.parametrize("index", range(len(_EXPECTED)))
def test_a_mutant_differs_in_its_place_only(index):
    source = _SOURCE.encode()
    m = find("f.py", source)[index]
    applied = m.applied(source)
    start, end = m.span
    assert applied[:start] == source[:start]
    assert applied.endswith(source[end:])
    before, after = (ast.dump(ast.parse(text)) for text in (source, applied))
    assert before != after
    lines = [k for k, (a, b) in enumerate(zip(*_lines(source, applied), strict=True), 1) if a != b]
    assert lines == [m.line]


def _lines(*sources: bytes) -> list[list[bytes]]:
    return [source.splitlines() for source in sources]


def test_a_name_finds_its_mutant_after_other_lines_have_changed():
    source = _SOURCE.encode()
    changed = source.replace(b"SIZE = 2 - 1\n", b"").replace(b"assert x - y > 0", b"pass")
    former, present = find("f.py", source), find("f.py", changed)
    assert [m.key for m in former] == [m.key for m in present]
    assert all(m.line != n.line for m, n in zip(former, present, strict=True))


def test_kinds_are_chosen_in_turn_and_by_the_seed_alone():
    found = find("symgrad/ops/f.py", _SOURCE.encode()) + find("numeric/f.py", _SOURCE.encode())

    def chosen(seed, count, usable=lambda m: True):
        return list(choose(found, seed, count, usable))

    eighteen = chosen(3, 18)
    assert eighteen == chosen(3, 18) != chosen(4, 18)
    assert chosen(3, 7) == eighteen[:7]
    assert Counter(m.kind for m in eighteen[:12]) == dict.fromkeys(KINDS, 2)
    assert len(set(eighteen)) == len(eighteen)
    refused = eighteen[0]
    assert refused not in chosen(3, 18, lambda m: m != refused)
