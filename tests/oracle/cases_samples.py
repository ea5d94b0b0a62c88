"""Differences, integrals, distances, covariance, combinations, beyond samples of schemas."""

from __future__ import annotations

import itertools
import math

from .table import Differs, Table, b, c, f, i, table, v

case: Table = table("samples")

# ---------------------------------------------------------------- along an axis

case("diff-twice", lambda t, x: t.diff(x, n=2, dim=0), f(4, 3))
case("diff-beyond", lambda t, x: t.diff(x, n=5), f(3))
case("diff-ends", lambda t, x, y: t.diff(x, dim=0, prepend=y, append=2 * y), f(2, 3), f(1, 3))
case("diff-ends-rank", lambda t, x, y: t.diff(x, prepend=y), f(2, 3), f(3))
case("diff-ends-shape", lambda t, x, y: t.diff(x, prepend=y), f(2, 3), f(1, 3))
case("diff-negative", lambda t, x: t.diff(x, n=-1), f(3))
for order in (1, 2):
    case(f"gradient-{order}", lambda t, x, n=order: t.gradient(x, edge_order=n), f(3, 4))
    case(
        f"gradient-places-{order}",
        lambda t, x, y, n=order: t.gradient(x, spacing=(y.cumsum(0),), edge_order=n),
        f(5), f(5, lo=0.5, hi=1.0, grad=False),
    )  # fmt: skip
case("gradient-step", lambda t, x: t.gradient(x, spacing=2.5, dim=1), c(3, 4))
case("gradient-steps", lambda t, x: t.gradient(x, spacing=[2.0, 0.5]), f(3, 4))
case("gradient-integers", lambda t, x: t.gradient(x), i(4))
case("gradient-short", lambda t, x: t.gradient(x, edge_order=2), f(2))
case("gradient-order", lambda t, x: t.gradient(x, edge_order=3), f(5))
case("gradient-lists", lambda t, x: t.gradient(x, spacing=[1.0]), f(3, 4))
for name in ("trapezoid", "cumulative_trapezoid"):
    words = name.replace("_", "-")
    case(f"{words}-step", lambda t, y, n=name: getattr(t, n)(y, dx=0.5, dim=0), f(4, 3))
    case(f"{words}-places", lambda t, y, x, n=name: getattr(t, n)(y, x), f(2, 4), f(4))
    case(f"{words}-grid", lambda t, y, x, n=name: getattr(t, n)(y, x, dim=0), f(2, 4), f(2, 4))
    case(f"{words}-one", lambda t, y, n=name: getattr(t, n)(y), c(1))
    case(f"{words}-integers", lambda t, y, n=name: getattr(t, n)(y), i(4))
    case(f"{words}-bools", lambda t, y, n=name: getattr(t, n)(y), b(4))
    case(f"{words}-missing", lambda t, y, x, n=name: getattr(t, n)(y, x), f(4), f(3))
case("trapz-step", lambda t, y: t.trapz(y, dx=0.5), f(4))

# ---------------------------------------------------------------- of several

case("block-diag", lambda t, x, y, z: t.block_diag(x, y, z), f(2, 3), f(4), f())
case("block-diag-empty", lambda t, x, y: t.block_diag(x, y), f(2, 3), f(0))
case("block-diag-kinds", lambda t, x, y: t.block_diag(x, y), c(2), i(3))
case("block-diag-cube", lambda t, x: t.block_diag(x), f(2, 3, 1))
case("kron-ranks", lambda t, x, y: t.kron(x, y), f(2, 3), c(2))
case("combinations-three", lambda t, x: t.combinations(x, 3, with_replacement=True), f(3))
case("combinations-none", lambda t, x: t.combinations(x, 0), f(3))
case("combinations-beyond", lambda t, x: t.combinations(x, 4), f(3))

# ---------------------------------------------------------------- distances, covariance

_ROWS = [[1.0, 2.0], [1.0, 2.0], [4.0, 6.5], [0.0, 0.25]]
_FURTHER = "PyTorch has the first derivative alone"


def pairs(x):
    """The differences of each row and those after it."""
    first, second = zip(*itertools.combinations(range(x.shape[0]), 2), strict=True)
    return x[[*first]] - x[[*second]]


