"""Arrays made of the elements of several: Kronecker products, blocks, combinations."""

from __future__ import annotations

import dataclasses
import itertools
from typing import Any

import numpy as np

from symgrad.expr.dtypes import default_dtype, result_dtype
from symgrad.functions.creation.making import finish
from symgrad.functions.rearranging import pad
from symgrad.ops.joining import cat
from symgrad.ops.primitive import bind
from symgrad.ops.reshaping import reshape
from symgrad.record.face import Face, face_of
from symgrad.schema.public import FUNCTIONS, public

_UNSAFE_VIEW = Face(name="UnsafeView", is_view=False)
_BLOCK_DIAG = dataclasses.replace(face_of(cat), name="BlockDiag")


@public("kron(Tensor self, Tensor other, *, Tensor? out=None) -> Tensor", numpy="kron(a, b)")
def _kron(input: Any, other: Any) -> Any:
    """Return the Kronecker product: `other` once for each element of `input`, times that element.

    Parameters
    ----------
    input, other : Tensor or ArrayExpr
        The factors; the one of fewer axes gets axes of length one in front.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.kron(torch.tensor([[1, 2]]), torch.tensor([[1, 0], [0, 1]]))
    tensor([[1, 0, 2, 0],
            [0, 1, 0, 2]])
    """
    rank = max(len(input.shape), len(other.shape))
    left, right = [(1,) * (rank - len(x.shape)) + tuple(x.shape) for x in (input, other)]
    spread = [[n for pair in zip(left, [1] * rank, strict=True) for n in pair]]
    spread += [[n for pair in zip([1] * rank, right, strict=True) for n in pair]]
    product = input.reshape(spread[0]) * other.reshape(spread[1])
    shape = tuple([n * m for n, m in zip(left, right, strict=True)])
    return bind(reshape, (product,), (shape,), _UNSAFE_VIEW)


@public("block_diag(Tensor... tensors) -> Tensor", method=False, python=True)
def _block_diag(*tensors: Any) -> Any:
    """Return a matrix with matrices on its diagonal, and zeros beside them.

    A vector is a matrix of one row, a number one of one element.

    Raises
    ------
    RuntimeError
        If an operand has more than two axes.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.block_diag(torch.tensor([[1, 2], [3, 4]]), torch.tensor([5, 6]))
    tensor([[1, 2, 0, 0],
            [3, 4, 0, 0],
            [0, 0, 5, 6]])
    """
    for i, x in enumerate(tensors):
        if len(x.shape) > 2:
            raise RuntimeError(
                f"torch.block_diag: Input tensors must have 2 or fewer dimensions. Input {i} has "
                f"{len(x.shape)} dimensions"
            )
    if not tensors:
        return finish("block_diag", np.zeros((1, 0), default_dtype().numpy))
    # An array without axes has a say in the dtype as in sums, which it has no more as a matrix.
    kind = result_dtype(tensors)
    blocks = [x.reshape((1,) * (2 - len(x.shape)) + tuple(x.shape)).to(kind) for x in tensors]
    width, before, rows = sum(x.shape[1] for x in blocks), 0, []
    for x in blocks:
        rows.append(pad(x, (before, width - before - x.shape[1])))
        before += x.shape[1]
    return bind(cat, rows, (0,), _BLOCK_DIAG)


@public("combinations(Tensor self, int r=2, bool with_replacement=False) -> Tensor")
def _combinations(input: Any, r: int = 2, with_replacement: bool = False) -> Any:
    """Return all choices of `r` elements of a vector, one in each row.

    Parameters
    ----------
    r : int
        How many elements are chosen.
    with_replacement : bool
        Whether an element may be chosen several times.

    Raises
    ------
    RuntimeError
        If `input` is no vector, or `r` is negative.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.combinations(torch.tensor([1, 2, 3]))
    tensor([[1, 2],
            [1, 3],
            [2, 3]])
    """
    shape = tuple(input.shape)
    if len(shape) != 1:
        raise RuntimeError(f"Expect a 1D vector, but got shape {list(shape)}")
    if r < 0:
        raise RuntimeError(f"Expect a non-negative number, but got {r}")
    if not r:
        return input.detach().narrow(0, 0, 0)
    choose = itertools.combinations_with_replacement if with_replacement else itertools.combinations
    places = np.array([*choose(range(shape[0]), r)], np.int64).reshape(-1, r)
    return FUNCTIONS["stack"]([input[places[:, i]] for i in range(r)], 1)
