"""The interpreter, the compiled program and the emitted source compute the same."""

import dataclasses
import threading
import tracemalloc
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import numeric.compile as compiler
from numeric import ArrayType, Instr, Kernel, Program, compile_program, emit, interpret
from numeric.constants import with_ready_constants
from numeric.program import overwriting
from numeric.runtime import load

from .programs import ADD, DIV, INPUTS, MUL, NEG, SUB, TANH, TWICE_T, assert_same, chain, namespace
from .programs import programs as random_programs

VALUES = [value for _, value in INPUTS]


def reference(program, values):
    """The meaning of a program, in three lines that release nothing."""
    env = dict(program.constants) | dict(zip((s for s, _ in program.inputs), values, strict=True))
    for instr in program.instrs:
        found = instr.kernel.call(*[env[s] for s in instr.operands], **instr.params)
        results = found if isinstance(instr.out, tuple) else (found,)
        env.update(zip(instr.outs, results, strict=True))
    return tuple(env[slot] for slot in program.outputs)


def without_scalars(results):
    """Arrays in place of NumPy's scalars: emitted source may give either where rank is zero."""
    return [np.asarray(r) if isinstance(r, np.generic) else r for r in results]


@settings(max_examples=150)
@given(random_programs(), st.sampled_from([1, 2, 5, 200]))
def test_every_way_to_run_a_program_gives_the_same(program, segment):
    with np.errstate(all="ignore"), pytest.MonkeyPatch.context() as patch:
        expected = reference(program, VALUES)
        assert_same(interpret(program, VALUES), expected)
        patch.setattr(compiler, "SEGMENT", segment)
        run = compile_program(program)
        assert_same(run(VALUES), expected)
        assert_same(run(tuple(VALUES)), expected)  # a second call finds no state
        arrays = [np.asarray(value) for value in VALUES]
        results = namespace(emit(program))["f"](*VALUES)
        assert_same(without_scalars(results), without_scalars(reference(program, arrays)))


def with_types(program, values):
    """The program with the shape and dtype of each single result."""
    env = dict(program.constants) | dict(zip((s for s, _ in program.inputs), values, strict=True))
    instrs = []
    for instr in program.instrs:
        found = instr.kernel.call(*[env[s] for s in instr.operands], **instr.params)
        results = found if isinstance(instr.out, tuple) else (found,)
        env.update(zip(instr.outs, results, strict=True))
        if not isinstance(instr.out, tuple):
            instr = instr._replace(shape=np.shape(found), dtype=getattr(found, "dtype", None))
        instrs.append(instr)
    return dataclasses.replace(program, instrs=tuple(instrs))


@settings(max_examples=150)
@given(random_programs())
def test_a_program_that_writes_over_arrays_computes_the_same(program):
    with np.errstate(all="ignore"):
        expected = reference(program, VALUES)
        made = overwriting(with_types(program, VALUES))
        before = [np.array(v) for v in (*VALUES, *program.constants.values())]
        assert_same(interpret(made, VALUES), expected)
        assert_same(compile_program(made)(VALUES), expected)
        assert_same(compile_program(with_ready_constants(made))(VALUES), expected)
        after = [np.asarray(v) for v in (*VALUES, *program.constants.values())]
        assert_same(after, before)


@settings(max_examples=50)
@given(random_programs())
def test_emitted_functions_take_keywords(program):
    f = namespace(emit(program))["f"]
    with np.errstate(all="ignore"):
        by_position = f(*VALUES)
        by_name = f(**dict(reversed(INPUTS)))
    assert_same(by_name, by_position)


