"""Data movement: views, joins, splits, padding, diagonals. Values are compared bit for bit."""

from __future__ import annotations

from .table import b, c, f, f32, i, table, tag, v

inf, nan = float("inf"), float("nan")

case = table("shape", exact=True)


def both(name, *args, shape=(2, 3, 4), tagged="", **kw):
    """As a function and as a method."""
    case(f"{name}{tagged}-function", lambda t, x: getattr(t, name)(x, *args, **kw), f(*shape))
    case(f"{name}{tagged}-method", lambda t, x: getattr(x, name)(*args, **kw), f(*shape))
    case(f"{name}{tagged}-chained", lambda t, x: getattr(x * x, name)(*args, **kw), f(*shape))


def methods(name, *argument_lists, shape=(2, 3, 4)):
    for args in argument_lists:
        label = "_".join(tag(a) if isinstance(a, tuple) else str(a) for a in args).replace(" ", "")
        case(f"{name}-{label}", lambda t, x, a=args: getattr(x, name)(*a), f(*shape))


for dims in [(0, 1), (0, -1), (-1, 1), (2, 2), (1, 2)]:
    for name in ("transpose", "swapaxes", "swapdims"):
        both(name, *dims, tagged=f"-{tag(dims)}")
both("transpose", dim0=0, dim1=2, tagged="-keywords")
both("t", shape=(2, 3))
both("t", shape=(3,), tagged="-1d")
both("t", shape=(), tagged="-0d")
for name, shape in {"T": (2, 3), "mT": (2, 3, 4)}.items():
    case(f"{name}", lambda t, x, n=name: getattr(x, n), f(*shape))
    case(f"{name}-chained", lambda t, x, n=name: getattr(x * x, n), f(*shape))
case("T-0d", lambda t, x: x.T, f())
case("T-1d", lambda t, x: x.T, f(3))
case("mH", lambda t, x: x.mH, f(2, 3))
both("permute", (2, 0, 1), tagged="-tuple")
both("permute", (-1, 0, 1), tagged="-negative")
both("permute", (0, 1, 2), tagged="-identity")
methods("permute", (2, 1, 0), (1, 0, 2), ([0, 2, 1],))
both("permute", (), shape=(), tagged="-0d")
both("movedim", 0, 2)
both("moveaxis", (0, 1), (1, 2))

for shape in [(24,), (6, 4), (2, 12), (-1,), (4, -1), (2, 3, 4), (1, 24), (2, 3, 2, 2), (-1, 1, 8)]:
    for name in ("reshape", "view"):
        methods(name, shape)
        case(
            f"{name}-tuple-{tag(shape)}", lambda t, x, n=name, s=shape: getattr(x, n)(s), f(2, 3, 4)
        )
    case(f"reshape-function-{tag(shape)}", lambda t, x, s=shape: t.reshape(x, s), f(2, 3, 4))
for xs, ys in [
    ((), (1,)),
    ((), ()),
    ((1,), ()),
    ((0, 3), (3, 0)),
    ((0,), (2, 0)),
    ((0, 3), (-1,)),
    ((1, 1), (1,)),
]:
    case(f"reshape-{tag(xs)}-to-{tag(ys)}", lambda t, x, s=ys: x.reshape(s), f(*xs))
    case(f"view-{tag(xs)}-to-{tag(ys)}", lambda t, x, s=ys: x.view(s), f(*xs))
for shape in [(2, 3, 4), (24,), (4, -6), (-4, -6), (5, 5), (2, 3, 4, 1), ([24],)]:
    case(f"resize-{tag(shape)}", lambda t, x, s=shape: x.resize(*s), f(2, 3, 4))
