"""Laws that hold for every primitive, found by enumeration and tried on each class's samples.

They hold for those of the library, and for some of these written once more after it was imported.
"""

from __future__ import annotations

import copy
import functools
import itertools
import pickle
from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np
import pytest

import symgrad
from numeric.compile import compile_program
from numeric.emit import emit
from numeric.interpret import interpret
from numeric.program import Program
from numeric.rows import RowUse, local, rows_of
from numeric.runtime import load
from symgrad.differentiate.batch import batch_expressions
from symgrad.differentiate.sweeps import jvp, vjp
from symgrad.expr.atoms import Const, Leaf, as_expr
from symgrad.expr.dtypes import from_numpy_dtype
from symgrad.expr.graph import toposort
from symgrad.expr.node import ArrayExpr
from symgrad.lower.program import lower
from symgrad.ops.identity import forward_value
from symgrad.ops.primitive import PRIMITIVES, Primitive
from symgrad.schema.public import METHODS, PROPERTIES
from tests.each import each, first_word, in_part
from tests.kinds import apply, class_of, kinds
from tests.ops.late import LIBRARY, OF_EACH_KIND

Array = np.ndarray[Any, Any]


class Sample(NamedTuple):
    """One application of a primitive: its node on leaves, and values for these."""

    cls: type[Primitive]
    node: Any
    simplified: ArrayExpr
    operands: tuple[ArrayExpr, ...]
    params: tuple[Any, ...]
    values: dict[ArrayExpr, Array]

    def generic(self) -> dict[ArrayExpr, Array]:
        """Finite values off ties and kinks, where differences tell nothing of a subgradient."""
        moved = dict(self.values)
        for i, (x, v) in enumerate(self.values.items()):
            if x.dtype.differentiable:
                noise = spread(v.shape, x.dtype, 20 + i)
                moved[x] = np.where(np.isfinite(v), v + v.dtype.type(3e-3) * noise, noise)
        return moved

    def moving(self) -> list[ArrayExpr]:
        """The operands that can be differentiated with respect to."""
        underived = {self.operands[i] for i in self.cls.underived}
        return [x for x in self.values if x.dtype.differentiable and x not in underived]


def make(cls: type[Primitive], args: Sequence[Any]) -> Sample:
    split = len(args) - len(cls.params)
    values: dict[ArrayExpr, Array] = {}
    operands: list[ArrayExpr] = []
    for i, x in enumerate(args[:split]):
        if isinstance(x, np.ndarray):
            leaf = Leaf(f"x{i}", x.shape, from_numpy_dtype(x.dtype))
            values[leaf] = x
            operands.append(leaf)
        else:
            operands.append(as_expr(x))
    params = tuple(args[split:])
    node = cls(*operands, *params)
    return Sample(cls, node, cls.of(*operands, *params), tuple(operands), params, values)


def collect() -> tuple[dict[str, tuple[type[Primitive], Any]], list[str]]:
    found, missing = {}, []
    for name, cls in kinds([*LIBRARY, *OF_EACH_KIND]).items():
        if len(cls.samples) < 2:
            missing.append(name)
        for i, args in enumerate(cls.samples):
            found[f"{name}-{i}"] = (cls, args)
            for kind, made in complexified(cls, args).items():
                found[f"{name}-{i}-{kind}"] = (cls, made)
    return found, missing


def complexified(cls: type[Primitive], args: Sequence[Any]) -> dict[str, list[Any]]:
    """The same sample with complex operands, all of them or one, where the operation takes them."""
    split = len(args) - len(cls.params)
    real = [i for i in range(split) if isinstance(args[i], np.ndarray) and args[i].dtype == float]
    chosen = {"complex": real}
    if len(real) > 1:
        chosen |= {f"complex{i}": [i] for i in real}
    found = {}
    for kind, places in chosen.items():
        made = [into_plane(x) if i in places else x for i, x in enumerate(args)]
        try:
            make(cls, made)
        except (RuntimeError, AssertionError):  # PyTorch's refusal, or a part's own assumption
            continue
        if places:
            found[kind] = made
    return found


