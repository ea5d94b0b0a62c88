"""Half precision, computed in single: NumPy and SciPy round after each step."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from numeric.kernel import Kernel


def halved(kernel: Kernel, **changes: Any) -> Kernel:
    """Return the kernel that computes in single precision and rounds to half; `changes` to it."""
    single = kernel.source
    for i in range(kernel.template.arity or 0):
        single = single.replace(f"{{{i}}}", f"np.asarray({{{i}}}, np.float32)")

    def call(*operands: Any, **params: Any) -> Any:
        wide = [np.asarray(x, np.float32) for x in operands]
        return np.asarray(kernel.call(*wide, **params), np.float16)

    source = f"np.asarray({single}, np.float16)"
    fixed = {"call": call, "source": source, "number_systems": {}, "out": False}
    return dataclasses.replace(kernel, **{**fixed, **changes})