case("resize-transposed", lambda t, x: x.t().resize(6), f(2, 3))
case("resize-result", lambda t, x: (x * x).resize(3, 2), f(2, 3))
case("resize-empty", lambda t, x: x.resize(0, 7), f(2, 0))
case("resize-0d", lambda t, x: x.resize(1, 1), f())
case("resize-ints", lambda t, x: x.resize(3, 2), i(2, 3))
case("resize-as", lambda t, x, y: x.resize_as(y), f(2, 3), f(3, 2))
case("resize-as-unlike", lambda t, x, y: x.resize_as(y), f(2, 3), f(3, 3, grad=False))
case("resize-as-ints", lambda t, x, y: (-x).resize_as(y), f(2, 3), i(6))
case("reshape-transposed", lambda t, x: x.t().reshape(6), f(2, 3))
case("reshape-sliced", lambda t, x: x[:, ::2].reshape(-1), f(2, 4))
case("reshape-expanded", lambda t, x: x.expand(2, 3).reshape(6), f(3))
case("reshape-layoutT", lambda t, x: x.reshape(-1), f(3, 4, layout="T"))
case("reshape-layoutS", lambda t, x: x.reshape(-1), f(3, 4, layout="S"))
case("reshape-keyword", lambda t, x: x.reshape(shape=(3, 2)), f(2, 3))
case("reshape_as", lambda t, x, y: x.reshape_as(y), f(2, 3), f(3, 2))
case("view_as", lambda t, x, y: x.view_as(y), f(2, 3), f(6))
case("view-of-slice", lambda t, x: x[1:].view(-1), f(3, 2))
case("ravel", lambda t, x: t.ravel(x), f(2, 3))
case("ravel-method", lambda t, x: x.ravel(), f(2, 3))
case("contiguous", lambda t, x: x.t().contiguous(), f(2, 3))
case("contiguous-already", lambda t, x: x.contiguous(), f(2, 3))
both("flatten")
both("flatten", 1, tagged="-from1")
both("flatten", 0, 1, tagged="-0-1")
both("flatten", start_dim=-2, tagged="-negative")
both("flatten", shape=(), tagged="-0d")
both("flatten", shape=(3,), tagged="-1d")
both("flatten", shape=(0, 2), tagged="-empty")
both("unflatten", 2, (2, 2))
both("squeeze", shape=(1, 2, 1))
both("squeeze", shape=(2, 3), tagged="-nothing")
both("squeeze", shape=(1, 1), tagged="-all")
for dim in (0, 1, 2, -1, -3):
    both("squeeze", dim, shape=(1, 2, 1), tagged=f"-dim{dim}")
    both("unsqueeze", dim, shape=(2, 3), tagged=f"-dim{dim}")
both("squeeze", (0, 2), shape=(1, 2, 1), tagged="-tuple")
both("squeeze", 0, shape=(), tagged="-0d")
both("unsqueeze", 0, shape=(), tagged="-0d")
both("unsqueeze", dim=-1, shape=(0,), tagged="-empty")

for xs, ys in [
    ((3,), (2, 3)),
    ((1, 3), (4, 3)),
    ((2, 1), (2, 5)),
    ((), (2, 3)),
    ((), ()),
    ((2, 3), (-1, 3)),
    ((3,), (2, -1)),
    ((1,), (0,)),
    ((1,), (4,)),
    ((1, 2, 1), (3, 2, 2)),
    ((2, 1), (5, -1, 3)),
    ((0, 1), (0, 4)),
]:
    case(f"expand-{tag(xs)}-to-{tag(ys)}", lambda t, x, s=ys: x.expand(s), f(*xs))
    case(f"expand-varargs-{tag(xs)}-to-{tag(ys)}", lambda t, x, s=ys: x.expand(*s), f(*xs))
    if -1 not in ys:
        case(
            f"broadcast_to-{tag(xs)}-to-{tag(ys)}", lambda t, x, s=ys: t.broadcast_to(x, s), f(*xs)
        )
        case(
            f"broadcast_to-method-{tag(xs)}-to-{tag(ys)}",
            lambda t, x, s=ys: x.broadcast_to(s),
            f(*xs),
        )
case("expand_as", lambda t, x, y: x.expand_as(y), f(3), f(2, 3))
case("broadcast_tensors", lambda t, x, y: t.broadcast_tensors(x, y), f(3), f(2, 1))
case("repeat", lambda t, x: x.repeat(2, 3), f(2, 2), exact=False)
case("repeat-more-dims", lambda t, x: x.repeat(2, 1, 2), f(2, 2), exact=False)
case("tile", lambda t, x: t.tile(x, (2,)), f(2, 2), exact=False)
case("atleast_2d", lambda t, x: t.atleast_2d(x), f(3))

