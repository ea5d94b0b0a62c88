"""Images of another size: `interpolate`, `upsample` and their kin.

Along each axis, an element of the result is a weighted sum of a few elements of the input, the taps.
Which elements and which weights is known from the sizes alone: `_Axis`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from symgrad.expr.dtypes import Category, float32, float64, no_kernel
from symgrad.functions.creation.making import CREATION
from symgrad.schema.public import FUNCTIONS, SPACES, public
from symgrad.support.refusals import warn

Array = np.ndarray[Any, Any]


class _Axis(NamedTuple):
    """An axis of the input and of the result.

    Attributes
    ----------
    length, made : int
        The numbers of elements.
    scale : float or None
        How many elements of the result there are for one of the input, if it was given.
    corners : bool
        Whether the first and last elements of both lie at the same places, not their outer edges.
    kind : type
        The type that PyTorch computes places and weights in.
    """

    length: int
    made: int
    scale: float | None
    corners: bool
    kind: type[np.floating[Any]]

    def step(self) -> Any:
        """Return how far apart the elements of the result lie in the input."""
        if self.corners:
            apart = self.made - 1
            return self.kind(self.length - 1) / self.kind(apart) if apart > 0 else self.kind(0)
        if self.scale is not None and self.scale > 0:
            return self.kind(1.0 / self.scale)
        return self.kind(self.length) / self.kind(self.made)

    def places(self) -> Array:
        """Return where the elements of the result lie in the input."""
        each, step = np.arange(self.made).astype(self.kind), self.step()
        if self.corners:
            return np.asarray(step * each)
        # As processors do, and PyTorch with them: rounded once.
        half = np.longdouble(0.5)
        found = np.longdouble(step) * (each + self.kind(0.5)).astype(np.longdouble) - half
        return np.asarray(found.astype(self.kind))


#: For each tap: the element that each element of the result has there, its weight, and whether there
#: is one, where some have fewer. Weights of None are 1.
Taps = list[tuple[Array, Array | None, Array | None]]


def _nearest(axis: _Axis, shift: float = 0.0) -> Taps:
    each = np.arange(axis.made).astype(axis.kind) + axis.kind(shift)
    found = np.floor((each * axis.step()).astype(np.float32)).astype(np.int64)
    return [(np.minimum(found, axis.length - 1), None, None)]


def _nearest_of_few(axis: _Axis) -> Taps:
    """Return what PyTorch takes in small images, where the lengths count more than the scale."""
    if axis.made in (axis.length, 2 * axis.length):
        return [(np.arange(axis.made) // (axis.made // axis.length), None, None)]
    return _nearest(axis._replace(kind=np.float32))


def _nearest_middle(axis: _Axis) -> Taps:
    return _nearest(axis, 0.5)


def _parted(places: Array, count: int) -> tuple[Array, Array]:
    """Return the elements before places, and how far beyond them these lie, from 0 to 1."""
    before = np.minimum(np.floor(places).astype(np.int64), count - 1)
    return before, np.clip(places - before.astype(places.dtype), 0, 1).astype(places.dtype)


def _linear(axis: _Axis) -> Taps:
    if axis.length == axis.made:
        each = np.arange(axis.made)
        return [(each, None, None)]
    before, part = _parted(np.maximum(axis.places(), 0), axis.length)
    after = np.minimum(before + 1, axis.length - 1)
    return [(before, 1 - part, None), (after, part, None)]


def cubic_weights(part: Any) -> list[Any]:
    """Return the weights of four neighbours, of which the place lies `part` beyond the second.

    References
    ----------
    R. Keys, "Cubic convolution interpolation for digital image processing" (1981), with a = -3/4.
    """
    a = -0.75

    def near(x: Any) -> Any:
        return ((a + 2) * x - (a + 3)) * x * x + 1

    def far(x: Any) -> Any:
        return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a

    return [far(part + 1), near(part), near(1 - part), far(2 - part)]


def _cubic(axis: _Axis) -> Taps:
    before, part = _parted(axis.places(), axis.length)
    return [
        (np.clip(before + k - 1, 0, axis.length - 1), weight, None)
        for k, weight in enumerate(cubic_weights(part))
    ]


def _tent(x: Array) -> Array:
    return np.asarray(np.maximum(1 - np.abs(x), 0))


def _cubic_bump(x: Array) -> Array:
    x = np.abs(x)
    near = (1.5 * x - 2.5) * x * x + 1
    far = (((x - 5) * x + 8) * x - 4) * -0.5
    return np.where(x < 1, near, np.where(x < 2, far, 0))


def _lanczos_bump(x: Array) -> Array:
    return np.where(np.abs(x) < 3, np.sinc(x) * np.sinc(x / 3), 0)


def _smoothed(bump: Callable[[Array], Array], width: int) -> Callable[[_Axis], Taps]:
    """Return the taps of means under a bump, which is as wide as what an element stands for."""

    def taps(axis: _Axis) -> Taps:
        kind, step = axis.kind, axis.step()
        reach = kind(width / 2) * max(step, kind(1))
        middle = step * (np.arange(axis.made).astype(kind) + kind(0.5))
        first = np.maximum((middle - reach + kind(0.5)).astype(np.int64), 0)
        last = np.minimum((middle + reach + kind(0.5)).astype(np.int64), axis.length)
        counts = np.clip(last - first, 0, math.ceil(reach) * 2 + 1)
        places = first[:, None] + np.arange(max(counts, default=0))
        inside = places < (first + counts)[:, None]
        over = kind(1) / max(step, kind(1))
        weights = bump((places - middle[:, None] + kind(0.5)).astype(kind) * over)
        weights = np.where(inside, weights, 0).astype(kind)
        weights /= weights.sum(1, keepdims=True)
        places = np.where(inside, places, first[:, None])
        return [
            (places[:, k], weights[:, k], None if inside[:, k].all() else inside[:, k])
            for k in range(places.shape[1])
        ]

    return taps


class _Mode(NamedTuple):
    """What a mode is for, and its taps.

    Attributes
    ----------
    axes : tuple of int
        How many axes there may be.
    taps : callable or None
        The taps; None where the mean over an area is taken, or there are none but smoothed ones.
    smoothed : callable or None
        Those against aliasing.
    """

    axes: tuple[int, ...]
    taps: Callable[[_Axis], Taps] | None
    smoothed: Callable[[_Axis], Taps] | None = None


def _mode(name: str) -> _Mode | None:
    """Return a mode by its name; None where there is none."""
    any_axes = (1, 2, 3)
    return {
        "nearest": _Mode(any_axes, _nearest),
        "nearest-exact": _Mode(any_axes, _nearest_middle),
        "area": _Mode(any_axes, None),
        "linear": _Mode((1,), _linear),
        "bilinear": _Mode((2,), _linear, _smoothed(_tent, 2)),
        "trilinear": _Mode((3,), _linear),
        "bicubic": _Mode((2,), _cubic, _smoothed(_cubic_bump, 4)),
        "lanczos": _Mode((2,), None, _smoothed(_lanczos_bump, 6)),
    }.get(name)


def _along(x: Any, axis: int, taps: Taps) -> Any:
    """Return weighted sums of elements along an axis."""
    total = None
    for places, weights, inside in taps:
        part = x
        if not np.array_equal(places, np.arange(x.shape[axis])):
            part = x.index_select(axis, CREATION["tensor"](places))
        shape = [-1] + [1] * (len(x.shape) - axis - 1)
        if weights is not None:
            part = part * CREATION["tensor"](weights.reshape(shape), dtype=x.dtype)
        if inside is not None:
            part = FUNCTIONS["where"](CREATION["tensor"](inside.reshape(shape)), part, 0.0)
        total = part if total is None else total + part
    return total


def _is_whole(n: Any) -> bool:
    return isinstance(n, (int, np.integer)) or (
        hasattr(n, "dtype") and not n.dtype.is_floating_point
    )


def _sizes_of(
    input: Any, size: Any, scale_factor: Any, recompute: bool | None, mode: str
) -> tuple[list[int], list[float | None]]:
    """Return the lengths of the axes, and how they were given in those of the input, if so."""
    plane = list(input.shape[2:])
    count, layout = len(plane), "(N, C, d1, d2, ...,dK)"
    if size is not None and scale_factor is not None:
        raise ValueError("only one of size or scale_factor should be defined")
    if size is None and scale_factor is None:
        raise ValueError("either size or scale_factor should be defined")
    if size is not None and recompute:
        raise ValueError("recompute_scale_factor is not meaningful with an explicit size.")
    if size is not None:
        if not isinstance(size, (list, tuple)):
            size = [size] * count
        if len(size) != count:
            raise ValueError(
                "Input and output must have the same number of spatial dimensions, but got input "
                f"with spatial dimensions of {plane} and output size of {size}. Please provide "
                f"input tensor in {layout} format and output size in (o1, o2, ...,oK) format."
            )
        if not all(_is_whole(n) for n in size):
            raise TypeError(
                "expected size to be one of int or Tuple[int] or Tuple[int, int] or Tuple[int, "
                f"int, int], but got size with types {[type(n) for n in size]}"
            )
        return [int(n) for n in size], [None] * count
    if not isinstance(scale_factor, (list, tuple)):
        scale_factor = [scale_factor] * count
    if len(scale_factor) != count:
        raise ValueError(
            "Input and scale_factor must have the same number of spatial dimensions, but got input "
            f"with spatial dimensions of {plane} and scale_factor of shape {scale_factor}. Please "
            f"provide input tensor in {layout} format and scale_factor in (s1, s2, ...,sK) format."
        )
    scales = [float(s) for s in scale_factor]
    found = [int(n * s) for n, s in zip(plane, scales, strict=True)]
    again = recompute or mode == "area"
    return found, [None] * count if again else [*scales]


@public(
    "nn.functional.interpolate(Tensor input, object size=None, object scale_factor=None, str mode=nearest, bool? align_corners=None, bool? recompute_scale_factor=None, bool antialias=False) -> Tensor",
    python=True,
)
def _interpolate(
    input: Any, size: Any = None, scale_factor: Any = None, mode: str = "nearest",
    align_corners: bool | None = None, recompute_scale_factor: bool | None = None,
    antialias: bool = False,
) -> Any:  # fmt: skip
    """Return images of another size, the elements of which are means of those nearby.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        Of shape (N, C, *), with one to three more axes, which get another size.
    size : int or sequence of int, optional
        The lengths of these axes.
    scale_factor : float or sequence of float, optional
        How many times as long they become, where `size` is not given.
    mode : str
        "nearest", "nearest-exact" or "area"; "linear", "bilinear" and "trilinear" of one, two and
        three axes; "bicubic", and "lanczos" against aliasing, of two.
    align_corners : bool, optional
        Whether the middles of the outermost elements stay where they are, not their edges.
    recompute_scale_factor : bool, optional
        Whether the rounded lengths, not `scale_factor`, say how far apart elements lie.
    antialias : bool
        Whether means are taken over all that an element of a smaller image stands for.

    Raises
    ------
    ValueError
        If sizes or options do not fit.
    NotImplementedError
        If the mode is not one of so many axes.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([[[1.0, 3.0]]])
    >>> torch.nn.functional.interpolate(x, scale_factor=2)
    tensor([[[1., 1., 3., 3.]]])
    >>> torch.nn.functional.interpolate(x, size=4, mode="linear")
    tensor([[[1.0000, 1.5000, 2.5000, 3.0000]]])
    """
    straight = mode in ("nearest", "area", "nearest-exact")
    if straight and align_corners is not None:
        raise ValueError(
            "align_corners option can only be set with the interpolating modes: linear | bilinear "
            "| bicubic | trilinear"
        )
    sizes, scales = _sizes_of(input, size, scale_factor, recompute_scale_factor, mode)
    rank, known = len(input.shape), _mode(mode)
    if antialias and not (known is not None and known.smoothed and rank == 4):
        raise ValueError(
            "Anti-alias option is restricted to bilinear, bicubic, and lanczos modes and requires "
            "a 4-D tensor as input"
        )
    if known is None or rank - 2 not in known.axes:
        raise _refused(mode, known, rank)
    if mode == "area":
        return SPACES["nn.functional"][f"adaptive_avg_pool{rank - 2}d"](input, sizes)
    taps = known.smoothed if antialias else known.taps
    if known.taps is None and (align_corners or taps is None):
        raise ValueError(
            "Lanczos mode does not support align_corners=True"
            if align_corners
            else "Lanczos mode requires antialias=True"
        )
    assert taps is not None
    _check(input, sizes, mode)
    if mode == "nearest" and len(sizes) == 2 and sum(sizes) <= 128:
        taps = _nearest_of_few
    return _resized(input, sizes, scales, bool(align_corners), taps)


def _resized(
    input: Any, sizes: Sequence[int], scales: Sequence[float | None], corners: bool,
    taps: Callable[[_Axis], Taps],
) -> Any:  # fmt: skip
    kind = input.dtype
    inside = float64 if kind is float64 else float32
    x = input.to(inside)
    number = np.float64 if kind is float64 else np.float32
    for k in reversed(range(len(sizes))):
        axis = _Axis(int(x.shape[2 + k]), sizes[k], scales[k], corners, number)
        x = _along(x, 2 + k, taps(axis))
    return input.clone() if x is input else x.to(kind)


def _refused(name: str, mode: _Mode | None, rank: int) -> NotImplementedError:
    """Return PyTorch's error for a mode that is not one of so many axes."""
    if 3 <= rank <= 5 and mode is not None and name.endswith("linear"):
        return NotImplementedError(
            f"Got {rank}D input, but {name} mode needs {mode.axes[0] + 2}D input"
        )
    return NotImplementedError(
        f"Input Error: Only 3D, 4D and 5D input Tensors supported (got {rank}D) for the modes: "
        "nearest | linear | bilinear | bicubic | trilinear | lanczos | area | nearest-exact (got "
        f"{name})"
    )


