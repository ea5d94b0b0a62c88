"""Linear algebra: matrices and stacks of matrices, empty ones and singular ones, and errors.

No case tells one sign or phase of a vector from another, and none has a result that rounding alone
decides.
"""

from __future__ import annotations

from dataclasses import replace

from .table import Differs, c, f, f32, i, table, v

inf = float("inf")

case = table("linalg", slack=64, signed_zeros=False, rtol=1e-11, same_words=False)

_POSITIVE = v([[2.0, 0.5], [-0.5, 1.0]])
_MIXED = v([[[2.0, 0.5], [-0.5, 1.0]], [[1.0, 2.0], [2.0, 4.0]]])

#: Operands of what takes one stack of square matrices.
SQUARES = {
    "3x3": f(3, 3),
    "1x1": f(1, 1),
    "0x0": f(0, 0),
    "2x3x3": f(2, 3, 3),
    "0x2x2": f(0, 2, 2),
    "2x0x0": f(2, 0, 0),
    "layoutT": f(3, 3, layout="T"),
    "constant": f(3, 3, grad=False),
    "float32": f32(2, 2),
    "complex": c(2, 3, 3),
    "int": i(2, 2),
    "half": f(2, 2, dtype="float16"),
    "2x3": f(2, 3),
    "vector": f(3),
    "number": f(),
}


def squares(name, fn):
    for kind, given in SQUARES.items():
        case(f"{name}-{kind}", fn, given, rtol=1e-4 if kind == "float32" else 1e-11)


squares("inv", lambda t, x: t.linalg.inv(x))
squares("inv-ex", lambda t, x: t.linalg.inv_ex(x)[0])
squares("inverse", lambda t, x: t.inverse(x))
squares("det", lambda t, x: t.linalg.det(x))
squares("slogdet", lambda t, x: t.linalg.slogdet(x)[1])
for kind in ("3x3", "0x0", "2x3x3", "float32", "complex"):
    case(
        f"logdet-{kind}",
        lambda t, x: t.logdet(x @ x.mT.conj()),
        SQUARES[kind],
        rtol=1e-4 if kind == "float32" else 1e-11,
    )
for kind in ("int", "half", "2x3", "vector"):
    case(f"logdet-{kind}", lambda t, x: t.logdet(x), SQUARES[kind])

case("det-method", lambda t, x: x.det(), f(3, 3))
case("det-top", lambda t, x: t.det(x), f(2, 3, 3))
case("inverse-method", lambda t, x: x.inverse(), f(3, 3))
case("logdet-method", lambda t, x: x.logdet(), _POSITIVE)
case("slogdet-method", lambda t, x: x.slogdet().logabsdet, f(3, 3))
case("slogdet-sign", lambda t, x: t.slogdet(x)[0], f(2, 3, 3, grad=False))
case("slogdet-sign-complex", lambda t, x: t.slogdet(x).sign, c(3, 3))
case(
    "slogdet-singular", lambda t, x: t.slogdet(x).logabsdet, v([[0.0, 0.0], [0.0, 0.0]], grad=False)
)
case("logdet-negative", lambda t, x: t.logdet(x), v([[0.5, 2.0], [1.5, 1.0]], grad=False))
case("logdet-singular", lambda t, x: t.logdet(x), v([[0.0, 0.0], [0.0, 1.0]], grad=False))
case("inv-singular", lambda t, x: t.linalg.inv(x), v([[1.0, 2.0], [2.0, 4.0]]))
case("inv-singular-batch", lambda t, x: t.linalg.inv(x), _MIXED)
case("inv-ex-info", lambda t, x: t.linalg.inv_ex(x)[1], _MIXED)
case("inv-ex-checked", lambda t, x: t.linalg.inv_ex(x, check_errors=True)[0], _MIXED)
case("inv-out", lambda t, x: t.linalg.inv(x, out=t.empty(2, 2, dtype=x.dtype)), f(2, 2, grad=False))

