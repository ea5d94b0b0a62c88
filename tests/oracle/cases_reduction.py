"""Reductions: every dim form, keepdim, dtype, empty and one-element axes, ties, inf and nan."""

from __future__ import annotations

from collections import defaultdict

from .table import Arg, b, c, f, f32, i, table, tag, v

inf, nan = float("inf"), float("nan")

# Sums are taken in different orders, so a value that cancels is compared absolutely.
case = table("reduction", slack=16, signed_zeros=False)

MANY_DIMS = ["sum", "mean", "amax", "amin", "logsumexp", "var", "std", "norm"]
PICK = ["argmax", "argmin", "prod", "max", "min"]
ONE_DIM = [*MANY_DIMS, "cumsum", *PICK]
FULL = ["sum", "mean", "amax", "amin", "var", "std", "norm", *PICK]
EMPTY_OK = ["sum", "mean", "prod", "var", "std", "norm"]


def norm(**kw):
    """`torch.norm` takes p before dim."""
    return lambda t, x: t.norm(x, **kw)


for name in FULL:
    for shape in [(), (1,), (4,), (2, 3), (1, 1), (2, 1, 3)]:
        case(f"{name}-full-{tag(shape)}", lambda t, x, n=name: getattr(t, n)(x), f(*shape))
    case(f"{name}-full-method", lambda t, x, n=name: getattr(x, n)(), f(2, 3))
    for layout in "TSE":
        case(
            f"{name}-full-layout{layout}",
            lambda t, x, n=name: getattr(x, n)(),
            f(3, 4, layout=layout),
            torch_nan=layout == "E",
        )
    case(f"{name}-full-float32", lambda t, x, n=name: getattr(x, n)(), f32(7))
    case(f"{name}-full-float16", lambda t, x, n=name: getattr(x, n)(), f32(3, dtype="float16"))
    case(f"{name}-full-int", lambda t, x, n=name: getattr(x, n)(), i(5))
    case(f"{name}-full-int32", lambda t, x, n=name: getattr(x, n)(), i(5, dtype="int32"))
    case(f"{name}-full-uint8", lambda t, x, n=name: getattr(x, n)(), v([200, 100, 3], "uint8"))
    case(f"{name}-full-bool", lambda t, x, n=name: getattr(x, n)(), b(5))
    case(
        f"{name}-full-nan", lambda t, x, n=name: getattr(x, n)(), v([1.0, nan, 3.0]), torch_nan=True
    )
    case(
        f"{name}-full-inf",
        lambda t, x, n=name: getattr(x, n)(),
        v([1.0, inf, -2.0]),
        torch_nan=True,
    )
    case(f"{name}-of-expression", lambda t, x, n=name: getattr(x * x + x, n)(), f(2, 3))
for name in EMPTY_OK:
    case(f"{name}-full-empty", lambda t, x, n=name: getattr(t, n)(x), f(0))
    case(f"{name}-full-empty2", lambda t, x, n=name: getattr(t, n)(x), f(2, 0))

# PyTorch's norm overflows with the square, and its logsumexp loses the weights in its rounding.
_BIG = defaultdict(lambda: 1e300, norm=1e100, logsumexp=100.0)

