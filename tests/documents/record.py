"""Run the documents' programs and write down what they print.

``programs/`` holds the code of five public texts on ``backward()`` as their authors wrote it. A
line ``# %%`` divides the cells of a notebook: cells share their variables, and an error ends its
cell only. Run with PyTorch installed, this file records what PyTorch prints::

    python -m tests.documents.record
"""

from __future__ import annotations

import contextlib
import io
import sys
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType
from unittest import mock

from tests.recording import Recorded, run

HERE = Path(__file__).parent
PROGRAMS = sorted((HERE / "programs").glob("*.py"))


@contextlib.contextmanager
def standing_in(module: ModuleType) -> Iterator[None]:
    """Make ``import torch`` and ``import torch.<submodule>`` find `module` and its submodules."""
    name = module.__name__
    aliases = {
        "torch" + loaded.removeprefix(name): found
        for loaded, found in sys.modules.items()
        if loaded == name or loaded.startswith(f"{name}.")
    }
    with mock.patch.dict(sys.modules):
        for loaded in list(sys.modules):
            if loaded == "torch" or loaded.startswith("torch."):
                del sys.modules[loaded]
        sys.modules.update(aliases)
        yield
        own = {k: m for k, m in sys.modules.items() if k.startswith((f"{name}.", "numeric."))}
    sys.modules.update(own)  # what a program is the first to ask for is loaded for all


def first_line(error: Exception | str) -> str:
    """Return the class of `error` and the first line of its message."""
    return f"{type(error).__name__}: {error}".partition("\n")[0]


def transcript(program: Path, torch: ModuleType) -> str:
    """Return what `program` prints, the errors that end its cells, and its distinct warnings.

    Random numbers start from ``manual_seed(0)``. Of errors and warnings the class and the first
    line are kept, of warnings the first sentence: what follows names places in PyTorch's source.
    """
    out = io.StringIO()
    namespace: dict[str, object] = {"__name__": "__main__"}
    torch.manual_seed(0)
    with contextlib.redirect_stdout(out), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for cell in program.read_text(encoding="utf-8").split("# %%\n"):
            try:
                exec(compile(cell, program.name, "exec"), namespace)
            except Exception as error:  # whatever ends the cell is the result
                print(first_line(error), file=out)
    for line in dict.fromkeys(first_line(warning.message).partition(". ")[0] for warning in caught):
        print("warning:", line, file=out)
    return out.getvalue()


def files(torch: ModuleType, chosen: Sequence[str]) -> Recorded:
    for program in PROGRAMS:
        yield HERE / "expected" / f"{program.stem}.txt", transcript(program, torch)


if __name__ == "__main__":
    sys.exit(run(files))
