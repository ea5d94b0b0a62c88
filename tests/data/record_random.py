"""Draw from PyTorch's generators and write down what comes.

A scenario is a seed and a list of steps, each the name and arguments of a method of
``symgrad.random.Generator``; `in_torch` says what the step is in PyTorch. Run with PyTorch
installed, this file records the results::

    python -m tests.data.record_random
"""

from __future__ import annotations

import base64
import hashlib
import json
import math
import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tests.recording import Recorded, run

TABLE = Path(__file__).with_name("random.json")
SEEDS = [0, 1, 42, -1, -5, 2**32, 2**32 + 7, 67280421310721, 2**63, 2**64 - 1]
STORED = 128  # bytes of a result that are written out; of longer ones the digest is
FLOATS = ["float32", "float32", "float32", "float64", "float64", "float16", "complex64"]
FLOATS += ["complex128"]
BOUNDS = {
    "int64": [(0, 10), (-5, 5), (0, 2**28 - 1), (0, 2**28), (0, 2**32), (3, 2**50)],
    "int32": [(0, 10), (-(2**31), 2**31), (0, 2**28 + 5)],
    "uint8": [(0, 256), (0, 2)],
    "int8": [(-128, 128)],
    "bool": [(0, 2)],
    "float32": [(0, 100), (-(2**24), 2**24)],
    "float64": [(0, 2**40)],
    "float16": [(-100, 100)],
}
BOUNDS["int64"] += [(-(2**63), 2**63 - 1)]


def size(r: random.Random) -> int:
    return r.choice([0, 1, 2, 3, 7, 8, 15, 16, 17, 31, 32, 33, 100, r.randrange(40_000)])


