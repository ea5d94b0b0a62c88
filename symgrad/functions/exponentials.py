"""What users call of `symgrad.ops.exponentials`, and what PyTorch's graph shows of it."""

from __future__ import annotations

from typing import Any

from symgrad.ops.exponentials import matrix_exp
from symgrad.ops.primitive import bind
from symgrad.record.face import shows
from symgrad.schema.public import public

shows(matrix_exp, name="LinalgMatrixExp", saved=("self",))


@public("linalg.matrix_exp(Tensor self) -> Tensor", call="linalg_matrix_exp")
def _linalg_matrix_exp(input: Any) -> Any:
    """Return the exponentials of square matrices: `1 + A + A @ A / 2 + ...`.

    SciPy computes them, which `pip install 'symgrad[special]'` brings.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        Square matrices; leading axes count them.

    Raises
    ------
    RuntimeError
        If `input` holds no square matrices, or neither float nor complex numbers.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.linalg.matrix_exp(torch.tensor([[0.0, 1.0], [0.0, 0.0]]))
    tensor([[1., 1.],
            [0., 1.]])
    """
    return bind(matrix_exp, (input,))


@public("matrix_exp(Tensor self) -> Tensor")
def _matrix_exp(input: Any) -> Any:
    """Return the exponentials of square matrices, as `linalg.matrix_exp` does.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.matrix_exp(torch.zeros(2, 2))
    tensor([[1., 0.],
            [0., 1.]])
    """
    return bind(matrix_exp, (input,))
