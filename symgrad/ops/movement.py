"""Operations that move data without computing: shapes, axes, broadcasting, conversion."""

from __future__ import annotations

import operator
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
import sympy

from numeric.kernel import Kernel
from numeric.rows import local
from symgrad.expr.dtypes import dtype, float32, float64
from symgrad.expr.node import ArrayConst, ArrayExpr, Const
from symgrad.expr.shapes import (
    Shape,
    broadcast_axes,
    broadcast_shapes,
    canonical_axes,
    canonical_axis,
    reduced_shape,
    resolve_reshape,
    size_of,
)
from symgrad.primitive import Elementwise, Level, Linear, Notation, Primitive, bind
from symgrad.public import public, public_property
from symgrad.size import Size

_X = np.arange(6.0).reshape(2, 3)


def zeros(shape: Shape, kind: dtype) -> ArrayExpr:
    """Return an expression that is zero everywhere, without memory of its own."""
    return broadcast_to.of(Const(0, kind), shape)


def is_zeros(x: Any) -> bool:
    """Whether `x` is written as zero everywhere."""
    if type(x) is broadcast_to:
        x = x.operands[0]
    return type(x) is Const and type(x.value) in (int, float) and x.value == 0


def data_of(x: Any) -> np.ndarray[Any, Any] | None:
    """Return the values of a tensor, a constant or an array; None where they are not known."""
    if isinstance(x, np.ndarray):
        return x
    if isinstance(x, ArrayConst):
        return x.value
    return getattr(x, "_data", None)


def lifted(x: ArrayExpr, size: int, has: bool) -> ArrayExpr:
    """Return an operand of a batch rule with the new leading axis, whether it had it or not."""
    return x if has else broadcast_to.of(x, (size, *x.shape))


def sizes_of(sizes: Sequence[Any]) -> Shape:
    """Return the sizes of a call that takes them one by one or as one sequence."""
    if len(sizes) == 1 and not hasattr(sizes[0], "__index__") and hasattr(sizes[0], "__iter__"):
        sizes = tuple(sizes[0])
    return tuple([operator.index(n) for n in sizes])


def _spread(x: Any, shape: Shape) -> Any:
    out = np.broadcast_to(x, shape)
    # What repeats nothing may be written to; NumPy makes every broadcast array read-only.
    return np.reshape(x, shape) if out.size == np.size(x) else out


class broadcast_to(Linear):
    params = ("shape",)
    kernel = Kernel("broadcast_to", _spread, "np.broadcast_to({0}, {shape})", view=True)
    is_view = True
    torch_name = "Expand"

    @classmethod
    def infer(cls, x: Any, shape: Shape) -> tuple[Shape, dtype]:
        if broadcast_shapes(x.shape, shape) != shape:
            raise RuntimeError(f"cannot broadcast {list(x.shape)} to {list(shape)}")
        return shape, x.dtype

    def transpose(self, ct: ArrayExpr) -> ArrayExpr:
        return sum_to.of(ct, self.operands[0].shape)

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        (x,) = operands
        lead = len(self.shape) - (x.ndim - 1)
        x = reshape.of(x, (size,) + (1,) * lead + x.shape[1:])
        return broadcast_to.of(x, (size, *self.shape))

    def notation(self) -> Notation:
        # Formulas on paper broadcast without saying so.
        return super().notation()._replace(latex="{0}")

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(np.array([[0.5], [1.0]]), (4, 2, 3)), (np.array(2.0), (2, 2))]


def _sum_to(x, *, shape):  # type: ignore[no-untyped-def]
    lead = x.ndim - len(shape)
    axes = tuple(range(lead)) + tuple(
        lead + i for i, n in enumerate(shape) if n == 1 and x.shape[lead + i] != 1
    )
    return np.add.reduce(x, axis=axes).reshape(shape)


class sum_to(Linear):
    """The transpose of `broadcast_to`: the sum over what broadcasting repeats."""

    params = ("shape",)
    kernel = Kernel.from_function(_sum_to)

    @classmethod
    def infer(cls, x: Any, shape: Shape) -> tuple[Shape, dtype]:
        if broadcast_shapes(x.shape, shape) != x.shape:
            raise RuntimeError(f"cannot sum {list(x.shape)} to {list(shape)}")
        return shape, x.dtype

    def transpose(self, ct: ArrayExpr) -> ArrayExpr:
        return broadcast_to.of(ct, self.operands[0].shape)

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        (x,) = operands
        axes = tuple(a + 1 for a in broadcast_axes(self.shape, x.shape[1:]))
        kept = reduced_shape(x.shape, axes, keepdims=True)
        return reshape.of(sum_to.of(x, kept), (size, *self.shape))

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(_X, (3,)), (_X, (2, 1)), (_X, ())]


