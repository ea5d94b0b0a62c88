"""Repetition along axes without memory, and the sum that undoes it: `broadcast_to` and `sum_to`.

Operations broadcast their operands by themselves; what copies repeated elements is in
`rearranging`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from numeric.kernel import Kernel
from symgrad.expr.dtypes import dtype, tensor_class
from symgrad.expr.node import ArrayExpr, Const
from symgrad.expr.shapes import (
    Shape,
    broadcast_axes,
    broadcast_shapes,
    reduced_shape,
)
from symgrad.expr.size import Size
from symgrad.expr.written import parameter_text
from symgrad.ops.arguments import check_listed, sizes_of
from symgrad.ops.primitive import Linear, Notation, bind
from symgrad.ops.reshaping import reshape
from symgrad.ops.samples import GRID
from symgrad.ops.totals import TOTAL, _total
from symgrad.schema.public import public


def zeros(shape: Shape, kind: dtype) -> ArrayExpr:
    """Return an expression that is zero everywhere, without memory of its own."""
    return broadcast_to.of(Const(0, kind), shape)


def is_zeros(x: Any) -> bool:
    """Whether `x` is written as zero everywhere."""
    if type(x) is broadcast_to:
        x = x.operands[0]
    return type(x) is Const and type(x.value) in (int, float) and x.value == 0


def lifted(x: ArrayExpr, size: int, has: bool) -> ArrayExpr:
    """Return an operand of a batch rule with the new leading axis, whether it had it or not."""
    return x if has else broadcast_to.of(x, (size, *x.shape))


def _spread(x: Any, shape: Shape) -> Any:
    out = np.broadcast_to(x, shape)
    # What repeats nothing may be written to; NumPy makes every broadcast array read-only.
    return np.reshape(x, shape) if out.size == np.size(x) else out


class broadcast_to(Linear):
    params = ("shape",)
    kernel = Kernel("broadcast_to", _spread, "np.broadcast_to({0}, {shape})", view=True)
    is_view = True

    @classmethod
    def infer(cls, x: Any, shape: Shape) -> tuple[Shape, dtype]:
        if broadcast_shapes(x.shape, shape) != shape:
            raise RuntimeError(f"cannot broadcast {list(x.shape)} to {list(shape)}")
        return shape, x.dtype

    def transposed(self, ct: ArrayExpr) -> ArrayExpr:
        return sum_to.of(ct, self.operands[0].shape)

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        (x,) = operands
        lead = len(self.shape) - (x.ndim - 1)
        x = reshape.of(x, (size,) + (1,) * lead + x.shape[1:])
        return broadcast_to.of(x, (size, *self.shape))

    def notation(self) -> Notation:
        # Formulas on paper broadcast without saying so.
        text = f"broadcast_to({{0}}, {self.shape})"
        if isinstance(self.operands[0], Const) and not self.weak:
            text = f"full({self.shape}, {{0}}, dtype={parameter_text(self.dtype)})"
        return super().notation()._replace(text=text, latex="{0}")

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(np.array([[0.5], [1.0]]), (4, 2, 3)), (np.array(2.0), (2, 2))]


def _sum_to(x, *, shape):  # type: ignore[no-untyped-def]
    lead = x.ndim - len(shape)
    axes = tuple(range(lead)) + tuple(
        lead + i for i, n in enumerate(shape) if n == 1 and x.shape[lead + i] != 1
    )
    kind = x.dtype
    if kind == np.float16:
        x = x.astype(np.float32)
    return np.asarray(_total(x, axis=axes, keepdims=False), kind).reshape(shape)


class sum_to(Linear):
    """The transpose of `broadcast_to`: the sum over what broadcasting repeats."""

    params = ("shape",)
    kernel = Kernel.from_function(_sum_to, prelude=TOTAL.prelude)

    @classmethod
    def infer(cls, x: Any, shape: Shape) -> tuple[Shape, dtype]:
        if broadcast_shapes(x.shape, shape) != x.shape:
            raise RuntimeError(f"cannot sum {list(x.shape)} to {list(shape)}")
        return shape, x.dtype

    def transposed(self, ct: ArrayExpr) -> ArrayExpr:
        return broadcast_to.of(ct, self.operands[0].shape)

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        (x,) = operands
        axes = tuple(a + 1 for a in broadcast_axes(self.shape, x.shape[1:]))
        kept = reduced_shape(x.shape, axes, keepdims=True)
        return reshape.of(sum_to.of(x, kept), (size, *self.shape))

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(GRID, (3,)), (GRID, (2, 1)), (GRID, ())]


@public(
    "broadcast_to(Tensor self, int[] size) -> Tensor",
)
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


@public(
    "expand(Tensor self, int[] size, *, bool implicit=False) -> Tensor",
    function=False,
)
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


def expanded_shape(shape: Shape, kind: dtype, size: Sequence[int]) -> Shape:
    """Return the shape of an array when it is expanded to `size`, or raise PyTorch's error."""
    lead = len(size) - len(shape)
    if lead < 0:
        raise RuntimeError(
            f"expand({tensor_class(kind)}{{{list(shape)}}}, size={list(size)}): the number "
            f"of sizes provided ({len(size)}) must be greater or equal to the number of dimensions "
            f"in the tensor ({len(shape)})"
        )
    target = list(size)
    for i in reversed(range(len(size))):
        n, own = size[i], shape[i - lead] if i >= lead else None
        if n == -1:
            if own is None:
                raise RuntimeError(
                    f"The expanded size of the tensor ({n}) isn't allowed in a leading, "
                    f"non-existing dimension {i}"
                )
            target[i] = own
        elif own is not None and own not in (1, n):
            raise RuntimeError(
                f"The expanded size of the tensor ({n}) must match the existing size ({own}) at "
                f"non-singleton dimension {i}.  Target sizes: {list(size)}.  Tensor sizes: "
                f"{list(shape)}"
            )
    return tuple(target)


@public(
    "expand_as(Tensor self, Tensor other) -> Tensor",
    function=False,
)
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


@public(
    "broadcast_tensors(object... tensors) -> Tensor[]",
    python=True,
    method=False,
)
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
    check_listed(tensors)
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
                first = common[len(common) - max(map(len, sizes[:number])) :]
                raise RuntimeError(
                    f"Attempting to broadcast a dimension of length {n} at {i}! Mismatching "
                    f"argument at index {number} had {shape}; but expected shape should be "
                    f"broadcastable to {first}"
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
    if not isinstance(size, (tuple, list)) or not all(isinstance(n, int) for n in size):
        raise TypeError("sum_to(): argument 'size' (position 1) must be tuple of ints")
    size = tuple(size)
    return input if input.shape == size else bind(sum_to, (input,), (size,))
