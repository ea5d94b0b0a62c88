"""Programs that run by blocks of rows compute what the interpreter computes."""

import numpy as np
import pytest

from numeric import Instr, Kernel, Program, layouts, local, long_arrays, reduces
from numeric.blocks import compile_in_blocks, types_of
from numeric.interpret import interpret
from numeric.layouts import with_short_axes_first
from numeric.program import ArrayType
from numeric.rows import RowUse, keeps_rows
from numeric.threads import set_number_of_threads
from tests.each import each

from .programs import ADD, DIV, MUL, NEG, PARTS, SUB, SUM, TANH, TWICE_T

#: Views: another shape, which may keep the rows, and the last axis without its first place.
SHAPED = Kernel(
    "shaped", lambda x, shape: np.reshape(x, shape), "np.reshape({0}, {shape})",
    view=True, rows=keeps_rows,
)  # fmt: skip
REST = Kernel("rest", lambda x: x[..., 1:], "{0}[..., 1:]", view=True, rows=lambda shapes, _: (
    RowUse.LOCAL if len(shapes[0]) > 1 else RowUse.WHOLE
))  # fmt: skip
#: A function that writes its result where it is told to, for float64 alone, comes last.
KERNELS = [
    ADD, SUB, MUL, DIV, TANH, NEG, SUM, TWICE_T, SHAPED, REST,
    Kernel("sin", long_arrays._sine, "np.sin({0})", out=True, rows=local),
]  # fmt: skip

N, M = 12, 3
SHAPES = [(N,), (N, M), (M,), (1, M), (N, 1), (), (N, N), (1,), (N, M, 2)]
EDGES = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1e308, 5e-324])