#: Shapes of A and B in `A X = B`: matrices, vectors, and stacks that broadcast.
EQUATIONS = {
    "matrix": (f(3, 3), f(3, 2)),
    "vector": (f(3, 3), f(3)),
    "stack": (f(2, 3, 3), f(2, 3, 2)),
    "stack-of-vectors": (f(2, 3, 3), f(2, 3)),
    "one-vector": (f(2, 3, 3), f(3)),
    "broadcast": (f(2, 1, 2, 2), f(3, 2, 2)),
    "columns": (f(2, 2), f(2, 2, 3)),
    "empty": (f(0, 0), f(0, 2)),
    "empty-stack": (f(0, 2, 2), f(0, 2, 1)),
    "no-columns": (f(2, 2), f(2, 0)),
    "left-only": (f(2, 2), f(2, 2, grad=False)),
    "right-only": (f(2, 2, grad=False), f(2, 2)),
    "complex": (c(2, 2), c(2, 2)),
    "float32": (f32(2, 2), f32(2, 2)),
    "layouts": (f(3, 3, layout="T"), f(3, 2, layout="S")),
    "rows": (f(2, 2), f(3, 2)),
    "not-square": (f(2, 3), f(2, 2)),
    "mixed": (f(2, 2), f32(2, 2)),
    "int": (i(2, 2), i(2, 2)),
    "half": (f(2, 2, dtype="float16"), f(2, 2, dtype="float16")),
    "number": (f(2, 2), f()),
}
for kind, (a, b) in EQUATIONS.items():
    rtol = 1e-4 if kind == "float32" else 1e-11
    case(f"solve-{kind}", lambda t, a, b: t.linalg.solve(a, b), a, b, rtol=rtol)
    case(f"solve-ex-{kind}", lambda t, a, b: t.linalg.solve_ex(a, b)[0], a, b, rtol=rtol)
    for upper in (True, False) if kind != "mixed" else ():
        case(
            f"solve-triangular-{kind}-{upper}",
            lambda t, a, b, u=upper: t.linalg.solve_triangular(a, b, upper=u),
            a,
            b,
            rtol=rtol,
        )
case("solve-right", lambda t, a, b: -t.linalg.solve(a, b, left=False), f(3, 3), f(2, 3))
case("solve-right-vector", lambda t, a, b: t.linalg.solve(a, b, left=False), f(3, 3), f(3))
case("solve-right-rows", lambda t, a, b: t.linalg.solve(a, b, left=False), f(3, 3), f(3, 2))
case("solve-singular", lambda t, a, b: t.linalg.solve(a, b), v([[1.0, 2.0], [2.0, 4.0]]), f(2))
case("solve-singular-batch", lambda t, a, b: t.linalg.solve(a, b), _MIXED, f(2, 2, 1))
case(
    "solve-ex-info",
    lambda t, a, b: t.linalg.solve_ex(a, b)[1],
    v(_MIXED.values, grad=False),
    f(2, 2, 1, grad=False),
)
case(
    "solve-ex-checked",
    lambda t, a, b: t.linalg.solve_ex(a, b, check_errors=True)[0],
    _MIXED,
    f(2, 2, 1),
)
for options in ({"left": False}, {"unitriangular": True}, {"left": False, "unitriangular": True}):
    name = "-".join(options)
    case(
        f"solve-triangular-with-{name}",
        lambda t, a, b, o=options: -t.linalg.solve_triangular(a, b, upper=True, **o),
        f(2, 2),
        f(2, 2),
    )
    case(
        f"triangular-solve-with-{name}",
        lambda t, b, a, o=options: t.triangular_solve(
            b, a, "left" not in o, "left" in o, "unitriangular" in o
        )[0],
        f(2, 2),
        f(2, 2),
    )
case("triangular-solve-vector", lambda t, b, a: t.triangular_solve(b, a)[0], f(2), f(2, 2))
case("triangular-solve-rows", lambda t, b, a: t.triangular_solve(b, a)[0], f(3, 1), f(2, 2))
case("triangular-solve-method", lambda t, b, a: b.triangular_solve(a).solution, f(2, 1), f(2, 2))

for kind in ("3x3", "1x1", "0x0", "2x3x3", "0x2x2", "layoutT", "float32", "complex"):
    rtol = 1e-4 if kind == "float32" else 1e-11
    for name, fn in {
        "cholesky": lambda t, x: t.linalg.cholesky(x @ x.mH + t.eye(x.shape[-1], dtype=x.dtype)),
        "cholesky-upper": lambda t, x: (
            -t.linalg.cholesky(x @ x.mH + t.eye(x.shape[-1], dtype=x.dtype), upper=True)
        ),
        "cholesky-ex": lambda t, x: t.linalg.cholesky_ex(
            x @ x.mH + t.eye(x.shape[-1], dtype=x.dtype)
        )[0],
        "cholesky-old": lambda t, x: t.cholesky(x @ x.mH + t.eye(x.shape[-1], dtype=x.dtype)),
        "cholesky-inverse": lambda t, x: t.cholesky_inverse(x.tril()),
        "cholesky-inverse-upper": lambda t, x: t.cholesky_inverse(x.triu(), upper=True),
        "cholesky-solve": lambda t, x: t.cholesky_solve(x.sin(), x.tril()),
        "cholesky-solve-upper": lambda t, x: t.cholesky_solve(x.sin(), x.triu(), True),
    }.items():
        # The diagonal of a factor is real.
        if kind != "complex" or "inverse" not in name:
            case(f"{name}-{kind}", fn, SQUARES[kind], rtol=rtol)
