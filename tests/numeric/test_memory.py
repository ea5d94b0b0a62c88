"""A program with a plan of its memory computes what any other does, and writes nothing else."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numeric import (
    ArrayType,
    Instr,
    Kernel,
    Program,
    ProgramError,
    compile_in_place,
    interpret,
    staged,
)

from .programs import ADD, DIV, MUL, NEG, SUB, assert_same
from .programs import BROADCASTING as KERNELS

REAL = np.dtype(float)
NAMES = ("a", "b", "c", "row", "number", "single")


def values():
    rng = np.random.default_rng(0)
    arrays = [rng.normal(size=(2, 3)) for _ in range(3)]
    return [*arrays, rng.normal(size=3), np.float64(0.5), rng.normal(size=(2, 3)).astype("f")]


def with_types(program, given_values):
    """The program with the shape and the dtype of each result."""
    env = dict(program.constants) | dict(
        zip((s for s, _ in program.inputs), given_values, strict=True)
    )
    types = {s: ArrayType(np.shape(v), np.asarray(v).dtype) for s, v in env.items()}
    instrs = []
    for instr in program.instrs:
        found = instr.kernel.call(*[env[s] for s in instr.operands], **instr.params)
        results = found if isinstance(instr.out, tuple) else (found,)
        env.update(zip(instr.outs, results, strict=True))
        found_types = [ArrayType(np.shape(r), np.asarray(r).dtype) for r in results]
        types.update(zip(instr.outs, found_types, strict=True))
        if isinstance(instr.out, tuple):
            shape, dtype = zip(*found_types, strict=True)
        else:
            ((shape, dtype),) = found_types
        instrs.append(instr._replace(shape=shape, dtype=dtype))
    known = {s: types[s] for s, _ in program.inputs}
    return dataclasses.replace(program, instrs=tuple(instrs), types=known), types


@st.composite
def programs(draw):
    """Programs with shapes, and the inputs that they are given away."""
    instrs, out = [], len(NAMES) + 1
    for _ in range(draw(st.integers(1, 14))):
        # Mostly what may be written anywhere, so that arrays are scarce.
        kernel = draw(st.sampled_from([ADD, SUB, MUL, NEG]) | st.sampled_from(KERNELS))
        count = kernel.template.arity or 2
        slot = st.integers(0, out - 1) | st.integers(max(0, out - 3), out - 1)
        operands = tuple(draw(slot) for _ in range(count))
        params = {
            "sum": {"axis": (), "keepdims": True},
            "pick": {"index": ...},
            "soft": {"scale": 2.0},
            "blend": {"weight": -2.5},
        }.get(kernel.name, {})
        several = kernel.name == "parts"
        instrs.append(Instr(kernel, operands, params, (out, out + 1, out + 2) if several else out))
        out += 3 if several else 1
    slot = st.integers(0, out - 1) | st.integers(max(0, out - 4), out - 1)
    outputs = tuple(draw(st.lists(slot, min_size=1, max_size=4)))
    inputs = tuple(enumerate(NAMES))
    program = Program("f", inputs, {len(NAMES): 2.0}, tuple(instrs), outputs)
    with np.errstate(all="ignore"):
        program, types = with_types(program, values())
    away = {}
    for i, name in inputs:
        if types[i].shape and draw(st.booleans()):
            fitting = [
                k for k, s in enumerate(outputs) if types[s] == types[i] and k not in away.values()
            ]
            away[name] = draw(st.sampled_from([None, *fitting]))
    return program, away


@settings(max_examples=150)
@given(programs())
def test_it_computes_the_same_in_the_arrays_that_it_is_given(drawn):
    program, away = drawn
    run = compile_in_place(program, away)
    with np.errstate(all="ignore"):
        expected = [np.array(x) for x in interpret(program, values())]
        arrays = values()
        found = run(arrays)
        assert_same([np.asarray(x) for x in found], expected)
        for name, array, before in zip(NAMES, arrays, values(), strict=True):
            if name not in away:
                assert_same([array], [before])
            elif away[name] is not None:
                assert found[away[name]] is array
        # A second run finds no state.
        assert_same([np.asarray(x) for x in run(values())], expected)


def of_shape(*instrs, outputs, constants=None):
    """A program over arrays of two elements: a, b and c."""
    typed = tuple(x._replace(shape=(2,), dtype=REAL) for x in instrs)
    types = dict.fromkeys(range(3), ArrayType((2,), REAL))
    return Program("f", tuple(enumerate("abc")), constants or {}, typed, outputs, types)


def test_only_what_finds_no_room_is_new():
    program = of_shape(
        Instr(MUL, (0, 1), out=3), Instr(MUL, (3, 3), out=4), Instr(ADD, (4, 2), out=5),
        Instr(DIV, (5, 4), out=6), Instr(SUB, (0, 6), out=7), outputs=(7,),
    )  # fmt: skip
    run = compile_in_place(program, {"a": 0})
    body = [line.strip() for line in run.source.splitlines()[2:-1]]
    assert body == [
        "t1 = mul(a, b)", "mul(t1, t1, out=t1)", "t3 = add(t1, c)", "div(t3, t1, out=t3)", "del t1",
        "sub(a, t3, out=a)",
    ]  # fmt: skip


def test_what_is_exchanged_is_not_lost():
    program = of_shape(outputs=(1, 0))
    a, b, c = np.array([1.0, 2.0]), np.array([3.0, 4.0]), np.zeros(2)
    found = compile_in_place(program, {"a": 0, "b": 1})([a, b, c])
    assert found[0] is a and found[1] is b
    assert a.tolist() == [3.0, 4.0] and b.tolist() == [1.0, 2.0]


def test_any_shape_will_do_for_kernels_by_elements():
    program = of_shape(Instr(MUL, (0, 1), out=3), Instr(ADD, (3, 2), out=4), outputs=(4,))
    a = np.arange(6.0).reshape(2, 3)
    (found,) = compile_in_place(program, {"a": 0})([a, np.full((2, 3), 2.0), np.ones((2, 3))])
    assert found is a and a.tolist() == [[1.0, 3.0, 5.0], [7.0, 9.0, 11.0]]


def test_an_output_of_another_type_replaces_no_input():
    less = Kernel.from_ufunc(np.less)
    program = of_shape(Instr(MUL, (0, 1), out=3), outputs=(4,))
    compared = Instr(less, (0, 1), out=4, shape=(2,), dtype=np.dtype(bool))
    program = dataclasses.replace(program, instrs=(*program.instrs, compared))
    with pytest.raises(ProgramError, match=r"bool\[2\] cannot replace .* float64\[2\]"):
        compile_in_place(program, {"a": 0})


def test_an_output_replaces_one_input():
    program = of_shape(Instr(MUL, (0, 1), out=3), outputs=(3,))
    with pytest.raises(ProgramError, match="two inputs"):
        compile_in_place(program, {"a": 0, "b": 0})


@settings(max_examples=60)
@given(programs(), st.sets(st.sampled_from(NAMES)))
def test_two_stages_compute_what_one_does(drawn, early):
    program, _ = drawn
    first, rest = staged(program, early)
    first.validate()
    rest.validate()
    given_values = dict(zip(NAMES, values(), strict=True))
    with np.errstate(all="ignore"):
        carried = interpret(first, [given_values[n] for _, n in first.inputs])
        late = [given_values[n] for n in NAMES if n not in early]
        assert_same(interpret(rest, [*late, *carried]), interpret(program, values()))
    known = {s for s, _ in first.inputs} | {s for x in first.instrs for s in x.outs}
    known |= program.constants.keys()
    assert not any(known.issuperset(x.operands) for x in rest.instrs)
