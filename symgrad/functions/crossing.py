"""What users call of `symgrad.ops.crossing`, and what PyTorch's graph shows of it."""

from __future__ import annotations

from typing import Any

from symgrad.expr.shapes import canonical_axis
from symgrad.ops.crossing import cross
from symgrad.ops.primitive import bind
from symgrad.record.face import renamed, shows
from symgrad.schema.public import public

shows(cross, name="LinalgCross", saved=("self", "other"), facts=renamed(dim="axis"))


def _crossed(x: Any, y: Any, dim: int) -> Any:
    if len(x.shape) != len(y.shape):
        raise RuntimeError("linalg.cross: inputs must have the same number of dimensions.")
    axis = canonical_axis(dim, len(x.shape))
    m, n = (v.shape[axis] if v.shape else 0 for v in (x, y))
    if m != 3 or n != 3:
        raise RuntimeError(
            f"linalg.cross: inputs dimension {dim} must have length 3. Got {m} and {n}"
        )
    return bind(cross, (x, y), (axis,))


@public(
    "linalg.cross(Tensor self, Tensor other, *, int dim=-1, Tensor? out=None) -> Tensor",
    call="linalg_cross",
)
def _linalg_cross(input: Any, other: Any, *, dim: int = -1) -> Any:
    """Return the cross products of vectors of three elements along an axis.

    Parameters
    ----------
    other : Tensor or ArrayExpr
        The second vectors, of as many axes.
    dim : int
        The axis of the vectors.

    Raises
    ------
    RuntimeError
        If the vectors have not three elements, or the operands not as many axes.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.linalg.cross(torch.tensor([1.0, 0.0, 0.0]), torch.tensor([0.0, 1.0, 0.0]))
    tensor([0., 0., 1.])
    """
    return _crossed(input, other, dim)


@public("cross(Tensor self, Tensor other, int? dim=None, *, Tensor? out=None) -> Tensor")
def _cross(input: Any, other: Any, dim: int | None = None) -> Any:
    """Return the cross products of vectors of three elements along an axis.

    Parameters
    ----------
    other : Tensor or ArrayExpr
        The second vectors, of as many axes.
    dim : int, optional
        The axis of the vectors; by default the first of length three.

    Raises
    ------
    RuntimeError
        If the vectors have not three elements, or the operands not as many axes.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.cross(torch.tensor([1.0, 2.0, 3.0]), torch.tensor([0.0, 1.0, 0.0]))
    tensor([-3.,  0.,  1.])
    """
    if dim is None:
        dim = next((i for i, n in enumerate(input.shape) if n == 3), None)
        if dim is None:
            raise RuntimeError("no dimension of size 3 in input")
    return _crossed(input, other, dim)
