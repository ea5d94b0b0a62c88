"""How arrays print: the text that PyTorch gives for a tensor of the same values.

Here live the print options and the functions from an array to its text. They know no tensor: what
a tensor adds (`grad_fn`, `requires_grad`) is handed in.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from symgrad.support.scopes import Block, back_to

Array: TypeAlias = npt.NDArray[Any]


# ------------------------------------------------------------------ options


@dataclasses.dataclass(frozen=True)
class PrintOptions:
    """What `set_printoptions` sets; the defaults are PyTorch's."""

    precision: int = 4
    threshold: float = 1000
    edgeitems: int = 3
    linewidth: int = 80
    sci_mode: bool | None = None


_PROFILES = {
    "default": PrintOptions(),
    "short": PrintOptions(precision=2, edgeitems=2),
    "full": PrintOptions(threshold=math.inf),
}

# The options of the whole process, as in PyTorch; replaced, never changed.
_options = PrintOptions()


def set_printoptions(
    precision: int | None = None,
    threshold: float | None = None,
    edgeitems: int | None = None,
    linewidth: int | None = None,
    profile: str | None = None,
    sci_mode: bool | None = None,
) -> None:
    """Set how tensors print.

    Parameters
    ----------
    precision
        Digits after the point.
    threshold
        With more elements than this, the middle of a tensor is left out.
    edgeitems
        How many elements then remain at either end of each dimension.
    linewidth
        Characters in a line.
    profile
        ``"default"``, ``"short"`` or ``"full"``: where the other options start from. As in
        PyTorch, any other name changes nothing.
    sci_mode
        Whether to use scientific notation; None lets the values decide, and is what every call
        that does not say otherwise returns to.

    Examples
    --------
    >>> set_printoptions(precision=2)
    >>> tensor_repr(np.float32([1.12345]))
    'tensor([1.12])'
    >>> set_printoptions(profile="default")
    >>> tensor_repr(np.float32([1.12345]))
    'tensor([1.1235])'
    """
    global _options
    _options = _changed(precision, threshold, edgeitems, linewidth, profile, sci_mode)


def _changed(
    precision: int | None = None,
    threshold: float | None = None,
    edgeitems: int | None = None,
    linewidth: int | None = None,
    profile: str | None = None,
    sci_mode: bool | None = None,
) -> PrintOptions:
    base = _PROFILES.get(profile, _options) if isinstance(profile, str) else _options
    given = {
        "precision": precision,
        "threshold": threshold,
        "edgeitems": edgeitems,
        "linewidth": linewidth,
    }
    changes: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    return dataclasses.replace(base, **changes, sci_mode=sci_mode)


def get_printoptions() -> dict[str, Any]:
    """Return the options in force, ready for ``set_printoptions(**options)``.

    Examples
    --------
    >>> get_printoptions()["linewidth"]
    80
    """
    return dataclasses.asdict(_options)


class printoptions(Block):  # noqa: N801 - PyTorch's name
    """Set options, as `set_printoptions` does, for the length of a ``with`` block.

    Parameters
    ----------
    **options
        Those of `set_printoptions`.

    Examples
    --------
    >>> with printoptions(sci_mode=True):
    ...     tensor_repr(np.float32(1.5))
    'tensor(1.5000e+00)'
    """

    def __init__(self, **options: Any) -> None:
        super().__init__()
        self._options = options

    def __enter__(self) -> None:
        global _options
        undo, end, options = self._undo, len(self._undo), _changed(**self._options)
        undo[end:] = (back_to(globals(), "_options"),)
        _options = options


# ------------------------------------------------------------------ elements


@dataclasses.dataclass(frozen=True)
class _Column:
    """How the elements of one tensor print, and how wide."""

    width: int
    text: Callable[[Any], str]


def _aligned(values: Sequence[Any], text: Callable[[Any], str], least: int = 1) -> _Column:
    """Return the column that is as wide as the widest of some values."""
    width = max((len(text(value)) for value in values), default=least)
    width = max(width, least)
    return _Column(width, lambda value: text(value).rjust(width))


def _float_column(values: Array, options: PrintOptions) -> _Column:
    """Choose between whole numbers, fixed point and scientific notation.

    Zeros, infinities and nan count neither for the choice nor for the width.
    """
    decisive = values[np.isfinite(values) & (values != 0)]
    whole = bool(np.all(decisive == np.ceil(decisive)))
    scientific = False
    if decisive.size:
        magnitudes = np.abs(decisive).astype(np.float64)
        least, most = float(magnitudes.min()), float(magnitudes.max())
        scientific = (
            most / least > 1000.0 or most > 1.0e8 or least < 1.0e-4
            if options.sci_mode is None
            else bool(options.sci_mode)
        )
    if scientific:
        spec = f".{options.precision}e"
    elif whole:
        return _aligned(decisive.tolist(), _whole_text)
    else:
        spec = f".{options.precision}f"
    return _aligned(decisive.tolist(), lambda value: format(value, spec))


def _whole_text(value: float) -> str:
    return f"{value:.0f}." if math.isfinite(value) else f"{value:.0f}"


def _complex_column(values: Array, options: PrintOptions) -> _Column:
    real = _float_column(values.real, options)
    imaginary = _float_column(values.imag, options)

    def text(value: complex) -> str:
        tail = imaginary.text(value.imag).lstrip() + "j"
        return real.text(value.real) + (tail if tail[0] in "+-" else "+" + tail)

    return _Column(real.width + imaginary.width + 1, text)


