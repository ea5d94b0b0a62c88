"""What users call of `symgrad.ops.permuting`, and what PyTorch's graph shows of it."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

from symgrad.expr.node import ArrayExpr
from symgrad.expr.shapes import canonical_axis
from symgrad.ops.permuting import permute
from symgrad.ops.primitive import bind
from symgrad.record.face import Face, renamed, shows
from symgrad.schema.numpy_calls import numpy_call
from symgrad.schema.public import public, public_property
from symgrad.support.refusals import warn
from symgrad.tensor.numpy_interop import operand


def exchanged_axes(node: Any) -> dict[str, Any]:
    """Return the two axes that a permutation exchanges."""
    moved = [i for i, a in enumerate(node.axes) if i != a] or [0, 0]
    return {"dim0": moved[0], "dim1": moved[-1]}


shows(permute, facts=renamed(dims="axes"))
_TRANSPOSED = Face(name="Transpose", facts=exchanged_axes)
_T = Face(name="T")


@public("permute(Tensor self, int[] dims) -> Tensor")
def _permute(input: Any, dims: Sequence[int]) -> Any:
    """Reorder the axes.

    Parameters
    ----------
    dims : sequence of int
        The axes in their new order; those of a method may be given one by one.

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


@public("transpose(Tensor self, int dim0, int dim1) -> Tensor", in_place="shape")
def _transpose(input: Any, dim0: int, dim1: int) -> Any:
    """Exchange two axes.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.transpose(torch.tensor([[1, 2, 3], [4, 5, 6]]), 0, 1)
    tensor([[1, 4],
            [2, 5],
            [3, 6]])
    """
    rank = len(input.shape)
    first, second = canonical_axis(dim0, rank), canonical_axis(dim1, rank)
    return bind(permute, (input,), (_exchanged(rank, first, second),), _TRANSPOSED)


@public(
    "swapaxes(Tensor self, int axis0, int axis1) -> Tensor",
    in_place="shape",
    numpy="swapaxes(a, axis1, axis2)",
)
def _swapaxes(input: Any, axis0: int, axis1: int) -> Any:
    """Exchange two axes.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.swapaxes(torch.zeros(2, 3, 4), 0, 2).shape
    torch.Size([4, 3, 2])
    """
    return _transpose(input, axis0, axis1)


@public("swapdims(Tensor self, int dim0, int dim1) -> Tensor", in_place="shape")
def _swapdims(input: Any, dim0: int, dim1: int) -> Any:
    """Exchange two axes, as `transpose` does.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.swapdims(torch.zeros(2, 3, 4), -1, 0).shape
    torch.Size([4, 3, 2])
    """
    return _transpose(input, dim0, dim1)


@public("t(Tensor self) -> Tensor", in_place="shape")
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
    return bind(permute, (input,), (tuple(range(rank))[::-1],), _T)


@public(
    "movedim(Tensor self, int source, int destination) -> Tensor",
    "movedim(Tensor self, int[] source, int[] destination) -> Tensor",
    aliases=("moveaxis",),
    numpy="moveaxis(a, source, destination)",
)
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
    if not rank:  # the axes 0 and -1 are allowed for a 0-d array, which has none to move
        return bind(permute, (input,), ((),))
    order = [a for a in range(rank) if a not in origin]
    for place, a in sorted(zip(places, origin, strict=True)):
        order.insert(place, a)
    return bind(permute, (input,), (tuple(order),))


def _warn_of_scalar(name: str, advice: str) -> None:
    warn(f"Tensor.{name} is deprecated on 0-D tensors. {advice}")


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
    if not input.shape:
        _warn_of_scalar("T", "This function is the identity in these cases.")
    elif len(input.shape) != 2:
        warn(
            "The use of `x.T` on tensors of dimension other than 2 to reverse their shape is "
            "deprecated and it will throw an error in a future release. Consider `x.mT` to "
            "transpose batches of matrices or `x.permute(*torch.arange(x.ndim - 1, -1, -1))` to "
            "reverse the dimensions of a tensor."
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
    if not input.shape:
        _warn_of_scalar("mT", "This function is the identity in these cases.")
        return input
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
    if not input.shape:
        _warn_of_scalar("mH", "Consider using x.conj().")
        return input.conj() if input.dtype.is_complex else input
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
    if not rank:
        _warn_of_scalar("H", "Consider using x.conj().")
        return input.conj() if input.dtype.is_complex else input
    return _adjoint(input)


@public("adjoint(Tensor self) -> Tensor")
def _adjoint(input: Any) -> Any:
    """Return the conjugate of the array with its last two axes exchanged.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.adjoint(torch.tensor([[1.0, 2j], [3.0, 4.0]])).tolist()
    [[(1-0j), (3-0j)], [-2j, (4-0j)]]
    """
    if len(input.shape) < 2:
        if isinstance(input, ArrayExpr) and not input.shape:  # SymPy asks 0-d formulas for it
            return input.conj() if input.dtype.is_complex else input
        raise RuntimeError(
            "tensor.adjoint() is only supported on matrices or batches of matrices. Got "
            f"{len(input.shape)}-D tensor."
        )
    flipped = _transpose(input, -2, -1)
    return flipped.conj() if input.dtype.is_complex else flipped


@numpy_call("transpose", "permute_dims")
def _numpy_transpose(a: Any, axes: Any = None) -> Any:
    x = operand(a)
    return x.permute(tuple(reversed(range(x.ndim))) if axes is None else tuple(axes))


@numpy_call("matrix_transpose", "linalg.matrix_transpose")
def _numpy_matrix_transpose(x: Any, /) -> Any:
    return operand(x).mT


@numpy_call("rollaxis")
def _numpy_rollaxis(a: Any, axis: int, start: int = 0) -> Any:
    x = operand(a)
    rank = x.ndim
    first, last = axis % rank, start + rank if start < 0 else start
    return x.movedim(first, last - 1 if first < last else last)