def steps(r: random.Random, count: int) -> Iterator[dict[str, Any]]:
    """Yield the name and arguments of random draws."""
    for _ in range(count):
        draw = r.choice(["uniform", "normal", "normal", "random_integers", "permutation"])
        draw = r.choice([draw, draw, draw, draw, "bernoulli", "get_state"])
        step: dict[str, Any] = {"draw": draw}
        n = size(r)
        if draw in ("uniform", "normal"):
            step |= {"shape": [n], "dtype": r.choice(FLOATS)}
        if draw == "uniform" and r.random() < 0.5:
            low = r.uniform(-3, 3)
            step |= {"low": low, "high": r.choice([low, low + r.random(), 1000.1])}
        if draw == "normal" and r.random() < 0.5:
            step |= {"mean": r.choice([0, 1.5, r.random()]), "std": r.choice([0, 1, r.random()])}
        if draw == "normal" and r.random() < 0.2 and n % 2 == 0 < n:
            step |= {"shape": [n // 2, 2], "contiguous": n == 2}
        if draw == "random_integers":
            dtype = r.choice(["int64", *BOUNDS])
            low_int, high_int = r.choice(BOUNDS[dtype])
            step |= {"low": low_int, "high": high_int, "shape": [n], "dtype": dtype}
        if draw == "permutation":
            step |= {"n": n}
        if draw == "bernoulli" and r.random() < 0.5:
            step |= {"p": r.random(), "shape": [n], "dtype": r.choice(["float32", "bool"])}
        elif draw == "bernoulli":
            step |= {"p": {"points": n, "dtype": r.choice(["float32", "float64", "float16"])}}
        yield step


def probabilities(p: Any) -> Any:
    """Return a number, or the array that a table describes."""
    return np.linspace(0, 1, p["points"]).astype(p["dtype"]) if isinstance(p, dict) else p


def draw_in_torch(generator: Any, step: dict[str, Any]) -> np.ndarray[Any, Any]:
    import torch

    options = dict(step)
    draw = options.pop("draw")
    dtype = getattr(torch, options.get("dtype", "float32"))
    if draw == "uniform":
        result = torch.empty(options["shape"], dtype=dtype)
        result.uniform_(options.get("low", 0), options.get("high", 1), generator=generator)
    elif draw == "normal":
        result = torch.empty(options["shape"], dtype=dtype)
        filled = result if options.get("contiguous", True) else result.t()
        filled.normal_(options.get("mean", 0), options.get("std", 1), generator=generator)
    elif draw == "random_integers":
        low, high, shape = options["low"], options["high"], options["shape"]
        result = torch.randint(low, high, shape, dtype=dtype, generator=generator)
    elif draw == "permutation":
        dtype = getattr(torch, options.get("dtype", "int64"))
        result = torch.randperm(options["n"], dtype=dtype, generator=generator)
    elif draw == "bernoulli":
        p = probabilities(options["p"])
        if isinstance(p, np.ndarray):
            result = torch.bernoulli(torch.from_numpy(p), generator=generator)
        else:
            result = torch.empty(options["shape"], dtype=dtype).bernoulli_(p, generator=generator)
    else:
        result = generator.get_state()
    return result.numpy()


#: The bytes of a state of a generator at which the next normal stands, if there is one.
NORMAL = slice(5024, 5032)


def uses_libm(step: dict[str, Any]) -> bool:
    """Return whether numbers are computed by functions of the C library, whose last digits differ.

    Normals of single precision that are drawn by blocks are not.
    """
    by_blocks = step.get("contiguous", True) and math.prod(step.get("shape", [0])) >= 16
    wide = step.get("dtype", "float32") in ("float64", "complex128")
    return step["draw"] == "normal" and (wide or not by_blocks)


def places(size: int) -> np.ndarray[Any, Any]:
    """Return the indices of the elements that are written out: the first, the last, and others."""
    spread = np.linspace(0, size, 16, endpoint=False).astype(int)
    ends = np.arange(size)
    return np.unique(np.concatenate([ends[:17], ends[spread[spread < size]], ends[-17:]]))


def encode(step: dict[str, Any], result: np.ndarray[Any, Any]) -> dict[str, Any]:
    """Return what is recorded of a draw: all bytes or a digest of them, and of normals elements."""
    entry: dict[str, Any] = {"dtype": result.dtype.name, "shape": list(result.shape)}
    if uses_libm(step):
        return entry | {"elements": _written(result.ravel()[places(result.size)])}
    if step["draw"] == "get_state":
        entry["normal"], result = _written(result[NORMAL]), result.copy()
        result[NORMAL] = 0
    raw = result.tobytes()
    if len(raw) <= STORED:
        return entry | {"bytes": _written(result)}
    return entry | {"sha256": hashlib.sha256(raw).hexdigest()}


def _written(values: np.ndarray[Any, Any]) -> str:
    return base64.b64encode(values.tobytes()).decode()


# Draws that fail, or warn.
ERRORS: list[dict[str, Any]] = [
    {"draw": "random_integers", "low": 5, "high": 5, "shape": [2]},
    {"draw": "random_integers", "low": 5, "high": 3, "shape": [0]},
    *(
        {"draw": "random_integers", "low": low, "high": high, "shape": [2], "dtype": dtype}
        for dtype in ("uint8", "int8", "int16", "int32", "bool", "float16", "uint16", "uint32")
        for low, high in ((-(2**62), 2**62), (0, 2**62))
    ),
    {"draw": "random_integers", "low": -1, "high": 1, "shape": [2], "dtype": "uint64"},
    {"draw": "random_integers", "low": 0, "high": 1, "shape": [2], "dtype": "complex64"},
    {"draw": "uniform", "shape": [3], "low": 3, "high": 1},
    {"draw": "uniform", "shape": [3], "low": -1e39, "high": 1},
    {"draw": "uniform", "shape": [3], "low": 1, "high": 1e39},
    {"draw": "uniform", "shape": [3], "low": -3e38, "high": 3e38},
    {"draw": "uniform", "shape": [3], "low": -1e5, "high": 3, "dtype": "float16"},
    {"draw": "uniform", "shape": [3], "low": -1.7e308, "high": 1.7e308, "dtype": "float64"},
    {"draw": "uniform", "shape": [3], "dtype": "int64"},
    {"draw": "normal", "shape": [3], "std": -1},
    {"draw": "normal", "shape": [0], "std": -1.5},
    {"draw": "normal", "shape": [3], "dtype": "int64"},
    {"draw": "normal", "shape": [3], "dtype": "bool"},
    {"draw": "permutation", "n": -1},
    {"draw": "permutation", "n": 257, "dtype": "uint8"},
    {"draw": "permutation", "n": 129, "dtype": "int8"},
    {"draw": "permutation", "n": 40_000, "dtype": "int16"},
    {"draw": "permutation", "n": 2050, "dtype": "float16"},
    {"draw": "permutation", "n": 2**24 + 2, "dtype": "float32"},
    {"draw": "permutation", "n": 3, "dtype": "bool"},
    {"draw": "permutation", "n": 3, "dtype": "uint16"},
    {"draw": "permutation", "n": 3, "dtype": "complex64"},
    {"draw": "bernoulli", "p": 1.5, "shape": [3]},
    {"draw": "bernoulli", "p": -0.25, "shape": [3]},
    {"draw": "bernoulli", "p": 0.5, "shape": [3], "dtype": "complex64"},
    {"draw": "bernoulli", "p": {"points": 3, "dtype": "int64"}},
    {"draw": "bernoulli", "p": {"points": 3, "dtype": "bool"}},
    {"draw": "bernoulli", "p": {"points": 3, "dtype": "complex64"}},
]


def error_in_torch(step: dict[str, Any]) -> dict[str, str]:
    import torch

    try:
        draw_in_torch(torch.Generator(), step)
    except (RuntimeError, TypeError) as error:
        message = str(error).split("\n")[0].split("  (Could this")[0]
        return {"type": type(error).__name__, "message": message}
    raise AssertionError(f"{step} raises nothing")


def files(torch: Any, chosen: Sequence[str]) -> Recorded:
    r = random.Random(0)
    scenarios = []
    for index in range(40):
        seed = SEEDS[index % len(SEEDS)] if index < 20 else r.getrandbits(64)
        generator = torch.Generator().manual_seed(seed)
        played = [
            {"step": step, "result": encode(step, draw_in_torch(generator, step))}
            for step in steps(r, 20)
        ]
        scenarios.append({"seed": seed, "steps": played})
    # Long draws, after an odd number of words.
    generator = torch.Generator().manual_seed(3)
    long: list[dict[str, Any]] = [
        {"draw": "permutation", "n": 4},
        {"draw": "normal", "shape": [1_000_003]},
        {"draw": "uniform", "shape": [1_000_003]},
        {"draw": "permutation", "n": 300_000},
        {"draw": "normal", "shape": [1_000_000], "mean": 0.1, "std": 3.0},
        {"draw": "normal", "shape": [200_001], "dtype": "float64"},
    ]
    played = [
        {"step": step, "result": encode(step, draw_in_torch(generator, step))} for step in long
    ]
    scenarios.append({"seed": 3, "steps": played})
    errors = [{"step": step, "error": error_in_torch(step)} for step in ERRORS]
    table = {"torch": torch.__version__, "errors": errors, "scenarios": scenarios}
    yield TABLE, json.dumps(table, indent=None, separators=(",", ":")) + "\n"


if __name__ == "__main__":
    sys.exit(run(files))