def _column(values: Array, options: PrintOptions) -> _Column:
    if values.dtype.kind == "c":
        return _complex_column(values.ravel(), options)
    if values.dtype.kind == "f":
        return _float_column(values.ravel(), options)
    return _aligned(values.ravel().tolist(), str)


# ------------------------------------------------------------------ layout


def _ends(data: Array, edgeitems: int) -> Array:
    """Return the elements that remain when the middle is left out: they set the column."""
    if edgeitems == 0 and data.ndim > 1:
        return data[:0]
    for axis, size in enumerate(data.shape):
        if size > 2 * edgeitems > 0:
            kept = [*range(edgeitems), *range(size - edgeitems, size)]
            data = data.take(kept, axis)
    return data


@dataclasses.dataclass(frozen=True)
class _Layout:
    """Brackets, commas and line breaks around the elements of one tensor."""

    column: _Column
    options: PrintOptions
    summarize: bool

    def lay(self, data: Array, indent: int) -> str:
        """Return the text of an array whose first bracket stands at column `indent`."""
        if data.ndim == 0:
            return self.column.text(data.item())
        if data.ndim == 1:
            return self._line(data, indent)
        edge = self.options.edgeitems
        if self.summarize and len(data) > 2 * edge:
            parts = [self.lay(part, indent + 1) for part in data[:edge]]
            parts.append("...")
            parts += [self.lay(part, indent + 1) for part in data[len(data) - edge :]]
        else:
            parts = [self.lay(part, indent + 1) for part in data]
        gap = "," + "\n" * (data.ndim - 1) + " " * (indent + 1)
        return "[" + gap.join(parts) + "]"

    def _line(self, data: Array, indent: int) -> str:
        edge, text = self.options.edgeitems, self.column.text
        if self.summarize and not edge:
            items = ["..."]
        elif self.summarize and len(data) > 2 * edge:
            items = [text(value) for value in data[:edge].tolist()]
            items.append(" ...")
            items += [text(value) for value in data[-edge:].tolist()]
        else:
            items = [text(value) for value in data.tolist()]
        step = max(1, math.floor((self.options.linewidth - indent) / (self.column.width + 2)))
        lines = [", ".join(items[i : i + step]) for i in range(0, len(items), step)]
        return "[" + (",\n" + " " * (indent + 1)).join(lines) + "]"


def _append(text: str, suffixes: Sequence[str], indent: int, linewidth: int) -> str:
    """Append what follows the values, on a new line where it would pass the line's end."""
    used = len(text) - text.rfind("\n") + 1
    for suffix in suffixes:
        if used + len(suffix) + 2 > linewidth:
            text += ",\n" + " " * indent + suffix
            used = indent + len(suffix)
        else:
            text += ", " + suffix
            used += len(suffix) + 2
    return text + ")"


# ------------------------------------------------------------------ the whole


def tensor_repr(
    data: Array,
    *,
    requires_grad: bool = False,
    grad_fn: str | None = None,
    default_float: npt.DTypeLike = np.float32,
    prefix: str = "tensor(",
    extra: Sequence[str] = (),
) -> str:
    """Return what PyTorch prints for a tensor of these values.

    Parameters
    ----------
    data
        The values: an array of any shape and memory layout.
    requires_grad
        Whether the tensor does; not shown beside a `grad_fn`.
    grad_fn
        The name of the tensor's gradient function.
    default_float
        The floating-point dtype that is not printed.
    prefix
        What the text starts with, up to the values.
    extra
        What follows all the rest, such as ``"tangent=..."``.

    Examples
    --------
    >>> tensor_repr(np.float32([1, 2]), grad_fn="MulBackward0")
    'tensor([1., 2.], grad_fn=<MulBackward0>)'
    >>> tensor_repr(np.array([0.5, np.nan]), requires_grad=True)
    'tensor([0.5000,    nan], dtype=torch.float64, requires_grad=True)'
    >>> tensor_repr(np.zeros((0, 3), np.float32))
    'tensor([], size=(0, 3))'
    """
    options = _options
    indent = len(prefix)
    data = np.asarray(data)
    floating = np.dtype(default_float)
    suffixes = []
    if data.ndim != 1 if data.size == 0 else not options.edgeitems:
        suffixes.append(f"size={data.shape}")
    # The dtype is printed unless the values show it; without values, unless it is the default.
    silent = {floating}
    if data.size:
        paired = np.dtype(np.complex128 if floating == np.float64 else np.complex64)
        silent |= {paired, np.dtype(np.int64), np.dtype(np.bool_)}
    if data.dtype not in silent:
        suffixes.append(f"dtype=torch.{data.dtype.name}")
    if grad_fn is not None:
        suffixes.append(f"grad_fn=<{grad_fn}>")
    elif requires_grad:
        suffixes.append("requires_grad=True")
    suffixes += extra
    if data.size:
        summarize = data.size > options.threshold
        column = _column(_ends(data, options.edgeitems) if summarize else data, options)
        values = _Layout(column, options, summarize).lay(data, indent)
    else:
        values = "[]"
    return _append(prefix + values, suffixes, indent, options.linewidth)


def format_element(data: Array, spec: str) -> str:
    """Return ``format(tensor, spec)`` of a tensor with one value: that of the Python number.

    Raises
    ------
    TypeError
        If `data` has dimensions; such a tensor formats only as its ``str``, without a `spec`.

    Examples
    --------
    >>> format_element(np.array(0.1, np.float32), ".10f")
    '0.1000000015'
    """
    if data.ndim:
        raise TypeError("unsupported format string passed to Tensor.__format__")
    return format(data.item(), spec)