# joining
UNEQUAL = (f(2, 3), f(1, 3), f(4, 3))
case("cat-dim0", lambda t, x, y, z: t.cat([x, y, z]), *UNEQUAL)
case("cat-dim0-tuple", lambda t, x, y, z: t.cat((x, y, z), 0), *UNEQUAL)
case("cat-dim1", lambda t, x, y: t.cat([x, y], dim=1), f(2, 3), f(2, 1))
case("cat-dim-negative", lambda t, x, y: t.cat([x, y], dim=-1), f(2, 3), f(2, 1))
case("cat-axis", lambda t, x, y: t.cat([x, y], axis=1), f(2, 3), f(2, 1))
case("cat-single", lambda t, x: t.cat([x]), f(3))
case("cat-same", lambda t, x: t.cat([x, x, x]), f(2))
case("cat-empty-legacy", lambda t, x, y: t.cat([x, y]), f(2, 3), f(0))
case("cat-empty", lambda t, x, y: t.cat([x, y]), f(0, 3), f(2, 3))
case("cat-all-empty", lambda t, x, y: t.cat([x, y]), f(0, 3), f(0, 3))
case("cat-constant-part", lambda t, x, y: t.cat([x, y]), f(2), f(3, grad=False))
case("cat-promotes", lambda t, x, y: t.cat([x, y]), f32(2), f(3))
case("cat-promotes-int", lambda t, x, y: t.cat([x, y]), f32(2), i(3))
case("cat-ints", lambda t, x, y: t.cat([x, y]), i(2), i(3, dtype="int32"))
case("cat-bool-int", lambda t, x, y: t.cat([x, y]), b(2), i(3))
case("cat-complex", lambda t, x, y: t.cat([x, y]), c(2), f(2))
case("cat-3d", lambda t, x, y: t.cat([x, y], 1), f(2, 1, 2), f(2, 2, 2))
case("cat-layouts", lambda t, x, y: t.cat([x, y.t()]), f(3, 2, layout="T"), f(2, 4))
case("cat-squared", lambda t, x, y: t.cat([x * x, y]).square(), f(2), f(3), exact=False)
for alias in ("concat", "concatenate"):
    case(f"{alias}", lambda t, x, y, n=alias: getattr(t, n)([x, y]), f(2), f(3))
for shape in [(2, 3), (), (0,), (1,)]:
    for dim in sorted({0, -1, len(shape)}):
        case(
            f"stack-{tag(shape)}-dim{dim}",
            lambda t, x, y, d=dim: t.stack([x, y], d),
            f(*shape),
            f(*shape),
        )
case("stack-default", lambda t, x, y: t.stack((x, y)), f(2), f(2))
case("stack-dim-keyword", lambda t, x, y: t.stack([x, y], dim=1), f(2), f(2))
case("stack-single", lambda t, x: t.stack([x]), f(2))
case("stack-same", lambda t, x: t.stack([x, x], 1), f(2))
case("stack-constant-part", lambda t, x, y: t.stack([x, y]), f(2), f(2, grad=False))
case("stack-promotes", lambda t, x, y: t.stack([x, y]), f32(2), f(2))
case("stack-numbers", lambda t, x: t.stack([x[0], x[2], x[1]]), f(3))
for name in ("hstack", "vstack", "dstack"):
    case(f"{name}", lambda t, x, y, n=name: getattr(t, n)([x, y]), f(2, 3), f(2, 3))
    case(f"{name}-1d", lambda t, x, y, n=name: getattr(t, n)([x, y]), f(3), f(3))

# splitting
for size in (1, 2, 3, 5, 7, [2, 3], [5], [0, 5], [1, 1, 3]):
    label = f"list{tag(tuple(size))}" if isinstance(size, list) else size
    case(f"split-{label}", lambda t, x, s=size: t.split(x, s), f(5, 2))
    case(f"split-method-{label}", lambda t, x, s=size: x.split(s, dim=1), f(2, 5))
    case(f"split-negative-{label}", lambda t, x, s=size: x.split(s, -1)[0], f(2, 5))
for chunks in (1, 2, 3, 4, 5, 7):
    case(f"chunk-{chunks}", lambda t, x, n=chunks: t.chunk(x, n), f(5, 2))
    case(f"chunk-method-{chunks}", lambda t, x, n=chunks: x.chunk(n, dim=-1), f(2, 5))