for name in ONE_DIM:
    for dim in (0, 1, -1, -3):
        case(f"{name}-dim{dim}", lambda t, x, n=name, d=dim: getattr(t, n)(x, dim=d), f(2, 3, 2))
        case(f"{name}-axis{dim}", lambda t, x, n=name, d=dim: getattr(t, n)(x, axis=d), f(2, 3, 2))
        if name != "cumsum":
            case(
                f"{name}-dim{dim}-keepdim",
                lambda t, x, n=name, d=dim: getattr(x, n)(dim=d, keepdim=True),
                f(2, 3, 2),
            )
    case(f"{name}-dim-method", lambda t, x, n=name: getattr(x, n)(dim=1), f(2, 3))
    if name not in ("norm", "var", "std"):
        case(f"{name}-dim-positional", lambda t, x, n=name: getattr(x, n)(1), f(2, 3))
    if name not in ("cumsum", "norm", "var", "std"):
        case(f"{name}-keepdim-positional", lambda t, x, n=name: getattr(x, n)(0, True), f(2, 3))
    case(f"{name}-dim-of-0d", lambda t, x, n=name: getattr(x, n)(dim=0), f())
    case(f"{name}-dim-1-of-0d", lambda t, x, n=name: getattr(x, n)(dim=-1), f())
    case(f"{name}-dim-size1", lambda t, x, n=name: getattr(x, n)(dim=1), f(3, 1))
    case(f"{name}-dim-empty-kept", lambda t, x, n=name: getattr(x, n)(dim=0), f(2, 0))
    case(f"{name}-dim-empty-reduced", lambda t, x, n=name: getattr(x, n)(dim=1), f(2, 0))
    case(
        f"{name}-dim-transposed", lambda t, x, n=name: getattr(x.t(), n)(dim=0), f(3, 4, layout="S")
    )
    case(f"{name}-dim-float32", lambda t, x, n=name: getattr(x, n)(dim=0), f32(3, 2))
    case(f"{name}-dim-int", lambda t, x, n=name: getattr(x, n)(dim=0), i(3, 2))
    case(f"{name}-dim-bool", lambda t, x, n=name: getattr(x, n)(dim=0), b(3, 2))
    case(
        f"{name}-dim-edges",
        lambda t, x, n=name: getattr(x, n)(dim=1),
        v([[1.0, nan], [inf, -inf], [-inf, -inf], [inf, inf], [0.0, -0.0], [_BIG[name]] * 2]),
        torch_nan=True,
    )

for name in MANY_DIMS:
    for dim in ((0, 1), (0, -1), (1, 2), (2, 0), (0, 1, 2), (1,)):
        for keep in (False, True):
            case(
                f"{name}-dims{tag(dim)}-{keep}",
                lambda t, x, n=name, d=dim, k=keep: getattr(t, n)(x, dim=d, keepdim=k),
                f(2, 3, 2),
            )
    case(f"{name}-dims-list", lambda t, x, n=name: getattr(x, n)(dim=[0, 1]), f(2, 3, 2))
    if name in ("sum", "mean", "var", "std", "amax", "norm", "amin"):
        case(f"{name}-dim-empty-tuple", lambda t, x, n=name: getattr(x, n)(dim=()), f(2, 3))
    case(
        f"{name}-dims-keep-empty",
        lambda t, x, n=name: getattr(x, n)(dim=(1,), keepdim=True),
        f(0, 3),
    )

# sum, mean, prod, cumsum with dtype=
for name in ("sum", "mean", "prod"):
    case(f"{name}-dtype", lambda t, x, n=name: getattr(x, n)(dtype=t.float64), f32(4))
    case(f"{name}-dtype-narrow", lambda t, x, n=name: getattr(x, n)(dtype=t.float32), f(4))
    case(f"{name}-dtype-int", lambda t, x, n=name: getattr(x, n)(dtype=t.float32), i(4))
    case(f"{name}-dim-dtype", lambda t, x, n=name: getattr(t, n)(x, 1, dtype=t.float64), f32(2, 3))
    case(f"{name}-complex", lambda t, x, n=name: getattr(x, n)(), c(3))
    case(f"{name}-complex-dim", lambda t, x, n=name: getattr(x, n)(dim=0), c(3, 2))
case("sum-int8", lambda t, x: x.sum(), v([100, 100], "int8"))
case("sum-keepdim-only", lambda t, x: x.sum((0, 1), True), f(2, 3))
case("sum-none", lambda t, x: x.sum(None), f(2, 3))
case("sum-dim-none", lambda t, x: x.sum(dim=None), f(2, 3))
case("sum-builtin", lambda t, x: sum(x), f(3))
case("sum-twice", lambda t, x: x.sum(0).sum(), f(2, 3))
case("sum-varargs-to-expanded", lambda t, x: (x * x.sum(1, keepdim=True)).sum(0), f(2, 3))
case("sum_to_size", lambda t, x: x.sum_to_size(1, 3), f(2, 3))
case("nansum", lambda t, x: t.nansum(x), v([1.0, nan, 2.0]))
case("nansum-dim", lambda t, x: x.nansum(0), v([[1.0, nan], [nan, nan]]))

