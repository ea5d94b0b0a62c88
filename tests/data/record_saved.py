"""Record files that PyTorch wrote, and what it read from files that symgrad wrote.

    python -m tests.data.record_saved

Files are short, and are written in base64.
"""

from __future__ import annotations

import base64
import io
import json
import sys
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.recording import Recorded, lines, run
from tests.scenarios import _harness

PATH = Path(__file__).with_name("saved.json")


def _model(torch: Any) -> Any:
    net = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.BatchNorm1d(2))
    with torch.no_grad():
        for i, p in enumerate(net.parameters()):
            p.copy_(torch.arange(float(p.numel())).view(p.shape) / 8 + i)
    return net


def _trained(torch: Any, optimizer: str) -> Any:
    w = torch.nn.Parameter(torch.tensor([1.0, -2.0]))
    taken = getattr(torch.optim, optimizer)([w], lr=0.125)
    (w * w).sum().backward()
    taken.step()
    return {"w": w, "optimizer": taken.state_dict(), "epoch": 1}


def _views(torch: Any) -> Any:
    base = torch.arange(12.0)
    return [base, base[3:6], base.view(3, 4).t(), base[::5], base[2], base.view(3, 4), base]


#: What is saved, by name.
OBJECTS: dict[str, Any] = {
    "tensor": lambda torch: torch.arange(6.0).view(2, 3),
    "dtypes": lambda torch: [
        torch.tensor([0, 1, 3]).to(getattr(torch, name))
        for name in (
            "bool", "uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64",
            "complex64", "complex128",
        )
    ],
    "views": _views,
    "expanded": lambda torch: torch.tensor([[1.0], [2.0]]).expand(2, 3),
    "empty": lambda torch: [torch.zeros(0), torch.zeros(2, 0, 3), torch.tensor(1.5)],
    "leaves": lambda torch: [
        torch.ones(2, requires_grad=True),
        torch.nn.Parameter(torch.ones(2)),
        torch.nn.Parameter(torch.ones(2), requires_grad=False),
    ],
    "plain": lambda torch: {
        "numbers": [0, 255, 256, -1, 2**40, -(2**70), 0.5, float("inf"), 1 - 2j, True, None],
        "strings": ["", "ä€", b"\x00\xff"],
        "nested": [(), (1,), (1, 2), (1, 2, 3), (1, 2, 3, 4), {"a": {}}, OrderedDict(b=[])],
        "torch": [torch.float32, torch.bool, torch.ones(2, 3).shape],
        ("a", 1): {3},
    },
    "device": lambda torch: torch.device("cpu"),
    "model": lambda torch: _model(torch).state_dict(),
    "SGD": lambda torch: _trained(torch, "SGD"),
    "Adam": lambda torch: _trained(torch, "Adam"),
    "RMSprop": lambda torch: _trained(torch, "RMSprop"),
}  # fmt: skip


def described(torch: Any, x: Any) -> Any:
    """Return everything about what was read, with classes, strides and shared memory."""
    places: dict[int, int] = {}

    def of(x: Any) -> Any:
        name = type(x).__name__
        if isinstance(x, torch.Tensor):
            start = x.data_ptr() - x.storage_offset() * x.element_size()
            shared = places.setdefault(start, len(places)) if x.numel() else None
            where = [list(x.stride()), x.storage_offset(), shared] if x.numel() else []
            return [name, _harness.encode(torch, x), where]
        if isinstance(x, dict):
            entries = [[str(k), of(v)] for k, v in x.items()]
            return [name, entries, of(getattr(x, "_metadata", None))]
        if isinstance(x, (list, tuple)):
            return [name, [of(v) for v in x]]
        if isinstance(x, (set, bytes, torch.device)):
            return [name, str(x)]
        return [name, _harness.encode(torch, x)]

    return of(x)


def read(torch: Any, data: bytes) -> Any:
    """Return what is seen of a file."""
    return described(torch, torch.load(io.BytesIO(data), weights_only=True))


def written(torch: Any, name: str) -> bytes:
    """Return the file of an object."""
    file = io.BytesIO()
    torch.save(OBJECTS[name](torch), file)
    return file.getvalue()


def text(data: bytes) -> str:
    return base64.b64encode(data).decode()


def files(torch: Any, chosen: Sequence[str]) -> Recorded:
    import symgrad

    recorded = {}
    for name in OBJECTS:
        theirs, ours = written(torch, name), written(symgrad, name)
        seen = read(torch, theirs)
        recorded[name] = {
            "file of PyTorch": text(theirs),
            "file of symgrad": text(ours),
            "read": seen,
        }
        found = read(torch, ours)
        if json.dumps(found) != json.dumps(seen):
            yield f"{name}: PyTorch reads\n{found}\nof symgrad's file, and of its own\n{seen}"
    yield PATH, lines(recorded)


if __name__ == "__main__":
    sys.exit(run(files))
