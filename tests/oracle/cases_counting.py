"""How often elements occur, which of them are distinct or among others, and draws of counts."""

from __future__ import annotations

import math

from .table import Table, c, f, i, table, v

case: Table = table("counting")


def _numbers(t, *elements, **options):  # type: ignore[no-untyped-def]
    return t.tensor(elements, **options)


# ---------------------------------------------------------------- how often each number occurs

case("bincount", lambda t: t.bincount(_numbers(t, 0, 2, 2, 5)))
case("bincount-minlength", lambda t: t.bincount(_numbers(t, 1, 1), minlength=4))
case("bincount-empty", lambda t: t.bincount(_numbers(t, dtype=t.int32), minlength=2))
case("bincount-bytes", lambda t: t.bincount(_numbers(t, 3, 1, dtype=t.uint8)))
case("bincount-weights", lambda t, w: t.bincount(_numbers(t, 0, 2, 2), w), f(3, grad=False))
case(
    "bincount-single-weights",
    lambda t: t.bincount(_numbers(t, 0, 2, 2), _numbers(t, 0.5, 1.5, 3.25)),
)
case("bincount-whole-weights", lambda t, w: t.bincount(_numbers(t, 0, 2), w), i(2))
case(
    "bincount-empty-weights",
    lambda t, w: t.bincount(_numbers(t, dtype=t.int64), w),
    f(0, grad=False),
)
case("bincount-negative", lambda t: t.bincount(_numbers(t, 0, -1)))
case("bincount-matrix", lambda t: t.bincount(t.ones(2, 2, dtype=t.int64)))
case("bincount-floats", lambda t, x: t.bincount(x), f(3))
case("bincount-short", lambda t: t.bincount(_numbers(t, 1, 2), minlength=-1))
case("bincount-other-weights", lambda t, w: t.bincount(_numbers(t, 0, 2), w), f(3, grad=False))

_SPREAD = v([0.5, 1.0, 2.0, 3.0, -4.0])
for name, call in {
    "all": lambda t, x: t.histc(x),
    "few": lambda t, x: t.histc(x, bins=4),
    "within": lambda t, x: t.histc(x, bins=3, min=0, max=3),
    "single": lambda t, x: t.histc(x.float(), bins=7, min=-1.5, max=2),
    "equal": lambda t, x: t.histc(x * 0 + 1, bins=4),
    "matrix": lambda t, x: t.histc(x.view(1, 5), bins=2),
    "none": lambda t, x: t.histc(x[:0], bins=2),
    "out-of-order": lambda t, x: t.histc(x, bins=4, min=3, max=0),
    "infinite": lambda t, x: t.histc(x, bins=4, min=0, max=math.inf),
    "no-parts": lambda t, x: t.histc(x, bins=0),
    "integers": lambda t, x: t.histc(x.long(), bins=2),
}.items():
    case(f"histc-{name}", call, _SPREAD)
case("histc-nan", lambda t, x: t.histc(x, bins=4, min=0, max=3), v([1.0, math.nan, 2.0]))

_COUNTED = v([0.5, 1.0, 2.0, 3.0, -4.0], grad=False)
for name, call in {
    "all": lambda t, x: t.histogram(x),
    "few": lambda t, x: t.histogram(x, 4),
    "within": lambda t, x: t.histogram(x, bins=3, range=(0, 3)),
    "single": lambda t, x: t.histogram(x.float(), bins=7, range=(-1.5, 2.0)),
    "equal": lambda t, x: t.histogram(x * 0 + 1, bins=4),
    "matrix": lambda t, x: x.view(1, 5).histogram(2),
    "none": lambda t, x: t.histogram(x[:0], bins=2),
    "edges": lambda t, x: t.histogram(x, t.tensor([-4.0, 0.5, 1.0, 3.0], dtype=t.float64)),
    "weight": lambda t, x: t.histogram(x, 3, weight=x * x),
    "density": lambda t, x: t.histogram(x, 3, range=(-1, 5), weight=x.exp(), density=True),
    "out-of-order": lambda t, x: t.histogram(x, 4, range=(3, 0)),
    "infinite": lambda t, x: t.histogram(x, 4, range=(0, math.inf)),
    "nan": lambda t, x: t.histogram(x.log(), 4),
    "no-parts": lambda t, x: t.histogram(x, bins=0),
    "one-edge": lambda t, x: t.histogram(x, x[:1]),
    "one-end": lambda t, x: t.histogram(x, 2, range=(1.0,)),
    "integers": lambda t, x: t.histogram(x.long(), bins=2),
    "half": lambda t, x: t.histogram(x.half(), bins=2),
    "other-weight": lambda t, x: t.histogram(x, 2, weight=x[:2]),
    "edges-dtype": lambda t, x: t.histogram(x, x.float()),
    "edges-axes": lambda t, x: t.histogram(x, x.view(1, 5)),
}.items():
    case(f"histogram-{name}", call, _COUNTED)

# ---------------------------------------------------------------- distinct elements