for kind in ("int", "half", "2x3", "vector"):
    case(f"cholesky-{kind}", lambda t, x: t.linalg.cholesky(x), SQUARES[kind])
    case(f"cholesky-ex-{kind}", lambda t, x: t.linalg.cholesky_ex(x)[0], SQUARES[kind])
case("cholesky-symmetric", lambda t, x: t.linalg.cholesky(x), v([[4.0, 1.0], [1.0, 3.0]]))
case("cholesky-indefinite", lambda t, x: t.linalg.cholesky(x), v([[1.0, 2.0], [2.0, 1.0]]))
case(
    "cholesky-indefinite-batch",
    lambda t, x: t.linalg.cholesky(x),
    v([[[1.0, 0.0], [0.0, 1.0]], [[-1.0, 0.0], [0.0, 1.0]]]),
)
case("cholesky-ex-info", lambda t, x: t.linalg.cholesky_ex(x)[1], v([[1.0, 2.0], [2.0, 1.0]]))
case("cholesky-solve-rows", lambda t, b, x: t.cholesky_solve(b, x), f(3, 1), f(2, 2))
case("cholesky-solve-vector", lambda t, b, x: t.cholesky_solve(b, x), f(2), f(2, 2))
case("cholesky-inverse-2x3", lambda t, x: t.cholesky_inverse(x), f(2, 3))

# ------------------------------------------------------------------ products, norms, ranks

for n in (0, 1, 2, 3, 5, -1, -2):
    case(
        f"matrix-power-{n}", lambda t, x, n=n: -t.linalg.matrix_power(x, n), f(2, 3, 3),
        differs=None if n else Differs("the power of each element keeps the matrix", freed=True),
    )  # fmt: skip
case("matrix-power-top", lambda t, x: t.matrix_power(x, 3), f(3, 3))
case("matrix-power-method", lambda t, x: x.matrix_power(2), i(2, 2))
case("matrix-power-2x3", lambda t, x: t.linalg.matrix_power(x, 2), f(2, 3))
case("matmul-linalg", lambda t, x, y: t.linalg.matmul(x, y), f(2, 3), f(3, 2))
case("multi-dot-three", lambda t, *xs: -t.linalg.multi_dot(xs), f(2, 3), f(3, 4), f(4, 2))
case("multi-dot-vectors", lambda t, *xs: -t.linalg.multi_dot(xs), f(3), f(3, 4), f(4))
case("multi-dot-one", lambda t, x: t.linalg.multi_dot([x]), f(2, 3))
case("multi-dot-unfit", lambda t, *xs: t.linalg.multi_dot(xs), f(2, 3), f(2, 3))
case("vecdot-matrix", lambda t, x, y: -t.linalg.vecdot(x, y), f(2, 3), f(2, 3))
case("vecdot-dim", lambda t, x, y: -t.linalg.vecdot(x, y, dim=0), f(2, 3), f(2, 3))
case("vecdot-broadcast", lambda t, x, y: -t.linalg.vecdot(x, y), f(2, 3), f(3))
case("vecdot-complex", lambda t, x, y: -t.linalg.vecdot(x, y), c(2, 3), c(2, 3))
case("vecdot-unfit", lambda t, x, y: t.linalg.vecdot(x, y), f(2, 3), f(4))
case("diagonal-linalg", lambda t, x: t.linalg.diagonal(x), f(2, 3, 3))
case("diagonal-linalg-offset", lambda t, x: t.linalg.diagonal(x, offset=1, dim1=0), f(3, 3))
case("vander-linalg", lambda t, x: -t.linalg.vander(x), f(2, 3))
case("vander-linalg-n", lambda t, x: -t.linalg.vander(x, N=4), v([0.0, 1.5, -2.0]))
case("vander-linalg-number", lambda t, x: -t.linalg.vander(x, N=3), f())
case("vander-linalg-one", lambda t, x: t.linalg.vander(x, N=1), f(3))
case("tensorinv-1", lambda t, x: -t.linalg.tensorinv(3 * x.sin(), ind=1), f(4, 2, 2))
case("tensorinv-0", lambda t, x: t.linalg.tensorinv(x, ind=0), f(4, 2, 2))
case("tensorinv-unfit", lambda t, x: t.linalg.tensorinv(x, ind=1), f(2, 3))
case(
    "tensorsolve-vector",
    lambda t, x, y: -t.linalg.tensorsolve(x + 3 * t.eye(4, dtype=x.dtype).reshape(2, 2, 4), y),
    f(2, 2, 4),
    f(2, 2),
)
case(
    "tensorsolve-dims",
    lambda t, x, y: (
        -t.linalg.tensorsolve(x + 3 * t.eye(4, dtype=x.dtype).reshape(4, 2, 2), y, dims=(0,))
    ),
    f(4, 2, 2),
    f(2, 2),
)
case("tensorsolve-unfit", lambda t, x, y: t.linalg.tensorsolve(x, y), f(2, 3), f(2))
case("svdvals-wide", lambda t, x: t.linalg.svdvals(x), f(2, 3))
case("svdvals-stack", lambda t, x: t.linalg.svdvals(x), f(2, 3, 2))
case("svdvals-complex", lambda t, x: t.linalg.svdvals(x), c(3, 2))
case("svdvals-empty", lambda t, x: t.linalg.svdvals(x), f(0, 3))
case("svdvals-vector", lambda t, x: t.linalg.svdvals(x), f(3))
for order in ("fro", "nuc", 1, -1, 2, -2, inf, -inf):
    case(f"matrix-norm-{order}", lambda t, x, p=order: -t.linalg.matrix_norm(x, p), f(2, 3, 3))
    # PyTorch refuses a gradient through what it changes in place itself.
    given = f(3, 3, grad=order in (2, -2))
    case(f"cond-{order}", lambda t, x, p=order: -t.linalg.cond(x, p), given)
