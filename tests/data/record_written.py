"""What PyTorch gives for programs that write into tensors between recorded operations.

    python -m tests.data.record_written

writes `written.json`; it needs PyTorch.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

from tests.autograd.written import Outcome, program, run

__all__ = ["PATH", "SEEDS", "read"]

PATH = Path(__file__).with_name("written.json")
SEEDS = range(240)
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


def main() -> None:
    """Run every program in PyTorch."""
    import torch

    torch.set_num_threads(1)
    lines = [f'"{seed}": {json.dumps(_entry(run(torch, program(seed))))}' for seed in SEEDS]
    PATH.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
