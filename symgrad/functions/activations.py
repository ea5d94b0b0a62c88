"""What users call of `symgrad.ops.activations`, and what PyTorch's graph shows of it."""

from __future__ import annotations

import dataclasses
from typing import Any

from symgrad.expr.node import ArrayExpr
from symgrad.ops.activations import elu, hardtanh, leaky_relu, threshold
from symgrad.ops.elementwise import Elementwise
from symgrad.ops.kinds import Tuned
from symgrad.ops.primitive import bind
from symgrad.record.face import Face, face_of, renamed, shows, title_of
from symgrad.schema.arguments import tensor_argument
from symgrad.schema.public import public
from symgrad.support.untraceable import UntraceableValue


@public(
    "nn.functional.hardtanh(Tensor input, Real min_val=-1.0, Real max_val=1.0, object inplace=False) -> Tensor",
    python=True,
    in_place="function",
)
def hardtanh_function(
    input: Any, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False
) -> Any:
    """Return `input` cut off at `min_val` and `max_val`, where the derivative is 0.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.functional.hardtanh(torch.tensor([-3.0, 0.5, 2.0]))
    tensor([-1.0000,  0.5000,  1.0000])
    """
    if min_val > max_val:
        raise ValueError("min_val cannot be greater than max_val")
    low = min_val
    high = max_val
    return applied(hardtanh, (input, low, high), inplace)


@public("nn.functional.relu6(Tensor input, object inplace=False) -> Tensor", python=True)
def relu6(input: Any, inplace: bool = False) -> Any:
    """Return `input` cut off at 0 and 6, where the derivative is 0.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.functional.relu6(torch.tensor([-1.0, 3.0, 9.0]))
    tensor([0., 3., 6.])
    """
    return applied(hardtanh, (input, 0, 6), inplace)


@public(
    "nn.functional.elu(Tensor input, Real alpha=1.0, object inplace=False) -> Tensor",
    python=True,
    inner="elu(Tensor self, Real alpha)",
    in_place="function",
)
def elu_function(input: Any, alpha: float = 1.0, inplace: bool = False) -> Any:
    """Return `x` where it is positive, else `alpha*(exp(x) - 1)`.

    Parameters
    ----------
    alpha : float
        The limit to the left, negated.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.functional.elu(torch.tensor([-1.0, 0.0, 2.0]), alpha=0.5)
    tensor([-0.3161,  0.0000,  2.0000])
    """
    return applied(elu, (input, alpha), inplace, (1, 1), _ELU)


@public(
    "nn.functional.celu(Tensor input, Real alpha=1.0, object inplace=False) -> Tensor",
    python=True,
    inner="celu(Tensor self, Real alpha)",
    in_place="function",
)
def celu(input: Any, alpha: float = 1.0, inplace: bool = False) -> Any:
    """Return `x` where it is positive, else `alpha*(exp(x/alpha) - 1)`.

    Parameters
    ----------
    alpha : float
        The limit to the left, negated.

    Raises
    ------
    RuntimeError
        If `alpha` is 0.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.functional.celu(torch.tensor([-1.0, 0.0, 2.0]), alpha=0.5)
    tensor([-0.4323,  0.0000,  2.0000])
    """
    if alpha == 0:
        raise RuntimeError("ZeroDivisionError: alpha cannot be 0 for CELU")
    if not inplace:
        return bind(elu, (input, alpha), (1, 1 / alpha), _CELU)
    return applied(elu, (input, alpha), True, (1, 1 / alpha), (_CELU, _CELU))


@public(
    "nn.functional.selu(Tensor input, object inplace=False) -> Tensor",
    python=True,
    in_place="function",
)
def selu(input: Any, inplace: bool = False) -> Any:
    """Return the self-normalising `elu`, whose two constants are fixed.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.functional.selu(torch.tensor([-1.0, 0.0, 2.0]))
    tensor([-1.1113,  0.0000,  2.1014])
    """
    return applied(elu, (input, 1.6732632423543772), inplace, (1.0507009873554805, 1), _ELU)


@public(
    "nn.functional.leaky_relu(Tensor input, Real negative_slope=0.01, object inplace=False) -> Tensor",
    python=True,
    inner="leaky_relu(Tensor self, Real negative_slope)",
    in_place="function",
)
def leaky_relu_function(input: Any, negative_slope: float = 0.01, inplace: bool = False) -> Any:
    """Return `x` where it is positive, else `negative_slope*x`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.functional.leaky_relu(torch.tensor([-10.0, 2.0]), 0.1)
    tensor([-1.,  2.])
    """
    slope = negative_slope
    return applied(leaky_relu, (input, slope), inplace, faces=_LEAKY_RELU)


@public(
    "nn.functional.threshold(Tensor input, Real threshold, Real value, object inplace=False) -> Tensor",
    python=True,
    inner="threshold(Tensor self, Real threshold, Real value)",
    in_place="function",
)
def threshold_function(input: Any, threshold: float, value: float, inplace: bool = False) -> Any:
    """Return `x` where it is greater than `threshold`, else `value`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.functional.threshold(torch.tensor([-1.0, 0.5, 2.0]), 1.0, -7.0)
    tensor([-7., -7.,  2.])
    """
    bound = threshold
    return applied(_threshold, (input, bound, value), inplace, faces=_THRESHOLD)


_threshold = threshold


shows(hardtanh, saved=("self", "min_val", "max_val"))
shows(elu, saved=("self", "alpha"), facts=renamed(scale="scale", input_scale="steep"))
shows(leaky_relu, saved=("self", "negative_slope"))
shows(threshold, saved=("self", "threshold"))

_FOLDED = (
    "In-place {} backward calculation is triggered with a negative slope which is not supported. "
    "This is caused by calling in-place forward function with a negative slope, please call "
    "out-of-place version instead."
)


def _in_place(cls: type[Tuned], folded: str = "") -> tuple[Face, Face]:
    """Return the face of a call in place, and of one with a negative slope.

    Where a negative slope gives values of both signs on one side, PyTorch cannot tell, from values
    that were changed in place, where these came from; PyTorch refuses the gradient so.
    """
    face = dataclasses.replace(face_of(cls), name=f"{title_of(cls)}Backward1")
    return face, dataclasses.replace(face, refusal=folded)


_ELU = _in_place(elu, _FOLDED.format("elu"))
_CELU = dataclasses.replace(face_of(elu), name="Celu")
_LEAKY_RELU = _in_place(
    leaky_relu,
    _FOLDED.format("leakyReLu")
    + " File an issue at https://github.com/pytorch/pytorch if you do require supporting in-place "
    "leakRelu backward calculation with negative slope",
)
_THRESHOLD = _in_place(threshold)


def applied(
    cls: type[Elementwise],
    operands: tuple[Any, ...],
    inplace: bool,
    params: tuple[float, ...] = (),
    faces: tuple[Face | None, Face | None] = (None, None),
) -> Any:
    """Return an activation of what is given, or write it in the place of that."""
    if not inplace:
        return bind(cls, operands, params)
    name = cls.__name__
    face = faces[len(operands) > 1 and bool(operands[1] < 0)]
    x = tensor_argument(f"{name}_", operands[0])
    for number in operands[1:]:
        if isinstance(number, ArrayExpr):
            raise UntraceableValue(f"{name}_(): a formula has no value to write: give a number")
    return x._changed(name, lambda: bind(cls, operands, params, face))
