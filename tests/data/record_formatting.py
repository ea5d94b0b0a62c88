"""Print tensors with PyTorch and write down their text.

A case is an array, the print options and what a tensor adds to its values. Run with PyTorch
installed, this file records the texts::

    python -m tests.data.record_formatting
"""

from __future__ import annotations

import base64
import json
import random
import sys
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tests.recording import Recorded, run

TABLE = Path(__file__).with_name("formatting.json")
INF, NAN = float("inf"), float("nan")
FLOATS = ["float16", "float32", "float64"]
INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
VIEWS = ["", "", "", "", "T", "::2", "::-1"]
LONG_SHAPES = [(1000,), (1001,), (2, 501), (7, 200), (7, 7, 30), (5, 2, 120), (1, 1, 1100)]
LONG_SHAPES += [(1200, 1)]

# Lists of values that stand on the edges of the rules.
EDGES: list[list[float]] = [
    [],
    [0.0],
    [-0.0],
    [NAN],
    [INF, -INF, NAN],
    [0.0, INF],
    [1.0, INF, NAN],
    [1.0, -2.0],
    [1.5, INF, -INF, NAN, 0.0, -0.0],
    [1.0, 1000.0],
    [1.0, 1001.0],
    [0.5, 500.0],
    [0.5, 500.5],
    [1e8],
    [100000008.0],
    [1e8 + 1],
    [99999999.0],
    [1e-4],
    [0.0001],
    [0.00009999],
    [9.9999e-5],
    [1e-3, 1.0],
    [1e-3, 1.0001],
    [0.1, 100.0],
    [0.1, 100.00001],
    [1e5, 2e5],
    [123456789.0],
    [0.00005, 0.01],
    [0.12345, 0.12355, 0.12365],
    [1.00005, 2.00015, 3.00025],
    [2.5e-7, 1e-12],
    [65504.0, 6.1e-5],
    [6e-8],
    [3.4e38, 1e-38],
    [1e300, 1e-300],
    [9.99995, 99.99995],
    [999.99995],
    [-1.0, 10.0, -100.0],
    [1e16, 1.0],
    [2.0**53, 1e15],
]


def floats(r: random.Random, n: int) -> list[float]:
    kind = r.randrange(6)
    scale = 10.0 ** r.randrange(-10, 10)
    spread = r.choice([1, 2, 3, 6])
    values = [r.gauss(0, 1) for _ in range(n)]
    if kind == 1:
        values = [value * scale for value in values]
    if kind == 2:
        values = [value * 10.0 ** r.uniform(-spread, spread) for value in values]
    if kind == 3:
        values = [float(round(value * 10.0**spread)) for value in values]
    if kind == 4:
        values = [r.choice([*values, 0.0, -0.0, INF, -INF, NAN]) for _ in values]
    if kind == 5:
        values = [r.choice(r.choice(EDGES[1:])) for _ in values]
    return values


