"""Make every malformed call, and report what is wrong: `python -m tests.malformed.run [path …]`.

A path is a regular expression; with `--accepted` it is also listed what PyTorch refuses and symgrad
takes; with `--every 8` one call in eight is made.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple
from zlib import crc32

import symgrad
from symgrad.schema.public import SCHEMAS
from symgrad.schema.text import Schema

from .calls import Base, callables, caller, fits, made, miscounted, parameters, places
from .judge import ABSENT, attempt, fault, restore
from .record import RECORDS
from .values import OWN, WRONG


class Call(NamedTuple):
    """One malformed call: a base call with something wrong in one place, or in its number."""

    path: str
    text: str
    base: Base
    place: str
    kind: str
    #: What PyTorch makes of it, as a letter.
    theirs: str

    def arguments(self, t: Any = symgrad) -> tuple[list[Any], dict[str, Any]]:
        """Return what the function is called with."""
        args, kwargs = made(t, self.base)
        if self.place.isdigit():
            args[int(self.place)] = WRONG[self.kind](t)
        elif self.place:
            kwargs[self.place] = WRONG[self.kind](t)
        return args, kwargs


def calls(path: str, known: dict[str, Any]) -> Iterator[Call]:
    """Yield the malformed calls of a path."""
    for entry in known["bases"]:
        base = (entry["args"], entry["kwargs"])
        shown = ", ".join([*base[0], *(f"{k}={v}" for k, v in base[1].items())])
        for place in places(base, entry["optional"]):
            letters = entry.get("torch", {}).get(place, ABSENT * len(WRONG))
            other = "".join(sorted({*letters}))  # whatever PyTorch raises at wrong objects
            for kind, letter in zip(WRONG, letters, strict=True):
                if fits(path, place, kind):
                    text = f"{path}({shown}) with {place} = {kind}"
                    yield Call(path, text, base, place, kind, other if kind in OWN else letter)
        names = [n for _, n in parameters(path)[0][0]]
        for what, changed in miscounted(path, base, names).items():
            letter = entry.get("count", {}).get(what, ABSENT)
            yield Call(path, f"{path}({shown}), {what}", changed, "", "", letter)


#: Kinds of arguments that operations compute nothing with.
SETTINGS = frozenset(("bool", "int", "str", "int[]", "int[1]", "int[2]", "ScalarType"))


def is_setting(schema: Schema, place: str) -> bool:
    """Return whether a parameter is a setting in each overload, as `keepdim`.

    Functions take what they compute with from more than PyTorch's do: formulas, and arrays.
    """
    found = [p for s in schema.overloads for p in s.parameters if p.name == place]
    return bool(found) and all(p.kind.removesuffix("?") in SETTINGS for p in found)


def judged(call: Call) -> tuple[str, bool]:
    """Make a call; return what is wrong with what came of it, and whether it was accepted.

    What PyTorch refuses may be accepted, but not for a setting: a flag that is none is a mistake.
    """
    args, kwargs = call.arguments()
    outcome = attempt(caller(symgrad, call.path), args, kwargs)
    restore()
    schema = SCHEMAS.get((call.path.rpartition(".")[2], False))
    # A function that is written in Python there may look at an argument before it counts them.
    counted = (schema is None or schema.python) and not call.place
    wrong = fault(outcome, call.theirs + "T" * counted)
    accepted = outcome.error is None and not {*call.theirs} & {*f".?{ABSENT}"}
    if accepted and schema is not None and is_setting(schema, call.place):
        # NumPy's truth values are Python's here, and sizes may be too large for anything.
        fine = call.kind == "np.bool" or call.kind[0] == "(" or call.theirs != "T"
        wrong = "" if fine or schema.python else "accepted"
    if not wrong:
        return "", accepted
    shown = f"{type(outcome.error).__name__}: {outcome.line[:150]}"
    return f"{wrong} | {call.text} | {call.theirs} | {shown}", accepted


def report(paths: Sequence[str], every: int) -> tuple[int, list[str], list[str]]:
    """Return how many calls were made, what is wrong, and what PyTorch would have refused."""
    lines, lenient = [], []
    n = 0
    for path in paths:
        for call in islice(calls(path, RECORDS[path]), crc32(path.encode()) % every, None, every):
            n += 1
            wrong, accepted = judged(call)
            if wrong:
                lines.append(wrong)
            elif accepted:
                lenient.append(f"accepts {call.theirs} | {call.text} | {call.theirs} | ")
    return n, lines, lenient


def apart(paths: Sequence[str], every: int) -> tuple[int, list[str], list[str]] | None:
    """Return the report of a process of its own; None where it crashed."""
    read, write = os.pipe()
    child = os.fork()
    if not child:
        os.close(read)
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115
        with os.fdopen(write, "w") as pipe:
            json.dump(report(paths, every), pipe)
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as pipe:
        text = pipe.read()
    _, status = os.waitpid(child, 0)
    return None if status or not text else tuple(json.loads(text))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paths", nargs="*", help="regular expressions; all paths without any")
    parser.add_argument("--accepted", action="store_true")
    parser.add_argument("--every", type=int, default=1)
    asked = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
    made = failed = lenient = 0
    chosen = [
        p for p in callables() if not asked.paths or any(re.fullmatch(x, p) for x in asked.paths)
    ]
    for i in range(0, len(chosen), 40):
        chunk = chosen[i : i + 40]
        found = apart(chunk, asked.every)
        for one in [found] if found else [apart([p], asked.every) or p for p in chunk]:
            n, wrong, accepted = (0, [f"CRASH | {one}"], []) if isinstance(one, str) else one
            made, failed, lenient = made + n, failed + len(wrong), lenient + len(accepted)
            for line in [*wrong, *(accepted if asked.accepted else ())]:
                print(line, flush=True)
    print(f"{made} calls, {failed} faults; {lenient} accepted that PyTorch refuses")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
