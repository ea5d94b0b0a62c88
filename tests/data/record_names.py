"""Record which names PyTorch's modules offer: `python -m tests.data.record_names`.

Of each module those of its functions, classes and modules; not those that begin with "_", nor what
it imports from elsewhere, nor parts of its docstrings.
"""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from tests.recording import Recorded, run

TABLE = Path(__file__).with_name("names.json")

MODULES = ("nn", "nn.functional", "optim", "func", "linalg", "special", "fft")


def names(torch: Any, module: str) -> list[str]:
    """Return the names that a module of PyTorch's offers itself."""
    space = importlib.import_module(f"torch.{module}")
    overrides = importlib.import_module("torch.overrides")
    found = []
    for name in dir(space):
        value = getattr(space, name)
        home = str(getattr(value, "__module__", None))
        if isinstance(value, ModuleType):
            own = value.__name__ == f"torch.{module}.{name}"
        elif callable(value) and value is not torch.Tensor and not hasattr(overrides, name):
            own = home.startswith("torch") and not home.startswith("torch._jit_internal")
        else:
            own = False
        if own and not name.startswith("_"):
            found.append(name)
    return found


def files(torch: Any, chosen: Sequence[str]) -> Recorded:
    rows = [
        f"{json.dumps(m)}: {json.dumps(names(torch, m), separators=(',', ':'))}" for m in MODULES
    ]
    yield TABLE, "{\n" + ",\n".join(rows) + "\n}\n"


if __name__ == "__main__":
    sys.exit(run(files))
