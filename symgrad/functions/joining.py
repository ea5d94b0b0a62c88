"""What users call of `symgrad.ops.joining`, and what PyTorch's graph shows of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from symgrad.expr.shapes import canonical_axis
from symgrad.functions.broadcasting import _expand
from symgrad.functions.degrees import widened
from symgrad.functions.reshaping import _reshape, _with_rank
from symgrad.ops.joining import _is_legacy_empty, cat, stack
from symgrad.ops.primitive import bind
from symgrad.record.face import shows
from symgrad.schema.numpy_calls import numpy_call
from symgrad.schema.public import FUNCTIONS, public
from symgrad.support.refusals import warn
from symgrad.tensor.numpy_interop import operand

shows(cat, stack, passes=lambda i, kind: True)


@public(
    "cat(Tensor[] tensors, int dim=0, *, Tensor? out=None) -> Tensor",
    aliases=("concat", "concatenate"),
    method=False,
)
def _cat_function(tensors: Any, dim: int = 0) -> Any:
    """Join arrays along an axis.

    Parameters
    ----------
    tensors : sequence of Tensor or ArrayExpr
        Of equal shape apart from `dim`.

    Raises
    ------
    ValueError
        If there are none.
    RuntimeError
        If their shapes do not fit.

    Examples
    --------
    >>> import symgrad
    >>> symgrad.cat([symgrad.leaf("x", (2, 3)), symgrad.leaf("y", (1, 3))]).shape
    (3, 3)
    """
    operands = tensors
    if not operands:
        raise ValueError("torch.cat(): expected a non-empty list of Tensors")
    for i, x in enumerate(operands):
        if not x.shape:
            raise RuntimeError(f"zero-dimensional tensor (at position {i}) cannot be concatenated")
    solid = [x for x in operands if not _is_legacy_empty(x)] or operands
    return bind(cat, operands, (canonical_axis(dim, len(solid[0].shape)),))


@public("stack(Tensor[] tensors, int dim=0, *, Tensor? out=None) -> Tensor", method=False)
def _stack_function(tensors: Any, dim: int = 0) -> Any:
    """Join arrays of one shape along a new axis.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.stack((torch.tensor([1, 2]), torch.tensor([3, 4])), dim=1)
    tensor([[1, 3],
            [2, 4]])
    """
    operands = tensors
    if not operands:
        raise RuntimeError("stack expects a non-empty TensorList")
    return bind(stack, operands, (canonical_axis(dim, len(operands[0].shape), extra=1),))


@public(
    "hstack(Tensor[] tensors, *, Tensor? out=None) -> Tensor", method=False, numpy="hstack(tup)"
)
def _hstack(tensors: Any) -> Any:
    """Join along the second axis, vectors along the first.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.hstack((torch.tensor([[1], [2]]), torch.tensor([[3, 4], [5, 6]])))
    tensor([[1, 3, 4],
            [2, 5, 6]])
    """
    operands = [_with_rank(x, 1) for x in tensors]
    if not operands:
        raise RuntimeError("hstack expects a non-empty TensorList")
    return _cat_function(operands, 0 if len(operands[0].shape) == 1 else 1)


@public(
    "vstack(Tensor[] tensors, *, Tensor? out=None) -> Tensor",
    aliases=("row_stack",),
    method=False,
    numpy="vstack(tup)",
)
def _vstack(tensors: Any) -> Any:
    """Join along the first axis, vectors as rows.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.vstack((torch.tensor([1, 2]), torch.tensor([[3, 4], [5, 6]])))
    tensor([[1, 2],
            [3, 4],
            [5, 6]])
    """
    operands = [_with_rank(x, 2) for x in tensors]
    if not operands:
        raise RuntimeError("vstack expects a non-empty TensorList")
    return _cat_function(operands, 0)


@public(
    "dstack(Tensor[] tensors, *, Tensor? out=None) -> Tensor", method=False, numpy="dstack(tup)"
)
def _dstack(tensors: Any) -> Any:
    """Join along the third axis.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.dstack((torch.tensor([1, 2]), torch.tensor([3, 4])))
    tensor([[[1, 3],
             [2, 4]]])
    """
    operands = [_with_rank(x, 3) for x in tensors]
    if not operands:
        raise RuntimeError("dstack expects a non-empty TensorList")
    return _cat_function(operands, 2)


@public(
    "column_stack(Tensor[] tensors, *, Tensor? out=None) -> Tensor",
    method=False,
    numpy="column_stack(tup)",
)
def _column_stack(tensors: Any) -> Any:
    """Join along the second axis, vectors as columns.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.column_stack((torch.tensor([1, 2]), torch.tensor([[3, 4], [5, 6]])))
    tensor([[1, 3, 4],
            [2, 5, 6]])
    """
    operands = [x if len(x.shape) > 1 else _reshape(x, (_count(x), 1)) for x in tensors]
    return _hstack(operands)


def _count(x: Any) -> int:
    return int(np.prod(x.shape, dtype=int))


@public(
    "meshgrid(Tensor[]... tensors, *, str? indexing=None) -> Tensor[]", python=True, method=False
)
def _meshgrid(*tensors: Any, indexing: str | None = None) -> tuple[Any, ...]:
    """Repeat vectors over the grid that they span; `indexing` is "ij" or "xy".

    Examples
    --------
    >>> import symgrad as torch
    >>> x, y = torch.meshgrid(torch.tensor([1, 2]), torch.tensor([3, 4, 5]), indexing="ij")
    >>> x
    tensor([[1, 1, 1],
            [2, 2, 2]])
    >>> y
    tensor([[3, 4, 5],
            [3, 4, 5]])
    """
    if len(tensors) == 1 and isinstance(tensors[0], (tuple, list)):
        tensors = tuple(tensors[0])
    if not tensors:
        raise RuntimeError("meshgrid expects a non-empty TensorList")
    if indexing is None:
        warn(
            "torch.meshgrid: in an upcoming release, it will be required to pass the indexing "
            "argument."
        )
    elif indexing not in ("ij", "xy"):
        raise RuntimeError(
            'torch.meshgrid: indexing must be one of "xy" or "ij", but received: ' + indexing
        )
    for x in tensors:
        if len(x.shape) > 1:
            raise RuntimeError(
                "torch.meshgrid: Expected 0D or 1D tensor in the tensor list but got: "
                + "".join(f" {line}" for line in str(x).splitlines()[:1])
            )
    swap = indexing == "xy" and len(tensors) > 1
    order = [1, 0, *range(2, len(tensors))] if swap else list(range(len(tensors)))
    lengths = [_count(tensors[i]) for i in order]
    grids: list[Any] = [None] * len(tensors)
    for place, i in enumerate(order):
        flat = _reshape(tensors[i], [n if p == place else 1 for p, n in enumerate(lengths)])
        grids[i] = _expand(flat, lengths)
    return tuple(grids)


@public(
    "cartesian_prod(Tensor... tensors) -> Tensor",
    python=True,
    method=False,
)
def _cartesian_prod(*tensors: Any) -> Any:
    """Return all combinations of elements of 1-D tensors, one in each row.

    Raises
    ------
    RuntimeError
        If a tensor has not one axis.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.cartesian_prod(torch.tensor([1, 2]), torch.tensor([3, 4]))
    tensor([[1, 3],
            [1, 4],
            [2, 3],
            [2, 4]])
    """
    for x in tensors:
        if len(x.shape) != 1:
            raise RuntimeError(f"Expect a 1D vector, but got shape {list(x.shape)}")
    if len(tensors) == 1:
        return tensors[0]
    grids = FUNCTIONS["meshgrid"](*tensors, indexing="ij")
    return FUNCTIONS["stack"]([g.flatten() for g in grids], 1)


@public(
    "vander(Tensor x, int? N=None, bool increasing=False) -> Tensor",
    method=False,
    numpy="vander(x, N, increasing)",
)
def _vander(x: Any, N: int | None = None, increasing: bool = False) -> Any:  # noqa: N803
    """Return powers of the elements of a 1-D tensor, from the highest unless `increasing`.

    Parameters
    ----------
    x : Tensor
        A vector.
    N : int, optional
        The number of columns; by default the length of `x`.

    Raises
    ------
    RuntimeError
        If `x` is not 1-D.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.vander(torch.tensor([1, 2, 3]), N=4, increasing=True)
    tensor([[ 1,  1,  1,  1],
            [ 1,  2,  4,  8],
            [ 1,  3,  9, 27]])
    """
    if len(x.shape) != 1:
        raise RuntimeError("x must be a one-dimensional tensor.")
    count = x.shape[0] if N is None else N
    if count >= 2**30:
        raise RuntimeError(f"vander(): not enough memory for {count} columns")
    x = widened(x)
    powers = [x**k for k in range(count)]
    if not powers:
        return x.reshape(-1, 1)[:, :0]
    made = FUNCTIONS["stack"](powers, 1)
    return made if increasing else made.flip(1)


def _join(name: str, arrays: Any, axis: int | None) -> Any:
    xs = [operand(x) for x in arrays]
    if axis is None:
        xs, axis = [x.reshape(-1) for x in xs], 0
    return FUNCTIONS[name](xs, axis)


@numpy_call("concatenate", "concat")
def _numpy_concatenate(
    arrays: Any, axis: int | None = 0, out: None = None, *, dtype: None = None,
    casting: str = "same_kind",
) -> Any:  # fmt: skip
    return _join("cat", arrays, axis)


@numpy_call("append")
def _numpy_append(arr: Any, values: Any, axis: int | None = None) -> Any:
    return _join("cat", (arr, values), axis)


@numpy_call("stack")
def _numpy_stack(
    arrays: Any, axis: int = 0, out: None = None, *, dtype: None = None, casting: str = "same_kind"
) -> Any:
    return _join("stack", arrays, axis)


@numpy_call("meshgrid")
def _numpy_meshgrid(*xi: Any, copy: bool = True, sparse: bool = False, indexing: str = "xy") -> Any:
    return NotImplemented if sparse else FUNCTIONS["meshgrid"](*map(operand, xi), indexing=indexing)
