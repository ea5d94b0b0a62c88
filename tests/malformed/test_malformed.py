"""No malformed call of any public function or method ends in an error that nobody meant.

What it may raise is what PyTorch raises, by class, or an error that a `raise` statement of
symgrad's own raises; and it leaves its operands and all modes as they were.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
from typing import Any

import pytest

from .calls import callables
from .record import DATA
from .run import Call, calls, judged

KNOWN: dict[str, Any] = json.loads(DATA.read_text(encoding="utf-8"))
# What takes memory in earnest is left to the process with bounded memory.
LARGE = ("2**31", "(2**62, 2**62)")


def test_every_callable_has_a_call_that_succeeds() -> None:
    assert sorted(callables()) == sorted(KNOWN), "python -m tests.malformed.record"


@pytest.mark.parametrize("group", range(16))
def test_some_calls_of_each(group: int) -> None:
    draw = random.Random(group)
    wrong = []
    for path in list(callables())[group::16]:
        made = [c for c in calls(path, KNOWN[path]) if not c.text.endswith(LARGE)]
        wrong += [judged(call)[0] for call in draw.sample(made, min(len(made), 15))]
    assert not any(wrong), "\n".join(filter(None, wrong))


@pytest.mark.slow
def test_many_calls() -> None:
    """`python -m tests.malformed.run` makes all."""
    run = subprocess.run(
        [sys.executable, "-m", "tests.malformed.run", "--every", "10"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout[-10_000:] + run.stderr[-2_000:]


def test_calls_are_malformed() -> None:
    made: list[Call] = [c for path in ("add", "Tensor.sum") for c in calls(path, KNOWN[path])]
    assert sum(c.theirs == "T" for c in made) > len(made) / 2
