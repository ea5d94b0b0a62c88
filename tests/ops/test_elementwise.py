"""Laws of elementwise primitives, over all of them: derivatives against differences, both ways."""

from __future__ import annotations

import numpy as np
import pytest

import symgrad
from symgrad.differentiate.sweeps import jvp, vjp
from symgrad.expr.node import Leaf
from symgrad.ops import (
    arithmetic,
    complex_parts,
    exponential,
    fused,
    maximum,
    powers,
    rounding,
    signs,
    special,
    trigonometric,
)
from symgrad.ops.elementwise import Elementwise
from symgrad.ops.primitive import PRIMITIVES

FAMILIES = {
    m.__name__
    for m in (
        arithmetic,
        complex_parts,
        exponential,
        fused,
        maximum,
        powers,
        rounding,
        signs,
        special,
        trigonometric,
    )
}
SAMPLES = [
    pytest.param(cls, sample, id=f"{name}-{i}")
    for name, cls in PRIMITIVES.items()
    if issubclass(cls, Elementwise) and cls.__module__ in FAMILIES
    for i, sample in enumerate(cls.samples)
    if all(np.asarray(x).dtype.kind in "f" for x in sample[: cls.arity] if not np.isscalar(x))
    and not any(np.any(np.asarray(x) == 0) and "sinoverx" not in name for x in sample[:1])
]


@pytest.mark.parametrize(("cls", "sample"), SAMPLES)
def test_derivatives_agree_with_differences(cls, sample):
    arrays, params = sample[: cls.arity], sample[cls.arity :]
    leaves = [
        Leaf(f"x{i}", a.shape) if isinstance(a, np.ndarray) else a for i, a in enumerate(arrays)
    ]
    free = [x for x in leaves if isinstance(x, Leaf)]
    given = {x: a for x, a in zip(leaves, arrays, strict=True) if isinstance(x, Leaf)}
    node = cls(*leaves, *params)
    if node.missing_derivative() or not all(np.isfinite(a).all() for a in given.values()):
        pytest.skip("PyTorch refuses it, or the sample is about values that are no numbers")
    rng = np.random.default_rng(7)
    moves = [rng.standard_normal(x.shape) for x in free]
    tangents = [Leaf(f"t{i}", x.shape) for i, x in enumerate(free)]
    (forward,) = jvp([node], free, tangents)
    pushed = (
        np.zeros(node.shape)
        if forward is None
        else forward.evaluate({**given, **dict(zip(tangents, moves, strict=True))})
    )
    step = 1e-6
    ends = [
        node.evaluate({x: given[x] + s * m for x, m in zip(free, moves, strict=True)})
        for s in (step, -step)
    ]
    jumps = cls.__name__ in ("round", "maximum", "minimum", "fmax", "fmin")
    tied = jumps or any((np.abs(given[x]) < 1e-3).any() for x in free)
    if not tied:
        np.testing.assert_allclose(pushed, (ends[0] - ends[1]) / (2 * step), rtol=2e-6, atol=1e-7)
    ct = Leaf("ct", node.shape)
    weights = rng.standard_normal(node.shape)
    back = vjp([node], [ct], free)
    dot = sum(
        float(np.sum(b.evaluate({**given, ct: weights}) * m))
        for b, m in zip(back, moves, strict=True)
        if b is not None
    )
    assert dot == pytest.approx(float(np.sum(pushed * weights)), rel=1e-11, abs=1e-12)


@pytest.mark.parametrize(
    ("write", "error", "message"),
    [
        (lambda t: t.tensor([True]).relu(), RuntimeError, "Boolean inputs not supported for relu"),
        (lambda t: t.tensor([1, 2]) ** -1, RuntimeError, "Integers to negative integer powers"),
        (lambda t: t.tensor([1, 2]) // 0, RuntimeError, "ZeroDivisionError"),
        (lambda t: ~t.tensor([1.0]), TypeError, "only implemented on integer and Boolean"),
        (lambda t: t.tensor([1j]).sign(), NotImplementedError, "torch.sgn"),
        (lambda t: t.exp("a"), TypeError, r"exp\(\): argument 'input' .* must be Tensor, not str"),
        (lambda t: t.clamp(t.tensor([1.0])), RuntimeError, "At least one of 'min' or 'max'"),
    ],
)
def test_refusals_are_pytorchs(write, error, message):
    with pytest.raises(error, match=message):
        write(symgrad)
