"""The graph that users see, against PyTorch where it is installed: nodes, edges, what nodes keep.

Every case of the table is tried. Where the names of nodes, their edges or what they show differ, a
beginning of the case or the name of the node is declared below with the reason; a declaration that
nothing needs any more fails.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import pytest

import symgrad

from . import observe
from .cases import CASES
from .table import Case

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.oracle

_STEPS = "one contraction here; PyTorch shows the steps of a product of matrices"
_WITHIN = "PyTorch shows the same product with other views, by where its operands lie in memory"
_REAL = "a conjugate is no view that waits here"

#: Beginnings of cases whose nodes or edges differ, and why (`docs/differences.md`).
GRAPHS = {
    "contraction-einsum": _STEPS,
    "contraction-inner": _STEPS,
    "contraction-tensordot": _STEPS,
    "contraction-attention": _WITHIN,
    "contraction-matmul": _WITHIN,
    "contraction-operator": _WITHIN,
    "contraction-left": _WITHIN,
    "contraction-right": _WITHIN,
    "complex-einsum": _STEPS,
    "complex-inner": _STEPS,
    "complex-tensordot": _STEPS,
    "complex-compose-conj-": _REAL,
    "complex-view-as-real-conj": _REAL,
    "complex-move-pad-circular": "padding in a circle is one node",
    "complex-masked-scatter": "the slice that is taken of the source stands between",
    "complex-index-add-alpha": "the factor is a product of its own",
    "complex-where-real-number": "the operand is converted within the operation",
    "write-tensor-none": "what is written is broadcast without another view",
    "write-tensor-slice-broadcast": "what is written is broadcast without another view",
}

#: What nodes of a name do not show, and why.
NOT_SHOWN = {
    "AddbmmBackward0": (
        {"batch1_sym_argsize_0", "batch1_sym_argsize_1", "batch2_sym_argsize_2"}, "sizes"
    ),
    "AddmmBackward0": (
        {"mat1_sym_sizes", "mat2_sym_sizes", "mat1_sym_strides", "mat2_sym_strides"}, "sizes"
    ),
    "MmBackward0": (
        {"mat2_sym_strides", "self_sym_strides"}, "strides: those of a value are its own"
    ),
    "AngleBackward0": ({"self"}, "the derivative of a real angle is zero and reads nothing"),
    "GatherBackward0": ({"self", "sparse_grad"}, "the derivative reads a shape only"),
    "TakeBackward0": ({"self"}, "as above"),
    "MaskedSelectBackward0": ({"self"}, "as above"),
    "IndexAddBackward0": ({"alpha", "source", "source_dim"}, "as above"),
    "IndexCopyBackward0": ({"source", "source_dim"}, "as above"),
    "ReflectionPad1DBackward0": ({"self", "padding"}, "as above"),
    "ScatterBackward0": ({"index"}, "another operation without duplicates"),
    "IndexBackward0": ({"indices"}, "indices are operands, each kept by itself"),
    "IndexPutBackward0": ({"indices"}, "as above"),
    "PermuteBackward0": ({"dims"}, "of a contraction of one operand, as einsum makes it"),
    "MaxBackward0": ({"indices"}, "of an operand without axes"),
    "MinBackward0": ({"indices"}, "as above"),
    "LogcumsumexpBackward0": ({"self", "result"}, "of an operand without axes"),
}  # fmt: skip

#: Those that appear as a part of another operation here, which keeps what PyTorch's keep.
PARTS = {"SelectBackward0", "ViewBackward0", "ReciprocalBackward0", "UnsafeViewBackward0",
         "MmBackward0", "ExpandBackward0", "SqueezeBackward4", "UnsqueezeBackward0",
         "BmmBackward0", "MvBackward0", "AddmmBackward0", "DotBackward0"}  # fmt: skip

#: Beginnings of cases in which a result in place is wider than what it is written into: the node
#: that users see converts.
CONVERTED = ("write-", "special-igamma", "special-copysign", "special-ldexp", "special-nextafter")


@observe.quiet
def _shown(library: Any, case: Case) -> list[Any] | None:
    """Return the graph of each result as nested tuples: name, names of what is kept, edges."""
    try:
        results = observe.call(library, case, observe.tensors(library, case))
    except Exception:
        return None
    return [_tree(x.grad_fn) for x in results if observe.is_tensor(x)]


def _tree(node: Any) -> Any:
    if node is None:
        return None
    kept = frozenset(n.removeprefix("_saved_") for n in dir(node) if n.startswith("_saved_"))
    return node.name(), kept, tuple((_tree(x), i) for x, i in node.next_functions)


def _names(tree: Any) -> Any:
    return None if tree is None else (tree[0], tuple((_names(x), i) for x, i in tree[2]))


def _nodes(tree: Any) -> Iterator[Any]:
    if tree is not None:
        yield tree
        for x, _ in tree[2]:
            yield from _nodes(x)


@functools.cache
def _compared() -> tuple[
    dict[str, str], dict[tuple[str, str], tuple[frozenset[str], frozenset[str]]]
]:
    """Return the cases whose graphs differ, and what nodes show less and more, by case and name."""
    graphs, kept = {}, {}
    for case in CASES:
        expected, found = _shown(torch, case), _shown(symgrad, case)
        if expected is None or found is None:
            continue
        theirs, ours = [_names(x) for x in expected], [_names(x) for x in found]
        if theirs != ours:
            graphs[case.id] = f"{case.id}: {ours} for {theirs}"
            continue
        for tree, other in zip(expected, found, strict=True):
            for a, b in zip(_nodes(tree), _nodes(other), strict=True):
                if a[1] != b[1]:
                    kept[case.id, a[0]] = a[1] - b[1], b[1] - a[1]
    return graphs, kept


def test_nodes_and_edges_are_those_of_pytorch() -> None:
    graphs, _ = _compared()
    wrong = [text for name, text in graphs.items() if not name.startswith(tuple(GRAPHS))]
    assert not wrong, "\n".join(wrong[:20])
    unused = [x for x in GRAPHS if not any(name.startswith(x) for name in graphs)]
    assert not unused


def test_nodes_show_what_those_of_pytorch_keep() -> None:
    _, kept = _compared()
    wrong, used = [], set()
    for (case, node), (missing, more) in kept.items():
        # A power with an infinite exponent reads its result, where PyTorch's formula does not.
        allowed = {"result"} if node == "PowBackward0" else set()
        declared = NOT_SHOWN.get(node, (set(), ""))[0]
        if missing and missing <= declared:
            used.add(node)
            missing = frozenset()
        if (missing and not (node in PARTS or case.startswith(CONVERTED))) or more - allowed:
            wrong.append(f"{case}, {node}: {set(missing)} missing, {set(more)} too many")
    assert not wrong, "\n".join(wrong[:20])
    assert used == set(NOT_SHOWN)
