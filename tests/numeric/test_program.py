"""Programs: what is well formed, and how it reads."""

import numpy as np
import pytest

from numeric import ArrayType, Instr, Program, ProgramError, last_uses
from numeric.program import overwriting, released_slots
from tests.each import each

from .programs import ADD, BLEND, MUL, NEG, PARTS, PICK, SET, SUM, chain

pytestmark = pytest.mark.tiny

INPUTS = ((0, "x"), (1, "y"))


@each(
    "instrs, outputs, message",
    [
        (
            [Instr(NEG, (5,), out=2)],
            (2,),
            "f: instruction 0, slot 2 = neg(slot 5): operand slot 5 is",
        ),
        ([Instr(NEG, (2,), out=2)], (2,), "operand slot 2 is used before it is defined"),
        ([Instr(NEG, (0,), out=1)], (1,), "slot 1 is assigned twice, first as y"),
        (
            [Instr(NEG, (0,), out=3), Instr(NEG, (1,), out=3)],
            (3,),
            "instruction 1, slot 3 = neg(slot 1): slot 3 is assigned twice, first as instruction 0",
        ),
        ([Instr(NEG, (0,), out=2)], (2,), "slot 2 is assigned twice, first as a constant"),
        ([Instr(NEG, (0,))], (0,), "a slot is a non-negative int, not -1"),
        ([Instr(ADD, (0,), out=3)], (3,), "1 operands for the template '{0} + {1}', which takes 2"),
        ([Instr(ADD, (0, 1, 1), out=3)], (3,), "3 operands for the template"),
        ([Instr(SUM, (0,), {"axis": 0}, 3)], (3,), r"parameters ['axis'] for the template"),
        ([Instr(NEG, (0,), {"axis": 0}, 3)], (3,), "which takes []"),
        (
            [Instr(SUM, (0,), {"axis": [0], "keepdims": True}, 3)],
            (3,),
            "parameter axis is a list, which has no literal",
        ),
        ([Instr(NEG, (0,), out=3, shape=(2, -1))], (3,), "non-negative ints, not (2, -1)"),
        ([Instr(NEG, (0,), out=3, shape=(2.0,))], (3,), "non-negative ints, not (2.0,)"),
        ([Instr(PARTS, (0, 1), out=())], (0,), "it has no result"),
        ([Instr(PARTS, (0, 1), out=(3, 0))], (3,), "slot 0 is assigned twice, first as x"),
        ([Instr(PARTS, (0, 1), out=(3, 3))], (3,), "two of its results share a slot: (3, 3)"),
        (
            [Instr(PARTS, (0, 1), out=(3, -4))],
            (3,),
            "slot 3, slot -4 = parts(slot 0, slot 1): a slot is a non-negative int, not -4",
        ),
        (
            [Instr(PARTS, (0, 1), out=(3, 4), shape=((2,),))],
            (3,),
            "of 2 results is declared ((2,),)",
        ),
        (
            [Instr(PARTS, (0, 1), out=(3, 4), shape=((2,), (-1,)))],
            (3,),
            "non-negative ints, not (-1,)",
        ),
        ([], (0, 9), "f: output 1 is slot 9, which nothing defines"),
    ],
)
def test_faults_are_named(instrs, outputs, message):
    program = Program("f", INPUTS, {2: 1.0}, tuple(instrs), outputs)
    if "operand slot 2" in message:
        program = Program("f", INPUTS, {}, tuple(instrs), outputs)
    with pytest.raises(ProgramError) as caught:
        program.validate()
    assert message in str(caught.value)
    str(program)  # a listing is how one finds the fault


def test_faults_of_inputs_and_constants_are_named():
    with pytest.raises(ProgramError, match="f: inputs 'x' and 'y' share slot 0"):
        Program("f", ((0, "x"), (0, "y")), {}, (), ()).validate()
    with pytest.raises(ProgramError, match="the slot 1 of a constant is already that of 'y'"):
        Program("f", INPUTS, {1: 2.0}, (), ()).validate()


def test_well_formed_programs_pass():
    chain(300).validate()
    Program("f", (), {}, (), ()).validate()
    instrs = (Instr(BLEND, (0, 1, 0, 0), {"weight": 1}, 9), Instr(BLEND, (9,), {"weight": 1}, 3))
    Program("f", INPUTS, {}, instrs, (3, 3, 0)).validate()


