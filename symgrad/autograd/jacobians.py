"""How Jacobians are computed: row by row, in all rows at once, or in all directions at once.

`symgrad.autograd.functional` gives them PyTorch's interface.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from symgrad.autograd.forward_ad import with_tangent
from symgrad.backward.api import grad
from symgrad.backward.edges import vertex_of
from symgrad.backward.engine import compute_at_once
from symgrad.backward.finish import Finish
from symgrad.backward.tangents import tangent_of
from symgrad.ops.joining import stack
from symgrad.ops.primitive import bind
from symgrad.record.dual_level import DualLevel, entered
from symgrad.record.record import wrap, zeros

Tensors = tuple[Any, ...]

INDEPENDENT = (
    "The {} of the user-provided function is independent of input {}. This is not allowed in "
    "strict mode when create_graph=True."
)


def by_rows(outputs: Tensors, inputs: Tensors, create_graph: bool, strict: bool) -> list[Tensors]:
    """Return the Jacobian of each output: by one formula, or a backward pass for each element."""
    blocks = []
    for i, y in enumerate(outputs):
        if not (create_graph or strict):
            most = max(MOST_ELEMENTS, y.numel() * max([x.numel() for x in inputs], default=0))
            at_once = jacobian_at_once(y, inputs, most)
            if at_once is not None and not any(map(has_nan, at_once)):
                blocks.append(at_once)
                continue
        rows: list[list[Any]] = [[] for _ in inputs]
        if y.requires_grad and y.is_complex():
            raise RuntimeError(
                f"grad can be implicitly created only for real scalar outputs but got {y.dtype}"
            )
        for k in range(y.numel()):
            found = _row(y, k, inputs, create_graph)
            if strict:
                constant = INDEPENDENT.format("jacobian", i) if create_graph else ""
                check_dependence(
                    found,
                    f"Output {i} of the user-provided function is independent of input {{}}. This "
                    "is not allowed in strict mode.",
                    constant,
                )
            for row, g in zip(rows, with_zeros(found, inputs), strict=True):
                row.append(g)
        blocks.append(tuple([_stacked(r, y, x) for r, x in zip(rows, inputs, strict=True)]))
    return blocks


#: The most elements that a formula of all rows may compute where nobody asked for one, unless the
#: derivative has as many itself.
MOST_ELEMENTS = 1 << 24


def jacobian_at_once(y: Any, inputs: Tensors, most: int | None = None) -> Tensors | None:
    """Return the Jacobian of one output by one formula.

    None where there must be a backward pass for each row, or where an array might have more than
    `most` elements.
    """
    if not y.requires_grad or y.is_complex() or y.numel() < 2:
        return None
    targets = [vertex_of(x) for x in inputs]
    found = compute_at_once(Finish.JACOBIAN, vertex_of(y), targets, most=most)
    if found is None:
        return None
    return with_zeros([found.get(v) for v in targets], inputs, y.shape)


def hessian_at_once(y: Any, inputs: Tensors, most: int | None = None) -> list[Tensors] | None:
    """Return the second derivatives of a number by one formula, as `jacobian_at_once` does."""
    if not y.requires_grad or any(x.is_complex() for x in (y, *inputs)):
        return None
    targets = [vertex_of(x) for x in inputs]
    found = compute_at_once(Finish.HESSIAN, vertex_of(y), targets, most=most)
    if found is None:
        return None
    return [
        with_zeros([found.get((v, w)) for w in targets], inputs, x.shape)
        for v, x in zip(targets, inputs, strict=True)
    ]


def hessian_product_at_once(y: Any, inputs: Tensors, vector: Tensors | None) -> Tensors | None:
    """Return the product of a vector and a Hessian by one formula; the vector may be one number.

    None where `hessian_at_once` returns it, or where an input and its vector differ in dtype.
    """
    if not y.requires_grad or any(x.is_complex() for x in (y, *inputs)):
        return None
    if vector and any(v.dtype is not x.dtype for v, x in zip(vector, inputs, strict=True)):
        return None
    targets = [vertex_of(x) for x in inputs]
    vectors = vector or (None,) * len(inputs)
    found = compute_at_once(Finish.HESSIAN_PRODUCT, vertex_of(y), targets, vectors)
    return None if found is None else with_zeros([found.get(v) for v in targets], inputs)


def has_nan(x: Any) -> bool:
    """Return whether an element of a tensor is nan."""
    return bool(np.isnan(x._data).any())


def _row(y: Any, k: int, inputs: Tensors, create_graph: bool) -> Tensors:
    """Return the gradients of one element of a tensor."""
    if y.numel() == 1 or not create_graph:
        # A unit vector as cotangent, not an element as output: all rows then share one plan.
        unit = np.zeros(y.shape, y.dtype.numpy)
        unit.flat[k] = 1
        found = gradients_of((y,), inputs, (wrap(unit),), create_graph, retain_graph=True)
        if y.numel() == 1 or not any(g is not None and has_nan(g) for g in found):
            return found
    # The zeros of a unit vector multiply what may be infinite. An element alone has none, and its
    # index is a tensor, so that these rows share a plan, too.
    element = y.reshape(-1)[wrap(np.array([k]))]
    return gradients_of((element,), inputs, (wrap(np.ones(1, y.dtype.numpy)),), create_graph, True)


def with_zeros(found: Sequence[Any], like: Tensors, leading: tuple[int, ...] = ()) -> Tensors:
    """Return derivatives with zeros in place of None: of these shapes after the `leading` axes."""
    return tuple(
        [
            zeros((*leading, *x.shape), x.dtype) if g is None else g
            for g, x in zip(found, like, strict=True)
        ]
    )


def _stacked(rows: Sequence[Any], y: Any, x: Any) -> Any:
    if not rows:
        return zeros((*y.shape, *x.shape), x.dtype)
    return bind(stack, tuple(rows), (0,)).reshape((*y.shape, *x.shape))


def by_all_rows(
    outputs: Tensors, inputs: Tensors, create_graph: bool, retain_graph: bool | None = None
) -> list[Tensors]:
    """Return the Jacobian of each output: one backward pass for all elements of all outputs."""
    if not create_graph:
        at_once = [jacobian_at_once(y, inputs) for y in outputs]
        made = [block for block in at_once if block is not None]
        if len(made) == len(outputs):
            return made
    sizes = [y.numel() for y in outputs]
    flat = tuple([y.reshape(-1) for y in outputs])
    found = gradients_of(flat, inputs, _basis(outputs), create_graph, retain_graph, batched=True)
    parts = [g.split(sizes) for g in with_zeros(found, inputs, (sum(sizes),))]
    return [
        tuple(
            [part[i].reshape((*y.shape, *x.shape)) for part, x in zip(parts, inputs, strict=True)]
        )
        for i, y in enumerate(outputs)
    ]


def _basis(tensors: Tensors) -> Tensors:
    """Return for each tensor its part of the unit vectors of all elements of all tensors."""
    total, start, made = sum(x.numel() for x in tensors), 0, []
    for x in tensors:
        made.append(wrap(np.eye(total, x.numel(), -start, dtype=x.dtype.numpy)))
        start += x.numel()
    return tuple(made)


def by_directions(
    call: Callable[..., tuple[bool, Tensors]], inputs: Tensors
) -> tuple[bool, list[Tensors]]:
    """Return what one call says of its outputs, and their Jacobians.

    The inputs of the call move in all directions at once.
    """
    sizes = [x.numel() for x in inputs]
    with entered(DualLevel(sum(sizes))):
        duals = [
            with_tangent(x, t.reshape((sum(sizes), *x.shape)))
            for x, t in zip(inputs, _basis(inputs), strict=True)
        ]
        many, outputs = call(*duals)
        found = [tangent_of(y) for y in outputs]
    blocks = []
    for y, t in zip(outputs, with_zeros(found, outputs, (sum(sizes),)), strict=True):
        row = [
            part.permute(*range(1, part.ndim), 0).reshape((*y.shape, *x.shape))
            for part, x in zip(t.split(sizes), inputs, strict=True)
        ]
        blocks.append(tuple(row))
    return many, blocks


def gradients_of(
    outputs: Tensors,
    inputs: Tensors,
    cotangents: Tensors | None,
    create_graph: bool,
    retain_graph: bool | None = None,
    batched: bool = False,
) -> Tensors:
    """Return the gradients, None where there is no dependence; outputs may be None as well."""
    given = cotangents or (None,) * len(outputs)
    live = [
        (y, ct) for y, ct in zip(outputs, given, strict=True) if y is not None and y.requires_grad
    ]
    if not live:
        return (None,) * len(inputs)
    found: Tensors = grad(
        [y for y, _ in live],
        inputs,
        [ct for _, ct in live],
        allow_unused=True,
        create_graph=create_graph,
        retain_graph=retain_graph,
        is_grads_batched=batched,
    )
    return found


def check_dependence(found: Sequence[Any], missing: str, constant: str) -> None:
    """Raise in strict mode where a tensor is missing, or is constant if that has a message."""
    for i, x in enumerate(found):
        if x is None:
            raise RuntimeError(missing.format(i))
        if constant and not x.requires_grad:
            raise RuntimeError(constant.format(i))
