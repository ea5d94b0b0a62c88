"""Each name of PyTorch's modules is here, or is said to be absent, with what there is instead.

The names are recorded by `tests/data/record_names.py`; what is absent stands in
`symgrad/support/absent.py`, from which the table of docs/differences.md is made.
"""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any

import pytest

import symgrad
from symgrad.support.absent import ABSENT, NotInSymgrad

RECORDED: dict[str, list[str]] = json.loads(
    (Path(__file__).parent / "data" / "names.json").read_text(encoding="utf-8")
)


def space(module: str) -> Any:
    """Return a module by its name below `torch`."""
    return functools.reduce(getattr, module.split("."), symgrad)


@pytest.mark.parametrize("module", RECORDED)
def test_each_name_is_here_or_said_to_be_absent(module: str) -> None:
    missing = {name for name in RECORDED[module] if not hasattr(space(module), name)}
    absent = {name for name in RECORDED[module] if f"{module}.{name}" in ABSENT}
    assert missing == absent


@pytest.mark.parametrize("module", RECORDED)
def test_what_is_absent_says_what_there_is_instead(module: str) -> None:
    for name in RECORDED[module]:
        if f"{module}.{name}" in ABSENT:
            with pytest.raises(NotInSymgrad, match=r"Use instead: "):
                getattr(space(module), name)


def test_nothing_is_absent_of_what_there_never_was() -> None:
    """Of the recorded modules; others have parts that only some builds of PyTorch show."""
    told = {path.rpartition(".")[::2] for path in ABSENT}
    stale = {(m, n) for m, n in told if m in RECORDED and n not in (*RECORDED[m], "*")}
    assert stale == set()
