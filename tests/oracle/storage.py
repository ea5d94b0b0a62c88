"""Recorded observations as JSON, one case per line; floats round-trip exactly."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from tests.recording import lines

from .observe import Failure

DATA = Path(__file__).parent / "data"


def encode(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        flat = [_number(x) for x in value.ravel()]
        encoded = {"array": flat, "dtype": str(value.dtype), "shape": list(value.shape)}
        np.testing.assert_array_equal(decode(encoded), value)
        return encoded
    if isinstance(value, Failure):
        return {"error": value.error, "message": value.message}
    if isinstance(value, dict):
        return {key: encode(part) for key, part in value.items()}
    if isinstance(value, list):
        return [encode(part) for part in value]
    return value


def _number(x: Any) -> Any:
    if isinstance(x, np.bool_):
        return bool(x)
    if isinstance(x, np.integer):
        return int(x)
    if isinstance(x, np.complexfloating):
        return [_number(x.real), _number(x.imag)]
    return float(str(x))  # the shortest decimal that reads back as the same float


def decode(value: Any) -> Any:
    if isinstance(value, list):
        return [decode(part) for part in value]
    if not isinstance(value, dict):
        return value
    if "array" in value:
        flat, dtype = value["array"], np.dtype(value["dtype"])
        if dtype.kind == "c":
            flat = [complex(re, im) for re, im in flat]
        return np.array(flat, dtype=dtype).reshape(value["shape"])
    if "error" in value:
        return Failure(value["error"], value["message"])
    return {key: decode(part) for key, part in value.items()}


def path_of(name: str) -> Path:
    return DATA / f"{name}.json"


def text_of(records: dict[str, Any]) -> str:
    return lines({name: encode(record) for name, record in records.items()})


def read(name: str) -> dict[str, Any]:
    """The records of one family by case id, still encoded: `decode` what is needed."""
    return json.loads(path_of(name).read_text())
