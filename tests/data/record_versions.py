"""Record after which changes in place PyTorch refuses backward.

    python -m tests.data.record_versions

For each function of one array its operand or its result is changed between forward and backward;
the table says whether that is refused, and the gradient where it is not.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tests.recording import Recorded, run

PATH = Path(__file__).with_name("versions.json")

#: Functions that are methods, without arguments.
_PLAIN = (
    "abs acos acosh asin asinh atan atanh cos cosh erf erfc erfinv exp exp2 expm1 log "
    "log10 log1p log2 neg reciprocal relu rsqrt sgn sigmoid sign sin sinc sinh sqrt square "
    "tan tanh ceil floor round trunc frac positive amax amin max min mean norm prod std sum "
    "var nansum nan_to_num clone lgamma digamma i0 deg2rad rad2deg logit"
)

_ACTIVATIONS = (
    "elu", "gelu", "hardtanh", "leaky_relu", "logsigmoid", "relu6", "selu", "silu", "softplus",
)  # fmt: skip


def _method(name: str) -> Callable[[Any, Any], Any]:
    return lambda m, x: getattr(x, name)()


def _activation(name: str) -> Callable[[Any, Any], Any]:
    return lambda m, x: getattr(m.nn.functional, name)(x)


FUNCTIONS: dict[str, Callable[[Any, Any], Any]] = {
    **{name: _method(name) for name in _PLAIN.split()},
    **{name: _activation(name) for name in _ACTIVATIONS},
    "flip": lambda m, x: x.flip(0),
    "cumsum": lambda m, x: x.cumsum(0),
    "cumprod": lambda m, x: x.cumprod(0),
    "logcumsumexp": lambda m, x: x.logcumsumexp(0),
    "cummax": lambda m, x: x.cummax(0)[0],
    "cummin": lambda m, x: x.cummin(0)[0],
    "logsumexp": lambda m, x: x.logsumexp(0),
    "softmax": lambda m, x: x.softmax(0),
    "log_softmax": lambda m, x: x.log_softmax(0),
    "prod along": lambda m, x: x.prod(0),
    "max along": lambda m, x: x.max(0)[0],
    "median": lambda m, x: x.median(),
    "sort": lambda m, x: x.sort()[0],
    "norm 3": lambda m, x: x.norm(3),
    "clamp": lambda m, x: x.clamp(0.2, 0.7),
    "clamp_min": lambda m, x: x.clamp_min(0.2),
    "square by power": lambda m, x: x**2,
    "power": lambda m, x: x**2.5,
    "exponent": lambda m, x: 2.5**x,
    "by number": lambda m, x: x * 1.5,
    "over number": lambda m, x: x / 1.5,
    "number over": lambda m, x: 1.5 / x,
    "fmod": lambda m, x: x.fmod(0.3),
    "remainder": lambda m, x: x % 0.3,
    "add scaled": lambda m, x: x.add(x, alpha=0.3),
    "addcmul": lambda m, x: x.addcmul(x, x, value=0.3),
    "lerp": lambda m, x: x.lerp(x, 0.3),
    "polygamma": lambda m, x: x.polygamma(2),
    "mvlgamma": lambda m, x: x.mvlgamma(1),
    "logit within": lambda m, x: x.logit(0.2),
    "gelu by tanh": lambda m, x: m.nn.functional.gelu(x, approximate="tanh"),
    "igamma": lambda m, x: m.igamma(m.ones_like(x), x),
    "igammac": lambda m, x: m.igammac(m.ones_like(x), x),
    "copysign": lambda m, x: x.copysign(x.neg()),
    "copysign of number": lambda m, x: x.copysign(-0.3),
    "ldexp": lambda m, x: x.ldexp(x),
    "ldexp by integers": lambda m, x: x.ldexp(m.tensor([2, 3])),
    "nextafter": lambda m, x: x.nextafter(m.ones_like(x)),
    "float_power": lambda m, x: x.float_power(2.5),
    "masked_fill": lambda m, x: x.masked_fill(x > 0.5, 0.3),
    "index": lambda m, x: x[[0, 0]],
    "pad": lambda m, x: m.nn.functional.pad(x, (1, 1), value=0.3),
}  # fmt: skip


def outcome(torch: Any, name: str, changed: str) -> Any:
    """Return the gradient, or "refused", after a change of the operand or the result."""
    x = torch.tensor([0.3, 0.6], dtype=torch.float64, requires_grad=True)
    inner = x * 1.0 + (1.0 if name == "acosh" else 0.0)
    y = FUNCTIONS[name](torch, inner)
    with torch.no_grad():
        (inner if changed == "operand" else y).mul_(0.5)
    try:
        (gradient,) = torch.autograd.grad(y.sum(), x)
    except RuntimeError as error:
        if "modified by an inplace operation" not in str(error):
            raise
        return "refused"
    return [float(f"{v:.9g}") for v in gradient.tolist()]


def files(torch: Any, chosen: Sequence[str]) -> Recorded:
    made = {
        name: {changed: outcome(torch, name, changed) for changed in ("operand", "result")}
        for name in FUNCTIONS
    }
    yield PATH, json.dumps(made, indent=1) + "\n"


if __name__ == "__main__":
    sys.exit(run(files))
