"""Numbers in sequence: `arange`, `range`, `linspace`, `logspace`."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from symgrad.expr.dtypes import (
    Category,
    bool_,
    check_word,
    default_dtype,
    dtype,
    float16,
    float32,
    float64,
    int64,
    no_kernel,
    number_as,
    to_complex,
)
from symgrad.functions.creation.making import NAME, OPTIONS, check_out, finish, making
from symgrad.record.record import Recorded
from symgrad.schema.text import NOT_GIVEN
from symgrad.support.quiet import quietly
from symgrad.support.refusals import warn
from symgrad.support.untraceable import note_elements


@making(
    f"arange(Scalar end, *, Tensor? out=None, {OPTIONS}, {NAME}) -> Tensor",
    f"arange(Scalar start, Scalar end, *, {OPTIONS}, {NAME}) -> Tensor",
    f"arange(Scalar start, Scalar end, Scalar step=1, *, Tensor? out=None, {OPTIONS}, {NAME}) "
    "-> Tensor",
)
def arange(
    start: Any = 0,
    end: Any = NOT_GIVEN,
    step: Any = 1,
    *,
    out: Any = None,
    dtype: dtype | None = None,
    requires_grad: bool = False,
    name: str | None = None,
) -> Any:
    """Return `start, start + step, …` up to but without `end`: ``arange([start,] end[, step])``.

    The dtype is int64 when all three are integers, else the default dtype.

    Parameters
    ----------
    start, end, step : number
        The first, 0 where not given, the bound, and the distance.
    dtype : dtype, optional
        The element type.

    Raises
    ------
    RuntimeError
        If `step` is zero or leads away from `end`, or a bound is not finite.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.arange(1, 2.5, 0.5)
    tensor([1.0000, 1.5000, 2.0000])
    """
    check_out("arange", out)
    kind = dtype
    exact = all(isinstance(v, int) for v in (start, end, step))
    if kind is None:
        kind = int64 if exact else default_dtype()
    start, end, step = _range("arange", kind, start, end, step)
    count = -((start - end) // step) if exact else math.ceil((end - start) / step)
    if kind.category < Category.FLOAT:
        start, step = int(start), int(step)
        data = (start + np.arange(count, dtype=np.int64) * step).astype(kind.numpy)
    else:
        # Computed in double and rounded once, also for float32, as PyTorch accumulates.
        data = (start + np.arange(count) * float(step)).astype(kind.numpy)
    if out is not None and 0 != out.numel() != count:
        warn(
            f"The number of elements in the out tensor of shape {list(out.shape)} is {out.numel()} "
            f"which does not match the computed number of elements {count}. Note that this may "
            "occur as a result of rounding error. The out tensor will be resized to a tensor of "
            f"shape ({count},)."
        )
    return _finished("arange", data, requires_grad, name, out)


def _finished(
    call: str, data: Any, requires_grad: Any, name: str | None = None, out: Any = None
) -> Any:
    """Return the tensor of a sequence, or `out`, which keeps its shape if it has as many elements."""
    if out is not None and out.numel() == data.size:
        data = data.reshape(out.shape)
    return finish(call, data, requires_grad, name, out)


def _range(function: str, kind: dtype, *numbers: Any) -> tuple[Any, Any, Any]:
    """Return start, end and step as numbers that PyTorch computes with, or raise its error."""
    for x in numbers:
        if type(x) is int:
            check_word(x)
    _refuse_unordered(function, kind)
    start, end, step = [x if type(x) is int else number_as(x, float64) for x in numbers]
    if step == 0:
        raise RuntimeError("step must be nonzero")
    if not (math.isfinite(start) and math.isfinite(end)):
        raise RuntimeError(f"unsupported range: {start:g} -> {end:g}")
    if (end - start) * step < 0:
        raise RuntimeError("upper bound and lower bound inconsistent with step sign")
    if step != step:
        raise RuntimeError(f"{function}(): step must be a number, got {step:g}")
    held = int64 if kind.category < Category.FLOAT else float32 if kind is float16 else float64
    if held is not float64:  # which holds all of them
        for x in (start, end, step):
            if type(x) is not int or x >= 2**63:
                number_as(x, held)
    return start, end, step


def _refuse_unordered(function: str, kind: Any) -> None:
    if kind.category in (Category.BOOL, Category.COMPLEX):
        raise no_kernel(f"{function}_cpu", kind)


@making(
    "range(Scalar start, Scalar end, Scalar step=1, *, Tensor? out=None, "
    "ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
    "bool? requires_grad=False) -> Tensor"
)
def range(
    start: Any,
    end: Any,
    step: Any = 1,
    *,
    out: Any = None,
    dtype: dtype | None = None,
    requires_grad: bool = False,
) -> Any:
    """Return `arange` with the end included, as float32 (deprecated by PyTorch).

    Parameters
    ----------
    start, end, step : number
        The first, the bound, and the distance.

    Warns
    -----
    UserWarning
        Always: `arange` is what to use.

    Examples
    --------
    >>> import symgrad as torch
    >>> import warnings
    >>> with warnings.catch_warnings(action="ignore"):
    ...     torch.range(1, 3)
    tensor([1., 2., 3.])
    """
    warn(
        "torch.range is deprecated and will be removed in a future release because its behavior "
        "is inconsistent with Python's range builtin. Instead, use torch.arange, which produces "
        "values in [start, end)."
    )
    check_out("range", out)
    kind = dtype or default_dtype()
    start, end, step = _range("range", kind, start, end, step)
    count = math.floor((end - start) / step) + 1
    data = (np.arange(count).astype(kind.numpy) * step + start).astype(kind.numpy)
    return _finished("range", data, requires_grad, out=out)


def _between(name: str, more: str = "") -> Iterator[str]:
    """Yield the overloads of a function of two ends, either of which may be a tensor."""
    for ends in ("Tensor start, Tensor end", "Scalar start, Tensor end",
                 "Tensor start, Scalar end", "Scalar start, Scalar end"):  # fmt: skip
        yield f"{name}({ends}, int steps{more}, *, Tensor? out=None, {OPTIONS}) -> Tensor"


@making(*_between("linspace"))
def linspace(
    start: Any,
    end: Any,
    steps: int,
    *,
    out: Any = None,
    dtype: dtype | None = None,
    requires_grad: bool = False,
) -> Any:
    """Return `steps` numbers at equal distances from `start` to `end`, both included.

    Parameters
    ----------
    start, end : number
        The first and the last of them.
    steps : int
        How many.
    dtype : dtype, optional
        The element type; by default the default dtype, complex where an end is.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.linspace(0, 1, 5)
    tensor([0.0000, 0.2500, 0.5000, 0.7500, 1.0000])
    """
    check_out("linspace", out)
    first, last, kind = _spaced("linspace", start, end, steps, dtype)
    data = quietly(_linspace, first, last, steps, kind)
    return _finished("linspace", data, requires_grad, out=out)


@making(*_between("logspace", ", float base=10.0"))
def logspace(
    start: Any,
    end: Any,
    steps: int,
    base: float = 10.0,
    *,
    out: Any = None,
    dtype: dtype | None = None,
    requires_grad: bool = False,
) -> Any:
    """Return `base` to the power of `linspace(start, end, steps)`.

    Parameters
    ----------
    start, end : number
        The first and the last exponent.
    steps : int
        How many numbers.
    base : number
        What is raised to these powers.
    dtype : dtype, optional
        The element type; by default the default dtype, complex where an end is.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.logspace(0, 3, 4)
    tensor([   1.,   10.,  100., 1000.])
    >>> torch.logspace(0, 3, 4, base=2)
    tensor([1., 2., 4., 8.])
    """
    check_out("logspace", out)
    first, last, kind = _spaced("logspace", start, end, steps, dtype)
    wide = np.dtype(np.complex128 if kind.is_complex else np.float64)
    exponents = np.linspace(first, last, steps, dtype=wide)
    data = np.power(float(base), exponents).astype(kind.numpy)
    return _finished("logspace", data, requires_grad, out=out)


def _spaced(
    call: str, start: Any, end: Any, steps: int, kind: dtype | None
) -> tuple[Any, Any, dtype]:
    """Return the two ends as numbers, and the dtype."""
    ends = [(n, x) for n, x in (("start", start), ("end", end)) if isinstance(x, Recorded)]
    if any(x._aval.shape for _, x in ends):
        found = " and ".join([f"{n} with {len(x._aval.shape)} dimension(s)" for n, x in ends])
        raise RuntimeError(
            f"{call} only supports 0-dimensional start and end tensors, but got {found}."
        )
    for _, x in ends:
        note_elements(x)
    first, last = [x._data.item() if isinstance(x, Recorded) else x for x in (start, end)]
    for x in (first, last):
        if isinstance(x, int):
            check_word(x)
    if steps >= 2**48:  # more than anything addresses
        raise RuntimeError(f"Storage size calculation overflowed with sizes=[{steps}]")
    if steps < 0:
        raise RuntimeError("number of steps must be non-negative")
    if kind is None:
        kind = default_dtype()
        if isinstance(first, complex) or isinstance(last, complex):
            kind = to_complex(kind)
    elif complex in (type(first), type(last)) and not kind.is_complex:
        raise RuntimeError(
            f"torch.{call}(): inferred dtype {to_complex(default_dtype()).c_name} can't be safely "
            f"cast to passed dtype {kind.scalar_name}"
        )
    if kind is bool_:
        raise no_kernel(f"{call}_cpu", kind)
    if steps > 1:
        first, last = number_as(first, kind), number_as(last, kind)
    return first, last, kind


def _linspace(first: Any, last: Any, count: int, kind: dtype) -> Any:
    """Return the numbers as PyTorch steps: from `start` up to the middle, from `end` down to it."""
    target = kind.numpy
    if kind.is_complex and not (isinstance(first, complex) or isinstance(last, complex)):
        return _linspace(first, last, count, kind.to_real()).astype(target)
    if count < 2:
        return np.full(count, first).astype(target)
    if kind.category < Category.FLOAT:
        step = np.float32((float(last) - float(first)) / (count - 1))
        i = np.arange(count)
        up = np.trunc(first + (step * i.astype(np.float32)))
        down = np.trunc(last - (step * (count - 1 - i).astype(np.float32)))
        return np.where(i < count // 2, up, down).astype(target)
    compute: Any = np.float32 if target == np.float16 else target.type
    start, end = compute(first), compute(last)
    step = (end - start) / compute(count - 1)
    i = np.arange(count)
    # One rounding at the end, as a fused multiply-add has.
    wide: Any = np.complex128 if kind.is_complex else np.float64
    up = wide(start) + wide(step) * i
    down = wide(end) - wide(step) * (count - 1 - i)
    return np.where(i < count // 2, up, down).astype(target)
