"""Numbers in sequence: `arange`, `range`, `linspace`, `logspace`."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np

from symgrad.arguments import (
    dtype_argument,
    integer,
    invalid_combination,
    number,
    real,
)
from symgrad.creation.making import MISSING, finish, making
from symgrad.expr.dtypes import (
    Category,
    default_dtype,
    dtype,
    int64,
    to_complex,
)
from symgrad.refusals import limited


@making
def arange(
    *bounds: Any,
    dtype: dtype | None = None,
    device: Any = None,
    requires_grad: bool = False,
    layout: Any = None,
    pin_memory: bool = False,
    out: Any = None,
    name: str | None = None,
    **keywords: Any,
) -> Any:
    """Return `start, start + step, …` up to but without `end`: ``arange([start,] end[, step])``.

    The dtype is int64 when all three are integers, else the default dtype.

    Parameters
    ----------
    *bounds : number
        `start` (0 where not given), `end` and `step` (1), by position or keyword.
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
    start, end, step = _bounds(bounds, keywords)
    kind = dtype_argument("arange", dtype)
    exact = all(isinstance(v, int) for v in (start, end, step))
    if kind is None:
        kind = int64 if exact else default_dtype()
    _check_range("arange", kind, start, end, step)
    count = -((start - end) // step) if exact else math.ceil((end - start) / step)
    if kind.category < Category.FLOAT:
        start, step = int(start), int(step)
        data = (start + np.arange(count, dtype=np.int64) * step).astype(kind.numpy)
    else:
        # Computed in double and rounded once, also for float32, as PyTorch accumulates.
        data = (start + np.arange(count) * float(step)).astype(kind.numpy)
    return finish("arange", data, requires_grad, name, device, out=out)


def _check_range(function: str, kind: dtype, start: Any, end: Any, step: Any) -> None:
    """Raise PyTorch's error for bounds that no numbers lie between."""
    if any(isinstance(v, complex) for v in (start, end, step)):
        raise RuntimeError("value cannot be converted to type double without overflow")
    _refuse_unordered(function, kind)
    if step == 0:
        raise RuntimeError("step must be nonzero")
    if not (math.isfinite(start) and math.isfinite(end)):
        raise RuntimeError(f"unsupported range: {start:g} -> {end:g}")
    if (end - start) * step < 0:
        raise RuntimeError("upper bound and lower bound inconsistent with step sign")
    if step != step:
        raise RuntimeError(f"{function}(): step must be a number, got {step:g}")


def _refuse_unordered(function: str, kind: Any) -> None:
    if kind.category in (Category.BOOL, Category.COMPLEX):
        raise NotImplementedError(f"\"{function}_cpu\" not implemented for '{kind.scalar_name}'")


def _bounds(bounds: tuple[Any, ...], keywords: dict[str, Any]) -> tuple[Any, Any, Any]:
    names = ["end"] if len(bounds) == 1 else ["start", "end", "step"][: len(bounds)]
    if len(bounds) > 3 or not keywords.keys() <= {"start", "end", "step"} - set(names):
        unknown = [k for k in keywords if k not in ("start", "end", "step")]
        if unknown:
            raise TypeError(f"arange() got an unexpected keyword argument '{unknown[0]}'")
        raise invalid_combination("arange", bounds, keywords)
    given = dict(zip(names, bounds, strict=True)) | keywords
    if "end" not in given:
        raise invalid_combination("arange", bounds, keywords)
    values = [
        number("arange", name, names.index(name) + 1 if name in names else 1, given[name])
        for name in given
    ]
    found = dict(zip(given, values, strict=True))
    return found.get("start", 0), found["end"], found.get("step", 1)


@limited("range")
def range(*bounds: Any, **keywords: Any) -> Any:
    """Return `arange` with the end included, as float32 (deprecated by PyTorch).

    Parameters
    ----------
    *bounds : number
        As those of `arange`.
    **keywords
        `dtype`, `requires_grad` and `device`.

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
    warnings.warn(
        "torch.range is deprecated and will be removed in a future release because its behavior "
        "is inconsistent with Python's range builtin. Instead, use torch.arange, which produces "
        "values in [start, end).",
        UserWarning,
        stacklevel=3,
    )
    options = {k: keywords.pop(k) for k in ("dtype", "requires_grad", "device") if k in keywords}
    if len(bounds) == 1:
        bounds = (0, *bounds)
    start, end, step = _bounds(bounds, keywords)
    options.setdefault("dtype", default_dtype())
    kind = dtype_argument("range", options["dtype"], default_dtype())
    _check_range("range", kind, start, end, step)
    count = math.floor((end - start) / step) + 1
    return arange(0, count, **options) * step + start


@making
def linspace(
    start: Any = MISSING,
    end: Any = MISSING,
    steps: Any = MISSING,
    *,
    dtype: dtype | None = None,
    device: Any = None,
    requires_grad: bool = False,
    layout: Any = None,
    pin_memory: bool = False,
    out: Any = None,
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
    first, last, count, kind = _spaced("linspace", start, end, steps, dtype)
    data = _linspace(first, last, count, kind)
    return finish("linspace", data, requires_grad, device=device, out=out)


@making
def logspace(
    start: Any = MISSING,
    end: Any = MISSING,
    steps: Any = MISSING,
    base: float = 10.0,
    *,
    dtype: dtype | None = None,
    device: Any = None,
    requires_grad: bool = False,
    layout: Any = None,
    pin_memory: bool = False,
    out: Any = None,
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
    first, last, count, kind = _spaced("logspace", start, end, steps, dtype)
    base = real("logspace", "base", 4, base)
    wide = np.dtype(np.complex128 if kind.is_complex else np.float64)
    exponents = np.linspace(first, last, count, dtype=wide)
    data = np.power(base, exponents).astype(kind.numpy)
    return finish("logspace", data, requires_grad, device=device, out=out)


def _spaced(call: str, start: Any, end: Any, steps: Any, kind: Any) -> tuple[Any, Any, int, Any]:
    given = [x for x in (start, end, steps) if x is not MISSING]
    if len(given) < 3 or isinstance(steps, (bool, float, str)):
        raise invalid_combination(call, given)
    first, last = number(call, "start", 1, start), number(call, "end", 2, end)
    for x in (first, last):
        if isinstance(x, int) and not -(2**63) <= x < 2**63:
            raise OverflowError("int too big to convert")
    count = integer(call, "steps", 3, steps)
    if count >= 2**48:  # more than anything addresses
        raise RuntimeError(f"Storage size calculation overflowed with sizes=[{count}]")
    if count < 0:
        raise RuntimeError("number of steps must be non-negative")
    default = default_dtype()
    if isinstance(first, complex) or isinstance(last, complex):
        default = to_complex(default)
    return first, last, count, dtype_argument(call, kind, default)


def _linspace(first: Any, last: Any, count: int, kind: dtype) -> Any:
    """Return the numbers as PyTorch steps: from `start` up to the middle, from `end` down to it."""
    target = kind.numpy
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