def into_plane(x: Array) -> Array:
    """Complex numbers with the real parts `x`, off the real axis, where functions have cuts."""
    off = 0.2 + 0.3 * ((np.arange(x.size) * 7 % 11) / 11).reshape(x.shape)
    return np.asarray(x + 1j * off)


SAMPLES, MISSING = collect()


def differentiable(cls: type[Primitive], args: Sequence[Any]) -> bool:
    split = len(args) - len(cls.params)
    moves = any(isinstance(x, np.ndarray) and x.dtype.kind in "fc" for x in args[:split])
    if not moves or not cls.differentiable:
        return False
    node = make(cls, args).node
    return bool(node.dtype.differentiable and not node.missing_derivative())


def with_tiny(names: Sequence[str]) -> list[Any]:
    """Mark the first sample of each operation, which the tiny tests are satisfied with."""
    first = {SAMPLES[name][0]: name for name in reversed(names)}.values()
    return [pytest.param(n, id=n, marks=pytest.mark.tiny) if n in first else n for n in names]


def with_slow(samples: Sequence[Any], every: int = 0) -> list[Any]:
    """Mark all samples as slow but the first of each operation, real and complex, or some more.

    For laws that take long on a sample, beside a law that tries what is alike on all samples.
    """
    return in_part(samples, every, lambda n: f"{first_word(n)} {n.endswith('-complex')}")


DIFFERENTIABLE = [name for name, given in SAMPLES.items() if differentiable(*given)]
over_all = each("name", list(SAMPLES))
over_differentiable = each("name", DIFFERENTIABLE)
over_all_with_tiny = each("name", with_tiny(list(SAMPLES)))
over_differentiable_with_slow = each("name", with_slow(DIFFERENTIABLE))
over_some_differentiable = each("name", with_slow(DIFFERENTIABLE, every=3))
over_some_with_tiny = each("name", with_slow(with_tiny(list(SAMPLES)), every=3))
over_some_differentiable_with_tiny = each("name", with_slow(with_tiny(DIFFERENTIABLE), every=3))
over_differentiable_with_tiny = each("name", with_tiny(DIFFERENTIABLE))


def sample(name: str) -> Sample:
    return make(*SAMPLES[name])


@functools.lru_cache(maxsize=16)  # differences run one program at several points
def lowered(outputs: tuple[ArrayExpr, ...], known: tuple[ArrayExpr, ...]) -> Program:
    return lower(outputs, {x: x.name for x in known})  # type: ignore[attr-defined]


def run(outputs: Sequence[ArrayExpr], values: dict[ArrayExpr, Array]) -> list[Array]:
    program = lowered(tuple(outputs), tuple(values))
    by_name = {x.name: v for x, v in values.items()}  # type: ignore[attr-defined]
    with np.errstate(all="ignore"):
        results = interpret(program, [by_name[label] for _, label in program.inputs])
    return [np.asarray(x) for x in results]


def spread(shape: tuple[int, ...], dtype: Any, seed: int) -> Array:
    """Values without pattern, of the size of one."""
    rng = np.random.default_rng(seed)
    made = rng.uniform(0.3, 1.3, shape) * rng.choice([-1.0, 1.0], shape)
    if dtype.is_complex:
        made = made + 1j * rng.uniform(-1, 1, shape)
    return np.asarray(made, dtype.numpy)


def inner(a: Array, b: Array) -> float:
    """The real inner product, in which PyTorch's gradients are the adjoint."""
    return float(np.real(np.sum(np.conj(a) * b)))


def exact(x: ArrayExpr) -> bool:
    """Whether differences are accurate enough to compare with."""
    return x.dtype.itemsize >= (16 if x.dtype.is_complex else 8)


def difference(f: Callable[[Array], float], x: Array, direction: Array) -> tuple[float, float]:
    """Central difference extrapolated once, and how far the two steps were apart."""
    h = 2e-5
    with np.errstate(all="ignore"):
        coarse = (f(x + h * direction) - f(x - h * direction)) / (2 * h)
        fine = (f(x + h / 2 * direction) - f(x - h / 2 * direction)) / h
    return (4 * fine - coarse) / 3, abs(fine - coarse)


