"""More random graphs with hooks, against PyTorch where it is installed."""

from __future__ import annotations

import pytest

from tests.recording import REFERENCE

from . import _harness
from .hook_programs import random_program

torch = pytest.importorskip("torch")

pytestmark = [
    pytest.mark.oracle,
    pytest.mark.skipif(
        not torch.__version__.startswith(REFERENCE),
        reason=f"the reference is PyTorch {REFERENCE}",
    ),
]


@pytest.mark.parametrize("start", range(1000, 4000, 500))
def test_a_graph_with_hooks_does_what_pytorch_does(start: int) -> None:
    import symgrad

    wrong = []
    for seed in range(start, start + 500):
        scenario = _harness.Scenario("live", str(seed), random_program, {"seed": seed})
        lines = _harness.mismatches(_harness.run(scenario, torch), _harness.run(scenario, symgrad))
        wrong += [f"{seed}: {line}" for line in lines]
    assert not wrong, "\n".join(wrong[:20])
