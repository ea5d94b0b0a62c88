"""PyTorch's face of `symgrad.ops.rearranging`."""

from __future__ import annotations

from symgrad.ops.primitive import Primitive
from symgrad.ops.rearranging import constant_pad_nd, reflection_pad, replication_pad
from symgrad.record.face import shows

shows(constant_pad_nd, name="ConstantPadNd")


def _padded(node: Primitive) -> str:
    word = "Reflection" if isinstance(node, reflection_pad) else "Replication"
    return f"{word}Pad{max(1, len(node.counts))}DBackward0"


shows(reflection_pad, replication_pad, name=_padded)
