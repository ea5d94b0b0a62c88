"""The programs of gradients of losses of classes: what they compute, and how little it takes."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

import symgrad
import symgrad.nn.functional as F
from symgrad.ops import losses
from tests.each import each, in_part
from tests.scenarios import losses_of_dtypes

_RNG = np.random.default_rng(0)
_LOGITS = _RNG.normal(size=(4, 3))
_TARGETS = {"all": [0, 2, 1, 1], "ignored": [0, -100, 1, 1]}
_WEIGHTS = {"plain": None, "weighted": [0.5, 1.0, 2.0]}
_CASES = list(itertools.product(_TARGETS, _WEIGHTS, (0.0, 0.25), ("mean", "sum", "none")))


def _loss(target: str, weight: str, smoothing: float, reduction: str) -> tuple[Any, Any]:
    x = symgrad.tensor(_LOGITS, requires_grad=True, name="x")
    w = _WEIGHTS[weight]
    loss = F.cross_entropy(
        x,
        symgrad.tensor(_TARGETS[target]),
        None if w is None else symgrad.tensor(w, dtype=symgrad.float64),
        label_smoothing=smoothing,
        reduction=reduction,
    )
    return x, loss


def _written(target: str, weight: str, smoothing: float, reduction: str) -> np.ndarray[Any, Any]:
    """The gradient of the sum of the losses by the formula for one row: p * sum(c) - c."""
    w = np.array(_WEIGHTS[weight] or [1.0, 1.0, 1.0])
    t = np.array(_TARGETS[target])
    counts = t != -100
    c = (1 - smoothing) * np.eye(3)[t * counts] * w + smoothing / 3 * w
    c *= counts[:, None]
    p = np.exp(_LOGITS) / np.exp(_LOGITS).sum(1, keepdims=True)
    total = (w[t * counts] * counts).sum() if reduction == "mean" else 1.0
    return (p * c.sum(1, keepdims=True) - c) / total


@each("case", list(_CASES), ids=lambda case: "-".join(map(str, case)))
def test_the_gradient_is_softmax_minus_the_targets(case: Any) -> None:
    x, loss = _loss(*case)
    loss.sum().backward()
    np.testing.assert_allclose(x.grad.numpy(), _written(*case), rtol=1e-12, atol=1e-15)


@each("case", list(_CASES), ids=lambda case: "-".join(map(str, case)))
def test_a_mask_costs_where_something_is_ignored_only(case: Any) -> None:
    target, weight, smoothing, reduction = case
    program = symgrad.explain(_loss(*case)[1].sum()).program
    names = [instr.kernel.name for instr in program.instrs if not instr.kernel.view]
    masks = names.count("where") + names.count("masked")
    # With smoothing, the logits of all classes are masked, too, before and after they are weighted.
    expected = 1 + (smoothing > 0) * (1 + (weight == "weighted"))
    assert masks == (0 if target == "all" else expected)
    assert names.count("_scatter_among_zeros") == 1 and "_scatter" not in names
    if not smoothing:
        # exp, scatter and what softmax leaves; a scale for the mean, a sign for weights, a mask.
        # The scale of a mean over 4 rows is one number with the -1 that is scattered.
        scaled = reduction == "mean" and (target, weight) != ("all", "plain")
        assert len(program) == 3 + scaled + (weight == "weighted") + masks


def test_a_formula_cannot_know_whether_something_is_ignored() -> None:
    x, t = symgrad.leaf("x", (4, 3)), symgrad.leaf("t", (4,), symgrad.int64)
    loss = F.cross_entropy(x, t)
    for target in _TARGETS.values():
        found = symgrad.derive(loss, x).evaluate({x: _LOGITS, t: target})
        kind = "ignored" if -100 in target else "all"
        np.testing.assert_allclose(found, _written(kind, "plain", 0.0, "mean"), rtol=1e-12)


_KINDS = (symgrad.float16, symgrad.float32, symgrad.float64)
_OPERANDS = ([0.3, 0.8, 0.6], [0.1, 0.45, 0.9], [1.3, 0.7, 2.1], [0.6, 1.9, 0.85])

#: Losses of operands of several dtypes, and the operand that says which dtype the loss has.
_OF_SEVERAL: dict[str, tuple[Any, int | None]] = {
    "mse_loss": (lambda x, y, r: F.mse_loss(x, y, reduction=r), None),
    "chances": (
        lambda x, w, r: F.binary_cross_entropy(x, symgrad.full_like(x, 0.25), w, reduction=r), 0
    ),
    "logits": (lambda x, y, r: F.binary_cross_entropy_with_logits(x, y, reduction=r), 1),
    "logits of weights": (
        lambda x, y, w, r: F.binary_cross_entropy_with_logits(x, y, w, reduction=r), 1
    ),
    "logits of both": (
        lambda x, y, w, v, r: F.binary_cross_entropy_with_logits(
            x, y, w, reduction=r, pos_weight=v
        ), 1
    ),
}  # fmt: skip


@each("reduction", in_part(["mean", "sum", "none"], group=str, among=2))
@each("name", list(_OF_SEVERAL))
def test_a_loss_of_several_dtypes_is_that_in_the_widest_converted(
    name: str, reduction: str
) -> None:
    call, decides = _OF_SEVERAL[name]
    for kinds in itertools.product(_KINDS, repeat=call.__code__.co_argcount - 1):
        widest = max(kinds, key=_KINDS.index)
        given = [
            symgrad.tensor(v, dtype=k, requires_grad=True)
            for v, k in zip(_OPERANDS, kinds, strict=False)
        ]
        wide = [x.detach().to(widest).requires_grad_() for x in given]
        got, expected = call(*given, reduction), call(*wide, reduction)
        kind = widest if decides is None else kinds[decides]
        assert got.dtype is kind
        np.testing.assert_array_equal(got.detach().numpy(), expected.detach().to(kind).numpy())
        ct = symgrad.full(got.shape, 0.75, dtype=kind)
        found = symgrad.autograd.grad(got, given, ct)
        expected = symgrad.autograd.grad(expected, wide, ct.to(widest))
        for x, g, w in zip(given, found, expected, strict=True):
            assert g.dtype is x.dtype
            np.testing.assert_array_equal(g.numpy(), w.to(x.dtype).numpy())


def test_every_loss_with_a_node_is_recorded_with_operands_of_several_dtypes() -> None:
    nodes = {name for name in dir(losses) if "loss" in name or "entropy" in name}
    public = {name for name in nodes if name in F.__all__} | {"cross_entropy", "l1_loss"}
    # PyTorch has no gradients of two dtypes for the one, and takes complex numbers for the other.
    public -= {"huber_loss", "soft_margin_loss"}
    assert public == {name.split()[0] for name in losses_of_dtypes._LOSSES}