for p in (0.5, 1.0, 2.0, 3.5, float("inf")):
    name = str(p).replace(".", "-")
    euclidean = p == 2.0
    of_one, of_two = [
        Differs(_FURTHER, as_case=f"samples-{word}-formula") if euclidean else None
        for word in ("pdist", "cdist")
    ]
    case(
        f"cdist-{name}", lambda t, x, y, p=p: t.cdist(x, y, p=p),
        f(4, 3, grad=euclidean), f(2, 3, grad=euclidean), differs=of_two,
    )  # fmt: skip
    case(f"pdist-{name}", lambda t, x, p=p: t.pdist(x, p), f(4, 3, grad=euclidean), differs=of_one)
case("cdist-formula", lambda t, x, y: (x[:, None] - y).norm(dim=-1), f(4, 3), f(2, 3))
case("pdist-formula", lambda t, x: pairs(x).norm(dim=1), f(4, 3))
for p in (0.0, 1.0, 2.0):
    case(f"cdist-equal-{p:g}", lambda t, x, p=p: t.cdist(x, x, p=p), v(_ROWS, grad=False))
    case(f"pdist-equal-{p:g}", lambda t, x, p=p: t.pdist(x, p), v(_ROWS, grad=False))
case(
    "cdist-stack", lambda t, x, y: t.cdist(x, y), f(2, 4, 3), f(5, 3),
    differs=Differs(_FURTHER, as_case="samples-cdist-stack-formula"),
)  # fmt: skip
for word, p in {"inf": float("inf"), "2": 2.0, "0": 0.0}.items():
    case(f"cdist-no-columns-{word}", lambda t, x, p=p: t.cdist(x, x, p=p), f(3, 0, grad=False))
    case(f"pdist-no-columns-{word}", lambda t, x, p=p: t.pdist(x, p=p), f(3, 0, grad=False))
case("cartesian_prod-2d", lambda t, x: t.cartesian_prod(x, x), f(2, 2))
case("cartesian_prod-0d", lambda t, x: t.cartesian_prod(x), f())
case("cdist-stack-formula", lambda t, x, y: (x[:, :, None] - y).norm(dim=-1), f(2, 4, 3), f(5, 3))
case("cdist-vector", lambda t, x: t.cdist(x, x), f(3))
case("cdist-columns", lambda t, x, y: t.cdist(x, y), f(2, 3), f(2, 2))
case("cdist-negative", lambda t, x: t.cdist(x, x, p=-1.0), f(2, 2))
case("cdist-integers", lambda t, x: t.cdist(x, x), i(2, 2))
case("pdist-one", lambda t, x: t.pdist(x), f(1, 3, grad=False))
_COUNTS, _WEIGHTS = v([1, 2, 1, 3], "int64"), f(4, lo=0.5, hi=1.5, grad=False)
case("cov-counts", lambda t, x, n: t.cov(x, fweights=n), f(2, 4), _COUNTS)
case("cov-weights", lambda t, x, w: t.cov(x, aweights=w), f(2, 4), _WEIGHTS)
case("cov-both", lambda t, x, n, w: t.cov(x, fweights=n, aweights=w), f(2, 4), _COUNTS, _WEIGHTS)
case("cov-uncorrected", lambda t, x: t.cov(x, correction=0), c(2, 4))
case("cov-cube", lambda t, x: t.cov(x), f(1, 2, 3))
case("cov-weights-zero", lambda t, x, n: t.cov(x, fweights=n * 0), f(2, 4), _COUNTS)
case("cov-no-weights", lambda t, x, w: t.cov(x[:, :0], aweights=w[:0]), f(2, 4), _WEIGHTS)
case("cov-wrong-weights", lambda t, x, n: t.cov(x, aweights=n), f(2, 4), _COUNTS)
case("cov-negative", lambda t, x, n: t.cov(x, fweights=-n), f(2, 4), _COUNTS)
case("corrcoef-complex", lambda t, x: t.corrcoef(x), c(2, 4))
case(
    "logaddexp2-far",
    lambda t, x, y: t.logaddexp2(x, y),
    v([9000.0, -9000.0]),
    v([9001.0, 0.0]),
    torch_nan=True,
)

# ---------------------------------------------------------------- in order, but for nan

_HOLES = v([[1.0, math.nan, 3.0, 2.0, 2.5], [math.nan, math.nan, math.nan, math.nan, 1.0]])
case("nanmedian-holes", lambda t, x: t.nanmedian(x), _HOLES)
case("nanmedian-holes-axis", lambda t, x: t.nanmedian(x, 1, True), _HOLES)
case("nanmedian-empty-columns", lambda t, x: t.nanmedian(x, 0), _HOLES)
case("nanmedian-integers", lambda t, x: t.nanmedian(x, 0), i(5))
for way in ("linear", "lower", "higher", "midpoint", "nearest"):
    case(
        f"nanquantile-{way}",
        lambda t, x, way=way: t.nanquantile(x, 0.3, 1, interpolation=way),
        _HOLES,
    )