case("matrix-norm-dim", lambda t, x: -t.linalg.matrix_norm(x, dim=(0, 2), keepdim=True), f(2, 3, 2))
case("matrix-norm-3", lambda t, x: t.linalg.matrix_norm(x, 3), f(2, 3))
case("matrix-norm-vector", lambda t, x: t.linalg.matrix_norm(x, 1), f(3))
case("cond-wide", lambda t, x: -t.linalg.cond(x), f(2, 3))
case("cond-wide-1", lambda t, x: t.linalg.cond(x, 1), f(2, 3))
case("cond-vector", lambda t, x: t.linalg.cond(x), v([1.0, 2.0], grad=False))
case("cond-3", lambda t, x: t.linalg.cond(x, 3), f(2, 2))
case("cond-singular", lambda t, x: t.linalg.cond(x, 1), v([[1.0, 2.0], [2.0, 4.0]], grad=False))
case("matrix-rank-full", lambda t, x: t.linalg.matrix_rank(x), f(2, 3, 2))
case("matrix-rank-tolerance", lambda t, x: t.linalg.matrix_rank(x, 1e9), f(3, 2))
case("matrix-rank-atol", lambda t, x: t.linalg.matrix_rank(x, atol=1e9), f(3, 2))
case("matrix-rank-zeros", lambda t, x: t.linalg.matrix_rank(x * 0), f(3, 2))
case("matrix-rank-empty", lambda t, x: t.linalg.matrix_rank(x), f(0, 3))
case("matrix-rank-vector", lambda t, x: t.linalg.matrix_rank(x), f(3))
case("pinv-tall", lambda t, x: t.linalg.pinv(x), f(3, 2))
case("pinv-wide", lambda t, x: t.linalg.pinv(x), f(2, 2, 3))
case("pinv-complex", lambda t, x: t.linalg.pinv(x), c(3, 2))
case("pinv-empty", lambda t, x: t.linalg.pinv(x), f(0, 3))
case("pinv-zeros", lambda t, x: t.linalg.pinv(x * 0), f(3, 2, grad=False))
case("pinv-rcond", lambda t, x: t.linalg.pinv(x, 1e-3), f(3, 2))
case("pinv-tolerances", lambda t, x: -t.linalg.pinv(x, rtol=t.tensor([[0.1], [9.0]])), f(3, 2))
case("matrix-rank-tolerances", lambda t, x: t.linalg.matrix_rank(x, t.tensor([0.0, 9.0])), f(3, 2))
case("pinv-vector", lambda t, x: t.linalg.pinv(x), f(3))
case("pinverse-tall", lambda t, x: t.pinverse(x), f(3, 2))
case("pinverse-method", lambda t, x: x.pinverse(), f(2, 3))

