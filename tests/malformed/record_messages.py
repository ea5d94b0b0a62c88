"""Record what PyTorch says of malformed calls: `python -m tests.malformed.record_messages [add …]`.

The calls are those of `record`: in each place of each function one of the wrong values that the
argument parser of PyTorch refuses, and each wrong number of arguments.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from zlib import crc32

from tests.recording import PerOperation, Recorded, run

from .calls import caller
from .judge import attempt
from .record import RECORDS, reset
from .run import Call, calls

#: The messages of each path, and the signatures that they name by number.
MESSAGES = PerOperation(
    Path(__file__).parent / "data" / "messages", RECORDS.operation, RECORDS.names
)

#: The wrong values of which one is chosen for each place, in turn; symgrad takes none of them for
#: more than PyTorch does.
CHOSEN = frozenset(
    (
        "None", "'a'", "[]", "[1.0, 2.0]", "object", "1j", "strided", "True", "1.5", "0", "{}",
        "Generator", "[tensor, None]", "slice", "int tensor", "(0,)", "['a']", "np.str", "function",
    )
)  # fmt: skip
#: How a message of the parser begins. Functions of no or of one argument do without it in PyTorch.
PARSER = re.compile(
    r"^\w+\(\)(: argument '\w+'| received | missing \d| takes (from )?\d| got )|^expected Tensor as"
)
#: A line with a signature, of which each path has a table.
_SIGNATURE = re.compile(r"^ \* (.*)$", re.MULTILINE)


def chosen_calls(path: str, known: dict[str, Any]) -> Iterator[Call]:
    """Yield one call that PyTorch refuses for each place of a function, and for each miscount."""
    found: dict[str, list[Call]] = {}
    for call in calls(path, known):
        if call.theirs == "T" and (call.kind in CHOSEN or not call.place):
            found.setdefault(call.place or call.text.rpartition("), ")[2], []).append(call)
    for place, all_of_place in found.items():
        yield all_of_place[crc32(f"{path} {place}".encode()) % len(all_of_place)]


def record(torch: Any, path: str) -> dict[str, Any]:
    """Return what is said of the chosen calls of a path."""
    theirs = caller(torch, path)
    texts: list[str] = []
    signatures: dict[str, int] = {}
    out, sys.stdout = sys.stdout, open(os.devnull, "w")  # noqa: SIM115
    for call in chosen_calls(path, RECORDS[path]) if theirs is not None else ():
        text = str(attempt(theirs, *call.arguments(torch), torch).error)
        reset(torch)
        if not PARSER.search(text):
            text = ""  # of what the function itself finds wrong
        texts.append(
            _SIGNATURE.sub(lambda m: f" * {signatures.setdefault(m[1], len(signatures))}", text)
        )
    sys.stdout = out
    return {"signatures": [*signatures], "texts": texts}


def files(torch: Any, chosen: Sequence[str]) -> Recorded:
    yield from MESSAGES.files(lambda path: record(torch, path), chosen)


def messages(path: str) -> list[str]:
    """Return the messages about the chosen calls of a path, empty where others made them."""
    found = MESSAGES[path]
    signatures = found["signatures"]
    return [_SIGNATURE.sub(lambda m: f" * {signatures[int(m[1])]}", x) for x in found["texts"]]


if __name__ == "__main__":
    sys.exit(run(files))