def assert_close(got: float, expected: tuple[float, float]) -> None:
    value, spread_of_steps = expected
    assert got == pytest.approx(value, rel=2e-6, abs=2e-8 + spread_of_steps * 0.05)


def test_every_primitive_has_samples() -> None:
    assert MISSING == []
    assert len(SAMPLES) > len(PRIMITIVES)


def test_most_primitives_are_tried_on_complex_numbers() -> None:
    tried = {cls for name, (cls, _) in SAMPLES.items() if name.endswith("-complex")}
    assert len(tried) > len(PRIMITIVES) // 2


# ------------------------------------------------------------------ nodes


@each("name", list(PRIMITIVES))
def test_no_operation_hides_a_method(name: str) -> None:
    """Every node answers what all expressions answer, SymPy's methods and ours."""
    cls = PRIMITIVES[name]
    public = [a for a in (*METHODS, *PROPERTIES, *dir(ArrayExpr)) if not a.startswith("_")]
    made_for_each = {"class_key", "default_assumptions", "fromiter", "is_Order"}  # by SymPy
    hooks = {
        "broadcasts", "dtype", "expanded", "is_known_by_formula", "is_known_by_name", "keeps_zeros",
        "made_of", "shape",
    }  # fmt: skip
    hidden = {a for a in public if getattr(cls, a, None) != getattr(ArrayExpr, a, None)}
    assert hidden - made_for_each - hooks == set()


@each("name", list(PRIMITIVES))
def test_what_operations_declare_is_of_one_kind(name: str) -> None:
    """A name of a value in `Primitive` is no method of an operation, nor the other way."""
    cls = PRIMITIVES[name]
    own = {a for k in cls.__mro__ if k not in Primitive.__mro__ for a in vars(k)}
    declared = [
        a for a in own if not a.startswith("__") and getattr(Primitive, a, None) is not None
    ]
    for a in declared:
        assert callable(getattr(cls, a)) == callable(getattr(Primitive, a)), a


@over_all
def test_rebuild(name: str) -> None:
    s = sample(name)
    assert s.node.func(*s.node.args) is s.node
    for node in toposort([s.simplified]):
        if node.args:
            assert node.func(*node.args) is node


@over_all
def test_copies_are_the_same_object(name: str) -> None:
    node = sample(name).node
    assert pickle.loads(pickle.dumps(node)) is node
    assert copy.copy(node) is node and copy.deepcopy(node) is node


# ------------------------------------------------------------------ values


@pytest.mark.versions
@over_all_with_tiny
def test_infer_agrees_with_kernel_and_nothing_is_mutated(name: str) -> None:
    s = sample(name)
    given = {x: v.copy() for x, v in s.values.items()}
    for v in given.values():
        v.flags.writeable = False
    [value] = run([s.node], given)
    assert value.shape == s.node.shape
    assert value.dtype == s.node.dtype.numpy
    for x, v in given.items():
        np.testing.assert_array_equal(v, s.values[x])


@over_all_with_tiny
def test_simplified_has_the_same_value(name: str) -> None:
    s = sample(name)
    assert s.simplified.shape == s.node.shape
    assert s.simplified.dtype is s.node.dtype
    [a], [b] = run([s.node], s.values), run([s.simplified], s.values)
    tolerance = 1e-5 if value_is_short(a) else 1e-12
    np.testing.assert_allclose(a, b, rtol=tolerance, atol=tolerance)


def value_is_short(a: Array) -> bool:
    return a.dtype in (np.float32, np.float16, np.complex64)


def programs(s: Sample) -> list[Any]:
    outputs = [s.node]
    if differentiable(s.cls, SAMPLES_BY_NODE[s.node]):
        ct = Const(1, s.node.dtype)
        ct = ct.broadcast_to(s.node.shape) if s.node.shape else ct
        outputs += [g for g in vjp([s.node], [ct], s.moving()) if g is not None]
    names = {x: x.name for x in s.values}  # type: ignore[attr-defined]
    return [lower([x], names) for x in outputs]


SAMPLES_BY_NODE = {make(*given).node: given[1] for given in SAMPLES.values()}


