"""Laws of operations that are formulas of others, found by enumeration.

The formula is what each of them is: its own kernel computes the same values, and its gradient takes
no more instructions. That the gradients are right is a law over all operations (`test_laws`).
"""

from __future__ import annotations

import functools
import itertools
import re
from typing import Any

import numpy as np
import pytest

import symgrad
from numeric.interpret import interpret
from symgrad.differentiate.sweeps import fit, vjp
from symgrad.expr.atoms import Leaf
from symgrad.expr.graph import replace_nodes
from symgrad.expr.node import ArrayExpr
from symgrad.lower.executable import Executable
from symgrad.lower.program import lower
from symgrad.ops.composite import Composite, Pointwise, written_out
from symgrad.ops.primitive import bind
from symgrad.ops.recurrent import Pass, Slopes
from symgrad.record.record import record
from tests.each import each
from tests.ops.test_laws import SAMPLES, Sample, differentiable, make, spread, with_slow

COMPOSITES = {name: given for name, given in SAMPLES.items() if issubclass(given[0], Composite)}
over_all = each("name", list(COMPOSITES))
DIFFERENTIABLE = [name for name, given in COMPOSITES.items() if differentiable(*given)]
over_differentiable = each("name", DIFFERENTIABLE)

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
    assert all(cls.composed is not Composite.composed for cls, _ in COMPOSITES.values())


@over_all
@pytest.mark.parametrize("kind", ["ordinary", "special", "extreme"])
def test_the_kernel_computes_the_formula(name: str, kind: str) -> None:
    for s in (sample(name), in_single(sample(name))):
        [formula] = written_out([s.node])
        for values in values_of(s, kind):
            try:
                expected = run(formula, values)
            except np.linalg.LinAlgError as error:
                with pytest.raises(np.linalg.LinAlgError, match=re.escape(str(error))):
                    run(s.node, values)
                continue
            got = run(s.node, values)
            assert got.dtype == expected.dtype == s.node.dtype.numpy
            assert got.shape == expected.shape == s.node.shape
            unit = np.finfo(got.dtype).eps if got.dtype.kind in "fc" else 0.0
            # Where terms of a product of matrices cancel, digits are lost.
            of_products = issubclass(s.cls, (Pass, Slopes))
            largest = np.max(np.abs(expected), where=np.isfinite(expected), initial=0)
            atol = 8 * unit * largest if of_products else 0
            np.testing.assert_allclose(got, expected, rtol=8 * unit, atol=atol)


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


def recorded(s: Sample, apart: bool) -> tuple[Any, list[Any]]:
    """Return the result on tensors and those to differentiate by; `apart` part by part."""
    moving = s.moving()
    tensors = {x: symgrad.tensor(v, requires_grad=x in moving) for x, v in s.values.items()}
    if apart:
        given = {x: i for i, x in enumerate(tensors)}
        values = list(tensors.values())
        [out] = Executable([s.node.expanded()], given).replay(values.__getitem__)
    else:
        out = bind(s.cls, [tensors.get(x, getattr(x, "value", None)) for x in s.operands], s.params)
    return out, [tensors[x] for x in moving]


@over_differentiable
def test_the_program_of_its_gradient_is_no_longer_than_if_its_formula_was_recorded(
    name: str,
) -> None:
    """What the formula computes on its way is kept, as each part of it would keep it."""
    s = sample(name)
    if s.cls.kernel is not None:
        pytest.skip("a kernel of its own computes no part of the formula")
    programs, missing = [], []
    for apart in (False, True):
        y, leaves = recorded(s, apart)
        z = y * symgrad.tensor(0.75, dtype=y.dtype)  # so that the cotangent is any
        programs.append(symgrad.explain(z).program)
        found = symgrad.autograd.grad(z.abs().sum(), leaves, allow_unused=True)
        missing.append(sum(g is None for g in found))  # where the other has zeros
    whole, parts = programs
    assert len(whole) <= len(parts) + missing[1] - missing[0], f"{whole}\n{parts}"


def computed(s: Sample) -> Any:
    return recorded(s, apart=False)


