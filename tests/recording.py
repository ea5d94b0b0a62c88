"""What all scripts that record PyTorch's results share: the reference, the files, the commands.

A recorder is a module `record….py` whose function `files(torch, chosen)` yields each file that it
records with the text of the file, or a sentence about what is wrong. One recorder alone, or a part
of what it records::

    python -m tests.scenarios.record
    python -m tests.scenarios.record hooks views

All of them, and whether what they record is what the installed PyTorch gives, byte for byte::

    python -m tests.recording
    python -m tests.recording --check
"""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

REFERENCE = "2.13"
HERE = Path(__file__).parent

Recorded = Iterator[tuple[Path, str] | str]


def reference() -> Any:
    """Return PyTorch, of the version that is recorded."""
    import torch

    found = torch.__version__
    assert found.startswith(f"{REFERENCE}."), f"the reference is {REFERENCE}, not {found}"
    torch.set_num_threads(1)  # sums in one fixed order
    return torch


def lines(entries: Mapping[str, Any]) -> str:
    """Return JSON with one line for each entry, so that changes read well."""
    rows = [f"{json.dumps(name)}: {json.dumps(entry)}" for name, entry in entries.items()]
    return "{\n" + ",\n".join(rows) + "\n}\n"


def recorders() -> dict[str, Callable[[Any, Sequence[str]], Recorded]]:
    """Return the recorders by the names of their modules."""
    found = {}
    for path in sorted(HERE.rglob("record*.py")):
        parts = path.relative_to(HERE.parent).with_suffix("").parts
        module = importlib.import_module(".".join(parts))
        if hasattr(module, "files"):
            found[".".join(parts)] = module.files
    return found


def run(files: Callable[[Any, Sequence[str]], Recorded]) -> int:
    """Write what a recorder yields, or with `--check` compare; return the status of the command."""
    chosen = [word for word in sys.argv[1:] if word != "--check"]
    check = "--check" in sys.argv[1:]
    torch = reference()
    wrong = 0
    for found in files(torch, chosen):
        if isinstance(found, str):
            wrong += 1
            print(found)
            continue
        path, text = found
        new = text.encode()
        changed = not path.exists() or path.read_bytes() != new
        if changed and check:
            wrong += 1
        elif changed:
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(new)
        print(f"{path.relative_to(HERE)}: {'differs' if changed else 'as it was'}", flush=True)
    return 1 if wrong else 0


def _all(torch: Any, chosen: Sequence[str]) -> Recorded:
    for name, files in recorders().items():
        if not chosen or name in chosen:
            yield from files(torch, ())


if __name__ == "__main__":
    sys.exit(run(_all))
