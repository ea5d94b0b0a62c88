"""Linear algebra: matrices and stacks of matrices, empty ones and singular ones, and errors.

No case tells one sign or phase of a vector from another, and none has a result that rounding alone
decides.
"""

from __future__ import annotations

from .table import c, f, f32, i, table, v

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

CASES = case.cases
