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

CASES = case.cases
