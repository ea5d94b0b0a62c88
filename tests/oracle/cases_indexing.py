"""Reading elements: basic, advanced and boolean indexing, gather and its relatives."""

from __future__ import annotations

import numpy as np

from .table import Arg, Differs, b, c, f, f32, i, table, tag, v

case = table("indexing", exact=True)
basic = [
    ("int", lambda x: x[1]),
    ("int-negative", lambda x: x[-1]),
    ("int-int", lambda x: x[0, 2]),
    ("int-all", lambda x: x[1, 2, 0]),
    ("slice", lambda x: x[1:]),
    ("slice-stop", lambda x: x[:2]),
    ("slice-step", lambda x: x[::2]),
    ("slice-middle", lambda x: x[:, 1:3]),
    ("slice-negative", lambda x: x[-2:]),
    ("slice-negative-stop", lambda x: x[:-1]),
    ("slice-beyond", lambda x: x[1:99]),
    ("slice-empty", lambda x: x[2:1]),
    ("slice-step3", lambda x: x[:, ::3]),
    ("slice-offset-step", lambda x: x[:, 1::2]),
    ("all", lambda x: x[:]),
    ("ellipsis", lambda x: x[...]),
    ("ellipsis-int", lambda x: x[..., 1]),
    ("int-ellipsis", lambda x: x[1, ...]),
    ("int-ellipsis-int", lambda x: x[1, ..., 0]),
    ("none", lambda x: x[None]),
    ("none-middle", lambda x: x[:, None]),
    ("none-last", lambda x: x[..., None]),
    ("none-int", lambda x: x[None, 1]),
    ("int-none", lambda x: x[1, None]),
    ("none-none", lambda x: x[None, :, None]),
    ("slice-int", lambda x: x[1:, 2]),
    ("int-slice", lambda x: x[1, 1:]),
    ("slice-slice", lambda x: x[1:, :2]),
    ("slices-three", lambda x: x[:, 1:, ::2]),
    ("chained", lambda x: x[1][2]),
    ("chained-slices", lambda x: x[1:][:, 1:]),
    ("true", lambda x: x[True]),
    ("false", lambda x: x[False]),
    ("empty-tuple", lambda x: x[()]),
    ("tuple", lambda x: x[(1, 2)]),
    ("slice-object", lambda x: x[slice(0, 2)]),
]
for name, fn in basic:
    case(f"basic-{name}", lambda t, x, fn=fn: fn(x), f(3, 4, 2))
    case(f"basic-{name}-layoutT", lambda t, x, fn=fn: fn(x), f(3, 4, 2, layout="T"))
    case(f"basic-{name}-of-product", lambda t, x, fn=fn: fn(x * x), f(3, 4, 2), exact=False)
case("basic-0d-ellipsis", lambda t, x: x[...], f())
case("basic-0d-none", lambda t, x: x[None], f())
case("basic-0d-tuple", lambda t, x: x[()], f())
case("basic-empty", lambda t, x: x[1:], f(0, 3))
case("basic-size1", lambda t, x: x[0], f(1))
case("basic-int-dtype", lambda t, x: x[1], i(3))
case("basic-complex", lambda t, x: x[1:], c(3))
case("basic-twice", lambda t, x: x[0] * x[1] + x[0], f(3), exact=False)
case("basic-neighbours", lambda t, x: x[1:] - x[:-1], f(5), exact=False)
case("basic-overlap", lambda t, x: x[1:] * x[:-1], f(5), exact=False)
case("basic-numpy-int", lambda t, x: x[np.int64(1)], f(3))
case("basic-zero-dim-tensor", lambda t, x, k: x[k], f(3, 2), v(1, "int64"))
case("basic-zero-dim-tensor-slice", lambda t, x, k: x[k:], f(3, 2), v(1, "int64"))