case("nanquantile-all", lambda t, x: t.nanquantile(x, 0.6), _HOLES)
case(
    "nanquantile-several",
    lambda t, x: t.nanquantile(x, t.tensor([0.2, 1.0], dtype=x.dtype), 0, True), _HOLES,
)  # fmt: skip
for name in ("quantile", "nanquantile"):
    case(f"{name}-shares", lambda t, x, q, n=name: getattr(t, n)(x, q, 1), f(2, 4), v([0.2, 0.55]))
case("nanquantile-outside", lambda t, x: t.nanquantile(x, 2.0), f(3), same_words=False)
_OFTEN = v([[2.0, 1.0, 2.0, 1.0], [3.0, 2.0, 2.0, 2.0]])
case("mode-ties", lambda t, x: t.mode(x, 1), _OFTEN)
case("mode-axis", lambda t, x: t.mode(x, 0, True), _OFTEN)
case("mode-integers", lambda t, x: t.mode(x), i(5))
case("mode-complex", lambda t, x: t.mode(x), c(3))
case("frexp", lambda t, x: t.frexp(x), v([0.0, 5.0, -0.3, 1e-310, 1.7e308]))
case("frexp-integers", lambda t, x: t.frexp(x), i(3))

# ---------------------------------------------------------------- places in sorted numbers

_LINE = v([-1.0, 0.5, 0.5, 2.0])
_SOUGHT = v([[0.5, -2.0, 3.0], [2.0, 0.1, math.nan]])
for right in (False, True):
    side = "right" if right else "left"
    case(
        f"searchsorted-{side}",
        lambda t, x, y, r=right: t.searchsorted(x, y, right=r),
        _LINE,
        _SOUGHT,
    )
    case(f"bucketize-{side}", lambda t, x, y, r=right: t.bucketize(y, x, right=r), _LINE, _SOUGHT)
case("searchsorted-number", lambda t, x: t.searchsorted(x, 0.5, out_int32=True), _LINE)
case("searchsorted-rows", lambda t, x, y: t.searchsorted(x.sort().values, y), f(2, 4), f(2, 3))
case("searchsorted-ranks", lambda t, x, y: t.searchsorted(x, y), f(2, 4), f(3))
case("searchsorted-one", lambda t, x: t.searchsorted(x, 1.0), f(2, 4))
case("searchsorted-side", lambda t, x: t.searchsorted(x, x, side="middle"), _LINE)
case("searchsorted-sides", lambda t, x: t.searchsorted(x, x, side="left", right=True), _LINE)
case("searchsorted-sorter", lambda t, x: t.searchsorted(x, 1.0, sorter=x.argsort()), f(5))
case("searchsorted-short-sorter", lambda t, x: t.searchsorted(x, x, sorter=x.argsort()[1:]), f(5))
case("searchsorted-complex", lambda t, x: t.searchsorted(x, x), c(3))
case("searchsorted-integers", lambda t, x: t.searchsorted(x.sort().values, x), i(4))
case("bucketize-number", lambda t, x: t.bucketize(0.7, x), _LINE)
case("bucketize-matrix", lambda t, x: t.bucketize(0.7, x), f(2, 2))

# ---------------------------------------------------------------- copies of views

# Those of complex numbers PyTorch does not differentiate; here they are no different.
case("as-strided-copy", lambda t, x: t.as_strided_copy(x, (2, 2), (1, 2), 1), f(2, 3))
case("fill", lambda t, x: t.fill(x, 2.5), f(2, 3))
case("fill-tensor", lambda t, x, v: t.fill(x, v), f(2, 3), f())
case("select-copy", lambda t, x: t.select_copy(x, 1, -1), f(2, 3))
case("select-copy-number", lambda t, x: t.select_copy(x, 0, 0), f())
case("slice-copy", lambda t, x: t.slice_copy(x, -1, 1, -1, 2), f(2, 6))
case("slice-copy-empty", lambda t, x: t.slice_copy(x, 0, 2, 1), f(3))
case("slice-copy-step", lambda t, x: t.slice_copy(x, step=0), f(3))
case("slice-copy-number", lambda t, x: t.slice_copy(x), f())

CASES = case.cases
