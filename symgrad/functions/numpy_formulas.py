"""NumPy's functions that PyTorch does not have, as formulas of public functions.

What answers those that it has stands beside each public function.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from symgrad.schema.kinds import is_tensor
from symgrad.schema.numpy_calls import COUNTERPARTS, nearest, numpy_call
from symgrad.schema.public import FUNCTIONS, SPACES
from symgrad.tensor.numpy_interop import as_float, of_one_kind, operand, over_axes

nearest("trunc", "modf")
nearest("power", "cbrt")


def _between(x: Any, axis: int, start: int, stop: int | None) -> Any:
    """Return a slice along one axis."""
    return x[(slice(None),) * (axis % x.ndim) + (slice(start, stop),)]


# ------------------------------------------------------------------ differences, integrals


@numpy_call("diff")
def _diff(
    a: Any, n: int = 1, axis: int = -1, prepend: Any = np._NoValue, append: Any = np._NoValue
) -> Any:
    x = operand(a)
    shape = [1 if i == axis % x.ndim else length for i, length in enumerate(x.shape)]
    ends = [None if e is np._NoValue else operand(e) for e in (prepend, append)]
    return FUNCTIONS["diff"](
        x, n, axis, *[e if e is None or e.ndim else e.expand(shape) for e in ends]
    )


@numpy_call("ediff1d")
def _ediff1d(ary: Any, to_end: Any = None, to_begin: Any = None) -> Any:
    ends = [None if e is None else operand(e).reshape(-1) for e in (to_begin, to_end)]
    parts = [ends[0], _diff(operand(ary).reshape(-1)), ends[1]]
    return FUNCTIONS["cat"]([p for p in parts if p is not None])


@numpy_call("trapezoid")
def _trapezoid(y: Any, x: Any = None, dx: Any = 1.0, axis: int = -1) -> Any:
    values = as_float(y)
    if x is None:
        return FUNCTIONS["trapezoid"](values, dim=axis) * dx
    return FUNCTIONS["trapezoid"](values, operand(x), dim=axis)


@numpy_call("gradient")
def _gradient(f: Any, *varargs: Any, axis: Any = None, edge_order: int = 1) -> Any:
    x = as_float(f)
    axes = range(x.ndim) if axis is None else [axis] if isinstance(axis, int) else axis
    steps: Any = varargs * len(axes) if len(varargs) == 1 else varargs or (1.0,) * len(axes)
    if len(steps) != len(axes) or any(x.shape[a] <= edge_order for a in axes):
        return NotImplemented
    numbers = [isinstance(h, (int, float)) for h in steps]
    if not all(numbers):
        steps = tuple([operand(h) for h in steps])
        if any(numbers) or any(h.ndim != 1 for h in steps):
            return NotImplemented
    found = FUNCTIONS["gradient"](x, spacing=steps, dim=tuple(axes), edge_order=edge_order)
    return found[0] if len(found) == 1 else found


# ------------------------------------------------------------------ values between others


@numpy_call("interp")
def _interp(
    x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None, period: None = None
) -> Any:
    at, places, values = as_float(x), as_float(xp), as_float(fp)
    count = places.numel()
    if count < 2:
        return NotImplemented
    where = FUNCTIONS["where"]
    # The piece that each element lies in.
    j = ((at.unsqueeze(-1) >= places).sum(-1) - 1).clamp(0, count - 2)
    start, low = places[j], values[j]
    inside = (values[j + 1] - low) / (places[j + 1] - start) * (at - start) + low
    before = values[0] if left is None else left
    after = values[-1] if right is None else right
    up_to = where(at >= places[-1], values[-1], inside)
    return where(at < places[0], before, where(at > places[-1], after, up_to))


@numpy_call("linspace")
def _linspace(
    start: Any, stop: Any, num: int = 50, endpoint: bool = True, retstep: bool = False,
    dtype: None = None, axis: int = 0,
) -> Any:  # fmt: skip
    first, last = as_float(start), as_float(stop)
    parts = num - 1 if endpoint else num
    if retstep or parts < 1:
        return NotImplemented
    first, last = FUNCTIONS["broadcast_tensors"](first, last)
    part = np.arange(num, dtype=first.dtype.numpy).reshape([num] + [1] * first.ndim) / parts
    found = first + operand(part) * (last - first)
    if endpoint:
        found = FUNCTIONS["cat"]([found[:-1], last.unsqueeze(0)])
    return found.movedim(0, axis)


@numpy_call("logspace")
def _logspace(
    start: Any, stop: Any, num: int = 50, endpoint: bool = True, base: Any = 10.0,
    dtype: None = None, axis: int = 0,
) -> Any:  # fmt: skip
    exponents = _linspace(start, stop, num, endpoint, False, None, axis)
    return exponents if exponents is NotImplemented else base**exponents


@numpy_call("polyval")
def _polyval(p: Any, x: Any) -> Any:
    coefficients, at = operand(p), operand(x)
    if coefficients.ndim != 1 or not coefficients.numel():
        return NotImplemented
    value = 0 * at + coefficients[0]
    for i in range(1, coefficients.numel()):
        value = value * at + coefficients[i]
    return value


# ------------------------------------------------------------------ products


@numpy_call("cross")
def _cross(
    a: Any, b: Any, axisa: int = -1, axisb: int = -1, axisc: int = -1, axis: int | None = None
) -> Any:
    axes = (axisa, axisb, axisc) if axis is None else (axis,) * 3
    x, y = operand(a).movedim(axes[0], -1), operand(b).movedim(axes[1], -1)
    if x.shape[-1] != 3 or y.shape[-1] != 3:
        return NotImplemented
    after, before = [1, 2, 0], [2, 0, 1]
    found = x[..., after] * y[..., before] - x[..., before] * y[..., after]
    return found.movedim(-1, axes[2])


@numpy_call("linalg.cross")
def _linalg_cross(x1: Any, x2: Any, /, *, axis: int = -1) -> Any:
    return _cross(x1, x2, axis=axis)


@numpy_call("convolve")
def _convolve(a: Any, v: Any, mode: str = "full") -> Any:
    x, y = of_one_kind(a, v)
    if x.ndim != 1 or y.ndim != 1:
        return NotImplemented
    if y.numel() > x.numel():
        x, y = y, x
    n, m = x.numel(), y.numel()
    padded = SPACES["nn.functional"]["pad"](x, (m - 1, m - 1))
    windows = padded[np.arange(n + m - 1)[:, None] + np.arange(m)]
    found = windows @ y.flip((0,))
    first = {"full": 0, "same": (m - 1) // 2, "valid": m - 1}.get(mode)
    length = {"full": n + m - 1, "same": n, "valid": n - m + 1}.get(mode)
    return NotImplemented if first is None or length is None else found[first : first + length]


@numpy_call("correlate")
def _correlate(a: Any, v: Any, mode: str = "valid") -> Any:
    x, y = operand(a), operand(v)
    if y.ndim != 1 or y.numel() > x.numel():
        return NotImplemented
    return _convolve(x, y.flip((0,)).conj(), mode)


@numpy_call("cov")
def _cov(
    m: Any, y: Any = None, rowvar: bool = True, bias: bool = False, ddof: Any = None,
    fweights: None = None, aweights: None = None, *, dtype: None = None,
) -> Any:  # fmt: skip
    rows = [FUNCTIONS["atleast_2d"](as_float(x)) for x in (m, y) if x is not None]
    if not rowvar:
        rows = [x if x.shape[0] == 1 else x.T for x in rows]
    less = (0 if bias else 1) if ddof is None else ddof
    return FUNCTIONS["cov"](FUNCTIONS["cat"](rows), correction=less)


@numpy_call("corrcoef")
def _corrcoef(x: Any, y: Any = None, rowvar: bool = True, *, dtype: None = None) -> Any:
    rows = [FUNCTIONS["atleast_2d"](as_float(z)) for z in (x, y) if z is not None]
    found = FUNCTIONS["corrcoef"](FUNCTIONS["cat"](rows if rowvar else [z.T for z in rows]))
    return found if found.ndim else NotImplemented


# ------------------------------------------------------------------ arrays of several


@numpy_call("pad")
def _pad(array: Any, pad_width: Any, mode: Any = "constant", **options: Any) -> Any:
    x = operand(array)
    if isinstance(pad_width, dict) or not isinstance(mode, str):
        return NotImplemented
    widths = np.broadcast_to(pad_width, (x.ndim, 2)).tolist()
    if mode == "constant":
        value = options.pop("constant_values", 0)
        if options or not isinstance(value, (int, float)):
            return NotImplemented
        flat = [n for pair in reversed(widths) for n in pair]
        return SPACES["nn.functional"]["pad"](x, flat, value=value)
    if options or mode not in ("edge", "reflect", "symmetric", "wrap"):
        return NotImplemented
    for axis, pair in enumerate(widths):
        places = np.pad(np.arange(x.shape[axis]), pair, mode)  # type: ignore[call-overload]
        x = x[(slice(None),) * axis + (places,)]
    return x


def _with_rank(x: Any, rank: int) -> Any:
    return x.reshape((*[1] * (rank - x.ndim), *x.shape))


@numpy_call("block")
def _block(arrays: Any) -> Any:
    depth, first = 0, arrays
    while isinstance(first, list):
        depth, first = depth + 1, first[0]
    return _joined(arrays, depth, 0)


def _joined(arrays: Any, depth: int, level: int) -> Any:
    """Return nested lists of arrays as one: those of the innermost lists lie along the last axis."""
    if level == depth:
        return _with_rank(operand(arrays), max(depth, np.ndim(arrays)))
    parts = [_joined(x, depth, level + 1) for x in arrays]
    rank = max(x.ndim for x in parts)
    return FUNCTIONS["cat"]([_with_rank(x, rank) for x in parts], level - depth)


# ------------------------------------------------------------------ without nan


def _filled(a: Any, value: Any) -> Any:
    """Return an array with a number in the places of nan."""
    x = operand(a)
    return FUNCTIONS["where"](x.isnan(), value, x)


def _counted(x: Any, axis: Any, keepdims: bool) -> Any:
    return over_axes("sum", x.isnan().logical_not(), axis, keepdims)


def _without_nan(name: str, value: float) -> None:
    """Enter what does as NumPy's function `name` does, with a number in the places of nan."""

    @numpy_call(f"nan{name}")
    def call(a: Any, *args: Any, **kwargs: Any) -> Any:
        return COUNTERPARTS[name](_filled(a, value), *args, **kwargs)

    call.__name__ = call.__qualname__ = f"nan{name}"