# products with zeros
for text, values in {
    "one-zero": [2.0, 0.0, 3.0], "two-zeros": [2.0, 0.0, 0.0, 3.0], "all-zeros": [0.0, 0.0],
    "three-zeros": [0.0, 0.0, 0.0, 2.0], "negatives": [-1.0, -2.0, 3.0], "single-zero": [0.0],
    "tiny": [1e-200, 1e200, 1e-200], "overflow": [1e200, 1e200, 2.0],
}.items():  # fmt: skip
    case(f"prod-{text}", lambda t, x: x.prod(), v(values), torch_nan=True)
    case(f"prod-{text}-dim", lambda t, x: x.prod(0), v(values), torch_nan=True)
    case(
        f"prod-{text}-dim-keepdim", lambda t, x: x.prod(0, keepdim=True), v(values), torch_nan=True
    )
case(
    "prod-zeros-columns",
    lambda t, x: x.prod(1),
    v([[1.0, 0.0, 2.0], [0.0, 0.0, 3.0], [1.0, 2.0, 3.0]]),
)
case("prod-zeros-rows", lambda t, x: x.prod(0), v([[1.0, 0.0], [0.0, 0.0], [1.0, 2.0]]))
case("prod-product", lambda t, x, y: (x * y).prod(), f(3), f(3))

# max, min, amax, amin, argmax, argmin: ties and both forms
TIES = [[1.0, 3.0, 3.0], [3.0, 2.0, 0.0]]
for name in ("max", "min", "amax", "amin", "argmax", "argmin"):
    case(f"{name}-ties-full", lambda t, x, n=name: getattr(t, n)(x), v(TIES))
    for dim in (0, 1):
        case(f"{name}-ties-dim{dim}", lambda t, x, n=name, d=dim: getattr(t, n)(x, dim=d), v(TIES))
    case(f"{name}-all-equal", lambda t, x, n=name: getattr(x, n)(), v([2.0, 2.0, 2.0, 2.0]))
    case(f"{name}-all-equal-dim", lambda t, x, n=name: getattr(x, n)(dim=0), v([[2.0] * 2] * 3))
    case(f"{name}-inf-ties", lambda t, x, n=name: getattr(x, n)(), v([inf, inf, -inf, -inf]))
    case(f"{name}-nans", lambda t, x, n=name: getattr(x, n)(), v([nan, 1.0, nan]), torch_nan=True)
for name in ("max", "min"):
    case(f"{name}-values", lambda t, x, n=name: getattr(x, n)(dim=1).values, f(3, 4))
    case(f"{name}-indices", lambda t, x, n=name: getattr(x, n)(dim=1).indices, f(3, 4))
    case(f"{name}-unpack", lambda t, x, n=name: getattr(x, n)(0)[0] * 2, f(3, 4))
    case(
        f"{name}-keepdim-subtract",
        lambda t, x, n=name: x - getattr(x, n)(1, keepdim=True)[0],
        f(3, 4),
    )
    case(f"{name}-dim-square", lambda t, x, n=name: getattr(x * x, n)(-1).values, f(2, 3))
for name in ("argmax", "argmin"):
    case(f"{name}-none", lambda t, x, n=name: getattr(x, n)(dim=None), f(2, 3))
    case(f"{name}-keepdim-full", lambda t, x, n=name: getattr(t, n)(x, keepdim=True), f(2, 3))
    case(f"{name}-bool-values", lambda t, x, n=name: getattr(x.int(), n)(), b(5))

# logsumexp
for text, values in {
    "large": [1000.0, 1000.0, 999.0], "small": [-1000.0, -1001.0], "all-neg-inf": [-inf, -inf],
    "some-neg-inf": [-inf, 0.0, 1.0], "one-inf": [inf, 0.0], "two-inf": [inf, inf],
    "inf-and-neg-inf": [inf, -inf], "single": [3.0], "wide": [0.0, 40.0, -700.0], "nan": [nan, 0.0],
}.items():  # fmt: skip
    case(f"logsumexp-{text}", lambda t, x: t.logsumexp(x, 0), v(values), torch_nan=True)
    case(
        f"logsumexp-{text}-keepdim",
        lambda t, x: x.logsumexp(-1, keepdim=True),
        v(values),
        torch_nan=True,
    )
case("logsumexp-empty", lambda t, x: t.logsumexp(x, 0), f(0))
case("logsumexp-softmax", lambda t, x: t.exp(x - t.logsumexp(x, 1, keepdim=True)), f(2, 3))
case("logsumexp-cross-entropy", lambda t, x: (t.logsumexp(x, 1) - x[:, 0]).mean(), f(3, 4))

