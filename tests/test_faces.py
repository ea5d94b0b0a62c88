"""What PyTorch's graph calls an operation stands apart from the operation."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symgrad as torch
from symgrad.ops.identity import changed
from symgrad.ops.primitive import PRIMITIVES, Primitive
from tests.oracle import observe
from tests.oracle.cases import CASES

#: What makes an operation another one than its base.
MATHEMATICS = {
    "adds", "batch", "check_kind", "composed", "implementation", "infer", "is_view", "jvp",
    "kernel", "partials", "scalar", "transposed", "vjp",
}  # fmt: skip


@observe.quiet
def _recorded_gradients(case: Any) -> list[Any]:
    """Return the results of a case, and its gradients with a graph of their own."""
    given = observe.tensors(torch, case)
    try:
        results = [x for x in observe.call(torch, case, given) if observe.is_tensor(x)]
        found = [x for x in results if x.requires_grad]
        leaves = [x for x in given if x.requires_grad]
        weights = [x.detach() for x in found]
        grads = torch.autograd.grad(found, leaves, weights, create_graph=True, allow_unused=True)
    except Exception:  # what is refused has no graph
        return []
    return [x for x in (*found, *grads) if x is not None]


@pytest.mark.parametrize("every", [16, pytest.param(1, marks=pytest.mark.slow)])
def test_graphs_of_gradients_can_be_walked(every: int) -> None:
    count = 0
    for case in CASES[::every]:
        nodes = [x.grad_fn for x in _recorded_gradients(case) if x.grad_fn is not None]
        seen = {id(node): node for node in nodes}
        while nodes:
            node = nodes.pop()
            assert "Backward" in node.name() or "::" in node.name(), (case.id, node.name())
            for name in dir(node):
                if name.startswith(("_saved_", "_raw_saved_")):
                    getattr(node, name)
            for other, place in node.next_functions:
                assert place >= 0
                if other is not None and id(other) not in seen:
                    seen[id(other)] = other
                    nodes.append(other)
        count += len(seen)
    assert count > 30_000 / every


def _derived() -> list[tuple[type[Primitive], type[Primitive]]]:
    known = set(PRIMITIVES.values())
    found = [(cls, cls.__mro__[1]) for cls in known]
    return [(cls, base) for cls, base in found if base in known]


def test_no_operation_differs_from_another_by_its_name() -> None:
    by_name = {cls for cls, _ in _derived() if MATHEMATICS.isdisjoint(vars(cls))}
    # Rewrites look into a recorded value, and not into one that was written over.
    assert by_name == {changed}


@pytest.mark.parametrize(
    ("call", "name", "plain"),
    [
        (lambda x: torch.rsub(x, 1), "RsubBackward1", lambda x: 1 - x),
        (lambda x: torch.rsub(x, x.sin()), "RsubBackward0", lambda x: x.sin() - x),
        (lambda x: x.div(2, rounding_mode=None), "DivBackward2", lambda x: x / 2),
        (lambda x: x.unsqueeze(0), "UnsqueezeBackward0", lambda x: x.reshape(1, 3)),
        (
            lambda x: x.reshape(1, 3).squeeze(),
            "SqueezeBackward0",
            lambda x: x.reshape(1, 3).reshape(3),
        ),
        (lambda x: x.reshape(3, 1).t(), "TBackward0", lambda x: x.reshape(3, 1).permute(1, 0)),
        (lambda x: x.select(0, 1), "SelectBackward0", lambda x: x[1]),
        (lambda x: x.index_select(0, torch.tensor([2])), "IndexSelectBackward0", lambda x: x[[2]]),
        (lambda x: x.clamp(min=0.5), "ClampBackward1", lambda x: x.clamp_min(0.5)),
        (lambda x: torch.dist(x, 2 * x), "DistBackward0", lambda x: (x - 2 * x).norm()),
    ],
)
def test_formulas_have_one_name_for_one_function(call, name, plain) -> None:  # type: ignore[no-untyped-def]
    x = torch.tensor([0.25, 0.5, 2.0], requires_grad=True, name="x", dtype=torch.float64)
    assert call(x).grad_fn.name() == name
    assert call(x.expr) is plain(x.expr)
    (gradient,) = torch.autograd.grad(call(x).sum(), x)
    (expected,) = torch.autograd.grad(plain(x).sum(), x)
    np.testing.assert_array_equal(gradient.numpy(), expected.numpy())


def test_stable_forms_apply_to_what_a_function_is() -> None:
    x = torch.tensor([1000.0, 0.5, -1000.0], requires_grad=True, dtype=torch.float64)
    for f in (lambda p: torch.rsub(p, 1), lambda p: 1 - p, lambda p: torch.sub(1, p)):
        (gradient,) = torch.autograd.grad(torch.log(f(torch.sigmoid(x))).sum(), x)
        sigmoid = 1 / (1 + np.exp(-0.5))
        np.testing.assert_allclose(gradient.numpy(), [-1.0, -sigmoid, 0.0], rtol=1e-15)
