"""Laws of what is recorded, for every primitive on each of its samples, and on fewer axes.

What a node keeps are arrays, as its operation declares them; and gradients of gradients, which run
through records of records, are what the formulas of the same derivatives are.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest

import symgrad
from symgrad.backward.reading import _residuals_of
from symgrad.differentiate.sweeps import vjp
from symgrad.expr.atoms import Const, as_expr
from symgrad.expr.graph import toposort
from symgrad.ops import masks
from symgrad.ops.broadcasting import zeros
from symgrad.ops.deriving import differentiated_again
from symgrad.ops.identity import written
from symgrad.ops.kinds import Beside
from symgrad.ops.lengths import limit, radial, radial_share, radial_sign
from symgrad.ops.powers import power_logarithm
from symgrad.ops.primitive import BESIDE, PRIMITIVES, Primitive
from symgrad.ops.zeros import Zeros
from symgrad.record.operations import Output
from tests.autograd.support import each
from tests.each import in_part
from tests.kinds import OneResult, apply
from tests.ops.test_laws import SAMPLES, Sample, differentiable, make, run, spread

# Parameters that say the same of operands with fewer axes.
_OF_ANY_SHAPE = frozenset(
    ("axis", "keepdims", "k", "descending", "correction", "to_dtype", "alpha")
)


#: The operations whose support may be a mask.
MASKABLE = [cls for cls in PRIMITIVES.values() if cls.keeps_zeros is not None]


def _on_fewer_axes(cls: type[Primitive], args: Sequence[Any]) -> Iterator[list[Any]]:
    """Yield a sample on its first rows, and the first rows of these, down to no axes."""
    if not _OF_ANY_SHAPE.issuperset(cls.params):
        return
    split = len(args) - len(cls.params)
    params = [
        0 if name == "axis" and type(p) is int else p
        for name, p in zip(cls.params, args[split:], strict=True)
    ]
    operands = list(args[:split])
    while any(isinstance(x, np.ndarray) and x.ndim for x in operands):
        if any(isinstance(x, np.ndarray) and not x.size for x in operands):
            return
        operands = [x[0] if isinstance(x, np.ndarray) and x.ndim else x for x in operands]
        operands = [np.array(x) if isinstance(x, np.generic) else x for x in operands]
        made = [*operands, *params]
        try:
            s = make(cls, made)
            [value] = run([s.node], s.values)
        except (ArithmeticError, AssertionError, IndexError, RuntimeError, TypeError, ValueError):
            continue  # it needs more axes, in whatever words it says so
        if value.shape == s.node.shape:
            yield made


def _collect() -> dict[str, tuple[type[Primitive], Any]]:
    found: dict[str, tuple[type[Primitive], Any]] = {}
    for name, (cls, args) in SAMPLES.items():
        if "complex" not in name:
            found[name] = cls, args
            for i, made in enumerate(_on_fewer_axes(cls, args)):
                found[f"{name}-{i + 1} less"] = cls, made
    return {name: given for name, given in found.items() if differentiable(*given)}


_CASES = _collect()


def _recorded(s: Sample) -> tuple[list[Any], list[Any]]:
    """Return the operands of a sample as tensors, and those that a gradient goes to."""
    moving = s.moving()
    # Copies, since tensors take no memory that runs backwards.
    tensors = {x: symgrad.tensor(v.copy(), requires_grad=x in moving) for x, v in s.values.items()}
    operands = [x.number if isinstance(x, Const) else tensors[x] for x in s.operands]
    return operands, [tensors[x] for x in moving]


def test_operations_that_keep_more_are_tried_without_axes() -> None:
    """What they keep is what has no axes then, and NumPy makes numbers of that."""
    keeping, tried = {}, set()
    for cls, args in _CASES.values():
        if isinstance(cls, OneResult) and cls.results:
            keeping[cls.whole] = args
            if len(make(cls, args).operands[0].shape) == 1:
                tried.add(cls.whole)
    for cls in keeping.keys() - tried:  # those of matrices
        with pytest.raises(RuntimeError, match="at least 2"):  # as many axes
            cls.of(np.ones(3), *keeping[cls][1:])
    assert tried >= {PRIMITIVES[name] for name in ("max_dim", "kthvalue", "sort", "cummax")}


@each("name", in_part(list(_CASES), among=2))
def test_what_is_recorded_is_what_the_formulas_say(name: str) -> None:
    s = make(*_CASES[name])
    with np.errstate(all="ignore"):
        operands, leaves = _recorded(s)
        y = apply(s.cls, operands, s.params)
        _check_residuals(s, y._node())
        _check(_by_records(y, leaves), _by_formulas(s, s.node))


@each("name", [name for name in _CASES if ".values" in name])
def test_results_whose_places_are_kept_may_be_changed(name: str) -> None:
    """The derivative reads where elements stood, and not the result."""
    s = make(*_CASES[name])
    operands, leaves = _recorded(s)
    y = apply(s.cls, operands, s.params)
    wanted = _by_records(y, leaves)
    operands, leaves = _recorded(s)
    y = apply(s.cls, operands, s.params)
    y.mul_(0.5)
    for g, w in zip(_by_records(y, leaves), wanted, strict=True):
        np.testing.assert_array_equal(g, 0.5 * w)


def _with_masks() -> dict[str, tuple[type[Primitive], Any]]:
    """Return the samples of operations that zeros are followed through, and of truth values."""
    found = {}
    for name, (cls, args) in _CASES.items():
        if cls.keeps_zeros is None or "less" in name:
            continue
        found[name] = cls, args
        for i, x in enumerate(args[: len(args) - len(cls.params)]):
            if isinstance(x, np.ndarray) and x.dtype == float:
                made = [*args[:i], x > 0, *args[i + 1 :]]
                with contextlib.suppress(RuntimeError, TypeError):  # in PyTorch's words
                    if differentiable(cls, made):
                        found[f"{name}-truth{i}"] = cls, made
    return found


_MASKED_CASES = _with_masks()


def test_operations_are_tried_on_truth_values() -> None:
    tried = {cls.__name__ for name, (cls, _) in _MASKED_CASES.items() if "truth" in name}
    assert tried >= {"add", "mul", "div", "where", "masked_fill", "pow"}
    assert {cls for cls, _ in _MASKED_CASES.values()} >= set(filter(differentiable_class, MASKABLE))


def differentiable_class(cls: type[Any]) -> bool:
    return any(made is cls for made, _ in _CASES.values())


@each("name", in_part(list(_MASKED_CASES), among=2))
def test_masks_of_what_is_recorded_can_be_computed(name: str) -> None:
    """Operands are masked, so that masks are read off the result, and the result is used again."""
    s = make(*_MASKED_CASES[name])

    def used(operands: Sequence[Any], moving: Sequence[Any]) -> Any:
        masked = [
            symgrad.where(x.abs() > 0.4, x * x, 0) if any(x is y for y in moving) else x
            for x in operands
        ]
        y = apply(s.cls, masked, s.params)
        return symgrad.where(y.abs() > 0.2, y, 0.0) * y

    with np.errstate(all="ignore"):
        operands, leaves = _recorded(s)
        got = _by_records(used(operands, leaves), leaves)
        _check(got, _by_formulas(s, used(s.operands, s.moving())))


def _check(got: Sequence[Any], wanted: Sequence[Any]) -> None:
    assert len(got) == len(wanted)
    for g, w in zip(got, wanted, strict=True):
        tolerance = 1e-3 if w.dtype != np.float64 else 1e-11
        np.testing.assert_allclose(g, w, rtol=tolerance, atol=tolerance * _size(w))


def _check_residuals(s: Sample, node: Any) -> None:
    """Check that what a node keeps is as its operation declares it."""
    node = node.inputs[0] if isinstance(node, Output) else node
    declared = [x for x, _ in _residuals_of(node.sig.build(s.operands), node)]
    if node.sig.intermediates:
        declared += node.sig.intermediates_of(s.operands)
    for kept, x in zip(node.saved, declared, strict=True):
        assert type(kept) is np.ndarray
        assert kept.shape == x.shape and kept.dtype == x.dtype.numpy


def _size(w: Any) -> float:
    finite = np.abs(w[np.isfinite(w)])
    return float(finite.max(initial=1.0))


def _by_records(y: Any, leaves: Sequence[Any]) -> list[Any]:
    """Return the first and the second derivatives, as gradients of gradients."""
    grad = symgrad.autograd.grad
    ct = symgrad.tensor(spread(tuple(y.shape), y.dtype, 1))
    first = grad(y, leaves, ct, create_graph=True, materialize_grads=True)
    cts = [symgrad.tensor(w) for w in _weights(leaves)]
    moving = [(g, w) for g, w in zip(first, cts, strict=True) if g.requires_grad]
    second: Any = [symgrad.zeros_like(x) for x in leaves]
    if moving:
        outputs, cts = [g for g, _ in moving], [w for _, w in moving]
        second = grad(outputs, leaves, cts, allow_unused=True, materialize_grads=True)
    return [g.detach().numpy() for g in (*first, *second)]


def _along(s: Sample, hook: Any = None) -> list[float]:
    """The derivatives along one more direction each, with a hook on all values and gradients."""
    operands, leaves = _recorded(s)
    inner = [x * 1.0 if any(x is leaf for leaf in leaves) else x for x in operands]
    y = apply(s.cls, inner, s.params)
    for x in (*inner, y) if hook is not None else ():
        if isinstance(x, symgrad.Tensor) and x.requires_grad:
            x.register_hook(hook)
    total, found = _dot(y, spread(tuple(y.shape), y.dtype, 1)), [0.0, 0.0, 0.0]
    for k in range(3):
        if not total.requires_grad:
            break
        if hook is not None:
            total.register_hook(hook)
        gradients = symgrad.autograd.grad(
            total, leaves, create_graph=True, allow_unused=True, materialize_grads=True
        )
        total = symgrad.zeros((), dtype=symgrad.float64)
        for i, g in enumerate(gradients):
            if hook is not None and g.requires_grad:
                g.register_hook(hook)
            total = total + _dot(g, spread(tuple(g.shape), g.dtype, 7 * k + i))
        found[k] = total.item()
    return found


def _dot(x: Any, direction: Any) -> Any:
    product = (x * symgrad.tensor(direction).conj()).sum()
    return (product.real if product.is_complex() else product).double()


#: The samples whose second derivative reads a mask or a length from beyond the part of a graph that
#: is seen, and is nan.
_ACROSS_A_CUT = (
    "norm-10", "pdist-2", "cdist-2", "cdist-5", "std-3-1 less", "prod-1", "cumprod-1",
)  # fmt: skip
_KEPT = [name for name in _CASES if not name.startswith("late")]


@each("name", in_part(_KEPT, among=12))
def test_hooks_that_change_nothing_leave_the_derivatives_of_each_order(name: str) -> None:
    """With hooks on gradients a pass runs in stages; of what hooks pack, nothing else is kept."""
    s = make(*_CASES[name])
    packed = symgrad.autograd.graph.saved_tensors_hooks(lambda x: x.clone(), lambda x: x)
    with np.errstate(all="ignore"):
        wanted = np.array(_along(s))
        ways = [_along(s, lambda g: None), _along(s, lambda g: g if g is None else g * 1)]
        with packed:
            ways.append(_along(s))
    for way in ways:
        found = np.array(way)
        if name in _ACROSS_A_CUT:
            found = np.where(np.isnan(found), wanted, found)
        np.testing.assert_allclose(found, wanted, rtol=1e-7, atol=1e-7 * _size(wanted))


def _by_formulas(s: Sample, node: Any) -> list[Any]:
    """Return the same from formulas, computed by the plain interpreter."""
    leaves = s.moving()
    ct = spread(node.shape, node.dtype, 1)
    first = vjp([node], [as_expr(ct)], leaves)
    cts = _weights(leaves)
    weights = [None if g is None else as_expr(w) for g, w in zip(first, cts, strict=True)]
    known = [(g, w) for g, w in zip(first, weights, strict=True) if g is not None]
    second = vjp([g for g, _ in known], [w for _, w in known], leaves)
    formulas = [
        zeros(x.shape, x.dtype) if g is None else g
        for g, x in zip((*first, *second), (*leaves, *leaves), strict=True)
    ]
    return run(formulas, s.values)


def _weights(leaves: Sequence[Any]) -> list[Any]:
    return [spread(tuple(x.shape), x.dtype, 7 + i) for i, x in enumerate(leaves)]


def test_every_way_to_keep_zeros_has_a_rule_and_a_class() -> None:
    stated = {cls.keeps_zeros for cls in (*MASKABLE, *BESIDE.values())} - {None}
    assert set(masks._RULES) == set(Zeros) == stated


def test_what_no_gradient_reaches_is_what_never_gets_one() -> None:
    """A record leads no gradient of zeros to what a part of a derivative only looks at."""
    idle: dict[type[Primitive], set[int]] = {}
    found = reversed([given for given in SAMPLES.values() if differentiable(*given)])
    for cls, args in dict(found).items():  # the first sample of each operation
        s = make(cls, args)
        first = _of_squares([s.node], s)
        for node in toposort([*first, *_of_squares(first, s)]):
            if isinstance(node, (Beside, written)):
                parts = node.vjp(node, [True] * len(node.operands))
                without = {i for i, part in enumerate(parts) if part is None}
                idle[type(node)] = without & idle.get(type(node), without)
    assert {kind: set(kind.unreached) for kind in idle} == idle
    assert {radial, radial_share, radial_sign, limit, power_logarithm} < set(idle)


def _of_squares(roots: Sequence[Any], s: Sample) -> list[Any]:
    """Return the gradients of half the squares, whose cotangents depend on the values."""
    with differentiated_again():
        return [g for g in vjp(roots, roots, s.moving()) if g is not None]