# ------------------------------------------------------------------ spectra

_HERMITIAN = {"real": f(3, 3), "stack": f(2, 2, 2), "complex": c(3, 3), "float32": f32(2, 2)}
for kind, given in _HERMITIAN.items():
    rtol = 1e-4 if kind == "float32" else 1e-11
    for name, fn in {
        "eigh": lambda t, x: t.linalg.eigh(x + x.mH)[0],
        "eigvalsh": lambda t, x: t.linalg.eigvalsh(x + x.mH),
        # What no sign and no phase changes.
        "eigh-projections": lambda t, x: t.linalg.eigh(x + x.mH).eigenvectors.abs() ** 2,
        "svd": lambda t, x: t.linalg.svd(x).S,
        "svd-projections": lambda t, x: t.linalg.svd(x, False).U.abs() ** 2,
        "svd-rows": lambda t, x: t.svd(x)[2].abs() ** 2,
        "svd-product": lambda t, x: (lambda u, s, vh: u @ vh)(*t.linalg.svd(x)),
    }.items():
        case(f"{name}-{kind}", fn, given, rtol=rtol)
for kind in ("0x0", "0x2x2", "2x0x0", "int", "half", "2x3", "vector"):
    case(f"eigh-{kind}", lambda t, x: t.linalg.eigh(x)[0], SQUARES[kind])
    case(f"eigvalsh-{kind}", lambda t, x: t.linalg.eigvalsh(x), SQUARES[kind])
for kind in ("0x0", "2x0x0", "int", "half", "vector"):
    case(f"svd-{kind}", lambda t, x: t.linalg.svd(x)[1], SQUARES[kind])
case("eigh-lower", lambda t, x: t.linalg.eigh(x, "X")[0], f(2, 2))
case("svd-nan", lambda t, x: t.linalg.svd(x)[1], v([[1.0, float("nan")], [0.0, 1.0]], grad=False))
case("svd-full", lambda t, x: t.linalg.svd(x)[0].abs() ** 2, f(2, 3))
case("svd-full-tall", lambda t, x: t.linalg.svd(x)[2].abs() ** 2, f(3, 2))
case("svd-full-complement", lambda t, x: t.linalg.svd(x)[0].abs(), f(3, 2, grad=False))
case("svd-old", lambda t, x: t.svd(x)[1], f(3, 2))
case("svd-old-full", lambda t, x: t.svd(x, some=False)[0].abs(), f(2, 3))
case("svd-old-values", lambda t, x: t.svd(x, compute_uv=False)[1], f(2, 3))
case("svd-old-zeros", lambda t, x: t.svd(x, compute_uv=False)[2], f(2, 3, grad=False))
case("svd-old-vector", lambda t, x: t.svd(x)[1], f(3))

# ------------------------------------------------------------------ other factorisations

for kind, given in _HERMITIAN.items():
    rtol = 1e-4 if kind == "float32" else 1e-11
    case(f"eigvals-{kind}", lambda t, x: t.linalg.eigvals(x).exp().sum(-1), given, rtol=rtol)
    case(f"eig-{kind}", lambda t, x: (t.linalg.eig(x)[0] ** 3).sum(-1), given, rtol=rtol)
    case(
        f"eig-vectors-{kind}",
        lambda t, x: (t.linalg.eig(x)[1].abs() ** 4).sum(-1),
        given,
        rtol=10 * rtol,
    )
for kind in ("0x0", "2x0x0", "int", "2x3", "vector"):
    case(f"eig-{kind}", lambda t, x: t.linalg.eig(x)[0].abs(), SQUARES[kind])
case("eig-nan", lambda t, x: t.linalg.eig(x)[0], v([[1.0, float("nan")], [0.0, 1.0]], grad=False))
for kind, given in {
    "square": f(3, 3),
    "tall": f(2, 3, 2),
    "wide": f(2, 3),
    "complex": c(3, 2),
    "float32": v([[2.0, 1.0], [-1.0, 1.5]], "float32"),
    "empty": f(0, 2),
}.items():
    rtol = 1e-4 if kind == "float32" else 1e-11
    case(f"qr-{kind}", lambda t, x: t.linalg.qr(x)[1].abs(), given, rtol=rtol)
    case(f"qr-columns-{kind}", lambda t, x: t.linalg.qr(x).Q.abs() ** 2, given, rtol=rtol)
for mode in ("complete", "r", "x"):
    given = f(3, 2, grad=False)
    case(f"qr-{mode}", lambda t, x, mode=mode: t.linalg.qr(x, mode)[1].abs(), given)