def _check(input: Any, sizes: Sequence[int], mode: str) -> None:
    """Raise PyTorch's error unless there are elements, of a dtype that has means."""
    plane = tuple(input.shape[2:])
    if min(*plane, *sizes) <= 0:
        shown = [
            ", ".join(f"{a}: {n}" for a, n in zip("DHW"[-len(plane) :], lengths, strict=True))
            for lengths in (plane, sizes)
        ]
        joint = "and " if len(plane) == 1 else ""
        raise RuntimeError(
            f"Input and output sizes should be greater than 0, but got input ({shown[0]}) {joint}output "
            f"({shown[1]})"
        )
    if 0 in input.shape[1:]:
        raise RuntimeError(
            f"Non-empty {len(input.shape)}D data tensor expected but got a tensor with sizes "
            f"{list(input.shape)}"
        )
    if input.dtype.category != Category.FLOAT:
        words = {"nearest": "nearest", "nearest-exact": "nearest", "bicubic": "cubic"}
        raise no_kernel(f"compute_indices_weights_{words.get(mode, 'linear')}", input.dtype)


@public(
    "nn.functional.upsample(Tensor input, object size=None, object scale_factor=None, str mode=nearest, bool? align_corners=None) -> Tensor",
    python=True,
)
def _upsample(
    input: Any, size: Any = None, scale_factor: Any = None, mode: str = "nearest",
    align_corners: bool | None = None,
) -> Any:  # fmt: skip
    """Return `interpolate` of these arguments, with a warning: the name is an old one.

    Parameters
    ----------
    input, size, scale_factor, mode, align_corners
        As those of `interpolate`.

    Examples
    --------
    >>> import symgrad as torch, warnings
    >>> x = torch.tensor([[[1.0, 3.0]]])
    >>> with warnings.catch_warnings(action="ignore"):
    ...     torch.nn.functional.upsample(x, 4)
    tensor([[[1., 1., 3., 3.]]])
    """
    _warn_of_name("upsample")
    return _interpolate(input, size, scale_factor, mode, align_corners)


