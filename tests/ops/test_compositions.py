"""Operations that users could write with others: same values, and gradients that are no longer.

`test_composites` compares an operation with the formula in its class. Here it is compared with what
a user writes, as far as programs of gradients go: how many instructions run in backward.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import symgrad as t
import symgrad.nn.functional as F
from symgrad.expr.graph import toposort
from symgrad.ops.primitive import bind
from symgrad.ops.recurrent import Pass, Slopes, gru_states, lstm_states, rnn_states
from symgrad.ops.scans import others_product
from tests.each import each
from tests.ops.test_composites import COMPOSITES

_X = [[0.5, -1.25, 2.0], [0.75, 0.3, -0.6]]
_Y = [[1.5, 0.25, -0.5], [0.8, 1.2, 2.5]]
_POSITIVE = [[0.5, 1.25, 2.0], [0.75, 0.3, 0.6]]
_UNIT = [[0.5, 0.25, 0.9], [0.75, 0.35, 0.6]]
_SQUARE = [[1.0, 2.0], [3.0, -4.0]]
_STACK = [[[1.0, 2.0, 0.5], [3.0, -4.0, 1.5]]]
_CLASSES = t.tensor([0, 2])
_FACTOR = [[2.0, 0.0, 0.0], [0.5, 1.5, 0.0], [-1.0, 0.25, 3.0]]
_SELU = (1.0507009873554804934193349852946, 1.6732632423543772848170429916717)


class Case(NamedTuple):
    """An operation, what a user writes for it, and values for the operands of both."""

    values: list[Any]
    call: Callable[..., Any]
    written: Callable[..., Any]


def _centred(x: Any, *dim: int) -> Any:
    return x - (x.mean(*dim, keepdim=True) if dim else x.mean())


def _standardized(x: Any, dim: int) -> Any:
    centred = _centred(x, dim)
    return centred * ((centred**2).mean(dim, keepdim=True) + 1e-5).rsqrt()


def _upper_solve(a: Any, b: Any) -> Any:
    return t.linalg.solve_triangular(a, b, upper=True)


def _negative_logs(x: Any, *shape: int) -> Any:
    return -x.gather(1, _CLASSES.reshape(2, 1, *shape)).mean()


def _recurrent(cls: type[Pass], *params: Any) -> Case:
    *given, _ = cls.samples[0] if params else (*cls.samples[0], None)

    def call(*operands: Any) -> Any:
        return bind(cls, operands, params)

    def written(read: Any, *rest: Any) -> Any:
        *first, v, b = rest
        state, steps = tuple(first), []
        for x in read:
            state, kept = cls.step(x, state, F.linear(state[0], v, b), *params)
            steps.append(t.cat([*state, *kept], 1).T)
        return t.stack(steps)

    return Case(given, call, written)


CASES: dict[str, Case] = {
    # recurrent layers
    "lstm": _recurrent(lstm_states),
    "gru": _recurrent(gru_states),
    "rnn": _recurrent(rnn_states, "tanh"),
    # sums of products
    "add_scaled": Case([_X, _Y], lambda x, y: t.add(x, y, alpha=0.5), lambda x, y: x + 0.5 * y),
    "sub_scaled": Case([_X, _Y], lambda x, y: t.sub(x, y, alpha=0.5), lambda x, y: x - 0.5 * y),
    "rsub_scaled": Case([_X, _Y], lambda x, y: t.rsub(x, y, alpha=0.5), lambda x, y: y - 0.5 * x),
    "addcmul": Case(
        [_X, _Y, _X], lambda x, y, z: t.addcmul(x, y, z, value=0.5), lambda x, y, z: x + 0.5 * y * z
    ),
    "addcdiv": Case(
        [_X, _Y, _POSITIVE],
        lambda x, y, z: t.addcdiv(x, y, z, value=0.5),
        lambda x, y, z: x + 0.5 * y / z,
    ),
    "lerp": Case([_X, _Y, _UNIT], t.lerp, lambda x, y, w: x + w * (y - x)),
    "lerp of a number": Case(
        [_X, _Y], lambda x, y: t.lerp(x, y, 0.3), lambda x, y: x + 0.3 * (y - x)
    ),
    "addmm": Case(
        [_SQUARE, _X, _Y],
        lambda m, x, y: t.addmm(m, x, y.T, beta=0.5, alpha=2),
        lambda m, x, y: 0.5 * m + 2 * (x @ y.T),
    ),
    "addmv": Case(
        [_X, _Y],
        lambda x, y: t.addmv(x[:, 0], x, y[0], alpha=2),
        lambda x, y: x[:, 0] + 2 * (x @ y[0]),
    ),
    "addr": Case(
        [_X, _Y],
        lambda x, y: t.addr(x, y[:, 0], y[0], alpha=2),
        lambda x, y: x + 2 * y[:, 0][:, None] * y[0],
    ),
    "baddbmm": Case(
        [_SQUARE, _STACK],
        lambda m, x: t.baddbmm(m, x, x.mT, beta=0.5, alpha=2),
        lambda m, x: 0.5 * m + 2 * (x @ x.mT),
    ),
    "addbmm": Case(
        [_SQUARE, _STACK],
        lambda m, x: t.addbmm(m, x, x.mT, beta=0.5, alpha=2),
        lambda m, x: 0.5 * m + 2 * (x @ x.mT).sum(0),
    ),
    "linear": Case([_X, _Y], lambda x, y: F.linear(x, y, y[:, 0]), lambda x, y: x @ y.T + y[:, 0]),
    "dot": Case([_X, _Y], lambda x, y: t.dot(x[0], y[1]), lambda x, y: (x[0] * y[1]).sum()),
    "outer": Case([_X, _Y], lambda x, y: t.outer(x[0], y[1]), lambda x, y: x[0][:, None] * y[1]),
    "trace": Case([_X], t.trace, lambda x: x.diagonal().sum()),
    "take": Case([_X], lambda x: x.take(_CLASSES), lambda x: x.flatten()[_CLASSES]),
    "put": Case(
        [_X, _Y],
        lambda x, y: x.put(_CLASSES, y[0, :2]),
        lambda x, y: x.flatten().index_put((_CLASSES,), y[0, :2]).reshape(2, 3),
    ),
    # norms and statistics
    "others_product": Case(
        [_X],
        lambda x: bind(others_product, (x,), (1,)),
        lambda x: t.where(t.eye(3, dtype=t.bool), 1.0, x[:, None]).prod(2),
    ),
    "dist": Case([_X, _Y], t.dist, lambda x, y: ((x - y) ** 2).sum().sqrt()),
    "dist of order 1": Case(
        [_X, _Y], lambda x, y: t.dist(x, y, 1), lambda x, y: (x - y).abs().sum()
    ),
    "dist of order 3": Case(
        [_X, _Y],
        lambda x, y: t.dist(x, y, 3),
        lambda x, y: ((x - y).abs() ** 3).sum() ** (1 / 3),
    ),
    "biased_convolution": Case(
        [_X, [_SQUARE], [0.5]], F.conv1d, lambda x, w, b: F.conv1d(x, w) + b[:, None]
    ),
    "biased_transposed": Case(
        [_X, [[[1.0, 2.0]], [[3.0, -4.0]]], [0.5]],
        F.conv_transpose1d,
        lambda x, w, b: F.conv_transpose1d(x, w) + b[:, None],
    ),
    "avg_pool": Case([_X], lambda x: F.avg_pool1d(x, 2, 1), lambda x: x.unfold(1, 2, 1).mean(-1)),
    "adaptive_avg_pool": Case(
        [_X], lambda x: F.adaptive_avg_pool1d(x, 2), lambda x: x.unfold(1, 2, 1).mean(-1)
    ),
    "cdist": Case([_X, _Y], t.cdist, lambda x, y: ((x[:, None] - y) ** 2).sum(-1).sqrt()),
    "pdist": Case([_X], t.pdist, lambda x: ((x[[0]] - x[[1]]) ** 2).sum(1).sqrt()),
    "norm": Case([_X], lambda x: x.norm(), lambda x: (x**2).sum().sqrt()),
    "norm along an axis": Case([_X], lambda x: x.norm(dim=1), lambda x: (x**2).sum(1).sqrt()),
    "norm of order 1": Case([_X], lambda x: x.norm(1), lambda x: x.abs().sum()),
    "norm of order 3": Case([_X], lambda x: x.norm(3), lambda x: (x.abs() ** 3).sum() ** (1 / 3)),
    "norm of order 4": Case([_X], lambda x: x.norm(4), lambda x: (x**4).sum() ** 0.25),
    "norm of order inf": Case([_X], lambda x: x.norm(math.inf), lambda x: x.abs().max()),
    "renorm": Case(
        [_X],
        lambda x: t.renorm(x, 2, 0, 0.5),
        lambda x: x * (0.5 / (x.norm(dim=1, keepdim=True) + 1e-7)),
    ),
    "normalize": Case(
        [_X],
        lambda x: F.normalize(x, dim=1),
        lambda x: x / x.norm(dim=1, keepdim=True).clamp_min(1e-12),
    ),
    "var": Case([_X], t.var, lambda x: (_centred(x) ** 2).sum().div(5)),
    "std": Case([_X], t.std, lambda x: (_centred(x) ** 2).sum().div(5).sqrt()),
    "var along an axis": Case(
        [_X], lambda x: x.var(1), lambda x: (_centred(x, 1) ** 2).sum(1).div(2)
    ),
    "std along an axis": Case(
        [_X], lambda x: x.std(1), lambda x: (_centred(x, 1) ** 2).sum(1).div(2).sqrt()
    ),
    "var_mean": Case(
        [_X], lambda x: sum(t.var_mean(x)), lambda x: (_centred(x) ** 2).sum().div(5) + x.mean()
    ),
    "std_mean": Case(
        [_X],
        lambda x: sum(t.std_mean(x)),
        lambda x: (_centred(x) ** 2).sum().div(5).sqrt() + x.mean(),
    ),
    "mean": Case([_X], lambda x: x.mean(1), lambda x: x.sum(1) / 3),
    "nansum": Case([_X], lambda x: x.nansum(1), lambda x: t.where(x.isnan(), 0, x).sum(1)),
    "nanmean": Case(
        [_X],
        lambda x: x.nanmean(1),
        lambda x: t.where(x.isnan(), 0, x).sum(1) / x.isnan().logical_not().sum(1),
    ),
    "quantile": Case(
        [_X],
        lambda x: x.quantile(0.3),
        lambda x: (lambda s: t.lerp(s[1], s[2], 0.5))(x.flatten().sort()[0]),
    ),
    "quantile along an axis": Case(
        [_X],
        lambda x: x.quantile(0.3, dim=1),
        lambda x: (lambda s: t.lerp(s[:, 0], s[:, 1], 0.6))(x.sort(1)[0]),
    ),
    # activations
    "relu": Case([_X], t.relu, lambda x: t.where(x > 0, x, 0)),
    "relu6": Case([_X], F.relu6, lambda x: x.clamp(0, 6)),
    "hardtanh": Case([_X], F.hardtanh, lambda x: x.clamp(-1, 1)),
    "leaky_relu": Case([_X], lambda x: F.leaky_relu(x, 0.1), lambda x: t.where(x > 0, x, 0.1 * x)),
    "threshold": Case([_X], lambda x: F.threshold(x, 0.1, 2.0), lambda x: t.where(x > 0.1, x, 2.0)),
    "elu": Case([_X], F.elu, lambda x: t.where(x > 0, x, x.expm1())),
    "elu of another alpha": Case(
        [_X], lambda x: F.elu(x, 1.5), lambda x: t.where(x > 0, x, 1.5 * x.expm1())
    ),
    "hardshrink": Case([_X], F.hardshrink, lambda x: t.where(x.abs() > 0.5, x, 0)),
    "softshrink": Case([_X], F.softshrink, lambda x: t.where(x.abs() > 0.5, x - 0.5 * x.sign(), 0)),
    "hardsigmoid": Case([_X], F.hardsigmoid, lambda x: F.relu6(x + 3) / 6),
    "hardswish": Case([_X], F.hardswish, lambda x: x * F.relu6(x + 3) / 6),
    "mish": Case([_X], F.mish, lambda x: x * t.tanh(F.softplus(x))),
    "prelu": Case([_X, [0.25]], F.prelu, lambda x, w: t.where(x > 0, x, w * x)),
    "layer_norm": Case(
        [_X, _UNIT[0], _UNIT[1]],
        lambda x, w, b: F.layer_norm(x, (3,), w, b),
        lambda x, w, b: _standardized(x, 1) * w + b,
    ),
    "rms_norm": Case(
        [_X],
        lambda x: F.rms_norm(x, (3,), eps=1e-5),
        lambda x: x * ((x * x).mean(1, keepdim=True) + 1e-5).rsqrt(),
    ),
    "group_norm": Case([_X], lambda x: F.group_norm(x, 1), lambda x: _standardized(x, 1)),
    "batch_norm": Case(
        [_X], lambda x: F.batch_norm(x, None, None, training=True), lambda x: _standardized(x, 0)
    ),
    "selu": Case([_X], F.selu, lambda x: _SELU[0] * t.where(x > 0, x, _SELU[1] * x.expm1())),
    "logsigmoid": Case([_X], F.logsigmoid, lambda x: x.sigmoid().log()),
    "softplus": Case([_X], F.softplus, lambda x: (1 + x.exp()).log()),
    "silu": Case([_X], F.silu, lambda x: x * x.sigmoid()),
    "gelu": Case([_X], F.gelu, lambda x: 0.5 * x * (1 + t.erf(x / math.sqrt(2)))),
    "gelu by tanh": Case(
        [_X],
        lambda x: F.gelu(x, approximate="tanh"),
        lambda x: 0.5 * x * (1 + t.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))),
    ),
    "sigmoid": Case([_X], t.sigmoid, lambda x: 1 / (1 + (-x).exp())),
    "softmax": Case([_X], lambda x: x.softmax(1), lambda x: x.exp() / x.exp().sum(1, keepdim=True)),
    "log_softmax": Case(
        [_X], lambda x: x.log_softmax(1), lambda x: x - x.logsumexp(1, keepdim=True)
    ),
    "logsumexp": Case([_X], lambda x: x.logsumexp(1), lambda x: x.exp().sum(1).log()),
    # functions of one number or two
    "tan": Case([_X], t.tan, lambda x: x.sin() / x.cos()),
    "tanh": Case([_X], t.tanh, lambda x: x.sinh() / x.cosh()),
    "asinh": Case([_X], t.asinh, lambda x: (x + (x * x + 1).sqrt()).log()),
    "atanh": Case([_UNIT], t.atanh, lambda x: ((1 + x) / (1 - x)).log() / 2),
    "logit": Case([_UNIT], t.logit, lambda x: (x / (1 - x)).log()),
    "log2": Case([_POSITIVE], t.log2, lambda x: x.log() / math.log(2)),
    "log10": Case([_POSITIVE], t.log10, lambda x: x.log() / math.log(10)),
    "log1p": Case([_POSITIVE], t.log1p, lambda x: (1 + x).log()),
    "exp2": Case([_X], t.exp2, lambda x: (x * math.log(2)).exp()),
    "expm1": Case([_X], t.expm1, lambda x: x.exp() - 1),
    "erfc": Case([_X], t.erfc, lambda x: 1 - x.erf()),
    "sinc": Case([_UNIT], t.sinc, lambda x: (math.pi * x).sin() / (math.pi * x)),
    "rsqrt": Case([_POSITIVE], t.rsqrt, lambda x: 1 / x.sqrt()),
    "reciprocal": Case([_POSITIVE], t.reciprocal, lambda x: 1 / x),
    "square": Case([_X], t.square, lambda x: x * x),
    "frac": Case([_X], t.frac, lambda x: x - x.trunc()),
    "deg2rad": Case([_X], t.deg2rad, lambda x: x * (math.pi / 180)),
    "mvlgamma": Case(
        [_POSITIVE],
        lambda x: t.mvlgamma(x + 1, 2),
        lambda x: t.lgamma(x + 1) + t.lgamma(x + 0.5) + math.log(math.pi) / 2,
    ),
    "hypot": Case([_X, _Y], t.hypot, lambda x, y: (x * x + y * y).sqrt()),
    "logaddexp": Case([_X, _Y], t.logaddexp, lambda x, y: (x.exp() + y.exp()).log()),
    "xlogy": Case(
        [_POSITIVE, _Y[::-1]], lambda x, y: t.xlogy(x, y.abs()), lambda x, y: x * y.abs().log()
    ),
    "maximum": Case([_X, _Y], t.maximum, lambda x, y: t.where(x > y, x, y)),
    "clamp": Case(
        [_X], lambda x: x.clamp(-1, 1), lambda x: t.where(x < -1, -1.0, t.where(x > 1, 1.0, x))
    ),
    "fmod": Case([_X, _POSITIVE], t.fmod, lambda x, y: x - (x / y).trunc() * y),
    # losses
    "mse_loss": Case([_X, _Y], F.mse_loss, lambda x, y: ((x - y) ** 2).mean()),
    "smooth_l1_loss": Case(
        [_X, _Y],
        F.smooth_l1_loss,
        lambda x, y: t.where((x - y).abs() < 1, (x - y) ** 2 / 2, (x - y).abs() - 0.5).mean(),
    ),
    "huber_loss": Case(
        [_X, _Y],
        lambda x, y: F.huber_loss(x, y, delta=0.5),
        lambda x, y: t.where(
            (x - y).abs() < 0.5, (x - y) ** 2 / 2, 0.5 * ((x - y).abs() - 0.25)
        ).mean(),
    ),
    "soft_margin_loss": Case(
        [_X],
        lambda x: F.soft_margin_loss(x, t.tensor(_Y).double().sign()),
        lambda x: (1 + (-x * t.tensor(_Y).double().sign()).exp()).log().mean(),
    ),
    "l1_loss": Case([_X, _Y], F.l1_loss, lambda x, y: (x - y).abs().mean()),
    "binary_cross_entropy": Case(
        [_UNIT, _UNIT[::-1]],
        F.binary_cross_entropy,
        lambda p, y: -(y * p.log() + (1 - y) * (1 - p).log()).mean(),
    ),
    "binary_cross_entropy_with_logits": Case(
        [_X, _UNIT],
        F.binary_cross_entropy_with_logits,
        lambda x, y: -(y * F.logsigmoid(x) + (1 - y) * F.logsigmoid(-x)).mean(),
    ),
    "nll_loss": Case([_X], lambda x: F.nll_loss(x, _CLASSES), _negative_logs),
    "cross_entropy": Case(
        [_X], lambda x: F.cross_entropy(x, _CLASSES), lambda x: _negative_logs(x.log_softmax(1))
    ),
    "cross_entropy of probabilities": Case(
        [_X, _UNIT], F.cross_entropy, lambda x, y: -(x.log_softmax(1) * y).sum(1).mean()
    ),
    # linear algebra
    "cholesky_solve": Case(
        [[[1.0, 2.0], [0.5, 3.0], [-4.0, 1.5]], _FACTOR],
        t.cholesky_solve,
        lambda b, f: _upper_solve(f.mT, t.linalg.solve_triangular(f, b, upper=False)),
    ),
    "cholesky_inverse": Case(
        [_FACTOR],
        t.cholesky_inverse,
        lambda f: _upper_solve(f.mT, t.linalg.solve_triangular(f, t.eye(3).double(), upper=False)),
    ),
}

#: Gradients that are longer: by how many instructions, and why.
LONGER: dict[str, tuple[int, str]] = {
    "lerp": (2, "1 - w has digits near w = 1, where ct - ct*w cancels; y - x is not kept"),
    "lerp of a number": (2, "1 - w and its dtype, of one number"),
    "dist of order 3": (1, "at equal elements it is 0, where what users write has nan"),
    "norm of order inf": (1, "the distances from 0 are not kept"),
    "renorm": (1, "slices that are short enough are masked"),
    "others_product": (9, "its time grows with the elements, not with their square"),
    "nansum": (1, "the mask is not kept"),
    "nanmean": (1, "the mask is not kept"),
    "quantile along an axis": (1, "places are found in each row, so that nan comes out of its own"),
    "relu": (1, "the mask is not kept: the result has its sign"),
    "leaky_relu": (1, "the mask is not kept"),
    "elu": (1, "the mask is not kept"),
    "elu of another alpha": (3, "at 0 PyTorch's slope is alpha, and constant; no mask is kept"),
    "selu": (5, "the same; and its factors are numbers that may vary"),
    "softplus": (2, "above the threshold it is linear"),
    "log1p": (1, "1 + x is not kept"),
    "expm1": (1, "the exponential is not kept, and the result has no digits in the tail"),
    "hypot": (1, "0 at the origin, where what users write has nan"),
    "xlogy": (12, "0 where x is 0, whatever y is, and log(y) is not kept"),
    "maximum": (5, "equal elements share the gradient"),
    "clamp": (2, "the masks are not kept"),
    "fmod": (1, "the whole quotient is not kept"),
    "binary_cross_entropy": (1, "the logarithms are bounded, and not kept"),
}


def _run(call: Callable[..., Any], values: list[Any]) -> tuple[Any, Any, Any]:
    """Return the result, the gradients, and the program that computed these."""
    given = [t.tensor(v, dtype=t.float64, requires_grad=True) for v in values]
    made = call(*given)
    cotangent = t.linspace(0.5, 1.5, made.numel(), dtype=t.float64).reshape(made.shape)
    total = (made * cotangent).sum() if made.ndim else made * cotangent  # so that it is any
    program = t.explain(total).program
    return made, t.autograd.grad(total, given), program


@each("name", list(CASES))
def test_the_gradient_is_no_longer_than_that_of_what_users_write(name: str) -> None:
    values, call, written = CASES[name]
    made, gradients, program = _run(call, values)
    expected, slopes, parts = _run(written, values)
    np.testing.assert_allclose(made.detach().numpy(), expected.detach().numpy(), 1e-13, 1e-15)
    for g, w in zip(gradients, slopes, strict=True):
        np.testing.assert_allclose(
            g.numpy(), w.numpy(), rtol=1e-6 if name == "renorm" else 1e-12, atol=1e-15
        )
    more, _ = LONGER.get(name, (0, ""))
    assert max(0, len(program) - len(parts)) == more, f"{program}\n{parts}"


def test_every_operation_with_a_formula_is_among_them() -> None:
    found = set()
    for values, call, _ in CASES.values():
        leaves = [t.tensor(v, dtype=t.float64, requires_grad=True) for v in values]
        found |= {type(x).__name__ for x in toposort([call(*leaves).expr])}
    kinds = {cls for cls, _ in COMPOSITES.values() if not issubclass(cls, Slopes)}
    assert {cls.__name__ for cls in kinds} <= found
    assert set(LONGER) <= set(CASES)