@pytest.mark.versions
@over_some_with_tiny
def test_interpreted_compiled_and_emitted_agree(name: str) -> None:
    s = sample(name)
    by_name = {x.name: v for x, v in s.values.items()}  # type: ignore[attr-defined]
    for program in programs(s):
        program.validate()
        inputs = [by_name[label] for _, label in program.inputs]
        with np.errstate(all="ignore"):
            expected = interpret(program, inputs)
            scope: dict[str, Any] = {}
            exec(emit(program), scope)
            emitted = scope[program.name](*inputs)
            if not isinstance(emitted, tuple):
                emitted = (emitted,)
            # `load` compiles with numbers of Python's and constants that are arrays.
            found = (compile_program(program)(inputs), load(program).compile()(inputs), emitted)
        for results in found:
            for a, b in zip(expected, results, strict=True):
                assert np.asarray(a).dtype == np.asarray(b).dtype
                np.testing.assert_array_equal(a, b)


# ------------------------------------------------------------------ derivatives


@over_differentiable_with_tiny
def test_vjp_against_differences(name: str) -> None:
    s = sample(name)
    values = s.generic()
    ct = Leaf("ct", s.node.shape, s.node.dtype)
    ct_value = spread(ct.shape, ct.dtype, 1)
    moving = s.moving()
    gradients = vjp([s.node], [ct], moving)
    for i, (x, g) in enumerate(zip(moving, gradients, strict=True)):
        if g is not None:
            assert g.shape == x.shape and g.dtype is x.dtype
        if not exact(x) or not exact(s.node):
            continue
        direction = spread(x.shape, x.dtype, 2 + i)
        got = 0.0
        if g is not None:
            [value] = run([g], {**values, ct: ct_value})
            got = inner(value, direction)

        def along(v: Array, x: ArrayExpr = x) -> float:
            [y] = run([s.node], {**values, x: v})
            return inner(ct_value, y)

        assert_close(got, difference(along, values[x], direction))


@over_differentiable
def test_jvp_is_the_adjoint_of_vjp(name: str) -> None:
    s = sample(name)
    ct = Leaf("ct", s.node.shape, s.node.dtype)
    moving = s.moving()
    tangents = [Leaf(f"t{i}", x.shape, x.dtype) for i, x in enumerate(moving)]
    values: dict[ArrayExpr, Array] = {**s.values, ct: spread(ct.shape, ct.dtype, 1)}
    values |= {t: spread(t.shape, t.dtype, 5 + i) for i, t in enumerate(tangents)}
    found = vjp([s.node], [ct], moving)
    pulled = [None if g is None else run([g], values)[0] for g in found]
    for chosen in [tangents, *([t] for t in tangents)]:
        given = [t if t in chosen else None for t in tangents]
        [pushed] = jvp([s.node], moving, given)
        left = 0.0
        if pushed is not None:
            assert pushed.shape == s.node.shape and pushed.dtype is s.node.dtype
            [value] = run([pushed], values)
            left = inner(values[ct], value)
        right = 0.0
        for t, g in zip(given, pulled, strict=True):
            if t is not None and g is not None:
                right += inner(g, values[t])
        rel = 1e-9 if all(exact(x) for x in (*moving, s.node)) else 1e-2
        assert left == pytest.approx(right, rel=rel, abs=rel)


@over_some_differentiable
def test_second_order_against_differences(name: str) -> None:
    s = sample(name)
    ct = Leaf("ct", s.node.shape, s.node.dtype)
    moving = s.moving()
    values: dict[ArrayExpr, Array] = {**s.generic(), ct: spread(ct.shape, ct.dtype, 1)}
    for g in vjp([s.node], [ct], moving):
        if g is None:
            continue
        weight = Leaf("weight", g.shape, g.dtype)
        weight_value = spread(g.shape, g.dtype, 9)
        given = {**values, weight: weight_value}
        for x, second in zip((*moving, ct), vjp([g], [weight], [*moving, ct]), strict=True):
            if not all(exact(e) for e in (x, g, s.node)):
                continue
            direction = spread(x.shape, x.dtype, 11)
            got = 0.0
            if second is not None:
                assert second.shape == x.shape and second.dtype is x.dtype
                [value] = run([second], given)
                got = inner(value, direction)

            def along(
                v: Array, x: ArrayExpr = x, g: ArrayExpr = g, weight: Array = weight_value
            ) -> float:
                [y] = run([g], {**values, x: v})
                return inner(weight, y)

            assert_close(got, difference(along, values[x], direction))


