"""Kernels, random programs and the comparison that the tests of `numeric` share."""

import operator

import mpmath
import numpy as np
import sympy
from hypothesis import strategies as st

from numeric import Instr, Kernel, Program, local, reduces


def soft(x, y, *, scale=1.0):
    """A helper with a default."""
    return np.logaddexp(x, y) * scale


def blend(*arrays, weight: "float"):
    total = arrays[0] * weight
    for array in arrays[1:]:
        total = total + array
    return total


def parts(x, y):
    """Three results: of both operands, of the first one, and of nothing."""
    total = np.asarray(x) + np.asarray(y)
    return total, np.negative(x), np.array(0.5)


def with_first_zero(x, y):
    """The first operand with zeros where the second begins."""
    out = np.array(x)
    if out.ndim and np.size(y):
        out[..., :1] = 0
    return out


def set_first_zero(x, y):
    if np.size(y):
        x[..., :1] = 0
    return x


def twice_transposed(x):
    # As the method does it: a NumPy scalar stays one.
    return (x if isinstance(x, np.generic) else np.asarray(x)).T.T


def objects(function):
    return np.frompyfunc(function, 1, 1)


ADD = Kernel("add", np.add, "{0} + {1}", rows=local, out=True)
SUB = Kernel("sub", np.subtract, "{0} - {1}", rows=local, out=True)
MUL = Kernel("mul", np.multiply, "{0} * {1}", rows=local, out=True)
DIV = Kernel("div", np.divide, "{0} / {1}", rows=local, out=True)
NEG = Kernel("neg", np.negative, "-{0}", rows=local, out=True)
TANH = Kernel(
    "tanh",
    np.tanh,
    "np.tanh({0})",
    rows=local,
    number_systems={"sympy": objects(sympy.tanh), "mpmath": objects(mpmath.tanh)},
)
MAXIMUM = Kernel("maximum", np.maximum, "np.maximum({0}, {1})")
WHERE = Kernel("where", np.where, "np.where({0}, {1}, {2})")
SUM = Kernel("sum", np.sum, "np.sum({0}, axis={axis}, keepdims={keepdims})", rows=reduces("axis"))
ITEM = Kernel("item", operator.getitem, "{0}[{index}]", view=True)
PICK = Kernel("pick", lambda x, *, index: np.asarray(x)[index], "{0}[{index}]", view=True)
TWICE_T = Kernel("twice.T", twice_transposed, "{0}.T.T", view=True)
SOFT = Kernel.from_function(soft)
BLEND = Kernel.from_function(blend)
PARTS = Kernel.from_function(parts)
SET = Kernel.from_function(with_first_zero, overwriting=set_first_zero)


def is_same(left, right):
    """Whether two results agree in type, dtype, shape, and in every value and sign."""
    if type(left) is not type(right):
        return False
    a, b = np.asarray(left), np.asarray(right)
    if a.dtype != b.dtype or a.shape != b.shape:
        return False
    if a.dtype.kind not in "fc":
        return bool(np.array_equal(a, b))
    for x, y in ((a.real, b.real), (a.imag, b.imag)):
        if not np.array_equal(x, y, equal_nan=True):
            return False
        if not np.array_equal(np.signbit(x) | np.isnan(x), np.signbit(y) | np.isnan(y)):
            return False
    return True


def assert_same(left, right):
    assert len(left) == len(right)
    for a, b in zip(left, right, strict=True):
        assert is_same(a, b), f"{a!r}\n{b!r}"


INPUTS = (
    ("x", np.linspace(-2.0, 2.0, 12).reshape(3, 4)),
    ("np", np.array([[0.5], [-0.0], [3.0]], dtype=np.float32)),
    ("t1", np.float64(0.75)),
    ("lambda_", 0.1),  # a Python number: of weak type
    ("abs", np.array([1, -2, 3, 4])),
)
CONSTANTS = (
    2.0,
    -1.5,
    3,
    float("-inf"),
    np.float32(0.1),
    np.array([1.0, -0.0, np.nan, 1e-300]),
    np.array([[1], [2], [3]], dtype=np.int32),
)
#: Every value broadcasts with every other, so any kernel may follow any.
BROADCASTING = (
    ADD, SUB, MUL, DIV, NEG, TANH, MAXIMUM, WHERE, TWICE_T, SOFT, BLEND, SUM, PICK, PARTS, SET,
)  # fmt: skip


@st.composite
def programs(draw, max_size=25):
    """Programs over `INPUTS`, with operands and outputs of every kind."""
    first = len(INPUTS) + len(CONSTANTS)
    instrs = []
    out = first
    for _ in range(draw(st.integers(0, max_size))):
        kernel = draw(st.sampled_from(BROADCASTING))
        count = kernel.template.arity
        if count is None:
            count = draw(st.integers(1, 4))
        # Recent values oftener, so that programs grow deep.
        slot = st.integers(0, out - 1) | st.integers(max(0, out - 4), out - 1)
        operands = tuple(draw(slot) for _ in range(count))
        params = {}
        if kernel is SUM:
            # All axes or none, so that everything still broadcasts.
            keepdims = draw(st.booleans())
            params = {"axis": () if keepdims else None, "keepdims": keepdims}
        elif kernel is PICK:
            params = {"index": draw(st.sampled_from([..., (...,), ()]))}
        elif kernel is SOFT:
            params = {"scale": draw(st.sampled_from([1.0, -0.5, np.float32(2.0)]))}
        elif kernel is BLEND:
            params = {"weight": draw(st.sampled_from([1, -2.5, 1e-30]))}
        outs = tuple(draw(st.permutations(range(out, out + 3)))) if kernel is PARTS else out
        instrs.append(Instr(kernel, operands, params, outs))
        out += 3 if kernel is PARTS else 1
    slots = st.integers(0, out - 1)
    outputs = tuple(draw(st.lists(slots, max_size=4)))
    if instrs:
        outputs += instrs[-1].outs[:1]
    return Program(
        "f",
        tuple((slot, name) for slot, (name, _) in enumerate(INPUTS)),
        dict(enumerate(CONSTANTS, len(INPUTS))),
        tuple(instrs),
        outputs,
    )


def chain(size, name="chain"):
    """A long program whose values live short, long, and across any cut."""
    instrs = []
    for i in range(size):
        previous = i + 1 if i else 0
        far = max(0, i - 500) + 1 if i else 0
        match i % 4:
            case 0:
                instrs.append(Instr(MUL, (previous, 1), out=i + 2))
            case 1:
                instrs.append(Instr(TANH, (previous,), out=i + 2))
            case 2 if i % 40 == 2:
                # Of the three results one is used, here or far away, and two are not.
                outs = (i + 2, size + 2 * i + 2, size + 2 * i + 3)
                instrs.append(Instr(PARTS, (previous, far), out=outs))
            case 2:
                instrs.append(Instr(ADD, (previous, far), out=i + 2))
            case _:
                instrs.append(Instr(SUB, (previous, 0), out=i + 2))
    outputs = (size + 1, size // 2 + 2, 0)
    return Program(name, ((0, "x"), (1, "y")), {}, tuple(instrs), outputs)


def namespace(source):
    """What the stand-alone source defines."""
    names = {"__name__": "emitted"}
    exec(compile(source, "<emitted>", "exec"), names)
    return names
