"""Products of matrices and general contractions: all ranks, batches, layouts and dtypes."""

from __future__ import annotations

from .table import b, c, f, f32, i, table, tag, v

inf, nan = float("inf"), float("nan")

case = table("contraction", slack=16, signed_zeros=False)


def softmax(scores):
    return (scores - scores.logsumexp(-1, keepdim=True)).exp()


MATMUL = [
    ((3,), (3,)),
    ((1,), (1,)),
    ((0,), (0,)),
    ((2, 3), (3,)),
    ((3,), (3, 2)),
    ((2, 3), (3, 4)),
    ((1, 3), (3, 1)),
    ((2, 0), (0, 3)),
    ((0, 3), (3, 2)),
    ((2, 3), (3, 0)),
    ((1, 1), (1, 1)),
    ((2, 3, 4), (2, 4, 2)),
    ((2, 3, 4), (4, 2)),
    ((3, 4), (2, 4, 2)),
    ((2, 3, 4), (4,)),
    ((3,), (2, 3, 4)),
    ((1, 3, 4), (2, 4, 2)),
    ((2, 1, 2, 3), (3, 3, 2)),
    ((2, 1, 2, 3), (1, 3, 3, 2)),
    ((0, 2, 3), (3, 2)),
    ((2, 3), (0, 3, 2)),
    ((2, 2, 3), (2, 3, 1)),
    ((1,), (1, 3)),
    ((2, 1), (1,)),
    ((2, 2, 2, 2), (2,)),
    ((2,), (2, 2, 2, 2)),
    ((2, 0), (0,)),
]
for xs, ys in MATMUL:
    case(f"matmul-{tag(xs)}-{tag(ys)}", lambda t, x, y: t.matmul(x, y), f(*xs), f(*ys))
    case(f"operator-{tag(xs)}-{tag(ys)}", lambda t, x, y: x @ y, f(*xs), f(*ys))
    case(f"left-{tag(xs)}-{tag(ys)}", lambda t, x, y: x @ y, f(*xs), f(*ys, grad=False))
    case(f"right-{tag(xs)}-{tag(ys)}", lambda t, x, y: x @ y, f(*xs, grad=False), f(*ys))

DIRECT = {
    "dot": [((3,), (3,)), ((0,), (0,)), ((1,), (1,))],
    "inner": [((3,), (3,)), ((2, 3), (3,)), ((2, 3), (4, 3)), ((), (2, 3)), ((), ())],
    "mv": [((2, 3), (3,)), ((0, 3), (3,)), ((2, 0), (0,)), ((1, 1), (1,))],
    "mm": [((2, 3), (3, 4)), ((0, 3), (3, 2)), ((2, 0), (0, 2)), ((1, 1), (1, 1))],
    "bmm": [
        ((2, 3, 4), (2, 4, 2)),
        ((0, 3, 4), (0, 4, 2)),
        ((2, 1, 1), (2, 1, 1)),
        ((1, 2, 0), (1, 0, 2)),
    ],
    "outer": [((2,), (3,)), ((0,), (3,)), ((1,), (1,))],
    "ger": [((2,), (3,))],
}
for name, shapes in DIRECT.items():
    for xs, ys in shapes:
        case(
            f"{name}-{tag(xs)}-{tag(ys)}",
            lambda t, x, y, n=name: getattr(t, n)(x, y),
            f(*xs),
            f(*ys),
        )
    xs, ys = shapes[0]
    case(f"{name}-method", lambda t, x, y, n=name: getattr(x, n)(y), f(*xs), f(*ys))
    case(f"{name}-float32", lambda t, x, y, n=name: getattr(x, n)(y), f32(*xs), f32(*ys))
    case(f"{name}-int", lambda t, x, y, n=name: getattr(x, n)(y), i(*xs), i(*ys))
    case(f"{name}-complex", lambda t, x, y, n=name: getattr(x, n)(y), c(*xs), c(*ys))
    case(f"{name}-left-only", lambda t, x, y, n=name: getattr(x, n)(y), f(*xs), f(*ys, grad=False))
    case(f"{name}-right-only", lambda t, x, y, n=name: getattr(x, n)(y), f(*xs, grad=False), f(*ys))