class reshape(Linear):
    params = ("shape",)
    kernel = Kernel("reshape", np.reshape, "np.reshape({0}, {shape})", view=True)
    is_view = True
    torch_name = "View"

    @classmethod
    def infer(cls, x: Any, shape: Shape) -> tuple[Shape, dtype]:
        return resolve_reshape(shape, size_of(x.shape)), x.dtype

    def transpose(self, ct: ArrayExpr) -> ArrayExpr:
        return reshape.of(ct, self.operands[0].shape)

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        return reshape.of(operands[0], (size, *self.shape))

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(_X, (3, 2)), (_X, (6,)), (np.array(1.5), (1, 1))]


# What follows is `reshape` and `permute` under the names that PyTorch's graph has for them. They
# stand on the tape only: `of` makes the plain operation (symgrad.rewrites).


class reshape_alias(reshape):
    """A view of memory with gaps."""

    torch_name = "ReshapeAlias"


class unsafe_view(reshape):
    """A reshape of a fresh copy."""

    torch_name = "UnsafeView"
    kernel = Kernel("reshape", lambda x, shape: np.array(x, order="C").reshape(shape),
                    'np.array({0}, order="C").reshape({shape})')  # fmt: skip
    is_view = False


class squeeze(reshape):
    """Drops every axis of length one."""

    torch_name = "Squeeze"


class squeeze_axis(reshape):
    """Drops one axis if its length is one."""

    torch_name = "SqueezeBackward1"


class squeeze_axes(reshape):
    """Drops those of the given axes whose length is one."""

    torch_name = "SqueezeBackward2"


class unsqueeze(reshape):
    """Adds an axis of length one."""

    torch_name = "Unsqueeze"


class permute(Linear):
    params = ("axes",)
    kernel = Kernel("transpose", np.transpose, "np.transpose({0}, {axes})", view=True)
    is_view = True

    @classmethod
    def infer(cls, x: Any, axes: tuple[int, ...]) -> tuple[Shape, dtype]:
        return tuple(x.shape[a] for a in axes), x.dtype

    def transpose(self, ct: ArrayExpr) -> ArrayExpr:
        return permute.of(ct, tuple(int(i) for i in np.argsort(self.axes)))

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        return permute.of(operands[0], (0, *(a + 1 for a in self.axes)))

    def notation(self) -> Notation:
        form = super().notation()
        if self.axes != (1, 0):
            return form
        return form._replace(text="{0}.T", latex=r"{0}^{{\mathsf T}}", operands=(Level.ATOM,))

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(_X, (1, 0)), (np.ones((2, 1, 3)), (2, 0, 1))]


class transpose(permute):
    """Exchanges two axes."""


class t(permute):
    """The transpose of a matrix."""

    torch_name = "T"


def _copied(x):  # type: ignore[no-untyped-def]
    return np.array(x, order="K")


class clone(Linear):
    """The same values in memory of their own."""

    kernel = Kernel("copy", _copied, 'np.array({0}, order="K")')

    @classmethod
    def infer(cls, x: Any) -> tuple[Shape, dtype]:
        return x.shape, x.dtype

    def transpose(self, ct: ArrayExpr) -> ArrayExpr:
        return ct

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        return self.with_operands(operands)

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(_X,), (np.array(1.5),)]


class contiguous(clone):
    """The same values in the memory order of their axes."""

    torch_name = "Clone"
    kernel = Kernel("copy", lambda x: np.array(x, order="C"), 'np.array({0}, order="C")')


class alias(clone):
    """The same values in the same memory."""

    kernel = Kernel("alias", lambda x: x[...], "{0}[...]", view=True)
    is_view = True


class detach(Primitive):
    """The same values as a constant: nothing depends on anything through it."""

    kernel = Kernel("alias", lambda x: x[...], "{0}[...]", view=True)
    is_view = True
    differentiable = False

    @classmethod
    def infer(cls, x: Any) -> tuple[Shape, dtype]:
        return x.shape, x.dtype

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Sequence[ArrayExpr | None]:
        return (None,)

    def jvp(self, tangents: Sequence[ArrayExpr | None]) -> ArrayExpr | None:
        return None

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        return self.with_operands(operands)

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(_X,), (np.array(1.5),)]


