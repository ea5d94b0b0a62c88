"""What users call of `symgrad.ops.axes`, and what PyTorch's graph shows of it."""

from __future__ import annotations

from typing import Any

from symgrad.expr.shapes import canonical_axes
from symgrad.ops.axes import Axes
from symgrad.schema.text import NOT_GIVEN


def axes_of(dim: Any, ndim: int) -> Axes:
    """Return the axes of a `dim` argument: None where it was not given, all for None or ()."""
    if dim is NOT_GIVEN:
        return None
    return tuple(range(ndim)) if dim is None or dim == () else canonical_axes(dim, ndim)