case("qr-complete-square", lambda t, x: t.linalg.qr(x, "complete")[0] ** 2, f(2, 3))
case("qr-old", lambda t, x: t.qr(x)[1].abs(), f(3, 2))
case("qr-old-complete", lambda t, x: t.qr(x, some=False)[0].abs(), f(3, 2, grad=False))
for kind in ("int", "half", "vector"):
    case(f"qr-{kind}", lambda t, x: t.linalg.qr(x)[1], SQUARES[kind])
case("cross-linalg", lambda t, x, y: -t.linalg.cross(x, y), f(2, 3), f(2, 3))
case("cross-linalg-dim", lambda t, x, y: -t.linalg.cross(x, y, dim=0), f(3, 2), f(3, 1))
case("cross-linalg-complex", lambda t, x, y: -t.linalg.cross(x, y), c(2, 3), c(1, 3))
case("cross-linalg-mixed", lambda t, x, y: -t.linalg.cross(x, y), f(2, 3), c(2, 3))
case("cross-linalg-int", lambda t, x, y: t.linalg.cross(x, y), i(3), i(3))
case("cross-linalg-short", lambda t, x, y: t.linalg.cross(x, y), f(2, 2), f(2, 2))
case("cross-linalg-unlike", lambda t, x, y: t.linalg.cross(x, y), f(3), f(2, 3))
case("cross-first", lambda t, x, y: -t.cross(x, y), f(3, 2), f(3, 2))
case("cross-dim", lambda t, x, y: -t.cross(x, y, 1), f(2, 3), f(2, 3))
case("cross-none", lambda t, x, y: t.cross(x, y), f(2, 2), f(2, 2))
case("cross-method", lambda t, x, y: -x.cross(y, dim=-1), f(2, 3), f(2, 3))
for name, given in {
    "square": (f(2, 2), f(2)),
    "tall": (f(3, 2), f(2)),
    "fewer": (f(2, 3, 2), f(2, 1)),
    "complex": (c(3, 2), c(2)),
    "wide": (f(2, 3), f(2)),
    "many": (f(3, 2), f(3)),
    "unlike": (f(3, 2), f(2, 2)),
}.items():
    case(
        f"householder-product-{name}",
        lambda t, x, y: -t.linalg.householder_product(x, y),
        *given,
    )
case("orgqr-columns", lambda t, x, y: -t.orgqr(x, y), f(3, 2), f(2))
for kind, given in {
    "tall": f(3, 2),
    "wide": f(2, 3),
    "stack": f(2, 3, 2),
    "complex": c(3, 2),
}.items():
    case(
        f"lstsq-{kind}",
        lambda t, x: -t.linalg.lstsq(x, x[..., :1].sin())[0],
        given,
    )
case("lstsq-vector", lambda t, x, y: -t.linalg.lstsq(x, y).solution, f(2, 3, 2), f(2, 3))
case(
    "lstsq-residuals",
    lambda t, x, y: t.linalg.lstsq(x, y)[1],
    f(3, 2, grad=False),
    f(3, 1, grad=False),
)
case(
    "lstsq-residuals-none",
    lambda t, x, y: t.linalg.lstsq(x, y)[1],
    f(2, 3, grad=False),
    f(2, 1, grad=False),
)
case(
    "lstsq-rank",
    lambda t, x, y: t.linalg.lstsq(x, y).rank,
    f(3, 2, grad=False),
    f(3, 1, grad=False),
)
case(
    "lstsq-values",
    lambda t, x, y: t.linalg.lstsq(x, y, driver="gelsd")[3],
    f(3, 2, grad=False),
    f(3, 1, grad=False),
)
case("lstsq-unfit", lambda t, x, y: t.linalg.lstsq(x, y)[0], f(3, 2), f(2, 2))
case("lstsq-unlike", lambda t, x, y: t.linalg.lstsq(x, y)[0], f(3, 2), f32(3, 2))
case("lstsq-no-driver", lambda t, x, y: t.linalg.lstsq(x, y, driver="x")[0], f(3, 2), f(3, 2))
case("lstsq-flat", lambda t, x, y: t.linalg.lstsq(x, y)[0], f(3), f(3))

# ------------------------------------------------------------------ elimination, exponentials