# NumPy warns when an imaginary part is dropped; PyTorch's own warning is the public call's.
_REAL_PART = Kernel(
    "astype", lambda x, to: np.real(x).astype(to), "np.real({0}).astype({to})", rows=local
)


class cast(Elementwise):
    """Conversion to another dtype."""

    params = ("to_dtype",)
    torch_name = "ToCopy"

    @classmethod
    def infer(cls, x: Any, to_dtype: dtype) -> tuple[Shape, dtype]:
        return x.shape, to_dtype

    def compute_dtype(self) -> dtype | None:
        return None

    kernel = Kernel(
        "astype", lambda x, to: np.asarray(x).astype(to), "np.asarray({0}).astype({to})", rows=local
    )

    def implementation(self) -> Any:
        kernel = self.kernel
        if self.operands[0].dtype.is_complex and self.to_dtype.category in (1, 2):
            kernel = _REAL_PART
        return kernel, {"to": self.to_dtype.numpy}, self.operands

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (1 if self.to_dtype.differentiable else 0,)

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(_X, float64), (_X, float32)]


class recorded(Linear):
    """A value of the forward pass: the expression it came from, closed to rewrites.

    Derivatives read such a value as it was saved, so no rule may look inside. `tag` tells apart
    values of equal structure where the gradient of one of them is asked for.
    """

    params = ("tag",)
    kernel = Kernel("recorded", lambda x: x, "{0}", view=True, rows=local)

    @classmethod
    def infer(cls, x: Any, tag: int) -> tuple[Shape, dtype]:
        return x.shape, x.dtype

    def implementation(self) -> Any:
        return self.kernel, {}, self.operands

    def transpose(self, ct: ArrayExpr) -> ArrayExpr:
        return ct

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        return operands[0]

    def notation(self) -> Notation:
        return Notation("{0}", "{0}", Level.ATOM, (Level.ATOM,))

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(_X, 0), (np.array(1.5), 3)]


# -- shapes --------------------------------------------------------------------------------------


@public("broadcast_to")
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


