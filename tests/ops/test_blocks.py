"""By blocks of rows, each operation and its derivatives compute what they compute whole.

Blocks are of one row or two here, where they are of thousands otherwise: what a kernel states of
its rows must hold for any. Of kernels that choose how they compute, the digits do not depend on
how many elements they are given.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from numeric.blocks import compile_in_blocks
from numeric.interpret import interpret
from numeric.kernel import Kernel
from numeric.rows import local
from symgrad.expr.atoms import Leaf
from symgrad.expr.dtypes import dtype, float32, float64, from_numpy_dtype
from symgrad.ops.elementwise import Elementwise
from symgrad.ops.kinds import OfMany
from symgrad.ops.primitive import PRIMITIVES
from tests.each import each, in_part
from tests.ops.test_laws import programs, sample, value_is_short
from tests.ops.test_layouts import over_some

COUNTS: Counter[bool] = Counter()


@over_some
@np.errstate(all="ignore")
def test_blocks_compute_what_whole_arrays_do(name: str) -> None:
    s = sample(name)
    values = {x.name: np.array(v, order="C") for x, v in s.values.items()}  # type: ignore[attr-defined]
    for program in programs(s):
        run = compile_in_blocks(program, 64, 0)
        COUNTS[run is not None] += 1
        if run is None:
            continue
        given = [values[label] for _, label in program.inputs]
        wanted = interpret(program, given)
        for found, value in zip(run(given), wanted, strict=True):
            assert np.shape(found) == np.shape(value)
            assert np.asarray(found).dtype == np.asarray(value).dtype
            close = 2e-3 if value_is_short(np.asarray(value)) else 1e-12
            np.testing.assert_allclose(found, value, rtol=close, atol=close)


def test_many_programs_run_by_blocks() -> None:
    if not COUNTS:
        pytest.skip("the law has not run here")
    assert COUNTS[True] > 0.4 * COUNTS.total()


#: More elements than any kernel asks for before it computes otherwise, and fewer than each does.
MANY, APART = 8200, 9
_ELEMENTWISE = {name: cls for name, cls in PRIMITIVES.items() if issubclass(cls, Elementwise)}
#: Those with kernels of many elements, and the others, of which a kernel may look at the size too.
_CHOICES = {name: cls for name, cls in _ELEMENTWISE.items() if issubclass(cls, OfMany)}
_OTHERS = {name: cls for name, cls in _ELEMENTWISE.items() if name not in _CHOICES}


@each("cls", [*[pytest.param(cls, id=name) for name, cls in _CHOICES.items()],
              *in_part(_OTHERS, among=6)])  # fmt: skip
@np.errstate(all="ignore")
def test_an_element_has_the_same_bits_among_many_and_among_few(cls: type[Elementwise]) -> None:
    for kind in (float64, float32):
        node, values = _of_many_elements(cls, kind)
        kernel, params, read = node.implementation()
        if kernel is None or kernel.rows is not local or not _chooses(kernel):
            continue
        given = [values[x] if isinstance(x, Leaf) else x.value for x in read]
        among_many = kernel.call(*given, **params)
        some = [x[::APART] if np.ndim(x) else x for x in given]
        np.testing.assert_array_equal(among_many[::APART], kernel.call(*some, **params))


def _chooses(kernel: Kernel) -> bool:
    """Return whether a kernel may look at how many elements there are, as none of NumPy does."""
    return not (isinstance(kernel.call, np.ufunc) or (kernel.imports and not kernel.prelude))


def _of_many_elements(cls: type[Elementwise], kind: dtype) -> tuple[Any, dict[Any, Any]]:
    """Return a node on leaves with many elements, where the sample has arrays, and their values."""
    given = cls.samples[0]
    split = len(given) - len(cls.params)
    values, operands = {}, []
    for i, x in enumerate(given[:split]):
        if isinstance(x, np.ndarray):
            made = np.resize(x, MANY)
            if made.dtype == np.float64:
                made = (made * np.linspace(0.9, 1, MANY)).astype(kind.numpy)
            x = Leaf(f"x{i}", made.shape, from_numpy_dtype(made.dtype))
            values[x] = made
        operands.append(x)
    return cls(*operands, *given[split:]), values