tensors: list[tuple] = [
    ("vector", lambda t, x, j: x[j], v([0, 2], "int64")),
    ("repeated", lambda t, x, j: x[j], v([1, 1, 0, 1], "int64")),
    ("negative", lambda t, x, j: x[j], v([-1, 0, -2], "int64")),
    ("matrix", lambda t, x, j: x[j], v([[0, 1], [2, 2]], "int64")),
    ("empty", lambda t, x, j: x[j], v([], "int64")),
    ("int32", lambda t, x, j: x[j], v([0, 2], "int32")),
    ("uint8-mask", lambda t, x, j: x[j], v([1, 0, 1], "uint8")),
    ("0d", lambda t, x, j: x[j], v(1, "int64")),
    ("second", lambda t, x, j: x[:, j], v([3, 0, 0], "int64")),
    ("last", lambda t, x, j: x[..., j], v([1, 0, 1], "int64")),
    ("second-of-slice", lambda t, x, j: x[1:, j], v([3, 0], "int64")),
    ("with-int", lambda t, x, j: x[1, j], v([3, 0], "int64")),
    ("int-after", lambda t, x, j: x[j, 1], v([2, 0], "int64")),
    ("int-separated", lambda t, x, j: x[j, :, 1], v([2, 0], "int64")),
    ("int-first-separated", lambda t, x, j: x[1, :, j], v([1, 0, 1], "int64")),
    ("with-none", lambda t, x, j: x[None, j], v([2, 0], "int64")),
    ("none-after", lambda t, x, j: x[j, None], v([2, 0], "int64")),
    ("none-separates", lambda t, x, j: x[j, None, :, j], v([1, 0], "int64")),
    ("with-ellipsis", lambda t, x, j: x[j, ...], v([2, 0], "int64")),
    ("with-step", lambda t, x, j: x[j, ::2], v([2, 0], "int64")),
    ("twice-same", lambda t, x, j: x[j][j], v([1, 0], "int64")),
    ("pair", lambda t, x, j, k: x[j, k], v([0, 2, 1], "int64"), v([3, 0, 1], "int64")),
    ("pair-repeated", lambda t, x, j, k: x[j, k], v([0, 0, 0], "int64"), v([3, 3, 1], "int64")),
    ("pair-broadcast", lambda t, x, j, k: x[j, k], v([[0], [2]], "int64"), v([3, 0, 1], "int64")),
    ("pair-broadcast-0d", lambda t, x, j, k: x[j, k], v(1, "int64"), v([3, 0, 1], "int64")),
    ("pair-adjacent", lambda t, x, j, k: x[:, j, k], v([3, 0], "int64"), v([1, 0], "int64")),
    ("pair-separated", lambda t, x, j, k: x[j, :, k], v([2, 0], "int64"), v([1, 0], "int64")),
    (
        "pair-separated-2d",
        lambda t, x, j, k: x[j, :, k],
        v([[2], [0]], "int64"),
        v([1, 0], "int64"),
    ),
    (
        "pair-separated-slice",
        lambda t, x, j, k: x[j, 1:3, k],
        v([2, 0], "int64"),
        v([1, 0], "int64"),
    ),
    ("pair-ellipsis", lambda t, x, j, k: x[j, ..., k], v([2, 0], "int64"), v([1, 0], "int64")),
    (
        "triple",
        lambda t, x, j, k, m: x[j, k, m],
        v([2, 0], "int64"),
        v([1, 3], "int64"),
        v([0, 1], "int64"),
    ),
    (
        "triple-broadcast",
        lambda t, x, j, k, m: x[j, k, m],
        v([[2], [0]], "int64"),
        v([1, 3], "int64"),
        v(1, "int64"),
    ),
    ("tuple-of-tensors", lambda t, x, j, k: x[(j, k)], v([2, 0], "int64"), v([1, 3], "int64")),
    ("mask-first", lambda t, x, m: x[m], v([True, False, True], "bool")),
    ("mask-second", lambda t, x, m: x[:, m], v([True, False, True, True], "bool")),
    ("mask-last", lambda t, x, m: x[..., m], v([False, True], "bool")),
    ("mask-none", lambda t, x, m: x[m], v([False, False, False], "bool")),
    ("mask-all", lambda t, x, m: x[m], v([True, True, True], "bool")),
    ("mask-2d", lambda t, x, m: x[m], b(3, 4)),
    ("mask-full", lambda t, x, m: x[m], b(3, 4, 2)),
    ("mask-0d", lambda t, x, m: x[m], v(True, "bool")),
    ("mask-0d-false", lambda t, x, m: x[m], v(False, "bool")),
    ("mask-inner", lambda t, x, m: x[0, m], v([True, False, True, True], "bool")),
    ("mask-inner-2d", lambda t, x, m: x[:, m], b(4, 2)),
    ("mask-and-slice", lambda t, x, m: x[m, 1:], v([True, False, True], "bool")),
    ("mask-and-int", lambda t, x, m: x[m, 1], v([True, False, True], "bool")),
    (
        "mask-and-index",
        lambda t, x, m, j: x[m, j],
        v([True, False, True], "bool"),
        v([3, 0], "int64"),
    ),
    (
        "mask-separated-index",
        lambda t, x, m, j: x[m, :, j],
        v([True, False, True], "bool"),
        v([1, 0], "int64"),
    ),
    ("mask-inverted", lambda t, x, m: x[~m], b(3, 4)),
]
for name, fn, *index in tensors:
    case(f"tensor-{name}", fn, f(3, 4, 2), *index)
    case(f"tensor-{name}-layoutT", fn, f(3, 4, 2, layout="T"), *index)
    case(
        f"tensor-{name}-of-product",
        lambda t, x, *j, fn=fn: fn(t, x * x, *j),
        f(3, 4, 2),
        *index,
        exact=False,
    )