_REPEATED = v([3.0, 1.0, 3.0, 2.0, 2.0], grad=False)
_MATRIX = v([[1.0, 2.0, 1.0], [1.0, 2.0, 1.0], [0.0, 5.0, 0.0]], grad=False)
_ALL = {"return_inverse": True, "return_counts": True}
for name in ("unique", "unique_consecutive"):
    words = name.replace("_", "-")
    case(f"{words}-elements", lambda t, x, n=name: getattr(t, n)(x), _REPEATED)
    case(f"{words}-all", lambda t, x, n=name: getattr(t, n)(x, **_ALL), _REPEATED)
    case(f"{words}-matrix", lambda t, x, n=name: getattr(t, n)(x, **_ALL), _MATRIX)
    for dim in (0, -1):
        case(
            f"{words}-slices-{dim % 2}",
            lambda t, x, n=name, d=dim: getattr(t, n)(x, dim=d, **_ALL),
            _MATRIX,
        )
    case(f"{words}-counts", lambda t, x, n=name: getattr(x, n)(return_counts=True), i(4))
    case(f"{words}-one", lambda t, x, n=name: getattr(t, n)(x, **_ALL), v(3.0, grad=False))
    case(f"{words}-no-elements", lambda t, x, n=name: getattr(t, n)(x, **_ALL), f(0, grad=False))
    case(f"{words}-no-slices", lambda t, x, n=name: getattr(t, n)(x, dim=1), f(0, 3, grad=False))
    case(f"{words}-complex", lambda t, x, n=name: getattr(t, n)(x), c(3, grad=False))
    case(f"{words}-axis", lambda t, x, n=name: getattr(t, n)(x, dim=2), _MATRIX)
case("unique-nan", lambda t, x: t.unique(x, **_ALL), v([math.nan, 1.0, math.nan], grad=False))

# ---------------------------------------------------------------- elements among others

_AMONG = v([[0.5, 1.0], [math.nan, 2.0]])
case("isin", lambda t, x, y: t.isin(x, y), _AMONG, v([2.0, 0.5, math.nan]))
case("isin-none", lambda t, x, y: t.isin(x, y, invert=True), _AMONG, v([2.0, 0.5]))
case("isin-number", lambda t, x: t.isin(x, 2), _AMONG)
case("isin-of-a-number", lambda t, x: t.isin(2.0, x), _AMONG)
case("isin-integers", lambda t, x: t.isin(x, 2.5), i(4))
case("isin-kinds", lambda t, x, y: t.isin(x, y), i(4), v([2.0, 0.5]))
case("isin-complex", lambda t, x, y: t.isin(x, y), c(2), c(2))

# ---------------------------------------------------------------- draws


def _seeded(t):  # type: ignore[no-untyped-def]
    return t.Generator().manual_seed(3)


case(
    "poisson", lambda t, x: t.poisson(x, generator=_seeded(t)),
    v([0.0, 0.5, 3.0, 9.99, 10.0, 50.0, 1e3, 1e6]),
)  # fmt: skip
case("poisson-single", lambda t, x: t.poisson(x.float(), _seeded(t)), v([[0.5, 30.0]]))
case("poisson-negative", lambda t, x: t.poisson(x), v([1.0, -0.5]))
case("poisson-integers", lambda t, x: t.poisson(x), i(3))
_TRIALS = v([4.0, 5.0, 9.0, 100.0, 1e4, 30.0, 0.0, -1.0])
_CHANCES = v([0.5, 1.5, 0.2, 0.25, 0.7, 0.999, 0.5, 0.0])
case("binomial", lambda t, n, p: t.binomial(n, p, generator=_seeded(t)), _TRIALS, _CHANCES)
case(
    "binomial-single", lambda t, n, p: t.binomial(n.float(), p.float(), _seeded(t)),
    v([[4.0], [100.0]]), v([0.5, 0.25, 0.9]),
)  # fmt: skip
case("binomial-integers", lambda t, n, p: t.binomial(n, p.detach()), i(3), v([0.5, 0.5, 0.5]))
case("binomial-kinds", lambda t, n, p: t.binomial(n.float(), p), v([4.0]), v([0.5]))
case("binomial-shapes", lambda t, n, p: t.binomial(n, p), v([4.0, 5.0]), v([0.5, 0.5, 0.5]))
_WEIGHTS = v([[0.1, 0.2, 0.7, 0.0], [1.0, 3.0, 0.5, 2.0]])
for name, count, again in (("one", 1, False), ("some", 3, False), ("again", 9, True)):
    case(
        f"multinomial-{name}",
        lambda t, x, n=count, r=again: t.multinomial(x, n, r, generator=_seeded(t)),
        _WEIGHTS,
    )
case("multinomial-row", lambda t, x: x[0].multinomial(2, generator=_seeded(t)), _WEIGHTS)
case("multinomial-many", lambda t, x: t.multinomial(x, 5), _WEIGHTS)
case("multinomial-no-draws", lambda t, x: t.multinomial(x, 0), _WEIGHTS)
case("multinomial-negative", lambda t, x: t.multinomial(-x, 1), _WEIGHTS)
case("multinomial-negative-again", lambda t, x: t.multinomial(-x, 2, True), _WEIGHTS)
case("multinomial-infinite", lambda t, x: t.multinomial(x / 0, 2, True), _WEIGHTS)
case("multinomial-zeros", lambda t, x: t.multinomial(x * 0, 1), _WEIGHTS)
case("multinomial-integers", lambda t, x: t.multinomial(x, 1), i(3))
case("multinomial-stack", lambda t, x: t.multinomial(x[None], 1), _WEIGHTS)

CASES = case.cases
