"""The formulas of a gradient that is wrong and of the right one, for the errors of `gradcheck`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symgrad.autograd.comparison import Call, as_tuple, formulas_apart, is_tensor
from symgrad.autograd.function_formulas import ForwardAlone, custom_functions
from symgrad.backward.edges import leaf_tensors
from symgrad.checks.directions import Leaves, gradients_by_order, scalar_of
from symgrad.checks.subject import names_of, traced_results
from symgrad.expr.atoms import Leaf
from symgrad.forms.formula_text import formula
from symgrad.proofs.prove import prove


@formulas_apart.state
def text_of_formulas(func: Call, inputs: Sequence[Any]) -> str:
    """Return the gradients by the inputs as custom functions give them, where they are not right.

    Each stands beside the derivative of the formulas of `forward`, and their difference. The text
    is empty where there are no custom functions, or one cannot be traced.
    """
    own = [x for x in inputs if is_tensor(x)]
    others = [x for x in leaf_tensors(as_tuple(func(*inputs))) if not any(x is y for y in own)]
    captured = [x.expr for x in others]
    names = names_of(func, inputs, captured)
    placed = [
        Leaf(k, x.shape, x.dtype) if is_tensor(x) else x for k, x in zip(names, inputs, strict=True)
    ]
    moving = [
        leaf for leaf, x in zip(placed, inputs, strict=True) if is_tensor(x) and x.requires_grad
    ]
    results, _ = traced_results(func, placed)
    with ForwardAlone():
        forwards, _ = traced_results(func, placed)
    if results is None or forwards is None or not custom_functions(*results):
        return ""
    found = [
        next(gradients_by_order(scalar_of(ys, leaves), moving, 1, leaves))
        for ys in (results, forwards)
        for leaves in [Leaves([*moving, *captured])]
    ]
    lines = []
    for x, yours, true in zip(moving, *found, strict=True):
        if prove(yours, true):
            continue
        for label, e in (("backward", yours), ("forward", true), ("difference", yours - true)):
            lines.append(f"{label} by {x.name}: {formula(e, digits=8)}".replace("\n", "; "))
    return "".join([f"{line}\n" for line in lines])
