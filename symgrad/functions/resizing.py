"""Images of another size: `interpolate`, `upsample` and their kin.

What they take of the input is in `symgrad.ops.resampling`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from symgrad.expr.dtypes import Category, no_kernel
from symgrad.ops.primitive import bind
from symgrad.ops.resampling import is_unchanged, resample
from symgrad.record.face import nothing, shows
from symgrad.schema.public import SPACES, public
from symgrad.support.refusals import warn


def _name(node: Any) -> str:
    """Return PyTorch's name of a node."""
    rank = len(node.sizes)
    title = {
        "nearest": "Nearest", "nearest of few": "Nearest", "middle": "NearestExact",
        "linear": ("Linear", "Bilinear", "Trilinear")[rank - 1], "cubic": "Bicubic",
        "tent": "Bilinear", "bump": "Bicubic", "lanczos": "Lanczos",
    }[node.way]  # fmt: skip
    return f"Upsample{title}{rank}D{'Aa' * (node.way in ('tent', 'bump', 'lanczos'))}"


shows(resample, name=_name, facts=nothing)


class _Mode(NamedTuple):
    """What a mode is for, and its taps.

    Attributes
    ----------
    axes : tuple of int
        How many axes there may be.
    way : str
        The taps; none where the mean over an area is taken, or there are none but smoothed ones.
    smoothed : str
        Those against aliasing.
    """

    axes: tuple[int, ...]
    way: str
    smoothed: str = ""


def _mode(name: str) -> _Mode | None:
    """Return a mode by its name; None where there is none."""
    any_axes = (1, 2, 3)
    return {
        "nearest": _Mode(any_axes, "nearest"),
        "nearest-exact": _Mode(any_axes, "middle"),
        "area": _Mode(any_axes, ""),
        "linear": _Mode((1,), "linear"),
        "bilinear": _Mode((2,), "linear", "tent"),
        "trilinear": _Mode((3,), "linear"),
        "bicubic": _Mode((2,), "cubic", "bump"),
        "lanczos": _Mode((2,), "", "lanczos"),
    }.get(name)


def _is_whole(n: Any) -> bool:
    return isinstance(n, (int, np.integer)) or (
        hasattr(n, "dtype") and not n.dtype.is_floating_point
    )


def _sizes_of(
    input: Any, size: Any, scale_factor: Any, recompute: bool | None, mode: str
) -> tuple[list[int], tuple[float, ...]]:
    """Return the lengths of the axes, and how they were given in those of the input, else zeros."""
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
        return [int(n) for n in size], (0.0,) * count
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
    return found, (0.0,) * count if again else tuple([max(s, 0.0) for s in scales])


@public(
    "nn.functional.interpolate(Tensor input, object size=None, object scale_factor=None, str mode=nearest, bool? align_corners=None, bool? recompute_scale_factor=None, bool antialias=False) -> Tensor",
    python=True,
    reads="dim",
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
    way = known.smoothed if antialias else known.way
    if not known.way and (align_corners or not way):
        raise ValueError(
            "Lanczos mode does not support align_corners=True"
            if align_corners
            else "Lanczos mode requires antialias=True"
        )
    _check(input, sizes, mode)
    if mode == "nearest" and len(sizes) == 2 and sum(sizes) <= 128:
        way = "nearest of few"
    params = tuple(sizes), scales, bool(align_corners), way
    if is_unchanged(tuple(input.shape[2:]), *params, input.dtype.numpy):
        return input.clone()
    return bind(resample, (input,), params)


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
    reads="dim",
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
    reads="dim",
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
    reads="dim",
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