# ------------------------------------------------------------------ batching


@over_all
def test_batch_is_a_stack(name: str) -> None:
    s = sample(name)
    leaves = list(s.values)
    subsets = [leaves, *([x] for x in leaves)] if len(leaves) > 1 else [leaves]
    for subset in subsets:
        if not subset:
            continue
        moved = {x: Leaf(f"b_{x.name}", (3, *x.shape), x.dtype) for x in subset}  # type: ignore[attr-defined]
        [batched] = batch_expressions([s.node], moved, 3)
        assert batched.shape == (3, *s.node.shape)
        assert batched.dtype is s.node.dtype
        rows = [{**s.values, **{x: turned(s.values[x], k) for x in subset}} for k in range(3)]
        try:
            expected = np.stack([run([s.node], r)[0] for r in rows])
        except symgrad.linalg.LinAlgError:  # positive-definite matrices stay so when they grow
            rows = [{**s.values, **{x: (k + 1) * s.values[x] for x in subset}} for k in range(3)]
            expected = np.stack([run([s.node], r)[0] for r in rows])
        given = {**s.values, **{b: np.stack([r[x] for r in rows]) for x, b in moved.items()}}
        [got] = run([batched], given)
        tolerance = 2e-3 if value_is_short(expected) else 1e-12
        np.testing.assert_allclose(got, expected, rtol=tolerance, atol=tolerance)


def turned(x: Array, k: int) -> Array:
    """The same entries elsewhere: valid wherever `x` is."""
    return np.roll(x.reshape(-1)[:: -1 if k == 2 else 1], k).reshape(x.shape)


# ------------------------------------------------------------------ record and backward


@pytest.mark.versions
@over_some_differentiable_with_tiny
def test_recorded_backward_is_the_expression_vjp(name: str) -> None:
    """The values saved for each pattern of operands that require grad suffice."""
    s = sample(name)
    moving = s.moving()
    ct = Leaf("ct", s.node.shape, s.node.dtype)
    ct_value = spread(ct.shape, ct.dtype, 1)
    gradients = dict(zip(moving, vjp([s.node], [ct], moving), strict=True))
    given = {**s.values, ct: ct_value}
    wanted = {x: run([g], given)[0] for x, g in gradients.items() if g is not None}
    for pattern in itertools.product((True, False), repeat=len(moving)):
        if not any(pattern):
            continue
        needs = dict(zip(moving, pattern, strict=True))
        tensors = {
            x: symgrad.tensor(v.copy(), requires_grad=needs.get(x, False))
            for x, v in s.values.items()
        }
        operands = [x.number if isinstance(x, Const) else tensors[x] for x in s.operands]
        out = apply(s.cls, operands, s.params)
        if not out.requires_grad:
            assert all(gradients[x] is None for x in moving if needs[x])
            continue
        out.backward(symgrad.tensor(ct_value))
        for x in moving:
            grad = tensors[x].grad
            if not needs[x]:
                assert grad is None
                continue
            if gradients[x] is None:
                assert grad is None or not np.any(grad.numpy())
                continue
            expected = wanted[x]
            assert grad is not None and grad.dtype is x.dtype
            tolerance = 2e-3 if value_is_short(expected) else 1e-11
            np.testing.assert_allclose(grad.numpy(), expected, rtol=tolerance, atol=tolerance)


# ------------------------------------------------------------------ rows


@over_all
def test_row_rule(name: str) -> None:
    """What a kernel says of rows is so, when it is run on blocks of them."""
    s = sample(name)
    names = {x: x.name for x in s.values}  # type: ignore[attr-defined]
    program = lower([s.node], names)
    if not program.instrs:
        return
    env: dict[int, Any] = dict(program.constants)
    by_name = {names[x]: v for x, v in s.values.items()}
    env.update({slot: by_name[label] for slot, label in program.inputs})
    with np.errstate(all="ignore"):
        for kernel, operands, params, out, _, _ in program.instrs:
            given = [env[i] for i in operands]
            found = kernel.call(*given, **params)
            if isinstance(out, tuple):
                env.update(zip(out, found, strict=True))
                for i, result in enumerate(found):
                    check_rows(kernel, given, params, np.asarray(result), itemgetter(i))
            else:
                env[out] = found
                check_rows(kernel, given, params, np.asarray(found))


