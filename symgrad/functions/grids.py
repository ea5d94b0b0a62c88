"""Images read at places that a grid names: `grid_sample`, and the grid of a map, `affine_grid`."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from symgrad.expr.dtypes import Category, int64, no_kernel
from symgrad.functions.creation.making import CREATION
from symgrad.ops.resampling import cubic_weights
from symgrad.record.tape import as_one_node
from symgrad.schema.public import FUNCTIONS, public
from symgrad.support.refusals import warn

_CORNERS = (
    "Default grid_sample and affine_grid behavior has changed to align_corners=False since 1.3.0. "
    "Please specify align_corners=True if the old behavior is desired. See the documentation of "
    "grid_sample for details."
)


def _where(condition: Any, x: Any, other: Any) -> Any:
    return FUNCTIONS["where"](condition, x, other)


def _in_elements(place: Any, count: int, corners: bool) -> Any:
    """Return places from -1 to 1 in elements of an axis, from 0 to `count - 1`."""
    return (place + 1) / 2 * (count - 1) if corners else ((place + 1) * count - 1) / 2


def _clipped(place: Any, count: int) -> Any:
    """Return places moved to the border; what lies on it or beyond has no derivative."""
    return _where(place.gt(0) & place.lt(count - 1), place, place.detach().clamp(0, count - 1))


def _reflected(place: Any, count: int, corners: bool) -> Any:
    """Return places reflected at the middles of outermost elements, or at their edges."""
    low, span = (0.0, count - 1) if corners else (-0.5, count)
    if not span:
        return place.detach() * 0
    beyond = place - low
    beyond = _where(beyond.lt(0), -beyond, beyond)
    turns = (beyond.detach() / span).floor()
    rest = beyond - turns * span
    return _where(turns.remainder(2).eq(0), rest + low, span - rest + low)


def _kept(place: Any, count: int, padding: str, corners: bool) -> Any:
    """Return places as they are where zeros lie around the image, else within it."""
    if padding == "zeros":
        return place
    return _clipped(_reflected(place, count, corners) if padding == "reflection" else place, count)


def _read(input: Any, places: Sequence[Any], bounded: bool) -> Any:
    """Return the elements at whole places, one for each axis, and zeros where there are none."""
    plane = tuple(input.shape[2:])
    inside, number = None, None
    for place, count in zip(places, plane, strict=True):
        found = place.ge(0) & place.le(count - 1)
        if not bounded:
            inside = found if inside is None else inside & found
        place = _where(found, place, 0.0)  # also where nan is no place
        place = place.to(int64)
        number = place if number is None else number * count + place
    assert number is not None
    n, c = input.shape[:2]
    shape = tuple(number.shape[1:])
    flat = number.reshape(n, 1, -1).expand(n, c, -1)
    found = input.reshape(n, c, -1).gather(2, flat).reshape((n, c, *shape))
    return found if inside is None else _where(inside.unsqueeze(1), found, 0.0)


def _weighed(
    input: Any, taps: Sequence[Sequence[tuple[Any, Any]]],
    read: Callable[[Sequence[Any]], Any],
) -> Any:  # fmt: skip
    """Return the sum over all combinations of taps, one of each axis, of elements and weights."""
    total = None
    for chosen in itertools.product(*taps):
        weight = chosen[0][1]
        for _, other in chosen[1:]:
            weight = weight * other
        part = read([place for place, _ in chosen]) * weight.unsqueeze(1)
        total = part if total is None else total + part
    return total


@public(
    "nn.functional.grid_sample(Tensor input, Tensor grid, str mode=bilinear, str padding_mode=zeros, bool? align_corners=None) -> Tensor",
    python=True,
    inner="grid_sampler(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners)",
)
def _grid_sample(
    input: Any, grid: Any, mode: str = "bilinear", padding_mode: str = "zeros",
    align_corners: bool | None = None,
) -> Any:  # fmt: skip
    """Return what images have at the places that a grid names.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        Of shape (N, C, H, W) or (N, C, D, H, W).
    grid : Tensor or ArrayExpr
        Of shape (N, *, 2) or (N, *, 3): places from -1 to 1, that along the last axis first.
    mode : "bilinear", "nearest" or "bicubic"
        What of the elements nearby counts.
    padding_mode : "zeros", "border" or "reflection"
        What lies beyond an image.
    align_corners : bool, optional
        Whether -1 and 1 are the middles of the outermost elements, or their edges.

    Raises
    ------
    ValueError
        If there is no such mode.
    RuntimeError
        If the shapes or dtypes do not fit.

    References
    ----------
    M. Jaderberg et al., "Spatial transformer networks" (2015).

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([[[[1.0, 2.0], [3.0, 4.0]]]])
    >>> grid = torch.tensor([[[[-1.0, -1.0], [0.0, 0.0], [1.0, 0.0]]]])
    >>> torch.nn.functional.grid_sample(x, grid, align_corners=True)
    tensor([[[[1.0000, 2.5000, 3.0000]]]])
    """
    for name, value, known in (
        ("mode", mode, "'bilinear', 'nearest' or 'bicubic'"),
        ("padding_mode", padding_mode, "'zeros', 'border', or 'reflection'"),
    ):
        if f"'{value}'" not in known:
            raise ValueError(
                f"nn.functional.grid_sample(): expected {name} to be {known}, but got: '{value}'"
            )
    if align_corners is None:
        warn(_CORNERS)
        align_corners = False
    _check(input, grid, mode)
    found = _sampled(input, grid, mode, padding_mode, align_corners)
    return as_one_node(found, f"GridSampler{len(input.shape) - 2}D", input, grid)


def _sampled(input: Any, grid: Any, mode: str, padding_mode: str, corners: bool) -> Any:
    """Return what an image has at the places of a grid."""
    plane = tuple(input.shape[2:])
    given = [_in_elements(grid[..., len(plane) - 1 - k], n, corners) for k, n in enumerate(plane)]

    def kept(places: Sequence[Any]) -> list[Any]:
        return [_kept(x, n, padding_mode, corners) for x, n in zip(places, plane, strict=True)]

    bounded = padding_mode != "zeros"
    if mode == "bicubic":
        taps = []
        for place in given:
            before = place.detach().floor()
            weights = cubic_weights(place - before)
            taps.append([(before + k - 1, weight) for k, weight in enumerate(weights)])
        return _weighed(input, taps, lambda places: _read(input, kept(places), bounded))
    places = kept(given)
    if mode == "nearest":
        found = _read(input, [x.detach().round() for x in places], bounded)
        # So the grid has a gradient, of zeros.
        return _where(CREATION["tensor"](True), found, given[0].unsqueeze(1))
    taps = []
    for place, n in zip(places, plane, strict=True):
        before = place.detach().floor()
        part = place - before
        after = (before + 1).clamp_max(n - 1) if bounded else before + 1
        taps.append([(before, 1 - part), (after, part)])
    return _weighed(input, taps, lambda places: _read(input, places, bounded))


def _check(input: Any, grid: Any, mode: str) -> None:
    """Raise PyTorch's error unless an image and a grid fit."""
    shape, places = tuple(input.shape), tuple(grid.shape)
    if shape[:1] != places[:1]:
        raise RuntimeError(
            "grid_sampler(): expected grid and input to have same batch size, but got input with "
            f"sizes {list(shape)} and grid with sizes {list(places)}"
        )
    if places[-1] != len(shape) - 2:
        raise RuntimeError(
            f"grid_sampler(): expected grid to have size {len(shape) - 2} in last dimension, but "
            f"got grid with sizes {list(places)}"
        )
    for k, n in enumerate(shape[2:], 2):
        if n <= 0:
            raise RuntimeError(
                "grid_sampler(): expected input to have non-empty spatial dimensions, but input "
                f"has sizes {list(shape)} with dimension {k} being empty"
            )
    if len(shape) not in (4, 5) or len(places) != len(shape):
        raise RuntimeError(
            "grid_sampler(): expected 4D or 5D input and grid with same number of dimensions, but "
            f"got input with sizes {list(shape)} and grid with sizes {list(places)}"
        )
    if len(shape) == 5 and mode == "bicubic":
        raise RuntimeError("grid_sampler(): bicubic interpolation only supports 4D input")
    if input.dtype is not grid.dtype:
        raise RuntimeError(
            f"expected scalar type {input.dtype.scalar_name} but found {grid.dtype.scalar_name}"
        )
    if input.dtype.category != Category.FLOAT:
        raise no_kernel("grid_sampler_2d_cpu", input.dtype)