def test_hundred_thousand_instructions():
    program = chain(100_000)
    program.validate()
    x, y = np.linspace(-1, 1, 5), np.float64(0.9)
    expected = reference(program, (x, y))
    assert np.all(np.isfinite(expected[0]))
    assert_same(interpret(program, (x, y)), expected)
    run = compile_program(program)
    assert_same(run((x, y)), expected)
    assert run.source.count("\ndef ") + 1 == -(-100_000 // compiler.SEGMENT) + 1


def test_emitted_source_of_a_long_program():
    program = chain(4_000)
    x, y = np.linspace(-1, 1, 5), np.array(0.9)
    assert_same(namespace(emit(program))["chain"](x, y), reference(program, (x, y)))


@pytest.mark.parametrize("size", [0, 1, 199, 200, 201, 400, 401])
def test_sizes_around_a_segment(size):
    program = chain(size) if size else Program("f", ((0, "x"), (1, "y")), {}, (), (1, 0))
    x, y = np.linspace(-1, 1, 5), np.float64(0.9)
    assert_same(compile_program(program)((x, y)), reference(program, (x, y)))


def test_python_numbers_meet_numpy_not_python():
    # Python would raise on 1.0 / 0.0, and 2.0 * 3.0 would be of weak type.
    instrs = (
        Instr(DIV, (2, 3), out=5),
        Instr(MUL, (0, 1), out=6),
        Instr(MUL, (6, 4), out=7),
        Instr(TWICE_T, (2,), out=8),
        Instr(NEG, (1,), out=9),
    )
    constants = {2: 1.0, 3: 0.0, 4: np.array([1.5], dtype=np.float32)}
    program = Program("f", ((0, "a"), (1, "b")), constants, instrs, (5, 6, 7, 8, 9))
    with np.errstate(divide="ignore"):
        expected = interpret(program, (2.0, 3.0))
        assert expected[0] == np.inf and type(expected[0]) is np.float64
        assert expected[2].dtype == np.float64
        assert_same(compile_program(program)((2.0, 3.0)), expected)
        assert_same(namespace(emit(program))["f"](2.0, 3.0), expected)


def test_weak_constants_keep_single_precision():
    program = Program("f", ((0, "x"),), {1: 0.1}, (Instr(MUL, (0, 1), out=2),), (2,))
    x = np.array([1.0, 3.0], dtype=np.float32)
    expected = (np.array([0.1, 0.3], dtype=np.float32),)
    for result in (
        interpret(program, [x]),
        compile_program(program)([x]),
        namespace(emit(program))["f"](x),
    ):
        np.testing.assert_allclose(result[0], expected[0], rtol=1e-6)
        assert result[0].dtype == np.float32


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.complex64])
def test_numbers_beside_arrays_become_arrays_that_a_dtype_holds(kind):
    x = np.arange(3).astype(kind)
    constants = {1: 0.1, 2: 10**30, 3: np.inf, 4: 2}
    instrs = tuple(
        Instr(MUL, (0, slot), out=10 + slot, shape=(3,), dtype=np.dtype(kind)) for slot in constants
    )
    program = Program("f", ((0, "x"),), constants, instrs, tuple(i.out for i in instrs))
    ready = with_ready_constants(program)
    made = [ready.constants[instr.operands[1]] for instr in ready.instrs]
    assert [isinstance(c, np.ndarray) for c in made] == [True, kind is not np.float16, False, True]
    if kind is not np.float16:  # for which NumPy refuses the second number
        with np.errstate(all="ignore"):
            assert_same(interpret(ready, [x]), interpret(program, [x]))


def test_a_view_of_constants_is_made_once_unless_it_is_given_away():
    repeat = Kernel("repeat", lambda x: np.broadcast_to(x, (3,)), "r({0})", view=True)
    add = Instr(ADD, (0, 2), out=3, shape=(3,), dtype=np.dtype(float))
    for outputs, count in (((3,), 1), ((3, 2), 2)):
        program = Program("f", ((0, "x"),), {1: 0.0}, (Instr(repeat, (1,), out=2), add), outputs)
        ready = with_ready_constants(program)
        assert len(ready.instrs) == count
        assert_same(interpret(ready, [np.ones(3)]), interpret(program, [np.ones(3)]))


