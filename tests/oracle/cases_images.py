"""Images of another size, and read at places of a grid."""

from __future__ import annotations

from typing import Any

from .table import Differs, f, f32, i, table, v

case = table("images", rtol=1e-9)
CASES = case.cases


def _call(name: str, *given: Any, **options: Any) -> Any:
    return lambda t, *xs: getattr(t.nn.functional, name)(*xs, *given, **options)


_PLANES = {1: (5,), 2: (3, 4), 3: (2, 3, 2)}
for rank, plane in _PLANES.items():
    smooth = ("linear", "bilinear", "trilinear")[rank - 1]
    for mode in ("nearest", "nearest-exact", smooth, *(("bicubic",) if rank == 2 else ())):
        is_taken = mode.startswith("nearest")
        how = {"exact": is_taken}
        name, x = f"interpolate-{mode}{rank}d", f(1, 2, *plane)
        case(f"{name}-scale", _call("interpolate", scale_factor=1.7, mode=mode), x, **how)
        case(
            f"{name}-less",
            _call("interpolate", scale_factor=0.6, mode=mode),
            f(2, 1, *plane),
            **how,
        )
        case(f"{name}-size", _call("interpolate", (7, 2, 5)[:rank], mode=mode), x, **how)
        case(
            f"{name}-again",
            _call("interpolate", scale_factor=1.7, mode=mode, recompute_scale_factor=True),
            x, **how,
        )  # fmt: skip
        if not is_taken:
            case(f"{name}-corners", _call("interpolate", 6, None, mode, True), x, **how)
            case(f"{name}-one", _call("interpolate", 1, None, mode, True), x, **how)
            case(
                f"{name}-single", _call("interpolate", 6, mode=mode), f32(1, 2, *plane),
                rtol=1e-6, slack=8,
            )  # fmt: skip
    case(f"interpolate-area{rank}d", _call("interpolate", 2, mode="area"), x)
    case(f"interpolate-area{rank}d-scale", _call("interpolate", None, 0.7, "area"), x)
    case(f"interpolate-integers{rank}d", _call("interpolate", 2), i(1, 2, *plane))
    case(f"interpolate-none{rank}d", _call("interpolate", 0), f(1, 2, *plane))
    case(f"interpolate-empty{rank}d", _call("interpolate", 2, mode=smooth), f(0, 0, *plane))
for mode in ("bilinear", "bicubic", "lanczos"):
    name = f"interpolate-{mode}-smoothed"
    for size in (2, 7):
        case(
            f"{name}-{size}", _call("interpolate", size, mode=mode, antialias=True), f(1, 2, 6, 5),
        )  # fmt: skip
    if mode != "lanczos":
        case(
            f"{name}-corners", _call("interpolate", (3, 2), None, mode, True, antialias=True),
            f(1, 1, 6, 5),
        )  # fmt: skip
case(
    "interpolate-same", _call("interpolate", (3, 4), mode="bilinear"), f(1, 2, 3, 4),
    differs=Differs("nothing is taken", node="CloneBackward0"),
)  # fmt: skip
case("interpolate-mode", _call("interpolate", 2, mode="linear"), f(1, 2, 3, 4))
case("interpolate-vector", _call("interpolate", 2), f(3))

for name, given in (
    ("upsample", (4,)),
    ("upsample_nearest", (4,)),
    ("upsample_bilinear", (5,)),
):
    case(name.replace("_", "-"), _call(name, *given), f(1, 2, 3, 2))

_GRIDS = {2: ((1, 2, 3, 4), (1, 2, 3, 2)), 3: ((1, 1, 2, 3, 2), (1, 2, 1, 2, 3))}
for rank, (shape, places) in _GRIDS.items():
    for mode in ("bilinear", "nearest", *(("bicubic",) if rank == 2 else ())):
        for padding in ("zeros", "border", "reflection"):
            for corners in (True, False):
                end = "-corners" if corners else ""
                case(
                    f"grid-sample-{mode}-{padding}{rank}d{end}",
                    _call("grid_sample", mode, padding, corners),
                    f(*shape), f(*places, lo=-1.6, hi=1.6),
                )  # fmt: skip
_EDGES = [[[[-1.0, 1.0], [0.0, 0.0], [-1.0, -0.5]]]]
case(
    "grid-sample-edges", _call("grid_sample", "bilinear", "border", True), f(1, 1, 3, 3), v(_EDGES),
)  # fmt: skip
case("grid-sample-batch", _call("grid_sample", align_corners=True), f(2, 1, 3, 3), f(1, 2, 2, 2))
case("grid-sample-axes", _call("grid_sample", align_corners=True), f(1, 1, 3, 3), f(1, 2, 2, 3))
case("grid-sample-dtype", _call("grid_sample", align_corners=True), f32(1, 1, 3, 3), f(1, 2, 2, 2))
_MAPPED = Differs("a product of matrices, in another shape", freed=True)
for rank in (2, 3):
    for corners in (True, False):
        case(
            f"affine-grid-{rank}d{'-corners' if corners else ''}",
            _call("affine_grid", (2, 1, 3, 2, 1)[: rank + 2], corners), f(2, rank, rank + 1),
            differs=_MAPPED,
        )  # fmt: skip
case("affine-grid-shape", _call("affine_grid", (1, 1, 3, 2), True), f(1, 3, 3))
case("affine-grid-vector", _call("affine_grid", (1, 1, 3), True), f(1, 2, 3))