lists = [
    ("list", lambda x: x[[0, 2]]),
    ("list-repeated", lambda x: x[[1, 1]]),
    ("list-negative", lambda x: x[[-1]]),
    ("list-second", lambda x: x[:, [3, 0]]),
    ("list-last", lambda x: x[..., [1, 0, 1]]),
    ("list-pair", lambda x: x[[0, 2], [1, 3]]),
    ("list-int", lambda x: x[[0, 2], 1]),
    ("list-slice", lambda x: x[[0, 2], 1:]),
    ("list-separated", lambda x: x[[0, 2], :, [1, 0]]),
    ("list-bool", lambda x: x[[True, False, True]]),
    ("list-nested", lambda x: x[[[0, 1], [2, 0]]]),
    ("list-broadcast", lambda x: x[[[0], [2]], [1, 3, 0]]),
    ("list-empty", lambda x: x[[]]),
    ("list-none", lambda x: x[None, [0, 2]]),
    ("range", lambda x: x[range(2)]),
]
for name, fn in lists:
    case(f"{name}", lambda t, x, fn=fn: fn(x), f(3, 4, 2))
case("mask-comparison", lambda t, x: x[x > 0], f(2, 3))
case("mask-comparison-square", lambda t, x: x[x > 0] ** 2, f(2, 3), exact=False)
case("mask-sum", lambda t, x: x[x > 0].sum(), f(2, 3), exact=False, slack=8)
case("masked_select", lambda t, x: t.masked_select(x, x > 0), f(2, 3))
case(
    "masked_select-broadcast",
    lambda t, x, m: x.masked_select(m),
    f(2, 3),
    v([True, False, True], "bool"),
)
case("argmax-index", lambda t, x: x[x.argmax()], f(5))
case("permutation", lambda t, x, j: x[j], f(4), v([3, 1, 0, 2], "int64"))
case("one-hot-pick", lambda t, x, y: x[t.arange(3), y], f(3, 4), v([3, 0, 2], "int64"))
case("index-float32", lambda t, x, j: x[j], f32(3, 2), v([2, 0], "int64"))
case("index-int-data", lambda t, x, j: x[j], i(3, 2), v([2, 0], "int64"))
case("index-complex", lambda t, x, j: x[j], c(3, 2), v([2, 0, 2], "int64"))
case("index-empty-data", lambda t, x, j: x[:, j], f(0, 3), v([2, 0], "int64"))
case("index-0d-mask", lambda t, x: x[x > -9], f())

