"""Record what PyTorch makes of each malformed call: `python -m tests.malformed.record [add …]`.

A file for each operation has all that can be called by its name, as `add` and `Tensor.add_`. For
each base call and place there is a text with one letter for each wrong value, in the order of
`values.WRONG`. The base calls are found here, too, so that tests search for nothing.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import symgrad
from tests.recording import PerOperation, Recorded, operation_of, run

from .calls import callables, caller, fits, made, miscounted, parameters, places, proposals
from .judge import ABSENT, Hanging, attempt, bounded, restore
from .values import OWN, WRONG

RECORDS = PerOperation(
    Path(__file__).parent / "data" / "calls", operation_of, lambda: sorted(callables())
)


def _succeeds(t: Any, call: Any, base: Any) -> bool:
    try:
        args, kwargs = made(t, base)
        with bounded(), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            call(*args, **kwargs)
    except (Exception, Hanging):
        return False
    return True


def _both(torch: Any, ours: Any, theirs: Any, path: str, base: Any) -> bool:
    """Whether a call succeeds, and in PyTorch, too, where it has the function."""
    fine = _succeeds(symgrad, ours, base)
    if fine and theirs is not None and path != "Tensor.name=":
        fine = _succeeds(torch, theirs, base)
    reset(torch)
    return fine


def reset(torch: Any) -> None:
    """Undo what a call that succeeds has set, in both libraries."""
    restore()
    torch.set_grad_enabled(True)
    torch.set_default_dtype(torch.float32)
    torch.set_anomaly_enabled(False)
    torch.set_printoptions(profile="default")


def record(torch: Any, path: str) -> dict[str, Any]:
    """Return base calls of one path, with what PyTorch makes of each wrong one."""
    ours, theirs = caller(symgrad, path), caller(torch, path)
    found: list[dict[str, Any]] = []
    for proposal in proposals(path):
        chosen = next((p for p in proposal if _both(torch, ours, theirs, path, p[0])), None)
        if chosen is None:
            continue
        base, optional = chosen
        entry = {"args": base[0], "kwargs": base[1], "optional": optional}
        if any(e["args"] == base[0] and e["kwargs"] == base[1] for e in found):
            continue
        found.append(entry)
        if theirs is None or path == "Tensor.name=":
            continue
        entry["torch"] = {
            place: "".join(
                _letter(torch, theirs, base, place, kind)
                if kind not in OWN and fits(path, place, kind)
                else ABSENT
                for kind in WRONG
            )
            for place in places(base, optional)
        }
        names = [n for _, n in parameters(path)[0][0]]
        entry["count"] = {
            what: attempt(theirs, *made(torch, b), torch).letter
            for what, b in miscounted(path, base, names).items()
        }
        reset(torch)
    return {"bases": found}


def _letter(torch: Any, call: Any, base: Any, place: str, kind: str) -> str:
    args, kwargs = made(torch, base)
    if place.isdigit():
        args[int(place)] = WRONG[kind](torch)
    else:
        kwargs[place] = WRONG[kind](torch)
    letter = attempt(call, args, kwargs, torch).letter
    reset(torch)
    return letter


def files(torch: Any, chosen: Sequence[str]) -> Recorded:
    resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
    wrong = []

    def recorded(path: str) -> Any:
        status, text = _apart(torch, path)
        if status or not text or not json.loads(text)["bases"]:
            wrong.append(f"{path}: status {status}, {text[:60]}")
            return {"bases": []}
        return json.loads(text)

    yield from RECORDS.files(recorded, chosen)
    yield from wrong


def _apart(torch: Any, path: str) -> tuple[int, str]:
    """Record a path in a process of its own: what PyTorch crashes on must not end the record."""
    read, write = os.pipe()
    child = os.fork()
    if not child:
        os.close(read)
        sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: SIM115
        text = json.dumps(record(torch, path))
        with os.fdopen(write, "w") as pipe:
            pipe.write(text)
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as pipe:
        text = pipe.read()
    return os.waitpid(child, 0)[1], text


if __name__ == "__main__":
    sys.exit(run(files))