def test_declared_inputs_use_operators_and_cast_in_source():
    types = {0: ArrayType((2,), np.dtype("float32")), 1: ArrayType((), np.dtype("float32"))}
    program = Program("f", ((0, "x"), (1, "y")), {}, (Instr(MUL, (0, 1), out=2),), (2,), types)
    run = compile_program(program)
    assert "r1 = x * y" in run.source
    x = np.array([1.0, 2.0], dtype=np.float32)
    assert_same(run((x, np.float32(3))), (np.array([3.0, 6.0], dtype=np.float32),))
    assert_same(namespace(emit(program))["f"]([1, 2], 3), (np.array([3, 6], dtype=np.float32),))


@pytest.mark.parametrize("count", [0, 1, 3])
def test_a_wrong_number_of_values_is_refused(count):
    program = Program("f", ((0, "x"), (1, "y")), {}, (Instr(ADD, (0, 1), out=2),), (2,))
    with pytest.raises(ValueError, match=rf"f takes 2 inputs \(x, y\), not {count}"):
        interpret(program, [1.0] * count)
    with pytest.raises(ValueError, match="expected 2"):
        compile_program(program)([1.0] * count)


def test_a_program_without_inputs():
    program = Program("f", (), {0: np.arange(3.0)}, (Instr(NEG, (0,), out=1),), (1, 0))
    expected = (np.array([-0.0, -1.0, -2.0]), np.arange(3.0))
    assert_same(interpret(program, ()), expected)
    assert_same(compile_program(program)(()), expected)
    assert_same(namespace(emit(program))["f"](), expected)


def ways(program):
    f = namespace(emit(program))[program.name]
    return {
        "interpret": lambda values: interpret(program, values),
        "compile": compile_program(program),
        "emit": lambda values: f(*values),
    }


@pytest.mark.parametrize("way", ["interpret", "compile", "emit"])
@pytest.mark.parametrize("size", [30, 450])
def test_values_are_released_after_their_last_use(way, size):
    instrs = []
    for i in range(size):
        # Two operands die at once in every third instruction.
        operands = (i + 1, i + 1) if i % 3 else (i + 1, max(i, 1))
        instrs.append(Instr(MUL, operands, out=i + 2))
    program = Program("f", ((0, "x"), (1, "y")), {}, tuple(instrs), (size + 1,))
    x = np.ones(100_000)
    run = ways(program)[way]
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        (result,) = run((x, x))
        peak = tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()
    assert result.nbytes == x.nbytes
    assert x.nbytes <= peak < 4.5 * x.nbytes


def test_calls_from_many_threads_do_not_mix():
    program = chain(1000)
    run = compile_program(program)
    inputs = [(np.full(50, i / 40), np.float64(0.9)) for i in range(40)]
    start = threading.Barrier(4)

    def work(part):
        start.wait()
        return [run(values) for values in part]

    with ThreadPoolExecutor(4) as pool:
        parts = list(pool.map(work, [inputs[i::4] for i in range(4)]))
    for i, part in enumerate(parts):
        for values, result in zip(inputs[i::4], part, strict=True):
            assert_same(result, reference(program, values))


def test_inputs_and_constants_are_not_written_to():
    constant = np.array([1.0, 2.0])
    program = Program(
        "f",
        ((0, "x"),),
        {1: constant},
        (Instr(MUL, (0, 1), out=2), Instr(ADD, (2, 0), out=3)),
        (3,),
    )
    x = np.array([3.0, 4.0])
    for run in ways(program).values():
        np.testing.assert_array_equal(run([x])[0], [6.0, 12.0])
        np.testing.assert_array_equal(x, [3.0, 4.0])
        np.testing.assert_array_equal(constant, [1.0, 2.0])


def test_what_a_kernel_raises_names_the_instruction():
    program = Program(
        "f", ((0, "x"), (1, "y")), {}, (Instr(TANH, (0,), out=2), Instr(ADD, (2, 1), out=3)), (3,)
    )
    with pytest.raises(ValueError, match="broadcast") as caught:
        interpret(program, (np.ones(2), np.ones(3)))
    assert caught.value.__notes__ == ["in f, instruction 1: slot 3 = add(slot 2, slot 1)"]