# gather, scatter_add, index_select, take, index_add
J = v([[0, 2, 1], [1, 1, 0]], "int64")
for dim, shape, index in [
    (0, (3, 4), J),
    (1, (3, 4), J),
    (-1, (2, 3), J),
    (0, (3, 3), v([[0, 0, 0]], "int64")),
    (1, (2, 3), v([[2], [2]], "int64")),
    (0, (3,), v([2, 2, 0, 1], "int64")),
    (0, (3,), v([], "int64")),
    (0, (), v(0, "int64")),
]:
    label = f"{tag(shape)}-dim{dim}-{tag(index.shape)}"
    case(f"gather-{label}", lambda t, x, j, d=dim: t.gather(x, d, j), f(*shape), index)
    case(
        f"gather-method-{label}", lambda t, x, j, d=dim: x.gather(dim=d, index=j), f(*shape), index
    )
    case(
        f"gather-of-product-{label}",
        lambda t, x, j, d=dim: (x * x).gather(d, j),
        f(*shape),
        index,
        exact=False,
    )
    source = f(*index.shape)
    case(
        f"scatter_add-{label}",
        lambda t, x, j, s, d=dim: t.scatter_add(x, d, j, s),
        f(*shape),
        index,
        source,
        exact=False,
        slack=8,
    )
    case(
        f"scatter_add-method-{label}",
        lambda t, x, j, s, d=dim: x.scatter_add(d, j, s),
        f(*shape),
        index,
        source,
        exact=False,
        slack=8,
    )
    case(
        f"scatter_add-source-only-{label}",
        lambda t, x, j, s, d=dim: x.scatter_add(d, j, s),
        f(*shape, grad=False),
        index,
        source,
        exact=False,
        slack=8,
    )
case(
    "gather-rows",
    lambda t, x, y: x.gather(1, y[:, None]).squeeze(1),
    f(3, 4),
    v([3, 0, 2], "int64"),
)
case(
    "scatter_add-larger-source",
    lambda t, x, j, s: x.scatter_add(0, j, s),
    f(3, 3),
    v([[0, 1]], "int64"),
    f(2, 3),
    exact=False,
    ones=True,
    differs=Differs(
        "PyTorch hands back a gradient of the index's shape and refuses it itself",
        first=[np.ones((3, 3)), [[1, 1, 0], [0, 0, 0]]],
        second=[None, None, [[2, 1, 1], [1, 2, 1], [1, 1, 1]]],
        freed=True,
    ),
)
case("scatter_add-int", lambda t, x, j, s: x.scatter_add(0, j, s), i(3), v([0, 0], "int64"), i(2))
# many values into one place: scatter_reduce, index_reduce, scatter(reduce=), put
for reduce in ("sum", "prod", "mean", "amax", "amin"):
    for dim, shape, index in [
        (0, (3, 4), J),
        (1, (3, 4), J),
        (0, (3,), v([2, 2, 0, 2], "int64")),
        (0, (3,), v([], "int64")),
        (0, (), v(0, "int64")),
    ]:
        for included in (True, False):
            case(
                f"scatter_reduce-{reduce}-{tag(shape)}-dim{dim}-{tag(index.shape)}-{included}",
                lambda t, x, j, s, d=dim, r=reduce, k=included: t.scatter_reduce(
                    x, d, j, s, r, include_self=k
                ),
                f(*shape, lo=0.5),
                index,
                f(*index.shape, lo=0.5),
                exact=False,
                slack=8,
            )
    for kind in ("int64", "int32", "uint8", "bool", "float16", "float32", "complex64"):
        case(
            f"scatter_reduce-{reduce}-{kind}",
            lambda t, x, j, s, r=reduce: x.scatter_reduce(0, j, s, r),
            v([1, 2, 3], kind, grad=kind != "complex64"),
            v([0, 0, 2], "int64"),
            v([3, 0, 2], kind, grad=kind != "complex64"),
            exact=False,
        )
        case(
            f"index_reduce-{reduce}-{kind}",
            lambda t, x, j, s, r=reduce: x.index_reduce(0, j, s, r),
            v([1, 2, 3], kind, grad=kind != "complex64"),
            v([0, 0, 2], "int64"),
            v([3, 0, 2], kind, grad=kind != "complex64"),
            exact=False,
        )
    case(
        f"scatter_reduce-{reduce}-ties",
        lambda t, x, j, s, r=reduce: x.scatter_reduce(0, j, s, r),
        v([2.0, 3.0, 1.0], grad=True),
        v([0, 0, 1, 1], "int64"),
        v([2.0, 2.0, 3.0, 1.0], grad=True),
        exact=False,
    )
    case(
        f"scatter_reduce-{reduce}-source-only",
        lambda t, x, j, s, r=reduce: x.scatter_reduce(0, j, s, r),
        f(3, lo=0.5, grad=False),
        v([0, 0, 1, 1], "int64"),
        f(4, lo=0.5),
        exact=False,
    )
    case(
        f"scatter_reduce-{reduce}-of-products",
        lambda t, x, j, s, r=reduce: (x * x).scatter_reduce(1, j, s * s, r),
        f(2, 3, lo=0.5),
        J,
        f(2, 3, lo=0.5),
        exact=False,
        slack=8,
    )