@public(
    "nn.functional.affine_grid(Tensor theta, int[] size, bool? align_corners=None) -> Tensor",
    python=True,
    reads="is_floating_point",
    inner="affine_grid_generator(Tensor theta, int[] size, bool align_corners)",
)
def _affine_grid(theta: Any, size: Sequence[int], align_corners: bool | None = None) -> Any:
    """Return the grid for `grid_sample` that an affine map makes of the places of an image.

    Parameters
    ----------
    theta : Tensor or ArrayExpr
        Of shape (N, 2, 3) or (N, 3, 4): a matrix and a shift each.
    size : sequence of int
        The shape of the result of `grid_sample`, (N, C, H, W) or (N, C, D, H, W).
    align_corners : bool, optional
        Whether -1 and 1 are the middles of the outermost elements, or their edges.

    Raises
    ------
    ValueError
        If `theta` holds no floats, its shape does not fit, or the size is empty.
    NotImplementedError
        If the image has not two or three axes.

    Examples
    --------
    >>> import symgrad as torch
    >>> theta = torch.tensor([[[1.0, 0.0, 0.5], [0.0, 1.0, 0.0]]])
    >>> torch.nn.functional.affine_grid(theta, (1, 1, 1, 2), align_corners=False)
    tensor([[[[0., 0.],
              [1., 0.]]]])
    """
    if align_corners is None:
        warn(_CORNERS)
        align_corners = False
    if not theta.dtype.is_floating_point:
        raise ValueError(f"Expected theta to have floating point type, but got {theta.dtype}")
    shape = tuple(theta.shape)
    axes = len(size) - 2
    if axes not in (2, 3):
        raise NotImplementedError(
            "affine_grid only supports 4D and 5D sizes, for 2D and 3D affine transforms, "
            f"respectively. Got size {size}."
        )
    if len(shape) != 3 or shape[1:] != (axes, axes + 1):
        raise ValueError(
            f"Expected a batch of {axes}D affine matrices of shape Nx{axes}x{axes + 1} for size "
            f"{size}. Got {theta.shape}."
        )
    plane = tuple(size[2:])
    if align_corners and min(plane) == 1:
        warn(
            "Since version 1.3.0, affine_grid behavior has changed for unit-size grids when "
            "align_corners=True. This is not an intended use case of affine_grid. See the "
            "documentation of affine_grid for details."
        )
    elif min(size) <= 0:
        raise ValueError(f"Expected non-zero, positive output size. Got {size}")
    kind = theta.dtype.numpy
    lines = []
    for n in reversed(plane):
        # PyTorch's roundings say on which side of an element a place lies.
        line = CREATION["linspace"](-1, 1, n, dtype=theta.dtype).numpy() if n > 1 else [0.0]
        line = np.asarray(line, kind)
        lines.append(line if align_corners else line * kind.type(n - 1) / kind.type(n))
    planes = np.meshgrid(*reversed(lines), indexing="ij")[::-1]
    base = np.stack([*planes, np.ones(plane, kind)], -1).reshape(1, -1, axes + 1)
    places = CREATION["tensor"](base).expand(size[0], -1, -1)
    grid = (places @ theta.transpose(1, 2)).reshape((size[0], *plane, axes))
    return as_one_node(grid, "AffineGridGenerator", theta)