case("split-one-used", lambda t, x: t.split(x, 2)[1] * 2, f(5))
case("split-recombined", lambda t, x: t.split(x, 2)[0] * t.split(x, 2)[1], f(5), exact=False)
case(
    "chunk-gates",
    lambda t, x: (lambda a, b: a.sigmoid() * b.tanh())(*x.chunk(2, 1)),
    f(2, 4),
    exact=False,
)
case("split-empty", lambda t, x: t.split(x, 2), f(0, 2))
case("split-layout", lambda t, x: x.t().split(1), f(3, 2, layout="S"))
for dim in (0, 1, -1):
    case(f"unbind-{dim}", lambda t, x, d=dim: t.unbind(x, d), f(2, 3))
    case(f"unbind-method-{dim}", lambda t, x, d=dim: x.unbind(d), f(2, 3))
case("iterate", lambda t, x: [row * 2 for row in x], f(3, 2))
case("unpack", lambda t, x: (lambda a, b: a * b)(*x), f(2), exact=False)

# pad
for pad in [(1, 2), (0, 0), (2, 0), (1, 1, 0, 2), (0, 1, 2, 0), (-1, 1), (-1, -1), (1, 0, -1, 0)]:
    for value in (None, 3.5, -inf):
        case(
            f"pad-{tag(pad)}-{value}",
            lambda t, x, p=pad, v=value: t.nn.functional.pad(
                x, p, *([] if v is None else ["constant", v])
            ),
            f(2, 3),
        )
case(
    "pad-keywords", lambda t, x: t.nn.functional.pad(x, pad=[1, 1], mode="constant", value=2), f(3)
)
case("pad-3d", lambda t, x: t.nn.functional.pad(x, (1, 0, 0, 1, 2, 0)), f(1, 2, 2))
case("pad-empty", lambda t, x: t.nn.functional.pad(x, (1, 2)), f(0))
case("pad-int", lambda t, x: t.nn.functional.pad(x, (1, 2), value=7), i(3))
case("pad-bool", lambda t, x: t.nn.functional.pad(x, (1, 2), value=1), b(3))
case("pad-float32", lambda t, x: t.nn.functional.pad(x, (1, 0)), f32(3))

# flip, roll
for dims in [(0,), (1,), (-1,), (0, 1), (0, -1), (2, 0, 1)]:
    both("flip", dims, tagged=f"-{tag(dims)}")
methods("flip", (0,), (0, 1))
both("flip", [0], shape=(1,), tagged="-one")
both("flip", [0], shape=(0, 2), tagged="-empty")
both("fliplr", shape=(2, 3))
both("flipud", shape=(2, 3))
for shifts, dims in [
    (1, 0),
    (-1, 1),
    (5, 2),
    (0, 0),
    ((1, 2), (0, 1)),
    ((1, -1), (2, 0)),
    (-7, -1),
]:
    both("roll", shifts, dims, tagged=f"-{tag(shifts)}-{tag(dims)}")
both("roll", 2, shape=(5,), tagged="-flat1d")
both("roll", 2, tagged="-flat")
both("roll", 1, 0, shape=(0, 2), tagged="-empty")

# triangles, diagonals, trace
for diagonal in (0, 1, -1, 2, -5, 5):
    for name in ("tril", "triu"):
        both(name, diagonal, shape=(3, 4), tagged=f"-{diagonal}")
        case(
            f"{name}-keyword{diagonal}",
            lambda t, x, n=name, k=diagonal: getattr(t, n)(x, diagonal=k),
            f(2, 3, 2),
        )
    if abs(diagonal) < 4:
        both("diagonal", diagonal, shape=(3, 4), tagged=f"-{diagonal}")
        both("diag", diagonal, shape=(3, 4), tagged=f"-matrix{diagonal}")
    both("diag", diagonal, shape=(3,), tagged=f"-vector{diagonal}")
for name in ("tril", "triu"):
    case(f"{name}-nan", lambda t, x, n=name: getattr(t, n)(x), v([[nan, inf], [nan, inf]]))
    case(f"{name}-int", lambda t, x, n=name: getattr(t, n)(x), i(3, 3))
    case(f"{name}-bool", lambda t, x, n=name: getattr(t, n)(x), b(3, 3))
    case(f"{name}-empty", lambda t, x, n=name: getattr(t, n)(x), f(0, 3))