def array(r: random.Random, dtype: str, shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
    n = int(np.prod(shape, dtype=int))
    kind = np.dtype(dtype)
    with np.errstate(all="ignore"):
        if kind.kind == "f":
            return np.array(floats(r, n)).astype(kind).reshape(shape)
        if kind.kind == "c":
            values = np.empty(n, np.complex128)
            values.real, values.imag = floats(r, n), floats(r, n)
            return values.astype(kind).reshape(shape)
    if kind.kind == "b":
        return np.array([r.random() < 0.5 for _ in range(n)], kind).reshape(shape)
    info = np.iinfo(kind)
    low, high = r.choice([(info.min, info.max), (max(info.min, -9), 9), (0, 120)])
    return np.array([r.randint(low, high) for _ in range(n)], kind).reshape(shape)


def options(r: random.Random) -> dict[str, Any]:
    if r.random() < 0.5:
        return {}
    choices: dict[str, list[Any]] = {
        "precision": [0, 1, 2, 3, 6, 8, 10],
        "threshold": [0, 5, 20, 1000, INF],
        "edgeitems": [0, 1, 2, 3, 5],
        "linewidth": [0, 10, 20, 40, 79, 120, 200, 33.5],
        "profile": ["default", "short", "full", "unknown"],
        "sci_mode": [True, False, None],
    }
    return {name: r.choice(values) for name, values in choices.items() if r.random() < 0.3}


def cases(r: random.Random, count: int) -> Iterator[tuple[dict[str, Any], Any]]:
    """Yield random cases, each with the array that its view is of."""
    for _ in range(count):
        complexes = ["complex64", "complex128"]
        dtype = r.choice([*FLOATS, *FLOATS, *FLOATS, *complexes, *complexes, *INTEGERS, "bool"])
        sizes = [0, 1, 1, 2, 2, 3, 4, 5, 7, 9, 12]
        shape = tuple(r.choice(sizes) for _ in range(r.choice([0, 1, 1, 2, 2, 3, 4])))
        while np.prod(shape, dtype=int) > 64:
            shape = shape[1:]
        case: dict[str, Any] = {"options": options(r), "view": r.choice(VIEWS)}
        if r.random() < 0.04:
            shape = r.choice(LONG_SHAPES)
            case["options"].pop("threshold", None)
            case["options"].pop("profile", None)
        if not shape or dtype in ("uint16", "uint32", "uint64"):
            case["view"] = ""
        case["default_float"] = r.choice(["float32", "float32", "float32", "float64"])
        if dtype[0] in "fc":
            case["history"] = r.choice([None, None, "leaf", "ViewBackward0", "CloneBackward0"])
        yield case, array(r, dtype, shape)


def edge_cases() -> Iterator[tuple[dict[str, Any], Any]]:
    with np.errstate(all="ignore"):
        for values in EDGES:
            for dtype in [*FLOATS, "complex64"]:
                yield {}, np.array(values, np.float64).astype(dtype)
            for value in values[:1]:
                yield {"options": {"sci_mode": True}}, np.array(value, np.float32)
                yield {}, np.array(value, np.float64)


def viewed(values: np.ndarray[Any, Any], view: str) -> np.ndarray[Any, Any]:
    if view == "T":
        return values.T
    return values[:: int(view[2:])] if view else values


def text_in_torch(case: dict[str, Any], values: np.ndarray[Any, Any]) -> str:
    import torch

    values = viewed(values, case.get("view", ""))
    if any(stride < 0 for stride in values.strides):
        values = values.copy()  # PyTorch has no such strides
    before = torch.get_default_dtype()
    torch.set_default_dtype(getattr(torch, case.get("default_float", "float32")))
    try:
        with torch._tensor_str.printoptions(**case.get("options", {})):
            tensor = torch.from_numpy(values)
            history = case.get("history")
            if history is not None:
                tensor.requires_grad_()
            if history == "ViewBackward0":
                tensor = tensor.view(tensor.shape)
            if history == "CloneBackward0":
                tensor = tensor.clone()
            return repr(tensor)
    finally:
        torch.set_default_dtype(before)


def encode(values: np.ndarray[Any, Any]) -> dict[str, Any]:
    packed = base64.b64encode(zlib.compress(values.tobytes(), 9)).decode()
    return {"dtype": values.dtype.name, "shape": list(values.shape), "bytes": packed}


def decode(entry: dict[str, Any]) -> np.ndarray[Any, Any]:
    raw = zlib.decompress(base64.b64decode(entry["bytes"]))
    return np.frombuffer(raw, entry["dtype"]).reshape(entry["shape"])


def files(torch: Any, chosen: Sequence[str]) -> Recorded:
    rows = [
        case | {"values": encode(values), "text": text_in_torch(case, values.copy())}
        for source in (edge_cases(), cases(random.Random(0), 600))
        for case, values in source
    ]
    text = ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows)
    yield TABLE, f'{{"torch":"{torch.__version__}","cases":[\n{text}\n]}}\n'


if __name__ == "__main__":
    sys.exit(run(files))
