"""What users call of `symgrad.ops.clipping`, and what PyTorch's graph shows of it."""

from __future__ import annotations

from typing import Any

from symgrad.expr.dtypes import float64, number_as
from symgrad.functions.where import check_number, is_small
from symgrad.ops.clipping import clamp, clamp_max, clamp_min, nan_to_num
from symgrad.ops.primitive import bind
from symgrad.record.face import Face, numbered, shows
from symgrad.record.python_numbers import NUMBERS
from symgrad.schema.numpy_calls import numpy_call
from symgrad.schema.public import public
from symgrad.tensor.numpy_interop import operand


def _no_bounds(node: Any) -> dict[str, Any]:
    """Return None for bounds that were not given."""
    return {"min": None, "max": None}


shows(
    clamp,
    name=numbered("Clamp", 1, number=1, tensor=0),
    frees=True,
    saved=("self", "min", "max"),
    facts=_no_bounds,
)


shows(
    clamp_min, saved=("self", "min"), name=numbered("ClampMin", 1, number=0, tensor=1), frees=True
)


shows(
    clamp_max, saved=("self", "max"), name=numbered("ClampMax", 1, number=0, tensor=1), frees=True
)


def _one_bound(name: str, absent: int) -> Face:
    """Return the face of `clamp` with one bound: the other one has an edge beside a tensor's."""

    def edges(places: list[int | None]) -> list[int | None]:
        return [*places[:absent], None, *places[absent:]] if len(places) > 1 else places

    named = numbered("Clamp", 1, number=1, tensor=0)
    return Face(name=named, frees=True, edges=edges, saved=("self", name), facts=_no_bounds)


_WITHOUT_MAX, _WITHOUT_MIN = _one_bound("min", 2), _one_bound("max", 1)


@public(
    "clamp(Tensor self, Tensor? min=None, Tensor? max=None, *, Tensor? out=None) -> Tensor",
    "clamp(Tensor self, Scalar? min=None, Scalar? max=None, *, Tensor? out=None) -> Tensor",
    aliases=("clip",),
    in_place="function",
)
def _clamp(input: Any, min: Any = None, max: Any = None) -> Any:
    """Clip to the interval from `min` to `max`; the derivative at a bound is that of values inside.

    Parameters
    ----------
    min, max : number, tensor or expression, optional
        At least one of them.

    Examples
    --------
    >>> import symgrad
    >>> x = symgrad.leaf("x", (3,))
    >>> symgrad.clamp(x, 0, 1).shape
    (3,)
    """
    if min is None and max is None:
        raise RuntimeError("torch.clamp: At least one of 'min' or 'max' must not be None")
    if type(min) in NUMBERS:
        min = _bound(min, input)
    if type(max) in NUMBERS:
        max = _bound(max, input)
    if max is None:
        return bind(clamp_min, (input, min), face=_WITHOUT_MAX)
    if min is None:
        return bind(clamp_max, (input, max), face=_WITHOUT_MIN)
    return bind(clamp, (input, min, max))


def _bound(value: Any, input: Any) -> Any:
    """Return a bound after PyTorch's checks: real for floats, and in the range of the result."""
    if value.__class__ is not complex and is_small(value):
        return value
    if value.__class__ is complex and input.dtype.is_floating_point:
        value = number_as(value, float64)
    if not input.dtype.is_complex:
        check_number(value, input, number_as)
    return value


@public(
    "clamp_min(Tensor self, Tensor min, *, Tensor? out=None) -> Tensor",
    "clamp_min(Tensor self, Scalar min, *, Tensor? out=None) -> Tensor",
    in_place="function",
)
def _clamp_min(input: Any, min: Any) -> Any:
    """Return the larger of each element and `min`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.clamp_min(torch.tensor([-1.0, 0.5, 2.0]), 0)
    tensor([0.0000, 0.5000, 2.0000])
    """
    return bind(clamp_min, (input, min))


@public(
    "clamp_max(Tensor self, Tensor max, *, Tensor? out=None) -> Tensor",
    "clamp_max(Tensor self, Scalar max, *, Tensor? out=None) -> Tensor",
    in_place="function",
)
def _clamp_max(input: Any, max: Any) -> Any:
    """Return the smaller of each element and `max`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.clamp_max(torch.tensor([-1.0, 0.5, 2.0]), 1)
    tensor([-1.0000,  0.5000,  1.0000])
    """
    return bind(clamp_max, (input, max))


@public(
    "nan_to_num(Tensor self, float? nan=None, float? posinf=None, float? neginf=None, *, Tensor? out=None) -> Tensor",
    in_place="function",
)
def _nan_to_num(input: Any, nan: Any = 0.0, posinf: Any = None, neginf: Any = None) -> Any:
    """Replace nan, inf and -inf, by default by 0 and the largest finite numbers.

    Parameters
    ----------
    nan, posinf, neginf : number, optional
        What stands for nan, inf and -inf.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nan_to_num(torch.tensor([float("nan"), float("inf"), 1.0]), nan=-1.0, posinf=100.0)
    tensor([ -1., 100.,   1.])
    """
    infinite = {name: v for name, v in (("posinf", posinf), ("neginf", neginf)) if v is not None}
    numbers = {"nan": 0.0 if nan is None else nan, **infinite}
    operands = list(numbers.values())
    return bind(nan_to_num, (input, *operands), (tuple(infinite),))


@numpy_call("clip")
def _numpy_clip(
    a: Any, a_min: Any = None, a_max: Any = None, out: None = None, *, min: Any = None,
    max: Any = None,
) -> Any:  # fmt: skip
    low, high = (a_min if min is None else min), (a_max if max is None else max)
    x = operand(a)
    low, high = (operand(b) if isinstance(b, (list, tuple)) else b for b in (low, high))
    one_number = isinstance(low, (int, float)) != isinstance(high, (int, float))
    if one_number and low is not None and high is not None:
        return x.clamp(low).clamp(max=high)
    return x.clamp(low, high)


@numpy_call("nan_to_num")
def _numpy_nan_to_num(
    x: Any, copy: bool = True, nan: Any = 0.0, posinf: Any = None, neginf: Any = None
) -> Any:
    return operand(x).nan_to_num(nan, posinf, neginf)
