"""What compiling adds: text, lines in tracebacks, names that cannot break it."""

import gc
import linecache
import traceback

import numpy as np
import pytest

from numeric import Instr, Kernel, Program, ProgramError, compile_program
from tests.each import each

from .programs import ADD, BLEND, DIV, ITEM, MUL, NEG, SUM, TANH, TWICE_T, assert_same, chain

pytestmark = pytest.mark.tiny


def boom(x):
    raise ArithmeticError("boom")


BOOM = Kernel("boom", boom, "boom({0})", prelude=("def boom(x): ...",))


@pytest.mark.parametrize("before", [0, 1, 150, 200, 399, 1000])
def test_tracebacks_show_the_line(before):
    instrs = [Instr(NEG, (i,), out=i + 1) for i in range(before)]
    program = Program(
        "f", ((0, "x"),), {}, (*instrs, Instr(BOOM, (before,), out=before + 1)), (before + 1,)
    )
    run = compile_program(program)
    with pytest.raises(ArithmeticError) as caught:
        run([np.ones(2)])
    frames = traceback.extract_tb(caught.value.__traceback__)
    frame = frames[-2]
    assert frame.line.endswith(f"# t{before + 1}")
    assert "boom(" in frame.line
    assert run.source.splitlines()[frame.lineno - 1].strip() == frame.line
    assert frame.line in "".join(traceback.format_exception(caught.value))


def test_lines_are_forgotten_with_the_program():
    def files():
        return {name for name in linecache.cache if name.startswith("<program forgotten ")}

    runs = [compile_program(chain(size, "forgotten")) for size in (3, 500)]
    assert len(files()) == 2
    linecache.checkcache()
    assert len(files()) == 2
    del runs
    gc.collect()
    assert files() == set()


def test_text():
    program = Program(
        "f",
        ((0, "x"), (1, "class")),
        {2: -2.0, 3: np.arange(3), 4: ...},
        (
            Instr(MUL, (0, 2), out=5),
            Instr(ITEM, (5,), {"index": (slice(1, None), 0)}, 6),
            Instr(SUM, (6,), {"axis": (0, -1), "keepdims": False}, 7),
            Instr(ADD, (7, 3), out=8),
            Instr(TANH, (1,), out=9),
            Instr(ADD, (8, 9), out=10),
        ),
        (10, 2),
    )
    # No input is declared, so `x * -2.0` could be Python's product: the kernel is called.
    assert (
        compile_program(program).source
        == """\
def f(values):
    (x, _class) = values
    r1 = mul(x, -2.0)  # t1
    r1 = r1[1:, 0]  # t2
    r1 = sum(r1, axis=(0, -1), keepdims=False)  # t3
    r1 = r1 + c1  # t4
    r2 = tanh(_class)  # t5
    r1 = r1 + r2  # t6
    del r2
    return (r1, -2.0)
"""
    )


@each(
    "name",
    [
        "values",
        "carried",
        "r1",
        "t1",
        "c1",
        "f",
        "segment_1",
        "mul",
        "np",
        "None",
        "a b",
        "",
        "π",
        "1",
    ],
)
@each("size", [1, 300])
def test_any_name_of_an_input_works(name, size):
    kernel = Kernel(name, np.multiply, "{0} * {1}")
    instrs = (
        Instr(kernel, (0, 2), out=3),
        *(Instr(MUL, (i + 2, 2), out=i + 3) for i in range(1, size)),
        Instr(ADD, (size + 2, 1), out=size + 3),
    )
    constant = np.array([1.0, -1.0])
    program = Program(name, ((0, name), (1, name + "_")), {2: constant}, instrs, (size + 3,))
    (result,) = compile_program(program)((np.array([2.0, 3.0]), np.array([10.0, 20.0])))
    np.testing.assert_array_equal(result, [12.0, 20.0 + 3.0 * (-1.0) ** size])


def test_names_cannot_inject():
    hostile = "x):\n    raise SystemExit\ndef g(y"
    kernel = Kernel(hostile, np.multiply, "np.multiply({0}, {1})")
    program = Program(hostile, ((0, hostile),), {}, (Instr(kernel, (0, 0), out=1),), (1,))
    run = compile_program(program)
    assert run((np.array(3.0),)) == (9.0,)
    assert "SystemExit\n" not in run.source


def test_constants_without_literal_are_bound():
    marker = np.array([object(), 2], dtype=object)
    program = Program("f", (), {0: marker}, (Instr(ITEM, (0,), {"index": 0}, 1),), (0, 1))
    assert compile_program(program)(()) == (marker, marker[0])


def test_a_program_that_is_not_well_formed_is_refused():
    with pytest.raises(ProgramError, match="slot 7 is used before it is defined"):
        compile_program(Program("f", ((0, "x"),), {}, (Instr(NEG, (7,), out=1),), (1,)))


def test_duplicate_operands_outputs_and_unused_results():
    instrs = (
        Instr(MUL, (0, 0), out=1),
        Instr(NEG, (0,), out=2),
        Instr(ADD, (1, 1), out=3),
    )
    program = Program("f", ((0, "x"), (4, "unused")), {}, instrs, (3, 3, 0))
    x = np.array([3.0])
    first, second, third = compile_program(program)((x, None))
    np.testing.assert_array_equal(first, [18.0])
    assert second is first
    assert third is x


def test_variables_are_reused():
    instrs, last = [], 0
    for i in range(1, 150, 3):
        instrs += [
            Instr(TANH, (last,), out=i),
            Instr(NEG, (last,), out=i + 1),
            Instr(ADD, (i, i + 1), out=i + 2),
        ]
        last = i + 2
    run = compile_program(Program("f", ((0, "x"),), {}, tuple(instrs), (last,)))
    assert run.__code__.co_nlocals == 2 + 2  # values, x, and what is alive at once
    np.testing.assert_array_equal(run([np.zeros(2)])[0], [0.0, 0.0])


def test_what_is_not_numpys_is_not_treated_as_numpys():
    # The kernel gives a Python number for Python numbers, which has neither .T nor NumPy's /.
    instrs = (
        Instr(BLEND, (0,), {"weight": 0}, 1),
        Instr(TWICE_T, (1,), out=2),
        Instr(DIV, (1, 1), out=3),
    )
    program = Program("f", ((0, "x"),), {}, instrs, (1, 2, 3))
    with np.errstate(invalid="ignore"):
        assert_same(compile_program(program)((0.5,)), (0.0, np.array(0.0), np.float64("nan")))