def test_listing():
    f4 = np.dtype("float32")
    program = Program(
        "f",
        ((0, "x"), (1, "t2")),
        {2: -2.5, 3: np.zeros((2, 3)), 4: np.float32(0.1), 5: {"odd": 1}},
        (
            Instr(ADD, (0, 2), out=6, shape=(2, 3), dtype=f4),
            Instr(ADD, (6, 3), out=7, shape=(2, 3)),
            Instr(SUM, (7,), {"axis": (0, 1), "keepdims": False}, 8, (), f4),
            Instr(MUL, (8, 4), out=9, dtype=f4),
            Instr(MUL, (9, 5), out=10),
        ),
        (10, 1),
        {0: ArrayType((2, 3), f4)},
    )
    assert (
        str(program)
        == """\
program f(x: float32[2, 3], t2)
  c1 = constant  # float64[2, 3]
  c2 = constant  # <dict>
  t1 = add(x, -2.5)  # float32[2, 3]
  t2_ = add(t1, c1)  # [2, 3]
  t3 = sum(t2_, axis=(0, 1), keepdims=False)  # float32[]
  t4 = mul(t3, np.float32(0.1))  # float32
  t5 = mul(t4, c2)
  return t5, t2"""
    )
    assert len(program) == 5


def test_listing_of_several_results():
    f8, i8 = np.dtype("float64"), np.dtype("int64")
    instrs = (
        Instr(PARTS, (0, 1), out=(2, 5, 3), shape=((2,), (), None), dtype=(f8, None, i8)),
        Instr(ADD, (2, 3), out=4),
        Instr(PARTS, (0, 4), out=(6, 7, 8)),
    )
    program = Program("f", INPUTS, {}, instrs, (4, 7))
    program.validate()
    assert (
        str(program)
        == """\
program f(x, y)
  t1, t2, t3 = parts(x, y)  # float64[2], [], int64
  t4 = add(t1, t3)
  t5, t6, t7 = parts(x, t4)
  return t4, t6"""
    )
    assert last_uses(program) == {0: 2, 1: 0, 2: 1, 5: 0, 3: 1, 4: 3, 6: 2, 7: 3, 8: 2}
    assert [set(dead) for dead in released_slots(program)] == [{1, 5}, {2, 3}, {0, 6, 8}]


def test_last_uses():
    instrs = (
        Instr(MUL, (0, 0), out=3),
        Instr(NEG, (3,), out=4),
        Instr(ADD, (3, 2), out=5),
        Instr(NEG, (5,), out=6),
    )
    program = Program("f", INPUTS, {2: 1.0}, instrs, (6, 0))
    assert last_uses(program) == {0: 4, 1: -1, 2: 2, 3: 2, 4: 1, 5: 3, 6: 4}
    assert [set(dead) for dead in released_slots(program)] == [set(), {4}, {3, 2}, {5}]


def test_releases_agree_with_last_uses():
    program = chain(1200)
    last = last_uses(program)
    found = {slot: i for i, dead in enumerate(released_slots(program)) for slot in dead}
    assert found == {slot: i for slot, i in last.items() if 0 <= i < len(program)}


@each(
    "instrs, outputs, overwritten",
    [
        ([Instr(NEG, (0,), out=2), Instr(SET, (2, 1), out=3, shape=(3,))], (3,), True),
        ([Instr(NEG, (0,), out=2), Instr(SET, (2, 1), out=3, shape=())], (3,), False),
        ([Instr(NEG, (0,), out=2), Instr(SET, (2, 1), out=3)], (3,), False),
        ([Instr(NEG, (0,), out=2), Instr(SET, (2, 1), out=3, shape=(3,))], (3, 2), False),
        ([Instr(SET, (0, 1), out=2, shape=(3,))], (2,), False),
        ([Instr(NEG, (0,), out=2), Instr(SET, (2, 2), out=3, shape=(3,))], (3,), False),
        (
            [
                Instr(NEG, (0,), out=2),
                Instr(SET, (2, 1), out=3, shape=(3,)),
                Instr(ADD, (2, 3), out=4),
            ],
            (4,),
            False,
        ),
        (
            [
                Instr(NEG, (0,), out=2),
                Instr(PICK, (2,), {"index": 0}, 3),
                Instr(NEG, (3,), out=4),
                Instr(SET, (2, 4), out=5, shape=(3,)),
            ],
            (5,),
            True,
        ),
        (
            [
                Instr(NEG, (0,), out=2),
                Instr(PICK, (2,), {"index": 0}, 3),
                Instr(SET, (2, 3), out=4, shape=(3,)),
            ],
            (4,),
            False,
        ),
        (
            [
                Instr(NEG, (0,), out=2),
                Instr(PICK, (2,), {"index": 0}, 3),
                Instr(SET, (2, 1), out=4, shape=(3,)),
                Instr(ADD, (3, 4), out=5),
            ],
            (5,),
            False,
        ),
        (
            [
                Instr(NEG, (0,), out=2),
                Instr(PICK, (2,), {"index": ...}, 3),
                Instr(SET, (3, 1), out=4, shape=(3,)),
            ],
            (4,),
            False,
        ),
    ],
)
def test_what_is_read_later_is_not_written_over(
    instrs: list[Instr], outputs: tuple[int, ...], overwritten: bool
) -> None:
    made = overwriting(Program("f", INPUTS, {}, tuple(instrs), outputs))
    kernels = [i.kernel for i in made.instrs]
    assert (SET.overwriting in kernels) is overwritten
    assert [SET if k is SET.overwriting else k for k in kernels] == [i.kernel for i in instrs]