case("matmul-same", lambda t, x: x @ x, f(3, 3))
case("matmul-transpose-self", lambda t, x: x.t() @ x, f(3, 2))
case("matmul-self-transpose", lambda t, x: x @ x.T, f(3, 2))
case("dot-same", lambda t, x: x.dot(x), f(3))
case("outer-same", lambda t, x: t.outer(x, x), f(3))
case("matmul-layouts", lambda t, x, y: x @ y, f(2, 3, layout="T"), f(3, 2, layout="S"))
case("matmul-expanded", lambda t, x, y: x @ y, f(2, 3, layout="E"), f(3, 2))
case("matmul-sliced", lambda t, x, y: x[:, ::2] @ y[1:], f(2, 4), f(3, 2))
case("matmul-method", lambda t, x, y: x.matmul(y), f(2, 3), f(3, 2))
case("matmul-float32", lambda t, x, y: x @ y, f32(2, 3), f32(3, 2))
case("matmul-complex", lambda t, x, y: x @ y, c(2, 3), c(3, 2))
case("matmul-int", lambda t, x, y: x @ y, i(2, 3), i(3, 2))
case("matmul-bool", lambda t, x, y: x @ y, b(2, 3), b(3, 2))
case("matmul-nan", lambda t, x, y: x @ y, v([[nan, 1.0], [2.0, 3.0]]), f(2, 2), torch_nan=True)
case("linear", lambda t, x, w, b: x @ w.T + b, f(4, 3), f(2, 3), f(2))
case(
    "linear-functional", lambda t, x, w, b: t.nn.functional.linear(x, w, b), f(4, 3), f(2, 3), f(2)
)
case("linear-vector", lambda t, x, w: t.nn.functional.linear(x, w), f(3), f(2, 3))
case("quadratic-form", lambda t, x, a: x @ a @ x, f(3), f(3, 3))
case("two-layers", lambda t, x, w, u: t.tanh(x @ w) @ u, f(4, 3), f(3, 5), f(5, 1))
case("least-squares", lambda t, a, x, y: ((a @ x - y) ** 2).sum(), f(4, 3), f(3), f(4))
case("chain-of-three", lambda t, a, b, c: a @ b @ c, f(2, 3), f(3, 4), f(4, 2))
case("matrix-power-by-hand", lambda t, a: a @ a @ a, f(2, 2))
case(
    "attention",
    lambda t, q, k, v: softmax(q @ k.mT / 2) @ v,
    f(2, 3, 4),
    f(2, 5, 4),
    f(2, 5, 2),
)

EINSUM = [
    ("i,i->", (3,), (3,)),
    ("i,j->ij", (2,), (3,)),
    ("ij,jk->ik", (2, 3), (3, 4)),
    ("ij,kj->ik", (2, 3), (4, 3)),
    ("ij,jk->ki", (2, 3), (3, 4)),
    ("ij,jk", (2, 3), (3, 4)),
    ("ij,ij->", (2, 3), (2, 3)),
    ("ij,ij->ij", (2, 3), (2, 3)),
    ("ij,ij->i", (2, 3), (2, 3)),
    ("ij,j->i", (2, 3), (3,)),
    ("ij,j->ij", (2, 3), (3,)),
    ("bij,bjk->bik", (2, 3, 4), (2, 4, 2)),
    ("bij,jk->bik", (2, 3, 4), (4, 2)),
    ("bij,bkj->bik", (2, 3, 4), (2, 2, 4)),
    ("...ij,...jk->...ik", (2, 3, 4), (2, 4, 2)),
    ("...ij,jk->...ik", (2, 3, 4), (4, 2)),
    ("...ij,...jk->...ik", (3, 4), (2, 4, 2)),
    ("...i,...i->...", (2, 3), (3,)),
    ("i...,i...->...", (3, 2), (3, 2)),
    ("...,...->...", (2, 3), (3,)),
    ("...i,j->...ij", (2, 3), (2,)),
    ("ii,i->i", (3, 3), (3,)),
    ("ii,jj->ij", (3, 3), (2, 2)),
    ("ij,ji->", (2, 3), (3, 2)),
    ("iij,j->i", (2, 2, 3), (3,)),
    ("i,->i", (3,), ()),
    (",->", (), ()),
    ("ij,k->", (2, 3), (4,)),
    ("ij,k->ik", (2, 3), (4,)),
    ("ij,jk->j", (2, 3), (3, 4)),
    ("abc,cde->abde", (2, 1, 3), (3, 2, 2)),
    ("abc,bca->", (2, 3, 4), (3, 4, 2)),
    ("ij,jk->ik", (0, 3), (3, 2)),
    ("ij,jk->ik", (2, 0), (0, 2)),
    ("ba,bc->ac", (3, 2), (3, 4)),
    ("i, j -> i j", (2,), (3,)),
    ("Aa,aB->AB", (2, 3), (3, 2)),
    ("ij,ik->jk", (1, 2), (1, 3)),
    ("ij,jk->ik", (2, 1), (3, 2)),
]
for k, (text, xs, ys) in enumerate(EINSUM):
    case(
        f"einsum2-{k}-{tag(xs)}-{tag(ys)}",
        lambda t, x, y, e=text: t.einsum(e, x, y),
        f(*xs),
        f(*ys),
    )
