"""Laws of operations that are formulas of others, found by enumeration.

The formula is what each of them is: its own kernel computes the same values, and its gradient takes
no more instructions. That the gradients are right is a law over all operations (`test_laws`).
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import symgrad
from numeric.interpret import interpret
from symgrad.differentiate.sweeps import fit, vjp
from symgrad.expr.node import ArrayExpr, Leaf
from symgrad.lower.program import lower
from symgrad.ops.composite import Composite, Pointwise, written_out
from symgrad.ops.primitive import bind
from tests.each import each
from tests.ops.test_laws import SAMPLES, Sample, differentiable, make

COMPOSITES = {name: given for name, given in SAMPLES.items() if issubclass(given[0], Composite)}
over_all = each("name", list(COMPOSITES))
over_differentiable = each("name", [n for n, given in COMPOSITES.items() if differentiable(*given)])

#: What stands in the place of elements in turn: special values, then numbers near the limits.
SPECIAL = (0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0)


def sample(name: str) -> Sample:
    return make(*COMPOSITES[name])


def values_of(s: Sample, kind: str) -> list[dict[ArrayExpr, Any]]:
    """Return values for the leaves: as in the sample, or with some elements exchanged."""
    if kind == "ordinary":
        return [s.values]
    found = []
    for shift in range(3):
        given = dict(s.values)
        for i, (x, v) in enumerate(s.values.items()):
            if v.dtype.kind not in "fc":
                continue
            limits = np.finfo(v.dtype)
            chosen = SPECIAL if kind == "special" else (limits.max, limits.tiny, -limits.max, 1e-3)
            flat = v.astype(v.dtype).ravel()
            for k in range(flat.size):
                if (k + i + shift) % 3 == 0:
                    flat[k] = chosen[(k + shift + 3 * i) % len(chosen)]
            given[x] = flat.reshape(v.shape)
        found.append(given)
    return found


def in_single(s: Sample) -> Sample:
    """Return a sample in single precision."""
    single = {np.dtype(np.float64): np.float32, np.dtype(np.complex128): np.complex64}
    cls, args = s.cls, [s.values.get(x, x) for x in s.operands]
    made = [
        x.astype(single.get(x.dtype, x.dtype)) if isinstance(x, np.ndarray) else x for x in args
    ]
    return make(cls, [*made, *s.params])


def run(root: ArrayExpr, values: dict[ArrayExpr, Any]) -> Any:
    names = {x: x.name for x in values}  # type: ignore[attr-defined]
    program = lower([root], names)
    given = {names[x]: v for x, v in values.items()}
    with np.errstate(all="ignore"):
        return np.asarray(interpret(program, [given[n] for _, n in program.inputs])[0])


def test_there_are_composites() -> None:
    assert {"mse_loss", "nll_loss", "binary_cross_entropy"} <= {
        cls.__name__ for cls, _ in COMPOSITES.values()
    }
    assert all(cls.formula is not Composite.formula for cls, _ in COMPOSITES.values())


@over_all
@pytest.mark.parametrize("kind", ["ordinary", "special", "extreme"])
def test_the_kernel_computes_the_formula(name: str, kind: str) -> None:
    for s in (sample(name), in_single(sample(name))):
        [formula] = written_out([s.node])
        for values in values_of(s, kind):
            got, expected = run(s.node, values), run(formula, values)
            assert got.dtype == expected.dtype == s.node.dtype.numpy
            assert got.shape == expected.shape == s.node.shape
            unit = np.finfo(got.dtype).eps if got.dtype.kind in "fc" else 0.0
            np.testing.assert_allclose(got, expected, rtol=8 * unit, atol=0)


@over_all
def test_operands_of_several_dtypes_give_what_they_do_in_that_of_the_result(name: str) -> None:
    s = sample(name)
    floating = [x in s.values and x.dtype.is_floating_point for x in s.operands]
    places = [i for i, has in enumerate(floating) if has]
    for i, kind in itertools.product(places, (np.int64, np.float16, np.float32)):
        args: list[Any] = [s.values.get(x, x) for x in s.operands]
        args[i] = args[i].astype(kind)
        try:
            mixed = make(s.cls, [*args, *s.params])
        except (RuntimeError, NotImplementedError):
            continue  # PyTorch refuses it
        got, expected = run(mixed.node, mixed.values), run(mixed.node.expanded(), mixed.values)
        assert got.dtype == expected.dtype == mixed.node.dtype.numpy
        if issubclass(s.cls, Pointwise):
            args = [x.astype(got.dtype) if isinstance(x, np.ndarray) else x for x in args]
            wide = make(s.cls, [*args, *s.params])
            np.testing.assert_array_equal(got, run(wide.node, wide.values))


@over_all
def test_it_is_recorded_as_one_operation_of_the_same_value(name: str) -> None:
    s = sample(name)
    tensors = {
        x: symgrad.tensor(v, requires_grad=v.dtype.kind in "fc") for x, v in s.values.items()
    }
    operands = [tensors.get(x, getattr(x, "value", None)) for x in s.operands]
    for _ in range(6):  # interpreted, then compiled
        out = bind(s.cls, operands, s.params)
        np.testing.assert_array_equal(out.detach().numpy(), run(s.node, s.values))
    assert out.grad_fn is None or all(
        type(edge).__name__ == "AccumulateGrad" for edge, _ in out.grad_fn.next_functions if edge
    )


def gradient(root: ArrayExpr, s: Sample) -> list[Any]:
    ct = Leaf("ct", root.shape, root.dtype)
    found = [g for g in vjp([root], [ct], s.moving()) if g is not None]
    names = {x: x.name for x in (*s.values, ct)}  # type: ignore[attr-defined]
    return list(lower(found, names).instrs)


@over_differentiable
def test_the_gradient_is_no_longer_than_that_of_the_formula(name: str) -> None:
    s = sample(name)
    assert len(gradient(s.node, s)) <= len(gradient(s.node.expanded(), s))


@over_differentiable
def test_operands_may_be_equal_or_parts_of_each_other(name: str) -> None:
    """The rule of one operation is that of its operands, whatever these have in common."""
    s = sample(name)
    moving = s.moving()
    if (
        len({(x.shape, x.dtype) for x in moving}) > 1
        or len(moving) < 2
        or moving[0].dtype.is_complex
    ):
        pytest.skip("real operands of one shape and dtype are asked for")
    x = moving[0]
    given = {y: x.sin() if i % 2 else x for i, y in enumerate(moving)}
    slopes = {y: x.cos() if i % 2 else 1 for i, y in enumerate(moving)}
    node: Any = s.cls(*[given.get(y, y) for y in s.operands], *s.params)
    ct = Leaf("ct", node.shape, node.dtype)
    values = {**s.values, ct: np.ones(ct.shape, ct.dtype.numpy)}
    [whole] = vjp([node], [ct], [x])
    if whole is None:
        assert not any(node.vjp(ct, [y in given for y in s.operands]))
        return
    rules = zip(s.operands, node.vjp(ct, [y in given for y in s.operands]), strict=True)
    total = sum(run(fit(p, x) * slopes[y], values) for y, p in rules if p is not None)
    np.testing.assert_allclose(total, run(whole, values), rtol=1e-12, atol=1e-14)


def test_stable_forms_look_at_the_formula() -> None:
    """The square of a distance is a sum of squares, smooth where the distance is zero."""
    x = symgrad.tensor([1.0, 2.0], dtype=symgrad.float64, requires_grad=True)
    y = symgrad.tensor([1.0, 2.0], dtype=symgrad.float64)
    (g,) = symgrad.autograd.grad(symgrad.dist(x, y) ** 2, x, create_graph=True)
    (h,) = symgrad.autograd.grad(g[0], x)
    assert g.tolist() == [0.0, 0.0] and h.tolist() == [2.0, 0.0]
    wide = symgrad.addmm(0 * x, x[None], 1000 * symgrad.eye(2, dtype=symgrad.float64))
    (g,) = symgrad.autograd.grad((1 + wide.exp()).log().sum(), x)
    assert g.tolist() == [1000.0, 1000.0]