# norm: every order, every form
for p in (0, 1, 2, 3, 0.5, 1.5, -1, inf, -inf, "fro"):
    case(f"norm-p{p}", lambda t, x, p=p: t.norm(x, p), f(5))
    case(f"norm-p{p}-keyword", lambda t, x, p=p: x.norm(p=p), f(2, 3))
    if p != "fro":
        case(f"norm-p{p}-dim", lambda t, x, p=p: x.norm(p, dim=1), f(2, 3))
        case(
            f"norm-p{p}-dim-keepdim", lambda t, x, p=p: t.norm(x, p=p, dim=0, keepdim=True), f(2, 3)
        )
        case(f"norm-p{p}-0d", lambda t, x, p=p: t.norm(x, p), f())
        case(f"norm-p{p}-ties", lambda t, x, p=p: t.norm(x, p), v([2.0, -2.0, 1.0]))
    case(f"norm-p{p}-dims", lambda t, x, p=p: t.norm(x, p, dim=(0, 1)), f(2, 3))
    case(f"norm-p{p}-float32", lambda t, x, p=p: x.norm(p), f32(5))
for p in (0, 1, 2, 3, inf):
    case(
        f"norm-p{p}-zero-first", lambda t, x, p=p: t.norm(x, p), v([0.0, 0.0, 0.0]), torch_nan=True
    )
    case(
        f"norm-p{p}-some-zeros", lambda t, x, p=p: t.norm(x, p), v([0.0, 3.0, -4.0]), torch_nan=True
    )
    case(
        f"norm-p{p}-zero-row",
        lambda t, x, p=p: t.norm(x, p, dim=1),
        v([[0.0, 0.0], [3.0, 4.0]]),
        torch_nan=True,
    )
case("norm-dtype", lambda t, x: x.norm(dtype=t.float64), f32(3))
case("norm-2-dtype", lambda t, x: t.norm(x, 2, dtype=t.float64), f32(3))
case("norm-scaled", lambda t, x: x / x.norm(), f(3))
case("norm-large", lambda t, x: x.norm(), v([3e150, 4e150]))
case("norm-tiny", lambda t, x: x.norm(), v([3e-150, 4e-150]))
case("norm-complex", lambda t, x: x.norm(), c(3))
case("norm-nuclear-free", lambda t, x: t.norm(x, dim=(0, 1)), f(2, 3))
for order in (1, 2, 3, 1.5, float("inf")):
    for dim, shape in [(0, (3, 4)), (-1, (3, 4)), (1, (2, 3, 2))]:
        case(
            f"renorm-{order}-{tag(shape)}-dim{dim}",
            lambda t, x, p=order, d=dim: t.renorm(x, p, d, 2.5),
            f(*shape),
            exact=False,
            slack=8,
        )
case("renorm-0", lambda t, x: x.renorm(2, 0, 0), f(2, 3), exact=False, slack=8)
case("renorm-short", lambda t, x: x.renorm(2, 0, 100), f(2, 3), exact=False)
case("renorm-float32", lambda t, x: x.renorm(2, 0, 1.5), f(2, 3, dtype="float32"), exact=False)
case("renorm-float16", lambda t, x: x.renorm(2, 0, 1.5), f(2, 3, dtype="float16"), exact=False)
case("renorm-complex", lambda t, x: x.renorm(2, 0, 1.5), f(2, 3, dtype="complex128"), exact=False)
case("renorm-empty", lambda t, x: x.renorm(2, 0, 1.5), f(0, 3), exact=False)
for order in (None, 1, 2, 3, inf):
    case(
        f"vector_norm-{order}",
        lambda t, x, p=order: t.linalg.vector_norm(x, *([] if p is None else [p])),
        f(2, 3),
    )
    case(
        f"vector_norm-{order}-dim",
        lambda t, x, p=order: t.linalg.vector_norm(x, ord=2 if p is None else p, dim=1),
        f(2, 3),
    )
case("linalg-norm", lambda t, x: t.linalg.norm(x), f(2, 3))
case("linalg-norm-dim", lambda t, x: t.linalg.norm(x, dim=1, keepdim=True), f(2, 3))
case("linalg-norm-vector", lambda t, x: t.linalg.norm(x, 1), f(4))

