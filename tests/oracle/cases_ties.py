"""Equal elements and kinks: which element is taken, and which slope, to the second order."""

from __future__ import annotations

from .table import GOLDEN, f, table, tag, v

inf, nan = float("inf"), float("nan")

case = table("ties")


def tied(n: int, levels: int, shift: int = 0) -> list[float]:
    """`n` numbers of which there are `levels` different ones."""
    return [float((i + 1) * GOLDEN * 7 % 1 * levels // 1) for i in range(shift, shift + n)]


for n in (2, 3, 4, 5, 9, 17, 40, 70, 130):
    for levels in (1, 2, 5):
        for k in sorted({1, 2, (n + 1) // 2, n}):
            for largest in (True, False):
                case(
                    f"topk-{n}-{levels}-{k}{'' if largest else '-smallest'}",
                    lambda t, x, k=k, largest=largest: t.topk(x, k, largest=largest),
                    v(tied(n, levels, n)),
                )
            case(
                f"kthvalue-{n}-{levels}-{k}",
                lambda t, x, k=k: t.kthvalue(x, k),
                v(tied(n, levels, n)),
            )

ROWS = [tied(6, levels) for levels in (1, 2, 3, 4)]
OF_ROWS = {
    "topk": lambda t, x, dim: t.topk(x, 3, dim),
    "kthvalue": lambda t, x, dim: t.kthvalue(x, 3, dim),
    "kthvalue-keepdim": lambda t, x, dim: t.kthvalue(x, 2, dim, True),
    "median": lambda t, x, dim: t.median(x, dim),
    "max": lambda t, x, dim: t.max(x, dim),
    "min": lambda t, x, dim: t.min(x, dim),
    "sort": lambda t, x, dim: t.sort(x, dim),
    "sort-descending": lambda t, x, dim: t.sort(x, dim, True),
    "cummax": lambda t, x, dim: t.cummax(x, dim),
    "cummin": lambda t, x, dim: t.cummin(x, dim),
    "amax": lambda t, x, dim: t.amax(x, dim),
    "aminmax": lambda t, x, dim: t.aminmax(x, dim=dim),
}
for name, of_rows in OF_ROWS.items():
    for dim in (0, 1):
        case(f"{name}-dim{dim}", lambda t, x, g=of_rows, d=dim: g(t, x, d), v(ROWS))
        with_nan = [[nan, *row[1:]] for row in ROWS]
        case(
            f"{name}-dim{dim}-nan",
            lambda t, x, g=of_rows, d=dim: g(t, x, d),
            v(with_nan),
            torch_nan=True,
        )

KINKS = {
    "elu": lambda t, x: t.nn.functional.elu(x),
    "elu-alpha": lambda t, x: t.nn.functional.elu(x, 0.5),
    "selu": lambda t, x: t.nn.functional.selu(x),
    "relu": lambda t, x: t.relu(x),
    "relu6": lambda t, x: t.nn.functional.relu6(x * 6),
    "leaky-relu": lambda t, x: t.nn.functional.leaky_relu(x, 0.1),
    "hardtanh": lambda t, x: t.nn.functional.hardtanh(x),
    "softplus": lambda t, x: t.nn.functional.softplus(x, threshold=1.0),
    "abs": lambda t, x: t.abs(x),
    "clamp": lambda t, x: t.clamp(x, -1.0, 1.0),
}
for name, kink in KINKS.items():
    # A product after it, so that second derivatives are asked for.
    case(f"{name}-kinks", lambda t, x, g=kink: g(t, x) * x.exp(), v([-1.0, -0.0, 0.0, 1.0, 0.5]))
    case(f"{name}-at-kinks", lambda t, x, g=kink: g(t, x), v([-1.0, -0.0, 0.0, 1.0, 0.5]))

CASES = case.cases

# Where there is nothing to choose from.
OF_NOTHING = {
    **OF_ROWS,
    "kthvalue-first": lambda t, x, dim: t.kthvalue(x, 1, dim),
    "topk-none": lambda t, x, dim: t.topk(x, 0, dim),
    "quantile": lambda t, x, dim: t.quantile(x, 0.3, dim),
    "argmax": lambda t, x, dim: x.argmax(dim),
    "std": lambda t, x, dim: x.std(dim),
    "cumprod": lambda t, x, dim: x.cumprod(dim),
    "prod": lambda t, x, dim: x.prod(dim),
    "norm": lambda t, x, dim: x.norm(dim=dim),
}
for name, of_none in OF_NOTHING.items():
    for shape in ((0,), (0, 3), (3, 0), (2, 0, 3)):
        for dim in range(len(shape)):
            case(
                f"{name}-of-nothing-{tag(shape)}-dim{dim}",
                lambda t, x, g=of_none, d=dim: g(t, x, d),
                f(*shape),
            )
for reduction in ("sum", "none"):
    for shape in ((0, 3), (2, 0), (0,)):
        case(
            f"cross_entropy-of-nothing-{tag(shape)}-{reduction}",
            lambda t, x, y, r=reduction: t.nn.functional.cross_entropy(x, y, reduction=r),
            f(*shape),
            f(*shape),
        )
