"""Functions of elements that a mask keeps: masks of one shape and broadcast, rows of which none is.

What is left out is not finite in places, where PyTorch's own gradients may be nan.
"""

from __future__ import annotations

import math
from typing import Any

from .table import Table, c, f, i, table, v

case: Table = table("masked", same_words=False, torch_nan=True)

_X = v([[0.5, -1.25, 2.0, 0.75], [1.5, 0.25, -0.5, 3.0]])
_WITHOUT = v([[0.5, math.nan, 2.0, -math.inf], [1.5, 0.25, math.inf, 3.0]])
_MASK = v([[1, 0, 1, 0], [1, 1, 0, 1]], "bool")
_ROW = v([1, 0, 0, 1], "int64")
_NONE = v([[1, 0, 1, 0], [0, 0, 0, 0]], "bool")
_REDUCTIONS = ("sum", "prod", "amax", "amin", "argmax", "argmin", "mean", "norm", "var", "std",
               "logsumexp", "median")  # fmt: skip
_SCANS = ("cumsum", "cumprod", "softmax", "log_softmax", "softmin")


def call(name: str, **options: Any) -> Any:
    """A function of a library, of what is reduced and of a mask, if there is one."""
    return lambda t, x, *mask: getattr(t.masked, name)(
        x, **options, **({"mask": mask[0]} if mask else {})
    )


for name in (*_REDUCTIONS, *_SCANS):
    words, dim = name.replace("_", "-"), {"dim": 1}
    case(f"{words}", call(name, **dim), _X, _MASK)
    case(f"{words}-left-out", call(name, **dim), _WITHOUT, _MASK)
    case(f"{words}-row", call(name, **dim), _X, _ROW)
    case(f"{words}-nothing", call(name, dim=-1), _X)
    case(f"{words}-integers", call(name, **dim), i(2, 4), _MASK)
    case(f"{words}-complex", call(name, dim=0), c(2, 4), _MASK)
    case(f"{words}-wide", call(name, **dim), f(4), _MASK)
    if name in _REDUCTIONS:
        case(f"{words}-kept", call(name, **dim, keepdim=True), _X, _MASK)
        case(f"{words}-none", call(name, **dim), _X, _NONE)
        if name != "median":
            case(f"{words}-all", call(name), _X, _MASK)
            case(f"{words}-single", call(name, dtype=None), f(), v(True, "bool"))
for name in ("var", "std"):
    case(f"{name}-biased", call(name, dim=1, unbiased=False), _X, _MASK)
    case(f"{name}-correction", call(name, dim=(0, 1), correction=2), _X, _MASK)
    case(f"{name}-both", call(name, unbiased=True, correction=2), _X, _MASK)
for order in (1.0, 2.5, math.inf, -math.inf):
    case(f"norm-{order:g}".replace(".", "-"), call("norm", ord=order, dim=1), _X, _MASK)
case("normalize", call("normalize", ord=2.0, dim=1), _X, _MASK)
case("normalize-none", call("normalize", ord=1.0, dim=1), _X, _NONE)
case("normalize-eps", call("normalize", ord=2.0, dim=0, eps=2.5), _X, _MASK)
case("logaddexp", lambda t, x, y, m: t.masked.logaddexp(x, y, other_mask=m), _X, f(2, 4), _MASK)
case(
    "logaddexp-both",
    lambda t, x, y, m, n: t.masked.logaddexp(x, y, input_mask=m, other_mask=n),
    _WITHOUT, f(2, 4), _MASK, _ROW,
)  # fmt: skip

CASES = case.cases
