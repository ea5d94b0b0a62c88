"""Record runs of PyTorch's optimisers and schedulers, and of means, of twenty steps.

python -m tests.optim.record
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.optim import averages, runs, schedules, whole
from tests.recording import Recorded, lines, run

FOLDER = Path(__file__).with_name("data")
RUNS, STATES = FOLDER / "runs.json", FOLDER / "states.json"
WHOLE = FOLDER / "whole.json"
SCHEDULES, AVERAGES = FOLDER / "schedules.json", FOLDER / "averages.json"


def files(torch: Any, chosen: Sequence[str]) -> Recorded:
    yield RUNS, lines({runs.label(*case): runs.run(torch, *case) for case in runs.cases()})
    yield STATES, lines({name: runs.resumed(torch, name) for name in runs.OPTIONS})
    yield WHOLE, lines(whole.record(torch))
    yield SCHEDULES, lines({name: schedules.record(torch, name) for name in schedules.ALL})
    yield AVERAGES, lines({name: averages.run(torch, name) for name in averages.ALL})


if __name__ == "__main__":
    sys.exit(run(files))
