"""How the elements of an array lie in memory changes no result: of any primitive, however it runs.

Which layout a result has is the subject of `test_result_layouts.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from numeric.compile import compile_program
from numeric.emit import emit
from numeric.interpret import interpret
from numeric.memory import compile_in_place
from numeric.runtime import load
from symgrad.differentiate.batch import batch_expressions
from symgrad.expr.atoms import Leaf
from symgrad.expr.node import ArrayExpr
from symgrad.lower.program import lower
from symgrad.ops.singular import complement
from tests.each import each, in_part
from tests.ops.test_laws import SAMPLES, Sample, programs, sample, value_is_short

Array = np.ndarray[Any, Any]

# Of the samples with complex operands the first of each operation is tried always.
CHOSEN = [
    pytest.param(n, id=n, marks=pytest.mark.slow)
    if "-complex" in n and not n.endswith("-0-complex")
    else pytest.param(n, id=n)
    for n in SAMPLES
]
over_samples = each("name", CHOSEN)
#: Laws of how programs run, for every second sample.
over_some = each("name", in_part(CHOSEN, group=str, among=6))


def strided(x: Array) -> Array:
    buffer = np.full(tuple([2 * n for n in x.shape]), 3, x.dtype)
    every_second = (slice(1, None, 2),) * x.ndim
    buffer[every_second] = x
    return buffer[every_second]


def reversed_(x: Array) -> Array:
    backwards = (slice(None, None, -1),) * x.ndim
    return x[backwards].copy()[backwards]


def misaligned(x: Array) -> Array:
    memory = np.zeros(x.nbytes + 1, np.uint8)
    out = memory[1:].view(x.dtype).reshape(x.shape)
    out[...] = x
    return out


def read_only(x: Array) -> Array:
    out = x.copy()
    out.flags.writeable = False
    return out


LAYOUTS: dict[str, Callable[[Array], Array]] = {
    "fortran": lambda x: np.array(x, order="F"),
    "reversed": reversed_,
    "strided": strided,
    "misaligned": misaligned,
    "big-endian": lambda x: x.astype(x.dtype.newbyteorder(">")),
    "read-only": read_only,
    "row of a matrix": lambda x: np.stack([x, x], axis=-1)[..., 1],
}


def repeated(x: Array) -> Array:
    """The first entry along the first axis in the place of all, at a stride of zero."""
    return np.broadcast_to(x[:1], x.shape)


def test_layouts_are_what_they_say() -> None:
    x = np.arange(12.0).reshape(3, 4)
    laid = {name: lay(x) for name, lay in LAYOUTS.items()}
    for array in laid.values():
        np.testing.assert_array_equal(array, x)
    assert laid["fortran"].flags.f_contiguous and not laid["fortran"].flags.c_contiguous
    assert all(s < 0 for s in laid["reversed"].strides)
    assert not laid["misaligned"].flags.aligned
    assert not laid["big-endian"].dtype.isnative
    assert not laid["read-only"].flags.writeable
    assert not (laid["strided"].flags.c_contiguous or laid["strided"].flags.f_contiguous)
    assert repeated(x).strides[0] == 0


def expressions(s: Sample) -> list[tuple[ArrayExpr, dict[ArrayExpr, Array]]]:
    """The sample and itself over a batch, with values for their leaves."""
    found = [(s.node, s.values)]
    moved = {x: Leaf(f"b_{x.name}", (2, *x.shape), x.dtype) for x in s.values}  # type: ignore[attr-defined]
    if moved:
        [batched] = batch_expressions([s.node], moved, 2)
        found.append((batched, {moved[x]: np.stack([v, v]) for x, v in s.values.items()}))
    return found


def is_same(got: Array, expected: Array) -> bool:
    return got.shape == expected.shape and got.tobytes() == expected.tobytes()


def assert_same(got: Any, expected: Any, how: str) -> None:
    got, expected = np.asarray(got), np.asarray(expected)
    assert got.dtype.newbyteorder("=") == expected.dtype, how
    if is_same(got.astype(expected.dtype, copy=False), expected):
        return
    # Sums are taken in the order of memory.
    tolerance = 2e-3 if value_is_short(expected) else 1e-12
    np.testing.assert_allclose(got, expected, rtol=tolerance, atol=tolerance, err_msg=how)


def outcome(run: Callable[[list[Array]], Any], inputs: list[Array]) -> Any:
    """Return the results, or what an error says: a matrix of equal rows has no inverse."""
    try:
        return run(inputs)
    except RuntimeError as error:
        return str(error)


def check(program: Any, plain: dict[str, Array], laid: dict[str, dict[str, Array]]) -> None:
    """Run a program in every way on arrays laid out in every way, and as they are."""
    taken = [name for _, name in program.inputs]
    scope: dict[str, Any] = {}
    exec(emit(program), scope)
    ways: dict[str, Callable[[list[Array]], Any]] = {
        "interpreted": lambda inputs: interpret(program, inputs),
        "compiled": compile_program(program),
        "loaded": load(program).compile(),
        "planned": compile_in_place(program, {}),
        "emitted": lambda inputs: scope[program.name](*inputs),
    }
    expected = outcome(ways["interpreted"], [plain[name] for name in taken])
    for layout, arrays in laid.items():
        for way, run in ways.items():
            results = outcome(run, [arrays[name] for name in taken])
            if isinstance(expected, str):
                assert results == expected
                continue
            for got, value in zip(results, expected, strict=True):
                assert_same(got, value, f"{way}, {layout}")
        for name in taken:
            assert is_same(arrays[name].astype(plain[name].dtype, copy=False), plain[name])


def laid_out(values: dict[ArrayExpr, Array]) -> dict[str, dict[ArrayExpr, Array]]:
    return {layout: {x: lay(v) for x, v in values.items()} for layout, lay in LAYOUTS.items()}


def by_name(values: dict[ArrayExpr, Array]) -> dict[str, Array]:
    return {x.name: v for x, v in values.items()}  # type: ignore[attr-defined]


@each("name", in_part(list(SAMPLES), among=4))
@np.errstate(all="ignore")
def test_no_result_depends_on_how_operands_lie_in_memory(name: str) -> None:
    s = sample(name)
    for node, values in expressions(s):
        values = {x: np.array(v, order="C") for x, v in values.items()}
        names = {x: x.name for x in values}  # type: ignore[attr-defined]
        laid = laid_out(values)
        for program in programs(s) if node is s.node else [lower([node], names)]:
            check(program, by_name(values), {how: by_name(arrays) for how, arrays in laid.items()})
        expected = node.evaluate(values)
        for layout in ("fortran", "reversed", "big-endian"):
            got = node.evaluate(laid[layout])
            assert got.dtype == expected.dtype and got.flags.writeable
            assert_same(got, expected, f"evaluated, {layout}")


@over_some
@np.errstate(all="ignore")
def test_no_result_depends_on_elements_that_share_a_place(name: str) -> None:
    s = sample(name)
    if isinstance(s.node, complement):
        return  # equal elements make columns depend on each other: rounding decides
    # Of a mask, other elements would ask for other shapes.
    varied = {x for x, v in s.values.items() if v.ndim and len(v) and v.dtype != bool}
    shared = {x: repeated(v) if x in varied else v for x, v in s.values.items()}
    own = {x: v.copy() for x, v in shared.items()}
    for program in programs(s):
        check(program, by_name(own), {"repeated": by_name(shared)})