# var and std
for name in ("var", "std"):
    for correction in (0, 1, 2, 0.5):
        case(
            f"{name}-correction{correction}",
            lambda t, x, n=name, k=correction: getattr(t, n)(x, correction=k),
            f(5),
        )
        case(
            f"{name}-correction{correction}-dim",
            lambda t, x, n=name, k=correction: getattr(x, n)(dim=1, correction=k, keepdim=True),
            f(2, 4),
        )
    for unbiased in (True, False):
        case(
            f"{name}-unbiased{unbiased}",
            lambda t, x, n=name, u=unbiased: getattr(x, n)(unbiased=u),
            f(2, 3),
        )
        case(
            f"{name}-unbiased{unbiased}-positional",
            lambda t, x, n=name, u=unbiased: getattr(x, n)(u),
            f(2, 3),
        )
        case(
            f"{name}-dim-unbiased{unbiased}",
            lambda t, x, n=name, u=unbiased: getattr(x, n)(1, u),
            f(2, 3),
        )
        case(
            f"{name}-dim-unbiased{unbiased}-keepdim",
            lambda t, x, n=name, u=unbiased: getattr(t, n)(x, 1, u, True),
            f(2, 3),
        )
    case(f"{name}-dim-positional", lambda t, x, n=name: getattr(x, n)(0), f(3, 2))
    case(f"{name}-too-few", lambda t, x, n=name: getattr(x, n)(), v([1.0]), torch_nan=True)
    case(
        f"{name}-too-few-dim",
        lambda t, x, n=name: getattr(x, n)(dim=0, correction=3),
        f(3, 2),
        torch_nan=True,
    )
    case(
        f"{name}-one-population",
        lambda t, x, n=name: getattr(x, n)(correction=0),
        v([1.0]),
        torch_nan=True,
    )
    case(
        f"{name}-offset",
        lambda t, x, n=name: getattr(x, n)(),
        v([1e8 + 1, 1e8 + 2, 1e8 + 4]),
        rtol=1e-7,
    )
    case(f"{name}-mean", lambda t, x, n=name: getattr(t, f"{n}_mean")(x, dim=1), f(2, 3))
case("var-constant", lambda t, x: x.var(), v([2.0, 2.0, 2.0]))
case("std-constant-first", lambda t, x: x.std(), v([2.0, 2.0, 2.0]), torch_nan=True)
case("std-constant-row", lambda t, x: x.std(1), v([[2.0, 2.0], [1.0, 3.0]]), torch_nan=True)
case("normalize", lambda t, x: (x - x.mean(0)) / x.std(0), f(4, 2))
case("variance-by-hand", lambda t, x: ((x - x.mean()) ** 2).mean(), f(5))

# cumsum
for shape in [(5,), (1,), (0,), (2, 3), (2, 0)]:
    case(f"cumsum-{tag(shape)}", lambda t, x: t.cumsum(x, 0), f(*shape))
case("cumsum-dtype", lambda t, x: x.cumsum(0, dtype=t.float64), f32(4))
case("cumsum-int32", lambda t, x: x.cumsum(0), i(4, dtype="int32"))
case("cumsum-square", lambda t, x: x.cumsum(0).square(), f(4))
case("cumsum-inf", lambda t, x: x.cumsum(0), v([1.0, inf, -inf, 1.0]), torch_nan=True)
case("cumsum-complex", lambda t, x: x.cumsum(0), c(3))
for name in ("amax", "amin"):
    for axes in ((0, 1), (0,), 1, ()):
        label = "".join(map(str, axes)) if isinstance(axes, tuple) else f"axis{axes}"
        case(
            f"{name}-no-elements-{label or 'none'}",
            lambda t, x, name=name, axes=axes: getattr(t, name)(x, axes),
            f(0, 0),
        )
for order in ("fro", "nuc", 1, 2):
    for kind in ("float32", "complex128", "float64"):
        case(
            f"matrix_norm-{order}-{kind}",
            lambda t, x, order=order, kind=kind: t.linalg.matrix_norm(
                x, order, dtype=getattr(t, kind)
            ),
            f(2, 3, grad=False),
        )
case("vector_norm-narrow", lambda t, x: t.linalg.vector_norm(x, dtype=t.float32), f(3))

CASES = case.cases
assert isinstance(CASES[0].args[0], Arg)