for reduce in ("max", "min"):
    case(
        f"scatter_reduce-{reduce}-short",
        lambda t, x, j, s, r=reduce: x.scatter_reduce(0, j, s, r),
        f(3, grad=False),
        v([0, 0, 2], "int64"),
        f(3, grad=False),
    )
case(
    "scatter_reduce-prod-one-zero",
    lambda t, x, j, s: x.scatter_reduce(0, j, s, "prod"),
    v([2.0, 3.0], grad=True),
    v([0, 0, 1], "int64"),
    v([0.0, 5.0, 4.0], grad=True),
    exact=False,
)
for reduce in ("prod", "mean", "amax", "amin"):
    for dim, shape in [(0, (3, 4)), (1, (3, 4)), (0, (3,)), (-1, (2, 2, 3))]:
        own = list(shape)
        own[dim] = 2
        for included in (True, False):
            case(
                f"index_reduce-{reduce}-{tag(shape)}-dim{dim}-{included}",
                lambda t, x, j, s, d=dim, r=reduce, k=included: t.index_reduce(
                    x, d, j, s, r, include_self=k
                ),
                f(*shape, lo=0.5),
                v([2, 2], "int64"),
                f(*own, lo=0.5),
                exact=False,
                slack=8,
            )
for reduce in ("add", "multiply"):
    case(
        f"scatter-{reduce}",
        lambda t, x, j, s, r=reduce: x.scatter(1, j, s, reduce=r),
        f(3, 4, grad=False),
        J,
        f(2, 3, grad=False),
    )
    case(
        f"scatter-{reduce}-number",
        lambda t, x, j, r=reduce: x.scatter(1, j, 3, reduce=r),
        f(3, 4, grad=False),
        J,
    )
for accumulate in (True, False):
    for shape, index in [
        ((2, 3), v([[0, 5], [-2, 1]], "int64")),
        ((3,), v([2, -3], "int64")),
        ((3,), v([], "int64")),
        ((), v(0, "int64")),
    ]:
        case(
            f"put-{tag(shape)}-{tag(index.shape)}-{accumulate}",
            lambda t, x, j, s, k=accumulate: x.put(j, s, k),
            f(*shape),
            index,
            f(*index.shape),
            exact=False,
        )
case(
    "put-repeated",
    lambda t, x, j, s: x.put(j, s, accumulate=True),
    f(2, 2),
    v([1, 1, -3], "int64"),
    f(3),
    exact=False,
)
case("put-int", lambda t, x, j, s: t.put(x, j, s), i(3), v([0, 2], "int64"), i(2))
case("put-layout", lambda t, x, j, s: x.put(j, s), f(3, 2, layout="T"), v([1], "int64"), f(1))
for name, arg in {
    "vector": v([2, 0, 2], "int64"),
    "one": v([1], "int64"),
    "empty": v([], "int64"),
    "0d": v(1, "int64"),
    "int32": v([0, 1], "int32"),
}.items():
    for dim in (0, 1, -1):
        case(
            f"index_select-{name}-dim{dim}",
            lambda t, x, j, d=dim: t.index_select(x, d, j),
            f(3, 4),
            arg,
        )
    case(f"index_select-method-{name}", lambda t, x, j: x.index_select(0, j), f(3, 2), arg)
