"""Record what PyTorch's tensors show while random programs share, exchange and write their memory.

    python -m tests.data.record_memory

Of each step there is a checksum of the text that `tests.autograd.memory_programs` makes of it;
what PyTorch shows in full is compared where it is installed.
"""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any
from zlib import crc32

from tests.autograd.memory_programs import run

PATH = Path(__file__).with_name("memory.json")
PROGRAMS = 400


def checksums(torch: Any, seed: int) -> list[str]:
    """Return a checksum of what is seen at each step of a program."""
    return [f"{crc32(step.encode()):08x}" for step in run(torch, seed)]


def main() -> None:
    import torch

    assert torch.__version__.startswith("2.13."), f"the reference is 2.13, not {torch.__version__}"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        lines = [f'"{seed}": {json.dumps(checksums(torch, seed))}' for seed in range(PROGRAMS)]
    PATH.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    print(f"{PROGRAMS} programs")


if __name__ == "__main__":
    main()
