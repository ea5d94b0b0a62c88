"""What users call of `symgrad.ops.broadcasting`, and what PyTorch's graph shows of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from symgrad.expr.shapes import broadcast_shapes
from symgrad.expr.size import Size
from symgrad.ops.broadcasting import broadcast_to, expanded_shape, sum_to
from symgrad.ops.primitive import bind
from symgrad.record.face import shows, sizes
from symgrad.schema.arguments import sizes_of
from symgrad.schema.numpy_calls import numpy_call
from symgrad.schema.public import FUNCTIONS, public
from symgrad.tensor.numpy_interop import operand

shows(broadcast_to, name="Expand", facts=sizes)
shows(sum_to, name="SumBackward1")


@public("broadcast_to(Tensor self, int[] size) -> Tensor")
def _broadcast_to(input: Any, size: Sequence[int]) -> Any:
    """Repeat `input` along new and length-one axes to `size`, without copying.

    Raises
    ------
    RuntimeError
        If the shapes do not fit.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.broadcast_to(torch.tensor([1, 2, 3]), (2, 3))
    tensor([[1, 2, 3],
            [1, 2, 3]])
    """
    return _expand(input, size)


@public("expand(Tensor self, int[] size, *, bool implicit=False) -> Tensor", function=False)
def _expand(input: Any, size: Sequence[int]) -> Any:
    """Repeat `input` along new and length-one axes, without copying; -1 keeps a length.

    Parameters
    ----------
    size : sequence of int
        The lengths, which may also be given one by one.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.tensor([[1], [2]]).expand(-1, 3)
    tensor([[1, 1, 1],
            [2, 2, 2]])
    """
    return bind(broadcast_to, (input,), (expanded_shape(input.shape, input.dtype, size),))


@public("expand_as(Tensor self, Tensor other) -> Tensor", function=False)
def _expand_as(input: Any, other: Any) -> Any:
    """Repeat `input` to the shape of `other`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.tensor([[1], [2]]).expand_as(torch.zeros(2, 3))
    tensor([[1, 1, 1],
            [2, 2, 2]])
    """
    return _expand(input, other.shape)


@public("broadcast_tensors(Tensor... tensors) -> Tensor[]", python=True, method=False)
def _broadcast_tensors(*tensors: Any) -> Any:
    """Return the operands, each repeated to their common shape.

    Examples
    --------
    >>> import symgrad as torch
    >>> a, b = torch.broadcast_tensors(torch.tensor([1, 2]), torch.tensor([[3], [4]]))
    >>> a
    tensor([[1, 2],
            [1, 2]])
    >>> b
    tensor([[3, 3],
            [4, 4]])
    """
    if not tensors:
        return ()
    shape = broadcast_shapes(*[x.shape for x in tensors])
    return tuple([x if x.shape == shape else _expand(x, shape) for x in tensors])


@public("broadcast_shapes(object... shapes) -> Size", method=False, python=True)
def _broadcast_shapes(*shapes: Any) -> Size:
    """Return the common shape of arrays of the given shapes.

    Raises
    ------
    RuntimeError
        If there is none.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.broadcast_shapes((2, 1), (3,), ())
    torch.Size([2, 3])
    """
    for s in shapes:
        if not isinstance(s, (int, np.integer, tuple, list)):
            raise RuntimeError(
                f"Input shapes should be of type ints, a tuple of ints, or a list of ints, got {s}"
            )
    sizes = [sizes_of((s,)) for s in shapes]
    for shape in sizes:
        for n in shape:
            if n < 0:
                raise RuntimeError(
                    "Trying to create tensor with negative dimension "
                    f"({n}): ({', '.join(map(str, shape))})"
                )
    common = [1] * max(map(len, sizes), default=0)
    for number, shape in enumerate(sizes):
        for i in range(-1, -len(shape) - 1, -1):
            n = shape[i]
            if n != 1 and common[i] not in (1, n):
                given = shapes[number] if isinstance(shapes[number], (tuple, list)) else shape
                raise RuntimeError(
                    f"Attempting to broadcast a dimension of length {n} at {i}! Mismatching "
                    f"argument at index {number} had {given}; but expected shape should be "
                    f"broadcastable to {common}"
                )
            common[i] = common[i] if n == 1 else n
    return Size(common)


@public("sum_to(Tensor self, int[] size) -> Tensor", function=False)
def _sum_to_method(input: Any, size: Sequence[int]) -> Any:
    """Sum over the axes along which `size` would be broadcast to the shape of `input`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.ones(2, 3).sum_to((2, 1))
    tensor([[3.],
            [3.]])
    """
    size = tuple(size)
    return input if input.shape == size else bind(sum_to, (input,), (size,))


@numpy_call("broadcast_to")
def _numpy_broadcast_to(array: Any, shape: Any, subok: bool = False) -> Any:
    return operand(array).broadcast_to((shape,) if isinstance(shape, int) else tuple(shape))


@numpy_call("broadcast_arrays")
def _numpy_broadcast_arrays(*args: Any, subok: bool = False) -> Any:
    return FUNCTIONS["broadcast_tensors"](*map(operand, args))