def random_program(seed):
    """A program of several kinds of kernels over arrays that broadcast, and values of inputs."""
    rng = np.random.default_rng(seed)
    kind = np.dtype([np.float64, np.float32, np.complex128][seed % 3])
    values, types, constants, instrs = {}, {}, {}, []

    def random(shape):
        x = rng.normal(size=shape) + (1j * rng.normal(size=shape) if kind.kind == "c" else 0)
        with np.errstate(all="ignore"):
            return np.where(rng.random(shape) < 0.05, rng.choice(EDGES), x).astype(kind)

    for slot in range(4):
        values[slot] = random(SHAPES[rng.integers(len(SHAPES))])
        if slot == 3:
            constants[slot] = values[slot]
        types[slot] = ArrayType(values[slot].shape, kind)
    constants[4] = 0.5
    shapes = {s: t.shape for s, t in types.items()} | {4: ()}
    for out in range(5, 5 + rng.integers(3, 12)):
        while True:
            kernel = KERNELS[rng.integers(len(KERNELS) - (kind != np.float64))]
            a, b = rng.integers(out, size=2)
            if a == 4:  # a number alone would have another dtype
                continue
            if kernel in (ADD, SUB, MUL, DIV):
                try:
                    shape = np.broadcast_shapes(shapes[a], shapes[b])
                except ValueError:
                    continue
                instr = Instr(kernel, (int(a), int(b)), {}, out, shape, kind)
            elif kernel is SUM:
                if not shapes[a]:
                    continue
                axis = [None, 0, len(shapes[a]) - 1][rng.integers(3)]
                keep = bool(rng.integers(2))
                shape = np.sum(np.zeros(shapes[a]), axis=axis, keepdims=keep).shape
                instr = Instr(kernel, (int(a),), {"axis": axis, "keepdims": keep}, out, shape, kind)
            elif kernel is SHAPED:
                size, rows = int(np.prod(shapes[a])), (*shapes[a], 1)[0]
                shape = [(*shapes[a], 1), (rows, size // max(rows, 1)), (size,)][rng.integers(3)]
                if int(np.prod(shape)) != size:
                    continue
                instr = Instr(kernel, (int(a),), {"shape": shape}, out, shape, kind)
            elif kernel is REST:
                if not shapes[a] or len(shapes[a]) > 3:
                    continue
                shape = (*shapes[a][:-1], max(shapes[a][-1] - 1, 0))
                instr = Instr(kernel, (int(a),), {}, out, shape, kind)
            else:
                instr = Instr(kernel, (int(a),), {}, out, shapes[a], kind)
            break
        instrs.append(instr)
        shapes[out] = instr.shape
    outputs = (*rng.integers(out + 1, size=2).tolist(), out)
    inputs = tuple((s, f"x{s}") for s in range(3))
    program = Program("f", inputs, constants, tuple(instrs), outputs, types)
    return program, [values[s] for s in range(3)]


@each("seed", range(400))
def test_random_programs(seed):
    program, values = random_program(seed)
    before = [x.copy() for x in values]
    with np.errstate(all="ignore"), pytest.MonkeyPatch.context() as patch:
        if seed % 2:  # so that small arrays with a short last axis are laid out anew
            patch.setattr(layouts, "MANY", 1)
            patch.setattr(layouts, "SMALLER", 1)
        wanted = interpret(program, values)
        laid_out = with_short_axes_first(program, types_of(program))
        run = compile_in_blocks(laid_out, 8 * N, 0)
        found = None if run is None else run(values)
    if found is None:
        assert not any(i.shape and i.shape[0] == N and i.kernel is ADD for i in program.instrs)
        return
    for x, old in zip(values, before, strict=True):
        np.testing.assert_array_equal(x, old)
    added = any(i.kernel is SUM for i in program.instrs)
    for f, w in zip(found, wanted, strict=True):
        assert np.shape(f) == np.shape(w)
        assert np.asarray(f).dtype == np.asarray(w).dtype or not np.shape(w)
        if added:
            eps = np.finfo(np.asarray(f).dtype).eps
            finite = np.isfinite(w) & np.isfinite(f)
            assert np.array_equal(np.isnan(f), np.isnan(w)) or not np.isfinite(w).all()
            scale = max(1.0, float(np.max(np.abs(np.where(finite, w, 0)), initial=0)))
            np.testing.assert_allclose(
                np.where(finite, f, 0),
                np.where(finite, w, 0),
                rtol=1e4 * eps,
                atol=1e4 * eps * scale,
            )
        else:
            np.testing.assert_array_equal(f, w)
            signs = [
                np.signbit(x)[x == x] for y in (f, w) for x in map(np.asarray, (y.real, y.imag))
            ]
            assert all(map(np.array_equal, signs[:2], signs[2:]))


def _program(instrs, outputs, shape=(N, M)):
    real = np.dtype(float)
    types = {0: ArrayType(shape, real), 1: ArrayType((M,), real)}
    return Program("f", ((0, "x"), (1, "y")), {2: 2.0}, tuple(instrs), outputs, types)


def instr(kernel, operands, out, shape=(N, M), **params):
    return Instr(kernel, operands, params, out, shape, np.dtype(float))


def test_what_is_written_is_memory_of_its_own_and_nothing_else_is():
    program = _program([instr(TANH, (0,), 3), instr(MUL, (3, 1), 4)], (3, 4, 0))
    x, y = np.arange(36.0).reshape(N, M), np.ones(M)
    x.flags.writeable = y.flags.writeable = False
    t, p, same = compile_in_blocks(program, 100, 0)([x, y])
    assert same is x
    assert not np.shares_memory(t, p)
    np.testing.assert_array_equal(p, np.tanh(x))


@pytest.mark.parametrize("make", [np.asfortranarray, lambda x: x[:, ::-1], lambda x: x])
def test_results_are_laid_out_as_they_are_whole(make):
    program = _program([instr(TANH, (0,), 3), instr(MUL, (3, 1), 4)], (4,))
    values = [make(np.arange(36.0).reshape(N, M)), np.ones(M)]
    (found,), (wanted,) = compile_in_blocks(program, 100, 0)(values), interpret(program, values)
    np.testing.assert_array_equal(found, wanted)
    assert found.strides == wanted.strides


def test_differences_of_points_lie_with_the_short_axis_first_and_results_as_before():
    real = np.dtype(float)
    x, y = np.random.default_rng(0).normal(size=(2, 70, 3))
    seen = []

    def total(x, axis):
        seen.append((x.shape, x.strides))
        return np.sum(x, axis=axis)

    sums = Kernel("total", total, "total({0}, {axis})", rows=reduces())
    types = {0: ArrayType((70, 1, 3), real), 1: ArrayType((1, 70, 3), real)}
    types |= {2: ArrayType((70, 70, 3), real), 3: ArrayType((70, 3), real)}
    types |= {4: ArrayType((70, 3), real)}
    instrs = (
        Instr(SUB, (0, 1), {}, 2, *types[2]),
        Instr(sums, (2,), {"axis": 0}, 3, *types[3]),
        Instr(sums, (2,), {"axis": 1}, 4, *types[4]),
    )
    program = Program("f", ((0, "x"), (1, "y")), {}, instrs, (3, 4), types)
    run = compile_in_blocks(with_short_axes_first(program, types), 8 * 3 * 70 * 20, 0)
    found = run([x[:, None], y[None]])
    assert len(seen) > 4 and all(strides[2] > max(strides[:2]) for _, strides in seen)
    assert all(f.flags.c_contiguous for f in found)
    for f, w in zip(found, interpret(program, [x[:, None], y[None]]), strict=True):
        np.testing.assert_allclose(f, w, rtol=1e-14, atol=1e-13)


def test_what_is_not_known_to_be_small_lies_as_it_does():
    instr = Instr(SUB, (0, 1), {}, 2, (70, 70, 3), np.dtype(float))
    program = Program("f", ((0, "x"), (1, "y")), {}, (instr,), (2,))
    assert with_short_axes_first(program, types_of(program)) is program


def test_an_error_in_a_block_reaches_the_caller():
    bad = Kernel("bad", lambda x: 1 / 0, "bad({0})", rows=local)
    run = compile_in_blocks(_program([instr(bad, (0,), 3)], (3,)), 100, 0)
    with pytest.raises(ZeroDivisionError):
        run([np.zeros((N, M)), np.zeros(M)])


def test_small_programs_and_others_run_whole():
    one = instr(TANH, (0,), 3)
    assert compile_in_blocks(_program([one], (3,))) is None
    several = Instr(PARTS, (0, 1), {}, (3, 4, 5))
    assert compile_in_blocks(_program([several], (3,)), 100, 0) is None
    unknown = one._replace(shape=None)
    assert compile_in_blocks(_program([unknown], (3,)), 100, 0) is None


def test_memory_is_that_of_a_block():
    tracemalloc = pytest.importorskip("tracemalloc")
    n = 2**18
    instrs = [instr(TANH, (k,), k + 1, (n,)) for k in range(2, 40)]
    instrs.insert(0, instr(MUL, (0, 0), 2, (n,)))
    total = instr(SUM, (40,), 41, (), axis=None, keepdims=False)
    real = np.dtype(float)
    program = Program("f", ((0, "x"),), {}, (*instrs, total), (41,), {0: ArrayType((n,), real)})
    run, x = compile_in_blocks(program, 2**20, 2**20), np.ones(n)
    run([x])
    tracemalloc.start()
    run([x])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < x.nbytes / 2


@pytest.mark.parametrize("threads", [1, 2, 3, 7])
def test_results_are_the_same_bits_for_any_number_of_threads(threads):
    n = 5000
    instrs = [
        instr(TANH, (0,), 3, (n, M)),
        instr(MUL, (3, 1), 4, (n, M)),
        instr(SUM, (4,), 5, (M,), axis=0, keepdims=False),
        instr(DIV, (4, 5), 6, (n, M)),
    ]
    run = compile_in_blocks(_program(instrs, (5, 6), (n, M)), 4000, 0)
    values = [np.random.default_rng(1).normal(size=(n, M)), np.array([1.0, 0.0, 1e308])]
    try:
        set_number_of_threads(1)
        with np.errstate(all="ignore"):
            wanted = [x.tobytes() for x in run(values)]
            set_number_of_threads(threads)
            assert [x.tobytes() for x in run(values)] == wanted
        if threads > 1:  # each thread warns as the caller is warned
            with np.errstate(all="raise"), pytest.raises(FloatingPointError):
                run(values)
    finally:
        set_number_of_threads(0)


def test_an_error_in_a_thread_reaches_the_caller():
    def fail(x):
        if x[0, 0] > 2900:
            raise ValueError("a row is wrong")
        return x

    kernel = Kernel("bad", fail, "bad({0})", rows=local)
    n = 1000
    run = compile_in_blocks(_program([instr(kernel, (0,), 3, (n, M))], (3,), (n, M)), 1000, 0)
    try:
        set_number_of_threads(3)
        with pytest.raises(ValueError, match="a row is wrong"):
            run([np.arange(3.0 * n).reshape(n, M), np.zeros(M)])
    finally:
        set_number_of_threads(0)
