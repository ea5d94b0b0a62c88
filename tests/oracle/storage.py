"""Recorded observations as JSON, one case per line; floats round-trip exactly.

A file for each operation, `data/tanh.json`, holds what is recorded of all cases about it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from tests.recording import PerOperation

from . import cases, cases_errors
from .observe import Failure
from .operations import operation

#: By the ids of cases, still encoded: `decode` what is needed.
RECORDS = PerOperation(
    Path(__file__).parent / "data",
    operation,
    lambda: [case.id for case in (*cases.CASES, *cases_errors.CASES)],
)


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