_without_nan("prod", 1.0)
_without_nan("cumsum", 0.0)
_without_nan("cumprod", 1.0)


def _extreme_without_nan(name: str, value: float) -> None:
    @numpy_call(f"nan{name}")
    def call(a: Any, axis: Any = None, out: None = None, keepdims: bool = False) -> Any:
        keep = keepdims is True
        found = over_axes(f"a{name}", _filled(a, value), axis, keep)
        return FUNCTIONS["where"](_counted(operand(a), axis, keep).eq(0), math.nan, found)

    call.__name__ = call.__qualname__ = f"nan{name}"


_extreme_without_nan("max", -math.inf)
_extreme_without_nan("min", math.inf)


@numpy_call("nanvar")
def _nanvar(
    a: Any, axis: Any = None, dtype: None = None, out: None = None, ddof: Any = 0,
    keepdims: bool = False,
) -> Any:  # fmt: skip
    x = as_float(a)
    mean = over_axes("sum", _filled(x, 0.0), axis, True) / _counted(x, axis, True)
    squares = over_axes("sum", _filled(x - mean, 0.0).abs() ** 2, axis, keepdims is True)
    degrees = _counted(x, axis, keepdims is True) - ddof
    return FUNCTIONS["where"](degrees > 0, squares / degrees, math.nan)


@numpy_call("nanstd")
def _nanstd(
    a: Any, axis: Any = None, dtype: None = None, out: None = None, ddof: Any = 0,
    keepdims: bool = False,
) -> Any:  # fmt: skip
    return _nanvar(a, axis, None, None, ddof, keepdims).sqrt()


# ------------------------------------------------------------------ shapes and dtypes


@numpy_call("result_type")
def _result_type(*arrays_and_dtypes: Any) -> Any:
    return np.result_type(*[x.dtype.numpy if is_tensor(x) else x for x in arrays_and_dtypes])


def _from_shape(call: Any) -> None:
    """Enter a function of NumPy's that reads the shape of an array alone."""

    def answer(arr: Any, *args: Any, **kwargs: Any) -> Any:
        return call(np.broadcast_to(0, tuple(arr.shape)), *args, **kwargs)

    numpy_call(call.__name__)(answer)


_from_shape(np.diag_indices_from)
_from_shape(np.tril_indices_from)
_from_shape(np.triu_indices_from)
