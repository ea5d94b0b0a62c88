"""Emitted source: its text, its names, and that it stands alone."""

import os
import subprocess
import sys
import unicodedata
from pathlib import Path

import numpy as np
import pytest

from numeric import ArrayType, Instr, Kernel, Program, emit
from tests.each import each

from .programs import ADD, BLEND, DIV, MUL, NEG, SOFT, SUM, TANH, assert_same, namespace

ROOT = Path(__file__).resolve().parents[2]


def of_two(names, kernel=MUL, name="f"):
    """``first * second - …`` with inputs of these names."""
    instrs = (Instr(kernel, (0, 1), out=2), Instr(DIV, (2, 1), out=3))
    return Program(name, tuple(enumerate(names)), {}, instrs, (3,))


def test_text():
    f8 = np.dtype("float64")
    program = Program(
        "loss",
        ((0, "x"), (1, "w")),
        {2: -0.5, 3: np.array([1.0, np.nan], dtype=np.float32)},
        (
            Instr(MUL, (0, 1), out=4, shape=(3, 2), dtype=f8),
            Instr(ADD, (4, 3), out=5, shape=(3, 2), dtype=f8),
            Instr(SOFT, (5, 2), {"scale": 2.0}, 6, (3, 2), f8),
            Instr(SUM, (6,), {"axis": None, "keepdims": False}, 7, (), f8),
            Instr(MUL, (7, 2), out=8, shape=(), dtype=f8),
        ),
        (8,),
        {0: ArrayType((3, 2), f8)},
    )
    assert (
        emit(program, bare=True)
        == '''\
import numpy as np


@np.errstate(all="ignore")
def soft(x, y, *, scale=1.0):
    """A helper with a default."""
    return np.logaddexp(x, y) * scale


def loss(x, w):
    """Compute loss.

    Parameters
    ----------
    x : float64, shape (3, 2)
    w

    Returns
    -------
    float64, shape ()
    """
    x = np.asarray(x, dtype=np.float64)
    if x.shape != (3, 2):
        raise ValueError(f"'x' has shape (3, 2), but its value has shape {x.shape}")
    w = np.asarray(w)
    c1 = np.array([1.0, np.nan], dtype=np.float32)
    t1 = x * w
    t2 = t1 + c1
    del t1, c1
    t3 = soft(t2, -0.5, scale=2.0)
    del t2
    t4 = np.sum(t3, axis=None, keepdims=False)
    del t3
    t5 = t4 * (-0.5)
    return t5
'''
    )


@each(
    "names",
    [
        ("np", "x"),
        ("x", "np"),
        ("t1", "t2"),
        ("t1_", "t1"),
        ("f", "_f"),
        ("soft", "np_"),
        ("np", "np_"),
        ("complex", "slice"),
        ("abs", "print"),
        ("match", "_"),
        ("π", "ﬂow"),
        ("__name__", "__builtins__"),
    ],
)
@each("kernel", [MUL, SOFT])
def test_hostile_but_legal_names(names, kernel):
    program = of_two(names, kernel)
    if kernel is SOFT:
        program = Program(
            "f",
            program.inputs,
            {},
            (Instr(SOFT, (0, 1), {"scale": 1.0}, 2), Instr(TANH, (2,), out=3)),
            (3,),
        )
        expected = np.tanh(np.logaddexp(2.0, 5.0))
    else:
        expected = np.float64(2.0)
    f = namespace(emit(program))["f"]
    assert_same(f(2.0, 5.0), (expected,))
    # Python reads keywords in source in normal form, but not the keys of a dict.
    first, second = (unicodedata.normalize("NFKC", name) for name in names)
    assert_same(f(**{second: 5.0, first: 2.0}), (expected,))


@each(
    "name",
    [
        "",
        "1",
        "a b",
        "x)",
        "x: int",
        "x=1",
        'x"""',
        "x\n",
        "def",
        "None",
        "__debug__",
        "x.y",
        3,
        None,
    ],
)
def test_names_that_are_no_identifiers_are_refused(name):
    with pytest.raises(ValueError, match="must be a Python identifier and no keyword"):
        emit(of_two(("x", name)))
    if name is not None:
        with pytest.raises(ValueError, match="the name of the function must be a Python identif"):
            emit(of_two(("x", "y")), name=name)