def test_notes_survive_parameters_of_any_type():
    class Rude:
        def __repr__(self):
            raise RuntimeError("never asked")

    def refuse(x, *, how):
        raise KeyError("no")

    kernel = Kernel("refuse", refuse, "refuse({0}, how={how})")
    program = Program("f", ((0, "x"),), {}, (Instr(kernel, (0,), {"how": Rude()}, 1),), (1,))
    with pytest.raises(KeyError) as caught:
        interpret(program, (1.0,))
    assert caught.value.__notes__ == ["in f, instruction 0: slot 1 = refuse(slot 0, how=<Rude>)"]


def program_of_numbers(random):
    """Sums, quotients, roots, comparisons and choices, and kernels between them."""
    real, truth = np.dtype(float), np.dtype(bool)
    of_one = [NEG, TANH, *map(Kernel.from_ufunc, (np.sqrt, np.square, np.absolute, np.exp))]
    of_one.append(Kernel("half", lambda x: x.astype(x.dtype) / 2, "half({0})"))
    of_one.append(Kernel("inverse", lambda x: 1 / x, "1 / {0}"))
    of_two = [ADD, SUB, MUL, DIV, *map(Kernel.from_ufunc, (np.power, np.maximum))]
    is_less, is_nan = Kernel.from_ufunc(np.less, "{0} < {1}"), Kernel.from_ufunc(np.isnan)
    both = Kernel.from_ufunc(np.logical_and)
    choice = Kernel("where", np.where, "np.where({0}, {1}, {2})")
    constants = dict(enumerate((2, -0.5, np.float64(3.0), 0, 2**53 + 1, True), 3))
    instrs, computed, truths = [], [0, 1, 2], []
    for out in range(9, 24):
        one = random.choice(computed[-4:])
        other = random.choice([*computed[-4:], *constants, *truths])
        made, kind = computed, real
        way = random.randrange(6 if truths else 4)
        if way == 0:
            kernel, slots = random.choice(of_one), (one,)
        elif way < 3:
            kernel, slots = random.choice(of_two), random.choice([(one, other), (other, one)])
        elif way == 3:
            kernel, slots = random.choice([(is_less, (one, other)), (is_nan, (one,))])
            made, kind = truths, truth
        elif way == 4:
            kernel, slots, made, kind = both, (random.choice(truths), truths[0]), truths, truth
        else:
            kernel, slots = choice, (random.choice(truths), one, other)
        instrs.append(Instr(kernel, slots, out=out, shape=(), dtype=kind))
        made.append(out)
    types = dict.fromkeys(range(3), ArrayType((), real))
    inputs = ((0, "x"), (1, "f8"), (2, "sqrt"))
    return Program("f", inputs, constants, tuple(instrs), tuple(i.out for i in instrs), types)


@settings(max_examples=200)
@given(
    st.randoms(use_true_random=False),
    st.lists(
        st.sampled_from([0.0, -0.0, 0.1, -2.5, np.inf, np.nan, 1e308, 5e-324, 2.0**53]), min_size=3
    ),
)
def test_programs_of_numbers_compute_what_the_interpreter_computes(random, values):
    program, values = program_of_numbers(random), values[:3]
    run = load(program)
    run.compile()
    assert run.numbers is not None
    with np.errstate(all="ignore"):
        for given_as in (np.float64, np.array):
            arrays = [given_as(value) for value in values]
            expected = [np.asarray(x) for x in interpret(program, arrays)]
            assert_same([np.asarray(x) for x in run(arrays)], expected)


@pytest.mark.parametrize("constant", [np.float64(3.0), np.array(3.0)])
def test_kernels_between_numbers_are_given_constants_as_they_are(constant):
    half = Kernel("half", lambda x: x.astype(x.dtype) / 2, "half({0})")
    instrs = (Instr(half, (0,), out=1, shape=(), dtype=np.dtype(float)),)
    run = load(Program("f", (), {0: constant}, instrs, (1,)))
    run.compile()
    assert run.numbers is not None
    assert run([]) == (1.5,)