case(
    "index_select-of-product",
    lambda t, x, j: (x * x).index_select(0, j),
    f(3),
    v([2, 0, 2], "int64"),
    exact=False,
)
case(
    "index_select-layout",
    lambda t, x, j: x.index_select(1, j),
    f(3, 4, layout="S"),
    v([2, 0, 2], "int64"),
)
case(
    "index_add",
    lambda t, x, j, s: x.index_add(0, j, s),
    f(3, 2),
    v([0, 2, 0], "int64"),
    f(3, 2),
    exact=False,
    slack=8,
)
case("take", lambda t, x, j: t.take(x, j), f(2, 3), v([[0, 5], [5, 1]], "int64"))
case("take_along_dim", lambda t, x, j: t.take_along_dim(x, j, 1), f(2, 3), v([[2], [0]], "int64"))
case("select", lambda t, x: x.select(1, 2), f(2, 3))
case("select-function", lambda t, x: t.select(x, -1, 0), f(2, 3))
case("narrow", lambda t, x: x.narrow(1, 1, 2), f(2, 3))
case("narrow-function", lambda t, x: t.narrow(x, 0, 1, 1), f(2, 3))
case("nonzero", lambda t, x: t.nonzero(x), v([[1.0, 0.0], [0.0, 2.0]]))
case("nonzero-tuple", lambda t, x: x.nonzero(as_tuple=True), v([[1.0, 0.0], [0.0, 2.0]]))

# in place: writing into a copy
write = table("write", exact=True)
writes: list[tuple] = [
    ("int", lambda t, y, z: y.__setitem__(1, z), f(4)),
    ("int-broadcast", lambda t, y, z: y.__setitem__(1, z), f()),
    ("slice", lambda t, y, z: y.__setitem__(slice(1, 3), z), f(2, 4)),
    ("slice-broadcast", lambda t, y, z: y.__setitem__(slice(1, 3), z), f(4)),
    ("column", lambda t, y, z: y.__setitem__((slice(None), 2), z), f(3)),
    ("element", lambda t, y, z: y.__setitem__((1, 2), z), f()),
    ("all", lambda t, y, z: y.__setitem__(slice(None), z), f(3, 4)),
    ("ellipsis", lambda t, y, z: y.__setitem__(Ellipsis, z), f(3, 4)),
    ("step", lambda t, y, z: y.__setitem__((slice(None), slice(None, None, 2)), z), f(3, 2)),
    ("list", lambda t, y, z: y.__setitem__([0, 2], z), f(2, 4)),
    ("pair", lambda t, y, z: y.__setitem__(([0, 2], [1, 3]), z), f(2)),
    ("mask", lambda t, y, z: y.__setitem__(y.detach() > 0, z), f()),
    ("leading-one", lambda t, y, z: y.__setitem__(1, z), f(1, 4)),
    ("float32-source", lambda t, y, z: y.__setitem__(1, z), f32(4)),
    ("none", lambda t, y, z: y.__setitem__(None, z), f(3, 4)),
]


def written(fn, *z):
    def run(t, x, *z):
        y = x.clone()
        fn(t, y, *z)
        return y

    return run


for name, fn, z in writes:
    write(f"tensor-{name}", written(fn), f(3, 4), z)
    write(f"tensor-{name}-constant", written(fn), f(3, 4), Arg(z.shape, dtype=z.dtype, grad=False))
    write(f"tensor-{name}-into-constant", written(fn), f(3, 4, grad=False), z)
for name, key in {
    "int": 1,
    "slice": slice(1, 3),
    "element": (1, 2),
    "all": slice(None),
    "list": [0, 2],
    "negative": -1,
    "column": (slice(None), 0),
}.items():
    for number in (0, 2.5):
        write(
            f"number-{name}-{number}",
            written(lambda t, y, k=key, n=number: y.__setitem__(k, n)),
            f(3, 4),
        )
        write(
            f"number-{name}-{number}-int",
            written(lambda t, y, k=key, n=number: y.__setitem__(k, int(n))),
            i(3, 4),
        )
write("number-mask", written(lambda t, y: y.__setitem__(y > 0, 0)), f(3, 4))


def in_place(name, fn, *args, **options):
    write(name, written(fn), *args, exact=False, **options)