EINSUM_ONE = [
    ("ii", (3, 3)),
    ("ii->", (3, 3)),
    ("ii->i", (3, 3)),
    ("ij->ji", (2, 3)),
    ("ji", (2, 3)),
    ("ij->", (2, 3)),
    ("ij->i", (2, 3)),
    ("ij->j", (2, 3)),
    ("ijk->kij", (2, 3, 4)),
    ("iji->j", (2, 3, 2)),
    ("iji->ij", (2, 3, 2)),
    ("iii->i", (2, 2, 2)),
    ("iii->", (2, 2, 2)),
    ("...ii->...i", (2, 3, 3)),
    ("...ij->...ji", (2, 3, 4)),
    ("...->...", (2, 3)),
    ("...i->...", (2, 3)),
    ("i...->...i", (2, 3, 4)),
    ("i->i", (3,)),
    ("->", ()),
    ("aabb->ab", (2, 2, 3, 3)),
    ("aabb->", (2, 2, 3, 3)),
    ("ij->ij", (0, 3)),
    ("ij->i", (2, 0)),
    ("i->", (0,)),
    ("ii->i", (1, 1)),
    ("...", (2, 3)),
]
for k, (text, xs) in enumerate(EINSUM_ONE):
    case(f"einsum1-{k}-{tag(xs)}", lambda t, x, e=text: t.einsum(e, x), f(*xs))
EINSUM_THREE = [
    ("ij,jk,kl->il", (2, 3), (3, 4), (4, 2)),
    ("i,ij,j->", (2,), (2, 3), (3,)),
    ("i,i,i->", (3,), (3,), (3,)),
    ("i,j,k->ijk", (2,), (3,), (2,)),
    ("bi,ijk,bk->bj", (2, 3), (3, 2, 4), (2, 4)),
    ("ij,jk,ki->", (2, 3), (3, 4), (4, 2)),
    ("...i,ij,...j->...", (2, 3), (3, 4), (2, 4)),
]
for k, (text, xs, ys, zs) in enumerate(EINSUM_THREE):
    case(f"einsum3-{k}", lambda t, x, y, z, e=text: t.einsum(e, x, y, z), f(*xs), f(*ys), f(*zs))
case("einsum-same", lambda t, x: t.einsum("ij,kj->ik", x, x), f(2, 3))
case("einsum-list", lambda t, x, y: t.einsum("ij,jk", [x, y]), f(2, 3), f(3, 2))
case("einsum-sublists", lambda t, x, y: t.einsum(x, [0, 1], y, [1, 2], [0, 2]), f(2, 3), f(3, 2))
case("einsum-float32", lambda t, x, y: t.einsum("ij,jk->ik", x, y), f32(2, 3), f32(3, 2))
case("einsum-complex", lambda t, x, y: t.einsum("ij,jk->ik", x, y), c(2, 3), c(3, 2))
case("einsum-int", lambda t, x, y: t.einsum("ij,jk->ik", x, y), i(2, 3), i(3, 2))
case(
    "einsum-layouts",
    lambda t, x, y: t.einsum("ij,jk->ik", x, y),
    f(2, 3, layout="T"),
    f(3, 2, layout="S"),
)
case(
    "einsum-bilinear",
    lambda t, x, a, y: t.einsum("bi,oij,bj->bo", x, a, y),
    f(2, 3),
    f(2, 3, 2),
    f(2, 2),
)

case("tensordot-1", lambda t, x, y: t.tensordot(x, y, 1), f(2, 3), f(3, 4))
case("tensordot-2", lambda t, x, y: t.tensordot(x, y, dims=2), f(2, 3, 4), f(3, 4, 2))
case("tensordot-0", lambda t, x, y: t.tensordot(x, y, dims=0), f(2), f(3))
case(
    "tensordot-lists", lambda t, x, y: t.tensordot(x, y, dims=([1, 0], [0, 1])), f(2, 3, 4), f(3, 2)
)

CASES = case.cases