def _warn_of_name(name: str) -> None:
    warn(f"`nn.functional.{name}` is deprecated. Use `nn.functional.interpolate` instead.")


@public(
    "nn.functional.upsample_nearest(Tensor input, object size=None, object scale_factor=None) -> Tensor",
    python=True,
)
def _upsample_nearest(input: Any, size: Any = None, scale_factor: Any = None) -> Any:
    """Return `interpolate` in the mode "nearest", with a warning: the name is an old one.

    Parameters
    ----------
    input, size, scale_factor
        As those of `interpolate`.

    Examples
    --------
    >>> import symgrad as torch, warnings
    >>> with warnings.catch_warnings(action="ignore"):
    ...     torch.nn.functional.upsample_nearest(torch.tensor([[[1.0, 3.0]]]), 4)
    tensor([[[1., 1., 3., 3.]]])
    """
    _warn_of_name("upsample_nearest")
    return _interpolate(input, size, scale_factor)


@public(
    "nn.functional.upsample_bilinear(Tensor input, object size=None, object scale_factor=None) -> Tensor",
    python=True,
)
def _upsample_bilinear(input: Any, size: Any = None, scale_factor: Any = None) -> Any:
    """Return `interpolate` in the mode "bilinear", corners aligned, with a warning: the name is old.

    Parameters
    ----------
    input, size, scale_factor
        As those of `interpolate`.

    Examples
    --------
    >>> import symgrad as torch, warnings
    >>> x = torch.tensor([[[[1.0, 3.0]]]])
    >>> with warnings.catch_warnings(action="ignore"):
    ...     torch.nn.functional.upsample_bilinear(x, (1, 3))
    tensor([[[[1., 2., 3.]]]])
    """
    _warn_of_name("upsample_bilinear")
    return _interpolate(input, size, scale_factor, "bilinear", True)
