"""Shape arithmetic, with PyTorch's messages: broadcasting, axes, reshaping.

Shapes are tuples of ints. Nothing here knows about expressions.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

Shape = tuple[int, ...]


def size_of(shape: Iterable[int]) -> int:
    """Return the number of elements."""
    return math.prod(shape)


def broadcast_shapes(*shapes: Shape) -> Shape:
    """Return the shape to which shapes broadcast; raise PyTorch's RuntimeError if there is none."""
    result = shapes[0]
    for shape in shapes[1:]:
        if shape != result and shape:
            result = _broadcast_two(result, shape) if result else shape
    return result


def _broadcast_two(a: Shape, b: Shape) -> Shape:
    n = max(len(a), len(b))
    left, right = (1,) * (n - len(a)) + a, (1,) * (n - len(b)) + b
    out = []
    for axis in range(n - 1, -1, -1):
        p, q = left[axis], right[axis]
        if p != q and p != 1 and q != 1:
            raise RuntimeError(
                f"The size of tensor a ({p}) must match the size of tensor b ({q}) at "
                f"non-singleton dimension {axis}"
            )
        out.append(q if p == 1 else p)
    return tuple(reversed(out))


def broadcast_axes(small: Shape, large: Shape) -> tuple[int, ...]:
    """Return the axes of `large` along which `small` is repeated when broadcast to it."""
    lead = len(large) - len(small)
    return tuple(range(lead)) + tuple(
        lead + i for i, n in enumerate(small) if n == 1 and large[lead + i] != 1
    )


def canonical_axis(axis: int, ndim: int, extra: int = 0) -> int:
    """Return `axis` as a number from 0; raise IndexError outside the range.

    `extra` is 1 where the axis may be a new one after the last (`unsqueeze`, `stack`).
    """
    n = ndim + extra
    bound = n or 1  # a 0-d tensor accepts 0 and -1
    if not -bound <= axis < bound:
        raise IndexError(
            f"Dimension out of range (expected to be in range of [{-bound}, {bound - 1}], "
            f"but got {axis})"
        )
    return axis % bound


def canonical_axes(axes: int | Sequence[int] | None, ndim: int) -> tuple[int, ...]:
    """Return axes as distinct numbers from 0, in ascending order; all axes for None."""
    if axes is None:
        return tuple(range(ndim))
    if isinstance(axes, int):
        axes = (axes,)
    out = [canonical_axis(a, ndim) for a in axes]
    for i, a in enumerate(out):
        if a in out[:i]:
            raise RuntimeError(f"dim {a} appears multiple times in the list of dims")
    return tuple(sorted(out)) if ndim else ()


def reduced_shape(shape: Shape, axes: tuple[int, ...], keepdims: bool) -> Shape:
    """Return the shape left when `axes` are reduced."""
    if keepdims:
        return tuple(1 if i in axes else n for i, n in enumerate(shape))
    return tuple(n for i, n in enumerate(shape) if i not in axes)


def resolve_reshape(shape: Sequence[int], size: int) -> Shape:
    """Return `shape` with the number in the place of -1 that `size` elements need."""
    if math.prod(shape) == size and min(shape, default=0) >= 0:
        return tuple(shape)
    unknown = [i for i, n in enumerate(shape) if n == -1]
    text = f"shape '{list(shape)}' is invalid for input of size {size}"
    if len(unknown) > 1:
        raise RuntimeError("only one dimension can be inferred")
    for n in shape:
        if n < -1:
            raise RuntimeError(f"invalid shape dimension {n}")
    known = math.prod(n for n in shape if n != -1)
    if unknown:
        if known == 0:
            if size == 0:
                raise RuntimeError(
                    f"cannot reshape tensor of 0 elements into shape {list(shape)} because the "
                    "unspecified dimension size -1 can be any value and is ambiguous"
                )
            raise RuntimeError(text)
        if size % known:
            raise RuntimeError(text)
        return tuple(size // known if n == -1 else n for n in shape)
    raise RuntimeError(text)