def test_a_string_with_its_own_opinion_is_refused():
    class Liar(str):
        def isidentifier(self):
            return True

    with pytest.raises(ValueError, match="must be a Python identifier"):
        emit(of_two(("x", Liar("y): pass #"))))


@pytest.mark.parametrize("names", [("x", "x"), ("ﬁ", "fi")])
def test_inputs_of_one_name_are_refused(names):
    with pytest.raises(ValueError, match=f"share the names {names[1]}"):
        emit(of_two(names))


@pytest.mark.parametrize("name", ["np", "soft", "complex", "slice"])
def test_names_that_the_source_uses_are_refused_for_the_function(name):
    program = Program("f", ((0, "x"),), {}, (Instr(SOFT, (0, 0), {"scale": 1}, 1),), (1,))
    with pytest.raises(ValueError, match=f"uses the name {name} itself"):
        emit(program, name=name)


def test_builtins_that_only_helpers_use_may_not_be_replaced():
    kernel = Kernel(
        "largest", lambda x: max(x), "largest({0})", prelude=("def largest(x):\n    return max(x)",)
    )
    program = Program("f", ((0, "max"),), {}, (Instr(kernel, (0,), out=1),), (1,))
    with pytest.raises(ValueError, match="uses the name max itself"):
        emit(program, name="max")
    assert namespace(emit(program))["f"]([1.0, 4.0, 2.0]) == (4.0,)


def test_imports_come_once_and_in_order():
    kernels = [
        Kernel("b", np.log, "scipy.special.erf({0})", imports=("import scipy.special",)),
        Kernel("a", np.log, "scipy.linalg.norm({0})", imports=("import scipy.linalg",)),
        Kernel("c", np.log, "pi * {0}", imports=("from math import pi", "import numpy as np")),
        Kernel("d", np.log, "scipy.special.erfc({0})", imports=("import scipy.special",)),
    ]
    instrs = tuple(Instr(k, (i,), out=i + 1) for i, k in enumerate(kernels))
    source = emit(Program("f", ((0, "x"),), {}, instrs, (4,)))
    assert source.split("\n\n\n")[0].splitlines() == [
        "import numpy as np",
        "from math import pi",
        "import scipy.linalg",
        "import scipy.special",
    ]
    from scipy.special import erf, erfc

    (value,) = namespace(source)["f"](0.3)
    assert value == erfc(np.pi * abs(erf(0.3)))


def test_two_meanings_of_a_name_are_refused():
    one = Kernel("one", np.exp, "h({0})", prelude=("def h(x):\n    return x",))
    two = Kernel("two", np.exp, "h({0})", prelude=("def h(x):\n    return -x",))
    program = Program(
        "f", ((0, "x"),), {}, (Instr(one, (0,), out=1), Instr(two, (1,), out=2)), (2,)
    )
    with pytest.raises(ValueError, match="name h two meanings"):
        emit(program)
    alias = Kernel("alias", np.exp, "np.exp({0})", imports=("import math as np",))
    with pytest.raises(ValueError, match="name np two meanings"):
        emit(Program("f", ((0, "x"),), {}, (Instr(alias, (0,), out=1),), (1,)))


def test_a_name_that_nothing_defines_is_refused():
    kernel = Kernel("lost", np.exp, "lost({0})")
    with pytest.raises(ValueError, match="uses lost, which neither"):
        emit(Program("f", ((0, "x"),), {}, (Instr(kernel, (0,), out=1),), (1,)))


def test_outputs():
    def source(outputs, bare):
        return emit(Program("f", ((0, "x"),), {1: 2.0}, (), outputs), bare=bare)

    f = {
        key: namespace(source(*key))["f"]
        for key in [((1,), True), ((1,), False), ((), True), ((1, 1), True)]
    }
    assert f[(1,), True](5) == 2.0
    assert f[(1,), False](5) == (2.0,)
    assert f[(), True](5) == ()
    assert f[(1, 1), True](5) == (2.0, 2.0)


def test_declared_types_reach_the_docstring_only_as_literals():
    evil = np.dtype([('"""\nraise SystemExit\n"""', "f8")])
    program = Program("f", ((0, "x"),), {}, (), (0,), {0: ArrayType((1,), evil)})
    with pytest.raises(TypeError, match="cannot be spelled"):
        emit(program)