def with_result(s: Sample) -> Any:
    """Give the result to the record, as operations in place do: nothing is computed."""
    y, leaves = computed(s)
    tensors = dict(zip(s.moving(), leaves, strict=True))
    given = {x: tensors.get(x, symgrad.tensor(v)) for x, v in s.values.items()}
    operands = [given.get(x, getattr(x, "value", None)) for x in s.operands]
    return record(s.cls, operands, s.params, result=y.detach().numpy()), leaves


def exposed(s: Sample) -> Any:
    """Let NumPy share the memory of the operands, which it may write into unseen."""
    y, leaves = computed(s)
    assert [x.detach().numpy() for x in leaves]
    return y, leaves


def packed(s: Sample) -> Any:
    with symgrad.autograd.graph.saved_tensors_hooks(lambda x: x, lambda x: x):
        return computed(s)


def recomputed(s: Sample) -> Any:
    _, leaves = computed(s)
    tensors = dict(zip(s.moving(), leaves, strict=True))
    given = {x: tensors.get(x, symgrad.tensor(v)) for x, v in s.values.items()}
    operands = [given.get(x, getattr(x, "value", None)) for x in s.operands]
    again = symgrad.utils.checkpoint.checkpoint
    return again(lambda: bind(s.cls, operands, s.params), use_reentrant=False), leaves


@functools.cache
def of_the_formula(name: str) -> list[Any]:
    """Return the gradients where the formula is recorded part by part."""
    s = sample(name)
    y, leaves = recorded(s, apart=True)
    ct = symgrad.tensor(spread(s.node.shape, s.node.dtype, 1))
    return [g.numpy() for g in symgrad.autograd.grad(y, leaves, ct, materialize_grads=True)]


WAYS = {way.__name__: way for way in (computed, with_result, exposed, packed, recomputed)}


in_both_ways_of_a_pass = pytest.mark.parametrize("create_graph", [False, True])


@over_differentiable
@in_both_ways_of_a_pass
def test_its_gradient_is_that_of_the_recorded_formula(name: str, create_graph: bool) -> None:
    compare_gradients(name, "computed", create_graph)


@each("name", with_slow(DIFFERENTIABLE))
@pytest.mark.parametrize("way", [way for way in WAYS if way != "computed"])
@in_both_ways_of_a_pass
def test_its_gradient_is_that_of_the_recorded_formula_however_it_is_recorded(
    name: str, way: str, create_graph: bool
) -> None:
    compare_gradients(name, way, create_graph)


def compare_gradients(name: str, way: str, create_graph: bool) -> None:
    s = sample(name)
    expected = of_the_formula(name)
    ct = symgrad.tensor(spread(s.node.shape, s.node.dtype, 1))
    for _ in range(6 if way == "computed" else 1):  # interpreted, then compiled
        y, leaves = WAYS[way](s)
        found = symgrad.autograd.grad(
            y, leaves, ct, create_graph=create_graph, materialize_grads=True
        )
        for g, w in zip(found, expected, strict=True):
            np.testing.assert_allclose(g.detach().numpy(), w, rtol=1e-12, atol=1e-14)


@over_differentiable
def test_what_is_written_unseen_is_read_as_from_the_operands(name: str) -> None:
    """As in PyTorch, which keeps the operands of these operations, and their results."""
    s = sample(name)
    y, leaves = computed(s)
    for i, x in enumerate(leaves):
        array = x.detach().numpy()
        array[...] = 0.5 * array + 0.1 * spread(array.shape, x.dtype, 2 + i)
    values = dict(s.values)
    values.update({x: t.detach().numpy() for x, t in zip(s.moving(), leaves, strict=True)})
    ct = spread(tuple(y.shape), y.dtype, 1)
    found = symgrad.autograd.grad(y, leaves, symgrad.tensor(ct), materialize_grads=True)
    given = Leaf("y", s.node.shape, s.node.dtype)  # the result is what it was
    seed = Leaf("ct", s.node.shape, s.node.dtype)
    values |= {seed: ct, given: y.detach().numpy()}
    formula = s.node.expanded()
    for g, w in zip(found, vjp([s.node], [seed], s.moving()), strict=True):
        if w is not None:
            [read] = replace_nodes([w], {formula: given, s.node: given})
            np.testing.assert_allclose(g.numpy(), run(read, values), rtol=1e-12, atol=1e-14)


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