for name, op in {
    "add": lambda y, z: y.add_(z),
    "sub": lambda y, z: y.sub_(z),
    "mul": lambda y, z: y.mul_(z),
    "div": lambda y, z: y.div_(z),
    "iadd": lambda y, z: y.__iadd__(z),
    "isub": lambda y, z: y.__isub__(z),
    "imul": lambda y, z: y.__imul__(z),
    "itruediv": lambda y, z: y.__itruediv__(z),
    "ipow": lambda y, z: y.__ipow__(z),
    "pow": lambda y, z: y.pow_(z),
    "copy": lambda y, z: y.copy_(z),
}.items():
    in_place(f"{name}", lambda t, y, z, op=op: op(y, z), f(2, 3, lo=0.3), f(2, 3, lo=0.4))
    in_place(f"{name}-broadcast", lambda t, y, z, op=op: op(y, z), f(2, 3, lo=0.3), f(3, lo=0.4))
    in_place(f"{name}-0d", lambda t, y, z, op=op: op(y, z), f(lo=0.3), f(lo=0.4))
    in_place(
        f"{name}-into-constant",
        lambda t, y, z, op=op: op(y, z),
        f(2, 3, lo=0.3, grad=False),
        f(3, lo=0.4),
    )
    in_place(f"{name}-float32", lambda t, y, z, op=op: op(y, z), f32(3, lo=0.3), f(3, lo=0.4))
    if name != "copy":
        in_place(f"{name}-number", lambda t, y, op=op: op(y, 2), f(2, 3, lo=0.3))
        in_place(f"{name}-int", lambda t, y, op=op: op(y, 2), i(3))
for name in [
    "exp",
    "log",
    "sqrt",
    "sin",
    "cos",
    "tanh",
    "sigmoid",
    "relu",
    "neg",
    "abs",
    "reciprocal",
    "square",
    "floor",
    "ceil",
    "round",
    "trunc",
]:
    in_place(f"{name}_", lambda t, y, n=name: getattr(y, f"{n}_")(), f(2, 3, lo=0.3))
    in_place(f"{name}_-view", lambda t, y, n=name: getattr(y[0], f"{n}_")(), f(2, 3, lo=0.3))
in_place("zero_", lambda t, y: y.zero_(), f(2, 3))
in_place("fill_", lambda t, y: y.fill_(2.5), f(2, 3))
in_place("fill_-tensor", lambda t, y, z: y.fill_(z), f(2, 3), f())
in_place("clamp_", lambda t, y: y.clamp_(-1, 1), f(2, 3))
in_place("masked_fill_", lambda t, y: y.masked_fill_(y > 0, 0.0), f(2, 3))
in_place("add_-alpha", lambda t, y, z: y.add_(z, alpha=2), f(2, 3), f(3))
in_place("row", lambda t, y, z: y[1].mul_(z), f(2, 3), f(3))
in_place("column", lambda t, y, z: y[:, 1].add_(z), f(2, 3), f(2))
in_place("augmented-item", lambda t, y, z: y.__setitem__(0, y[0] * z), f(2, 3), f(3))
in_place("twice", lambda t, y: y.mul_(2).add_(1), f(2, 3))
in_place("scatter_add_", lambda t, y, j, z: y.scatter_add_(0, j, z), f(3), v([0, 0], "int64"), f(2))
in_place("index_add_", lambda t, y, j, z: y.index_add_(0, j, z), f(3), v([0, 0], "int64"), f(2))
for reduce in ("sum", "prod", "mean", "amax", "amin"):
    in_place(
        f"scatter_reduce_-{reduce}",
        lambda t, y, j, z, r=reduce: y.scatter_reduce_(0, j, z, r),
        f(3),
        v([0, 0], "int64"),
        f(2),
    )
    in_place(
        f"index_reduce_-{reduce}",
        lambda t, y, j, z, r=reduce: y.index_reduce_(0, j, z, r),
        f(3),
        v([0, 0], "int64"),
        f(2),
    )
in_place("put_", lambda t, y, j, z: y.put_(j, z), f(2, 3), v([0, -1], "int64"), f(2))
in_place("fill_diagonal_", lambda t, y: y.fill_diagonal_(2), f(2, 3))
in_place("fill_diagonal_-wrap", lambda t, y: y.fill_diagonal_(2, wrap=True), f(5, 2))
in_place("renorm_", lambda t, y: y.renorm_(2, 0, 1.5), f(2, 3))
in_place("transposed-view", lambda t, y: y.t().mul_(2), f(2, 3))
in_place("t_", lambda t, y: y.t_(), f(2, 3))
in_place("squeeze_", lambda t, y: y.squeeze_(), f(2, 1))
in_place("unsqueeze_", lambda t, y: y.unsqueeze_(0), f(2))

CASES = case.cases + write.cases