def test_constants_without_literal_are_refused():
    program = Program("f", (), {0: np.array([object()])}, (Instr(NEG, (0,), out=1),), (1,))
    with pytest.raises(TypeError, match="array of dtype object cannot be spelled"):
        emit(program)


def test_source_runs_where_only_numpy_is():
    program = Program(
        "f",
        ((0, "x"), (1, "np")),
        {2: float("nan"), 3: complex(-0.0, float("inf")), 4: np.arange(4).reshape(2, 2)},
        (
            Instr(BLEND, (0, 1, 4), {"weight": -2}, 5),
            Instr(SUM, (5,), {"axis": 0, "keepdims": True}, 6),
        ),
        (6, 2, 3),
    )
    script = emit(program) + (
        "\nimport sys\n"
        "assert 'numeric' not in sys.modules\n"
        "print(*(r.tolist() if isinstance(r, np.ndarray) else r for r in f([1, 2], np=10)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd="/"
    )
    assert done.stdout == "[[18, 16]] nan (-0+infj)\n"


SCRIPT = """
from numeric import compile_program, emit
from tests.numeric.programs import *
instrs = (
    Instr(SOFT, (0, 1), {"scale": -1.0}, 3),
    Instr(BLEND, (3, 0, 2), {"weight": 2}, 4),
    Instr(SUM, (4,), {"keepdims": True, "axis": (0, 1)}, 5),
    Instr(TANH, (5,), {}, 6),
)
inputs = ((0, "np"), (1, "soft"))
program = Program("f", inputs, {2: np.eye(2)}, instrs, (6, 3))
print(program, emit(program), compile_program(program).source, sep="\\n----\\n")
print(compile_program(chain(450)).source)
"""


def test_text_is_the_same_in_every_process():
    texts = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT],
            capture_output=True,
            text=True,
            check=True,
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("0", "12345")
    }
    assert len(texts) == 1
    assert "_f(np, soft)" in texts.pop()


def test_inputs_that_nothing_reads_may_be_anything():
    program = Program("f", ((0, "x"), (1, "y")), {2: np.ones(3)}, (Instr(NEG, (0,), out=3),), (3,))
    assert "y = np.asarray" not in emit(program)
    assert "np.ones" not in emit(program) and "np.array" not in emit(program)
    assert namespace(emit(program))["f"](1.0, object()) == (-1.0,)


def test_numbers_take_arrays():
    f8 = np.dtype("float64")
    types = {0: ArrayType((), f8), 1: ArrayType((), f8), 2: ArrayType((3,), f8)}
    product = Instr(MUL, (0, 1), out=3, shape=(), dtype=f8)
    plain = Program("f", ((0, "x"), (1, "y")), {}, (product,), (3, 0), types)
    f, grid = namespace(emit(plain))["f"], np.arange(6.0).reshape(2, 3)
    for x, y in ((2.0, 3.0), (grid, 3.0), (grid, grid), (grid[:, :1], grid[0])):
        got = f(x, y)
        np.testing.assert_array_equal(got[0], x * y, strict=True)
        np.testing.assert_array_equal(got[1], x)
    scaled = Instr(MUL, (3, 2), out=4, shape=(3,), dtype=f8)
    mixed = Program(
        "f", ((0, "x"), (1, "y"), (2, "v")), {5: 2.0}, (product, scaled), (4, 3, 5), types
    )
    f, v = namespace(emit(mixed))["f"], np.array([1.0, 2.0, 4.0])
    for x, y in ((grid, 3.0), (grid, grid), (grid[:, :1], grid[0]), (np.ones((0, 2)), 1.0)):
        got = f(x, y, v)
        np.testing.assert_array_equal(got[0], (x * y)[..., None] * v, strict=True)
        np.testing.assert_array_equal(got[1], x * y, strict=True)
        np.testing.assert_array_equal(got[2], np.full((x * y).shape, 2.0), strict=True)
    with pytest.raises(ValueError, match=r"'v' has shape \(3,\), but its value has shape \(2, 3\)"):
        f(1.0, 2.0, grid)
    with pytest.raises(ValueError, match="broadcast"):
        f(grid, np.ones(4), v)
