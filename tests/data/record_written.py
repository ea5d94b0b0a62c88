"""What PyTorch gives for programs that write into tensors between recorded operations.

    python -m tests.data.record_written

writes `written.json`; it needs PyTorch.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.autograd.written import Outcome, program
from tests.autograd.written import run as outcome
from tests.recording import Recorded, lines, run

__all__ = ["PATH", "SEEDS", "read"]

PATH = Path(__file__).with_name("written.json")
#: The last ones write into a power, which its derivative by the exponent reads.
SEEDS = (*range(240), 1_001_358, 1_001_870, 1_002_053)
_DIGITS = 12


def read() -> dict[int, Outcome]:
    """Return the recorded outcome of each seed."""
    found = json.loads(PATH.read_text(encoding="utf-8"))
    return {int(seed): _outcome(*entry) for seed, entry in found.items()}


def _outcome(loss: Any, first: Any, second: Any, error: str, largest: float) -> Outcome:
    return Outcome(
        math.nan if loss is None else loss, _floats(first), _floats(second), error, largest
    )


def _floats(found: list[Any]) -> list[Any]:
    return [None if g is None else [math.nan if x is None else x for x in g] for g in found]


def _plain(x: float) -> float | None:
    return float(f"{x:.{_DIGITS}g}") if math.isfinite(x) else None


def _entry(found: Outcome) -> list[Any]:
    arrays = [
        [None if g is None else [_plain(x) for x in g.tolist()] for g in gradients]
        for gradients in (found.first, found.second)
    ]
    return [_plain(found.loss), *arrays, found.error, float(f"{found.largest:.3g}")]


def files(torch: Any, chosen: Sequence[str]) -> Recorded:
    yield PATH, lines({str(seed): _entry(outcome(torch, program(seed))) for seed in SEEDS})


if __name__ == "__main__":
    sys.exit(run(files))
