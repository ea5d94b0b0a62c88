"""The graph that users see, against PyTorch where it is installed: nodes, edges, what nodes keep.

Every case of the table is tried. Where the names of nodes, their edges or what they show differ, a
beginning of the case or the name of the node is declared below with the reason; a declaration that
nothing needs any more fails.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import symgrad

from . import observe
from .cases import CASES
from .operations import operation
from .table import Case

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.oracle

_STEPS = "one contraction here; PyTorch shows the steps of a product of matrices"
_WITHIN = "PyTorch shows the same product with other views, by where its operands lie in memory"
_REAL = "a conjugate is no view that waits here"
_PARTS = "PyTorch convolves real and imaginary parts by themselves"

#: Families whose nodes are named as PyTorch's, and keep and show what their own derivatives read.
OWN_NODES = {
    "fourier", "images", "layers", "linalg", "masked", "pooling", "samples", "sequences", "signals",
}  # fmt: skip

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
    **{
        f"convolution-conv{word}{n}d-complex": _PARTS
        for word in ("", "-transpose")
        for n in (1, 2, 3)
    },
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
    "ReflectionPad1DBackward0": ({"self", "padding"}, "the derivative reads a shape only"),
    "ScatterBackward0": ({"index"}, "another operation without duplicates"),
    "IndexBackward0": ({"indices"}, "indices are operands, each kept by itself"),
    "IndexPutBackward0": ({"indices"}, "as above"),
    "PermuteBackward0": ({"dims"}, "of a contraction of one operand, as einsum makes it"),
    "MaxBackward0": ({"indices"}, "of an operand without axes"),
    "MinBackward0": ({"indices"}, "as above"),
    "LogcumsumexpBackward0": ({"self", "result"}, "of an operand without axes"),
}  # fmt: skip

_UNREAD = "no derivative here reads it: None"
_CAST = "the operand before PyTorch converts it"

#: Axes and bounds of slices are shown as the operation has them: sorted, counted from the front.
AXES = {"dim", "dims", "dim0", "dim1", "start", "end"}

#: Values that nodes of a name show otherwise, and why; negative integers aside, which PyTorch shows
#: as numbers beyond 2**63.
OTHERWISE = {
    ("PowBackward0", "self"): _UNREAD,
    ("PowBackward1", "result"): _UNREAD,
    ("LinalgVectorNormBackward0", "self"): _UNREAD,
    ("ComplexBackward0", "real"): _UNREAD,
    ("ComplexBackward0", "imag"): _UNREAD,
    ("PolarBackward0", "result"): _UNREAD,
    ("ProdBackward0", "self"): _CAST,
    ("ProdBackward1", "self"): _CAST,
    ("CumprodBackward0", "self"): _CAST,
    ("MulBackward0", "self"): "the operand of `outer`, which PyTorch reshapes before",
    ("AddmmBackward0", "mat2"): "the weight of `linear`, which PyTorch transposes before",
    ("MaskedSelectBackward0", "mask"): "the mask is broadcast before",
    ("IndexReduceBackward0", "index"): "the index is broadcast before",
    ("IndexSelectBackward0", "index"): "a number counts as a vector of one index",
    ("IndexFillBackward1", "index"): "a place that is named twice is filled once",
    ("ConvolutionBackward0", "padding"): "of each axis, where PyTorch has one number",
    ("ConvolutionBackward0", "output_padding"): "as above",
    ("VdotBackward0", "self"): "the conjugate is what is multiplied",
    ("SigmoidBackward0", "result"): "0 far to the left, where PyTorch has nan",
    ("LinalgVectorNormBackward0", "ord"): "a float, where PyTorch has the number as it was given",
}

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
    kept = {n.removeprefix("_saved_"): n for n in dir(node) if n.startswith("_saved_")}
    return (
        node.name(),
        {k: _value(node, n) for k, n in kept.items()},
        tuple((_tree(x), i) for x, i in node.next_functions),
    )


def _value(node: Any, name: str) -> Any:
    """Return what a node shows under a name: arrays of NumPy, numbers, else texts."""
    try:
        value = getattr(node, name)
    except RuntimeError:
        return "refused"
    if observe.is_tensor(value):
        return observe.array_of(value.detach())
    plain = value is None or isinstance(value, (bool, int, float, complex, tuple))
    return value if plain else str(value)


def _same(expected: Any, found: Any) -> bool:
    """Return whether two values are the same, or PyTorch's has negative integers.

    It shows these as numbers beyond 2**63.
    """
    numbers = expected if isinstance(expected, tuple) else (expected,)
    if any(isinstance(n, int) and n >= 2**62 for n in numbers):
        return True
    if type(expected) is not type(found):
        return False
    if not isinstance(expected, np.ndarray):
        return bool(expected == found or expected != expected)
    close = expected.shape == found.shape and expected.dtype == found.dtype
    return close and np.allclose(expected, found, rtol=1e-3, atol=1e-5, equal_nan=True)


def _names(tree: Any) -> Any:
    return None if tree is None else (tree[0], tuple((_names(x), i) for x, i in tree[2]))


def _nodes(tree: Any) -> Iterator[Any]:
    if tree is not None:
        yield tree
        for x, _ in tree[2]:
            yield from _nodes(x)


@functools.cache
def _compared() -> tuple[
    dict[str, str], dict[tuple[str, str], tuple[set[str], set[str]]], dict[tuple[str, str], str]
]:
    """Return the cases whose graphs differ, what nodes show less and more, and what otherwise."""
    graphs, kept, values = {}, {}, {}
    for case in CASES:
        if case.family in OWN_NODES or operation(case.id).endswith("_copy"):  # a view and its copy
            continue
        expected, found = _shown(torch, case), _shown(symgrad, case)
        if expected is None or found is None:
            continue
        theirs, ours = [_names(x) for x in expected], [_names(x) for x in found]
        if theirs != ours:
            graphs[case.id] = f"{case.id}: {ours} for {theirs}"
            continue
        for tree, other in zip(expected, found, strict=True):
            for a, b in zip(_nodes(tree), _nodes(other), strict=True):
                if a[1].keys() != b[1].keys():
                    kept[case.id, a[0]] = a[1].keys() - b[1].keys(), b[1].keys() - a[1].keys()
                if case.id.startswith(CONVERTED):
                    continue
                for name in (a[1].keys() & b[1].keys()) - AXES:
                    if not _same(a[1][name], b[1][name]):
                        values[a[0], name] = f"{case.id}: {b[1][name]} for {a[1][name]}"
    return graphs, kept, values


def test_nodes_and_edges_are_those_of_pytorch() -> None:
    graphs, _, _ = _compared()
    wrong = [text for name, text in graphs.items() if not name.startswith(tuple(GRAPHS))]
    assert not wrong, "\n".join(wrong[:20])
    unused = [x for x in GRAPHS if not any(name.startswith(x) for name in graphs)]
    assert not unused


def test_nodes_show_what_those_of_pytorch_keep() -> None:
    _, kept, _ = _compared()
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


def test_nodes_show_the_values_of_pytorch() -> None:
    _, _, values = _compared()
    wrong = [f"{key}: {text}" for key, text in values.items() if key not in OTHERWISE]
    assert not wrong, "\n".join(wrong[:20])
    assert values.keys() == OTHERWISE.keys()
