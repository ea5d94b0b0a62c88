"""By blocks of rows, each operation and its derivatives compute what they compute whole.

Blocks are of one row or two here, where they are of thousands otherwise: what a kernel states of
its rows must hold for any.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from numeric.blocks import compile_in_blocks
from numeric.interpret import interpret
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
