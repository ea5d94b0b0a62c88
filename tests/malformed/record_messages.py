"""Record what PyTorch says of malformed calls: `python -m tests.malformed.record_messages`.

The calls are those of `record`: in each place of each function one of the wrong values that the
argument parser of PyTorch refuses, and each wrong number of arguments.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from zlib import crc32

from tests.recording import Recorded, lines, run

from .calls import caller
from .judge import attempt
from .record import DATA, reset
from .run import Call, calls

MESSAGES = Path(__file__).parent / "data" / "messages.json"

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
#: A line with a signature, of which the file has a table.
_SIGNATURE = re.compile(r"^ \* (.*)$", re.MULTILINE)


def chosen_calls(path: str, known: dict[str, Any]) -> Iterator[Call]:
    """Yield one call that PyTorch refuses for each place of a function, and for each miscount."""
    found: dict[str, list[Call]] = {}
    for call in calls(path, known):
        if call.theirs == "T" and (call.kind in CHOSEN or not call.place):
            found.setdefault(call.place or call.text.rpartition("), ")[2], []).append(call)
    for place, all_of_place in found.items():
        yield all_of_place[crc32(f"{path} {place}".encode()) % len(all_of_place)]


def files(torch: Any, chosen: Sequence[str]) -> Recorded:
    del chosen  # all of it takes seconds
    known = json.loads(DATA.read_text(encoding="utf-8"))
    found: dict[str, list[str]] = {}
    signatures: dict[str, int] = {}
    out, sys.stdout = sys.stdout, open(os.devnull, "w")  # noqa: SIM115
    for path in sorted(known):
        theirs = caller(torch, path)
        for call in chosen_calls(path, known[path]) if theirs is not None else ():
            text = str(attempt(theirs, *call.arguments(torch), torch).error)
            reset(torch)
            if not PARSER.search(text):
                text = ""  # of what the function itself finds wrong
            found.setdefault(path, []).append(
                _SIGNATURE.sub(lambda m: f" * {signatures.setdefault(m[1], len(signatures))}", text)
            )
    sys.stdout = out
    yield MESSAGES, lines({"signatures": [*signatures], **found})


def messages() -> dict[str, list[str]]:
    """Return the messages about the chosen calls of each path, empty where others made them."""
    found: dict[str, list[str]] = json.loads(MESSAGES.read_text(encoding="utf-8"))
    signatures = found.pop("signatures")
    return {
        path: [_SIGNATURE.sub(lambda m: f" * {signatures[int(m[1])]}", text) for text in texts]
        for path, texts in found.items()
    }


if __name__ == "__main__":
    sys.exit(run(files))