for kind, given in {
    "square": f(3, 3),
    "tall": f(3, 2),
    "wide": f(2, 3),
    "stack": f(2, 2, 2),
    "complex": c(3, 3),
    "float32": f32(2, 2),
    "empty": f(0, 2),
}.items():
    rtol = 1e-4 if kind == "float32" else 1e-11
    case(f"lu-factor-{kind}", lambda t, x: -t.linalg.lu_factor(x)[0], given, rtol=rtol)
    case(f"lu-factor-ex-{kind}", lambda t, x: -t.linalg.lu_factor_ex(x).LU, given, rtol=rtol)
    case(f"lu-lower-{kind}", lambda t, x: -t.linalg.lu(x).L, given, rtol=rtol)
    case(f"lu-upper-{kind}", lambda t, x: -t.linalg.lu(x)[2], given, rtol=rtol)
    case(
        f"lu-unpack-{kind}", lambda t, x: -t.lu_unpack(*t.linalg.lu_factor(x))[1], given, rtol=rtol
    )
case("lu-rows", lambda t, x: t.linalg.lu(x)[0], f(2, 3, 3, grad=False))
case("lu-factor-pivots", lambda t, x: t.linalg.lu_factor(x)[1], f(3, 3, grad=False))
case("lu-factor-ex-info", lambda t, x: t.linalg.lu_factor_ex(x)[2], v(_MIXED.values, grad=False))
case("lu-factor-singular", lambda t, x: t.linalg.lu_factor(x * 0)[0], f(2, 2))
case(
    "lu-factor-ex-checked", lambda t, x: t.linalg.lu_factor_ex(x * 0, check_errors=True)[0], f(2, 2)
)
case("lu-factor-still", lambda t, x: t.linalg.lu_factor(x, pivot=False)[0], f(2, 2))
case(
    "lu-unpack-rows",
    lambda t, x: t.lu_unpack(*t.linalg.lu_factor(x), unpack_data=False)[0],
    f(3, 2, grad=False),
)
case("lu-old", lambda t, x: -t.lu(x)[0], f(3, 2))
case("lu-old-method", lambda t, x: x.lu(get_infos=True)[0], f(2, 2))
case("lu-old-infos", lambda t, x: t.lu(x * 0, get_infos=True)[2], f(2, 2, grad=False))
case("lu-old-singular", lambda t, x: t.lu(x * 0)[0], f(2, 2))
for side in (True, False):
    for transpose in (False, True):
        case(
            f"ormqr-{'left' if side else 'right'}{'-transpose' if transpose else ''}",
            lambda t, x, tau, y, s=side, h=transpose: -t.ormqr(x, tau, y, s, h),
            c(3, 2) if side else f(3, 2), c(2) if side else f(2), c(3, 3) if side else f(3, 3),
        )  # fmt: skip
case("ormqr-unfit", lambda t, x, tau, y: t.ormqr(x, tau, y), f(3, 2), f(2), f(2, 2))
case("svd-lowrank", lambda t, x: t.svd_lowrank(x, 2)[1], f(3, 2))
case("svd-lowrank-wide", lambda t, x, m: t.svd_lowrank(x, 2, M=m)[1], f(2, 3), f(1, 3))
case("pca-lowrank", lambda t, x: t.pca_lowrank(x, 2, center=False)[1], f(3, 2))
case("pca-lowrank-centred", lambda t, x: t.pca_lowrank(x)[1], f(4, 2))
case("pca-lowrank-many", lambda t, x: t.pca_lowrank(x, 3)[1], f(3, 2))
case("lu-unpack-long", lambda t, x: t.lu_unpack(x, t.tensor([1, 2]))[0], f(2, 2))
for kind in ("int", "half", "vector"):
    case(f"lu-{kind}", lambda t, x: t.linalg.lu(x)[1], SQUARES[kind])
    case(f"lu-factor-{kind}", lambda t, x: t.linalg.lu_factor(x)[0], SQUARES[kind])
    if kind != "half":  # PyTorch's gradient is nan
        case(f"matrix-exp-{kind}", lambda t, x: t.linalg.matrix_exp(x), SQUARES[kind])
for name, options in {"plain": {}, "adjoint": {"adjoint": True}, "right": {"left": False}}.items():
    for kind, (a, b) in {
        "real": (f(2, 2), f(2, 2)),
        "stack": (f(2, 2, 2), f(2, 2, 2)),
        "complex": (c(2, 2), c(2, 2)),
    }.items():
        case(
            f"lu-solve-{name}-{kind}",
            lambda t, x, y, o=options: -t.linalg.lu_solve(*t.linalg.lu_factor(x), y, **o),
            a,
            b,
        )