@over_all
def test_a_result_has_memory_of_its_own_unless_it_is_a_view(name: str) -> None:
    """What shares memory with an operand says so: a change in place would else reach both."""
    s = sample(name)
    names = {x: x.name for x in s.values}  # type: ignore[attr-defined]
    program = lower([s.node], names)
    env: dict[int, Any] = dict(program.constants)
    by_name = {names[x]: v for x, v in s.values.items()}
    env.update({slot: by_name[label] for slot, label in program.inputs})
    with np.errstate(all="ignore"):
        for kernel, operands, params, out, _, _ in program.instrs:
            given = [env[i] for i in operands]
            found = kernel.call(*given, **params)
            outs, results = (out, found) if isinstance(out, tuple) else ((out,), (found,))
            env.update(zip(outs, results, strict=True))
            if not kernel.view:
                pairs = itertools.product(results, given)
                assert not any(np.shares_memory(y, np.asarray(x)) for y, x in pairs)
            if kernel.overwriting is not None:
                first = np.array(given[0])
                written = kernel.overwriting.call(first, *given[1:], **params)
                assert written is first
                np.testing.assert_array_equal(written, found)
    result = np.asarray(env[program.outputs[0]])
    if any(np.shares_memory(result, v) for v in s.values.values()):
        assert s.node.is_view or issubclass(
            class_of(s.cls), forward_value
        )  # which no tensor meets: plans alone hold it


def test_what_is_at_most_one_is() -> None:
    """A class that says so of its real results keeps it for every number."""
    said = [cls for cls in PRIMITIVES.values() if cls.at_most_one]
    assert said
    numbers = [0.0, 0.5, 1.0, -3.0, 1e-320, 1e200, -1e308, np.inf, -np.inf, *np.linspace(-9, 9, 97)]
    for cls in said:
        for kind in (np.float64, np.float32):
            x = Leaf("x", (len(numbers), 2), from_numpy_dtype(np.dtype(kind)))
            with np.errstate(all="ignore"):
                given = np.stack([numbers, numbers[::-1]], 1).astype(kind)
            found = cls.of(x, *([1] * len(cls.params))).evaluate({x: given})
            assert (np.abs(found[np.isfinite(found)]) <= 1).all(), cls
            assert not np.isinf(found).any(), cls


def check_rows(
    kernel: Any,
    operands: list[Any],
    params: Any,
    result: Array,
    pick: Callable[[Any], Any] = lambda found: found,
) -> None:
    shapes = [np.shape(x) for x in operands]
    use, params, stated = rows_of(kernel.rows, shapes, params)
    if use is RowUse.LOCAL:
        if not result.ndim or result.shape[0] < 2:
            return
        n = result.shape[0]
        cut = [len(shape) >= result.ndim and shape[0] == n for shape in shapes]
        if kernel.rows is not local and len(stated) == len(shapes):
            cut = list(stated)
        blocks = blocks_of(operands, cut, n)
        parts = [np.asarray(pick(kernel.call(*block, **params))) for block in blocks]
        np.testing.assert_allclose(np.concatenate(parts), result, rtol=1e-13, atol=1e-13)
    elif use is RowUse.ACCUMULATE:
        n = shapes[0][0]
        if n < 2:
            return
        cut = [bool(shape) and shape[0] == n for shape in shapes]
        blocks = blocks_of(operands, cut, n)
        parts = [np.asarray(pick(kernel.call(*block, **params))) for block in blocks]
        np.testing.assert_allclose(sum(parts), result, rtol=1e-12, atol=1e-12)


def blocks_of(operands: list[Any], cut: list[bool], n: int) -> list[list[Any]]:
    middle = (n + 1) // 2
    return [
        [x[rows] if c else x for x, c in zip(operands, cut, strict=True)]
        for rows in (slice(0, middle), slice(middle, n))
    ]