@public("expand", function=False)
def _expand(input: Any, *sizes: Any, implicit: bool = False, **hints: Any) -> Any:
    """Repeat `input` along new and length-one axes, without copying; -1 keeps a length.

    Without sizes an expression is expanded as SymPy does.

    Parameters
    ----------
    *sizes : int
        The lengths, or one sequence of them.
    implicit : bool
        Accepted and ignored.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.tensor([[1], [2]]).expand(-1, 3)
    tensor([[1, 1, 1],
            [2, 2, 2]])
    """
    if isinstance(input, ArrayExpr) and not sizes and "size" not in hints:
        return sympy.Expr.expand(input, **hints)
    if not sizes and "size" in hints:
        sizes = (hints["size"],)
    if not sizes:
        raise TypeError('expand() missing 1 required positional arguments: "size"')
    size = sizes_of(sizes)
    shape = input.shape
    lead = len(size) - len(shape)
    if lead < 0:
        raise RuntimeError(
            f"expand(torch.{_tensor_type(input)}{{{list(shape)}}}, size={list(size)}): the number "
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
    return bind(broadcast_to, (input,), (tuple(target),))


def _tensor_type(x: Any) -> str:
    return f"{x.dtype.scalar_name}Tensor"


@public("expand_as", function=False)
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


@public("broadcast_tensors", method=False)
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
    if len(tensors) == 1 and isinstance(tensors[0], (tuple, list)):
        tensors = tuple(tensors[0])
    shape = broadcast_shapes(*[x.shape for x in tensors])
    return tuple([x if x.shape == shape else _expand(x, shape) for x in tensors])


@public("broadcast_shapes", method=False)
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


@public("sum_to", function=False)
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


@public("reshape")
def _reshape(input: Any, *shape: Any, **keywords: Any) -> Any:
    """Return the elements in another shape, in the same order; one length may be -1.

    The result shares memory where it can.

    Raises
    ------
    RuntimeError
        If the number of elements does not fit.

    Examples
    --------
    >>> import symgrad
    >>> symgrad.leaf("x", (2, 3)).reshape(-1).shape
    (6,)
    """
    target = _target_shape("reshape", input, shape, keywords)
    return _reshaped(input, target)


def _target_shape(name: str, input: Any, shape: Any, keywords: Any) -> Shape:
    keyword = {"reshape": "shape", "view": "size"}[name]
    if keywords:
        unknown = next((k for k in keywords if k != keyword), None)
        if unknown is not None or shape:
            raise TypeError(f"{name}() got an unexpected keyword argument '{unknown or keyword}'")
        shape = (keywords[keyword],)
    if not shape:
        raise TypeError(
            'reshape() missing 1 required positional arguments: "shape"'
            if name == "reshape"
            else f"{name}() received an invalid combination of arguments - got (), but expected "
            "one of:\n * (torch.dtype dtype)\n * (tuple of ints size)"
        )
    if len(shape) == 1 and isinstance(shape[0], str):
        raise TypeError(
            f"{name}(): argument '{keyword}' (position 1) must be tuple of ints, not str"
        )
    target = sizes_of(shape)
    for i, n in enumerate(target):
        if n < -1:
            raise RuntimeError(f"invalid shape dimension {n} at index {i} of shape {list(target)}")
    return resolve_reshape(target, input.numel())


def _reshaped(input: Any, shape: Shape) -> Any:
    """Reshape as PyTorch does: a view of contiguous memory, of strided memory, or a copy."""
    data = getattr(input, "_data", None)
    if data is None or data.flags.c_contiguous:
        return bind(reshape, (input,), (shape,))
    if _viewable(data, shape):
        return bind(reshape_alias, (input,), (shape,))
    return bind(unsafe_view, (bind(contiguous, (input,)),), (shape,))


def _viewable(data: np.ndarray[Any, Any], shape: Shape) -> bool:
    """Whether `data` has the shape without a copy: no new axis spans a gap in memory."""
    if not data.size:
        return True
    blocks: list[int] = []  # lengths of what lies evenly spaced in memory, outermost first
    last = None
    for n, stride in zip(data.shape, data.strides, strict=True):
        if n == 1:
            continue
        if last is not None and last == n * stride:
            blocks[-1] *= n
        else:
            blocks.append(n)
        last = stride
    lengths = iter([n for n in shape if n != 1])
    for block in blocks:
        filled = 1
        while filled < block:
            filled *= next(lengths)
        if filled != block:
            return False
    return True


@public("view", function=False)
def _view(input: Any, *shape: Any, **keywords: Any) -> Any:
    """Return the elements in another shape, sharing memory.

    Raises
    ------
    RuntimeError
        If the number of elements does not fit, or only a copy could have the shape.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.arange(6)
    >>> y = x.view(2, -1)
    >>> y[0, 0] = 9
    >>> x
    tensor([9, 1, 2, 3, 4, 5])
    """
    if len(shape) == 1 and isinstance(shape[0], dtype):
        if shape[0] is input.dtype:  # which PyTorch does not differentiate either
            return bind(detach, (input,))
        raise RuntimeError(
            f"view(): reading memory as another dtype ({shape[0]}) has no formula; convert with "
            ".to(dtype), or view the array of .numpy()"
        )
    target = _target_shape("view", input, shape, keywords)
    data = getattr(input, "_data", None)
    if data is not None and not data.flags.c_contiguous and not _viewable(data, target):
        raise RuntimeError(
            "view size is not compatible with input tensor's size and stride (at least one "
            "dimension spans across two contiguous subspaces). Use .reshape(...) instead."
        )
    return bind(reshape, (input,), (target,))


@public("view_as", function=False)
def _view_as(input: Any, other: Any) -> Any:
    """Return a view in the shape of `other`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.arange(4).view_as(torch.zeros(2, 2))
    tensor([[0, 1],
            [2, 3]])
    """
    return _view(input, other.shape)


@public("reshape_as", function=False)
def _reshape_as(input: Any, other: Any) -> Any:
    """Reshape to the shape of `other`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.arange(4).reshape_as(torch.zeros(2, 2))
    tensor([[0, 1],
            [2, 3]])
    """
    return _reshape(input, other.shape)


@public("flatten")
def _flatten(input: Any, start_dim: int = 0, end_dim: int = -1) -> Any:
    """Join the axes from `start_dim` to `end_dim` into one.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.flatten(torch.zeros(2, 3, 4), start_dim=1).shape
    torch.Size([2, 12])
    """
    shape = input.shape
    start = canonical_axis(start_dim, len(shape))
    end = canonical_axis(end_dim, len(shape))
    if start > end:
        raise RuntimeError("flatten() has invalid args: start_dim cannot come after end_dim")
    if not shape:
        return _reshaped(input, (1,))
    if start == end:
        return input
    return _reshaped(input, (*shape[:start], size_of(shape[start : end + 1]), *shape[end + 1 :]))


@public("ravel")
def _ravel(input: Any) -> Any:
    """Return the elements in one axis.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.ravel(torch.tensor([[1, 2], [3, 4]]))
    tensor([1, 2, 3, 4])
    """
    return bind(reshape, (_contiguous(input),), ((input.numel(),),))


@public("unflatten")
def _unflatten(input: Any, dim: int, sizes: Sequence[int]) -> Any:
    """Split one axis into several; one length may be -1.

    Parameters
    ----------
    sizes : sequence of int
        The lengths of the new axes.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.unflatten(torch.arange(6), 0, (2, -1))
    tensor([[0, 1, 2],
            [3, 4, 5]])
    """
    axis = canonical_axis(dim, len(input.shape))
    n = input.shape[axis]
    sizes = sizes_of((sizes,))
    if not sizes:
        raise RuntimeError("unflatten: sizes must be non-empty")
    try:
        inner = resolve_reshape(sizes, n)
    except RuntimeError as error:
        if sizes.count(-1) > 1:
            raise
        raise RuntimeError(
            f"unflatten: Provided sizes {list(sizes)} don't multiply up to the size of dim "
            f"{axis} ({n}) in the input tensor"
        ) from error
    return bind(reshape, (input,), ((*input.shape[:axis], *inner, *input.shape[axis + 1 :]),))


@public("squeeze")
def _squeeze(input: Any, dim: Any = None) -> Any:
    """Drop axes of length one: all, or those given.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.zeros(1, 2, 1)
    >>> torch.squeeze(x).shape
    torch.Size([2])
    >>> torch.squeeze(x, 0).shape
    torch.Size([2, 1])
    """
    shape = input.shape
    if dim is None:
        return bind(squeeze, (input,), (tuple([n for n in shape if n != 1]),))
    if hasattr(dim, "__index__"):
        axes: tuple[int, ...] = (canonical_axis(operator.index(dim), len(shape)),)
        cls: type[reshape] = squeeze_axis
    else:
        axes = canonical_axes(tuple(dim), len(shape))
        cls = squeeze_axes
    return bind(
        cls, (input,), (tuple([n for i, n in enumerate(shape) if n != 1 or i not in axes]),)
    )


@public("unsqueeze")
def _unsqueeze(input: Any, dim: int) -> Any:
    """Add an axis of length one at `dim`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.unsqueeze(torch.tensor([1, 2]), -1)
    tensor([[1],
            [2]])
    """
    shape = input.shape
    axis = canonical_axis(dim, len(shape), extra=1)
    return bind(unsqueeze, (input,), ((*shape[:axis], 1, *shape[axis:]),))


def _make_atleast(rank: int) -> None:
    def atleast(*tensors: Any) -> Any:
        if len(tensors) == 1 and isinstance(tensors[0], (tuple, list)):
            tensors = tuple(tensors[0])
        found = tuple([_with_rank(x, rank) for x in tensors])
        return found[0] if len(found) == 1 else found

    atleast.__name__ = atleast.__qualname__ = f"atleast_{rank}d"
    shape = ", ".join("1" * rank)
    atleast.__doc__ = f"""Return each of `tensors` with at least {rank} axes.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.atleast_{rank}d(torch.tensor(5.0)).shape
    torch.Size([{shape}])
    """
    public(f"atleast_{rank}d", method=False)(atleast)


def _with_rank(x: Any, rank: int) -> Any:
    """Add axes as PyTorch does: a vector is a row, a matrix the first two of three axes."""
    if len(x.shape) >= rank:
        return x
    if not x.shape:
        return _reshape(x, (1,) * rank)
    if len(x.shape) == 1 and rank >= 2:
        x = _unsqueeze(x, 0)
    return _unsqueeze(x, -1) if rank == 3 else x


for _rank in (1, 2, 3):
    _make_atleast(_rank)


# -- the order of axes ---------------------------------------------------------------------------


@public("permute")
def _permute(input: Any, *dims: Any, **keywords: Any) -> Any:
    """Reorder the axes.

    Parameters
    ----------
    *dims : int
        The axes in their new order, or one sequence of them.

    Raises
    ------
    RuntimeError
        If `dims` does not name each axis once.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.permute(torch.zeros(2, 3, 4), (2, 0, 1)).shape
    torch.Size([4, 2, 3])
    """
    dims = sizes_of((keywords["dims"],) if "dims" in keywords else dims)
    rank = len(input.shape)
    if len(dims) != rank:
        raise RuntimeError(
            "permute(sparse_coo): number of dimensions in the tensor input does not match the "
            f"length of the desired ordering of dimensions i.e. input.dim() = {rank} is not equal "
            f"to len(dims) = {len(dims)}"
        )
    axes = tuple([canonical_axis(a, rank) for a in dims])
    if len(set(axes)) < rank:
        raise RuntimeError("permute(): duplicate dims are not allowed.")
    return bind(permute, (input,), (axes,))


def _exchanged(rank: int, first: int, second: int) -> tuple[int, ...]:
    axes = list(range(rank))
    if rank:
        axes[first], axes[second] = axes[second], axes[first]
    return tuple(axes)


@public("transpose")
def _transpose(input: Any, dim0: int | None = None, dim1: int | None = None) -> Any:
    """Exchange two axes.

    An expression without arguments reverses its axes, as SymPy's and NumPy's method does.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.transpose(torch.tensor([[1, 2, 3], [4, 5, 6]]), 0, 1)
    tensor([[1, 4],
            [2, 5],
            [3, 6]])
    """
    rank = len(input.shape)
    if dim0 is None and isinstance(input, ArrayExpr):
        return permute.of(input, tuple(range(rank))[::-1])
    if dim0 is None or dim1 is None:
        raise TypeError('transpose() missing 2 required positional arguments: "dim0", "dim1"')
    first, second = canonical_axis(dim0, rank), canonical_axis(dim1, rank)
    return bind(transpose, (input,), (_exchanged(rank, first, second),))


@public("swapaxes")
def _swapaxes(input: Any, axis0: int, axis1: int) -> Any:
    """Exchange two axes.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.swapaxes(torch.zeros(2, 3, 4), 0, 2).shape
    torch.Size([4, 3, 2])
    """
    return _transpose(input, axis0, axis1)


@public("swapdims")
def _swapdims(input: Any, dim0: int, dim1: int) -> Any:
    """Exchange two axes, as `transpose` does.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.swapdims(torch.zeros(2, 3, 4), -1, 0).shape
    torch.Size([4, 3, 2])
    """
    return _transpose(input, dim0, dim1)


@public("t")
def _t(input: Any) -> Any:
    """Return the transpose of a matrix; vectors and numbers are left as they are.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.t(torch.tensor([[1, 2], [3, 4]]))
    tensor([[1, 3],
            [2, 4]])
    """
    rank = len(input.shape)
    if rank > 2:
        raise RuntimeError(f"t() expects a tensor with <= 2 dimensions, but self is {rank}D")
    return bind(t, (input,), (tuple(range(rank))[::-1],))


@public("movedim", "moveaxis")
def _movedim(input: Any, source: Any, destination: Any) -> Any:
    """Move axes to other places; the others keep their order.

    Parameters
    ----------
    source, destination : int or sequence of int
        Where the axes are, and where they go.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.movedim(torch.zeros(2, 3, 4), 0, -1).shape
    torch.Size([3, 4, 2])
    """
    rank = len(input.shape)
    sources, targets = (
        [operator.index(a)] if hasattr(a, "__index__") else list(a) for a in (source, destination)
    )
    if len(sources) != len(targets):
        raise RuntimeError(
            f"movedim: Invalid source or destination dims: source ({sources} dims) should contain "
            f"the same number of dims as destination ({targets} dims)"
        )
    origin = [canonical_axis(a, rank) for a in sources]
    places = [canonical_axis(a, rank) for a in targets]
    for name, given, axes in (("source", sources, origin), ("destination", targets, places)):
        if len(set(axes)) < len(axes):
            raise RuntimeError(f"movedim: repeated dim in `{name}` ({given})")
    if not rank:  # 0 and -1 name an axis of a scalar too, which there is none to move
        return bind(permute, (input,), ((),))
    order = [a for a in range(rank) if a not in origin]
    for place, a in sorted(zip(places, origin, strict=True)):
        order.insert(place, a)
    return bind(permute, (input,), (tuple(order),))


@public_property("T")
def _reversed_axes(input: Any) -> Any:
    """The array with its axes in reverse order.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.tensor([[1, 2], [3, 4]]).T
    tensor([[1, 3],
            [2, 4]])
    """
    if len(input.shape) not in (0, 2):
        warnings.warn(
            "The use of `x.T` on tensors of dimension other than 2 to reverse their shape is "
            "deprecated and it will throw an error in a future release. Consider `x.mT` to "
            "transpose batches of matrices or `x.permute(*torch.arange(x.ndim - 1, -1, -1))` to "
            "reverse the dimensions of a tensor.",
            UserWarning,
            stacklevel=2,
        )
    return bind(permute, (input,), (tuple(range(len(input.shape)))[::-1],))


@public_property("mT")
def _matrix_transpose(input: Any) -> Any:
    """The array with its last two axes exchanged.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.zeros(5, 2, 3).mT.shape
    torch.Size([5, 3, 2])
    """
    if len(input.shape) < 2:
        raise RuntimeError(
            "tensor.mT is only supported on matrices or batches of matrices. Got "
            f"{len(input.shape)}-D tensor."
        )
    return _transpose(input, -2, -1)


@public_property("mH")
def _matrix_adjoint(input: Any) -> Any:
    """The conjugate of the array with its last two axes exchanged.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.tensor([[[1.0, 2j], [3.0, 4.0]]]).mH.tolist()
    [[[(1-0j), (3-0j)], [-2j, (4-0j)]]]
    """
    if len(input.shape) < 2:
        raise RuntimeError(
            "tensor.mH is only supported on matrices or batches of matrices. Got "
            f"{len(input.shape)}-D tensor."
        )
    return _adjoint(input)


@public_property("H")
def _hermitian(input: Any) -> Any:
    """The conjugate transpose of a matrix.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.tensor([[1.0, 2j], [3.0, 4.0]]).H.tolist()
    [[(1-0j), (3-0j)], [-2j, (4-0j)]]
    """
    rank = len(input.shape)
    if rank not in (0, 2):
        raise RuntimeError(
            f"tensor.H is only supported on matrices (2-D tensors). Got {rank}-D tensor."
            + (" For batches of matrices, consider using tensor.mH" if rank > 2 else "")
        )
    return _adjoint(input) if rank else input.conj() if input.dtype.is_complex else input


@public("adjoint")
def _adjoint(input: Any) -> Any:
    """Return the conjugate of the array with its last two axes exchanged.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.adjoint(torch.tensor([[1.0, 2j], [3.0, 4.0]])).tolist()
    [[(1-0j), (3-0j)], [-2j, (4-0j)]]
    """
    if len(input.shape) < 2:
        if isinstance(input, ArrayExpr) and not input.shape:  # SymPy asks scalars
            return input.conj() if input.dtype.is_complex else input
        raise RuntimeError(
            "tensor.adjoint() is only supported on matrices or batches of matrices. Got "
            f"{len(input.shape)}-D tensor."
        )
    flipped = _transpose(input, -2, -1)
    return flipped.conj() if input.dtype.is_complex else flipped


# -- identity ------------------------------------------------------------------------------------


@public("clone")
def _clone(input: Any, *, memory_format: Any = None) -> Any:
    """Return a copy through which gradients flow.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> y = torch.clone(x)
    >>> (3 * y).sum().backward()
    >>> x.grad
    tensor([3., 3.])
    """
    return bind(clone, (input,))


@public("contiguous", function=False)
def _contiguous(input: Any, memory_format: Any = None) -> Any:
    """Return the values in the memory order of their axes: the same object where they are.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([[1, 2], [3, 4]]).t()
    >>> x.is_contiguous(), x.contiguous().is_contiguous()
    (False, True)
    """
    data = getattr(input, "_data", None)
    return input if data is None or data.flags.c_contiguous else bind(contiguous, (input,))


@public("detach")
def _detach(input: Any) -> Any:
    """Return the same values, sharing memory, as a constant to derivatives.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> (x * x.detach()).sum().backward()
    >>> x.grad
    tensor([1., 2.])
    """
    return bind(detach, (input,))