case("lu-solve-old", lambda t, x, y: -t.lu_solve(y, *t.linalg.lu_factor(x)), f(2, 2), f(2, 1))
case("lu-solve-vector", lambda t, x, y: t.linalg.lu_solve(*t.linalg.lu_factor(x), y), f(2, 2), f(2))
case(
    "lu-solve-unfit", lambda t, x, y: t.linalg.lu_solve(*t.linalg.lu_factor(x), y), f(2, 2), f(3, 1)
)
for kind in ("3x3", "1x1", "0x0", "2x3x3", "0x2x2", "layoutT", "float32", "complex", "2x3"):
    rtol = 1e-4 if kind == "float32" else 1e-11
    case(f"matrix-exp-{kind}", lambda t, x: -t.linalg.matrix_exp(x), SQUARES[kind], rtol=rtol)
case("matrix-exp-top", lambda t, x: -t.matrix_exp(x), f(2, 2))
case("matrix-exp-method", lambda t, x: -x.matrix_exp(), f(2, 2))

CASES = case.cases

# ------------------------------------------------------------------ symmetric matrices

for kind, given in SQUARES.items():
    # PyTorch refuses tangents before it looks at shapes.
    given = replace(given, grad=given.grad and kind not in ("2x3", "vector", "number"))
    for name, options in {"symmetric": {}, "hermitian": {"hermitian": True}}.items():
        case(
            f"ldl-factor-{name}-{kind}",
            lambda t, x, o=options: t.linalg.ldl_factor(x, **o)[0],
            given,
            rtol=1e-4 if kind == "float32" else 1e-11,
        )
    case(f"ldl-factor-ex-{kind}", lambda t, x: t.linalg.ldl_factor_ex(x).pivots, given)
_INDEFINITE = v([[[0.0, 9.0, 9.0], [2.0, 0.0, 9.0], [1.0, 3.0, 0.5]]] * 2, grad=False)
case("ldl-factor-blocks", lambda t, x: t.linalg.ldl_factor(x).pivots, _INDEFINITE)
case("ldl-factor-ex-blocks", lambda t, x: t.linalg.ldl_factor_ex(x)[0], _INDEFINITE)
case("ldl-factor-ex-info", lambda t, x: t.linalg.ldl_factor_ex(x)[2], v([[1.0, 1.0], [1.0, 1.0]]))
case("ldl-factor-singular", lambda t, x: t.linalg.ldl_factor(x * 0)[0], f(2, 2))
case(
    "ldl-factor-ex-checked",
    lambda t, x: t.linalg.ldl_factor_ex(x * 0, check_errors=True)[0],
    f(2, 2, 2),
)


def _solved(t, x, y, hermitian=False):
    with t.no_grad():
        found = t.linalg.ldl_factor(x, hermitian=hermitian)
    return t.linalg.ldl_solve(*found, y, hermitian=hermitian)


for kind, (a, b) in {
    "real": (f(3, 3), f(3, 2)),
    "constant": (f(3, 3, grad=False), f(3, 2, grad=False)),
    "blocks": (_INDEFINITE, f(2, 3, 2, grad=False)),
    "one": (f(3, 3), f(2, 2, 3, 1)),
    "stack": (f(2, 2, 2), f(2, 2, 3)),
    "complex": (c(2, 3, 3), c(2, 3, 2)),
    "float32": (f32(2, 2), f32(2, 1)),
    "empty": (f(0, 2, 2), f(0, 2, 1)),
    "nothing": (f(2, 2), f(2, 0)),
    "0x0": (f(0, 0), f(0, 2)),
    "unlike": (f(2, 2), f32(2, 2)),
    "unfit": (f(2, 2), f(3, 2)),
    "vector": (f(2, 2), f(2)),
}.items():
    for name, hermitian in {"symmetric": False, "hermitian": True}.items():
        case(
            f"ldl-solve-{name}-{kind}",
            lambda t, x, y, h=hermitian: _solved(t, x, y, h),
            a,
            b,
            rtol=1e-4 if kind == "float32" else 1e-11,
        )
for kind, (a, pivots) in {
    "long": (f(2, 2), [1, 2]),
    "few": (f(2, 2, grad=False), [1]),
    "float": (f(2, 2, grad=False), [1.0, 2.0]),
    "int": (i(2, 2), [1, 2]),
    "half": (f(2, 2, dtype="float16"), [1, 2]),
    "2x3": (f(2, 3, grad=False), [1, 2]),
}.items():
    case(
        f"ldl-solve-{kind}",
        lambda t, x, p=pivots: t.linalg.ldl_solve(x, t.tensor(p), x),
        a,
    )