both("diagonal", 0, 0, 2, tagged="-dims")
both("diagonal", offset=1, dim1=1, dim2=2, tagged="-keywords")
both("diagonal", 0, -2, -1, tagged="-negative")
both("diagonal", shape=(1, 1), tagged="-one")
both("diag", shape=(0,), tagged="-empty")
both("diag_embed", shape=(2, 3))
case("trace", lambda t, x: t.trace(x), f(3, 3), exact=False, slack=8)
case("trace-method", lambda t, x: x.trace(), f(2, 3), exact=False, slack=8)
case("trace-tall", lambda t, x: x.trace(), f(3, 2), exact=False, slack=8)
case("trace-empty", lambda t, x: x.trace(), f(0, 0))
case("trace-int", lambda t, x: x.trace(), i(3, 3))
case("trace-of-product", lambda t, x, y: (x @ y).trace(), f(2, 3), f(3, 2), exact=False, slack=8)

# detach, clone, identity
for name in ("detach", "clone"):
    for shape in [(2, 3), (), (0,)]:
        case(f"{name}-{tag(shape)}", lambda t, x, n=name: getattr(x, n)(), f(*shape))
    case(f"{name}-function", lambda t, x, n=name: getattr(t, n)(x), f(3))
    case(f"{name}-int", lambda t, x, n=name: getattr(x, n)(), i(3))
    case(f"{name}-layout", lambda t, x, n=name: getattr(x, n)(), f(3, 4, layout="T"))
case("detach-partial", lambda t, x: x * x.detach(), f(3), exact=False)
case("clone-of-expression", lambda t, x: (x * 2).clone() * 3, f(3), exact=False)
case("data", lambda t, x: x.data, f(3))
case("straight-through", lambda t, x: x + (x.round() - x).detach(), f(4), exact=False)

# queries
for name, fn in {
    "shape": lambda t, x: tuple(x.shape),
    "size": lambda t, x: tuple(x.size()),
    "size1": lambda t, x: x.size(1),
    "size-1": lambda t, x: x.size(-1),
    "dim": lambda t, x: x.dim(),
    "ndim": lambda t, x: x.ndim,
    "ndimension": lambda t, x: x.ndimension(),
    "numel": lambda t, x: x.numel(),
    "nelement": lambda t, x: x.nelement(),
    "numel-function": lambda t, x: t.numel(x),
    "len": lambda t, x: len(x),
    "tolist": lambda t, x: str(x.tolist()),
    "is_floating_point": lambda t, x: x.is_floating_point(),
    "is_complex": lambda t, x: t.is_complex(x),
    "is_tensor": lambda t, x: t.is_tensor(x),
    "is_leaf": lambda t, x: x.is_leaf,
    "is_leaf-result": lambda t, x: (x * 2).is_leaf,
    "is_leaf-detached": lambda t, x: x.detach().is_leaf,
    "contains": lambda t, x: x[0, 0] in x,
    "is_contiguous": lambda t, x: x.is_contiguous(),
    "stride": lambda t, x: tuple(x.stride()),
    "element_size": lambda t, x: x.element_size(),
}.items():
    case(f"query-{name}", fn, f(2, 3))
case("item", lambda t, x: x.item(), f())
case("item-1x1", lambda t, x: x.item(), f(1, 1))
case("item-int", lambda t, x: x.item(), v(3, "int64"))
case("item-bool", lambda t, x: x.item(), v(True, "bool"))
case("item-float32", lambda t, x: x.item(), v(0.1, "float32"))
case("item-complex", lambda t, x: x.item(), v(1 + 2j, "complex128"))
case("tolist-0d", lambda t, x: x.tolist(), f())
case("tolist-empty", lambda t, x: str(x.tolist()), f(0, 2))
case("tolist-int", lambda t, x: str(x.tolist()), i(2, 2))
for name, convert in {"float": float, "int": int, "bool": bool, "complex": complex}.items():
    case(f"builtin-{name}", lambda t, x, c=convert: c(x), v(2.5, grad=False))
    case(f"builtin-{name}-one", lambda t, x, c=convert: c(x), v([[3]], "int64"))
case("builtin-index", lambda t, x: [10, 20, 30][x], v(1, "int64"))
case("builtin-round", lambda t, x: round(x.item(), 2), f())

CASES = case.cases
