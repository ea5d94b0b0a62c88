"""What all scripts that record PyTorch's results share: the reference, the files, the commands.

A recorder is a module `record….py` whose function `files(torch, chosen)` yields each file that it
records with the text of the file, with None a file that goes, or a sentence about what is wrong.
One recorder alone, or a part of what it records::

    python -m tests.scenarios.record
    python -m tests.scenarios.record hooks views

What is recorded of operations is in a folder with a file for each of them, `PerOperation`: who adds
an operation adds files, and changes none that another operation has.

All of them, and whether what they record is what the installed PyTorch gives, byte for byte::

    python -m tests.recording
    python -m tests.recording --check
"""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

REFERENCE = "2.13"
HERE = Path(__file__).parent

Recorded = Iterator[tuple[Path, str | None] | str]


def reference() -> Any:
    """Return PyTorch, of the version that is recorded."""
    import torch

    found = torch.__version__
    assert found.startswith(f"{REFERENCE}."), f"the reference is {REFERENCE}, not {found}"
    torch.set_num_threads(1)  # sums in one fixed order
    return torch


def lines(entries: Mapping[str, Any]) -> str:
    """Return JSON with one line for each entry, so that changes read well."""
    rows = [f"{json.dumps(name)}: {_compact(entry)}" for name, entry in entries.items()]
    return "{\n" + ",\n".join(rows) + "\n}\n"


def _compact(entry: Any) -> str:
    return json.dumps(entry, separators=(",", ":"))


def file_name(operation: str) -> str:
    """Return a name of a file, which differs from others where capitals are no difference, too.

    >>> file_name("tanh"), file_name("t"), file_name("T"), file_name("families/shape")
    ('tanh', 't', 'T-T', 'families/shape')
    """
    capitals = "".join(filter(str.isupper, operation))
    return f"{operation}-{capitals}" if capitals else operation


def operation_of(path: str) -> str:
    """Return the operation of a function or a method: its name, whatever has it and however.

    >>> operation_of("nn.functional.elu_"), operation_of("Tensor.__add__"), operation_of("Tensor.T")
    ('elu', 'add', 'T')
    """
    return path.rpartition(".")[2].rstrip("=").strip("_")


class PerOperation:
    """Records in a folder with a file for each operation, read when they are asked for.

    Parameters
    ----------
    folder : Path
        Where the files are.
    operation : callable
        Gives the operation that a record belongs to, from the name of the record.
    names : callable
        Gives the names of all records that there should be.
    """

    suffix = ".json"

    def __init__(
        self, folder: Path, operation: Callable[[str], str], names: Callable[[], Iterable[str]]
    ) -> None:
        self.folder, self.operation, self.names = folder, operation, names
        self.read = cache(self.load)

    def path(self, operation: str) -> Path:
        return self.folder / f"{file_name(operation)}{self.suffix}"

    def operations(self) -> dict[str, list[str]]:
        """Return the names of the records of each operation."""
        found: dict[str, list[str]] = {}
        for name in self.names():
            found.setdefault(self.operation(name), []).append(name)
        return found

    def paths(self) -> list[Path]:
        """Return all files that there are."""
        return sorted(path for path in self.folder.rglob("*") if path.is_file())

    def load(self, operation: str) -> dict[str, Any]:
        """Return the records of an operation; none where there is no file."""
        path = self.path(operation)
        return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}

    def __getitem__(self, name: str) -> Any:
        return self.read(self.operation(name))[name]

    def all(self) -> dict[str, Any]:
        """Return all records by their names."""
        return {k: v for operation in self.operations() for k, v in self.read(operation).items()}

    def files(self, record: Callable[[str], Any], chosen: Sequence[str]) -> Recorded:
        """Yield the files of chosen operations or names; of all of them, and those that go."""
        operations = self.operations()
        owners = {name: operation for operation, names in operations.items() for name in names}
        for word in dict.fromkeys(owners.get(word, word) for word in chosen) or operations:
            if word in operations:
                entries = {name: record(name) for name in operations[word]}
                yield self.path(word), lines(entries)
            else:
                yield f"nothing is recorded of {word}"
        if not chosen:
            kept = {self.path(operation) for operation in operations}
            yield from ((path, None) for path in self.paths() if path not in kept)


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
        old = path.read_bytes() if path.exists() else None
        new = None if text is None else text.encode()
        changed = old != new
        if changed and check:
            wrong += 1
        elif new is None:
            path.unlink(missing_ok=True)
        elif changed:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(new)
        print(f"{path.relative_to(HERE)}: {'differs' if changed else 'as it was'}", flush=True)
    return 1 if wrong else 0


def _all(torch: Any, chosen: Sequence[str]) -> Recorded:
    for name, files in recorders().items():
        if not chosen or name in chosen:
            yield from files(torch, ())


if __name__ == "__main__":
    sys.exit(run(_all))
